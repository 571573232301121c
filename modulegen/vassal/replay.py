"""A save or log played through: the position after any step, and what its pieces are to the players."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from .commands import AddPlayer, Chat, Command, Log, RemovePlayer, SetBoards, Undo
from .encoding import decode, remembered
from .grids import ZonedGrid
from .position import EMPTY_STACK, Change, Container, GameState, PieceRecord
from .save import Misfit, SavedGame, half_undo, misfit
from .secrets import Scrubber
from .traits import BasicName, BasicPiece, BasicState, Hideable, Labeler, Layer, Obscurable, Piece, Trait
from .traits.piece import MASKS, VEILS, TooManyTraits, is_bare, read_outline

if TYPE_CHECKING:
    from .grids import Point
    from .module import Board, Map, Module


Placed: TypeAlias = "tuple[Board, Point, Point | None, bool]"
"""A board with its corner and size on the map, and whether it is turned round."""
OFFBOARD = "offboard"
# Pieces whose looks are remembered: the largest games have some thousand.
MAX_LOOKS = 20_000
# More boards than any map has, fewer than would take long to lay out.
MAX_BOARDS = 500
_SAID: Final = {Chat}
_MARKS: Final = (Undo, Log)
VIEW: Final = frozenset({AddPlayer, RemovePlayer, SetBoards})
"""Commands that decide how all pieces are seen: who plays, and on which boards."""


@dataclass(frozen=True)
class PieceView:
    """A piece as one side may see it.

    `hidden` pieces show nothing but that they are there; `masked` ones their place, and the mask's name for their
    own. `x`, `y`: pixels of the map. `location` needs the module. `stack_index` counts from the bottom.
    """

    id: str
    name: str = ""
    map: str | None = None
    x: int | None = None
    y: int | None = None
    location: str | None = None
    zone: str | None = None
    gpid: str = ""
    stack_index: int = 0
    stack_size: int = 1
    deck: str = ""
    hidden: bool = False
    masked: bool = False
    properties: dict[str, str] = field(default_factory=dict)
    called: str = ""
    following: frozenset[str] = field(default_factory=frozenset)
    """Layers that show what a property says."""

    @classmethod
    def _of(cls, look: _Look, own: tuple[tuple[str, str], ...], known: dict[str, Any]) -> PieceView:
        """A view with the fields of `known`; what the piece's traits say of it is read where somebody asks."""
        view = cls.__new__(cls)
        vars(view).update(known, name=look.name, _looked=(look, own))
        return view

    # Type checkers would take any attribute for one that there is.
    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            looked = vars(self).get("_looked")
            if looked is None or name not in ("properties", "following"):
                raise AttributeError(f"{type(self).__name__} has no {name!r}")
            look, own = looked
            found = look.following if name == "following" else look.properties_with(own)
            vars(self)[name] = found
            return found

    def __getstate__(self) -> dict[str, Any]:
        # The look knows the passwords that it keeps out.
        return {f.name: getattr(self, f.name) for f in fields(self)}

    def says_as(self, other: PieceView) -> bool:
        """Whether it can be seen without reading them that both have the same properties."""
        mine, its = vars(self).get("_looked"), vars(other).get("_looked")
        if mine is None or its is None:
            return self.properties is other.properties
        return mine[0] is its[0] and mine[1] == its[1]

    @property
    def levels(self) -> dict[str, str]:
        """The levels of layers that players turn over, by property.

        The level of one that follows a property is written down when the piece is drawn, which may be later than
        the property changed, or never.
        """
        found = {k: v for k, v in self.properties.items() if k.endswith("_Level")}
        return {k: v for k, v in found.items() if k.removesuffix("_Level") not in self.following}

    @property
    def told_id(self) -> str:
        """The id as it may be told: damage can put a password into it."""
        return self.called or self.id


_NOTHING: Final = {f.name: f.default for f in fields(PieceView) if f.name not in ("id", "properties", "following")}
"""What a view says of a piece of which nothing is known."""


class _Look:
    """A piece but for where it is. `veils` are its traits that may hide or mask it, with their states."""

    def __init__(self, record: PieceRecord, module: Module | None, scrub: Scrubber | None) -> None:
        self._record = record
        self._module = module
        self.scrub = scrub
        told = self._telling()
        name = _name(told)
        self.name = scrub.name(name) if scrub is not None else name
        self.veils = [pair for pair in told if isinstance(pair[0], VEILS)]

    def _telling(self) -> list[tuple[Trait, str]]:
        if self._module is not None:
            return list(zip(*self.piece, strict=True))
        states = self._record.states
        return [(trait, states[i]) for i, trait in read_outline(self._record.type).telling]

    @property
    def piece(self) -> Piece:
        piece = self._record.piece()
        return self._module.expand(piece) if self._module is not None else piece

    @cached_property
    def following(self) -> frozenset[str]:
        """The layers that show what a property says."""
        return frozenset(t.name for t in self.piece.traits if isinstance(t, Layer) and t.follow)

    @cached_property
    def properties(self) -> dict[str, str]:
        """What its traits say of it; worked out where somebody asks, for it is dear."""
        found = self.piece.properties()
        return self.scrub.values(found) if self.scrub is not None else found

    def properties_with(self, own: tuple[tuple[str, str], ...]) -> dict[str, str]:
        """Its properties, with those that a piece was given in play."""
        if not own:
            return self.properties
        return {**self.properties, **(dict(own) if self.scrub is None else self.scrub.values(dict(own)))}


class LogReplay:
    """Steps through a log. Step 0 is the saved position; step n the position after the n-th action.

    `misfits`: by step, the commands that do not fit what the log has led to, as far as it has been carried out.
    """

    def __init__(
        self,
        game: SavedGame,
        module: Module | None = None,
        *,
        restore: Iterable[Command] | None = None,
        scrub: Scrubber | None = None,
        seen: Callable[[PieceView], PieceView] | None = None,
    ) -> None:
        """`restore`: the saved position's commands, where the caller has read them already.

        `scrub` takes passwords out of all that is seen of pieces; without it names stand as they are. `seen` has
        the last word on each piece that is shown.
        """
        self.seen = seen or _as_it_is
        self.game = game
        self.module = module
        self.steps = game.steps
        self.scrub = scrub
        self.position = GameState()
        self.misfits: dict[int, list[Misfit]] = {}
        self._done: list[Change] = []
        self._layouts: dict[str, tuple[SetBoards | None, list[Placed]]] = {}
        self._looks: dict[tuple[str, tuple[str, ...]], _Look] = {}
        self._ranks: dict[str, tuple[tuple[str, ...], dict[str, int]]] = {}
        # How pieces were seen last, with all that depends on but who plays and on which boards.
        self._shown: dict[str, tuple[PieceRecord, Container | None, str | None, PieceView]] = {}
        self.position.apply(self._restored() if restore is None else restore)

    def _restored(self) -> Iterator[Command]:
        for node in self.game.restore:
            for leaf in node.leaves():
                # Old saves hold tens of thousands of empty stacks.
                if (empty := EMPTY_STACK(leaf.raw)) is not None:
                    self.position.lay_empty(*[part.decode("utf-8", "surrogateescape") for part in empty.groups()])
                else:
                    command = leaf.command
                    yield command.command if isinstance(command, Log) else command

    def __len__(self) -> int:
        """How many actions there are."""
        return len(self.steps)

    @property
    def step(self) -> int:
        """How many actions have been carried out."""
        return len(self._done)

    def forward(self, commands: Iterable[Command] | None = None) -> bool:
        """Carry out the next action; False at the end. `commands`: it, where the caller has read it already."""
        if self.step >= len(self.steps):
            return False
        changes: Change = []
        told = list(self.steps[self.step].commands() if commands is None else commands)
        kinds = set(map(type, told))
        if kinds == _SAID:
            self._done.append(changes)
            return True
        if not kinds.isdisjoint(VIEW):
            self._shown.clear()
        if not kinds.isdisjoint(_MARKS) and (half := half_undo(told)) is not None:
            self.misfits.setdefault(self.step + 1, []).append(half)
        for command in told:
            if (found := misfit(self.position, command)) is not None:
                self.misfits.setdefault(self.step + 1, []).append(found)
            changes += self.position.apply(command)
        self._done.append(changes)
        return True

    def back(self) -> bool:
        """Take back the latest action; False at the start."""
        if not self._done:
            return False
        self.misfits.pop(self.step, None)
        changes = self._done.pop()
        if any(table is self.position.players or table is self.position.boards for table, _, _ in changes):
            self._shown.clear()
        self.position.undo(changes)
        return True

    def goto(self, step: int) -> GameState:
        """The position after so many actions; negative counts from the end, -1 being the last."""
        wanted = step + len(self.steps) + 1 if step < 0 else step
        if not 0 <= wanted <= len(self.steps):
            raise IndexError(f"step {step}, expected 0 to {len(self.steps)}")
        while self.step < wanted:
            self.forward()
        while self.step > wanted:
            self.back()
        return self.position

    # -- pieces ---------------------------------------------------------------------------------------------

    def piece(self, piece_id: str) -> Piece:
        """A piece's traits and states, prototypes resolved where the module is at hand; raises KeyError."""
        try:
            piece = self.position.pieces[piece_id].piece()
        except TooManyTraits:
            return Piece((BasicPiece(),), ("",))
        return self.module.expand(piece) if self.module else piece

    def pieces(self, *, reveal: str | None = None, on_map: bool = True) -> Iterator[PieceView]:
        """All pieces as `reveal`, a side's name, may see them; None is a bystander."""
        for piece_id, record in list(self.position.pieces.items()):
            if on_map and ((where := self.position.place(piece_id)) is None or where[0] is None):
                continue
            yield self._view(piece_id, reveal, record)

    def view(self, piece_id: str, *, reveal: str | None = None) -> PieceView:
        """One piece as a side may see it; raises KeyError for an id that is not there."""
        return self._view(piece_id, reveal, self.position.pieces[piece_id])

    def _view(self, piece_id: str, reveal: str | None, record: PieceRecord) -> PieceView:
        holder = self.position.containers.get(record.parent) if record.parent else None
        known = self._shown.get(piece_id)
        if known is None or known[0] is not record or known[1] is not holder or known[2] != reveal:
            seen = self._seen(piece_id, reveal, record, holder)
            view = self.seen(seen if self.scrub is None or seen.hidden else _scrubbed(seen, self.scrub))
            known = self._shown[piece_id] = (record, holder, reveal, view)
        return known[3]

    def _seen(self, piece_id: str, reveal: str | None, record: PieceRecord, holder: Container | None) -> PieceView:
        look = self._look(record)
        where, x, y = (holder.map, holder.x, holder.y) if holder else (record.map, record.x, record.y)
        if self._is_hidden(look.veils, where, reveal) or (holder and holder.deck and holder.face_down):
            return PieceView(piece_id, hidden=True)
        known: dict[str, Any] = {
            **_NOTHING,
            "id": piece_id,
            "map": where,
            "x": x,
            "y": y,
            "stack_index": self._rank(piece_id, record.parent, holder),
            "stack_size": len(holder.pieces) if holder else 1,
        }
        if self.module is not None:
            known |= {"location": self.location(where, x, y), "zone": self.zone(where, x, y)}
        if holder and holder.deck:
            known["deck"] = deck_name(holder.deck)
        mask = self._mask(look.veils, reveal)
        if mask is not None:
            return PieceView(**{**known, "name": self._clean(mask), "masked": True})
        known["gpid"] = record.gpid
        state = record.states[-1]
        return PieceView._of(look, () if is_bare(state) else _own_properties(state), known)

    def hide(self, scrub: Scrubber) -> Scrubber:
        """Take passwords out of all that is seen of pieces from now on."""
        self.scrub = scrub
        self._looks.clear()
        self._shown.clear()
        return scrub

    def _look(self, record: PieceRecord) -> _Look:
        """What a piece is but for where it is: most are seen time and again as they were."""
        key = (record.type, record.states[:-1])
        found = self._looks.get(key)
        if found is None:
            found = _Look(record, self.module, self.scrub)
            if len(self._looks) >= MAX_LOOKS:
                self._looks.clear()
            self._looks[key] = found
        return found

    def _clean(self, text: str) -> str:
        return self.scrub(text) if self.scrub is not None else text

    def _rank(self, piece_id: str, parent: str | None, holder: Container | None) -> int:
        """How many pieces lie below a piece in its stack or deck."""
        if parent is None or holder is None:
            return 0
        known = self._ranks.get(parent)
        if known is None or known[0] is not holder.pieces:
            # Looked up piece by piece, a stack would take time that grows with the square of its height.
            known = self._ranks[parent] = (holder.pieces, {i: n for n, i in enumerate(holder.pieces)})
        return known[1].get(piece_id, 0)

    def _owners(self, reveal: str | None) -> set[str]:
        """By what names VASSAL writes down that this side hid a piece."""
        if reveal is None:
            return set()
        ids = {p.id.reveal() for p in self.position.players.values() if p.side == reveal}
        return {reveal, *ids}

    def _is_hidden(self, veils: Iterable[tuple[Trait, str]], where: str | None, reveal: str | None) -> bool:
        window = self.module.map(where) if self.module else None
        if window is not None and window.private_to is not None and reveal not in window.private_to:
            return True
        owners = self._owners(reveal)
        for trait, state in veils:
            if isinstance(trait, Hideable) and state not in ("", "null") and state not in owners:
                return True
        return False

    def _mask(self, veils: Iterable[tuple[Trait, str]], reveal: str | None) -> str | None:
        owners = self._owners(reveal)
        for trait, state in veils:
            if isinstance(trait, MASKS):
                owner = decode(state, ";")[0]
                if owner not in ("", "null") and owner not in owners:
                    return (trait.mask_name if isinstance(trait, Obscurable) else "") or "?"
        return None

    # -- places ---------------------------------------------------------------------------------------------

    def location(self, map_id: str | None, x: int, y: int) -> str | None:
        """What VASSAL calls a point of a map; None without the module, "offboard" beside all boards."""
        window = self.module.map(map_id) if self.module else None
        if window is None:
            return None
        placed = self.placed(window)
        for name, (deck_x, deck_y), owner in window.decks:
            corner = next((c for b, c, _, _ in placed if b.name == owner), window.edge)
            if (deck_x + corner[0], deck_y + corner[1]) == (x, y):
                return name
        found = self._board_at(placed, x, y)
        if found is None:
            return OFFBOARD
        board, point, size = found
        if board.grid is None:
            return OFFBOARD
        return board.grid.location_name(point, size) or OFFBOARD

    def zone(self, map_id: str | None, x: int, y: int) -> str | None:
        """The zone that a point lies in, or None."""
        window = self.module.map(map_id) if self.module else None
        if window is None:
            return None
        found = self._board_at(self.placed(window), x, y)
        if found is None or not isinstance(found[0].grid, ZonedGrid):
            return None
        zone = found[0].grid.zone_at(found[1])
        return zone.name if zone else None

    def placed(self, window: Map) -> list[Placed]:
        """The map's boards with their corners and sizes, and whether they are turned round."""
        boards = self.position.boards
        command: SetBoards | None = boards.get(window.name) or boards.get(window.id) or window.setup
        known = self._layouts.get(window.id)
        if known is None or known[0] is not command:
            known = self._layouts[window.id] = (command, _lay_out(window, command))
        return known[1]

    @staticmethod
    def _board_at(placed: list[Placed], x: int, y: int) -> tuple[Board, Point, Point] | None:
        for board, (left, top), size, turned in placed:
            inner = (x - left, y - top)
            if size is None:
                # The image is not here: the only board is taken to be large enough.
                if len(placed) == 1:
                    return board, inner, (0, 0)
                continue
            if 0 <= inner[0] < size[0] and 0 <= inner[1] < size[1]:
                if turned:
                    inner = (size[0] - inner[0], size[1] - inner[1])
                return board, inner, size
        return None


def _lay_out(window: Map, command: SetBoards | None) -> list[Placed]:
    chosen = [(window.board(b.name), b) for b in (command.boards[:MAX_BOARDS] if command else ())]
    sizes = {(b.column, b.row): board.size or (0, 0) for board, b in chosen if board}
    placed: list[Placed] = []
    for board, at in chosen:
        if board is None:
            continue
        x = window.edge[0] + sum(size[0] for (c, r), size in sizes.items() if r == at.row and c < at.column)
        y = window.edge[1] + sum(size[1] for (c, r), size in sizes.items() if c == at.column and r < at.row)
        placed.append((board, (x, y), board.size, at.reversed and board.reversible))
    return placed


@remembered(1 << 22)
def _own_properties(state: str) -> tuple[tuple[str, str], ...]:
    return tuple([pair for pair in BasicState.decode(state).properties if pair[0] != "UniqueID"])


def _as_it_is(view: PieceView) -> PieceView:
    return view


def _scrubbed(view: PieceView, scrub: Scrubber) -> PieceView:
    """A piece without any password that its places repeat; its name and properties have none."""
    texts = (view.map, view.location, view.zone, view.deck, view.id)
    clean = [scrub.name(text) if text else text for text in texts]
    if texts == tuple(clean):
        return view
    where, location, zone, deck, called = clean
    return replace(view, map=where, location=location, zone=zone, deck=deck or "", called=called or "")


def deck_name(type_text: str) -> str:
    parts = decode(type_text, ";")
    return parts[13] if len(parts) > 13 else ""


def piece_name(piece: Piece) -> str:
    """What players call a piece: its own name as its layers and labels change it."""
    return _name(list(zip(*piece, strict=True)))


def _name(told: Sequence[tuple[Trait, str]]) -> str:
    """The name that traits with their states give, outermost first."""
    name = ""
    for trait, state in reversed(told):
        if isinstance(trait, Layer):
            if given := trait.level_name(state):
                first, *more = decode(given, "+")
                name = (name + more[0] if not first else first + name) if more else first
        elif isinstance(trait, Labeler):
            if (label := state.strip()) or trait.always_format:
                name = trait.name_format.replace("$pieceName$", name).replace("$label$", label)
        elif isinstance(trait, BasicPiece | BasicName):
            name = trait.name
    return name

"""Saved games brought up to a newer version of their module, as VASSAL's own refresher does with an open game.

Each piece in a save is a copy of its slot as it was when the piece came into the game. Here it becomes a copy of
the slot as it is now, found by its number and else by its name; what play has done to it stays where the trait that
remembers it is still there. Ids stay, so that stacks, decks, mats and attachments hold what they held.

Sources: `VASSAL.build.module.GameRefresher`, `VASSAL.build.GpIdChecker` (`createUpdatedPiece`, `copyState`,
`findState`), `VASSAL.counters.PieceCloner`. Three things are otherwise here: equal traits are paired one by one,
where VASSAL gives all of them the state of the first; a property keeps its value if its name is still there, where
VASSAL wants its commands to be the same too; and pieces that are hidden from somebody are brought up as well,
unless the newer piece could not hide them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

from ..scenarios.text.words import HexforgeError, Message, message
from .vassal import traits as t
from .vassal.archive import Archive, Metadata
from .vassal.commands import AddPiece, AddPlayer, Command, SetBoards, SetGlobalProperty, SetTurn
from .vassal.encoding import FormatError, decode
from .vassal.inspect import secrets_of
from .vassal.module import Module, read_module
from .vassal.payload import MAX_PAYLOAD, Node
from .vassal.payload import leaf as leaf_of
from .vassal.replay import piece_name
from .vassal.save import SavedGame, read_save, save_bytes
from .vassal.traits.piece import MAX_TRAITS, TooManyTraits

OBSERVER: Final = "<observer>"
_MOST_SHOWN: Final = 60
_HIDING: Final = (t.Obscurable, t.Hideable, t.Restricted, *t.VASL_TRAITS)
"""Traits whose state says who alone sees or holds a piece; it may be a password and is never shown."""
_NAMED_BY: Final[Mapping[type[t.Trait], str]] = {
    t.Layer: "name",
    t.Labeler: "description",
    t.FreeRotator: "name",
    t.DynamicProperty: "name",
    t.Attachment: "name",
    t.PropertySheet: "definition",
    t.SendToLocation: "description",
}
"""Traits that are the same to players while they have this in common, whatever else about them has changed."""
_ALIKE: Final = (
    t.Layer,
    t.Labeler,
    t.FreeRotator,
    t.MovementMarkable,
    t.Footprint,
    t.Hideable,
    t.Obscurable,
    t.Restricted,
    t.Mat,
    t.MatCargo,
)
"""Traits of which one that is left over on either side is the same."""
_IDLE: Final = frozenset(("", "null", "null;", "0", "0.0", "false", "noMat", "-1"))
How = Literal["same", "number", "name", "hidden", "gone", "several", "broken"]
REFRESHED: Final = ("number", "name")
KEPT: Final = ("hidden", "gone", "several", "broken")


@dataclass(frozen=True)
class PieceChange:
    """What becomes of pieces of one kind: how they were found, what of them changes, what would be lost."""

    name: str
    gpid: str
    how: How
    changes: tuple[Message, ...] = ()
    losses: tuple[Message, ...] = ()


@dataclass(frozen=True)
class Refreshed:
    """A save brought up to a module, and all that is to be said of it. Nothing has been written yet."""

    source: str
    data: bytes = field(repr=False)
    before: Metadata | None
    module: Module = field(repr=False)
    pieces: Mapping[PieceChange, int]
    absent: tuple[Message, ...]
    steps: int = 0

    def of(self, *ways: How) -> list[tuple[PieceChange, int]]:
        """The kinds of pieces that were found in one of some ways, with how many there are of each."""
        return [(change, count) for change, count in self.pieces.items() if change.how in ways]

    def count(self, *ways: How) -> int:
        return sum(count for _, count in self.of(*ways))

    @property
    def losing(self) -> list[tuple[PieceChange, int]]:
        return [(change, count) for change, count in self.pieces.items() if change.losses]

    @property
    def is_whole(self) -> bool:
        """Whether nothing is lost, left as it was, or without its place in the module."""
        return not (self.losing or self.of(*KEPT) or self.absent)

    def json(self, say: Callable[[Message], str]) -> dict[str, Any]:
        """For scripts."""
        rows = [
            {
                "piece": change.name,
                "gpid": change.gpid,
                "count": count,
                "found": change.how,
                "changes": [say(one) for one in change.changes],
                "lost": [say(one) for one in change.losses],
            }
            for change, count in self.pieces.items()
            if change.how != "same"
        ]
        return {
            "save": self.source,
            "from": None if self.before is None else {"name": self.before.name, "version": self.before.version},
            "to": {"name": self.module.name, "version": self.module.version},
            "same": self.count("same"),
            "refreshed": self.count(*REFRESHED),
            "kept": self.count(*KEPT),
            "pieces": rows,
            "absent": [say(one) for one in self.absent],
            "steps_left_out": self.steps,
            "whole": self.is_whole,
        }


class _Slot(NamedTuple):
    """A piece as the module has it now, its prototypes in their place, and the number that it goes by."""

    gpid: str
    piece: t.Piece
    type: str


class Catalogue:
    """The pieces of a module and of its extensions, by number and by name."""

    def __init__(self, module: Module, extensions: Sequence[Module] = ()) -> None:
        self.module = module
        self.all = (module, *extensions)
        prototypes: dict[str, t.Piece] = {}
        for one in self.all:
            for name, piece in one.prototypes.items():
                prototypes.setdefault(name, piece)
        self._whole = replace(module, prototypes=prototypes)
        self._by_gpid: dict[str, list[t.Piece]] = defaultdict(list)
        self._by_name: dict[str, list[tuple[str, t.Piece]]] = defaultdict(list)
        self._slots: dict[tuple[str, int], _Slot | None] = {}
        self._read()

    def _read(self) -> None:
        places: dict[tuple[str, ...], t.Piece] = {}
        carriers: list[t.Piece] = []
        for one in self.all:
            carriers += one.prototypes.values()
            for slot in one.slots:
                places.setdefault((*slot.path, slot.name), slot.piece)
                carriers.append(slot.piece)
                self._add(slot.gpid, slot.piece)
        for carrier in carriers:
            for trait in carrier.traits:
                if isinstance(trait, t.PlaceMarker) and trait.gpid and (piece := _placed(trait, places)):
                    self._add(trait.gpid, piece)

    def _add(self, gpid: str, piece: t.Piece) -> None:
        if gpid:
            self._by_gpid[gpid].append(piece)
        if piece.basic is not None and piece.basic.name:
            self._by_name[piece.basic.name].append((gpid, piece))

    def find(self, gpid: str, name: str) -> tuple[How, _Slot | None]:
        """The piece that one of a save is a copy of."""
        numbered = self._by_gpid.get(gpid, []) if gpid else []
        if found := self._one([(gpid, piece) for piece in numbered], name):
            return "number", found
        if numbered:
            return "several", None
        named = self._by_name.get(name, []) if name else []
        if found := self._one(named, name):
            return "name", found
        return ("several" if named else "gone"), None

    def _one(self, found: Sequence[tuple[str, t.Piece]], name: str) -> _Slot | None:
        """The only piece among those found, of several the only one of a name; copies of one are one."""
        alike = [(g, p) for g, p in found if p.basic is not None and p.basic.name == name] or found
        slots = [slot for gpid, piece in alike[:_MOST_SHOWN] if (slot := self._slot(gpid, piece))]
        kinds = {(slot.type, slot.piece.states[:-1]) for slot in slots}
        return slots[0] if len(kinds) == 1 and len(slots) == len(alike) else None

    def _slot(self, gpid: str, piece: t.Piece) -> _Slot | None:
        key = gpid, id(piece)
        if key not in self._slots:
            self._slots[key] = _expanded(self._whole, gpid, piece)
        return self._slots[key]


def _placed(trait: t.PlaceMarker, places: Mapping[tuple[str, ...], t.Piece]) -> t.Piece | None:
    """The piece that a trait places: its own, or that of a slot, by the names on the way there."""
    if trait.marker.startswith("+/"):
        parts = [*decode(trait.marker[2:], "/"), "", ""]
        try:
            return t.read_piece(parts[1], parts[2])
        except ValueError:
            return None
    names = tuple(decode(part, ":")[-1] for part in decode(trait.marker, "/"))
    return places.get(names)


def _expanded(module: Module, gpid: str, piece: t.Piece) -> _Slot | None:
    """A piece with its prototypes' traits; remarks of its maker do not come into a game (`PieceCloner`)."""
    whole = module.expand(piece)
    kept = [i for i, trait in enumerate(whole.traits) if not isinstance(trait, t.Comment)]
    if len(kept) >= MAX_TRAITS or whole.basic is None:
        return None
    found = t.Piece(tuple(whole.traits[i] for i in kept), tuple(whole.states[i] for i in kept))
    try:
        return _Slot(gpid, found, t.piece_type(found.traits))
    except ValueError:
        return None


def _pairs(old: Sequence[t.Trait], new: Sequence[t.Trait]) -> dict[int, int]:
    """New trait -> the old one that it goes on from, by their places; the basic pieces are not asked."""
    found: dict[int, int] = {}
    for key in (_written, _equal, _named, _alone):
        waiting: dict[object, list[int]] = defaultdict(list)
        taken = set(found.values())
        for at, trait in enumerate(old[:-1]):
            if at not in taken and (same := key(trait)) is not None:
                waiting[same].append(at)
        for at, trait in enumerate(new[:-1]):
            if at not in found and (same := key(trait)) is not None and waiting.get(same):
                found[at] = waiting[same].pop(0)
    return found


def _written(trait: t.Trait) -> object:
    """Most are the same to the letter, which costs less to ask than what all of their fields say."""
    return trait.encode()


def _equal(trait: t.Trait) -> object:
    return trait


def _named(trait: t.Trait) -> object:
    name = getattr(trait, _NAMED_BY[type(trait)]) if type(trait) in _NAMED_BY else ""
    return (type(trait), name) if name else None


def _alone(trait: t.Trait) -> object:
    if not isinstance(trait, _ALIKE) or _named(trait) is not None:
        return None
    # Who it is hidden by is a player here and a side there.
    if isinstance(trait, t.Obscurable | t.Hideable):
        return type(trait), trait.access.partition(":")[0]
    return (type(trait), trait.by_player) if isinstance(trait, t.Restricted) else type(trait)


class _Plan(NamedTuple):
    """How pieces of one type become copies of a slot: by what each of its traits goes on, and what that changes."""

    slot: _Slot
    pairs: dict[int, int]
    left: tuple[int, ...]
    changes: tuple[Message, ...]


class _Refresh:
    """One save on its way to a module."""

    def __init__(self, game: SavedGame, catalogue: Catalogue) -> None:
        self.game, self.catalogue = game, catalogue
        self.tell = secrets_of(game).name
        self.pieces: Counter[PieceChange] = Counter()
        self.absent: dict[Message, None] = {}
        self.size = 0
        self._plans: dict[tuple[str, str, int], _Plan] = {}

    def node(self, node: Node) -> Node:
        """A node with its pieces brought up; itself where nothing changes."""
        if not node.parts:
            self.size += len(node.raw)
            return self._leaf(node)
        parts = tuple(map(self.node, node.parts))
        same = all(after is before for after, before in zip(parts, node.parts, strict=True))
        return node if same else Node(b"", parts)

    def _leaf(self, node: Node) -> Node:
        command = node.command
        if not isinstance(command, AddPiece):
            self._look(command)
            return node
        if command.type.startswith(("stack", "deck")):
            return node
        added = self._piece(command)
        if added is None:
            return node
        made = leaf_of(AddPiece(command.id, *added))
        self.size += len(made.raw) - len(node.raw)
        if self.size > MAX_PAYLOAD:
            raise FormatError(message("vassal.too-long", most=MAX_PAYLOAD), path=self.game.path)
        return made

    def _piece(self, command: AddPiece) -> tuple[str, str] | None:
        """The type and state that a piece comes to have; None where it stays as it is."""
        try:
            old = t.read_piece(command.type, command.state)
        except (TooManyTraits, ValueError):
            self.pieces[PieceChange("", "", "broken")] += 1
            return None
        basic = t.BasicState.decode(old.states[-1])
        name = old.basic.name if old.basic is not None else ""
        shown, number = self.tell(piece_name(old)), self.tell(basic.gpid)
        self._look_at_map(basic.map)
        how, slot = self.catalogue.find(basic.gpid, name)
        if slot is None:
            self.pieces[PieceChange(shown, number, how)] += 1
            return None
        plan = self._plan(command.type, old.traits, slot)
        if any(isinstance(old.traits[at], _HIDING) and _is_hidden(old.states[at]) for at in plan.left):
            self.pieces[PieceChange(shown, number, "hidden")] += 1
            return None
        states: list[str | t.BasicState | None] = []
        changes, losses = list(plan.changes), [one for at in plan.left if (one := self._lost(old, at))]
        for at, trait in enumerate(slot.piece.traits[:-1]):
            state, other = slot.piece.states[at], plan.pairs.get(at)
            if other is None:
                states.append(state)
                continue
            state, told = self._carried(trait, state, old.traits[other], old.states[other])
            states.append(state)
            changes += [one for one in told if one.key.endswith(".value")]
            losses += [one for one in told if not one.key.endswith(".value")]
        states.append(replace(basic, gpid=slot.gpid) if how == "name" and slot.gpid else old.states[-1])
        if how == "number" and slot.piece.traits == old.traits and tuple(states) == old.states:
            self.pieces[PieceChange(shown, number, "same")] += 1
            return None
        self.pieces[PieceChange(shown, number, how, tuple(changes), tuple(losses))] += 1
        return slot.type, t.piece_state(slot.piece.traits, states)

    def _plan(self, type_: str, old: tuple[t.Trait, ...], slot: _Slot) -> _Plan:
        key = type_, slot.gpid, id(slot.piece)
        if key not in self._plans:
            new = slot.piece.traits
            pairs = _pairs(old, new)
            taken = set(pairs.values())
            left = tuple(at for at in range(len(old) - 1) if at not in taken)
            self._plans[key] = _Plan(slot, pairs, left, tuple(self._changes(old, new, pairs, left)))
        return self._plans[key]

    def _changes(
        self, old: Sequence[t.Trait], new: Sequence[t.Trait], pairs: Mapping[int, int], left: Iterable[int]
    ) -> Iterator[Message]:
        for kind, first, second in (
            ("name", getattr(old[-1], "name", ""), getattr(new[-1], "name", "")),
            ("picture", getattr(old[-1], "image", ""), getattr(new[-1], "image", "")),
        ):
            if first != second:
                yield message(f"modulegen.refresh.{kind}", before=self._short(first), after=self._short(second))
        gone, come, other = Counter[type[t.Trait]](), Counter[type[t.Trait]](), 0
        for at in left:
            if _remembers(old[at]):
                yield message("modulegen.refresh.without", trait=self._label(old[at]))
            elif not isinstance(old[at], t.Comment):
                gone[type(old[at])] += 1
        for at, trait in enumerate(new[:-1]):
            if at in pairs and trait == old[pairs[at]]:
                continue
            if _remembers(trait):
                kind = "otherwise" if at in pairs else "with"
                yield message(f"modulegen.refresh.{kind}", trait=self._label(trait))
            elif at in pairs:
                other += 1
            else:
                come[type(trait)] += 1
        # One of a kind that goes while another comes is one that changes.
        both = gone & come
        gone, come, other = gone - both, come - both, other + both.total()
        if gone or come or other:
            yield message("modulegen.refresh.plain", less=gone.total(), more=come.total(), other=other)

    def _carried(self, trait: t.Trait, fresh: str, before: t.Trait, state: str) -> tuple[str, list[Message]]:
        """The state that a trait goes on with, and what is to be said of it."""
        if isinstance(trait, t.Marker) or (isinstance(trait, t.Labeler) and not _is_set(trait.key)):
            # What no play changes is as the module has it now.
            said = message("modulegen.refresh.value", trait=self._label(trait), **self._both(state, fresh))
            return fresh, [said] if fresh != state else []
        if isinstance(trait, t.Layer) and isinstance(before, t.Layer):
            level = t.Layer.level(before, state)
            if abs(level) > len(trait.images):
                said = message(
                    "modulegen.refresh.level", trait=self._label(trait), level=level, of=len(trait.images)
                )
                return state, [said]
        if isinstance(trait, t.FreeRotator) and isinstance(before, t.FreeRotator):
            return self._turned(trait, before, state)
        return state, []

    def _turned(self, trait: t.FreeRotator, before: t.FreeRotator, state: str) -> tuple[str, list[Message]]:
        """A facing among another number of them: the same angle, if there is one."""
        if trait.facings == before.facings:
            return state, []
        try:
            angle = -float(state[:32] or 0) if before.facings == 1 else 360 * int(state[:9] or 0) / before.facings
        except ValueError:
            return trait.state(), []
        if trait.facings == 1:
            return str(float(-angle)), []
        facing = angle * trait.facings / 360
        if facing != round(facing):
            said = message("modulegen.refresh.stood", trait=self._label(before), state=self._short(state))
            return trait.state(), [said]
        return str(round(facing) % trait.facings), []

    def _lost(self, old: t.Piece, at: int) -> Message | None:
        """What a trait that is no more has remembered, where that is anything."""
        trait, state = old.traits[at], old.states[at]
        if state.strip() in {*_IDLE, trait.state()} or isinstance(trait, t.Marker | t.Comment):
            return None
        if isinstance(trait, t.Layer) and (trait.follow or t.Layer.level(trait, state) == 1):
            return None
        if isinstance(trait, t.Labeler) and not _is_set(trait.key):
            return None
        if isinstance(
            trait, (*_HIDING, t.UnknownTrait, t.Footprint, t.Attachment, t.Mat, t.MatCargo, t.SendToLocation)
        ):
            return message("modulegen.refresh.forgets", trait=self._label(trait))
        return message("modulegen.refresh.stood", trait=self._label(trait), state=self._short(state))

    def _look(self, command: Command) -> None:
        """Note what a command speaks of that the module does not have."""
        module = self.catalogue.module
        one: tuple[str, str] | None = None
        match command:
            case SetBoards(map=map_, boards=boards):
                self._look_at_map(map_)
                known = module.map(map_)
                for board in boards if known is not None else ():
                    if known is not None and known.board(board.name) is None:
                        self._note("board", board.name)
            case SetGlobalProperty(name=name, container="") if not any(
                name == known for one in self.catalogue.all for known, _ in one.global_properties
            ):
                one = "property", name
            case SetTurn(tracker=name) if name not in {id_ for id_, _ in module.trackers}:
                one = "turn", name
            case AddPlayer(side=side) if side not in {*module.sides, OBSERVER, ""}:
                one = "side", side
        if one is not None:
            self._note(*one)

    def _look_at_map(self, map_: str | None) -> None:
        if map_ and not any(one.map(map_) for one in self.catalogue.all):
            self._note("map", map_)

    def _note(self, kind: str, name: str) -> None:
        self.absent.setdefault(message(f"modulegen.refresh.absent.{kind}", name=self._short(name)))

    def _label(self, trait: t.Trait) -> str:
        name = next((n for f in ("name", "description", "property_name") if (n := getattr(trait, f, ""))), "")
        if isinstance(trait, t.Marker):
            name = ", ".join(trait.names)
        kind = trait.text.partition(";")[0] if isinstance(trait, t.UnknownTrait) else type(trait).__name__
        return f"{kind} [{self._short(name)}]" if name else self._short(kind)

    def _both(self, before: str, after: str) -> dict[str, str]:
        return {"before": self._short(before), "after": self._short(after)}

    def _short(self, text: str) -> str:
        shown = self.tell(" ".join(text.split()))
        return shown if len(shown) <= _MOST_SHOWN else shown[: _MOST_SHOWN - 1] + "…"


def _remembers(trait: t.Trait) -> bool:
    """Whether a trait keeps anything of a game, or is one that players see."""
    return isinstance(trait, (*_NAMED_BY, *_ALIKE, *_HIDING, t.Marker, t.UnknownTrait)) and not isinstance(
        trait, t.SendToLocation
    )


def _is_hidden(state: str) -> bool:
    return state.partition(";")[0] not in _IDLE


def _is_set(key: t.Key | None) -> bool:
    return key is not None and bool(key.name or key.code)


def refresh(source: Path | bytes, catalogue: Catalogue, *, any_module: bool = False, name: str = "") -> Refreshed:
    """Bring a save, a set-up or a log's beginning up to a module; raises `FormatError` for what is none.

    The actions of a log are left out: each writes states of pieces as they were. Raises HexforgeError for the save
    of a module of another name, unless `any_module` allows it.
    """
    game, module = read_save(source), catalogue.module
    shown = name or (str(source) if isinstance(source, Path) else "")
    if not any_module and game.module is not None and game.module.name not in ("", module.name):
        other = {"name": secrets_of(game).name(game.module.name), "module": module.name}
        raise HexforgeError(message("modulegen.refresh.other-module", path=shown, **other))
    work = _Refresh(game, catalogue)
    root = Node(b"", tuple(map(work.node, game.restore)))
    about = module.metadata or Metadata(module.name, module.version, module.vassal_version)
    saved = game.saved and replace(game.saved, version=module.version)
    data = save_bytes(root, about, saved, format=game.format, key=game.key)
    before = game.module and replace(
        game.module, name=work.tell(game.module.name), version=work.tell(game.module.version)
    )
    return Refreshed(shown, data, before, module, work.pieces, tuple(work.absent), len(game.steps))


def read_catalogue(module: Path, extensions: Sequence[Path] = ()) -> Catalogue:
    """The pieces of a module file and of those of its extensions."""
    return Catalogue(read_module(module), [read_module(path) for path in extensions])


def setups_in(module: Path, catalogue: Catalogue) -> Iterator[tuple[str, bytes]]:
    """The saved games that a module's own set-ups load, by the names of their files."""
    with Archive(module) as archive:
        for name in dict.fromkeys(file for _, file in catalogue.module.setups if file):
            if name in archive:
                yield name, archive.read(name)

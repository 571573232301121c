"""What happened in a log, action by action, in terms of pieces, places, dice and words: for any module.

Nothing here shows a password, nor a piece that `reveal`, the side that reads, may not see.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from html import unescape
from typing import Final, Literal, NamedTuple, NoReturn

from ...scenarios.text.words import message
from .commands import (
    AddPiece,
    AddPlayer,
    ChangePiece,
    ChangeProperty,
    Chat,
    Command,
    DiceResults,
    MovePiece,
    Null,
    RemovePiece,
    RemovePlayer,
    SetGlobalProperty,
    SetTurn,
    Undo,
    Unknown,
)
from .encoding import FormatError
from .inspect import secrets_of
from .position import Player
from .replay import VIEW, LogReplay, PieceView
from .save import Unmarked, may_be_unmarked
from .secrets import HIDDEN, Scrubber, Secret
from .traits import StackState

EventKind = Literal[
    "move", "add", "remove", "change", "chat", "dice", "property", "turn", "undo", "player", "unknown"
]
# VASSAL's names for what it notes of a piece's last move: they say nothing new.
_BOOKKEEPING = re.compile(r"Old[A-Z]\w*|UniqueID|Moved")
# As dice buttons report (*** Name = 5,4 ***, also with a colon), and as the largest family of modules does:
# *** (Name) 5,4 ***. What a player types has his name before it, so that nobody can type a throw.
_RESULT = re.compile(
    r"\*{2,3}\s*(?:\((?P<label>[^()]{1,80})\)|(?P<name>[^=:*<>]{1,80}?)\s*[=:])"
    r"\s*(?P<faces>-?\d[-\d, +]*?)\s*\*{2,3}"
)
# A name may have brackets of its own: `Al > Bo`, `Anna <A>`.
_SPEAKER = re.compile(
    r"<(?P<typed>[^<>]{1,80}(?:[<>][^<>]{0,40}){0,2}?)> - "
    r"|\*{2,3}[^<>]{1,160}<(?P<threw>[^<>]{1,80}(?:<[^<>]{1,40}>|> [^<>]{1,40})?)>"
)
_TAG = re.compile(r"</?(?:b|i|u|br|p|font|span|div|img|a|h\d|html|body|center|table|tr|td)\b[^<>]{0,200}>")
"""HTML as chat lines have it, and no name in angle brackets."""


UNDO: Final = "* UNDO: "
"""What VASSAL puts before a line of the chat that is taken back."""


# Logs hold these by the hundred thousand: a frozen dataclass takes four times as long to make.
class Event(NamedTuple):
    """One thing that happened.

    `piece` is the piece as it was seen when it happened; `before` and `after` are places for a move, values for
    a property, states for a turn. `changes`: properties of a piece with their old and new values. `text`: a chat
    line without its HTML, the name of a die, a property or a tracker. `numbers`: faces of dice; of a random number
    itself and, of one from 0 up to a bound, that bound.
    """

    kind: EventKind
    piece: PieceView | None = None
    before: str | None = None
    after: str | None = None
    text: str = ""
    numbers: tuple[int, ...] = ()
    changes: tuple[tuple[str, str, str], ...] = ()
    pixel_before: tuple[int, int] | None = None
    pixel_after: tuple[int, int] | None = None


class CommandTold(NamedTuple):
    """One command of an action: its kind, the events that tell of it, and the pieces that it is about.

    What several commands did to a piece is told of the first of them.
    """

    kind: str
    events: tuple[Event, ...] = ()
    pieces: tuple[str, ...] = ()


@dataclass(frozen=True)
class Action:
    """One entry of the log. `number` counts from 1. `player`: who did it, as far as the log tells.

    `undoes`: it is the taking back of an earlier action. `done`: the commands that it consists of.
    """

    number: int
    player: str = ""
    side: str = ""
    undoes: bool = False
    events: tuple[Event, ...] = field(default=())
    done: tuple[CommandTold, ...] = field(default=(), repr=False)

    @cached_property
    def chat(self) -> tuple[str, ...]:
        """The lines of the chat."""
        return tuple([e.text for e in self.events if e.kind == "chat"])

    @cached_property
    def takes_back(self) -> bool:
        """Whether it is an undo (some versions of VASSAL log no mark of it, but repeat the chat lines)."""
        return self.undoes or any(text.startswith(UNDO) for text in self.chat)


MAX_LOOKS, LOOKS = 40_000_000, 20
"""Characters of pieces that may be looked at as a log is told: in all, or by the characters of its payload."""
_LOOK: Final = 250
"""What a look at the plainest piece costs, in characters."""
_KEPT: Final = 20_000
_KEPT_TEXT: Final = 500
"""Lines of the chat that are remembered with what they tell, and how long they may be."""
_TALK: Final = frozenset({Chat, Undo, Null, DiceResults, AddPlayer, RemovePlayer, Unknown})
"""Commands that no piece is looked at for."""
_BEGINS: Final = Event("undo", after="begins")
_ENDS: Final = Event("undo", after="ends")


def tell(replay: LogReplay, *, reveal: str | None = None) -> Iterator[Action]:
    """The actions from the replay's step on; the replay stands at its end afterwards.

    Raises `FormatError` for a log that drags more pieces about than can be told: a few bytes can move a stack.
    """
    teller = _Teller(replay, reveal)
    teller.refuse_endless()
    while replay.step < len(replay):
        yield teller.action()


class _Teller:
    def __init__(self, replay: LogReplay, reveal: str | None) -> None:
        self.replay = replay
        self.reveal = reveal
        self.scrub: Scrubber = replay.scrub or replay.hide(secrets_of(replay.game))
        self.looks = max(MAX_LOOKS, LOOKS * replay.game.payload_size)
        self.unmarked = Unmarked(replay.position.turns) if may_be_unmarked(replay.game) else None
        self.roster: tuple[frozenset[str], Mapping[Secret, Player]] | None = None
        self.number = 0
        self.said: dict[str, CommandTold] = {}

    def refuse_endless(self) -> None:
        """Raise FormatError before anything is told, if the stacks that lie there are dragged about too much.

        To move them costs a hundredth of looking at what lies in them; most logs hold none so high that it matters.
        """
        replay, left = self.replay, self.looks
        highest = max((len(c.pieces) for c in replay.position.containers.values() if not c.deck), default=0)
        if highest * (len(replay) - replay.step) * 2 * _LOOK <= left:
            return
        began = replay.step
        while replay.step < len(replay):
            commands = list(replay.steps[replay.step].commands())
            dragged = {i for c in commands if isinstance(c, MovePiece) for i in self._pieces_of(c.id)}
            left -= 2 * _LOOK * len(dragged)
            if left < 0:
                self._refuse(replay.step + 1)
            replay.forward(commands)
        replay.goto(began)

    def _refuse(self, step: int) -> NoReturn:
        raise FormatError(message("vassal.much-moved", step=step), path=self.replay.game.path)

    def action(self) -> Action:
        self.number = number = self.replay.step + 1
        commands = list(self.replay.steps[number - 1].commands())
        kinds = set(map(type, commands))
        done = self._said(commands) if kinds <= _TALK else self._done(commands)
        events = [event for told in done for event in told.events]
        undoes = Undo in kinds and any(isinstance(c, Undo) and c.begins for c in commands)
        undoes = undoes or (self.unmarked is not None and self.unmarked.takes_back(commands))
        player = self._player(commands) if MovePiece in kinds else None
        name, side = (player.name, player.side) if player else (self._speaker(events), "")
        return Action(number, self.scrub(name), self.scrub(side), undoes, tuple(events), tuple(done))

    def _said(self, commands: list[Command]) -> list[CommandTold]:
        """Carry out an action that is about no piece and no property; what it consists of."""
        self._forward(commands)
        return [
            self._line(c) if isinstance(c, Chat) else CommandTold(type(c).__name__, tuple(self._plain(c, {})))
            for c in commands
        ]

    def _forward(self, commands: list[Command]) -> None:
        self.replay.forward(commands)
        if not VIEW.isdisjoint(map(type, commands)):
            self.roster = None

    def _line(self, chat: Chat) -> CommandTold:
        """What a line of the chat tells; dice and players say the same a lot."""
        found = self.said.get(chat.text)
        if found is None:
            found = CommandTold("Chat", tuple(self._chat(chat.text)))
            if len(self.said) < _KEPT and len(chat.text) <= _KEPT_TEXT:
                self.said[chat.text] = found
        return found

    def _done(self, commands: list[Command]) -> list[CommandTold]:
        """Carry out an action; what it consists of, its pieces seen before and after."""
        touched = {i: None for c in commands for i in self._touched(c)}
        before = {i: v for i in touched for v in self._views(i)}
        held = {i: self._pieces_of(i) for i in {c.id for c in commands if isinstance(c, MovePiece | ChangePiece)}}
        properties, turns = self.replay.position.properties, self.replay.position.turns
        old_properties = {k: properties.get(k, "") for c in commands if (k := _property_of(c))}
        known_turns = {c.tracker: turns.get(c.tracker) for c in commands if isinstance(c, SetTurn)}
        self._forward(commands)
        events: list[Event] = []
        seen: set[str] = set()
        done: list[CommandTold] = []
        for command in commands:
            told = len(events)
            match command:
                case MovePiece() | ChangePiece():
                    # A stack that was dragged onto another is no more; what lay in it has moved all the same.
                    events += self._pieces_events((*held[command.id], *self._pieces_of(command.id)), before, seen)
                case AddPiece(type="stack"):
                    events += self._pieces_events(self._touched(command), before, seen)
                case AddPiece(type=type_) if not type_.startswith("deck;"):
                    if command.id in self.replay.position.pieces and command.id not in seen:
                        events.append(self._event("add", self._view(command.id)))
                case RemovePiece() if command.id in before and command.id not in self.replay.position.pieces:
                    events.append(self._event("remove", before[command.id]))
                case SetTurn():
                    old = known_turns.get(command.tracker)
                    scrub = self.scrub
                    old, new = old and scrub(old), scrub(command.state)
                    events.append(Event("turn", text=scrub.name(command.tracker), before=old, after=new))
                case _:
                    events += self._plain(command, old_properties)
            pieces = (*held.get(getattr(command, "id", ""), ()), *self._touched(command))
            done.append(CommandTold(type(command).__name__, tuple(events[told:]), tuple(dict.fromkeys(pieces))))
        return done

    def _touched(self, command: Command) -> tuple[str, ...]:
        """The pieces that a command may take elsewhere or change, as they stand before it."""
        match command:
            case MovePiece():
                return tuple(self._pieces_of(command.id))
            case ChangePiece(id=id_):
                holder = self.replay.position.containers.get(id_)
                if holder is None or holder.deck or id_ in self.replay.position.pieces:
                    return tuple(self._pieces_of(id_))
                # A stack takes in what its new state names, from wherever that lay.
                return (*holder.pieces, *StackState.decode(command.state).pieces)
            case RemovePiece():
                return (command.id,)
            case AddPiece(type="stack"):
                return StackState.decode(command.state).pieces
        return ()

    def _pieces_events(
        self, ids: Iterable[str], before: Mapping[str, PieceView], seen: set[str]
    ) -> Iterator[Event]:
        for piece_id in ids:
            if piece_id not in seen and piece_id in self.replay.position.pieces:
                seen.add(piece_id)
                yield from self._piece_events(before.get(piece_id), piece_id)

    def _views(self, piece_id: str) -> Iterator[PieceView]:
        if piece_id in self.replay.position.pieces:
            yield self._view(piece_id)

    def _view(self, piece_id: str) -> PieceView:
        record = self.replay.position.pieces[piece_id]
        self.looks -= _LOOK + sum(map(len, record.states)) + 20 * len(record.states)
        if self.looks < 0:
            self._refuse(self.number)
        return self.replay.view(piece_id, reveal=self.reveal)

    def _pieces_of(self, command_id: str) -> list[str]:
        if command_id in self.replay.position.pieces:
            return [command_id]
        holder = self.replay.position.containers.get(command_id)
        return list(holder.pieces) if holder and not holder.deck else []

    def _event(self, kind: EventKind, view: PieceView) -> Event:
        return Event(kind, view, after=self._place(view))

    @staticmethod
    def _place(view: PieceView) -> str | None:
        if view.hidden or view.map is None:
            return None
        return view.location or f"{view.map} {view.x},{view.y}"

    def _piece_events(self, old: PieceView | None, piece_id: str) -> list[Event]:
        new = self._view(piece_id)
        if new.hidden or old is None or old.hidden:
            # What becomes visible or invisible is told as a coming or going, without where it was.
            if old is not None and old.hidden != new.hidden:
                return [self._event("add" if old.hidden else "remove", new if old.hidden else old)]
            return []
        events = []
        if (old.map, old.x, old.y) != (new.map, new.x, new.y):
            ends = [(v.x or 0, v.y or 0) for v in (old, new)]
            events.append(
                Event(
                    "move",
                    new,
                    self._place(old),
                    self._place(new),
                    pixel_before=ends[0],
                    pixel_after=ends[1],
                )
            )
        names = [] if old.says_as(new) else sorted({*old.properties, *new.properties})
        changes = tuple(
            (self.scrub(name), old.properties.get(name, ""), new.properties.get(name, ""))
            for name in names
            if old.properties.get(name) != new.properties.get(name) and not _BOOKKEEPING.fullmatch(name)
        )
        if changes and not (old.masked or new.masked):
            events.append(Event("change", new, changes=changes))
        return events

    def _plain(self, command: Command, properties: dict[tuple[str, str], str]) -> Sequence[Event]:
        match command:
            case Chat():
                return self._line(command).events
            case Undo():
                return [_BEGINS if command.begins else _ENDS]
            case ChangeProperty():
                if command.old == command.new:
                    return []
                return [self._property(command.name, command.old, command.new)]
            case SetGlobalProperty():
                old = properties.get((command.container, command.name), "")
                return [self._property(command.name, old, command.value)] if old != command.value else []
            case DiceResults():
                return [Event("dice", text=self.scrub(command.button), numbers=command.faces)]
            case AddPlayer():
                return [Event("player", text=self.scrub(command.name), after=self.scrub(command.side))]
            case RemovePlayer():
                return [Event("player")]
            case Unknown():
                return [Event("unknown", text=HIDDEN if self.scrub.tells(command.prefix) else command.prefix)]
            case _:
                return []

    def _chat(self, line: str) -> list[Event]:
        """A line of the chat, and before it the throw that it reports."""
        text = self.scrub(_shown(line))
        roll = _RESULT.match(text) if text.startswith("**") else None
        if roll:
            faces = tuple(int(n) for n in re.findall(r"-?\d{1,9}", roll["faces"]))
            die = (roll["name"] or roll["label"]).strip()
            return [Event("dice", text=die, numbers=faces), Event("chat", text=text)]
        return [Event("chat", text=text)] if text else []

    def _property(self, name: str, old: str, new: str) -> Event:
        return Event("property", text=self.scrub.name(name), before=self.scrub(old), after=self.scrub(new))

    def _player(self, commands: list[Command]) -> Player | None:
        for command in commands:
            if isinstance(command, MovePiece) and command.player is not None:
                return self._players()[1].get(command.player)
        return None

    def _players(self) -> tuple[frozenset[str], Mapping[Secret, Player]]:
        """The names of the roster, and by id who is who there; an id that two have in common tells of neither."""
        if self.roster is None:
            players = list(self.replay.position.players.values())
            names = {(p.id, p.name) for p in players}
            shared = Counter(id_ for id_, _ in names)
            known = {p.id: p for p in reversed(players) if shared[p.id] == 1}
            self.roster = (frozenset(p.name for p in players), known)
        return self.roster

    def _speaker(self, events: list[Event]) -> str:
        """The player whose name stands in angle brackets in a chat line."""
        names = self._players()[0]
        # A line without such a name tells nothing of who speaks.
        lines = [event.text for event in events if event.kind == "chat" and "<" in event.text]
        for line in lines:
            # The first of them in a line, whole: a name may have brackets, and another in them.
            found = [(at, -len(name), name) for name in names if name and (at := line.find(f"<{name}>")) >= 0]
            if found:
                return min(found)[2]
        # Without a roster: who speaks, or for whom the dice were thrown.
        for line in lines:
            spoken = _SPEAKER.match(line)
            if spoken:
                return spoken["typed"] or spoken["threw"]
        return ""


def _shown(line: str) -> str:
    """A line of the chat without its HTML."""
    text = _TAG.sub("", line) if "<" in line else line
    return (unescape(text) if "&" in text else text).strip()


def is_typed(line: str) -> bool:
    """Whether a line of the chat is what a player typed, and none that a module or a die wrote."""
    spoken = _SPEAKER.match(_shown(line))
    return spoken is not None and spoken["typed"] is not None


def _property_of(command: Command) -> tuple[str, str] | None:
    return (command.container, command.name) if isinstance(command, SetGlobalProperty) else None

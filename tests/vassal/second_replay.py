"""A second replay, written apart from the one of the package: where each piece stands after each step, and no more.

It reads a payload's text with its own few lines and follows `VASSAL.command.MovePiece`, `AddPiece`, `ChangePiece`,
`RemovePiece` and `VASSAL.counters.Stack`, so that an error of one of the two shows as a difference.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

Place = tuple[str, int, int]
NOWHERE: Place = ("null", 0, 0)


def parts_of(text: str, delimiter: str) -> list[str]:
    """The parts of a sequence: a backslash keeps a delimiter, a pair of apostrophes around a part is taken off."""
    found = [p.replace("\\" + delimiter, delimiter) for p in re.split(rf"(?<!\\){re.escape(delimiter)}", text)]
    return [p[1:-1] if len(p) > 1 and p[0] == p[-1] == "'" else p for p in found]


def split(text: str) -> list[str]:
    """A command and what hangs on it, or the entries of the whole payload."""
    pieces, pending = text.split("\x1b"), ""
    found = []
    for piece in pieces[:-1]:
        if piece.endswith("\\"):
            pending += piece[:-1] + "\x1b"
        else:
            found.append(pending + piece)
            pending = ""
    found.append(pending + pieces[-1])
    return [p[1:-1] if len(p) > 1 and p[0] == p[-1] == "'" else p for p in found]


def leaves(text: str) -> Iterator[str]:
    if "\x1b" not in text:
        yield text
        return
    for part in split(text):
        yield from leaves(part)


def number(text: str) -> int:
    return int(text) if re.fullmatch(r"[+-]?\d{1,9}", text) else 0


def basic(state: str) -> Place:
    """The place in the state of a piece, which is its innermost trait's."""
    words = state.rsplit("\t", maxsplit=1)[-1].removeprefix("'").split(";")
    return (words[0], number(words[1]), number(words[2])) if len(words) > 2 else NOWHERE


@dataclass
class Table:
    """Pieces by id with their places; what lies in a stack or deck stands where that stands."""

    places: dict[str, Place] = field(default_factory=dict)
    apart: set[str] = field(default_factory=set)
    home: dict[str, str] = field(default_factory=dict)
    stacks: dict[str, Place] = field(default_factory=dict)
    decks: dict[str, bool] = field(default_factory=dict)
    made: int = 0

    def at(self, piece: str) -> Place:
        return self.stacks[self.home[piece]] if piece in self.home else self.places[piece]

    def members(self, stack: str) -> list[str]:
        return [p for p, home in self.home.items() if home == stack]

    def out(self, piece: str) -> None:
        if piece in self.home:
            self.places[piece] = self.at(piece)
            stack = self.home.pop(piece)
            if stack not in self.decks and stack not in self.home.values():
                del self.stacks[stack]

    def into(self, piece: str, stack: str) -> None:
        if self.home.get(piece) != stack:
            self.out(piece)
            self.home[piece] = stack

    def fill(self, stack: str, place: Place, ids: list[str]) -> None:
        self.stacks[stack] = place
        for piece in set(self.members(stack)) - set(ids):
            self.places[piece] = place
            del self.home[piece]
        for piece in ids:
            if piece in self.places and self.home.get(piece) != stack:
                self.out(piece)
                self.home[piece] = stack
        if stack not in self.decks and not self.members(stack):
            del self.stacks[stack]

    # ----------------------------------------------------------------------------------------- commands

    def do(self, command: str) -> None:
        command = command.removeprefix("LOG\t")
        match command[:2]:
            case "+/":
                words = parts_of(command[2:], "/")
                if len(words) > 2:
                    self.add(*words[:3])
            case "-/":
                self.remove(command[2:])
            case "M/":
                words = parts_of(command[2:], "/")
                if len(words) > 8:
                    self.move(words[0], (words[1], number(words[2]), number(words[3])), words[4])
            case "D/":
                words = parts_of(command[2:], "/")
                if len(words) > 1:
                    self.change(words[0], words[1], words[2] if len(words) > 2 else None)

    def add(self, piece: str, kind: str, state: str) -> None:
        if kind == "stack" or kind.startswith("deck;"):
            if kind != "stack":
                self.decks[piece] = state.split(";")[3:4] == ["true"]
            self.contents(piece, state)
        else:
            self.out(piece)
            self.places[piece] = basic(state)
            self.apart -= {piece}
            alone = re.search(r"immob;[^;\t]*;[^;\t]*;(\w?)", kind)
            if (alone and alone[1] != "L") or "\tmat;" in f"\t{kind}":
                self.apart.add(piece)

    def contents(self, stack: str, state: str) -> None:
        words = parts_of(state, ";")
        place = (words[0], number(words[1]), number(words[2])) if len(words) > 2 else NOWHERE
        if stack in self.decks:
            ids = [p for p in parts_of(words[4], ",") if p] if len(words) > 4 else []
        else:
            ids = [w for w in words[3:] if not w.startswith("@@")]
        self.fill(stack, place, ids)

    def remove(self, piece: str) -> None:
        if piece in self.places:
            self.out(piece)
            del self.places[piece]
        elif piece in self.stacks:
            self.fill(piece, self.stacks[piece], [])
            self.stacks.pop(piece, None)
            self.decks.pop(piece, None)

    def change(self, piece: str, state: str, old: str | None) -> None:
        if piece in self.places:
            if old is None or basic(old) != basic(state):
                if piece in self.home and basic(state)[0] != self.at(piece)[0]:
                    self.out(piece)
                if piece not in self.home:
                    self.places[piece] = basic(state)
        elif piece in self.stacks:
            before = set(parts_of(old, ";")) if old is not None else set()
            come = [p for p in self.members(piece) if old is not None and p not in before]
            self.contents(piece, ";".join([state, *come]))

    def move(self, what: str, place: Place, under: str) -> None:
        if place[0] == "null":
            for piece in (what,) if what in self.places else ():
                self.out(piece)
                self.places[piece] = ("null", *self.places[piece][1:])
            if what in self.stacks:
                self.stacks[what] = place
            return
        whole = self.members(what) if what in self.stacks else [what] if what in self.places else []
        target = self.target(what, place, under)
        if target is not None:
            for piece in whole:
                self.into(piece, target)
        elif what in self.stacks:
            self.stacks[what] = place
        elif what in self.places and self.at(what) != place:
            self.out(what)
            self.places[what] = place

    def target(self, what: str, place: Place, under: str) -> str | None:
        """The stack or deck that a piece or stack comes to lie in."""
        if under in self.places and (self.at(under) == place or what in self.stacks):
            if under not in self.home and what in self.places and under != what:
                # A piece may leave the stack that was made around it, and others stay in that.
                self.made += 1
                self.stacks[f"made {self.made}"] = place
                self.home[under] = f"made {self.made}"
            return self.home.get(under)
        if under in self.stacks and under != what:
            return under
        stacking = what not in self.apart
        here = [s for s, p in self.stacks.items() if p == place and s != what and (stacking or s in self.decks)]
        return next((s for s in here if self.members(s) != [what]), None)


def moves(payload: bytes) -> dict[int, set[tuple[str, Place, Place]]]:
    """For each step the pieces that stand elsewhere after it, with both places."""
    table, step = Table(), 0
    found: dict[int, set[tuple[str, Place, Place]]] = {}
    for entry in split(payload.decode("utf-8", "surrogateescape")):
        commands = list(leaves(entry))
        logged = commands[0].startswith("LOG\t")
        before = {p: table.at(p) for p in table.places} if logged else {}
        for command in commands:
            table.do(command)
        if logged:
            step += 1
            after = {p: table.at(p) for p in table.places}
            found[step] = {(p, old, after[p]) for p, old in before.items() if after.get(p, old) != old}
    return found

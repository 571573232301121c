"""Sealed throws: dice that nobody can foresee, choose or repeat, and for which nobody need be trusted.

Each player makes a chain of hashes once and says its end, the anchor, before anything is thrown. Who throws asks
for it (`roll sealed`); the other player opens the next link of his chain (`open bruno 17 …`), and the dice follow
from the link and from all that was said up to the throw. Who asks does not know the link, who opens cannot change
it, and anybody can work out the same dice again.

The text that is thrown for is no text but the statements: remarks, blanks, languages and the order of optional
parts say nothing. What only heads a sheet (who plays, rulings, the links themselves) is left out, and so is what
follows in a combat from a throw that is opened by the same link: it may be written below the throw, or later.
"""

from __future__ import annotations

import dataclasses
import hashlib
import hmac
import json
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from ...scenarios.model import Scenario
from ...scenarios.schema.results import Dice
from ...scenarios.text.words import Param
from ..notation import base, statements_head
from ..notation import statements as st
from ..notation.kinds import ASKED
from ..notation.vocabulary import vocabulary_of
from ..notation.words import fold
from .findings import Finding, Severity, doubt, find

LINK: Final = 16
"""Bytes of a link: nobody finds one that leads to an anchor, nor two that lead to the same."""
CHECK: Final = 8
"""Bytes of what says for which text a link was given: without the link nobody can look for another text."""
LONGEST: Final = 10_000
"""Links of a chain."""
_TRIES: Final = 200
"""Throws up to which a link may have been given, of all links of a sheet that is not in order."""
_STEPS: Final = 10 * LONGEST
"""Links that are gone through in a sheet: more than any honest one has."""
_DIE: Final = Dice(1, 6)
_THROWS: Final = (
    st.AirRoll, st.WeatherRoll, st.OrderRoll, st.Rally, st.Attrition, st.ArrivalRoll, st.ClearTrail,
    st.Roll, st.LossRoll, st.MoraleRoll,
)  # fmt: skip
"""The statements that tell of dice."""
_FOLLOWS: Final = (st.Result, st.Lose, st.Eliminate, st.Retreat, st.RetreatOf, st.Advance)
"""What of a combat can be told only once its dice are known."""
_TAKES_PART: Final = (
    st.Attack, st.Support, st.Guard, st.GuardAir, st.AirSupport, st.Use, st.Share, st.Reveal,
)  # fmt: skip
"""What has to be said before dice are thrown, lest it be chosen by them."""
_UNCOUNTED: Final = (
    base.Ruling,
    st.Open,
    statements_head.SheetVersion,
    statements_head.GameName,
    statements_head.Players,
    statements_head.Partial,
)
"""What two copies of the same game may have otherwise, or another hand adds."""


def below(link: str) -> str:
    """The link that follows from another one, which nobody finds from it; that below all is the anchor."""
    return hashlib.sha256(b"hexforge link " + bytes.fromhex(link)).digest()[:LINK].hex()


def check_of(link: str, text: bytes) -> str:
    """What says that a link was given for a text."""
    return hmac.digest(bytes.fromhex(link), b"text " + text, "sha256")[:CHECK].hex()


def faces_of(link: str, text: bytes, number: int, dice: Dice) -> tuple[int, ...]:
    """What dice show in the throw of a number, the first being 1, of those that a link opens for a text.

    A byte that would make some faces likelier than others is passed over.
    """
    found: list[int] = []
    block = 0
    while len(found) < dice.count:
        drawn = hmac.digest(bytes.fromhex(link), b"dice %d %d " % (number, block) + text, "sha256")
        found += [1 + byte % dice.faces for byte in drawn if byte < 256 - 256 % dice.faces]
        block += 1
    return tuple(found[: dice.count])


# ------------------------------------------------------------------------------------------------ throws


def told(statement: base.Statement) -> tuple[int, ...]:
    """The faces that a statement tells; `ASKED` alone for a throw that is asked for, none for what tells none."""
    if not isinstance(statement, _THROWS):
        return ()
    value = statement.roll if isinstance(statement, st.AirRoll | st.ClearTrail) else statement.faces
    return (value,) if isinstance(value, int) else value or ()


def thrown(statement: base.Statement, faces: tuple[int, ...]) -> base.Statement:
    """A statement with the faces that it tells."""
    changed: Any = {"roll": faces[0]} if isinstance(statement, st.AirRoll | st.ClearTrail) else {"faces": faces}
    return replace(statement, **changed)


def dice_of(statement: base.Statement, scenario: Scenario, of: st.Engagement | None = None) -> Dice | None:
    """The dice that the game throws for a statement; None where it throws none, or not always the same.

    `of` is the combat, bombardment or air strike that it stands in.
    """
    found = {Dice.of(text) for text in _texts(statement, scenario, of) if text}
    return found.pop() if len(found) == 1 else None


def _texts(statement: base.Statement, scenario: Scenario, of: st.Engagement | None) -> Iterator[str | None]:
    game, tables = scenario.game, scenario.tables
    demands = [demand for code in tables.results.values() for demand in (code.attacker, code.defender)]
    match statement:
        case st.AirRoll() | st.ClearTrail():
            yield str(_DIE)
        case st.WeatherRoll():
            yield game.weather_die.dice if game.weather_die else None
        case st.OrderRoll():
            yield game.order_die.dice if game.order_die else None
        case st.ArrivalRoll(units=units):
            lines = (line for line in scenario.setup.reinforcements if not set(units).isdisjoint(line.units))
            yield from (line.die.dice for line in lines if line.die)
        case st.Rally(mark=mark):
            marks = (rule for rule in game.rules.marks if mark in ("", rule.mark))
            yield from (rule.rally.dice for rule in marks if rule.rally)
        case st.Attrition():
            yield from (rule.steps.dice for rule in game.rules.attrition)
        case st.Roll():
            by_odds = isinstance(of, st.Bombard) and game.rules.combat.shape.guns_alone == "odds"
            fires = isinstance(of, st.Bombard | st.AirStrike) and not by_odds
            table = (tables.bombardment if fires else None) or tables.crt
            yield table.dice
        case st.LossRoll(role=role):
            every = (getattr(code, role) for code in tables.results.values())
            losses = (loss for demand in every for loss in (demand.steps, demand.units))
            yield from (loss.dice for loss in losses if loss)
        case st.MoraleRoll():
            yield from (demand.morale.dice for demand in demands if demand.morale)


# ---------------------------------------------------------------------------------------------- the sheet


@dataclass(frozen=True, slots=True)
class Chain:
    """A player's chain as a sheet knows it: the link opened last and its number, the anchor and 0 before the first.

    `check` is what the last line said of its text, `place` where in the sheet it was sealed, -1 before it begins.
    """

    player: str
    anchor: str
    length: int
    number: int
    link: str
    check: str = ""
    place: int = -1


@dataclass(frozen=True)
class Seals:
    """The chains in force by their players' names, those that were given up, and which side a name plays."""

    chains: Mapping[str, Chain] = field(default_factory=dict)
    former: Mapping[tuple[str, str], Chain] = field(default_factory=dict)
    sides: Mapping[str, str] = field(default_factory=dict)

    @property
    def later(self) -> Seals:
        """The same for a sheet that goes on from here."""
        return replace(self, chains={name: replace(chain, place=-1) for name, chain in self.chains.items()})

    def lines(self) -> list[base.Statement]:
        """The lines by which another sheet says how far the chains are opened."""
        found: list[base.Statement] = []
        for chain in self.chains.values():
            found.append(st.Seal(0, chain.player, chain.anchor, chain.length))
            if chain.number:
                found.append(st.Open(0, chain.player, chain.number, chain.link, chain.check))
        return found


@dataclass(frozen=True, slots=True)
class Sealed:
    """A throw that was asked for. `faces` are what follows, none as long as `link` is 0: nobody has opened it.

    `otherwise` are faces that the sheet tells in their place, and goes on from.
    """

    line: int
    what: base.Statement
    dice: Dice
    faces: tuple[int, ...] = ()
    player: str = ""
    link: int = 0
    otherwise: tuple[int, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The throw for scripts."""
        return {
            "line": self.line,
            "throw": " ".join(base.WORDS[type(self.what)]),
            "dice": str(self.dice),
            "faces": list(self.faces),
            "player": self.player or None,
            "link": self.link or None,
            **({"told": list(self.otherwise)} if self.otherwise else {}),
        }


@dataclass(frozen=True)
class Opened:
    """What sealed throws make of a sheet. `text` is that for which the next link is given, `waiting` its throws.

    `changed` are the statements that are played otherwise than they stand, by their identity; None: not at all.
    `by_whom`: whose throws wait. `waits` are the lines of the statements that are not over, for a throw of theirs
    waits, or was opened by the last line of the sheet; `given` are the lines that open throws, with the right link,
    `again` those that only tell what a sealed throw shows.
    """

    findings: tuple[Finding, ...] = ()
    throws: tuple[Sealed, ...] = ()
    seals: Seals = field(default_factory=Seals)
    changed: Mapping[int, base.Statement | None] = field(default_factory=dict)
    text: bytes = b""
    waiting: tuple[Sealed, ...] = ()
    by_whom: str = ""
    waits: frozenset[int] = frozenset()
    given: tuple[st.Open, ...] = ()
    again: frozenset[int] = frozenset()

    def links(self, player: str) -> list[tuple[int, str]]:
        """The links of a player that the sheet shows, each with what it says of its text."""
        return [(s.number, s.check) for s in self.given if fold(s.player) == fold(player)]

    def played(self, sheet: st.Sheet) -> st.Sheet:
        """The sheet with the faces of the throws that are open, and without those that wait."""
        if not self.changed:
            return sheet
        found = (self.changed.get(id(s), s) for s in sheet.statements)
        return replace(sheet, statements=tuple(s for s in found if s is not None))

    def unsure(self, findings: Iterable[Finding]) -> tuple[Finding, ...]:
        """Findings, of which those below a throw that waits rest on it."""
        if not self.waiting:
            return tuple(findings)
        first = min(throw.line for throw in self.waiting)
        why = doubt("sealed", line=first)
        return tuple(
            replace(f, severity="doubtful", rests_on=(*f.rests_on, why))
            if f.severity == "illegal" and f.line > first
            else f
            for f in findings
        )

    def opener(self) -> Chain | None:
        """Whose next link opens the throws that wait; None where that is nobody's, or one of several players'."""
        asker = self.by_whom
        found = [
            c
            for name, c in self.seals.chains.items()
            if c.number < c.length and (not asker or self.seals.sides.get(name, "") != asker)
        ]
        return found[0] if len(found) == 1 else None

    def answered(
        self, chain: Chain, link: str, line: int = 0
    ) -> tuple[st.Open, list[tuple[Sealed, base.Statement]]]:
        """The line that opens the throws that wait, and what each then says."""
        opens = st.Open(line, chain.player, chain.number + 1, link, check_of(link, self.text))
        thrown_ = enumerate(self.waiting, 1)
        return opens, [(s, thrown(s.what, faces_of(link, self.text, n, s.dice))) for n, s in thrown_]


@dataclass(frozen=True, slots=True)
class _Item:
    """A statement, or an act of one: `of` is the combat's place among the statements, `side` whose phase it is."""

    statement: base.Statement
    of: int
    act: int
    phase: int
    side: str

    @property
    def asks(self) -> bool:
        return ASKED in told(self.statement)


def opened(
    sheet: st.Sheet, scenario: Scenario, before: Seals | None = None, players: Mapping[str, str] | None = None
) -> Opened:
    """What sealed throws make of a sheet, `before` being what it goes on from; `players` are more names by side."""
    before = before.later if before else Seals()
    items = list(_items(sheet))
    if not (before.chains or any(isinstance(i.statement, st.Seal | st.Open) or i.asks for i in items)):
        return Opened()
    return _Reading(sheet, scenario, items, before, players or {}).read()


def unsealed(sheet: st.Sheet, found: Opened) -> list[int]:
    """The lines of a sheet that tell of dice which nobody sealed."""
    thrown_ = (item.statement for item in _items(sheet) if told(item.statement) and not item.asks)
    return [s.line for s in thrown_ if s.line not in found.again]


def _items(sheet: st.Sheet) -> Iterator[_Item]:
    phase, side = 0, ""
    for number, statement in enumerate(sheet.statements):
        if isinstance(statement, st.TurnStart):
            phase, side = phase + 1, statement.side
        yield _Item(statement, number, -1, phase, side)
        for i, act in enumerate(statement.acts if isinstance(statement, st.Engagement) else ()):
            yield _Item(act, number, i, phase, side)


def _line(statement: base.Statement) -> bytes:
    """A statement as it counts: its words and what it says, whatever it is written like."""
    if isinstance(statement, _UNCOUNTED):
        return b""
    fields = [f for f in dataclasses.fields(statement) if f.name not in ("line", "acts")]
    said = {f.name: v for f in fields if (v := getattr(statement, f.name)) != f.default}
    words = " ".join(base.WORDS[type(statement)])
    return json.dumps([words, said], sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


class _Reading:
    """A sheet as it is gone through."""

    def __init__(
        self,
        sheet: st.Sheet,
        scenario: Scenario,
        items: list[_Item],
        before: Seals,
        players: Mapping[str, str],
    ) -> None:
        self.sheet, self.scenario, self.items = sheet, scenario, items
        self.chains, self.former = dict(before.chains), dict(before.former)
        self.sides = dict(before.sides) | dict(self._named(players))
        self.own = frozenset(side.id for side in scenario.game.sides)
        self.found: list[Finding] = []
        self.given: list[st.Open] = []
        self.texts = [_line(item.statement) for item in items]
        self.asks = [i for i, item in enumerate(items) if item.asks]
        self.throws: dict[int, Sealed] = {}
        self.restated = dict(self._restated())
        self.again = frozenset(self.restated.values())
        self.tries, self.steps = _TRIES, _STEPS
        self.pending: list[int] = []
        self.base, self.based = hashlib.sha256(f"hexforge sealed 1 {scenario.name}\n".encode()), 0

    def _named(self, players: Mapping[str, str]) -> Iterator[tuple[str, str]]:
        """Which side each name plays: that of a player, or of the side itself in any language."""
        said = (s for s in self.sheet.statements if isinstance(s, statements_head.Players))
        pairs = [*players.items(), *(pair for s in said for pair in s.names)]
        yield from ((fold(name), side) for side, name in pairs)

    def _side(self, player: str) -> str:
        """The side that a name plays; "" where nobody says."""
        named = vocabulary_of(self.scenario).meaning("sides", fold(player))
        return self.sides.get(fold(player)) or (named if named in self.own else None) or ""

    def _restated(self) -> Iterator[tuple[int, int]]:
        """The place of what tells the dice of a throw that was asked for, by that of the throw."""
        waiting: dict[object, list[int]] = {}
        for i, item in enumerate(self.items):
            faces = told(item.statement)
            if not faces:
                continue
            bare = replace(thrown(item.statement, (ASKED,)), line=0)
            asked = waiting.setdefault((item.of if item.act >= 0 else -item.phase - 1, bare), [])
            if item.asks:
                asked.append(i)
            elif asked:
                yield asked.pop(0), i

    # -------------------------------------------------------------------------------------------- text

    def _text(self, cut: int, pending: Sequence[int]) -> bytes:
        """The digest of all that was said up to a place, with `pending` asked for and not opened."""
        digest = self.base.copy()
        fights = {self.items[i].of: i for i in reversed(pending)}
        for i in range(self.based, cut + 1):
            item = self.items[i]
            follows = isinstance(item.statement, _FOLLOWS) and fights.get(item.of, i) < i
            if i not in self.again and not follows:
                digest.update(self.texts[i])
        return digest.digest()

    def _settle(self, upto: int) -> None:
        """What stands before a place counts from now on as it stands."""
        for i in range(self.based, upto):
            if i not in self.again:
                self.base.update(self.texts[i])
        self.based = max(self.based, upto)

    # ----------------------------------------------------------------------------------------- reading

    def read(self) -> Opened:
        """Go through all of it."""
        fights: set[int] = set()
        for i, item in enumerate(self.items):
            match item.statement:
                case st.Seal():
                    self._seal(i, item.statement)
                case st.Open():
                    self._open(i, item.statement)
                case st.Roll() if item.asks and item.of in fights:
                    self.found.append(find(item.statement.line, "sealed-twice", ""))
            if item.asks and isinstance(item.statement, st.Roll):
                fights.add(item.of)
            if item.asks and i not in self.throws:
                self._ask(i, item)
        return self._told()

    def _ask(self, i: int, item: _Item) -> None:
        fight = self.sheet.statements[item.of]
        dice = dice_of(item.statement, self.scenario, fight if isinstance(fight, st.Engagement) else None)
        if dice is None:
            self.found.append(find(item.statement.line, "sealed-none", "", severity="unread"))
            return
        self.throws[i] = Sealed(item.statement.line, item.statement, dice)
        self.pending.append(i)

    def _seal(self, i: int, seal: st.Seal) -> None:
        name = fold(seal.player)
        if seal.length is None:
            return
        if not 1 <= seal.length <= LONGEST or len(seal.anchor) != 2 * LINK:
            self.found.append(find(seal.line, "sealed-anchor", "", severity="unread", most=LONGEST))
            return
        old = self.chains.get(name)
        if old is not None and old.anchor == seal.anchor:
            return  # a head that is said again
        known = self.former.get((name, seal.anchor))
        if old is not None:
            self.former[name, old.anchor] = old
            if old.number < old.length:
                self.found.append(find(seal.line, "sealed-new", "", severity="warning", player=seal.player))
        self.chains[name] = known or Chain(seal.player, seal.anchor, seal.length, 0, seal.anchor, "", i)

    def _open(self, i: int, opens: st.Open) -> None:
        chain = self.chains.get(fold(opens.player))
        if chain is None:
            self._note(opens, "sealed-nobody", severity="doubtful")
            return
        if not self._leads(chain, opens, begins=not self.items[i].phase):
            return
        self.given.append(opens)
        self.chains[fold(opens.player)] = replace(chain, number=opens.number, link=opens.link, check=opens.check)
        cut = self._cut(i, opens)
        if cut is None:
            if self.items[i].phase:
                self._note(opens, "sealed-idle", severity="warning")
            return
        self._fits(chain, opens, cut)
        covered = [*self.pending, *(a for a in self.asks if a > i)]
        covered = covered[: bisect_right(covered, cut)]
        text = self._text(cut, covered)
        for number, ask in enumerate(covered, 1):
            if ask not in self.throws:
                self._ask(ask, self.items[ask])
            if (throw := self.throws.get(ask)) is not None:
                faces = faces_of(opens.link, text, number, throw.dice)
                self.throws[ask] = replace(throw, faces=faces, player=chain.player, link=opens.number)
        self.pending = [a for a in self.pending if a not in covered]
        self._settle(self.pending[0] if self.pending else i)

    def _leads(self, chain: Chain, opens: st.Open, *, begins: bool) -> bool:
        """Whether a link is of the chain, and is none that was opened before; what is wrong with it is noted.

        `begins`: the line stands above the first turn, and says how far the chain is opened.
        """
        link, wanted, steps = opens.link, chain.link, opens.number - chain.number
        if steps <= 0:
            same = steps == 0 and link == chain.link and not self.pending
            if not (same and begins):
                severity: Severity = "warning" if same else "illegal"
                self._note(opens, "sealed-again", severity=severity)
            return False
        self.steps -= steps
        if opens.number <= chain.length and len(link) == 2 * LINK and self.steps >= 0:
            for _ in range(steps):
                link = below(link)
        if link != wanted or opens.number > chain.length:
            self._note(opens, "sealed-chain")
            return False
        if steps > 1 and self.pending:
            midway = not chain.number and any(
                isinstance(s, statements_head.PositionStart) for s in self.sheet.statements
            )
            severity = "doubtful" if midway else "illegal"
            self._note(opens, "sealed-skipped", severity=severity, wanted=chain.number + 1)
        return True

    def _note(self, opens: st.Open, key: str, severity: Severity | None = None, **values: Param) -> None:
        said: dict[str, Any] = {"player": opens.player, "link": opens.number, **values}
        self.found.append(find(opens.line, key, "", severity=severity, **said))

    def _cut(self, i: int, opens: st.Open) -> int | None:
        """The last throw that a line opens, by what it says of the text; that above it if the text is another."""
        later = [a for a in self.asks if a > i]
        every = [*self.pending, *later]
        first = self.pending[-1:]
        for cut in (*first, *(a for a in every if a not in first)):
            if self.tries <= 0:
                break
            self.tries -= cut not in first
            if check_of(opens.link, self._text(cut, every[: bisect_right(every, cut)])) == opens.check:
                return cut
        if not first:
            return None
        unread = any(problem.line <= self.items[first[0]].statement.line for problem in self.sheet.problems)
        severity: Severity = "doubtful" if unread else "illegal"
        self._note(opens, "sealed-changed", severity=severity)
        return first[0]

    def _fits(self, chain: Chain, opens: st.Open, cut: int) -> None:
        """Note what is wrong with who opens a throw, and with when he sealed."""
        asker, side = self._asker(cut), self._side(opens.player)
        if not side:
            self._note(opens, "sealed-whose", severity="doubtful")
        elif side == asker:
            self._note(opens, "sealed-own")
        first = self.pending[0] if self.pending else cut
        if chain.place > first:
            line = self.items[first].statement.line
            self._note(opens, "sealed-late", above=line)

    def _asker(self, at: int) -> str:
        """The side that asks for a throw: whose phase it is, or was last."""
        sides = (self.items[i].side for i in range(at, -1, -1))
        return next((side for side in sides if side in self.own), "")

    # ------------------------------------------------------------------------------------- what is told

    def _told(self) -> Opened:
        out: dict[int, tuple[int, ...] | None] = {}
        waiting: list[int] = []
        for i, throw in list(self.throws.items()):
            again = self.restated.get(i)
            faces = told(self.items[again].statement) if again is not None else ()
            if again is not None:
                out[again] = None
                self.throws[i] = self._compare(throw, faces, self.items[again].statement.line)
            elif not throw.link:
                waiting.append(i)
            out[i] = faces or throw.faces or None
        out |= {i: None for i in self.asks if i not in out}
        out |= {i: None for i, item in enumerate(self.items) if isinstance(item.statement, st.Open)}
        self._order(waiting)
        fresh = list(self._fresh())
        for i in fresh:
            faces_ = " ".join(map(str, self.throws[i].faces))
            self.found.append(find(self.throws[i].line, "sealed-opened", "", severity="info", faces=faces_))
        asker = self._asker(self.pending[-1]) if self.pending else ""
        sides = {name: self._side(chain.player) for name, chain in self.chains.items()}
        seals = Seals(self.chains, self.former, {**sides, **self.sides})
        found = Opened(
            throws=tuple(self.throws[i] for i in sorted(self.throws)),
            seals=seals,
            changed=self._changed(out),
            text=self._text(self.pending[-1], self.pending) if self.pending else b"",
            waiting=tuple(self.throws[i] for i in self.pending),
            by_whom=asker,
            waits=frozenset(self.sheet.statements[self.items[i].of].line for i in (*self.pending, *fresh)),
            given=tuple(self.given),
            again=frozenset(self.items[i].statement.line for i in self.again),
        )
        if found.waiting:
            self.found += self._waits(found)
        return replace(found, findings=tuple(self.found))

    def _fresh(self) -> Iterator[int]:
        """The throws that the last line of the sheet opens: what follows from them is still to be told."""
        last, number = "", 0
        for i in range(len(self.items) - 1, -1, -1):
            s = self.items[i].statement
            if isinstance(s, st.Open):
                last, number = fold(s.player), s.number
                break
            if i not in self.again and not isinstance(s, base.Ruling | st.Seal):
                return
        fresh = [i for i, t in self.throws.items() if t.link == number and fold(t.player) == last and last]
        fights = {self.items[i].of for i in fresh}
        # Where some of it is told, above the line, all of it is.
        if not any(item.of in fights and isinstance(item.statement, _FOLLOWS) for item in self.items):
            yield from fresh

    def _compare(self, throw: Sealed, faces: tuple[int, ...], line: int) -> Sealed:
        """A throw whose dice are told; noted if they are told otherwise than they follow, or before they do."""
        declared, computed = (" ".join(map(str, one)) for one in (faces, throw.faces))
        same = sorted(faces) == sorted(throw.faces) if not throw.dice.tens else faces == throw.faces
        if not throw.link:
            self.found.append(find(line, "sealed-told", "", severity="doubtful", faces=declared))
        elif not same:
            self.found.append(find(line, "sealed-dice", "", declared=declared, computed=computed))
        return throw if same else replace(throw, otherwise=faces)

    def _order(self, waiting: Sequence[int]) -> None:
        """Note what stands behind a throw that has to be said before it, or cannot be known yet."""
        thrown_ = {self.items[i].of: i for i in reversed(self.asks) if isinstance(self.items[i].statement, st.Roll)}
        waits = {self.items[i].of: i for i in waiting if i in thrown_.values()}
        early: set[int] = set()
        for i, item in enumerate(self.items):
            line, of = item.statement.line, item.of
            if isinstance(item.statement, _TAKES_PART) and thrown_.get(of, i) < i:
                self.found.append(find(line, "sealed-behind", ""))
            if isinstance(item.statement, _FOLLOWS) and waits.get(of, i) < i and of not in early:
                early.add(of)
                self.found.append(find(line, "sealed-early", "", severity="doubtful"))
            if isinstance(item.statement, st.TurnStart) and waiting and waiting[0] < i and -1 not in early:
                early.add(-1)
                above = self.items[waiting[0]].statement.line
                self.found.append(find(line, "sealed-passed", "", severity="doubtful", above=above))

    def _waits(self, found: Opened) -> Iterator[Finding]:
        """Who has to open what was asked for."""
        by = found.opener()
        for throw in found.waiting:
            if by is None:
                yield find(throw.line, "sealed-waiting-seal", "", severity="warning")
            else:
                yield find(throw.line, "sealed-waiting", "", severity="info", player=by.player, link=by.number + 1)

    def _changed(self, out: Mapping[int, tuple[int, ...] | None]) -> dict[int, base.Statement | None]:
        """The statements that are played otherwise than they stand."""
        found: dict[int, base.Statement | None] = {}
        acts: dict[int, dict[int, base.Statement | None]] = {}
        for i, item in enumerate(self.items):
            if i in out:
                faces = out[i]
                new = thrown(item.statement, faces) if faces is not None else None
                if item.act < 0:
                    found[id(item.statement)] = new
                else:
                    acts.setdefault(item.of, {})[item.act] = new
        for of, by_place in acts.items():
            fight = self.sheet.statements[of]
            assert isinstance(fight, st.Engagement)
            kept = (by_place.get(n, act) for n, act in enumerate(fight.acts))
            changed: Any = {"acts": tuple(act for act in kept if act is not None)}
            found[id(fight)] = replace(fight, **changed)
        return found

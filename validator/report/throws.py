"""Throws of dice with both faces, who threw, when and what for: out of logs of any module, and out of sheets."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from ...modulegen.vassal.module import DiceShown
from ..notation import statements
from ..rules.combat.tables import column_index, modified, result

if TYPE_CHECKING:
    from ...modulegen.vassal.module import Module
    from ...modulegen.vassal.story import Event
    from ...scenarios.schema.tables import ResultTable
    from ..judging.answer import Answer
    from ..logs.chain import Chain
    from ..logs.legs import ActionTold, LogRead
    from ..rules.withdrawal import ActionRecord


_NAMED: Final = re.compile(r"(?i)(?<![a-z0-9])(\d{0,3}) ?[dw] ?(\d{1,4})(?![0-9])")
"""A button that says in its name what it throws: `2d6`, `d10`, `W6` as in German modules."""
_USUAL: Final = (6, 8, 10, 12, 20, 100)
"""Dice that there are, for buttons that do not say which they throw."""
MOST_SIDES: Final = 1000
_PLAIN: Final = 6
How: TypeAlias = Literal["typed", "log", "sealed"]
_COUNTS_FROM_0: Final = 10
"""A die of so many sides shows 0 for the highest of them, where its button says what it throws."""


@dataclass(frozen=True, slots=True)
class Throw:
    """One throw. `faces` as they were shown, of dice with `sides` sides; 0: it is not known what was thrown.

    `button` is the dice button's name, or what the sheet calls the throw; `purpose` what it was for, "" if nobody
    knows. `log` and `place`: the log and the step, or a line of the sheet. `undone`: it was taken back. `how`:
    whether it was typed and has to be believed, thrown in a log, or sealed.
    """

    faces: tuple[int, ...]
    sides: int
    player: str = ""
    side: str = ""
    button: str = ""
    turn: int = 0
    phase: str = ""
    purpose: str = ""
    game: str = ""
    round: str = ""
    log: str = ""
    place: int = 0
    undone: bool = False
    how: How = "typed"

    def as_json(self) -> dict[str, Any]:
        """The throw for scripts."""
        return {
            "faces": list(self.faces),
            "sides": self.sides or None,
            "player": self.player or None,
            "side": self.side or None,
            "button": self.button,
            "turn": self.turn or None,
            "phase": self.phase or None,
            "purpose": self.purpose or None,
            "game": self.game,
            "round": self.round or None,
            "log": self.log or None,
            "step" if self.log else "line": self.place,
            "undone": self.undone,
            "how": self.how,
        }


@dataclass(frozen=True, slots=True)
class RolledAttack:
    """An attack whose column and dice are known: what the table could have given, and what it gave.

    Of `throws` equally likely throws `hits` cost the defender steps or units; `hit`: this one did. `luck` is the
    share of throws that would have given the attacker less, those that give the same counted half, in
    1/(2 `throws`); `levels` are all that it could have been, each with the throws that give it.
    """

    player: str
    side: str
    game: str
    round: str
    turn: int
    throws: int
    luck: int
    levels: tuple[tuple[int, int], ...]
    hits: int
    hit: bool


def throws_of(answer: Answer, chain: Chain | None, *, game: str, round_: str = "") -> Iterator[Throw]:
    """The throws of a game, in order. `chain`: the logs that it was played in, whatever their module."""
    if chain is None:
        for action in answer.actions:
            if action.dice:
                yield _acted(action, answer, game, round_)
        return
    known = {place: action for action in answer.actions for place in _places(action, answer)}
    for log in chain.logs:
        sides = _sides(log, chain.module)
        for told in log.told:
            if told.action.takes_back:
                continue
            acted = known.get((told.origin.log, told.origin.step))
            for thrown in _thrown(told, sides):
                yield _joined(replace(thrown, game=game, round=round_, log=log.name), acted, answer)


def _acted(action: ActionRecord, answer: Answer, game: str, round_: str) -> Throw:
    player = answer.players.get(action.side, "")
    return Throw(
        action.dice, _sides_of(action, answer), player, action.side, action.kind, action.turn, action.phase,
        action.kind, game, round_, "", action.line, how=_how(action, answer),
    )  # fmt: skip


def _how(action: ActionRecord, answer: Answer) -> How:
    """Whether a throw was sealed, and is what follows from it."""
    of = action.statement
    lines = (
        {act.line for act in of.acts if isinstance(act, statements.Roll)}
        if isinstance(of, statements.Engagement)
        else {of.line}
    )
    return "sealed" if lines <= {t.line for t in answer.sealed if t.link and not t.otherwise} else "typed"


def _sides_of(action: ActionRecord, answer: Answer) -> int:
    table = _table(action.kind, answer)
    sides = table.thrown.faces if table is not None else _PLAIN
    return sides if all(1 <= face <= sides for face in action.dice) else 0


def _table(kind: str, answer: Answer) -> ResultTable | None:
    if answer.scenario is None or not answer.scenario.has_map:
        return None
    tables = answer.scenario.tables
    return tables.crt if kind == "combat" else tables.bombardment if kind in ("bombard", "airstrike") else None


def _places(action: ActionRecord, answer: Answer) -> Iterator[tuple[str, int]]:
    """The steps of logs in which an action's dice were thrown."""
    statement = action.statement
    acts = statement.acts if isinstance(statement, statements.Engagement) else ()
    for line in [act.line for act in acts if isinstance(act, statements.Roll)] or [statement.line]:
        if action.dice and line in answer.steps:
            yield answer.steps[line]


def _sides(log: LogRead, module: Module | None) -> Mapping[str, DiceShown]:
    """The dice of each button: as the module has it, else of as many sides as its name says or its highest face.

    Of symbolic dice without their module, of dice that count from 0, and of those whose highest face is that of no
    die that there is, nothing is known.
    """
    from ..logs.chain import dice_of

    most: dict[str, int] = defaultdict(int)
    odd: set[str] = set()
    for told in log.told:
        for event in dice_of(told.action):
            most[event.text] = max(most[event.text], *event.numbers)
            if min(event.numbers) < 1:
                odd.add(event.text)
        odd |= {event.text for event in _symbols(told)}
    known = {name: dice for dice in (module.shown if module is not None else ()) for name in dice.names if name}
    found = {}
    for name, top in most.items():
        said = _NAMED.search(name)
        sides = int(said[2]) if said else top if top in _USUAL and name not in odd else 0
        guessed = DiceShown((name,), (sides,), plain=said is None or said[1] in ("", "1"))
        found[name] = known.get(name, guessed)
    return found


def _symbols(told: ActionTold) -> tuple[Event, ...]:
    """The symbolic dice of an action."""
    return tuple(event for done in told.action.done if done.kind == "DiceResults" for event in done.events)


def _thrown(told: ActionTold, known: Mapping[str, DiceShown]) -> Iterator[Throw]:
    from ..logs.chain import dice_of

    symbols = _symbols(told)
    shown = {name for event in symbols for name in known[event.text].names} if symbols else set()
    for event in dice_of(told.action):
        dice = known[event.text]
        again = event.text in shown or any(len(event.numbers) == len(symbol.numbers) for symbol in symbols)
        if again and event not in symbols:
            continue  # the chat says once more what was thrown
        sides = dice.sides[0] if len({*dice.sides}) == 1 else 0
        numbers = event.numbers
        if dice.symbolic:
            numbers = tuple(face + 1 for face in numbers)
        elif sides == _COUNTS_FROM_0 and _NAMED.search(event.text):
            numbers = tuple(sides if face == 0 else face for face in numbers)
        alone = len(numbers) == 1 and not dice.plain
        fits = 2 <= sides <= MOST_SIDES and all(1 <= face <= sides for face in numbers) and not alone
        if event.text in dice.names and len(dice.sides) > 1:
            fits = fits and dice.plain and len(numbers) == len(dice.sides)
        name = dice.names[-1] or event.text
        player, side = told.action.player, told.action.side
        yield Throw(
            numbers if fits else event.numbers, sides if fits else 0, player, side, name,
            place=told.origin.step, undone=told.undone, how="log",
        )  # fmt: skip


def _joined(thrown: Throw, action: ActionRecord | None, answer: Answer) -> Throw:
    if action is None:
        return thrown
    player = thrown.player or answer.players.get(action.side, "")
    return replace(
        thrown, player=player, side=action.side, turn=action.turn, phase=action.phase, purpose=action.kind
    )


# ---------------------------------------------------------------------------------------------- attacks


def attacks_of(answer: Answer, *, game: str, round_: str = "") -> Iterator[RolledAttack]:
    """The attacks of a game whose rules are known, with what the table could have given each."""
    acted = {action.line: action for action in answer.actions if not action.of}
    for record in answer.combats:
        action, table = acted.get(record.line), _table(record.kind, answer)
        if action is None or table is None or record.column is None or not table.thrown.shows(action.dice):
            continue
        reading = _Reading(table, answer)
        # What is added to the dice is the same for every throw that there might have been.
        found = reading.of(
            record.column, sum(shift.columns for shift in record.die), table.thrown.value(action.dice)
        )
        if found is not None:
            player = answer.players.get(action.side, "")
            yield RolledAttack(player, action.side, game, round_, action.turn, table.thrown.throws, *found)


class _Reading:
    """What results of a table are worth to the attacker."""

    def __init__(self, table: ResultTable, answer: Answer) -> None:
        self.table, self.answer = table, answer

    @cached_property
    def results(self) -> Mapping[str, Any]:
        """What each code demands."""
        assert self.answer.scenario is not None
        return self.answer.scenario.tables.results

    def of(self, column: str, die: int, roll: int) -> tuple[int, tuple[tuple[int, int], ...], int, bool] | None:
        """The luck of a roll, all levels of it, how many throws hit, and whether the roll did."""
        index = column_index(self.table, column)
        if index is None:
            return None
        moved = modified(self.table, (die,))
        ways = self.table.thrown.ways
        worths = {
            value: self._worth(result(self.table, self.table.thrown.moved(value, moved), index)) for value in ways
        }
        alike: Counter[tuple[float, bool]] = Counter()
        for value, worth in worths.items():
            alike[worth] += ways[value]
        levels: dict[tuple[float, bool], int] = {}
        worse = 0
        for worth in sorted(alike):
            levels[worth] = 2 * worse + alike[worth]
            worse += alike[worth]
        hits = sum(ways[value] for value, worth in worths.items() if worth[1])
        own = worths[roll]
        return levels[own], tuple((levels[w], alike[w]) for w in sorted(alike)), hits, own[1]

    def _worth(self, codes: Iterable[str]) -> tuple[float, bool]:
        """What a cell is worth, and whether it costs the defender anything; an exchange is worth nothing."""
        harm = [self._harm(code) for code in codes]
        return sum(d - a for a, d in harm), any(d >= _STEP for _, d in harm)

    def _harm(self, code: str) -> tuple[float, float]:
        found = self.results.get(code)
        if found is None:
            return 0, 0
        if found.exchange is not None:
            return _STEP, _STEP
        return _demanded(found.attacker), _demanded(found.defender)


_STEP: Final = 1.0
_ALL: Final = 4.0
_HEX: Final = 0.25
"""What a step, all there is, and a hex of retreat weigh against each other; only the order rests on it."""


def _demanded(demand: Any) -> float:
    """What a side is to suffer."""

    def losses(loss: Any, each: float) -> float:
        count = 0.0 if loss is None else {"all": _ALL, "half": _ALL / 2}.get(loss.count, 0.0)
        number = loss.count if loss is not None and isinstance(loss.count, int) else 0
        return count or number * each * (2 if loss is not None and loss.each else 1)

    back = demand.retreat.hexes * _HEX if demand.retreat is not None else 0.0
    return losses(demand.steps, _STEP) + losses(demand.units, 2 * _STEP) + back + (_HEX if demand.mark else 0.0)

"""A game as it can be looked at step by step: plain values, from a judged sheet or from the logs of any module.

A replay holds no pictures and no opinion of its own: where everything stood, what was done, and what was found.
What people read is there in every language that was asked for.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from ...scenarios.console import clipped, safe
from ...scenarios.text.words import Language, Words
from ..rules.findings import Severity, doubts_told
from . import wording

if TYPE_CHECKING:
    from ..judging.answer import Answer
    from ..rules.findings import Finding


Said: TypeAlias = Mapping[Language, str]
"""A text in each language of the replay."""
Point: TypeAlias = tuple[float, float]
WayKind = Literal["move", "retreat", "advance", "attack"]
NOBODY = -1
"""The side of what belongs to none."""


@dataclass(frozen=True, slots=True)
class Side:
    """A side, and who plays it ("" if that is not known). `colour` is that of a counter without a picture."""

    id: str
    name: Said
    player: str = ""
    colour: str = "#cccccc"


@dataclass(frozen=True, slots=True)
class Spot:
    """A place of the board: its name and its centre, in units of the board. Off it `at` is None.

    `where` says of one off the board what it is: `eliminated`, `due`, `withdrawn` …; "" on the board. `map` is the
    number of the board that it lies on.
    """

    name: str
    at: Point | None
    where: str = ""
    map: int = 0


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece. `faces` names its pictures, by the numbers of `Put.face`; `due` is the turn it is to come in.

    `steps` is how many losses it can take, 0 where nobody knows.
    """

    id: str
    side: int
    name: Said
    faces: tuple[str, ...] = ()
    steps: int = 0
    due: int | None = None


@dataclass(frozen=True, slots=True)
class Put:
    """A piece that now lies on a spot with a face up, above all that lay there; both are numbers."""

    piece: int
    spot: int
    face: int = 0


@dataclass(frozen=True, slots=True)
class Charge:
    """What a hex of a way, or what a word names, takes in points, and why; `why` is "" where nothing says it."""

    what: Said
    points: float
    why: Said = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Way:
    """A way from spot to spot, on the line that says so. `prices` are those of its hexes, one after the other.

    `cost` and `left` are None where nothing was counted.
    """

    line: int
    kind: WayKind
    pieces: tuple[str, ...]
    path: tuple[int, ...]
    prices: tuple[Charge, ...] = ()
    cost: float | None = None
    left: float | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a total: what brings it (`piece` is its id, "" for points), and how many. `wrong`: it may not.

    `why` is what makes it another than the counter prints.
    """

    side: int
    label: Said
    piece: str
    points: float
    wrong: bool = False
    why: Said = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Moved:
    """What moves a column or the dice. `wrong`: the players misjudged it."""

    cause: Said
    columns: int
    rule: str
    wrong: bool = False


@dataclass(frozen=True, slots=True)
class Declared:
    """What the players said of one part of a combat (`attack`, `odds`, `column` …), and who said it.

    `worst` is the severity of what is found on it, "" if it is right.
    """

    part: str
    said: str
    side: int
    worst: str = ""


@dataclass(frozen=True, slots=True)
class Fight:
    """A combat worked out. `table` names one of the replay's; `column`, `row`, `declared_column` are its indices.

    `start` is what the shifts start from, `roll` what the dice count as; `result` are codes.
    """

    kind: str
    target: tuple[int, ...]
    parts: tuple[Part, ...]
    attack: int | None
    defence: int | None
    start: str
    shifts: tuple[Moved, ...]
    die: tuple[Moved, ...]
    column_name: str
    roll: int | None
    faces: tuple[int, ...]
    result: str
    declared: tuple[Declared, ...]
    table: str = ""
    column: int | None = None
    row: int | None = None
    declared_column: int | None = None


@dataclass(frozen=True, slots=True)
class Note:
    """A finding, on the step of that number."""

    step: int
    line: int
    severity: Severity
    severity_told: Said
    code: str
    rule: str
    text: Said
    place: Said
    quote: str = ""
    figures: Said = field(default_factory=dict)
    ruling: Said = field(default_factory=dict)
    doubts: Said = field(default_factory=dict)
    hexes: tuple[int, ...] = ()
    pieces: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Talk:
    """A line of chat, on the step of that number."""

    step: int
    text: str


@dataclass(frozen=True, slots=True)
class Step:
    """What was done at once. `puts` is what then lies elsewhere or otherwise; step 0 puts up the start.

    `zones`: by side, the spots that its zone gains or loses. `score` and `air` are by side, None where they are as
    they were; `dice` are the faces thrown, by `side`. `source` is where a log or mail has it. `accounts` are all
    that a game keeps, each with how it stands, None where they are as they were; `followed` is what came of it.
    `number` is which of its kind the phase is, 0 if the side has one alone in the turn.
    """

    line: int
    turn: int
    side: int
    phase: str
    kind: str
    text: Said
    puts: tuple[Put, ...] = ()
    ways: tuple[Way, ...] = ()
    fights: tuple[Fight, ...] = ()
    zones: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    score: tuple[int, ...] | None = None
    air: tuple[int, ...] | None = None
    dice: tuple[int, ...] = ()
    source: str = ""
    undone: bool = False
    accounts: tuple[tuple[Said, Said], ...] | None = None
    followed: tuple[Said, ...] = ()
    number: int = 0


@dataclass(frozen=True, slots=True)
class Table:
    """A result table: its columns, and rows of what the dice show with the codes of each column."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class Board:
    """What is played on, in units of its own: its size, that of a counter, a hex's outline around its centre.

    `name` tells it from others of the same game.
    """

    width: float
    height: float
    counter: float
    outline: tuple[Point, ...] = ()
    name: str = ""


@dataclass(frozen=True, slots=True)
class Chance:
    """A result that an attack may have, with how likely it is (0 to 1)."""

    result: str
    probability: float


@dataclass(frozen=True, slots=True)
class Prospect:
    """An attack that could be made by all who stand next to a hex. `told` works it out."""

    target: int
    pieces: tuple[str, ...]
    told: Said
    chances: tuple[Chance, ...]


@dataclass(frozen=True, slots=True)
class Outlook:
    """What the side to move may ask before it goes on: what it owes, where its pieces get to, what attacks promise.

    `reach`: by piece, spots with the cost in points.
    """

    duties: tuple[Said, ...] = ()
    reach: Mapping[str, tuple[tuple[int, float], ...]] = field(default_factory=dict)
    odds: tuple[Prospect, ...] = ()


@dataclass(frozen=True, slots=True)
class Replay:
    """A whole game. `turns` and `phases` are what they are called; `cut` says that later steps were left out.

    `judged`: by the rules of its game. Of logs alone turns are the logs, and players know pieces by their names.
    `boards`: one at least, first the one to look at first. `keeps_accounts`: nobody knows its map.
    """

    source: str
    title: Said
    languages: tuple[Language, ...]
    sides: tuple[Side, ...]
    boards: tuple[Board, ...]
    spots: tuple[Spot, ...]
    pieces: tuple[Piece, ...]
    steps: tuple[Step, ...]
    notes: tuple[Note, ...] = ()
    talks: tuple[Talk, ...] = ()
    turns: Mapping[int, Said] = field(default_factory=dict)
    phases: Mapping[str, Said] = field(default_factory=dict)
    tables: Mapping[str, Table] = field(default_factory=dict)
    outlook: Outlook | None = None
    judged: bool = True
    keeps_accounts: bool = False
    cut: bool = False


MAX_STEPS: Final = 20_000
"""Steps that a replay holds; the longest games have some thousand."""


@dataclass
class Tongues:
    """Says things in every language of a replay, with the words of its game."""

    answer: Answer
    languages: Sequence[Language]
    words: list[Words] = field(init=False)

    def __post_init__(self) -> None:
        self.words = [self.answer.words(language) for language in self.languages]

    def __call__(self, say: Callable[[Words], str]) -> Said:
        return {w.language: safe(say(w)) for w in self.words}

    def key(self, key: str) -> Said:
        """The text at a key of the catalogues."""
        return self(lambda w: w(key))


def sides_of(answer: Answer, sides: Sequence[str], say: Tongues) -> Iterator[Side]:
    """The sides of a game, with who plays them."""
    from ...modulegen.render.templates import palette

    for id_, colour in zip(sides, palette("report")["counters"], strict=False):
        name = say(lambda w, s=id_: w.heading("sides", s))  # type: ignore[misc]
        yield Side(id_, name, safe(clipped(answer.players.get(id_, ""))), colour)


# ------------------------------------------------------------------------------------------------ findings, chat


def notes(answer: Answer, lines: Sequence[int], spot: Mapping[str, int], say: Tongues) -> Iterator[Note]:
    """The findings of an answer, each on the last step that begins on its line or before."""
    for finding in answer.findings:
        yield note(finding, answer, max(0, bisect_right(lines, finding.line) - 1), spot, say)


def note(finding: Finding, answer: Answer, step: int, spot: Mapping[str, int], say: Tongues) -> Note:
    """A finding as a replay has it."""
    return Note(
        step=step,
        line=finding.line,
        severity=finding.severity,
        severity_told=say(lambda w: wording.severity(finding, w)),
        code=finding.code,
        rule=finding.rule,
        text=say(lambda w: w.say(finding.message)),
        place=say(lambda w: wording.place(finding, answer, w)),
        quote=safe(answer.quote(finding.line)),
        figures=say(lambda w: wording.figures(finding, w)),
        ruling=say(lambda w: wording.ruling(finding, w)),
        doubts=say(
            lambda w: w("report.rests-on", what=doubts_told(finding.rests_on, w)) if finding.rests_on else ""
        ),
        hexes=tuple(spot[h] for h in finding.hexes if h in spot),
        pieces=tuple(map(safe, finding.units)),
    )

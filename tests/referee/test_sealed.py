"""Sealed throws: honest games are accused of nothing, and whatever is changed afterwards is found."""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as s

from hexforge.scenarios.schema.results import Dice
from hexforge.validator.judging.answer import Answer
from hexforge.validator.judging.check import judge
from hexforge.validator.judging.situation import format_sheet, sheet_situation
from hexforge.validator.notation import base, kinds
from hexforge.validator.notation import statements as st
from hexforge.validator.notation.vocabulary import write_statement
from hexforge.validator.reading.sheet import read_sheet
from hexforge.validator.rules.sealed import Opened, below, check_of, dice_of, faces_of
from tests.examples import examples

from .played import scenario

LENGTH = 30


def chain(secret: str) -> list[str]:
    """The anchor, and the links above it."""
    found = [hashlib.sha256(secret.encode()).hexdigest()[:32]]
    while len(found) <= LENGTH:
        found.append(below(found[-1]))
    return found[::-1]


ANA, BRUNO = chain("ana"), chain("bruno")
HEAD = f"""sheet 1
game hurtgen
players american="Ana" german="Bruno"
seal ana {ANA[0]} {LENGTH}
seal bruno {BRUNO[0]} {LENGTH}
"""
MOVES = """turn 2 american movement
move us-112-1: 0806 0907
move us-112-2 us-112-3: 0807 0908
move us-707-tank: 0807 0907
turn 2 american combat
"""
FIRST = """combat 1007
  attack us-112-1 us-112-2 us-112-3 us-707-tank
  support offboard 10
  declare 28:4 odds 7-1 column 5-1
  roll sealed
"""
FIRE = """bombard 0709 by offboard 20
  declare value 40 column 11-20
  roll sealed
"""
ASKED = HEAD + MOVES + FIRST
"""One combat that waits for its dice."""


def state(text: str) -> Opened:
    """What becomes of the sealed throws of a sheet."""
    return sheet_situation(read_sheet(text), None).opened


def answered(text: str) -> tuple[str, list[tuple[int, ...]]]:
    """The line that opens what waits, and what the dice show."""
    opened = state(text)
    by = opened.opener()
    assert by is not None
    links = {"ana": ANA, "bruno": BRUNO}[by.player]
    line, thrown = opened.answered(by, links[by.number + 1])
    faces = [faces_of(line.link, opened.text, n, throw.dice) for n, (throw, _) in enumerate(thrown, 1)]
    return write_statement(line) + "\n", faces


def keys(text: str) -> list[str]:
    """What is found of sealed throws, without notes."""
    return [key for key, severity in told(judge(read_sheet(text))) if severity != "info"]


def told(answer: Answer) -> list[tuple[str, str]]:
    """The keys of findings on sealed throws, and how grave they are."""
    return [(f.message.key.removeprefix("findings."), f.severity) for f in answer.findings if f.code == "sealed"]


def opened_one() -> tuple[str, tuple[int, ...]]:
    """The combat with its dice open and told, and the dice."""
    line, (faces,) = answered(ASKED)
    return f"{ASKED}{line}  roll {' '.join(map(str, faces))}\n", faces


# ------------------------------------------------------------------------------------------ honest games


def test_a_throw_waits_for_the_other_player_and_nobody_misses_what_comes_after() -> None:
    answer = judge(read_sheet(ASKED))
    assert told(answer) == [("sealed-waiting", "info")]
    assert answer.findings[0].message.values == {"player": "bruno", "link": 1}
    assert answer.verdict == "legal"
    assert answer.combats[0].result is None


def test_the_dice_follow_without_being_told() -> None:
    line, (faces,) = answered(ASKED)
    answer = judge(read_sheet(ASKED + line))
    assert told(answer) == [("sealed-opened", "info")]
    assert answer.combats[0].roll == sum(faces)


def test_a_link_opens_all_that_waits_and_what_follows_may_stand_above_it_or_below() -> None:
    asked = ASKED + FIRE
    line, (first, second) = answered(asked)
    assert keys(asked + line) == []
    shown = [
        judge(read_sheet(text)).combats
        for text in (asked + line, HEAD + MOVES + FIRST + "  result DRB\n" + FIRE + line)
    ]
    assert [[c.roll for c in combats] for combats in shown] == [[sum(first), sum(second)]] * 2
    one, _ = opened_one()
    above = ASKED + "  result DE\n  lose ge-983-1\n" + answered(ASKED)[0]
    beneath = one + "  result DE\n  lose ge-983-1\n"
    later = "turn 2 german movement\nturn 2 german combat\ncombat 0907\n  attack ge-983-1\n  roll sealed\n"
    assert keys(above) == keys(beneath) == []
    assert answered(above + later) == answered(beneath + later)


def test_what_follows_from_one_of_several_tells_that_none_waits() -> None:
    line, _ = answered(ASKED + FIRE)
    assert told(judge(read_sheet(HEAD + MOVES + FIRST + "  result DRB\n" + FIRE + line))) == []


def test_each_side_opens_the_other_one_s_throws() -> None:
    one, _ = opened_one()
    text = one + "turn 2 german movement\nturn 2 german combat\ncombat 0907\n  attack ge-983-1\n  roll sealed\n"
    line, _ = answered(text)
    assert line.startswith("open ana 1 ")
    assert keys(text + line) == []


OTHERWISE = [
    ("sheet 1", "planilha 1"),
    ("turn 2 american movement", "turno 2 americano movimento   # minha vez"),
    ("move us-112-1: 0806 0907", "I move 112-1 from 0806 to 0907"),
    ("  attack us-112-1 us-112-2", "\n\nATTACK  us-112-1, us-112-2"),
    ("declare 28:4 odds 7-1 column 5-1", "declarar coluna 5-1 proporção 7-1 28:4"),
    ("roll sealed", "dados lacrados"),
    ("open bruno", "abrir Bruno"),
    ('players american="Ana" german="Bruno"', 'players german="Bruno" american="Ana"\npartial'),
    ("combat 1007", "accept 7 because it was agreed\ncombat 1007"),
]


@examples(20)
@given(s.lists(s.sampled_from(OTHERWISE), unique=True, min_size=1))
def test_copies_in_other_words_have_the_same_dice(changes: list[tuple[str, str]]) -> None:
    text, faces = opened_one()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    answer = judge(read_sheet(text))
    assert [key for key, severity in told(answer) if severity != "info"] == []
    assert answer.combats[0].roll == sum(faces)
    assert keys(format_sheet(text, language="pt").text) == []


def test_the_text_of_a_throw_is_the_same_in_all_versions() -> None:
    """Whoever changes this changes the dice of all games that are being played."""
    assert state(ASKED).text.hex() == hashlib.sha256(_as_described()).hexdigest()
    assert check_of("00" * 16, b"") == "9d6646c058cfe8fc"
    assert below("00" * 16) == "a4bb962f97860e3a11787e6b627f67cf"
    assert faces_of("00" * 16, b"", 1, Dice(3, 6)) == (6, 3, 6)


def _as_described() -> bytes:
    """The text as docs/sealed.md says it is."""
    return "\n".join(
        [
            "hexforge sealed 1 hurtgen",
            f'["seal",{{"anchor":"{ANA[0]}","length":{LENGTH},"player":"ana"}}]',
            f'["seal",{{"anchor":"{BRUNO[0]}","length":{LENGTH},"player":"bruno"}}]',
            '["turn",{"number":2,"phase":"movement","side":"american"}]',
            '["move",{"path":["0806","0907"],"units":["us-112-1"]}]',
            '["move",{"path":["0807","0908"],"units":["us-112-2","us-112-3"]}]',
            '["move",{"path":["0807","0907"],"units":["us-707-tank"]}]',
            '["turn",{"number":2,"phase":"combat","side":"american"}]',
            '["combat",{"targets":["1007"]}]',
            '["attack",{"units":["us-112-1","us-112-2","us-112-3","us-707-tank"]}]',
            '["support",{"offboard":10,"units":[]}]',
            '["declare",{"attack":28,"column":"5-1","defence":4,"odds":"7-1"}]',
            '["roll",{"faces":[-1]}]',
            "",
        ]
    ).encode()


# -------------------------------------------------------------------------------------------- changes


def _edits(text: str) -> Iterator[str]:
    """The sheet with one statement above the throw taken away, said twice, or said otherwise."""
    lines = text.splitlines()
    first = lines.index("turn 2 american movement")
    asked = next(i for i, line in enumerate(lines) if line.strip() == "roll sealed")
    for i in range(first, asked):
        if not lines[i].startswith(("turn", "combat")):
            yield "\n".join([*lines[:i], *lines[i + 1 :]]) + "\n"
            yield "\n".join([*lines[:i], lines[i], *lines[i:]]) + "\n"
    for old, new in (
        ("0806 0907", "0806 0906"),
        ("us-112-2 us-112-3:", "us-112-2:"),
        ("us-112-3 us-707-tank", "us-112-3"),
        ("offboard 10", "offboard 20"),
        ("28:4", "28:5"),
        ("odds 7-1", "odds 6-1"),
        ("combat 1007", "combat 1006"),
        ("turn 2 american movement", "turn 3 american movement"),
        ("sheet 1\n", "sheet 1\noption inverse_rounding=ceil\n"),
        (f"seal ana {ANA[0]} {LENGTH}\n", f"seal ana {ANA[0]} {LENGTH + 1}\n"),
        ("turn 2 american movement", "seal ana 4711beef\nturn 2 american movement"),
    ):
        assert old in text
        yield text.replace(old, new, 1)


def test_any_change_above_a_throw_is_found() -> None:
    text, _ = opened_one()
    for changed in _edits(text):
        assert "sealed-changed" in keys(changed), changed


@examples(30)
@given(s.data())
def test_any_other_link_check_or_dice_are_found(data: s.DataObject) -> None:
    text, faces = opened_one()
    link, check = next(line.split()[3:] for line in text.splitlines() if line.startswith("open"))
    what = data.draw(s.sampled_from(["link", "check", "dice"]))
    if what == "dice":
        other = data.draw(s.tuples(s.integers(1, 6), s.integers(1, 6)).filter(lambda f: sorted(f) != sorted(faces)))
        found = keys(text.replace(f"roll {faces[0]} {faces[1]}", f"roll {other[0]} {other[1]}"))
        assert found == ["sealed-dice"]
        return
    old = link if what == "link" else check
    at, digit = data.draw(s.integers(0, len(old) - 1)), data.draw(s.sampled_from("0123456789abcdef"))
    new = old[:at] + digit + old[at + 1 :]
    wanted = {"link": ["sealed-chain", "sealed-told"], "check": ["sealed-changed"]}[what] if new != old else []
    assert sorted(keys(text.replace(old, new))) == wanted


def test_a_link_is_good_for_one_text_and_comes_in_its_turn() -> None:
    text, _ = opened_one()
    again = text + FIRE
    line = next(line for line in text.splitlines() if line.startswith("open"))
    assert keys(f"{again}{line}\n") == ["sealed-again"]
    good, _ = answered(again)
    assert keys(again + good) == []
    opened = state(again)
    skipped = check_of(BRUNO[3], opened.text)
    assert keys(f"{again}open bruno 3 {BRUNO[3]} {skipped}\n") == ["sealed-skipped"]
    beyond = f"open bruno {LENGTH + 1} {chain('other')[1]} {skipped}\n"
    assert keys(again + beyond) == ["sealed-chain"]


def test_who_asks_does_not_open_and_who_opens_has_sealed_before() -> None:
    opened = state(ASKED)
    own = f"open ana 1 {ANA[1]} {check_of(ANA[1], opened.text)}\n"
    assert keys(ASKED + own) == ["sealed-own"]
    late = ASKED.replace(f"seal bruno {BRUNO[0]} {LENGTH}\n", "") + f"seal bruno {BRUNO[0]} {LENGTH}\n"
    waits = state(late)
    line = f"open bruno 1 {BRUNO[1]} {check_of(BRUNO[1], waits.text)}\n"
    assert keys(late + line) == ["sealed-late"]
    assert keys(ASKED.replace("seal bruno", "seal carla") + line.replace("bruno", "carla"))[-1] != "sealed-own"
    nobody = ASKED.replace(f"seal bruno {BRUNO[0]} {LENGTH}\n", "")
    assert sorted(keys(nobody + line)) == ["sealed-nobody", "sealed-waiting-seal"]


@pytest.mark.parametrize(
    ("added", "found"),
    [
        ("  attack us-109-1\n", ["sealed-behind"]),
        ("  support offboard 10\n", ["sealed-behind"]),
        ("  result DRB\n", ["sealed-early"]),
        ("  roll 3 4\n", ["sealed-told"]),
        ("turn 2 german movement\n", ["sealed-passed"]),
        ("  roll sealed\n", ["sealed-twice"]),
    ],
)
def test_what_stands_behind_a_throw_that_waits(added: str, found: list[str]) -> None:
    assert keys(ASKED + added) == found


def test_a_sheet_full_of_wrong_links_takes_no_time() -> None:
    head = HEAD.replace(f"{BRUNO[0]} {LENGTH}", f"{BRUNO[0]} 10000")
    began = process_time()
    assert set(keys(head + MOVES + f"open bruno 10000 {ANA[3]} 0123456789abcdef\n" * 2000)) == {"sealed-chain"}
    assert process_time() - began < 5


def test_what_takes_part_is_not_said_once_the_dice_are_known() -> None:
    line, _ = answered(ASKED)
    assert keys(f"{ASKED}{line}  attack us-109-1\n") == ["sealed-behind"]


def test_a_line_may_stand_elsewhere_than_below_the_last_throw() -> None:
    """An answer is written between the lines of a mail, or comes after another throw was asked for."""
    line, (first,) = answered(ASKED)
    more = judge(read_sheet(ASKED + FIRE + line))
    assert sorted(told(more)) == [("sealed-opened", "info"), ("sealed-waiting", "info")]
    assert more.combats[0].roll == sum(first)
    line, faces = answered(ASKED + FIRE)
    between = judge(read_sheet(ASKED + line + FIRE))
    assert [key for key, severity in told(between) if severity != "info"] == []
    assert [c.roll for c in between.combats] == [sum(f) for f in faces]


# ---------------------------------------------------------------------------------------------- dice


ASK = (kinds.ASKED,)


@pytest.mark.parametrize(
    ("game", "what", "dice"),
    [
        ("corrick", st.WeatherRoll(1, ASK), Dice(1, 6)),
        ("ashvale", st.WeatherRoll(1, ASK), Dice(1, 10)),
        ("tarnhollow", st.OrderRoll(1, ASK), Dice(1, 6)),
        ("tarnhollow", st.Rally(1, ("a1",), "", ASK), Dice(2, 6)),
        ("tarnhollow", st.MoraleRoll(1, ("a1",), ASK), Dice(2, 6)),
        ("longridge", st.Attrition(1, ("a1",), ASK), Dice(1, 6)),
        ("thornmere", st.LossRoll(1, "defender", ASK), Dice(1, 6)),
        ("karst", st.Roll(1, ASK), Dice(2, 6, tens=True)),
        ("karst", st.LossRoll(1, "defender", ASK), None),
        ("kestrel", st.WeatherRoll(1, ASK), None),
    ],
)
def test_the_dice_are_those_that_the_game_throws_for_it(game: str, what: base.Statement, dice: Dice | None) -> None:
    assert dice_of(what, scenario(f"tests/games/{game}")) == dice


def test_the_die_for_the_air_is_sealed_like_any_other() -> None:
    head = HEAD.replace("hurtgen", "metz")
    text = head + "turn 1 german movement\nturn 1 german combat\nturn 1 american movement\nairroll sealed\n"
    opened = state(text)
    assert [str(throw.dice) for throw in opened.waiting] == ["1d6"]
    line, ((face,),) = answered(text)
    found = judge(read_sheet(text + line))
    assert keys(text + line) == []
    assert [a.dice for a in found.actions if a.kind == "airroll"] == [(face,)]


@pytest.mark.parametrize("faces", [4, 6, 8, 10, 12, 20])
def test_all_faces_are_equally_likely(faces: int) -> None:
    chance = random.Random(faces)
    count = 400 * faces
    thrown = [
        f for i in range(count // 2) for f in faces_of(chance.randbytes(16).hex(), b"%d" % i, 1, Dice(2, faces))
    ]
    shown = Counter(thrown)
    assert sorted(shown) == list(range(1, faces + 1))
    chi = sum((shown[f] - count / faces) ** 2 for f in shown) / (count / faces)
    assert chi < faces - 1 + 4 * (2 * (faces - 1)) ** 0.5


def test_throws_of_one_link_have_nothing_to_do_with_each_other() -> None:
    throws = [faces_of(BRUNO[1], b"text", n, Dice(3, 20)) for n in range(1, 200)]
    assert len(set(throws)) > 190
    assert _runs([t[0] for t in throws]) > 150


def _runs(values: Sequence[int]) -> int:
    return sum(a != b for a, b in pairwise(values))

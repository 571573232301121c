"""A game in several sheets is judged as in one; what begins otherwise than the sheet before it ended is told."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given
from hypothesis import strategies as strat

from hexforge.scenarios.model import Scenario
from hexforge.scenarios.text.words import Language, Words
from hexforge.validator.app.cli import main
from hexforge.validator.judging import questions
from hexforge.validator.judging.answer import Answer, position_json
from hexforge.validator.judging.check import check_file
from hexforge.validator.judging.continuing import written
from hexforge.validator.judging.replay import Judgement, replay
from hexforge.validator.judging.situation import situation
from hexforge.validator.notation import games, statements_head
from hexforge.validator.notation import statements as st
from hexforge.validator.notation.vocabulary import vocabulary_of, write_sheet
from hexforge.validator.reading.sheet import read_sheet
from hexforge.validator.rules.findings import doubts_told
from hexforge.validator.rules.position_export import head_of, standing
from tests.examples import FULL, examples
from tests.generator import mistakes_in_combat, mistakes_in_movement  # noqa: F401  # they enter themselves
from tests.generator.game import Game, generate, skirmish
from tests.generator.mistakes import MISTAKES, moments, mutants
from tests.referee.conftest import Judge
from tests.referee.played import scenario
from tests.referee.test_mechanics import second_phase

GAMES = ("bastogne", "metz", "hurtgen")


def test_a_change_of_a_sheet_two_before_is_seen(tmp_path: Path) -> None:
    """By whoever has judged them before, as a folder that is watched is."""
    head, onward = "sheet 1\ngame hurtgen\npartial\n", "sheet 1\ngame hurtgen\npartial\ncontinues {}.sheet\n"
    (tmp_path / "2.sheet").write_text(onward.format(1) + "turn 2 american combat\n", "utf-8")
    move = "turn 2 german movement\nturn 2 german combat\nturn 3 american movement\nmove us-112-1: 0907 0906\n"
    (tmp_path / "3.sheet").write_text(onward.format(2) + move, "utf-8")
    for to, missed in (("0907", False), ("0807", True)):
        moved = f"turn 2 american movement\nmove us-112-1: 0806 {to}\n"
        (tmp_path / "1.sheet").write_text(head + moved, "utf-8")
        assert ("not-there" in {f.code for f in check_file(tmp_path / "3.sheet").findings}) == missed


def cuts(game: Game) -> list[int]:
    """Where a game can be cut in two: at its phases, the first of them aside."""
    return [i for i, s in enumerate(game.sheet.statements) if isinstance(s, st.TurnStart)][1:]


def answer_from_line(judged: Judgement, first: int) -> dict[str, Any]:
    """All that an answer says from a line on, by lines counted from there."""
    findings = [(f.line - first, f.code, f.severity, str(f.message)) for f in judged.findings if f.line >= first]
    return {
        "findings": sorted(findings),
        "combats": [{**c.as_json(), "line": c.line - first} for c in judged.combats if c.line >= first],
        "moves": [{**m.as_json(), "line": m.line - first} for m in judged.moves if m.line >= first],
        "position": position_json(judged.position, frozenset()),
        "score": judged.score,
        "air": judged.position.air,
    }


def halves(game: Scenario, whole: st.Sheet, cut: int, lang: str = "en") -> tuple[dict[str, Any], dict[str, Any]]:
    """What is said of the second half of a game in one sheet, and in a sheet that begins there."""
    statements = whole.statements
    first = replay(game, st.Sheet(statements[:cut], lines=whole.lines))
    rest = [*head_of(statements[:cut]), *standing(first.ctx, first.position), *statements[cut:]]
    second = read_sheet(write_sheet([statements_head.SheetVersion(0, 1), *rest], lang, vocabulary_of(game)))
    assert not second.problems
    judged = replay(game, second)
    begins = next(s.line for s in second.statements if isinstance(s, st.TurnStart))
    assert [f for f in judged.findings if f.line < begins] == []
    return answer_from_line(replay(game, whole), statements[cut].line), answer_from_line(judged, begins)


@examples(4, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(strat.sampled_from(GAMES), strat.integers(0, 10**6), strat.data(), strat.sampled_from(["en", "pt"]))
def test_a_skirmish_in_two_sheets_is_judged_as_in_one(
    name: str, seed: int, data: strat.DataObject, lang: str
) -> None:
    game = skirmish(scenario(name), seed)
    whole, parted = halves(scenario(name), game.sheet, data.draw(strat.sampled_from(cuts(game))), lang)
    assert whole == parted


@pytest.mark.parametrize(("name", "turns", "every"), [("hurtgen", 2, 4), ("metz", 1, 3)])
def test_a_game_in_two_sheets_is_judged_as_in_one(name: str, turns: int, every: int) -> None:
    game = generate(scenario(name), 7, turns=turns)
    for cut in cuts(game)[:: every if FULL else 2 * every]:
        whole, parted = halves(scenario(name), game.sheet, cut)
        assert whole == parted


def test_what_is_wrong_is_found_in_the_second_sheet_too() -> None:
    game = generate(scenario("hurtgen"), 3, turns=2)
    found = moments(scenario("hurtgen"), game)
    checked = 0
    for name in sorted(MISTAKES)[:: 12 if FULL else 24]:
        for mutant in list(mutants(game, found, name))[:1]:
            turns = [i for i, s in enumerate(mutant.game.sheet.statements) if isinstance(s, st.TurnStart)]
            whole, parted = halves(scenario("hurtgen"), mutant.game.sheet, turns[-1])
            assert whole == parted, name
            checked += bool(whole["findings"])
    assert checked


TWICE = """unit c1 crown footmen 3-3-2
unit c2 crown footmen 3-3-2
unit l1 league footmen 3-3-4
position
  c1 0303
  c2 0309
  l1 1002
turn 1 crown movement
{first} c1: 0303 0304 0305 0306 0307
turn 1 crown combat
turn 1 crown movement
{then} c2: 0309 0308 0307 0306 0305
"""


@pytest.mark.parametrize(
    ("by", "most", "wrong"),
    [("move", 2, False), ("move", 1, True), ("rail", 2, False), ("rail", 1, True)],
)
@pytest.mark.parametrize("lang", ["en", "pt"])
def test_what_a_turn_carries_is_carried_on(judged: Judge, by: str, most: int, wrong: bool, lang: str) -> None:
    nobody = {"types": "mounted", "times": 2, "section": "3.7"}
    rule = {"times": 2, "most": most, "section": "3.7"}
    railway = {"way": "canal", "hexes": 5, "section": "3.9", "uses": [{"types": "mounted"}, {"most": most}]}
    movement = {"marches": [nobody, rule], "railway": railway}
    sheet = TWICE.format(first=by, then=by)
    ground = "canal 0303 0304 0305 0306 0307 0308 0309"
    answer = judged(sheet, ground=ground, sequence=second_phase(), movement=movement)
    told = {"move": "march-capacity", "rail": "rail-capacity"}[by]
    assert (told in [f.message.key.removeprefix("findings.") for f in answer.findings]) == wrong
    whole = read_sheet(f"sheet 1\ngame saltway\nmap blank steppe 11x9\n{ground}\n{sheet}")
    cut = [i for i, s in enumerate(whole.statements) if isinstance(s, st.TurnStart)][2]
    game = games.scenario("saltway")
    assert game is not None
    one, parted = halves(game, whole, cut, lang)
    assert one == parted


PARTS = [
    "turn 1 crown movement\nmove c1: 0303 0304\n",
    "turn 1 crown combat\n",
    "turn 1 crown movement\nmove c1: 0304 0305\n",
    "turn 1 league movement\n",
]


@pytest.mark.parametrize("lang", ["en", "pt"])
@pytest.mark.parametrize(("part", "which"), [(0, "1"), (1, ""), (2, "2"), (3, "")])
def test_a_position_counts_the_phases_of_a_kind(
    judged: Judge, tmp_path: Path, part: int, which: str, lang: Language
) -> None:
    judged("position\n", sequence=second_phase())
    game = games.scenario("saltway")
    assert game is not None
    units = "unit c1 crown footmen 3-3-4\nunit l1 league footmen 3-3-4\n"
    head = f"sheet 1\ngame saltway\npartial\nmap blank steppe 11x9\n{units}"
    begin = f"{head}position\n  c1 0303\n  l1 0908\n"
    first, second = tmp_path / "1.sheet", tmp_path / "2.sheet"
    first.write_text(begin + "".join(PARTS[: part + 1]), "utf-8")
    told = written(situation(first), [first], None, second, lang)
    side, phase = PARTS[part].split()[2:4]
    words = vocabulary_of(game)
    after = f"{words.write('sides', side, lang)} {words.write('phases', phase, lang)} {which}".strip()
    assert any(line.startswith(("position", "posi")) and line.endswith(after) for line in told.splitlines())

    def wrong(text: str, again: str) -> list[tuple[str, str]]:
        second.write_text(text + again, "utf-8")
        return [(f.message.key, f.severity) for f in check_file(second).findings if f.severity != "info"]

    # What comes next may be played, once; what is over is over, whether the sheet says how it begins or not.
    onward = f"sheet 1\ngame saltway\ncontinues {first.name}\npartial\n"
    unsaid = told.replace(f"{after}\n", f"{after.removesuffix(which).strip()}\n")
    for text in (told, onward, unsaid):
        assert wrong(text, "".join(PARTS[part + 1 : part + 2])) == []
        assert wrong(text, PARTS[part].splitlines(keepends=True)[0]) == [("findings.sequence", "illegal")]
    if which:
        other = told.replace(f"{after}\n", f"{after.removesuffix(which)}{3 - int(which)}\n")
        assert ("findings.continues-phase-of", "illegal") in wrong(other, "")


def test_odds_are_those_of_the_combat_to_come_in_which_they_attack(judged: Judge, tmp_path: Path) -> None:
    fights = [{"side": "crown", "phase": "combat", "who": who} for who in ("mounted", "footmen")]
    phases = [{"side": "crown", "phase": "movement"}, *fights, {"side": "league", "phase": "movement"}]
    judged("position\n", sequence=phases)
    units = "unit c1 crown footmen 3-3-4\nunit c2 crown riders 3-3-6\nunit l1 league footmen 3-3-4\n"
    head = f"sheet 1\ngame saltway\nmap blank steppe 11x9\n{units}position"
    places = "\n  c1 0303\n  c2 0303\n  l1 0304\n"

    def objected(after: str, *who: str) -> list[str]:
        sheet = tmp_path / "asked.sheet"
        sheet.write_text(f"{head}{after}{places}", "utf-8")
        return [
            f.message.key.removeprefix("findings.")
            for f in questions.odds(situation(sheet), "0304", who).objections
        ]

    assert objected(" after turn 1 crown movement", "c1") == []
    assert objected(" after turn 1 crown movement", "c2") == []
    assert objected(" after turn 1 crown movement", "c1", "c2") == ["phase-attack"]
    for after in (" after turn 1 crown combat 1", " after turn 1 crown combat"):
        assert objected(after, "c1") == []
        assert objected(after, "c2") == ["phase-attack"]


def test_a_stock_that_a_game_has_not_is_told(judged: Judge) -> None:
    sheet = TWICE.replace("turn 1 crown movement\n", "  used march 3 by 4\nturn 1 crown movement\n", 1)
    answer = judged(sheet.format(first="move", then="move"), sequence=second_phase())
    assert "unknown-stock" in [f.message.key.removeprefix("findings.") for f in answer.findings]


# ------------------------------------------------------------------------------------------------ sheets


@pytest.fixture(scope="module")
def two_sheets(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A folder with a game in two sheets, and the text that is played in the second."""
    game = generate(scenario("hurtgen"), 4, turns=2)
    cut = game.sheet.statements[cuts(game)[4]].line - 1
    lines = game.text.splitlines(keepends=True)
    folder = tmp_path_factory.mktemp("played") / "sheets"
    folder.mkdir()
    first, second = folder / "turn-1.sheet", folder / "turn-2.sheet"
    first.write_text("".join(lines[:cut]), "utf-8")
    done = CliRunner().invoke(main, ["position", str(first), "--sheet", "-o", str(second)])
    assert done.exit_code == 0, done.output
    rest = "".join(lines[cut:])
    second.write_text(second.read_text("utf-8") + rest, "utf-8")
    (folder / "whole.sheet").write_text(game.text, "utf-8")
    return folder, rest


@pytest.fixture
def played(two_sheets: tuple[Path, str], tmp_path: Path) -> tuple[Path, Path, str]:
    """The first sheet of a game, the second as the command begins it with what was played then, and that text."""
    folder, rest = two_sheets
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    return tmp_path / "turn-1.sheet", tmp_path / "turn-2.sheet", rest


def faults(answer: Answer) -> list[tuple[str, str]]:
    return [(f.code, f.severity) for f in answer.findings if f.severity != "info"]


def test_the_next_sheet_begins_as_the_last_one_ended(played: tuple[Path, Path, str]) -> None:
    _, second, _ = played
    whole, parted = check_file(second.with_name("whole.sheet")), check_file(second)
    assert faults(parted) == []
    assert (whole.score, whole.as_json()["position"]) == (parted.score, parted.as_json()["position"])


def test_a_sheet_that_does_not_say_how_it_begins_goes_on(played: tuple[Path, Path, str]) -> None:
    first, second, rest = played
    second.write_text(f"sheet 1\ngame hurtgen\ncontinues {first.name}\n{rest}", "utf-8")
    whole, parted = check_file(second.with_name("whole.sheet")), check_file(second)
    assert faults(parted) == []
    assert (whole.score, whole.as_json()["position"]) == (parted.score, parted.as_json()["position"])
    done = CliRunner().invoke(main, ["position", str(second)])
    assert done.exit_code == 0 and done.output.startswith("position after turn 3 german combat")
    again = CliRunner().invoke(main, ["position", str(first), str(second)])
    assert again.output == done.output


@pytest.mark.parametrize(
    ("old", "new", "unit"),
    [
        ("  us-109-1 {hex}\n", "  us-109-1 0101\n", "us-109-1"),
        ("  us-109-1 {hex}\n", "  us-109-1 {hex} reduced\n", "us-109-1"),
        ("  us-109-1 {hex}\n", "", "us-109-1"),
        ("  us-109-1 {hex}\n", "  us-109-1 {hex}\n  status us-109-1 released\n", "us-109-1"),
        ("  us-109-1 {hex}\n", "  us-109-1 {hex}\n  cleared 1108\n", "1108"),
        ("  us-109-1 {hex}\n", "  us-109-1 {hex}\n  lost german infantry 1-2-5\n", "lost"),
    ],
)
def test_what_differs_is_told(played: tuple[Path, Path, str], old: str, new: str, unit: str) -> None:
    first, second, _ = played
    text = second.read_text("utf-8")
    hex_ = check_file(first).as_json()["position"]["us-109-1"]["hex"]
    assert old.format(hex=hex_) in text
    second.write_text(text.replace(old.format(hex=hex_), new.format(hex=hex_)), "utf-8")
    found = [f for f in check_file(second).findings if f.code == "continuation"]
    assert len(found) == 1 and found[0].severity == "illegal"
    assert str(found[0].message).startswith(f"{unit}: ") and "turn-1.sheet" in str(found[0].message)
    assert found[0].units == ((unit,) if unit.startswith("us") else ())


def test_a_difference_can_be_accepted(played: tuple[Path, Path, str]) -> None:
    _, second, rest = played
    text = second.read_text("utf-8").replace("  us-109-1 ", "  us-109-1 0101 reduced # ")
    line = next(i for i, one in enumerate(text.splitlines(), 1) if "us-109-1 0101" in one)
    second.write_text(text.removesuffix(rest) + f"accept {line} because agreed\n", "utf-8")
    assert [f.severity for f in check_file(second).findings if f.code == "continuation"] == ["waived"]


def test_a_file_that_changed_is_told(played: tuple[Path, Path, str]) -> None:
    first, second, _ = played
    first.write_text(first.read_text("utf-8") + "# a second thought\n", "utf-8")
    assert faults(check_file(second)) == [("continuation", "illegal")]


def test_another_phase_or_game_or_ruling_is_told(played: tuple[Path, Path, str]) -> None:
    first, second, rest = played
    head = f"sheet 1\ngame hurtgen\noption zoe_to_zoe=no\ncontinues {first.name}\n"
    block = second.read_text("utf-8").removesuffix(rest).partition("position after")[2].partition("\n")[2]
    second.write_text(f"{head}position\n{block}\nturn 3 german movement\n", "utf-8")
    assert sorted(faults(check_file(second))) == [("continuation", "illegal"), ("continuation", "warning")]
    second.write_text(f"sheet 1\ngame metz\ncontinues {first.name}\n", "utf-8")
    assert faults(check_file(second)) == [("continuation", "unread")]


def test_nobody_is_accused_for_want_of_the_sheet_before(played: tuple[Path, Path, str]) -> None:
    first, second, rest = played
    second.write_text(f"sheet 1\ngame hurtgen\ncontinues {first.name}\n{rest}", "utf-8")
    assert check_file(second).verdict == "legal"
    first.unlink()
    found = check_file(second)
    assert found.verdict == "unread"
    assert f"how {first.name} ends" in {doubts_told(f.rests_on, Words("en")) for f in found.findings}
    assert found.counts["illegal"] == 0


FIELD = """sheet 1
game hurtgen
partial
map blank open 18x12
unit a1 american infantry 4-4-5
unit a2 american infantry 4-4-5
unit g1 german infantry 4-3-5 reduced 2-2
unit g2 german infantry 4-3-5
position
  a1 0505
  a2 0205
  g1 0808
  g2 0706

turn 3 american movement
"""
PASSED = "turn 3 american combat\nturn 3 german movement\nturn 3 german combat\nturn 4 american movement\n"


@pytest.mark.parametrize("own", [False, True])
@pytest.mark.parametrize("sheets", [1, 2])
def test_nobody_is_accused_for_a_line_that_could_not_be_read_in_the_sheet_before(
    tmp_path: Path, own: bool, sheets: int
) -> None:
    first, second = tmp_path / "1.sheet", tmp_path / f"{sheets + 1}.sheet"
    first.write_text(f"{FIELD}mvoe a1: 0505 0606 0607\n", "utf-8")
    rest = f"{PASSED}move a1: 0607 0608\nmove a2: 0305 0306\n"
    head = f"sheet 1\ngame hurtgen\npartial\ncontinues {first.name}\n"
    if own:
        done = CliRunner().invoke(main, ["position", str(first)])
        assert "line 16 of " in done.stderr and "1.sheet" in done.stderr
        head = FIELD.partition("position")[0] + f"continues {first.name}\n{done.stdout}"
    if sheets == 2:
        (tmp_path / "2.sheet").write_text(head + PASSED.partition("turn 3 german")[0], "utf-8")
        head = "sheet 1\ngame hurtgen\npartial\ncontinues 2.sheet\n"
        rest = rest.partition("combat\n")[2]
    second.write_text(head + rest, "utf-8")
    found = {f.units: f for f in check_file(second).findings if f.code == "not-there"}
    assert {units: f.severity for units, f in found.items()} == {
        ("a1",): "doubtful",
        ("a2",): "illegal",
    }
    assert doubts_told(found["a1",].rests_on, Words("en")) == "line 16 of 1.sheet, which cannot be read"


def test_who_would_be_in_the_way_may_have_gone_in_a_line_that_could_not_be_read(tmp_path: Path) -> None:
    first, second = tmp_path / "1.sheet", tmp_path / "2.sheet"
    passing = "turn 3 american combat\nturn 3 german movement\nmove g2: 0706 0605 0604\n"
    for line, severity in (("mvoe a1: 0505 0404", "doubtful"), ("move a1: 0505 0506", "illegal")):
        first.write_text(f"{FIELD}{line}\n", "utf-8")
        second.write_text(f"sheet 1\ngame hurtgen\npartial\ncontinues 1.sheet\n{passing}", "utf-8")
        found = [f for f in check_file(second).findings if f.code == "must-stop"]
        assert [f.severity for f in found] == [severity]


@pytest.mark.parametrize(
    ("rulings", "then"),
    [
        ("put g1 eliminated because a\nput g1 reduced because b\n", ""),
        ("put g1 due because a\nput g1 eliminated because b\n", ""),
        ("put g1 reduced because a\nput g1 off because b\n", "put g1 0808 because c\n"),
    ],
)
def test_what_is_put_off_the_map_stays_as_it_was_in_the_next_sheet(tmp_path: Path, rulings: str, then: str) -> None:
    whole, first, second = (tmp_path / f"{name}.sheet" for name in ("whole", "1", "2"))
    whole.write_text(FIELD + rulings + PASSED + then, "utf-8")
    first.write_text(FIELD + rulings, "utf-8")
    second.write_text(written(situation(first), [first], None, second) + PASSED + then, "utf-8")
    one, parted = check_file(whole), check_file(second)
    assert [f for f in parted.findings if f.code == "continuation"] == []
    assert one.as_json()["position"]["g1"] == parted.as_json()["position"]["g1"]


def test_the_dead_are_given_no_face(tmp_path: Path) -> None:
    sheet = tmp_path / "1.sheet"
    sheet.write_text(FIELD + "put g1 eliminated because a\nput g1 reduced because b\n", "utf-8")
    found = check_file(sheet)
    assert [(f.code, f.severity, f.line) for f in found.findings if f.severity != "info"] == [
        ("not-there", "warning", 17)
    ]
    assert found.as_json()["position"]["g1"]["step"] == "eliminated"


@pytest.mark.parametrize("name", ["nothing.sheet", "../turn-1.sheet", "/etc/passwd", "turn-2.sheet", "loop.sheet"])
def test_what_cannot_be_gone_on_from_is_told(tmp_path: Path, name: str) -> None:
    (tmp_path / "turn-1.sheet").write_text("sheet 1\ngame hurtgen\n", "utf-8")
    (tmp_path / "loop.sheet").write_text('sheet 1\ngame hurtgen\ncontinues "round/turn-2.sheet"\n', "utf-8")
    folder = tmp_path / "round"
    folder.mkdir()
    (folder / "loop.sheet").write_text("sheet 1\ngame hurtgen\ncontinues turn-2.sheet\n", "utf-8")
    sheet = folder / "turn-2.sheet"
    sheet.write_text(f'sheet 1\ngame hurtgen\ncontinues "{name}"\n', "utf-8")
    assert {code for code, _ in faults(check_file(sheet))} <= {"continuation"}
    assert faults(check_file(sheet)) or name == "loop.sheet"


def test_the_position_of_logs_and_in_portuguese(tmp_path: Path) -> None:
    log = Path("tests/data/played-hurtgen/ana-2.vlog")
    target = tmp_path / log.name
    target.write_bytes(log.read_bytes())
    done = CliRunner().invoke(main, ["position", str(target), "--sheet", "--lang", "pt"])
    assert done.exit_code == 0, done.output
    assert done.output.startswith("planilha 1\njogo hurtgen\n") and "continua ana-2.vlog resumo " in done.output
    (tmp_path / "next.sheet").write_text(done.output, "utf-8")
    assert faults(check_file(tmp_path / "next.sheet")) == []


def test_what_is_asked_of_a_position_is_asked_of_the_phase_to_come(tmp_path: Path) -> None:
    sheet = tmp_path / "next.sheet"
    sheet.write_text(
        "sheet 1\ngame hurtgen\npartial\nmap blank open 12x8\nunit a1 american infantry 4-4-5\n"
        "unit g1 german infantry 2-2-5\nposition after turn 2 american movement\n  a1 0304\n  g1 0404\n",
        "utf-8",
    )
    assert questions.reach(situation(sheet), "a1").phase.turn == 3
    assert questions.reach(situation(sheet), "g1").phase.turn == 2
    assert questions.open_duties(situation(sheet)).attacks == ()
    with sheet.open("a", encoding="utf-8") as file:
        file.write("turn 2 american combat\n")
    assert [d.unit for d in questions.open_duties(situation(sheet)).attacks] == ["a1"]


REST_SPOILED = """\
sheet 1
game metz
option recovery_span=whole_turn
map blank open 28x23
partial
unit g1 german infantry 1-2-5
unit a1 american infantry 1-2-5
position
  g1 0704 reduced
  a1 0706
turn 5 german movement
recover g1
turn 5 american movement
move a1: 0706 0705
"""
EARLY = """\
sheet 1
game hurtgen
partial
position
  ge-982-1 1010
  us-112-1 0806
turn 2 american movement
move us-112-1: 0806 0807
"""


@pytest.mark.parametrize(
    ("sheet", "key", "then"),
    [
        (REST_SPOILED, "findings.recovery-contact", "turn 5 american combat\n"),
        (EARLY, "findings.placed-early", "turn 2 american combat\n"),
    ],
)
def test_what_was_told_of_a_sheet_is_not_told_again_of_the_next(
    tmp_path: Path, sheet: str, key: str, then: str
) -> None:
    first, second = tmp_path / "1.sheet", tmp_path / "2.sheet"
    first.write_text(sheet, "utf-8")
    assert key in [f.message.key for f in check_file(first).findings]
    head = written(situation(first), [first], output=second)
    second.write_text(head + then, "utf-8")
    assert key not in [f.message.key for f in check_file(second).findings]
    second.write_text(f"sheet 1\ncontinues 1.sheet\n{sheet.splitlines()[1]}\npartial\n{then}", "utf-8")
    assert key not in [f.message.key for f in check_file(second).findings]


def test_a_unit_that_comes_too_early_is_told_of_the_sheet_that_lays_it(tmp_path: Path) -> None:
    """The one before had it not on the map."""
    first, second = tmp_path / "1.sheet", tmp_path / "2.sheet"
    first.write_text(EARLY.replace("  ge-982-1 1010\n", ""), "utf-8")
    second.write_text(EARLY.replace("partial\n", "partial\ncontinues 1.sheet\n"), "utf-8")
    assert "findings.placed-early" in [f.message.key for f in check_file(second).findings]

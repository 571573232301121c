"""`validator dice`: a loaded die stands out, fair ones do not, and every throw is kept with both faces."""

from __future__ import annotations

import itertools
import json
import math
import random
import shutil
from collections import Counter
from pathlib import Path
from typing import Final
from zipfile import ZipFile

import openpyxl
import pytest
from click.testing import CliRunner, Result

from hexforge.modulegen.vassal import commands as c
from hexforge.modulegen.vassal.save import save_tree, write_save
from hexforge.scenarios.text.words import Words
from hexforge.validator.app.audit_record import thrown_in
from hexforge.validator.app.cli import main
from hexforge.validator.report import dice as exact
from hexforge.validator.report.dice import DiceRow, Survey, corrected, examined, survey
from hexforge.validator.report.dice_report import page
from hexforge.validator.report.throws import RolledAttack, Throw
from tests.transcribe.modules import PLAYED, PLAYED_HURTGEN

EXAMPLES = Path(__file__).parents[2] / "scenarios" / "hurtgen" / "examples"
PLAYERS = 8


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["dice", *map(str, arguments), "--lang", "en"])


# ------------------------------------------------------------------------------------------------ tests


def test_the_test_of_the_sum_is_that_of_all_throws_there_can_be() -> None:
    ways = Counter(sum(faces) for faces in itertools.product(range(1, 7), repeat=4))
    for total in (4, 8, 14, 19, 24):
        low = sum(n for value, n in ways.items() if value <= total)
        high = sum(n for value, n in ways.items() if value >= total)
        assert exact.sum_p([(6, 4)], total) == pytest.approx(min(1, 2 * min(low, high) / 6**4))
    mixed = Counter(sum(faces) for faces in itertools.product(range(1, 7), range(1, 11), range(1, 11)))
    assert exact.sum_p([(6, 1), (10, 2)], 3) == pytest.approx(2 * mixed[3] / 600)


def test_the_test_of_runs_is_that_of_all_orders_there_can_be() -> None:
    orders = Counter(
        1 + sum(a != b for a, b in itertools.pairwise(signs)) for signs in set(itertools.permutations("++++---"))
    )
    for runs in range(2, 8):
        low = sum(n for value, n in orders.items() if value <= runs) / orders.total()
        high = sum(n for value, n in orders.items() if value >= runs) / orders.total()
        assert exact.runs_p(4, 3, runs) == pytest.approx(min(1, 2 * min(low, high)))


def test_the_test_of_faces_is_a_binomial_one() -> None:
    alone = sum(math.comb(90, n) * 5 ** (90 - n) for n in range(31, 91)) / 6**90
    assert exact.counts_p([31, 12, 12, 12, 12, 11]) == pytest.approx(min(1, 12 * alone))
    few = sum(math.comb(40, n) for n in range(12)) / 2**40
    assert exact.counts_p([11, 29]) == pytest.approx(4 * few)
    assert exact.counts_p([0, 0, 300]) == pytest.approx(6 * (1 / 3) ** 300)
    assert exact.counts_p([0] * 6) == exact.counts_p([7]) == 1


def test_the_test_of_luck_is_that_of_all_attacks_there_can_be() -> None:
    near, far = ((30, 30), (66, 6)), ((20, 20), (46, 6), (62, 10))
    for total in (110, 136, 146, 182, 230):
        low = high = 0
        for attacks in itertools.product(near, near, far, far):
            level, ways = sum(one for one, _ in attacks), math.prod(many for _, many in attacks)
            low += ways * (level <= total)
            high += ways * (level >= total)
        found = exact.levels_p({near: 2, far: 2}, total)
        assert found == pytest.approx(min(1, 2 * min(low, high) / 36**4), abs=1e-12)


def test_many_throws_are_tested_as_few_are() -> None:
    """Against what is known of a normal distribution: of a hundred thousand dice, 1.96 deviations and 4."""
    middle, deviation = 350_000, math.sqrt(100_000 * 35 / 12)
    for off, p in ((1.96, 0.05), (4, 6.33e-5)):
        assert exact.sum_p([(6, 100_000)], middle + round(off * deviation)) == pytest.approx(p, rel=0.01)
        assert exact.runs_p(50_000, 50_000, 50_001 - round(off * math.sqrt(25_000))) == pytest.approx(p, rel=0.03)
    hits = 50_000 + round(4 * math.sqrt(25_000))
    assert exact.counts_p([hits, 100_000 - hits]) == pytest.approx(2 * 6.33e-5, rel=0.03)


def test_the_correction_is_holms() -> None:
    assert exact.holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert exact.holm([]) == []


# ------------------------------------------------------------------------------------------------ level


def row(draw: random.Random, throws: int) -> DiceRow:
    """The dice of a player who throws two fair ones."""
    dice = [draw.choices(range(1, 7), k=2) for _ in range(throws)]
    shown = Counter(itertools.chain(*dice))
    counts = tuple(shown[face] for face in range(1, 7))
    signs = [sum(faces) > 7 for faces in dice if sum(faces) != 7]
    runs = 1 + sum(a != b for a, b in itertools.pairwise(signs))
    found = examined({6: counts}, sum(signs), len(signs) - sum(signs), runs)
    return DiceRow("", throws, 0, {6: counts}, tests=found)


def test_of_a_thousand_fair_tournaments_no_more_stand_out_than_is_stated() -> None:
    draw = random.Random(13)
    alarms = Counter[float]()
    for _ in range(1000):
        table = corrected([row(draw, draw.randrange(60, 90)) for _ in range(PLAYERS)])
        for level in (0.01, 0.05, 0.2):
            alarms[level] += any(one.stands_out(level) for one in table)
    for level, found in alarms.items():
        # Three standard deviations; and not so few that the test would never find anything.
        assert found <= 1000 * level + 3 * math.sqrt(1000 * level * (1 - level)), alarms
    assert alarms[0.2] > 60 and alarms[0.05] > 10, alarms


def tournament(seed: int, cheat: float = 0.0) -> Survey:
    """Eight players throw two dice 212 times each; those of the first are some standard deviations off."""
    draw = random.Random(seed)
    throws = []
    for player in range(PLAYERS):
        wanted = 1484 + cheat * math.sqrt(212 * 35 / 6) if player == 0 else 0
        dice = draw.choices(range(1, 7), k=424)
        while sum(dice) < wanted:
            place = draw.randrange(424)
            dice[place] = min(6, dice[place] + 1)
        pairs = zip(dice[::2], dice[1::2], strict=True)
        throws += [Throw(pair, 6, f"player {player}", game=f"table {player // 2}") for pair in pairs]
    return survey(throws)


def test_a_planted_cheat_of_four_deviations_stands_out_and_he_alone() -> None:
    found = tournament(1, cheat=4)
    assert {r.name for r in found.tables["player"] if r.stands_out(0.01)} == {"player 0"}
    flagged = next(r for r in found.tables["player"] if r.name == "player 0").stands_out(0.01)
    assert "sum" in {t.test for t in flagged}
    assert not tournament(1).stands_out


def test_luck_that_is_no_chance_stands_out() -> None:
    levels = ((30, 30), (66, 6))
    lucky = [RolledAttack("Ana", "us", "a", "", 1, 36, 66, levels, 6, True)] * 15
    plain = [RolledAttack("Ana", "us", "a", "", 1, 36, 30, levels, 6, False)] * 15
    throws = [Throw((3, 4), 6, "Ana", game="a")]
    (found,) = survey(throws, [*lucky, *plain]).tables["player"]
    assert [t.test for t in found.stands_out(0.01)] == ["luck"]
    assert found.hits == 15 and found.hits_expected == pytest.approx(5)


# ------------------------------------------------------------------------------------------------ throws


def test_dice_of_a_sheet_are_kept_with_faces_player_turn_and_purpose() -> None:
    found = thrown_in([EXAMPLES / "turn2-well.sheet"])
    first = found.throws[0]
    assert (first.faces, first.player, first.turn, first.purpose) == ((3, 6), "Ana", 2, "bombard")
    assert [(a.hits, a.hit) for a in found.attacks] == [(6, False), (30, True), (20, True)]


def test_dice_of_a_log_have_their_step_and_what_the_rules_know_of_them() -> None:
    found = thrown_in([PLAYED_HURTGEN / "ana-2.vlog", PLAYED_HURTGEN / "bruno-2.vlog"])
    told = [(t.faces, t.player, t.log, t.place, t.purpose, t.turn) for t in found.throws]
    assert told == [
        ((1, 3), "Ana", "ana-2.vlog", 15, "bombard", 2),
        ((3, 3), "Ana", "ana-2.vlog", 19, "combat", 2),
        ((2, 2), "Bruno", "bruno-2.vlog", 4, "combat", 2),
    ]


def test_dice_of_any_module_are_kept_with_their_button() -> None:
    found = thrown_in([PLAYED / "a.vlog"])
    assert [(t.faces, t.sides, t.player, t.button) for t in found.throws] == [((4,), 6, "Alice", "1d6")]


def test_dice_that_were_taken_back_are_counted_and_not_tested() -> None:
    found = thrown_in([PLAYED / "b-reroll.vlog"])
    assert sorted(t.undone for t in found.throws) == [False, True]
    (bob,) = survey(found.throws).tables["player"]
    assert (bob.throws, bob.undone, bob.dice) == (2, 1, 1)


def test_rounds_and_games_are_the_folders(tmp_path: Path) -> None:
    for name in ("round-1/a.sheet", "round-2/b.sheet"):
        (tmp_path / name).parent.mkdir()
        shutil.copy(EXAMPLES / "turn2-well.sheet", tmp_path / name)
    found = survey(thrown_in([tmp_path]).throws)
    assert [r.name for r in found.tables["round"]] == ["round-1", "round-2"]
    assert [r.name for r in found.tables["game"]] == ["round-1/a.sheet", "round-2/b.sheet"]


# ---------------------------------------------------------------------------------------------- answers


def test_every_form_says_the_same(tmp_path: Path) -> None:
    sheet = EXAMPLES / "turn2-well.sheet"
    data = json.loads(run(sheet, "--format", "json").stdout)
    assert data["by_player"][0]["faces"] == {"6": [0, 0, 2, 1, 2, 1]} and len(data["throws"]) == 3
    assert "0 0 2 1 2 1" in run(sheet).stdout
    assert run(sheet, "-o", tmp_path / "dice.xlsx").exit_code == 0
    book = openpyxl.load_workbook(tmp_path / "dice.xlsx")
    assert [row[10].value for row in book["throws"].iter_rows(min_row=2)] == ["3 6", "5 3", "5 4"]
    assert run(sheet, "-o", tmp_path / "dice.html").exit_code == 0
    text = (tmp_path / "dice.html").read_text("utf-8")
    assert text.count("<svg") == 3 and "http" not in text.replace("http-equiv", "")


def test_what_stands_out_is_an_exit_status_and_a_sentence() -> None:
    text = page(tournament(1, cheat=4), Words("pt"))
    assert "player 0: a soma dos dados chama a atenção" in text and "3 coisas chamam a atenção" in text
    assert run(EXAMPLES / "turn2-well.sheet").exit_code == 0


def test_a_file_that_cannot_be_read_is_told_and_the_others_are_looked_at(tmp_path: Path) -> None:
    shutil.copy(EXAMPLES / "turn2-well.sheet", tmp_path / "a.sheet")
    (tmp_path / "b.sheet").write_bytes(b"\x00")
    done = run(tmp_path)
    assert done.exit_code == 2 and "b.sheet" in done.stderr and "Ana" in done.stdout


def test_where_nothing_could_be_read_nothing_is_said_of_dice(tmp_path: Path) -> None:
    whole = next(PLAYED.rglob("*.vlog")).read_bytes()
    (tmp_path / "cut.vlog").write_bytes(whole[:700])
    found = CliRunner().invoke(main, ["dice", str(tmp_path / "cut.vlog")])
    assert found.exit_code == 2 and "no dice" not in found.output and "cut off" in found.output


def test_a_side_stands_for_its_player_only_where_nobody_is_named() -> None:
    throws = [Throw((1, 2), 6, side="german"), Throw((3, 4), 6, "Ana", "american")]
    found = survey(throws)
    assert [r.name for r in found.tables["player"]] == ["Ana"]
    assert [r.name for r in found.tables["side"]] == ["german"]


def test_names_are_no_markup() -> None:
    text = page(survey([Throw((1, 2), 6, "<script>alert(1)</script>", button='"><img src=x>')]), Words("en"))
    assert "<script" not in text and "<img" not in text


FACE: Final = '<VASSAL.build.module.SpecialDieFace text="{}" value="1"/>'
DIE: Final = (
    f"<VASSAL.build.module.SpecialDie>{FACE.format('hit')}{FACE.format('miss')}</VASSAL.build.module.SpecialDie>"
)
SYMBOLS: Final = f"""<VASSAL.build.GameModule name="Probe" version="1">
<VASSAL.build.module.SpecialDiceButton name="Battle">{2 * DIE}</VASSAL.build.module.SpecialDiceButton>
<VASSAL.build.module.DiceButton name="Scatter" nDice="1" nSides="10"/>
</VASSAL.build.GameModule>"""


def test_dice_have_the_faces_that_the_module_gives_them(tmp_path: Path) -> None:
    """Symbolic dice are counted from 0 in logs: without their module it is not known what they are."""
    throws = [[c.Chat("** Battle = 1,1 ***"), c.DiceResults("Battle", (0, 0))], [c.Chat("** Scatter = 3 ***")]]
    log = tmp_path / "a.vlog"
    write_save(log, save_tree([c.BeginSave(), c.EndSave()], throws))
    found = thrown_in([log]).throws
    assert [(t.faces, t.sides) for t in found] == [((0, 0), 0), ((3,), 0)]
    assert survey(found).unknown == 2
    with ZipFile(tmp_path / "probe.vmod", "w") as module:
        module.writestr("buildFile.xml", SYMBOLS)
    found = thrown_in([log], module=tmp_path / "probe.vmod").throws
    assert [(t.faces, t.sides, t.button) for t in found] == [((1, 1), 2, "Battle"), ((3,), 10, "Scatter")]

"""The words of charts: they speak of what a game has, all of it, and of nothing that it has not."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from lxml import etree

from hexforge import scenarios
from hexforge.modulegen.render.board import board_svg
from hexforge.modulegen.render.board_panel import draw_key
from hexforge.modulegen.render.charts import chart
from hexforge.modulegen.render.condition_words import condition_words
from hexforge.modulegen.render.ground_words import limit_words, other_words
from hexforge.modulegen.render.templates import words
from hexforge.scenarios.model import Scenario

GAMES = Path(__file__).parents[1] / "games"
SVG = "{http://www.w3.org/2000/svg}"


def game(name: str) -> Scenario:
    return scenarios.load(GAMES / name, strict=False)


def altered(folder: Path, name: str, *changes: tuple[str, str, str]) -> Scenario:
    """A game with words of its files replaced, each of which must be there: file, old, new."""
    home = folder / name
    if not home.exists():
        shutil.copytree(GAMES / name, home)
    for file, old, new in changes:
        said = (home / file).read_text("utf-8")
        assert old in said, (file, old)
        (home / file).write_text(said.replace(old, new), "utf-8")
    return scenarios.load(home, strict=False)


def lines(scenario: Scenario, id_: str, language: str = "en") -> list[str]:
    """The texts of a chart, from above to below."""
    drawn = etree.fromstring(chart(scenario, id_, language).svg).iter(f"{SVG}text")
    placed = [(float(e.get("y") or 0), float(e.get("x") or 0), e.text or "") for e in drawn]
    return [text for _, _, text in sorted(placed)]


def texts_of_chart(scenario: Scenario, id_: str, language: str = "en") -> str:
    """All of them as they are drawn, one after the other; what is wrapped reads on."""
    root = etree.fromstring(chart(scenario, id_, language).svg)
    return " ".join(e.text or "" for e in root.iter(f"{SVG}text"))


def row(scenario: Scenario, name: str) -> list[str]:
    """The cells of a row of the terrain chart, from left to right."""
    root = etree.fromstring(chart(scenario, "terrain", "en").svg)
    texts = [e for e in root.iter(f"{SVG}text") if e.get("y")]
    y = next(float(e.get("y") or 0) for e in texts if e.text == name)
    there = [e for e in texts if abs(float(e.get("y") or 0) - y) < 1]
    return [e.text or "" for e in sorted(there, key=lambda e: float(e.get("x") or 0))]


def test_the_chart_of_combat_names_the_bound_of_its_first_column_and_none_where_the_last_has_no_end(
    tmp_path: Path,
) -> None:
    ashvale = game("ashvale")
    assert "Below –3 there is no attack." in lines(ashvale, "crt")
    open_ended = altered(tmp_path, "ashvale", ("tables.yaml", "below: refused", "below: refused, above: D"))
    assert not any("Above" in told for told in lines(open_ended, "crt"))
    bounded = altered(tmp_path, "ashvale", ("tables.yaml", '"8+"', '"8..9"'))
    assert "Above 9 the result is D, without dice." in lines(bounded, "crt")
    assert "Above 6–1 the result is DE, without dice." in lines(game("fallowmoor"), "crt")


def test_modifiers_tell_to_whom_and_when(tmp_path: Path) -> None:
    def told(scenario: Scenario) -> list[str]:
        return list(other_words(scenario, words(scenario, "en")))

    assert "Want of supply: attack ×½ (without supply)" in told(game("karst"))
    assert "Night: no attack (turns 3, 6)" in told(game("longridge"))
    assert "Gas: → 2 columns (Empire attacks; if declared, once a turn; Clear)" in told(game("karst"))
    assert "The night: no attack (fire too; turn 4)" in told(game("tolliver"))
    # Called by the mark, or by what it does, it says so once.
    assert "Disrupted: no attack" in told(game("ashvale"))
    named = altered(tmp_path, "karst", ("text.en.yaml", "shock: shock", "shock: attack ×½"))
    assert "Attack ×½ (shocked)" in told(named)
    assert "Encircled defender: → 2 columns" in told(game("saltway"))
    assert "Complete regiment, attacking: → 1 column" in told(game("saltway"))


def test_of_modifiers_that_are_called_alike_it_is_told_which_ones_a_group_has(tmp_path: Path) -> None:
    groups = altered(
        tmp_path,
        "longridge",
        ("game.yaml", 'columns: 1}, section: "1"}', 'columns: 1}, group: lead, section: "1"}'),
        (
            "game.yaml",
            'what: {kind: columns, columns: -1}, section: "4"}',
            'what: {kind: columns, columns: -1}, group: lead, section: "4"}',
        ),
        ("game.yaml", "    modifiers:\n", "    groups: {lead: best}\n    modifiers:\n"),
    )
    told = list(limit_words(groups, words(groups, "en")))
    assert told == ["Of a leader (→ 1 column), demoralisation the strongest alone counts."]


def test_what_is_fired_at_has_the_ground_told_that_counts() -> None:
    assert "The target's terrain counts." in texts_of_chart(game("karst"), "bombardment")
    assert "terrain counts" not in texts_of_chart(game("sallow"), "bombardment")


def test_ground_that_is_closed_to_a_whole_class_has_no_price_and_other_ground_the_names_of_who_is_barred(
    tmp_path: Path,
) -> None:
    assert row(game("lowmarch"), "Swamp")[1:3] == ["3", "×"]
    assert "closed, but along ways" in texts_of_chart(game("lowmarch"), "terrain")
    assert "closed" not in texts_of_chart(game("ashvale"), "terrain")
    some = altered(
        tmp_path,
        "lowmarch",
        (
            "game.yaml",
            "    overruns:\n",
            '    surcharges:\n      - {types: staff, terrain: forest, points: 1, section: "1"}\n    overruns:\n',
        ),
    )
    assert row(some, "Forest")[1:3] == ["2", "3*"]
    assert "1 more for: Headquarters." in lines(some, "terrain")
    every = altered(
        tmp_path,
        "lowmarch",
        (
            "game.yaml",
            "types: staff, terrain: forest, points: 1",
            "types: mech, terrain: forest, weather: mud, barred: true",
        ),
    )
    assert row(every, "Forest")[1:5] == ["2", "3", "×", "3"]
    river = altered(
        tmp_path,
        "lowmarch",
        ("game.yaml", "types: mech, terrain: forest, weather: mud, barred: true", "hexsides: river, whole: true"),
    )
    assert row(river, "River")[1:3] == ["all", "all"]


def test_a_price_that_nobody_can_pay_is_none(tmp_path: Path) -> None:
    dear = altered(
        tmp_path,
        "ashvale",
        ("tables.yaml", "rough: {costs: {foot: 2, tracks: 2}}", "rough: {costs: {foot: 2, tracks: 99}}"),
    )
    assert row(dear, "Rough")[1:3] == ["2", "×"]
    one = altered(
        tmp_path,
        "lowmarch",
        ("tables.yaml", "forest: {costs: {foot: 2, mech: 3}}", "forest: {costs: {foot: 2, mech: 99}}"),
    )
    assert row(one, "Forest")[1:3] == ["2", "all"]
    assert "all: it takes all of a unit's move." in lines(one, "terrain")


def test_classes_that_no_unit_has_have_no_column_but_for_lines_of_supply(tmp_path: Path) -> None:
    idle = altered(tmp_path, "thornmere", ("game.yaml", "movement_classes: foot", "movement_classes: foot cart"))
    assert lines(idle, "terrain") == lines(game("thornmere"), "terrain")


def test_bridges_are_told_of_where_there_is_water(tmp_path: Path) -> None:
    assert "own bridge" in texts_of_chart(game("ashvale"), "terrain")
    dry = altered(tmp_path, "ashvale", ("tables.yaml", ", water: true", ""))
    assert "own bridge" not in texts_of_chart(dry, "terrain")


def test_rivers_that_differ_in_what_rules_make_of_them_have_rows_of_their_own(tmp_path: Path) -> None:
    alike = altered(
        tmp_path,
        "lowmarch",
        ("tables.yaml", "major: {costs: {foot: 2, mech: 3}", "major: {costs: {foot: 1, mech: 2}"),
    )
    assert "Major river" not in lines(alike, "terrain")
    barred = '    surcharges: [{hexsides: major, barred: true, section: "1"}]\n    overruns:\n'
    ruled = altered(tmp_path, "lowmarch", ("game.yaml", "    overruns:\n", barred))
    assert row(ruled, "River")[1:3] == ["1", "2"]
    assert row(ruled, "Major river")[1:3] == ["×", "×"]


def test_phases_tell_who_acts_in_them_and_what_is_done() -> None:
    sallow = texts_of_chart(game("sallow"), "sequence")
    assert "in reserve alone" in sallow
    assert "Engaged is gone as the phase begins (in no enemy zone)." in sallow
    kestrel = texts_of_chart(game("kestrel"), "sequence")
    assert "no entering an enemy zone; enemy zones are left freely" in kestrel
    assert "Routed: units are rallied: 1d6, 1-4; in no enemy zone." in kestrel
    assert "a movement point" in texts_of_chart(game("longridge"), "sequence")


def test_phases_of_a_kind_that_a_side_has_twice_are_told_apart() -> None:
    told = [line for line in lines(game("lowmarch"), "sequence") if "Movement" in line and " · " in line]
    assert sorted(told) == ["Eastern · Movement phase", "Western · Movement phase 1", "Western · Movement phase 2"]


def test_supply_attrition_and_replacements_stand_in_the_sequence() -> None:
    lowmarch = texts_of_chart(game("lowmarch"), "sequence")
    assert "Supply of Western: from the west edge, 8 hexes at most; through Headquarters" in lowmarch
    assert "Isolated: each loses a step." in lowmarch
    assert "Replacements (Infantry; turns 2 to 8): 1 in the turn; 1 for a loss turned back." in lowmarch
    assert "Supply" not in texts_of_chart(game("fallowmoor"), "sequence")
    assert "supply is looked for" not in texts_of_chart(scenarios.load("metz", strict=False), "sequence").lower()


def test_weather_by_dice_stands_in_the_turn_record_and_dice_are_spoken_of_where_they_are_thrown(
    tmp_path: Path,
) -> None:
    corrick = lines(game("corrick"), "turns")
    assert corrick.count("Dry") == 2
    assert corrick.count("1-4 Dry, 5-6 Mud") == corrick.count("The South: 1-2 Dry, 3-6 Mud") == 6
    assert "Weather (1d6)" in corrick
    assert "Weather" not in " ".join(lines(game("fallowmoor"), "turns"))
    fixed = altered(
        tmp_path,
        "lowmarch",
        ("game.yaml", '{shows: {"1-3": dry, "4-5": mud, "6": snow}}', '{shows: {"1-6": snow}}'),
    )
    assert "The weather in other turns: Snow." in lines(fixed, "sequence")
    assert "The dice say" not in texts_of_chart(fixed, "sequence")
    assert "Weather" in lines(fixed, "turns")


def test_arrivals_tell_of_places_and_of_losses_already_taken() -> None:
    assert any(told.endswith("at Brackwater.") for told in lines(game("mirefield"), "turns"))
    assert any("a step lost" in told for told in lines(game("ashvale"), "turns"))


def test_levels_of_victory_tell_what_they_take_and_whose_points_are_meant_where_it_is_not_said() -> None:
    corrick = lines(game("corrick"), "victory")
    assert "Great victory: 2 times the points of the enemy (Reds)" in corrick
    assert "Blue victory: otherwise" in corrick
    assert "Empate: nos demais casos" in lines(game("tolliver"), "victory", "pt")
    assert not any("units of" in told.lower() or "Red units" in told for told in corrick)


def test_want_of_supply_is_named_in_every_language_where_a_game_has_no_word_for_it() -> None:
    kestrel = game("kestrel")
    values = {key: told for key, told in kestrel.texts["en"].values.items() if key != "marks.unsupplied"}
    bare = replace(kestrel, texts={"en": replace(kestrel.texts["en"], values=values)})
    assert "without it: Out of supply." in texts_of_chart(bare, "sequence")
    assert "sem ele: Sem suprimento." in texts_of_chart(bare, "sequence", "pt")


def test_an_exchange_tells_that_printed_factors_count(tmp_path: Path) -> None:
    assert "Factors count as printed." in texts_of_chart(game("fallowmoor"), "crt")
    fought = altered(tmp_path, "fallowmoor", ("tables.yaml", "strength: printed", "strength: fought"))
    assert "Factors count" not in texts_of_chart(fought, "crt")


def test_many_runs_of_phases_stand_in_two_rows_and_no_wider_than_a_page() -> None:
    assert chart(game("kestrel"), "sequence", "en").width < 1500
    kestrel = lines(game("kestrel"), "sequence")
    assert kestrel.index("6") < kestrel.index("7"), "the enemy's part of the turn stands below"


def test_the_counter_that_is_explained_has_a_strength(tmp_path: Path) -> None:
    assert "?-?-3" not in lines(game("thornmere"), "symbols")


def test_the_turn_track_has_the_weather_of_turns_in_which_dice_have_no_say() -> None:
    drawn = board_svg(game("corrick"), "en")
    assert drawn.count(">Dry<") == 2


def test_every_condition_of_every_game_is_told_in_every_language() -> None:
    for home in sorted(path.parent for path in GAMES.glob("*/game.yaml")):
        scenario = scenarios.load(home, strict=False)
        for language in ("en", "pt"):
            text = words(scenario, language)
            for rule in scenario.game.rules.combat.modifiers:
                for condition in rule.when:
                    assert condition_words(scenario, text, condition), (home.name, rule.name, condition.kind)


def test_trains_and_rebuilt_units_are_told_with_where_and_when() -> None:
    corrick = texts_of_chart(game("corrick"), "sequence")
    assert "2 for a unit rebuilt, not in the turn after its end" in corrick
    assert "within 2 hexes of Headquarters" in corrick
    assert "By train 10 hexes a turn at most, through hexes of one's own" in texts_of_chart(
        game("lowmarch"), "terrain"
    )


def test_the_key_of_the_board_has_the_same_prices_as_the_chart(tmp_path: Path) -> None:
    def key(scenario: Scenario) -> list[str]:
        return draw_key(scenario, words(scenario, "en"))

    assert ">×<" in "".join(key(game("lowmarch")))
    idle = altered(tmp_path, "thornmere", ("game.yaml", "movement_classes: foot", "movement_classes: foot cart"))
    assert key(idle) == key(game("thornmere"))


def test_a_group_s_words_are_run_together_with_the_preposition(tmp_path: Path) -> None:
    groups = altered(
        tmp_path,
        "tolliver",
        ("game.yaml", "columns: -1}, section", "columns: -1}, group: lee, section"),
        ("game.yaml", "columns: -2}, section", "columns: -2}, group: lee, section"),
        ("game.yaml", "    modifiers:\n", "    groups: {lee: best}\n    modifiers:\n"),
    )
    (told, *_) = limit_words(groups, words(groups, "pt"))
    assert told.startswith("Do abrigo") and told.endswith(" só conta o mais forte."), told


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("tolliver", "Stacking: 10 points of a side in a hex; Infantry 4, Cavalry 2, Artillery 2; any other 1; "
         "not counted: Leader; after each move."),
        ("tolliver", "March: movement points more: 2; along pike alone; never next to an enemy."),
        ("tolliver", "Overrun: of these alone: Leader; from –3 on, before shifts; DE without dice."),
        ("kestrel", "Stacking: 2 units of a side in a hex; all of one nation; after each move."),
        ("mirefield", "Stacking: 2 units of a side in a hex; less in some terrain: bog 1; not counted: Armoured "
         "train; when the phase ends."),
        ("harrow", "Overrun: Tanks; from 3–1 on, before shifts; by dice; movement points, the hex among them: 2."),
        ("harrow", "Guns: in support of one defence from a distance 1 at most; in such support in one phase 2 of a "
         "side at most."),
        ("saltway", "Guns: none fires at a distance from marsh."),
    ],
)  # fmt: skip
def test_what_rules_limit_stands_below_the_sequence(name: str, told: str) -> None:
    assert told in texts_of_chart(game(name), "sequence")


def test_barred_hexes_and_lines_are_told_with_whom_they_bar() -> None:
    bastogne = texts_of_chart(scenarios.load("bastogne", strict=False), "sequence", "pt")
    assert "Hexágonos vedados: Alemão: 51 hexágonos, o primeiro 0126, a não ser ao recuar." in bastogne
    assert "Americano: não passam por rio Sûre, a não ser ao recuar (para leste, a leste de rio Clerf)." in bastogne
    assert "Reforços: não passam por rio Clerf" in bastogne


def test_guns_that_must_be_clear_of_the_enemy_are_told(tmp_path: Path) -> None:
    kept = altered(
        tmp_path, "harrow", ("game.yaml", "{guards_most: 1,", "{guards_clear_of: zones, guards_most: 1,")
    )
    assert "in such support never in an enemy zone of control." in texts_of_chart(kept, "sequence")

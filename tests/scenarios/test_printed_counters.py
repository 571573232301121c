"""The counters are those that the rulebooks print: the sheets of Metz and Hürtgen, the figures in Bastogne's text.

The sheets are read as the rulings on the scan read them (R88, R92): what was corrected says so in its note.
"""

from __future__ import annotations

from collections import Counter as Tally

import pytest

from hexforge.scenarios import load

# formation on the counter (division, or regiment where no division is printed) and the figures, with how many
HURTGEN = """
116 7-5-9 1, 116 4-4-9 1, 116 3-4-9 4, 116 2-2-8 1, 116 2-3-9 1, 116 1-1-3 1, 116 2-1-3 1
275 1-2-5 7, 275 2-3-5 1, 275 1-1-3 3, 275 2-1-3 1
272 2-3-5 2, 272 1-2-4 2
89 1-2-5 5, 89 1-3-5 2, 89 2-3-5 1, 89 1-1-3 2, 89 2-1-3 1, 89 1-4-3 1
luftwaffe 1-1-4 3, - 3-1-3 2, - 4-1-3 1
28 4-4-5 9, 28 2-3-5 1, 28 2-1-4 3, 28 3-1-4 1
4 3-4-5 3, 4 2-1-4 1, 9 2-4-5 1
- 6-4-8 1, - 2-3-5 3, - 2-3-8 1, - 2-2-4 1, - 2-1-4 1, - 1-3-4 1
"""
METZ = """
4 AD 7-5-10 2, 4 AD 6-4-10 1, 6 AD 7-5-10 2, 6 AD 6-4-10 1, 10 AD 6-4-10 3
5 4-4-6 3, 26 3-4-6 3, 35 4-4-6 3, 80 3-4-6 3, 87 2-3-6 3, 90 4-4-6 3, 95 3-4-6 3
- 2-3-12 3, - 6-4-10 2, - 2-4-10 2, - 5-1-5 2, - 6-1-4 1, - 3-3-5 4, - 0-1-4 1
11 Pz 5-5-8 1, 11 Pz 3-4-8 1, 11 Pz 2-4-8 1, 17 SS 3-4-8 2, 21 Pz 4-4-8 1, 21 Pz 2-3-8 2, - 1-3-3 2
19 2-4-6 3, 36 2-4-6 3, 48 1-3-6 2, 48 1-2-6 1, - 2-3-8 1
347 1-3-6 3, 361 1-3-6 3, 416 1-3-6 3, 462 1-3-6 3, 559 2-3-6 3, 719 1-3-6 2
- 3-3-8 1, - 2-1-4 5, - 1-1-3 4, - 2-1-3 1, - 1-2-4 1
"""
RANGES = {
    "metz": {
        "us-xii-art": 6, "us-xx-art": 6, "us-3army-art": 6, "ge-401art": 3, "ge-404art": 3, "ge-ss-ak113": 3,
        "ge-arko489": 3, "ge-metz-art": 2, "ge-saarbrucken-art": 3, "ge-saarpfalz-art": 4, "ge-sarre-art": 3,
        "ge-trier-art": 2,
    },
    "hurtgen": {"ge-art-1": 14, "ge-art-2": 14, "ge-art-3": 18, "us-art-1": 12, "us-86-mort": 4},
}  # fmt: skip


def sheet(text: str) -> Tally[tuple[str, str]]:
    found: Tally[tuple[str, str]] = Tally()
    for item in text.replace("\n", ",").split(","):
        if item.strip():
            *formation, figures, count = item.split()
            found[" ".join(formation), figures] += int(count)
    return found


@pytest.mark.parametrize(("game", "text", "total"), [("hurtgen", HURTGEN, 71), ("metz", METZ, 94)])
def test_the_counters_are_those_of_the_sheet(game: str, text: str, total: int) -> None:
    own: Tally[tuple[str, str]] = Tally()
    for u in load(game).counters.values():
        formation = u.division or ("luftwaffe" if u.branch == "luftwaffe" else "-")
        own[formation, f"{u.attack}-{u.defence}-{u.move}"] += 1
    assert own == sheet(text)
    assert sum(own.values()) == total


@pytest.mark.parametrize("game", RANGES)
def test_printed_ranges(game: str) -> None:
    counters = load(game).counters
    assert {i: counters[i].range for i in RANGES[game]} == RANGES[game]
    assert {counters[i].source_range for i in RANGES[game]} == {"printed"}


def test_black_counters() -> None:
    """M 2.2 and B 2.2: three counters of the Waffen-SS each, in black; Hürtgen has none."""
    ss = {
        game: [u.id for u in load(game).counters.values() if u.branch == "ss"]
        for game in ("metz", "bastogne", "hurtgen")
    }
    assert [len(ss[g]) for g in ("metz", "bastogne", "hurtgen")] == [3, 3, 0]


def test_bastognes_printed_strengths_are_marked_so() -> None:
    """B 2.2.1, 10.1.2 and 10.1.4 print figures for these counters; no other counter of the game has any."""
    figures = Tally(
        (u.side, u.type, f"{u.attack}-{u.defence}-{u.move}({u.range or '-'})")
        for u in load("bastogne").counters.values()
        if u.source_strength == "printed"
    )
    assert figures == {
        ("american", "infantry", "3-4-10(-)"): 1,
        ("german", "artillery", "2-1-6(7)"): 1,
        ("american", "artillery", "2-1-8(7)"): 3,
        ("american", "artillery", "3-1-8(9)"): 9,
        ("american", "artillery", "3-1-8(12)"): 1,
        ("american", "artillery", "3-1-8(15)"): 1,
        ("american", "artillery", "4-1-6(21)"): 1,
        ("american", "mechanized_artillery", "2-2-20(7)"): 3,
        ("american", "tank_destroyer", "3-5-20(-)"): 1,
        ("american", "tank_destroyer", "3-4-20(-)"): 1,
    }


@pytest.mark.parametrize("game", ["hurtgen", "metz", "bastogne"])
def test_backs_are_half_and_said_to_be_assumed(game: str) -> None:
    """No rulebook prints a back: each is half of the front, rounded up (R27), and marked as assumed."""
    for u in load(game).counters.values():
        assert (u.reduced_attack, u.reduced_defence) == (-(-u.attack // 2), -(-u.defence // 2)), u.id
        assert u.source_reduced == "assumed"


@pytest.mark.parametrize("game", ["hurtgen", "metz", "bastogne"])
def test_regiments_lie_in_one_division(game: str) -> None:
    divisions: dict[tuple[str, str, bool], set[str]] = {}
    for u in load(game).counters.values():
        if u.regiment and u.division and not u.regiment.startswith("CC"):
            guns = "artillery" in u.type
            divisions.setdefault((u.side, u.regiment, guns), set()).add(u.division)
    assert {k: d for k, d in divisions.items() if len(d) > 1} == {}


def test_hurtgens_regiments_have_the_battalions_that_its_rulebook_says() -> None:
    """H 2.2.1: three in an American regiment, two in a German one, one in the 16th Panzer; one of the 47th."""
    sizes = Tally(
        (u.side, u.regiment) for u in load("hurtgen").counters.values() if u.regiment and "artillery" not in u.type
    )
    assert {n for (side, r), n in sizes.items() if side == "american" and r != "47"} == {3}
    assert {n for (side, r), n in sizes.items() if side == "german" and r != "16"} == {2}
    assert sizes["german", "16"] == sizes["american", "47"] == 1

"""Every line of the printed set-ups and reinforcements (B 10.1, M 11.1, H 10.1) is in setup.yaml, and nothing else.

A line is written as place, then how many counters of what: `TYPE`, `TYPE/FORMATION` or `TYPE/FORMATION=FIGURES`,
formation being regiment or division (or corps) as the rulebook names it.
"""

from __future__ import annotations

import pytest

from hexforge.scenarios import Scenario, load
from hexforge.scenarios.schema.setup import CounterRow

SETUPS = {
    "hurtgen": """
        0209 1 infantry/89=2-3-5, 1 infantry/1023
        0210 2 infantry/1063
        0212 2 infantry/1056
        0309 1 infantry/1023, 1 fortress_infantry
        0311 1 engineer/89
        0411 1 artillery/189=1-1-3
        0412 1 artillery/189=1-1-3
        0609 1 infantry=1-1-4
        0709 1 infantry=1-1-4
        0901 1 infantry/275=2-3-5
        0903 2 infantry/985
        0905 2 infantry/984
        1003 1 engineer/275
        1007 2 infantry/983
        1402 1 artillery/275=2-1-3
        1403 1 artillery/275=1-1-3
        1406 1 infantry=1-1-4
        1511 1 artillery/275=1-1-3
        1605 1 artillery/275=1-1-3
        0101 1 artillery=2-1-4
        0102 1 artillery/28=3-1-4, 1 engineer/28
        0103 3 artillery/28
        0104 1 antitank, 1 mortar=2-2-4
        0306 1 engineer, 1 tank_destroyer
        0307 3 infantry/110
        0508 1 engineer
        0702 1 infantry/47
        0705 3 infantry/109
        0707 1 engineer
        0806 1 infantry/112
        0807 2 infantry/112, 1 armor
        T2 south 1 infantry/1055, 1 artillery/189=2-1-3
        T3 south 2 infantry/982, 1 infantry/1055
        T4 north+east 10 */116, 2 artillery=3-1-3, 1 artillery=4-1-3
        T4 north+west 3 infantry/12, 1 artillery/4=2-1-4
    """,
    "metz": """
        0523 1 armor/CCA
        0418 1 armor/CCB
        0320 1 armor/CCR
        0211 1 infantry/2
        0310 1 infantry/10
        0309 1 infantry/11
        0207 3 armor/10 AD
        0520 1 infantry/101
        0522 1 infantry/104
        0623 1 infantry/328, 1 mechanized_cavalry
        0517 1 infantry/134
        0416 1 infantry/137
        0417 1 infantry/320
        0113 1 infantry/317
        0114 1 infantry/318
        0216 1 infantry/319
        1201 3 infantry/90
        0902 1 infantry/377
        0805 1 infantry/378
        0505 1 infantry/379
        1401 1 mechanized_cavalry
        bivouac-xx 1 armor, 1 tank_destroyer, 2 engineer, 1 construction_engineer, 1 artillery
        bivouac-xii 1 armor, 1 tank_destroyer, 2 engineer, 1 artillery
        free 1 artillery=6-1-4
        1111 1 armor/15
        1011 1 armored_infantry/110
        1212 1 armored_infantry/111
        0509 1 armored_infantry/37
        0412 1 armored_infantry/38
        1204 1 infantry/59
        1004 1 infantry/73
        1103 1 infantry/74
        0314 1 infantry/126
        0312 1 infantry/127
        0615 1 infantry/128
        0823 1 infantry/951
        0922 1 infantry/952
        0721 1 infantry/953
        1502 1 infantry/712
        1302 1 infantry/713
        1602 1 infantry/714
        0707 1 infantry/1215, 1 artillery=1-1-3
        0906 1 infantry/1216
        0507 1 infantry/1217
        0717 1 infantry/1125
        0616 1 infantry/1126
        0719 1 infantry/1127
        0608 1 fortress_infantry/22, 1 fortress_infantry/25
        0607 1 security/1010
        bivouac-lxxxii 1 artillery=2-1-4
        bivouac-lxxxix 1 artillery=2-1-4
        bivouac-xiii-ss 1 artillery=2-1-4
        2514 1 artillery=1-1-3
        2418 1 artillery=2-1-3
        2210 1 artillery=1-1-3
        2205 1 artillery=1-1-3
        T2 west 3 armor/6 AD
        T12 west 1 mechanized_cavalry
        T16 west 3 infantry/87
        T1 east 1 artillery=2-1-4
        T3 south 1 armor/21 Pz, 2 armored_infantry/21 Pz, 1 infantry/87, 1 armor=3-3-8
        T3 north 1 armored_infantry/35
        T4 south 1 infantry/118
        T5 south 1 infantry/165
        T5 north 3 infantry/347
        T13 east 2 infantry/719
        T13 north 1 artillery=2-1-4
    """,
    "bastogne": """
        bivouac-2-pz 2 */2, 2 */304, 3 */74, 1 armored_engineer/2 Pz, 3 artillery/10 SS
        bivouac-26-vg+bivouac-26-vg-west 6 infantry/26 VG
        bivouac-26-vg 1 infantry/26 VG, 4 artillery/26 VG, 1 antitank/26 VG
        bivouac-2-pz+bivouac-26-vg 5 artillery/VK 766, 6 rocket/Neb 15
        bivouac-5-fj 3 parachute/14, 3 parachute/15, 3 artillery/5, 1 parachute/5 FJ
        bivouac-352-vg 2 infantry/915, 2 infantry/916, 4 artillery/352, 1 infantry/352 VG
        4917 1 engineer/352 VG
        bivouac-5-fj+bivouac-352-vg 5 artillery/VK 406, 6 rocket/Neb 18
        4023 1 engineer
        4321 1 infantry/109
        4615 1 infantry/109
        5018 1 infantry/109
        2801 1 infantry/110
        3602 1 infantry/110
        3806 1 infantry/110
        3407 1 artillery/28=2-1-8(7)
        4619 1 artillery/28=2-1-8(7)
        0709 1 artillery=3-1-8(9)
        3303 1 artillery/28=3-1-8(9)
        1011 1 artillery=3-1-8(9)
        3616 1 artillery=2-1-8(7)
        3813 1 armor/28
        3512 1 tank_destroyer/28
        2712 1 engineer/28
        1109 2 engineer
        T17 4501+5108+5112+5120 13 */Lehr
        T17 4501 2 armor/3, 1 mechanized_cavalry/2 Pz, 1 tank_destroyer/2 Pz
        T17 5120 3 parachute/13, 1 engineer/5 FJ, 1 antitank/5 FJ, 2 infantry/914, 1 antitank/352 VG
        T17 5112 1 engineer/26 VG
        T17 east 1 engineer
        T18 east 1 assault_gun/5 FJ
        T21 east 12 */79 VG
        T23 north 6 */GF, 6 */15 PzGr
        T16 north 1 armor/9 AD, 1 mechanized_infantry/9 AD, 1 mechanized_artillery/9 AD
        T18 south 1 armor/10 AD, 1 mechanized_infantry/10 AD, 1 mechanized_artillery/10 AD
        T18 north 1 artillery=3-1-8(9)
        T19 0102 18 */101
        T19 north 1 artillery=3-1-8(12)
        T20 north 1 tank_destroyer=3-5-20
        T22 south 12 */4 AD, 16 */26, 17 */80, 3 mechanized_artillery, 5 artillery=3-1-8(9), 1 artillery=4-1-6(21)
        T23 south 2 engineer, 1 tank_destroyer=3-4-20
        T24 south 1 artillery=3-1-8(15)
        T26 south 1 armor/9 AD, 1 mechanized_infantry/9 AD, 1 mechanized_artillery/9 AD, 1 tank_destroyer/9 AD
    """,
}


def printed(game: str) -> list[tuple[str, list[tuple[int, str]]]]:
    lines = []
    for line in SETUPS[game].strip().splitlines():
        words = line.split()
        place = " ".join(words[:2]) if words[0].startswith("T") else words[0]
        wanted = line.strip().removeprefix(place).split(",")
        lines.append((place, [(int(w.split()[0]), w.split(maxsplit=1)[1].strip()) for w in wanted]))
    return lines


def given(scenario: Scenario) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for p in scenario.setup.at_start:
        found.setdefault("+".join([*p.hexes, *p.areas]) or "free", []).extend(p.units)
    for r in scenario.setup.reinforcements:
        found.setdefault(f"T{r.turn} {'+'.join([*r.hexes, *r.edges])}", []).extend(r.units)
    return found


def fits(unit: CounterRow, wanted: str) -> bool:
    what, _, figures = wanted.partition("=")
    type_, _, formation = what.partition("/")
    own = f"{unit.attack}-{unit.defence}-{unit.move}"
    return (
        type_ in ("*", unit.type)
        and (not formation or formation in (unit.regiment, unit.division, unit.corps))
        and (not figures or figures in (own, f"{own}({unit.range})"))
    )


CASES = [(game, i) for game in SETUPS for i in range(len(printed(game)))]


@pytest.mark.parametrize(("game", "i"), CASES, ids=[f"{g}-{printed(g)[i][0]}" for g, i in CASES])
def test_a_printed_line_is_in_the_setup(game: str, i: int) -> None:
    scenario = load(game)
    place, wanted = printed(game)[i]
    left = list(given(scenario)[place])
    # The most particular demands choose first, so that a bare type does not take what a formation needs.
    for count, what in sorted(wanted, key=lambda w: (-w[1].count("/"), -w[1].count("="), w[1].startswith("*"))):
        chosen = [u for u in left if fits(scenario.counters[u], what)][:count]
        assert len(chosen) == count, f"{place}: {count} {what} expected among {left}"
        left = [u for u in left if u not in chosen]
    assert left == []


@pytest.mark.parametrize("game", SETUPS)
def test_the_setup_has_no_line_that_is_not_printed(game: str) -> None:
    assert set(given(load(game))) == {place for place, _ in printed(game)}


def test_metzs_withdrawals() -> None:
    """M 4.2.2."""
    scenario = load("metz")
    found = {(w.turn, frozenset(w.units), w.returns_turn, w.returns_edges) for w in scenario.setup.withdrawals}
    fourth = frozenset({"us-4ad-cca", "us-4ad-ccb", "us-4ad-ccr"})
    assert found == {
        (8, fourth, 12, ("south",)),
        (8, frozenset({"ge-106pz"}), None, ()),
        (14, frozenset({"ge-401art"}), None, ()),
        (15, fourth, None, ()),
        (17, frozenset({"us-101", "us-104"}), None, ()),
        (18, frozenset({"us-328"}), None, ()),
    }


def test_the_ss_guns_leave_bastogne() -> None:
    """B 4.2.2: the 10th SS artillery is taken off at the start of turn 17; it is the black counters of 2.2."""
    scenario = load("bastogne")
    (withdrawal,) = scenario.setup.withdrawals
    assert withdrawal.turn == 17
    assert {u.id for u in scenario.counters.values() if u.branch == "ss"} == set(withdrawal.units)
    assert len(withdrawal.units) == 3


def test_late_germans_choose_their_turn() -> None:
    """B 10.1.3: the Führer Grenadier Brigade and the 115th come when the German player wants, from turn 23 on."""
    for r in load("bastogne").setup.reinforcements:
        assert r.optional == (r.turn == 23 and r.edges == ("north",))


def test_hurtgens_americans_come_by_one_edge() -> None:
    """H 10.1.4."""
    (americans,) = (r for r in load("hurtgen").setup.reinforcements if "us-12-1" in r.units)
    assert americans.group and set(americans.edges) == {"north", "west"}

"""What ground obliges to and what it rests on: one step beside what other tests show."""

from __future__ import annotations

import pytest

from .combat_sheets import faults, play, scenario


@pytest.mark.parametrize(("works", "owes"), [("fortification 1009/1010", True), ("", False)])
def test_works_dominate_whatever_the_ground_before_them_is_worth(works: str, owes: bool) -> None:
    judged = play(
        "metz",
        f"terrain town 1009\n{works}\nunit a1 american infantry 3-3-6\nunit g1 german infantry 3-3-6\n"
        "position\na1 1009\ng1 1010\nturn 6 american movement\nairroll 3\nturn 6 american combat\n"
        "turn 6 german movement\n",
    )
    assert faults(judged) == ([("M 4.1.2", "must-attack")] if owes else [])


def test_the_course_of_a_river_on_the_printed_map_is_in_doubt() -> None:
    field = scenario("bastogne").map
    east = max(h for h in field.edges["south"] if "open" in field.terrain[h])
    judged = play(
        "bastogne",
        "unit a1 american infantry 3-4-8\nposition\ndue a1 22 south\nturn 22 american movement\n"
        f"enter a1: {east} from south\n",
        board="map printed",
    )
    (found,) = [f for f in judged.findings if f.message.key == "findings.entry-east"]
    assert (found.severity, [d.key for d in found.rests_on]) == ("doubtful", ["findings.doubt.course"])
    assert "clerf" in str(found.rests_on[0])

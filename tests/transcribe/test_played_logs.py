"""Logs that VASSAL's engine wrote of our module: what was played comes out as a sheet."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from hexforge.modulegen.vassal.commands import Chat, Log, MovePiece
from hexforge.modulegen.vassal.payload import Node, group
from hexforge.modulegen.vassal.save import read_save, save_bytes
from hexforge.scenarios.text.words import Words, catalogue, languages
from hexforge.validator.judging.check import check_logs
from hexforge.validator.judging.transcription import Transcript, transcript
from hexforge.validator.logs.chain import read_chain
from hexforge.validator.logs.locations import UNIT, unit_of
from hexforge.validator.logs.record import record_lines
from hexforge.validator.reading.sheet import read_sheet
from hexforge.validator.report import wording
from hexforge.validator.rules.findings import LOG_KINDS, Finding
from tests.transcribe.modules import PLAYED, PLAYED_HURTGEN


def played(*names: str) -> list[Path]:
    return [PLAYED_HURTGEN / f"{name}.vlog" for name in names]


def sheet_of(*names: str) -> Transcript:
    found = transcript(read_chain(played(*names)))
    assert found is not None
    return found


def codes(findings: Sequence[Finding]) -> list[tuple[str, str]]:
    return [(f.code, f.severity) for f in findings if f.severity != "info"]


def test_a_turn_comes_out_as_it_was_played() -> None:
    assert sheet_of("ana-2").text == (
        "sheet 1\n"
        "game hurtgen\n"
        'players american="Ana"\n'
        "\n"
        "turn 2 american movement\n"
        "move us-112-1: 0806 0907\n"
        "# us-112-2: dropped in 0808 first\n"
        "move us-112-2: 0807 - 0908\n"
        "move us-112-3: 0807 0908\n"
        "move us-707-tank: 0807 0907\n"
        "move us-893-td: 0306 0307 0407 0508 0607 0707\n"
        "\n"
        "turn 2 american combat\n"
        "bombard 0709 by offboard 20\n"
        "  roll 1 3\n"
        "combat 1007\n"
        "  attack us-112-1 us-112-2 us-112-3 us-707-tank\n"
        "  support offboard 30\n"
        "  roll 3 3\n"
        "  lose ge-983-1\n"
        "  eliminate ge-983-2\n"
        "  retreat ge-983-1: 1007 1107\n"
        "  advance us-112-2: 0908 1007\n"
    )


def test_a_combat_that_nobody_declared_is_read_from_what_followed() -> None:
    found = sheet_of("ana-2", "bruno-2")
    assert found.text.endswith(
        "turn 2 german combat\n"
        "# not declared, read from the dice and what followed\n"
        "combat 1007\n"
        "  attack ge-983-1\n"
        "  roll 2 2\n"
        "  lose us-112-2\n"
        "  retreat us-112-2: 1007 0907\n"
    )
    assert "enter ge-1055-1: 0812 0811 from south\n" in found.text
    slipped = [n.units for n in found.noted if n.code == "special"]
    assert [(n.code, n.severity) for n in found.noted if n.code != "special"] == [("roll", "warning")]
    assert slipped == [("us-112-2",)]


@pytest.mark.parametrize("language", ["en", "pt"])
@pytest.mark.parametrize(
    "names", [("ana-2",), ("bruno-2",), ("ana-2", "bruno-2"), ("ana-2", "bruno-2-reroll"), ("ana-2", "bruno-2-gap")]
)
def test_what_is_written_reads_back_as_what_is_judged(names: tuple[str, ...], language: str) -> None:
    found = transcript(read_chain(played(*names)), language)
    assert found is not None and found.sheet.statements
    assert read_sheet(found.text, found.sheet.source) == found.sheet


@pytest.mark.parametrize("step", [1, 2, 19])
@pytest.mark.parametrize(
    "line",
    [
        "!roll 3 3",
        "!declare who knows",
        "!combat nowhere",
        "!sheet 1",
        "!sheet 2",
        "!game metz",
        "!a1 0705 and more \\",
        "!# a remark",
        "!position",
        "!us-47-1 0703",
        "!option nothing=such",
        "!score american 3",
        "!move us-47-1: 0702 0703 \\",
        "attack us-47-1",
        "air 3",
    ],
)
def test_what_stands_in_the_wrong_place_reads_back_too(line: str, step: int, tmp_path: Path) -> None:
    found = changed(tmp_path, with_chat("ana-2", step, line, line))
    assert read_sheet(found.text, found.sheet.source) == found.sheet


def test_hints_speak_the_language_of_the_sheet(tmp_path: Path) -> None:
    path = tmp_path / "changed.vlog"
    path.write_bytes(with_chat("ana-2", 19, "!combatte 1007", "!declarar nada", "!mover us-47-1"))
    found = transcript(read_chain([path]), "pt")
    assert found is not None and len(found.sheet.problems) > 1
    assert read_sheet(found.text, found.sheet.source) == found.sheet


def test_comments_are_in_the_language_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "changed.vlog"
    path.write_bytes(with_chat("ana-2", 2, "move us-47-1: 0702 0703"))
    found = transcript(read_chain([path]), "pt")
    assert found is not None and "# us-47-1: a peça não foi movida assim" in found.lines


@pytest.mark.parametrize("language", languages())
def test_notes_have_words_in_every_language(language: str) -> None:
    told = catalogue("logs", language)
    assert {k.removeprefix("note.") for k in told if k.startswith("note.")} >= set(LOG_KINDS)
    assert set(told) == set(catalogue("logs", "en"))


def test_notes_are_said_in_the_language_of_the_reader() -> None:
    answer = check_logs(played("ana-2", "bruno-2-gap"))
    (finding,) = (f for f in answer.findings if f.code == "log-chain")
    assert "não começa da posição em que ana-2.vlog termina" in answer.words("pt").say(finding.message)


@pytest.mark.parametrize("odd", ["", "a b", "a1\nturn 3 american combat", 'x"y', "#", "US-1", "é"])
def test_a_piece_with_an_id_that_no_sheet_could_name_is_no_unit(odd: str) -> None:
    assert unit_of({UNIT: odd}) == ""
    assert unit_of({UNIT: "us-112-1"}) == "us-112-1"


def test_lines_know_their_steps() -> None:
    found = sheet_of("ana-2", "bruno-2")
    at = dict(zip(found.lines, found.origins, strict=True))
    assert (at["  advance us-112-2: 0908 1007"].log, at["  advance us-112-2: 0908 1007"].step) == ("ana-2.vlog", 23)
    assert (at["  lose us-112-2"].log, at["  lose us-112-2"].step) == ("bruno-2.vlog", 5)


def test_dice_taken_back_and_thrown_again_are_found() -> None:
    answer = check_logs(played("ana-2", "bruno-2-reroll"))
    (finding,) = (f for f in answer.findings if f.code == "undone-roll")
    assert finding.severity == "illegal"
    assert answer.quote(finding.line) == "roll 6 1"
    assert answer.steps[finding.line] == ("bruno-2-reroll.vlog", 6)
    assert "5 5" in str(finding.message) and "5 5" in Words("pt").say(finding.message)
    assert "roll 5 5" not in "\n".join(answer.lines)


def test_a_broken_chain_is_found() -> None:
    sound = check_logs(played("ana-2", "bruno-2"))
    broken = check_logs(played("ana-2", "bruno-2-gap"))
    assert "log-chain" not in {f.code for f in sound.findings}
    (finding,) = (f for f in broken.findings if f.code == "log-chain")
    assert finding.severity == "illegal"
    assert "us-112-1 0907 -> 0806" in str(finding.message)


def test_a_log_alone_begins_from_its_own_position() -> None:
    text = sheet_of("bruno-2").text
    assert "position\n" in text
    assert "  ge-983-1 1107 reduced\n" in text
    assert "  us-112-2 1007\n" in text
    assert "ge-983-2 " not in text
    assert "  lost german infantry" in text
    answer = check_logs(played("bruno-2"))
    assert answer.position is not None and answer.position.hex_of("us-112-2") == "0907"


def test_portuguese_words_are_understood_and_written() -> None:
    assert "combat 0907\n  attack ge-983-1\n" in sheet_of("ana-2", "bruno-2-reroll").text
    found = transcript(read_chain(played("ana-2")), "pt")
    assert found is not None
    assert "mover us-112-1: 0806 0907" in found.lines


def with_chat(name: str, step: int, *texts: str) -> bytes:
    """A played log with other lines said just before a step."""
    game = read_save(PLAYED_HURTGEN / f"{name}.vlog")
    nodes: list[Node] = []
    seen = 0
    for node in game.nodes:
        if node.is_log_entry:
            seen += 1
            if seen == step:
                nodes += [group(Log(Chat(f"&lt;Ana&gt; - {text}"))) for text in texts]
        nodes.append(node)
    return save_bytes(group(*nodes), game.module, game.saved)


def changed(tmp_path: Path, data: bytes) -> Transcript:
    path = tmp_path / "changed.vlog"
    path.write_bytes(data)
    found = transcript(read_chain([path]))
    assert found is not None
    return found


@pytest.mark.parametrize(
    "talk",
    [
        "attack now!",
        "lose hope",
        "result excellent",
        "move over",
        "combat tomorrow",
        "air superiority",
        "game on",
        "retreat, you fool: 0806 0907",
        "*** 2d6: 6,6 *** &lt;Ana&gt;",
        "* UNDO: *** 2d6: 1,3 ***",
    ],
)
def test_talk_stays_talk(talk: str, tmp_path: Path) -> None:
    assert changed(tmp_path, with_chat("ana-2", 19, talk)).text == sheet_of("ana-2").text


def test_a_line_with_a_mark_is_taken_as_it_stands(tmp_path: Path) -> None:
    found = changed(tmp_path, with_chat("ana-2", 19, "!  declare who knows"))
    assert "  declare who knows" in found.lines


def test_a_way_may_be_told_after_the_drag_too(tmp_path: Path) -> None:
    before = changed(tmp_path, with_chat("ana-2", 2, "move us-112-1: 0806 0807 0907")).text
    after = changed(tmp_path, with_chat("ana-2", 3, "move us-112-1: 0806 0807 0907")).text
    for text in (before, after):
        assert [line for line in text.splitlines() if "us-112-1:" in line] == ["move us-112-1: 0806 0807 0907"]


def test_a_declared_move_that_was_not_made_is_said(tmp_path: Path) -> None:
    text = changed(tmp_path, with_chat("ana-2", 2, "move us-47-1: 0702 0703")).text
    assert "move us-47-1: 0702 0703\n" in text
    assert "# us-47-1: the counter was not moved so\n" in text


def test_typed_dice_that_are_not_those_of_the_log_are_found(tmp_path: Path) -> None:
    found = changed(tmp_path, with_chat("ana-2", 19, "roll 6 6"))
    (note,) = (n for n in found.noted if n.code == "roll")
    assert note.severity == "illegal" and "6 6" in str(note.message) and "3 3" in str(note.message)
    right = changed(tmp_path, with_chat("ana-2", 19, "roll 3 3"))
    assert {n.code for n in right.noted} == {"special"} and right.text == sheet_of("ana-2").text


def test_records_of_any_module_tell_moves_dice_and_talk() -> None:
    lines = [text for text, _ in record_lines(read_chain([PLAYED / "a.vlog", PLAYED / "b-reroll.vlog"]))]
    text = "\n".join(lines)
    for told in ("red1: 0303 -> 0404", "1d6: 4", "<Alice> - Attack on 0505", "takes back step 2", "Bob (Blue)"):
        assert told in text


def test_a_log_of_another_module_is_judged_as_a_log() -> None:
    broken = check_logs([PLAYED / "a.vlog", PLAYED / "b-gap.vlog"])
    assert codes(broken.findings) == [("log-chain", "illegal")]
    rerolled = check_logs([PLAYED / "b-reroll.vlog"])
    assert codes(rerolled.findings) == [("undone-roll", "illegal")]
    assert rerolled.steps[rerolled.findings[-1].line] == ("b-reroll.vlog", 4)
    whole = check_logs([PLAYED / "a.vlog"])
    assert (whole.verdict, whole.as_json()["without_rules"]) == ("legal", True)
    # Nobody may take it for legal, who reads it.
    assert wording.verdict(whole, Words("en")) == "not judged by rules"
    assert wording.verdict(broken, Words("en")) == "illegal"


def test_a_log_begun_before_the_last_was_stepped_through_is_said() -> None:
    """`b.vlog` was begun with `a.vlog` loaded, but from its beginning: red1 stands where it stood before a."""
    answer = check_logs([PLAYED / "a.vlog", PLAYED / "b.vlog"])
    assert codes(answer.findings) == [("special", "warning")]
    assert any("not stepped through" in str(f.message) for f in answer.findings)


@pytest.mark.foreign
def test_throws_that_are_in_no_log_are_found(shared_data: Path) -> None:
    answer = check_logs([shared_data / "vasl-multiple-1.vlog", shared_data / "vasl-multiple-2.vlog"])
    assert any(
        f.code == "log-chain" and "Bob" in str(f.message) and "5, then 8" in str(f.message) for f in answer.findings
    )
    alone = check_logs([shared_data / "vasl-multiple-1.vlog"])
    assert not [f for f in alone.findings if f.code == "log-chain"]


def test_moves_carry_their_player() -> None:
    game = read_save(PLAYED_HURTGEN / "ana-2.vlog")
    moves = [c for node in game.steps for c in node.commands() if isinstance(c, MovePiece)]
    assert moves and all(m.player is not None for m in moves)

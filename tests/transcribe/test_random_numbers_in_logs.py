"""Logs that carry their random numbers: what is found when they do not fit, and silence where there are none."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from hexforge.modulegen.vassal.proposed.javarandom import JavaRandom
from hexforge.modulegen.vassal.save import read_save, save_bytes
from hexforge.modulegen.vassal.tree import ESC, read_tree
from hexforge.scenarios.words import Words
from hexforge.validator import transcribe
from hexforge.validator.transcribe import chain as chain_module
from hexforge.validator.transcribe import record as record_module
from hexforge.validator.transcribe.chain import Chain, read_chain
from hexforge.validator.transcribe.judged import check_logs
from hexforge.validator.transcribe.proposed.random_numbers import stream_of, told
from hexforge.validator.transcribe.record import record_data, record_lines
from tests.transcribe.modules import PLAYED_HURTGEN
from tests.vassal.drawn import Table, Tree, encoded, log_text, seed_for, text_of


def write(
    folder: Path, name: str, table: Table, entries: Sequence[Tree], start: Sequence[Tree] | None = None
) -> Path:
    """A log of any module, begun at a table."""
    path = folder / f"{name}.vlog"
    path.write_text(log_text([table.begin()] if start is None else start, entries))
    return path


def notes(chain: Chain) -> list[tuple[str, str, str, int]]:
    return [(n.code, n.severity, n.origin.log, n.origin.step) for n in chain.noted if n.severity != "info"]


def said(chain: Chain, lang: str = "en") -> str:
    return "\n".join(Words(lang).say(n.message) for n in chain.noted)


@pytest.fixture
def table() -> Table:
    return Table(2026)


def test_logs_that_fit_are_called_so(tmp_path: Path, table: Table) -> None:
    one = write(tmp_path, "one", table, [*table.throw(), *table.throw(1, 10, "d10")])
    # VASSAL draws before it writes, and begins a log before anything is drawn in it.
    table = Table(2026)
    start = table.begin()
    one = write(tmp_path, "one", table, [*table.throw(), *table.throw(1, 10, "d10")], [start])
    start = table.begin()
    two = write(tmp_path, "two", table, [*table.throw(3, 6, "3d6")], [start])
    chain = read_chain([one, two])
    assert notes(chain) == []
    assert said(chain) == (
        "all 6 random numbers are those that the seeds give, and each log's seed follows from the log before it"
    )
    assert "os 6 números aleatórios são os que as sementes dão" in said(chain, "pt")
    answer = check_logs([one, two])
    assert answer.verdict == "legal"
    lines = [text for text, _ in record_lines(chain)]
    stream = stream_of(chain.logs[0])
    seed = stream.seed if stream else None
    assert f"# random numbers: seed {seed}, 3 drawn, 3 as the seed gives them" in lines
    assert any("random numbers: " in line and line.count(" (0-5)") == 2 for line in lines)
    data = record_data(chain)
    assert data["logs"][0]["random_numbers"] == {"seed": str(seed), "numbers": 3, "as_the_seed_gives": 3}
    json.dumps(data)


def begun(table: Table, entries: int = 3) -> tuple[Tree, list[Tree]]:
    """The start of a log and some throws."""
    start = table.begin()
    return start, [tree for _ in range(entries) for tree in table.throw()]


def test_a_die_that_was_changed_is_found_in_both_places(tmp_path: Path, table: Table) -> None:
    start, entries = begun(table)
    drawn = str(entries[3])
    number = int(drawn.split(";")[2])
    other = (number + 1) % 6
    # Changed in the number only: the dice that are shown tell what was drawn.
    entries[3] = text_of("M", other, 6)
    chain = read_chain([write(tmp_path, "log", table, entries, [start])])
    assert notes(chain) == [("log-chain", "illegal", "log.vlog", 2), ("roll", "illegal", "log.vlog", 2)]
    assert f"step 2 (0 to 5) is {other}; the seed gives {number}" in said(chain)
    assert f"passo 2 (de 0 a 5) é {other}; a semente dá {number}" in said(chain, "pt")
    answer = check_logs([tmp_path / "log.vlog"])
    assert answer.verdict == "illegal"
    assert {f.code for f in answer.findings if f.severity == "illegal"} == {"log-chain", "roll"}
    # Changed in the report only.
    start, entries = begun(again := Table(5))
    faces = [int(str(e).split(";")[2]) + 1 for e in entries[:2]]
    shown = [6, 6] if faces != [6, 6] else [1, 1]
    entries[2] = (f"CHAT*** 2d6 = {shown[0]},{shown[1]} *** &lt;Ana&gt;",)
    chain = read_chain([write(tmp_path, "told", again, entries, [start])])
    assert notes(chain) == [("roll", "illegal", "told.vlog", 1)]
    assert said(chain) == (
        f"2d6 shows {shown[0]} {shown[1]}; the random numbers drawn for it give {faces[0]} {faces[1]}"
    )
    assert "2d6 mostra" in said(chain, "pt")


def test_dice_in_any_order_and_with_something_added_are_no_finding(tmp_path: Path, table: Table) -> None:
    start = table.begin()
    entries: list[Tree] = []
    for _ in range(6):
        drawn = [table.die() for _ in range(2)]
        faces = ",".join(str(face + 2) for _, face in sorted(drawn, key=lambda d: -d[1]))
        entries += [*(text for text, _ in drawn), f"CHAT*** morale = {faces} *** &lt;Ana&gt;"]
        # Three thrown, two of them kept: what was drawn for which cannot be told.
        kept = [table.die() for _ in range(3)]
        entries += [*(text for text, _ in kept), "CHAT*** best = 1,1 *** &lt;Ana&gt;"]
        # A deck is shuffled, and then a die thrown.
        entries += [table.any("M", bound) for bound in (4, 3, 2)]
        entries += table.throw(1, 6, "1d6")
    assert notes(read_chain([write(tmp_path, "log", table, entries, [start])])) == []


def test_dice_for_which_nothing_was_drawn_are_told(tmp_path: Path, table: Table) -> None:
    start, entries = begun(table)
    entries.append("CHAT*** 2d6 = 6,6 *** &lt;Ana&gt;")
    chain = read_chain([write(tmp_path, "log", table, entries, [start])])
    assert notes(chain) == [("roll", "warning", "log.vlog", 4)]
    assert "2d6 shows 6 6, but no random numbers were drawn for it" in said(chain)


def test_numbers_left_out_of_a_log_are_counted(tmp_path: Path, table: Table) -> None:
    start, entries = begun(table, 12)
    del entries[3:9]
    chain = read_chain([write(tmp_path, "log", table, entries, [start])])
    assert notes(chain) == [("log-chain", "illegal", "log.vlog", 2)]
    assert said(chain) == "before step 2, 4 random numbers were drawn that are not in log.vlog"
    assert "foram sorteados 4 números aleatórios que não estão em log.vlog" in said(chain, "pt")


def pair(folder: Path, between: int = 0, seed: int | None = None) -> list[Path]:
    """Two logs of which the second was begun after so many numbers more, or at another table."""
    table = Table(77)
    start, entries = begun(table, 10)
    one = write(folder, "one", table, entries, [start])
    for _ in range(between):
        table.random.next_int(6)
    table = table if seed is None else Table(seed)
    start, entries = begun(table)
    return [one, write(folder, "two", table, entries, [start])]


def test_numbers_drawn_between_two_logs_are_counted(tmp_path: Path) -> None:
    chain = read_chain(pair(tmp_path, between=4))
    assert notes(chain) == [("log-chain", "illegal", "two.vlog", 0)]
    assert said(chain) == (
        "between the end of one.vlog and the beginning of two.vlog, 4 random numbers were drawn that are in "
        "neither of them"
    )


def test_a_seed_from_elsewhere_is_a_fact_and_no_verdict(tmp_path: Path) -> None:
    logs = pair(tmp_path, seed=1234)
    chain = read_chain(logs)
    assert notes(chain) == [("log-chain", "warning", "two.vlog", 0)]
    assert "such as a saved game" in said(chain) and "como um jogo salvo" in said(chain, "pt")
    assert check_logs(logs).verdict == "legal"


def test_a_log_begun_from_the_middle_of_another(tmp_path: Path) -> None:
    table = Table(9)
    start, entries = begun(table)
    middle = JavaRandom(0)
    middle.become(table.random)
    one = write(tmp_path, "one", table, [*entries, *table.throw(), *table.throw()], [start])
    table.random.become(middle)
    start, entries = begun(table)
    chain = read_chain([one, write(tmp_path, "two", table, entries, [start])])
    assert notes(chain) == [("log-chain", "illegal", "two.vlog", 0)]
    assert said(chain) == "the random numbers of two.vlog continue those of one.vlog from step 3, not from its end"


def test_a_log_begun_before_the_other_was_played_to_its_end(tmp_path: Path) -> None:
    # VASSAL then takes the other's seed once more.
    table = Table(9)
    start, entries = begun(table)
    assert isinstance(start, tuple)
    one = write(tmp_path, "one", table, entries, [start])
    chain = read_chain([one, write(tmp_path, "two", table, entries[:3], [start])])
    assert notes(chain) == [("special", "warning", "two.vlog", 0)]
    assert "begins with the seed of one.vlog again" in said(chain)


def test_logs_without_random_numbers_stay_silent(tmp_path: Path) -> None:
    logs = [write(tmp_path, name, Table(1), ["CHAT*** 2d6 = 3,4 *** &lt;Ana&gt;"], []) for name in ("one", "two")]
    chain = read_chain(logs)
    assert chain.noted == ()
    assert all(stream_of(log) is None for log in chain.logs)
    assert "random" not in "\n".join(text for text, _ in record_lines(chain))
    for mixed in (pair(tmp_path / "."),):
        assert notes(read_chain([logs[0], mixed[1]])) == []


def test_nothing_is_said_of_what_follows_a_log_that_was_cut_off(tmp_path: Path) -> None:
    one, two = pair(tmp_path)
    data = save_bytes(read_save(one).root)
    one.write_bytes(data[: len(data) * 2 // 3])
    chain = read_chain([one, two], salvage=True)
    stream = stream_of(chain.logs[0])
    assert stream is not None and stream.fitting < 20
    assert notes(chain) == [("log-chain", "doubtful", "one.vlog", len(chain.logs[0].told))]
    assert "damaged" in said(chain)


def test_dice_can_be_taken_back_where_numbers_are_entries_of_their_own(tmp_path: Path, table: Table) -> None:
    # As they would be without the backslash that hangs them together with what follows.
    start = table.begin()
    assert isinstance(start, tuple)
    thrown = table.throw()
    shown = encoded(thrown[-1]).split("\t")[-2]
    undo = ("UNDO\ttrue", f"MutableProperty\t2d6_result\t{shown}\t\tModule", "UNDO\tfalse")
    loose = [e.removesuffix("\\") if isinstance(e, str) else e for e in (*thrown, undo, *table.throw())]
    path = write(tmp_path, "log", table, loose, [tuple(str(part).removesuffix("\\") for part in start)])
    chain = read_chain([path])
    assert len(chain.logs[0].told) == 7
    assert [t.origin.step for t in chain.logs[0].told if t.undone] == [3]
    assert notes(chain) == [("undone-roll", "illegal", "log.vlog", 7)]


def with_numbers(name: str, folder: Path, *throws: Sequence[int], changed: bool = False) -> Path:
    """A log that VASSAL's engine wrote, as it would be with the numbers of its dice."""
    game = read_save(PLAYED_HURTGEN / f"{name}.vlog")
    seed = seed_for([face for faces in throws for face in faces])
    random = JavaRandom(seed)
    waiting = list(throws)
    parts: list[bytes] = []
    for node in game.nodes:
        text = node.encode()
        if text == b"end_save":
            parts.append(encoded((text_of("L", seed, 0), text_of("Z", seed, 0))).replace("\x1b", "\\\x1b").encode())
        if node.is_log_entry and b"CHAT*** 2d6" in text and waiting:
            for _ in waiting.pop(0):
                number = random.next_int(6)
                parts.append(b"LOG\t" + text_of("M", (number + 1) % 6 if changed else number, 6).encode())
        parts.append(text.replace(ESC, b"\\" + ESC))
    (root,) = read_tree(ESC.join(parts).replace(ESC, b"\\" + ESC))[0].parts
    path = folder / f"{name}.vlog"
    path.write_bytes(save_bytes(root.parts[0] if len(root.parts) == 1 else root, game.module, game.saved))
    return path


def test_a_game_of_ours_is_told_as_without_the_numbers(tmp_path: Path) -> None:
    plain = check_logs([PLAYED_HURTGEN / "ana-2.vlog"])
    sound = check_logs([with_numbers("ana-2", tmp_path, (1, 3), (3, 3))])
    assert sound.lines == plain.lines
    more = [f for f in sound.findings if f not in plain.findings]
    assert [(f.code, f.severity, str(f.message)) for f in more if f.severity == "info"] == [
        ("special", "info", "all 4 random numbers are those that the seed gives")
    ]
    assert sound.verdict == plain.verdict


def test_a_game_of_ours_with_other_dice_than_were_drawn(tmp_path: Path) -> None:
    answer = check_logs([with_numbers("ana-2", tmp_path, (1, 3), (3, 3), changed=True)])
    found = [(f.code, f.severity) for f in answer.findings if f.code in ("log-chain", "roll")]
    assert found.count(("roll", "illegal")) == 2
    assert ("log-chain", "illegal") in found
    (dice,) = (f for f in answer.findings if "give 2 4" in str(f.message))
    assert answer.quote(dice.line) == "roll 1 3"
    assert answer.verdict == "illegal"


def test_the_line_of_a_log_without_a_seed(tmp_path: Path, table: Table) -> None:
    path = write(tmp_path, "log", table, [text_of("I", 5)], [])
    line = told(read_chain([path]).logs[0])
    assert line is not None
    assert Words("en").say(line) == "random numbers: 1, without a seed"
    assert Words("pt").say(line) == "números aleatórios: 1, sem semente"


def test_one_line_alone_knows_of_what_is_proposed(
    tmp_path: Path, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = Path(transcribe.__file__).parent
    sources = [p for p in here.parent.rglob("*.py") if p.parent.name != "proposed"]
    naming = [(p.name, line) for p in sources for line in p.read_text("utf-8").splitlines() if "proposed" in line]
    assert naming == [("extras.py", "from hexforge.validator.transcribe.proposed import random_numbers")]
    path = write(tmp_path, "log", table, [text_of("I", 5)], [])
    for module in (chain_module, record_module):
        monkeypatch.setattr(module, "EXTRAS", ())
    chain = read_chain([path])
    assert "random_numbers" not in record_data(chain)["logs"][0]
    assert not any("seed" in text for text, _ in record_lines(chain))

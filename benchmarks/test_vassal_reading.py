"""How fast saves and logs are read: the disguise, the tree, the commands, a position, a whole inspection.

Run with `pytest benchmarks/test_vassal_reading.py`. Rates are in bytes of text, printed as extra information.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks import heavy
from hexforge.modulegen.vassal.archive import Archive
from hexforge.modulegen.vassal.commands import read_command
from hexforge.modulegen.vassal.payload import (
    MAX_DOINGS,
    MAX_STEPS,
    Format,
    decode_payload,
    encode_payload,
    read_tree,
)
from hexforge.modulegen.vassal.replay import LogReplay
from hexforge.modulegen.vassal.save import SavedGame, read_save
from hexforge.validator.judging.check import judge
from hexforge.validator.logs.chain import read_chain
from hexforge.validator.logs.record import record_lines
from hexforge.validator.notation.records import Attached
from hexforge.validator.reading.assembly import MAX_STATEMENTS
from hexforge.validator.reading.sheet import read_sheet

PLAYED = Path(__file__).resolve().parents[1] / "tests" / "data" / "played"


@pytest.fixture(scope="module")
def large() -> bytes:
    """Eleven megabytes of a log's text, made of a small log's pieces, each with an id of its own."""
    with Archive(PLAYED / "a.vlog") as archive:
        text = decode_payload(archive.read("savedGame")).text.decode()
    head, _, rest = text.partition("+/1003/")
    piece = rest.partition("\\\x1b")[0]
    pieces = "\\\x1b".join(f"+/{number}/{piece}" for number in range(10_000, 44_000))
    return f"{head}{pieces}\\\x1b+/1003/{rest}".encode()


@pytest.fixture(scope="module")
def game(large: bytes) -> SavedGame:
    return read_save(encode_payload(large))


def rate(benchmark: Any, size: int) -> None:
    if benchmark.stats is not None:
        benchmark.extra_info["MB/s"] = round(size / 1e6 / benchmark.stats.stats.min, 1)


@pytest.mark.parametrize("kind", [Format.HEX, Format.RAW])
def test_take_off_the_disguise(benchmark: Any, large: bytes, kind: Format) -> None:
    stored = encode_payload(large, kind)
    assert benchmark(decode_payload, stored).text == large
    rate(benchmark, len(large))


@pytest.mark.parametrize("kind", [Format.HEX, Format.RAW])
def test_put_on_the_disguise(benchmark: Any, large: bytes, kind: Format) -> None:
    assert benchmark(encode_payload, large, kind)
    rate(benchmark, len(large))


def test_split_and_decode(benchmark: Any, large: bytes) -> None:
    def decode_all() -> int:
        root, _ = read_tree(large)
        return len([leaf for leaf in root.leaves() if read_command(leaf.text)])

    assert benchmark(decode_all) > 34_000
    rate(benchmark, len(large))


def test_encode(benchmark: Any, game: SavedGame, large: bytes) -> None:
    assert benchmark(game.root.encode) == large
    rate(benchmark, len(large))


def test_position(benchmark: Any, game: SavedGame) -> None:
    replay = benchmark(LogReplay, game)
    assert len(replay.position.pieces) == 34_003


def test_play_to_the_end_and_back(benchmark: Any, game: SavedGame) -> None:
    replay = LogReplay(game)

    def there_and_back() -> None:
        replay.goto(-1)
        replay.goto(0)

    benchmark(there_and_back)


@pytest.mark.foreign
def test_inspect_a_large_log_as_a_process(benchmark: Any) -> None:
    code = "import sys; from hexforge.modulegen.vassal.inspect import as_json; print(as_json(sys.argv[1]))"
    project = Path(__file__).resolve().parents[1]
    path = Path(os.environ.get("HEXFORGE_SHARED", project.parent / "shared")) / "data" / "ccn-tutorial.vlog"
    if not path.exists():
        pytest.skip(f"other people's VASSAL files are not here ({path.parent})")

    def inspect() -> bytes:
        return subprocess.run([sys.executable, "-c", code, str(path)], check=True, capture_output=True).stdout

    assert b"45025" in benchmark.pedantic(inspect, rounds=5, warmup_rounds=1)


@pytest.mark.parametrize("log", [False, True], ids=["inspect a save", "transcribe a log"])
def test_pieces_of_many_traits(benchmark: Any, tmp_path: Path, log: bool) -> None:
    """In multiples of taking off the disguise, which nothing can do without (seconds of processor)."""
    path = heavy.write(tmp_path / ("heavy.vlog" if log else "heavy.vsav"), log=log)

    def once(work: str) -> float:
        command = [sys.executable, "-m", "benchmarks.heavy", work, str(path), str(PLAYED / "a.vlog")]
        return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)

    whole = "transcribe" if log else "inspect"
    benchmark.pedantic(once, [whole], rounds=3)
    benchmark.extra_info["times bare"] = round(min(map(once, [whole] * 5)) / min(map(once, ["bare"] * 5)), 1)


@pytest.mark.parametrize("kind", ["undone throws", "chat", "much chat", "drags", "nothing"])
def test_many_small_actions(benchmark: Any, kind: str) -> None:
    """A file of some kilobytes that tells of as many actions as a log may have."""
    throw = "CHAT*** 1d6 = 3 *** <A>"
    undo = f"UNDO\ttrue\\\x1bLOG\tCHAT* UNDO: {throw[4:]}\\\x1bLOG\tUNDO\tfalse"
    places = [(n % 900, n // 900) for n in range(MAX_STEPS)]
    said = (MAX_DOINGS - 1000) // MAX_STEPS
    steps = {
        "undone throws": [throw, undo] * (MAX_STEPS // 2),
        "chat": [f"CHAT<A> - hello {n}" for n in range(MAX_STEPS)],
        "much chat": ["\\\x1bLOG\t".join(f"CHATa{n % 50 * 20 + i}" for i in range(said)) for n in range(MAX_STEPS)],
        "drags": [f"M/{i}/M/{x + 1}/{i}/null/M/{x}/{i}/null/pw\\\x1bLOG\tCHAT* x{i} moves *" for i, x in places],
        "nothing": [""] * MAX_STEPS,
    }[kind]
    pieces = [f"+/{i}/piece;;;a;x{i}/M;0;{i};{i};0" for i in range(900)]
    restore = ["begin_save", "PLAYER\tpw\tA\tB", *pieces, "end_save"]
    text = "\x1b".join([*restore, *(f"LOG\t{s}" for s in steps)]).encode()
    attached = Attached("a.vlog", encode_payload(text), True)
    lines = benchmark.pedantic(lambda: record_lines(read_chain([attached])), rounds=3)
    assert len(lines) >= (MAX_STEPS if kind != "nothing" else 1)
    rate(benchmark, len(text))


def test_a_sheet_of_units_that_nobody_knows(benchmark: Any) -> None:
    """Half as many statements as a sheet may have, each of them a move of a unit that there is not."""
    head = "sheet 1\ngame hurtgen\npartial\nturn 2 american movement\n"
    text = head + "".join(f"move us-{n}-x: 0705 0805\n" for n in range(MAX_STATEMENTS // 2))
    answer = benchmark.pedantic(lambda: judge(read_sheet(text)), rounds=1)
    assert len(answer.findings) >= MAX_STATEMENTS // 2

"""A build that is stopped, killed, run twice at once, or finds its cache spoilt."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hexforge.modulegen.draw import Cache
from hexforge.scenarios.text.files import PART, put, staged
from hexforge.validator.report.workbook import WorkbookPage, opened
from tests.commands import here, process
from tests.examples import leading

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals and sessions of POSIX")


def children(session: int) -> list[str]:
    """Processes of a session that still run."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            words = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(words[3]) == session and words[0] != "Z":
            found.append(stat.parent.name)
    return found


@pytest.fixture
def building(tmp_path: Path, game: Path) -> Iterator[subprocess.Popen[str]]:
    """A build that is drawing, in a session of its own, over a module that stands there already."""
    out = tmp_path / "dist"
    out.mkdir()
    (out / "RiverWar.vmod").write_bytes(b"what stood here before")
    words = [
        sys.executable,
        "-m",
        "hexforge.modulegen",
        "build",
        str(game),
        "--out",
        str(out),
        "--no-cache",
        "--jobs",
        "2",
    ]
    with subprocess.Popen(
        [*words, "--scale", "3"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as begun:
        deadline = time.monotonic() + 60
        while len(children(begun.pid)) < 3 and begun.poll() is None and time.monotonic() < deadline:
            time.sleep(0.02)
        assert begun.poll() is None, begun.stdout and begun.stdout.read()
        try:
            yield begun
        finally:
            for left in children(begun.pid):
                os.kill(int(left), signal.SIGKILL)


def gone(session: int) -> bool:
    deadline = time.monotonic() + 10
    while children(session) and time.monotonic() < deadline:
        time.sleep(0.05)
    return not children(session)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="counts processes in /proc")
@pytest.mark.parametrize("how", leading(2, ["keyboard", "SIGKILL", "SIGINT", "SIGTERM"]))
def test_a_stopped_build_leaves_nothing_behind(building: subprocess.Popen[str], tmp_path: Path, how: str) -> None:
    if how == "keyboard":  # the terminal sends it to every process in the foreground
        os.killpg(building.pid, signal.SIGINT)
    else:
        building.send_signal(getattr(signal, how))
    said, _ = building.communicate(timeout=30)
    assert gone(building.pid), "a drawing process has outlived the build"
    assert [p.name for p in (tmp_path / "dist").iterdir()] == ["RiverWar.vmod"]
    assert (tmp_path / "dist" / "RiverWar.vmod").read_bytes() == b"what stood here before"
    if how != "SIGKILL":
        assert said == "modulegen: stopped\n"
        # Python itself ends by the signal if it came while a class was being made.
        assert building.returncode in (130, -signal.SIGINT)


SLOW_TO_END = """
import os, signal, time
import click
from hexforge.modulegen import cli_build
from hexforge.scenarios.commands import answered
cli_build.PATIENCE = 0.2

@click.command("modulegen")
def work():
    with answered(), cli_build._ended_in_order():
        try:
            os.kill(os.getpid(), signal.SIGTERM)
            time.sleep(60)
        finally:
            time.sleep(60)
work()
"""


def test_what_does_not_end_in_time_is_ended_and_says_so() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SLOW_TO_END], capture_output=True, text=True, timeout=30, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "modulegen: stopped\n")


def test_half_files_of_the_killed_are_removed_by_the_next(tmp_path: Path) -> None:
    target = tmp_path / "A [1].vmod"
    old = tmp_path / f".{target.name}.abc{PART}"
    young = tmp_path / f".{target.name}.def{PART}"
    other = tmp_path / f".B.vmod.abc{PART}"
    for path in (old, young, other):
        path.write_bytes(b"half")
    for path in (old, other):
        os.utime(path, (time.time() - 3600, time.time() - 3600))
    killed, alive = (tmp_path / f".{target.name}.{number}-ab{PART}" for number in (999_999_999, os.getpid()))
    for path in (killed, alive):
        path.write_bytes(b"half")
    put(target, b"whole")
    assert {p.name for p in tmp_path.iterdir()} == {target.name, young.name, other.name, alive.name}


def test_errors_of_writing_name_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(IsADirectoryError, match="folder"):
        put(tmp_path / "folder", b"x")
    with pytest.raises(FileNotFoundError) as caught:
        put(tmp_path / "none" / "x", b"x")
    assert caught.value.filename == str(tmp_path / "none")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match=r"x\.vmod"):
        put(tmp_path / "x.vmod", b"x")


KILLED_WHILE_WRITING = """
import os, signal, sys
from hexforge.scenarios.text.files import put
os.fsync = lambda _: os.kill(os.getpid(), signal.SIGKILL)
put(sys.argv[1], b"half")
"""


@pytest.mark.skipif(not hasattr(os, "O_TMPFILE"), reason="files without a name are Linux's")
def test_a_writer_that_is_killed_leaves_nothing(tmp_path: Path) -> None:
    put(tmp_path / "x", b"old")
    subprocess.run([sys.executable, "-c", KILLED_WHILE_WRITING, str(tmp_path / "x")], timeout=30, check=False)
    assert [(p.name, p.read_bytes()) for p in tmp_path.iterdir()] == [("x", b"old")]


@pytest.mark.parametrize("there", [True, False])
def test_a_folder_comes_whole_or_not_at_all(tmp_path: Path, there: bool) -> None:
    folder = tmp_path / "a" / "b"
    if there:
        folder.mkdir(parents=True)
        (folder / "mine").write_text("stays")
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(OSError, match="No space") as caught, staged(folder) as stage:
        (stage / "one").write_text("half")
        raise OSError(28, "No space left on device", str(stage / "two"))
    assert caught.value.filename == str(folder / "two")
    assert sorted(tmp_path.rglob("*")) == before
    with staged(folder) as stage:
        (stage / "sub").mkdir()
        (stage / "sub" / "one").write_text("whole")
    assert (folder / "sub" / "one").read_text() == "whole"
    assert {p.name for p in folder.iterdir()} == ({"mine", "sub"} if there else {"sub"})


def test_names_may_be_as_long_as_the_file_system_has_them(tmp_path: Path) -> None:
    target = tmp_path / ("é" * 120 + ".vmod")
    put(target, b"whole")
    assert target.read_bytes() == b"whole"


def test_two_builds_at_once_into_one_folder(game: Path, tmp_path: Path) -> None:
    out = tmp_path / "dist"
    words = [sys.executable, "-m", "hexforge.modulegen", "build", str(game), "--out", str(out), "--jobs", "1"]
    env = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")}
    both = [
        subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env)
        for _ in range(2)
    ]
    for build in both:
        said, complaint = build.communicate(timeout=120)
        assert (build.returncode, complaint) == (0, "")
        assert "version" in said
    assert [p.name for p in out.iterdir()] == ["RiverWar.vmod"]
    assert not list((tmp_path / "cache").rglob(f"*{PART}"))


HARMS: tuple[Callable[[bytes, bytes], bytes], ...] = (
    lambda image, other: image[:-20],
    lambda image, other: b"",
    lambda image, other: (
        image[: len(image) // 2] + bytes([image[len(image) // 2] ^ 1]) + image[len(image) // 2 + 1 :]
    ),
    lambda image, other: other,
    lambda image, other: image[:32] + other[32:],
)
"""Cut off, emptied, one bit changed, another image in its place, and that under its seal."""


def test_a_spoilt_image_in_the_cache_is_drawn_again(game: Path, tmp_path: Path) -> None:
    env = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    module = tmp_path / "dist" / "RiverWar.vmod"
    assert here("modulegen", "build", game, "--out", module.parent, env=env).returncode == 0
    whole = module.read_bytes()
    kept = sorted((tmp_path / "cache" / "hexforge" / "images").glob("*/*"))
    assert len(kept) > 20
    contents = [p.read_bytes() for p in kept]
    for number, path in enumerate(kept):
        path.write_bytes(HARMS[number % len(HARMS)](contents[number], contents[number - 1]))
    module.unlink()
    again = here("modulegen", "build", game, "--out", module.parent, env=env)
    assert again.returncode == 0, again.stderr
    assert module.read_bytes() == whole
    assert [p.read_bytes() for p in kept] == contents, "the cache was mended"


def test_an_image_that_cannot_be_read_back_is_absent(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.put("ab" * 32, b"data")
    assert Cache(tmp_path).get("ab" * 32) == b"data"
    assert Cache(tmp_path).get("cd" * 32) is None


_NOTHING_COMPILED = {"PYTHONDONTWRITEBYTECODE": "1"}
"""Of a process whose files have a limit: what Python compiled would be cut off there and break every later one."""


@pytest.mark.parametrize("words", [("check",), ("dice",)])
def test_a_workbook_that_finds_no_room_leaves_nothing(words: tuple[str, ...], tmp_path: Path) -> None:
    import resource

    waiting = tmp_path / "waiting"
    waiting.mkdir()
    sheet = tmp_path / "a.sheet"
    moves = "".join(f"move a{n}: 0807 0808\n" for n in range(400))
    sheet.write_text(f"sheet 1\ngame hurtgen\nturn 3 american movement\n{moves}", "utf-8")
    done = process(
        "validator", *words, sheet, "-o", tmp_path / "a.xlsx", env={"TMPDIR": str(waiting), **_NOTHING_COMPILED},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000)),
    )  # fmt: skip
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1), done.stderr
    assert "File too large" in done.stderr
    assert [list(waiting.iterdir()), (tmp_path / "a.xlsx").exists()] == [[], False]


def test_what_is_kept_of_parsed_files_finds_no_room(tmp_path: Path) -> None:
    import resource

    done = process(
        "modulegen", "list", env={"XDG_CACHE_HOME": str(tmp_path), **_NOTHING_COMPILED},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)),
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert [p for p in tmp_path.rglob("*") if p.is_file()] == []


def test_a_workbook_that_is_given_up_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with pytest.raises(KeyboardInterrupt), opened(io.BytesIO(), "a") as (book, looks):
        WorkbookPage(book.add_worksheet("b"), ("c",), looks).add(("", ("d",)))
        raise KeyboardInterrupt
    assert list(tmp_path.iterdir()) == []


def test_pages_that_could_not_be_written_once_are_a_failure(tmp_path: Path) -> None:
    (tmp_path / "a.sheet").write_text("sheet 1\ngame hurtgen\n", "utf-8")
    once = ("validator", "watch", tmp_path, "--once")
    assert here(*once).returncode == 0
    (tmp_path / "a.html").unlink()
    (tmp_path / "a.html").mkdir()
    done = here(*once)
    assert (done.returncode, "a.html" in done.stderr) == (2, True)

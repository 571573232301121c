"""What stands in a stranger's file must not drive the terminal, nor fail where it is written to."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from hexforge.modulegen.vassal.save import read_save
from hexforge.scenarios.console import safe, safe_json
from tests.commands import here, process
from tests.examples import leading
from tests.transcribe.modules import PLAYED

LEGAL = """\
sheet 1
game hurtgen
map blank open 18x12
unit a1 american infantry 3-4-5
position
  a1 0807
turn 3 american movement
move a1: 0807 0808
"""
ESCAPES = "\x1b[31m red \x1b]0;title\x07 \x9b31m \u202eevil\u2066"
HARMFUL = [c for c in ESCAPES if not c.isprintable()]
FORMS = ["text", "json", "html", "junit"]


@pytest.fixture
def evil(tmp_path: Path) -> Path:
    path = tmp_path / "evil.sheet"
    path.write_text(f"{LEGAL}move {ESCAPES}: 0808\n# {ESCAPES}\n{ESCAPES}\n", "utf-8")
    return path


@pytest.mark.parametrize("form", FORMS)
def test_no_form_passes_on_what_drives_a_terminal(evil: Path, form: str) -> None:
    done = here("validator", "check", "--format", form, evil)
    assert done.returncode == 3
    assert not [c for c in HARMFUL if c in done.stdout + done.stderr]
    assert ("\\u001b" if form == "json" else "[31m") in done.stdout


def test_names_of_files_are_made_harmless(tmp_path: Path) -> None:
    name = tmp_path / "a\x1b[31m.sheet"
    missing = here("validator", "check", name)
    assert missing.returncode == 2
    assert "\x1b" not in missing.stderr
    name.write_text(LEGAL, "utf-8")
    assert "\x1b" not in here("validator", "check", name).stdout
    assert "\x1b" not in here("modulegen", "check", name).stderr


def test_escaped_json_says_the_same() -> None:
    text = json.dumps({"a": ESCAPES + "ção"}, ensure_ascii=False)
    assert json.loads(safe_json(text)) == json.loads(text)
    assert not [c for c in HARMFUL if c in safe_json(text)]
    assert safe("ção\n\t日本") == "ção\n\t日本"


@pytest.mark.parametrize("encoding", leading(1, ["cp1252", "ascii", "utf-16"]))
def test_what_is_piped_is_utf_8_whatever_the_system_prefers(evil: Path, encoding: str) -> None:
    wanted = here("validator", "check", evil).stdout
    assert process("validator", "check", evil, env={"PYTHONIOENCODING": encoding}).stdout == wanted
    listed = process("modulegen", "list", env={"PYTHONIOENCODING": encoding})
    assert (listed.returncode, "×" in listed.stdout) == (0, True)


@pytest.mark.skipif(sys.platform != "linux", reason="names of files that are no text")
def test_a_file_name_in_an_old_code_page(tmp_path: Path) -> None:
    path = os.fsencode(tmp_path) + b"/caf\xe9.sheet"
    Path(os.fsdecode(path)).write_text(LEGAL, "utf-8")
    for form in FORMS:
        done = here("validator", "check", "--format", form, os.fsdecode(path))
        assert (done.returncode, done.stderr) == (0, "")
    for end in ("txt", "json", "html", "md", "xlsx", "xml", "sarif"):
        done = here("validator", "check", os.fsdecode(path), "-o", tmp_path / f"found.{end}")
        assert (done.returncode, done.stderr) == (0, ""), end


def test_letters_in_a_log_that_no_encoding_explains(tmp_path: Path) -> None:
    home, pages = tmp_path / "games", tmp_path / "pages"
    home.mkdir()
    pages.mkdir()
    log = home / "a.vlog"
    told = read_save(PLAYED / "a.vlog").root.encode().replace(b"Attack on", b"Ataque \xe0 vila", 1)
    log.write_bytes(told)
    for end in ("txt", "json", "html", "md", "xlsx", "xml", "sarif"):
        assert here("validator", "check", log, "-o", tmp_path / f"found.{end}").stderr == "", end
    for words in (["transcribe", log], ["transcribe", log, "--format", "json"], ["page", log], ["chain", log]):
        assert here("validator", *words, "-o", tmp_path / "told").stderr == "", words
        if words[0] == "transcribe":
            assert "Ataque ? vila" in (tmp_path / "told").read_text("utf-8").replace("\\udce0", "?")
    assert "Traceback" not in here("validator", "watch", home, "--once", "-o", pages).stderr
    assert "Ataque ? vila" in next(pages.glob("*.html")).read_text("utf-8")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_under_standard_output(evil: Path) -> None:
    for words in (["validator", "check", evil], ["modulegen", "data", "hurtgen"], ["modulegen", "--help"]):
        with Path("/dev/full").open("w") as full:
            done = process(*words, capture_output=False, stdout=full, stderr=-1)
        assert done.returncode == 2
        assert "Traceback" not in done.stderr
        assert "standard output: No space left" in done.stderr


def test_a_device_is_written_to_and_not_replaced(evil: Path, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        assert here("validator", "check", "-q", evil, "-o", pipe).returncode == 3
        assert b"NOT READ" in os.read(reader, 100_000)
    finally:
        os.close(reader)
    assert pipe.is_fifo()


def test_markup_of_a_stranger_stays_text(tmp_path: Path) -> None:
    markup = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'><svg onload=alert(3)> ]]> --> &amp;"
    path = tmp_path / "x<img src=x onerror=alert(4)>.sheet"
    path.write_text(
        f"{LEGAL}unit b<script> american infantry 3-4-5\nmove {markup}: 0808\n{markup}\n# {markup}\n", "utf-8"
    )
    page = here("validator", "check", "--format", "html", path, "gone<script>.sheet").stdout
    for tag in ("<script>alert", "<script>.", "<img", "<svg onload"):
        assert tag not in page.lower()
    assert "&lt;script&gt;alert(1)" in page
    suite = ElementTree.fromstring(here("validator", "check", "--format", "junit", path).stdout)
    assert any(markup[:20] in text for text in suite.itertext())


def test_a_long_line_is_quoted_in_part(tmp_path: Path) -> None:
    path = tmp_path / "long.sheet"
    path.write_text(f"{LEGAL}move a1: {'0808 ' * 200_000}\n", "utf-8")
    done = here("validator", "check", path)
    assert done.returncode == 3
    assert len(done.stdout) < 2000


@pytest.mark.parametrize(
    ("name", "data", "status"),
    [
        ("carriage returns", LEGAL.replace("\n", "\r").encode(), 0),
        ("windows", LEGAL.replace("\n", "\r\n").encode("utf-8-sig"), 0),
        ("utf-16", LEGAL.encode("utf-16"), 0),
        ("utf-16 without a mark", LEGAL.encode("utf-16-le"), 2),
        ("zero bytes", LEGAL.encode() + b"\0\0", 2),
        ("nothing", b"", 2),
        ("180,000 lines", LEGAL.encode() + b"\n" * 180_000, 0),
        ("180,000 lines of nonsense", LEGAL.encode() + b"x\n" * 180_000, 3),
        ("more lines than any sheet has", LEGAL.encode() + b"\n" * 7_000_000, 2),
        ("one line without end", LEGAL.encode() + b"x" * 7_000_000, 3),
        ("a line continued without end", LEGAL.encode() + b"move a1: 0808 \\\n" * 60_000, 3),
        ("too much", LEGAL.encode() + b"#" * 9_000_000, 2),
        ("figures without end", LEGAL.replace("3-4-5", "9" * 400 + "-4-5").encode(), 3),
        ("turns without end", LEGAL.replace("turn 3", "turn " + "9" * 400).encode(), 3),
    ],
)
def test_any_file_ends_in_an_answer_or_one_line(tmp_path: Path, name: str, data: bytes, status: int) -> None:
    path = tmp_path / "odd.sheet"
    path.write_bytes(data)
    done = here("validator", "check", "-q", path)
    assert done.returncode == status, done.stderr[-500:]
    assert "Traceback" not in done.stderr
    assert len(done.stdout) < 200_000
    if status == 2:
        assert (done.stdout, done.stderr.count("\n")) == ("", 1)


def test_colours_are_for_terminals(evil: Path) -> None:
    assert "\x1b[" not in process("modulegen", "data", "hurtgen", "--counts").stdout
    assert "\x1b[" not in process("modulegen", "build", "nosuch").stderr


@pytest.mark.skipif(shutil.which("script") is None, reason="needs the command script, to have a terminal")
def test_a_terminal_gets_colours_and_no_escapes_of_others(evil: Path) -> None:
    line = f"{sys.executable} -m validator check {evil}"
    done = subprocess.run(["script", "-qec", line, "/dev/null"], capture_output=True, timeout=60, check=False)
    assert b"\x1b[1" in done.stdout or b"\x1b[3" in done.stdout
    for harm in (b"\x1b[31m red", b"\x1b]0;", b"\x07", "\x9b".encode(), "\u202e".encode()):
        assert harm not in done.stdout

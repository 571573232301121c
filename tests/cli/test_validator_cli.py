"""The command `validator` as a process and within one: forms, sources, exit statuses, speed of `--help`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import click
import pytest
from click.testing import CliRunner, Result

from hexforge.scenarios import commands
from hexforge.validator.app.cli import main
from tests.commands import here, process
from tests.examples import leading

EXAMPLES = commands.HOME / "hurtgen" / "examples"
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
ILLEGAL = LEGAL + "move a1: 0808 0809\nnonsense\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "good.sheet").write_text(LEGAL, encoding="utf-8")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "bad.sheet").write_text(ILLEGAL, encoding="utf-8")
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00")
    return tmp_path


def run(*arguments: str | Path, text: str | None = None, env: dict[str, str] | None = None) -> Result:
    return CliRunner(env={"HEXFORGE_LANG": "en", **(env or {})}).invoke(
        main, [str(a) for a in arguments], input=text
    )


def test_the_process_answers_json_and_says_by_its_status_whether_it_is_illegal(folder: Path) -> None:
    good = process("validator", "check", "--format", "json", folder / "good.sheet")
    assert good.returncode == 0
    answer = json.loads(good.stdout)
    assert answer["source"] == str(folder / "good.sheet")
    assert answer["verdict"] == "legal"
    assert answer["moves"] == [{"line": 8, "units": ["a1"], "path": ["0807", "0808"], "cost": 1, "left": 4}]
    assert answer["position"] == {"a1": {"hex": "0808", "step": "full"}}
    assert answer["program"].startswith("hexforge")
    assert len(answer["scenario"]["hash"]) == 64
    assert answer["options"]["inverse_rounding"] == "truncate"
    bad = here("validator", "check", folder / "sub" / "bad.sheet")
    assert bad.returncode == 1
    assert "moved-twice" in bad.stdout
    assert "\x1b" not in bad.stdout
    none = here("validator", "check", folder / "picture.png")
    assert (none.returncode, none.stdout) == (2, "")
    assert none.stderr == f"validator: {folder / 'picture.png'}: is not text; expected a turn sheet in UTF-8\n"


def test_the_process_reads_standard_input() -> None:
    done = process("validator", "check", "-", "--format", "json", text=LEGAL)
    assert (done.returncode, json.loads(done.stdout)["source"]) == (0, "-")


@pytest.mark.parametrize("form", leading(1, ("html", "json", "junit", "text")))
def test_the_same_input_gives_the_same_bytes(folder: Path, form: str) -> None:
    words = ("validator", "check", "--format", form, folder / "sub" / "bad.sheet")
    assert process(*words).stdout == here(*words).stdout != ""


def test_help_imports_no_heavy_library(tmp_path: Path) -> None:
    script = """
import sys
from hexforge.validator.app.cli import main
main(["--help"], standalone_mode=False)
print(*sys.modules)
"""
    call, env = [sys.executable, "-c", script], {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    for _ in range(2):  # the first start after an installation parses the words, and keeps them
        done = subprocess.run(call, env=env, capture_output=True, text=True, check=True, timeout=60)
    modules = set(done.stdout.splitlines()[-1].split())
    assert not modules & {"pydantic", "yaml", "jinja2", "lxml", "PIL", "rich", "resvg", "hexforge.scenarios.loader"}
    assert "check" in done.stdout


def test_a_folder_is_all_its_sheets_and_several_sheets_a_list(folder: Path) -> None:
    done = run("check", folder, "--format", "json")
    assert done.exit_code == 1
    answers = json.loads(done.stdout)
    assert [(Path(a["source"]).name, a["verdict"]) for a in answers if "skipped" not in a] == [
        ("good.sheet", "legal"),
        ("bad.sheet", "illegal"),
    ]
    assert [Path(a["source"]).name for a in answers if "skipped" in a] == ["picture.png"]
    both = run("check", folder / "good.sheet", folder / "good.sheet", "--format", "json")
    assert len(json.loads(both.stdout)) == 2


def test_an_unreadable_file_does_not_hide_the_others(folder: Path) -> None:
    done = run("check", folder / "good.sheet", folder / "picture.png", folder / "none.sheet", "--format", "json")
    assert done.exit_code == 2
    answers = json.loads(done.stdout)
    assert answers[0]["verdict"] == "legal"
    assert ["error" in a for a in answers] == [False, True, True]
    assert done.stderr.count("validator: ") == 2


def test_an_empty_folder_is_said(tmp_path: Path) -> None:
    done = run("check", tmp_path)
    assert done.exit_code == 2
    assert "no *.sheet" in done.stderr


def test_options_overrule_and_are_checked(folder: Path) -> None:
    done = run("check", folder / "good.sheet", "--format", "json", "--option", "inverse_rounding=ceil")
    assert json.loads(done.stdout)["options"]["inverse_rounding"] == "ceil"
    wrong = run("check", folder / "good.sheet", "--option", "inverse_rounding=up")
    assert wrong.exit_code == 2
    assert "none of truncate, ceil" in wrong.stderr
    unknown = run("check", folder / "good.sheet", "--option", "inverse=ceil")
    assert unknown.exit_code == 2
    assert "inverse_rounding" in unknown.stderr
    assert run("check", folder / "good.sheet", "--option", "inverse").exit_code == 2


def test_strict_stops_at_the_first_illegal_statement(folder: Path) -> None:
    sheet = folder / "two.sheet"
    sheet.write_text(LEGAL + "move a1: 0808 0809\nmove a1: 0809 0810\n", encoding="utf-8")
    found = [
        json.loads(run("check", sheet, "--format", "json", *s).stdout)["findings"] for s in ((), ("--strict",))
    ]
    assert [len(f) for f in found] == [2, 1]


def test_languages(folder: Path) -> None:
    bad = folder / "sub" / "bad.sheet"
    assert "linha 9" in run("check", bad, "--lang", "pt").stdout
    assert "linha 9" in run("check", bad, env={"HEXFORGE_LANG": "pt_BR.UTF-8"}).stdout
    assert "line 9" in run("check", bad, "--lang", "en", env={"HEXFORGE_LANG": "pt"}).stdout


def test_colour_only_when_asked_or_on_a_terminal(folder: Path) -> None:
    assert click.style("LEGAL", fg="green", bold=True) in run("check", folder / "good.sheet", "--color").stdout
    assert "\x1b" not in run("check", folder / "good.sheet").stdout


def test_files_are_written_whole(folder: Path) -> None:
    done = run("check", folder / "good.sheet", "--format", "html", "-o", folder / "r.html")
    assert (done.exit_code, done.stdout) == (0, "")
    assert (folder / "r.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    failed = run("check", folder / "good.sheet", "-o", folder / "no" / "r.html")
    assert failed.exit_code == 2
    assert "r.html" in failed.stderr
    assert ElementTree.fromstring(run("check", folder, "--format", "junit").stdout).tag == "testsuites"


@pytest.mark.parametrize("command", [["check", "{sheet}"], ["units", "hurtgen"], ["page", "{sheet}"]])
def test_a_file_of_a_kind_that_is_not_written_is_refused(folder: Path, command: list[str]) -> None:
    command = [part.format(sheet=folder / "good.sheet") for part in command]
    done = run(*command, "-o", folder / "r.pdf", "--lang", "en")
    assert done.exit_code == 2 and "no report is written as .pdf" in done.stderr and ".html" in done.stderr
    assert not (folder / "r.pdf").exists()


def test_an_unknown_game_is_a_finding(folder: Path) -> None:
    sheet = folder / "x.sheet"
    sheet.write_text("sheet 1\ngame chess\n", encoding="utf-8")
    done = run("check", sheet, "--format", "json")
    (finding,) = json.loads(done.stdout)["findings"]
    assert (done.exit_code, finding["line"], finding["code"]) == (3, 2, "syntax")
    assert "hurtgen" in finding["message"]


def test_reach(folder: Path) -> None:
    sheet = folder / "good.sheet"
    sheet.write_text(LEGAL.rpartition("move")[0], encoding="utf-8")
    answer = json.loads(run("reach", sheet, "a1", "--format", "json").stdout)
    assert answer["reach"]["0808"] == {"cost": 1, "left": 4, "path": ["0807", "0808"]}
    assert len(answer["reach"]) == 3 * 5 * 6  # all hexes at most five away, on open ground
    assert "0808" in run("reach", sheet, "a1").stdout
    for suffix, start in ((".svg", b"<svg"), (".png", b"\x89PNG"), (".html", b"<!DOCTYPE")):
        target = folder / f"reach{suffix}"
        assert run("reach", sheet, "a1", "--picture", target).exit_code == 0
        assert target.read_bytes().startswith(start)
    assert run("reach", sheet, "a1", "--picture", folder / "x.bmp").exit_code == 2
    gone = run("reach", sheet, "zz")
    assert (gone.exit_code, gone.stderr) == (2, "validator: there is no unit zz\n")


FIGHT = """\
sheet 1
game hurtgen
map blank open 18x12
unit a1 american infantry 8-4-5
unit g1 german infantry 1-4-5
position
  a1 1009
  g1 1010
turn 3 american combat
"""


def test_odds_and_duties(folder: Path) -> None:
    sheet = folder / "fight.sheet"
    sheet.write_text(FIGHT, encoding="utf-8")
    answer = json.loads(run("odds", sheet, "1010", "--with", "a1", "--format", "json").stdout)
    assert (answer["attack"], answer["defence"], answer["odds"], answer["column"]) == (8, 4, "2-1", "2-1")
    assert sum(o["of_36"] for o in answer["outcomes"]) == 36
    assert "8 = a1 8" in run("odds", sheet, "1010", "--with", "a1").stdout
    owed = json.loads(run("duties", sheet, "--format", "json").stdout)
    assert [d["unit"] for d in owed["must_attack"]] == ["a1"]
    assert "a1 in 1009 must attack: 1010" in run("duties", sheet).stdout
    sheet.write_text(FIGHT + "combat 1010\n  attack a1\n", encoding="utf-8")
    owed = json.loads(run("duties", sheet, "--format", "json").stdout)
    assert owed["must_attack"] == []
    assert owed["undeclared"] == [{"line": 10, "missing": ["roll", "result"]}]


def test_units_may_be_listed_in_any_form(folder: Path) -> None:
    sheet = folder / "fight.sheet"
    sheet.write_text(FIGHT.replace("  g1 1010", "  a2 1009\n  g1 1010").replace(
        "unit a1", "unit a2 american infantry 3-4-5\nunit a1"), encoding="utf-8")  # fmt: skip
    forms = (
        (sheet, "1010", "--with", "a1", "a2", "--air", "0"),
        (sheet, "1010", "--with", "a1", "--with", "a2"),
        ("--with", "a1,a2", sheet, "1010"),
        ("--with", "a1 a2", "--lang", "en", sheet, "1010"),
    )
    answers = {run("odds", *form, "--format", "json").stdout for form in forms}
    assert len(answers) == 1
    assert json.loads(answers.pop())["attack"] == 11


def test_the_examples_are_what_they_say() -> None:
    well = json.loads(run("check", EXAMPLES / "turn2-well.sheet", "--format", "json").stdout)
    assert well["verdict"] == "legal"
    mistakes = json.loads(run("check", EXAMPLES / "turn2-mistakes.sheet", "--format", "json").stdout)
    codes = {f["code"] for f in mistakes["findings"] if f["severity"] == "illegal"}
    assert codes >= {"stacking", "must-stop", "moved-twice", "must-attack", "artillery-support", "odds",
                     "result", "retreat", "entry", "reinforcement"}  # fmt: skip
    assert {f["code"] for f in mistakes["findings"] if f["severity"] == "unread"} == {"syntax"}
    doubtful = {f["code"] for f in mistakes["findings"] if f["severity"] == "doubtful"}
    assert doubtful >= {"movement-cost", "column", "score"}


@pytest.mark.parametrize(
    ("name", "begins"),
    [("r.html", b"<!DOCTYPE html>"), ("r.json", b"{"), ("r.xml", b"<?xml"), ("r.xlsx", b"PK"), ("r.txt", b"/")],
)
def test_the_ending_of_the_output_says_its_form(tmp_path: Path, name: str, begins: bytes) -> None:
    out = tmp_path / name
    done = run("check", str(EXAMPLES / "turn2-well.sheet"), "-o", str(out))
    assert (done.exit_code, done.stdout, done.stderr) == (0, "", "")
    assert out.read_bytes().startswith(begins)


def test_a_spreadsheet_is_not_poured_into_a_terminal() -> None:
    done = run("check", str(EXAMPLES / "turn2-well.sheet"), "--format", "xlsx", "--lang", "en")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "-o name.xlsx" in done.stderr

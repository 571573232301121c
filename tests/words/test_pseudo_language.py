"""A third language is files alone: `xx`, in which each text is the English one between ⟦ and ⟧, is spoken.

What stands outside of such marks must be no sentence: no two words in a row. Names of commands are none, nor is
what is written in capitals: what an option takes, results as the tables print them.
"""

from __future__ import annotations

import base64
import csv
import gzip
import io
import json
import re
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree

import click
import openpyxl
import pytest
from click.testing import CliRunner

from hexforge.api import check, format_sheet
from hexforge.modulegen.assemble.module import module
from hexforge.modulegen.cli import main as modulegen
from hexforge.modulegen.map_editor.site import PAGE, vocabulary
from hexforge.modulegen.plan import plan
from hexforge.modulegen.render import preview
from hexforge.modulegen.vassal.buildfile import Element
from hexforge.scenarios.loader import load
from hexforge.scenarios.text.words import FOLDER
from hexforge.validator.app.cli import main as validator
from hexforge.validator.report.replay_page import replay_of
from tests import yamls
from tests.lint.small import packed

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "scenarios" / "hurtgen" / "examples" / "turn2-mistakes.sheet"
PLAIN: Final = {"html-language", "lowered", "by"}
"""Keys whose values are no text: a code for browsers, names of sections, a parameter's name."""
FIGHT = """sheet 1
game hurtgen
map blank open 18x12
unit a1 american infantry 8-4-5
unit g1 german infantry 1-4-5
position
  a1 1009
  g1 1010
turn 3 american combat
"""


def marked(value: Any) -> Any:
    """A catalogue with each text between marks; lists are words of the notation, which sheets are written in."""
    if isinstance(value, Mapping):
        return {key: below if key in PLAIN else marked(below) for key, below in value.items()}
    return f"⟦{value}⟧" if isinstance(value, str) else value


@pytest.fixture(scope="module")
def catalogues(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of words with files of `xx`, made from the English ones."""
    folder = tmp_path_factory.mktemp("words")
    for path in FOLDER.glob("*.en.yaml"):
        texts = yamls.read_texts(path)
        target = folder / path.name.replace(".en.", ".xx.")
        yamls.write(target, marked(texts))
    return folder


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game in `xx` before its other languages: texts, names of counters, the language of its module."""
    home = tmp_path_factory.mktemp("games")
    for name in ("hurtgen", "somnium"):
        shutil.copytree(ROOT / "scenarios" / name, home / name)
        texts = yamls.read_texts(home / name / "text.en.yaml")
        yamls.write(home / name / "text.xx.yaml", marked(texts))
    folder = home / "hurtgen"
    with (folder / "game.yaml").open("a", encoding="utf-8") as file:
        file.write("\nlanguages: [xx, pt, en]\n")
    with (folder / "counters.csv").open(encoding="utf-8", newline="") as file:
        rows = [{**row, "name_xx": marked(row["name_en"])} for row in csv.DictReader(file)]
    with (folder / "counters.csv").open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, rows[0])
        table.writeheader()
        table.writerows(rows)
    return folder


@pytest.fixture(scope="module")
def built(catalogues: Path, game: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The game's module in `xx`, drawn and packed."""
    target = tmp_path_factory.mktemp("modules") / "hurtgen.vmod"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HEXFORGE_WORDS", str(catalogues))
        patch.setenv("HEXFORGE_LANG", "en")
        run(modulegen, "build", game, "--lang", "xx", "--out", target)
    return target


@pytest.fixture(autouse=True)
def spoken(catalogues: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEXFORGE_WORDS", str(catalogues))
    monkeypatch.setenv("HEXFORGE_LANG", "xx")


def unmarked(text: str) -> str:
    """What stands outside of all marks."""
    depth, kept = 0, []
    for sign in text:
        depth += (sign == "⟦") - (sign == "⟧")
        kept.append(sign if depth == 0 and sign != "⟧" else " " if depth else "")
    assert depth == 0
    return "".join(kept)


def sentences(text: str) -> list[str]:
    """Two words or more in a row, outside of marks; lines of the sheet that a report quotes are the player's."""
    rest = unmarked(re.sub(r"^ *│.*$", "", text, flags=re.MULTILINE))
    rest = re.sub(r"\b(validator|modulegen) [a-z]+", "", rest)
    return re.findall(r"\b[^\W\d_]{2,}[a-z] [^\W\d_]*[a-z]\b", rest)


def shown(page: str) -> str:
    """The text of a page, without quoted lines of sheets."""
    page = re.sub(r"<(style|script|pre|code)\b.*?</\1>", "", page, flags=re.DOTALL)
    return re.sub(r"<[^>]*>", "\n", page)


def run(program: click.Command, *arguments: str | Path | int, code: int = 0) -> str:
    found = CliRunner().invoke(program, [str(a) for a in arguments])
    assert found.exit_code == code, found.output
    return found.output


PROGRAMS = [validator, modulegen]
COMMANDS = [(program, name) for program in PROGRAMS for name in program.list_commands(click.Context(program))]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.name)
def test_programs_tell_of_themselves(program: click.Command) -> None:
    help_ = run(program, "--help")
    assert "⟦Name and version.⟧" in help_
    assert sentences(help_) == []


@pytest.mark.parametrize(("program", "name"), COMMANDS, ids=lambda v: v if isinstance(v, str) else v.name)
def test_commands_tell_of_themselves(program: click.Command, name: str) -> None:
    help_ = run(program, name, "--help")
    assert "⟦Usage:⟧" in help_
    assert sentences(help_) == []


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.name)
def test_mistakes_in_commands_are_told(program: click.Command) -> None:
    assert sentences(run(program, "check", "--nosuch", code=2)) == []
    assert sentences(run(program, "nosuch", code=2)) == []


@pytest.mark.parametrize("form", ["text", "html", "junit", "xlsx"])
def test_every_form_of_report(form: str, game: Path, tmp_path: Path) -> None:
    target = tmp_path / "report"
    run(validator, "check", EXAMPLE, "--game", game, "--format", form, "-o", target, code=1)
    if form == "xlsx":
        book = openpyxl.load_workbook(io.BytesIO(target.read_bytes()))
        assert all("⟦" in name for name in book.sheetnames)
        quoted = {str(line).strip() for line in EXAMPLE.read_text("utf-8").splitlines()}
        cells = [str(c.value) for page in book for row in page for c in row if c.value is not None]
        assert [found for text in cells if text not in quoted for found in sentences(text)] == []
        return
    text = target.read_text("utf-8")
    if form == "junit":
        root = ElementTree.fromstring(text)
        assert [found for case in root.iter() for found in sentences(case.get("message", ""))] == []
    if form == "html":
        text = shown(text)
    if form != "junit":
        assert sentences(text) == []
    assert "⟦" in text


def test_mails_are_answered_and_their_page_speaks_it(game: Path, tmp_path: Path) -> None:
    mail = EmailMessage()
    mail["From"], mail["Subject"] = "ana@example.org", "2"
    mail.set_content(EXAMPLE.read_text("utf-8"))
    (tmp_path / "turn.eml").write_bytes(bytes(mail))
    run(validator, "reply", tmp_path / "turn.eml", "--game", game, "--lang", "xx", "-o", tmp_path / "a.eml", code=1)
    answer = message_from_bytes((tmp_path / "a.eml").read_bytes(), policy=policy.default)
    body, (page,) = answer.get_body(("plain",)), answer.iter_attachments()
    assert body is not None
    quoted = {line.strip() for line in EXAMPLE.read_text("utf-8").splitlines()}
    # The turn as it was understood, and what its open lines may mean, are in the notation's own words.
    told = [line for line in body.get_content().splitlines() if not line.startswith(("    ", "[ ]"))]
    said = [line for line in told if line.strip() not in quoted]
    assert any("⟦" in line for line in said)
    assert [found for line in said for found in sentences(line)] == []
    packed = re.search(r'id="data">([^<]*)</script>', page.get_content())
    assert packed is not None
    data = json.loads(gzip.decompress(base64.b64decode(packed[1])))
    at = data["replay"]["languages"].index("xx")
    told = [note[key][at] for note in data["replay"]["notes"] for key in ("x", "at", "vt")]
    told += [text[at] for key in ("turns", "phases") for text in data["replay"][key].values()]
    assert told and all("⟦" in text for text in told)
    assert [found for text in told for found in sentences(text)] == []
    assert not [text for text in data["words"]["xx"].values() if isinstance(text, str) and "⟦" not in text]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The option for the language, which goes before that of the environment."""
    monkeypatch.setenv("HEXFORGE_LANG", "en")
    return ["--lang", "xx"]


def test_pictures_of_answers(game: Path, tmp_path: Path, asked: list[str]) -> None:
    sheet, picture = tmp_path / "fight.sheet", tmp_path / "reach.html"
    sheet.write_text(FIGHT, "utf-8")
    run(validator, "reach", sheet, "a1", "--game", game, "--picture", picture, *asked)
    page = shown(picture.read_text("utf-8"))
    assert "⟦" in page
    assert sentences(page) == []


def test_logs_are_written_and_read_in_it(game: Path, built: Path, tmp_path: Path, asked: list[str]) -> None:
    log = tmp_path / "turn2.vlog"
    options = ["--module", built, "--game", game, *asked]
    assert sentences(run(validator, "transcribe", EXAMPLE, "--to", log, *options)) == []
    record = run(validator, "transcribe", log, "--record", *options)
    assert "⟦1/112th Inf (28th Inf Div)⟧" in record
    assert sentences(re.sub(r"<(Ana|Bruno)> - .*", "", record)) == [], "what players wrote is theirs"
    assert "move us-112-1: 0806 0907" in run(validator, "transcribe", log, *options)
    for form in ("text", "html"):
        answer = run(validator, "check", log, "--format", form, *options, code=1)
        assert "⟦" in answer
        assert sentences(shown(answer)) == []


def test_transcripts_have_remarks_in_it(asked: list[str]) -> None:
    log = ROOT / "tests" / "data" / "played-hurtgen" / "bruno-2.vlog"
    remarks = re.findall(r"#.*", run(validator, "transcribe", log, *asked))
    assert any("⟦" in remark for remark in remarks)
    assert [found for remark in remarks for found in sentences(remark)] == []


def test_modules_are_looked_into_in_it(built: Path, game: Path) -> None:
    tree = re.sub("[│├└─]", " ", run(modulegen, "inspect", built))
    assert "⟦sides⟧: ⟦American⟧, ⟦German⟧" in tree
    assert sentences(re.sub("⟦prototypes⟧.*(?=⟦pieces⟧)", "", tree, flags=re.DOTALL)) == [], (
        "prototypes have names by which they are looked up"
    )
    assert sentences(run(modulegen, "verify", built)) == []
    told = run(modulegen, "diff", game, "metz", code=1)
    assert [found for line in told.splitlines() if line[:1] != " " for found in sentences(line)] == []


def test_scripts_get_messages_in_it_and_the_same_keys(game: Path) -> None:
    told = json.loads(run(validator, "check", EXAMPLE, "--game", game, "--format", "json", code=1))
    english = json.loads(
        run(validator, "check", EXAMPLE, "--game", game, "--format", "json", "--lang", "en", code=1)
    )
    assert all("⟦" in found.pop("message") for found in told["findings"])
    assert not any("⟦" in found.pop("message") for found in english["findings"])
    for answer in (told, english):
        for entry in (*answer["findings"], *answer["actions"], *answer["score_parts"]):
            for said in ("rests_on", "text", "what"):
                entry.pop(said, None)
    assert told == english


def test_questions_are_answered(game: Path, tmp_path: Path) -> None:
    sheet = tmp_path / "fight.sheet"
    sheet.write_text(FIGHT, "utf-8")
    for question in (
        ["reach", sheet, "a1"],
        ["odds", sheet, "1010", "--with", "a1"],
        ["duties", sheet],
    ):
        answer = run(validator, *question, "--game", game)
        assert "⟦" in answer
        assert sentences(answer) == []
    for question in (["reach", sheet, "a9"], ["odds", sheet, "9999", "--with", "a1"], ["check", tmp_path / "none"]):
        assert sentences(run(validator, *question, code=2)) == []


def test_what_is_no_sentence_is_let_pass_and_what_is_one_is_not() -> None:
    assert sentences("⟦to be ⟦or⟧ not⟧: a1, validator check, --out DIR, DRB AVI, 0808 0809") == []
    assert sentences("⟦a⟧ may not") == ["may not"]


VASSALS_OWN: Final = {
    ("BoardPicker", "addRowText"),
    ("BoardPicker", "addColumnText"),
    ("BoardPicker", "boardPrompt"),
    ("CounterDetailViewer", "display"),
    ("GlobalOptions", "promptString"),
}
"""Values that VASSAL's editor writes, none of which a player of a module with one board sees."""
NAMES: Final = {("PrototypeDefinition", "name"), ("Chart", "chartName")}
"""Names by which traits are looked up; and charts, of which a module has those of all languages of its game."""


def walk(element: Element) -> Iterator[Element]:
    yield element
    for child in element.children:
        if isinstance(child, Element):
            yield from walk(child)


def test_a_module_is_built_in_it(game: Path) -> None:
    built = module(plan(load(game), "xx", 1.0), "1.0")
    assert "⟦" in built.attributes["description"]
    told = {(e.kind, name): value for e in walk(built) for name, value in e.attributes.items() if sentences(value)}
    assert any("⟦" in e.attributes["chartName"] for e in walk(built) if e.kind == "Chart")
    assert {place: value for place, value in told.items() if place not in VASSALS_OWN | NAMES} == {}


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the preview would draw, in place of pixels and paper, which take long and hold no words to read."""
    told: list[str] = []

    def note(svg: str, *_: object, **__: object) -> bytes:
        told.append(re.sub("<title>.*?</title>", "", svg))  # what an editor of drawings calls a symbol
        return b""

    monkeypatch.setattr(preview, "rasterise", note)
    monkeypatch.setattr(preview, "pack", lambda *_, **__: b"")
    monkeypatch.setattr(preview, "counter_png", lambda *_, **__: b"")
    monkeypatch.setattr(preview, "marker_png", lambda *_, **__: b"")
    monkeypatch.setattr(preview.print_sheets, "pdf", lambda pages, _: b"".join(note(page.svg) for page in pages))
    monkeypatch.setattr(preview.print_sheets, "tiled_pdf", lambda *_: b"")
    return told


def test_previews_and_what_is_drawn_in_them(game: Path, tmp_path: Path, drawn: list[str]) -> None:
    alone = shutil.copytree(game.parent, tmp_path / "games") / "hurtgen"
    for code in ("en", "pt"):
        (alone / f"text.{code}.yaml").unlink()
    text = (alone / "game.yaml").read_text("utf-8")
    (alone / "game.yaml").write_text(text.replace("languages: [xx, pt, en]", "languages: [xx]"), "utf-8")
    told = run(modulegen, "preview", alone, "--out", tmp_path / "shown")
    assert "⟦" in told
    assert sentences(told) == []
    pictures = [*drawn, (tmp_path / "shown" / "index.html").read_text("utf-8")]
    assert len(pictures) > 10 and all("⟦" in picture for picture in pictures)
    rivers = {run.name for run in load(alone).map.hexside_runs}
    assert {found for picture in pictures for found in sentences(shown(picture))} <= rivers, "names are data"


def test_starter_games_are_commented_in_it(tmp_path: Path) -> None:
    told = run(modulegen, "new", tmp_path / "my-game")
    assert "⟦" in told
    assert sentences(told) == []
    for name in ("game", "map", "tables", "setup", "victory"):
        comments = "\n".join(re.findall(r"#.*", (tmp_path / "my-game" / f"{name}.yaml").read_text("utf-8")))
        assert "⟦" in comments
        assert sentences(comments) == []
    assert sentences((tmp_path / "my-game" / "game.yaml").read_text("utf-8")) == []


def test_schemas_are_written_in_it(tmp_path: Path) -> None:
    assert sentences(run(modulegen, "schema", "--out", tmp_path)) == []
    (tmp_path / "file").touch()
    assert sentences(run(modulegen, "schema", "--out", tmp_path / "file", code=2)) == []


def test_games_are_shown_and_checked(game: Path) -> None:
    for arguments in (["list"], ["check", game], ["data", game], ["data", game, "--counts"]):
        assert "⟦" in run(modulegen, *arguments)
    assert sentences(run(modulegen, "check", game)) == []
    (game / "victory.yaml").rename(game / "victory.away")
    try:
        told = run(modulegen, "check", game, code=2)
    finally:
        (game / "victory.away").rename(game / "victory.yaml")
    assert "⟦" in told
    assert sentences(told) == []


def test_a_chain_is_told(tmp_path: Path) -> None:
    played = ROOT / "tests" / "data" / "played"
    told = run(validator, "chain", played / "a.vlog", played / "b-gap.vlog", code=1)
    assert sentences(told) == [] and "⟦" in told


def test_dice_are_told() -> None:
    told = run(validator, "dice", EXAMPLE)
    assert sentences(told) == [] and "⟦" in told
    assert sentences(shown(run(validator, "dice", EXAMPLE, "--format", "html"))) == []


def test_an_audit_is_told(tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    for path in (EXAMPLE, ROOT / "tests" / "data" / "played" / "a.vlog"):
        shutil.copy(path, tmp_path / "games")
    told = run(validator, "audit", tmp_path / "games", "-o", tmp_path / "site", "--no-replays", "--jobs", 1, code=1)
    assert sentences(told.replace(str(tmp_path), "")) == [] and "⟦" in told
    for page in (tmp_path / "site" / "xx").rglob("*.html"):
        assert sentences(shown(page.read_text("utf-8"))) == [], page


def test_units_are_listed_and_odd_sheets_written_out_in_it(game: Path, tmp_path: Path) -> None:
    for form in ("text", "html"):
        told = run(validator, "units", game, "--format", form)
        assert "⟦" in told and sentences(shown(told)) == []
    sheet = tmp_path / "odd.sheet"
    sheet.write_text("sheet 1\ngame hurtgen\nturn 2 american movement\nmovve us-112-1: 0806 0907\n", "utf-8")
    told = run(validator, "format", sheet, "--check", code=3).replace(str(tmp_path), "")
    assert "⟦" in told and sentences(told) == []


@pytest.mark.parametrize("form", ["md", "sarif"])
def test_forms_for_hosts_of_code(form: str, game: Path) -> None:
    told = run(validator, "check", EXAMPLE, "--game", game, "--format", form, code=1)
    if form == "sarif":
        told = "\n".join(result["message"]["text"] for result in json.loads(told)["runs"][0]["results"])
    assert "⟦" in told and sentences(re.sub(r"`[^`]*`", "", told)) == []


def texts(value: Any) -> Iterator[dict[str, str]]:
    """All that is said in several languages, within what a page is made of."""
    if isinstance(value, dict) and isinstance(value.get("en"), str):
        yield value
    elif isinstance(value, dict | list | tuple):
        for below in value.values() if isinstance(value, dict) else value:
            yield from texts(below)


def test_a_game_is_shown_in_it_step_by_step(game: Path, tmp_path: Path) -> None:
    target = tmp_path / "game.html"
    run(validator, "check", EXAMPLE, "--game", game, "-o", target, code=1)
    page = target.read_text("utf-8")
    assert sentences(shown(page)) == []
    replay = replay_of(check(EXAMPLE))
    assert replay is not None
    told = [said for said in texts(asdict(replay)) if "xx" in said]
    assert len(told) > 100
    lines = {line.strip() for line in format_sheet(EXAMPLE, "en").splitlines()}
    assert [said for said in told if sentences(said["xx"]) and said["en"] not in lines] == []
    labels = re.findall(r'(?:aria-label|title|placeholder|alt)="([^"]*)"', page)
    assert labels and [found for label in labels for found in sentences(label)] == []


def test_modules_of_others_are_judged_and_taken_over_in_it(game: Path, tmp_path: Path) -> None:
    module = tmp_path / "other.vmod"
    module.write_bytes(packed(lambda files: files.pop("images/guard.png")))
    judged = run(modulegen, "lint", module, code=1)
    assert "⟦" in judged and sentences(re.sub(r"https?:\S+|`[^`]*`", "", judged).replace(str(tmp_path), "")) == []
    for arguments in (["import", module, tmp_path / "draft"], ["bind", game, module]):
        told = CliRunner().invoke(modulegen, [str(a) for a in arguments])
        assert "⟦" in told.output and sentences(told.output.replace(str(tmp_path), "")) == []


def test_pages_that_paint_say_all_from_the_catalogues() -> None:
    assert set(vocabulary()) >= {"en", "pt", "xx"}
    for template in PAGE.glob("*.j2"):
        assert sentences(shown(re.sub(r"{[{%].*?[}%]}", "", template.read_text("utf-8")))) == [], template

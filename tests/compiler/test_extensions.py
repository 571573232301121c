"""Extensions as modules: both files of a build, what is in them, and every command on one."""

from __future__ import annotations

import re
import shutil
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from hexforge.modulegen.archive import problems_of
from hexforge.modulegen.build import build
from hexforge.modulegen.build_key import Options
from hexforge.modulegen.cli import main
from hexforge.modulegen.plan import extension_plan
from hexforge.modulegen.vassal import buildfile
from hexforge.modulegen.vassal.archive import Archive, read_metadata
from hexforge.modulegen.vassal.module import read_module
from hexforge.modulegen.vassal.payload import decode_payload
from hexforge.scenarios.compiled import load_extension

NAME = "normandy"


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(a) for a in arguments], env={"HEXFORGE_LANG": "en"})


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("built")
    build(NAME, Options(folder, "en", jobs=1))
    return folder


def test_a_build_makes_a_module_and_an_extension_that_are_sound(folder: Path) -> None:
    assert sorted(p.name for p in folder.iterdir()) == ["Normandy-20.vmdx", "Normandy-20.vmod"]
    assert [list(problems_of(p)) for p in sorted(folder.iterdir())] == [[], []]


def test_the_extension_says_that_any_module_will_do(folder: Path) -> None:
    with Archive(folder / "Normandy-20.vmdx") as archive:
        root = buildfile.read(archive.read("buildFile.xml"))
        data = read_metadata(archive.read("extensiondata"))
        assert "moduledata" not in archive
    assert root.kind == "ModuleExtension"
    assert (root.get("anyModule"), root.get("extensionId")) == ("true", "nrm20")
    assert data.universal is True
    assert [child.kind for child in root.children] == ["ExtensionElement"] * 3
    assert {child.get("target") for child in root.children} == {""}
    slots = [slot.get("gpid") for slot in root.all("PieceSlot")]
    assert slots == [f"nrm20:{n}" for n in range(len(slots))]
    assert root.get("nextPieceSlotId") == str(len(slots))


def test_no_piece_of_an_extension_rests_on_a_prototype(folder: Path) -> None:
    for name in ("Normandy-20.vmdx", "Normandy-20.vmod"):
        module = read_module(folder / name)
        assert module.prototypes == {}
        assert all(trait.ID != "prototype;" for slot in module.slots for trait in slot.piece.traits)


def test_the_help_says_what_nobody_has_counted(folder: Path) -> None:
    with zipfile.ZipFile(folder / "Normandy-20.vmdx") as archive:
        page = archive.read("nrm20-help.html").decode()
    assert "How many there are is printed nowhere" in page
    assert "Truck, Kampfgruppe headquarters, Fixed battery, Osttruppen, Company of Osttruppen" in page
    assert page.count("as many as the box holds") == 5


def test_counted_markers_are_numbered_and_begin_in_their_box(tmp_path: Path) -> None:
    folder = tmp_path / NAME
    assert run("new", folder, "--kind", "extension").exit_code == 0
    text = (folder / "game.yaml").read_text("utf-8")
    (folder / "game.yaml").write_text(text.replace("counts: {}", "counts: {lorry: 5}"), "utf-8")
    extension = load_extension(folder)
    assert extension.warnings == ()
    made = extension_plan(extension, "en")
    lorries = [piece for piece in made.pieces if piece.kind == "lorry"]
    assert [piece.id for piece in lorries] == [f"lorry-{n}" for n in range(1, 6)]
    assert len({piece.images for piece in lorries}) == 5
    spots = [piece.spot[0].centre(piece.spot[1]) for piece in lorries if piece.spot]
    # The pool has room for four beside one another; the fifth lies on the first.
    assert len(spots) == 5
    assert len(set(spots)) == 4


def test_boxes_of_the_sheet_do_not_overlap() -> None:
    sheet = extension_plan(load_extension(NAME), "pt").sheet
    boxes = sheet.boxes
    for i, a in enumerate(boxes):
        assert a.x >= 0
        assert a.x + a.width <= sheet.width
        assert a.y + a.height <= sheet.height
        for b in boxes[:i]:
            apart = a.x >= b.x + b.width or b.x >= a.x + a.width or a.y >= b.y + b.height or b.y >= a.y + a.height
            assert apart, (a.name, b.name)
    assert len({box.name for box in boxes}) == len(boxes)


def test_the_same_files_give_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    build(NAME, Options(tmp_path, "en", jobs=2, cache=False))
    for name in ("Normandy-20.vmdx", "Normandy-20.vmod"):
        assert (tmp_path / name).read_bytes() == (folder / name).read_bytes()


def test_an_extension_is_built_again_only_if_something_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    own = Path(shutil.copytree(load_extension("normandy").folder, tmp_path / "own"))
    options = Options(tmp_path / "out", jobs=1)
    first = build(own, options)
    again = build(own, options)
    assert first.fresh and not again.fresh
    assert (again.path.name, again.size, again.version) == (first.path.name, first.size, first.version)
    assert first.beside is not None and again.beside is not None and again.beside.samefile(first.beside)
    first.beside.write_bytes(b"spoiled")
    assert build(own, options).fresh
    ledger = own / "ledger.yaml"
    ledger.write_text(ledger.read_text("utf-8").replace("bonus: 2", "bonus: 3"), "utf-8")
    assert build(own, options).fresh


def test_check_tells_what_was_changed_in_an_extension(tmp_path: Path) -> None:
    own = Path(shutil.copytree(load_extension("normandy").folder, tmp_path / "own"))
    assert "->" not in run("check", own).stdout
    for file, old, new in (
        ("game.yaml", "counts: {}", "counts: {truck: 4}"),
        ("game.yaml", "port: {boxes: 9..0", "port: {boxes: 8..0"),
        ("ledger.yaml", "bonus: 2", "bonus: 3"),
    ):
        text = (own / file).read_text("utf-8")
        assert old in text
        (own / file).write_text(text.replace(old, new), "utf-8")
    told = run("check", own).stdout
    assert "count of truck: new: 4" in told
    assert "rule carriers.bonus: 2 -> 3" in told
    assert "track port: boxes 9 8" in told and "-> boxes 8 7" in told
    assert told.count("->") == 2


@pytest.mark.parametrize("command", ["check", "data", "preview", "diff", "verify", "list"])
def test_every_command_copes_with_an_extension(command: str, folder: Path, tmp_path: Path) -> None:
    arguments: dict[str, tuple[str | Path, ...]] = {
        "check": (NAME,),
        "data": (NAME,),
        "preview": (NAME, "--out", tmp_path / "seen"),
        "diff": (NAME, NAME),
        "verify": (folder / "Normandy-20.vmdx",),
        "list": (),
    }
    done = run(command, *arguments[command])
    assert done.exit_code == 0, done.output
    if command == "preview":
        names = {p.name for p in (tmp_path / "seen").iterdir()}
        assert {"index.html", "tracks-pt.png", "tracks-en.png", f"{NAME}-counters-pt.pdf"} <= names
    if command == "list":
        assert "an extension with" in done.output


def test_what_a_new_extension_says_can_be_built(tmp_path: Path) -> None:
    folder = tmp_path / "my-add-on"
    assert run("new", folder, "--kind", "extension").exit_code == 0
    assert "game.extension.yaml.schema.json" in (folder / "game.yaml").read_text("utf-8").splitlines()[0]
    checked = run("check", folder)
    assert checked.exit_code == 0, checked.output
    built = run("build", folder, "--out", tmp_path / "dist", "--no-cache")
    assert built.exit_code == 0, built.output
    assert (tmp_path / "dist" / "MyAddOn.vmdx").is_file()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("picture: truck", "picture: lorry", "no drawing 'lorry'"),
        ("counter: british", "counter: martian", "no palette 'martian'"),
        ("picture: truck", "symbol: lorry", "no symbol 'lorry'"),
    ],
)
def test_check_names_what_cannot_be_drawn(tmp_path: Path, old: str, new: str, said: str) -> None:
    folder = tmp_path / "add-on"
    run("new", folder, "--kind", "extension")
    text = (folder / "game.yaml").read_text("utf-8")
    assert old in text
    (folder / "game.yaml").write_text(text.replace(old, new, 1), "utf-8")
    done = run("check", folder)
    assert done.exit_code == 1
    assert said in done.output
    assert "game.yaml:" in done.output


def test_a_whole_game_has_markers_and_tracks_of_its_own_too(tmp_path: Path) -> None:
    folder = tmp_path / "own"
    assert run("new", folder).exit_code == 0
    with (folder / "game.yaml").open("a", encoding="utf-8") as file:
        file.write(
            "tracks:\n"
            '  port: {boxes: 9..0, waiting: true, section: "9.0"}\n'
            "markers:\n"
            "  port: {count: 1, faces: [{id: works, picture: repair}, {id: ruins, picture: demolition}],"
            ' start: {track: port}, section: "9.0"}\n'
            '  post: {side: north, count: 1, faces: [{id: post, large: P}], start: {hexes: "0203"},'
            ' section: "9.0"}\n'
            '  lorry: {side: north, numbered: true, faces: [{id: lorry, picture: truck}], section: "9.0"}\n'
        )
    for language, works in (("en", "Works"), ("pt", "Obras")):
        with (folder / f"text.{language}.yaml").open("a", encoding="utf-8") as file:
            file.write(f"markers: {{works: {works}, ruins: R, post: P, lorry: L}}\ntracks: {{port: The port}}\n")
    checked = run("check", folder)
    assert checked.exit_code == 0, checked.output
    assert "how many there are is printed nowhere: lorry" in checked.output
    module = build(folder, Options(tmp_path / "dist", "en", jobs=1, cache=False)).path
    assert list(problems_of(module)) == []
    found = read_module(module)
    assert [one.name for one in found.maps][-1].endswith(": tracks")
    assert {"Works", "L"} <= {slot.name for slot in found.slots}
    with Archive(module) as archive, Archive(archive.read("setup.vsav")) as save:
        text = decode_payload(save.read("savedGame")).text.decode()
    assert "own-works.png" in text
    assert "own-post.png" in text
    assert "own-lorry.png" not in text


def test_a_map_with_a_letter_has_it_in_all_that_is_built(tmp_path: Path) -> None:
    folder = tmp_path / "lettered"
    assert run("new", folder).exit_code == 0
    for path in sorted(folder.glob("*.yaml")):
        text = path.read_text("utf-8")
        if path.name in ("map.yaml", "setup.yaml", "victory.yaml", "game.yaml"):
            text = re.sub(r"(?<![\d.-])(\d{4})(?=[\s/.,\]:}\"]|$)", r"B\1", text)
        path.write_text(text.replace("grid: {", "grid: {letter: B, ", 1), "utf-8")
    checked = run("check", folder)
    assert checked.exit_code == 0, checked.output
    module = build(folder, Options(tmp_path / "dist", "en", jobs=1, cache=False)).path
    assert list(problems_of(module)) == []
    with Archive(module) as archive:
        root = buildfile.read(archive.read("buildFile.xml"))
    (numbering,) = root.all("HexGridNumbering")
    assert numbering.get("locationFormat") == "B$gridLocation$"

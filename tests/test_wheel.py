"""What is handed out: the source distribution, the wheel, an editable install, from whatever a tree looks like.

The wheel is made three ways, from the source distribution, from a tree, and from a tree such as Windows unpacks
from a ZIP (text files where the links were) with a stale `build` folder in it, and is the same each time.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from email.message import Message
from email.parser import BytesParser
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

ROOT = Path(__file__).resolve().parent.parent
LINKS = ("art", "modulegen", "scenarios", "validator")
STRANGERS = ("art==6.5", "scenarios==0.0.2", "validator==0.7.1")
"""Other people's distributions, each with a package that is named as one of our folders."""


def run(*command: str | Path, cwd: Path) -> str:
    # PYTHONPATH would lend the environment what its own packages lack.
    env = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def copy_tree(target: Path) -> Path:
    """A copy of the files that git knows, and so of none that somebody's work left lying about."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False).stdout.decode()
    if listed:
        for name in listed.split("\0"):
            if (ROOT / name).is_file():
                (target / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(ROOT / name, target / name)
    else:
        kept_out = shutil.ignore_patterns(*LINKS, ".*", "__pycache__", "dist", "build", "*.egg-info")
        top = shutil.ignore_patterns(
            ".venv", ".*_cache", ".hypothesis", ".benchmarks", "__pycache__", "dist", "build"
        )
        shutil.copytree(ROOT, target, ignore=lambda f, n: (kept_out if Path(f).name == "hexforge" else top)(f, n))
    return target


def with_links(tree: Path) -> Path:
    for name in LINKS:
        (tree / "hexforge" / name).symlink_to(Path("..") / name, target_is_directory=True)
    return tree


def as_windows_unpacks(tree: Path) -> Path:
    """With text where the links were, and with what an older build left behind."""
    for name in LINKS:
        (tree / "hexforge" / name).write_text(f"../{name}", "utf-8")
    for stale in ("build/lib/hexforge/stale.py", "build/lib/validator/stale.py", "hexforge.egg-info/SOURCES.txt"):
        (tree / stale).parent.mkdir(parents=True, exist_ok=True)
        (tree / stale).write_text("raise SystemExit('stale')\n", "utf-8")
    return tree


@pytest.fixture(scope="module")
def handed_out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the source distribution of a tree, and the wheel that is built from that distribution."""
    folder = tmp_path_factory.mktemp("dist")
    tree = with_links(copy_tree(folder / "tree"))
    run(sys.executable, "-m", "build", "--outdir", folder, tree, cwd=folder)
    return folder


@pytest.fixture(scope="module")
def wheel(handed_out: Path) -> Path:
    (built,) = handed_out.glob("hexforge-*.whl")
    return built


@pytest.fixture(scope="module")
def metadata(wheel: Path) -> Message:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [n for n in archive.namelist() if n.endswith(".dist-info/METADATA")]
        return BytesParser().parsebytes(archive.read(name))


def empty(environment: Path) -> Path:
    """Makes an environment with nothing in it, not even pip; the folder of its scripts."""
    venv.create(environment, with_pip=False)
    return environment / ("Scripts" if os.name == "nt" else "bin")


def lent(environment: Path) -> Path:
    """Makes an environment that has the libraries of this one, but not the project; the folder of its scripts."""
    scripts = empty(environment)
    (packages,) = environment.rglob("site-packages")
    (packages / "lent.pth").write_text(sysconfig.get_path("purelib") + "\n", "utf-8")
    return scripts


def pip(scripts: Path, command: str, *words: str | Path) -> None:
    """Our own pip, which works upon the other environment."""
    quick = ["--no-compile"] if command == "install" else []
    target = ("--python", scripts / "python")
    run(sys.executable, "-m", "pip", *target, command, "--quiet", *quick, *words, cwd=scripts.parent.parent)


def judges(scripts: Path, folder: Path) -> None:
    """The command that is installed there judges the example turn that came with it."""
    where = run(
        scripts / "python", "-c", "import hexforge.scenarios as s; print(s.__path__[0])", cwd=folder
    ).strip()
    assert not Path(where).resolve().is_relative_to(ROOT)
    sheet = Path(where, "hurtgen", "examples", "turn2-well.sheet")
    assert '"verdict": "legal"' in run(scripts / "validator", "check", "--format", "json", sheet, cwd=folder)


def test_the_wheel_holds_the_data_files(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    for needed in ("hexforge/scenarios/hurtgen/map.yaml", "hexforge/art/symbols/infantry.svg", "hexforge/py.typed"):
        assert needed in names
    assert any(n.startswith("hexforge/art/fonts/") for n in names)
    assert {n.partition("/")[0] for n in names if ".dist-info/" not in n} == {"hexforge"}


@pytest.mark.full
def test_a_tree_as_windows_unpacks_it_gives_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    tree = as_windows_unpacks(copy_tree(tmp_path / "tree"))
    run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", tmp_path, tree, cwd=tmp_path)
    (built,) = tmp_path.glob("hexforge-*.whl")
    contents = [{i.filename: i.CRC for i in zipfile.ZipFile(w).infolist()} for w in (built, wheel)]
    assert contents[0] == contents[1]


def test_the_source_distribution_holds_what_a_developer_needs(handed_out: Path) -> None:
    (source,) = handed_out.glob("hexforge-*.tar.gz")
    with tarfile.open(source) as archive:
        names = {n.partition("/")[2] for n in archive.getnames()}
        assert all(m.isfile() for m in archive.getmembers())
    for needed in (
        *("README.md", "LEIAME.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "Makefile", "pyproject.toml"),
        *("docs/rulings.md", "docs/pt/planilhas.md", "docs/hurtgen.png", "benchmarks/README.md", ".ci/run"),
        *(
            "tests/conftest.py",
            "tests/cases/hurtgen.yaml",
            "tests/data/played/a.vlog",
            "art/fonts/OFL-Alegreya.txt",
        ),
    ):
        assert needed in names
    own = {p.relative_to(handed_out / "tree").as_posix() for p in (handed_out / "tree").rglob("*") if p.is_file()}
    linked = {n for n in own if n.startswith(tuple(f"hexforge/{name}/" for name in LINKS))}
    assert own - linked - names <= {"dist/README.md"}


def test_what_is_installed_judges(wheel: Path, tmp_path: Path) -> None:
    scripts = lent(tmp_path / "env")
    pip(scripts, "install", "--no-deps", wheel)
    judges(scripts, tmp_path)


@pytest.mark.full
def test_an_empty_environment_builds_and_judges(wheel: Path, tmp_path: Path) -> None:
    scripts = empty(tmp_path / "env")
    pip(scripts, "install", wheel)
    run(scripts / "modulegen", "build", "hurtgen", "--out", tmp_path / "dist", cwd=tmp_path)
    assert zipfile.ZipFile(tmp_path / "dist" / "Hurtgen.vmod").testzip() is None
    # The tree, with the very same libraries, gives the very same bytes.
    tree = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from hexforge.modulegen.cli import main; main()"
    run(scripts / "python", "-c", tree, "build", "hurtgen", "--no-cache", "--out", tmp_path / "tree", cwd=tmp_path)
    modules = [(tmp_path / name / "Hurtgen.vmod").read_bytes() for name in ("dist", "tree")]
    assert modules[0] == modules[1]
    judges(scripts, tmp_path)


@pytest.mark.full
@pytest.mark.parametrize("links", [True, False])
def test_an_editable_install_follows_the_tree(tmp_path: Path, links: bool) -> None:
    copied = copy_tree(tmp_path / "tree")
    tree = with_links(copied) if links else as_windows_unpacks(copied)
    scripts = lent(tmp_path / "env")
    pip(scripts, "install", "--no-deps", "--editable", tree)
    judges(scripts, tmp_path)
    run(scripts / "modulegen", "preview", "hurtgen", "--out", tmp_path / "preview", cwd=tmp_path)
    sheet = tree / "scenarios" / "hurtgen" / "examples" / "turn2-well.sheet"
    run(scripts / "validator", "check", "--quiet", sheet, "-o", tmp_path / "page.html", cwd=tmp_path)
    with (tree / "validator" / "__init__.py").open("a", encoding="utf-8") as module:
        module.write("\nEDITED = True\n")
    run(scripts / "python", "-c", "from hexforge.validator import EDITED", cwd=tmp_path)


@pytest.mark.full
@pytest.mark.parametrize("first", ["hexforge", "strangers"])
def test_packages_of_other_people_with_our_folders_names_live_beside_ours(
    wheel: Path, tmp_path: Path, first: str
) -> None:
    scripts = lent(tmp_path / "env")
    ours, theirs = ("--no-deps", wheel), STRANGERS
    for wanted in (ours, theirs) if first == "hexforge" else (theirs, ours):
        pip(scripts, "install", *wanted)
    use = (
        "import art, scenarios, validator, hexforge.scenarios, hexforge.validator;"
        "assert art.text2art('hex').strip(); assert validator.validate({'a': 1}, {'a': 'required'});"
        "assert len({m.__file__ for m in (scenarios, validator, hexforge.scenarios, hexforge.validator)}) == 4"
    )
    run(scripts / "python", "-c", use, cwd=tmp_path)
    judges(scripts, tmp_path)
    # Each can go without taking a file of the other's along.
    run(
        scripts / "python",
        "-m",
        "pip",
        "uninstall",
        "--quiet",
        "--yes",
        "art",
        "scenarios",
        "validator",
        cwd=tmp_path,
    )
    judges(scripts, tmp_path)


def test_an_index_can_show_the_readme(handed_out: Path, metadata: Message) -> None:
    run(sys.executable, "-m", "twine", "check", "--strict", *handed_out.glob("hexforge-*.*"), cwd=handed_out)
    payload = metadata.get_payload(decode=True)
    assert isinstance(payload, bytes)
    text = payload.decode()
    assert metadata["Description-Content-Type"] == "text/markdown"
    blocks = MarkdownIt().parse(text)
    inner = [t for block in blocks for t in block.children or ()]
    targets = [str(t.attrs.get("href", t.attrs.get("src"))) for t in inner if t.type in ("link_open", "image")]
    assert targets
    assert not [t for t in targets if not t.startswith("https://")]
    assert not [t for t in inner if t.type == "image"]
    # What stands in place of a picture names it, and every section came through.
    own = MarkdownIt().parse((ROOT / "README.md").read_text("utf-8"))
    for picture in [t for block in own for t in block.children or () if t.type == "image"]:
        assert f"*{picture.content}* (picture: `{picture.attrs['src']}`)" in text
    assert _headings(text) == _headings((ROOT / "README.md").read_text("utf-8"))


def _headings(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("#")]


def test_the_metadata_names_makers_licences_and_readers(metadata: Message, wheel: Path) -> None:
    assert metadata["Author"] == "Hexforge contributors"
    assert metadata["License-Expression"] == "MIT AND OFL-1.1"
    fonts = {f"art/fonts/{p.name}" for p in (ROOT / "art" / "fonts").glob("OFL-*.txt")}
    assert set(metadata.get_all("License-File", [])) == {"LICENSE", *fonts}
    held = {n.partition("/licenses/")[2] for n in zipfile.ZipFile(wheel).namelist() if "/licenses/" in n}
    assert held == {"LICENSE", *fonts}
    assert metadata["Keywords"]
    assert "Natural Language :: Portuguese (Brazilian)" in metadata.get_all("Classifier", [])

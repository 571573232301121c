"""A wheel holds all it needs: installed in an empty environment it builds a module and judges a turn."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def run(*command: str | Path, cwd: Path) -> str:
    # PYTHONPATH would lend the environment what its own packages lack.
    env = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    # setuptools leaves a `build` folder beside what it builds, so it gets a copy of the sources that git knows.
    source = folder / "source"
    names = (
        subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
        .stdout.decode()
        .split("\0")
    )
    files = [n for n in names if n] or [str(p.relative_to(ROOT)) for p in ROOT.rglob("*") if p.is_file()]
    for name in files:
        if (ROOT / name).is_file() and not name.startswith((".venv", "tests", ".git")):
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            (source / name).write_bytes((ROOT / name).read_bytes())
    run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, source, cwd=folder)
    (built,) = folder.glob("hexforge-*.whl")
    return built


def test_the_wheel_holds_the_data_files(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    for needed in ("hexforge/scenarios/hurtgen/map.yaml", "hexforge/art/symbols/infantry.svg"):
        assert needed in names
    assert any(n.startswith("hexforge/art/fonts/") for n in names)


def test_an_empty_environment_builds_and_judges(wheel: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "env", with_pip=True)
    scripts = tmp_path / "env" / ("Scripts" if os.name == "nt" else "bin")
    run(scripts / "python", "-m", "pip", "install", "--quiet", wheel, cwd=tmp_path)
    run(scripts / "modulegen", "build", "hurtgen", "--out", tmp_path / "dist", cwd=tmp_path)
    assert zipfile.ZipFile(tmp_path / "dist" / "Hurtgen.vmod").testzip() is None
    # The tree, with the very same libraries, gives the very same bytes.
    tree = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from hexforge.modulegen.cli import main; main()"
    run(scripts / "python", "-c", tree, "build", "hurtgen", "--no-cache", "--out", tmp_path / "tree", cwd=tmp_path)
    modules = [(tmp_path / name / "Hurtgen.vmod").read_bytes() for name in ("dist", "tree")]
    assert modules[0] == modules[1]
    examples = Path(
        run(scripts / "python", "-c", "import hexforge.scenarios as s; print(s.__path__[0])", cwd=tmp_path).strip()
    )
    sheet = examples / "hurtgen" / "examples" / "turn2-well.sheet"
    assert '"verdict": "legal"' in run(scripts / "validator", "check", "--format", "json", sheet, cwd=tmp_path)

"""The pages' scripts as TypeScript reads them by their JSDoc: no name that is not there, no property of nothing."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from hexforge.validator.play.site import script as table
from hexforge.validator.report.replay_page import script as replay
from tests.browser.conftest import missing

WEB = Path(sys.prefix) / "share" / "hexforge-web" / "node_modules"
"""Where `.ci/witness-setup` puts TypeScript and axe."""
READ = (
    *("--noEmit", "--allowJs", "--checkJs", "--target", "es2023", "--module", "esnext"),
    *("--moduleDetection", "force", "--lib", "es2023,dom,dom.iterable"),
)


def test_scripts_are_sound(tmp_path: Path) -> None:
    compiler = WEB / "typescript" / "bin" / "tsc"
    node = shutil.which("node")
    if node is None or not compiler.is_file():
        missing("TypeScript")
    files = {"table.mjs": table(), "replay.mjs": replay()}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    words = [str(node), str(compiler), *READ, *files]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout

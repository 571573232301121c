"""What is asked: a command, its arguments and the files that it finds in its folder; and what it answers."""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import importlib
import io
import json
import os
import re
import tomllib
import traceback
import zipfile
from base64 import b64decode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

from click.testing import CliRunner

ROOT = Path(__file__).resolve().parents[2]
SURROUNDINGS = {"HEXFORGE_LANG": "en", "LC_ALL": "C.UTF-8", "TZ": "UTC", "NO_COLOR": "1", "COLUMNS": "100"}
FAILED = "failed by itself: "
_VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
_NOT_TEXT = {".png", ".jpg", ".gif", ".svg", ".vsav"}


@dataclass(frozen=True)
class Asked:
    """A question. `written` names the file that holds the answer, a pattern; `form` is how that file is read."""

    name: str  # its group, a slash, its own
    words: tuple[str, ...]
    files: Mapping[str, str | bytes | Path] = field(default_factory=dict)
    written: str = ""
    form: Literal["text", "page", "archive"] = "text"

    @property
    def group(self) -> str:
        return self.name.partition("/")[0]


@cache
def program(name: str) -> Any:
    """A command that the project declares."""
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["scripts"]
    module, _, attribute = scripts[name].partition(":")
    return getattr(importlib.import_module(module), attribute)


def answer(asked: Asked) -> str:
    """What is answered, and how it ended, as text that is the same on any machine and in any version."""
    with TemporaryDirectory(prefix="golden-") as name, _within(Path(name)) as folder:
        for path, content in asked.files.items():
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            data = content.read_bytes() if isinstance(content, Path) else content
            target.write_bytes(data.encode() if isinstance(data, str) else data)
        result = CliRunner().invoke(program(asked.words[0]), asked.words[1:], env=SURROUNDINGS)
        told = [f"$ {' '.join(asked.words)}", f"exit {result.exit_code}"]
        if result.exception and not isinstance(result.exception, SystemExit):
            told.append(FAILED + "".join(traceback.format_exception_only(result.exception)))
        told += [_without_times(result.stdout), *(["--- told beside", result.stderr] if result.stderr else [])]
        for path in sorted(folder.glob(asked.written)) if asked.written else ():
            told += [f"--- {path.name}", _FORMS[asked.form](path.read_bytes())]
        return _anywhere("\n".join(told), folder)


@contextlib.contextmanager
def _within(folder: Path) -> Iterator[Path]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield folder
    finally:
        os.chdir(before)


def _anywhere(text: str, folder: Path) -> str:
    for path, name in ((folder.resolve(), "FOLDER"), (folder, "FOLDER"), (ROOT, "TREE")):
        text = text.replace(str(path), name)
    return re.sub(rf"\b{re.escape(_VERSION)}(\+[0-9a-f]{{8}})?\b", "VERSION", text)


def _without_times(text: str) -> str:
    return re.sub(r"\b\d+(\.\d+)? s\b", "TIME", text)


def digest(data: bytes | str) -> str:
    return hashlib.sha256(data.encode() if isinstance(data, str) else data).hexdigest()


def _text(data: bytes) -> str:
    return data.decode("utf-8", "backslashreplace")


def _page(data: bytes) -> str:
    """A page as text: its data unpacked; of pictures, styles and scripts, which all share, the digests."""
    text = re.sub(r'data:[\w/+.-]+;base64,[^"\')]+', lambda found: f"DATA-{digest(found[0])[:12]}", _text(data))
    text = re.sub(
        r"(<(style|script type=\"module\")[^>]*>)(.*?)(</(?:style|script)>)",
        lambda found: f"{found[1]}{digest(found[3])[:12]}{found[4]}",
        text,
        flags=re.DOTALL,
    )
    return re.sub(r'(?<=id="data">)[^<]*', lambda found: _unpacked(found[0]), text)


def _unpacked(packed: str) -> str:
    value = json.loads(gzip.decompress(b64decode(packed)))
    text = json.dumps(value, ensure_ascii=False, indent=0)
    return re.sub(r"data:[\w/+.-]+;base64,[\w/+=]+", lambda found: f"DATA-{digest(found[0])[:12]}", text)


def _archive(data: bytes) -> str:
    """A module: its digest, those of the files in it, and what of it is text."""
    told = [f"sha256 {digest(data)}"]
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        told += [f"{digest(archive.read(name))[:12]} {name}" for name in archive.namelist()]
        told += [
            f"--- {name}\n{_text(archive.read(name))}"
            for name in archive.namelist()
            if Path(name).suffix not in _NOT_TEXT
        ]
    return "\n".join(told)


_FORMS = {"text": _text, "page": _page, "archive": _archive}

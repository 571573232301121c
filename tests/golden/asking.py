"""What is asked: a command, its arguments and the files that it finds in its folder; and what it answers."""

from __future__ import annotations

import contextlib
import email
import gc
import gzip
import hashlib
import importlib
import io
import json
import os
import pickle
import re
import sys
import tomllib
import traceback
import zipfile
from base64 import b64decode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from click.testing import CliRunner

ROOT = Path(__file__).resolve().parents[2]
SURROUNDINGS = {"HEXFORGE_LANG": "en", "LC_ALL": "C.UTF-8", "TZ": "UTC", "NO_COLOR": "1", "COLUMNS": "100"}
FAILED = "failed by itself: "
_VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
_ARCHIVES = {".vmod", ".vmdx", ".vlog", ".vsav", ".xlsx"}
_TEXTS = {".css", ".csv", ".html", ".json", ".md", ".sheet", ".txt", ".xml", ".yaml"}
_PARTS_OF_MODULES = {"moduledata", "extensiondata", "savedata"}
_DATA_URI = re.compile(r"data:[\w/+.-]+;base64,[\w/+=]+")
_SHARED = re.compile(r"(<(?:style|script type=\"module\")[^>]*>)(.*?)(</(?:style|script)>)", re.DOTALL)
_PACKED = re.compile(r'(?<=id="data">)[^<]*')


@dataclass(frozen=True)
class Asked:
    """A question: a command's words, and the files that it finds in its folder.

    `first` are commands that have to go before it; `written` names files that it leaves, by a pattern, which are
    part of the answer. `work` is how long that takes, against a sheet that is judged.
    """

    name: str  # its group, a slash, its own
    words: tuple[str, ...]
    files: Mapping[str, str | bytes | Path] = field(default_factory=dict)
    first: tuple[tuple[str, ...], ...] = ()
    written: str = ""
    work: int = 1

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
        for words in asked.first:
            assert not CliRunner().invoke(program(words[0]), words[1:], env=SURROUNDINGS).exit_code, words
        result = CliRunner().invoke(program(asked.words[0]), asked.words[1:], env=SURROUNDINGS)
        told = [f"$ {' '.join(asked.words)}", f"exit {result.exit_code}"]
        if result.exception and not isinstance(result.exception, SystemExit):
            told.append(FAILED + "".join(traceback.format_exception_only(result.exception)))
        told += [_without_times(result.stdout), *(["--- told beside", result.stderr] if result.stderr else [])]
        for left in sorted(folder.glob(asked.written)) if asked.written else ():
            if left.is_file():
                told += [f"--- {left.relative_to(folder).as_posix()}", _read(left.name, left.read_bytes())]
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


def _read(name: str, data: bytes) -> str:
    """A file as text; of what is none, its digest."""
    suffix = Path(name).suffix
    if suffix in _ARCHIVES:
        return _archive(data)
    if suffix == ".eml":
        return _mail(data)
    if suffix in _TEXTS or name in _PARTS_OF_MODULES:
        text = data.decode("utf-8", "backslashreplace")
        return _page(text) if suffix == ".html" else text
    return f"sha256 {digest(data)}"


def _page(text: str) -> str:
    """A page with its data unpacked; of pictures, styles and scripts, which all pages share, the digests."""
    text = _DATA_URI.sub(lambda found: f"DATA-{digest(found[0])[:12]}", text)
    text = _SHARED.sub(lambda found: f"{found[1]}{digest(found[2])[:12]}{found[3]}", text)
    return _PACKED.sub(lambda found: _unpacked(found[0]), text)


def _unpacked(packed: str) -> str:
    value = json.loads(gzip.decompress(b64decode(packed)))
    text = json.dumps(value, ensure_ascii=False, indent=0)
    return _DATA_URI.sub(lambda found: f"DATA-{digest(found[0])[:12]}", text)


def _mail(data: bytes) -> str:
    """Its head, and what it carries."""
    mail = email.message_from_bytes(data)
    told = [f"{field}: {value}" for field, value in mail.items() if field != "Content-Type"]
    for part in mail.walk():
        content = part.get_payload(decode=True)
        if isinstance(content, bytes):
            name = part.get_filename() or f"{part.get_content_subtype()}.txt"
            told.append(f"-- {name}\n{_read(name, content)}")
    return "\n".join(told)


def _archive(data: bytes) -> str:
    """Its digest, and what is in it."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = [f"-- {name}\n{_read(name, archive.read(name))}" for name in archive.namelist()]
    return "\n".join((f"sha256 {digest(data)}", *parts))


if __name__ == "__main__":
    # Questions come in as they are pickled, answers go out as JSON. What they print themselves goes elsewhere.
    questions = pickle.load(sys.stdin.buffer)
    gc.disable()
    answers, sys.stdout = sys.stdout, sys.stderr
    json.dump([answer(one) for one in questions], answers)

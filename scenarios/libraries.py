"""Libraries that come with a part of the program only, and how whoever lacks one gets it."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias
from urllib.parse import urlsplit
from urllib.request import url2pathname

from hexforge.scenarios.words import HexforgeError, message

Extra: TypeAlias = Literal["cluster", "editor", "print", "serve", "xlsx"]
LIBRARIES: Final[Mapping[Extra, tuple[str, ...]]] = {
    "cluster": ("distributed",),
    "editor": ("pygls",),
    "print": ("typst",),
    "serve": ("starlette", "uvicorn", "python_multipart"),
    "xlsx": ("xlsxwriter",),
}
"""What each extra of `pyproject.toml` installs, as Python imports it."""


class MissingLibrary(HexforgeError):
    """A library that is not installed; the message says how it is."""


def require(*extras: Extra) -> None:
    """Raises MissingLibrary for the first library of these extras that is not there."""
    for extra in extras:
        for library in LIBRARIES[extra]:
            if find_spec(library) is None:
                name = library.replace("_", "-")
                raise MissingLibrary(message("commands.no-library", library=name, command=install_command(extra)))


def install_command(extra: Extra) -> str:
    """How to install an extra from where the program itself was installed from."""
    # pipx gives each program an environment of its own, which pip by itself would not meet.
    command = "pipx install --force" if (Path(sys.prefix) / "pipx_metadata.json").exists() else "pip install"
    try:
        text = distribution("hexforge").read_text("direct_url.json")
        origin: dict[str, Any] = json.loads(text) if text else {}
    except (PackageNotFoundError, ValueError):
        origin = {}
    url = str(origin.get("url", ""))
    if version := origin.get("vcs_info"):
        return f'{command} "hexforge[{extra}] @ {version.get("vcs")}+{url}@{version.get("commit_id")}"'
    if not url.startswith("file:"):
        return f'{command} "hexforge[{extra}] @ {url}"' if url else f'{command} "PATH-TO-HEXFORGE[{extra}]"'
    path = url2pathname(urlsplit(url).path)
    if not Path(path).exists():
        path = "PATH-TO-HEXFORGE"
    editable = "-e " if origin.get("dir_info", {}).get("editable") else ""
    return f'{command} {editable}"{path}[{extra}]"'

"""What was parsed once and is read again at every start, kept as JSON in the user's cache."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any


def cache_folder() -> Path:
    """Where what can be made again is kept: `$XDG_CACHE_HOME/hexforge`, or `~/.cache/hexforge`."""
    base = os.environ.get("XDG_CACHE_HOME") or ""
    return (Path(base) if Path(base).is_absolute() else Path.home() / ".cache") / "hexforge"


def kept(path: Path, parse: Callable[[bytes], Any]) -> Any:
    """What `parse` makes of a file: values of JSON, as kept since the file last changed, or else made now.

    The cache never fails anybody: what cannot be read from it or written to it is as good as absent. Raises OSError
    where the file itself cannot be read, and what `parse` raises.
    """
    stat = path.stat()
    mark = f"{path.resolve()} {stat.st_size} {stat.st_mtime_ns} {parse.__module__}.{parse.__qualname__}"
    return kept_as(mark, lambda: parse(path.read_bytes()))


def kept_as(mark: str, make: Callable[[], Any]) -> Any:
    """Values of JSON that are kept under a mark, which tells all that they depend on; or else made now.

    Raises what `make` raises.
    """
    home = None
    with suppress(OSError, RuntimeError, ValueError):
        home = cache_folder() / "parsed" / f"{hashlib.sha256(mark.encode()).hexdigest()[:32]}.json"
        return json.loads(home.read_bytes())
    found = make()
    if home is not None:
        from hexforge.scenarios.files import put

        with suppress(OSError):
            home.parent.mkdir(parents=True, exist_ok=True)
            put(home, json.dumps(found, ensure_ascii=False).encode())
    return found

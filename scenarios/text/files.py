"""Files and folders that are written whole or not at all, whatever stops the writer.

What was parsed once and is read again at every start, kept as JSON in the user's cache.
"""

from __future__ import annotations

import errno
import glob
import hashlib
import json
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO, Final

PART: Final = ".part"
_STALE: Final = 600.0
"""Seconds after which something half written is nobody's any more, where it is not known whose it was."""


def put(path: Path | str, data: bytes | Iterable[bytes]) -> None:
    """Write a file so that either the old or the new one stands there, never half of it; it may come in pieces.

    A writer that is killed leaves nothing where the system has files without a name (Linux), elsewhere a part that
    the next writer of the same file removes. Raises OSError naming the file (the folder, where that takes none).
    """
    target = Path(path)
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(target))
    part = _part_of(target)
    try:
        with _nameless(part) or part.open("xb") as stream:
            fill(stream, data)
            stream.flush()
            os.fsync(stream.fileno())
            if not part.exists():
                _name(stream, part)
        part.replace(target)
    except BaseException as error:
        part.unlink(missing_ok=True)
        if isinstance(error, OSError) and error.errno is not None:
            raise OSError(error.errno, error.strerror, str(_blamed(error, target))) from error
        raise
    sweep(target.parent, f"{glob.escape(_prefix(target))}*{PART}")


def _blamed(error: OSError, target: Path) -> Path:
    """The file, or the folder where that takes no files at all."""
    closed = (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOENT, errno.ENOTDIR)
    return target.parent if error.errno in closed else target


def _nameless(part: Path) -> BinaryIO | None:
    """A file that has no name until it is given one; None where the system or the folder has no such files."""
    if not hasattr(os, "O_TMPFILE"):
        return None
    try:
        return os.fdopen(os.open(part.parent, os.O_TMPFILE | os.O_RDWR, 0o666), "w+b")
    except OSError:
        return None


def _name(stream: BinaryIO, part: Path) -> None:
    """Give a nameless file its name, or what is in it to a file of that name where that cannot be done."""
    folder = os.open(part.parent, os.O_RDONLY)
    try:
        # With a folder given, the link is made to the file and not to the link that names it.
        os.link(f"/proc/self/fd/{stream.fileno()}", part.name, dst_dir_fd=folder, follow_symlinks=True)
    except OSError:
        stream.seek(0)
        with part.open("xb") as copy:
            shutil.copyfileobj(stream, copy)
            copy.flush()
            os.fsync(copy.fileno())
    finally:
        os.close(folder)


def fill(stream: BinaryIO, data: bytes | Iterable[bytes]) -> None:
    """Write data, or its pieces one after the other."""
    stream.writelines([data] if isinstance(data, bytes) else data)


def _prefix(target: Path) -> str:
    # The name's start alone, for a long name with more around it would be too long for the file system.
    return f".{target.name[:40]}."


def _part_of(target: Path) -> Path:
    return target.with_name(f"{_prefix(target)}{os.getpid()}-{os.urandom(4).hex()}{PART}")


@contextmanager
def staged(folder: Path) -> Iterator[Path]:
    """An empty folder to write into. What is in it comes into `folder` at the end, or nothing does.

    Files that stand in `folder` already and are not written anew stay. Raises OSError naming what was not written.
    """
    home = folder
    while not home.exists():
        home = home.parent
    if not home.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(home))
    sweep(home, f"{glob.escape(_prefix(folder))}*{PART}")
    try:
        stage = Path(tempfile.mkdtemp(PART, f"{_prefix(folder)}{os.getpid()}-", home))
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(folder)) from error
    try:
        yield stage
        _unstage(stage, folder)
    except OSError as error:
        # An open file that fails does not say which it is, and the stage is nobody's business.
        name = os.fsdecode(error.filename or "").replace(str(stage), str(folder)) or str(folder)
        raise OSError(error.errno, error.strerror, name) from error
    finally:
        shutil.rmtree(stage, ignore_errors=True)


def _unstage(stage: Path, folder: Path) -> None:
    if not folder.exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        mask = os.umask(0)
        os.umask(mask)
        stage.chmod(0o777 & ~mask)
        stage.rename(folder)
        return
    for path in sorted(p for p in stage.rglob("*") if p.is_file()):
        target = folder / path.relative_to(stage)
        target.parent.mkdir(parents=True, exist_ok=True)
        path.replace(target)


def sweep(folder: Path, pattern: str) -> None:
    """Remove what killed writers left: matches whose process is no more, or that nobody touched for ten minutes."""
    with suppress(OSError):
        for part in folder.glob(pattern):
            if _is_left(part):
                if part.is_dir():
                    shutil.rmtree(part, ignore_errors=True)
                else:
                    part.unlink(missing_ok=True)


def _is_left(part: Path) -> bool:
    number = part.name.removesuffix(PART).rpartition(".")[2].partition("-")[0]
    if number.isascii() and number.isdecimal() and len(number) < 10 and os.name == "posix":
        # Whoever has that number now may be somebody else: then age decides.
        try:
            os.kill(int(number), 0)
        except ProcessLookupError:
            return True
        except OSError:
            pass
    return time.time() - part.stat().st_mtime > _STALE


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
        with suppress(OSError):
            home.parent.mkdir(parents=True, exist_ok=True)
            put(home, json.dumps(found, ensure_ascii=False).encode())
    return found

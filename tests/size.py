"""Product lines, modules and imports by room, and what changed against an earlier tree: `make size REV=main`."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).parent.parent
PRODUCT = ("hexforge", "modulegen", "scenarios", "validator")


class Size(NamedTuple):
    """Lines and modules of a room, and the lines of its imports."""

    lines: int = 0
    modules: int = 0
    imports: int = 0


def room_of(path: str) -> str:
    """The room that a file of the product lies in: its folder, and the folder's folder where there is one."""
    parts = path.split("/")
    return "/".join(parts[:2]) if len(parts) > 2 else parts[0]


def imports_in(source: str) -> int:
    """Lines that import statements take."""
    nodes = (n for n in ast.walk(ast.parse(source)) if isinstance(n, ast.Import | ast.ImportFrom))
    return sum((node.end_lineno or node.lineno) - node.lineno + 1 for node in nodes)


def sizes(files: Iterable[tuple[str, str]]) -> dict[str, Size]:
    """The rooms of files, given as paths and texts."""
    lines, modules, imports = Counter[str](), Counter[str](), Counter[str]()
    for path, source in files:
        room = room_of(path)
        lines[room] += source.count("\n")
        modules[room] += 1
        imports[room] += imports_in(source)
    return {room: Size(lines[room], modules[room], imports[room]) for room in sorted(lines)}


def tree() -> Iterator[tuple[str, str]]:
    """The product's modules as they lie on the disk."""
    for folder in PRODUCT:
        for path in sorted((ROOT / folder).rglob("*.py")):
            name = path.relative_to(ROOT).as_posix()
            if not any(parent.is_symlink() for parent in path.parents):
                yield name, path.read_text("utf-8")


def revision(name: str) -> Iterator[tuple[str, str]]:
    """The product's modules in a commit."""

    def git(*words: str) -> str:
        return subprocess.run(["git", *words], cwd=ROOT, check=True, capture_output=True, encoding="utf-8").stdout

    for line in git("ls-tree", "-r", name, "--", *PRODUCT).splitlines():
        mode, _, blob, path = line.split(None, 3)
        if path.endswith(".py") and mode != "120000":
            yield path, git("cat-file", "blob", blob)


def total(rooms: dict[str, Size]) -> Size:
    """All rooms together."""
    return Size(*(sum(column) for column in zip(*rooms.values(), strict=True))) if rooms else Size()


def main(name: str) -> None:
    """Prints the table."""
    now, before = sizes(tree()), sizes(revision(name))
    table = Table("room", "lines", "modules", "imports", f"against {name}", box=None)
    for column in table.columns[1:]:
        column.justify = "right"
    for room in sorted({*now, *before}):
        here, then = now.get(room, Size()), before.get(room, Size())
        table.add_row(room, *map(str, here), f"{here.lines - then.lines:+d}")
    here, then = total(now), total(before)
    share = f"{here.imports} ({here.imports / max(here.lines, 1):.1%})"
    table.add_section()
    table.add_row("all", str(here.lines), str(here.modules), share, f"{here.lines - then.lines:+d}")
    Console(soft_wrap=True).print(table)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "HEAD")

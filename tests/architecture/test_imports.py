"""The contract of the house: who may import whom, how deep, and what may wait until it is used."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import grimp
import pytest

ROOT: Final = Path(__file__).parents[2]
FOLDERS: Final = ("hexforge", "modulegen", "scenarios", "validator")

FLOORS: Final = (
    "validator.app",
    "validator.play",
    "validator.report",
    "validator.judging",
    "validator.logs",
    "validator.reading",
    "validator.rules",
    "validator.notation",
    "modulegen",
    "modulegen.vassal",
    "scenarios",
    "scenarios.text",
)
"""The rooms, from the top floor down. Each may import from those below it, and from none above.

`logs` stands above `reading`: what players type into VASSAL's chat is read as any line that people write.
"""
DEEPEST: Final = 48
"""Modules in the longest chain of imports, the package `hexforge` itself included."""
MODULES: Final = 342
LAZY: Final = {
    "PIL": "pictures alone need it, and it takes a tenth of a second to load",
    "resvg": "pictures alone need it",
    "lxml": "mails in HTML and a game's own symbols alone need it",
    "jinja2": "pages alone need it",
    "markupsafe": "comes with the library of pages",
    "rich": "tables and colours of a terminal alone need it",
    "babel": "English counts and writes numbers without it",
    "yaml": "words and games are in the cache after the first time",
    "pydantic": "games are in the cache after the first time",
    "pydantic_core": "comes with pydantic",
    "rapidfuzz": "whoever makes no slip needs no likeness",
    "xlsxwriter": "a library of an extra",
    "typst": "a library of an extra",
    "uvicorn": "a library of an extra",
    "starlette": "a library of an extra",
    "distributed": "a library of an extra",
    "importlib": "looks through all that is installed, for the program's version or a command's module",
    "click.shell_completion": "shells alone ask for it",
    "concurrent.futures": "one game needs no processes",
    "multiprocessing": "one game needs no processes",
    "tempfile": "costs as much as a small module, and few write aside",
    "urllib.request": "loads what reads mails, for one function",
    "webbrowser": "costs as much as a small module, and few commands open a browser",
    "resource": "Windows has none",
    "ctypes": "Windows alone needs it",
    "locale": "Windows alone needs it",
}
"""Libraries that may be imported where they are used, and why."""
LAZY_MODULES: Final = {
    "hexforge/__init__.py": "the package is imported for its version too",
    "hexforge/api.py": "who builds modules needs no referee, and who judges no drawing",
    "modulegen/cli_*.py": "what a command does is imported when it runs: its help comes at once",
    "validator/app/cli_*.py": "what a command does is imported when it runs: its help comes at once",
    "validator/app/batch.py": "a form of report is imported when it is asked for: some need a library of an extra",
}
"""Modules whose functions may import anything, and why."""
LATE: Final = {
    r"validator\.logs\..*|validator\.judging\.(transcription|position_check|chain|check)": "a sheet needs no logs",
    r"validator\.reading\.(mails\..*|intake|typed_game)": "a sheet needs no mails",
    r"validator\.rules\.(move_effects|position)": "the record of a log judges nothing",
    r"validator\.(reading\.(sheet|infer_game)|judging\.replay(ed)?)": "the record of a log judges nothing",
    r"validator\.(rules\.accounts_.*|notation\.statements_accounts)": "most games keep no accounts",
    r"validator\.report\.(replay_.*|html|dice.*|throws)|modulegen\..*": "an answer in text draws nothing",
    r"scenarios\.(loader|checks|sources|yamlfile|binding)\b.*": "games are in the cache after the first time",
}
"""What may be imported where it is used by the rooms above it, for the sake of how soon a small sheet is judged."""


@cache
def graph() -> grimp.ImportGraph:
    """All imports of the product, those within functions and for type checkers too."""
    return grimp.build_graph("hexforge", cache_dir=None)


def room_of(module: str) -> str:
    """The room of a module, "" for the package itself and its public face."""
    name = module.removeprefix("hexforge.")
    return max((room for room in FLOORS if name == room or name.startswith(f"{room}.")), key=len, default="")


def arrows() -> Iterator[tuple[str, str]]:
    """Each module with each that it imports."""
    for module in sorted(graph().modules):
        for imported in sorted(graph().find_modules_directly_imported_by(module)):
            yield module, imported


def test_imports_run_downwards() -> None:
    upward = [
        f"{module} imports {imported}"
        for module, imported in arrows()
        if (here := room_of(module)) and (there := room_of(imported)) and FLOORS.index(there) < FLOORS.index(here)
    ]
    assert not upward, "\n".join(upward)


def test_the_programs_share_formats_and_pictures_alone() -> None:
    # The compiler knows nothing of the referee; whoever reports draws with what the compiler draws with.
    wrong = [
        f"{a} imports {b}" for a, b in arrows() if a.startswith("hexforge.modulegen") and "hexforge.validator" in b
    ]
    assert not wrong, "\n".join(wrong)


def test_no_module_of_the_validator_stands_loose() -> None:
    loose = {path.name for path in (ROOT / "validator").glob("*.py")} - {"__init__.py", "__main__.py"}
    assert not loose


def components() -> Iterator[list[str]]:
    """Strongly connected groups of modules, those first on which others rest."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []

    def visit(module: str) -> Iterator[list[str]]:
        index[module] = low[module] = len(index)
        stack.append(module)
        for imported in sorted(graph().find_modules_directly_imported_by(module)):
            if imported not in index:
                yield from visit(imported)
                low[module] = min(low[module], low[imported])
            elif imported in stack:
                low[module] = min(low[module], index[imported])
        if low[module] == index[module]:
            found = stack[stack.index(module) :]
            del stack[stack.index(module) :]
            yield found

    for module in sorted(graph().modules):
        if module not in index:
            yield from visit(module)


def test_no_modules_import_each_other() -> None:
    circles = [" ".join(sorted(group)) for group in components() if len(group) > 1]
    assert not circles, "\n".join(circles)


def test_chains_of_imports_are_short() -> None:
    chain: dict[str, tuple[str, ...]] = {}
    for (module,) in components():
        below = (chain[imported] for imported in graph().find_modules_directly_imported_by(module))
        chain[module] = (module, *max(below, key=len, default=()))
    longest = max(chain.values(), key=len)
    assert len(longest) <= DEEPEST, "\n".join(longest)


def test_modules_are_few() -> None:
    assert len(graph().modules) <= MODULES


def lazy_imports(path: Path) -> Iterator[tuple[int, str]]:
    """Line and module of each import within a function; modules of ours without the name of the package."""
    package = path.relative_to(ROOT).parent.parts
    for function in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            for node in ast.walk(function):
                if isinstance(node, ast.Import):
                    yield from ((node.lineno, alias.name) for alias in node.names)
                elif isinstance(node, ast.ImportFrom) and node.level:
                    parts = (
                        *package[: len(package) - node.level + 1],
                        *filter(None, (node.module or "").split(".")),
                    )
                    base = ".".join(("hexforge", *parts))
                    for name in node.names:
                        known = f"{base}.{name.name}"
                        yield node.lineno, (known if known in graph().modules else base).removeprefix("hexforge.")
                elif isinstance(node, ast.ImportFrom):
                    yield node.lineno, node.module or ""


@pytest.mark.parametrize("folder", FOLDERS)
def test_imports_wait_for_nothing_but_heavy_libraries(folder: str) -> None:
    found = []
    for path in sorted((ROOT / folder).rglob("*.py")):
        file = path.relative_to(ROOT)
        if any(parent.is_symlink() for parent in path.parents) or any(map(file.match, LAZY_MODULES)):
            continue
        for line, module in lazy_imports(path):
            late = any(re.fullmatch(pattern, module) for pattern in LATE)
            if not late and not any(module == name or module.startswith(f"{name}.") for name in LAZY):
                found.append(f"{file}:{line} imports {module}")
    assert not found, "\n".join(found)

"""The command `modulegen`. Commands are imported when they are used, so that `--help` is immediate."""

from __future__ import annotations

from typing import Final

from hexforge.scenarios.commands import program

_BUILD, _DATA, _EASEL, _LINT, _LOOK = (
    f"hexforge.modulegen.cli_{part}" for part in ("build", "data", "easel", "lint", "look")
)
_COMMANDS: Final = {
    "bind": "hexforge.modulegen.cli_import:bind",
    "build": f"{_BUILD}:build",
    "check": f"{_DATA}:check",
    "data": f"{_DATA}:data",
    "diff": f"{_LOOK}:diff",
    "import": "hexforge.modulegen.cli_import:import_module",
    "inspect": f"{_LOOK}:inspect",
    "keys": f"{_DATA}:keys",
    "lint": f"{_LINT}:lint",
    "list": f"{_DATA}:list_games",
    "map": f"{_EASEL}:map_",
    "new": f"{_DATA}:new",
    "preview": f"{_LOOK}:preview",
    "schema": f"{_DATA}:schema",
    "verify": f"{_LOOK}:verify",
    "watch": f"{_BUILD}:watch",
}
main = program("modulegen", _COMMANDS)

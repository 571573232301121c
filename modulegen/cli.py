"""The command `modulegen`. Commands are imported when they are used, so that `--help` is immediate."""

from __future__ import annotations

from typing import Final

from ..scenarios.commands import program

_BUILD, _DATA, _LOOK = (f"hexforge.modulegen.cli_{part}" for part in ("build", "data", "look"))
_COMMANDS: Final = {
    "bind": f"{_LOOK}:bind",
    "build": f"{_BUILD}:build",
    "check": f"{_DATA}:check",
    "data": f"{_DATA}:data",
    "diff": f"{_LOOK}:diff",
    "import": f"{_LOOK}:import_module",
    "inspect": f"{_LOOK}:inspect",
    "keys": f"{_DATA}:keys",
    "lint": f"{_LOOK}:lint",
    "list": f"{_DATA}:list_games",
    "map": f"{_LOOK}:map_",
    "new": f"{_DATA}:new",
    "preview": f"{_LOOK}:preview",
    "refresh": f"{_LOOK}:refresh",
    "schema": f"{_DATA}:schema",
    "verify": f"{_LOOK}:verify",
    "watch": f"{_BUILD}:watch",
}
main = program("modulegen", _COMMANDS)

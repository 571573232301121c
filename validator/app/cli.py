"""The command `validator`. Commands are imported when they are used, so that `--help` comes at once."""

from __future__ import annotations

from typing import Final

from ...scenarios.commands import program

_COMMANDS: Final = {
    "check": "hexforge.validator.app.cli_check:check",
    "audit": "hexforge.validator.app.cli_logs:audit",
    "chain": "hexforge.validator.app.cli_logs:chain",
    "dice": "hexforge.validator.app.cli_logs:dice",
    "reply": "hexforge.validator.app.cli_check:reply",
    "join": "hexforge.validator.app.cli_logs:join",
    "transcribe": "hexforge.validator.app.cli_logs:transcribe",
    "reach": "hexforge.validator.app.cli_ask:reach",
    "odds": "hexforge.validator.app.cli_ask:odds",
    "duties": "hexforge.validator.app.cli_ask:duties",
    "units": "hexforge.validator.app.cli_ask:units",
    "format": "hexforge.validator.app.cli_check:format_",
    "page": "hexforge.validator.app.cli_page:page",
    "watch": "hexforge.validator.app.cli_page:watch",
    "lsp": "hexforge.validator.app.cli_page:lsp",
    "serve": "hexforge.validator.app.cli_page:serve",
    "play": "hexforge.validator.app.cli_play:play",
    "turns": "hexforge.validator.app.cli_play:turns",
    "seal": "hexforge.validator.app.cli_seal:seal",
    "open": "hexforge.validator.app.cli_seal:open_",
    "position": "hexforge.validator.app.cli_ask:position",
}
main = program("validator", _COMMANDS)

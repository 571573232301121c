"""The command `validator`. Commands are imported when they are used, so that `--help` comes at once."""

from __future__ import annotations

from typing import Final

from hexforge.scenarios.commands import program

_COMMANDS: Final = {
    "check": "hexforge.validator.cli_check:check",
    "audit": "hexforge.validator.cli_audit:audit",
    "chain": "hexforge.validator.cli_chain:chain",
    "dice": "hexforge.validator.cli_dice:dice",
    "reply": "hexforge.validator.cli_reply:reply",
    "transcribe": "hexforge.validator.cli_transcribe:transcribe",
    "reach": "hexforge.validator.cli_ask:reach",
    "odds": "hexforge.validator.cli_ask:odds",
    "duties": "hexforge.validator.cli_ask:duties",
    "units": "hexforge.validator.cli_units:units",
    "format": "hexforge.validator.cli_format:format_",
    "page": "hexforge.validator.cli_page:page",
    "watch": "hexforge.validator.cli_page:watch",
    "lsp": "hexforge.validator.cli_editor:lsp",
    "serve": "hexforge.validator.cli_serve:serve",
    "position": "hexforge.validator.cli_position:position",
}
main = program("validator", _COMMANDS)

"""The kinds of what is found wrong with a chain, and notes of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from hexforge.scenarios.words import Param, message
from hexforge.validator.referee.kinds import FindingKind, log_kinds
from hexforge.validator.transcribe.noted import Noted, Origin

KINDS: Final[Mapping[str, FindingKind]] = log_kinds(
    {
        "log-chain": {
            "illegal": "same-file forks begins-alike restarted same-actions",
            "doubtful": "turn-back",
            "warning": "goes-on module-version extension-gone extension-new extension-version saved-earlier "
            "id-later id-older id-unknown",
            "info": "belongs-after nothing-before vassal-version same-hand",
        },
    }
)
"""Keys below `note` in `art/words/chain.*.yaml`."""


def note(origin: Origin, key: str, /, **values: Param) -> Noted:
    """A note of one of `KINDS`."""
    kind = KINDS[key]
    return Noted(origin, kind.code, kind.severity, message(f"chain.note.{key}", **values))

"""What is true of any finding, whatever it finds: its words are whole, and its data name what the words name."""

from __future__ import annotations

from collections.abc import Iterable

from hexforge.scenarios.text.words import Words
from hexforge.validator.rules.findings import Finding

ENGLISH = Words("en")


def well_told(findings: Iterable[Finding]) -> None:
    """Fails for a finding with a gap in its words, or whose `units` lack the unit that it speaks of."""
    for finding in findings:
        for message in (finding.message, *finding.rests_on):
            text = ENGLISH.say(message)
            assert "None" not in text and "{" not in text and "XX" not in text, text
        unit = finding.message.values.get("unit")
        assert unit is None or unit in finding.units or finding.code in ("unknown-unit", "syntax"), finding

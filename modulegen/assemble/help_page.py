"""The help page: plain HTML (VASSAL's viewer knows 3.2 and little style) from the words of game and compiler."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from modulegen.plan import Plan

FILE = "help.html"


def page(plan: Plan) -> bytes:
    """The page, UTF-8, every character beyond ASCII as a reference, for the viewer guesses encodings."""
    from modulegen.render import templates

    words = plan.words
    help_ = words.text.section("help")
    specials = [text for key, text in sorted(help_.items()) if key.startswith("special")]
    html = templates.render(
        "boxes/help.html.j2",
        plan=plan,
        words=words,
        title=words.title(plan.scenario),
        text=words.text,
        specials=specials,
        provenance=_provenance(plan),
    )
    return html.encode("ascii", "xmlcharrefreplace")


def _provenance(plan: Plan) -> dict[str, int]:
    counts = {"printed": 0, "gazetteer": 0, "assumed": 0}
    for kind in plan.scenario.map.provenance.values():
        counts[kind] += 1
    return counts

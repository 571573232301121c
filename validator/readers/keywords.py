"""Words of finished sentences in Portuguese: until all that is said is said as messages with terms."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

from hexforge.validator.readers.words import notation, vocabulary_of

_SPOKEN: Final = re.compile(r"(?<![\w-])[a-z][a-z_-]*[a-z](?![\w-])")
_SECTIONS: Final = ("sides", "unit_types", "terrain", "edges", "phases", "ways", "hexsides", "flags")


@cache
def _vocabulary() -> Mapping[str, str]:
    from hexforge.scenarios.folders import names
    from hexforge.scenarios.loader import load

    found: dict[str, str] = {}
    words = notation().forms["pt"]["statements"]
    for id_ in ("move", "enter", "exit", "recover", "build", "clear", "airroll", "combat", "bombard", "airstrike"):
        found[id_] = words[id_][0]
    for name in names():
        words_of = vocabulary_of(load(name))
        for section in _SECTIONS:
            for id_, forms in words_of.forms["pt"].get(section, {}).items():
                if forms[0] != id_:
                    found.setdefault(id_, forms[0].replace("_", " "))
    return found


def in_portuguese(value: object) -> object:
    """A value for a Portuguese sentence: words of the notation in it are translated, all else is kept."""
    if not isinstance(value, str):
        return value
    return _SPOKEN.sub(lambda match: _vocabulary().get(match[0], match[0]), value)

"""What a counter prints beside its symbol: its own number to the left, its formation to the right."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hexforge.scenarios import Counter, Scenario


def _fold(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text)
    return "".join(c for c in plain if c.isalnum() and c.isascii()).lower()


def _spelled(token: str, names: Iterable[str]) -> str:
    """A word of an id as the counter's names spell it (`saarbrucken` as Saarbrücken, `gcav` as GCav).

    What is the initials of words that stand side by side in them is written in capitals: `kdg` as KDG.
    """
    words = list(filter(None, names))
    for word in words:
        if _fold(word) == token:
            return word
    initials = "".join(_fold(word[0]) if word[0].isupper() else " " for word in words)
    return token.upper() if len(token) > 1 and token in initials else token.capitalize()


def _words(token: str, names: list[str], silent: Collection[str]) -> list[str]:
    if token in map(_fold, names):
        return [_spelled(token, names)]
    parts = re.findall(r"[0-9]+|[^0-9]+", token)
    return [p if p.isdecimal() else _spelled(p, names) for p in parts if p not in silent]


def labels(counter: Counter, scenario: Scenario) -> tuple[str, str]:
    """The texts left and right of the symbol (rulebooks 2.2.1: regiment to the left, division to the right).

    A unit of a regiment shows its battalion too (`1/109`), the running number with which ids tell alike units
    apart. One of no regiment shows what its id names besides side, formation and type: `us-893-td` is 893. The
    corps stands in for a missing division. What the counter's own `label` says stands to the left in place of all
    that. Either text may be empty.
    """
    if counter.label:
        return counter.label, counter.division or counter.corps
    tokens = counter.id.split("-")[1:]
    ordinal = tokens.pop() if len(tokens) > 1 and tokens[-1].isdecimal() else ""
    right = counter.division or counter.corps
    if counter.regiment:
        return (
            f"{ordinal}/{counter.regiment}" if ordinal not in ("", counter.regiment) else counter.regiment
        ), right
    spec = scenario.game.unit_types.get(counter.type)
    silent = frozenset(spec.ids if spec else ())
    known = {_fold(counter.division), _fold(counter.corps), _fold(counter.branch)} | silent
    # An id may write the division with its kind (`116pz`, `101ab`) where the counter prints the number alone.
    number = re.match(r"[0-9]+", _fold(counter.division))
    names = re.split(r"[\s(),/-]+", " ".join(counter.names.values()))
    rest: list[str] = []
    for token in tokens:
        same_number = number is not None and re.fullmatch(rf"{number[0]}[a-z]*", token) is not None
        if token not in known and not same_number:
            rest += _words(token, names, silent)
    own = " ".join(rest)
    if not own:
        return ordinal, right
    if not ordinal:
        return own, right
    return (ordinal, own) if not right else (f"{ordinal}/{own}", right)

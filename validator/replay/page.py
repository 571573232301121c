"""One file in which a game can be looked at step by step: pictures, data, script and the readable report in it.

The script is the only one that may run, by its hash; it shows names and chat as text alone. Where none runs, and on
paper, there is the report.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from hexforge.scenarios.words import Words
from hexforge.validator.replay.as_json import as_json
from hexforge.validator.replay.model import Replay, Said
from hexforge.validator.replay.pictures import Pictures

if TYPE_CHECKING:
    from hexforge.validator.report.forms import Rest


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the page says of the whole game: a key for its colour, and words; nothing where nobody judged it."""

    key: str = ""
    told: Said | None = None


def page(
    replay: Replay,
    pictures: Pictures,
    words: Words,
    *,
    verdict: Verdict = Verdict(),
    article: str = "",
    others: Mapping[str, str] | None = None,
    rest: Rest | None = None,
    watch: bool = False,
) -> str:
    """The page of a replay, first in the language of `words`.

    `article` is the report of the game in it, as markup, `others` the same in other languages with empty places for
    pictures; `rest` is what there was besides the game. A page with `watch` looks for a newer one in its place
    while nobody uses it.
    """
    from hexforge.validator.report.html import page as written

    return written(
        "page.html.j2",
        words,
        title=f"{replay.title.get(words.language, '')}: {replay.source}",
        boards=replay.boards,
        pictures=_Trusted.of(pictures),
        language=words.language,
        verdict=verdict.key,
        told=json.dumps(_in_order(verdict.told or {}, replay.languages), ensure_ascii=False),
        failures=rest.failures if rest else (),
        skipped=[what for _, what in rest.skipped] if rest else (),
        article=Markup(article),
        data=Markup(packed(_data(replay, pictures, others or {}, watch))),
        script=Markup(script()),
        script_hash=script_hash(),
    )


@dataclass(frozen=True, slots=True)
class _Trusted:
    """Data URIs that this program made."""

    boards: tuple[Markup, ...]
    sheet: Markup
    names: Mapping[str, tuple[Markup, tuple[float, float, float, float]]]

    @classmethod
    def of(cls, pictures: Pictures) -> _Trusted:
        names = {language: (Markup(found.picture), found.place) for language, found in pictures.names.items()}
        return cls(tuple(map(Markup, pictures.boards)), Markup(pictures.sheet), names)


def _data(replay: Replay, pictures: Pictures, others: Mapping[str, str], watch: bool) -> dict[str, Any]:
    return {
        "replay": as_json(replay),
        "words": {language: dict(Words(language).section("page")) for language in replay.languages},
        "pictures": pictures.as_json(),
        "reports": dict(others),
        "watch": watch,
    }


def packed(value: object) -> str:
    """A value as JSON, deflated and in letters that no markup knows; the same value gives the same text."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return b64encode(gzip.compress(text.encode("utf-8", "replace"), mtime=0)).decode()


def _in_order(text: Said, languages: Sequence[str]) -> list[str]:
    return [text.get(language, "") for language in languages]


@cache
def script() -> str:
    """The page's script, as it stands in every page."""
    from hexforge.validator.report.html import TEMPLATES

    return "\n" + (TEMPLATES / "page.js").read_text("utf-8")


def script_hash() -> str:
    """By what browsers know that script, as a content policy gives it."""
    return b64encode(hashlib.sha256(script().encode()).digest()).decode()

"""One file in which a game can be looked at step by step: pictures, data, script and the readable report in it.

The script is the only one that may run, by its hash; it shows names and chat as text alone. Where none runs, and on
paper, there is the report.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from markupsafe import Markup

from hexforge.scenarios.words import Words
from hexforge.validator.replay.as_json import as_json
from hexforge.validator.replay.model import Replay, Said
from hexforge.validator.replay.pictures import Pictures

if TYPE_CHECKING:
    from hexforge.validator.report.forms import Rest

_PARTS: Final = (
    "elements", "data", "words", "positions", "counters", "camera", "overlay", "steps", "combat", "detail",
    "panels", "controls", "seeking", "pointer", "language", "start",
)  # fmt: skip
"""The parts of the script, each of which may use what stands in those before it as it is read."""


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
    said: Callable[[str], str] = str,
) -> str:
    """The page of a replay, first in the language of `words`.

    `article` is the report of the game in it, as markup, `others` the same in other languages with empty places for
    pictures; `rest` is what there was besides the game. A page with `watch` looks for a newer one in its place
    while nobody uses it. `said` changes what is told before it is packed, of JSON too.
    """
    from hexforge.validator.report.pages import page as written

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
        data=Markup(packed(_data(replay, pictures, others or {}, watch), said)),
        script=Markup(script()),
        script_hash=script_hash(),
    )


@dataclass(frozen=True, slots=True)
class _Trusted:
    """Data URIs that this program made, or links to files beside the page, and whence it may load pictures."""

    boards: tuple[Markup, ...]
    sheet: Markup
    names: Mapping[str, tuple[Markup, tuple[float, float, float, float]]]
    sources: str = "data:"

    @classmethod
    def of(cls, pictures: Pictures) -> _Trusted:
        names = {language: (Markup(found.picture), found.place) for language, found in pictures.names.items()}
        every = (*pictures.boards, pictures.sheet, *(found.picture for found in pictures.names.values()))
        linked = any(uri and not uri.startswith("data:") for uri in every)
        # A page that is opened from a disk is of no origin of its own in every browser.
        sources = "data: 'self' file:" if linked else "data:"
        return cls(tuple(map(Markup, pictures.boards)), Markup(pictures.sheet), names, sources)


def _data(replay: Replay, pictures: Pictures, others: Mapping[str, str], watch: bool) -> dict[str, Any]:
    return {
        "replay": as_json(replay),
        "words": {language: dict(Words(language).section("page")) for language in replay.languages},
        "pictures": pictures.as_json(),
        "reports": dict(others),
        "watch": watch,
    }


def packed(value: object, said: Callable[[str], str] = str) -> str:
    """A value as JSON (changed by `said`), deflated and in letters that no markup knows; always the same text."""
    text = said(json.dumps(value, ensure_ascii=False, separators=(",", ":")))
    return b64encode(gzip.compress(text.encode("utf-8", "replace"), mtime=0)).decode()


def _in_order(text: Said, languages: Sequence[str]) -> list[str]:
    return [text.get(language, "") for language in languages]


@cache
def script() -> str:
    """The page's script, as it stands in every page: its parts one after the other, as one module."""
    from hexforge.validator.report.pages import TEMPLATES

    return "\n" + "\n".join((TEMPLATES / "page" / f"{part}.js").read_text("utf-8") for part in _PARTS)


def script_hash() -> str:
    """By what browsers know that script, as a content policy gives it."""
    return b64encode(hashlib.sha256(script().encode()).digest()).decode()

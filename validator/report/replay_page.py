"""One file in which a game can be looked at step by step: pictures, data, script and the readable report in it.

The script is the only one that may run, by its hash; it shows names and chat as text alone. Where none runs, and on
paper, there is the report.

The replay of an answer with its pictures, whether rules judged it or a module's log tells it alone.

What the side to move may ask before it goes on: what it owes, where its units get to, what attacks promise.

A replay for the page's script: short keys, nothing that is empty, a text once if all languages say it so.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from markupsafe import Markup

from ...scenarios.console import safe
from ...scenarios.text.words import HexforgeError, Words
from ..judging import questions
from ..rules.findings import CombatRecord, points
from . import wording
from .pages import TEMPLATES
from .pages import page as written
from .replay_model import Said
from .wording import duties_told

if TYPE_CHECKING:
    from ...scenarios.text.hexgrid import Hex
    from ...scenarios.text.words import Language
    from ..judging.answer import Answer
    from ..judging.replayed import Replayed
    from ..rules.combat.preview import Odds
    from .pages import Rest
    from .replay_model import Declared, Fight, Moved, Note, Outlook, Part, Piece, Prospect, Replay, Spot, Step, Way
    from .replay_pictures import Pictures, Studio


def _as_json_kept(**values: Any) -> dict[str, Any]:
    return {key: value for key, value in values.items() if value not in (None, "", (), [], {}, False)}


@dataclass(frozen=True, slots=True)
class Writer:
    """Writes the values of a replay for the page's script, texts in its languages."""

    languages: tuple[str, ...]

    def said(self, text: Said) -> Any:
        """A text: itself if all languages say it so, else one for each language in their order."""
        texts = [text.get(language, "") for language in self.languages]
        return texts[0] if len(set(texts)) == 1 else texts

    def mapped(self, texts: Mapping[Any, Said]) -> dict[str, Any]:
        return {str(key): self.said(text) for key, text in texts.items()}

    def spot(self, spot: Spot) -> list[Any]:
        if spot.at is None:
            return [spot.name, None, None, spot.where]
        return [spot.name, *spot.at, "", spot.map] if spot.map else [spot.name, *spot.at]

    def piece(self, piece: Piece) -> dict[str, Any]:
        return _as_json_kept(id=piece.id, n=self.said(piece.name), f=piece.faces, st=piece.steps, due=piece.due) | {
            "s": piece.side
        }

    def step(self, step: Step) -> dict[str, Any]:
        return {
            "t": step.turn,
            "s": step.side,
            **_as_json_kept(
                l=step.line, p=step.phase, pn=step.number, k=step.kind, x=self.said(step.text), src=step.source,
                z=step.zones,
                m=[[put.piece, put.spot, put.face] for put in step.puts], w=list(map(self.way, step.ways)),
                c=list(map(self.fight, step.fights)), vp=step.score, air=step.air, d=step.dice, u=step.undone,
                e=list(map(self.said, step.followed)),
                acc=[[self.said(what), self.said(told)] for what, told in step.accounts or ()],
            ),
        }  # fmt: skip

    def way(self, way: Way) -> dict[str, Any]:
        prices = [[self.said(part.what), part.points, self.said(part.why)] for part in way.prices]
        return {
            "k": way.kind,
            "l": way.line,
            "u": way.pieces,
            "p": way.path,
            **_as_json_kept(c=prices),
            **({"t": way.cost, "r": way.left} if way.cost is not None else {}),
        }

    def fight(self, fight: Fight) -> dict[str, Any]:
        return {
            "k": fight.kind,
            "h": fight.target,
            "parts": list(map(self.part, fight.parts)),
            "start": fight.start,
            **({"a": fight.attack, "d": fight.defence} if fight.attack is not None else {}),
            **_as_json_kept(
                sh=list(map(self.moved, fight.shifts)), die=list(map(self.moved, fight.die)), cn=fight.column_name,
                f=fight.faces, r=fight.result, dec=list(map(self.declared, fight.declared)), tab=fight.table,
            ),
            "roll": fight.roll,
            "col": fight.column,
            "row": fight.row,
            "dcol": fight.declared_column,
        }  # fmt: skip

    def part(self, part: Part) -> list[Any]:
        return [part.side, self.said(part.label), part.points, part.piece, int(part.wrong), self.said(part.why)]

    def moved(self, moved: Moved) -> list[Any]:
        return [self.said(moved.cause), moved.columns, moved.rule, int(moved.wrong)]

    def declared(self, said: Declared) -> list[Any]:
        return [said.part, said.said, said.side, said.worst]

    def note(self, note: Note) -> dict[str, Any]:
        return {
            "i": note.step,
            "v": note.severity,
            **_as_json_kept(
                l=note.line, vt=self.said(note.severity_told), r=note.rule, c=note.code, x=self.said(note.text),
                at=self.said(note.place), q=note.quote, fig=self.said(note.figures), rul=self.said(note.ruling),
                d=self.said(note.doubts), h=note.hexes, u=note.pieces,
            ),
        }  # fmt: skip

    def outlook(self, outlook: Outlook | None) -> dict[str, Any] | None:
        if outlook is None:
            return None
        odds = [
            {"h": p.target, "u": p.pieces, "x": self.said(p.told),
             "c": [[c.result, c.probability] for c in p.chances]}
            for p in outlook.odds
        ]  # fmt: skip
        return {"duties": list(map(self.said, outlook.duties)), "reach": outlook.reach, "odds": odds}


def as_json(replay: Replay) -> dict[str, Any]:
    """The replay as the page's script reads it."""
    w = Writer(replay.languages)

    def every(make: Callable[[Any], Any], values: Iterable[Any]) -> list[Any]:
        return [make(value) for value in values]

    return {
        "source": replay.source,
        "title": w.said(replay.title),
        "languages": replay.languages,
        "sides": [{"id": s.id, "n": w.said(s.name), "p": s.player, "c": s.colour} for s in replay.sides],
        "boards": [
            {"w": b.width, "h": b.height, "c": b.counter, "o": b.outline, "n": safe(b.name)} for b in replay.boards
        ],
        "spots": every(w.spot, replay.spots),
        "pieces": every(w.piece, replay.pieces),
        "steps": every(w.step, replay.steps),
        "notes": every(w.note, replay.notes),
        "talks": [[talk.step, talk.text] for talk in replay.talks],
        "turns": w.mapped(replay.turns),
        "phases": w.mapped(replay.phases),
        "tables": {name: {"c": t.columns, "r": t.rows} for name, t in replay.tables.items()},
        "outlook": w.outlook(replay.outlook),
        "judged": replay.judged,
        "accounts": replay.keeps_accounts,
        "cut": replay.cut,
    }


_PARTS: Final = (
    "elements", "data", "words", "positions", "counters", "camera", "overlay", "steps", "combat", "theme", "detail",
    "panels", "controls", "seeking", "pointer", "keys", "language", "start",
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
    return "\n" + "\n".join((TEMPLATES / "page" / f"{part}.js").read_text("utf-8") for part in _PARTS)


def script_hash() -> str:
    """By what browsers know that script, as a content policy gives it."""
    return b64encode(hashlib.sha256(script().encode()).digest()).decode()


def replay_of(answer: Answer, tongues: Sequence[Language] = ()) -> Replay | None:
    """The replay of an answer, by rules or else by its logs; None for what has no positions."""
    from .replay_accounts import ledger_replay
    from .replay_judged import replay
    from .replay_logs import log_replay

    found = replay(answer, tongues)
    if found is None and answer.accounts is not None:
        kept = ledger_replay(answer, tongues)
        return kept[0] if kept else None
    if found is not None or answer.scenario is not None or answer.reread is None:
        return found

    return log_replay(answer, answer.reread(), tongues)


def pictured_replay(answer: Answer, words: Words, studio: Studio | None = None) -> tuple[Replay, Pictures] | None:
    """The replay of an answer in all languages, that of `words` first, and its pictures; None where there is none.

    `studio` keeps what was drawn for others.
    """
    from .replay_judged import replay, spoken
    from .replay_logs import log_replay
    from .replay_pictures import Studio, module_pictures

    tongues = spoken(words.language)
    found = replay(answer, tongues)
    if found is not None and answer.scenario is not None and answer.field is not None:
        faces = dict.fromkeys(face for piece in found.pieces for face in piece.faces)
        every = [answer.words(language) for language in found.languages]
        return found, (studio or Studio()).pictures(answer.scenario, answer.field, every, faces)
    if answer.accounts is not None:
        return _kept(answer, tongues)
    if answer.scenario is not None or answer.reread is None:
        return None

    chain = answer.reread()
    told = log_replay(answer, chain, tongues)
    return told, module_pictures(chain, told)


def _kept(answer: Answer, tongues: Sequence[Language]) -> tuple[Replay, Pictures] | None:
    """The replay of accounts, on the sheet of their tracks."""
    from .replay_accounts import ledger_pictures, ledger_replay

    found = ledger_replay(answer, tongues)
    if found is None or answer.scenario is None:
        return None
    return found[0], ledger_pictures(answer.scenario, *found)


def outlook(found: Replayed, replay: Replay) -> Outlook:
    """The outlook at the end of a game, of which `replay` is the replay."""
    from .replay_model import Outlook

    words = [Words(language, found.scenario.texts) for language in replay.languages]
    spots = {spot.name: number for number, spot in enumerate(replay.spots) if spot.at is not None}
    phase = found.position.phase
    if phase is None:
        return Outlook(_owed(found, words))
    return Outlook(
        _owed(found, words), _reaches(found, phase.side, spots), _prospects(found, phase.side, spots, words)
    )


def _owed(found: Replayed, words: Sequence[Words]) -> tuple[Said, ...]:
    asked = questions.open_duties(found)
    if not (asked.attacks or asked.spared or asked.encircled or asked.undeclared or asked.due):
        return ()
    told = [[safe(line) for line in duties_told(asked, w)] for w in words]
    return tuple(
        {w.language: line for w, line in zip(words, lines, strict=True)} for lines in zip(*told, strict=True)
    )


def _reaches(found: Replayed, side: str, spots: Mapping[str, int]) -> dict[str, tuple[tuple[int, float], ...]]:
    reached: dict[str, tuple[tuple[int, float], ...]] = {}
    for unit in sorted(found.position.on_map(side)):
        try:
            hexes = questions.reach(found, unit).hexes
        except HexforgeError:
            continue
        reached[unit] = tuple((spots[h], points(cost)) for h, (cost, _) in hexes.items() if cost)
    return reached


def _prospects(
    found: Replayed, side: str, spots: Mapping[str, int], words: Sequence[Words]
) -> tuple[Prospect, ...]:
    position = found.position
    enemies = position.boards[position.enemy(side)].at
    return tuple(
        _prospect(questions.odds(found, target, units), units, spots, words)
        for target in sorted(enemies)
        if (units := tuple(_beside(found, target, side)))
    )


def _beside(found: Replayed, target: Hex, side: str) -> Iterator[str]:
    for hex_ in found.context.map.grid.neighbours[target]:
        yield from found.position.at(hex_, side)


def _prospect(odds: Odds, units: tuple[str, ...], spots: Mapping[str, int], words: Sequence[Words]) -> Prospect:
    from .replay_model import Chance, Prospect

    figures = odds.figures
    record = CombatRecord(
        0, "combat", (odds.target,), figures.attack, figures.defence, figures.odds, None, figures.shifts,
        figures.column_name, parts=figures.parts, die=figures.die, changes=figures.changes,
    )  # fmt: skip
    told = {
        w.language: safe(w("page.outlook.odds", units=" ".join(units), work=wording.work_alone(record, w)))
        for w in words
    }
    chances = tuple(Chance(" ".join(c.codes), round(float(c.probability), 4)) for c in odds.chances)
    return Prospect(spots[odds.target], units, told, chances)

"""A replay for the page's script: short keys, nothing that is empty, a text once if all languages say it so."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from hexforge.validator.replay.model import (
    Declared,
    Fight,
    Moved,
    Note,
    Outlook,
    Part,
    Piece,
    Replay,
    Said,
    Spot,
    Step,
    Way,
)
from hexforge.validator.report.plain import safe


def _kept(**values: Any) -> dict[str, Any]:
    return {key: value for key, value in values.items() if value not in (None, "", (), [], {}, False)}


@dataclass(frozen=True, slots=True)
class _Writer:
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
        return _kept(id=piece.id, n=self.said(piece.name), f=piece.faces, st=piece.steps, due=piece.due) | {
            "s": piece.side
        }

    def step(self, step: Step) -> dict[str, Any]:
        return {
            "t": step.turn,
            "s": step.side,
            **_kept(
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
            **_kept(c=prices),
            **({"t": way.cost, "r": way.left} if way.cost is not None else {}),
        }

    def fight(self, fight: Fight) -> dict[str, Any]:
        return {
            "k": fight.kind,
            "h": fight.target,
            "parts": list(map(self.part, fight.parts)),
            "start": fight.start,
            **({"a": fight.attack, "d": fight.defence} if fight.attack is not None else {}),
            **_kept(
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
            **_kept(
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
    w = _Writer(replay.languages)

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

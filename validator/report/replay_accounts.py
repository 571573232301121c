"""The replay of a sheet of accounts: markers on the tracks and in the hexes that lines name, and every account.

Where a hex lies on the map of such a game nobody here knows. Hexes stand below the sheet of tracks, in order.

Pictures of a page of accounts: the sheet of tracks with the hexes below it, and the markers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from math import cos, pi, sin
from typing import TYPE_CHECKING, Any, Final

from ...scenarios.console import safe
from ...scenarios.text.words import Language, languages
from ..notation import statements_accounts
from ..rules.accounts_bench import AccountRow, Bench
from ..rules.accounts_judging import RULES
from . import wording
from .replay_judged import Recorder
from .replay_model import (
    NOBODY,
    Board,
    Piece,
    Put,
    Replay,
    Said,
    Spot,
    Step,
    Tongues,
    Way,
    notes,
)
from .wording import Headings

if TYPE_CHECKING:
    from PIL.Image import Image

    from ...modulegen.render.markers import TrackSheet
    from ...scenarios.model import Scenario
    from ...scenarios.schema.markers import Marker
    from ..judging.answer import Answer
    from ..notation import base
    from ..rules.accounts_books import Books
    from ..rules.context import Outcome
    from ..rules.position import Position
    from .replay_pictures import Pictures


COUNTER: Final = 72.0
"""Units of a marker's edge; a unit is a pixel of the sheet of tracks."""
CELL: Final = 84
HEX: Final = 128
"""Units from one hex below the sheet to the next."""
_MOST_HEXES: Final = 400
_HEAD: Final = 40
_HUNDRED: Final = 100
_TEN: Final = 10

Place = tuple[str, ...]
"""Where a piece lies: `("box", track, box, cell)`, `("hex", hex)`, or what it is called off the board."""


@dataclass(frozen=True, slots=True)
class SheetGround:
    """What is drawn below the markers: the sheet of tracks, and the hexes with their places below it."""

    sheet: TrackSheet
    hexes: tuple[tuple[str, float, float], ...]
    width: int
    height: int


def ledger_replay(answer: Answer, tongues: Sequence[Language] = ()) -> tuple[Replay, SheetGround] | None:
    """The replay of an answer on accounts, in some languages (all by default); None if it keeps none."""
    if answer.accounts is None or answer.scenario is None:
        return None
    keeper = _Keeper(answer, answer.scenario, Tongues(answer, tuple(tongues) or languages()))
    return keeper.replay(), keeper.setting


class _Keeper(Recorder):
    """Writes down what lies where after each line of a sheet of accounts."""

    def _lay_out(self) -> None:
        from ...modulegen.render.markers import sheet_of
        from ...modulegen.render.templates import ModuleWords

        assert self.answer.accounts is not None
        self.accounts, self.bench = self.answer.accounts, self.answer.accounts.bench
        game, say = self.scenario, self.say
        text = ModuleWords.of(game, say.languages[0]).text
        self.tracks = sheet_of(game, text, CELL, name="", image="")
        self.pieces = {id_: number for number, id_ in enumerate(self._ids())}
        self.places: dict[Place, int] = {}
        self.lies: dict[str, tuple[Place, int]] = {}
        self.rows: list[tuple[Said, Said]] = []
        self.turns: dict[tuple[int, ...], int] = {}
        self.names: dict[int, Said] = {0: say.key("page.start")}
        self.phase = ""
        self.phases: dict[str, Said] = {}
        self.side = NOBODY
        opened = (i for i, s in enumerate(self.sheet.statements) if isinstance(s, statements_accounts.DayStart))
        self.begins = next(opened, len(self.sheet.statements))

    def _shows(self, statement: base.Statement) -> bool:
        return type(statement) in RULES

    def _finished(self) -> dict[str, Any]:
        self.setting, spots = self._setting()
        return {
            "boards": (Board(self.setting.width, self.setting.height, COUNTER, ()),),
            "spots": tuple(spots),
            "pieces": tuple(map(self._piece, self.pieces)),
            "notes": tuple(notes(self.answer, [s.line for s in self.steps], self._hexes(), self.say)),
            "turns": self.names,
            "phases": self.phases,
            "keeps_accounts": True,
        }

    # ------------------------------------------------------------------------------------------------- steps

    def _opening(self) -> Step:
        return self._now("start", self.say.key("page.start-told"))

    def _step(self, statement: base.Statement, before: Position, outcome: Outcome) -> Step:
        opens = isinstance(statement, statements_accounts.DayStart)
        if isinstance(statement, statements_accounts.DayStart):
            self._open(statement)
        where = {id_: place[1] for id_, (place, _) in self.lies.items() if place[0] == "hex"}
        return replace(
            self._now("turn" if opens else "line", self._told(statement)),
            line=statement.line,
            ways=tuple(self._went(statement, where)),
            dice=(statement.face,) if isinstance(statement, statements_accounts.Throw) else (),
            source=safe(self.answer.step(statement.line)),
            followed=tuple(self.say(lambda w, e=e: wording.effect(e, w)) for e in outcome.effects),  # type: ignore[misc]
        )

    def _now(self, kind: str, text: Said) -> Step:
        """A step with what has changed since the one before it."""
        books = self.position.accounts
        return Step(
            line=0,
            turn=len(self.turns),
            side=self.side,
            phase=self.phase,
            kind=kind,
            text=text,
            puts=tuple(self._put(books)),
            score=self._scored({side: books.total(side) for side in self.sides}),
            accounts=self._accounts(books),
        )

    def _open(self, opened: statements_accounts.DayStart) -> None:
        key = opened.month, opened.day, self.bench.parts.index(opened.part)
        if key not in self.turns:
            self.turns[key] = len(self.turns) + 1
            self.names[len(self.turns)] = self.say(lambda w: Headings(self.answer, w).part_of_day(opened))
        self.phase = f"{opened.phase} {opened.number}" if opened.number else opened.phase
        self.phases[self.phase] = self.say(lambda w: Headings(self.answer, w).phase_of_day(opened))
        self.side = self._side_of(opened.side)

    def _accounts(self, books: Books) -> tuple[tuple[Said, Said], ...] | None:
        """Every account, if one is not what it was."""
        rows = list(map(self._row, replace(self.accounts, bench=Bench(self.ctx, books)).rows()))
        if rows == self.rows:
            return None
        self.rows = rows
        return tuple(rows)

    def _row(self, row: AccountRow) -> tuple[Said, Said]:
        return self.say(lambda w: wording.named(row, w)), self.say(lambda w: w.say(row.told))

    def _went(self, statement: base.Statement, where: dict[str, str]) -> Iterator[Way]:
        if not isinstance(statement, statements_accounts.Go):
            return
        start = where.get(statement.units[0], "") if statement.units else ""
        path = [hex_ for hex_ in dict.fromkeys((start, *statement.path)) if hex_]
        spots = tuple(self._spot(("hex", hex_)) for hex_ in path[:_MOST_HEXES])
        yield Way(statement.line, "move", statement.units, spots)

    # ----------------------------------------------------------------------------------------- where things lie

    def _put(self, books: Books) -> Iterator[Put]:
        taken: dict[tuple[str, str], int] = {}
        for id_, number in self.pieces.items():
            place, face = self._lies(id_, books, taken)
            if self.lies.get(id_) != (place, face):
                self.lies[id_] = place, face
                yield Put(number, self._spot(place), face)

    def _lies(self, id_: str, books: Books, taken: dict[tuple[str, str], int]) -> tuple[Place, int]:
        counted = self._counted(id_, books)
        if counted is not None:
            return counted
        state, marker = books.state(id_), self._marker(id_)
        face = min(state.lost, len(marker.faces) - 1) if marker else 0
        if marker is not None and marker.hidden:
            face = 0 if state.hidden else len(marker.faces) - 1
        hex_ = state.hex or books.state(state.under).hex
        if state.where == "map":
            return (("hex", hex_) if hex_ else ("elsewhere",)), face
        groups = self.bench.rules.battle_groups
        piece = self.bench.find(id_)
        start = marker.start.track if marker and marker.start else None
        if state.where == "eliminated":
            start = groups.lost if groups and piece and piece.kind == groups.kind else None
            if start is None:
                return ("eliminated",), face
        if start is None or start not in self.scenario.game.tracks:
            return ("absent",), face
        return self._in_box(start, self.scenario.game.tracks[start].boxes[0], taken), face

    def _in_box(self, track: str, box: str, taken: dict[tuple[str, str], int]) -> Place:
        cell = taken.get((track, box), 0)
        taken[track, box] = cell + 1
        return "box", track, box, str(cell % self.scenario.game.tracks[track].room)

    def _counted(self, id_: str, books: Books) -> tuple[Place, int] | None:
        """Where a marker lies whose box says a number: the port's, or one of units or tens; None for any other."""
        rules, marker = self.bench.rules, self.scenario.game.markers.get(id_)
        track = marker.start.track if marker and marker.start else None
        if track is None:
            return None
        if rules.port and track == rules.port.track:
            level = books.port.level
            spec = self.scenario.game.tracks[track]
            box = "waiting" if level is None and spec.waiting else str(level or 0)
            return ("box", track, box, "0"), int(books.port.repaired is not None)
        number = self._number(track, books)
        if number is None:
            return None
        order = [m for m, other in self.scenario.game.markers.items() if other.start and other.start.track == track]
        digit = number % _HUNDRED // _TEN if order.index(id_) else number % _TEN
        return ("box", track, str(digit), str(order.index(id_) % self.scenario.game.tracks[track].room)), 0

    def _number(self, track: str, books: Books) -> int | None:
        """What the markers of a track count; None for a track that counts nothing."""
        rules = self.bench.rules
        if rules.cut_off and track == rules.cut_off.losses:
            return books.record.lost
        if rules.cut_off and track == rules.cut_off.points:
            return max(0, (books.record.points or 0) - books.record.used)
        if rules.port and rules.port.repair and track == rules.port.repair.track:
            return max(0, books.stock or 0)
        return None

    def _spot(self, place: Place) -> int:
        return self.places.setdefault(place, len(self.places))

    # ------------------------------------------------------------------------------------------ who there is

    def _ids(self) -> list[str]:
        """Markers of the game that can be told, and all that lines name, in an order that stays."""
        found: dict[str, None] = {}
        for kind, marker in self.scenario.game.markers.items():
            if self.scenario.game.count(kind) is not None:
                found |= dict.fromkeys(self.scenario.game.copies(kind))
            elif marker.numbered and (count := self.ctx.head.counts.get(self._kind_of(kind))):
                found |= dict.fromkeys(f"{kind}-{n}" for n in range(1, min(count, _HUNDRED) + 1))
        named = [*self.ctx.head.pieces, *sorted(self.course.start.accounts.states), *self.bench.books.states]
        return list(found | dict.fromkeys(named))

    def _kind_of(self, marker: str) -> str:
        return next((kind for kind, spec in self.bench.rules.pieces.items() if spec.marker == marker), marker)

    def _marker(self, id_: str) -> Marker | None:
        markers = self.scenario.game.markers
        if id_ in markers:
            return markers[id_]
        piece = self.bench.find(id_)
        spec = self.bench.rules.pieces.get(piece.kind) if piece else None
        return markers.get(spec.marker) if spec and spec.marker else None

    def _piece(self, id_: str) -> Piece:
        marker, piece = self._marker(id_), self.bench.find(id_)
        side = (marker.side if marker else None) or (piece.side if piece else "")
        faces = tuple(f"{id_} {face.id}" for face in marker.faces) if marker else ()
        name = self.say(lambda w: w.term("pieces", piece.kind) if piece and piece.kind else "")
        return Piece(safe(id_), self._side_of(side), name, faces)

    # ------------------------------------------------------------------------------------------------- board

    def _hexes(self) -> dict[str, int]:
        return {place[1]: number for place, number in self.places.items() if place[0] == "hex"}

    def _setting(self) -> tuple[SheetGround, list[Spot]]:
        sheet = self.tracks
        names = sorted(self._hexes())[:_MOST_HEXES]
        across = max(1, (sheet.width - HEX // 2) // HEX)
        top = sheet.height + _HEAD + HEX / 2
        at = {name: (HEX * 0.75 + (i % across) * HEX, top + (i // across) * HEX) for i, name in enumerate(names)}
        height = sheet.height + (_HEAD + HEX * -(-len(names) // across) + HEX // 4 if names else 0)
        hexes = tuple((name, x, y) for name, (x, y) in at.items())
        spots = [self._made(place, at) for place in self.places]
        return SheetGround(sheet, hexes, sheet.width, height), spots

    def _made(self, place: Place, at: dict[str, tuple[float, float]]) -> Spot:
        match place:
            case "box", track, box, cell:
                drawn = self.tracks.box(track, box)
                x, y = drawn.centre(min(int(cell), drawn.columns * drawn.rows - 1))
                return Spot(drawn.name, (float(x), float(y)))
            case "hex", hex_ if hex_ in at:
                return Spot(hex_, at[hex_])
            case "hex", hex_:
                return Spot(hex_, None, "elsewhere")
        return Spot(place[0], None, place[0])


_MOST_MARKERS: Final = 400


def ledger_pictures(game: Scenario, replay: Replay, setting: SheetGround) -> Pictures:
    """What the page of a replay shows: the board of its setting, and every face of its markers."""
    from ...modulegen.render.markers import sheet_svg
    from .replay_pictures import Pictures, drawn, webp
    from .replay_pictures import sheet_of as replay_pictures_sheet_of

    inside = f"{sheet_svg(game, setting.sheet)}{''.join(_hexes(setting))}"
    board = webp(drawn(inside, (setting.width, setting.height), 1.0))
    return Pictures((board,), *replay_pictures_sheet_of(dict(_faces(game, replay))))


def _hexes(setting: SheetGround) -> Iterator[str]:
    """The hexes as they are called, on paper of the sheet's colour."""
    from ...modulegen.render.board_layout import board_palette
    from ...modulegen.render.raster import SANS

    look, below = board_palette(), setting.sheet.height
    yield f'<rect y="{below}" width="{setting.width}" height="{setting.height - below}" fill="{look["page"]}"/>'
    radius = HEX * 0.56
    for name, x, y in setting.hexes:
        corners = " ".join(
            f"{x + radius * cos(i * pi / 3):.1f},{y + radius * sin(i * pi / 3):.1f}" for i in range(6)
        )
        yield f'<polygon points="{corners}" fill="{look["paper"]}" stroke="{look["frame"]}" stroke-width="1.5"/>'
        yield (
            f'<text x="{x:.1f}" y="{y - 41:.1f}" font-family="{SANS}" font-size="16" font-weight="600" '
            f'text-anchor="middle" fill="{look["ink"]}">{escape(safe(name))}</text>'
        )


def _faces(game: Scenario, replay: Replay) -> Iterator[tuple[str, Image]]:
    from ...modulegen.render.markers import face_svg
    from ...modulegen.render.raster import open_image, rasterise
    from ...modulegen.render.templates import ModuleWords

    by_face = {face.id: (marker, face) for marker in game.game.markers.values() for face in marker.faces}
    text = ModuleWords.of(game, replay.languages[0]).text
    for piece in replay.pieces[:_MOST_MARKERS]:
        for name in piece.faces:
            id_, _, face = name.partition(" ")
            marker, found = by_face[face]
            ending = id_.rpartition("-")[2]
            number = ending if marker.numbered and ending.isdecimal() else ""
            yield name, open_image(rasterise(face_svg(game, marker, found, text, number=number)))

"""The replay of logs of any module, by what they say alone: where pieces lie after each step, and their looks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from ...scenarios.console import clipped, safe
from ...scenarios.text.words import Language, Words, languages

if TYPE_CHECKING:
    from ...modulegen.vassal.module import Map
    from ...modulegen.vassal.replay import LogReplay as Played
    from ...modulegen.vassal.replay import PieceView
    from ...modulegen.vassal.story import Action
    from ..judging.answer import Answer
    from ..logs.chain import Chain
    from ..logs.legs import ActionTold, LogRead
    from .replay_model import Board, Note, Put, Replay, Said, Step, Way


MAX_PIECES: Final = 5_000
"""Pieces that a replay shows; large games have some thousand."""
MAX_MAPS: Final = 8
"""Maps of a module that a replay shows; their pictures share the room that one would have."""
_ROOM: Final = 120
"""Pixels around the outermost pieces of a map that nothing else is known of."""
_SIDE: Final = 60.0
"""Pixels of a piece that has no picture."""
_COLOURS: Final = ("#e8d06a", "#a9b0ad", "#9fc0a0", "#c9a3a3", "#b7c8de", "#d8b98f")
_AWAY: Final = "absent"
MAX_ALONE: Final = 40
"""Players without a side whose dice are told apart."""


def log_replay(answer: Answer, chain: Chain, tongues: Sequence[Language] = ()) -> Replay:
    """The replay of a chain of logs, with what the answer on them found; in some languages, all by default."""
    return _Teller(answer, chain, tuple(tongues) or languages()).replay()


class _Teller:
    """Follows logs, and writes down where pieces lie that anybody may see."""

    def __init__(self, answer: Answer, chain: Chain, tongues: Sequence[Language]) -> None:
        from .replay_model import Piece, Spot, Talk, Tongues

        self.answer, self.chain = answer, chain
        self.say = Tongues(answer, tongues)
        self.maps = busiest(chain)
        self.players = {name: side for log in chain.logs for name, side in log.end.players}
        self.sides = list(dict.fromkeys(side for log in chain.logs for _, side in log.end.players if side))
        # Who sits nowhere throws dice too, and is a side of his own.
        alone = (told.action.player for log in chain.logs for told in log.told if not self._seat(told.action))
        self.sides += [name for name in dict.fromkeys(alone) if name and name not in self.sides][:MAX_ALONE]
        self.spots: list[Spot] = []
        self.spot: dict[tuple[str, int, int], int] = {}
        self.pieces: dict[str, Piece] = {}
        self.number: dict[str, int] = {}
        self.lies: dict[int, tuple[int, int]] = {}
        self.steps: list[Step] = []
        self.talks: list[Talk] = []
        self.at: dict[tuple[str, int], int] = {}
        self.sizes = [(0.0, 0.0) for _ in self.maps] or [(0.0, 0.0)]

    def replay(self) -> Replay:
        """Follow all of them."""
        from .replay_model import MAX_STEPS, Replay, Side

        for turn, log in enumerate(self.chain.logs, 1):
            self._log(turn, log)
        module = self.chain.logs[0].game.module if self.chain.logs else None
        name = safe(clipped(module.name)) if module and module.name else ""
        players = {side: name for log in self.chain.logs for name, side in log.end.players if side}
        return Replay(
            source=safe(self.answer.source),
            title=self.say(lambda w: name or w("page.ui.tab-steps")),
            languages=tuple(self.say.languages),
            sides=tuple(
                Side(safe(side), self._same(side), safe(clipped(players.get(side, ""))), colour)
                for side, colour in zip(self.sides, _colours(len(self.sides)), strict=True)
            ),
            boards=tuple(map(self._board, range(len(self.sizes)))),
            spots=tuple(self.spots),
            pieces=tuple(self.pieces.values()),
            steps=tuple(self.steps),
            notes=tuple(self._notes()),
            talks=tuple(self.talks),
            judged=False,
            turns={turn: self._same(log.name) for turn, log in enumerate(self.chain.logs, 1)},
            cut=len(self.steps) >= MAX_STEPS,
        )

    def _seat(self, action: Action) -> str:
        return action.side or self.players.get(action.player, "")

    def _same(self, text: str) -> Said:
        return dict.fromkeys(self.say.languages, safe(clipped(text)))

    # -------------------------------------------------------------------------------------------------- steps

    def _log(self, turn: int, log: LogRead) -> None:
        from ...modulegen.vassal.inspect import secrets_of
        from ...modulegen.vassal.replay import LogReplay as Played
        from .replay_model import MAX_STEPS, NOBODY, Step

        played = Played(log.game, self.chain.module, scrub=secrets_of(log.game))
        for number, name in enumerate(self.maps):
            self._measure(number, played, self.chain.module.map(name) if self.chain.module else None)
        known = {view.id: None for view in played.pieces(on_map=True)}
        gone = [id_ for id_ in self.number if id_ not in known]
        puts = self._puts(played, [*known, *gone])
        start = Step(
            0, turn, NOBODY, "", "turn", self.say.key("page.start-told"), tuple(puts), source=safe(log.name)
        )
        self.at[log.name, 0] = len(self.steps)
        self.steps.append(start)
        for told in log.told:
            if len(self.steps) >= MAX_STEPS:
                return
            played.forward()
            self.at[log.name, told.origin.step] = len(self.steps)
            self.steps.append(self._step(turn, told, played))

    def _step(self, turn: int, told: ActionTold, played: Played) -> Step:
        from .replay_model import NOBODY, Step, Talk

        action = told.action
        touched = dict.fromkeys(id_ for done in action.done for id_ in done.pieces)
        touched |= dict.fromkeys(event.piece.id for event in action.events if event.piece is not None)
        for event in action.events:
            if event.kind == "chat" and event.text.strip():
                self.talks.append(Talk(len(self.steps), safe(clipped(event.text, 500))))
        who = f"{action.player}: " if action.player else ""
        side = self._seat(action) or action.player
        before = dict(self.lies)
        puts = tuple(self._puts(played, list(touched)))
        return Step(
            line=0,
            turn=turn,
            side=self.sides.index(side) if side in self.sides else NOBODY,
            phase="",
            kind="log",
            text=self.say(lambda w: clipped(who + "; ".join(self._told(told, w)), 600)),
            puts=puts,
            ways=tuple(self._ways(puts, before)),
            dice=tuple(n for event in action.events if event.kind == "dice" for n in event.numbers if 0 < n < 100),
            source=f"{safe(told.origin.log)}:{told.origin.step}",
            undone=told.undone,
        )

    def _ways(self, puts: Sequence[Put], before: Mapping[int, tuple[int, int]]) -> Iterator[Way]:
        """Where pieces went on the board, those together that went together."""
        from .replay_model import Way

        moved: dict[tuple[int, int], list[str]] = {}
        ids = list(self.pieces)
        for put in puts:
            old = before.get(put.piece, (put.spot, 0))[0]
            start, end = self.spots[old], self.spots[put.spot]
            if old != put.spot and start.at and end.at and start.map == end.map:
                moved.setdefault((old, put.spot), []).append(safe(ids[put.piece]))
        for path, pieces in moved.items():
            yield Way(0, "move", tuple(pieces), path)

    def _told(self, told: ActionTold, words: Words) -> Iterator[str]:
        from ..logs.record import events_told

        yield from events_told(told.action, self.chain.marks, words)

    def _puts(self, played: Played, ids: Sequence[str]) -> Iterator[Put]:
        from ...modulegen.vassal.replay import PieceView
        from .replay_model import NOBODY, Piece, Put

        for id_ in ids:
            try:
                view = played.view(id_)
            except KeyError:
                view = PieceView(id_, hidden=True)
            if id_ not in self.number:
                if view.hidden or len(self.number) >= MAX_PIECES:
                    continue
                self.number[id_] = len(self.number)
                self.pieces[id_] = Piece(safe(id_), NOBODY, self._same(view.name or id_))
            number = self.number[id_]
            where = self._spot(view), self._face(id_, view, played)
            if self.lies.get(number) != where:
                self.lies[number] = where
                yield Put(number, *where)

    def _face(self, id_: str, view: PieceView, played: Played) -> int:
        """The number of how a piece looks, which is put down when it first looks so."""
        from .replay_model import Piece
        from .replay_pictures import looks_of

        if view.hidden:
            return 0
        look = looks_of(played.piece(id_), masked=view.masked)
        piece = self.pieces[id_]
        if look not in piece.faces:
            faces = (*piece.faces, look)
            self.pieces[id_] = Piece(piece.id, piece.side, piece.name, faces)
            return len(faces) - 1
        return piece.faces.index(look)

    def _spot(self, view: PieceView) -> int:
        from ...modulegen.vassal.replay import OFFBOARD
        from .replay_model import Spot

        here = not view.hidden and view.map in self.maps
        map_ = self.maps.index(view.map) if here and view.map is not None else 0
        where = "" if here else _AWAY if view.hidden or view.map is None else "elsewhere"
        key = (f"{map_}", view.x or 0, view.y or 0) if here else (where, 0, 0)
        if key not in self.spot:
            place = view.location if view.location not in (None, OFFBOARD) else f"{view.x},{view.y}"
            name = safe(clipped(place or "", 60)) if here else where
            self.spot[key] = len(self.spots)
            at = (float(view.x or 0), float(view.y or 0)) if here else None
            self.spots.append(Spot(name, at, where, map_))
        return self.spot[key]

    # -------------------------------------------------------------------------------------------------- board

    def _measure(self, number: int, played: Played, window: Map | None) -> None:
        wide, high = self.sizes[number]
        for _, (x, y), size, _ in played.placed(window) if window is not None else ():
            wide, high = max(wide, x + (size or (0, 0))[0]), max(high, y + (size or (0, 0))[1])
        self.sizes[number] = wide, high

    def _board(self, number: int) -> Board:
        from .replay_model import Board

        points = [spot.at for spot in self.spots if spot.at is not None and spot.map == number]
        wide = max((self.sizes[number][0], *(x + _ROOM for x, _ in points), 400.0))
        high = max((self.sizes[number][1], *(y + _ROOM for _, y in points), 300.0))
        name = self.maps[number] if self.maps else ""
        return Board(min(wide, 50_000.0), min(high, 50_000.0), _SIDE, name=name)

    def _notes(self) -> Iterator[Note]:
        from .replay_model import note

        for finding in self.answer.findings:
            log, step = self.answer.steps.get(finding.line, ("", 0))
            yield note(finding, self.answer, self.at.get((log, step), 0), {}, self.say)


def _colours(count: int) -> list[str]:
    return [_COLOURS[i % len(_COLOURS)] for i in range(count)]


def busiest(chain: Chain) -> list[str]:
    """The maps on which anything lies, first that on which most happens and lies; of very many the first."""
    found: Counter[str] = Counter()
    for log in chain.logs:
        views: Mapping[str, PieceView] = log.start.pieces
        found.update(view.map for view in views.values() if view.map is not None and not view.deck)
        for told in log.told:
            found.update(e.piece.map for e in told.action.events if e.kind == "move" and e.piece and e.piece.map)
    return sorted(found, key=lambda name: (-found[name], name))[:MAX_MAPS]

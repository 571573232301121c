"""The pages of `validator serve`: where files are dropped, and what came of them.

What was judged, while it is held: in memory, bounded in number, size and time; in a folder if one was given.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any, Final

from anyio import CapacityLimiter, to_thread
from starlette.applications import Starlette
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route

from ...scenarios.console import refused
from ...scenarios.local_server import POLICY, PageGuard, guarded, refusal
from ...scenarios.text.files import put
from ...scenarios.text.words import HexforgeError, Language, Message, Words, languages, message
from ..notation.records import MAILS, SUFFIXES
from ..play.session import session_of_text
from ..play.site import Site
from ..play.table import Table
from ..report.pages import TEMPLATES, page
from ..report.replay_page import script_hash
from .serve_judge import DOWNLOADS, ProcessLimits, Task, TaskOutcome, judge_apart

if TYPE_CHECKING:
    from starlette.datastructures import FormData
    from starlette.types import ASGIApp, Receive, Scope, Send

    from .discover import GivenToAll


MOST_HELD: Final = 20
MOST_BYTES: Final = 200_000_000
HELD_FOR: Final = 3600.0
"""Seconds after which nothing of a result is left."""
_KNOWN: Final = (*SUFFIXES, *MAILS, ".sheet", ".txt", ".zip")


@dataclass(frozen=True)
class ShelvedResult:
    """A result, the names of its files, and until when it is held."""

    key: str
    names: tuple[str, ...]
    outcome: TaskOutcome
    until: float


class Shelf:
    """Results by their keys, which nobody guesses. The oldest make room for new ones."""

    def __init__(
        self,
        most: int = MOST_HELD,
        size: int = MOST_BYTES,
        seconds: float = HELD_FOR,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._most, self._size, self._seconds, self._clock = most, size, seconds, clock
        self._held: dict[str, ShelvedResult] = {}
        self._lock = threading.Lock()

    def add(self, names: tuple[str, ...], outcome: TaskOutcome) -> ShelvedResult:
        """Hold a result."""
        held = ShelvedResult(secrets.token_urlsafe(12), names, outcome, self._clock() + self._seconds)
        with self._lock:
            self._held[held.key] = held
            self._make_room()
        return held

    def get(self, key: str) -> ShelvedResult | None:
        """A result, None if it is held no longer."""
        with self._lock:
            self._make_room()
            return self._held.get(key)

    def drop(self, key: str) -> None:
        """Hold a result no longer."""
        with self._lock:
            self._held.pop(key, None)

    def all(self) -> list[ShelvedResult]:
        """All results, the newest first."""
        with self._lock:
            self._make_room()
            return [*self._held.values()][::-1]

    def _make_room(self) -> None:
        now = self._clock()
        self._held = {key: held for key, held in self._held.items() if held.until > now}
        while len(self._held) > 1 and (
            len(self._held) > self._most or sum(h.outcome.size for h in self._held.values()) > self._size
        ):
            del self._held[next(iter(self._held))]


def store(folder: Path, task: Task, outcome: TaskOutcome) -> Path:
    """Keep files and what came of them in a folder of their own, under names of ours. Raises OSError."""
    place = folder / f"{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(4)}"
    place.mkdir(parents=True)
    for number, (name, data) in enumerate(task.files, 1):
        suffix = Path(name).suffix.lower()
        put(place / f"given-{number}{suffix if suffix in _KNOWN else ''}", data)
    for number, game in enumerate(outcome.games, 1):
        put(place / f"game-{number}.html", game.page)
        put(place / f"game-{number}.sheet", game.sheet.encode("utf-8", "replace"))
    for (language, name), data in outcome.downloads.items():
        _put_below(place, language, name, data)
    return place


def _put_below(place: Path, language: Language, name: str, data: bytes) -> None:
    (place / language).mkdir(exist_ok=True)
    put(place / language / name, data)


BODY: Final = 32_000_000
"""Bytes that may be sent at once."""
MOST_FILES: Final = 100
SEATS: Final = 2
"""Requests that are judged side by side."""
MOST_TABLES: Final = 8
"""Games that are played on at once."""
WAITING: Final = 6
"""Requests that may wait for a seat."""
_FRAMED: Final = POLICY.replace("frame-ancestors 'none'", "frame-src 'self'; frame-ancestors 'none'")
_PLAYED: Final = (
    f"sandbox allow-scripts allow-downloads; default-src 'none'; script-src 'sha256-{script_hash()}'; "
    "style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
)
"""Of the page of a game: it has no address of its own, and so nothing of these pages."""
_NAMELESS: Final = "-"
_STATUS: Final = {400: "serve.status.form", 404: "serve.status.gone"}


@dataclass
class PageDesk:
    """What the pages work with: how to judge, what was judged, and where to keep it if anywhere."""

    words: Words
    bounds: ProcessLimits
    known: GivenToAll
    options: Mapping[str, str] = field(default_factory=dict)
    module: str | None = None
    salvage: bool = False
    keep: Path | None = None
    shelf: Shelf = field(default_factory=Shelf)
    seats: int = SEATS
    waiting: int = 0

    async def outcome(self, task: Task, limiter: CapacityLimiter) -> TaskOutcome:
        """Judge a task when there is a seat. Raises Busy, GivenUp."""
        if self.waiting >= self.seats + WAITING:
            raise Busy(message("serve.busy"))
        self.waiting += 1
        given_up = Event()
        try:
            return await to_thread.run_sync(
                judge_apart, task, self.bounds, self.known, given_up, limiter=limiter, abandon_on_cancel=True
            )
        finally:
            # Nobody waits any more for what is still being judged when the program is stopped.
            given_up.set()
            self.waiting -= 1


class Busy(HexforgeError):
    """Too many requests wait already."""


def site(desk: PageDesk, guard: PageGuard) -> ASGIApp:
    """The pages behind their guard."""
    pages = _Pages(desk, guard)
    routes = [
        Route("/", pages.door),
        Route("/style.css", pages.style),
        Route("/serve.js", pages.script),
        Route("/judge", pages.judge, methods=["POST"]),
        Route("/r/{key}/", pages.result),
        Route("/r/{key}/forget", pages.forget, methods=["POST"]),
        Route("/r/{key}/{number:int}/game.html", pages.game),
        Route("/r/{key}/{number:int}/game.sheet", pages.sheet),
        Mount("/r/{key}/{number:int}/play", app=pages.play),
        Route("/r/{key}/{language}/{name}", pages.download),
    ]
    return guarded(Starlette(routes=routes, exception_handlers={HTTPException: pages.refused}), guard)


class _Pages:
    def __init__(self, desk: PageDesk, guard: PageGuard) -> None:
        self.desk, self.guard = desk, guard
        self._limiter: CapacityLimiter | None = None
        self._tables: dict[tuple[str, int], ASGIApp] = {}

    # ------------------------------------------------------------------------------------------- what is shown

    async def door(self, request: Request) -> Response:
        return self._page("serve.html.j2", request, up="", held=self.desk.shelf.all(), most=BODY // 1_000_000)

    async def result(self, request: Request) -> Response:
        held = self._held(request)
        words = Words(self._language(request))
        downloads = {name: words(f"serve.file.{form}") for name, (form, _) in DOWNLOADS.items()}
        return self._page("serve_result.html.j2", request, up="../../", held=held, downloads=downloads)

    async def style(self, request: Request) -> Response:
        text = "".join((TEMPLATES / name).read_text("utf-8") for name in ("plain.css", "serve.css"))
        return Response(text, media_type="text/css")

    async def script(self, request: Request) -> Response:
        return Response((TEMPLATES / "serve.js").read_bytes(), media_type="text/javascript")

    async def game(self, request: Request) -> Response:
        game = self._game(request)
        return Response(game.page, media_type="text/html", headers={"content-security-policy": _PLAYED})

    async def play(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The table of a game that was judged, on which it is played on."""
        request = Request(scope, receive)
        key = request.path_params["key"], request.path_params["number"]
        app: ASGIApp | None = self._tables.get(key)
        try:
            if app is None:
                text, language = self._game(request).sheet, self._language(request)
                app = await to_thread.run_sync(self._table, text, language, limiter=self._seats())
                while len(self._tables) >= MOST_TABLES:
                    del self._tables[next(iter(self._tables))]
                self._tables[key] = app
        except HexforgeError as error:
            app = refusal(Words(self._language(request)), 422, error.message)
        except HTTPException as error:
            app = await self.refused(request, error)
        await app(scope, receive, send)

    def _table(self, text: str, language: Language) -> ASGIApp:
        return Site(Table(session_of_text(text, language), language), self.guard, module=self.desk.module).pages()

    async def sheet(self, request: Request) -> Response:
        text = self._game(request).sheet.encode("utf-8", "replace")
        return _file(text, "game.sheet", "text/plain; charset=utf-8")

    async def download(self, request: Request) -> Response:
        name, language = request.path_params["name"], request.path_params["language"]
        found = self._held(request).outcome.downloads.get((language, name))
        if found is None:
            raise _gone()
        return _file(found, name, DOWNLOADS[name][1])

    # -------------------------------------------------------------------------------------------- what is done

    async def judge(self, request: Request) -> Response:
        language = self._language(request)
        try:
            async with request.form(max_files=MOST_FILES, max_fields=10, max_part_size=BODY) as form:
                task = await self._task(form, language)
            outcome = await self.desk.outcome(task, self._seats())
            if self.desk.keep is not None:
                await to_thread.run_sync(store, self.desk.keep, task, outcome)
        except (HexforgeError, OSError) as error:
            return refusal(Words(language), 503 if isinstance(error, Busy) else 422, _why(error))
        held = self.desk.shelf.add(tuple(name for name, _ in task.files), outcome)
        return JSONResponse({"to": f"r/{held.key}/?lang={language}"})

    async def forget(self, request: Request) -> Response:
        self.desk.shelf.drop(request.path_params["key"])
        return JSONResponse({"to": f"../../?lang={self._language(request)}"})

    async def refused(self, request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        key = _STATUS.get(error.status_code, "serve.status.other")
        return refusal(Words(self._language(request)), error.status_code, message(key))

    async def _task(self, form: FormData, language: Language) -> Task:
        """The files of a form and the text typed in it. Raises Nothing."""
        from ..reading.mails.mime import plain_name

        files = [
            (plain_name(file.filename or "") or _NAMELESS, await file.read())
            for file in form.getlist("file")
            if isinstance(file, UploadFile) and (file.filename or file.size)
        ]
        pasted = form.get("text", "")
        if isinstance(pasted, str) and pasted.strip():
            # A browser ends the lines of a form as mails do.
            files.append((Words(language)("serve.pasted"), pasted.replace("\r\n", "\n").encode("utf-8", "replace")))
        if not files:
            raise Nothing(message("serve.nothing"))
        desk = self.desk
        return Task(tuple(files), language, desk.options, desk.module, desk.salvage)

    # --------------------------------------------------------------------------------------------------- parts

    def _seats(self) -> CapacityLimiter:
        # It belongs to the loop that it is made in.
        self._limiter = self._limiter or CapacityLimiter(self.desk.seats)
        return self._limiter

    def _language(self, request: Request) -> Language:
        asked = request.query_params.get("lang", "")
        return asked if asked in languages() else self.desk.words.language

    def _held(self, request: Request) -> ShelvedResult:
        held = self.desk.shelf.get(request.path_params["key"])
        if held is None:
            raise _gone()
        return held

    def _game(self, request: Request) -> Any:
        games, number = self._held(request).outcome.games, request.path_params["number"]
        if not 1 <= number <= len(games):
            raise _gone()
        return games[number - 1]

    def _page(self, template: str, request: Request, **values: Any) -> Response:
        language = self._language(request)
        text = page(
            template, Words(language), language=language, languages=languages(), token=self.guard.token,
            kept=str(self.desk.keep or ""), **values,
        )  # fmt: skip
        headers = {"content-security-policy": _FRAMED}
        return Response(text.encode("utf-8", "replace"), media_type="text/html", headers=headers)


class Nothing(HexforgeError):
    """A form in which there is nothing."""


def _gone() -> HTTPException:
    return HTTPException(404)


def _file(data: bytes, name: str, kind: str) -> Response:
    """Something to be saved and never shown: pages of ours have no other's markup."""
    return Response(data, media_type=kind, headers={"content-disposition": f'attachment; filename="{name}"'})


def _why(error: Exception) -> Message:
    if isinstance(error, HexforgeError):
        return error.message
    assert isinstance(error, OSError)
    return refused(error)

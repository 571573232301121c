"""The page of a table on loopback: what it is made of, what is asked of the referee, what is done, what is sent."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

from anyio import CapacityLimiter, to_thread
from markupsafe import Markup
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ...scenarios.console import refused
from ...scenarios.local_server import PageGuard, guarded, refusal
from ...scenarios.text.words import HexforgeError, Language, Words, languages, message
from ..reading.mails.mime import plain_name
from ..report.pages import TEMPLATES, page
from .send import FORMS, sent
from .session import open_session
from .table import Table

if TYPE_CHECKING:
    from starlette.types import ASGIApp


BODY: Final = 32_000_000
"""Bytes that may be sent at once: a log that was dropped."""
_PARTS: Final = (
    "elements", "play-data", "words", "positions", "counters", "camera", "overlay", "combat", "theme", "pointer",
    "play-state", "play-board", "play-panel", "play-fight", "play-start",
)  # fmt: skip
"""The parts of the script; those without `play` are the replay page's own."""
_KINDS: Final = {"png": "image/png", "webp": "image/webp"}


@cache
def script() -> str:
    """The page's script: its parts one after the other, as one module."""
    return "\n".join((TEMPLATES / "page" / f"{part}.js").read_text("utf-8") for part in _PARTS)


@cache
def _style() -> str:
    return "".join((TEMPLATES / name).read_text("utf-8") for name in ("report.css", "page.css", "play.css"))


class Site:
    """The page of one table. `save` is where its sheet is written after each step, None for nowhere."""

    def __init__(
        self, table: Table, guard: PageGuard, *, save: Path | None = None, module: str | None = None
    ) -> None:
        self.table, self.guard, self.save, self.module = table, guard, save, module
        self._alone: CapacityLimiter | None = None

    def app(self) -> ASGIApp:
        """The page behind its guard."""
        return guarded(self.pages(), self.guard)

    def pages(self) -> Starlette:
        """The page without a guard, for a site that has one."""
        routes = [
            Route("/", self.door),
            Route("/play.js", self.script),
            Route("/play.css", self.style),
            Route("/data.json", self.data),
            Route("/state.json", self.state),
            Route("/choose", self._asked(self.table.choose), methods=["POST"]),
            Route("/plan", self._asked(self.table.plan), methods=["POST"]),
            Route("/fire", self._asked(self.table.fire), methods=["POST"]),
            Route("/act", self._asked(self._act), methods=["POST"]),
            Route("/open/{name}", self.open, methods=["POST"]),
            Route("/send/{form}", self.send),
            Route("/{name}", self.picture),
        ]
        return Starlette(routes=routes, exception_handlers={HTTPException: self._refused})

    # ------------------------------------------------------------------------------------------- what is shown

    async def door(self, request: Request) -> Response:
        """The page itself."""
        table, language = self.table, self._language(request)
        text = page(
            "play.html.j2", Words(language), title=table.replay.title.get(language, ""), language=language,
            languages=table.replay.languages, token=self.guard.token, boards=table.replay.boards,
            pictures=[Markup(name) for name in table.pictures.boards],
            names={code: (Markup(found.picture), found.place) for code, found in table.pictures.names.items()},
        )  # fmt: skip
        return Response(text.encode("utf-8", "replace"), media_type="text/html")

    async def script(self, request: Request) -> Response:
        """Its script."""
        return Response(script(), media_type="text/javascript")

    async def style(self, request: Request) -> Response:
        """Its style, with the picture of all counters."""
        sheet = self.table.pictures.sheet
        counters = f".counter.drawn, .face.drawn {{ background-image: url({sheet}); }}\n" if sheet else ""
        return Response(_style() + counters, media_type="text/css")

    async def picture(self, request: Request) -> Response:
        """A picture of the board or of the counters."""
        name = request.path_params["name"]
        data = self.table.files.get(name)
        if data is None:
            raise HTTPException(404)
        kind = _KINDS.get(name.rpartition(".")[2], "application/octet-stream")
        return Response(data, media_type=kind, headers={"cache-control": "max-age=3600"})

    async def data(self, request: Request) -> Response:
        """What the page needs once."""
        return _json(await self._alone_with(self.table.data))

    async def state(self, request: Request) -> Response:
        """How the game stands."""
        language = self._language(request)
        return _json(await self._alone_with(lambda: self.table.state(language)))

    # ------------------------------------------------------------------------------------------- what is done

    def _asked(self, answer: Callable[[Mapping[str, Any], Language], dict[str, Any]]) -> Callable[[Request], Any]:
        async def asked(request: Request) -> Response:
            language = self._language(request)
            try:
                told = json.loads(await request.body())
            except ValueError:
                return refusal(Words(language), 400, message("play.unknown"))
            if not isinstance(told, dict):
                return refusal(Words(language), 400, message("play.unknown"))
            try:
                return _json(await self._alone_with(lambda: answer(told, language)))
            except HexforgeError as error:
                return refusal(self.table.words(language), 422, error.message)
            except OSError as error:
                return refusal(Words(language), 422, refused(error))

        return asked

    def _act(self, told: Mapping[str, Any], language: Language) -> dict[str, Any]:
        found = self.table.act(told, language)
        if self.save is not None:
            try:
                self.table.session.save(self.save)
            except OSError as error:
                # What was played stands on the table; that it is kept nowhere is told with it.
                found["unsaved"] = Words(language).say(message("play.unsaved", why=refused(error)))
        return found

    async def open(self, request: Request) -> Response:
        """Another file on the table: what the other player sent."""
        language, name = self._language(request), plain_name(request.path_params["name"]) or "-"
        data = await request.body()
        try:
            return _json(await self._alone_with(lambda: self._opened(name, data, language)))
        except HexforgeError as error:
            return refusal(Words(language), 422, error.message)
        except OSError as error:
            return refusal(Words(language), 422, refused(error))

    def _opened(self, name: str, data: bytes, language: Language) -> dict[str, Any]:
        with TemporaryDirectory(prefix="hexforge-") as folder:
            path = Path(folder) / name
            path.write_bytes(data)
            session = open_session([str(path)], module=self.module, language=language)
        if session.scenario.digest == self.table.session.scenario.digest:
            self.table.session.take_up(session)
            return self.table.shown(language)
        self.table.relay(session, language)
        return {"reload": True}

    async def send(self, request: Request) -> Response:
        """The game as a file to be sent."""
        language, form = self._language(request), request.path_params["form"]
        if form not in FORMS:
            raise HTTPException(404)
        try:
            made = await self._alone_with(lambda: sent(self.table.session, form, language, module=self.module))
        except HexforgeError as error:
            return refusal(self.table.words(language), 422, error.message)
        except OSError as error:
            return refusal(Words(language), 422, refused(error))
        headers = {"content-disposition": f'attachment; filename="{made.name}"'}
        return Response(made.data, media_type=made.kind, headers=headers)

    async def _refused(self, request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        return refusal(Words(self._language(request)), error.status_code, message("serve.status.gone"))

    async def _alone_with(self, work: Callable[[], Any]) -> Any:
        """Work in a thread of its own, one request after the other: there is one table."""
        self._alone = self._alone or CapacityLimiter(1)
        return await to_thread.run_sync(work, limiter=self._alone)

    def _language(self, request: Request) -> Language:
        asked = request.query_params.get("lang", "")
        return asked if asked in languages() else self.guard.words.language


def _json(value: Any) -> Response:
    return JSONResponse(value)

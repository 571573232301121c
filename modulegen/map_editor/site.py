"""What the pages have in common: routes that take and give JSON, problems in the reader's language, fixed files."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from starlette.applications import Starlette
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route

from ...scenarios.commands import os_message
from ...scenarios.console import Problem, ScenarioError
from ...scenarios.local_server import Address, PageGuard, guarded, run
from ...scenarios.text.words import HexforgeError, Message, Words, languages, message

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.types import ASGIApp


PAGE: Final = Path(__file__).parent / "page"
FILES: Final = {
    "map.js": "text/javascript",
    "counters.js": "text/javascript",
    "common.js": "text/javascript",
    "merge.js": "text/javascript",
    "easel.css": "text/css",
}
DRAWN: Final = frozenset(("draw", "faces", "under"))
_MOST_PROBLEMS: Final = 200
_BODY: Final = 4_000_000


class Asked(HexforgeError):
    """A request that cannot be answered, with the status that says so."""

    def __init__(self, said: Message, status: int = 422) -> None:
        super().__init__(said)
        self.status = status


@dataclass(frozen=True)
class PictureAnswer:
    """An answer that is a picture."""

    data: bytes
    kind: str


Deed = Callable[[Mapping[str, Any], Words], Any]
"""What a route does: from the request's JSON to the answer's, or to a Picture. Raises HexforgeError."""


def site(page: str, title: str, deeds: Mapping[str, Deed], guard: PageGuard) -> ASGIApp:
    """The application of a page: itself at `.`, its files in `page/`, a route for each deed.

    What is drawn is drawn one after the other, in a thread that has read the fonts once.
    """
    artist = ThreadPoolExecutor(1)
    html = _html(page, title, guard)

    async def home(_: Request) -> Response:
        return Response(html, media_type="text/html")

    async def file(request: Request) -> Response:
        name = request.path_params["name"]
        return FileResponse(PAGE / name, media_type=FILES[name]) if name in FILES else Response(status_code=404)

    routes = [Route("/", home), Route("/page/{name}", file)]
    for name, deed in deeds.items():
        where = artist if name in DRAWN else None
        routes.append(Route(f"/{name}", _route(deed, guard.words, where), methods=["POST"]))
    return guarded(Starlette(routes=routes), guard)


def _html(page: str, title: str, guard: PageGuard) -> str:
    from jinja2 import Environment, FileSystemLoader

    kit = Environment(loader=FileSystemLoader(PAGE), autoescape=True, trim_blocks=True, lstrip_blocks=True)
    return kit.get_template(page).render(title=title, token=guard.token, language=guard.words.language)


def _route(deed: Deed, spoken: Words, where: ThreadPoolExecutor | None) -> Callable[[Request], Any]:
    async def answer(request: Request) -> Response:
        words = spoken
        try:
            asked = _read(await request.body())
            if asked.get("language") in languages():
                words = Words(asked["language"], spoken.texts)
            found = await asyncio.get_running_loop().run_in_executor(where, copy_context().run, deed, asked, words)
        except ScenarioError as error:
            said = words("easel.wrong", count=len(error.problems))
            return JSONResponse({"message": said, "problems": shown_problems(error.problems, words)}, 422)
        except HexforgeError as error:
            return JSONResponse({"message": words.say(error.message)}, getattr(error, "status", 422))
        except OSError as error:
            return JSONResponse({"message": words.say(os_message(error))}, 500)
        if isinstance(found, PictureAnswer):
            return Response(found.data, media_type=found.kind)
        return JSONResponse(found)

    return answer


def _read(body: bytes) -> Mapping[str, Any]:
    try:
        found = json.loads(body or b"{}")
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise Asked(message("easel.no-sheet"), 400)
    return found


def shown_problems(problems: Iterable[Problem], words: Words) -> list[dict[str, Any]]:
    """Problems as a page shows them; `names` are all words in them that may name a hex or a counter."""
    found = []
    for problem in list(problems)[:_MOST_PROBLEMS]:
        where, said = words.value(problem.where), words.value(problem.message)
        names = [str(v) for part in (problem.where, problem.message) for v in _values(part)]
        found.append(
            {
                "file": Path(problem.file).name,
                "line": problem.line,
                "where": where,
                "message": said,
                "severity": problem.severity,
                "names": names,
            }
        )
    return found


def _values(part: Any) -> Iterable[Any]:
    if isinstance(part, Message):
        for value in part.values.values():
            yield from _values(value)
    elif isinstance(part, tuple):
        for value in part:
            yield from _values(value)
    elif isinstance(part, str):
        yield from part.replace("/", " ").replace(".", " ").split()


def vocabulary() -> dict[str, dict[str, Any]]:
    """What the pages themselves say, by language."""
    return {language: dict(Words(language).section("easel")) for language in languages()}


def show(page: str, title: str, deeds: Mapping[str, Deed], words: Words, address: Address, *, browse: bool) -> None:
    """Serve a page until Ctrl+C."""
    guard = PageGuard(words, body=_BODY)
    run(site(page, title, deeds, guard), address, browse=browse, secret=guard.secret)

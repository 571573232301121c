"""Pages on loopback: what every page that a command shows in the browser has around it.

A page is an ASGI application (Starlette's). `guarded` refuses whoever is not that page, `run` binds it to a port of
its own, opens the browser and ends with Ctrl+C:

    guard = Guard(words=words)
    site = Starlette(routes=[Route("/", page), Route("/save", save, methods=["POST"])])
    run(guarded(site, guard), Address(host, port), browse=True, secret=guard.secret)

The page itself holds `guard.token` (in a `meta` element), and sends it back in the header `TOKEN` of every request
that is not a GET. All addresses lie below the secret, so a page names others relatively: `save`, not `/save`.

Who may speak to a page on loopback, and how much at once.

Any site that the browser shows may send requests to 127.0.0.1, and a stranger's name may be made to point there. So
the host must be one of ours, what changes anything comes from the page itself and bears its token, and nobody who
does not know the secret in the address sees anything: other users of the machine reach the port too.

A page on loopback while its command runs: a port of its own, the browser opened on it, an end with Ctrl+C.
"""

from __future__ import annotations

import asyncio
import ipaddress
import secrets
import signal
import socket
import threading
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

import click

from .commands import F, Unusable, option, os_message, tell
from .text.words import Message, Words, message

if TYPE_CHECKING:
    import uvicorn
    from starlette.datastructures import Headers
    from starlette.responses import JSONResponse
    from starlette.types import ASGIApp, Receive, Scope, Send
    from starlette.types import Message as Event


TOKEN: Final = "x-hexforge-token"
"""The header in which a page sends back the token it was given."""
READS: Final = frozenset(("GET", "HEAD"))
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS: Final = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
"""On every answer, unless the page says otherwise itself."""


@dataclass(frozen=True)
class PageGuard:
    """What a page lets in.

    `body` is how many bytes a request may have, `patience` how many seconds it may take to send them and `work` how
    many the answer may take. `names` are further hosts that it answers to: an address of the machine's own needs
    none. Without `private` there is no secret in the address.
    """

    words: Words
    body: int = 1_000_000
    patience: float = 30.0
    work: float = 120.0
    names: Collection[str] = ()
    private: bool = True
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    secret: str = field(init=False, default="")

    def __post_init__(self) -> None:
        object.__setattr__(self, "secret", secrets.token_urlsafe(12) if self.private else "")

    def knows(self, host: str) -> bool:
        """Whether a Host header is ours. Only a name can be made to point elsewhere; an address is what it is."""
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        if name == "localhost" or name in self.names:
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True

    def refused(self, scope: Scope) -> Refusal | None:
        """Why a request is not let in, told from its line and headers."""
        from starlette.datastructures import Headers

        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not self.knows(host):
            return Refusal(421, message("loopback.host", host=host[:60]))
        if self.secret and not secrets.compare_digest(_first(scope["path"]), self.secret.encode()):
            return Refusal(404, message("loopback.secret"))
        # Scripts and pictures of another site's page; who follows a link or types an address is let in.
        origin, site = headers.get("origin"), headers.get("sec-fetch-site", "same-origin")
        elsewhere = origin is not None and urlsplit(origin).netloc != host
        apart = site not in ("same-origin", "none") and headers.get("sec-fetch-mode") != "navigate"
        if elsewhere or apart:
            return Refusal(403, message("loopback.origin"))
        if scope["method"] not in READS and not self._bears_token(headers):
            return Refusal(403, message("loopback.token"))
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length[:18]) > self.body:
            return Refusal(413, message("loopback.large", limit=self.body))
        return None

    def _bears_token(self, headers: Headers) -> bool:
        return secrets.compare_digest(headers.get(TOKEN, "").encode(), self.token.encode())


class Refusal(Exception):
    """A request that is not answered: the status, and why."""

    def __init__(self, status: int, said: Message) -> None:
        super().__init__(said)
        self.status, self.said = status, said


def _first(path: str) -> bytes:
    return path.strip("/").split("/", 1)[0].encode()


def refusal(words: Words, status: int, said: Message) -> JSONResponse:
    """An answer that says why there is none, as pages expect it: `{"message": …}`."""
    from starlette.responses import JSONResponse

    return JSONResponse({"message": words.say(said)}, status)


def guarded(site: ASGIApp, guard: PageGuard) -> ASGIApp:
    """A page behind its guard; what it does not find to object to reaches `site` without the secret."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await site(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return
        await _answer(site, guard, scope, receive, send)

    return app


async def _answer(site: ASGIApp, guard: PageGuard, scope: Scope, receive: Receive, send: Send) -> None:
    call = _Call(guard, receive, send)
    try:
        if refused := guard.refused(scope):
            raise refused
        inside = {**scope, "root_path": f"/{guard.secret}"} if guard.secret else scope
        async with asyncio.timeout(guard.work):
            await site(inside, call.receive, call.send)
    except Refusal as error:
        call.refused = error
    except TimeoutError:
        call.refused = Refusal(503, message("loopback.work", limit=guard.work))
    except asyncio.CancelledError:
        # The program ends: who still waits is told so, and nobody sees a traceback.
        if (task := asyncio.current_task()) is not None:
            task.uncancel()
        call.refused = Refusal(503, message("loopback.ended"))
    if call.refused and not call.begun:
        found, call.refused = call.refused, None
        with suppress(OSError):
            await refusal(guard.words, found.status, found.said)(scope, receive, call.send)


@dataclass
class _Call:
    """One request on its way through: its body as far as the guard takes it, its answer with our headers."""

    guard: PageGuard
    given: Receive
    sent: Send
    begun: bool = False
    refused: Refusal | None = None
    _taken: int = 0
    _whole: bool = False

    async def receive(self) -> Event:
        """The next piece of the body. Raises Refusal when it is larger or later than the guard takes."""
        if self._whole:
            return await self.given()
        try:
            async with asyncio.timeout(self.guard.patience):
                event = await self.given()
        except TimeoutError as error:
            raise self._refusal(408, message("loopback.slow", limit=self.guard.patience)) from error
        self._taken += len(event.get("body", b""))
        self._whole = not event.get("more_body", False)
        if self._taken > self.guard.body:
            raise self._refusal(413, message("loopback.large", limit=self.guard.body))
        return event

    async def send(self, event: Event) -> None:
        """Pass the answer on, unless it is what the page makes of a refusal."""
        if self.refused and not self.begun:
            return
        if event["type"] == "http.response.start":
            self.begun = True
            from starlette.datastructures import MutableHeaders

            headers = MutableHeaders(scope=event)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await self.sent(event)

    def _refusal(self, status: int, said: Message) -> Refusal:
        self.refused = Refusal(status, said)
        return self.refused


HOST: Final = "127.0.0.1"
_ENDING: Final = 2
"""Seconds that answers under way have when the command is stopped."""
_AT_ONCE: Final = 64


@dataclass(frozen=True)
class Address:
    """Where a page is to be served; port 0 is any that is free."""

    host: str = HOST
    port: int = 0

    @property
    def loopback(self) -> bool:
        """Whether nobody but this machine reaches it."""
        with suppress(ValueError):
            return ipaddress.ip_address(self.host).is_loopback
        return self.host == "localhost"


def address_options(command: F) -> F:
    """`--host`, `--port` and `--no-open`, given to the command as `address` and `browse`."""

    def given(ctx: click.Context, param: click.Parameter, value: Any) -> Any:
        before = ctx.params.get("address", Address())
        host, port = (value, before.port) if param.name == "host" else (before.host, value)
        ctx.params["address"] = Address(host, port)
        return value

    for decorate in (
        option("--no-open", "browse", is_flag=True, flag_value=False, default=True),
        option("--port", metavar="N", type=click.IntRange(0, 65535), default=0, callback=given, expose_value=False),
        option("--host", metavar="ADDRESS", default=HOST, callback=given, expose_value=False, show_default=True),
    ):
        command = decorate(command)
    return command


def run(app: ASGIApp, address: Address, *, browse: bool, secret: str = "") -> None:
    """Serve until Ctrl+C. Raises Unusable if the address cannot be had."""
    with _bound(address) as listener:
        url = _url(listener, secret)
        if not address.loopback:
            tell(message("loopback.open", host=address.host), err=True, fg="yellow")
        tell(message("loopback.served", url=url))
        if browse:
            _open(url)
        # Uvicorn ends in order and then lets the signal through.
        with suppress(KeyboardInterrupt), _ended_alike():
            _server(app).run(sockets=[listener])


@contextmanager
def _ended_alike() -> Iterator[None]:
    """Take the system's request to end (SIGTERM) as Ctrl+C, so that no folder of ours stays behind."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def served(app: ASGIApp, address: Address = Address(), *, secret: str = "") -> Iterator[str]:
    """Serve from a thread beside the caller's; gives the page's address."""
    with _bound(address) as listener:
        server = _server(app)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        try:
            yield _url(listener, secret)
        finally:
            server.should_exit = True
            thread.join(_ENDING + 4)


def _server(app: ASGIApp) -> uvicorn.Server:
    import uvicorn

    class Server(uvicorn.Server):
        """A server that ends without complaint: answers that are not ready in time are called off."""

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            for task in list(self.server_state.tasks):
                asyncio.get_running_loop().call_later(_ENDING, task.cancel)
            await super().shutdown(sockets)

    config = uvicorn.Config(
        app,
        log_level="error",
        access_log=False,
        server_header=False,
        lifespan="off",
        ws="none",
        proxy_headers=False,
        limit_concurrency=_AT_ONCE,
        timeout_graceful_shutdown=_ENDING + 2,
    )
    return Server(config)


def _bound(address: Address) -> socket.socket:
    try:
        family, kind, _, _, where = socket.getaddrinfo(
            address.host, address.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind)
    except OSError as error:
        raise Unusable(message("loopback.no-address", host=address.host, why=os_message(error))) from error
    try:
        listener.bind(where)
        listener.listen()
    except OSError as error:
        listener.close()
        at = f"{address.host}:{address.port}"
        raise Unusable(message("loopback.no-address", host=at, why=os_message(error))) from error
    return listener


def _url(listener: socket.socket, secret: str) -> str:
    """The address as a browser on this machine takes it."""
    host, port = listener.getsockname()[:2]
    found = ipaddress.ip_address(host.partition("%")[0])
    if found.is_unspecified:
        found = ipaddress.ip_address("::1" if found.version == 6 else HOST)
    shown = f"[{found}]" if found.version == 6 else str(found)
    return f"http://{shown}:{port}/" + (f"{secret}/" if secret else "")


def _open(url: str) -> None:
    import webbrowser

    # A browser of the terminal's would keep us waiting; the port takes connections already.
    threading.Thread(target=webbrowser.open, args=[url], daemon=True).start()

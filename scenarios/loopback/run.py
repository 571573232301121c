"""A page on loopback while its command runs: a port of its own, the browser opened on it, an end with Ctrl+C."""

from __future__ import annotations

import asyncio
import ipaddress
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import click

from hexforge.scenarios.commands import F, Unusable, option, os_message, tell
from hexforge.scenarios.words import message

if TYPE_CHECKING:
    import uvicorn
    from starlette.types import ASGIApp

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

"""Pages on loopback: who is let in, how much at once, and how they begin and end."""

from __future__ import annotations

import asyncio
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import click
import httpx
import pytest
from click.testing import CliRunner
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from hexforge.scenarios.commands import Unusable
from hexforge.scenarios.local_server import TOKEN, Address, PageGuard, address_options, guarded, run, served
from hexforge.scenarios.text.words import Words

SERVE = """
import asyncio
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from hexforge.scenarios import local_server as loopback
from hexforge.scenarios.local_server import PageGuard, guarded
from hexforge.scenarios.text.words import Words

async def work(request):
    await asyncio.sleep(60)

async def here(request):
    return PlainTextResponse("here")

loopback._ENDING = 0.2
site = Starlette(routes=[Route("/", here), Route("/work", work)])
loopback.run(guarded(site, PageGuard(Words("en"), private=False)), loopback.Address(), browse=False)
"""


async def echo(request: Request) -> Response:
    return PlainTextResponse(f"{request.method} {len(await request.body())}")


async def sleep(request: Request) -> Response:
    await asyncio.sleep(5)
    return PlainTextResponse("late")


ROUTES = [Route("/", echo, methods=["GET", "POST"]), Route("/sleep", sleep)]


@pytest.fixture(scope="module")
def guard() -> PageGuard:
    return PageGuard(Words("en"), body=1000, patience=0.3, work=0.4, names=["games.example"])


@pytest.fixture(scope="module")
def url(guard: PageGuard) -> Iterator[str]:
    with served(guarded(Starlette(routes=ROUTES), guard), secret=guard.secret) as url:
        yield url


def test_the_page_itself_is_let_in(url: str, guard: PageGuard) -> None:
    told = httpx.get(url)
    assert (told.status_code, told.text) == (200, "GET 0")
    assert "default-src 'none'" in told.headers["content-security-policy"]
    assert told.headers["x-content-type-options"] == "nosniff" and told.headers["cache-control"] == "no-store"
    origin = url[: url.index("/", 7)]
    posted = httpx.post(url, content=b"abc", headers={TOKEN: guard.token, "origin": origin})
    assert posted.text == "POST 3"


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"host": "evil.example"}, 421),
        ({"host": "evil.example:80"}, 421),
        ({"host": "127.0.0.1.evil.example"}, 421),
        ({"host": "["}, 421),
        ({"host": "games.example"}, 200),
        ({"host": "[::1]:99"}, 200),
        ({"host": "localhost"}, 200),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "http://127.0.0.1:1"}, 403),
        ({"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors"}, 403),
        ({"sec-fetch-site": "same-site", "sec-fetch-mode": "cors"}, 403),
        ({"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}, 200),
    ],
)
def test_strangers_are_not(url: str, headers: dict[str, str], status: int) -> None:
    told = httpx.get(url, headers=headers)
    assert told.status_code == status
    assert told.headers["x-content-type-options"] == "nosniff"


def test_nothing_is_changed_without_the_token(url: str) -> None:
    for headers in ({}, {TOKEN: "x"}, {TOKEN: ""}):
        told = httpx.post(url, headers=headers)
        assert told.status_code == 403 and "load it again" in told.json()["message"]


def test_nothing_is_seen_without_the_secret(url: str, guard: PageGuard) -> None:
    home = url.removesuffix(f"{guard.secret}/")
    for path in ("", "sleep", "x/", f"{guard.secret}x/", f"x/{guard.secret}/", "%ff/"):
        assert httpx.get(home + path).status_code == 404


def test_bodies_are_bounded_in_size_and_time(url: str, guard: PageGuard) -> None:
    def pieces(size: int) -> Iterator[bytes]:
        for _ in range(size):
            yield b"x" * 100

    headers = {TOKEN: guard.token}
    assert httpx.post(url, content=b"x" * 1000, headers=headers).text == "POST 1000"
    assert httpx.post(url, content=b"x" * 1001, headers=headers).status_code == 413
    assert httpx.post(url, content=pieces(10), headers=headers).text == "POST 1000"
    assert httpx.post(url, content=pieces(11), headers=headers).status_code == 413
    assert httpx.get(f"{url}sleep").status_code == 503
    host, port = url.split("/")[2].split(":")
    with socket.create_connection((host, int(port))) as link:
        path = url[url.index("/", 7) :]
        head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\n{TOKEN}: {guard.token}\r\nContent-Length: 9\r\n\r\nx"
        link.sendall(head.encode())
        link.settimeout(5)
        assert b" 408 " in link.recv(100)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_it_is_served_until_ctrl_c_and_no_longer(how: signal.Signals) -> None:
    process = subprocess.Popen([sys.executable, "-c", SERVE], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    url = process.stdout.readline().split()[0].decode()
    assert url.startswith("http://127.0.0.1:") and httpx.get(url).text == "here"
    with ThreadPoolExecutor(1) as waiting:
        answer = waiting.submit(httpx.get, f"{url}work", timeout=20)
        time.sleep(1)
        process.send_signal(how)
        assert answer.result().status_code == 503 and "ended" in answer.result().text, "who waits is told"
    assert process.wait(10) == 0 and process.communicate()[1] == b"", "and nobody sees a traceback"


def test_a_port_that_is_taken_is_said() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        with pytest.raises(Unusable, match="already in use"):
            run(PlainTextResponse(""), Address(port=other.getsockname()[1]), browse=False)
    with pytest.raises(Unusable, match="another --host"):
        run(PlainTextResponse(""), Address("no.such.host.invalid"), browse=False)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ([], (Address(), True)),
        (["--port", "8000", "--no-open"], (Address(port=8000), False)),
        (["--host", "::1", "--port", "1"], (Address("::1", 1), True)),
        (["--port", "1", "--host", "0.0.0.0"], (Address("0.0.0.0", 1), True)),
    ],
)
def test_the_options_say_where(given: list[str], expected: Any) -> None:
    found = []

    @click.command
    @address_options
    def show(address: Address, browse: bool) -> None:
        found.append((address, browse))

    assert CliRunner().invoke(show, given).exit_code == 0
    assert found == [expected]


def test_only_this_machine_reaches_loopback() -> None:
    assert [Address(host).loopback for host in ("127.0.0.1", "::1", "localhost", "0.0.0.0", "10.0.0.1", "x")] == [
        True,
        True,
        True,
        False,
        False,
        False,
    ]

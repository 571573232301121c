"""The page on which games are dropped: who may, how much, what comes of it, and what never does."""

from __future__ import annotations

import asyncio
import multiprocessing
import time
import zipfile
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import httpx
import pytest
from click.testing import CliRunner

from hexforge.scenarios.local_server import TOKEN, PageGuard
from hexforge.scenarios.text.words import Words
from hexforge.validator.app import serve_judge, serve_site
from hexforge.validator.app.cli import main
from hexforge.validator.app.discover import GivenToAll, gather_data
from hexforge.validator.app.serve_judge import (
    MOST_GAMES,
    GivenUp,
    ProcessLimits,
    Task,
    TaskOutcome,
    judge_apart,
    judged,
)
from hexforge.validator.app.serve_site import Shelf, store

ROOT = Path(__file__).resolve().parents[2]
SHEET = (
    b"sheet 1\ngame hurtgen\nmap blank open 4x4\nunit a1 american infantry 4-4-5\nposition\n  a1 0202\n"
    b"turn 1 american movement\nmove  a1 : 0202 0203\n"
)
"""On a small map, which is drawn at once."""
MISTAKE = SHEET.replace(b"0203", b"0404")
EVIL = "<img src=x onerror=alert(1)>\"'.sheet"
EMPTY = TaskOutcome((), (), (), {})


@pytest.fixture
def bounds(tmp_path: Path) -> ProcessLimits:
    (tmp_path / "empty").mkdir()
    return ProcessLimits(str(tmp_path / "empty"), 60)


class Client:
    """Speaks to the pages in this thread, which alone may draw."""

    def __init__(self, desk: serve_site.PageDesk) -> None:
        guard = PageGuard(desk.words, body=100_000, private=False)
        self.site, self.headers = serve_site.site(desk, guard), {TOKEN: guard.token}

    def __call__(self, method: str, path: str, **more: Any) -> httpx.Response:
        async def answer() -> httpx.Response:
            way = httpx.ASGITransport(self.site)
            async with httpx.AsyncClient(transport=way, base_url="http://127.0.0.1:1") as client:
                headers = {**self.headers, **more.pop("headers", {})}
                return await client.request(method, path, headers=headers, **more)

        return asyncio.run(answer())

    def get(self, path: str) -> httpx.Response:
        return self("GET", path)

    def post(self, path: str, **more: Any) -> httpx.Response:
        return self("POST", path, **more)


@pytest.fixture
def desk(bounds: ProcessLimits) -> serve_site.PageDesk:
    return serve_site.PageDesk(Words("en"), bounds, GivenToAll((), None))


@pytest.fixture
def client(desk: serve_site.PageDesk, monkeypatch: pytest.MonkeyPatch) -> Client:
    """One for which this process judges: another is dear."""

    async def here(self: serve_site.PageDesk, task: Task, limiter: object) -> TaskOutcome:
        return judged(task)

    monkeypatch.setattr(serve_site.PageDesk, "outcome", here)
    return Client(desk)


def sent(client: Client, *files: tuple[str, bytes], **more: Any) -> str:
    """The page of what was sent."""
    told = client.post("/judge", files=[("file", file) for file in files] or None, **more)
    assert told.status_code == 200, told.text
    answer = client.get("/" + told.json()["to"])
    assert answer.status_code == 200
    return str(answer.text)


def test_what_is_dropped_is_judged_shown_and_taken_away(client: Client, desk: serve_site.PageDesk) -> None:
    text = sent(client, (EVIL, MISTAKE))
    assert "0202 and 0404 do not touch" in text
    assert "&lt;img" in text and "<img" not in text
    (held,) = desk.shelf.all()
    home = f"/r/{held.key}/"
    assert "illegal" in client.get("/").text and EVIL not in client.get("/").text
    assert "0202 e 0404 não são adjacentes" in client.get(f"{home}?lang=pt").text
    game = client.get(f"{home}1/game.html")
    policy = game.headers["content-security-policy"]
    assert "sandbox allow-scripts" in policy and "unsafe-inline'; style" not in policy and "<img" not in game.text
    assert client.get(f"{home}1/game.sheet").text.endswith("\nmove a1: 0202 0404\n")
    for language in ("en", "pt"):
        for name in ("report.html", "results.json", "results.xlsx", "report.md"):
            told = client.get(f"{home}{language}/{name}")
            assert told.status_code == 200 and told.headers["content-disposition"].startswith("attachment")
    assert client.get(f"{home}en/results.json").json()["verdict"] == "illegal"
    client.post(f"{home}forget")
    assert client.get(home).status_code == 404 and not desk.shelf.all()


def test_a_pasted_turn_is_judged_and_written_in_the_canonical_form(
    client: Client, desk: serve_site.PageDesk
) -> None:
    text = sent(client, data={"text": SHEET.decode().replace("\n", "\r\n")})
    assert "pasted turn" in text and "move a1: 0202 0203" in text
    mail = "Hi Bruno,\n\nhere is my turn\n\n" + SHEET.decode() + "\nRegards\n"
    assert "move a1: 0202 0203" in sent(client, data={"text": mail})
    assert "There is no game in it" in sent(client, data={"text": "nothing"})


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({TOKEN: ""}, 403),
        ({TOKEN: "other"}, 403),
        ({"host": "evil.example"}, 421),
        ({"origin": "http://evil.example"}, 403),
        ({"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", TOKEN: ""}, 403),
        ({"content-length": "100001"}, 413),
    ],
)
def test_strangers_have_nothing_judged(
    client: Client, desk: serve_site.PageDesk, headers: dict[str, str], status: int
) -> None:
    told = client.post("/judge", files={"file": ("a.sheet", SHEET)}, headers=headers)
    assert told.status_code == status and told.json()["message"] and not desk.shelf.all()


def test_requests_are_bounded(client: Client, desk: serve_site.PageDesk) -> None:
    assert client.post("/judge", files={"file": ("a.sheet", b"#" * 100_000)}).status_code == 413
    many = [("file", (f"{n}.sheet", b"")) for n in range(serve_site.MOST_FILES + 1)]
    assert client.post("/judge", files=many).status_code == 400
    told = client.post("/judge?lang=pt", data={"text": " "})
    assert told.status_code == 422 and "escolha arquivos" in told.json()["message"]
    for path in ("/r/x/", "/r/x/1/game.html", "/r/../../etc/passwd", "/style.css/..%2f..", "/r/x/en/results.json"):
        assert client.get(path).status_code == 404
    assert client.get("/judge").status_code == 405


def test_of_many_requests_few_wait(desk: serve_site.PageDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serve_site, "judge_apart", lambda *_: EMPTY)
    client = Client(desk)
    assert client.post("/judge", data={"text": "x"}).status_code == 200
    desk.waiting = desk.seats + serve_site.WAITING
    told = client.post("/judge", data={"text": "x"})
    assert told.status_code == 503 and "in a moment" in told.json()["message"]


def test_names_are_shown_and_never_paths(client: Client, desk: serve_site.PageDesk, tmp_path: Path) -> None:
    desk.keep = tmp_path / "kept"
    outside = tmp_path / "empty" / "before.sheet"
    text = sent(client, ("../../outside.sheet", SHEET), ("/etc/passwd", b"root"), ("..", SHEET))
    assert "outside.sheet" in text and "../" not in desk.shelf.all()[0].names[0]
    kept = sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file())
    assert len(kept) == 3 + 2 * 2 + 8 and not outside.exists()
    assert all(path.startswith("kept/") and ".." not in path and "passwd" not in path for path in kept)
    desk.keep = tmp_path / "empty" / "file"
    desk.keep.write_text("in the way")
    told = client.post("/judge", files={"file": ("a.sheet", SHEET)})
    assert told.status_code == 422


def test_sheets_go_on_from_nothing_on_this_machine(
    bounds: ProcessLimits, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("secret.sheet", "given.sheet"):
        (tmp_path / name).write_bytes(SHEET)
    monkeypatch.chdir(tmp_path)
    sheet = SHEET.replace(b"map", b"continues secret.sheet\nmap")
    found = judge_apart(
        Task((("given.sheet", sheet), ("a.eml", b"")), "en", {}), bounds, GivenToAll.here().anywhere()
    )
    told = [f["message"]["en"] for game in found.games for f in game.record["findings"]]
    assert any("secret.sheet is not" in what for what in told) and len(found.failures) == 1, told


def test_archives_mails_and_logs_are_told_apart_by_what_they_are() -> None:
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("../../a.sheet", SHEET)
        archive.writestr("b.sheet", SHEET.replace(b"0203", b"0303"))
    log = (ROOT / "tests" / "data" / "played" / "a.vlog").read_bytes()
    mail = b"From: ana@example.org\nDate: Mon, 1 Jan 2024 10:00:00 +0000\nSubject: x\n\n" + SHEET
    found = gather_data([("x.zip", packed.getvalue()), ("nameless", log), ("b.vlog", log), ("mail", mail)])
    assert len(found.games) == 1 and len(found.games[0]) == 2
    assert len(found.typed) == 3 and not found.failures


def _endless(task: Task) -> TaskOutcome:
    time.sleep(30)
    return EMPTY


def _hungry(task: Task) -> TaskOutcome:
    raise MemoryError


def _broken(task: Task) -> TaskOutcome:
    raise ValueError("so")


def _large(task: Task) -> TaskOutcome:
    return TaskOutcome((), (), (), {("en", "a"): b"x" * 2_000_000})


def _begun(bounds: ProcessLimits, how: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    # What was changed here is changed in a copy of this process alone.
    monkeypatch.setattr(serve_judge, "ways", lambda _: multiprocessing.get_context("fork"))
    monkeypatch.setattr(serve_judge, "judged", how)
    judge_apart(Task((), "en", {}), bounds, GivenToAll((), None))


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
@pytest.mark.parametrize(
    ("how", "told"),
    [(_endless, "longer than"), (_hungry, "memory"), (_broken, "ValueError: so"), (_large, "more than 1 million")],
)
def test_nothing_that_is_sent_hangs_the_page(
    bounds: ProcessLimits, monkeypatch: pytest.MonkeyPatch, how: Any, told: str
) -> None:
    start = time.monotonic()
    with pytest.raises(GivenUp, match=told):
        _begun(replace(bounds, seconds=0.5, answer=1_000_000), how, monkeypatch)
    assert time.monotonic() - start < 10


def test_results_are_bounded_in_number_size_and_time() -> None:
    now = [0.0]
    shelf = Shelf(most=3, size=100, seconds=10, clock=lambda: now[0])
    keys = [shelf.add((str(n),), EMPTY).key for n in range(4)]
    assert [held.key for held in shelf.all()] == keys[:0:-1] and shelf.get(keys[0]) is None
    large = shelf.add(("large",), TaskOutcome((), (), (), {("en", "a"): b"x" * 99})).key
    assert len(shelf.all()) == 3
    shelf.add(("larger",), TaskOutcome((), (), (), {("en", "a"): b"x" * 200}))
    assert [held.names for held in shelf.all()] == [("larger",)] and shelf.get(large) is None
    now[0] = 10
    assert not shelf.all()


def test_of_very_many_games_some_are_judged_and_the_rest_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hexforge.validator.app.serve_judge.MOST_GAMES", 2)
    found = judged(Task(tuple((f"{n}.sheet", SHEET) for n in range(5)), "en", {}))
    assert MOST_GAMES > 2 and len(found.games) == 2
    assert [said["en"].partition(":")[0] for said in found.skipped] == ["3 more games were not judged"]


def test_what_is_kept_has_names_of_ours(tmp_path: Path) -> None:
    place = store(tmp_path, Task((("a/../b.VLOG", b"1"), ("x.exe", b"2")), "en", {}), EMPTY)
    assert sorted(path.name for path in place.iterdir()) == ["given-1.vlog", "given-2"]


def test_the_command_says_what_it_does_in_both_languages() -> None:
    for lang, word in (("en", "Nothing is stored"), ("pt", "Nada é guardado")):
        told = CliRunner().invoke(main, ["serve", "--help"], env={"HEXFORGE_LANG": lang})
        assert told.exit_code == 0 and word in " ".join(told.output.split())

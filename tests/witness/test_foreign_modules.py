"""What is drafted of a stranger's module has each piece where VASSAL itself has it in the original, and a log that
the engine writes of the original is judged by the binding that is proposed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from hexforge.modulegen.build import build
from hexforge.modulegen.build_key import Options
from hexforge.modulegen.cli import main as modulegen
from hexforge.modulegen.drafting.survey import ModuleSurvey, survey
from hexforge.modulegen.vassal.archive import Archive
from hexforge.validator.judging.check import check_logs
from tests.drafting import foreign

from . import Engine

pytestmark = pytest.mark.witness


def draft(original: Path, folder: Path) -> ModuleSurvey:
    """A draft of a module, and what was seen of it."""
    done = CliRunner().invoke(modulegen, ["import", str(original), str(folder)])
    assert done.exit_code == 0, done.output
    done = CliRunner().invoke(modulegen, ["check", str(folder)])
    assert done.exit_code == 0, done.output
    with Archive(original) as archive:
        return survey(archive, original)


@pytest.fixture(scope="module", params=["zoned", "rows"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def home(kind: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp(kind)


@pytest.fixture(scope="module")
def original(kind: str, home: Path, witness_ready: None) -> Iterator[Engine]:
    """An engine with the stranger's module open."""
    path = foreign.write(home / "original.vmod", kind)
    with Engine() as engine:
        engine.open(path)
        yield engine


@pytest.fixture(scope="module")
def drafted(home: Path, original: Engine) -> tuple[ModuleSurvey, dict[str, Any]]:
    """The draft of it, and the position with which VASSAL begins what is built of the draft."""
    seen = draft(home / "original.vmod", home / "game")
    built = build(home / "game", Options(home / "rebuilt.vmod", "en", jobs=1)).path
    with Engine() as engine:
        module = engine.open(built)
        position = engine.setup(next(s["name"] for s in module["setups"] if s["uses_file"]))
        assert engine.problems == []
    return seen, position


def began(engine: Engine, kind: str) -> list[dict[str, Any]]:
    """The pieces of the original as its game begins."""
    if kind == "zoned":
        pieces: list[dict[str, Any]] = engine.setup("Start")["pieces"]
        return pieces
    engine.ask("new_game")
    return list(engine.position()["pieces"])


def test_the_engine_has_every_piece_of_the_draft_where_the_original_has_it(
    original: Engine, drafted: tuple[ModuleSurvey, dict[str, Any]], kind: str
) -> None:
    seen, position = drafted
    before = [p for p in began(original, kind) if p["map"] == "Theatre" and not p["in_deck"]]
    assert len(before) == len(foreign.SPOTS[kind])
    after = {p["properties"].get("UnitId"): p for p in position["pieces"]}
    slots = {p.counter.slot: p.counter.id for p in seen.placed}
    spots = []
    for piece in before:
        counter = slots.get(piece["gpid"])
        if counter is not None:
            assert after[counter]["location"] == piece["location"], piece["name"]
            spots.append(((piece["x"], piece["y"]), (after[counter]["x"], after[counter]["y"])))
    assert len(spots) == len(set(foreign.SPOTS[kind]) & set(foreign.UNITS))
    # The board below is the original's picture: what lies between two pieces is as far and in the same direction.
    (x0, y0), (u0, v0) = spots[0]
    scale = max(abs(u - u0) + abs(v - v0) for _, (u, v) in spots) / max(
        abs(x - x0) + abs(y - y0) for (x, y), _ in spots
    )
    for (x, y), (u, v) in spots:
        assert abs((x - x0) * scale - (u - u0)) < 6, (x, y)
        assert abs((y - y0) * scale - (v - v0)) < 6, (x, y)


def test_markers_and_cards_are_there_too(
    original: Engine, drafted: tuple[ModuleSurvey, dict[str, Any]], kind: str
) -> None:
    _, position = drafted
    before = Counter(
        (p["name"], p["location"])
        for p in began(original, kind)
        if p["gpid"] in foreign.NOBODYS and not p["in_deck"]
    )
    after = Counter((p["name"], p["location"]) for p in position["pieces"] if p["name"] in foreign.NOBODYS.values())
    assert after == before
    cards = {p["name"]: p["location"] for p in position["pieces"] if p["name"] in foreign.CARDS.values()}
    assert cards == dict.fromkeys(foreign.CARDS.values(), "Events")


def test_a_log_of_the_original_is_judged(original: Engine, home: Path, kind: str, drafted: object) -> None:
    game = home / "game"
    done = CliRunner().invoke(
        modulegen, ["bind", str(game), str(home / "original.vmod"), "--out", str(game / "binding.yaml")]
    )
    assert done.exit_code == 0, done.output
    near, far = {"zoned": ((6, 1), (12, 7)), "rows": ((4, 6), (9, 2))}[kind]
    began(original, kind)
    original.player("Ana", foreign.MINE)
    log = game / "turn.vlog"
    original.start_log(log)
    # Two hexes, which a horse may move, and more than foot may.
    for name, (line, place) in (("Horse", near), ("1st Foot", far)):
        x, y = foreign.pixel(kind, (line, place))
        original.ask("move_to", piece=name, map_name="Theatre", x=x + foreign.EDGE[0], y=y + foreign.EDGE[1])
    original.ask("button", name="2d6")
    original.end_log()
    answer = check_logs([log])
    told = [(f.code, f.severity, dict(f.message.values)["unit"]) for f in answer.findings]
    assert ("movement-cost", "illegal", "ri-1st-foot") in told
    # Nothing is said of the one that may, nor of the one that is hidden from whoever reads.
    assert {unit for _, severity, unit in told if severity != "info"} == {"ri-1st-foot"}

"""A whole round from a seed: games well played, some with a mistake, some damaged, some in mails or as logs.

Every file is thought out from a seed of its own. `python -m tests.generator.round FOLDER [COUNT [SEED [JOBS]]]`
writes a round, with what is to be found in it in `FOLDER.json`.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from email.message import EmailMessage
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from hexforge.scenarios.loader import load
from hexforge.scenarios.model import Scenario
from hexforge.validator.logs.locations import TrackerReading
from hexforge.validator.notation import statements as st
from tests.generator import mistakes_in_combat, mistakes_in_movement
from tests.generator.game import Game, generate
from tests.generator.mistakes import MISTAKES, Mutant, moments, mutants
from tests.transcribe.gestures import Habits, Player
from tests.transcribe.modules import log_from

Kind: TypeAlias = Literal["legal", "wrong", "damaged", "mail"]
Form: TypeAlias = Literal["sheet", "mail", "log", "chain"]
GAMES: Final = {"hurtgen": 3, "metz": 2, "bastogne": 1}
"""The games of a round, with how many turns of each are played."""
LONG: Final = 100
"""One file in so many is played to the end of the game."""
KINDS: Final = (mistakes_in_movement, mistakes_in_combat)
"""Importing the modules is what fills `MISTAKES`."""
SHARES: Final[Mapping[Kind, int]] = {"wrong": 10, "damaged": 20, "mail": 20}
"""One file in so many is of a kind; all others are legal."""
LOGS: Final = 12
"""One in so many of those that are legal or wrong is a log: a sheet's, or a game of gestures in two logs."""
SLIPS: Final = 0.05


@dataclass(frozen=True)
class Planted:
    """A file of a round: what it is, and, of one with a mistake, the text of its line and the codes that name it.

    `line` is the line's number in a sheet, 0 in a log, which has none.
    """

    name: str
    kind: Kind
    line: int = 0
    codes: tuple[str, ...] = ()
    quote: str = ""
    form: Form = "sheet"


@dataclass(frozen=True)
class Order:
    """A file that is to be written. `long`: all turns of the game."""

    number: int
    kind: Kind
    form: Form
    game: str
    seed: int
    long: bool = False


@cache
def _scenario(name: str) -> Scenario:
    return load(name)


@lru_cache(8)
def _game(name: str, seed: int, turns: int | None) -> Game:
    return generate(_scenario(name), seed, turns=turns)


def _mistaken(scenario: Scenario, game: Game, seed: int, draw: random.Random) -> Mutant:
    """A game with one mistake, of any kind that there is an occasion for."""
    kinds = sorted(MISTAKES)
    draw.shuffle(kinds)
    found = moments(scenario, game, seed)
    return next(mutant for kind in kinds for mutant in mutants(game, found, kind))


def orders(count: int, *, seed: int = 1, seeds: int = 10**9, long: bool = True) -> list[Order]:
    """What a round of so many files is made of. `seeds`: how many games there are to choose from; `long`: whether
    some are played to their end."""
    draw = random.Random(seed)
    kinds: list[Kind] = []
    for kind, every in SHARES.items():
        kinds += [kind] * max(1, count // every)
    kinds += ["legal"] * (count - len(kinds))
    draw.shuffle(kinds)
    found = []
    for number, kind in enumerate(kinds):
        form: Form = "mail" if kind == "mail" else "sheet"
        if kind in ("legal", "wrong") and draw.random() < 1 / LOGS:
            form = "chain" if kind == "legal" and draw.random() < 0.5 else "log"
        whole = long and form == "sheet" and kind == "legal" and number % LONG == LONG - 1
        found.append(Order(number, kind, form, list(GAMES)[number % len(GAMES)], draw.randrange(seeds), whole))
    return found


def write_round(folder: Path, count: int, *, seed: int = 1, jobs: int = 1, **how: Any) -> list[Planted]:
    """Write so many files, some of them into folders of rounds, and give what is in them. `how`: as `orders`."""
    write = partial(write_order, folder)
    wanted = orders(count, seed=seed, **how)
    if jobs == 1:
        return [write(order) for order in wanted]
    with ProcessPoolExecutor(jobs) as pool:
        return list(pool.map(write, wanted, chunksize=4))


def write_order(folder: Path, order: Order) -> Planted:
    """Write one file of a round, and give what is in it."""
    draw = random.Random(f"{order.seed} {order.number}")
    home = folder / f"round-{order.number % 5 + 1}"
    home.mkdir(parents=True, exist_ok=True)
    scenario = _scenario(order.game)
    game = _game(order.game, order.seed, None if order.long else GAMES[order.game])
    line, quote = 0, ""
    codes: tuple[str, ...] = ()
    if order.kind == "wrong":
        made = _mistaken(scenario, game, order.seed, draw)
        game, line, codes = made.game, made.line, tuple(sorted(made.codes))
        quote = game.sheet.lines[line - 1].strip()
    # A comment at the end: no two files of a round are the same.
    text = f"{game.text}# table {order.number}\n"
    path = home / f"table-{order.number:05}.sheet"
    if order.kind == "damaged":
        path, data = _damaged(path, text.encode(), draw)
        path.write_bytes(data)
    elif order.form == "mail":
        path = path.with_suffix(".eml")
        path.write_bytes(_mail(text, order.number))
    elif order.form == "sheet":
        path.write_text(text, "utf-8")
    else:
        path = path.with_suffix("")
        path.mkdir()
        line = 0
        _logs(path, order, scenario, game, draw)
    return Planted(str(path.relative_to(folder)), order.kind, line, codes, quote, order.form)


def _logs(home: Path, order: Order, scenario: Scenario, game: Game, draw: random.Random) -> None:
    """A game as its log: every line typed, or played by gestures in two logs, one going on from the other."""
    if order.form == "log":
        with tempfile.TemporaryDirectory() as made:
            (home / "played.vlog").write_bytes(log_from(game.text, order.game, Path(made)).read_bytes())
        return
    first = Player(scenario, game.sheet, Habits(slips=SLIPS), order.seed)
    # Played twice: how long it gets is known when it is over.
    turns = [i for i, step in enumerate(first.play()) if isinstance(step.statement, st.TurnStart)]
    second = Player(scenario, game.sheet, Habits(slips=SLIPS), order.seed)
    cut = draw.choice(turns)
    second.plant = cut, lambda one: _left(one, kept)
    kept: list[Any] = []
    second.play()
    steps = [step for step in second.steps if step.commands]
    (home / "1.vlog").write_bytes(second.log(steps[:cut]))
    second.restore = kept[0]
    (home / "2.vlog").write_bytes(second.log(steps[cut:]))


def _left(one: Player, kept: list[Any]) -> list[Any]:
    """The position as the first log leaves it; nothing is done."""
    # The gesture that comes next is the one that turns the page: the phase is still that of the one before.
    now = one.steps[-1].phase
    assert now is not None
    kept.append(one.table.restore(TrackerReading(now.number, now.side, now.phase), one.scenario))
    return []


def _mail(text: str, number: int) -> bytes:
    mail = EmailMessage()
    mail["From"], mail["To"] = "ana@example.org", "bruno@example.org"
    mail["Subject"], mail["Message-ID"] = f"table {number}", f"<{number}@example.org>"
    mail.set_content("Here it is.")
    mail.add_attachment(text.encode(), maintype="text", subtype="plain", filename="turn.sheet")
    return bytes(mail)


def _damaged(path: Path, data: bytes, draw: random.Random) -> tuple[Path, bytes]:
    """A file that nobody can read: zeroes in a text, or a log of which the beginning alone came through."""
    cut = draw.randrange(20, len(data))
    if draw.random() < 0.5:
        return path, data[:cut] + bytes(8) + data[cut:]
    home = path.parent / path.stem
    home.mkdir()
    return home / "turn.vlog", b"PK\x03\x04" + draw.randbytes(200)


def judged_wrongly(planted: Sequence[Planted], records: Sequence[Mapping[str, Any]]) -> list[str]:
    """What was not found of what was planted, and what was found and was not."""
    said: list[str] = []
    for file in planted:
        # A log is named by its file, an attachment by its mail; both stand before whatever follows.
        found = [r for r in records if r["source"].startswith(file.name)]
        if len(found) != 1:
            said.append(f"{file.name}: told of {len(found)} times")
        elif ("error" in found[0]) != (file.kind == "damaged"):
            said.append(f"{file.name}: {file.kind}, but {found[0].get('error', found[0].get('verdict'))}")
        elif file.kind != "damaged":
            said += _differs(file, found[0])
    return said


def _differs(file: Planted, record: Mapping[str, Any]) -> list[str]:
    against = [f for f in record["findings"] if f["severity"] in ("illegal", "doubtful", "unread")]
    if file.form == "chain" and not record["chain"]["sound"]:
        return [f"{file.name}: the chain is broken: {record['chain']['findings']}"]
    if file.kind != "wrong":
        return [f"{file.name}: {f['line']} {f['code']} {f['quote']} is no mistake" for f in against]
    found = any(f["code"] in file.codes and _there(file, f) for f in against)
    return [] if found else [f"{file.name}: {file.codes} in line {file.line} ({file.quote}) is not found"]


def _there(file: Planted, finding: Mapping[str, Any]) -> bool:
    return bool(finding["line"] == file.line if file.line else finding["quote"].strip() == file.quote)


def main(folder: str, count: str = "1000", seed: str = "1", jobs: str = "2") -> None:
    """Write a round."""
    planted = write_round(Path(folder), int(count), seed=int(seed), jobs=int(jobs))
    Path(f"{folder}.json").write_text(json.dumps([asdict(file) for file in planted]), "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])

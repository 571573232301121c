"""A whole round from a seed: games that are well played, some with a mistake, some damaged, some in mails.

`python -m tests.generator.round FOLDER [COUNT]` writes one, with what is to be found in it in `FOLDER.json`.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from email.message import EmailMessage
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from hexforge.scenarios.loader import load
from tests.generator import mistakes_in_combat, mistakes_in_movement
from tests.generator.game import Game, generate
from tests.generator.mistakes import MISTAKES, Moment, Mutant, moments, mutants

Kind: TypeAlias = Literal["legal", "wrong", "damaged", "mail"]
GAMES: Final = {"hurtgen": 3, "metz": 2, "bastogne": 1}
"""The games of a round, with how many turns of each are played."""
KINDS: Final = (mistakes_in_movement, mistakes_in_combat)
"""Importing the modules is what fills `MISTAKES`."""
SEEDS: Final = 8
"""Games of a kind that are thought out; a large round plays each of them more than once."""
_EVERY: Final[Mapping[Kind, int]] = {"wrong": 10, "damaged": 20, "mail": 20}
"""One file in so many is of a kind; all others are legal."""


@dataclass(frozen=True)
class Planted:
    """A file of a round: what it is, and, of one with a mistake, the line and the codes any of which names it."""

    name: str
    kind: Kind
    line: int = 0
    codes: tuple[str, ...] = ()


@cache
def _game(name: str, seed: int) -> Game:
    return generate(load(name), seed, turns=GAMES[name])


@cache
def _moments(name: str, seed: int) -> list[Moment]:
    return moments(load(name), _game(name, seed), seed)


def _mistaken(name: str, seed: int, draw: random.Random) -> Mutant:
    """A game with one mistake, of any kind that there is an occasion for."""
    kinds = sorted(MISTAKES)
    draw.shuffle(kinds)
    found = _moments(name, seed)
    return next(mutant for kind in kinds for mutant in mutants(_game(name, seed), found, kind))


def write_round(folder: Path, count: int, *, seed: int = 1, seeds: int = SEEDS) -> list[Planted]:
    """Write so many files, some of them into folders of rounds, and give what is in them."""
    draw = random.Random(seed)
    kinds: list[Kind] = []
    for kind, every in _EVERY.items():
        kinds += [kind] * max(1, count // every)
    kinds += ["legal"] * (count - len(kinds))
    draw.shuffle(kinds)
    return [_write(folder, number, kind, draw, seeds) for number, kind in enumerate(kinds)]


def _write(folder: Path, number: int, kind: Kind, draw: random.Random, seeds: int) -> Planted:
    name, seed = list(GAMES)[number % len(GAMES)], draw.randrange(seeds)
    home = folder / f"round-{number % 5 + 1}"
    home.mkdir(parents=True, exist_ok=True)
    text, line = _game(name, seed).text, 0
    codes: tuple[str, ...] = ()
    if kind == "wrong":
        made = _mistaken(name, seed, draw)
        text, line, codes = made.game.text, made.line, tuple(sorted(made.codes))
    # A comment at the end: no two files of a round are the same.
    text += f"# table {number}\n"
    path = home / f"table-{number:05}.sheet"
    if kind == "mail":
        path = path.with_suffix(".eml")
        path.write_bytes(_mail(text, number))
    elif kind == "damaged":
        path, data = _damaged(path, text.encode(), draw)
        path.write_bytes(data)
    else:
        path.write_text(text, "utf-8")
    return Planted(str(path.relative_to(folder)), kind, line, codes)


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
    told = {record["source"]: record for record in records}
    said: list[str] = []
    for file in planted:
        # A log is named by its file, an attachment by its mail; both stand before whatever follows.
        record = next((r for source, r in told.items() if source.startswith(file.name)), None)
        if record is None:
            said.append(f"{file.name}: nothing is told of it")
        elif ("error" in record) != (file.kind == "damaged"):
            said.append(f"{file.name}: {file.kind}, but {record.get('error', record.get('verdict'))}")
        elif file.kind != "damaged":
            said += _differs(file, record)
    return said


def _differs(file: Planted, record: Mapping[str, Any]) -> list[str]:
    against = [f for f in record["findings"] if f["severity"] in ("illegal", "doubtful", "unread")]
    if file.kind != "wrong":
        return [f"{file.name}: {f['line']} {f['code']} is no mistake" for f in against]
    found = any(f["line"] == file.line and f["code"] in file.codes for f in against)
    return [] if found else [f"{file.name}: {file.codes} in line {file.line} is not found"]


def main(folder: str, count: str = "1000") -> None:
    """Write a round."""
    planted = write_round(Path(folder), int(count))
    Path(f"{folder}.json").write_text(json.dumps([asdict(file) for file in planted]), "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])

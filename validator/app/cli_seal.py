"""`validator seal` and `validator open`: a player's chain for sealed throws, and its next link.

The secret file holds the last link, from which all others follow, and for which text each was given: never for two.
"""

from __future__ import annotations

import json
import os
import re
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from ...scenarios.commands import Unusable, argument, command, language_option, option, tell, write_out
from ...scenarios.console import words
from ...scenarios.text.files import put
from ...scenarios.text.words import HexforgeError, Param, message
from ..notation import statements
from ..notation.cursor import logical_lines
from ..notation.kinds import Pen
from ..notation.records import is_mail, is_text
from ..notation.vocabulary import vocabulary_of, write_statement
from ..notation.words import fold
from ..rules.sealed import LINK, LONGEST, Opened, Sealed, below
from .cli_common import own_games, rulings

if TYPE_CHECKING:
    from ..judging.replayed import Replayed
    from ..notation.base import Statement

ENDING: Final = ".seal"
USUAL: Final = 500
_MOST_BYTES: Final = 2_000_000
_DIGITS: Final = re.compile(rf"[0-9a-f]{{{2 * LINK}}}")


class SealError(HexforgeError):
    """A secret file that cannot be used, or a link that is not to be given; a text at `validator.seal`."""


def _no(key: str, /, **values: Param) -> SealError:
    return SealError(message(f"validator.seal.{key}", **values))


@dataclass(frozen=True)
class Secret:
    """A player's secret file. `given`: for which text each link was given, by its number."""

    path: Path
    player: str
    length: int
    last: str
    given: dict[int, str] = field(default_factory=dict)

    @classmethod
    def new(cls, player: str, path: Path, length: int = USUAL) -> Secret:
        """Make a chain and its file, which none but its owner can read. Raises SealError if there is one."""
        found = cls(path, player, length, secrets.token_hex(LINK))
        try:
            with open(path, "x", encoding="utf-8", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
                file.write(found._text())
        except FileExistsError:
            raise _no("exists", file=str(path)) from None
        return found

    @classmethod
    def read(cls, path: Path) -> Secret:
        """The secret in a file. Raises SealError for a file that holds none, OSError."""
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
        try:
            value: Any = json.loads(data) if len(data) <= _MOST_BYTES else None
            found = cls(
                path, str(value["player"]), int(value["length"]), str(value["last"]),
                {int(number): str(check) for number, check in value["given"].items()},
            )  # fmt: skip
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            raise _no("no-secret", file=str(path)) from None
        if not (_DIGITS.fullmatch(found.last) and 1 <= found.length <= LONGEST):
            raise _no("no-secret", file=str(path))
        return found

    def _text(self) -> str:
        given = {str(number): check for number, check in sorted(self.given.items())}
        value = {"player": self.player, "length": self.length, "last": self.last, "given": given}
        return json.dumps(value, ensure_ascii=False, indent=1) + "\n"

    @cached_property
    def _chain(self) -> list[str]:
        found = [self.last]
        while len(found) <= self.length:
            found.append(below(found[-1]))
        return found[::-1]

    @property
    def anchor(self) -> statements.Seal:
        """The line that seals the chain."""
        return statements.Seal(0, self.player, self._chain[0], self.length)

    @property
    def left(self) -> int:
        """How many links were not given yet."""
        return self.length - max(self.given, default=0)

    def open(self, opened: Opened) -> tuple[statements.Open, list[tuple[Sealed, Statement]]]:
        """The line that opens what waits in a game, and what is thrown; noted in the file before anybody sees it.

        Raises SealError where it is not for this player to open, or the link was given for another text; OSError.
        """
        chain = opened.seals.chains.get(fold(self.player))
        if chain is None or chain.anchor != self._chain[0]:
            raise _no("not-sealed", player=self.player, line=write_statement(self.anchor))
        for number, check in opened.links(self.player):
            if self.given.get(number, check) != check:
                raise _no("other-text", link=number, player=self.player)
        if not opened.waiting:
            raise _no("nothing")
        if opened.by_whom and opened.seals.sides.get(fold(self.player)) == opened.by_whom:
            raise _no("own", player=self.player)
        number = chain.number + 1
        if number > self.length:
            raise _no("used-up", file=str(self.path))
        line, thrown = opened.answered(chain, self._chain[number])
        if self.given.get(number, line.check) != line.check:
            raise _no("given", link=number, player=self.player)
        if number not in self.given:
            replace(self, given={**self.given, number: line.check})._keep()
        return line, thrown

    def _keep(self) -> None:
        mask = os.umask(0o077)
        try:
            put(self.path, self._text().encode())
        finally:
            os.umask(mask)


# ------------------------------------------------------------------------------------------------ commands


@command("validator.commands.seal")
@argument("name", metavar="NAME")
@option("--length", type=click.IntRange(1, LONGEST), default=USUAL, show_default=True, metavar="N")
@option("--output", "-o", metavar="PATH")
@option("--show", is_flag=True)
@language_option
def seal(*, name: str, length: int, output: str | None, show: bool, lang: str | None) -> None:
    """Make a chain of hashes."""
    path = Path(output or re.sub(r"[^\w.-]+", "-", name.lower()) + ENDING)
    if show:
        found = Secret.read(path)
        tell(write_statement(found.anchor, lang or "en"))
        tell(words()("validator.seal.left", count=found.left), err=True)
        return
    tell(write_statement(Secret.new(name.lower(), path, length).anchor, lang or "en"))
    tell(words()("validator.seal.made", file=str(path)), err=True)


@command("validator.commands.open")
@argument("files", nargs=-1, required=True, metavar="GAME...")
@option("--secret", metavar="FILE", type=click.Path(exists=True, dir_okay=False))
@option("--output", "-o", metavar="PATH")
@own_games
@rulings
@language_option
def open_(
    *, files: tuple[str, ...], secret: str | None, output: str | None, options: dict[str, str], lang: str | None
) -> None:
    """Open the throws that wait."""
    if output and any(map(_is_post, files)):
        raise Unusable(message("validator.seal.sheets-alone"))
    found = Secret.read(Path(secret) if secret else _secret_beside(files[-1]))
    game = _game(files, options, found)
    line, thrown = found.open(game.opened)
    pen = Pen(vocabulary_of(game.scenario), lang or game.sheet.language)
    opens = write_statement(line, pen.language, pen.words)
    said = [(throw, write_statement(what, pen.language, pen.words)) for throw, what in thrown]
    if output:
        write_out(_with_answer(files[-1], opens, said), output)
    tell(opens)
    for throw, text in said:
        tell(words()("validator.seal.thrown", line=throw.line, text=text))


def _is_post(path: str) -> bool:
    return is_mail(path) or is_text(path) or Path(path).is_dir()


def _secret_beside(file: str) -> Path:
    """The one secret file here, or beside a game."""
    for folder in (Path(), Path(file).parent):
        found = sorted(folder.glob(f"*{ENDING}"))
        if len(found) == 1:
            return found[0]
    raise Unusable(message("validator.seal.which"))


def _game(files: Sequence[str], options: dict[str, str], secret: Secret) -> Replayed:
    """The game in some files; of several in mails that which waits for a player."""
    from ..judging.situation import sheet_situation, stands

    if not any(map(_is_post, files)):
        return stands(files, options)
    from .discover import gather

    gathered = gather(list(files))
    for _, error in gathered.failures:
        raise error
    games = [sheet_situation(game.opened().sheet(), options) for game in gathered.typed]
    if not games:
        raise _no("nothing")
    mine = [game for game in games if _waits_for(game.opened, secret)]
    if len(mine) > 1:
        raise _no("several", count=len(mine))
    return (mine or games)[-1]


def _waits_for(opened: Opened, secret: Secret) -> bool:
    chain = opened.seals.chains.get(fold(secret.player))
    return bool(opened.waiting) and chain is not None and chain.anchor == secret.anchor.anchor


def _with_answer(path: str, opens: str, said: Sequence[tuple[Sealed, str]]) -> str:
    """The sheet of a file with the line that opens its throws, and below each throw what it shows."""
    from ..reading.decoding import decode, read_raw

    lines = decode(read_raw(path), path).removeprefix("\ufeff").splitlines()
    ends = {line.line: line.end[0] for line in logical_lines(lines)}
    below_ = {ends.get(throw.line, throw.line): f"  {text}" for throw, text in said}
    last = max(below_) == max(ends.values())
    tail = [below_.pop(max(below_))] if last else []

    def written() -> Iterator[str]:
        for number, line in enumerate(lines, 1):
            yield line
            if number in below_:
                yield below_[number]

    return "\n".join([*written(), opens, *tail]) + "\n"

"""What a director has ruled in `tournament.yaml`, for the games beside it and in the folders below it.

The file is looked for in the folder of what is judged and in those above; `use` names another for all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ...scenarios.console import Problem, ScenarioError, message_of
from ...scenarios.schema.tournament import TournamentFile
from ...scenarios.text.words import Term, message
from ..notation import base, games, statements
from ..notation.records import MAILS, SUFFIXES
from ..rules.findings import Ruled, find
from ..rules.rulings import Waiver
from .decoding import MAX_BYTES
from .mails.quoting import messages_of

if TYPE_CHECKING:
    from ...scenarios.model import Scenario
    from ...scenarios.schema.tournament import OfALine, Points, TournamentGame, TournamentRuling, TournamentWaiver
    from ..rules.findings import Finding


NAME: Final = "tournament.yaml"
_UPWARDS: Final = 6
"""How many folders above a sheet the file may lie."""
_MAX_BYTES: Final = 1_000_000
_SEVERAL: Final = 2
_MOST_FILES: Final = 10_000
"""Files of a game's folder that are looked at."""
_SHEETS: Final = (".sheet", ".txt")
_BOX: Final = ".mbox"

_SECTION: Final = re.compile(r"([A-Za-z]?)\s*([0-9]+(?:\.[0-9]+)*)")

_NUMBERED: Final = re.compile(r"\[[0-9]+\]$")

_given: list[Path] = []


def use(path: str | Path | None) -> None:
    """Let a file hold for all that is judged from now on; None: for each game again the one that lies with it.

    Raises ScenarioError for one that cannot be used.
    """
    _given[:] = [Path(path)] if path is not None else []
    if path is not None:
        _load(Path(path))


def in_use() -> Path | None:
    """The file that holds for all that is judged, if one was given."""
    return _given[0] if _given else None


def holding(sheet: statements.Sheet) -> Applied | None:
    """What holds for a game, by its file or by the mails that it was typed in. Raises as `around` does."""
    return around(
        sheet.source, *(letter.source for letter in sheet.intake.letters), *(path for _, path in sheet.logs)
    )


def around(*sources: str) -> Applied | None:
    """What holds for a sheet, for logs or mails, by their paths. Raises ScenarioError for an unusable file."""
    # What is carried by a mail is named after it: `turn.eml: turn.sheet`.
    names = [name for s in sources if s and s != "-" for name in (s, s.rpartition(": ")[0])]
    # A mail of a mailbox is called by its number.
    files = dict.fromkeys(_NUMBERED.sub("", name) for name in names)
    paths = [Path(name) for name in files if name and _is_file(name)]
    file = _given[0] if _given else _near(paths[0]) if paths else None
    return _load(file).applied(paths) if file is not None else None


def whole(path: str | Path) -> TournamentFile | None:
    """The file for a folder, or for what lies in it. Raises ScenarioError for one that cannot be used."""
    home = Path(path).resolve()
    file = _given[0] if _given else _near(home / NAME if home.is_dir() else home)
    return _load(file).file if file is not None else None


def _is_file(name: str) -> bool:
    try:
        return Path(name).is_file()
    except (OSError, ValueError):
        return False


def _resolved(name: str) -> Path | None:
    try:
        return Path(name).resolve() if name else None
    except (OSError, ValueError):
        return None


def _near(path: Path) -> Path | None:
    homes = list(path.resolve().parents)[:_UPWARDS]
    return next((home / NAME for home in homes if _is_file(str(home / NAME))), None)


def _load(path: Path) -> Tournament:
    from ...scenarios.yamlfile import read_bytes

    home = path.resolve()
    return _parsed(home, read_bytes(home, _MAX_BYTES))


@lru_cache(8)
def _parsed(path: Path, data: bytes) -> Tournament:
    from pydantic import ValidationError

    from ...scenarios.yamlfile import decode, parse

    text = decode(data, Path(_told(path)))
    value = parse(text, Path(_told(path)))
    try:
        found = Tournament(path, TournamentFile.model_validate(value), text)
    except ValidationError as error:
        problems = []
        for item in error.errors(include_url=False):
            where = [step for step in item["loc"] if not str(step).startswith("function-")]
            line = _line(text, where)
            problems.append(Problem(_told(path), line, ".".join(map(str, where)), message_of(item)))
        raise ScenarioError(problems) from None
    if astray := [*found.astray()]:
        raise ScenarioError(astray)
    return found


def _told(path: Path) -> str:
    """A file as it is told: from the folder that one is in, so that no answer shows where on a disk it was made."""
    try:
        return str(path.relative_to(Path.cwd()))
    except (OSError, ValueError):
        return str(path)


def _line(text: str, where: list[str | int]) -> int:
    from ...scenarios.yamlfile import line_of

    return line_of(text, where)


@dataclass(frozen=True, eq=False)
class Tournament:
    """A file of rulings that has been read; `text` is what it holds."""

    path: Path
    file: TournamentFile
    text: str

    def astray(self) -> Iterator[Problem]:
        """Problems with games, waivers and rulings that name what is not there."""
        names = [game.name for game in self.file.games]
        for i, game in enumerate(self.file.games):
            for j, file in enumerate(game.files):
                if not self.within(file).exists():
                    yield self.problem(["games", i, "files", j], "no-file", file=file)
            if game.name in names[:i]:
                yield self.problem(["games", i, "name"], "twice", name=game.name)
        on_lines = {"waivers": self.file.waivers, "rulings": self.file.rulings}
        for key, i, item in ((key, i, item) for key, items in on_lines.items() for i, item in enumerate(items)):
            if item.sheet:
                yield from self._astray_file(item, [key, i, "sheet"])
            if item.game and item.game not in names:
                yield self.problem([key, i, "game"], "no-game", name=item.game, known=tuple(names))
            elif item.game and self._parts(self.file.games[names.index(item.game)]) > 1:
                yield self.problem([key, i, "game"], "several", name=item.game)

    def _astray_file(self, item: OfALine, where: list[str | int]) -> Iterator[Problem]:
        """A problem with the file that a line is of, or with the mail of a mailbox that it is."""
        file = self.carrier(item.sheet)
        if file is None:
            yield self.problem(where, "no-file", file=item.sheet)
            return
        numbered = _NUMBERED.search(item.sheet.removeprefix(file).partition(": ")[0])
        count = _count_of_mails(self.within(file)) if numbered or Path(file).suffix.lower() == _BOX else 1
        if numbered and not (count > 1 and 1 <= int(numbered[0][1:-1]) <= count):
            yield self.problem(where, "no-mail", file=file, mail=item.sheet, count=count)
        elif not numbered and item.line is not None and count > 1 and item.sheet == file:
            yield self.problem(where, "which-mail", file=file, count=count)

    def carrier(self, name: str) -> str | None:
        """The file of a name as answers tell it: that of `letters.mbox[2]: turn.sheet` is `letters.mbox`.

        None for none that is there.
        """
        outer = name.partition(": ")[0]
        names = (name, _NUMBERED.sub("", name), outer, _NUMBERED.sub("", outer))
        return next((one for one in names if self.within(one).is_file()), None)

    def _parts(self, game: TournamentGame) -> int:
        """How many answers a game has: one for each sheet, for the logs of a folder, and for all its mails."""
        found: set[object] = set()
        for name in game.files:
            path = self.within(name)
            inside = path.rglob("*") if path.is_dir() else (path,)
            for file in islice(inside, _MOST_FILES):
                suffix = file.suffix.lower()
                if suffix in _SHEETS:
                    found.add(file)
                elif suffix in SUFFIXES:
                    found.add(file.parent)
                elif suffix in MAILS:
                    found.add(MAILS)
        return len(found)

    def within(self, name: str) -> Path:
        """A file by its name; one outside the tournament's folder is as good as none."""
        path = (self.path.parent / name).resolve()
        return path if path.is_relative_to(self.path.parent) else self.path / "outside"

    def line(self, where: list[str | int]) -> int:
        """The line of a place of the file."""
        return _line(self.text, where)

    def problem(self, where: list[str | int], key: str, **values: Any) -> Problem:
        """What is wrong at a place of the file, with its line."""
        line, said = self.line(where), message(f"validator.tournament.{key}", **values)
        return Problem(_told(self.path), line, ".".join(map(str, where)), said)

    def applied(self, paths: Sequence[Path]) -> Applied:
        """What of it holds for a game in some files."""
        games = enumerate(self.file.games)
        number = next((i for i, game in games if any(self._holds(game.files, path) for path in paths)), None)
        game = self.file.games[number] if number is not None else None

        def speaks(item: TournamentWaiver | TournamentRuling) -> bool:
            file = self.carrier(item.sheet) if item.sheet else None
            named = file is not None and any(self._holds((file,), path) for path in paths)
            return named or bool(game and item.game == game.name) or (item.step is not None and bool(item.sheet))

        waivers = tuple((i, waiver) for i, waiver in enumerate(self.file.waivers) if speaks(waiver))
        rulings = tuple((i, ruling) for i, ruling in enumerate(self.file.rulings) if speaks(ruling))
        return Applied(self, game, number, waivers, rulings)

    def _holds(self, files: tuple[str, ...], path: Path) -> bool:
        """Whether a file is one of some, or lies in one of some folders."""
        return any(path.resolve().is_relative_to(self.within(file)) for file in files)


@dataclass(frozen=True, eq=False)
class Applied:
    """What of a tournament's file holds for one game: `game` is its entry, the `number`-th, if it has one."""

    tournament: Tournament
    game: TournamentGame | None
    number: int | None = None
    listed: tuple[tuple[int, TournamentWaiver], ...] = field(default=())
    rulings: tuple[tuple[int, TournamentRuling], ...] = field(default=())

    @property
    def source(self) -> str:
        """The file, as it is told."""
        return _told(self.tournament.path)

    def allowed(self, sheet: statements.Sheet) -> statements.Sheet:
        """The sheet, without rulings in it where they have no effect."""
        if self.tournament.file.rulings_in_sheets:
            return sheet
        return replace(sheet, statements=tuple(s for s in sheet.statements if not isinstance(s, base.Ruling)))

    def refused(self, sheet: statements.Sheet) -> list[Finding]:
        """Findings on rulings in a sheet that have no effect."""
        if self.tournament.file.rulings_in_sheets:
            return []
        where = _line(self.tournament.text, ["rulings_in_sheets"])
        ruled = Ruled(self.source, where, "rulings_in_sheets", self.tournament.file.director)
        lines = [s.line for s in sheet.statements if isinstance(s, base.Ruling)]
        return [replace(find(line, "ruling-refused", "", file=self.source), ruled=ruled) for line in lines]

    def unsealed(self, lines: Iterable[int]) -> list[Finding]:
        """Findings on the lines that tell of dice which nobody sealed, where the tournament wants them so."""
        if self.tournament.file.dice != "sealed":
            return []
        where = _line(self.tournament.text, ["dice"])
        ruled = Ruled(self.source, where, "dice: sealed", self.tournament.file.director)
        return [replace(find(line, "sealed-demanded", ""), ruled=ruled) for line in lines]

    @property
    def points(self) -> Points:
        """What games are worth in the standings."""
        return self.tournament.file.points

    @property
    def players(self) -> dict[str, str]:
        """Who plays, by side."""
        return dict(self.game.players) if self.game else {}

    def options(self, scenario: Scenario) -> dict[str, str]:
        """Rulings for a game, by name; those for all games that this one does not offer are left out.

        Raises ScenarioError for one that no game offers, or for a value that none has.
        """
        known = {name: option.choices for name, option in scenario.game.options.items()}
        own = self.game.options if self.game else {}
        found, bad = {}, []
        for name, value in {**self.tournament.file.options, **own}.items():
            if value in known.get(name, ()):
                found[name] = value
                continue
            if name not in known and name not in own and _offered(name):
                continue
            where: list[str | int] = (
                ["games", self.number or 0, "options", name] if name in own else ["options", name]
            )
            choices = known.get(name)
            key, listed = ("option-value", choices) if choices else ("option-name", tuple(sorted(known)))
            bad.append(self.tournament.problem(where, key, name=name, value=value, known=listed))
        if bad:
            raise ScenarioError(bad)
        return found

    def waivers(self, sheet: statements.Sheet, steps: Mapping[int, tuple[str, int]]) -> list[Waiver]:
        """What is waived in a sheet; `steps` gives the log and the step that its lines come from."""
        found = []
        for i, waiver in self.listed:
            line = _line(self.tournament.text, ["waivers", i])
            ruled = Ruled(
                self.source, line, " ".join(waiver.reason.split()), waiver.by or self.tournament.file.director
            )
            lines = self.lines_of(waiver, sheet) if waiver.line else self._lines_of(waiver, sheet, steps)
            found += [Waiver(number, _rule(waiver.rule), ruled) for number in lines]
        return found

    def lines_of(self, item: TournamentWaiver | TournamentRuling, sheet: statements.Sheet) -> list[int]:
        """The lines of a game that a line of a file is; line 0, on which there is nothing, if it is none of them.

        Where a game is in several mails, they are counted on; the file's own number tells which is meant. None for
        a mail of a mailbox that the game is not in.
        """
        line = item.line or 0
        if not item.sheet:
            return [line]
        wanted = self.tournament.within(item.sheet)
        if item.sheet != self.tournament.carrier(item.sheet):
            letters = (letter.source for letter in sheet.intake.letters)
            files = (sheet.source, *letters, *(file for file, _ in sheet.intake.places.values()))
            if wanted not in {path for file in files for path in map(_resolved, (file, file.rpartition(": ")[0]))}:
                return []
        if len(sheet.intake.letters) < _SEVERAL:
            return [line]
        return [
            number
            for number, (file, own) in sheet.intake.places.items()
            if own == line and wanted in map(_resolved, (file, file.rpartition(": ")[0]))
        ] or [0]

    def _lines_of(
        self, waiver: TournamentWaiver, sheet: statements.Sheet, steps: Mapping[int, tuple[str, int]]
    ) -> list[int]:
        """The lines that a log's step was written down as; line 0, on which there is nothing, if it left none."""
        own = self.steps_of(waiver.sheet, sheet, steps)
        return [line for line, step in own.items() if step == waiver.step] or ([0] if own else [])

    def steps_of(self, file: str, sheet: statements.Sheet, steps: Mapping[int, tuple[str, int]]) -> dict[int, int]:
        """The steps of one log by the lines that they were written down as.

        `file` is the log as the tournament names it, or the mail that carries it. Another table's log may have the
        same name: it is the place that tells them apart.
        """
        wanted = self.tournament.within(file)
        logs = {name for name, path in sheet.logs if wanted in map(_resolved, (path, path.rpartition(": ")[0]))}
        return {line: step for line, (log, step) in steps.items() if log in logs}

    def findings(self, scenario: Scenario, players: Mapping[str, str], line: int) -> list[Finding]:
        """What a sheet says otherwise than the tournament: who plays, and what."""
        game, found = self.game, []
        if game is None:
            return []
        if game.game and game.game != scenario.name:
            found.append(
                find(line, "tournament-game", "", severity="warning", wanted=game.game, game=scenario.name)
            )
        for side, name in game.players.items():
            if side not in {s.id for s in scenario.game.sides}:
                known = tuple(s.id for s in scenario.game.sides)
                found.append(find(line, "tournament-side", "", severity="warning", side=side, known=known))
            elif players.get(side, name).casefold() != name.casefold():
                who = {"side": Term("sides", side), "name": players[side], "wanted": name}
                found.append(find(line, "tournament-player", "", severity="warning", **who))  # type: ignore[arg-type]
        where = _line(self.tournament.text, ["games", self.number or 0])
        ruled = Ruled(self.source, where, game.name, self.tournament.file.director)
        return [replace(f, ruled=ruled) for f in found]

    def as_json(self, options: Mapping[str, str]) -> dict[str, Any]:
        """What it is and what comes from it, for scripts; `options` are those that it set."""
        file, game = self.tournament.file, self.game
        days = game.dates if game and (game.dates.first or game.dates.last) else file.dates
        return {
            "file": self.source,
            "tournament": file.tournament,
            "director": file.director or None,
            "game": game.name if game else None,
            **({"round": game.round} if game and game.round else {}),
            **({"winner": game.winner} if game and game.winner else {}),
            "players": self.players,
            "first": days.first.isoformat() if days.first else None,
            "last": days.last.isoformat() if days.last else None,
            "options": dict(sorted(options.items())),
        }


def _count_of_mails(path: Path) -> int:
    with path.open("rb") as file:
        return sum(1 for _ in messages_of(file.read(MAX_BYTES)))


def _rule(text: str) -> str:
    """A section as findings cite it, or a code: `b5.1` is `B 5.1`."""
    match = _SECTION.fullmatch(text.strip())
    return " ".join(filter(None, (match[1].upper(), match[2]))) if match else text.strip()


def _offered(name: str) -> bool:
    """Whether any game that comes with the program offers an option."""
    return any(name in game.game.options for game in map(games.game, games.all_names()) if game is not None)

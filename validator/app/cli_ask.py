"""`validator reach`, `odds`, `duties`, `units` and `position`: questions about a game.

`validator units`: the ids that players type, with what a player knows a counter by.

`validator position`: the end of a game as the beginning of its next sheet.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

import click

from ...scenarios.commands import (
    Command,
    argument,
    command,
    find,
    language_option,
    option,
    print_json,
    tell,
    write_out,
)
from ...scenarios.console import lined_up, safe_json, words
from ...scenarios.text.words import SOURCE, Words
from .cli_common import form_of, own_games, question_options, rulings

if TYPE_CHECKING:
    from ...scenarios.model import Scenario
    from ..judging.questions import Reach
    from ..judging.replayed import Replayed
    from ..report.units import Listed


_form = option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)


class _UnitLists(Command):
    """A command whose options of units take several words, once SHEET and HEX have been given: `--with a1 a2`."""

    LISTS: Final = frozenset({"--with", "--support", "--guard"})
    WORDS_BEFORE: Final = 2

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        flags = {o for p in self.params if isinstance(p, click.Option) and p.is_flag for o in p.opts}
        joined: list[str] = []
        words, rest = 0, list(args)
        while rest:
            word = rest.pop(0)
            joined.append(word)
            if word in self.LISTS and rest:
                joined.append(rest.pop(0))
                while words >= self.WORDS_BEFORE and rest and not rest[0].startswith("-"):
                    joined[-1] += f" {rest.pop(0)}"
            elif word.startswith("--") and "=" not in word and word not in flags and rest:
                joined.append(rest.pop(0))
            elif not word.startswith("-"):
                words += 1
        return super().parse_args(ctx, joined)


def _units(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """Ids given with blanks or commas between them."""
    return tuple(unit.lower() for value in values for unit in value.replace(",", " ").split())


def _situation(sheet: str, options: dict[str, str], module: str | None, salvage: bool) -> Replayed:
    from ..judging.situation import situation

    return situation(sheet, options, module=module, salvage=salvage, lang=words().language)


def _with_not_judged(answer: dict[str, Any], scenario: Scenario) -> dict[str, Any]:
    """An answer with the rules of the game that nothing here judges, if there are any."""
    from ..judging.answer import not_judged_json

    rules = not_judged_json(scenario, words().of(scenario.texts))
    return {**answer, "not_judged": rules} if rules else answer


def _not_judged(scenario: Scenario, w: Words) -> Iterator[str]:
    from ..report.wording import not_judged_in_a_line

    if told := not_judged_in_a_line(scenario, w):
        yield told


# ------------------------------------------------------------------------------------------------- reach


@command("validator.commands.reach")
@argument("sheet")
@argument("unit")
@_form
@option("--picture", metavar="PATH")
@question_options
@own_games
@rulings
@language_option
def reach(
    *, sheet: str, unit: str, form: str, picture: str | None, module: str | None, salvage: bool,
    options: dict[str, str], lang: str | None,
) -> None:  # fmt: skip
    """Hexes within reach."""
    from ..judging import questions

    found = questions.reach(_situation(sheet, options, module, salvage), unit.lower())
    if picture is not None:
        from ..report.article import write_picture

        write_picture(found, picture, words().of(found.context.scenario.texts))
    if form == "json":
        print_json(_with_not_judged(found.as_json(), found.context.scenario))
    else:
        w = words().of(found.context.scenario.texts)
        tell("\n".join((*_reach_text(found, words()), *_not_judged(found.context.scenario, w))))


def _reach_text(found: Reach, w: Words) -> Iterator[str]:
    from ..rules.findings import points

    yield w("validator.reach", unit=found.unit, hex=found.hex, turn=found.phase.turn, count=len(found.hexes))
    nearest = sorted(found.hexes.items(), key=lambda item: (item[1][0], item[0]))
    rows = [(hex_, w.value(points(cost)), " ".join(way)) for hex_, (cost, way) in nearest]
    yield from lined_up(rows, right=[1], indent=2, fit=True)


# -------------------------------------------------------------------------------------------------- odds


@command("validator.commands.odds", cls=_UnitLists)
@argument("sheet")
@argument("hex_", metavar="HEX")
@option("--with", "attackers", multiple=True, required=True, metavar="UNITS", callback=_units)
@option("--support", multiple=True, metavar="UNITS", callback=_units)
@option("--guard", "guards", multiple=True, metavar="UNITS", callback=_units)
@option("--offboard", type=click.IntRange(0), default=0, metavar="POINTS")
@option("--air", type=click.IntRange(0), default=0, metavar="POINTS")
@option("--guard-air", type=click.IntRange(0), default=0, metavar="POINTS")
@option("--share", "shares", type=(str, click.IntRange(1)), multiple=True, metavar="UNIT POINTS")
@_form
@question_options
@own_games
@rulings
@language_option
def odds(
    *, sheet: str, hex_: str, attackers: tuple[str, ...], support: tuple[str, ...], guards: tuple[str, ...],
    offboard: int, air: int, guard_air: int, shares: tuple[tuple[str, int], ...], form: str, module: str | None,
    salvage: bool, options: dict[str, str], lang: str | None,
) -> None:  # fmt: skip
    """An attack before the dice."""
    from ..judging import questions

    found = _situation(sheet, options, module, salvage)
    answer = questions.odds(
        found, hex_, attackers, support=support, guards=guards, offboard=offboard, air=air, guard_air=guard_air,
        shares={unit.lower(): points for unit, points in shares},
    )  # fmt: skip
    if form == "json":
        print_json(_with_not_judged(answer.as_json(Words(SOURCE)), found.scenario))
    else:
        w = words().of(found.scenario.texts)
        from ..report.text import odds_told

        tell("\n".join((*odds_told(answer, w), *_not_judged(found.scenario, w))))


# ------------------------------------------------------------------------------------------------ duties


@command("validator.commands.duties")
@argument("sheet")
@_form
@question_options
@own_games
@rulings
@language_option
def duties(
    *, sheet: str, form: str, module: str | None, salvage: bool, options: dict[str, str], lang: str | None
) -> None:
    """What is still owed."""
    from ..judging import questions
    from ..judging import situation as ask
    from ..report.wording import duties_told

    stood = ask.stands(sheet, options, module=module, salvage=salvage, lang=words().language)
    if not stood.scenario.has_map:
        _accounts_due(stood, form)
        return
    found = questions.open_duties(stood)
    if form == "json":
        print_json(_with_not_judged(found.as_json(), found.scenario))
    else:
        w = words().of(found.scenario.texts)
        tell("\n".join((*duties_told(found, w), *_not_judged(found.scenario, w))))


def _accounts_due(stood: Replayed, form: str) -> None:
    """The same of a game that is judged by its accounts."""
    from ..rules.accounts_bench import Bench
    from ..rules.accounts_judging import due

    bench, w = Bench(stood.context, stood.position.accounts), words().of(stood.scenario.texts)
    found, now = tuple(due(bench)), bench.books.now
    if form == "json":
        phase = {"date": now.date.isoformat(), "part": bench.parts[now.part], "phase": now.phase} if now else None
        print_json({"phase": phase, "due": [one.as_json() for one in found]})
    else:
        tell("\n".join([w.say(one.told) for one in found] or [w("validator.duty.none")]))


_FORMS: Final = {".json": "json", ".html": "html", ".htm": "html"}


@command("validator.commands.units")
@argument("game", metavar="GAME")
@option("--side", metavar="SIDE")
@option("--at-start", is_flag=True)
@option("--format", "form", type=click.Choice(["text", "html", "json"]))
@option("--output", "-o", metavar="PATH")
@own_games
@language_option
def units(
    *, game: str, side: str | None, at_start: bool, form: str | None, output: str | None, lang: str | None
) -> None:  # fmt: skip
    """List the units of a game."""
    from ..notation import games
    from ..notation.vocabulary import vocabulary_of
    from ..notation.words import fold
    from ..report.units import lines, names_of, page, units_of, write_units

    scenario = games.game(game) or games.at(find(game))
    w = words().of(scenario.texts)
    # A side by its id or by any word that sheets have for it.
    named = side and (vocabulary_of(scenario).meaning("sides", fold(side)) or side)
    names = names_of(scenario, named or "")
    counters = () if names else units_of(scenario, named or "", at_start=at_start)
    form = form or form_of(output, _FORMS, "text")
    if form == "html":
        told = page(scenario, names, w) if names else write_units(scenario, counters, words())
    elif form == "json":
        answer = {"game": scenario.name, "units": [unit.as_json(w) for unit in names or counters]}
        told = safe_json(json.dumps(answer, ensure_ascii=False, indent=1))
    else:
        told = "\n".join(lines(scenario, names, w) if names else _lines(scenario, counters, w))
    write_out(told, output)


def _lines(scenario: Scenario, found: Sequence[Listed], w: Words) -> Iterator[str]:
    from ..report.units import arrival_told, counter_told, formation_told, hex_told

    for number, side in enumerate(dict.fromkeys(unit.counter.side for unit in found)):
        if number:
            yield ""
        yield w.heading("sides", side)
        own = [unit for unit in found if unit.counter.side == side]
        yield from lined_up(
            [
                (u.counter.id, u.counter.name(w.language), *(told(u, w) for told in (counter_told, formation_told)),
                 hex_told(u, w, scenario), arrival_told(u, w))
                for u in own
            ],
            indent=2,
        )  # fmt: skip


@command("validator.commands.position")
@argument("files", nargs=-1, required=True, metavar="GAME...")
@option("--sheet", "whole", is_flag=True)
@option("--output", "-o", metavar="PATH")
@question_options
@own_games
@rulings
@language_option
def position(
    *, files: tuple[str, ...], whole: bool, output: str | None, module: str | None, salvage: bool,
    options: dict[str, str], lang: str | None,
) -> None:  # fmt: skip
    """Write down how a game stands."""
    from ..judging.continuing import written
    from ..judging.situation import stands

    found = stands(files, options, module=module, salvage=salvage, lang=words().language)
    for gap in found.unread:
        tell(words()("validator.position.unread", line=gap.line, file=gap.file), err=True)
    # The canonical words are English; --lang asks for others.
    write_out(written(found, files if whole else (), options, output, lang or SOURCE), output)

"""`validator reach`, `odds`, `duties`: questions before the mail is sent."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

import click

from hexforge.scenarios.commands import (
    Command,
    argument,
    command,
    language_option,
    option,
    print_json,
    tell,
    words,
)
from hexforge.scenarios.tables import lined_up
from hexforge.scenarios.words import SOURCE, Words
from hexforge.validator.cli_common import own_games, question_options, rulings

if TYPE_CHECKING:
    from hexforge.scenarios.model import Scenario
    from hexforge.validator.ask import Reach
    from hexforge.validator.bookkeeping import Kept
    from hexforge.validator.check import Replayed

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
    from hexforge.validator.ask import situation

    return situation(sheet, options, module=module, salvage=salvage, lang=words().language)


def _with_not_judged(answer: dict[str, Any], scenario: Scenario) -> dict[str, Any]:
    """An answer with the rules of the game that nothing here judges, if there are any."""
    from hexforge.validator.report.answer import not_judged_json

    rules = not_judged_json(scenario, words().of(scenario.texts))
    return {**answer, "not_judged": rules} if rules else answer


def _not_judged(scenario: Scenario, w: Words) -> Iterator[str]:
    from hexforge.validator.report.wording import not_judged_in_a_line

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
    from hexforge.validator import ask

    found = ask.reach(_situation(sheet, options, module, salvage), unit.lower())
    if picture is not None:
        from hexforge.validator.report.picture import write_picture

        write_picture(found, picture, words().of(found.context.scenario.texts))
    if form == "json":
        print_json(_with_not_judged(found.as_json(), found.context.scenario))
    else:
        w = words().of(found.context.scenario.texts)
        tell("\n".join((*_reach_text(found, words()), *_not_judged(found.context.scenario, w))))


def _reach_text(found: Reach, w: Words) -> Iterator[str]:
    from hexforge.validator.referee.findings import points

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
    from hexforge.validator import ask

    found = _situation(sheet, options, module, salvage)
    answer = ask.odds(
        found, hex_, attackers, support=support, guards=guards, offboard=offboard, air=air, guard_air=guard_air,
        shares={unit.lower(): points for unit, points in shares},
    )  # fmt: skip
    if form == "json":
        print_json(_with_not_judged(answer.as_json(Words(SOURCE)), found.scenario))
    else:
        w = words().of(found.scenario.texts)
        from hexforge.validator.report.promise import odds_told

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
    from hexforge.validator import ask
    from hexforge.validator.check import Replayed
    from hexforge.validator.report.owed import duties_told

    stood = ask.stands(sheet, options, module=module, salvage=salvage, lang=words().language)
    if not isinstance(stood, Replayed):
        _accounts_due(stood, form)
        return
    found = ask.open_duties(stood)
    if form == "json":
        print_json(_with_not_judged(found.as_json(), found.scenario))
    else:
        w = words().of(found.scenario.texts)
        tell("\n".join((*duties_told(found, w), *_not_judged(found.scenario, w))))


def _accounts_due(stood: Kept, form: str) -> None:
    """The same of a game that is judged by its accounts."""
    from hexforge.validator.referee.ledger.duties import due

    books, w = stood.judgement.books, words().of(stood.game.texts)
    found, now = due(stood.judgement.ctx, books), books.now
    if form == "json":
        parts = stood.judgement.ctx.parts
        phase = {"date": now.date.isoformat(), "part": parts[now.part], "phase": now.phase} if now else None
        print_json({"phase": phase, "due": [one.as_json() for one in found]})
    else:
        tell("\n".join([w.say(one.told) for one in found] or [w("validator.duty.none")]))

"""`validator reach`, `odds`, `duties`: questions before the mail is sent."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from hexforge.scenarios.language import Language, chosen, said
from hexforge.scenarios.words import SOURCE, Words
from hexforge.validator.cli_common import Unusable, fail, language, own_games, rulings, write_out
from hexforge.validator.cli_transcribe import question_options

if TYPE_CHECKING:
    from hexforge.scenarios.model import Scenario
    from hexforge.validator.ask import Open, Reach
    from hexforge.validator.referee.combat.ask import Odds

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")


def _form(command: F) -> F:
    return click.option(
        "--format",
        "form",
        type=click.Choice(["text", "json"]),
        default="text",
        show_default=True,
        help=said("Form of the answer.", "Forma da resposta."),
    )(command)


def _asked(question: Callable[[], T], spoken: Language) -> T:
    """The answer to a question, or one clear line why there is none."""
    from hexforge.validator.ask import Unanswerable

    try:
        return question()
    except Unanswerable as error:
        raise Unusable(error.pt if spoken == "pt" else error.en) from error
    except Exception as error:
        fail(error, spoken)


class _UnitLists(click.Command):
    """A command whose options of units take several words, once SHEET and HEX have been given: `--with a1 a2`."""

    LISTS = frozenset({"--with", "--support", "--guard"})
    WORDS_BEFORE = 2

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


# ------------------------------------------------------------------------------------------------- reach


@click.command(
    help=said(
        """Show where UNIT may end its move, with cost and cheapest way.

        The unit moves in the phase that SHEET ends in if that is its side's movement phase, else in the next one.
        SHEET may be a log (.vlog) or save (.vsav) of a module that modulegen built, or a mail that carries one.
        """,
        """Mostra onde UNIT pode terminar seu movimento, com o custo e o caminho mais barato.

        A unidade se move na fase em que SHEET termina, se for a de movimentação do seu lado, ou na próxima. SHEET
        pode ser um registro (.vlog) ou jogo salvo (.vsav) de um módulo de modulegen, ou um e-mail que o traz.
        """,
    )
)
@click.argument("sheet")
@click.argument("unit")
@_form
@click.option(
    "--picture",
    metavar="PATH",
    help=said("Draw the map with the hexes reached: .svg, .png or .html.", "Desenha o mapa: .svg, .png ou .html."),
)
@question_options
@own_games
@rulings
@language
def reach(
    *,
    sheet: str,
    unit: str,
    form: str,
    picture: str | None,
    module: str | None,
    salvage: bool,
    options: dict[str, str],
    lang: str | None,
) -> None:
    """Hexes within reach."""
    from hexforge.validator import ask

    spoken = chosen(lang)
    found = _asked(
        lambda: ask.reach(ask.situation(sheet, options, module=module, salvage=salvage, lang=spoken), unit.lower()),
        spoken,
    )
    if picture is not None:
        from hexforge.validator.report.picture import write_picture

        _asked(lambda: write_picture(found, picture), spoken)
    write_out(_reach_json(found) if form == "json" else _reach_text(found, spoken), None)


def _reach_json(found: Reach) -> str:
    from hexforge.validator.referee.findings import points

    hexes = {
        hex_: {"cost": points(cost), "left": points(found.allowance - cost), "path": list(way)}
        for hex_, (cost, way) in sorted(found.hexes.items())
    }
    answer = {"unit": found.unit, "hex": found.hex, "turn": found.phase.turn, "reach": hexes}
    return json.dumps(answer, ensure_ascii=False, indent=1)


def _reach_text(found: Reach, spoken: Language) -> str:
    from hexforge.validator.referee.findings import points

    count = len(found.hexes)
    head = said(
        f"{found.unit} in {found.hex}, turn {found.phase.turn}: {count} hexes within reach",
        f"{found.unit} em {found.hex}, turno {found.phase.turn}: {count} hexes ao alcance",
        spoken,
    )
    rows = sorted(found.hexes.items(), key=lambda item: (item[1][0], item[0]))
    return "\n".join([head, *(f"  {hex_}  {points(cost):>4}  {' '.join(way)}" for hex_, (cost, way) in rows)])


# -------------------------------------------------------------------------------------------------- odds


@click.command(
    cls=_UnitLists,
    help=said(
        """Compute an attack on HEX from the position at the end of SHEET, and how likely each result is.

        SHEET may be a log (.vlog) or save (.vsav) of a module that modulegen built, or a mail that carries one.
        """,
        """Calcula um ataque ao HEX a partir da posição no fim de SHEET, e a chance de cada resultado.

        SHEET pode ser um registro (.vlog) ou jogo salvo (.vsav) de um módulo de modulegen, ou um e-mail que o traz.
        """,
    ),
)
@click.argument("sheet")
@click.argument("hex_", metavar="HEX")
@click.option(
    "--with", "attackers", multiple=True, required=True, metavar="UNITS", callback=_units,
    help=said("Units that attack from next to it.", "Unidades adjacentes que atacam."),
)  # fmt: skip
@click.option(
    "--support", multiple=True, metavar="UNITS", callback=_units,
    help=said("Artillery at range.", "Artilharia a distância."),
)  # fmt: skip
@click.option(
    "--guard", "guards", multiple=True, metavar="UNITS", callback=_units,
    help=said("Artillery that supports the defence.", "Artilharia que apoia a defesa."),
)  # fmt: skip
@click.option(
    "--offboard", type=click.IntRange(0), default=0, metavar="POINTS",
    help=said("Points of guns beyond the map.", "Pontos de artilharia fora do mapa."),
)  # fmt: skip
@click.option(
    "--air", type=click.IntRange(0), default=0, metavar="POINTS",
    help=said("The attacker's air points.", "Pontos aéreos do atacante."),
)  # fmt: skip
@click.option(
    "--guard-air", type=click.IntRange(0), default=0, metavar="POINTS",
    help=said("The defender's air points.", "Pontos aéreos do defensor."),
)  # fmt: skip
@_form
@question_options
@own_games
@rulings
@language
def odds(
    *, sheet: str, hex_: str, attackers: tuple[str, ...], support: tuple[str, ...], guards: tuple[str, ...],
    offboard: int, air: int, guard_air: int, form: str, module: str | None, salvage: bool, options: dict[str, str],
    lang: str | None,
) -> None:  # fmt: skip
    """An attack before the dice."""
    from hexforge.validator import ask

    spoken = chosen(lang)

    def question() -> tuple[Scenario, Odds]:
        found = ask.situation(sheet, options, module=module, salvage=salvage, lang=spoken)
        return found.scenario, ask.odds(
            found, hex_, attackers, support=support, guards=guards, offboard=offboard, air=air, guard_air=guard_air
        )

    scenario, answer = _asked(question, spoken)
    if form == "json":
        write_out(json.dumps(answer.as_json(Words(SOURCE)), ensure_ascii=False, indent=1), None)
    else:
        write_out(_odds_text(answer, spoken, scenario), None)


def _odds_text(answer: Odds, spoken: Language, scenario: Scenario) -> str:
    from hexforge.validator.referee.findings import CombatRecord, doubts_told
    from hexforge.validator.report.text import worked_out

    figures, speech = answer.figures, Words(spoken, scenario.texts)
    record = CombatRecord(
        0, "combat", (answer.target,), figures.attack, figures.defence, figures.odds, None, figures.shifts,
        figures.column_name, parts=figures.parts,
    )  # fmt: skip
    lines = [f"{answer.target}", *worked_out(record, spoken, scenario), ""]
    for chance in answer.chances:
        of_36 = int(chance.probability * 36)
        bar = "█" * of_36
        lines.append(f"  {' '.join(chance.codes):<9} {of_36:>2}/36 {float(chance.probability):>6.1%}  {bar}")
    for finding in answer.objections:
        lines.append(f"  ! {finding.rule} {speech.say(finding.message)}")
    doubts = [*figures.strength_doubts, *figures.ground_doubts]
    if doubts:
        found = doubts_told(dict.fromkeys(doubts), speech)
        lines.append(said(f"  rests on {found}", f"  depende de {found}", spoken))
    return "\n".join(lines)


# ------------------------------------------------------------------------------------------------ duties


@click.command(
    help=said(
        """Say who must still attack, who is encircled and what is not yet declared at the end of SHEET.

        SHEET may be a log (.vlog) or save (.vsav) of a module that modulegen built, or a mail that carries one.
        """,
        """Diz quem ainda tem que atacar, quem está cercado e o que falta declarar no fim de SHEET.

        SHEET pode ser um registro (.vlog) ou jogo salvo (.vsav) de um módulo de modulegen, ou um e-mail que o traz.
        """,
    )
)
@click.argument("sheet")
@_form
@question_options
@own_games
@rulings
@language
def duties(
    *, sheet: str, form: str, module: str | None, salvage: bool, options: dict[str, str], lang: str | None
) -> None:
    """What is still owed."""
    from hexforge.validator import ask

    spoken = chosen(lang)
    found = _asked(
        lambda: ask.open_duties(ask.situation(sheet, options, module=module, salvage=salvage, lang=spoken)), spoken
    )
    write_out(_duties_json(found) if form == "json" else _duties_text(found, spoken), None)


def _duties_json(found: Open) -> str:
    phase = found.phase
    return json.dumps(
        {
            "phase": {"turn": phase.turn, "side": phase.side, "phase": phase.kind} if phase else None,
            "must_attack": [
                {
                    "unit": d.unit,
                    "hex": d.hex,
                    "enemies": list(d.enemies),
                    "moved": d.moved,
                    "rests_on": str(d.doubt or ""),
                }
                for d in found.attacks
            ],
            "encircled": [{"side": s, "hex": h, "units": list(u)} for s, h, u in found.encircled],
            "undeclared": [
                {"line": line, "missing": list(lacks), **_step(found, line)} for line, lacks in found.undeclared
            ],
            "due": list(found.due),
        },
        ensure_ascii=False,
        indent=1,
    )


def _step(found: Open, line: int) -> dict[str, str | int]:
    log, step = found.steps.get(line, ("", 0))
    return {"log": log, "step": step} if log else {}


def _duties_text(found: Open, spoken: Language) -> str:
    from hexforge.validator.report.words import words

    sides, speech = words(spoken, found.scenario).sides, Words(spoken, found.scenario.texts)
    lines: list[str] = []
    for duty in found.attacks:
        enemies = " ".join(duty.enemies)
        on = speech.say(duty.doubt) if duty.doubt else ""
        doubt = said(f" (rests on {on})", f" (depende de {on})", spoken) if on else ""
        lines.append(
            said(
                f"{duty.unit} in {duty.hex} must attack: {enemies}",
                f"{duty.unit} em {duty.hex} tem que atacar: {enemies}",
                spoken,
            )
            + doubt
        )
    for side, hex_, units in found.encircled:
        who, names = sides.get(side, side), " ".join(units)
        lines.append(said(f"encircled: {who} {hex_} ({names})", f"cercado: {who} {hex_} ({names})", spoken))
    lacking = {"roll": said("dice", "dados", spoken), "result": said("result", "resultado", spoken)}
    for line, lacks in found.undeclared:
        names = ", ".join(lacking[name] for name in lacks)
        log, step = found.steps.get(line, ("", 0))
        where = f"{log}:{step}" if log else said(f"line {line}", f"linha {line}", spoken)
        lines.append(said(f"{where}: still to be declared: {names}", f"{where}: falta: {names}", spoken))
    if found.due:
        names = " ".join(found.due)
        lines.append(said(f"may enter: {names}", f"podem entrar: {names}", spoken))
    return "\n".join(lines) or said("nothing is owed", "não falta nada", spoken)

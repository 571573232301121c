"""Commands about a game's files: `list`, `check`, `data`, `schema`, `new`."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hexforge.modulegen.cli_common import (
    DIRECTORY,
    EXIT_NO,
    GAME,
    JSON_HELP,
    fail,
    guarded,
    print_json,
    problem_json,
)
from hexforge.modulegen.cli_common import problem_lines as lines_of
from hexforge.scenarios.language import default_language, said
from hexforge.scenarios.words import Words

if TYPE_CHECKING:
    from hexforge.scenarios import Problem, Scenario
    from hexforge.scenarios.schema.base import Provenance


@click.command(
    "list",
    short_help=said("List the games that come with the program.", "Lista os jogos que vêm com o programa."),
    help=said("List the games that come with the program.", "Lista os jogos que vêm com o programa."),
)
@click.option("--json", "as_json", is_flag=True, help=JSON_HELP)
@guarded
def list_games(as_json: bool) -> None:
    """List the games that come with the program."""
    from hexforge.scenarios import load, names

    games = [load(name, strict=False) for name in names()]
    rows = [
        {
            "name": s.name,
            "title": s.game.module.name,
            "counters": len(s.counters),
            "map": f"{s.map.grid.columns} × {s.map.grid.rows}",
            "turns": f"{s.game.turns.first}–{s.game.turns.last}",
        }
        for s in games
    ]
    if as_json:
        print_json(rows)
        return
    width = max([4, *[len(str(r["name"])) for r in rows]])
    for r in rows:
        figures = said(
            f"{r['counters']} counters, map {r['map']}, turns {r['turns']}",
            f"{r['counters']} peças, mapa {r['map']}, turnos {r['turns']}",
        )
        click.echo(f"{r['name']:{width}}  {r['title']}: {figures}")


@click.command(
    short_help=said("Say everything that is wrong with a game's files.", "Diz tudo o que está errado num jogo."),
    help=said(
        """Check a game's files and say everything that is wrong, with file, line and cell.

        What has been changed in them, against the game as it was shipped or last committed, is listed with all that
        the change touches: set-ups, ways, objectives, totals.

        Exit code 0: the game is sound. 1: it contradicts itself. 2: its files cannot be read as a game at all.
        """,
        """Confere os arquivos de um jogo e diz tudo o que está errado, com arquivo, linha e célula.

        O que mudou neles, em relação ao jogo como veio ou ao que o git guarda, é listado com tudo o que a mudança
        toca: posição inicial, caminhos, objetivos, totais.

        Código de saída 0: o jogo está em ordem. 1: ele se contradiz. 2: os arquivos não podem ser lidos como um
        jogo.
        """,
    ),
)
@click.argument("game", metavar=GAME)
@click.option("--quiet", "-q", is_flag=True, help=said("Only problems.", "Só os problemas."))
@click.option("--json", "as_json", is_flag=True, help=JSON_HELP)
@guarded
def check(game: str, quiet: bool, as_json: bool) -> None:
    """Say everything that is wrong with a game's files, and what was changed in them."""
    from hexforge.scenarios import ScenarioError, baseline, impact, load
    from hexforge.scenarios.provenance import survey, totals

    try:
        scenario = load(game, strict=False)
    except ScenarioError as error:
        if as_json:
            print_json({"game": game, "problems": [problem_json(p) for p in error.problems], "usable": False})
            sys.exit(2)
        raise
    problems = (*scenario.warnings, *_without_look(scenario))
    errors = [p for p in problems if p.severity == "error"]
    before = baseline(scenario)
    words = Words(default_language())
    changes = impact(before, scenario, words.language) if before else []
    if as_json:
        print_json(
            {
                "game": scenario.name,
                "usable": True,
                "problems": [problem_json(p) for p in problems],
                "changes": [change.text(words) for change in changes],
                "provenance": totals(survey(scenario)),
            }
        )
    else:
        for problem, line in zip(problems, lines_of(problems), strict=False):
            click.secho(line, fg="red" if problem.severity == "error" else "yellow")
        if not quiet:
            for change in changes:
                click.secho(change.text(words), fg="cyan")
            warnings = len(problems) - len(errors)
            count = said(f"{len(errors)} errors, {warnings} warnings", f"{len(errors)} erros, {warnings} avisos")
            click.echo(f"{scenario.name}: {count}")
            _print_summary(totals(survey(scenario)))
    if errors:
        sys.exit(EXIT_NO)


def _without_look(scenario: Scenario) -> list[Problem]:
    """Kinds of the map that the board draws in the style called `other`, for want of one of their own."""
    from hexforge.modulegen.render.board_style import undrawn
    from hexforge.scenarios import Problem

    path = str(scenario.folder / "map.yaml")
    return [
        Problem(
            path,
            0,
            f"looks.{kind}",
            said(
                f"{id_!r} has no style of its own; name one, such as {known}",
                f"{id_!r} não tem estilo próprio; diga um, como {known}",
            ),
            "warning",
        )
        for kind, id_, known in undrawn(scenario)
    ]


def _print_summary(counts: Mapping[str, Mapping[Provenance, int]]) -> None:
    from hexforge.scenarios.provenance import kind_name

    say = Words(default_language()).say
    width = max((len(say(kind_name(kind))) for kind in counts), default=0)
    for kind, row in counts.items():
        click.echo(f"  {say(kind_name(kind)):{width}} {sum(row.values()):5}   {_origins(row)}")


def _origins(row: Mapping[Provenance, int]) -> str:
    from hexforge.scenarios.provenance import origin_name

    say = Words(default_language()).say
    return ", ".join(f"{n} {say(origin_name(origin))}" for origin, n in row.items() if n)


@click.command(
    short_help=said("Show what is printed, what is assumed.", "Mostra o que é do livro e o que é reconstruído."),
    help=said(
        """Show where a game's data come from: printed in the rulebook, real geography, or assumed.

        By kind, with counts and lists; what is printed is only counted unless asked for. Correct what is assumed
        from your copy of the game, and change its provenance to printed.
        """,
        """Mostra de onde vêm os dados de um jogo: do livro de regras, da geografia real, ou
        reconstruídos.

        Por tipo, com contagens e listas; o que é do livro só é contado, a não ser que se peça. Corrija o que é
        reconstruído pelo seu exemplar do jogo, e mude a origem para `printed`.
        """,
    ),
    epilog=said(
        "\b\nExamples:\n  modulegen data hurtgen\n  modulegen data bastogne --kind hex --only assumed",
        "\b\nExemplos:\n  modulegen data hurtgen\n  modulegen data bastogne --kind hex --only assumed",
    ),
)
@click.argument("game", metavar=GAME)
@click.option(
    "--kind",
    metavar=said("KIND", "TIPO"),
    help=said(
        "Only this kind: hex, hexside, way, place, strength …",
        "Só este tipo: hex, hexside (lado de hexágono), way (via), place (lugar), strength (força) …",
    ),
)
@click.option(
    "--only",
    type=click.Choice(["printed", "gazetteer", "assumed"]),
    help=said(
        "Only data of this origin.",
        "Só dados desta origem: printed (do livro), gazetteer (da geografia real), assumed (de reconstrução).",
    ),
)
@click.option("--counts", is_flag=True, help=said("Counts only, no lists.", "Só contagens, sem listas."))
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help=said("As JSON, each datum with its value and note.", "Em JSON, cada dado com valor e nota."),
)
@guarded
def data(*, game: str, kind: str | None, only: str | None, counts: bool, as_json: bool) -> None:
    """Show where a game's data come from."""
    from dataclasses import asdict

    from hexforge.scenarios import load
    from hexforge.scenarios.provenance import kind_name, origin_name, survey, totals

    say = Words(default_language()).say
    scenario = load(game, strict=False)
    everything = survey(scenario)
    table = totals(everything)
    if kind is not None and kind not in table:
        known = ", ".join(table)
        fail(said(f"there is no kind {kind!r}; there are {known}", f"não há o tipo {kind!r}; há {known}"))
    shown = [d for d in everything if kind in (None, d.kind) and only in (None, d.provenance)]
    if as_json:
        print_json({"game": scenario.name, "counts": table, "data": [asdict(d) for d in shown]})
        return
    for name, row in table.items():
        if kind not in (None, name):
            continue
        click.secho(f"{say(kind_name(name))}: {_origins(row)}", bold=True)
        for origin in row:
            ids = [
                d.id.replace(" ", "\N{NO-BREAK SPACE}") for d in shown if (d.kind, d.provenance) == (name, origin)
            ]
            if ids and not counts and (origin != "printed" or only):
                click.echo(click.wrap_text(" ".join(ids), 100, f"  {say(origin_name(origin))}: ", "    "))


@click.command(
    short_help=said("Write JSON Schemas of the scenario files.", "Grava esquemas JSON dos arquivos de um jogo."),
    help=said(
        """Write the JSON Schemas of all scenario files, for editors that check while one types.

        Without --out they are printed as one JSON object.
        """,
        """Grava os esquemas JSON de todos os arquivos de um jogo, para editores que conferem enquanto se digita.

        Sem --out são escritos na tela como um só objeto JSON.
        """,
    ),
)
@click.option(
    "--out",
    metavar=DIRECTORY,
    type=click.Path(file_okay=False, path_type=Path),
    help=said("Folder to write the schemas to.", "Pasta em que gravar os esquemas."),
)
@guarded
def schema(out: Path | None) -> None:
    """Write the JSON Schemas of all scenario files."""
    from hexforge.modulegen.starter import schema_file
    from hexforge.scenarios.loader import json_schemas

    schemas = json_schemas()
    if out is None:
        print_json(schemas)
        return
    out.mkdir(parents=True, exist_ok=True)
    for name, value in schemas.items():
        path = out / schema_file(name)
        path.write_text(json.dumps(value, ensure_ascii=False, indent=2) + "\n", "utf-8")
        click.echo(path)


@click.command(
    short_help=said("Write a commented starter game.", "Grava um jogo comentado para começar."),
    help=said(
        """Write a small commented game to DIR, to start one's own from. It builds as it is.

        With it come a page that says how to go on (README.md), a played turn for the validator to judge, and
        schemas by which editors complete and check the files.

        DIR must not exist yet, or be empty; its name becomes the name of the game.
        """,
        """Grava em PASTA um pequeno jogo comentado, para dele fazer o seu. Ele já pode ser montado como está.

        Com ele vêm uma página que diz como continuar (README.md), um turno jogado para o validator julgar, e
        esquemas pelos quais editores completam e conferem os arquivos.

        PASTA não pode existir ainda, ou tem que estar vazia; o nome dela será o do jogo.
        """,
    ),
)
@click.argument("folder", metavar=DIRECTORY, type=click.Path(path_type=Path))
@guarded
def new(folder: Path) -> None:
    """Write a small commented game."""
    from hexforge.modulegen.starter import write

    for path in write(folder):
        if path.suffix != ".json":
            click.echo(path)
    name, page = shlex.quote(str(folder)), folder / "README.md"
    click.echo(
        said(
            f"{folder / 'schemas'}\n\n"
            f"Now: modulegen preview {name} --out {name}/preview; modulegen build {name}\n"
            f"     validator check {name}/examples    (a turn played well, and one with mistakes)\n"
            f"     {page} says how to go on",
            f"{folder / 'schemas'}\n\n"
            f"Agora: modulegen preview {name} --out {name}/preview; modulegen build {name}\n"
            f"       validator check {name}/examples    (um turno bem jogado, e um com erros)\n"
            f"       {page} diz como continuar",
        )
    )


COMMANDS = (list_games, check, data, schema, new)

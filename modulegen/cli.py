"""The command `modulegen`. Heavy imports stand in the functions, so that `--help` is immediate."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hexforge.modulegen import cli_data, cli_look
from hexforge.modulegen.cli_common import (
    EXIT_STOPPED,
    GAME,
    LANGUAGE_HELP,
    Commands,
    ended_in_order,
    guarded,
    print_json,
    problem_json,
)
from hexforge.scenarios.language import said

if TYPE_CHECKING:
    from hexforge.modulegen.build import Options, Report, Result

EPILOG = said(
    """\b
    Examples:
      modulegen list                          the games that come with the program
      modulegen build hurtgen                 dist/Hurtgen.vmod, ready for VASSAL 3.7
      modulegen build hurtgen --lang en       the same in English
      modulegen new my-game                   a commented game to start from
      modulegen check my-game                 what is wrong with its files, all at once
      modulegen watch my-game                 build again whenever a file changes
    """,
    """\b
    Exemplos:
      modulegen list                          os jogos que vêm com o programa
      modulegen build hurtgen                 dist/Hurtgen.vmod, pronto para o VASSAL 3.7
      modulegen build hurtgen --lang en       o mesmo em inglês
      modulegen new meu-jogo                  um jogo comentado para começar
      modulegen check meu-jogo                o que está errado nos arquivos, tudo de uma vez
      modulegen watch meu-jogo                monta de novo a cada mudança de um arquivo
    """,
)
BUILD_EPILOG = said(
    """\b
    Examples:
      modulegen build hurtgen
      modulegen build bastogne metz --out ~/modules
      modulegen build ./my-game --lang en --scale 1.25
    """,
    """\b
    Exemplos:
      modulegen build hurtgen
      modulegen build bastogne metz --out ~/modulos
      modulegen build ./meu-jogo --lang en --scale 1.25
    """,
)


@click.group(
    cls=Commands,
    help=said(
        """Compile hex wargames, written down as plain files, into modules for VASSAL.

        It speaks the language of your system, English or Portuguese; the variable HEXFORGE_LANG (en, pt) chooses
        another. The language of a module is chosen by `build --lang`.
        """,
        """Monta módulos para o VASSAL a partir de jogos de guerra em hexágonos, escritos em arquivos simples.

        Fala a língua do seu sistema, português ou inglês; a variável HEXFORGE_LANG (pt, en) escolhe outra. A língua
        de um módulo escolhe-se com `build --lang`.
        """,
    ),
    epilog=EPILOG,
    subcommand_metavar=said("COMMAND [ARGS]...", "COMANDO [...]"),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(
    package_name="hexforge",
    prog_name="modulegen",
    message=said("%(prog)s, version %(version)s", "%(prog)s, versão %(version)s"),
    help=said("Name and version.", "Nome e versão."),
)
def main() -> None:
    """Entry point of the console script."""


def _build_options(command: click.decorators.FC) -> click.decorators.FC:
    for option in (
        click.option(
            "--no-cache",
            is_flag=True,
            help=said("Draw every image anew and keep none.", "Desenha tudo de novo e não guarda nenhuma imagem."),
        ),
        click.option(
            "--jobs",
            metavar="N",
            type=click.IntRange(1, 64),
            help=said(
                "Processes that draw.  [default: one a processor]",
                "Processos que desenham.  [padrão: um por CPU]",
            ),
        ),
        click.option(
            "--scale",
            metavar="N",
            type=click.FloatRange(0.25, 4),
            default=1.0,
            show_default=True,
            help=said("Size of board and counters.", "Tamanho do mapa e das peças."),
        ),
        click.option("--lang", type=click.Choice(["pt", "en"]), help=LANGUAGE_HELP),
        click.option(
            "--out",
            metavar=said("DIR|FILE", "PASTA|ARQUIVO"),
            type=click.Path(path_type=Path),
            default=Path("dist"),
            show_default=True,
            help=said(
                "Folder for the module, or its whole name if it ends in .vmod.",
                "Pasta para o módulo, ou o nome todo se termina em .vmod.",
            ),
        ),
    ):
        command = option(command)
    return command


@main.command(
    short_help=said("Build the module of one game or several.", "Monta o módulo de um ou mais jogos."),
    help=said(
        """Build the module of each game, NAME of a known one or DIR with its files.

        A module whose files have not changed is left as it is. Whatever goes wrong, the module that stood there
        before still stands.
        """,
        """Monta o módulo de cada jogo: NOME de um conhecido ou PASTA com os seus arquivos.

        Um módulo cujos arquivos não mudaram fica como está. Se algo der errado, o módulo que havia antes continua
        no lugar.
        """,
    ),
    epilog=BUILD_EPILOG,
)
@click.argument("games", nargs=-1, metavar=f"{GAME}...")
@_build_options
@click.option(
    "--all",
    "all_games",
    is_flag=True,
    help=said("Build every game that comes with the program.", "Monta todos os jogos que vêm com o programa."),
)
@click.option(
    "--quiet",
    "-q",
    is_flag=True,
    help=said("Say nothing unless something is wrong.", "Não diz nada, a não ser que algo esteja errado."),
)
@click.option(
    "--json", "as_json", is_flag=True, help=said("Say what was built as JSON.", "Diz em JSON o que foi montado.")
)
@guarded
def build(
    *,
    games: tuple[str, ...],
    out: Path,
    lang: str | None,
    scale: float,
    jobs: int | None,
    no_cache: bool,
    all_games: bool,
    quiet: bool,
    as_json: bool,
) -> None:
    """Build the module of each game."""
    from hexforge.modulegen.build import Options

    if all_games:
        from hexforge.scenarios.folders import names

        games = tuple(names())
    if not games:
        raise click.UsageError(
            said(
                "name a game, or a folder with its files ('modulegen list' names the games)",
                "diga um jogo, ou uma pasta com os seus arquivos ('modulegen list' mostra os jogos)",
            )
        )
    if out.suffix == ".vmod" and len(games) > 1:
        raise click.UsageError(
            said(
                "several games do not go into one file; give a folder as --out",
                "vários jogos não cabem num arquivo; dê uma pasta em --out",
            )
        )
    options = Options(out, lang, scale, jobs, not no_cache)
    results = [_build_one(game, options, quiet or as_json) for game in games]
    if as_json:
        print_json([_result_json(r) for r in results])


def _build_one(game: str, options: Options, quiet: bool) -> Result:
    import time

    from hexforge.modulegen.build import build as run

    start = time.monotonic()
    with ended_in_order(), _progress(game, quiet) as report:
        result = run(game, options, report)
    if not quiet:
        for warning in result.warnings:
            click.secho(said(f"warning: {warning}", f"aviso: {warning}"), fg="yellow", err=True)
        if result.fresh:
            size, took = result.size / 1e6, time.monotonic() - start
            how = said(
                f"version {result.version}, {result.images} images, {size:.1f} MB in {took:.1f} s",
                f"versão {result.version}, {result.images} imagens, {size:.1f} MB em {took:.1f} s",
            )
        else:
            how = said(f"version {result.version}, unchanged", f"versão {result.version}, sem mudança")
        click.echo(f"{result.path}  {how}")
    return result


def _result_json(result: Result) -> dict[str, object]:
    return {
        "path": str(result.path),
        "version": result.version,
        "size": result.size,
        "built": result.fresh,
        "warnings": [problem_json(p) for p in result.warnings],
    }


def _stage(stage: str) -> str:
    """What a build is doing, in a word."""
    return {
        "load": said("load", "leitura"),
        "plan": said("plan", "plano"),
        "draw": said("draw", "desenho"),
        "assemble": said("assemble", "montagem"),
        "archive": said("archive", "arquivo"),
    }[stage]


@contextmanager
def _progress(game: str, quiet: bool) -> Iterator[Report]:
    """A bar on standard error while images are drawn, if somebody is looking."""
    from hexforge.modulegen.build import silent

    if quiet or not sys.stderr.isatty():
        yield silent
        return
    name = Path(game).name
    with click.progressbar(length=1, label=name, file=sys.stderr, show_eta=False) as bar:

        def report(stage: str, done: int, total: int) -> None:
            bar.label = f"{name}: {_stage(stage)}"
            if stage == "draw":
                bar.length, bar.pos = max(total, 1), done
            bar.render_progress()

        yield report


@main.command(
    short_help=said(
        "Build a game again whenever its files change.", "Monta de novo sempre que um arquivo do jogo muda."
    ),
    help=said(
        """Build a game, and build it again whenever one of its files changes, until Ctrl+C.

        A file that cannot be used is reported, and watching goes on.
        """,
        """Monta um jogo, e monta de novo sempre que um dos seus arquivos muda, até Ctrl+C.

        Se um arquivo não serve, isso é dito, e a espera continua.
        """,
    ),
)
@click.argument("game", metavar=GAME)
@_build_options
@click.option(
    "--interval",
    metavar="N",
    type=click.FloatRange(0.1, 60),
    default=0.5,
    show_default=True,
    help=said("Seconds between two looks.", "Segundos entre duas olhadas."),
)
@guarded
def watch(
    *, game: str, out: Path, lang: str | None, scale: float, jobs: int | None, no_cache: bool, interval: float
) -> None:
    """Build a game again and again, until Ctrl+C."""
    import time

    from hexforge.modulegen.build import Options
    from hexforge.modulegen.stamp import watched
    from hexforge.scenarios.folders import find

    folder = find(game)
    options = Options(out, lang, scale, jobs, not no_cache)
    seen: object = None
    try:
        while True:
            now = watched(folder)
            if now != seen:
                seen = now
                _try(game, options)
            time.sleep(interval)
    except KeyboardInterrupt:
        click.echo()


def _try(game: str, options: Options) -> None:
    guarded_build = guarded(_build_one)
    try:
        guarded_build(game, options, False)
    except SystemExit as end:
        if end.code == EXIT_STOPPED:
            raise
        click.secho(said("waiting for a change", "à espera de uma mudança"), dim=True, err=True)


for _command in (*cli_data.COMMANDS, *cli_look.COMMANDS):
    main.add_command(_command)
for _command in (main, *main.commands.values()):
    _command.options_metavar = said("[OPTIONS]", "[OPÇÕES]")

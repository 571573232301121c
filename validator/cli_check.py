"""`validator check`: judge sheets, and answer in text, JSON, HTML, JUnit or a spreadsheet."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from hexforge.scenarios.language import Language, chosen, said
from hexforge.validator.cli_common import (
    Unusable,
    colour,
    complain,
    explain,
    language,
    own_games,
    rulings,
    wants_colour,
    write_out,
)
from hexforge.validator.cli_transcribe import log_options, progress_shown

if TYPE_CHECKING:
    from hexforge.validator.gather import NothingThere
    from hexforge.validator.report.answer import Answer

_FORMS = {".json": "json", ".html": "html", ".htm": "html", ".xml": "junit", ".xlsx": "xlsx"}
_HELP = said(
    """Judge turn sheets and VASSAL logs by the rulebook.

    FILE is a sheet, - for standard input, a log (.vlog) of a module that modulegen built, a mail (.eml, .mbox)
    with any of these, or a folder of them. Several logs are one game, in the order given; in a folder, those that
    lie side by side are one, in the order in which they were saved. Exit status: 0 nothing illegal, 1 something
    illegal, 2 a file that could not be read at all.
    """,
    """Julga planilhas de turno e registros do VASSAL pelo livro de regras.

    FILE é uma planilha, - para a entrada padrão, um registro (.vlog) de um módulo feito por modulegen, um e-mail
    (.eml, .mbox) com algum destes, ou uma pasta com eles. Vários registros são uma só partida, na ordem dada; numa
    pasta, os que estão lado a lado são uma só, na ordem em que foram gravados. Código de saída: 0 nada ilegal, 1
    algo ilegal, 2 um arquivo que não pôde ser lido.
    """,
)


@click.command(help=_HELP)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "html", "junit", "xlsx"]),
    help=said(
        "Form of the answer (default: what the ending of --output says, else text).",
        "Forma da resposta (padrão: a que a terminação de --output indica; sem ela, texto).",
    ),
)
@click.option(
    "--output",
    "-o",
    metavar="PATH",
    help=said("Write the answer to a file.", "Grava a resposta num arquivo."),
)
@log_options
@own_games
@rulings
@click.option(
    "--strict",
    is_flag=True,
    help=said("Stop at the first illegal statement.", "Para na primeira instrução ilegal."),
)
@click.option("--quiet", "-q", is_flag=True, help=said("Text: only what is wrong.", "Texto: só o que está errado."))
@colour
@language
@click.pass_context
def check(
    ctx: click.Context,
    *,
    files: tuple[str, ...],
    form: str | None,
    output: str | None,
    options: dict[str, str],
    strict: bool,
    quiet: bool,
    color: bool | None,
    lang: str | None,
    module: str | None,
    reveal: str | None,
    salvage: bool,
) -> None:
    """Judge sheets and logs."""
    from hexforge.validator.check import check_file, judge
    from hexforge.validator.gather import NothingThere, gather

    spoken = chosen(lang)
    form = form or _FORMS.get(Path(output or "").suffix.lower(), "text")
    if form == "xlsx" and output is None:
        raise Unusable(
            said(
                "a spreadsheet needs a file: -o name.xlsx",
                "uma planilha do Excel precisa de um arquivo: -o nome.xlsx",
            )
        )
    answers: list[Answer] = []
    failures: list[tuple[str, str]] = []
    try:
        found = gather(files)
    except NothingThere as empty:
        raise Unusable(_nothing(empty)) from empty

    def failed(source: str, error: Exception) -> None:
        message = explain(error, spoken)
        failures.append((source, message))
        complain(message)

    for source, reason in found.failures:
        failed(source, reason)
    many = found.many or len(found) > 1
    for logs in found.games:
        from hexforge.validator.transcribe.judged import check_logs

        try:
            with progress_shown(spoken) as progress:
                answers.append(
                    check_logs(
                        logs,
                        options,
                        strict=strict,
                        module=module,
                        reveal=reveal,
                        salvage=salvage,
                        lang="pt" if lang == "pt" else "en",
                        progress=progress,
                    )
                )
        except Exception as error:
            failed(" ".join(part if isinstance(part, str) else part.name for part in logs), error)
    for file, part in found.letters:
        from hexforge.validator.readers.sheet import read_bytes

        source = f"{file}: {part.name}" if part.name else file
        try:
            answers.append(judge(read_bytes(part.data, source), options, strict=strict))
        except Exception as error:
            failed(source, error)
    for path in found.sheets:
        try:
            answers.append(check_file(path, options, strict=strict))
        except Exception as error:
            failed(path, error)
    if answers or many:
        in_colour = wants_colour(color) and output is None
        write_out(_render(answers, failures, form, spoken, many=many, quiet=quiet, color=in_colour), output)
    ctx.exit(2 if failures else 1 if any(a.verdict == "illegal" for a in answers) else 0)


def _nothing(error: NothingThere) -> str:
    if error.most:
        return said(
            f"{error.path}: more than {error.most} sheets, logs and mails",
            f"{error.path}: mais de {error.most} planilhas, registros e e-mails",
        )
    return said(
        f"{error.path}: no *.sheet, *.vlog, *.eml or *.mbox in this folder",
        f"{error.path}: não há *.sheet, *.vlog, *.eml nem *.mbox nesta pasta",
    )


def _render(
    answers: list[Answer],
    failures: list[tuple[str, str]],
    form: str,
    spoken: Language,
    *,
    many: bool,
    quiet: bool,
    color: bool,
) -> str | bytes:
    if form == "xlsx":
        from hexforge.validator.report.workbook import write_workbook

        return write_workbook(answers, failures, spoken)
    if form == "json":
        from hexforge.validator.report.as_json import write_json

        return write_json(answers, failures, many=many)
    if form == "junit":
        from hexforge.validator.report.junit import write_junit

        return write_junit(answers, failures, spoken)
    if form == "html":
        from hexforge.validator.report.html import write_html

        return write_html(answers, failures, spoken)
    from hexforge.validator.report.text import write_text

    return write_text(answers, spoken, quiet=quiet, color=color)

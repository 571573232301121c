"""What commands are made of: texts stand in the files of words, and the language is that of the invocation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from hexforge.modulegen.cli import main
from hexforge.scenarios import commands, console
from hexforge.scenarios.text import words
from hexforge.scenarios.text.words import SOURCE, HexforgeError, Words, message

DOMAINS = sorted({path.name.split(".")[0] for path in words.FOLDER.glob(f"*.{SOURCE}.yaml")})

LIBRARYS_OWN = ("xml", "{value!r} is not a valid {number_type}.")
"""Texts into which a library puts English words, which another language leaves out."""


def texts(domain: str, language: str) -> Iterator[tuple[str, str]]:
    for key, text in words.catalogue(domain, language).items():
        forms = text if isinstance(text, dict) else {"other": text}
        for form, one in forms.items():
            yield f"{key} {form}" if form != "other" else key, str(one)


@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize("language", [code for code in words.languages() if code != SOURCE])
def test_every_language_says_the_same_things(domain: str, language: str) -> None:
    ours, theirs = dict(texts(domain, SOURCE)), dict(texts(domain, language))
    for key in ours.keys() & theirs.keys():
        named = [set(re.findall(r"\{(\w+)", one[key])) for one in (ours, theirs)]
        assert named[0] == named[1] or key in LIBRARYS_OWN, key


def declared() -> Iterator[tuple[commands.Command, click.Context]]:
    root = click.Context(main, info_name="modulegen")
    yield main, root
    for name in main.list_commands(root):
        command = main.get_command(root, name)
        assert isinstance(command, commands.Command)
        yield command, click.Context(command, info_name=name, parent=root)


@pytest.mark.parametrize("language", words.languages())
def test_every_command_and_option_has_words(language: str) -> None:
    for command, context in declared():
        context.meta[console._LANGUAGE] = language
        with context.scope(cleanup=False):
            assert command.help, command.key
            assert command is main or command.short_help, command.key
            for parameter in command.params:
                if isinstance(parameter, click.Option):
                    assert parameter.help, (command.key, parameter.opts)


@commands.command("modulegen.commands.list")
@commands.language_option
@commands.argument("folder", metavar="DIR")
def speaking(folder: str, lang: str | None) -> None:
    """A command whose answer has a language of its own."""
    if folder == "none":
        raise HexforgeError(message("modulegen.new.no-name"))
    commands.tell(message("modulegen.verify.sound", module=folder))


@pytest.fixture
def program(monkeypatch: pytest.MonkeyPatch) -> commands.Group:
    monkeypatch.setattr("hexforge.modulegen.cli_data.list_games", speaking)
    return commands.program("modulegen", {"list": "hexforge.modulegen.cli_data:list_games"})


def test_the_language_asked_for_goes_before_that_of_the_environment(
    program: commands.Group, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEXFORGE_LANG", "pt_BR.UTF-8")

    def run(*line: str) -> str:
        return CliRunner().invoke(program, ["list", *line]).output

    assert run("x") == "x: nada falta, nada fica sem uso\n"
    assert run("x", "--lang", "en") == "x: nothing is missing, nothing is unused\n"
    assert run("none", "--lang", "en").startswith("modulegen: gives no name")
    assert run("none").startswith("modulegen: não dá um nome")
    assert "Missing argument 'DIR'" in run("--lang", "en")
    assert "Falta o argumento 'PASTA'" in run()
    assert run("--lang", "en", "--help").startswith("Usage: modulegen list [OPTIONS] DIR\n")
    assert run("--help").startswith("Uso: modulegen list [OPÇÕES] PASTA\n")


def test_a_third_language_is_files_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "commands.nl.yaml").write_text("metavars: {DIR: MAP}\n", "utf-8")
    (tmp_path / "click.nl.yaml").write_text('"Usage:": "Gebruik:"\n', "utf-8")
    monkeypatch.setenv("HEXFORGE_WORDS", str(tmp_path))
    monkeypatch.setenv("HEXFORGE_LANG", "nl")
    told = CliRunner().invoke(main, ["new", "--help"]).output
    assert told.startswith("Gebruik: modulegen new [OPTIONS] MAP\n")
    assert "Write a small commented game" in told
    assert "[en|nl|pt]" in CliRunner().invoke(main, ["build", "--help"]).output


@pytest.mark.parametrize(
    ("setting", "language"), [("pt_BR.UTF-8", "pt"), ("C", "en"), ("en_GB", "en"), ("fr_FR", "en"), ("PT", "pt")]
)
def test_the_language_of_the_environment(monkeypatch: pytest.MonkeyPatch, setting: str, language: str) -> None:
    for name in ("HEXFORGE_LANG", "LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", setting)
    assert console.environment_language() == language
    assert console.words() == Words(language)


def test_a_file_is_replaced_only_when_all_of_it_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "answer.txt"
    commands.write_out("one", str(target))
    assert target.read_text("utf-8") == "one\n"

    def refuse(self: Path, other: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(commands.Unusable, match="No space left"):
        commands.write_out("two", str(target))
    assert target.read_text("utf-8") == "one\n"
    assert [path.name for path in tmp_path.iterdir()] == ["answer.txt"]

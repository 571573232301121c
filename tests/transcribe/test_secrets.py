"""Neither a password nor a hidden piece comes out of any command, in any form, from any file."""

from __future__ import annotations

import os
import random
import re
import traceback
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from click.testing import CliRunner

from hexforge.modulegen.cli import main as modulegen
from hexforge.modulegen.vassal.commands import (
    AddPiece,
    AddPlayer,
    AllowUnmasking,
    MovePiece,
    PrivateNote,
    RemovePlayer,
    SecretNote,
)
from hexforge.modulegen.vassal.encoding import FormatError
from hexforge.modulegen.vassal.payload import Format
from hexforge.modulegen.vassal.save import SavedGame, read_save, rewrite
from hexforge.validator.app.cli import main as validator
from tests.transcribe.modules import PLAYED, PLAYED_HURTGEN

COMMANDS = (
    ("validator", "transcribe", "--salvage"),
    ("validator", "transcribe", "--salvage", "--format", "json"),
    ("validator", "transcribe", "--salvage", "--record", "--lang", "pt"),
    ("validator", "check", "--salvage"),
    ("validator", "check", "--salvage", "--format", "json"),
    ("validator", "check", "--salvage", "--format", "html"),
    ("validator", "check", "--salvage", "--format", "junit"),
    ("modulegen", "inspect", "--salvage"),
    ("modulegen", "inspect", "--salvage", "--json"),
)
OWN = sorted([*PLAYED.glob("*.vlog"), *PLAYED_HURTGEN.glob("*.vlog")])
FORMATS = list(Format)


def passwords(game: SavedGame) -> set[str]:
    found = set()
    for node in game.nodes:
        for command in node.commands():
            match command:
                case AddPlayer(id=secret) | RemovePlayer(id=secret) | MovePiece(player=secret) if (
                    secret is not None
                ):
                    found.add(secret.reveal())
                case PrivateNote(owner=secret) | SecretNote(owner=secret):
                    found.add(secret.reveal())
                case AllowUnmasking(players=secrets):
                    found.update(s.reveal() for s in secrets)
                case _:
                    pass
    public = {c.name for n in game.nodes for c in n.commands() if isinstance(c, AddPlayer)}
    public |= {c.side for n in game.nodes for c in n.commands() if isinstance(c, AddPlayer)}
    return {p for p in found if len(p) > 2 and p not in public}


def everything(path: Path) -> Iterator[tuple[str, str]]:
    """Every word that any command says of a file, errors and tracebacks included."""
    for program, *arguments in COMMANDS:
        command = validator if program == "validator" else modulegen
        result = CliRunner().invoke(command, [*arguments[:1], str(path), *arguments[1:]])
        said = result.output + result.stderr
        if result.exc_info is not None:
            said += "".join(traceback.format_exception(*result.exc_info))
        yield " ".join((program, *arguments)), said


def assert_kept(path: Path, secrets: set[str]) -> None:
    for command, said in everything(path):
        for secret in secrets:
            assert re.search(rf"(?<!\w){re.escape(secret)}(?!\w)", said) is None, f"{command} told a password"


# What a file is packed in says nothing of what is in it: each log once, and each kind of packing once.
@pytest.mark.parametrize(
    ("path", "kind"),
    [(OWN[n % len(OWN)], FORMATS[n % len(FORMATS)]) for n in range(max(len(OWN), len(FORMATS)))],
    ids=lambda value: value.stem if isinstance(value, Path) else str(value),
)
def test_passwords_are_kept_in_every_format(path: Path, kind: Format, tmp_path: Path) -> None:
    game = read_save(path)
    secrets = passwords(game)
    assert secrets
    copy = tmp_path / path.name
    copy.write_bytes(rewrite(game, format=kind))
    assert_kept(copy, secrets)
    # What is no secret is told, so that silence does not pass for discretion.
    record = CliRunner().invoke(validator, ["transcribe", "--record", str(copy)])
    assert record.exit_code == 0 and re.search("Ana|Bruno|Alice|Bob", record.output)


@pytest.mark.parametrize("path", OWN[:2] + OWN[-1:], ids=lambda p: p.stem)
def test_passwords_are_kept_of_damaged_logs(path: Path, tmp_path: Path) -> None:
    game = read_save(path)
    secrets = passwords(game)
    payload = game.root.encode()
    dice = random.Random(7)
    for number in range(6):
        cut = dice.randrange(40, len(payload))
        broken = tmp_path / f"{number}.vlog"
        if number % 2:
            broken.write_bytes(payload[:cut])
        else:
            spoilt = bytearray(payload)
            for _ in range(20):
                spoilt[dice.randrange(len(spoilt))] ^= 1 << dice.randrange(7)
            broken.write_bytes(bytes(spoilt))
            # A flipped bit in the password itself makes another one, which is looked for as well.
            with suppress(FormatError):
                secrets = secrets | passwords(read_save(broken, salvage=True))
        assert_kept(broken, {s for s in secrets if s.isalnum() or "-" in s})


def test_a_password_said_aloud_is_not_repeated(tmp_path: Path) -> None:
    text = read_save(PLAYED / "a.vlog").root.encode().replace(b"Attack on 0505", b"it is alicepw, do not tell")
    path = tmp_path / "told.vlog"
    path.write_bytes(text)
    assert_kept(path, {"alicepw"})


def _own_hidden(tmp_path: Path, owner: str) -> Path:
    """A log in which the only piece was hidden by a player and is moved."""
    type_ = "hide;72,130;Hide;255,255,255;side:\tpiece;;;;Secret agent/"
    where = "Board;100;100;1;0"
    lines = [
        "begin_save",
        f"PLAYER\t{owner}\tAlice\tRed",
        AddPiece("77", type_, f"{owner}\t{where}").encode(),
        "end_save",
        f"LOG\tM/77/Board/200/200/null/Board/100/100/null/{owner}",
    ]
    path = tmp_path / "agent.vlog"
    path.write_bytes("\x1b".join(lines).encode())
    return path


def test_a_hidden_piece_is_hidden_but_from_its_own_side(tmp_path: Path) -> None:
    path = _own_hidden(tmp_path, "alice-pass")
    for command, said in everything(path):
        assert "Secret agent" not in said, command
        assert "alice-pass" not in said, command
    shown = CliRunner().invoke(validator, ["transcribe", str(path), "--reveal", "Red"]).output
    assert "Secret agent" in shown and "alice-pass" not in shown
    other = CliRunner().invoke(validator, ["transcribe", str(path), "--reveal", "Blue"]).output
    assert "Secret agent" not in other


@pytest.mark.parametrize("owner", ["alice-pass", "null"])
def test_a_concealed_piece_of_vasls_is_told_by_its_own_side_alone(tmp_path: Path, owner: str) -> None:
    """Other modules after VASL have its trait too, without the class that knows it."""
    type_ = "conceal;C;ru/?;ru;;\tcolor;ru;48;48\\\tmark;Strength\\\\\tpiece;;;;Tiger II/"
    state = f"{owner}\t\\\t7\\\\\tBoard;100;100;1;0"
    lines = [
        "begin_save",
        "PLAYER\talice-pass\tAlice\tRed",
        AddPiece("77", type_, state).encode(),
        "end_save",
        "LOG\tM/77/Board/200/200/null/Board/100/100/null/alice-pass",
    ]
    path = tmp_path / "concealed.vlog"
    path.write_bytes("\x1b".join(lines).encode())
    seen = owner == "null"
    told = [command for command, said in everything(path) if "Tiger II" in said]
    assert bool(told) == seen
    assert all("alice-pass" not in said for _, said in everything(path))
    for side, shown in (("Red", True), ("Blue", seen)):
        record = CliRunner().invoke(validator, ["transcribe", "--record", str(path), "--reveal", side])
        assert ("Tiger II" in record.output) == shown, side


@pytest.mark.foreign
def test_passwords_of_other_peoples_logs_are_kept(shared_data: Path) -> None:
    files = sorted(p for p in shared_data.iterdir() if p.suffix in (".vlog", ".vsav"))
    if os.environ.get("HEXFORGE_QUICK"):
        files = [p for p in files if p.stat().st_size < 100_000]
    told = 0
    for path in files:
        secrets = passwords(read_save(path))
        told += len(secrets)
        if path.stat().st_size < 500_000:
            assert_kept(path, secrets)
        else:
            command, said = next(everything(path))
            assert not any(re.search(rf"(?<!\w){re.escape(s)}(?!\w)", said) for s in secrets), command
    assert told

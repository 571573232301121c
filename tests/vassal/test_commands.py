"""Commands: every class writes what it reads, any text survives, and passwords never show."""

from __future__ import annotations

import copy
import json
import pickle
from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hexforge.modulegen.vassal import commands as c
from hexforge.modulegen.vassal.commands.minor import MINOR
from hexforge.modulegen.vassal.secrets import HIDDEN, Scrubber, Secret
from tests.examples import examples

TEXT = st.text(st.sampled_from([*"\\';,/\t:|aZé漢 $<&"]), max_size=8)
INT = st.integers(-(10**9), 10**9)
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "str": TEXT,
    "int": INT,
    "bool": st.booleans(),
    "str | None": st.none() | TEXT.filter(lambda t: t != "null"),
    "Secret": TEXT.map(Secret),
    "Secret | None": st.none() | TEXT.map(Secret),
    "tuple[str, ...]": st.lists(TEXT, min_size=1, max_size=3).map(tuple),
    "tuple[int, ...]": st.lists(INT, max_size=3).map(tuple),
    "tuple[Secret, ...]": st.lists(TEXT.map(Secret), min_size=2, max_size=3).map(tuple),
    "tuple[BoardPlacement, ...]": st.lists(
        st.builds(c.BoardPlacement, TEXT, st.booleans(), INT, INT), min_size=1, max_size=3
    ).map(tuple),
}
NAMED = [c.AddPiece, c.ChangePiece, c.MovePiece, c.RemovePiece, c.AddPlayer, c.RemovePlayer, c.ChangeProperty]
NAMED += [
    c.SetGlobalProperty,
    c.SetPersistentProperty,
    c.Chat,
    c.Undo,
    c.SetBoards,
    c.SetTurn,
    c.PrivateChat,
    *MINOR,
]
# A tracker's or map's name with a tab before the mark would hide the mark.
TAME = st.text(st.sampled_from("aB é0"), max_size=6)


def any_command(cls: type[c.Command]) -> st.SearchStrategy[c.Command]:
    special = {"map": TAME} if cls is c.SetBoards else {"tracker": TAME} if cls is c.SetTurn else {}
    if cls is c.SecretNote:
        special = {"rest": st.lists(TEXT, max_size=2).map(tuple)}
    given_fields = [f for f in fields(cls) if f.name != "source"]
    return st.builds(cls, **{f.name: special.get(f.name, VALUES[str(f.type)]) for f in given_fields})


@pytest.mark.parametrize("cls", NAMED, ids=lambda cls: cls.__name__)
@examples(50)
@given(data=st.data())
def test_every_command_reads_what_it_writes(cls: type[c.Command], data: st.DataObject) -> None:
    command = data.draw(any_command(cls))
    assert c.read_command(command.encode()) == command
    logged = c.Log(command)
    assert c.read_command(logged.encode()) == logged


@pytest.mark.parametrize("cls", NAMED, ids=lambda cls: cls.__name__)
@given(body=TEXT)
def test_any_text_behind_a_prefix_is_kept(cls: type[c.Command], body: str) -> None:
    text = cls.PREFIX + body
    assert c.read_command(text).encode() == text
    assert c.read_command("LOG\t" + text).encode() == "LOG\t" + text


@given(st.text(max_size=30))
def test_any_text_is_kept(text: str) -> None:
    assert c.read_command(text).encode() == text


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("begin_save", c.BeginSave()),
        ("end_save", c.EndSave()),
        ("", c.Null()),
        ("LOG\tnull", c.Log(c.Null("null"))),
        ("UNDO\ttrue", c.Undo(True)),
        ("CHAT* red1 moves 0303 -> 0404 *", c.Chat("* red1 moves 0303 -> 0404 *")),
        ("PLAYER\tpw\tAlice\tRed", c.AddPlayer(Secret("pw"), "Alice", "Red")),
        ("BoardBoardPicker\tBoard\t0\t0", c.SetBoards("Board", (c.BoardPlacement("Board"),))),
        ("MBoardPicker\ta\\/b/rev\t1\t0", c.SetBoards("M", (c.BoardPlacement("a/b", True, 1, 0),))),
        ("TURNTurnTracker0\t0|1;0", c.SetTurn("TurnTracker0", "0|1;0")),
        ("MutableProperty\t1d6_result\t1\t4\tModule", c.ChangeProperty("1d6_result", "1", "4", "Module")),
        ("GlobalProperty\t;a;;Module", c.SetGlobalProperty("a", "", "Module")),
        ("-/12", c.RemovePiece("12")),
        (
            "M/1/Board/317/300/null/Board/231/250/7/pw",
            c.MovePiece("1", "Board", 317, 300, None, "Board", 231, 250, "7", Secret("pw")),
        ),
        ("+/1/stack/Board;1;2;3;@@1", c.AddPiece("1", "stack", "Board;1;2;3;@@1")),
        ("D/1/new/old", c.ChangePiece("1", "new", "old")),
        ("FLARE\tFlare0\t5\t6", c.Flare("Flare0", 5, 6)),
    ],
)
def test_known_commands(text: str, command: c.Command) -> None:
    assert c.read_command(text) == command
    assert command.encode() == text


def test_what_is_malformed_is_kept_as_unknown() -> None:
    for text in ("M/1/Board/x/300/null/Board/1/2/null", "M/1", "PLAYER\ta", "LOG\tLOG\tCHATx", "+/1/2"):
        assert isinstance(c.read_command(text), c.Unknown | c.Log)
        assert c.read_command(text).encode() == text
    assert isinstance(c.read_command("M/1"), c.Unknown)
    assert c.Unknown("INFO\tpassword").prefix == "INFO"
    assert c.Unknown("password").prefix == "(8 characters)"
    assert c.Unknown("password;\\\t1\\\\\tMap;1;2;3").prefix == "(24 characters)"


def test_a_global_property_of_older_versions_names_no_container() -> None:
    """Up to VASSAL 3.1 the container was not written."""
    assert c.read_command("GlobalProperty\t;Weather;3") == c.SetGlobalProperty("Weather", "3")
    assert isinstance(c.read_command("GlobalProperty\t;Weather"), c.Unknown)


def test_more_parts_than_expected_are_kept() -> None:
    text = "PLAYER\tpw\tAlice\tRed\tmore"
    assert c.read_command(text) == c.AddPlayer(Secret("pw"), "Alice", "Red")
    assert c.read_command(text).encode() == text


@pytest.mark.parametrize("cls", NAMED, ids=lambda cls: cls.__name__)
@given(data=st.data())
def test_no_secret_is_shown(cls: type[c.Command], data: st.DataObject) -> None:
    command = data.draw(any_command(cls))
    for f in fields(command):
        value = getattr(command, f.name)
        secrets = value if isinstance(value, tuple) else (value,)
        for secret in secrets:
            if isinstance(secret, Secret):
                assert repr(secret) == str(secret) == f"{secret}" == HIDDEN
    loud = c.MovePiece("1", "Board", 1, 2, None, None, 3, 4, None, Secret("hunter2"))
    assert "hunter2" not in repr(loud)
    assert "hunter2" in loud.encode()


def test_a_secret_resists_being_stored() -> None:
    secret = Secret("hunter2")
    assert "hunter2" not in json.dumps({"id": secret}, default=str)
    with pytest.raises(TypeError):
        json.dumps(secret)
    with pytest.raises(TypeError):
        pickle.dumps(secret)
    with pytest.raises(TypeError):
        copy.deepcopy(secret)
    assert "hunter2" not in f"{secret:>10}"
    assert secret == Secret("hunter2") != Secret("other")


def test_scrubbing() -> None:
    scrub = Scrubber([Secret("hunter2"), Secret("Alice"), Secret("")], ["Alice"])
    assert scrub("my password is hunter2, Alice") == f"my password is {HIDDEN}, Alice"
    assert scrub("hunter22 hunters") == "hunter22 hunters"
    assert Scrubber([])("anything") == "anything"

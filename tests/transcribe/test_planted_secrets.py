"""A password planted in a log comes out of no command, however the log is damaged; and nothing else is hidden."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from hexforge.modulegen.cli import main as modulegen
from hexforge.modulegen.vassal.encoding import FormatError
from hexforge.modulegen.vassal.inspect import describe_save, secrets_of
from hexforge.modulegen.vassal.save import read_save
from hexforge.modulegen.vassal.secrets import HIDDEN, search
from hexforge.scenarios.text.words import Words
from hexforge.validator.app.cli import main as validator
from hexforge.validator.judging.check import check_logs
from hexforge.validator.logs.chain import read_chain
from hexforge.validator.logs.record import record_data, record_lines
from hexforge.validator.report.html import write_html
from tests.transcribe.modules import PLAYED

PLANTED = "Zq7plantedWord"
Mutation = Callable[[bytes, random.Random], bytes]


def base() -> bytes:
    return read_save(PLAYED / "a.vlog").root.encode().replace(b"alicepw", PLANTED.encode())


def near(text: bytes, dice: random.Random) -> int:
    """A place in the text, most often beside a password."""
    if dice.random() < 0.2:
        return dice.randrange(len(text))
    at = dice.choice([i for i in range(len(text)) if text.startswith(PLANTED.encode(), i)] or [0])
    return min(len(text) - 1, max(0, at + dice.choice([-8, -2, -1, -1, 0, len(PLANTED), len(PLANTED) + 1])))


def flipped(text: bytes, dice: random.Random) -> bytes:
    at = near(text, dice)
    return text[:at] + bytes([text[at] ^ 1 << dice.randrange(7)]) + text[at + 1 :]


def without(text: bytes, dice: random.Random) -> bytes:
    at = near(text, dice)
    return text[:at] + text[at + dice.choice([1, 1, 1, 2, 7]) :]


def with_more(text: bytes, dice: random.Random) -> bytes:
    at = near(text, dice)
    return text[:at] + dice.choice([b"\t", b"\x1b", b"/", b"\\", b"'", b" ", b"\x1bCHAT", b";"]) + text[at:]


def repeated(text: bytes, dice: random.Random) -> bytes:
    start, at = near(text, dice), dice.randrange(len(text))
    return text[:at] + text[start : start + dice.randrange(40)] + text[at:]


MUTATIONS: tuple[Mutation, ...] = (flipped, without, with_more, repeated)


def everything(path: Path) -> Iterator[str]:
    """All that inspecting, transcribing and checking say of a log."""
    try:
        game = read_save(path, salvage=True)
    except FormatError as error:
        yield str(error)
        return
    yield json.dumps(describe_save(game), ensure_ascii=False, default=str)
    chain = read_chain([path], salvage=True)
    yield "\n".join(line for line, _ in record_lines(chain))
    yield json.dumps(record_data(chain), ensure_ascii=False)


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda m: m.__name__)
def test_no_damage_tells_a_planted_password(mutation: Mutation, tmp_path: Path) -> None:
    text, path = base(), tmp_path / "a.vlog"
    for seed in range(60):
        path.write_bytes(mutation(text, random.Random(seed)))
        for said in everything(path):
            assert PLANTED not in said, seed


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda m: m.__name__)
def test_no_damage_to_the_only_trace_tells_it(mutation: Mutation, tmp_path: Path) -> None:
    """Where a password stands but once, the damage may be all that is known of it."""
    whole = base().split(b"\x1b")
    first = next(i for i, part in enumerate(whole) if part.startswith(b"PLAYER"))
    once = [p for i, p in enumerate(whole) if i == first or PLANTED.encode() not in p]
    path = tmp_path / "a.vlog"
    for seed in range(60):
        path.write_bytes(mutation(b"\x1b".join(once), random.Random(seed)))
        for said in everything(path):
            assert PLANTED not in said, seed


MASKED = (
    b"+/900/hide;74,195;Hide;;player:;0.3;\tobs;79,195;m.png;Mask;B;?;player:;\\\temb2;L;;;;;;;;;;;;1;a.png\\\\\t"
    b"piece;;;a.png;Tank/null\t%s;\\\t1\\\\\tMap;300;400;77;1;UniqueID;900"
)
HIDDEN_PIECE = b"+/901/mark;Side\thide;74,195;Hide;;player:;0.3;\\\tpiece;;;a.png;Tank/Axis\t%s\\\tMap;300;400;77;0"
KEPT_BY_OWNER = (
    b"+/902/restrict;Red;true;;\thide;74,195;Hide;;side:;0.3;\\\tpiece;;;a.png;Tank/%s\tnull\\\tMap;300;400;77;0"
)
MASKING = b"\x1bLOG\tD/900/null\t%s;\\\t1\\\\\tMap;300;400;77;0/null\tnull;\\\t1\\\\\tMap;300;400;77;0"


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda m: m.__name__)
@pytest.mark.parametrize(
    "piece", [MASKED, HIDDEN_PIECE, KEPT_BY_OWNER, MASKING], ids=["masked", "hidden", "kept", "masking"]
)
def test_no_damage_tells_who_masked_a_piece(piece: bytes, mutation: Mutation, tmp_path: Path) -> None:
    """Who is no more in the roster, and whose password stands in a piece's state alone."""
    path, text = tmp_path / "a.vlog", read_save(PLAYED / "a.vlog").root.encode()
    begun, ended = text.split(b"\x1bend_save", 1)
    for seed in range(40):
        broken = mutation(piece % PLANTED.encode(), random.Random(seed))
        if piece is MASKING:
            path.write_bytes(b"%s\x1b%s\x1bend_save%s%s" % (begun, MASKED % b"null", ended, broken))
        else:
            path.write_bytes(b"%s\x1b%s\x1bend_save%s" % (begun, broken, ended))
        for said in everything(path):
            assert PLANTED not in said, seed


def test_fields_of_a_player_that_are_turned_hide_his_id_all_the_same() -> None:
    """The id ends his moves; who is called as his password is, in the place of his name, keeps his name."""
    move = b"\x1bLOG\tM/1/Map/1/2/null/Map/3/4/null/secretA"
    for player in (b"PLAYER\tRed\tAna\tsecretA", b"PLAYER\tAna\tsecretA\tRed", b"PLAYER\tsecretA\tAna\tRed"):
        assert "secretA" in search(player + move).hidden()
    assert search(b"PLAYER\tsecretA\tsecretA\tRed" + move).hidden() == set()


def test_owners_of_pieces_are_players_and_no_sides_or_maps() -> None:
    masked = MASKED % b"secretA"
    assert search(masked).hidden() == {"secretA"}
    assert search(masked.replace(b"player:", b"sides:Red:Blue")).hidden() == set()
    assert search(MASKED % b"null").hidden() == set()
    # A state is missing: any of the others may be the owner, but not the map that others lie on.
    broken = (HIDDEN_PIECE % b"secretA").replace(b"Axis\t", b"")
    other = b"\x1b+/902/piece;;;a.png;Car/Map;300;400;77;0"
    assert search(broken + other).hidden() == {"secretA"}
    assert search(KEPT_BY_OWNER % b"secretA").hidden() == {"secretA"}
    assert search(KEPT_BY_OWNER % b"").hidden() == set()
    assert search(b"+/903/concealment;secretA;ge\tpiece;;;a.png;?/\tMap;1;2;3;0").hidden() == {"secretA"}


NAMES = {
    "piece": (b"piece;;;;red1", b"piece;;;;" + PLANTED.encode()),
    "tracker": (b"TURNTurnTracker0", b"TURN" + PLANTED.encode()),
    "board": (b"BoardBoardPicker\tBoard\t", b"BoardBoardPicker\t" + PLANTED.encode() + b"\t"),
    "map": (b"\x1bBoardBoardPicker", b"\x1b" + PLANTED.encode() + b"BoardPicker"),
    "property": (b"1d6_result", PLANTED.encode()),
    "chat": (b"Attack on 0505", b"it is " + PLANTED.encode() + b", do not tell"),
    "id": (b"+/1003/", b"+/1003" + PLANTED.encode() + b"/"),
    "module": (b"1d6 = 4", PLANTED.encode() + b" = 4"),
}


@pytest.mark.parametrize("what", NAMES)
def test_what_is_called_as_a_password_is_not_told(what: str, tmp_path: Path) -> None:
    old, new = NAMES[what]
    path = tmp_path / "a.vlog"
    text = base()
    assert old in text or what == "piece"
    path.write_bytes(text.replace(old, new) if old in text else text.replace(b"red1", PLANTED.encode()))
    for said in everything(path):
        assert PLANTED not in said
    assert any(HIDDEN in said for said in everything(path))
    assert PLANTED not in write_html([check_logs([path])], [], Words("en"))


def test_broken_players_of_the_examples(tmp_path: Path) -> None:
    path = tmp_path / "a.vlog"
    for broken in (b"PLAYER %s\tAlice", b"PLAYER\t\t%s\tAlice", b"PLAYER%s\tAlice", b"%s\tAlice", b"PLAYER\t%s"):
        path.write_bytes(base().replace(b"PLAYER\t" + PLANTED.encode() + b"\tAlice", broken % PLANTED.encode(), 1))
        for program, command in ((validator, "transcribe"), (validator, "check"), (modulegen, "inspect")):
            said = CliRunner().invoke(program, [command, str(path)])
            assert PLANTED not in said.output + said.stderr, (broken, command)


@pytest.mark.parametrize("name", ["a.vlog", "a.sheet"])
def test_an_undisguised_log_is_not_written_out_as_a_sheet(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(base())
    for words in (["format", str(path)], ["format", str(path), "-o", str(tmp_path / "out")]):
        said = CliRunner().invoke(validator, words)
        assert (said.exit_code, PLANTED in said.output + said.stderr) == (2, False)
    assert not (tmp_path / "out").exists()


def chats(*lines: str, id_: str, name: str = "Ana") -> list[str]:
    payload = "\x1b".join(
        ["begin_save", f"PLAYER\t{id_}\t{name}\tRed", "end_save", *[f"LOG\tCHAT{x}" for x in lines]]
    )
    scrub = secrets_of(read_save(payload.encode()))
    return [scrub(line) for line in lines]


def test_ordinary_chat_is_left_as_it_is() -> None:
    for id_, line in (("1", "I roll 1 and 4"), ("me", "give me time"), ("Ana", "<Ana> - hi"), ("Red", "Red moves")):
        assert chats(line, id_=id_) == [line]
    common = [f"the {n}th hex" for n in range(9)]
    assert chats(*common, id_="the") == common
    assert chats("attackers attack", id_="attacker") == ["attackers attack"]
    assert chats("open sesame", id_="sesame") == [f"open {HIDDEN}"]


def test_who_is_called_as_his_password_keeps_his_name() -> None:
    """Some modules and servers put a player's name where his password belongs; there is no roster then."""
    payload = b"begin_save\x1bend_save\x1bLOG\tCHAT<test> - hello\x1bLOG\tM/1/Map/1/1/null/Map/2/2/null/test"
    assert search(payload).hidden() == set()
    assert search(payload.replace(b"<test>", b"<Bob>")).hidden() == {"test"}


def test_a_player_without_a_password_keeps_the_name_under_which_he_speaks() -> None:
    payload = b"begin_save\x1bPLAYER\t\tBruno\tRed\x1bend_save\x1bLOG\tCHAT%s"
    assert search(payload % b"<Bruno> - hello").hidden() == set()
    assert search(payload % b"hello").hidden() == {"Bruno"}


def test_a_name_that_is_somebody_elses_password_is_hidden() -> None:
    assert search(b"PLAYER\tBruno\tAna\tRed\x1bPLAYER\tpw1\tBruno\tBlue").hidden() == {"Bruno", "pw1"}


@pytest.mark.parametrize(
    "text",
    [
        "UNMASK\tsecretA\tsecretB", "PYREMOVE\tsecretA", "PNOTE\tsecretA\tnote", "SNOTE\tn\tsecretA\ttrue\ttext",
        "LOCKSPOTAB\ttab\tsecretA\tdate", "INVITE\tAna\tsecretA\troom", "M/1/Map/1/1/null/Map/2/2/null/secretA",
        "M/1/Map/1/1/null/Map/2/2/null/0/secretA", "M/1/Map/1/1/null/Map/2/2/nullsecretA",
        "M/1/Map/1/1/Map/2/2/null/secretA", "CHAT hello(LOG\tM/1/Map/1/1/null/Map/2/2/null/secretA",
        "CHAT helloPLAYER\tsecretA\tAna\tRed", "PLAYER\t\tsecretA\tAna\tRed", "PLAYER\tsecretA",
        "SNOTE\tsecretA\ttext",
    ],
)  # fmt: skip
def test_where_passwords_stand(text: str) -> None:
    for around in ("\x1b{}\x1bend_save", "\x1bLOG\t{}\\\x1bLOG\tnull"):
        assert "secretA" in search(around.format(text).encode()).hidden()

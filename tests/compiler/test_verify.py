"""The check of finished modules sees each fault that VASSAL would keep silent about."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable

import pytest

from hexforge.modulegen.archive import ModuleError, check_module, pack, problems_of
from hexforge.modulegen.lint.examine import examine
from hexforge.modulegen.vassal.payload import decode_payload, encode_payload

from .conftest import Built

Entries = dict[str, bytes]


def entries(data: bytes) -> Entries:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def edit(old: bytes, new: bytes) -> Callable[[Entries], None]:
    def change(files: Entries) -> None:
        assert old in files["buildFile.xml"]
        files["buildFile.xml"] = files["buildFile.xml"].replace(old, new, 1)

    return change


def in_setup(old: bytes, new: bytes) -> Callable[[Entries], None]:
    def change(files: Entries) -> None:
        inner = entries(files["setup.vsav"])
        text = decode_payload(inner["savedGame"]).text
        assert old in text
        inner["savedGame"] = encode_payload(text.replace(old, new, 1))
        files["setup.vsav"] = pack(inner.items())

    return change


FAULTS: list[tuple[str, Callable[[Entries], object], str]] = [
    ("an image gone", lambda f: f.pop("images/board.png"), "images/board.png is referred to"),
    ("an image too many", lambda f: f.update({"images/x.png": b""}), "images/x.png is in the archive"),
    ("help gone", lambda f: f.pop("help.html"), "help.html is referred to"),
    ("the set-up gone", lambda f: f.pop("setup.vsav"), "setup.vsav is referred to"),
    ("a prototype gone", edit(b'name="Unit"', b'name="Unity"'), "uses the prototype 'Unit'"),
    ("a gpid twice", edit(b'gpid="2"', b'gpid="1"'), "share the gpid 1"),
    ("a gpid too high", edit(b'gpid="2"', b'gpid="9999"'), "not below nextPieceSlotId"),
    ("a strange element", edit(b"module.Chatter", b"module.Chattr"), "no element"),
    ("a map by another name", edit(b'mapName="Baixas"', b'mapName="Perdas"'), "sends to the map 'Baixas'"),
    ("a piece on no map", in_setup("Reforços;".encode(), b"Nowhere;"), "'Nowhere', which is not there"),
    ("a board that is not there", in_setup(b"Picker\tMapa", b"Picker\tMappa"), "the board 'Mappa'"),
    ("an unexpanded prototype", in_setup(b"report;", b"prototype;Unit\treport;"), "carries a prototype"),
]


@pytest.mark.parametrize(("change", "said"), [f[1:] for f in FAULTS], ids=[f[0] for f in FAULTS])
def test_faults_are_seen(small: Built, change: Callable[[Entries], object], said: str) -> None:
    files = entries(small.data)
    change(files)
    problems = list(map(str, problems_of(pack(files.items()))))
    assert any(said in p for p in problems), problems


def test_a_sound_module_passes(small: Built) -> None:
    check_module(small.data)


def test_all_faults_are_said_at_once(small: Built) -> None:
    files = entries(small.data)
    del files["images/board.png"], files["help.html"]
    with pytest.raises(ModuleError) as caught:
        check_module(pack(files.items()))
    assert len(caught.value.problems) == 2


def test_lint_has_nothing_to_say_of_what_is_built(built: Built) -> None:
    assert [f"{g.finding.rule}: {g.finding.message}" for g in examine(built.data).groups] == []

"""The build file: every element writes what it reads, and files of VASSAL's own are read."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hexforge.modulegen.vassal import buildfile
from hexforge.modulegen.vassal.buildfile import BY_CLASS, KINDS, Element, make
from hexforge.modulegen.vassal.encoding import FormatError
from tests.examples import examples

XML_TEXT = st.text(
    st.characters(min_codepoint=32, exclude_categories=["Cs"], exclude_characters="\x7f\ufffe\uffff"), max_size=12
).filter(lambda t: t == t.strip())
CONTENT = st.text(st.sampled_from([*"aZé漢<&>\"';,/\\\t|$"]), max_size=12).filter(lambda t: t == t.strip())


@st.composite
def an_element(draw: st.DrawFn, kind: str, depth: int = 0) -> Element:
    known = KINDS[kind]
    given_values = {name: draw(XML_TEXT) for name in known.attributes}
    if known.text:
        return make(kind, content=draw(CONTENT), **given_values)
    below = [] if depth > 1 else draw(st.lists(st.sampled_from(sorted(KINDS)), max_size=2))
    return make(kind, *[draw(an_element(k, depth + 1)) for k in below], **given_values)


@pytest.mark.parametrize("kind", KINDS)
@examples(15)
@given(data=st.data())
def test_every_element_reads_what_it_writes(kind: str, data: st.DataObject) -> None:
    element = data.draw(an_element(kind))
    xml = buildfile.write(element)
    again = buildfile.read(xml)
    assert again == element
    assert buildfile.write(again) == xml


def test_classes_are_named_once() -> None:
    assert len(BY_CLASS) == len(KINDS)


def test_a_word_that_vassal_does_not_know_is_refused() -> None:
    with pytest.raises(ValueError, match="has no attribute nDize"):
        make("DiceButton", nDize=2)
    with pytest.raises(ValueError, match="no element"):
        make("DiceBotton")
    with pytest.raises(ValueError, match="no text"):
        make("Map", content="x")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "not XML"),
        (b"<a><b></a>", "line 1"),
        (b'<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>', "document type"),
        (b"<a>" * 100 + b"</a>" * 100, "nests deeper"),
    ],
)
def test_bad_files_are_refused(data: bytes, said: str) -> None:
    with pytest.raises(FormatError, match=said):
        buildfile.read(data)


@pytest.mark.foreign
@pytest.mark.parametrize(
    "name", ["played/mini.vmod", "hex-n-counters-template.vmod", "test-predefined-setups.vmod"]
)
def test_build_files_of_vassal_are_read(shared_data: Path, name: str) -> None:
    with zipfile.ZipFile(shared_data / name) as archive:
        data = archive.read("buildFile.xml" if "buildFile.xml" in archive.namelist() else "buildFile")
    root = buildfile.read(data)
    assert root.kind in ("GameModule", "VASSAL.launch.BasicModule")
    assert buildfile.read(buildfile.write(root)) == root
    # What VASSAL itself writes must be known here, or the declared attributes are not VASSAL's. `mini` was written
    # by hand and the others carry attributes of older versions, so only strangers to all versions may be listed.
    strange = {
        (e.kind, name)
        for e in root.walk()
        if e.kind in KINDS
        for name in e.attributes
        if name not in KINDS[e.kind].attributes
    }
    assert strange <= {
        ("GlobalOptions", "centerOnMove"),
        ("ImageSaver", "propertiesVisibilty"),
        ("DiceButton", "propertyGate"),
        ("PieceWindow", "entryName"),
    }, sorted(strange)

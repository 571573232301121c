"""Sequence encoding: laws for every input, and the corners that VASSAL's own encoder has."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hexforge.modulegen.vassal.encoding import Decoder, decode, decode_checked, encode, encode_safe

DELIMS = st.sampled_from([";", ",", "\t", "/", "\x1b", ":", "|", "'", "x"])
# Strings dense in what the format treats specially.
TRICKY = st.text(st.sampled_from([*"\\\\';,/\t\x1b:|xabé漢", "💀"]), max_size=12)
PARTS = st.lists(TRICKY, min_size=1, max_size=6)


def reference(text: str, delim: str) -> list[str]:
    """A slow reader, character by character, to hold the fast one against."""
    parts, current, previous = [], "", ""
    for char in text:
        if char == delim and previous != "\\":
            parts.append(current)
            current = ""
        elif char == delim:
            current = current[:-1] + char
        else:
            current += char
        previous = char
    parts.append(current)
    return [p[1:-1] if len(p) > 1 and p[0] == p[-1] == "'" else p for p in parts]


@pytest.mark.parametrize(
    ("parts", "text"),
    [
        (["A", "B,C"], "A,B\\,C"),
        ([""], ""),
        (["", ""], ","),
        (["'"], "'''"),
        (["'a'", "b"], "''a'',b"),
        (["'a", "b'"], "'a,b'"),
        (["\\a"], "'\\a'"),
        (["\\"], "'\\'"),
        ([","], "\\,"),
        (["a\\,b"], "a\\\\,b"),
        (["it's"], "it's"),
        (['II/5 Pz; "x"', "é\t漢"], 'II/5 Pz; "x",é\t漢'),
    ],
)
def test_known_encodings(parts: list[str], text: str) -> None:
    assert encode(parts, ",") == text
    assert decode(text, ",") == parts


def test_null_and_empty() -> None:
    assert decode(None, ",") == []
    assert decode("", ",") == [""]
    assert encode([None, "a"], ",") == ",a"
    assert encode([], ",") == ""


def test_a_backslash_before_a_delimiter_is_lost_by_vassal_and_kept_by_us() -> None:
    assert encode(["C:\\", "b"], ",") == "C:\\,b"
    assert decode("C:\\,b", ",") == ["C:,b"]
    assert decode(encode_safe(["C:\\", "b"], ","), ",") == ["C:\\", "b"]


@pytest.mark.parametrize("delim", ["", "ab", "\\"])
def test_impossible_delimiters_are_refused(delim: str) -> None:
    with pytest.raises(ValueError, match="delimiter"):
        encode(["a"], delim)
    with pytest.raises(ValueError, match="delimiter"):
        decode("a", delim)


@given(PARTS, st.sampled_from([";", ",", "\t", "/", "\x1b", ":", "|"]))
def test_safe_encoding_loses_nothing(parts: list[str], delim: str) -> None:
    assert decode(encode_safe(parts, delim), delim) == parts


@given(PARTS, st.sampled_from([";", ",", "\t", "/", "\x1b"]))
def test_both_encodings_agree_where_the_format_can_carry_it(parts: list[str], delim: str) -> None:
    if not any(p.endswith("\\") and not p.startswith("\\") for p in parts):
        assert encode(parts, delim) == encode_safe(parts, delim)


@given(TRICKY, DELIMS)
def test_decoding_agrees_with_a_slow_reader(text: str, delim: str) -> None:
    assert decode(text, delim) == reference(text, delim)


@given(TRICKY, DELIMS)
def test_stepwise_reading_gives_the_same_parts(text: str, delim: str) -> None:
    assert list(Decoder(text, delim)) == decode(text, delim)


@given(st.recursive(TRICKY, lambda inner: st.lists(inner, min_size=1, max_size=3), max_leaves=12))
def test_nesting_with_one_delimiter(tree: object) -> None:
    def pack(node: object) -> str:
        if isinstance(node, list):
            return encode_safe(["L", *[pack(child) for child in node]], ",")
        return encode_safe(["S", str(node)], ",")

    def unpack(text: str) -> object:
        kind, *rest = decode(text, ",")
        return [unpack(r) for r in rest] if kind == "L" else rest[0]

    assert unpack(pack(tree)) == tree


@given(TRICKY, st.sampled_from([";", ",", "\t", "/", "\x1b"]))
def test_the_cheap_check_agrees_with_the_dear_one(text: str, delim: str) -> None:
    parts, exact = decode_checked(text, delim)
    assert parts == decode(text, delim)
    assert exact == (encode_safe(parts, delim) == text)


def test_defaults_for_parts_that_are_not_there() -> None:
    d = Decoder("5;x;true", ";")
    assert (d.integer(), d.integer(7), d.boolean(), d.text("end"), d.remaining) == (5, 7, True, "end", "")
    assert not d

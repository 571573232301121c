"""The tree of commands: exact at every depth, as VASSAL nests it, and bounded."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hexforge.modulegen.vassal.commands import BeginSave, Chat, EndSave, Log, Null
from hexforge.modulegen.vassal.encoding import FormatError, encode_safe
from hexforge.modulegen.vassal.payload import MAX_DEPTH, Node, drop_last_leaf, group, leaf, read_tree

LEAF = st.text(st.sampled_from([*"\\'ab/\té"]), max_size=5)
Tree = str | list["Tree"]
TREES = st.recursive(LEAF, lambda inner: st.lists(inner, min_size=2, max_size=4), max_leaves=15)


def build(tree: object) -> Node:
    if isinstance(tree, str):
        return Node(tree.encode())
    assert isinstance(tree, list)
    return Node(b"", tuple(build(t) for t in tree))


def take_apart(node: Node) -> object:
    return [take_apart(p) for p in node.parts] if node.parts else node.text


@given(TREES)
def test_trees_come_back(tree: object) -> None:
    node = build(tree)
    again, damage = read_tree(node.encode())
    assert damage is None
    assert again.encode() == node.encode()
    if isinstance(tree, list):
        # A lone leaf in apostrophes is read once more by VASSAL, and so by us.
        plain = [t for t in str(tree) if t == "'"]
        if not plain or "'" not in "".join(leaf.text for leaf in node.leaves()):
            assert take_apart(again) == tree


@given(st.binary(max_size=60))
def test_any_bytes_are_kept(raw: bytes) -> None:
    assert read_tree(raw)[0].encode() == raw


@given(st.text(st.sampled_from([*"\x1b\\'a"]), max_size=14))
def test_any_mixture_of_escapes_is_kept(text: str) -> None:
    raw = text.encode()
    node, _ = read_tree(raw)
    assert node.encode() == raw


@given(TREES)
def test_it_is_the_sequence_encoding(tree: object) -> None:
    def by_sequence(t: object) -> str:
        return t if isinstance(t, str) else encode_safe([by_sequence(x) for x in t], "\x1b")  # type: ignore[attr-defined]

    assert build(tree).encode().decode() == by_sequence(tree)


def test_nesting_is_kept() -> None:
    root = group(BeginSave(), group(Null(), group(Null(), Chat("a"), Chat("b"))), EndSave())
    assert root.encode() == b"begin_save\x1b\\\x1b\\\\\x1bCHATa\\\\\x1bCHATb\x1bend_save"
    again, _ = read_tree(root.encode())
    assert [len(p.parts) for p in again.parts] == [0, 2, 0]
    assert [type(x).__name__ for x in again.commands()] == ["BeginSave", "Null", "Null", "Chat", "Chat", "EndSave"]


def test_a_log_entry_is_one_action() -> None:
    action = group(Log(Chat("a")), Log(Null("null")))
    assert action.is_log_entry
    assert not leaf(Chat("a")).is_log_entry
    assert list(action.commands()) == [Chat("a"), Null("null")]


def test_wrong_encodings_are_kept() -> None:
    raw = b"CHAT\xff\xe9\x1bend_save"
    node, _ = read_tree(raw)
    assert node.encode() == raw
    assert node.parts[0].command.encode().encode("utf-8", "surrogateescape") == b"CHAT\xff\xe9"


def test_absurd_nesting_is_refused_soon() -> None:
    deep = b"a"
    for level in range(MAX_DEPTH + 50):
        deep = deep + b"\\" * level + b"\x1b" + b"b"
    started = time.process_time()
    with pytest.raises(FormatError, match="too deeply"):
        read_tree(deep)
    with pytest.raises(FormatError, match="too deeply"):
        read_tree(b"a" + b"\\" * 5_000_000 + b"\x1bb")
    assert time.process_time() - started < 10


def test_salvage_keeps_what_stood_before() -> None:
    good = group(BeginSave(), Chat("a")).encode()
    bad = b"".join(b"x" + b"\\" * n + b"\x1b" for n in range(1, 300))
    node, damage = read_tree(good + b"\x1b" + bad, salvage=True)
    assert damage is not None
    assert damage.offset >= len(good)
    assert list(node.commands())[:2] == [BeginSave(), Chat("a")]


def test_dropping_the_last_command() -> None:
    root = group(BeginSave(), group(Chat("a"), Chat("b")))
    cut = drop_last_leaf(root)
    assert cut is not None
    assert list(cut.commands()) == [BeginSave(), Chat("a")]
    assert drop_last_leaf(leaf(Chat("a"))) is None


def test_a_group_needs_a_command() -> None:
    with pytest.raises(ValueError, match="at least one"):
        group()

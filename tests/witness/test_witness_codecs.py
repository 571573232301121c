"""Our codecs and VASSAL's, on the same input."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from hexforge.modulegen.vassal import encoding, payload
from tests.examples import examples

from . import Engine

pytestmark = pytest.mark.witness

DELIMITERS = st.sampled_from("\t;,/:|\x1b+")
# Few characters, so that escapes, delimiters and apostrophes meet often; and some of every script.
NASTY = st.text(alphabet=st.sampled_from("\\\\''\t;,/:|\x1b+abÉ\n "), max_size=12)
TEXTS = NASTY | st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=12)
many = examples(150, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@many
@given(parts=st.lists(TEXTS, min_size=1, max_size=6), delimiter=DELIMITERS)
def test_sequences_are_encoded_alike(mini: Engine, parts: list[str], delimiter: str) -> None:
    assert mini.encode([parts], delimiter) == [encoding.encode(parts, delimiter)]


@many
@given(text=TEXTS, delimiter=DELIMITERS)
def test_sequences_are_decoded_alike(mini: Engine, text: str, delimiter: str) -> None:
    assert mini.decode([text], delimiter) == [encoding.decode(text, delimiter)]


@many
@given(parts=st.lists(TEXTS, min_size=1, max_size=6), delimiter=DELIMITERS)
def test_what_we_encode_safely_the_engine_reads_whole(mini: Engine, parts: list[str], delimiter: str) -> None:
    assert mini.decode([encoding.encode_safe(parts, delimiter)], delimiter) == [parts]


@many
@given(text=st.text(st.characters(exclude_categories=["Cs"]), max_size=60), key=st.integers(0, 255))
def test_payloads_are_disguised_alike(mini: Engine, text: str, key: int) -> None:
    raw = text.encode()
    ours = payload.encode_payload(raw, payload.Format.HEX, key)
    assert mini.obfuscate(raw, key) == ours
    assert mini.deobfuscate(ours) == raw
    assert mini.deobfuscate(payload.encode_payload(raw)) == raw


def test_we_read_what_the_engine_disguises_by_a_key_of_its_own(mini: Engine) -> None:
    raw = "begin_save\x1bolá\x1bend_save".encode()
    for _ in range(20):
        assert payload.decode_payload(mini.obfuscate(raw)).text == raw

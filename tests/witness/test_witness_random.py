"""Our copy of Java's generator and Java's own, on the same seeds; and what VASSAL reads of the numbers in a log."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from hexforge.modulegen.vassal.commands import RandomNumber, read_command
from hexforge.modulegen.vassal.proposed.draws import Draw, follow, same
from hexforge.modulegen.vassal.proposed.javarandom import JavaRandom
from hexforge.modulegen.vassal.save import read_save
from tests.examples import examples
from tests.vassal.drawn import ESC, Table, encoded, log_text

from . import Engine

pytestmark = pytest.mark.witness

LONGS = st.integers(-(1 << 63), (1 << 63) - 1) | st.sampled_from([0, 1, -1, (1 << 63) - 1, -(1 << 63), 0x5DEECE66D])
# Small bounds, powers of two, and the one that refuses nearly half of what is drawn.
BOUNDS = (
    st.integers(1, 100)
    | st.integers(0, 30).map(lambda n: 1 << n)
    | st.integers(1, (1 << 31) - 1)
    | st.just((1 << 30) + 1)
)
ASKED = st.lists(
    st.tuples(st.sampled_from("ILDFBG"), st.just(0))
    | st.tuples(st.just("M"), BOUNDS)
    | st.tuples(st.just("Z"), LONGS)
    # Gaussians often, for every second one is the one kept back, which a new seed forgets.
    | st.tuples(st.just("G"), st.just(0)),
    max_size=60,
)
many = examples(150, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def drawn(random: JavaRandom, kind: str, argument: int) -> float | bool | None:
    match kind:
        case "Z":
            random.set_seed(argument)
            return argument
        case "I":
            return random.next_int()
        case "M":
            return random.next_int(argument)
        case "L":
            return random.next_long()
        case "D":
            return random.next_double()
        case "F":
            return random.next_float()
        case "B":
            return random.next_boolean()
        case _:
            return random.next_gaussian()


@many
@given(seed=LONGS, asked=ASKED)
def test_numbers_are_drawn_alike(mini: Engine, seed: int, asked: list[tuple[str, int]]) -> None:
    theirs = mini.draw([("Z", seed), *asked])[1:]
    random = JavaRandom(seed)
    for (kind, argument), text in zip(asked, theirs, strict=True):
        number = RandomNumber.read(f"RNG\t;{kind};{text};{argument if kind == 'M' else ''}\\")
        assert number.kind == kind and number.value == text
        ours = drawn(random, kind, argument)
        assert ours is not None and same(number, ours), (kind, argument, text, ours)


def test_ten_thousand_gaussians_are_alike(mini: Engine) -> None:
    theirs = mini.draw([("Z", 42)] + [("G", 0)] * 10_000)[1:]
    random = JavaRandom(42)
    assert [float(text) for text in theirs] == [random.next_gaussian() for _ in theirs]


@many
@given(seed=LONGS, asked=ASKED)
def test_logs_of_java_s_numbers_fit_their_seed(mini: Engine, seed: int, asked: list[tuple[str, int]]) -> None:
    asked = [one for one in asked if one[0] != "Z"]
    first = mini.draw([("Z", seed), ("L", 0)])[1]
    numbers = mini.draw([("Z", int(first)), *asked, ("L", 0)])[1:]
    texts = [f"RNG\t;L;{first};0\\", f"RNG\t;Z;{first};0\\"]
    texts += [
        f"RNG\t;{kind};{text};{argument if kind == 'M' else ''}\\"
        for (kind, argument), text in zip(asked, numbers, strict=False)
    ]
    earlier = follow([Draw(0, RandomNumber.read(text)) for text in texts])
    assert earlier is not None
    assert (earlier.breaks, earlier.fitting) == ((), len(asked))
    later = follow([Draw(0, RandomNumber("L", numbers[-1], "0")), Draw(0, RandomNumber("Z", numbers[-1], "0"))])
    assert later is not None and later.follows(earlier) is True


def test_vassal_reads_a_number_s_parts_only_where_a_separator_took_the_backslash(mini: Engine) -> None:
    table = Table(3)
    start, entries = table.begin(), table.throw()
    text = log_text([start], entries)
    # As VASSAL takes a log apart, level by level.
    found: list[str] = []

    def take(part: str) -> None:
        tokens = mini.decode([part], ESC)[0]
        if tokens == [part]:
            found.append(part)
        else:
            for token in tokens:
                take(token)

    take(text)
    ours = [leaf.text for leaf in read_save(text.encode()).root.leaves()]
    assert found == ours
    numbers = [read_command(one.removeprefix("LOG\t")) for one in found if "RNG\t" in one]
    assert [n.kind for n in numbers if isinstance(n, RandomNumber)] == ["L", "Z", "M", "M"]
    assert not any(one.endswith("\\") for one in found)
    assert mini.encode([[str(part) for part in start]], ESC) == [encoded(start)]
    # Alone, the backslash would become a part of the bound.
    assert mini.decode(["RNG\t;M;3;6\\"], ";") == [["RNG\t", "M", "3", "6\\"]]
    assert mini.decode(["RNG\t;M;3;6"], ";") == [["RNG\t", "M", "3", "6"]]

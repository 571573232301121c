"""Random numbers in logs: their commands, Java's generator, and whether the ones follow from the other."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hexforge.modulegen.vassal.commands import Log, RandomNumber, read_command
from hexforge.modulegen.vassal.inspect import describe_save
from hexforge.modulegen.vassal.proposed.draws import (
    MAX_SKIPPED,
    Draw,
    SeedBreak,
    Stream,
    draws_of,
    follow,
    read_stream,
)
from hexforge.modulegen.vassal.proposed.javarandom import JavaRandom
from tests.examples import examples
from tests.vassal.drawn import Table, draws, java_text, log, log_text, text_of

LONGS = st.integers(-(1 << 63), (1 << 63) - 1)
BOUNDS = st.integers(1, (1 << 31) - 1) | st.integers(0, 30).map(lambda n: 1 << n) | st.just((1 << 30) + 1)
DOUBLES = st.floats().map(str).filter(lambda text: text[-1] != "f" and text != "nan") | st.sampled_from(
    [
        "NaN",
        "Infinity",
        "-Infinity",
        "4.9E-324",
        "1.0E10",
        "-0.0",
        "1e5",
        "0.30000001192092896",
        "1.7976931348623157E308",
    ]
)
ENDINGS = st.sampled_from(["", "\\"])


# ------------------------------------------------------------------------------------------ commands


@pytest.mark.parametrize(
    ("text", "number", "value"),
    [
        ("RNG\t;Z;-5025562857975149833;0\\", RandomNumber("Z", "-5025562857975149833", "0"), -5025562857975149833),
        ("RNG\t;M;3;6\\", RandomNumber("M", "3", "6"), 3),
        ("RNG\t;M;3;6", RandomNumber("M", "3", "6"), 3),
        ("RNG\tM\t3\t6", RandomNumber("M", "3", "6"), 3),
        ("RNG\t;D;1.0E-5;\\", RandomNumber("D", "1.0E-5"), 1e-5),
        ("RNG\t;B;true;\\", RandomNumber("B", "true"), True),
        ("RNG\t;I;-7", RandomNumber("I", "-7"), -7),
    ],
)
def test_numbers_are_typed(text: str, number: RandomNumber, value: float) -> None:
    found = read_command(text)
    assert found == number
    assert isinstance(found, RandomNumber) and found.number == value
    assert found.encode() == text
    assert read_command("LOG\t" + text) == Log(number)
    assert read_command("LOG\t" + text).encode() == "LOG\t" + text


@pytest.mark.parametrize(
    "text",
    [
        "RNG\tseed\t-5\t17",
        "RNG\t",
        "RNG\t;",
        "RNG\t;X;1;\\",
        "RNG\t;I;2147483648;",
        "RNG\t;I;1.5;",
        "RNG\t;L;9223372036854775808;",
        "RNG\t;B;maybe;",
        "RNG\t;M;3;6;7",
        "RNG\t;M;3;6\\\\",
        "RNG\t;D;" + "1" * 5000,
        "RNG\t;M;٣;6",
        "RNG\t;I;1\n;",
    ],
)
def test_what_has_another_form_is_kept_as_it_stands(text: str) -> None:
    found = read_command(text)
    assert isinstance(found, RandomNumber)
    assert (found.kind, found.number, found.limit) == ("", None, None)
    assert found.value == text.removeprefix("RNG\t")
    assert found.encode() == text == found.write()


@given(value=DOUBLES, kind=st.sampled_from("DFG"), bound=st.sampled_from(["", "0"]), ending=ENDINGS)
def test_doubles_keep_their_text(value: str, kind: str, bound: str, ending: str) -> None:
    text = f"RNG\t;{kind};{value};{bound}{ending}"
    found = read_command(text)
    assert isinstance(found, RandomNumber) and (found.kind, found.value, found.bound) == (kind, value, bound)
    assert isinstance(found.number, float)
    assert found.encode() == text


@given(
    start=st.sampled_from(["", ";"]),
    parts=st.lists(
        st.sampled_from([*"ZILMDFGBX", "null", "true", "0", "6", "-1", "1.5", ""]) | LONGS.map(str), max_size=5
    ),
    delim=st.sampled_from(";\t"),
    ending=st.sampled_from(["", "\\", "\\\\", "'"]),
)
def test_any_form_comes_back(start: str, parts: list[str], delim: str, ending: str) -> None:
    text = "RNG\t" + start + delim.join(parts) + ending
    found = read_command(text)
    assert found.encode() == text
    assert isinstance(found, RandomNumber)
    # What its fields alone give reads as the same again.
    again = read_command(found.write())
    assert again == found


@given(kind=st.sampled_from("ZL"), value=LONGS)
def test_what_we_write_is_read(kind: str, value: int) -> None:
    written = RandomNumber(kind, str(value), "0").encode()
    assert written == f"RNG\t;{kind};{value};0"
    assert read_command(written) == RandomNumber(kind, str(value), "0")


# ----------------------------------------------------------------------------------------- generator


def test_java_s_generator_from_a_known_seed() -> None:
    # As printed by a Java virtual machine for `new java.util.Random(42)`; the witness compares many more.
    random = JavaRandom(42)
    assert [random.next_int() for _ in range(3)] == [-1170105035, 234785527, -1360544799]
    assert JavaRandom(42).next_gaussian() == 1.1419053154730547
    assert JavaRandom(42).next_long() == -5025562857975149833
    assert JavaRandom(42).next_double() == 0.7275636800328681
    assert JavaRandom(42).next_boolean() is True
    assert [JavaRandom(42).next_int(bound) for bound in (1, 6, 10, 64, 1000)] == [0, 2, 0, 46, 130]


def test_a_new_seed_forgets_the_second_gaussian() -> None:
    random = JavaRandom(1)
    random.next_gaussian()
    kept = random.copy().next_gaussian()
    random.set_seed(1)
    assert random.next_gaussian() == JavaRandom(1).next_gaussian() != kept
    assert random.next_gaussian() == kept


@given(seed=LONGS, bound=BOUNDS)
def test_bounded_numbers_stay_below_their_bound(seed: int, bound: int) -> None:
    random = JavaRandom(seed)
    assert all(0 <= random.next_int(bound) < bound for _ in range(20))


@pytest.mark.parametrize("bound", [0, -1, 1 << 31])
def test_a_bound_that_java_refuses_is_refused(bound: int) -> None:
    with pytest.raises(ValueError, match="bound"):
        JavaRandom(1).next_int(bound)


# ---------------------------------------------------------------------------------------------- logs


def stream_of(texts: list[str]) -> Stream:
    found = follow(draws(*texts))
    assert found is not None
    return found


def begun(seed: int) -> tuple[Table, list[str]]:
    """A table whose log has begun, and what the log begins with."""
    table = Table(seed)
    start = table.begin()
    assert isinstance(start, tuple)
    return table, [str(part) for part in start]


@given(seed=LONGS, kinds=st.lists(st.sampled_from("IMLDFBG"), max_size=30), bound=BOUNDS)
def test_numbers_that_the_seed_gives_fit(seed: int, kinds: list[str], bound: int) -> None:
    table, start = begun(seed)
    found = stream_of([*start, *(table.any(kind, bound) for kind in kinds)])
    assert found.breaks == ()
    assert found.numbers == found.fitting == len(kinds)
    assert found.link == found.seed == JavaRandom(seed).next_long()
    # The next log begins with the next long.
    _, following = begun(0)
    after = stream_of([text_of("L", table.random.next_long(), 0), *following[1:]])
    assert after.follows(found) is True


@given(seed=LONGS, before=st.lists(st.sampled_from("IMDG"), max_size=6), count=st.integers(1, 5))
def test_gaussians_fit_with_the_doubles_that_they_are_made_of(seed: int, before: list[str], count: int) -> None:
    # VASSAL's own nextDouble, which writes its numbers down, is what Java's nextGaussian calls.
    table, texts = begun(seed)
    texts += [table.any(kind) for kind in before]
    number = before.count("G")
    for _ in range(count):
        kept = number % 2
        place = table.random.copy()
        value = table.random.next_gaussian()
        while not kept:
            one, two = place.next_double(), place.next_double()
            texts += [text_of("D", one), text_of("D", two)]
            if place.gaussian_of(one, two) is not None:
                break
        texts.append(text_of("G", value))
        number += 1
    texts.append(table.any("I"))
    found = stream_of(texts)
    assert found.breaks == ()
    assert found.fitting == found.numbers == len(texts) - 2


@given(data=st.data(), seed=LONGS, count=st.integers(1, 40))
def test_a_number_that_was_changed_is_found(data: st.DataObject, seed: int, count: int) -> None:
    table, texts = begun(seed)
    texts += [table.die()[0] for _ in range(count)]
    at = data.draw(st.integers(2, count + 1))
    wanted = RandomNumber.read(texts[at])
    changed = (int(wanted.value) + data.draw(st.integers(1, 5))) % 6
    texts[at] = text_of("M", changed, 6)
    found = stream_of(texts)
    assert found.breaks == (SeedBreak("other", at, 1, str(changed), wanted.value, 6),)
    assert found.fitting == count - 1


@examples(25, deadline=None)
@given(seed=LONGS, before=st.integers(0, 5), out=st.integers(1, 300), kinds=st.sampled_from(["I" * 4, "M" * 30]))
def test_numbers_that_were_left_out_are_counted(seed: int, before: int, out: int, kinds: str) -> None:
    table, texts = begun(seed)
    texts += [table.die()[0] for _ in range(before)]
    for _ in range(out):
        table.random.next_int()
    first = len(texts)
    texts += [table.any(kind) for kind in kinds]
    found = stream_of(texts)
    # The first of those that remain may happen to be what was left out.
    assert [b.kind for b in found.breaks] == ["left_out"]
    assert first <= found.breaks[0].step <= first + 4
    assert found.fitting == found.numbers


def test_a_number_too_much_leaves_the_others_in_place() -> None:
    table, texts = begun(7)
    texts += [table.any("I") for _ in range(5)]
    texts.insert(4, text_of("I", 12345))
    found = stream_of(texts)
    assert [(b.kind, b.step, b.count) for b in found.breaks] == [("other", 4, 1)]
    assert (found.numbers, found.fitting) == (6, 5)


def test_a_seed_of_its_own_is_found() -> None:
    table, texts = begun(7)
    other, more = begun(8)
    texts += [table.die()[0], *more, other.die()[0]]
    found = stream_of(texts)
    assert [b.kind for b in found.breaks] == ["other"]
    assert (found.numbers, found.fitting) == (2, 2)
    alone = stream_of([*begun(7)[1], text_of("Z", 99, 0)])
    assert [b.kind for b in alone.breaks] == ["seed"]
    assert alone.seed == 99


def test_numbers_without_a_seed_are_only_counted() -> None:
    found = stream_of([text_of("M", 3, 6), text_of("I", 5)])
    assert (found.numbers, found.fitting, found.seed, found.link, found.breaks) == (2, 0, None, None, ())


def test_a_seed_that_stands_alone_is_the_link() -> None:
    # As the proposal first had it.
    found = stream_of([text_of("Z", 42, 0), text_of("I", -1170105035)])
    assert (found.link, found.seed, found.fitting, found.breaks) == (42, 42, 1, ())


@pytest.mark.parametrize("bound", [0, -6, "", "99999999999999999999999", 1 << 31])
def test_a_bound_that_java_would_refuse_is_no_crash(bound: int | str) -> None:
    table, texts = begun(7)
    texts += [f"RNG\t;M;3;{bound}\\", table.die()[0]]
    found = stream_of(texts)
    assert [(b.kind, b.count) for b in found.breaks] == [("form", 1)]
    assert found.fitting == 1


def test_thousands_of_wrong_numbers_take_no_time() -> None:
    _, texts = begun(7)
    found = stream_of([*texts, *[text_of("M", n % 6, 6) for n in range(20_000)]])
    assert len(found.breaks) < 50
    assert found.numbers == 20_000
    assert 2000 < found.fitting < 5000


def chain() -> tuple[Table, list[str], list[str]]:
    table, first = begun(3)
    first += [table.die()[0] for _ in range(6)]
    return table, first, list(begun(0)[1])


def linked(link: int) -> Stream:
    return stream_of([text_of("L", link, 0), text_of("Z", link, 0)])


def test_how_a_log_continues_another() -> None:
    table, texts, _ = chain()
    earlier = stream_of(texts)
    sound = linked(table.random.copy().next_long())
    assert (sound.follows(earlier), sound.left_out_after(earlier)) == (True, 0)
    further = table.random.copy()
    for _ in range(17):
        further.next_int()
    skipped = linked(further.next_long())
    assert (skipped.follows(earlier), skipped.left_out_after(earlier)) == (False, 17)
    for _ in range(MAX_SKIPPED):
        further.next_int()
    assert linked(further.next_long()).left_out_after(earlier) is None
    middle = stream_of(texts[:4]).end
    assert middle is not None
    assert linked(middle.copy().next_long()).branches_from(earlier) == 3
    assert linked(5).branches_from(earlier) is None
    assert linked(5).follows(replace(earlier, end=None)) is None


# ------------------------------------------------------------------------------------- whole logs


def test_a_log_as_vassal_writes_it() -> None:
    table = Table(3)
    start = table.begin()
    entries = [
        *table.throw(),
        "CHAT&lt;Ana&gt; - hello",
        *table.throw(1, 10, "d10"),
        text_of("I", table.random.next_int()),
    ]
    text = log_text(["PLAYER\tpw\tAna\tRed", start], entries)
    game = log(["PLAYER\tpw\tAna\tRed", start], entries)
    assert game.root.encode() == text.encode()
    found = read_stream(game)
    assert found is not None
    assert (found.numbers, found.fitting, found.breaks) == (4, 4, ())
    # A throw and the numbers drawn for it are one action of the player.
    assert [draw.step for draw in found.draws] == [0, 0, 1, 1, 3, 4]
    assert found.kinds == {"M": 3, "L": 1, "Z": 1, "I": 1}
    shown = describe_save(game)["random_numbers"]
    assert shown["seed"] == str(found.seed)
    assert (shown["numbers"], shown["as_the_seed_gives"], shown["breaks"]) == (4, 4, [])


def test_a_log_without_numbers_says_nothing_of_them() -> None:
    game = log(["PLAYER\tpw\tAna\tRed"], ["CHAT&lt;Ana&gt; - hello"])
    assert draws_of(game) == ()
    assert read_stream(game) is None
    assert describe_save(game)["random_numbers"] is None


def test_what_is_told_of_a_damaged_number_shows_nothing_of_it() -> None:
    game = log(["PLAYER\tpw-kept-secret\tAna\tRed", Table(3).begin()], ["RNG\tpw-kept-secret"])
    shown = describe_save(game)["random_numbers"]
    assert shown["breaks"] == [{"step": 1, "kind": "form", "count": 1, "found": "", "expected": ""}]
    assert "pw-kept-secret" not in str(describe_save(game))


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_our_java_text_is_a_double_s(value: float) -> None:
    assert float(java_text(value)) == value


@given(
    st.lists(
        st.builds(
            Draw,
            st.integers(0, 5),
            st.builds(RandomNumber, st.sampled_from([*"ZILMDFGB", ""]), st.text(max_size=5), st.text(max_size=3)),
        )
    )
)
def test_nothing_makes_the_comparison_fail(found: list[Draw]) -> None:
    follow(found)
    for one, two in pairwise([follow(found[:3]), follow(found[3:])]):
        if one is not None and two is not None:
            two.follows(one)
            two.branches_from(one)

"""Strategies for statements, made from their declarations, and statements without their line numbers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from hypothesis import strategies as s

from hexforge.scenarios.commands import names
from hexforge.validator.notation import base, games, kinds, statements_head
from hexforge.validator.notation import statements as st
from hexforge.validator.notation import statements_accounts as sl
from hexforge.validator.notation.kinds import SINCE, ArgumentKind
from hexforge.validator.notation.vocabulary import notation
from hexforge.validator.notation.words import Vocabulary

HEX = s.integers(101, 9999).map(lambda n: f"{n:04d}")
HEXES = s.lists(HEX, min_size=1, max_size=5).map(tuple)
PAIR = s.tuples(HEX, HEX)
# An id may look like a keyword of either language; one that reads as a number or `offboard` would be ambiguous.
UNIT = s.sampled_from(["a1", "g7", "us-109-1", "ge-ss-ak113", "9th.inf", "move", "recuar", "x.1"])
PLACED = UNIT.filter(lambda u: u[-1].isdigit() and u[0] in "agu")
UNITS = s.lists(UNIT, min_size=1, max_size=4).map(tuple)
SMALL = s.integers(0, 999)
DIE = s.integers(1, 6)
TEXT = s.text(
    s.characters(blacklist_categories=("Cc", "Cs", "Zl", "Zp"), blacklist_characters='"'), min_size=1
).filter(lambda t: t == t.strip())
LABEL = s.sampled_from(["109", "28", "lehr", "ii/5", "gr. brandenburg", "ç-1"])
OWN: Final = {
    "sides": ("red", "blue-army"),
    "unit_types": ("hussars", "field_guns"),
    "terrain": ("swamp", "deep_mud"),
    "flags": ("own-flag",),
    "markers": ("mine",),
}
"""Words of a game that nobody knows."""


def _is_thing(unit: str) -> bool:
    """Whether an id cannot be taken for a word of the notation."""
    return unit[-1].isdigit()


@s.composite
def paths(draw: s.DrawFn) -> tuple[str, ...]:
    """Hexes, some of them after an open way."""
    path: list[str] = [draw(HEX)]
    for hex_ in draw(s.lists(HEX, max_size=5)):
        if draw(s.booleans()):
            path.append(kinds.OPEN)
        path.append(hex_)
    return tuple(path)


def maybe(strategy: s.SearchStrategy[Any]) -> s.SearchStrategy[Any]:
    """The strategy's values, or None."""
    return s.none() | strategy


def words(vocabulary: Vocabulary, section: str) -> s.SearchStrategy[str]:
    """Any word of a section, and one that the notation does not know where any will do."""
    known = [id_ for id_ in vocabulary.listed(section, "en") if vocabulary.meaning(section, id_) == id_]
    free = OWN.get(section, ()) if vocabulary.own is None or section not in vocabulary.own else ()
    return s.sampled_from([*known, *free])


def values(kind: ArgumentKind, of: Vocabulary) -> s.SearchStrategy[Any]:
    """What an argument of a kind may be."""
    side, type_ = words(of, "sides"), words(of, "unit_types")
    plain: dict[str, s.SearchStrategy[Any]] = {
        "version": s.just(1),
        "game": s.just("hurtgen"),
        "players": s.lists(s.tuples(side, TEXT), min_size=1, max_size=2).map(tuple),
        "option": s.just("inverse_rounding"),
        "value": s.sampled_from(["ceil", "no", "3"]),
        "terrain": s.lists(words(of, "terrain"), min_size=1, max_size=2, unique=True).map(tuple),
        "size": s.tuples(s.integers(1, 99), s.integers(1, 99)),
        "hexes": HEXES,
        "hexside": PAIR,
        "hexsides": s.lists(PAIR, min_size=1, max_size=3).map(tuple),
        "place": TEXT,
        "area": s.sampled_from(["beyond-kall", "bivouac-xii"]),
        "unit": UNIT,
        "side": side,
        "type": type_,
        "factors": s.tuples(SMALL, SMALL, SMALL),
        "reduced": s.tuples(SMALL, SMALL),
        "figures": s.tuples(SMALL, SMALL),
        "further": s.lists(s.tuples(SMALL, SMALL), min_size=1, max_size=4).map(tuple),
        "levels": s.lists(SMALL, min_size=1, max_size=6).map(tuple),
        "lost": s.integers(1, 5),
        "label": LABEL,
        "label-upper": s.sampled_from(["II", "X"]),
        "formation": LABEL,
        "marker": words(of, "markers"),
        "spot": s.tuples(PAIR, s.none()) | s.tuples(s.none(), HEX),
        "number": SMALL,
        "turn": SMALL,
        "hex": HEX,
        "flag": s.tuples(words(of, "flags"), maybe(SMALL)).filter(lambda v: v[1] is not None or v[0] not in SINCE),
        "mark": words(of, "flags"),
        "edge": words(of, "edges"),
        "phase": s.tuples(side, words(of, "phases")).map(
            lambda v: (v[0], of.kinds.get(v[1], v[1]), v[1] if v[1] in of.kinds else "")
        ),
        "units": UNITS,
        "path": paths(),
        "way": words(of, "ways"),
        "die": DIE,
        "thrown": DIE | s.just(kinds.ASKED),
        "dice": s.lists(DIE, min_size=1, max_size=3).map(tuple) | s.just((kinds.ASKED,)),
        "digits": s.sampled_from(["0123abcd" * 4, "12345678" * 2, "abcdefab" * 2]),
        "guns": s.tuples(UNITS, s.just(0)) | s.tuples(UNITS | s.just(()), s.integers(1, 99)),
        "role": words(of, "roles"),
        "subject": words(of, "subjects"),
        "totals": s.tuples(SMALL, SMALL),
        "column": s.sampled_from(["2-1", "1-3", "13-24", "49+"]),
        "result": s.sampled_from([("DRB", "AVB"), ("EMP",)]),
        "scores": s.lists(s.tuples(side, SMALL), min_size=1, max_size=2).map(tuple),
        "held": s.tuples(side, HEX),
        "holding": s.tuples(side, HEX),
        "accepted": s.tuples(
            s.lists(SMALL, max_size=3).map(tuple), s.sampled_from(["", "B 5.1", "5.1.4", "stacking"])
        ),
        "put": s.tuples(UNITS, HEX, words(of, "fates") | s.just(""))
        | s.tuples(UNITS, s.just(""), words(of, "fates")),
        "ruled": s.tuples(
            s.just("") | LABEL, s.sampled_from(["agreed by mail", "it's B 5.1, not 5.2: see", "#3 \\ no"])
        ),
        "ended": s.tuples(s.integers(1, 30), side, words(of, "phases"), s.integers(0, 9)),
        "fate": words(of, "fates"),
        "stock": words(of, "stocks"),
        "files": s.lists(s.sampled_from(["turn-2.sheet", "ana 3.vlog", "ç.sheet"]), min_size=1, max_size=2).map(
            tuple
        ),
        "hash": s.sampled_from(["0123abcd", "f" * 64, "12345678"]),
        "day": s.tuples(
            s.integers(1, 28),
            s.integers(1, 12),
            words(of, "dayparts"),
            words(of, "dayphases"),
            s.integers(0, 9),
            s.just("") | side,
        ),
        "piece": words(of, "pieces"),
        "side-points": s.lists(s.tuples(side, s.integers(-99, 99)), min_size=1, max_size=2).map(tuple),
        "account": words(of, "accounts"),
        "source": words(of, "accounts") | words(of, "edges") | UNIT.filter(_is_thing),
        "thing": HEX | UNIT.filter(_is_thing),
        "stated": s.tuples(
            words(of, "facts"),
            s.lists(side | words(of, "edges") | UNIT.filter(_is_thing) | HEX, max_size=3).map(tuple),
            s.sampled_from(["yes", "no", "none", "all", "some", "7"]),
        ),
        "": s.just(True),
    }
    return plain[kind.part or kind.name]


@s.composite
def statements(draw: s.DrawFn, cls: type[base.Statement], of: Vocabulary) -> base.Statement:
    """Any statement of a class, by its declaration."""
    form = base.layout(cls)
    found: dict[str, Any] = {form.first[0]: draw(words(of, form.first[1]))} if form.first else {}
    for part in (*form.required, *form.optional):
        alone = not form.required and part is form.optional[-1] and not found
        if part.default and not alone and draw(s.booleans()):
            continue
        value = draw(values(part.kind, of))
        found |= zip(part.fields, value if part.kind.width > 1 else (value,), strict=True)
    if cls is statements_head.Placement:
        found["unit"] = draw(PLACED)
    if cls is sl.Supply:  # the last of its units stands before `from`, which is `de` in Portuguese
        found["units"] = tuple(unit for unit in found["units"] if unit != "de") or ("a1",)
    if units := found.get("units"):  # `de us-109-1`: of that unit, which the game has
        found["units"] = tuple(unit for unit in units if unit != "de") or ("a1",)
    if issubclass(cls, st.Engagement):
        found["acts"] = tuple(draw(s.lists(any_of(base.Act, of), max_size=4)))
    return cls(0, **found)


def speaks(of: Vocabulary, cls: type[base.Statement]) -> bool:
    """Whether a game has a statement: some belong to sheets of accounts, the others to those of a map."""
    form = base.layout(cls)
    return not form.words or of.meaning("statements", form.words[0]) == form.words[0]


def any_of(kind: type[base.Statement], of: Vocabulary, *, but: Any = ()) -> s.SearchStrategy[Any]:
    """Any statement of any class of a kind."""
    classes = [cls for cls in base.WORDS if issubclass(cls, kind) and not issubclass(cls, but) and speaks(of, cls)]
    return s.one_of([statements(cls, of) for cls in classes])


@s.composite
def whole_sheets(draw: s.DrawFn) -> tuple[list[base.Statement], Vocabulary | None]:
    """Statements in an order that a sheet may have, and the words of its game if it is a known one."""
    game = draw(s.sampled_from([*names(), "nowhere"]))
    known = games.vocabulary(game)
    of = known or base_words()
    once = (
        statements_head.SheetVersion,
        statements_head.GameName,
        statements_head.PositionStart,
        statements_head.SetupStart,
        base.Positioned,
    )
    found: list[base.Statement] = [
        statements_head.SheetVersion(0, 1),
        statements_head.GameName(0, game),
        *draw(s.lists(any_of(base.Header, of, but=once), max_size=6)),
    ]
    if draw(s.booleans()):
        found += [
            draw(s.sampled_from([statements_head.PositionStart(0), statements_head.SetupStart(0)])),
            *draw(s.lists(any_of(base.Positioned, of), max_size=6)),
        ]
    if draw(s.booleans()):
        found += [
            draw(statements(st.TurnStart, of)),
            *draw(s.lists(any_of(base.Statement, of, but=(base.Header, base.Act)), max_size=8)),
        ]
    return found, known


def base_words() -> Vocabulary:
    """The notation's own words."""

    return notation()


def bare(statement: Any) -> Any:
    """A statement and its sub-statements with line 0."""
    acts = {"acts": tuple(map(bare, statement.acts))} if isinstance(statement, st.Engagement) else {}
    return replace(statement, line=0, **acts)

"""Changes to the small module that lie in pieces, saved games and elements of its map."""

from __future__ import annotations

from hexforge.modulegen.archive import pack
from hexforge.modulegen.vassal import traits as t
from hexforge.modulegen.vassal.payload import encode_payload
from hexforge.modulegen.vassal.save import SAVED_GAME

from .small import MASK, Change, Files, piece, slot, with_
from .test_lint import GO

M = "VASSAL.build.module."
NOWHERE = "MODULE|true|{}|{}||{}||0|0|{}|false|||EQUALS||"
LEAVES = t.ctrl("D")
TURNS = t.Layer(images=("guard.png", "back.png"), increase_menu="Turn", increase_key=GO)
PEEKED = t.Obscurable(key=MASK, image="back.png", display="P57348,0,go")
DIE = f'<{M}SpecialDie name="D"><{M}SpecialDieFace text="1" value="1"/></{M}SpecialDie>'
CHART_MAP = '<VASSAL.build.widget.WidgetMap mapName="S"/>'
CARRIED = "+/null/{}piece;;;{};X/{}null;0;0;;0"


def el(text: str) -> Change:
    return with_(elements=text)


def in_map(text: str) -> Change:
    return with_(in_map=text)


def saved(*traits: t.Trait, data: bytes | None = None) -> Change:
    """A piece in the saved game of the set-up."""
    states = [x.state() for x in traits]
    added = t.add_piece("77", t.piece_type(traits), t.piece_state(traits, states)).encode()
    game = [(SAVED_GAME, encode_payload(b"begin_save\x1b" + added + b"\x1bend_save"))]

    def change(files: Files) -> None:
        more = [("moduledata", files["moduledata"].replace(b">Small<", b">Large<"))] if data == b"foreign" else []
        files["start.vsav"] = data if data not in (None, b"foreign") else pack([*game, *more])  # type: ignore[assignment]

    return change


def counted(inner: str) -> t.Trait:
    return t.CalculatedProperty("C", f'{{CountStack("{inner}")}}')


def stacked(*traits: t.Trait) -> Change:
    """A piece that each game begins with."""
    kind = f"{M}map.SetupStack"
    return in_map(f'<{kind} name="A" owningBoard="Board">{slot(*traits, gpid="5")}</{kind}>')


def carries(marker: str, *around: t.Trait) -> Change:
    return piece(t.PlaceMarker(menu="Place", key=GO, marker=marker), *around)


def deck(attributes: str, inside: str = "") -> Change:
    kind = f"{M}map.DrawPile"
    return in_map(f'<{kind} name="More" owningBoard="Board" {attributes}>{inside}</{kind}>')

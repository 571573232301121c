"""A small sound module as a stranger might have made it, to be spoiled at one place."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable

from PIL import Image

from hexforge.modulegen.archive import pack
from hexforge.modulegen.vassal import traits as t
from hexforge.modulegen.vassal.archive import Metadata, write_metadata
from hexforge.modulegen.vassal.payload import encode_payload
from hexforge.modulegen.vassal.save import SAVED_GAME

Files = dict[str, bytes]
Change = Callable[[Files], object]

FLIP, MASK = t.ctrl("F"), t.ctrl("O")


def picture(width: int = 8, height: int = 8) -> bytes:
    out = io.BytesIO()
    Image.new("1", (width, height)).save(out, "PNG")
    return out.getvalue()


def escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;").replace("\t", "&#9;")


def slot(*traits: t.Trait, name: str = "Guard", gpid: str = "1", image: str = "guard.png") -> str:
    """A piece slot with some traits, outermost first, on a basic piece."""
    text = t.slot_text((*traits, t.BasicPiece(image=image, name=name)), gpid)
    body = escaped(text)
    kind = "VASSAL.build.widget.PieceSlot"
    return f'<{kind} entryName="{name}" gpid="{gpid}" width="64" height="64">{body}</{kind}>'


def prototype(name: str, *traits: t.Trait) -> str:
    text = escaped(t.slot_text((*traits, t.BasicPiece()), ""))
    kind = "VASSAL.build.module.PrototypeDefinition"
    return f'<{kind} name="{name}" description="">{text}</{kind}>'


FLIPPING = (
    t.ReportState((FLIP,), "$oldPieceName$ is $newPieceName$ *"),
    t.Layer(name="Step", images=("guard.png", "back.png"), increase_menu="Flip", increase_key=FLIP),
)

_HEAD = """<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<VASSAL.build.GameModule name="Small" version="1.0" description="" VassalVersion="3.7.0" nextPieceSlotId="90">
<VASSAL.build.module.BasicCommandEncoder/>
<VASSAL.build.module.Documentation>
<VASSAL.build.module.documentation.HelpFile title="Help" fileName="help.html" fileType="archive"/>
</VASSAL.build.module.Documentation>
<VASSAL.build.module.PlayerRoster buttonText="Retire" buttonToolTip="" buttonIcon="" buttonKeyStroke="">
<entry>Red</entry><entry>Blue</entry></VASSAL.build.module.PlayerRoster>
<VASSAL.build.module.Map mapName="Field" markMoved="Always"
 markUnmovedIcon="/images/unmoved.gif" markUnmovedHotkey="" moveKey="">
<VASSAL.build.module.map.BoardPicker><VASSAL.build.module.map.boardPicker.Board name="Board" image="board.png"/>
</VASSAL.build.module.map.BoardPicker>
<VASSAL.build.module.map.DrawPile name="Reserve" owningBoard="Board" x="5" y="5" reshufflable="false"/>
<VASSAL.build.module.map.PieceMover/><VASSAL.build.module.map.KeyBufferer/>
<VASSAL.build.module.map.ForwardToKeyBuffer/><VASSAL.build.module.map.MenuDisplayer/>
<!--map-->
</VASSAL.build.module.Map>
<VASSAL.build.module.DiceButton name="Dice" text="Dice" icon="/images/die.gif" hotkey="68,520"
 reportFormat="$name$ $result$"/>
<VASSAL.build.module.PredefinedSetup name="Start" file="start.vsav" useFile="true" isMenu="false"/>
<VASSAL.build.module.properties.GlobalProperties>
<VASSAL.build.module.properties.GlobalProperty name="Weather" initialValue="clear"/>
</VASSAL.build.module.properties.GlobalProperties>
<VASSAL.build.module.PrototypesContainer>
"""


def build_file(
    pieces: Iterable[str] = (), prototypes: Iterable[str] = (), elements: str = "", in_map: str = ""
) -> bytes:
    """The module's build file with more in it."""
    text = _HEAD.replace("<!--map-->", in_map) + prototype("Unit", *FLIPPING) + "".join(prototypes)
    text += "</VASSAL.build.module.PrototypesContainer>\n" + elements
    text += '<VASSAL.build.module.PieceWindow name="Pieces" text="Pieces" icon="" hotkey="">\n'
    text += slot(t.UsePrototype("Unit")) + "\n" + "\n".join(pieces)
    return (text + "</VASSAL.build.module.PieceWindow></VASSAL.build.GameModule>").encode()


def sound() -> Files:
    """All files of the module, in which nothing is wrong."""
    return {
        "buildFile.xml": build_file(),
        "moduledata": write_metadata(Metadata("Small", "1.0", "3.7.0")),
        "help.html": b"<html>Help</html>",
        "start.vsav": pack([(SAVED_GAME, encode_payload(b"begin_save\x1b\x1bend_save"))]),
        "images/board.png": picture(),
        "images/guard.png": picture(),
        "images/back.png": picture(),
    }


def packed(*changes: Change) -> bytes:
    """The module with some changes, as the bytes of its archive."""
    files = sound()
    for change in changes:
        change(files)
    return pack(files.items())


def with_(**parts: object) -> Change:
    """More in the build file, as `build_file` takes it."""
    return lambda files: files.update({"buildFile.xml": build_file(**parts)})  # type: ignore[arg-type]


def piece(*traits: t.Trait, more: tuple[str, ...] = ()) -> Change:
    """One more piece, that of the sound module left as it is."""
    return with_(pieces=[slot(*traits, gpid="2", name="Scout")], prototypes=more)


def edit(pattern: str, new: str) -> Change:
    """Another text in the build file at one place."""

    def change(files: Files) -> None:
        text, count = re.subn(pattern, new, files["buildFile.xml"].decode(), count=1)
        assert count == 1, pattern
        files["buildFile.xml"] = text.encode()

    return change

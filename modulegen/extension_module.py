"""The build files of an extension: the `.vmdx`, and the module that stands alone.

Sources: `VASSAL.build.module.ModuleExtension`, `ExtensionElement`, `ExtensionsLoader`.

The help page of an extension: what each marker and track is for, how many there are, and the keys.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from typing import TYPE_CHECKING

from . import extension_pieces
from .assemble import prototypes, turns, windows
from .assemble.expressions import throws
from .assemble.help_page import FILE as HELP_FILE
from .assemble.module import FILE as SETUP_FILE
from .assemble.module import MARKER_EDGE, MARKER_ROWS, VASSAL_VERSION, frame
from .extension_pieces import FIRST_SLOT, sheet, slots_of
from .plan import PLAN_TITLE_IMAGE, prefix_of
from .plan.markers import icon
from .render import templates
from .render.markers import face_name, track_name
from .vassal.buildfile import Element, make
from .vassal.encoding import encode_safe

if TYPE_CHECKING:
    from .plan import ExtensionPlan
    from .vassal.traits import Key


_LEVEL_DAY, _LEVEL_PART = "Day", "PartOfDay"


def help_file(plan: ExtensionPlan) -> str:
    """The help of the extension: by the name of a module's own, VASSAL would show that one."""
    return f"{prefix_of(plan.extension)}-{HELP_FILE}"


def description(plan: ExtensionPlan) -> str:
    """What the list of modules says of it."""
    text = plan.words.text
    parts = (plan.words.title(plan.extension), text.get("title.subtitle"), text.get("title.period"))
    return " · ".join(filter(None, parts))


def extension(plan: ExtensionPlan, version: str) -> Element:
    """The build file of the `.vmdx`: palette, sheet and help, each hung on the module itself, whichever it is."""
    title = plan.words.title(plan.extension)
    parts = (_palette(plan, None), sheet(plan, marked=True), _help(plan))
    return make(
        "ModuleExtension",
        *[make("ExtensionElement", part) for part in parts],
        anyModule=True,
        version=version,
        description=description(plan),
        module=title,
        moduleVersion="0",
        vassalVersion=VASSAL_VERSION,
        nextPieceSlotId=len(plan.pieces),
        extensionId=prefix_of(plan.extension),
    )


def module(plan: ExtensionPlan, version: str) -> Element:
    """The build file of the module that stands alone."""
    words = plan.words
    setup = make(
        "PredefinedSetup", name=words("setup.name"), description=words("setup.description"), file=SETUP_FILE
    )
    return frame(
        words,
        plan.extension,
        PLAN_TITLE_IMAGE,
        (
            make("GlobalOptions"),
            make("GlobalProperties", throws()),
            *map(make, ("GlobalTranslatableMessages", "Language")),
            make("PrototypesContainer"),
            *_tracker(plan),
            sheet(plan, main=True, marked=True),
            _palette(plan, FIRST_SLOT),
            *turns.dice(plan),
        ),
        (turns.inventory(words, "MarkerId", "CurrentMap,LocationName"), setup),
        version=version,
        description=description(plan),
        nextPieceSlotId=FIRST_SLOT + len(plan.pieces),
    )


def _help(plan: ExtensionPlan) -> Element:
    title = plan.words("tracks.help", title=plan.words.title(plan.extension))
    return make(
        "ChartWindow",
        make("HtmlChart", chartName=title, fileName=help_file(plan)),
        name=title,
        tooltip=title,
        icon=icon("charts"),
    )


def _palette(plan: ExtensionPlan, first: int | None) -> Element:
    """The markers: beside the chat in a module, in a window of their own in an extension."""
    words, alone = plan.words, first is not None
    title = words.title(plan.extension)
    name = words("palette.markers") if alone else words("tracks.markers", title=title)
    slots = slots_of(plan, first)
    columns = max(1, -(-len(slots) // MARKER_ROWS))
    panel = make(
        "PanelWidget",
        *slots,
        entryName=name,
        fixed=True,
        nColumns=columns,
        scale=f"{MARKER_EDGE / plan.size:.3f}" if alone else "1.0",
    )
    return make(
        "PieceWindow",
        panel,
        name=name,
        text=name if alone else "",
        tooltip=name,
        icon=icon("markers"),
        hotkey=windows.HOTKEY_MARKERS if alone else "",
        defaultWidth=columns * ((MARKER_EDGE if alone else plan.size) + 6) + 20,
    )


def _tracker(plan: ExtensionPlan) -> Iterator[Element]:
    """Days, and the turns of each."""
    words, days = plan.words, plan.extension.days
    if days is None:
        return
    count = (days.last - days.first).days + 1
    dates = [words.date(days.first + datetime.timedelta(days=n)) for n in range(count)]
    parts = [words.text.get(f"turns.{part}", part) for part in days.parts]
    yield make(
        "TurnTracker",
        make(
            "ListTurnLevel",
            make("ListTurnLevel", name=_LEVEL_PART, property=_LEVEL_PART, list=encode_safe(parts, ",")),
            name=_LEVEL_DAY,
            property=_LEVEL_DAY,
            list=encode_safe(dates, ","),
        ),
        name=words("turn.name"),
        buttonText=words("turn.name"),
        icon=icon("turn"),
        nexthotkey=turns.HOTKEY_NEXT,
        prevhotkey=turns.HOTKEY_BACK,
        turnFormat="$level1$ · $level2$",
        reportFormat=words("report.turn"),
        tooltip=words("button.turn_window"),
        lengthStyle="Fixed",
        length=turns.width([f"{date} · {part}" for date in dates for part in parts]),
    )


def page(plan: ExtensionPlan) -> bytes:
    """The page, UTF-8, every character beyond ASCII as a reference, for the viewer guesses encodings."""
    words, game = plan.words, plan.extension.game
    text = words.text
    html = templates.render(
        "supplies/help.html.j2",
        title=words.title(plan.extension),
        words=words,
        text=text,
        specials=[line for key, line in sorted(text.section("help").items()) if key.startswith("special")],
        markers=[
            (
                " / ".join(face_name(text, face.id) for face in marker.faces),
                str(count) if (count := game.count(id_)) is not None else words("tracks.as_many"),
                plan.extension.citation(marker.section),
            )
            for id_, marker in game.markers.items()
        ],
        tracks=[
            (track_name(text, id_), plan.extension.citation(track.section)) for id_, track in game.tracks.items()
        ],
        tracks_heading=words("tracks.heading"),
        uncounted=words("tracks.uncounted") if game.uncounted() else "",
        endless=[face_name(text, game.markers[id_].faces[0].id) for id_ in game.uncounted()],
        set_counts=words("tracks.set_counts"),
        keys=[(key.label, words(what)) for key, what in _keys(plan)],
        sources=game.sources,
    )
    return html.encode("ascii", "xmlcharrefreplace")


def _keys(plan: ExtensionPlan) -> list[tuple[Key, str]]:
    found = [
        (prototypes.KEY_NEXT, "menu.next"),
        (extension_pieces.KEY_FORWARD, "menu.next_box"),
        (extension_pieces.KEY_BACK, "menu.previous_box"),
        (extension_pieces.KEY_NUMBER, "menu.number"),
        (prototypes.KEY_CLONE, "menu.clone"),
        (prototypes.KEY_DELETE, "menu.delete"),
        (windows.HOTKEY_TRACKS, "tracks.tip"),
    ]
    if any(marker.hidden for marker in plan.extension.game.markers.values()):
        found[2:2] = [(extension_pieces.KEY_MASK, "menu.mask"), (extension_pieces.KEY_HIDE, "menu.hide")]
    if plan.extension.days is not None:
        found += [
            (turns.HOTKEY_NEXT, "button.turn_next"),
            (turns.HOTKEY_BACK, "button.turn_back"),
        ]
    return found

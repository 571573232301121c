"""The help page of an extension: what each marker and track is for, how many there are, and the keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexforge.modulegen.assemble import prototypes, turns, windows
from hexforge.modulegen.extension import pieces
from hexforge.modulegen.render.supplies import face_name, track_name

if TYPE_CHECKING:
    from hexforge.modulegen.extension.plan import ExtensionPlan
    from hexforge.modulegen.vassal.traits import Key


def page(plan: ExtensionPlan) -> bytes:
    """The page, UTF-8, every character beyond ASCII as a reference, for the viewer guesses encodings."""
    from hexforge.modulegen.render import templates

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
        (pieces.KEY_FORWARD, "menu.next_box"),
        (pieces.KEY_BACK, "menu.previous_box"),
        (pieces.KEY_NUMBER, "menu.number"),
        (prototypes.KEY_CLONE, "menu.clone"),
        (prototypes.KEY_DELETE, "menu.delete"),
        (windows.HOTKEY_TRACKS, "tracks.tip"),
    ]
    if any(marker.hidden for marker in plan.extension.game.markers.values()):
        found[2:2] = [(pieces.KEY_MASK, "menu.mask"), (pieces.KEY_HIDE, "menu.hide")]
    if getattr(plan.extension.game, "days", None) is not None:
        found += [(turns.HOTKEY_NEXT, "button.turn_next"), (turns.HOTKEY_BACK, "button.turn_back")]
    return found

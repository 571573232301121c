"""What is wrong with markers, tracks and counts, in whole games and in extensions alike."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from hexforge.scenarios.checks.checker import Teller
from hexforge.scenarios.problems import Problem
from hexforge.scenarios.schema.supplies import Supplies

_FILE: Final = "game.yaml"


def supplies_fit(game: Supplies, tell: Teller) -> Iterator[Problem]:
    """Counts say what the rulebook leaves open and nothing else; markers begin where there is a place for them."""
    yield from _counts(game, tell)
    yield from _starts(game, tell)


def _counts(game: Supplies, tell: Teller) -> Iterator[Problem]:
    for id_, count in game.counts.items():
        printed = game.markers[id_].count if id_ in game.markers else None
        if printed is not None:
            yield tell.error(_FILE, ["counts", id_], "extension.printed", id=id_, count=count, printed=printed)
    if kinds := tuple(game.uncounted()):
        yield tell.warning(_FILE, ["counts"], "extension.uncounted", kinds=kinds)


def _starts(game: Supplies, tell: Teller) -> Iterator[Problem]:
    for id_, marker in game.markers.items():
        start, at = marker.start, ["markers", id_, "start"]
        if start is None:
            continue
        if bool(start.track) == bool(start.hexes):
            yield tell.error(_FILE, at, "extension.no-start", id=id_)
        elif start.track in game.tracks:
            track = game.tracks[start.track]
            if start.box and start.box not in track.boxes:
                yield tell.error(_FILE, at, "extension.no-box", box=start.box, track=start.track, known=track.boxes)
            elif not start.box and track.first_room is None:
                yield tell.error(_FILE, at, "extension.no-waiting", track=start.track)

"""What a typed line must have led to on the map to have been carried out."""

from __future__ import annotations

from collections.abc import Callable

from hexforge.validator.readers.notation import statements as st
from hexforge.validator.transcribe.spots import Spot


def outcome_of(s: st.Statement) -> Callable[[Spot], bool] | None:
    """Where the counters of a statement must be in the end for it to have been carried out."""
    match s:
        case st.Found(hex=str() as hex_) if hex_:
            return _at(hex_)
        case st.Exit() | st.Retreat(edge=str()):
            return lambda spot: spot.place in ("left", "dead")
        case st.Move(path=path) | st.Enter(path=path) | st.RailMove(path=path) | st.Retreat(path=path):
            return _at(path[-1])
        case st.Advance(path=path):
            return _at(path[-1])
        case st.Lose():
            return lambda spot: spot.reduced > 0 or spot.place == "dead"
        case st.Eliminate():
            return lambda spot: spot.place == "dead"
        case st.Recover():
            return lambda spot: not spot.reduced
    return None


def _at(hex_: str) -> Callable[[Spot], bool]:
    return lambda spot: spot.hex == hex_

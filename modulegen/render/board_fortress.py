"""Hexes that are fortifications as a whole: a ring of ramparts with bastions, just within the hexsides."""

from __future__ import annotations

from collections.abc import Collection

from hexforge.modulegen.render.board_shapes import HexField, mix, polygon, right_of, shift, unit
from hexforge.modulegen.render.board_style import board_palette
from hexforge.scenarios.hexgrid import Hex, Point


def draw_fortress(ground: HexField, hexes: Collection[Hex]) -> list[str]:
    """A ring for each hex."""
    look = board_palette()["fortress"]
    out = []
    for hex_ in sorted(hexes):
        center = ground.center(hex_)
        ring = _ring(ground, hex_)
        trace: list[Point] = []
        for i, corner in enumerate(ring):
            before, after = ring[i - 1], ring[(i + 1) % 6]
            back, on = unit(corner, before), unit(corner, after)
            tip = mix(center, corner, 1.09)
            trace += [shift(corner, back, 12), shift(shift(corner, back, 9), right_of(on), -4), tip]
            trace += [shift(shift(corner, on, 9), right_of(back), 4), shift(corner, on, 12)]
        path = polygon(trace)
        out += [
            f'<path d="{path}" fill="none" stroke="{look["fill"]}" stroke-width="7" stroke-linejoin="round" '
            f'stroke-opacity="0.55"/>',
            f'<path d="{path}" fill="none" stroke="{look["ink"]}" stroke-width="2.6" stroke-linejoin="round"/>',
        ]
    return out


def _ring(ground: HexField, hex_: Hex) -> list[Point]:
    center = ground.center(hex_)
    return [mix(center, corner, 0.83) for corner in ground.corners(hex_)]


def ramparts(ground: HexField, hexes: Collection[Hex]) -> list[Point]:
    """Points along the rings, for what had better not stand on them."""
    rings = [_ring(ground, hex_) for hex_ in sorted(hexes)]
    return [mix(ring[i - 1], ring[i], k / 10) for ring in rings for i in range(6) for k in range(10)]

"""Statements about dice and states outside combat: air, weather, the first move, rallies, marks, attrition."""

from __future__ import annotations

from typing import Annotated

from hexforge.validator.readers.notation import kinds as k
from hexforge.validator.readers.notation.base import After, Play, statement
from hexforge.validator.readers.notation.statements_terms import Units


@statement("airroll")
class AirRoll(Play):
    """`airroll 6`: the die for the turn's air points."""

    roll: Annotated[int, k.DIE]


@statement("weather")
class WeatherRoll(Play):
    """`weather 4`: the dice for the turn's weather."""

    faces: Annotated[tuple[int, ...], k.DICE]


@statement("initiative")
class OrderRoll(Play):
    """`initiative 4`: the dice that say which side goes first in the turn."""

    faces: Annotated[tuple[int, ...], k.DICE]


@statement("rally")
class Rally(Play):
    """`rally a1 a2 roll 5`: units get rid of a mark, with the dice thrown for it where the game asks for some."""

    units: Units
    faces: Annotated[tuple[int, ...], k.DICE, After("roll")] = ()


@statement("mark")
class Mark(Play):
    """`mark a1 a2 as dug-in`: units take a mark of their own will."""

    units: Units
    mark: Annotated[str, k.MARK, After("as")]


@statement("attrition")
class Attrition(Play):
    """`attrition a1 a2 roll 4`: units lose steps for what they bear, by one throw where dice say how many."""

    units: Units
    faces: Annotated[tuple[int, ...], k.DICE, After("roll")] = ()

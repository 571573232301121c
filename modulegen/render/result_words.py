"""What a code of the result tables demands, as a sentence put together from the game's data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal

from hexforge.modulegen.render.texts import spoken
from hexforge.scenarios.schema.results import Loss

if TYPE_CHECKING:
    from hexforge.scenarios.model import Text
    from hexforge.scenarios.schema.results import Demand, Exchange, Result
    from hexforge.scenarios.schema.rules_morale import Consequence, MoraleTest, Worse

_Role = Literal["attacker", "defender"]


def told(result: Result, text: Text) -> str:
    """The demands of a result on both sides, in the order in which they are carried out."""
    roles: tuple[_Role, _Role] = (
        ("attacker", "defender") if result.first == "attacker" else ("defender", "attacker")
    )
    parts = [_side(role, getattr(result, role), text) for role in roles]
    if result.first is not None and all(parts):
        parts.append(text["charts.results.first"].format(first=text[f"charts.results.{result.first}"]))
    if result.exchange is not None:
        parts.append(_exchange(result.exchange, text))
    return " ".join(filter(None, parts)) or text["charts.results.nothing"]


def _side(role: _Role, demand: Demand, text: Text) -> str:
    parts = ", ".join(_parts(demand, text))
    return f"{text[f'charts.results.{role}']}: {parts}." if parts else ""


def _parts(demand: Demand, text: Text) -> Iterator[str]:
    for what, loss in (("units", demand.units), ("steps", demand.steps)):
        if loss is not None:
            yield loss_words(what, loss, text)
    if (back := demand.retreat) is not None:
        yield text[f"charts.results.retreat_{1 if back.hexes == 1 else 2}"].format(n=back.hexes)
        if back.by == "opponent":
            yield text["charts.results.led"]
        if back.instead:
            number = "1" if back.instead == 1 else "2"
            how = number if back.instead_of == "all" else back.instead_of
            yield text[f"charts.results.instead_{how}"].format(n=back.instead)
    if demand.mark is not None:
        yield _mark(demand.mark, text)
    yield from _again(demand.again, demand.mark, text)
    if demand.morale is not None:
        yield _test(demand.morale, text)
    if demand.advance:
        yield text["charts.results.advance"]


def _mark(mark: str, text: Text) -> str:
    return text.get(f"marks.{mark}", spoken(mark)).lower()


def _test(test: MoraleTest, text: Text) -> str:
    fails = ", ".join((*_befalls(test.fails, text), *_again(test.fails.again, test.fails.mark, text)))
    held = text[f"charts.results.held_{test.passes}"]
    dice = f"{test.dice} {test.die:+d}".replace("-", "−") if test.die else test.dice
    return text["charts.results.test"].format(dice=dice, held=held, fails=fails)


def _befalls(one: Consequence, text: Text) -> Iterator[str]:
    """What a single unit suffers."""
    if one.steps == "all":
        yield text["charts.results.eliminated"]
    elif one.steps:
        yield loss_words("steps", Loss(count=one.steps), text)
    if one.retreat:
        yield text[f"charts.results.retreat_{1 if one.retreat == 1 else 2}"].format(n=one.retreat)
    if one.mark is not None:
        yield text["charts.results.becomes"].format(mark=_mark(one.mark, text))


def _again(again: Sequence[Worse], given: str | None, text: Text) -> Iterator[str]:
    """What those suffer besides who bear a mark already."""
    for one in again:
        mark = _mark(one.bears or given or "", text)
        yield text["charts.results.again"].format(mark=mark, what=", ".join(_befalls(one, text)))


def loss_words(what: str, loss: Loss, text: Text) -> str:
    """What somebody loses: `loses 2 steps`; `what` is `steps` or `units`."""
    if loss.dice is not None:
        rows = "; ".join(f"{name} → {many}" for name, many in loss.shows.items())
        form = text["charts.results.dice_rows" if rows else "charts.results.dice"]
        said = form.format(what=text[f"charts.results.dice_{what}"], dice=loss.dice, rows=rows)
    else:
        number = loss.count if isinstance(loss.count, str) else "1" if loss.count == 1 else "2"
        said = text[f"charts.results.{what}_{number}"].format(n=loss.count)
    if loss.each:
        said = text["charts.results.each"].format(what=said)
    return text["charts.results.picked"].format(what=said) if loss.picks == "opponent" else said


def _exchange(exchange: Exchange, text: Text) -> str:
    first, then = ("attacker", "defender") if exchange.first == "attacker" else ("defender", "attacker")
    said = text[f"charts.results.exchange_{exchange.counted}"].format(
        first=text[f"charts.results.{first}"], then=text[f"charts.results.{then}"]
    )
    if exchange.share != 1:
        said = text["charts.results.share"].format(said=said, share=exchange.share)
    if exchange.counted == "factors" and exchange.strength == "printed":
        said = f"{said} {text['charts.results.printed']}"
    return said

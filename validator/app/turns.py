"""Whose turn it is in each game of a folder: who is to move, since when, and by which deadline.

Who has played a phase and owes nothing in it leaves the next to its side; an attack whose dice are known waits
for whom it costs something.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...scenarios.text.words import Message, Words, message
from ..judging import choices
from ..notation import statements as st
from ..reading import tournament
from ..report.wording import Headings
from ..rules.phases import called, next_phase
from .batch import Judging

if TYPE_CHECKING:
    from ..judging.answer import Answer
    from ..rules.position import Phase


@dataclass(frozen=True, slots=True)
class Waiting:
    """A game that waits for a side ("" when it is over): what for, since when, until when.

    `owes`: not for its phase but for what an attack costs it. `since` is None where no date is known.
    """

    source: str
    answer: Answer
    side: str
    phase: Phase | None
    owes: bool
    since: datetime | None
    until: datetime | None

    def late(self, now: datetime) -> int:
        """How many days past its deadline the turn is."""
        return max(0, (now - self.until).days) if self.until is not None and now > self.until else 0

    def as_json(self, now: datetime) -> dict[str, Any]:
        """The same with dates as ISO 8601 has them."""
        return {
            "source": self.source,
            "game": self.answer.game,
            "players": dict(self.answer.players),
            "to_move": self.side,
            "player": self.answer.players.get(self.side, ""),
            "turn": self.phase.turn if self.phase is not None else None,
            "phase": (self.phase.name or self.phase.kind) if self.phase is not None else None,
            "owes": self.owes,
            "since": self.since.isoformat() if self.since is not None else None,
            "until": self.until.isoformat() if self.until is not None else None,
            "days_late": self.late(now),
        }


def waiting(
    paths: Iterable[str], options: Mapping[str, str] | None = None, *, days: int | None = None
) -> tuple[list[Waiting], Judging, list[tuple[str, Message]]]:
    """Every game with whom it waits for, those longest in waiting first; `days` is what a player has for a turn.

    Without it `tournament.yaml` says so. The second value knows what could not be read, the third names what has no
    turns, with the reason. Raises NothingThere.
    """
    judging = Judging(list(paths), options)
    found: list[Waiting] = []
    rest: list[tuple[str, Message]] = []
    for answer in judging.answers():
        one = _waiting(answer, days)
        if one is not None:
            found.append(one)
        else:
            rest.append((answer.source, message("turns.unknown", game=answer.source)))
    found.sort(key=lambda one: (one.since is None, one.since or datetime.now(UTC)))
    return found, judging, rest


def _waiting(answer: Answer, days: int | None) -> Waiting | None:
    """Whom a game waits for; None for one whose rules move no pieces."""
    scenario, course, position = answer.scenario, answer.course, answer.position
    if scenario is None or not scenario.has_map or course is None or position is None:
        return None
    ctx, phase = course.ctx, position.phase
    if phase is None:
        return Waiting(answer.source, answer, scenario.game.sequence[0].side, None, False, _since(answer), None)
    side, owes, shown = phase.side, False, phase
    last = answer.played.statements[-1] if answer.played is not None and answer.played.statements else None
    owing = tuple(_owing(answer, last)) if isinstance(last, st.Engagement) else ()
    if owing:
        side, owes = next((s for s in owing if s != phase.side), owing[0]), True
    elif isinstance(last, st.Score) or not _unfinished(answer, last):
        following = next_phase(ctx.at(phase.turn), phase, ctx.weather(position))
        side, shown = (following.side, following) if following is not None else ("", phase)
    since, limit = _since(answer), days if days is not None else _days(answer)
    until = since + timedelta(days=limit) if since is not None and limit is not None and side else None
    return Waiting(answer.source, answer, side, shown, owes, since, until)


def _unfinished(answer: Answer, last: object) -> bool:
    """Whether the phase at hand still lacks something: dice of an attack, or what its side has to do in it."""
    course, position = answer.course, answer.position
    assert course is not None
    assert position is not None
    thrown = not isinstance(last, st.Engagement) or any(isinstance(act, st.Roll) for act in last.acts)
    return not thrown or any(f.severity == "illegal" for f in choices.closing(course.ctx, position))


def _owing(answer: Answer, last: st.Engagement) -> Iterator[str]:
    """The sides whose units still have to suffer something of the last attack."""
    course = answer.course
    assert course is not None
    before = course.outcomes[-2].position if len(course.outcomes) > 1 else course.start
    for step in choices.after_dice(course.ctx, before, last).steps:
        if not isinstance(step.act, st.Advance):
            yield from (course.ctx.units[u].side for u in getattr(step.act, "units", ()) if u in course.ctx.units)


def _days(answer: Answer) -> int | None:
    letters = (letter.source for letter in answer.intake.letters)
    files = (tournament.whole(source) for source in (answer.source, *letters) if Path(source).is_file())
    return next((file.days_for_a_turn for file in files if file is not None), None)


def _since(answer: Answer) -> datetime | None:
    """When the last mail of a game was sent, else when its file was last changed."""
    dates = [letter.date for letter in answer.intake.letters if letter.date]
    if dates:
        found = datetime.fromisoformat(max(dates))
        return found if found.tzinfo is not None else found.replace(tzinfo=UTC)
    try:
        return datetime.fromtimestamp(Path(answer.source).stat().st_mtime, UTC)
    except (OSError, ValueError):
        return None


def sentence(one: Waiting, w: Words, now: datetime) -> str:
    """Whom a game waits for, in a sentence."""
    w = w.of(one.answer.scenario.texts) if one.answer.scenario is not None else w
    if not one.side or one.phase is None:
        key = "over" if not one.side else "begin"
        side = w.heading("sides", one.side) if one.side else ""
        return w(f"turns.{key}", game=one.source, side=side)
    answer, phase = one.answer, one.phase
    side, player = w.heading("sides", one.side), answer.players.get(one.side, "")
    word = called(answer.course.ctx, phase)[0] if answer.course is not None else phase.kind
    values = {
        "game": one.source,
        "who": f"{player} ({side})" if player else side,
        "turn": Headings(answer, w).turn(phase.turn),
        "phase": w.heading("phases", word),
    }
    parts = [w("turns.owes" if one.owes else "turns.moves", **values)]
    if one.since is not None:
        parts.append(w("turns.since", date=one.since.date().isoformat(), count=max(0, (now - one.since).days)))
    if one.until is not None:
        late = one.late(now)
        date = one.until.date().isoformat()
        parts.append(w("turns.late", date=date, count=late) if late else w("turns.until", date=date))
    return "; ".join(parts)

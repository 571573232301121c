"""The table as its page sees it: pieces and places once, the state after every step, and answers to what is asked.

All figures are the referee's; the page keeps no rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, cast

from ...scenarios.console import safe
from ...scenarios.schema.results import Dice
from ...scenarios.text.words import Language, Words, message
from ..judging import choices
from ..judging.check import answer_of
from ..judging.choices import Means, Plan, Step
from ..judging.replayed import Replayed
from ..notation import statements as st
from ..notation.base import WORDS, Act, Statement
from ..report import wording
from ..report.replay_judged import Recorder, spoken
from ..report.replay_model import NOBODY, Replay, Tongues
from ..report.replay_page import Writer, as_json
from ..report.replay_pictures import Studio, apart
from ..rules import victory
from ..rules.context import Outcome
from ..rules.findings import Finding
from ..rules.phases import called
from ..rules.position import Phase
from ..rules.sealed import dice_of, thrown
from .session import Fight, NotPlayable, Session

Asked = Mapping[str, Any]
"""What the page sends, of which nothing is to be trusted."""
_MOST: Final = 200
"""Units, hexes or faces that a request may name."""


class _Everybody(Recorder):
    """A recorder that knows every piece that may come into play."""

    def _name_pieces(self) -> None:
        for unit in sorted(self.ctx.units):
            if self.ctx.plays(unit):
                self.pieces[unit] = len(self.pieces)


class Table:
    """A session with its pieces, places and pictures. `opens` gives the line that opens sealed throws that wait."""

    def __init__(
        self,
        session: Session,
        language: Language,
        studio: Studio | None = None,
        opens: Callable[[Replayed], Statement] | None = None,
    ) -> None:
        self.session, self.opens = session, opens
        self._studio = studio or Studio()
        self._lay(language)

    def relay(self, session: Session, language: Language) -> None:
        """Another game on the table."""
        self.session = session
        self._lay(language)

    def _lay(self, language: Language) -> None:
        session = self.session
        answer = answer_of(session.found.sheet, session.found)
        languages = spoken(language)
        self.say = Tongues(answer, languages)
        self.recorder = _Everybody(answer, session.scenario, self.say)
        self.recorder.position = session.position
        self._drawn = frozenset(self.recorder.pieces), session.ctx.map
        found = self.recorder.replay_of_position()
        self.replay: Replay = replace(found, notes=(), talks=())
        faces = dict.fromkeys(face for piece in found.pieces for face in piece.faces)
        every = [answer.words(code) for code in languages]
        drawn = self._studio.pictures(session.scenario, session.ctx.map, every, faces)
        self.pictures, self.files = apart(drawn)
        self.writer = Writer(tuple(languages))

    # ------------------------------------------------------------------------------------------------ what is

    def data(self) -> dict[str, Any]:
        """What the page needs once: the board, pieces, words and where pictures lie."""
        words = {
            code: {**Words(code).section("page"), **Words(code).section("play")} for code in self.replay.languages
        }
        return {
            "replay": as_json(self.replay),
            "words": words,
            "pictures": self.pictures.as_json(),
            "game": self.session.scenario.name,
        }

    def state(self, language: Language) -> dict[str, Any]:
        """Where the game stands and what is open, in a language."""
        session, w = self.session, self.words(language)
        position, ctx = session.position, session.ctx
        phase, following = position.phase, session.next
        units, spot = position.units, self.recorder.spot_of
        fight = session.fight
        stage = self._stage()
        open_ = phase is not None and not session.over and stage in ("", "free")
        moving = open_ and phase is not None
        targets = choices.targets(ctx, position) if moving else ()
        return {
            "puts": [[n, spot(units[u]), units[u].lost] for u, n in self.recorder.pieces.items()],
            "spots": [self.writer.spot(one) for one in self.recorder.spots],
            "phase": self._phase(phase, w) if phase is not None and not session.over else None,
            "side": self._side(phase.side) if phase is not None else NOBODY,
            "next": self._phase(following, w) if following is not None else None,
            "movers": choices.movers(ctx, position) if moving else (),
            "arrivals": choices.arrivals(ctx, position) if moving else (),
            "unset": session.unset,
            "deeds": self._deeds(choices.phase_deeds(ctx, position) if moving else (), language),
            "targets": [{"h": self.spot_of(t.hex), "u": t.attackers, "owed": t.owed} for t in targets],
            "fire": choices.fires(ctx, position) if moving else (),
            "overrun": phase is not None and phase.kind == "movement",
            "fight": self._fight(language, stage) if fight is not None and stage else None,
            "owed": [self._finding(f, w) for f in session.closing if f.severity in choices.FAULTS],
            "found": [self._finding(f, w) for f in self._found()],
            "text": session.text,
            "undo": session.now > 0,
            "redo": session.now < len(session.history) - 1,
            "score": [victory.score(ctx, position).get(side, 0) for side in self.recorder.sides],
            "air": [position.air.get(side, 0) for side in self.recorder.sides],
            "zones": [sorted(self.recorder.zone_of(position, side)) for side in self.recorder.sides],
            "last": self._last(),
            "waits": safe(self._waiting()),
            "sealed": bool(session.found.opened.seals.chains),
            "opens": self.opens is not None,
        }

    def _found(self) -> list[Finding]:
        """What is found so far, lines that could not be read first."""
        every = (*self.session.state.unread, *self.session.findings)
        return [finding for finding in every if finding.severity != "info"]

    def _stage(self) -> str:
        """What an attack waits for: its `dice`, a link that opens them, what is `owed`, nothing that must be."""
        fight = self.session.fight
        if fight is None:
            return ""
        if self._waiting():
            return "waits"
        if not fight.rolled:
            certain = any(isinstance(act, st.Result) for act in fight.statement.acts)
            return "" if certain else "dice"
        return "owed" if choices.faults(fight.outcome) else "free"

    def _waiting(self) -> str:
        """Whose next link opens the throws that wait, and its number; "" where none waits."""
        opened = self.session.found.opened
        chain = opened.opener() if self.session.state.frame is None and opened.waiting else None
        return f"{chain.player} {chain.number + 1}" if chain is not None else ""

    def _last(self) -> dict[str, Any]:
        """The ways of the last statement, for the board to show."""
        frame = self.session.state.frame
        if frame is None:
            return {"w": []}
        ways = self.recorder.ways_of(frame.statement, frame.before, frame.outcome.moves)
        return {"w": [self.writer.way(way) for way in ways]}

    def _fight(self, language: Language, stage: str) -> dict[str, Any]:
        session = self.session
        fight = session.fight
        assert fight is not None
        statement, before = fight.statement, fight.before
        found: dict[int, list[Finding]] = {}
        for finding in fight.outcome.findings:
            found.setdefault(finding.line, []).append(finding)
        shown = [
            self.writer.fight(f) for f in self.recorder.fights.of(statement, before, fight.outcome.combats, found)
        ]
        w = self.words(language)
        open_ = choices.after_dice(session.ctx, before, statement) if fight.rolled else None
        dice = self._dice_of(statement)
        return {
            "stage": stage,
            "h": [self.spot_of(h) for h in statement.targets],
            "sheet": shown,
            "dice": [dice.count, dice.faces],
            "owed": [self._finding(f, w) for f in open_.owed] if open_ else [],
            "steps": [self._step(n, step, language) for n, step in enumerate(open_.steps)] if open_ else [],
            "told": [session.told(act, language) for act in statement.acts],
        }

    def _dice_of(self, statement: st.Engagement) -> Dice:
        scenario = self.session.scenario
        return dice_of(st.Roll(0, ()), scenario, statement) or scenario.tables.crt.thrown

    def _step(self, number: int, step: Step, language: Language) -> dict[str, Any]:
        act = step.act
        path = getattr(act, "path", ())
        return {
            "n": number,
            "k": type(act).__name__.lower(),
            "u": getattr(act, "units", ()),
            "p": [self.spot_of(h) for h in path],
            "edge": getattr(act, "edge", None) or "",
            "dice": [step.dice.count, step.dice.faces] if step.dice is not None else None,
            "x": "; ".join(self.session.told(one, language) for one in step.acts),
        }

    def _deeds(self, found: Sequence[choices.Deed], language: Language) -> list[dict[str, Any]]:
        return [
            {
                "n": n,
                "x": self._deed_told(deed, language),
                "dice": [deed.dice.count, deed.dice.faces] if deed.dice else None,
            }
            for n, deed in enumerate(found)
        ]

    def _deed_told(self, deed: choices.Deed, language: Language) -> str:
        """A deed as its line says it, a throw by its name and its units."""
        if deed.dice is None:
            return self.session.told(deed.statement, language)
        name = self.words(language).heading("statements", " ".join(WORDS[type(deed.statement)]))
        return " ".join((name, *getattr(deed.statement, "units", ())))

    def _finding(self, finding: Finding, w: Words) -> dict[str, Any]:
        spots = self.recorder.spot
        return {
            "v": finding.severity,
            "l": finding.line,
            "r": safe(finding.rule),
            "x": safe(w.say(finding.message)),
            "h": [spots[h] for h in finding.hexes if h in spots],
            "u": list(finding.units),
        }

    def _phase(self, phase: Phase, w: Words) -> str:
        session = self.session
        word, _ = called(session.ctx, phase, session.ctx.weather(session.position))
        turn = wording.Headings(self.say.answer, w).turn(phase.turn)
        return safe(f"{turn} · {w.heading('sides', phase.side)} · {w.heading('phases', word)}")

    def _side(self, side: str) -> int:
        return self.recorder.sides.index(side) if side in self.recorder.sides else NOBODY

    def words(self, language: Language) -> Words:
        """The words of the game in a language."""
        return self.say.answer.words(language)

    # ------------------------------------------------------------------------------------------------ what is asked

    def choose(self, asked: Asked, language: Language) -> dict[str, Any]:
        """Where some units may go, and what else they may do."""
        session = self.session
        units, via = self._units(asked.get("units")), self._hexes(asked.get("via"))
        if asked.get("rail"):
            found = choices.rail_goals(session.ctx, session.position, units)
        elif any(u in session.unset for u in units):
            return {"goals": [{"h": self.spot_of(h), "p": [], "c": None, "l": None} for h in session.rooms(units)]}
        else:
            found = choices.goals(session.ctx, session.position, units, via)
        goals = [
            {"h": self.spot_of(g.hex), "p": [self.spot_of(h) for h in g.path], "c": g.cost, "l": g.left}
            for g in found.values()
        ]
        rail = not via and bool(session.ctx.movement.railway) and session.position.hex_of(units[0]) is not None
        return {
            "goals": goals,
            "deeds": self._deeds(choices.deeds(session.ctx, session.position, units), language),
            "rail": rail and bool(choices.rail_goals(session.ctx, session.position, units)),
        }

    def fire(self, asked: Asked, language: Language) -> dict[str, Any]:
        """The hexes that guns alone, or aircraft alone, may fire at."""
        kind = "airstrike" if asked.get("kind") == "airstrike" else "bombard"
        found = choices.fire_targets(self.session.ctx, self.session.position, cast("Means", kind))
        return {"hexes": [self.spot_of(h) for h in found]}

    def plan(self, asked: Asked, language: Language) -> dict[str, Any]:
        """An attack worked out before it is declared, and who may join it."""
        session, w = self.session, self.words(language)
        plan = self._plan(asked)
        ctx = session.ctx.at(session.position.turn)
        found = choices.preview(ctx, session.position, plan)
        aid = choices.aid(ctx, session.position, plan)
        statement = plan.statement()
        records = (found.record,) if found.record is not None else ()
        shown = [self.writer.fight(f) for f in self.recorder.fights.of(statement, session.position, records, {})]
        return {
            "sheet": shown,
            "chances": found.chances,
            "blind": found.blind,
            "objections": [self._finding(f, w) for f in found.objections],
            "aid": {
                "supports": aid.supports, "guards": aid.guards, "offboard": aid.offboard,
                "guard_offboard": aid.guard_offboard, "air": aid.air, "guard_air": aid.guard_air,
            },
        }  # fmt: skip

    # ------------------------------------------------------------------------------------------------ what is done

    def act(self, asked: Asked, language: Language) -> dict[str, Any]:
        """Do what the page asks, and tell how the game stands then. Raises NotPlayable for what is not open."""
        doing = self._doings().get(str(asked.get("do", "")))
        if doing is None:
            raise NotPlayable(message("play.unknown"))
        self.session.language = language
        doing(asked)
        return self.shown(language)

    def shown(self, language: Language) -> dict[str, Any]:
        """The state; where a text has brought other units or another map, that the page is to be loaded anew."""
        ctx = self.session.ctx
        if self._drawn == (frozenset(filter(ctx.plays, ctx.units)), ctx.map):
            return self.state(language)
        self._lay(language)
        return {"reload": True}

    def _doings(self) -> dict[str, Callable[[Asked], object]]:
        session = self.session
        return {
            "move": self._move,
            "deed": self._deed,
            "declare": self._declare,
            "roll": self._roll,
            "seal": self._seal,
            "open": self._open,
            "after": self._after,
            "place": self._place,
            "next": lambda _: session.open_next(),
            "undo": lambda _: session.undo(),
            "redo": lambda _: session.redo(),
            "edit": self._edit,
        }

    def _move(self, asked: Asked) -> None:
        session = self.session
        units, hex_ = self._units(asked.get("units")), self._hex(asked.get("hex"))
        if asked.get("rail"):
            found = choices.rail_goals(session.ctx, session.position, units)
        else:
            found = choices.goals(session.ctx, session.position, units, self._hexes(asked.get("via")))
        if hex_ not in found:
            raise NotPlayable(message("play.not-open"))
        session.play(found[hex_].statement)

    def _place(self, asked: Asked) -> None:
        if asked.get("all"):
            self.session.place_all()
        else:
            self.session.place(self._units(asked.get("units")), self._hex(asked.get("hex")))

    def _deed(self, asked: Asked) -> None:
        session, units = self.session, self._units(asked.get("units"))
        found = (
            choices.deeds(session.ctx, session.position, units)
            if units
            else choices.phase_deeds(session.ctx, session.position)
        )
        number = asked.get("n")
        if not isinstance(number, int) or not 0 <= number < len(found):
            raise NotPlayable(message("play.not-open"))
        deed = found[number]
        faces = self._faces(asked.get("faces"), deed.dice, session.told(deed.statement, "en")) if deed.dice else ()
        session.play(deed.thrown(faces))

    def _declare(self, asked: Asked) -> None:
        session, plan = self.session, self._plan(asked)
        ctx = session.ctx.at(session.position.turn)
        if choices.preview(ctx, session.position, plan).objections and not asked.get("insist"):
            raise NotPlayable(message("play.not-open"))
        session.play(choices.declared(ctx, session.position, plan))

    def _roll(self, asked: Asked) -> None:
        fight = self.session.fight
        if fight is None or fight.rolled or self._waiting():
            raise NotPlayable(message("play.no-fight"))
        dice = self._dice_of(fight.statement)
        self.session.roll(self._faces(asked.get("faces"), dice, self._asked_of(fight)))

    def _asked_of(self, fight: Fight) -> str:
        """By what a throw is known again: all that was said of its attack."""
        return "\n".join(self.session.told(one, "en") for one in (fight.statement, *fight.statement.acts))

    def _seal(self, asked: Asked) -> None:
        fight = self.session.fight
        if fight is None or fight.rolled or self._waiting():
            raise NotPlayable(message("play.no-fight"))
        self.session.ask_sealed()

    def _open(self, asked: Asked) -> None:
        """Open the throws that wait with the next link of the player whose secret the table was given."""
        if self.opens is None:
            raise NotPlayable(message("play.no-fight"))
        self.session.open_sealed(self.opens(self.session.found))

    def _after(self, asked: Asked) -> None:
        """Carry out steps after the dice: those of one kind and one way in one line."""
        session, fight = self.session, self.session.fight
        numbers = asked.get("steps")
        if fight is None or not isinstance(numbers, list):
            raise NotPlayable(message("play.no-fight"))
        found = choices.after_dice(session.ctx, fight.before, fight.statement).steps
        if not numbers or any(not isinstance(n, int) or not 0 <= n < len(found) for n in numbers[:_MOST]):
            raise NotPlayable(message("play.not-open"))
        steps = [found[n] for n in numbers[:_MOST]]
        first = steps[0].act
        if (dice := steps[0].dice) is not None:
            faces = self._faces(asked.get("faces"), dice, f"{self._asked_of(fight)}\n{session.told(first, 'en')}")
            session.grow(cast("Act", thrown(first, faces)))
            return
        before = session.now
        session.grow(*_joined(steps))
        worse = [
            f
            for f in choices.faults(session.fight.outcome if session.fight else fight.outcome)
            if f.message.key not in _kinds(fight.outcome)
        ]
        if worse and len(steps) > 1 and not asked.get("insist"):
            session.now = before
            raise NotPlayable(worse[0].message)

    def _edit(self, asked: Asked) -> None:
        text = asked.get("text")
        if not isinstance(text, str):
            raise NotPlayable(message("play.unknown"))
        self.session.edit(text.replace("\r\n", "\n"))

    # ------------------------------------------------------------------------------------------------ what is sent

    def _plan(self, asked: Asked) -> Plan:
        kind = asked.get("kind", "combat")
        if kind not in ("combat", "bombard", "airstrike", "overrun"):
            raise NotPlayable(message("play.unknown"))
        points = {
            name: value if isinstance(value := asked.get(name), int) and 0 <= value < 10_000 else 0
            for name in ("offboard", "air", "guard_offboard", "guard_air")
        }
        return Plan(
            cast("Means", kind), tuple(self._hexes(asked.get("targets"))), self._units(asked.get("attackers")),
            self._units(asked.get("supports")), points["offboard"], points["air"], self._units(asked.get("guards")),
            points["guard_offboard"], points["guard_air"],
        )  # fmt: skip

    def spot_of(self, hex_: str) -> int:
        """The number of a hex on the page."""
        return self.recorder.spot[hex_]

    def _units(self, named: object) -> tuple[str, ...]:
        if not isinstance(named, list):
            return ()
        found = tuple(dict.fromkeys(u for u in named[:_MOST] if isinstance(u, str) and u in self.recorder.pieces))
        if len(found) != len(named):
            raise NotPlayable(message("play.unknown"))
        return found

    def _hex(self, named: object) -> str:
        spots = self.recorder.spots
        if isinstance(named, int) and 0 <= named < len(spots) and spots[named].at is not None:
            return spots[named].name
        raise NotPlayable(message("play.unknown"))

    def _hexes(self, named: object) -> list[str]:
        return [self._hex(one) for one in named[:_MOST]] if isinstance(named, list) else []

    def _faces(self, told: object, dice: Dice, asked: str) -> tuple[int, ...]:
        if told is None:
            return self.session.throw(dice, asked)
        faces = tuple(told) if isinstance(told, list) and all(isinstance(face, int) for face in told) else ()
        if not dice.shows(faces):
            raise NotPlayable(message("play.faces", dice=str(dice)))
        return faces


def _kinds(outcome: Outcome) -> frozenset[str]:
    """The kinds of faults of an outcome."""
    return frozenset(f.message.key for f in choices.faults(outcome))


def _joined(steps: Sequence[Step]) -> Iterator[Any]:
    """The acts of some steps, those of units that go the same way, or suffer the same, as one."""
    acts = [act for step in steps for act in step.acts]
    alone = all(len(step.acts) == 1 for step in steps)
    alike = alone and len({replace(act, units=()) for act in acts if hasattr(act, "units")}) == 1  # type: ignore[call-arg]
    if len(acts) > 1 and alike:
        units = tuple(u for act in acts for u in act.units)  # type: ignore[attr-defined]
        yield replace(acts[0], units=units)  # type: ignore[call-arg]
        return
    yield from acts

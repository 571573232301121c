"""The steps of a combat as VASSAL takes them: properties that change by a key, and buttons that nobody sees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from hexforge.modulegen.assemble.combat import names as n
from hexforge.modulegen.assemble.expressions import keys, quoted
from hexforge.modulegen.vassal import traits as t
from hexforge.modulegen.vassal.buildfile import Element, make


@dataclass
class CombatDesk:
    """What the steps of all combats need: the properties with the keys that change them, and hidden buttons."""

    changes: dict[str, list[tuple[t.Key, t.PropertyChange]]] = field(default_factory=dict)
    hidden: list[Element] = field(default_factory=list)
    _known: dict[tuple[str, ...], t.Key] = field(default_factory=dict)

    def set(self, name: str, value: str) -> t.Key:
        """The key that sets a property to an expression."""
        return self._change(name, t.PropertyChange("P", f"{{{value}}}"))

    def ask(self, name: str, prompt: str) -> t.Key:
        """The key that asks the player for a property."""
        return self._change(name, t.PropertyChange("R", prompt))

    def choose(self, name: str, prompt: str, choices: tuple[str, ...]) -> t.Key:
        """The key that lets the player choose what a property is."""
        return self._change(name, t.PropertyChange("E", prompt, choices))

    def _change(self, name: str, change: t.PropertyChange) -> t.Key:
        known = self._known.get((name, str(change)))
        if known is None:
            several = self.changes.setdefault(name, [])
            known = self._known[name, str(change)] = t.named(f"{name}.{len(several)}")
            several.append((known, change))
        return known

    def tell(self, report: str) -> t.Key:
        """The key that writes a line into the chat; an empty one is none."""
        return self.act((), report=report)

    def tell_if(self, condition: str, text: str) -> t.Key:
        """The key that writes a text into the chat if a condition holds, and nothing otherwise.

        VASSAL writes a star and nothing behind it for a report that is empty, so this one is a loop that ends after
        its first round, as what counts the rounds says.
        """
        same = (text, "if", condition)
        if same not in self._known:
            key = self._known[same] = t.named(f"Combat.{len(self.hidden)}")
            rounds = f"CombatRounds{len(self.hidden)}"
            self.hidden.append(
                make(
                    "DoActionButton",
                    name=key.name,
                    hotkey=key,
                    doReport=True,
                    reportFormat=text,
                    doLoop=True,
                    loopType="while",
                    whileExpression=f"{{{rounds} == 0 && {condition}}}",
                    index=True,
                    indexProperty=rounds,
                    indexStart=0,
                    indexStep=1,
                )
            )
        return self._known[same]

    def act(self, pressed: Sequence[t.Key], *, report: str = "", while_: str = "") -> t.Key:
        """The key that presses others in turn, as long as an expression holds if there is one.

        What was asked for before is not made twice: a module opens slower for each button.
        """
        same = (report, while_, *map(str, pressed))
        if same in self._known:
            return self._known[same]
        key = self._known[same] = t.named(f"Combat.{len(self.hidden)}")
        self.hidden.append(
            make(
                "DoActionButton",
                name=key.name,
                hotkey=key,
                doReport=bool(report),
                reportFormat=report,
                doHotkey=bool(pressed),
                hotkeys=keys(*pressed),
                doLoop=bool(while_),
                loopType="while" if while_ else "counted",
                whileExpression=f"{{{while_}}}" if while_ else "",
            )
        )
        return key

    def mark(self, filter_: str, role: int) -> tuple[t.Key, ...]:
        """The keys that mark all counters for which an expression holds."""
        return self.set(n.MARK, str(role)), self.order(filter_, n.KEY_MARK)

    def say(self, filter_: str, word: str = '""', text: str = n.BLANK, number: str = n.ZERO) -> tuple[t.Key, ...]:
        """The keys that have counters add to the record: an expression, and two properties of theirs by name."""
        asked = (self.set(n.SAY, word), self.set(n.TEXT_OF, quoted(text)), self.set(n.VALUE_OF, quoted(number)))
        return (*asked, self.order(filter_, n.KEY_SAY))

    def order(self, filter_: str, command: t.Key) -> t.Key:
        """The key that sends a keystroke to all counters for which an expression holds."""
        known = self._known.get((filter_, str(command)))
        if known is None:
            known = self._known[filter_, str(command)] = t.named(f"{command.name}.to.{len(self.hidden)}")
            self.hidden.append(
                make(
                    "GlobalKeyCommand",
                    name=known.name,
                    buttonHotkey=known,
                    hotkey=command,
                    filter=f"{{{filter_}}}",
                )
            )
        return known

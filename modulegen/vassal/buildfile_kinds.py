"""What an element of a build file is declared by, and what many have in common."""

from __future__ import annotations

from dataclasses import dataclass, field

MODULE = "VASSAL.build.module."
Attributes = dict[str, str | None]


@dataclass(frozen=True)
class ElementKind:
    """One class of element. `text` says that it carries text (a piece definition, an entry) and no children.

    An attribute whose default is None is left out unless given, for VASSAL cannot read it when it is empty. One of
    `unsaid` is left out at its default, which is how VASSAL makes the component: each that it reads costs time.
    """

    class_name: str
    attributes: Attributes = field(default_factory=dict)
    text: bool = False
    unsaid: frozenset[str] = frozenset()


_GATE: Attributes = {
    "canDisable": "false",
    "propertyGate": "",
    "hideWhenDisabled": "false",
    "disabledIcon": "",
}

GATE = frozenset(_GATE)
"""What no button needs to say that can always be pressed."""


def button(
    name: str | None = "name", text: str = "text", tooltip: str = "tooltip", icon: str = "icon", key: str = "hotkey"
) -> Attributes:
    """The attributes of `AbstractToolbarItem`, under the names that a class gives them."""
    names = [text, tooltip, icon, key] if name is None else [name, text, tooltip, icon, key]
    return {**dict.fromkeys(names, ""), **_GATE}

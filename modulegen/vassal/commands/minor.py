"""The smaller commands: notes, sounds, clocks, dice, extensions, and what online play leaves in a log."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Self

from ..encoding import decode, encode_safe
from ..secrets import Secret
from .base import Command, Malformed, read_int


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class _Text(Command):
    """A command that is a prefix and a text, without any escapes."""

    text: str

    def write(self) -> str:
        return self.PREFIX + self.text

    @classmethod
    def read(cls, text: str) -> Self:
        return cls(text[len(cls.PREFIX) :])


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ScenarioNotes(_Text):
    """The notes of the scenario (`NotesWindow`); `|` stands for a new line."""

    PREFIX: ClassVar[str] = "NOTES\t"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PublicNotes(_Text):
    """The notes that all players share (`NotesWindow`)."""

    PREFIX: ClassVar[str] = "PNOTES\t"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PrivateNote(Command):
    """One player's own notes (`PrivateNotesController`): for nobody else's eyes."""

    PREFIX: ClassVar[str] = "PNOTE\t"

    owner: Secret
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SecretNote(Command):
    """A note that its owner may reveal (`SecretNotesController`). `rest`: date and handle, if written."""

    PREFIX: ClassVar[str] = "SNOTE\t"

    name: str
    owner: Secret
    hidden: bool
    text: str = field(repr=False)
    rest: tuple[str, ...] = field(default=(), repr=False)

    def write(self) -> str:
        parts = [self.name, self.owner.reveal(), "true" if self.hidden else "false", self.text]
        return self.PREFIX + encode_safe([*parts, *self.rest], "\t")

    @classmethod
    def read(cls, text: str) -> Self:
        parts = decode(text[len(cls.PREFIX) :], "\t")
        if len(parts) < 4:
            raise Malformed("SecretNote: expected name, owner, hidden and text")
        return cls(parts[0], Secret(parts[1]), parts[2] == "true", parts[3], tuple(parts[4:]))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class AtStartStacks(_Text):
    """The stacks of the module's own set-up have been placed (`SetupStack`)."""

    PREFIX: ClassVar[str] = "SETUP_STACK\t"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Extension(Command):
    """The game uses an extension of the module (`ExtensionsLoader`)."""

    PREFIX: ClassVar[str] = "EXT\t"

    name: str
    version: str


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Plugin(Command):
    """The game uses a plug-in (`PluginsLoader`)."""

    PREFIX: ClassVar[str] = "PLUGIN\t"

    name: str
    version: str


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PlayClip(_Text):
    """A sound clip of the module (`PlayAudioClipCommand`)."""

    PREFIX: ClassVar[str] = "AUDIO\t"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class WakeUp(Command):
    """A sound sent to another player (`SoundEncoder`). The sender's description holds the id."""

    PREFIX: ClassVar[str] = "PLAY\t"

    sound: str
    sender: Secret


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Flare(Command):
    """A flare shown at a point of a map, in pixels."""

    PREFIX: ClassVar[str] = "FLARE\t"

    id: str
    x: int
    y: int


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class DiceResults(Command):
    """The faces that a button of symbolic dice shows (`SpecialDiceButton`), counted from 0."""

    PREFIX: ClassVar[str] = "SHOW_RESULTS\t"

    button: str
    faces: tuple[int, ...] = ()

    def write(self) -> str:
        return self.PREFIX + encode_safe([self.button, *map(str, self.faces)], "\t")

    @classmethod
    def read(cls, text: str) -> Self:
        button, *faces = decode(text[len(cls.PREFIX) :], "\t")
        return cls(button, tuple(read_int(face) for face in faces))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class AllowUnmasking(Command):
    """Players who let others unmask their pieces (`ObscurableOptions`)."""

    PREFIX: ClassVar[str] = "UNMASK\t"

    players: tuple[Secret, ...] = ()

    def write(self) -> str:
        return self.PREFIX + encode_safe([p.reveal() for p in self.players], "\t")

    @classmethod
    def read(cls, text: str) -> Self:
        body = text[len(cls.PREFIX) :]
        return cls(tuple(Secret(p) for p in decode(body, "\t")) if body else ())


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Clock(Command):
    """The state of a chess clock; times in milliseconds (`ChessClock`)."""

    PREFIX: ClassVar[str] = "CLOCK\t"

    owner: str
    name: str
    elapsed: int
    verified: int
    ticking: bool
    restore: bool


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ClockControl(Command):
    """Whether chess clocks are shown and run online (`ChessClockControl`)."""

    PREFIX: ClassVar[str] = "CLOCKCONTROL\t"

    showing: bool
    online: bool


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class StartupCommand(Command):
    """Whether a command of the module's start has been applied (`StartupGlobalKeyCommand`)."""

    PREFIX: ClassVar[str] = "SGKC\t"

    id: str
    applied: bool


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class DeckFile(_Text):
    """The head of a deck saved to a file of its own (`Deck.LoadDeckCommand`); pieces follow as its parts."""

    PREFIX: ClassVar[str] = "DECK\t"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class LockTab(Command):
    """A tab of scenario options is locked (`ScenarioPropertiesOptionTab`)."""

    PREFIX: ClassVar[str] = "LOCKSPOTAB\t"

    tab: str
    locked_by: str
    password: Secret
    date: str


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class TranslatableProperty(_Text):
    """A translatable property of the module (`GlobalTranslatableMessage`)."""

    PREFIX: ClassVar[str] = "GlobalTranslatable\t"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PrivateChat(Command):
    """A private message online; whose, and what it says, concerns two players only."""

    PREFIX: ClassVar[str] = "PRIV_CHAT"

    body: str = field(repr=False)

    def write(self) -> str:
        return self.PREFIX + self.body

    @classmethod
    def read(cls, text: str) -> Self:
        return cls(text[len(cls.PREFIX) :])


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Invitation(Command):
    """An invitation to a room online (`InviteEncoder`)."""

    PREFIX: ClassVar[str] = "INVITE\t"

    player: str
    player_id: Secret
    room: str


MINOR: tuple[type[Command], ...] = (
    ScenarioNotes,
    PublicNotes,
    PrivateNote,
    SecretNote,
    AtStartStacks,
    Extension,
    Plugin,
    PlayClip,
    WakeUp,
    Flare,
    DiceResults,
    AllowUnmasking,
    Clock,
    ClockControl,
    StartupCommand,
    DeckFile,
    LockTab,
    TranslatableProperty,
    Invitation,
)

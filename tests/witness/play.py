"""Inside the witness's own process: a game loaded, played by hand, logged and saved."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from .codec import points
from .jvm import call, field, java, set_field
from .session import Session, commands_of

SOLO = "BothSides"
"""The preference of our modules for who plays both sides."""
COMMAND_SEPARATOR = "\x1b"
NO_ENCODING = "null"
# Commands of engines later than this one, which it passes over.
LATER_COMMANDS = ("UNDO\t",)


class Play:
    """What a player would do with mouse and keyboard. Every method runs on the event thread."""

    def __init__(self, session: Session) -> None:
        self._session = session

    @property
    def _module(self) -> Any:
        return self._session.module

    @property
    def _state(self) -> Any:
        return self._module.getGameState()

    # -- beginning ---------------------------------------------------------------------------------

    def load(self, path: str) -> dict[str, Any]:
        """Loads a save or a log; a log stands at its beginning, ready to be stepped through."""
        self._state.setModified(False)
        self._state.loadGameInForeground(java("java.io.File")(str(Path(path).resolve())))
        for text in self.undecodable(path):
            self._session.problems.add("command", f"{Path(path).name}: no command the engine knows: {text!r}")
        return {"steps": int(field(self._module.getLogger(), "logInput").size())}

    def setup(self, name: str) -> dict[str, Any]:
        """Starts a predefined set-up.

        Raises:
            LookupError: the module has none of that name, or the set-up has no file.
        """
        for one in self._session.all_of("VASSAL.build.module.PredefinedSetup"):
            if str(one.getConfigureName()) == name:
                self._state.setModified(False)
                if one.isUseFile():
                    if not one.getFileName():
                        raise LookupError(f"set-up '{name}' names no file")
                    contents = one.getSavedGameContents()
                    self._state.loadGameInForeground(str(one.getFileName()), contents)
                else:
                    self.new_game()
                return {"started": bool(self._state.isGameStarted())}
        raise LookupError(f"no predefined set-up '{name}'")

    def first_setup(self) -> dict[str, Any]:
        """Starts the first predefined set-up that has a file."""
        for one in self._session.all_of("VASSAL.build.module.PredefinedSetup"):
            if one.isUseFile() and one.getFileName():
                return self.setup(str(one.getConfigureName()))
        raise LookupError("no predefined set-up has a file")

    def new_game(self) -> dict[str, Any]:
        """Starts a game without a set-up."""
        self._state.setModified(False)
        self._state.setup(False)
        self._state.setup(True)
        return {"started": bool(self._state.isGameStarted())}

    def player(self, name: str, side: str, password: str, alone: bool = True) -> dict[str, Any]:
        """Sits down as a player of a side; the password is what the engine tells players apart by.

        `alone`: who plays both sides, in modules that ask for that.
        """
        module_class = java("VASSAL.build.GameModule")
        for key, value in ((module_class.REAL_NAME, name), (module_class.SECRET_NAME, password)):
            self._module.getPrefs().setValue(key, value)
        module_class.setUserId(password)
        asked = self._module.getPrefs().getOption(SOLO)
        if asked is not None:
            asked.setValue(java("java.lang.Boolean").valueOf(alone))
        self._module.getPlayerRoster().add(password, name, side)
        return {"side": str(java("VASSAL.build.module.PlayerRoster").getMySide() or "")}

    # -- logs and saves ----------------------------------------------------------------------------

    def step(self, count: int) -> dict[str, Any]:
        """Takes steps through the loaded log; a negative count takes all that are left."""
        logger, taken = self._module.getLogger(), 0
        while logger.isReplaying() and taken != count:
            call(logger, "step")
            taken += 1
        return {"taken": taken, "more": bool(logger.isReplaying())}

    def undo(self) -> dict[str, Any]:
        """Takes back the last step."""
        call(self._module.getLogger(), "undo")
        return {}

    def start_log(self, path: str) -> dict[str, Any]:
        """Begins a log that `end_log` will write to `path`."""
        self._module.getFileChooser().setSelectedFile(java("java.io.File")(str(Path(path).resolve())))
        call(self._module.getLogger(), "beginOutput")
        return {"logging": bool(self._module.getLogger().isLogging())}

    def end_log(self) -> dict[str, Any]:
        """Writes the log."""
        written = self._module.getLogger()
        steps = int(field(written, "logOutput").size())
        written.write()
        return {"steps": steps}

    def save(self, path: str) -> dict[str, Any]:
        """Saves the game."""
        self._state.saveGame(java("java.io.File")(str(Path(path).resolve())))
        return {}

    def refresh(self) -> dict[str, Any]:
        """Brings the pieces of the game up to the module's, as the entry of the menu does that players choose."""
        options = java("java.util.HashSet")()
        for option in ("RefreshPieces", "UseName", "fixGPID", "UseLabelerName", "UseLayerName", "UseRotateName"):
            options.add(option)
        java("VASSAL.build.module.GameRefresher")(self._module.getGpIdSupport()).execute(options, None)
        return {}

    def undecodable(self, path: str) -> list[str]:
        """The parts of a save or log that none of the module's components takes for a command of its own."""
        stream_class = java("VASSAL.tools.io.DeobfuscatingInputStream")
        archive = java("java.util.zip.ZipFile")(str(Path(path).resolve()))
        entry = archive.getEntry("savedGame")
        raw = stream_class(archive.getInputStream(entry))
        text = str(java("org.apache.commons.io.IOUtils").toString(raw, "UTF-8"))
        archive.close()
        found: list[str] = []
        self._collect(text, found)
        return found

    def _collect(self, text: str, found: list[str]) -> None:
        decoder = java("VASSAL.tools.SequenceEncoder$Decoder")(text, COMMAND_SEPARATOR)
        parts = []
        while decoder.hasMoreTokens():
            parts.append(str(decoder.nextToken()))
        if len(parts) > 1 or (parts and parts[0] != text):
            for part in parts:
                self._collect(part, found)
        elif text.startswith("LOG\t"):
            # Old-position properties that the engine has no code for: its own logs are full of them.
            if text != f"LOG\t{NO_ENCODING}":
                self._collect(text[4:], found)
        elif not self._known(text):
            found.append(text[:200])

    def _known(self, text: str) -> bool:
        if text in ("", NO_ENCODING) or text.startswith(LATER_COMMANDS):
            return True
        return self._module.decode(text) is not None or self._of_dice(text)

    def _of_dice(self, text: str) -> bool:
        """Whether this sets a property of a dice button: engines before 3.7 log these and cannot read them."""
        if not text.startswith("MutableProperty\t"):
            return False
        name = text.split("\t")[1].rpartition("_")[0]
        dice = self._session.all_of("VASSAL.build.module.DiceButton")
        return any(str(one.getConfigureName()).replace(" ", "_") == name for one in dice)

    # -- moves -------------------------------------------------------------------------------------

    def piece(self, name: str) -> Any:
        """The piece of that id, UnitId or name.

        Raises:
            LookupError: there is none, or more than one.
        """
        keys: tuple[Callable[[Any], Any], ...] = (
            lambda one: one.getId(),
            lambda one: one.getProperty("UnitId"),
            lambda one: one.getName(),
        )
        pieces = self._session.pieces()
        for key in keys:
            found = [one for one in pieces if str(key(one)) == name]
            if len(found) == 1:
                return found[0]
            if found:
                raise LookupError(f"'{name}' names {len(found)} pieces")
        raise LookupError(f"no piece '{name}'")

    def where(self, piece: str) -> str:
        """What the grids call the place of a piece."""
        return str(self.piece(piece).getProperty("LocationName") or "")

    def point(self, map_name: str | None, location: str) -> tuple[Any, Any]:
        """A map and the point on it that the grids name `location`.

        Raises:
            LookupError: no grid of the map names a point so.
        """
        where = self._session.find_map(map_name)
        (found,) = points(self._session, map_name, [location])
        if found is not None:
            return where, java("java.awt.Point")(*found)
        raise LookupError(f"no location '{location}' on map '{where.getMapName()}'")

    def move(self, piece: str, map_name: str | None, location: str) -> dict[str, Any]:
        """Drags a piece to a location."""
        return self._drop(self.piece(piece), *self.point(map_name, location))

    def move_stack(self, piece: str, map_name: str | None, location: str) -> dict[str, Any]:
        """Drags the whole stack that a piece lies in to a location."""
        one = self.piece(piece)
        return self._drop(one.getParent() or one, *self.point(map_name, location))

    def move_to(self, piece: str, map_name: str | None, x: int, y: int) -> dict[str, Any]:
        """Drags a piece to a pixel of a map; the grid snaps it."""
        return self._drop(self.piece(piece), self._session.find_map(map_name), java("java.awt.Point")(x, y))

    def place(self, gpid: str, map_name: str | None, location: str) -> dict[str, Any]:
        """Drags a new piece out of its palette to a location."""
        for slot in self._session.all_of("VASSAL.build.widget.PieceSlot"):
            if str(slot.getGpId()) == gpid:
                new = java("VASSAL.counters.PieceCloner").getInstance().clonePiece(slot.getPiece())
                new.setProperty("PieceId", gpid)
                return self._drop(new, *self.point(map_name, location))
        raise LookupError(f"no piece slot with gpid {gpid}")

    def _drop(self, piece: Any, where: Any, point: Any) -> dict[str, Any]:
        buffer = java("VASSAL.counters.DragBuffer").getBuffer()
        buffer.clear()
        buffer.add(piece)
        self._module.sendAndLog(where.getPieceMover().movePieces(where, point))
        buffer.clear()
        return {"id": str(piece.getId()), "location": str(where.locationName(piece.getPosition()))}

    def menus(self) -> list[tuple[str, list[str]]]:
        """The id of every piece on a map, with the entries that its menu offers now."""
        return [
            (str(one.getId()), [entry["text"] for entry in commands_of(one) if entry["enabled"]])
            for one in self._session.pieces()
            if one.getMap() is not None
        ]

    def command(self, piece: str, text: str) -> dict[str, Any]:
        """Chooses an entry of a piece's menu by its text.

        Raises:
            LookupError: there is no such entry, or it cannot be chosen now.
        """
        target = self.piece(piece)
        entries = list(target.getProperty("KeyCommands"))
        for entry in entries:
            if str(entry.getName()) == text and entry.isEnabled():
                return self._press(target, entry.getKeyStroke())
        raise LookupError(
            f"'{target.getName()}' offers no '{text}'; it offers {[str(e.getName()) for e in entries]}"
        )

    def key(self, piece: str, key: str) -> dict[str, Any]:
        """Presses a key on a selected piece; `key` as the build file writes it (`70,130` or a named key)."""
        stroke = java("VASSAL.configure.NamedHotKeyConfigurer").decode(key).getKeyStroke()
        return self._press(self.piece(piece), stroke)

    def _press(self, target: Any, stroke: Any) -> dict[str, Any]:
        buffer = java("VASSAL.counters.KeyBuffer").getBuffer()
        buffer.clear()
        buffer.add(target)
        done = buffer.keyCommand(stroke)
        self._module.sendAndLog(done)
        buffer.clear()
        return {"did": done is not None and not done.isNull()}

    def module_key(self, key: str) -> dict[str, Any]:
        """Presses a key on the module's window, for its buttons and global key commands."""
        self._module.fireKeyStroke(java("VASSAL.configure.NamedHotKeyConfigurer").decode(key))
        return {}

    def button(self, name: str) -> dict[str, Any]:
        """Clicks the toolbar button of the component with that name (dice, global key commands and the like).

        Raises:
            LookupError: there is none.
        """
        for one in self._session.all_of("VASSAL.build.AbstractConfigurable"):
            if str(one.getConfigureName()) == name:
                for attribute in ("launch", "launchButton"):
                    try:
                        button = field(one, attribute)
                    except AttributeError:
                        continue
                    if button is not None:
                        button.doClick(0)
                        return {}
        raise LookupError(f"no toolbar button '{name}'")

    def load_dice(self, seed: int) -> dict[str, Any]:
        """Gives every dice button Java's generator as it stands after a seed, so that its next throw is known."""
        for one in self._session.all_of("VASSAL.build.module.DiceButton"):
            set_field(one, "ran", java("java.util.Random")(java("java.lang.Long")(seed).longValue()))
        return {}

    def turn(self, name: str | None, back: bool) -> dict[str, Any]:
        """Advances a turn tracker, or takes it back."""
        for one in self._session.all_of("VASSAL.build.module.turn.TurnTracker"):
            if name is None or str(one.getConfigureName()) == name:
                call(field(one, "turnWidget"), "doPrev" if back else "doNext")
                return {"turn": str(call(one, "getTurnString")), "state": str(one.getState())}
        raise LookupError(f"no turn tracker '{name}'")

    def answer(self, text: str) -> dict[str, Any]:
        """What is written into the next question that the module asks."""
        self._session.problems.answers.append(text)
        return {}

    def say(self, text: str) -> dict[str, Any]:
        """Says something in the chat."""
        chat = self._module.getChatter()
        chat.send(str(call(chat, "getHandle")) and f"<{chat.getHandle()}> - {text}")
        return {}

"""Inside the witness's own process: one open module, described from the engine's live objects."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .jvm import Problems, call, describe, field, java, on_event_thread, set_field

STANDARD_PROPERTIES = (
    "PieceName",
    "BasicName",
    "LocationName",
    "CurrentMap",
    "CurrentBoard",
    "CurrentZone",
    "Moved",
)


class Session:
    """A module open in the engine, which has but one until it is renewed."""

    def __init__(self, problems: Problems) -> None:
        self.problems = problems
        self.module: Any = None

    def open(self, path: str, described: bool = True) -> dict[str, Any]:
        """Opens the module at `path` and gives its description, or who plays and from what if no more is wanted."""
        module_class = java("VASSAL.build.GameModule")

        def work() -> None:
            archive = java("VASSAL.tools.DataArchive")(path)
            module_class.init(module_class(archive))
            # As VASSAL's player does: extensions lie in a folder beside the module that bears its name.
            java("VASSAL.build.module.ExtensionsLoader")().addTo(module_class.getGameModule())

        on_event_thread(lambda: java("VASSAL.Info").setConfig(java("VASSAL.launch.StandardConfig")()))
        manager = java("VASSAL.launch.Player$PlayerMenuManager").class_.getDeclaredConstructor()
        manager.setAccessible(True)
        on_event_thread(manager.newInstance)
        on_event_thread(work)
        self.module = module_class.getGameModule()
        on_event_thread(self._be_quiet)
        return self.describe() if described else {"sides": list(map(str, self._sides())), "setups": self._setups()}

    def _be_quiet(self) -> None:
        for preference in ("PromptNewLog", "PromptNewLogAtStart", "PromptNewLogEnd", "promptLogComment"):
            if self.module.getPrefs().getOption(preference) is not None:
                self.module.getPrefs().setValue(preference, False)
        set_field(self.module, "fileChooser", java("hexforge.witness.FixedFileChooser")())
        # A side is chosen by our commands, never in the wizard.
        roster = self.module.getPlayerRoster()
        if roster is not None:
            self.module.getGameState().removeGameSetupStep(roster)

    # -- description -------------------------------------------------------------------------------

    def all_of(self, class_name: str) -> list[Any]:
        """All components of a class in the module, at any depth."""
        return list(self.module.getAllDescendantComponentsOf(java(class_name)))

    def describe(self) -> dict[str, Any]:
        """What is in the module, and in `problems` of the answer what the engine finds wrong with it."""
        return {
            "engine": str(java("VASSAL.Info").getVersion()),
            "name": str(self.module.getGameName()),
            "version": str(self.module.getGameVersion()),
            "description": str(self.module.getAttributeValueString("description") or ""),
            "sides": [str(side) for side in self._sides()],
            "maps": [self._map(one) for one in java("VASSAL.build.module.Map").getMapList()],
            "prototypes": sorted(self._prototypes()),
            "slots": self._slots(),
            "setups": self._setups(),
            "turns": [str(one.getConfigureName()) for one in self.all_of("VASSAL.build.module.turn.TurnTracker")],
            "dice": [str(one.getConfigureName()) for one in self.all_of("VASSAL.build.module.DiceButton")],
            "components": dict(Counter(self._component_names())),
            "images": self._images(),
            "next_slot_id": int(self.module.getNextGpId()),
        }

    def _component_names(self) -> Iterator[str]:
        todo = [self.module]
        while todo:
            one = todo.pop()
            yield str(one.getClass().getName())
            if isinstance(one, java("VASSAL.build.AbstractBuildable")):
                todo += list(one.getBuildables())

    def attributes(self) -> list[dict[str, str]]:
        """What every component holds, by attribute, in the order of the build file; `class` is its class."""
        found, todo = [], [self.module]
        while todo:
            one = todo.pop()
            names = one.getAttributeNames() if hasattr(one, "getAttributeNames") else []
            held = {str(name): str(one.getAttributeValueString(name) or "") for name in names}
            found.append({"class": str(one.getClass().getName()), **held})
            if isinstance(one, java("VASSAL.build.AbstractBuildable")):
                todo += reversed(list(one.getBuildables()))
        return found

    def _sides(self) -> list[str]:
        roster = self.module.getPlayerRoster()
        return list(roster.getSides()) if roster is not None else []

    def _setups(self) -> list[dict[str, Any]]:
        return [self._setup(one) for one in self.all_of("VASSAL.build.module.PredefinedSetup")]

    def _setup(self, setup: Any) -> dict[str, Any]:
        name, file = str(setup.getConfigureName() or ""), str(setup.getFileName() or "")
        if setup.isUseFile() and file and not self.module.getDataArchive().contains(file):
            self.problems.add("setup", f"set-up '{name}' names '{file}', which is not in the module")
        return {"name": name, "file": file, "menu": bool(setup.isMenu()), "uses_file": bool(setup.isUseFile())}

    def _map(self, one: Any) -> dict[str, Any]:
        picker = one.getBoardPicker()
        boards = [picker.getBoard(name) for name in picker.getAllowableBoardNames()]
        return {
            "name": str(one.getMapName()),
            "boards": [self._board(board) for board in boards if board is not None],
        }

    def _board(self, board: Any) -> dict[str, Any]:
        size = board.bounds()
        image = board.fileName()
        return {
            "name": str(board.getName()),
            "image": None if image is None else str(image),
            "width": int(size.width),
            "height": int(size.height),
            "grid": self._grid(board.getGrid()),
        }

    def _grid(self, grid: Any) -> dict[str, Any] | None:
        if grid is None:
            return None
        answer: dict[str, Any] = {"class": str(grid.getClass().getSimpleName())}
        if hasattr(grid, "getAttributeNames"):
            answer.update({str(name): str(grid.getAttributeValueString(name)) for name in grid.getAttributeNames()})
        numbering = grid.getGridNumbering()
        if numbering is not None:
            names = numbering.getAttributeNames()
            answer["numbering"] = {str(name): str(numbering.getAttributeValueString(name)) for name in names}
        if hasattr(grid, "getZones"):
            answer["zones"] = [
                {"name": str(zone.getName()), "grid": self._grid(zone.getGrid())} for zone in grid.getZones()
            ]
        return answer

    def _prototypes(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for container in self.all_of("VASSAL.build.module.PrototypesContainer"):
            for definition in container.getDefinitions():
                name = str(definition.getConfigureName())
                if name in found:
                    self.problems.add("prototype", f"prototype '{name}' is defined twice")
                found[name] = definition
        for name, definition in found.items():
            self._check_traits(definition.getPiece(), f"prototype '{name}'")
        return found

    def _check_traits(self, piece: Any, where: str) -> None:
        """Notes prototypes that are used but not defined, of which the engine says nothing."""
        known = java("VASSAL.build.module.PrototypesContainer")
        for trait in traits_of(piece):
            if isinstance(trait, java("VASSAL.counters.UsePrototype")):
                name = trait.getPrototypeName()
                if known.getPrototype(name) is None:
                    self.problems.add("prototype", f"{where} uses prototype '{name}', which is not defined")

    def _slots(self) -> list[dict[str, Any]]:
        slots = []
        seen: dict[str, str] = {}
        for slot in self.all_of("VASSAL.build.widget.PieceSlot"):
            gpid, name = str(slot.getGpId()), str(slot.getConfigureName() or "")
            if not gpid:
                self.problems.add("gpid", f"piece slot '{name}' has no gpid")
            elif gpid in seen:
                self.problems.add("gpid", f"piece slots '{seen[gpid]}' and '{name}' share the gpid {gpid}")
            seen[gpid] = name
            if gpid.isdigit() and int(gpid) >= int(self.module.getNextGpId()):
                self.problems.add("gpid", f"gpid {gpid} of '{name}' is not below nextPieceSlotId")
            self._check_traits(slot.getPiece(), f"piece slot '{name}'")
            piece = java("VASSAL.counters.PieceCloner").getInstance().clonePiece(slot.getPiece())
            slots.append(
                {
                    "name": name,
                    "gpid": gpid,
                    "palette": _palette(slot),
                    "piece": str(piece.getName()),
                    "properties": properties_of(piece),
                    "commands": commands_of(piece),
                    "size": self._drawn(piece, f"piece slot '{name}'"),
                }
            )
        return slots

    def _drawn(self, piece: Any, where: str) -> list[int]:
        """Draws a piece, for what only drawing brings to light, and gives its width and height in pixels."""
        box = piece.boundingBox()
        image = java("java.awt.image.BufferedImage")(max(1, box.width), max(1, box.height), 2)
        pen = image.createGraphics()
        try:
            piece.draw(pen, -box.x, -box.y, None, 1.0)
        except Exception as error:
            self.problems.add("draw", f"{where}: {describe(error)}")
        pen.dispose()
        return [int(box.width), int(box.height)]

    def _images(self) -> dict[str, int]:
        """Decodes every image that any component or trait names; counts them."""
        names = java("java.util.TreeSet")()
        self.module.addImageNamesRecursively(names)
        # Before 3.7 action buttons forget to name their icons.
        for one in self.all_of("VASSAL.build.module.DoActionButton"):
            names.add(one.getAttributeValueString("icon") or "")
        archive = self.module.getDataArchive()
        own = {str(name) for name in archive.getImageNameSet()}
        used = {str(name) for name in names if name is not None and str(name)}
        for name in sorted(used):
            try:
                archive.getInputStream(f"images/{name.removeprefix('/images/')}").close()
                java("VASSAL.tools.imageop.Op").load(name).getImage(None)
            except java("java.lang.Exception") as error:
                self.problems.add("image", f"image '{name}': {error.toString()}")
        return {"named": len(used), "in_module": len(own), "unused": len(own - used)}

    # -- the game in progress ----------------------------------------------------------------------

    def chat(self) -> list[str]:
        """Lines of the chat window, oldest first."""
        document = field(self.module.getChatter(), "doc")
        return [line for line in str(document.getText(0, document.getLength())).splitlines() if line.strip()]

    def position(self) -> dict[str, Any]:
        """Pieces on maps and in none, the players without their passwords, turns and global properties."""
        roster = self.module.getPlayerRoster()
        players = [] if roster is None else list(roster.getPlayers())
        return {
            "pieces": [self._piece(piece) for piece in self.pieces()],
            "players": [{"name": str(one.playerName), "side": str(one.getSide())} for one in players],
            "turns": {
                str(one.getConfigureName()): {"text": str(call(one, "getTurnString")), "state": str(one.getState())}
                for one in self.all_of("VASSAL.build.module.turn.TurnTracker")
            },
            "globals": {
                str(one.getConfigureName()): str(one.getPropertyValue())
                for one in self.all_of("VASSAL.build.module.properties.GlobalProperty")
            },
        }

    def pieces(self) -> list[Any]:
        """All pieces of the game that are not stacks, bottom to top in each stack."""
        stack = java("VASSAL.counters.Stack")
        return [one for one in self.module.getGameState().getAllPieces() if not isinstance(one, stack)]

    def _piece(self, piece: Any) -> dict[str, Any]:
        place, parent, where = piece.getPosition(), piece.getParent(), piece.getMap()
        unexpanded = [
            str(trait.getPrototypeName())
            for trait in traits_of(piece)
            if isinstance(trait, java("VASSAL.counters.UsePrototype"))
        ]
        if unexpanded:
            self.problems.add("prototype", f"piece '{piece.getName()}' carries prototypes unexpanded: {unexpanded}")
        if where is not None:
            self._drawn(piece, f"piece '{piece.getName()}'")
        return {
            "id": str(piece.getId()),
            "name": str(piece.getName()),
            "gpid": str(piece.getProperty("PieceId") or ""),
            "map": None if where is None else str(where.getMapName()),
            "location": None if where is None else str(where.locationName(place)),
            "x": int(place.x),
            "y": int(place.y),
            "stack_index": 0 if parent is None else int(parent.indexOf(piece)),
            "stack_size": 1 if parent is None else int(parent.getPieceCount()),
            "in_deck": parent is not None and isinstance(parent, java("VASSAL.counters.Deck")),
            "properties": properties_of(piece),
        }

    def find_map(self, name: str | None) -> Any:
        """The map of that name; without a name the module's first.

        Raises:
            LookupError: there is none.
        """
        maps = list(java("VASSAL.build.module.Map").getMapList())
        for one in maps:
            if name is None or str(one.getMapName()) == name:
                return one
        raise LookupError(f"no map '{name}'; there are {[str(one.getMapName()) for one in maps]}")

    def snapshot(self, map_name: str | None, path: str, zoom: float = 1.0) -> dict[str, Any]:
        """Draws a map's boards, grid and pieces to a PNG file, as they look at a zoom."""
        one = self.find_map(map_name)
        size = one.mapSize()
        width, height = (max(1, round(length * zoom)) for length in (size.width, size.height))
        image = java("java.awt.image.BufferedImage")(width, height, 1)
        pen = image.createGraphics()
        for board in one.getBoards():
            box = board.bounds()
            name = board.fileName()
            if name is not None:
                op = java("VASSAL.tools.imageop.Op")
                drawn = op.scale(op.load(name), zoom).getImage(None)
                pen.drawImage(drawn, round(box.x * zoom), round(box.y * zoom), None)
            grid = board.getGrid()
            if grid is not None and grid.isVisible():
                grid.draw(pen, box, box, zoom, board.isReversed())
        for piece in one.getPieces():
            place = piece.getPosition()
            x, y = round(place.x * zoom), round(place.y * zoom)
            if isinstance(piece, java("VASSAL.counters.Stack")):
                one.getStackMetrics().draw(piece, pen, x, y, None, zoom)
            else:
                piece.draw(pen, x, y, None, zoom)
        pen.dispose()
        java("javax.imageio.ImageIO").write(image, "png", java("java.io.File")(str(Path(path).resolve())))
        return {"width": width, "height": height}


def traits_of(piece: Any) -> Iterator[Any]:
    """The traits of a piece, outermost first, without what its prototypes bring."""
    decorator = java("VASSAL.counters.Decorator")
    while isinstance(piece, decorator):
        yield piece
        piece = piece.getInner()


def properties_of(piece: Any) -> dict[str, str]:
    """All properties that a piece's traits (and those of its prototypes) name, with their values as text."""
    names = set(STANDARD_PROPERTIES)
    decorator, prototype = java("VASSAL.counters.Decorator"), java("VASSAL.counters.UsePrototype")
    trait = piece
    while isinstance(trait, decorator):
        names |= {str(name) for name in trait.getPropertyNames()}
        trait = trait.getExpandedInner() if isinstance(trait, prototype) else trait.getInner()
    values = {name: piece.getProperty(name) for name in sorted(names)}
    return {name: _as_java_writes(value) for name, value in values.items() if value is not None}


def _as_java_writes(value: Any) -> str:
    # Of a text of one letter Java could not tell whether a character is meant.
    return value if isinstance(value, str) else str(java("java.lang.String").valueOf(value))


def commands_of(piece: Any) -> list[dict[str, Any]]:
    """The entries of a piece's menu: its text, key, and whether it can be chosen now."""
    commands = piece.getProperty("KeyCommands")
    return [
        {
            "text": str(one.getName() or ""),
            "key": str(one.getNamedKeyStroke().getName() or "") if one.getNamedKeyStroke() else "",
            "enabled": bool(one.isEnabled()),
        }
        for one in (commands if commands is not None else ())
        if not one.isMenuSeparator() and one.getKeyStroke() is not None  # without a key: the head of a submenu
    ]


def _palette(slot: Any) -> list[str]:
    path: list[str] = []
    parent = slot.getAncestor()
    while parent is not None and not isinstance(parent, java("VASSAL.build.GameModule")):
        name = parent.getConfigureName() if hasattr(parent, "getConfigureName") else None
        path.insert(0, str(name or ""))
        parent = parent.getAncestor() if hasattr(parent, "getAncestor") else None
    return path

"""What is in a module, save or log: a description without any secret, as plain data and as a tree to look at.

`describe` gives dictionaries, lists, texts, messages, numbers, booleans and None only. Players' ids are
left out, hidden pieces are counted and not shown, free text is searched for passwords.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime
from html import unescape
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ...scenarios.console import open_file
from ...scenarios.text.words import SOURCE, Language, Message, Words
from .archive import Archive, Metadata
from .commands import AddPiece, AddPlayer, Chat, Command, Extension, Log, Unknown, read_command
from .module import read_module
from .payload import Node
from .replay import LogReplay
from .save import SAVED_GAME, SavedGame, read_save
from .secrets import HIDDEN, Scrubber, scrubber
from .traits import Layer, UnknownTrait, UsePrototype

if TYPE_CHECKING:
    from rich.tree import Tree

    from .module import Map, Module


Description = dict[str, Any]
_NAMED: Final = frozenset(
    (
        "boards",
        "by_map",
        "by_place",
        "by_type",
        "elements",
        "global_properties",
        "properties",
        "turns",
        "unknown",
        "unknown_traits",
    )
)
"""Keys below which strangers' own names are the keys."""


def describe(
    path: Path | str, *, module: Path | str | None = None, salvage: bool = False, reveal: str | None = None
) -> Description:
    """Describe a `.vmod`, `.vmdx`, `.mod`, `.vsav` or `.vlog`; raises `FormatError`.

    `module`: the module of a save, for the names of its locations. `reveal`: the side that looks at it.
    """
    if _is_module(path, salvage):
        return describe_module(read_module(path), Path(path))
    found = None
    if module is not None:
        found = read_module(module)
    return describe_save(read_save(path, salvage=salvage), found, reveal=reveal)


def _is_module(path: Path | str, salvage: bool) -> bool:
    with open_file(path, whole=True) as stream:
        if not stream.read(2).startswith(b"PK"):
            return False
    with Archive(path, salvage=salvage) as archive:
        return SAVED_GAME not in archive and any(n.startswith("buildFile") for n in archive.names)


def _date(milliseconds: int | None) -> str | None:
    if milliseconds is None or not 0 <= milliseconds < 253402300800000:
        return None
    return datetime.fromtimestamp(milliseconds / 1000, UTC).isoformat(timespec="seconds")


def _metadata(data: Metadata | None) -> Description | None:
    if data is None:
        return None
    shown = {"name": data.name, "version": data.version, "vassal_version": data.vassal_version}
    return {**shown, "description": data.description, "date_saved": _date(data.date_saved)}


# A stack of no pieces: its state is a map, a point and a layer.
_EMPTY_STACK = re.compile(rb"\+/[^/\\]*/stack/[^;\\]*;[^;\\]*;[^;\\]*;@@[^;\\]*").fullmatch


class _Survey:
    """One pass over all commands: what there is, who plays, which texts are secret."""

    def __init__(self, game: SavedGame) -> None:
        self.kinds: Counter[str] = Counter()
        self.unknown: Counter[str] = Counter()
        self.players: list[AddPlayer] = []
        self.extensions: list[tuple[str, str]] = []
        self.logged = self.empty_stacks = 0
        self.actions: list[tuple[Counter[str], list[str]]] = []
        self.restore: list[Command] = []
        for node in game.nodes:
            self._node(node)

    def _node(self, node: Node) -> None:
        kinds: Counter[str] = Counter()
        chat: list[str] = []
        plain: list[Command] = []
        logged = False
        empty = 0
        for leaf in node.leaves():
            # Old saves hold tens of thousands of empty stacks.
            if _EMPTY_STACK(leaf.raw):
                empty += 1
                continue
            command = read_command(leaf.text)
            if isinstance(command, Log):
                logged = True
                self.logged += 1
                command = command.command
            kinds[type(command).__name__] += 1
            if isinstance(command, Chat):
                chat.append(command.text)
            elif not isinstance(command, AddPiece):
                self._note(command)
            plain.append(command)
        if empty:
            kinds["AddPiece"] += empty
            self.empty_stacks += empty
        self.kinds.update(kinds)
        if logged:
            self.actions.append((kinds, chat))
        else:
            self.restore += plain

    def _note(self, command: Command) -> None:
        match command:
            case Unknown():
                self.unknown[command.prefix] += 1
            case AddPlayer():
                self.players.append(command)
            case Extension():
                self.extensions.append((command.name, command.version))
            case _:
                pass


def secrets_of(game: SavedGame) -> Scrubber:
    """What takes the players' passwords out of free text of this save or log."""
    return scrubber(game.text or game.root.encode())


def describe_save(game: SavedGame, module: Module | None = None, *, reveal: str | None = None) -> Description:
    """Describe a save or log that has been read."""
    survey = _Survey(game)
    scrub = secrets_of(game)
    start = LogReplay(game, module, restore=survey.restore, scrub=scrub)
    position = start.position
    return {
        "kind": "log" if game.is_log else "save",
        "file": Path(game.path).name,
        "module": scrub.all(_metadata(game.module)),
        "saved": scrub.all(_metadata(game.saved)),
        "entries": scrub.all(list(game.entries)),
        "payload": {
            "format": str(game.format),
            "stored_bytes": game.stored_size,
            "text_bytes": game.payload_size,
        },
        "commands": {
            "top_level": len(game.nodes),
            "total": sum(survey.kinds.values()),
            "logged": survey.logged,
            "by_type": dict(survey.kinds.most_common()),
            "unknown": _prefixes(survey.unknown, scrub),
        },
        "players": [
            {"name": scrub(name), "side": scrub(side)}
            for name, side in dict.fromkeys((p.name, p.side) for p in survey.players)
        ],
        "extensions": [{"name": scrub(name), "version": scrub(version)} for name, version in survey.extensions],
        "boards": scrub.keys(
            {name: [board.name for board in command.boards] for name, command in position.boards.items()}
        ),
        "turns": scrub.keys(position.turns),
        "properties": scrub.keys(
            {
                f"{container}: {name}" if container else name: value
                for (container, name), value in position.properties.items()
            }
        ),
        "pieces": _pieces(start, survey.empty_stacks, reveal),
        "actions": [
            {"commands": dict(kinds), "chat": [scrub(unescape(line)) for line in chat]}
            for kinds, chat in survey.actions
        ],
        "damage": game.damage.message if game.damage else None,
    }


def _prefixes(unknown: Counter[str], scrub: Scrubber) -> dict[str, int]:
    """How often each unknown command occurs; a word that holds a password is no name of a command."""
    told: Counter[str] = Counter()
    for prefix, count in unknown.most_common():
        told[HIDDEN if scrub.tells(prefix) else prefix] += count
    return dict(told)


def _pieces(start: LogReplay, empty_stacks: int, reveal: str | None) -> Description:
    pieces, position = list(start.pieces(reveal=reveal, on_map=False)), start.position
    seen = [v for v in pieces if not v.hidden]
    return {
        "total": len(position.pieces),
        "stacks": sum(1 for c in position.containers.values() if not c.deck),
        "empty_stacks": empty_stacks,
        "decks": sum(1 for c in position.containers.values() if c.deck),
        "hidden": len(pieces) - len(seen),
        "masked": sum(v.masked for v in pieces),
        "by_map": dict(Counter(v.map or "(no map)" for v in seen).most_common()),
        "shown": [
            {
                "id": v.told_id,
                "name": v.name,
                "map": v.map,
                "x": v.x,
                "y": v.y,
                "location": v.location,
                "masked": v.masked,
            }
            for v in seen
            if v.map is not None
        ],
    }


def describe_module(module: Module, path: Path) -> Description:
    """Describe a module or extension that has been read."""
    images = {n.removeprefix("images/") for n in module.entries if n.startswith("images/") and n[-1:] != "/"}
    wanted, missing_prototypes, unknown = _used(module)
    return {
        "kind": "extension" if path.suffix == ".vmdx" else "module",
        "file": path.name,
        "name": module.name,
        "version": module.version,
        "vassal_version": module.vassal_version,
        "description": module.description,
        "metadata": _metadata(module.metadata),
        "sides": list(module.sides),
        "maps": list(map(_map, module.maps)),
        "prototypes": sorted(module.prototypes),
        "pieces": {
            "slots": len(module.slots),
            "by_place": dict(Counter(" / ".join(s.path) for s in module.slots)),
        },
        "turn_trackers": [name for _, name in module.trackers],
        "global_properties": dict(module.global_properties),
        "setups": [{"name": name, "file": file} for name, file in module.setups],
        "elements": dict(sorted(module.elements.items(), key=lambda item: (-item[1], item[0]))),
        "images": {
            "count": len(images),
            "missing": sorted(
                # Names without a suffix mean GIFs; those with a slash lie in VASSAL itself.
                i
                for i in wanted - images
                if i.strip() and i + ".gif" not in images and i[:1] != "/"
            ),
        },
        "missing_prototypes": sorted(missing_prototypes),
        "unknown_traits": dict(unknown.most_common()),
    }


def _used(module: Module) -> tuple[set[str], set[str], Counter[str]]:
    """The images that a module asks for, the prototypes that it lacks, how often each unknown trait occurs."""
    images: set[str] = {b.image for m in module.maps for b in m.boards if b.image}
    missing: set[str] = set()
    unknown: Counter[str] = Counter()
    traits = [t for s in module.slots for t in s.piece.traits]
    for trait in [*traits, *[t for p in module.prototypes.values() for t in p.traits]]:
        if isinstance(trait, UsePrototype) and trait.name not in module.prototypes:
            missing.add(trait.name)
        elif isinstance(trait, UnknownTrait) and trait.text:
            unknown[trait.text.split(";")[0][:40]] += 1
        elif isinstance(trait, Layer):
            images.update(image for image in trait.images if image)
    images.update(s.piece.basic.image for s in module.slots if s.piece.basic and s.piece.basic.image)
    return images, missing, unknown


def _map(found: Map) -> Description:
    return {
        "name": found.name,
        "private_to": None if found.private_to is None else list(found.private_to),
        "boards": [
            {
                "name": b.name,
                "image": b.image,
                "size": list(b.size) if b.size else None,
                "grid": type(b.grid).__name__ if b.grid else None,
            }
            for b in found.boards
        ],
        "decks": [name for name, _, _ in found.decks],
    }


def in_words(description: Description, words: Words) -> Description:
    """A description with keys for readers; JSON keeps its own."""
    keys, names = words.section("vassal.inspect.keys"), words.section("vassal.inspect.names")

    def put(value: Any, known: Mapping[str, str] = keys) -> Any:
        if isinstance(value, Mapping):
            return {known.get(k, k): put(item, names if k in _NAMED else keys) for k, item in value.items()}
        if isinstance(value, list):
            return [put(item) for item in value]
        if isinstance(value, Message):
            return words.say(value)
        return words("vassal.inspect.yes") if value is True else value

    told: Description = put(description)
    return told


def render(description: Description, words: Words, *, limit: int = 40) -> Tree:
    """The description as a tree for rich's console; lists longer than `limit` are cut, and say so."""
    from rich.text import Text
    from rich.tree import Tree

    def clean(value: object) -> str:
        # Strangers' text must not steer the terminal.
        return "".join(c if c.isprintable() else "·" for c in str(value))[:300]

    def flat(value: dict[str, object] | list[object]) -> str | None:
        """A short collection of plain values in one line."""
        inner = list(value.values()) if isinstance(value, dict) else value
        if len(inner) > 12 or any(isinstance(i, dict) or (isinstance(i, list) and i) for i in inner):
            return None
        if isinstance(value, list):
            return ", ".join(map(clean, value))
        pairs = [(k, v) for k, v in value.items() if v not in (None, "", False, [])]
        text = ", ".join(f"{clean(k)} {clean(v)}" for k, v in pairs)
        return text if len(text) <= 160 else None

    def grow(tree: Tree, value: object) -> None:
        if isinstance(value, dict):
            items = [(clean(key), item) for key, item in value.items()]
        else:
            items = [(str(n), item) for n, item in enumerate(value if isinstance(value, list) else [], 1)]
        items = [(label, item) for label, item in items if item not in (None, [], {}, "")]
        for label, item in items[:limit]:
            if not isinstance(item, dict | list):
                tree.add(Text(f"{label}: ", "bold").append(clean(item), "not bold"))
            elif (short := flat(item)) is not None:
                tree.add(Text(f"{label}: ", "bold").append(short, "not bold"))
            else:
                grow(tree.add(Text(f"{label} ({len(item)})", "bold")), item)
        if len(items) > limit:
            more = len(items) - limit
            tree.add(Text(words("commands.more", count=more), "dim"))

    kind = str(description.get("kind", ""))
    head = f"{words.section('vassal.inspect.kinds').get(kind, kind)} {description.get('file', '')}"
    root = Tree(Text(clean(head), "bold"))
    told = {key: value for key, value in description.items() if key not in ("kind", "file")}
    for key, value in in_words(told, words).items():
        grow(root, {key: value})
    return root


def as_json(
    path: Path | str, *, module: Path | str | None = None, salvage: bool = False, reveal: str | None = None
) -> str:
    """`describe` as JSON text."""
    found = describe(path, module=module, salvage=salvage, reveal=reveal)
    return json.dumps(found, ensure_ascii=False, indent=2, default=str)


def as_text(
    path: Path | str,
    *,
    module: Path | str | None = None,
    salvage: bool = False,
    reveal: str | None = None,
    width: int = 0,
    language: Language = SOURCE,
) -> str:
    """`describe` as a tree of text, without colours; `width` in columns, 0 for the terminal's."""

    from rich.console import Console

    console = Console(file=StringIO(), width=width or None, color_system=None)
    with console.capture() as capture:
        console.print(render(describe(path, module=module, salvage=salvage, reveal=reveal), Words(language)))
    return capture.get().rstrip()

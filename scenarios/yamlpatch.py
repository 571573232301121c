"""Change values in a YAML file and leave every other character of it as it stands, comments above all.

A file is not written anew: each value is known by the span of text that it takes, and only spans that change
are put in place. New entries look as those beside them do, in a line or in several.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import yaml

from .yamlfile import Loader

_PLAIN: Final = re.compile(r"[^\W\d_][\w './]*(?:-[\w './]+)*")
_HEXES: Final = re.compile(r"\w+(?:[ /.]+\w+)+")
_NUMBER: Final = re.compile(r"[0-9._]*")
_RESERVED: Final = frozenset(("true", "false", "null", "y", "n", "yes", "no", "on", "off"))
_WIDTH: Final = 110

Value = str | int | float | bool | Sequence["Value"] | Mapping[str, "Value"]


def written(value: Value) -> str:
    """A value in one line, as it may stand in a mapping or a list that is in one line too."""
    if isinstance(value, str):
        plain = (_PLAIN.fullmatch(value) or _HEXES.fullmatch(value)) and value.strip(" .") == value
        other = value.lower() in _RESERVED or _NUMBER.fullmatch(value)
        return value if plain and not other else json.dumps(value, ensure_ascii=False)
    if isinstance(value, bool | int | float):
        return json.dumps(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{written(key)}: {written(below)}" for key, below in value.items()) + "}"
    return "[" + ", ".join(map(written, value)) + "]"


class Patch:
    """Changes to a YAML text; `text` gives it with all of them made.

    Ways to values are keys and positions, as they are in the text before it is changed.
    """

    def __init__(self, text: str) -> None:
        self._text = text if text.endswith("\n") or not text else f"{text}\n"
        self._break = "\r\n" if "\r\n" in text else "\n"
        self._root: yaml.Node | None = yaml.compose(self._text, Loader=Loader)
        self._edits: list[tuple[int, int, str]] = []

    @property
    def text(self) -> str:
        """The text with all changes in it."""
        found = self._text
        # From the last to the first, also of those at one place, which then stand in the order they were made.
        edits = sorted(enumerate(self._edits), key=lambda edit: (edit[1][:2], edit[0]), reverse=True)
        for _, (start, end, new) in edits:
            found = found[:start] + new.replace("\n", self._break) + found[end:]
        return found

    # ------------------------------------------------------------------------------------------------- changes

    def put(self, where: Sequence[str | int], value: Value) -> None:
        """Set the value of a key of a mapping that is there; the key may be new."""
        *path, key = where
        above = self._node(path)
        if above is None and not path:
            self._append_text(f"{key}: {written(value)}\n")
            return
        assert isinstance(above, yaml.MappingNode)
        pair = _pair(above, str(key))
        if pair is None:
            self._new_key(above, str(key), value)
        elif not self._same_rows(pair[1], value):
            start, end = pair[1].start_mark.index, self._end(pair[1])
            # A value that is not there stands directly behind its colon.
            self._edits.append((start, end, f"{'' if end > start else ' '}{self._like(pair[1], value)}"))

    def put_rows(self, key: str, rows: Sequence[str]) -> None:
        """Set the text of a key of the file to these lines."""
        if self._node([key]) is not None:
            self.put([key], "\n".join(rows))
        else:
            self._append_text("".join(f"{line}\n" for line in (f"{key}: |", *(f"  {row}" for row in rows))))

    def drop(self, where: Sequence[str | int]) -> None:
        """Remove a key of a mapping or an entry of a list, if it is there."""
        *path, last = where
        above = self._node(path)
        if isinstance(above, yaml.MappingNode):
            pair = _pair(above, str(last))
            spans = [(key.start_mark.index, self._end(value)) for key, value in above.value]
            if pair:
                self._remove(above, spans, above.value.index(pair))
        elif isinstance(above, yaml.SequenceNode) and isinstance(last, int):
            spans = [(item.start_mark.index, self._end(item)) for item in above.value]
            self._remove(above, spans, last)

    def extend(self, key: str, items: Sequence[Mapping[str, Value]], *, anew: bool = False) -> None:
        """Add entries to the list of a key of the file, which may be new; `anew` if what it had is dropped."""
        if not items:
            return
        found = None if anew else self._node([key])
        if not isinstance(found, yaml.SequenceNode) or not found.value:
            body = "".join(_entry(item, 2, flow=False) for item in items)
            if not anew and isinstance(self._root, yaml.MappingNode) and (pair := _pair(self._root, key)):
                self._edits.append((pair[0].end_mark.index, self._end(pair[1]), f":\n{body.rstrip()}"))
            else:
                self._append_text(f"{key}:\n{body}")
            return
        last = found.value[-1]
        if found.flow_style:
            end = self._end(last)
            self._edits.append((end, end, "".join(f", {written(item)}" for item in items)))
            return
        at = self._line_end(self._end(last))
        column = found.start_mark.column
        self._edits.append((at, at, "".join(_entry(item, column, flow=bool(last.flow_style)) for item in items)))

    # ------------------------------------------------------------------------------------------------ the text

    def _node(self, where: Iterable[str | int]) -> yaml.Node | None:
        node = self._root
        for step in where:
            if isinstance(node, yaml.MappingNode):
                pair = _pair(node, str(step))
                node = pair[1] if pair else None
            elif isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
                node = node.value[step]
            else:
                return None
        return node

    def _end(self, node: yaml.Node) -> int:
        """Where the last character of a value ends; a library counts what follows it up to the next value."""
        if isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
            last = node.value[-1]
            return self._end(last[1] if isinstance(last, tuple) else last)
        start, end = node.start_mark.index, node.end_mark.index
        return start + len(self._text[start:end].rstrip())

    def _line_start(self, index: int) -> int:
        return self._text.rfind("\n", 0, index) + 1

    def _line_end(self, index: int) -> int:
        found = self._text.find("\n", index)
        return len(self._text) if found < 0 else found + 1

    def _append_text(self, text: str) -> None:
        end = len(self._text)
        self._edits.append((end, end, text))

    def _new_key(self, above: yaml.MappingNode, key: str, value: Value) -> None:
        said = f"{written(key)}: {written(value)}"
        if above.flow_style or not above.value:
            end = self._end(above.value[-1][1]) if above.value else above.start_mark.index + 1
            self._edits.append((end, end, f", {said}" if above.value else said))
            return
        keys = [pair[0].value for pair in above.value]
        # Hexes in their order stay in it.
        ordered = keys == sorted(keys) and all(any(map(str.isdigit, name)) for name in keys)
        before = next((pair[0] for pair in above.value if pair[0].value > key), None) if ordered else None
        indent = " " * above.value[0][0].start_mark.column
        if before is not None:
            at = self._line_start(before.start_mark.index)
        else:
            at = self._line_end(self._end(above.value[-1][1]))
        self._edits.append((at, at, f"{indent}{said}\n"))

    def _same_rows(self, node: yaml.Node, value: Value) -> bool:
        """Change single rows of a text that has as many of them as before; False for what is no such text."""
        if not (isinstance(node, yaml.ScalarNode) and node.style == "|" and isinstance(value, str)):
            return False
        start = self._line_end(node.start_mark.index)
        lines = self._text[start : self._end(node)].split("\n")
        rows = value.split()
        if len(lines) != len(rows) or any(line.split() == [] for line in lines):
            return False
        for line, row in zip(lines, rows, strict=True):
            at = start + len(line) - len(line.lstrip())
            if line.strip() != row:
                self._edits.append((at, at + len(line.strip()), row))
            start += len(line) + 1
        return True

    def _like(self, node: yaml.Node, value: Value) -> str:
        """A value as the one in whose place it stands: in lines of a length, or in a line."""
        if not isinstance(node, yaml.ScalarNode) or node.style not in ("|", ">") or not isinstance(value, str):
            return written(value)
        raw = self._text[node.start_mark.index : self._end(node)].split("\n")
        indent = " " * (len(raw[1]) - len(raw[1].lstrip()) if len(raw) > 1 else 2)
        if node.style == "|":
            return "\n".join([raw[0].rstrip(), *(indent + row for row in value.split())])
        width = max(len(line) for line in raw) - len(indent) if len(raw) > 2 else _WIDTH
        return "\n".join([raw[0].rstrip(), *(indent + line for line in _wrapped(value, width))])

    def _remove(self, above: yaml.CollectionNode, spans: list[tuple[int, int]], which: int) -> None:
        start, end = spans[which]
        if not above.flow_style:
            self._edits.append((self._line_start(start), self._line_end(end), ""))
        elif which + 1 < len(spans):
            self._edits.append((start, spans[which + 1][0], ""))
        else:
            self._edits.append((spans[which - 1][1] if which else start, end, ""))


def _pair(node: yaml.MappingNode, key: str) -> tuple[yaml.Node, yaml.Node] | None:
    found: tuple[yaml.Node, yaml.Node] | None = next((pair for pair in node.value if pair[0].value == key), None)
    return found


def _wrapped(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, max(width, 40), break_long_words=False, break_on_hyphens=False)


def _entry(item: Mapping[str, Value], column: int, *, flow: bool) -> str:
    indent = " " * column
    if flow:
        return f"{indent}- {written(item)}\n"
    lines: list[str] = []
    for key, value in item.items():
        said = written(value)
        if len(said) > _WIDTH and isinstance(value, str) and " " in value:
            lines += [f"{key}: >-", *(f"  {row}" for row in _wrapped(value, _WIDTH))]
        else:
            lines.append(f"{key}: {said}")
    return "".join(f"{indent}{'  ' if i else '- '}{line}\n" for i, line in enumerate(lines))

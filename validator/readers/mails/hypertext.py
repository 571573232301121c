"""The text of an HTML mail as its reader sees it, quotes marked with `>`, by lxml's forgiving parser.

Nothing is fetched or run: scripts, styles and pictures are passed over, entities are those of HTML alone. What is
struck out or hidden its reader is not told: it becomes a comment below its line.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from lxml.html import HtmlElement

MAX_DEPTH: Final = 200
"""How deep elements may lie in each other."""
_BREAKS: Final = frozenset(
    ("address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details", "dialog", "div",
     "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header",
     "hgroup", "hr", "legend", "li", "main", "menu", "nav", "ol", "optgroup", "option", "p", "pre", "search",
     "section", "summary", "table", "tbody", "tfoot", "thead", "tr", "ul")
)  # fmt: skip
_UNSEEN: Final = frozenset(("head", "script", "style", "title", "template"))
"""Of these no program shows the text. That of pictures, formulas and `noscript` is shown, for no script runs."""
_STRUCK: Final = frozenset(("s", "strike", "del"))
_TAKEN_OUT: Final = re.compile(r"line-through|display\s*:\s*none", re.IGNORECASE)
_BLANKS: Final = re.compile(r"[ \t\r\n\f]+")


class TooDeep(ValueError):
    """Elements lie deeper in each other than any mail program writes them."""


def as_text(html: str) -> str:
    """The text of a page. Raises TooDeep, and ValueError for what the parser refuses."""
    from lxml import etree
    from lxml import html as pages

    parser = pages.HTMLParser(remove_comments=True, remove_pis=True, no_network=True, recover=True)
    try:
        # As bytes, for a text with a declaration of its encoding is refused as text.
        tree = pages.document_fromstring(
            b'<meta charset="utf-8">' + html.encode("utf-8", "replace"),
            parser=parser,
        )
    except etree.ParserError:
        return ""  # nothing in it
    except etree.LxmlError as error:
        raise ValueError(str(error)) from error
    if any("xcessive depth" in entry.message for entry in parser.error_log):
        raise TooDeep
    page = _Page()
    page.element(tree, 0)
    return page.text()


class _Page:
    """The lines so far, and the one that is being written."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._line: list[str] = []
        self._depth = 0
        self._kept = False
        self._out = False
        self._aside: list[str] = []

    def element(self, element: HtmlElement, level: int) -> None:
        """An element with all that it holds."""
        if level > MAX_DEPTH:
            raise TooDeep
        tag = element.tag if isinstance(element.tag, str) else ""
        if tag in _UNSEEN or not tag:
            return
        kept, self._kept = self._kept, self._kept or tag == "pre"
        struck = tag in _STRUCK or element.get("hidden") is not None
        struck = struck or _TAKEN_OUT.search(element.get("style") or "") is not None
        out, self._out = self._out, self._out or struck
        if tag == "br":
            self._end()
        if tag in _BREAKS:
            self._break()
        self._depth += tag == "blockquote"
        self._write(element.text)
        for child in element:
            self.element(child, level + 1)
            self._write(child.tail)
        self._out = out
        if tag in _BREAKS:
            self._break()
        elif tag in ("td", "th"):
            self._line.append(" ")
        self._depth -= tag == "blockquote"
        self._kept = kept

    def text(self) -> str:
        """All lines."""
        self._break()
        return "\n".join(self._lines) + "\n"

    def _write(self, text: str | None) -> None:
        if not text:
            return
        if self._out:
            self._aside.append(_BLANKS.sub(" ", text))
            return
        if not self._kept:
            self._line.append(_BLANKS.sub(" ", text))
            return
        first, *rest = text.replace("\r\n", "\n").split("\n")
        self._line.append(first)
        for line in rest:
            self._end()
            self._line.append(line)

    def _break(self) -> None:
        if "".join((*self._line, *self._aside)).strip():
            self._end()
        self._line.clear()

    def _end(self) -> None:
        line = "".join(self._line)
        line = line.rstrip() if self._kept else line.strip()
        self._lines.append("> " * self._depth + line)
        self._line.clear()
        if said := "".join(self._aside).strip():
            self._lines.append(f"{'> ' * self._depth}# {said}")
        self._aside.clear()

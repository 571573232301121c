"""The page of all words of turn sheets: what each statement is told by, and the forms of every word, by section.

Made from what statements declare, `art/words/notation.*.yaml`, `talk.*.yaml` and the files of the games, so that
docs/words.md says what is read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, TypeAlias

from ...scenarios.commands import extensions, names
from ...scenarios.compiled import load_any
from ...scenarios.text.words import Language, Words, languages
from ..notation.base import WORDS, idle, layout, usage
from ..notation.kinds import Pen
from ..notation.vocabulary import listed_words, notation, vocabulary_of
from ..notation.words import Section, Vocabulary
from ..reading.frames import IDLE

_WITHIN: Final = ("statements", "also", "verbs", "endings")
"""Sections whose words stand in the table of statements."""
Forms: TypeAlias = Mapping[Language, Mapping[str, Section]]


def page(language: Language) -> str:
    """The page of all words, as Markdown in a language."""
    w, base = Words(language), notation()
    accounts = [vocabulary_of(load_any(name)) for name in extensions()]
    lines = [f"# {w('glossary.title')}", "", w("glossary.other"), "", w("glossary.start", idle=_links(IDLE))]
    lines += ["", f"## {w('glossary.statements')}", "", *_statements(base, w)]
    for domain in ("notation", "talk"):
        lines += ["", f"## {w(f'glossary.{domain}')}"]
        forms = {lang: listed_words(domain, lang) for lang in languages()}
        for section in _all(*forms.values()):
            if section not in _WITHIN:
                lines += ["", f"### {section}", "", w(f"glossary.sections.{section}"), ""]
                lines += _section(w, forms, section)
    lines += ["", f"## {w('glossary.games')}", "", ", ".join(f"`{name}`" for name in names()), ""]
    lines += _own(w, [vocabulary_of(load_any(name)) for name in names()])
    for known in accounts:
        lines += ["", f"## {w('glossary.accounts', game=known.name)}", "", *_statements(known, w), ""]
        lines += _own(w, [known])
    return "\n".join(lines) + "\n"


def _all(*tables: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(key for table in tables for key in table))


def _ids(forms: Forms, section: str) -> list[str]:
    return _all(*(sections.get(section, {}) for sections in forms.values()))


def _links(sections: Iterable[str]) -> str:
    return ", ".join(f"[`{section}`](#{section.partition('.')[0]})" for section in sections)


def _ticked(forms: Iterable[str]) -> str:
    return ", ".join(f"`{form}`" for form in dict.fromkeys(forms))


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def _head(w: Words, columns: Iterable[str]) -> Iterator[str]:
    heads = [w(f"glossary.heads.{column}") for column in columns]
    yield from (_row(heads), _row("---" for _ in heads))


def _statements(known: Vocabulary, w: Words) -> Iterator[str]:
    """Each statement that begins with a word of a vocabulary: slots, verbs by language, words that are idle."""
    yield from _head(w, ("statement", "follows", *known.forms, "idle"))
    pen, told = Pen(known, w.language), set[str]()
    shared = () if known is notation() else _ids(notation().forms, "statements")
    for cls in WORDS:
        first, *fixed = layout(cls).words or ("",)
        if first not in _ids(known.forms, "statements") or first in shared:
            continue
        written = " ".join((pen.word("statements", first), *(pen.word("words", one) for one in fixed)))
        forms = (sections["statements"].get(first, ()) for sections in known.forms.values())
        verbs = ("" if first in told else _ticked(found) for found in forms)
        yield _row((f"`{written}`", usage(cls, pen), *verbs, _links(idle(cls))))
        told.add(first)


def _section(w: Words, forms: Forms, section: str) -> Iterator[str]:
    yield from _head(w, ("word", *forms))
    for word in _ids(forms, section):
        yield _row((f"`{word}`", *(_ticked(known.get(section, {}).get(word, ())) for known in forms.values())))


def _own(w: Words, vocabularies: list[Vocabulary]) -> Iterator[str]:
    """The words that games add to those of the notation, each once."""
    base, found = notation(), dict[tuple[str, str], dict[Language, list[str]]]()
    for known in vocabularies:
        for lang, sections in known.forms.items():
            for section, words in ((s, w) for s, w in sections.items() if s != "statements"):
                for id_, forms in words.items():
                    if base.forms.get(lang, {}).get(section, {}).get(id_) != forms:
                        said = found.setdefault((section, id_), {}).setdefault(lang, [])
                        said += [form for form in forms if form not in said]
    yield from _head(w, ("section", "word", *languages()))
    for (section, id_), told in sorted(found.items()):
        yield _row((f"`{section}`", f"`{id_}`", *(_ticked(told.get(lang, ())) for lang in languages())))

"""What the program says, apart from the code that says it: messages are keys with parameters, words are files.

`art/words/DOMAIN.LANGUAGE.yaml` holds the words of one domain (`findings`, `notation`, `commands` …) in one
language; a third language is more such files, and a folder named by HEXFORGE_WORDS is looked into first. A key is
`DOMAIN.rest.of.the.path`. A text is either a template or its plural forms:

    too-many: "{unit} may not enter {place}"
    stacking: {by: count, one: "{count} unit ends in {hex}", other: "{count} units end in {hex}"}

Plural forms are the categories of the Unicode CLDR (`zero one two few many other`), chosen by the parameter `by`
(`count` if not said); `zero` stands for 0 in any language that gives it. In a template `{x:+}` writes a sign,
`{x:,}` groups thousands and `{x:or}` joins a list as alternatives. Before a word of the game that begins with its
article a preposition is run together with it where the language does so (`contractions` of the domain `terms`).

How a language counts and writes numbers: the few facts that sentences need of a library that knows far more.

Locale data hold five megabytes in each process that has asked them for anything. What is asked here of them is
kept in the user's cache, and only the rules of plurals are read by the library's own reader of such rules.
"""

from __future__ import annotations

import os
import re
import string
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.util import find_spec
from numbers import Rational
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias

from .files import kept, kept_as

if TYPE_CHECKING:
    from fractions import Fraction


ENGLISH: Final = "en"
"""What a language that nobody knows counts like."""


@dataclass(frozen=True, slots=True)
class Numerals:
    """`plural` gives the Unicode CLDR's category of a count: `zero one two few many other`."""

    plural: Callable[[float], str]
    decimal: str
    minus: str

    def written(self, value: float) -> str:
        """A number with three decimals at most, without groups: `2,5`."""
        plain = f"{value:.3f}".rstrip("0").rstrip(".")
        return plain.replace("-", self.minus).replace(".", self.decimal)


@cache
def numerals_of(language: str) -> Numerals:
    """Those of a language; those of English for one that nobody knows."""
    if language == ENGLISH:
        # Not even the reader of rules: it is a tenth of what a small sheet takes.
        return Numerals(_english, ".", "-")
    facts = kept_as(f"numerals {language} {_library()}", lambda: _facts(language))
    from babel.plural import PluralRule

    return Numerals(PluralRule(facts["plural"]), facts["decimal"], facts["minus"])


def _english(count: float) -> str:
    return "one" if abs(count) == 1 else "other"


def _library() -> str:
    """The library as it stands, without importing it."""
    found = find_spec("babel")
    assert found is not None
    assert found.origin is not None
    stat = Path(found.origin).stat()
    return f"{found.origin} {stat.st_size} {stat.st_mtime_ns}"


def _facts(language: str) -> dict[str, Any]:
    from babel import Locale, UnknownLocaleError
    from babel.numbers import format_decimal

    try:
        locale = Locale.parse(language)
    except (UnknownLocaleError, ValueError):
        locale = Locale.parse(ENGLISH)
    minus, rest = format_decimal(-1.5, locale=locale).split("1")
    return {"plural": dict(locale.plural_form.rules), "decimal": rest.removesuffix("5"), "minus": minus}


Language: TypeAlias = str
"""A language as its files name it: `en`, `pt`, or any other that has files."""

SOURCE: Final = ENGLISH
"""The language whose words are complete; others fall back to it, key by key."""
FOLDER: Final = Path(__file__).parents[2] / "art" / "words"
_PLAIN: Final = (str, int)
_SPEC: Final = re.compile(r"\{\w*[!:]")
"""Values that every language writes as Python does, if the template asks for nothing else; and what asks for it."""
_LAST_WORD: Final = re.compile(r"(\w+) $")
_FORMS: Final = frozenset(("zero", "one", "two", "few", "many", "other"))


@dataclass(frozen=True, slots=True)
class Term:
    """Something that a game, or else the notation, has a word for: `Term("terrain", "forest")`.

    `section` is that of the game's text files (`sides phases edges terrain hexsides ways places areas unit_types`).
    `name` is what it is called where no language has a word for it; else it is called by its id.
    """

    section: str
    id: str
    name: str = ""


Param: TypeAlias = "str | int | float | Fraction | Term | Message | tuple[Param, ...]"
"""A value in a message. Text stands as it is; numbers and terms are written as the language writes them; a tuple is
a list with commas."""


@dataclass(frozen=True, slots=True)
class Message:
    """Something to say: the key of a text and the values in it. Words come from `Words.say` alone."""

    key: str
    params: tuple[tuple[str, Param], ...] = ()

    @property
    def values(self) -> dict[str, Param]:
        """The parameters by name."""
        return dict(self.params)

    def __str__(self) -> str:
        """In English, for tracebacks and logs."""
        return Words(SOURCE).say(self)


def message(key: str, /, **params: Param) -> Message:
    """A message: `message("findings.die", roll=7)`."""
    return Message(key, tuple(params.items()))


class Texts(Protocol):
    """A game's words in one language, as `scenarios.model.Text` holds them."""

    def get(self, key: str, default: str = "") -> str:
        """The text at `section.id`, or the default."""
        ...


class HexforgeError(Exception):
    """Input that cannot be used, said as a message; `str` gives it in English."""

    def __init__(self, message: Message) -> None:
        super().__init__(message)
        self.message = message

    def __str__(self) -> str:
        return str(self.message)

    def __reduce__(self) -> tuple[Any, ...]:
        # Other errors are made of something else than their message; from another process they come as they were.
        return _revived, (type(self), self.args), self.__dict__


def _revived(kind: type[HexforgeError], args: tuple[Any, ...]) -> HexforgeError:
    error = kind.__new__(kind, *args)
    error.args = args
    return error


class HexforgeWarning(UserWarning):
    """Something that a user would want to know, said as a message; `str` gives it in English."""

    def __init__(self, message: Message) -> None:
        super().__init__(message)
        self.message = message

    def __str__(self) -> str:
        return str(self.message)


class BadValueError(HexforgeError, ValueError):
    """A value that cannot be what it stands for; a schema's validators may raise it."""


# ----------------------------------------------------------------------------------------------- catalogues


def _folders() -> tuple[Path, ...]:
    return _folders_beside(os.environ.get("HEXFORGE_WORDS"))


@cache
def _folders_beside(own: str | None) -> tuple[Path, ...]:
    return (*((Path(own),) if own else ()), FOLDER)


def languages() -> tuple[Language, ...]:
    """All languages that there are files for."""
    return _languages_in(_folders())


@cache
def _languages_in(folders: tuple[Path, ...]) -> tuple[Language, ...]:
    found = {path.name.split(".")[-2] for folder in folders for path in folder.glob("*.*.yaml")}
    return tuple(sorted(found))


def _flat(value: Mapping[str, Any], start: str, into: dict[str, Any]) -> None:
    for name, below in value.items():
        key = f"{start}{name}"
        if isinstance(below, Mapping) and not ("other" in below and below.keys() <= _FORMS | {"by"}):
            _flat(below, f"{key}.", into)
        else:
            into[key] = below


def _parse(data: bytes) -> dict[str, Any]:
    import yaml

    found: dict[str, Any] = {}
    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    _flat(yaml.load(data, loader) or {}, "", found)
    return found


@cache
def _merged(folders: tuple[Path, ...], domain: str, language: Language) -> Mapping[str, Any]:
    found: dict[str, Any] = {}
    for folder in reversed(folders):
        path = folder / f"{domain}.{language}.yaml"
        found |= kept(path, _parse) if path.is_file() else {}
    return found


def catalogue(domain: str, language: Language) -> Mapping[str, Any]:
    """The texts of a domain in one language, by key without the domain; plural forms are mappings."""
    return _merged(_folders(), domain, language)


def keep() -> None:
    """Have all words, and what their languages count like, in the cache, for others to find them there.

    Raises OSError for files that cannot be read.
    """
    for path in {path for folder in _folders() for path in folder.glob("*.*.yaml")}:
        domain, language = path.name.split(".")[:2]
        catalogue(domain, language)
    for language in languages():
        numerals_of(language)


@cache
def _contractions(text: str) -> Mapping[tuple[str, str], str]:
    """What a preposition and an article become: `por+o=pelo` and others, with blanks between them."""
    pairs = (pair.partition("=") for pair in text.split())
    return {(*both.split("+"),): one for both, _, one in pairs}  # type: ignore[misc]


# --------------------------------------------------------------------------------------------------- words


class _Formatter(string.Formatter):
    def __init__(self, words: Words) -> None:
        self.words = words

    def vformat(self, format_string: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> str:
        told = ""
        for literal, field, spec, conversion in self.parse(format_string):
            told += literal
            if field is None:
                continue
            value = self.get_field(field, args, kwargs)[0]
            said = self.format_field(self.convert_field(value, conversion), spec or "")
            # Ids and what somebody wrote stand as they are.
            first = value[0] if isinstance(value, tuple) and value else value
            told = self.words.joined(told, said) if isinstance(first, Term | Message) else told + said
        return told

    def format_field(self, value: Any, format_spec: str) -> str:
        if format_spec == "+":
            return ("+" if value > 0 else "") + self.words.number(value)
        if format_spec == ",":
            return self.words.number(value, group=True)
        if format_spec == "or":
            return self.words.alternatives(value)
        return self.words.value(value)

    def convert_field(self, value: Any, conversion: str | None) -> Any:
        if conversion == "r":
            return repr(value) if isinstance(value, str) else value
        return super().convert_field(value, conversion)


@dataclass(frozen=True)
class Words:
    """One language's words, with a game's own where `texts` holds them: language -> the game's words in it.

    >>> Words("pt").number(2.5)
    '2,5'
    """

    language: Language
    texts: Mapping[Language, Texts] | None = None

    def of(self, texts: Mapping[Language, Texts]) -> Words:
        """The same language with the words of a game."""
        return replace(self, texts=texts)

    def __call__(self, key: str, /, **params: Param) -> str:
        """The text at a key with its values in it. Raises KeyError for a key that no language has."""
        return self._fill(self.template(key), params)

    def say(self, message: Message) -> str:
        """A message in words. Raises KeyError for a key that no language has."""
        return self._fill(self.template(message.key), message.values)

    def template(self, key: str) -> Any:
        """The text at a key as its file has it. Raises KeyError."""
        domain, _, rest = key.partition(".")
        for language in (self.language, SOURCE):
            found = catalogue(domain, language).get(rest)
            if found is not None:
                return self._with_zone_word(found)
        raise KeyError(key)

    def _with_zone_word(self, template: Any) -> Any:
        """A text with the game's word for its zones, which many say by a name of their own."""
        if not isinstance(template, str) or "{zone}" not in template:
            return template
        return template.replace("{zone}", self.term("concepts", "zone").replace("{", "{{").replace("}", "}}"))

    def has(self, key: str) -> bool:
        """Whether any language has a text at the key."""
        domain, _, rest = key.partition(".")
        return any(rest in catalogue(domain, language) for language in (self.language, SOURCE))

    def section(self, key: str) -> dict[str, str]:
        """All texts below a key, without it: `section("report.steps")["full"]`."""
        domain, _, rest = key.partition(".")
        start = f"{rest}." if rest else ""
        both = {**catalogue(domain, SOURCE), **catalogue(domain, self.language)}
        return {k[len(start) :]: v for k, v in both.items() if k.startswith(start)}

    def _fill(self, template: Any, params: Mapping[str, Param]) -> str:
        if isinstance(template, Mapping):
            count = params.get(template.get("by", "count"))
            none = template.get("zero") if count == 0 else None
            template = none or template.get(self._form(count)) or template["other"]
        text = str(template)
        if not params:
            return text
        if all(type(value) in _PLAIN for value in params.values()) and not _SPEC.search(text):
            return text.format(**params)
        return _Formatter(self).vformat(text, (), params)

    def _form(self, count: object) -> str:
        if not isinstance(count, int | float):
            return "other"
        return numerals_of(self.language).plural(count)

    def value(self, value: object) -> str:
        """A parameter as it stands in a sentence."""
        match value:
            case Term():
                return self.term(value.section, value.id, value.name)
            case Message():
                return self.say(value)
            case bool():
                return str(value)
            case int() | float() | Rational():
                return self.number(value)
            case tuple():
                return ", ".join(map(self.value, value))
        return str(value)

    def joined(self, before: str, word: str) -> str:
        """A word of the game behind what stands before it: `por ` and `a noite` are `pela noite` in Portuguese."""
        pairs = _contractions(str(catalogue("terms", self.language).get("contractions", "")))
        article, _, rest = word.partition(" ")
        last = _LAST_WORD.search(before) if rest else None
        one = pairs.get((last[1].lower(), article)) if last else None
        if last is None or one is None:
            return before + word
        one = one.capitalize() if last[1][0].isupper() else one
        return f"{before[: last.start()]}{one} {rest}"

    def term(self, section: str, id_: str, name: str = "") -> str:
        """The word for something within a sentence: the game's in this language, else ours, else its name or id."""
        found = self.heading(section, id_, name)
        lowered = catalogue("terms", self.language).get("lowered", catalogue("terms", SOURCE).get("lowered", ""))
        return found[:1].lower() + found[1:] if section in lowered.split() else found

    def heading(self, section: str, id_: str, name: str = "") -> str:
        """The word for something as it stands by itself."""
        key = f"{section}.{id_}"
        texts = self.texts or {}
        for language in dict.fromkeys((self.language, SOURCE)):
            game = texts.get(language)
            if found := (game.get(key) or game.get(f"{key}.name")) if game else "":
                return found
            if isinstance(ours := catalogue("terms", language).get(key), str):
                return ours
            for domain in ("notation", "ledger"):
                if forms := catalogue(domain, language).get(key):
                    return str(forms[0])
        others = (text.get(key) for text in texts.values())
        return next((found for found in others if found), name or id_)

    def number(self, value: int | float | Rational, *, group: bool = False) -> str:
        """A number as the language writes it: `2,5`; thousands in groups only if asked."""
        if isinstance(value, int) and not group:
            return str(value)
        if not group:
            return numerals_of(self.language).written(float(value))
        from babel import UnknownLocaleError
        from babel.numbers import format_decimal

        plain = value if isinstance(value, int) else float(value)
        for language in (self.language, SOURCE):
            try:
                return str(format_decimal(plain, locale=language))
            except (UnknownLocaleError, ValueError):
                continue
        return str(plain)

    def percent(self, share: Fraction | float) -> str:
        """A share of one in percent, with one decimal: `2,8%`."""
        from babel import UnknownLocaleError
        from babel.numbers import format_percent

        for language in (self.language, SOURCE):
            try:
                return str(format_percent(float(share), format="0.0%", locale=language))
            except (UnknownLocaleError, ValueError):
                continue
        return f"{float(share):.1%}"

    def alternatives(self, values: Sequence[Param]) -> str:
        """Values as a choice: `road, trail or rail`."""
        from babel import UnknownLocaleError
        from babel.lists import format_list

        texts = [self.value(value) for value in values]
        try:
            return format_list(texts, style="or", locale=self.language)
        except (UnknownLocaleError, ValueError):
            return format_list(texts, style="or", locale=SOURCE)

    def listed(self, values: Sequence[Param]) -> str:
        """Values as a list with commas."""
        return self.value(tuple(values))

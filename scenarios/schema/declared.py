"""How a schema is declared, without the library that checks by it.

A schema is a class of annotated fields, written as pydantic's are: `Field`, `BeforeValidator`, `AfterValidator` and
`model_validator` stand for those of the same names. Here they only note what was said. `scenarios.schema.checked`
makes pydantic's models from it once there is a file to check; its values then become instances of the classes
themselves, which are all that the rest of the program sees. So who judges by a game that is kept as it was read
does without the library, which takes longer to import than a turn to judge.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from inspect import get_annotations
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, Self, TypeVar, cast, dataclass_transform

if TYPE_CHECKING:
    from pydantic.fields import FieldInfo

T = TypeVar("T", bound=Callable[..., Any])


def by_class(function: T) -> T:
    """As `functools.cache`, of functions of a model's class, which mypy does not take for hashable."""
    return cast(T, cache(function))


REQUIRED: Final = object()
"""The default of a field that has none."""
CHECKS: Final = "checks"
"""The attribute by which a method says that it is a validator, and when it is called."""


@dataclass(frozen=True, eq=False)
class Declaration:
    """What `Field` was told, by pydantic's names."""

    said: Mapping[str, Any]

    @property
    def default(self) -> Any:
        """The value where none is given; REQUIRED if one must be."""
        factory = self.said.get("default_factory")
        return factory() if factory else self.said.get("default", REQUIRED)


def Field(  # noqa: N802 - pydantic's name, and its arguments
    *, default: Any = REQUIRED, default_factory: Callable[[], Any] | None = None, **said: Any
) -> Any:
    """A field with a default, a description, bounds; as an annotation, what holds of every value of the type."""
    if default is not REQUIRED:
        said["default"] = default
    if default_factory is not None:
        said["default_factory"] = default_factory
    return Declaration(said)


@dataclass(frozen=True)
class BeforeValidator:
    """An annotation: a value goes through a function before it is checked.

    One of two arguments is given pydantic's ValidationInfo too, in which the context of `model_validate` stands.
    """

    function: Callable[..., Any]
    json_schema_input_type: Any = None


@dataclass(frozen=True)
class AfterValidator:
    """An annotation: a value goes through a function after it is checked."""

    function: Callable[[Any], Any]


def model_validator(*, mode: Literal["before", "after"]) -> Callable[[T], T]:
    """Decorator of a method that checks a whole model: what is read of it before, or itself afterwards."""

    def mark(method: T) -> T:
        setattr(getattr(method, "__func__", method), CHECKS, mode)
        return method

    return mark


class _Fields:
    """A model's fields as pydantic describes them, by name."""

    def __get__(self, _: object, owner: type[Model]) -> Mapping[str, FieldInfo]:
        from hexforge.scenarios.schema.checked import checking

        return checking(owner).model_fields


@dataclass_transform(eq_default=False, kw_only_default=True, frozen_default=True, field_specifiers=(Field,))
class Model:
    """Base of all file schemas: unknown keys are errors, values do not change once read.

    What it can do bears the names of pydantic's and does the same.
    """

    model_config: ClassVar[Mapping[str, Any]] = {}
    model_fields: ClassVar[_Fields] = _Fields()

    def __init__(self, **values: Any) -> None:
        # Where nothing is given, as for a default, there is nothing to check.
        made = self.model_validate(values) if values else self.model_construct()
        self.__dict__.update(made.__dict__)

    @classmethod
    def model_construct(cls, **values: Any) -> Self:
        """One of values that are known to be right, with the defaults of all others."""
        made = cls.__new__(cls)
        for name, said in declared(cls).items():
            default = said.default if isinstance(said, Declaration) else said
            if name in values or default is not REQUIRED:
                made.__dict__[name] = values.get(name, default)
        return made

    @classmethod
    def model_validate(cls, value: Any, *, context: Mapping[str, Any] | None = None) -> Self:
        """What a file says, checked. Raises pydantic's ValidationError."""
        from hexforge.scenarios.schema.checked import validated

        return validated(cls, value, context)

    @classmethod
    def model_json_schema(cls) -> dict[str, Any]:
        """The JSON Schema of what a file may say."""
        from hexforge.scenarios.schema.checked import checking

        return checking(cls).model_json_schema()

    def model_copy(self, *, update: Mapping[str, Any]) -> Self:
        """The same with other values in some fields."""
        return self.model_construct(**{**dict(self), **update})

    def model_dump(self) -> dict[str, Any]:
        """Its values, with dictionaries in place of models."""
        return {name: _plain(value) for name, value in self}

    def model_dump_json(self) -> str:
        """The same as JSON, of what that does not know the text."""
        return json.dumps(self.model_dump(), default=str, ensure_ascii=False)

    def __iter__(self) -> Iterator[tuple[str, Any]]:
        return ((name, self.__dict__[name]) for name in declared(type(self)) if name in self.__dict__)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__}.{name} does not change")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__}.{name} does not change")

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and dict(self) == dict(other)

    if not TYPE_CHECKING:  # mypy takes a class whose instances have a hash of their own for one without

        def __hash__(self) -> int:
            return hash((type(self), *(value for _, value in self)))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self)})"


@by_class
def declared(cls: type[Model]) -> Mapping[str, Any]:
    """What a class has for each field of a model, REQUIRED for nothing; those of its bases come first."""
    found: dict[str, Any] = {}
    for base in reversed(cls.__mro__[: cls.__mro__.index(Model)]):
        fields = (name for name, hint in get_annotations(base).items() if not str(hint).startswith("ClassVar"))
        found |= {name: base.__dict__.get(name, REQUIRED) for name in fields}
    return found


def _plain(value: Any) -> Any:
    if isinstance(value, Model):
        return value.model_dump()
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    return tuple(map(_plain, value)) if type(value) is tuple else value

"""How a schema is declared, without the library that checks by it.

A schema is a dataclass. `Field`, `BeforeValidator` and `AfterValidator` stand for pydantic's of those names: they
only note what was said, until there is a file to check and pydantic asks for it. So who judges by a game that is
kept as it was read does without the library, which takes longer to import than a turn to judge.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, NamedTuple, Self, dataclass_transform

if TYPE_CHECKING:
    from pydantic import TypeAdapter


class Noted:
    """What pydantic is told of a type or a field: arguments of its function of a name."""

    __is_annotated_types_grouped_metadata__: Final = True
    """Has pydantic ask for the notes in this."""

    def __init__(self, kind: str, *args: Any, **said: Any) -> None:
        self.kind, self.args, self.said = kind, args, said

    def __iter__(self) -> Iterator[Any]:
        import pydantic

        yield getattr(pydantic, self.kind)(*self.args, **self.said)


def Field(description: str = "", **said: Any) -> Any:  # noqa: N802
    """A field: what it is for, its default, bounds; as an annotation, what holds of every value of the type."""
    return Noted("Field", **({"description": description} if description else {}), **said)


BeforeValidator: Final = partial(Noted, "BeforeValidator")
"""An annotation: a value goes through a function before it is checked.

One of two arguments is given pydantic's ValidationInfo too, in which the context of `model_validate` stands.
"""
AfterValidator: Final = partial(Noted, "AfterValidator")
"""An annotation: a value goes through a function after it is checked."""


class Slip(NamedTuple):
    """What may be wrong with a model's values: the key of what is then said, at which of its keys, and when.

    `when` is given the game under examination (`scenarios.checks.Checker`) and the model. It says whether it is so,
    or gives the values of what is said, or those of each case, with further steps to its place as `at`.
    """

    said: str
    at: str
    when: Callable[[Any, Any], Any]
    severity: Literal["error", "warning", "idle"] = "warning"


warning: Final = Slip
error: Final = partial(Slip, severity="error")
idle: Final = partial(Slip, severity="idle")
"""Keys without effect, one or several, that say something else than by default: the reason, the keys, when."""


@dataclass_transform(eq_default=False, kw_only_default=True, frozen_default=True, field_specifiers=(Field,))
class Model:
    """Base of all file schemas: unknown keys are errors, values do not change once read.

    What it can do bears the names of pydantic's and does the same. `__post_init__` of a schema checks what is read.
    """

    __pydantic_config__: ClassVar[Mapping[str, Any]] = {"extra": "forbid", "str_strip_whitespace": True}
    __dataclass_fields__: ClassVar[dict[str, dataclasses.Field[Any]]]
    model_fields: ClassVar[Mapping[str, dataclasses.Field[Any]]]
    SLIPS: ClassVar[tuple[Slip, ...]] = ()
    """What a map maker is told of values that are well formed and come to nothing, or cannot be meant."""

    def __init_subclass__(cls) -> None:
        for name, noted in [*vars(cls).items()]:
            if isinstance(noted, Noted):
                said = dict(noted.said)
                given = {key: said.pop(key) for key in ("default", "default_factory") if key in said}
                if given.get("default") == {}:
                    given = {"default_factory": dict}
                setattr(cls, name, dataclasses.field(**given, metadata=said))
        dataclasses.dataclass(cls, init=False, repr=False, eq=False, match_args=False, kw_only=True)
        cls.model_fields = {field.name: field for field in dataclasses.fields(cls)}

    def __init__(self, **values: Any) -> None:
        # Where nothing is given, as for a default, there is nothing to check.
        made = self.model_validate(values) if values else self.model_construct()
        self.__dict__.update(made.__dict__)

    @classmethod
    def model_construct(cls, **values: Any) -> Self:
        """One of values that are known to be right, with the defaults of all others."""
        made = cls.__new__(cls)
        for name, field in cls.model_fields.items():
            if name in values or not required(field):
                made.__dict__[name] = values[name] if name in values else default(field)
        return made

    @classmethod
    def model_validate(cls, value: Any, *, context: Mapping[str, Any] | None = None) -> Self:
        """What a file says, checked. Raises pydantic's ValidationError."""
        found: Self = _checking(cls).validate_python(value, context=context)
        return found

    @classmethod
    def model_json_schema(cls) -> dict[str, Any]:
        """The JSON Schema of what a file may say."""
        return _checking(cls).json_schema()

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: Any, handler: Any) -> dict[str, Any]:
        found: dict[str, Any] = handler(core_schema)
        handler.resolve_ref_schema(found)["description"] = inspect.getdoc(cls)
        return found

    def model_copy(self, *, update: Mapping[str, Any]) -> Self:
        """The same with other values in some fields."""
        return self.model_construct(**{**dict(self), **update})

    def __iter__(self) -> Iterator[tuple[str, Any]]:
        return ((name, self.__dict__[name]) for name in self.model_fields if name in self.__dict__)

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


def required(field: dataclasses.Field[Any]) -> bool:
    """Whether a field must be given."""
    return field.default is field.default_factory is dataclasses.MISSING


def default(field: dataclasses.Field[Any]) -> Any:
    """The value of a field that is not given."""
    return field.default if field.default_factory is dataclasses.MISSING else field.default_factory()


def _adapter(cls: type[Model]) -> TypeAdapter[Any]:
    from pydantic import TypeAdapter

    return TypeAdapter(cls)


# mypy does not take a model's class for hashable.
_checking: Final[Callable[[Any], TypeAdapter[Any]]] = cache(_adapter)

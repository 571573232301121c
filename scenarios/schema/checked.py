"""Checks what files say by the schemas that are declared, with pydantic.

For each declared class there is one of pydantic's models of the same name, fields and documentation. It checks and
converts; what it made is then taken over into the declared classes, part by part.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import UnionType
from typing import Annotated, Any, ClassVar, Final, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import pydantic

from hexforge.scenarios.schema.declared import (
    CHECKS,
    REQUIRED,
    AfterValidator,
    BeforeValidator,
    Declaration,
    Model,
    by_class,
    declared,
)

M = TypeVar("M", bound=Model)
_UNION: Final = (Union, UnionType)
_PLAIN: Final = frozenset((str, int, float, bool, type(None)))
"""What has no parts, which most values are."""


class _Checking(pydantic.BaseModel):
    # Most of these are parts of others: only what is validated by itself needs a validator of its own.
    model_config = pydantic.ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True, defer_build=True)
    declared_as: ClassVar[type[Model]]


def validated(cls: type[M], value: Any, context: Mapping[str, Any] | None = None) -> M:
    """A value as a declared class; validators are told of the context. Raises pydantic's ValidationError."""
    found: M = _taken(checking(cls).model_validate(_given(value), context=context))
    return found


@by_class
def checking(cls: type[Model]) -> type[pydantic.BaseModel]:
    """The model that checks for a declared class."""
    hints = get_type_hints(cls, include_extras=True)
    fields: dict[str, Any] = {name: (_type(hints[name]), _field(said)) for name, said in declared(cls).items()}
    made = pydantic.create_model(
        cls.__name__,
        __base__=_Checking,
        __doc__=cls.__doc__,
        __module__=cls.__module__,
        __validators__=dict(_validators(cls)),
        __cls_kwargs__=dict(cls.model_config),
        **fields,
    )
    made.declared_as = cls
    return made


def _validators(cls: type[Model]) -> Iterator[tuple[str, Any]]:
    """The methods of a class and its bases that check the whole of it, as pydantic marks them."""
    methods = {name: method for base in reversed(cls.__mro__) for name, method in vars(base).items()}
    for name, method in methods.items():
        mode: Any = getattr(getattr(method, "__func__", method), CHECKS, None)
        if mode is not None:
            marked: Any = pydantic.model_validator(mode=mode)
            yield name, marked(method)


def _type(hint: Any) -> Any:
    """A type with pydantic's models and notes in place of declared ones."""
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return Annotated[(_type(args[0]), *map(_note, args[1:]))]
    if origin in _UNION:
        return Union[tuple(map(_type, args))]  # noqa: UP007 - of as many types as there are
    if isinstance(hint, type) and origin is None and issubclass(hint, Model):
        return checking(hint)
    if not args or origin is Literal:
        return hint
    return origin[tuple(arg if arg is ... else _type(arg) for arg in args)]


def _note(note: Any) -> Any:
    if isinstance(note, Declaration):
        return _field(note)
    if isinstance(note, BeforeValidator):
        written = note.json_schema_input_type
        typed = {} if written is None else {"json_schema_input_type": _type(written)}
        return pydantic.BeforeValidator(note.function, **typed)
    return pydantic.AfterValidator(note.function) if isinstance(note, AfterValidator) else note


def _field(said: Any) -> Any:
    """A field as pydantic is told of it; what stands in the class is its default, unless that says more."""
    if not isinstance(said, Declaration):
        return ... if said is REQUIRED else _given(said)
    told: dict[str, Any] = dict(said.said)
    if "default" in told:
        told["default"] = _given(told["default"])
    return pydantic.Field(**told)


def _given(value: Any) -> Any:
    """A value with pydantic's models in place of declared ones, which were checked when they were made."""
    if type(value) in _PLAIN:
        return value
    if isinstance(value, Model):
        return checking(type(value)).model_construct(**{name: _given(part) for name, part in value})
    if isinstance(value, dict):
        return {key: _given(part) for key, part in value.items()}
    return type(value)(map(_given, value)) if type(value) in (list, tuple) else value


def _taken(value: Any) -> Any:
    """What pydantic made, of declared classes."""
    kind = type(value)
    if kind in _PLAIN:
        return value
    if isinstance(value, _Checking):
        # It has every field, so no default need be made.
        made = value.declared_as.__new__(value.declared_as)
        made.__dict__.update((name, _taken(part)) for name, part in value.__dict__.items())
        return made
    if isinstance(value, Mapping):
        return {key: _taken(part) for key, part in value.items()}
    return tuple(map(_taken, value)) if kind is tuple else value

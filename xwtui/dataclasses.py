"""Dataclasses whose declaration is eight times faster: each start declares hundreds, most of them never used.

The standard library generates and compiles the source of six methods per class. Here it only collects the fields.
`__init__` is compiled, with its signature, when the first instance is made; the other methods are closures over
the fields and need no compiler. Other options than those below, and InitVar, are refused.
"""

import dataclasses
from collections.abc import Callable, Collection, Sequence
from dataclasses import MISSING, Field, FrozenInstanceError, asdict, astuple, field, fields, replace
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

__all__ = ["asdict", "astuple", "dataclass", "field", "fields", "replace"]

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(cls=None, /, *, frozen=False, init=True, eq=True, kw_only=False, slots=False):
        """Like `dataclasses.dataclass`, which is still used for classes with slots."""

        def declare(cls):
            if slots:
                return dataclasses.dataclass(cls, frozen=frozen, init=init, eq=eq, kw_only=kw_only, slots=True)
            return _declared(cls, frozen, init, eq, kw_only)

        return declare if cls is None else declare(cls)


def _declared(cls: type[Any], frozen: bool, init: bool, eq: bool, kw_only: bool) -> type[Any]:
    cls.__doc__ = cls.__doc__ or cls.__name__  # otherwise it would be the signature
    # Let the standard library build a frozen class only if there are base classes for it to check.
    checked = frozen and any(hasattr(base, "__dataclass_params__") for base in cls.__bases__)
    found = fields(dataclasses.dataclass(cls, init=False, repr=False, eq=False, frozen=checked, kw_only=kw_only))
    cls.__dataclass_params__.frozen = frozen
    names = frozenset(one.name for one in found)
    _check(cls, found, names)
    compared = _values([one for one in found if one.compare])
    hashed = _values([one for one in found if (one.compare if one.hash is None else one.hash)])

    def first_init(self: Any, /, *args: Any, **named: Any) -> None:
        """Compile `__init__` and replace this method with it; threads that race here compile the same code."""
        made = _init(found, frozen, hasattr(cls, "__post_init__"))
        made.__qualname__ = f"{cls.__qualname__}.__init__"
        if cls.__init__ is first_init:
            cls.__init__ = made
        made(self, *args, **named)

    def equals(self: Any, other: object) -> bool:
        return compared(self) == compared(other) if other.__class__ is self.__class__ else NotImplemented

    def refuse(self: Any, name: str, *value: object) -> None:
        if type(self) is cls or name in names:
            raise FrozenInstanceError(f"cannot {'assign to' if value else 'delete'} field {name!r}")
        getattr(super(cls, self), "__setattr__" if value else "__delattr__")(name, *value)

    methods: dict[str, Any] = {"__repr__": _repr} | ({"__init__": first_init} if init else {})
    if frozen:
        methods["__setattr__"] = methods["__delattr__"] = refuse
    if eq:
        methods |= {"__eq__": equals, "__hash__": (lambda self: hash(hashed(self))) if frozen else None}
    for name in [name for name in methods if cls.__dict__.get(name) is None]:
        setattr(cls, name, methods[name])
    return cls


def _check(cls: type[Any], found: Sequence[Field[Any]], names: Collection[str]) -> None:
    if any("InitVar" in str(one.type) for name, one in cls.__dataclass_fields__.items() if name not in names):
        raise TypeError(f"{cls.__name__}: only dataclasses of the standard library have an InitVar")
    needed = [MISSING is one.default is one.default_factory for one in found if one.init and not one.kw_only]
    if needed != sorted(needed, reverse=True):
        raise TypeError(f"{cls.__name__}: a field without a default follows one with a default")


def _values(found: Sequence[Field[Any]]) -> Callable[[Any], tuple[Any, ...]]:
    """Return a function that reads these fields from an instance as a tuple."""
    names = [one.name for one in found]
    return attrgetter(*names) if len(names) > 1 else lambda one: tuple(getattr(one, name) for name in names)


@recursive_repr()
def _repr(self: Any) -> str:
    parts = (f"{one.name}={getattr(self, one.name)!r}" for one in fields(self) if one.repr)
    return f"{self.__class__.__qualname__}({', '.join(parts)})"


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
    made.__annotations__ = {one.name: one.type for one in found if one.init} | {"return": None}
    return made

"""Named tuples that are declared four times as quickly: hundreds are at each start, and most are never made.

The standard library compiles what makes one, and the type of each field, as a class is declared, and writes five
more methods for each. Here `__new__` is compiled, with its signature, for the first tuple of a class, and all else
takes the fields from the class. Of other bases, `NamedTuple` alone is taken.
"""

import sys
from collections import _tuplegetter  # type: ignore[attr-defined]  # what finds a field fastest
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Self

__all__ = ["NamedTuple"]


class _Named(tuple[Any, ...]):
    """What named tuples have in common."""

    __slots__ = ()
    if TYPE_CHECKING:  # or else these would be types of fields
        _fields: ClassVar[tuple[str, ...]]
        _field_defaults: ClassVar[Mapping[str, Any]]

    def __new__(cls, /, *values: Any, **named: Any) -> Self:
        """Put what is compiled now in its own place; two threads that do so at a time make the same."""
        declared: Any = next(each for each in cls.__mro__ if "_fields" in each.__dict__)
        takes = "".join(f"{name}, " for name in declared._fields)
        compiled = eval(f"lambda _class, {takes}: _new(_class, ({takes}))", {"_new": tuple.__new__})
        compiled.__defaults__ = tuple(declared._field_defaults.values())
        declared.__new__ = staticmethod(compiled)
        made: Self = compiled(cls, *values, **named)
        return made

    @classmethod
    def _make(cls, values: Iterable[Any]) -> Self:
        made = tuple.__new__(cls, values)
        if len(made) != len(cls._fields):
            raise TypeError(f"{cls.__name__} has {len(cls._fields)} fields, and not {len(made)}")
        return made

    def _replace(self, /, **named: Any) -> Self:
        made = self._make(map(named.pop, self._fields, self))
        if named:
            raise ValueError(f"{type(self).__name__} has no fields {', '.join(named)}")
        return made

    def _asdict(self) -> dict[str, Any]:
        return dict(zip(self._fields, self, strict=True))

    def __repr__(self) -> str:
        told = (f"{name}={value!r}" for name, value in self._asdict().items())
        return f"{type(self).__name__}({', '.join(told)})"

    def __getnewargs__(self) -> tuple[Any, ...]:
        return tuple(self)


class _Declaring(type):
    """Makes an ordinary class of one that is declared with `NamedTuple` as its base."""

    def __new__(cls, name: str, bases: tuple[type, ...], declared: dict[str, Any]) -> Any:
        fields = tuple(declared.get("__annotations__", ()))
        defaults = {field: declared.pop(field) for field in fields if field in declared}
        own = {"__slots__": (), "_fields": fields, "_field_defaults": defaults, "__match_args__": fields}
        places = {field: _tuplegetter(place, "") for place, field in enumerate(fields)}
        return type(name, (_Named,), declared | own | places)


if TYPE_CHECKING or sys.version_info >= (3, 14):  # which keeps annotations elsewhere
    from typing import NamedTuple
else:
    NamedTuple = type.__new__(_Declaring, "NamedTuple", (), {})

"""Named tuples whose declaration is four times faster: each start declares hundreds, most of them never used.

The standard library compiles a constructor and checks each field's type when a class is declared, and defines five
more methods per class. Here `__new__` is compiled, with its signature, when the first tuple of a class is made,
and the other methods are shared and read the fields from the class. `NamedTuple` must be the only base class.
"""

import sys
from collections import _tuplegetter  # type: ignore[attr-defined]  # the fastest field accessor
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Self

__all__ = ["NamedTuple"]


class _Named(tuple[Any, ...]):
    """The methods that all named tuples share."""

    __slots__ = ()
    if TYPE_CHECKING:  # otherwise these would become fields
        _fields: ClassVar[tuple[str, ...]]
        _field_defaults: ClassVar[Mapping[str, Any]]

    def __new__(cls, /, *values: Any, **named: Any) -> Self:
        """Compile `__new__` and replace this method with it; threads that race here compile the same code."""
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
        parts = (f"{name}={value!r}" for name, value in self._asdict().items())
        return f"{type(self).__name__}({', '.join(parts)})"

    def __getnewargs__(self) -> tuple[Any, ...]:
        return tuple(self)


class _Declaring(type):
    """Turns a class declared with `NamedTuple` as its base into an ordinary class."""

    def __new__(cls, name: str, bases: tuple[type, ...], declared: dict[str, Any]) -> Any:
        fields = tuple(declared.get("__annotations__", ()))
        defaults = {field: declared.pop(field) for field in fields if field in declared}
        own = {"__slots__": (), "_fields": fields, "_field_defaults": defaults, "__match_args__": fields}
        places = {field: _tuplegetter(place, "") for place, field in enumerate(fields)}
        return type(name, (_Named,), declared | own | places)


if TYPE_CHECKING or sys.version_info >= (3, 14):  # it stores annotations differently
    from typing import NamedTuple
else:
    NamedTuple = type.__new__(_Declaring, "NamedTuple", (), {})

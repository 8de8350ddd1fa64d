"""Our named tuples compared with those of the standard library."""

import copy
import pickle
import re
import typing
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from xwtui import named_tuples as quick


def _declared(base: Any) -> dict[str, type[Any]]:
    """Declare the same classes with either implementation."""

    class Point(base):  # type: ignore[misc]
        row: int
        column: int = 3
        """Counted from 0."""
        names: "tuple[str, ...]" = ()

        @property
        def place(self) -> str:
            return f"r{self.row}c{self.column}"

        @classmethod
        def first(cls) -> Any:
            return cls(0, 0)

    class Named(Point):
        def __repr__(self) -> str:
            return f"named {super().__repr__()}"

        def __new__(cls, row: int) -> Any:
            return super().__new__(cls, row, 7, ("A",))

    class Single(base):  # type: ignore[misc]
        """With words of its own."""

        word: str

        def __len__(self) -> int:
            return len(self.word)

    class Nothing(base):  # type: ignore[misc]
        pass

    return {one.__name__: one for one in (Point, Named, Single, Nothing)}


@pytest.mark.parametrize(
    "do",
    [
        lambda of: of["Point"](1),
        lambda of: of["Point"](1, names=("A",)),
        lambda of: [of["Point"](1), of["Point"](row=1, column=2)],
        lambda of: of["Point"](1) == (1, 3, ()),
        lambda of: hash(of["Point"](1)) == hash((1, 3, ())),
        lambda of: of["Point"]._fields,
        lambda of: of["Point"]._field_defaults,
        lambda of: of["Point"].__match_args__,
        lambda of: of["Point"].__slots__,
        lambda of: of["Point"].__module__,
        lambda of: of["Point"].column.__get__(of["Point"](1, 2)),
        lambda of: of["Point"](1).place,
        lambda of: of["Point"].first(),
        lambda of: of["Point"]._make([1, 2, ()]),
        lambda of: type(of["Point"]._make([1, 2])),
        lambda of: of["Point"](1)._replace(column=5),
        lambda of: of["Point"](1)._replace(other=5),
        lambda of: of["Point"](1)._asdict(),
        lambda of: copy.copy(of["Point"](1)),
        lambda of: setattr(of["Point"](1), "row", 2),
        lambda of: setattr(of["Point"](1), "other", 2),
        lambda of: of["Point"](1).__dict__,
        lambda of: typing.get_type_hints(of["Point"]),
        lambda of: of["Named"](1),
        lambda of: type(of["Named"](1)._replace(row=2)).__name__,
        lambda of: vars(of["Named"](1)),
        lambda of: of["Single"]("OX"),
        lambda of: of["Single"].__doc__,
        lambda of: of["Nothing"](),
        lambda of: isinstance(of["Point"](1), tuple),
    ],
)
def test_they_behave_like_standard_named_tuples(do: Callable[[dict[str, type[Any]]], object]) -> None:
    assert _told(do, quick.NamedTuple) == _told(do, typing.NamedTuple)


def _told(do: Callable[[dict[str, type[Any]]], object], base: Any) -> str:
    try:
        return repr(do(_declared(base)))
    except Exception as error:
        return type(error).__name__


class Kept(quick.NamedTuple):
    """A class at module level, for pickle."""

    word: str
    score: int = 50


def test_an_unused_class_can_be_unpickled() -> None:
    told = pickle.dumps(Kept("OX")).replace(b"Kept", b"Late")
    globals()["Late"] = type("Late", (Kept,), {"__module__": __name__})
    assert pickle.loads(told) == ("OX", 50)


def test_missing_or_extra_arguments_raise_each_time() -> None:
    class New(quick.NamedTuple):
        word: str

    make: Any = New
    for _ in range(2):
        with pytest.raises(TypeError, match="missing 1 required positional argument: 'word'"):
            make()
        with pytest.raises(TypeError, match="unexpected keyword argument 'score'"):
            make("OX", score=1)


def test_msgspec_reads_their_fields() -> None:
    assert msgspec.convert(["OX"], Kept) == Kept("OX")


def test_the_package_uses_no_standard_named_tuples() -> None:
    """Each would take a seventh of a millisecond longer to create.

    The kernel cache is named by a hash of the source.
    """
    package = Path(quick.__file__).parent
    kernels = package / "engine" / "kernels"
    found = [
        str(file.relative_to(package))
        for file in package.rglob("*.py")
        if file.name != "named_tuples.py"
        and kernels not in file.parents
        and re.search(r"^from typing import .*\bNamedTuple\b", file.read_text(), re.M)
    ]
    assert not found

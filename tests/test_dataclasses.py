"""Our dataclasses compared with those of the standard library."""

import dataclasses
import inspect
import pickle
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import pytest

from xwtui import dataclasses as quick


def _declared(dataclass: Callable[..., Any]) -> dict[str, type[Any]]:
    """Declare the same classes with either implementation."""

    @dataclass(frozen=True)
    class Point:
        row: int
        column: int = 3
        names: list[str] = dataclasses.field(default_factory=list, compare=False, repr=False)
        kind: ClassVar[str] = "point"

        def __post_init__(self) -> None:
            if self.row < 0:
                raise ValueError("row")

    @dataclass(frozen=True, kw_only=True)
    class Named(Point):
        name: str
        length: int = dataclasses.field(init=False, default=7)

        def __repr__(self) -> str:
            return f"named {self.name}"

    @dataclass
    class Box:
        inside: object = None

    @dataclass(frozen=True)
    class Nothing:
        pass

    @dataclass(frozen=True, eq=False)
    class Same:
        inside: object

    @dataclass(frozen=True, slots=True)
    class Slotted:
        inside: object

    @dataclass(frozen=True, slots=True)
    class SlottedPoint(Point):
        inside: object = None

    @dataclass(frozen=True)
    class Open(Slotted):
        other: int = 1

    class Writing:
        def __setattr__(self, name: str, value: object) -> None:
            object.__setattr__(self, name, ("written", value))

    @dataclass(frozen=True)
    class Written(Writing):
        word: str

    class Free(Written):
        pass

    classes = (Point, Named, Box, Nothing, Same, Slotted, SlottedPoint, Open, Written, Free)
    return {one.__name__: one for one in classes}


@pytest.mark.parametrize(
    "do",
    [
        lambda of: of["Point"](1),
        lambda of: of["Point"](1, 2, ["a"]),
        lambda of: of["Point"](row=1) == of["Point"](1, 3, ["other"]),
        lambda of: of["Point"](1) == of["Point"](2),
        lambda of: of["Point"](1) == (1, 3),
        lambda of: hash(of["Point"](1)) == hash(of["Point"](1, names=["a"])),
        lambda of: of["Point"](1).names is of["Point"](1).names,
        lambda of: of["Point"](),
        lambda of: of["Point"](1, 2, [], 4),
        lambda of: of["Point"](1, other=4),
        lambda of: of["Point"](-1),
        lambda of: setattr(of["Point"](1), "row", 2),
        lambda of: setattr(of["Point"](1), "other", 2),
        lambda of: delattr(of["Point"](1), "row"),
        lambda of: dataclasses.replace(of["Point"](1), column=9),
        lambda of: dataclasses.asdict(of["Point"](1)),
        lambda of: of["Point"].__match_args__,
        lambda of: of["Named"](1, name="x"),
        lambda of: of["Named"](1, "x"),
        lambda of: of["Named"](1, name="x").length,
        lambda of: of["Named"](1, name="x") == of["Point"](1),
        lambda of: [one.name for one in dataclasses.fields(of["Named"])],
        lambda of: setattr(of["Named"](1, name="x"), "row", 2),
        lambda of: of["Box"](of["Box"]()),
        lambda of: hash(of["Box"]()),
        lambda of: of["Box"](1) == of["Box"](1),
        lambda of: vars(_with(of["Box"](1), inside=2)),
        lambda of: of["Nothing"]() == of["Nothing"](),
        lambda of: hash(of["Nothing"]()),
        lambda of: of["Same"](1) == of["Same"](1),
        lambda of: of["Same"].__hash__ is object.__hash__,
        lambda of: setattr(of["Slotted"](1), "inside", 2),
        lambda of: of["SlottedPoint"](1, inside=2) == of["SlottedPoint"](1, 3),
        lambda of: setattr(of["SlottedPoint"](1), "row", 2),
        lambda of: vars(of["Open"](1)),
        lambda of: setattr(of["Open"](1), "inside", 2),
        lambda of: hash(of["Open"](1, 2)) == hash(of["Open"](1, 2)),
        lambda of: _with(of["Free"]("OX"), other=2).other,
        lambda of: setattr(of["Free"]("OX"), "word", 2),
        lambda of: inspect.get_annotations(type(of["Named"](1, name="x")).__init__),
    ],
)
def test_they_behave_like_standard_dataclasses(do: Callable[[dict[str, type[Any]]], object]) -> None:
    assert _told(do, quick.dataclass) == _told(do, dataclasses.dataclass)


def _told(do: Callable[[dict[str, type[Any]]], object], dataclass: Callable[..., Any]) -> str:
    try:
        return repr(do(_declared(dataclass)))
    except Exception as error:
        return repr(error)


def _with(value: Any, **changes: object) -> Any:
    for name, change in changes.items():
        setattr(value, name, change)
    return value


class Thawed:
    kept: int


class Misplaced:
    row: int = 1
    column: int


class Told:
    row: dataclasses.InitVar[int]


@pytest.mark.parametrize(
    ("cls", "bases", "options", "reason"),
    [
        (Thawed, ["Point"], {}, "cannot inherit non-frozen dataclass from a frozen one"),
        (Thawed, ["Box"], {"frozen": True}, "cannot inherit frozen dataclass from a non-frozen one"),
        (
            Thawed,
            ["Box"],
            {"frozen": True, "slots": True},
            "cannot inherit frozen dataclass from a non-frozen one",
        ),
        (Misplaced, [], {}, "Misplaced: a field without a default follows one with a default"),
        (Thawed, ["Point"], {"frozen": True}, "Thawed: a field without a default follows one with a default"),
    ],
)
def test_errors_are_raised_as_early_as_in_the_standard_library(
    cls: type[Any], bases: list[str], options: dict[str, bool], reason: str
) -> None:
    for dataclass in (quick.dataclass, dataclasses.dataclass):
        of = _declared(dataclass)
        made = type(cls.__name__, tuple(of[base] for base in bases), {**vars(cls)})
        with pytest.raises(TypeError, match="follow" if "follows" in reason else reason) as refused:
            dataclass(**options)(made)
        assert dataclass is dataclasses.dataclass or str(refused.value) == reason


def test_unsupported_features_raise_clear_errors() -> None:
    with pytest.raises(TypeError, match=r"^Told: only dataclasses of the standard library have an InitVar$"):
        quick.dataclass(Told)
    dataclass: Callable[..., Any] = quick.dataclass
    with pytest.raises(TypeError, match="unexpected keyword argument 'order'"):
        dataclass(order=True)


def test_repr_of_a_recursive_value() -> None:
    box = _declared(quick.dataclass)["Box"]()
    box.inside = box
    assert repr(box).endswith("Box(inside=...)")


@quick.dataclass(frozen=True)
class Kept:
    """A class at module level, for pickle."""

    word: str


def test_an_unused_class_can_be_unpickled() -> None:
    class Other:
        def __reduce__(self) -> tuple[Any, ...]:
            return object.__new__, (Kept,), {"word": "OX"}

    found = pickle.loads(pickle.dumps(Other()))
    assert found == Kept("OX")
    assert hash(found) == hash(Kept("OX"))


def test_the_package_uses_no_standard_dataclasses() -> None:
    """Each would add half a millisecond to every start."""
    package = Path(quick.__file__).parent
    found = [
        file.name
        for file in package.rglob("*.py")
        if file.name != "dataclasses.py"
        and re.search(r"^\s*from dataclasses import .*\bdataclass\b", file.read_text(), re.M)
    ]
    assert not found

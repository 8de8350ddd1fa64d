"""What shapes tell: names, places, empty values, shapes within, and the answers that no other test has as JSON."""

import enum
from pathlib import Path
from typing import NamedTuple

import pytest

from xwtui.clues.book import BookClue, ClueSource
from xwtui.formats.intake import Deviant, Deviation, ReadWarning
from xwtui.model import Content, Position, Puzzle
from xwtui.model.clues import AnswerEnumeration
from xwtui.session.answers import VerbAnswer
from xwtui.session.book_answers import BookCluesAnswer
from xwtui.session.clue_answers import ClueExport, TakenEnumerations, told_of
from xwtui.session.file_answers import WarningsAnswer
from xwtui.session.json_shape import JsonShape, json_value
from xwtui.session.snapshot_answers import SnapshotAnswer


class Colour(enum.Enum):
    RED = "red"


class Part(NamedTuple):
    at: Position
    colour: Colour | None = None


class Whole(NamedTuple):
    path: Path
    parts: tuple[Part, ...]
    is_kept: bool = True
    problem: str = ""

    def words(self) -> str:
        return f"{len(self.parts)} parts"


WHOLE = Whole(Path("a/b.txt"), (Part(Position(0, 2), Colour.RED), Part(Position(1, 0))))


def test_a_shape_names_values_in_their_order() -> None:
    shape = JsonShape("file=path is_kept problem? words", lambda whole: {"count": len(whole.parts)})
    told = {"file": "a/b.txt", "kept": True, "problem": None, "words": "2 parts", "count": 2}
    assert list(shape.of(WHOLE).items()) == list(told.items())


def test_values_are_left_out_rounded_or_stand_for_themselves() -> None:
    class Timed(NamedTuple):
        seconds: float | None
        part: Part | None
        reason: str = ""

    shape = JsonShape("seconds~2 reason??", ("*part", JsonShape("square=at")), "*part")
    assert shape.of(Timed(1.2345, WHOLE.parts[1])) == {
        "seconds": 1.23,
        "square": "r2c1",
        "at": "r2c1",
        "colour": None,
    }
    assert shape.of(Timed(None, None, "late")) == {"seconds": None, "reason": "late"}


def test_shapes_stand_within_shapes() -> None:
    part = JsonShape("square=at colour.name")
    shape = JsonShape(("parts", part), ("first=.", JsonShape("kept=is_kept")))
    parts = [{"square": "r1c3", "name": "RED"}, {"square": "r2c1", "name": None}]
    assert shape.of(WHOLE) == {"parts": parts, "first": {"kept": True}}
    assert part.tell(None) is None
    assert part.tell({1: WHOLE.parts[0]}) == {"1": parts[0]}


def test_a_record_without_a_shape_is_told_by_its_fields() -> None:
    parts = [{"at": "r1c3", "colour": "red"}, {"at": "r2c1", "colour": None}]
    assert json_value(WHOLE) == {"path": "a/b.txt", "parts": parts, "kept": True, "problem": ""}
    assert json_value({Position(0, 0): Content.parse("HEART")}) == {"r1c1": "[HEART]"}


PUZZLE = Puzzle.blank(3, 3)
EMPTY = told_of(PUZZLE, PUZZLE.grid.entries[0], None)
WRITTEN = EMPTY._replace(answer="ABC", enumeration=AnswerEnumeration((3,)))
AS_EMPTY: dict[str, object] = {"entry": "1A", "answer": None, "letters": 3, "enumeration": None, "suggested": []}
AS_WRITTEN = AS_EMPTY | {"answer": "ABC", "enumeration": "3"}
CLUE = BookClue("AXLE", "Shaft", ClueSource("/a.puz", "Wheels", "Me", "2024-03-01", is_own=True), "2024-03-01", 2)
AS_CLUE = {
    "answer": "AXLE",
    "text": "Shaft",
    "own": True,
    "source": "/a.puz",
    "title": "Wheels",
    "author": "Me",
    "date": "2024-03-01",
    "times": 2,
}
WARNING = ReadWarning(Deviation.SQUARES, (Deviant("r1c1", "$"),))


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (ClueExport(Path("a.csv"), 3, 1), {"file": "a.csv", "entries": 3, "unclued": 1}),
        (SnapshotAnswer("x", PUZZLE), {"snapshot": "x", "grid": "...\n...\n..."}),
        (BookCluesAnswer("AXLE", (CLUE,)), {"clues": [AS_CLUE]}),
        (
            TakenEnumerations(PUZZLE, (WRITTEN,), (), (), (EMPTY,)),
            {"from_clues": [AS_WRITTEN], "suggested": [], "one_word": [], "left": [AS_EMPTY]},
        ),
        (
            WarningsAnswer((WARNING,)),
            {
                "warnings": [
                    {
                        "kind": "squares",
                        "words": "squares with content that xwtui cannot hold",
                        "places": [{"where": "r1c1", "file": "$", "now": None}],
                    }
                ]
            },
        ),
    ],
)
def test_answers_as_json(answer: VerbAnswer, told: dict[str, object]) -> None:
    assert answer.as_json == told

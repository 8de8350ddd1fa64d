"""How far a board has come: squares that are filled, and the scores of what is whole."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from xwtui.model import Content, Position
from xwtui.racing.course import Course


class Measure(NamedTuple):
    """Squares of entries with content; scores of the entries that are whole and listed, None without any."""

    squares: int
    mean_score: float | None
    lowest_score: int | None


def measure(course: Course, standing: Mapping[Position, Content]) -> Measure:
    """Measure what stands on a board."""
    score_of = course.vocabulary.lexicon.score
    answers = read_answers(course, standing).values()
    scores = [score for answer in answers if (score := score_of(answer)) is not None]
    return Measure(
        squares=len(course.squares & standing.keys()),
        mean_score=sum(scores) / len(scores) if scores else None,
        lowest_score=min(scores, default=None),
    )


def read_answers(course: Course, standing: Mapping[Position, Content]) -> dict[str, str]:
    """The answers of the entries that are whole, by name."""
    answers: dict[str, str] = {}
    for slot in course.task.grid.slots:
        contents = [standing.get(at) for at in slot.positions]
        read = [content.reading(slot.direction) for content in contents if content is not None]
        if len(read) == len(contents):
            answers[slot.name] = "".join(read)
    return answers

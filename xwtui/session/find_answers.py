"""What `find` answers: words by score, rebus answers in sections, and where answers stood in one's own puzzles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from xwtui.dataclasses import dataclass
from xwtui.lazy import lazy_imports
from xwtui.model import Direction
from xwtui.session.answers import VerbAnswer
from xwtui.session.json_shape import JsonShape
from xwtui.session.wording import and_more, counted
from xwtui.text import first_named, printable

with lazy_imports():
    from xwtui.session.own_puzzles import AnswerPlace
    from xwtui.words.finding import FoundWords
    from xwtui.words.rebus_finding import RebusAnswer, RebusSection

_WIDEST = 34
"""Cells of an answer before what is said of it."""
_LONGEST_TOLD = 60


def places_told(answer: RebusAnswer) -> str:
    """Which squares of an answer hold the text: `square 3`, `squares 1 and 5`."""
    places = list(map(str, answer.places))
    return f"square {places[0]}" if len(places) == 1 else f"squares {' and '.join(places)}"


class FoundRow(NamedTuple):
    """An answer that was found, as a list shows it."""

    answer: str
    """As it is written into a grid: `CATALOG`, `LO[CAT]ION`."""
    score: int | None
    remark: str = ""


class FindAnswer(VerbAnswer):
    """What was found, so that a face can list it and write one of it into a grid."""

    judged_by = "matches"

    @property
    def rows(self) -> Sequence[FoundRow]:
        raise NotImplementedError

    @property
    def matches(self) -> int:
        """How many there are, listed or not."""
        raise NotImplementedError


class WordsAnswer(FindAnswer):
    """Words by descending score."""

    found: FoundWords
    json = JsonShape("matches", ("found.words", JsonShape("word score")))

    @property
    def rows(self) -> Sequence[FoundRow]:
        return [FoundRow(one.word, one.score) for one in self.found.words]

    @property
    def matches(self) -> int:
        return self.found.matches

    @property
    def lines(self) -> Sequence[str]:
        if not self.matches:
            return ["no word matches"]
        told = [f"{one.score:5}  {one.word}" for one in self.found.words]
        return [counted(self.matches, "word"), *told, *and_more(self.matches - len(told))]


@dataclass(frozen=True)
class CrossingSection:
    """Rebus answers of one number of squares: across, down, or either way where the square reads alike."""

    direction: Direction | None
    section: RebusSection

    @property
    def way(self) -> str:
        """`across`, `down`, or both."""
        return "across or down" if self.direction is None else self.direction.word

    @property
    def heading(self) -> str:
        """`across, 11 squares: 37`."""
        return f"{self.way}, {counted(self.section.squares, 'square')}: {self.section.matches:,}"


class RebusWordsAnswer(FindAnswer):
    """Answers with a text in one square, by what crosses there and by the squares that they take."""

    content: str
    """What the square holds: `CAT`, `X/TIMES`."""
    sections: tuple[CrossingSection, ...]
    json = JsonShape(
        "content matches",
        (
            "sections",
            JsonShape(
                "direction=direction.word section.squares section.matches",
                ("section.answers", JsonShape("answer word score rebus_squares=places")),
            ),
        ),
    )

    @property
    def rows(self) -> Sequence[FoundRow]:
        return [
            FoundRow(answer.answer, answer.score, f"{one.way}, {one.section.squares} sq, {places_told(answer)}")
            for one in self.sections
            for answer in one.section.answers
        ]

    @property
    def matches(self) -> int:
        return sum(one.section.matches for one in self.sections)

    @property
    def lines(self) -> Sequence[str]:
        if not self.sections:
            return [f"no answer has {self.content} in a square"]
        lines = [f"{counted(self.matches, 'answer')} with [{self.content}]"]
        for one in self.sections:
            lines.append(one.heading)
            for answer in one.section.answers:
                lines.append(f"{answer.score:5}  {answer.answer:<{_WIDEST}}  {places_told(answer)}")
            lines += and_more(one.section.matches - len(one.section.answers))
        return lines


class OwnPuzzlesAnswer(FindAnswer):
    """Where answers stood in the puzzles of a folder, the newest puzzle first."""

    places: tuple[AnswerPlace, ...]
    """Those that are listed."""
    found: int
    """How many there are."""
    looked_through: int
    """The puzzles that were read."""
    unread: tuple[str, ...]
    """Files that could not be read."""
    json = JsonShape(
        "matches puzzles=looked_through unread", ("places", JsonShape("word entry file=path title date clue"))
    )

    @property
    def rows(self) -> Sequence[FoundRow]:
        return [FoundRow(one.word, None, _place_told(one)) for one in self.places]

    @property
    def matches(self) -> int:
        return self.found

    @property
    def lines(self) -> Sequence[str]:
        told = f"{counted(self.found, 'time')} in {counted(self.looked_through, 'puzzle')}"
        lines = [told if self.found else f"never in {counted(self.looked_through, 'puzzle')}"]
        lines += [f"  {one.word}  {_place_told(one)}" for one in self.places]
        lines += and_more(self.found - len(self.places))
        return [*lines, *([f"cannot be read: {first_named(self.unread, 5)}"] if self.unread else [])]


def _place_told(one: AnswerPlace) -> str:
    title = printable(one.title, _LONGEST_TOLD)
    clue = f": {printable(one.clue, _LONGEST_TOLD)}" if one.clue else ""
    named = f"{title} ({printable(one.path.name, 40)})" if title else printable(one.path.name, 40)
    return f"{one.entry} {one.date}  {named}{clue}"

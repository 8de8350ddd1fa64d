"""Edits of the personal list, which undo takes back like edits of the puzzle."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from xwtui.errors import WordListError
from xwtui.model import Puzzle
from xwtui.model.alphabet import ENGLISH, Alphabet
from xwtui.session.kept_out import standing_lines
from xwtui.text import first_named
from xwtui.words.list_files import LIST_FILES
from xwtui.words.personal import NEVER, LineChange, PersonalList
from xwtui.words.user_lists import find_user_lists

Way: TypeAlias = Literal["undo", "redo"]


@dataclass(frozen=True)
class PersonalEdit:
    """What an edit has changed in the file of the personal list."""

    personal: PersonalList
    changes: tuple[LineChange, ...]

    @classmethod
    def make(cls, scores: Mapping[str, int | None], alphabet: Alphabet = ENGLISH) -> PersonalEdit:
        """Give words a score in the personal list, or none of its own (None); raises WordListError."""
        personal = PersonalList()
        made = cls(personal, personal.edit(scores, alphabet))
        LIST_FILES.take(personal.path)
        return made

    def follow(self, way: Way) -> str:
        """Take the edit back (`undo`) or make it again; returns what has to be said, mostly nothing."""
        try:
            follow = self.personal.take_back if way == "undo" else self.personal.make_again
            left = follow(self.changes)
        except WordListError as error:
            return f"your own list is as it was: {error}"
        finally:
            LIST_FILES.take(self.personal.path)
        if left:
            return f"changed in your own list since, and left as it is there: {first_named(left)}"
        return ""


def lines_behind(puzzle: Puzzle, scores: Mapping[str, int]) -> list[str]:
    """What is said behind an edit of the personal list: where it does not count, and where a banned word stands.

    It does not count where the puzzle itself scores a word, and where the list is off; what the puzzle wants
    stays allowed.
    """
    own, is_on = puzzle.words.scores, find_user_lists().personal is not None
    told = [
        f"in this puzzle {word} has {own[word]}, a score of its own, which counts here"
        for word in scores
        if word in own
    ]
    if not is_on:
        return [*told, "your own list is off: `lists on mine` lets it count"]
    banned = [word for word, score in scores.items() if score == NEVER and word not in own]
    return [*told, *standing_lines(puzzle, [word for word in banned if word not in puzzle.rules.wanted])]

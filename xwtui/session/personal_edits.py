"""Edits of the personal list, which undo takes back like edits of the puzzle."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from xwtui.errors import WordListError
from xwtui.model.alphabet import ENGLISH, Alphabet
from xwtui.text import first_named
from xwtui.words.list_files import LIST_FILES
from xwtui.words.personal import LineChange, PersonalList

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

"""What to ask about word lists that the file of a puzzle names elsewhere, and what is done then."""

from __future__ import annotations

import enum
from pathlib import Path

from xwtui.dataclasses import dataclass, replace
from xwtui.lazy import lazy_imports
from xwtui.model import Puzzle
from xwtui.text import first_named, printable

with lazy_imports():
    from xwtui.session.session import Session
    from xwtui.words.list_files import trust

_LONGEST_PATH = 120
_MOST_NAMED = 3


class TrustAnswer(enum.Enum):
    """What can be done; the value is how a line of text says it."""

    LEAVE = "no"
    """Nothing: there are no words until the lists are trusted, or others chosen."""
    READ = "yes"
    """Read them, for this puzzle and any other."""
    DROP = "without"
    """Leave them out of the puzzle, which is an edit."""


@dataclass(frozen=True)
class TrustQuestion:
    """Lists that the file of a puzzle names, and that lie neither beside it nor among the user's own."""

    lists: tuple[tuple[str, Path], ...]
    """Each as the puzzle names it, and its file."""
    answers: tuple[TrustAnswer, ...]

    @property
    def words(self) -> str:
        paths = [printable(str(path), _LONGEST_PATH) for _, path in self.lists]
        lists, are, them = ("list", "is", "it") if len(paths) == 1 else ("lists", "are", "them")
        return (
            f"The puzzle names the word {lists} {first_named(paths, _MOST_NAMED)}, which {are} neither next to it "
            f"nor yours. Read {them}?"
        )


def trust_question(session: Session) -> TrustQuestion | None:
    """What is to be asked before the words of a puzzle are read, if anything is."""
    untrusted = session.jobs.words.untrusted
    if not untrusted:
        return None
    is_in_rules = not untrusted.keys().isdisjoint(session.puzzle.rules.own_lists)
    answers = [one for one in TrustAnswer if one is not TrustAnswer.DROP or not is_in_rules]
    return TrustQuestion(tuple(untrusted.items()), tuple(answers))


def answer_trust(session: Session, question: TrustQuestion, answer: TrustAnswer) -> None:
    """Do what was answered; raises XwtuiError where it cannot be kept."""
    if answer is TrustAnswer.READ:
        for _, path in question.lists:
            trust(path)
        session.jobs.look_again()
    elif answer is TrustAnswer.DROP:
        dropped = dict(question.lists)

        def without(puzzle: Puzzle) -> Puzzle:
            words = puzzle.words
            lists = tuple(name for name in words.lists if name not in dropped)
            preferred = tuple(name for name in words.preferred if name not in dropped)
            return replace(puzzle, words=replace(words, lists=lists, preferred=preferred))

        session.edit("words", without)

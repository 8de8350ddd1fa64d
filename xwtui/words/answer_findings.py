"""What an editor would object to in the answers, as far as it takes a word list to see it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import combinations

from xwtui.model import Ink, Puzzle, Slot
from xwtui.model.review import Check, Finding
from xwtui.model.rules import SharedStems
from xwtui.model.rules.review import written_answers
from xwtui.text import first_named
from xwtui.words.lexicon import Lexicon
from xwtui.words.rule_findings import listed_score, rule_findings
from xwtui.words.stems import Stemmer
from xwtui.words.vocabulary import Vocabulary

_MOST_NAMED = 8


def word_findings(puzzle: Puzzle, vocabulary: Vocabulary, crossed: Collection[Slot] = ()) -> tuple[Finding, ...]:
    """All that the review cannot tell without words: answers much alike, such as are no words, and broken rules.

    Of the entries `crossed` it is known that their answers are there by chance.
    """
    return (
        *near_duplicates(puzzle, vocabulary.lexicon),
        *_unlisted(puzzle, vocabulary, crossed),
        *rule_findings(puzzle, vocabulary),
    )


def _unlisted(puzzle: Puzzle, vocabulary: Vocabulary, crossed: Collection[Slot]) -> Iterator[Finding]:
    """Answers that are in no list, and may be there because another was written across them.

    What is wanted is not told: an answer that has its clue, or is locked, and one that crosses no other yet.
    """
    answers = written_answers(puzzle)
    odd = [
        slot
        for slot, answer in answers.items()
        if (slot in crossed or not _is_meant(puzzle, slot, answers))
        and listed_score(puzzle, slot, answer, vocabulary) is None
    ]
    if odd:
        names = first_named([f"{slot.name} {answers[slot]}" for slot in odd], _MOST_NAMED)
        told = "1 answer is" if len(odd) == 1 else f"{len(odd)} answers are"
        squares = tuple(dict.fromkeys(at for slot in odd for at in slot.positions))
        yield Finding(Check.UNLISTED, f"{told} in no list: {names}", squares)


def _is_meant(puzzle: Puzzle, slot: Slot, answers: Collection[Slot]) -> bool:
    grid = puzzle.grid
    if puzzle.clue(slot) or all(grid[at].ink is Ink.LOCKED for at in slot.positions):
        return True
    return not any(grid.slot_at(at, slot.direction.other) in answers for at in slot.positions)


def near_duplicates(puzzle: Puzzle, lexicon: Lexicon) -> Iterator[Finding]:
    """Pairs of answers of which one is a form of the other, such as ONE and ONES.

    Where a rule keeps stems apart, it is that rule which tells of them.
    """
    if any(rule.is_asked for rule in puzzle.rules.of(SharedStems)):
        return
    answers = written_answers(puzzle)
    known = {word for length in lexicon.lengths for word in lexicon.table(length).words()} if answers else set()
    stemmer = Stemmer(known=known)
    stems = {answer: stemmer.stems(answer) for answer in set(answers.values())}
    for (one, first), (other, second) in combinations(answers.items(), 2):
        if first != second and (first in stems[second] or second in stems[first]):
            message = f"{one.name} {first} and {other.name} {second} are forms of one word"
            yield Finding(Check.NEAR_DUPLICATE, message, (*one.positions, *other.positions))

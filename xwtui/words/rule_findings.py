"""The rules that a puzzle breaks or cannot keep, as its word lists tell."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

from xwtui.model import Puzzle, Slot
from xwtui.model.review import Check, Finding
from xwtui.model.rules.kinds import Answers, GridRule
from xwtui.model.rules.review import written_answers
from xwtui.words.lexicon import Lexicon
from xwtui.words.reader import DEFAULT_SCORE
from xwtui.words.stems import Stemmer
from xwtui.words.vocabulary import Vocabulary


@dataclass(frozen=True)
class ListedFacts:
    """What a lexicon tells a rule."""

    lexicon: Lexicon
    default_score: int = DEFAULT_SCORE

    @property
    def tags(self) -> tuple[str, ...]:
        """All tags of the lists."""
        return self.lexicon.tags

    def score(self, word: str) -> int | None:
        """A word's score; None for one that no list has."""
        return self.lexicon.score(word)

    def tags_of(self, word: str) -> tuple[str, ...]:
        """The tags that a word bears."""
        return self.lexicon.tags_of(word)

    def stems(self, groups: Collection[Collection[str]]) -> Callable[[str], frozenset[str]]:
        """What finds a word's stems, where the words of a group count as one stem."""
        lexicon = self.lexicon
        known = {word for length in lexicon.lengths for word in lexicon.table(length).words()}
        return Stemmer(groups, known).stems


def rule_findings(puzzle: Puzzle, vocabulary: Vocabulary) -> tuple[Finding, ...]:
    """What the review cannot tell without words; all lists that the rules name are to be in the vocabulary."""
    if puzzle.rules.is_empty:
        return ()
    answers = written_answers(puzzle)
    facts = ListedFacts(vocabulary.lexicon)
    return (
        *_entries(puzzle, answers, vocabulary),
        *(
            Finding(Check.BROKEN_RULE, *breach)
            for rule in puzzle.rules.grid
            for breach in rule.word_breaches(answers, facts)
        ),
        *(Finding(Check.ODD_RULE, note, ()) for note in rule_notes(puzzle, vocabulary.lexicon)),
    )


def rule_notes(puzzle: Puzzle, lexicon: Lexicon | None, kinds: tuple[type[GridRule], ...] = ()) -> list[str]:
    """What is odd about rules (those of some kinds alone, if any are named), though none breaks them.

    Nothing while there are no words yet.
    """
    if lexicon is None:
        return []
    facts = ListedFacts(lexicon)
    asked = [rule for rule in puzzle.rules.grid if isinstance(rule, kinds or GridRule)]
    return [note for rule in asked for note in rule.notes(puzzle, facts)]


def listed_score(puzzle: Puzzle, slot: Slot, answer: str, vocabulary: Vocabulary) -> int | None:
    """The score of an answer in the lists that an entry may use; None where none has it."""
    own_list = puzzle.rules.asked((slot.start, slot.direction)).word_list
    score = (vocabulary.own_lists[own_list] if own_list else vocabulary.lexicon).score(answer)
    if score is None and not own_list and answer in puzzle.rules.wanted:
        return DEFAULT_SCORE  # as the filler counts it
    return score


def _entries(puzzle: Puzzle, answers: Answers, vocabulary: Vocabulary) -> Iterator[Finding]:
    for slot, answer in answers.items():
        rules = puzzle.rules.asked((slot.start, slot.direction))
        if rules.is_empty:
            continue
        if broken := rules.broken_score(listed_score(puzzle, slot, answer, vocabulary)):
            yield Finding(Check.BROKEN_RULE, f"{slot.name} {answer} {broken}", slot.positions)

"""What an editor would object to in the answers, as far as it takes a word list to see it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from xwtui.model import Puzzle
from xwtui.model.review import Check, Finding
from xwtui.model.rules import SharedStems
from xwtui.model.rules.review import written_answers
from xwtui.words.lexicon import Lexicon
from xwtui.words.rule_findings import rule_findings
from xwtui.words.stems import Stemmer
from xwtui.words.vocabulary import Vocabulary


def word_findings(puzzle: Puzzle, vocabulary: Vocabulary) -> tuple[Finding, ...]:
    """All that the review cannot tell without words: answers much alike, and broken rules."""
    return *near_duplicates(puzzle, vocabulary.lexicon), *rule_findings(puzzle, vocabulary)


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

"""Review findings about answers and rules that require a word list."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from xwtui.dataclasses import dataclass
from xwtui.model import Ink, Puzzle, Slot
from xwtui.model.review import Check, Finding, written_answers
from xwtui.model.rules import SharedStems
from xwtui.model.rules.base import GridRule
from xwtui.text import counted, first_named
from xwtui.words.lexicon import Lexicon
from xwtui.words.reader import DEFAULT_SCORE
from xwtui.words.repeats import AnswerRepeats
from xwtui.words.sources import Vocabulary


@dataclass(frozen=True)
class ListedFacts:
    """Adapts a lexicon to the interface that rules use."""

    lexicon: Lexicon
    puzzle: Puzzle
    default_score: int = DEFAULT_SCORE

    @property
    def minimum_score(self) -> int:
        return self.lexicon.minimum_score

    @property
    def tags(self) -> tuple[str, ...]:
        return self.lexicon.tags

    def score(self, word: str) -> int | None:
        return self.lexicon.score(word)

    def tags_of(self, word: str) -> tuple[str, ...]:
        return self.lexicon.tags_of(word)

    @property
    def repeats(self) -> tuple[tuple[str, str], ...]:
        return AnswerRepeats.of_puzzle(self.puzzle, self.lexicon).pairs


def rule_findings(puzzle: Puzzle, vocabulary: Vocabulary) -> tuple[Finding, ...]:
    """Return the findings on rules that need words; the vocabulary must include all lists that the rules name."""
    if puzzle.rules.is_empty:
        return ()
    answers = written_answers(puzzle)
    facts = ListedFacts(vocabulary.lexicon, puzzle)
    found: list[Finding] = []
    for slot, answer in answers.items():
        rules = puzzle.rules.asked(slot.key)
        if rules.is_empty:
            continue
        if broken := rules.broken_score(listed_score(puzzle, slot, answer, vocabulary)):
            found.append(Finding(Check.BROKEN_RULE, f"{slot.name} {answer} {broken}", slot.positions))
    for rule in puzzle.rules.grid:
        found += (Finding(Check.BROKEN_RULE, *breach) for breach in rule.word_breaches(answers, facts))
    return (*found, *(Finding(Check.ODD_RULE, note, ()) for note in rule_notes(puzzle, vocabulary.lexicon)))


def rule_notes(puzzle: Puzzle, lexicon: Lexicon | None, kinds: tuple[type[GridRule], ...] = ()) -> list[str]:
    """Return oddities of unbroken rules of some kinds, or of all; empty if there is no lexicon yet."""
    if lexicon is None:
        return []
    facts = ListedFacts(lexicon, puzzle)
    asked = [rule for rule in puzzle.rules.grid if isinstance(rule, kinds or GridRule)]
    return [note for rule in asked for note in rule.notes(puzzle, facts)]


def listed_score(puzzle: Puzzle, slot: Slot, answer: str, vocabulary: Vocabulary) -> int | None:
    """Return an answer's score in the lists that its entry may use, or None if it is in none."""
    own_list = puzzle.rules.asked(slot.key).word_list
    score = (vocabulary.own_lists[own_list] if own_list else vocabulary.lexicon).score(answer)
    if score is None and not own_list and answer in puzzle.rules.wanted:
        return DEFAULT_SCORE  # the score that the filler uses
    return score


_MOST_NAMED = 8


def word_findings(puzzle: Puzzle, vocabulary: Vocabulary, crossed: Collection[Slot] = ()) -> tuple[Finding, ...]:
    """Return all findings that need words: repeats, banned answers, unlisted answers and broken rules.

    Unlisted answers of entries in `crossed` always count as accidental.
    """
    return (
        *_banned_by_lists(puzzle, vocabulary.lexicon),
        *_repeats(puzzle, vocabulary.lexicon),
        *_unlisted(puzzle, vocabulary, crossed),
        *rule_findings(puzzle, vocabulary),
    )


def _banned_by_lists(puzzle: Puzzle, lexicon: Lexicon) -> Iterator[Finding]:
    """Report answers banned by the personal list; the review reports those that the puzzle bans."""
    banned = lexicon.banned - puzzle.words.never
    for slot, answer in written_answers(puzzle).items() if banned else ():
        if answer in banned:
            yield Finding(Check.BANNED, f"{slot.name} {answer} is banned by your own list", slot.positions)


def _unlisted(puzzle: Puzzle, vocabulary: Vocabulary, crossed: Collection[Slot]) -> Iterator[Finding]:
    """Report unlisted answers that may be accidental, because another answer was written across them.

    Intentional ones are not findings of their own but are named with the reason: the answer has a clue, is locked,
    or does not cross another yet.
    """
    answers = written_answers(puzzle)
    odd, wanted = list[Slot](), list[str]()
    for slot, answer in answers.items():
        if listed_score(puzzle, slot, answer, vocabulary) is not None:
            continue
        if slot not in crossed and (why := _why_wanted(puzzle, slot, answers)):
            wanted.append(f"{slot.name} {answer} ({why})")
        else:
            odd.append(slot)
    if odd:
        names = first_named([f"{slot.name} {answers[slot]}" for slot in odd], _MOST_NAMED)
        told = counted(len(odd), "answer is", "answers are")
        others = f"; also {first_named(wanted, _MOST_NAMED)}" if wanted else ""
        squares = tuple(dict.fromkeys(at for slot in odd for at in slot.positions))
        yield Finding(Check.UNLISTED, f"{told} in no list: {names}{others}", squares)


def _why_wanted(puzzle: Puzzle, slot: Slot, answers: Collection[Slot]) -> str:
    grid = puzzle.grid
    if puzzle.clue(slot):
        return "clued"
    if all(grid[at].ink is Ink.LOCKED for at in slot.positions):
        return "locked"
    ways = zip(slot.reading, slot.directions, strict=True)
    crossings = (crossing for at, way in ways if (crossing := grid.slot_at(at, way.other)) is not None)
    is_crossed = any(entry != slot and entry in answers for entry in map(grid.entry_of, crossings))
    return "" if is_crossed else "not crossed yet"


def _repeats(puzzle: Puzzle, lexicon: Lexicon) -> Iterator[Finding]:
    """Report answers that repeat each other, such as ONE and ONES, and possible repeats, APPLE and APPLEPIE.

    If a rule about stems exists, it reports the former.
    """
    known = AnswerRepeats.of_puzzle(puzzle, lexicon)
    for one, other in known.pairs if puzzle.rules.one(SharedStems) is None else ():
        yield _of_pair(Check.NEAR_DUPLICATE, puzzle, known, one, other, "repeat each other")
    for one, other, word in known.possible:
        first, second = known.answers[one], known.answers[other]
        told = "may repeat each other" if first in second or second in first else f"may share {word}"
        yield _of_pair(Check.POSSIBLE_REPEAT, puzzle, known, one, other, told)


def _of_pair(check: Check, puzzle: Puzzle, known: AnswerRepeats, one: str, other: str, told: str) -> Finding:
    message = f"{one} {known.answers[one]} and {other} {known.answers[other]} {told}"
    squares = (*puzzle.grid.entry(one).positions, *puzzle.grid.entry(other).positions)
    return Finding(check, message, squares)

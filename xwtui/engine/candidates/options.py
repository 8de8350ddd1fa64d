"""What each entry and each square can still be: counts of words, and shares of letters.

An entry has the words that match its pattern, and of these the ones that survive propagation. Their sum over all
entries is what Bob Copeland's filler shows beside a grid (https://bobcopeland.com/blog/2020/07/crosswords-redux/).
It tells two edits apart at a glance, and is no number of fills: a grid with a large sum may have none.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from xwtui.engine.budget import never
from xwtui.engine.candidates.estimate import CandidateStanding, told_word
from xwtui.engine.count.belief import Beliefs
from xwtui.engine.count.exact import FillEnumeration
from xwtui.engine.problem.problem import Problem
from xwtui.engine.problem.word_stock import stock_of
from xwtui.errors import EngineError
from xwtui.model import Content, Position


@dataclass(frozen=True, slots=True)
class SlotOptions:
    """How many words an entry could take."""

    pattern_matches: int
    """Words that match its given squares."""
    after_propagation: int
    """Words that its crossings leave, all crossings of crossings considered; 0 everywhere if no fill exists."""


class Candidate(NamedTuple):
    """A word that matches an entry's given squares."""

    word: str
    score: int | None
    """None for the answer of an entry that is given whole and that no list has."""
    alive: bool
    """Whether it survives propagation: a dead one is in no fill."""
    killed_by: str | None = None
    """The entry that a dead one leaves without a word, where that is known."""
    log10: float | None = None
    """About how many fills have it, as a logarithm to base 10, where that is known."""
    fill: Mapping[Position, Content] | None = None
    """A fill that has it, where one is known."""
    answer: str = ""
    """The best answer that enters it, where that is another word."""

    @property
    def told(self) -> str:
        return told_word(self.answer, self.word)

    @property
    def standing(self) -> CandidateStanding:
        if not self.alive:
            return CandidateStanding.DEAD
        return CandidateStanding.SURVIVES if self.fill is None else CandidateStanding.PROVED

    @property
    def is_refined(self) -> bool:
        """Whether `log10` was reckoned with the word in place: never."""
        return False


def slot_options(problem: Problem) -> Mapping[str, SlotOptions]:
    """Both counts for each entry, by its name; a word counts once, however it falls into the squares."""
    left = problem.domain_sizes(problem.root.state)
    return {
        name: SlotOptions(problem.word_count(number), _words_left(problem, number, left[number]))
        for number, name in enumerate(problem.slot_names)
    }


def _words_left(problem: Problem, slot: int, rows: int) -> int:
    if rows == 0 or problem.tables[slot].is_plain:
        return rows
    return problem.word_count(slot, problem.rows_left(problem.root.state, slot))


def candidates(problem: Problem, slot_name: str) -> tuple[Candidate, ...]:
    """The words that match an entry's given squares and its rule, best score first, each once.

    Raises EngineError for an entry that the grid does not have.
    """
    number = problem.slot_numbers.get(slot_name)
    if number is None:
        raise EngineError(f"this grid has no entry {slot_name!r}")
    table = problem.tables[number]
    alive = np.zeros(table.rows, np.bool_)
    if problem.root.is_possible:
        alive[problem.rows_left(problem.root.state, number)] = True
    words = problem.words(number)
    if is_unlisted(problem, number, words):
        return (Candidate(words[0], None, bool(alive[0])),)
    if table.is_plain:
        return tuple(map(Candidate, words, table.scores.tolist(), alive.tolist()))
    alive_words = {word for word, lives in zip(words, alive.tolist(), strict=True) if lives}
    scores: dict[str, int] = {}
    for word, score in zip(words, table.scores.tolist(), strict=True):
        scores.setdefault(word, score)
    answers = answers_behind(problem, number, words)
    return tuple(
        Candidate(word, score, word in alive_words, answer=answers.get(word, "")) for word, score in scores.items()
    )


def answers_behind(problem: Problem, slot: int, words: list[str]) -> Mapping[str, str]:
    """The best answer of each word of a slot that is entered for another one; `words` are those of its rows."""
    table = problem.tables[slot]
    if table.marks is None:
        return {}
    answers = stock_of(problem.task).spelled(table.words)
    best = dict(zip(reversed(words), reversed(answers), strict=True))
    return {word: answer for word, answer in best.items() if answer != word}


def is_unlisted(problem: Problem, slot: int, words: list[str]) -> bool:
    """Whether a slot is given whole with an answer that no list has."""
    is_given = all(at in problem.task.given for at in problem.slots[slot].positions)
    return is_given and problem.lexicon.score(words[0]) is None


def summed_options(problem: Problem) -> int:
    """The words left after propagation, added up over the entries; 0 if an entry has none."""
    return sum(options.after_propagation for options in slot_options(problem).values())


@dataclass(frozen=True)
class LetterTable:
    """What the squares of entries can still hold that are not given; empty where provably nothing fits."""

    shares: Mapping[Position, Mapping[Content, float]]
    """By square, the share of all fills, 0 to 1, that have each content there, greatest first."""
    forced: Mapping[Position, Content]
    """The squares that are known to have a single content, which every fill has there."""
    fills: int | None = None
    """How many fills there are, where all were gone through; else the shares are estimates."""

    @property
    def is_exact(self) -> bool:
        """Whether the shares are those of all fills; of estimates nothing is proved but what is forced."""
        return self.fills is not None


def letter_table(beliefs: Beliefs) -> LetterTable:
    """The letters of all squares as belief propagation has them; some 20 microseconds a square."""
    problem = beliefs.problem
    if not problem.root.is_possible:
        return LetterTable({}, {}, fills=0)
    given, forced = problem.task.given, problem.decided_squares(problem.root.state)
    return LetterTable(
        shares={
            at: beliefs.square_shares(square) for square, at in enumerate(problem.positions) if at not in given
        },
        forced={at: content for at, content in forced.items() if at not in given},
    )


def exact_letter_table(
    problem: Problem, *, seconds: float | None, cancelled: Callable[[], bool] = never
) -> LetterTable | None:
    """The letters of all squares, counted fill by fill; None where that takes longer than the time."""
    if not problem.root.is_possible:
        return LetterTable({}, {}, fills=0)
    enumeration = FillEnumeration(problem, tallies=True)
    deadline = math.inf if seconds is None else time.perf_counter() + seconds
    while not enumeration.advance():
        if cancelled() or time.perf_counter() >= deadline:
            return None
    contents, given = problem.symbols.contents, problem.task.given
    shares: dict[Position, Mapping[Content, float]] = {}
    for at, counts in zip(problem.positions, enumeration.tally, strict=True):
        if at not in given and counts.any():
            order = np.argsort(-counts, kind="stable").tolist()
            shares[at] = {
                contents[code]: counts[code].item() / enumeration.fills for code in order if counts[code]
            }
    forced = {at: next(iter(each)) for at, each in shares.items() if len(each) == 1}
    return LetterTable(shares, forced, enumeration.fills)

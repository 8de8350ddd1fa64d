"""xwtui from Python: puzzles in and out, fills, counts, candidates and reasons; `import xwtui` gives all of it.

Every function takes values that never change and returns such values, so that all may be called from any thread,
and in other processes: what they take and return can be pickled. What takes long takes what `SearchAsked` says,
and `progress`, which is called with each better answer, or every tenth of a second or so, in the caller's thread;
reading words and loading the engine are not counted in its seconds.

What is raised is of the family in `xwtui.errors`, with a message for a constructor. The engine is loaded, and
compiled once on each machine, at the first call that needs it.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, TypeAlias, TypedDict, TypeVar

from typing_extensions import Unpack

from xwtui.asked import ALLOW_REPEATS, FIRST, MIN_SCORE, Asked, Limits, takes
from xwtui.dataclasses import dataclass, field
from xwtui.engine.budget import ANSWERING_SECONDS, COUNTING_SECONDS, Budget
from xwtui.engine.candidates.estimate import CandidateEstimate
from xwtui.engine.events.event import FillSeconds, Outcome, Statistics
from xwtui.engine.improve.improvement import Improvement, ImproveProgress, Objective
from xwtui.errors import PuzzleError
from xwtui.formats.registry import read_puzzle, write_file, write_puzzle
from xwtui.lazy import lazy_imports
from xwtui.model import Puzzle, WordChoice
from xwtui.session.document import NATIVE_SUFFIXES
from xwtui.session.problem_specification import ProblemSpecification
from xwtui.worded import said

with lazy_imports():
    from xwtui import insight
    from xwtui.engine.count.estimate import Estimate
    from xwtui.engine.explain.explanation import Explanation
    from xwtui.engine.fill.portfolio import Progress
    from xwtui.engine.improve.improver import improve as improve_fill
    from xwtui.engine.improve.plain_fill import SharedStem, laid_out, plain_fill, stems_apart
    from xwtui.engine.problem.problem import Problem
    from xwtui.engine.problem.told_answers import with_fill
    from xwtui.engine.warmup import warm_up
    from xwtui.engine.what_if.ranking import Ranking
    from xwtui.insight import WhatIf
    from xwtui.session.jobs.fills.kept_fills import standing_squares
    from xwtui.session.own_puzzles import recent_answers
    from xwtui.words.alphabets import find_alphabet
    from xwtui.words.lexicon import Lexicon
    from xwtui.words.vocabulary import LoadedLexicon, load_lexicon, vocabulary_of

Change = TypeVar("Change")
PathLike = str | os.PathLike[str]
GivenWords: TypeAlias = "Lexicon | None"

_log = logging.getLogger("xwtui")


@dataclass(frozen=True)
class FilledPuzzle:
    """What a fill came to."""

    outcome: Outcome
    """FILLED; IMPOSSIBLE: proved, no fill exists; UNKNOWN: the time was up; CANCELLED."""
    puzzle: Puzzle
    """With the fill in pencil; as it was, where there is none."""
    reason: str
    """Why no fill exists, if that is proved."""
    statistics: Statistics
    """What the search for the first fill took."""
    seed: int
    seconds: FillSeconds = field(compare=False)
    """What the layout, the first fill and the better words took."""
    shared_stems: tuple[SharedStem, ...] = ()
    """The entries that share a stem, where they were to be kept apart and no fill was found that does."""

    @property
    def answers(self) -> Mapping[str, str]:
        """The answers of the finished entries, by their names."""
        return self.puzzle.answers


@dataclass(frozen=True)
class ImprovedPuzzle:
    """What an improvement came to."""

    outcome: Outcome
    """FILLED: no better fill exists (proved); IMPOSSIBLE: none does; UNKNOWN: the time was up; CANCELLED."""
    puzzle: Puzzle
    """With the best fill; as it was, where there is none."""
    first: Improvement | None
    """The fill that it began with, None where that was no legal one."""
    best: Improvement | None
    """The best fill with its scores, never worse than the first; None where there is none."""
    bound: float
    """No fill has a better value."""
    reason: str
    """Why no fill exists, if that is proved."""
    seed: int

    @property
    def answers(self) -> Mapping[str, str]:
        """The answers of the finished entries, by their names."""
        return self.puzzle.answers


def open_puzzle(path: PathLike) -> Puzzle:
    """Read a puzzle file of any format; raises PuzzleFormatError."""
    return read_puzzle(Path(path))


def save(puzzle: Puzzle, path: PathLike) -> None:
    """Write all of a puzzle to an .ipuz file, over what was there, whole or not at all.

    Raises PuzzleError for another suffix, PuzzleFormatError where it cannot be written.
    """
    target = Path(path)
    if target.suffix.lower() not in NATIVE_SUFFIXES:
        raise PuzzleError(f"puzzles are saved as .ipuz, which keeps everything; use export for {target.name}")
    write_puzzle(target, puzzle)


def export(puzzle: Puzzle, path: PathLike, *, lossy: bool = False) -> tuple[str, ...]:
    """Write a puzzle in the format of a file's suffix, over what was there; returns a warning for each loss.

    What is the constructor's alone is in no export; `save` keeps it. Raises PuzzleFormatError where it cannot be
    written, and unless `lossy` where the format cannot hold something.
    """
    return write_file(Path(path), puzzle, lossy=lossy, published=True).warnings


def open_words(*lists: PathLike, minimum_score: int = 0, alphabet: str = "english") -> Lexicon:
    """Read word lists, files or names of those that ship, the first one first; the default list if none is named.

    Read once, in an alphabet's letters, and given to many calls, they are read once. Raises WordListError, and
    PuzzleError for a score that is not from 0 to 100.
    """
    named, letters = tuple(os.fspath(one) for one in lists), find_alphabet(alphabet)
    loaded = load_lexicon(WordChoice(named, MIN_SCORE.taken(minimum_score), alphabet=letters))
    _tell(loaded.warnings)
    return loaded.lexicon


class WordsAsked(TypedDict, total=False):
    """Which words a puzzle is filled with; all of it may be left out."""

    words: Annotated[GivenWords, Asked("None for the lists that the puzzle names")]
    folder: Annotated[PathLike | None, Asked("where these are looked up first: the folder of the puzzle's file")]
    allow_repeats: Annotated[bool, ALLOW_REPEATS]


class SearchAsked(Limits, WordsAsked, total=False):
    """What all that takes long is asked; all of it may be left out."""


class FillAsked(SearchAsked, total=False):
    """What a fill is asked; all of it may be left out."""

    first: Annotated[bool, FIRST]


@takes(FillAsked, first=False)
def fill(
    puzzle: Puzzle,
    *,
    progress: Callable[[Progress], None] | None = None,
    **asked: Unpack[FillAsked],
) -> FilledPuzzle:
    """Fill what is not in pen or locked, or prove that this cannot be done; pencil is not looked at.

    It ends with better words, unless the `first` ones are enough, as the verb `fill` does: with the same seed both
    fill an empty grid alike. Raises WordListError and EngineError.
    """
    budget, specification, first = Budget.of(asked), _specification(puzzle, asked), asked.get("first", False)
    warm_up(counting=False, improving=not first or puzzle.rules.is_about_grid)
    problem, layout_seconds = laid_out(specification.problem)
    made = plain_fill(problem, budget, first_only=first, progress=progress)
    found, reason = made.first, said(made.first.reason)
    filled = with_fill(problem.task, puzzle, made.squares) if found.outcome is Outcome.FILLED else puzzle
    took = made.seconds._replace(layout=layout_seconds)
    return FilledPuzzle(found.outcome, filled, reason, found.statistics, budget.seed, took, made.shared_stems)


@takes(SearchAsked, seconds=ANSWERING_SECONDS)
def improve(
    puzzle: Puzzle,
    *,
    objective: Objective | None = None,
    progress: Callable[[ImproveProgress], None] | None = None,
    **asked: Unpack[SearchAsked],
) -> ImprovedPuzzle:
    """Make the fill that stands in pencil better; what is in pen or locked stays.

    An `objective` of None is the best mean score. What is no legal fill is mended first, with as little else
    as can be. Raises WordListError and EngineError.
    """
    budget, problem = Budget.of(asked), _specification(puzzle, asked).problem()
    start = standing_squares(puzzle.grid)
    strict = stems_apart(problem, start, budget).problem
    found = improve_fill(strict, start, budget, objective=objective, progress=progress)
    better = puzzle if found.best is None else with_fill(problem.task, puzzle, found.best.squares)
    reason = said(found.reason)
    return ImprovedPuzzle(found.outcome, better, found.first, found.best, found.bound, reason, budget.seed)


@takes(SearchAsked, seconds=COUNTING_SECONDS)
def count(
    puzzle: Puzzle, *, progress: Callable[[Estimate], None] = lambda _: None, **asked: Unpack[SearchAsked]
) -> Estimate:
    """About how many fills there are, or how many exactly; see `xwtui.insight.estimate`.

    Raises WordListError and EngineError.
    """
    problem = _ready_problem(puzzle, asked, counting=True)
    return insight.estimate(problem, better=progress, **Budget.of(asked).limits)


@takes(SearchAsked, seconds=COUNTING_SECONDS)
def candidates(
    puzzle: Puzzle,
    entry: str,
    *,
    progress: Callable[[tuple[CandidateEstimate, ...]], None] = lambda _: None,
    **asked: Unpack[SearchAsked],
) -> tuple[CandidateEstimate, ...]:
    """The words that match an entry such as `17A`, and what each costs: the best score first, dead ones last.

    Raises PuzzleError for an entry that is not there, WordListError, EngineError.
    """
    name = puzzle.grid.entry(entry.upper()).name
    problem = _ready_problem(puzzle, asked, counting=True)
    found = insight.candidates(problem, name, found=progress, **Budget.of(asked).limits)
    return tuple(insight.sort_candidates(found, insight.CandidateOrder.SCORE))


@takes(SearchAsked, seconds=ANSWERING_SECONDS)
def explain(
    puzzle: Puzzle,
    *,
    trying: tuple[str, str] | None = None,
    progress: Callable[[Explanation], None] | None = None,
    **asked: Unpack[SearchAsked],
) -> Explanation:
    """Why there is no fill, or why a word cannot stand at an entry (`trying`); see `xwtui.insight.explain`.

    Raises PuzzleError, WordListError and EngineError.
    """
    problem = _ready_problem(puzzle, asked, counting=False)
    return insight.explain(problem, trying=trying, better=progress, **Budget.of(asked).limits)


@takes(SearchAsked, seconds=ANSWERING_SECONDS)
def what_if(
    puzzle: Puzzle,
    change: WhatIf[Change],
    *,
    progress: Callable[[Ranking[Change]], None] | None = None,
    **asked: Unpack[SearchAsked],
) -> Ranking[Change]:
    """What other blocks, or theme answers, would leave of fills: all such changes, ranked; see `xwtui.insight`.

    Raises WordListError and EngineError.
    """
    problem = _ready_problem(puzzle, asked, counting=False)
    return insight.what_if(problem, change, better=progress, **Budget.of(asked).limits)


@takes(WordsAsked, words=None, folder=None, allow_repeats=False)
def problem_of(puzzle: Puzzle, **asked: Unpack[WordsAsked]) -> Problem:
    """The fill problem of a puzzle, which the functions of `xwtui.insight` take.

    Raises WordListError, and EngineError where the engine cannot take it on.
    """
    return _specification(puzzle, asked).problem()


def _specification(puzzle: Puzzle, asked: WordsAsked) -> ProblemSpecification:
    """The puzzle, to be laid out, with the words that are given, or its own, and the lists that its rules name."""
    choice, words, named = puzzle.words, asked.get("words"), asked.get("folder")
    folder = None if named is None else Path(named)
    if words is not None:
        loaded = LoadedLexicon(words, ())
    else:
        place = None if folder is None else folder / "puzzle"
        recent = recent_answers(choice.recent, place)
        _tell(recent.notices)
        loaded = load_lexicon(choice, folder, recent=recent.answers)
    vocabulary = vocabulary_of(loaded, choice, puzzle.rules.own_lists, folder)
    _tell(vocabulary.warnings)
    return ProblemSpecification.of(puzzle, vocabulary, allow_repeats=asked.get("allow_repeats", False))


def _tell(warnings: tuple[str, ...]) -> None:
    """Log what was skipped in files."""
    for warning in warnings:
        _log.warning("%s", warning)


def _ready_problem(puzzle: Puzzle, asked: SearchAsked, *, counting: bool) -> Problem:
    """The problem, with the engine ready to count, or else to search under demands."""
    problem = _specification(puzzle, asked).problem()
    warm_up(counting=counting, improving=not counting or puzzle.rules.is_about_grid)
    return problem

"""xwtui as a Python library: read and write puzzles, fill, count, list candidates and explain.

`import xwtui` gives access to all of it. Every function takes and returns immutable values that can be pickled, so
it may be called from any thread and in other processes. Long-running functions take the keywords of
`SearchKeywords` and a `progress` callback, which is called in the caller's thread with each better answer or about
every tenth of a second. Time spent reading words and loading the engine does not count against `seconds`.

All exceptions are of the family in `xwtui.errors`, with messages meant for a constructor. The engine is loaded at
the first call that needs it, and compiled once per machine.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, TypeAlias, TypedDict, TypeVar

from typing_extensions import Unpack

from xwtui.dataclasses import dataclass, field
from xwtui.engine.budget import ANSWERING_SECONDS, COUNTING_SECONDS, Budget
from xwtui.engine.candidates.estimate import CandidateEstimate
from xwtui.engine.events.event import FillSeconds, Outcome, Statistics
from xwtui.engine.improve.improvement import Improvement, ImproveProgress, Objective
from xwtui.errors import PuzzleError
from xwtui.formats.registry import read_puzzle, write_file, write_puzzle
from xwtui.lazy import lazy_imports
from xwtui.model import Puzzle, WordChoice
from xwtui.parameters import ALLOW_REPEATS, FIRST, MIN_SCORE, Limits, Parameter, takes
from xwtui.session.document import NATIVE_SUFFIXES
from xwtui.worded import in_words

with lazy_imports():
    from xwtui import insight
    from xwtui.engine.count.estimate import Estimate
    from xwtui.engine.explain.explanation import Explanation
    from xwtui.engine.fill.portfolio import Progress
    from xwtui.engine.improve.improver import improve as improve_fill
    from xwtui.engine.improve.plain_fill import SharedStem, build_timed, plain_fill, stems_apart
    from xwtui.engine.problem.problem import Problem
    from xwtui.engine.problem.recorded_answers import with_fill
    from xwtui.engine.problem.task import Task
    from xwtui.engine.warmup import warm_up
    from xwtui.engine.what_if.ranking import Ranking
    from xwtui.insight import WhatIf
    from xwtui.session.jobs.fills.kept_fills import current_contents
    from xwtui.session.own_puzzles import recent_answers
    from xwtui.words.alphabets import find_alphabet
    from xwtui.words.lexicon import Lexicon
    from xwtui.words.sources import LoadedLexicon, load_lexicon, vocabulary_of

Change = TypeVar("Change")
PathLike = str | os.PathLike[str]
GivenWords: TypeAlias = "Lexicon | None"

_log = logging.getLogger("xwtui")


@dataclass(frozen=True)
class FilledPuzzle:
    """The result of a fill."""

    outcome: Outcome
    """FILLED; IMPOSSIBLE: proved that no fill exists; UNKNOWN: out of time; CANCELLED."""
    puzzle: Puzzle
    """The puzzle with the fill in pencil, or unchanged if there is none."""
    reason: str
    """Why no fill exists, if proved."""
    statistics: Statistics
    """Statistics of the search for the first fill."""
    seed: int
    seconds: FillSeconds = field(compare=False)
    """Time spent on the layout, the first fill and the improvement of its words."""
    shared_stems: tuple[SharedStem, ...] = ()
    """Entries that share a stem, if stems should have been kept apart but no such fill was found."""

    @property
    def answers(self) -> Mapping[str, str]:
        """The answers of the complete entries, by entry name."""
        return self.puzzle.answers


@dataclass(frozen=True)
class ImprovedPuzzle:
    """The result of an improvement."""

    outcome: Outcome
    """FILLED: proved that no better fill exists; IMPOSSIBLE: proved that no fill exists; UNKNOWN: out of time;
    CANCELLED."""
    puzzle: Puzzle
    """The puzzle with the best fill, or unchanged if there is none."""
    first: Improvement | None
    """The fill that it started from, or None if that was not legal."""
    best: Improvement | None
    """The best fill with its scores, never worse than `first`; None if there is none."""
    bound: float
    """An upper bound: no fill has a better value."""
    reason: str
    """Why no fill exists, if proved."""
    seed: int

    @property
    def answers(self) -> Mapping[str, str]:
        """The answers of the complete entries, by entry name."""
        return self.puzzle.answers


def open_puzzle(path: PathLike) -> Puzzle:
    """Read a puzzle file of any format; raises PuzzleFormatError."""
    return read_puzzle(Path(path))


def save(puzzle: Puzzle, path: PathLike) -> None:
    """Save a whole puzzle to an .ipuz file, and replace an old file only once the new one is complete.

    Raises PuzzleError for any other suffix, and PuzzleFormatError if the file cannot be written.
    """
    target = Path(path)
    if target.suffix.lower() not in NATIVE_SUFFIXES:
        raise PuzzleError(f"puzzles are saved as .ipuz, which keeps everything; use export for {target.name}")
    write_puzzle(target, puzzle)


def export(puzzle: Puzzle, path: PathLike, *, lossy: bool = False) -> tuple[str, ...]:
    """Write a puzzle in the format of a file's suffix, over any old file; returns a warning for each loss.

    An export leaves out what is private to the constructor; `save` keeps it. Raises PuzzleFormatError if the file
    cannot be written or, without `lossy`, if the format cannot hold something.
    """
    return write_file(Path(path), puzzle, lossy=lossy, published=True).warnings


def open_words(*lists: PathLike, minimum_score: int = 0, alphabet: str = "english") -> Lexicon:
    """Read word lists by file or by the names of those that ship, top one first; with none, the default list.

    Pass the result to several calls, so that the lists are read only once. Raises WordListError, and PuzzleError
    for a score outside 0 to 100.
    """
    names, letters = tuple(os.fspath(one) for one in lists), find_alphabet(alphabet)
    loaded = load_lexicon(WordChoice(names, MIN_SCORE.checked(minimum_score), alphabet=letters))
    _log_warnings(loaded.warnings)
    return loaded.lexicon


class WordKeywords(TypedDict, total=False):
    """Keywords that choose the words for a puzzle; all are optional."""

    words: Annotated[GivenWords, Parameter("None for the lists the puzzle names")]
    folder: Annotated[PathLike | None, Parameter("the folder to look in first, such as the puzzle's own")]
    allow_repeats: Annotated[bool, ALLOW_REPEATS]


class SearchKeywords(Limits, WordKeywords, total=False):
    """Keywords of every long-running function; all are optional."""


class FillKeywords(SearchKeywords, total=False):
    """Keywords of `fill`; all are optional."""

    first: Annotated[bool, FIRST]


@takes(FillKeywords, first=False)
def fill(
    puzzle: Puzzle,
    *,
    progress: Callable[[Progress], None] | None = None,
    **keywords: Unpack[FillKeywords],
) -> FilledPuzzle:
    """Fill all squares that are not in pen or locked, ignoring pencil, or prove that no fill exists.

    Like the verb `fill`, it then improves the words unless `first` is set. With the same seed, both give an empty
    grid the same fill. Raises WordListError and EngineError.
    """
    budget, task, first = Budget.of(keywords), _task(puzzle, keywords), keywords.get("first", False)
    warm_up(counting=False, improving=not first or puzzle.rules.is_about_grid)
    problem, layout_seconds = build_timed(lambda: Problem.of(task))
    made = plain_fill(problem, budget, first_only=first, progress=progress)
    found, reason = made.first, in_words(made.first.reason)
    filled = with_fill(problem.task, puzzle, made.squares) if found.outcome is Outcome.FILLED else puzzle
    seconds = made.seconds._replace(layout=layout_seconds)
    return FilledPuzzle(found.outcome, filled, reason, found.statistics, budget.seed, seconds, made.shared_stems)


@takes(SearchKeywords, seconds=ANSWERING_SECONDS)
def improve(
    puzzle: Puzzle,
    *,
    objective: Objective | None = None,
    progress: Callable[[ImproveProgress], None] | None = None,
    **keywords: Unpack[SearchKeywords],
) -> ImprovedPuzzle:
    """Improve the fill that stands in pencil; pen and locked squares stay.

    By default the objective is the best mean score. A fill that is not legal is repaired first, with as few
    changes as possible. Raises WordListError and EngineError.
    """
    budget, problem = Budget.of(keywords), Problem.of(_task(puzzle, keywords))
    start = current_contents(puzzle.grid)
    strict = stems_apart(problem, start, budget).problem
    found = improve_fill(strict, start, budget, objective=objective, progress=progress)
    better = puzzle if found.best is None else with_fill(problem.task, puzzle, found.best.squares)
    reason = in_words(found.reason)
    return ImprovedPuzzle(found.outcome, better, found.first, found.best, found.bound, reason, budget.seed)


@takes(SearchKeywords, seconds=COUNTING_SECONDS)
def count(
    puzzle: Puzzle, *, progress: Callable[[Estimate], None] = lambda _: None, **keywords: Unpack[SearchKeywords]
) -> Estimate:
    """Estimate how many fills there are, or count them exactly; see `xwtui.insight.estimate`.

    Raises WordListError and EngineError.
    """
    problem = _ready_problem(puzzle, keywords, counting=True)
    return insight.estimate(problem, better=progress, **Budget.of(keywords).limits)


@takes(SearchKeywords, seconds=COUNTING_SECONDS)
def candidates(
    puzzle: Puzzle,
    entry: str,
    *,
    progress: Callable[[tuple[CandidateEstimate, ...]], None] = lambda _: None,
    **keywords: Unpack[SearchKeywords],
) -> tuple[CandidateEstimate, ...]:
    """List the words that match an entry such as `17A`, and what each costs: best score first, dead ones last.

    Raises PuzzleError for an unknown entry, WordListError, and EngineError.
    """
    name = puzzle.grid.entry(entry.upper()).name
    problem = _ready_problem(puzzle, keywords, counting=True)
    found = insight.candidates(problem, name, found=progress, **Budget.of(keywords).limits)
    return tuple(insight.sort_candidates(found, insight.CandidateOrder.SCORE))


@takes(SearchKeywords, seconds=ANSWERING_SECONDS)
def explain(
    puzzle: Puzzle,
    *,
    trying: tuple[str, str] | None = None,
    progress: Callable[[Explanation], None] | None = None,
    **keywords: Unpack[SearchKeywords],
) -> Explanation:
    """Explain why there is no fill, or why a word cannot go in an entry (`trying`); see `xwtui.insight.explain`.

    Raises PuzzleError, WordListError and EngineError.
    """
    problem = _ready_problem(puzzle, keywords, counting=False)
    return insight.explain(problem, trying=trying, better=progress, **Budget.of(keywords).limits)


@takes(SearchKeywords, seconds=ANSWERING_SECONDS)
def what_if(
    puzzle: Puzzle,
    change: WhatIf[Change],
    *,
    progress: Callable[[Ranking[Change]], None] | None = None,
    **keywords: Unpack[SearchKeywords],
) -> Ranking[Change]:
    """Rank all changes of blocks, or places for theme answers, by the fills they leave; see `xwtui.insight`.

    Raises WordListError and EngineError.
    """
    problem = _ready_problem(puzzle, keywords, counting=False)
    return insight.what_if(problem, change, better=progress, **Budget.of(keywords).limits)


@takes(WordKeywords, words=None, folder=None, allow_repeats=False)
def problem_of(puzzle: Puzzle, **keywords: Unpack[WordKeywords]) -> Problem:
    """Make the fill problem of a puzzle, for the functions of `xwtui.insight`.

    Raises WordListError, and EngineError if the engine cannot handle the puzzle.
    """
    return Problem.of(_task(puzzle, keywords))


def _task(puzzle: Puzzle, keywords: WordKeywords) -> Task:
    """Return the fill task of a puzzle, with the given words or its own, and the lists that its rules name."""
    choice, words, path = puzzle.words, keywords.get("words"), keywords.get("folder")
    folder = None if path is None else Path(path)
    if words is not None:
        loaded = LoadedLexicon(words, ())
    else:
        place = None if folder is None else folder / "puzzle"
        recent = recent_answers(choice.recent, place)
        _log_warnings(recent.notices)
        loaded = load_lexicon(choice, folder, recent=recent.answers)
    vocabulary = vocabulary_of(loaded, choice, puzzle.rules.own_lists, folder)
    _log_warnings(vocabulary.warnings)
    return Task.of(puzzle, vocabulary, allow_repeats=keywords.get("allow_repeats", False))


def _log_warnings(warnings: tuple[str, ...]) -> None:
    for warning in warnings:
        _log.warning("%s", warning)


def _ready_problem(puzzle: Puzzle, keywords: SearchKeywords, *, counting: bool) -> Problem:
    """Return the fill problem, with the engine loaded to count, or else to search under global constraints."""
    problem = Problem.of(_task(puzzle, keywords))
    warm_up(counting=counting, improving=not counting or puzzle.rules.is_about_grid)
    return problem

"""The verbs that count, and their answers: an entry's words, a square's letters, the grid's fills."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cached_property
from time import perf_counter
from typing import Any

from xwtui.engine.budget import COUNTING_SECONDS, Budget
from xwtui.engine.candidates.estimate import CandidateEstimate, CandidateOrder, sort_candidates
from xwtui.errors import PuzzleError, VerbError
from xwtui.lazy import lazy_imports
from xwtui.model import Grid, Ink, Position, Puzzle, Slot
from xwtui.model.edits import write_fill
from xwtui.parameters import CORES, SECONDS, SEED, Limits
from xwtui.session.answers import ImmediateAnswer, JsonShape, VerbAnswer
from xwtui.session.verbs import kinds
from xwtui.session.verbs.kinds import asked
from xwtui.session.verbs.verb import Answer, FromShell, Group, Reply, argument, option, options, verbs_of
from xwtui.text import printable
from xwtui.worded import in_words

with lazy_imports():
    from xwtui.engine.candidates.find import candidates as find
    from xwtui.engine.candidates.options import LetterTable, SlotOptions, exact_letter_table, sampled_letter_table
    from xwtui.engine.count import estimator
    from xwtui.engine.count.belief import believe
    from xwtui.engine.count.estimate import Estimate
    from xwtui.engine.count.estimator import Counter
    from xwtui.formats.grid_text import grid_to_text
    from xwtui.model.statistics import pencil_squares
    from xwtui.session.jobs.answer_job import ProblemReporter
    from xwtui.session.jobs.counts import CountOrder
    from xwtui.session.messages import LookAhead
    from xwtui.session.session import Session
    from xwtui.session.wording import (
        and_more,
        candidate_line,
        forced_words,
        pencil_words,
        repeats_words,
        share_words,
        unlisted_words,
    )
    from xwtui.wording import how_sure
    from xwtui.words.repeats import AnswerRepeats


verb = verbs_of(Group.COUNT)

_ALL = "all"
_SAMPLED = {
    "seed": asked(SEED.with_help("a different seed gives a different estimate"), default="0"),
    "threads": asked(CORES, default="0"),
}
_limits = options(Limits, seconds=asked(SECONDS, usual=COUNTING_SECONDS), **_SAMPLED)
_improving = SECONDS.with_help(
    "seconds to spend improving the estimates, 0 for no limit (default: answer at once)"
)


@kinds.parameter_kind("order", kinds.among([one.value for one in CandidateOrder]))
def ORDER(text: str, session: Session) -> CandidateOrder:
    """The sort order of candidates."""
    try:
        return CandidateOrder(text.strip().lower())
    except ValueError:
        names = ", ".join(one.value for one in CandidateOrder)
        raise PuzzleError(f"{printable(text, 30)!r} is none of {names}") from None


@verb(
    "candidates 17A",
    "candidates 17A --limit 40",
    "candidates 17A --sort room",
    "candidates 17A --prove",
    from_shell=FromShell({"seconds": f"{COUNTING_SECONDS:g}"}),
)
def candidates(
    session: Session,
    entry: Slot = kinds.entry_argument,
    limit: int = kinds.limit_option(20),
    order: CandidateOrder = option("score, room or both (default: score)", ORDER, name="--sort", default="score"),
    prove: bool = option("search for a fill with each word listed"),
    limits: Limits = options(Limits, seconds=asked(_improving), **_SAMPLED),
) -> Answer:
    """List the words that fit an entry, with their scores and about how many fills each one leaves.

    A word that a crossing rules out is marked `dead`, with the crossing; a word known to lead to a fill is
    marked `has a fill`. `--sort room` lists the words that leave the most fills first; `both` subtracts ten
    points from the score for each power of ten of fills lost.
    """
    puzzle = session.puzzle
    repeats = session.jobs.words.repeats(puzzle)
    if "seconds" not in limits and not prove:
        found = session.jobs.candidates.find(entry.name)
        return CandidatesAnswer(puzzle, entry, found, order, limit, repeats)
    limits = {"seconds": COUNTING_SECONDS, **limits}

    def look_into(reporter: ProblemReporter) -> VerbAnswer:
        limits["cancelled"] = reporter.is_stopped
        listed: tuple[str, ...] = ()

        def hear(found: Sequence[CandidateEstimate]) -> None:
            """Refine those that are listed, once estimates decide which ones are."""
            nonlocal listed
            so_far = CandidatesAnswer(puzzle, entry, found, order, limit, repeats)
            if not listed and any(one.log10 is not None for one in found):
                listed = tuple(one.word for one in so_far.ranked[:limit] if one.alive)
            reporter.report(so_far)

        found = find(reporter.problem, entry.name, in_view=lambda: listed, prove=prove, found=hear, **limits)
        return CandidatesAnswer(puzzle, entry, found, order, limit, repeats)

    return session.jobs.answer.start(look_into)


@verb("shares r3c4", "shares", "shares all", from_shell=FromShell({"squares": _ALL}))
def shares(
    session: Session,
    squares: tuple[kinds.Place, ...] = argument(
        "squares, or `all` (default: the current square)", kinds.squares_kind(_ALL), metavar="[SQUARE]..."
    ),
    limits: Limits = _limits,
) -> Answer:
    """Show which letters each square can still take, and in what share of the remaining fills.

    The shares are exact when all fills can be listed in half the time. Otherwise they are estimates from a
    sample of the fills, marked `about`, each with a 95% interval. A letter marked as forced is the same in every
    fill.
    """
    where = _asked(session, squares)
    latest = session.jobs.live_counts.view
    if latest.letters is not None and latest.letters.is_exact and not latest.stale:
        return shares_answer(latest.letters, where)

    def reckon(reporter: ProblemReporter) -> VerbAnswer:
        stopped, problem = reporter.is_stopped, reporter.problem
        started, budget = perf_counter(), Budget.of(limits)._replace(stop=stopped)
        rough = Counter(problem).quick().log10
        if budget.seconds == math.inf or rough is None or rough < estimator.COUNTABLE_LOG10:
            exact = exact_letter_table(problem, Budget(budget.share(0.5).seconds, stop=stopped))
            if exact is not None:
                return shares_answer(exact, where)
        beliefs = believe(problem, cancelled=stopped)
        return shares_answer(sampled_letter_table(beliefs, budget.since(started)), where)

    return session.jobs.answer.start(reckon)


def _asked(session: Session, named: tuple[kinds.Place, ...]) -> tuple[Position, ...]:
    """Return the squares named, by default the current one; empty stands for all squares that a fill writes.

    Of several squares named together, only those that a fill writes are returned. Raises PuzzleError for a given
    square, for one in no entry, and for a group in which none is left.
    """
    if _ALL in named:
        return ()
    grid = session.puzzle.grid
    asked: list[Position] = []
    for place in named or (session.cursor.position,):
        squares = kinds.squares_of(session, place)
        free = [at for at in squares if not grid[at].is_given and any(at in slot.positions for slot in grid.slots)]
        if not free and grid[squares[0]].is_given:
            given = " ".join(str(grid[at].content) for at in squares if grid[at].is_given)
            is_locked = all(grid[at].ink is Ink.LOCKED for at in squares if grid[at].is_given)
            whose = "is locked" if is_locked else "is yours"
            raise PuzzleError(f"{kinds.place_name(place)} {whose}, and no fill changes it: {given}")
        if not free:
            raise PuzzleError(f"{kinds.place_name(place)} is not in an entry")
        asked += free
    return tuple(dict.fromkeys(asked))


@verb("count", "count --time 10", "count --exact --time 60", "count --look-ahead 2", from_shell=FromShell())
def count(
    session: Session,
    exact: bool = option("count exactly, or give a minimum"),
    look_ahead: int | None = option(
        "also show Copeland's estimate, this many levels ahead", kinds.number_kind(1, 3)
    ),
    limits: Limits = _limits,
) -> Answer:
    """Count the fills that remain: exactly if time allows, otherwise as an interval.

    Squares in pencil count as empty, since a fill may replace them. --look-ahead also adds up the options the
    entries have after trying the ten best words for the next entry, to the depth you give. Under `latent`, a fill
    counts once for each way to read its entries as candidate answers. If several answers give the same letters,
    only the best of them is a candidate, unless words are wanted or limited.
    """
    order = CountOrder(Budget.of(limits), exact, look_ahead or 0, session.jobs.has_proved_no_fill)
    session.jobs.count.start(order)
    grid = session.puzzle.grid

    def answer() -> CountAnswer:
        found = session.jobs.count.view
        if found is None:
            raise VerbError("nothing was counted")
        return CountAnswer(found.estimate, found.options, grid, exact, found.look_ahead)

    notes = [pencil_words(pencil_squares(grid)), unlisted_words(session.jobs.words.unlisted(session.puzzle))]
    latest = session.jobs.live_counts.view
    if _is_full(grid):
        notes.append(full_words(None))
    elif not latest.stale and latest.entries.propagated:
        summed = sum(options.after_propagation for options in latest.entries.options.values())
        notes.append(summed_words(summed))
    return Reply(tuple(filter(None, notes)), started=True, answer=answer)


def summed_words(summed: int) -> str:
    """Return Copeland's measure of a grid as text."""
    return f"{summed:,} words fit, added up over all entries; the more, the easier the fill"


def _is_full(grid: Grid) -> bool:
    """Whether there is neither an empty square to fill nor any pencil to replace."""
    return grid.is_filled and not pencil_squares(grid)


def full_words(exact: int | None) -> str:
    """Return the text that replaces that measure for a full grid; `exact` is None while the count is unknown."""
    full = "the grid is full: the only possible fill is the one in it"
    match exact:
        case 0:
            return f"{full}; `why` says what is wrong with it"
        case 1:
            return f"{full}; it counts, as answers of yours are always allowed"
        case _:
            return full


class CandidatesAnswer(VerbAnswer):
    """The words that an entry can take, as far as is known, in the requested order."""

    puzzle: Puzzle
    slot: Slot
    found: Sequence[CandidateEstimate]
    order: CandidateOrder
    limit: int
    repeats: AnswerRepeats
    """The present answers, to find those with which a word shares a stem."""
    judged_by = "alive"

    def repeated(self, word: str) -> tuple[str, ...]:
        return self.repeats.of(word, self.slot.name)

    @cached_property
    def ranked(self) -> list[CandidateEstimate]:
        return sort_candidates(self.found, self.order)

    @property
    def alive(self) -> int:
        return sum(one.alive for one in self.found)

    @property
    def pattern(self) -> str:
        return self.puzzle.grid.pattern(self.slot, given_only=True)

    @property
    def untried(self) -> str:
        """What the proofs of the listed dead candidates do not cover."""
        return next((str(one.untried) for one in self.ranked[: self.limit] if one.untried is not None), "")

    @property
    def headline(self) -> str:
        return f"{self.slot.name} {self.pattern}: {len(self.found):,} match, {self.alive:,} still possible"

    @property
    def lines(self) -> Sequence[str]:
        lines = [self.headline]
        for one in self.ranked[: self.limit]:
            repeats = repeats_words(self.puzzle.grid, self.repeated(one.answer or one.word))
            lines.append(candidate_line(one) + (f"  {repeats}" if repeats else ""))
        return [*lines, *and_more(len(self.found) - self.limit), *filter(None, [self.untried])]

    def _fill_and_repeats(self, candidate: CandidateEstimate) -> dict[str, Any]:
        fill, grid = candidate.fill, self.puzzle.grid
        repeated = self.repeated(candidate.answer or candidate.word)
        return {
            "fill": None if fill is None else grid_to_text(write_fill(self.puzzle, fill).grid),
            "repeats": [{"entry": name, "answer": grid.pattern(grid.entry(name))} for name in repeated],
        }

    @property
    def as_json(self) -> dict[str, Any]:
        one = JsonShape("word answer?? score standing killed_by log10 is_refined is_sure", self._fill_and_repeats)
        return {
            "entry": self.slot.name,
            "pattern": self.pattern,
            "matches": len(self.found),
            "alive": self.alive,
            "candidates": one.convert(self.ranked[: self.limit]),
            "untried": self.untried,
        }


_LEAST_SHARE = 1e-6


def shares_answer(letters: LetterTable, asked: Sequence[Position]) -> ImmediateAnswer:
    """Return the letters that squares can still take, and their shares; by default for the whole table.

    If fills were sampled, each share comes with the ends of its 95% interval. Shares have six decimal places, and
    an estimate is never shown as exactly 0 or 1.
    """
    is_possible, is_exact = letters.fills != 0, letters.is_exact
    least, most = (0.0, 1.0) if is_exact else (_LEAST_SHARE, 1 - _LEAST_SHARE)
    lines, by_square = list[str](), dict[str, Any]()
    for at in asked or sorted(letters.shares):
        shares, intervals, forced = letters.shares.get(at, {}), letters.intervals.get(at), letters.forced.get(at)
        words = share_words(shares, is_exact=is_exact, intervals=intervals)
        lines.append(f"{at}: {words if forced is None else forced_words(forced, letters.untried)}")
        by_square[str(at)] = {
            "forced": forced,
            "shares": {str(content): min(max(round(share, 6), least), most) for content, share in shares.items()},
            "intervals": {str(one): [round(end, 6) for end in ends] for one, ends in (intervals or {}).items()},
        }
    none = f"nothing fits: the grid has no fill ({how_sure(letters.untried)})"
    lines, caveat = (lines or ["every square is given"]) if is_possible else [none], in_words(letters.untried)
    return ImmediateAnswer(
        [*lines, *filter(None, [caveat])],
        {"exact": is_exact, "untried": caveat, "squares": by_square},
        is_found=is_possible,
    )


class CountAnswer(VerbAnswer):
    """The number of fills, and each entry's number of options."""

    estimate: Estimate
    options: Mapping[str, SlotOptions]
    grid: Grid
    is_exact: bool
    """Whether an exact count was requested."""
    look_ahead: LookAhead | None = None
    stopped = "this is the count so far"
    json = JsonShape(
        "text=estimate.describe estimate.exact estimate.log10",
        lambda answer: {**answer.bounds, "untried": in_words(answer.estimate.untried)},
        "estimate.instrument summed_options=summed look_ahead?? pencil_squares=pencil",
        ("slots=options", JsonShape("matches=pattern_matches options=after_propagation")),
    )

    @property
    def pencil(self) -> int:
        """Number of squares in pencil, which count as empty."""
        return pencil_squares(self.grid)

    @property
    def bounds(self) -> dict[str, float | None]:
        """The known bounds of the count; an exact count is its own bounds."""
        one = self.estimate
        if one.exact is None:
            return {"low": one.low, "high": one.high, "at_least": one.at_least, "counted": one.counted}
        return {"low": one.log10, "high": one.log10, "at_least": one.exact, "counted": 1.0}

    @property
    def summed(self) -> int:
        return sum(slot.after_propagation for slot in self.options.values())

    @property
    def is_found(self) -> bool | None:
        is_estimated = self.estimate.log10 is not None and not self.is_exact
        return self.estimate.exact is not None or is_estimated or None

    @property
    def lines(self) -> Sequence[str]:
        grid = self.grid
        width = max((len(grid.pattern(slot)) for slot in grid.entries), default=0)
        count = "; ".join(filter(None, [self.estimate.describe(), pencil_words(self.pencil)]))
        ahead = [self.look_ahead.describe()] if self.look_ahead is not None else []
        lines = [
            count,
            *filter(None, [in_words(self.estimate.untried)]),
            full_words(self.estimate.exact) if _is_full(grid) else summed_words(self.summed),
            *ahead,
            "",
            f"{'entry':>5}  {'pattern':{width}}  matches  options",
        ]
        for name, slot in sorted(self.options.items(), key=lambda item: item[1].after_propagation):
            pattern = grid.pattern(grid.entry(name), given_only=True)
            lines.append(f"{name:>5}  {pattern:{width}}  {slot.pattern_matches:7,}  {slot.after_propagation:7,}")
        return lines

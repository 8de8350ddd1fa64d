"""The standard fill of all faces: the first fill found, with stems kept apart and better words.

Answers that share a stem (WAFT and WAFTS) are avoided if possible. The search for a fill is unrestricted. If two
answers of the fill share a stem, a nearby fill is sought with one of them barred, and then one under the rule that
no answers share a stem (`SharedStems`); these searches have node limits. If none is found, the first fill is kept,
so a proof that there is no fill always covers all fills. Better words are sought without the rule, because
building a problem under the rule takes longer than the search; words that would share a stem are skipped.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from time import perf_counter
from typing import NamedTuple

from xwtui.engine.budget import NO_LIMIT, Budget, TimeLimit
from xwtui.engine.events.event import FillSeconds, Outcome
from xwtui.engine.fill.portfolio import FillResult, Progress, fill
from xwtui.engine.improve.improver import with_better_words
from xwtui.engine.improve.shared_best import any_fill
from xwtui.engine.improve.worth import NONE, CodedFill, code_start
from xwtui.engine.problem.problem import Problem
from xwtui.engine.problem.task import Assumptions, Task
from xwtui.engine.repair.repair import ANY_REPAIR, RepairResult, RepairWanted, follow, repair
from xwtui.model import Content, Position, Slot
from xwtui.model.alphabet import ENGLISH
from xwtui.model.rules import EntryRules, SharedStems
from xwtui.words.repeats import AnswerRepeats, roots_by

_APART_NODES = 20_000
"""Node limit of a search for a fill that keeps stems apart: about a second."""
_SHARE = 0.5
"""Maximum share of the remaining time for keeping stems apart."""
_MOST_BARRED = 6
"""How often words that share a stem are barred from their entries before the rule is used."""


class SharedStem(NamedTuple):
    """Two entries whose answers share a stem."""

    entries: tuple[str, str]
    answers: tuple[str, str]


def prefers_stems_apart(task: Task) -> bool:
    """Whether to keep stems apart if possible: the default if no rule says otherwise; stems are English."""
    is_told = task.rules.one(SharedStems) is not None or task.allow_repeats
    return not is_told and task.lexicon.alphabet == ENGLISH


def shared_stems(task: Task, squares: Mapping[Position, Content]) -> tuple[SharedStem, ...]:
    """Return the entries of a fill that share a stem although they should not; two given entries may."""
    if not prefers_stems_apart(task):
        return ()
    contents = {**task.given, **squares}
    full = [slot for slot in task.grid.entries if all(at in contents for at in slot.positions)]
    given = [slot.name for slot in full if task.given_answer(slot) is not None]
    roots = roots_by(task.lexicon, contents=contents.values())
    repeats = AnswerRepeats({slot.name: slot.spell(contents) for slot in full}, roots, given)
    answers = repeats.answers
    return tuple(SharedStem((one, other), (answers[one], answers[other])) for one, other in repeats.pairs)


def with_stem_rule(problem: Problem) -> Problem | None:
    """Return the same problem under the rule that no two answers share a stem; None if that is not preferred."""
    task = problem.task
    if not prefers_stems_apart(task):
        return None
    return Problem.of(replace(task, rules=task.rules.with_all(SharedStems, [SharedStems()])))


def _near(
    problem: Problem, squares: Mapping[Position, Content], budget: Budget
) -> Mapping[Position, Content] | None:
    """Return a fill of a problem near another one's; None if none is found within the node and time limits."""
    found = follow(problem, squares, budget.share(_SHARE)._replace(nodes=_APART_NODES, threads=1))
    return found.squares if found.outcome is Outcome.FILLED else None


class StemWatch:
    """Checks whether the stems of a problem's fills are apart, caching the stems of each word."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        new = (content for rule in problem.task.rules.new_squares for content in rule.contents)
        self._roots = roots_by(problem.task.lexicon, contents=[*problem.task.given.values(), *new])
        self._words: dict[tuple[int, int], tuple[str, Collection[str]]] = {}
        self._is_given = problem.task.are_given(problem.slots)

    def keeps_apart(self, fill: CodedFill) -> bool:
        """Whether no two answers share a stem, except two that are both given."""
        seen: dict[str, tuple[str, bool]] = {}
        for slot, row in enumerate(fill.rows.tolist()):
            if row == NONE:
                continue
            if (slot, row) not in self._words:
                word = self._problem.word(slot, row)
                self._words[slot, row] = word, self._roots.of(word)
            word, stems = self._words[slot, row]
            is_given = self._is_given[slot]
            for stem in stems:
                other, was_given = seen.setdefault(stem, (word, is_given))
                if other != word and not (is_given and was_given):
                    return False
        return True


class StemsApart(NamedTuple):
    """A fill that keeps stems apart and its problem under the rule, or the originals if none was found."""

    problem: Problem
    squares: Mapping[Position, Content]


def stems_apart(problem: Problem, squares: Mapping[Position, Content], budget: Budget = NO_LIMIT) -> StemsApart:
    """Keep stems apart in a fill, or if the fill is incomplete, look for any fill that does."""
    strict = with_stem_rule(problem)
    if strict is None:
        return StemsApart(problem, squares)
    coded = code_start(problem, squares)
    is_whole = not coded.faults(problem)
    if is_whole and not shared_stems(problem.task, {**squares, **coded.squares(problem)}):
        return StemsApart(strict, squares)
    found = _near(strict, squares, budget)
    return StemsApart(problem, squares) if found is None else StemsApart(strict, found)


def with_stems_apart(
    problem: Problem, squares: Mapping[Position, Content], budget: Budget = NO_LIMIT
) -> Mapping[Position, Content]:
    """Return a fill that keeps stems apart: the same fill if it already does or if no other is found.

    The rule is not tried once time is over, because building a problem under it can take a second.
    """
    limit, nearest, barred = TimeLimit(budget), squares, dict[str, frozenset[tuple[Content, ...]]]()
    for _ in range(_MOST_BARRED):
        shared = shared_stems(problem.task, nearest)
        if not shared:
            return nearest
        for pair in shared:
            entry = _entry_to_change(problem, pair, nearest)
            barred[entry.name] = barred.get(entry.name, frozenset()) | {
                tuple(nearest[at] for at in entry.positions)
            }
        assumed = replace(problem.task, assumptions=Assumptions(entries=barred))
        found = _near(Problem.of(assumed), nearest, limit.remaining)
        if found is None:
            break
        nearest = found
    return squares if limit.is_over() else stems_apart(problem, squares, limit.remaining).squares


def _entry_to_change(problem: Problem, pair: SharedStem, squares: Mapping[Position, Content]) -> Slot:
    """Return which of two entries to change: one that may change, with the lower score or the longer answer."""
    one, other = (problem.grid.entry(name) for name in pair.entries)
    if not all(at in squares for at in one.positions):
        return other
    if not all(at in squares for at in other.positions):
        return one
    score = problem.task.lexicon.score
    first, second = ((score(answer) or 0, -len(answer)) for answer in pair.answers)
    return one if first < second else other


def repair_apart(
    problem: Problem,
    current: Mapping[Position, Content],
    budget: Budget = NO_LIMIT,
    wanted: RepairWanted = ANY_REPAIR,
) -> RepairResult:
    """Repair as `repair` does, under the stem rule if that yields a repair.

    If the contents to keep already share a stem, the rule cannot be used. If, moreover, only the entry may change,
    words that would share another stem are barred one after another.
    """
    entry = wanted.entry
    own = set(problem.grid.entry(entry).positions) if entry else set()
    others = {at: content for at, content in current.items() if at not in own}
    shared = shared_stems(problem.task, others) if entry else ()
    if shared and wanted.most == 1:
        return _repair_barring(problem, current, shared, budget, wanted)
    strict, begun = with_stem_rule(problem) if not shared else None, perf_counter()
    if strict is not None:
        found = repair(strict, current, budget.share(_SHARE), wanted._replace(gives_up=True))
        if found.repairs:
            return found
    return repair(problem, current, budget.since(begun), wanted)


def _repair_barring(
    problem: Problem,
    current: Mapping[Position, Content],
    shared: tuple[SharedStem, ...],
    budget: Budget,
    wanted: RepairWanted,
) -> RepairResult:
    """Return the first of a few repairs that shares no further stems; if none qualifies, the first repair.

    Once one has been found, the search for others ends as soon as it `is_enough`.
    """
    others = budget._replace(stop=lambda: budget.stop() or wanted.is_enough())
    begun, known, strict = perf_counter(), {one.entries for one in shared}, problem
    first: RepairResult | None = None
    for _ in range(_MOST_BARRED):
        found = repair(strict, current, (budget if first is None else others).since(begun), wanted)
        first = first or found
        if not found.repairs:
            break
        made, rules = found.repairs[0], strict.task.rules
        entries = dict(rules.entries)
        for one in shared_stems(problem.task, {**current, **made.squares}):
            answers = dict(zip(map(problem.grid.entry, one.entries), one.answers, strict=True))
            slot = next((slot for slot in answers if not set(slot.positions).isdisjoint(made.changed)), None)
            if slot is not None and one.entries not in known:
                entries[slot.key] = entries.get(slot.key, EntryRules()).barring(answers[slot])
        if entries == dict(rules.entries):
            return _compared(found, first)
        strict = Problem.of(replace(problem.task, rules=replace(rules, entries=entries)))
    return first or found


def _compared(found: RepairResult, first: RepairResult) -> RepairResult:
    """Return repairs found with words barred; only those as small as the proved first one are called smallest.

    A word barred from its entry could be part of a smaller repair that shares no stem.
    """
    smallest = first.repairs[0]
    is_proved, least = smallest.is_smallest, len(smallest.changed)
    repairs = (replace(one, is_smallest=is_proved and len(one.changed) == least) for one in found.repairs)
    return replace(found, repairs=tuple(repairs))


class PlainFill(NamedTuple):
    """The result of a plain fill."""

    first: FillResult
    """The search for the first fill."""
    squares: Mapping[Position, Content]
    """The finished fill; empty if there is none."""
    seconds: FillSeconds
    """Time taken by the parts; the layout time is set by the caller that built the problem."""
    shared_stems: tuple[SharedStem, ...] = ()
    """Entries that share a stem although they should not, because no other fill was found."""


def plain_fill(
    problem: Problem,
    budget: Budget = NO_LIMIT,
    *,
    first_only: bool = False,
    progress: Callable[[Progress], None] | None = None,
) -> PlainFill:
    """Fill a grid and finish the fill within one budget.

    The same seed gives the same fill as far as `portfolio.fill` does, unless time runs out while improving words.
    """
    begun = perf_counter()
    first = fill(problem, budget, progress=progress)
    found = perf_counter()
    if first.outcome is not Outcome.FILLED:
        return PlainFill(first, first.squares, FillSeconds(first_fill=found - begun))
    squares = finish(problem, first.squares, budget.since(begun), first_only=first_only)
    ended = perf_counter()
    if first_only:
        found = ended
    took = FillSeconds(first_fill=found - begun, better_words=ended - found)
    return PlainFill(first, squares, took, shared_stems(problem.task, squares))


def finish(
    problem: Problem,
    squares: Mapping[Position, Content],
    budget: Budget = NO_LIMIT,
    *,
    first_only: bool = False,
) -> Mapping[Position, Content]:
    """Return a first fill with stems apart if a nearby fill allows it, and unless `first_only`, better words."""
    begun = perf_counter()
    apart = with_stems_apart(problem, squares, budget)
    if first_only:
        return apart
    is_apart = prefers_stems_apart(problem.task) and not shared_stems(problem.task, apart)
    admits = StemWatch(problem).keeps_apart if is_apart else any_fill
    return with_better_words(problem, apart, budget.since(begun), admits)


def build_timed(make: Callable[[], Problem]) -> tuple[Problem, float]:
    """Return a problem with its root computed, and the seconds that both took."""
    begun = perf_counter()
    problem = make()
    problem.root  # noqa: B018  computed on first access
    return problem, perf_counter() - begun

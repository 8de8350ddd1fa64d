"""The filler: one search of a problem, run in slices, with stepping and tracing on request.

It also reports its ranking of the next decisions, the likeliest words of an entry, and the squares it blames.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping
from itertools import starmap
from operator import itemgetter
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from xwtui.engine.budget import SECONDS_PER_SLICE
from xwtui.engine.events.event import (
    MOST,
    Decision,
    DecisionReport,
    Event,
    EventKind,
    LikelyWord,
    Outcome,
    Rank,
    Statistics,
)
from xwtui.engine.fill.recorded import (
    CODES,
    NODES_PER_CHECK,
    RING,
    Certificate,
    RecordedEvents,
    event_of,
    rows_of,
    unread_events,
)
from xwtui.engine.fill.search_settings import NEVER, WORKERS, SearchSettings
from xwtui.engine.kernels import state as states
from xwtui.engine.kernels.network import CROSSING, INDEX, PLACES, SQUARE, Network
from xwtui.engine.kernels.propagate.choices import SYMBOL_BITS
from xwtui.engine.kernels.search import decisions as deciding
from xwtui.engine.kernels.search import search as kernel
from xwtui.engine.kernels.search.decisions import Search
from xwtui.engine.kernels.state import State
from xwtui.engine.problem.arrays import fresh_search, with_longer_ring, with_longer_trail
from xwtui.engine.problem.problem import Problem
from xwtui.engine.problem.reasons import no_fill_exists, why_impossible
from xwtui.lazy import lazy_imports
from xwtui.model import Content, Position

with lazy_imports():
    from xwtui.engine.problem.no_fill import Reason

NODES_PER_SLICE = 1000
"""Nodes per slice if neither a node nor a time limit is given."""

_SECONDS_PER_CHUNK = 0.005
"""Approximate time that the kernel runs before the clock is checked."""

_FIRST_CHUNK = 64
_NO_LIMIT = 1 << 62

_FIRST_DECISIONS = 12
_LONG_SEARCH = 100_000

_OUTCOMES = {kernel.FILLED: Outcome.FILLED, kernel.IMPOSSIBLE: Outcome.IMPOSSIBLE}


def scores_of(problem: Problem, rows: Mapping[int, int]) -> list[int]:
    """Return the scores of the given rows, leaving out slots whose squares are all given."""
    given = problem.task.given.keys()
    return [
        problem.score(slot, row) for slot, row in rows.items() if not given >= {*problem.slots[slot].positions}
    ]


def run_kernel(network: Network, state: State, search: Search, last_node: int) -> tuple[int, State]:
    """Run the kernel up to a node, growing the trail whenever it is full; return the result and the state."""
    while (result := kernel.advance(network, state, search, last_node)) == kernel.TRAIL_FULL:
        state = with_longer_trail(state)
    return result, state


class Filler:
    """One complete search. The same seed and worker give the same search, regardless of slicing.

    Only one thread may use a filler at a time. Several fillers may share a problem and run in parallel.
    """

    def __init__(
        self,
        problem: Problem,
        *,
        seed: int = 0,
        trace: bool = False,
        worker: int = 0,
        settings: SearchSettings | None = None,
        ring: int | None = None,
        certify: bool = False,
    ) -> None:
        """Start at the propagated root; `worker` selects the random stream, and the settings if none are given.

        `ring` sets how many events the ring buffer keeps between two reads, if more than the default. With
        `certify` the search writes its `certificate`; this raises EngineError for a problem that the certificate
        checker does not support.
        """
        self.problem = problem
        self.outcome = Outcome.RUNNING if problem.root.is_possible else Outcome.IMPOSSIBLE
        self._proof: Reason | None = None
        """Why there is no fill, once a search has proved it."""
        self.is_traced = trace
        """Whether `advance` records events."""
        self._taken = self._reported = 0
        self._seconds = 0.0
        self.state = problem.new_state() if problem.root.is_possible else problem.root.state
        """The arrays that the search works on. Read them only while the search rests, and never modify them."""
        self.certificate = Certificate(problem) if certify else None
        if certify:
            ring = max(ring or 0, RING)
        if ring is not None and problem.root.is_possible:
            self.state = with_longer_ring(self.state, ring)
        settings = settings or WORKERS[worker % len(WORKERS)]
        self.search = fresh_search(problem.network, settings, seed, worker)
        """The arrays of decisions, weights and settings, under the same terms as `state`."""
        if problem.root.is_possible and problem.constraints.choices:
            self.state.control[states.EXCLUDES_WAYS] = settings.is_exhaustive
        may_be_tighter = any(each.fewest < each.most for each in problem.constraints.pairs)
        if may_be_tighter and problem.root.is_possible and settings.first_restart < NEVER:
            # The limit on differing pairs can be tightened, so every other run allows only the fewest.
            self.state.control[states.TIGHT], self.search.progress[deciding.HAS_ABANDONED] = states.IS_TIGHT, 1

    def record(self) -> None:
        if not self.is_traced:
            self.is_traced = True
            self._taken = self._reported = int(self.state.control[states.EVENT_COUNT])

    def advance(self, nodes: int | None = None, seconds: float | None = None) -> Outcome:
        """Continue for this many nodes or seconds, whichever comes first; 1000 nodes if neither is given."""
        if nodes is None and seconds is None:
            nodes = NODES_PER_SLICE
        self._watch(traced=self.is_traced, kinds=0, slot=-1)
        self._run(nodes, seconds)
        self._reported = int(self.state.control[states.EVENT_COUNT])
        if self.certificate is not None and not self.is_traced:
            self._taken = self._reported  # these were recorded only for the certificate
        return self.outcome

    def resume(self, nodes: int | None, is_over: Callable[[], bool]) -> Outcome:
        """Continue for this many nodes, or without a node limit, in slices; `is_over` is polled between slices."""
        last = None if nodes is None else int(self.search.progress[deciding.NODES]) + nodes
        while not self.outcome.is_final and not is_over():
            left = None if last is None else last - int(self.search.progress[deciding.NODES])
            if left is not None and left <= 0:
                break
            self.advance(nodes=left, seconds=SECONDS_PER_SLICE)
        return self.outcome

    def step(self) -> Event | None:
        """Run to the next event and stop there; return None if the search has ended."""
        return self.run_until(CODES)

    def run_until(
        self,
        kinds: Collection[EventKind] = (),
        *,
        slot: str | None = None,
        nodes: int | None = None,
        seconds: float | None = None,
    ) -> Event | None:
        """Run to the next event of these kinds or of this slot and stop there. The kernel never emits some kinds.

        Returns None if the search ended or the budget ran out first. Without a budget this may run for a long
        time.
        """
        number = -1 if slot is None else self.problem.slot_numbers[slot]
        stop_kinds = sum(1 << CODES[kind] for kind in kinds if kind in CODES)
        self._watch(traced=True, kinds=stop_kinds, slot=number)
        event = self._next_recorded(stop_kinds, number)
        if event is None:
            self._run(_NO_LIMIT if nodes is None else nodes, seconds)
            event = self._next_recorded(stop_kinds, number)
        return event

    def _next_recorded(self, kinds: int, slot: int) -> Event | None:
        """Return the next recorded event that matches; a single kernel step may have recorded several events."""
        for number in unread_events(self.state, self._reported):
            self._reported = number + 1
            row = self.state.events[number % len(self.state.events)].tolist()
            if kinds >> row[states.KIND] & 1 or (slot >= 0 and row[states.EVENT_SLOT] == slot):
                return event_of(self.problem.legend, row)
        return None

    def _watch(self, *, traced: bool, kinds: int, slot: int) -> None:
        """Set which events the kernel records and which make it pause."""
        control, traced = self.state.control, traced or self.certificate is not None
        control[states.TRACING], control[states.PAUSED] = traced, 0
        control[states.STOP_KINDS], control[states.STOP_SLOT] = kinds, slot

    def _run(self, nodes: int | None, seconds: float | None) -> None:
        """Run the kernel in chunks until the budget ends or it pauses at a requested event."""
        if self.outcome.is_final:
            return
        begin = now = perf_counter()
        progress = self.search.progress
        last = _NO_LIMIT if nodes is None else int(progress[deciding.NODES]) + nodes
        deadline = float("inf") if seconds is None else begin + seconds
        longest = _NO_LIMIT if self.certificate is None else NODES_PER_CHECK
        chunk = min(_FIRST_CHUNK if seconds is not None else _NO_LIMIT, longest)
        result = kernel.RUNNING
        while result == kernel.RUNNING and now < deadline and progress[deciding.NODES] < last:
            chunk_begin = now
            last_of_chunk = min(last, int(progress[deciding.NODES]) + chunk)
            result, self.state = run_kernel(self.problem.network, self.state, self.search, last_of_chunk)
            if self.certificate is not None:
                self.certificate.take(self.state)
            now = perf_counter()
            is_short = now - chunk_begin < _SECONDS_PER_CHUNK
            chunk = min(2 * chunk, longest) if is_short else max(chunk // 2, 1)
        self._seconds += now - begin
        self.outcome = _OUTCOMES.get(result, Outcome.RUNNING)
        if self.outcome is Outcome.IMPOSSIBLE:
            self._proof = no_fill_exists(self.problem, int(progress[deciding.NODES]))

    @property
    def reason(self) -> Reason | None:
        """Why no fill exists, once that is proved."""
        return self._proof or why_impossible(self.problem)

    @property
    def statistics(self) -> Statistics:
        """What the search has used so far."""
        progress, control = self.search.progress, self.state.control
        return Statistics(
            nodes=int(progress[deciding.NODES]),
            backtracks=int(progress[deciding.BACKTRACKS]),
            restarts=int(progress[deciding.RESTARTS]),
            depth=int(control[states.DEPTH]),
            deepest=int(progress[deciding.DEEPEST]),
            seconds_search=self._seconds,
        )

    @property
    def is_far_from_proof(self) -> bool:
        """Whether a search that no longer restarts has yet to refute any of its first twelve decisions.

        False during the first 100,000 nodes. Proofs that finish return to their first decisions in stages. The
        proof for the published 23.10 takes 1,665,312 nodes: it was back at the seventh decision after 40,000 nodes
        and at the fifth after 100,000.
        """
        progress, depth = self.search.progress, int(self.state.control[states.DEPTH])
        if (
            progress[deciding.NODES] < _LONG_SEARCH
            or progress[deciding.RESTART_AT] < deciding.NO_RESTART
            or depth < _FIRST_DECISIONS
        ):
            return False
        first = slice(_FIRST_DECISIONS)
        return not (self.search.denied[first].any() or self.search.refutations[first].any())

    @property
    def square_weights(self) -> NDArray[np.float64]:
        """Blame for dead ends so far of each square, in the network's order; 1 means none."""
        return self.search.weights[:-1]

    def current(self) -> Mapping[Position, Content]:
        """Return the squares decided by decisions and propagation so far; empty if the problem is impossible."""
        if self.outcome is Outcome.IMPOSSIBLE:
            return {}
        return self.problem.decided_squares(self.state)

    def fill(self) -> Mapping[Position, Content]:
        """Return the filled squares, with a selection those inside it; empty unless the outcome is FILLED."""
        if self.outcome is not Outcome.FILLED:
            return {}
        return self.problem.written(map(self.problem.symbols.content_of_mask.get, self.problem.masks(self.state)))

    def reject_fill(self) -> None:
        """Treat the fill that was found as a dead end, so that the search goes on to the next fill.

        Each fill comes up exactly once if the settings have no restarts and no backjumps. Either may revisit
        fills.
        """
        if self.outcome is Outcome.FILLED:
            self.search.progress[deciding.PHASE] = kernel.BACK_UP
            self.outcome = Outcome.RUNNING

    def decisions(self) -> tuple[Decision, ...]:
        """Return the decisions in force, in order; alternatives follow from propagation and are not kept."""
        made = self.search.decisions[: int(self.state.control[states.DEPTH])].tolist()
        return tuple(starmap(self._decision, made))

    def _decision(self, variable: int, value: int) -> Decision:
        problem, contents = self.problem, self.problem.symbols.contents
        if variable < 0:
            content = contents[value & SYMBOL_BITS]
            return Decision(None, problem.positions[~variable], str(content), (), (content,))
        codes = problem.tables[variable].symbols[value].tolist()
        word, held = problem.word(variable, value), tuple(contents[code] for code in codes)
        return Decision(problem.slots[variable].name, None, word, (), held)

    def answers(self) -> Mapping[str, str]:
        """Return the answer of each entry that has one row left."""
        if self.outcome is Outcome.IMPOSSIBLE:
            return {}
        problem = self.problem
        decided = problem.decided_rows(self.state)
        return {problem.slots[slot].name: problem.word(slot, row) for slot, row in decided}

    def domain_sizes(self) -> tuple[int, ...]:
        """Return each slot's current domain size, in rows."""
        return self.problem.domain_sizes(self.state)

    def take_recorded(self) -> RecordedEvents:
        """Return the events recorded since the last call, up to the last one reported; decoded when accessed.

        The kernel may already have recorded more; the next call returns those.
        """
        unread = unread_events(self.state, self._taken)
        reported = range(min(unread.start, self._reported), self._reported)
        missed = reported.start - self._taken
        self._taken = self._reported
        return RecordedEvents(self.problem.legend, rows_of(self.state, reported), missed)


# The state of the search before its next decision: which entry or square comes next, and why

_NO_CROSSING = 1e-6
"""As in kernels/search/decisions.py."""
_SYMBOLS = 64
_BEFORE_ALL = 1 << 62


def decision_report_of(filler: Filler) -> DecisionReport:
    """Describe the engine's state before its next decision; only the blame if no fill exists or all is decided.

    A decision for a constraint over the whole grid may come first. The ranking covers ordinary decisions only.
    """
    if filler.outcome.is_final:
        return DecisionReport(blame=blame_of(filler))
    by_squares = bool(filler.search.progress[deciding.BY_SQUARES])
    ranked = _squares(filler) if by_squares else _slots(filler)
    ranking = tuple(rank for _, rank in sorted(ranked, key=itemgetter(0))[:MOST])
    words = likely_words(filler, ranking[0].name) if ranking and not by_squares else ()
    return DecisionReport(ranking, words, blame_of(filler))


def blame_of(filler: Filler) -> Mapping[Position, float]:
    """Return each square's share of blame for dead ends so far: 1 for the most blamed square, 0 for no blame."""
    weights = filler.square_weights - 1.0
    most = float(weights.max(initial=0.0))
    shares = np.clip(weights / most, 0.0, 1.0) if most > 0 else np.zeros(len(weights))
    return dict(zip(filler.problem.positions, shares.tolist(), strict=True))


def _slots(filler: Filler) -> Iterator[tuple[float, Rank]]:
    """Yield the undecided slots by log(domain size) / total weight of open crossings; the lowest is next.

    The weight of a slot that has just failed is multiplied by the loyalty (kernels/search/decisions.py).
    """
    problem, network = filler.problem, filler.problem.network
    sizes, weights = problem.domain_sizes(filler.state), filler.square_weights.tolist()
    crossings, squares = network.places[:, CROSSING].tolist(), network.places[:, SQUARE].tolist()
    starts = network.slots[:, PLACES].tolist()
    conflict = int(filler.search.progress[deciding.CONFLICT])
    loyalty = filler.search.settings[deciding.LOYALTY] / deciding.UNIT
    for slot, size in enumerate(sizes):
        if size > 1 and problem.is_required[slot]:
            places = range(starts[slot], starts[slot + 1])
            open_places = (place for place in places if crossings[place] >= 0 and sizes[crossings[place]] > 1)
            weight = _NO_CROSSING + sum(weights[squares[place]] for place in open_places)
            times = loyalty if slot == conflict else 1.0
            value = _logarithm(size) / weight / times
            by = f"{weight:.1f}" if times == 1.0 else f"({weight:.1f} × {times:g})"
            yield value, Rank(problem.slots[slot].name, f"log({size:,})/{by} = {value:,.2f}")


def _logarithm(number: int) -> float:
    """Return the natural logarithm of an integer, computed as the kernel does."""
    doublings = max(number.bit_length() - 10, 0)
    return float(deciding.LOGARITHMS[number >> doublings] + doublings * deciding.LOG_TWO) / deciding.UNIT


def _squares(filler: Filler) -> Iterator[tuple[float, Rank]]:
    """Yield the open squares by domain size / weight; the lowest is next."""
    problem, weights = filler.problem, filler.square_weights.tolist()
    for square, mask in enumerate(problem.masks(filler.state)):
        if (size := mask.bit_count()) > 1:
            value = size / weights[square]
            yield value, Rank(str(problem.positions[square]), f"{size:,} / {weights[square]:.1f} = {value:,.1f}")


def likely_words(filler: Filler, entry: str, most: int = MOST) -> tuple[LikelyWord, ...]:
    """Return an entry's remaining words in the order in which the engine would try them, without randomness.

    Words rank by room and appeal (kernels/search/choose.py). Once the fullest partial fill is used, the entry's
    word there ranks above all others.
    """
    problem, slot = filler.problem, filler.problem.slot_numbers[entry]
    table, rows = problem.tables[slot], problem.rows_left(filler.state, slot)
    room = _room(filler, slot)
    settings, progress = filler.search.settings, filler.search.progress
    patience = int(settings[deciding.SCORE_PATIENCE])
    point = int(settings[deciding.SCORE_WEIGHT]) * patience // (patience + int(progress[deciding.BACKTRACKS]))
    roomy = room[np.arange(room.shape[0]), table.symbols[rows]].sum(axis=1)
    weights = roomy + point * table.appeals[rows].astype(np.int64)
    if (
        settings[deciding.FULLEST_FIRST]
        and progress[deciding.RESTARTS]
        and len(filler.answers()) <= progress[deciding.FULLEST]
    ):
        weights[rows == filler.search.fullest[slot]] = _BEFORE_ALL
    best = np.argsort(-weights, kind="stable")[:most].tolist()
    return tuple(
        LikelyWord(
            problem.word(slot, int(rows[place])),
            problem.score(slot, int(rows[place])),
            float(roomy[place]) / (deciding.UNIT * math.log(10)),
        )
        for place in best
    )


def _room(filler: Filler, slot: int) -> NDArray[np.int64]:
    """Return an array (places, symbols): the fixed-point logarithm of how many crossing words allow the symbol."""
    problem, network = filler.problem, filler.problem.network
    first, last = network.slots[slot : slot + 2, PLACES].tolist()
    masks, sizes = problem.masks(filler.state), problem.domain_sizes(filler.state)
    room = np.zeros((last - first, _SYMBOLS), np.int64)
    for place in range(first, last):
        other = int(network.places[place, CROSSING])
        is_open = masks[int(network.places[place, SQUARE])].bit_count() > 1
        if other >= 0 and is_open and sizes[other] > 1:
            index = int(network.places[place, INDEX])
            symbols = problem.tables[other].symbols[problem.rows_left(filler.state, other), index]
            counts = np.maximum(np.bincount(symbols, minlength=_SYMBOLS), 1)
            room[place - first] = np.rint(np.log(counts) * deciding.UNIT)
    return room

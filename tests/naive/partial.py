"""Naive twins of partial fills, the improver and repairs: validity, and optima by exhaustive search."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import count

from tests.known import known
from tests.naive.agreeing import TooManyTriesError
from tests.naive.engine import Words, given_content, naive_fills, read_answer
from tests.naive.rules import Case, Square, given, obeys_all, slot_rows
from tests.ruled import Ruled
from xwtui.engine.improve.improvement import Aim, Objective
from xwtui.model import Content, Direction, Grid, Position, Slot

Squares = Mapping[Position, Content]
Rows = Sequence[tuple[str, tuple[Content, ...]]]


def asked_slots(case: Case) -> list[Slot]:
    """Return the entries to be filled."""
    return [
        slot for slot in case.grid.slots if case.selection is None or not case.selection.isdisjoint(slot.positions)
    ]


def given_squares(case: Case) -> dict[Position, Content]:
    """Return the given contents of squares in the requested entries."""
    positions = {position for slot in asked_slots(case) for position in slot.positions}
    return {position: content for position in positions if (content := given(case, position))}


def is_whole_given(case: Case, slot: Slot) -> bool:
    """Whether every square of an entry is given."""
    return all(given(case, position) for position in slot.positions)


def has_equal_given(case: Case) -> bool:
    """Whether two entries are given the same answer although answers must differ."""
    whole = [slot for slot in asked_slots(case) if is_whole_given(case, slot)]
    answers = ["".join(known(given(case, at)).reading(slot.direction) for at in slot.positions) for slot in whole]
    return not case.allow_repeats and len(set(answers)) < len(answers)


def of_a_part(case: Case) -> Case:
    """Return the case without requirements on complete fills: minimum numbers, and symmetry."""
    rules = Ruled.of(case.rules)
    placings = tuple(replace(placing, least=0, symmetric=False, each=False) for placing in rules.placings)
    return replace(case, rules=replace(rules, wanted_least=0, letters="", placings=placings).rules())


def check_partial(case: Case, squares: Squares, answers: Mapping[str, str]) -> None:
    """Check a partial fill: entries are allowed and different, given squares kept, no square filled needlessly."""
    kept = given_squares(case)
    assert {position: squares.get(position) for position in kept} == kept
    whole = [slot for slot in case.grid.slots if all(position in squares for position in slot.positions)]
    spelled = {slot.name: "".join(squares[at].reading(slot.direction) for at in slot.positions) for slot in whole}
    assert dict(answers) == spelled
    assert squares.keys() == kept.keys() | {position for slot in whole for position in slot.positions}
    for slot in whole:
        row = (spelled[slot.name], tuple(squares[at] for at in slot.positions))
        assert row in slot_rows(case, slot), f"{slot.name} may not be {row}"
        if not is_whole_given(case, slot) and not case.allow_repeats:
            others = [spelled[other.name] for other in whole if other != slot]
            assert spelled[slot.name] not in others, f"{spelled[slot.name]} is repeated"
    assert obeys_all(of_a_part(case), {(at, None): content for at, content in squares.items()}, spelled)


def naive_most_filled(case: Case, *, most_tries: int = 1 << 62) -> int:
    """Return the most squares of any partial fill, including given ones; raises TooManyTriesError."""
    kept = given_squares(case)
    slots = [slot for slot in case.grid.slots if not is_whole_given(case, slot)]
    options = sorted(((slot, slot_rows(case, slot)) for slot in slots), key=lambda option: len(option[1]))
    whole = [slot for slot in case.grid.slots if is_whole_given(case, slot)]
    answers = {slot.name: "".join(kept[at].reading(slot.direction) for at in slot.positions) for slot in whole}
    return _Brute(of_a_part(case), most_tries).most(options, kept, (), answers)


class _Brute:
    """Tries every word and no word for each entry in turn."""

    def __init__(self, case: Case, most_tries: int) -> None:
        self._case = case
        self._most_tries = most_tries
        self._tries = count()

    def most(
        self,
        options: Sequence[tuple[Slot, Rows]],
        squares: Squares,
        left_open: tuple[Slot, ...],
        answers: Mapping[str, str],
    ) -> int:
        if next(self._tries) > self._most_tries:
            raise TooManyTriesError
        if any(all(position in squares for position in slot.positions) for slot in left_open):
            return -1
        if not options:
            held: dict[Square, Content] = {(at, None): content for at, content in squares.items()}
            return len(squares) if obeys_all(self._case, held, answers) else -1
        (slot, rows), *rest = options
        best = self.most(rest, squares, (*left_open, slot), answers)
        for word, way in rows:
            placed = dict(zip(slot.positions, way, strict=True))
            agrees = all(squares.get(position, content) == content for position, content in placed.items())
            if agrees and (self._case.allow_repeats or word not in answers.values()):
                now = {**answers, slot.name: word}
                best = max(best, self.most(rest, {**squares, **placed}, left_open, now))
        return best


def naive_scores(grid: Grid, squares: Mapping[Position, Content], words: Words) -> list[int]:
    """Return the scores of entries that are not given whole."""
    return [
        words.get(read_answer(squares, slot), 0)
        for slot in grid.slots
        if not all(given_content(grid, position) for position in slot.positions)
    ]


def naive_value(grid: Grid, squares: Mapping[Position, Content], words: Words, objective: Objective) -> float:
    """Return the value of a fill in the objective's unit."""
    scores = naive_scores(grid, squares, words)
    letters = {at: letters_read(grid, at, content) for at, content in squares.items()}
    match objective.aim:
        case Aim.MEAN:
            return sum(scores) / len(scores) if scores else 0.0
        case Aim.LOWEST:
            return min(scores, default=100)
        case Aim.FLATTENED:
            flat = [100 * (score / 100) ** objective.exponent for score in scores]
            return sum(flat) / len(flat) if flat else 0.0
        case Aim.FEWER_BELOW:
            return sum(score < objective.mark for score in scores)
        case Aim.FRESH:
            return len(set("".join(letters.values())) & set(objective.letters))
        case Aim.AVOID:
            unwanted = set(objective.letters)
            return sum(bool(set(read) & unwanted) for read in letters.values())


def letters_read(grid: Grid, position: Position, content: Content) -> str:
    """Return the letters that entries read at a square; a reading without an entry does not count."""
    return "".join(content.reading(way) for way in Direction if grid.slot_at(position, way) is not None)


def naive_rank(
    grid: Grid, squares: Mapping[Position, Content], words: Words, objective: Objective
) -> tuple[float, ...]:
    """Return the sort key of fills, higher is better: the value, then tie-breakers."""
    scores = naive_scores(grid, squares, words)
    value = naive_value(grid, squares, words, objective)
    first = value if objective.higher_is_better else -value
    ties = () if objective.aim is Aim.FLATTENED else (sum(scores),)
    return (round(first, 5), *ties)


def naive_best(grid: Grid, words: Words, objective: Objective) -> dict[Position, Content] | None:
    """Return a best fill of all fills, or None."""
    fills = naive_fills(grid, words)
    return max(fills, key=lambda fill: naive_rank(grid, fill, words, objective), default=None)


Cost = tuple[int, int, float]
"""Changed squares, then minus the lowest changed score (for swaps, else 0), then minus the mean score."""


def naive_changed_scores(
    grid: Grid, standing: Squares, fill: Squares, words: Words, entry: str = ""
) -> dict[str, int]:
    """Return the score of each entry whose squares change, and of the requested entry."""
    return {
        slot.name: words.get(read_answer(fill, slot), 0)
        for slot in grid.slots
        if slot.name == entry or any(standing.get(at, fill[at]) != fill[at] for at in slot.positions)
    }


def naive_cost(grid: Grid, standing: Squares, fill: Squares, words: Words, entry: str = "") -> Cost:
    """Return the cost of a fill, as a swap of `entry` if given; filling empty squares costs nothing."""
    scores = naive_scores(grid, fill, words)
    changed = sum(standing.get(at, content) != content for at, content in fill.items())
    lowest = min(naive_changed_scores(grid, standing, fill, words, entry).values()) if entry else 0
    return changed, -lowest, -round(sum(scores) / len(scores) if scores else 0.0, 6)


def naive_repair(grid: Grid, standing: Squares, words: Words) -> Cost | None:
    """Return the cost of the smallest change, or None without a fill."""
    return min((naive_cost(grid, standing, fill, words) for fill in naive_fills(grid, words)), default=None)


def naive_swaps(
    grid: Grid, standing: Squares, words: Words, entry: str, least_changed: int = 0
) -> dict[str, Cost]:
    """Return the cost of the smallest change for each other answer of an entry.

    No other changed answer may score less than `least_changed`.
    """
    slot = grid.slots_by_name[entry]
    here = read_answer(standing, slot) if all(at in standing for at in slot.positions) else None
    costs: dict[str, Cost] = {}
    for fill in naive_fills(grid, words):
        answer, cost = read_answer(fill, slot), naive_cost(grid, standing, fill, words, entry)
        changed = naive_changed_scores(grid, standing, fill, words)
        if answer != here and all(score >= least_changed for score in changed.values()):
            costs[answer] = min(costs.get(answer, cost), cost)
    return costs


def naive_rejection(
    grid: Grid, standing: Squares, words: Words, entry: str, good: int, least_changed: int
) -> Cost | None:
    """Return the cost of the swap that a rejection makes in a full grid, or None.

    Within twice the squares of the smallest change, it is the first swap whose changed answers are all good
    enough, else the first whose own word is, else the smallest.
    """
    every = naive_swaps(grid, standing, words, entry)
    most = 2 * min((squares for squares, *_ in every.values()), default=0)
    kept = naive_swaps(grid, standing, words, entry, least_changed)
    for swaps, least in ((kept, good), (every, good), (every, 0)):
        near = [cost for word, cost in swaps.items() if words[word] >= least and cost[0] <= most]
        if near:
            return min(near)
    return None

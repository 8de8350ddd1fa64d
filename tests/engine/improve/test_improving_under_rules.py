"""The improver under a constructor's rules: among all fills that obey them, it finds the best."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from random import Random

from hypothesis import assume, given
from hypothesis import strategies as st

from tests.engine.problem.rule_cases import local_case, placing_case, problem_of, whole_grid_case
from tests.examples import examples
from tests.known import known
from tests.naive.partial import asked_slots, given_squares, is_whole_given
from tests.naive.rules import Case, TooManyTriesError, fills
from tests.ruled import Ruled, asked
from xwtui.engine.events.event import Outcome
from xwtui.engine.fill.filler import Filler
from xwtui.engine.improve.improvement import Objective
from xwtui.engine.improve.improver import improve

MOST_TRIES = 4_000
"""Words that the naive twin tries for a case; longer ones are passed over."""


def naive_rank(case: Case, answers: Mapping[str, str], objective: Objective) -> tuple[int, ...]:
    """What fills are compared by: the total score, or the lowest one first."""
    scores = []
    for slot in case.grid.slots:
        rule = case.rules.entries.get((slot.start, slot.direction), asked())
        words = case.own_lists[rule.word_list] if rule.word_list else case.words
        if not is_whole_given(case, slot):
            scores.append(words.get(answers[slot.name], 0))
    if objective == Objective():
        return (sum(scores),)
    return min(scores, default=100), sum(scores)


def with_listed_wishes(case: Case) -> Case:
    """The case with those wanted words alone that its list scores."""
    rules = Ruled.of(case.rules)
    wanted = tuple(word for word in rules.wanted if word in case.words)
    wishes = replace(rules, wanted=wanted, wanted_least=min(rules.wanted_least, len(wanted)))
    return replace(case, rules=wishes.rules())


@examples(100)
@given(
    st.integers(0, 1 << 32),
    st.sampled_from([local_case, placing_case, whole_grid_case]),
    st.sampled_from([Objective(), Objective.lowest()]),
)
def test_the_best_fill_under_rules_is_found(
    seed: int, make: Callable[[Random], Case], objective: Objective
) -> None:
    rng = Random(seed)
    case = with_listed_wishes(make(rng))
    with suppress(TooManyTriesError):
        found = list(fills(case, most_tries=MOST_TRIES))
        assume(found)
        squares, answers = rng.choice(found)
        start = {at: content for (at, side), content in squares.items() if side is None}
        result = improve(problem_of(case), start, objective=objective, rounds=3000)
        assert result.outcome is Outcome.FILLED
        assert result.best is not None
        best = frozenset(result.best.squares.items())
        legal = [{(at, held) for (at, side), held in each.items() if side is None} for each, _ in found]
        assert best in legal
        ranks = [naive_rank(case, each, objective) for _, each in found]
        assert naive_rank(case, result.best.answers, objective) == max(ranks)
        if not case.holes:
            assert known(result.first).answers == answers


@examples(60)
@given(st.integers(0, 1 << 32), st.sampled_from([local_case, placing_case]))
def test_a_selection_alone_is_improved(seed: int, make: Callable[[Random], Case]) -> None:
    rng = Random(seed)
    case = make(rng)
    chosen = frozenset(at for at in case.grid.open_positions() if rng.random() < 0.5)
    selected = replace(case, selection=chosen, holes=frozenset())
    problem = problem_of(selected)
    filler = Filler(problem, seed=1)
    assume(filler.advance(nodes=10_000) is Outcome.FILLED)
    result = improve(problem, filler.fill(), rounds=200)
    assert result.best is not None
    assert result.best.squares.keys() == filler.fill().keys() <= chosen
    known = chosen | given_squares(selected).keys()
    is_complete = all(known.issuperset(slot.positions) for slot in asked_slots(selected))
    assert result.first is not None or not is_complete
    assert result.kept[0].squares == filler.fill()
    assert result.best.value >= result.kept[0].value

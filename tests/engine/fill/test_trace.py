"""Trace events report the search in order; certificates that there is no fill are checked by brute force."""

from itertools import product
from random import Random
from weakref import ref

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.check_proof import Board, check, follow
from tests.engine.fill.test_filler import BY_SQUARES, BY_WORDS
from tests.engine.small_problems import (
    HARD_GRID,
    HARD_WORDS,
    LETTERS,
    lexicon_of,
    problem_of,
    small_grids,
    word_lists,
)
from tests.examples import examples
from tests.known import known
from tests.naive.engine import naive_fills
from tests.published_data import BENCH_DATA, published_lexicon
from tests.ruled import ruled
from xwtui.engine.events.event import Event, EventKind, Outcome
from xwtui.engine.fill.filler import Filler
from xwtui.engine.fill.recorded import CODES
from xwtui.engine.fill.search_settings import Branching, SearchSettings
from xwtui.engine.problem import tables
from xwtui.engine.problem.problem import Problem
from xwtui.errors import EngineError
from xwtui.formats.grid_text import grid_from_text, grid_to_text
from xwtui.model import Bar, Content, Grid, Ink, Position, Square
from xwtui.model.rules import Rules
from xwtui.session.recording import without_pencil


def all_events(filler: Filler) -> list[Event]:
    """Return every event up to the end of the search, one step at a time."""
    events = []
    while (event := filler.step()) is not None:
        events.append(event)
    return events


def test_recorded_events_do_not_keep_the_problem_alive() -> None:
    """A screen may still show them when the problem has other rules."""
    problem = problem_of(grid_from_text("...\n###\n###"), {"CAB": 50, "ACE": 60})
    filler = Filler(problem, trace=True)
    filler.advance(nodes=10)
    recorded = filler.take_recorded()
    gone = ref(problem.joined), ref(problem.network.supports), ref(problem.root.state)
    del problem, filler
    tables.joined_last.clear()
    assert [each() for each in gone] == [None] * 3
    assert "ACE" in {event.word for event in recorded.latest(10)}


@examples(60)
@given(small_grids(4), word_lists(4), st.integers(0, 3))
def test_a_traced_search_is_unchanged_and_reports_the_same_events_as_steps(
    grid: Grid, words: dict[str, int], seed: int
) -> None:
    problem = problem_of(grid, words)
    traced = Filler(problem, seed=seed, trace=True)
    traced.advance(nodes=10_000)
    stepped = Filler(problem, seed=seed)
    plain = Filler(problem, seed=seed)
    plain.advance(nodes=10_000)
    assert traced.take_recorded().latest(10_000) == all_events(stepped)
    assert traced.take_recorded().latest(10_000) == []
    assert plain.take_recorded().latest(10_000) == []
    assert traced.outcome is stepped.outcome is plain.outcome
    assert traced.fill() == stepped.fill() == plain.fill()


def decision_of(event: Event) -> tuple[str, str]:
    """Return the subject and value of a decision: an entry and word, or a square and content."""
    if event.slot is not None and event.word is not None:
        return event.slot, event.word
    (content,) = event.wanted
    return str(event.crossing), content


def test_decisions_are_reported_and_undone_in_order() -> None:
    problem = problem_of(HARD_GRID, HARD_WORDS)
    for seed, search_settings in product(range(4), (BY_WORDS, BY_SQUARES)):
        decisions: list[tuple[str, str]] = []
        for event in all_events(Filler(problem, seed=seed, settings=search_settings)):
            match event.kind:
                case EventKind.DECIDE:
                    decisions.append(decision_of(event))
                    assert (event.slot is None) == (search_settings is BY_SQUARES)
                    assert event.before > event.after == 1
                case EventKind.BACKTRACK:
                    assert decisions.pop() == decision_of(event)
                    assert event.other == (decisions[-1][0] if decisions else None)
                    assert event.after == event.before - 1
                case EventKind.JUMP:
                    assert decisions.pop() == decision_of(event)
                case EventKind.RESTART:
                    assert event.before == len(decisions)
                    decisions.clear()
            assert event.depth == len(decisions) or event.kind is EventKind.RESTART


def test_event_counts_match_the_statistics() -> None:
    problem = problem_of(HARD_GRID, HARD_WORDS)
    for seed, search_settings in product(range(4), (BY_WORDS, BY_SQUARES)):
        filler = Filler(problem, seed=seed, settings=search_settings)
        while (event := filler.step()) is not None:
            assert event.depth == filler.statistics.depth or event.kind is EventKind.RESTART
            assert event.describe()
            match event.kind:
                case EventKind.PRUNE:
                    assert event.before > event.after > 0
                    assert filler.domain_sizes()[problem.slot_numbers[event.slot or ""]] <= event.before
                case EventKind.CLAIM:
                    assert 0 < event.before < len(problem.slots)
                    assert event.word
                case EventKind.WIPE_OUT:
                    assert event.after == 0
                    if event.crossing is not None:
                        mask = problem.masks(filler.state)[problem.positions.index(event.crossing)]
                        left = {str(content) for content in problem.symbols.in_mask(mask)}
                        assert event.wanted
                        assert left.isdisjoint(event.wanted)
                case EventKind.SOLVED:
                    assert filler.outcome is Outcome.FILLED


def test_run_until_stops_at_the_requested_event() -> None:
    problem = problem_of(HARD_GRID, HARD_WORDS)
    stepped = all_events(Filler(problem, seed=2))
    kinds = [event.kind for event in stepped]
    jumping = Filler(problem, seed=2)
    expected = [event for event in stepped if event.kind is EventKind.BACKTRACK]
    found = []
    while (event := jumping.run_until([EventKind.BACKTRACK])) is not None:
        found.append(event)
    assert found == expected
    assert kinds[-1] in (EventKind.SOLVED, EventKind.IMPOSSIBLE)
    by_slot = Filler(problem, seed=2)
    of_slot = []
    while (event := by_slot.run_until(slot="4D")) is not None:
        of_slot.append(event)
    assert of_slot == [event for event in stepped if event.slot == "4D"]


def test_run_until_respects_its_budget() -> None:
    filler = Filler(problem_of(HARD_GRID, HARD_WORDS), seed=2)
    assert filler.run_until([EventKind.SOLVED], nodes=1) is None or filler.outcome is Outcome.FILLED
    assert filler.statistics.nodes <= 1


def test_event_descriptions_use_terms_of_constructors() -> None:
    at = Position(4, 2)
    told = {
        Event(EventKind.DECIDE, 1, "17A", "SWEETHEART", None, 31, 1): "decide 17A = SWEETHEART, 31 options",
        Event(EventKind.PRUNE, 1, "9D", None, at, 1210, 1): "prune 9D: 1,210 to 1 option, through r5c3",
        Event(EventKind.CLAIM, 1, "9D", "ERA", None, 12): "9D has ERA: 12 other entries can no longer take it",
        Event(EventKind.CLAIM, 1, "9D", "ERA", None, 1): "9D has ERA: 1 other entry can no longer take it",
        Event(EventKind.PRUNE, 1, "9D", "ERA", None, 3, 2): "prune 9D: 3 to 2 options, without ERA",
        Event(EventKind.WIPE_OUT, 1, "9D", None, at, 3, 0, "7A", ("E", "[HEART]")): (
            "9D has no options left: r5c3 allows none of E, [HEART]"
        ),
        Event(EventKind.WIPE_OUT, 1, "9D", "ERA", None, 1, 0, "5D"): "9D has no options left: 5D has ERA",
        Event(EventKind.WIPE_OUT, 1, "9D", "ERA", None, 1, 0): "9D has no options left without ERA",
        Event(EventKind.BACKTRACK, 1, "31A", "AXLE", None, 4, 3, "22D"): (
            "backtrack from 31A to 22D: 31A is not AXLE, 3 options left there"
        ),
        Event(EventKind.BACKTRACK, 0, "31A", "AXLE", None, 2, 1): (
            "backtrack from 31A to the start: 31A is not AXLE, 1 option left there"
        ),
        Event(EventKind.DECIDE, 1, crossing=at, before=12, after=1, wanted=("E",)): "decide r5c3 = E, 12 options",
        Event(EventKind.BACKTRACK, 1, crossing=at, before=12, after=11, other="r5c4", wanted=("[HEART]",)): (
            "backtrack from r5c3 to r5c4: r5c3 is not [HEART], 11 options left there"
        ),
        Event(EventKind.JUMP, 1, "31A", "AXLE"): "jump back over 31A = AXLE: the dead end does not depend on it",
        Event(EventKind.JUMP, 1, "31A", "AXLE", before=3): "leave 31A = AXLE: 3 others failed there",
        Event(EventKind.RESTART, 12, before=12): "restart from depth 12",
        Event(EventKind.SOLVED, 12): "solved: every entry has its word",
        Event(EventKind.IMPOSSIBLE, 0): "impossible: no fill exists",
    }
    for event, text in told.items():
        assert event.describe() == text


def test_a_wipe_out_names_the_entrys_pattern() -> None:
    words = dict.fromkeys(["AAA", "AAB", "ABA", "BBB", "BAC", "CCC", "CAB"], 50)
    problem = problem_of(grid_from_text("...\n...\n...\n"), words)
    events = [event for seed in range(5) for event in all_events(Filler(problem, seed=seed))]
    wipe_outs = [event for event in events if event.kind is EventKind.WIPE_OUT and event.crossing]
    assert all(set(event.wanted) <= set("ABC") and event.other for event in wipe_outs)


def test_each_event_kind_has_its_own_code() -> None:
    """Otherwise one kind would be decoded as another."""
    assert len(set(CODES.values())) == len(CODES)
    assert set(EventKind) - CODES.keys() == {EventKind.ARGUE}


def test_removals_by_constraints_are_reported_as_such() -> None:
    """Removals by a grid rule name the rule."""
    rng = Random(1)
    words = {"".join(rng.choices("ABC", k=4)): 50 for _ in range(60)}
    rules = ruled(shared_substring=3, letters="C")
    filler = Filler(Problem.build(Grid.blank(4, 4), lexicon_of(words), rules=rules), trace=True)
    while not filler.outcome.is_final:
        filler.advance(nodes=10)
    told = [event for event in filler.take_recorded().latest(10_000) if event.constraint]
    assert {event.kind for event in told} == {EventKind.CONSTRAINT}


settings = st.builds(
    SearchSettings,
    branching=st.sampled_from(Branching),
    first_restart=st.sampled_from([1, 5, 400]),
    first_turn=st.sampled_from([1, 1000]),
    breadth=st.sampled_from([0, 1, 2]),
    backjump=st.booleans(),
    noise=st.sampled_from([0.2, 3.0]),
)


def certificate_of(problem: Problem, search_settings: SearchSettings | None = None) -> str | None:
    """Search to the end, and return the certificate if there is no fill."""
    filler = Filler(problem, certify=True, settings=search_settings)
    while not filler.outcome.is_final:
        filler.advance()
    return known(filler.certificate).text("a test") if filler.outcome is Outcome.IMPOSSIBLE else None


def texts(grid: Grid, words: dict[str, int]) -> tuple[str, str]:
    """Return a grid and its words as file text."""
    return grid_to_text(without_pencil(grid)), "\n".join(f"{word};{score}" for word, score in words.items())


@given(small_grids(rebuses=False), word_lists(), st.booleans(), settings)
def test_a_certificate_is_accepted_if_and_only_if_there_is_no_fill(
    grid: Grid, words: dict[str, int], allow_repeats: bool, search_settings: SearchSettings
) -> None:
    problem = Problem.build(grid, lexicon_of(words), allow_repeats=allow_repeats)
    certificate = certificate_of(problem, search_settings)
    has_fill = next(naive_fills(grid, words, allow_repeats=allow_repeats), None) is not None
    assert (certificate is None) is has_fill
    if certificate is not None:
        assert check(*texts(grid, words), certificate.splitlines()) >= 1


LONG = [
    *("AAB", "AAC", "ABA", "ABC", "ACB", "BAA", "BAC", "BBA", "BBC", "BCA", "BCB", "CAA", "CAB", "CBA", "CBB"),
    *("CCA", "ACA", "BCC", "AABB", "ABCA", "BACB", "CCAB", "BCAA", "ABAC", "CABC", "ACCB", "BBCA"),
]
"""Words with which `OPEN` has no fill, as takes some search to prove."""
REFUSED = "something is left|was over before|is cut off|there is no"
OPEN = grid_from_text("....\n....\n....\n...#")


def searched(words: list[str]) -> tuple[list[str], list[str]]:
    """Return the header and steps of a proof by branching on squares."""
    problem = Problem.build(OPEN, lexicon_of(dict.fromkeys(words, 50)))
    certificate = known(certificate_of(problem, SearchSettings(branching=Branching.ON_SQUARES, backjump=False)))
    lines = certificate.splitlines()
    start = lines.index("steps") + 1
    return lines[:start], lines[start:]


def test_no_step_can_be_omitted_or_truncated() -> None:
    head, steps = searched(LONG)
    assert len(steps) > 10
    given_texts = texts(OPEN, dict.fromkeys(LONG, 50))
    assert check(*given_texts, head + steps) == steps.count("-")
    for number, step in enumerate(steps):
        with pytest.raises(ValueError, match=REFUSED):
            check(*given_texts, [*head, *steps[:number], *steps[number + 1 :]])
        with pytest.raises(ValueError, match=REFUSED):
            check(*given_texts, [*head, *steps[:number]])
        # a leaf of the first branch, after which the second branch is needed
        if step != "-" and steps[number + 1] != "-":
            with pytest.raises(ValueError, match="something is left"):
                check(*given_texts, [*head, *steps[: number + 1], "-", *steps[after(steps, number + 1) :]])


def after(steps: list[str], start: int) -> int:
    """Return the index at which the subproof that starts at a step ends."""
    open_branches = 1
    while open_branches:
        open_branches += -1 if steps[start] == "-" else 1
        start += 1
    return start


def test_a_proof_is_for_one_grid_and_one_list() -> None:
    head, steps = searched(LONG)
    grid, words = texts(OPEN, dict.fromkeys(LONG, 50))
    with pytest.raises(ValueError, match="another grid"):
        check(grid.replace("....", "...A", 1), words, head + steps)
    with pytest.raises(ValueError, match="other words"):
        check(grid, words + "\nZZZ", head + steps)
    with pytest.raises(ValueError, match="over before"):
        check(grid, words, [*head, *steps, "-"])
    with pytest.raises(ValueError, match="there is no 99A"):
        check(grid, words, [*head, "99A ABC", *steps])


@given(small_grids(4, rebuses=False), word_lists(4), st.data())
def test_no_proof_is_accepted_if_there_is_a_fill(grid: Grid, words: dict[str, int], data: st.DataObject) -> None:
    if next(naive_fills(grid, words), None) is None:
        return
    squares = st.builds(
        "r{}c{} {}".format, st.integers(1, grid.height), st.integers(1, grid.width), st.sampled_from(LETTERS)
    )
    entries = st.builds(
        "{} {}".format,
        st.sampled_from([slot.name for slot in grid.slots] or ["1A"]),
        st.sampled_from(sorted(words)),
    )
    steps = data.draw(st.lists(st.sampled_from(["-", "-"]) | squares | entries, max_size=12))
    board = Board(texts(grid, words)[0].split("\n"), sorted(words), may_repeat=False)
    with pytest.raises(ValueError, match=REFUSED):
        follow(board, [*steps, *["-"] * 13])


@pytest.mark.parametrize(
    ("grid", "rules", "selection", "what"),
    [
        (OPEN, Rules(squares={Position(0, 0): (Content.of("A"),)}), None, "rules"),
        (OPEN, None, {Position(0, 0)}, "part of a grid"),
        (OPEN.with_bars([Bar.between(Position(0, 0), Position(0, 1))]), None, None, "bars"),
        (
            OPEN.with_squares({Position(0, 0): Square(content=Content.of("AB"), ink=Ink.PEN)}),
            None,
            None,
            "rebus squares",
        ),
    ],
)
def test_unsupported_proofs_are_refused(
    grid: Grid, rules: Rules | None, selection: set[Position] | None, what: str
) -> None:
    problem = Problem.build(grid, lexicon_of({"AAB": 50, "AABB": 50}), rules=rules, selection=selection)
    with pytest.raises(EngineError, match=f"cannot cover {what}"):
        Filler(problem, certify=True)


def test_the_published_grid_without_a_fill_is_proved() -> None:
    lexicon = published_lexicon("dicts/words.txt")
    grid = (BENCH_DATA / "grids" / "23.01.txt").read_text()
    certificate = known(certificate_of(Problem.build(grid_from_text(grid), lexicon)))
    words = (BENCH_DATA / "dicts" / "words.txt").read_text()
    assert check(grid, words, certificate.splitlines()) == 1

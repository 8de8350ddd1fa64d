"""Linked lights and other alphabets compared with naive twins: fills, counts, candidates, repairs, conflicts."""

from collections.abc import Mapping, Sequence
from itertools import permutations
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.small_problems import LETTERS, candidates_left, lexicon_of, problem_of, small_grids
from tests.examples import examples
from tests.naive.engine import naive_fills, naive_paths
from xwtui.engine.budget import Budget
from xwtui.engine.candidates.estimate import CandidateStanding
from xwtui.engine.candidates.find import candidates
from xwtui.engine.count.exact import exact_count
from xwtui.engine.events.event import Outcome
from xwtui.engine.explain.explain import explain
from xwtui.engine.explain.explanation import Answer
from xwtui.engine.fill.filler import Filler
from xwtui.engine.fill.partial import partial_fill
from xwtui.engine.fill.search_settings import WORKERS, SearchSettings
from xwtui.engine.improve.improver import improve
from xwtui.engine.problem.problem import Problem
from xwtui.engine.problem.symbols import Symbols, plain_symbols
from xwtui.engine.problem.task import Task
from xwtui.engine.repair.repair import repair
from xwtui.errors import EngineError
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Content, Grid, Position
from xwtui.model.alphabet import ENGLISH, Alphabet
from xwtui.model.grid import MOST_LINKED
from xwtui.strategies.board import Board
from xwtui.strategies.registry import StrategyChoice
from xwtui.words.alphabets import alphabet_names, find_alphabet
from xwtui.words.lexicon import Lexicon
from xwtui.words.word_list import WordList


class Linked(NamedTuple):
    """A grid with linked lights, words that fill it in a few ways, and those fills."""

    grid: Grid
    words: dict[str, int]
    fills: list[dict[Position, Content]]


@st.composite
def linked_cases(draw: st.DrawFn, *, rebuses: bool = True) -> Linked:
    """Small grids with linked lights, which may cross each other."""
    grid = draw(small_grids(4, rebuses=rebuses))
    rng = Random(draw(st.integers(0, 2**32)))
    lights = rng.sample(grid.slots, min(len(grid.slots), rng.choice((2, 2, 3, 4))))
    links = [lights[:2], lights[2:]] if len(lights) == 4 else [lights]
    grid = grid.with_links(tuple(light.key for light in link) for link in links if len(link) > 1)
    words: dict[str, int] = {}
    for _ in range(rng.randint(1, 3)):
        drawn = {at: grid[at].content or Content.of(rng.choice(LETTERS)) for at in grid.open_positions()}
        for path in naive_paths(grid).values():
            words["".join(drawn[at].reading(way) for at, way in path)] = rng.randint(0, 100)
    for _ in range(rng.randint(0, 20)):
        words["".join(rng.choices(LETTERS, k=rng.randint(2, 8)))] = rng.randint(0, 100)
    return Linked(grid, words, list(naive_fills(grid, words)))


def answers_of(case: Linked, fill: Mapping[Position, Content]) -> dict[str, str]:
    """Return the answers of a fill by entry name."""
    paths = naive_paths(case.grid)
    return {name: "".join(fill[at].reading(way) for at, way in path) for name, path in paths.items()}


@examples(200)
@given(linked_cases(), st.integers(0, 5), st.sampled_from(WORKERS))
def test_fills_match_the_naive_twin(case: Linked, seed: int, worker: SearchSettings) -> None:
    problem = problem_of(case.grid, case.words)
    filler = Filler(problem, seed=seed, settings=worker)
    assert filler.advance(nodes=1_000_000) is (Outcome.FILLED if case.fills else Outcome.IMPOSSIBLE)
    if case.fills:
        assert filler.fill() in case.fills
        assert dict(filler.answers()) == answers_of(case, filler.fill())
    else:
        assert filler.reason


@examples(150)
@given(linked_cases())
def test_counts_match_the_naive_twin(case: Linked) -> None:
    problem = problem_of(case.grid, case.words)
    assert exact_count(problem).count == len(case.fills)


@examples(60)
@given(linked_cases(rebuses=False), st.data())
def test_candidates_are_whole_answers(case: Linked, data: st.DataObject) -> None:
    problem = problem_of(case.grid, case.words)
    joined = [slot for slot in problem.slots if slot.lights]
    if not joined:
        return
    entry = data.draw(st.sampled_from(joined)).name
    fillable = {answers_of(case, fill)[entry] for fill in case.fills}
    for one in candidates(problem, entry, in_view=lambda: list(case.words), prove=True):
        assert (one.standing is CandidateStanding.PROVED) == (one.word in fillable)
        assert one.fill is None or (one.fill in case.fills and answers_of(case, one.fill)[entry] == one.word)


@examples(60)
@given(linked_cases(rebuses=False), st.integers(0, 3))
def test_the_best_fill_is_found_and_proved(case: Linked, seed: int) -> None:
    if not case.fills or not naive_paths(case.grid):
        return
    problem = problem_of(case.grid, case.words)
    start = Random(seed).choice(case.fills)
    result = improve(problem, start, Budget(seed=seed), rounds=3000)
    given = [slot.name for slot in problem.slots if problem.task.given_answer(slot) is not None]
    values = [
        [case.words[answer] for name, answer in answers_of(case, fill).items() if name not in given]
        for fill in case.fills
    ]
    assert result.best is not None
    assert result.best.squares in case.fills
    assert result.gap == 0
    found = values[case.fills.index(dict(result.best.squares))]
    assert sum(found) == max(map(sum, values))


@examples(40)
@given(linked_cases(rebuses=False), st.randoms(use_true_random=False))
def test_the_smallest_change_is_found(case: Linked, rng: Random) -> None:
    standing = {at: Content.of(rng.choice(LETTERS)) for at in {at for s in case.grid.slots for at in s.positions}}
    standing |= {at: content for at in standing if case.grid[at].is_given and (content := case.grid[at].content)}
    result = repair(problem_of(case.grid, case.words), standing)
    assert bool(result.repairs) == bool(case.fills)
    if result.repairs:
        least = min(sum(fill[at] != standing[at] for at in fill) for fill in case.fills)
        assert len(result.repairs[0].changed) == least


@examples(40)
@given(linked_cases())
def test_why_is_right_about_whether_there_is_a_fill(case: Linked) -> None:
    explanation = explain(Task(case.grid, lexicon_of(case.words)))
    assert explanation.answer is (Answer.FILLABLE if case.fills else Answer.IMPOSSIBLE)


@examples(40)
@given(linked_cases(rebuses=False))
def test_a_partial_fill_has_whole_answers(case: Linked) -> None:
    problem = problem_of(case.grid, case.words)
    fill = partial_fill(problem, Budget(seed=1), rounds=20)
    assert set(fill.answers) <= set(naive_paths(case.grid))
    assert not case.fills or fill.squares in case.fills


def linked(*names: str) -> Grid:
    """Return an open 3x3 grid with these lights linked."""
    grid = Grid.blank(3, 3)
    return grid.with_links([tuple(grid.slot(name).key for name in names)])


def test_a_linked_answer_may_read_a_square_twice() -> None:
    """1A and 1D begin at the same square, so the answer's first and fourth letters are equal."""
    grid = linked("1A", "1D")
    words = dict.fromkeys(["ABCABC", "ABCBBC", "AAA", "BBB", "CCC", "BXY", "CXY", "XXA", "YYA"], 50)
    problem = problem_of(grid, words)
    (entry,) = (number for number, slot in enumerate(problem.slots) if slot.lights)
    assert problem.words(entry) == ["ABCABC"]
    assert len(problem.positions) == 9
    assert problem.tables[entry].symbols.shape == (1, 5)


def test_a_slot_that_crosses_a_linked_answer_twice_changes_its_squares_once() -> None:
    """Both downs cross 1A and 3A, which together read BBBC: all four squares change, each only once."""
    grid = grid_from_text("#..#\n#..#\n####")
    grid = grid.with_links([(grid.slot("1A").key, grid.slot("3A").key)])
    problem = problem_of(grid, {"BBBC": 48, "BB": 100, "BC": 26, "CCCC": 10})
    standing = {at: Content.of("A") for at in problem.positions}
    result = repair(problem, standing)
    assert [len(made.changed) for made in result.repairs] == [4]


def test_an_answer_too_long_for_the_engine_is_refused() -> None:
    grid = grid_from_text("\n".join(["." * 31, "#" * 31] * 3))
    grid = grid.with_links([tuple(slot.key for slot in grid.slots)])
    with pytest.raises(EngineError, match=rf"1A,2A,3A has 93 squares; linked entries have at most {MOST_LINKED}"):
        problem_of(grid, {"AB": 50})


def test_classic_strategies_refuse_linked_lights() -> None:
    with pytest.raises(EngineError, match="cannot fill linked lights; only xwtui can"):
        Board(Task(linked("1A", "4A"), lexicon_of({"ABC": 50})))


Units = tuple[str, ...]


def spelled_in(words: Sequence[str], alphabet: Alphabet) -> Lexicon:
    return Lexicon.build([WordList.from_scores("list", dict.fromkeys(words, 50))], alphabet=alphabet)


def fills_in_units(words: Sequence[str], alphabet: Alphabet) -> list[tuple[Units, ...]]:
    """Return the fills of three rows of three squares, by trying all rows."""
    known = {tuple(alphabet.units(word)): word for word in words}
    rows = [units for units in known if len(units) == 3]
    return [
        three
        for three in permutations(rows, 3)
        if len({*three, *zip(*three, strict=True)}) == 6
        and all(down in known for down in zip(*three, strict=True))
    ]


@st.composite
def words_of(draw: st.DrawFn) -> tuple[Alphabet, list[str]]:
    """An alphabet, and words of a few of its letters that are likely to fill a small grid."""
    alphabet = find_alphabet(draw(st.sampled_from(alphabet_names())))
    few = draw(st.lists(st.sampled_from(alphabet.letters), min_size=2, max_size=3, unique=True))
    letters = st.sampled_from([*few, *alphabet.digraphs])
    words = st.lists(letters, min_size=3, max_size=3).map("".join)
    return alphabet, draw(st.lists(words, min_size=6, max_size=20, unique=True))


@examples(60)
@given(words_of())
def test_all_fills_match_the_naive_twin(case: tuple[Alphabet, list[str]]) -> None:
    alphabet, words = case
    problem = Problem.build(Grid.blank(3, 3), spelled_in(words, alphabet))
    assert exact_count(problem).count == len(fills_in_units(words, alphabet))


@pytest.mark.parametrize("strategy", ["double-trie", "qxw-cells", "emogic-words", "emogic-letters"])
def test_strategies_put_digraphs_into_one_square(strategy: str) -> None:
    alphabet = find_alphabet("spanish-ch-ll")
    words = ["CHAL", "ALLCH", "LCHA", "CHALL", "LALL", "ALCH", "LLA", "ALL", "ÑAL"]
    expected = {"/".join("".join(row) for row in fill) for fill in fills_in_units(words, alphabet)}
    running = StrategyChoice.parse(strategy).make(Task(Grid.blank(3, 3), spelled_in(words, alphabet)), 1)
    found = set()
    for event in running.run():
        if event.kind.value == "solved":
            squares = running.squares
            found.add("/".join("".join(squares[at].across for at in row) for row in _rows(Grid.blank(3, 3))))
    assert found <= expected
    assert (not running.is_complete) or found == expected


def _rows(grid: Grid) -> list[list[Position]]:
    return [[at for at in grid.positions() if at.row == row] for row in range(grid.height)]


def test_digraphs_are_split_only_where_the_user_has_split_them() -> None:
    alphabet = find_alphabet("dutch")
    lexicon = spelled_in(["BIJOU", "BIJLA", "IJSJE", "BIJ", "RIJK"], alphabet)
    for row, expected in {
        ".....": [],
        "....": ["BIJLA", "BIJOU", "IJSJE"],
        "BIJ..": ["BIJLA", "BIJOU"],
        "BI...": [],
        "B[IJ]..": ["BIJLA", "BIJOU"],
        "...": ["RIJK"],
    }.items():
        problem = Problem.build(grid_from_text("\n".join([row, "#" * row_squares(row)] * 2)), lexicon)
        assert sorted(one.word for one in candidates_left(problem, "1A")) == expected, row


def row_squares(row: str) -> int:
    """Return the number of squares in a row of grid text."""
    return len(row.replace("[IJ]", "I"))


def test_english_symbols_are_the_codes_of_its_letters() -> None:
    plain = plain_symbols(ENGLISH)
    letters = spelled_in(["AXLE", "Q1"], ENGLISH).table(4).letters
    assert plain.of_letters(letters) is letters
    assert plain.of_text("AZ09") == bytes([0, 25, 26, 35])


def test_words_with_letters_outside_the_alphabet_are_left_out() -> None:
    problem = Problem.build(grid_from_text("...\n###\n..."), spelled_in(["MÅN", "MAN"], ENGLISH))
    assert [one.word for one in candidates_left(problem, "1A")] == ["MAN"]


def test_a_given_letter_outside_the_alphabet_is_kept() -> None:
    problem = Problem.build(grid_from_text("MÅN\n.#.\nAHA"), spelled_in(["MAA", "NAA", "AHA"], ENGLISH))
    assert problem.words(problem.slot_numbers["1A"]) == ["MÅN"]


def test_letters_digits_and_rebuses_share_the_symbols_of_a_square() -> None:
    slovak = find_alphabet("slovak")
    rebuses = [Content.of(first + second) for first in "AB" for second in "ABCDEFG"]
    most = 64 - len(slovak.symbols)
    assert len(Symbols.of_contents(rebuses[:most], slovak).contents) == 64
    with pytest.raises(
        EngineError, match=rf"beside the {len(slovak.symbols)} letters and digits of Slovak, .* handle {most}"
    ):
        Symbols.of_contents(rebuses[: most + 1], slovak)

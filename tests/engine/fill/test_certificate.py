"""Certificates that there is no fill: judged by brute force, accepted by the checker, refused once changed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.check_proof import Board, check, follow
from tests.engine.small_problems import LETTERS, lexicon_of, small_grids, word_lists
from tests.known import known
from tests.naive.engine import naive_fills
from tests.published_data import BENCH_DATA, published_lexicon
from xwtui.engine.events.event import Outcome
from xwtui.engine.fill.filler import Filler
from xwtui.engine.fill.search_settings import Branching, SearchSettings
from xwtui.engine.problem.problem import Problem
from xwtui.errors import EngineError
from xwtui.formats.grid_text import grid_from_text, grid_to_text
from xwtui.model import Bar, Content, Grid, Ink, Position, Square
from xwtui.model.rules import Rules
from xwtui.session.recording import without_pencil

settings = st.builds(
    SearchSettings,
    branching=st.sampled_from(Branching),
    first_restart=st.sampled_from([1, 5, 400]),
    first_turn=st.sampled_from([1, 1000]),
    breadth=st.sampled_from([0, 1, 2]),
    backjump=st.booleans(),
    noise=st.sampled_from([0.2, 3.0]),
)


def certificate_of(problem: Problem, steering: SearchSettings | None = None) -> str | None:
    """Search to the end; the certificate where there is no fill."""
    filler = Filler(problem, certify=True, settings=steering)
    while not filler.outcome.is_final:
        filler.advance()
    return known(filler.certificate).text("a test") if filler.outcome is Outcome.IMPOSSIBLE else None


def texts(grid: Grid, words: dict[str, int]) -> tuple[str, str]:
    """A grid and its words as files have them."""
    return grid_to_text(without_pencil(grid)), "\n".join(f"{word};{score}" for word, score in words.items())


@given(small_grids(rebuses=False), word_lists(), st.booleans(), settings)
def test_it_is_accepted_where_and_only_where_there_is_no_fill(
    grid: Grid, words: dict[str, int], allow_repeats: bool, steering: SearchSettings
) -> None:
    problem = Problem.build(grid, lexicon_of(words), allow_repeats=allow_repeats)
    certificate = certificate_of(problem, steering)
    has_fill = next(naive_fills(grid, words, allow_repeats=allow_repeats), None) is not None
    assert (certificate is None) is has_fill
    if certificate is not None:
        assert check(*texts(grid, words), certificate.splitlines()) >= 1


LONG = [
    *("AAB", "AAC", "ABA", "ABC", "ACB", "BAA", "BAC", "BBA", "BBC", "BCA", "BCB", "CAA", "CAB", "CBA", "CBB"),
    *("CCA", "ACA", "BCC", "AABB", "ABCA", "BACB", "CCAB", "BCAA", "ABAC", "CABC", "ACCB", "BBCA"),
]
"""Words that leave `OPEN` without a fill, after some search."""
REFUSED = "something is left|was over before|is cut off|there is no"
OPEN = grid_from_text("....\n....\n....\n...#")


def searched(words: list[str]) -> tuple[list[str], list[str]]:
    """The head and the steps of a proof that takes some search, by squares."""
    problem = Problem.build(OPEN, lexicon_of(dict.fromkeys(words, 50)))
    certificate = known(certificate_of(problem, SearchSettings(branching=Branching.ON_SQUARES, backjump=False)))
    lines = certificate.splitlines()
    start = lines.index("steps") + 1
    return lines[:start], lines[start:]


def test_no_step_can_be_left_out_or_cut_short() -> None:
    head, steps = searched(LONG)
    assert len(steps) > 10
    given_texts = texts(OPEN, dict.fromkeys(LONG, 50))
    assert check(*given_texts, head + steps) == steps.count("-")
    for number, step in enumerate(steps):
        with pytest.raises(ValueError, match=REFUSED):
            check(*given_texts, [*head, *steps[:number], *steps[number + 1 :]])
        with pytest.raises(ValueError, match=REFUSED):
            check(*given_texts, [*head, *steps[:number]])
        if step != "-" and steps[number + 1] != "-":  # a leaf where the square has the letter, and more is needed
            with pytest.raises(ValueError, match="something is left"):
                check(*given_texts, [*head, *steps[: number + 1], "-", *steps[after(steps, number + 1) :]])


def after(steps: list[str], start: int) -> int:
    """Where the proof that begins at a step ends."""
    open_branches = 1
    while open_branches:
        open_branches += -1 if steps[start] == "-" else 1
        start += 1
    return start


def test_it_is_for_one_grid_and_one_list() -> None:
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
def test_nothing_is_accepted_where_there_is_a_fill(grid: Grid, words: dict[str, int], data: st.DataObject) -> None:
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
def test_what_the_checker_does_not_know_is_refused(
    grid: Grid, rules: Rules | None, selection: set[Position] | None, what: str
) -> None:
    problem = Problem.build(grid, lexicon_of({"AAB": 50, "AABB": 50}), rules=rules, selection=selection)
    with pytest.raises(EngineError, match=f"cannot cover {what}"):
        Filler(problem, certify=True)


def test_the_published_grid_without_a_fill() -> None:
    lexicon = published_lexicon("dicts/words.txt")
    grid = (BENCH_DATA / "grids" / "23.01.txt").read_text()
    certificate = known(certificate_of(Problem.build(grid_from_text(grid), lexicon)))
    words = (BENCH_DATA / "dicts" / "words.txt").read_text()
    assert check(grid, words, certificate.splitlines()) == 1

"""Placements of theme answers, minimum costs of lines, and parsing of themes."""

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.known import known
from tests.naive.layouts import naive_parting
from xwtui.engine.kernels.layouts import FORBIDDEN
from xwtui.errors import WordListError
from xwtui.grids.placements import GridKind, Placed, Placement, Placer, RunWords, Themer, cheapest_parting
from xwtui.grids.templates import find_templates, read_theme, themed_puzzle
from xwtui.model import Direction, Grid, Ink, Position, Symmetry
from xwtui.model.alphabet import ENGLISH
from xwtui.model.square import BLOCK, OPEN
from xwtui.words.lexicon import Lexicon
from xwtui.words.word_list import WordList

KIND = GridKind(15, 15, Symmetry.ROTATION_180)
WORDS = ("CAT", "COT", "TACO", "SCATTER", "CATTLE", "HEARTH", "HEARTHS", "EARTH")


def themer(answer: str, **told: object) -> Themer:
    return Themer(tuple(answer), **told)  # type: ignore[arg-type]


@given(
    st.lists(st.sampled_from([None, None, True, False]), min_size=3, max_size=8),
    st.integers(0, 2**32),
)
def test_the_cheapest_partition_matches_the_naive_one(walls: list[bool | None], seed: int) -> None:
    random = Random(seed)
    squares = len(walls)
    costs = np.array(
        [[random.choice([0.5, 1.25, 2.0, FORBIDDEN]) for _ in range(squares + 1)] for _ in range(squares)]
    )
    assert cheapest_parting(costs, walls) == pytest.approx(naive_parting(costs.tolist(), walls, FORBIDDEN))


@given(
    st.integers(2, 9), st.dictionaries(st.integers(0, 8), st.sampled_from(["A", "C", "T", "H", "CAT", "HEART"]))
)
def test_counted_words_are_those_that_fit(squares: int, contents: dict[int, str]) -> None:
    lexicon = Lexicon.build([WordList.from_scores("mine", dict.fromkeys(WORDS, 50))])
    known = tuple(sorted((at, content) for at, content in contents.items() if at < squares))

    def fits(word: str) -> bool:
        rest = word
        for square in range(squares):
            content = dict(known).get(square, rest[:1])
            if not content or not rest.startswith(content):
                return False
            rest = rest[len(content) :]
        return not rest

    assert RunWords(lexicon).counts(squares, known)[0, squares] == sum(map(fits, WORDS))


def test_answers_fix_their_squares_and_the_blocks_at_their_ends() -> None:
    placed = Placed(themer("HEARTTOHEART"), Position(3, 0), Direction.ACROSS)
    placement = Placement(KIND, (placed,))
    assert placement.is_sound
    assert placement.walls[Position(3, 12)] is True
    assert placement.walls[Position(11, 2)] is True
    assert placement.walls[Position(11, 14)] is False
    assert placement.contents[Position(3, 5)] == "T"
    clash = Placement(KIND, (placed, Placed(themer("BRAVEHEART"), Position(11, 0), Direction.ACROSS)))
    assert not clash.is_sound


@given(
    st.sampled_from(list(Symmetry)),
    st.lists(
        st.tuples(st.text("AB", min_size=3, max_size=5), *[st.integers(0, 4)] * 2, st.booleans()), max_size=3
    ),
)
def test_placements_are_sound_without_contradicting_squares(
    symmetry: Symmetry, asked: list[tuple[str, int, int, bool]]
) -> None:
    placed = [
        Placed(themer(text), Position(row, column), Direction.ACROSS if is_across else Direction.DOWN)
        for text, row, column, is_across in asked
        if (column if is_across else row) + len(text) <= 5
    ]
    squares = {Position(row, column): set[str]() for row in range(5) for column in range(5)}
    for one in placed:
        for at, letter in zip(one.positions, one.themer.contents, strict=True):
            squares[at].add(letter)
            squares[symmetry.image(at, 5, 5)].add("open")
        for end in (one.start.step(one.direction, -1), one.positions[-1].step(one.direction)):
            if end in squares:
                squares[end].add("block")
    for _ in range(4):
        for at, contents in squares.items():
            squares[symmetry.image(at, 5, 5)].update("block" if one == "block" else "open" for one in contents)
    placement = Placement(GridKind(5, 5, symmetry), tuple(placed))
    is_sound = all("block" not in one or one == {"block"} for one in squares.values())
    assert placement.is_sound == (is_sound and not any({"A", "B"} <= one for one in squares.values()))
    if placement.is_sound:
        assert placement.walls == {at: one == {"block"} for at, one in squares.items() if one}


@pytest.mark.parametrize("symmetry", list(Symmetry))
@given(seed=st.integers(0, 10_000))
def test_placements_are_sound(symmetry: Symmetry, seed: int) -> None:
    kind = GridKind(15, 15, symmetry)
    answers = [themer("HEARTTOHEART"), themer("BRAVEHEARTED"), themer("KINDRED"), themer("LIONHEART")]
    placer = Placer(kind, answers, (Direction.ACROSS, Direction.DOWN))
    placement = placer.place(answers, Random(seed))
    if placement is None:
        return
    assert {one.themer for one in placement.themers} == set(answers)
    for one in placement.themers:
        read = "".join(placement.contents[at] for at in one.positions)
        assert read == one.themer.answer
        for end in (one.start.step(one.direction, -1), one.positions[-1].step(one.direction)):
            if 0 <= end.row < 15 and 0 <= end.column < 15:
                assert placement.walls[end]
    for at, is_wall in placement.walls.items():
        assert placement.walls[symmetry.image(at, 15, 15)] is is_wall


def test_answers_respect_required_places() -> None:
    answers = [
        themer("HEARTTOHEART", start=Position(2, 0), direction=Direction.ACROSS),
        themer("BRAVEHEARTED"),
        themer("KINDRED", is_last=True),
    ]
    placer = Placer(KIND, answers, (Direction.ACROSS,))
    for seed in range(20):
        placement = known(placer.place(answers, Random(seed)))
        places = {one.themer.answer: one.start for one in placement.themers}
        assert places["HEARTTOHEART"] == Position(2, 0)
        assert places["KINDRED"] == max(places.values())


def test_answers_of_odd_lengths_do_not_all_wait_for_the_middle_row() -> None:
    answers = [themer("A" * squares) for squares in (7, 9, 11, 13, 15)]
    placer = Placer(KIND, answers, (Direction.ACROSS,))
    assert None not in [placer.place(answers, Random(seed)) for seed in range(20)]


@pytest.mark.parametrize(
    ("symmetry", "direction"), [(Symmetry.LEFT_RIGHT, Direction.ACROSS), (Symmetry.UP_DOWN, Direction.DOWN)]
)
def test_answers_of_odd_lengths_are_centered_in_mirrored_lines(symmetry: Symmetry, direction: Direction) -> None:
    answers = [themer("A" * squares) for squares in (7, 9, 11, 13, 15)]
    placer = Placer(GridKind(15, 15, symmetry), answers, (direction,))
    assert placer.unplaceable(answers) == ()
    assert None not in [placer.place(answers, Random(seed)) for seed in range(20)]


def test_an_enumerated_placement_can_be_varied() -> None:
    """They include places where an answer is never put at random."""
    answers = [themer("AAAAA"), themer("BBBBBBBB")]
    placer = Placer(KIND, answers, (Direction.ACROSS,))
    for number, placement in zip(range(40), placer.every(answers), strict=False):
        near = placer.place(answers, Random(number), placement)
        assert near is None or near.is_sound


def test_partners_are_mirror_images() -> None:
    answers = [
        themer(word, partner=number // 2)
        for number, word in enumerate(("SUNSHINE", "RAINDROP", "SNOWBALL", "WINDFALL"))
    ]
    placer = Placer(KIND, answers, (Direction.ACROSS,))
    for seed in range(20):
        placement = known(placer.place(answers, Random(seed)))
        at = {one.themer.answer: one for one in placement.themers}
        for one, other in (("SUNSHINE", "RAINDROP"), ("SNOWBALL", "WINDFALL")):
            assert KIND.image(at[one].positions) == (at[other].start, at[other].direction)


def test_an_overlong_answer_has_no_place() -> None:
    answers = [themer("A" * 16)]
    assert Placer(KIND, answers, (Direction.ACROSS,)).unplaceable(answers) == (answers[0],)


def test_all_placements_are_enumerated() -> None:
    kind = GridKind(5, 5, Symmetry.ROTATION_180)
    answers = (themer("ABCDE"), themer("FGHIJ"))
    both = (Direction.ACROSS, Direction.DOWN)
    placer = Placer(kind, answers, both)
    found = [one.key for one in placer.every(answers)]
    assert len(found) == len(set(found)) == 40
    last = [themer("ABCDE", is_last=True, partner=1), themer("FGHIJ", partner=1)]
    placements = list(Placer(kind, last, (Direction.ACROSS,)).every(last))
    assert sorted(one.themers[0].line for one in placements) == [0, 1]
    drawn = [placer.place(answers, Random(seed)) for seed in range(50)]
    assert {one.key for one in drawn if one is not None} <= set(found)


@given(st.integers(0, 2**25 - 1))
def test_missed_numbers_match_the_grid(blocks: int) -> None:
    kind = GridKind(5, 5, Symmetry.NONE)
    grid = grid_of([[bool(blocks >> (5 * row + column) & 1) for column in range(5)] for row in range(5)])
    walls = np.array([not square.is_open for square in grid.squares], np.uint8)
    for slot in grid.slots:
        placed = Placed(themer("A" * len(slot), number=4), slot.start, slot.direction)
        assert Placement(kind, (placed,)).missed_numbers(walls) == abs(grid.numbers[slot.start] - 4)


def grid_of(blocks: list[list[bool]]) -> Grid:
    return Grid(len(blocks), len(blocks[0]), tuple(BLOCK if one else OPEN for row in blocks for one in row))


@given(st.integers(0, 10_000))
def test_a_neighboring_placement_moves_one_answer_and_its_partner(seed: int) -> None:
    answers = [themer("HEARTTOHEART"), themer("BRAVEHEARTED"), themer("KINDRED"), themer("LION", is_last=True)]
    placer, random = Placer(KIND, answers, (Direction.ACROSS,)), Random(seed)
    first = known(placer.place(answers, random))
    near = placer.place(answers, random, first)
    if near is None:
        return
    assert sorted(one.themer.answer for one in near.themers) == sorted(one.answer for one in answers)
    assert max(near.themers, key=lambda one: one.start).themer.is_last
    moved = {one for one in first.themers if one not in near.themers and not one.themer.is_last}
    assert len(moved) <= 1 or len({KIND.image(one.positions) for one in moved} & {one[1:] for one in moved}) == 2


def test_a_run_costs_more_if_fewer_words_fit() -> None:
    few = dict.fromkeys((*WORDS, *(f"C{letter}T" for letter in "BDEFGH")), 50)
    costs = RunWords(Lexicon.build([WordList.from_scores("mine", few)])).line_costs
    open_three, given_three = costs(3, ())[0, 3], costs(3, ((0, "C"), (2, "T")))[0, 3]
    assert 0 < given_three < open_three < FORBIDDEN, "eight words either way, for one open square or for three"
    assert costs(3, ((1, "A"),))[0, 3] > given_three
    assert costs(3, ((1, "Q"),))[0, 3] == FORBIDDEN


def test_answers_are_distinguished_from_sizes_and_bounds() -> None:
    answers, wanted = read_theme("Heart to heart, lo[cat]ionscout, 15x15, <78, =36b, <", ENGLISH)
    assert answers == ("HEARTTOHEART", "LO[CAT]IONSCOUT")
    assert (wanted.across, wanted.size, wanted.most_words, wanted.most_blocks) == ((12, 11), (15, 15), 77, 36)
    assert read_theme(" , ", ENGLISH).answers == ()
    three = read_theme("braveheart; sweetheart\nheartache", ENGLISH).answers
    assert three == ("BRAVEHEART", "SWEETHEART", "HEARTACHE")
    with pytest.raises(WordListError):
        read_theme("LO[CAT", ENGLISH)


@pytest.mark.parametrize(
    "text",
    [
        "15x15 <78 braveheart, heart throb",
        "braveheart, heart throb 15x15 <78",
        "braveheart 15x15; heart <78 throb",
        "braveheart, heart throb, 15x15 < 78",
    ],
)
def test_sizes_and_bounds_may_be_anywhere_among_the_answers(text: str) -> None:
    answers, wanted = read_theme(text, ENGLISH)
    assert answers == ("BRAVEHEART", "HEARTTHROB")
    assert (wanted.size, wanted.most_words) == ((15, 15), 77)


def test_answers_are_locked_in_entries_from_top_to_bottom() -> None:
    answers, wanted = read_theme("dogcatchers, LO[CAT]IONSCOUT, 15x15", ENGLISH)
    found = find_templates(wanted)[0]
    puzzle = themed_puzzle(found, answers, ENGLISH)
    assert [puzzle.grid.pattern(slot) for slot in found.slots] == list(answers)
    assert all(puzzle.grid[at].ink is Ink.LOCKED for slot in found.slots for at in slot.positions)
    assert sum(square.content is not None for square in puzzle.grid.squares) == 22


def test_an_answer_without_an_entry_is_left_out() -> None:
    answers, wanted = read_theme("dogcatchers, twelveletter, dogcatcherx, 15x15", ENGLISH)
    found = find_templates(wanted)[0]
    assert found.lacks.across == (12,)
    puzzle = themed_puzzle(found, answers, ENGLISH)
    assert [puzzle.grid.pattern(slot) for slot in found.slots] == ["DOGCATCHERS", "DOGCATCHERX"]

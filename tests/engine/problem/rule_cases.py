"""Small cases of every rule over a short alphabet, for both the engine and its naive twin."""

from collections.abc import Callable, Mapping
from random import Random

from tests.engine.small_problems import check_fills
from tests.naive.rules import Case, Fill, fills
from tests.ruled import EntryRequirements, asked, ruled
from xwtui.engine.problem.problem import Problem
from xwtui.engine.problem.task import Task
from xwtui.model import BLOCK, OPEN, Content, Direction, Grid, Ink, Position, Square, Symmetry
from xwtui.model.rules import EntryRules, RebusPlacing
from xwtui.words.lexicon import Lexicon
from xwtui.words.word_list import WordList

LETTERS = "ABC"
MOST_TRIES = 4_000
REBUSES = [*map(Content.of, ("AB", "CA", "BBC")), Content("A", "B"), Content("B", "AC"), Content("CA", "B")]
PATTERNS = ["A.*", ".*B", "[^C]*", ".*(AB|CA).*", ".{3}", "(A|BC).*A?"]


def task_of(case: Case) -> Task:
    """Return the engine's task for a case."""
    words = WordList.from_scores("words", case.words, case.tags)
    return Task(
        case.grid,
        Lexicon.build([words], minimum_score=case.minimum, banned=case.banned),
        case.allow_repeats,
        case.rules,
        {name: Lexicon.build([WordList.from_scores(name, own)]) for name, own in case.own_lists.items()},
        case.selection,
        case.holes,
        case.symmetry,
    )


def problem_of(case: Case) -> Problem:
    return Problem.of(task_of(case))


def check_kept(case: Case, keeps: Callable[[Fill, Mapping[str, str]], bool], seed: int) -> int:
    """Check verdict, fill and count against the naive fills for which `keeps` holds; return how many there are."""
    expected = [
        frozenset((at, content) for (at, side), content in squares.items() if side is None)
        for squares, answers in fills(case, most_tries=MOST_TRIES)
        if keeps(squares, answers)
    ]
    check_fills(problem_of(case), expected, seed)
    return len(expected)


def random_words(rng: Random, most: int, longest: int = 5) -> dict[str, int]:
    """Return some words of 2 to `longest` letters, with scores."""
    return {
        "".join(rng.choices(LETTERS, k=rng.randint(2, longest))): rng.choice([0, 20, 50, 100])
        for _ in range(rng.randint(most // 3, most))
    }


def random_grid(rng: Random) -> Grid:
    """Return a grid of 3x3 to 4x4 with blocks, pencil and given squares."""
    height, width = rng.choice([(3, 3), (3, 3), (3, 3), (3, 4), (4, 4)])
    blocks = rng.choice([0.2, 0.4, 0.5])
    squares = [BLOCK if rng.random() < blocks else _open_square(rng) for _ in range(height * width)]
    return Grid(height, width, tuple(squares))


def _open_square(rng: Random) -> Square:
    if rng.random() > 0.06:
        return OPEN
    content = rng.choice([*map(Content.of, LETTERS), *REBUSES])
    return Square(content=content, ink=rng.choice(list(Ink)))


def random_entry_rule(rng: Random) -> EntryRules:
    """Return an entry's rules with one or two requirements."""
    rule = asked()
    for _ in range(rng.randint(1, 2)):
        match rng.randrange(6):
            case 0:
                rule = asked(rng.choice([0, 10, 60, 100]), rule.word_list, EntryRequirements.of(rule).pattern)
            case 1:
                rule = asked(rule.minimum_score, rng.choice(["own", "names"]), EntryRequirements.of(rule).pattern)
            case 2:
                rule = asked(rule.minimum_score, rule.word_list, rng.choice(PATTERNS))
            case 3:
                rule = asked(rule.minimum_score, contains=(rng.choice(["A", "BC", "CA"]),))
            case 4:
                rule = asked(rule.minimum_score, barred=tuple(random_words(rng, 12)))
            case _:
                rule = asked(rule.minimum_score, lacks=(rng.choice(["A", "BB", "C"]),))
    return rule


def random_entries(rng: Random, grid: Grid) -> dict[tuple[Position, Direction], EntryRules]:
    """Return rules for some of the entries."""
    share = rng.choice([0.0, 0.25])
    return {(slot.start, slot.direction): random_entry_rule(rng) for slot in grid.slots if rng.random() < share}


def random_squares(rng: Random, grid: Grid) -> dict[Position, tuple[Content, ...]]:
    """Return allowed contents for some of the squares."""
    share = rng.choice([0.0, 0.0, 0.25])
    pool = [*map(Content.of, LETTERS * 2), *REBUSES]
    return {
        position: tuple(rng.choices(pool, k=rng.randint(2, 6)))
        for position in grid.open_positions()
        if rng.random() < share
    }


def random_placing(rng: Random) -> RebusPlacing:
    """Return a placing of some new squares with one to three possible contents."""
    contents = tuple(rng.sample(REBUSES, k=rng.choice([1, 1, 2, 3])))
    least = rng.randint(0, 2)
    most = max(1, least + rng.randint(0, 2))
    return RebusPlacing(contents, least, most, rng.random() < 0.4, rng.random() < 0.5 and most >= len(contents))


def local_case(rng: Random) -> Case:
    """Return a case with rules of single entries and squares only, sometimes with gaps."""
    grid = random_grid(rng)
    words = random_words(rng, 60)
    return Case(
        grid,
        words,
        minimum=rng.choice([0, 0, 0, 20, 50]),
        banned=frozenset(rng.sample(sorted(words), k=rng.choice([0, 1]))),
        rules=ruled(
            entries=random_entries(rng, grid),
            squares=random_squares(rng, grid),
            wanted=tuple(random_words(rng, 6)) if rng.random() < 0.2 else (),
        ),
        own_lists={"own": random_words(rng, 60), "names": random_words(rng, 60)},
        holes=random_holes(rng, grid),
        allow_repeats=rng.random() < 0.2,
    )


def random_holes(rng: Random, grid: Grid) -> frozenset[Position]:
    share = rng.choice([0.0, 0.0, 0.2])
    return frozenset(position for position in grid.open_positions() if rng.random() < share)


def placing_case(rng: Random) -> Case:
    """Return a case with new rebus squares to place, and other rules."""
    case = local_case(rng)
    grid = case.grid
    symmetry = rng.choice(list(Symmetry))
    if symmetry.needs_square_grid and grid.height != grid.width:
        symmetry = Symmetry.ROTATION_180
    placings = tuple(random_placing(rng) for _ in range(rng.choice([1, 1, 1, 2])))
    rules = ruled(entries=case.rules.entries, squares=case.rules.squares, placings=placings)
    return Case(**(vars(case) | {"words": random_words(rng, 60, 6), "rules": rules, "symmetry": symmetry}))


def whole_grid_case(rng: Random) -> Case:
    """Return a case with rules for all answers together, and given rebus squares."""
    case = local_case(rng)
    words = random_words(rng, 55)
    wanted = tuple(set(rng.sample(sorted(words), k=2)) | set(random_words(rng, 6)))
    rules = ruled(
        entries=case.rules.entries,
        squares=case.rules.squares,
        shared_substring=rng.choice([0, 0, 0, 3, 4]),
        tag_limits={"name": rng.randint(0, 2)} if rng.random() < 0.5 else {},
        wanted=wanted,
        wanted_least=rng.choice([0, 0, 1, 2]),
        letters=rng.choice(["", "", "A", "ABC", "BC", "BD"]),
        placings=tuple(random_placing(rng) for _ in range(rng.choice([0, 0, 1]))),
    )
    names = frozenset(rng.sample(sorted(words), k=len(words) // 2))
    return Case(**(vars(case) | {"words": words, "rules": rules, "tags": {"name": names}}))


def selection_case(rng: Random) -> Case:
    """Return a case that fills only some squares, with pencil inside and outside the selection."""
    case = rng.choice([local_case, placing_case, whole_grid_case])(rng)
    selection = frozenset(position for position in case.grid.open_positions() if rng.random() < 0.5)
    rebuses = [content for placing in case.rules.of(RebusPlacing) for content in placing.contents]
    pencil = {
        position: Square(content=rng.choice([*map(Content.of, LETTERS), *rebuses]))
        for position in case.grid.open_positions()
        if rng.random() < 0.2
    }
    grid = case.grid.with_squares(pencil)
    return Case(**(vars(case) | {"grid": grid, "selection": selection, "holes": frozenset()}))

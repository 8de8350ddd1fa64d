"""Small random problems with every feature, reproducible from a seed."""

from dataclasses import replace
from itertools import count
from random import Random

from tests.naive.agreeing import TooManyTriesError
from tests.naive.problem import BLOCK, EMPTY, EntryRule, Fill, Problem, Square

LETTERS = "ABC"
REBUSES = ["[AB]", "[CA]", "[A/B]", "[B/AC]"]
SCORES = [1, 10, 20, 35, 40, 50, 50, 60, 75, 90, 100]
MATCHES = ["A.*", ".*B", "[^C]*", "(A|BC).*A?"]
MOST_TRIES = 30_000
MOST_FILLS = 1_500


def problem_of(kind: str, seed: int) -> tuple[Problem, list[Fill]]:
    """Return a seed's problem with all its fills: the first that is small enough to enumerate."""
    for attempt in count():
        rng = Random(f"{kind} {seed} {attempt}")
        problem = random_problem(rng)
        if kind in ("swaps", "fills") or rng.random() < 0.2:
            problem = pencilled(problem, rng)
        if kind == "what-ifs":
            problem = replace(problem, symmetry=rng.choice(["none", "rot180", "left-right"]))
        try:
            fills = [fill for fill, _ in zip(problem.fills(MOST_TRIES), range(MOST_FILLS + 1), strict=False)]
        except TooManyTriesError:
            continue
        if len(fills) <= MOST_FILLS and (fills or rng.random() < (0.5 if kind == "why" else 0.1)):
            return problem, fills
    raise AssertionError


def random_problem(rng: Random) -> Problem:
    """Return a problem with random blocks, bars, links, given, locked and penciled squares, and rules."""
    height, width = rng.choice([(3, 3), (3, 3), (3, 4), (4, 4), (4, 5), (5, 5)])
    blocks = rng.choice([0.0, 0.1, 0.3]) if height * width < 13 else rng.choice([0.25, 0.4])
    given = rng.choice([0.0, 0.1, 0.25])
    rows = tuple(
        tuple(
            BLOCK if rng.random() < blocks else _content(rng) if rng.random() < given else EMPTY
            for _ in range(width)
        )
        for _ in range(height)
    )
    problem = Problem(rows, random_words(rng, rng.choice([25, 40, 60])))
    squares = problem.all_squares
    with_content = [at for at in squares if problem.cell(at) not in (EMPTY, BLOCK)]
    pencil = frozenset(at for at in with_content if rng.random() < 0.2)
    locked = frozenset(at for at in with_content if at not in pencil and rng.random() < 0.3)
    bars = {(rng.choice(squares), rng.choice(["right", "below"])) for _ in range(rng.choice([0, 0, 0, 1, 3]))}
    problem = replace(
        problem, pencil=pencil, locked=locked, bars=frozenset(bar for bar in bars if is_between(problem, bar))
    )
    words = sorted(problem.words)
    return replace(
        _with_rules(_with_link(problem, rng), rng),
        minimum=rng.choice([0, 0, 0, 15, 40]),
        banned=frozenset(rng.sample(words, k=rng.choice([0, 0, 1, 3]))),
        allow_repeats=rng.random() < 0.25,
    )


def is_between(problem: Problem, bar: tuple[Square, str]) -> bool:
    """Whether a bar is between two open squares."""
    (row, column), side = bar
    other = (row, column + 1) if side == "right" else (row + 1, column)
    return BLOCK not in (problem.cell((row, column)), problem.cell(other))


def random_words(rng: Random, most: int) -> dict[str, int]:
    """Return words of 2 to 6 letters, mostly short."""
    return {
        "".join(rng.choices(LETTERS, k=rng.choice([2, 3, 3, 3, 4, 4, 5, 6]))): rng.choice(SCORES)
        for _ in range(rng.randint(most // 3, most))
    }


def _content(rng: Random) -> str:
    contents: list[str] = [*LETTERS, *LETTERS, *LETTERS, *REBUSES]
    return rng.choice(contents)


def _with_link(problem: Problem, rng: Random) -> Problem:
    lights = list(problem.lights)
    if len(lights) < 3 or rng.random() < 0.85:
        return problem
    return replace(problem, links=(tuple(rng.sample(lights, 2)),))


def _with_rules(problem: Problem, rng: Random) -> Problem:
    words = sorted(problem.words)
    keys = [entry.key for entry in problem.entries]
    empty = [at for at in problem.all_squares if problem.cell(at) == EMPTY]
    if keys and rng.random() < 0.25:
        rule = rng.choice(
            [
                EntryRule(minimum=rng.choice([0, 30, 60])),
                EntryRule(match=rng.choice(MATCHES)),
                EntryRule(lacks=rng.choice(["A", "BB", "C"])),
                EntryRule(minimum=20, match=".*B"),
            ]
        )
        problem = replace(problem, entry_rules={rng.choice(keys): rule})
    if empty and rng.random() < 0.25:
        allowed = tuple(rng.sample([*LETTERS, *REBUSES], k=rng.randint(2, 4)))
        problem = replace(problem, square_rules={rng.choice(empty): allowed})
    match rng.randrange(12):
        case 0:
            problem = replace(problem, most=(rng.choice(LETTERS), rng.choice([1, 2])))
        case 1:
            problem = replace(problem, shared=rng.choice([2, 3, 3]))
        case 2:
            wanted = tuple(rng.sample(words, k=min(2, len(words))))
            problem = replace(problem, wanted=wanted, wanted_least=rng.choice([1, len(wanted)]))
        case 3 if len(words) > 2:
            problem = replace(problem, group=frozenset(rng.sample(words, k=3)))
        case _:
            pass
    return problem


def pencilled(problem: Problem, rng: Random) -> Problem:
    """Return the problem with a fill in pencil, sometimes with changed squares; unchanged without a fill."""
    try:
        fills = [fill for fill, _ in zip(problem.fills(MOST_TRIES), range(50), strict=False)]
    except TooManyTriesError:
        return problem
    if not fills:
        return problem
    share = rng.choice([1.0, 1.0, 0.7])
    cells = {
        at: _content(rng) if rng.random() < 0.05 else content
        for at, content in rng.choice(fills).squares.items()
        if problem.given(at) is None and rng.random() < share
    }
    return replace(problem.with_cells(cells), pencil=problem.pencil | cells.keys())

"""Global constraints that cannot be met, told in a constructor's words, and the events of those that can."""

from itertools import product

import pytest

from tests.engine.problem.constrained import constrained
from tests.engine.small_problems import problem_of
from tests.naive.constraints import Alike, EntriesHave, GlobalConstraint, NothingShared, SquaresHold, runs
from xwtui.engine.events.event import Outcome
from xwtui.engine.fill.filler import Filler
from xwtui.engine.problem.constraints import NO_LIMIT
from xwtui.engine.problem.reasons import culprits, why_impossible
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Content, Position

THREE_ROWS = "...\n###\n...\n###\n...\n"
WORDS = {"CAT": 1, "DOG": 1, "EMU": 1, "FOX": 1}


def holds(letters: str, least: int, most: int, *squares: tuple[int, int]) -> SquaresHold:
    return SquaresHold(tuple(Position(*at) for at in squares), frozenset(map(Content.of, letters)), least, most)


@pytest.mark.parametrize(
    ("text", "words", "constraint", "reason"),
    [
        (
            THREE_ROWS,
            WORDS,
            holds("O", 3, NO_LIMIT, (0, 1), (2, 1), (4, 0), (4, 2)),
            "only 2 squares can hold these, and 3 are wanted",
        ),
        (
            THREE_ROWS,
            WORDS,
            holds("Q", 1, NO_LIMIT, (0, 1), (2, 1)),
            "no square can hold these, and 1 is wanted",
        ),
        (
            "CAT\n###\nDOG\n",
            WORDS,
            holds("CD", 0, 1, (0, 0), (2, 0)),
            "r1c1 and r3c1 hold these, and 1 at most may",
        ),
        (
            THREE_ROWS,
            WORDS,
            EntriesHave(frozenset({"CAT", "FOX"}), 4, NO_LIMIT),
            "only 3 entries can have one of these, and 4 are wanted",
        ),
        (
            THREE_ROWS,
            WORDS,
            EntriesHave(frozenset({"CAT", "FOX"}), 3, NO_LIMIT),
            "entries with one of these: only CAT and FOX can stand in the grid, and 3 are wanted",
        ),
        (
            "CAT\n###\nDOG\n",
            WORDS,
            EntriesHave(frozenset(WORDS), 0, 1),
            "1A and 2A have one of these, and 1 at most may",
        ),
        (
            "CAT\n###\n...\n",
            WORDS,
            Alike(Position(0, 0), Position(2, 2), frozenset({Content.of("C")})),
            "r1c1 must hold these, and its mirror r3c3 cannot",
        ),
        (
            "CAT\n####\nCATS\n",
            {"CAT": 1, "CATS": 1},
            NothingShared(runs(3)),
            "1A CAT and 2A CATS share something",
        ),
    ],
)
def test_what_cannot_be_is_told(
    text: str, words: dict[str, int], constraint: GlobalConstraint, reason: str
) -> None:
    width = max(map(len, text.split()))
    grid = grid_from_text("\n".join(line.ljust(width, "#") for line in text.split()))
    filler = Filler(constrained(problem_of(grid, words), [constraint]))
    assert filler.outcome is Outcome.IMPOSSIBLE
    assert filler.reason == reason


def test_constraints_that_leave_an_entry_without_words_are_named_and_no_others() -> None:
    grid = grid_from_text("...\n###\n###\n")
    constraints = [
        holds("C", 1, NO_LIMIT, (0, 0)),
        holds("AC", 1, NO_LIMIT, (0, 0), (0, 1), (0, 2)),
        holds("G", 1, 1, (0, 2)),
    ]
    filler = Filler(constrained(problem_of(grid, WORDS), constraints))
    assert filler.reason.startswith(
        "at least 1 square with these and 1 square with these cannot be had: 1A: no word fits ???"
    )


def test_events_name_the_demand_that_they_come_from() -> None:
    words = {"".join(letters): 1 for letters in product("ABC", repeat=3)}
    grid = grid_from_text("...\n...\n...\n")
    constraints: list[GlobalConstraint] = [
        holds("A", 2, 2, (0, 0), (1, 1), (2, 2)),
        EntriesHave(frozenset(word for word in words if word[0] == "A"), 0, 2),
        NothingShared(lambda word: frozenset({word[:2]})),
    ]
    told: set[str] = set()
    for seed in range(20):
        filler = Filler(constrained(problem_of(grid, words), constraints), seed=seed, trace=True)
        filler.advance(nodes=10_000)
        told |= {event.constraint for event in filler.take_events()}
    assert told - {""} == {
        "2 squares with these",
        "at most 2 entries with one of these",
        "no two answers that share something",
    }


@pytest.mark.parametrize(
    ("text", "words", "blamed"),
    [
        ("...\n...\n...\n", ["CAT", "DOG"], None),
        ("Q..\n###\n...\n", ["CAT", "DOG"], ("1A",)),
        ("...\n###\n...\n", ["CAT"], ("1A", "2A")),
        ("...\n###\n...\n", ["CAT", "DOG"], ()),
    ],
    ids=["crossings", "no word", "the same word", "a fill"],
)
def test_the_entries_that_stop_every_fill_are_named(
    text: str, words: list[str], blamed: tuple[str, ...] | None
) -> None:
    problem = problem_of(grid_from_text(text), dict.fromkeys(words, 1))
    named = culprits(problem)
    if blamed is None:
        assert len(named) == 1
        assert why_impossible(problem).startswith(f"{named[0]}: ")
    else:
        assert sorted(named) == sorted(blamed)

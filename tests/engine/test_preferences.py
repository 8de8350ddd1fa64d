"""A search prefers what the constructor prefers, and tells the true scores all the same."""

from itertools import product

from tests.engine.small_problems import lexicon_of
from xwtui.engine.events.event import Outcome
from xwtui.engine.fill.filler import Filler
from xwtui.engine.problem.problem import Problem
from xwtui.formats.grid_text import grid_from_text
from xwtui.words.lexicon import Lexicon, Preferences
from xwtui.words.word_list import WordList

GRID = grid_from_text("....\n....\n....\n....\n")
WORDS = {"".join(letters): 50 for letters in product("AEST", repeat=4)}
SOME = WordList.from_scores("some", dict.fromkeys(list(WORDS)[::4], 50))
SEEDS = range(25)


def uses(preferences: Preferences) -> int:
    """How many answers of `SOME` the fills of all seeds have."""
    layer = WordList.from_scores("all", WORDS)
    problem = Problem.build(GRID, Lexicon.build([layer], preferences=preferences))
    count = 0
    for seed in SEEDS:
        filler = Filler(problem, seed=seed)
        assert filler.advance(nodes=10_000) is Outcome.FILLED
        count += sum(answer in SOME for answer in filler.answers().values())
        rows = [int(problem.rows_left(filler.state, slot)[0]) for slot in range(len(problem.slots))]
        assert {problem.score(slot, row) for slot, row in enumerate(rows)} == {50}
    return count


def test_preferred_words_are_used_more_and_recent_ones_less() -> None:
    rather, neither, rather_not = uses(Preferences((SOME,))), uses(Preferences()), uses(Preferences(recent=SOME))
    assert rather > 1.5 * neither
    assert rather_not < neither / 1.5


def test_without_preferences_the_search_is_as_before() -> None:
    plain = Problem.build(GRID, lexicon_of(WORDS))
    assert plain.network.row_appeals.tolist() == plain.network.row_scores.tolist()

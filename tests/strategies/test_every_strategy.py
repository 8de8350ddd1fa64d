"""Properties of every strategy: it can be inspected at any time, keeps given squares, and is reproducible."""

import gc
import subprocess
import sys
import weakref
from functools import cache
from importlib.util import find_spec

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.small_problems import small_grids, word_lists
from tests.examples import is_deep
from tests.known import known
from tests.naive.engine import check_fill
from tests.published_data import published_lexicon
from tests.strategies.judging import all_fills, judge, strategy_of, trail_of
from xwtui.engine.budget import Budget
from xwtui.engine.events.event import ANY_EVENT, EventKind, Outcome, Until
from xwtui.engine.problem.task import Task
from xwtui.errors import EngineError
from xwtui.formats.grid_text import grid_from_text
from xwtui.formats.registry import read_puzzle
from xwtui.model import Content, Grid, Position
from xwtui.resources import default_word_list, puzzles_folder
from xwtui.strategies.protocol import Option, OptionValues, Strategy
from xwtui.strategies.registry import STRATEGIES, StrategyChoice
from xwtui.words.compiled_lists import open_word_list
from xwtui.words.lexicon import Lexicon

WORDS = {a + b + c: 1 for a in "ABCD" for b in "AEB" for c in "ACD"}
HERE = [name for name in STRATEGIES if name != "sat" or find_spec("pysat") is not None]
"""Strategies available here: sat needs an extra."""
every_strategy = pytest.mark.parametrize("name", HERE)

FIXED = {
    "copeland": {"rounds": "4"},
    "fsharp-word": {"limit": "400", "shortest": "2"},
    "permuted-index": {"repeats": "no"},
    "emogic-letters": {"compiled": "no"},
    "emogic-words": {"compiled": "no"},
    "xwtui": {"all": "yes"},
}
"""Options required for a search to end, or to find all fills."""


def strict(name: str) -> str:
    """Return the strategy with the rule that answers differ."""
    return "permuted-index:repeats=no" if name == "permuted-index" else name


def look(strategy: Strategy) -> int:
    """Read everything a strategy shows; return the number of values."""
    shown = strategy.squares, strategy.decisions, strategy.domain_sizes, strategy.ranking
    return sum(map(len, shown)) + strategy.counters.nodes


@every_strategy
@pytest.mark.parametrize("text", ["...\n...\n...", "A..\n...\n..Q"])
def test_it_can_be_inspected_at_any_time(name: str, text: str) -> None:
    strategy = strategy_of(name, grid_from_text(text), WORDS)
    looks = [look(strategy)]
    events = strategy.run()
    looks.append(look(strategy))
    for _ in zip(range(50), events, strict=False):
        looks.append(look(strategy))
    assert min(looks) >= 0
    assert all(isinstance(rank.figures, str) for rank in strategy.ranking)


@every_strategy
def test_given_letters_and_rebus_squares_are_kept(name: str) -> None:
    grid = grid_from_text("C[AB]..\n.#..\n..#.\n....")
    letters = "ABCELNT"
    words = {a + b: 1 for a in letters for b in letters}
    words |= {a + b + c + d: 1 for a in "CLES" for b in "ABE" for c in "LEA" for d in "ELN"}
    words |= {"CABLE": 1, "CABAL": 1}
    strategy = strategy_of(name, grid, words, allow_repeats=True)
    fill = known(strategy.first_fill())
    check_fill(grid, fill, words, allow_repeats=True)


@every_strategy
@given(small_grids(4), word_lists(4), st.booleans(), st.integers(0, 3), st.data())
def test_fills_are_legal_and_complete_with_any_options(
    name: str, grid: Grid, words: dict[str, int], allow_repeats: bool, seed: int, data: st.DataObject
) -> None:
    values = {} if name == "xwtui" else {one.name: data.draw(few_values(one)) for one in STRATEGIES[name].options}
    text = ",".join(f"{option}={value}" for option, value in {**values, **FIXED.get(name, {})}.items())
    judge(f"{name}:{text}", grid, words, allow_repeats=allow_repeats, seed=seed)


def few_values(option: Option) -> st.SearchStrategy[str]:
    """An option's choices; for a number, the default or one of the lowest values."""
    if option.bounds is None:
        return st.sampled_from(option.choices)
    least, most = option.bounds
    return st.sampled_from([option.default, *map(str, range(least, min(least + 2, most) + 1))])


@every_strategy
def test_a_seed_is_reproducible(name: str) -> None:
    grid = grid_from_text("...\n...\n...")
    assert trail_of(strategy_of(name, grid, WORDS, seed=5)) == trail_of(strategy_of(name, grid, WORDS, seed=5))


@pytest.mark.parametrize(
    "text",
    [
        "xwtui",
        "copeland:improve=sections,rounds=3",
        "emogic-letters",
        "emogic-words",
        "fsharp-word:back=jump",
        "fsharp-word:back=step",
        *(f"double-trie:order={order},letters=shuffled" for order in ("rows", "fewest", "anywhere", "hardest")),
        *(f"sorted-index:order={order}" for order in ("hardest", "fewest", "rows")),
    ],
)
def test_another_seed_makes_another_search(text: str) -> None:
    grid = grid_from_text("...\n...\n...")
    words = {a + b + c: 1 for a in "ABCD" for b in "ABE" for c in "ACD"}
    trails = [trail_of(strategy_of(text, grid, words, seed=seed)) for seed in (1, 1, 2)]
    assert trails[0] == trails[1] != trails[2]


@pytest.mark.parametrize("text", ["copeland", "fsharp-word:back=step,check=ac-3", *HERE[1:]])
def test_completeness_is_as_documented(text: str) -> None:
    is_complete = strategy_of(text, grid_from_text("...\n...\n..."), WORDS).is_complete
    assert is_complete is (text not in ("fsharp-word", "permuted-index"))


@every_strategy
def test_an_impossible_grid_ends(name: str) -> None:
    words = {"ABC": 1, "BCD": 1, "CDE": 1, "XYZ": 5, "ZZA": 1}
    strategy = judge(strict(name), grid_from_text("...\n...\n..."), words)
    assert not strategy.counters.fills
    assert strategy.outcome is (Outcome.IMPOSSIBLE if strategy.proves_impossible else Outcome.UNKNOWN)
    assert strategy.reason


@every_strategy
@pytest.mark.parametrize("corner", [".", "Q"], ids=["by searching", "before any search"])
def test_an_impossible_grid_ends_at_full_speed_too(name: str, corner: str) -> None:
    words = {"ABC": 1, "BCD": 1, "CDE": 1, "XYZ": 5, "ZZA": 1}
    strategy = strategy_of(strict(name), grid_from_text(f"{corner}..\n...\n..."), words)
    for _ in range(3):
        strategy.advance(Budget(1000))
    assert strategy.is_over
    assert strategy.outcome is (Outcome.IMPOSSIBLE if strategy.proves_impossible else Outcome.UNKNOWN)
    assert strategy.reason


@every_strategy
def test_after_its_last_fill_it_ends_at_full_speed(name: str) -> None:
    grid = grid_from_text("C..\n...\n...")
    words = dict.fromkeys(["CAT", "COT", "ATE", "TEN", "CON", "OTE", "TEE", "NET"], 50)
    strategy = strategy_of(name, grid, words, allow_repeats=True)
    for _ in range(100):
        strategy.advance(Budget(1000))
    assert strategy.is_over


@pytest.mark.parametrize(
    "text", ["top-ten", "qxw-cells", "copeland", "copeland:order=greedy", "fsharp-word:back=step,draw=no"]
)
@pytest.mark.parametrize(("words", "fills"), [("berghel_rankin_134.txt", 72), ("berghel_rankin_128_nosol.txt", 0)])
def test_all_fills_of_the_published_word_squares_are_found(text: str, words: str, fills: int) -> None:
    """Berghel and Rankin's lists, for which all 72 double squares are known."""
    task = Task(grid_from_text("\n".join(["....."] * 5)), published_lexicon(words), allow_repeats=True)
    found = all_fills(StrategyChoice.parse(text).make(task))
    assert len({frozenset(fill.items()) for fill in found}) == len(found) == fills


@every_strategy
def test_a_recorded_search_reports_all_its_events(name: str) -> None:
    grid = grid_from_text("...\n...\n...")
    recorded = strategy_of(name, grid, WORDS, seed=5)
    recorded.record()
    told: list[str] = []
    while not recorded.is_over and recorded.outcome is Outcome.RUNNING:
        recorded.advance(Budget(0.001), Until((EventKind.BACKTRACK,)))
        stretch, missed = recorded.take_recorded()
        assert not missed
        told += [stretch[index].describe() for index in range(len(stretch))]
    expected = trail_of(strategy_of(name, grid, WORDS, seed=5), len(told))
    assert told == expected
    assert told


@every_strategy
def test_it_runs_to_the_requested_event(name: str) -> None:
    grid = grid_from_text("...\n...\n...")
    strategy, twin = (strategy_of(name, grid, WORDS, seed=5) for _ in range(2))
    first = strategy.advance(until=ANY_EVENT)
    assert first == next(twin.run())
    decided = strategy.advance(until=Until((EventKind.DECIDE,)))
    assert decided is None or decided.kind is EventKind.DECIDE
    while strategy.outcome is Outcome.RUNNING:
        event = strategy.advance(until=Until(entry="1D"))
        assert event is None or event.slot == "1D"
    assert strategy.counters.deepest >= strategy.depth > 0


@pytest.mark.parametrize("name", [name for name in HERE if name not in ("xwtui", "sat")])
@pytest.mark.parametrize("options", [{}, {"r1c1": "C", "r2c2": "A", "r3c3": "A"}], ids=["whole", "in part"])
def test_it_starts_from_the_current_grid(name: str, options: dict[str, str]) -> None:
    grid = grid_from_text("...\n...\n...")
    wanted = all_fills(strategy_of("double-trie:letters=alphabetical", grid, WORDS))[-1]
    standing = {Position.parse(at): Content.parse(text) for at, text in options.items()} or wanted
    strategy = strategy_of(name, grid, WORDS)
    strategy.start_from(standing)
    fill = known(strategy.first_fill())
    if not options:
        assert fill == wanted
        assert strategy.counters.backtracks == 0
    else:
        assert sum(fill[at] == content for at, content in standing.items()) >= 1


@every_strategy
def test_its_rankings_refer_to_its_decisions(name: str) -> None:
    strategy = strategy_of(name, grid_from_text("...\n...\n..."), WORDS)
    strategy.advance(until=Until((EventKind.DECIDE,)))
    report = strategy.report_decision()
    assert report.tried in ("", strategy.decisions[-1].name)
    assert report.is_of_last is (name != "xwtui")


def test_an_unrecorded_search_keeps_no_events() -> None:
    strategy = strategy_of("top-ten", grid_from_text("...\n...\n..."), WORDS)
    strategy.first_fill()
    stretch, missed = strategy.take_recorded()
    assert (len(stretch), missed) == (0, 0)


@every_strategy
def test_a_closed_search_is_freed(name: str) -> None:
    strategy = strategy_of(name, grid_from_text("...\n...\n..."), WORDS)
    strategy.advance(until=Until((EventKind.DECIDE,)))
    gone = weakref.ref(strategy)
    gc.disable()
    try:
        strategy.close()
        del strategy
        assert gone() is None
    finally:
        gc.enable()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("xwtiu", "there is no strategy 'xwtiu'; did you mean xwtui?"),
        ("", "there is no strategy ''; there are xwtui"),
        ("xwtui:all", "xwtui: options are written name=value, not 'all'"),
        ("xwtui:all=perhaps", "xwtui: all is yes or no, not 'perhaps'"),
        ("xwtui:walk=snake", "xwtui has no option 'walk'; it has all"),
        ("xwtui:all=yes,all=no", "xwtui: all is given twice"),
    ],
)
def test_invalid_texts_name_what_is_expected(text: str, message: str) -> None:
    with pytest.raises(EngineError) as error:
        StrategyChoice.parse(text)
    assert str(error.value).startswith(message)


def test_a_choice_reads_back() -> None:
    for name, strategy in STRATEGIES.items():
        assert str(StrategyChoice.parse(name.upper())) == name
        for option in strategy.options:
            for value in option.choices or map(str, option.bounds or ()):
                choice = StrategyChoice.parse(f"{name}:{option.name}={value}")
                assert StrategyChoice.parse(str(choice)) == choice
                assert choice.values.word(option.name) == value


def test_a_former_name_still_works() -> None:
    assert str(StrategyChoice.parse("double-trie:order=fewest")) == "trie:order=fewest"


def test_numbers_stay_in_bounds() -> None:
    options = [Option.number("pool", 10, 1, 500, "words compared")]
    assert OptionValues.of("some", options).number("pool") == 10
    assert OptionValues.of("some", options, {"pool": " 007 "}).number("pool") == 7
    for wrong in ("0", "501", "-3", "x", "", "²", "9" * 5000):
        with pytest.raises(EngineError, match="some: pool is a whole number from 1 to 500, not"):
            OptionValues.of("some", options, {"pool": wrong})


def test_the_registry_loads_no_engine() -> None:
    code = "import sys, xwtui.strategies.registry; assert not {'numba', 'numpy', 'textual'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


NODES = {"sorted-index": 5_000, "trie": 100_000}
"""Words, and letters."""
FILLED = (
    "mini-5x5 square-[34]x* square-5x[3456] square-6x* square-7x4 9x9-0[12356] 11x11-0[1235] 13x13-0[234567] "
    "15x15-0* 15x15-1[03456789] 15x15-20 british-* barred-* themeless-15x15 themeless-15x15-08 "
    "themeless-15x15-1[234567]"
)
"""Templates that other strategies fill with seed 0 or 1, and three more.

They are those of 148 templates up to 15×15 that copeland, top-ten or fsharp-word fills within 400 words, or
qxw-cells within 400 letters.
"""
QUICK = "mini-5x5 9x9-01 15x15-02 british-13x13-01"
MISSED = "square-6x5 square-4x8 9x9-03 9x9-04"
"""Those that sorted-index did not fill within 600 nodes."""
LARGE = "17x17-01 19x19-0[12] 21x21-0[12] 21x21-12 21x21-1[678] 21x21-20 23x23-02"
"""Those of 36 larger templates that qxw-cells fills within 2,000 letters."""


def templates(patterns: str) -> list[str]:
    folder = puzzles_folder() / "templates"
    return sorted({path.name for pattern in patterns.split() for path in folder.glob(f"{pattern}.*")})


@cache
def words() -> Lexicon:
    return Lexicon.build([open_word_list(default_word_list()).word_list], minimum_score=40)


def is_filled(strategy: str, template: str, seed: int = 0) -> bool:
    grid = read_puzzle(puzzles_folder() / "templates" / template).grid
    search = StrategyChoice.parse(strategy).make(Task(grid, words()), seed)
    while search.outcome is Outcome.RUNNING and search.counters.nodes < NODES[strategy]:
        search.advance(Budget(nodes=100))
    return search.outcome is Outcome.FILLED


@pytest.mark.parametrize("template", templates(FILLED) if is_deep() else templates(QUICK))
@pytest.mark.parametrize(("strategy", "seed"), [("trie", 0), ("sorted-index", 0), ("sorted-index", 1)])
def test_templates_filled_by_others_are_filled(strategy: str, seed: int, template: str) -> None:
    """`trie` uses one seed, since it is not random."""
    assert is_filled(strategy, template, seed)


@pytest.mark.parametrize("template", templates(f"{MISSED} {LARGE}" if is_deep() else MISSED))
def test_repeated_joins_fill_what_was_missed(template: str) -> None:
    assert is_filled("sorted-index", template)

"""The library API: what `import xwtui` exports, in threads and in other processes, lazily and typed."""

import ast
import doctest
import inspect
import math
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from multiprocessing import get_context
from operator import attrgetter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import xwtui
from tests.engine.small_problems import HARD_GRID, HARD_WORDS
from xwtui import api, insight
from xwtui.engine.budget import ALL_CORES, Budget, threads_of
from xwtui.errors import EngineError, PuzzleError, PuzzleFormatError, VerbError, WordListError
from xwtui.model import Puzzle, WordChoice
from xwtui.parameters import SECONDS, SEED
from xwtui.session.session import Session
from xwtui.session.verbs.registry import VERBS, run_line
from xwtui.words.lexicon import Lexicon
from xwtui.words.word_list import WordList

WORDS = ("BAT", "ARE", "TEN", "BAR", "ATE", "REN", "TAR")
SMALL = Puzzle.blank(3, 3)
HARD = Puzzle(HARD_GRID)


def lexicon_of(words: dict[str, int]) -> Lexicon:
    return Lexicon.build([WordList.from_scores("mine", words)])


def small_words() -> Lexicon:
    return lexicon_of(dict.fromkeys(WORDS, 50))


def asked(seed: int) -> "tuple[object, ...]":
    """Return one of every kind of result, on a small grid."""
    words = small_words()
    filled = xwtui.fill(SMALL, words=words, allow_repeats=True, seed=seed)
    counted = xwtui.count(SMALL, words=words, allow_repeats=True, seed=seed)
    costs = xwtui.candidates(SMALL, "1a", words=words, allow_repeats=True, seed=seed)
    better = xwtui.improve(filled.puzzle, words=words, allow_repeats=True, seed=seed)
    why = xwtui.explain(SMALL, trying=("1A", "TEN"), words=words, allow_repeats=True, seed=seed)
    return filled.answers, counted, [(one.word, one.standing) for one in costs], better.answers, why.answer


def filled_hard(seed: int, words: Lexicon | None = None) -> dict[str, str]:
    given = words if words is not None else lexicon_of(HARD_WORDS)
    return dict(xwtui.fill(HARD, words=given, seed=seed).answers)


# Exports


def names_for_type_checkers() -> dict[str, str]:
    """Return each exported name and its module, as declared to type checkers in `xwtui/__init__.py`."""
    tree = ast.parse(Path(xwtui.__file__).read_text(encoding="utf-8"))
    [typed] = [node for node in tree.body if isinstance(node, ast.If)]
    return {
        name.name: node.module
        for node in typed.body
        if isinstance(node, ast.ImportFrom) and node.module is not None
        for name in node.names
    }


def test_names_for_type_checkers_match_the_exports() -> None:
    told = names_for_type_checkers()
    assert set(xwtui.__all__) == {*told, "__version__"}
    for name, module in told.items():
        home = sys.modules.get(module) or __import__(module, fromlist=[name])
        given = getattr(xwtui, name)
        assert given is (sys.modules[f"xwtui.{name}"] if module == "xwtui" else getattr(home, name))


def test_expected_names_are_exported_and_others_raise() -> None:
    wanted = "open_puzzle save fill improve count candidates explain what_if export Lexicon insight"
    assert set(wanted.split()) <= set(xwtui.__all__) <= set(dir(xwtui))
    with pytest.raises(AttributeError, match="no attribute 'solve'"):
        xwtui.solve  # noqa: B018


def test_every_function_has_docstring_and_annotations() -> None:
    for name in xwtui.__all__:
        given = getattr(xwtui, name)
        if inspect.isfunction(given):
            assert given.__doc__, name
            signature = inspect.signature(given)
            assert signature.return_annotation is not signature.empty
            assert all(one.annotation is not one.empty for one in signature.parameters.values())


_PROBE = "import sys, xwtui; {}; print(*sorted({{'numpy', 'numba', 'textual'}} & sys.modules.keys()))"


@pytest.mark.parametrize(
    ("statement", "loaded"),
    [
        ("pass", ""),
        ("xwtui.open_puzzle('{mini}'), xwtui.fill, xwtui.Outcome", ""),
        ("xwtui.Lexicon", "numpy"),
    ],
)
def test_a_name_imports_no_more_than_it_needs(statement: str, loaded: str) -> None:
    mini = Path(xwtui.__file__).parents[1] / "puzzles" / "templates" / "mini-5x5.txt"
    program = _PROBE.format(statement.format(mini=mini.as_posix()))
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=120)
    assert done.stdout.strip() == loaded


# Files


def test_a_saved_puzzle_is_read_back(tmp_path: Path) -> None:
    filled = xwtui.fill(SMALL, words=small_words(), allow_repeats=True).puzzle
    xwtui.save(filled, str(tmp_path / "small.ipuz"))
    assert xwtui.open_puzzle(tmp_path / "small.ipuz") == filled
    with pytest.raises(PuzzleError, match="use export"):
        xwtui.save(filled, tmp_path / "small.puz")
    assert xwtui.export(filled, tmp_path / "small.puz", lossy=True) == ()
    assert xwtui.open_puzzle(tmp_path / "small.puz").grid.answer(filled.grid.slot("1A")) in WORDS
    with pytest.raises(PuzzleFormatError, match="nowhere"):
        xwtui.open_puzzle(tmp_path / "nowhere.ipuz")


def test_a_puzzles_own_lists_come_from_its_folder(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("\n".join(WORDS) + "\n")
    puzzle = Puzzle(SMALL.grid, words=WordChoice(lists=("mine.txt",)))
    assert set(xwtui.fill(puzzle, folder=tmp_path, allow_repeats=True).answers.values()) <= set(WORDS)


def test_skipped_lines_are_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "mine.dict").write_text("BAT;50\nTEN;many\n")
    assert xwtui.open_words(tmp_path / "mine.dict").score("BAT") == 50
    ours = [
        record for record in caplog.records if record.name.startswith("xwtui")
    ]  # asyncio may log during other tests
    assert [record.name for record in ours] == ["xwtui"]


# Fills


def test_results_are_immutable() -> None:
    filled = xwtui.fill(SMALL, words=small_words(), allow_repeats=True)
    for value in (filled, xwtui.improve(filled.puzzle, words=small_words(), allow_repeats=True)):
        with pytest.raises(AttributeError):
            value.puzzle = SMALL  # type: ignore[misc]


def test_a_failed_fill_keeps_the_puzzle_and_explains_why() -> None:
    found = xwtui.fill(SMALL, words=small_words())
    assert (found.outcome, found.puzzle, found.answers) == (xwtui.Outcome.IMPOSSIBLE, SMALL, {})
    assert found.reason


def test_cancelled_calls_return_what_they_have() -> None:
    stop = threading.Event()
    stop.set()
    words = small_words()
    assert xwtui.fill(SMALL, words=words, cancelled=stop.is_set).outcome is xwtui.Outcome.CANCELLED
    assert xwtui.improve(SMALL, words=words, cancelled=stop.is_set).puzzle == SMALL
    assert xwtui.explain(SMALL, words=words, cancelled=stop.is_set).answer is xwtui.insight.Answer.CANCELLED
    assert xwtui.what_if(SMALL, xwtui.insight.Blocks(), words=words, cancelled=stop.is_set).was_cancelled


def test_invalid_arguments_raise() -> None:
    with pytest.raises(PuzzleError):
        xwtui.candidates(SMALL, "9A", words=small_words())
    with pytest.raises(EngineError):
        xwtui.Objective.flattened(0)


# Threads and processes


def test_many_threads_find_the_same_as_one() -> None:
    words, seeds = lexicon_of(HARD_WORDS), range(6)
    alone = [filled_hard(seed) for seed in seeds]
    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(partial(filled_hard, words=words), seeds)) == alone
        assert list(pool.map(filled_hard, seeds)) == alone
    assert all(alone)


def test_all_functions_run_concurrently_in_threads() -> None:
    begin = threading.Barrier(4)

    def ask(seed: int) -> tuple[object, ...]:
        begin.wait()
        return asked(seed)

    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(ask, [1, 1, 2, 2]))
    assert together == [asked(seed) for seed in (1, 1, 2, 2)]


def test_spawned_processes_find_the_same_as_this_one() -> None:
    words = lexicon_of(HARD_WORDS)
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        sent = [pool.submit(xwtui.fill, HARD, words=words, seed=seed) for seed in range(3)]
        everything = pool.submit(asked, 1)
        here = [xwtui.fill(HARD, words=words, seed=seed) for seed in range(3)]
        assert [each.result().puzzle for each in sent] == [each.puzzle for each in here]
        assert everything.result() == asked(1)


def results() -> list[Callable[[], Any]]:
    words: dict[str, Any] = {"words": small_words(), "allow_repeats": True}
    return [
        lambda: xwtui.fill(SMALL, **words),
        lambda: xwtui.improve(xwtui.fill(SMALL, **words).puzzle, **words),
        lambda: xwtui.count(SMALL, **words),
        lambda: xwtui.candidates(SMALL, "1A", **words),
        lambda: xwtui.explain(SMALL, trying=("1A", "TEN"), **words),
        lambda: xwtui.what_if(SMALL, xwtui.insight.Themers(("BAT", "TEN")), **words),
        lambda: xwtui.what_if(SMALL, xwtui.insight.Blocks(), **words),
    ]


@pytest.mark.parametrize("result", results())
def test_results_can_be_pickled(result: Callable[[], Any]) -> None:
    value = result()
    assert pickle.loads(pickle.dumps(value)) == value


def test_api_module_holds_the_functions() -> None:
    assert all(getattr(api, name) is getattr(xwtui, name) for name in ("fill", "count", "save"))


def test_words_are_read_in_an_alphabet(tmp_path: Path) -> None:
    (tmp_path / "sv.txt").write_text("måne;50\n", encoding="utf-8")
    assert xwtui.open_words(tmp_path / "sv.txt", alphabet="swedish").score("MÅNE") == 50
    assert xwtui.open_words(tmp_path / "sv.txt").score("MANE") == 50
    with pytest.raises(WordListError, match="there is no alphabet"):
        xwtui.open_words(alphabet="klingon")


@pytest.mark.parametrize(
    ("function", "keyword", "verb", "parameter"),
    [
        ("fill", "first", "fill", "first"),
        ("fill", "allow_repeats", "fill", "allow_repeats"),
        ("fill", "threads", "fill", "threads"),
        ("count", "seconds", "count", "seconds"),
        ("explain", "seconds", "why", "seconds"),
        ("insight.design", "choose", "design", "choose"),
        ("insight.design", "most_words", "design", "most_words"),
        ("insight.design", "is_quick", "design", "quick"),
        ("insight.design", "revealer", "design", "revealer"),
    ],
)
def test_keyword_help_matches_the_option_help(function: str, keyword: str, verb: str, parameter: str) -> None:
    [option] = [each for each in VERBS[verb].options if each.name == parameter]
    told = attrgetter(function)(xwtui).__doc__
    assert f"\n    {keyword}: {(option.help or '').partition(' (default')[0]}" in told


@pytest.mark.parametrize(
    ("line", "keyword", "value", "said"),
    [
        ("fill --seed 4294967296", "seed", 2**32, "is not a whole number from 0 to 4,294,967,295"),
        ("fill --threads 257", "threads", 257, "is not a whole number from 0 to 256"),
        ("fill --time 604801", "seconds", 604801, "is not a time in seconds such as 5 or 0.5 .604,800 at most."),
    ],
)
def test_out_of_bounds_values_raise_with_the_same_message(line: str, keyword: str, value: int, said: str) -> None:
    with pytest.raises(VerbError, match=said):
        run_line(Session(), line)
    asked: dict[str, Any] = {keyword: value}
    for function in (xwtui.fill, xwtui.improve, xwtui.count, xwtui.explain):
        with pytest.raises(PuzzleError, match=f"{keyword}: {value} {said}"):
            function(SMALL, **asked)


def test_in_bounds_values_are_accepted_and_unknown_keywords_refused() -> None:
    assert Budget.of({"threads": ALL_CORES}).threads == threads_of(ALL_CORES)
    assert SECONDS.checked(math.inf) == math.inf
    assert type(SEED.checked(np.int64(5))) is int
    assert xwtui.fill(SMALL, words=small_words(), allow_repeats=True, seed=np.int64(3)).seed == 3  # type: ignore[arg-type]
    for function in (xwtui.fill, xwtui.improve, xwtui.count, xwtui.explain):
        name = function.__name__
        with pytest.raises(TypeError, match=rf"^{name}\(\) has no keyword 'second'; did you mean 'seconds'\?$"):
            function(SMALL, second=1)  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("keyword", "said"),
    [
        ("seed", "is not a whole number from 0"),
        ("threads", "is not a whole number from 0"),
        ("cancelled", "is not allowed; leave it out instead"),
        ("allow_repeats", "is not allowed; leave it out instead"),
    ],
)
def test_none_is_accepted_only_where_it_has_a_meaning(keyword: str, said: str) -> None:
    asked: dict[str, Any] = {keyword: None}
    with pytest.raises(PuzzleError, match=f"^{keyword}: None {said}"):
        xwtui.fill(SMALL, **asked)
    words = small_words()
    assert xwtui.fill(SMALL, words=words, folder=None, seconds=None, allow_repeats=True).answers
    with pytest.raises(PuzzleError, match="None is not a whole number from 0 to 100"):
        xwtui.open_words(minimum_score=None)  # type: ignore[arg-type]


def test_docstrings_state_defaults_and_bounds() -> None:
    assert "seconds: time limit in seconds, None for none; 0 to 604,800 (default: 5)" in str(xwtui.count.__doc__)
    told = str(xwtui.insight.design.__doc__)
    assert "most_words: maximum number of entries (default: the profile's); 1 to 1,000" in told
    assert "left-right where that alone suits the answers" in told
    usual = {name: each.default for name, each in inspect.signature(xwtui.problem_of).parameters.items()}
    assert usual | {"puzzle": 0, "keywords": 0} == {
        "puzzle": 0,
        "words": None,
        "folder": None,
        "allow_repeats": False,
        "keywords": 0,
    }
    assert inspect.signature(xwtui.fill).parameters["first"].default is False


def test_the_examples_run() -> None:
    ran = doctest.testmod(insight)
    assert ran.attempted > 5
    assert ran.failed == 0

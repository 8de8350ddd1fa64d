"""Benchmarks other than the contest, and their tables and pages."""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Self

import pytest

from bench import tracing
from bench.big_lists import as_list, resized
from bench.document import with_part, write_part
from bench.fillers.field import OURS
from bench.keys import _walk
from bench.kinds import KINDS, chosen, spread
from bench.measured import measured
from bench.public_table import CheckedProof, Instance, Page, Square, line, markdown, proof_line, summary
from bench.published import Published
from bench.quality import Quality, quality_lines
from bench.result import Scores
from bench.side_by_side import sharing
from bench.switch_positions import SWITCHES
from bench.switches import Figures, Measured, Row, page, rows
from bench.tables import duration, geometric_mean, table
from bench.tails import HALVES, POSITIONS, TailFigures, halves, tails
from bench.untraced import copy_untraced
from tests.engine.small_problems import problem_of
from tests.known import known
from xwtui.formats.grid_text import grid_from_text
from xwtui.grids.profiles import find_profile, judge
from xwtui.model.statistics import LayoutFigures
from xwtui.words.reader import read_word_list

WORDS = {"BANANA": 50, "BANDANA": 60, "CABANA": 70, "ANANAS": 45, "R2D2": 50}


def test_a_smaller_list_is_a_sample_with_its_scores() -> None:
    small = resized(WORDS, 3)
    assert len(small) == 3
    assert small.items() <= WORDS.items()


def test_a_larger_list_has_all_words_and_reproducible_invented_ones() -> None:
    large = resized(WORDS, 100)
    assert len(large) == 100
    assert WORDS.items() <= large.items()
    assert large == resized(WORDS, 100)
    invented = large.keys() - WORDS.keys()
    assert {len(word) for word in invented} <= {6, 7}
    assert all(word.isalpha() for word in invented)
    likely = sum(pair in "".join(WORDS) for word in invented for pair in (word[:2], word[2:4], word[4:6]))
    assert likely > 2 * len(invented)


def test_a_list_reads_back() -> None:
    read = read_word_list(as_list(WORDS).encode(), "list")
    assert dict(read.word_list) == WORDS
    assert not read.bad_lines


@pytest.mark.parametrize(
    ("seconds", "told"), [(0.0004, "0.4 ms"), (0.0123, "12.3 ms"), (0.456, "456 ms"), (12.34, "12.3 s")]
)
def test_a_duration_has_a_unit(seconds: float, told: str) -> None:
    assert duration(seconds) == told


def test_a_table_is_markdown_with_right_aligned_figures() -> None:
    assert table(["kind", "n"], [["a", "10"], ["bcdefg", "2"]]) == [
        "| kind   |  n |",
        "| ------ | -: |",
        "| a      | 10 |",
        "| bcdefg |  2 |",
    ]


def test_a_geometric_mean_is_of_ratios() -> None:
    assert geometric_mean([0.5, 2.0, 8.0]) == pytest.approx(2.0)


def test_qualities_are_averaged_over_what_we_and_a_peer_filled() -> None:
    qualities = [
        Quality("one", {OURS: Scores(50, 40), "peer": Scores(48, 41)}),
        Quality("two", {OURS: Scores(52, 45), "peer": Scores(50, 42)}),
        Quality("three", {OURS: Scores(90, 80)}),
        Quality("four", {"peer": Scores(1, 1)}),
    ]
    lines = quality_lines(qualities, [OURS, "peer"])
    told = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    assert told[2:5] == [
        ["all that we fill", "3", "64.0 / 55.0", ""],
        ["peer", "2", "51.0 / 42.5", "49.0 / 41.5"],
        [""],
    ]
    assert told[7:] == [
        ["one", "50.0 / 40", "48.0 / 41"],
        ["two", "52.0 / 45", "50.0 / 42"],
        ["three", "90.0 / 80", "-"],
        ["four", "-", "1.0 / 1"],
    ]


def test_parts_of_the_document_are_replaced_one_by_one(tmp_path: Path) -> None:
    text = with_part(with_part("", "One", ["first"]), "Two", ["second"])
    again = with_part(text, "One", ["new"])
    assert again == text.replace("first", "new")
    path = tmp_path / "bench.md"
    write_part("Two", ["a \\1 b"], path)
    write_part("Two", ["c"], path)
    assert path.read_text().count("## Two") == 1
    assert "a \\1 b" not in path.read_text()


def test_a_spread_sample_is_evenly_spaced() -> None:
    paths = [Path(str(number)) for number in range(10)]
    assert [path.name for path in spread(paths, 4)] == ["0", "2", "5", "7"]
    assert spread(paths, 10) == spread(paths, 20) == paths


def test_kinds_are_chosen_by_pattern() -> None:
    ((kind, paths),) = chosen(["21x21-*.txt"], 4)
    assert (kind.name, len(paths)) == ("21x21", 4)
    assert [kind for kind, _ in chosen(["*"], None)] == list(KINDS)


def test_a_process_is_measured() -> None:
    run = known(measured([sys.executable, "-c", "import os; print(os.environ['WHAT'])"], {"WHAT": "this"}))
    assert (run.output, run.status) == ("this\n", 0)
    assert run.peak_megabytes > 1
    failed = known(measured([sys.executable, "-c", "raise SystemExit(3)"]))
    assert failed.status == 3


def test_an_endless_process_is_stopped() -> None:
    for_ever = [sys.executable, "-c", "while True: pass"]
    assert measured(for_ever, seconds=0.2) is None
    assert measured(for_ever, processor_seconds=0.2) is None


def test_arrows_go_from_the_first_entry_to_the_edge_and_back() -> None:
    walked = [effect for _, effect in islice(_walk(grid_from_text("#...\n....\n....\n...#")), 5)]
    assert walked == ["r1c3 ", "r1c4 ", "r1c3 ", "r1c2 ", "r1c3 "]


PUBLISHED = Published({"COMBUS": 86.0, "Gecode": None, "restarts": 1.576, "no-goods": 1.582})
FILLED = Instance("words", "15.01", ["filled", "filled"], [0.5, 0.25], [76, 100], PUBLISHED)
OPEN = Instance("words", "15.02", ["filled", "unknown"], [0.5, 10.0], [76, 9000], Published.unknown())


def test_a_line_has_our_medians_and_the_published_seconds() -> None:
    assert line(FILLED).split() == ["words", "15.01", "filled", "88", "0.375", "86", "-", "1.58", "1.58"]
    assert line(OPEN).split()[2] == "unknown"


def test_only_instances_settled_by_every_seed_count() -> None:
    assert summary([FILLED, OPEN]) == [
        "words: 1 of 2 settled, median 0.375 s, slowest 0.38 s "
        "(settled by others: COMBUS 1, Gecode 0, restarts 1, no-goods 1)"
    ]
    assert summary([OPEN])[0].startswith("words: 0 of 1 settled (")


def test_the_page_has_all_parts() -> None:
    page = Page("One seed.", [FILLED, OPEN], [Square("list", 5, "all fills", "72", 0.1)], "## Notes\n\nTried.\n")
    text = markdown(page)
    for part in ("# The public grids\n", "One seed.", "| words | 15.01 | filled |", "| 5×5 | all fills | 72 |"):
        assert part in text
    assert text.endswith("## Notes\n\nTried.\n")
    assert "Proofs, checked" not in text
    assert "Word squares" not in markdown(Page("One seed.", [FILLED]))


def test_a_checked_proof_has_its_row() -> None:
    proof = CheckedProof("words", "23.01", "accepted: there is no fill; leaves: 1", 801, 0.5, 0.25)
    row = "| words | 23.01 | accepted: there is no fill; leaves: 1 | 801 | 0.5 | 0.2 |"
    assert row in markdown(Page("", proofs=[proof]))
    assert proof_line(proof).split()[:4] == ["words", "23.01", "801", "0.5"]


class HereClient:
    """Replaces Dask's client."""

    def __init__(self, address: str, **_: Any) -> None:
        assert address == "tcp://there:1"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def get_executor(self, **_: Any) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(2)


@pytest.mark.parametrize("scheduler", ["", "tcp://there:1"])
def test_answers_keep_the_order_of_the_cases(scheduler: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", SimpleNamespace(Client=HereClient))
    with sharing(scheduler) as ask_each:
        assert list(ask_each(str, range(9))) == list("012345678")


THREE = problem_of(grid_from_text("...\n###\n...\n"), {"CAT": 50, "DOG": 40})


def test_every_other_position_differs_from_the_default() -> None:
    for switch in SWITCHES:
        assert switch.others
        assert len({switch.usual, *switch.others.values()}) == len(switch.others) + 1, switch.name


def test_an_unsettled_run_counts_twice() -> None:
    found = Figures.of([Measured(50, 0.5, is_settled=False), Measured(1, 0.25, is_settled=True)])
    assert found.nodes == pytest.approx(10)
    assert found[1:] == (0.75, 1, 2)


def test_a_switch_has_rows_for_all_positions() -> None:
    told = list(rows([THREE], SWITCHES[0].name, seeds=2, nodes=100))
    assert [row.position for row in told] == ["as it is", *SWITCHES[0].others]
    assert all(row.found.settled == row.found.runs == 2 for row in told)
    assert [row.usual for row in told] == [None] + [told[0].found] * len(SWITCHES[0].others)


def test_the_page_has_ratios_to_the_default_search() -> None:
    usual, other = Figures(10.0, 0.5, 2, 2), Figures(25.0, 0.75, 1, 2)
    text = page([Row("noise", "as it is", usual, None), Row("", "none", other, usual)], "*today*")
    assert "\n*today*\n" in text
    assert "| noise  | as it is |    10 |       |     0.5 |  2 of 2 |\n" in text
    assert "|        |     none |    25 |  2.50 |     0.8 |  1 of 2 |\n" in text


def test_every_grid_is_legal_under_its_profile_with_66_to_72_words() -> None:
    kept = tails()
    assert len({tail.grid for tail in kept}) == len({tail.name for tail in kept}) == len(kept)
    for name, grid in kept:
        assert not judge(grid, find_profile(name.rsplit("-", 2)[0])), name
        assert 66 <= LayoutFigures.of(grid).words <= 72


def test_grids_alternate_between_choosing_and_judging() -> None:
    parts = halves(tails())
    assert list(parts) == list(HALVES)
    assert not {tail.name for tail in parts["choosing"]} & {tail.name for tail in parts["judging"]}
    assert abs(len(parts["choosing"]) - len(parts["judging"])) <= 1


def test_policies_differ() -> None:
    assert len(set(POSITIONS.values())) == len(POSITIONS)


def test_a_run_at_the_limit_is_reported_as_unfilled() -> None:
    found = TailFigures.of([[1, 10, 100], [10, 10, 10]], limit=100)
    assert found.mean == pytest.approx(10)
    assert (found.arithmetic, found.unfilled, found.runs) == (23.5, 1, 6)
    assert found.spread == pytest.approx((8.2) ** 0.5)
    assert found.tame == 1


_PROGRAM = """
import json, sys
sys.path.insert(0, sys.argv[1])
from xwtui.engine.fill.filler import Filler
from xwtui.engine.problem.problem import Problem
from xwtui.model import Grid
from xwtui.words.lexicon import Lexicon
from xwtui.words.word_list import WordList
words = [a + b + c for a in "ABC" for b in "BCD" for c in "ADE"] + ["QQQ", "AQA"]
lexicon = Lexicon.build([WordList.from_scores("small", dict.fromkeys(words, 50))])
filler = Filler(Problem.build(Grid.blank(3, 3), lexicon), seed=5, trace=True)
filler.advance(nodes=50)
print(json.dumps([filler.statistics.nodes, filler.statistics.backtracks, len(filler.take_recorded())]))
"""
ROOT = Path(__file__).resolve().parents[2]


def searched(package: Path) -> list[int]:
    """Return nodes, backtracks and events of a small search with a copy of the package."""
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM, str(package)],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
    )
    found = json.loads(done.stdout)
    assert isinstance(found, list)
    return found


def test_without_tracing_the_search_is_the_same_without_events(tmp_path: Path) -> None:
    nodes, backtracks, events = searched(ROOT)
    assert nodes > 0
    assert events > nodes
    assert searched(copy_untraced(tmp_path)) == [nodes, backtracks, 0]


def test_a_ratio_compares_the_fastest_runs() -> None:
    group = [{"a": [3.0, 2.0], "b": [1.0, 5.0]}, {"a": [8.0], "b": [1.0]}]
    assert tracing.ratios(group, "a", "b") == [2.0, 8.0]


@pytest.mark.parametrize("seeds", [1, 3])
def test_each_template_is_searched_with_each_seed(seeds: int) -> None:
    found = tracing.cases(seeds)
    assert len(set(found)) == len(found) == 6 * seeds

"""What is measured beside the contest: lists of any size, quality, tables, kinds and the document."""

import sys
from pathlib import Path

import pytest

from bench.big_lists import as_list, resized
from bench.document import with_part, write_part
from bench.fillers.field import OURS
from bench.kinds import KINDS, chosen, spread
from bench.measured import measured
from bench.quality import Quality, quality_lines
from bench.result import Scores
from bench.tables import duration, geometric_mean, table
from tests.known import known
from xwtui.words.reader import read_word_list

WORDS = {"BANANA": 50, "BANDANA": 60, "CABANA": 70, "ANANAS": 45, "R2D2": 50}


def test_a_smaller_list_is_a_sample_with_its_scores() -> None:
    small = resized(WORDS, 3)
    assert len(small) == 3
    assert small.items() <= WORDS.items()


def test_a_larger_list_has_all_words_and_invented_ones_the_same_each_time() -> None:
    large = resized(WORDS, 100)
    assert len(large) == 100
    assert WORDS.items() <= large.items()
    assert large == resized(WORDS, 100)
    invented = large.keys() - WORDS.keys()
    assert {len(word) for word in invented} <= {6, 7}
    assert all(word.isalpha() for word in invented)
    likely = sum(pair in "".join(WORDS) for word in invented for pair in (word[:2], word[2:4], word[4:6]))
    assert likely > 2 * len(invented)


def test_a_list_is_read_back() -> None:
    read = read_word_list(as_list(WORDS).encode(), "list")
    assert dict(read.word_list) == WORDS
    assert not read.bad_lines


@pytest.mark.parametrize(
    ("seconds", "told"), [(0.0004, "0.4 ms"), (0.0123, "12.3 ms"), (0.456, "456 ms"), (12.34, "12.3 s")]
)
def test_a_duration_has_a_unit(seconds: float, told: str) -> None:
    assert duration(seconds) == told


def test_a_table_is_markdown_with_figures_to_the_right() -> None:
    assert table(["kind", "n"], [["a", "10"], ["bcdefg", "2"]]) == [
        "| kind   |  n |",
        "| ------ | -: |",
        "| a      | 10 |",
        "| bcdefg |  2 |",
    ]


def test_a_geometric_mean_is_of_ratios() -> None:
    assert geometric_mean([0.5, 2.0, 8.0]) == pytest.approx(2.0)


def test_qualities_are_told_with_their_means_over_what_we_and_a_peer_filled() -> None:
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


def test_a_spread_takes_from_all_over() -> None:
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


def test_a_process_that_goes_on_for_ever_is_stopped() -> None:
    for_ever = [sys.executable, "-c", "while True: pass"]
    assert measured(for_ever, seconds=0.2) is None
    assert measured(for_ever, processor_seconds=0.2) is None

"""The benchmark's referee objects when it should, and its tables show what was measured."""

import io
import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from bench.contest import Rules, Standing, entries_of, hold
from bench.fillers.filler import Filler
from bench.fillers.qxw import filled_rows
from bench.fillers.server import Server, ServerError, serve
from bench.judge import objection
from bench.report import Report
from bench.result import Run, Scores, median_seconds, scores
from xwtui.resources import puzzles_folder

OPEN = ["...", "...", "..."]
FILLED = ["CAB", "ORE", "DYE"]
WORDS = dict.fromkeys(["CAB", "ORE", "DYE", "COD", "ARY", "BEE"], 50)


def test_a_good_fill_has_no_objection() -> None:
    assert objection(OPEN, FILLED, WORDS) == ""


@pytest.mark.parametrize(
    ("template", "filled", "objected"),
    [
        (OPEN, ["CA#", "ORE", "DYE"], "it is another grid"),
        (OPEN, ["CAB", "ORE"], "it is another grid"),
        (OPEN, ["CAB", "OR.", "DYE"], "3D is not filled"),
        (OPEN, ["CAB", "ORE", "DYA"], "DYA is not in the list"),
        (OPEN, ["CAB", "ORE", "D?E"], "is not a square"),
    ],
)
def test_a_bad_fill_has_an_objection(template: list[str], filled: list[str], objected: str) -> None:
    assert objected in objection(template, filled, WORDS)


def test_a_repeated_word_is_objected_to() -> None:
    words = dict.fromkeys(["BIT", "ICE", "TEN"], 50)
    assert objection(OPEN, ["BIT", "ICE", "TEN"], words) == "BIT comes twice"


def test_an_empty_template_is_not_a_fill() -> None:
    rows = (puzzles_folder() / "templates" / "15x15-01.txt").read_text().split()
    assert objection(rows, rows, {}).endswith("is not filled")


def test_the_median_covers_all_runs_and_is_missing_if_one_gave_up() -> None:
    rows = tuple(FILLED)
    runs = [Run(rows, 3), Run(rows, 1), Run(rows, 2)]
    assert median_seconds(runs) == 2
    assert median_seconds([*runs, Run((), 60)]) is None
    assert median_seconds([]) is None


def test_scores_are_of_the_entries_and_unlisted_words_count_zero() -> None:
    words = {"CAB": 60, "ORE": 40, "DYE": 80, "COD": 70, "ARY": 50}
    assert scores(FILLED, words) == Scores(50, 0)
    assert scores(FILLED, words | {"BEE": 30}) == Scores(55, 30)


def report() -> Report:
    rows = tuple(FILLED)
    easy = Standing("easy", 6, "small", {"xwtui": [Run(rows, 0.002)], "peer": [Run(rows, 0.004)]})
    hard = Standing("hard", 6, "small", {"xwtui": [Run(rows, 0.01)], "peer": [Run((), 10.0)]})
    odd_runs = {"xwtui": [Run(rows, 0.02)], "peer": [Run(rows, 0.01)]}
    odd = Standing("odd", 6, "large", odd_runs, {"peer": "CAB comes twice"})
    lost = Standing("lost", 6, "large", {"xwtui": [Run((), 60.0)], "peer": [Run(rows, 3.0)]})
    neither = Standing("neither", 6, "large", {"xwtui": [Run((), 60.0)], "peer": [Run((), 60.0)]})
    void = Standing("void", 6, "none", {"xwtui": [Run((), 0.5, is_proof=True)], "peer": [Run((), 10.0)]})
    return Report([easy, hard, odd, lost, neither, void], ["peer"])


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_template_rows_show_seconds_differences_ratios_and_who_gave_up() -> None:
    _, _, *rows = map(cells, report().by_template())
    assert rows == [
        ["easy", "6", "2.0 ms", "4.0 ms", "2.0 ms", "2.0"],
        ["hard", "6", "10.0 ms", "> 10 s", "≥ 10.0 s", "≥ 1000.0"],
        ["odd", "6", "20.0 ms", "10.0 ms*", "-10.0 ms", "0.5"],
        ["lost", "6", "> 60 s", "3.0 s", "≤ -57.0 s", "≤ 0.1"],
        ["neither", "6", "> 60 s", "> 60 s", "", ""],
        ["void", "6", "no fill: 500 ms", "> 10 s", "", ""],
    ]


def test_kind_rows_show_fill_counts_and_medians() -> None:
    _, _, *rows = map(cells, report().by_kind())
    assert rows == [
        ["small", "2", "2", "6.0 ms", "1", "5.0 s"],
        ["large", "3", "1", "> 60 s", "1", "3.0 s"],
        ["none", "1", "0", "500 ms", "0", "> 10 s"],
        ["all", "6", "3", "260 ms", "2", "6.5 s"],
    ]


def test_ratios_cover_common_fills_and_count_giving_up_as_the_limit() -> None:
    _, _, *rows = map(cells, report().beside("peer"))
    assert rows == [
        ["small", "1", "2.0", "2", "≥ 44.7", "never"],
        ["large", "1", "0.5", "2", "≤ 0.2", "≥ 57.0 s (lost)"],
        ["none", "0", "", "0", "", "never"],
        ["all", "2", "1.0", "4", "~ 2.7", "≥ 57.0 s (lost)"],
    ]


def test_the_verdicts_name_objections_losses_and_the_faster_searches() -> None:
    lines = report().verdicts()
    assert "- xwtui: 3 of 6 filled, every run judged." in lines
    assert "- peer: 2 of 6 filled, every run judged." in lines
    assert "  - \\* odd: CAB comes twice" in lines
    assert "- xwtui proved that there is no fill: void." in lines
    assert "- Left unfilled by xwtui with some seed: lost, neither." in lines
    assert "  - Of these, filled by peer: lost." in lines
    assert "- peer faster by more than 5 ms: odd (10.0 ms), lost (57.0 s)." in lines


class FakeRunning:
    """Fills after some seconds, gives up (on one seed or all), or cheats; records its requests."""

    def __init__(self, rows: tuple[str, ...], seconds: float = 0.5, *, is_proof: bool = False) -> None:
        self.run = Run(rows, seconds, is_proof)
        self.asked: list[tuple[int, float]] = []

    def fill(self, template: Path, seed: int, seconds: float) -> Run:
        self.asked.append((seed, seconds))
        return self.run if self.run.seconds <= seconds else Run((), seconds + 0.1)


def contest(tmp_path: Path, fakes: Mapping[str, FakeRunning], most_runs: int = 9) -> Standing:
    @contextmanager
    def start(words: Path, minimum_score: int) -> Iterator[FakeRunning]:
        assert words.read_text().startswith("CAB;50\n")
        yield waiting.pop(0)

    waiting = list(fakes.values())
    template = tmp_path / "open.txt"
    template.write_text("\n".join(OPEN) + "\n")
    rules = Rules(WORDS, 40, range(3), 10)
    fillers = [Filler(name, lambda: True, start, most_runs) for name in fakes]
    words = rules.write_words(tmp_path)
    (standing,) = hold({"small": [template]}, fillers, rules, words, lambda _: None)
    return standing


def test_fillers_take_turns_skip_after_giving_up_and_are_judged(tmp_path: Path) -> None:
    good, lazy = FakeRunning(tuple(FILLED)), FakeRunning(())
    liar = FakeRunning(("CAB", "ORE", "DYA"))
    standing = contest(tmp_path, {"good": good, "lazy": lazy, "liar": liar})
    assert good.asked == [(0, 10), (1, 10), (2, 10)]
    assert lazy.asked == [(0, 10)]
    assert standing.counted("lazy") == 10
    assert [standing.is_filled(name) for name in ("good", "lazy", "liar")] == [True, False, False]
    assert standing.objections == {"liar": "DYA is not in the list"}
    assert (standing.kind, standing.entries) == ("small", 6)


def test_a_proof_counts_its_own_time_and_giving_up_the_limit(tmp_path: Path) -> None:
    ours, lazy = FakeRunning((), is_proof=True), FakeRunning(())
    standing = contest(tmp_path, {"xwtui": ours, "lazy": lazy})
    assert lazy.asked == [(0, 10)]
    assert (standing.counted("xwtui"), standing.counted("lazy")) == (0.5, 10)


def test_fillers_that_used_the_limit_in_total_skip_other_seeds(tmp_path: Path) -> None:
    slow = FakeRunning(tuple(FILLED), 5)
    standing = contest(tmp_path, {"slow": slow})
    assert len(slow.asked) == 2
    assert standing.is_filled("slow")


def test_a_filler_without_seeds_runs_less_often(tmp_path: Path) -> None:
    same = FakeRunning(tuple(FILLED))
    contest(tmp_path, {"same": same}, most_runs=2)
    assert len(same.asked) == 2


def test_entries_are_runs_of_two_or_more() -> None:
    assert entries_of(["..#", "...", "#.."]) == 6
    assert entries_of([".#.", "###", ".#."]) == 0


def test_answers_of_a_deck_are_put_back_in_their_squares() -> None:
    slots = [((0, 0), (0, 1), (0, 2)), ((0, 0), (1, 0), (2, 0))]
    assert filled_rows(["...", ".##", ".##"], slots, "C0 1\nW0 CAB\nW1 COD\n") == ("CAB", "O##", "D##")


def test_a_server_answers_line_by_line() -> None:
    answers = io.StringIO()
    serve(lambda request: {"twice": 2 * request["number"]}, io.StringIO('{"number": 4}\n{"number": 5}\n'), answers)
    assert [json.loads(line) for line in answers.getvalue().splitlines()] == [{}, {"twice": 8}, {"twice": 10}]


ECHO = """
import sys
print("{}", flush=True)
for line in sys.stdin:
    if "die" in line:
        break
    print(line, end="", flush=True)
"""


def test_a_dead_server_is_restarted() -> None:
    with Server([sys.executable, "-c", ECHO]) as server:
        assert server.ask({"say": "one"}, 60) == {"say": "one"}
        assert server.ask({"say": "die"}, 60) is None
        assert server.ask({"say": "two"}, 60) == {"say": "two"}


def test_a_server_that_cannot_start_is_reported() -> None:
    with pytest.raises(ServerError, match="did not start"), Server([sys.executable, "-c", "pass"]):
        pass

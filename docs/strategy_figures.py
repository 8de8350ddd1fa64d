"""Measure what the pages of the strategies tell: `python -m docs.strategy_figures [NAME]...`.

Nodes and letters are the same on every machine; seconds are the processor's, of the machine of that run. The
lists of Cambon's thesis are not part of the project: where they are not at hand, their part is left as it is.
"""

import os
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from bench.document import circumstances
from bench.tables import duration, table
from docs.strategy_pages import FOLDER, with_part
from xwtui.engine.events.event import EventKind
from xwtui.engine.problem.task import Task
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Puzzle, WordChoice
from xwtui.model.edits import write_fill
from xwtui.model.statistics import grid_statistics
from xwtui.resources import puzzles_folder
from xwtui.strategies.protocol import Strategy
from xwtui.strategies.registry import StrategyChoice
from xwtui.words.lexicon import Lexicon
from xwtui.words.vocabulary import load_lexicon

_DATA = Path(os.environ.get("XWTUI_BENCH_DATA", FOLDER.parents[2] / "shared" / "bench"))
LARGE = "dicts/uk.txt"
FULL, NONE = "berghel_rankin_134.txt", "berghel_rankin_128_nosol.txt"
_SEEDS = 3
_SQUARE_SECONDS = 10
_ORDINARY = [f"15x15-{number:02}" for number in range(1, 21)]


@dataclass(frozen=True)
class Run:
    """What a search came to; `fills` 0 within the limit of seconds or nodes means that it was cut short."""

    strategy: Strategy
    seconds: float
    is_over: bool

    @property
    def fills(self) -> int:
        """How many it came to."""
        return self.strategy.counters.fills

    @property
    def nodes(self) -> int:
        """The decisions that it took."""
        return self.strategy.counters.nodes


@cache
def lexicon(words: str, minimum_score: int) -> Lexicon:
    """The words of a list of the published data, or of the default list for an empty name."""
    lists = (str(_DATA / words),) if words else ()
    return load_lexicon(WordChoice(lists, minimum_score=minimum_score)).lexicon


def search(
    text: str,
    template: str,
    *,
    words: str = "",
    minimum_score: int = 40,
    seed: int = 0,
    wants_all: bool = False,
    allow_repeats: bool = False,
    seconds: float = 5.0,
    nodes: int = 10**9,
) -> Run:
    """Search a template by a strategy, to the first fill or to the last, within processor seconds and nodes."""
    grid = grid_from_text((puzzles_folder() / "templates" / f"{template}.txt").read_text())
    choice = StrategyChoice.parse(text)
    strategy = choice.make(Task(grid, lexicon(words, minimum_score), allow_repeats), seed)
    begin = time.process_time()
    for event in strategy.run():
        if event.kind is EventKind.SOLVED and not wants_all:
            break
        if time.process_time() - begin > seconds or strategy.counters.nodes >= nodes:
            break
    return Run(strategy, time.process_time() - begin, strategy.is_over)


def _need(*lists: str) -> None:
    """Raise FileNotFoundError where published lists are not at hand."""
    for name in lists:
        if not (_DATA / name).is_file():
            raise FileNotFoundError(f"{_DATA / name} is not at hand")


# What the pages tell


def letters() -> Iterator[str]:
    """Cambon's placements, and Emogic's square."""
    _need(FULL, NONE, LARGE)
    yield from [
        "Letters placed until all fills of a 5×5 square are found (72 with the first list, none with the",
        "second), as Cambon published them and as they come here:",
        "",
    ]
    head = ["walk", "rule", "published, 72 fills", "ours", "published, no fill", "ours"]
    yield from table(head, [_placed(walk, rule) for rule in PUBLISHED for walk in PUBLISHED[rule]])
    yield from [
        "",
        "With the jump rule the count depends on the order in which letters are tried, which the thesis does",
        "not tell; here it is from A to Z. Each row is a command such as",
        "",
        "```",
        f"xwtui fill puzzles/templates/square-5x5.txt --words {FULL} --allow-repeats --all --json \\",
        "    --strategy emogic-letters:walk=sik-sak,backtrack=cambon,letters=alphabetical",
        "```",
        "",
        *_readings(),
        "",
        *squares("emogic-letters", "emogic-letters:walk=straight"),
    ]


_MANY_SEEDS = 20


def _readings() -> Iterator[str]:
    """What the two readings of Emogic's third rule leave of 72 fills, over seeds."""
    yield from [
        f"Of the 72 fills, those that Emogic's rules leave, over seeds 0 to {_MANY_SEEDS - 1} (least,",
        "lower quartile, median, upper quartile, most):",
        "",
    ]
    rows = []
    for walk in ("straight", "snake", "switch", "sik-sak", "slalom"):
        row = [walk]
        for rule in ("emogic-text", "emogic-script"):
            text = f"emogic-letters:walk={walk},backtrack={rule}"
            found = sorted(
                search(
                    text, "square-5x5", words=FULL, seed=seed, wants_all=True, allow_repeats=True, seconds=60
                ).fills
                for seed in range(_MANY_SEEDS)
            )
            row.append(", ".join(str(found[(len(found) - 1) * quarter // 4]) for quarter in range(5)))
        rows.append(row)
    yield from table(["walk", "`emogic-text`", "`emogic-script`"], rows)


PUBLISHED: Mapping[str, Mapping[str, tuple[int, int]]] = {
    "naive": {
        "straight": (9_501, 4_750),
        "snake": (21_721, 14_317),
        "switch": (20_981, 12_326),
        "sik-sak": (40_380, 24_472),
        "slalom": (40_380, 24_472),
    },
    "cambon": {
        "straight": (9_471, 4_730),
        "snake": (20_416, 14_176),
        "switch": (20_294, 11_851),
        "sik-sak": (26_529, 15_249),
        "slalom": (32_210, 19_819),
    },
}
"""Cambon's counts by rule and walk: 134 words with 72 fills, 128 words with none."""


def _placed(walk: str, rule: str) -> list[str]:
    text = f"emogic-letters:walk={walk},backtrack={rule},letters=alphabetical"
    row = [walk, rule]
    for words, published, fills in zip((FULL, NONE), PUBLISHED[rule][walk], (72, 0), strict=True):
        run = search(text, "square-5x5", words=words, wants_all=True, allow_repeats=True, seconds=120)
        found = f"{run.strategy.counters.placements:,}"
        row += [f"{published:,}", found if run.fills == fills else f"{found} ({run.fills} fills)"]
    return row


def squares(*texts: str) -> Iterator[str]:
    """A 6x6 double square by some strategies."""
    yield from [
        '"My program can frequently generate a 6 x 6 crossword in around 3 seconds" (Emogic, whose dictionary has',
        f"some 250,000 words): a double square of the {len(lexicon(LARGE, 0).table(6).letters):,} words of six",
        f"letters in `uk` (225,349 words; CP 2008), seeds 0 to {_SEEDS - 1}, {_SQUARE_SECONDS} s each at most:",
        "",
    ]
    rows = []
    for text in texts:
        runs = [
            search(text, "square-6x6", minimum_score=0, seed=seed, seconds=_SQUARE_SECONDS)
            for seed in range(_SEEDS)
        ]
        rows.append([f"`{text}`", f"{sum(run.fills > 0 for run in runs)} of {_SEEDS}", *_medians(runs)])
    yield from table(["strategy", "filled", "nodes, median", "processor time, median"], rows)


def _square(text: str, seed: int) -> Run:
    return search(text, "square-6x6", words=LARGE, minimum_score=0, seed=seed, seconds=_SQUARE_SECONDS)


def _medians(runs: Sequence[Run]) -> list[str]:
    """The medians of nodes and seconds, a search cut short counted as longer than all."""
    nodes = statistics.median_low([run.nodes if run.fills else 10**12 for run in runs])
    seconds = statistics.median_low([run.seconds if run.fills else 10**12 for run in runs])
    return ["–", "–"] if nodes == 10**12 else [f"{nodes:,}", duration(seconds)]


def words() -> Iterator[str]:
    """Emogic's square by words."""
    _need(LARGE)
    walks = ("across-then-down", "crossing-words", "sik-sak")
    yield from squares(*(f"emogic-words:walk={walk}" for walk in walks), "emogic-words:meta=no")


def tries() -> Iterator[str]:
    """The published squares, and one of six letters."""
    _need(FULL, LARGE)
    yield from ["All 72 fills of the 5×5 square of Cambon's 134 words, in letters placed:", ""]
    rows = []
    for text in ("double-trie:letters=alphabetical", "double-trie:order=fewest,letters=alphabetical"):
        run = search(text, "square-5x5", words=FULL, wants_all=True, allow_repeats=True, seconds=60)
        rows.append([f"`{text}`", str(run.fills), f"{run.strategy.counters.placements:,}"])
    yield from table(["strategy", "fills", "letters"], rows)
    yield ""
    yield from squares("double-trie", "double-trie:order=fewest")


def fsharp() -> Iterator[str]:
    """Filters compared."""
    yield from [
        "The article publishes no figures. Its small dictionary, by hand through a jump to a pattern that does",
        "not cross and through a pruning, is a test (`tests/strategies/test_fsharp_word.py`). Templates of 11×11,",
        "default list at 40, three seeds each, 5 s at most:",
        "",
    ]
    templates = [f"11x11-{number:02}" for number in range(1, 7)]
    texts = [f"fsharp-word:filter={kind}" for kind in ("one", "independent", "none")] + ["fsharp-word:back=step"]
    yield from _over(texts, templates, seeds=3)


def cells() -> Iterator[str]:
    """Qxw's way on small grids."""
    yield from ["Templates of 9×9 and 11×11, default list at 40, 5 s at most; a node is a letter:", ""]
    templates = [f"{side}-{number:02}" for side in ("9x9", "11x11") for number in range(1, 4)]
    yield from _over(["qxw-cells", "qxw-cells:hardest=score", "qxw-cells:score=sum"], templates, seeds=1)


def best() -> Iterator[str]:
    """Copeland's orders, and what his improvers add."""
    yield from ["Templates of 9×9 and 11×11, default list at 40, 5 s at most:", ""]
    templates = [f"{side}-{number:02}" for side in ("9x9", "11x11") for number in range(1, 4)]
    texts = [
        "copeland",
        "copeland:look-ahead=1",
        "copeland:order=greedy",
        "copeland:improve=monte-carlo,rounds=50",
        "copeland:improve=sections,rounds=50",
    ]
    yield from _over(texts, templates, seeds=1)


def tens() -> Iterator[str]:
    """Nodes on the newspaper grids, with the whole list and with the words that a puzzle takes by default."""
    most, texts = 5_000, ("top-ten", "top-ten:nearly=share")
    yield from [
        '"Once I added the top 10 searching, the generator filled a 15x15 grid in 200 nodes instead of 150,000!"',
        "The twenty templates of newspaper grids, with the whole default list (`--min-score 0`) and with its",
        f"words of 40 and more, the default; nodes to the first fill, {most:,} at most. It knows no chance:",
        "seeds change nothing.",
        "",
    ]
    columns = [(text, minimum) for text in texts for minimum in (0, 40)]
    runs = {
        (name, *column): search(column[0], name, minimum_score=column[1], nodes=most, seconds=30)
        for name in _ORDINARY
        for column in columns
    }
    head = ["template", *(f"`{text}` at {minimum}" for text, minimum in columns)]
    rows = [[name, *(_nodes_of(runs[name, *column]) for column in columns)] for name in _ORDINARY]
    for said, quarter in (("lower quartile", 1), ("median", 2), ("upper quartile", 3)):
        rows.append(
            [said, *(_quartile([runs[name, *column] for name in _ORDINARY], quarter) for column in columns)]
        )
    for said, least in (("filled", most), ("in 200 nodes", 200)):
        found = [
            sum(runs[name, *column].fills > 0 and runs[name, *column].nodes <= least for name in _ORDINARY)
            for column in columns
        ]
        rows.append([said, *(f"{count} of {len(_ORDINARY)}" for count in found)])
    yield from table(head, rows)
    command = "xwtui fill puzzles/templates/15x15-02.txt --min-score 0 --strategy top-ten --json"
    yield from ["", "```", command, "```"]


def _nodes_of(run: Run) -> str:
    return f"{run.nodes:,}" if run.fills else f"> {run.nodes:,}"


def _quartile(runs: Sequence[Run], quarter: int) -> str:
    """The nodes at a quarter, a half or three quarters of some runs; a dash where that run came to nothing."""
    nodes = sorted(run.nodes if run.fills else 10**12 for run in runs)[(len(runs) - 1) * quarter // 4]
    return "–" if nodes == 10**12 else f"{nodes:,}"


def indexes() -> Iterator[str]:
    """Templates by an order settled beforehand."""
    yield from ["The text publishes no figures. Templates of 9×9 and 11×11, default list at 40, 5 s at most:", ""]
    templates = [f"{side}-{number:02}" for side in ("9x9", "11x11") for number in range(1, 4)]
    yield from _over(["permuted-index", "permuted-index:pick=shuffled"], templates, seeds=1)


def _over(texts: Sequence[str], templates: Sequence[str], *, seeds: int) -> Iterator[str]:
    """Strategies over templates: how many were filled, nodes, seconds and mean scores."""
    rows = []
    for text in texts:
        runs = [search(text, name, seed=seed) for name in templates for seed in range(seeds)]
        filled = [run for run in runs if run.fills]
        scores = [_mean_score(run) for run in filled]
        mean = f"{statistics.mean(scores):.1f}" if scores else "–"
        rows.append([f"`{text}`", f"{len(filled)} of {len(runs)}", *_medians(runs), mean])
    yield from table(["strategy", "filled", "nodes, median", "processor time, median", "mean score"], rows)
    yield from ["", "```", f"xwtui fill puzzles/templates/{templates[0]}.txt --strategy {texts[0]} --json", "```"]


def _mean_score(run: Run) -> float:
    grid = run.strategy.task.grid
    filled = write_fill(Puzzle(grid), run.strategy.squares)
    return grid_statistics(filled.grid, run.strategy.task.lexicon.score).mean_score or 0.0


FIGURES: Mapping[str, Callable[[], Iterator[str]]] = {
    "emogic-letters": letters,
    "emogic-words": words,
    "double-trie": tries,
    "fsharp-word": fsharp,
    "qxw-cells": cells,
    "copeland": best,
    "top-ten": tens,
    "permuted-index": indexes,
}


def main() -> None:
    """Measure for the pages named, or for all."""
    for name in sys.argv[1:] or FIGURES:
        path = FOLDER / f"{name}.md"
        try:
            lines = [f"*{circumstances()}*", "", *FIGURES[name]()]
        except FileNotFoundError as error:
            print(f"{path.name}: left as it is, for {error}", file=sys.stderr)
            continue
        path.write_text(with_part(path.read_text(encoding="utf-8"), "figures", lines), encoding="utf-8")
        print(f"{path.name}: figures measured", flush=True)


if __name__ == "__main__":
    main()

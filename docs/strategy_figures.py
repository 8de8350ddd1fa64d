"""Measure what the pages of the strategies tell: `python -m docs.strategy_figures [NAME]...`.

Each page gets its figures over twenty seeds, or over twenty templates where a strategy knows no chance. The lists
of Cambon's thesis are not part of the project: where they are not at hand, their part is left as it is.
"""

import re
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from bench.document import circumstances
from bench.tables import table
from docs.strategy_emogic import FULL, LARGE, NONE, exhausted, letters, squares, words
from docs.strategy_pages import FOLDER, with_part
from docs.strategy_runs import (
    QUARTILES,
    SEEDS,
    SEEDS_SAID,
    Run,
    across,
    compared,
    lexicon,
    need,
    nodes_of,
    prose,
    quartiles,
    search,
    seconds_of,
    share_of,
    strategy_on,
    thin_lexicon,
)
from xwtui.strategies.bitmaps import WordBitmaps
from xwtui.strategies.board import EMPTY, Board
from xwtui.strategies.top_ten import LAST_SEARCHES, RegexSearches, TopTen

_SMALL = [
    "mini-5x5",
    *(f"9x9-{number:02}" for number in range(1, 7)),
    *(f"11x11-{number:02}" for number in range(1, 7)),
    *(f"13x13-{number:02}" for number in range(1, 8)),
]
_ORDINARY = [f"15x15-{number:02}" for number in range(1, 21)]
_FEW = ["9x9-01", "11x11-01", "13x13-01"]


def tries() -> Iterator[str]:
    """The published squares, and one of six letters."""
    need(FULL, LARGE)
    yield from [
        f"Letters placed to find all 72 fills of the 5×5 square with Cambon's 134 words, {SEEDS_SAID}:",
        "",
    ]
    rows = []
    texts = ["trie:order=rows,letters=shuffled", "trie:order=fewest,letters=shuffled"]
    for text in texts:
        runs = exhausted(text, FULL)
        fills = ", ".join(map(str, sorted({run.fills for run in runs})))
        placed = ", ".join(f"{one:,}" for one in quartiles([run.placements for run in runs]))
        rows.append([f"`{text}`", fills, placed])
    yield from table(["strategy", "fills", f"letters: {QUARTILES}"], rows)
    yield from ["", *squares(texts)]


def ranges() -> Iterator[str]:
    """The orders of entries and words, on small grids."""
    yield from prose("The source is about joins and publishes no figures for crosswords.")
    texts = ["sorted-index", "sorted-index:words=scored", "sorted-index:order=rows"]
    yield from compared(texts, ["mini-5x5", "british-13x13-01"], nodes=200)


def fsharp() -> Iterator[str]:
    """Filters compared."""
    yield from prose(
        "The article publishes no figures. A test works through its small dictionary by hand, with a jump to a "
        "pattern that does not cross and with a pruning (`tests/strategies/test_published.py`)."
    )
    texts = [f"fsharp-word:filter={kind}" for kind in ("one", "independent", "none")] + ["fsharp-word:back=step"]
    yield from compared(texts, _FEW, nodes=1000)


def cells() -> Iterator[str]:
    """Qxw's way on small grids."""
    yield from prose(
        "The source publishes no figures. Nothing in the method is random, so seeds change nothing. A node is a "
        "letter."
    )
    yield from across(["qxw-cells", "qxw-cells:hardest=score", "qxw-cells:score=sum"], _SMALL, nodes=500)


def best() -> Iterator[str]:
    """Copeland's orders, and what his improvers add."""
    yield from prose(
        "The source publishes no figures. The search has no randomness of its own, so here words of equal score "
        "come in random order (`ties=shuffled`)."
    )
    orders = ("", "look-ahead=1,", "order=greedy,", "order=shortest,")
    yield from compared([f"copeland:{order}ties=shuffled" for order in orders], _FEW[:2], nodes=1000)
    yield from ["", *_gains(), "", *_finished()]


_IMPROVED_NODES = 4000
_TEN = SEEDS[:10]


def _gains() -> Iterator[str]:
    """What the improvers add to the first fill."""
    yield from prose(
        f"What the improvers add to the first fill of 9x9-02 within {_IMPROVED_NODES:,} nodes, {SEEDS_SAID}: "
        f"the mean scores of the first fill and of the best one, over the runs that found any ({QUARTILES}):"
    )
    rows = []
    for improve in ("monte-carlo", "sections"):
        text = f"copeland:improve={improve},look-ahead=1,ties=shuffled"
        runs = [search(text, "9x9-02", seed=seed, wants_all=True, nodes=_IMPROVED_NODES) for seed in SEEDS]
        filled = [run for run in runs if run.fills]
        scores = [[run.first_score for run in filled], [run.last_score for run in filled]]
        rows.append(
            [
                f"`{text}`",
                share_of(runs),
                *(", ".join(f"{one:.1f}" for one in quartiles(own)) for own in scores if own),
            ]
        )
    yield from table(["strategy", "filled", "first fill", "best fill"], rows)


def _finished() -> Iterator[str]:
    """What the improvers make of a grid that is finished before they begin."""
    yield from prose(
        f"What they add to a finished fill, made by the engine with the same seed, within {_IMPROVED_NODES:,} "
        f"nodes, seeds 0 to {_TEN[-1]}: how many fills improved, the mean score before and after, and the rise "
        f"({QUARTILES}):"
    )
    rows = []
    for template in ("9x9-02", "15x15-01"):
        for improve in ("monte-carlo", "sections"):
            text = f"copeland:improve={improve}"
            runs = [_improved(text, template, seed) for seed in _TEN]
            rose = [run.last_score - run.first_score for run in runs]
            scores = [[run.first_score for run in runs], [run.last_score for run in runs]]
            told = [", ".join(f"{one:.1f}" for one in quartiles(own)) for own in scores]
            better = f"{sum(one > 0 for one in rose)} of {len(runs)}"
            rows.append([template, f"`{text}`", better, *told, ", ".join(f"{one:.2f}" for one in quartiles(rose))])
    yield from table(["template", "strategy", "better", "before", "after", "rise"], rows)
    yield from ["", "```", "xwtui fill puzzles/templates/9x9-02.txt --seed 0 -o filled.ipuz"]
    yield "xwtui fill filled.ipuz --from-pencil --strategy copeland:improve=sections --seed 0 --time 2 --json"
    yield "```"


def _improved(text: str, template: str, seed: int) -> Run:
    finished = strategy_on("xwtui", template, lexicon("", 40), seed=seed).first_fill()
    assert finished is not None
    return search(text, template, seed=seed, wants_all=True, nodes=_IMPROVED_NODES, beginning=finished)


_LISTED_NODES, _MIXED_NODES = 1_000, 400
_MIXED = _ORDINARY[:6]


def tens() -> Iterator[str]:
    """Nodes on the newspaper grids, with the whole list and with the words that a puzzle takes by default."""
    yield from prose(
        '"Once I added the top 10 searching, the generator filled a 15x15 grid in 200 nodes instead of 150,000!" '
        "The twenty newspaper templates, with the whole default list (`--min-score 0`) and with its words of 40 "
        f"and up, the default; nodes to the first fill, {_LISTED_NODES:,} at most. Nothing in the method is "
        "random: with words in the order of the list, seeds change nothing."
    )
    columns = [("top-ten", minimum) for minimum in (0, 40)]
    found = {column: [_newspaper(*column, name) for name in _ORDINARY] for column in columns}
    rows = [
        [name, *(f"{run.nodes:,}" if run.fills else f"> {run.nodes:,}" for run in runs)]
        for name, *runs in zip(_ORDINARY, *found.values(), strict=True)
    ]
    rows.append(["quartiles", *(nodes_of(runs) for runs in found.values())])
    rows.append(["filled", *map(share_of, found.values())])
    rows.append(["in 200 nodes", *map(_in_two_hundred, found.values())])
    yield from table(["template", *(f"`{text}` at {minimum}" for text, minimum in columns)], rows)
    yield from ["", *_mixed_tens(), "", *_search_rates()]
    yield from [
        "",
        "```",
        "xwtui fill puzzles/templates/15x15-02.txt --min-score 0 --strategy top-ten --json",
        "```",
    ]


def _newspaper(text: str, minimum: int, name: str, seed: int = 0, nodes: int = _LISTED_NODES) -> Run:
    return search(text, name, words=lexicon("", minimum), seed=seed, nodes=nodes)


def _in_two_hundred(runs: Sequence[Run]) -> str:
    return f"{sum(run.fills > 0 and run.nodes <= 200 for run in runs)} of {len(runs)}"


def _mixed_tens() -> Iterator[str]:
    """The same with words of equal score in an order of chance."""
    yield from prose(
        "How much of that depends on the order of the list: words of equal score in random order "
        f"(`ties=shuffled`), the first six templates, {SEEDS_SAID}, {_MIXED_NODES:,} nodes at most; how many "
        f"seeds fill, and their nodes ({QUARTILES}):"
    )
    names = [(name, minimum) for name in _MIXED for minimum in (0, 40)]
    found = {
        (name, minimum): [_newspaper("top-ten:ties=shuffled", minimum, name, seed, _MIXED_NODES) for seed in SEEDS]
        for name, minimum in names
    }
    rows = [[name, *_filled(found[name, 0]), *_filled(found[name, 40])] for name in _MIXED]
    every = [[run for name in _MIXED for run in found[name, minimum]] for minimum in (0, 40)]
    rows.append(["all", *_filled(every[0]), *_filled(every[1])])
    rows.append(["in 200 nodes", _in_two_hundred(every[0]), "", _in_two_hundred(every[1]), ""])
    yield from table(["template", "filled at 0", "nodes at 0", "filled at 40", "nodes at 40"], rows)


def _filled(runs: Sequence[Run]) -> list[str]:
    return [share_of(runs), nodes_of(runs)]


_ASKED, _ASKED_OF_FILE = 400, 20


class _Recorded(RegexSearches):
    """The look-up of the tool, which notes what it is asked."""

    def __init__(self, board: Board) -> None:
        super().__init__(board)
        self.asked: list[str] = []

    def fitting(self, slot: int) -> int:
        self.asked.append(self._board.pattern(slot))
        return super().fitting(slot)


def _search_rates() -> Iterator[str]:
    """What the article's tricks make of the speed of a look-up."""
    known = lexicon("", 40)
    yield from prose(
        '"With a couple simple tricks I increased the speed from 30 to 1,800 searches per second": the first '
        f"{_ASKED} searches of `top-ten:lookup=regex,ties=shuffled` on 15x15-01 ({_ASKED_OF_FILE} if the whole "
        f"file is read each time), default list at 40, seeds 0 to {_TEN[-1]}. Each way includes the tricks of "
        f"those above it ({QUARTILES}):"
    )
    words = {length: known.table(length).words() for length in known.lengths}
    rates: dict[str, list[float]] = {}
    with TemporaryDirectory() as folder:
        files = {length: Path(folder, f"{length}.txt") for length in words}
        for length, path in files.items():
            path.write_text("".join(f"{word};{known.score(word)}\n" for word in words[length]))
        whole = Path(folder, "all.txt")
        whole.write_text("".join(path.read_text() for path in files.values()))
        texts = {length: path.read_text() for length, path in files.items()}

        def in_memory(asked: str) -> list[str]:
            return _matching(asked, texts[len(asked)])

        for seed in _TEN:
            asked = _asked(seed)
            bitmaps = {len(one): WordBitmaps(tuple(words[len(one)])) for one in asked}
            ways: dict[str, Callable[[str], object]] = {
                "the whole file read": lambda one: _matching(one, whole.read_text()),
                "split by length": lambda one: _matching(one, files[len(one)].read_text()),
                "in memory": in_memory,
                f"the last {LAST_SEARCHES} kept": lru_cache(LAST_SEARCHES)(in_memory),
                "`lookup=bitmaps`": partial(_fitting, bitmaps),
            }
            for name, way in ways.items():
                some = asked[:_ASKED_OF_FILE] if "whole" in name else asked
                begin = time.process_time()
                for one in some:
                    way(one)
                rates.setdefault(name, []).append(len(some) / (time.process_time() - begin))
    rows = [[name, ", ".join(f"{one:,.0f}" for one in quartiles(own))] for name, own in rates.items()]
    yield from table(["way", "searches a second"], rows)


def _fitting(bitmaps: Mapping[int, WordBitmaps], pattern: str) -> int:
    return bitmaps[len(pattern)].fitting(pattern)


def _matching(pattern: str, text: str) -> list[str]:
    return re.findall(f"^{pattern.replace(EMPTY, '.')};", text, re.MULTILINE)


def _asked(seed: int) -> list[str]:
    """The first patterns that a search looks up."""
    strategy = strategy_on("top-ten:lookup=regex,ties=shuffled", "15x15-01", lexicon("", 40), seed=seed)
    assert isinstance(strategy, TopTen)
    recorded = strategy.bitmaps = _Recorded(strategy.board)
    for _ in strategy.run():
        if len(recorded.asked) >= _ASKED:
            break
    return recorded.asked[:_ASKED]


def indexes() -> Iterator[str]:
    """Templates by an order settled beforehand."""
    yield from prose("The source publishes no figures.")
    texts = ["permuted-index:pick=shuffled", "permuted-index:pick=shuffled,repeats=no"]
    yield from compared(texts, ["mini-5x5", "9x9-01", "british-13x13-01"], nodes=3_000)


def engine() -> Iterator[str]:
    """The engine with some of what it knows left out."""
    yield from prose(
        "For the engine itself, see [docs/bench.md](../bench.md) and [the public grids](../public-grids.md). As a "
        "strategy, on a grid that no other fills within a second in most runs ([the race](race.md)):"
    )
    texts = ["xwtui", "xwtui:jump=no", "xwtui:blame=no", "xwtui:restart=never"]
    yield from compared(texts, ["themeless-15x15"], nodes=5_000)


_THIN = 300


def clauses() -> Iterator[str]:
    """Squares of short lists, filled or proved to have no fill."""
    yield from prose(
        f"The source publishes no figures. 5×5 double squares with lists of {_THIN:,} words each, drawn from the "
        f"default list at 40 by {SEEDS_SAID}: how many were filled, how many were proved impossible, and the time "
        f"that took, beside the engine; at most 2 s of processor time each ({QUARTILES}):"
    )
    rows = []
    for text in ("sat", "xwtui"):
        runs = [
            search(text, "square-5x5", words=thin_lexicon(5, _THIN, seed), seed=seed, seconds=2) for seed in SEEDS
        ]
        proved = sum(run.is_over and not run.fills for run in runs)
        rows.append([f"`{text}`", share_of(runs), f"{proved} of {len(runs)}", seconds_of(runs)])
    yield from table(["strategy", "filled", "proved impossible", "processor time"], rows)
    yield from [
        "",
        "```",
        f"xwtui fill puzzles/templates/square-5x5.txt --words {NONE} --strategy sat --proof none.drat",
        "```",
    ]


FIGURES: Mapping[str, Callable[[], Iterator[str]]] = {
    "xwtui": engine,
    "emogic-letters": letters,
    "emogic-words": words,
    "trie": tries,
    "fsharp-word": fsharp,
    "qxw-cells": cells,
    "copeland": best,
    "top-ten": tens,
    "permuted-index": indexes,
    "sorted-index": ranges,
    "sat": clauses,
}


@click.command(help=__doc__)
@click.argument("names", metavar="[NAME]...", nargs=-1, type=click.Choice(list(FIGURES)))
def main(names: tuple[str, ...]) -> None:
    """Measure for the pages named, or for all."""
    for name in names or FIGURES:
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

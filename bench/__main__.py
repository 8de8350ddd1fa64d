"""`make bench`: compare xwtui with its peers on the sample templates, and measure startup.

    python -m bench [search|improve|better|start|answers|live|swaps|repairs|keys|growth|tracing|book|indexes|
                     changed|completing|design]... [--quick] [OPTIONS]

On each template the fillers take turns. Figures are medians over the seeds, and the naive checker judges every
fill. No time is a pass/fail threshold. Each part is printed and written to docs/bench.md.
"""

import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

import click

from bench import (
    answers,
    better_words,
    changed_words,
    changes,
    clue_book,
    completing,
    designs,
    growth,
    indexes,
    keys,
    repairs,
    start,
    tracing,
)
from bench.contest import Rules, Standing, hold
from bench.document import circumstances, write_part
from bench.fillers import clock
from bench.fillers.field import FILLERS, OURS, ours_on
from bench.kinds import chosen, spread
from bench.quality import Quality, columns, compare, quality_lines
from bench.report import Report
from xwtui.resources import default_word_list
from xwtui.words.compiled_lists import open_word_list
from xwtui.words.lexicon import Lexicon

IMPROVING_SECONDS = 5.0


@dataclass(frozen=True)
class Task:
    """Settings shared by all parts."""

    rules: Rules
    templates: Mapping[str, Sequence[Path]]
    only: Sequence[str]
    threads: int | None
    is_quick: bool
    words: Path


@click.command()
@click.argument("parts", nargs=-1)
@click.option("--quick", is_flag=True, help="Four templates of each kind, three seeds.")
@click.option("--seeds", type=int, help="Runs of each filler on each template: 10, or 3 when quick.")
@click.option("--time", "seconds", default=5.0, show_default=True, help="Longest search in seconds.")
@click.option("--threads", type=int, help="Ours on so many threads too.")
@click.option("--min-score", "minimum_score", default=40, show_default=True)
@click.option("--only", multiple=True, metavar="NAME", help="Only these fillers beside xwtui.")
@click.option("--processor-time", is_flag=True, help="Seconds of the processor, for a machine that is shared.")
@click.option("--pattern", "patterns", multiple=True, default=("*",), metavar="GLOB", help="Which templates.")
def main(
    parts: tuple[str, ...],
    quick: bool,
    seeds: int | None,
    seconds: float,
    threads: int | None,
    minimum_score: int,
    only: tuple[str, ...],
    processor_time: bool,
    patterns: tuple[str, ...],
) -> None:
    """Compare xwtui with its peers. Without PARTS, run all parts."""
    if unknown := set(parts) - PARTS.keys():
        raise click.UsageError(f"no such part: {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    if processor_time:
        clock.use_processor_time()
    rules = Rules(
        _words(minimum_score),
        minimum_score,
        range(seeds or (3 if quick else 10)),
        seconds,
    )
    globs = [f"{pattern.removesuffix('.txt')}.txt" for pattern in patterns]
    templates = {kind.name: paths for kind, paths in chosen(globs, 4 if quick else None)}
    with tempfile.TemporaryDirectory() as folder:
        task = Task(rules, templates, only, threads, quick, rules.write_words(Path(folder)))
        for part in parts or PARTS:
            title, lines = PARTS[part](task)
            lines = [f"*{circumstances()}*", "", *lines]
            _tell("")
            click.echo("\n".join([f"## {title}", "", *lines, ""]))
            write_part(title, lines)


def _search(task: Task) -> tuple[str, list[str]]:
    wanted = [each for each in FILLERS if each.name == OURS or not task.only or each.name in task.only]
    if task.threads:
        wanted.insert(1, ours_on(task.threads))
    present = [each for each in wanted if each.is_installed()]
    absent = [f"{each.name} is not installed and is left out." for each in wanted if each not in present]
    rules = task.rules
    standings: list[Standing] = list(hold(task.templates, present, rules, task.words, _tell))
    report = Report(standings, [each.name for each in present if each.name != OURS])
    introduction = (
        f"Median seconds {clock.which()}from the grid to the first fill, with words and engine loaded: "
        f"{len(rules.words):,} words of the default list at {rules.minimum_score} or more, "
        f"{len(rules.seeds)} seeds (blacksquare has none and runs three times, qxw once), in turns, one thread "
        f"each unless noted. The limit is {rules.seconds:.0f} s. `times ours` is a geometric mean in which giving "
        "up counts as the limit: ≥ if others gave up, ≤ if ours did, ~ if both did. "
        "qxw: the process without its start. \\* is a faulty fill; its seconds count."
    )
    return "Search to the first fill", [introduction, *absent, "", *report.lines()]


def _improve(task: Task) -> tuple[str, list[str]]:
    """Alternate between kinds and write the document after each template, so a partial run covers every kind."""
    chosen = [spread(paths, 2 if task.is_quick else 3) for paths in task.templates.values()]
    templates = [path for turn in zip_longest(*chosen) for path in turn if path]
    threads = 1 if clock.is_processor_time() else 2
    introduction = (
        f"Mean and lowest score of the entries: in our first fill; in that fill improved for "
        f"{IMPROVING_SECONDS:.0f} s {clock.which()}on {threads} {'thread' if threads == 1 else 'threads'}, by "
        "mean and by lowest score; and in the others' fills, found within "
        f"{task.rules.seconds:.0f} s. `-` means no fill, or a faulty one, in which an answer appears twice."
    )
    title, names = "How good the fills are", columns([each for each in FILLERS if each.is_installed()])
    lines, qualities = [introduction], list[Quality]()
    for quality in compare(templates, task.rules, task.words, IMPROVING_SECONDS, threads, _tell):
        qualities.append(quality)
        lines = [introduction, "", *quality_lines(qualities, names)]
        write_part(title, [f"*{circumstances()}*", "", *lines])
    return title, lines


def _better(task: Task) -> tuple[str, list[str]]:
    seeds = task.rules.seeds[: 1 if task.is_quick else 3]
    return "What a plain fill adds", better_words.lines(task.templates, seeds, _lexicon(task), _tell)


def _start(task: Task) -> tuple[str, list[str]]:
    return "Start and memory", start.lines(_tell, is_quick=task.is_quick)


def _answers(task: Task) -> tuple[str, list[str]]:
    return "Answers about a grid", answers.lines(_tell, is_quick=task.is_quick)


def _designs(task: Task) -> tuple[str, list[str]]:
    seeds = task.rules.seeds[: 1 if task.is_quick else 3]
    title, lines = "Designs around theme answers", list[str]()
    for lines in designs.lines(_lexicon(task), seeds, _tell, is_quick=task.is_quick):
        write_part(title, [f"*{circumstances()}*", "", *lines])
    return title, lines


def _lexicon(task: Task) -> Lexicon:
    return Lexicon.build([open_word_list(default_word_list()).word_list], minimum_score=task.rules.minimum_score)


def _live(task: Task) -> tuple[str, list[str]]:
    return "Live fills", changes.live_lines(_daily(task), _lexicon(task), _tell, is_quick=task.is_quick)


def _swaps(task: Task) -> tuple[str, list[str]]:
    return "Swaps", changes.swap_lines(_daily(task), _lexicon(task), _tell, is_quick=task.is_quick)


def _repairs(task: Task) -> tuple[str, list[str]]:
    every = [path for paths in task.templates.values() for path in paths]
    themeless = [path for path in every if path.stem.startswith("themeless-15x15-")]
    grids = [*_daily(task), *themeless]
    return "Entries typed over", repairs.lines(grids, _lexicon(task), _tell, is_quick=task.is_quick)


def _daily(task: Task) -> list[Path]:
    return [path for paths in task.templates.values() for path in paths if path.stem.startswith("15x15")]


def _keys(task: Task) -> tuple[str, list[str]]:
    return "Answering keys", keys.lines(_tell, is_quick=task.is_quick)


def _growth(task: Task) -> tuple[str, list[str]]:
    return "Growth", growth.lines(task.rules, _tell, is_quick=task.is_quick)


def _tracing(task: Task) -> tuple[str, list[str]]:
    return "Tracing", tracing.lines(task.words, task.rules.minimum_score, _tell, is_quick=task.is_quick)


def _book(task: Task) -> tuple[str, list[str]]:
    return "The clue book", clue_book.lines(_tell, is_quick=task.is_quick)


def _indexes(task: Task) -> tuple[str, list[str]]:
    return "Three indexes of words", indexes.lines(task.rules.minimum_score, _tell)


def _changed(task: Task) -> tuple[str, list[str]]:
    return "Words that change", changed_words.lines(_tell, is_quick=task.is_quick)


def _completing(task: Task) -> tuple[str, list[str]]:
    return "Completing words", completing.lines(task.rules.words, _tell)


PARTS: Mapping[str, Callable[[Task], tuple[str, list[str]]]] = {
    "search": _search,
    "improve": _improve,
    "better": _better,
    "start": _start,
    "answers": _answers,
    "live": _live,
    "swaps": _swaps,
    "repairs": _repairs,
    "keys": _keys,
    "growth": _growth,
    "tracing": _tracing,
    "book": _book,
    "indexes": _indexes,
    "changed": _changed,
    "completing": _completing,
    "design": _designs,
}


def _words(minimum_score: int) -> dict[str, int]:
    listed = open_word_list(default_word_list()).word_list
    return {word: score for word, score in listed if score >= minimum_score}


def _tell(text: str) -> None:
    if sys.stderr.isatty():
        click.echo(f"\r\x1b[K{text}", nl=False, err=True)


if __name__ == "__main__":
    main()

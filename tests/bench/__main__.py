"""`make bench`: fill the sample templates with xwtui and with its peers, and print seconds and ratios.

    python -m tests.bench [--seeds N] [--time SECONDS] [--min-score N] [--only NAME]... [--pattern GLOB]

Each run is a process of its own; the fillers take turns, and figures are medians over the seeds.
Every fill is judged by the naive checker. Nothing here gates on a time.
"""

import sys
from typing import cast

import click

from tests.bench.contest import Filler, Rules, Standing, hold
from tests.bench.fillers import blacksquare_filler, qxw_filler, xwtui_filler
from tests.bench.report import SEARCH, WHOLE, table, verdicts
from xwtui.resources import default_word_list, puzzles_folder
from xwtui.words.store import open_word_list

FILLERS = cast("list[Filler]", [xwtui_filler, blacksquare_filler, qxw_filler])


@click.command()
@click.option("--seeds", default=3, show_default=True, help="Runs of each filler on each template.")
@click.option("--time", "seconds", default=30.0, show_default=True, help="Longest search, in seconds.")
@click.option("--min-score", "minimum_score", default=40, show_default=True)
@click.option("--only", multiple=True, metavar="NAME", help="Only these fillers beside xwtui.")
@click.option("--pattern", default="*x*-*.txt", show_default=True, help="Which templates.")
def main(seeds: int, seconds: float, minimum_score: int, only: tuple[str, ...], pattern: str) -> None:
    """Fill the sample templates with xwtui and its peers, and print seconds and ratios."""
    fillers = [each for each in FILLERS if each is FILLERS[0] or not only or each.NAME in only]
    present = [each for each in fillers if each.is_installed()]
    for absent in (each for each in fillers if each not in present):
        click.echo(f"{absent.NAME} is not installed and is left out")
    rules = Rules(_words(minimum_score), minimum_score, range(seeds), seconds)
    templates = sorted((puzzles_folder() / "templates").glob(pattern))
    names = [each.NAME for each in present]
    click.echo(
        f"{len(rules.words):,} words of the default list at {minimum_score} or more; {seeds} seeds each, 1 thread"
    )
    standings: list[Standing] = list(hold(templates, present, rules, _tell))
    _tell("")
    for column in (SEARCH, WHOLE):
        click.echo("\n" + "\n".join(table(standings, names, column, seconds)))
    click.echo("\n" + "\n".join(verdicts(standings, names)))


def _words(minimum_score: int) -> dict[str, int]:
    listed = open_word_list(default_word_list()).word_list
    return {word: score for word, score in listed if score >= minimum_score}


def _tell(text: str) -> None:
    if sys.stderr.isatty():
        click.echo(f"\r\x1b[K{text}", nl=False, err=True)


if __name__ == "__main__":
    main()

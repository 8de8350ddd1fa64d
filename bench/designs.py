"""Designs around theme sets of common lengths: how many, time to the first, and quality of the best."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from statistics import median
from typing import NamedTuple

from bench.fillers import clock
from bench.tables import duration, table
from xwtui.engine.warmup import warm_up
from xwtui.insight import DesignProgress, design
from xwtui.words.lexicon import Lexicon

SECONDS, LONG_SECONDS, QUICK_SECONDS = 15.0, 90.0, 10.0
COUNT = 10
LONG = "7 in 21×21"
SETS: Mapping[str, str] = {
    "15-15-15": "TWENTYTHOUSANDS INTERNATIONALLY CONGRATULATIONS",
    "13-15-13": "HEARTTOHEARTS CONGRATULATIONS UNFORGETTABLE",
    "11-11-11": "SWEETHEARTS HEARTBROKEN LIONHEARTED",
    "10-7-10": "BRAVEHEART KINDRED HEARTTHROB",
    "8-8-8-8": "SUNSHINE RAINDROP SNOWBALL WINDFALL",
    "9-11-15-11-9": "BLACKJACK HEARTBROKEN CONGRATULATIONS SWEETHEARTS WHITEWASH",
    "7-7-15-7-7": "REDWOOD BLUEJAY CONGRATULATIONS GREENER ORANGES",
    "10-14-14-10": "BRAVEHEART FORGETMENOTNOW STRAWBERRYJAMS HEARTTHROB",
    "CAT in 4 of 11": "LO[CAT]IONSCOUT EDU[CAT]IONALTV S[CAT]TEREDSHOT VA[CAT]IONPACKS",
    "HEART in 4 of 7-8": "SWEET[HEART]S BRAVE[HEART]X [HEART]BROKEN [HEART]THROBS",
    LONG: "UNDERTHEINFLUENCEOFIT HEARTBROKENMELODY SWEETHEARTDEALS CONGRATULATIONSTOYOU "
    "STRAWBERRYFIELDSFOREV BRAVEHEARTSUNITED LIONHEARTEDNESS",
}


class Measured(NamedTuple):
    """A run: what it found, and when the first design came."""

    found: DesignProgress
    first: float | None


def lines(
    lexicon: Lexicon, seeds: Sequence[int], tell: Callable[[str], None], *, is_quick: bool
) -> Iterator[list[str]]:
    """Measure, and yield the table so far after each set, so that a partial run has some rows."""
    warm_up(improving=True, drawing=True)
    threads = 1 if clock.is_processor_time() else 2
    seconds = QUICK_SECONDS if is_quick else SECONDS
    told = (
        f"Sets of theme answers in 15×15 grids with at most 78 words and 40 blocks, {seconds:.0f} s "
        f"{clock.which()}on {threads} {'thread' if threads == 1 else 'threads'}; in 21×21 grids with 142 words, "
        f"{LONG_SECONDS:.0f} s. {len(seeds)} seeds, {len(lexicon):,} words at 40 or more. Figures are those of "
        f"the worst seed, except for `first after` (the median) and `slowest`. The {COUNT} best designs are kept, "
        "and half of the time goes into their fills."
    )
    head = ("Theme answers", "found", "first after", "slowest", "best mean", "its lowest", "words", "blocks")
    rows = []
    for name, answers in SETS.items():
        if name == LONG and is_quick:
            continue
        runs = []
        for seed in seeds:
            tell(f"designs: {name}, seed {seed}")
            limit = LONG_SECONDS if name == LONG else seconds
            runs.append(measure(answers.split(), lexicon, seed, limit, threads))
        rows.append(row(name, runs))
        yield [told, "", *table(head, rows)]


def measure(answers: Sequence[str], lexicon: Lexicon, seed: int, seconds: float, threads: int) -> Measured:
    """Run once, timed by the clock in use."""
    begin = clock.now()
    first: list[float] = []

    def better(progress: DesignProgress) -> None:
        if progress.designs and not first:
            first.append(clock.now() - begin)

    side = 21 if max(map(len, answers)) > 15 and "[" not in "".join(answers) else 15
    found = design(
        answers,
        lexicon,
        size=(side, side),
        count=COUNT,
        seconds=seconds,
        seed=seed,
        threads=threads,
        better=better,
        clock=clock.now,
    )
    return Measured(found, first[0] if first else None)


def row(name: str, runs: Sequence[Measured]) -> tuple[str, ...]:
    """Return a table row with the figures of the worst run."""
    firsts = [one.first for one in runs if one.first is not None]
    if len(firsts) < len(runs):
        return (name, "0", *["-"] * 6)
    worst = min((one.found.designs[0] for one in runs), key=lambda one: one.rank)
    return (
        name,
        str(min(one.found.found for one in runs)),
        duration(median(firsts)),
        duration(max(firsts)),
        f"{worst.mean_score:.1f}",
        str(worst.lowest_score),
        str(worst.figures.words),
        str(worst.figures.blocks),
    )

"""Measure the words package on a list of 300,000 entries: `python -m bench.words_bench [LIST]`.

Without LIST, a seeded random list is used. Figures are milliseconds: the best and the median of several runs.
"""

import os
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import click

from xwtui.model.letters import ENGLISH_LETTERS
from xwtui.words.compiled_lists import open_word_list
from xwtui.words.lexicon import Lexicon
from xwtui.words.reader import read_word_list

ENTRIES = 300_000
SEED = 7
RUNS = 5
PATTERNS = 300
MINIMUM_SCORE = 40
LIST_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command(help=__doc__)
@click.argument("file", metavar="[LIST]", required=False, type=LIST_FILE)
def main(file: Path | None) -> None:
    """Print all figures."""
    data = file.read_bytes() if file else random_list(ENTRIES)
    words = read_word_list(data, "bench").word_list
    print(f"{len(words):,} words, {len(data) / 1e6:.1f} MB")
    report("parse", lambda: read_word_list(data, "bench"))
    measure_store(data)
    report("lexicon, 1 list, all tables", lambda: len(Lexicon.build([words], minimum_score=MINIMUM_SCORE)))
    second = read_word_list(random_list(ENTRIES // 2), "second").word_list
    report(
        "lexicon, 2 lists, all tables", lambda: len(Lexicon.build([second, words], minimum_score=MINIMUM_SCORE))
    )
    lexicon = Lexicon.build([words], minimum_score=MINIMUM_SCORE)
    patterns = random_patterns(lexicon)
    report("1,000 scores", lambda: [lexicon.score("OREO") for _ in range(1000)])
    measure_index(lexicon, patterns)


def random_list(entries: int) -> bytes:
    """Return a reproducible list of words of 3 to 15 random letters, with random scores."""
    rng = random.Random(SEED + entries)
    letters = ENGLISH_LETTERS
    words = ("".join(rng.choices(letters, k=rng.randint(3, 15))) for _ in range(entries))
    return "".join(f"{word};{rng.randint(0, 100)}\n" for word in words).encode()


def random_patterns(lexicon: Lexicon) -> list[str]:
    """Return patterns as in a half-filled grid: words of the lexicon with about a third of the letters given."""
    rng = random.Random(SEED)
    lengths = rng.choices(lexicon.lengths, k=PATTERNS)
    words = [rng.choice(lexicon.table(length).words()) for length in lengths]
    return ["".join(letter if rng.random() < 1 / 3 else "?" for letter in word) for word in words]


def measure_store(data: bytes) -> None:
    """Time the first opening of a list file, which compiles it, and later openings."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bench.dict"
        os.environ["XDG_CACHE_HOME"] = folder
        path.write_bytes(data)
        report("open, compiling", lambda: open_word_list(path), runs=1)
        report("open, compiled", lambda: open_word_list(path))


def measure_index(lexicon: Lexicon, patterns: list[str]) -> None:
    """Time the lookup of words by pattern."""
    report(f"{PATTERNS} matches", lambda: [lexicon.matches(pattern) for pattern in patterns])


def report(what: str, action: Callable[[], object], runs: int = RUNS) -> None:
    """Run an action several times and print its times."""
    milliseconds = []
    for _ in range(runs):
        start = time.perf_counter()
        action()
        milliseconds.append((time.perf_counter() - start) * 1000)
    print(f"{what:36} {min(milliseconds):9.2f} {statistics.median(milliseconds):9.2f} ms")


if __name__ == "__main__":
    main()

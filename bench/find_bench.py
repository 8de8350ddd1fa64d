"""Measure the word tools on a list of 600,000 entries: `python -m bench.find_bench [LIST]`.

Without LIST, the default list is extended with words of random letters. Figures are processor milliseconds: the
first run and the median of later runs.
"""

import random
import statistics
import time
from collections.abc import Callable
from pathlib import Path

import click

from bench.words_bench import LIST_FILE, random_list
from xwtui.resources import default_word_list
from xwtui.words.finding import WordQuery, find_words
from xwtui.words.lexicon import Lexicon
from xwtui.words.reader import read_word_list
from xwtui.words.rebus_finding import find_rebus
from xwtui.words.word_list import WordList

ENTRIES = 600_000
RUNS = 7
LIMIT = 50
QUERIES = {
    "find C?T*": WordQuery((("C?T*",),)),
    "find --contains CAT": WordQuery((("*CAT*",),)),
    "find *A*E*I*": WordQuery((("*A*E*I*",),)),
    "find --starts RE": WordQuery((("RE*",),)),
    "find --ends ING": WordQuery((("*ING",),)),
    "find --between HEART": WordQuery((("H?*EART", "HE?*ART", "HEA?*RT", "HEAR?*T"),)),
    "find --anagram RETAINS": WordQuery(anagrams=("RETAINS",)),
    "find --anagram RETAINS*": WordQuery(anagrams=("RETAINS*",)),
    "find --match .*CAT(CH|TLE).*": WordQuery(matches=(".*CAT(CH|TLE).*",)),
    "find --match [AEIOU]{3}.* --length 7": WordQuery(matches=("[AEIOU]{3}.*",), shortest=7, longest=7),
    "find --match .*[AEIOU]{3}.*": WordQuery(matches=(".*[AEIOU]{3}.*",)),
    "find --match .*A[^E]{8}": WordQuery(matches=(".*A[^E]{8}",)),
    "find --match (?!.*[AEIOU]).*": WordQuery(matches=("(?!.*[AEIOU]).*",)),
    "find --match (?=.*A)(?=.*E)(?!.*[IOU]).*": WordQuery(matches=("(?=.*A)(?=.*E)(?!.*[IOU]).*",)),
    "find --match (?:(?!AT).){3,}": WordQuery(matches=("(?:(?!AT).){3,}",)),
    "find --match .*[AE][^E]{12}": WordQuery(matches=(".*[AE][^E]{12}",)),
    "find --match .*[AE].{10}[ST].*": WordQuery(matches=(".*[AE].{10}[ST].*",)),
    "find --match [^E]++": WordQuery(matches=("[^E]++",)),
    "find '*'": WordQuery(),
}


@click.command(help=__doc__)
@click.argument("file", metavar="[LIST]", required=False, type=LIST_FILE)
def main(file: Path | None) -> None:
    """Print all figures."""
    words = read_word_list(file.read_bytes(), "bench").word_list if file else filled_up()
    lexicon = Lexicon.build([words], minimum_score=0)
    print(f"{len(lexicon):,} words")
    for name, query in QUERIES.items():
        report(name, lambda query=query: find_words(lexicon, query, LIMIT))  # type: ignore[misc]
    everything = WordQuery()
    report(
        "find --contains CAT --squares 11",
        lambda: find_rebus(lexicon, "CAT", "CAT", everything, range(11, 12), 20),
    )
    report(
        "find --contains CAT --squares all",
        lambda: find_rebus(lexicon, "CAT", "CAT", everything, range(3, 99), 20),
    )


def filled_up() -> WordList:
    """Return the default list, filled up with random words."""
    shipped = read_word_list(default_word_list().read_bytes(), "default").word_list
    scores = dict(shipped)
    more = read_word_list(random_list(ENTRIES), "random").word_list
    extra = sorted((word, score) for word, score in more if word not in scores)
    random.Random(ENTRIES).shuffle(extra)
    scores.update(extra[: ENTRIES - len(scores)])
    return WordList.from_scores("bench", scores)


def report(what: str, action: Callable[[], object]) -> None:
    """Run an action several times and print the time of the first and of the later runs."""
    milliseconds = []
    for _ in range(RUNS):
        start = time.process_time()
        action()
        milliseconds.append((time.process_time() - start) * 1000)
    print(f"{what:42} {milliseconds[0]:9.2f} {statistics.median(milliseconds[1:]):9.2f} ms")


if __name__ == "__main__":
    main()

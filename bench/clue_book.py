"""Time to import 100,000 clues into the clue book, and to query it once they are in."""

import statistics
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random

from bench.fillers import clock
from bench.tables import duration, table
from xwtui.clues.book import ClueBook, ClueSource, NewClue
from xwtui.clues.importing import import_clues
from xwtui.clues.suggestions import suggestions
from xwtui.formats.registry import read_puzzle, write_puzzle
from xwtui.model.clues import unsettled
from xwtui.resources import default_word_list, puzzles_folder
from xwtui.words.compiled_lists import open_word_list

_CLUES, _FEW_CLUES = 100_000, 10_000
_ASKED, _FEW_ASKED = 500, 50
_MINIMUM_SCORE = 40
_WORDS_A_CLUE = (2, 9)
_SUFFIXES = (".puz", ".ipuz", ".xd", ".jpz")
_SAMPLE = "finished-match-made-in-heaven.ipuz"
_SEED = 20


def lines(tell: Callable[[str], None], *, is_quick: bool) -> list[str]:
    """Measure, and return two tables: imports and queries."""
    rng = Random(_SEED)
    number, asked = (_FEW_CLUES, _FEW_ASKED) if is_quick else (_CLUES, _ASKED)
    words = [
        word
        for word, score in open_word_list(default_word_list()).word_list
        if score >= _MINIMUM_SCORE and len(word) > 2
    ]
    rng.shuffle(words)
    with tempfile.TemporaryDirectory() as passing:
        folder = Path(passing)
        sources = {
            "a list": partial(_write_list, words, number),
            "puzzles": partial(_write_puzzles, words, number),
        }
        imported, answered = [], []
        for name, write in sources.items():
            tell(f"writing {name}")
            place = folder / name
            place.mkdir()
            write(place, rng)
            book = ClueBook(folder / f"{name}.sqlite")
            tell(f"importing {name}")
            imported.append(_imported(name, book, place))
            tell(f"asking of {name}")
            answered.append(_answered(name, book, words, asked, rng))
    return [
        f"Seconds {clock.which()}for {number:,} clues: from a list, in which some answers have many clues and "
        "most have few; and from puzzles that all have the same 78 answers, so that each answer has more clues "
        f"than any in a real book. A quarter of the puzzles are in each format: {', '.join(_SUFFIXES)}.",
        "",
        *table(["imported from", "clues", "seconds", "once more", "book"], imported),
        "",
        "Then, opening the book each time: the suggestions for a random answer in the book; the clues that "
        "contain two words, the second one incomplete; and saving a puzzle of 78 clues again.",
        "",
        *table(["book of", "suggestions", "99 of 100 within", "search", "99 of 100 within", "saving"], answered),
    ]


def _clue(rng: Random, words: Sequence[str]) -> str:
    """Return a clue of random words, different on each call."""
    return " ".join(rng.choices(words, k=rng.randint(*_WORDS_A_CLUE))).capitalize()


def _write_list(words: Sequence[str], number: int, folder: Path, rng: Random) -> None:
    weights = [1 / (place + 10) for place in range(len(words))]
    answers = rng.choices(words, weights, k=number)
    rows = (f"{answer}|{_clue(rng, words)}\n" for answer in answers)
    (folder / "list.txt").write_text("".join(rows), encoding="utf-8")


def _write_puzzles(words: Sequence[str], number: int, folder: Path, rng: Random) -> None:
    sample = read_puzzle(puzzles_folder() / _SAMPLE)
    slots = sample.grid.slots
    for count in range(-(-number // len(slots))):
        texts = {(slot.start, slot.direction): _clue(rng, words) for slot in slots}
        puzzle = replace(sample, title=f"Puzzle {count}", clues=unsettled(texts))
        suffix = _SUFFIXES[count % len(_SUFFIXES)]
        write_puzzle(folder / f"puzzle-{count}{suffix}", puzzle, lossy=True)


def _imported(name: str, book: ClueBook, folder: Path) -> list[str]:
    first, again = _seconds([lambda: import_clues(book, folder)] * 2)
    size = book.path.stat().st_size / 1e6
    return [name, f"{book.tally().clues:,}", duration(first), duration(again), f"{size:.0f} MB"]


def _answered(name: str, book: ClueBook, words: Sequence[str], asked: int, rng: Random) -> list[str]:
    told = [clue for word in rng.sample(words, 200) for clue in book.search(word[:4], 20)]
    chosen = rng.choices(told, k=asked)
    suggesting = _seconds(partial(suggestions, clue.answer, book) for clue in chosen)
    searching = _seconds(partial(book.search, _sought(clue.text, rng)) for clue in chosen)
    source = ClueSource("/own/puzzle.ipuz", "Own", date="2026-11-22", is_own=True)
    own = [NewClue(word, _clue(rng, words)) for word in words[:78]]
    book.keep(source, own)
    saving = _seconds(partial(book.keep, source, own) for _ in range(5))
    medians = [[duration(statistics.median(took)), duration(_late(took))] for took in (suggesting, searching)]
    return [name, *medians[0], *medians[1], duration(statistics.median(saving))]


def _sought(text: str, rng: Random) -> str:
    """Return a query of two adjacent words of a clue, the second one incomplete."""
    words = text.split()
    start = rng.randrange(len(words) - 1)
    return f"{words[start]} {words[start + 1][:3]}"


def _seconds(actions: Iterable[Callable[[], object]]) -> list[float]:
    """Time each action."""
    took = []
    for action in actions:
        begun = clock.now()
        action()
        took.append(clock.now() - begun)
    return took


def _late(took: Sequence[float]) -> float:
    """Return the 99th percentile."""
    return sorted(took)[99 * (len(took) - 1) // 100]

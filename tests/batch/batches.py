"""Small batches for the tests."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from xwtui.batch.packed_words import PackedWords, pack_words
from xwtui.batch.store import BatchStore
from xwtui.batch.subjects import asked_of_puzzle, puzzle_text
from xwtui.batch.tasks import BatchKind, BatchTask, Subject, TaskSettings
from xwtui.formats.grid_text import grid_from_text, puzzle_of_grid
from xwtui.words.lexicon import Lexicon
from xwtui.words.sources import Vocabulary
from xwtui.words.word_list import WordList

WORDS = {"ABC": 50, "DEF": 60, "GHI": 70, "ADG": 80, "BEH": 40, "CFI": 30, "ABX": 20, "CAB": 10}
"""The only fills of a blank 3x3 with these are ABC/DEF/GHI, and the same turned over."""
BLANK = "...\n...\n..."
STUCK = "X..\n...\n..."
SETTINGS = TaskSettings(seconds=60)


def vocabulary_of(words: Mapping[str, int] = WORDS) -> Vocabulary:
    return Vocabulary(Lexicon.build([WordList.from_scores("test", words)]))


def packed(words: Mapping[str, int] = WORDS) -> PackedWords:
    return pack_words(vocabulary_of(words))


def subject_of(text: str = BLANK, words: Mapping[str, int] = WORDS, title: str = "blank") -> Subject:
    puzzle = puzzle_of_grid(grid_from_text(text))
    return Subject(title, asked_of_puzzle(puzzle), packed(words).digest, puzzle_text(puzzle))


def task_of(text: str = BLANK, seed: int = 0, kind: BatchKind = BatchKind.FILL) -> BatchTask:
    subject = subject_of(text)
    return BatchTask(kind, subject.asked, subject.vocabulary, seed, SETTINGS)


def begin(
    path: Path,
    *texts: str,
    seeds: Sequence[int] = (0,),
    kind: BatchKind = BatchKind.FILL,
    settings: Sequence[TaskSettings] = (SETTINGS,),
) -> BatchStore:
    """A batch in a file, with tasks about grids."""
    store = BatchStore.begin(path, kind)
    store.add([packed()], [subject_of(text, title=f"grid {n}") for n, text in enumerate(texts)], seeds, settings)
    return store

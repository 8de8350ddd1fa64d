"""Puzzles and words from the command line's arguments."""

import sys
from pathlib import Path

from xwtui.errors import PuzzleFormatError
from xwtui.formats.registry import read_puzzle, read_stream
from xwtui.model import Puzzle
from xwtui.session.jobs.word_loader import VocabularyRequest
from xwtui.session.overrides import Overrides
from xwtui.shell.requests import WordRequest
from xwtui.words.vocabulary import Vocabulary

STDIN = "-"


def read_source(source: str) -> Puzzle:
    """Read a puzzle from a file, or from stdin for `-`; raises PuzzleFormatError."""
    if source != STDIN:
        return read_puzzle(Path(source))
    try:
        return read_stream(sys.stdin.buffer)
    except PuzzleFormatError as error:
        raise PuzzleFormatError(f"stdin: {error}") from None


def source_path(source: str) -> Path | None:
    """The file of a source; None for stdin."""
    return None if source == STDIN else Path(source)


def load_words(request: WordRequest, puzzle: Puzzle, source: str) -> Vocabulary:
    """The words that a request and a puzzle choose; raises WordListError.

    Lists named on the command line are sought from the current folder, the puzzle's own from the
    puzzle's folder.
    """
    overrides = Overrides(request.lists, request.minimum_score)
    return VocabularyRequest.of(puzzle, source_path(source), overrides).load()

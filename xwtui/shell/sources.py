"""Puzzles and words from the command line's arguments."""

import sys
from dataclasses import replace
from pathlib import Path

from xwtui.errors import PuzzleFormatError
from xwtui.formats.registry import read_puzzle, read_stream
from xwtui.model import Puzzle
from xwtui.session.recent_answers import recent_answers
from xwtui.shell.requests import WordRequest
from xwtui.words.vocabulary import Vocabulary, find_list, load_lexicon, vocabulary_of

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
    choice = puzzle.words
    if request.minimum_score is not None:
        choice = replace(choice, minimum_score=request.minimum_score)
    path = source_path(source)
    folder = path.parent if path is not None else None
    if request.lists:
        preferred = tuple(str(find_list(name, folder)) for name in choice.preferred)
        choice = replace(choice, lists=request.lists, preferred=preferred)
    recent = recent_answers(choice.recent, None if source == STDIN else Path(source))
    loaded = load_lexicon(choice, None if request.lists else folder, recent=recent.answers)
    words = vocabulary_of(loaded, choice, puzzle.rules.own_lists, folder)
    return replace(words, warnings=(*words.warnings, *recent.notices))

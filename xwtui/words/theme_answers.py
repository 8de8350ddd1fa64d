"""Theme answers as a constructor names them: words, and files that list words."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from xwtui.errors import WordListError
from xwtui.words.normalise import normalise

MOST_TOGETHER = 7
"""Theme answers that are arranged together at most."""
LIST_SUFFIXES = (".txt", ".dict", ".csv", ".tsv", ".list")
"""What a file of words ends in; others are told by a slash in their names."""


def read_answers(named: Iterable[str]) -> tuple[str, ...]:
    """The answers, each once: words as they are named, those of a file by falling score.

    Raises WordListError for what is neither a word nor a file that can be read, and for a file without words.
    """
    return tuple(dict.fromkeys(answer for text in named for answer in _answers(text)))


def is_file_name(text: str) -> bool:
    """Whether a file of words is meant, and not a word."""
    return "/" in text or text.lower().endswith(LIST_SUFFIXES)


def _answers(text: str) -> Iterator[str]:
    if not is_file_name(text):
        yield normalise(text)
        return
    from xwtui.words.store import open_word_list  # noqa: PLC0415  (loads numpy)

    listed = open_word_list(Path(text).expanduser()).word_list
    if not len(listed):
        raise WordListError(f"{text}: there are no words in it")
    yield from (word for word, _ in sorted(listed, key=lambda entry: -entry[1]))

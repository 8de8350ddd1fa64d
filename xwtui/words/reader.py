"""The reader of word lists: `WORD;SCORE`, `WORD SCORE`, and plain lists, from a file's bytes.

A line is blank, a comment (`#` or `//` first), or a word or phrase with or without a score:

- after a semicolon or a tab stands the score, and after another one the tags, as in `USSR;40;abbreviation,name`
  (lower-case words with commas between them; a third field of another form and further fields are ignored);
- after the last space stands the score if the file is scored that way: if most of its first
  1,000 lines end in a space and a whole number. In any other file spaces are part of a phrase, so that
  `CATCH 22` is the word CATCH22;
- a word without a score has DEFAULT_SCORE;
- a word that stands twice, also in other spellings, keeps its highest score and all its tags.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from xwtui.errors import WordListError
from xwtui.model.puzzle import HIGHEST_SCORE
from xwtui.text import printable
from xwtui.words.decoding import decode_list
from xwtui.words.normalise import normalise
from xwtui.words.tags import MOST_TAGS, read_tags
from xwtui.words.word_list import WordList

DEFAULT_SCORE = 50
"""The score of a word that its list gives none: "a solver would not mind"."""

SHORTEST_WORD = 2
LONGEST_WORD = 100
"""Characters of a word; more than the squares of the longest slot, for it may have rebus squares."""

MAX_LINES = 4_000_000
MAX_BAD_LINES = 100
"""Bad lines that are kept with their reasons; all are counted."""

_LONGEST_LINE = 500
_SAMPLE_LINES = 1000
_SEPARATORS = (";", "\t")
_NUMBER = re.compile(r"[+-]?[0-9][0-9.,]*")
_SCORE = re.compile(r"[+-]?[0-9]{1,9}")
_SCORES = {"": DEFAULT_SCORE, **{str(score): score for score in range(HIGHEST_SCORE + 1)}}


class BadLine(NamedTuple):
    """A line that was skipped; the number counts from 1, the text is printable and may be cut."""

    number: int
    text: str
    reason: str

    def __str__(self) -> str:
        return f"line {self.number}: {self.reason}"


@dataclass(frozen=True)
class ReadResult:
    """A word list as read, with the lines that were skipped."""

    word_list: WordList
    bad_lines: tuple[BadLine, ...] = ()
    """The first bad lines, MAX_BAD_LINES at most."""
    bad_count: int = 0
    """All bad lines."""


def read_word_list(data: bytes, name: str) -> ReadResult:
    """Read a word list from the bytes of its file; see the module for the forms.

    Raises WordListError where the data is too large, damaged, binary, or holds no word.
    """
    lines = _split(decode_list(data, name), name)
    reading = _Reading(_separator(lines))
    reading.read(lines)
    if reading.scores:
        word_list = WordList.from_scores(name, reading.scores, reading.tags)
        return ReadResult(word_list, tuple(reading.bad), reading.bad_count)
    if reading.bad:
        raise WordListError(f"{printable(name)} has no word that can be used; {reading.bad[0]}")
    raise WordListError(f"{printable(name)} is empty: it has no words")


def _split(text: str, name: str) -> list[str]:
    """The lines of a text with Unix, Windows or old Macintosh line ends."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if text.count("\n") > MAX_LINES:
        raise WordListError(f"{printable(name)} has more than {MAX_LINES:,} lines")
    return text.split("\n")


def _is_comment(line: str) -> bool:
    return line.lstrip()[:2].startswith(("#", "//"))


def _separator(lines: Sequence[str]) -> str:
    """What most lines at the beginning of a file have between word and score; see the module."""
    short = (line[:_LONGEST_LINE] for line in lines)
    sample = list(islice((line for line in short if line.strip() and not _is_comment(line)), _SAMPLE_LINES))
    for separator in _SEPARATORS:
        if sum(separator in line for line in sample) * 2 > len(sample):
            return separator
    by_space = sum(_ends_in_number(line) for line in sample)
    return " " if by_space * 2 > len(sample) else ";"


def _ends_in_number(line: str) -> bool:
    text, _, last = line.strip().rpartition(" ")
    return bool(text) and _NUMBER.fullmatch(last) is not None


class _Reading:
    """The words and bad lines found so far, in a file with this separator."""

    def __init__(self, separator: str) -> None:
        self.separator = separator
        self.scores: dict[str, int] = {}
        self.tags: dict[str, set[str]] = {}
        """The words that bear each tag."""
        self.bad: list[BadLine] = []
        self.bad_count = 0

    def read(self, lines: Sequence[str]) -> None:
        """Take each line's word; plain ones at once, for speed, and all others by `_parse`."""
        scores, separator = self.scores, self.separator
        for number, line in enumerate(lines, 1):
            word, _, score_text = line.partition(separator)
            score = _SCORES.get(score_text)
            tag_text = ""
            if score is None and separator != " ":
                score_text, _, tag_text = score_text.partition(separator)
                score = _SCORES.get(score_text)
            if (
                score is not None
                and word.isalnum()
                and word.isascii()
                and SHORTEST_WORD <= len(word) <= LONGEST_WORD
            ):
                word = word.upper()
            elif not line or line.isspace() or _is_comment(line):
                continue
            else:
                try:
                    word, score, tag_text = self._parse(line)
                except WordListError as error:
                    self._skip(number, line, str(error))
                    continue
            if score > scores.get(word, -1):
                scores[word] = score
            if tag_text:
                self._mark(word, tag_text.partition(separator)[0])

    def _mark(self, word: str, tag_text: str) -> None:
        """Take note of the tags of a word."""
        for tag in read_tags(tag_text):
            if tag in self.tags or len(self.tags) < MOST_TAGS:
                self.tags.setdefault(tag, set()).add(word)

    def _parse(self, line: str) -> tuple[str, int, str]:
        """The word, score and tags of a line; WordListError says what is wrong with it."""
        if len(line) > _LONGEST_LINE:
            raise WordListError(f"the line is longer than {_LONGEST_LINE} characters")
        text, score_text, tag_text = self._fields(line)
        word = normalise(text)
        if not SHORTEST_WORD <= len(word) <= LONGEST_WORD:
            raise WordListError(
                f"'{printable(text.strip(), 40)}': a word has {SHORTEST_WORD} to {LONGEST_WORD} characters"
            )
        return word, _parse_score(score_text.strip()), tag_text

    def _fields(self, line: str) -> tuple[str, str, str]:
        for separator in _SEPARATORS:
            if separator in line:
                text, score_text, tag_text, *_ = [*line.split(separator, 3), ""]
                return text, score_text, tag_text
        if self.separator == " " and _ends_in_number(line):
            text, _, score_text = line.rstrip().rpartition(" ")
            return text, score_text, ""
        return line, "", ""

    def _skip(self, number: int, line: str, reason: str) -> None:
        self.bad_count += 1
        if len(self.bad) < MAX_BAD_LINES:
            self.bad.append(BadLine(number, printable(line), reason))


def _parse_score(text: str) -> int:
    if not text:
        return DEFAULT_SCORE
    if _SCORE.fullmatch(text) is None:
        raise WordListError(
            f"'{printable(text, 40)}' is no score; scores are whole numbers from 0 to {HIGHEST_SCORE}"
        )
    score = int(text)
    if not 0 <= score <= HIGHEST_SCORE:
        raise WordListError(f"scores run from 0 to {HIGHEST_SCORE}; {score} is outside")
    return score

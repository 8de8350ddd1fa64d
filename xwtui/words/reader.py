"""Word list files: decoding of any encoding, parsing into words, scores and tags, and a report of bad lines.

A line is a word, `WORD;SCORE` or `WORD;SCORE;TAGS`, or the same with tabs. If most lines end in a number after a
space, lines without these separators are `WORD SCORE`. Lines that begin with `#` or `//` are comments.
"""

import codecs
import io
import re
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import NamedTuple

import numpy as np

from xwtui.errors import WordListError
from xwtui.lazy import lazy_imports, lazy_pattern
from xwtui.model.alphabet import ENGLISH, Alphabet
from xwtui.model.rules.answer_limits import TAG
from xwtui.model.rules.entry_rules import HIGHEST_SCORE
from xwtui.text import printable
from xwtui.words.normalise import enumeration_of, spell
from xwtui.words.scales import AUTO, HIGHEST_FOREIGN, ORDINARY, OWN_SCALE, Scale, guessed
from xwtui.words.word_list import WordList, WordTable, frozen_table, highest_scores, tables_of, tag_rows

with lazy_imports():
    import gzip

MAX_LIST_BYTES = 64 * 1024 * 1024
"""Maximum size of a word list in bytes, both compressed and uncompressed."""

_GZIP_MAGIC = b"\x1f\x8b"
_MARKED = {
    (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE): "utf-32",
    (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE): "utf-16",
}
"""Byte order marks by encoding; the longer marks come first."""
_CONTROLS = bytes(set(range(32)) - set(b"\t\n\r\f"))
_MOST_CONTROLS = 0.1

MOST_TAGS = 64
"""Maximum number of distinct tags in a list; a file with more has something else in its third field."""

DEFAULT_SCORE = ORDINARY
"""The score of a word without one: "a solver would not mind"."""
SHORTEST_WORD = 2
LONGEST_WORD = 100
"""Maximum length of a word. It exceeds the longest slot because words may have rebus squares."""

MAX_LINES = 4_000_000
MAX_BAD_LINES = 100
"""Maximum number of bad lines kept with their reasons; all are counted."""

_PIECE = 1 << 19
"""Number of characters parsed before the words are moved to arrays."""
_LONGEST_LINE = 500
_SAMPLE_LINES = 1000
_SEPARATORS = (";", "\t")
_NUMBER = lazy_pattern(r"[+-]?[0-9][0-9.,]*")
_SCORE = lazy_pattern(r"[+-]?[0-9]{1,9}")
_UNSCORED = -1
"""Placeholder score of a word without one, until the list's scale is known."""
_RULE = lazy_pattern(r"(?:#|//)\s*scores:\s*(\S+)\s*")
_ALPHABET = lazy_pattern(r"(?:#|//)\s*alphabet:\s*([a-z0-9-]{1,30})\s*")
_HEAD_LINES = 20
"""Number of lines at the beginning whose comments may be directives: `# scores: 0-100`, `# alphabet: swedish`."""


def decode_list(data: bytes, name: str) -> str:
    """Return the text of a word list's bytes.

    Gzip data is decompressed. A byte order mark selects UTF-8, UTF-16 or UTF-32. Otherwise each line is decoded as
    UTF-8 if valid, or else as Windows-1252 or Latin-1. Raises WordListError for data that is too large, damaged or
    binary.
    """
    shown = printable(name)
    if data.startswith(_GZIP_MAGIC):
        try:
            with gzip.GzipFile(fileobj=io.BytesIO(data)) as stream:
                data = stream.read(MAX_LIST_BYTES + 1)
        except (OSError, EOFError, zlib.error) as error:
            raise WordListError(f"{shown} is a damaged gzip file: {printable(str(error))}") from error
    if len(data) > MAX_LIST_BYTES:
        raise WordListError(f"{shown} is too large: a word list has at most {MAX_LIST_BYTES >> 20} MB")
    for marks, encoding in _MARKED.items():
        if data.startswith(marks):
            try:
                text = data.decode(encoding)
            except UnicodeDecodeError as error:
                raise WordListError(f"{shown} is damaged {encoding.upper()} text, or not text") from error
            if "\0" in text:
                raise WordListError(f"{shown} is binary, not text (it has NUL characters)")
            return text
    return _decode_unmarked(data, shown)


def _decode_unmarked(data: bytes, shown: str) -> str:
    if b"\0" in data:
        line = data.count(b"\n", 0, data.index(b"\0")) + 1
        raise WordListError(f"{shown} is binary, not text (it has NUL bytes, from line {line} on)")
    controls = len(data) - len(data.translate(None, _CONTROLS))
    if controls > _MOST_CONTROLS * len(data):
        raise WordListError(f"{shown} is binary, not text ({controls:,} of {len(data):,} bytes are controls)")
    data = data.removeprefix(codecs.BOM_UTF8)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return "\n".join(map(_decode_line, data.splitlines()))


def _decode_line(line: bytes) -> str:
    for encoding in ("utf-8", "cp1252"):
        try:
            return line.decode(encoding)
        except UnicodeDecodeError:
            continue
    return line.decode("latin-1")


def read_tags(field: str) -> tuple[str, ...]:
    """Return the tags in a list line's third field, `abbreviation,name`; empty if it is anything else."""
    tags = tuple(dict.fromkeys(part.strip().lower() for part in field.split(",")))
    return tags if all(map(TAG.fullmatch, tags)) else ()


class BadLine(NamedTuple):
    """A skipped line. The number counts from 1; the text is printable and may be truncated."""

    number: int
    text: str
    reason: str

    def __str__(self) -> str:
        return f"line {self.number}: {self.reason}"


class FoldedLetter(NamedTuple):
    """A letter that the alphabet lacks, its replacement, and the number of words affected."""

    letter: str
    written: str
    words: int


class CappedScores(NamedTuple):
    """The number of words above the list's scale, and the highest-scoring one."""

    words: int
    highest: str
    score: int

    def __str__(self) -> str:
        if self.words == 1:
            return f"{self.highest};{self.score} counts as {HIGHEST_SCORE}"
        return f"{self.words:,} words above that count as {HIGHEST_SCORE}, such as {self.highest};{self.score}"


class ReadResult(NamedTuple):
    """A parsed word list with a report of what was skipped or changed."""

    word_list: WordList
    bad_lines: tuple[BadLine, ...] = ()
    """The first bad lines, at most MAX_BAD_LINES."""
    bad_count: int = 0
    """The total number of bad lines."""
    scale: Scale = OWN_SCALE
    """How the file's scores were read."""
    is_guessed: bool = False
    """Whether the scale was guessed, because neither the caller nor the file specifies one."""
    folded: tuple[FoldedLetter, ...] = ()
    """The letters in its words that the alphabet lacks, most frequent first."""
    alphabet: str = ""
    """The alphabet that the file names; empty if it names none."""
    capped: CappedScores | None = None
    """The words above a guessed scale."""


def read_word_list(data: bytes, name: str, rule: str = str(OWN_SCALE), alphabet: Alphabet = ENGLISH) -> ReadResult:
    """Parse a word list from the bytes of its file; the module docstring describes the format.

    `rule` specifies the meaning of the scores: AUTO, or a `Scale` in text form. Words are spelled in `alphabet`.
    Raises WordListError if the data is too large, damaged or binary, or contains no word.
    """
    result = read_perhaps_empty(data, name, rule, alphabet)
    if len(result.word_list):
        return result
    if result.bad_lines:
        raise WordListError(f"{printable(name)} has no usable word; {result.bad_lines[0]}")
    raise WordListError(f"{printable(name)} is empty: it has no words")


def read_perhaps_empty(
    data: bytes, name: str, rule: str = str(OWN_SCALE), alphabet: Alphabet = ENGLISH
) -> ReadResult:
    """Parse a list that may be empty; raises WordListError for data that is not a word list."""
    # line ends of Windows and classic Mac OS
    text = decode_list(data, name).replace("\r\n", "\n").replace("\r", "\n")
    if text.count("\n") > MAX_LINES:
        raise WordListError(f"{printable(name)} has more than {MAX_LINES:,} lines")
    head = next(_pieces(text))[:_HEAD_LINES]
    declared = next((Scale.parse(match[1]) for match in _head(head, _RULE)), None) if rule == AUTO else None
    scale = declared if rule == AUTO else Scale.parse(rule)
    is_guessed = scale is None
    reading = _Reading(text, HIGHEST_FOREIGN if scale is None else scale.highest, alphabet)
    for lines in _pieces(text):
        reading.read(lines)
        if scale == OWN_SCALE:
            reading.put_away(scale)
    if scale is None:
        scale = guessed(score for score in reading.scores.values() if score != _UNSCORED)
    above = [word for word, score in reading.scores.items() if score > scale.highest]
    highest = max(above, key=reading.scores.__getitem__, default="")
    capped = CappedScores(len(above), highest, reading.scores[highest]) if above else None
    reading.put_away(scale)
    words, own = reading.word_list(name), next((match[1] for match in _head(head, _ALPHABET)), "")
    return ReadResult(words, tuple(reading.bad), reading.bad_count, scale, is_guessed, reading.folded, own, capped)


def _head(lines: Sequence[str], said: re.Pattern[str]) -> Iterator[re.Match[str]]:
    matches = (said.fullmatch(line.strip()[:_LONGEST_LINE]) for line in lines)
    return (match for match in matches if match is not None)


def _pieces(text: str) -> Iterator[list[str]]:
    """Yield the lines of a text in batches of some thousands; all lines at once need ten times the memory."""
    start = 0
    while start <= len(text):
        end = text.find("\n", start + _PIECE)
        end = len(text) if end < 0 else end
        yield text[start:end].split("\n")
        start = end + 1


def _is_comment(line: str) -> bool:
    return line.lstrip()[:2].startswith(("#", "//"))


def _separator(lines: Iterable[str]) -> str:
    """Return the separator between word and score in most of the first lines; see the module docstring."""
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
    """Accumulates the words and bad lines of a text; scores above `highest` are errors."""

    def __init__(self, text: str, highest: int, alphabet: Alphabet) -> None:
        self.separator = _separator(chain.from_iterable(_pieces(text)))
        self._highest = highest
        self._alphabet = alphabet
        self._folds: Counter[tuple[str, str]] = Counter()
        self._plain = {"": _UNSCORED, **{str(score): score for score in range(min(highest, HIGHEST_SCORE) + 1)}}
        fielded = (
            (line, separator)
            for line in chain.from_iterable(_pieces(text))
            if (separator := next((each for each in _SEPARATORS if each in line), None))
        )
        self._gives_scores = self.separator == " " or any(
            line.split(separator, 2)[1].strip() and not _is_comment(line) for line, separator in fielded
        )
        """Whether the file has a score for any word, so that an empty score field is an error."""
        self._lines = 0
        self._tables: defaultdict[int, list[WordTable]] = defaultdict(list)
        """Tables of finished words by length. Scores are ours plus one, or 0 for words without a score."""
        self.scores: dict[str, int] = {}
        """The list's own scores of words that are not in tables yet."""
        self.tags: dict[str, set[str]] = {}
        """Words by tag."""
        self.parted: dict[str, set[str]] = {}
        """Words written in several parts, by enumeration."""
        self.bad: list[BadLine] = []
        self.bad_count = 0

    def read(self, lines: Sequence[str]) -> None:
        """Add the word of each line: plain lines on a fast path, all others by `_parse`."""
        scores, separator, plain = self.scores, self.separator, self._plain
        takes_ascii, has_all = self._alphabet.takes_ascii, self._alphabet.has_all
        for number, line in enumerate(lines, self._lines + 1):
            word, _, score_text = line.partition(separator)
            score = plain.get(score_text)
            tag_text = ""
            if score is None and separator != " ":
                score_text, _, tag_text = score_text.partition(separator)
                score = plain.get(score_text)
            if (
                score is not None
                and (score != _UNSCORED or word == line or not self._gives_scores)
                and word.isalnum()
                and SHORTEST_WORD <= len(word) <= LONGEST_WORD
                and ((takes_ascii and word.isascii()) or has_all(word))
            ):
                word = word.upper()
            elif not line or line.isspace() or _is_comment(line):
                continue
            else:
                try:
                    word, score, tag_text = self._parse(line)
                except WordListError as error:
                    self.bad_count += 1
                    if len(self.bad) < MAX_BAD_LINES:
                        self.bad.append(BadLine(number, printable(line), str(error)))
                    continue
            if score > scores.get(word, _UNSCORED - 1):
                scores[word] = score
            for tag in read_tags(tag_text.partition(separator)[0]) if tag_text else ():
                if tag in self.tags or len(self.tags) < MOST_TAGS:
                    self.tags.setdefault(tag, set()).add(word)
        self._lines += len(lines)

    def _parse(self, line: str) -> tuple[str, int, str]:
        """Return a line's word, score and tags; raises WordListError with the fault."""
        if len(line) > _LONGEST_LINE:
            raise WordListError(f"the line is longer than {_LONGEST_LINE} characters")
        text, score_text, tag_text = self._fields(line)
        word, folded = spell(text, self._alphabet)
        if not SHORTEST_WORD <= len(word) <= LONGEST_WORD:
            raise WordListError(
                f"'{printable(text.strip(), 40)}': a word has {SHORTEST_WORD} to {LONGEST_WORD} characters"
            )
        score, score_text = _UNSCORED, score_text.strip()
        if score_text and _SCORE.fullmatch(score_text) is None:
            raise WordListError(
                f"'{printable(score_text, 40)}' is not a score; scores are whole numbers from 0 up"
            )
        if score_text and not 0 <= (score := int(score_text)) <= self._highest:
            raise WordListError(f"scores go from 0 to {self._highest}, not {score}")
        if score == _UNSCORED and self._gives_scores and any(each in line for each in _SEPARATORS):
            raise WordListError(f"'{printable(text.strip(), 40)}' has a separator but no score")
        self._folds.update(folded)
        if (enumeration := enumeration_of(text, self._alphabet)) is not None:
            self.parted.setdefault(str(enumeration), set()).add(word)
        return word, score, tag_text

    @property
    def folded(self) -> tuple[FoldedLetter, ...]:
        """The letters that the alphabet lacks, most frequent first."""
        return tuple(FoldedLetter(*fold, words) for fold, words in self._folds.most_common())

    def _fields(self, line: str) -> tuple[str, str, str]:
        for separator in _SEPARATORS:
            if separator in line:
                text, score_text, tag_text, *_ = [*line.split(separator, 3), ""]
                return text, score_text, tag_text
        if self.separator == " " and _ends_in_number(line):
            text, _, score_text = line.rstrip().rpartition(" ")
            return text, score_text, ""
        return line, "", ""

    def put_away(self, scale: Scale) -> None:
        """Move the pending words to arrays, in a tenth of the memory, with their scores converted to ours."""
        ours = {score: 0 if score == _UNSCORED else scale.ours(score) + 1 for score in {*self.scores.values()}}
        for length, table in tables_of({word: ours[score] for word, score in self.scores.items()}).items():
            self._tables[length].append(table)
        self.scores.clear()

    def word_list(self, name: str) -> WordList:
        ours = np.array([DEFAULT_SCORE, *range(HIGHEST_SCORE + 1)], np.uint8)
        best = {length: highest_scores(tables) for length, tables in self._tables.items()}
        tables = {length: frozen_table(table.letters, ours[table.scores]) for length, table in best.items()}
        return WordList(name, tables, tag_rows(tables, self.tags), tag_rows(tables, self.parted))

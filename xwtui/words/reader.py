"""Word lists from files: decoded whatever their encoding, split into words, scores and tags, bad lines told."""

import codecs
import io
import re
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice

import numpy as np

from xwtui.errors import WordListError
from xwtui.lazy import lazy_imports, lazy_pattern
from xwtui.model.alphabet import ENGLISH, Alphabet
from xwtui.model.puzzle import HIGHEST_SCORE
from xwtui.named_tuples import NamedTuple
from xwtui.text import printable
from xwtui.words.normalise import enumeration_of, spell
from xwtui.words.scales import AUTO, HIGHEST_FOREIGN, ORDINARY, OURS, Scale, guessed
from xwtui.words.word_list import WordList, WordTable, frozen_table, highest_scores, tables_of, tag_rows

with lazy_imports():
    import gzip

MAX_LIST_BYTES = 64 * 1024 * 1024
"""Bytes that a word list may have, packed and unpacked."""

_GZIP_MAGIC = b"\x1f\x8b"
_MARKED = {
    (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE): "utf-32",
    (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE): "utf-16",
}
"""What text of these encodings begins with; the longer marks first."""
_CONTROLS = bytes(set(range(32)) - set(b"\t\n\r\f"))
_MOST_CONTROLS = 0.1

MOST_TAGS = 64
"""Different tags of one list; a file with more has something else in its third field."""
_TAG = lazy_pattern(r"[a-z][a-z0-9-]{0,29}")

DEFAULT_SCORE = ORDINARY
"""The score of a word that its list gives none: "a solver would not mind"."""
SHORTEST_WORD = 2
LONGEST_WORD = 100
"""Characters of a word; more than the squares of the longest slot, for it may have rebus squares."""

MAX_LINES = 4_000_000
MAX_BAD_LINES = 100
"""Bad lines that are kept with their reasons; all are counted."""

_PIECE = 1 << 19
"""Characters of lines that are read before their words are put away."""
_LONGEST_LINE = 500
_SAMPLE_LINES = 1000
_SEPARATORS = (";", "\t")
_NUMBER = lazy_pattern(r"[+-]?[0-9][0-9.,]*")
_SCORE = lazy_pattern(r"[+-]?[0-9]{1,9}")
_UNSCORED = -1
"""The score of a word that its list gives none, as long as it is not known what the others mean."""
_RULE = lazy_pattern(r"(?:#|//)\s*scores:\s*(\S+)\s*")
_ALPHABET = lazy_pattern(r"(?:#|//)\s*alphabet:\s*([a-z0-9-]{1,30})\s*")
_HEAD_LINES = 20
"""Lines at the beginning of a file of which comments may say more: `# scores: 0-100`, `# alphabet: swedish`."""


def decode_list(data: bytes, name: str) -> str:
    """Return the text of a word list's bytes.

    Gzip is unpacked. A byte order mark tells UTF-8, UTF-16 or UTF-32; else each line is UTF-8 where it
    can be, and Windows-1252 (which holds Latin-1) where it cannot.
    Raises WordListError for data that is too large, damaged or binary.
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


def is_tag(text: str) -> bool:
    """Whether a text has the form of a tag: a lower-case word of 1 to 30 letters, digits and hyphens."""
    return _TAG.fullmatch(text) is not None


def read_tags(field: str) -> tuple[str, ...]:
    """The tags of a list line's third field, `abbreviation,name`; none where it is anything else."""
    tags = tuple(dict.fromkeys(part.strip().lower() for part in field.split(",")))
    return tags if all(map(is_tag, tags)) else ()


class BadLine(NamedTuple):
    """A line that was skipped; the number counts from 1, the text is printable and may be cut."""

    number: int
    text: str
    reason: str

    def __str__(self) -> str:
        return f"line {self.number}: {self.reason}"


class FoldedLetter(NamedTuple):
    """A letter that the alphabet lacks, what was written for it, and in how many words."""

    letter: str
    written: str
    words: int


class CappedScores(NamedTuple):
    """How many words score more than their list's scale has, and the one that does most."""

    words: int
    highest: str
    score: int

    def __str__(self) -> str:
        if self.words == 1:
            return f"{self.highest};{self.score} counts as {HIGHEST_SCORE}"
        return f"{self.words:,} words above that count as {HIGHEST_SCORE}, such as {self.highest};{self.score}"


class ReadResult(NamedTuple):
    """A word list as read, with the lines that were skipped."""

    word_list: WordList
    bad_lines: tuple[BadLine, ...] = ()
    """The first bad lines, MAX_BAD_LINES at most."""
    bad_count: int = 0
    """All bad lines."""
    scale: Scale = OURS
    """How the scores of the file were understood."""
    is_guessed: bool = False
    """Whether nobody has said that, neither the file itself."""
    folded: tuple[FoldedLetter, ...] = ()
    """The letters of its words that the alphabet lacks, the most frequent first."""
    alphabet: str = ""
    """The alphabet that the file names as its own; empty where it names none."""
    capped: CappedScores | None = None
    """The words that a guessed scale has no score for."""


def read_word_list(data: bytes, name: str, rule: str = str(OURS), alphabet: Alphabet = ENGLISH) -> ReadResult:
    """Read a word list from the bytes of its file; see the module for the forms.

    `rule` says how its scores are meant: AUTO, or a `Scale` as that is written; its words are spelled in an
    `alphabet`. Raises WordListError where the data is too large, damaged, binary, or holds no word.
    """
    result = read_perhaps_empty(data, name, rule, alphabet)
    if len(result.word_list):
        return result
    if result.bad_lines:
        raise WordListError(f"{printable(name)} has no usable word; {result.bad_lines[0]}")
    raise WordListError(f"{printable(name)} is empty: it has no words")


def read_perhaps_empty(data: bytes, name: str, rule: str = str(OURS), alphabet: Alphabet = ENGLISH) -> ReadResult:
    """The same for a list that may be without words; raises WordListError for data that is no word list."""
    text = decode_list(data, name).replace("\r\n", "\n").replace("\r", "\n")  # Windows' and old Macintosh's ends
    if text.count("\n") > MAX_LINES:
        raise WordListError(f"{printable(name)} has more than {MAX_LINES:,} lines")
    head = next(_pieces(text))[:_HEAD_LINES]
    declared = next((Scale.parse(match[1]) for match in _head(head, _RULE)), None) if rule == AUTO else None
    scale = declared if rule == AUTO else Scale.parse(rule)
    is_guessed = scale is None
    reading = _Reading(text, HIGHEST_FOREIGN if scale is None else scale.highest, alphabet)
    for lines in _pieces(text):
        reading.read(lines)
        if scale == OURS:
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
    """The lines of a text, some thousands at a time: all at once take ten times its room."""
    start = 0
    while start <= len(text):
        end = text.find("\n", start + _PIECE)
        end = len(text) if end < 0 else end
        yield text[start:end].split("\n")
        start = end + 1


def _is_comment(line: str) -> bool:
    return line.lstrip()[:2].startswith(("#", "//"))


def _separator(lines: Iterable[str]) -> str:
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
    """The words and bad lines found so far, in a text with no higher scores."""

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
        """Whether the file has a score for some word, so that an empty place for one is a slip."""
        self._lines = 0
        self._tables: defaultdict[int, list[WordTable]] = defaultdict(list)
        """Words that were put away, by length: their scores in ours and one more, 0 where the list gives none."""
        self.scores: dict[str, int] = {}
        """Those of the others as the list gives them."""
        self.tags: dict[str, set[str]] = {}
        """The words that bear each tag."""
        self.parted: dict[str, set[str]] = {}
        """The words that are written in several parts, by their enumerations."""
        self.bad: list[BadLine] = []
        self.bad_count = 0

    def read(self, lines: Sequence[str]) -> None:
        """Take each line's word; plain ones at once, for speed, and all others by `_parse`."""
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
        """The word, score and tags of a line; WordListError says what is wrong with it."""
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
                f"'{printable(score_text, 40)}' is not a score; scores are whole numbers from 0 to {HIGHEST_SCORE}"
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
        """The letters that the alphabet lacks, the most frequent first."""
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
        """Keep the words so far in arrays, a tenth of what they take as text, with their scores in ours."""
        ours = {score: 0 if score == _UNSCORED else scale.ours(score) + 1 for score in {*self.scores.values()}}
        for length, table in tables_of({word: ours[score] for word, score in self.scores.items()}).items():
            self._tables[length].append(table)
        self.scores.clear()

    def word_list(self, name: str) -> WordList:
        ours = np.array([DEFAULT_SCORE, *range(HIGHEST_SCORE + 1)], np.uint8)
        best = {length: highest_scores(tables) for length, tables in self._tables.items()}
        tables = {length: frozen_table(table.letters, ours[table.scores]) for length, table in best.items()}
        return WordList(name, tables, tag_rows(tables, self.tags), tag_rows(tables, self.parted))

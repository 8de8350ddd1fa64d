"""The constructor's own scores for every puzzle: a text file of `WORD;SCORE` lines, which users edit as well."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, TypeVar

from xwtui.errors import WordListError, reason_of
from xwtui.lazy import lazy_imports
from xwtui.model.alphabet import ENGLISH, Alphabet
from xwtui.reading import changing_alone, write_whole
from xwtui.resources import personal_list_path
from xwtui.text import printable
from xwtui.user_files import MissingUserFileError, UserFileError, read_bytes, read_text
from xwtui.words.normalise import spell

with lazy_imports():
    from xwtui.words.reader import ReadResult, read_perhaps_empty

Data = TypeVar("Data", str, bytes)

MINE = "mine"
"""The name of the personal list among the layers."""

NEVER = 0
"""The score that keeps a word out of every fill, regardless of the puzzle's minimum score."""

MOST_BYTES = 8 << 20
"""Maximum size of the file in bytes, enough for half a million words."""

_SEPARATORS = (";", "\t")
_HEADING = "# Your own scores for every puzzle: WORD;SCORE, 0 to 100. A word with 0 is never used.\n"
_MARK = "\ufeff"


class NumberedLine(NamedTuple):
    """A line of the file, with its line ending, and its index from 0."""

    place: int
    text: str


class LineChange(NamedTuple):
    """An edit to one word's lines, with enough data to revert it and to detect later changes."""

    word: str
    before: tuple[NumberedLine, ...]
    after: tuple[NumberedLine, ...]
    alphabet: Alphabet = ENGLISH

    @property
    def reversed(self) -> LineChange:
        return self._replace(before=self.after, after=self.before)


class PersonalList:
    """The file of the personal list, created by the first edit.

    Edits preserve comments, line order and any further fields. An edit holds a lock next to the file while it
    reads and writes, so that concurrent processes do not lose each other's lines. Methods raise WordListError,
    naming the file, if it cannot be read or written.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = personal_list_path() if path is None else path

    def read(self, alphabet: Alphabet = ENGLISH) -> ReadResult:
        """Read the words with their scores in an alphabet, like any word list; empty if there is no file."""
        return read_perhaps_empty(self._read(read_bytes, b""), self.path.name, alphabet=alphabet)

    def edit(self, scores: Mapping[str, int | None], alphabet: Alphabet = ENGLISH) -> tuple[LineChange, ...]:
        """Set the score of words, or remove them from the list (None); returns the changes to the file.

        An existing line keeps its place and any text after the score. A new word is appended.
        """

        def change(lines: list[str]) -> Iterator[LineChange]:
            for word, score in scores.items():
                before = _lines_of(word, lines, alphabet)
                after = _after(word, score, before, len(lines))
                if [line.text for line in after] != [line.text for line in before]:
                    _replace(lines, before, after)
                    yield LineChange(word, before, after, alphabet)

        return self._changed(change)

    def revert(self, changes: Collection[LineChange]) -> tuple[str, ...]:
        """Revert changes returned by `edit`; returns the words changed since, which are left alone."""
        return self._follow([change.reversed for change in reversed(tuple(changes))])

    def reapply(self, changes: Collection[LineChange]) -> tuple[str, ...]:
        """Reapply reverted changes; returns the words changed since, which are left alone."""
        return self._follow(changes)

    def _follow(self, changes: Collection[LineChange]) -> tuple[str, ...]:
        left: list[str] = []

        def change(lines: list[str]) -> Iterator[LineChange]:
            for one in changes:
                now = _lines_of(one.word, lines, one.alphabet)
                if [line.text.rstrip("\r\n") for line in now] == [line.text.rstrip("\r\n") for line in one.before]:
                    _replace(lines, now, one.after)
                    yield one
                else:
                    left.append(one.word)

        self._changed(change)
        return tuple(left)

    def _changed(self, change: Callable[[list[str]], Iterator[LineChange]]) -> tuple[LineChange, ...]:
        """Change the file's lines under its lock; if nothing changes, nothing is written."""
        try:
            with changing_alone(self.path.resolve()):
                lines = self._read(read_text, "").splitlines(keepends=True) or [_HEADING]
                made = tuple(change(lines))
                if made:
                    ended = [line if line.endswith("\n") else f"{line}\n" for line in lines[:-1]] + lines[-1:]
                    write_whole(self.path.resolve(), "".join(ended))
                return made
        except OSError as error:
            shown = printable(str(self.path), 200)
            raise WordListError(f"cannot write {shown}: {reason_of(error)}") from error

    def _read(self, read: Callable[[Path, int], Data], nothing: Data) -> Data:
        try:
            return read(self.path, MOST_BYTES)
        except MissingUserFileError:
            return nothing
        except UserFileError as error:
            raise WordListError(f"your own list {error}") from error


def _fields_of(line: str) -> tuple[str, str, str, str]:
    """Return word, separator, score, and the rest after the score with its separator, without the line ending."""
    bare = line.rstrip("\r\n").removeprefix(_MARK)
    for separator in _SEPARATORS:
        if separator in bare:
            word, _, rest = bare.partition(separator)
            score, after, more = rest.partition(separator)
            return word, separator, score, after + more
    return bare, "", "", ""


def _word_of(line: str, alphabet: Alphabet) -> str | None:
    """Return the normalized word of a line; None for a comment, an empty line, or a line without a word."""
    if line.lstrip(_MARK + " \t")[:2].startswith(("#", "//")):
        return None
    try:
        return spell(_fields_of(line)[0], alphabet).word
    except WordListError:
        return None


def _lines_of(word: str, lines: Sequence[str], alphabet: Alphabet) -> tuple[NumberedLine, ...]:
    return tuple(NumberedLine(place, line) for place, line in enumerate(lines) if _word_of(line, alphabet) == word)


def _after(word: str, score: int | None, before: Sequence[NumberedLine], count: int) -> tuple[NumberedLine, ...]:
    """Return a word's lines with its new score: one line in place of the first, or appended."""
    if score is None:
        return ()
    if not before:
        return (NumberedLine(count, f"{word};{score}\n"),)
    place, line = before[0]
    end = line[len(line.rstrip("\r\n")) :]
    written, separator, _, more = _fields_of(line)
    mark = _MARK if line.startswith(_MARK) else ""
    return (NumberedLine(place, f"{mark}{written}{separator or ';'}{score}{more}{end}"),)


def _replace(lines: list[str], now: Sequence[NumberedLine], after: Sequence[NumberedLine]) -> None:
    for line in reversed(now):
        del lines[line.place]
    for line in after:
        lines.insert(line.place, line.text)

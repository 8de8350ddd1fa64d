"""Operations on the files of the user's word lists: add, remove, learn from puzzles, build."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from xwtui.dataclasses import replace
from xwtui.errors import PuzzleError, VerbError, XwtuiError, reason_of
from xwtui.formats.registry import files_below, read_puzzle, suffixes_to_read
from xwtui.lazy import lazy_imports, lazy_pattern
from xwtui.reading import read_at_most, write_whole
from xwtui.resources import user_lists_folder
from xwtui.session.answers import JsonShape, VerbAnswer
from xwtui.session.jobs.answer_job import AnswerReporter
from xwtui.session.overwriting import is_same_file
from xwtui.text import counted, in_quotes, listed, printable
from xwtui.words.layers import UserList, find_user_lists, is_list_name, stem_of_list
from xwtui.words.list_files import LIST_FILES
from xwtui.words.scales import AUTO

with lazy_imports():
    from xwtui.clues.importing import SkippedFile, puzzle_date
    from xwtui.words import reader
    from xwtui.words.compiled_lists import open_word_list
    from xwtui.words.learned import AnswerCounts

_LONGEST_ANSWER = 25
"""Longest word, in letters, that a grid could hold; most lines of a prose text are longer."""
_MOST_ODD = 0.5


def add(source: Path, name: str, *, is_forced: bool) -> str:
    """Copy a file into the user's lists under a name; returns a message for the user.

    Raises WordListError if it is not a word list, and VerbError if the name is taken.
    """
    read = open_word_list(source, rule=AUTO)
    lengths = read.word_list.lengths
    odd = read.bad_count + sum(len(read.word_list.table(n).scores) for n in lengths if n > _LONGEST_ANSWER)
    if odd > _MOST_ODD * (len(read.word_list) + read.bad_count):
        raise VerbError(f"{printable(str(source), 200)} is not a word list: most lines are not one word")
    content = read_at_most(source, reader.MAX_LIST_BYTES)
    folder = user_lists_folder()
    suffix = source.name[len(stem_of_list(source.name)) :].lower()
    target = folder / f"{name}{suffix if is_list_name(f'{name}{suffix}') else '.txt'}"
    like = [one.path for one in find_user_lists().lists if stem_of_list(one.path.name) == name]
    others = [path for path in {*like, target} if path.parent == folder and path.exists()]
    if any(is_same_file(source, path) for path in others):
        raise VerbError(f"{name} is already one of your lists")
    if others and not is_forced:
        raise VerbError(f"you already have a list {name}: use another name with --as, or replace it with --force")
    kept: dict[Path, Path] = {}
    try:
        for path in sorted(others):
            kept[path] = _moved_away(path)
        write_list(target, content)
    except BaseException:
        for path, away in kept.items():
            away.replace(path)
            LIST_FILES.take(path)
        raise
    before = "the old one is" if len(kept) == 1 else "the old ones are"
    replaced = f"; {before} kept in {listed([str(path) for path in kept.values()], 'and')}" if kept else ""
    several = f"{read.bad_count:,} lines, such as " if read.bad_count > 1 else ""
    skipped = f"; skipped {several}{read.bad_lines[0]}" if read.bad_lines else ""
    words = counted(len(read.word_list), "word")
    return f"added {name}: {words} copied from {printable(str(source), 200)}{skipped}{replaced}"


NO_NAME = r"[^A-Za-z0-9_-]+"
"""Pattern of characters that do not occur in names made by the program."""


def name_of(file: Path) -> str:
    """Return the name for a list made from a file."""
    return re.sub(NO_NAME, "-", stem_of_list(file.name))[:60].strip("-")


def remove(one: UserList) -> str:
    """Remove a list from the user's lists; returns a message for the user."""
    kept, name = _moved_away(one.path), name_of(one.path)
    called = f" --as {name}" if name_of(kept) != name else ""
    return f"removed {one.name}; `lists add {in_quotes(str(kept))}{called}` brings it back"


def _moved_away(path: Path) -> Path:
    """Move a list's file to the folder `lists-removed`, under a free name; returns its new path."""
    folder = path.parent.with_name("lists-removed")
    stem = stem_of_list(path.name)
    suffix = path.name[len(stem) :]
    names = (f"{stem}{f'-{number}' if number > 1 else ''}{suffix}" for number in itertools.count(1))
    target = next(folder / name for name in names if not (folder / name).exists())
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path.replace(target)
    except OSError as error:
        raise VerbError(f"cannot move {path}: {reason_of(error)}") from error
    finally:
        LIST_FILES.take(path)
    return target


_MOST_NAMED = 20


class LearnedAnswer(VerbAnswer):
    """The progress of counting: `done` of `files` files, and what they have contributed."""

    folder: Path
    target: Path
    files: int
    done: int = 0
    counted: int = 0
    """Number of different puzzles counted."""
    words: int = 0
    repeated: int = 0
    """Number of files whose puzzle another file has, too."""
    unread: tuple[SkippedFile, ...] = ()
    is_written: bool = False
    json = JsonShape(
        "folder list=written files done puzzles=counted repeated words", ("unread", JsonShape("file=path reason"))
    )

    @property
    def written(self) -> Path | None:
        return self.target if self.is_written else None

    @property
    def headline(self) -> str:
        return f"{self.done:,} of {counted(self.files, 'file')}, {counted(self.counted, 'puzzle')} so far"

    @property
    def lines(self) -> Sequence[str]:
        if self.done < self.files:
            return [f"stopped: {self.headline}; nothing was written"]
        lines = [f"{counted(self.words, 'word')} of {counted(self.counted, 'puzzle')}, in {self.target}"]
        if not self.is_written:
            lines = [f"there is no puzzle with answers in {printable(str(self.folder), 200)}: nothing was written"]
        if self.repeated:
            lines.append(f"counted once: {counted(self.repeated, 'puzzle')} found in several files")
        lines += [f"skipped: {one.reason}" for one in self.unread[:_MOST_NAMED]]
        more = len(self.unread) - _MOST_NAMED
        return [*lines, *([f"skipped: {counted(more, 'more file')}"] if more > 0 else [])]


_NO_PUZZLES = {".txt", ".md"}
"""Suffixes of files that need not be puzzles; one that is not a puzzle is no error."""
_YEAR = lazy_pattern(r"(?<!\d)(?:19|20)\d\d(?!\d)")


def learn(folder: Path, target: Path, reporter: AnswerReporter) -> LearnedAnswer | None:
    """Count each puzzle in and below a folder once into a word list, which stays unchanged if this is stopped."""
    files = sorted(files_below(folder, set(suffixes_to_read()) - _NO_PUZZLES))
    counts = AnswerCounts()
    unread: list[SkippedFile] = []
    view = LearnedAnswer(folder, target, len(files))
    for done, path in enumerate(files):
        if reporter.is_stopped():
            return None
        so_far = partial(replace, view, done=done, counted=counts.puzzles, unread=tuple(unread))
        reporter.report_throttled(so_far)
        try:
            view = replace(view, repeated=view.repeated + (not _count(counts, path, folder)))
        except XwtuiError as error:
            unread.append(SkippedFile(path, printable(str(error), 300)))
    view = replace(view, done=len(files), counted=counts.puzzles, words=len(counts), unread=tuple(unread))
    if counts.puzzles and not reporter.is_stopped():
        write_list(target, "".join(f"{line}\n" for line in counts.lines()))
        view = replace(view, is_written=True)
    return view


def _count(counts: AnswerCounts, path: Path, folder: Path) -> bool:
    """Count a puzzle's answers; returns False if it was counted before, raises PuzzleError if it has none."""
    puzzle = read_puzzle(path)
    answers = [answer for slot in puzzle.grid.entries if (answer := puzzle.answer(slot)) is not None]
    if not answers:
        raise PuzzleError(f"{path}: it has no complete answers")
    # the year of a date in the fields or the file name, else the first year in any of them
    name = path.relative_to(folder)
    date = puzzle_date(puzzle, name)
    found = _YEAR.search(" ".join((name.as_posix(), puzzle.title, puzzle.copyright, puzzle.notes[:500])))
    return counts.add(answers, puzzle.author, int(date[:4]) if date else int(found[0]) if found else None)


def write_list(target: Path, content: str | bytes) -> None:
    """Write one of the user's lists, which takes effect at once; raises VerbError."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        write_whole(target, content)
    except OSError as error:
        raise VerbError(f"cannot write {target}: {reason_of(error)}") from error
    finally:
        LIST_FILES.take(target)


class BuiltAnswer(VerbAnswer):
    """A built list of one language; without words while it is being built."""

    language: str
    alphabet: str
    """Name of the alphabet."""
    source: Path
    target: Path
    package: str
    licence: str
    words: int = 0
    passed_over: int = 0
    json = JsonShape("language alphabet source list=target package licence words passed_over")

    @property
    def lines(self) -> Sequence[str]:
        if not self.words:
            return [f"stopped: nothing was written to {self.target}"]
        return [
            f"{counted(self.words, 'word')} of {printable(str(self.source), 200)}, in {self.target}",
            f"skipped: {counted(self.passed_over, 'form')} with digits, hyphens, spaces or other letters",
            f"its words have the license of {self.package}: {self.licence}",
            f"it is used in puzzles with its alphabet: `alphabet {self.alphabet}`",
        ]

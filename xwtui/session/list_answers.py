"""What the verbs for word lists answer: which layers there are, lists that were learned or built."""

from __future__ import annotations

import enum
import itertools
import re
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from xwtui.dataclasses import dataclass, replace
from xwtui.errors import PuzzleError, VerbError, WordListError, XwtuiError
from xwtui.formats.registry import files_below, read_puzzle, suffixes_to_read
from xwtui.lazy import lazy_imports
from xwtui.model import Puzzle
from xwtui.model.alphabet import ENGLISH, Alphabet
from xwtui.reading import read_at_most, write_whole
from xwtui.resources import user_lists_folder
from xwtui.session.answers import VerbAnswer
from xwtui.session.jobs.answer_job import AnswerReporter
from xwtui.session.json_shape import JsonShape
from xwtui.session.overwriting import is_same_file
from xwtui.session.wording import counted
from xwtui.text import in_quotes, listed, printable
from xwtui.words.list_files import DEFAULT_LIST, LIST_FILES, find_list, is_default
from xwtui.words.personal import PersonalList
from xwtui.words.scales import AUTO, OURS
from xwtui.words.user_lists import UserList, UserLists, find_user_lists, is_list_name, stem_of_list

with lazy_imports():
    import numpy as np

    from xwtui.clues.importing import puzzle_date
    from xwtui.words import reader
    from xwtui.words.learned import AnswerCounts
    from xwtui.words.reader import ReadResult
    from xwtui.words.store import open_word_list
    from xwtui.words.vocabulary import folded_words, language_of

_BARS = " ▁▂▃▄▅▆▇█"
"""From no words to most."""
_BANDS = 10
"""Bands of scores: 0 to 9, and so on; the last one has 100 too."""
_NAME_WIDTH = 24


class LayerOwner(enum.Enum):
    """Where a layer comes from; the value is its name for people and programs."""

    PERSONAL = "your own scores"
    USER = "yours"
    PUZZLE = "the puzzle's"
    SHIPPED = "ships"


@dataclass(frozen=True)
class LayerFigures:
    """A layer with what it holds."""

    name: str
    path: Path
    whose: LayerOwner
    is_on: bool = True
    is_used: bool = True
    """Whether this puzzle's words come from it."""
    words: int = 0
    histogram: tuple[int, ...] = (0,) * _BANDS
    """How many words there are in each band of ten scores."""
    rule: str = str(OURS)
    """How its scores are read, as `lists scale` takes it."""
    rule_words: str = ""
    is_guessed: bool = False
    capped: str = ""
    """Which words score more than a scale that was guessed."""
    bad_lines: int = 0
    problem: str = ""
    """Why it cannot be read; empty where it can."""
    language: str = ""
    """That of the alphabet that its file names; a layer of another one than the puzzle's is not used."""
    folded: str = ""
    """What has become of letters that the alphabet of the puzzle lacks."""
    is_of_other_language: bool = False
    """Whether that is why it is not used."""

    @property
    def shown(self) -> str:
        """Its name, for a list that a puzzle names by its path only the file's."""
        return self.path.name if self.whose is LayerOwner.PUZZLE else self.name

    @property
    def curve(self) -> str:
        """The histogram as ten bars; empty bands are blank."""
        most = max(self.histogram)
        steps = len(_BARS) - 1
        return "".join(_BARS[-(-count * steps // most) if most else 0] for count in self.histogram)


class ListsAnswer(VerbAnswer):
    """The layers, the first one on top, as a puzzle's words are made of them."""

    layers: tuple[LayerFigures, ...]
    folder: Path
    """The one whose files become layers."""
    problem: str = ""
    told: str = ""
    """What was done to them."""
    json = JsonShape(
        "told?",
        (
            "layers",
            JsonShape(
                "name whose path is_on is_used words histogram",
                ("scale=.", JsonShape("rule words=rule_words guessed=is_guessed")),
                "capped? bad_lines language? folded? problem?",
            ),
        ),
        "folder problem?",
    )

    @property
    def lines(self) -> Sequence[str]:
        width = min(max(len(layer.shown) for layer in self.layers), _NAME_WIDTH)
        whose = max(len(layer.whose.value) for layer in self.layers)
        head = f"   {'list':{width}}  {'whose':{whose}}    words  scores 0-100  scores are read"
        place, told = 0, []
        for layer in self.layers:
            counts = layer.is_used and not layer.problem
            place += counts
            told.append(self._line(layer, str(place) if counts else "!" if layer.problem else "-", width, whose))
        foot = ["the first list that has a word sets its score; each bar is ten points of score, from 0 up"]
        foot.append(f"`lists add FILE` adds a list; your lists are in {self.folder}")
        others = [layer for layer in self.layers if layer.is_on and not layer.is_used]
        if any(not layer.is_of_other_language for layer in others):
            foot.append("this puzzle names its own lists; add `default` to them to use your other lists too")
        return [*filter(None, (self.told, self.problem)), head, *told, *foot]

    def _line(self, layer: LayerFigures, place: str, width: int, whose: int) -> str:
        unused = f"{layer.language}: not used here" if layer.is_of_other_language else "not used here"
        read = "off" if not layer.is_on else unused if not layer.is_used else _read_as(layer)
        name = printable(layer.shown, width)
        begins = f"{place:>2} {name:{width}}  {layer.whose.value:{whose}}"
        if layer.problem:
            return f"{begins}  {layer.problem}"
        return f"{begins}  {layer.words:7,}  {layer.curve:12}  {read}"


def _read_as(layer: LayerFigures) -> str:
    skipped = f"; {counted(layer.bad_lines, 'bad line')}" if layer.bad_lines else ""
    language = f"; {layer.language}" if layer.language not in ("", ENGLISH.language) else ""
    folded = f"; {layer.folded}" if layer.folded else ""
    capped = f"; {layer.capped}" if layer.capped else ""
    return f"{layer.rule_words}{' (guessed)' if layer.is_guessed else ''}{capped}{language}{skipped}{folded}"


def layers_of(puzzle: Puzzle, user: UserLists, folder: Path | None) -> tuple[LayerFigures, ...]:
    """The layers of a puzzle's words, then those that are off or not used; `folder` is the puzzle's."""
    used = list(_used(puzzle, user, folder))
    names = {layer.path for layer in used}
    alphabet = puzzle.alphabet
    return (*used, *(_of_user(one, alphabet, is_used=False) for one in user.lists if one.path not in names))


def _used(puzzle: Puzzle, user: UserLists, folder: Path | None) -> Iterator[LayerFigures]:
    """Those that words come from, in their order, each once."""
    seen: set[Path] = set()
    if user.personal is not None:
        yield _of_user(user.personal, puzzle.alphabet)
    for name in dict.fromkeys(puzzle.words.lists or (DEFAULT_LIST,)):
        try:
            path = find_list(name, folder)
        except WordListError as error:
            yield LayerFigures(name, Path(name), LayerOwner.PUZZLE, problem=str(error))
            continue
        own = user.below_personal if is_default(path) else ()
        layers = [_of_user(one, puzzle.alphabet) for one in own]
        if not any(layer.is_used for layer in layers):
            others = (layer for layer in layers if layer.path != path)
            layers = [_of_puzzle(name, path, user, puzzle.alphabet), *others]
        yield from (layer for layer in layers if layer.path not in seen)
        seen.update(layer.path for layer in layers)


def _of_puzzle(name: str, path: Path, user: UserLists, alphabet: Alphabet) -> LayerFigures:
    known = user.at(path)
    whose = LayerOwner.SHIPPED if is_default(path) else LayerOwner.PUZZLE
    rule = str(OURS) if known is None else known.rule
    return _figures(LayerFigures(name, path, whose, rule=rule), alphabet)


def _of_user(one: UserList, alphabet: Alphabet, *, is_used: bool = True) -> LayerFigures:
    whose = LayerOwner.PERSONAL if one.is_personal else LayerOwner.SHIPPED if one.ships else LayerOwner.USER
    figures = LayerFigures(one.name, one.path, whose, one.is_on, is_used, rule=one.rule)
    layer = _figures(figures, alphabet, one.alphabet)
    is_other = layer.language not in ("", alphabet.language) and not one.is_personal
    return replace(layer, is_used=is_used and not is_other, is_of_other_language=is_other)


def _figures(layer: LayerFigures, alphabet: Alphabet, chosen: str = "") -> LayerFigures:
    """The layer with what its file holds; `chosen` is the alphabet that it is said to have."""
    try:
        is_personal = layer.whose is LayerOwner.PERSONAL
        if is_personal:
            read = PersonalList(layer.path).read(alphabet)
        else:
            read = open_word_list(layer.path, rule=layer.rule, alphabet=alphabet)
    except WordListError as error:
        return replace(layer, problem=printable(str(error), 300))
    return replace(
        layer,
        words=len(read.word_list),
        histogram=_histogram(read),
        rule=str(read.scale),
        rule_words=read.scale.words,
        is_guessed=read.is_guessed and read.scale != OURS,
        capped=str(read.capped or ""),
        bad_lines=read.bad_count,
        language=language_of(layer.path, read, chosen),
        folded=folded_words(read, alphabet),
    )


def _histogram(read: ReadResult) -> tuple[int, ...]:
    counts = np.zeros(_BANDS, np.int64)
    for length in read.word_list.lengths:
        bands = np.minimum(read.word_list.table(length).scores // (OURS.highest // _BANDS), _BANDS - 1)
        counts += np.bincount(bands, minlength=_BANDS)
    return tuple(counts.tolist())


_LONGEST_ANSWER = 25
"""Letters of a word that a grid could take; a text of sentences has longer ones on most lines."""
_MOST_ODD = 0.5


def add(source: Path, name: str, *, is_forced: bool) -> str:
    """Copy a file into the user's lists under a name; returns what was done, for people.

    Raises WordListError for what is no word list, VerbError where a list has the name already.
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
    skipped = f"; skipped {read.bad_lines[0]}" if read.bad_lines else ""
    skipped += f" and {read.bad_count - 1:,} more" if read.bad_count > 1 else ""
    words = counted(len(read.word_list), "word")
    return f"added {name}: {words} from {printable(str(source), 200)}{skipped}{replaced}"


NO_NAME = r"[^A-Za-z0-9_-]+"
"""What the name of a list that the program makes does not have."""


def name_of(file: Path) -> str:
    """What a list is called that is made of a file."""
    return re.sub(NO_NAME, "-", stem_of_list(file.name))[:60].strip("-")


def remove(one: UserList) -> str:
    """Take a list out of the user's; returns what was done, for people."""
    kept, name = _moved_away(one.path), name_of(one.path)
    called = f" --as {name}" if name_of(kept) != name else ""
    return f"removed {one.name}; `lists add {in_quotes(str(kept))}{called}` brings it back"


def _moved_away(path: Path) -> Path:
    """Move a list's file into a folder beside the lists, under a name that is free there; returns its path."""
    folder = path.parent.with_name("lists-removed")
    stem = stem_of_list(path.name)
    suffix = path.name[len(stem) :]
    names = (f"{stem}{f'-{number}' if number > 1 else ''}{suffix}" for number in itertools.count(1))
    target = next(folder / name for name in names if not (folder / name).exists())
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path.replace(target)
    except OSError as error:
        raise VerbError(f"cannot move {path}: {error.strerror}") from error
    finally:
        LIST_FILES.take(path)
    return target


_MOST_NAMED = 20


class UnreadFile(NamedTuple):
    """A file that was passed over, and why."""

    path: Path
    reason: str


class LearnedAnswer(VerbAnswer):
    """How far the counting is: of so many `files`, how many are `done`, and what they have brought."""

    folder: Path
    target: Path
    files: int
    done: int = 0
    counted: int = 0
    """Different puzzles that were counted."""
    words: int = 0
    repeated: int = 0
    """Files with a puzzle that another file has, too."""
    unread: tuple[UnreadFile, ...] = ()
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
        told = [f"{counted(self.words, 'word')} of {counted(self.counted, 'puzzle')}, in {self.target}"]
        if not self.is_written:
            told = [f"there is no puzzle with answers in {printable(str(self.folder), 200)}: nothing was written"]
        if self.repeated:
            told.append(f"counted once: {counted(self.repeated, 'puzzle')} found in several files")
        told += [f"skipped: {one.reason}" for one in self.unread[:_MOST_NAMED]]
        more = len(self.unread) - _MOST_NAMED
        return [*told, *([f"skipped: {counted(more, 'more file')}"] if more > 0 else [])]


_NO_PUZZLES = {".txt", ".md"}
"""What may be a puzzle or any other text: a file of these that is none is no error."""
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")


def learn(folder: Path, target: Path, reporter: AnswerReporter) -> LearnedAnswer | None:
    """Count the answers of the puzzles in and below a folder into a word list, once for each puzzle.

    Where it is stopped, the word list is as it was.
    """
    files = sorted(files_below(folder, set(suffixes_to_read()) - _NO_PUZZLES))
    counts, unread = AnswerCounts(), list[UnreadFile]()
    view = LearnedAnswer(folder, target, len(files))
    for done, path in enumerate(files):
        if reporter.is_stopped():
            return None
        so_far = partial(replace, view, done=done, counted=counts.puzzles, unread=tuple(unread))
        reporter.tell_at_times(so_far)
        try:
            view = replace(view, repeated=view.repeated + (not _count(counts, path, folder)))
        except XwtuiError as error:
            unread.append(UnreadFile(path, printable(str(error), 300)))
    view = replace(view, done=len(files), counted=counts.puzzles, words=len(counts), unread=tuple(unread))
    if counts.puzzles and not reporter.is_stopped():
        write_list(target, "".join(f"{line}\n" for line in counts.lines()))
        view = replace(view, is_written=True)
    return view


def _count(counts: AnswerCounts, path: Path, folder: Path) -> bool:
    """Count a puzzle's answers; returns False for a puzzle that was counted, PuzzleError for one without any."""
    puzzle = read_puzzle(path)
    answers = [answer for slot in puzzle.grid.entries if (answer := puzzle.answer(slot)) is not None]
    if not answers:
        raise PuzzleError(f"{path}: it has no complete answers")
    return counts.add(answers, puzzle.author, _year_of(puzzle, path.relative_to(folder)))


def _year_of(puzzle: Puzzle, path: Path) -> int | None:
    """The year of a puzzle: of a date in its fields or its name, else the first year that any of them has."""
    date = puzzle_date(puzzle, path)
    if date:
        return int(date[:4])
    found = _YEAR.search(" ".join((path.as_posix(), puzzle.title, puzzle.copyright, puzzle.notes[:500])))
    return int(found[0]) if found else None


def write_list(target: Path, content: str | bytes) -> None:
    """Write a list of the user's, which counts at once; raises VerbError."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        write_whole(target, content)
    except OSError as error:
        raise VerbError(f"cannot write {target}: {error.strerror}") from error
    finally:
        LIST_FILES.take(target)


class BuiltAnswer(VerbAnswer):
    """A list of one language; without words while it is still being made."""

    language: str
    alphabet: str
    """The alphabet's name."""
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

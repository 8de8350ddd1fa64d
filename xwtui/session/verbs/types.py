"""The types of the verbs' arguments: entries, squares, symmetries, files, words, alphabets, profiles."""

from __future__ import annotations

import math
import os
import re
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

import click
from click.shell_completion import CompletionItem

from xwtui.errors import PuzzleError, WordListError, XwtuiError
from xwtui.model import Content, Position, Slot, Symmetry
from xwtui.model.alphabet import ENGLISH, Alphabet
from xwtui.model.selection import (
    LINE_WORDS,
    SHAPES,
    Area,
    area_named,
    is_never_letters,
    looks_like_area,
    looks_like_place,
)
from xwtui.text import listed, printable, typed
from xwtui.words.alphabets import alphabet_names, find_alphabet
from xwtui.words.normalise import normalise, normalise_answer
from xwtui.words.theme_answers import LIST_SUFFIXES, is_file_name, theme_answer

if TYPE_CHECKING:
    from xwtui.grids.profiles import Profile
    from xwtui.session.session import Session


def checked_letters(text: str) -> str:
    """A text of letters as it is; raises PuzzleError for one that is plainly a place."""
    if is_never_letters(text.strip()):
        raise PuzzleError(f"{printable(text.strip(), 30)!r} is a place, and here letters are expected")
    return text


def alphabet_of(session: Session | None) -> Alphabet:
    """The letters of a session's puzzle; English while none is read yet."""
    return ENGLISH if session is None else session.puzzle.alphabet


def spelled(text: str, session: Session | None) -> str:
    """A text in the letters of the puzzle's alphabet; raises XwtuiError for a place, and for what has none."""
    return normalise(checked_letters(text), alphabet_of(session))


def content_of(text: str, session: Session | None) -> Content:
    """What a square holds, in the letters of the puzzle's alphabet; raises XwtuiError for what none can."""
    content, alphabet = Content.parse(checked_letters(text)), alphabet_of(session)
    return Content(normalise(content.across, alphabet), normalise(content.down, alphabet))


HERE = "here"
"""The word for the cursor's square and entry; `.` is its short form."""

_HERE_WORDS = (HERE, ".")


SELECTION = "selection"
"""The word for the squares that are selected."""

Place: TypeAlias = Slot | Position | Area | str
"""An entry, a square, several squares, or one of the words that an argument allows beside them."""


T = TypeVar("T")


class VerbType(click.ParamType[T], Generic[T]):
    """A type that reads one word with the session at hand; `read` raises XwtuiError."""

    name = "text"
    reads_puzzle = False
    """Whether what it means depends on the puzzle."""
    reads_letters = False
    """Whether it reads letters in the alphabet of the puzzle: what they become depends on that alone."""
    names_file = False
    """Whether what is typed may be the name of a file or folder."""
    takes_rest = False
    """Whether it reads the rest of the line, where it is a verb's last argument."""
    takes_commas = False
    """Whether several, where a verb takes them, may be typed as one word with commas between them."""
    forms = ""
    """All that may be written, where `help` is to tell that of each verb that takes it."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> T:
        """Read a word; what is wrong with it becomes click's BadParameter."""
        if not isinstance(value, str):
            return value  # type: ignore[no-any-return]  # click converts defaults and repeated values again
        assert ctx is not None
        try:
            return self.read(value, ctx.obj)
        except XwtuiError as error:
            self.fail(str(error), param, ctx)

    def read(self, text: str, session: Session) -> T:
        """Read a word; raises XwtuiError with what was expected."""
        raise NotImplementedError

    def offers(self, session: Session, beginning: str) -> list[CompletionItem[str]]:
        """What could stand here, given how it begins."""
        return []

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem[str]]:
        """What click asks for completions."""
        return self.offers(ctx.obj, incomplete) if ctx.obj is not None else []


class PlaceType(VerbType[Place]):
    """An entry (`17A`), a square (`r3c12`), `here`, or one of some other words.

    Where no square will do, the entry is the whole of linked lights, but if `lights` are meant.
    """

    name = "place"
    reads_puzzle = True
    takes_areas = False
    """Whether several squares may be named together."""

    def __init__(self, *words: str, entries: bool = True, squares: bool = True, lights: bool = False) -> None:
        self._words = words
        self._is_whole = not (squares or lights)
        self.takes_commas = lights and not squares
        self._entries = entries
        self._squares = squares
        self.name = "place" if entries and squares else "entry" if entries else "square"

    def read(self, text: str, session: Session) -> Place:
        """A slot, a position, an area, or a word."""
        bare = text.strip()
        grid = session.puzzle.grid
        if bare.lower() in self._words:
            return bare.lower()
        if bare.lower() in _HERE_WORDS:
            return self._whole(self._here(session), session)
        if looks_like_area(bare):
            if self.takes_areas:
                return area_named(grid, bare)
            if self._entries and (linked := grid.linked(bare)) is not None:
                return self._whole(linked.lights[0], session)
            raise PuzzleError(
                f"{printable(bare, 30)} names several squares, and here one {self._expected()} is expected"
            )
        if self._squares and bare[:1] in ("r", "R"):
            position = Position.parse(bare)
            _ = grid[position]
            return position
        if self._entries and re.fullmatch(r"\d+[AaDd]", bare):
            return self._whole(grid.slot(bare), session)
        raise PuzzleError(f"{printable(bare, 30)!r} is no {self._expected()}")

    def _whole(self, place: Place, session: Session) -> Place:
        return session.puzzle.grid.entry_of(place) if isinstance(place, Slot) and self._is_whole else place

    def is_meant(self, text: str) -> bool:
        """Whether a word is meant as a place, right or wrong."""
        return text.lower() in (*_HERE_WORDS, *self._words) or looks_like_place(text)

    def _here(self, session: Session) -> Place:
        if not self._entries:
            return session.cursor.position
        slot = session.cursor.slot
        if slot is None:
            raise PuzzleError("the cursor stands in no entry; name one, such as 1A")
        return slot

    def _expected(self) -> str:
        kinds = ["entry such as 17A"] * self._entries + ["square such as r3c12"] * self._squares
        kinds += [f"part of the grid such as r1c1:r3c3, row 7 or {', '.join(SHAPES)}"] * self.takes_areas
        return listed([*kinds, *(f"`{word}`" for word in self._words)], "or")

    def offers(self, session: Session, beginning: str) -> list[CompletionItem[str]]:
        """The entries with their patterns, and the words."""
        grid = session.puzzle.grid
        items = [CompletionItem(slot.name, help=grid.pattern(slot)) for slot in grid.slots if self._entries]
        items += [CompletionItem(word) for word in self._words]
        if self._squares and beginning[:1].lower() == "r":
            items += [CompletionItem(str(at)) for at in grid.open_positions()]
        return [item for item in items if item.value.lower().startswith(beginning.lower())]


class SquaresType(PlaceType):
    """Squares in all the ways that they are named: entries, squares, parts of the grid, the selection, `here`.

    What is read is a place; `squares_of` says which squares it has, in their order.
    """

    takes_areas = True
    forms = (
        f"squares are 17A, r3c5, r1c1:r3c3, row 7, column 3, {', '.join(SHAPES)}, {SELECTION}, {HERE}; "
        "with commas, several of these"
    )

    def __init__(self, *words: str) -> None:
        super().__init__(SELECTION, *words)
        self.name = "squares"

    def offers(self, session: Session, beginning: str) -> list[CompletionItem[str]]:
        """All places that could come next, also after a comma."""
        head, comma, last = beginning.rpartition(",")
        items = super().offers(session, last)
        items += [CompletionItem(word) for word in (*SHAPES, *LINE_WORDS[:2]) if word.startswith(last.lower())]
        return [
            CompletionItem(f"{head}{comma}{item.value}", help=item.help)
            for item in items
            if not (comma and item.value in self._words)
        ]


def squares_of(session: Session, place: Place) -> tuple[Position, ...]:
    """The open squares of a place, each once and in the order of `Area`; row by row for the words.

    Raises PuzzleError where there are none.
    """
    match place:
        case Slot():
            return place.positions
        case Position():
            if not session.puzzle.grid[place].is_open:
                raise PuzzleError(f"{place} is no open square")
            return (place,)
        case Area():
            return place.open_squares(session.puzzle.grid)
    return selected(session) if place == SELECTION else tuple(session.puzzle.grid.open_positions())


def place_name(place: Place) -> str:
    """How a place is called in what is said of it."""
    return place.name if isinstance(place, Slot | Area) else str(place)


class SymmetryType(VerbType[Symmetry]):
    """The name of a symmetry."""

    name = "symmetry"

    def read(self, text: str, session: Session) -> Symmetry:
        """A symmetry; raises PuzzleError for another word."""
        return Symmetry.parse(text)

    def offers(self, session: Session, beginning: str) -> list[CompletionItem[str]]:
        """All symmetries."""
        return [CompletionItem(s.value) for s in Symmetry if s.value.startswith(beginning.lower())]


class FileType(VerbType[Path]):
    """A path; `~` is the home folder. Completion offers folders, and files of some suffixes."""

    name = "file"
    names_file = True

    def __init__(self, suffixes: tuple[str, ...] = ()) -> None:
        self._suffixes = suffixes

    def read(self, text: str, session: Session) -> Path:
        """The path, its home folder filled in."""
        if not text or "\0" in text:
            raise PuzzleError("a file name is expected")
        try:
            return Path(text).expanduser()
        except RuntimeError as error:
            raise PuzzleError(str(error)) from error

    def offers(self, session: Session, beginning: str) -> list[CompletionItem[str]]:
        """The files and folders that begin so."""
        return file_offers(beginning, self._suffixes)


MOST_READ = 20_000
"""Names of a folder that are looked at while one types; what one looks for in a larger one is typed."""


def file_offers(beginning: str, suffixes: tuple[str, ...]) -> list[CompletionItem[str]]:
    """The folders, and the files of some suffixes (of any, if none is named), whose paths begin so.

    The folder tells which of its names are folders: files are not asked one by one.
    """
    head, slash, start = beginning.rpartition("/")
    try:
        folder = Path(head + slash).expanduser() if slash else Path()
        with os.scandir(folder) as read:
            found = [one for one in islice(read, MOST_READ) if one.name.startswith(start)]
    except (OSError, RuntimeError, ValueError):
        return []
    items: list[CompletionItem[str]] = []
    for one in sorted(found, key=lambda each: each.name):
        if one.name.startswith(".") and not start.startswith("."):
            continue
        if _is_folder(one):
            items.append(CompletionItem(f"{head}{slash}{one.name}/", help="folder"))
        elif not suffixes or one.name.lower().endswith(suffixes):
            items.append(CompletionItem(f"{head}{slash}{one.name}"))
    return items


def _is_folder(entry: os.DirEntry[str]) -> bool:
    """Whether it is one, or a link to one."""
    try:
        return entry.is_dir()
    except OSError:
        return False


class WordType(VerbType[str]):
    """A word of a list, written as one pleases: it is normalised."""

    name = "word"
    reads_letters = True

    def read(self, text: str, session: Session) -> str:
        """The word in capitals, without spaces and without the accents that the alphabet lacks."""
        return spelled(text, session)

    def offers(self, session: Session, beginning: str) -> list[CompletionItem[str]]:
        """The words that begin so, best first."""
        return listed_offers(session, beginning)


class ThemeAnswerType(VerbType[str]):
    """A word, its rebus squares in brackets, or a file of words; the file is read later."""

    name = "word or file"
    reads_letters = True

    def read(self, text: str, session: Session) -> str:
        """The word in capitals, or the name of the file."""
        return text if is_file_name(text) else theme_answer(checked_letters(text), alphabet_of(session))

    def offers(self, session: Session, beginning: str) -> list[CompletionItem[str]]:
        """The files and folders that begin so, then the words, best first."""
        files = file_offers(beginning, LIST_SUFFIXES)
        return files if is_file_name(beginning) else [*files, *listed_offers(session, beginning)]


class NumberType(VerbType[int]):
    """A whole number within bounds."""

    name = "number"

    def __init__(self, low: int, high: int) -> None:
        self._low = low
        self._high = high

    def read(self, text: str, session: Session) -> int:
        """The number; raises PuzzleError, naming the bounds."""
        if re.fullmatch(r"[0-9]{1,19}", text) and self._low <= int(text) <= self._high:
            return int(text)
        raise PuzzleError(f"{printable(text, 30)!r} is no whole number from {self._low} to {self._high:,}")


_LONGEST_SECONDS = 7 * 86_400


class SecondsType(VerbType[float]):
    """A time in seconds; 0 is no limit."""

    name = "seconds"

    def read(self, text: str, session: Session) -> float:
        """The seconds, at most a week; infinity for 0."""
        match = re.fullmatch(r"(\d{1,6}(?:\.\d{0,6})?|\.\d{1,6})s?", text)
        if match is None or float(match[1]) > _LONGEST_SECONDS:
            raise PuzzleError(f"{printable(text, 30)!r} is no time in seconds, such as 5 or 0.5")
        return float(match[1]) or math.inf


class RestOfLine(VerbType[str]):
    """The rest of the line as it was typed, quotes and all."""

    name = "text"
    takes_rest = True

    def read(self, text: str, session: Session) -> str:
        """The text, without control characters."""
        return typed(text)


class AnswerType(RestOfLine):
    """An answer or the content of a square: `SWEET[HEART]`, `X/TIMES`, `crème brûlée`; its words stay apart."""

    name = "answer"
    reads_letters = True

    def read(self, text: str, session: Session) -> str:
        """The answer in capitals, brackets, slashes and a space between words kept, all else normalised."""
        return normalise_answer(checked_letters(super().read(text, session)), alphabet_of(session))

    def offers(self, session: Session, beginning: str) -> list[CompletionItem[str]]:
        """The words that fit the entry under the cursor, best first."""
        slot = session.cursor.entry
        return [] if slot is None else word_offers(session, slot, beginning)


def listed_offers(session: Session, beginning: str) -> list[CompletionItem[str]]:
    """The allowed words that begin so, best first, with their scores; none where nothing is typed yet."""
    lexicon = session.jobs.words.lexicon
    begun = normalise(beginning, session.puzzle.alphabet) if beginning.strip() else ""
    if lexicon is None or not begun:
        return []
    index = lexicon.sorted_index
    return [CompletionItem(word, help=str(index.score(word))) for word in index.best(begun, _MOST_WORDS)]


def word_offers(session: Session, slot: Slot, beginning: str) -> list[CompletionItem[str]]:
    """The words that fit an entry and begin so, best first, with their scores."""
    lexicon = session.jobs.words.lexicon
    if lexicon is None:
        return []
    pattern = session.puzzle.grid.pattern(slot, given_only=True).replace("[", "").replace("]", "")
    typed = normalise(beginning, session.puzzle.alphabet) if beginning.strip() else ""
    start = pattern[: len(typed)]
    if len(typed) > len(pattern) or any(
        given not in ("?", letter) for given, letter in zip(start, typed, strict=True)
    ):
        return []
    matches = lexicon.index.matches(typed + pattern[len(typed) :])
    return [CompletionItem(word, help=str(lexicon.score(word))) for word in matches[:_MOST_WORDS]]


_MOST_WORDS = 100


def selected(session: Session) -> tuple[Position, ...]:
    """The squares that are selected, row by row; raises PuzzleError where none are."""
    if not session.selection.squares:
        raise PuzzleError("nothing is selected; `select r1c1:r5c5` or `select 17A` selects squares")
    return tuple(sorted(session.selection.squares))


AS_FILE_TELLS = "auto"
"""The word for the alphabet that a list's file tells."""


class AlphabetType(VerbType[Alphabet]):
    """The name of an alphabet."""

    name = "alphabet"

    @property
    def choices(self) -> tuple[str, ...]:
        """All names, by which its verbs are found."""
        return tuple(alphabet_names())

    def read(self, text: str, session: Session) -> Alphabet:
        """The alphabet; raises WordListError where there is none."""
        return find_alphabet(text)

    def offers(self, session: Session, beginning: str) -> list[CompletionItem[str]]:
        """The names, with their titles and letters."""
        names = [name for name in alphabet_names() if name.startswith(beginning.lower())]
        return [CompletionItem(name, help=told_of(name)) for name in names]


class ListAlphabetType(VerbType[str]):
    """The name of an alphabet, or `auto`."""

    name = "alphabet"

    def read(self, text: str, session: Session) -> str:
        """The alphabet's name; raises WordListError where there is none."""
        return AS_FILE_TELLS if text.strip().lower() == AS_FILE_TELLS else find_alphabet(text).name

    def offers(self, session: Session, beginning: str) -> list[CompletionItem[str]]:
        """`auto`, and the names."""
        first = [CompletionItem(AS_FILE_TELLS)] if AS_FILE_TELLS.startswith(beginning.lower()) else []
        return [*first, *AlphabetType().offers(session, beginning)]


def alphabet_told(alphabet: Alphabet) -> str:
    """An alphabet in words: `Swedish: A-Z Å Ä Ö`."""
    return f"{alphabet.title}: {alphabet.shown}"


def told_of(name: str) -> str:
    """The title and letters of an alphabet, or what is wrong with its file."""
    try:
        return alphabet_told(find_alphabet(name))
    except WordListError as error:
        return str(error)


NO_PROFILE = "none"
"""What is typed for a puzzle of which no outlet demands anything."""


def _names() -> tuple[str, ...]:
    from xwtui.grids.profiles import profile_files

    return tuple(profile_files())


def _offers(beginning: str, *others: str) -> list[CompletionItem[str]]:
    return [CompletionItem(name) for name in (*_names(), *others) if name.startswith(beginning.lower())]


class ProfileType(VerbType["Profile"]):
    """The name of a profile, ours or the user's."""

    name = "profile"

    @property
    def choices(self) -> tuple[str, ...]:
        """All names, by which its verbs are found."""
        return _names()

    def read(self, text: str, session: Session) -> Profile:
        """The profile; raises PuzzleError for a name that none has."""
        from xwtui.grids.profiles import find_profile

        return find_profile(text.strip())

    def offers(self, session: Session, beginning: str) -> list[CompletionItem[str]]:
        """The profiles that begin so."""
        return _offers(beginning)


class ProfileNameType(VerbType[str]):
    """The name of a profile, or `none`."""

    name = "profile"

    @property
    def choices(self) -> tuple[str, ...]:
        """All names, by which its verbs are found."""
        return _names()

    def read(self, text: str, session: Session) -> str:
        """The name; raises PuzzleError for one that none has, or whose file is damaged."""
        from xwtui.grids.profiles import find_profile

        named = text.strip()
        return NO_PROFILE if named.lower() == NO_PROFILE else find_profile(named).name

    def offers(self, session: Session, beginning: str) -> list[CompletionItem[str]]:
        """The profiles that begin so, and `none`."""
        return _offers(beginning, NO_PROFILE)

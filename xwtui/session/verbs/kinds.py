"""The kinds of the verbs' arguments: entries, squares, symmetries, files, words, alphabets, profiles."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Generic, TypeAlias, TypeVar

import click
from click.shell_completion import CompletionItem

from xwtui.asked import MOST_SECONDS, SECONDS, Asked
from xwtui.dataclasses import dataclass
from xwtui.errors import PuzzleError, WordListError, XwtuiError, failing_as
from xwtui.lazy import lazy_imports
from xwtui.model import Content, Grid, Position, Slot, Symmetry, selection
from xwtui.model.alphabet import ENGLISH, Alphabet
from xwtui.model.grid import LARGEST_SIDE, SMALLEST_SIDE, check_size
from xwtui.model.letters import capital
from xwtui.model.rules.grammar import Range
from xwtui.session.verbs.verb import argument, option
from xwtui.text import listed, printable, typed
from xwtui.words.alphabets import alphabet_names, find_alphabet
from xwtui.words.normalise import normalise, normalise_answer
from xwtui.words.theme_answers import LIST_SUFFIXES, is_file_name, theme_answer

with lazy_imports():
    from xwtui.grids.profiles import Profile, find_profile, profile_files
    from xwtui.session.session import Session


def checked_letters(text: str) -> str:
    """A text of letters as it is; raises PuzzleError for one that is plainly a place."""
    if selection.is_never_letters(text.strip()):
        raise PuzzleError(f"{printable(text.strip(), 30)!r} is a place; letters are expected here")
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

Place: TypeAlias = Slot | Position | selection.Area | str
"""An entry, a square, several squares, or one of the words that an argument allows beside them."""


T = TypeVar("T")
Item: TypeAlias = CompletionItem[str]
Known: TypeAlias = Mapping[str, str] | Iterable[str]
"""Words, with what each is where that is told."""


def offered(known: Known, beginning: str) -> list[Item]:
    """Those of some words that begin so, in capitals or small letters."""
    told: Mapping[str, str] = known if isinstance(known, Mapping) else {}
    return [
        CompletionItem(word, help=told.get(word)) for word in known if word.lower().startswith(beginning.lower())
    ]


def _no_offers(session: Session, beginning: str) -> list[Item]:
    return []


@dataclass(frozen=True, eq=False)
class ParameterKind(click.ParamType[T], Generic[T]):
    """What a word of a line may be: how it is read with the session at hand, and what is offered for it.

    `read` raises XwtuiError with what was expected.
    """

    name: str
    read: Callable[[str, Session], T]
    offers: Callable[[Session, str], list[Item]] = _no_offers
    """What could stand here, given how it begins."""
    names: Callable[[], Known] = tuple
    """Looks up the names that it chooses from, by which its verbs are found; offered where nothing else is."""
    place: PlaceForms | None = None
    """How it names a place of the grid, if it does."""
    reads_puzzle: bool = False
    """Whether what it means depends on the puzzle."""
    reads_letters: bool = False
    """Whether it reads letters in the alphabet of the puzzle: what they become depends on that alone."""
    names_file: bool = False
    """Whether what is typed may be the name of a file or folder."""
    takes_rest: bool = False
    """Whether it reads the rest of the line, where it is a verb's last argument."""
    takes_commas: bool = False
    """Whether several, where a verb takes them, may be typed as one word with commas between them."""
    forms: str = ""
    """All that may be written, where `help` is to tell that of each verb that takes it."""
    is_early: bool = False
    """Whether there is no session yet: what depends on the puzzle stays as it was typed until that is read."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read a word; what is wrong with it becomes click's BadParameter."""
        if not isinstance(value, str):
            return value  # click converts defaults and repeated values again
        if self.is_early and (self.reads_puzzle or (self.reads_letters and not value.isascii())):
            return value
        assert ctx is not None
        try:
            read = self.read(value, None if self.is_early else ctx.obj)  # type: ignore[arg-type]  # it looks at none
        except XwtuiError as error:
            self.fail(str(error), param, ctx)
        return value if self.is_early and self.reads_letters else read

    @property
    def choices(self) -> Sequence[str]:
        return tuple(self.names())

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Item]:
        if self.is_early or ctx.obj is None:
            return []
        return offered(self.names(), incomplete) if self.offers is _no_offers else self.offers(ctx.obj, incomplete)


Kind = TypeVar("Kind")


def parameter_kind(
    name: str, offers: Callable[[Session, str], list[Item]] = _no_offers, **more: Any
) -> Callable[[Callable[[str, Session], Kind]], ParameterKind[Kind]]:
    """Declare a function to be the kind that it reads; its docstring says what a word of that kind is."""
    return lambda read: ParameterKind(name, read, offers, **more)


def among(known: Known | Callable[[], Known]) -> Callable[[Session, str], list[Item]]:
    """Offer words: those told, or those that a function looks up when it is asked."""
    return lambda session, beginning: offered(known() if callable(known) else known, beginning)


@dataclass(frozen=True)
class PlaceForms:
    """How a place may be named: an entry (`17A`), a square (`r3c12`), `here`, or one of some other words.

    Where no square will do, the entry is the whole of linked lights, unless lights are meant (`is_whole`).
    """

    words: tuple[str, ...]
    entries: bool = True
    squares: bool = True
    is_whole: bool = False
    takes_areas: bool = False
    """Whether several squares may be named together."""

    def read(self, text: str, session: Session) -> Place:
        """A slot, a position, an area, or a word."""
        bare = text.strip()
        grid = session.puzzle.grid
        if bare.lower() in self.words:
            return bare.lower()
        if bare.lower() in _HERE_WORDS:
            return self._whole(self._here(session), session)
        if selection.looks_like_area(bare):
            if self.takes_areas:
                return selection.area_named(grid, bare)
            if self.entries and (linked := grid.linked(bare)) is not None:
                return self._whole(linked.lights[0], session)
            raise PuzzleError(f"{printable(bare, 30)} names several squares; expected {self.expected}")
        if self.squares and bare[:1] in ("r", "R"):
            position = Position.parse(bare)
            _ = grid[position]
            return position
        if self.entries and re.fullmatch(r"\d+[AaDd]", bare):
            return self._whole(grid.slot(bare), session)
        raise PuzzleError(f"{printable(bare, 30)!r} is not {self.expected}")

    def _whole(self, place: Place, session: Session) -> Place:
        return session.puzzle.grid.entry_of(place) if isinstance(place, Slot) and self.is_whole else place

    def is_meant(self, text: str) -> bool:
        """Whether a word is meant as a place, right or wrong."""
        return text.lower() in (*_HERE_WORDS, *self.words) or selection.looks_like_place(text)

    def _here(self, session: Session) -> Place:
        if not self.entries:
            return session.cursor.position
        slot = session.cursor.slot
        if slot is None:
            raise PuzzleError("the cursor is not in an entry; name one, such as 1A")
        return slot

    @property
    def expected(self) -> str:
        kinds = ["an entry such as 17A"] * self.entries + ["a square such as r3c12"] * self.squares
        kinds += [
            f"a part of the grid such as r1c1:r3c3, row 7 or {', '.join(selection.SHAPES)}"
        ] * self.takes_areas
        return listed([*kinds, *(f"`{word}`" for word in self.words)], "or")

    def offers(self, session: Session, beginning: str) -> list[Item]:
        """The entries with their patterns, and the words; of areas all that may come next, also after a comma."""
        grid = session.puzzle.grid
        head, comma, last = beginning.rpartition(",") if self.takes_areas else ("", "", beginning)
        known = {slot.name: grid.pattern(slot) for slot in grid.slots} if self.entries else {}
        items = [*offered(known, last), *([] if comma else offered(self.words, last))]
        if self.squares and last[:1].lower() == "r":
            items += offered([str(at) for at in grid.open_positions()], last)
        if self.takes_areas:
            items += offered((*selection.SHAPES, *selection.LINE_WORDS[:2]), last)
        return [CompletionItem(f"{head}{comma}{item.value}", help=item.help) for item in items]


def place_forms(param: click.Parameter) -> PlaceForms | None:
    """How a parameter names a place of the grid; None for another one."""
    return param.type.place if isinstance(param.type, ParameterKind) else None


def place_kind(
    *words: str, entries: bool = True, squares: bool = True, lights: bool = False
) -> ParameterKind[Place]:
    """A place, or one of some words; without squares the whole of linked lights, unless `lights` are meant."""
    forms = PlaceForms(words, entries, squares, is_whole=not (squares or lights))
    name = "place" if entries and squares else "entry" if entries else "square"
    return ParameterKind(
        name, forms.read, forms.offers, place=forms, reads_puzzle=True, takes_commas=lights and not squares
    )


ENTRY: ParameterKind[Any] = place_kind(squares=False)
"""An entry, which is read as its slot."""
entry_argument = argument("the entry (default: the current one)", ENTRY, default=HERE)


def squares_kind(*words: str) -> ParameterKind[Place]:
    """Squares in all the ways that they are named: entries, squares, parts of the grid, the selection, `here`.

    What is read is a place; `squares_of` says which squares it has, in their order.
    """
    forms = PlaceForms((SELECTION, *words), takes_areas=True)
    return ParameterKind(
        "squares",
        forms.read,
        forms.offers,
        place=forms,
        reads_puzzle=True,
        forms=(
            f"squares are 17A, r3c5, r1c1:r3c3, row 7, column 3, {', '.join(selection.SHAPES)}, {SELECTION}, "
            f"{HERE}; with commas, several of these"
        ),
    )


def squares_of(session: Session, place: Place) -> tuple[Position, ...]:
    """The open squares of a place, each once and in the order of `Area`; row by row for the words.

    Raises PuzzleError where there are none.
    """
    match place:
        case Slot():
            return place.positions
        case Position():
            if not session.puzzle.grid[place].is_open:
                raise PuzzleError(f"{place} is not an open square")
            return (place,)
        case selection.Area():
            return place.open_squares(session.puzzle.grid)
    return selected(session) if place == SELECTION else tuple(session.puzzle.grid.open_positions())


def place_name(place: Place) -> str:
    """How a place is called in what is said of it."""
    return place.name if isinstance(place, Slot | selection.Area) else str(place)


class _Switch(click.Choice[str]):
    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return super().convert(value, param, ctx) == "on"


SWITCH = _Switch(("on", "off"))
switch_argument = argument("on or off; shows the setting if left out", SWITCH)
_SYMMETRIES = [symmetry.value for symmetry in Symmetry]
SYMMETRY = ParameterKind(
    "symmetry", lambda text, session: Symmetry.parse(text), among(_SYMMETRIES), names=lambda: (*_SYMMETRIES, "off")
)


def _file(text: str, session: Session) -> Path:
    """A path, its home folder filled in."""
    if not text or "\0" in text:
        raise PuzzleError("a file name is expected")
    with failing_as(PuzzleError, of=RuntimeError):
        return Path(text).expanduser()


def file_kind(*suffixes: str, read_from: Callable[[], tuple[str, ...]] | None = None) -> ParameterKind[Path]:
    """A path; `~` is the home folder. Offered are folders, and files of some suffixes, told or looked up."""

    def offers(session: Session, beginning: str) -> list[Item]:
        return file_offers(beginning, read_from() if read_from is not None else suffixes)

    return ParameterKind("file", _file, offers, names_file=True)


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
    try:
        return entry.is_dir()
    except OSError:
        return False


def _theme_answers(session: Session, beginning: str) -> list[Item]:
    files = file_offers(beginning, LIST_SUFFIXES)
    return files if is_file_name(beginning) else [*files, *listed_offers(session, beginning)]


@parameter_kind("word or file", _theme_answers, reads_letters=True)
def THEME_ANSWER(text: str, session: Session) -> str:
    """A word, its rebus squares in brackets, or the name of a file of words, which is read later."""
    return text if is_file_name(text) else theme_answer(checked_letters(text), alphabet_of(session))


def number_kind(low: int, high: int) -> ParameterKind[int]:
    """A whole number within bounds."""
    bounds = Asked("", low, high)

    def read(text: str, session: Session) -> int:
        number = int(text) if re.fullmatch(r"[0-9]{1,19}", text) else None
        if number is None or not low <= number <= high:
            raise bounds.refusal(printable(text, 30))
        return number

    return ParameterKind("number", read)


SIDE = number_kind(SMALLEST_SIDE, LARGEST_SIDE)
"""The rows or columns of a grid."""


@parameter_kind("size")
def GRID_SIZE(text: str, session: Session) -> tuple[int, int]:
    """Rows and columns, all that there will be: `15x15`, or `15` for a square."""
    found = re.fullmatch(r"(\d{1,2})(?:[xX×](\d{1,2}))?", text.strip())
    if found is None:
        takes = "a size is all rows and columns that there will be, such as 15x15, or 15 for a square"
        raise PuzzleError(f"{printable(text, 30)!r} is not a size: {takes}")
    height, width = int(found[1]), int(found[2] or found[1])
    check_size(height, width)
    return height, width


@parameter_kind("seconds")
def TIME(text: str, session: Session) -> float:
    """A time in seconds, at most a week; infinity for 0."""
    match = re.fullmatch(r"(\d{1,6}(?:\.\d{0,6})?|\.\d{1,6})s?", text)
    if match is None or float(match[1]) > MOST_SECONDS:
        raise SECONDS.refusal(printable(text, 30))
    return float(match[1]) or math.inf


def asked(what: Asked, kind: click.ParamType[Any] | None = None, *, usual: object = None, **more: Any) -> Any:
    """Declare a parameter of a verb to be an option for what Python callers may ask for, too.

    The help tells of what is `usual`.
    """
    if what.is_time:
        kind = TIME
    elif what.high is not None:
        kind = number_kind(what.low, what.high)
    told = what.help if usual is None else f"{what.help} (default: {usual:g})"
    more |= {} if usual is None else {"default": f"{usual:g}"}
    return option(told, kind, **{"name": what.option} | more)


REST_OF_LINE = ParameterKind("text", lambda text, session: typed(text), takes_rest=True)
"""The rest of the line as it was typed, quotes and all, without control characters."""


def _fitting_words(session: Session, beginning: str) -> list[Item]:
    slot = session.cursor.entry
    return [] if slot is None else word_offers(session, slot, beginning)


@parameter_kind("answer", _fitting_words, reads_letters=True, takes_rest=True)
def ANSWER(text: str, session: Session) -> str:
    """An answer or the content of a square: `SWEET[HEART]`, `X/TIMES`, `crème brûlée`; its words stay apart."""
    return normalise_answer(checked_letters(typed(text)), alphabet_of(session))


def listed_offers(session: Session, beginning: str) -> list[CompletionItem[str]]:
    """The allowed words that begin so, best first, with their scores; none where nothing is typed yet."""
    lexicon = session.jobs.words.lexicon
    begun = normalise(beginning, session.puzzle.alphabet) if beginning.strip() else ""
    if lexicon is None or not begun:
        return []
    best = lexicon.sorted_index.best_scored(begun, _MOST_WORDS)
    return [CompletionItem(word, help=str(score)) for word, score in best]


def last_word_offers(session: Session, beginning: str) -> list[CompletionItem[str]]:
    """The same for the last of several words with commas or blanks between them."""
    at = max(beginning.rfind(sign) for sign in ", =") + 1
    offers = listed_offers(session, beginning[at:])
    return [CompletionItem(f"{beginning[:at]}{one.value}", help=one.help) for one in offers]


def word_offers(
    session: Session, slot: Slot, beginning: str, grid: Grid | None = None
) -> list[CompletionItem[str]]:
    """The words that fit an entry of a grid, if not the puzzle's, and begin so, best first, with their scores."""
    lexicon = session.jobs.words.lexicon
    if lexicon is None:
        return []
    pattern = (grid or session.puzzle.grid).pattern(slot, given_only=True).replace("[", "").replace("]", "")
    typed = normalise(beginning, session.puzzle.alphabet) if beginning.strip() else ""
    start = pattern[: len(typed)]
    if len(typed) > len(pattern) or any(
        given not in ("?", letter) for given, letter in zip(start, typed, strict=True)
    ):
        return []
    matches = islice(lexicon.best(typed + pattern[len(typed) :]), _MOST_WORDS)
    return [CompletionItem(word, help=str(lexicon.score(word))) for word in matches]


_MOST_WORDS = 100


def selected(session: Session) -> tuple[Position, ...]:
    """The squares that are selected, row by row; raises PuzzleError where none are."""
    if not session.selection.squares:
        raise PuzzleError("nothing is selected; `select r1c1:r5c5` or `select 17A` selects squares")
    return tuple(sorted(session.selection.squares))


@parameter_kind("range")
def SQUARE_RANGE(text: str, session: Session) -> Range:
    """A number of squares: `5`, or `4..6`."""
    match = re.fullmatch(r"(\d{1,3})(?:(?:\.\.|-|–)(\d{1,3}))?", text)
    if match is None or int(match[1]) > int(match[2] or match[1]):
        raise PuzzleError(f"{printable(text, 30)!r} is not a number of squares such as 5 or 4..6")
    return Range(int(match[1]), int(match[2] or match[1]))


@parameter_kind("message", listed_offers, reads_letters=True)
def MESSAGE(text: str, session: Session) -> str:
    """A word of a message in capitals, a square of several letters in brackets: `SWEET[HEART]`."""
    return normalise_answer(checked_letters(text), alphabet_of(session)).replace(" ", "")


REGULAR_EXPRESSION = ParameterKind("pattern", lambda text, session: capital(text))
"""A regular expression for a whole answer; the rule's edit checks it."""
WORD = ParameterKind("word", spelled, listed_offers, reads_letters=True)
"""A word of a list, written as one pleases: it is normalized. Offered are the words that begin so, best first."""
WORDS = ParameterKind("text", lambda text, session: text, last_word_offers)
"""One of several words, read by the verb; the last of them is completed."""
AS_FILE_TELLS = "auto"
"""The word for the alphabet that a list's file tells."""


def alphabet_told(alphabet: Alphabet) -> str:
    """An alphabet in words: `Swedish: A-Z Å Ä Ö`."""
    return f"{alphabet.title}: {alphabet.shown}"


def told_of(name: str) -> str:
    """The title and letters of an alphabet, or what is wrong with its file."""
    try:
        return alphabet_told(find_alphabet(name))
    except WordListError as error:
        return str(error)


def _alphabets(session: Session, beginning: str) -> list[Item]:
    names = (name for name in alphabet_names() if name.startswith(beginning.lower()))
    return [CompletionItem(name, help=told_of(name)) for name in names]


ALPHABET = ParameterKind("alphabet", lambda text, session: find_alphabet(text), _alphabets, names=alphabet_names)


@parameter_kind(
    "alphabet", lambda session, beginning: [*offered([AS_FILE_TELLS], beginning), *_alphabets(session, beginning)]
)
def LIST_ALPHABET(text: str, session: Session) -> str:
    """The name of an alphabet, or `auto`; raises WordListError where there is none."""
    return AS_FILE_TELLS if text.strip().lower() == AS_FILE_TELLS else find_alphabet(text).name


NO_PROFILE = "none"
"""What is typed for a puzzle of which no outlet demands anything."""


def _profile_names() -> list[str]:
    return list(profile_files())


@parameter_kind("profile", names=_profile_names)
def PROFILE(text: str, session: Session) -> Profile:
    """The profile of a name, ours or the user's; raises PuzzleError for a name that none has."""
    return find_profile(text.strip())


@parameter_kind("profile", among(lambda: [*_profile_names(), NO_PROFILE]), names=_profile_names)
def PROFILE_NAME(text: str, session: Session) -> str:
    """The name of a profile, or `none`; raises PuzzleError for one that none has, or whose file is damaged."""
    return NO_PROFILE if text.strip().lower() == NO_PROFILE else PROFILE.read(text, session).name

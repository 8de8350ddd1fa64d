"""The kinds of verbs' arguments: entries, squares, symmetries, files, words, alphabets, profiles."""

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

from xwtui.dataclasses import dataclass
from xwtui.errors import PuzzleError, WordListError, XwtuiError, failing_as
from xwtui.lazy import lazy_imports
from xwtui.model import Content, Grid, Position, Slot, Symmetry, selection
from xwtui.model.alphabet import ENGLISH, Alphabet
from xwtui.model.grid import LARGEST_SIDE, SMALLEST_SIDE, check_size
from xwtui.model.letters import capital
from xwtui.model.rules.grammar import Range
from xwtui.parameters import MOST_SECONDS, SECONDS, Parameter
from xwtui.session.verbs.verb import argument, option
from xwtui.text import listed, printable, typed
from xwtui.words.alphabets import alphabet_names, find_alphabet
from xwtui.words.normalise import normalise, normalise_answer
from xwtui.words.theme_answers import LIST_SUFFIXES, is_file_name, theme_answer

with lazy_imports():
    from xwtui.grids.profiles import Profile, find_profile, profile_files
    from xwtui.session.session import Session


def checked_letters(text: str) -> str:
    """Return letters unchanged; raises PuzzleError if the text is clearly a place."""
    if selection.is_never_letters(text.strip()):
        raise PuzzleError(f"{printable(text.strip(), 30)!r} is a place; letters are expected here")
    return text


def alphabet_of(session: Session | None) -> Alphabet:
    """Return the alphabet of a session's puzzle; English if there is no session yet."""
    return ENGLISH if session is None else session.puzzle.alphabet


def spelled(text: str, session: Session | None) -> str:
    """Normalize a text to the puzzle's alphabet; raises XwtuiError for a place, or if no letters remain."""
    return normalise(checked_letters(text), alphabet_of(session))


def content_of(text: str, session: Session | None) -> Content:
    """Parse the content of a square in the puzzle's alphabet; raises XwtuiError if it is invalid."""
    content, alphabet = Content.parse(checked_letters(text)), alphabet_of(session)
    return Content(normalise(content.across, alphabet), normalise(content.down, alphabet))


HERE = "here"
"""The word for the cursor's square or entry; `.` is its short form."""

_HERE_WORDS = (HERE, ".")


SELECTION = "selection"

Place: TypeAlias = Slot | Position | selection.Area | str
"""An entry, a square, several squares, or one of the words that an argument also accepts."""


T = TypeVar("T")
Item: TypeAlias = CompletionItem[str]
Known: TypeAlias = Mapping[str, str] | Iterable[str]
"""Words, optionally with descriptions."""


def offered(known: Known, beginning: str) -> list[Item]:
    """Return completions: the words that start with `beginning`, ignoring case."""
    descriptions: Mapping[str, str] = known if isinstance(known, Mapping) else {}
    return [
        CompletionItem(word, help=descriptions.get(word))
        for word in known
        if word.lower().startswith(beginning.lower())
    ]


def _no_offers(session: Session, beginning: str) -> list[Item]:
    return []


@dataclass(frozen=True, eq=False)
class ParameterKind(click.ParamType[T], Generic[T]):
    """The type of an argument: how a word is parsed in a session, and how it is completed.

    `read` raises XwtuiError, whose message says what was expected.
    """

    name: str
    read: Callable[[str, Session], T]
    offers: Callable[[Session, str], list[Item]] = _no_offers
    """Returns completions, given the beginning of the word."""
    names: Callable[[], Known] = tuple
    """Returns the names to choose from, which also help to find the verb. They are the completions by default."""
    place: PlaceForms | None = None
    """How it names a place of the grid, if it does."""
    reads_puzzle: bool = False
    """Whether its meaning depends on the puzzle."""
    reads_letters: bool = False
    """Whether it reads letters in the puzzle's alphabet, on which alone the result depends."""
    names_file: bool = False
    """Whether the word may be the name of a file or folder."""
    takes_rest: bool = False
    """Whether it reads the rest of the line as a verb's last argument."""
    takes_commas: bool = False
    """Whether several values can be typed as one word, separated by commas, if a verb takes several."""
    forms: str = ""
    """Description of the accepted forms, shown in the `help` of each verb with this kind."""
    is_early: bool = False
    """Whether there is no session yet; a word that depends on the puzzle is then kept as typed until it is
    read."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Parse a word; an error becomes click's BadParameter."""
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
    """Declare a function as the kind whose words it parses; its docstring says what such a word is."""
    return lambda read: ParameterKind(name, read, offers, **more)


def among(known: Known | Callable[[], Known]) -> Callable[[Session, str], list[Item]]:
    """Complete from words, or from those that a function returns when it is needed."""
    return lambda session, beginning: offered(known() if callable(known) else known, beginning)


@dataclass(frozen=True)
class PlaceForms:
    """The accepted names of a place: an entry (`17A`), a square (`r3c12`), `here`, or certain words.

    With `is_whole`, an entry that is part of a linked entry stands for the whole of it.
    """

    words: tuple[str, ...]
    entries: bool = True
    squares: bool = True
    is_whole: bool = False
    takes_areas: bool = False
    """Whether one name may cover several squares."""

    def read(self, text: str, session: Session) -> Place:
        """Parse a slot, a position, an area, or a word."""
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
        """Whether a word is meant as a place, valid or not."""
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
        """Complete entries (with patterns) and words; for areas, all that may follow, also after a comma."""
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
    """Return how a parameter names a place of the grid; None if it does not."""
    return param.type.place if isinstance(param.type, ParameterKind) else None


def place_kind(
    *words: str, entries: bool = True, squares: bool = True, lights: bool = False
) -> ParameterKind[Place]:
    """Return the kind for a place or some words; without squares, linked entries are whole unless `lights`."""
    forms = PlaceForms(words, entries, squares, is_whole=not (squares or lights))
    name = "place" if entries and squares else "entry" if entries else "square"
    return ParameterKind(
        name, forms.read, forms.offers, place=forms, reads_puzzle=True, takes_commas=lights and not squares
    )


ENTRY: ParameterKind[Any] = place_kind(squares=False)
entry_argument = argument("the entry (default: the current one)", ENTRY, default=HERE)


def squares_kind(*words: str) -> ParameterKind[Place]:
    """Return the kind for squares by any name: entries, squares, parts of the grid, the selection, `here`.

    Its value is a place; `squares_of` returns the place's squares, in order.
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
    """Return the open squares of a place, each once, in the order of `Area`; for words, row by row.

    Raises PuzzleError if there are none.
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
    if place != SELECTION:
        return tuple(session.puzzle.grid.open_positions())
    if not session.selection.squares:
        raise PuzzleError("nothing is selected; `select r1c1:r5c5` or `select 17A` selects squares")
    return tuple(sorted(session.selection.squares))


def place_name(place: Place) -> str:
    """Return the name of a place for messages."""
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
    if not text or "\0" in text:
        raise PuzzleError("a file name is expected")
    with failing_as(PuzzleError, of=RuntimeError):
        return Path(text).expanduser()


def file_kind(*suffixes: str, read_from: Callable[[], tuple[str, ...]] | None = None) -> ParameterKind[Path]:
    """Return the kind for a path, with `~` expanded; it completes folders, and files with the given suffixes."""

    def offers(session: Session, beginning: str) -> list[Item]:
        return file_offers(beginning, read_from() if read_from is not None else suffixes)

    return ParameterKind("file", _file, offers, names_file=True)


MOST_READ = 20_000
"""Maximum number of a folder's names that completion inspects."""


def file_offers(beginning: str, suffixes: tuple[str, ...]) -> list[Item]:
    """Complete folders, and files with some suffixes (any, if none is given), from the beginning of a path.

    The directory listing tells folders from files, so files are not examined one by one.
    """
    head, slash, start = beginning.rpartition("/")
    try:
        folder = Path(head + slash).expanduser() if slash else Path()
        with os.scandir(folder) as read:
            found = [one for one in islice(read, MOST_READ) if one.name.startswith(start)]
    except (OSError, RuntimeError, ValueError):
        return []
    items: list[Item] = []
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
    """A word with rebus squares in brackets, or the name of a file of words, which is read later."""
    return text if is_file_name(text) else theme_answer(checked_letters(text), alphabet_of(session))


def number_kind(low: int, high: int) -> ParameterKind[int]:
    """Return the kind for a whole number within bounds."""
    bounds = Parameter("", low, high)

    def read(text: str, session: Session) -> int:
        number = int(text) if re.fullmatch(r"[0-9]{1,19}", text) else None
        if number is None or not low <= number <= high:
            raise bounds.refusal(printable(text, 30))
        return number

    return ParameterKind("number", read)


SIDE = number_kind(SMALLEST_SIDE, LARGEST_SIDE)


@parameter_kind("size")
def GRID_SIZE(text: str, session: Session) -> tuple[int, int]:
    """Total rows and columns: `15x15`, or `15` for a square."""
    found = re.fullmatch(r"(\d{1,2})(?:[xX×](\d{1,2}))?", text.strip())
    if found is None:
        takes = "a size is all rows and columns that there will be, such as 15x15, or 15 for a square"
        raise PuzzleError(f"{printable(text, 30)!r} is not a size: {takes}")
    height, width = int(found[1]), int(found[2] or found[1])
    check_size(height, width)
    return height, width


@parameter_kind("seconds")
def TIME(text: str, session: Session) -> float:
    """A time in seconds, at most a week; 0 stands for infinity."""
    match = re.fullmatch(r"(\d{1,6}(?:\.\d{0,6})?|\.\d{1,6})s?", text)
    if match is None or float(match[1]) > MOST_SECONDS:
        raise SECONDS.refusal(printable(text, 30))
    return float(match[1]) or math.inf


def asked(what: Parameter, kind: click.ParamType[Any] | None = None, *, usual: object = None, **more: Any) -> Any:
    """Declare an option for a setting that Python callers have too.

    The help names the `usual` value as the default.
    """
    if what.is_time:
        kind = TIME
    elif what.high is not None:
        kind = number_kind(what.low, what.high)
    help_text = what.help if usual is None else f"{what.help} (default: {usual:g})"
    more |= {} if usual is None else {"default": f"{usual:g}"}
    return option(help_text, kind, **{"name": what.option} | more)


def limit_option(usual: int, most: int = 1_000_000) -> Any:
    """Declare the option for how many results are listed."""
    return option(f"how many to list (default: {usual})", number_kind(1, most), default=str(usual))


REST_OF_LINE = ParameterKind("text", lambda text, session: typed(text), takes_rest=True)
"""The rest of the line as typed, including quotes, without control characters."""


@parameter_kind("answer", reads_letters=True, takes_rest=True)
def ANSWER(text: str, session: Session) -> str:
    """An answer or a square's content: `SWEET[HEART]`, `X/TIMES`, `crème brûlée`; spaces between words stay.

    What fits the entry before it completes it; see `completion`.
    """
    return normalise_answer(checked_letters(typed(text)), alphabet_of(session))


def listed_offers(session: Session, beginning: str) -> list[Item]:
    """Complete allowed words, best first, with their scores; none if nothing is typed yet."""
    lexicon = session.jobs.words.lexicon
    prefix = normalise(beginning, session.puzzle.alphabet) if beginning.strip() else ""
    if lexicon is None or not prefix:
        return []
    best = lexicon.sorted_index.best_scored(prefix, _MOST_WORDS)
    return [CompletionItem(word, help=str(score)) for word, score in best]


def last_word_offers(session: Session, beginning: str) -> list[Item]:
    """Complete the last of several words separated by commas, spaces or equals signs."""
    at = max(beginning.rfind(sign) for sign in ", =") + 1
    offers = listed_offers(session, beginning[at:])
    return [CompletionItem(f"{beginning[:at]}{one.value}", help=one.help) for one in offers]


def word_offers(session: Session, slot: Slot, beginning: str, grid: Grid) -> list[Item]:
    """Complete words that fit an entry of a grid, best first, with their scores."""
    lexicon = session.jobs.words.lexicon
    if lexicon is None:
        return []
    pattern = grid.pattern(slot, given_only=True).replace("[", "").replace("]", "")
    typed = normalise(beginning, session.puzzle.alphabet) if beginning.strip() else ""
    start = pattern[: len(typed)]
    if len(typed) > len(pattern) or any(
        given not in ("?", letter) for given, letter in zip(start, typed, strict=True)
    ):
        return []
    matches = islice(lexicon.best(typed + pattern[len(typed) :]), _MOST_WORDS)
    return [CompletionItem(word, help=str(lexicon.score(word))) for word in matches]


_MOST_WORDS = 100


@parameter_kind("range")
def SQUARE_RANGE(text: str, session: Session) -> Range:
    """A number or range of squares: `5`, `4..6`, `4-6`."""
    match = re.fullmatch(r"(\d{1,3})(?:(?:\.\.|-|–)(\d{1,3}))?", text)
    if match is None or int(match[1]) > int(match[2] or match[1]):
        raise PuzzleError(f"{printable(text, 30)!r} is not a number of squares such as 5 or 4..6")
    return Range(int(match[1]), int(match[2] or match[1]))


@parameter_kind("message", listed_offers, reads_letters=True)
def MESSAGE(text: str, session: Session) -> str:
    """A word of a message in upper case, with multi-letter squares in brackets: `SWEET[HEART]`."""
    return normalise_answer(checked_letters(text), alphabet_of(session)).replace(" ", "")


REGULAR_EXPRESSION = ParameterKind("pattern", lambda text, session: capital(text))
"""A regular expression for a whole answer; the edit that sets the rule checks it."""
WORD = ParameterKind("word", spelled, listed_offers, reads_letters=True)
"""A word in any spelling, which is normalized; it completes listed words, best first."""
WORDS = ParameterKind("text", lambda text, session: text, last_word_offers)
"""One of several words, parsed by the verb; the last one is completed."""
AS_FILE_TELLS = "auto"
"""The word for the alphabet that the list's file names."""


def describe_alphabet(alphabet: Alphabet) -> str:
    """Return a description of an alphabet: `Swedish: A-Z Å Ä Ö`."""
    return f"{alphabet.title}: {alphabet.shown}"


def alphabet_help(name: str) -> str:
    """Return the title and letters of an alphabet, or the error in its file."""
    try:
        return describe_alphabet(find_alphabet(name))
    except WordListError as error:
        return str(error)


def _alphabets(session: Session, beginning: str) -> list[Item]:
    names = (name for name in alphabet_names() if name.startswith(beginning.lower()))
    return [CompletionItem(name, help=alphabet_help(name)) for name in names]


ALPHABET = ParameterKind("alphabet", lambda text, session: find_alphabet(text), _alphabets, names=alphabet_names)


@parameter_kind(
    "alphabet", lambda session, beginning: [*offered([AS_FILE_TELLS], beginning), *_alphabets(session, beginning)]
)
def LIST_ALPHABET(text: str, session: Session) -> str:
    """The name of an alphabet, or `auto`; raises WordListError if it does not exist."""
    return AS_FILE_TELLS if text.strip().lower() == AS_FILE_TELLS else find_alphabet(text).name


NO_PROFILE = "none"
"""The word for a puzzle without an outlet's requirements."""


def _profile_names() -> list[str]:
    return list(profile_files())


@parameter_kind("profile", names=_profile_names)
def PROFILE(text: str, session: Session) -> Profile:
    """A profile by name, shipped or the user's; raises PuzzleError if it does not exist."""
    return find_profile(text.strip())


@parameter_kind("profile", among(lambda: [*_profile_names(), NO_PROFILE]), names=_profile_names)
def PROFILE_NAME(text: str, session: Session) -> str:
    """The name of a profile, or `none`; raises PuzzleError if it does not exist or its file is damaged."""
    return NO_PROFILE if text.strip().lower() == NO_PROFILE else PROFILE.read(text, session).name

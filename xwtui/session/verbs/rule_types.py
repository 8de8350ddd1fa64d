"""How what rules are told is read from a line: on and off, ranges, patterns, letters, contents, tags."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from xwtui.errors import PuzzleError, WordListError
from xwtui.model import Content, Direction, SlotKey
from xwtui.model.alphabet import ENGLISH
from xwtui.model.entering import Entering
from xwtui.model.letters import DIGITS, capital
from xwtui.model.rules.speech import ALL, BOTH, OFF, Argument, Range, Reads, RuleOption, Value, is_off
from xwtui.model.selection import Area
from xwtui.session.verbs.types import (
    NumberType,
    Place,
    SquaresType,
    VerbType,
    WordType,
    alphabet_of,
    checked_letters,
    content_of,
    place_name,
    spelled,
    squares_of,
)
from xwtui.session.verbs.word_choice import ListType, ScoreType, kept_paths
from xwtui.text import listed, printable
from xwtui.words.normalise import normalise, normalise_answer

if TYPE_CHECKING:
    from xwtui.session.session import Session


def _beginning(beginning: str, *texts: str) -> list[CompletionItem[str]]:
    return [CompletionItem(text) for text in texts if text.startswith(beginning.lower())]


class OffType(VerbType[str]):
    """The word `off`."""

    name = "off"

    def read(self, text: str, session: Session) -> str:
        """The word; raises PuzzleError for another one."""
        if not is_off(text):
            raise PuzzleError(f"{printable(text, 30)!r} is not `off`, which takes the rule away")
        return OFF

    def offers(self, session: Session, beginning: str) -> list[CompletionItem[str]]:
        """`off`."""
        return _beginning(beginning, OFF)


class SwitchType(VerbType[bool]):
    """`on` or `off`."""

    name = "switch"

    def read(self, text: str, session: Session) -> bool:
        """True for `on`, False for `off`."""
        if text.lower() not in ("on", OFF):
            raise PuzzleError(f"{printable(text, 30)!r} is neither `on` nor `off`")
        return not is_off(text)

    def offers(self, session: Session, beginning: str) -> list[CompletionItem[str]]:
        """Both."""
        return _beginning(beginning, "on", OFF)


class NumberOrOffType(VerbType["int | str"]):
    """A number within bounds, or `off`."""

    name = "number"

    def __init__(self, low: int, high: int) -> None:
        self._number = NumberType(low, high)

    def read(self, text: str, session: Session) -> int | str:
        """The number, or `off`."""
        return OFF if is_off(text) else self._number.read(text, session)


class RangeType(VerbType[Range]):
    """A number of squares: `5`, or `4..6`."""

    name = "range"

    def read(self, text: str, session: Session) -> Range:
        """The least and the most; raises PuzzleError for what is no range."""
        match = re.fullmatch(r"(\d{1,3})(?:(?:\.\.|-|–)(\d{1,3}))?", text)
        if match is None or int(match[1]) > int(match[2] or match[1]):
            raise PuzzleError(f"{printable(text, 30)!r} is no number of squares, such as 5 or 4..6")
        return Range(int(match[1]), int(match[2] or match[1]))


class PatternType(VerbType[str]):
    """A regular expression for a whole answer."""

    name = "pattern"

    def read(self, text: str, session: Session) -> str:
        """The expression in capitals; the rule's edit checks it."""
        return capital(text)


class PartsType(VerbType["tuple[str, ...]"]):
    """Letters that stand together in an answer, or several such with commas; none at all take the rule away."""

    name = "letters"
    reads_letters = True

    def read(self, text: str, session: Session) -> tuple[str, ...]:
        """Each run of letters, normalised."""
        parts = checked_letters(text).split(",")
        return tuple(normalise(part, alphabet_of(session)) for part in parts if part.strip())


class RestType(SquaresType):
    """Squares and entries, and what they may hold: one list of words on a line."""

    def read(self, text: str, session: Session) -> Place:
        """A place where the text looks like one, else the text."""
        return super().read(text, session) if self.is_meant(text) else text


def read_letters(text: str, session: Session | None) -> list[Content]:
    """Each letter or digit of a text as a content; raises PuzzleError for other characters."""
    return [Content.of(letter) for letter in _plain(text, session)]


def _plain(text: str, session: Session | None) -> str:
    try:
        return spelled(text, session)
    except WordListError as error:
        raise PuzzleError(str(error)) from error


class ContentType(VerbType["Content | str"]):
    """What a square holds: `HEART`, `X/TIMES`; or `off`."""

    name = "content"
    reads_letters = True

    def read(self, text: str, session: Session) -> Content | str:
        """The content, or `off`."""
        return OFF if is_off(text) else content_of(checked_letters(text), session)


class WantedType(WordType):
    """A word, or `off`."""

    def read(self, text: str, session: Session) -> str:
        """The word in capitals, or `off` in small letters."""
        return OFF if is_off(text) else super().read(text, session)


class MessageType(VerbType[str]):
    """A word of a message, a square of several letters in brackets: `SWEET[HEART]`."""

    name = "message"
    reads_letters = True

    def read(self, text: str, session: Session) -> str:
        """The word in capitals with its brackets, all else normalised."""
        return normalise_answer(checked_letters(text), alphabet_of(session)).replace(" ", "")


class HiddenType(MessageType):
    """A word of a message, or `off`."""

    def read(self, text: str, session: Session) -> str:
        """The word, or `off` in small letters."""
        return OFF if is_off(text) else super().read(text, session)


class LettersType(VerbType[str]):
    """`on` for all letters, `off`, or the letters themselves."""

    name = "letters"
    reads_letters = True

    def read(self, text: str, session: Session) -> str:
        """The letters in capitals, each once, or `on` or `off`."""
        alphabet = alphabet_of(session)
        if text.lower() == "on" and alphabet != ENGLISH:
            return alphabet.symbols.removesuffix(DIGITS)
        if text.lower() in ("on", OFF):
            return text.lower()
        return "".join(dict.fromkeys(_plain(text, session)))

    def offers(self, session: Session, beginning: str) -> list[CompletionItem[str]]:
        """`on` and `off`."""
        return _beginning(beginning, "on", OFF)


class TagType(VerbType[str]):
    """A tag of the word lists."""

    name = "tag"

    def read(self, text: str, session: Session) -> str:
        """The tag in small letters."""
        return text.lower()

    def offers(self, session: Session, beginning: str) -> list[CompletionItem[str]]:
        """The tags that the lists have."""
        return _beginning(
            beginning, *(session.jobs.words.lexicon.tags if session.jobs.words.lexicon is not None else ())
        )


class GroupType(VerbType["frozenset[str]"]):
    """Words that count as one stem, with spaces between them."""

    name = "words"
    reads_letters = True

    def read(self, text: str, session: Session) -> frozenset[str]:
        """The words, normalised; raises PuzzleError for a single one."""
        words = frozenset(_plain(word, session) for word in text.split())
        if len(words) < 2:
            raise PuzzleError('a group has two words or more, in quotes: "DATA DATUM"')
        return words


class OwnListType(ListType):
    """A word list, by its full path unless it lies beside the puzzle; or an empty text for the puzzle's own."""

    def read(self, text: str, session: Session) -> str:
        """The list's name; raises WordListError where there is none."""
        return kept_paths(session, (super().read(text, session),))[0] if text else ""


class LetterType(VerbType[str]):
    """A single letter or digit."""

    name = "letter"
    reads_letters = True

    def read(self, text: str, session: Session) -> str:
        """The letter in capitals; raises PuzzleError for anything else."""
        letter = _plain(text, session)
        if len(letter) != 1:
            raise PuzzleError(f"{printable(text, 30)!r} is no single letter")
        return letter


class TreatmentType(VerbType["Entering | str"]):
    """How answers are entered, by its name, or `off`."""

    name = "how"

    def read(self, text: str, session: Session) -> Entering | str:
        """The treatment, or `off`; raises PuzzleError for another word."""
        found = {each.value: each for each in Entering}.get(text.lower())
        if found is None and not is_off(text):
            known = listed([each.value for each in Entering], "and")
            raise PuzzleError(f"{printable(text, 30)!r} is no such thing; there is {known}")
        return found or OFF

    def offers(self, session: Session, beginning: str) -> list[CompletionItem[str]]:
        """All of them, and `off`."""
        return _beginning(beginning, *(each.value for each in Entering), OFF)


class LightType(VerbType["SlotKey | Direction | str"]):
    """Entries: `all`, `across`, `down`, `17A`; `off`; or letters."""

    name = "entries"
    takes_commas = True

    def read(self, text: str, session: Session) -> SlotKey | Direction | str:
        """An entry by its first square and direction; what names no entries as letters in capitals."""
        if text.lower() in (ALL, OFF):
            return text.lower()
        for direction in Direction:
            if text.lower() == direction.word:
                return direction
        if re.fullmatch(r"\d+[AaDd]", text):
            slot = session.puzzle.grid.slot(text)
            return slot.start, slot.direction
        return _plain(text, session)

    def offers(self, session: Session, beginning: str) -> list[CompletionItem[str]]:
        """The words for several entries."""
        return _beginning(beginning, ALL, *(direction.word for direction in Direction), OFF)


class SpelledType(VerbType[str]):
    """A message: its letters in capitals, without blanks."""

    name = "letters"
    reads_letters = True

    def read(self, text: str, session: Session) -> str:
        """The letters; raises PuzzleError for other characters."""
        return _plain(text, session)


class PlacesType(SquaresType):
    """Squares in all the ways that they are named, or `off`."""

    def __init__(self) -> None:
        super().__init__(OFF)

    def read(self, text: str, session: Session) -> Place:
        """An area of its open squares, or `off`; raises PuzzleError where it has none."""
        place = super().read(text, session)
        return OFF if place == OFF else Area(place_name(place), squares_of(session, place))


class SideType(VerbType["Direction | str"]):
    """`across`, `down` or `both`."""

    name = "side"

    def read(self, text: str, session: Session) -> Direction | str:
        """A direction, or `both`; raises PuzzleError for another word."""
        sides: dict[str, Direction | str] = {BOTH: BOTH, **{way.word: way for way in Direction}}
        if text.lower() not in sides:
            raise PuzzleError(f"{printable(text, 30)!r} is none of across, down and both")
        return sides[text.lower()]

    def offers(self, session: Session, beginning: str) -> list[CompletionItem[str]]:
        """All three."""
        return _beginning(beginning, *(way.word for way in Direction), BOTH)


_TYPES: Mapping[Reads, Callable[[Value], VerbType[Any]]] = MappingProxyType(
    {
        Reads.OFF: lambda _: OffType(),
        Reads.SWITCH: lambda _: SwitchType(),
        Reads.SCORE: lambda _: ScoreType(),
        Reads.LIST: lambda _: OwnListType(),
        Reads.PATTERN: lambda _: PatternType(),
        Reads.PARTS: lambda _: PartsType(),
        Reads.LETTER: lambda _: LetterType(),
        Reads.WORD: lambda _: WantedType(),
        Reads.MESSAGE: lambda _: HiddenType(),
        Reads.WORD_GROUP: lambda _: GroupType(),
        Reads.CONTENT: lambda _: ContentType(),
        Reads.LETTERS: lambda _: LettersType(),
        Reads.TAG: lambda _: TagType(),
        Reads.NUMBER: lambda value: NumberType(value.low, value.high),
        Reads.NUMBER_OR_OFF: lambda value: NumberOrOffType(value.low, value.high),
        Reads.RANGE: lambda _: RangeType(),
        Reads.TREATMENT: lambda _: TreatmentType(),
        Reads.LIGHT: lambda _: LightType(),
        Reads.SQUARES: lambda _: PlacesType(),
        Reads.SIDE: lambda _: SideType(),
        Reads.SPELLED: lambda _: SpelledType(),
    }
)


def click_argument(argument: Argument) -> click.Argument:
    """An argument of a verb as a rule declares it."""
    kind = _TYPES[argument.value.reads](argument.value)
    return click.Argument(
        [argument.name], type=kind, required=False, nargs=-1 if argument.many else 1, help=argument.help
    )


def click_option(option: RuleOption, unsaid: object = None) -> click.Option:
    """The same for an option; `unsaid` is its value where a line does not have it."""
    names = [option.flag, option.name]
    if not option.values:
        return click.Option(names, is_flag=True, help=option.help)
    kinds = [_TYPES[value.reads](value) for value in option.values]
    return click.Option(
        names,
        type=kinds[0] if len(kinds) == 1 else click.Tuple(kinds),
        help=option.help,
        metavar=option.metavar or None,
        **({"multiple": True} if option.many else {"default": unsaid}),
    )

"""How what rules are told is read from a line: on and off, ranges, patterns, letters, contents, tags."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import click

from xwtui.errors import PuzzleError, WordListError
from xwtui.lazy import lazy_imports
from xwtui.model import Content, Direction, SlotKey
from xwtui.model.alphabet import ENGLISH
from xwtui.model.entering import Entering
from xwtui.model.letters import DIGITS, capital
from xwtui.model.rules.speech import ALL, BOTH, OFF, Argument, Range, Reads, RuleOption, Value, is_off
from xwtui.model.selection import Area
from xwtui.session.verbs.kinds import (
    WORD,
    Item,
    ParameterKind,
    Place,
    alphabet_of,
    among,
    checked_letters,
    content_of,
    last_word_offers,
    listed_offers,
    number_kind,
    offered,
    parameter_kind,
    place_name,
    spelled,
    squares_kind,
    squares_of,
)
from xwtui.session.verbs.word_choice import SCORE, kept_paths, list_kind
from xwtui.text import listed, printable
from xwtui.words.normalise import normalise, normalise_answer

with lazy_imports():
    from xwtui.session.session import Session


@parameter_kind("off", among([OFF]))
def JUST_OFF(text: str, session: Session) -> str:
    """`off`, which takes a rule away."""
    if not is_off(text):
        raise PuzzleError(f"{printable(text, 30)!r} is not `off`, which removes the rule")
    return OFF


_ON_OFF = among(["on", OFF])


def _switch(text: str, session: Session) -> bool:
    if text.lower() not in ("on", OFF):
        raise PuzzleError(f"{printable(text, 30)!r} is neither `on` nor `off`")
    return not is_off(text)


def or_off(kind: ParameterKind[Any]) -> ParameterKind[Any]:
    """The same kind, or `off`."""
    return replace(kind, read=lambda text, session: OFF if is_off(text) else kind.read(text, session))


@parameter_kind("range")
def SQUARE_RANGE(text: str, session: Session) -> Range:
    """A number of squares: `5`, or `4..6`."""
    match = re.fullmatch(r"(\d{1,3})(?:(?:\.\.|-|–)(\d{1,3}))?", text)
    if match is None or int(match[1]) > int(match[2] or match[1]):
        raise PuzzleError(f"{printable(text, 30)!r} is not a number of squares such as 5 or 4..6")
    return Range(int(match[1]), int(match[2] or match[1]))


def _parts(text: str, session: Session) -> tuple[str, ...]:
    """Letters that stand together in an answer, or several such with commas; none at all take the rule away."""
    parts = checked_letters(text).split(",")
    return tuple(normalise(part, alphabet_of(session)) for part in parts if part.strip())


_SQUARES = squares_kind()


def _place_or_text(text: str, session: Session) -> Place:
    assert _SQUARES.place is not None
    return _SQUARES.read(text, session) if _SQUARES.place.is_meant(text) else text


SQUARES_AND_TEXTS = replace(_SQUARES, read=_place_or_text)
"""Squares and entries, and what they may hold: one list of words on a line."""


def read_letters(text: str, session: Session | None) -> list[Content]:
    """Each letter or digit of a text as a content; raises PuzzleError for other characters."""
    return [Content.of(letter) for letter in _plain(text, session)]


def _plain(text: str, session: Session | None) -> str:
    try:
        return spelled(text, session)
    except WordListError as error:
        raise PuzzleError(str(error)) from error


@parameter_kind("message", listed_offers, reads_letters=True)
def MESSAGE(text: str, session: Session) -> str:
    """A word of a message in capitals, a square of several letters in brackets: `SWEET[HEART]`."""
    return normalise_answer(checked_letters(text), alphabet_of(session)).replace(" ", "")


def _letter_set(text: str, session: Session) -> str:
    """The letters in capitals, each once, or `off`; `on` is all letters of an alphabet that is not English."""
    alphabet = alphabet_of(session)
    if text.lower() == "on" and alphabet != ENGLISH:
        return alphabet.symbols.removesuffix(DIGITS)
    if text.lower() in ("on", OFF):
        return text.lower()
    return "".join(dict.fromkeys(_plain(text, session)))


def _tags(session: Session, beginning: str) -> list[Item]:
    lexicon = session.jobs.words.lexicon
    return offered(lexicon.tags if lexicon is not None else (), beginning)


def _word_group(text: str, session: Session) -> frozenset[str]:
    """Words that count as one stem, with spaces between them; raises PuzzleError for a single one."""
    words = frozenset(_plain(word, session) for word in text.split())
    if len(words) < 2:
        raise PuzzleError('a group has two or more words in quotes: "DATA DATUM"')
    return words


_LIST = list_kind()


def _own_list(text: str, session: Session) -> str:
    """A word list, by its full path unless it lies beside the puzzle; an empty text for the puzzle's own."""
    return kept_paths(session, (_LIST.read(text, session),))[0] if text else ""


def _letter(text: str, session: Session) -> str:
    letter = _plain(text, session)
    if len(letter) != 1:
        raise PuzzleError(f"{printable(text, 30)!r} is not a single letter")
    return letter


def _treatment(text: str, session: Session) -> Entering | str:
    """How answers are entered, by its name, or `off`; raises PuzzleError for another word."""
    found = {each.value: each for each in Entering}.get(text.lower())
    if found is None and not is_off(text):
        known = listed([each.value for each in Entering], "and")
        raise PuzzleError(f"{printable(text, 30)!r} is unknown; use {known}")
    return found or OFF


def _light(text: str, session: Session) -> SlotKey | Direction | str:
    """Entries: `all`, `across`, `down`, `17A` by its first square and direction; `off`; or letters in capitals."""
    if text.lower() in (ALL, OFF):
        return text.lower()
    for direction in Direction:
        if text.lower() == direction.word:
            return direction
    if re.fullmatch(r"\d+[AaDd]", text):
        slot = session.puzzle.grid.slot(text)
        return slot.start, slot.direction
    return _plain(text, session)


_PLACES = squares_kind(OFF)


def _area(text: str, session: Session) -> Place:
    """An area of the open squares that are named, or `off`; raises PuzzleError where it has none."""
    place = _PLACES.read(text, session)
    return OFF if place == OFF else Area(place_name(place), squares_of(session, place))


_WAYS = tuple(direction.word for direction in Direction)


def _side(text: str, session: Session) -> Direction | str:
    sides: dict[str, Direction | str] = {BOTH: BOTH, **{way.word: way for way in Direction}}
    if text.lower() not in sides:
        raise PuzzleError(f"{printable(text, 30)!r} is not across, down or both")
    return sides[text.lower()]


REGULAR_EXPRESSION = ParameterKind("pattern", lambda text, session: capital(text))
"""A regular expression for a whole answer; the rule's edit checks it."""
_KINDS: Mapping[Reads, ParameterKind[Any]] = MappingProxyType(
    {
        Reads.OFF: JUST_OFF,
        Reads.SWITCH: ParameterKind("switch", _switch, _ON_OFF),
        Reads.SCORE: SCORE,
        Reads.LIST: replace(_LIST, read=_own_list),
        Reads.PATTERN: REGULAR_EXPRESSION,
        Reads.PARTS: ParameterKind("letters", _parts, reads_letters=True),
        Reads.LETTER: ParameterKind("letter", _letter, reads_letters=True),
        Reads.WORD: or_off(WORD),
        Reads.MESSAGE: or_off(MESSAGE),
        Reads.WORD_GROUP: ParameterKind("words", _word_group, last_word_offers, reads_letters=True),
        Reads.CONTENT: or_off(ParameterKind("content", content_of, reads_letters=True)),
        Reads.LETTERS: ParameterKind("letters", _letter_set, _ON_OFF, reads_letters=True),
        Reads.TAG: ParameterKind("tag", lambda text, session: text.lower(), _tags),
        Reads.RANGE: SQUARE_RANGE,
        Reads.TREATMENT: ParameterKind("how", _treatment, among([*(each.value for each in Entering), OFF])),
        Reads.LIGHT: ParameterKind("entries", _light, among([ALL, *_WAYS, OFF]), takes_commas=True),
        Reads.SQUARES: replace(_PLACES, read=_area),
        Reads.SIDE: ParameterKind("side", _side, among([*_WAYS, BOTH])),
        Reads.SPELLED: ParameterKind("letters", _plain, listed_offers, reads_letters=True),
    }
)


def _kind_of(value: Value) -> ParameterKind[Any]:
    """How a value of a rule is read; numbers have bounds of their own."""
    if value.reads is Reads.NUMBER_OR_OFF:
        return or_off(number_kind(value.low, value.high))
    return number_kind(value.low, value.high) if value.reads is Reads.NUMBER else _KINDS[value.reads]


def click_argument(argument: Argument) -> click.Argument:
    """An argument of a verb as a rule declares it."""
    kind = _kind_of(argument.value)
    return click.Argument(
        [argument.name], type=kind, required=False, nargs=-1 if argument.many else 1, help=argument.help
    )


def click_option(option: RuleOption, unsaid: object = None) -> click.Option:
    """The same for an option; `unsaid` is its value where a line does not have it."""
    names = [option.flag, option.called]
    if not option.values:
        return click.Option(names, is_flag=True, help=option.help)
    kinds = [_kind_of(value) for value in option.values]
    return click.Option(
        names,
        type=kinds[0] if len(kinds) == 1 else click.Tuple(kinds),
        help=option.help,
        metavar=option.metavar or None,
        **({"multiple": True} if option.many else {"default": unsaid}),
    )

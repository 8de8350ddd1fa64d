"""From a line of text to the words that a verb's command parses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import click

from xwtui.session.verbs.types import HERE, PLACE_LIKE, PlaceType, VerbType
from xwtui.session.verbs.verb import Verb, names_of

_WORD = re.compile(r"""("(?P<double>[^"]*)"|'(?P<single>[^']*)'|(?P<bare>\S+))(?=\s|$)|(?P<odd>\S+)""")


class Word(NamedTuple):
    """A word of a line, without its quotes, and where it begins and ends there."""

    text: str
    start: int
    end: int


def words_of(line: str) -> list[Word]:
    """Cut a line at its spaces; quotes around a word keep spaces in it, quotes elsewhere are characters."""
    return [
        Word(
            next(group for group in match.group("double", "single", "bare", "odd") if group is not None),
            *match.span(),
        )
        for match in _WORD.finditer(line)
    ]


def verb_words(verb: Verb, line: str, words: list[Word]) -> list[Word]:
    """The words after the verb's name as its command takes them.

    Where the verb's last argument is the rest of the line, that stays as it was typed; where its
    first argument is a place and the first word is none, the place is its default, such as the cursor's.
    """
    given = words[verb.words :]
    arguments = verb.arguments
    if not arguments:
        return given
    options = {name for option in verb.options for name in names_of(option)}
    flags: list[Word] = []
    takes_rest = takes_rest_of_line(arguments[-1])
    while takes_rest and given and given[0].text in options:
        flags.append(given.pop(0))
    if len(arguments) > 1 and _is_place_left_out(verb, given):
        at = given[0].start if given else len(line)
        default = arguments[0].default
        given.insert(0, Word(default if isinstance(default, str) else HERE, at, at))
    if not takes_rest:
        return flags + given
    before = len(arguments) - 1
    head, tail = given[:before], given[before:]
    rest = [Word(line[tail[0].start :].strip(), tail[0].start, len(line))] if tail else []
    return [*flags, Word("--", 0, 0), *head, *rest]


def takes_rest_of_line(argument: click.Argument) -> bool:
    """Whether an argument is all that is left of a line, spaces and all."""
    return isinstance(argument.type, VerbType) and argument.type.takes_rest


def _is_place_left_out(verb: Verb, given: list[Word]) -> bool:
    if not isinstance(verb.arguments[0].type, PlaceType):
        return False
    first = next(_plain_words(verb, given), None)
    return first is not None and PLACE_LIKE.fullmatch(first.text) is None


def _plain_words(verb: Verb, given: list[Word]) -> Iterator[Word]:
    """The words that are neither options nor their values."""
    options = {name: option for option in verb.options for name in names_of(option)}
    words = iter(given)
    for word in words:
        option = options.get(word.text)
        if option is None:
            yield word
        elif not option.is_flag:
            for _ in range(option.nargs):
                next(words, None)

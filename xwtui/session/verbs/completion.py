"""Completion of lines: verbs, options, entries, files, words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import click
from click.shell_completion import CompletionItem

from xwtui.errors import VerbError, XwtuiError
from xwtui.lazy import lazy_imports, lazy_pattern
from xwtui.session.verbs.kinds import ANSWER, WORD, Item, listed_offers, offered, place_forms, word_offers
from xwtui.session.verbs.parsing import Word, find_verb_of, name_joined, parted, takes_rest_of_line, words_of
from xwtui.session.verbs.registry import MAIN_SET, VERBS
from xwtui.session.verbs.verb import Group, Verb, names_of
from xwtui.text import printable

with lazy_imports():
    from xwtui.session.session import Session

MOST_OFFERS = 200

_PLACE_BEGINNING = lazy_pattern(r"\d+[A-Za-z]?|r\d+(c\d*)?|here|\.", re.IGNORECASE)
"""The beginning of an entry's or square's name."""


class Completion(NamedTuple):
    """A completion: the text to insert at `start` in the line, with a description."""

    text: str
    description: str
    start: int


def complete(session: Session, line: str) -> Sequence[Completion]:
    """Return completions for a line, which is cut off at the cursor; never raises."""
    session.jobs.words.prepare_completion()
    words = words_of(line)
    is_new = not line or line[-1].isspace()
    current = Word("", len(line), len(line)) if is_new or not words else words.pop()
    if not words:
        matching = [one for one in VERBS.values() if one.name.startswith(current.text.lower())]
        found = matching if current.text else MAIN_SET
        return [Completion(one.name, one.summary, current.start) for one in found]
    try:
        verb = find_verb_of([word.text for word in words])
    except VerbError:
        return []
    start, is_second = f"{words[0].text} {current.text}".lower(), len(words) == 1
    verbs = [one for one in VERBS.values() if is_second and one.name.startswith(start)]
    longer = [CompletionItem(one.name.split()[1], help=one.summary) for one in verbs]
    *before, current = name_joined(verb, line, [*words[verb.words :], current])
    offers = [*longer, *_offers(session, verb, before, current.text)]
    return [Completion(_quoted(one.value), printable(one.help or ""), current.start) for one in offers]


def _offers(session: Session, verb: Verb, before: list[Word], beginning: str) -> list[Item]:
    if beginning.startswith("-"):
        return offered(
            {name: option.help or "" for option in verb.options for name in names_of(option)}, beginning
        )
    param, given = _parameter(verb, before, beginning)
    if param is None:
        return []
    try:
        if param.type is ANSWER:
            return _answers(session, verb, given, beginning)
        if param.type is WORD and given and (fitting := _answers(session, verb, given, beginning)):
            return fitting
        with click.Context(verb.command, obj=session) as context:
            return param.type.shell_complete(context, param, beginning)[:MOST_OFFERS]
    except (XwtuiError, OSError):
        return []


def _parameter(verb: Verb, before: list[Word], beginning: str) -> tuple[click.Parameter | None, list[Word]]:
    """Return the parameter for the word at the cursor, and the arguments before it."""
    plain, waiting = parted(verb, before)
    given = [word for word in plain if not word.text.startswith("-")]
    if waiting is not None:
        return waiting, given
    arguments = verb.arguments
    number = len(given) + _is_place_left_out(arguments, given, beginning)
    if number < len(arguments):
        return arguments[number], given
    is_open_ended = bool(arguments) and (arguments[-1].nargs < 0 or arguments[-1].type is ANSWER)
    return (arguments[-1] if is_open_ended else None), given


def _is_place_left_out(arguments: Sequence[click.Argument], given: list[Word], beginning: str) -> bool:
    if len(arguments) < 2 or place_forms(arguments[0]) is None:
        return False
    first = given[0].text if given else beginning
    is_rest = takes_rest_of_line(arguments[-1])
    return bool(first) and is_rest and _PLACE_BEGINNING.fullmatch(first) is None


def _answers(session: Session, verb: Verb, given: list[Word], beginning: str) -> list[Item]:
    """Complete words for the named or current entry; for a square, which may take a rebus, any listed word.

    While test-solving, the words fit the solver's letters.
    """
    grid = session.document.solving.attempt.grid if verb.group is Group.SOLVE else session.puzzle.grid
    slot = grid.slots_by_name.get(given[0].text.upper()) if given else session.cursor.slot
    if slot is not None:
        return word_offers(session, grid.entry_of(slot), beginning, grid)
    return listed_offers(session, beginning) if given else []


def _quoted(text: str) -> str:
    return f'"{text}"' if " " in text and '"' not in text else text

"""The verbs for rules of entries, squares and the whole grid, and the parsing of their arguments."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import click

from xwtui.errors import PuzzleError, WordListError, failing_as
from xwtui.lazy import lazy_imports
from xwtui.model import Content, Direction, EntryRules, Position, Slot, SlotKey, edits
from xwtui.model.alphabet import ENGLISH
from xwtui.model.answers import pieces
from xwtui.model.entering import Entering
from xwtui.model.letters import DIGITS
from xwtui.model.review import rule_lines
from xwtui.model.rules import NO_ENTRY_RULES, Rules
from xwtui.model.rules.base import EntryRule
from xwtui.model.rules.collection import RuleVerb
from xwtui.model.rules.entry_rules import contents_words
from xwtui.model.rules.grammar import ALL, BOTH, OFF, Argument, Reads, RuleOption, Value, is_off
from xwtui.model.rules.registry import ENTRY_KINDS, VERBS
from xwtui.model.selection import Area
from xwtui.session.verbs import kinds
from xwtui.session.verbs.verb import Answer, Group, argument, verbs_of
from xwtui.session.verbs.word_choice import SCORE, kept_paths, list_kind
from xwtui.text import first_named, listed, printable
from xwtui.words.normalise import normalise

with lazy_imports():
    from xwtui.session.session import Session
    from xwtui.words.rule_findings import rule_notes


@kinds.parameter_kind("off", kinds.among([OFF]))
def JUST_OFF(text: str, session: Session) -> str:
    """`off`, which removes a rule."""
    if not is_off(text):
        raise PuzzleError(f"{printable(text, 30)!r} is not `off`, which removes the rule")
    return OFF


_ON_OFF = kinds.among(["on", OFF])


def _switch(text: str, session: Session) -> bool:
    if text.lower() not in ("on", OFF):
        raise PuzzleError(f"{printable(text, 30)!r} is neither `on` nor `off`")
    return not is_off(text)


def or_off(kind: kinds.ParameterKind[Any]) -> kinds.ParameterKind[Any]:
    """Return a kind that also accepts `off`."""
    return replace(kind, read=lambda text, session: OFF if is_off(text) else kind.read(text, session))


def _parts(text: str, session: Session) -> tuple[str, ...]:
    """Parse one or more strings of adjacent letters, separated by commas; an empty text removes the rule."""
    parts = kinds.checked_letters(text).split(",")
    return tuple(normalise(part, kinds.alphabet_of(session)) for part in parts if part.strip())


_SQUARES = kinds.squares_kind()


def _place_or_text(text: str, session: Session) -> kinds.Place:
    assert _SQUARES.place is not None
    return _SQUARES.read(text, session) if _SQUARES.place.is_meant(text) else text


SQUARES_AND_TEXTS = replace(_SQUARES, read=_place_or_text)
"""Squares and entries together with their allowed contents, in one list of words."""


def _plain(text: str, session: Session | None) -> str:
    """Return the letters and digits of a text; raises PuzzleError for other characters."""
    with failing_as(PuzzleError, of=WordListError):
        return kinds.spelled(text, session)


def _letter_set(text: str, session: Session) -> str:
    """Return the letters, each once, or `off`; `on` stands for all letters of a non-English alphabet."""
    alphabet = kinds.alphabet_of(session)
    if text.lower() == "on" and alphabet != ENGLISH:
        return alphabet.symbols.removesuffix(DIGITS)
    if text.lower() in ("on", OFF):
        return text.lower()
    return "".join(dict.fromkeys(_plain(text, session)))


def _tags(session: Session, beginning: str) -> list[kinds.Item]:
    lexicon = session.jobs.words.lexicon
    return kinds.offered(lexicon.tags if lexicon is not None else (), beginning)


def _word_group(text: str, session: Session) -> frozenset[str]:
    """Parse words that count as one stem, separated by spaces; raises PuzzleError for a single word."""
    words = frozenset(_plain(word, session) for word in text.split())
    if len(words) < 2:
        raise PuzzleError('a group has two or more words in quotes: "DATA DATUM"')
    return words


_LIST = list_kind()


def _own_list(text: str, session: Session) -> str:
    """Parse a word list: its full path unless it is next to the puzzle; an empty text for the puzzle's own."""
    return kept_paths(session, (_LIST.read(text, session),))[0] if text else ""


def _letter(text: str, session: Session) -> str:
    letter = _plain(text, session)
    if len(letter) != 1:
        raise PuzzleError(f"{printable(text, 30)!r} is not a single letter")
    return letter


def _treatment(text: str, session: Session) -> Entering | str:
    """Parse the way in which answers are entered, or `off`; raises PuzzleError for other words."""
    found = {each.value: each for each in Entering}.get(text.lower())
    if found is None and not is_off(text):
        known = listed([each.value for each in Entering], "and")
        raise PuzzleError(f"{printable(text, 30)!r} is unknown; use {known}")
    return found or OFF


def _light(text: str, session: Session) -> SlotKey | Direction | str:
    """Parse entries: `all`, `across`, `down`, `17A` (as first square and direction); `off`; or letters."""
    if text.lower() in (ALL, OFF):
        return text.lower()
    for direction in Direction:
        if text.lower() == direction.word:
            return direction
    if re.fullmatch(r"\d+[AaDd]", text):
        slot = session.puzzle.grid.slot(text)
        return slot.start, slot.direction
    return _plain(text, session)


_PLACES = kinds.squares_kind(OFF)


def _area(text: str, session: Session) -> kinds.Place:
    """Parse squares as an area of open squares, or `off`; raises PuzzleError if the area is empty."""
    place = _PLACES.read(text, session)
    return OFF if place == OFF else Area(kinds.place_name(place), kinds.squares_of(session, place))


_WAYS = tuple(direction.word for direction in Direction)


def _side(text: str, session: Session) -> Direction | str:
    sides: dict[str, Direction | str] = {BOTH: BOTH, **{way.word: way for way in Direction}}
    if text.lower() not in sides:
        raise PuzzleError(f"{printable(text, 30)!r} is not across, down or both")
    return sides[text.lower()]


_KINDS: Mapping[Reads, kinds.ParameterKind[Any]] = MappingProxyType(
    {
        Reads.OFF: JUST_OFF,
        Reads.SWITCH: kinds.ParameterKind("switch", _switch, _ON_OFF),
        Reads.SCORE: SCORE,
        Reads.LIST: replace(_LIST, read=_own_list),
        Reads.PATTERN: kinds.REGULAR_EXPRESSION,
        Reads.PARTS: kinds.ParameterKind("letters", _parts, reads_letters=True),
        Reads.LETTER: kinds.ParameterKind("letter", _letter, reads_letters=True),
        Reads.WORD: or_off(kinds.WORD),
        Reads.MESSAGE: or_off(kinds.MESSAGE),
        Reads.WORD_GROUP: kinds.ParameterKind("words", _word_group, kinds.last_word_offers, reads_letters=True),
        Reads.CONTENT: or_off(kinds.ParameterKind("content", kinds.content_of, reads_letters=True)),
        Reads.LETTERS: kinds.ParameterKind("letters", _letter_set, _ON_OFF, reads_letters=True),
        Reads.TAG: kinds.ParameterKind("tag", lambda text, session: text.lower(), _tags),
        Reads.RANGE: kinds.SQUARE_RANGE,
        Reads.TREATMENT: kinds.ParameterKind(
            "how", _treatment, kinds.among([*(each.value for each in Entering), OFF])
        ),
        Reads.LIGHT: kinds.ParameterKind("entries", _light, kinds.among([ALL, *_WAYS, OFF]), takes_commas=True),
        Reads.SQUARES: replace(_PLACES, read=_area),
        Reads.SIDE: kinds.ParameterKind("side", _side, kinds.among([*_WAYS, BOTH])),
        Reads.SPELLED: kinds.ParameterKind("letters", _plain, kinds.listed_offers, reads_letters=True),
    }
)


def _kind_of(value: Value) -> kinds.ParameterKind[Any]:
    """Return the kind that parses a rule's value; numbers have their own bounds."""
    if value.reads is Reads.NUMBER_OR_OFF:
        return or_off(kinds.number_kind(value.low, value.high))
    return kinds.number_kind(value.low, value.high) if value.reads is Reads.NUMBER else _KINDS[value.reads]


def click_argument(argument: Argument) -> click.Argument:
    """Create the click argument that a rule declares."""
    kind = _kind_of(argument.value)
    return click.Argument(
        [argument.name], type=kind, required=False, nargs=-1 if argument.many else 1, help=argument.help
    )


def click_option(option: RuleOption, unsaid: object = None) -> click.Option:
    """Create the click option that a rule declares; `unsaid` is its value if a line omits it."""
    names = [option.flag, option.called]
    if not option.values:
        return click.Option(names, is_flag=True, help=option.help)
    types = [_kind_of(value) for value in option.values]
    return click.Option(
        names,
        type=types[0] if len(types) == 1 else click.Tuple(types),
        help=option.help,
        metavar=option.metavar or None,
        **({"multiple": True} if option.many else {"default": unsaid}),
    )


verb = verbs_of(Group.RULES)

_UNSAID: Any = object()


@verb(
    *(example for kind in ENTRY_KINDS for example in kind.examples),
    "rule 17A off",
    more=[click_option(kind.option, _UNSAID) for kind in ENTRY_KINDS],
)
def rule(
    session: Session,
    entry: Slot | None = argument("the entry (default: the current one)", kinds.ENTRY),
    off: str | None = argument("`off` removes the entry's rules", JUST_OFF),
    **line: Any,
) -> Answer:
    """Set or show the rules for an entry's answer.

    Each option replaces its own part of the rule and leaves the rest; "" removes a part. Entries complete in pen
    are exempt.
    """
    given = {kind: value for kind in ENTRY_KINDS if (value := line[kind.option.called]) not in (_UNSAID, ())}
    if entry is None and given and not off and any(kind.asks_every for kind in given):
        return _rule_of_every(session, given)
    slot: Slot = kinds.ENTRY.read(kinds.HERE, session) if entry is None else entry
    before = edits.entry_rules(session.puzzle, slot)
    after = NO_ENTRY_RULES if off else _changed(before, given)
    if after != before:
        session.edit(f"rule {slot.name}", lambda puzzle: edits.with_entry_rules(puzzle, slot, after))
    return f"{slot.name}: {after.words or 'no rule of its own'}"


def _rule_of_every(session: Session, given: Mapping[type[EntryRule], Any]) -> Answer:
    if single := [kind.option.flag for kind in given if not kind.asks_every]:
        every = [kind.option.flag for kind in given if kind.asks_every]
        raise PuzzleError(
            f"{listed(every, 'and')} without an entry is for every answer, and {listed(single, 'and')} is not; "
            "name an entry, such as `here`, or set them one by one"
        )
    before = session.puzzle.rules
    after = _changed(before.every, given)
    if after != before.every:
        rules = replace(before, every=after)
        session.edit("rule for every answer", lambda puzzle: edits.with_rules(puzzle, rules))
    return f"every answer: {after.words or 'no rule'}"


def _changed(rules: EntryRules, given: Mapping[type[EntryRule], Any]) -> EntryRules:
    for kind, value in given.items():
        rules = rules.with_all(kind, kind.said(value, rules.of(kind)))
    return rules


def _squares_and(texts: str) -> Any:
    return argument(f"squares or entries (default: the current square), then {texts} or `off`", SQUARES_AND_TEXTS)


@verb("letters r3c5 AEIOU", "letters 17A AEIOU", "letters r3c5 off")
def letters(session: Session, words: tuple[kinds.Place, ...] = _squares_and("letters")) -> Answer:
    """Show or limit the letters a square may take.

    A digraph of the alphabet is in brackets: `letters r3c5 A[CH]`.
    """

    def read(text: str) -> Iterable[Content]:
        return pieces(text) if "[" in text else map(Content.of, _plain(text, session))

    return _restrict(session, "letters", words, read)


@verb("may r3c5 HEART E A", "may r3c5 X/TIMES", "may r3c5 off")
def may(session: Session, words: tuple[kinds.Place, ...] = _squares_and("contents")) -> Answer:
    """Limit a square to certain letters or rebus contents."""
    return _restrict(session, "may", words, lambda text: [kinds.content_of(text, session)])


def _restrict(
    session: Session, label: str, words: tuple[kinds.Place, ...], read: Callable[[str], Iterable[Content]]
) -> list[str]:
    """Restrict squares (by default the current one) to the texts after them, if any, and return their rules."""
    squares: list[Position] = []
    texts: list[str] = []
    for word in words:
        if isinstance(word, str) and word != kinds.SELECTION:
            texts.append(word)
        elif texts:
            raise PuzzleError("name the squares first, then what they may hold")
        else:
            squares += kinds.squares_of(session, word)
    squares = squares or [session.cursor.position]
    if texts:
        contents = [] if len(texts) == 1 and is_off(texts[0]) else [one for text in texts for one in read(text)]
        session.edit(
            f"{label} {squares[0]}", lambda puzzle: edits.with_allowed_contents(puzzle, squares, contents)
        )
    allowed = session.puzzle.rules.squares
    by_rule: dict[str, list[str]] = {}
    for at in squares:
        by_rule.setdefault(contents_words(allowed[at]) if at in allowed else "any letter", []).append(str(at))
    return [f"{first_named(names)}: {rule}" for rule, names in by_rule.items()]


def _declare(spoken: RuleVerb) -> None:
    """Declare the verb for some kinds of rules: a line edits the rules; without arguments it lists them."""

    def function(session: Session, **line: Any) -> Answer:
        edited = spoken.edit(session.puzzle.rules, line)
        if edited is not None:
            session.edit(edited.label, lambda puzzle: edits.with_rules(puzzle, edited.rules))
        return _shown(session, spoken)

    function.__doc__ = spoken.help
    more = [*map(click_argument, spoken.arguments), *map(click_option, spoken.options)]
    verb(*spoken.examples, name=spoken.name, keywords=", ".join(spoken.keywords), more=more)(function)


def _shown(session: Session, spoken: RuleVerb) -> list[str]:
    """Return the rules of a verb's kinds, or that there are none, with notes about problems."""
    puzzle, lexicon = session.puzzle, session.jobs.words.lexicon
    lines = [line for rule in puzzle.rules.grid if isinstance(rule, spoken.kinds) for line in rule.lines()]
    if lexicon is None or not lines:
        return lines or [spoken.nothing]
    return [*lines, *rule_notes(puzzle, lexicon, spoken.kinds)]


for _spoken in VERBS:
    _declare(_spoken)


@verb("rules", "rules off")
def rules(session: Session, off: str | None = argument("`off` removes all rules", JUST_OFF)) -> Answer:
    """List all rules in force."""
    if off:
        session.edit("rules off", lambda puzzle: edits.with_rules(puzzle, Rules()))
    return rule_lines(session.puzzle) or [
        "no rules: answers are in the word list and differ, and fills avoid repeats where possible"
    ]

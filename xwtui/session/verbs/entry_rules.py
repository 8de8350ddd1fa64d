"""The verbs for the rules of single entries and squares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any

import click

from xwtui.errors import PuzzleError
from xwtui.model import Content, EntryRule, Position, Slot, rule_edits
from xwtui.model.rule_words import contents_words, entry_words
from xwtui.session.verbs.rule_types import (
    OffType,
    PartsType,
    PatternType,
    Rest,
    RestType,
    is_off,
    read_letters,
)
from xwtui.session.verbs.types import HERE, Place, PlaceType
from xwtui.session.verbs.verb import Answer, Group, verb
from xwtui.session.verbs.word_choice import ListType, ScoreType, kept_paths
from xwtui.text import first_named

if TYPE_CHECKING:
    from xwtui.session.session import Session

_UNSAID: Any = object()
_SQUARES_FIRST = "squares or entries, else the current square, and then"


class OwnListType(ListType):
    """A word list, or an empty text for the puzzle's own."""

    def read(self, text: str, session: Session) -> str:
        """The list's name; raises WordListError where there is none."""
        return super().read(text, session) if text else ""


@verb(
    Group.RULES,
    examples=(
        "rule 17A --min 60 --match .*ING",
        "rule 17A --list default",
        "rule 17A --lacks A,E,I,O",
        "rule 17A --bar OBOE",
        "rule 17A off",
    ),
)
@click.argument("entry", type=PlaceType(squares=False), default=HERE, help="entry; without it, the current one")
@click.argument("off", type=OffType(), required=False, help="`off` takes the entry's rule away")
@click.option(
    "--min", "minimum_score", type=ScoreType(), default=_UNSAID, help="its lowest score; `none`: the puzzle's"
)
@click.option("--list", "word_list", type=OwnListType(), help='its own word list; "": the puzzle\'s')
@click.option("--match", "pattern", type=PatternType(), help="a regular expression for the whole answer: .*ING")
@click.option("--contains", type=PartsType(), multiple=True, help="letters in a row that it has: ING, or Q,Z")
@click.option(
    "--lacks",
    type=PartsType(),
    multiple=True,
    help="letters that it has nowhere: A,E,I,O (with commas: none of them), ING (without: not in a row)",
)
@click.option(
    "--bar",
    "barred",
    type=PartsType(),
    metavar="WORDS",
    multiple=True,
    help="answers that it must not be: OBOE,TUBA",
)
def rule(session: Session, entry: Place, off: str | None, **asked: Any) -> Answer:
    """Say what the answer of an entry must obey, or show it.

    Each option replaces its own part of the rule, and the rest of the rule stays; "" takes a part away. An
    entry that is given whole in pen is not asked.
    """
    assert isinstance(entry, Slot)
    before = rule_edits.entry_rule(session.puzzle, entry)
    after = EntryRule() if off else replace(before, **_parts(session, **asked))
    if after != before:
        session.edit(f"rule {entry.name}", lambda puzzle: rule_edits.with_entry_rule(puzzle, entry, after))
    return f"{entry.name}: {entry_words(after) or 'no rule of its own'}"


def _parts(
    session: Session,
    minimum_score: int | None,
    word_list: str | None,
    pattern: str | None,
    **strings: tuple[tuple[str, ...], ...],
) -> dict[str, Any]:
    """The parts of a rule that a line names."""
    parts: dict[str, Any] = {}
    if minimum_score is not _UNSAID:
        parts["minimum_score"] = minimum_score
    if word_list is not None:
        parts["word_list"] = kept_paths(session, (word_list,))[0] if word_list else ""
    if pattern is not None:
        parts["pattern"] = pattern
    for name, named in strings.items():
        if named:
            parts[name] = tuple(dict.fromkeys(chain.from_iterable(named)))
    return parts


@verb(Group.RULES, examples=("letters r3c5 AEIOU", "letters 17A AEIOU", "letters r3c5 off"))
@click.argument(
    "words", type=RestType(), nargs=-1, help="squares or entries (else the current square), then letters or `off`"
)
def letters(session: Session, words: tuple[Rest, ...]) -> Answer:
    """Say which letters a square may take, or show that."""
    squares, texts = _squares_and_texts(session, words)
    contents = [] if _is_off(texts) else [content for text in texts for content in read_letters(text)]
    return _restrict(session, "letters", squares, texts, contents)


@verb(Group.RULES, examples=("may r3c5 HEART E A", "may r3c5 X/TIMES", "may r3c5 off"))
@click.argument(
    "words", type=RestType(), nargs=-1, help="squares or entries (else the current square), then contents or `off`"
)
def may(session: Session, words: tuple[Rest, ...]) -> Answer:
    """Say what a square may hold, rebus or letter, or show that."""
    squares, texts = _squares_and_texts(session, words)
    contents = [] if _is_off(texts) else [Content.parse(text) for text in texts]
    return _restrict(session, "may", squares, texts, contents)


def _is_off(texts: Sequence[str]) -> bool:
    return len(texts) == 1 and is_off(texts[0])


def _squares_and_texts(session: Session, words: tuple[Rest, ...]) -> tuple[list[Position], list[str]]:
    """The squares that a line names, or the current one, and the texts after them."""
    squares: list[Position] = []
    texts: list[str] = []
    for word in words:
        if isinstance(word, str):
            texts.append(word)
        elif texts:
            raise PuzzleError("name the squares first, and then what they may hold")
        else:
            squares += word.positions if isinstance(word, Slot) else [word]
    return squares or [session.cursor.position], texts


def _restrict(
    session: Session, label: str, squares: list[Position], texts: list[str], contents: list[Content]
) -> list[str]:
    """Restrict squares where a line says to what, and tell how it stands with them."""
    if texts:
        session.edit(
            f"{label} {squares[0]}", lambda puzzle: rule_edits.with_allowed_contents(puzzle, squares, contents)
        )
    allowed = session.puzzle.rules.squares
    by_rule: dict[str, list[str]] = {}
    for at in squares:
        by_rule.setdefault(contents_words(allowed[at]) if at in allowed else "any letter", []).append(str(at))
    return [f"{first_named(names)}: {words}" for words, names in by_rule.items()]

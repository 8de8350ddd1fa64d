"""The verbs for enumerations: how many letters each word of an answer has."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from xwtui.errors import VerbError
from xwtui.model import Slot
from xwtui.session.verbs.finding import words_soon
from xwtui.session.verbs.types import HERE, Place, PlaceType, RestOfLine
from xwtui.session.verbs.verb import Answer, FromShell, Group, Needs, Writes, answered, verb

if TYPE_CHECKING:
    from xwtui.session.session import Session
    from xwtui.words.lexicon import Lexicon

_KEPT = FromShell(writes=Writes.PUZZLE, needs=Needs.WORDS, is_lost_unwritten=True)


@verb(
    Group.CLUES,
    examples=("enumeration 17A 3,5", "enumeration 17A", "enumeration --take 17A", "enumeration --clear 17A"),
    from_shell=_KEPT,
    keywords=("word lengths", "word breaks", "hyphens", "letter count"),
)
@click.argument("entry", type=PlaceType(squares=False), default=HERE, help="entry; without it, the current one")
@click.argument(
    "numbers", type=RestOfLine(), required=False, help="3,4 or 2'1 or 4-2-3; without them, they are shown"
)
@click.option("--take", is_flag=True, help="take the first that is suggested")
@click.option("--clear", is_flag=True, help="remove it")
def enumeration(session: Session, entry: Place, numbers: str | None, take: bool, clear: bool) -> Answer:
    """Say how many letters each word of an entry's answer has, or show it with what is suggested.

    It belongs to the answer, as its clue does. Suggested is how word lists write the answer, with blanks, hyphens
    and apostrophes, then how WordNet does. In ipuz and JPZ it has a field of its own, elsewhere it stands behind
    the clue.
    """
    from xwtui.model.enumeration import AnswerEnumeration
    from xwtui.session.enumeration_answer import EnumerationsAnswer, checked, told_of

    assert isinstance(entry, Slot)
    if sum((take, clear, bool(numbers))) > 1:
        raise VerbError("enumeration: say numbers, --take or --clear, one of them")
    if take:
        suggested = told_of(session.puzzle, entry, _words(session)).suggested
        if not suggested:
            raise VerbError(f"nothing is suggested for {entry.name}: neither word lists nor WordNet write it")
        told: AnswerEnumeration | None = suggested[0].enumeration
    else:
        told = checked(session.puzzle, entry, AnswerEnumeration.parse(numbers)) if numbers else None
    if take or clear or numbers:
        label = f"enumeration {entry.name}"
        session.edit(label, lambda puzzle: puzzle.with_enumeration(entry, told))
    shown = told_of(session.puzzle, entry, None if take or clear or numbers else words_soon(session))
    return answered(EnumerationsAnswer(session.puzzle, (shown,)))


@verb(Group.CLUES, examples=("enumerations",), from_shell=FromShell(needs=Needs.WORDS))
def enumerations(session: Session) -> Answer:
    """List all entries with their enumerations, and what is suggested for them."""
    from xwtui.session.enumeration_answer import EnumerationsAnswer, told_of

    puzzle, lexicon = session.puzzle, words_soon(session)
    return answered(
        EnumerationsAnswer(puzzle, tuple(told_of(puzzle, slot, lexicon) for slot in puzzle.grid.entries))
    )


@verb(Group.CLUES, name="enumerate", examples=("enumerate",), from_shell=_KEPT)
def enumerate_(session: Session) -> Answer:
    """Give every answer that has none an enumeration, as one edit.

    It is the one that its clue ends in, or the first that is suggested. An answer that nobody is known to write is
    guessed to be one word, and named; one of more than eight letters is named and left without.
    """
    from xwtui.session.enumeration_answer import with_all_taken

    taken = with_all_taken(session.puzzle, _words(session))
    session.edit("enumerate", lambda _: taken.puzzle)
    return answered(taken)


def _words(session: Session) -> Lexicon:
    """The words, without which nobody knows how lists write an answer; raises VerbError while they are loaded."""
    lexicon = words_soon(session)
    if lexicon is None:
        raise VerbError("the words are still being loaded, and with them how they are written")
    return lexicon

"""The verb for the letters of a puzzle."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from xwtui.model import edits
from xwtui.model.alphabet import Alphabet
from xwtui.session.foreign_letters import foreign_words
from xwtui.session.verbs.alphabet_types import AlphabetType, alphabet_told, told_of
from xwtui.session.verbs.verb import Answer, Group, verb
from xwtui.words.alphabets import alphabet_names

if TYPE_CHECKING:
    from xwtui.session.session import Session


@verb(
    Group.GRID,
    examples=("alphabet swedish", "alphabet spanish-ch-ll", "alphabet"),
    keywords=(
        "language",
        "letters",
        "accents",
        "diacritics",
        "umlaut",
        "digraph",
        "accent",
        "special letters",
        "foreign letters",
    ),
)
@click.argument("name", type=AlphabetType(), required=False, help="swedish, german, …; without it, all are shown")
def alphabet(session: Session, name: Alphabet | None) -> Answer:
    """Choose the letters of the puzzle, or show which alphabets there are.

    Words of lists, answers and patterns are read in it, as they are typed: a letter that it lacks is written as
    is usual in its language, or without its accent, and that is said. Some have letters of two characters in one
    square, such as IJ. Alphabets of your own are files in the folder `alphabets` of your settings.
    """
    if name is None:
        return [f"alphabet: {alphabet_told(session.puzzle.alphabet)}", "", *_all_lines()]
    session.edit(f"alphabet {name.name}", lambda puzzle: edits.set_alphabet(puzzle, name))
    return [f"alphabet: {alphabet_told(name)}", *filter(None, [foreign_words(session.puzzle)])]


def _all_lines() -> list[str]:
    names = alphabet_names()
    width = max(map(len, names))
    return [f"{name:{width}}  {told_of(name)}" for name in names]

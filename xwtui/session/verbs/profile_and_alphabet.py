"""The verbs for what a puzzle is made under: the profile of an outlet, and its letters."""

from __future__ import annotations

from dataclasses import replace

from xwtui.lazy import lazy_imports
from xwtui.model import edits
from xwtui.model.alphabet import Alphabet
from xwtui.session.verbs.kinds import ALPHABET, NO_PROFILE, PROFILE_NAME, alphabet_told, told_of
from xwtui.session.verbs.verb import WITHOUT_GRID, Answer, Group, answered, argument, verbs_of
from xwtui.words.alphabets import alphabet_names

with lazy_imports():
    from xwtui.session.review_answers import ProfileAnswer, ProfilesAnswer
    from xwtui.session.session import Session
    from xwtui.session.wording import foreign_words

verb = verbs_of(Group.GRID)


@verb(examples=("profile british", "profile none", "profile"))
def profile(
    session: Session, name: str | None = argument("american-15, british and others, or `none`", PROFILE_NAME)
) -> Answer:
    """Choose or show the outlet whose requirements `check` applies.

    `check` reports what the profile forbids and skips what it allows. `profiles` lists them.
    """
    if name is not None:
        chosen = "" if name == NO_PROFILE else name
        session.edit(f"profile {name}", lambda puzzle: replace(puzzle, profile=chosen))
    return answered(ProfileAnswer.of(session.puzzle))


@verb(examples=("profiles",), from_shell=WITHOUT_GRID)
def profiles(session: Session) -> Answer:
    """List outlets' requirements: the profiles that ship, and your own next to your settings."""
    return answered(ProfilesAnswer.all())


@verb(examples=("alphabet swedish", "alphabet spanish-ch-ll", "alphabet"))
def alphabet(
    session: Session, name: Alphabet | None = argument("swedish, german, …; lists all if left out", ALPHABET)
) -> Answer:
    """Choose the puzzle's alphabet.

    Word lists, answers and patterns are read in it. A letter it lacks is spelled as is usual in its language, or
    without its accent, with a note. Some alphabets have letters of two characters in one square, such as IJ.
    Your own alphabets are files in the `alphabets` folder of your settings.
    """
    if name is None:
        return [f"alphabet: {alphabet_told(session.puzzle.alphabet)}", "", *_all_lines()]
    session.edit(f"alphabet {name.name}", lambda puzzle: edits.set_alphabet(puzzle, name))
    return [f"alphabet: {alphabet_told(name)}", *filter(None, [foreign_words(session.puzzle)])]


def _all_lines() -> list[str]:
    names = alphabet_names()
    width = max(map(len, names))
    return [f"{name:{width}}  {told_of(name)}" for name in names]

"""The verbs to argue with a search that stands still: it goes on from there, and leaves no other fill out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

from xwtui.model import Content, Position, Slot
from xwtui.session.verbs.types import Place, PlaceType, VerbType, checked_letters
from xwtui.session.verbs.verb import Answer, Group, Reply, verb
from xwtui.words.normalise import normalise

if TYPE_CHECKING:
    from xwtui.session.session import Session

_STARTED = Reply(started=True)
_LAST = "last"
"""The word for the entry or square that the search decided last."""

_place = click.argument(
    "place", type=PlaceType(_LAST), default=_LAST, help="entry or square; without it, the one decided last"
)


class OtherWordType(VerbType[str]):
    """A word to stand in an entry, or a content for a square."""

    name = "word"

    def read(self, text: str, session: Session) -> str:
        """The text; the verb makes sense of it, once it knows the place."""
        return text

    def offers(self, session: Session, beginning: str) -> list[CompletionItem[str]]:
        """The words that the search would try there next."""
        thoughts = session.jobs.fill.view.thoughts if session.jobs.fill.view is not None else None
        words = [one.word for one in thoughts.others] if thoughts is not None else []
        return [CompletionItem(word) for word in words if word.startswith(beginning.upper())]


@verb(Group.FILL, name="argue choose", examples=("argue choose ARENA", "argue choose 17A ARENA"))
@_place
@click.argument("word", type=OtherWordType(), help="the word, or a content for a square")
def choose(session: Session, place: Place, word: str) -> Answer:
    """Choose another word in the search that stands still, in place of the one that it tried.

    What was decided after that is taken back. Where there is no fill with your word, the search tries all others.
    """
    from xwtui.session.goals import ArgumentKind, SearchArgument

    session.argue(SearchArgument(ArgumentKind.CHOOSE, _named(place), _read(place, word)))
    return _STARTED


@verb(Group.FILL, name="argue forbid", examples=("argue forbid", "argue forbid 17A OREAD"))
@_place
@click.argument("word", type=OtherWordType(), default="", help="the word; without it, the one that stands there")
def forbid(session: Session, place: Place, word: str) -> Answer:
    """Forbid a word in an entry for the rest of this search, in every branch of it.

    `rule 17A --bar OREAD` keeps it out of later fills as well.
    """
    from xwtui.session.goals import ArgumentKind, SearchArgument

    session.argue(SearchArgument(ArgumentKind.FORBID, _named(place), _read(place, word)))
    return _STARTED


@verb(Group.FILL, name="argue lock", examples=("argue lock",))
def lock_decisions(session: Session) -> Answer:
    """Lock what the search has decided: it takes none of it back, and in the grid it is locked ink."""
    from xwtui.session.goals import ArgumentKind, SearchArgument

    session.argue(SearchArgument(ArgumentKind.LOCK))
    return _STARTED


@verb(Group.FILL, name="argue skip", examples=("argue skip", "argue skip 17A"))
@_place
def skip(session: Session, place: Place) -> Answer:
    """Put an entry off: the search takes back what it decided there, and decides what it ranks next first."""
    from xwtui.session.goals import ArgumentKind, SearchArgument

    session.argue(SearchArgument(ArgumentKind.SKIP, _named(place)))
    return _STARTED


@verb(Group.FILL, name="argue back", examples=("argue back",))
def take_back(session: Session) -> Answer:
    """Take the last argument back: the search goes on from where it stood before that."""
    from xwtui.session.goals import ArgumentKind, SearchArgument

    session.argue(SearchArgument(ArgumentKind.BACK))
    return _STARTED


def _named(place: Place) -> str:
    """The name of a place; empty for the one decided last."""
    if isinstance(place, Slot):
        return place.name
    return "" if place == _LAST else str(place)


def _read(place: Place, word: str) -> str:
    """A word, or a content, as searches spell it; raises XwtuiError for none."""
    if not word:
        return ""
    if isinstance(place, Position) or "[" in word or "/" in word:
        return str(Content.parse(checked_letters(word)))
    return normalise(checked_letters(word))

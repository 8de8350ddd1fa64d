"""The verbs for the session itself: help and quit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

from xwtui.errors import VerbError
from xwtui.session.verbs.help_text import help_on, overview
from xwtui.session.verbs.lookup import find_verb_of
from xwtui.session.verbs.types import VerbType
from xwtui.session.verbs.verb import BOOK, Answer, Group, Reply, Verb, verb

if TYPE_CHECKING:
    from xwtui.session.session import Session


class VerbNameType(VerbType[Verb]):
    """The name of a verb."""

    name = "verb"
    takes_rest = True

    def read(self, text: str, session: Session) -> Verb:
        """The verb; raises VerbError, naming the nearest, where there is none."""
        return find_verb_of(text.strip("\"'").split() or [""])

    def offers(self, session: Session, beginning: str) -> list[CompletionItem[str]]:
        """All verbs."""
        verbs = BOOK.verbs.values()
        return [
            CompletionItem(one.name, help=one.summary) for one in verbs if one.name.startswith(beginning.lower())
        ]


@verb(Group.SESSION, name="help", key="question_mark,f1", examples=("help", "help set"), aliases=("?",))
@click.argument(
    "what", type=VerbNameType(), required=False, metavar="[VERB]", help="a verb; without it, all of them"
)
def help_(session: Session, what: Verb | None) -> Answer:
    """Show what verbs there are, or how one is used."""
    return overview() if what is None else help_on(what)


@verb(Group.SESSION, name="quit", key="ctrl+q", examples=("quit",), aliases=("exit", "q"))
@click.option("--force", is_flag=True, help="drop changes that are not saved")
def quit_(session: Session, force: bool) -> Answer:
    """End the session."""
    if session.document.is_modified and not force:
        raise VerbError(
            f"{session.document.name} has changes that are not saved: `save` first, or `quit --force` drops them"
        )
    if force:
        session.discard_changes()
    return Reply(quit=True)

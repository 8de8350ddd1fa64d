"""Finding a verb by its name."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

from xwtui.errors import VerbError
from xwtui.session.verbs.verb import BOOK, Verb
from xwtui.text import printable


def find_verb_of(words: Sequence[str]) -> Verb:
    """The verb that a line's words begin with, of two words (`rebus place`) if there is such a one."""
    two = " ".join(words[:2]).lower()
    return BOOK.verbs[two] if two in BOOK.verbs else find_verb(words[0])


def find_verb(name: str) -> Verb:
    """The verb of a name or an alias; raises VerbError with the nearest one where there is none."""
    wanted = name.lower()
    if wanted in BOOK.verbs:
        return BOOK.verbs[wanted]
    for verb in BOOK.verbs.values():
        if wanted in verb.aliases:
            return verb
    near = difflib.get_close_matches(wanted[:30], BOOK.verbs, n=1, cutoff=0.5)
    hint = f"; did you mean `{near[0]}`?" if near else "; `help` lists the verbs"
    raise VerbError(f"there is no verb {printable(name, 30)!r}{hint}")

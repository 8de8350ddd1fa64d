"""What a constructor may say against a search that stands still."""

from __future__ import annotations

import enum
from dataclasses import dataclass


class ArgumentKind(enum.Enum):
    """The value is the word in the verb."""

    CHOOSE = "choose"
    FORBID = "forbid"
    LOCK = "lock"
    SKIP = "skip"
    BACK = "back"


@dataclass(frozen=True)
class SearchArgument:
    """One argument; the place (an entry such as `17A`, or a square) is the one decided last, if none is named.

    `word` is what CHOOSE puts there, and what FORBID keeps away: what stands there, if empty.
    """

    kind: ArgumentKind
    place: str = ""
    word: str = ""

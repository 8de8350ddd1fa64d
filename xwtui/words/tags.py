"""Tags: words that a list's third field marks a word with, such as `abbreviation` or `name`."""

import re

MOST_TAGS = 64
"""Different tags of one list; a file with more has something else in its third field."""

_TAG = re.compile(r"[a-z][a-z0-9-]{0,29}")


def is_tag(text: str) -> bool:
    """Whether a text has the form of a tag: a lower-case word of 1 to 30 letters, digits and hyphens."""
    return _TAG.fullmatch(text) is not None


def read_tags(field: str) -> tuple[str, ...]:
    """The tags of a list line's third field, `abbreviation,name`; none where it is anything else."""
    tags = tuple(dict.fromkeys(part.strip().lower() for part in field.split(",")))
    return tags if all(map(is_tag, tags)) else ()

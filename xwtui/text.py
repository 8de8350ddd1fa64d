"""Text from files and users, made safe for the terminal."""

ELLIPSIS = "…"


def printable(text: str, limit: int = 80) -> str:
    r"""Return text that a terminal may show: one line, no control characters, `limit` characters at most.

    Control, formatting and unassigned characters are shown as Python escapes (`\x1b`, `\u202e`);
    what is cut off is told by an ellipsis.
    """
    head = text[: limit + 1]
    shown = "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in head)
    if len(text) > limit or len(shown) > limit:
        return shown[: max(limit - 1, 0)] + ELLIPSIS
    return shown

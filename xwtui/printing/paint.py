"""Styled text: spans with a meaning, painted with colours on a terminal and without elsewhere."""

import enum
import os
from collections.abc import Iterable
from itertools import groupby
from typing import NamedTuple, TextIO


class Style(enum.Enum):
    """What a span of text is; the value is its ANSI attributes, chosen to work on light and dark."""

    PLAIN = ""
    PENCIL = "2"
    RUN = "2;3"
    """What a running search has on the grid at the moment."""
    PEN = "39"
    LOCKED = "1;4"
    SHADED = "7"
    LABEL = "90"
    GOOD = "1;32"
    WARNING = "33"
    ERROR = "1;31"


_PENCIL_STYLES = (Style.PENCIL, Style.RUN)


class Span(NamedTuple):
    """A piece of a line, all in one style."""

    text: str
    style: Style = Style.PLAIN


Line = tuple[Span, ...]


def paint(line: Iterable[Span], *, colours: bool, tells_pencil: bool = True) -> str:
    """A line as text; without colours there are no escape codes, and lower case may tell pencil."""
    if colours:
        runs = groupby(line, key=lambda span: span.style)
        return "".join(_coloured("".join(span.text for span in spans), style) for style, spans in runs)
    lowered = _PENCIL_STYLES if tells_pencil else ()
    return "".join(span.text.lower() if span.style in lowered else span.text for span in line)


def _coloured(text: str, style: Style) -> str:
    return f"\x1b[{style.value}m{text}\x1b[0m" if style.value else text


def wants_colours(stream: TextIO) -> bool:
    """Whether to write colours to a stream: a terminal that knows them, and no NO_COLOR (no-color.org)."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"

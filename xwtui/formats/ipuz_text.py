"""Text as ipuz has it: HTML, in clues and on the title page."""

import html
import re
from collections.abc import Callable

TextReader = Callable[[str], str]
"""Makes plain text of a text in a file."""

_BREAKS = "br|p|div|li|tr|h[1-6]|hr|blockquote"
_OTHERS = (
    "a|abbr|b|bdi|bdo|big|center|cite|code|dd|del|dfn|dl|dt|em|font|i|img|ins|kbd|mark|ol|pre|q|rp|rt|ruby|s|samp"
    "|small|span|strike|strong|sub|sup|table|tbody|td|th|thead|tt|u|ul|var|wbr"
)
_BREAK = re.compile(rf"</?(?:{_BREAKS})(?=[\s/>])[^<>]*>[ \t]*\r?\n?", re.I)
_TAG = re.compile(rf"</?(?:{_OTHERS})(?=[\s/>])[^<>]*>", re.I)


def to_html(text: str) -> str:
    """HTML that shows the text as it is."""
    return html.escape(text, quote=False).replace("\n", "<br>")


def from_html(source: str) -> str:
    """The plain text of HTML: without tags, with a line break for each that makes one.

    What looks like a tag but is none that HTML has for text stays (`<BLANK>`, `<3`), and so does an `&`
    that begins no entity.
    """
    return html.unescape(_TAG.sub("", _BREAK.sub("\n", source)))

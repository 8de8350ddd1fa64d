"""Text in HTML, as ipuz and others have it, and back: plain, and as the markup of a clue."""

import html
import re
from collections.abc import Iterator, Sequence

from xwtui.model.markup import TextRun, source_of

_BREAKS = "br|p|div|li|tr|h[1-6]|hr|blockquote"
_OTHERS = (
    "a|abbr|b|bdi|bdo|big|center|cite|code|dd|del|dfn|dl|dt|em|font|i|img|ins|kbd|mark|ol|pre|q|rp|rt|ruby|s|samp"
    "|small|span|strike|strong|sub|sup|table|tbody|td|th|thead|tt|u|ul|var|wbr"
)
_BREAK = re.compile(rf"</?(?:{_BREAKS})(?=[\s/>])[^<>]*>[ \t]*\r?\n?", re.I)
_TAG = re.compile(rf"</?(?:{_OTHERS})(?=[\s/>])[^<>]*>", re.I)
_TAGS = re.compile(rf"(?P<breaks>{_BREAK.pattern})|(?P<tag>{_TAG.pattern})", re.I)
_NAME = re.compile(r"<(/?)(\w+)")
ITALIC_TAGS, BOLD_TAGS = ("i", "em", "cite", "dfn", "var"), ("b", "strong")


def to_html(text: str) -> str:
    """HTML that shows the text as it is; a line ends where one does for those, too, who leave out the tags."""
    return html.escape(text, quote=False).replace("\n", "<br>\n")


def from_html(source: str) -> str:
    """The plain text of HTML: without tags, with a line break for each that makes one.

    What looks like a tag but is none that HTML has for text stays (`<BLANK>`, `<3`), and so does an `&`
    that begins no entity.
    """
    return html.unescape(_TAG.sub("", _BREAK.sub("\n", source)))


def runs_to_html(runs: Sequence[TextRun]) -> str:
    """HTML that shows the runs of a clue."""
    parts = []
    for run in runs:
        text = to_html(run.text)
        text = f"<b>{text}</b>" if run.bold else text
        parts.append(f"<i>{text}</i>" if run.italic else text)
    return "".join(parts)


def markup_from_html(source: str) -> str:
    """The markup of a clue that shows what HTML does, as far as that is text, italic or bold."""
    return source_of(_runs(source))


def _runs(source: str) -> Iterator[TextRun]:
    italic = bold = at = 0
    for found in _TAGS.finditer(source):
        yield TextRun(html.unescape(source[at : found.start()]), italic > 0, bold > 0)
        at = found.end()
        if found["breaks"]:
            yield TextRun("\n", italic > 0, bold > 0)
            continue
        name = _NAME.match(found[0])
        assert name is not None
        change = -1 if name[1] else 1
        italic = max(italic + change * (name[2].lower() in ITALIC_TAGS), 0)
        bold = max(bold + change * (name[2].lower() in BOLD_TAGS), 0)
    yield TextRun(html.unescape(source[at:]), italic > 0, bold > 0)

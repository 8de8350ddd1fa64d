""".xd, the plain-text format of the xd corpus: https://github.com/century-arcade/xd."""

import re

from xwtui.errors import PuzzleFormatError
from xwtui.formats.base import Format
from xwtui.formats.plain_text import decode
from xwtui.formats.xd_reader import read
from xwtui.formats.xd_writer import write

_SIGNS = re.compile(r"^(?:##\s+(?:metadata|grid|clues)\b|(?:Title|Author|Rebus|Special):|[AD]\d+\. )", re.I | re.M)


def _looks_like(data: bytes) -> bool:
    try:
        return _SIGNS.search(decode(data)) is not None
    except PuzzleFormatError:
        return False


FORMAT = Format(".xd", (".xd",), read, write, _looks_like)

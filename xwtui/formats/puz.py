""".puz, the format of Across Lite, read and written by every solving program."""

from puz import ACROSSDOWN

from xwtui.formats.base import Format
from xwtui.formats.puz_reader import read
from xwtui.formats.puz_writer import write

_PREAMBLE = 1024
"""Bytes that may stand before the puzzle, as mail programs leave them."""


def _looks_like(data: bytes) -> bool:
    return ACROSSDOWN in data[:_PREAMBLE]


FORMAT = Format(".puz", (".puz",), read, write, _looks_like)

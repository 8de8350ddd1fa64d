""".puz, the format of Across Lite, read and written by every solving program."""

from xwtui.formats.base import Format, Written
from xwtui.model import Puzzle

_MAGIC = b"ACROSS&DOWN"
_PREAMBLE = 1024
"""Bytes that may stand before the puzzle, as mail programs leave them."""


def _read(data: bytes) -> Puzzle:
    from xwtui.formats.puz_reader import read  # noqa: PLC0415  (loads puzpy)

    return read(data)


def _write(puzzle: Puzzle, lossy: bool) -> Written:
    from xwtui.formats.puz_writer import write  # noqa: PLC0415  (loads puzpy)

    return write(puzzle, lossy)


def _looks_like(data: bytes) -> bool:
    return _MAGIC in data[:_PREAMBLE]


FORMAT = Format(".puz", (".puz",), _read, _write, _looks_like)

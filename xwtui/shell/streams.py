"""The standard streams, whatever the caller has done to them, and the puzzle that comes from one."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import NoReturn

from xwtui.errors import PuzzleFormatError, failing_as
from xwtui.lazy import lazy_imports
from xwtui.printing import warn
from xwtui.text import PLAIN_ERRORS

with lazy_imports():
    from xwtui.formats.intake import ReadOptions, ReadPuzzle
    from xwtui.formats.registry import take_file, take_stream

STDIN = "-"
"""The name of what comes from stdin."""


def prepare_streams() -> None:
    """Put nothing where a stream is closed, and plain characters for what an encoding cannot show."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115  (open to the end)
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors=PLAIN_ERRORS)


def end_output() -> None:
    """Write what is still buffered; where that fails, drop it, so that the end of the program stays quiet."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, stream.fileno())


def leave_at_once(status: int) -> NoReturn:
    """End the process without waiting for a thread that may be compiling, nor for what it would say of that."""
    end_output()
    os._exit(status)


def read_source(source: str, options: ReadOptions) -> ReadPuzzle:
    """Read a puzzle from a file, or from stdin for `-`, and warn of what could not be read exactly.

    Raises PuzzleFormatError.
    """
    if not source:
        raise PuzzleFormatError("a file name is expected")
    if source != STDIN:
        read = take_file(Path(source), options)
    else:
        with failing_as(PuzzleFormatError, "stdin", of=PuzzleFormatError):
            read = take_stream(sys.stdin.buffer, options)
    for warning in read.warnings:
        warn(f"{source}: {warning.words}")
    return read

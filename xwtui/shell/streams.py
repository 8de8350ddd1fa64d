"""The standard streams in whatever state the caller left them, and puzzles read from stdin."""

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
    from xwtui.formats.registry import load_file, load_stream

STDIN = "-"
"""The file name that means stdin."""


def prepare_streams() -> None:
    """Replace closed streams by the null device, and make streams replace characters that they cannot encode."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115  (stays open)
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors=PLAIN_ERRORS)


def end_output() -> None:
    """Flush the output, dropping it on errors, so that the program exits quietly."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, stream.fileno())


def leave_at_once(status: int) -> NoReturn:
    """Exit without waiting for a thread that may be compiling, and without its messages."""
    end_output()
    os._exit(status)


def read_source(source: str, options: ReadOptions) -> ReadPuzzle:
    """Read a puzzle from a file, or stdin for `-`, warning of each inexact part; raises PuzzleFormatError."""
    if not source:
        raise PuzzleFormatError("a file name is expected")
    if source != STDIN:
        read = load_file(Path(source), options)
    else:
        with failing_as(PuzzleFormatError, "stdin", of=PuzzleFormatError):
            read = load_stream(sys.stdin.buffer, options)
    for warning in read.warnings:
        warn(f"{source}: {warning.words}")
    return read

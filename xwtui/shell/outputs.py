"""The files that `-o` names: looked at before the work, written after it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from xwtui.errors import PuzzleFormatError
from xwtui.formats.registry import suffixes, write_puzzle
from xwtui.interrupts import interrupt_flag
from xwtui.model import Puzzle
from xwtui.printing import warn
from xwtui.session.answers import FillAnswer, RaceAnswer
from xwtui.session.fill_options import Mode
from xwtui.session.verbs.verb import VerbAnswer, Writes


def check_outputs(writes: Writes, outputs: Sequence[Path]) -> None:
    """Find a file that cannot be written before the work, not after it; raises PuzzleFormatError."""
    for path in outputs:
        if writes is Writes.RACE:
            from xwtui.racing.export import check_target  # noqa: PLC0415  (only where there is a race)

            check_target(path)
            continue
        if path.suffix.lower() not in suffixes():
            known = ", ".join(sorted(suffixes()))
            raise PuzzleFormatError(f"{path}: no format has the suffix {path.suffix!r}; there are {known}")
        if not path.parent.is_dir():
            raise PuzzleFormatError(f"{path}: there is no folder {path.parent}")


def write_outputs(answer: VerbAnswer, outputs: Sequence[Path], *, lossy: bool) -> None:
    """Write what was made, whatever signals come meanwhile; of several fills each goes to files of its own."""
    with interrupt_flag():
        for path in outputs:
            if isinstance(answer, RaceAnswer):
                from xwtui.racing.export import write_race  # noqa: PLC0415  (only where there is a race)

                write_race(path, answer.view)
            elif isinstance(answer, FillAnswer):
                for number, puzzle in enumerate(answer.fills, start=1):
                    is_one = answer.view.mode is not Mode.DIVERSE
                    _write(path if is_one else _numbered(path, number), puzzle, lossy=lossy)


def _numbered(path: Path, number: int) -> Path:
    """`out-2.puz` for `out.puz` and 2."""
    return path.with_name(f"{path.stem}-{number}{path.suffix}")


def _write(path: Path, puzzle: Puzzle, *, lossy: bool) -> None:
    for warning in write_puzzle(path, puzzle, lossy=lossy):
        warn(f"{path}: {warning}")

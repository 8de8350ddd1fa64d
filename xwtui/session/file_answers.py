"""What the verbs for files answer: exports, and in what a puzzle differs from the file it was read from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path

from xwtui.dataclasses import dataclass
from xwtui.engine.events.event import Outcome
from xwtui.errors import PuzzleFormatError, VerbError
from xwtui.formats.base import Written
from xwtui.formats.intake import ReadWarning
from xwtui.formats.registry import format_to_write, formats_to_write, puzzle_bytes, suffix_of, write_file
from xwtui.lazy import lazy_imports
from xwtui.model import Puzzle
from xwtui.model.review import Check, review
from xwtui.session.answers import VerbAnswer
from xwtui.session.json_shape import JsonShape
from xwtui.session.overwriting import Guard, is_same_file
from xwtui.session.wording import counted

with lazy_imports():
    from xwtui.formats.recipients import recipient


@dataclass(frozen=True)
class ExportedFormat:
    """What one format does to a puzzle.

    `lost` is what it cannot hold, `kept_back` what is the constructor's alone, `refusal` why there is no file.
    """

    name: str
    suffix: str
    path: Path | None = None
    lost: tuple[str, ...] = ()
    refusal: str = ""
    kept_back: tuple[str, ...] = ()


class ExportAnswer(VerbAnswer):
    """The formats that were written, or looked at, and what an editor who gets a file would miss."""

    formats: tuple[ExportedFormat, ...]
    missing: tuple[str, ...]
    json = JsonShape(
        ("formats", JsonShape("format=name suffix file=path lost refused=refusal? kept_back")), "missing"
    )

    @property
    def verdict(self) -> Outcome:
        return Outcome.UNKNOWN if all(each.refusal for each in self.formats) else Outcome.FILLED

    @property
    def lines(self) -> Sequence[str]:
        return [*(line for each in self.formats for line in _lines(each)), *self.missing]


def _lines(each: ExportedFormat) -> Iterator[str]:
    if each.refusal:
        yield f"{each.suffix}: {each.refusal}"
    elif each.path is not None:
        yield f"exported: {each.path}"
    elif each.lost:
        yield f"{each.suffix}: {counted(len(each.lost), 'loss', 'losses')}"
    else:
        yield f"{each.suffix}: keeps everything{' meant for others' if each.kept_back else ''}"
    yield from (f"  {what}" for what in each.lost)
    if each.kept_back:
        yield f"  left out as private (--with-work includes it): {', '.join(each.kept_back)}"


def export_to(
    path: Path,
    puzzle: Puzzle,
    *,
    lossy: bool,
    with_work: bool = False,
    taker: str = "",
    guard: Guard = nullcontext,
) -> ExportAnswer:
    """Write one file; raises PuzzleFormatError where it cannot be, or loses something and is not to be `lossy`.

    `with_work` writes what is the constructor's alone, too, where the format has a place for it; a `taker` gets
    the form that is read best there.
    """
    suffix = suffix_of(path)
    with guard(path):
        written = write_file(path, puzzle, lossy=lossy, published=not with_work, taker=taker)
    return ExportAnswer((_exported(format_to_write(suffix).name, suffix, path, written),), unready(puzzle))


def export_all(
    folder: Path,
    stem: str,
    puzzle: Puzzle,
    own: Path | None = None,
    *,
    lossy: bool,
    with_work: bool = False,
    taker: str = "",
    guard: Guard = nullcontext,
) -> ExportAnswer:
    """Write a file of each format into a folder, made where there is none; each that `export_to` refuses is named.

    Of a `taker` they are the formats that are read there.

    The puzzle's `own` file is left as it is, even where it would be one of them.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise VerbError(f"export: cannot make {folder}: {error.strerror}") from error

    def written(name: str, suffix: str) -> ExportedFormat:
        path = folder / f"{stem}{suffix}"
        if own is not None and is_same_file(path, own):
            raise PuzzleFormatError(f"{path.name} is the puzzle's own file and was left unchanged")
        with guard(path):
            done = write_file(path, puzzle, lossy=lossy, suffix=suffix, published=not with_work, taker=taker)
        return _exported(name, suffix, path, done)

    return ExportAnswer(_each(_formats(None, taker), written), unready(puzzle))


def preview(
    puzzle: Puzzle, suffix: str | None = None, *, with_work: bool = False, taker: str = ""
) -> ExportAnswer:
    """What each format, or that of a suffix, cannot hold of a puzzle, for a `taker` or anyone; nothing is written.

    Raises PuzzleFormatError for a suffix that no format is written with.
    """

    def looked_at(name: str, suffix: str) -> ExportedFormat:
        written = puzzle_bytes(puzzle, suffix, lossy=True, published=not with_work, taker=taker)
        return _exported(name, suffix, None, written)

    return ExportAnswer(_each(_formats(suffix, taker), looked_at), unready(puzzle))


def _formats(suffix: str | None, taker: str) -> Sequence[tuple[str, str]]:
    """The name and the suffix of the formats that are asked for: of a suffix, those of a taker, or all."""
    if suffix is None and not taker:
        return formats_to_write()
    asked = recipient(taker).suffixes if suffix is None else (suffix,)
    return [(format_to_write(each).name, each) for each in asked]


def _exported(name: str, suffix: str, path: Path | None, written: Written) -> ExportedFormat:
    return ExportedFormat(name, suffix, path, written.warnings, kept_back=written.kept_back)


def _each(
    formats: Iterable[tuple[str, str]], make: Callable[[str, str], ExportedFormat]
) -> tuple[ExportedFormat, ...]:
    """What is made of each format's name and suffix, or why nothing is."""
    made: list[ExportedFormat] = []
    for name, suffix in formats:
        try:
            made.append(make(name, suffix))
        except PuzzleFormatError as error:
            made.append(ExportedFormat(name, suffix, refusal=str(error)))
    return tuple(made)


def unready(puzzle: Puzzle) -> tuple[str, ...]:
    """What an editor who gets the file would miss, in a line each."""
    missed = (Check.BANNED, Check.MISSING_CLUE, Check.STALE_CLUE, Check.EMPTY)
    return tuple(finding.message for finding in review(puzzle) if finding.rule in missed)


class WarningsAnswer(VerbAnswer):
    """What was read otherwise than it stands in the file."""

    warnings: tuple[ReadWarning, ...]
    json = JsonShape(
        (
            "warnings",
            JsonShape(
                lambda warning: {"kind": warning.deviation.name.lower()},
                "words=deviation",
                ("places=deviants", JsonShape("where file=was? now?")),
            ),
        )
    )

    @property
    def lines(self) -> Sequence[str]:
        if not self.warnings:
            return ["the puzzle was read exactly from its file"]
        return [
            line
            for warning in self.warnings
            for line in (f"{warning.deviation.value}:", *(f"  {each.words}" for each in warning.deviants))
        ]

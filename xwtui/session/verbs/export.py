"""The verb that exports a puzzle, and its answer: the files, what each format loses, what an editor would miss."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import click

from xwtui.dataclasses import dataclass
from xwtui.errors import PuzzleFormatError, VerbError, failing_as
from xwtui.lazy import lazy_imports
from xwtui.model import Puzzle
from xwtui.session.answers import JsonShape, VerbAnswer
from xwtui.session.recent import note_kind, recent_kinds
from xwtui.session.verbs.kinds import Item, file_kind, file_offers, offered, parameter_kind
from xwtui.session.verbs.verb import OF_GRID, Answer, Group, argument, option, options, verbs_of
from xwtui.text import counted, in_quotes

with lazy_imports():
    from xwtui.formats import recipients, registry
    from xwtui.formats.base import make_folder, printed_on
    from xwtui.formats.recipients import recipient
    from xwtui.model.review import Check, review
    from xwtui.session.document import full_path
    from xwtui.session.overwriting import Guard, is_same_file
    from xwtui.session.session import Session
    from xwtui.session.wording import untitled_words


verb = verbs_of(Group.FILE)

_USUAL_KIND = "puz"
_AGAIN = "again"


def export_kinds() -> dict[str, str]:
    """Return the export formats, as suffixes without the dot, most recently used first, with their names."""
    known = {suffix.removeprefix("."): name for name, suffix in registry.formats_to_write()}
    return {kind: known[kind] for kind in dict.fromkeys((*recent_kinds(), _USUAL_KIND, *known)) if kind in known}


def export_name(session: Session) -> str:
    """Return the name of an export file without its suffix: the puzzle's own, or its title in plain letters."""
    document = session.document
    if document.path is not None:
        return document.path.stem if document.needs_name else str(document.path.with_suffix(""))
    words = "".join(c if c.isalnum() and c.isascii() else " " for c in session.puzzle.title).split()
    return "-".join(words).lower() or "untitled"


def export_path(session: Session, kind: str) -> Path:
    """Return the default file for a format: next to the puzzle's own file, with `.export` if they would clash."""
    path = Path(f"{export_name(session)}.{kind}")
    return path.with_suffix(f".export.{kind}") if session.document.is_kept_in(path) else path


def _export_offers(session: Session, beginning: str) -> list[Item]:
    before = ", ".join(path.name for path in session.document.exported.before)
    again = {_AGAIN: f"what was exported before: {before}"} if before else {}
    kinds = {kind: f"{name}: {export_path(session, kind).name}" for kind, name in export_kinds().items()}
    return [*offered({**again, **kinds}, beginning), *file_offers(beginning, registry.suffixes_to_write())]


EXPORTED = replace(file_kind(), offers=_export_offers, names=lambda: (*export_kinds(), _AGAIN))


@parameter_kind("reader", names=lambda: [each.name for each in recipients.RECIPIENTS])
def RECIPIENT(text: str, session: Session) -> str:
    """The reader of an exported file: a site or a program."""
    return recipient(text).name


class _Export(NamedTuple):
    force: bool = option("overwrite any file, not only an unchanged export of this puzzle")
    lossy: bool = option("leave out what the format cannot hold, with a warning for each item")
    with_work: bool = option("include word lists, bans, rules, notes and snapshots in an .ipuz file")
    taker: str | None = option(
        "write the form that this site or program reads best: crosshare, puzzmo, crossword-nexus, exolve, "
        "across-lite or puzzleme",
        RECIPIENT,
        name="--for",
    )
    paper: str | None = option(
        "the paper of PDFs: a4 or letter (default: that of your country)", click.Choice(("a4", "letter"))
    )

    @property
    def kept(self) -> Mapping[str, Any]:
        """The options to remember, for exporting again without naming the file."""
        return {name: value for name, value in self._asdict().items() if name != "force" and value}

    @property
    def line(self) -> str:
        named = (("--for", self.taker), ("--paper", self.paper))
        flags = [*(["--lossy"] if self.lossy else []), *(["--with-work"] if self.with_work else [])]
        return " ".join(["export --force", *flags, *(f"{name} {value}" for name, value in named if value)])


@verb(
    "export heart.puz",
    "export pdf",
    "export again",
    "export heart.manuscript.pdf",
    "export heart.puz --lossy",
    "export heart.ipuz --for crosshare",
    "export --preview",
    "export --all for-the-editor",
    asks=True,
    from_shell=OF_GRID,
)
def export(
    session: Session,
    file: Path | None = argument(
        "its ending sets the format: .puz, .jpz, .pdf, .html and others; .key.pdf is the "
        "solution as a PDF, .manuscript.pdf the manuscript that newspapers ask for; "
        "`pdf` alone names the file after the puzzle, and `ipuz` makes NAME.export.ipuz beside your own NAME.ipuz"
        "; `again` or nothing writes again all that you exported from this puzzle before",
        EXPORTED,
    ),
    how: _Export = options(_Export),
    folder: Path | None = option(
        "write every format into this folder, which is made if missing",
        file_kind(),
        name="--all",
        metavar="FOLDER",
    ),
    preview: bool = option("show what each format, or the file's format, cannot hold, without writing anything"),
) -> Answer:
    """Export the puzzle for solvers, editors, other programs, print or the web.

    Pencil marks, locks, word lists, bans, rules, notes and snapshots are left out; they stay in your saved file.

    An existing file is not overwritten without `--force`, unless it is an unchanged export of the same puzzle.
    """
    if file == Path(_AGAIN):
        file = None
    if file is not None:  # a format may be named alone: `pdf`, or `manuscript` for `manuscript.pdf`
        named, kinds = str(file).lower().removeprefix("."), export_kinds()
        matching = [kind for kind in kinds if kind.startswith(f"{named}.")]
        kind = named if named in kinds else matching[0] if len(matching) == 1 else None
        file = file if kind is None else export_path(session, kind)
    if how.taker and how.with_work:
        raise VerbError("export: --for excludes --with-work")
    if folder is not None and (file is not None or preview):
        raise VerbError("export: --all takes a folder, not a file")
    with printed_on(how.paper or ""):
        return _answer(session, how, file, folder, preview=preview)


def _answer(
    session: Session, how: _Export, file: Path | None, folder: Path | None, *, preview: bool
) -> ExportAnswer:
    puzzle, document = session.commit_shown(), session.document
    form = ExportForm(how.lossy, how.with_work, how.taker or "")
    if folder is not None:
        own = full_path(document.path) if document.path is not None else None

        def guarded(path: Path) -> AbstractContextManager[None]:
            remedy = f"`{how.line} --all {in_quotes(str(folder))}`"
            return document.exported.writing(path, shown=path.name, remedy=remedy, force=how.force, how=how.kept)

        return export_all(full_path(folder), registry.stem_of(Path(document.name)), puzzle, form, own, guarded)
    if preview:
        if file is not None:
            registry.check_suffix(file)
        suffix = registry.suffix_of(file) if file is not None else None
        return look_at(puzzle, suffix, form)
    if file is None:
        return _export_again(session, how)
    if document.is_kept_in(file):
        raise VerbError(
            f"{file}: that is your puzzle's own file: use `save`, or `export ipuz` for a copy for solvers"
        )
    guard = document.exported.guard(how.line, file, force=how.force, how=how.kept)
    answer = export_to(full_path(file), puzzle, form, guard)
    note_kind(registry.suffix_of(file).removeprefix("."))
    return answer


def _export_again(session: Session, how: _Export) -> ExportAnswer:
    """Repeat the puzzle's earlier exports, each file with its own options."""
    document = session.document
    before = {path: kept for path, kept in document.exported.before.items() if not document.is_kept_in(path)}
    if how.kept or not before:
        nothing = "" if how.kept else "nothing was exported from this puzzle yet: "
        raise VerbError(
            f"export: {nothing}name a file such as heart.puz, a format such as pdf, or --all and a folder"
        )
    made: list[ExportedFormat] = []
    for path, kept in before.items():
        known: dict[str, Any] = {
            name: value for name, value in kept.items() if name in how._fields and isinstance(value, bool | str)
        }
        each = how._replace(**known)
        try:
            with printed_on(each.paper or ""):
                made += _answer(session, each, path, None, preview=False).formats
        except PuzzleFormatError as error:
            made.append(ExportedFormat(registry.suffix_of(path), refusal=str(error)))
    return ExportAnswer(tuple(made), unready(session.puzzle))


@dataclass(frozen=True)
class ExportedFormat:
    """The result of an export to one format.

    `lost` is what it cannot hold, `kept_back` is what is private to the constructor, and `refusal` is why there is
    no file.
    """

    suffix: str
    path: Path | None = None
    lost: tuple[str, ...] = ()
    refusal: str = ""
    kept_back: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return registry.format_to_write(self.suffix).name


class ExportAnswer(VerbAnswer):
    """The formats written or previewed, and what an editor who gets a file would miss."""

    formats: tuple[ExportedFormat, ...]
    missing: tuple[str, ...]
    json = JsonShape(
        ("formats", JsonShape("format=name suffix file=path lost refused=refusal? kept_back")), "missing"
    )

    @property
    def is_found(self) -> bool | None:
        return None if all(each.refusal for each in self.formats) else True

    @property
    def lines(self) -> Sequence[str]:
        lines = []
        for each in self.formats:
            if each.refusal:
                lines.append(f"{each.suffix}: {each.refusal}")
            elif each.path is not None:
                lines.append(f"exported: {each.path}")
            elif each.lost:
                lines.append(f"{each.suffix}: {counted(len(each.lost), 'loss', 'losses')}")
            else:
                lines.append(f"{each.suffix}: keeps everything meant for others")
            lines += [f"  {what}" for what in each.lost]
            if each.kept_back:
                lines.append(f"  left out (--with-work includes it): {', '.join(each.kept_back)}")
        return [*lines, *self.missing]


class ExportForm(NamedTuple):
    """Options for the contents of the files."""

    lossy: bool = False
    """Whether to leave out what a format cannot hold, with a warning."""
    with_work: bool = False
    """Whether to include the constructor's private work, if the format has a place for it."""
    taker: str = ""
    """The recipient whose preferred form is written; empty for no one in particular."""


def export_to(path: Path, puzzle: Puzzle, form: ExportForm, guard: Guard = nullcontext) -> ExportAnswer:
    """Write one file; raises PuzzleFormatError if that fails, or loses something without `lossy`."""
    return ExportAnswer((_written(path, puzzle, form, guard),), unready(puzzle))


def export_all(
    folder: Path, stem: str, puzzle: Puzzle, form: ExportForm, own: Path | None = None, guard: Guard = nullcontext
) -> ExportAnswer:
    """Write a file of each format, or of each that the recipient reads, into a folder.

    The folder is created if it does not exist. The answer names each format that `export_to` would refuse. The
    puzzle's `own` file is left unchanged, even if it has the name of one of the files.
    """
    with failing_as(VerbError, f"export: cannot make {folder}"):
        make_folder(folder)

    def written(suffix: str) -> ExportedFormat:
        path = folder / f"{stem}{suffix}"
        if own is not None and is_same_file(path, own):
            raise PuzzleFormatError(f"{path.name} is the puzzle's own file and was left unchanged")
        return _written(path, puzzle, form, guard, suffix)

    return _each(puzzle, None, form, written)


def look_at(puzzle: Puzzle, suffix: str | None = None, form: ExportForm = ExportForm()) -> ExportAnswer:
    """Return what each format, or the one of a suffix, cannot hold of a puzzle; nothing is written.

    Raises PuzzleFormatError for a suffix without a format.
    """

    def looked_at(suffix: str) -> ExportedFormat:
        written = registry.puzzle_bytes(puzzle, suffix, lossy=True, published=not form.with_work, taker=form.taker)
        return ExportedFormat(suffix, None, written.warnings, kept_back=written.kept_back)

    return _each(puzzle, suffix, form, looked_at)


def _written(
    path: Path, puzzle: Puzzle, form: ExportForm, guard: Guard, suffix: str | None = None
) -> ExportedFormat:
    with guard(path):
        written = registry.write_file(
            path, puzzle, lossy=form.lossy, suffix=suffix, published=not form.with_work, taker=form.taker
        )
    return ExportedFormat(suffix or registry.suffix_of(path), path, written.warnings, kept_back=written.kept_back)


def _each(
    puzzle: Puzzle, suffix: str | None, form: ExportForm, make: Callable[[str], ExportedFormat]
) -> ExportAnswer:
    """Make the result of one suffix, or of each that the recipient reads, or the reason why there is none."""
    if suffix is not None:
        registry.format_to_write(suffix)
        asked: Sequence[str] = [suffix]
    else:
        every = [first for _, first in registry.formats_to_write()]
        asked = recipient(form.taker).suffixes if form.taker else every
    made: list[ExportedFormat] = []
    for each in asked:
        try:
            made.append(make(each))
        except PuzzleFormatError as error:
            made.append(ExportedFormat(each, refusal=str(error)))
    return ExportAnswer(tuple(made), unready(puzzle))


def unready(puzzle: Puzzle) -> tuple[str, ...]:
    """Return a line for each thing that an editor who gets the file would miss."""
    missed = (Check.BANNED, Check.MISSING_CLUE, Check.STALE_CLUE, Check.EMPTY)
    messages = [finding.message for finding in review(puzzle) if finding.rule in missed]
    return tuple(filter(None, (*messages, untitled_words(puzzle))))

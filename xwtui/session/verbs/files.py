"""The verbs for files: open, new, save, export."""

from __future__ import annotations

import re
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import click
from click.shell_completion import CompletionItem

from xwtui.errors import VerbError
from xwtui.lazy import lazy_imports
from xwtui.model import Puzzle, Symmetry, edits
from xwtui.session.recent import note_kind, recent_but, recent_kinds
from xwtui.session.verbs.kinds import (
    PROFILE,
    SYMMETRY,
    Choices,
    Item,
    ParameterKind,
    among,
    file_kind,
    file_offers,
    number_kind,
    offered,
    parameter_kind,
)
from xwtui.session.verbs.verb import (
    Answer,
    FromShell,
    Group,
    Needs,
    Reply,
    answered,
    argument,
    option,
    options,
    verbs_of,
)
from xwtui.text import in_quotes, listed

with lazy_imports():
    import difflib

    from xwtui.formats import recipients
    from xwtui.formats.base import printed_on
    from xwtui.formats.intake import ReadOptions
    from xwtui.formats.recipients import recipient
    from xwtui.formats.registry import (
        check_suffix,
        formats_to_write,
        read_puzzle,
        stem_of,
        suffix_of,
        suffixes_to_read,
        suffixes_to_write,
    )
    from xwtui.grids.library import layout_library
    from xwtui.grids.profiles import Profile, blank_puzzle
    from xwtui.grids.templates import Template
    from xwtui.session import file_answers
    from xwtui.session.document import full_path
    from xwtui.session.file_answers import ExportAnswer, WarningsAnswer
    from xwtui.session.open_puzzles import give_up_in_words, puzzles_of
    from xwtui.session.recovery import Recovery, discarded_copies, left_elsewhere
    from xwtui.session.session import Session

verb = verbs_of(Group.FILE)

_USUAL_ROWS = "15"
_SIDE = number_kind(3, 40)
_MOST_COPIES = 50


def _puzzle_files(session: Session, beginning: str) -> list[Item]:
    """The files that begin so; before anything is typed, those that were open last come first."""
    recent = [] if beginning else [CompletionItem(*one) for one in recent_but(session.document.path)]
    return [*recent, *file_offers(beginning, suffixes_to_read())]


PUZZLE_FILE = replace(file_kind(), offers=_puzzle_files)


_USUAL_KIND = "puz"


def export_kinds() -> dict[str, str]:
    """The kinds of files to export, by the ends of their names without the dot: those used last come first."""
    known = {suffix.removeprefix("."): name for name, suffix in formats_to_write()}
    return {kind: known[kind] for kind in dict.fromkeys((*recent_kinds(), _USUAL_KIND, *known)) if kind in known}


def export_name(session: Session) -> str:
    """The name of a file to export without its end: the puzzle's own, or its title in plain letters."""
    document = session.document
    if document.path is not None:
        return document.path.stem if document.needs_name else str(document.path.with_suffix(""))
    words = "".join(c if c.isalnum() and c.isascii() else " " for c in session.puzzle.title).split()
    return "-".join(words).lower() or "untitled"


def export_path(session: Session, kind: str) -> Path:
    """The file of a kind to export where none is named: beside the puzzle's own, `.export` in its name."""
    path = Path(f"{export_name(session)}.{kind}")
    return path.with_suffix(f".export.{kind}") if session.document.is_kept_in(path) else path


def _export_offers(session: Session, beginning: str) -> list[Item]:
    kinds = {kind: f"{name}: {export_path(session, kind).name}" for kind, name in export_kinds().items()}
    return [*offered(kinds, beginning), *file_offers(beginning, suffixes_to_write())]


EXPORTED = replace(file_kind(), offers=_export_offers, choices=Choices(export_kinds))
"""A file to export to, or the kind of one."""


def _template_offers(session: Session, beginning: str) -> list[Item]:
    """The templates, those that ship and your own, then files."""
    names = [name for name in _templates() if name.startswith(beginning)]
    templates = (CompletionItem(name, help="template") for name in names)
    return [*templates, *file_offers(beginning, suffixes_to_read())]


TEMPLATE = ParameterKind("template", lambda text, session: text, _template_offers)
"""A number of rows, the name of a template, or a file."""


def _templates() -> dict[str, Template]:
    return {template.name: template for template in layout_library()}


def _check_saved(session: Session, what: str) -> None:
    if session.document.is_modified:
        beside = "`tab open FILE` opens another beside it, " if puzzles_of(session) is not None else ""
        raise VerbError(
            f"{session.document.name} has unsaved changes: `save` first, {beside}or `{what} --force` discards them"
        )


def _recipients() -> tuple[str, ...]:
    return tuple(each.name for each in recipients.RECIPIENTS)


@parameter_kind("reader", among(_recipients), choices=Choices(_recipients))
def RECIPIENT(text: str, session: Session) -> str:
    """Who reads an exported file: a site or a program."""
    return recipient(text).name


strict_option = option("refuse a file that cannot be read exactly")
key_option = option(
    "unlock a .puz file with its four-digit key, or `any` to try every key", default="", metavar="KEY"
)


@verb(examples=("open puzzles/heart.ipuz", "open locked.puz --key any"), asks=True)
def open(
    session: Session,
    file: Path = argument("a puzzle in any format that xwtui reads", PUZZLE_FILE),
    force: bool = option("replace the current puzzle; `discarded` brings unsaved changes back"),
    strict: bool = strict_option,
    key: str = key_option,
) -> Answer:
    """Open a puzzle file.

    Features xwtui cannot hold are read as closely as possible, with a warning. On the screen, a puzzle in
    progress stays open and the file opens in a new tab.
    """
    options = ReadOptions(strict, key)
    puzzles = puzzles_of(session)
    if puzzles is not None and puzzles.takes_another and not force:
        return opened(puzzles.open(file, options))
    if not force:
        _check_saved(session, "open")
    told: list[str] = []
    session.open(file, options=options, first=lambda: told.append(give_up_in_words(session)))
    return opened(session, *told)


def opened(session: Session, given_up: str = "") -> Reply:
    """What is said of a puzzle that was opened, and of the work that was `given_up` for it."""
    grid = session.puzzle.grid
    told = f"{session.document.name}: {grid.height}×{grid.width}, {len(grid.entries)} entries"
    left = _left_on(session)
    offered = f"there is {left.describe()}: `recover` restores it" if left is not None else ""
    words = "; ".join(filter(None, (told, session.document.held_words, given_up, offered)))
    return Reply((words,), opened=True)


def _left_on(session: Session) -> Recovery | None:
    """The newest work that a process left unsaved on the file of the puzzle, or None."""
    return next(iter(session.recoveries([session.document.path])), None)


@verb(examples=("recover",))
def recover(session: Session) -> Answer:
    """Restore unsaved work on this puzzle after a crash.

    You can undo its edits one by one. If the file has changed since, `save` asks for another name or for
    `--force`.
    """
    left = _left_on(session)
    if left is None:
        elsewhere = left_elsewhere(session.recoveries())
        more = f"; there is {elsewhere}" if elsewhere else ""
        raise VerbError(f"there is no unsaved work on {session.document.name}{more}")
    told = left.describe()
    if (puzzles := puzzles_of(session)) is not None:
        puzzles.recover(left)
    else:
        _check_saved(session, "open")
        session.recover(left)
    return f"continuing with {told}"


@verb(examples=("discarded", "discarded 2"))
def discarded(
    session: Session,
    number: int | None = argument("the number in the list of the one to bring back", number_kind(1, 9999)),
) -> Answer:
    """List work discarded in the last thirty days, or bring it back.

    It comes back as a puzzle without a file: `save` asks for a name, and the original file is left alone.
    """
    copies = discarded_copies(session.document.journal.folder)
    if number is None:
        listing = [f"{count}  {one.describe()}" for count, one in enumerate(copies[:_MOST_COPIES], start=1)]
        more = [f"and {len(copies) - _MOST_COPIES} older ones"] if len(copies) > _MOST_COPIES else []
        return [*listing, *more, "`discarded NUMBER` brings one back"] if listing else "nothing was discarded"
    if number > len(copies):
        raise VerbError(f"there is no discarded work {number}: `discarded` lists what there is")
    copy = copies[number - 1]
    told, puzzle = copy.describe(), copy.puzzle
    begin(session, puzzle, "discarded", is_drawn=True)
    return f"brought back without a file: {told}"


@verb(examples=("warnings",), from_shell=FromShell(needs=Needs.NOTHING))
def warnings(session: Session) -> Answer:
    """List what could not be read exactly from the puzzle's file.

    It names each square, clue or text that xwtui cannot hold, and what it became. `open --strict` refuses such
    files.
    """
    return answered(WarningsAnswer(session.document.read_warnings))


@verb(examples=("new 15 15 --symmetry rot180", "new 21", "new 15x15-01", "new --profile british"))
def new(
    session: Session,
    what: str | None = argument("number of rows (default: 15), a template's name, or a file", TEMPLATE),
    columns: int | None = argument("number of columns (default: as many as rows)", _SIDE),
    symmetry: Symmetry | None = option("the symmetry of blocks", SYMMETRY),
    profile: Profile | None = option("an outlet's requirements for the grid", PROFILE),
    force: bool = option("replace the current puzzle; `discarded` brings unsaved changes back"),
) -> Answer:
    """Start a puzzle: blank, from a template, or with an outlet's profile, which sets the size if you name none.

    On the screen, a puzzle in progress stays open and the new one gets its own tab.
    """
    if what is None:
        what = "{}x{}".format(*profile.usual_size) if profile is not None else _USUAL_ROWS
    rows = re.fullmatch(r"(\d{1,3})(?:[xX×](\d{1,3}))?", what)
    if rows is None and columns is not None:
        raise VerbError(f"new: {what!r} is not a number of rows")
    if rows is None:
        puzzle = _from_template(what, symmetry)
        puzzle = puzzle if profile is None else replace(puzzle, profile=profile.name)
    else:
        height = int(rows[1])
        width = columns if columns is not None else int(rows[2] or height)
        puzzle = _blank(height, width, symmetry, profile)
    told = begin(session, puzzle, "new", force=force, is_from_elsewhere=rows is None)
    grid = puzzle.grid
    under = f", profile {puzzle.profile}" if puzzle.profile else ""
    begun = f"new: {grid.height}×{grid.width}, {puzzle.symmetry.words}{under}"
    return "; ".join(filter(None, (begun, told)))


def _blank(height: int, width: int, symmetry: Symmetry | None, profile: Profile | None) -> Puzzle:
    if profile is None:
        return Puzzle.blank(height, width, symmetry or Symmetry.ROTATION_180)
    return blank_puzzle(profile, height, width, symmetry)


def begin(
    session: Session,
    puzzle: Puzzle,
    what: str,
    *,
    force: bool = False,
    is_drawn: bool = False,
    is_from_elsewhere: bool = False,
) -> str:
    """Begin a document without a file, made here or read, in a tab of its own if the face has tabs.

    One with letters, or that `is_drawn` and so nowhere else, is unsaved work from the first. An empty grid that
    has a title or the like and nothing else gives way to it, and hands these on. Raises VerbError if the verb
    `what` would discard changes that are not saved, unless that is meant (`force`); returns how these come back.
    """
    if session.document.has_texts_alone and not force:
        session.new(puzzle.with_texts_of(session.puzzle), what, is_from_elsewhere=is_from_elsewhere)
        return ""
    puzzles = puzzles_of(session)
    is_work = is_drawn or any(square.content is not None for square in puzzle.grid.squares)
    made_by = what if is_work else ""
    if puzzles is not None and puzzles.takes_another and not force:
        puzzles.new(puzzle, made_by, is_from_elsewhere=is_from_elsewhere)
        return ""
    if not force:
        _check_saved(session, what)
    told = give_up_in_words(session)
    session.new(puzzle, made_by, is_from_elsewhere=is_from_elsewhere)
    return told


def _from_template(name: str, symmetry: Symmetry | None) -> Puzzle:
    templates, path = _templates(), Path(name).expanduser()
    template = templates.get(name)
    if template is None and not path.suffix and not path.exists():
        near = difflib.get_close_matches(name, templates, 3)
        named = f"; similar names: {listed(near, 'and')}" if near else ""
        raise VerbError(f"new: there is no template {name!r}{named}")
    puzzle = template.puzzle if template is not None else read_puzzle(path)
    return puzzle if symmetry is None else edits.set_symmetry(puzzle, symmetry)


@verb(examples=("save", "save heart.ipuz"))
def save(
    session: Session,
    file: Path | None = argument("an .ipuz file (default: the puzzle's own file)", file_kind(".ipuz")),
    force: bool = option("overwrite another or a changed file; make a missing folder"),
) -> Answer:
    """Save the puzzle and all work on it, as ipuz."""
    saved = f"saved: {session.save(file, force=force)}"
    return "; ".join(filter(None, (saved, session.document.held_words)))


class _Export(NamedTuple):
    """How a puzzle is exported."""

    force: bool = option("overwrite files that are not unchanged exports of this puzzle")
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
    def line(self) -> str:
        """The line that does the same over files that are there."""
        named = (("--for", self.taker), ("--paper", self.paper))
        flags = [*(["--lossy"] if self.lossy else []), *(["--with-work"] if self.with_work else [])]
        return " ".join(["export --force", *flags, *(f"{name} {value}" for name, value in named if value)])


@verb(
    examples=(
        "export heart.puz",
        "export pdf",
        "export heart.manuscript.pdf",
        "export heart.puz --lossy",
        "export heart.ipuz --for crosshare",
        "export --preview",
        "export --all for-the-editor",
    ),
    asks=True,
    from_shell=FromShell(needs=Needs.NOTHING),
)
def export(
    session: Session,
    file: Path | None = argument(
        "its ending sets the format: .puz, .jpz, .pdf, .html and others; .key.pdf is the "
        "solution as a PDF, .manuscript.pdf the manuscript that newspapers ask for; "
        "`pdf` alone names the file after the puzzle, and `ipuz` makes NAME.export.ipuz beside your own NAME.ipuz",
        EXPORTED,
    ),
    how: _Export = options(_Export),
    folder: Path | None = option(
        "write every format into this folder", file_kind(), name="--all", metavar="FOLDER"
    ),
    preview: bool = option("show what each format, or the file's format, cannot hold, without writing anything"),
) -> Answer:
    """Export the puzzle for solvers, editors, other programs, print or the web.

    Pencil marks, locks, word lists, bans, rules, notes and snapshots are left out; they stay in your saved file.

    An existing file is not overwritten without `--force`, unless it is an unchanged export of the same puzzle.
    """
    file = file and _named_by_kind(session, file)
    if how.taker and how.with_work:
        raise VerbError("export: --for excludes --with-work")
    if folder is not None and (file is not None or preview):
        raise VerbError("export: --all takes a folder, not a file")
    with printed_on(how.paper or ""):
        return answered(_exported(session, how, file, folder, preview=preview))


def _named_by_kind(session: Session, file: Path) -> Path:
    """The file to write where a kind is named alone: `pdf`, or `manuscript` for `manuscript.pdf`."""
    named, kinds = str(file).lower().removeprefix("."), export_kinds()
    begun = [kind for kind in kinds if kind.startswith(f"{named}.")]
    kind = named if named in kinds else begun[0] if len(begun) == 1 else None
    return file if kind is None else export_path(session, kind)


def _exported(
    session: Session, how: _Export, file: Path | None, folder: Path | None, *, preview: bool
) -> ExportAnswer:
    puzzle, document = session.puzzle, session.document
    lossy, with_work, taker = how.lossy, how.with_work, how.taker or ""
    if folder is not None:
        own = full_path(document.path) if document.path is not None else None

        def guarded(path: Path) -> AbstractContextManager[None]:
            remedy = f"`{how.line} --all {in_quotes(str(folder))}`"
            return document.exported.writing(path, shown=path.name, remedy=remedy, force=how.force, lasts=True)

        stem = stem_of(Path(document.name))
        return file_answers.export_all(
            full_path(folder), stem, puzzle, own, lossy=lossy, with_work=with_work, taker=taker, guard=guarded
        )
    if preview:
        if file is not None:
            check_suffix(file)
        suffix = suffix_of(file) if file is not None else None
        return file_answers.preview(puzzle, suffix, with_work=with_work, taker=taker)
    if file is None:
        raise VerbError("export: name a file such as heart.puz, a format such as pdf, or --all and a folder")
    if document.is_kept_in(file):
        raise VerbError(
            f"{file}: that is your puzzle's own file: use `save`, or `export ipuz` for a copy for solvers"
        )
    guard = document.exported.guard(how.line, file, force=how.force, lasts=True)
    answer = file_answers.export_to(
        full_path(file), puzzle, lossy=lossy, with_work=with_work, taker=taker, guard=guard
    )
    note_kind(suffix_of(file).removeprefix("."))
    return answer

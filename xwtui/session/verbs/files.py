"""The verbs for files, each open in a tab: open, new, save, recover; and switching between tabs."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from click.shell_completion import CompletionItem

from xwtui.errors import VerbError
from xwtui.lazy import lazy_imports
from xwtui.model import Puzzle, Symmetry, edits
from xwtui.session.answers import ImmediateAnswer, JsonShape
from xwtui.session.recent import recent_except
from xwtui.session.verbs import kinds
from xwtui.session.verbs.verb import OF_GRID, Answer, Group, Reply, argument, option, verbs_of
from xwtui.text import listed

with lazy_imports():
    import difflib

    from xwtui.formats.intake import ReadOptions
    from xwtui.formats.registry import read_puzzle, suffixes_to_read
    from xwtui.grids.library import layout_library
    from xwtui.grids.profiles import Profile, blank_puzzle, profile_files
    from xwtui.grids.templates import Template
    from xwtui.session.messages import Saved
    from xwtui.session.open_puzzles import OpenPuzzles, give_up_in_words, puzzles_of, tabs_of
    from xwtui.session.recovery import Recovery, discarded_copies, left_elsewhere
    from xwtui.session.session import Session


verb = verbs_of(Group.FILE)

_USUAL_ROWS = "15"
_MOST_COPIES = 50


def _puzzle_files(session: Session, beginning: str) -> list[kinds.Item]:
    """Complete puzzle files; before anything is typed, recently opened ones come first."""
    recent = [] if beginning else [CompletionItem(*one) for one in recent_except(session.document.path)]
    return [*recent, *kinds.file_offers(beginning, suffixes_to_read())]


PUZZLE_FILE = replace(kinds.file_kind(), offers=_puzzle_files)


def _template_offers(session: Session, beginning: str) -> list[kinds.Item]:
    """Complete templates, shipped and the user's own, then files."""
    templates = kinds.offered(dict.fromkeys(_templates(), "template"), beginning)
    return [*templates, *kinds.file_offers(beginning, suffixes_to_read())]


TEMPLATE = kinds.ParameterKind("template", lambda text, session: text, _template_offers)
"""A number of rows, the name of a template, or a file."""


_PROFILE_OFFERS = kinds.among(lambda: list(profile_files()))


@kinds.parameter_kind("outlet", _PROFILE_OFFERS)
def _OUTLET(text: str, session: Session) -> Profile:
    """A profile by name. Unlike `PROFILE`, it does not make the search for a profile's name find the verb."""
    return kinds.PROFILE.read(text, session)


@kinds.parameter_kind("columns", _PROFILE_OFFERS)
def _COLUMNS(text: str, session: Session) -> int | Profile:
    """A number of columns, or the name of a profile."""
    return kinds.PROFILE.read(text, session) if text.strip() in profile_files() else kinds.SIDE.read(text, session)


def _templates() -> dict[str, Template]:
    return {template.name: template for template in layout_library()}


def _check_saved(session: Session, what: str) -> None:
    if session.document.is_modified:
        hint = "`tab open FILE` opens another beside it, " if puzzles_of(session) is not None else ""
        raise VerbError(
            f"{session.document.name} has unsaved changes: `save` first, {hint}or `{what} --force` discards them"
        )


strict_option = option("refuse a file that cannot be read exactly")
key_option = option(
    "unlock a .puz file with its four-digit key, or `any` to try every key", default="", metavar="KEY"
)


@verb("open puzzles/heart.ipuz", "open locked.puz --key any", asks=True)
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
    if puzzles is not None and puzzles.opens_new_tab and not force:
        return opened(puzzles.open(file, options))
    if not force:
        _check_saved(session, "open")
    notes: list[str] = []
    session.open(file, options=options, first=lambda: notes.append(give_up_in_words(session)))
    return opened(session, *notes)


def opened(session: Session, given_up: str = "") -> Reply:
    """Return the message about an opened puzzle, and about the work `given_up` for it."""
    grid = session.puzzle.grid
    summary = f"{session.document.name}: {grid.height}×{grid.width}, {len(grid.entries)} entries"
    left = _left_on(session)
    offered = f"there is {left.describe()}: `recover` restores it" if left is not None else ""
    words = "; ".join(filter(None, (summary, session.document.in_use_words, given_up, offered)))
    return Reply((words,), opened=True)


def _left_on(session: Session) -> Recovery | None:
    return next(iter(session.recoveries([session.document.path])), None)


@verb("recover")
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
    description = left.describe()
    if (puzzles := puzzles_of(session)) is not None:
        puzzles.recover(left)
    else:
        _check_saved(session, "open")
        session.recover(left)
    return f"continuing with {description}"


@verb("discarded", "discarded 2")
def discarded(
    session: Session,
    number: int | None = argument("the number in the list of the one to bring back", kinds.number_kind(1, 9999)),
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
    description, puzzle = copy.describe(), copy.puzzle
    begin(session, puzzle, "discarded", is_drawn=True, made_by="discarded work brought back")
    return f"brought back without a file: {description}"


@verb("warnings", from_shell=OF_GRID)
def warnings(session: Session) -> Answer:
    """List what could not be read exactly from the puzzle's file.

    It names each square, clue or text that xwtui cannot hold, and what it became. `open --strict` refuses such
    files.
    """
    found = session.document.read_warnings
    lines = [
        line
        for one in found
        for line in (f"{one.deviation.value}:", *(f"  {each.words}" for each in one.deviants))
    ]
    places = JsonShape("where file=was? now?")
    document = JsonShape(
        lambda one: {"kind": one.deviation.name.lower()}, "words=deviation", ("places=deviants", places)
    ).convert(found)
    return ImmediateAnswer(lines or ["the puzzle was read exactly from its file"], {"warnings": document})


@verb("new 15 15 --symmetry rot180", "new 21", "new 15x15-01", "new --profile british", "new 12 barred")
def new(
    session: Session,
    what: str | None = argument("number of rows (default: 15), a template's name, or a file", TEMPLATE),
    columns: int | Profile | None = argument("number of columns (default: as many as rows)", _COLUMNS),
    outlet: Profile | None = argument("a profile, as --profile", _OUTLET),
    symmetry: Symmetry | None = option("the symmetry of blocks", kinds.SYMMETRY),
    profile: Profile | None = option("an outlet's requirements for the grid", kinds.PROFILE),
    force: bool = option("replace the current puzzle; `discarded` brings unsaved changes back"),
) -> Answer:
    """Start a puzzle: blank, from a template, or with an outlet's profile, which sets the size if you name none.

    On the screen, a puzzle in progress stays open and the new one gets its own tab.
    """
    named = [one for one in (columns, outlet, profile) if one is not None and not isinstance(one, int)]
    if len(named) > 1:
        raise VerbError("new: a puzzle has one profile")
    profile = named[0] if named else None
    width = columns if isinstance(columns, int) else None
    if what is None:
        what = "{}x{}".format(*profile.usual_size) if profile is not None else _USUAL_ROWS
    rows = re.fullmatch(r"(\d{1,3})(?:[xX×](\d{1,3}))?", what)
    if width is not None and (rows is None or rows[2]):
        raise VerbError(f"new: {what!r} is not a number of rows")
    if rows is None:
        puzzle = _from_template(what, symmetry)
        puzzle = puzzle if profile is None else replace(puzzle, profile=profile.name)
    else:
        height = int(rows[1])
        width = width or int(rows[2] or height)
        if profile is None:
            puzzle = Puzzle.blank(height, width, symmetry or Symmetry.ROTATION_180)
        else:
            puzzle = blank_puzzle(profile, height, width, symmetry)
    note = begin(session, puzzle, "new", force=force, is_external=rows is None)
    grid = puzzle.grid
    under = f", profile {puzzle.profile}" if puzzle.profile else ""
    summary = f"new: {grid.height}×{grid.width}, {puzzle.symmetry.words}{under}"
    return "; ".join(filter(None, (summary, note)))


def begin(
    session: Session,
    puzzle: Puzzle,
    what: str,
    *,
    force: bool = False,
    is_drawn: bool = False,
    is_external: bool = False,
    replayed: str = "",
    made_by: str = "",
) -> str:
    """Start a document without a file, made here or read, in a tab of its own if the face has tabs.

    A puzzle with letters, or one that `is_drawn` and so exists nowhere else, counts as unsaved from the start,
    unless it shows the trace named by `replayed`. An empty grid with only texts, such as a title, is replaced and
    passes its texts on. Raises VerbError if the verb `what` would discard unsaved changes, unless `force` is set.
    Returns how to get those back. The first edit is labeled `made_by`, or else `what`.
    """
    if session.document.has_only_texts and not force:
        session.new(puzzle.with_texts_of(session.puzzle), made_by or what, is_external=is_external)
        return ""
    puzzles = puzzles_of(session)
    has_letters = bool(puzzle.grid.contents)
    is_work = not replayed and (is_drawn or has_letters)
    made_by = (made_by or what) if is_work else ""
    if puzzles is not None and puzzles.opens_new_tab and not force:
        puzzles.new(puzzle, made_by, is_external=is_external, named=replayed)
        return ""
    if not force:
        _check_saved(session, what)
    note = give_up_in_words(session)
    session.new(puzzle, made_by, is_external=is_external, named=replayed)
    return note


def _from_template(name: str, symmetry: Symmetry | None) -> Puzzle:
    templates, path = _templates(), Path(name).expanduser()
    template = templates.get(name)
    if template is None and not path.suffix and not path.exists():
        near = difflib.get_close_matches(name, templates, 3)
        named = f"; similar names: {listed(near, 'and')}" if near else ""
        named = f"; `new --profile {name}` starts a blank one" if name in profile_files() else named
        raise VerbError(f"new: there is no template {name!r}{named}")
    puzzle = template.puzzle if template is not None else read_puzzle(path)
    return puzzle if symmetry is None else edits.set_symmetry(puzzle, symmetry)


@verb("save", "save heart.ipuz")
def save(
    session: Session,
    file: Path | None = argument("an .ipuz file (default: the puzzle's own file)", kinds.file_kind(".ipuz")),
    force: bool = option("overwrite another or a changed file; make a missing folder"),
) -> Answer:
    """Save the puzzle and all work on it, as ipuz."""
    saved = Saved(session.save(file, force=force), session.left_out_words)
    return "; ".join(filter(None, (saved.words, session.document.in_use_words)))


def _puzzles(session: Session) -> OpenPuzzles:
    puzzles = puzzles_of(session)
    if puzzles is None:
        raise VerbError("there are no tabs here: one puzzle is open")
    return puzzles


@kinds.parameter_kind(
    "number", lambda session, _: [CompletionItem(str(tab.number), help=tab.name) for tab in tabs_of(session)]
)
def TAB(text: str, session: Session) -> int:
    """The number of a tab, counted from 1."""
    if not text.isdecimal():
        raise VerbError(f"name a tab by its number, such as `tab 2`, not {text[:20]!r}")
    return int(text[:9])


@verb("tab", "tab 2", group=Group.SESSION)
def tab(
    session: Session, number: int | None = argument("the tab's number; lists all tabs if left out", TAB)
) -> Answer:
    """Switch to another open puzzle.

    Each tab keeps its own undo, cursor and running work.
    """
    puzzles = _puzzles(session)
    if number is None:
        lines = []
        for one in puzzles.tabs:
            sign, star = ("▸" if one.is_current else " "), ("*" if one.is_modified else "")
            lines.append(f"{sign} {one.number} {one.name}{star}" + ("  working" if one.is_busy else ""))
        return lines
    puzzles.show(number)
    return _in_front(puzzles)


def _in_front(puzzles: OpenPuzzles) -> str:
    tabs = puzzles.tabs
    here = next(one for one in tabs if one.is_current)
    return f"tab {here.number} of {len(tabs)}: {here.name}"


@verb("tab next", group=Group.SESSION)
def tab_next(session: Session) -> Answer:
    """Switch to the next tab, from the last to the first."""
    puzzles = _puzzles(session)
    puzzles.step(1)
    return _in_front(puzzles)


@verb("tab previous", group=Group.SESSION)
def tab_previous(session: Session) -> Answer:
    """Switch to the previous tab, from the first to the last."""
    puzzles = _puzzles(session)
    puzzles.step(-1)
    return _in_front(puzzles)


@verb("tab open puzzles/heart.ipuz", group=Group.SESSION, asks=True)
def tab_open(
    session: Session,
    file: Path = argument("a puzzle in any format that xwtui reads", PUZZLE_FILE),
    strict: bool = strict_option,
    key: str = key_option,
) -> Answer:
    """Open a puzzle file in a new tab, or switch to the tab that has it."""
    return opened(_puzzles(session).open(file, ReadOptions(strict, key)))


@verb("tab close", "tab close --force", group=Group.SESSION)
def tab_close(
    session: Session, force: bool = option("discard unsaved changes; `discarded` brings them back")
) -> Answer:
    """Close the current puzzle and stop its work."""
    puzzles = _puzzles(session)
    name = session.document.name
    note = puzzles.close(force=force)
    return "; ".join(filter(None, (f"closed {name}", note, _in_front(puzzles))))

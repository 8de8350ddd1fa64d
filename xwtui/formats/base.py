"""The interface of formats, limits that all formats share, and atomic writing of files."""

import contextlib
import errno
import os
import stat
from collections.abc import Callable, Container, Iterable, Iterator
from contextvars import ContextVar
from pathlib import Path
from typing import NamedTuple

from xwtui.errors import PuzzleFormatError, failing_as
from xwtui.formats.intake import Intake
from xwtui.model import Grid, Kind, Puzzle
from xwtui.model.review import link_words
from xwtui.model.slots import LinkedLights
from xwtui.reading import DAY, remove_stale
from xwtui.text import first_named, listed

MAX_FILE_BYTES = 4 * 1024 * 1024
"""Maximum size of a puzzle file; a 40x40 puzzle with its clues takes less than a tenth of it."""

MAX_CLUES = 10_000
"""Maximum number of clues in a file; a 40x40 puzzle has some 1,000 entries."""


def check_clue_count(count: int) -> None:
    """Raise PuzzleFormatError if a file has more clues than any puzzle."""
    if count > MAX_CLUES:
        raise PuzzleFormatError(f"{count:,} clues are too many for a puzzle; the limit is {MAX_CLUES:,}")


class Written(NamedTuple):
    """A puzzle as the bytes of a file, with a warning for everything that was left out."""

    data: bytes
    warnings: tuple[str, ...]
    kept_back: tuple[str, ...] = ()
    """Phrases for the constructor's private data, left out on purpose: `2 snapshots`."""


Reader = Callable[[bytes, Intake], Puzzle]
"""Reads a puzzle from the bytes of a file."""


def never(data: bytes) -> bool:
    """Return False: the `looks_like` test of formats that bytes alone cannot identify."""
    return False


class Format(NamedTuple):
    """One file format.

    `read` parses bytes and notes in the intake what it could not read exactly. It raises PuzzleFormatError for
    bytes that are not a puzzle, and PuzzleError, which `parse_bytes` converts to PuzzleFormatError, for one that
    the model cannot hold. `read` is None for write-only formats. `write` takes the puzzle and whether losses are
    allowed; it is None for read-only formats. `looks_like` guesses whether bytes from an unnamed source have this
    format. `publish` writes only what solvers and editors may see, in a format whose `write` keeps all work.
    """

    name: str
    suffixes: tuple[str, ...]
    read: Reader | None
    write: Callable[[Puzzle, bool], Written] | None
    looks_like: Callable[[bytes], bool] = never
    publish: Callable[[Puzzle, bool], Written] | None = None


class Losses:
    """Collects what a format cannot hold; with a puzzle, its clues of other answers come first."""

    def __init__(self, format_name: str, puzzle: Puzzle | None = None) -> None:
        self._format_name = format_name
        self._found: list[tuple[str, str]] = []
        self._expected: list[str] = []
        if puzzle is not None:
            add_stale_clues(puzzle, self)

    def expect(self, what: str) -> None:
        """Note something that nobody expects the format to hold: a warning, never an error."""
        self._expected.append(f"{self._format_name} has no place for {what}")

    def tell(self, what: str) -> None:
        """Note something that could not be written exactly: a warning, never an error."""
        self._expected.append(f"{self._format_name} {what}")

    def add(self, what: str, places: Iterable[object], remedy: str) -> None:
        """Note a loss at some squares or entries, if any; `remedy` describes the result in a lossy file."""
        if named := name_places(places):
            self._found.append((f"{what} at {named}", remedy))

    def settle(self, *, lossy: bool) -> tuple[str, ...]:
        """Return the warnings if losses are allowed; otherwise raise PuzzleFormatError if there is any loss."""
        if self._found and not lossy:
            told = "; nor ".join(f"{what} (with --lossy: {remedy})" for what, remedy in self._found)
            raise PuzzleFormatError(f"{self._format_name} cannot hold {told}")
        found = (f"{self._format_name} cannot hold {what}: {remedy}" for what, remedy in self._found)
        return (*found, *self._expected)


def name_places(places: Iterable[object]) -> str:
    """Return `r1c1, r1c2 and 3 more`, or an empty string for no places."""
    return first_named([str(place) for place in places])


def add_voids(grid: Grid, losses: Losses) -> None:
    """Note the voids, for a format that has only blocks."""
    losses.add("voids", (at for at in grid.positions() if grid[at].kind is Kind.VOID), "they become blocks")


def note_across_lite_squares(grid: Grid, losses: Losses) -> None:
    """Note squares that neither of Across Lite's formats, binary or text, can hold."""
    add_voids(grid, losses)
    contents = grid.contents
    losses.add("empty squares", (at for at in grid.open_positions() if at not in contents), "they become '-'")
    two = (at for at, content in contents.items() if content.is_schroedinger)
    losses.add("two answers in a square", two, "each becomes a rebus with a slash, like X/O")


def without_bars(grid: Grid, losses: Losses) -> Grid:
    """Return the grid without its bars, noting their loss."""
    beside = {position for bar in grid.bars for position in bar}
    losses.add("bars", sorted(beside), "left out, which joins entries")
    return grid.with_bars(()) if grid.bars else grid


def add_lost_clues(puzzle: Puzzle, flat: Grid, losses: Losses) -> None:
    """Note the clues of entries that do not exist in the grid without bars."""
    kept = {(slot.start, slot.direction) for slot in flat.slots}
    lost = [
        slot.name
        for slot in puzzle.grid.slots
        if puzzle.kept_clue(slot) and (slot.start, slot.direction) not in kept
    ]
    losses.add("the clues", lost, "left out: they are not entries without bars")
    add_lost_links(puzzle, set(flat.waiting_links) - set(puzzle.grid.waiting_links), losses)


def add_stale_clues(puzzle: Puzzle, losses: Losses) -> None:
    """Note the stale clues, whose answers are not in their entries."""
    places = [f"{stale.slot.name} (of {stale.clue.answer})" for stale in puzzle.stale_clues]
    losses.add("clues of other answers", places, "left out; these entries have none")
    add_orphaned_clues(puzzle, losses)


def add_orphaned_clues(puzzle: Puzzle, losses: Losses) -> None:
    """Note the clues of entries that no longer exist, and the inactive links."""
    if named := name_places(clue.words for clue in puzzle.orphaned_clues):
        losses.expect(f"clues of entries that no longer exist: {named}")
    add_lost_links(puzzle, puzzle.grid.waiting_links, losses)


def add_lost_links(puzzle: Puzzle, lost: Container[LinkedLights], losses: Losses) -> None:
    """Note the links of a puzzle that are lost."""
    named = zip(puzzle.grid.links, link_words(puzzle), strict=True)
    if links := [words for link, words in named if link in lost]:
        losses.expect(f"the link of {'; '.join(links)}")


def add_grid_only(puzzle: Puzzle, losses: Losses) -> None:
    """Note all losses of a format that holds only letters and blocks: bars, marks, title page and clues."""
    grid = puzzle.grid
    without_bars(grid, losses)
    losses.add("circles", (at for at in grid.positions() if grid[at].circle), "left out")
    losses.add("shade", (at for at in grid.positions() if grid[at].shade), "left out")
    add_no_titles(puzzle, losses)
    stale = {each.slot for each in puzzle.stale_clues}
    if named := name_places(slot.name for slot in grid.slots if slot in stale or puzzle.kept_clue(slot)):
        losses.expect(f"the clues of {named}")
    add_orphaned_clues(puzzle, losses)
    add_lost_links(puzzle, set(puzzle.grid.links) - set(puzzle.grid.waiting_links), losses)


def add_no_titles(puzzle: Puzzle, losses: Losses, kept: Container[str] = ()) -> None:
    """Note which of title, author, copyright and notes are lost in a format that has only those in `kept`."""
    titles = {"title": puzzle.title, "author": puzzle.author, "copyright": puzzle.copyright, "notes": puzzle.notes}
    if lost := [name for name, text in titles.items() if text and name not in kept]:
        losses.expect(f"the {listed(lost, 'and')}")


def add_no_clues(puzzle: Puzzle, losses: Losses) -> None:
    """Note that a picture has no clues, if the puzzle has any."""
    if puzzle.stale_clues or any(puzzle.kept_clue(slot) for slot in puzzle.grid.slots):
        losses.expect("the clues")


PAPER: ContextVar[str] = ContextVar("paper", default="")
"""The paper size for printable files, `a4` or `letter`; empty for the default of the user's country."""


@contextlib.contextmanager
def printed_on(paper: str) -> Iterator[None]:
    """Use this paper size for printable files within the context."""
    before = PAPER.set(paper)
    try:
        yield
    finally:
        PAPER.reset(before)


def make_folder(folder: Path) -> None:
    """Create a folder for files unless it exists; raises OSError if its parent is missing."""
    if not folder.absolute().parent.is_dir():
        raise OSError(errno.ENOENT, f"there is no folder {folder.parent}")
    folder.mkdir(exist_ok=True)


_TEMPORARY = ".xwtui-{}.tmp"


def write_atomically(path: Path, data: bytes) -> None:
    """Replace a file's content atomically.

    A symbolic link stays a link, an existing file keeps its permissions, and anything but a regular file (a pipe,
    a terminal) is written to directly. Raises PuzzleFormatError, leaving the old file unchanged, if the folder is
    missing, forbidden or full. Temporary files of killed programs are removed from the folder after a day.
    """
    with failing_as(PuzzleFormatError, f"cannot write {path}", of=(OSError, RuntimeError)):
        target = path.resolve()
        if target.is_symlink():  # a loop of links, for which resolve raises only before Python 3.13
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
        if not target.parent.is_dir():
            raise OSError(errno.ENOENT, f"there is no folder {target.parent}")
        old = target.stat() if target.exists() else None
        if old is not None and not stat.S_ISREG(old.st_mode):
            target.write_bytes(data)
            return
        if old is not None and not os.access(target, os.W_OK):
            raise PermissionError(0, "it is read-only")
        _replace(target, data, old)


def _replace(target: Path, data: bytes, old: os.stat_result | None) -> None:
    temporary = target.with_name(_TEMPORARY.format(os.urandom(8).hex()))
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    try:
        try:
            if old is not None:
                with contextlib.suppress(OSError, AttributeError):
                    os.fchown(descriptor, old.st_uid, old.st_gid)
                with contextlib.suppress(OSError, AttributeError):
                    os.fchmod(descriptor, stat.S_IMODE(old.st_mode))
            rest = memoryview(data)
            while rest:
                rest = rest[os.write(descriptor, rest) :]
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    with contextlib.suppress(OSError):  # make the renaming survive a power cut, if the system can
        folder = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    remove_stale(target.parent, _TEMPORARY.format("[0-9a-f]" * 16), DAY)


_FORMULA = ".cnf"


def write_proof(path: Path, steps: str, formula: str = "") -> None:
    """Write a proof, and its formula as `.cnf` next to it, each atomically; raises PuzzleFormatError."""
    if formula:
        write_atomically(path.with_suffix(_FORMULA), formula.encode())
    write_atomically(path, steps.encode())


def files_of_proof(path: Path) -> tuple[Path, ...]:
    """Return the files that a proof may be written to: its own and that of its formula."""
    return (path, path.with_suffix(_FORMULA)) if path.suffix.lower() == ".drat" else (path,)

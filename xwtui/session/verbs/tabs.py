"""The verbs for several puzzles: each open one is a tab, one of them in front."""

from __future__ import annotations

from pathlib import Path

from click.shell_completion import CompletionItem

from xwtui.errors import VerbError
from xwtui.lazy import lazy_imports
from xwtui.session.verbs.files import PUZZLE_FILE, key_option, opened, strict_option
from xwtui.session.verbs.kinds import Item, parameter_kind
from xwtui.session.verbs.verb import Answer, Group, argument, option, verbs_of

with lazy_imports():
    from xwtui.formats.intake import ReadOptions
    from xwtui.session.open_puzzles import OpenPuzzles, Tab, puzzles_of, tabs_of
    from xwtui.session.session import Session

verb = verbs_of(Group.SESSION)


def _puzzles(session: Session) -> OpenPuzzles:
    puzzles = puzzles_of(session)
    if puzzles is None:
        raise VerbError("there are no tabs here: one puzzle is open")
    return puzzles


def _tab_offers(session: Session, beginning: str) -> list[Item]:
    """The tabs that there are, with their puzzles."""
    return [CompletionItem(str(tab.number), help=tab.name) for tab in tabs_of(session)]


@parameter_kind("number", _tab_offers)
def TAB(text: str, session: Session) -> int:
    """The number of a tab, from 1 on."""
    if not text.isdecimal():
        raise VerbError(f"name a tab by its number, such as `tab 2`, not {text[:20]!r}")
    return int(text[:9])


@verb(examples=("tab", "tab 2"))
def tab(
    session: Session, number: int | None = argument("the tab's number; lists all tabs if left out", TAB)
) -> Answer:
    """Switch to another open puzzle.

    Each tab keeps its own undo, cursor and running work.
    """
    puzzles = _puzzles(session)
    if number is None:
        return [_line(one) for one in puzzles.tabs]
    puzzles.show(number)
    return _in_front(puzzles)


def _line(one: Tab) -> str:
    sign, star = ("▸" if one.is_current else " "), ("*" if one.is_modified else "")
    return f"{sign} {one.number} {one.name}{star}" + ("  working" if one.is_busy else "")


def _in_front(puzzles: OpenPuzzles) -> str:
    tabs = puzzles.tabs
    here = next(one for one in tabs if one.is_current)
    return f"tab {here.number} of {len(tabs)}: {here.name}"


@verb(examples=("tab next",))
def tab_next(session: Session) -> Answer:
    """Switch to the next tab, from the last to the first."""
    puzzles = _puzzles(session)
    puzzles.step(1)
    return _in_front(puzzles)


@verb(examples=("tab previous",))
def tab_previous(session: Session) -> Answer:
    """Switch to the previous tab, from the first to the last."""
    puzzles = _puzzles(session)
    puzzles.step(-1)
    return _in_front(puzzles)


@verb(examples=("tab open puzzles/heart.ipuz",), asks=True)
def tab_open(
    session: Session,
    file: Path = argument("a puzzle in any format that xwtui reads", PUZZLE_FILE),
    strict: bool = strict_option,
    key: str = key_option,
) -> Answer:
    """Open a puzzle file in a new tab, or switch to the tab that has it."""
    return opened(_puzzles(session).open(file, ReadOptions(strict, key)))


@verb(examples=("tab close", "tab close --force"))
def tab_close(
    session: Session, force: bool = option("discard unsaved changes; `discarded` brings them back")
) -> Answer:
    """Close the current puzzle and stop its work."""
    puzzles = _puzzles(session)
    name = session.document.name
    told = puzzles.close(force=force)
    return "; ".join(filter(None, (f"closed {name}", told, _in_front(puzzles))))

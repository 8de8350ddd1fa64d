"""Starts the REPL on whatever stdin and stdout are, with a line of figures below the prompt."""

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from xwtui.formats.intake import PLAINLY, ReadOptions
from xwtui.interrupts import Exit, Terminated, interrupt_flag
from xwtui.memory import give_memory_back
from xwtui.model import Grid
from xwtui.printing import wants_colours
from xwtui.repl.bulletin import Bulletin
from xwtui.repl.dialogue import Dialogue
from xwtui.repl.line_runner import Output
from xwtui.repl.lines import Lines, PipedLines, PromptLines, VerbCompleter, open_history
from xwtui.session.jobs.scheduler import SECONDS_A_TURN
from xwtui.session.layout_answers import hints_line
from xwtui.session.messages import Message
from xwtui.session.open_puzzles import OpenPuzzles, SessionMaker
from xwtui.session.recent import RecentPuzzles
from xwtui.session.session import Session
from xwtui.session.settings import load_settings
from xwtui.text import writable

if TYPE_CHECKING:
    from xwtui.engine.candidates.options import SlotOptions


def toolbar_text(session: Session, bulletin: Bulletin) -> str:
    """The parts that are known, in an order that stays."""
    grid = session.puzzle.grid
    filled = sum(grid.answer(slot) is not None for slot in grid.entries)
    parts = [f"{filled}/{len(grid.entries)} entries"]
    latest = session.jobs.live_counts.view
    if session.jobs.prove_no_fill and not latest.reason:
        parts.append("no fill (proved)")
    elif latest.reason:
        parts.append(f"no fill: {latest.reason}")
    else:
        parts.append(_emptiest(grid, latest.options))
        if latest.estimate is not None:
            parts.append(latest.estimate.describe() + (" (before the last change)" if latest.stale else ""))
    parts.append(_live(session))
    return " " + "  ·  ".join(part for part in [*parts, bulletin.engine] if part)


def _live(session: Session) -> str:
    """What the hints and the live fill have come to, where they are on."""
    if session.jobs.layout_hints.is_on:
        return hints_line(session.jobs.layout_hints.view)
    if not session.settings.live_fill:
        return ""
    live = session.jobs.live_fill.view
    if live is None or live.is_searching:
        return "live fill …"
    return f"live fill: {live.reason or 'one agrees, `fill` writes it'}"


def _emptiest(grid: Grid, options: Mapping[str, "SlotOptions"]) -> str:
    """The unfinished entry with the fewest options."""
    open_slots = [slot.name for slot in grid.entries if slot.name in options and grid.answer(slot) is None]
    if not open_slots:
        return ""
    name = min(open_slots, key=lambda name: options[name].after_propagation)
    return f"emptiest {name}: {options[name].after_propagation:,}"


def start_repl(puzzle: Path | None, options: ReadOptions = PLAINLY) -> Exit:
    """Hold a dialogue until the constructor quits; returns the exit status.

    Raises PuzzleFormatError where the puzzle cannot be read as the options say.
    """
    sys.setswitchinterval(SECONDS_A_TURN)
    give_memory_back()
    bulletin = Bulletin()
    settings = load_settings()
    puzzles = heard_in(bulletin, lambda listener: Session(listener, settings=settings))
    with closing_safely(puzzles):
        lines = _lines(puzzles, bulletin)
        return Dialogue(puzzles, bulletin, lines, Output(), RecentPuzzles()).hold(puzzle, options)


def heard_in(bulletin: Bulletin, make: SessionMaker) -> OpenPuzzles:
    """Open puzzles of which a bulletin hears the one in front; each loads what it needs when it comes there."""

    def hear(session: Session, message: Message) -> None:
        if session is puzzles.current:
            bulletin.hear(message)

    puzzles = OpenPuzzles(make, hear)
    puzzles.on_change(Session.start)
    return puzzles


@contextmanager
def closing_safely(puzzles: OpenPuzzles) -> Iterator[None]:
    """Close all sessions at the end; what a run has found when SIGTERM or SIGHUP comes is unsaved work."""
    try:
        yield
    except Terminated:
        with interrupt_flag():
            for session in puzzles.sessions:
                session.stop()
        raise
    finally:
        puzzles.end()


def _lines(puzzles: OpenPuzzles, bulletin: Bulletin) -> Lines:
    """A prompt where both ends are a terminal, plain lines elsewhere."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return PipedLines()
    lines = PromptLines(
        VerbCompleter(lambda: puzzles.current),
        open_history(),
        lambda: writable(toolbar_text(puzzles.current, bulletin), sys.stdout.encoding),
        colours=wants_colours(sys.stdout),
    )
    bulletin.refresh = lines.refresh
    return lines

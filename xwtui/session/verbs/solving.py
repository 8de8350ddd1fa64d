"""The verbs of test-solving: entering letters into an empty grid, checking, revealing, and notes on clues."""

from __future__ import annotations

from xwtui.errors import LockedError, VerbError
from xwtui.lazy import lazy_imports
from xwtui.model import Ink, Slot
from xwtui.model.answers import slot_taking
from xwtui.model.puzzle import LONGEST_TEXT
from xwtui.session.verbs import kinds
from xwtui.session.verbs.verb import Answer, Group, Reply, argument, option, verbs_of
from xwtui.text import counted

with lazy_imports():
    from xwtui.model.edits import clear_squares, place_answer
    from xwtui.session.session import Session
    from xwtui.session.solving import Solving, checked_words, clock_words, revealed_words

verb = verbs_of(Group.SOLVE)

ALL = "all"
_several = kinds.squares_kind(ALL)


@verb("solve", "solve --anew")
def solve(session: Session, anew: bool = option("start over with an empty grid and the clock at zero")) -> Answer:
    """Test-solve the puzzle from its clues, with a clock, check, reveal and notes.

    The puzzle itself does not change, except for notes on clues. On the screen, Esc leaves, and your entries are
    there when you return. In the REPL, lines go to the solving until `leave`: `17A WORD`, `check`, `reveal 17A`,
    `note 17A too hard`, `clues`, `pause`; other verbs work as usual.
    """
    if not session.puzzle.grid.slots:
        raise VerbError("solve: there are no entries yet")
    solving = session.document.solving
    solving.begin(anew=anew)
    solving.is_on = True
    return _shown(*progress_lines(solving))


def _shown(*lines: str) -> Reply:
    return Reply(lines, solves=True, shows_grid=True)


def progress_lines(solving: Solving) -> tuple[str, ...]:
    """Return the progress of the solving: `31 of 78 squares, 2:05`."""
    attempt, squares = solving.attempt, list(solving.answers.open_positions())
    filled = sum(attempt.grid[at].content is not None for at in squares)
    text = f"{filled} of {len(squares)} squares, {clock_words(solving.clock.seconds)}"
    if solving.is_solved:
        revealed = len(attempt.revealed)
        text = f"solved in {clock_words(solving.clock.seconds)}"
        text += f", {counted(revealed, 'square')} revealed" if revealed else ""
    elif solving.is_full:
        text += "; something is wrong" if not solving.result.unknown else "; the puzzle is not finished"
    return (text + ("" if solving.clock.is_going or solving.is_solved else ", the clock is paused"),)


@verb("solve write 17A OREO", "solve write 9D [HEART]EN")
def solve_write(
    session: Session,
    entry: Slot = argument("entry", kinds.place_kind(squares=False, lights=True), default=kinds.HERE),
    answer: str = argument("the answer, without `?`; a rebus square as [HEART]", kinds.ANSWER),
) -> Answer:
    """Enter an answer in the solver's grid; in the REPL, `17A OREO` does the same while solving."""
    solving, letters = session.document.solving, answer.replace(" ", "")
    slot = slot_taking(solving.attempt.grid, entry, letters)
    solving.clock.go()
    try:
        solving.edit("solve", lambda puzzle: place_answer(puzzle, slot, letters))
    except LockedError:
        raise VerbError(f"{slot.name}: nothing entered; squares known to be right stay as they are") from None
    return _shown(*progress_lines(solving))


@verb("solve erase 17A")
def solve_erase(session: Session, place: kinds.Place = argument("entry, squares, or `all`", _several)) -> Answer:
    """Clear squares of the solver's grid, except those known to be right."""
    solving = session.document.solving
    grid = solving.attempt.grid
    squares = [at for at in kinds.squares_of(session, place) if grid[at].ink is not Ink.LOCKED]
    solving.edit("erase", lambda puzzle: clear_squares(puzzle, squares))
    return _shown(*progress_lines(solving))


@verb("solve check", "solve check 17A", "solve check r3c5")
def solve_check(
    session: Session,
    place: kinds.Place = argument("entry, squares, or `all` (the default)", _several, default=ALL),
) -> Answer:
    """Show which letters are wrong; the right ones are kept from then on."""
    solving = session.document.solving
    found = solving.check(kinds.squares_of(session, place))
    return _shown(checked_words(found))


@verb("solve reveal 17A", "solve reveal r3c5", "solve reveal all")
def solve_reveal(session: Session, place: kinds.Place = argument("entry, squares, or `all`", _several)) -> Answer:
    """Write the answer into squares of the solver's grid."""
    solving = session.document.solving
    words = revealed_words(solving.reveal(kinds.squares_of(session, place)))
    return _shown(f"{kinds.place_name(place)}: {words}", *progress_lines(solving))


@verb("solve pause")
def solve_pause(session: Session) -> Answer:
    """Pause or resume the clock."""
    clock = session.document.solving.clock
    if clock.is_going:
        clock.rest()
    else:
        clock.go()
    return Reply(progress_lines(session.document.solving), solves=True)


@verb("solve clues", "solve clues 17A")
def solve_clues(session: Session, entry: Slot | None = argument("an entry (default: all)", kinds.ENTRY)) -> Answer:
    """List the clues with what has been entered, as a solver sees them.

    Once everything is right, answers that differ from their entries are shown.
    """
    puzzle, grid = session.puzzle, session.document.solving.attempt.grid
    slots = [entry] if entry is not None else puzzle.grid.clue_slots
    lines = []
    for slot in slots:
        note = puzzle.solver_note(slot)
        clue = puzzle.solver_clue(slot) or "no clue yet"
        entered = puzzle.shown_pattern(slot) if session.document.solving.is_solved else grid.pattern(slot)
        lines.append(f"{slot.label:>4}  {entered}  {clue}{f'  (note: {note})' if note else ''}")
    return lines


@verb("solve note 17A too hard for a Monday", "solve note 17A", "solve note --clear 17A")
def solve_note(
    session: Session,
    entry: Slot = kinds.entry_argument,
    text: str | None = argument("the note; shows it if left out", kinds.REST_OF_LINE),
    clear: bool = option("remove the note"),
) -> Answer:
    """Write a note on a clue; `clues`, `check` and the clue table show it."""
    if clear and text:
        raise VerbError("solve note: use either a text or --clear")
    if text and len(text) > LONGEST_TEXT:
        raise VerbError(f"this note has {len(text):,} characters; at most {LONGEST_TEXT:,} are allowed")
    if clear or text:
        session.edit(f"note {entry.name}", lambda puzzle: puzzle.with_solver_note(entry, text or ""))
    return f"{entry.name}: {session.puzzle.solver_note(entry) or 'no note'}"


@verb("solve leave")
def solve_leave(session: Session) -> Answer:
    """Stop solving; your entries stay and the clock pauses."""
    solving = session.document.solving
    solving.leave()
    return Reply(progress_lines(solving))

"""Editing by keyboard in the grid: moving, turning, typing, erasing, selecting."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, Protocol

from xwtui.errors import PuzzleError
from xwtui.lazy import lazy_pattern
from xwtui.model import Content, Direction, Grid, Ink, Position, Puzzle, Slot
from xwtui.model.edits import clear_squares, set_square
from xwtui.model.selection import rectangle
from xwtui.session.cursor import Cursor
from xwtui.session.session import Session
from xwtui.text import counted
from xwtui.words.normalise import normalise

AnswerSquare = tuple[Position, Direction]
"""A square of an answer, and the direction in which the answer reads it."""


class EditablePuzzle(Protocol):
    """An editable puzzle with a cursor, such as a session's."""

    cursor: Cursor

    @property
    def puzzle(self) -> Puzzle: ...

    def edit(
        self,
        label: str,
        function: Callable[[Puzzle], Puzzle],
        *,
        along: Slot | None = None,
        is_typed: bool = False,
    ) -> bool:
        """Change the puzzle by a pure function; returns whether that made a difference."""


_LONGEST_OVERFLOW = 30


class _Typed(NamedTuple):
    """The last letter typed, its square, and the cursor's move count after it."""

    at: Position
    text: str
    moves: int


class GridEditor:
    """The keyboard editing of a puzzle's grid. All methods may raise XwtuiError, with nothing changed."""

    def __init__(self, session: EditablePuzzle) -> None:
        self._session = session
        self._end_written: tuple[int, Content | None] | None = None
        """The cursor's move count and the content, when the last square of an entry was written."""
        self._typed: _Typed | None = None
        self._overflow = ""
        """The letters typed past the end of an entry since the last one written."""

    @property
    def _grid(self) -> Grid:
        return self._session.puzzle.grid

    @property
    def _here(self) -> Position:
        return self._session.cursor.position

    @property
    def _slot(self) -> Slot | None:
        return self._session.cursor.slot

    @property
    def direction(self) -> Direction:
        """The typing direction: that of the slot under the cursor, if there is one."""
        slot = self._slot
        return slot.direction if slot is not None else self._session.cursor.direction

    @property
    def _answer(self) -> Slot | None:
        """The entry that is typed into here: the slot under the cursor with all slots linked to it."""
        return None if self._slot is None else self._grid.entry_of(self._slot)

    def _path(self) -> Sequence[AnswerSquare]:
        """Return that entry's squares in reading order, through linked lights."""
        answer = self._answer
        return tuple(zip(answer.reading, answer.directions, strict=True)) if answer is not None else ()

    # Moving

    def arrow(self, direction: Direction, squares: int) -> None:
        """Move along the direction; across it, only turn. On a block, or where no slot allows turning, move."""
        can_turn = self._grid.slot_at(self._here, direction) is not None
        if direction is not self.direction and can_turn:
            self._session.cursor.move_to(self._here, direction)
            return
        target = self._here.step(direction, squares)
        if target in self._grid:
            self._session.cursor.move_to(target, direction)

    def turn(self) -> None:
        self._session.cursor.move_to(self._here, self.direction.other)

    def go(self, position: Position) -> None:
        """Go to a square; turn if the cursor is already there."""
        if position == self._here:
            self.turn()
        else:
            self._session.cursor.move_to(position)

    def go_to_entry(self, name: str) -> None:
        """Go to an entry's first empty square, or to its start."""
        slot = self._grid.slot(name)
        empty = (at for at in slot.positions if self._grid[at].content is None)
        self._session.cursor.move_to(next(empty, slot.start), slot.direction)

    def entry_on(self, entries: int) -> None:
        """Go forward or back by a number of entries, in clue order and wrapping around."""
        slots = self._grid.slots
        if not slots:
            return
        here = self._slot
        index = slots.index(here) + entries if here is not None else 0
        self.go_to_entry(slots[index % len(slots)].name)

    def entry_end(self, end: int) -> None:
        """Go to the first (-1) or last (1) square of the entry, including linked slots."""
        if path := self._path():
            self._session.cursor.move_to(*path[0 if end < 0 else -1])

    def grid_end(self, direction: Direction, end: int) -> None:
        """Go to the first (-1) or last (1) square of this row or column."""
        self._session.cursor.move_to(self._edge(direction, end))

    def _edge(self, direction: Direction, end: int) -> Position:
        row, column = self._here
        if direction is Direction.ACROSS:
            return Position(row, 0 if end < 0 else self._grid.width - 1)
        return Position(0 if end < 0 else self._grid.height - 1, column)

    def skip(self, direction: Direction, step: int) -> None:
        """Go past the next block in a direction: to the next square that follows a block, or to the edge."""
        target = self._here.step(direction, step)
        while target in self._grid and not self._begins_run(target, direction, step):
            target = target.step(direction, step)
        self._session.cursor.move_to(target if target in self._grid else self._edge(direction, step), direction)

    def _begins_run(self, position: Position, direction: Direction, step: int) -> bool:
        return self._grid[position].is_open and not self._grid.is_joined(position.step(direction, -step), position)

    # Writing

    def type_letter(self, text: str) -> None:
        """Write a letter or a digit as `write` does, but never over an entry's last square just written.

        The letter is normalized in the puzzle's alphabet. Typing on at the end of an entry is refused, until the
        cursor is moved or the square changes.
        """
        here, text = self._here, normalise(text, self._session.puzzle.alphabet)
        if self._completes_digraph(text):
            return
        if self._is_end_written and self._grid[here].ink is not Ink.LOCKED:
            self._overflow += text
            shown = (
                self._overflow
                if len(self._overflow) <= _LONGEST_OVERFLOW
                else f"…{self._overflow[-_LONGEST_OVERFLOW:]}"
            )
            size = len(self._path())
            name = self._answer.label if self._answer is not None else str(here)
            raise PuzzleError(
                f"{shown} was not written: {name} has {counted(size or 1, 'square')}; Tab goes to the next entry"
            )
        self._overflow = ""
        self.write(text)

    def forget_overflow(self) -> None:
        """Forget the letters that had no room: the next one is reported by itself."""
        self._overflow = ""

    def _completes_digraph(self, text: str) -> bool:
        """Complete a digraph of the alphabet in the square just typed in, if `text` is its last letter."""
        typed, self._typed = self._typed, None
        if typed is None or typed.moves != self._session.cursor.moves:
            return False
        both = f"{typed.text}{text}"
        if both not in self._session.puzzle.alphabet.digraphs:
            return False
        self._session.cursor.move_to(typed.at, self.direction)
        self.write(both)
        return True

    @property
    def has_begun_entry(self) -> bool:
        """Whether the last letter was typed just now, in an entry that is not full."""
        typed, answer = self._typed, self._answer
        is_new = typed is not None and typed.moves == self._session.cursor.moves
        return is_new and answer is not None and self._session.puzzle.grid.answer(answer) is None

    @property
    def _is_end_written(self) -> bool:
        """Whether the cursor is still on an entry's last square that it has just written."""
        return self._end_written == (self._session.cursor.moves, self._grid[self._here].content)

    def write(self, text: str) -> None:
        """Write a letter, a digit or a rebus string in pen, and move to the next square."""
        here, content = self._here, Content.parse(text)
        label = f"{here} = {content}"
        self._session.edit(
            label, lambda puzzle: set_square(puzzle, here, content), along=self._slot, is_typed=True
        )
        if not self._step(1):
            self._record_end()
        self._typed = _Typed(here, text, self._session.cursor.moves)

    def _record_end(self) -> None:
        self._end_written = self._session.cursor.moves, self._grid[self._here].content
        self._overflow = ""

    def paste(self, text: str) -> int:
        """Write letters, digits and bracketed rebus strings in pen along the entry, as one edit.

        Other characters are skipped. Returns how many pieces did not fit.
        """
        here, path = self._here, self._path()
        room = path[path.index((here, self.direction)) :] if path else ((here, self.direction),)
        room = () if self._is_end_written else room
        contents = [Content.parse(piece) for piece in self._pieces(text)]
        new = [(position, content) for (position, _), content in zip(room, contents, strict=False)]

        def written(puzzle: Puzzle) -> Puzzle:
            for position, content in new:
                puzzle = set_square(puzzle, position, content)
            return puzzle

        if new:
            self._session.edit(f"paste at {here}", written, is_typed=True)
            self._session.cursor.move_to(*room[min(len(new), len(room) - 1)])
            if len(new) == len(room):
                self._record_end()
        return max(len(contents) - len(room), 0)

    def _pieces(self, text: str) -> Iterator[str]:
        """Split pasted text into squares: normalized letters, digraphs, and the contents of brackets."""
        alphabet = self._session.puzzle.alphabet
        for piece in _PASTED.findall(text):
            if piece.startswith("["):
                yield self.spelled(str(Content.parse(piece)))
            else:
                yield from alphabet.units(normalise(piece, alphabet))

    def spelled(self, text: str) -> str:
        """Normalize the text typed for a square, such as `[Heart]` or `X/TIMES`, in the puzzle's alphabet."""
        readings = text.strip("[] ").split("/")
        return "/".join(normalise(reading, self._session.puzzle.alphabet) for reading in readings)

    def erase(self) -> None:
        here = self._here
        self._session.edit(f"clear {here}", lambda puzzle: clear_squares(puzzle, [here]))

    def erase_back(self) -> None:
        """Empty the square or, if it is empty, move back and empty the previous one."""
        square = self._grid[self._here]
        if (square.is_open and square.content is not None) or self._step(-1):
            self.erase()

    def _step(self, squares: int) -> bool:
        """Move forward or back within the entry; returns whether there was a square to move to.

        At the end of a linked light this continues in the next one. If that starts in the same square, the answer
        reads the square twice: moving forward only turns there, and moving back skips to another square.
        """
        path, step = self._path(), (self._here, self.direction)
        if step not in path:
            return False
        index = path.index(step) + squares
        while squares < 0 <= index and path[index][0] == self._here:
            index -= 1
        if not 0 <= index < len(path):
            return False
        self._session.cursor.move_to(*path[index])
        return True


_PASTED = lazy_pattern(r"\[[^\[\]]+\]|[^\W_]+")


class SelectionEditor:
    """The selection's keys for a session; a rectangle extends from its anchor to the cursor."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._anchor: Position | None = None
        self.is_on = False

    def extend(self, direction: Direction, squares: int) -> None:
        """Move the cursor and select the rectangle from the anchor."""
        here = self._session.cursor.position
        target = here.step(direction, squares)
        anchor = self._anchor if self._anchor is not None else here
        if target in self._session.puzzle.grid:
            self._session.cursor.move_to(target)
        self.select_rectangle(anchor, self._session.cursor.position)

    def select_rectangle(self, anchor: Position, corner: Position) -> None:
        self._anchor = anchor
        self._session.selection.select(rectangle(self._session.puzzle.grid, anchor, corner))

    def toggle(self) -> None:
        """Turn on or off selecting with every cursor move, from here."""
        self.is_on = not self.is_on
        here = self._session.cursor.position
        if self.is_on:
            self.select_rectangle(here, here)
        else:
            self._anchor = None

    def toggle_entry(self) -> None:
        """Add the current entry to the selection, or remove it."""
        slot = self._session.cursor.slot
        if slot is None:
            return
        self.stop_extending()
        own, chosen = frozenset(slot.positions), self._session.selection.squares
        self._session.selection.select(chosen - own if own <= chosen else chosen | own)

    def stop_extending(self) -> None:
        """Stop selecting with moves; the selection stays."""
        self.is_on, self._anchor = False, None

    def clear(self) -> bool:
        """Clear the selection; returns whether anything was selected."""
        self.stop_extending()
        had_selection = bool(self._session.selection.squares)
        self._session.selection.select(())
        return had_selection

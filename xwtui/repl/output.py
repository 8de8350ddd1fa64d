"""Where the REPL and scripts print: lines, errors and the grid."""

import shutil
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TextIO

from xwtui.printing import Line, Span, Style, draw_grid, drawing_width, paint, wants_colours
from xwtui.repl.bulletin import Note
from xwtui.session.messages import Severity
from xwtui.session.session import Session

_SEVERITY_STYLES = {
    Severity.INFORMATION: Style.LABEL,
    Severity.WARNING: Style.WARNING,
    Severity.ERROR: Style.ERROR,
}


def _stdout() -> TextIO:
    return sys.stdout


@dataclass
class Output:
    """Prints on a stream, with colours where it is a terminal that wants them."""

    stream: TextIO = field(default_factory=_stdout)

    def say(self, *lines: str, style: Style = Style.PLAIN) -> None:
        """Print lines, all in one style."""
        self.show((Span(line, style),) for line in lines)

    def show(self, lines: Iterable[Line]) -> None:
        """Print lines of styled spans."""
        for line in lines:
            self._print(line)
        self.stream.flush()

    def fail(self, *messages: str) -> None:
        """Print errors."""
        self.show((Span("! ", Style.ERROR), Span(message)) for message in messages)

    def tell(self, notes: Iterable[Note]) -> None:
        """Print what came from the workers."""
        for note in notes:
            self.say(note.text, style=_SEVERITY_STYLES[note.severity])

    def grid(self, session: Session) -> None:
        """Print the grid with what a stepped search has on it, and with clue numbers if there is room."""
        grid, run = session.puzzle.grid, session.jobs.fill.view
        squares = run.squares if run is not None else {}
        numbers = session.settings.numbers and self._has_columns(drawing_width(grid, numbers=True))
        self.show(draw_grid(grid, run=squares, numbers=numbers, ruled=session.puzzle.rules.squares))

    def _has_columns(self, columns: int) -> bool:
        return self.stream.isatty() and shutil.get_terminal_size().columns >= columns

    def _print(self, line: Iterable[Span]) -> None:
        print(paint(line, colours=wants_colours(self.stream)), file=self.stream)

"""What the editor says: in one line below the desk, whole above that where it is longer, and kept for a while."""

from __future__ import annotations

from collections import deque
from textwrap import wrap
from typing import TYPE_CHECKING

from rich.cells import cell_len

from xwtui.session.messages import Severity
from xwtui.text import printable
from xwtui.tui.fragments import Fragment, TwoEnds
from xwtui.tui.screens.overlays import ReplyScreen
from xwtui.tui.widgets.painted import Line, TextPanel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.screen import Screen

    from xwtui.tui.themes import Palette

_LONGEST_SAYING = 1_000
_MOST_KEPT = 50
_FOOTER = 1
"""Lines below the message."""
_LINES = ("title", "entry", "letters", "estimate", "run")


class Sayings:
    """One thing is said at a time, until the next key. What does not fit the line is laid over those above it.

    What the line above tells goes on in this one, where it is too long and nothing is said.
    """

    def __init__(self, screen: Screen[None]) -> None:
        self._screen = screen
        self._text = ""
        self._answer = ""
        """That, without what was added to it."""
        self._standing = TwoEnds()
        """What the line above tells."""
        self._kept: deque[str] = deque(maxlen=_MOST_KEPT)
        self._progress = ""
        """What was kept last of a run that goes on."""

    def say(self, text: str, severity: Severity, paint: Palette) -> None:
        """Say one thing; an empty text takes away what was said."""
        self._say(text, severity, paint)
        self.keep(self._text)

    def say_progress(self, text: str, paint: Palette) -> None:
        """Say how far a run has come; only the last of it is kept."""
        self.replace_progress()
        self._say(text, Severity.INFORMATION, paint)
        self.keep(self._text)
        self._progress = self._text

    def replace_progress(self) -> None:
        """Drop what was kept of the run that goes on: what comes next is said in its place."""
        if self._progress in self._kept:
            self._kept.remove(self._progress)
        self._progress = ""

    def begin_progress(self) -> None:
        """Another run begins, and what was said last of the one before it stays."""
        self._progress = ""

    def add(self, texts: Sequence[str], severity: Severity, paint: Palette, key: str) -> None:
        """Say what nobody asked for, of several things the first: what was said just now stays before it.

        All are kept, and the `key` that shows them is named.
        """
        answer, rest = self._answer, len(texts) - 1
        told = f"{texts[0]} and {rest} more; {key} shows all" if rest else texts[0]
        self._say(f"{answer}; {told}" if answer else told, severity, paint)
        self._answer = answer
        for text in reversed(texts):
            self.keep(text)

    def keep(self, text: str) -> None:
        if text and (not self._kept or self._kept[-1] != text):
            self._kept.append(printable(text, _LONGEST_SAYING))

    def _say(self, text: str, severity: Severity, paint: Palette) -> None:
        styles = {Severity.WARNING: paint.warning, Severity.ERROR: paint.bad}
        self._text = self._answer = printable(text, _LONGEST_SAYING)
        self._line.left = [(f" {self._text}", styles.get(severity, paint.text))]
        self.fit()

    @property
    def _line(self) -> Line:
        return self._screen.query_one("#message", Line)

    def stand(self, ends: TwoEnds) -> None:
        """Take what the line above tells, which goes on below where it is too long for that line."""
        if ends != self._standing:
            self._standing = ends
            self.fit()

    def fit(self) -> None:
        """Show the whole of what is said, and of what the line above tells, in as many lines as that takes.

        Where a line was refused that can be mended, it takes the place of the message, which stands above it.
        """
        panel, (width, height) = self._screen.query_one("#message-whole", TextPanel), self._screen.size
        standing, is_long = self._standing_lines(width), cell_len(self._text) + 1 > width > 2
        is_above = self._screen.has_class("-refused")
        is_shown = is_long or is_above or bool(standing)
        panel.set_class(is_shown, "-shown")
        if is_shown:
            said = [[(f" {line}", self._line.left[0][1])] for line in wrap(self._text, width - 2)]
            lines = [*standing, *said][: max(height // 2, 1)]
            panel.set_class(not said, "-quiet")
            panel.lines = lines
            panel.styles.height = len(lines)
            panel.styles.offset = (0, height - _FOOTER - is_above - len(lines))

    def _standing_lines(self, width: int) -> list[list[Fragment]]:
        """What the line above tells, in two lines at most; none where it fits its own."""
        left, right, _ = ends = self._standing.within(width)
        if not left or ends.width + bool(right) <= width or width <= 2:
            return []
        told = "".join(text for text, _ in left).strip()
        return [[(f" {line}", left[0][1])] for line in wrap(told, width - 2, max_lines=2, placeholder=" …")]

    def show_all(self) -> None:
        """Show what the lines around the grid tell, none of it cut, and what was said before, the last first."""
        lines = [self._screen.query_one(f"#{name}", Line).plain.strip() for name in _LINES]
        before = [f"  {text}" for text in reversed(self._kept)] or ["  nothing yet"]
        self._screen.app.push_screen(ReplyScreen("what was said", [*filter(None, lines), "", "said:", *before]))

"""What is told of hints: the ways to complete a layout, or why there are none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from xwtui.engine.events.event import Outcome
from xwtui.session.answers import VerbAnswer
from xwtui.session.messages import LayoutHint, LayoutHintsReady
from xwtui.session.wording import counted
from xwtui.text import printable


def hint_words(hint: LayoutHint) -> str:
    """`8 blocks more, 76 words, 38 blocks, 12 threes, ≈10^38.4, a fill found`."""
    figures = hint.figures
    added = f"{counted(len(hint.change.added), 'block')} more" if hint.change.added else "as it stands"
    counts = ((figures.words, "word"), (figures.blocks, "block"), (figures.threes, "three"))
    return ", ".join([added, *(counted(number, noun) for number, noun in counts), hint.outlook.describe()])


def hints_line(ready: LayoutHintsReady | None) -> str:
    """The one that is shown, in a line, or why there is none."""
    if ready is None:
        return "hints …"
    if ready.reason:
        return f"no hints: {printable(ready.reason, 200)}"
    if not ready.hints:
        return "no way to complete this layout was found" if ready.is_complete else "hints …"
    return f"hint {ready.shown + 1} of {len(ready.hints)}: {hint_words(ready.hints[ready.shown])}"


@dataclass(frozen=True)
class HintsAnswer(VerbAnswer):
    """The hints for the layout as it is."""

    ready: LayoutHintsReady | None

    @property
    def verdict(self) -> Outcome:
        """UNKNOWN while there are none."""
        return Outcome.FILLED if self.ready is not None and self.ready.hints else Outcome.UNKNOWN

    @property
    def lines(self) -> Sequence[str]:
        """How many there are, and each."""
        if self.ready is None or not self.ready.hints:
            return [hints_line(self.ready)]
        head = f"{counted(len(self.ready.hints), 'way')} to complete the layout; `hints take 1` writes the first"
        return [head, *(f"  {number}  {hint_words(one)}" for number, one in enumerate(self.ready.hints, start=1))]

    @property
    def as_json(self) -> dict[str, Any]:
        """Each with its blocks and figures."""
        hints = self.ready.hints if self.ready is not None else ()
        return {
            "reason": self.ready.reason if self.ready is not None else "",
            "hints": [
                {**one.change.as_json(), **one.figures._asdict(), "log10": one.outlook.log10} for one in hints
            ],
        }

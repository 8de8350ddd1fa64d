"""What `lists build` answers: the list that was made of a dictionary, and where it lies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from xwtui.session.answers import VerbAnswer
from xwtui.session.wording import counted
from xwtui.text import printable


@dataclass(frozen=True)
class BuiltAnswer(VerbAnswer):
    """A list of one language; without words while it is still being made."""

    language: str
    alphabet: str
    """The alphabet's name."""
    source: Path
    target: Path
    package: str
    licence: str
    words: int = 0
    passed_over: int = 0

    @property
    def lines(self) -> Sequence[str]:
        """Where it is, and under which licence its words are."""
        if not self.words:
            return [f"stopped: nothing is written to {self.target}"]
        return [
            f"{counted(self.words, 'word')} of {printable(str(self.source), 200)}, in {self.target}",
            f"passed over: {counted(self.passed_over, 'form')} with digits, hyphens, blanks or other letters",
            f"its words are under the licence of {self.package}: {self.licence}",
            f"it is used in puzzles of its alphabet: `alphabet {self.alphabet}`",
        ]

    @property
    def as_json(self) -> dict[str, Any]:
        """The same by names."""
        return {
            "language": self.language,
            "alphabet": self.alphabet,
            "source": str(self.source),
            "list": str(self.target),
            "package": self.package,
            "licence": self.licence,
            "words": self.words,
            "passed_over": self.passed_over,
        }

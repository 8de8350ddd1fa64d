"""In what a puzzle differs from the file that it was read from: the answer of the verb `warnings` as data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from xwtui.formats.intake import ReadWarning
from xwtui.session.answers import VerbAnswer


@dataclass(frozen=True)
class WarningsAnswer(VerbAnswer):
    """What was read otherwise than it stands in the file."""

    warnings: tuple[ReadWarning, ...]

    @property
    def lines(self) -> Sequence[str]:
        """A line for each kind, and one below it for each square, entry, clue or part."""
        if not self.warnings:
            return ["the puzzle is as its file has it"]
        return [
            line
            for warning in self.warnings
            for line in (f"{warning.deviation.value}:", *(f"  {each.words}" for each in warning.deviants))
        ]

    @property
    def as_json(self) -> dict[str, Any]:
        """The `warnings`, each with its `kind` and, for each place, what the file has and what it is now."""
        return {
            "warnings": [
                {
                    "kind": warning.deviation.name.lower(),
                    "words": warning.deviation.value,
                    "places": [
                        {"where": each.where, "file": each.was or None, "now": each.now or None}
                        for each in warning.deviants
                    ],
                }
                for warning in self.warnings
            ]
        }

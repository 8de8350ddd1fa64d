"""The linked lights of a puzzle: the answer of the verb `link` as data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from xwtui.model import Puzzle
from xwtui.model.rules.review import waiting_link_words
from xwtui.session.answers import VerbAnswer
from xwtui.session.wording import counted


@dataclass(frozen=True)
class LinksAnswer(VerbAnswer):
    """The answers of several lights."""

    puzzle: Puzzle

    @property
    def lines(self) -> Sequence[str]:
        """`1A,5D  MARY???????  11 squares`, and the links that wait for a light."""
        grid = self.puzzle.grid
        linked = [entry for entry in grid.entries if entry.lights]
        told = [f"{entry.label}  {grid.pattern(entry)}  {counted(len(entry), 'square')}" for entry in linked]
        return [*told, *waiting_link_words(self.puzzle).values()] or [
            "nothing is linked; `link 1A 5D` links two entries"
        ]

    @property
    def as_json(self) -> dict[str, Any]:
        """The `links`, each with its `lights` and answer as far as it stands; `waiting` are those that wait."""
        grid = self.puzzle.grid
        told = [
            {
                "entry": entry.name,
                "lights": [light.name for light in entry.lights],
                "pattern": grid.pattern(entry),
                "answer": grid.answer(entry),
                "squares": len(entry),
                "clue": self.puzzle.solver_clue(entry) or None,
            }
            for entry in grid.entries
            if entry.lights
        ]
        waiting = [[f"{start}{way.value}" for start, way in link] for link in grid.waiting_links]
        return {"links": told, "waiting": waiting}

    @property
    def puzzles(self) -> tuple[Puzzle, ...]:
        """The puzzle with its links."""
        return (self.puzzle,)

"""The naive twin of test-solving: a dictionary of squares, each looked at by itself."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field


@dataclass
class NaiveSolver:
    """Answers by square, each a text, with a slash where across and down differ; None where there is none yet."""

    answers: Mapping[int, str | None]
    letters: dict[int, str] = field(default_factory=dict)
    wrong: set[int] = field(default_factory=set)
    kept: set[int] = field(default_factory=set)
    revealed: set[int] = field(default_factory=set)

    def is_right(self, square: int) -> bool:
        answer, letters = self.answers[square], self.letters[square]
        return answer is not None and letters in (answer, *answer.split("/"))

    def write(self, square: int, text: str) -> None:
        """Write over what is not known to be right; an empty text erases."""
        if square in self.kept or self.letters.get(square, "") == text:
            return
        self.wrong.discard(square)
        self.letters.pop(square, None)
        if text:
            self.letters[square] = text

    def check(self, squares: Iterable[int]) -> None:
        for square in squares:
            if square in self.letters and self.answers[square] is not None:
                (self.kept if self.is_right(square) else self.wrong).add(square)

    def reveal(self, squares: Iterable[int]) -> None:
        for square in squares:
            answer = self.answers[square]
            if answer is None:
                continue
            if square not in self.letters or not self.is_right(square):
                self.revealed.add(square)
                self.letters[square] = answer
            self.wrong.discard(square)
            self.kept.add(square)

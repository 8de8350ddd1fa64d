"""What verbs answer that count: candidates of an entry, shares of letters, fills."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from xwtui.engine.candidates.estimate import CandidateEstimate, CandidateOrder, sort_candidates
from xwtui.engine.events.event import Outcome
from xwtui.formats.grid_text import grid_to_text
from xwtui.lazy import lazy_imports
from xwtui.model import Grid, Position, Puzzle, Slot
from xwtui.model.edits import write_fill
from xwtui.model.statistics import pencil_squares
from xwtui.session.answers import VerbAnswer
from xwtui.session.json_shape import JsonShape, json_value
from xwtui.session.messages import LookAhead
from xwtui.session.wording import and_more, candidate_line, pencil_words, repeats_words, share_words

with lazy_imports():
    from xwtui.engine.candidates.options import LetterTable, SlotOptions
    from xwtui.engine.count.estimate import Estimate
    from xwtui.words.repeats import AnswerRepeats


class CandidatesAnswer(VerbAnswer):
    """The words that an entry may take, as far as is known, in the order asked for."""

    puzzle: Puzzle
    slot: Slot
    found: Sequence[CandidateEstimate]
    order: CandidateOrder
    limit: int
    """How many are listed."""
    repeats: AnswerRepeats
    """The answers that stand, of which a word may repeat the stem of one."""
    judged_by = "alive"

    def repeated(self, word: str) -> tuple[str, ...]:
        return self.repeats.of(word, self.slot.name)

    @cached_property
    def ranked(self) -> list[CandidateEstimate]:
        """All of them, dead ones last."""
        return sort_candidates(self.found, self.order)

    @property
    def alive(self) -> int:
        return sum(one.alive for one in self.found)

    @property
    def pattern(self) -> str:
        return self.puzzle.grid.pattern(self.slot, given_only=True)

    @property
    def headline(self) -> str:
        return f"{self.slot.name} {self.pattern}: {len(self.found):,} match, {self.alive:,} may still stand"

    @property
    def lines(self) -> Sequence[str]:
        listed = map(self._line, self.ranked[: self.limit])
        return [self.headline, *listed, *and_more(len(self.found) - self.limit)]

    def _line(self, candidate: CandidateEstimate) -> str:
        told = repeats_words(self.puzzle.grid, self.repeated(candidate.answer or candidate.word))
        return candidate_line(candidate) + (f"  {told}" if told else "")

    def _fill_and_repeats(self, candidate: CandidateEstimate) -> dict[str, Any]:
        fill, grid = candidate.fill, self.puzzle.grid
        repeated = self.repeated(candidate.answer or candidate.word)
        return {
            "fill": None if fill is None else grid_to_text(write_fill(self.puzzle, fill).grid),
            "repeats": [{"entry": name, "answer": grid.pattern(grid.entry(name))} for name in repeated],
        }

    @property
    def as_json(self) -> dict[str, Any]:
        one = JsonShape("word answer?? score standing killed_by log10 is_refined is_sure", self._fill_and_repeats)
        return {
            "entry": self.slot.name,
            "pattern": self.pattern,
            "matches": len(self.found),
            "alive": self.alive,
            "candidates": one.tell(self.ranked[: self.limit]),
        }


_LEAST_SHARE = 1e-6


class SharesAnswer(VerbAnswer):
    """The letters that squares can still take, and how the fills that remain share them."""

    letters: LetterTable
    squares: tuple[Position, ...]
    judged_by = "is_possible"

    @property
    def is_possible(self) -> bool:
        return self.letters.fills != 0

    @property
    def lines(self) -> Sequence[str]:
        if not self.is_possible:
            return ["nothing fits: the grid has no fill"]
        return [self._line(at) for at in self.squares] or ["every square is given"]

    def _line(self, at: Position) -> str:
        forced = self.letters.forced.get(at)
        if forced is not None:
            return f"{at}: {forced} is forced"
        letters = self.letters
        told = share_words(
            letters.shares.get(at, {}), is_exact=letters.is_exact, intervals=letters.intervals.get(at)
        )
        return f"{at}: {told}"

    @property
    def as_json(self) -> dict[str, Any]:
        """By square, what is forced there, and the share of each content; and whether the shares are exact.

        Those that are not have the ends of their 95 % `intervals` beside them, where fills were sampled.
        """
        return {"exact": self.letters.is_exact, "squares": {str(at): self._one(at) for at in self.squares}}

    def _one(self, at: Position) -> dict[str, Any]:
        forced = self.letters.forced.get(at)
        shares, intervals = self.letters.shares.get(at, {}), self.letters.intervals.get(at, {})
        return {
            "forced": json_value(forced),
            "shares": {str(content): self._rounded(share) for content, share in shares.items()},
            "intervals": {str(content): [round(end, 6) for end in ends] for content, ends in intervals.items()},
        }

    def _rounded(self, share: float) -> float:
        """A share with six places: an estimate is neither none of the fills nor all."""
        return (
            round(share, 6) if self.letters.is_exact else min(max(round(share, 6), _LEAST_SHARE), 1 - _LEAST_SHARE)
        )


class CountAnswer(VerbAnswer):
    """How many fills there are, and how many words each entry may take."""

    estimate: Estimate
    options: Mapping[str, SlotOptions]
    grid: Grid
    is_exact: bool
    """Whether an exact count was asked for."""
    look_ahead: LookAhead | None = None
    """Copeland's estimate, where that was asked for."""
    stopped = "this is the count so far"
    json = JsonShape(
        "text=estimate.describe estimate.exact estimate.log10",
        lambda answer: answer.bounds,
        "estimate.instrument summed_options=summed look_ahead?? pencil_squares=pencil",
        ("slots=options", JsonShape("matches=pattern_matches options=after_propagation")),
    )

    @property
    def pencil(self) -> int:
        """The squares in pencil, which count as empty."""
        return pencil_squares(self.grid)

    @property
    def bounds(self) -> dict[str, float | None]:
        """Between what the count lies, as far as that is known; an exact one is its own bounds."""
        one = self.estimate
        if one.exact is None:
            return {"low": one.low, "high": one.high, "at_least": one.at_least, "counted": one.counted}
        return {"low": one.log10, "high": one.log10, "at_least": one.exact, "counted": 1.0}

    @property
    def summed(self) -> int:
        return sum(slot.after_propagation for slot in self.options.values())

    @property
    def verdict(self) -> Outcome:
        is_known = self.estimate.exact is not None or (self.estimate.log10 is not None and not self.is_exact)
        return Outcome.FILLED if is_known else Outcome.UNKNOWN

    @property
    def lines(self) -> Sequence[str]:
        grid = self.grid
        width = max((len(grid.pattern(slot)) for slot in grid.entries), default=0)
        copeland = f"words that fit, summed over all entries: {self.summed:,} (Copeland's measure)"
        count = "; ".join(filter(None, [self.estimate.describe(), pencil_words(self.pencil)]))
        ahead = [self.look_ahead.describe()] if self.look_ahead is not None else []
        lines = [count, copeland, *ahead, "", f"{'entry':>5}  {'pattern':{width}}  matches  options"]
        for name, slot in sorted(self.options.items(), key=lambda item: item[1].after_propagation):
            pattern = grid.pattern(grid.entry(name), given_only=True)
            lines.append(f"{name:>5}  {pattern:{width}}  {slot.pattern_matches:7,}  {slot.after_propagation:7,}")
        return lines

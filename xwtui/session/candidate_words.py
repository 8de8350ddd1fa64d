"""What is known of a candidate, in words for every face."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from xwtui.engine.options import Candidate
    from xwtui.engine.prospects.prospect import Prospect
    from xwtui.model import Content


def candidate_line(candidate: Candidate | Prospect) -> str:
    """Its word and score, about how many fills it leaves, and whether it is proved, or what kills it."""
    score = "unlisted" if candidate.score is None else str(candidate.score)
    return f"  {candidate.word}  {score}{_cost(candidate)}"


def _cost(candidate: Candidate | Prospect) -> str:
    if not candidate.alive:
        return f"  dead: {candidate.killed_by} is left without a word" if candidate.killed_by else "  dead"
    room = "" if candidate.log10 is None else f"  10^{candidate.log10:.1f}"
    return f"{room}  proven" if candidate.fill is not None else room


def share_words(shares: Mapping[Content, float]) -> str:
    """What a square can hold and how the fills share it: `E 62%  A 21%`."""
    return "  ".join(f"{content} {_percent(share)}" for content, share in shares.items())


def _percent(share: float) -> str:
    return f"{share:.0%}" if share >= 0.005 else "<1%"


def summary_line(entry: str, pattern: str, matching: int, alive: int) -> str:
    """How many words match an entry, and how many of them may stand."""
    return f"{entry} {pattern}: {matching:,} match, {alive:,} may still stand"

"""Candidates for tests, as propagation leaves them."""

from xwtui.engine.candidates.estimate import CandidateEstimate, CandidateStanding


def candidate(
    word: str, score: int | None, alive: bool = True, *, killed_by: str | None = None, log10: float | None = None
) -> CandidateEstimate:
    standing = CandidateStanding.SURVIVES if alive else CandidateStanding.DEAD
    return CandidateEstimate(word, score, standing, killed_by, log10)

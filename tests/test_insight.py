"""The example in the library's documented module does what it says."""

import doctest

from xwtui import insight


def test_the_examples_run() -> None:
    ran = doctest.testmod(insight)
    assert ran.attempted > 5
    assert ran.failed == 0


def test_scripts_may_use_the_other_names_of_candidates() -> None:
    assert insight.Prospect is insight.CandidateEstimate
    assert insight.Order.SCORE is insight.CandidateOrder.SCORE
    assert insight.Standing.DEAD is insight.CandidateStanding.DEAD
    assert insight.sort_prospects is insight.sort_candidates

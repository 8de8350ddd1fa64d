"""What the program says is so: each kind of statement, of random problems, by all their fills."""

import pytest

from tests.examples import is_deep
from tests.oracle.kinds import KINDS, report, run

DEEP, QUICK = 500, 3
"""Problems a kind."""
AT_ONCE = 50 if is_deep() else QUICK


@pytest.mark.parametrize("first", range(0, DEEP if is_deep() else QUICK, AT_ONCE))
@pytest.mark.parametrize("kind", KINDS)
def test_nothing_that_is_said_is_false(kind: str, first: int) -> None:
    tally = run(kind, range(first, first + AT_ONCE))
    assert tally.checked, "nothing was said"
    assert not tally.wrong, "\n\n".join(report(kind, seed, one) for seed, one in tally.wrong[:3])

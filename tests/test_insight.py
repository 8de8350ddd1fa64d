"""The example in the library's documented module does what it says."""

import doctest

from xwtui import insight


def test_the_examples_run() -> None:
    ran = doctest.testmod(insight)
    assert ran.attempted > 5
    assert ran.failed == 0

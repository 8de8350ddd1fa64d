"""How many examples hypothesis tries, by profile: fewer in `make test`, all of them in `make test-deep`."""

import os

from hypothesis import HealthCheck, settings

DEEP = 100
"""Examples in the deep profile, of a test that does not ask for a number of its own."""
QUICK = 7


def load_profile() -> None:
    """Take the profile that HYPOTHESIS_PROFILE names, `quick` or `deep`; `quick` if it names none.

    Hypothesis judges by what comes out, never by a clock, and repeats itself under CI.
    """
    for name, examples in (("quick", QUICK), ("deep", DEEP)):
        settings.register_profile(
            name,
            max_examples=examples,
            deadline=None,
            derandomize=bool(os.environ.get("CI")),
            print_blob=True,
            suppress_health_check=[HealthCheck.too_slow],
        )
    settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or "quick")


def examples(deep: int, *suppressed: HealthCheck) -> settings:
    """Settings of a test that wants so many examples in the deep profile, and its share of them in others."""
    usual = settings()
    return settings(
        max_examples=max(1, round(deep * usual.max_examples / DEEP)),
        suppress_health_check=[*usual.suppress_health_check, *suppressed],
    )


def is_deep() -> bool:
    """Whether tests are to try all that they can, however long that takes."""
    return os.environ.get("HYPOTHESIS_PROFILE") == "deep"

"""Number of hypothesis examples by profile: a share in `make test`, all of them in `make test-deep`."""

import os

from hypothesis import HealthCheck, settings

DEEP = 100
"""Default number of examples in the deep profile."""
QUICK = 7


def load_profile() -> None:
    """Load the profile named by HYPOTHESIS_PROFILE, `quick` (the default) or `deep`.

    No test has a deadline. The quick profile tries the same examples in each run, so that a failure comes from the
    change that is tested; the deep one tries new ones, except under CI.
    """
    for name, examples in (("quick", QUICK), ("deep", DEEP)):
        settings.register_profile(
            name,
            max_examples=examples,
            deadline=None,
            derandomize=name == "quick" or bool(os.environ.get("CI")),
            print_blob=True,
            suppress_health_check=[HealthCheck.too_slow],
        )
    settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or "quick")


def examples(deep: int, *suppressed: HealthCheck) -> settings:
    """Return settings with `deep` examples in the deep profile, and a share of them in the others."""
    usual = settings()
    return settings(
        max_examples=max(1, round(deep * usual.max_examples / DEEP)),
        suppress_health_check=[*usual.suppress_health_check, *suppressed],
    )


def is_deep() -> bool:
    """Whether tests run exhaustively, regardless of time."""
    return os.environ.get("HYPOTHESIS_PROFILE") == "deep"

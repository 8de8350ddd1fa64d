"""What all tests share: hypothesis judges by what comes out, never by a clock, and repeats itself under CI."""

import os

import platformdirs
from hypothesis import HealthCheck, settings

settings.register_profile(
    "house",
    deadline=None,
    derandomize=bool(os.environ.get("CI")),
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("house")

# Tests that move the user's folders elsewhere still share the compiled kernels, which take long to make.
os.environ.setdefault("NUMBA_CACHE_DIR", platformdirs.user_cache_dir("xwtui"))

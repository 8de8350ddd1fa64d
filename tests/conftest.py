"""What all tests share: the profile of hypothesis, and the compiled kernels."""

import os

import platformdirs

from tests.examples import load_profile

load_profile()

# Tests that move the user's folders elsewhere still share the compiled kernels, which take long to make.
os.environ.setdefault("NUMBA_CACHE_DIR", platformdirs.user_cache_dir("xwtui"))

"""What all tests share: the profile of hypothesis, the compiled kernels, settings that are nobody's."""

import atexit
import gc
import os
import shutil
import tempfile
from itertools import count
from pathlib import Path

import platformdirs
import pytest

from tests.examples import load_profile
from xwtui.engine.warmup import warm_up

load_profile()

# Tests that move the user's folders elsewhere still share the compiled kernels, which take long to make.
os.environ.setdefault("NUMBA_CACHE_DIR", platformdirs.user_cache_dir("xwtui"))

# Verbs that keep a setting must not change those of the one who runs the tests, nor may a save fill the clue book.
for _folder in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
    os.environ[_folder] = tempfile.mkdtemp(prefix="xwtui-settings-")
    atexit.register(shutil.rmtree, os.environ[_folder], ignore_errors=True)


def pytest_collection_finish() -> None:
    """What is loaded by now stays: garbage is looked for in what tests make, less often than in a small heap."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 10, 10)


_numbers = count()


@pytest.fixture
def tmp_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder by its number: pytest's own looks through the folders of all tests before for one that is free."""
    folder = tmp_path_factory.getbasetemp() / f"test-{next(_numbers)}"
    folder.mkdir(0o700)
    return folder


@pytest.fixture(scope="session", autouse=True)
def _kernels_ready() -> None:
    """What a plain fill finds depends on whether the improver is compiled, and must not on the order of tests."""
    warm_up(improving=True)

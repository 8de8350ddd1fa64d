"""Shared test setup: the hypothesis profile, compiled kernels, and throwaway user folders."""

import atexit
import gc
import os
import shutil
import tempfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import platformdirs
import pytest

from tests.examples import load_profile
from tests.open_sessions import sessions_closed
from xwtui.engine.warmup import warm_up
from xwtui.session.jobs import scheduler

load_profile()

# Tests that redirect the user's folders still share the kernel cache, since compiling takes long.
os.environ.setdefault("NUMBA_CACHE_DIR", platformdirs.user_cache_dir("xwtui"))

# Verbs that save a setting must not touch the settings of whoever runs the tests, nor may a save fill the clue
# book. Each test has folders of its own; these are for fixtures of a module or a session.
USER_FOLDERS = ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")
for _folder in USER_FOLDERS:
    os.environ[_folder] = tempfile.mkdtemp(prefix="xwtui-settings-")
    atexit.register(shutil.rmtree, os.environ[_folder], ignore_errors=True)


def pytest_collection_finish() -> None:
    """Exempt everything loaded so far from garbage collection, and collect less often."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 10, 10)


_numbers = count()


@pytest.fixture
def tmp_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a new numbered folder. Pytest's own fixture is slower: it scans all earlier ones for a free name."""
    folder = tmp_path_factory.getbasetemp() / f"test-{next(_numbers)}"
    folder.mkdir(0o700)
    return folder


@pytest.fixture(autouse=True)
def _own_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Settings, word lists, a clue book and journals that no other test sees; the cache is shared."""
    home = tmp_path_factory.getbasetemp() / f"home-{next(_numbers)}"
    with pytest.MonkeyPatch.context() as patch:
        for name in USER_FOLDERS:
            patch.setenv(name, str(home / name))
        yield


@pytest.fixture(autouse=True)
def _sessions_closed(_own_folders: None) -> Iterator[None]:
    """Close the sessions that the test leaves open, and let each wait for its engine on a busy machine, too."""
    with pytest.MonkeyPatch.context() as patch, sessions_closed():
        patch.setattr(scheduler, "_END_SECONDS", 60.0)
        yield


@pytest.fixture(scope="session", autouse=True)
def _kernels_ready() -> None:
    """Compile the improver first: the result of a plain fill depends on it, and must not depend on test order."""
    warm_up(improving=True)

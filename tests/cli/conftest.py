from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.cli.process import user_folders


@pytest.fixture
def environment(tmp_path: Path) -> Mapping[str, str]:
    """The environment of a process whose user folders are its own, but for the engine's cache."""
    return user_folders(tmp_path / "home")

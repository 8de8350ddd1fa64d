"""The wheel that these tests install."""

from pathlib import Path

import pytest

from tests.packaging.environments import build


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("wheel", tmp_path_factory.mktemp("wheel"))

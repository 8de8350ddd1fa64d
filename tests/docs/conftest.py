"""The workbenches of `tests/session`: lines of the pages are typed there."""

from tests.session.conftest import bench, ear, journals

__all__ = ["bench", "ear", "journals"]

"""Fixtures of `tests/session`, for lines of the pages."""

from tests.session.conftest import bench, ear, journals

__all__ = ["bench", "ear", "journals"]

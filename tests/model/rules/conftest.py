"""Fixtures of `tests/session`, for rules entered as lines."""

from tests.session.conftest import bench, ear, journals, mini, small, small_list

__all__ = ["bench", "ear", "journals", "mini", "small", "small_list"]

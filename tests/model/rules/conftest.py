"""The workbenches of `tests/session`: rules are typed there."""

from tests.session.conftest import bench, ear, journals, mini, small, small_list

__all__ = ["bench", "ear", "journals", "mini", "small", "small_list"]

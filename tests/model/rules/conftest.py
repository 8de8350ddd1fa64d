"""The workbenches of `tests/workbench`: rules are typed there."""

from tests.workbench.conftest import bench, ear, journals, mini, small, small_list

__all__ = ["bench", "ear", "journals", "mini", "small", "small_list"]

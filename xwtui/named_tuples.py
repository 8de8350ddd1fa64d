"""`NamedTuple` of the standard library, by the name under which the package imports it."""

from typing import NamedTuple

__all__ = ["NamedTuple"]

"""What is told while the engine is made ready."""

from __future__ import annotations


class LoadingStep(str):
    """What is being made ready, in words that may be shown as they are."""

    is_compiling: bool
    """Whether it is being compiled, by this process or another one: that takes its time."""

    def __new__(cls, text: str, *, is_compiling: bool = False) -> LoadingStep:
        """Say what is being done."""
        step = super().__new__(cls, text)
        step.is_compiling = is_compiling
        return step

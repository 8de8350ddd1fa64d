"""What is found is data; `xwtui.engine_words` says it in English, on every face alike."""

from importlib import import_module
from typing import Any


class Worded:
    """A value that has words. It knows the name of the module that has them, which is loaded where it is said."""

    __slots__ = ()

    def describe(self) -> str:
        """The value in words, as all faces say it."""
        return _wording().words(self)  # type: ignore[no-any-return]

    def brief(self) -> str:
        """The same in few cells, for narrow lists; empty where there is no shorter form."""
        return _wording().brief(self)  # type: ignore[no-any-return]

    def __str__(self) -> str:
        return self.describe()


def said(value: Worded | str | None) -> str:
    """What is known, in words; empty where nothing is."""
    return "" if value is None else str(value)


def _wording() -> Any:
    """The module that knows all kinds of values, so that none of these may import it."""
    return import_module("xwtui.engine_words")

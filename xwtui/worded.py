"""Values that have words: what is found is data, and `xwtui.wording` says it in English."""

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from typing import Any

_HOME = "xwtui.wording"
"""The module that has the words. It knows all kinds of values, so that none of these may import it."""

_Words = Callable[[Any], str]
_WORDS: dict[str, _Words] = {}
_BRIEF: dict[str, _Words] = {}


class Worded:
    """A value that has words."""

    __slots__ = ()

    def describe(self) -> str:
        """The value in words, as all faces say it."""
        return _words_of(type(self), _WORDS)(self)

    def brief(self) -> str:
        """The same in few cells, for narrow lists; empty where there is no shorter form."""
        return _words_of(type(self), _BRIEF)(self)

    def __str__(self) -> str:
        return self.describe()


def said(value: Worded | str | None) -> str:
    """What is known, in words; empty where nothing is."""
    return "" if value is None else str(value)


def says(function: _Words) -> _Words:
    """Have a function word the values of the class that the annotation of its parameter names."""
    return _noted(function, _WORDS)


def says_briefly(function: _Words) -> _Words:
    """The same, in few cells."""
    return _noted(function, _BRIEF)


def says_plainly(phrases: Mapping[str, str], brief: Mapping[str, str]) -> None:
    """Word kinds of values, by name, by format strings of their fields: `{0.word} at {0.name}`."""
    _WORDS.update((kind, phrase.format) for kind, phrase in phrases.items())
    _BRIEF.update((kind, phrase.format) for kind, phrase in brief.items())


def _noted(function: _Words, table: dict[str, _Words]) -> _Words:
    table[function.__annotations__["one"].rpartition(".")[2]] = function
    return function


@cache
def _load_words() -> None:
    import_module(_HOME)


def _words_of(kind: type, table: dict[str, _Words]) -> _Words:
    _load_words()
    return table[kind.__name__] if table is _WORDS else table.get(kind.__name__, lambda _: "")

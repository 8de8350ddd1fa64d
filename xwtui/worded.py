"""Values with a text in English: findings are data, and `xwtui.wording` puts them into words."""

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from typing import Any

_HOME = "xwtui.wording"
"""The module with the wording. It knows all kinds of values, so none of their modules may import it."""

_Words = Callable[[Any], str]
_WORDS: dict[str, _Words] = {}
_BRIEF: dict[str, _Words] = {}


class Worded:
    """A value that can be put into words."""

    __slots__ = ()

    def describe(self) -> str:
        """Return the value in words, the same on every face."""
        return _words_of(type(self), _WORDS)(self)

    def brief(self) -> str:
        """Return a form for narrow lists, or an empty string if there is none."""
        return _words_of(type(self), _BRIEF)(self)

    def __str__(self) -> str:
        return self.describe()


def in_words(value: Worded | str | None) -> str:
    """Return a value in words, or an empty string for None."""
    return "" if value is None else str(value)


def describes(function: _Words) -> _Words:
    """Decorator: use a function to word the values of the class in its parameter's annotation."""
    return _registered(function, _WORDS)


def describes_briefly(function: _Words) -> _Words:
    """Decorator: like `describes`, for the brief form."""
    return _registered(function, _BRIEF)


def describe_by_phrases(phrases: Mapping[str, str], brief: Mapping[str, str]) -> None:
    """Word classes, by name, with format strings over their fields: `{0.word} at {0.name}`."""
    _WORDS.update((kind, phrase.format) for kind, phrase in phrases.items())
    _BRIEF.update((kind, phrase.format) for kind, phrase in brief.items())


def _registered(function: _Words, table: dict[str, _Words]) -> _Words:
    table[function.__annotations__["one"].rpartition(".")[2]] = function
    return function


@cache
def _load_words() -> None:
    import_module(_HOME)


def _words_of(kind: type, table: dict[str, _Words]) -> _Words:
    _load_words()
    return table[kind.__name__] if table is _WORDS else table.get(kind.__name__, lambda _: "")

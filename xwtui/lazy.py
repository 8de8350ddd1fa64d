"""Imports at the top of a module that load nothing until the imported name is used.

    with lazy_imports():
        from xwtui.grids import layouts
        from xwtui.session.verbs.layouts import LayoutsAnswer

A lazy name may be called, have its attributes read, be passed to `isinstance`, and be written in annotations
(which `from __future__ import annotations` keeps as text). For anything else, such as a constant or the class in
an `except`, import its module lazily and read the name as an attribute (`tests/test_imports.py` checks this). Type
checkers and the import contracts see ordinary imports. From Python 3.15 on, `lazy from ... import ...` (PEP 810)
does the same for any use of a name.

`importlib.util.LazyLoader` would be shorter, but before Python 3.11.9 and 3.12.3 a thread can see its module half
loaded by another one (gh-114763). Here each use runs an import, so Python's guarantees for an import statement in
a function hold: other threads wait until the module is loaded, an import error is raised unchanged at every use,
and a replaced module attribute is seen at once.

`lazy_pattern` is `re.compile` for constants: the pattern is compiled on first use.
"""

import builtins
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from threading import RLock
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

_one_at_a_time = RLock()


class LazyName:
    """A placeholder for a module, or for a name in one, that loads it on use."""

    __slots__ = ("__home", "__name")

    def __init__(self, home: str, name: str = "") -> None:
        self.__home = home
        self.__name = name

    def __load(self) -> Any:
        if not self.__name:
            return __import__(self.__home)
        home = __import__(self.__home, fromlist=[self.__name])
        try:
            return getattr(home, self.__name)
        except AttributeError as error:
            raise ImportError(f"cannot import name {self.__name!r} from {self.__home!r}") from error

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__load(), name)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.__load()(*args, **kwargs)

    def __instancecheck__(self, value: object) -> bool:
        return isinstance(value, self.__load())

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the placeholder; the reader loads the module on use."""
        return LazyName, (self.__home, self.__name)

    def __repr__(self) -> str:
        return f"<lazy {self.__home}{self.__name and '.'}{self.__name}>"


@contextmanager
def lazy_imports() -> Iterator[None]:
    """Make lazy names of the imports in this block, and of no others.

    Raises ImportError for `import package.module`, `import *` and relative imports.
    """
    importer = sys._getframe(2).f_globals

    def name_lazily(
        name: str,
        globals: Mapping[str, object] | None = None,
        locals: Mapping[str, object] | None = None,
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> Any:
        if globals is not importer:  # an import in another thread
            return load(name, globals, locals, fromlist or (), level)
        if level or "*" in (fromlist or ()) or ("." in name and not fromlist):
            raise ImportError(f"{name} is to be imported lazily as `import module` or `from module import name`")
        return SimpleNamespace(**{each: LazyName(name, each) for each in fromlist}) if fromlist else LazyName(name)

    with _one_at_a_time:
        load = builtins.__import__
        builtins.__import__ = name_lazily
        try:
            yield
        finally:
            builtins.__import__ = load


class LazyPattern:
    """A regular expression that is compiled once anything but its text is needed."""

    def __init__(self, pattern: str | bytes, flags: int = 0) -> None:
        self.pattern = pattern
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        """Cache the attribute on the instance, where the next access finds it directly."""
        value = getattr(re.compile(self.pattern, self._flags), name)
        setattr(self, name, value)
        return value


if TYPE_CHECKING:
    lazy_pattern = re.compile
else:
    lazy_pattern = LazyPattern

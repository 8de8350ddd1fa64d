"""Imports that stand at the top of a module and load nothing until what they name is used.

    with lazy_imports():
        from xwtui.grids import layouts
        from xwtui.session.verbs.layouts import LayoutsAnswer

Such a name may be called, asked for an attribute, asked of by `isinstance`, and written in annotations (which
`from __future__ import annotations` keeps as text). For all else, a constant or the class of an `except`, its
module is imported lazily, and the name is an attribute of that (`tests/test_imports.py` looks). Type checkers and
the contracts of imports see ordinary imports. From Python 3.15 on, `lazy from ... import ...` (PEP 810) does the
same for names of any use.

`importlib.util.LazyLoader` would be shorter, but before Python 3.11.9 and 3.12.3 a thread can see its module half
loaded by another one (gh-114763). Here each use imports anew, so that what Python promises of an import statement
in a function holds: others wait until the module is loaded, an error comes out whole and comes again, and what is
put in the place of a module's name is seen at once.

`lazy_pattern` is `re.compile` for a constant: what it returns is compiled when it is first used.
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
    """What stands for a module, or for a name of one, and loads it when it is used."""

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
        """Pickle the name, too: whoever reads it loads the module in its turn."""
        return LazyName, (self.__home, self.__name)

    def __repr__(self) -> str:
        return f"<lazy {self.__home}{self.__name and '.'}{self.__name}>"


@contextmanager
def lazy_imports() -> Iterator[None]:
    """Let the import statements of this block, and no others, make lazy names.

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
        if globals is not importer:  # that of another thread
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
    """A regular expression that is compiled when more than its text is asked for."""

    def __init__(self, pattern: str | bytes, flags: int = 0) -> None:
        self.pattern = pattern
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        """Keep what is asked for as an attribute of its own, which is found sooner the next time."""
        value = getattr(re.compile(self.pattern, self._flags), name)
        setattr(self, name, value)
        return value


if TYPE_CHECKING:
    lazy_pattern = re.compile
else:
    lazy_pattern = LazyPattern

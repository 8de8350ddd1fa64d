"""The options of a strategy: each declared once, read from `option=value,...` and checked."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from xwtui.dataclasses import dataclass
from xwtui.errors import EngineError
from xwtui.text import printable

_YES = "yes"
_NO = "no"


@dataclass(frozen=True)
class Option:
    """One option: a choice among words, or, with `bounds`, a whole number."""

    name: str
    default: str
    help: str
    choices: tuple[str, ...] = ()
    bounds: tuple[int, int] | None = None
    """The least and the greatest number."""
    is_entry: bool = False
    """Whether it names an entry, such as 17A."""

    @classmethod
    def choice(cls, name: str, choices: Sequence[str], help: str) -> Option:
        """A choice among words, the first one if none is given."""
        return cls(name, choices[0], help, tuple(choices))

    @classmethod
    def switch(cls, name: str, is_on: bool, help: str) -> Option:
        """A choice between yes and no."""
        return cls(name, _YES if is_on else _NO, help, (_YES, _NO))

    @classmethod
    def number(cls, name: str, default: int, least: int, greatest: int, help: str) -> Option:
        return cls(name, str(default), help, bounds=(least, greatest))

    @classmethod
    def entry(cls, name: str, default: str, help: str) -> Option:
        """An entry such as 17A, or the word for whichever is meant without one."""
        return cls(name, default, help, (default,), is_entry=True)

    @property
    def expected(self) -> str:
        """The values that it takes, in words."""
        if self.is_entry:
            return f"{self.default}, or an entry such as 17A"
        if self.bounds is not None:
            return f"a whole number from {self.bounds[0]:,} to {self.bounds[1]:,}"
        return ", ".join(self.choices[:-1]) + f" or {self.choices[-1]}"

    def read(self, strategy: str, text: str) -> str:
        """The value as it is kept; raises EngineError for one that the option does not take."""
        value = text.strip().lower()
        if self.bounds is not None:
            is_right = value.isascii() and value.isdigit() and len(value) < 19
            is_right = is_right and self.bounds[0] <= int(value) <= self.bounds[1]
        else:
            is_entry = self.is_entry and re.fullmatch(r"[1-9]\d{0,3}[ad]", value) is not None
            is_right = value in self.choices or is_entry
        if not is_right:
            raise EngineError(f"{strategy}: {self.name} is {self.expected}, not {printable(text, 30)!r}")
        return str(int(value)) if self.bounds is not None else value


COMPILED = Option.switch("compiled", False, "take the same steps in compiled code, and show only the fills")
"""For strategies that have a compiled twin."""


@dataclass(frozen=True)
class OptionValues:
    """The value of each option of one strategy."""

    texts: Mapping[str, str]

    @classmethod
    def of(cls, strategy: str, options: Sequence[Option], given: Mapping[str, str] | None = None) -> OptionValues:
        """The given values and the defaults of the others; raises EngineError for unknown options and values."""
        declared = {option.name: option for option in options}
        texts = {option.name: option.default for option in options}
        for name, text in (given or {}).items():
            if name not in declared:
                known = ", ".join(declared) if declared else "none"
                raise EngineError(f"{strategy} has no option {printable(name, 30)!r}; it has {known}")
            texts[name] = declared[name].read(strategy, text)
        return cls(texts)

    def word(self, name: str) -> str:
        return self.texts[name]

    def number(self, name: str) -> int:
        return int(self.texts[name])

    def is_on(self, name: str) -> bool:
        return self.texts[name] == _YES

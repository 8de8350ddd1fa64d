"""The strategies by name, and the parser of `NAME` or `NAME:option=value,...`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import get_close_matches

from xwtui import plugins
from xwtui.dataclasses import dataclass
from xwtui.engine.problem.task import Task
from xwtui.errors import EngineError
from xwtui.strategies.protocol import OptionValues, Strategy
from xwtui.text import printable

_OWN = (
    "xwtui_engine:XwtuiEngine",
    "emogic_letters:EmogicLetters",
    "emogic_words:EmogicWords",
    "trie:DoubleTrie",
    "fsharp_word:FSharpWord",
    "qxw_cells:QxwCells",
    "copeland:Copeland",
    "top_ten:TopTen",
    "abstract_form:PermutedIndexes",
    "sorted_index:SortedIndexSearch",
    "sat:Sat",
)
"""The module and class of each built-in strategy, the default first; add new ones here."""

STRATEGIES: dict[str, type[Strategy]] = {}
"""Every strategy by name, the default first and those of other packages last."""


def _fault(found: object) -> str:
    if not isinstance(found, type) or not issubclass(found, Strategy):
        return "it is not a class of xwtui.strategies.protocol.Strategy"
    if not isinstance(name := getattr(found, "name", None), str) or not re.fullmatch("[a-z][a-z0-9-]*", name):
        return "its `name` must be lowercase letters, digits and hyphens"
    return f"there is already a strategy {name}" if name in STRATEGIES else ""


for _strategy in plugins.plugins(
    plugins.STRATEGIES, _fault, [plugins.load(f"xwtui.strategies.{one}") for one in _OWN]
):
    STRATEGIES[_strategy.name] = _strategy

FORMER_NAMES: Mapping[str, str] = {"double-trie": "trie"}
"""Former names of strategies, which still work."""


@dataclass(frozen=True)
class StrategyChoice:
    """A strategy with the values of its options."""

    name: str
    values: OptionValues

    @classmethod
    def parse(cls, text: str) -> StrategyChoice:
        """Parse `NAME` or `NAME:option=value,...` in any case; raises EngineError with what is expected."""
        name, _, rest = text.strip().partition(":")
        strategy = find_strategy(name)
        return cls(strategy.name, OptionValues.of(strategy.name, strategy.options, _pairs(strategy.name, rest)))

    def make(self, task: Task, seed: int = 0) -> Strategy:
        """Return a search of a task by this strategy; raises EngineError if it cannot handle the task."""
        return STRATEGIES[self.name](task, self.values, seed)

    def for_all(self) -> StrategyChoice:
        """Return the same choice set to run through every fill, if the strategy has an option for that."""
        strategy = STRATEGIES[self.name]
        if all(option.name != "all" for option in strategy.options):
            return self
        return StrategyChoice(self.name, OptionValues({**self.values.texts, "all": "yes"}))

    def __str__(self) -> str:
        """Return the shortest text that `parse` reads as this choice."""
        defaults = {option.name: option.default for option in STRATEGIES[self.name].options}
        changed = [f"{name}={text}" for name, text in self.values.texts.items() if text != defaults[name]]
        return f"{self.name}:{','.join(changed)}" if changed else self.name


def find_strategy(name: str) -> type[Strategy]:
    """Return the strategy with a name, case-insensitively; raises EngineError that suggests the nearest name."""
    wanted = name.strip().lower()
    wanted = FORMER_NAMES.get(wanted, wanted)
    if wanted in STRATEGIES:
        return STRATEGIES[wanted]
    near = get_close_matches(wanted, STRATEGIES, 1)
    hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(STRATEGIES)}"
    raise EngineError(f"there is no strategy {printable(name, 30)!r}; {hint}")


def _pairs(strategy: str, text: str) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for part in text.split(",") if text.strip() else []:
        name, sign, value = part.partition("=")
        name = name.strip().lower()
        if not sign or not name:
            raise EngineError(f"{strategy}: options are written name=value, not {printable(part, 30)!r}")
        if name in pairs:
            raise EngineError(f"{strategy}: {name} is given twice")
        pairs[name] = value
    return pairs

"""What the verbs for keys answer: the keys of a map, the maps that there are, and what is wrong with a file."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from xwtui.engine.events.event import Outcome
from xwtui.session.answers import VerbAnswer
from xwtui.session.keys.actions import ACTIONS
from xwtui.session.keys.key_map import KeyFault, KeyMap
from xwtui.session.keys.names import key_cap


@dataclass(frozen=True)
class KeysAnswer(VerbAnswer):
    """The keys of a map, each with what it does."""

    map: KeyMap

    @property
    def lines(self) -> Sequence[str]:
        """The map's name, then a line for each thing that keys do, and the names of those that have none."""
        targets = list(dict.fromkeys(one.target for one in self.map.bound))
        width = max(len(target) for target in targets)
        told = [f"  {target:{width}}  {self.map.caps_of(target)}" for target in targets]
        idle = [action.name for action in ACTIONS if action.name not in targets]
        rest = [f"without a key: {', '.join(idle)}, and the verbs that are not listed"]
        return [f"the keys of {self.map.name}", *told, *rest]

    @property
    def as_json(self) -> dict[str, Any]:
        """The keys in order, the one to be shown first."""
        return {
            "map": self.map.name,
            "keys": [
                {"key": key_cap(one.key), "does": one.target, "place": one.place.value} for one in self.map.bound
            ],
        }


@dataclass(frozen=True)
class KeyMapsAnswer(VerbAnswer):
    """The maps that there are: names, what they are, and which is used."""

    maps: tuple[tuple[str, str], ...]
    used: str
    file: Path | None
    """The user's own file over it, where there is one."""

    @property
    def lines(self) -> Sequence[str]:
        """A line each, and one for the user's own file."""
        width = max(len(name) for name, _ in self.maps)
        told = [f"{'*' if name == self.used else ' '} {name:{width}}  {summary}" for name, summary in self.maps]
        return [*told, f"your own keys over it: {self.file}" if self.file else "no keys of your own over it"]

    @property
    def as_json(self) -> dict[str, Any]:
        """The same by names."""
        return {
            "maps": [{"name": name, "summary": summary, "used": name == self.used} for name, summary in self.maps],
            "file": str(self.file) if self.file else None,
        }


@dataclass(frozen=True)
class KeyCheckAnswer(VerbAnswer):
    """What is wrong with a file of keys; `file` is None where the user has none."""

    file: Path | None
    base: str
    faults: Sequence[KeyFault]

    @property
    def verdict(self) -> Outcome:
        """IMPOSSIBLE where something does not work as the file says."""
        return Outcome.IMPOSSIBLE if any(fault.kind.is_grave for fault in self.faults) else Outcome.FILLED

    @property
    def lines(self) -> Sequence[str]:
        """A line for each fault, after the file and the map that it builds on."""
        if self.file is None:
            return [f"there are no keys of your own: those of `{self.base}` are used"]
        told = [f"{self.file}, line {fault.line}: {fault.kind.value}: {fault.text}" for fault in self.faults]
        return told or [f"{self.file}: nothing is wrong with these keys, over those of `{self.base}`"]

    @property
    def as_json(self) -> dict[str, Any]:
        """The faults with their kinds and lines."""
        return {
            "status": "clean" if self.verdict is Outcome.FILLED else "faults",
            "file": None if self.file is None else str(self.file),
            "base": self.base,
            "faults": [
                {
                    "kind": fault.kind.value,
                    "grave": fault.kind.is_grave,
                    "key": fault.key,
                    "line": fault.line,
                    "message": fault.text,
                }
                for fault in self.faults
            ],
        }

"""What the verbs for keys find and answer: the keys of a map, the maps that there are, faults of a file."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from xwtui.engine.events.event import Outcome
from xwtui.session.answers import VerbAnswer
from xwtui.session.json_shape import JsonShape
from xwtui.session.keys.actions import ACTIONS
from xwtui.session.keys.key_map import FaultKind, KeyFault, KeyFile, KeyMap, place_of, rivals, shipped_map
from xwtui.session.keys.names import Sending, key_cap, read_key, sending
from xwtui.text import printable


def faults_of(file: KeyFile, base: KeyMap) -> list[KeyFault]:
    """All that is wrong with a file whose keys are laid over a map, the gravest kinds first in each line."""
    flaws = file.flaws
    if any(flaw.kind is FaultKind.NO_MAP for flaw in flaws):
        return [flaw for flaw in flaws if flaw.kind is FaultKind.NO_MAP]
    found = [*flaws, *_doubts(file, {flaw.key for flaw in flaws})]
    if not flaws:
        found += _lost(file, shipped_map(file.base) if file.base else base)
    return sorted(found, key=lambda fault: fault.line)


def _doubts(file: KeyFile, flawed: Collection[str]) -> Iterator[KeyFault]:
    """What can be read, but is to do two things or never comes; an empty target takes a key back."""
    seen: list[tuple[str, str, str]] = []
    for written, target in ((one, said.strip()) for one, said in file.entries if one not in flawed):
        keys, line = read_key(written), file.lines[written]
        if not target:
            seen = [one for one in seen if one[0] not in keys]
            continue
        clashing = {(other, said): key for key, other, said in reversed(seen) if key in keys}
        for (other, said), key in clashing.items():
            if rivals(place_of(target), place_of(said)):
                two = f"`{said}` ({printable(other, 30)}) and `{target}`"
                yield KeyFault(FaultKind.CLASH, written, line, f"{key_cap(key)} has two meanings: {two}")
        seen += [(key, written, target) for key in keys]
        ways = [sending(key) for key in keys]
        if Sending.SENT not in ways:
            yield KeyFault(FaultKind.NOT_SENT, written, line, f"{key_cap(keys[0])}: {ways[0].value}")


def _lost(file: KeyFile, base: KeyMap) -> Iterator[KeyFault]:
    """What had a key before, and has none by this file."""
    after = file.over(base, "")
    for target in dict.fromkeys(one.target for one in base.bound):
        taken = [written for written, _ in file.entries if set(read_key(written)) & set(base.keys_of(target))]
        if not after.keys_of(target) and taken:
            said = f"`{target}` no longer has a key; {key_cap(base.keys_of(target)[0])} was its only one"
            yield KeyFault(FaultKind.LOST, taken[-1], file.lines[taken[-1]], said)


class KeysAnswer(VerbAnswer):
    """The keys of a map, each with what it does."""

    map: KeyMap
    json = JsonShape(
        "map=map.name", ("keys=map.bound", JsonShape(lambda one: {"key": key_cap(one.key)}, "does=target place"))
    )

    @property
    def lines(self) -> Sequence[str]:
        targets = list(dict.fromkeys(one.target for one in self.map.bound))
        width = max(len(target) for target in targets)
        told = [f"  {target:{width}}  {self.map.caps_of(target)}" for target in targets]
        idle = [action.name for action in ACTIONS if action.name not in targets]
        rest = [f"without a key: {', '.join(idle)}, and the verbs that are not listed"]
        return [f"the keys of {self.map.name}", *told, *rest]


class KeyMapsAnswer(VerbAnswer):
    """The maps that there are: names, what they are, and which is used."""

    maps: tuple[tuple[str, str], ...]
    used: str
    file: Path | None
    """The user's own file over it, where there is one."""
    json = JsonShape(
        lambda answer: {
            "maps": [{"name": name, "summary": told, "used": name == answer.used} for name, told in answer.maps]
        },
        "file",
    )

    @property
    def lines(self) -> Sequence[str]:
        width = max(len(name) for name, _ in self.maps)
        told = [f"{'*' if name == self.used else ' '} {name:{width}}  {summary}" for name, summary in self.maps]
        return [*told, f"plus your own keys: {self.file}" if self.file else "you have no keys of your own"]


class KeyCheckAnswer(VerbAnswer):
    """What is wrong with a file of keys; `file` is None where the user has none."""

    file: Path | None
    base: str
    faults: Sequence[KeyFault]
    json = JsonShape(
        lambda answer: {"status": "clean" if answer.verdict is Outcome.FILLED else "faults"},
        "file base",
        ("faults", JsonShape("kind grave=kind.is_grave key line message=text")),
    )

    @property
    def verdict(self) -> Outcome:
        """IMPOSSIBLE where something does not work as the file says."""
        return Outcome.IMPOSSIBLE if any(fault.kind.is_grave for fault in self.faults) else Outcome.FILLED

    @property
    def lines(self) -> Sequence[str]:
        if self.file is None:
            return [f"you have no keys of your own, so those of `{self.base}` are used"]
        told = [f"{self.file}, line {fault.line}: {fault.kind.value}: {fault.text}" for fault in self.faults]
        return told or [f"{self.file}: no mistakes in these keys, which change those of `{self.base}`"]

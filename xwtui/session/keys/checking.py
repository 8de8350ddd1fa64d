"""What is wrong with a file of keys: names of nothing, keys that never come, two things on one key."""

from __future__ import annotations

import enum
from collections.abc import Iterator
from typing import NamedTuple

from xwtui.errors import XwtuiError
from xwtui.session.keys.key_map import (
    KeyFile,
    KeyMap,
    check_target,
    place_of,
    rivals,
    shipped_map,
    shipped_maps,
)
from xwtui.session.keys.names import Sending, key_cap, read_key, sending
from xwtui.text import listed, printable


class FaultKind(enum.Enum):
    """What can be wrong; the value is its name for programs."""

    NO_MAP = "no such map"
    NO_KEY = "no such key"
    NO_ACTION = "no such action"
    CLASH = "clash"
    NOT_SENT = "not sent"
    LOST = "lost"

    @property
    def is_grave(self) -> bool:
        """Whether something does not work as the file says."""
        return self is not FaultKind.LOST


class KeyFault(NamedTuple):
    """A fault of a file: its kind, the key as it is written there, the line, and the rest in words."""

    kind: FaultKind
    key: str
    line: int
    text: str


def faults_of(file: KeyFile, base: KeyMap) -> list[KeyFault]:
    """All that is wrong with a file whose keys are laid over a map, the gravest kinds first in each line."""
    if file.base:
        if file.base not in shipped_maps():
            known = listed(tuple(shipped_maps()), "and")
            text = f"there is no map {printable(file.base, 30)!r}; there are {known}"
            return [KeyFault(FaultKind.NO_MAP, "", file.base_line, text)]
        base = shipped_map(file.base)
    found: list[KeyFault] = []
    seen: dict[str, list[tuple[str, str]]] = {}
    for written, target in file.entries:
        found += _entry_faults(file, written, target.strip(), seen)
    return sorted([*found, *_lost(file, base)], key=lambda fault: fault.line)


def _entry_faults(
    file: KeyFile, written: str, target: str, seen: dict[str, list[tuple[str, str]]]
) -> Iterator[KeyFault]:
    line = file.lines[written]
    try:
        keys = read_key(written)
    except XwtuiError as error:
        yield KeyFault(FaultKind.NO_KEY, written, line, str(error))
        return
    try:
        check_target(target)
    except XwtuiError as error:
        yield KeyFault(FaultKind.NO_ACTION, written, line, str(error))
        return
    if not target:
        return
    for other, other_target in seen.get(keys[0], ()):
        if rivals(place_of(target), place_of(other_target)):
            two = f"`{other_target}` ({printable(other, 30)}) and `{target}`"
            said = f"{key_cap(keys[0])} is to do two things: {two}"
            yield KeyFault(FaultKind.CLASH, written, line, said)
    seen.setdefault(keys[0], []).append((written, target))
    ways = [sending(key) for key in keys]
    if Sending.SENT not in ways:
        yield KeyFault(FaultKind.NOT_SENT, written, line, f"{key_cap(keys[0])}: {ways[0].value}")


def _lost(file: KeyFile, base: KeyMap) -> Iterator[KeyFault]:
    """What had a key before, and has none by this file."""
    if file.flaws:
        return
    after = file.over(base, "")
    for target in dict.fromkeys(one.target for one in base.bound):
        taken = [written for written, _ in file.entries if set(read_key(written)) & set(base.keys_of(target))]
        if not after.keys_of(target) and taken:
            said = f"`{target}` has no key any more; {key_cap(base.keys_of(target)[0])} was its only one"
            yield KeyFault(FaultKind.LOST, taken[-1], file.lines[taken[-1]], said)

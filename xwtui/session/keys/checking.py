"""What is wrong with a file of keys: names of nothing, keys that never come, two things on one key."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from xwtui.session.keys.key_map import (
    FaultKind,
    KeyFault,
    KeyFile,
    KeyMap,
    place_of,
    rivals,
    shipped_map,
)
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
                yield KeyFault(FaultKind.CLASH, written, line, f"{key_cap(key)} is to do two things: {two}")
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
            said = f"`{target}` has no key any more; {key_cap(base.keys_of(target)[0])} was its only one"
            yield KeyFault(FaultKind.LOST, taken[-1], file.lines[taken[-1]], said)

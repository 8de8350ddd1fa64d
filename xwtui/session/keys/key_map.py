"""Key maps: the program's own, others that ship with it, and the user's file on top of one of them.

The user's file is `keys.toml` in the settings folder:

    base = "crosshare"

    [keys]
    "ctrl+d" = "stats"            # a verb, or a line of one: "fill --partial"
    "F9" = "next entry"           # or an action of the screen: `keys show` lists their names
    "*" = ""                      # a key that does nothing

The program's own keys are in `xwtui.toml`; each other map is a file of the same format.
"""

from __future__ import annotations

import enum
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cache, cached_property, partial
from pathlib import Path
from typing import NamedTuple

from xwtui.dataclasses import dataclass, replace
from xwtui.errors import XwtuiError
from xwtui.resources import key_maps_folder, user_key_file
from xwtui.session.keys.actions import BY_NAME, KeyPlace
from xwtui.session.keys.names import Sending, key_cap, read_key, sending
from xwtui.session.settings import Settings
from xwtui.session.verbs.parsing import find_verb_of, words_of
from xwtui.session.verbs.verb import BOOK
from xwtui.text import listed, printable
from xwtui.user_files import parse_toml, read_text

OWN_MAP = "xwtui"


class KeyBinding(NamedTuple):
    """A key, by its name in Textual, and what it does: an action, a verb, or a line of a verb."""

    key: str
    target: str
    place: KeyPlace


@dataclass(frozen=True)
class KeyMap:
    """Which keys do what; if several keys do the same, the first one is shown."""

    name: str
    bindings: tuple[KeyBinding, ...]

    @cached_property
    def keys(self) -> frozenset[str]:
        return frozenset(one.key for one in self.bindings)

    @cached_property
    def _by_target(self) -> Mapping[str, tuple[str, ...]]:
        found: dict[str, list[str]] = {}
        for one in self.bindings:
            found.setdefault(one.target, []).append(one.key)
        return {target: tuple(keys) for target, keys in found.items()}

    def keys_of(self, target: str) -> tuple[str, ...]:
        """Return the keys of an action or verb, the one to show first."""
        return self._by_target.get(target, ())

    def caps_of(self, target: str) -> str:
        """Return the keys as people write them, separated by commas; empty if there are none."""
        return ", ".join(map(key_cap, self.keys_of(target)))

    def cap_of(self, target: str) -> str:
        """Return how to invoke a target: the key to show, or the line to type if it has none."""
        keys = self.keys_of(target)
        return key_cap(keys[0]) if keys else f":{target}"

    def named(self, target: str) -> str:
        """Return the same for use in a sentence, where a lone symbol could be misread: `the double-quote key`."""
        cap = self.cap_of(target)
        if cap == '"':
            return "the double-quote key"
        return f"the {cap} key" if len(cap) == 1 and not cap.isalnum() else cap

    @property
    def lines(self) -> tuple[str, ...]:
        """The verb lines that keys run, other than the bare names of actions and verbs."""
        return tuple(target for target in self._by_target if target not in BY_NAME and target not in BOOK.verbs)

    def with_keys(self, name: str, entries: Iterable[tuple[tuple[str, ...], str]]) -> KeyMap:
        """Return the map with some keys changed; their former targets lose them."""
        own: list[KeyBinding] = []
        rest = list(self.bindings)
        for keys, target in entries:
            place = place_of(target)
            own, rest = (
                [one for one in bindings if one.key not in keys or (target and not rivals(one.place, place))]
                for bindings in (own, rest)
            )
            own += [KeyBinding(key, target, place) for key in keys if target]
        return KeyMap(name, (*own, *rest))


def rivals(one: KeyPlace, other: KeyPlace) -> bool:
    """Whether a key cannot do different things in two places; the candidates' keys are separate."""
    return (one is KeyPlace.CANDIDATES) == (other is KeyPlace.CANDIDATES)


def place_of(target: str) -> KeyPlace:
    """Return where a key for a target works."""
    return BY_NAME[target].place if target in BY_NAME else KeyPlace.SCREEN


@cache
def own_map() -> KeyMap:
    """Return the keys that the program comes with, in the order of the help: actions, then verbs."""
    order = {name: place for place, name in enumerate((*BY_NAME, *BOOK.verbs))}
    bindings = (
        KeyBinding(key, target, place_of(target))
        for written, target in shipped_maps()[OWN_MAP].entries
        if target in order  # a shell command does not load all verbs
        for key in read_key(written)
    )
    return KeyMap(OWN_MAP, tuple(sorted(bindings, key=lambda one: order[one.target])))


class FaultKind(enum.Enum):
    """The kinds of errors in a key file; the value is its name in JSON."""

    NO_MAP = "no such map"
    NO_KEY = "no such key"
    NO_ACTION = "no such action"
    CLASH = "clash"
    NOT_SENT = "not sent"
    LOST = "lost"

    @property
    def is_grave(self) -> bool:
        return self is not FaultKind.LOST


class KeyFault(NamedTuple):
    """An error in a key file: its kind, the key as written there, the line (0 for none), and a message."""

    kind: FaultKind
    key: str
    line: int
    text: str


@dataclass(frozen=True)
class KeyFile:
    """The contents of a key file: the map that it builds on, and its keys with their targets."""

    path: Path
    summary: str
    base: str
    """Empty if it names none."""
    entries: tuple[tuple[str, str], ...]
    lines: Mapping[str, int]
    """The line of each name, except names written in unusual ways."""
    base_line: int = 0

    @property
    def flaws(self) -> tuple[KeyFault, ...]:
        """Errors that prevent its use: unknown names, at most one per key."""
        found = [self._flaw(FaultKind.NO_MAP, "", lambda: shipped_map(self.base))] if self.base else []
        for key, target in self.entries:
            flaw = self._flaw(FaultKind.NO_KEY, key, partial(read_key, key))
            found.append(flaw or self._flaw(FaultKind.NO_ACTION, key, partial(check_target, target)))
        return tuple(flaw for flaw in found if flaw is not None)

    def _flaw(self, kind: FaultKind, key: str, check: Callable[[], object]) -> KeyFault | None:
        try:
            check()
        except XwtuiError as error:
            return KeyFault(kind, key, self.lines.get(key, 0) if key else self.base_line, str(error))
        return None

    def over(self, base: KeyMap, name: str) -> KeyMap:
        """Return the base map with its keys; raises XwtuiError if it has flaws."""
        return base.with_keys(name, ((read_key(key), _present(target)) for key, target in self.entries))


_RENAMED = {"next theme": "next colours"}
"""Former names of actions, which users' files may still have."""


def _present(target: str) -> str:
    return _RENAMED.get(target.strip(), target.strip())


def check_target(target: str) -> None:
    """Check that a key can have a target; raises XwtuiError if not."""
    name = _present(target)
    if not name or name in BY_NAME:
        return
    try:
        find_verb_of([word.text for word in words_of(name)])
    except XwtuiError as error:
        raise XwtuiError(f"{error}; `keys show` lists all actions") from None


def read_key_file(path: Path) -> KeyFile:
    """Read a key file; raises XwtuiError, with file and line, if it is not valid."""
    text = read_text(path)
    table = parse_toml(path, text)
    keys, base, summary = table.pop("keys", {}), table.pop("base", ""), table.pop("summary", "")
    lines = _lines_of(text)
    if table:
        name = next(iter(table))
        raise XwtuiError(
            f"{path}, line {lines.get(name, 0)}: {printable(name, 30)!r} means nothing here; "
            "a key file has `base`, `summary` and the table `[keys]`"
        )
    for name, value in (("base", base), ("summary", summary)):
        if not isinstance(value, str):
            raise XwtuiError(f"{path}, line {lines.get(name, 0)}: `{name}` must be text in quotes")
    if not isinstance(keys, dict):
        raise XwtuiError(f"{path}, line {lines.get('keys', 0)}: `[keys]` must be a table")
    entries = [
        (key, one) for key, given in keys.items() for one in (given if isinstance(given, list) else [given])
    ]
    for key, target in entries:
        if not isinstance(target, str):
            raise XwtuiError(
                f"{path}, line {lines.get(key, 0)}: the action of {printable(key, 30)!r} must be text in quotes"
            )
    return KeyFile(path, summary, base, tuple(entries), lines, lines.get("base", 0))


def _lines_of(text: str) -> Mapping[str, int]:
    """Return the line of each name's first value or table heading, except names written in unusual ways."""
    found: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        bare = line.strip()
        found.setdefault(bare.strip("[] ") if bare.startswith("[") else _left_of_equals(bare), number)
    return found


def _left_of_equals(line: str) -> str:
    """Return the name to which a line assigns a value, without quotes."""
    if line[:1] in ("'", '"'):
        left, quote, _ = line[1:].partition(line[0])
        return (left.replace("\\\\", "\\") if line[0] == '"' else left) if quote else ""
    return line.partition("=")[0].strip()


@cache
def shipped_maps() -> Mapping[str, KeyFile]:
    """Return the maps that ship with the program by name, its own first."""
    files = {path.stem: read_key_file(path) for path in sorted(key_maps_folder().glob("*.toml"))}
    return {OWN_MAP: files.pop(OWN_MAP), **files}


def shipped_map(name: str) -> KeyMap:
    """Return a map that ships with the program; raises XwtuiError if there is none of that name."""
    maps = shipped_maps()
    if name not in maps:
        raise XwtuiError(f"there is no key map {printable(name, 30)!r}; choose from {listed(tuple(maps), 'and')}")
    return own_map() if name == OWN_MAP else maps[name].over(own_map(), name)


def faults_of(file: KeyFile, base: KeyMap) -> list[KeyFault]:
    """Return the errors in a key file laid over a map, by line, the most serious kinds first."""
    flaws = file.flaws
    if any(flaw.kind is FaultKind.NO_MAP for flaw in flaws):
        return [flaw for flaw in flaws if flaw.kind is FaultKind.NO_MAP]
    found = [*flaws, *_doubts(file, {flaw.key for flaw in flaws})]
    if not flaws:
        found += _lost(file, shipped_map(file.base) if file.base else base)
    return sorted(found, key=lambda fault: fault.line)


def _doubts(file: KeyFile, flawed: Collection[str]) -> Iterator[KeyFault]:
    """Yield keys that have two meanings or are never sent; an empty target frees a key."""
    seen: list[tuple[str, str, str]] = []
    for written, target in ((one, action.strip()) for one, action in file.entries if one not in flawed):
        keys, line = read_key(written), file.lines[written]
        if not target:
            seen = [one for one in seen if one[0] not in keys]
            continue
        clashing = {(other, action): key for key, other, action in reversed(seen) if key in keys}
        for (other, action), key in clashing.items():
            if rivals(place_of(target), place_of(action)):
                two = f"`{action}` ({printable(other, 30)}) and `{target}`"
                yield KeyFault(FaultKind.CLASH, written, line, f"{key_cap(key)} has two meanings: {two}")
        seen += [(key, written, target) for key in keys]
        ways = [sending(key) for key in keys]
        if Sending.SENT not in ways:
            yield KeyFault(FaultKind.NOT_SENT, written, line, f"{key_cap(keys[0])}: {ways[0].value}")


def _lost(file: KeyFile, base: KeyMap) -> Iterator[KeyFault]:
    """Yield the targets that had a key before and lose it by this file."""
    after = file.over(base, "")
    for target in dict.fromkeys(one.target for one in base.bindings):
        taken = [written for written, _ in file.entries if set(read_key(written)) & set(base.keys_of(target))]
        if not after.keys_of(target) and taken:
            text = f"`{target}` no longer has a key; {key_cap(base.keys_of(target)[0])} was its only one"
            yield KeyFault(FaultKind.LOST, taken[-1], file.lines[taken[-1]], text)


@dataclass(frozen=True)
class KeysInForce:
    """The key map in use, and the problem with the user's file, which is then ignored."""

    map: KeyMap
    problem: str = ""


_OF_BROWSERS = ("ctrl+n", "ctrl+t", "ctrl+w")
"""Keys that browsers keep for themselves, to open or close pages."""


def keys_in_force(settings: Settings, path: Path | None = None) -> KeysInForce:
    """Return the keys that the user has chosen; in a browser, without those that it keeps for itself."""
    found = _chosen_keys(settings, path)
    if "TEXTUAL_DRIVER" not in os.environ:
        return found
    return replace(found, map=found.map.with_keys(found.map.name, [(_OF_BROWSERS, "")]))


def _chosen_keys(settings: Settings, path: Path | None) -> KeysInForce:
    """Return a map that ships with the program, with the user's own file on top of it."""
    chosen = settings.key_map or OWN_MAP
    try:
        base = shipped_map(chosen)
    except XwtuiError as error:
        return KeysInForce(own_map(), f"setting key_map: {error}")
    source = path or user_key_file()
    if not source.exists():
        return KeysInForce(base)
    try:
        own = read_key_file(source)
        flaws = own.flaws
    except XwtuiError as error:
        return KeysInForce(base, f"{error}; the keys are those of `{base.name}`")
    if flaws:
        first, more = flaws[0], f" (`keys check` lists {len(flaws) - 1} more)" if len(flaws) > 1 else ""
        at = f"{source}, line {first.line}" if first.line else str(source)
        return KeysInForce(base, f"{at}: {first.text}{more}; the keys are those of `{base.name}`")
    base = shipped_map(own.base) if own.base else base
    return KeysInForce(replace(own.over(base, base.name), name=f"{base.name}, with keys of your own"))

"""The screen's keys: the keys in use, the maps to choose from, and the checks of the user's key file."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

from xwtui.errors import VerbError
from xwtui.lazy import lazy_imports
from xwtui.resources import user_key_file
from xwtui.session.answers import ImmediateAnswer, JsonShape
from xwtui.session.verbs.kinds import file_kind, parameter_kind
from xwtui.session.verbs.verb import WITHOUT_GRID, Answer, Group, argument, list_choices, verbs_of
from xwtui.text import printable

with lazy_imports():
    from xwtui.session.keys import actions, key_map
    from xwtui.session.keys.key_map import (
        FaultKind,
        KeyFault,
        KeyFile,
        KeyMap,
        keys_in_force,
        place_of,
        read_key_file,
        rivals,
        shipped_map,
        shipped_maps,
    )
    from xwtui.session.keys.names import Sending, key_cap, read_key, sending
    from xwtui.session.session import Session
    from xwtui.session.settings import load_settings

verb = verbs_of(Group.SESSION)


def _key_maps() -> dict[str, str]:
    return {name: file.summary for name, file in shipped_maps().items()}


@parameter_kind("map", names=_key_maps)
def KEY_MAP(text: str, session: Session) -> str:
    """The name of a key map that ships."""
    return shipped_map(text.strip().lower()).name


@verb(examples=("keys show", "keys show crosshare"), from_shell=WITHOUT_GRID)
def keys_show(
    session: Session, map: str | None = argument("a key map that ships (default: the keys in use)", KEY_MAP)
) -> Answer:
    """List the keys in use, or those of a key map, by the names used in key files.

    To change keys, put a file `keys.toml` in your settings folder: `"ctrl+d" = "stats"`.
    """
    shown = keys_in_force(load_settings()).map if map is None else shipped_map(map)
    targets = list(dict.fromkeys(one.target for one in shown.bindings))
    width = max(len(target) for target in targets)
    lines = [f"  {target:{width}}  {shown.caps_of(target)}" for target in targets]
    idle = [action.name for action in actions.ACTIONS if action.name not in targets]
    rest = f"without a key: {', '.join(idle)}, and the verbs that are not listed"
    bound = [{"key": key_cap(one.key), "does": one.target, "place": one.place} for one in shown.bindings]
    return ImmediateAnswer([f"the keys of {shown.name}", *lines, rest], {"map": shown.name, "keys": bound})


@verb(examples=("keys list",), from_shell=WITHOUT_GRID)
def keys_list(session: Session) -> Answer:
    """List the key maps to choose from, with a star at the one in use."""
    own = user_key_file()
    base = read_key_file(own).base if own.exists() else ""
    lines, maps = list_choices(_key_maps(), base or load_settings().key_map or key_map.OWN_MAP)
    over = f"plus your own keys: {own}" if own.exists() else "you have no keys of your own"
    return ImmediateAnswer([*lines, over], {"maps": maps, "file": own if own.exists() else None})


@verb(examples=("keys use crosshare", "keys use xwtui"), from_shell=WITHOUT_GRID)
def keys_use(
    session: Session, map: str = argument("a key map that ships; `keys list` shows their names", KEY_MAP)
) -> Answer:
    """Choose a key map; the choice is remembered.

    Your own keys in `keys.toml` still come first.
    """
    own = user_key_file()
    if own.exists():
        file = read_key_file(own)
        if file.base and file.base != map:
            raise VerbError(f'{own}, line {file.base_line}, says base = "{file.base}"; change or remove that line')
    session.remember(key_map=map)
    return f"the keys are those of {map}"


@verb(examples=("keys check", "keys check mine.toml"), from_shell=WITHOUT_GRID)
def keys_check(
    session: Session, file: Path | None = argument("a key file (default: your own)", file_kind(".toml"))
) -> Answer:
    """Check your own key file for mistakes.

    It reports keys used twice, keys that terminals cannot send or that xwtui needs, unknown names, and actions
    left without a key.
    """
    chosen = load_settings().key_map or key_map.OWN_MAP
    path = file or user_key_file()
    if file is None and not path.exists():
        text = f"you have no keys of your own, so those of `{chosen}` are used"
        return ImmediateAnswer([text], {"status": "clean", "file": None, "base": chosen, "faults": []})
    read = read_key_file(path)
    base, faults = read.base or chosen, faults_of(read, shipped_map(chosen))
    lines = [f"{path}, line {fault.line}: {fault.kind.value}: {fault.text}" for fault in faults]
    is_clean = not any(fault.kind.is_grave for fault in faults)
    return ImmediateAnswer(
        lines or [f"{path}: no mistakes; these keys change those of `{base}`"],
        {
            "status": "clean" if is_clean else "faults",
            "file": path,
            "base": base,
            "faults": JsonShape("kind grave=kind.is_grave key line message=text").convert(faults),
        },
        is_found=is_clean,
    )


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

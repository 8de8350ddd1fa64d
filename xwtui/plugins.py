"""Plugins that other packages publish as entry points: formats, strategies, rules and pools.

A package declares `[project.entry-points."xwtui.formats"]` with lines `name = "its_module:what"`. This module
reads the metadata of installed packages, and loads a plugin's module only when its group is requested. A plugin
that fails to load, or is not valid for its group, is skipped and recorded in `skipped`, which the program reports
when it ends.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from xwtui.text import printable

FORMATS, STRATEGIES, RULES, POOLS = GROUPS = ("xwtui.formats", "xwtui.strategies", "xwtui.rules", "xwtui.pools")

_METADATA, _FILE = ".dist-info", "entry_points.txt"
_MOST_BYTES = 1 << 16


class Plugin(NamedTuple):
    """A plugin as declared by a package: `target` is its module and the name in it, `its_module:what`."""

    group: str
    name: str
    target: str
    package: str


class SkippedPlugin(NamedTuple):
    """A plugin that was skipped, and why."""

    plugin: Plugin
    reason: str

    @property
    def words(self) -> str:
        """The report, like `the format csv of xwtui-example is left out: its suffix .ipuz is in use`."""
        kind = self.plugin.group.partition(".")[2].removesuffix("s").replace("strategie", "strategy")
        name = f"{kind} {printable(self.plugin.name, 40)} of {printable(self.plugin.package, 60)}"
        return f"the {name} is left out: {printable(self.reason, 200)}"


skipped: list[SkippedPlugin] = []
"""The plugins skipped in this process so far."""


def plugins(group: str, fault: Callable[[Any], str], own: Sequence[Any] = ()) -> Iterator[Any]:
    """Yield the plugins of a group, `own` first; `fault` returns what is wrong with one, or an empty string."""
    yield from own
    for plugin in _published().get(group, ()):
        try:
            value = load(plugin.target)
            reason = fault(value)
        except (Exception, SystemExit) as error:
            reason = f"{type(error).__name__}: {error}"
        if reason:
            skipped.append(SkippedPlugin(plugin, reason))
        else:
            yield value


def load(target: str) -> Any:
    """Return what `its_module:what` names; raises whatever loading the module raises."""
    module, _, path = target.partition(":")
    value: Any = importlib.import_module(module.strip())
    for attribute in path.strip().split("."):
        value = getattr(value, attribute)
    return value


def targets(group: str, own: Mapping[str, str]) -> dict[str, str]:
    """Return each plugin's target by name, whether or not it loads; names in `own` cannot be overridden."""
    return {one.name: one.target for one in _published().get(group, ())} | {**own}


@cache
def _published() -> Mapping[str, Sequence[Plugin]]:
    """Find the installed plugins by group; importlib.metadata would take ten times as long."""
    found: dict[str, dict[str, Plugin]] = {}
    for folder in dict.fromkeys(filter(None, sys.path)):
        with suppress(OSError), os.scandir(folder) as entries:
            for entry in entries:
                if entry.name.endswith(_METADATA):
                    for one in _declared_in(entry.path, entry.name.removesuffix(_METADATA).rpartition("-")[0]):
                        found.setdefault(one.group, {}).setdefault(one.name, one)
    return {group: tuple(known.values()) for group, known in found.items()}


def _declared_in(folder: str, package: str) -> Iterator[Plugin]:
    try:
        with open(f"{folder}/{_FILE}", "rb") as file:  # noqa: PTH123  (faster: a hundred of them at each start)
            data = file.read(_MOST_BYTES)
    except OSError:
        return
    if b"[xwtui." not in data:
        return
    group = ""
    for line in map(str.strip, data.decode("utf-8", "replace").splitlines()):
        if line.startswith("["):
            group = line.strip("[] ")
        elif group in GROUPS and "=" in line and not line.startswith(("#", ";")):
            name, _, target = line.partition("=")
            yield Plugin(group, name.strip(), target.strip(), package)


def install_hint(extra: str) -> str:
    """Return how to install an extra with the current Python; xwtui is not on a package index."""
    is_pipx = "pipx" in Path(sys.prefix).parts
    command = "pipx install --force" if is_pipx else f"{sys.executable or 'python3'} -m pip install"
    return f"in the checkout of xwtui, run `{command} '.[{extra}]'`"

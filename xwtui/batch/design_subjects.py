"""Theme answers, and the layouts that are wanted around them, as the text that tasks are about: JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from msgspec import convert, to_builtins

from xwtui.batch.tasks import canonical
from xwtui.grids.designs import DesignWanted
from xwtui.grids.layouts import LayoutWanted
from xwtui.grids.placements import Themer
from xwtui.grids.profiles import Profile
from xwtui.model import Direction, Position, Symmetry


def asked_of_design(wanted: DesignWanted) -> str:
    """What is asked of designs: the theme answers, and the layouts around them."""
    return canonical(
        {
            **layout_values(wanted.layout),
            "themers": [_themer_values(one) for one in wanted.themers],
            "choose": wanted.choose,
            "directions": (wanted.directions, *wanted.else_directions),
        }
    )


_LIMITS = ("fewest_words", "most_words", "fewest_blocks", "most_blocks", "most_threes", "longest_entry")


def layout_values(layout: LayoutWanted) -> Mapping[str, Any]:
    """The layouts that are wanted, but for a grid that is given, as plain data."""
    limits = {name: getattr(layout, name) for name in _LIMITS}
    return {
        "size": [layout.height, layout.width],
        "symmetry": layout.symmetry.value,
        "profile": layout.profile,
        "limits": {name: limit for name, limit in limits.items() if limit is not None},
    }


def read_layout(values: Mapping[str, Any]) -> LayoutWanted:
    """The layouts that `layout_values` wrote."""
    height, width = values["size"]
    profile = convert(values["profile"], Profile)
    return LayoutWanted(height, width, profile, Symmetry(values["symmetry"]), **values["limits"])


def read_design_text(text: str, count: int) -> DesignWanted:
    """The designs that were asked for, so many of them at most."""
    values = json.loads(text)
    directions, *others = (tuple(map(Direction, ways)) for ways in values["directions"])
    return DesignWanted(
        tuple(map(_themer, values["themers"])),
        read_layout(values),
        choose=values["choose"],
        directions=directions,
        else_directions=tuple(others),
        count=count,
    )


def _themer_values(themer: Themer) -> Mapping[str, Any]:
    return {**to_builtins(themer), "start": None if themer.start is None else str(themer.start)}


def _themer(values: Mapping[str, Any]) -> Themer:
    start = values["start"]
    return convert({**values, "start": None if start is None else Position.parse(start)}, Themer)

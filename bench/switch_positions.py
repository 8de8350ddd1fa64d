"""Every switch of the search and its positions, as settings that differ from the defaults."""

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from xwtui.engine.fill.search_settings import NEVER, WORKERS, Branching, Restarts, SearchSettings

_WORDS = SearchSettings(branching=Branching.ON_WORDS)
_SQUARES = SearchSettings(branching=Branching.ON_SQUARES)
_AT_LAST = SearchSettings(branching=Branching.SQUARES_AT_LAST)
_NESTED = replace(_WORDS, restarts=Restarts.NESTED)


class Switch(NamedTuple):
    """A switch of the search, with its usual and other positions."""

    name: str
    usual: SearchSettings
    """The settings in which it is measured."""
    others: Mapping[str, SearchSettings]
    """Its other positions."""


SWITCHES = (
    Switch(
        "entries and squares",
        SearchSettings(),
        {
            "entries alone": _WORDS,
            "squares alone": _SQUARES,
            "squares, no restart": replace(_SQUARES, first_restart=NEVER),
            "squares at last, no restart": replace(_AT_LAST, first_turn=1000),
            "in turns, soon": replace(SearchSettings(), first_turn=1000),
        },
    ),
    Switch(
        "breadth, 2",
        _WORDS,
        {
            "no limit": replace(_WORDS, breadth=0),
            "1": replace(_WORDS, breadth=1),
            "4": replace(_WORDS, breadth=4),
            "8": replace(_WORDS, breadth=8),
        },
    ),
    Switch(
        "crossing weights, fading by 1 %",
        _WORDS,
        {
            "no fading": replace(_WORDS, fading=0.0),
            "0.3 %": replace(_WORDS, fading=0.003),
            "3 %": replace(_WORDS, fading=0.03),
            "50 %: hardly any weights": replace(_WORDS, fading=0.5),
        },
    ),
    Switch("shared blame", _WORDS, {"off": replace(_WORDS, shared_blame=False)}),
    Switch(
        "adaptive branching, 2",
        _WORDS,
        {"off": replace(_WORDS, loyalty=1.0), "4": replace(_WORDS, loyalty=4.0)},
    ),
    Switch(
        "restarts, 400 growing by 15 %",
        _WORDS,
        {
            "never": replace(_WORDS, first_restart=NEVER),
            "100 growing by 15 %": replace(_WORDS, first_restart=100),
            "1000 growing by 2 %": replace(_WORDS, first_restart=1000, restart_growth=1.02),
            "Luby times 100": replace(_WORDS, restarts=Restarts.LUBY, first_restart=100),
            "nested, 100 by 30 %": replace(_NESTED, first_restart=100, restart_growth=1.3),
        },
    ),
    Switch(
        "first run, 100",
        WORKERS[0],
        {"as those after it, 400": SearchSettings(), "30": replace(WORKERS[0], first_run=30)},
    ),
    Switch("fullest fill first", WORKERS[0], {"off": replace(WORKERS[0], fullest_first=False)}),
    Switch("noise, 0.2", _WORDS, {"none": replace(_WORDS, noise=0.0), "1": replace(_WORDS, noise=1.0)}),
    Switch(
        "score, 0.2 halved after 30",
        _WORDS,
        {
            "room alone": replace(_WORDS, score_weight=0.0),
            "halved after 1000": replace(_WORDS, score_patience=1000),
        },
    ),
    Switch("jumping back, entries", _WORDS, {"off": replace(_WORDS, backjump=False)}),
    Switch("jumping back, squares, restarts", _SQUARES, {"off": replace(_SQUARES, backjump=False)}),
    Switch(
        "jumping back, squares, no restart",
        replace(_SQUARES, first_restart=NEVER),
        {"off": replace(_SQUARES, first_restart=NEVER, backjump=False)},
    ),
    Switch("last conflict, squares", _SQUARES, {"off": replace(_SQUARES, last_conflict=False)}),
)

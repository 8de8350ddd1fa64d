"""What each action of the screen calls, by the name under which `xwtui.session.keys.actions` declares it."""

from collections.abc import Callable, Mapping
from functools import partial

from xwtui.tui.editing.candidates import CandidatesPanel
from xwtui.tui.editing.command_line import CommandLine
from xwtui.tui.editing.grid_keys import GridKeys
from xwtui.tui.editing.menus import Menus
from xwtui.tui.editing.verb_keys import VerbKeys

_DIRECTIONS = {"left": ("A", -1), "right": ("A", 1), "up": ("D", -1), "down": ("D", 1)}


def calls(
    grid: GridKeys,
    candidates: CandidatesPanel,
    line: CommandLine,
    verbs: VerbKeys,
    menus: Menus,
    change_order: Callable[[], None],
) -> Mapping[str, Callable[[], None]]:
    """The function of each action."""
    travel: dict[str, Callable[[], None]] = {}
    for name, (direction, step) in _DIRECTIONS.items():
        travel[name] = partial(grid.arrow, direction, step)
        travel[f"skip {name}"] = partial(grid.leap, direction, step)
        travel[f"select {name}"] = partial(grid.extend, direction, step)

    def cancel_or_rebus() -> None:
        if not grid.cancel():
            line.ask_rebus()

    return {
        **travel,
        "turn": grid.turn,
        "next entry": partial(grid.entry_on, 1),
        "previous entry": partial(grid.entry_on, -1),
        "entry start": partial(grid.entry_end, -1),
        "entry end": partial(grid.entry_end, 1),
        "column top": partial(grid.grid_end, "D", -1),
        "column foot": partial(grid.grid_end, "D", 1),
        "row start": partial(grid.grid_end, "A", -1),
        "row end": partial(grid.grid_end, "A", 1),
        "mark": grid.mark,
        "select entry": grid.select_entry,
        "accept and next": verbs.accept_on,
        "erase back": grid.erase_back,
        "erase": grid.erase,
        "cancel": lambda: _nothing(grid.cancel()),
        "cancel or rebus": cancel_or_rebus,
        "candidate list": candidates.enter,
        "sort candidates": candidates.sort,
        "write its fill": candidates.write_fill,
        "hardest": grid.hardest,
        "fill around": verbs.fill_around,
        "clue table": verbs.show_clues,
        "order": change_order,
        "next backtrack": verbs.until_backtrack,
        "watch screen": verbs.watch_search,
        "command line": line.ask,
        "palette": verbs.show_palette,
        "menu": menus.show_all,
        "entry menu": menus.show_entry,
        "what was said": verbs.show_said,
        "next colours": verbs.change_theme,
    }


def _nothing(_: object) -> None:
    """Drop what an action returns."""

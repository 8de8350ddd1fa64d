"""How soon the screen responds to a key, while idle and during each long computation."""

import enum
import statistics
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count, cycle, islice
from random import Random
from typing import NamedTuple

from bench.fillers import clock
from bench.keyboard import Keyboard
from bench.tables import duration, table
from xwtui.formats.registry import read_puzzle
from xwtui.model import Grid
from xwtui.resources import puzzles_folder

_KEYS, _FEW_KEYS = 80, 20
_GAP = 0.1
"""Seconds between keys, plus up to the same amount at random."""
_LOADED = 8
"""Seconds after the first estimate in which the rest of the engine loads."""
_BEGUN = 1.5
"""Seconds after which requested work is under way."""
_RIGHT, _LEFT, _TAB = "\x1b[C", "\x1b[D", "\t"
_ESCAPE, _BACKSPACE, _F5, _F6, _UNDO = "\x1b", "\x7f", "\x1b[15~", "\x1b[17~", "\x1a"
_NARROWED = 5
"""Letters typed to narrow a list before they are deleted."""
_LETTERS = "SEA"
_WORDS = "BRAVEHEART SWEETHEART HEARTOFGLASS CHANGEOFHEART"


class Pressing(enum.Enum):
    """Which keys are pressed."""

    ARROWS = enum.auto()
    """Move along the first row."""
    ENTRIES = enum.auto()
    """Tab from entry to entry, which requests each entry's candidates."""
    WRITING = enum.auto()
    """Write letters into the first entry and delete them, repeatedly."""
    LETTERS = enum.auto()
    """Narrow the list on a screen of its own."""


class Work(NamedTuple):
    """Background work during key presses."""

    name: str
    keys: str
    """Keys that start it."""
    ending: str
    """Keys that end it."""
    pressing: Pressing = Pressing.ARROWS


def _asked(line: str) -> str:
    return f":{line} --time 60\r"


_NOTHING = Work("nothing is asked: counts and candidates get better by themselves", "", "")


class Stand(NamedTuple):
    """A grid, the terminal that shows it, and the work measured there."""

    template: str
    size: tuple[int, int]
    work: Sequence[Work]


STANDS: Sequence[Stand] = (
    Stand(
        "wide-open-15x15",
        (80, 24),
        (
            _NOTHING,
            Work("`count`", _asked("count"), _F6),
            Work("`heat`", _asked("heat"), ":heat\r"),
            Work("`fill`", _F5, f"{_F6}{_UNDO}"),
            Work("`improve`", _asked("improve"), f"{_F6}{_UNDO}"),
            Work("`why`", _asked("why"), _ESCAPE, Pressing.LETTERS),
            Work("`whatif blocks`", _asked("whatif blocks"), _ESCAPE, Pressing.LETTERS),
            Work("`whatif themers`", _asked(f"whatif themers {_WORDS} --each"), _ESCAPE, Pressing.LETTERS),
        ),
    ),
    Stand(
        "21x21-05",
        (120, 40),
        (
            _NOTHING,
            Work("the candidates of one entry after the other", "", "", Pressing.ENTRIES),
            Work("letters are written", ":title Keys\r", "", Pressing.WRITING),
            Work("`count`", _asked("count"), _F6),
            Work("`fill`, which finds none for long", _asked("fill --min-score 55"), _F6),
            Work("the same, and candidates", _asked("fill --min-score 55"), _F6, Pressing.ENTRIES),
        ),
    ),
)


def lines(tell: Callable[[str], None], *, is_quick: bool) -> list[str]:
    """Measure, and return the introduction and the table."""
    keys = _FEW_KEYS if is_quick else _KEYS
    head = ["grid", "while", "keys", "median", "95 of 100 within", "longest"]
    explained = (
        "The time from sending a key to `xwtui GRID` until its effect is written, in a terminal of 80 by 24 for "
        "the 15×15 grid and of 120 by 40 for the 21×21. Arrows move along the first row, Tab from entry to entry; "
        "letters are written into the first entry and deleted. If the answer has a screen of its own, letters "
        "narrow its list. A frame of Textual is 17 ms."
    )
    if clock.is_processor_time():
        explained += " Time during which the screen's thread waited for a processor is left out."
    rows = []
    for stand in STANDS:
        with tempfile.TemporaryDirectory() as folder:
            own = {f"XDG_{name}_HOME": folder for name in ("STATE", "CONFIG", "DATA")}
            path = puzzles_folder() / "templates" / f"{stand.template}.txt"
            with Keyboard(path, own, stand.size) as keyboard:
                measured = _measure(keyboard, stand, read_puzzle(path).grid, keys, tell)
        rows += [_row(stand.template, name, taken) for name, taken in measured.items()]
    return [explained, "", *table(head, rows)]


def _measure(
    keyboard: Keyboard, stand: Stand, grid: Grid, keys: int, tell: Callable[[str], None]
) -> Mapping[str, Sequence[float]]:
    tell("loading the engine")
    keyboard.expect("10^")
    keyboard.rest(_LOADED)
    found = {}
    for work in stand.work:
        tell(f"{stand.template}: {work.name}")
        keyboard.play(f":goto {grid.slots[0].name}\r")
        keyboard.play(work.keys)
        keyboard.rest(_BEGUN)
        found[work.name] = _pressed(keyboard, islice(_presses(work.pressing, keyboard, grid), keys))
        keyboard.play(work.ending)
        keyboard.rest(_BEGUN)
    return found


def _presses(pressing: Pressing, keyboard: Keyboard, grid: Grid) -> Iterator[tuple[str, str]]:
    match pressing:
        case Pressing.ARROWS:
            return _walk(grid)
        case Pressing.ENTRIES:
            return _entries(grid)
        case Pressing.WRITING:
            return _writing(grid)
        case Pressing.LETTERS:
            return _narrow(keyboard)


def _pressed(keyboard: Keyboard, presses: Iterator[tuple[str, str]]) -> list[float]:
    chance, taken = Random(0), []
    for key, effect in presses:
        keyboard.rest(_GAP * (1 + chance.random()))
        taken.append(keyboard.press(key, effect))
    return taken


def _walk(grid: Grid) -> Iterator[tuple[str, str]]:
    """Walk from the first entry to the end of the first row and back, forever; yields each key and its effect."""
    first = grid.slots[0].positions[0].column + 1
    there = [(_RIGHT, f"r1c{column} ") for column in range(first + 1, grid.width + 1)]
    back = [(_LEFT, f"r1c{column} ") for column in range(grid.width - 1, first - 1, -1)]
    return cycle([*there, *back])


def _entries(grid: Grid) -> Iterator[tuple[str, str]]:
    """Tab through the entries; yields each key and its effect, the entry's name in the line above the grid."""
    return ((_TAB, f" {slot.name} ") for slot in islice(cycle(grid.slots), 1, None))


def _writing(grid: Grid) -> Iterator[tuple[str, str]]:
    """Write letters into the first entry, which advances the cursor, and delete them, which moves it back."""
    along = grid.slots[0].positions
    there = [(letter, f"{at} ") for letter, at in zip(_LETTERS, along[1:], strict=False)]
    back = [(_BACKSPACE, f"{at} ") for at in along[len(there) - 1 :: -1]]
    return cycle([*there, *back])


def _narrow(keyboard: Keyboard) -> Iterator[tuple[str, str]]:
    """Narrow a list letter by letter; the effect is in its heading. From time to time the letters are deleted."""
    for number in count():
        length = number % _NARROWED
        if number and not length:
            keyboard.play(_BACKSPACE * _NARROWED)
        yield "r", f"with {'R' * (length + 1)} "


def _row(template: str, name: str, taken: Sequence[float]) -> list[str]:
    most = sorted(taken)[len(taken) * 19 // 20]
    figures = (statistics.median(taken), most, max(taken))
    return [template, name, str(len(taken)), *map(duration, figures)]

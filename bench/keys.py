"""How soon the screen answers a key, while nothing goes on and while each of the long answers is worked out."""

import statistics
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import cycle, islice
from random import Random
from typing import NamedTuple

from bench.keyboard import Keyboard
from bench.tables import duration, table
from xwtui.resources import puzzles_folder

TEMPLATE = "wide-open-15x15"
_KEYS, _FEW_KEYS = 80, 20
_GAP = 0.1
"""Seconds between keys, and up to as many more by chance."""
_BEGUN = 1.5
"""Seconds after which what was asked for goes on."""
_RIGHT, _LEFT, _HOME = "\x1b[C", "\x1b[D", "\x1b[1;5H"
_ESCAPE, _BACKSPACE, _F5, _F6, _UNDO = "\x1b", "\x7f", "\x1b[15~", "\x1b[17~", "\x1a"
_NARROWED = 5
"""Letters that narrow a list before they are taken back."""
_WORDS = "BRAVEHEART SWEETHEART HEARTOFGLASS CHANGEOFHEART"


class Work(NamedTuple):
    """What goes on while keys are pressed."""

    name: str
    keys: str
    """What begins it."""
    ending: str
    """What ends it."""
    fills_screen: bool = False
    """Whether it is shown on a screen of its own, where letters narrow a list."""


def _asked(line: str) -> str:
    return f":{line} --time 60\r"


WORK: Sequence[Work] = (
    Work("nothing is asked: counts and candidates get better by themselves", "", ""),
    Work("`count`", _asked("count"), _F6),
    Work("`heat`", _asked("heat"), ":heat\r"),
    Work("`fill`", _F5, f"{_F6}{_UNDO}"),
    Work("`improve`", _asked("improve"), f"{_F6}{_UNDO}"),
    Work("`why`", _asked("why"), _ESCAPE, fills_screen=True),
    Work("`whatif blocks`", _asked("whatif blocks"), _ESCAPE, fills_screen=True),
    Work("`whatif themers`", _asked(f"whatif themers {_WORDS} --each"), _ESCAPE, fills_screen=True),
)


def lines(tell: Callable[[str], None], *, is_quick: bool) -> list[str]:
    """What is measured, and the table."""
    keys = _FEW_KEYS if is_quick else _KEYS
    head = ["while", "keys", "median", "nine of ten within", "longest"]
    explained = (
        f"`xwtui {TEMPLATE}.txt` in a terminal of 80 by 24: from a key being sent to its effect being written. "
        "Arrows walk along the first row; where the answer has a screen of its own, letters narrow its list. "
        "A frame of Textual is 17 ms."
    )
    with tempfile.TemporaryDirectory() as folder:
        own = {f"XDG_{name}_HOME": folder for name in ("STATE", "CONFIG", "DATA")}
        with Keyboard(puzzles_folder() / "templates" / f"{TEMPLATE}.txt", own) as keyboard:
            rows = [_row(name, taken) for name, taken in _measure(keyboard, keys, tell).items()]
    return [explained, "", *table(head, rows)]


def _measure(keyboard: Keyboard, keys: int, tell: Callable[[str], None]) -> Mapping[str, Sequence[float]]:
    tell("loading the engine")
    keyboard.expect("10^")
    keyboard.rest(1)
    keyboard.press(_HOME, "r1c1 ")
    walk, found = _walk(), {}
    for work in WORK:
        tell(work.name)
        keyboard.play(work.keys)
        keyboard.rest(_BEGUN)
        presses = _narrow(keyboard, keys) if work.fills_screen else islice(walk, keys)
        found[work.name] = _pressed(keyboard, presses)
        keyboard.play(work.ending)
        keyboard.rest(_BEGUN)
    return found


def _pressed(keyboard: Keyboard, presses: Iterator[tuple[str, str]]) -> list[float]:
    chance, taken = Random(0), []
    for key, effect in presses:
        keyboard.rest(_GAP * (1 + chance.random()))
        taken.append(keyboard.press(key, effect))
    return taken


def _walk() -> Iterator[tuple[str, str]]:
    """From the first square of the first row to the last one and back, over and over: each key and its effect."""
    there = [(_RIGHT, f"r1c{column} ") for column in range(2, 16)]
    back = [(_LEFT, f"r1c{column} ") for column in range(14, 0, -1)]
    return cycle([*there, *back])


def _narrow(keyboard: Keyboard, keys: int) -> Iterator[tuple[str, str]]:
    """Letters that narrow a list, which its heading tells; now and then they are taken back."""
    for number in range(keys):
        length = number % _NARROWED
        if number and not length:
            keyboard.play(_BACKSPACE * _NARROWED)
        yield "r", f"with {'R' * (length + 1)} "


def _row(name: str, taken: Sequence[float]) -> list[str]:
    nine_of_ten = sorted(taken)[len(taken) * 9 // 10]
    figures = (statistics.median(taken), nine_of_ten, max(taken))
    return [name, str(len(taken)), *map(duration, figures)]

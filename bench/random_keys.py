"""Random keys and verb lines, typed into the screen in bursts, as constructors and cats type them.

After each burst an unknown verb is typed: once the screen refuses it, all earlier input has been processed.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from random import Random
from time import perf_counter

from bench.keyboard import Keyboard
from bench.lines import random_line
from xwtui.session.verbs.registry import VERBS

_ARROWS = dict(zip(("up", "down", "right", "left"), "ABCD", strict=True))
_ESCAPE, _ENTER, _STOP, _PALETTE = "\x1b[27u", "\r", "\x1b[17~", "\x10"
KEYS = (
    *(chr(ord(letter) - ord("a") + 1) for letter in "abdefgklnoprstuvwxyz"),
    *" .`*=+/-!@%\\[$<>_\"?:,;()'#&{}~^|]0123456789",
    *(_ENTER, "\t", "\x1b[Z", "\x7f", _ESCAPE, "\x1b[3~", "\x1b[2~", "\x1b[H", "\x1b[F"),
    *(f"\x1b[{end}" for end in _ARROWS.values()),
    *(f"\x1b[1;{shift}{end}" for shift in (2, 5) for end in _ARROWS.values()),
    *(f"\x1b[{page}{shift}~" for page in (5, 6) for shift in ("", ";5")),
    *(f"\x1bO{end}" for end in "PQRS"),
    *(f"\x1b[{code}~" for code in (15, 17, 18, 19, 20, 21, 23, 24)),
    *(f"\x1b[{code};{shift}~" for code in (15, 19, 20) for shift in (2, 5)),
)
"""What a terminal sends for each bound key, except those that end the session or the process."""
SIZES = ((80, 24), (120, 40), (200, 60))
"""Terminal sizes in columns and rows to switch between."""

_LEFT_OUT = ("quit", "keys use")
"""Verbs that end the session or change the meaning of Esc."""
EXAMPLES = [example for verb in VERBS.values() for example in verb.examples if not example.startswith(_LEFT_OUT)]
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_MOST_PIECES = 12
_FRESH = 15
"""Bursts between resets: a reset closes the other open puzzles and restores the first one."""
_TABS = 10
"""Tabs closed at a reset."""
_PATIENCE, _MARK_PATIENCE = 300.0, 20.0
"""Seconds after which the screen counts as hung, and after which another unknown verb is typed."""
_TRACEBACK = "Traceback (most recent"
_SEQUENCE = re.compile(r"\x1b(\[[0-?]*[ -/]*[@-~]|[^\[])")


class DrivingError(Exception):
    """A failure, and the burst that caused it."""


def random_burst(chance: Random) -> str:
    """Return keys and lines to type at once."""
    return "".join(_piece(chance) for _ in range(chance.randint(1, _MOST_PIECES)))


def _piece(chance: Random) -> str:
    match chance.randrange(9):
        case 0 | 1 | 2:
            return "".join(chance.choices(KEYS, k=chance.randint(1, 4)))
        case 3:
            return f":{random_line(chance)}{_ENTER}"
        case 4 | 5:
            return f":{chance.choice(EXAMPLES)}{_ENTER}"
        case 6:
            return _PALETTE + _letters(chance) + _ESCAPE
        case _:
            return _letters(chance)


def _letters(chance: Random) -> str:
    return "".join(chance.choices(_LETTERS, k=chance.randint(1, 6)))


class RandomKeys:
    """The screen in a terminal, driven by bursts; it is reopened after a regular exit."""

    def __init__(self, puzzle: Path, environment: Mapping[str, str]) -> None:
        self._puzzle, self._as_it_was = puzzle, puzzle.read_bytes()
        self._environment = environment
        self._bursts = 0
        self.openings = 0
        """Number of times the screen was opened."""
        self._keyboard = self._opened()

    @property
    def process(self) -> int:
        """Id of the current process."""
        return self._keyboard.process

    def _opened(self) -> Keyboard:
        self.openings += 1
        keyboard = Keyboard(self._puzzle, self._environment, SIZES[0], folder=self._puzzle.parent)
        keyboard.rest(2.0)
        return keyboard

    def do(self, keys: str) -> None:
        """Type a burst and wait until all of it is processed.

        Raises DrivingError on a traceback, on an exit with an error, or if the program hangs.
        """
        self._bursts += 1
        chance = Random(self._bursts)
        if self._bursts % _FRESH == 0:
            self._puzzle.write_bytes(self._as_it_was)
            keys = f"{f':tab close --force{_ENTER}' * _TABS}:open {self._puzzle} --force{_ENTER}{keys}"
        keyboard = self._keyboard
        keyboard.resize(*chance.choice(SIZES))
        if chance.random() < 0.2:
            keyboard.play(keys)
        else:
            keyboard.write(keys)
        seen = keyboard.rest(chance.choice((0.0, 0.5, 3.0))) + self._until_done()
        if _TRACEBACK in (plain := _SEQUENCE.sub("", seen)):
            raise DrivingError(f"a traceback after burst {self._bursts}, {keys!r}:\n{plain[-8000:]}")
        if keyboard.status is not None:
            keyboard.close()
            if keyboard.status:
                raise DrivingError(
                    f"ended with {keyboard.status} after burst {self._bursts}, {keys!r}:\n{plain[-8000:]}"
                )
            self._keyboard = self._opened()

    def _until_done(self) -> str:
        seen, begun = "", perf_counter()
        while self._keyboard.status is None:
            mark = f"zz{self._bursts}x{int(perf_counter() - begun)}"
            self._keyboard.write(f"{_STOP}{_ESCAPE * 6}:{mark}{_ENTER}")
            end = perf_counter() + _MARK_PATIENCE
            while perf_counter() < end and self._keyboard.status is None:
                seen += self._keyboard.rest(0.1)
                if f"no verb '{mark}" in seen:
                    return seen
            if perf_counter() - begun > _PATIENCE:
                raise DrivingError(f"nothing is done any more after burst {self._bursts}: {seen[-8000:]!r}")
        return seen + self._keyboard.rest(1.0)

    def close(self) -> None:
        """End the current process."""
        self._keyboard.close()

"""What stands around a puzzle that is printed or played, in the language of its alphabet; else in English."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from xwtui.model import Direction, Puzzle

_FILE = Path(__file__).with_name("languages.json")
_OTHERWISE = "english"


@cache
def _languages() -> Mapping[str, Mapping[str, str]]:
    found: Mapping[str, Mapping[str, str]] = json.loads(_FILE.read_text(encoding="utf-8"))
    return found


def labels(puzzle: Puzzle) -> Mapping[str, str]:
    """The labels by name, `across` and `solution` among them, with the code of the language as `lang`."""
    language = puzzle.alphabet.name.partition("-")[0]
    return _languages().get(language, _languages()[_OTHERWISE])


def heading(puzzle: Puzzle, direction: Direction) -> str:
    """What stands above the clues of a direction."""
    return labels(puzzle)[direction.word]

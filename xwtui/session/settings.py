"""The constructor's settings for all sessions, and overrides that last for one session."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

from xwtui.dataclasses import asdict, dataclass, fields
from xwtui.engine.candidates.estimate import CandidateOrder
from xwtui.errors import XwtuiError, failing_as
from xwtui.reading import write_whole
from xwtui.resources import settings_path
from xwtui.session.fill_options import DEFAULT_REPEAT_COST
from xwtui.text import listed
from xwtui.user_files import MissingUserFileError, UserFileError, read_toml

ENTRY_ORDERS = ("emptiest", "worst", "clue")
GRID_SIZES = ("auto", "small", "medium", "large")
_CHOICES = {
    "grid_size": GRID_SIZES,
    "entry_order": ENTRY_ORDERS,
    "candidate_order": tuple(order.value for order in CandidateOrder),
}


class SettingError(XwtuiError):
    """A value that is not allowed for a setting."""


@dataclass(frozen=True)
class Settings:
    """The settings; each default suits a first start.

    `theme` names a color theme (empty: the face's default). `entry_order` is `emptiest`, `worst` or `clue`.
    `candidate_order` is `score`, `room` or `both`. `threads` is the number for a run; 0 means one per core, except
    that a plain fill then uses one, so that it can be stepped. `numbers` shows clue numbers if there is room.
    `live_fill` shows a fill after each change. `tint` colors letters by the quality of their entries if squares
    are large. `key_map` names a key map that ships with the program (empty: the default keys). `address` is the
    text for a manuscript, name and address, on several lines. `keep_clues` copies the clues of saved puzzles to
    the clue book. `grid_size` is the size in which the REPL draws the grid. `repeat_cost` is how much an answer of
    recent puzzles counts less than its score.
    """

    theme: str = ""
    entry_order: str = "emptiest"
    candidate_order: str = CandidateOrder.SCORE.value
    threads: int = 0
    numbers: bool = True
    live_fill: bool = False
    grid_size: str = "auto"
    tint: bool = True
    key_map: str = ""
    address: str = ""
    keep_clues: bool = True
    repeat_cost: int = DEFAULT_REPEAT_COST

    def __post_init__(self) -> None:
        for field in fields(self):
            kind, value = type(field.default), getattr(self, field.name)
            if type(value) is not kind:
                raise SettingError(f"setting {field.name}: {value!r} is not {_KIND_NAMES[kind]}")
        for name, known in _CHOICES.items():
            if getattr(self, name) not in known:
                raise SettingError(f"setting {name}: there are {listed(known, 'and')}")
        if not 0 <= self.threads <= 64:
            raise SettingError("setting threads: use 0 to 64")
        if not 0 <= self.repeat_cost <= 100:
            raise SettingError("setting repeat_cost: use 0 to 100")


_KIND_NAMES: dict[type, str] = {str: "a text", int: "a whole number", bool: "true or false"}


def load_settings(path: Path | None = None) -> Settings:
    """Read the settings, defaults if the file is missing, ignoring unknown names; raises UserFileError."""
    source = path if path is not None else settings_path()
    try:
        found = read_toml(source)
        known = {field.name for field in fields(Settings)}
        return Settings(**{name: value for name, value in found.items() if name in known})
    except MissingUserFileError:
        return Settings()
    except SettingError as error:
        raise UserFileError(source, str(error)) from error


def save_settings(settings: Settings, path: Path | None = None) -> None:
    """Write the settings; raises XwtuiError if that fails."""
    target = path if path is not None else settings_path()
    # JSON and TOML write such values the same way, except for the delete character
    lines = [f"{name} = {json.dumps(value, ensure_ascii=False)}\n" for name, value in asdict(settings).items()]
    with failing_as(XwtuiError, f"cannot write {target}"):
        target.parent.mkdir(parents=True, exist_ok=True)
        write_whole(target, "".join(lines).replace("\x7f", "\\u007f"))


class Overrides(NamedTuple):
    """Word lists and options for one call of the program; empty or None leaves the choice to the puzzle.

    Lists are looked up relative to the current folder. A session without `looks_ahead` counts nothing unasked and
    loads only the parts of the engine that are needed. One without `holds_files` does not show other processes
    which file is open, journals nothing, and takes no lines of verbs, so its refusals name options instead.
    """

    lists: tuple[str, ...] = ()
    minimum_score: int | None = None
    is_graded: bool = False
    """Whether words of unscored lists get scores, whatever the puzzle says."""
    allow_repeats: bool = False
    looks_ahead: bool = True
    holds_files: bool = True


NO_OVERRIDES = Overrides()

"""The user's word list layers for every puzzle: the personal list, the lists in a folder, and the shipped list.

`lists.toml` holds the user's choices for them: their order, which are off, and the rules for reading their scores.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from xwtui.dataclasses import dataclass, field, replace
from xwtui.errors import WordListError, failing_as
from xwtui.lazy import lazy_imports
from xwtui.reading import DiskMark, changing_alone, write_whole
from xwtui.resources import default_word_list, list_settings_path, personal_list_path, user_lists_folder
from xwtui.text import listed, printable
from xwtui.user_files import MissingUserFileError, UserFileError, read_toml
from xwtui.words.list_files import DEFAULT_LIST, LIST_FILES, ListFiles
from xwtui.words.personal_list import MINE
from xwtui.words.scales import AUTO, OWN_SCALE
from xwtui.words.theme_answers import LIST_SUFFIXES

with lazy_imports():
    import msgspec

PACKED = ".gz"
"""Optional second suffix of a word list's file name."""


@dataclass(frozen=True)
class ListChoices:
    """The user's choices for the layers, by layer name; names of lists whose files are gone are kept."""

    order: tuple[str, ...] = ()
    """Topmost first; lists not named here are above all of these."""
    off: frozenset[str] = frozenset()
    scales: Mapping[str, str] = field(default_factory=dict)
    """The chosen score rules; other lists use AUTO."""
    alphabets: Mapping[str, str] = field(default_factory=dict)
    """The chosen alphabets, by name; other lists use the one in their file."""

    def without(self, name: str) -> ListChoices:
        order = tuple(one for one in self.order if one != name)
        scales = {one: rule for one, rule in self.scales.items() if one != name}
        alphabets = {one: alphabet for one, alphabet in self.alphabets.items() if one != name}
        return ListChoices(order, self.off - {name}, scales, alphabets)


def read_choices(path: Path) -> ListChoices:
    """Read the choices, the defaults if there is no file; raises WordListError, naming the file, for a bad one."""
    try:
        found = read_toml(path)
    except MissingUserFileError:
        return ListChoices()
    except UserFileError as error:
        raise WordListError(str(error)) from error
    try:
        return msgspec.convert(found, ListChoices)
    except msgspec.ValidationError:
        raise WordListError(
            f"{printable(str(path), 200)}: `order` and `off` are lists of names, "
            "`[scales]` names a rule for each, `[alphabets]` an alphabet"
        ) from None


def change_choices(change: Callable[[ListChoices], ListChoices]) -> None:
    """Apply a change to the latest choices on disk, under a lock against other processes; raises WordListError."""
    target = list_settings_path().resolve()
    with failing_as(WordListError, f"cannot write {printable(str(target), 200)}"), changing_alone(target):
        choices = change(read_choices(target))
        lines = [
            f"order = {_value(list(choices.order))}",
            f"off = {_value(sorted(choices.off))}",
            "",
            "[scales]",
        ]
        lines += [f"{_value(name)} = {_value(rule)}" for name, rule in sorted(choices.scales.items())]
        lines += ["", "[alphabets]"] if choices.alphabets else []
        lines += [f"{_value(name)} = {_value(one)}" for name, one in sorted(choices.alphabets.items())]
        write_whole(target, "".join(f"{line}\n" for line in lines))


def _value(value: object) -> str:
    """Return a value as TOML: JSON, with an escape for the delete character."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


@dataclass(frozen=True)
class UserList:
    """A layer at one moment; a different `mark` means that its file has changed."""

    name: str
    path: Path
    mark: DiskMark | None
    """None if there is no file yet."""
    rule: str = AUTO
    is_on: bool = True
    alphabet: str = ""
    """The name of the alphabet chosen for it; empty to use the one named in its file."""

    @property
    def is_personal(self) -> bool:
        """Whether it is the list of the user's own scores."""
        return self.name == MINE

    @property
    def ships(self) -> bool:
        return self.name == DEFAULT_LIST


class UserLists(NamedTuple):
    """All layers in order, on or off: the personal list on top, then the user's lists and the shipped one."""

    lists: tuple[UserList, ...] = ()
    problem: str = ""
    """Why the choices could not be read, in which case the defaults are used."""

    @property
    def personal(self) -> UserList | None:
        return next((one for one in self.lists if one.is_personal and one.is_on), None)

    @property
    def below_personal(self) -> tuple[UserList, ...]:
        """All other layers that are on, in order."""
        return tuple(one for one in self.lists if one.is_on and not one.is_personal)

    def at(self, path: Path) -> UserList | None:
        """Return the layer of a file, on or off, other than the shipped one."""
        return next((one for one in self.lists if one.path == path and not one.ships), None)

    def named(self, name: str) -> UserList:
        """Return the layer with a name or file name; raises WordListError if there is none."""
        for one in self.lists:
            if name in (one.name, one.path.name):
                return one
        known = listed([one.name for one in self.lists], "and")
        raise WordListError(f"there is no word list {printable(name, 40)}; there are {known}")


NO_USER_LISTS = UserLists()
"""The value to use when the user's layers do not apply: only the shipped list is read."""


def find_user_lists(files: ListFiles = LIST_FILES) -> UserLists:
    """Find the user's layers; never raises, but `problem` describes unreadable choices."""
    problem = ""
    try:
        choices = read_choices(list_settings_path())
    except WordListError as error:
        choices, problem = ListChoices(), str(error)
    personal, shipped = personal_list_path(), default_word_list()
    found = [
        UserList(DEFAULT_LIST, shipped, files.mark(shipped), str(OWN_SCALE)),
        *_of_folder(user_lists_folder(), files),
    ]
    places = {name: place for place, name in enumerate(choices.order)}
    last = places.get(DEFAULT_LIST, len(places))

    def place(one: UserList) -> tuple[float, str]:
        """Sort key: the chosen order, with unnamed lists on top and the shipped list last by default."""
        return (places.get(one.name, -1) if not one.ships else last), one.name

    in_order = [UserList(MINE, personal, files.mark(personal), str(OWN_SCALE)), *sorted(found, key=place)]
    chosen = [
        replace(
            one,
            is_on=one.name not in choices.off,
            rule=choices.scales.get(one.name, one.rule),
            alphabet=choices.alphabets.get(one.name, ""),
        )
        for one in in_order
    ]
    return UserLists(tuple(chosen), problem)


def _of_folder(folder: Path, files: ListFiles) -> Iterator[UserList]:
    try:
        paths = {path for path in folder.iterdir() if is_list_name(path.name)}
    except OSError:
        paths = set()
    marks = {path: files.mark(path) for path in sorted({*paths, *files.files_in(folder)})}
    stems = [stem_of_list(path.name) for path, mark in marks.items() if mark is not None]
    for path, mark in marks.items():
        if mark is not None:
            stem = stem_of_list(path.name)
            is_clear = stems.count(stem) == 1 and stem not in (MINE, DEFAULT_LIST) and stem
            yield UserList(stem if is_clear else path.name, path, mark)


def is_list_name(name: str) -> bool:
    """Whether a file of this name in the user's list folder becomes a layer."""
    name = name.lower()
    return not name.startswith(".") and name.removesuffix(PACKED).endswith(LIST_SUFFIXES)


def stem_of_list(name: str) -> str:
    """Return a list's name for a file name."""
    if name.lower().endswith(PACKED):
        name = name[: -len(PACKED)]
    return Path(name).stem

"""The layers of words that a user has for every puzzle: the personal list, the files of a folder, what ships.

What is chosen for them stands in `lists.toml`: their order, which are off, by which rule their scores are read.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from xwtui.dataclasses import dataclass, field, replace
from xwtui.errors import WordListError, failing_as
from xwtui.named_tuples import NamedTuple
from xwtui.own_files import NoOwnFileError, OwnFileError, read_toml
from xwtui.reading import DiskMark, changing_alone, write_whole
from xwtui.resources import default_word_list, list_settings_path, personal_list_path, user_lists_folder
from xwtui.text import listed, printable
from xwtui.words.list_files import DEFAULT_LIST, LIST_FILES, ListFiles
from xwtui.words.personal_list import MINE
from xwtui.words.scales import AUTO, OURS
from xwtui.words.theme_answers import LIST_SUFFIXES

PACKED = ".gz"
"""What the name of a list's file may end in, after the suffix of a list."""


@dataclass(frozen=True)
class ListChoices:
    """What a user has chosen for the layers, by their names; names of lists whose files have gone stay."""

    order: tuple[str, ...] = ()
    """The first one on top; lists that it does not name stand above them."""
    off: frozenset[str] = frozenset()
    scales: Mapping[str, str] = field(default_factory=dict)
    """The rules that were chosen; all others are AUTO."""
    alphabets: Mapping[str, str] = field(default_factory=dict)
    """The alphabets that were chosen, by name; all others are as the lists' files say."""

    def without(self, name: str) -> ListChoices:
        order = tuple(one for one in self.order if one != name)
        scales = {one: rule for one, rule in self.scales.items() if one != name}
        alphabets = {one: alphabet for one, alphabet in self.alphabets.items() if one != name}
        return ListChoices(order, self.off - {name}, scales, alphabets)


def read_choices(path: Path) -> ListChoices:
    """Read the choices; a missing file gives none. Raises WordListError, naming the file, for a bad one."""
    try:
        found = read_toml(path)
    except NoOwnFileError:
        return ListChoices()
    except OwnFileError as error:
        raise WordListError(str(error)) from error
    order, off = found.get("order", []), found.get("off", [])
    scales, alphabets = found.get("scales", {}), found.get("alphabets", {})
    is_good = isinstance(order, list) and isinstance(off, list)
    is_good = is_good and isinstance(scales, dict) and isinstance(alphabets, dict)
    if not is_good or not all(
        isinstance(name, str) for name in (*order, *off, *scales.values(), *alphabets.values())
    ):
        raise WordListError(
            f"{printable(str(path), 200)}: `order` and `off` are lists of names, "
            "`[scales]` names a rule for each, `[alphabets]` an alphabet"
        )
    return ListChoices(tuple(order), frozenset(off), scales, alphabets)


def change_choices(change: Callable[[ListChoices], ListChoices], path: Path | None = None) -> None:
    """Change the choices as they are by now, whichever process made them; raises WordListError."""
    target = (list_settings_path() if path is None else path).resolve()
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
    """A value as TOML: JSON, in which only the delete character needs another form."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


@dataclass(frozen=True)
class UserList:
    """A layer as it stands at one moment: another mark means that its file has changed."""

    name: str
    path: Path
    mark: DiskMark | None
    """None where there is no file yet."""
    rule: str = AUTO
    is_on: bool = True
    alphabet: str = ""
    """The name of the alphabet that was chosen for it; empty where its file is to say it."""

    @property
    def is_personal(self) -> bool:
        """Whether it is the list of the user's own scores."""
        return self.name == MINE

    @property
    def ships(self) -> bool:
        return self.name == DEFAULT_LIST


class UserLists(NamedTuple):
    """The layers in their order, on or off: the personal list on top, then the user's and the one that ships."""

    lists: tuple[UserList, ...] = ()
    problem: str = ""
    """Why the choices could not be read, so that there are none."""

    @property
    def personal(self) -> UserList | None:
        return next((one for one in self.lists if one.is_personal and one.is_on), None)

    @property
    def below_personal(self) -> tuple[UserList, ...]:
        """All others that are on, in their order."""
        return tuple(one for one in self.lists if one.is_on and not one.is_personal)

    def at(self, path: Path) -> UserList | None:
        """The layer of a file, on or off, but for the one that ships."""
        return next((one for one in self.lists if one.path == path and not one.ships), None)

    def named(self, name: str) -> UserList:
        """The layer of a name, or of its file's name; raises WordListError where there is none."""
        for one in self.lists:
            if name in (one.name, one.path.name):
                return one
        known = listed([one.name for one in self.lists], "and")
        raise WordListError(f"there is no word list {printable(name, 40)}; there are {known}")


NO_USER_LISTS = UserLists()
"""What is asked where nothing of the user's counts: the list that ships stands by itself."""


def find_user_lists(files: ListFiles = LIST_FILES) -> UserLists:
    """The user's layers as they are now; nothing is raised, `problem` tells of choices that cannot be read."""
    problem = ""
    try:
        choices = read_choices(list_settings_path())
    except WordListError as error:
        choices, problem = ListChoices(), str(error)
    personal, shipped = personal_list_path(), default_word_list()
    found = [
        UserList(DEFAULT_LIST, shipped, files.mark(shipped), str(OURS)),
        *_of_folder(user_lists_folder(), files),
    ]
    places = {name: place for place, name in enumerate(choices.order)}
    last = places.get(DEFAULT_LIST, len(places))

    def place(one: UserList) -> tuple[float, str]:
        """Where it stands: by the order; what that does not name on top, but what ships last."""
        return (places.get(one.name, -1) if not one.ships else last), one.name

    in_order = [UserList(MINE, personal, files.mark(personal), str(OURS)), *sorted(found, key=place)]
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
    """Whether a file of this name becomes a layer in the user's folder of lists."""
    name = name.lower()
    return not name.startswith(".") and name.removesuffix(PACKED).endswith(LIST_SUFFIXES)


def stem_of_list(name: str) -> str:
    """What the list of a file is called by its name."""
    if name.lower().endswith(PACKED):
        name = name[: -len(PACKED)]
    return Path(name).stem

"""The user's own files, changed at random: what can be read is read, or one error says why not."""

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.formats.test_mutations import mutated
from tests.formats.torture import IS_DEEP
from tests.known import known
from xwtui.clues.book import reading
from xwtui.errors import ClueBookError, XwtuiError
from xwtui.grids.profiles import read_profile
from xwtui.model import Content, Position, Puzzle, edits
from xwtui.resources import profiles_folder, themes_folder
from xwtui.session.journal import Journal
from xwtui.session.keys.key_map import read_key_file
from xwtui.session.recent import RecentPuzzles, VerbUses
from xwtui.session.recovery import find_recoveries
from xwtui.session.settings import Settings, load_settings, save_settings
from xwtui.tui.themes import load_looks, load_own_looks
from xwtui.words.personal import PersonalList
from xwtui.words.user_lists import read_choices

MOST = 4_000 if IS_DEEP else 200
"""Files a kind."""

LETTERS = "ABCDE"


def states() -> list[Puzzle]:
    blank = Puzzle.blank(3, 3)
    return [edits.set_square(blank, Position(0, 0), Content.of(letter)) for letter in LETTERS]


def a_journal(folder: Path) -> Path:
    journal = Journal(None, folder)
    for puzzle in states():
        journal.record(f"edit {puzzle.grid[Position(0, 0)].content}", puzzle)
    path = known(journal.path)
    journal.close()
    return path


def a_book(path: Path) -> None:
    with reading(path) as connection:
        if connection is not None:
            connection.execute("SELECT count(*), max(text) FROM clues").fetchall()


def samples(folder: Path) -> dict[str, tuple[bytes, Callable[[Path], object]]]:
    """A good file of each kind, and who reads it."""
    save_settings(Settings(theme="slate"), folder / "settings")
    (folder / "book").touch()
    a_book(folder / "book")
    theme = (themes_folder() / "dark.toml").read_bytes()
    looks = load_looks()
    return {
        "settings": ((folder / "settings").read_bytes(), load_settings),
        "profile": ((profiles_folder() / "british.toml").read_bytes(), read_profile),
        "keys": (b'base = "crosshare"\n[keys]\n"ctrl+d" = "stats"\n', read_key_file),
        "lists": (b'order = ["a"]\noff = []\n[scales]\na = "auto"\n', read_choices),
        "theme": (theme, lambda path: load_own_looks(looks, path.parent)),
        "mine": (b"AXLE;60\nOREO;50\n", lambda path: PersonalList(path).read()),
        "recent": (json.dumps([str(folder / "a.ipuz")]).encode(), lambda path: RecentPuzzles(path).files),
        "uses": (b'{"fill": 3}', lambda path: VerbUses(path).of("fill")),
        "book": ((folder / "book").read_bytes(), a_book),
        "journal": (a_journal(folder / "journals").read_bytes(), lambda path: find_recoveries(path.parent)),
    }


KINDS = ("settings", "profile", "keys", "lists", "theme", "mine", "recent", "uses", "book", "journal")
SUFFIXES = {"journal": ".journal", "book": ".sqlite"}


@pytest.mark.parametrize("kind", KINDS)
def test_mutated_files_of_the_user(tmp_path: Path, kind: str) -> None:
    good, read = samples(tmp_path)[kind]
    rng = random.Random(kind)
    folder = tmp_path / "damaged"
    folder.mkdir()
    path = folder / f"own{SUFFIXES.get(kind, '.toml')}"
    path.write_bytes(good)
    read(path)
    for number in range(MOST):
        data = mutated(good, rng)
        path.write_bytes(data)
        told = ""
        try:
            read(path)
        except XwtuiError as error:
            told = str(error)
        except BaseException as error:
            error.add_note(f"file {number} of {kind}, which begins {data[:200]!r}")
            raise
        assert told.isprintable()


@pytest.mark.parametrize("damage", [b'[[0, "open", 7, 0, 0, 0]]', b"[7]", b"{}", b'[[0, "open", "?", 9, 0, 0]]'])
def test_a_damaged_journal_gives_back_what_is_before_the_damage_and_says_so(tmp_path: Path, damage: bytes) -> None:
    path = a_journal(tmp_path)
    lines = path.read_bytes().splitlines(keepends=True)
    begin, end = lines[4].index(b'"squares": ') + 11, lines[4].index(b', "clues"')
    lines[4] = lines[4][:begin] + damage.replace(b"{}", b'{"a": []}') + lines[4][end:]
    path.write_bytes(b"".join(lines))
    (recovery,) = find_recoveries(tmp_path)
    assert recovery.puzzle == states()[2]
    assert recovery.lost == 2
    assert recovery.describe().endswith("its journal is damaged: 2 changes cannot be read")


def test_a_clue_book_whose_tables_have_no_names_is_set_aside(tmp_path: Path) -> None:
    path = tmp_path / "clues.sqlite"
    path.touch()
    a_book(path)
    data = path.read_bytes().replace(b"CREATE TABLE clues", b"CREATE TABLE cl\xff\xfes")
    path.write_bytes(data.replace(b"UNIQUE INDEX", b"UNIQUE IND\xff\xff"))
    with pytest.raises(ClueBookError, match="set aside as"):
        a_book(path)
    (aside,) = tmp_path.glob("clues-damaged-*.sqlite")
    assert b"\xff\xfe" in aside.read_bytes()

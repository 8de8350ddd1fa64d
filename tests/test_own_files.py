"""Files of the user's own, damaged in every way: one error, with the path and what is wrong in a line."""

from pathlib import Path

import pytest

from xwtui.errors import PuzzleError, WordListError, XwtuiError
from xwtui.grids.profiles import read_profile
from xwtui.own_files import NoOwnFileError, OwnFileError, read_json, read_toml
from xwtui.reading import is_file
from xwtui.session.keys.key_map import read_key_file
from xwtui.session.presence import Holder, _read
from xwtui.session.recent import RecentPuzzles, VerbUses
from xwtui.session.settings import load_settings
from xwtui.words.user_lists import read_choices

DAMAGES = {
    "nested": b"a = " + b"[" * 5_000,
    "a deep table": b"a = " + b"{a = " * 5_000,
    "a long key": b"a" + b".a" * 20_000 + b" = 1",
    "no UTF-8": b"# fine\n# \xff\xfe\n",
    "NUL": b"\0",
    "a long number": b"a = " + b"9" * 5_000,
    "too large": b"#" * (1 << 20) + b"\n",
}
READERS = {
    "settings": (load_settings, OwnFileError),
    "profile": (read_profile, PuzzleError),
    "keys": (read_key_file, OwnFileError),
    "lists": (read_choices, WordListError),
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_one_error_that_names_it(tmp_path: Path, damage: str, reader: str) -> None:
    read, kind = READERS[reader]
    path = tmp_path / "own.toml"
    path.write_bytes(DAMAGES[damage])
    with pytest.raises(kind, match=r"own\.toml: .") as caught:
        read(path)  # type: ignore[operator]
    assert isinstance(caught.value, XwtuiError)
    assert str(caught.value).isprintable()


def test_what_is_wrong_is_told_by_its_line(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_bytes(DAMAGES["no UTF-8"])
    with pytest.raises(OwnFileError, match="line 2 is not UTF-8 text"):
        read_toml(path)
    with pytest.raises(OwnFileError, match="this is a folder"):
        read_toml(tmp_path)
    with pytest.raises(NoOwnFileError, match="no such file"):
        read_toml(tmp_path / "none.toml")


@pytest.mark.parametrize(
    "data", [b"1e999", b"-Infinity", b"NaN", b"[" * 5_000, b'{"a":' * 60, b"\xff", b"9" * 5_000]
)
def test_json_has_finite_numbers_and_is_shallow(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "own.json"
    path.write_bytes(data)
    with pytest.raises(OwnFileError, match=r"own\.json: ."):
        read_json(path)
    assert _read(path) == Holder()
    assert VerbUses(path).of("fill") == 0
    assert RecentPuzzles(path).files == ()


def test_a_recent_file_of_an_impossible_name_is_none(tmp_path: Path) -> None:
    path = tmp_path / "recent.json"
    path.write_text(f'["/{"x" * 5_000}", "{tmp_path / "here"}"]')
    (tmp_path / "here").touch()
    assert RecentPuzzles(path).files == (tmp_path / "here",)
    assert not is_file(Path("a\0b"))

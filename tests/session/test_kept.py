"""What is kept from one start to the next: recent files, settings, and which verbs are used."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.writing import written
from xwtui.engine.candidates.estimate import CandidateOrder
from xwtui.errors import XwtuiError
from xwtui.session.recent import MOST_RECENT, RecentPuzzles, VerbUses, in_short, not_yet_told
from xwtui.session.settings import ENTRY_ORDERS, Settings, load_settings, save_settings


def made(folder: Path, name: str) -> Path:
    return written(folder / name, "...")


def test_the_newest_comes_first_and_each_is_there_once(tmp_path: Path) -> None:
    recent = RecentPuzzles(tmp_path / "state" / "recent.json")
    one, other = made(tmp_path, "one.ipuz"), made(tmp_path, "other.ipuz")
    for path in (one, other, None, one):
        recent.note(path)
    assert RecentPuzzles(tmp_path / "state" / "recent.json").files == (one, other)


def test_it_is_bounded_and_forgets_what_is_gone(tmp_path: Path) -> None:
    recent = RecentPuzzles(tmp_path / "recent.json")
    paths = [made(tmp_path, f"{number}.ipuz") for number in range(MOST_RECENT + 5)]
    for path in paths:
        recent.note(path)
    assert recent.files == tuple(reversed(paths))[:MOST_RECENT]
    paths[-1].unlink()
    assert recent.files[0] == paths[-2]


BROKEN = {
    "empty": "",
    "cut": "{",
    "other": "{}",
    "no names": "[1, null]",
    "no paths": '["relative.ipuz", "a\\u0000b"]',
    "deep": "[" * 10_000,
}


@pytest.mark.parametrize("text", BROKEN.values(), ids=list(BROKEN))
def test_a_broken_list_is_as_good_as_empty(tmp_path: Path, text: str) -> None:
    path = written(tmp_path / "recent.json", text)
    assert RecentPuzzles(path).files == ()
    one = made(tmp_path, "one.ipuz")
    RecentPuzzles(path).note(one)
    assert RecentPuzzles(path).files == (one,)
    assert json.loads(path.read_text()) == [str(one)]


def test_where_it_cannot_be_written_nothing_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    recent = RecentPuzzles(tmp_path / "file" / "recent.json")
    recent.note(made(tmp_path, "one.ipuz"))
    assert recent.files == ()


def test_a_file_is_named_as_one_would_type_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    (home / "here").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(home / "here")
    paths = {"a.ipuz": home / "here" / "a.ipuz", "~/b.ipuz": home / "b.ipuz", str(tmp_path / "c"): tmp_path / "c"}
    assert {in_short(path): path for path in paths.values()} == paths
    assert [Path(name).expanduser().absolute() for name in paths] == list(paths.values())


SETTINGS = st.builds(
    Settings,
    theme=st.text(st.characters(exclude_categories=["Cs"])),
    entry_order=st.sampled_from(ENTRY_ORDERS),
    candidate_order=st.sampled_from([order.value for order in CandidateOrder]),
    threads=st.integers(0, 64),
    numbers=st.booleans(),
)


@given(settings=SETTINGS)
def test_what_is_written_is_read(tmp_path_factory: pytest.TempPathFactory, settings: Settings) -> None:
    path = tmp_path_factory.mktemp("config") / "xwtui" / "settings.toml"
    save_settings(settings, path)
    assert load_settings(path) == settings


def test_no_file_means_the_defaults(tmp_path: Path) -> None:
    assert load_settings(tmp_path / "settings.toml") == Settings()


def test_unknown_names_are_left_alone(tmp_path: Path) -> None:
    path = written(tmp_path / "settings.toml", 'theme = "slate"\nfrom_the_future = 7\n')
    assert load_settings(path) == Settings(theme="slate")


@pytest.mark.parametrize(
    "text",
    [
        "theme = ",
        "threads = -1",
        "threads = 65",
        "threads = true",
        'entry_order = "random"',
        'candidate_order = "size"',
        "theme = 7",
        "\0",
        "numbers = 1",
    ],
)
def test_a_wrong_file_is_refused_by_name(tmp_path: Path, text: str) -> None:
    path = written(tmp_path / "settings.toml", text)
    with pytest.raises(XwtuiError, match=r"settings\.toml"):
        load_settings(path)


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(XwtuiError, match="cannot write"):
        save_settings(Settings(), tmp_path / "file" / "settings.toml")


def test_uses_are_kept_and_counted_together_with_those_of_another_program(tmp_path: Path) -> None:
    path = tmp_path / "state" / "verb-uses.json"
    one, other = VerbUses(path), VerbUses(path)
    one.note("fill")
    other.note("fill")
    other.note("check")
    assert (VerbUses(path).of("fill"), VerbUses(path).of("check"), VerbUses(path).of("save")) == (2, 1, 0)


def test_old_uses_fade(tmp_path: Path) -> None:
    uses = VerbUses(tmp_path / "uses.json")
    for verb in ["check"] * 400 + ["fill"] * 101:
        uses.note(verb)
    assert (uses.of("check"), uses.of("fill")) == (200, 50)


@pytest.mark.parametrize("text", ["", "[1]", '{"fill": "x", "nonsense": 3, "check": true, "save": -1}', "\0"])
def test_what_cannot_be_read_is_forgotten(tmp_path: Path, text: str) -> None:
    path = written(tmp_path / "uses.json", text)
    uses = VerbUses(path)
    assert (uses.of("fill"), uses.of("nonsense"), uses.of("save")) == (0, 0, 0)
    uses.note("fill")
    assert VerbUses(path).of("fill") == 1


def test_uses_that_cannot_be_kept_count_for_now(tmp_path: Path) -> None:
    blocked = written(tmp_path / "file", "")
    uses = VerbUses(blocked / "uses.json")
    uses.note("fill")
    uses.note("fill")
    assert uses.of("fill") == 2


def test_what_another_program_is_writing_is_left_alone(tmp_path: Path) -> None:
    theirs = written(tmp_path / "uses.part", "half")
    VerbUses(tmp_path / "uses.json").note("fill")
    assert theirs.read_text() == "half"
    assert {path.name for path in tmp_path.iterdir()} == {"uses.json", "uses.part"}


def test_what_is_wrong_with_lists_is_told_again_once_they_are_as_they_were_before_the_last_start() -> None:
    told = [not_yet_told(["skipped line 6"], "pantry", state) for state in ("one", "one", "other", "one")]
    assert told == [["skipped line 6"], [], ["skipped line 6"], ["skipped line 6"]]
    assert not_yet_told([], "pantry", "mended") == []
    assert not_yet_told(["skipped line 6"], "kitchen", "one") == ["skipped line 6"], "other lists"
    assert not_yet_told(["skipped line 6"], "kitchen", "one") == [], "whatever is open between"
    assert not_yet_told(["skipped line 6"], "pantry", "one") == ["skipped line 6"], "broken anew"
    assert not_yet_told(["skipped line 6"], "", "one") == ["skipped line 6"], "nobody has started"

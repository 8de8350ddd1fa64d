from pathlib import Path

import pytest

from xwtui.errors import WordListError
from xwtui.model import WordChoice
from xwtui.words import list_files
from xwtui.words.list_files import find_list
from xwtui.words.sources import load_lexicon


@pytest.fixture(autouse=True)
def shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small list in place of the default one, with another current folder."""
    folder = tmp_path / "shipped"
    folder.mkdir()
    (folder / "default.dict").write_text("OREO;40\nETUI;60\n")
    (folder / "british.dict").write_text("LORRY;70\n")
    monkeypatch.setattr(list_files, "wordlists_folder", lambda: folder)
    monkeypatch.setattr(list_files, "default_word_list", lambda: folder / "default.dict")
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "puzzles"
    folder.mkdir()
    (folder / "mine.txt").write_text("OREO;90\nEPEE;30\nBAD;900\n")
    return folder


def test_the_default_list_is_used_if_none_is_named(shipped: Path) -> None:
    loaded = load_lexicon(WordChoice(minimum_score=50))
    assert loaded.lexicon.table(4).words() == ["ETUI"]
    assert [(layer.name, layer.path, layer.words) for layer in loaded.layers] == [
        ("default", shipped / "default.dict", 2)
    ]
    assert loaded.warnings == ()


def test_the_first_list_with_a_word_takes_precedence(folder: Path) -> None:
    loaded = load_lexicon(WordChoice(lists=("mine.txt", "default"), minimum_score=0), folder)
    assert [loaded.lexicon.score(word) for word in ("OREO", "EPEE", "ETUI")] == [90, 30, 60]
    reverse = load_lexicon(WordChoice(lists=("default", "mine.txt"), minimum_score=0), folder)
    assert reverse.lexicon.score("OREO") == 40


def test_choices_reach_the_lexicon() -> None:
    choice = WordChoice(minimum_score=55, banned=frozenset({"ETUI"}), scores={"EPEE": 80})
    lexicon = load_lexicon(choice).lexicon
    assert lexicon.table(4).words() == ["EPEE"]


def test_skipped_lines_are_reported(folder: Path) -> None:
    loaded = load_lexicon(WordChoice(lists=("mine.txt", "default")), folder)
    assert [(layer.read.bad_count, [line.number for line in layer.read.bad_lines]) for layer in loaded.layers] == [
        (1, [3]),
        (0, []),
    ]
    assert loaded.warnings == ("mine.txt: skipped line 3: scores go from 0 to 100, not 900",)


def test_only_the_first_five_bad_lines_are_listed(folder: Path) -> None:
    (folder / "poor.txt").write_text("OREO;40\n" + "ETUI;900\n" * 12)
    first, *_, last = load_lexicon(WordChoice(lists=("poor.txt",)), folder).warnings
    assert first == "poor.txt: skipped line 2: scores go from 0 to 100, not 900"
    assert last == "poor.txt: skipped 7 more lines"


def test_a_folder_is_no_word_list(folder: Path) -> None:
    (folder / "lists").mkdir()
    with pytest.raises(WordListError, match="lists is not an ordinary file"):
        find_list("lists", folder)


def test_a_list_named_twice_is_read_once(folder: Path) -> None:
    loaded = load_lexicon(WordChoice(lists=("default", "mine.txt", "default")), folder)
    assert [layer.name for layer in loaded.layers] == ["default", "mine.txt"]


def test_the_puzzles_folder_is_searched_before_the_current_one(folder: Path) -> None:
    (Path.cwd() / "mine.txt").write_text("ERNE")
    assert find_list("mine.txt", folder) == folder / "mine.txt"
    assert find_list("mine.txt") == Path.cwd() / "mine.txt"
    (folder / "default").write_text("ERNE")
    assert find_list("default", folder) == folder / "default"


def test_absolute_names_home_and_shipped_lists(
    folder: Path, shipped: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(folder))
    assert find_list(str(folder / "mine.txt")) == folder / "mine.txt"
    assert find_list("~/mine.txt") == folder / "mine.txt"
    assert find_list("british") == shipped / "british.dict"


@pytest.mark.parametrize("name", ["gone.txt", "no/such.txt", "~nobody-here/x", "\x1b[2J", "a\0b", ".", "x" * 5000])
def test_a_missing_list_is_named_with_the_places_searched(name: str, folder: Path) -> None:
    with pytest.raises(WordListError, match="word list") as caught:
        load_lexicon(WordChoice(lists=(name,)), folder)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 800


def test_the_places_searched_are_listed(folder: Path) -> None:
    with pytest.raises(WordListError) as caught:
        find_list("gone.txt", folder)
    assert str(folder / "gone.txt") in str(caught.value)
    assert str(Path.cwd() / "gone.txt") in str(caught.value)


@pytest.mark.parametrize("name", ["", "  "])
def test_an_empty_name_is_refused(name: str) -> None:
    with pytest.raises(WordListError, match="empty name"):
        load_lexicon(WordChoice(lists=(name,)))


def test_an_unusable_list_is_refused(folder: Path) -> None:
    (folder / "picture.png").write_bytes(b"\x89PNG\0\0")
    with pytest.raises(WordListError, match=r"picture.png is binary"):
        load_lexicon(WordChoice(lists=("picture.png",)), folder)


def test_puzzles_with_the_same_words_share_them(folder: Path) -> None:
    choice = WordChoice(lists=("mine.txt",))
    first = load_lexicon(choice, folder).lexicon
    assert load_lexicon(choice, folder).lexicon is first


def test_recent_answers_do_not_prevent_sharing(folder: Path) -> None:
    choice = WordChoice(lists=("mine.txt",), minimum_score=0)
    first = load_lexicon(choice, folder, recent={"CAT", "DOG"}).lexicon
    assert load_lexicon(choice, folder, recent=["DOG", "CAT"]).lexicon is first
    assert load_lexicon(choice, folder, recent={"CAT"}).lexicon is not first


def test_puzzles_with_other_choices_share_the_lists(folder: Path) -> None:
    first = load_lexicon(WordChoice(lists=("mine.txt",)), folder)
    other = load_lexicon(WordChoice(lists=("mine.txt",), banned=frozenset({"OREO"})), folder)
    assert other.lexicon is not first.lexicon
    assert other.lexicon.layers[0] is first.lexicon.layers[0]
    assert other.warnings == first.warnings != ()


def test_an_edited_list_is_not_shared(folder: Path) -> None:
    choice = WordChoice(lists=("mine.txt",))
    first = load_lexicon(choice, folder).lexicon
    (folder / "mine.txt").write_text("OREO;91\n")
    assert (first.score("OREO"), load_lexicon(choice, folder).lexicon.score("OREO")) == (90, 91)

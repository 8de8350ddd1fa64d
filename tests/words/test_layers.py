"""The user's layers: files in a folder, choices about them, and the resulting words of a puzzle."""

import gc
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from weakref import ref

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.naive import words as naive_words
from xwtui.errors import WordListError
from xwtui.model import WordChoice
from xwtui.resources import default_word_list, list_settings_path, personal_list_path, user_lists_folder
from xwtui.words.alphabets import find_alphabet
from xwtui.words.layers import ListChoices, UserLists, change_choices, find_user_lists, read_choices
from xwtui.words.list_files import ListFiles
from xwtui.words.scales import AUTO
from xwtui.words.sources import load_lexicon, vocabulary_of


@pytest.fixture(autouse=True)
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty user config folder."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    user_lists_folder().mkdir(parents=True)
    return tmp_path / "config"


def dropped(name: str, text: str | bytes) -> Path:
    path = user_lists_folder() / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def found() -> UserLists:
    return find_user_lists(ListFiles())


def names(lists: Iterable[object]) -> list[str]:
    return [getattr(one, "name") for one in lists]  # noqa: B009


def test_user_files_rank_between_the_personal_list_and_the_default() -> None:
    assert names(found().lists) == ["mine", "default"]
    for name in ("b.txt", "a.dict", "twice.txt", "twice.tsv", "mine.txt", "default.dict", "packed.dict.gz"):
        dropped(name, "AXLE;50\n")
    for name in (".hidden.txt", "README.md", "a.dict~"):
        dropped(name, "AXLE;50\n")
    expected = ["mine", "a", "b", "default.dict", "mine.txt", "packed", "twice.tsv", "twice.txt", "default"]
    assert names(found().lists) == expected
    assert found().named("a.dict") == found().named("a")
    with pytest.raises(WordListError, match="there is no word list c; there are mine, a, b"):
        found().named("c")


def test_choices_are_stored() -> None:
    for name in ("a", "b", "c"):
        dropped(f"{name}.txt", "AXLE;50\n")
    choices = ListChoices(
        ("b", "default", "a", "gone"), frozenset({"a", 'odd "name" \x7f'}), {"b": "0-50", "ä.b": "=5"}
    )
    change_choices(lambda before: replace(before, order=choices.order, off=choices.off, scales=choices.scales))
    assert read_choices(list_settings_path()) == choices
    lists = found()
    assert names(lists.lists) == ["mine", "c", "b", "default", "a"]
    assert names(lists.below_personal) == ["c", "b", "default"]
    assert [one.rule for one in lists.below_personal] == [AUTO, "0-50", "0-100"]


@pytest.mark.parametrize("text", ["order = 5", "off = [3]", "[scales]\na = 1", "what", "order = [\n\x00"])
def test_unreadable_choices_are_reported_and_ignored(text: str) -> None:
    dropped("a.txt", "AXLE;50\n")
    list_settings_path().write_text(text, encoding="utf-8")
    lists = found()
    assert names(lists.lists) == ["mine", "a", "default"]
    assert str(list_settings_path()) in lists.problem
    with pytest.raises(WordListError, match=r"lists\.toml"):
        change_choices(lambda before: before)
    assert list_settings_path().read_text(encoding="utf-8") == text
    assert load_lexicon(WordChoice(), user=lists).warnings[0].isprintable()


def test_layers_replace_the_default_list() -> None:
    dropped("a.txt", "# scores: 0-100\nAXLE;90\nQQQZ;20\n")
    dropped("b.txt", "# scores: 0-100\nAXLE;10\nQQQX;80\n")
    personal_list_path().write_text("QQQY;70\nOREO;0\nAXLE;33\n", encoding="utf-8")
    loaded = load_lexicon(WordChoice(), user=found())
    assert names(loaded.layers) == ["mine", "a", "b", "default"]
    lexicon = loaded.lexicon
    assert [lexicon.score(word) for word in ("AXLE", "QQQZ", "QQQX", "QQQY", "OREO")] == [33, 20, 80, 70, 0]
    assert not lexicon.with_minimum(0).allows("OREO")
    assert lexicon.score("AREA") is not None
    change_choices(lambda before: replace(before, off=frozenset({"mine", "default", "a"})))
    lexicon = load_lexicon(WordChoice(), user=found()).lexicon
    assert [lexicon.score(word) for word in ("AXLE", "AREA", "QQQX", "OREO")] == [10, None, 80, None]
    change_choices(lambda before: replace(before, off=frozenset({"mine", "default", "a", "b"})))
    assert load_lexicon(WordChoice(), user=found()).layers[0].path == default_word_list()


def test_lists_named_by_a_puzzle_rank_below_the_personal_list(tmp_path: Path) -> None:
    dropped("a.txt", "# scores: 0-100\nAXLE;90\n")
    dropped("fifty.txt", "AXLE;50\nOREO;25\nETUI;10\n")
    personal_list_path().write_text("OREO;0\n", encoding="utf-8")
    (tmp_path / "own.txt").write_text("OREO;60\nERNE;40\n", encoding="utf-8")
    loaded = load_lexicon(WordChoice(lists=("own.txt",)), tmp_path, user=found())
    assert names(loaded.layers) == ["mine", "own.txt"]
    assert not loaded.lexicon.allows("OREO")
    assert loaded.lexicon.score("AXLE") is None
    loaded = load_lexicon(WordChoice(lists=("own.txt", "default")), tmp_path, user=found())
    assert names(loaded.layers) == ["mine", "own.txt", "a", "fifty", "default"]
    loaded = load_lexicon(WordChoice(lists=("fifty.txt",)), tmp_path, user=found())
    assert loaded.lexicon.score("OREO") == 0
    assert loaded.lexicon.score("ETUI") == 20


def test_the_puzzles_word_choices_outrank_the_personal_list() -> None:
    personal_list_path().write_text("OREO;0\nAXLE;10\n", encoding="utf-8")
    choice = WordChoice(scores={"OREO": 55, "AXLE": 70}, banned=frozenset({"AREA"}))
    lexicon = load_lexicon(choice, user=found()).lexicon
    assert [lexicon.allows(word) for word in ("OREO", "AXLE", "AREA")] == [True, True, False]


def test_a_word_wanted_by_the_puzzle_is_not_banned_by_the_personal_list() -> None:
    personal_list_path().write_text("OREO;0\nAXLE;0\n", encoding="utf-8")
    lexicon = load_lexicon(WordChoice(), user=found(), wanted=["OREO"]).lexicon
    assert lexicon.banned == {"AXLE"}


def test_an_entrys_own_list_gains_no_words(tmp_path: Path) -> None:
    personal_list_path().write_text("OREO;0\nAXLE;99\nERNE;88\n", encoding="utf-8")
    (tmp_path / "own.txt").write_text("OREO;60\nERNE;40\n", encoding="utf-8")
    loaded = load_lexicon(WordChoice(), tmp_path, user=found())
    own = vocabulary_of(loaded, WordChoice(), ["own.txt"], tmp_path).own_lists["own.txt"]
    assert [own.score(word) for word in ("OREO", "ERNE", "AXLE")] == [0, 88, None]
    assert not own.with_minimum(0).allows("OREO")


def test_an_unusable_layer_is_reported_once_and_left_out() -> None:
    broken = dropped("broken.txt", b"AXLE;50\nOR\x00EO;50\n")
    dropped("lines.txt", "# scores: 0-100\nAXLE;90\nOREO;200\n" + "x" * 10_000_000 + "\nETUI;30\n")
    loaded = load_lexicon(WordChoice(), user=found())
    assert loaded.lexicon.score("AXLE") == 90
    first, second, third = loaded.warnings
    assert first.startswith("layer broken was left out: broken.txt")
    assert "line 2" in first
    assert second == "lines: skipped line 3: scores go from 0 to 100, not 200"
    assert third == "lines: skipped line 4: the line is longer than 500 characters"
    broken.write_text("QQQX;80\n# scores: 0-100", encoding="utf-8")
    assert load_lexicon(WordChoice(), user=found()).lexicon.score("QQQX") == 80
    broken.write_bytes(b"AXLE;50\nOR\x00EO;50\n")
    loaded = load_lexicon(WordChoice(), user=found())
    assert loaded.lexicon.score("QQQX") == 80
    assert loaded.warnings[0].endswith("layer broken is unchanged")


def test_an_alphabet_that_is_not_used_any_more_keeps_no_words() -> None:
    dropped("mine.txt", "AXLE;50\nLLAMA;40\n")
    spanish = WordChoice(alphabet=find_alphabet("spanish-ch-ll"))
    gone = [ref(each.word_list) for each in load_lexicon(spanish, user=found()).layers]
    load_lexicon(WordChoice(), user=found())
    gc.collect()
    assert [each() for each in gone] == [None] * len(gone)


def test_a_guessed_scale_is_reported_when_the_list_is_read() -> None:
    dropped("fifty.txt", "".join(f"WORD{n};{n % 5 + 1}0\n" for n in range(40)) + "FOO;999\n")
    dropped("ones.txt", "AXLE\nOREO\n")
    loaded = load_lexicon(WordChoice(), user=found())
    assert loaded.warnings == (
        "fifty: scores read as 0-50: 50 is 100 (guessed); FOO;999 counts as 100; `lists scale fifty RULE` sets it",
    )
    assert [loaded.lexicon.score(word) for word in ("WORD4", "FOO")] == [100, 100]
    change_choices(lambda before: replace(before, scales={"fifty": "0-50"}))
    assert load_lexicon(WordChoice(), user=found()).warnings == (
        "fifty: skipped line 41: scores go from 0 to 50, not 999",
    )


LAYERS = ("a", "b", "c")
score_maps = st.dictionaries(st.sampled_from(["AXLE", "OREO", "ETUI", "ERNE", "AREA"]), st.integers(1, 100))


@given(
    st.lists(score_maps, min_size=3, max_size=3),
    score_maps,
    st.permutations(LAYERS),
    st.sets(st.sampled_from(LAYERS), max_size=2),
)
def test_layers_agree_with_dictionaries(
    tmp_path_factory: pytest.TempPathFactory,
    lists: list[dict[str, int]],
    personal: dict[str, int],
    order: list[str],
    off: set[str],
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("config")))
        user_lists_folder().mkdir(parents=True)
        written = dict(zip(LAYERS, [{**one, "AXLE": 1} for one in lists], strict=True))
        for name, scores in written.items():
            dropped(f"{name}.txt", "# scores: 0-100\n" + "".join(f"{w};{s}\n" for w, s in scores.items()))
        personal_list_path().write_text("".join(f"{w};{s}\n" for w, s in personal.items()), encoding="utf-8")
        change_choices(lambda _: ListChoices((*order, "default"), frozenset({*off, "default"})))
        lexicon = load_lexicon(WordChoice(minimum_score=0), user=found()).lexicon
    expected = naive_words.listed([personal, *(written[name] for name in order if name not in off)])
    assert lexicon.table(4).words() == naive_words.best_first(expected)
    assert {word: lexicon.score(word) for word in expected} == expected

"""Layered lists, preferences, theme answers and tags."""

import gzip
from collections.abc import Mapping
from pathlib import Path
from weakref import ref

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.generators import scored_words, scores, words
from tests.naive import words as naive_words
from xwtui.errors import WordListError
from xwtui.model import WordChoice
from xwtui.model.alphabet import ENGLISH
from xwtui.words import compiled_lists
from xwtui.words import lexicon as lexicon_module
from xwtui.words.alphabets import find_alphabet
from xwtui.words.compiled_lists import open_word_list
from xwtui.words.lexicon import FAVOUR, Lexicon, Preferences
from xwtui.words.normalise import recording_folds
from xwtui.words.reader import MOST_TAGS, read_word_list
from xwtui.words.sources import load_lexicon
from xwtui.words.theme_answers import read_answers
from xwtui.words.word_list import WordList


def list_of(found: set[str]) -> WordList:
    return WordList.from_scores("some", dict.fromkeys(found, 0))


@given(scored_words, st.lists(st.sets(words, max_size=10), max_size=2), st.sets(words, max_size=10))
def test_appeal_is_the_score_with_adjustments(
    scores: dict[str, int], preferred: list[set[str]], recent: set[str]
) -> None:
    preferences = Preferences(tuple(map(list_of, preferred)), list_of(recent))
    layer = WordList.from_scores("layer", scores)
    lexicon = Lexicon.build([layer], minimum_score=20, preferences=preferences)
    plain = Lexicon.build([layer], minimum_score=20)
    for length in range(1, 7):
        table = lexicon.table(length)
        assert table.words() == plain.table(length).words()
        assert table.scores.tolist() == plain.table(length).scores.tolist() == plain.appeal(length).tolist()
        expected = [
            max(scores[word] + FAVOUR * any(word in each for each in preferred) - FAVOUR * (word in recent), 0)
            for word in table.words()
        ]
        assert lexicon.appeal(length).tolist() == expected


def test_the_cost_of_a_repeat_can_be_changed() -> None:
    layer, recent = WordList.from_scores("layer", {"OREO": 40, "ETUI": 60}), list_of({"ETUI"})
    lexicon = Lexicon.build([layer], preferences=Preferences(recent=recent))
    costs = [lexicon.with_repeat_cost(cost) for cost in (0, 15, 50, 100)]
    assert [one.appeal(4).tolist() for one in costs] == [[60, 40], [45, 40], [10, 40], [0, 40]]
    assert len({one.fingerprint for one in costs}) == 4
    assert costs[2] is lexicon
    plain = Lexicon.build([layer])
    assert plain.with_repeat_cost(0) is plain


def test_preferences_create_another_lexicon() -> None:
    layer = WordList.from_scores("layer", {"OREO": 40})
    kinds = [Preferences(), Preferences((layer,)), Preferences(recent=layer), Preferences((layer, layer))]
    assert len({Lexicon.build([layer], preferences=kind).fingerprint for kind in kinds}) == len(kinds)
    narrowed = Lexicon.build([layer], preferences=kinds[1]).with_minimum(30)
    assert narrowed.appeal(4).tolist() == [40 + FAVOUR]


def test_a_choice_names_preferred_lists(tmp_path: Path) -> None:
    (tmp_path / "all.txt").write_text("OREO;40\nETUI;60\nEPEE;50\n")
    (tmp_path / "dear.txt").write_text("EPEE;1\nOTHER;1\n")
    choice = WordChoice(lists=("all.txt",), minimum_score=0, preferred=("dear.txt",), recent="mine")
    lexicon = load_lexicon(choice, tmp_path, recent={"ETUI"}).lexicon
    assert dict(zip(lexicon.table(4).words(), lexicon.appeal(4).tolist(), strict=True)) == {
        "ETUI": 10,
        "EPEE": 100,
        "OREO": 40,
    }
    assert not lexicon.allows("OTHER")


def test_a_preferred_list_must_exist(tmp_path: Path) -> None:
    (tmp_path / "all.txt").write_text("OREO;40\n")
    with pytest.raises(WordListError, match="there is no word list 'dear"):
        load_lexicon(WordChoice(lists=("all.txt",), preferred=("dear.txt",)), tmp_path)


OREO = WordList.from_scores("first", {"OREO": 40, "ETUI": 60})


@given(st.lists(scored_words, max_size=3), scores, st.sets(words, max_size=10), scored_words)
def test_a_lexicon_agrees_with_dictionaries(
    layers: list[dict[str, int]], minimum_score: int, banned: set[str], own: dict[str, int]
) -> None:
    lists = [WordList.from_scores(str(number), layer) for number, layer in enumerate(layers)]
    lexicon = Lexicon.build(lists, minimum_score=minimum_score, banned=banned, scores=own)
    listed = naive_words.listed([own, *layers])
    allowed = naive_words.allowed(listed, minimum_score, banned)
    for length in range(1, 7):
        expected = [word for word in naive_words.best_first(allowed) if len(word) == length]
        assert lexicon.table(length).words() == expected
        assert lexicon.table(length).scores.tolist() == [allowed[word] for word in expected]
        assert lexicon.table(length).letters.flags.c_contiguous
        whole = naive_words.best_first(naive_words.allowed(listed, 0, banned))
        assert lexicon.everything(length).words() == [word for word in whole if len(word) == length]
        assert lexicon.everything(length).words()[: len(expected)] == expected
    assert len(lexicon) == len(allowed)
    assert lexicon.lengths == tuple(sorted({len(word) for word in allowed}))
    assert lexicon.longest == max(map(len, allowed), default=0)
    for word in {*listed, *banned}:
        assert lexicon.score(word) == listed.get(word)
        assert lexicon.allows(word) == (word in allowed)


def test_own_scores_and_bans_are_normalised_and_may_name_new_words() -> None:
    lexicon = Lexicon.build([OREO], minimum_score=50, banned=["étui"], scores={"Crème brûlée": 70, "oreo": 55})
    assert lexicon.allows("CREMEBRULEE")
    assert lexicon.allows("OREO")
    assert not lexicon.allows("ETUI")
    assert lexicon.score("ETUI") == 60


@pytest.mark.parametrize("score", [-1, 101])
def test_scores_outside_the_range_are_refused(score: int) -> None:
    with pytest.raises(WordListError, match="0 to 100"):
        Lexicon.build([OREO], minimum_score=score)
    with pytest.raises(WordListError, match="score of OREO"):
        Lexicon.build([OREO], scores={"oreo": score})


def test_words_that_cannot_be_normalised_are_refused() -> None:
    with pytest.raises(WordListError, match="which English lacks"):
        Lexicon.build([OREO], banned=["слово"])
    with pytest.raises(WordListError, match="no letter"):
        Lexicon.build([OREO], scores={"--": 3})


def test_a_lexicon_without_words_is_empty() -> None:
    lexicon = Lexicon.build([])
    assert (len(lexicon), lexicon.lengths, lexicon.longest) == (0, (), 0)
    assert lexicon.score("OREO") is None
    assert lexicon.matches("????") == []


def test_the_fingerprint_depends_on_layers_and_options() -> None:
    other = WordList.from_scores("other", {"OREO": 41})
    lexicons = [
        Lexicon.build([OREO]),
        Lexicon.build([OREO], minimum_score=40),
        Lexicon.build([OREO], banned=["OREO"]),
        Lexicon.build([OREO], banned=["ETUI"]),
        Lexicon.build([OREO], scores={"OREO": 42}),
        Lexicon.build([OREO, other]),
        Lexicon.build([other, OREO]),
    ]
    assert len({lexicon.fingerprint for lexicon in lexicons}) == len(lexicons)
    renamed = WordList.from_scores("renamed", dict(OREO))
    assert Lexicon.build([renamed]).fingerprint == lexicons[0].fingerprint


def test_bans_can_be_lifted() -> None:
    """In another lexicon over the same lists; the first one is unchanged."""
    lexicon = Lexicon.build([WordList.from_scores("small", {"CAB": 50, "CUBE": 50})], banned=["CUBE"])
    assert lexicon.table(4).words() == []
    assert lexicon.without_bans(["CUBE"]).table(4).words() == ["CUBE"]
    assert not lexicon.allows("CUBE")


def test_lexicons_of_one_list_share_its_tables() -> None:
    """Minimum scores and bans change often, and old lexicons live as long as the jobs that use them."""
    words = WordList.from_scores("small", {"CAB": 50, "COB": 10, "CUBE": 50, "CODE": 30})
    low = Lexicon.build([words])
    banned = Lexicon.build([words], banned=["CUBE"])
    for other in (Lexicon.build([words], minimum_score=40), low.with_minimum(20), banned):
        assert np.shares_memory(other.table(3).letters, low.table(3).letters)
    assert not np.shares_memory(banned.table(4).letters, low.table(4).letters)
    assert not np.shares_memory(Lexicon.build([words], scores={"COB": 60}).table(3).letters, low.table(3).letters)


def test_a_lexicon_is_freed_with_its_last_user() -> None:
    """Without the garbage collector, which never examines the objects that it was told to freeze."""
    before = Lexicon.build([WordList.from_scores("some", {"ABLE": 50, "ABLY": 50, "CANS": 50})])
    after = before.without({"ABLE"})
    after.take_over(before, {"ABLE"})
    gone = [ref(before), ref(after)]
    for lexicon, best in ((before, "ABLE"), (after, "ABLY"), (before, "ABLE"), (after, "ABLY")):
        assert lexicon.sorted_index.best("AB", 1) == [best]
        assert lexicon.roots.of("CANS")
    del before, lexicon
    assert gone[0]() is None
    assert after.sorted_index.best("AB", 1) == ["ABLY"]
    del after
    assert gone[1]() is None


def test_cached_scores_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lexicon_module, "_SCORES_KEPT", 2)
    lexicon = Lexicon.build([WordList.from_scores("some", {"A": 1, "B": 2, "C": 3})])
    assert [lexicon.score(word) for word in ("A", "B", "C", "D", "A", "B")] == [1, 2, 3, None, 1, 2]
    assert len(lexicon._scores) <= 2


LINES = "LO[CAT]ION SCOUT;60\nDéjà [VU] café;50\nPLAIN;40\n"
ANSWERS = ("LO[CAT]IONSCOUT", "DEJA[VU]CAFE", "PLAIN")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_files_in_other_encodings_keep_their_rebus_squares(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "themers.txt"
    path.write_bytes(LINES.encode(encoding))
    assert read_answers([str(path)], ENGLISH) == ANSWERS


def test_a_packed_file_keeps_its_rebus_squares(tmp_path: Path) -> None:
    path = tmp_path / "themers.txt"
    path.write_bytes(gzip.compress(LINES.encode()))
    assert read_answers([str(path)], ENGLISH) == ANSWERS


def test_words_and_files_are_parsed_in_an_alphabet_and_misfits_noted(tmp_path: Path) -> None:
    path = tmp_path / "themers.txt"
    path.write_text("MÅNE;50\nÉcu;40\nX[Å]Z;30\n")
    with recording_folds() as folds:
        assert read_answers([str(path), "Bålé"], find_alphabet("swedish")) == ("MÅNE", "ECU", "X[Å]Z", "BÅLE")
    assert folds == {"É": "E"}
    with recording_folds() as folds:
        assert read_answers([str(path)], ENGLISH) == ("MANE", "ECU", "X[A]Z")
    assert folds == {"Å": "A", "É": "E"}


def test_digraphs_of_the_alphabet_take_one_square(tmp_path: Path) -> None:
    path = tmp_path / "themers.txt"
    path.write_text("IJSBEER;50\n")
    assert read_answers([str(path), "ijs"], find_alphabet("dutch")) == ("[IJ]SBEER", "[IJ]S")


tags = st.sampled_from(["abbreviation", "name", "x-ray"])
tagged_words = st.dictionaries(tags, st.frozensets(words, max_size=8), max_size=3)


def read(text: str) -> WordList:
    return read_word_list(text.encode(), "mine.dict").word_list


def test_the_third_field_tags_a_word() -> None:
    word_list = read("USSR;40;abbreviation,name\nOBOE;60\nanna;50;Name\nÉCU;30; abbreviation ;2020\n")
    assert dict(word_list) == {"USSR": 40, "OBOE": 60, "ANNA": 50, "ECU": 30}
    assert word_list.tags("USSR") == ("abbreviation", "name")
    assert word_list.tags("ANNA") == ("name",)
    assert word_list.tags("ECU") == ("abbreviation",)
    assert word_list.tags("OBOE") == word_list.tags("TUBA") == word_list.tags("OBOES") == ()


@pytest.mark.parametrize("field", ["", "a note on it", "name,", "12", "Ré", "x" * 31, "a;b;c"[1:]])
def test_a_third_field_of_another_form_is_ignored(field: str) -> None:
    word_list = read(f"USSR;40;{field}\nOBOE;60\n")
    assert dict(word_list) == {"USSR": 40, "OBOE": 60}
    assert word_list.tag_rows == {}


def test_duplicate_words_merge_tags_and_tabs_separate_fields() -> None:
    word_list = read("USSR;40;name\nussr\t50\tabbreviation\nU.S.S.R.;30;state\n")
    assert word_list.score("USSR") == 50
    assert word_list.tags("USSR") == ("abbreviation", "name", "state")


def test_unique_third_fields_do_not_fill_memory() -> None:
    word_list = read("".join(f"WORD{number};50;t{number}\n" for number in range(1000)))
    assert len(word_list) == 1000
    assert len(word_list.tag_rows) == MOST_TAGS


@given(scored_words, tagged_words)
def test_tags_agree_with_a_dictionary(scores: dict[str, int], by_tag: Mapping[str, frozenset[str]]) -> None:
    word_list = WordList.from_scores("mine", scores, by_tag)
    for word in scores:
        assert word_list.tags(word) == tuple(sorted(tag for tag, marked in by_tag.items() if word in marked))


@given(scored_words, tagged_words, scored_words, tagged_words, st.integers(0, 100))
def test_a_lexicon_finds_the_rows_of_all_layers(
    first: dict[str, int],
    first_tags: Mapping[str, frozenset[str]],
    second: dict[str, int],
    second_tags: Mapping[str, frozenset[str]],
    minimum: int,
) -> None:
    layers = [WordList.from_scores("a", first, first_tags), WordList.from_scores("b", second, second_tags)]
    lexicon = Lexicon.build(layers, minimum_score=minimum)
    for tag in ("abbreviation", "name", "x-ray"):
        marked = (first_tags.get(tag, frozenset()) & first.keys()) | (
            second_tags.get(tag, frozenset()) & second.keys()
        )
        assert all((tag in lexicon.tags_of(word)) == (word in marked) for word in (*first, *second))
        assert (tag in lexicon.tags) == bool(marked)
        for length in range(2, 7):
            expected = [word in marked for word in lexicon.table(length).words()]
            assert lexicon.bearing(tag, lexicon.table(length)).tolist() == expected


@given(scored_words, tagged_words, tagged_words)
def test_fingerprints_depend_on_tags(
    scores: dict[str, int], first: Mapping[str, frozenset[str]], second: Mapping[str, frozenset[str]]
) -> None:
    one, other = WordList.from_scores("a", scores, first), WordList.from_scores("b", scores, second)
    assert (one.fingerprint == other.fingerprint) == all(one.tags(word) == other.tags(word) for word in scores)


def test_compiled_lists_keep_the_tags(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, cache = tmp_path / "tagged.dict", tmp_path / "cache"
    path.write_text(
        "".join(f"WORD{n};50;{'name' if n % 3 else 'abbreviation,name'}\n" for n in range(5000)), encoding="ascii"
    )
    monkeypatch.setattr(compiled_lists, "cache_folder", lambda: cache)
    fresh = open_word_list(path).word_list
    monkeypatch.setattr(
        compiled_lists, "read_word_list", lambda data, name: pytest.fail("the list was read again")
    )
    kept = open_word_list(path).word_list
    assert kept.fingerprint == fresh.fingerprint
    assert kept.tags("WORD3") == ("abbreviation", "name")
    assert kept.tags("WORD4999") == ("name",)

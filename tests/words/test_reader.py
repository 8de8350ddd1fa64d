"""Reading of word lists and Hunspell dictionaries."""

import gzip
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.generators import scored_words
from tests.known import known
from xwtui.errors import WordListError
from xwtui.words import reader
from xwtui.words.alphabets import find_alphabet
from xwtui.words.hunspell import LANGUAGES, Language, build, find_language, list_lines, read_forms
from xwtui.words.reader import MAX_BAD_LINES, ReadResult, read_word_list
from xwtui.words.scales import AUTO, OWN_SCALE


def words_of(text: str | bytes) -> dict[str, int]:
    data = text if isinstance(text, bytes) else text.encode()
    result = read_word_list(data, "mine.dict")
    assert result.bad_lines == ()
    assert result.bad_count == 0
    return dict(result.word_list)


def reasons_of(text: str) -> dict[int, str]:
    result = read_word_list(f"{text}\nOREO;50".encode(), "mine.dict")
    assert result.word_list.score("OREO") == 50
    assert result.bad_count == len(result.bad_lines)
    return {line.number: line.reason for line in result.bad_lines}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("OREO;40\nETUI;60\n", {"OREO": 40, "ETUI": 60}),
        ("oreo;40\netui;60", {"OREO": 40, "ETUI": 60}),
        ("OREO\t40\nETUI\t60\n", {"OREO": 40, "ETUI": 60}),
        ("OREO 40\nETUI   60\n", {"OREO": 40, "ETUI": 60}),
        ("OREO\nETUI\n", {"OREO": 50, "ETUI": 50}),
        ("OREO;40\r\nETUI;60\r\n", {"OREO": 40, "ETUI": 60}),
        ("OREO;40\rETUI;60\r", {"OREO": 40, "ETUI": 60}),
        ("  OREO ; 40 \n\n\t\nETUI;060\n", {"OREO": 40, "ETUI": 60}),
        ("# a comment;9\n// another\n  # and one\nOREO;40\n", {"OREO": 40}),
        ("OREO;0\nETUI;100", {"OREO": 0, "ETUI": 100}),
        ("Crème brûlée;60", {"CREMEBRULEE": 60}),
        ("R2-D2;60\n3D;5", {"R2D2": 60, "3D": 5}),
        ("OREO;\nETUI;;a biscuit\nERNE", {"OREO": 50, "ETUI": 50, "ERNE": 50}),
        ("OREO;40\nETUI;60;name\nERNE\nAXLE;50;", {"OREO": 40, "ETUI": 60, "ERNE": 50, "AXLE": 50}),
        ("OREO;40;a biscuit;x\n", {"OREO": 40}),
        ("OREO\t40\ta biscuit\n", {"OREO": 40}),
        ("OREO;40\nETUI\n", {"OREO": 40, "ETUI": 50}),
        ("\ufeffOREO;40", {"OREO": 40}),
    ],
)
def test_line_formats_of_lists(text: str, words: dict[str, int]) -> None:
    assert words_of(text) == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("SWEET HEART\nCATCH 22\nOREO\n", {"SWEETHEART": 50, "CATCH22": 50, "OREO": 50}),
        ("SWEET HEART;70\nCATCH 22;60\n", {"SWEETHEART": 70, "CATCH22": 60}),
        ("SWEET HEART;70\nCATCH 22\nOREO;5", {"SWEETHEART": 70, "CATCH22": 50, "OREO": 5}),
        ("SWEET HEART 70\nCATCH 22 60\nOREO 5", {"SWEETHEART": 70, "CATCH22": 60, "OREO": 5}),
        ("OREO 5\nETUI 6\nSWEET HEART\n", {"OREO": 5, "ETUI": 6, "SWEETHEART": 50}),
        ("OREO 5\nETUI 6\nERNE 7\nCATCH 22;9", {"OREO": 5, "ETUI": 6, "ERNE": 7, "CATCH22": 9}),
        ("22\n33\n44\n", {"22": 50, "33": 50, "44": 50}),
    ],
)
def test_spaces_separate_scores_only_in_files_that_use_them(text: str, words: dict[str, int]) -> None:
    assert words_of(text) == words


def test_the_separator_is_guessed_from_the_beginning_of_a_file() -> None:
    plain = "\n".join(["OREO"] * 1000 + ["CATCH 22"] * 3000)
    assert words_of(plain) == {"OREO": 50, "CATCH22": 50}


@given(st.permutations(["OREO;40", "oreo;70", "O'REO;55", "ØREO;69"]))
def test_a_duplicate_word_keeps_its_highest_score(lines: list[str]) -> None:
    assert words_of("\n".join(lines)) == {"OREO": 70}


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("AXLE;101", "not 101"),
        ("AXLE;-1", "not -1"),
        ("AXLE;50.5", "'50.5' is not a score"),
        ("AXLE;good", "'good' is not a score"),
        ("HALF;", "'HALF' has a separator but no score"),
        ("bad line here;;x", "'bad line here' has a separator but no score"),
        ("USSR; ;name", "'USSR' has a separator but no score"),
        ("HALF\t", "'HALF' has a separator but no score"),
        ("AXLE;\u0665", "is not a score"),
        ("AXLE;" + "9" * 400, "is not a score"),
        ("A;50", "a word has 2 to 100 characters"),
        ("A" * 101, "a word has 2 to 100 characters"),
        (";50", "no letters or digits"),
        ("--", "no letters or digits"),
        ("слово;50", "which English lacks"),
        ("AX\x1b[31mLE;50", "no word can have"),
        ("X" * 501, "longer than 500"),
    ],
)
def test_a_bad_line_is_reported_with_its_number_and_skipped(line: str, reason: str) -> None:
    reasons = reasons_of(f"# first\n{line}")
    assert list(reasons) == [2]
    assert reason in reasons[2]
    assert reasons[2].isprintable()
    assert len(reasons[2]) < 200


def test_a_bad_score_after_a_space_is_not_part_of_the_word() -> None:
    result = read_word_list(b"OREO 5\nETUI 6\nAXLE 5.5\nERNE 200", "mine")
    assert dict(result.word_list) == {"OREO": 5, "ETUI": 6}
    assert [line.number for line in result.bad_lines] == [3, 4]


def test_an_empty_score_is_bad_in_files_with_scores() -> None:
    for line in ("HALF;", "HALF;;name"):
        for scored in ("# a;5\nOREO;50\nETUI;50\n", "OREO 5\nETUI 6\nERNE 7\n"):
            result = read_word_list(f"{scored}{line}".encode(), "mine")
            assert [bad.number for bad in result.bad_lines] == [4]
            assert "HALF" not in result.word_list
        unscored = read_word_list(f"# a;5\nOREO\nETUI\n{line}".encode(), "mine")
        assert (unscored.bad_count, unscored.word_list.score("HALF")) == (0, 50)


def test_a_bad_line_states_its_position_and_reason() -> None:
    (bad,) = read_word_list(b"OREO;50\nAXLE;\x1b[2J", "mine").bad_lines
    assert str(bad) == r"line 2: '\x1b[2J' is not a score; scores are whole numbers from 0 up"
    assert bad.text == r"AXLE;\x1b[2J"


def test_all_bad_lines_are_counted_and_the_first_stored() -> None:
    result = read_word_list(b"OREO\n" + b"--\n" * 5000, "mine")
    assert result.bad_count == 5000
    assert [line.number for line in result.bad_lines] == list(range(2, MAX_BAD_LINES + 2))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1", "cp1252", "utf-16", "utf-32"])
def test_encodings(encoding: str) -> None:
    assert words_of("Crème brûlée;60\r\nOREO;40".encode(encoding)) == {"CREMEBRULEE": 60, "OREO": 40}


def test_one_latin_1_line_does_not_affect_a_utf_8_file() -> None:
    data = "brûlée;60\n".encode() + "crème;40\n".encode("latin-1") + "CAN’T;30".encode("cp1252")
    assert words_of(data) == {"BRULEE": 60, "CREME": 40, "CANT": 30}


def test_gzip_is_recognized_by_its_first_bytes() -> None:
    assert words_of(gzip.compress("Étui;60\n".encode())) == {"ETUI": 60}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "is empty"),
        (b"\n\r\n  \n", "is empty"),
        (b"# nothing\n", "is empty"),
        (gzip.compress(b"", mtime=0), "is empty"),
        (b"OREO\0", "binary"),
        ("OREO;50".encode("utf-16-le"), "binary"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "binary"),
        (b"\x01\x02\x03\x04OREO", "binary"),
        (gzip.compress(b"\0\0\0", mtime=0), "binary"),
        (gzip.compress(b"OREO;50\n" * 100, mtime=0)[:-9], "damaged gzip"),
        (gzip.compress(b"OREO;50", mtime=0) + b"rest", "damaged gzip"),
        (b"\x1f\x8bOREO", "damaged gzip"),
        (b"\xff\xfeO", "UTF-16"),
        (b"\xff\xfe\x00\xd8A\x00", "UTF-16"),
        ("OREO\0;50".encode("utf-16"), "binary"),
        (b"\xff\xfe\0\0\xff\xff\xff\xff", "UTF-32"),
        (b"--;3\n!!", "line 1"),
    ],
)
def test_files_that_are_no_list_are_refused(data: bytes, message: str) -> None:
    with pytest.raises(WordListError, match=message) as caught:
        read_word_list(data, "mine\x1b.dict")
    assert str(caught.value).startswith(r"mine\x1b.dict")


def test_gzip_expansion_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    bomb = gzip.compress(b"OREO;50\n" * (1 << 22))
    monkeypatch.setattr(reader, "MAX_LIST_BYTES", 1 << 20)
    tracemalloc.start()
    try:
        with pytest.raises(WordListError, match="too large: a word list has at most 1 MB"):
            read_word_list(bomb, "bomb")
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 8 << 20


def test_a_large_list_is_read_in_bounded_memory_with_the_same_result(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    words = [f"{chr(65 + at % 26)}{at * 7919 % 200_000:06}" for at in range(100_000)]
    lines = [f"{word};{at % 101}" if at % 3 else word for at, word in enumerate(words)]
    lines += ["oreo;30;name", "oreo;9;partial", "o're o", *lines[:50_000:7], "oreo;20", "oreo", "oreo;101"]
    data = "\n".join(lines).encode()
    monkeypatch.setattr(reader, "_PIECE", 1 << 16)
    tracemalloc.start()
    try:
        result = read_word_list(data, "mine")
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 11 * len(data)
    assert result.word_list.score("OREO") == 30
    assert result.word_list.tags("OREO") == ("name", "partial")
    assert [bad.number for bad in result.bad_lines] == [len(lines)]
    for rule in (str(OWN_SCALE), AUTO, "0-200", "0=0,25=90,100=40"):
        monkeypatch.setattr(reader, "_PIECE", 1 << 16)
        pieces = read_word_list(data, "mine", rule).word_list
        monkeypatch.setattr(reader, "_PIECE", 1 << 30)
        assert read_word_list(data, "mine", rule).word_list.fingerprint == pieces.fingerprint


def test_too_many_lines_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "MAX_LINES", 10)
    assert words_of("OREO\n" * 10) == {"OREO": 50}
    with pytest.raises(WordListError, match="more than 10 lines"):
        read_word_list(b"OREO\n" * 11, "mine")


def test_a_line_of_ten_megabytes_is_one_bad_line() -> None:
    result = read_word_list(b"OREO;50\n" + b"A" * 10_000_000 + b"\nETUI;60", "mine")
    assert dict(result.word_list) == {"OREO": 50, "ETUI": 60}
    (bad,) = result.bad_lines
    assert bad.number == 2
    assert len(bad.text) <= 80
    with pytest.raises(WordListError, match="longer than"):
        read_word_list("É ".encode() * 3_000_000, "mine")


def read_or_message(data: bytes) -> ReadResult | str:
    try:
        return read_word_list(data, "any")
    except WordListError as error:
        return str(error)


def assert_list_or_message(data: bytes) -> None:
    result = read_or_message(data)
    if isinstance(result, str):
        assert result.isprintable()
    else:
        assert len(result.word_list) > 0
        assert all(line.text.isprintable() and line.reason.isprintable() for line in result.bad_lines)


@given(st.binary())
@example(b"\xff\xfe\x1a")
@example(b"\x81\x8d;\x90")
@example(b"\x1f\x8b\x08")
def test_any_bytes_give_a_list_or_a_message(data: bytes) -> None:
    assert_list_or_message(data)
    assert_list_or_message(b"OREO;50\n" + data)
    assert_list_or_message(gzip.compress(data, mtime=0))


@given(st.text(st.sampled_from("AB;9 \t\r\n#/.-+é\x1b")), st.sampled_from(["utf-8", "latin-1", "utf-16"]))
def test_any_lines_give_a_list_or_a_message(text: str, encoding: str) -> None:
    assert_list_or_message(text.encode(encoding))


@given(
    scored_words.filter(bool),
    st.sampled_from([";", "\t", " ", " ; "]),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.sampled_from(["utf-8", "utf-8-sig", "latin-1", "utf-16"]),
    st.booleans(),
)
def test_a_written_list_reads_back(
    scores: dict[str, int], separator: str, line_end: str, encoding: str, packed: bool
) -> None:
    data = line_end.join(f"{word}{separator}{score}" for word, score in scores.items()).encode(encoding)
    assert words_of(gzip.compress(data, mtime=0) if packed else data) == scores


DICTIONARY = Path(__file__).with_name("hunspell") / "xx_XX.dic"
LANGUAGE = Language("xx", "swedish", ("xx_XX.dic",), "ours", "our own")


def test_forms_are_words_with_stacked_suffixes() -> None:
    forms = {form.text: form.is_base for form in read_forms(DICTIONARY)}
    assert {text for text, is_base in forms.items() if not is_base} == {
        "måner",
        "flickor",
        "års",
        "årsens",
        "gröto",
    }
    assert {"måne", "flicka", "år", "rå", "gröte", "Åsa", "stam", "USA"} < forms.keys()
    assert not {"fel", "del", "rået", "l'flicka"} & forms.keys()


def test_scores_follow_the_dictionary() -> None:
    built = known(build(LANGUAGE, DICTIONARY, find_alphabet("swedish")))
    assert built.scores == {
        **dict.fromkeys(["MÅNE", "FLICKA", "ÅR", "RÅ", "GRÖTE", "STAM"], 60),
        **dict.fromkeys(["MÅNER", "FLICKOR", "ÅRS", "ÅRSENS"], 50),
        "GRÖTO": 35,
        "ÅSA": 30,
        "OHARA": 30,
        "USA": 20,
        "SVOR": 10,
    }
    assert built.passed_over == 2
    read = read_word_list(
        "\n".join(list_lines(built, LANGUAGE, DICTIONARY)).encode(), "xx", alphabet=find_alphabet("swedish")
    )
    assert dict(read.word_list) == built.scores
    assert (read.alphabet, read.folded, read.bad_count, read.is_guessed) == ("swedish", (), 0, False)


def test_capitals_are_not_names_in_languages_with_capital_nouns() -> None:
    german = Language("xx", "swedish", (), "", "", has_capital_nouns=True)
    built = known(build(german, DICTIONARY, find_alphabet("swedish")))
    assert built.scores["ÅSA"] == 60


def test_word_texts_encodings_and_flag_formats(tmp_path: Path) -> None:
    (tmp_path / "plain.txt").write_text("niño\nñu\n3D\n", encoding="utf-8")
    assert [form.text for form in read_forms(tmp_path / "plain.txt")] == ["niño", "ñu", "3D"]
    rules = "SET ISO8859-1\nFLAG long\nAF 1\nAF AaBb\nSFX Aa Y 1\nSFX Aa 0 s .\nSFX Bb Y 1\nSFX Bb (( x .\n"
    (tmp_path / "old.aff").write_text(rules, encoding="latin-1")
    (tmp_path / "old.dic").write_text("1\nseñor/1\n", encoding="latin-1")
    assert {form.text for form in read_forms(tmp_path / "old.dic")} == {"señor", "señors"}
    (tmp_path / "old.aff").write_text("SET UTF-8\nFLAG num\nSFX 12 Y 1\nSFX 12 0 s .\n", encoding="utf-8")
    (tmp_path / "old.dic").write_text("1\nrat/7,12\n", encoding="utf-8")
    assert {form.text for form in read_forms(tmp_path / "old.dic")} == {"rat", "rats"}


def test_unbuildable_dictionaries_are_refused(tmp_path: Path) -> None:
    with pytest.raises(WordListError, match=r"x\.aff cannot be read"):
        list(read_forms(tmp_path / "x.dic"))
    (tmp_path / "x.aff").write_bytes(b"SET UTF-8\n")
    (tmp_path / "x.dic").write_bytes(b"1\n\xff\xfe\n")
    with pytest.raises(WordListError, match="is not text in UTF-8"):
        list(read_forms(tmp_path / "x.dic"))
    (tmp_path / "x.dic").write_bytes(b"1\n3D\n")
    with pytest.raises(WordListError, match="has no words in Swedish"):
        build(LANGUAGE, tmp_path / "x.dic", find_alphabet("swedish"))
    with pytest.raises(WordListError, match="there is no language 'xx'; there are sv"):
        find_language("xx")
    with pytest.raises(WordListError, match="no dictionary of xx is installed: use `apt install ours`"):
        _ = Language("xx", "swedish", ("no-such.dic",), "ours", "").source
    assert build(LANGUAGE, DICTIONARY, find_alphabet("swedish"), lambda: True) is None


def test_every_language_has_its_alphabet() -> None:
    for language in LANGUAGES.values():
        assert find_alphabet(language.alphabet).language == language.alphabet
        assert find_language(language.alphabet.upper()) is language

"""What is suggested for an answer, in which order; and what words mean."""

import zipfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from tests.examples import examples
from tests.naive.clue_book import NaiveBook
from xwtui.clues.book import ClueBook, ClueSource, NewClue
from xwtui.clues.glosses import Form, Glosses, PartOfSpeech, shipped_glosses
from xwtui.clues.suggestions import Suggestion, SuggestionKind, gives_away, suggestions
from xwtui.errors import WordListError
from xwtui.resources import glosses_file

MINE = ClueSource("/mine/hearts.ipuz", "Heart to Heart", "A. Constructor", "2024-03-01", is_own=True)


@pytest.fixture
def book(tmp_path: Path) -> ClueBook:
    return ClueBook(tmp_path / "clues.sqlite")


def texts(found: tuple[Suggestion, ...], kind: SuggestionKind) -> list[str]:
    return [one.text for one in found if one.kind is kind]


def test_without_a_book_there_are_glosses(book: ClueBook) -> None:
    (gloss,) = suggestions("axle", book)
    assert gloss.text == "A shaft on which a wheel rotates"
    assert gloss.origin == "noun"
    assert not book.path.exists(), "to suggest writes nothing"


def test_the_base_of_an_inflected_form_is_said(book: ClueBook) -> None:
    (gloss,) = suggestions("AXLES", book)
    assert (gloss.form, gloss.base, gloss.origin) == (Form.PLURAL, "AXLE", "noun, plural of AXLE")


def test_own_clues_come_first_then_those_of_most_puzzles_then_glosses(book: ClueBook) -> None:
    book.keep(ClueSource("/old/a.puz", "Old", date="1999-01-01"), [NewClue("AXLE", "Bar of wheels")])
    book.keep(
        ClueSource("/old/b.puz", "Newer", date="2009-01-01"),
        [NewClue("AXLE", "Bar of wheels"), NewClue("AXLE", "Car part")],
    )
    book.keep(MINE, [NewClue("AXLE", "Shaft on a Subaru")])
    found = suggestions("AXLE", book)
    assert [one.text for one in found] == [
        "Shaft on a Subaru",
        "Bar of wheels",
        "Car part",
        "A shaft on which a wheel rotates",
    ]
    assert [one.kind.value for one in found] == ["own", "imported", "imported", "gloss"]
    assert found[0].origin == "Heart to Heart, A. Constructor, 2024-03-01"
    assert found[1].origin == "Newer, 2009-01-01, and 1 more"


def test_what_names_another_entry_is_last_and_says_so(book: ClueBook) -> None:
    for name in ("/a.puz", "/b.puz"):
        book.keep(ClueSource(name, "T"), [NewClue("AXLE", "See 17-Across")])
    book.keep(ClueSource("/c.puz", "T"), [NewClue("AXLE", "Bar of wheels")])
    bar, see, _ = suggestions("AXLE", book)
    assert (bar.text, bar.origin) == ("Bar of wheels", "T")
    assert (see.text, see.origin) == ("See 17-Across", "T, and 1 more, names another entry")


def test_what_gives_the_answer_away_is_left_out_but_for_ones_own(book: ClueBook) -> None:
    book.keep(ClueSource("/old/a.puz"), [NewClue("OBOE", "An oboe, in short"), NewClue("OBOE", "Tuning reed")])
    book.keep(MINE, [NewClue("OBOE", "Hautboy's other name: oboe")])
    found = suggestions("OBOE", book)
    assert texts(found, SuggestionKind.IMPORTED) == ["Tuning reed"]
    assert [one.gives_away for one in found if one.kind is SuggestionKind.OWN] == [True]
    assert not any(gives_away(one.text, "OBOE") for one in found[1:])


def test_no_gloss_gives_its_answer_away(book: ClueBook) -> None:
    for answer in ("FIREMEN", "RATION", "SINGING", "BAKERS", "NATIONAL", "EEL"):
        assert not [one for one in suggestions(answer, book) if gives_away(one.text, answer)]


def test_the_same_text_comes_once(book: ClueBook) -> None:
    book.keep(ClueSource("/a.puz"), [NewClue("AXLE", "a SHAFT on which a wheel rotates.")])
    assert len(suggestions("AXLE", book)) == 1


def test_what_is_no_word_is_refused(book: ClueBook) -> None:
    with pytest.raises(WordListError):
        suggestions("?", book)


WORDS = st.sampled_from(["wheel", "bar", "Bar", "axle", "a", "shaft.", "shaft", "tree"])
TEXTS = st.lists(WORDS, min_size=1, max_size=2).map(" ".join)
NAMES = st.sampled_from(["/a", "/b", "/c"])
SOURCES = st.builds(ClueSource, NAMES, date=st.sampled_from(["", "1999", "2024"]), is_own=st.booleans())


@examples(60, HealthCheck.function_scoped_fixture)
@given(kept=st.lists(st.tuples(SOURCES, st.lists(TEXTS, max_size=6)), max_size=5))
def test_the_order_is_that_of_a_naive_book(tmp_path: Path, kept: list[tuple[ClueSource, list[str]]]) -> None:
    path = tmp_path / "naive.sqlite"
    path.unlink(missing_ok=True)
    book, naive = ClueBook(path), NaiveBook()
    for source, texts in kept:
        for one in (book, naive):
            one.keep(source, [NewClue("AXLE", text) for text in texts])
    is_own = {row.source.name for row in naive.rows if row.source.is_own}
    expected: dict[str, str] = {}
    for _, text, name, _ in naive.clues_of("AXLE"):
        if name in is_own or "axle" not in text.split():
            expected.setdefault(text.casefold().rstrip("."), text)
    found = [one.text for one in suggestions("AXLE", book) if one.kind is not SuggestionKind.GLOSS]
    assert found == list(expected.values())


@pytest.mark.parametrize(
    ("text", "answer", "expected"),
    [
        ("Internal", "TERN", True),
        ("A tern", "TERN", True),
        ("Seabird", "TERN", False),
        ("portion", "RATION", True),
        ("Wheel", "EEL", False),
        ("An eel!", "EEL", True),
        ("in the attic", "HEAT", False),
        ("As I see it", "ASISEEIT", True),
        ("I see it", "ASISEEIT", True),
        ("It is so", "ASISEEIT", False),
        ("Can't you?", "CANT", True),
        ("Crème brûlée", "BRULEE", True),
        ("4 by 4", "4X4", False),
        ("", "AXLE", False),
    ],
)
def test_giving_away(text: str, answer: str, expected: bool) -> None:
    assert gives_away(text, answer) is expected


@pytest.mark.parametrize(
    ("word", "base", "form"),
    [
        ("AXLE", "AXLE", None),
        ("AXLES", "AXLE", Form.PLURAL),
        ("OXEN", "OX", Form.PLURAL),
        ("FIREMEN", "FIREMAN", Form.PLURAL),
        ("WENT", "GO", Form.PAST),
        ("CARRIED", "CARRY", Form.PAST),
        ("CARRIES", "CARRY", Form.THIRD_PERSON),
        ("PLANNING", "PLAN", Form.ING),
        ("BAKED", "BAKE", Form.PAST),
        ("HAPPIEST", "HAPPY", Form.SUPERLATIVE),
        ("BETTER", "GOOD", Form.COMPARATIVE),
        ("WORST", "BAD", Form.SUPERLATIVE),
        ("WERE", "BE", Form.OTHER),
        ("KICKEDTHEBUCKET", "KICKTHEBUCKET", Form.PAST),
        ("WISDOMTEETH", "WISDOMTOOTH", Form.PLURAL),
    ],
)
def test_words_and_their_bases(word: str, base: str, form: Form | None) -> None:
    found = {(one.base, one.form): one.senses for one in shipped_glosses().definitions(word)}
    assert found[base, form]


@pytest.mark.parametrize("word", ["XQZW", "", "A" * 200, "ZZ", "1"])
def test_what_wordnet_does_not_have(word: str) -> None:
    assert all(one.senses for one in shipped_glosses().definitions(word))


def test_the_commonest_sense_comes_first_with_its_words() -> None:
    (definition, *_) = shipped_glosses().definitions("CAR")
    sense = definition.senses[0]
    assert sense.part is PartOfSpeech.NOUN
    assert sense.words[:2] == ("car", "auto")
    assert sense.gloss.startswith("a motor vehicle with four wheels")


def test_every_number_leads_to_a_sense() -> None:
    """The file as a whole: each word is found by itself, each sense has a gloss."""
    glosses = shipped_glosses()
    with zipfile.ZipFile(glosses_file()) as archive:
        names = [name for name in archive.namelist() if name.startswith("words/Q")]
        words = [line.split("\t")[0] for name in names for line in archive.read(name).decode().splitlines()]
    assert len(words) > 500
    for word in words:
        (own, *_) = glosses.definitions(word)
        assert own.form is None
        assert all(sense.gloss for sense in own.senses), word


def test_quotes_are_plain() -> None:
    glosses = [sense.gloss for one in shipped_glosses().definitions("BETTER") for sense in one.senses]
    assert any(gloss.startswith('(comparative of "good")') for gloss in glosses)
    assert not any("`" in gloss for gloss in glosses)


def test_a_file_that_is_missing_or_damaged(tmp_path: Path) -> None:
    with pytest.raises(WordListError, match="cannot read the glosses"):
        Glosses(tmp_path / "none.zip").definitions("AXLE")
    (tmp_path / "bad.zip").write_bytes(b"no zip")
    with pytest.raises(WordListError, match="cannot read the glosses"):
        Glosses(tmp_path / "bad.zip").definitions("AXLE")

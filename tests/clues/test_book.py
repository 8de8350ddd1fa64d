"""The clue book compared with a naive one, damaged or shared; suggestions for an answer; and definitions."""

import multiprocessing
import sqlite3
import string
import zipfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given
from hypothesis import strategies as st

from tests.examples import examples
from tests.naive.clue_book import NaiveBook
from xwtui.clues.book import LONGEST_CLUE, BookClue, BookTally, ClueBook, ClueSource, NewClue
from xwtui.clues.glosses import Form, Glosses, PartOfSpeech, shipped_glosses
from xwtui.clues.suggestions import Suggestion, SuggestionKind, gives_away, suggestions
from xwtui.errors import ClueBookError, WordListError
from xwtui.resources import glosses_file

MINE = ClueSource("/mine/a.ipuz", "Mine", "Me", "2024-01-01", is_own=True)
OLD = ClueSource("/old/b.puz", "Old", "Them", "1999-01-01")


@pytest.fixture
def book(tmp_path: Path) -> ClueBook:
    return ClueBook(tmp_path / "data" / "clues.sqlite")


def told(clues: tuple[BookClue, ...]) -> list[tuple[str, str, str, int]]:
    return [(clue.answer, clue.text, clue.source.name, clue.times) for clue in clues]


def test_a_missing_book_is_empty_and_not_created(book: ClueBook) -> None:
    assert book.clues_of("AXLE") == book.search("shaft") == ()
    assert book.tally() == BookTally()
    assert book.forget("/x") == 0
    book.keep(MINE, [])
    assert not book.path.exists()


def test_a_source_has_its_last_stored_clues(book: ClueBook) -> None:
    book.keep(MINE, [NewClue("AXLE", "Shaft on a Subaru"), NewClue("OBOE", "Reed")])
    book.keep(MINE, [NewClue("AXLE", "Shaft on a Subaru"), NewClue("AXLE", "Wheel bar")])
    assert book.clues_of("OBOE") == ()
    assert [clue.text for clue in book.clues_of("AXLE")] == ["Shaft on a Subaru", "Wheel bar"]
    assert (book.tally().clues, book.tally().answers) == (2, 1)
    book.keep(MINE, [])
    assert book.tally() == BookTally()
    assert book.search("shaft") == (), "and the index knows"


def test_forgetting_a_file_or_a_folder(book: ClueBook) -> None:
    for name in ("/a/1.puz", "/a/2.puz", "/ab/3.puz"):
        book.keep(ClueSource(name), [NewClue("AXLE", f"in {name}")])
    assert book.forget("/a/1.puz") == 1
    assert book.forget("/a/") == 1
    assert [tally.source.name for tally in book.tally().sources] == ["/ab/3.puz"]
    assert book.forget("nowhere") == 0


def test_a_folder_of_another_operating_system_is_forgotten(book: ClueBook) -> None:
    for name in (r"C:\puzzles\1.puz", r"C:\puzzles\mine\2.puz", r"C:\puzzles2\3.puz"):
        book.keep(ClueSource(name), [NewClue("AXLE", f"in {name}")])
    assert book.forget("C:\\puzzles\\") == 2
    assert book.forget(r"C:\puzzles2\3.puz") == 1


def test_a_list_may_be_stored_in_batches(book: ClueBook) -> None:
    with book.changing() as change:
        number = change.begin(OLD)
        assert change.add(number, [NewClue("AXLE", "Bar", "2001"), NewClue("AXLE", "Bar", "2003")]) == 1
        assert change.add(number, [NewClue("AXLE", "Bar"), NewClue("OBOE", "Reed")]) == 1
    assert book.known().digests == frozenset(), "not in as a whole yet"
    with book.changing() as change:
        change.end(OLD, b"digest")
    assert book.known().digests == {b"digest"}
    [bar] = book.clues_of("AXLE")
    assert (bar.date, bar.times) == ("2003", 2), "a list counts by its dates"


def test_another_authors_clue_stays_theirs_if_the_users_puzzle_has_it(book: ClueBook) -> None:
    book.keep(OLD, [NewClue("AXLE", "Bar of wheels")])
    book.keep(MINE, [NewClue("AXLE", "Bar of wheels"), NewClue("AXLE", "Shaft")])
    first, second = book.clues_of("AXLE")
    assert (first.text, first.source.is_own) == ("Shaft", True)
    assert (second.source, second.times) == (OLD, 2)
    book.keep(ClueSource("/out/mine.puz", "Printed", "Me", "2025-01-01"), [NewClue("AXLE", "Shaft")])
    assert book.clues_of("AXLE")[0].source == MINE, "what is printed under my name is mine"


EARLIER = """
CREATE TABLE sources (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, title TEXT NOT NULL, author TEXT NOT NULL,
    date TEXT NOT NULL, is_own INTEGER NOT NULL, digest BLOB);
CREATE TABLE clues (id INTEGER PRIMARY KEY, answer TEXT NOT NULL, source INTEGER NOT NULL REFERENCES sources (id),
    text TEXT NOT NULL, date TEXT NOT NULL{times});
CREATE UNIQUE INDEX clues_by_answer ON clues (answer, source, text);
CREATE INDEX clues_by_source ON clues (source);
CREATE VIRTUAL TABLE texts USING fts5 (
    text, content = 'clues', content_rowid = 'id', tokenize = "unicode61 remove_diacritics 2");
CREATE TRIGGER clue_in AFTER INSERT ON clues BEGIN
    INSERT INTO texts (rowid, text) VALUES (new.id, new.text); END;
CREATE TRIGGER clue_out AFTER DELETE ON clues BEGIN
    INSERT INTO texts (texts, rowid, text) VALUES ('delete', old.id, old.text); END;
INSERT INTO sources VALUES (1, '/lists/all.tsv', 'all', '', '', 0, x'00');
INSERT INTO sources VALUES (2, '/mine.ipuz', 'Mine', 'Me', '2025', 1, x'01');
INSERT INTO clues (answer, source, text, date) VALUES
    ('AXLE', 1, 'Bar', '2020'), ('AXLE', 2, 'Shaft', ''), ('OBOE', 1, 'Reed', '');
PRAGMA user_version = {version};
"""
"""The tables of versions 1 and 2, with three clues from two sources."""


@pytest.mark.parametrize(("version", "times"), [(1, ""), (2, ", times INTEGER NOT NULL DEFAULT 1")])
def test_a_book_of_an_earlier_version_is_migrated(book: ClueBook, version: int, times: str) -> None:
    book.path.parent.mkdir()
    with sqlite3.connect(book.path) as connection:
        connection.executescript(EARLIER.format(version=version, times=times))
    connection.close()
    assert [(clue.text, clue.times) for clue in book.clues_of("AXLE")] == [("Shaft", 1), ("Bar", 1)]
    assert book.known().digests == {b"\1"}, "so that the list is taken once more, and counted"
    tally = book.tally()
    assert ([each.clues for each in tally.sources], tally.answers) == ([1, 2], 2)
    assert book.forget("/lists/all.tsv") == 2
    assert ([each.clues for each in book.tally().sources], book.tally().answers) == ([1], 1)
    assert [clue.text for clue in book.search("shaft")] == ["Shaft"]


def test_a_clue_of_a_list_has_its_author(book: ClueBook) -> None:
    with book.changing() as change:
        number = change.begin(OLD)
        told = [("2019-01-01", "A. Mann"), ("2021-01-01", "B. Mann"), ("2020-01-01", "C. Mann")]
        for date, author in told:
            change.add(number, [NewClue("AXLE", "Bar", date, author)])
        change.add(number, [NewClue("AXLE", "Rod")])
    bar, rod = book.clues_of("AXLE")
    assert (bar.source.author, bar.date, bar.times) == ("B. Mann", "2021-01-01", 3)
    assert rod.source.author == OLD.author


def test_a_failed_change_changes_nothing(book: ClueBook) -> None:
    book.keep(MINE, [NewClue("AXLE", "Shaft")])

    def fail() -> None:
        with book.changing() as change:
            change.forget(MINE.name)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert book.search("shaft")


ODD = [
    '"',
    '""',
    "'",
    "*",
    "NEAR(a b)",
    "AND",
    "a OR b",
    "-x",
    "^a",
    "text:a",
    "🎉",
    "é",
    "(",
    "{",
    "\\",
    ";--",
    "ß",
]
PLAIN = st.text(string.ascii_letters + string.digits + "'\"*-(): éÉ🎉&", max_size=20)
TEXTS = st.one_of(PLAIN, st.sampled_from(ODD))
NAMES = st.sampled_from(["/a/1", "/a/2", "/ab/3", "/b/4"])
DATES = st.sampled_from(["", "1999", "2020-02-02", "2024-03-01"])
SOURCES = st.builds(ClueSource, NAMES, author=st.sampled_from(["", "Me"]), date=DATES, is_own=st.booleans())
CLUES = st.lists(st.builds(NewClue, st.sampled_from(["AXLE", "OBOE", "A"]), TEXTS, DATES), max_size=4)
CHANGES = st.lists(st.one_of(st.tuples(SOURCES, CLUES), st.sampled_from(["/a", "/a/1", "/b/"])), max_size=6)


@examples(100, HealthCheck.function_scoped_fixture)
@given(changes=CHANGES, sought=st.lists(TEXTS, min_size=1, max_size=5))
def test_the_book_agrees_with_a_naive_one(
    tmp_path: Path, changes: list[tuple[ClueSource, list[NewClue]] | str], sought: list[str]
) -> None:
    path = tmp_path / "book.sqlite"
    path.unlink(missing_ok=True)
    book, naive = ClueBook(path), NaiveBook()
    for change in changes:
        if isinstance(change, str):
            assert book.forget(change) == naive.forget(change.rstrip("/"))
        else:
            book.keep(*change)
            naive.keep(*change)
    for answer in ("AXLE", "OBOE", "A"):
        assert told(book.clues_of(answer)) == naive.clues_of(answer)
    for text in sought:
        assert told(book.search(text)) == naive.search(text), text
    assert book.tally().clues == len(naive.rows)
    assert book.tally().answers == len({row.answer for row in naive.rows})


@examples(100, HealthCheck.function_scoped_fixture)
@given(text=st.text(max_size=60), sought=st.text(max_size=30))
@example(text="", sought="0\0")
@example(text="\ud800", sought="\ud800 x")
def test_any_text_can_be_stored_and_searched(tmp_path: Path, text: str, sought: str) -> None:
    book = ClueBook(tmp_path / "any.sqlite")
    book.keep(MINE, [NewClue("AXLE", text)])
    book.search(sought)
    for clue in book.clues_of("AXLE"):
        assert clue.text.isprintable() or "\u200d" in clue.text or "\u200c" in clue.text
        assert len(book.search(clue.text)) <= 1


def test_overlong_clues_are_not_stored(book: ClueBook) -> None:
    book.keep(MINE, [NewClue("AXLE", "x" * LONGEST_CLUE), NewClue("AXLE", "y" * (LONGEST_CLUE + 1))])
    assert [clue.text[0] for clue in book.clues_of("AXLE")] == ["x"]


def write_many(path: Path, name: str) -> None:
    """Runs in a process of its own."""
    for number in range(20):
        with ClueBook(path).changing() as change:
            change.replace(ClueSource(f"/{name}/{number}"), [NewClue("AXLE", f"{name} {number}")])


def test_two_processes_write_at_once(book: ClueBook) -> None:
    book.path.parent.mkdir()
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=write_many, args=(book.path, name)) for name in ("one", "two")]
    for process in processes:
        process.start()
    for process in processes:
        process.join(120)
    assert [process.exitcode for process in processes] == [0, 0]
    assert book.tally().clues == 40
    assert len(book.search("one")) == len(book.search("two")) == 20


def test_the_wait_for_another_writer_is_limited(book: ClueBook) -> None:
    hasty = ClueBook(book.path, patience=0.0)
    book.keep(MINE, [NewClue("AXLE", "Shaft")])
    with book.changing() as change:
        change.forget(MINE.name)
        assert hasty.clues_of("AXLE"), "one may read meanwhile"
        with pytest.raises(ClueBookError, match=r"cannot use the clue book .*locked"):
            hasty.forget(MINE.name)


@pytest.mark.parametrize("place", [0, 5000])
def test_a_damaged_book_is_set_aside_with_one_message(book: ClueBook, place: int) -> None:
    book.keep(MINE, [NewClue("AXLE", f"Shaft number {number}") for number in range(500)])
    data = bytearray(book.path.read_bytes())
    data[place : place + 20_000] = b"\xa5" * 20_000
    book.path.write_bytes(data)
    with pytest.raises(ClueBookError, match=r"is damaged; it was renamed to clues-damaged-.*\.sqlite, and a new"):
        book.search("shaft")
    (aside,) = book.path.parent.glob("clues-damaged-*.sqlite")
    assert aside.read_bytes() == data, "nothing of it is lost"
    book.keep(MINE, [NewClue("AXLE", "Shaft")])
    assert book.search("shaft"), "a new one has begun"


def test_a_newer_book_is_left_alone(book: ClueBook) -> None:
    book.keep(MINE, [NewClue("AXLE", "Shaft")])
    with sqlite3.connect(book.path) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(ClueBookError, match="written by a newer xwtui"):
        book.search("shaft")
    assert book.path.exists()


def test_a_book_that_cannot_be_opened_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ClueBookError, match="cannot write the clue book"):
        ClueBook(tmp_path / "file" / "clues.sqlite").keep(MINE, [NewClue("AXLE", "Shaft")])
    with pytest.raises(ClueBookError, match="cannot use the clue book"):
        ClueBook(tmp_path).tally()


HEARTS = ClueSource("/mine/hearts.ipuz", "Heart to Heart", "A. Constructor", "2024-03-01", is_own=True)


@pytest.fixture
def empty_book(tmp_path: Path) -> ClueBook:
    return ClueBook(tmp_path / "clues.sqlite")


def texts(found: tuple[Suggestion, ...], kind: SuggestionKind) -> list[str]:
    return [one.text for one in found if one.kind is kind]


def test_without_a_book_glosses_are_suggested(empty_book: ClueBook) -> None:
    (gloss,) = suggestions("axle", empty_book)
    assert gloss.text == "A shaft on which a wheel rotates"
    assert gloss.origin == "noun"
    assert not empty_book.path.exists(), "to suggest writes nothing"


def test_the_base_of_an_inflected_form_is_named(empty_book: ClueBook) -> None:
    (gloss,) = suggestions("AXLES", empty_book)
    assert (gloss.form, gloss.base, gloss.origin) == (Form.PLURAL, "AXLE", "noun, plural of AXLE")


def test_own_clues_come_first_then_by_number_of_puzzles_then_glosses(empty_book: ClueBook) -> None:
    empty_book.keep(ClueSource("/old/a.puz", "Old", date="1999-01-01"), [NewClue("AXLE", "Bar of wheels")])
    empty_book.keep(
        ClueSource("/old/b.puz", "Newer", date="2009-01-01"),
        [NewClue("AXLE", "Bar of wheels"), NewClue("AXLE", "Car part")],
    )
    empty_book.keep(HEARTS, [NewClue("AXLE", "Shaft on a Subaru")])
    found = suggestions("AXLE", empty_book)
    assert [one.text for one in found] == [
        "Shaft on a Subaru",
        "Bar of wheels",
        "Car part",
        "A shaft on which a wheel rotates",
    ]
    assert [one.kind.value for one in found] == ["own", "imported", "imported", "gloss"]
    assert found[0].origin == "Heart to Heart, A. Constructor, 2024-03-01"
    assert found[1].origin == "Newer, 2009-01-01, and 1 more"


def test_clues_with_references_come_last_and_are_marked(empty_book: ClueBook) -> None:
    for name in ("/a.puz", "/b.puz"):
        empty_book.keep(ClueSource(name, "T"), [NewClue("AXLE", "See 17-Across")])
    empty_book.keep(ClueSource("/c.puz", "T"), [NewClue("AXLE", "Bar of wheels")])
    bar, see, _ = suggestions("AXLE", empty_book)
    assert (bar.text, bar.origin) == ("Bar of wheels", "T")
    assert (see.text, see.origin) == ("See 17-Across", "T, and 1 more, names another entry")


def test_clues_that_contain_the_answer_are_omitted_unless_the_users_own(empty_book: ClueBook) -> None:
    empty_book.keep(
        ClueSource("/old/a.puz"), [NewClue("OBOE", "An oboe, in short"), NewClue("OBOE", "Tuning reed")]
    )
    empty_book.keep(HEARTS, [NewClue("OBOE", "Hautboy's other name: oboe")])
    found = suggestions("OBOE", empty_book)
    assert texts(found, SuggestionKind.IMPORTED) == ["Tuning reed"]
    assert [one.gives_away for one in found if one.kind is SuggestionKind.OWN] == [True]
    assert not any(gives_away(one.text, "OBOE") for one in found[1:])


def test_no_gloss_gives_its_answer_away(empty_book: ClueBook) -> None:
    for answer in ("FIREMEN", "RATION", "SINGING", "BAKERS", "NATIONAL", "EEL"):
        assert not [one for one in suggestions(answer, empty_book) if gives_away(one.text, answer)]


def test_equal_texts_come_once(empty_book: ClueBook) -> None:
    empty_book.keep(ClueSource("/a.puz"), [NewClue("AXLE", "a SHAFT on which a wheel rotates.")])
    assert len(suggestions("AXLE", empty_book)) == 1


def test_a_non_word_is_refused(empty_book: ClueBook) -> None:
    with pytest.raises(WordListError):
        suggestions("?", empty_book)


WORDS = st.sampled_from(["wheel", "bar", "Bar", "axle", "a", "shaft.", "shaft", "tree"])
FEW_TEXTS = st.lists(WORDS, min_size=1, max_size=2).map(" ".join)
FEW_NAMES = st.sampled_from(["/a", "/b", "/c"])
FEW_SOURCES = st.builds(ClueSource, FEW_NAMES, date=st.sampled_from(["", "1999", "2024"]), is_own=st.booleans())


@examples(60, HealthCheck.function_scoped_fixture)
@given(kept=st.lists(st.tuples(FEW_SOURCES, st.lists(FEW_TEXTS, max_size=6)), max_size=5))
def test_the_order_matches_a_naive_book(tmp_path: Path, kept: list[tuple[ClueSource, list[str]]]) -> None:
    path = tmp_path / "naive.sqlite"
    path.unlink(missing_ok=True)
    empty_book, naive = ClueBook(path), NaiveBook()
    for source, texts in kept:
        for one in (empty_book, naive):
            one.keep(source, [NewClue("AXLE", text) for text in texts])
    is_own = {row.source.name for row in naive.rows if row.source.is_own}
    expected: dict[str, str] = {}
    for _, text, name, _ in naive.clues_of("AXLE"):
        if name in is_own or "axle" not in text.split():
            expected.setdefault(text.casefold().rstrip("."), text)
    found = [one.text for one in suggestions("AXLE", empty_book) if one.kind is not SuggestionKind.GLOSS]
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
def test_words_missing_from_wordnet(word: str) -> None:
    assert all(one.senses for one in shipped_glosses().definitions(word))


def test_the_commonest_sense_comes_first_with_its_words() -> None:
    (definition, *_) = shipped_glosses().definitions("CAR")
    sense = definition.senses[0]
    assert sense.part is PartOfSpeech.NOUN
    assert sense.words[:2] == ("car", "auto")
    assert sense.gloss.startswith("a motor vehicle with four wheels")


def test_every_number_refers_to_a_sense() -> None:
    """The whole file: each word finds itself, and each sense has a gloss."""
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


def test_a_missing_or_damaged_file(tmp_path: Path) -> None:
    with pytest.raises(WordListError, match="cannot read the glosses"):
        Glosses(tmp_path / "none.zip").definitions("AXLE")
    (tmp_path / "bad.zip").write_bytes(b"no zip")
    with pytest.raises(WordListError, match="cannot read the glosses"):
        Glosses(tmp_path / "bad.zip").definitions("AXLE")

"""Importing folders of puzzles and lists into the book: each file once, regardless of other files."""

import re
import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given
from hypothesis import strategies as st

from tests.examples import examples
from xwtui.clues.book import ClueBook, ClueSource
from xwtui.clues.importing import (
    CLUE_FILE_SUFFIXES,
    ImportView,
    clue_list_of,
    clues_of_puzzle,
    date_in,
    import_clues,
)
from xwtui.errors import ClueBookError
from xwtui.formats.registry import read_puzzle, write_puzzle
from xwtui.model.alphabet import ENGLISH
from xwtui.model.markup import TextRun, parse
from xwtui.resources import puzzles_folder
from xwtui.words.alphabets import find_alphabet

SAMPLE = puzzles_folder() / "finished-match-made-in-heaven.ipuz"
EMOGIC = "# Emogic's form\nAXLE|Shaft on a Subaru\nOBOE|Reed | or so\nice cream|Cone filler\nodd line\n|\nX|\n"
TABS = "AXLE\tWheel bar\nOBOE\tHautbois\tin old scores\n"
TABLE = 'Date,Word,Clue,Constructor\n11/22/2020,AXLE,"Bar, of wheels",A. Mann\n2021,OBOE,Tuner\n'


@pytest.fixture
def book(tmp_path: Path) -> ClueBook:
    return ClueBook(tmp_path / "data" / "clues.sqlite")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "puzzles"
    folder.mkdir()
    return folder


def texts(book: ClueBook, answer: str) -> set[str]:
    return {clue.text for clue in book.clues_of(answer)}


def test_importing_a_folder_twice_adds_nothing(book: ClueBook, folder: Path) -> None:
    puzzle = read_puzzle(SAMPLE)
    for suffix in (".puz", ".xd", ".jpz", ".ipuz"):
        write_puzzle(folder / f"nyt-2020-02-03{suffix}", puzzle, lossy=True)
    (folder / "list.txt").write_text(EMOGIC)
    first = import_clues(book, folder)
    tally = book.tally()
    assert (first.files, first.done, first.known, first.skipped) == (5, 5, 0, ())
    assert first.clues == tally.clues == 4 * len(list(clues_of_puzzle(puzzle))) + 3
    again = import_clues(book, folder)
    assert (again.clues, again.known, again.is_whole) == (0, 5, True)
    assert book.tally() == tally


def test_a_clue_has_its_puzzles_author_and_date(book: ClueBook, folder: Path) -> None:
    shutil.copy(SAMPLE, folder / "my puzzle 2020-02-03.ipuz")
    import_clues(book, folder)
    puzzle = read_puzzle(SAMPLE)
    (wanted, *_) = clues_of_puzzle(puzzle)
    (clue,) = book.clues_of(wanted.answer)
    source = clue.source
    assert (clue.text, source.title, source.author) == (wanted.text, puzzle.title, puzzle.author)
    assert (source.name, clue.date) == (str(folder / "my puzzle 2020-02-03.ipuz"), "2020-02-03")


def test_lists_of_three_forms(book: ClueBook, folder: Path) -> None:
    (folder / "emogic.txt").write_text(EMOGIC)
    (folder / "tabs.tsv").write_bytes(TABS.encode() + "CRÈME\tBrûlée\n".encode("cp1252"))
    (folder / "table.csv").write_bytes(b"\xef\xbb\xbf" + TABLE.encode())
    view = import_clues(book, folder)
    assert view.skipped == ()
    assert view.odd_lines == 3
    assert texts(book, "AXLE") == {"Shaft on a Subaru", "Wheel bar", "Bar, of wheels"}
    assert texts(book, "OBOE") == {"Reed | or so", "Hautbois\tin old scores".replace("\t", " "), "Tuner"}
    assert texts(book, "ICECREAM") == {"Cone filler"}
    assert texts(book, "CREME") == {"Brûlée"}
    dates = {clue.text: clue.date for clue in book.clues_of("AXLE") + book.clues_of("OBOE")}
    assert (dates["Bar, of wheels"], dates["Tuner"], dates["Wheel bar"]) == ("2020-11-22", "2021", "")
    authors = {clue.text: clue.source.author for clue in book.clues_of("AXLE") + book.clues_of("OBOE")}
    assert (authors["Bar, of wheels"], authors["Tuner"]) == ("A. Mann", "")


def test_literal_markup_is_preserved_and_references_become_numbers(book: ClueBook, folder: Path) -> None:
    (folder / "list.txt").write_text("AXLE|Bar of *one* wheel\n")
    import_clues(book, folder)
    (clue,) = book.clues_of("AXLE")
    assert parse(clue.text) == (TextRun("Bar of *one* wheel"),)
    puzzle = read_puzzle(SAMPLE)
    slot = puzzle.grid.slot("1A")
    told = {clue.answer: clue.text for clue in clues_of_puzzle(puzzle.with_clue(slot, "*Goads*, as in {6A}"))}
    assert told["SPURS"] == "*Goads*, as in 6-Across"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        (
            "a.csv",
            r"this is not a list of words and clues \(lines of `WORD\|clue`, or a table .*`answer`.*",
        ),
        ("a.txt", r"this is not a list of words and clues .*: grids are 3x3 to 40x40.*"),
        ("a.doc", r".*it reads \.ipuz, .*; files of words and clues must be named \.txt, \.tsv or \.csv"),
    ],
)
def test_a_file_that_is_no_list_is_told_the_expected_format(
    book: ClueBook, tmp_path: Path, name: str, reason: str
) -> None:
    path = tmp_path / name
    path.write_text("no list,of words\n" if name == "a.csv" else "no list\n", encoding="utf-8")
    (skipped,) = import_clues(book, path).skipped
    assert re.fullmatch(reason, skipped.reason), skipped.reason


def test_unreadable_files_are_named_and_skipped(book: ClueBook, folder: Path) -> None:
    (folder / "bad.puz").write_bytes(b"no puzzle")
    (folder / "blank.xd").write_text("Title: Blank\n\n\n...\n...\n...\n\n\n")
    (folder / "readme.txt").write_text("Nothing of interest.\n")
    (folder / "notes.pdf").write_bytes(b"%PDF")
    (folder / ".hidden").mkdir()
    (folder / ".hidden" / "list.txt").write_text(EMOGIC)
    (folder / "list.txt").write_text(EMOGIC)
    view = import_clues(book, folder)
    assert {skipped.path.name for skipped in view.skipped} == {"bad.puz", "blank.xd", "readme.txt"}
    assert all(skipped.reason for skipped in view.skipped)
    assert view.clues == 3, "and the rest is in"


def test_words_of_lists_are_parsed_in_an_alphabet_and_misfits_reported(book: ClueBook, folder: Path) -> None:
    (folder / "list.txt").write_text("Måne|Lyser på natten\nNiño|Barn\n")
    english = import_clues(book, folder)
    assert (english.clues, english.folds) == (2, {"Å": "A", "Ñ": "N"})
    assert texts(book, "MANE") == {"Lyser på natten"}
    swedish = import_clues(book, folder, alphabet=find_alphabet("swedish"))
    assert (swedish.clues, swedish.known, swedish.folds) == (2, 0, {"Ñ": "N"})
    assert texts(book, "MÅNE") == {"Lyser på natten"}
    assert not texts(book, "MANE")
    assert import_clues(book, folder, alphabet=find_alphabet("swedish")).known == 1


def test_a_list_without_english_letters(book: ClueBook, folder: Path) -> None:
    (folder / "list.txt").write_text("Ωδή|Ποίημα\nΜέλι|Γλυκό\n")
    assert import_clues(book, folder).skipped
    assert import_clues(book, folder, alphabet=find_alphabet("greek")).clues == 2
    assert texts(book, "ΩΔΗ") == {"Ποίημα"}


def test_a_line_of_ten_megabytes_is_skipped(book: ClueBook, folder: Path) -> None:
    (folder / "list.txt").write_bytes(b"AXLE|Shaft\nOBOE|" + b"x" * 10_000_000 + b"\nEEL|Fish\n")
    view = import_clues(book, folder)
    assert (view.clues, view.odd_lines) == (2, 1)
    assert texts(book, "EEL") == {"Fish"}


def test_a_stopped_import_keeps_its_clues_and_can_continue(book: ClueBook, folder: Path) -> None:
    for number in range(5):
        (folder / f"{number}.txt").write_text(f"AXLE|Shaft {number}\nOBOE|Reed {number}\n")
    heard: list[ImportView] = []
    view = import_clues(book, folder, is_stopped=lambda: bool(heard) and heard[-1].done == 2, tell=heard.append)
    assert (view.done, view.is_whole) == (2, False)
    assert book.tally().clues == view.clues == 4
    again = import_clues(book, folder)
    assert (again.known, again.clues) == (2, 6)


def test_a_list_stopped_halfway_is_imported_again(book: ClueBook, folder: Path) -> None:
    path = folder / "long.txt"
    path.write_text("".join(f"AXLE|Shaft {number}\n" for number in range(12_000)))
    heard: list[ImportView] = []
    view = import_clues(book, path, is_stopped=lambda: bool(heard) and heard[-1].clues > 0, tell=heard.append)
    assert (view.clues, view.done) == (5_000, 0)
    assert import_clues(book, path).known == 0
    assert book.tally().clues == 12_000
    assert import_clues(book, path).known == 1


def test_a_changed_file_replaces_its_earlier_clues(book: ClueBook, folder: Path) -> None:
    path = folder / "list.txt"
    path.write_text("AXLE|Shaft\nOBOE|Reed\n")
    import_clues(book, folder)
    path.write_text("AXLE|Bar\nOBOE|Reed\n")
    import_clues(book, folder)
    assert (texts(book, "AXLE"), book.tally().clues) == ({"Bar"}, 2)


def test_the_users_own_puzzles_stay_own(book: ClueBook, folder: Path) -> None:
    path = folder / "mine.ipuz"
    shutil.copy(SAMPLE, path)
    clues = list(clues_of_puzzle(read_puzzle(path)))[:3]
    book.keep(ClueSource(str(path), "Mine", is_own=True), clues)
    assert import_clues(book, folder).known == 1
    assert book.tally().clues == 3
    view = import_clues(book, folder, is_own=True)
    assert view.clues > 0
    assert all(tally.source.is_own for tally in book.tally().sources)


def test_a_missing_path_is_reported(book: ClueBook, tmp_path: Path) -> None:
    with pytest.raises(ClueBookError, match="there is no folder or file"):
        import_clues(book, tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("nyt2020-02-03.puz", "2020-02-03"),
        ("20200203", "2020-02-03"),
        ("11/22/2026", "2026-11-22"),
        ("NY Times, Thursday, Nov. 5, 2015", "2015-11-05"),
        ("March 15 2001 puzzle", "2001-03-15"),
        ("2020-13-03", ""),
        ("puzzle 120200203", ""),
        ("1999", ""),
        ("Mayor 5", ""),
    ],
)
def test_dates(text: str, date: str) -> None:
    assert date_in(text) == date


@pytest.mark.parametrize(
    ("text", "is_list"),
    [
        ("AXLE|Shaft\n", True),
        ("AXLE\tShaft\n", True),
        ("clue,answer\n", True),
        ("#..A|\n..\n", False),
        ("word list;50\n", False),
        ("", False),
        ("###.\n....\n", False),
        ("<ACROSS PUZZLE>\n<TITLE>\n", False),
    ],
)
def test_list_formats_are_recognized(text: str, is_list: bool) -> None:
    assert (clue_list_of(text.encode(), ENGLISH) is not None) is is_list


MARKS = [b"|", b"\t", b",", b"\n", b"\r", b'"', b"#", b"\0", b"\xff", b"\xef\xbb\xbf"]
PIECES = st.sampled_from([*MARKS, b"AXLE", b"clue,answer\n", b"date\tword\tclue\n"])


@examples(150, HealthCheck.function_scoped_fixture)
@given(pieces=st.lists(PIECES | st.binary(max_size=5), max_size=12), suffix=st.sampled_from(CLUE_FILE_SUFFIXES))
@example(pieces=[b"clue,answer\n", b"a\rb,AXLE\n"], suffix=".csv")
def test_any_bytes_are_imported_or_skipped(tmp_path: Path, pieces: list[bytes], suffix: str) -> None:
    path = tmp_path / f"any{suffix}"
    path.write_bytes(b"".join(pieces))
    view = import_clues(ClueBook(tmp_path / "any.sqlite"), path)
    assert view.is_whole
    path.unlink()


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_a_header_line_is_not_a_clue(book: ClueBook, folder: Path, separator: str) -> None:
    lines = (("Answer", "Clue", "Date"), ("AXLE", '"Bar"', "2021"), ("ANSWER", "Reply", "2020"))
    (folder / "named.csv").write_text("".join(f"{separator.join(line)}\n" for line in lines), encoding="utf-8")
    view = import_clues(book, folder / "named.csv")
    assert (view.clues, view.odd_lines, view.skipped) == (2, 0, ())
    assert texts(book, "ANSWER") == {"Reply"}


def test_table_rows_are_counted_by_date_and_outlet(book: ClueBook, tmp_path: Path) -> None:
    """As in the xd corpus, with the day next to the year; a repeated line counts once."""
    lines = ["pubid\tyear\tdate\tanswer\tclue"]
    printed = [("nyt", "2001-02-03"), ("lat", "2001-02-03"), ("nyt", "2001-05-06"), ("nyt", "2001-05-06")]
    lines += [f"{outlet}\t{day[:4]}\t{day}\tERA\tEpoch" for outlet, day in printed]
    lines += [f"nyt\t2025\t2025-01-{day:02}\tERA\tPeriod {day}" for day in range(1, 10)]
    (tmp_path / "table.tsv").write_text("\n".join(lines) + "\n")
    import_clues(book, tmp_path / "table.tsv")
    first = book.clues_of("ERA")[0]
    assert (first.text, first.times, first.date) == ("Epoch", 3, "2001-05-06")


def test_the_year_is_used_if_the_day_is_unreadable(book: ClueBook, tmp_path: Path) -> None:
    (tmp_path / "table.csv").write_text("year,date,answer,clue\n2010,,OREO,Cookie\n2011,n/a,AXLE,Shaft\n")
    import_clues(book, tmp_path / "table.csv")
    assert [book.clues_of(answer)[0].date for answer in ("OREO", "AXLE")] == ["2010", "2011"]

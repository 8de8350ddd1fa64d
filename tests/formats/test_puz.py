""".puz as we write it, and third-party files with quirks and damage."""

import json
from dataclasses import replace
from itertools import permutations

import puz
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from tests.formats.published import published
from tests.generators import SYMBOLS, one_liners, puzzles
from tests.known import clue_texts
from xwtui.errors import PuzzleFormatError
from xwtui.formats.grid_text import grid_from_text, grid_to_text, puzzle_of_grid
from xwtui.formats.intake import ANY_KEY, Deviation, ReadOptions
from xwtui.formats.puz import fitting_keys
from xwtui.formats.registry import parse_bytes, puzzle_bytes, read_bytes
from xwtui.model import BLOCK, Bar, Content, Direction, Ink, Kind, Position, Puzzle, Square, Symmetry

ACROSS, DOWN = Direction.ACROSS, Direction.DOWN
FILLED = "ABC\n[HEART]#D\nEFG"

holdable = puzzles(
    lines=one_liners(max_codepoint=255),
    word_choice=False,
    bars=False,
    voids=False,
    empty=False,
    schroedinger=False,
    marks=("circle",),
)


def small(**fields: str) -> Puzzle:
    return Puzzle(grid_from_text(FILLED), **fields)  # type: ignore[arg-type]


def written(puzzle: Puzzle) -> puz.Puzzle:
    """Parse the file with puzpy, which checks all checksums."""
    return puz.load(puzzle_bytes(puzzle, ".puz").data)


@given(holdable)
@examples(60)
def test_write_then_read_is_identity(puzzle: Puzzle) -> None:
    assert read_bytes(puzzle_bytes(puzzle, ".puz").data, ".puz") == published(puzzle)


@given(holdable)
@examples(40)
def test_puzpy_reads_the_same(puzzle: Puzzle) -> None:
    file = written(puzzle)
    assert (file.width, file.height) == (puzzle.grid.width, puzzle.grid.height)
    assert (file.title, file.author, file.copyright) == (puzzle.title, puzzle.author, puzzle.copyright)
    numbering = file.clue_numbering()
    for direction, entries in ((ACROSS, numbering.across), (DOWN, numbering.down)):
        slots = [slot for slot in puzzle.grid.slots if slot.direction is direction]
        assert [entry.number for entry in entries] == [slot.number for slot in slots]
        assert [entry.text for entry in entries] == [puzzle.printed_clue(slot) for slot in slots]
    for index, square in enumerate(puzzle.grid.squares):
        expected = str(square.content).strip("[]") if square.content else "."
        solution = file.rebus().get_rebus_solution(index) or file.solution[index]
        assert solution == expected
        assert file.solution[index] == expected[0]
        assert file.fill[index] == ("-" if square.is_open else ".")
        assert file.markup().is_markup_square(index, puz.GridMarkup.Circled) is square.circle


def test_clues_are_in_number_order_across_before_down() -> None:
    puzzle = Puzzle(grid_from_text("AB#\nCDE\n#FG"))
    for name in ("1A", "1D", "2D", "3A", "4D", "5A"):
        puzzle = puzzle.with_clue(puzzle.grid.slot(name), name)
    assert written(puzzle).clues == ["1A", "1D", "2D", "3A", "4D", "5A"]


def test_entries_without_a_clue_have_an_empty_one() -> None:
    assert written(small()).clues == [""] * 4


def test_a_rebus_is_its_first_letter_and_an_extension_section() -> None:
    file = written(small())
    assert file.solution == "ABCH.DEFG"
    assert file.extensions[puz.Extensions.Rebus] == bytes([0, 0, 0, 1, 0, 0, 0, 0, 0])
    assert file.extensions[puz.Extensions.RebusSolutions] == b" 0:HEART;"


def test_a_circle_is_0x80() -> None:
    grid = grid_from_text("ABC\nDEF\nGHI").with_squares(
        {Position(1, 1): Square(content=Content.of("E"), circle=True)}
    )
    assert written(Puzzle(grid)).extensions[puz.Extensions.Markup] == bytes([0, 0, 0, 0, 0x80, 0, 0, 0, 0])


def test_a_grid_without_rebus_and_circles_has_no_extensions() -> None:
    assert written(puzzle_of_grid(grid_from_text("ABC\nDEF\nGHI"))).extensions == {}


@pytest.mark.parametrize(
    ("title", "plain", "signs"),
    [
        ("“It’s” – a—b…", '"It\'s" - a--b...', "–, —, ’, “, ”, …"),
        ("café © ½", "café © ½", ""),
        ("thin\u2009space", "thin space", ""),
    ],
)
def test_text_is_latin_1_if_possible(title: str, plain: str, signs: str) -> None:
    data, warnings, _ = puzzle_bytes(small(title=title), ".puz")
    file = puz.load(data)
    assert (file.version, file.title) == (b"1.3", plain)
    assert warnings == ((f".puz cannot hold these characters, simplified: the title ({signs})",) if signs else ())


@pytest.mark.parametrize(
    ("title", "plain", "warning"),
    [
        ("Œuvre, Łódź", "OEuvre, Lódz", "cannot hold these letters, simplified: the title (Ł, Œ, ź)"),
        ("Žluťoučký", "Zlutoucký", "cannot hold these letters, simplified: the title (č, ť, Ž)"),
        ("e\u0301 and n\u0303", "é and ñ", ""),
        ("ﬁne ①", "fine 1", "cannot hold these characters, spelled out: the title (①, ﬁ)"),
        ("🎉", ":tada:", "cannot hold these characters, spelled out: the title (🎉)"),
        ("猫 for €5", "Mao for EUR5", "cannot hold these characters, spelled out: the title (€, 猫)"),
        ("\ue000", "?", "cannot hold these characters, spelled out: the title (\ue000)"),
    ],
)
def test_other_characters_are_transliterated_and_named(title: str, plain: str, warning: str) -> None:
    puzzle = small(title=title)
    data, warnings, _ = puzzle_bytes(puzzle, ".puz")
    file = puz.load(data)
    assert (file.version, file.encoding, file.title) == (b"1.3", "ISO-8859-1", plain)
    assert sorted(warnings) == ([f".puz {warning}"] if warning else [])


def test_entries_with_transliterated_clues_are_named() -> None:
    puzzle = small()
    for name, clue in (("1A", "Party 🎉"), ("1D", "Łódź"), ("3A", "“Café” – ½…"), ("2D", "🎉 again")):
        puzzle = puzzle.with_clue(puzzle.grid.slot(name), clue)
    data, warnings, _ = puzzle_bytes(puzzle, ".puz")
    assert puz.load(data).clues == ["Party :tada:", "Lódz", ":tada: again", '"Café" - ½...']
    assert warnings == (
        ".puz cannot hold these characters, simplified: the clue of 3A (–, “, ”, …)",
        ".puz cannot hold these letters, simplified: the clue of 1D (Ł, ź)",
        ".puz cannot hold these characters, spelled out: the clue of 1A (🎉), the clue of 2D (🎉)",
    )


@given(one_liners())
def test_any_text_can_be_written_in_latin_1(text: str) -> None:
    assert written(small(title=text)).version == b"1.3"


def test_control_characters_cannot_break_the_file() -> None:
    file = written(small(title="nul\0 and \x1b[31mred", notes="a\nb"))
    assert file.title == "nul and red"
    assert file.notes == "a\r\nb"
    assert read_bytes(puzzle_bytes(small(notes="a\nb"), ".puz").data).notes == "a\nb"


def test_a_clue_over_505_characters_is_named_and_cut_if_lossy() -> None:
    puzzle = small()
    fits = puzzle.with_clue(puzzle.grid.slot("1A"), "x" * 505)
    assert written(fits).clues[0] == "x" * 505
    too_long = puzzle.with_clue(puzzle.grid.slot("1A"), "x" * 506)
    with pytest.raises(PuzzleFormatError, match=r"more than 505 characters.* 1A \(506 characters\)"):
        puzzle_bytes(too_long, ".puz")
    lossy = puzzle_bytes(too_long, ".puz", lossy=True)
    assert len(lossy.warnings) == 1
    assert puz.load(lossy.data).clues[0] == "x" * 502 + "..."


@pytest.mark.parametrize(
    ("text", "named", "becomes"),
    [
        ("ABC\n_DE\nFGH", "voids at r2c1", "ABC\n#DE\nFGH"),
        ("ABC\n.DE\nFG.", "empty squares at r2c1, r3c3", "ABC\n.DE\nFG."),
        ("ABC\nD[X/TIMES]E\nFGH", "two answers in a square at r2c2", "ABC\nD[X/TIMES]E\nFGH"),
    ],
)
def test_features_the_format_lacks_are_named(text: str, named: str, becomes: str) -> None:
    puzzle = puzzle_of_grid(grid_from_text(text))
    with pytest.raises(PuzzleFormatError, match=f".puz cannot hold {named}"):
        puzzle_bytes(puzzle, ".puz")
    lossy = puzzle_bytes(puzzle, ".puz", lossy=True)
    assert len(lossy.warnings) == 1
    assert grid_to_text(read_bytes(lossy.data).grid) == becomes


def test_bars_are_named_with_the_clues_lost_because_of_them() -> None:
    grid = grid_from_text("ABCD\nEFGH\nIJKL\nMNOP").with_bars({Bar(Position(0, 1), Position(0, 2))})
    puzzle = Puzzle(grid)
    for slot in grid.slots:
        puzzle = puzzle.with_clue(slot, slot.name)
    with pytest.raises(PuzzleFormatError, match=r"bars at r1c2, r1c3 .*the clues at 3A"):
        puzzle_bytes(puzzle, ".puz")
    lossy = puzzle_bytes(puzzle, ".puz", lossy=True)
    assert len(lossy.warnings) == 2
    again = read_bytes(lossy.data)
    assert again.clue(again.grid.slot("1A")) == "1A"
    assert again.clue(again.grid.slot("3D")) == "3D"
    assert not again.grid.bars


def test_shade_becomes_circles_if_there_are_none() -> None:
    at, other = Position(0, 0), Position(1, 1)
    grid = grid_from_text("ABC\nDEF\nGHI")
    shaded = grid.with_squares({at: replace(grid[at], shade=True)})
    with pytest.raises(PuzzleFormatError, match="shade at r1c1"):
        puzzle_bytes(Puzzle(shaded), ".puz")
    assert read_bytes(puzzle_bytes(Puzzle(shaded), ".puz", lossy=True).data).grid[at].circle
    both = shaded.with_squares({other: replace(grid[other], circle=True)})
    again = read_bytes(puzzle_bytes(Puzzle(both), ".puz", lossy=True).data).grid
    assert (again[at].circle, again[other].circle) == (False, True)


def test_too_many_rebus_strings() -> None:
    letters = "ABCDEFGHIJ"
    strings = iter([first + second for first in letters for second in letters])
    text = "\n".join("".join(f"[{next(strings)}]" for _ in range(10)) for _ in range(10))
    with pytest.raises(PuzzleFormatError, match="more than 99 different"):
        puzzle_bytes(puzzle_of_grid(grid_from_text(text)), ".puz")


@pytest.mark.parametrize(("text", "plain"), [("a ≠ b", "a not = b"), ("≮", "not <"), ("é = è", "é = è")])
def test_negated_symbols_are_not_transliterated_as_their_opposite(text: str, plain: str) -> None:
    puzzle = Puzzle(grid_from_text("ABC\nDEF\nGHI"), title=text)
    assert read_bytes(puzzle_bytes(puzzle, ".puz").data).title == plain


def test_a_utf_8_file_names_readers_that_break_it() -> None:
    plain, accented = (Puzzle(grid_from_text("ABC\nDEF\nGHI"), title=title) for title in ("Lodz", "Łódź"))
    assert puzzle_bytes(plain, ".utf8.puz").warnings == ()
    [warning] = puzzle_bytes(accented, ".utf8.puz").warnings
    assert "spoiled by Puzzmo's tools" in warning


def made_by_others(
    solution: str = "ABCDEFGHI", width: int = 3, version: str = "1.3", clues: int = 6
) -> puz.Puzzle:
    """Return a file made by puzpy, for tests to modify."""
    file = puz.Puzzle(version=version)
    file.width, file.height = width, len(solution) // width
    file.solution = solution
    file.fill = "".join(letter if letter in ".:" else "-" for letter in solution)
    file.clues = [f"clue {number}" for number in range(clues)]
    return file


def test_content_is_read_in_pen() -> None:
    grid = read_bytes(made_by_others("AB.-EFGHI").tobytes()).grid
    assert grid[Position(0, 0)] == Square(content=Content.of("A"), ink=Ink.PEN)
    assert grid_to_text(grid) == "AB#\n.EF\nGHI"


@pytest.mark.parametrize("version", ["1.1", "1.2", "1.3", "1.4", "2.0"])
def test_versions(version: str) -> None:
    file = made_by_others(version=version)
    file.title, file.notes = "Café", "Noté"
    puzzle = read_bytes(file.tobytes(), ".puz")
    assert (puzzle.title, puzzle.notes) == ("Café", "Noté")
    assert puzzle.symmetry is Symmetry.ROTATION_180


def test_windows_quotes_in_a_latin_1_file() -> None:
    file = made_by_others()
    file.title = b"\x93Quoted\x94 \x96 it\x92s".decode("latin-1")
    assert read_bytes(file.tobytes()).title == "“Quoted” – it’s"


def test_terminal_escapes_in_a_clue_are_removed() -> None:
    file = made_by_others()
    file.clues[0] = "\x1b]0;owned\x07harmless\x1b[2J"
    assert "harmless" in clue_texts(read_bytes(file.tobytes())).values()


def test_lower_case_and_accents_in_the_solution() -> None:
    assert grid_to_text(read_bytes(made_by_others("abcdÉfghi").tobytes()).grid) == "ABC\nDÉF\nGHI"


def deviations(file: puz.Puzzle | bytes, key: str = "") -> dict[Deviation, tuple[str, ...]]:
    """Return the deviations of a file as read, with their places."""
    data = file if isinstance(file, bytes) else file.tobytes()
    return {each.deviation: each.places for each in parse_bytes(data, ".puz", ReadOptions(key=key)).warnings}


def test_a_symbol_in_the_solution_is_spelled_out_and_reported() -> None:
    file = made_by_others("ABCD&F$HI")
    assert grid_to_text(read_bytes(file.tobytes()).grid) == "ABC\nD[AND]F\n[DOLLAR]HI"
    assert deviations(file) == {Deviation.SQUARES: ("r2c2", "r3c1")}
    with pytest.raises(PuzzleFormatError, match=r"refused by --strict: .*r2c2 '&' as \[AND\]"):
        parse_bytes(file.tobytes(), ".puz", ReadOptions(strict=True))


def test_a_rebus_with_a_slash_reads_two_ways() -> None:
    file = made_by_others()
    file.rebus().add_rebus_squares(4, "IE/EI")
    assert read_bytes(file.tobytes()).grid[Position(1, 1)].content == Content("IE", "EI")


def test_a_rebus_key_without_a_string_uses_its_letter() -> None:
    file = made_by_others()
    file.extensions[puz.Extensions.Rebus] = bytes([0, 0, 0, 0, 7, 0, 0, 0, 0])
    file.extensions[puz.Extensions.RebusSolutions] = b" 0:HEART;"
    assert read_bytes(file.tobytes()).grid[Position(1, 1)].content == Content.of("E")


@pytest.mark.parametrize("table", [b"x:HEART;", b"\xff\xfe:;", b" 0:\xc9T\xc9;"])
def test_without_a_valid_rebus_table_squares_have_one_letter(table: bytes) -> None:
    file = made_by_others(version="2.0")
    file.extensions[puz.Extensions.Rebus] = bytes([0, 0, 0, 0, 1, 0, 0, 0, 0])
    file.extensions[puz.Extensions.RebusSolutions] = table
    assert deviations(file)[Deviation.LEFT_OUT] == ("the rebus table",)
    assert grid_to_text(read_bytes(file.tobytes()).grid) == "ABC\nDEF\nGHI"


def test_marks_beyond_the_grid_are_handled() -> None:
    file = made_by_others()
    file.extensions[puz.Extensions.Markup] = b"\x80" * 20
    assert all(square.circle for square in read_bytes(file.tobytes()).grid.squares)


def test_solver_progress_and_unknown_extensions_are_dropped() -> None:
    file = made_by_others()
    file.fill = "Q" * 9
    file.extensions[b"LTIM"] = b"12,1"
    file.extensions[b"XYZZ"] = b"?"
    puzzle = read_bytes(file.tobytes())
    assert grid_to_text(puzzle.grid) == "ABC\nDEF\nGHI"
    assert puz.load(puzzle_bytes(puzzle, ".puz").data).extensions == {}


def test_a_diagramless_has_blocks() -> None:
    file = made_by_others("AB:DEFGHI", clues=6)
    file.puzzletype = puz.PuzzleType.Diagramless
    assert grid_to_text(read_bytes(file.tobytes()).grid) == "AB#\nDEF\nGHI"


def test_a_missing_solution_gives_empty_squares() -> None:
    file = made_by_others("XX.XXXXXX")
    file.solution_state = puz.SolutionState.NotProvided
    assert grid_to_text(read_bytes(file.tobytes()).grid) == "..#\n...\n..."


ANSWERS = "OATERTINES.TSEA"


def test_a_locked_solution_is_omitted_and_reported() -> None:
    file = made_by_others()
    file.lock_solution(1234)
    assert grid_to_text(read_bytes(file.tobytes()).grid) == "...\n...\n..."
    assert deviations(file) == {Deviation.LOCKED: ("all squares",)}


def test_a_key_unlocks_a_solution_and_a_wrong_one_is_refused() -> None:
    file = made_by_others("ABCDEF.HI")
    file.lock_solution(1234)
    puzzle, warnings = parse_bytes(file.tobytes(), ".puz", ReadOptions(key="1234"))
    assert (grid_to_text(puzzle.grid), warnings) == ("ABC\nDEF\n#HI", ())
    with pytest.raises(PuzzleFormatError, match="the key 4321 does not unlock"):
        parse_bytes(file.tobytes(), ".puz", ReadOptions(key="4321"))
    for key in ("123", "12345", "all", "١٢٣٤"):
        with pytest.raises(PuzzleFormatError, match="a key is four digits"):
            ReadOptions(key=key)


@pytest.mark.parametrize("key", [1000, 1009, 5937, 9999])
def test_any_key_is_recovered(key: int) -> None:
    solution = ANSWERS * 5
    entries = sum(map(len, puz.get_grid_numbering(solution, 15, 5)))
    file = made_by_others(solution, 15, clues=entries)
    file.lock_solution(key)
    puzzle, warnings = parse_bytes(file.tobytes(), ".puz", ReadOptions(strict=True, key=ANY_KEY))
    assert grid_to_text(puzzle.grid).replace("\n", "").replace("#", ".") == solution
    assert [each.deviation for each in warnings] == [Deviation.KEY_FOUND]
    assert warnings[0].places[0].startswith(str(key))


def test_the_batch_key_search_agrees_with_puzpy() -> None:
    file = made_by_others("OATENABC.")
    file.lock_solution(2718)
    one_by_one = [key for key in range(2500, 3000) if puz.load(file.tobytes()).unlock_solution(key)]
    assert 2718 in one_by_one
    assert sorted(key for key in fitting_keys(file) if 2500 <= key < 3000) == one_by_one


def test_solutions_that_no_key_unlocks() -> None:
    file = made_by_others("ABCDEFGHI")
    file.lock_solution(1234)
    file.solution = "ABCD1FGHI"
    assert deviations(file) == {Deviation.LOCKED: ("all squares",)}
    for key in ("any", "1234"):
        with pytest.raises(PuzzleFormatError, match="unlock"):
            parse_bytes(file.tobytes(), ".puz", ReadOptions(key=key))


@pytest.mark.parametrize("place", [0, 0x0E, 0x10])
def test_a_wrong_checksum_is_reported(place: int) -> None:
    data = bytearray(made_by_others().tobytes())
    data[place] ^= 0x01
    assert Deviation.CHECKSUMS in deviations(bytes(data))
    assert grid_to_text(read_bytes(bytes(data), ".puz").grid) == "ABC\nDEF\nGHI"
    with pytest.raises(PuzzleFormatError, match="--strict: checksums do not match"):
        parse_bytes(bytes(data), ".puz", ReadOptions(strict=True))


def test_text_falsely_declared_as_utf_8() -> None:
    file = made_by_others()
    file.title = "Café"
    data = file.tobytes().replace(b"1.3", b"2.0", 1)
    assert read_bytes(data).title == "Café"
    assert Deviation.ENCODING in deviations(data)


def test_a_file_truncated_after_its_grid() -> None:
    data = made_by_others().tobytes()
    told = deviations(data[: data.index(b"clue 3")])
    assert told[Deviation.LEFT_OUT] == (
        "clues, notes and any rebus squares and circles, where the file is cut off",
    )
    assert "clue 2" in clue_texts(read_bytes(data[: data.index(b"clue 3")])).values()


@pytest.mark.parametrize(
    ("end", "lost"),
    [
        (b"The Title", "title, author, copyright, clues, notes and any rebus squares and circles"),
        (b"The Author", "author, copyright, clues, notes and any rebus squares and circles"),
        (b"The Notes", "notes and any rebus squares and circles"),
        (b"GRBS", "the rebus squares, and any circles"),
    ],
)
def test_everything_lost_in_a_truncated_file_is_named(end: bytes, lost: str) -> None:
    puzzle = puzzle_of_grid(grid_from_text("AB[HEART]\nDEF\n[HEART]HI"))
    puzzle = replace(puzzle, title="The Title", author="The Author", notes="The Notes")
    data = puzzle_bytes(puzzle, ".puz").data
    cut = data[: data.index(end) + len(end) + (8 if end == b"GRBS" else -1)]
    assert deviations(cut)[Deviation.LEFT_OUT] == (f"{lost}, where the file is cut off",)


@pytest.mark.parametrize("length", [1, 4, 7])
def test_a_file_truncated_in_an_extension_header(length: int) -> None:
    data = puzzle_bytes(puzzle_of_grid(grid_from_text(FILLED)), ".puz").data
    told = deviations(data[: data.index(b"GRBS") + length])
    assert told == {Deviation.LEFT_OUT: ("any rebus squares and circles, where the file is cut off",)}
    assert not deviations(data + b"\r\n")


@pytest.mark.parametrize(
    ("kept", "lost"),
    [
        ("GRBS", ("the rebus of r1c3", "the rebus of r3c1")),
        ("RTBL", ("the rebus squares of HEART, CLUB, whose places the file lacks",)),
        ("RTBL GEXT", ("the rebus squares of HEART, CLUB, whose places the file lacks",)),
        ("GRBS RTBL", ()),
        ("", ()),
    ],
)
def test_missing_sections_are_reported_as_far_as_detectable(kept: str, lost: tuple[str, ...]) -> None:
    """Whole sections may be missing without a trace; missing circles or both tables cannot be detected."""
    puzzle = puzzle_of_grid(grid_from_text("AB[HEART]\nDEF\n[CLUB]HI"))
    circled = replace(puzzle.grid[CENTER], circle=True)
    data = puzzle_bytes(replace(puzzle, grid=puzzle.grid.with_squares({CENTER: circled})), ".puz").data
    begins = [data.index(code) for code in (b"GRBS", b"RTBL", b"GEXT")]
    sections = [data[begin:end] for begin, end in zip(begins, [*begins[1:], None], strict=True)]
    cut = data[: begins[0]] + b"".join(one for one in sections if one[:4].decode() in kept)
    assert deviations(cut).get(Deviation.LEFT_OUT, ()) == lost


def test_a_rebus_square_missing_from_the_table_is_reported() -> None:
    file = made_by_others()
    file.rebus().add_rebus_squares(2, "HEART")
    file.rebus().add_rebus_squares(6, "CLUB")
    data = file.tobytes()
    file = puz.Puzzle()
    file.load(data)
    file.extensions[b"RTBL"] = b" 0:HEART;"
    assert deviations(file) == {Deviation.LEFT_OUT: ("the rebus of r3c1",)}


CENTER = Position(1, 1)


def test_a_clue_count_that_differs_from_the_entries() -> None:
    assert deviations(made_by_others(clues=5)) == {Deviation.CLUE_COUNT: ("5 clues for 6 entries",)}
    file = made_by_others(clues=7)
    assert deviations(file)[Deviation.UNPLACED] == ("?A",)
    puzzle = read_bytes(file.tobytes())
    assert len(clue_texts(puzzle)) == 6
    assert ["?", "A", "clue 6"] in json.loads(puzzle_bytes(puzzle, ".ipuz").data)["net.xwtui:unplaced-clues"]


def test_a_preamble_before_the_puzzle_is_skipped() -> None:
    assert read_bytes(b"Subject: puzzle\r\n" + made_by_others().tobytes()).clues


def test_other_files_and_huge_ones() -> None:
    with pytest.raises(PuzzleFormatError, match=r"not a \.puz file"):
        read_bytes(b"hello", ".puz")
    with pytest.raises(PuzzleFormatError, match=r"larger than a .puz"):
        read_bytes(made_by_others().tobytes() + b"\0" * 1_200_000, ".puz")
    with pytest.raises(PuzzleFormatError, match="3x3 to 40x40"):
        read_bytes(made_by_others("A" * 41 * 3, width=41, clues=44).tobytes())


LETTERS = st.sampled_from(SYMBOLS + "abz.:-?&\xc9")


@st.composite
def files(draw: st.DrawFn) -> bytes:
    """Files with correct checksums and arbitrary contents."""
    width, height = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    solution = "".join(draw(st.lists(LETTERS, min_size=width * height, max_size=width * height)))
    file = made_by_others(solution, width)
    file.set_version(draw(st.sampled_from(["1.0", "1.2", "1.3", "1.4"])))
    entries = sum(map(len, puz.get_grid_numbering(solution, width, height)))
    latin = st.text(st.characters(max_codepoint=255, exclude_characters="\0"), max_size=12)
    clue_count = draw(st.sampled_from([entries, entries, entries, entries + 1, 0]))
    file.clues = draw(st.lists(latin, min_size=clue_count, max_size=clue_count))
    file.title, file.notes = draw(latin), draw(latin)
    file.puzzletype = draw(st.sampled_from([0x0001, 0x0401, 0xFFFF]))
    file.solution_state = draw(st.sampled_from([0, 0, 0, 2, 4, 0xFFFF]))
    table = st.binary(max_size=width * height + 2)
    strings = st.lists(st.sampled_from([b" 0:HEART;", b"1:x/o;", b"2:;", b"x", b"3:\xff;", b"-1:A;"])).map(
        b"".join
    )
    file.extensions = draw(
        st.fixed_dictionaries({}, optional={b"GRBS": table, b"RTBL": strings, b"GEXT": table, b"LTIM": table})
    )
    data: bytes = file.tobytes()
    return data


@given(files())
def test_any_file_with_correct_checksums_is_read_or_refused(data: bytes) -> None:
    try:
        puzzle = read_bytes(data, ".puz")
    except PuzzleFormatError as error:
        message = str(error)
    else:
        message = "read"
        suffix = ".puz" if grid_to_text(puzzle.grid).isascii() else ".utf8.puz"
        grid = puzzle.grid
        voids = {at: BLOCK for at in grid.positions() if grid[at].kind is Kind.VOID}
        assert read_bytes(puzzle_bytes(puzzle, suffix, lossy=True).data).grid == grid.with_squares(voids)
    assert message.isprintable()
    assert "checksum" not in message


def test_a_checksum_that_looks_like_json_is_not_mistaken() -> None:
    """One file in 256 has one, and only its other bytes show what it is."""
    words = map("".join, permutations("ABCDEFGHI"))
    files = (made_by_others(word).tobytes() for word in words)
    data = next(data for data in files if data.startswith(b"{"))
    assert read_bytes(data).grid == read_bytes(data, ".puz").grid


@pytest.mark.parametrize(("kind", "text"), [(0x0001, "AB_\nC#D\nEFG"), (0x0401, "AB#\nC#D\nEFG")])
def test_hidden_squares_are_voids_except_in_a_diagramless(kind: int, text: str) -> None:
    file = made_by_others("AB:C.DEFG" if kind == 1 else "AB:C:DEFG", 3)
    file.puzzletype = kind
    assert grid_to_text(read_bytes(file.tobytes(), ".puz").grid) == text


@pytest.mark.parametrize(
    ("marks", "circles", "left_out"),
    [
        (b"\0\0\x80\0\0\0\0\x80", ["r1c3", "r3c3"], "which rebus squares have a circle"),
        (b"\0\0\x80\0\0\0\0", [], "the circles"),
        (b"\0\0\x80\0\0\0\0\0\x80\0", ["r1c3", "r3c3"], ""),
    ],
)
def test_too_short_circle_tables_misplace_no_circle(marks: bytes, circles: list[str], left_out: str) -> None:
    """Pypuz omits rebus squares from the list. If other squares are missing, nobody knows which."""
    file = made_by_others()
    file.rebus().add_rebus_squares(3, "HEART")
    file.extensions[b"GEXT"] = marks
    file._extensions_order.append(b"GEXT")
    puzzle, warnings = parse_bytes(file.tobytes(), ".puz")
    assert [str(at) for at in puzzle.grid.positions() if puzzle.grid[at].circle] == circles
    assert [place for warning in warnings for place in warning.places] == [left_out] * bool(left_out)


def test_a_truncated_rebus_string_keeps_its_letter_and_is_reported_before_the_checksum() -> None:
    puzzle = puzzle_of_grid(grid_from_text("AB[HEART]\nC#D\nEFG"))
    data = puzzle_bytes(puzzle, ".puz").data
    read = parse_bytes(data[:-3], ".puz")
    assert read.puzzle.grid[Position(0, 2)].content == Content.of("H")
    assert [warning.words for warning in read.warnings] == [
        "parts that cannot be read were left out: the rebus of r1c3",
        "checksums do not match, so the file may be damaged; check it: that of the extension RTBL",
    ]

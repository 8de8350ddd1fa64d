"""Sample puzzles are publishable, and every template is what its name says."""

import itertools
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import puz
import pytest

from bench.kinds import KINDS
from tests.known import known
from tests.naive.layouts import naive_shortfalls
from tests.shell.process import user_folders, xwtui
from xwtui.engine.events.event import Outcome
from xwtui.engine.fill.filler import Filler
from xwtui.engine.problem.problem import Problem
from xwtui.formats.grid_text import grid_from_text, grid_to_text, puzzle_of_grid
from xwtui.formats.registry import puzzle_bytes, read_bytes, read_puzzle, write_puzzle
from xwtui.grids.library import bare, pattern_key
from xwtui.grids.profiles import find_profile
from xwtui.grids.templates import template_files, template_grid
from xwtui.model import Content, Direction, Grid, Ink, Kind, Position, Puzzle, Slot, Symmetry, WordChoice
from xwtui.model.review import Check, review
from xwtui.resources import puzzles_folder
from xwtui.session.verbs.review import findings_of
from xwtui.words.alphabets import find_alphabet
from xwtui.words.lexicon import Lexicon
from xwtui.words.normalise import normalise
from xwtui.words.sources import load_lexicon

HALF_BUILT = puzzles_folder() / "heart-to-heart.ipuz"
FINISHED = puzzles_folder() / "finished-match-made-in-heaven.ipuz"
MINI = puzzles_folder() / "finished-mini-casual-friday.ipuz"
SAMPLES = (HALF_BUILT, FINISHED, MINI)

TRADITIONS = ("british-15x15", "latent-12x12", "swedish-11x11", "spanish-11x11")
"""Samples of docs/traditions.md, each with a script that clues it."""

DECENT_SCORE = 45
"""Well above a fill's default minimum score; 50 is what a solver would accept without complaint."""
LONGEST_CLUE = 80
NODES = 5_000
CURSEWORDS = Path(sys.executable).with_name("cursewords")


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    """The default list at the default minimum score."""
    return load_lexicon(WordChoice()).lexicon


def answers(puzzle: Puzzle) -> Iterator[tuple[Slot, str]]:
    """Yield the entries with their answers; all must be complete."""
    for slot in puzzle.grid.slots:
        answer = puzzle.grid.answer(slot)
        assert answer is not None, slot.name
        yield slot, answer


def themers(puzzle: Puzzle) -> set[str]:
    """Return the across entries with a rebus square, which in these puzzles are exactly the themers."""
    return {
        slot.name
        for slot in puzzle.grid.slots
        if slot.direction is Direction.ACROSS and any(is_rebus(puzzle, at) for at in slot.positions)
    }


def is_rebus(puzzle: Puzzle, at: Position) -> bool:
    content = puzzle.grid[at].content
    return content is not None and content.is_rebus


def test_the_readme_names_every_sample() -> None:
    text = (puzzles_folder() / "README.md").read_text(encoding="utf-8")
    for path in (*puzzles_folder().glob("*.ipuz"), *puzzles_folder().glob("*.puz")):
        assert f"`{path.name}`" in text


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_it_has_title_and_author_and_reads_back(path: Path) -> None:
    puzzle = read_puzzle(path)
    assert puzzle.title
    assert puzzle.author
    assert puzzle.copyright
    assert read_bytes(puzzle_bytes(puzzle, ".ipuz").data, ".ipuz") == puzzle


@pytest.mark.parametrize("path", [HALF_BUILT, FINISHED], ids=lambda path: path.stem)
def test_the_layout_meets_newspaper_limits(path: Path) -> None:
    puzzle = read_puzzle(path)
    assert (puzzle.grid.height, puzzle.grid.width) == (15, 15)
    assert 76 <= len(puzzle.grid.slots) <= 78
    assert sum(square.kind is Kind.BLOCK for square in puzzle.grid.squares) <= 40
    incomplete = {Check.MISSING_CLUE, Check.EMPTY} if path == HALF_BUILT else set()
    assert {finding.rule for finding in review(puzzle)} == incomplete


@pytest.mark.parametrize("path", [HALF_BUILT, FINISHED], ids=lambda path: path.stem)
def test_each_rebus_square_is_in_a_themer_and_a_down_word(path: Path) -> None:
    puzzle = read_puzzle(path)
    squares = [at for at in puzzle.grid.open_positions() if is_rebus(puzzle, at)]
    assert 4 <= len(squares) <= 5
    readings = set()
    for at in squares:
        content = known(puzzle.grid[at].content)
        assert not content.is_schroedinger
        readings.add(str(content))
        across = known(puzzle.grid.slot_at(at, Direction.ACROSS))
        assert across.name in themers(puzzle)
        down = known(puzzle.grid.slot_at(at, Direction.DOWN))
        assert len(down) >= 3
    assert len(readings) == 1


@pytest.mark.parametrize("path", [FINISHED, MINI], ids=lambda path: path.stem)
def test_an_editor_would_have_no_objections(path: Path) -> None:
    assert review(read_puzzle(path)) == ()


@pytest.mark.parametrize("path", [FINISHED, MINI], ids=lambda path: path.stem)
def test_every_answer_is_a_themer_or_a_good_word(path: Path, lexicon: Lexicon) -> None:
    puzzle = read_puzzle(path)
    theme = themers(puzzle)
    scores = {answer: lexicon.score(answer) or 0 for slot, answer in answers(puzzle) if slot.name not in theme}
    assert {answer: score for answer, score in scores.items() if score < DECENT_SCORE} == {}


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_no_clue_gives_its_answer_away(path: Path) -> None:
    puzzle = read_puzzle(path)
    for slot in puzzle.grid.slots:
        clue, answer = puzzle.clue(slot), puzzle.grid.answer(slot)
        if not clue:
            continue
        assert answer is not None
        assert len(clue) <= LONGEST_CLUE
        words = {normalise(word) for word in re.findall(r"[^\W_]+", clue)}
        assert answer not in words, clue
        assert len(answer) < 4 or answer not in normalise(clue), clue
        assert not {word for word in words if len(word) >= 4 and word in answer}, clue


@pytest.mark.parametrize("path", [FINISHED, MINI], ids=lambda path: path.stem)
def test_no_clue_is_used_twice(path: Path) -> None:
    puzzle = read_puzzle(path)
    clues = [puzzle.clue(slot).casefold() for slot in puzzle.grid.slots]
    assert len(set(clues)) == len(clues) == len(puzzle.grid.slots)


def test_the_finished_puz_and_ipuz_agree() -> None:
    native, exported = read_puzzle(FINISHED), read_puzzle(FINISHED.with_suffix(".puz"))
    assert [(square.kind, square.content) for square in exported.grid.squares] == [
        (square.kind, square.content) for square in native.grid.squares
    ]
    assert exported.clues == native.clues
    assert (exported.title, exported.author, exported.copyright) == (
        native.title,
        native.author,
        native.copyright,
    )


def test_puzpy_reads_the_finished_puz() -> None:
    puzzle, native = puz.read(str(FINISHED.with_suffix(".puz"))), read_puzzle(FINISHED)
    assert puzzle.title == native.title
    assert len(puzzle.clues) == len(native.grid.slots)
    rebus = puzzle.rebus()
    assert [rebus.get_rebus_solution(square) for square in rebus.get_rebus_squares()] == ["STAR"] * 4


@pytest.mark.skipif(shutil.which(str(CURSEWORDS)) is None, reason="needs the PyPI package cursewords")
def test_cursewords_prints_the_finished_puz() -> None:
    command = [str(CURSEWORDS), "--print", "--width", "92", str(FINISHED.with_suffix(".puz"))]
    printed = subprocess.run(command, capture_output=True, check=True, text=True, encoding="utf-8", timeout=300)
    assert "Match Made in Heaven - The xwtui authors" in printed.stdout
    assert "San José natives" in printed.stdout


def test_the_half_built_puzzle_has_a_locked_theme_and_some_crossings_in_pen() -> None:
    puzzle = read_puzzle(HALF_BUILT)
    theme = themers(puzzle)
    assert len(theme) == 4
    locked = {at for name in theme for at in puzzle.grid.slot(name).positions}
    inks = {at: puzzle.grid[at].ink for at in puzzle.grid.open_positions() if puzzle.grid[at].content}
    assert {at for at, ink in inks.items() if ink is Ink.LOCKED} == locked
    assert Ink.PEN in inks.values()
    assert Ink.PENCIL not in inks.values()
    assert all(puzzle.clue(puzzle.grid.slot(name)) for name in theme)


@pytest.mark.parametrize("seed", range(4))
def test_the_half_built_puzzle_can_be_filled(seed: int, lexicon: Lexicon) -> None:
    puzzle = read_puzzle(HALF_BUILT)
    assert puzzle.words == WordChoice()
    problem = Problem.build(puzzle.grid, lexicon)
    filler = Filler(problem, seed=seed)
    assert filler.advance(nodes=NODES) is Outcome.FILLED
    filled = filler.fill()
    for at in puzzle.grid.open_positions():
        square = puzzle.grid[at]
        assert not square.is_given or filled[at] == square.content
    assert sum(content == Content.of("HEART") for content in filled.values()) == 4
    words = list(filler.answers().values())
    assert len(set(words)) == len(words) == len(puzzle.grid.slots)
    given = {slot.name for slot in puzzle.grid.slots if puzzle.grid.answer(slot) is not None}
    for name, word in filler.answers().items():
        assert name in given or problem.task.lexicon.allows(word)


@pytest.mark.parametrize(
    ("name", "alphabet", "letters"),
    [
        ("swedish-11x11", "swedish", "ÅÄÖ"),
        ("spanish-11x11", "spanish", "Ñ"),
        ("british-15x15", "english", "BRIEF"),
    ],
)
def test_other_traditions_samples_are_full_and_as_shown_on_their_page(
    name: str, alphabet: str, letters: str
) -> None:
    puzzle = tradition(name)
    assert puzzle.alphabet == find_alphabet(alphabet)
    assert puzzle.grid.is_filled
    text = grid_to_text(puzzle.grid)
    assert set(letters) <= set(text)
    assert not puzzle.alphabet.lacks(text.replace("#", "").replace("\n", ""))
    page = puzzles_folder().parent / "docs" / "traditions.md"
    assert not page.is_file() or text in page.read_text(encoding="utf-8")


def tradition(name: str) -> Puzzle:
    return read_puzzle(puzzles_folder() / f"{name}.ipuz")


@pytest.mark.parametrize("name", TRADITIONS)
def test_other_traditions_samples_have_no_findings(name: str) -> None:
    puzzle = tradition(name)
    assert findings_of(puzzle, puzzle.profile) == ()
    assert puzzle.title
    assert all(puzzle.clue(slot) for slot in puzzle.grid.clue_slots)


@pytest.mark.parametrize("name", ["british-15x15", "latent-12x12"])
def test_samples_whose_profile_requires_enumerations_have_them(name: str) -> None:
    puzzle = tradition(name)
    told = {slot.name: puzzle.enumeration(slot) for slot in puzzle.grid.entries}
    assert None not in told.values()
    assert any("," in str(enumeration) for enumeration in told.values())


def test_the_british_sample_has_a_linked_light_and_good_words(lexicon: Lexicon) -> None:
    puzzle = tradition("british-15x15")
    linked = puzzle.grid.entry("25A")
    assert (linked.label, puzzle.answer(linked)) == ("21D,25A", "BRIEFENCOUNTER")
    assert puzzle.solver_clue(puzzle.grid.slot("25A")) == "See 21"
    answers = [puzzle.answer(slot) or "" for slot in puzzle.grid.entries]
    assert len(set(answers)) == len(answers)
    assert all((lexicon.score(answer) or 0) >= DECENT_SCORE for answer in answers)


@pytest.mark.parametrize("name", TRADITIONS)
@pytest.mark.parametrize("suffix", [".ipuz", ".jpz"])
def test_a_written_sample_reads_back(name: str, suffix: str) -> None:
    puzzle = tradition(name)
    read = read_bytes(puzzle_bytes(puzzle, suffix).data, suffix)
    assert [square.content for square in read.grid.squares] == [square.content for square in puzzle.grid.squares]
    assert read.grid.bars == puzzle.grid.bars
    assert {slot.name: read.solver_clue(slot) for slot in read.grid.slots} == {
        slot.name: puzzle.solver_clue(slot) for slot in puzzle.grid.slots
    }


def test_the_latent_sample_obeys_its_rule_and_is_as_shown(lexicon: Lexicon) -> None:
    """Its answers are different words, and the letters that they drop spell the message."""
    puzzle = tradition("latent-12x12")
    template = read_puzzle(puzzles_folder() / "templates" / "barred-12x12-01.ipuz")
    assert puzzle.grid.bars == template.grid.bars
    assert all(map(lexicon.allows, puzzle.answers.values()))
    assert len(puzzle.entered) == len("MINDTHEGAP")
    page = puzzles_folder().parent / "docs" / "traditions.md"
    if page.is_file():
        text = page.read_text(encoding="utf-8")
        assert "".join(f"{line}\n" for line in solution_rows(puzzle)) in text
        assert 'latent drop --spell "MIND THE GAP"' in text
        told = [told for told in puzzle.entered.values() if f"{told.answer} is entered as {told.entered}" in text]
        assert told


def solution_rows(puzzle: Puzzle) -> list[str]:
    return ["".join(str(square.content) for square in row) for row in puzzle.grid.rows()]


@pytest.mark.parametrize("name", TRADITIONS)
def test_a_samples_script_writes_everything_except_the_fill(name: str, tmp_path: Path) -> None:
    """Run on the sample without its clues, it recreates the sample byte for byte."""
    script = puzzles_folder().parent / "docs" / "samples" / f"{name}.txt"
    if not script.is_file():
        pytest.skip("the page and its scripts are not installed")
    sample = tradition(name)
    bare = replace(sample, clues={}, title="", author="", notes="")
    write_puzzle(tmp_path / f"{name}.ipuz", bare)
    done = xwtui("run", script, environment=user_folders(tmp_path / "home"), folder=tmp_path)
    assert done.returncode == 0, done.stderr
    written = (tmp_path / f"{name}.ipuz").read_bytes()
    assert written == (puzzles_folder() / f"{name}.ipuz").read_bytes()


TEMPLATES = sorted((puzzles_folder() / "templates").glob("*.txt"))
LAYOUT_RULES = {Check.UNCHECKED, Check.TWO_LETTERS, Check.DISCONNECTED, Check.SYMMETRY}

WORDS_ALLOWED = {"15x15": range(72, 79), "21x21": range(138, 143)}
"""Numbers of entries that American newspapers accept, by size: daily and Sunday."""


def template(name: str) -> Grid:
    return grid_from_text((puzzles_folder() / "templates" / f"{name}.txt").read_text())


def american() -> list[Path]:
    return [path for path in TEMPLATES if path.stem.partition("-")[0] in WORDS_ALLOWED]


def test_there_are_many_of_every_kind() -> None:
    few = {kind.name: len(kind.templates()) for kind in KINDS if len(kind.templates()) < kind.fewest}
    assert few == {}


def test_every_template_is_of_one_kind() -> None:
    of_a_kind = [path for kind in KINDS for path in kind.templates()]
    assert sorted(of_a_kind) == TEMPLATES


def test_templates_are_unique_up_to_symmetry() -> None:
    """Only word rectangles occur in both orientations."""
    first: dict[str, str] = {}
    for path in TEMPLATES:
        alike = {first.get(form, path.stem) for form in forms(path.read_text().split())}
        assert alike == {path.stem}
        first[path.read_text()] = path.stem


def forms(rows: list[str]) -> set[str]:
    """Return a pattern's rotations and mirror images that have its width."""
    mirrored = [row[::-1] for row in rows]
    upright = [rows, rows[::-1], mirrored, mirrored[::-1]]
    lying = [["".join(column) for column in zip(*form, strict=True)] for form in upright]
    kept = upright + lying if len(rows) == len(rows[0]) else upright
    return {"\n".join(form) + "\n" for form in kept}


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.stem)
def test_the_name_states_the_size(path: Path) -> None:
    grid = template(path.stem)
    assert f"{grid.height}x{grid.width}" in path.stem


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.stem)
def test_it_is_an_empty_rotational_pattern(path: Path) -> None:
    puzzle = puzzle_of_grid(template(path.stem))
    assert puzzle.symmetry is Symmetry.ROTATION_180
    assert all(square.content is None for square in puzzle.grid.squares)
    assert path.read_text().endswith("\n")


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.stem)
def test_an_editor_would_not_object_to_the_layout(path: Path) -> None:
    puzzle = puzzle_of_grid(template(path.stem))
    rules = {finding.rule for finding in review(puzzle)} & LAYOUT_RULES
    assert rules == ({Check.UNCHECKED} if path.stem.startswith("british") else set())


@pytest.mark.parametrize("path", american(), ids=lambda path: path.stem)
def test_american_templates_meet_newspaper_limits(path: Path) -> None:
    grid = template(path.stem)
    assert len(grid.slots) in WORDS_ALLOWED[path.stem.partition("-")[0]]
    blocks = sum(square.kind is Kind.BLOCK for square in grid.squares)
    assert blocks / len(grid.squares) <= 0.18
    assert min(len(slot) for slot in grid.slots) >= 3


@pytest.mark.parametrize("path", american(), ids=lambda path: path.stem)
def test_american_templates_have_room_for_a_theme(path: Path) -> None:
    long_slots = [slot for slot in template(path.stem).slots if len(slot) >= 8]
    assert len(long_slots) >= 2


@pytest.mark.parametrize("path", american(), ids=lambda path: path.stem)
def test_no_single_block_would_disconnect_the_grid(path: Path) -> None:
    """Constructors want flow: no single square connects two parts of the grid."""
    squares = set(template(path.stem).open_positions())
    for position in squares:
        assert is_connected(squares - {position}), f"{position} is the only way between two parts"


def is_connected(squares: set[Position]) -> bool:
    reached: set[Position] = set()
    border = {next(iter(squares))}
    while border:
        reached |= border
        border = {
            neighbour
            for row, column in border
            for neighbour in (
                Position(row + 1, column),
                Position(row - 1, column),
                Position(row, column + 1),
                Position(row, column - 1),
            )
            if neighbour in squares and neighbour not in reached
        }
    return reached == squares


def named(beginning: str) -> list[str]:
    return [path.stem for path in TEMPLATES if path.stem.startswith(beginning)]


@pytest.mark.parametrize("name", named("themeless"))
def test_themeless_templates_have_at_most_seventy_words(name: str) -> None:
    assert 66 <= len(template(name).slots) <= 70


@pytest.mark.parametrize("name", named("wide-open"))
def test_wide_open_templates_have_few_words_and_few_blocks(name: str) -> None:
    grid = template(name)
    assert 62 <= len(grid.slots) <= 66
    assert sum(square.kind is Kind.BLOCK for square in grid.squares) <= 32
    assert max(len(slot) for slot in grid.slots) <= 12


@pytest.mark.parametrize("name", named("square"))
def test_word_squares_have_no_blocks(name: str) -> None:
    assert all(square.kind is Kind.OPEN for square in template(name).squares)


def test_a_large_sunday_grid_is_among_them() -> None:
    assert 142 in {len(template(name).slots) for name in named("21x21")}


@pytest.mark.parametrize("name", named("british"))
def test_a_british_lattice_checks_half_of_each_entry_without_adjacent_unchecked_squares(name: str) -> None:
    grid = template(name)
    assert len(grid.slots) in (range(28, 33) if grid.height == 15 else range(20, 27))
    for slot in grid.slots:
        checked = [grid.slot_at(position, slot.direction.other) is not None for position in slot.positions]
        assert 2 * sum(checked) >= len(slot) >= 4
        assert all(here or following for here, following in itertools.pairwise(checked))


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.stem)
def test_the_readme_describes_it_correctly(path: Path) -> None:
    grid = template(path.stem)
    blocks = sum(square.kind is Kind.BLOCK for square in grid.squares)
    mean_length = sum(len(slot) for slot in grid.slots) / len(grid.slots)
    row = f"| `{path.stem}` | {len(grid.slots)} | {blocks} | {mean_length:.2f} |"
    assert row in (puzzles_folder() / "README.md").read_text()


BARRED = [path for path in template_files() if path.suffix == ".ipuz"]


def test_a_dozen_barred_templates_of_each_usual_size_are_shipped() -> None:
    sizes = Counter(path.stem.rpartition("-")[0] for path in BARRED)
    assert sizes == {"barred-12x12": 12, "barred-13x13": 12}
    assert len({pattern_key(template_grid(path)) for path in BARRED}) == len(BARRED)


@pytest.mark.parametrize("path", BARRED, ids=lambda path: path.stem)
def test_a_barred_template_is_legal_and_empty(path: Path) -> None:
    puzzle = read_puzzle(path)
    assert (
        naive_shortfalls(puzzle.grid, replace(find_profile("barred"), symmetries=(Symmetry.ROTATION_180,)))
        == set()
    )
    assert puzzle.grid == bare(template_grid(path))
    assert (puzzle.profile, puzzle.symmetry) == ("barred", Symmetry.ROTATION_180)
    assert f"{puzzle.grid.height}x{puzzle.grid.width}" in path.stem

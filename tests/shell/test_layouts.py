"""Layouts, questions, candidates, swaps and edits as commands."""

import json
from collections.abc import Mapping
from functools import partial
from pathlib import Path

import pytest

from tests.shell.conftest import Run, Told
from tests.shell.process import Terminal, xwtui
from xwtui.formats.grid_text import grid_from_text, puzzle_of_grid
from xwtui.formats.registry import read_puzzle, write_puzzle
from xwtui.interrupts import Exit
from xwtui.model import Ink, Puzzle


def test_layouts_go_to_a_folder(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "layouts"
    done = run("layouts", "--size", "7x7", "--count", "3", "--json", "-o", out, status=Exit.OK)

    document = json.loads(done.stdout)
    assert document["profile"] == "mini"
    grids = [read_puzzle(path).grid for path in sorted(out.iterdir())]
    assert [len(grid.slots) for grid in grids] == [one["words"] for one in document["layouts"]]


def test_an_existing_folder_gets_new_files_and_keeps_its_own(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "layouts"
    out.mkdir()
    asked = ("layouts", "7x7", "--count", "2")
    told = run(*asked).stdout
    assert "-o FOLDER" in told
    assert "layouts take" not in told, "the shell has none"
    done = run(*asked, "-o", f"{out}/", status=Exit.OK)
    assert done.stdout.splitlines()[-1] == f"2 files written to {out}: 7x7-01.txt, 7x7-02.txt"
    before = {path: path.read_bytes() for path in out.iterdir()}
    (out / "7x7-03.txt").write_text("of somebody else")
    more = run(*asked, "--seed", "5", "-o", out, "--json")
    assert json.loads(more.stdout)["files"] == [str(out / "7x7-04.txt"), str(out / "7x7-05.txt")]
    assert {path: path.read_bytes() for path in before} == before
    assert len(list(out.iterdir())) == 5


def test_barred_layouts_keep_their_bars_in_files_and_json(run: Run, tmp_path: Path) -> None:
    asked = ("layouts", "10x10", "--profile", "barred", "--count", "1", "--json", "-o", tmp_path / "out")
    done = run(*asked, status=Exit.OK)
    (told,) = json.loads(done.stdout)["layouts"]
    puzzle = read_puzzle(tmp_path / "out" / "10x10-01.ipuz")
    assert [[str(bar.first), str(bar.second)] for bar in sorted(puzzle.grid.bars)] == told["bars"]
    assert (puzzle.profile, len(puzzle.grid.slots)) == ("barred", told["words"])
    for refused in (("layouts", "breed", "12x12"), ("design", "--size", "12x12", "HEART")):
        assert "has bars" in run(*refused, "--profile", "barred").stderr


def test_designs_go_to_a_folder(told: Told, tmp_path: Path) -> None:
    out = tmp_path / "designs"
    asked = ("BRAVEHEART", "KINDRED", "HEARTTHROB", "--count", "1", "--quick", "--time", "0", "--threads", "1")
    document = told("design", *asked, "-o", out)
    assert document["files"] == [str(out / "design-01.ipuz")]
    one = document["designs"][0]
    grid = read_puzzle(out / "design-01.ipuz").grid
    assert grid.is_filled
    assert {name: grid.answer(grid.slot(name)) for name in one["themers"]} == one["themers"]


def test_the_status_shows_that_no_layout_is_possible(run: Run) -> None:
    run("design", "A" * 16, status=Exit.IMPOSSIBLE)
    swedish = run("design", "Å" * 16, "--alphabet", "swedish", status=Exit.IMPOSSIBLE)
    assert "lacks" not in swedish.stderr
    assert "Å" * 16 in swedish.stdout
    assert "English lacks Å, written A" in run("design", "Å" * 16).stderr


def test_a_command_that_prefixes_others_takes_its_own_options(
    environment: Mapping[str, str], tmp_path: Path
) -> None:
    here = {**environment, "XDG_DATA_HOME": str(tmp_path / "data")}
    drawn = xwtui("layouts", "7x7", "--profile", "mini", "--count", "2", "--keep", "--json", environment=here)
    assert json.loads(drawn.stdout)["kept"] == ["mini-7x7-01", "mini-7x7-02"]
    folder = tmp_path / "puzzles"
    folder.mkdir()
    write_puzzle(folder / "eight.ipuz", Puzzle.blank(8, 9))
    taken = xwtui("layouts", "import", str(folder), "--json", environment=here)
    assert json.loads(taken.stdout)["added"] == ["eight"]
    assert "import" in xwtui("layouts", "--help", environment=here).stdout
    xwtui("layouts", "drop", "nothing", environment=here, status=Exit.BAD_INPUT)
    listed = json.loads(xwtui("templates", "mine", "--json", environment=here).stdout)["templates"]
    assert {one["name"] for one in listed} == {"mini-7x7-01", "mini-7x7-02", "eight"}


def test_templates_with_room_for_theme_answers(run: Run) -> None:
    answers = "LO[CAT]IONSCOUT,DOGCATCHERS,11,11"
    asked = ("--size", "15x15", "--max-words", "76", "--blocks", "36", "--across", answers)
    done = run("templates", *asked, "--json", status=Exit.OK)
    document = json.loads(done.stdout)
    assert document["schema"] == 1
    assert document["fitting"] == len(document["templates"]) > 0
    for one in document["templates"]:
        assert (one["height"], one["width"], one["fits"]) == (15, 15, True)
        assert [entry["squares"] for entry in one["across"]] == [11] * 4
        assert one["words"] <= 76
        assert one["blocks"] <= 36
    told = run("templates", "15x15", "11,11,11,11", "<=76", "<=36b")
    assert told.stdout.splitlines()[0].startswith(f"{document['fitting']} template")


def test_the_nearest_templates_list_what_they_lack(run: Run) -> None:
    done = run("templates", "15x15", "11,11,14", "--limit", "2", status=Exit.IMPOSSIBLE)
    assert "the nearest are" in done.stdout
    assert "no symmetric entry for 14 across" in done.stdout
    assert "`design …` makes grids around them" in done.stdout.splitlines()[0]
    done = run("templates", "15x15", "<60", "--limit", "1")
    assert "design" not in done.stdout, "that is about words alone"


def test_theme_answers_are_placed_and_locked(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "theme.ipuz"
    line = ("theme", "answers", "LO[CAT]ION SCOUT, DOGCATCHERS, 15x15")
    document = json.loads(run(*line, "--json", "-o", out).stdout)
    assert {one["answer"] for one in document["theme"]} == {"LO[CAT]IONSCOUT", "DOGCATCHERS"}
    grid = read_puzzle(out).grid
    for one in document["theme"]:
        slot = grid.slot(one["entry"])
        assert grid.answer(slot) == one["answer"].replace("[", "").replace("]", "")
        assert all(grid[at].ink is Ink.LOCKED for at in slot.positions)
    other = document["others"][0]
    told = run(*line, "--template", other)
    assert f"{other}, 15×15" in told.stderr


def test_theme_answers_use_the_given_alphabet(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "theme.ipuz"
    line = ("theme", "answers", "ångströmsenhets 15x15", "--alphabet", "swedish", "-o", out)
    done = run(*line)
    assert (done.returncode, done.stderr) == (Exit.OK, "")
    puzzle = read_puzzle(out)
    assert puzzle.alphabet.name == "swedish"
    assert "ÅNGSTRÖMSENHETS" in {puzzle.grid.answer(slot) for slot in puzzle.grid.slots}


def test_a_size_other_than_the_daily_one_is_reported_first(run: Run) -> None:
    answers = "BRAVEHEART, HEARTTHROB, KINDRED"
    done = run("theme", "answers", answers, status=Exit.OK)
    first = done.stderr.splitlines()[0]
    assert first == "no 15×15 template fits them, but a 19×19 one does; `design …` makes grids around them"
    done = run("theme", "answers", f"{answers} 15x15", status=Exit.BAD_INPUT)
    done = run("theme", "answers", f"{answers} 19x19")
    assert "design" not in done.stderr, "that size was asked for"


@pytest.mark.parametrize(
    ("asked", "is_said"), [("21", True), ("21 <72", True), ("14", False), ("21,21", False), ("21x21", False)]
)
def test_a_number_is_distinguished_from_a_size(run: Run, asked: str, is_said: bool) -> None:
    first = run("templates", *asked.split()).stdout.splitlines()[0]
    assert ("21 is the length of a theme answer; use `21x21` for the size" in first) is is_said


def test_bars_of_a_template_with_theme_answers(run: Run) -> None:
    asked = ("theme", "answers", "HEART, LATIN", "--template", "barred-12x12-01", "--json")
    found = json.loads(run(*asked).stdout)
    assert found["grid"].startswith("HEART")
    assert found["bars"][0] == ["r1c3", "r2c3"]


TEMPLATE = Path(__file__).parents[2] / "puzzles" / "templates" / "15x15-01.txt"


def test_whatif_blocks(run: Run, tmp_path: Path) -> None:
    grid = Path(__file__).parents[2] / "puzzles" / "templates" / "9x9-01.txt"
    done = run("whatif", grid, "blocks", "--time", "0", "--json", status=0)
    found = json.loads(done.stdout)
    assert set(found) == {"schema", "complete", "seconds", "changes"}
    best = found["changes"][0]
    assert best["fillability"] == "filled"
    assert best["added"] or best["removed"]
    assert best["log10"] > 0
    told = run("whatif", grid, "blocks", "--max-words", "20", "--time", "0")
    assert " possible: " in told.stdout.splitlines()[0]


def test_ctrl_c_prints_results_so_far(environment: Mapping[str, str]) -> None:
    """Six four-letter answers can be placed in more ways than anyone would wait for."""
    answers = ("AREA", "IDEA", "OREO", "ALOE", "EASE", "IRIS")
    with Terminal("whatif", TEMPLATE, "themers", *answers, "--time", "0", environment=environment) as terminal:
        terminal.expect("tried so far")
        terminal.interrupt()
        terminal.expect("   1. ")
        terminal.expect("not finished after")
        terminal.expect("stopped by Ctrl+C")
        assert terminal.end() == 130
    assert "Traceback" not in terminal.seen


def test_a_script_waits_for_its_questions(run: Run, tmp_path: Path, words: Path) -> None:
    script = tmp_path / "script.txt"
    script.write_text(
        f"new 3 3\nwords {words}\nset r1c1 X\nwhy\nfollow 1\nheat\nfindings\nwhatif blocks\nset 1A\n"
    )
    done = run("run", script)
    told = done.stdout.splitlines()
    assert "the grid cannot be filled: 1 conflict" in told
    assert "done: change X at r1c1 to A" in told
    assert sum(line.startswith("hardest: ") for line in told) == 2
    assert "no block can change" in told


def test_repeats_of_a_candidate_are_named(run: Run, tmp_path: Path) -> None:
    """Including rebus squares of the other answer; the entry's own answer does not count."""
    grid, words = tmp_path / "grid.txt", tmp_path / "words.txt"
    grid.write_text("LO[CAT]ION\n######\n......\n######\nSTONES\n")
    words.write_text("LOCATE;60\nSTONED;50\nPLANET;40\nSTONES;50\n")
    asked = ("candidates", grid, "2A", "--words", words)
    done = run(*asked, "--json")
    repeats = {one["word"]: one["repeats"] for one in json.loads(done.stdout)["candidates"]}
    assert repeats["LOCATE"] == [{"entry": "1A", "answer": "LO[CAT]ION"}]
    assert repeats["STONED"] == [{"entry": "3A", "answer": "STONES"}]
    assert repeats["PLANET"] == []
    told = run(*asked).stdout
    assert "repeats 1A LO[CAT]ION" in told


@pytest.fixture
def full(tmp_path: Path) -> Path:
    """A 3x3 with one of its two fills, in pen as in any text file."""
    path = tmp_path / "full.txt"
    path.write_text("ABC\nDEF\nGHI\n")
    return path


def test_swaps_as_json(run: Run, full: Path, words: Path) -> None:
    asked = ("swap", full, "1A", "--words", words, "--do", "pencil all", "--json")
    found = json.loads(run(*asked).stdout)
    assert (found["entry"], found["complete"]) == ("1A", True)
    (swap,) = found["swaps"]
    assert (swap["word"], len(swap["squares"]), swap["smallest"]) == ("ADG", 6, True)
    assert swap["changed"][0] == {"entry": "1A", "from": "ABC", "to": "ADG"}


@pytest.mark.parametrize(("rows", "told"), [("DEF\nGHI", ""), ("D..\nG..", " with the rest filled")])
def test_a_swap_in_an_unfinished_grid_notes_that_its_mean_is_of_a_whole_fill(
    run: Run, tmp_path: Path, rows: str, told: str
) -> None:
    puzzle, words = tmp_path / "part.txt", tmp_path / "words.txt"
    puzzle.write_text(f"ABC\n{rows}\n")
    words.write_text("".join(f"{word};60\n" for word in ("ABC", "XBC", "DEF", "GHI", "ADG", "XDG", "BEH", "CFI")))
    done = run("swap", puzzle, "1A", "--words", words, "--do", "pencil all")
    assert f"1A XBC  (1 square, lowest changed 60, mean 60.0{told}; 1D XDG (was ADG))" in done.stdout


@pytest.mark.parametrize("call", [("swap", "1A", "ADG"), ("reject", "1A")])
def test_a_swap_is_taken_and_written(
    run: Run, full: Path, words: Path, tmp_path: Path, call: tuple[str, ...]
) -> None:
    verb, *arguments = call
    out = tmp_path / "out.ipuz"
    options = ("--words", words, "--do", "pencil all", "--json", "-o", out)
    done = run(verb, full, *arguments, *options)
    found = json.loads(done.stdout)
    assert (done.returncode, found["status"], found["mode"]) == (0, "filled", verb)
    assert (found["grid"], found["squares_changed"], found["smallest"]) == (["ADG", "BEH", "CFI"], 6, True)
    assert found["changed"][0] == {"entry": "1A", "from": "ABC", "to": "ADG"}
    grid = read_puzzle(out).grid
    assert grid.answer(grid.slot("1A")) == "ADG"


def test_a_rejection_without_an_output_file_reports_that_nothing_was_saved(
    run: Run, full: Path, words: Path, tmp_path: Path
) -> None:
    before, asked = full.read_bytes(), ("reject", full, "1A", "--words", words, "--do", "pencil all")
    told = run(*asked)
    assert "nothing was saved: -o FILE writes the changed puzzle, in which ABC is banned from 1A" in told.stderr
    assert "now banned" not in told.stderr
    assert full.read_bytes() == before
    told = run(*asked, "-o", tmp_path / "out.ipuz")
    assert "ABC is now banned from 1A" in told.stdout
    assert "nothing was saved" not in told.stdout + told.stderr


def test_a_fill_with_a_tried_word_is_written(run: Run, full: Path, words: Path, tmp_path: Path) -> None:
    asked = ("why", full, "1A", "ADG", "--words", words, "--do", "clear all")
    told = run(*asked)
    assert told.stdout.splitlines()[-1] == "-o FILE writes the puzzle with this fill"
    out = tmp_path / "out.ipuz"
    assert "-o FILE" not in run(*asked, "-o", out, status=0).stdout
    grid = read_puzzle(out).grid
    assert (grid.answer(grid.slot("1A")), grid.squares[-1].ink) == ("ADG", Ink.PENCIL)
    missing = tmp_path / "no.ipuz"
    done = run("why", full, "--words", words, "-o", missing)
    assert "was not written: no fill with a word was asked for and found" in done.stderr
    assert not missing.exists()


def test_rejected_pencil_of_an_unfinished_entry_is_not_written(
    run: Run, full: Path, words: Path, tmp_path: Path
) -> None:
    out, lines = tmp_path / "out.ipuz", ("--do", "clear r1c1", "--do", "pencil all")
    assert run("reject", full, "1A", "--words", words, *lines, "-o", out).returncode == 0
    grid = read_puzzle(out).grid
    assert grid.pattern(grid.slot("1A")) == "???"


@pytest.fixture
def puzzle(tmp_path: Path) -> Path:
    path = tmp_path / "a.ipuz"
    write_puzzle(path, puzzle_of_grid(grid_from_text("ABC\nDEF\nGHI")))
    return path


def test_snapshots_are_saved_compared_and_returned_to(run: Run, puzzle: Path) -> None:
    first = read_puzzle(puzzle)
    run("snapshot", puzzle, "save", "v1", "-o", puzzle, status=0)
    run("snapshot", puzzle, "save", "v2", "--do", "set 1A XYZ", "-o", puzzle, status=0)
    compared = run("snapshot", puzzle, "compare", "v1", "--json")
    assert json.loads(compared.stdout)["entries"][0] == {"entry": "1A", "then": "ABC", "now": "XYZ"}
    told = run("snapshot", puzzle, "list")
    assert told.stdout.splitlines() == ["v1 → now: 3 squares and 4 entries", "v2 and now: no difference"]
    run("snapshot", puzzle, "return", "v1", "-o", puzzle, status=0)
    assert read_puzzle(puzzle).with_snapshots({}) == first


def test_what_is_entered_for_an_answer_is_written(run: Run, puzzle: Path, tmp_path: Path) -> None:
    entry = partial(run, "entry", puzzle, "1A")
    assert entry(status=0).stdout == "1A: ABC\n"
    entry("answer", "ABCD", "enters", "ABC", status=2)  # nothing would be saved
    entry("answer", "ABCD", "enters", "ABC", "-o", tmp_path / "b.ipuz", status=0)
    made = read_puzzle(tmp_path / "b.ipuz")
    assert made.shown_pattern(made.grid.slot("1A")) == "ABCD -> ABC"


def test_enumerations_are_written_listed_and_taken(tmp_path: Path, environment: Mapping[str, str]) -> None:
    grid, words, made = (tmp_path / name for name in ("grid.txt", "mine.txt", "made.ipuz"))
    grid.write_text("AXLEBOLT\n........\n........\n", encoding="utf-8")
    words.write_text("AXLE-BOLT\nAXLE\n", encoding="utf-8")
    run = partial(xwtui, environment=environment)
    run("enumeration", grid, "1A", "4,4", "--words", words, status=2)  # nothing would be saved
    assert run("enumeration", grid, "1A", "4,4", "--words", words, "-o", made).returncode == 0
    puzzle = read_puzzle(made)
    assert str(puzzle.enumeration(puzzle.grid.slot("1A"))) == "4,4"
    shown = run("enumeration", made, "1A", "--words", words)
    assert (shown.returncode, shown.stdout) == (0, "1A AXLEBOLT: (4,4); suggested: (4-4) by word lists\n")
    told = json.loads(run("enumerations", grid, "--words", words, "--json").stdout)
    assert told["entries"][0] == {
        "entry": "1A",
        "answer": "AXLEBOLT",
        "letters": 8,
        "enumeration": None,
        "suggested": [{"enumeration": "4-4", "from": "word lists"}],
    }
    run("enumerate", grid, "--words", words, "-o", tmp_path / "all.puz", "--lossy", status=0)
    assert b"(4-4)" in (tmp_path / "all.puz").read_bytes()


def test_only_edit_verbs_are_accepted(run: Run, mini: Path, words: Path) -> None:
    for line, told in (("fill", "only verbs of these groups"), ("rul 1A", "did you mean"), ("rule 9A", "9A")):
        done = run("fill", mini, "--words", words, "--do", line, status=2)
        assert told in done.stderr
        assert done.stderr.count("\n") == 1


def test_oddities_of_a_rule_are_reported(run: Run, mini: Path, words: Path) -> None:
    lines = ("clear all", "want XYZ", "ban XYZ", "limit nonsense 0")
    done = run("fill", mini, "--words", words, *(part for line in lines for part in ("--do", line)), "--json")
    assert "xwtui: wanted XYZ is banned, so no fill uses it; `allow XYZ` allows it\n" in done.stderr
    assert "xwtui: no word in the lists has the tag nonsense; the lists have no tags\n" in done.stderr


def test_a_wanted_word_may_exceed_the_entries_if_letters_are_dropped(run: Run, mini: Path, words: Path) -> None:
    lines = ("clear all", "latent drop across", "want ABCD")
    done = run("fill", mini, "--words", words, *(part for line in lines for part in ("--do", line)), "--json")
    assert "squares" not in done.stderr
    assert "xwtui: wanted ABCD is in no word list" in done.stderr


def test_lists_are_searched_next_to_the_puzzle(run: Run, tmp_path: Path, words: Path) -> None:
    source = tmp_path / "mini.ipuz"
    write_puzzle(source, Puzzle.blank(3, 3))
    (tmp_path / "own.txt").write_text("ADG\n")
    asked = ("--do", "rule 1A --list own.txt", "--do", "")
    done = run("fill", source, "--words", words, *asked, status=0)
    assert done.stdout.split()[0] == "ADG"
    assert read_puzzle(source).rules.is_empty

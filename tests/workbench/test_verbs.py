"""Lines of verbs: what they do, and what they say when they are wrong."""

from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.workbench.conftest import SMALL_LIST
from tests.workbench.listening import PATIENCE_SECONDS, Ear
from xwtui.errors import LockedError, PuzzleError, VerbError, XwtuiError
from xwtui.formats.registry import read_puzzle
from xwtui.model import Content, Direction, Ink, Kind, Position, Puzzle, Symmetry, WordChoice, edits
from xwtui.workbench.messages import JobFailed
from xwtui.workbench.verbs.problems import ArgumentError
from xwtui.workbench.verbs.registry import LONGEST_LINE, VERBS, run_line
from xwtui.workbench.verbs.verb import Reply, Verb
from xwtui.workbench.workbench import Workbench


def said(bench: Workbench, line: str) -> str:
    return "\n".join(run_line(bench, line).lines)


def pattern(bench: Workbench, entry: str) -> str:
    return bench.puzzle.grid.pattern(bench.puzzle.grid.slot(entry))


def ink_at(bench: Workbench, square: str) -> Ink:
    return bench.puzzle.grid[Position.parse(square)].ink


@pytest.fixture
def mini(bench: Workbench) -> Workbench:
    """A blank 5x5 puzzle: 1A and 6A to 9A across, 1D to 5D down."""
    bench.new(Puzzle.blank(5, 5))
    return bench


@pytest.mark.parametrize("line", ["", "   ", "# a remark", "\t# another"])
def test_empty_lines_and_remarks_do_nothing(mini: Workbench, line: str) -> None:
    assert run_line(mini, line) == Reply()


@pytest.mark.parametrize(
    ("line", "entry", "expected"),
    [
        ("set 1A HEART", "1A", "HEART"),
        ("set 1a heart", "1A", "HEART"),
        ("SET 6A B[HEART]AD2", "6A", "B[HEART]AD2"),
        ("set hearT", "1A", "HEART"),
        ("set . heart", "1A", "HEART"),
        ("set 1A Crème!", "1A", "CREME"),
        ("set 1A [crè me]mess", "1A", "[CREME]MESS"),
        ("set r1c2 X/TIMES", "1A", "?X???"),
        ("set r1c2 X/TIMES", "2D", "[TIMES]????"),
        ("rebus r1c2 heart", "1A", "?[HEART]???"),
        ("rebus heart", "1A", "[HEART]????"),
        ("set 1A 'tis so", "1A", "TISSO"),
    ],
)
def test_set_and_rebus(mini: Workbench, line: str, entry: str, expected: str) -> None:
    run_line(mini, line)
    assert pattern(mini, entry) == expected


def test_clear(mini: Workbench) -> None:
    run_line(mini, "set 1A HEART")
    run_line(mini, "set r5c5 Z")
    run_line(mini, "clear r1c1")
    assert pattern(mini, "1A") == "?EART"
    run_line(mini, "clear")
    assert pattern(mini, "1A") == "?????"
    run_line(mini, "clear all")
    assert all(square.content is None for square in mini.puzzle.grid.squares)


def test_clear_pencil_and_accept(mini: Workbench) -> None:
    mini.edit("pencil", _pencilled)
    run_line(mini, "accept 1A")
    run_line(mini, "clear pencil")
    assert (pattern(mini, "1A"), pattern(mini, "9A")) == ("ABCDE", "?????")
    with pytest.raises(VerbError, match="nothing in pencil"):
        run_line(mini, "accept")


def _pencilled(puzzle: Puzzle) -> Puzzle:
    letters = {at: Content.of("ABCDE"[at.column]) for at in puzzle.grid.positions() if at.row in (0, 4)}
    return edits.write_fill(puzzle, letters)


def test_lock_guards_and_unlock_frees(mini: Workbench) -> None:
    run_line(mini, "set 1A HEART")
    assert said(mini, "lock") == "locked: 1A, 5 squares"
    with pytest.raises(LockedError):
        run_line(mini, "set 1D AGATE")
    run_line(mini, "clear all")
    assert pattern(mini, "1A") == "HEART"
    run_line(mini, "unlock all")
    assert ink_at(mini, "r1c1") is Ink.PEN
    assert said(mini, "unlock 1A") == "nothing is locked in 1A"
    run_line(mini, "lock r1c1")
    assert ink_at(mini, "r1c1") is Ink.LOCKED
    assert ink_at(mini, "r1c2") is Ink.PEN
    with pytest.raises(PuzzleError, match="nothing to lock"):
        run_line(mini, "lock 9A")


def test_blocks_voids_and_bars_keep_the_symmetry(mini: Workbench) -> None:
    run_line(mini, "block r1c1")
    assert mini.puzzle.grid[Position(4, 4)].kind is Kind.BLOCK
    run_line(mini, "block r1c1")
    assert mini.puzzle.grid[Position(4, 4)].kind is Kind.OPEN
    run_line(mini, "void r1c1")
    assert mini.puzzle.grid[Position(4, 4)].kind is Kind.VOID
    run_line(mini, "void r1c1")
    run_line(mini, "bar r1c2 right")
    assert len(mini.puzzle.grid.bars) == 2
    run_line(mini, "bar r1c3 r1c2")
    assert not mini.puzzle.grid.bars
    mini.move_to(Position(1, 1))
    run_line(mini, "bar below")
    assert len(mini.puzzle.grid.bars) == 2
    with pytest.raises(PuzzleError, match="no neighbour"):
        run_line(mini, "bar r1c1 above")


def test_marks_are_one_edit(mini: Workbench) -> None:
    run_line(mini, "circle r2c2 r3c3")
    run_line(mini, "shade")
    assert [square.circle for square in mini.puzzle.grid.squares].count(True) == 2
    assert mini.puzzle.grid[Position(0, 0)].shade
    assert mini.document.history.edits == 2


def test_symmetry(mini: Workbench) -> None:
    assert said(mini, "symmetry") == "symmetry: rot180"
    assert said(mini, "symmetry Left-Right") == "symmetry: left-right"
    assert mini.puzzle.symmetry is Symmetry.LEFT_RIGHT


def test_undo_and_redo(mini: Workbench) -> None:
    assert said(mini, "undo") == "nothing to undo"
    run_line(mini, "set 1A HEART")
    assert said(mini, "undo") == "undone: set 1A"
    assert said(mini, "redo") == "redone: set 1A"
    assert said(mini, "redo") == "nothing to redo"


def test_goto(mini: Workbench) -> None:
    run_line(mini, "goto 3D")
    assert mini.cursor == (Position(0, 2), Direction.DOWN)
    run_line(mini, "goto r4c4")
    assert mini.cursor == (Position(3, 3), Direction.DOWN)


def test_new(bench: Workbench) -> None:
    assert said(bench, "new 5 7 --symmetry left-right") == "new: 5×7, left-right symmetry"
    assert said(bench, "new 21x15") == "new: 21×15, none symmetry"
    assert said(bench, "new 9") == "new: 9×9, rot180 symmetry"
    run_line(bench, "new 15x15-01")
    assert len(bench.puzzle.grid.slots) == 76
    assert not bench.document.is_modified
    assert bench.document.path is None
    with pytest.raises(PuzzleError, match="3x3 to 40x40"):
        run_line(bench, "new 41")
    with pytest.raises(XwtuiError, match="cannot read nowhere"):
        run_line(bench, "new nowhere.txt")


def test_changes_are_not_dropped_by_accident(mini: Workbench, tmp_path: Path) -> None:
    run_line(mini, "set 1A HEART")
    for line in ("new 5", f"open {tmp_path / 'x.ipuz'}", "quit"):
        with pytest.raises(VerbError, match="not saved"):
            run_line(mini, line)
    assert pattern(mini, "1A") == "HEART"
    assert run_line(mini, "quit --force").quit
    assert mini.document.journal.path is None
    run_line(mini, "new 5 --force")
    assert pattern(mini, "1A") == "?????"
    assert run_line(mini, "quit").quit


def test_save_open_and_export(mini: Workbench, tmp_path: Path) -> None:
    run_line(mini, "set 1A HEART")
    path = tmp_path / "two words.ipuz"
    assert said(mini, f'save "{path}"') == f"saved: {path}"
    run_line(mini, "new 5")
    assert "10 entries" in said(mini, f'open "{path}"')
    assert pattern(mini, "1A") == "HEART"
    run_line(mini, f"export {tmp_path / 'out.txt'}")
    assert pattern(mini, "1A") == read_puzzle(tmp_path / "out.txt").grid.pattern(mini.puzzle.grid.slot("1A"))
    with pytest.raises(XwtuiError, match="cannot hold"):
        run_line(mini, f"export {tmp_path / 'out.puz'}")
    lossy = said(mini, f"export {tmp_path / 'out.puz'} --lossy")
    assert "left out: " in lossy
    assert "entries have no clue: 1A" in lossy


def test_words(mini: Workbench, small_list: Path) -> None:
    assert said(mini, "words") == "words: default, scores from 40"
    run_line(mini, f"words {small_list} default --min-score 45")
    assert mini.puzzle.words.lists == (str(small_list), "default")
    assert mini.puzzle.words.minimum_score == 45
    run_line(mini, "words --min-score 50")
    assert mini.puzzle.words.lists == (str(small_list), "default")
    with pytest.raises(VerbError, match="there is no word list 'nowhere'"):
        run_line(mini, "words nowhere")
    run_line(mini, "ban axle crème")
    assert mini.puzzle.words.banned == {"AXLE", "CREME"}
    assert "banned: AXLE, CREME" in said(mini, "words")
    run_line(mini, "allow AXLE")
    assert mini.puzzle.words.banned == {"CREME"}
    with pytest.raises(PuzzleError, match="not banned: AXLE"):
        run_line(mini, "allow AXLE")
    assert said(mini, "score axle 70") == "AXLE: 70, your own score"
    assert said(mini, "score AXLE") == "AXLE: 70, your own score"
    run_line(mini, "score AXLE none")
    assert not mini.puzzle.words.scores
    run_line(mini, "undo")
    assert mini.puzzle.words.scores == {"AXLE": 70}


def test_preferences(mini: Workbench, small_list: Path, tmp_path: Path) -> None:
    (tmp_path / "published").mkdir()
    said_so = said(mini, f"prefer {small_list} --recent {tmp_path / 'published'}")
    assert f"preferred: {small_list}" in said_so
    assert f"rather not: answers of the puzzles in {tmp_path / 'published'}" in said_so
    run_line(mini, "prefer default")
    assert mini.puzzle.words.preferred == ("default",)
    assert mini.puzzle.words.recent == str(tmp_path / "published")
    run_line(mini, "prefer none --recent none")
    assert mini.puzzle.words == WordChoice()
    run_line(mini, "undo")
    assert mini.puzzle.words.preferred == ("default",)
    with pytest.raises(XwtuiError, match="there is no folder nowhere"):
        run_line(mini, "prefer --recent nowhere")


def test_a_list_of_the_puzzles_folder_stays_a_name(mini: Workbench, small_list: Path) -> None:
    mini.save(small_list.parent / "heart.ipuz")
    run_line(mini, "words small.dict")
    assert mini.puzzle.words.lists == ("small.dict",)


@pytest.mark.parametrize(
    "text", ["It can't be bought", '"Hamlet" role', "a  b", "-30-", "--clear", "100% 'so'", "ends with \\", "# 1"]
)
def test_a_text_is_taken_as_it_was_typed(mini: Workbench, text: str) -> None:
    run_line(mini, f"clue 1A {text}")
    assert mini.puzzle.clue(mini.puzzle.grid.slot("1A")) == text
    run_line(mini, f"title A {text}")
    assert mini.puzzle.title == f"A {text}"


def test_clues_and_title_page(mini: Workbench) -> None:
    assert said(mini, "clue") == "1A: no clue"
    assert said(mini, "clue Seat of love") == "1A: Seat of love"
    assert said(mini, "clue 1A") == "1A: Seat of love"
    assert said(mini, "clue --clear 1A") == "1A: no clue"
    for field in ("title", "author", "copyright", "notes"):
        assert said(mini, f"{field} Some {field}") == f"{field}: Some {field}"
        assert getattr(mini.puzzle, field) == f"Some {field}"
        run_line(mini, f"{field} --clear")
        assert said(mini, field) == f"{field}: none"


def test_control_characters_stay_out(mini: Workbench) -> None:
    run_line(mini, "title a\x1b[31mb\x07c\u202ed")
    assert mini.puzzle.title == "a[31mbcd"
    mini.edit("evil", lambda puzzle: _titled(puzzle, "\x1b]0;evil\x07"))
    assert all(line.isprintable() for line in run_line(mini, "title").lines)
    with pytest.raises(XwtuiError) as caught:
        run_line(mini, "open \x1b[31mnowhere")
    assert str(caught.value).isprintable()


def _titled(puzzle: Puzzle, title: str) -> Puzzle:
    return replace(puzzle, title=title)


def test_check_and_stats(mini: Workbench) -> None:
    run_line(mini, "set 1A HEART")
    assert "empty square: 20 empty squares" in said(mini, "check")
    assert "entries: 10, filled: 1" in said(mini, "stats")
    assert "still being loaded" in said(mini, "stats")


def test_help(mini: Workbench) -> None:
    everything = said(mini, "help")
    assert all(verb in everything for verb in VERBS)
    assert "usage: set [PLACE] ANSWER" in said(mini, "help set")
    assert said(mini, "? set") == said(mini, "help set")
    with pytest.raises(VerbError, match="did you mean `set`"):
        run_line(mini, "help sett")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("sett 1A HEART", "there is no verb 'sett'; did you mean `set`?"),
        ("xyzzy", "`help` lists the verbs"),
        ("set 17Q HEART", "set: '17Q' is no entry"),
        ("set 99A HEART", "set: this grid has no entry '99A'"),
        ("set", "set needs ANSWER"),
        ("set 1A", "set needs ANSWER"),
        ("set r9c9 A", "set: r9c9 is not on this grid"),
        ("set 1A Привет", "set: "),
        ("lock all 1A", "lock takes 1 argument; '1A' is too many"),
        ("undo 3", "undo takes no arguments; '3' is too many"),
        ("fill --time soon", "fill: --time: 'soon' is no time in seconds"),
        ("fill --time -1", "no time in seconds"),
        ("fill --seed 1.5", "fill: --seed: '1.5' is no whole number"),
        ("fill --tim 3", "fill has no option --tim; it has --partial, --best"),
        ("fill --time", "--time"),
        ("step 0", "step: '0' is no whole number from 1"),
        ("until dawn", "'dawn': a search runs until backtrack, restart, solved or an entry"),
        ("continue", "there is no search to continue"),
        ("candidates 1A", "the words are still being loaded"),
        ("ban", "ban needs WORDS"),
        ("words --min-score 101", "'101' is no whole number from 0 to 100"),
        ("symmetry round", "'round' is no symmetry; there are none, rot180"),
        ("score AXLE 200", "score: '200' is no whole number"),
        ("new 5 99", "new: '99' is no whole number from 3 to 40"),
        ("x" * (LONGEST_LINE + 1), "too many already"),
    ],
)
def test_wrong_lines_say_what_is_expected(mini: Workbench, line: str, message: str) -> None:
    with pytest.raises(XwtuiError) as caught:
        run_line(mini, line)
    assert message in str(caught.value)
    assert mini.document.history.edits == 0


def test_a_wrong_argument_is_pointed_at(mini: Workbench) -> None:
    line = "set   17Q HEART"
    with pytest.raises(ArgumentError) as caught:
        run_line(mini, line)
    assert line[caught.value.start : caught.value.end] == "17Q"


@pytest.mark.parametrize("verb", VERBS.values(), ids=list(VERBS))
def test_every_verb_is_declared_in_full(mini: Workbench, verb: Verb) -> None:
    assert verb.summary
    assert verb.examples
    for param in verb.command.params:
        assert getattr(param, "help", None), f"{verb.name} {param.name}"


NEEDS_MORE = {
    "open",
    "new",
    "save",
    "export",
    "set",
    "continue",
    "candidates",
    "accept",
    "allow",
    "quit",
    "want",
    "rebus place",
    "reject",
    "pencil",
    "fills",
    "take",
}


@pytest.mark.parametrize(
    ("name", "example"), [(name, example) for name, verb in VERBS.items() for example in verb.examples]
)
def test_every_example_parses(
    bench: Workbench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, example: str
) -> None:
    """On a grid that has the entries of the examples; some need a file, a search or words first."""
    monkeypatch.chdir(tmp_path)
    run_line(bench, "new 15x15-01")
    run_line(bench, "set r3c5 Z")
    run_line(bench, "set 17A AAAAAAAA")
    assert f"{example} ".startswith(f"{name} ")
    if name in ("fill", "improve", "step", "count", "until"):
        return  # these start jobs
    try:
        run_line(bench, example.replace("SWEET[HEART]", "SWE[HEART]ING"))
    except ArgumentError as error:
        pytest.fail(str(error))
    except XwtuiError:
        assert name in NEEDS_MORE


def test_keys_are_taken_once() -> None:
    keys = [key for verb in VERBS.values() for key in verb.keys]
    assert len(keys) == len(set(keys))


WORDS = st.sampled_from(
    [*VERBS, "1A", "3d", "r1c1", "r9c9", "all", "pencil", "HEART", "[HEART]", "X/Y", ".", "--force", "--time", "'"]
)


# Jobs are left out (they have their own tests), and files, so that no test writes where it should not.
_LEFT_OUT = ("fill", "step", "until", "count", "save", "export", "continue", "resume")


@given(line=st.one_of(st.text(), st.lists(WORDS | st.text(max_size=6), max_size=6).map(" ".join)))
def test_any_line_ends_in_a_reply_or_an_error_of_ours(line: str) -> None:
    bench = Workbench(Ear(), journal_folder=Path("/nonexistent/journals"))
    bench.new(Puzzle.blank(5, 5))
    if line.split() and line.split(maxsplit=1)[0].strip("\"'").lower() in _LEFT_OUT:
        return
    before = bench.puzzle
    try:
        lines = run_line(bench, line).lines
        is_refused = False
    except XwtuiError as error:
        lines = (str(error),)
        is_refused = True
    assert all(said.isprintable() for said in lines)
    assert not is_refused or bench.puzzle == before


_JOBS = [
    "fill",
    "fill --seed 3 --threads 2",
    "fill --time 0.01",
    "step",
    "step 3",
    "until backtrack",
    "until 1A",
    "until solved",
    "continue",
    "stop",
    "accept",
    "accept 1A",
    "count --time 0.1",
    "candidates 1A",
    "undo",
    "redo",
    "clear pencil",
    "set 1A BAG",
    "set r2c2 Q",
    "block r2c2",
    "words --min-score 20",
    "ban TEN",
    "new 3 --force",
    "stats",
]


@settings(max_examples=25)
@given(lines=st.lists(st.tuples(st.sampled_from(_JOBS), st.booleans()), max_size=8))
def test_jobs_in_any_order_end_in_replies_or_errors_of_ours(
    tmp_path_factory: pytest.TempPathFactory, lines: list[tuple[str, bool]]
) -> None:
    folder = tmp_path_factory.mktemp("jobs")
    (folder / "small.dict").write_text(SMALL_LIST)
    ear = Ear()
    bench = Workbench(ear, journal_folder=folder / "journals")
    bench.new(replace(Puzzle.blank(3, 3), words=WordChoice(lists=(str(folder / "small.dict"),))))
    bench.wait_until_ready(PATIENCE_SECONDS)
    for line, waits in lines:
        with suppress(XwtuiError):
            run_line(bench, line)
        if waits:
            assert bench.wait(PATIENCE_SECONDS)
    bench.stop()
    assert bench.wait(PATIENCE_SECONDS)
    assert not ear.of(JobFailed)
    bench.discard_changes()
    bench.close()

"""Filling and taking fills at the desk; no fill breaks a rule."""

from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given
from hypothesis import strategies as st

from tests.examples import examples
from tests.known import known
from tests.ruled import asked, ruled
from tests.session.conftest import SMALL_LIST
from tests.session.saying import PATIENCE_SECONDS, Ear, do, pencil, refuses, said, squares
from xwtui.api import fill, open_words
from xwtui.engine import warmup
from xwtui.engine.events.event import Outcome
from xwtui.engine.fill.filler import Filler
from xwtui.engine.improve import plain_fill
from xwtui.engine.problem.problem import Problem
from xwtui.engine.problem.task import Task
from xwtui.errors import EngineError, XwtuiError
from xwtui.formats.grid_text import grid_from_text, grid_to_text
from xwtui.formats.registry import read_puzzle
from xwtui.model import Content, Grid, Ink, Kind, Position, Puzzle, RebusPlacing, SlotKey, WordChoice, edits
from xwtui.model.review import Check, review
from xwtui.model.statistics import grid_statistics
from xwtui.resources import puzzles_folder
from xwtui.session.messages import Notice, SelectionChanged
from xwtui.session.run_view import FoundFill
from xwtui.session.session import Session
from xwtui.session.verbs.registry import run_line
from xwtui.session.wording import filled_words, run_shares_words
from xwtui.words.lexicon import Lexicon
from xwtui.words.rule_findings import rule_findings
from xwtui.words.sources import Vocabulary
from xwtui.words.word_list import WordList

FIRST, SECOND = FoundFill(squares("BAGICETEN"), 58.3, 50), FoundFill(squares("BITACEGEN"), 55.0, 45)


def test_squares_are_selected_with_place_words(small: Session, ear: Ear) -> None:
    assert said(small, "select") == "nothing is selected"
    assert said(small, "select r1c1:r1c2 r3c3") == "3 squares selected"
    assert small.selection.squares == {Position(0, 0), Position(0, 1), Position(2, 2)}
    assert said(small, "select 1A,1D") == "5 squares selected; whole entries: 1A, 1D"
    assert said(small, "select --around 1A").startswith("9 squares selected")
    assert len(ear.of(SelectionChanged)) == 3
    run_line(small, "select none")
    assert not small.selection.squares
    refuses(small, "clear selection", "nothing is selected", XwtuiError)


def test_a_selection_is_locked_accepted_and_cleared(small: Session) -> None:
    pencil(small, "BAGICETEN")
    assert said(small, "select r1c1:r1c2", "accept selection") == "accepted: selection"
    assert [square.ink for square in small.puzzle.grid.squares[:3]] == [Ink.PEN, Ink.PEN, Ink.PENCIL]
    assert said(small, "lock selection") == "locked: selection, 2 squares"
    assert said(small, "unlock selection") == "unlocked: selection, 2 squares"
    run_line(small, "clear selection")
    assert [square.content is None for square in small.puzzle.grid.squares[:3]] == [True, True, False]


def test_fills_are_listed_and_taken_as_one_edit(small: Session) -> None:
    refuses(small, "fills", "no fills")
    refuses(small, "take 1", "--diverse")
    small.fills.kept = (FIRST, SECOND)
    pencil(small, "BAGICETEN")
    assert said(small, "fills").splitlines()[:2] == [
        "  1  mean 58.3, lowest 50, on the grid",
        "  2  mean 55.0, lowest 45, 44% different from the first",
    ]
    edits_before = small.document.history.edits
    assert said(small, "take 2") == "fill 2: mean 55.0, lowest 45"
    assert small.puzzle.grid.answer(small.puzzle.grid.slot("1A")) == "BIT"
    assert small.document.history.edits == edits_before + 1
    refuses(small, "take 3", "1 to 2")


def test_clearing_pencil_reports_how_much_was_cleared(small: Session) -> None:
    do(small, "fill")
    assert said(small, "clear pencil") == "cleared: 9 squares in pencil"
    assert said(small, "clear pencil") == "nothing is in pencil"


def test_taking_a_fill_with_a_since_banned_word_reports_it(small: Session) -> None:
    do(small, "fill")
    run_line(small, "clear pencil")
    small.fills.kept = (FIRST, SECOND)
    assert "no longer allowed" not in said(small, "fills")
    run_line(small, "ban BAG")
    small.wait_until_ready(PATIENCE_SECONDS)
    first, second, _ = said(small, "fills").splitlines()
    assert first.endswith(", uses BAG, no longer allowed")
    assert second.endswith(", uses BAG, no longer allowed")
    run_line(small, "set 1D BAG")
    assert list(small.fills.kept) == [SECOND]
    assert "no longer allowed" not in said(small, "fills"), "what is given is the constructor's own"


def test_taking_a_fill_with_a_since_rejected_word_reports_it(small: Session) -> None:
    pencil(small, "BAGICETEN")
    do(small, "reject 1A")
    small.fills.kept = (FIRST, SECOND)
    first, second, _ = said(small, "fills").splitlines()
    assert first.endswith(", uses BAG, no longer allowed")
    assert "no longer allowed" not in second


def test_fills_that_no_longer_fit_are_dropped(small: Session) -> None:
    small.fills.kept = (FIRST, SECOND)
    run_line(small, "set r1c2 I")
    assert list(small.fills.kept) == [SECOND]
    small.fills.kept = (FIRST, SECOND)
    run_line(small, "block r3c3")
    assert not small.fills.kept


def test_a_fill_uses_its_own_minimum_score(small: Session) -> None:
    """Only two words score 60 or more. Without the option, the puzzle's own minimum applies."""
    assert "GEN;50" in SMALL_LIST
    do(small, "fill --min-score 60")
    assert known(small.jobs.fill.view).outcome.value == "impossible"
    do(small, "fill")
    assert small.puzzle.grid.is_filled
    assert small.puzzle.words.minimum_score == 40


def test_a_fill_of_a_selection_keeps_the_rest_and_is_one_edit(small: Session) -> None:
    """Pencil outside the selection counts as given: with BIT/ACE/GEN's last row, only that fill is possible."""
    small.edit("row", lambda puzzle: edits.write_fill(puzzle, dict(list(squares("BITACEGEN").items())[6:])))
    do(small, "fill --only r1c1:r2c3")
    grid = small.puzzle.grid
    assert [grid.pattern(grid.slot(name)) for name in ("1A", "4A", "5A")] == ["BIT", "ACE", "GEN"]
    assert small.undo() == "fill"
    assert grid.pattern(small.puzzle.grid.slot("5A")) == "GEN"


def test_a_fill_of_one_entry_writes_nothing_else(small: Session) -> None:
    do(small, "fill --only 4A")
    grid = small.puzzle.grid
    assert grid.answer(grid.slot("4A")) in ("ICE", "ACE")
    assert sum(square.content is not None for square in grid.squares) == 3
    said(small, "select 1A,4A")
    do(small, "fill --only selection")
    assert filled_words(known(small.jobs.fill.view)) == "filled 3 squares, inside the selection"
    do(small, "refill --only 1A,4A")
    assert filled_words(known(small.jobs.fill.view)) == "filled 6 squares, inside 1A,4A"
    assert small.puzzle.grid.pattern(small.puzzle.grid.slot("5A")) == "???"


def small_part(session: Session, folder: Path, words: str) -> None:
    """Open a grid whose 3D has two squares, crosses 2A and 4A, and does not touch 1D, which they also cross."""
    (folder / "words.txt").write_text(words.replace(" ", "\n"), encoding="ascii")
    choice = WordChoice(lists=(str(folder / "words.txt"),), minimum_score=0)
    session.new(replace(Puzzle(grid_from_text(".#.\n..#\n...\n")), words=choice))


@pytest.mark.parametrize("line", ["fill", "fill --threads 2", "refill", "fill --best", "fill --all"])
def test_an_entry_outside_a_selection_does_not_rule_out_its_fill(
    bench: Session, tmp_path: Path, line: str
) -> None:
    small_part(bench, tmp_path, "AB BD EDD AAA AAB")
    do(bench, f"{line} --only 3D")
    view = known(bench.jobs.fill.view)
    assert view.outcome is Outcome.FILLED, view.reason
    if line == "fill --all":
        assert len(bench.fills.kept) == 1
    else:
        assert grid_to_text(bench.puzzle.grid) == ".#.\n.B#\n.D."


def test_fills_of_a_selection_are_listed_without_its_surroundings(bench: Session, tmp_path: Path) -> None:
    """Each of the 81 first rows has hundreds of thousands of fills below it."""
    words = tmp_path / "words.txt"
    words.write_text("\n".join(map("".join, product("ABC", repeat=4))), encoding="ascii")
    bench.new(replace(Puzzle.blank(4, 4), words=WordChoice(lists=(str(words),), minimum_score=0)))
    do(bench, f"fill --all --only r1c1:r1c4 --time {PATIENCE_SECONDS / 2:g}")
    view = known(bench.jobs.fill.view)
    assert (view.outcome, view.found, view.reason) == (Outcome.FILLED, 81, "")


def test_a_selection_leaves_neighboring_entries_a_word_if_possible(bench: Session, tmp_path: Path) -> None:
    """BC next to FCC would leave no word for 1D."""
    small_part(bench, tmp_path, "AB;50 BD;50 BC;90 EDD;50 FCC;90 AAE;50")
    do(bench, "fill --only 3D")
    assert grid_to_text(bench.puzzle.grid) == ".#.\n.B#\n.D."


TEMPLATE = puzzles_folder() / "templates" / "9x9-01.txt"


def filled(desk: Session, line: str) -> list[Grid]:
    """Return fills of a small template with three seeds."""
    desk.new(read_puzzle(TEMPLATE))
    found = []
    for seed in range(3):
        run_line(desk, f"{line} --seed {seed}")
        assert desk.wait(PATIENCE_SECONDS)
        found.append(desk.puzzle.grid)
        desk.undo()
    return found


@pytest.mark.parametrize("threads", [1, 2])
def test_a_plain_fill_has_better_words_than_the_first_found(bench: Session, threads: int) -> None:
    words = open_words(minimum_score=40)
    first = [fill(read_puzzle(TEMPLATE), words=words, seed=seed, first=True).puzzle.grid for seed in range(3)]
    for better, found in zip(filled(bench, f"fill --threads {threads}"), first, strict=True):
        now, before = (grid_statistics(grid, words.score) for grid in (better, found))
        assert (now.mean_score or 0) > (before.mean_score or 0)
        assert (now.lowest_score or 0) > (before.lowest_score or 0)


def test_the_first_words_are_used_until_the_improver_is_compiled(
    bench: Session, ear: Ear, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even if two of them share a stem: avoiding that needs the improver."""
    monkeypatch.setattr(warmup, "is_improver_kept", lambda: False)
    monkeypatch.setattr(warmup, "is_warm", lambda **_: False)
    monkeypatch.setattr(plain_fill, "with_stems_apart", lambda problem, squares, budget: squares)
    words = open_words(minimum_score=40)
    first = [fill(read_puzzle(TEMPLATE), words=words, seed=seed, first=True).puzzle.grid for seed in range(3)]
    monkeypatch.undo()
    monkeypatch.setattr(warmup, "is_improver_kept", lambda: False)
    monkeypatch.setattr(warmup, "is_warm", lambda **_: False)
    assert filled(bench, "fill --threads 1") == first
    assert any("improver is not compiled yet" in notice.text for notice in ear.of(Notice))


@pytest.mark.parametrize("line", ["fill", "fill --first", "refill"])
def test_stems_repeated_while_the_improver_compiles_are_reported(
    bench: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    """The fill does not wait for it; until it is compiled, it is unknown whether a fill can avoid the repeat."""
    (tmp_path / "mine.txt").write_text("WAFT;90\nWAFTS;90\nSNARL;40\n", encoding="utf-8")
    bench.new(Puzzle(grid_from_text("....#\n#####\n.....")))
    said(bench, f"words {tmp_path / 'mine.txt'}")
    monkeypatch.setattr(warmup, "is_improver_kept", lambda: False)
    monkeypatch.setattr(warmup, "is_warm", lambda **_: False)
    do(bench, line)
    assert [*bench.puzzle.answers.values()] == ["WAFT", "WAFTS"]
    told = run_shares_words(known(bench.jobs.fill.view))
    assert told.startswith("to keep repeats apart takes the improver, which is not compiled yet")
    assert told.endswith(": 1A WAFT and 2A WAFTS")
    monkeypatch.undo()
    do(bench, "refill --first")
    assert [*bench.puzzle.answers.values()] == ["WAFT", "SNARL"]


@pytest.mark.parametrize("line", ["step", "step 10", "until solved", "until backtrack"])
def test_no_search_starts_on_a_full_grid(small: Session, line: str) -> None:
    """It would replace the current fill, perhaps an improved one, with the first found."""
    pencil(small, "BAGICETEN")
    refuses(small, line, "no square is empty")
    assert not small.jobs.fill.is_running
    said(small, "clear pencil", line)
    assert small.jobs.fill.view is not None or small.jobs.fill.is_running
    run_line(small, "stop")


LETTERS = "ABCD"
THREES = [a + b + c for a in LETTERS for b in LETTERS for c in LETTERS]
FOURS = [three + letter for three in THREES for letter in "AB"]
WORDS = WordList.from_scores(
    "words",
    {word: 44 + 7 * number % 50 for number, word in enumerate((*THREES, *FOURS))},
    {"name": THREES[::5], "abbreviation": FOURS[::4]},
)
OWN = WordList.from_scores("own", {word: 30 + number % 50 for number, word in enumerate(THREES[::2])})
CHOICE = WordChoice(minimum_score=45)
VOCABULARY = Vocabulary(
    Lexicon.build([WORDS], minimum_score=CHOICE.minimum_score),
    {"own": Lexicon.build([OWN], minimum_score=CHOICE.minimum_score)},
)
REBUS = Content.of("AB")


@st.composite
def ruled_puzzles(draw: st.DrawFn) -> Puzzle:
    """Blank 3x3 grids with at most one block and a few rules."""
    puzzle = replace(Puzzle.blank(3, 3), words=CHOICE)
    if draw(st.booleans()):
        puzzle = edits.set_kind(puzzle, Position(0, 0), Kind.BLOCK)
    parts = st.text(LETTERS, min_size=1, max_size=2)
    entry_rules = st.builds(
        asked,
        st.none() | st.integers(0, 70),
        st.sampled_from(["", "", "own"]),
        st.sampled_from(["", "A.*", ".*(B|C)", "[^D]+"]),
        st.lists(parts, max_size=1).map(tuple),
        st.lists(parts, max_size=1).map(tuple),
    )
    keys: list[SlotKey] = [(slot.start, slot.direction) for slot in puzzle.grid.slots]
    squares = st.sampled_from(list(puzzle.grid.open_positions()))
    contents = st.lists(st.sampled_from([*map(Content.of, LETTERS), REBUS]), min_size=1, max_size=3, unique=True)
    wanted = draw(st.lists(st.sampled_from(THREES), max_size=3, unique=True).map(tuple))
    placings = st.builds(RebusPlacing, st.just((REBUS,)), st.integers(0, 2), st.integers(2, 3), st.booleans())
    rules = ruled(
        entries=draw(st.dictionaries(st.sampled_from(keys), entry_rules, max_size=1)),
        squares=draw(st.dictionaries(squares, contents.map(tuple), max_size=1)),
        shared_substring=draw(st.sampled_from([0, 0, 0, 3])),
        distinct_stems=draw(st.sampled_from([False, False, True])),
        stem_groups=draw(st.sampled_from([(), (frozenset({"ABC", "DAB"}),)])),
        tag_limits=draw(st.dictionaries(st.sampled_from(["name", "abbreviation"]), st.integers(0, 2), max_size=1)),
        wanted=wanted,
        wanted_least=draw(st.integers(0, len(wanted))),
        letters=draw(st.sampled_from(["", "", "D", "ABCD"])),
        placings=draw(st.just(()) | st.lists(placings, max_size=1).map(tuple)),
    )
    return replace(puzzle, rules=rules)


@examples(60, HealthCheck.filter_too_much)
@given(ruled_puzzles(), st.integers(0, 5))
def test_no_fill_breaks_a_rule(puzzle: Puzzle, seed: int) -> None:
    try:
        problem = Problem.of(Task.of(puzzle, VOCABULARY))
    except EngineError:
        assume(False)
    filler = Filler(problem, seed=seed)
    filler.advance(2_000)
    assume(filler.outcome is Outcome.FILLED)
    filled = edits.write_fill(puzzle, filler.fill())
    findings = (*review(filled), *rule_findings(filled, VOCABULARY))
    told = [finding for finding in findings if finding.rule in (Check.BROKEN_RULE, Check.DUPLICATE)]
    assert told == []

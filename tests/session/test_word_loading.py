"""Loading of words, answers of recent puzzles, and which changes pose the same fill problem."""

import os
import threading
import time
from collections import deque
from dataclasses import replace
from pathlib import Path
from typing import Any
from weakref import ref

import pytest

from tests.known import known
from tests.ruled import asked, ruled
from tests.session.saying import (
    PATIENCE_SECONDS,
    Ear,
    do,
    found,
    on_three_by_three,
    once_loaded,
    refuses,
    rows,
    said,
)
from xwtui.engine.problem import tables as tables_of_words
from xwtui.engine.problem import word_stock
from xwtui.engine.problem.problem import Problem
from xwtui.engine.problem.task import Task
from xwtui.errors import WordListError, XwtuiError
from xwtui.formats.grid_text import grid_from_text, puzzle_of_grid
from xwtui.formats.registry import write_puzzle
from xwtui.model import Content, Direction, Ink, Position, Puzzle, Symmetry, WordChoice, edits
from xwtui.model.entering import Entering, Treatment
from xwtui.model.rules import RebusPlacing, Rules
from xwtui.model.rules.constraints import AlteredEntries
from xwtui.model.rules.latent import EnteredOtherwise
from xwtui.resources import user_lists_folder
from xwtui.session import own_puzzles as module
from xwtui.session.jobs.scheduler import Scheduler
from xwtui.session.jobs.word_loader import VocabularyRequest, WordLoader
from xwtui.session.messages import OptionsReady
from xwtui.session.own_puzzles import recent_answers
from xwtui.session.problem_holders import CounterHolder, ProblemHolder, same_problem
from xwtui.session.session import Session
from xwtui.session.settings import load_settings
from xwtui.session.verbs.registry import run_line
from xwtui.words.sources import Vocabulary, load_lexicon, vocabulary_of

NOT_LOADED = "words: not loaded yet, so answers and rules were not checked against the lists"


def test_a_check_reports_that_words_are_not_loaded(bench: Session) -> None:
    assert NOT_LOADED in run_line(bench, "check").lines


def test_a_check_waits_for_an_entrys_list_before_judging_its_answer(small: Session, tmp_path: Path) -> None:
    own = tmp_path / "own.dict"
    own.write_text("OXO;95\n", encoding="utf-8")
    small.wait_until_ready(PATIENCE_SECONDS)
    said(small, "set 1A OXO", f"rule 1A --list {own} --min 90")
    for _ in range(2):
        lines = found(small, "check").lines
        assert not [line for line in lines if line.startswith("broken rule: 1A")]
        assert NOT_LOADED not in lines


def test_a_check_waits_for_loading_words(small: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    may_go_on = threading.Event()
    load = VocabularyRequest.load

    def late(request: VocabularyRequest) -> Vocabulary:
        assert may_go_on.wait(PATIENCE_SECONDS)
        return load(request)

    monkeypatch.setattr(VocabularyRequest, "load", late)
    small.start()
    run_line(small, "set 1A BAX")
    reply = run_line(small, "check")
    assert reply.started
    assert not small.wait(0.05)
    may_go_on.set()
    assert small.wait(PATIENCE_SECONDS)
    assert reply.answer is not None
    lines = reply.answer().lines
    assert NOT_LOADED not in lines
    assert any(line.startswith("missing clue") for line in lines)


def test_findings_from_earlier_words_are_freed(small: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise each score change would keep the previous words alive, in each tab."""
    words = small.jobs.words
    small.wait_until_ready(PATIENCE_SECONDS)

    class Repeats(deque[Any]):
        def clear(self) -> None:
            assert words.is_loading, "they are freed before the new words are in use"
            super().clear()

    monkeypatch.setattr(words, "_repeats", Repeats(maxlen=2))
    for score in (60, 70):
        run_line(small, f"score OXO {score}")
        words.repeats(small.puzzle)
        small.wait_until_ready(PATIENCE_SECONDS)
        assert all(lexicon is words.lexicon for _, lexicon, _ in words._repeats)


def test_words_that_arrive_while_counts_are_requested_are_counted(
    small: Session, ear: Ear, monkeypatch: pytest.MonkeyPatch
) -> None:
    once_loaded(small, ear)
    counted: list[tuple[int, int]] = []
    here = threading.get_ident()

    def is_loading(words: WordLoader) -> bool:
        if threading.get_ident() != here:  # the thread that loads may not wait for itself
            return words._settled != words._wanted
        while words._settled != words._wanted:
            time.sleep(0.001)
        return False

    def start(revision: int, task: Task) -> None:
        counted.append((revision, len(task.lexicon)))

    monkeypatch.setattr(WordLoader, "is_loading", property(is_loading))
    monkeypatch.setattr(small.jobs.live_counts, "start", start)
    run_line(small, "words --min-score 20")
    assert {words for revision, words in counted if revision == small.revision} == {8}


def puzzle_of(text: str) -> Puzzle:
    return puzzle_of_grid(grid_from_text(text))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two puzzles, one of them unfinished, and other files."""
    folder = tmp_path / "published"
    folder.mkdir()
    write_puzzle(folder / "one.ipuz", puzzle_of("BAG\nI#E\nTEN\n"))
    write_puzzle(folder / "two.puz", puzzle_of("TAG\n###\nOX.\n"), lossy=True)
    (folder / "notes.txt").write_text("no puzzle")
    return folder


ANSWERS = frozenset({"BAG", "TEN", "BIT", "GEN", "TAG"})
"""The complete answers of both."""


def test_finished_entries_are_read(folder: Path) -> None:
    found = recent_answers(str(folder), None)
    assert (found.answers, found.notices) == (ANSWERS, ())


def test_the_folder_is_relative_to_the_puzzles_own(folder: Path) -> None:
    assert recent_answers("published", folder.parent / "new.ipuz").answers == ANSWERS
    assert recent_answers("", folder.parent / "new.ipuz").answers == frozenset()


def test_the_puzzle_itself_is_left_out(folder: Path) -> None:
    found = recent_answers(".", folder / "one.ipuz")
    assert found.answers == {"TAG"}


def test_unreadable_files_are_reported(folder: Path) -> None:
    for number in range(5):
        (folder / f"bad{number}.puz").write_bytes(b"not a puzzle")
    found = recent_answers(str(folder), None)
    assert found.answers == ANSWERS
    assert len(found.notices) == 4
    assert "bad" in found.notices[0]
    assert found.notices[-1] == "recent puzzles: 2 more cannot be read"
    missing = recent_answers(str(folder / "missing"), None)
    assert (missing.answers, len(missing.notices)) == (frozenset(), 1)
    assert "there is no folder" in missing.notices[0]


def test_a_file_is_reread_only_when_it_changes(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def counting(path: Path) -> Puzzle:
        read.append(path.name)
        return puzzle_of("ICE\n###\n...\n")

    monkeypatch.setattr(module, "read_puzzle", counting)
    assert recent_answers(str(folder), None).answers == {"ICE"}
    recent_answers(str(folder), None)
    assert sorted(read) == ["one.ipuz", "two.puz"]
    os.utime(folder / "two.puz", ns=(1, 1))
    recent_answers(str(folder), None)
    assert sorted(read) == ["one.ipuz", "two.puz", "two.puz"]


def test_only_the_newest_files_are_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_RECENT", 1)
    os.utime(folder / "two.puz", ns=(1, 1))
    found = recent_answers(str(folder), None)
    assert found.answers == {"BAG", "TEN", "BIT", "GEN"}
    assert found.notices == ("recent puzzles: only the newest 1 of 2 are used",)


def test_a_request_loads_words_that_include_them(folder: Path, small_list: Path) -> None:
    (folder / "bad.puz").write_bytes(b"not a puzzle")
    choice = WordChoice(lists=(str(small_list),), recent="published")
    request = VocabularyRequest.of(replace(Puzzle.blank(3, 3), words=choice), folder.parent / "new.ipuz")
    words = request.load()
    appeals = dict(zip(words.lexicon.table(3).words(), words.lexicon.appeal(3).tolist(), strict=True))
    assert appeals == {"TEN": 20, "ICE": 60, "BIT": 5, "BAG": 0, "GEN": 0, "ACE": 45}
    assert len(words.warnings) == 1


USED, NEW = ("BAG", "ICE", "TEN"), ("ABC", "DEF", "GHI")


def test_a_learned_list_replaces_a_folder_and_runs_report_the_cost_of_repeats(
    bench: Session, tmp_path: Path
) -> None:
    used, new = ([*rows, *map("".join, zip(*rows, strict=True))] for rows in (USED, NEW))
    layers = user_lists_folder()
    layers.mkdir(parents=True)
    (layers / "past.txt").write_text("".join(f"{word};50\n" for word in used), encoding="utf-8")
    on_three_by_three(
        bench, "".join([*(f"{word};70\n" for word in used), *(f"{word};60\n" for word in new)]), tmp_path
    )
    said(bench, "prefer --recent past")

    def best(line: str) -> tuple[str, ...]:
        do(bench, line)
        found = min(rows(bench), tuple(map("".join, zip(*rows(bench), strict=True))), key=lambda one: one[0][1:])
        run_line(bench, "undo")
        return found

    for verb in ("improve --time 60", "fill --best --time 60"):
        assert best(f"{verb} --repeat-cost 0") == USED
        assert best(f"{verb} --repeat-cost 100") == best(verb) == NEW
    said(bench, "prefer --repeat-cost 5")
    assert load_settings().repeat_cost == 5
    assert best("improve --time 60") == USED, "as the settings have it"
    vocabulary = known(bench.jobs.words.wait(lambda: False))
    assert vocabulary.lexicon.preferences.repeat_cost == 5, "so that swaps, steps and the live fill have it, too"
    assert best("improve --time 60 --repeat-cost 50") == NEW
    refuses(bench, "fill --repeat-cost 101", "from 0 to 100", XwtuiError)


CORNER = Position(0, 0)
HEARTS = RebusPlacing((Content.of("HEART"),), 1, 2)


@pytest.fixture
def vocabulary(small_list: Path) -> Vocabulary:
    choice = WordChoice(lists=(str(small_list),))
    return vocabulary_of(load_lexicon(choice), choice)


def test_pencil_marks_and_symmetry_keep_the_problem(vocabulary: Vocabulary) -> None:
    blank = Puzzle.blank(3, 3)
    marked = edits.toggle_circle(edits.set_square(blank, CORNER, Content.of("B"), Ink.PENCIL), CORNER)
    marked = replace(marked, symmetry=Symmetry.NONE)
    holder = ProblemHolder()
    problem = holder.problem(Task.of(blank, vocabulary))
    assert holder.problem(Task.of(marked, vocabulary)) is problem


@pytest.mark.parametrize(
    "change",
    [
        lambda puzzle: edits.set_square(puzzle, CORNER, Content.of("B")),
        lambda puzzle: replace(puzzle, rules=ruled(shared_substring=3)),
        lambda puzzle: replace(puzzle, rules=ruled(entries={(CORNER, Direction.ACROSS): asked(60)})),
    ],
)
def test_pen_and_rules_change_the_problem(vocabulary: Vocabulary, change: object) -> None:
    assert callable(change)
    blank = Puzzle.blank(3, 3)
    one, other = Task.of(blank, vocabulary), Task.of(change(blank), vocabulary)
    assert not same_problem(one, other)
    assert same_problem(one, Task.of(blank, vocabulary))


def test_symmetry_matters_if_new_squares_keep_it(vocabulary: Vocabulary) -> None:
    mirrored = replace(Puzzle.blank(3, 3), rules=ruled(placings=(replace(HEARTS, symmetric=True),)))
    free = replace(Puzzle.blank(3, 3), rules=ruled(placings=(HEARTS,)))

    def is_same_without(puzzle: Puzzle) -> bool:
        other = replace(puzzle, symmetry=Symmetry.NONE)
        return same_problem(Task.of(puzzle, vocabulary), Task.of(other, vocabulary))

    assert not is_same_without(mirrored)
    assert is_same_without(free)


def test_an_entrys_list_has_the_bans_and_scores_of_the_puzzle(tmp_path: Path, small_list: Path) -> None:
    (tmp_path / "themes.dict").write_text("HEART\nHEARTH\n", encoding="utf-8")
    choice = WordChoice((str(small_list),), banned=frozenset({"HEARTH"}), scores={"HEART": 90})
    own = vocabulary_of(load_lexicon(choice, tmp_path), choice, ["themes.dict"], tmp_path).own_lists["themes.dict"]
    assert own.table(5).words() == ["HEART"]
    assert own.score("HEART") == 90
    assert not own.table(6).words()


def test_a_missing_entry_list_is_reported(small_list: Path) -> None:
    choice = WordChoice((str(small_list),))
    loaded = load_lexicon(choice)
    with pytest.raises(WordListError, match=r"no word list 'themes\.dict'"):
        vocabulary_of(loaded, choice, ["themes.dict"])


def test_a_change_of_rules_updates_the_figures(small: Session, ear: Ear) -> None:
    small.wait_until_ready()
    before = small.revision
    small.edit("rule", lambda puzzle: replace(puzzle, rules=ruled(shared_substring=3)))
    assert small.revision > before
    assert ear.wait_for(OptionsReady, lambda message: message.revision == small.revision).options


def test_a_change_of_the_rules_drops_the_search(small: Session) -> None:
    small.jobs.fill.step()
    assert small.wait(PATIENCE_SECONDS)
    assert small.jobs.fill.view is not None
    small.edit("rule", lambda puzzle: replace(puzzle, rules=ruled(shared_substring=3)))
    assert small.jobs.fill.view is None


def test_rules_and_entry_lists_reach_the_engine(tmp_path: Path, small_list: Path) -> None:
    (tmp_path / "own.dict").write_text("TAG\nOXO\n", encoding="utf-8")
    choice = WordChoice((str(small_list),), minimum_score=40)
    rule = asked(word_list="own.dict", minimum_score=0, lacks=("X",))
    puzzle = replace(Puzzle.blank(3, 3), words=choice, rules=ruled({(CORNER, Direction.ACROSS): rule}))
    vocabulary = vocabulary_of(load_lexicon(choice, tmp_path), choice, puzzle.rules.own_lists, tmp_path)
    problem = Problem.of(Task.of(puzzle, vocabulary))
    assert problem.words(problem.slot_numbers["1A"]) == ["TAG"]
    assert len(problem.words(problem.slot_numbers["1D"])) == 6


class Resting:
    """A fake counter."""

    def __init__(self) -> None:
        self.rests = 0

    def release(self) -> None:
        self.rests += 1


def test_a_counter_rests_unless_in_use(vocabulary: Vocabulary, monkeypatch: pytest.MonkeyPatch) -> None:
    holder, counter = CounterHolder(), Resting()
    holder.rest()
    monkeypatch.setattr("xwtui.engine.count.estimator.Counter", lambda _: counter)
    with holder.counter(Problem.of(Task.of(Puzzle.blank(3, 3), vocabulary))):
        holder.rest()
        assert counter.rests == 0
    holder.rest()
    assert counter.rests == 1


def test_a_counter_is_freed_before_the_next_problem_is_built(vocabulary: Vocabulary) -> None:
    holder, problems, asked = (
        CounterHolder(),
        ProblemHolder(),
        Task.of(Puzzle.blank(3, 3), vocabulary),
    )
    with holder.counter(problems.problem(asked)) as counter:
        gone = ref(counter)
        holder.rest(is_over=True)
    del counter
    assert gone() is not None
    holder.rest(is_over=True)
    assert gone() is None


def test_a_search_over_many_grids_leaves_only_the_puzzles_words(vocabulary: Vocabulary) -> None:
    task = Task.of(Puzzle.blank(3, 3), vocabulary)
    problem = Problem.of(task)
    other = Problem.of(replace(task, grid=Puzzle.blank(4, 4).grid, lexicon=vocabulary.lexicon.without(["TEN"])))
    gone = ref(other.joined)
    del other
    word_stock.release_tables(vocabulary.lexicon)
    assert gone() is None
    assert [each._lexicon for each in word_stock._kept.values()] == [vocabulary.lexicon]
    assert Problem.of(task).joined is problem.joined


def test_entered_forms_are_held_only_while_the_problem_needs_them(vocabulary: Vocabulary) -> None:
    problems, blank = ProblemHolder(), Puzzle.blank(3, 3)
    latent = replace(
        blank, rules=Rules(grid=(EnteredOtherwise(AlteredEntries(Treatment(Entering.CHANGE), Direction.ACROSS)),))
    )
    problem = problems.problem(Task.of(latent, vocabulary))
    table = next(table for table in problem.tables if table.marks is not None)
    assert not any(table in tables for tables in tables_of_words.joined_last)
    gone = ref(table.symbols)
    del problem, table
    problems.problem(Task.of(blank, vocabulary))
    word_stock._made.forget()
    assert gone() is None


def test_a_counter_of_a_dropped_problem_is_freed(vocabulary: Vocabulary) -> None:
    holder, asked = CounterHolder(), Task.of(Puzzle.blank(3, 3), vocabulary)
    problem, other = Problem.of(asked), Problem.of(asked)
    with holder.counter(problem) as counter:
        gone = ref(counter)
    del counter
    holder.forget(other)
    assert gone() is not None
    holder.forget(problem)
    assert gone() is None


def test_a_new_problem_is_announced_while_it_is_built(
    vocabulary: Vocabulary, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So memory of the earlier problem is freed before the next exists."""
    holder, told = ProblemHolder(), threading.Event()
    before, after = (Task.of(Puzzle.blank(3, width), vocabulary) for width in (3, 4))
    holder.problem(before)
    assert holder.has(before)
    lay_out = Problem.of

    def ask() -> None:
        if not holder.has(before):
            told.set()

    def asked_meanwhile(asked: Task) -> Problem:
        threading.Thread(target=ask, daemon=True).start()
        assert told.wait(PATIENCE_SECONDS)
        return lay_out(asked)

    monkeypatch.setattr(Problem, "of", asked_meanwhile)
    holder.problem(after)


def test_held_live_counts_keep_no_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    held, rests = iter([True, True, False]), Resting()
    session = Session(lambda _: None)
    own = session.jobs.live_counts.context.scheduler
    monkeypatch.setattr(Scheduler, "has_requested_work", property(lambda one: one is own and next(held)))
    monkeypatch.setattr(CounterHolder, "rest", lambda _: rests.release())
    session.jobs.live_counts._yield_to_requests(lambda: False)
    assert (rests.rests, next(held, None)) == (1, None)
    monkeypatch.undo()
    session.close()

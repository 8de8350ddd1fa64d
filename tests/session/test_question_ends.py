"""How questions end: when they are cancelled, when the grid changes, and when the session closes."""

from dataclasses import replace

import pytest

from tests.session.listening import PATIENCE_SECONDS, Ear
from tests.session.saying import do
from tests.session.test_runs import write
from xwtui.engine.events.event import Outcome
from xwtui.engine.fill.filler import Filler
from xwtui.engine.problem.problem import Problem
from xwtui.engine.problem.task import Task
from xwtui.errors import VerbError
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Content, Ink, Position, Symmetry, WordChoice
from xwtui.resources import puzzles_folder
from xwtui.session.jobs.question import BlocksQuestion, HeatQuestion, Question, ThemersQuestion, WhyQuestion
from xwtui.session.jobs.question_answers import answer
from xwtui.session.messages import FindingsReady, QuestionAsked
from xwtui.session.session import Session
from xwtui.session.verbs.registry import run_line
from xwtui.words.vocabulary import load_lexicon

_LONGEST_SLICE = 0.02
"""Seconds of search between two looks at whether it is over."""


class Ledger:
    """Counts what is done between two looks at whether it is over: slices of search, and problems laid out."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.looks = 0
        self.most = 0
        self._since = 0
        advance, of = Filler.advance, Problem.of

        def counted_advance(filler: Filler, nodes: int = 1, seconds: float | None = None) -> Outcome:
            assert seconds is not None
            assert seconds <= _LONGEST_SLICE
            self._note()
            return advance(filler, nodes, seconds)

        def counted_of(task: Task) -> Problem:
            self._note()
            return of(task)

        monkeypatch.setattr(Filler, "advance", counted_advance)
        monkeypatch.setattr(Problem, "of", counted_of)

    def _note(self) -> None:
        self._since += 1
        self.most = max(self.most, self._since)

    def look(self) -> bool:
        self.looks += 1
        self._since = 0
        return False


@pytest.fixture
def stuck() -> Task:
    """A 9x9 in which Q and X stand side by side."""
    grid = grid_from_text((puzzles_folder() / "templates" / "9x9-01.txt").read_text())
    letters = {
        Position(0, column): replace(grid[Position(0, column)], content=Content.of(letter), ink=Ink.PEN)
        for column, letter in enumerate("QX")
    }
    return Task(grid.with_squares(letters), load_lexicon(WordChoice(), None).lexicon)


@pytest.fixture
def open_task(stuck: Task) -> Task:
    """The same without them."""
    grid = grid_from_text((puzzles_folder() / "templates" / "9x9-01.txt").read_text())
    return replace(stuck, grid=grid)


ALL_QUESTIONS: tuple[Question, ...] = (
    WhyQuestion(),
    BlocksQuestion(),
    ThemersQuestion(("AREA", "IDEA", "OREO", "ALOE")),
    ThemersQuestion(("AREA", "IDEA", "OREO", "ALOE"), together=False),
    HeatQuestion(),
)


@pytest.mark.parametrize("question", ALL_QUESTIONS, ids=lambda question: question.title)
@pytest.mark.parametrize("is_stuck", [True, False])
def test_little_is_done_between_two_looks(
    question: Question, is_stuck: bool, stuck: Task, open_task: Task, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A few slices or problems at most, tens of milliseconds each: so that cancelling takes no longer."""
    ledger = Ledger(monkeypatch)
    task = stuck if is_stuck else open_task
    findings = answer(question, task, Symmetry.ROTATION_180, ledger.look, lambda _: None)
    told = "why the grid cannot be filled" if is_stuck else "the grid can be filled"
    assert findings.title == (told if question == WhyQuestion() else question.title)
    assert ledger.most <= 3


@pytest.mark.parametrize("question", ALL_QUESTIONS, ids=lambda question: question.title)
@pytest.mark.parametrize("looks", [0, 1, 4, 20])
def test_cancelling_ends_at_the_next_look(question: Question, looks: int, stuck: Task) -> None:
    """Once a look has said that it is over, hardly any other follows, and what was found is handed out."""
    asked = 0

    def is_over() -> bool:
        nonlocal asked
        asked += 1
        return asked > looks

    findings = answer(question, stuck, Symmetry.ROTATION_180, is_over, lambda _: None)
    assert asked <= looks + 6
    is_explained = question == WhyQuestion() and findings.is_possible is False
    assert findings.title == ("why the grid cannot be filled" if is_explained else question.title)


def test_an_edit_ends_a_question_and_undo_brings_its_findings_back(endless: Session, ear: Ear) -> None:
    run_line(endless, "whatif blocks --time 600")
    assert ear.of(QuestionAsked)[-1].question == BlocksQuestion(seconds=600.0)
    ear.wait_for(FindingsReady)
    write(endless, "Q")
    assert endless.wait(PATIENCE_SECONDS)
    assert not endless.jobs.question.is_busy
    assert endless.jobs.question.findings is None
    assert endless.jobs.question.question is None
    endless.undo()
    assert endless.jobs.question.findings is not None
    assert run_line(endless, "findings").lines


def test_stop_asking_leaves_a_run_alone(endless: Session, ear: Ear) -> None:
    endless.jobs.fill.fill(seconds=600.0)
    run_line(endless, "whatif blocks --time 600")
    ear.wait_for(FindingsReady)
    endless.jobs.question.stop()
    assert endless.jobs.fill.is_running
    endless.stop()
    assert endless.wait(PATIENCE_SECONDS)


def test_a_proposal_is_made_by_its_key_wherever_it_stands_by_then(small: Session) -> None:
    write(small, "Q")
    do(small, "why")
    chosen = small.jobs.question.proposal(1)
    assert chosen.text == "change Q at r1c1 to B"
    do(small, "why --time 20")
    again = small.jobs.question.proposal_of(chosen.key)
    assert again is not chosen
    assert small.follow(again).text == chosen.text
    assert str(small.puzzle.grid[Position(0, 0)].content) == "B"
    with pytest.raises(VerbError, match="has changed"):
        small.jobs.question.proposal_of(chosen.key)


def test_closing_ends_a_question(endless: Session, ear: Ear) -> None:
    run_line(endless, "why --time 600")
    ear.wait_for(QuestionAsked)
    endless.close()
    assert not endless.jobs.question.is_busy

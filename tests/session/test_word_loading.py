"""What a check tells while words are on their way: nothing that only the lists just asked for can tell."""

import threading
from pathlib import Path

import pytest

from tests.session.listening import PATIENCE_SECONDS
from tests.session.saying import found
from xwtui.session.jobs.word_loader import VocabularyRequest
from xwtui.session.session import Session
from xwtui.session.verbs.registry import run_line
from xwtui.words.vocabulary import Vocabulary

NOT_LOADED = "words: not loaded yet, so answers and rules were not checked against the lists"


def test_a_check_says_that_no_words_are_there_yet(bench: Session) -> None:
    assert NOT_LOADED in run_line(bench, "check").lines


def test_a_check_waits_for_the_list_of_an_entry_before_it_holds_an_answer_against_it(
    small: Session, tmp_path: Path
) -> None:
    own = tmp_path / "own.dict"
    own.write_text("OXO;95\n", encoding="utf-8")
    small.wait_until_ready(PATIENCE_SECONDS)
    run_line(small, "set 1A OXO")
    run_line(small, f"rule 1A --list {own} --min 90")
    for _ in range(2):
        lines = found(small, "check").lines
        assert not [line for line in lines if line.startswith("broken rule: 1A")]
        assert NOT_LOADED not in lines


def test_a_check_waits_for_words_that_load(small: Session, monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_what_was_said_of_a_grid_in_earlier_words_is_let_go(small: Session) -> None:
    """Else each change of a score would keep the words before it, in each tab."""
    words = small.jobs.words
    small.wait_until_ready(PATIENCE_SECONDS)
    for score in (60, 70):
        run_line(small, f"score OXO {score}")
        words.repeats(small.puzzle)
        small.wait_until_ready(PATIENCE_SECONDS)
        assert all(lexicon is words.lexicon for _, lexicon, _ in words._repeats)

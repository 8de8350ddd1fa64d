"""Tasks: named by all that they depend on and by nothing else; as bytes and back."""

from dataclasses import replace

import pytest

from tests.batch.batches import BLANK, SETTINGS, WORDS, packed, subject_of, task_of, vocabulary_of
from xwtui.batch.judge import judged
from xwtui.batch.packed_words import pack_list, pack_words, unpack_list, unpack_words
from xwtui.batch.subjects import asked_of_puzzle, race_task, read_puzzle_text
from xwtui.batch.tasks import BatchKind, BatchTask, TaskResult, TaskState, canonical
from xwtui.batch.work import do_task, hold
from xwtui.errors import WordListError
from xwtui.formats.grid_text import grid_from_text, puzzle_of_grid
from xwtui.model import Content, Ink, Position
from xwtui.model.edits import set_square
from xwtui.words.alphabets import find_alphabet
from xwtui.words.lexicon import Lexicon, Preferences
from xwtui.words.sources import Vocabulary
from xwtui.words.word_list import WordList


def test_a_task_comes_back_from_its_bytes() -> None:
    task = task_of(seed=7)
    again = BatchTask.from_bytes(task.to_bytes())
    assert again == task
    assert again.name == task.name


def test_whatever_a_result_depends_on_makes_another_task() -> None:
    task = task_of()
    others = [
        task_of(seed=1),
        task_of("A..\n...\n..."),
        task_of("#..\n...\n..."),
        task_of(kind=BatchKind.COUNT),
        replace(task, vocabulary="other"),
        replace(task, settings=replace(task.settings, seconds=1)),
        replace(task, settings=replace(task.settings, allow_repeats=True)),
    ]
    assert len({task.name, *(one.name for one in others)}) == len(others) + 1


def test_a_title_and_pencil_make_no_other_task() -> None:
    plain = puzzle_of_grid(grid_from_text(BLANK))
    dressed = replace(
        set_square(plain, Position(0, 0), Content.of("A"), Ink.PENCIL), title="Other", notes="new", author="me"
    )
    assert asked_of_puzzle(dressed) == asked_of_puzzle(plain)
    assert read_puzzle_text(asked_of_puzzle(plain)).grid == plain.grid
    assert subject_of(title="one").digest == subject_of(title="other").digest


def test_what_is_given_is_asked_for() -> None:
    puzzle = puzzle_of_grid(grid_from_text("A..\n.#.\n..."))
    task = race_task(asked_of_puzzle(puzzle), vocabulary_of(), False)
    assert task.engine_task.given == {Position(0, 0): Content.of("A")}


def words_with_all() -> Vocabulary:
    tagged = WordList.from_scores("tagged", WORDS, {"verb": ["ABC", "DEF"], "noun": ["CAB"]})
    lists = (tagged, WordList.from_scores("other", {"ZYX": 5, "LONGER": 77}))
    preferences = Preferences((lists[1],), WordList.from_scores("recent", {"ABC": 0}))
    lexicon = Lexicon.build(lists, minimum_score=4, banned=["CAB"], scores={"OWN": 90}, preferences=preferences)
    return Vocabulary(lexicon, {"own": Lexicon.build([lists[1]])})


def test_words_come_back_from_their_bytes() -> None:
    words = words_with_all()
    again = unpack_words(packed_again := pack_words(words))
    assert again.lexicon.fingerprint == words.lexicon.fingerprint
    assert again.own_lists["own"].fingerprint == words.own_lists["own"].fingerprint
    assert again.lexicon.tags_of("ABC") == words.lexicon.tags_of("ABC") == ("verb",)
    assert list(again.lexicon.layers[1]) == list(words.lexicon.layers[1])
    assert pack_words(again).digest == packed_again.digest


def test_the_alphabet_travels_with_the_words_and_the_puzzle() -> None:
    swedish = find_alphabet("swedish")
    list_ = WordList.from_scores("ord", dict.fromkeys(("ÅÄÖ", "ABC", "DEF", "ÅAD", "ÄBE", "ÖCF"), 50))
    words = Vocabulary(Lexicon.build([list_], alphabet=swedish))
    again = unpack_words(pack_words(words))
    assert again.lexicon.alphabet == swedish
    assert again.lexicon.fingerprint == words.lexicon.fingerprint
    blank = puzzle_of_grid(grid_from_text(BLANK))
    puzzle = replace(blank, words=replace(blank.words, alphabet=swedish))
    assert asked_of_puzzle(puzzle) != asked_of_puzzle(blank)
    task = BatchTask(BatchKind.FILL, asked_of_puzzle(puzzle), pack_words(words).digest, 0, SETTINGS)
    hold(pack_words(words))
    result = judged(task, TaskResult.from_bytes(do_task(task).to_bytes()), again)
    assert result.state is TaskState.FOUND, result.reason
    assert "".join(result.finds[0].rows) in ("ÅÄÖABCDEF", "ÅADÄBEÖCF")


def test_other_words_have_another_digest() -> None:
    assert packed().digest == packed(dict(reversed(WORDS.items()))).digest
    assert packed().digest != packed({**WORDS, "ABC": 51}).digest


@pytest.mark.parametrize("damage", ["cut", "flip", "other", "empty"])
def test_damaged_words_are_not_taken(damage: str) -> None:
    [(fingerprint, data)] = packed().lists.items()
    middle = len(data) // 2
    changed = {
        "cut": data[:middle],
        "flip": data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :],
        "other": pack_list(WordList.from_scores("other", {"ABC": 1})),
        "empty": b"",
    }[damage]
    with pytest.raises(WordListError):
        unpack_list(changed, fingerprint)


def test_a_list_that_is_missing_is_told() -> None:
    with pytest.raises(WordListError, match="missing"):
        unpack_words(replace(packed(), lists={}))


def test_plain_data_is_one_text_whatever_its_order() -> None:
    assert (
        canonical({"b": "É", "a": [1, None]}) == canonical({"a": [1, None], "b": "É"}) == '{"a":[1,null],"b":"É"}'
    )


def test_all_but_designs_are_about_puzzles() -> None:
    assert [kind for kind in BatchKind if not kind.is_about_puzzles] == [BatchKind.DESIGN]

"""`xwtui compose`: crossword-composer's lists of square numbers, from JSON."""

import json
from pathlib import Path

import pytest

from tests.shell.process import user_folders, xwtui

README = "[[0, 1, 3, 6, 7, 11], [2, 3, 4, 5], [7, 8, 9, 10]]"
"""The example of crossword-composer's own text."""
WORDS = ["SHAKEN", "DARK", "KING", "SHRIEK", "DRAW", "EGGS"]


@pytest.fixture
def words(tmp_path: Path) -> Path:
    path = tmp_path / "words.txt"
    path.write_text("\n".join(WORDS))
    return path


def compose(text: str, words: Path, *arguments: str) -> tuple[int, str, str]:
    """Status, stdout and stderr."""
    lists = words.parent / "lists.json"
    lists.write_text(text)
    done = xwtui("compose", lists, "--words", words, *arguments, environment=user_folders(words.parent / "home"))
    return done.returncode, done.stdout, done.stderr


def test_words_come_in_the_order_of_the_lists(words: Path) -> None:
    status, out, err = compose(README, words)
    assert status == 0
    assert out.split() in (["SHAKEN", "DARK", "EGGS"], ["SHRIEK", "DRAW", "EGGS"])
    assert "solved" in err


def test_all_solutions_are_counted_as_json(words: Path) -> None:
    status, out, _ = compose(README, words, "--all", "--json")
    found = json.loads(out)
    assert status == 0
    assert (found["status"], found["fills"], found["all_fills"]) == ("filled", count_by_hand(), True)
    assert found["squares"] == list(range(12))
    at = dict(zip(found["squares"], found["letters"], strict=True))
    assert ["".join(at[square] for square in one) for one in json.loads(README)] == found["words"]
    assert set(found["words"]) <= set(WORDS)


def count_by_hand() -> int:
    """The solutions of the example with different words, tried one by one."""
    first, *rest = json.loads(README)
    assert [len(first), *map(len, rest)] == [6, 4, 4]
    fours = [word for word in WORDS if len(word) == 4]
    return sum(
        six[2] == second[1] and six[4] == third[0] and second != third
        for six in WORDS
        if len(six) == 6
        for second in fours
        for third in fours
    )


def test_words_may_be_asked_to_stand_twice(words: Path) -> None:
    twice = "[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11], [12, 13, 14, 15], [16, 17, 18, 19]]"
    assert compose(twice, words)[0] == 1
    assert compose(twice, words, "--allow-repeats")[0] == 0


def test_no_solution_is_told(words: Path) -> None:
    status, out, err = compose("[[0, 1, 2]]", words)
    assert (status, out) == (1, "")
    assert "no words fit these lists" in err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[0, 1", "the constraints are not JSON"),
        ('{"a": 1}', "a list of lists of square numbers, such as [[0, 1, 3], [2, 3, 4]]"),
    ],
)
def test_what_is_no_list_is_told(words: Path, text: str, message: str) -> None:
    status, out, err = compose(text, words)
    assert (status, out) == (2, "")
    assert message in err
    assert len(err.splitlines()) == 1


def test_a_file_that_is_not_there_is_told(words: Path) -> None:
    done = xwtui("compose", words.parent / "none.json", environment=user_folders(words.parent / "home"))
    assert done.returncode == 2
    assert "none.json: No such file or directory" in done.stderr


def test_bytes_that_are_no_text_are_told(words: Path) -> None:
    lists = words.parent / "bytes.json"
    lists.write_bytes(b"\xff\xfe[[0]]")
    done = xwtui("compose", lists, environment=user_folders(words.parent / "home"))
    assert done.returncode == 2
    assert "not JSON" in done.stderr

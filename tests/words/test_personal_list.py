"""The personal list: edits preserve handwritten text, and are undone unless the line has changed since."""

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xwtui.errors import WordListError
from xwtui.words.normalise import normalise
from xwtui.words.personal_list import PersonalList

TEXT = """\
# good ones
AXLE;60
Crème brûlée;70;name

ah so;50 // dated
axle ; 65
AHSO\t10
not a word ☃;x
"""


@pytest.fixture
def mine(tmp_path: Path) -> PersonalList:
    return PersonalList(tmp_path / "folder" / "mine.dict")


def text_of(mine: PersonalList) -> str:
    return mine.path.read_text(encoding="utf-8")


def written(mine: PersonalList, text: str) -> PersonalList:
    mine.path.parent.mkdir(exist_ok=True)
    mine.path.write_text(text, encoding="utf-8", newline="")
    return mine


def scores_of(mine: PersonalList) -> Mapping[str, int]:
    return dict(mine.read().word_list)


def test_the_first_edit_creates_the_file(mine: PersonalList) -> None:
    assert scores_of(mine) == {}
    assert not mine.edit({"AXLE": None})
    assert not mine.path.exists()
    mine.edit({"AHSO": 0, "AXLE": 80})
    assert text_of(mine).splitlines()[1:] == ["AHSO;0", "AXLE;80"]
    assert scores_of(mine) == {"AHSO": 0, "AXLE": 80}


def test_an_edit_keeps_comments_order_and_other_fields(mine: PersonalList) -> None:
    written(mine, TEXT)
    mine.edit({"CREMEBRULEE": 75, "OREO": 20})
    assert text_of(mine) == TEXT.replace(";70;name", ";75;name") + "OREO;20\n"


def test_an_edit_of_a_word_with_several_lines_leaves_one(mine: PersonalList) -> None:
    written(mine, TEXT)
    changes = mine.edit({"AXLE": 5})
    assert text_of(mine) == TEXT.replace("AXLE;60", "AXLE;5").replace("axle ; 65\n", "")
    assert mine.revert(changes) == ()
    assert text_of(mine) == TEXT


@pytest.mark.parametrize("text", ["AXLE;60\r\nOREO;1\r\n", "\ufeffAXLE;60\nOREO;1", "AXLE\nOREO;1\n"])
def test_line_endings_byte_order_marks_and_missing_scores(mine: PersonalList, text: str) -> None:
    written(mine, text)
    changes = mine.edit({"AXLE": 61})
    after = mine.path.read_bytes().decode()
    assert after == (text.replace("60", "61") if "60" in text else "AXLE;61\nOREO;1\n")
    mine.revert(changes)
    assert mine.path.read_bytes().decode() == text


def test_a_line_changed_since_is_kept(mine: PersonalList) -> None:
    changes = mine.edit({"AHSO": 0, "OREO": 20})
    written(mine, text_of(mine).replace("AHSO;0", "AHSO;30"))
    assert mine.revert(changes) == ("AHSO",)
    assert scores_of(mine) == {"AHSO": 30}
    assert mine.reapply(changes) == ("AHSO",)
    assert scores_of(mine) == {"AHSO": 30, "OREO": 20}


lines = st.lists(
    st.sampled_from(
        ["AXLE;60", "axle;40;name", "# AXLE;60", "", "OREO\t10", "ah so", "AHSO;x", "☃", "ETUI;0;;x;y"]
    ),
    max_size=6,
)
edits = st.lists(
    st.dictionaries(
        st.sampled_from(["AXLE", "OREO", "AHSO", "EPEE"]), st.one_of(st.none(), st.integers(0, 100)), max_size=3
    ),
    max_size=4,
)


@given(lines, edits)
def test_edits_agree_with_a_dictionary_and_can_be_undone(
    tmp_path_factory: pytest.TempPathFactory, given_lines: list[str], given_edits: list[dict[str, int | None]]
) -> None:
    mine = PersonalList(tmp_path_factory.mktemp("personal") / "mine.dict")
    start = "".join(f"{line}\n" for line in ["# begun", *given_lines])
    written(mine, start)
    done = []
    for edit in given_edits:
        before = dict(mine.read().word_list)
        others = [line for line in text_of(mine).splitlines() if _spelled(line) not in edit]
        done.append(mine.edit(edit))
        assert scores_of(mine) == {word: score for word, score in {**before, **edit}.items() if score is not None}
        assert [line for line in text_of(mine).splitlines() if _spelled(line) not in edit] == others
    end = text_of(mine)
    for changes in reversed(done):
        assert mine.revert(changes) == ()
    assert text_of(mine) == start
    for changes in done:
        assert mine.reapply(changes) == ()
    assert text_of(mine) == end


def _spelled(line: str) -> str:
    """Return the word of a line, parsed independently."""
    head = line.replace("\t", ";").split(";")[0]
    return "" if line.startswith("#") or not head.strip(" ☃") else normalise(head)


def test_uneditable_lines_are_named(mine: PersonalList) -> None:
    written(mine, "AXLE;60\n")
    mine.path.write_bytes(b"AXLE;60\nCR\xc8ME;50\n")
    with pytest.raises(WordListError, match=r"mine\.dict: line 2 is not UTF-8 text"):
        mine.edit({"AXLE": 5})
    assert scores_of(mine) == {"AXLE": 60, "CREME": 50}
    mine.path.unlink()
    mine.path.mkdir()
    with pytest.raises(WordListError, match=r"mine\.dict: cannot be read"):
        mine.read()


def test_a_link_stays_a_link(mine: PersonalList, tmp_path: Path) -> None:
    target = tmp_path / "dotfiles.dict"
    target.write_text("AXLE;60\n", encoding="utf-8")
    mine.path.parent.mkdir()
    mine.path.symlink_to(target)
    mine.edit({"AXLE": 61})
    assert mine.path.is_symlink()
    assert target.read_text(encoding="utf-8") == "AXLE;61\n"


def test_two_processes_keep_each_others_lines(mine: PersonalList) -> None:
    program = (
        "import sys; from pathlib import Path; from xwtui import reading; "
        "from xwtui.words.personal_list import PersonalList\n"
        "reading._LOCK_SECONDS = 300.0\n"
        "mine = PersonalList(Path(sys.argv[1]))\n"
        "for number in range(25): mine.edit({f'{sys.argv[2]}{number}': number})"
    )
    started = [
        subprocess.Popen([sys.executable, "-c", program, str(mine.path), name]) for name in ("ONE", "OTHER")
    ]
    assert [process.wait() for process in started] == [0, 0]
    expected = {f"{name}{number}": number for name in ("ONE", "OTHER") for number in range(25)}
    assert scores_of(mine) == expected

"""Where lines come from: several at once, lines that go on, and whatever else may arrive."""

import io
import random
from pathlib import Path

import pytest

from tests.examples import is_deep
from tests.repl.conftest import CTRL_D, Talk
from xwtui.repl.dialogue import Dialogue, heard_in
from xwtui.repl.line_runner import Inbox
from xwtui.repl.lines import PipedLines, is_unfinished, lines_of, numbered_lines
from xwtui.repl.output import Output
from xwtui.session.session import Session

PASTE = "\x1b[200~{}\x1b[201~"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", []),
        ("set 1A ABC", ["set 1A ABC"]),
        ("set 1A ABC\nundo\n", ["set 1A ABC", "undo"]),
        ("set 1A \\\nABC\nundo", ["set 1A ABC", "undo"]),
        ("title C:\\\\\nundo", ["title C:\\\\", "undo"]),
        ('open "a\nb.ipuz"\nundo', ['open "a b.ipuz"', "undo"]),
        ('title "a\n', ['title "a']),
        ('title "a\n\nundo', ['title "a', "undo"]),
        ("title Don't\nundo", ["title Don't", "undo"]),
        ("set 1A \\", ["set 1A"]),
    ],
)
def test_lines_are_cut_and_joined(text: str, lines: list[str]) -> None:
    assert lines_of(text) == lines


@pytest.mark.parametrize(
    ("text", "more"),
    [
        ("set 1A \\", True),
        ("title \\\\", False),
        ('clue 1A "Yes', True),
        ('clue 1A "Yes"', False),
        ('clue 1A 5" long', False),
        ("clue 1A 'Tis", False),
        ('clue 1A "Yes\n', False),
        ('clue 1A "Yes\nand', True),
    ],
)
def test_an_open_quote_and_a_backslash_ask_for_more(text: str, more: bool) -> None:
    assert is_unfinished(text) == more


def test_a_line_goes_on_after_a_backslash_at_the_prompt_and_over_a_pipe(typed: Talk, piped: Talk) -> None:
    assert typed("set 1A \\\rABC\rsave\r" + CTRL_D).rows()[0] == "ABC"
    assert piped("set 1A \\", "DEF", "save").rows()[0] == "DEF"
    assert typed('title "My\rlong title"\r' + CTRL_D + CTRL_D).session.puzzle.title == "My long title"


def test_lines_have_the_numbers_of_their_first_pieces_and_comments_go_no_further() -> None:
    pieces = ["set 1A \\", "ABC", "# a comment \\", "check", "undo \\"]
    assert list(numbered_lines(pieces, 100)) == [
        (1, "set 1A ABC"),
        (3, "# a comment \\"),
        (4, "check"),
        (5, "undo "),
    ]
    assert list(numbered_lines(["a" * 9 + "\\", "b"], 5)) == [(1, "a" * 9 + "\\"), (2, "b")]


def test_pasted_lines_are_run_one_by_one(typed: Talk) -> None:
    said = typed(PASTE.format("set 1A ABC\nsymmetry none\nlock 1A\n") + "\r" + CTRL_D + CTRL_D)
    assert said.rows()[0] == "A'B'C'"
    assert said.text.index("symmetry") < said.text.index("locked: 1A")


def odd_lines(seed: int, count: int) -> list[bytes]:
    rng = random.Random(seed)
    makers = [
        lambda: rng.randbytes(rng.randrange(60)).replace(b"\n", b""),
        lambda: b"clue 1A " + rng.choice([b'"', b"'", b'"a', b"\\", b"\x1b[2J\x07", b"\xff\xfe"]),
        lambda: rng.choice([b"title ", b"set ", b"change ", b"help "]) + b'A{["' * rng.choice([1, 25_000]),
        lambda: bytes(rng.choice(range(32)) for _ in range(9)).replace(b"\n", b""),
        lambda: rng.choice([b"select ", b"show --size ", b"transcript "]) + rng.randbytes(5).replace(b"\n", b""),
    ]
    return [rng.choice(makers)() for _ in range(count)]


@pytest.mark.parametrize("seed", range(40 if is_deep() else 2))
def test_no_line_ends_the_dialogue(
    seed: int, mini: Path, journals: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Random bytes, unclosed quotes, lines of 100 KB and control characters, and a plain line after them all."""
    monkeypatch.chdir(tmp_path)
    data = b"\n".join([*odd_lines(seed, 150), b"", b"title The end", b""])
    inbox, stream = Inbox(), io.StringIO()
    puzzles = heard_in(inbox, lambda listener: Session(listener, journal_folder=journals))
    lines = PipedLines(io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))
    try:
        Dialogue(puzzles, inbox, lines, Output(stream)).hold(mini)
    finally:
        puzzles.end()
    assert puzzles.current.puzzle.title == "The end"
    assert [line for line in stream.getvalue().split("\n") if not line.isprintable()] == []


def test_what_closed_puzzles_held_is_let_go_before_each_line(mini: Path, journals: Path) -> None:
    inbox, looks = Inbox(), list[int]()
    puzzles = heard_in(inbox, lambda listener: Session(listener, journal_folder=journals))
    other = mini.with_name(f"other{mini.suffix}")
    other.write_bytes(mini.read_bytes())
    lines = PipedLines(io.StringIO(f"tab open {other}\ntab close --force\n"))
    try:
        output = Output(io.StringIO())
        Dialogue(puzzles, inbox, lines, output, let_go=lambda: looks.append(len(puzzles.sessions))).hold(mini)
        assert looks == [1, 2, 1]
    finally:
        puzzles.end()


def test_bytes_that_are_no_text_spoil_their_line_alone() -> None:
    lines = PipedLines(io.TextIOWrapper(io.BytesIO(b"a\xffb\nundo\n"), encoding="utf-8"))
    assert [lines.next_line(""), lines.next_line("")] == ["a\ufffdb", "undo"]
    with pytest.raises(EOFError):
        lines.next_line("")

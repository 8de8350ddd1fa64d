"""`count`, `check`, `convert`, `run` and `repl` as processes."""

import json
import os
import shlex
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.session.saying import open_elsewhere
from tests.shell.conftest import Run
from tests.shell.process import PATIENCE, command, user_folders, xwtui
from tests.writing import written
from xwtui.formats.grid_text import grid_from_text, puzzle_of_grid
from xwtui.formats.registry import read_puzzle, write_puzzle

# count


def test_a_large_count_is_an_interval(run: Run) -> None:
    template = Path(__file__).parents[2] / "puzzles" / "templates" / "15x15-01.txt"
    found = json.loads(run("count", template, "--time", "2", "--json").stdout)
    assert found["exact"] is None
    if found["low"] is not None:
        assert found["low"] <= found["log10"] <= found["high"]
    assert found["log10"] > 20


def test_an_exact_count_reports_a_lower_bound_at_its_time_limit(run: Run) -> None:
    template = Path(__file__).parents[2] / "puzzles" / "templates" / "15x15-01.txt"
    seconds, found = 0.3, {"at_least": None}
    while found["at_least"] is None:  # on a busy machine, the time may pass before the first fill is counted
        assert seconds < PATIENCE
        done = run("count", template, "--exact", "--time", str(seconds), "--json")
        found = json.loads(done.stdout)
        assert done.returncode == 3
        assert found["exact"] is None
        seconds *= 4
    assert found["at_least"] >= 0


def test_an_exact_count_exceeds_what_can_be_enumerated(run: Run, tmp_path: Path, words: Path) -> None:
    grid, free = tmp_path / "grid.txt", tmp_path / "free.dict"
    grid.write_text("...#...#...\n" * 3)
    free.write_text("\n".join(a + b + c for a in "ABC" for b in "ABC" for c in "ABC"))
    asked = ("count", grid, "--words", free, "--exact", "--allow-repeats", "--time", "0", "--json")
    assert json.loads(run(*asked).stdout)["exact"] == 3**27


# check


def test_check_of_a_finished_puzzle_exits_with_0(run: Run, tmp_path: Path) -> None:
    script = "new 3 --symmetry none\nset 1A PEA\nset 4A ARC\nset 5A SKY\n"
    names = ("1A", "4A", "5A", "1D", "2D", "3D")
    script += "".join(f"clue {name} Clue of {name}\n" for name in names)
    path = tmp_path / "done.ipuz"
    run("run", "-", stdin=f"{script}save {path}\n", status=0)
    assert "no findings" in run("check", path, status=0).stdout


def test_check_without_the_puzzles_own_list(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "grid.ipuz"
    words = written(tmp_path / "gone.txt", "ABC\n")
    run("run", "-", stdin=f"new 3\nwords {words}\nsave {path}\n", status=0)
    words.unlink()
    assert "no scores: " in run("check", path, status=1).stderr
    run("check", path, "--words", words, status=2)


def test_titles_cannot_send_terminal_commands(run: Run, tmp_path: Path) -> None:
    path = written(
        tmp_path / "evil.ipuz",
        json.dumps(
            {
                "version": "http://ipuz.org/v2",
                "kind": ["http://ipuz.org/crossword#1"],
                "dimensions": {"width": 3, "height": 3},
                "title": "\x1b]0;owned\x07\u202etitle\x9b2J",
                "puzzle": [[0, 0, 0], [0, 0, 0], [0, 0, 0]],
            }
        ),
    )
    done = run("check", path)
    assert not {"\x1b", "\x07", "\x9b", "\u202e"} & set(done.stdout + done.stderr)


# convert


@pytest.mark.parametrize("suffix", [".puz", ".ipuz", ".json", ".txt", ".xd"])
def test_convert_keeps_the_grid(run: Run, suffix: str, tmp_path: Path) -> None:
    source, target = tmp_path / "in.txt", tmp_path / f"out{suffix}"
    source.write_text("ABC\nD#F\nGHI\n")
    done = run("convert", source, target)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert read_puzzle(target).grid.numbers == read_puzzle(source).grid.numbers


def test_convert_reads_stdin(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "out.ipuz"
    run("convert", "-", target, stdin="ABC\nD#F\nGHI\n", status=0)
    assert read_puzzle(target).grid.height == 3


def test_convert_omits_data_only_on_request_and_reports_it(run: Run, tmp_path: Path) -> None:
    source, target = tmp_path / "in.txt", tmp_path / "out.puz"
    source.write_text("A[X/TIMES]C\nDEF\nGHI\n")
    refused = run("convert", source, target, "--json")
    assert (refused.returncode, json.loads(refused.stdout)["status"]) == (2, "error")
    assert ("r1c2" in refused.stderr, target.exists()) == (True, False)
    done = run("convert", source, target, "--lossy", "--json", status=0)
    assert ("r1c2" in done.stderr, target.exists()) == (True, True)
    document = json.loads(done.stdout)
    assert [document.pop(key) for key in ("schema", "file", "format")] == [1, str(target), ".puz"]
    (lost,) = document.pop("lost")
    assert "r1c2" in lost
    assert document == {"warnings": []}


@pytest.mark.parametrize(
    "line", ["check PIPE", "convert PIPE out.txt", "fill PIPE", "fill GRID --words PIPE", "run PIPE", "watch PIPE"]
)
def test_a_silent_pipe_is_not_waited_for(run: Run, line: str, mini: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    arguments = line.replace("PIPE", str(tmp_path / "pipe")).replace("GRID", str(mini)).split()
    done = run(*arguments, folder=tmp_path, status=2)
    assert "this pipe" in done.stderr or "this is a pipe" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_puzzle_and_words_can_come_from_pipes(mini: Path, words: Path, environment: Mapping[str, str]) -> None:
    called = shlex.join(command("fill"))
    line = f"{called} <(cat {mini}) --words <(cat {words}) --do 'lock 1A'"
    bash = ["bash", "-c", line]
    done = subprocess.run(
        bash, env=dict(environment), capture_output=True, text=True, check=False, timeout=PATIENCE
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["ABC", "DEF", "GHI"]


# run


def test_a_script_builds_a_puzzle(run: Run, tmp_path: Path, words: Path) -> None:
    script = written(
        tmp_path / "script.xwtui",
        (
            "# a comment\n\nnew 3 --symmetry none\n"
            f"words {words}\nset 1A ABC\nlock 1A\nfill --seed 1\nstats\n"
            "save done.ipuz\nexport done.puz\n"
        ),
    )
    done = run("run", script, folder=tmp_path, status=0)
    assert "filled: " in done.stdout
    assert " 1 │ A' B' C'│" in done.stdout
    assert "entries: 6, filled: 6" in done.stdout
    assert "\x1b" not in done.stdout
    assert read_puzzle(tmp_path / "done.ipuz").grid.is_filled
    assert (tmp_path / "done.puz").exists()


def test_a_script_stops_at_its_first_error(run: Run, tmp_path: Path) -> None:
    lines = "new 3\n# two\n\nset 9Z ABC\nexport after.txt\n"
    done = run("run", "-", stdin=lines, folder=tmp_path, status=2)
    assert done.stderr.startswith("xwtui: stdin line 4: ")
    assert len(done.stderr.splitlines()) == 1
    assert not (tmp_path / "after.txt").exists()


@pytest.mark.parametrize(
    ("script", "part"),
    [
        (b"new 3\nfrobnicate\n", "line 2: there is no verb 'frobnicate'"),
        (b"new 3\nset 1A \xff\xfe\n", "is not UTF-8 text"),
        (b"set 1A " + b"A" * 10_000_000, "line 1: this line is too long: it has more than 20,000 characters"),
        (b"new 3\nset 1A A\x1b[2JC\n", "line 2"),
    ],
    ids=["unknown verb", "wrong encoding", "10 MB line", "terminal escape"],
)
def test_bad_scripts_are_refused(run: Run, script: bytes, part: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.xwtui"
    path.write_bytes(script)
    done = run("run", path, folder=tmp_path, status=2)
    assert part in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert "\x1b" not in done.stderr + done.stdout


@pytest.mark.parametrize("name", ["missing.xwtui", "."])
def test_unreadable_scripts_are_refused(run: Run, name: str, tmp_path: Path) -> None:
    assert len(run("run", name, folder=tmp_path, status=2).stderr.splitlines()) == 1


IMPOSSIBLE = "new 3 --symmetry none\nwords {words}\nset 1A ABX\n"
"""No word has an X where 3D begins: propagation proves it without search."""

TOO_FEW = "new 3\ntitle Kept\nwords {folder}/few.txt\n"
"""Six entries and five words, which propagation does not detect: the proof needs some search."""

ENDLESS = "new 10\ntitle Kept\n"
"""A blank word square of order ten, on which no search with the default list finishes during a test."""


@pytest.mark.parametrize(
    ("script", "line", "status"),
    [
        (f"{IMPOSSIBLE}fill\n", 4, 1),
        (f"{IMPOSSIBLE}fill --strict --threads 2\n", 4, 1),
        (f"{IMPOSSIBLE}fill --partial\n", 4, 1),
        (f"{IMPOSSIBLE}fill --best\n", 4, 1),
        (f"{IMPOSSIBLE}fill --all\n", 4, 1),
        (f"{IMPOSSIBLE}fill --strategy xwtui\n", 4, 1),
        (f"{IMPOSSIBLE}fill --count 2\n", 4, 1),
        (f"{IMPOSSIBLE}improve\n", 4, 1),
        (f"{IMPOSSIBLE}step\ncontinue\n", 5, 2),
        (f"{TOO_FEW}fill --all\n", 4, 1),
        (f"{TOO_FEW}step\ncontinue\n", 5, 1),
        (f"{ENDLESS}fill --time 0.2\n", 3, 3),
        (f"{ENDLESS}fill --all --time 0.2\n", 3, 3),
        (f"{ENDLESS}fill --count 2 --time 0.2\n", 3, 3),
        (f"{ENDLESS}set 1A ABCDEFGHIJ\nclear 1A\nfill --time 0.2\n", 5, 3),
        (f"{ENDLESS}improve --time 0.2\n", 3, 3),
    ],
)
def test_a_failed_fill_ends_a_script_with_its_status(
    run: Run, script: str, line: int, status: int, tmp_path: Path, words: Path
) -> None:
    (tmp_path / "few.txt").write_text("AAA\nABA\nBAB\nBBB\nABB\n")
    text = f"{script.format(words=words, folder=tmp_path)}save done.ipuz\n"
    done = run("run", "-", stdin=text, folder=tmp_path, status=status)
    assert done.stderr.startswith(f"xwtui: stdin line {line}: ")
    assert len(done.stderr.splitlines()) == 1
    assert not (tmp_path / "done.ipuz").exists()


def test_a_script_can_continue_after_a_failed_fill(run: Run, tmp_path: Path, words: Path) -> None:
    asks = "count --exact\nwhy\nwhatif blocks\ncheck\nstep 3\n"
    lines = (
        IMPOSSIBLE.format(words=words) + asks + "fill --no-strict\nfill --partial --no-strict\nsave done.ipuz\n"
    )
    done = run("run", "-", stdin=lines, folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "done.ipuz").exists()


def test_a_script_leaves_a_journal_only_after_an_error(run: Run, tmp_path: Path) -> None:
    run("run", "-", stdin="new 3\nset 1A ABC\n")
    assert "unsaved work" not in run("repl").stdout
    run("run", "-", stdin="new 3\nset 1A ABC\nnonsense\n")
    assert "unsaved work" in run("repl").stdout


def test_overwriting_a_file_open_elsewhere_names_its_holder(
    mini: Path, words: Path, tmp_path: Path, environment: Mapping[str, str]
) -> None:
    out = tmp_path / "out.ipuz"
    with open_elsewhere(out, Path(environment["XDG_STATE_HOME"]) / "xwtui" / "journal"):
        done = xwtui("fill", mini, "--words", words, "-o", out, environment=environment, status=0)
    assert "xwtui: out.ipuz is open in another xwtui: process " in done.stderr
    assert read_puzzle(out).grid.is_filled


# repl


def test_an_overlong_line_is_refused_and_the_next_one_runs(run: Run) -> None:
    lines = f"new 3\ntitle {'A' * 10_000_000}\ntitle B\ntitle {'C' * 19_994}\ntitle {'D' * 19_995}"
    done = run("repl", stdin=lines)
    refusal = "! this line is too long: it has more than 20,000 characters"
    told = [line for line in done.stdout.splitlines() if line.startswith(("!", "title"))]
    assert done.returncode == 2, "nothing was saved"
    assert (told[0], told[1], told[3]) == (refusal, "title: B", refusal)
    assert len(told) == 4
    assert not told[2].startswith(refusal)


def test_a_piped_puzzle_has_no_file_to_save_to(mini: Path, tmp_path: Path, environment: Mapping[str, str]) -> None:
    line = f"printf 'title Piped\nsave\nsave out.ipuz\n' | {shlex.join(command('repl'))} <(cat {mini})"
    bash = ["bash", "-c", line]
    done = subprocess.run(
        bash, env=dict(environment), cwd=tmp_path, capture_output=True, text=True, check=False, timeout=PATIENCE
    )
    assert done.returncode == 0, done.stderr
    assert len([one for one in done.stdout.splitlines() if one.startswith("!")]) == 1
    assert "/dev/fd" not in done.stdout
    assert read_puzzle(tmp_path / "out.ipuz").title == "Piped"


@pytest.mark.parametrize("lines", ["set 4A DEF\nsave out.ipuz\n", "set 4A DEF\nquit --force\n", "check\n"])
def test_a_piped_repl_exits_with_0_if_nothing_is_unsaved(run: Run, lines: str, mini: Path, tmp_path: Path) -> None:
    done = run("repl", mini, stdin=lines, folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


def test_quit_over_a_pipe_does_not_silently_drop_work(run: Run, mini: Path) -> None:
    done = run("repl", mini, stdin="set 4A DEF\nquit\n", status=2)
    assert "changes that were not saved: `discarded` brings it back for 30 days, without undo" in done.stderr
    assert "unsaved work" not in run("repl").stdout, "it is not offered at each start"
    assert "1  mini, " in run("repl", stdin="discarded\n").stdout


def test_the_repl_refuses_a_file_that_is_no_puzzle(run: Run, tmp_path: Path) -> None:
    assert len(run("repl", tmp_path, status=2).stderr.splitlines()) == 1


def test_only_exports_are_overwritten_without_force(run: Run, tmp_path: Path) -> None:
    """As docs/formats.md says: files that `export` wrote and nobody changed. `convert` overwrites nothing."""
    grid, file = tmp_path / "grid.ipuz", tmp_path / "sent.puz"
    write_puzzle(grid, puzzle_of_grid(grid_from_text("ABC\nD#E\nFGH")))
    run("export", grid, file)
    run("export", grid, file)
    assert "already exists" in run("convert", grid, file, status=2).stderr
    file.write_bytes(file.read_bytes() + b"x")
    assert "already exists" in run("export", grid, file, status=2).stderr


def test_json_lists_unread_data_as_in_the_file(run: Run, tmp_path: Path) -> None:
    whole, cut = tmp_path / "whole.puz", tmp_path / "cut.puz"
    write_puzzle(whole, puzzle_of_grid(grid_from_text("ABC\nD#E\nFGH")))
    cut.write_bytes(whole.read_bytes()[:-6])
    assert "warnings" not in json.loads(run("check", whole, "--json").stdout)
    (warning,) = json.loads(run("check", cut, "--json").stdout)["warnings"]
    lost = "copyright, clues, notes and any rebus squares and circles, where the file is cut off"
    assert warning == f"parts that cannot be read were left out: {lost}"
    (kind,) = json.loads(run("warnings", cut, "--json").stdout)["warnings"]
    assert [place["where"] for place in kind["places"]] == [lost]


README = "[[0, 1, 3, 6, 7, 11], [2, 3, 4, 5], [7, 8, 9, 10]]"
"""The example in crossword-composer's documentation."""
WORDS = ["SHAKEN", "DARK", "KING", "SHRIEK", "DRAW", "EGGS"]


@pytest.fixture
def six(tmp_path: Path) -> Path:
    return written(tmp_path / "words.txt", "\n".join(WORDS))


def compose(text: str, words: Path, *arguments: str) -> tuple[int, str, str]:
    lists = written(words.parent / "lists.json", text)
    done = xwtui("compose", lists, "--words", words, *arguments, environment=user_folders(words.parent / "home"))
    return done.returncode, done.stdout, done.stderr


def test_words_keep_the_order_of_the_lists(six: Path) -> None:
    status, out, err = compose(README, six)
    assert status == 0
    assert out.split() in (["SHAKEN", "DARK", "EGGS"], ["SHRIEK", "DRAW", "EGGS"])
    assert "solved" in err


def test_all_solutions_are_counted_in_json(six: Path) -> None:
    status, out, _ = compose(README, six, "--all", "--json")
    found = json.loads(out)
    assert status == 0
    assert (found["status"], found["fills"], found["all_fills"]) == ("filled", count_by_hand(), True)
    assert found["squares"] == list(range(12))
    at = dict(zip(found["squares"], found["letters"], strict=True))
    assert ["".join(at[square] for square in one) for one in json.loads(README)] == found["words"]
    assert set(found["words"]) <= set(WORDS)


def count_by_hand() -> int:
    """Count the example's solutions with different words by brute force."""
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


def test_repeats_can_be_allowed(six: Path) -> None:
    twice = "[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11], [12, 13, 14, 15], [16, 17, 18, 19]]"
    assert compose(twice, six)[0] == 1
    assert compose(twice, six, "--allow-repeats")[0] == 0


@pytest.mark.parametrize(
    ("lists", "status", "told"),
    [("[[0, 1, 2]]", 1, "no words fit these lists"), ("[[0, 1", 2, "the constraints are not JSON")],
)
def test_impossible_input_is_reported(six: Path, lists: str, status: int, told: str) -> None:
    found, out, err = compose(lists, six)
    assert (found, out, len(err.splitlines())) == (status, "", 1)
    assert told in err


def test_non_text_input_is_reported(six: Path) -> None:
    lists = six.parent / "bytes.json"
    lists.write_bytes(b"\xff\xfe[[0]]")
    assert "not JSON" in xwtui("compose", lists, environment=user_folders(six.parent / "home"), status=2).stderr

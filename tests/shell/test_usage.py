"""Wrong use, and what every failure looks like: one line on stderr, status 2, no traceback."""

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path

import click
import pytest

import xwtui as package
from tests.shell.conftest import Run
from tests.shell.process import PATIENCE, command, xwtui_process
from xwtui.session.verbs.registry import VERBS
from xwtui.shell.root import SECTIONS
from xwtui.start import shell

TEMPLATE = Path(__file__).parents[2] / "puzzles" / "templates" / "15x15-01.txt"
MINI = "..#\n...\n#..\n"


def assert_one_line_of(stderr: str, *parts: str) -> None:
    assert len(stderr.splitlines()) == 1, stderr
    assert stderr.startswith("xwtui: ")
    for part in parts:
        assert part in stderr


def test_version(run: Run) -> None:
    done = run("--version")
    assert (done.returncode, done.stdout) == (0, f"xwtui {package.__version__}\n")


def test_help_names_every_command(run: Run) -> None:
    done = run("--help")
    assert done.returncode == 0
    for name in ("fill", "count", "check", "convert", "run", "repl"):
        assert f"  {name} " in done.stdout
    assert "  screen" not in done.stdout


def test_help_lists_each_command_under_one_task() -> None:
    listed_words = " ".join(SECTIONS.values()).split()
    context = click.Context(shell)
    shown = [name for name in shell.list_commands(context) if not shell.commands[name].hidden]
    assert sorted(listed_words) == sorted(shown)


def test_help_knows_every_verb_in_a_process_of_its_own(run: Run) -> None:
    told = run("help").stdout
    assert all(f"\n  {name} " in told for name in VERBS)
    assert run("help", "fill").stdout.startswith("usage: fill ")


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["fil"], "did you mean `xwtui fill`?"),
        (["whatif"], "whatif needs more: `xwtui whatif GRID blocks`, "),
        (["whatif", TEMPLATE], "whatif needs more: "),
        (["theme"], "theme needs more: `xwtui theme answers`"),
        (["colours"], "colours needs more: `xwtui colours list` or `xwtui colours use`"),
        (["fill", TEMPLATE, "-o", "-"], "-: the end of the name sets the format, as in puzzle.puz; xwtui writes"),
        (["fill", TEMPLATE, "-o", "out"], "out: the end of the name sets the format, as in out.puz"),
        (["convert", TEMPLATE, "out.zzz"], "out.zzz: the end of the name sets the format, as in out.puz"),
        (["snapshot", "list", TEMPLATE], f"the GRID comes first: `xwtui snapshot {TEMPLATE} list`"),
        (["whatif", "blocks", "--time", "1"], "the GRID comes first: `xwtui whatif GRID blocks`"),
        (
            ["swap", "17A", TEMPLATE],
            f"cannot read 17A: No such file or directory; the GRID comes first: `xwtui swap {TEMPLATE} 17A`",
        ),
        (["fill", "15x15-01"], "templates/15x15-01.txt"),
        (["stats", ""], "a file name is expected"),
        (["convert", "", "out.puz"], "a file name is expected"),
        (["qqqqq"], "neither a command nor a file"),
        (["--nonsense"], "--nonsense"),
        (["fill"], "GRID"),
        (["fill", "a.txt", "--seed", "x"], "--seed"),
        (["fill", "a.txt", "--min-score", "101"], "--min-score"),
        (["fill", "a.txt", "--time", "nan"], "--time"),
        (["fill", "a.txt", "--threads", "-1"], "--threads"),
        (["check", "a.txt", "b.txt"], "b.txt"),
        (["convert", "a.txt"], "OUT"),
    ],
)
def test_wrong_use(run: Run, arguments: list[str], part: str) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert_one_line_of(done.stderr, part)


@pytest.mark.parametrize("arguments", [[], [str(TEMPLATE)]])
def test_the_screen_without_a_terminal_names_the_other_ways(run: Run, arguments: list[str]) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert_one_line_of(done.stderr, "needs a terminal", "xwtui fill", "xwtui run", "xwtui repl")


def bad_inputs(folder: Path) -> dict[str, bytes]:
    whole = b"\x00\x00ACROSS&DOWN\x00" + bytes(40)
    return {
        "truncated.puz": whole,
        "empty.txt": b"",
        "ragged.txt": b"...\n..\n...\n",
        "binary.txt": bytes(range(256)),
        "small.txt": b"..\n..\n",
        "huge.txt": b"." * 60 + b"\n",
        "long.txt": b"A" * 10_000_000,
        "broken.ipuz": b'{"version": "http://ipuz.org/v2", "kind": ["http',
        "escape.txt": b"\x1b[2J\x1b]0;owned\x07\n",
    }


@pytest.mark.parametrize("name", [*bad_inputs(Path()), "missing.puz", "folder"])
@pytest.mark.parametrize("verb", ["check", "fill", "count", "convert", "repl", ""])
def test_bad_files(run: Run, name: str, verb: str, tmp_path: Path) -> None:
    path = tmp_path / name
    if name == "folder":
        path.mkdir()
    elif name != "missing.puz":
        path.write_bytes(bad_inputs(tmp_path)[name])
    out = tmp_path / "out.ipuz"
    done = run(*verb.split(), path, *([out] if verb == "convert" else []))
    assert done.returncode == 2
    assert done.stdout == ""
    assert_one_line_of(done.stderr, name)
    assert "\x1b" not in done.stderr
    assert not out.exists()


@pytest.mark.parametrize("verb", ["check", "fill", "count"])
def test_errors_with_json_are_an_object_too(run: Run, verb: str) -> None:
    done = run(verb, "missing.puz", "--json")
    assert done.returncode == 2
    found = json.loads(done.stdout)
    assert found["status"] == "error"
    assert "missing.puz" in found["message"]
    assert_one_line_of(done.stderr, "missing.puz")


def test_wrong_use_with_json_is_an_object_too(run: Run) -> None:
    done = run("fill", "--json")
    assert done.returncode == 2
    assert json.loads(done.stdout)["status"] == "error"


def test_a_bad_file_ends_a_process_the_same_way(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "truncated.puz"
    path.write_bytes(bad_inputs(tmp_path)["truncated.puz"])
    done = run("fill", path)
    assert (done.returncode, done.stdout) == (2, "")
    assert_one_line_of(done.stderr, "truncated.puz")


def test_binary_word_list(run: Run, tmp_path: Path) -> None:
    grid, words = tmp_path / "mini.txt", tmp_path / "words.txt"
    grid.write_text(MINI)
    words.write_bytes(bytes(range(256)) * 8)
    done = run("fill", grid, "--words", words)
    assert done.returncode == 2
    assert_one_line_of(done.stderr, "words.txt")


def redirected(redirection: str, *arguments: str, environment: Mapping[str, str]) -> tuple[int, str]:
    """The status and stderr of xwtui under a shell that has redirected or closed its streams."""
    line = f'exec "$@" {redirection}'
    done = subprocess.run(
        ["/bin/sh", "-c", line, "sh", *command(*arguments)],
        stderr=subprocess.PIPE,
        env=dict(environment),
        timeout=PATIENCE,
        check=False,
    )
    return done.returncode, done.stderr.decode()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize("arguments", [["--version"], ["repl"]])
def test_a_full_disk_is_said_in_one_line(arguments: list[str], environment: Mapping[str, str]) -> None:
    redirection = ">/dev/full <<END\nhelp\nEND\n".replace("\\n", "\n")
    status, complaints = redirected(redirection, *arguments, environment=environment)
    assert status == 2
    assert_one_line_of(complaints, "No space left")


@pytest.mark.parametrize(
    ("redirection", "arguments", "status"),
    [(">&-", ["--version"], 0), ("<&-", ["repl"], 0), ("<&-", ["check", "-"], 2), (">&- <&-", ["check", "x"], 2)],
)
def test_closed_streams(
    redirection: str, arguments: list[str], status: int, environment: Mapping[str, str]
) -> None:
    found, complaints = redirected(redirection, *arguments, environment=environment)
    assert found == status
    assert "Traceback" not in complaints


def test_an_encoding_that_lacks_the_frames(tmp_path: Path, environment: Mapping[str, str]) -> None:
    grid = tmp_path / "mini.txt"
    grid.write_text(MINI)
    ascii_only = {**environment, "PYTHONIOENCODING": "ascii"}
    done = xwtui_process("repl", grid, environment=ascii_only, stdin="undo\n")
    assert done.returncode == 0
    assert " 2 | .  .  . |" in done.stdout


def test_every_puzzle_that_the_screen_is_to_open_is_read_first(run: Run, tmp_path: Path) -> None:
    good = tmp_path / "good.txt"
    good.write_text("...\n...\n...\n")
    done = run(tmp_path / "none.ipuz", tmp_path / "nor.ipuz")
    assert (done.returncode, done.stdout) == (2, "")
    assert "none.ipuz" in done.stderr
    assert "nor.ipuz" in done.stderr
    for beside in (good, tmp_path / "none.ipuz"):
        assert "needs a terminal" in run(good, beside).stderr

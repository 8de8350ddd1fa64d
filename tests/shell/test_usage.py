"""Wrong usage, and the form of every failure: one line on stderr, status 2, no traceback."""

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path

import click
import pytest

import xwtui as package
from tests.shell.conftest import Run
from tests.shell.process import PATIENCE, command, xwtui_process
from tests.writing import written
from xwtui.interrupts import Exit
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
    done = run("--help", status=0)
    for name in ("fill", "count", "check", "convert", "run", "repl"):
        assert f"  {name} " in done.stdout
    assert "  screen" not in done.stdout


def test_help_lists_each_command_once() -> None:
    listed_words = " ".join(SECTIONS.values()).split()
    context = click.Context(shell)
    shown = [name for name in shell.list_commands(context) if not shell.commands[name].hidden]
    assert sorted(listed_words) == sorted(shown)


def test_help_knows_every_verb_in_a_new_process(run: Run) -> None:
    told = run("help").stdout
    assert all(f"\n  {name} " in told for name in VERBS)
    assert run("help", "fill").stdout.startswith("usage: fill ")
    assert run("help", "lists", "add").stdout.startswith("usage: lists add ")
    assert "about 'delete clue':\n  clue " in run("help", "delete", "clue").stdout


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["fil"], "did you mean `xwtui fill`?"),
        (["dupes"], "did you mean `xwtui check`?"),
        (["whatif"], "whatif needs more: `xwtui whatif GRID blocks`, "),
        (["whatif", TEMPLATE], "whatif needs more: "),
        (["theme"], "theme needs more: `xwtui theme answers`"),
        (["colours"], "colours needs more: `xwtui colours list` or `xwtui colours use`"),
        (["colors"], "colours needs more: `xwtui colours list` or `xwtui colours use`"),
        (
            ["export", "h.ipuz", "h.pdf", "h.puz"],
            "export writes one file: call it once for each, or use --all FOLDER for all formats",
        ),
        (["run", "-", "h.ipuz"], "run takes one script; a line `open FILE` in the script opens a puzzle"),
        (["--strict", "check", TEMPLATE], "options come after the command: `xwtui check … --strict`"),
        (["find", "????[cat]"], "`find --contains CAT --squares 5` finds answers with it in one square"),
        (["reject", TEMPLATE, "1A", "--do", "set 1A CAT"], '--do "pencil 1A" lets other words replace it'),
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
        (["fill", TEMPLATE, "--quiet"], "No such option '--quiet'.\n"),
        (["fill", TEMPLATE, "--bset"], "Did you mean '--best'?"),
        (["fill"], "GRID"),
        (["fill", "a.txt", "--seed", "x"], "--seed"),
        (["fill", "a.txt", "--min-score", "101"], "--min-score"),
        (["fill", "a.txt", "--time", "nan"], "--time"),
        (["fill", "a.txt", "--threads", "-1"], "--threads"),
        (["check", "a.txt", "b.txt"], "b.txt"),
        (["convert", "a.txt"], "OUT"),
        (["completion", "tcsh"], "bash"),
        (["fill", "--strategy", "top-ten"], "GRID"),
        (["fill", TEMPLATE, "--strategy", "emogc-letters"], "did you mean emogic-letters?"),
        (
            ["fill", TEMPLATE, "--strategy", "emogic-letters:walk=zigzag"],
            "walk is sik-sak, straight, switch, snake,",
        ),
        (["fill", TEMPLATE, "--trace", "a.trace", "--threads", "2"], "--trace records only one plain fill"),
        (["fill", TEMPLATE, "--trace", "a.trace", "--best"], "--trace records only one plain fill"),
        (["watch", "none.trace"], "none.trace cannot be read"),
        (["watch", TEMPLATE], "not JSON"),
        (["find"], "give a pattern"),
        (["compose", "none.json"], "none.json: No such file or directory"),
        (["layouts", "7x7", "--size", "5x5"], "two different sizes"),
        (["layouts", "-o", TEMPLATE], "must name a folder"),
        (["why", TEMPLATE, "99A", "TEN"], "no entry '99A'"),
        (["why", "nowhere.txt"], "nowhere.txt"),
        (["whatif", TEMPLATE, "themers"], "Missing argument"),
        (["new", "15"], "`new` is a verb for the screen"),
        (
            ["snapshot", TEMPLATE, "save", "one"],
            "nothing would be saved: name the puzzle file to write with -o FILE",
        ),
        (["templates", "--size", "99"], "grids are 3x3 to 40x40"),
        (["templates", "--size", "large"], "is not a size"),
        (["templates", "--across", "1,11"], "2 to 40 squares"),
        (["templates", "--across", "A[B"], "not an answer"),
        (["theme", "answers", "15x15"], "name theme answers"),
        (["theme", "answers", "BRAVEHEART, SWEETHEARTS, 15x15"], "no template fits them"),
        (["theme", "answers", "BRAVEHEART, SWEETHEARTS, 15x15"], "`design …` makes grids around them"),
        (["theme", "answers", "BRAVEHEART, 15x15", "--template", "xyz"], "no template is called xyz"),
    ],
)
def test_wrong_use(run: Run, arguments: list[str], part: str) -> None:
    done = run(*arguments, status=2)
    assert done.stdout == ""
    assert_one_line_of(done.stderr, part)


@pytest.mark.parametrize("arguments", [[], [str(TEMPLATE)]])
def test_without_a_terminal_the_screen_names_alternatives(run: Run, arguments: list[str]) -> None:
    done = run(*arguments, status=2)
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
    done = run(*verb.split(), path, *([out] if verb == "convert" else []), status=2)
    assert done.stdout == ""
    assert_one_line_of(done.stderr, name)
    assert "\x1b" not in done.stderr
    assert not out.exists()


def test_binary_word_list(run: Run, tmp_path: Path) -> None:
    grid, words = tmp_path / "mini.txt", tmp_path / "words.txt"
    grid.write_text(MINI)
    words.write_bytes(bytes(range(256)) * 8)
    done = run("fill", grid, "--words", words, status=2)
    assert_one_line_of(done.stderr, "words.txt")


def redirected(redirection: str, *arguments: str, environment: Mapping[str, str]) -> tuple[int, str]:
    """Run xwtui under a shell with redirected or closed streams; return the status and stderr."""
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
def test_a_full_disk_is_reported_in_one_line(arguments: list[str], environment: Mapping[str, str]) -> None:
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


def test_an_encoding_without_box_characters(tmp_path: Path, environment: Mapping[str, str]) -> None:
    grid = written(tmp_path / "mini.txt", MINI)
    ascii_only = {**environment, "PYTHONIOENCODING": "ascii"}
    assert " 2 | .  .  . |" in xwtui_process("repl", grid, environment=ascii_only, stdin="undo\n", status=0).stdout


def test_every_puzzle_for_the_screen_is_read_first(run: Run, tmp_path: Path) -> None:
    good = written(tmp_path / "good.txt", "...\n...\n...\n")
    done = run(tmp_path / "none.ipuz", tmp_path / "nor.ipuz")
    assert (done.returncode, done.stdout) == (2, "")
    assert "none.ipuz" in done.stderr
    assert "nor.ipuz" in done.stderr
    for beside in (good, tmp_path / "none.ipuz"):
        assert "needs a terminal" in run(good, beside).stderr


def offered(environment: Mapping[str, str], words: str) -> list[str]:
    """Return bash's completions for these words, the last of which is incomplete."""
    asked = {"COMP_WORDS": words, "COMP_CWORD": str(len(words.split(" ")) - 1), "_XWTUI_COMPLETE": "bash_complete"}
    done = xwtui_process(environment={**environment, **asked})
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.split()


@pytest.mark.parametrize("kind", ["bash", "zsh", "fish"])
def test_each_shell_gets_a_script_that_calls_xwtui(run: Run, kind: str) -> None:
    done = run("completion", kind, status=0)
    assert f"_XWTUI_COMPLETE={kind}_complete" in done.stdout


def test_commands_are_completed_before_files(environment: Mapping[str, str]) -> None:
    found = offered(environment, "xwtui fi")
    assert found == ["plain,fill", "plain,find", "file,fi"]
    assert "plain,screen" not in offered(environment, "xwtui ")


def test_options_of_the_command_are_completed(environment: Mapping[str, str]) -> None:
    assert offered(environment, "xwtui fill --str") == ["plain,--strategy", "plain,--strict"]


def test_the_second_word_after_the_grid_is_completed(environment: Mapping[str, str]) -> None:
    assert offered(environment, "xwtui whatif ") == []
    assert offered(environment, "xwtui whatif puzzle.ipuz bl") == ["plain,blocks"]
    assert offered(environment, "xwtui colours l") == ["plain,list"]


def own_keys(environment: Mapping[str, str], text: str) -> Path:
    path = Path(environment["XDG_CONFIG_HOME"]) / "xwtui" / "keys.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_a_key_map_is_set_for_later_starts(run: Run) -> None:
    assert run("keys", "use", "crosshare").stdout == "the keys are those of crosshare\n"
    listed = json.loads(run("keys", "list", "--json").stdout)
    assert [one["name"] for one in listed["maps"] if one["used"]] == ["crosshare"]
    shown = json.loads(run("keys", "show", "--json").stdout)
    assert {"key": "Enter", "does": "fill", "place": "on the screen"} in shown["keys"]


def test_setting_a_map_keeps_other_settings(run: Run, environment: Mapping[str, str]) -> None:
    path = written(own_keys(environment, "").parent / "settings.toml", 'theme = "light"\n')
    run("keys", "use", "crosshare")
    assert 'theme = "light"' in path.read_text(encoding="utf-8")


def test_a_map_does_not_override_the_users_own_file(run: Run, environment: Mapping[str, str]) -> None:
    own_keys(environment, 'base = "xwtui"\n')
    done = run("keys", "use", "crosshare", status=Exit.BAD_INPUT)
    assert 'line 1, says base = "xwtui"' in done.stderr


def test_errors_are_reported_and_set_the_exit_status(run: Run, environment: Mapping[str, str]) -> None:
    run("keys", "check", status=Exit.OK)
    path = own_keys(environment, '[keys]\n"ctrl+m" = "fill"\n')
    done = run("keys", "check", "--json")
    told = json.loads(done.stdout)
    assert done.returncode == Exit.IMPOSSIBLE
    assert (told["status"], told["file"], told["base"]) == ("faults", str(path), "xwtui")
    assert [(one["kind"], one["key"], one["line"]) for one in told["faults"]] == [("not sent", "ctrl+m", 2)]
    assert "as Enter" in run("keys", "check").stdout


def test_a_file_is_checked_before_use(run: Run, tmp_path: Path) -> None:
    mine = written(tmp_path / "mine.toml", '[keys]\n"ctrl+d" = "stats"\n')
    run("keys", "check", mine, status=Exit.OK)
    mine.write_text("[keys\n", encoding="utf-8")
    run("keys", "check", mine, status=Exit.BAD_INPUT)


def test_a_color_theme_is_set_for_later_starts(run: Run, environment: Mapping[str, str]) -> None:
    own = Path(environment["XDG_CONFIG_HOME"]) / "xwtui" / "themes" / "mine.toml"
    own.parent.mkdir(parents=True)
    own.write_text('summary = "my own"\nbase = "dark"\n', encoding="utf-8")
    listed = json.loads(run("colours", "list", "--json").stdout)["themes"]
    assert [one["name"] for one in listed if one["used"]] == ["dark"]
    assert {"name": "mine", "summary": "my own", "used": False} in listed
    assert run("colours", "use", "mine").stdout == "the colors are those of mine\n"
    assert "* mine" in run("colours", "list").stdout
    refused = run("colours", "use", "pink", status=Exit.BAD_INPUT)
    assert "there is no color theme 'pink'" in refused.stderr

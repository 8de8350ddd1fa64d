"""The Makefile's own logic, with fake programs that report how they were called."""

import os
import pty
import shutil
import subprocess
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[2]
PATIENCE = 120

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="needs make")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder with our Makefile, a finished install, and a fake `xwtui`."""
    shutil.copy(CHECKOUT / "Makefile", tmp_path)
    (tmp_path / "pyproject.toml").touch()
    programs = tmp_path / ".venv" / "bin"
    programs.mkdir(parents=True)
    stand_in(programs / "xwtui", 'echo "xwtui $*"')
    (tmp_path / ".venv" / ".installed").touch()
    return tmp_path


def stand_in(path: Path, script: str) -> None:
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def outside_make() -> dict[str, str]:
    """Return the environment without variables that `make test` sets for child make processes."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}


def make(project: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        ["make", *arguments],
        cwd=project,
        env=outside_make(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def test_run_without_a_terminal_fills_the_sample_and_writes_both_formats(project: Path) -> None:
    done = make(project, "run")
    assert done.returncode == 0
    assert done.stdout == (
        "xwtui fill puzzles/heart-to-heart.ipuz --time 60 --force "
        "-o build/heart-to-heart.puz -o build/heart-to-heart.ipuz\n"
    )
    assert (project / "build").is_dir()


def test_run_also_prints_figures_and_fails_with_the_fill(project: Path) -> None:
    stand_in(project / ".venv" / "bin" / "xwtui", "echo grid; echo figures >&2; exit 3")
    done = make(project, "run")
    assert done.returncode != 0
    assert done.stdout == "grid\nfigures\n"


def test_run_on_a_terminal_opens_the_screen(project: Path) -> None:
    mine, its = pty.openpty()
    with subprocess.Popen(
        ["make", "run"], cwd=project, env=outside_make(), stdin=its, stdout=its, stderr=its
    ) as process:
        os.close(its)
        said = b""
        while chunk := read(mine):
            said += chunk
        os.close(mine)
        assert process.wait(PATIENCE) == 0
    assert said.decode().split() == ["xwtui", "puzzles/heart-to-heart.ipuz"]


def read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 4096)
    except OSError:
        return b""


def test_the_sample_opened_by_run_is_shipped(project: Path) -> None:
    sample = make(project, "run").stdout.split()[2]
    assert (CHECKOUT / sample).is_file()


def test_an_old_python_is_reported(project: Path) -> None:
    stand_in(project / "old-python", "exit 1")
    (project / ".venv" / ".installed").unlink()
    done = make(project, "run", "PYTHON=./old-python")
    assert done.returncode != 0
    assert "needs Python 3.11 or newer" in done.stderr


def test_a_python_without_venv_is_reported(project: Path) -> None:
    stand_in(project / "bare-python", '[ "$1" != -m ]')
    (project / ".venv" / ".installed").unlink()
    done = make(project, "run", "PYTHON=./bare-python")
    assert done.returncode != 0
    assert "apt install python3-venv" in done.stderr


def test_help_lists_every_target(project: Path) -> None:
    done = make(project)
    for target in ("run", "test", "bench", "lint", "screenshots", "wordlist", "clean", "help"):
        assert f"  make {target} " in done.stdout


def test_the_full_check_is_an_executable_script() -> None:
    script = CHECKOUT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    subprocess.run(["bash", "-n", str(script)], check=True)

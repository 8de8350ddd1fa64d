"""`xwtui` as a real process, and in this one."""

import contextlib
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from xwtui.start import shell

PATIENCE = 300
"""Seconds after which a process counts as hanging; the engine's first compile lies within."""


NO_UNICODE = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
"""A locale whose encoding is ASCII, and a Python that takes it at its word."""


def user_folders(home: Path) -> dict[str, str]:
    """An environment with user folders of its own; the cache, where the compiled engine is, stays shared."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
    environment.pop("NO_COLOR", None)
    if "XDG_CACHE_HOME" in os.environ:
        environment["XDG_CACHE_HOME"] = os.environ["XDG_CACHE_HOME"]
    for name in ("STATE", "CONFIG", "DATA"):
        environment[f"XDG_{name}_HOME"] = str(home / name.lower())
    return environment


def xwtui_process(
    *arguments: str | Path,
    environment: Mapping[str, str],
    stdin: str | bytes = b"",
    folder: Path | None = None,
    status: int | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run `xwtui` to its end in a process of its own, with pipes for stdin, stdout and stderr.

    If a `status` is told, it must end with that.
    """
    typed = stdin if isinstance(stdin, bytes) else stdin.encode()
    done = subprocess.run(
        command(*arguments),
        input=typed,
        capture_output=True,
        env=dict(environment),
        cwd=folder,
        timeout=PATIENCE,
        check=False,
    )
    return _ended(done.args, done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8"), status)


def _ended(
    given: Any, status: int, out: str, error: str, expected: int | None
) -> subprocess.CompletedProcess[str]:
    assert expected in (None, status), (status, out, error)
    return subprocess.CompletedProcess(given, status, out, error)


def xwtui(
    *arguments: str | Path,
    environment: Mapping[str, str],
    stdin: str | bytes = b"",
    folder: Path | None = None,
    status: int | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run `xwtui` in this process: quicker, and enough for what needs neither signals nor real streams."""
    with contextlib.chdir(folder or Path.cwd()):
        given = [str(argument) for argument in arguments]
        result = CliRunner().invoke(shell, given, stdin, dict(environment), prog_name="xwtui")
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
    return _ended(arguments, result.exit_code, result.stdout, result.stderr, status)


def command(*arguments: str | Path) -> list[str]:
    """The command line of `xwtui` under this Python."""
    return [sys.executable, "-m", "xwtui", *map(str, arguments)]

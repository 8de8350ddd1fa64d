"""Another process that has a puzzle open."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

HOLDS = """
import sys, time
from pathlib import Path
from xwtui.session.presence import Presence
presence = Presence(Path(sys.argv[1]), Path(sys.argv[2]))
print(presence.other, flush=True)
time.sleep(600)
"""


@contextmanager
def open_elsewhere(path: Path, folder: Path) -> Iterator["subprocess.Popen[str]"]:
    """Another process that has a file open."""
    command = [sys.executable, "-c", HOLDS, str(path), str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            assert process.stdout.readline() == "None\n"
            yield process
        finally:
            process.kill()

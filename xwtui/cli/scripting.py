"""`xwtui run`: the lines of a script, to the first error."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from xwtui.cli.exits import Exit
from xwtui.cli.sources import STDIN
from xwtui.errors import XwtuiError
from xwtui.repl.bulletin import Bulletin
from xwtui.repl.line_runner import LineRunner
from xwtui.repl.output import Output
from xwtui.text import printable
from xwtui.workbench.settings import load_settings
from xwtui.workbench.workbench import Workbench


def run_script(script: str) -> Exit:
    """Run a script of verbs, one a line.

    Raises XwtuiError, with the number of the line, at the first error. What a script that ends
    well did not save is dropped, since the script can make it again; after an error or Ctrl+C it
    stays to be recovered.
    """
    bulletin = Bulletin()
    workbench = Workbench(bulletin.hear, settings=load_settings())
    try:
        with _opened(script) as stream:
            workbench.start()
            _run_lines(stream, script, workbench, bulletin)
        workbench.discard_changes()
    finally:
        workbench.close()
    return Exit.OK


def _run_lines(stream: TextIO, script: str, workbench: Workbench, bulletin: Bulletin) -> None:
    runner = LineRunner(workbench, bulletin, Output(), is_patient=True)
    name = "stdin" if script == STDIN else printable(script, 200)
    for number, line in enumerate(_lines(stream, name), start=1):
        try:
            reply = runner.run(line, grid_after_edits=False)
        except XwtuiError as error:
            raise XwtuiError(f"{name} line {number}: {error}") from error
        if reply.quit:
            return


def _lines(stream: TextIO, name: str) -> Iterator[str]:
    try:
        yield from stream
    except UnicodeDecodeError as error:
        raise XwtuiError(f"{name} is no UTF-8 text (byte {error.start + 1} is wrong)") from None


@contextmanager
def _opened(script: str) -> Iterator[TextIO]:
    if script == STDIN:
        yield sys.stdin
        return
    with Path(script).open(encoding="utf-8-sig") as stream:
        yield stream

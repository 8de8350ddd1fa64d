"""The process that compiles for another one: `python -P -m xwtui.engine.compile_process FOLDER SOURCES`.

It says `ready` once it has tried the compiler's fence, and then answers the name of each part that it reads with
the same name, once that is compiled and in FOLDER. It ends with its standard input, in the midst of compiling too:
with the process that began it, however that ended. What it cannot do it does not answer.
"""

import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from queue import SimpleQueue

from xwtui.engine.loading_step import EnginePart

READY = "ready"
SOURCES = str(Path(__file__).parent)
"""Numba knows its files by the place of their sources, and another process may find another xwtui."""


def main() -> int:
    """Compile what is asked; the status is 1 where nothing could be kept in the folder for these sources."""
    asked: SimpleQueue[str] = SimpleQueue()
    threading.Thread(target=_listen, args=(asked,), daemon=True).start()
    from xwtui.engine.kernels.compiler import compiled  # noqa: PLC0415  (it imports numba)

    if [str(compiled.cache_folder()), SOURCES] != sys.argv[1:] or compiled.fence_failure() is not None:
        return 1
    _answer(READY)
    from xwtui.engine.rehearsal import rehearse  # noqa: PLC0415  (it imports all kernels)

    for name in _names(asked):
        rehearse(EnginePart(name))
        _answer(name)
    return 0


def _listen(asked: "SimpleQueue[str]") -> None:
    for line in sys.stdin:
        asked.put(line.strip())
    os._exit(0)


def _names(asked: "SimpleQueue[str]") -> Iterator[str]:
    while True:
        yield asked.get()


def _answer(word: str) -> None:
    print(word, flush=True)


if __name__ == "__main__":
    os._exit(main())  # Python itself would wait for the input

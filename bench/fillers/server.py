"""A process that answers each line of JSON with a line of JSON, so that words are read only once."""

from __future__ import annotations

import json
import selectors
import subprocess
from collections.abc import Callable, Sequence
from typing import Any, TextIO

STARTING_SECONDS = 600.0
"""Seconds that a server may take to read its words and, if necessary, compile."""


class ServerError(Exception):
    """A server that cannot be started."""


class Server:
    """The client side. A server that does not answer in time is killed and restarted on the next request."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = list(command)
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Server:
        self._start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def ask(self, request: dict[str, Any], seconds: float) -> dict[str, Any] | None:
        """Return the answer, or None if the server died or did not answer within the time limit."""
        process = self._process or self._start()
        assert process.stdin is not None
        try:
            process.stdin.write(json.dumps(request) + "\n")
            process.stdin.flush()
        except BrokenPipeError:
            self._end()
            return None
        return self._answer(process, seconds)

    def _start(self) -> subprocess.Popen[str]:
        process = self._process = subprocess.Popen(
            self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        if self._answer(process, STARTING_SECONDS) is None:
            raise ServerError(f"{' '.join(self._command)} did not start within {STARTING_SECONDS:.0f} s")
        return process

    def _answer(self, process: subprocess.Popen[str], seconds: float) -> dict[str, Any] | None:
        assert process.stdout is not None
        with selectors.DefaultSelector() as selector:
            selector.register(process.stdout, selectors.EVENT_READ)
            line = process.stdout.readline() if selector.select(seconds) else ""
        if not line:
            self._end()
            return None
        answer: dict[str, Any] = json.loads(line)
        return answer

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None


def serve(answer: Callable[[dict[str, Any]], dict[str, Any]], requests: TextIO, answers: TextIO) -> None:
    """The server side: announce readiness, then answer line by line."""
    print(json.dumps({}), file=answers, flush=True)
    for line in requests:
        print(json.dumps(answer(json.loads(line))), file=answers, flush=True)

"""A filler that runs as our own server around a library."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench.fillers.server import Server
from bench.result import Run

_SLACK = 10.0
"""Seconds beyond its limit after which a search counts as hung."""


class Served:
    """A library's filler, queried line by line; it reports the time of each fill itself."""

    def __init__(self, server: Server, options: Mapping[str, Any]) -> None:
        self._server = server
        self._options = options

    def fill(self, template: Path, seed: int, seconds: float) -> Run:
        """Fill a template once, within a time limit."""
        rows = template.read_text().split()
        return self.ask({"rows": rows, "seed": seed, "seconds": seconds, **self._options}, seconds)

    def ask(self, request: dict[str, Any], seconds: float) -> Run:
        """Send any request that ends in a fill within a time limit."""
        answer = self._server.ask(request, seconds + _SLACK)
        if answer is None:
            return Run((), seconds)
        return Run(tuple(answer["rows"]), answer["seconds"], answer.get("proof", False))


@contextmanager
def serving(module: str, words: Path, minimum_score: int, **options: Any) -> Iterator[Served]:
    """Start `python -m module WORDS MINIMUM_SCORE` and end it on exit. Options are sent with each request."""
    with Server([sys.executable, "-m", module, str(words), str(minimum_score)]) as server:
        yield Served(server, options)

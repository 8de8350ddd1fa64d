"""How often the constructor has used each verb on the command line, kept from start to start."""

import json
from collections import Counter
from contextlib import suppress
from pathlib import Path

from platformdirs import user_state_path

from xwtui.own_files import OwnFileError, read_json
from xwtui.reading import write_whole
from xwtui.session.verbs.verb import BOOK

_MOST_COUNTED = 500
"""Uses after which all counts are halved, so that what was used lately counts for more."""


def verb_uses_path() -> Path:
    """Where the counts are kept."""
    return user_state_path("xwtui", appauthor=False) / "verb-uses.json"


class VerbUses:
    """The counts by the names of verbs; what cannot be read or written is only not remembered."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path or verb_uses_path()
        self._counts = self._read()

    def of(self, verb: str) -> int:
        """How often a verb was used."""
        return self._counts[verb]

    def note(self, verb: str) -> None:
        """A verb was used once more; another program that counts in the same file is not forgotten."""
        kept = self._read()
        self._counts = kept if kept.total() else self._counts
        self._counts[verb] += 1
        if self._counts.total() > _MOST_COUNTED:
            self._counts = Counter({name: count // 2 for name, count in self._counts.items() if count > 1})
        with suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(self._path, json.dumps(dict(self._counts)))

    def _read(self) -> Counter[str]:
        try:
            found = read_json(self._path)
        except OwnFileError:
            return Counter()
        if not isinstance(found, dict):
            return Counter()
        return Counter(
            {
                name: min(count, _MOST_COUNTED)
                for name, count in found.items()
                if name in BOOK.verbs and isinstance(count, int) and count > 0
            }
        )

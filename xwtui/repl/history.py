"""The lines typed in earlier sessions, in the user's state folder."""

from contextlib import suppress
from pathlib import Path

from platformdirs import user_state_path
from prompt_toolkit.history import FileHistory, History, InMemoryHistory


def history_path() -> Path:
    """The file of the history."""
    return user_state_path("xwtui", appauthor=False) / "repl_history"


class _ForgivingFileHistory(FileHistory):
    """A file history that forgets, rather than fails, on a full or read-only disk."""

    def store_string(self, string: str) -> None:
        with suppress(OSError):
            super().store_string(string)


def open_history(path: Path | None = None) -> History:
    """The history in a file, or one of this session alone where the file cannot be used."""
    file = path if path is not None else history_path()
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch(mode=0o600)
        file.read_bytes()
    except OSError:
        return InMemoryHistory()
    return _ForgivingFileHistory(file)

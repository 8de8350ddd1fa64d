"""The one family of exceptions; each carries a message for a constructor."""

import enum
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class XwtuiError(Exception):
    """Base of all errors that xwtui raises on purpose; `str(error)` is shown to the user unchanged."""


class PuzzleError(XwtuiError):
    """An invalid edit, or a puzzle that the model cannot represent."""


class LockedError(PuzzleError):
    """An edit that would change a locked square."""


class PuzzleFormatError(XwtuiError):
    """A file that cannot be read, or a puzzle that a format cannot represent."""


class WordListError(XwtuiError):
    """A word or a word list that cannot be used."""


class ClueBookError(XwtuiError):
    """The clue book cannot be read or written."""


class EngineError(XwtuiError):
    """A grid that the fill engine cannot handle."""


class VerbError(XwtuiError):
    """A verb used wrongly: unknown, a wrong argument, or at the wrong moment."""


class UnsavedError(VerbError):
    """The program would end with unsaved work; the message says how to save or discard it."""

    def __init__(self, unsaved: str) -> None:
        self.unsaved = unsaved
        super().__init__(f"{unsaved}: `save` first, or `quit --force` discards them")


class PencilMissingError(VerbError):
    """A verb that changes only pencil was used on an entry without pencil."""

    def __init__(self, entry: str, way: str = "`{}`") -> None:
        """`way` is the format in which a face writes the verb that would help."""
        self.entry = entry
        helps = way.format(f"pencil {entry}")
        super().__init__(f"there is nothing in pencil in {entry}; {helps} lets other words replace it")


class BatchRefusal(enum.Enum):
    """Why a batch does not start, or stops; the value is a short description."""

    FOREIGN_FILE = "foreign file"
    DAMAGED_FILE = "damaged file"
    NEWER_FILE = "newer file"
    NO_FILE = "no file"
    OTHER_KIND = "other kind"
    IN_USE = "in use"
    FULL_DISK = "full disk"
    NO_DASK = "no Dask"
    NO_SCHEDULER = "no scheduler"
    NO_WORKER = "no worker"
    OTHER_VERSION = "other version"
    NO_INPUT = "no input"


class BatchError(XwtuiError):
    """A batch, or its file, cannot be used; `refusal` is the kind of reason."""

    def __init__(self, refusal: BatchRefusal, message: str) -> None:
        super().__init__(message)
        self.refusal = refusal


def reason_of(error: Exception) -> str:
    """Return why something failed: the system's message if any, without numbers and paths; never empty."""
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


@contextmanager
def failing_as(
    kind: Callable[[str], XwtuiError],
    what: str = "",
    *,
    of: type[Exception] | tuple[type[Exception], ...] = OSError,
) -> Iterator[None]:
    """Convert errors of the types `of` raised in the context to one of ours: "`what`: reason"."""
    try:
        yield
    except of as error:
        raise kind(f"{what}: {reason_of(error)}" if what else reason_of(error)) from error

"""The one family of exceptions; each carries a message that a constructor understands."""

import enum
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class XwtuiError(Exception):
    """Base of all errors that xwtui raises on purpose; `str(error)` is shown to the user as it is."""


class PuzzleError(XwtuiError):
    """An edit or a puzzle that the model cannot hold."""


class LockedError(PuzzleError):
    """An edit that would change a locked square."""


class PuzzleFormatError(XwtuiError):
    """A file that cannot be read, or a puzzle that a format cannot hold."""


class WordListError(XwtuiError):
    """A word or a word list that cannot be used."""


class ClueBookError(XwtuiError):
    """The clue book cannot be read or written, with the reason."""


class EngineError(XwtuiError):
    """A grid that the fill engine cannot take on, with the reason."""


class VerbError(XwtuiError):
    """A verb used wrongly: unknown, a wrong argument, or at the wrong moment."""


class UnsavedError(VerbError):
    """An end of the program that would lose unsaved work, in so many words."""

    def __init__(self, unsaved: str) -> None:
        self.unsaved = unsaved
        super().__init__(f"{unsaved}: `save` first, or `quit --force` discards them")


class PencilMissingError(VerbError):
    """Nothing of an entry is in pencil, which only pencil lets a verb change."""

    def __init__(self, entry: str, way: str = "`{}`") -> None:
        """Take the `way` in which a face writes the verb that helps."""
        self.entry = entry
        helps = way.format(f"pencil {entry}")
        super().__init__(f"there is nothing in pencil in {entry}; {helps} lets other words replace it")


class BatchRefusal(enum.Enum):
    """Why a batch does not begin, or stops; the value says it in a word or two."""

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
    """A batch that cannot be run, or its file, with the kind of reason."""

    def __init__(self, refusal: BatchRefusal, message: str) -> None:
        super().__init__(message)
        self.refusal = refusal


def reason_of(error: Exception) -> str:
    """Why something failed: the words of the system where it has some, without numbers and paths; never empty."""
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


@contextmanager
def failing_as(
    kind: Callable[[str], XwtuiError],
    what: str = "",
    *,
    of: type[Exception] | tuple[type[Exception], ...] = OSError,
) -> Iterator[None]:
    """Within it, an error `of` some kinds is raised as one of ours: `what` has failed, and the reason."""
    try:
        yield
    except of as error:
        raise kind(f"{what}: {reason_of(error)}" if what else reason_of(error)) from error

"""The one family of exceptions; each carries a message that a constructor understands."""


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

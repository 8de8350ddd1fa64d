"""Locks on open files that end with the process, however it ends."""

import sys

if sys.platform == "win32":
    import msvcrt

    def try_lock(file: int) -> bool:
        """Lock an open file for this process; returns False where another one holds it."""
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def unlock(file: int) -> None:
        """Let go of the lock, for duplicates of the descriptor too."""
        msvcrt.locking(file, msvcrt.LK_UNLCK, 1)
else:
    import fcntl

    def try_lock(file: int) -> bool:
        """Lock an open file for this process; returns False where another one holds it."""
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True

    def unlock(file: int) -> None:
        """Let go of the lock, for duplicates of the descriptor too."""
        fcntl.flock(file, fcntl.LOCK_UN)

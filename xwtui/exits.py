"""The exit statuses of the shell commands."""

import enum


class Exit(enum.IntEnum):
    """What a command's exit status says."""

    OK = 0
    """Done; for `fill`: filled."""
    IMPOSSIBLE = 1
    """`fill`: proved that there is no fill; `check`: there are findings."""
    BAD_INPUT = 2
    """Wrong use, or a file that cannot be read or written."""
    UNKNOWN = 3
    """`fill`: neither a fill nor a proof at the deadline; `count --exact`: no exact count."""
    HUNG_UP = 129
    """Stopped by SIGHUP: the terminal was closed."""
    INTERRUPTED = 130
    """Stopped with Ctrl+C; a command returns it for any signal, and the shell says which one it was."""
    BROKEN_PIPE = 141
    """Whoever read the output went away; said quietly."""
    TERMINATED = 143
    """Stopped by SIGTERM."""

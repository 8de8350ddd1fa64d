"""The published figures of the forty grids: COMBUS (CP 2008) and Gecode (Modeling and Programming with Gecode)."""

import csv
from dataclasses import dataclass
from pathlib import Path

SYSTEMS = ("COMBUS", "Gecode", "restarts", "no-goods")
"""The columns: COMBUS, then Gecode's base search, with restarts, and with restarts and no-goods."""

_COLUMNS = {"Gecode": "base", "restarts": "restart", "no-goods": "nogoods"}


@dataclass(frozen=True)
class Published:
    """Seconds of each system on an instance; None where it gave up."""

    seconds: dict[str, float | None]

    @classmethod
    def unknown(cls) -> "Published":
        """Return empty figures for an unpublished instance."""
        return cls(dict.fromkeys(SYSTEMS))


def published_results(folder: Path) -> dict[tuple[str, str], Published]:
    """Return the published figures by dictionary and grid."""
    with (folder / "published_results.csv").open(newline="") as file:
        return {(row["dict"], row["grid"]): _read(row) for row in csv.DictReader(file)}


def _read(row: dict[str, str]) -> Published:
    combus = float(row["combus_time_s"]) if int(row["combus_nodes"]) else None
    gecode = {name: _gecode(row, column) for name, column in _COLUMNS.items()}
    return Published({"COMBUS": combus, **gecode})


def _gecode(row: dict[str, str], column: str) -> float | None:
    """Return the seconds; None for a run that was stopped."""
    return float(row[f"{column}_time_s"]) if row[f"{column}_stopped"] == "0" else None

"""The tables of verbs and keys for the README, made from the declarations."""

from __future__ import annotations

from collections.abc import Iterable

from xwtui.workbench.verbs.keys import key_cap, key_caps
from xwtui.workbench.verbs.registry import VERBS
from xwtui.workbench.verbs.verb import Group

GRID_KEYS: tuple[tuple[str, str], ...] = (
    ("Arrows", "move; across the direction, the first press only turns"),
    ("Space", "turn"),
    ("A–Z, 0–9", "write a letter and go on"),
    ("Tab, Shift+Tab", "next and previous entry"),
    ("Backspace, Delete", "empty the square; Backspace goes back"),
    ("Esc, Ctrl+R", "write a rebus: Enter writes it, Esc leaves it"),
    ("Enter", "place the chosen candidate"),
    ("!", "go to the entry with the fewest options"),
    (":", "the command line, for every verb"),
)
"""What the keys of the screen do that are no verbs, for the key table."""


def verb_table() -> str:
    """All verbs as a Markdown table: name with arguments, what it does, key."""
    lines = ["| Verb | What it does | Key |", "| --- | --- | --- |"]
    for group in Group:
        lines += [
            f"| `{_escaped(verb.usage)}` | {_escaped(verb.summary)} | {_codes(map(key_cap, verb.keys))} |"
            for verb in VERBS.values()
            if verb.group is group
        ]
    return "\n".join(lines) + "\n"


def key_table() -> str:
    """All keys as a Markdown table: those of the grid, then those of the verbs."""
    lines = ["| Key | What it does |", "| --- | --- |"]
    lines += [f"| {key} | {_escaped(meaning)} |" for key, meaning in GRID_KEYS]
    lines += [
        f"| {key_caps(verb)} | {_escaped(verb.summary)} (`{verb.name}`) |" for verb in VERBS.values() if verb.keys
    ]
    return "\n".join(lines) + "\n"


def _codes(keys: Iterable[str]) -> str:
    return ", ".join("`` ` ``" if key == "`" else f"`{key}`" for key in keys)


def _escaped(text: str) -> str:
    return text.replace("|", "\\|")

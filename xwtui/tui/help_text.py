"""The help, made from the declarations of keys and verbs."""

from itertools import groupby
from typing import NamedTuple

from rich.text import Text

from xwtui.tui.keys import GRID_KEYS, SCREEN_KEYS, key_text
from xwtui.tui.palette import Palette
from xwtui.workbench.verbs.registry import VERBS
from xwtui.workbench.verbs.verb import Group, Verb

_KEYS_WIDTH = 17
_VERB_WIDTH = 12
_MOUSE = "a click goes there, a second one turns or places, the wheel scrolls\n"


class HelpKey(NamedTuple):
    """A line of the key table."""

    keys: str
    summary: str


def own_keys() -> list[HelpKey]:
    """The keys that are no verbs; those that do one thing together stand in one line."""
    rows = [HelpKey("A–Z, 0–9", "write into the square, and go on")]
    for summary, keys in groupby((*GRID_KEYS, *SCREEN_KEYS), key=lambda key: key.summary):
        rows.append(HelpKey(", ".join(key_text(key.keys) for key in keys), summary))
    return rows


def key_table() -> list[HelpKey]:
    """Every key with what it does: the grid's, the screen's, the verbs'."""
    return [*own_keys(), *(HelpKey(key_text(verb.key), verb.summary) for verb in VERBS.values() if verb.key)]


def help_text(paint: Palette) -> Text:
    """The whole help."""
    text = Text()
    for part in (_keys(paint), _marks(paint), _verbs(paint)):
        text.append_text(part)
    return text


def _keys(paint: Palette) -> Text:
    text = Text("Keys\n", style=paint.heading)
    for keys, summary in key_table():
        text.append(f"  {keys:<{_KEYS_WIDTH}} ", paint.accent).append(f"{summary}\n", paint.text)
    text.append(f"  {'Mouse':<{_KEYS_WIDTH}} ", paint.accent)
    return text.append(_MOUSE, paint.text)


def _marks(paint: Palette) -> Text:
    text = Text("\nIn the grid\n", style=paint.heading)
    marks = [
        (" A ", paint.pencil, "pencil: the filler's, which the next fill may replace"),
        (" A ", paint.pen, "pen: yours, which every fill keeps"),
        (" A ", paint.locked, "locked: kept, and guarded against edits"),
        (" A ", paint.search, "what the filler tries at this moment"),
        (" A ", paint.undone, "what a backtrack has just taken back"),
        ("HE…", paint.pen, "a rebus square; in full at the right of the second line"),
        ("X/T", paint.pen, "a square that reads X across and T… down"),
        ("(A)", paint.pen, "a circle"),
        (" ◦ ", paint.empty, "a square that a rule keeps to some letters; the second line says which"),
        (" § ", paint.muted, "beside a name: the entry has a rule of its own, which the second line tells"),
    ]
    for sign, style, summary in marks:
        text.append("  ").append(sign, paint.open + style).append(f"  {summary}\n", paint.text)
    return text


def _verbs(paint: Palette) -> Text:
    text = Text("\nVerbs, after a colon\n", style=paint.heading)
    for group, verbs in groupby(sorted(VERBS.values(), key=_group_order), key=lambda verb: verb.group):
        text.append(f"  {group.value}\n", paint.heading)
        for verb in verbs:
            text.append(f"    {verb.name:<{_VERB_WIDTH}}", paint.accent).append(f"{verb.summary}\n", paint.text)
    return text.append("\n  `:help set` tells all about one of them\n", paint.muted)


def _group_order(verb: Verb) -> int:
    return list(Group).index(verb.group)

"""The keys, as Textual names them and as they stand on a keyboard."""

from __future__ import annotations

from xwtui.session.verbs.verb import Verb

_CAPS = {
    "full_stop": ".",
    "grave_accent": "`",
    "question_mark": "?",
    "exclamation_mark": "!",
    "colon": ":",
    "plus": "+",
    "minus": "-",
    "asterisk": "*",
    "equals_sign": "=",
    "percent_sign": "%",
    "left_square_bracket": "[",
    "backslash": "\\",
    "at": "@",
    "escape": "Esc",
    "space": "Space",
    "tab": "Tab",
    "enter": "Enter",
    "backspace": "Backspace",
    "delete": "Delete",
}


def key_cap(key: str) -> str:
    """A Textual key name as people write it: `ctrl+l` is `Ctrl+L`, `full_stop` is `.`."""
    *modifiers, last = key.split("+")
    cap = _CAPS.get(last, last.upper() if len(last) == 1 or last[1:].isdigit() else last.capitalize())
    return "+".join([*(modifier.capitalize() for modifier in modifiers), cap])


def key_caps(verb: Verb) -> str:
    """The keys of a verb as people write them, or an empty text."""
    return ", ".join(key_cap(key) for key in verb.keys)

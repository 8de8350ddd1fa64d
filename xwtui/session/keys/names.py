"""Names of keys, as in Textual and as people write them, and the keys that terminals send."""

from __future__ import annotations

import enum
import unicodedata

from xwtui.errors import XwtuiError
from xwtui.text import printable

_RENAMED = {
    "solidus": "slash",
    "reverse_solidus": "backslash",
    "commercial_at": "at",
    "hyphen_minus": "minus",
    "plus_sign": "plus",
    "low_line": "underscore",
}
"""Symbols whose names in Textual differ from Unicode."""


def _sign_name(sign: str) -> str:
    name = unicodedata.name(sign).lower().replace("-", "_").replace(" ", "_")
    return _RENAMED.get(name, name)


_SIGNS = {_sign_name(sign): sign for sign in "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"}
_ARROWS = {"left": "←", "right": "→", "up": "↑", "down": "↓"}
_CAPS = {**_SIGNS, **_ARROWS, "escape": "Esc", "pageup": "PageUp", "pagedown": "PageDown"}
_NAMED = frozenset(
    ("space", "tab", "enter", "escape", "backspace", "delete", "insert", "home", "end", "pageup", "pagedown")
)
_TRAVEL = frozenset((*_ARROWS, "home", "end", "pageup", "pagedown", "insert", "delete"))
"""Keys that terminals also send with Shift and Ctrl."""
_OTHER_NAMES = {
    "esc": "escape",
    "return": "enter",
    "ins": "insert",
    "del": "delete",
    "pgup": "pageup",
    "pgdn": "pagedown",
    "pgdown": "pagedown",
    **{arrow: name for name, arrow in _ARROWS.items()},
    **{sign: name for name, sign in _SIGNS.items()},
}
_MODIFIERS = ("alt", "ctrl", "shift", "super", "hyper", "meta")
_FUNCTION_KEYS = 12
"""Number of function keys. With Shift, terminals send them as that many further ones: Shift+F5 is F17."""


def key_cap(key: str) -> str:
    """Convert a Textual key (`ctrl+l`, `full_stop`, `ctrl+left`) to the usual form: `Ctrl+L`, `.`, `Ctrl+←`."""
    *modifiers, last = key.strip().split("+")
    cap = _CAPS.get(last, last.upper() if len(last) == 1 or last[1:].isdigit() else last.capitalize())
    return "+".join([*(modifier.capitalize() for modifier in modifiers), cap])


def brief_key_cap(key: str) -> str:
    """Return the short form for the footer: `^S`, `F5`."""
    return key_cap(key).replace("Ctrl+", "^")


def read_key(text: str) -> tuple[str, ...]:
    """Parse a key as people write it into Textual's names; raises XwtuiError if it is not a key.

    Usually that is one name. Terminals send Shift+F5 as F17, so that gives two.
    """
    *modifiers, last = _parts(text)
    name = _OTHER_NAMES.get(last.lower(), last if len(last) == 1 else last.lower())
    strange = [modifier for modifier in modifiers if modifier not in _MODIFIERS]
    if strange or not (name in _NAMED or name in _ARROWS or name in _SIGNS or len(name) == 1 or _function(name)):
        raise XwtuiError(
            f"{printable(text, 30)!r} is not a key; keys look like F5, ctrl+r, shift+tab, Esc, PageUp, . or #"
        )
    if modifiers:
        name = name.lower()
    key = "+".join([*sorted(set(modifiers)), name])
    if modifiers == ["shift"] and 0 < _function(name) <= _FUNCTION_KEYS:
        return key, f"f{_function(name) + _FUNCTION_KEYS}"
    return (key,)


def _parts(text: str) -> list[str]:
    """Split a key into modifiers and key; the key itself may be a plus."""
    bare = text.strip()
    if bare.endswith("+"):
        return [*(part.strip().lower() for part in bare[:-1].split("+") if part.strip()), "+"]
    *modifiers, last = bare.split("+")
    return [*(part.strip().lower() for part in modifiers), last.strip()]


def _function(name: str) -> int:
    """Return the number of a function key; 0 for other keys."""
    number = int(name[1:]) if name[:1] == "f" and name[1:].isdecimal() else 0
    return number if 0 < number <= 2 * _FUNCTION_KEYS else 0


class Sending(enum.Enum):
    """Whether a key reaches the program; the value is the reason if it does not."""

    SENT = ""
    TAB = "a terminal sends it as Tab"
    ENTER = "a terminal sends it as Enter"
    BACKSPACE = "most terminals send it as Backspace"
    ESCAPE = "a terminal sends it as Esc"
    AFTER_ESCAPE = "a terminal sends it as Esc and a letter, so Esc before a letter would trigger it"
    QUITS = "it always quits"
    STOPS = "it always stops the running work"
    WRITES = "it writes into the square"
    PASTES = "most terminals keep it for themselves, to paste and to scroll back"
    UNSENT = "most terminals cannot send it"


_SENT_OTHERWISE = {
    "ctrl+i": Sending.TAB,
    "ctrl+m": Sending.ENTER,
    "ctrl+h": Sending.BACKSPACE,
    "ctrl+left_square_bracket": Sending.ESCAPE,
    "ctrl+q": Sending.QUITS,
    "ctrl+c": Sending.STOPS,
    "shift+insert": Sending.PASTES,
    "shift+pageup": Sending.PASTES,
    "shift+pagedown": Sending.PASTES,
}
_CONTROL_SIGNS = ("at", "backslash", "right_square_bracket", "circumflex_accent", "underscore")


def sending(key: str) -> Sending:
    """Return whether a common terminal sends a key, given as `read_key` returns it."""
    if key in _SENT_OTHERWISE:
        return _SENT_OTHERWISE[key]
    *modifiers, last = key.split("+")
    number = _function(last)
    if not modifiers:
        return Sending.WRITES if len(last) == 1 and last.isalnum() else Sending.SENT
    if modifiers == ["alt"] and last not in _TRAVEL:
        return Sending.AFTER_ESCAPE
    is_sent = (
        (modifiers == ["ctrl"] and ((len(last) == 1 and "a" <= last <= "z") or last in _CONTROL_SIGNS))
        or (modifiers in (["alt"], ["ctrl"], ["shift"], ["ctrl", "shift"]) and last in _TRAVEL)
        or (modifiers in (["ctrl"], ["shift"]) and 0 < number <= _FUNCTION_KEYS)
        or key == "shift+tab"
    )
    return Sending.SENT if is_sent else Sending.UNSENT

"""The rules of a puzzle in its ipuz file, a field that xwtui adds: each kind has fields of its own."""

from collections.abc import Mapping
from typing import Any

from xwtui.errors import PuzzleError, PuzzleFormatError
from xwtui.formats.plain_text import clean_line
from xwtui.model import Direction, EntryRules, Grid, Position, Rules, SlotKey
from xwtui.model.rules.allowed_contents import read_allowed, written_allowed
from xwtui.model.rules.checks import DamageError, read_list, read_mapping
from xwtui.model.rules.kinds import EntryRule
from xwtui.model.rules.registry import ENTRY_KINDS, GRID_KINDS

RULES = "net.xwtui:rules"


def read_rules(value: Any, grid: Grid) -> Rules:
    """The rules; those for squares off the grid are dropped. Raises PuzzleFormatError where they are damaged."""
    if value is None:
        return Rules()
    try:
        rules = _rules(read_mapping(value), grid)
        rules.check()
    except DamageError:
        raise PuzzleFormatError(f"the rules in this file ('{RULES}') are damaged") from None
    except PuzzleError as error:
        raise PuzzleFormatError(f"the rules in this file ('{RULES}') cannot be used: {error}") from None
    return rules


def _rules(fields: Mapping[str, Any], grid: Grid) -> Rules:
    entries = dict(_entry(each) for each in read_list(fields.get("entries", [])))
    squares = read_allowed(fields.get("squares", {}))
    return Rules(
        entries={key: rules for key, rules in entries.items() if key[0] in grid and not rules.is_empty},
        squares={at: contents for at, contents in squares.items() if at in grid and contents},
        grid=tuple(rule for kind in GRID_KINDS for rule in kind.read(fields)),
        every=_entry_rules(read_mapping(fields.get("every", {}))),
    )


def _entry(value: Any) -> tuple[SlotKey, EntryRules]:
    match value:
        case [str(where), "A" | "D" as letter, dict(fields)]:
            return (Position.parse(where), Direction(letter)), _entry_rules(fields)
    raise DamageError


def _entry_rules(fields: Mapping[str, Any]) -> EntryRules:
    return EntryRules(
        *(
            rule
            for kind in ENTRY_KINDS
            if kind.field in fields
            for rule in kind.read(_harmless(kind, fields[kind.field]))
        )
    )


def _harmless(kind: type[EntryRule], value: Any) -> Any:
    """The value of a field; where it is text of any kind, without what could harm a terminal."""
    return clean_line(value, kind.free_text) if kind.free_text and isinstance(value, str) else value


def rules_field(rules: Rules) -> dict[str, Any]:
    """The rules as JSON."""
    ordered = sorted(rules.entries.items(), key=lambda entry: (entry[0][0], entry[0][1].value))
    fields: dict[str, Any] = {
        "entries": [[str(at), direction.value, _entry_fields(asked)] for (at, direction), asked in ordered],
        "squares": written_allowed(rules.squares),
        "every": _entry_fields(rules.every),
    }
    for kind in GRID_KINDS:
        fields |= kind.written(rules.of(kind))
    return {name: value for name, value in fields.items() if value}


def _entry_fields(rules: EntryRules) -> dict[str, Any]:
    return {kind.field: kind.written(own) for kind in ENTRY_KINDS if (own := rules.of(kind))}

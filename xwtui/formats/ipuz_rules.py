"""The constructor's rules in an ipuz file: the field `net.xwtui:rules`, which other programs pass over.

What asks for nothing is left out. Keys that this version does not know are passed over; a known one
with anything else in it than the writer writes makes the file a damaged one.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from xwtui.errors import PuzzleError, PuzzleFormatError
from xwtui.formats.plain_text import clean_line
from xwtui.model import Content, Direction, EntryRule, Grid, Position, RebusPlacing, Rules, SlotKey
from xwtui.model.rule_limits import check_rules

RULES = "net.xwtui:rules"

T = TypeVar("T")


class _DamageError(Exception):
    """Some part of the field is not what a writer writes."""


def read_rules(value: Any, grid: Grid) -> Rules:
    """The rules; those for squares off the grid are dropped. Raises PuzzleFormatError where they are damaged."""
    if value is None:
        return Rules()
    try:
        rules = _rules(_mapping(value), grid)
        check_rules(rules)
    except _DamageError:
        raise PuzzleFormatError(f"the rules in this file ('{RULES}') are damaged") from None
    except PuzzleError as error:
        raise PuzzleFormatError(f"the rules in this file ('{RULES}') cannot be used: {error}") from None
    return rules


def _rules(fields: Mapping[str, Any], grid: Grid) -> Rules:
    entries = dict(_entry(each) for each in _list(fields.get("entries", [])))
    squares = {
        Position.parse(where): tuple(map(_content, _list(contents)))
        for where, contents in _mapping(fields.get("squares", {})).items()
    }
    return Rules(
        entries={key: rule for key, rule in entries.items() if key[0] in grid and not rule.is_empty},
        squares={at: contents for at, contents in squares.items() if at in grid and contents},
        shared_substring=_number(fields.get("shared_substring", 0)),
        distinct_stems=_flag(fields.get("distinct_stems", False)),
        stem_groups=tuple(frozenset(_strings(group)) for group in _list(fields.get("stem_groups", []))),
        tag_limits={tag: _number(limit) for tag, limit in _mapping(fields.get("tag_limits", {})).items()},
        wanted=_strings(fields.get("wanted", [])),
        wanted_least=_number(fields.get("wanted_least", 0)),
        letters=_string(fields.get("letters", "")),
        placings=tuple(_placing(_mapping(each)) for each in _list(fields.get("placings", []))),
    )


def _entry(value: Any) -> tuple[SlotKey, EntryRule]:
    match value:
        case [str(where), "A" | "D" as letter, dict(fields)]:
            minimum = fields.get("minimum_score")
            rule = EntryRule(
                None if minimum is None else _number(minimum),
                clean_line(_string(fields.get("word_list", "")), "the name of a word list"),
                _string(fields.get("pattern", "")),
                _strings(fields.get("contains", [])),
                _strings(fields.get("lacks", [])),
                _strings(fields.get("barred", [])),
            )
            return (Position.parse(where), Direction(letter)), rule
    raise _DamageError


def _placing(fields: Mapping[str, Any]) -> RebusPlacing:
    return RebusPlacing(
        tuple(map(_content, _list(fields.get("contents")))),
        _number(fields.get("least")),
        _number(fields.get("most")),
        _flag(fields.get("symmetric", False)),
        _flag(fields.get("each", False)),
    )


def _content(value: Any) -> Content:
    return Content.parse(_string(value))


def _strings(value: Any) -> tuple[str, ...]:
    return tuple(map(_string, _list(value)))


def _is_a(kind: type[T]) -> Callable[[Any], T]:
    """A reader of values of just this type: JSON's true is no number here."""

    def read(value: Any) -> T:
        if type(value) is not kind:
            raise _DamageError
        return value

    return read


_string = _is_a(str)
_number = _is_a(int)
_flag = _is_a(bool)
_list: Callable[[Any], list[Any]] = _is_a(list)
_mapping: Callable[[Any], dict[str, Any]] = _is_a(dict)


def rules_field(rules: Rules) -> dict[str, Any]:
    """The rules as JSON."""
    ordered = sorted(rules.entries.items(), key=lambda entry: (entry[0][0], entry[0][1].value))
    fields: dict[str, Any] = {
        "entries": [[str(at), direction.value, _entry_fields(rule)] for (at, direction), rule in ordered],
        "squares": {str(at): list(map(str, rules.squares[at])) for at in sorted(rules.squares)},
        "shared_substring": rules.shared_substring,
        "distinct_stems": rules.distinct_stems,
        "stem_groups": [sorted(group) for group in rules.stem_groups],
        "tag_limits": dict(sorted(rules.tag_limits.items())),
        "wanted": list(rules.wanted),
        "wanted_least": rules.wanted_least,
        "letters": rules.letters,
        "placings": [_placing_fields(placing) for placing in rules.placings],
    }
    return {name: value for name, value in fields.items() if value}


def _entry_fields(rule: EntryRule) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "word_list": rule.word_list,
        "pattern": rule.pattern,
        "contains": list(rule.contains),
        "lacks": list(rule.lacks),
        "barred": list(rule.barred),
    }
    score = {} if rule.minimum_score is None else {"minimum_score": rule.minimum_score}
    return {**score, **{name: value for name, value in fields.items() if value}}


def _placing_fields(placing: RebusPlacing) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "contents": list(map(str, placing.contents)),
        "least": placing.least,
        "most": placing.most,
    }
    flags = {"symmetric": placing.symmetric, "each": placing.each}
    return {**fields, **{name: value for name, value in flags.items() if value}}

"""Rules in words, a line each, as verbs, panes and reports tell them."""

from collections.abc import Iterable, Iterator
from string import ascii_uppercase

from xwtui.model.puzzle import Puzzle
from xwtui.model.rules import EntryRule, RebusPlacing, Rules
from xwtui.model.slots import SlotKey
from xwtui.model.square import Content
from xwtui.text import first_named, listed


def rule_lines(puzzle: Puzzle) -> list[str]:
    """All rules of a puzzle, entries first; nothing where there are none."""
    return [*_entry_lines(puzzle), *_square_lines(puzzle.rules), *whole_lines(puzzle.rules)]


def entry_words(rule: EntryRule) -> str:
    """What an entry is asked: `from themes.dict, scores 60 or more, matches .*ING`; empty for an empty rule."""
    return ", ".join([*_source(rule), *_demands(rule)])


def asked_words(rule: EntryRule) -> str:
    """The same, to come after "no word": `from cities that scores 60 or more and lacks Q`."""
    demands = list(_demands(rule))
    return " ".join([*_source(rule), *([f"that {listed(demands, 'and')}"] if demands else [])])


def _source(rule: EntryRule) -> list[str]:
    return [f"from {rule.word_list}"] if rule.word_list else []


def _demands(rule: EntryRule) -> Iterator[str]:
    if rule.minimum_score is not None:
        yield f"scores {rule.minimum_score} or more"
    if rule.pattern:
        yield f"matches {rule.pattern}"
    if rule.contains:
        yield f"contains {listed(rule.contains, 'and')}"
    if rule.lacks:
        in_a_row = " in a row" if any(len(letters) > 1 for letters in rule.lacks) else ""
        yield f"lacks {listed(rule.lacks, 'and')}{in_a_row}"
    if rule.barred:
        yield f"is not {listed(rule.barred, 'or')}"


def key_words(puzzle: Puzzle, key: SlotKey) -> str:
    """An entry by its name, or by its first square where no entry begins there now."""
    slot = puzzle.grid.slot_at(*key)
    if slot is not None and slot.start == key[0]:
        return slot.name
    return f"{key[0]} {key[1].word} (no entry now)"


def _entry_lines(puzzle: Puzzle) -> Iterator[str]:
    for key, rule in sorted(puzzle.rules.entries.items(), key=lambda entry: (entry[0][0], entry[0][1].value)):
        yield f"{key_words(puzzle, key)}: {entry_words(rule)}"


def _square_lines(rules: Rules) -> Iterator[str]:
    by_contents: dict[tuple[Content, ...], list[str]] = {}
    for square in sorted(rules.squares):
        by_contents.setdefault(rules.squares[square], []).append(str(square))
    for contents, squares in by_contents.items():
        yield f"{first_named(squares)}: {contents_words(contents)}"


def contents_words(contents: Iterable[Content]) -> str:
    """What a square may hold: `only A E I [HEART]`."""
    return f"only {' '.join(map(str, contents))}"


def whole_lines(rules: Rules) -> Iterator[str]:
    """What the whole grid is asked."""
    if rules.wanted:
        number = "all of " if rules.wanted_least == len(rules.wanted) else f"at least {rules.wanted_least} of "
        yield f"wanted: {number if len(rules.wanted) > 1 else ''}{first_named(rules.wanted)}"
    if rules.shared_substring:
        yield f"distinct: no two answers share {rules.shared_substring} letters in a row"
    if rules.distinct_stems:
        yield "distinct: no two answers share a stem"
    for group in rules.stem_groups:
        counted = "" if rules.distinct_stems else " once stems must differ"
        yield f"distinct: {first_named(sorted(group))} count as one stem{counted}"
    for tag, most in sorted(rules.tag_limits.items()):
        number = f"at most {most}" if most else "no"
        yield f"limit: {number} {'answer' if most < 2 else 'answers'} with the tag {tag}"
    if rules.letters:
        named = "A to Z" if set(rules.letters) >= set(ascii_uppercase) else " ".join(rules.letters)
        yield f"pangram: {named} each somewhere"
    for placing in rules.placings:
        yield f"rebus place: {placing_words(placing)}"


def placing_words(placing: RebusPlacing) -> str:
    """New rebus squares in words: `4..6 new squares with [HEART], in symmetry`."""
    number = str(placing.least) if placing.least == placing.most else f"{placing.least}..{placing.most}"
    noun = "square" if placing.most == 1 else "squares"
    parts = [f"{number} new {noun} with {' or '.join(map(str, placing.contents))}"]
    parts += ["each at least once"] if placing.each else []
    parts += ["in symmetry"] if placing.symmetric else []
    return ", ".join(parts)

"""The verbs for rules of the whole grid: wanted words, distinct answers, limits, letters, new rebus squares."""

from __future__ import annotations

from string import ascii_uppercase
from typing import TYPE_CHECKING, Any

import click

from xwtui.errors import PuzzleError
from xwtui.model import Content, Puzzle, RebusPlacing, rule_edits
from xwtui.model.rule_limits import LONGEST_WORD
from xwtui.model.rule_words import rule_lines, whole_lines
from xwtui.session.verbs.rule_types import (
    OFF,
    ContentType,
    GroupType,
    LettersType,
    NumberOrOffType,
    OffType,
    Range,
    RangeType,
    SwitchType,
    TagType,
    WantedType,
)
from xwtui.session.verbs.types import NumberType
from xwtui.session.verbs.verb import Answer, Group, verb

if TYPE_CHECKING:
    from xwtui.session.session import Session


@verb(Group.RULES, examples=("want OBOE TUBA", "want OBOE TUBA --least 1", "want OBOE off", "want off"))
@click.argument("words", type=WantedType(), nargs=-1, help="words to place; `off` after them takes them out")
@click.option("--least", type=NumberType(0, 1000), help="how many of all wanted words must stand; without it, all")
def want(session: Session, words: tuple[str, ...], least: int | None) -> Answer:
    """Ask for words that are to stand somewhere in the grid, or show them."""
    *named, last = words or ("",)
    if last == OFF:

        def edit(puzzle: Puzzle) -> Puzzle:
            return rule_edits.without_wanted(puzzle, named or puzzle.rules.wanted)

    else:

        def edit(puzzle: Puzzle) -> Puzzle:
            return rule_edits.with_wanted(puzzle, words, least)

    if words or least is not None:
        session.edit(f"want {' '.join(words)}".strip(), edit)
    from xwtui.words.rule_findings import wanted_notes  # noqa: PLC0415  (loads numpy)

    return [
        *_lines(session, "wanted", "no words are wanted"),
        *wanted_notes(session.puzzle, session.jobs.words.lexicon),
    ]


@verb(
    Group.RULES,
    examples=("distinct --substring 5", "distinct --stems on", 'distinct --group "DATA DATUM"', "distinct off"),
)
@click.argument("off", type=OffType(), required=False, help="`off` asks only that answers differ, as ever")
@click.option("--substring", type=NumberOrOffType(2, LONGEST_WORD), help="no two share so many letters in a row")
@click.option("--stems", type=SwitchType(), help="no two answers share a stem: plural, -ED, -ING, -ER")
@click.option("--group", "groups", type=GroupType(), multiple=True, help="words that count as one stem, in quotes")
def distinct(
    session: Session,
    off: str | None,
    substring: int | str | None,
    stems: bool | None,
    groups: tuple[frozenset[str], ...],
) -> Answer:
    """Ask for answers that differ by more than a letter, or show that.

    Naming a group turns the rule about stems on.
    """
    rules = session.puzzle.rules
    parts: dict[str, Any] = {}
    if off:
        parts = {"shared_substring": 0, "distinct_stems": False, "stem_groups": ()}
    if substring is not None:
        parts["shared_substring"] = 0 if substring == OFF else substring
    if stems is not None or groups:
        parts["distinct_stems"] = stems is not False
    if groups:
        known = () if off else rules.stem_groups
        parts["stem_groups"] = tuple(dict.fromkeys((*known, *groups)))
    if parts:
        session.edit("distinct", lambda puzzle: rule_edits.with_rules(puzzle, **parts))
    return _lines(session, "distinct", "answers differ; that is all that is asked of them")


@verb(Group.RULES, examples=("limit abbreviation 2", "limit name 0", "limit name off", "limit"))
@click.argument("tag", type=TagType(), required=False, help="a tag of the word lists: abbreviation, name")
@click.argument("most", type=NumberOrOffType(0, 999), required=False, help="how many at most; `off`: any")
def limit(session: Session, tag: str | None, most: int | str | None) -> Answer:
    """Allow only so many answers that the word lists tag in one way, or show the limits."""
    if tag is not None and most is None:
        raise PuzzleError(f"limit {tag}: say how many, such as `limit {tag} 2`, or `off`")
    if tag is not None:
        number = most if isinstance(most, int) else None
        session.edit(f"limit {tag}", lambda puzzle: rule_edits.with_tag_limit(puzzle, tag, number))
    from xwtui.words.rule_findings import tag_notes  # noqa: PLC0415  (loads numpy)

    return [*_lines(session, "limit", "no limits"), *tag_notes(session.puzzle, session.jobs.words.lexicon)]


@verb(Group.RULES, examples=("pangram on", "pangram JQXZ", "pangram off"))
@click.argument("wish", type=LettersType(), required=False, help="`on` for A to Z, some letters alone, or `off`")
def pangram(session: Session, wish: str | None) -> Answer:
    """Ask for a grid that has every letter, or show that."""
    if wish is not None:
        wanted = {"on": ascii_uppercase, OFF: ""}.get(wish, wish)
        session.edit(f"pangram {wish}", lambda puzzle: rule_edits.with_rules(puzzle, letters=wanted))
    return _lines(session, "pangram", "no letter must stand in the grid")


@verb(
    Group.RULES,
    name="rebus place",
    examples=(
        "rebus place HEART --squares 4..6 --symmetric",
        "rebus place HEART CLUB SPADE DIAMOND --squares 4..8 --each",
        "rebus place X/TIMES --squares 2",
        "rebus place HEART off",
        "rebus place off",
    ),
)
@click.argument("contents", type=ContentType(), nargs=-1, help="HEART, X/TIMES; `off` after them: no more")
@click.option(
    "--squares",
    type=RangeType(),
    help="how many new squares, all contents together; without it, as many as contents",
)
@click.option("--symmetric", is_flag=True, help="only in the puzzle's symmetry")
@click.option("--each", is_flag=True, help="every content at least once")
def place(
    session: Session,
    contents: tuple[Content | str, ...],
    squares: Range | None,
    symmetric: bool,
    each: bool,
) -> Answer:
    """Let the filler find where new rebus squares go, or show what it is asked.

    Both answers through a new square contain it. Squares that have such a content already are not counted.
    """
    named = tuple(content for content in contents if isinstance(content, Content))
    if OFF in contents[:-1]:
        raise PuzzleError("`off` comes last; a square that holds OFF is written [OFF]")
    if OFF in contents:
        _place_no_more(session, named)
    elif letters := [content for content in named if not content.is_rebus]:
        raise PuzzleError(f"{letters[0]} is a letter; a rebus square holds two characters or more: HEART, X/TIMES")
    elif named:
        least, most = squares or Range(len(named), len(named))
        placing = RebusPlacing(named, least, most, symmetric, each)
        session.edit("rebus place", lambda puzzle: rule_edits.with_placing(puzzle, placing))
    elif squares is not None or symmetric or each:
        raise PuzzleError("say what the new squares hold: `rebus place HEART --squares 4..6`")
    return _lines(session, "rebus place", "no new rebus squares are asked for")


def _place_no_more(session: Session, contents: tuple[Content, ...]) -> None:
    def edit(puzzle: Puzzle) -> Puzzle:
        if not contents:
            return rule_edits.with_rules(puzzle, placings=())
        return rule_edits.without_placing(puzzle, contents)

    session.edit("rebus place off", edit)


@verb(Group.RULES, examples=("rules", "rules off"))
@click.argument("off", type=OffType(), required=False, help="`off` takes all rules away")
def rules(session: Session, off: str | None) -> Answer:
    """List all rules that are in force."""
    if off:
        session.edit("rules off", rule_edits.without_rules)
    return rule_lines(session.puzzle) or ["no rules: answers are in the word list and differ, and that is all"]


def _lines(session: Session, name: str, otherwise: str) -> list[str]:
    """The rules of one kind, or what to say where there are none."""
    lines = [line for line in whole_lines(session.puzzle.rules) if line.startswith(f"{name}:")]
    return lines or [otherwise]

"""The fields that xwtui adds to ipuz files, `net.xwtui:…`: ink, words, rules, stale clues, snapshots and so on."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, NamedTuple

from xwtui.errors import PuzzleError, PuzzleFormatError
from xwtui.formats.base import check_clue_count
from xwtui.formats.grid_text import found_symmetry
from xwtui.formats.plain_text import clean_line, clean_text
from xwtui.lazy import lazy_pattern
from xwtui.model import Direction, EntryRules, Grid, Ink, Position, Puzzle, Rules, SlotKey, Symmetry, WordChoice
from xwtui.model.alphabet import ENGLISH, Alphabet, alphabet_fields, alphabet_of
from xwtui.model.clues import AnswerEnumeration, Clue, EntryClues
from xwtui.model.entering import EnteredAnswer
from xwtui.model.grid import LARGEST_SIDE
from xwtui.model.letters import KNOWN
from xwtui.model.markup import as_markup, is_plain, printed_runs, source_of
from xwtui.model.puzzle import with_item
from xwtui.model.rules.base import EntryRule
from xwtui.model.rules.checks import DamageError, read_list, read_mapping
from xwtui.model.rules.entry_rules import HIGHEST_SCORE, read_allowed, written_allowed
from xwtui.model.rules.registry import ENTRY_KINDS, GRID_KINDS
from xwtui.model.snapshots import MOST_SNAPSHOTS, check_name
from xwtui.model.square import LONGEST_REBUS
from xwtui.text import first_named, printable

RULES = "net.xwtui:rules"


def read_rules(value: Any, grid: Grid) -> Rules:
    """Parse the rules, dropping those for squares off the grid; raises PuzzleFormatError if they are damaged."""
    if value is None:
        return Rules()
    try:
        fields = read_mapping(value)
        entries: dict[SlotKey, EntryRules] = {}
        for each in read_list(fields.get("entries", [])):
            match each:
                case [str(where), "A" | "D" as letter, dict(asked)]:
                    entries[Position.parse(where), Direction(letter)] = _entry_rules(asked)
                case _:
                    raise DamageError
        squares = read_allowed(fields.get("squares", {}))
        rules = Rules(
            entries={key: rules for key, rules in entries.items() if key[0] in grid and not rules.is_empty},
            squares={at: contents for at, contents in squares.items() if at in grid and contents},
            grid=tuple(rule for kind in GRID_KINDS for rule in kind.read(fields)),
            every=_entry_rules(read_mapping(fields.get("every", {}))),
        )
        rules.check()
    except DamageError:
        raise PuzzleFormatError(f"the rules in this file ('{RULES}') are damaged") from None
    except PuzzleError as error:
        raise PuzzleFormatError(f"the rules in this file ('{RULES}') cannot be used: {error}") from None
    return rules


def _entry_rules(fields: Mapping[str, Any]) -> EntryRules:
    rules: list[EntryRule] = []
    for kind in ENTRY_KINDS:
        if kind.field in fields:
            value = fields[kind.field]
            is_text = kind.free_text and isinstance(value, str)  # it could contain terminal escapes
            rules += kind.read(clean_line(value, kind.free_text) if is_text else value)
    return EntryRules(*rules)


def unknown_rules(value: Any) -> Sequence[str]:
    """Return the names of unknown rules, from a package that is not installed or a later xwtui."""
    fields = value if isinstance(value, dict) else {}
    entries = fields.get("entries")
    rows = entries if isinstance(entries, list) else []
    asked = [row[2] for row in rows if isinstance(row, list) and len(row) == 3]
    of_entries = [name for each in (fields.get("every"), *asked) if isinstance(each, dict) for name in each]
    known = {"entries", "squares", "every", *(name for kind in GRID_KINDS for name in kind.written(()))}
    of_kinds = {kind.field for kind in ENTRY_KINDS}
    strange = [name for name in fields if name not in known]
    return list(dict.fromkeys([*strange, *(name for name in of_entries if name not in of_kinds)]))


def rules_field(rules: Rules) -> dict[str, Any]:
    """Return the rules as JSON."""
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


FILE_VERSION = "net.xwtui:version"
VERSION_WITH_HTML = 2
"""The version of files whose text is HTML, as in the standard; the first version wrote no version."""

INK = "net.xwtui:ink"
SYMMETRY = "net.xwtui:symmetry"
PROFILE = "net.xwtui:profile"
"""The name of the puzzle's profile."""

WORDS = "net.xwtui:words"
MARKUP = "net.xwtui:clue-markup"
"""Clues whose markup cannot be recovered from their HTML, such as references: `[r3c4, A or D, markup]`.

If a file has this field, even empty, the two lists below contain markup, too.
"""

UNPLACED = "net.xwtui:unplaced-clues"
KEPT_CLUES = "net.xwtui:kept-clues"
"""Clues of earlier answers: `[r3c4, A or D, answer, text]`, and the enumeration if known."""

LINKS = "net.xwtui:links"
"""The inactive links, `[[r1c1, A or D], …]` each; active ones are stored with their clues."""

SOLVER_NOTES = "net.xwtui:solver-notes"
"""Remarks on clues, made while solving: `[r3c4, A or D, text]`."""

ENTERED = "net.xwtui:entered"
"""Answers that are entered in a different form: `[r3c4, A or D, answer, entered]`."""

Unplaced = tuple[str, ...]
"""A clue without a slot: place (`r3c4`, or the number in the file), `A` or `D`, text, and the enumeration if
known."""

_LONGEST_PROFILE = 60
_LONGEST_ENUMERATION = 100
_INK_LETTERS = {Ink.PENCIL: ".", Ink.PEN: "p", Ink.LOCKED: "L"}
_INKS = {letter: ink for ink, letter in _INK_LETTERS.items()}
_WORD = lazy_pattern(rf"[{KNOWN}]{{1,40}}")
_ANSWER = lazy_pattern(rf"[{KNOWN}]{{1,{LARGEST_SIDE * LONGEST_REBUS}}}")


def with_ink(grid: Grid, rows: Any) -> Grid:
    """Return the grid with the ink of its squares; all stay PEN if the rows do not match the grid."""
    if not isinstance(rows, list) or len(rows) != grid.height:
        return grid
    if not all(isinstance(row, str) and len(row) == grid.width for row in rows):
        return grid
    return grid.with_squares(
        {at: replace(grid[at], ink=_INKS.get(rows[at.row][at.column], Ink.PEN)) for at in grid.open_positions()}
    )


def _read_symmetry(value: Any, grid: Grid) -> Symmetry:
    """Return the symmetry that the file names, or the blocks' own if it names none that fits."""
    try:
        symmetry = Symmetry.parse(value) if isinstance(value, str) else found_symmetry(grid)
        symmetry.check_fits(grid.height, grid.width)
    except PuzzleError:
        return found_symmetry(grid)
    return symmetry


def _read_words(value: Any) -> WordChoice:
    """Parse the word choice; raises PuzzleFormatError if it is damaged."""
    match value:
        case None:
            return WordChoice()
        case {
            "lists": list(lists),
            "minimum_score": int(minimum),
            "banned": list(banned),
            "scores": dict(scores),
        } if (
            all(isinstance(name, str) for name in lists)
            and all(isinstance(word, str) and _WORD.fullmatch(word) for word in [*banned, *scores])
            and all(type(score) is int and 0 <= score <= HIGHEST_SCORE for score in [minimum, *scores.values()])
        ):
            names = tuple(clean_line(name, "the name of a word list") for name in lists)
            match value.get("preferred", []), value.get("recent", ""):  # earlier versions wrote neither
                case list(liked), str(folder) if all(isinstance(name, str) for name in liked):
                    preferred = tuple(clean_line(name, "the name of a word list") for name in liked)
                    recent = clean_line(folder, "the folder of recent puzzles")
                    alphabet, graded = _read_alphabet(value.get("alphabet")), value.get("graded") is True
                    told = names, minimum, frozenset(banned), scores
                    return WordChoice(*told, preferred, recent, alphabet, graded)
    raise PuzzleFormatError(f"the choice of words in this file ('{WORDS}') is damaged")


def _read_alphabet(value: Any) -> Alphabet:
    """Parse the alphabet, which is stored completely, so that it is the same wherever the puzzle is opened."""
    match value:
        case None:
            return ENGLISH
        case {"name": str(name), **others}:
            with suppress(PuzzleError):
                return alphabet_of(name, {str(field): found for field, found in others.items()})
    raise PuzzleFormatError(f"the alphabet in this file ('{WORDS}') is damaged")


def words_field(words: WordChoice) -> dict[str, Any]:
    """Return the word choice as JSON."""
    field: dict[str, Any] = {
        "lists": list(words.lists),
        "minimum_score": words.minimum_score,
        "banned": sorted(words.banned),
        "scores": {word: words.scores[word] for word in sorted(words.scores)},
    }
    if words.preferred:
        field["preferred"] = list(words.preferred)
    if words.recent:
        field["recent"] = words.recent
    if words.is_graded:
        field["graded"] = True
    if words.alphabet != ENGLISH:
        field["alphabet"] = {"name": words.alphabet.name, **alphabet_fields(words.alphabet)}
    return field


def read_unplaced(
    value: Any, grid: Grid, clue_of: Callable[[str], str]
) -> tuple[dict[SlotKey, Clue], tuple[Unplaced, ...]]:
    """Return the clues of missing slots, and those without a known place; `clue_of` converts texts to markup."""
    known: dict[SlotKey, Clue] = {}
    strays: list[Unplaced] = []
    for entry in _entries(value):
        match entry:
            case [str(where), "A" | "D" as letter, str(raw_text), *told]:
                text = clue_of(clean_text(raw_text, "a clue"))
                enumeration = read_enumeration(told[0] if told else None)
                try:
                    position = Position.parse(where)
                except PuzzleError:
                    strays.append((clean_line(where, "a clue number"), letter, text))
                    continue
                if position in grid and (text or enumeration):
                    known[position, Direction(letter)] = Clue(text, "", enumeration)
    return known, tuple(strays)


def read_kept_clues(value: Any, grid: Grid, clue_of: Callable[[str], str]) -> dict[SlotKey, tuple[Clue, ...]]:
    """Return the clues of entries' earlier answers, in order; `clue_of` as in `read_unplaced`."""
    found: dict[SlotKey, tuple[Clue, ...]] = {}
    for entry in _entries(value):
        match entry:
            case [str(where), "A" | "D" as letter, str(answer), str(raw_text), *told] if _ANSWER.fullmatch(answer):
                text = clue_of(clean_text(raw_text, f"the clue of {answer}"))
                key, enumeration = _place(where, letter, grid), read_enumeration(told[0] if told else None)
                if key is not None and (text or enumeration):
                    found[key] = (*found.get(key, ()), Clue(text, answer, enumeration))
    return found


def read_enumeration(value: Any) -> AnswerEnumeration | None:
    """Parse a clue's enumeration, `3 4` or `3,4`; None if it is anything more than numbers and breaks."""
    text = str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""
    if len(text) <= _LONGEST_ENUMERATION:  # part of a longer one would be a different enumeration
        with suppress(PuzzleError):
            return AnswerEnumeration.parse(text)
    return None


def _entries(value: Any) -> list[Any]:
    """Return the items of a list field on clues; raises PuzzleFormatError if there are too many."""
    entries = value if isinstance(value, list) else []
    check_clue_count(len(entries))
    return entries


def _place(where: str, letter: str, grid: Grid) -> SlotKey | None:
    """Return the slot key that such an item names, or None if it is off the grid."""
    with suppress(PuzzleError):
        position = Position.parse(where)
        if position in grid:
            return position, Direction(letter)
    return None


def _placed(value: Any, grid: Grid, texts: int) -> Iterator[tuple[SlotKey, list[str]]]:
    """Yield the items `[r3c4, A or D, text, …]` of a field by slot key, ignoring those that are malformed."""
    for entry in _entries(value):
        match entry:
            case [str(where), "A" | "D" as letter, *told] if len(told) == texts:
                key = _place(where, letter, grid)
                if key is not None and all(isinstance(text, str) for text in told):
                    yield key, told


def read_links(value: Any, grid: Grid) -> Grid:
    """Return the grid with its inactive links, ignoring malformed ones."""
    for entry in _entries(value):
        with suppress(PuzzleError):
            match entry:
                case [[str(), "A" | "D"], *_] if all(isinstance(one, list) and len(one) == 2 for one in entry):
                    keys = [_place(str(where), letter, grid) for where, letter in entry]
                    if None not in keys:
                        grid = grid.with_links((*grid.links, tuple(filter(None, keys))))
    return grid


def with_markup(texts: Mapping[SlotKey, str], value: Any, grid: Grid) -> dict[SlotKey, str]:
    """Restore the markup that clues were written with, unless another program has changed them since."""
    found = dict(texts)
    for key, [text] in _placed(value, grid, 1):
        source = clean_line(text, "a clue")
        # whitespace as a reader normalizes it
        if found.get(key) == " ".join(source_of(printed_runs(source, grid)).split()):
            found[key] = source
    return found


def _markup_field(puzzle: Puzzle, others: Iterable[str]) -> list[list[str]] | None:
    """Return the field for clue markup; None if neither the puzzle's clues nor `others` need it."""
    sources = {slot: puzzle.clue(slot) for slot in puzzle.grid.slots}
    untold = [
        [str(slot.start), slot.direction.value, source]
        for slot, source in sources.items()
        if not is_plain(source) and source_of(printed_runs(source, puzzle.grid)) != source
    ]
    return untold if untold or any(as_markup(text) != text for text in others) else None


def with_kept_clues(
    own: Mapping[SlotKey, Clue], kept: Mapping[SlotKey, tuple[Clue, ...]]
) -> dict[SlotKey, EntryClues]:
    """Return all clues by entry: the file's clues of current answers after those of earlier ones."""
    return {key: EntryClues((*kept.get(key, ()), *([own[key]] if key in own else []))) for key in {**own, **kept}}


def _clue_fields(puzzle: Puzzle) -> tuple[list[Unplaced], list[list[str]]]:
    """Return two lists of clues for which the standard has no place.

    They are clues of slots that do not currently exist, because a block moved, and clues of earlier answers.
    """
    standing = {slot.key: puzzle.answer(slot) for slot in puzzle.grid.entries}
    unplaced: list[Unplaced] = []
    kept: list[list[str]] = []
    for (start, direction), clues in puzzle.clues.items():
        is_there = (start, direction) in standing
        own = clues.own(standing.get((start, direction)))
        for clue in clues.clues:
            told = [] if clue.enumeration is None else [str(clue.enumeration)]
            if clue.answer and (clue is not own or not is_there):
                kept.append([str(start), direction.value, clue.answer, clue.text, *told])
            elif not is_there:
                unplaced.append((str(start), direction.value, clue.text, *told))
    return unplaced, kept


def read_puzzle_fields(document: Mapping[str, Any], grid: Grid) -> dict[str, Any]:
    """Return the puzzle's fields from our extensions, except for squares and clues, by field name."""
    profile = document.get(PROFILE)  # it need not be a known profile
    notes = (
        (key, clean_line(text, "a note on a clue")) for key, [text] in _placed(document.get(SOLVER_NOTES), grid, 1)
    )
    return {
        "symmetry": _read_symmetry(document.get(SYMMETRY), grid),
        "profile": clean_line(profile, "the name of a profile")[:_LONGEST_PROFILE]
        if isinstance(profile, str)
        else "",
        "words": _read_words(document.get(WORDS)),
        "rules": read_rules(document.get(RULES), grid),
        "entered": {
            key: EnteredAnswer(answer, entered)
            for key, [answer, entered] in _placed(document.get(ENTERED), grid, 2)
            if _ANSWER.fullmatch(answer) and _ANSWER.fullmatch(entered)
        },
        "solver_notes": {key: note for key, note in notes if note},
    }


def extension_fields(puzzle: Puzzle, strays: Iterable[Unplaced]) -> Mapping[str, Any]:
    """Return everything that xwtui adds to the standard fields, except default values."""
    waiting, kept = _clue_fields(puzzle)
    unplaced = [list(clue) for clue in (*waiting, *strays)]
    fields: dict[str, Any] = {
        FILE_VERSION: VERSION_WITH_HTML,
        INK: ["".join(_INK_LETTERS[square.ink] for square in row) for row in puzzle.grid.rows()],
        SYMMETRY: puzzle.symmetry.value,
        PROFILE: puzzle.profile or None,
        WORDS: words_field(puzzle.words) if puzzle.words != WordChoice() else None,
        RULES: None if puzzle.rules.is_empty else rules_field(puzzle.rules),
        MARKUP: _markup_field(puzzle, [*(clue[2] for clue in unplaced), *(clue[3] for clue in kept)]),
        UNPLACED: unplaced or None,
        KEPT_CLUES: kept or None,
        LINKS: [[[str(at), way.value] for at, way in link] for link in puzzle.grid.waiting_links] or None,
        ENTERED: [[str(at), way.value, *told] for (at, way), told in puzzle.entered.items()] or None,
        SOLVER_NOTES: [[str(at), way.value, text] for (at, way), text in puzzle.solver_notes.items()] or None,
    }
    return {name: value for name, value in fields.items() if value is not None}


SNAPSHOTS = "net.xwtui:snapshots"

_OF_CLUES = (MARKUP, UNPLACED, KEPT_CLUES, LINKS, SOLVER_NOTES, ENTERED)
EXTENSIONS = frozenset((*_OF_CLUES, FILE_VERSION, INK, SYMMETRY, PROFILE, WORDS, RULES, SNAPSHOTS))
"""The names of all our fields."""

_REPEATED = ("version", "kind", "intro")
"""Fields that a snapshot omits because the file or its own notes provide them."""
_DAMAGED = "damaged"
"""Stands for a snapshot's name if the field is not a mapping of snapshots by name."""


class Snapshots(NamedTuple):
    """A file's snapshots by name, and the unreadable ones as raw values."""

    by_name: Mapping[str, Puzzle]
    unread: Mapping[str, Any]


def read_snapshots(value: Any, read: Callable[[Mapping[str, Any]], Puzzle]) -> Snapshots:
    """Parse the snapshots in a file; `read` converts fields, or raises PuzzleError or PuzzleFormatError.

    Malformed snapshots, and those beyond the limit, are kept as raw values: they do not make the puzzle
    unreadable.
    """
    by_name: dict[str, Puzzle] = {}
    unread: dict[str, Any] = {}
    entries = value if isinstance(value, dict) else {_DAMAGED: value} if value else {}
    for name, fields in entries.items():
        try:
            if not isinstance(fields, dict) or len(by_name) == MOST_SNAPSHOTS or check_name(name) != name:
                raise PuzzleError("no snapshot")
            by_name[name] = replace(read(fields), foreign={})
        except (PuzzleError, PuzzleFormatError):
            unread[name] = fields
    return Snapshots(by_name, unread)


def snapshots_field(puzzle: Puzzle, write: Callable[[Puzzle], Mapping[str, Any]]) -> dict[str, Any]:
    """Return the snapshots as JSON, after the unreadable ones; `write` returns the fields of a puzzle."""
    written: dict[str, Any] = dict(puzzle.foreign.get(SNAPSHOTS, {}))
    for name, state in puzzle.snapshots.items():
        fields = write(state)
        clues = {
            group: [clue for clue in clues if isinstance(clue, dict) or clue[1]]  # objects have more than a text
            for group, clues in fields["clues"].items()
        }
        kept = {field: value for field, value in fields.items() if field not in _REPEATED}
        written[name] = {**kept, "clues": clues}
    return written


def unread_snapshots(puzzle: Puzzle) -> tuple[str, ...]:
    """Return the names of unreadable snapshots, which stay in the file."""
    return tuple(puzzle.foreign.get(SNAPSHOTS, ()))


def unread_words(puzzle: Puzzle) -> str:
    """Return a warning that names the unreadable snapshots; empty if there are none."""
    names = [printable(name, 40) for name in unread_snapshots(puzzle)]
    return f"unreadable snapshots stay unchanged in the file: {first_named(names)}" if names else ""


def without_unread(puzzle: Puzzle, name: str) -> Puzzle:
    """Return the puzzle without an unreadable snapshot."""
    others = with_item(puzzle.foreign.get(SNAPSHOTS, {}), name, None)
    return replace(puzzle, foreign=with_item(puzzle.foreign, SNAPSHOTS, others or None))


_OWN_PREFIX = "net.xwtui:"
_PUBLIC_FIELDS = (FILE_VERSION, MARKUP, ENTERED)


def public_fields(document: Mapping[str, Any], puzzle: Puzzle) -> dict[str, Any]:
    """Return the fields that solvers and editors may see; of ours, only those needed to read the file."""
    shown = {
        name: value
        for name, value in document.items()
        if name in _PUBLIC_FIELDS or not name.startswith(_OWN_PREFIX)
    }
    if puzzle.alphabet != ENGLISH:
        shown[WORDS] = words_field(WordChoice(alphabet=puzzle.alphabet))
    return shown


def kept_back(puzzle: Puzzle) -> tuple[str, ...]:
    """Return phrases for the private data that `public_fields` leaves out of a puzzle."""
    unplaced, kept = _clue_fields(puzzle)
    inks = {square.ink for square in puzzle.grid.squares if square.content is not None}
    found = (
        ("which letters are pencil or locked (all letters are in the file)", inks - {Ink.PEN}),
        ("word lists, bans and scores", puzzle.words != WordChoice(alphabet=puzzle.alphabet)),
        ("rules", not puzzle.rules.is_empty),
        ("the profile", puzzle.profile),
        ("clues of other answers", kept or unplaced or puzzle.foreign.get(UNPLACED)),
        ("notes made while solving", puzzle.solver_notes),
        ("snapshots", puzzle.snapshots or unread_snapshots(puzzle)),
    )
    return tuple(name for name, is_there in found if is_there)

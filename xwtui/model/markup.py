r"""Clue markup: `*italic*`, `**bold**`, and `{17A}` for the number of another entry.

A clue is stored as it is typed and parsed here into runs of text. Literal stars need no escape in most clues:
stars are markup only in pairs, outside the words that they enclose and touching them. So `M*A*S*H`, `*Starred
clue` and `5 * 3 * 2` are plain text. A backslash before `\`, `*` or `{` makes that character literal. `{}` is an
empty separator for italics that begin or end within a word (`*un*{}said`).

A reference is typed with its entry's number (`{17A}`, or `{17A-}` for `17-` as in "17- and 21-Across"). It is
stored with the entry's place (`{r3c5A}`), so that it follows the entry when the grid is renumbered.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, groupby
from typing import NamedTuple

from xwtui.lazy import lazy_imports, lazy_pattern
from xwtui.model.where import Direction, Position

with lazy_imports():
    from xwtui.model.grid import Grid
    from xwtui.model.slots import Slot, SlotKey

_SIGNS = lazy_pattern(r"[\\*{]")
_TOKEN = lazy_pattern(
    r"\\(?P<escaped>[\\*{])"
    r"|(?P<stars>\*+)"
    r"|\{(?P<target>\d{1,3}[ADad]|r\d{1,2}c\d{1,2}[AD])(?P<short>-?)\}"
    r"|(?P<nothing>\{\})"
)
_PLACE = lazy_pattern(r"(r\d{1,2}c\d{1,2})([AD])")
_MOST_STARS = 3
"""Number of stars for bold italic; longer runs of stars are text."""

_CLUES_KEPT = 2_000
"""Size of the cache of parsed clues: all clues of a puzzle are read again whenever one of them changes."""

_WORD_CHARACTER, _SIGN = "a", "."
"""The character that stands for a reference, and for `{}`, when adjacent stars are classified."""


def is_plain(source: str) -> bool:
    """Whether a clue has none of the markup characters."""
    return _SIGNS.search(source) is None


class Reference(NamedTuple):
    """A clue's reference to another entry: by its place, or by name if no such entry existed when it was typed."""

    target: str
    """`r3c5A` or `17A`."""
    is_short: bool = False
    """Whether only the number is printed, followed by a hyphen."""

    def slot(self, grid: Grid) -> Slot | None:
        """Return the entry that it refers to, or None if the grid has no such entry."""
        if _PLACE.fullmatch(self.target) is None:
            return grid.slots_by_name.get(self.target.upper())
        return None if self.key is None else grid.slot_of(self.key)

    @property
    def key(self) -> SlotKey | None:
        """The slot key of the place, or None if it is a name or outside any grid."""
        place = _PLACE.fullmatch(self.target)
        if place is None or place[1][1:2] == "0" or "c0" in place[1]:
            return None
        return Position.parse(place[1]), Direction(place[2])

    @property
    def source(self) -> str:
        """The reference as markup: `{17A}`."""
        return f"{{{self.target}{'-' if self.is_short else ''}}}"

    def words(self, grid: Grid) -> str:
        """Return the text that a solver reads, `17-Across`, or the markup if the grid has no such entry."""
        slot = self.slot(grid)
        if slot is None:
            return self.source
        return f"{slot.number}-" if self.is_short else f"{slot.number}-{slot.direction.word.title()}"


class TextRun(NamedTuple):
    """A piece of a clue in one style: text or a reference."""

    text: str
    italic: bool = False
    bold: bool = False
    reference: Reference | None = None
    """The reference of which `text` is the markup, if any."""


class _Mark(NamedTuple):
    """A token of the markup: text, a reference, or stars that may begin or end a style."""

    text: str
    stars: int = 0
    reference: Reference | None = None
    may_open: bool = False
    may_close: bool = False


@lru_cache(_CLUES_KEPT)
def parse(source: str) -> tuple[TextRun, ...]:
    """Return the runs of a clue, as few as possible and none empty."""
    if is_plain(source):
        return (TextRun(source),) if source else ()
    marks = _marks(source)
    italic, bold = _paired(marks, (1, 3)), _paired(marks, (2, 3))
    runs: list[TextRun] = []
    is_italic = is_bold = False
    for index, mark in enumerate(marks):
        if not mark.stars:
            runs.append(TextRun(mark.text, is_italic, is_bold, mark.reference))
            continue
        left = "*" * (mark.stars - (index in italic) - 2 * (index in bold))
        closes = (index in italic and is_italic) or (index in bold and is_bold)
        if not closes:
            runs.append(TextRun(left, is_italic, is_bold))
        is_italic ^= index in italic
        is_bold ^= index in bold
        if closes:
            runs.append(TextRun(left, is_italic, is_bold))
    return normal(runs)


def _marks(source: str) -> list[_Mark]:
    """Return the tokens in order; its neighbors decide whether a run of stars may open or close a style."""
    marks: list[_Mark] = []
    beside: list[str] = []
    """For each token, the text that adjacent stars are compared with."""
    at = 0
    for found in _TOKEN.finditer(source):
        if found.start() > at:
            marks.append(_Mark(source[at : found.start()]))
            beside.append(source[at : found.start()])
        at = found.end()
        if target := found["target"]:
            reference = Reference(target if target.startswith("r") else target.upper(), bool(found["short"]))
            marks.append(_Mark(reference.source, reference=reference))
            beside.append(_WORD_CHARACTER)
        elif stars := found["stars"]:
            is_text = len(stars) > _MOST_STARS
            marks.append(_Mark(stars) if is_text else _Mark("", stars=len(stars)))
            beside.append(stars)
        else:
            marks.append(_Mark(found["escaped"] or ""))
            beside.append(found["escaped"] or _SIGN)
    if at < len(source):
        marks.append(_Mark(source[at:]))
        beside.append(source[at:])
    return [
        mark._replace(
            may_open=bool(after[:1].strip()) and not before[-1:].isalnum(),
            may_close=bool(before[-1:].strip()) and not after[:1].isalnum(),
        )
        if mark.stars
        else mark
        for before, mark, after in zip(["", *beside], marks, [*beside[1:], ""], strict=False)
    ]


def _paired(marks: Sequence[_Mark], sizes: tuple[int, int]) -> frozenset[int]:
    """Return the indices of the star tokens, of the given sizes, that open and close one style."""
    pairs: set[int] = set()
    opener: int | None = None
    for index, mark in enumerate(marks):
        if mark.stars not in sizes:
            continue
        if opener is not None and mark.may_close:
            pairs |= {opener, index}
            opener = None
        elif mark.may_open:
            opener = index
    return frozenset(pairs)


def normal(runs: Iterable[TextRun]) -> tuple[TextRun, ...]:
    """Return the canonical form of the runs: as few as possible, none empty.

    Whitespace within a style takes that style; whitespace at its ends does not.
    """
    pieces: list[TextRun] = []
    for run in runs:
        parts = [run.text] if run.reference is not None else re.split(r"(\s+)", run.text)
        pieces += [run._replace(text=part) for part in parts if part]
    before, after = _text_beside(pieces), _text_beside(pieces[::-1])[::-1]
    styled = [
        TextRun(piece.text, left.italic and right.italic, left.bold and right.bold)
        if piece.text.isspace()
        else piece
        for piece, left, right in zip(pieces, before, after, strict=True)
    ]
    joined: list[TextRun] = []
    for _, group in groupby(enumerate(styled), lambda item: _style(*item)):
        first, *others = (piece for _, piece in group)
        joined.append(first._replace(text="".join(piece.text for piece in (first, *others))))
    return tuple(joined)


def _style(index: int, piece: TextRun) -> tuple[bool, bool, int]:
    """Return the key by which adjacent pieces are joined into one run; a reference is always its own run."""
    return piece.italic, piece.bold, -1 if piece.reference is None else index


def _text_beside(pieces: Sequence[TextRun]) -> list[TextRun]:
    """Return, for each piece, the last piece before it that is not whitespace."""
    texts = accumulate(pieces, lambda last, piece: last if piece.text.isspace() else piece, initial=TextRun(""))
    return list(texts)[:-1]


def source_of(runs: Iterable[TextRun]) -> str:
    """Return markup that parses to these runs in canonical form, with as few backslashes as possible."""
    wanted = normal(runs)
    plain = _written(wanted, escaped=False)
    return plain if parse(plain) == wanted else _written(wanted, escaped=True)


def as_markup(text: str) -> str:
    """Return markup that shows a text literally: the text itself unless part of it would parse as markup."""
    return source_of((TextRun(text),))


def joined(sources: Sequence[str]) -> str:
    """Return markup that shows several clues separated by slashes."""
    if len(sources) == 1:
        return sources[0]
    parted = [run for source in sources for run in (TextRun(" / "), *parse(source))]
    return source_of(parted[1:])


def _written(runs: Sequence[TextRun], *, escaped: bool) -> str:
    parts: list[str] = []
    for before, run in zip((TextRun(""), *runs), (*runs, TextRun("")), strict=True):
        closers = "*" * ((before.italic and not run.italic) + 2 * (before.bold and not run.bold))
        openers = "*" * ((run.italic and not before.italic) + 2 * (run.bold and not before.bold))
        ends_word = before.reference is not None or before.text[-1:].isalnum()
        begins_word = run.reference is not None or run.text[:1].isalnum()
        # stars that would touch other stars, or a word on their outer side
        is_parted = (closers and (openers or begins_word)) or (openers and ends_word)
        parts += [closers, "{}" if is_parted else "", openers]
        is_text = run.reference is None
        parts.append(_SIGNS.sub(r"\\\g<0>", run.text) if escaped and is_text else run.text)
    return "".join(parts)


def printed_runs(source: str, grid: Grid) -> tuple[TextRun, ...]:
    """Return the runs as a solver reads them, with references replaced by the grid's entry numbers."""
    runs = parse(source)
    if all(run.reference is None for run in runs):
        return runs
    return normal(
        run if run.reference is None else TextRun(run.reference.words(grid), run.italic, run.bold) for run in runs
    )


def plain_text(runs: Iterable[TextRun]) -> str:
    """Return the runs as plain text."""
    return "".join(run.text for run in runs)


def printed(source: str, grid: Grid) -> str:
    """Return a clue as plain text, with the grid's entry numbers."""
    return source if is_plain(source) else plain_text(printed_runs(source, grid))


def references(source: str) -> Iterator[Reference]:
    """Return the references of a clue, in order."""
    return (run.reference for run in parse(source) if run.reference is not None)


def placed(source: str, grid: Grid) -> str:
    """Convert typed markup to its stored form: references name places instead of numbers."""
    return _with_slots(source, grid, lambda slot: f"{slot.start}{slot.direction.value}")


def numbered(source: str, grid: Grid) -> str:
    """Convert stored markup to its typed form: references name numbers instead of places."""
    return _with_slots(source, grid, lambda slot: slot.name)


def _with_slots(source: str, grid: Grid, name: Callable[[Slot], str]) -> str:
    def target(reference: Reference) -> str:
        slot = reference.slot(grid)
        return reference.target if slot is None else name(slot)

    return _with_targets(source, target)


def moved(source: str, key: Callable[[SlotKey], SlotKey | None]) -> str:
    """Return stored markup for a grid whose entries have moved; `{r0c0A}` refers to an entry that is gone."""

    def target(reference: Reference) -> str:
        if reference.key is None:
            return reference.target
        there = key(reference.key)
        return f"r0c0{reference.key[1].value}" if there is None else f"{there[0]}{there[1].value}"

    return _with_targets(source, target)


def renamed(source: str, names: Mapping[str, str]) -> str:
    """Return typed markup with other names for some entries."""
    return _with_targets(source, lambda each: names.get(each.target.upper(), each.target))


def _with_targets(source: str, target: Callable[[Reference], str]) -> str:
    def replaced(found: re.Match[str]) -> str:
        if not found["target"]:
            return found[0]
        reference = Reference(found["target"], bool(found["short"]))
        return reference._replace(target=target(reference)).source

    return _TOKEN.sub(replaced, source) if "{" in source else source

"""The verbs that find templates and start a puzzle on one with theme answers; imports into the library."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from xwtui.errors import PuzzleError, PuzzleFormatError, VerbError, failing_as
from xwtui.lazy import lazy_imports
from xwtui.model import Direction, Grid
from xwtui.model.answers import square_count
from xwtui.model.grid import LARGEST_SIDE
from xwtui.parameters import MAX_BLOCKS, MAX_WORDS, MIN_BLOCKS, MIN_WORDS
from xwtui.session.answers import ImmediateAnswer, JsonShape, VerbAnswer, bars_as_json, grid_as_json
from xwtui.session.verbs import kinds
from xwtui.session.verbs.files import TEMPLATE, begin
from xwtui.session.verbs.verb import WITHOUT_GRID, Answer, Group, Writes, argument, option, options, verbs_of
from xwtui.text import counted, first_named, printable
from xwtui.words.theme_answers import theme_answer

with lazy_imports():
    from xwtui.formats.grid_text import grid_to_text
    from xwtui.formats.registry import files_below, read_puzzle
    from xwtui.grids import templates as grid_templates
    from xwtui.grids.library import NewLayout, keep_layouts, layout_library
    from xwtui.grids.templates import (
        FoundTemplate,
        Template,
        TemplateLacks,
        TemplateWanted,
        find_templates,
        read_query,
        read_theme,
        themed_puzzle,
    )
    from xwtui.printing import draw_grid
    from xwtui.session import own_puzzles
    from xwtui.session.jobs.answer_job import AnswerReporter
    from xwtui.session.session import Session
    from xwtui.session.wording import and_more


verb = verbs_of(Group.FILE)

_MOST_LISTED = 10_000
MOST_NAMED = 8


@kinds.parameter_kind("lengths", kinds.last_word_offers)
def LENGTHS(text: str, session: Session) -> tuple[int, ...]:
    """The lengths of theme answers in squares: `11,13,11`, or the answers themselves."""
    parts = [part.strip() for part in text.split(",") if part.strip()]
    alphabet = kinds.alphabet_of(session)
    lengths = tuple(
        int(part) if part.isdecimal() else square_count(theme_answer(part, alphabet)) for part in parts
    )
    if not lengths or not all(2 <= length <= LARGEST_SIDE for length in lengths):
        raise PuzzleError(f"{printable(text, 30)!r}: theme answers must have 2 to {LARGEST_SIDE} squares")
    return lengths


class _TemplateOptions(NamedTuple):
    """The conditions on templates that options set."""

    size: tuple[int, int] | None = option("rows and columns, such as 15x15", kinds.GRID_SIZE)
    across: tuple[int, ...] | None = option(
        "lengths of theme answers across, such as 11,13,11, or the answers themselves", LENGTHS
    )
    down: tuple[int, ...] | None = option("lengths of theme answers down, or the answers themselves", LENGTHS)
    in_order: bool = option("keep the theme answers in this order")
    most_words: int | None = kinds.asked(MAX_WORDS)
    fewest_words: int | None = kinds.asked(MIN_WORDS)
    most_blocks: int | None = kinds.asked(MAX_BLOCKS, name="--max-blocks --blocks")
    fewest_blocks: int | None = kinds.asked(MIN_BLOCKS)

    def narrowed(self, query: TemplateWanted) -> TemplateWanted:
        """Narrow a query by the options, which take precedence."""
        given: dict[str, Any] = {name: value for name, value in self._asdict().items() if value is not None}
        across, down = (*query.across, *(self.across or ())), (*query.down, *(self.down or ()))
        return replace(query, **given | {"across": across, "down": down})


@verb(
    "templates 15x15 11,13,11",
    "templates --across LO[CAT]IONSCOUT,DOGCATCHERS --max-words 76",
    from_shell=WITHOUT_GRID,
)
def templates(
    session: Session,
    words: tuple[str, ...] = argument(
        "a query as on the screen: `15x15 11,11 <78 <=38b british`", metavar="[WORD]..."
    ),
    asked: _TemplateOptions = options(_TemplateOptions),
    limit: int = kinds.limit_option(20, _MOST_LISTED),
    draw: bool = option("draw each one, as the screen does"),
) -> Answer:
    """Find grid templates by size, word count, block count and theme entries.

    A template fits theme answers if it has entries of these lengths in symmetric positions. If none matches, the
    nearest ones are listed with what they lack. The screen shows a picture of each. The word `mine` searches
    only your own library.
    """
    wanted = asked.narrowed(read_query(" ".join(words)))
    return TemplatesAnswer(wanted, limit, find_templates(wanted, layout_library()), draw)


@verb(
    "theme answers BRAVE HEART, SWEETHEART",
    "theme answers LO[CAT]IONSCOUT DOGCATCHERS 15x15",
    from_shell=replace(WITHOUT_GRID, writes=Writes.PUZZLE, takes_alphabet=True, hidden=("force",)),
)
def theme_answers(
    session: Session,
    words: tuple[str, ...] = argument(
        "theme answers, separated by commas if they contain spaces; `15x15` and `<78` narrow the templates",
        kinds.WORDS,
        metavar="[ANSWER]...",
    ),
    template: str | None = option("the template to use (default: the first that fits)", TEMPLATE),
    force: bool = option("replace the current puzzle; `discarded` brings unsaved changes back"),
) -> Answer:
    """Start a puzzle from a template that fits the theme answers, placed and locked.

    Put rebus squares in brackets. On the screen, leave out the answers to see matching templates as you type
    them.
    """
    separator = " " if any(sign in word for word in words for sign in ",;") else ", "
    answers, wanted = read_theme(separator.join(words), session.puzzle.alphabet)
    if not answers:
        raise VerbError("name theme answers, as in `theme answers SWEETHEART, BRAVE HEART`")
    if template is not None:
        wanted = replace(wanted, names=(template,))
    found = find_templates(wanted, layout_library())
    if not found:
        raise VerbError(f"no template is called {printable(' '.join(wanted.names), 30)}")
    best = next((one for one in found if one.template.name == template), found[0])
    if not best.fits:
        raise VerbError(refusal(best))
    puzzle = themed_puzzle(best, answers, session.puzzle.alphabet)
    note = begin(session, puzzle, "theme answers", force=force)
    others = tuple(one.template.name for one in found if one.fits and one is not best)
    grid = puzzle.grid
    placed = {slot.name: grid.pattern(slot) for slot in best.slots if grid.answer(slot) is not None}
    named = ", ".join(f"{name} {answer}" for name, answer in placed.items())
    more = f"; {counted(len(others), 'other template')} that fit them" if others else ""
    summary = f"{best.template.name}, {template_figures(best)}: {named}, locked{more}"
    theme = [{"entry": name, "answer": answer} for name, answer in placed.items()]
    document = {"template": best.template.name, "grid": grid_to_text(grid), **bars_as_json(grid)}
    return ImmediateAnswer(
        [*filter(None, [design_words(wanted, found), summary, note])],
        {**document, "theme": theme, "others": others},
        made=puzzle,
    )


_DESIGN = "`design …` makes grids around them"


_HALVES = {(False, False): "█", (True, False): "▄", (False, True): "▀", (True, True): " "}
"""The character for two squares, upper and lower, by whether each is open."""


def small_picture(grid: Grid) -> list[str]:
    """Draw a grid as lines of text, two rows per line with filled blocks; one with bars as the REPL does."""
    if grid.bars:
        return ["".join(span.text for span in line) for line in draw_grid(grid)]
    rows = [[square.is_open for square in row] for row in grid.rows()]
    rows += [[True] * grid.width] * (len(rows) % 2)
    pairs = zip(rows[::2], rows[1::2], strict=True)
    return [f"▕{''.join(_HALVES[pair] for pair in zip(*lines, strict=True))}▏" for lines in pairs]


def template_figures(found: FoundTemplate) -> str:
    """Return the figures of a template: `15×15, 76 words, 38 blocks`."""
    grid = found.template.grid
    words, blocks = counted(found.template.words, "word"), counted(found.template.blocks, "block")
    return f"{grid.height}×{grid.width}, {words}, {blocks}"


def theme_entries(found: FoundTemplate) -> str:
    """Return the entries for theme answers with their squares: `20A (11), 53A (11)`; empty if there are none."""
    return ", ".join(f"{slot.name} ({len(slot)})" for slot in found.slots)


def lacks_words(lacks: TemplateLacks) -> str:
    """Return what a template lacks; empty if it fits."""
    parts = [
        f"no symmetric entry for {' and '.join(map(str, lengths))} {direction.word}"
        for direction, lengths in ((Direction.ACROSS, lacks.across), (Direction.DOWN, lacks.down))
        if lengths
    ]
    parts += ["entries in another order"] * lacks.order
    for number, noun in ((lacks.words, "word"), (lacks.blocks, "block")):
        if number:
            parts.append(f"{counted(abs(number), noun)} too {'many' if number > 0 else 'few'}")
    return ", ".join([*parts, *(["another size"] if lacks.size else [])])


def brief_lacks(lacks: TemplateLacks) -> str:
    """Return what a template lacks in a few cells: `no 12 14, +2 words`."""
    missing = " ".join(map(str, (*lacks.across, *lacks.down)))
    parts = [f"no {missing}"] if missing else []
    parts += ["order"] * lacks.order
    parts += [
        f"{number:+} {noun}" for number, noun in ((lacks.words, "words"), (lacks.blocks, "blocks")) if number
    ]
    return ", ".join([*parts, *(["size"] if lacks.size else [])])


def refusal(nearest: FoundTemplate) -> str:
    """Return why no puzzle with the theme answers can be started: what the nearest template lacks."""
    text = f"no template fits them: the nearest, {nearest.template.name}, has {lacks_words(nearest.lacks)}"
    return f"{text}; {_DESIGN}" if nearest.lacks.is_of_theme else text


def design_words(wanted: TemplateWanted, found: Sequence[FoundTemplate], way: str = _DESIGN) -> str:
    """Return a suggestion to design a grid if no template has room for the theme, or none of the daily size.

    Otherwise it is empty. `way` says how to get designs.
    """
    if found[0].lacks.is_of_theme:
        return f"no template fits them all; {way}"
    if wanted.size is not None or wanted.names or not (wanted.across or wanted.down) or not found[0].fits:
        return ""
    grid = found[0].template.grid
    if (grid.height, grid.width) == grid_templates.DAILY:
        return ""
    return f"no 15×15 template fits them, but a {grid.height}×{grid.width} one does; {way}"


def size_words(wanted: TemplateWanted) -> str:
    """Return a note if a single number was read as a length but is also the side of templates; else empty."""
    if len(wanted.across) != 1 or wanted.down or wanted.size is not None:
        return ""
    side = wanted.across[0]
    grids = (template.grid for template in layout_library())
    if all((grid.height, grid.width) != (side, side) for grid in grids):
        return ""
    return f"{side} is the length of a theme answer; use `{side}x{side}` for the size"


def _entries(found: FoundTemplate) -> dict[str, Any]:
    return {
        way.word: [{"entry": slot.name, "squares": len(slot)} for slot in found.slots if slot.direction is way]
        for way in (Direction.ACROSS, Direction.DOWN)
    }


_TEMPLATE = JsonShape(
    "template.name template.is_own template.profile? template.origin?",
    lambda found: grid_as_json(found.template.grid),
    "template.grid.height template.grid.width template.words template.blocks fits",
    _entries,
    ("lacks", JsonShape("across down order words blocks size")),
)


class TemplatesAnswer(VerbAnswer):
    """The templates that match, or the nearest ones."""

    wanted: TemplateWanted
    limit: int
    found: tuple[FoundTemplate, ...]
    is_drawn: bool = False
    judged_by = "fitting"
    json = JsonShape("fitting", ("templates=listed", _TEMPLATE))

    @property
    def listed(self) -> tuple[FoundTemplate, ...]:
        return self.found[: self.limit]

    @property
    def fitting(self) -> int:
        return sum(one.fits for one in self.found)

    @property
    def lines(self) -> Sequence[str]:
        if not self.found:
            return [f"no template is called {' '.join(self.wanted.names)}"]
        size = f"; {size_text}" if (size_text := size_words(self.wanted)) else ""
        design = f"; {_DESIGN}" if any(one.lacks.is_of_theme for one in self.found) else ""
        lines = [f"no template matches all of that{size}{design}; the nearest are"]
        if self.fitting:
            lines = [f"{counted(self.fitting, 'template')}; `new NAME` starts on one{size}"]
        for found in self.listed:
            own = "yours" if found.template.is_own else ""
            figures = template_figures(found), own, theme_entries(found), lacks_words(found.lacks)
            lines.append(f"  {found.template.name:<20}  {'; '.join(filter(None, figures))}")
            if self.is_drawn:
                lines += [f"    {line}" for line in small_picture(found.template.grid)]
        return [*lines, *and_more(len(self.found) - len(self.listed))]


class LibraryAnswer(VerbAnswer):
    """Layouts added to the library, from a folder's puzzles or from drawn layouts."""

    added: tuple[Template, ...] = ()
    known: int = 0
    """Number of layouts skipped because the library has one like it, possibly mirrored or rotated."""
    looked_at: int | None = None
    """Number of files inspected, if they came from a folder."""
    unread: tuple[str, ...] = ()
    """Names of the files that could not be read."""
    json = JsonShape(lambda answer: {"added": [one.name for one in answer.added]}, "known files=looked_at unread")

    @property
    def lines(self) -> Sequence[str]:
        files = "" if self.looked_at is None else f" from {counted(self.looked_at, 'file')}"
        lines = [f"{counted(len(self.added), 'layout')} added to your library{files}"]
        if self.added:
            names = first_named([one.name for one in self.added], MOST_NAMED)
            lines[0] += f": {names}; `templates mine` finds them"
        if self.known:
            lines.append(f"{counted(self.known, 'other')} already in it, perhaps mirrored or rotated")
        if self.unread:
            lines.append(
                f"{counted(len(self.unread), 'file')} could not be read: {first_named(self.unread, MOST_NAMED)}"
            )
        return lines


def import_folder(folder: Path, reporter: AnswerReporter) -> LibraryAnswer:
    """Add the layouts of all puzzles in and below a folder to the library; if stopped, those read so far.

    Raises PuzzleError if the folder cannot be read or the library cannot be written.
    """
    with failing_as(PuzzleError, f"the folder {folder} cannot be read"):
        files = sorted(files_below(folder, own_puzzles.SUFFIXES | {".txt"}))
    found: list[NewLayout] = []
    unread: list[str] = []
    for number, path in enumerate(files, start=1):
        if reporter.is_stopped():
            break
        try:
            found.append(NewLayout(path.stem, read_puzzle(path), path.name))
        except PuzzleFormatError:
            unread.append(printable(path.name, 60))
        reporter.report_throttled(partial(LibraryAnswer, looked_at=number))
    kept = keep_layouts(found)
    return LibraryAnswer(kept.added, kept.known, looked_at=len(found) + len(unread), unread=tuple(unread))

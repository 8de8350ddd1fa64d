"""The verbs that design grids around theme answers and start puzzles on them, and their answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import click

from xwtui import parameters
from xwtui.engine.budget import ALL_CORES, DESIGNING_SECONDS, Budget
from xwtui.errors import VerbError, WordListError
from xwtui.lazy import lazy_imports, lazy_pattern
from xwtui.model import Direction, Position, Puzzle, Symmetry, WordChoice
from xwtui.model.alphabet import ENGLISH, Alphabet
from xwtui.session.answers import FilesWritten, JsonShape, VerbAnswer, grid_rows, shared_stems_as_json
from xwtui.session.verbs import layouts
from xwtui.session.verbs.files import begin
from xwtui.session.verbs.kinds import WORDS, alphabet_of, asked, last_word_offers, number_kind, parameter_kind
from xwtui.session.verbs.layouts import (
    FINDS_GRIDS,
    LayoutOptions,
    last_answer,
    layout_figures,
    layout_options,
    seed_option,
    write_each,
)
from xwtui.session.verbs.templates import MOST_NAMED
from xwtui.session.verbs.verb import BOOK, Answer, Group, argument, names_of, option, options, verbs_of
from xwtui.text import counted, first_named, printable
from xwtui.words.theme_answers import read_answers, theme_answer

with lazy_imports():
    from xwtui.grids.design_search import design as designed
    from xwtui.grids.designs import Design, DesignProgress, DesignWanted
    from xwtui.grids.placements import Themer
    from xwtui.session.jobs.answer_job import ProblemReporter
    from xwtui.session.open_puzzles import front_of
    from xwtui.session.run_view import FoundFill
    from xwtui.session.session import Session
    from xwtui.session.wording import shared_words


verb = verbs_of(Group.GRID)

PLACE = lazy_pattern(
    r"(?:(?P<number>\d{1,3})(?P<way>[AaDd])|(?P<square>[rR]\d{1,2}[cC]\d{1,2})(?P<down>[AaDd]?))="
)
"""A place before an answer: `17A=` or `r4c1=`."""
_SIZE = lazy_pattern(r"\d{1,2}[xX]\d{1,2}")
_DIRECTIONS = {
    "across": (Direction.ACROSS,),
    "down": (Direction.DOWN,),
    "both": (Direction.ACROSS, Direction.DOWN),
}


@parameter_kind("answer", last_word_offers, reads_letters=True)
def DESIGN_ANSWER(text: str, session: Session) -> tuple[Themer, ...]:
    """A theme answer, optionally with its place (`17A=SWEETHEART`, `r4c1=SWEETHEART`), or a file of answers."""
    alphabet = alphabet_of(session)
    if _SIZE.fullmatch(text):
        raise VerbError(f"{text} is a size, not a theme answer: --size {text.lower()} sets it")
    if PLACE.match(text) is None:
        return tuple(Themer.of(answer, alphabet) for answer in read_answers([text], alphabet))
    return (read_themer(text, alphabet),)


def read_themer(text: str, alphabet: Alphabet) -> Themer:
    """Parse an answer with an optional place before it; raises WordListError if it is invalid."""
    found = PLACE.match(text)
    if found is None:
        return Themer.of(text, alphabet)
    way = found["way"] or found["down"] or "A"
    number = int(found["number"]) if found["number"] else None
    start = Position.parse(found["square"]) if found["square"] else None
    themer = Themer.of(text[found.end() :], alphabet)
    return replace(themer, start=start, number=number, direction=Direction(way.upper()))


direction_option = asked(parameters.DIRECTION, click.Choice(tuple(_DIRECTIONS)))
rebus_option = option("letters that share one square in every answer that has them, such as CAT")
pairs_option = option("place the answers in symmetric pairs", is_flag=True)


def ways_of(direction: str | None) -> tuple[tuple[Direction, ...], ...]:
    """Return the directions to try for answers, and those to try next if they lead to nothing."""
    return (_DIRECTIONS["across"], _DIRECTIONS["both"]) if direction is None else (_DIRECTIONS[direction],)


class ThemeOptions(NamedTuple):
    """Options for theme answers, apart from their letters and places."""

    direction: str | None = direction_option
    rebus: str | None = rebus_option
    pairs: bool = pairs_option
    revealer: str | None = asked(parameters.REVEALER, WORDS)
    choose: int | None = asked(parameters.CHOOSE)

    def applied(self, answers: Sequence[Themer], alphabet: Alphabet) -> tuple[Themer, ...]:
        """Apply the options to the answers; raises VerbError for duplicates and for two answers in one place."""
        letters = None if self.rebus is None else _rebus_letters(self.rebus, alphabet)
        found = [_with_rebus(one, letters) for one in answers]
        if self.pairs:
            if len(found) % 2:
                raise VerbError(f"design: --pairs needs an even number of answers, not {len(found)}")
            found = [replace(one, partner=index // 2) for index, one in enumerate(found)]
            for one, other in zip(found[::2], found[1::2], strict=True):
                if one.squares != other.squares:
                    raise VerbError(
                        f"design: {one.answer} has {one.squares} squares and {other.answer} {other.squares}; "
                        "the two answers of a pair must be equally long"
                    )
        if self.revealer is not None:
            found.append(replace(_with_rebus(Themer.of(self.revealer, alphabet), letters), is_last=True))
        names = [one.answer for one in found]
        double = next((name for name in names if names.count(name) > 1), None)
        if double is not None:
            raise VerbError(f"design: {double} is listed twice")
        places: dict[tuple[object, ...], str] = {}
        for one in found:
            place = (one.direction, one.number, one.start)
            if one.is_placed and places.setdefault(place, one.answer) != one.answer:
                raise VerbError(f"design: {places[place]} and {one.answer} have the same place")
        return tuple(found)


_limits = options(
    parameters.Limits,
    seconds=asked(
        parameters.SECONDS.with_help(f"{parameters.SECONDS.help}, 0 for none (default: {DESIGNING_SECONDS:g})")
    ),
    seed=seed_option,
    threads=asked(parameters.THREADS),
)


@verb(
    "design HEARTTOHEART BRAVEHEARTED LIONHEARTED",
    "design LO[CAT]ION S[CAT]TERED --choose 2 --time 60",
    from_shell=FINDS_GRIDS,
)
def design(
    session: Session,
    answers: tuple[tuple[Themer, ...], ...] = argument(
        "theme answers, `17A=ANSWER` or `r4c1=ANSWER` to fix a place, or files of answers",
        DESIGN_ANSWER,
        required=True,
    ),
    layout: LayoutOptions = layout_options,
    theme: ThemeOptions = options(ThemeOptions),
    min_score: int | None = asked(parameters.MIN_SCORE),
    count: int = asked(parameters.DESIGN_COUNT, default="10"),
    quick: bool = asked(parameters.QUICK),
    limits: parameters.Limits = _limits,
    more: bool = option("keep earlier designs for the same request until better ones replace them"),
) -> Answer:
    """Design grids around theme answers, each proved by a fill; the results get better with time.

    Answers may go in any order and row that the symmetry allows, unless you give their places. `design take 1`
    starts a puzzle on the best design, with the theme answers locked and the fill in pencil. In the shell, -o
    names a folder. The exit status is 1 if it proves that there is none.
    """
    ways, *else_ways = ways_of(theme.direction)
    layouts_wanted, remark = layout.for_puzzle(session.puzzle, lambda one: DesignWanted((), one))
    wanted = DesignWanted(
        theme.applied([one for listed in answers for one in listed], session.puzzle.alphabet),
        layouts_wanted,
        choose=theme.choose,
        directions=ways,
        fallback_directions=tuple(else_ways),
        count=count,
        is_quick=quick,
    )
    wanted = wanted.suited() if layout.symmetry is None else wanted
    budget = Budget.of({"seconds": DESIGNING_SECONDS, "threads": ALL_CORES, **limits})
    last = last_answer(session, DesignsAnswer) if more else None
    earlier = last.progress if last is not None and last.wanted == wanted else None

    def work(reporter: ProblemReporter) -> VerbAnswer:
        words = reporter.lexicon
        unlisted = tuple(one.answer for one in wanted.themers if words.score(one.answer) is None)
        allowed = words if min_score is None else words.with_minimum(min_score)
        before = earlier.judged_by(allowed) if earlier is not None else None

        def answered(found: DesignProgress) -> DesignsAnswer:
            layout, known = wanted.layout, found if before is None else found.after(before, wanted.count)
            return DesignsAnswer(
                known, layout.symmetry, layout.profile.name, words.alphabet, wanted, unlisted, remark
            )

        found = designed(
            wanted,
            allowed,
            budget._replace(stop=reporter.is_stopped),
            found=lambda so_far: reporter.report(answered(so_far)),
        )
        return answered(found)

    return session.jobs.answer.start(work, designing=True)


def option_remark(answers: Sequence[str]) -> str:
    """Return a note if theme answers are also names of `design` options, which may have been meant; else empty."""
    options = {
        name.removeprefix("--").replace("-", "").upper(): (name, option.is_flag)
        for option in BOOK.verbs["design"].options
        for name in names_of(option)
    }
    remarks = []
    for answer, value in zip(answers, [*answers[1:], "…"], strict=False):
        if answer in options:
            name, is_flag = options[answer]
            remarks.append(
                f"{answer} is taken as an answer; the option is `{name if is_flag else f'{name} {value}'}`"
            )
    return "; ".join(remarks)


def _rebus_letters(rebus: str, alphabet: Alphabet) -> str:
    """Parse the letters of a rebus; raises WordListError if they are invalid."""
    letters = theme_answer(rebus, alphabet)
    if len(letters) < 2 or not letters.isalnum():
        raise WordListError(f"{printable(rebus, 30)!r} is not a rebus; a rebus has two or more letters")
    return letters


def _with_rebus(themer: Themer, letters: str | None) -> Themer:
    """Put the rebus letters of an answer into one square, if it contains them."""
    if letters is None:
        return themer
    if any(len(content) > 1 for content in themer.contents) or letters not in themer.answer:
        return themer
    starts = range(themer.squares - len(letters) + 1)
    at = next(start for start in starts if "".join(themer.contents[start:]).startswith(letters))
    return replace(themer, contents=(*themer.contents[:at], letters, *themer.contents[at + len(letters) :]))


@verb("design take 1")
def design_take(
    session: Session,
    number: int = argument("the design's number in the last list", number_kind(1, parameters.MOST_DESIGNS)),
    ghosts: bool = option("show its fill as the live fill, without writing it"),
    force: bool = option("don't ask about unsaved work"),
) -> Answer:
    """Start a puzzle on a design that `design` found: theme answers locked, fill in pencil.

    --ghosts, and Enter in the layout room, only show the fill: `fill` writes it, and so does `take 1` after edits.
    """
    answer = last_answer(session, DesignsAnswer)
    if answer is None or number > len(answer.progress.designs):
        raise VerbError(f"there is no design {number}; `design` finds some")
    design = answer.progress.designs[number - 1]
    note = begin_on_design(session, answer, design, ghosts=ghosts, force=force)
    more = "`fill` writes the fill that is shown" if ghosts else "`improve` improves its fill, `refill` refills it"
    return "; ".join(filter(None, (f"design {number} is open; {more}", note)))


def begin_on_design(
    session: Session, answer: DesignsAnswer, design: Design, *, ghosts: bool = False, force: bool = False
) -> str:
    """Start a puzzle on a design, its fill in pencil or (`ghosts`) as the live fill; returns what `begin` does."""
    note = begin(session, answer.puzzle(design, is_filled=not ghosts), "design take", force=force)
    if ghosts:
        front = front_of(session)
        front.jobs.live_fill.start_from(design.fill)
        front.jobs.fill_live(True)
        front.fills.keep(front.puzzle, [FoundFill(design.fill, design.mean_score, design.lowest_score)])
    return note


@verb("designs")
def designs(session: Session) -> Answer:
    """Show the last designs and layouts again; `design take` and `layouts take` start a puzzle on one."""
    found = last_answer(session, DesignsAnswer), last_answer(session, layouts.LayoutsAnswer)
    lines = [line for answer in found if answer is not None for line in answer.lines]
    if not lines:
        raise VerbError("there are no designs or layouts yet: `design` and `layouts` make them")
    return lines


class DesignsAnswer(VerbAnswer):
    """Designs around theme answers, best first; final, or those found so far."""

    progress: DesignProgress
    symmetry: Symmetry
    profile: str = ""
    alphabet: Alphabet = ENGLISH
    wanted: DesignWanted | None = None
    unlisted: tuple[str, ...] = ()
    """Theme answers in no list, which may be misspelled."""
    remark: str = ""
    """The reason why the puzzle's own profile was not used, if so."""
    work = "design"
    stopped = "these are the designs so far"
    json = JsonShape(
        "status=verdict progress.found progress.tried progress.reason unlisted",
        (
            "progress.designs",
            JsonShape(
                lambda one: {"grid": grid_rows(one.grid), "fill": grid_rows(one.filled)},
                "themers *figures mean_score lowest_score log10",
                shared_stems_as_json,
                "seconds~3",
            ),
        ),
    )

    @property
    def is_found(self) -> bool | None:
        return bool(self.progress.designs) or (False if self.progress.is_impossible else None)

    @property
    def seconds(self) -> float:
        return self.progress.seconds

    @property
    def found_words(self) -> str:
        """How many were found, and how many of them are listed if fewer."""
        found, listed = self.progress.found, len(self.progress.designs)
        return f"{counted(found, 'design')} found{f' (best {listed} listed)' if found > listed else ''}"

    @property
    def lines(self) -> Sequence[str]:
        first, *rest = self.report("", 0)
        then = "; `design take 1` starts a puzzle on the best"
        return [f"{first}{then}" if self.progress.designs else first, *rest]

    def report(self, times: str, columns: int, *, is_saved: bool = True) -> Sequence[str]:
        progress = self.progress
        looked = f"{counted(progress.tried, 'layout')} tried, {progress.dead:,} without a fill"
        if not progress.designs:
            text = progress.reason or "no design yet"
            text = text if progress.is_impossible else f"{text}; {looked}, {progress.seconds:.0f} s"
            return [text, *self._remarks]
        lines = [f"{self.found_words}, {looked}, {progress.seconds:.0f} s"]
        for number, one in enumerate(progress.designs, start=1):
            places = ", ".join(f"{entry} {answer}" for entry, answer in one.themers.items())
            scores = f"mean {one.mean_score:.1f}, lowest {one.lowest_score}"
            text = f"; {shared}" if (shared := shared_words(one.shared_stems)) else ""
            lines.append(f"  {number:>3}  {scores}, {layout_figures(one.figures)}: {places}{text}")
        return [*lines, *self._remarks]

    @property
    def _remarks(self) -> Sequence[str]:
        unlisted = f"in no list: {first_named(self.unlisted, MOST_NAMED)}" if self.unlisted else ""
        answers = [one.answer for one in self.wanted.themers] if self.wanted is not None else []
        return [*filter(None, (unlisted, option_remark(answers), self.remark))]

    def write(self, path: Path, *, lossy: bool) -> FilesWritten:
        return write_each(path, "design", ".ipuz", [*map(self.puzzle, self.progress.designs)], lossy=lossy)

    def puzzle(self, design: Design, *, is_filled: bool = True) -> Puzzle:
        grid = design.filled if is_filled else design.grid
        words = WordChoice(alphabet=self.alphabet)
        return Puzzle(grid, symmetry=self.symmetry, words=words, profile=self.profile)

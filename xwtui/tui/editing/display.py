"""The lines around the editor's grid, as fragments: title, entry, letters, estimate, run."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from time import monotonic

from xwtui.engine.events.event import Outcome
from xwtui.grids.profiles import allows_blocks, counts_cheaters
from xwtui.lazy import lazy_imports
from xwtui.model import Ink, Kind, Puzzle, Slot
from xwtui.model.edits import entry_rules
from xwtui.model.markup import printed
from xwtui.model.review import rule_lines
from xwtui.model.rules.entry_rules import contents_words
from xwtui.session.fill_options import Mode
from xwtui.session.jobs.fills.kept_fills import is_much
from xwtui.session.keys.key_map import KeyMap
from xwtui.session.messages import EnginePhase, EngineState
from xwtui.session.run_view import RunView
from xwtui.session.session import Session
from xwtui.session.verbs.layouts import hints_line
from xwtui.session.wording import (
    ending_line,
    filled_words,
    forced_words,
    no_fill_words,
    proof_words,
    remarks,
    replaced_figures,
    run_shares_words,
    share_words,
    standing_words,
    unlisted_words,
)
from xwtui.text import counted, printable, shortened, split_at_width
from xwtui.tui.editing.context import EditorContext
from xwtui.tui.keys import KeyFooter, NextSteps
from xwtui.tui.picture import tint_legend
from xwtui.tui.square_style import has_colours, heat_legend
from xwtui.tui.themes import Palette
from xwtui.tui.widgets.candidate_list import REPEAT_SIGN
from xwtui.tui.widgets.entry_list import RULE_SIGN
from xwtui.tui.widgets.painted import Fragment, Line, TwoEnds, sparkline, spinner
from xwtui.wording import how_sure

with lazy_imports():
    from xwtui.engine.problem.no_fill import UntriedWays
    from xwtui.session.open_puzzles import Tab, tabs_of
    from xwtui.tui.screens.findings import Questions

_SPARKS = 24
_TITLE_WIDTH, _SHORTEST_TITLE = 40, 12
"""Title width in cells if the line's width is unknown, and the minimum."""
_BEFORE_A_TITLE = ("saved", "symmetry", "list", "cheaters", "threes", "blocks")
_GIVES_WAY = (*_BEFORE_A_TITLE, "rules", "scores", "entries")
"""Parts of the title line that are dropped from narrow lines, first one first; warnings and the size stay."""
_KEPT = len("  21×21  140/140 entries ≡")
"""Cells reserved for the grid's figures next to the tabs' names, fixed so that labels do not change."""
_FULL_FIGURES = 100
"""Minimum line width for the full form of the mean and lowest score."""
_SHORTEST_NAME = 2
"""Shortest useful tab name in cells, a letter and an ellipsis; with less room, only the number is shown."""
_WORKING = "…"
_LONGEST_PATTERN, _LONGEST_CLUE, _LONGEST_RULE, _LONGEST_ALLOWED = 40, 120, 80, 30
_LONGEST_SHARES = 200
_LONGEST_PROFILE = 24
_LONGEST_REASON = 300
_LONGEST_LINE = 200
_FEW_CHANGES = 2
"""Up to this many entries changed by a fill are all named."""
_SPINNING = 3
"""Cells of the spinner and the gaps around it."""

_MENU_SIGN = " ≡"
"""Shows that a click there opens the menus."""


class Clock:
    """The elapsed time of a job, by a local clock: on a busy machine, its messages arrive seconds apart."""

    def __init__(self) -> None:
        self._reported = self._begin = 0.0
        self._is_going = False

    def seconds(self, reported: float = 0.0) -> float:
        """Return the elapsed seconds, at least `reported`; a decrease means that another job started."""
        now = monotonic()
        if not self._is_going or reported < self._reported:
            self._begin = now
        self._is_going, self._reported, self._begin = True, reported, min(self._begin, now - reported)
        return now - self._begin

    def stop(self) -> None:
        self._is_going = False


class EditorLines:
    """Writes the editor's lines whenever their contents may have changed."""

    def __init__(self, context: EditorContext, questions: Questions) -> None:
        self._context = context
        self._session = context.session
        self._insight = context.insight
        self._questions = questions
        self.head_width = 0
        self._run_clock, self._count_clock = Clock(), Clock()
        self.shows_count = False
        """Whether the lines say that fills are being counted."""

    def show_title(self) -> None:
        self._write("title", title_line(self._session, self._context.paint, width=self.head_width))

    def show_entry(self) -> None:
        """Write the current entry, and the letters of its square."""
        self._write("entry", self._entry())
        self._write("letters", self._letters())

    def show_state(self, run: RunView | None, tick: int) -> None:
        """Write the estimate, the run, and the likely next keys; `tick` advances the spinner."""
        run = None if run is self._context.past_run else run
        insight, paint, width = self._insight, self._context.paint, self._context.screen.size.width
        fill = self._session.jobs.fill
        no_fill = self._reason
        if run is not None and run.reason == no_fill:  # the line above shows it
            run = replace(run, reason="")
        reason, rest = reason_broken(no_fill, width, self._insight.entries.untried)
        counting = ""
        self.shows_count = self._session.jobs.count.is_busy
        if self.shows_count:
            counting = f"{spinner(tick)} counting {self._count_clock.seconds():.1f} s "
        else:
            self._count_clock.stop()
        estimate = self._estimate(reason, counting)
        waits = fill.is_running and fill.view is None
        room = width if no_fill else width - estimate.width - 1
        engine = engine_line(insight.engine, insight.words, tick, paint, waits=waits, room=room)
        picture = self._context.desk.grid.picture
        legend = tint_legend(self._session.puzzle, paint) if picture is not None and picture.tints else []
        right, spare = [*legend, *engine], () if self._questions.is_heated else engine
        if self._questions.is_heated and not insight.is_loading:  # the legend replaces the engine's state
            right = heat_legend(paint, spinner(tick) if self._questions.is_heat_stale else "")
        self._write("estimate", TwoEnds(estimate.left, right, spare))
        below = self._below_estimate(run, rest, tick, waits=waits)
        self._write("run", below)
        self._context.message_line.set_line_above(below)
        has_fills = bool(self._session.fills.kept)  # to choose from
        steps = tuple(step for step in self._next_steps.value if step != "fills" or has_fills)
        self._context.screen.query_one(KeyFooter).steps = steps

    def _entry(self) -> TwoEnds:
        """Return the current entry with its pattern, counts and clue; on the right the square, rebus in full."""
        session, paint = self._session, self._context.paint
        puzzle, slot = session.shown_puzzle, session.cursor.slot
        square = puzzle.grid[session.cursor.position]
        right: list[Fragment] = [(f"{self._square_text} {session.cursor.position} ", paint.muted)]
        if slot is None:
            name = {Kind.BLOCK: "a block", Kind.VOID: "a void"}.get(square.kind, "not in an entry")
            return TwoEnds([(f" {name}", paint.muted)], right)
        way, slot = slot.direction.word, puzzle.grid.entry_of(slot)
        left: list[Fragment] = [
            (f" {slot.label:<3} ", paint.accent),
            (f"{way:<7}", paint.muted),
            (printable(puzzle.shown_pattern(slot), _LONGEST_PATTERN), paint.text),
            self._entry_status(slot),
        ]
        if rule := entry_rules(puzzle, slot).words:
            left += [(f"  {RULE_SIGN} ", paint.accent), (printable(rule, _LONGEST_RULE), paint.text)]
        left.append(_clue(puzzle, slot, paint))
        return TwoEnds(left, right)

    def _entry_status(self, slot: Slot) -> Fragment:
        """Return a complete entry's score, or how many words an incomplete one may take."""
        session, insight, paint = self._session, self._insight, self._context.paint
        answer = session.shown_puzzle.answer(slot)
        if answer is not None:
            if answer in session.jobs.words.banned(session.shown_puzzle):
                return "  banned", paint.bad
            score = session.jobs.words.score(answer)
            if score is None and session.jobs.words.view is None:
                return "  the words are still loading", paint.muted
            return (f"  {score}", paint.good) if score is not None else ("  not listed", paint.warning)
        counts = insight.entries.options.get(slot.name)
        run = session.jobs.fill.view
        stopped = next((one for one in (run.stopped if run is not None else ()) if one.entry == slot.name), None)
        if stopped is not None:
            return f"  {printable(str(stopped.reason), 120)}", paint.warning
        if counts is None:
            return f"  {len(slot)} squares", paint.muted
        if insight.entries.reason and slot.name not in insight.entries.culprits:
            return f"  {counts.pattern_matches:,} match", paint.muted
        fit = f"  {counts.after_propagation:,} of {counts.pattern_matches:,} fit"
        if insight.are_options_unsettled(session.revision):
            return f"{fit} …", paint.muted
        return fit, paint.bad if counts.after_propagation == 0 else paint.text

    @property
    def _square_text(self) -> str:
        session = self._session
        square = session.puzzle.grid[session.cursor.position]
        words = [] if square.content is None else [square.ink.name.lower()]
        if square.content is not None and square.content.is_rebus:
            words.insert(0, str(square.content))
        words += ["circle"] * square.circle + ["shade"] * square.shade
        allowed = session.puzzle.rules.squares.get(session.cursor.position, ())
        if allowed:
            words.append(printable(contents_words(allowed), _LONGEST_ALLOWED))
        return "  " + " ".join(words)

    def _letters(self) -> TwoEnds:
        """Return what the current square can still hold, with the share of the remaining fills for each."""
        session, insight, paint = self._session, self._insight, self._context.paint
        at, grid = session.cursor.position, session.puzzle.grid
        if not grid[at].is_open or insight.letters is None:
            return TwoEnds()
        name: Fragment = (f" {at}  ", paint.accent)
        letters, is_stale = insight.letters.letters, insight.letters.revision < session.revision
        if grid[at].is_given and grid[at].content is not None:
            return TwoEnds([name, ("is locked" if grid[at].ink is Ink.LOCKED else "is yours", paint.muted)])
        forced, shares = letters.forced.get(at), letters.shares.get(at)
        if forced is not None:
            told = forced_words(forced, letters.untried)
            return TwoEnds([name, (told, paint.muted if is_stale else paint.text)])
        if not shares:
            return TwoEnds([name, ("nothing fits" if not letters.shares else "…", paint.muted)])
        text = share_words(shares, is_exact=letters.is_exact)
        return TwoEnds([name, (printable(text, _LONGEST_SHARES), paint.muted if is_stale else paint.text)])

    def _estimate(self, reason: str, counting: str) -> TwoEnds:
        """Return how many fills remain, or the `reason` why none do; muted if from before the last edit.

        `counting` is shown while a requested count runs. For a full grid, answers that are in no list are named,
        as the count excludes them. Copeland's estimate is shown alongside if it was requested.
        """
        session, insight, paint, advice = self._session, self._insight, self._context.paint, self._advice
        estimate, look_ahead, stale = insight.estimate, insight.look_ahead, insight.is_stale(session.revision)
        unlisted = unlisted_words(session.jobs.words.unlisted(session.puzzle))
        if reason:
            text = printable(reason, _LONGEST_REASON)
            return TwoEnds(
                [(_no_fill(insight.entries.untried), paint.bad), (text, paint.muted if stale else paint.text)]
            )
        if session.jobs.has_proved_no_fill:
            return TwoEnds([(_no_fill(None), paint.bad), (advice or "by the search", paint.muted)])
        counts = [(f" {counting}", paint.search)] if counting else []
        if estimate is None:
            return TwoEnds([*counts, (" fills ≈ …", paint.muted)])
        style = paint.muted if stale else paint.bad if estimate.zero_proved else paint.text
        is_doubtful = estimate.zero_proved or (estimate.log10 is not None and estimate.log10 < 0)
        more = " …" if stale else f"  {advice}" if is_doubtful and advice else ""
        if look_ahead is not None and not stale:
            more += f"  {look_ahead.brief()}"
        remark = f"  {printable(unlisted, _LONGEST_REASON)}" if unlisted and not is_doubtful else ""
        figure = (f" {estimate.describe()}", style)
        after = () if counting else ((more, paint.muted),)
        return TwoEnds([*counts, figure, *after, (remark, paint.warning)])

    def _live(self) -> TwoEnds:
        live, paint, keys = self._insight.live, self._context.paint, self._context.keys
        if live is None or live.revision < self._session.revision:
            return TwoEnds([(" live fill …", paint.muted)])
        if live.reason:
            return TwoEnds([(f" live fill: {printable(live.reason, 200)}", paint.warning)])
        if live.is_searching:
            return TwoEnds([(" live fill …", paint.ghost), ("  looks for one", paint.muted)])
        if not live.squares:
            return TwoEnds([(" live fill: no square is empty", paint.muted)])
        return TwoEnds([(" live fill", paint.ghost), (f"  {keys.cap_of('fill')} writes the preview", paint.muted)])

    @property
    def _reason(self) -> str:
        """Why there is no fill, from the live figures or from a question whose conflict still stands."""
        return self._insight.entries.reason or self._session.jobs.question.proved

    @property
    def _advice(self) -> str:
        """Advice for beginners when a grid has no fill because it has no blocks yet, or no bars."""
        puzzle, cap_of = self._session.puzzle, self._context.keys.cap_of
        if puzzle.grid.bars or not all(square.kind is Kind.OPEN for square in puzzle.grid.squares):
            return ""
        noun = "block" if allows_blocks(puzzle.profile) else "bar"
        return f"it has no {noun}s yet: {cap_of(noun)} sets them"

    @property
    def _next_steps(self) -> NextSteps:
        grid = self._session.puzzle.grid
        fill = self._session.jobs.fill
        if fill.view is not None and fill.view.paused and fill.view is not self._context.past_run:
            is_over = not fill.can_be_argued_with and fill.view.event_number == fill.view.last_event
            return NextSteps.REPLAYED if is_over else NextSteps.STEPPING
        if fill.is_running:
            return NextSteps.RECORDED if fill.view is not None and fill.view.is_recorded else NextSteps.RUNNING
        if self._insight.entries.reason or self._session.jobs.has_proved_no_fill:
            return NextSteps.DEAD
        if not (grid.slots and grid.is_filled):
            return NextSteps.BUILDING
        unlisted = self._session.jobs.words.unlisted(self._session.puzzle)
        broken = (at for name, _ in unlisted for at in grid.entry(name).positions)
        return NextSteps.BROKEN if any(grid[at].ink is Ink.PENCIL for at in broken) else NextSteps.FILLED

    def _below_estimate(self, run: RunView | None, reason: str, tick: int, *, waits: bool) -> TwoEnds:
        """Return the line below the estimate: the rest of a reason, layout hints, live fill, or the search."""
        paint, keys = self._context.paint, self._context.keys
        if reason and not waits and (run is None or run.outcome is Outcome.IMPOSSIBLE):
            return TwoEnds([(f" {reason}", paint.text)])
        if run is None and not waits and self._session.jobs.layout_hints.is_on:
            return TwoEnds([(f" {hints_line(self._session.jobs.layout_hints.view)}", paint.muted)])
        if run is None and not waits and self._session.jobs.live_fill.is_on:
            return self._live()
        waiting = waiting_words(self._insight.engine, self._insight.words) if waits else ""
        is_shown = bool(self._reason) or self._session.jobs.has_proved_no_fill
        seconds = 0.0  # elapsed time, later than the run's last message
        if run is None or run.paused or run.outcome is not Outcome.RUNNING:
            self._run_clock.stop()
        else:
            seconds = self._run_clock.seconds(run.seconds)
        return run_line(run, tick, paint, keys, waits=waiting, seconds=seconds, is_proof_shown=is_shown)

    def _write(self, name: str, ends: TwoEnds) -> None:
        line = self._context.screen.query_one(f"#{name}", Line)
        line.left, line.right, line.spare = ends


def title_line(session: Session, paint: Palette, now: float | None = None, width: int = 0) -> TwoEnds:
    """Return the title with a mark for unsaved work, the grid's figures, the word choice, and the time of saving.

    With a `width`, the least important parts are dropped, but no warnings. `now` is in seconds since the epoch, by
    default the current time.
    """
    puzzle, document = session.shown_puzzle, session.document
    words = session.jobs.words
    figures = words.statistics(puzzle)
    name = puzzle.title or (document.path.stem if document.path else document.name)
    lists = puzzle.words.lists
    listed = f"{printable(lists[0].rpartition('/')[2], 12) if lists else 'default'}{'+' * (len(lists) > 1)}"
    rules = len(rule_lines(puzzle))
    has_cheaters = figures.cheaters and counts_cheaters(puzzle.profile)
    is_scored = figures.mean_score is not None
    mean = "" if not is_scored else f"{figures.mean_score:.1f}"
    is_short = 0 < width < _FULL_FIGURES
    is_below = is_scored and (figures.lowest_score or 0) < puzzle.words.minimum_score
    scores = (
        f"mean {mean} low {figures.lowest_score}" if is_short else f"mean {mean}, lowest {figures.lowest_score}"
    )
    scores += f": {figures.lowest_entry}" if is_below else ""
    scores += f", {len(figures.unlisted)} not listed" if figures.unlisted else ""
    pairs = len(figures.repeated_stems)
    profile = f"{printable(puzzle.profile, _LONGEST_PROFILE)}, " if puzzle.profile else ""
    parts: dict[str, Fragment] = {
        "size": (f"  {figures.height}×{figures.width}", paint.text),
        "entries": (f"  {figures.filled_entries}/{figures.entries} entries", paint.text),
        "blocks": (f"  {counted(figures.blocks, 'block')}", paint.text),
        "threes": (f"  3s: {figures.three_letter_entries}" * bool(figures.three_letter_entries), paint.text),
        "cheaters": (f"  cheaters: {figures.cheaters}" * bool(has_cheaters), paint.text),
        "scores": (f"  {scores}" * is_scored, paint.text),
        "repeats": (f"  {REPEAT_SIGN} {counted(pairs, 'repeat')}" * bool(pairs), paint.warning),
        "symmetry": (f"   {profile}{puzzle.symmetry.brief}", paint.muted),
        "list": (f"   {listed} ≥ {puzzle.words.minimum_score}", paint.muted),
        "rules": (f"   {counted(rules, 'rule')}" * bool(rules), paint.muted),
        "saved": (_saved_words(document.saved_at, time.time() if now is None else now), paint.muted),
        "menu": (_MENU_SIGN, paint.muted),
    }
    tabs = tabs_of(session)
    star = ("*" if document.is_modified else " ", paint.accent)
    if len(tabs) > 1:
        left = _tabs(tabs, paint, width)
    else:
        room = _room_for_title(parts, len(name), width) if width else _TITLE_WIDTH
        left = [(f" {printable(name, room)} ", paint.heading), star]
    spare = tuple(parts[part] for part in _GIVES_WAY)
    line = TwoEnds(left, tuple(parts.values()), spare)
    return line.within(width)._replace(spare=spare) if width else line


def _room_for_title(parts: Mapping[str, Fragment], wanted: int, width: int) -> int:
    """Return the width of a lone title: it is cut only so far before the rules and the scores are dropped."""
    kept = {part: fragment for part, fragment in parts.items() if part not in _BEFORE_A_TITLE}
    for part in ("rules", "scores"):
        if width - len("  *") - TwoEnds(right=tuple(kept.values())).width >= min(wanted, _SHORTEST_TITLE):
            break
        del kept[part]
    return max(width - len("  *") - TwoEnds(right=tuple(kept.values())).width, _SHORTEST_TITLE)


def _saved_words(saved_at: float | None, now: float) -> str:
    """Return how long ago the puzzle was saved; empty if it was not."""
    if saved_at is None:
        return ""
    minutes = int(max(now - saved_at, 0) // 60)
    ago = "just now" if not minutes else f"{minutes} min ago" if minutes < 60 else f"{minutes // 60} h ago"
    return f"   saved {ago}"


def _tabs(tabs: Sequence[Tab], paint: Palette, width: int) -> list[Fragment]:
    """Return the open puzzles by number and name, to fit a line width."""
    signs = sum(len(f" {tab.number} *") for tab in tabs)
    room = max(width - signs - _KEPT, _SHORTEST_TITLE) if width else _TITLE_WIDTH
    current = paint.heading if has_colours(paint) else paint.selected
    pieces: list[Fragment] = []
    for tab, name in zip(tabs, _tab_names(tabs, room), strict=True):
        pieces += [
            (f" {tab.number} {name}".rstrip(), current if tab.is_current else paint.muted),
            ("*" if tab.is_modified else " ", paint.accent),
            (_WORKING if tab.is_busy and not tab.is_current else "", paint.accent),
        ]
    return pieces


def _tab_names(tabs: Sequence[Tab], room: int) -> list[str]:
    """Return tab names to fit `room` cells: all whole if possible, else the front one, with the rest shared."""
    whole = [printable(tab.name, len(tab.name) + 1) for tab in tabs]
    if sum(map(len, whole)) <= room:
        return whole
    stems = [name.removesuffix(".ipuz") for name in whole]
    front = next(index for index, tab in enumerate(tabs) if tab.is_current)
    waiting = sorted((index for index in range(len(tabs)) if index != front), key=lambda index: len(stems[index]))
    least = sum(min(len(stems[index]), _SHORTEST_NAME) for index in waiting)
    widths = {front: min(len(stems[front]), max(room - least, _SHORTEST_TITLE))}
    left = max(room - widths[front], 0)
    is_enough = left >= least  # otherwise only the shortest get names
    for done, index in enumerate(waiting):
        share = left // (len(waiting) - done) if is_enough else min(left, _SHORTEST_NAME)
        whole_or_cut = min(len(stems[index]), share)
        widths[index] = whole_or_cut if is_enough or whole_or_cut == len(stems[index]) else 0
        left -= widths[index]
    return [shortened(stem, widths[index]) for index, stem in enumerate(stems)]


def _clue(puzzle: Puzzle, slot: Slot, paint: Palette) -> Fragment:
    """Return the entry's clue, an offered one, or the clue of its earlier answer."""
    clue, stale, offered = puzzle.clue(slot), puzzle.stale_clue(slot), puzzle.offered_clues(slot)
    if clue:
        return f"  {printable(puzzle.solver_clue(slot), _LONGEST_CLUE)}", paint.muted
    if offered:
        return f"  offered: {printable(printed(offered[0], puzzle.grid), _LONGEST_CLUE)}", paint.warning
    if stale is not None:
        text = printable(printed(stale.clue.text, puzzle.grid), _LONGEST_CLUE)
        return f"  clue of {stale.clue.answer}: {text}", paint.warning
    return f"  no clue yet {puzzle.solver_clue(slot)}".rstrip(), paint.muted


def _no_fill(untried: UntriedWays | None) -> str:
    return f" no fill ({how_sure(untried)})  "


def reason_broken(reason: str, width: int, untried: UntriedWays | None = None) -> tuple[str, str]:
    """Split the reason for no fill into the part that fits a line's width, and the rest."""
    return split_at_width(printable(reason, _LONGEST_REASON), width - len(_no_fill(untried)) - 1)


def engine_line(
    state: EngineState | None,
    words: int | None,
    tick: int,
    paint: Palette,
    *,
    waits: bool = False,
    room: int = _LONGEST_LINE,
) -> Sequence[Fragment]:
    """Return the loading state of the engine and the word list, in `room` cells, and what a run `waits` for."""
    if state is not None and state.phase is EnginePhase.FAILED:
        return [(printable(state.text, 60), paint.bad), (" ", paint.text)]
    status = ""
    if state is not None and state.phase is not EnginePhase.READY:
        status = state.text if len(state.text) + _SPINNING <= room or state.step is None else state.step.brief()
    elif words is None:
        status = "loading the word list"
    elif state is not None and state.later is not None and (state.is_compiling or waits):
        status = str(state.later) if len(str(state.later)) + _SPINNING <= room else state.later.brief()
    if not status:
        return [(f"{words:,} words ", paint.muted)]
    return [(f"{spinner(tick)} ", paint.search), (f"{printable(status, max(room - _SPINNING, 1))} ", paint.muted)]


def waiting_words(state: EngineState | None, words: int | None) -> str:
    """Return what a requested run is waiting for."""
    if words is None:
        return "starts when the word list is loaded"
    if state is None or state.phase is not EnginePhase.READY:
        return "starts when the engine is ready"
    return f"begins after {state.later}" if state.later is not None else "preparing the grid for the search"


def run_line(
    run: RunView | None,
    tick: int,
    paint: Palette,
    keys: KeyMap,
    *,
    waits: str = "",
    seconds: float = 0.0,
    is_proof_shown: bool = False,
) -> TwoEnds:
    """Return what the search is doing and for how long, or how it ended; on the right its depth over time.

    `waits` is what a requested run that has not started is waiting for. `is_proof_shown` is whether the line above
    already shows that there is no fill.
    """
    if waits:
        return TwoEnds([(f" {spinner(tick)} ", paint.search), (waits, paint.text)])
    if run is None:
        return TwoEnds()
    sparks = sparkline(run.depth_history, _SPARKS) if len(run.depth_history) > 1 else ""
    right = [(f"  {sparks} ", paint.search)]
    if run.paused:
        left = [(f" depth {run.depth}  ", paint.muted)]
        if run.event is not None:
            sign, style_name = _EVENTS.get(run.event.kind.value, ("▸", "text"))
            left.append((f"{sign} {printable(run.event.describe(), 120)}", getattr(paint, style_name)))
        return TwoEnds(left, right, tuple(right))
    if run.outcome is Outcome.RUNNING:
        running = [
            (f" {spinner(tick)} ", paint.search),
            (f"{run.doing} {max(run.seconds, seconds):.1f} s", paint.text),
        ]
        if run.mode is not Mode.FILL or run.is_mending:
            so_far = standing_words(run) + _stopping_words(run, keys)
            return TwoEnds([*running, (f"  {so_far}", paint.muted)])
        figures = _figures(run, paint)
        return TwoEnds([*running, *figures], right, _spare(figures, right))
    if run.mode is not Mode.FILL:
        style = paint.bad if run.outcome is Outcome.IMPOSSIBLE and not run.squares else paint.good
        return TwoEnds([(f" {ending_line(run)}", paint.warning if run.stopped else style)])
    ended = _ended(run, paint, keys, is_proof_shown=is_proof_shown)
    if run.changes:  # several small searches, so its figures are not shown
        return TwoEnds(ended, right, tuple(right))
    figures = [one for one in _figures(run, paint)[1:] if one[0].strip() not in run.reason]
    return TwoEnds([*ended, *figures], right, _spare(figures, right))


def _stopping_words(run: RunView, keys: KeyMap) -> str:
    """Return how to stop a search for a change, and what that keeps; empty for other runs."""
    if not run.is_mending:
        return ""
    kept = ""
    if run.mode is Mode.FILL and run.found:
        kept = " and asks" if is_much(run.found, len(run.squares)) else " and keeps it"
    return f"; {keys.cap_of('stop')} stops{kept}"


def _figures(run: RunView, paint: Palette) -> list[Fragment]:
    """Return a search's figures, most informative first."""
    parts = [f"depth {run.depth} of {run.deepest}", counted(run.nodes, "node")]
    parts += [counted(run.backtracks, "backtrack"), counted(run.restarts, "restart")]
    return [(f"  {figure}", paint.muted) for figure in parts]


def _spare(figures: Sequence[Fragment], sparks: Sequence[Fragment]) -> tuple[Fragment, ...]:
    """Return what a narrow line drops from a search's figures and depth graph, restarts first."""
    *others, restarts = figures
    return (restarts, *sparks, *reversed(others))


def _ended(run: RunView, paint: Palette, keys: KeyMap, *, is_proof_shown: bool) -> list[Fragment]:
    outcome, style = {
        Outcome.FILLED: (filled_words(run), paint.good),
        Outcome.IMPOSSIBLE: ("proved" if is_proof_shown and run.proves_no_fill else no_fill_words(run), paint.bad),
        Outcome.UNKNOWN: ("out of time, no answer", paint.warning),
        Outcome.CANCELLED: ("stopped", paint.warning),
    }.get(run.outcome, ("stopped", paint.warning))
    details = "; ".join(filter(None, [run.reason or _remarks(run, keys), proof_words(run)]))
    reason = [(f"  {printable(details, 200)}", paint.text)] if details else []
    return [(f" {outcome}", style), (f" in {run.seconds:.2f} s", paint.muted), *reason]


def _remarks(run: RunView, keys: KeyMap) -> str:
    """Return remarks on a plain fill: if many entries were replaced, how many, and the key that shows which."""
    if len(run.changes) <= _FEW_CHANGES:
        return "; ".join(remarks(run))
    replaced = f"{replaced_figures(run)}; {keys.named('what was said')} shows which"
    return "; ".join(filter(None, [replaced, run_shares_words(run)]))


_EVENTS = {
    "backtrack": ("◂", "undone"),
    "wipe-out": ("×", "bad"),
    "restart": ("«", "warning"),
    "solved": ("●", "good"),
    "impossible": ("×", "bad"),
}
"""Signs and styles of events by the value of their kind; importing the enum would load the engine."""

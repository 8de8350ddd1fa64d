"""What the editor shows of the puzzle: the grid's picture, and the lines above and below the desk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from time import monotonic

from xwtui.engine.events.event import Outcome
from xwtui.grids.profiles import allows_blocks
from xwtui.lazy import lazy_imports
from xwtui.model import Ink, Kind, Position
from xwtui.session.run_view import RunView
from xwtui.session.verbs.layouts import hints_line
from xwtui.tui import title_and_status as lines
from xwtui.tui.editing.context import EditorContext
from xwtui.tui.keys import KeyFooter, NextSteps
from xwtui.tui.picture import Picture, SearchView, Tint, Tinting, stopped_squares, tint_legend
from xwtui.tui.square_style import has_colours, heat_legend
from xwtui.tui.widgets.painted import Fragment, Line, TwoEnds

with lazy_imports():
    from xwtui.tui.screens.findings import Questions


class GridPicture:
    """Draws the puzzle with its cursor, the search, the live fill, faults, heat and tints."""

    def __init__(self, context: EditorContext, search: SearchView) -> None:
        self._context = context
        self._session = context.session
        self._insight = context.insight
        self._search = search
        self._tinting = Tinting()
        self._shown_tints: Mapping[Position, Tint] = {}

    def show(self, run: RunView | None, heat: Mapping[Position, float]) -> None:
        """Draw the grid, with a heat map if requested."""
        session, search, insight = self._session, self._search, self._insight
        position, direction = session.cursor.place
        grid = session.puzzle.grid
        live = insight.live if session.jobs.live_fill.is_on else None
        self._shown_tints = {} if heat else self._tints
        self._context.desk.grid.picture = Picture(
            grid,
            position,
            direction,
            search.squares,
            search.undone,
            search.is_on,
            selection=session.selection.squares,
            stopped=stopped_squares(grid, run),
            better=search.better,
            faults=frozenset() if search.is_on else insight.faulty_squares(session),
            ruled=frozenset(session.puzzle.rules.squares),
            heat=heat,
            forced=insight.letters.forced if insight.letters is not None else {},
            live=live.squares if live is not None else {},
            hinted=self._hinted,
            tints=self._shown_tints,
        )

    @property
    def _hinted(self) -> frozenset[Position]:
        """The blocks of the shown hint, unless the grid has changed since."""
        ready = self._insight.hints
        if ready is None or not ready.hints or ready.revision != self._session.revision or self._search.is_on:
            return frozenset()
        return ready.hints[ready.shown].change.added

    @property
    def _tints(self) -> Mapping[Position, Tint]:
        words, is_wanted = self._session.jobs.words, self._session.settings.tint and not self._search.is_on
        can_tint = has_colours(self._context.paint) and self._context.desk.grid.is_large
        if not is_wanted or not can_tint or words.lexicon is None:
            return {}
        return self._tinting.of(self._session.puzzle, words.score, words.lexicon)

    def legend(self) -> list[Fragment]:
        return tint_legend(self._session.puzzle, self._context.paint) if self._shown_tints else []


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

    def __init__(self, context: EditorContext, questions: Questions, picture: GridPicture) -> None:
        self._context = context
        self._session = context.session
        self._insight = context.insight
        self._questions = questions
        self._picture = picture
        self.head_width = 0
        self._run_clock, self._count_clock = Clock(), Clock()
        self.shows_count = False
        """Whether the lines say that fills are being counted."""

    def show_title(self) -> None:
        """Write the title, with the state of other open puzzles."""
        self._write("title", lines.title_line(self._session, self._context.paint, width=self.head_width))

    def show_entry(self) -> None:
        """Write the current entry, and the letters of its square."""
        paint = self._context.paint
        self._write("entry", lines.entry_line(self._session, self._insight, paint))
        self._write("letters", lines.letters_line(self._session, self._insight, paint))

    def show_state(self, run: RunView | None, tick: int) -> None:
        """Write the estimate, the run, and the likely next keys; `tick` advances the spinner."""
        run = None if run is self._context.past_run else run
        insight, paint, width = self._insight, self._context.paint, self._context.screen.size.width
        fill = self._session.jobs.fill
        no_fill = self._reason
        if run is not None and run.reason == no_fill:  # the line above shows it
            run = replace(run, reason="")
        reason, rest = lines.reason_broken(no_fill, width, self._insight.untried)
        counting = ""
        self.shows_count = self._session.jobs.count.is_busy
        if self.shows_count:
            counting = f"{lines.spinner(tick)} counting {self._count_clock.seconds():.1f} s "
        else:
            self._count_clock.stop()
        estimate = lines.estimate_line(
            self._session, insight, paint, reason=reason, advice=self._advice, counting=counting
        )
        waits = fill.is_running and fill.view is None
        room = width if no_fill else width - estimate.width - 1
        engine = lines.engine_line(insight.engine, insight.words, tick, paint, waits=waits, room=room)
        right, spare = [*self._picture.legend(), *engine], () if self._questions.is_heated else engine
        if self._questions.is_heated and not self._insight.is_loading:  # the legend replaces the engine's state
            right = heat_legend(paint, lines.spinner(tick) if self._questions.is_heat_stale else "")
        self._write("estimate", TwoEnds(estimate.left, right, spare))
        below = self._below_estimate(run, rest, tick, waits=waits)
        self._write("run", below)
        self._context.message_line.set_line_above(below)
        has_fills = bool(self._session.fills.kept)  # to choose from
        steps = tuple(step for step in self._next_steps.value if step != "fills" or has_fills)
        self._context.screen.query_one(KeyFooter).steps = steps

    @property
    def _reason(self) -> str:
        """Why there is no fill, from the live figures or from a question whose conflict still stands."""
        return self._insight.reason or self._session.jobs.question.proved

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
        if self._insight.reason or self._session.jobs.has_proved_no_fill:
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
            return lines.live_line(self._insight.live, self._session.revision, paint, keys)
        waiting = lines.waiting_words(self._insight.engine, self._insight.words) if waits else ""
        is_shown = bool(self._reason) or self._session.jobs.has_proved_no_fill
        seconds = 0.0  # elapsed time, later than the run's last message
        if run is None or run.paused or run.outcome is not Outcome.RUNNING:
            self._run_clock.stop()
        else:
            seconds = self._run_clock.seconds(run.seconds)
        return lines.run_line(run, tick, paint, keys, waits=waiting, seconds=seconds, is_proof_shown=is_shown)

    def _write(self, name: str, ends: TwoEnds) -> None:
        line = self._context.screen.query_one(f"#{name}", Line)
        line.left, line.right, line.spare = ends

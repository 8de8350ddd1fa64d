"""What the editor's grid shows at a moment, put together from all who know something of its squares."""

from collections.abc import Mapping

from xwtui.model import Content, Position
from xwtui.session.run_view import RunView
from xwtui.tui.editing.context import EditorContext
from xwtui.tui.faces import has_colours
from xwtui.tui.fragments import Fragment
from xwtui.tui.picture import Picture, SearchView, stopped_squares
from xwtui.tui.tints import Tint, Tinting, tint_legend


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
        """Draw the grid as it is now, with a heat map where one is asked for."""
        session, search, insight = self._session, self._search, self._insight
        position, direction = session.cursor.place
        grid = session.puzzle.grid
        self._shown_tints = {} if heat else self._tints
        self._context.desk.show_picture(
            Picture(
                grid,
                position,
                direction,
                search.squares,
                search.undone,
                search.is_on,
                selection=session.selection.squares,
                stopped=stopped_squares(grid, run),
                better=search.better,
                faults=self._faults,
                ruled=frozenset(session.puzzle.rules.squares),
                heat=heat,
                forced=insight.letters.forced if insight.letters is not None else {},
                live=self._live,
                hinted=self._hinted,
                tints=self._shown_tints,
            )
        )

    @property
    def _faults(self) -> frozenset[Position]:
        """The squares of the entries that stop every fill or have become no words, while no search is shown."""
        return frozenset() if self._search.is_on else self._insight.faulty_squares(self._session)

    @property
    def _live(self) -> Mapping[Position, Content]:
        live = self._insight.live
        return live.squares if live is not None and self._session.settings.live_fill else {}

    @property
    def _hinted(self) -> frozenset[Position]:
        """The blocks of the hint that is shown, as long as the grid is the one that it is about."""
        ready = self._insight.hints
        if ready is None or not ready.hints or ready.revision != self._session.revision or self._search.is_on:
            return frozenset()
        return ready.hints[ready.shown].change.added

    @property
    def _tints(self) -> Mapping[Position, Tint]:
        words = self._session.jobs.words
        if not self._can_tint or self._search.is_on or words.lexicon is None:
            return {}
        return self._tinting.of(self._session.puzzle, words.score, words.lexicon)

    @property
    def _can_tint(self) -> bool:
        is_wanted = self._session.settings.tint and has_colours(self._context.paint)
        return is_wanted and self._context.desk.grid.is_large

    def legend(self) -> list[Fragment]:
        return tint_legend(self._session.puzzle, self._context.paint) if self._shown_tints else []

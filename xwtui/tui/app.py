"""The Textual application: the open puzzles, the color theme, and which screen is shown."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from textual import on
from textual.actions import SkipAction
from textual.app import App, ScreenStackError
from textual.binding import Binding, BindingType
from textual.css.query import NoMatches
from textual.dom import NoScreen
from textual.events import Event, Key
from textual.widget import MountError

from xwtui.errors import XwtuiError
from xwtui.formats.intake import DEFAULT_READ_OPTIONS, ReadOptions
from xwtui.lazy import lazy_imports
from xwtui.memory import Garbage, drop_unused, limit_unused_memory, note_loaded, trim
from xwtui.model import Puzzle
from xwtui.session import messages
from xwtui.session.document import full_path
from xwtui.session.jobs.scheduler import SECONDS_A_TURN
from xwtui.session.keys.key_map import keys_in_force
from xwtui.session.messages import Severity
from xwtui.session.open_puzzles import OpenPuzzles, SessionMaker
from xwtui.session.recent import RecentPuzzles
from xwtui.session.session import Session
from xwtui.session.settings import Settings, load_settings, save_settings
from xwtui.session.verbs.dialogue import DEFAULT_THEME
from xwtui.session.verbs.files import begin
from xwtui.tui.editors import Editors, clear_styles_cache
from xwtui.tui.keys import has_own_key
from xwtui.tui.screens.editor import Editor, Reported
from xwtui.tui.screens.overlays import ChoiceScreen, DecisionScreen, ReplyScreen
from xwtui.tui.terminal import is_monochrome, lasting_terminal, open_terminals, plain_escapes
from xwtui.tui.themes import ColourTheme, load_themes, load_user_themes, suitable_theme, wants_no_colour
from xwtui.tui.typeahead import TypeAhead
from xwtui.tui.unsaved_work import UnsavedWork

with lazy_imports():
    from xwtui.session.recovery import left_elsewhere
    from xwtui.session.theme_list import ThemeList
    from xwtui.tui.screens.clue_table import ClueTable
    from xwtui.tui.screens.solving import SolveScreen
    from xwtui.tui.screens.start import NextChoice, StartScreen

_CHECK_SECONDS = 1.0
"""Interval between checks whether the terminal still exists."""
_CACHE_SECONDS = 4.0
"""Interval for dropping cached lines of removed widgets, and garbage."""
_TRIM_SECONDS = 2.0
"""Interval for returning freed memory: ten seconds of edits and counts free fifty megabytes."""
_MINUTE = 60.0
"""Interval for updating in the title how long ago the puzzle was saved, and for dropping what is not used."""
_MISSING_PART_ERRORS = (NoMatches, NoScreen, ScreenStackError, MountError)
"""Exceptions that Textual raises when a screen or a part of one is missing."""
_IMMEDIATE_KEYS = ("escape", "up", "down", "left", "right")


class XwtuiApp(App[int]):
    """The app, with an editor per open puzzle; messages from worker threads arrive as `Reported` messages."""

    TITLE = "xwtui"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "quit", "quit", show=False, priority=True),
        Binding("f1", "help", show=False, priority=True),
        Binding("ctrl+c", "hint_quit", show=False, system=True),
    ]

    def __init__(
        self,
        *paths: Path,
        trace: Path | None = None,
        options: ReadOptions = DEFAULT_READ_OPTIONS,
        session: SessionMaker | None = None,
        theme: str | None = None,
        offers_start: bool = True,
        owns_process: bool = False,
    ) -> None:
        """With `owns_process`, everything loaded at startup is exempt from garbage collection."""
        no_colour = wants_no_colour() or (theme is None and is_monochrome())  # before Textual removes NO_COLOR
        super().__init__(ansi_color=True if no_colour else None)
        self._paths = [full_path(path) for path in paths]
        self._elsewhere = ""
        """A note about unsaved work that is not offered because files were named on the command line."""
        self._trace = trace
        self._reading = options
        self._offers_start = offers_start and trace is None
        self._problems: list[str] = []
        self._is_leaving = False
        self.typeahead = TypeAhead(self, lambda: self._editor.candidates.hold_keys(), self._waits_for_fill)  # noqa: PLW0108
        try:
            settings = load_settings()
        except XwtuiError as error:
            self._problems.append(str(error))
            settings = Settings()
        make = session or (lambda listener: Session(listener, settings=settings))
        self.puzzles = OpenPuzzles(make, self._listen, opens_tabs=True)
        self._garbage = Garbage(self.puzzles.has_closed) if owns_process else None
        shipped = load_themes()
        own, problems = load_user_themes(shipped)
        self._colour_themes = {**shipped, **own}
        self._problems += problems
        wanted = theme or self.session.settings.theme or DEFAULT_THEME
        # an explicitly requested theme is used unchanged
        colours = "truecolor" if theme else self.console.color_system
        self.colour_theme = suitable_theme(self._colour_themes, wanted, colours, no_colour=no_colour)
        in_force = keys_in_force(self.session.settings)
        self.keys, self._key_map = in_force.map, self.session.settings.key_map
        self._theme = self.session.settings.theme
        self.theme_list: ThemeList | None = None
        self.add_problem(in_force.problem)
        self.editors = Editors(self, self.puzzles)
        self.puzzles.on_change(self.editors.follow)
        self._unsaved = UnsavedWork(self, self.puzzles, self.editors)
        self._recent = RecentPuzzles()
        for one in self._colour_themes.values():
            self.register_theme(one.theme)

    @property
    def session(self) -> Session:
        return self.puzzles.current

    @property
    def _editor(self) -> Editor:
        return self.editors.front

    def _listen(self, session: Session, report: messages.Message) -> None:
        self.post_message(Reported(report, session))

    # Start

    def on_mount(self) -> None:
        """Open the puzzles before taking any key, ask about unsaved work, then show the editor."""
        self.theme = self.colour_theme.name
        for path in self._paths:
            self._try(partial(self.puzzles.begin, path, self._reading))
        self.puzzles.bring_to_front(self.puzzles.sessions[0])
        if self._trace is not None:
            self._try(partial(self.session.replay, self._trace))
        self._watch_terminals()
        self.set_interval(_CACHE_SECONDS, self._drop_caches)
        self.set_interval(_TRIM_SECONDS, self._trim_memory)
        self.set_interval(_MINUTE, drop_unused)
        self.set_interval(_MINUTE, self._refresh_title)  # an editor's own timer would keep the editor alive
        left = self.session.recoveries() if self._offers_start else ()
        recoveries = [one for one in left if not self._paths or one.source in self._paths]
        self._elsewhere = left_elsewhere([one for one in left if self._paths and one.source not in self._paths])
        held = [one for one in self.puzzles.sessions if self._offers_start and one.document.in_use_words]
        self.session.jobs.deactivate()  # nothing is counted before a grid is chosen
        self._unsaved.ask_at_start(held, recoveries)
        if held or recoveries:
            self.call_after_refresh(lambda: self.typeahead.open(forget=True))
            self.call_after_refresh(self.session.start)

    async def run_async(self, **options: Any) -> int | None:
        """Run the app, with signal handlers that end it cleanly at any moment.

        The terminal is restored on such an end. Signals that the parent process ignores (`nohup`) stay ignored.
        """
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                if signal.getsignal(number) is not signal.SIG_IGN:
                    asyncio.get_running_loop().add_signal_handler(number, self._end_by, number)
        return await super().run_async(**options)

    def _watch_terminals(self) -> None:
        """End as by SIGHUP when a terminal disappears that is not the session's own, as no signal is sent then.

        Textual takes the end of its input for a pause, and would keep reading forever.
        """
        terminals = open_terminals()

        def check() -> None:
            if open_terminals() != terminals:
                self._end_by(signal.SIGHUP)

        if not self.is_headless and terminals:
            self.set_interval(_CHECK_SECONDS, check)

    def _end_by(self, number: int) -> None:
        """End because of a signal; a search's better fill is kept, and unsaved work stays in the journal."""
        for session in self.puzzles.sessions:
            with contextlib.suppress(XwtuiError):
                session.stop()
        self.exit(128 + number)

    async def on_event(self, event: Event) -> None:
        """Handle user events one at a time, once the editor is shown."""
        if not self.typeahead.holds(event):
            await super().on_event(event)
            self.typeahead.note_dispatched(event)

    def show_editor(self, is_begun: bool) -> None:
        had_question = self.typeahead.close()
        self.editors.show()
        self.call_after_refresh(self._begin, is_begun=is_begun, had_question=had_question)

    def _begin(self, *, is_begun: bool, had_question: bool) -> None:
        self.editors.begin()
        if self._problems:
            self._editor.show_message("; ".join(self._problems), Severity.WARNING)
        elif self._trace is not None:
            self._editor.verbs.watch_search()
        elif self._elsewhere:
            self._editor.show_message(f"There is {self._elsewhere}.", Severity.WARNING)
        shows_start = not self._paths and self._offers_start and not is_begun
        if not shows_start:
            self.typeahead.open()
            return
        self._offer_start()
        # Drop keys typed before the question appeared, but keep those typed after answering an earlier one.
        self.call_after_refresh(lambda: self.typeahead.open(forget=not had_question))

    def _offer_start(self) -> None:
        self.session.jobs.deactivate()
        self.push_screen(StartScreen(self._recent.files), self._start_chosen)

    def _start_chosen(self, start: Puzzle | Path | NextChoice | None) -> None:
        match start:
            case NextChoice.GRID:
                self._editor.verbs.new_grids.show(left=self._offer_start)
            case NextChoice.FILE:
                self._editor.line.ask("open ")
            case Puzzle() as puzzle:
                self._editor.context.attempt(partial(self.begin, puzzle))
            case Path() as path if self._editor.context.attempt(partial(self.puzzles.begin, path)):
                self.offer_recovery()

    def offer_recovery(self) -> None:
        self._unsaved.ask_about_opened()

    def show_replay(self) -> None:
        fill = self.session.jobs.fill
        if not fill.can_be_argued_with:
            self.typeahead.hold(lambda: fill.view is None)  # keys for that screen wait for its first event
            self.editors.when_shown(self._editor.verbs.watch_search)

    def begin(self, puzzle: Puzzle) -> None:
        begin(self.session, puzzle, "new")

    def _try(self, action: Callable[[], object]) -> None:
        """Run an action that may be refused before the editor exists, which then shows the refusal."""
        try:
            action()
        except XwtuiError as error:
            self.add_problem(str(error))

    def add_problem(self, text: str) -> None:
        """Keep a message until the editor can show it, once even if it is given several times."""
        if text and text not in self._problems:
            self._problems.append(text)

    @on(Reported)
    def _reported(self, event: Reported) -> None:
        if self._is_leaving or not self.is_running:  # the editor may already be partly removed
            return
        session = event.session or self.session
        match event.report:
            case messages.EngineState(phase=messages.EnginePhase.READY) if self._garbage is not None:
                self._garbage.has_loaded()
            case messages.LexiconReady() if self._garbage is not None:
                self._garbage.has_replaced()
            case messages.PuzzleChanged() | messages.Saved():
                self._recent.note(session.document.path)
        self.editors.receive(session, event.report)

    def _refresh_title(self) -> None:
        """Update in the title how long ago the puzzle was saved."""
        if self.is_running and not self._is_leaving and self._editor.is_mounted and self._editor.is_active:
            self._editor.show_title()

    def _drop_caches(self) -> None:
        clear_styles_cache()
        if self._garbage is not None:
            self._garbage.collect()

    async def _trim_memory(self) -> None:
        """Return freed memory to the system, which threads that never idle would not do by themselves."""
        await asyncio.to_thread(trim)

    def _waits_for_fill(self, event: Event) -> bool:
        """Whether a key must wait for a fill that will end soon: all keys do, except `stop` and moves."""
        is_immediate = isinstance(event, Key) and event.key in (*_IMMEDIATE_KEYS, *self.keys.keys_of("stop"))
        return not is_immediate and self.session.jobs.fill.ends_soon

    # Themes

    def next_theme(self) -> str:
        """Switch to the next theme, and save the choice; returns its name."""
        names = list(self._colour_themes)
        self.apply_theme(self._colour_themes[names[(names.index(self.colour_theme.name) + 1) % len(names)]])
        self.apply_settings(replace(self.session.settings, theme=self.colour_theme.name))
        return self.colour_theme.name

    def apply_settings(self, settings: Settings) -> None:
        """Apply settings and save them for the next start; raises XwtuiError if they cannot be written."""
        self.session.settings = settings
        if self._editor.is_mounted:
            self._editor.show_grid()
        save_settings(settings)
        if settings.theme != self._theme and settings.theme in self._colour_themes:
            self._theme = settings.theme
            self.apply_theme(self._colour_themes[settings.theme])
        if settings.key_map != self._key_map:
            self._key_map = settings.key_map
            in_force = keys_in_force(settings)
            self.keys = in_force.map
            if self._editor.is_mounted:
                self._editor.take_keys()
            if in_force.problem:  # shown last
                self.call_later(self.editors.show_message, in_force.problem, Severity.WARNING)

    def apply_theme(self, theme: ColourTheme) -> None:
        self.colour_theme = theme
        self.theme = theme.name
        self.editors.apply_palette(theme.palette)

    def action_help(self) -> None:
        if isinstance(self.screen, Editor | ReplyScreen) or has_own_key(self.screen, "f1"):
            raise SkipAction
        self._editor.verbs.show_help()

    async def action_command_line(self) -> None:
        """Leave the screen in front for the command line, replaying the colon there."""
        self.typeahead.again(Key("colon", ":"))
        await self.screen.run_action("dismiss")

    # End

    def exit(self, result: int | None = None, *arguments: Any, **options: Any) -> None:
        """End the program; later messages from sessions are ignored."""
        self._recent.note(self.session.document.path)  # it may have been named just now
        self._is_leaving = True
        super().exit(result, *arguments, **options)

    def _handle_exception(self, error: Exception) -> None:
        """Show an error, except a missing part while the program ends.

        From then on Textual no longer composes new screens, and removes the others, while pending messages for
        them are still delivered.
        """
        if not (self._is_leaving and isinstance(error, _MISSING_PART_ERRORS)):
            super()._handle_exception(error)

    async def action_quit(self) -> None:
        self.ask_to_quit()

    def ask_to_quit(self) -> None:
        if isinstance(self.screen, ChoiceScreen | DecisionScreen):
            return
        if isinstance(self.screen, ClueTable):
            self.screen.keep_typed()
        if text := self._unentered():
            self._unsaved.ask_to_quit_without(text)
        else:
            self._unsaved.ask_to_quit()

    def _unentered(self) -> str:
        """The text typed but not entered in a field of the screen in front."""
        if isinstance(self.screen, SolveScreen):
            return self.screen.unentered
        return self.screen.line.unentered if isinstance(self.screen, Editor) else ""

    def ask_to_close(self) -> None:
        self._unsaved.ask_to_close()

    def show_message(self, text: str) -> None:
        """Show a message in the editor in front."""
        self.editors.show_message(text)

    def action_hint_quit(self) -> None:
        """Ctrl+C stops a running fill, race, or search for designs or other answers; else show how to quit."""
        jobs = self.session.jobs
        if jobs.fill.is_running or jobs.race.is_running or jobs.answer.is_busy:
            self._editor.verbs.press("stop")
        elif self._editor.is_mounted:
            self._editor.show_message("Ctrl+Q quits")


def run_screen(
    paths: Sequence[Path] = (), *, trace: Path | None = None, options: ReadOptions = DEFAULT_READ_OPTIONS
) -> int:
    """Run the screen on puzzle files, a trace, or the start screen; returns the exit status."""
    note_loaded()
    sys.setswitchinterval(SECONDS_A_TURN)
    limit_unused_memory()
    app = XwtuiApp(*paths, trace=trace, options=options, owns_process=True)
    try:
        with lasting_terminal(), plain_escapes(lambda key: key in app.keys.keys):
            status = app.run()
    finally:
        app.puzzles.end()
    return status if status is not None else app.return_code or 0

"""What verbs' keys do: run a verb, ask for its arguments, or show a screen for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from weakref import WeakKeyDictionary

from textual.screen import Screen

from xwtui.engine.events.event import Outcome
from xwtui.errors import XwtuiError
from xwtui.lazy import lazy_imports
from xwtui.model import Direction, Position
from xwtui.session.answers import VerbAnswer
from xwtui.session.document import Document
from xwtui.session.fill_options import Mode
from xwtui.session.jobs.race_job import NO_RACE
from xwtui.session.messages import AnswerReady, Message, Severity
from xwtui.session.run_view import RunView
from xwtui.session.verbs.designs import DesignsAnswer
from xwtui.session.verbs.export import export_kinds, export_name, export_path
from xwtui.session.verbs.finding import FindAnswer
from xwtui.session.verbs.layouts import LayoutsAnswer, last_answer
from xwtui.session.verbs.registry import VERBS, run_line
from xwtui.session.verbs.snapshots import ComparisonAnswer
from xwtui.session.verbs.templates import TemplatesAnswer
from xwtui.session.verbs.verb import Reply
from xwtui.session.wording import PARTIAL_HINT, ending_words, replaced_words
from xwtui.text import counted, in_quotes, printable_lines
from xwtui.tui.editing.command_line import CommandLine, NameQuestion
from xwtui.tui.editing.context import EditorContext
from xwtui.tui.picture import changed_squares, is_going
from xwtui.tui.screens.findings import Questions
from xwtui.tui.screens.overlays import ReplyScreen, unless_left
from xwtui.tui.widgets.entry_list import is_locked

with lazy_imports():
    from xwtui.session.theme_list import ThemeList
    from xwtui.session.verbs.designs import begin_on_design
    from xwtui.tui.screens.choosing import DifferencesScreen, FillsScreen, FindScreen
    from xwtui.tui.screens.clue_table import ClueDrafts, ClueTable
    from xwtui.tui.screens.help import HelpScreen
    from xwtui.tui.screens.layouts import LayoutRow, LayoutScreen
    from xwtui.tui.screens.menu import CommandListPalette
    from xwtui.tui.screens.racing import RaceScreen
    from xwtui.tui.screens.solving import SolveScreen
    from xwtui.tui.screens.watching import WatchScreen


class NewGrids:
    """Shows the screen for laying out grids, and starts on the grid that is chosen there."""

    def __init__(self, context: EditorContext, run: Callable[[str], object]) -> None:
        """`run` runs a verb's line and shows its answer."""
        self._context = context
        self._session = context.session
        self._run = run
        self._screen: Screen[LayoutRow | None] | None = None
        self._chosen_at = -1
        """The puzzle's revision when one of the screen's grids was chosen."""

    def is_for_layouts(self, report: AnswerReady) -> bool:
        """Whether a message is only for the layout screen: it is open, or was left with one of its grids."""
        if self._screen is not None and self._screen.is_current:
            return True
        return report.revision <= self._chosen_at and isinstance(report.answer, DesignsAnswer | LayoutsAnswer)

    def show(
        self,
        line: str = "",
        *,
        query: str = "",
        drawn: LayoutsAnswer | None = None,
        has_theme: bool = False,
        left: Callable[[], None] | None = None,
    ) -> None:
        """Show the screen with the results of a query, with drawn layouts, or with designs.

        Designs are for the theme of a running `line` of `design` or, with `has_theme`, for the last theme. `left`
        is called if nothing is chosen.
        """
        host = self._context.host

        def chosen(choice: LayoutRow | None) -> None:
            if choice is not None:
                self._chosen_at = self._session.revision
                self._begin(choice)
            elif left is not None:
                left()

        theme, designed = ThemeList(), None
        if line:
            theme = host.theme_list = ThemeList.of_line(line, self._session.puzzle.alphabet)
        elif has_theme:
            theme, designed = host.theme_list or theme, last_answer(self._session, DesignsAnswer)
        self._screen = LayoutScreen(
            self._session, theme, query=query, drawn=drawn, designed=designed, is_begun=bool(line)
        )
        host.push_screen(self._screen, chosen)

    def show_last(self) -> None:
        """Show the screen as it was left: the last theme and its designs, and the layouts drawn last."""
        self.show(has_theme=True, drawn=last_answer(self._session, LayoutsAnswer))

    def _begin(self, choice: LayoutRow) -> None:
        """Start on the chosen grid, like the verb that finds it."""
        design, themed, host = choice.design, choice.themed, self._context.host
        if design is not None:
            answer = last_answer(self._session, DesignsAnswer)
            assert answer is not None
            if self._context.attempt(lambda: begin_on_design(self._session, answer, design, ghosts=True)):
                grids = [one.grid for one in answer.progress.designs]
                which = f"design {1 + grids.index(design.grid)}" if design.grid in grids else "the design"
                writes = self._context.keys.cap_of("fill")
                host.show_message(
                    f"{which} opened: theme answers are locked, the rest is a preview; {writes} writes it"
                )
        elif themed is not None:
            self._context.attempt(lambda: host.begin(themed))
        else:
            self._run(f"layouts take {choice.drawn}" if choice.drawn else f"new {choice.name}")


_STALE = " (from before the last edit)"


class VerbKeys:
    """Runs verbs and shows their answers; screens that the first frame does not need are imported when shown."""

    def __init__(self, context: EditorContext, line: CommandLine, questions: Questions) -> None:
        self._context = context
        self._session = context.session
        self._line = line
        self._questions = questions
        self._clue_drafts: WeakKeyDictionary[Document, ClueDrafts] = WeakKeyDictionary()
        self.new_grids = NewGrids(context, self.run)
        self._started_line = ""
        """The last line that started a job."""
        self._had_nothing_to_fill = False
        """Whether nothing was empty when it started."""
        self._alone: dict[str, Callable[[], object]] = {
            "help": self.show_help,
            "quit": context.host.ask_to_quit,
            "tab close": context.host.ask_to_close,
            "fills": self.show_fills,
            "findings": questions.show_findings,
            "race show": self.show_race,
            "theme answers": self.new_grids.show,
            "design": self.new_grids.show_last,
            "designs": self.new_grids.show_last,
            "find": self.show_find,
            "solve": self.show_solving,
            "stop": self._stop,
        }
        """What verbs do if only their name is typed, or their key pressed."""
        self._pressed: dict[str, Callable[[], object]] = {
            "rebus": line.ask_rebus,
            "heat": questions.toggle_heat,
            "why": questions.ask_why,
            "tint": lambda: self.run(f"tint {'off' if self._session.settings.tint else 'on'}"),
            "save": self._save,
            "export": self._export,
            "lock": self._lock,
            "accept": self._accept,
            **{name: partial(self._rate, name) for name in ("raise", "lower", "never")},
            **{name: partial(self._fill, name) for name in ("fill", "refill")},
        }
        """What their keys do, if that differs."""
        self._started: dict[str, Callable[[str], object]] = {
            "race": lambda _: self.show_race(),
            "design": self.new_grids.show,
            "watch": lambda _: context.host.show_replay(),
        }
        """What follows once a line of theirs has started a job."""

    def press(self, name: str) -> None:
        """Handle a verb's key: its special behavior, else ask for its arguments, or run it."""
        if (action := self._pressed.get(name) or self._alone.get(name)) is not None:
            action()
        elif VERBS[name].asks or any(argument.required for argument in VERBS[name].arguments):
            self._line.ask(f"{name} ")
        else:
            self.run(name)

    def _fill(self, name: str) -> None:
        self.run(f"{name} --only selection" if self._session.selection.squares else name)

    def _save(self) -> None:
        if self._session.document.needs_name:
            self._line.ask("save ", proposal=in_quotes(self._free_name()))
        else:
            self.run("save")

    def _export(self) -> None:
        path = export_path(self._session, next(iter(export_kinds())))
        self._line.ask("export ", proposal=in_quotes(str(path)))

    def _rate(self, name: str) -> None:
        """Rate the focused candidate, or else the entry's answer."""
        candidates = self._context.desk.candidates
        word = candidates.chosen_word if candidates.has_focus else None
        self.run(name if word is None else f"{name} {word}")

    def _stop(self) -> None:
        """Stop running jobs, and say so unless a run's own line does."""
        run, lines = self._session.jobs.fill.is_running, list[str]()
        if self._context.attempt(lambda: lines.extend(run_line(self._session, "stop").lines)) and not run:
            self._context.show_message("; ".join(lines))

    def _lock(self) -> None:
        slot = self._session.cursor.entry
        self.run("unlock" if slot is not None and is_locked(self._session.puzzle.grid, slot) else "lock")

    def _accept(self) -> None:
        """Accept all pencil, or the contents of a search, and say how much and how to undo it."""
        before, fill = self._given, self._session.jobs.fill
        whose = "of pencil" if fill.has_found or fill.shown_squares is None else "of the search"
        if self._context.attempt(lambda: run_line(self._session, "accept")):
            squares = counted(self._given - before, "square")
            undo = self._context.keys.cap_of("undo")
            self._context.show_message(f"{squares} {whose} made pen, which every fill keeps; {undo} undoes it")

    @property
    def _given(self) -> int:
        """The number of squares in pen or locked."""
        return sum(square.is_given for square in self._session.puzzle.grid.squares)

    def _free_name(self) -> str:
        stem, number = export_name(self._session), 1
        name = f"{stem}.ipuz"
        while Path(name).exists():
            number += 1
            name = f"{stem}-{number}.ipuz"
        return name

    def ask_name(self, question: NameQuestion) -> None:
        self._line.ask_name(question, self._free_name())

    def run(self, line: str) -> bool:
        """Run a command line and show its answer; on an error, show it and return False."""
        self._context.show_message("")
        if (show := self._alone.get(line)) is not None:
            show()
            return True
        settings, run = self._session.settings, self._session.jobs.fill.view
        try:
            reply = run_line(self._session, line)
        except XwtuiError as error:
            self._context.refuse(error)
            return False
        if self._session.settings != settings:
            self._context.attempt(lambda: self._context.host.apply_settings(self._session.settings))
        # A finished run's line is dropped, except a proof of no fill, which holds as long as the grid is
        # unchanged.
        stays = run is None or is_going(run) or (run.mode is Mode.FILL and run.outcome is Outcome.IMPOSSIBLE)
        if not (stays or reply.started or run is self._context.past_run):
            self._context.past_run = run
            self._questions.show_heat()
        self._show_reply(line, reply)
        if reply.started and (follow := self._started.get(reply.verb)) is not None:
            follow(line)
        return True

    def _show_reply(self, line: str, reply: Reply) -> None:
        answer = reply.answer() if reply.answer is not None and not reply.started else None
        if reply.quit:
            self._context.host.exit(0, message="\n".join(reply.lines) or None)
        elif reply.solves:
            self.show_solving("; ".join(reply.lines))
        elif reply.shows_grid or reply.transcript is not None or reply.ends_transcript:
            self._context.show_message("that works only in `xwtui repl`")
        else:
            # The result will appear where a screen of lines would cover it.
            lines = ("; ".join(reply.lines),) if reply.started and reply.lines else reply.lines
            self._show_answer(line, answer, lines)
        if reply.opened:
            self._context.host.offer_recovery()
        if reply.started:
            self._started_line = line
            self._had_nothing_to_fill = reply.is_in_vain
            self._context.message_line.begin_progress()

    def _show_answer(self, line: str, answer: VerbAnswer | None, lines: Sequence[str]) -> None:
        """Show a line's answer: on the screen made for it, else as text."""
        match answer:
            case ComparisonAnswer() if not answer.differences.is_none:
                self._context.host.push_screen(DifferencesScreen(answer), unless_left(self._go_to))
            case TemplatesAnswer():
                self.new_grids.show(query=answer.wanted.query)
            case LayoutsAnswer() if answer.grids:
                self._context.message_line.record(f"{line}: {answer.headline}")
                self.new_grids.show(query=answer.query, drawn=answer)
            case DesignsAnswer():  # the layout screen, which they were for, has been left
                self._context.show_message(answer.headline)
            case FindAnswer():
                self.show_find(line, answer)
            case _ if len(lines) > 1:
                first = " ".join(lines[0].split())
                self._context.message_line.record(first if first.startswith(f"{line}: ") else f"{line}: {first}")
                self._context.host.push_screen(ReplyScreen(f": {line}", lines))
            case _ if lines:
                self._context.host.show_message(lines[0])

    def _go_to(self, squares: tuple[Position, ...]) -> None:
        """Go to the first of some squares, in their direction."""
        if squares[0] in self._session.puzzle.grid:
            is_column = len(squares) > 1 and squares[0].column == squares[1].column
            self._session.cursor.move_to(squares[0], Direction.DOWN if is_column else Direction.ACROSS)

    def show_solving(self, message: str = "") -> None:
        """Solve the puzzle as a solver would; `message` is shown first."""
        if not self._session.puzzle.grid.slots:
            self._context.show_message("there are no entries to solve yet", Severity.WARNING)
            return
        shown = "; ".join(filter(None, (self._stop_run(), message)))
        self._context.message_line.record(shown)
        self._context.host.push_screen(SolveScreen(self._session, shown))

    def _stop_run(self) -> str:
        """Stop a run that would continue unseen, keeping what it found; returns a message about it."""
        fill = self._session.jobs.fill
        if not fill.is_running:
            return ""
        fill.stop()
        run = fill.view
        if run is None or run.mode is Mode.FILL:
            return "the fill was stopped"
        return _ended_words(run)

    def show_find(self, line: str = "", answer: FindAnswer | None = None) -> None:
        """Show the results of `find`, or start typing a query; what is chosen is written."""
        query = line.partition(" ")[2].strip()
        screen = FindScreen(self._session, query=query, answer=answer)
        self._context.host.push_screen(screen, unless_left(self.run))

    def receive(self, report: Message) -> bool:
        """Show a running verb's answer, at first or if it is stale only its headline; returns False for others."""
        if not isinstance(report, AnswerReady):
            return False
        if self.new_grids.is_for_layouts(report):
            return True
        is_stale = report.revision != self._session.revision
        headline = report.answer.headline + (_STALE if is_stale else "")
        if not report.is_last:
            self._context.message_line.show_progress(headline)
            return True
        self._context.message_line.replace_progress()
        self._context.show_message(headline if is_stale else "")
        if not is_stale:
            self._show_answer(self._started_line, report.answer, printable_lines(report.answer.lines))
        return True

    # Keys of the screen that are not verbs

    def show_help(self) -> None:
        self._context.host.push_screen(HelpScreen(self._context.paint, self._context.keys))

    def show_palette(self) -> None:
        self._context.host.push_screen(CommandListPalette())

    def show_clues(self) -> None:
        self._session.commit_shown()
        drafts = self._clue_drafts.setdefault(self._session.document, {})
        self._context.host.push_screen(ClueTable(self._session, drafts))

    def change_theme(self) -> None:
        self._context.attempt(lambda: self._context.show_message(f"theme {self._context.host.next_theme()}"))

    def show_end(self, run: RunView) -> None:
        """Show several fills as soon as they are there; otherwise say what to do next."""
        shows = self._context.keys.cap_of("fills")
        # An edit has ended the run, which therefore has no line, and the edit did not undo the run.
        is_cut_short = self._session.jobs.fill.view is None and self._session.document.history.redo_label is None
        self._context.message_line.record(replaced_words(run, most=None))
        if (
            self._had_nothing_to_fill
            and run.mode is Mode.FILL
            and run.outcome is Outcome.FILLED
            and not run.changes
        ):
            self._context.past_run = run
            self._questions.show_heat()
        elif run.mode in (Mode.PARTIAL, Mode.IMPROVE, Mode.BEST) and is_cut_short:
            self._context.message_line.add(_ended_words(run))
        elif run.excluded is not None and run.offered is None and run.outcome is Outcome.FILLED:
            out, undo = run.excluded, self._context.keys.cap_of("undo")
            self._context.message_line.add(
                f"{out.word} is now banned from {out.entry}: {undo} undoes the swap and the ban"
            )
        elif run.mode is Mode.FILL and run.outcome is Outcome.CANCELLED and self._session.jobs.fill.view is None:
            back = self._context.keys.cap_of("back")
            self._context.message_line.add(
                f"the grid changed, so the search ended; {back} replays it on the old grid"
            )
        elif run.offered is not None and not self._context.is_late and self._context.screen.is_active:
            self.show_fills()
        elif run.mode.leaves_a_choice and self._session.fills.kept and self._context.is_late:
            self._context.show_message(f"{len(self._session.fills.kept)} fills to choose from: {shows} shows them")
        elif run.mode.leaves_a_choice and self._session.fills.kept and self._context.screen.is_active:
            self.show_fills()
        elif run.quality is not None and len(self._session.fills.kept) > 1:
            self._context.show_message(
                f"{len(self._session.fills.kept)} fills kept along the way: {shows} shows them"
            )
        elif run.mode is Mode.FILL and run.outcome in (Outcome.IMPOSSIBLE, Outcome.UNKNOWN):
            partial_hint = f":{PARTIAL_HINT.strip('`').replace('`', '')}"
            self._context.show_message("; ".join(filter(None, (self._undo_hint(), partial_hint))))

    def _undo_hint(self) -> str:
        """Return the key that undoes the last edit, if that left an entry without words; else empty."""
        undo = self._context.keys.cap_of("undo")
        return f"{undo} undoes what was written last" if self._has_left_no_word() else ""

    def _has_left_no_word(self) -> bool:
        before, grid = self._session.document.history.before, self._session.puzzle.grid
        lexicon = self._session.jobs.words.lexicon
        if before is None or lexicon is None or before.grid.slots != grid.slots:
            return False
        changed = changed_squares(before.grid, grid)
        entries = [entry for entry in grid.entries if not changed.isdisjoint(entry.positions)]
        patterns = [grid.pattern(entry, given_only=True) for entry in entries]
        return any("?" in one and "[" not in one and not lexicon.count(one) for one in patterns)

    def show_fills(self) -> None:
        fills = self._session.fills.kept
        if not fills:
            self._context.show_message(
                "there are no fills to choose from yet; `:fill --count 5 --diverse` finds some"
            )
            return
        allows = self._session.jobs.words.allows
        screen = FillsScreen(self._session.puzzle, fills, allows)

        def chosen(number: int) -> None:
            if number == 0:
                self.run("why")
            elif self._session.fills.kept is fills:
                self.run(f"take {number}")
            else:
                self._context.show_message("the fills to choose from have changed", Severity.WARNING)

        self._context.host.push_screen(screen, unless_left(chosen))

    def watch_search(self) -> None:
        def left(is_for_line: bool | None) -> None:
            if is_for_line:
                self._line.come_back(self._go_on_watching)
            elif self._session.jobs.fill.is_running:
                shows, stops = map(self._context.keys.cap_of, ("watch screen", "stop"))
                self._context.show_message(f"the search goes on: {shows} shows it, {stops} stops it")

        self._context.host.push_screen(WatchScreen(self._session), left)

    def _go_on_watching(self) -> None:
        """Watch again after a line typed meanwhile, unless it ended the search or opened a screen."""
        view = self._session.jobs.fill.view
        if view is not None and view.paused and self._context.screen.is_active:
            self.watch_search()

    def show_race(self) -> None:
        if self._session.jobs.race.view is None:
            self._context.show_message(NO_RACE)
        else:
            self._context.host.push_screen(RaceScreen(self._session), unless_left(self._line.ask))

    def fill_around(self) -> None:
        """Refill the current entry and its crossings, and nothing else."""
        slot = self._session.cursor.slot
        if slot is None:
            self._context.show_message("the cursor is not in an entry", Severity.WARNING)
        else:
            self.run(f"refill --around {slot.name}")

    # Accepting the filler's entries one by one

    def accept_on(self) -> None:
        """Accept the entry's pencil, and go to the next entry in pencil."""
        slot = self._session.cursor.entry
        lines: list[str] = []
        if slot is None:
            self._context.show_message("the cursor is not in an entry", Severity.WARNING)
        elif self._context.attempt(lambda: lines.extend(run_line(self._session, f"accept {slot.label}").lines)):
            following = self._session.fills.pencilled_after(slot)
            if following is not None:
                self._context.attempt(lambda: self._session.cursor.move_to(following.start, following.direction))
            self._context.show_message(
                lines[0] + ("" if following is not None else "; no other entry is in pencil")
            )


def _ended_words(run: RunView) -> str:
    """Return that a run was ended by another action, and its result."""
    return f"{run.mode.value} ended: {ending_words(run)}"

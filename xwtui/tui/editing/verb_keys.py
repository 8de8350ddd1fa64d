"""What verbs' keys do: a verb is run, asked for its words, or a screen is shown that serves it here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from xwtui.engine.events.event import Outcome
from xwtui.errors import XwtuiError
from xwtui.model import Direction, Position
from xwtui.session.fill_options import Mode
from xwtui.session.found_words import FindAnswer
from xwtui.session.jobs.fills.kept_fills import KeptFill
from xwtui.session.jobs.race_job import NO_RACE
from xwtui.session.layout_answers import DesignsAnswer, LayoutsAnswer, TemplatesAnswer
from xwtui.session.messages import AnswerReady, Message, Severity
from xwtui.session.run_view import RunView
from xwtui.session.snapshots import ComparisonAnswer
from xwtui.session.verbs.parsing import find_verb_of
from xwtui.session.verbs.registry import VERBS, run_line
from xwtui.session.verbs.verb import Reply
from xwtui.session.wording import PARTIAL_HINT, ending_words, replaced_words
from xwtui.text import in_quotes, printable_lines
from xwtui.tui.editing.command_line import CommandLine, NameQuestion
from xwtui.tui.editing.context import EditorContext
from xwtui.tui.entry_rows import is_locked
from xwtui.tui.screens.findings import Questions
from xwtui.tui.screens.overlays import ReplyScreen

if TYPE_CHECKING:
    from textual.screen import Screen

    from xwtui.session.answers import VerbAnswer
    from xwtui.session.document import Document
    from xwtui.tui.screens.clue_table import ClueDrafts
    from xwtui.tui.screens.designing import DesignChoice
    from xwtui.tui.screens.templates import TemplateChoice


class NewGrids:
    """Shows grids with pictures, and begins on the one that is chosen; each screen is loaded when it is shown."""

    def __init__(self, context: EditorContext, run: Callable[[str], object]) -> None:
        """Take what does a line of a verb, and shows what it answers, as `run`."""
        self._context = context
        self._session = context.session
        self._run = run
        self._room: Screen[DesignChoice | None] | None = None
        """The design room that was shown last."""

    @property
    def shows_designs(self) -> bool:
        """Whether the design room is shown, which hears for itself."""
        return self._room is not None and self._room.is_current

    def show_templates(self, answer: TemplatesAnswer) -> None:
        """Show what was found with pictures; the one that is chosen is begun as `new` does."""
        self._show_templates(lambda choice: self._run(f"new {choice.name}"), query=answer.wanted.query)

    def show_layouts(self, answer: LayoutsAnswer) -> None:
        """Show layouts with pictures; the one that is chosen is begun on, and others may be kept."""

        def keep(number: str) -> str:
            try:
                return "; ".join(run_line(self._session, f"layouts keep {number}").lines)
            except XwtuiError as error:
                return str(error)

        def begin(choice: TemplateChoice) -> None:
            self._run(f"layouts take {choice.name}")

        self._show_templates(begin, drawn=answer.templates, keep=keep)

    def show_theme(self) -> None:
        """Ask for theme answers, and begin on the template that is chosen for them."""

        def begin(choice: TemplateChoice) -> None:
            self._context.attempt(lambda: self._context.host.begin(choice.puzzle))

        self._show_templates(begin, is_theme=True, alphabet=self._session.puzzle.alphabet)

    def _show_templates(self, begin: Callable[[TemplateChoice], object], **options: Any) -> None:
        from xwtui.tui.screens.templates import TemplateScreen  # noqa: PLC0415

        def chosen(choice: TemplateChoice | None) -> None:
            if choice is not None:
                begin(choice)

        self._context.host.push_screen(TemplateScreen(self._context.paint, **options), chosen)

    def show_designs(self, line: str = "") -> None:
        """Show the design room, with the theme of a line of `design` that has been begun, else the last one."""
        from xwtui.session.theme_list import ThemeList  # noqa: PLC0415
        from xwtui.session.verbs.designs import begin_on_design  # noqa: PLC0415
        from xwtui.tui.screens.designing import DesignScreen  # noqa: PLC0415

        host = self._context.host

        def keep(theme: ThemeList) -> None:
            host.theme_list = theme

        def begin(choice: DesignChoice | None) -> None:
            if choice is not None:
                answer, design = choice.answer, choice.design
                self._context.attempt(lambda: begin_on_design(self._session, answer, design, ghosts=True))

        theme = ThemeList.of_line(line, self._session.puzzle.alphabet) if line else host.theme_list or ThemeList()
        keep(theme)
        self._room = DesignScreen(self._session, self._context.paint, theme, keep, is_begun=bool(line))
        host.push_screen(self._room, begin)


_UNTITLED = "untitled"
_STALE = " (as asked before the last edit)"


class VerbKeys:
    """Runs verbs and shows what they answer; screens that the first frame does not need are loaded when shown."""

    def __init__(self, context: EditorContext, line: CommandLine, questions: Questions) -> None:
        self._context = context
        self._session = context.session
        self._line = line
        self._questions = questions
        self._clue_drafts: WeakKeyDictionary[Document, ClueDrafts] = WeakKeyDictionary()
        self.new_grids = NewGrids(context, self.run)
        self._begun = ""
        """The last line that has begun something."""
        self._shown_by: dict[str, Callable[[], None]] = {
            "help": self.show_help,
            "quit": context.host.ask_to_quit,
            "tab close": context.host.ask_to_close,
            "fills": self.show_fills,
            "findings": questions.show_findings,
            "race show": self.show_race,
            "theme answers": self.new_grids.show_theme,
            "design": self.new_grids.show_designs,
            "designs": self.new_grids.show_designs,
            "find": self.show_find,
            "solve": self.show_solving,
        }
        """What shows the screen of a verb, if its key is pressed or its name is typed and no more."""
        self._by_key: dict[str, Callable[[], None]] = {
            "rebus": line.ask_rebus,
            "heat": questions.toggle_heat,
            "why": questions.ask_why,
            "tint": self._tint,
            "save": self._save,
            "export": self._export,
            "lock": self._lock,
            **{name: partial(self._rate, name) for name in ("raise", "lower", "never")},
            **{name: partial(self._fill, name) for name in ("fill", "refill")},
        }
        """What keys of verbs do otherwise than their names when these are typed."""
        self._begun_by: dict[str, Callable[[str], None]] = {
            "race": lambda _: self.show_race(),
            "design": self.new_grids.show_designs,
            "watch": lambda _: context.host.show_replay(),
        }
        """What shows the work that a line of a verb has begun."""

    def press(self, name: str) -> None:
        """Do what a verb's key says: what its name alone shows or does here, else ask for its words, or run it."""
        pressed = self._by_key.get(name) or self._shown_by.get(name)
        if pressed is not None:
            pressed()
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
        self._line.ask("export ", proposal=in_quotes(f"{self._file_name()}.puz"))

    def _rate(self, name: str) -> None:
        """Rate the candidate that the keyboard is at, or else the entry's answer."""
        candidates = self._context.desk.candidates
        word = candidates.chosen_word if candidates.has_focus else None
        self.run(name if word is None else f"{name} {word}")

    def _lock(self) -> None:
        slot = self._session.cursor.entry
        self.run("unlock" if slot is not None and is_locked(self._session.puzzle.grid, slot) else "lock")

    def _file_name(self) -> str:
        """A name for a file of this puzzle: its own, or its title in plain letters."""
        path = self._session.document.path
        if path is not None:
            return path.stem if self._session.document.needs_name else str(path.with_suffix(""))
        words = "".join(c if c.isalnum() and c.isascii() else " " for c in self._session.puzzle.title).split()
        return "-".join(words).lower() or _UNTITLED

    def _free_name(self) -> str:
        """A name for the puzzle's own file that no other file has."""
        stem, number = self._file_name(), 1
        name = f"{stem}.ipuz"
        while Path(name).exists():
            number += 1
            name = f"{stem}-{number}.ipuz"
        return name

    def ask_name(self, question: NameQuestion) -> None:
        """Ask for the name of a file for this puzzle."""
        self._line.ask_name(question, self._free_name())

    def run(self, line: str) -> bool:
        """Run a line of the command line, and show what it answers; a refusal is said, and False returned."""
        self._context.say("")
        if line in self._shown_by:
            self._shown_by[line]()
            return True
        settings = self._session.settings
        try:
            reply = run_line(self._session, line)
        except XwtuiError as error:
            self._context.say(str(error), Severity.ERROR)
            return False
        if self._session.settings != settings:
            self._context.attempt(lambda: self._context.host.keep(self._session.settings))
        if not reply.started and self._context.pass_run():
            self._questions.draw()
        self._show_reply(line, reply)
        if reply.started and (show := self._begun_by.get(find_verb_of(line.split()).name)):
            show(line)
        return True

    def _show_reply(self, line: str, reply: Reply) -> None:
        answer = reply.answer() if reply.answer is not None and not reply.started else None
        if reply.quit:
            self._context.host.exit(0, message="\n".join(reply.lines) or None)
        elif reply.solves:
            self.show_solving("; ".join(reply.lines))
        elif reply.shows_grid or reply.transcript is not None or reply.ends_transcript:
            self._context.say("that is for `xwtui repl`, which works line by line")
        else:
            self._show_answer(line, answer, reply.lines)
        if reply.opened:
            self._context.host.offer_left()
        if reply.started:
            self._begun = line
            self._context.sayings.begin_progress()

    def _show_answer(self, line: str, answer: VerbAnswer | None, lines: Sequence[str]) -> None:
        """Show what a line has found: on the screen that is made for it, else in words."""
        match answer:
            case ComparisonAnswer() if not answer.differences.is_none:
                self._show_differences(answer)
            case TemplatesAnswer():
                self.new_grids.show_templates(answer)
            case LayoutsAnswer() if answer.grids:
                self._context.sayings.keep(f"{line}: {answer.headline}")
                self.new_grids.show_layouts(answer)
            case DesignsAnswer():  # whoever hears of them here has left their room
                self._context.say(answer.headline)
            case FindAnswer():
                self.show_find(line, answer)
            case _:
                self._show_lines(line, lines)

    def _show_lines(self, title: str, lines: Sequence[str]) -> None:
        if len(lines) > 1:
            self._context.sayings.keep(f"{title}: {lines[0]}")
            self._context.host.push_screen(ReplyScreen(title, lines))
        elif lines:
            self._context.host.say(lines[0])

    def _show_differences(self, answer: ComparisonAnswer) -> None:
        from xwtui.tui.screens.differences import DifferencesScreen  # noqa: PLC0415

        self._context.host.push_screen(DifferencesScreen(answer, self._context.paint), self._go_to)

    def _go_to(self, squares: tuple[Position, ...] | None) -> None:
        """Stand on the first of some squares, along them."""
        if squares and squares[0] in self._session.puzzle.grid:
            is_column = len(squares) > 1 and squares[0].column == squares[1].column
            self._session.cursor.move_to(squares[0], Direction.DOWN if is_column else Direction.ACROSS)

    def show_solving(self, said: str = "") -> None:
        """Solve the puzzle as a solver will; `said` is what is to be said first."""
        from xwtui.tui.screens.solving import SolveScreen  # noqa: PLC0415

        if not self._session.puzzle.grid.slots:
            self._context.say("there are no entries to solve yet", Severity.WARNING)
            return
        told = "; ".join(filter(None, (self._stop_run(), said)))
        self._context.host.push_screen(SolveScreen(self._session, self._context.paint, told))

    def _stop_run(self) -> str:
        """Stop a run that would go on unseen, with what it has found; returns what is to be said of it."""
        fill = self._session.jobs.fill
        if not fill.is_running:
            return ""
        fill.stop()
        run = fill.view
        if run is None or run.mode is Mode.FILL:
            return "the fill was stopped"
        return _ended_words(run)

    def show_find(self, line: str = "", answer: FindAnswer | None = None) -> None:
        """Show what `find` has brought, or begin to type what is to be found; what is chosen is written."""
        from xwtui.tui.screens.finding import FindChoice, FindScreen  # noqa: PLC0415

        def chosen(choice: FindChoice | None) -> None:
            slot = self._session.cursor.slot
            if choice is None or (choice.answer and slot is None):
                return
            if choice.answer and slot is not None:
                self.run(f"set {slot.name} {choice.answer}")
            else:
                self.run(choice.line)

        query = line.partition(" ")[2].strip()
        palette = self._context.paint
        self._context.host.push_screen(FindScreen(self._session, palette, query=query, answer=answer), chosen)

    def hears(self, report: Message) -> bool:
        """Show what a verb that works on has found, its headline at first; returns False for other reports.

        Once the puzzle is another one than it was about, no more than its headline, and that it is so.
        """
        if not isinstance(report, AnswerReady):
            return False
        if self.new_grids.shows_designs:
            return True
        is_stale = report.revision != self._session.revision
        headline = report.answer.headline + (_STALE if is_stale else "")
        if not report.is_last:
            self._context.sayings.say_progress(headline, self._context.paint)
            return True
        self._context.sayings.replace_progress()
        self._context.say(headline if is_stale else "")
        if not is_stale:
            self._show_answer(self._begun, report.answer, printable_lines(report.answer.lines))
        return True

    # Keys of the screen that are no verbs

    def show_help(self) -> None:
        from xwtui.tui.screens.help import HelpScreen  # noqa: PLC0415

        self._context.host.push_screen(HelpScreen(self._context.paint, self._context.keys))

    def show_palette(self) -> None:
        from xwtui.tui.screens.palette import everything  # noqa: PLC0415

        self._context.host.push_screen(everything())

    def show_clues(self) -> None:
        from xwtui.tui.screens.clue_table import ClueTable  # noqa: PLC0415

        drafts = self._clue_drafts.setdefault(self._session.document, {})
        self._context.host.push_screen(ClueTable(self._session, self._context.paint, drafts))

    def _tint(self) -> None:
        self.run(f"tint {'off' if self._session.settings.tint else 'on'}")

    def change_theme(self) -> None:
        self._context.attempt(lambda: self._context.say(f"theme {self._context.host.next_theme()}"))

    def hear_end(self, run: RunView) -> None:
        """Show several fills as soon as they are there; otherwise say what could be done next."""
        shows = self._context.keys.cap_of("fills")
        self._context.sayings.keep(replaced_words(run, most=None))
        if run.mode in (Mode.IMPROVE, Mode.BEST) and self._is_cut_short:
            self._context.add(_ended_words(run))
        elif run.offered is not None and not self._context.is_late and self._context.screen.is_active:
            self.show_fills()
        elif run.mode.leaves_a_choice and self._session.fills.kept and self._context.is_late:
            self._context.say(f"{len(self._session.fills.kept)} fills to choose from: {shows} shows them")
        elif run.mode.leaves_a_choice and self._session.fills.kept and self._context.screen.is_active:
            self.show_fills()
        elif run.quality is not None and len(self._session.fills.kept) > 1:
            self._context.say(f"{len(self._session.fills.kept)} fills kept on the way: {shows} shows them")
        elif run.mode is Mode.FILL and run.outcome in (Outcome.IMPOSSIBLE, Outcome.UNKNOWN):
            self._context.say(f":{PARTIAL_HINT.strip('`').replace('`', '')}")

    @property
    def _is_cut_short(self) -> bool:
        """Whether an edit has ended the run that was told of last, which has no line now, and not undone it."""
        return self._session.jobs.fill.view is None and self._session.document.history.redo_label is None

    def show_fills(self) -> None:
        """Show the fills to choose from, side by side."""
        from xwtui.tui.screens.fills import FillsScreen  # noqa: PLC0415

        fills = self._session.fills.kept
        if not fills:
            self._context.say("there are no fills to choose from yet; `:fill --count 5 --diverse` finds some")
            return
        allows = self._session.jobs.words.allows
        screen = FillsScreen(self._session.puzzle, fills, allows, self._context.paint)
        self._context.host.push_screen(screen, lambda number: self._take(fills, number))

    def _take(self, fills: Sequence[KeptFill], number: int | None) -> None:
        if number is None:
            return
        if number == 0:
            self.run("why")
        elif self._session.fills.kept is fills:
            self.run(f"take {number}")
        else:
            self._context.say("the fills to choose from are others by now", Severity.WARNING)

    def watch_search(self) -> None:
        from xwtui.tui.screens.watching import WatchScreen  # noqa: PLC0415

        self._context.host.push_screen(WatchScreen(self._session, self._context.paint))

    def show_race(self) -> None:
        """Show the race that goes on, or the last one."""
        from xwtui.tui.screens.racing import RaceScreen  # noqa: PLC0415

        if self._session.jobs.race.view is None:
            self._context.say(NO_RACE)
        else:
            self._context.host.push_screen(RaceScreen(self._session, self._context.paint), self._race_left)

    def _race_left(self, line: str | None) -> None:
        if line is not None:
            self._line.ask(line)

    def fill_around(self) -> None:
        """Fill the current entry and its crossings anew, and nothing else."""
        slot = self._session.cursor.slot
        if slot is None:
            self._context.say("the cursor stands in no entry", Severity.WARNING)
        else:
            self.run(f"refill --around {slot.name}")

    # The filler's entries, one by one

    def accept_on(self) -> None:
        """Accept the entry's pencil, and go to the next in pencil."""
        slot = self._session.cursor.entry
        said: list[str] = []
        if slot is None:
            self._context.say("the cursor stands in no entry", Severity.WARNING)
        elif self._context.attempt(lambda: said.extend(run_line(self._session, f"accept {slot.label}").lines)):
            following = self._session.fills.pencilled_after(slot)
            if following is not None:
                self._context.attempt(lambda: self._session.cursor.move_to(following.start, following.direction))
            self._context.say(said[0] + ("" if following is not None else "; no other entry is in pencil"))


def _ended_words(run: RunView) -> str:
    """That a run was ended by something else, and what it came to."""
    return f"{run.mode.value} ended: {ending_words(run)}"

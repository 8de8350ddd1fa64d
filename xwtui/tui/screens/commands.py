"""What verbs' keys and the command line do."""

from collections.abc import Sequence

from textual import on

from xwtui.engine.events.event import Outcome
from xwtui.errors import PuzzleError, XwtuiError
from xwtui.model.square import LONGEST_REBUS, Content
from xwtui.session.fill_options import Mode
from xwtui.session.jobs.fills.kept_fills import KeptFill
from xwtui.session.jobs.race_job import NO_RACE
from xwtui.session.messages import Severity
from xwtui.session.run_view import RunView
from xwtui.session.verbs.completion import complete
from xwtui.session.verbs.registry import VERBS, run_line
from xwtui.session.verbs.verb import Reply
from xwtui.session.wording import PARTIAL_HINT
from xwtui.tui.entry_rows import is_locked
from xwtui.tui.screens.clue_table import ClueTable
from xwtui.tui.screens.entry_walk import EntryWalk
from xwtui.tui.screens.fills import FillsScreen
from xwtui.tui.screens.help import HelpScreen
from xwtui.tui.screens.inquiring import Inquiring
from xwtui.tui.screens.racing import RaceScreen
from xwtui.tui.screens.reply import ReplyScreen
from xwtui.tui.screens.watching import WatchScreen
from xwtui.tui.widgets.completions import CompletionList, Offer
from xwtui.tui.widgets.prompt import Prompt

_VERB, _REBUS = "verb", "rebus"
_UNTITLED = "untitled"
_DROPS_WORK = "save first, or undo: opening another puzzle would drop unsaved changes"


class Commands(EntryWalk, Inquiring):
    """The part of the editor that runs verbs and asks for lines."""

    @property
    def _prompt(self) -> Prompt:
        return self.query_one("#prompt", Prompt)

    @property
    def _completions(self) -> CompletionList:
        return self.query_one("#completions", CompletionList)

    # Verbs

    def action_verb(self, name: str) -> None:
        """Do what a verb's key says: run it, ask for its words, or show the screen that serves it here."""
        screens = {
            "help": self.action_help,
            "quit": self.host.ask_to_quit,
            "open": self.open,
            "rebus": self.action_rebus,
            "reject": self.action_reject_on,
            "fills": self.show_fills,
            "findings": self.show_findings,
            "heat": self.action_toggle_heat,
            "why": self.action_why,
            "race show": self.show_race,
        }
        if name in screens:
            screens[name]()
        elif name == "save" and self.session.document.path is None:
            self.ask(f"save {self._file_name()}.ipuz")
        elif name == "export":
            self.ask(f"export {self._file_name()}.puz")
        elif VERBS[name].asks:
            self.ask(f"{name} ")
        elif name == "fill" and self.session.selection.squares:
            self.run_verb("fill --only selection")
        else:
            self.run_verb("unlock" if name == "lock" and self._is_entry_locked() else name)

    def _is_entry_locked(self) -> bool:
        slot = self.session.cursor.slot
        return slot is not None and is_locked(self.session.puzzle.grid, slot)

    def _file_name(self) -> str:
        """A name for a file of this puzzle: its own, or its title in plain letters."""
        path = self.session.document.path
        if path is not None:
            return str(path.with_suffix(""))
        words = "".join(c if c.isalnum() and c.isascii() else " " for c in self.session.puzzle.title).split()
        return "-".join(words).lower() or _UNTITLED

    def run_verb(self, line: str) -> None:
        """Run a line of the command line, and show what it answers."""
        self.say("")
        if line in ("help", "quit", "fills", "findings", "race show"):
            self.action_verb(line)
            return
        try:
            reply = run_line(self.session, line)
        except XwtuiError as error:
            self.say(str(error), Severity.ERROR)
        else:
            self._show_reply(line, reply)
            if reply.started and line.split(maxsplit=1)[0] == "race":
                self.show_race()

    def _show_reply(self, line: str, reply: Reply) -> None:
        if reply.quit:
            self.host.exit(0)
        elif len(reply.lines) > 1:
            self.host.push_screen(ReplyScreen(line, reply.lines))
        elif reply.lines:
            self.say(reply.lines[0])

    # Keys of the screen that are no verbs

    def action_help(self) -> None:
        """Show the help."""
        self.host.push_screen(HelpScreen(self.host.look.palette))

    def action_clues(self) -> None:
        """Show the clue table."""
        self.host.push_screen(ClueTable(self.session, self.host.look.palette))

    def action_theme(self) -> None:
        """Change to the next theme."""
        self.attempt(lambda: self.say(f"theme {self.host.next_theme()}"))

    def action_until_backtrack(self) -> None:
        """Take the search on to its next backtrack."""
        self.run_verb("until backtrack")

    def hear_end(self, run: RunView) -> None:
        """Show several fills as soon as they are there; otherwise say what could be done next."""
        if run.mode.leaves_a_choice and self.session.fills.kept and self.is_current:
            self.show_fills()
        elif run.quality is not None and len(self.session.fills.kept) > 1:
            self.say(f"{len(self.session.fills.kept)} fills kept on the way: Ctrl+F shows them")
        elif run.mode is Mode.FILL and run.outcome in (Outcome.IMPOSSIBLE, Outcome.UNKNOWN):
            self.say(f":{PARTIAL_HINT.strip('`').replace('`', '')}")

    def show_fills(self) -> None:
        """Show the fills to choose from, side by side."""
        fills = self.session.fills.kept
        if not fills:
            self.say("there are no fills to choose from yet; `:fill --count 5 --diverse` finds some")
            return
        screen = FillsScreen(self.session.puzzle, fills, self.host.look.palette)
        self.host.push_screen(screen, lambda number: self._take(fills, number))

    def _take(self, fills: Sequence[KeptFill], number: int | None) -> None:
        if number is None:
            return
        if self.session.fills.kept is fills:
            self.run_verb(f"take {number}")
        else:
            self.say("the fills to choose from are others by now", Severity.WARNING)

    def action_watch_search(self) -> None:
        """Show the search event by event."""
        self.host.push_screen(WatchScreen(self.session, self.host.look.palette))

    def show_race(self) -> None:
        """Show the race that goes on, or the last one."""
        if self.session.jobs.race.view is None:
            self.say(NO_RACE)
        else:
            self.host.push_screen(RaceScreen(self.session, self.host.look.palette), self._race_left)

    def _race_left(self, line: str | None) -> None:
        if line is not None:
            self.ask(line)

    def action_fill_around(self) -> None:
        """Fill the current entry and its crossings alone."""
        slot = self.session.cursor.slot
        if slot is None:
            self.say("the cursor stands in no entry", Severity.WARNING)
        else:
            self.run_verb(f"fill --around {slot.name}")

    def open(self) -> None:
        """Offer other puzzles; what is unsaved would be dropped, so that must be said first."""
        if self.session.document.is_modified:
            self.say(_DROPS_WORK, Severity.WARNING)
        else:
            self.host.offer_start()

    # The prompt

    def ask(self, line: str = "") -> None:
        """Open the command line with some words on it."""
        self.say("")
        self.add_class("-asking")
        self._prompt.ask(_VERB, " :", line, suggests=True)

    def action_command(self) -> None:
        """Open the command line."""
        self.ask()

    def action_rebus(self, lets_go: bool = False) -> None:
        """Ask for the content of the current square; a key that `lets_go` of a selection does that first."""
        if lets_go and self.marking.let_go():
            self.say("nothing is selected any more")
            return
        at = self.session.cursor.position
        square = self.session.puzzle.grid[at]
        if not square.is_open:
            self.say(f"{at} is a {square.kind.value}; only open squares take a rebus", Severity.WARNING)
            return
        self.say("")
        standing = (
            str(square.content).strip("[]") if square.content is not None and square.content.is_rebus else ""
        )
        self._ask_rebus(f"rebus at {at}", standing)

    def _ask_rebus(self, label: str, text: str) -> None:
        self.add_class("-asking")
        self._prompt.ask(_REBUS, f" {label}: ", text)

    @on(Prompt.Done)
    def _prompt_done(self, event: Prompt.Done) -> None:
        self._close_prompt()
        if event.mode == _REBUS:
            if event.text and not _is_content(event.text):
                self._ask_rebus(f"up to {LONGEST_REBUS} letters or digits, or ACROSS/DOWN", event.text)
                return
            self.attempt(lambda: self.hand.write(event.text) if event.text else self.hand.erase())
        elif event.text:
            self.run_verb(event.text)

    @on(Prompt.Cancelled)
    def _close_prompt(self) -> None:
        self.remove_class("-asking")
        self._completions.offer(())
        self.set_focus(self.desk.grid)

    @on(Prompt.Changed)
    def _prompt_changed(self, event: Prompt.Changed) -> None:
        walked = self._completions.taken
        if event.mode == _VERB and (walked is None or walked.line != event.text):
            self._completions.offer(self._offers(event.text))

    @on(Prompt.CompletionWanted)
    def _completion_wanted(self, event: Prompt.CompletionWanted) -> None:
        offer = self._completions.walk(event.step) if event.mode == _VERB else None
        if offer is not None:
            self._prompt.put(offer.line)

    def suggestion(self, line: str) -> str | None:
        """The line completed by the first offer, shown dim behind the cursor."""
        if not line.strip():
            return None
        first = next(iter(self._offers(line)), None)
        return first.line if first is not None and first.line.startswith(line) else None

    def _offers(self, line: str) -> list[Offer]:
        found = complete(self.session, line) if line.strip() else ()
        return [Offer(line[: one.start] + one.text, one.text, one.description) for one in found]


def _is_content(text: str) -> bool:
    """Whether a square can hold a text that was typed."""
    try:
        Content.parse(text)
    except PuzzleError:
        return False
    return True

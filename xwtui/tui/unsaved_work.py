"""Questions about unsaved work, and about puzzles open elsewhere: one for a single puzzle, or a list."""

from collections.abc import Callable, Sequence
from functools import partial

from xwtui.errors import XwtuiError
from xwtui.model import Puzzle
from xwtui.session.messages import Severity
from xwtui.session.open_puzzles import OpenPuzzles, Tab, has_unsaved, leave_for_later
from xwtui.session.recovery import (
    BRINGS_BACK,
    WAY_BACK,
    Recovery,
    content_words,
    copy_of_discarded,
    distinctive_pattern,
)
from xwtui.session.session import Session
from xwtui.text import printable
from xwtui.tui.editing.command_line import NameQuestion
from xwtui.tui.editing.context import Host
from xwtui.tui.editors import Editors
from xwtui.tui.screens.overlays import Case, ChoiceScreen, DecisionScreen, ShortAnswer

_LONGEST_TEXT = 60
_LONGEST_PATH = 500

_SAVE, _DISCARD, _CANCEL = "save", "discard", "cancel"
_TAKE, _LATER = "take", "later"
_COPY, _OPEN, _LEAVE, _QUIT = "copy", "open", "leave", "quit"
_DISCARDED = ShortAnswer(f"discard ({WAY_BACK})", _DISCARD)
_DISCARDED_IN_LIST = ShortAnswer("discard", _DISCARD)
"""In a list, where the question explains the way back, so that the names have the room."""
_LEFT, _LEFT_IN_LIST = ShortAnswer("later: the next start offers it again", _LATER), ShortAnswer("later", _LATER)
_COMES_BACK = "The command `discarded` brings back what you discard, without its undo steps."


def _distinct_names(recoveries: Sequence[Recovery]) -> list[str]:
    """Return distinct names for a list: with the folder if names are equal, with the time if folders are too."""
    names = [one.row_name for one in recoveries]
    folders = [
        f"{one.source.parent.name}/{one.row_name}" if one.source is not None else one.row_name
        for one in recoveries
    ]
    distinct: list[str] = []
    for one, name, folder in zip(recoveries, names, folders, strict=True):
        apart = folder if folders.count(folder) == 1 else f"{one.at:%H:%M:%S} {name}"
        distinct.append(name if names.count(name) == 1 else apart)
    return distinct


class UnsavedWork:
    """Asks the questions and carries out the answers. Esc changes nothing; no default answer loses anything."""

    def __init__(self, program: Host, puzzles: OpenPuzzles, editors: Editors) -> None:
        self._program = program
        self._puzzles = puzzles
        self._editors = editors

    def _ask(self, question: str, answers: Sequence[ShortAnswer], chosen: Callable[[str | None], None]) -> None:
        self._program.push_screen(ChoiceScreen(question, answers), chosen)

    def _ask_each(
        self,
        question: str,
        cases: Sequence[Case],
        effects: dict[str, str],
        decided: Callable[[tuple[str, ...] | None], None],
        end: str = "",
    ) -> None:
        """Ask about each case in a list; a single case gets its own question.

        `effects` has the effect of each answer, `end` what happens after them. `decided` receives the answers, or
        None.
        """
        if len(cases) == 1:
            (case,) = cases
            self._ask(case.about, case.answers, lambda name: decided(None if name is None else (name,)))
        else:
            describe = partial(_summary, effects=effects, end=end)
            self._program.push_screen(DecisionScreen(question, cases, describe), decided)

    # At the start

    def ask_at_start(self, held: Sequence[Session], recoveries: Sequence[Recovery]) -> None:
        """Ask about puzzles open in another process, and about work left behind; then show the editor."""
        then = partial(self._offer_recovery, recoveries, self._program.add_problem, self._program.show_editor)
        if held:
            self._ask_about_others(held, then)
        else:
            then()

    def _ask_about_others(self, held: Sequence[Session], then: Callable[[], None]) -> None:
        is_alone = len(held) == 1
        warns = " it anyway: whoever saves last is asked before writing" if is_alone else " anyway"
        answers = [
            ShortAnswer("open a copy, which has no file", _COPY),
            ShortAnswer(f"open{warns}", _OPEN),
            ShortAnswer("quit", _QUIT) if is_alone else ShortAnswer("do not open", _LEAVE),
        ]

        def decided(names: tuple[str, ...] | None) -> None:
            if names is None or _QUIT in names:
                self._program.exit(0)
                return
            for session, name in zip(held, names, strict=True):
                if name == _COPY or (name == _LEAVE and len(self._puzzles.sessions) == 1):
                    session.new(session.puzzle if name == _COPY else Puzzle.blank(*_size(session)))
                elif name == _LEAVE:
                    self._puzzles.bring_to_front(session)
                    self._puzzles.close(force=True)
            self._puzzles.bring_to_front(self._puzzles.sessions[0])
            then()

        effects = {_COPY: "opens {} as copies", _OPEN: "opens {} anyway", _LEAVE: "leaves {}"}
        stop = "." if is_alone else ""
        cases = [Case(one.document.name, f"{one.document.in_use_words}{stop}", answers) for one in held]
        are_open = f"{len(held)} of these puzzles are open in another xwtui."
        question = f"{are_open} Whoever saves last is asked before overwriting."
        self._ask_each(question, cases, effects, decided, "  Esc: quit")

    def ask_about_opened(self) -> None:
        """Ask about work left behind on the file of the puzzle in front, which was just opened."""
        session = self._puzzles.current
        recoveries = session.recoveries([session.document.path]) if session.document.path is not None else ()

        def finish(is_begun: bool) -> None:
            if is_begun:
                self._editors.show_message(f"continuing with the unsaved work on {session.document.name}")

        self._offer_recovery(recoveries, self._editors.show_message, finish)

    def _offer_recovery(
        self, recoveries: Sequence[Recovery], show: Callable[[str], None], then: Callable[[bool], None]
    ) -> None:
        """Offer the work of dead processes, each in its own tab; `then` receives whether any is continued."""
        answers = [
            ShortAnswer("go on with it", _TAKE),
            ShortAnswer("later: it will be offered again", _LATER),
            _DISCARDED if len(recoveries) == 1 else _DISCARDED_IN_LIST,
        ]

        def decided(names: tuple[str, ...] | None) -> None:
            answered = names or (_LATER,) * len(recoveries)
            pairs = zip(recoveries, answered, strict=True)
            taken = [self._recover(*pair, show) for pair in reversed([*pairs])]  # the newest ends up in front
            then(any(taken))

        if not recoveries:
            then(False)
            return
        effects = {_TAKE: "continues with {}", _LATER: "leaves {} for later", _DISCARD: "discards {}"}
        about = "There is {}." if len(recoveries) == 1 else "{}"
        names = zip(_distinct_names(recoveries), recoveries, strict=True)
        cases = [Case(name, about.format(one.describe()), answers) for name, one in names]
        question = f"There is unsaved work on {len(recoveries)} puzzles. {_COMES_BACK}"
        self._ask_each(question, cases, effects, decided)

    def _recover(self, recovery: Recovery, answer: str, show: Callable[[str], None]) -> bool:
        """Carry out an answer; returns whether the work is continued."""
        try:
            if answer == _DISCARD:
                recovery.discard()
                show(f"discarded; {BRINGS_BACK}")
            elif answer == _TAKE:
                self._puzzles.recover(recovery)
                return True
        except XwtuiError as error:
            show(str(error))
        return False

    # At the end

    def ask_to_quit_without(self, text: str) -> None:
        """Ask whether to quit although typed text was not entered; then as `ask_to_quit`."""
        answers = [ShortAnswer("go on writing", _CANCEL), ShortAnswer("quit without it", _DISCARD)]

        question = f"“{printable(text, _LONGEST_TEXT)}” is typed and not entered yet."
        self._ask(question, answers, lambda name: self.ask_to_quit() if name == _DISCARD else None)

    def ask_to_quit(self) -> None:
        unsaved = self._puzzles.unsaved
        if not unsaved:
            self._program.exit(0)
            return

        def decided(names: tuple[str, ...] | None) -> None:
            if names is not None and _CANCEL not in names:
                self._end_with(dict(zip(unsaved, names, strict=True)))

        is_alone = len(unsaved) == 1
        if is_alone:
            self._puzzles.bring_to_front(unsaved[0])
        tabs = dict(zip(self._puzzles.sessions, self._puzzles.tabs, strict=True))
        cases = [
            Case(
                _tab_words(tabs[one], one),
                _unsaved_words(one) if is_alone else _about(one),
                _answers(one, "quit", _LEFT)
                if is_alone
                else [ShortAnswer(f"save{_asking(one)}", _SAVE), _LEFT_IN_LIST, _DISCARDED_IN_LIST],
            )
            for one in unsaved
        ]
        effects = {_SAVE: "saves {}", _LATER: "leaves {} for later", _DISCARD: "discards {}"}
        later = "What is left for later is offered at the next start."
        question = f"{len(unsaved)} puzzles have unsaved changes. {later} {_COMES_BACK}"
        self._ask_each(question, cases, effects, decided, "and quits")

    def _end_with(self, answers: dict[Session, str], named: int = 0) -> None:
        """Save what has a file, ask names for the rest, and discard last; any failure keeps the program running.

        `named` is how many have been named so far.
        """
        wanted = [one for one, answer in answers.items() if answer == _SAVE and one.document.is_modified]
        for session in (one for one in wanted if not one.document.needs_name):
            try:
                session.save()
            except XwtuiError as error:
                self._puzzles.bring_to_front(session)
                self._editors.show_message(str(error), Severity.ERROR)
                return
        unnamed = [session for session in wanted if session.document.needs_name]
        if unnamed:
            self._puzzles.bring_to_front(unnamed[0])
            number, last = named + 1, named + len(unnamed)
            place = f"({number} of {last})" if last > 1 else ""
            self._ask_for_name(partial(self._end_with, answers, number), place)
        else:
            self._end(answers)

    def _end(self, answers: dict[Session, str]) -> None:
        """Leave unsaved work for later or discard it, with a copy of each discarded puzzle, and quit."""
        given_up = [session for session, answer in answers.items() if answer == _DISCARD]
        try:
            notes = [leave_for_later(session) for session, answer in answers.items() if answer == _LATER]
            copies = [copy_of_discarded(session.document) for session in given_up]
        except XwtuiError as error:
            self._editors.show_message(str(error), Severity.ERROR)
            return
        for session in given_up:
            session.discard_changes()
        notes += [f"discarded; {BRINGS_BACK}: {printable(str(copy), _LONGEST_PATH)}" for copy in copies]
        self._program.exit(0, message="\n".join(notes) or None)

    def ask_to_close(self) -> None:
        session = self._puzzles.current
        if len(self._puzzles.sessions) == 1 or not has_unsaved(session):
            self._close()
            return

        def chosen(name: str | None) -> None:
            if name == _DISCARD:
                self._close(force=True)
            elif name == _SAVE and session.document.needs_name:
                self._ask_for_name(self._close)
            elif name == _SAVE and self._attempt(session.save):
                self._close()

        self._ask(_unsaved_words(session), _answers(session, "close"), chosen)

    def _close(self, *, force: bool = False) -> None:
        notes = [f"closed {self._puzzles.current.document.name}"]
        if self._attempt(lambda: notes.append(self._puzzles.close(force=force))):
            self._editors.show_message("; ".join(filter(None, notes)))

    def _ask_for_name(self, saved: Callable[[], object], place: str = "") -> None:
        """Ask for a name, save the puzzle in front under it and go on; or say that it stays open.

        `place` is its position among several. Typeahead appears in the prompt, but is not entered.
        """
        session = self._puzzles.current
        tabs = self._puzzles.tabs
        words = _tab_words(next(tab for tab in tabs if tab.is_current), session) if len(tabs) > 1 else ""
        left = partial(self._editors.show_message, f"{session.document.name} was not saved, so it stays open")
        question = NameQuestion(" ".join(filter(None, ("save", words, place, "as"))), session.save, saved, left)
        self._program.typeahead.drop_enters()
        self._editors.back()
        self._editors.when_shown(lambda: self._editors.front.verbs.ask_name(question))

    def _attempt(self, action: Callable[[], object]) -> bool:
        return self._editors.front.context.attempt(action)


def _size(session: Session) -> tuple[int, int]:
    grid = session.puzzle.grid
    return grid.height, grid.width


def _tab_words(tab: Tab, session: Session) -> str:
    """Return the tab's number and name, and for a puzzle without a file its size and some content."""
    if session.document.path is not None:
        return f"{tab.number} {tab.name}"
    height, width = _size(session)
    return f"{tab.number} {tab.name} {height}×{width} {distinctive_pattern(session.puzzle.grid)}".rstrip()


def _unsaved_words(session: Session) -> str:
    path = session.document.path
    return f"{path.name if path else 'The puzzle'} has unsaved changes. {_COMES_BACK}"


def _asking(session: Session) -> str:
    return ": asks for a name" if session.document.needs_name else ""


def _answers(session: Session, action: str, *more: ShortAnswer) -> list[ShortAnswer]:
    """Return the choices for one puzzle's unsaved work before an action."""
    return [
        ShortAnswer(f"save and {action}{_asking(session)}", _SAVE),
        ShortAnswer("go on working", _CANCEL),
        *more,
        ShortAnswer(f"discard and {action}", _DISCARD),
    ]


def _about(session: Session) -> str:
    """Return the folder of its file, or else its title and contents, and the last edit."""
    path, last = session.document.path, session.document.history.undo_label
    content = ", ".join(filter(None, (session.puzzle.title, content_words(session.puzzle))))
    where = str(path.parent) if path is not None else content
    return where + (f"; last edit: {last}" if last else "")


def _summary(names: Sequence[str], effects: dict[str, str], end: str = "") -> str:
    """Summarize the answers: `saves 2, discards 1 and quits`; `effects` has the wording of each answer."""
    counts = {name: names.count(name) for name in effects if name in names}
    every = "both" if len(names) == 2 else f"all {len(names)}"
    parts = [effects[name].format(count if len(counts) > 1 else every) for name, count in counts.items()]
    return " ".join(filter(None, [", ".join(parts), end]))

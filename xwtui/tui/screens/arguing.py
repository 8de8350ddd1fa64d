"""The keys of the watch screen that argue with the search."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType

from xwtui.session.goals import ArgumentKind, SearchArgument
from xwtui.tui.screens.others import OthersScreen

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.app import App

    from xwtui.session.run_view import RunView
    from xwtui.session.session import Session
    from xwtui.tui.palette import Palette

ARGUE_HELP = (
    "w          another word here: the list of what the search would try next",
    "x          forbid the word here, for the rest of this search",
    "k          lock what is decided: the search takes none of it back, and it is locked ink",
    "d          put this entry off: what ranks next is decided first",
    "u          take the last argument back",
    "           in the past, one argues from there on; all fills that were not forbidden stay in reach",
)


class Arguing:
    """What a screen that shows a search needs to argue with it; mixed into the screen."""

    if TYPE_CHECKING:
        app: App[object]
        _session: Session
        _palette: Palette
        _run_view: RunView | None
        _attempt: Callable[[Callable[[], object]], None]
        _say: Callable[[str], None]

    ARGUE_BINDINGS: ClassVar[list[BindingType]] = [
        Binding("w", "choose_other"),
        Binding("x", "argue('forbid')"),
        Binding("k", "argue('lock')"),
        Binding("d", "argue('skip')"),
        Binding("u", "argue('back')"),
    ]

    def action_argue(self, kind: str) -> None:
        """Say it, about what was decided last."""
        self._attempt(lambda: self._session.argue(SearchArgument(ArgumentKind(kind))))

    def action_choose_other(self) -> None:
        """List the other words for the place decided last, and choose one."""
        run = self._run_view
        thoughts = run.thoughts if run is not None else None
        if run is not None and run.is_past:
            self._say("in the past the other words are not known; End goes to where the search stands")
        elif run is None or not run.paused:
            self._say("the search does not stand still; Space holds it")
        elif thoughts is None or not thoughts.tried:
            self._say("nothing is decided here that could be another word")
        elif not thoughts.others:
            self._say(f"{thoughts.tried}: no other word is left there")
        else:
            place = thoughts.tried
            asked = OthersScreen(place, thoughts.chosen, thoughts.others, self._palette)
            self.app.push_screen(asked, lambda word: self._choose(place, word))

    def _choose(self, place: str, word: object) -> None:
        if isinstance(word, str):
            self._attempt(lambda: self._session.argue(SearchArgument(ArgumentKind.CHOOSE, place, word)))

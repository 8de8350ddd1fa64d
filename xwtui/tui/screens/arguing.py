"""How one argues with a search on the watch screen: its keys, and the other words to choose from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen, Screen
from textual.widgets import Static

from xwtui.engine.events.event import LikelyWord
from xwtui.session.goals import ArgumentKind, SearchArgument
from xwtui.session.watch_wording import likely_figures
from xwtui.text import printable
from xwtui.tui.fragments import Fragment
from xwtui.tui.themes import Palette
from xwtui.tui.widgets.painted import give_paint
from xwtui.tui.widgets.row_list import RowList

if TYPE_CHECKING:
    from collections.abc import Callable

    from xwtui.session.run_view import RunView
    from xwtui.session.session import Session
    from xwtui.tui.themes import Palette


_MOST_ROWS = 14


class OtherList(RowList[LikelyWord]):
    """One row a word, with its figures."""

    def fragments(self, row: LikelyWord, width: int, *, is_current: bool) -> Sequence[Fragment]:
        return [(f" {row.word}", self.paint.text), (f"  {likely_figures(row)}", self.paint.muted)]


class OthersScreen(ModalScreen[str | None]):
    """Lists the words, the next one first; ends with the one chosen, or None where Esc left it."""

    DEFAULT_CSS = """
    OthersScreen { align: center middle; }
    OthersScreen > Vertical {
        width: 48; max-width: 90%; height: auto; padding: 1 2;
        background: $surface; border: round $primary 60%;
    }
    OthersScreen Static { margin-bottom: 1; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q", "leave", "leave it")]

    def __init__(self, place: str, tried: str, others: Sequence[LikelyWord], palette: Palette) -> None:
        super().__init__()
        self._question = f"{place} = {tried}. Which word instead? Enter chooses, Esc leaves it."
        self._others = others
        self._palette = palette

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(printable(self._question, 200), markup=False)
            yield OtherList(id="others")

    def on_mount(self) -> None:
        give_paint(self, self._palette)
        rows = self.query_one("#others", OtherList)
        rows.styles.height = min(len(self._others), _MOST_ROWS)
        rows.show(self._others)
        rows.focus()

    @on(RowList.Chosen, "#others")
    def _chosen(self, event: OtherList.Chosen) -> None:
        self.dismiss(self._others[event.index].word)

    def action_leave(self) -> None:
        self.dismiss(None)


ARGUE_HELP = (
    "w          another word here: the list of what the search would try next",
    "x          forbid the word here, for the rest of this search",
    "k          lock what is decided: the search takes none of it back, and it is locked ink",
    "d          put this entry off: what ranks next is decided first",
    "u          take the last argument back",
    "           in the past, one argues from there on; all fills that were not forbidden stay in reach",
)


ARGUE_BINDINGS: tuple[Binding, ...] = (
    Binding("w", "choose_other"),
    Binding("x", "argue('forbid')"),
    Binding("k", "argue('lock')"),
    Binding("d", "argue('skip')"),
    Binding("u", "argue('back')"),
)


class Arguing:
    """Argues with the session's search; `attempt` does what may be refused, `say` tells why not."""

    def __init__(
        self,
        screen: Screen[None],
        session: Session,
        palette: Palette,
        attempt: Callable[[Callable[[], object]], None],
        say: Callable[[str], None],
    ) -> None:
        self._screen = screen
        self._session = session
        self._palette = palette
        self._attempt = attempt
        self._say = say

    def argue(self, kind: str) -> None:
        self._attempt(lambda: self._session.argue(SearchArgument(ArgumentKind(kind))))

    def choose_other(self, run: RunView | None) -> None:
        """List the other words for the place decided last, and choose one."""
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
            self._screen.app.push_screen(asked, lambda word: self._choose(place, word))

    def _choose(self, place: str, word: object) -> None:
        if isinstance(word, str):
            self._attempt(lambda: self._session.argue(SearchArgument(ArgumentKind.CHOOSE, place, word)))

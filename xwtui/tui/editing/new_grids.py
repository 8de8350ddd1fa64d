"""The screens on which a grid is chosen to begin with: templates, drawn layouts, a theme, designs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from xwtui.errors import XwtuiError
from xwtui.session.layout_answers import LayoutsAnswer, TemplatesAnswer
from xwtui.session.verbs.registry import run_line
from xwtui.tui.editing.context import EditorContext

if TYPE_CHECKING:
    from textual.screen import Screen

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
        from xwtui.tui.screens.templates import TemplateScreen  # noqa: PLC0415

        def begin(choice: TemplateChoice | None) -> None:
            if choice is not None:
                self._run(f"new {choice.name}")

        screen = TemplateScreen(self._context.host.look.palette, query=answer.wanted.query)
        self._context.host.push_screen(screen, begin)

    def show_layouts(self, answer: LayoutsAnswer) -> None:
        """Show layouts with pictures; the one that is chosen is begun on, and others may be kept."""
        from xwtui.tui.screens.templates import TemplateScreen  # noqa: PLC0415

        def begin(choice: TemplateChoice | None) -> None:
            if choice is not None:
                self._run(f"layouts take {choice.name}")

        palette = self._context.host.look.palette
        screen = TemplateScreen(
            palette, drawn=answer.templates, keep=lambda number: self._said(f"layouts keep {number}")
        )
        self._context.host.push_screen(screen, begin)

    def _said(self, line: str) -> str:
        """What a line answers at once, or what is wrong with it."""
        try:
            return "; ".join(run_line(self._session, line).lines)
        except XwtuiError as error:
            return str(error)

    def show_theme(self) -> None:
        """Ask for theme answers, and begin on the template that is chosen for them."""
        from xwtui.tui.screens.templates import TemplateScreen  # noqa: PLC0415

        def begin(choice: TemplateChoice | None) -> None:
            if choice is not None:
                self._context.attempt(lambda: self._context.host.begin(choice.puzzle))

        palette = self._context.host.look.palette
        screen = TemplateScreen(palette, is_theme=True, alphabet=self._session.puzzle.alphabet)
        self._context.host.push_screen(screen, begin)

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
        self._room = DesignScreen(self._session, host.look.palette, theme, keep, is_begun=bool(line))
        host.push_screen(self._room, begin)

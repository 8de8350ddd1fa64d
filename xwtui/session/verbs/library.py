"""The verbs for the user's library of layouts: keep what was drawn, take patterns of puzzles, drop some."""

from __future__ import annotations

from pathlib import Path

from xwtui.errors import VerbError
from xwtui.lazy import lazy_imports
from xwtui.session.verbs.layouts import last_answer
from xwtui.session.verbs.types import ParameterKind, among, file_kind, number_kind, parameter_kind
from xwtui.session.verbs.verb import Answer, FromShell, Group, Needs, Reply, answered, argument, verbs_of
from xwtui.text import listed, printable

with lazy_imports():
    from xwtui.grids.library import drop_layouts, keep_layouts, own_layouts
    from xwtui.session import layout_answers
    from xwtui.session.answers import VerbAnswer
    from xwtui.session.jobs.answer_job import AnswerReporter
    from xwtui.session.layout_answers import LibraryAnswer, import_folder
    from xwtui.session.session import Session

verb = verbs_of(Group.GRID)

_ALL = 0
_NUMBER = number_kind(1, 100_000)


@parameter_kind("number")
def LAYOUT_NUMBER(text: str, session: Session) -> int:
    """The number of a layout that was drawn last, or `all`."""
    return _ALL if text.strip().lower() == "all" else int(_NUMBER.read(text, session))


def _own_layouts() -> list[str]:
    return [one.name for one in own_layouts()]


OWN_LAYOUT = ParameterKind("name", lambda text, session: text.strip(), among(_own_layouts))
"""The name of a layout in the user's library."""


@verb(examples=("layouts keep 1 3", "layouts keep all"))
def layouts_keep(
    session: Session,
    numbers: tuple[int, ...] = argument("numbers from the last list, or `all`", LAYOUT_NUMBER, required=True),
) -> Answer:
    """Add layouts that `layouts` drew to your library, where `templates mine` finds them."""
    answer = last_answer(session, layout_answers.LayoutsAnswer)
    drawn = () if answer is None else answer.grids
    wrong = next((number for number in numbers if number > len(drawn)), None)
    if answer is None or not drawn or wrong is not None:
        raise VerbError(f"there is no layout {wrong or ''}".rstrip() + "; `layouts` draws some")
    chosen = range(1, len(drawn) + 1) if _ALL in numbers else dict.fromkeys(numbers)
    kept = keep_layouts(answer.as_new(number) for number in chosen)
    return answered(LibraryAnswer(kept.added, kept.known))


@verb(
    examples=("layouts import ~/puzzles",),
    from_shell=FromShell(needs=Needs.NOTHING, takes_grid=False, takes_long=True),
    keywords="patterns, grids",
)
def layouts_import(
    session: Session, folder: Path = argument("a folder of puzzles, including its subfolders", file_kind())
) -> Answer:
    """Add the block patterns of your own puzzles to your library, without mirror images or rotations."""
    if not folder.is_dir():
        raise VerbError(f"there is no folder {printable(str(folder), 200)}")

    def work(reporter: AnswerReporter) -> VerbAnswer:
        return import_folder(folder, reporter)

    session.jobs.answer.look(work)
    return Reply(started=True, answer=session.jobs.answer.answer)


@verb(examples=("layouts drop mini-5x5-2",), from_shell=FromShell(needs=Needs.NOTHING, takes_grid=False))
def layouts_drop(
    session: Session,
    names: tuple[str, ...] = argument("names of your own layouts", OWN_LAYOUT, required=True),
) -> Answer:
    """Remove layouts from your library; those that ship stay."""
    dropped = drop_layouts(names)
    missing = [printable(name, 60) for name in names if name not in dropped]
    if missing:
        raise VerbError(f"your library has no {listed(missing, 'or')}; `templates mine` lists it")
    return f"dropped: {listed(dropped, 'and')}"

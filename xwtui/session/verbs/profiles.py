"""The verbs for profiles: the one that a puzzle is made under, and which there are."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

from xwtui.session.verbs.types import VerbType
from xwtui.session.verbs.verb import Answer, FromShell, Group, Needs, answered, verb

if TYPE_CHECKING:
    from xwtui.grids.profiles import Profile
    from xwtui.session.session import Session

NO_PROFILE = "none"
"""What is typed for a puzzle of which no outlet demands anything."""


def _offers(beginning: str, *others: str) -> list[CompletionItem[str]]:
    from xwtui.grids.profiles import profile_files

    return [CompletionItem(name) for name in (*profile_files(), *others) if name.startswith(beginning.lower())]


class ProfileType(VerbType["Profile"]):
    """The name of a profile, ours or the user's."""

    name = "profile"

    def read(self, text: str, session: Session) -> Profile:
        """The profile; raises PuzzleError for a name that none has."""
        from xwtui.grids.profiles import find_profile

        return find_profile(text.strip())

    def offers(self, session: Session, beginning: str) -> list[CompletionItem[str]]:
        """The profiles that begin so."""
        return _offers(beginning)


class ProfileNameType(VerbType[str]):
    """The name of a profile, or `none`."""

    name = "profile"

    def read(self, text: str, session: Session) -> str:
        """The name; raises PuzzleError for one that none has, or whose file is damaged."""
        from xwtui.grids.profiles import find_profile

        named = text.strip()
        return NO_PROFILE if named.lower() == NO_PROFILE else find_profile(named).name

    def offers(self, session: Session, beginning: str) -> list[CompletionItem[str]]:
        """The profiles that begin so, and `none`."""
        return _offers(beginning, NO_PROFILE)


@verb(
    Group.GRID,
    examples=("profile british", "profile none", "profile"),
    keywords=("outlet", "newspaper", "limits", "lattice"),
)
@click.argument("name", type=ProfileNameType(), required=False, help="american-15, british and others, or `none`")
def profile(session: Session, name: str | None) -> Answer:
    """Choose what an outlet demands of the grid, for `check` to judge it by, or show it.

    What it allows is no finding then, and what it forbids is one. `profiles` lists them.
    """
    from xwtui.session.profile_answers import ProfileAnswer

    if name is not None:
        chosen = "" if name == NO_PROFILE else name
        session.edit(f"profile {name}", lambda puzzle: replace(puzzle, profile=chosen))
    return answered(ProfileAnswer.of(session.puzzle))


@verb(
    Group.GRID,
    examples=("profiles",),
    from_shell=FromShell(needs=Needs.NOTHING, takes_grid=False),
)
def profiles(session: Session) -> Answer:
    """List what outlets demand of a grid: the profiles that ship, and your own beside your settings."""
    from xwtui.session.profile_answers import ProfilesAnswer

    return answered(ProfilesAnswer.all())

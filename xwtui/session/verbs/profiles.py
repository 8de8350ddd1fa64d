"""The verbs for profiles: the one that a puzzle is made under, and which there are."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import click

from xwtui.session.verbs.profile_types import NO_PROFILE, ProfileNameType
from xwtui.session.verbs.verb import Answer, FromShell, Group, Needs, answered, verb

if TYPE_CHECKING:
    from xwtui.session.session import Session


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

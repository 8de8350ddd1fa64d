"""The types of arguments that name a profile."""

from __future__ import annotations

from typing import TYPE_CHECKING

from click.shell_completion import CompletionItem

from xwtui.session.verbs.types import VerbType

if TYPE_CHECKING:
    from xwtui.grids.profiles import Profile
    from xwtui.session.session import Session

NO_PROFILE = "none"
"""What is typed for a puzzle of which no outlet demands anything."""


def _names() -> tuple[str, ...]:
    from xwtui.grids.profiles import profile_files

    return tuple(profile_files())


def _offers(beginning: str, *others: str) -> list[CompletionItem[str]]:
    return [CompletionItem(name) for name in (*_names(), *others) if name.startswith(beginning.lower())]


class ProfileType(VerbType["Profile"]):
    """The name of a profile, ours or the user's."""

    name = "profile"

    @property
    def choices(self) -> tuple[str, ...]:
        """All names, by which its verbs are found."""
        return _names()

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

    @property
    def choices(self) -> tuple[str, ...]:
        """All names, by which its verbs are found."""
        return _names()

    def read(self, text: str, session: Session) -> str:
        """The name; raises PuzzleError for one that none has, or whose file is damaged."""
        from xwtui.grids.profiles import find_profile

        named = text.strip()
        return NO_PROFILE if named.lower() == NO_PROFILE else find_profile(named).name

    def offers(self, session: Session, beginning: str) -> list[CompletionItem[str]]:
        """The profiles that begin so, and `none`."""
        return _offers(beginning, NO_PROFILE)

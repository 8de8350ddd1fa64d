"""What is told of profiles: which there are, what the grid misses of its own, how well each entry is checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from xwtui.engine.events.event import Outcome
from xwtui.errors import PuzzleError
from xwtui.grids.judging import Shortfall, judge, review_under
from xwtui.grids.profiles import Profile, find_profile, profile_files, user_profiles_folder
from xwtui.model import Puzzle
from xwtui.model.review import Check, Finding, review
from xwtui.session.answers import VerbAnswer
from xwtui.session.wording import counted
from xwtui.text import printable


def findings_of(puzzle: Puzzle, name: str) -> tuple[Finding, ...]:
    """The review of a puzzle under the profile of a name, under none if that is empty.

    A profile that is not known here, or whose file is damaged, is a finding, and the grid is judged without it.
    """
    if not name:
        return review(puzzle)
    try:
        profile = find_profile(name)
    except PuzzleError as error:
        return (Finding(Check.UNKNOWN_PROFILE, str(error), ()), *review(puzzle))
    return review_under(puzzle, profile)


@dataclass(frozen=True)
class ProfileAnswer(VerbAnswer):
    """The profile of a puzzle, and what the grid misses of it."""

    name: str
    profile: Profile | None = None
    shortfalls: tuple[Shortfall, ...] = ()

    @classmethod
    def of(cls, puzzle: Puzzle) -> ProfileAnswer:
        """Judge a puzzle by its own; raises PuzzleError where that is not known here."""
        if not puzzle.profile:
            return cls("")
        profile = find_profile(puzzle.profile)
        return cls(puzzle.profile, profile, judge(puzzle.grid, profile))

    @property
    def lines(self) -> Sequence[str]:
        """Its name, what it is for, and each thing that the grid misses."""
        if self.profile is None:
            return ["profile: none"]
        about = f": {printable(self.profile.about, 200)}" if self.profile.about else ""
        missed = [f"  {one.describe()}" for one in self.shortfalls]
        return [f"profile: {self.name}{about}", *(missed or ["  the grid keeps to it"])]

    @property
    def as_json(self) -> dict[str, Any]:
        """Its name, and what the grid misses."""
        missed = [
            {"rule": one.demand.value, "message": one.describe(), "squares": [str(at) for at in one.where]}
            for one in self.shortfalls
        ]
        return {"profile": self.name or None, "shortfalls": missed}


@dataclass(frozen=True)
class ProfilesAnswer(VerbAnswer):
    """All profiles; those whose files are damaged by what is wrong with them."""

    known: tuple[Profile, ...]
    own: frozenset[str]
    """The names of the user's own."""
    damaged: tuple[str, ...]

    @classmethod
    def all(cls) -> ProfilesAnswer:
        """Read them."""
        known, own, damaged = [], set(), []
        for name, path in profile_files().items():
            try:
                known.append(find_profile(name))
            except PuzzleError as error:
                damaged.append(str(error))
            if path.parent == user_profiles_folder():
                own.add(name)
        return cls(tuple(known), frozenset(own), tuple(damaged))

    @property
    def verdict(self) -> Outcome:
        """IMPOSSIBLE where a file is damaged."""
        return Outcome.IMPOSSIBLE if self.damaged else Outcome.FILLED

    @property
    def lines(self) -> Sequence[str]:
        """A line for each; then what is wrong with files, and where one's own go."""
        width = max(len(one.name) for one in self.known)
        told = [f"{one.name:<{width}}  {self._words(one)}" for one in self.known]
        return [*told, *self.damaged, f"your own go into {printable(str(user_profiles_folder()), 200)}"]

    def _words(self, profile: Profile) -> str:
        limits = [
            counted(most, noun)
            for most, noun in ((profile.most_words, "word"), (profile.most_blocks, "block"))
            if most is not None
        ]
        most = f"{' and '.join(limits)} at most" if limits else ""
        sizes = ", ".join(profile.size_words)
        about = printable(profile.about, 200)
        return "; ".join(filter(None, (about, sizes, most, "yours" if profile.name in self.own else "")))

    @property
    def as_json(self) -> dict[str, Any]:
        """Each with its fields, those that demand nothing as null."""
        return {"profiles": [self._one(one) for one in self.known], "damaged": list(self.damaged)}

    def _one(self, profile: Profile) -> dict[str, Any]:
        symmetries = [one.value for one in profile.symmetries]
        return {**asdict(profile), "symmetries": symmetries, "own": profile.name in self.own}

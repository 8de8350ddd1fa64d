"""What verbs answer that judge a grid: findings, its figures, how well entries are checked, profiles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from itertools import groupby
from operator import attrgetter
from typing import Any

from xwtui.engine.events.event import Outcome
from xwtui.errors import PuzzleError
from xwtui.grids.profiles import (
    Profile,
    Shortfall,
    counts_cheaters,
    find_profile,
    judge,
    profile_files,
    review_under,
    user_profiles_folder,
    wants_enumerations,
)
from xwtui.model import Grid, Puzzle
from xwtui.model.alphabet import ENGLISH
from xwtui.model.review import Check, ClueRemark, Finding, clue_remarks, review
from xwtui.model.statistics import GridStatistics, Light, lights
from xwtui.session.answers import VerbAnswer
from xwtui.session.jobs.question import Findings
from xwtui.session.json_shape import JsonShape
from xwtui.session.wording import counted, finding_lines
from xwtui.text import first_named, printable

_MOST_NAMED = 30
_LONGEST_NAME = 60


def repeats_lines(statistics: GridStatistics, grid: Grid) -> list[str]:
    """A line that names the answers that repeat each other, where there are any."""
    pairs = [
        " and ".join(f"{name} {grid.pattern(grid.entry(name))}" for name in pair)
        for pair in statistics.repeated_stems
    ]
    return [f"repeats: {first_named(pairs, _MOST_NAMED)}"] if pairs else []


def _lights(answer: StatisticsAnswer | ReviewAnswer) -> dict[str, Any]:
    """How well each entry is checked; none where all squares are."""
    return {"lights": lights(answer.puzzle.grid)}


STATISTICS = JsonShape(
    "height width entries filled_entries blocks open_squares filled_squares rebus_squares mean_length letters "
    "mean_score lowest_score",
    lambda statistics: {"unlisted": dict(statistics.unlisted)},
    "three_letter_entries cheaters repeated_stems",
)
"""The figures of a grid by their names."""


class StatisticsAnswer(VerbAnswer):
    """The figures of a grid."""

    statistics: GridStatistics
    puzzle: Puzzle
    has_words: bool
    """Whether the word lists were there to score the answers by."""
    each_light: bool = False
    """Whether each entry is told of, where not all squares are checked."""
    json = JsonShape(
        ("*statistics", STATISTICS),
        "profile=puzzle.profile?",
        _lights,
        "alphabet=puzzle.alphabet.name",
    )

    @property
    def lines(self) -> Sequence[str]:
        grid, name, alphabet = self.puzzle.grid, self.puzzle.profile, self.puzzle.alphabet
        checked = light_lines(grid, each=self.each_light)
        profile = [f"profile: {printable(name, _LONGEST_NAME)}"] if name else []
        letters = [] if alphabet == ENGLISH else [f"alphabet: {alphabet.title}, {alphabet.shown}"]
        scores, repeats = _score_lines(self.statistics, self.has_words), repeats_lines(self.statistics, grid)
        figures = _grid_lines(self.statistics, has_cheaters=counts_cheaters(name))
        return [*figures, *checked, *profile, *letters, *scores, *repeats]


def _grid_lines(figures: GridStatistics, *, has_cheaters: bool) -> list[str]:
    cheaters = f", {counted(figures.cheaters, 'cheater')}" if has_cheaters else ""
    letters = " ".join(f"{letter}{number}" for letter, number in figures.letters.items())
    return [
        f"grid: {figures.height}×{figures.width}, {figures.blocks} blocks, "
        f"{figures.rebus_squares} rebus squares{cheaters}",
        f"entries: {figures.entries}, filled: {figures.filled_entries}, mean length: {figures.mean_length:.2f}, "
        f"{figures.three_letter_entries} of three letters",
        f"squares: {figures.open_squares} open, {figures.filled_squares} filled",
        f"letters: {letters or 'none'}",
    ]


def _score_lines(figures: GridStatistics, is_loaded: bool) -> list[str]:
    if not is_loaded:
        return ["scores: the words are still being loaded"]
    if figures.mean_score is None:
        lines = ["scores: no complete entry is in the word list"]
    else:
        lines = [f"scores: mean {figures.mean_score:.1f}, lowest {figures.lowest_score}"]
    if figures.unlisted:
        answers = [f"{name} {answer}" for name, answer in figures.unlisted]
        lines.append(f"not in the list: {first_named(answers, _MOST_NAMED)}")
    return lines


def light_lines(grid: Grid, *, each: bool) -> list[str]:
    """How well the entries of a grid are checked, in a line, or each of them in one; nothing where all are."""
    found = lights(grid)
    if not found:
        return []
    shares = [light.checked / light.length for light in found]
    lengths = [light.length for light in found]
    longest = max(light.longest_unches for light in found)
    line = (
        f"lights: {len(found)} of {min(lengths)} to {max(lengths)} squares, {100 * min(shares):.0f} to "
        f"{100 * max(shares):.0f} % checked, {longest} unchecked in a row at most"
    )
    return [line, *map(_light_line, found)] if each else [line]


def _light_line(light: Light) -> str:
    return (
        f"  {light.entry:>4}  {counted(light.length, 'square')}, {light.checked} checked "
        f"({100 * light.checked / light.length:.0f} %), {light.longest_unches} unchecked in a row"
    )


_MOST_OF_A_KIND = 6
"""Findings of a kind that are told."""
_LONGEST_TITLE = 70


_VERDICTS = {True: Outcome.FILLED, False: Outcome.IMPOSSIBLE, None: Outcome.UNKNOWN}


class FindingsAnswer(VerbAnswer):
    """What a question about a grid has brought."""

    findings: Findings
    grid: Grid
    stopped = "these are the findings so far"
    json = JsonShape("*findings.as_json")

    @property
    def verdict(self) -> Outcome:
        return _VERDICTS[self.findings.is_possible]

    @property
    def lines(self) -> Sequence[str]:
        return list(finding_lines(self.findings, self.grid))


class ReviewAnswer(VerbAnswer):
    """What an editor would object to, with the figures of the grid."""

    puzzle: Puzzle
    findings: tuple[Finding, ...]
    statistics: GridStatistics
    profile: str = ""
    """The name of the one that the grid was judged by."""
    are_words_judged: bool = True
    """Whether the word lists were there to judge the answers by."""
    each_light: bool = False
    """Whether it is told of each entry how well it is checked, where not all squares are."""
    each_finding: bool = False
    """Whether all findings are told, also where many are of a kind."""
    json = JsonShape(
        lambda answer: {"status": "findings" if answer.findings else "clean"},
        "profile?",
        ("findings", JsonShape("rule message squares=where")),
        ("puzzle.stale_clues", JsonShape("entry=slot clue_answer=clue.answer answer")),
        ("clue_remarks", JsonShape("entry=slot fault message")),
        _lights,
        ("statistics", STATISTICS),
    )

    @property
    def verdict(self) -> Outcome:
        return Outcome.IMPOSSIBLE if self.findings else Outcome.FILLED

    @property
    def lines(self) -> Sequence[str]:
        rules = {finding.rule for finding in self.findings}
        repeats = {Check.DUPLICATE, Check.NEAR_DUPLICATE} & rules or not (rules and self.are_words_judged)
        told = self._findings if repeats else [*self._findings, "no repeats"]
        return [*told, *(light_lines(self.puzzle.grid, each=True) if self.each_light else [])]

    @property
    def clue_remarks(self) -> Sequence[ClueRemark]:
        return clue_remarks(self.puzzle, wants_enumerations=wants_enumerations(self.profile))

    @property
    def _findings(self) -> Sequence[str]:
        told: list[str] = []
        for rule, found in groupby(self.findings, attrgetter("rule")):
            messages = [finding.message for finding in found]
            if len(messages) == 1:
                told.append(f"{rule.value}: {messages[0]}")
                continue
            most = len(messages) if self.each_finding else _MOST_OF_A_KIND
            told += [f"{rule.value}, {len(messages)}:", *(f"  {message}" for message in messages[:most])]
            if (more := len(messages) - most) > 0:
                told.append(f"  and {more} more (`check --all` shows all)")
        if not self.are_words_judged:
            told.append("words: not loaded yet, so answers and rules were not checked against the lists")
        return told or ["no findings"]

    def report(self, times: str, columns: int) -> Sequence[str]:
        puzzle, statistics = self.puzzle, self.statistics
        title = printable(puzzle.title, _LONGEST_TITLE) or "untitled"
        author = f" by {printable(puzzle.author, _LONGEST_TITLE)}" if puzzle.author else ""
        lines = [
            f"{title}{author}: {statistics.height}x{statistics.width}, {statistics.entries} entries, "
            f"{statistics.blocks} blocks, mean length {statistics.mean_length:.2f}",
            f"filled: {statistics.filled_entries} of {statistics.entries} entries, "
            f"{statistics.filled_squares} of {statistics.open_squares} squares, {statistics.rebus_squares} rebus",
        ]
        if statistics.mean_score is not None:
            lines.append(f"scores: mean {statistics.mean_score:.1f}, lowest {statistics.lowest_score}")
        if statistics.unlisted:
            lines.append("not in the word list: " + ", ".join(" ".join(pair) for pair in statistics.unlisted))
        if statistics.letters:
            lines.append("letters: " + " ".join(f"{letter}{n}" for letter, n in statistics.letters.items()))
        checked = light_lines(puzzle.grid, each=self.each_light)
        return [*lines, *checked, *self._findings]


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


class ProfileAnswer(VerbAnswer):
    """The profile of a puzzle, and what the grid misses of it."""

    name: str
    profile: Profile | None = None
    shortfalls: tuple[Shortfall, ...] = ()
    json = JsonShape("profile=name?", ("shortfalls", JsonShape("rule=demand message=describe squares=where")))

    @classmethod
    def of(cls, puzzle: Puzzle) -> ProfileAnswer:
        """Judge a puzzle by its own; raises PuzzleError where that is not known here."""
        if not puzzle.profile:
            return cls("")
        profile = find_profile(puzzle.profile)
        return cls(puzzle.profile, profile, judge(puzzle.grid, profile))

    @property
    def lines(self) -> Sequence[str]:
        if self.profile is None:
            return ["profile: none"]
        about = f": {printable(self.profile.about, 200)}" if self.profile.about else ""
        missed = [f"  {one.describe()}" for one in self.shortfalls]
        return [f"profile: {self.name}{about}", *(missed or ["  the grid meets it"])]


class ProfilesAnswer(VerbAnswer):
    """All profiles; those whose files are damaged by what is wrong with them."""

    known: tuple[Profile, ...]
    own: frozenset[str]
    """The names of the user's own."""
    damaged: tuple[str, ...]

    @classmethod
    def all(cls) -> ProfilesAnswer:
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
        return Outcome.IMPOSSIBLE if self.damaged else Outcome.FILLED

    @property
    def lines(self) -> Sequence[str]:
        width = max(len(one.name) for one in self.known)
        told = [f"{one.name:<{width}}  {self._words(one)}" for one in self.known]
        return [*told, *self.damaged, f"put your own in {printable(str(user_profiles_folder()), 200)}"]

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
        return {"profiles": [self._one(one) for one in self.known], "damaged": list(self.damaged)}

    def _one(self, profile: Profile) -> dict[str, Any]:
        symmetries = [one.value for one in profile.symmetries]
        return {**asdict(profile), "symmetries": symmetries, "own": profile.name in self.own}

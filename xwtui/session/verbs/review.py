"""The review of a puzzle, the statistics of its grid, and the verbs for its profile and alphabet."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from itertools import groupby
from operator import attrgetter

from xwtui.errors import PuzzleError, WordListError
from xwtui.lazy import lazy_imports
from xwtui.model import Grid, Puzzle, edits
from xwtui.model.alphabet import ENGLISH, Alphabet
from xwtui.model.review import ClueRemark, clue_remarks
from xwtui.model.rules import SharedStems
from xwtui.resources import user_profiles_folder
from xwtui.session.answers import ImmediateAnswer, JsonShape, VerbAnswer
from xwtui.session.verbs.kinds import (
    ALPHABET,
    NO_PROFILE,
    PROFILE_NAME,
    alphabet_help,
    describe_alphabet,
    switch_argument,
)
from xwtui.session.verbs.verb import WITHOUT_GRID, Answer, FromShell, Group, Needs, argument, option, verbs_of
from xwtui.text import counted, first_named, printable
from xwtui.words.alphabets import alphabet_names

with lazy_imports():
    from xwtui.grids.profiles import (
        Profile,
        counts_cheaters,
        find_profile,
        judge,
        profile_files,
        review_under,
        wants_enumerations,
    )
    from xwtui.model.review import Check, Finding, review, worst_first
    from xwtui.model.statistics import GridStatistics
    from xwtui.model.statistics import lights as lights_of
    from xwtui.session.jobs.answer_job import AnswerReporter
    from xwtui.session.session import Session
    from xwtui.session.wording import foreign_words, untitled_words
    from xwtui.words.rule_findings import word_findings


verb = verbs_of(Group.REVIEW)


@verb("tint on", "tint off", "tint")
def tint(session: Session, switch: bool | None = switch_argument) -> Answer:
    """Turn the tint on or off that colors letters by the score of their weaker entry, on large squares.

    Squares of the weakest entries also show the score.
    """
    if switch is not None:
        session.settings = replace(session.settings, tint=switch)
    return f"letters are {'tinted by the score of their weakest entry' if session.settings.tint else 'not tinted'}"


_lights_option = option("show each entry's runs of checked and unchecked squares")


@verb("check", "check --profile british", "check --lights", from_shell=FromShell(needs=Needs.WORDS))
def check(
    session: Session,
    profile: str | None = option("judge by this profile instead of the puzzle's, or by `none`", PROFILE_NAME),
    all_: bool = option("show every finding, even many of one kind", name="--all"),
    lights: bool = _lights_option,
) -> Answer:
    """List what an editor would object to, judged by the puzzle's profile if it has one.

    The most serious comes first; of many findings of one kind, the first few are shown.
    """
    puzzle, words = session.shown_puzzle, session.jobs.words
    name = puzzle.profile if profile is None else "" if profile == NO_PROFILE else profile
    findings = findings_of(puzzle, name)

    def judged() -> ReviewAnswer:
        vocabulary, found = words.view, findings
        if vocabulary is not None:
            crossed = [entry.slot for entry in session.unlisted_crossings]
            found = worst_first([*findings, *word_findings(puzzle, vocabulary, crossed)])
        return ReviewAnswer(
            puzzle,
            found,
            words.statistics(puzzle),
            name,
            are_words_judged=vocabulary is not None,
            meant_repeats=words.repeats(puzzle).meant if vocabulary is not None else (),
            each_light=lights,
            each_finding=all_,
        )

    def judged_once_loaded(reporter: AnswerReporter) -> ReviewAnswer:
        with suppress(WordListError):
            words.wait(reporter.is_stopped)
        return judged()

    if words.view is not None or not words.is_loading:
        return judged()
    return session.jobs.answer.start_plain(judged_once_loaded)


@verb("stats", "stats --lights", from_shell=FromShell(needs=Needs.WORDS))
def stats(session: Session, lights: bool = _lights_option) -> Answer:
    """Show the grid's statistics: entries, blocks, cheaters, lengths, letters, scores, repeats.

    A cheater is a block whose removal would not change the number of entries.
    """
    words, puzzle = session.jobs.words, session.shown_puzzle
    grid = puzzle.grid
    figures, alphabet = words.statistics(puzzle), puzzle.alphabet
    profile = [f"profile: {printable(puzzle.profile, _LONGEST_NAME)}"] if puzzle.profile else []
    letters = [] if alphabet == ENGLISH else [f"alphabet: {alphabet.title}, {alphabet.shown}"]
    scores = _score_lines(figures, words.lexicon is not None)
    repeats = [f"repeats: {_pairs_text(pairs, grid)}"] if (pairs := figures.repeated_stems) else []
    counts = _grid_lines(figures, has_cheaters=counts_cheaters(puzzle.profile))
    document = {**STATISTICS.of(figures), "profile": puzzle.profile or None, "lights": lights_of(grid)}
    return ImmediateAnswer(
        [*counts, *light_lines(grid, each=lights), *profile, *letters, *scores, *repeats],
        {**document, "alphabet": alphabet.name},
    )


@verb("profile british", "profile none", "profile", group=Group.GRID)
def profile(
    session: Session, name: str | None = argument("american-15, british and others, or `none`", PROFILE_NAME)
) -> Answer:
    """Choose or show the outlet whose requirements `check` applies.

    `check` reports what the profile forbids and skips what it allows. `profiles` lists them.
    """
    if name is not None:
        chosen = "" if name == NO_PROFILE else name
        session.edit(f"profile {name}", lambda puzzle: replace(puzzle, profile=chosen))
    puzzle = session.puzzle
    if not puzzle.profile:
        return ImmediateAnswer(["profile: none"], {"profile": None, "shortfalls": []})
    judged = find_profile(puzzle.profile)
    shortfalls = judge(puzzle.grid, judged)
    about = f": {printable(judged.about, 200)}" if judged.about else ""
    missed = [f"  {one.message}" for one in shortfalls] or ["  the grid meets it"]
    document = JsonShape("rule message squares=where").convert(shortfalls)
    return ImmediateAnswer(
        [f"profile: {puzzle.profile}{about}", *missed], {"profile": puzzle.profile, "shortfalls": document}
    )


@verb("profiles", group=Group.GRID, from_shell=WITHOUT_GRID)
def profiles(session: Session) -> Answer:
    """List outlets' requirements: the profiles that ship, and your own next to your settings."""
    known: list[Profile] = []
    own, damaged = set[str](), list[str]()
    for name, path in profile_files().items():
        try:
            known.append(find_profile(name))
        except PuzzleError as error:
            damaged.append(str(error))
        if path.parent == user_profiles_folder():
            own.add(name)
    width = max(len(one.name) for one in known)
    lines = [f"{one.name:<{width}}  {_profile_words(one, is_own=one.name in own)}" for one in known]
    document = [{**asdict(one), "own": one.name in own} for one in known]
    return ImmediateAnswer(
        [*lines, *damaged, f"put your own in {printable(str(user_profiles_folder()), 200)}"],
        {"profiles": document, "damaged": damaged},
        is_found=not damaged,
    )


def _profile_words(profile: Profile, *, is_own: bool) -> str:
    """Return a line about a profile: its sizes and limits, and whether it is the user's."""
    limits = [
        counted(most, noun)
        for most, noun in ((profile.most_words, "word"), (profile.most_blocks, "block"))
        if most is not None
    ]
    most = f"at most {' and '.join(limits)}" if limits else ""
    about, sizes = printable(profile.about, 200), ", ".join(profile.size_words)
    return "; ".join(filter(None, (about, sizes, most, "yours" if is_own else "")))


@verb("alphabet swedish", "alphabet spanish-ch-ll", "alphabet", group=Group.GRID)
def alphabet(
    session: Session, name: Alphabet | None = argument("swedish, german, …; lists all if left out", ALPHABET)
) -> Answer:
    """Choose the puzzle's alphabet.

    Word lists, answers and patterns are read in it. A letter it lacks is spelled as is usual in its language, or
    without its accent, with a note. Some alphabets have letters of two characters in one square, such as IJ.
    Your own alphabets are files in the `alphabets` folder of your settings.
    """
    if name is None:
        names = alphabet_names()
        lines = [f"{name:{max(map(len, names))}}  {alphabet_help(name)}" for name in names]
        return [f"alphabet: {describe_alphabet(session.puzzle.alphabet)}", "", *lines]
    session.edit(f"alphabet {name.name}", lambda puzzle: edits.set_alphabet(puzzle, name))
    return [f"alphabet: {describe_alphabet(name)}", *filter(None, [foreign_words(session.puzzle)])]


_MOST_NAMED = 30
_LONGEST_NAME = 60


def _pairs_text(pairs: Sequence[tuple[str, str]], grid: Grid) -> str:
    texts = [" and ".join(f"{name} {grid.pattern(grid.entry(name))}" for name in pair) for pair in pairs]
    return first_named(texts, _MOST_NAMED)


STATISTICS = JsonShape(
    "height width entries filled_entries blocks open_squares filled_squares rebus_squares mean_length letters "
    "mean_score lowest_score",
    lambda statistics: {"unlisted": dict(statistics.unlisted)},
    "three_letter_entries cheaters repeated_stems",
)


def _grid_lines(figures: GridStatistics, *, has_cheaters: bool) -> list[str]:
    cheaters = f", {counted(figures.cheaters, 'cheater')}" if has_cheaters else ""
    letters = " ".join(f"{letter}{number}" for letter, number in figures.letters.items())
    return [
        f"grid: {figures.height}×{figures.width}, {counted(figures.blocks, 'block')}, "
        f"{counted(figures.rebus_squares, 'rebus square')}{cheaters}",
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
    """Return how well a grid's entries are checked, in one line or one each; nothing if all are fully checked."""
    found = lights_of(grid)
    if not found:
        return []
    shares = [light.checked / light.length for light in found]
    lengths = [light.length for light in found]
    longest = max(light.longest_unches for light in found)
    line = (
        f"lights: {len(found)} of {min(lengths)} to {max(lengths)} squares, {100 * min(shares):.0f}% to "
        f"{100 * max(shares):.0f}% checked, at most {longest} unchecked in a row"
    )
    if not each:
        return [line]
    return [
        line,
        *(
            f"  {light.entry:>4}  {counted(light.length, 'square')}, {light.checked} checked "
            f"({100 * light.checked / light.length:.0f}%), {light.longest_unches} unchecked in a row"
            for light in found
        ),
    ]


_NO_REPEATS = (
    "found by roots (BAKED, BAKER) or by a word that begins or ends an answer (APPLE, APPLEPIE); "
    "others may be there"
)
_MOST_OF_A_KIND = 6
_LONGEST_TITLE = 70


class ReviewAnswer(VerbAnswer):
    """The review of a puzzle: what an editor would object to, and the statistics of the grid."""

    puzzle: Puzzle
    findings: tuple[Finding, ...]
    statistics: GridStatistics
    profile: str = ""
    are_words_judged: bool = True
    """Whether the word lists were loaded, so that answers were checked against them."""
    meant_repeats: Sequence[tuple[str, str]] = ()
    """Locked entries whose answers repeat each other; they are reported, but not as findings."""
    each_light: bool = False
    """Whether to show the checking of each entry that is not fully checked."""
    each_finding: bool = False
    """Whether to show all findings, even if there are many of one kind."""
    json = JsonShape(
        lambda answer: {"status": "findings" if answer.findings else "clean"},
        "profile? meant_repeats",
        ("findings", JsonShape("rule message squares=where")),
        ("puzzle.stale_clues", JsonShape("entry=slot clue_answer=clue.answer answer")),
        ("clue_remarks", JsonShape("entry=slot fault message")),
        lambda answer: {"lights": lights_of(answer.puzzle.grid)},
        ("statistics", STATISTICS),
    )

    @property
    def is_found(self) -> bool | None:
        return not self.findings

    @property
    def lines(self) -> Sequence[str]:
        rules = {finding.rule for finding in self.findings}
        repeats = {Check.DUPLICATE, Check.NEAR_DUPLICATE, Check.POSSIBLE_REPEAT} & rules
        is_looked_for = self.are_words_judged and self.puzzle.rules.one(SharedStems) is None
        lines = [*self._findings]
        if rules and is_looked_for and not repeats:
            lines.append(f"no {'other ' if self.meant_repeats else ''}repeats {_NO_REPEATS}")
        return [*lines, *(light_lines(self.puzzle.grid, each=True) if self.each_light else [])]

    @property
    def clue_remarks(self) -> Sequence[ClueRemark]:
        return clue_remarks(self.puzzle, wants_enumerations=wants_enumerations(self.profile))

    @property
    def _findings(self) -> Sequence[str]:
        lines: list[str] = []
        for rule, found in groupby(self.findings, attrgetter("rule")):
            messages = [finding.message for finding in found]
            if len(messages) == 1:
                lines.append(f"{rule.value}: {messages[0]}")
                continue
            most = len(messages) if self.each_finding else _MOST_OF_A_KIND
            lines += [f"{rule.value}, {len(messages)}:", *(f"  {message}" for message in messages[:most])]
            if (more := len(messages) - most) > 0:
                lines.append(f"  and {more} more (`check --all` shows all)")
        if not self.are_words_judged:
            lines.append("words: not loaded yet, so answers and rules were not checked against the lists")
        pairs = _pairs_text(self.meant_repeats, self.puzzle.grid)
        meant = [f"repeats of locked answers, taken as meant: {pairs}"] if pairs else []
        is_asked_for = any(finding.rule is Check.SUBMISSION for finding in self.findings)
        untitled = untitled_words(self.puzzle, find_profile(self.profile).submission if is_asked_for else ())
        return [*(lines or ["no findings"]), *meant, *([untitled] if untitled else [])]

    def report(self, times: str, columns: int, *, is_saved: bool = True) -> Sequence[str]:
        puzzle, statistics = self.puzzle, self.statistics
        title = printable(puzzle.title, _LONGEST_TITLE) or "untitled"
        author = f" by {printable(puzzle.author, _LONGEST_TITLE)}" if puzzle.author else ""
        entries, blocks = counted(statistics.entries, "entry", "entries"), counted(statistics.blocks, "block")
        lines = [
            f"{title}{author}: {statistics.height}x{statistics.width}, {entries}, {blocks}, "
            f"mean length {statistics.mean_length:.2f}",
            f"filled: {statistics.filled_entries} of {statistics.entries} entries, "
            f"{statistics.filled_squares} of {statistics.open_squares} squares, {statistics.rebus_squares} rebus",
        ]
        if statistics.mean_score is not None:
            lines.append(f"scores: mean {statistics.mean_score:.1f}, lowest {statistics.lowest_score}")
        if statistics.unlisted:
            lines.append("in no list: " + ", ".join(" ".join(pair) for pair in statistics.unlisted))
        if statistics.letters:
            lines.append("letters: " + " ".join(f"{letter}{n}" for letter, n in statistics.letters.items()))
        checked = light_lines(puzzle.grid, each=self.each_light)
        return [*lines, *checked, *self._findings]


def findings_of(puzzle: Puzzle, name: str) -> tuple[Finding, ...]:
    """Review a puzzle under the profile with this name, or without one if the name is empty.

    If the profile is unknown here or its file is damaged, that is a finding, and the review uses none.
    """
    if not name:
        return review(puzzle)
    try:
        profile = find_profile(name)
    except PuzzleError as error:
        return (Finding(Check.UNKNOWN_PROFILE, str(error), ()), *review(puzzle))
    return review_under(puzzle, profile)

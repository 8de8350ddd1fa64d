"""The verbs of the dialogue itself: help, the screen's colors and keys, the REPL's grid and transcript, quit."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from xwtui.errors import UnsavedError, VerbError
from xwtui.lazy import lazy_imports
from xwtui.model import Puzzle
from xwtui.resources import themes_folder, user_key_file, user_themes_folder
from xwtui.session.answers import ImmediateAnswer, JsonShape
from xwtui.session.keys.actions import ACTIONS, KeyPlace
from xwtui.session.settings import GRID_SIZES
from xwtui.session.verbs.kinds import ParameterKind, among, file_kind, parameter_kind
from xwtui.session.verbs.parsing import find_verb_of
from xwtui.session.verbs.verb import (
    WITHOUT_GRID,
    Answer,
    Group,
    Reply,
    Verb,
    argument,
    help_of,
    names_of,
    option,
    verbs_of,
)
from xwtui.text import listed, printable
from xwtui.user_files import UserFileError, read_toml

with lazy_imports():
    from xwtui.session import open_puzzles
    from xwtui.session.journal import changed
    from xwtui.session.keys import key_map
    from xwtui.session.keys.key_map import (
        KeyMap,
        faults_of,
        keys_in_force,
        read_key_file,
        shipped_map,
        shipped_maps,
    )
    from xwtui.session.keys.names import key_cap
    from xwtui.session.session import Session
    from xwtui.session.settings import load_settings
    from xwtui.session.verbs import registry
    from xwtui.session.verbs.searching import Sought, VerbSearch, phrases_for, sought_verb

verb = verbs_of(Group.SESSION)

DEFAULT_THEME = "dark"


def colour_themes() -> Mapping[str, str]:
    """Return the color themes by name with summaries, shipped ones first; unreadable files are left out."""
    files = [*sorted(themes_folder().glob("*.toml")), *sorted(user_themes_folder().glob("*.toml"))]
    return {path.stem: summary for path in files if (summary := _summary(path)) is not None}


def _list_choices(known: Mapping[str, str], used: str) -> tuple[list[str], list[dict[str, object]]]:
    """Return names with their summaries, as lines and as JSON; a star (in JSON, `used`) marks the one in use."""
    width = max(map(len, known))
    lines = [f"{'*' if name == used else ' '} {name:{width}}  {summary}" for name, summary in known.items()]
    return lines, [{"name": name, "summary": summary, "used": name == used} for name, summary in known.items()]


def _summary(path: Path) -> str | None:
    try:
        return printable(str(read_toml(path).get("summary", "")))
    except UserFileError:
        return None


@parameter_kind("theme", names=colour_themes)
def COLOUR_THEME(text: str, session: Session) -> str:
    """The name of a color theme, shipped or the user's own."""
    names, name = colour_themes(), text.strip().lower()
    if name not in names:
        raise VerbError(f"there is no color theme {printable(text, 30)!r}; choose from {listed(names, 'and')}")
    return name


@verb("colours list", aliases="theme list, colors list", from_shell=WITHOUT_GRID)
def colours_list(session: Session) -> Answer:
    """List the screen's color themes, with a star at the one in use.

    Theme files of your own go in the `themes` folder next to your settings.
    """
    lines, themes = _list_choices(colour_themes(), load_settings().theme or DEFAULT_THEME)
    return ImmediateAnswer(lines, {"themes": themes})


@verb("colours use light", "colours use colour-blind", aliases="theme use, colors use", from_shell=WITHOUT_GRID)
def colours_use(
    session: Session, theme: str = argument("a color theme; `colours list` shows their names", COLOUR_THEME)
) -> Answer:
    """Choose the screen's color theme; the choice is remembered."""
    session.remember(theme=theme)
    return f"the colors are those of {theme}"


def _key_maps() -> dict[str, str]:
    return {name: file.summary for name, file in shipped_maps().items()}


@parameter_kind("map", names=_key_maps)
def KEY_MAP(text: str, session: Session) -> str:
    """The name of a key map that ships."""
    return shipped_map(text.strip().lower()).name


@verb("keys show", "keys show crosshare", from_shell=WITHOUT_GRID)
def keys_show(
    session: Session, map: str | None = argument("a key map that ships (default: the keys in use)", KEY_MAP)
) -> Answer:
    """List the keys in use, or those of a key map, by the names used in key files.

    To change keys, put a file `keys.toml` in your settings folder: `"ctrl+d" = "stats"`.
    """
    shown = keys_in_force(load_settings()).map if map is None else shipped_map(map)
    targets = list(dict.fromkeys(one.target for one in shown.bindings))
    width = max(len(target) for target in targets)
    lines = [f"  {target:{width}}  {shown.caps_of(target)}" for target in targets]
    idle = [action.name for action in ACTIONS if action.name not in targets]
    rest = f"without a key: {', '.join(idle)}, and the verbs that are not listed"
    bound = [{"key": key_cap(one.key), "does": one.target, "place": one.place} for one in shown.bindings]
    return ImmediateAnswer([f"the keys of {shown.name}", *lines, rest], {"map": shown.name, "keys": bound})


@verb("keys list", from_shell=WITHOUT_GRID)
def keys_list(session: Session) -> Answer:
    """List the key maps to choose from, with a star at the one in use."""
    own = user_key_file()
    base = read_key_file(own).base if own.exists() else ""
    lines, maps = _list_choices(_key_maps(), base or load_settings().key_map or key_map.OWN_MAP)
    over = f"plus your own keys: {own}" if own.exists() else "you have no keys of your own"
    return ImmediateAnswer([*lines, over], {"maps": maps, "file": own if own.exists() else None})


@verb("keys use crosshare", "keys use xwtui", from_shell=WITHOUT_GRID)
def keys_use(
    session: Session, map: str = argument("a key map that ships; `keys list` shows their names", KEY_MAP)
) -> Answer:
    """Choose a key map; the choice is remembered.

    Your own keys in `keys.toml` still come first.
    """
    own = user_key_file()
    if own.exists():
        file = read_key_file(own)
        if file.base and file.base != map:
            raise VerbError(f'{own}, line {file.base_line}, says base = "{file.base}"; change or remove that line')
    session.remember(key_map=map)
    return f"the keys are those of {map}"


@verb("keys check", "keys check mine.toml", from_shell=WITHOUT_GRID)
def keys_check(
    session: Session, file: Path | None = argument("a key file (default: your own)", file_kind(".toml"))
) -> Answer:
    """Check your own key file for mistakes.

    It reports keys used twice, keys that terminals cannot send or that xwtui needs, unknown names, and actions
    left without a key.
    """
    chosen = load_settings().key_map or key_map.OWN_MAP
    path = file or user_key_file()
    if file is None and not path.exists():
        text = f"you have no keys of your own, so those of `{chosen}` are used"
        return ImmediateAnswer([text], {"status": "clean", "file": None, "base": chosen, "faults": []})
    read = read_key_file(path)
    base, faults = read.base or chosen, faults_of(read, shipped_map(chosen))
    lines = [f"{path}, line {fault.line}: {fault.kind.value}: {fault.text}" for fault in faults]
    is_clean = not any(fault.kind.is_grave for fault in faults)
    return ImmediateAnswer(
        lines or [f"{path}: no mistakes; these keys change those of `{base}`"],
        {
            "status": "clean" if is_clean else "faults",
            "file": path,
            "base": base,
            "faults": JsonShape("kind grave=kind.is_grave key line message=text").convert(faults),
        },
        is_found=is_clean,
    )


OFF = "off"


@parameter_kind("size", among(GRID_SIZES))
def DRAWING_SIZE(text: str, session: Session) -> str:
    """The size of the grid drawing."""
    if text.lower() not in GRID_SIZES:
        raise VerbError(f"{text!r} is not a size; use {', '.join(GRID_SIZES)}")
    return text.lower()


@verb("show", "show --size large", "show --size auto")
def show(
    session: Session, size: str | None = option("auto, small, medium or large, from now on", DRAWING_SIZE)
) -> Answer:
    """Draw the grid in the REPL, small or large.

    `auto` goes by the terminal's width: medium from 120 columns, large from 180, if the grid fits.
    """
    if size is not None:
        session.settings = replace(session.settings, grid_size=size)
    return Reply(shows_grid=True)


@parameter_kind("change", takes_rest=True)
def CHANGE(text: str, session: Session) -> dict[str, Any]:
    """A change of the puzzle in the journal's format."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise VerbError("this is not a change from a transcript")
    return found


@verb('change {"squares": [], "clues": [], "texts": {"title": "Hearts"}}')
def change(
    session: Session, what: dict[str, Any] = argument("the change as written in a transcript", CHANGE)
) -> Answer:
    """Replay a change from a transcript, such as a fill, without redoing the work."""

    def made(puzzle: Puzzle) -> Puzzle:
        try:
            return changed(puzzle, what)
        except (LookupError, ValueError, TypeError, OverflowError) as error:
            raise VerbError("change: this change does not apply to this puzzle") from error

    session.edit("change", made)
    return None


@verb("transcript monday.xwt", "transcript off")
def transcript(
    session: Session,
    file: Path = argument("a file for the lines, or `off`", file_kind(".xwt")),
    force: bool = option("overwrite an existing transcript"),
) -> Answer:
    """Record the lines you type in the REPL to a file that `xwtui run FILE` can replay.

    Replaying it gives the same puzzle: the results of fills and other long work are recorded below the line that
    started them. The starting puzzle is saved next to the transcript (`monday-1.ipuz`), along with any puzzle
    opened later and word lists that are next to a puzzle. File names are relative to the transcript's folder, so
    you can move or send the folder.
    """
    if str(file).lower() == OFF:
        return Reply(ends_transcript=True)
    return Reply(transcript=file.expanduser(), overwrites=force)


_MOST_FOUND = 12
_ON_SCREEN = "  on the screen:"
_AS_GOOD = 0.5
"""Share of the best score that makes a verb worth listing."""


class TopicLine(NamedTuple):
    """Alternative inputs, and their meaning."""

    forms: tuple[str, ...]
    meaning: str


class HelpTopic(NamedTuple):
    """A page of the help; its name differs from those of verbs, and keywords help searches find it."""

    name: str
    summary: str
    table: tuple[TopicLine, ...]
    notes: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()

    @property
    def lines(self) -> list[str]:
        shown = [(", ".join(forms), meaning) for forms, meaning in self.table]
        width = max(len(forms) for forms, _ in shown)
        return [f"{self.summary}:", *(f"  {forms:{width}}  {meaning}" for forms, meaning in shown), *self.notes]

    @property
    def searched(self) -> str:
        """The text that searches match, in lower case."""
        return " ".join((self.name, *self.keywords, *self.lines)).lower()


PLACES = HelpTopic(
    "places",
    "How entries and squares are named, in every verb",
    (
        TopicLine(("17A", "5D"), "an entry, from its first square on: its number, and A for across or D for down"),
        TopicLine(("here", "."), "the entry under the cursor, or its square"),
        TopicLine(("r3c12",), "one square: row 3, column 12, counted from the top left corner, which is r1c1"),
        TopicLine(("r1c1:r3c3",), "a rectangle, row by row from the corner named first"),
        TopicLine(("row 7", "column 3", "col 3"), "a line, from left to right or from top to bottom"),
        TopicLine(("perimeter",), "the outermost squares, clockwise from the top left corner"),
        TopicLine(("diagonal",), "from the top left corner to the bottom right, in a square grid"),
        TopicLine(("antidiagonal",), "from the bottom left corner to the top right, in a square grid"),
        TopicLine(("selection",), "the squares that are selected, row by row"),
    ),
    (
        "Each square counts once, in this order. Commas separate several: `fill --only row 7,17A`.",
        "A verb that takes one entry or square refuses several.",
        "Text that looks like a place but is not one is an error, never letters.",
    ),
    ("squares", "entries", "coordinates", "area", "range", "region", "cells", "position", "addresses"),
)

SERVE = HelpTopic(
    "serve",
    "How xwtui opens in a web browser, by a command of the shell",
    (TopicLine(("xwtui serve heart.ipuz",), "typed in a shell, prints the address to open"),),
    (
        "`xwtui serve` alone opens an empty grid; save the puzzle here before you open it there.",
        "If it needs more packages, it says how to install them. `xwtui serve --help` explains its options.",
    ),
    ("browser", "web", "server", "firefox", "chrome"),
)

TOPICS = (PLACES, SERVE)


def overview(keys: KeyMap) -> list[str]:
    """Return a line for each verb with its keys: the main set by task, then the rest."""
    width = max(len(one.name) for one in registry.VERBS.values())
    lines = [
        line
        for heading, members in registry.SECTIONS.items()
        for line in (heading, *(_verb_line(one, width, keys) for one in members))
    ]
    pages = [f"  {topic.name:{width}}  {topic.summary}" for topic in TOPICS]
    return [*lines, "Pages", *pages, "See also `help VERB` and `help places`."]


def help_on(verb: Verb, keys: KeyMap) -> list[str]:
    """Return a verb's help: usage, description, arguments, keys and examples."""
    params = [(param.human_readable_name, help_of(param)) for param in verb.arguments]
    params += [(", ".join(names_of(param)), help_of(param)) for param in verb.options]
    width = max((len(label) for label, _ in params), default=0)
    paragraphs = (verb.command.help or "").split("\n\n")
    lines = [f"usage: {verb.usage}", *(" ".join(paragraph.split()) for paragraph in paragraphs)]
    lines += [f"  {label:{width}}  {text}" for label, text in params]
    lines += verb.forms
    if caps := keys.caps_of(verb.name):
        lines.append(f"keys: {caps}")
    if verb.aliases:
        lines.append(f"also: {', '.join(verb.aliases)}")
    return lines + [f"example: {example}" for example in verb.examples]


class HelpKey(NamedTuple):
    """A line of the key table: keys with a common effect, and the names of their actions."""

    keys: str
    summary: str
    names: tuple[str, ...] = ()

    @property
    def sought(self) -> Sought:
        phrases = (phrase for name in self.names for phrase in phrases_for(name))
        return Sought(" ".join(self.names), (*phrases, self.keys.lower()), self.summary, self.summary)


def own_keys(keys: KeyMap) -> list[HelpKey]:
    """Return the screen's keys for actions other than verbs; those with the same effect share a line."""
    rows = [HelpKey("A–Z, 0–9", "write into the square and move on to the next")]
    places = (KeyPlace.GRID, KeyPlace.CANDIDATES, KeyPlace.SCREEN)
    by_place = sorted(ACTIONS, key=lambda action: places.index(action.place))
    for summary, actions in groupby(by_place, key=lambda action: action.summary):
        names = tuple(action.name for action in actions)
        if caps := ", ".join(filter(None, map(keys.caps_of, names))):
            rows.append(HelpKey(caps, summary, names))
    return rows


def sought_in_help(keys: KeyMap) -> dict[str, Sought]:
    """Return what a search of the help can find on every face, by row: verbs, then the other keys."""
    main = {verb.name for verb in registry.MAIN_SET}
    verbs = [sought_verb(one, matters=one.name in main) for one in registry.VERBS.values()]
    with_keys = [one._replace(phrases=(*one.phrases, keys.caps_of(one.name).lower())) for one in verbs]
    return {one.name: one for one in with_keys} | {row.keys: row.sought for row in own_keys(keys)}


def found_in_help(search: str, keys: KeyMap) -> list[str]:
    """Return lines for the best matching verbs and keys, others that contain the words, and pages that do."""
    sought, words = sought_in_help(keys), search.lower().split()
    rows, verbs = list(sought), registry.VERBS
    fitting = VerbSearch([*sought.values()]).found(search, corrects=False)[:_MOST_FOUND]
    found = [rows[place] for place, score in fitting if score >= fitting[0][1] * _AS_GOOD]
    found += [row for row, one in sought.items() if row not in found and all(word in one.text for word in words)]
    pages = [topic for topic in TOPICS if all(word in topic.searched for word in words)]
    names = [*(row for row in found if row in verbs), *(topic.name for topic in pages)]
    width = max(map(len, names), default=0)
    return [
        *(
            _verb_line(verbs[row], width, keys) if row in verbs else f"{_ON_SCREEN} {row}  {sought[row].summary}"
            for row in found
        ),
        *(f"  {topic.name:{width}}  {topic.summary}" for topic in pages),
    ]


def _verb_line(verb: Verb, width: int, keys: KeyMap) -> str:
    caps = keys.caps_of(verb.name)
    return f"  {verb.name:{width}}  {verb.summary}" + (f"  [{caps}]" if caps else "")


HELP_TOPIC = ParameterKind(
    "verb",
    lambda text, session: text.strip("\"'"),
    among(lambda: {one.name: one.summary for some in (registry.VERBS.values(), TOPICS) for one in some}),
    takes_rest=True,
)


@verb("help", "help set", "help places", "help rebus square", aliases="?", from_shell=WITHOUT_GRID)
def help_(
    session: Session,
    what: str | None = argument(
        "a verb, `places`, or words to search for (default: list all verbs)", HELP_TOPIC, metavar="[VERB]"
    ),
) -> Answer:
    """List all verbs, explain one, or find verbs by words.

    `help places` explains how to name squares and entries. Other words are searched for in the help of all
    verbs, their options and their keys, and among the other keys of the screen.
    """
    keys = keys_in_force(session.settings).map
    if not what:
        return overview(keys)
    if topic := next((one for one in TOPICS if one.name == what.lower()), None):
        return topic.lines
    words = what.split()
    names = {name for one in registry.VERBS.values() for name in (one.name, *one.aliases)}
    is_search = len(words) > 1 and not words[1].startswith("-") and " ".join(words).lower() not in names
    if is_search and (found := found_in_help(what, keys)):
        return _found(what, found)
    try:
        return help_on(find_verb_of(words), keys)
    except VerbError:
        if not (found := found_in_help(what, keys)):
            raise
        return _found(what, found)


def _found(search: str, lines: Sequence[str]) -> list[str]:
    return [f"about '{printable(search, 40)}':", *lines, "See also `help VERB`."]


@verb("quit", aliases="exit, q")
def quit_(
    session: Session, force: bool = option("discard unsaved changes; `discarded` brings them back")
) -> Answer:
    """End the session."""
    sessions = open_puzzles.sessions_of(session)
    unsaved = [one.document.name for one in sessions if one.document.is_modified]
    if unsaved and not force:
        has = "has" if len(unsaved) == 1 else "have"
        raise UnsavedError(f"{listed(unsaved, 'and')} {has} unsaved changes")
    if not force:
        return Reply(quit=True)
    return Reply(tuple(filter(None, map(open_puzzles.give_up_in_words, sessions))), quit=True)

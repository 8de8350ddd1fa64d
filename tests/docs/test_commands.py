"""Commands and lines on the pages are valid, and every file they name exists.

Nothing is run: lines are only parsed, so that renamed verbs and options do not go unnoticed.
"""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import click
import pytest
from click.testing import CliRunner

from xwtui.errors import VerbError
from xwtui.session.session import Session
from xwtui.session.verbs.parsing import find_verb_of, verb_words, words_of
from xwtui.session.verbs.registry import VERBS
from xwtui.start import shell
from xwtui.strategies.registry import STRATEGIES

ROOT = Path(__file__).parents[2]
GENERATED = {"verbs.md"}
"""Generated from the declarations."""
PAGES = tuple(
    page
    for page in (
        ROOT / "README.md",
        ROOT / "CONTRIBUTING.md",
        *sorted((ROOT / "docs").glob("*.md")),
        *sorted((ROOT / "docs" / "strategies").glob("*.md")),
        ROOT / "puzzles" / "README.md",
        ROOT / "wordlists" / "PROVENANCE.md",
    )
    if page.name not in GENERATED
)
NO_LINES = {
    "check 17A": "what is typed in the REPL while one solves",
    "clue of PONTI": "what the screen shows",
    "clue table": "what is searched for",
    "enumerations = true": "a line of a profile",
    "lists on, off, up, down, scale": "several verbs",
    "swap ENTRY WORD": "an entry that has a different name",
    "words 2 sha256 1ff91b98…": "a line of a proof",
    "xwtui proof 1": "a line of a proof",
}
_FENCE = re.compile(r"^ *```(\w*)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
_SPAN = re.compile(r"(?<!`)`([^`]+)`(?!`)")
_FIRST_WORDS = {verb.name.split()[0] for verb in VERBS.values()}
_SYNOPSIS = re.compile(r"\[(-|[A-Z]+\])|\.\.\.|…|\||\b(GRID|PUZZLE|SCRIPT|ADDRESS|[A-Z]+\.\.\.)\b")


class Typed(NamedTuple):
    """Typed text on a page; `in_block` if it stands on a line of its own and is complete."""

    text: str
    in_block: bool


def typed(page: Path) -> Iterator[Typed]:
    """Yield the lines of a page's code blocks, then the text in backticks."""
    text = page.read_text(encoding="utf-8")
    for language, block in _FENCE.findall(text):
        if language not in ("python", "toml"):
            yield from (Typed(line.strip(), True) for line in block.replace("\\\n", " ").splitlines())
    for span in _SPAN.findall(_FENCE.sub("", text)):
        yield Typed(" ".join(span.replace("\\|", "|").split()), False)


def commands() -> Iterator[tuple[str, str]]:
    """Yield every complete shell command, with its page."""
    for page in PAGES:
        for text, in_block in typed(page):
            found = re.search(r"(?:^|\| |\$ )(xwtui(?: .*)?)$", text)
            line = re.split(r" {3,}| +\|| +# ", found[1])[0] if found is not None else ""
            is_one = line and line not in NO_LINES and ", " not in line and not _SYNOPSIS.search(line)
            if is_one and (in_block or len(line.split()) > 2):
                yield page.name, line


def lines() -> Iterator[tuple[str, str]]:
    """Yield every verb line with arguments, and everything typed after a colon."""
    for page in PAGES:
        for text, _ in typed(page):
            line = re.split(r" {3,}", text.removeprefix(":").strip())[0]
            words = line.split()
            begins = text.startswith(":") or (len(words) > 1 and words[0] in _FIRST_WORDS)
            if words and begins and line not in NO_LINES:
                yield page.name, line


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    session = Session(journal_folder=tmp_path_factory.mktemp("journal"))
    session.open(ROOT / "puzzles" / "heart-to-heart.ipuz")
    yield session
    session.close()


def fault_of_command(line: str) -> str:
    """Return the shell's error for a command, ignoring missing arguments, which pages may omit."""
    with (
        patch("click.Command.invoke", lambda self, context: 0),
        patch("click.Path.convert", lambda self, value, param, context: Path(value)),
    ):
        done = CliRunner().invoke(shell, shlex.split(line)[1:], prog_name="xwtui")
    is_short = re.search(r"Missing option|requires an argument|^xwtui: [\w ]+ needs [A-Z]+; ", done.stderr)
    return "" if done.exit_code == 0 or is_short else done.stderr


def fault_of_line(session: Session, line: str) -> str:
    """Return what is wrong with a line, ignoring puzzle-dependent values and missing arguments."""
    words = words_of(re.sub(r" (--json|-o \S+)", "", line))
    try:
        verb = find_verb_of([word.text for word in words])
        with click.Context(verb.command, info_name=verb.name, obj=session) as context:
            verb.command.parse_args(context, [word.text for word in verb_words(verb, line, words)])
    except click.BadParameter:
        return ""
    except click.BadOptionUsage as error:
        return "" if "requires an argument" in error.message else error.message
    except (VerbError, click.UsageError) as error:
        return "" if "needs more" in str(error) else str(error)
    return ""


def test_the_shell_accepts_every_command() -> None:
    found = [*commands()]
    assert len(found) > 60
    assert [f"{page}: {line}: {fault}" for page, line in found if (fault := fault_of_command(line))] == []


def test_a_verb_accepts_every_line(session: Session) -> None:
    found = [*lines()]
    assert len(found) > 200
    assert [f"{page}: {line}: {fault}" for page, line in found if (fault := fault_of_line(session, line))] == []


@pytest.mark.parametrize(
    "line", ["xwtui fill grid.txt --no-such", "xwtui snapshot a.ipuz keep x", "xwtui export a.ipuz b.puz c.puz"]
)
def test_a_wrong_command_is_detected(line: str) -> None:
    assert fault_of_command(line)


@pytest.mark.parametrize("line", ["fill --no-such", "snapshots save x", "themes list", "race save a.csv b.csv"])
def test_a_wrong_line_is_detected(session: Session, line: str) -> None:
    assert fault_of_line(session, line)


_PLACES = (ROOT, ROOT / "xwtui", ROOT / "wordlists")
_PATH = re.compile(
    r"^(?:[\w.-]+/)*[\w-]+\.(?:py|svg|ipuz)$|^(?:xwtui|tests|docs|bench|puzzles|wordlists)/[\w./-]+$"
)
_MADE = {"NAME.py", "heart.ipuz", "grid.ipuz", "filled.ipuz", "hard.ipuz", "two-hearts.ipuz"}


def named_files(page: Path) -> Iterator[str]:
    """Yield project files named in backticks on a page, or first on a line of a block."""
    for text, in_block in typed(page):
        name = text.split("  ")[0] if in_block else text
        if _PATH.match(name) and Path(name).name not in _MADE:
            yield name


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.name + "/" + page.name)
def test_every_named_file_exists(page: Path, modules: set[str]) -> None:
    missing = [
        name
        for name in named_files(page)
        if not any((place / name).exists() for place in (*_PLACES, page.parent)) and name not in modules
    ]
    assert missing == []


@pytest.fixture(scope="module")
def modules() -> set[str]:
    """Return the names of all modules, which a page may give without their folder."""
    return {path.name for path in (ROOT / "xwtui").rglob("*.py")}


def test_file_names_are_detected() -> None:
    assert {"engine/fill/search_settings.py", "session/jobs/counts.py", "xwtui/strategies/"} <= {
        *named_files(ROOT / "docs" / "architecture.md")
    }


def test_the_architecture_map_has_every_folder() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    rooms = [path.parent for path in (ROOT / "xwtui").glob("*/__init__.py")]
    assert [room.name for room in rooms if f"xwtui/{room.name}/" not in page] == []
    steps = [path.parent.name for path in (ROOT / "xwtui" / "engine").glob("*/__init__.py")]
    assert [step for step in steps if f"{step}/" not in page] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.name + "/" + page.name)
def test_every_code_block_is_closed_on_a_separate_line(page: Path) -> None:
    fences = [line.strip() for line in page.read_text(encoding="utf-8").splitlines() if "```" in line]
    assert [fence for fence in fences if not re.fullmatch(r"```\w*", fence)] == []
    assert [fence for fence in fences[1::2] if fence != "```"] == []
    assert len(fences) % 2 == 0


def test_documented_default_entrants_of_a_race() -> None:
    """If this fails, update the help of `race` and `batch race`, and docs/race.md, which name those left out."""
    kept_out = [name for name, strategy in STRATEGIES.items() if not strategy.enters_races]
    told: Any = VERBS["race"].arguments[0]
    assert told.help == f"the strategies to race (default: all but {' and '.join(kept_out)})"

"""What the pages tell one to type is what the program takes, and every file that they name is there.

Nothing is run: the lines are parsed as they would be, so that no name of a verb or an option moves away unseen.
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
"""Written from the declarations."""
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
    """What a page shows as typed; `in_block` where it stands by itself, and is whole."""

    text: str
    in_block: bool


def typed(page: Path) -> Iterator[Typed]:
    """The lines of a page's blocks of code, then what stands in backticks."""
    text = page.read_text(encoding="utf-8")
    for language, block in _FENCE.findall(text):
        if language not in ("python", "toml"):
            yield from (Typed(line.strip(), True) for line in block.replace("\\\n", " ").splitlines())
    for span in _SPAN.findall(_FENCE.sub("", text)):
        yield Typed(" ".join(span.replace("\\|", "|").split()), False)


def commands() -> Iterator[tuple[str, str]]:
    """Every whole command of the shell, with its page."""
    for page in PAGES:
        for text, in_block in typed(page):
            found = re.search(r"(?:^|\| |\$ )(xwtui(?: .*)?)$", text)
            line = re.split(r" {3,}| +\|| +# ", found[1])[0] if found is not None else ""
            is_one = line and line not in NO_LINES and ", " not in line and not _SYNOPSIS.search(line)
            if is_one and (in_block or len(line.split()) > 2):
                yield page.name, line


def lines() -> Iterator[tuple[str, str]]:
    """Every line of a verb with words after it, and whatever is typed after a colon."""
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
    """What the shell says against the words of a command, but that some are left out, as on a page."""
    with (
        patch("click.Command.invoke", lambda self, context: 0),
        patch("click.Path.convert", lambda self, value, param, context: Path(value)),
    ):
        done = CliRunner().invoke(shell, shlex.split(line)[1:], prog_name="xwtui")
    is_short = re.search(r"Missing (argument|option)|requires an argument", done.stderr)
    return "" if done.exit_code == 0 or is_short else done.stderr


def fault_of_line(session: Session, line: str) -> str:
    """What is wrong with a line but values, which depend on the puzzle, and what is left to be said."""
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


def test_every_command_is_one_that_the_shell_takes() -> None:
    found = [*commands()]
    assert len(found) > 60
    assert [f"{page}: {line}: {fault}" for page, line in found if (fault := fault_of_command(line))] == []


def test_every_line_is_one_that_a_verb_takes(session: Session) -> None:
    found = [*lines()]
    assert len(found) > 200
    assert [f"{page}: {line}: {fault}" for page, line in found if (fault := fault_of_line(session, line))] == []


@pytest.mark.parametrize(
    "line", ["xwtui fill grid.txt --no-such", "xwtui snapshot a.ipuz keep x", "xwtui export a.ipuz b.puz c.puz"]
)
def test_a_wrong_command_is_found(line: str) -> None:
    assert fault_of_command(line)


@pytest.mark.parametrize("line", ["fill --no-such", "snapshots save x", "themes list", "race save a.csv b.csv"])
def test_a_wrong_line_is_found(session: Session, line: str) -> None:
    assert fault_of_line(session, line)


_PLACES = (ROOT, ROOT / "xwtui", ROOT / "wordlists")
_PATH = re.compile(
    r"^(?:[\w.-]+/)*[\w-]+\.(?:py|svg|ipuz)$|^(?:xwtui|tests|docs|bench|puzzles|wordlists)/[\w./-]+$"
)
_MADE = {"NAME.py", "heart.ipuz", "grid.ipuz", "filled.ipuz", "hard.ipuz", "two-hearts.ipuz"}


def named_files(page: Path) -> Iterator[str]:
    """The files of the project that stand in backticks on a page, or first in a line of a block."""
    for text, in_block in typed(page):
        name = text.split("  ")[0] if in_block else text
        if _PATH.match(name) and Path(name).name not in _MADE:
            yield name


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.name + "/" + page.name)
def test_every_file_that_is_named_is_there(page: Path, modules: set[str]) -> None:
    missing = [
        name
        for name in named_files(page)
        if not any((place / name).exists() for place in (*_PLACES, page.parent)) and name not in modules
    ]
    assert missing == []


@pytest.fixture(scope="module")
def modules() -> set[str]:
    """The names of all modules, which a page may name without their folder."""
    return {path.name for path in (ROOT / "xwtui").rglob("*.py")}


def test_files_are_named() -> None:
    assert {"engine/fill/search_settings.py", "session/jobs/counts.py", "xwtui/strategies/"} <= {
        *named_files(ROOT / "docs" / "architecture.md")
    }


def test_the_map_of_the_house_has_every_room() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    rooms = [path.parent for path in (ROOT / "xwtui").glob("*/__init__.py")]
    assert [room.name for room in rooms if f"xwtui/{room.name}/" not in page] == []
    steps = [path.parent.name for path in (ROOT / "xwtui" / "engine").glob("*/__init__.py")]
    assert [step for step in steps if f"{step}/" not in page] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.name + "/" + page.name)
def test_every_block_of_code_ends_on_a_line_of_its_own(page: Path) -> None:
    fences = [line.strip() for line in page.read_text(encoding="utf-8").splitlines() if "```" in line]
    assert [fence for fence in fences if not re.fullmatch(r"```\w*", fence)] == []
    assert [fence for fence in fences[1::2] if fence != "```"] == []
    assert len(fences) % 2 == 0


def test_who_races_unnamed_is_told() -> None:
    """Where this fails: the help of `race` and `batch race`, and docs/race.md, name who does not."""
    kept_out = [name for name, strategy in STRATEGIES.items() if not strategy.enters_races]
    told: Any = VERBS["race"].arguments[0]
    assert told.help == f"the strategies to race (default: all but {' and '.join(kept_out)})"

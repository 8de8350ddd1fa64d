"""Plug-ins from other packages: found by entry points, validated, reported when left out."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from xwtui import plugins
from xwtui.batch.pool import open_pool, other_pools, pool_name
from xwtui.batch.tasks import BatchKind
from xwtui.errors import BatchError
from xwtui.strategies.registry import _OWN, STRATEGIES

EXAMPLE = Path(__file__).parents[1] / "examples" / "xwtui-example"


def published(folder: Path, package: str, text: str) -> None:
    metadata = folder / f"{package}-1.0.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "entry_points.txt").write_text(text)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of packages that is searched for plug-ins."""
    monkeypatch.syspath_prepend(tmp_path)
    plugins._published.cache_clear()
    monkeypatch.setattr(plugins, "skipped", [])
    yield tmp_path
    monkeypatch.undo()
    plugins._published.cache_clear()


def test_plugins_are_found_by_entry_point_group(site: Path) -> None:
    lines = "[console_scripts]\nx = y:z\n\n[xwtui.pools]\n# none\nsteam = steam.pool : Pool\n"
    published(site, "some_parts", lines)
    assert plugins.targets(plugins.POOLS, {}) == {"steam": "steam.pool : Pool"}
    assert plugins.targets(plugins.FORMATS, {"own": "here:X"}) == {"own": "here:X"}


def test_the_address_scheme_selects_the_pool_and_help_lists_pools(site: Path) -> None:
    assert other_pools() == ""
    published(site, "some_pools", "[xwtui.pools]\nsteam = steam.pool:Pool\ndask = steam.pool:Dask\n")
    plugins._published.cache_clear()
    assert [pool_name(at) for at in ("steam://2", "tcp://host:8786", "", None)] == ["steam", *["dask"] * 3]
    assert other_pools() == "; other pools: steam://"
    with pytest.raises(BatchError, match="the pool steam cannot be loaded: No module named 'steam'"):
        open_pool(BatchKind.FILL, address="steam://2")


def test_the_registry_lists_every_strategy() -> None:
    ours = [f"{one.__module__.removeprefix('xwtui.strategies.')}:{one.__name__}" for one in STRATEGIES.values()]
    assert tuple(ours[: len(_OWN)]) == _OWN


def test_invalid_plugins_are_reported_and_left_out(site: Path) -> None:
    (site / "odd_parts.py").write_text("VALUE = 5\n")
    (site / "loud_parts.py").write_text("raise SystemExit('no')\n")
    lines = "five = odd_parts:VALUE\nmissing = odd_parts:NOTHING\nloud = loud_parts:X\nnowhere = nowhere_at_all:X"
    published(site, "odd", f"[xwtui.formats]\n{lines}")
    found = list(plugins.plugins(plugins.FORMATS, lambda value: "it is five" if value == 5 else "", ["own"]))
    assert found == ["own"]
    assert [one.words for one in plugins.skipped] == [
        "the format five of odd is left out: it is five",
        "the format missing of odd is left out: AttributeError: module 'odd_parts' has no attribute 'NOTHING'",
        "the format loud of odd is left out: SystemExit: no",
        "the format nowhere of odd is left out: ModuleNotFoundError: No module named 'nowhere_at_all'",
    ]


TRIED = """
from xwtui import plugins
from xwtui.formats.registry import all_formats, puzzle_bytes, read_bytes
from xwtui.formats.grid_text import grid_from_text, puzzle_of_grid, grid_to_text
from xwtui.strategies.registry import STRATEGIES
from xwtui.model.rules.registry import ENTRY_KINDS
puzzle = puzzle_of_grid(grid_from_text("AB[HEART]\\nC#D\\nEFG"))
data = puzzle_bytes(puzzle, ".csvgrid", lossy=True).data
print(data, grid_to_text(read_bytes(data, ".csvgrid").grid) == grid_to_text(puzzle.grid))
print(list(STRATEGIES)[-1], ENTRY_KINDS[-1].__name__, *plugins.targets(plugins.POOLS, {}))
print([one.words for one in plugins.skipped])
"""


def in_a_process(site: Path, *arguments: str) -> str:
    """Run a new process with the example package on its path, and return its output."""
    entries = [line for line in (EXAMPLE / "pyproject.toml").read_text().splitlines() if line]
    lines = []
    for line in entries[entries.index('[project.entry-points."xwtui.formats"]') :]:
        group = line.removeprefix('[project.entry-points."').removesuffix('"]')
        lines.append(f"[{group}]" if group != line else line.replace('"', ""))
    published(site, "xwtui_example", "\n".join(lines))
    code = f"import sys; sys.path[:0] = [{str(site)!r}, {str(EXAMPLE)!r}]\n"
    done = subprocess.run(
        [sys.executable, "-c", code + arguments[0]], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def test_the_example_package_is_loaded(tmp_path: Path) -> None:
    letters, named, left_out = in_a_process(tmp_path, TRIED).splitlines()
    assert letters == r"b'A,B,HEART\r\nC,#,D\r\nE,F,G\r\n' True"
    assert named == "longest-first NoDoubles processes"
    assert left_out == "[]"


def test_a_suffix_name_or_field_already_in_use_is_refused(tmp_path: Path) -> None:
    (tmp_path / "greedy.py").write_text(
        "from xwtui.formats.base import Format\n"
        "from xwtui.strategies.xwtui_engine import XwtuiEngine\n"
        "from xwtui.model.rules.entry_rules import LetterLimit\n"
        "FORMAT = Format('mine', ('.ipuz',), None, None)\n"
    )
    published(
        tmp_path,
        "greedy",
        "[xwtui.formats]\nf = greedy:FORMAT\n[xwtui.strategies]\ns = greedy:XwtuiEngine\n"
        "[xwtui.rules]\nr = xwtui.model.rules.entry_rules:LetterLimit\n",
    )
    told = in_a_process(tmp_path, TRIED + "print(*[one.words for one in plugins.skipped], sep='\\n')").splitlines()
    assert told[-3:] == [
        "the rule r of greedy is left out: its --most is in use",
        "the strategy s of greedy is left out: there is already a strategy xwtui",
        "the format f of greedy is left out: its suffix .ipuz is in use",
    ]


def test_the_program_reports_what_it_leaves_out(tmp_path: Path) -> None:
    published(tmp_path, "broken", "[xwtui.formats]\nb = nowhere_at_all:FORMAT\n")
    called = (
        "from xwtui.start import main\n"
        "try: main(['convert', 'puzzles/templates/mini-5x5.txt', '--help'])\nexcept SystemExit: pass\n"
        "try: main(['check', 'puzzles/templates/mini-5x5.txt'])\nexcept SystemExit: pass\n"
    )
    told = in_a_process(tmp_path, called)
    assert "xwtui: the format b of broken is left out: ModuleNotFoundError" in told


def test_an_incompatible_rule_is_left_out_and_all_verbs_remain(tmp_path: Path) -> None:
    (tmp_path / "older.py").write_text(
        "from xwtui.model.rules.entry_rules import LetterLimit\n"
        "from xwtui.model.rules.grammar import RuleOption\n"
        "class Older(LetterLimit):\n    field = 'older'\n    option = RuleOption('--older', 'older', 'help')\n"
    )
    published(tmp_path, "older", "[xwtui.rules]\no = older:Older\n")
    called = "from xwtui.session.verbs.registry import VERBS\nfrom xwtui import plugins\n"
    called += "print(*(option.opts[0] for option in VERBS['rule'].options))\nprint(plugins.skipped[0].words)"
    options, told = in_a_process(tmp_path, called).splitlines()
    assert options.split()[-1] == "--no-doubles"
    assert told.startswith("the rule o of older is left out: it is a rule for another xwtui")


QUOTA = """
from dataclasses import dataclass
from xwtui.model.rules.checks import check_letters, check_number, read_mapping, read_number
from xwtui.model.rules.collection import Edited, RuleVerb
from xwtui.model.rules.constraints import LetterCount
from xwtui.model.rules.base import Breach, GridRule
from xwtui.model.rules.grammar import Argument, Reads, Value

@dataclass(frozen=True)
class Quota(GridRule):
    letter: str
    least: int

    @classmethod
    def read(cls, fields):
        return [cls(letter, read_number(least)) for letter, least in read_mapping(fields.get("quota", {})).items()]

    @classmethod
    def written(cls, rules):
        return {"quota": {rule.letter: rule.least for rule in rules}}

    def check(self):
        check_letters(self.letter, "the letter")
        check_number(self.least, 9, "squares")

    def lines(self):
        yield f"quota: {self.letter} in {self.least} squares or more"

    @property
    def constraints(self):
        return (LetterCount(self.letter, self.least),)

    def breaches(self, puzzle, answers):
        contents = [puzzle.grid[at].content for at in puzzle.grid.open_positions()]
        count = sum(each is not None and each.across == self.letter for each in contents)
        if count < self.least:
            yield Breach(f"{count} squares hold {self.letter}, and {self.least} are to")

def edit(rules, line):
    if line["letter"] is None:
        return None
    return Edited("quota", rules.with_all(Quota, [Quota(line["letter"], line["least"] or 1)]))

VERB = RuleVerb("quota", (Quota,), "Ask for a letter.", ("quota T 4",), "no quota", edit,
    (Argument("letter", Value(Reads.LETTER), "which"), Argument("least", Value(Reads.NUMBER, 0, 9), "how many")))
"""

USED = """
import xwtui
from xwtui.formats.registry import puzzle_bytes, read_bytes
from xwtui.model.review import breaches, rule_lines
from xwtui.session.session import Session
from xwtui.model.edits import with_rules
from xwtui.session.verbs.registry import BY_TASK, SECTIONS, run_line
print([verb.name for verb in BY_TASK['Rules'][-1]], SECTIONS['More: Rules'][-1].name)
session = Session(lambda message: None)
session.new(xwtui.Puzzle.blank(3, 3))
run_line(session, "quota T 3")
puzzle = read_bytes(puzzle_bytes(session.puzzle, ".ipuz").data, ".ipuz")
session.close()
words = dict.fromkeys(["BAT", "ARE", "TEN", "BAR", "ATE", "REN", "TAR", "TOT"], 50)
mine = xwtui.Lexicon.build([xwtui.WordList.from_scores("mine", words)])
filled = xwtui.fill(puzzle, words=mine, allow_repeats=True)
plain = xwtui.fill(xwtui.Puzzle.blank(3, 3), words=mine, allow_repeats=True)
print(rule_lines(puzzle), puzzle == session.puzzle)
print("".join(filled.answers.values()).count("T") >= 6, list(breaches(filled.puzzle)))
print([each.message for each in breaches(with_rules(plain.puzzle, puzzle.rules))])
"""


def test_a_grid_rule_needs_only_one_file(tmp_path: Path) -> None:
    """That file alone provides its verb, its line, its form in a file, its constraint and its review."""
    (tmp_path / "quota.py").write_text(QUOTA)
    published(tmp_path, "quota", "[xwtui.rules]\nq = quota:VERB\n")
    assert in_a_process(tmp_path, USED).splitlines() == [
        "['quota'] quota",
        "['quota: T in 3 squares or more'] True",
        "True []",
        "['0 squares hold T, and 3 are to']",
    ]


def test_an_extra_is_installed_from_the_checkout_with_the_running_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """Xwtui is not on a package index."""
    monkeypatch.setattr(sys, "prefix", "/home/me/.venv")
    monkeypatch.setattr(sys, "executable", "/home/me/.venv/bin/python")
    told = "in the checkout of xwtui, run `/home/me/.venv/bin/python -m pip install '.[serve]'`"
    assert plugins.install_hint("serve") == told
    monkeypatch.setattr(sys, "prefix", "/home/me/.local/share/pipx/venvs/xwtui")
    assert plugins.install_hint("serve") == "in the checkout of xwtui, run `pipx install --force '.[serve]'`"

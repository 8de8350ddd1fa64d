"""The kernels without tracing make the same search, and tell nothing of it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from bench import tracing
from bench.untraced import copy_untraced

_PROGRAM = """
import json, sys
sys.path.insert(0, sys.argv[1])
from xwtui.engine.fill.filler import Filler
from xwtui.engine.problem.problem import Problem
from xwtui.model import Grid
from xwtui.words.lexicon import Lexicon
from xwtui.words.word_list import WordList
words = [a + b + c for a in "ABC" for b in "BCD" for c in "ADE"] + ["QQQ", "AQA"]
lexicon = Lexicon.build([WordList.from_scores("small", dict.fromkeys(words, 50))])
filler = Filler(Problem.build(Grid.blank(3, 3), lexicon), seed=5, trace=True)
filler.advance(nodes=50)
print(json.dumps([filler.statistics.nodes, filler.statistics.backtracks, len(filler.take_recorded())]))
"""
ROOT = Path(__file__).resolve().parents[2]


def searched(package: Path) -> list[int]:
    """Nodes, backtracks and events of a small search with a copy of the package."""
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM, str(package)],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
    )
    found = json.loads(done.stdout)
    assert isinstance(found, list)
    return found


def test_without_tracing_the_search_is_the_same_and_untold(tmp_path: Path) -> None:
    nodes, backtracks, events = searched(ROOT)
    assert nodes > 0
    assert events > nodes
    assert searched(copy_untraced(tmp_path)) == [nodes, backtracks, 0]


def test_a_ratio_is_that_of_the_least_seconds() -> None:
    group = [{"a": [3.0, 2.0], "b": [1.0, 5.0]}, {"a": [8.0], "b": [1.0]}]
    assert tracing.ratios(group, "a", "b") == [2.0, 8.0]


@pytest.mark.parametrize("seeds", [1, 3])
def test_each_template_is_searched_with_each_seed(seeds: int) -> None:
    found = tracing.cases(seeds)
    assert len(set(found)) == len(found) == 6 * seeds

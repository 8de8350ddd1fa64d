"""Memory measurements; and known counts, for which listing and transfer matrix agree with naive counts."""

import os
import subprocess
import sys
from itertools import islice
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bench.calibration.cases import corpus
from bench.calibration.listing import listed_fills
from bench.calibration.measure import SEEDS, Interval, Verdict, judge
from bench.calibration.report import page, share_held
from bench.calibration.spread import Spread, scattered
from bench.calibration.transfer import strip_fills
from bench.memory import Memory, drive
from bench.random_keys import random_burst
from tests.examples import examples, is_deep
from tests.naive.engine import naive_fills
from xwtui.formats.grid_text import grid_from_text
from xwtui.memory import limit_unused_memory, release_library, trim

needs_linux = pytest.mark.skipif(sys.platform != "linux", reason="figures are read from /proc")


@needs_linux
def test_memory_of_a_process_includes_its_descendants() -> None:
    alone = Memory.of(os.getpid())
    assert 0 < alone.own <= alone.resident <= alone.with_children
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, text=True) as child:
        together = Memory.of(os.getpid())
        assert together.with_children > together.resident
        child.communicate("\n")


@needs_linux
def test_a_process_that_ends_meanwhile_has_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as child:
        child.wait()
    monkeypatch.setattr("bench.memory._below", lambda _: iter([child.pid]))
    together = Memory.of(os.getpid())
    assert together.with_children == together.resident


class Deaf:
    def __init__(self) -> None:
        self.process = os.getpid()
        self.lines: list[str] = []

    def do(self, line: str) -> None:
        self.lines.append(line)
        if len(self.lines) == 50:
            raise EOFError


@needs_linux
def test_equal_seeds_give_equal_lines() -> None:
    faces = [Deaf(), Deaf(), Deaf()]
    for face, seed in zip(faces, (1, 1, 2), strict=True):
        with pytest.raises(EOFError):
            list(drive(face, 1e6, 1e6, seed))
    assert faces[0].lines == faces[1].lines != faces[2].lines
    assert not any("{" in line for line in faces[0].lines)


def test_random_bursts_end_no_session_and_are_reproducible() -> None:
    bursts = [random_burst(Random(seed)) for seed in range(300)]
    assert bursts == [random_burst(Random(seed)) for seed in range(300)]
    assert len(set(bursts)) > 290
    ends = ("\x03", "\x11", ":quit", ":exit", ":keys use")
    assert not any(end in burst for burst in bursts for end in ends)


@needs_linux
def test_freed_memory_is_returned_to_the_system() -> None:
    """A hundred megabytes in small blocks, all freed except the last, which pins the end of the heap."""
    code = """
import ctypes
from bench.memory import Memory
from xwtui.memory import limit_unused_memory, trim
import os
limit_unused_memory()
libc = ctypes.CDLL(None)
libc.malloc.restype = ctypes.c_void_p
def hold():
    blocks = [libc.malloc(100_000) for _ in range(1000)]
    for block in blocks:
        ctypes.memset(ctypes.c_void_p(block), 1, 100_000)
    return blocks
before = Memory.of(os.getpid()).own
blocks = hold()
full = Memory.of(os.getpid()).own
for block in blocks[:-1]:
    libc.free(ctypes.c_void_p(block))
trim()
after = Memory.of(os.getpid()).own
print(full - before > 80, after - before < 20, sep="-")
"""
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert told.stdout == "True-True\n", told.stderr


@needs_linux
def test_a_released_library_takes_no_memory_and_still_works() -> None:
    code = """
import os
from bench.memory import Memory
from xwtui.memory import limit_unused_memory, release_library, trim
import llvmlite.binding as llvm
before = Memory.of(os.getpid())
release_library("llvmlite")
trim()
unasked = Memory.of(os.getpid())
limit_unused_memory()
trim()
after = Memory.of(os.getpid())
llvm.parse_assembly("define i32 @f() { ret i32 7 }").verify()
print(before.resident - unasked.resident < 5, before.resident - after.resident > 20, sep="-")
"""
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert told.stdout == "True-True\n", told.stderr


@needs_linux
def test_the_kernel_linker_is_freed_after_each_use() -> None:
    code = """
from pathlib import Path
from xwtui.engine.problem.problem import Problem
from xwtui.formats.grid_text import grid_from_text
from xwtui.memory import limit_unused_memory, trim
from xwtui.words.lexicon import Lexicon
from xwtui.words.word_list import WordList
def held():
    parts = Path("/proc/self/smaps").read_text().split("VmFlags")
    return sum(int(part.split("Rss:")[1].split()[0]) for part in parts if "libllvmlite" in part) / 1024
limit_unused_memory()
words = WordList.from_scores("some", {"ABC": 50})
problem = Problem.build(grid_from_text("...\\n...\\n..."), Lexicon.build([words]))
before = held()
trim()
problem.root
again = held()
trim()
print(before > 6, again > 6, held() < 5, sep="-")
"""
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert told.stdout == "True-True-True\n", told.stderr


def test_without_a_request_nothing_is_trimmed(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise AssertionError

    monkeypatch.setattr("xwtui.memory._is_limited", False)
    monkeypatch.setattr("xwtui.memory._glibc", fail)
    trim()
    release_library("llvmlite")


def test_other_allocators_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("xwtui.memory._is_limited", False)
    monkeypatch.setattr("xwtui.memory._glibc", lambda: None)
    limit_unused_memory()
    trim()


def test_garbage_collection_resumes_after_loading() -> None:
    code = """
import gc
from xwtui.memory import begin_process, note_loaded
usual = gc.get_threshold()
note_loaded()
print(gc.get_threshold() == usual, gc.get_freeze_count())
begin_process()
print(gc.get_threshold()[0] > usual[0], gc.isenabled(), gc.get_freeze_count())
note_loaded()
now = gc.get_threshold()
print(usual[0] < now[0] < 200_000 and now[1:] == usual[1:], gc.get_freeze_count() > 1000)
gc.unfreeze()
note_loaded()
print(gc.get_freeze_count())
"""
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert told.stdout.split() == ["True", "0", "True", "True", "0", "True", "True", "0"], told.stderr


GRIDS = ("...\n...\n...", "....\n#...\n...#", "..#.\n....\n.#..", ".[AB].\n...\n...", "A..\n.[B/CA].\n...")


def some_words(seed: int) -> list[str]:
    chance = Random(seed)
    return sorted({"".join(chance.choices("ABC", k=chance.randint(2, 4))) for _ in range(30)})


@pytest.mark.parametrize("text", GRIDS)
@pytest.mark.parametrize("allow_repeats", [True, False])
def test_listing_agrees_with_plain_backtracking(text: str, allow_repeats: bool) -> None:
    for seed in range(5):
        words = some_words(seed)
        grid = grid_from_text(text)
        naive = sum(1 for _ in naive_fills(grid, dict.fromkeys(words, 1), allow_repeats=allow_repeats))
        assert listed_fills(grid, words, allow_repeats=allow_repeats, most=10**6) == naive


@pytest.mark.parametrize("text", GRIDS[:3])
def test_the_transfer_matrix_agrees_with_listing(text: str) -> None:
    for seed in range(8):
        words = some_words(seed)
        listed = listed_fills(grid_from_text(text), words, allow_repeats=True, most=10**6)
        assert strip_fills(text.split("\n"), words) == listed


@examples(25)
@given(
    st.lists(st.text(".#", min_size=6, max_size=6), min_size=2, max_size=3),
    st.lists(st.text("AB", min_size=2, max_size=6), max_size=40, unique=True),
)
def test_the_transfer_matrix_counts_fills_of_short_strips(rows: list[str], words: list[str]) -> None:
    grid = grid_from_text("\n".join([*rows, "######"][:3]))
    assume(set(grid.open_positions()) == {at for slot in grid.slots for at in slot.positions})
    naive = sum(1 for _ in naive_fills(grid, dict.fromkeys(words, 1), allow_repeats=True))
    assert strip_fills(rows, words) == naive


def test_cases_are_reproducible_and_the_exact_counter_is_right() -> None:
    number = 3 if is_deep() else 1
    cases = list(islice(corpus(), number))
    assert cases == list(islice(corpus(), number))
    for case in cases:
        verdict = judge(case, seed=1)
        assert verdict.exact == case.fills
        assert verdict.right == (True,) * SEEDS


def test_seeds_scatter_and_counts_without_an_interval_are_left_out() -> None:
    problem = next(corpus()).problem()
    spread = scattered("a case", problem, seeds=2, seconds=0.0)
    assert spread == Spread("a case", (), (), ())


def test_the_page_shows_how_many_intervals_cover_the_truth() -> None:
    case = next(corpus())
    holding, missing = Interval(0.0, -0.1, 0.1), Interval(0.5, 0.4, 0.6)
    verdict = Verdict(case, 0.1, -0.1, (holding, missing, holding, holding), case.fills, None)
    wrong = Verdict(case, 0.1, -0.1, (missing,), case.fills + 1, None)
    assert verdict.held == 3
    assert share_held([verdict]) == 0.75
    text = page([verdict, wrong], [Spread("15x15", (60.0, 60.2), (0.5, 0.7), (8, 10))])
    assert "60% of 5" in text
    assert "3 of 5 answers hold the truth (60%)" in text
    assert "3 of 4" in text
    assert "WRONG" in text
    assert "| 10^60.10 |        0.14 |          0.60 |    9 |" in text

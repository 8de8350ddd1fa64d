"""What is measured of memory, and what is given back of it."""

import os
import subprocess
import sys
from random import Random

import pytest

from bench.memory import Memory, drive
from bench.random_keys import random_burst
from xwtui.memory import give_memory_back, let_library_go, trim

needs_linux = pytest.mark.skipif(sys.platform != "linux", reason="figures are read from /proc")


@needs_linux
def test_what_a_process_holds_counts_with_those_below_it() -> None:
    alone = Memory.of(os.getpid())
    assert 0 < alone.own <= alone.resident <= alone.with_children
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, text=True) as child:
        together = Memory.of(os.getpid())
        assert together.with_children > together.resident
        child.communicate("\n")


@needs_linux
def test_a_process_that_ends_meanwhile_holds_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_random_bursts_end_no_session_and_are_the_same_for_equal_seeds() -> None:
    bursts = [random_burst(Random(seed)) for seed in range(300)]
    assert bursts == [random_burst(Random(seed)) for seed in range(300)]
    assert len(set(bursts)) > 290
    ends = ("\x03", "\x11", ":quit", ":exit", ":keys use")
    assert not any(end in burst for burst in bursts for end in ends)


@needs_linux
def test_what_was_freed_goes_back() -> None:
    """Small blocks of a hundred megabytes, freed but for the last one, which holds the heap's end."""
    code = """
import ctypes
from bench.memory import Memory
from xwtui.memory import give_memory_back, trim
import os
give_memory_back()
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
def test_a_library_that_was_let_go_takes_no_memory_and_works_on() -> None:
    code = """
import os
from bench.memory import Memory
from xwtui.memory import give_memory_back, let_library_go
import llvmlite.binding as llvm
before = Memory.of(os.getpid())
let_library_go("llvmlite")
unasked = Memory.of(os.getpid())
give_memory_back()
let_library_go("llvmlite")
after = Memory.of(os.getpid())
llvm.parse_assembly("define i32 @f() { ret i32 7 }").verify()
print(before.resident - unasked.resident < 5, before.resident - after.resident > 20, sep="-")
"""
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert told.stdout == "True-True\n", told.stderr


def test_where_nothing_was_asked_nothing_is_trimmed(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise AssertionError

    monkeypatch.setattr("xwtui.memory._is_asked", False)
    monkeypatch.setattr("xwtui.memory._glibc", fail)
    trim()
    let_library_go("llvmlite")


def test_other_allocators_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("xwtui.memory._is_asked", False)
    monkeypatch.setattr("xwtui.memory._glibc", lambda: None)
    give_memory_back()
    trim()


def test_a_process_looks_for_garbage_again_once_it_has_loaded() -> None:
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

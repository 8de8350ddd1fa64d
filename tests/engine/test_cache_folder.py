"""Compiled kernels are cached where no other user can write, and compiled by one process at a time."""

import os
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from filelock import FileLock

from tests.examples import is_deep
from tests.known import known
from xwtui.engine import warmup
from xwtui.engine.kernels.compiler import cache_folder, compiled
from xwtui.engine.kernels.compiler.cache_folder import CacheFault, KernelCache, private_cache
from xwtui.engine.loading_step import EnginePart, LoadingStep
from xwtui.engine.warmup import cache_lock, make_ready

ROOT = Path(__file__).parents[2]
NAME = "kernels-0123456789abcdef"
PATIENCE = 300

needs_owners = pytest.mark.skipif(not hasattr(os, "getuid"), reason="files have no owners here")


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def base(tmp_path: Path) -> Path:
    """A folder of the user's under a trusted path, wherever the tests are stored."""
    folder = tmp_path / "home"
    folder.mkdir(0o755)
    folder.chmod(0o755)
    return folder


@pytest.fixture
def strangers(monkeypatch: pytest.MonkeyPatch) -> set[Path]:
    """Paths that belong to another user."""
    found: set[Path] = set()
    lstat = Path.lstat

    def owned(path: Path) -> Any:
        status = lstat(path)
        if path not in found:
            return status
        return SimpleNamespace(st_mode=status.st_mode, st_uid=os.getuid() + 1 or 1)

    monkeypatch.setattr(Path, "lstat", owned)
    return found


def refused(cache: KernelCache) -> tuple[CacheFault, Path]:
    assert cache.folder is None
    assert cache.refusal is not None
    return cache.refusal.doubt, cache.refusal.at


@needs_owners
def test_created_folders_are_private(base: Path) -> None:
    cache = private_cache(base / "deep" / "xwtui", NAME)
    assert cache == KernelCache(base / "deep" / "xwtui" / NAME)
    assert [mode_of(base / place) for place in ("deep", "deep/xwtui", f"deep/xwtui/{NAME}")] == 3 * [0o700]
    assert private_cache(base / "deep" / "xwtui", NAME) == cache


@needs_owners
def test_a_folder_readable_by_others_is_made_private_and_used(base: Path) -> None:
    (base / NAME / "kernels_1").mkdir(parents=True)
    (base / NAME).chmod(0o755)
    assert private_cache(base, NAME).folder == base / NAME
    assert mode_of(base / NAME) == 0o700
    assert mode_of(base) == 0o755


WAY_AND_CONTENT = [".", "below", f"below/{NAME}", f"below/{NAME}/kernels_1", f"below/{NAME}/a.nbi"]


@needs_owners
@pytest.mark.parametrize("mode", [0o775, 0o757, 0o777, None])
@pytest.mark.parametrize("place", WAY_AND_CONTENT)
def test_folders_that_others_own_or_can_write_are_refused(
    base: Path, strangers: set[Path], place: str, mode: int | None
) -> None:
    inner = base / "below" / NAME
    (inner / "kernels_1").mkdir(parents=True)
    (inner / "a.nbi").touch()
    if mode is None:
        strangers.add(base / place)
    else:
        (base / place).chmod(mode)
    doubt = CacheFault.NOT_OWN if mode is None else CacheFault.OPEN_TO_OTHERS
    assert refused(private_cache(base / "below", NAME)) == (doubt, base / place)


@needs_owners
def test_a_folder_inside_a_sticky_folder_is_trusted(base: Path) -> None:
    base.chmod(0o1777)
    assert private_cache(base / "xwtui", NAME).folder == base / "xwtui" / NAME
    (base / NAME).mkdir()
    (base / NAME).chmod(0o1777)
    assert refused(private_cache(base, NAME)) == (CacheFault.OPEN_TO_OTHERS, base / NAME)


@needs_owners
def test_nothing_is_created_where_it_would_be_refused(base: Path, strangers: set[Path]) -> None:
    strangers.add(base)
    refused(private_cache(base / "new", NAME))
    assert list(base.iterdir()) == []


@needs_owners
def test_links_are_trusted_only_as_far_as_their_targets(base: Path, strangers: set[Path]) -> None:
    (base / "real").mkdir()
    (base / "link").symlink_to("../home/real")
    cache = private_cache(base / "link" / "xwtui", NAME)
    assert cache.folder is not None
    assert (base / "real" / "xwtui" / NAME).is_dir()
    (base / "real").chmod(0o777)
    assert refused(private_cache(base / "link" / "xwtui", NAME)) == (CacheFault.OPEN_TO_OTHERS, base / "real")
    (base / "real").chmod(0o755)
    strangers.add(base / "link")
    assert refused(private_cache(base / "link" / "xwtui", NAME)) == (CacheFault.NOT_OWN, base / "link")


@needs_owners
def test_a_link_within_the_folder_is_refused(base: Path) -> None:
    (base / NAME).mkdir()
    for kind in ("folder", "file"):
        target = base / kind
        target.mkdir() if kind == "folder" else target.touch()
        link = base / NAME / "link"
        link.symlink_to(target)
        assert refused(private_cache(base, NAME)) == (CacheFault.NOT_OWN, link)
        link.unlink()


@pytest.mark.parametrize("path", ["", "cache", "./cache"])
def test_a_relative_path_is_ignored(path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert refused(private_cache(Path(path), NAME)) == (CacheFault.NOT_ABSOLUTE, Path(path))
    assert list(tmp_path.iterdir()) == []


def test_link_loops_are_refused(base: Path) -> None:
    (base / "one").symlink_to("two")
    (base / "two").symlink_to("one")
    assert refused(private_cache(base / "one", NAME)) == (CacheFault.NOT_WRITABLE, base / "one")


def test_the_refusal_names_the_variable_the_folder_and_the_cause(base: Path) -> None:
    (base / "file").touch()
    refusal = known(private_cache(base / "file" / "cache", NAME).refusal)
    assert str(base / "file" / "cache") in str(refusal)
    assert "NUMBA_CACHE_DIR" in str(refusal)
    assert "\n" not in str(refusal)
    said = {str(cache_folder.CacheRefusal(doubt, base, base)) for doubt in CacheFault}
    assert len(said) == len(CacheFault)
    assert all(str(base) in one for one in said)


@pytest.fixture
def told() -> list[str]:
    return []


@pytest.fixture
def kernels(base: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty numba cache folder for kernels."""
    folder = base / NAME
    folder.mkdir()
    monkeypatch.setattr(compiled, "JIT", True)
    monkeypatch.setattr(compiled, "STORED_FILES", set[str]())  # kernels used by other tests are in another folder
    monkeypatch.setattr(compiled, "cache_folder", lambda: folder)
    monkeypatch.setattr(warmup, "compile_in_subprocess", lambda *_: False)
    return folder


def tell_to(told: list[str]) -> Callable[[LoadingStep], None]:
    return lambda step: told.append(str(step))


def test_a_part_is_compiled_once_and_then_loaded(kernels: Path, told: list[str]) -> None:
    for _ in range(2):
        make_ready(EnginePart.SEARCH, tell_to(told), lambda _: told.append("run"))
    assert told == ["compiling the fill engine, only once on this machine", "run", "loading the fill engine"]


def test_a_failed_compile_is_retried(kernels: Path, told: list[str]) -> None:
    with pytest.raises(ZeroDivisionError):
        make_ready(EnginePart.SEARCH, tell_to(told), lambda _: print(1 // 0))
    make_ready(EnginePart.SEARCH, tell_to(told), lambda _: None)
    assert told == 2 * ["compiling the fill engine, only once on this machine"]


def test_without_a_folder_every_process_compiles(monkeypatch: pytest.MonkeyPatch, told: list[str]) -> None:
    monkeypatch.setattr(compiled, "JIT", True)
    monkeypatch.setattr(compiled, "cache_folder", lambda: None)
    make_ready(EnginePart.SEARCH, tell_to(told), lambda _: told.append("run"))
    assert told == ["compiling the fill engine", "run"]


HOLDER = """
import sys
from pathlib import Path
from xwtui.engine.warmup import cache_lock
from xwtui.engine.loading_step import EnginePart
with cache_lock(Path(sys.argv[1]), EnginePart.SEARCH, print):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def holder(kernels: Path) -> Iterator["subprocess.Popen[str]"]:
    """Another process that holds the compile lock of the search until told to end."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(kernels / "search.lock")],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    yield process
    process.kill()
    process.communicate()


class Second:
    """Prepares the part in a thread, which waits for another process."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self.waits = threading.Event()
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()
        assert self.waits.wait(PATIENCE)

    def _run(self) -> None:
        make_ready(EnginePart.SEARCH, self._tell, lambda _: self.told.append("run"))

    def _tell(self, step: LoadingStep) -> None:
        self.told.append(str(step))
        self.waits.set()

    def end(self) -> list[str]:
        self.thread.join(PATIENCE)
        assert not self.thread.is_alive()
        return self.told


WAITING = "waiting for another xwtui to compile the fill engine"


def test_the_second_process_waits_and_loads(kernels: Path, holder: "subprocess.Popen[str]") -> None:
    second = Second()
    assert second.told == [WAITING]
    (kernels / "search.ready").touch()
    holder.communicate("")
    assert second.end() == [WAITING, "loading the fill engine"]


def test_a_killed_process_blocks_nobody(kernels: Path, holder: "subprocess.Popen[str]") -> None:
    second = Second()
    holder.kill()
    assert second.end() == [WAITING, "compiling the fill engine, only once on this machine", "run"]


def test_another_part_does_not_wait(kernels: Path, holder: "subprocess.Popen[str]", told: list[str]) -> None:
    make_ready(EnginePart.COUNTING, tell_to(told), lambda _: None)
    assert told == ["compiling the fill counter, only once on this machine"]


@pytest.mark.parametrize("error", [OSError(38, "no flock"), OSError(37, "no locks"), NotImplementedError()])
def test_without_locks_each_process_compiles(
    kernels: Path, told: list[str], monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def acquire(_self: FileLock, **_options: Any) -> None:
        raise error

    monkeypatch.setattr(FileLock, "acquire", acquire)
    make_ready(EnginePart.SEARCH, tell_to(told), lambda _: told.append("run"))
    assert told == ["compiling the fill engine, only once on this machine", "run"]


def test_waiting_can_be_interrupted(
    kernels: Path, holder: "subprocess.Popen[str]", monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_step: LoadingStep) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), cache_lock(kernels / "search.lock", EnginePart.SEARCH, interrupted):
        pytest.fail("the lock is held")


STARTS = """
import sys
from pathlib import Path
from xwtui.engine.kernels.setup import build_supports
from xwtui.engine.warmup import cache_refusal
from xwtui.words import compiled_lists
compiled_lists.SMALLEST_COMPILED = 1
compiled_lists.open_word_list(Path(sys.argv[1]))
import numpy as np
from xwtui.engine.kernels.network import FIRST_ROWS
counts, first_rows = np.zeros(52, np.int32), np.zeros(52 * FIRST_ROWS, np.int32)
build_supports(np.array([0, 1, 2, 1], np.uint8), 2, 26, np.zeros(52, np.uint64), counts, first_rows)
refusal = cache_refusal()
print(refusal and refusal.doubt.name)
"""


IGNORED = {"None", "NOT_ABSOLUTE"}
"""Ignored as the XDG standard says, or refused if an older platformdirs takes it for a folder."""


PLACES: list[tuple[dict[str, str], set[str]]] = [
    ({"XDG_CACHE_HOME": "cache"}, IGNORED),
    ({"XDG_CACHE_HOME": "{elsewhere}/file/cache"}, {"NOT_WRITABLE"}),
    ({"NUMBA_CACHE_DIR": "cache"}, {"NOT_ABSOLUTE"}),
    ({"NUMBA_CACHE_DIR": "{elsewhere}/cache"}, {"None"}),
    ({"NUMBA_CACHE_DIR": "{elsewhere}/open"}, {"OPEN_TO_OTHERS"}),
]
MORE_PLACES: list[tuple[dict[str, str], set[str]]] = [
    ({"XDG_CACHE_HOME": "."}, IGNORED),
    ({"XDG_CACHE_HOME": ""}, {"None"}),
    ({"XDG_CACHE_HOME": "{elsewhere}/cache"}, {"None"}),
    ({"NUMBA_CACHE_DIR": "."}, {"NOT_ABSOLUTE"}),
    ({"NUMBA_CACHE_DIR": ""}, {"None"}),
    ({"NUMBA_CACHE_DIR": "{elsewhere}/file/cache"}, {"NOT_WRITABLE"}),
]
"""Cases that take more than a second each, because another process imports numba."""


@pytest.mark.parametrize(("variables", "expected"), [*PLACES, *(MORE_PLACES if is_deep() else [])])
def test_nothing_is_created_in_the_working_folder(
    tmp_path: Path, variables: dict[str, str], expected: set[str]
) -> None:
    elsewhere, working = tmp_path / "elsewhere", tmp_path / "working"
    (elsewhere / "open").mkdir(parents=True)
    (elsewhere / "open").chmod(0o777)
    (elsewhere / "file").touch()
    (elsewhere / "words.txt").write_text("OREO;50\n")
    working.mkdir()
    environment = {
        name: value for name, value in os.environ.items() if name not in {"NUMBA_CACHE_DIR", "XDG_CACHE_HOME"}
    }
    environment |= {"HOME": str(elsewhere), "PYTHONPATH": str(ROOT)}
    environment |= {name: value.format(elsewhere=elsewhere) for name, value in variables.items()}
    done = subprocess.run(
        [sys.executable, "-c", STARTS, str(elsewhere / "words.txt")],
        cwd=working,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() in expected
    assert list(working.iterdir()) == []

"""Independent runs of the particle method, side by side in threads, in an order that luck has no say in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Lock

from xwtui.engine.counting.belief import Beliefs
from xwtui.engine.counting.particle_run import ParticleRun
from xwtui.engine.problem import Problem


class Populations:
    """Runs that are numbered; each has its own seed, and one that is interrupted goes on at the next call."""

    def __init__(self, problem: Problem, beliefs: Beliefs, particles: int, *, seed: int) -> None:
        self._problem = problem
        self._beliefs = beliefs
        self._particles = particles
        self._seed = seed
        self._begun = 0
        self._interrupted: list[tuple[int, ParticleRun]] = []
        self._ended: dict[int, float | None] = {}
        self._lock = Lock()

    @property
    def log10_fills(self) -> Sequence[float | None]:
        """What the runs came to, None where all particles died; without those that overtook an earlier one."""
        results: list[float | None] = []
        while len(results) in self._ended:
            results.append(self._ended[len(results)])
        return results

    def advance(self, threads: int, last_run: float, is_over: Callable[[], bool]) -> None:
        """Work until so many runs have ended in all or it is over, which all threads ask often."""
        with ThreadPoolExecutor(threads, "populations") as pool:
            others = [pool.submit(self._work, last_run, is_over) for _ in range(threads - 1)]
            self._work(last_run, is_over)
        for other in others:
            other.result()

    def _work(self, last_run: float, is_over: Callable[[], bool]) -> None:
        while not is_over():
            with self._lock:
                if not self._interrupted and self._begun >= last_run:
                    return
                number, run = self._interrupted.pop(0) if self._interrupted else self._begin()
            has_ended = False
            while not has_ended and not is_over():
                has_ended = run.advance()
            with self._lock:
                if has_ended:
                    self._ended[number] = run.log10_fills()
                else:
                    self._interrupted.append((number, run))
                    self._interrupted.sort(key=lambda numbered: numbered[0])

    def _begin(self) -> tuple[int, ParticleRun]:
        number = self._begun
        self._begun += 1
        seed = self._seed * 1_000_003 + number
        return number, ParticleRun(self._problem, self._beliefs, self._particles, seed=seed)

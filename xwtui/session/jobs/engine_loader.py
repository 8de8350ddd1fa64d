"""Loads the engine on a thread of its own, compiling it at the first start on a machine."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from xwtui.engine.loading_step import ENGINE_THREAD, EnginePart, LoadingStep
from xwtui.errors import EngineError
from xwtui.lazy import lazy_imports
from xwtui.model import Rules
from xwtui.session.jobs.scheduler import IsStopped, Scheduler, failure_text, lower_priority
from xwtui.session.messages import EnginePhase, EngineState, JobFailed, Message, Notice, Severity

with lazy_imports():
    from xwtui.engine.warmup import is_improver_kept, warm_up

_PRECOMPILED = (EnginePart.SEARCH, EnginePart.COUNTING, EnginePart.IMPROVING)
"""Parts that are prepared one after another, even if no one has requested them."""
_DEFERRED = (EnginePart.COUNTING, EnginePart.IMPROVING, EnginePart.DRAWING)
_WAIT_SECONDS = 0.05
_TICK_SECONDS = 1.0


class _DeferredPart:
    """A part of the engine that is prepared after the search."""

    def __init__(self, part: EnginePart) -> None:
        self.name = "layout generator" if part is EnginePart.DRAWING else part.value
        self.kernels = {each.value: each is part for each in _DEFERRED}
        """The arguments of `warm_up` for this part."""
        self.is_over = threading.Event()
        """Set when the part is ready or has failed."""
        self.is_begun = False
        self.failure = ""

    @property
    def is_ready(self) -> bool:
        return self.is_over.is_set() and not self.failure


class EngineLoader:
    """Which parts of the engine are usable, and the thread that prepares them: first search, then the rest."""

    def __init__(self, post: Callable[[Message], None], scheduler: Scheduler, *, looks_ahead: bool = True) -> None:
        """Without `looks_ahead`, only requested parts are prepared."""
        self.view = EngineState(EnginePhase.LOADING)
        self.seconds_waited = 0.0
        """Total time for which jobs have waited for parts other than the search."""
        self._stage = self.view
        self._stage_begun = time.perf_counter()
        self._post = post
        self._scheduler = scheduler
        self._is_started = False
        self._looks_ahead = looks_ahead
        self._telling = threading.Lock()
        self._search = threading.Event()
        self._deferred = {part: _DeferredPart(part) for part in _DEFERRED}

    @property
    def is_ready(self) -> bool:
        """Whether searches can run and options can be computed."""
        return self.view.phase is EnginePhase.READY

    def is_ready_for(self, rules: Rules) -> bool:
        """Whether options can be computed under some rules; whole-grid rules need a part of their own."""
        needs_part = rules.is_about_grid and self._looks_ahead
        return self.is_ready and (not needs_part or self._deferred[EnginePart.IMPROVING].is_ready)

    @property
    def can_count(self) -> bool:
        return self.is_ready and self._deferred[EnginePart.COUNTING].is_ready

    def start(self) -> None:
        if not self._is_started:
            self._is_started = True
            self._scheduler.thread(ENGINE_THREAD, self._run)

    def wait(self, is_stopped: IsStopped, *parts: EnginePart, rules: Rules | None = None) -> bool:
        """Start, and wait until searches can run under some rules, and until other parts are ready.

        Returns False if `is_stopped` came first. Raises EngineError if a part cannot be loaded.
        """
        self.start()
        if not _wait(self._search, is_stopped):
            return False
        if not self.is_ready:
            raise EngineError(self.view.text)
        for_rules = [EnginePart.IMPROVING] if rules is not None and rules.is_about_grid else []
        return all(self._wait_for(part, is_stopped) for part in (*parts, *for_rules))

    def load_improving(self, is_stopped: IsStopped) -> None:
        """Wait until fills can be improved, unless that needs compilation while a user is watching."""
        is_lost = bool(self._deferred[EnginePart.IMPROVING].failure)
        if not is_lost and (not self._looks_ahead or is_improver_kept()):
            self.wait(is_stopped, EnginePart.IMPROVING)

    def _wait_for(self, wanted: EnginePart, is_stopped: IsStopped) -> bool:
        part, started = self._deferred[wanted], time.perf_counter()
        is_precompiled = self._looks_ahead and wanted in _PRECOMPILED
        if not is_precompiled and not part.is_begun:
            part.is_begun = True

            def make_ready() -> None:
                with self._ticking():
                    self._make_ready(part)
                self._post_state(EngineState(EnginePhase.READY))

            self._scheduler.thread(part.name, make_ready)
        is_over = _wait(part.is_over, is_stopped)
        self.seconds_waited += time.perf_counter() - started
        if not is_over:
            return False
        if part.failure:
            raise EngineError(part.failure)
        return True

    def _run(self) -> None:
        lower_priority()
        with self._ticking():
            try:
                self._post_state(EngineState(EnginePhase.LOADING))
                from xwtui.engine import warmup  # noqa: PLC0415

                if (step := warmup.first_start_step()) is not None:
                    self._search_progress(step)
                refusal = warmup.cache_refusal()
                if refusal is not None:
                    self._post(Notice(str(refusal), Severity.WARNING))
                warmup.warm_up(self._search_progress, counting=False)
            except Exception as error:
                self._fail(f"the engine cannot be loaded: {failure_text(error)}")
                return
            self._post_state(EngineState(EnginePhase.READY))
            self._search.set()
            if self._looks_ahead:
                for part in _PRECOMPILED[1:]:
                    if not self._scheduler.is_closed:
                        self._make_ready(self._deferred[part])
                self._post_state(EngineState(EnginePhase.READY))

    def _fail(self, text: str) -> None:
        self._post_state(EngineState(EnginePhase.FAILED, failure=text))
        for is_over in (self._search, *(part.is_over for part in self._deferred.values())):
            is_over.set()

    def _make_ready(self, part: _DeferredPart) -> None:
        try:
            warm_up(
                lambda step: self._post_state(EngineState(EnginePhase.READY, self._numbered(step))), **part.kernels
            )
        except Exception as error:
            part.failure = f"the {part.name} cannot be loaded: {failure_text(error)}"
            self._post(JobFailed(part.failure))
        part.is_over.set()

    def _search_progress(self, step: LoadingStep) -> None:
        phase = EnginePhase.COMPILING if step.is_compiling else EnginePhase.LOADING
        self._post_state(EngineState(phase, self._numbered(step)))

    def _numbered(self, step: LoadingStep) -> LoadingStep:
        """Number a step, if it belongs to one of the parts that are prepared ahead."""
        if not self._looks_ahead or step.part not in _PRECOMPILED:
            return step
        return replace(step, number=_PRECOMPILED.index(step.part) + 1, parts=len(_PRECOMPILED))

    def _post_state(self, state: EngineState) -> None:
        with self._telling:
            self._stage_begun = time.perf_counter()
            self.view = self._stage = state
            self._post(self.view)

    @contextmanager
    def _ticking(self) -> Iterator[None]:
        """A context in which the duration of a running compilation is posted every second."""
        is_over = threading.Event()
        self._scheduler.thread("engine clock", lambda: self._tick(is_over))
        try:
            yield
        finally:
            is_over.set()

    def _tick(self, is_over: threading.Event) -> None:
        while not is_over.wait(_TICK_SECONDS):
            with self._telling:
                stage = self._stage
                if stage.step is not None and stage.is_compiling:
                    passed = time.perf_counter() - self._stage_begun
                    self.view = replace(stage, step=replace(stage.step, seconds=passed))
                    self._post(self.view)


def _wait(settled: threading.Event, is_stopped: IsStopped) -> bool:
    while not settled.wait(_WAIT_SECONDS):
        if is_stopped():
            return False
    return True

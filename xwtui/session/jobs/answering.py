"""Answering what is asked, the newest question first, in a thread of its own."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from typing import Generic, TypeVar

from xwtui.session.jobs.worker import IsStale, Worker

Question = TypeVar("Question")


class Answering(ABC, Generic[Question]):
    """Answers one question at a time, and gives way to the next one."""

    def __init__(self, name: str, idle: threading.Condition) -> None:
        """`name` is the thread's; `idle` is notified each time there is nothing left to answer."""
        self._worker: Worker[Question] = Worker(name, self._answer, self._fail, idle)

    @property
    def is_busy(self) -> bool:
        """Whether a question is being answered, or waits."""
        return self._worker.is_busy

    def ask(self, question: Question) -> None:
        """Answer, waiting for words and engine if need be."""
        self._worker.submit(question)

    def interrupt(self) -> None:
        """Let go of the question."""
        self._worker.interrupt()

    def close(self) -> None:
        """End the thread."""
        self._worker.close()

    def join(self, seconds: float) -> None:
        """Give the thread some time to end."""
        self._worker.join(seconds)

    @abstractmethod
    def _answer(self, question: Question, is_stale: IsStale) -> None:
        """Answer in the thread, looking at `is_stale` between slices."""

    @abstractmethod
    def _fail(self, message: str) -> None:
        """Tell that there is no answer, and why."""

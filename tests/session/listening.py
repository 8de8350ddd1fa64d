"""A listener that keeps what a session posts, and waits for messages without a clock deciding anything."""

import threading
from collections.abc import Callable
from typing import TypeVar

from xwtui.session.messages import JobFailed, Message

PATIENCE_SECONDS = 300.0
"""How long a test waits for what must come; only a broken program takes so long."""

M = TypeVar("M")


class Ear:
    """Hears messages from any thread."""

    def __init__(self) -> None:
        self.messages: list[Message] = []
        self._heard = threading.Condition()

    def __call__(self, message: Message) -> None:
        with self._heard:
            self.messages.append(message)
            self._heard.notify_all()

    def of(self, kind: type[M]) -> list[M]:
        """All messages of a kind so far."""
        return [message for message in list(self.messages) if isinstance(message, kind)]

    def wait_for(self, kind: type[M], wanted: Callable[[M], bool] = lambda _: True) -> M:
        """The first message of a kind that is as wanted; fails if it does not come, or a job fails instead."""

        def found() -> M | None:
            return next((m for m in self.messages if isinstance(m, kind) and wanted(m)), None)

        def is_decided() -> bool:
            return found() is not None or bool(self.of(JobFailed))

        with self._heard:
            self._heard.wait_for(is_decided, PATIENCE_SECONDS)
            message = found()
        assert message is not None, f"no such {kind.__name__}; heard {self.messages}"
        return message

    def forget(self) -> None:
        with self._heard:
            self.messages.clear()

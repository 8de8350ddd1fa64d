"""Messages between the parts of the screen."""

from dataclasses import dataclass

from textual.message import Message

from xwtui.session import messages as session_messages


@dataclass
class Reported(Message):
    """The session told something, perhaps from a worker thread."""

    report: session_messages.Message

"""Messages between the parts of the screen."""

from dataclasses import dataclass

from textual.message import Message

from xwtui.workbench import messages as workbench_messages


@dataclass
class Reported(Message):
    """The workbench told something, perhaps from a worker thread."""

    report: workbench_messages.Message

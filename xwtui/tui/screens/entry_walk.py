"""What walks through the filler's entries: accept one or reject it, and go to the next."""

from xwtui.session.messages import Severity
from xwtui.session.verbs.registry import run_line
from xwtui.tui.screens.editor_parts import EditorParts


class EntryWalk(EditorParts):
    """The part of the editor that takes or rejects the fill entry by entry."""

    def action_accept_on(self) -> None:
        """Accept the entry's pencil, and go to the next in pencil."""
        self._judge("accept")

    def action_reject_on(self) -> None:
        """Reject the entry, and go to the next in pencil."""
        self._judge("reject")

    def _judge(self, verb: str) -> None:
        slot = self.session.cursor.slot
        said: list[str] = []
        if slot is None:
            self.say("the cursor stands in no entry", Severity.WARNING)
        elif self.attempt(lambda: said.extend(run_line(self.session, f"{verb} {slot.name}").lines)):
            following = self.session.fills.pencilled_after(slot)
            if following is not None:
                self.attempt(lambda: self.session.cursor.move_to(following.start, following.direction))
            self.say(said[0] + ("" if following is not None else "; no other entry is in pencil"))

"""Completion in the REPL: the offers are those of the verbs, for every face the same."""

from collections.abc import Iterator

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

from xwtui.session.session import Session
from xwtui.session.verbs.completion import complete


class VerbCompleter(Completer):
    """Completes verbs, entries, files and candidate words."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
        """The offers for the text before the cursor."""
        before = document.text_before_cursor
        for offer in complete(self._session, before):
            yield Completion(offer.text, start_position=offer.start - len(before), display_meta=offer.description)

"""A hook of the site: what a page links to outside of docs/ is named, as the site has only that folder."""

import posixpath
import re
from typing import Any

_LINK = re.compile(r"\[(?P<text>[^\]]+)\]\((?P<target>\.\./[^)\s]+)\)")


def on_page_markdown(markdown: str, *, page: Any, **_: Any) -> str:
    """The page with such links as their text."""
    folder = posixpath.dirname(page.file.src_uri)

    def within(found: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(folder, found["target"]))
        return found["text"] if target.startswith("../") else found[0]

    return _LINK.sub(within, markdown)

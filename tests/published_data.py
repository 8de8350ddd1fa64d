"""Published word lists and counts, if they are next to the checkout (or in XWTUI_BENCH_DATA).

They are not part of the project, since some have no license. Tests that need them are skipped without them.
"""

import os
from pathlib import Path

import pytest

from xwtui.words.lexicon import Lexicon
from xwtui.words.reader import read_word_list

BENCH_DATA = Path(os.environ.get("XWTUI_BENCH_DATA", Path(__file__).parents[2] / "shared" / "bench"))


def published_lexicon(name: str) -> Lexicon:
    """Return the lexicon of a published list; skip the test if the list is missing."""
    path = BENCH_DATA / name
    if not path.is_file():
        pytest.skip(f"{name} of the published data is not at hand")
    return Lexicon.build([read_word_list(path.read_bytes(), name).word_list])

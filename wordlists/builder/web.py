"""Which words people write, and which two side by side: the commonest of the web, from PyPI's `wordsegment`.

They are Peter Norvig's choice of Google's Web Trillion Word Corpus. They only judge what another source has: no
entry comes from here, and no count stands in the list.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from builder.segmentation import Word

_EDGE = "<"


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# A pair that begins or ends so is mostly torn out of a sentence: IN REVIEW, STUNK AT, LEG OF.
_TORN_STARTS = _words("IN BY TO AT OF FROM WITH ON FOR AS AND OR A")
_TORN_ENDS = _words("OF FOR THE A AN AND OR TO WITH FROM IS ARE WAS WHEN THERE ALL AS AT BY THAT THIS")
_UNREMARKABLE = _words(
    "THE MY YOUR OUR HIS HER ITS THEIR THIS THAT BE WAS WERE ARE IS HAVE HAS HAD SOME MORE MOST NO NOT ALSO VERY "
    "TOO MANY MUCH BETWEEN INTO SEE YOU WE THEY HE SHE IT I ME US THEM IN ON UP"
)
_ADVERB_ENDING = "LY"


@dataclass(frozen=True)
class Web:
    """What people write, in capital letters."""

    pairs: frozenset[str]
    """Two words each, without the space between them."""
    words: frozenset[str]
    """Also what is no word of a dictionary: names, and pairs that are written as one."""

    def knows(self, entry: str) -> bool:
        """Whether an entry is written, in one word or two."""
        return entry in self.pairs or entry in self.words


def read_web(package: Path) -> Web:
    """Read the unpacked package."""
    pairs = (words for words in _counted(package, "bigrams") if not words.startswith(_EDGE))
    return Web(frozenset(pair.replace(" ", "") for pair in pairs), frozenset(_counted(package, "unigrams")))


def _counted(package: Path, kind: str) -> Iterator[str]:
    for line in (package / f"wordsegment/{kind}.txt").read_text("utf-8").splitlines():
        yield line.partition("\t")[0].upper()


def is_torn(reading: Collection[Word] | None) -> bool:
    """Tell IN REVIEW and LEG OF from HOLD ON: two words that a sentence was cut around."""
    if reading is None or len(reading) != 2:
        return False
    first, second = (word.spelling for word in reading)
    return first in _TORN_STARTS or second in _TORN_ENDS


def stands_alone(reading: Collection[Word] | None) -> bool:
    """Whether two words each say something: STEM CELLS, and neither MY ROOM nor SEE APPENDIX."""
    if reading is None or len(reading) != 2:
        return False
    is_remark = any(word.spelling.endswith(_ADVERB_ENDING) for word in reading)
    return not is_remark and not is_torn(reading) and _UNREMARKABLE.isdisjoint(word.spelling for word in reading)

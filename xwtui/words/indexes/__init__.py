"""Look-up of words by pattern: three indexes behind one protocol."""

from xwtui.words.indexes.bitset import BitsetIndex
from xwtui.words.indexes.protocol import PatternIndex, TableSource
from xwtui.words.indexes.sorted_index import SortedIndex
from xwtui.words.indexes.trie import TrieIndex

__all__ = ["BitsetIndex", "PatternIndex", "SortedIndex", "TableSource", "TrieIndex"]

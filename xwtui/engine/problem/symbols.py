"""The symbols of a problem: letters and digits of its alphabet first, then contents of several letters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from xwtui.dataclasses import dataclass
from xwtui.engine.kernels.network import PLAIN_SYMBOLS, SYMBOLS
from xwtui.errors import EngineError
from xwtui.model import Content, Direction
from xwtui.model.alphabet import ENGLISH, Alphabet
from xwtui.model.letters import KNOWN_LETTERS
from xwtui.words.normalise import NO_CODE, encode

_CODES = 256


class PlainSymbols:
    """The symbols of an alphabet's letters and digits. Kernels treat symbols from PLAIN_SYMBOLS on as rebuses."""

    def __init__(self, alphabet: Alphabet) -> None:
        spare = (character for character in KNOWN_LETTERS if character not in alphabet.symbols)
        missing = max(PLAIN_SYMBOLS - len(alphabet.symbols), 0)
        self.characters = characters = alphabet.symbols + "".join(next(spare) for _ in range(missing))
        """The letters and digits, in the order of their symbols."""
        self.contents = tuple(map(Content.of, characters))
        self.content_of_mask = {1 << code: content for code, content in enumerate(self.contents)}
        self.mask = (1 << len(characters)) - 1
        """All of them, as bits."""
        self.digraphs = tuple(map(Content.of, alphabet.digraphs))
        self._symbols = np.full(_CODES, NO_CODE, np.uint8)
        self.codes = np.frombuffer(encode(characters), np.uint8)
        """The code in words of each symbol."""
        self._symbols[self.codes] = np.arange(len(characters))
        self._table = self._symbols.tobytes()
        self._is_same = bool((self.codes == np.arange(len(characters))).all())
        """Whether codes and symbols are the same numbers, as in English."""

    def of_letters(self, letters: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return the symbols for words' codes, which must all be in the alphabet."""
        return letters if self._is_same else self._symbols[letters]

    def of_text(self, text: str) -> bytes:
        """Return the symbols of a text, one byte each; NO_CODE for characters outside the alphabet."""
        return encode(text).translate(self._table)

    def letters(self, symbols: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return the codes of plain symbols: the inverse of `of_letters`."""
        return symbols if self._is_same else self.codes[symbols]

    def foreign(self, letters: NDArray[np.uint8]) -> NDArray[np.bool_] | None:
        """Return which words, shape (words, length), have letters of other alphabets; None if none has."""
        if not letters.size or (self._is_same and int(letters.max()) < len(self.codes)):
            return None
        foreign: NDArray[np.bool_] = (self._symbols[letters] == NO_CODE).any(axis=1)
        return foreign if foreign.any() else None


@lru_cache(32)
def plain_symbols(alphabet: Alphabet) -> PlainSymbols:
    """Return the symbols of an alphabet, cached."""
    return PlainSymbols(alphabet)


@dataclass(frozen=True)
class Symbols:
    """The code of each content, 0 to 63: letters and digits first, then digraphs and rebus contents."""

    rebuses: tuple[Content, ...]
    alphabet: Alphabet = ENGLISH

    @classmethod
    def of_contents(cls, contents: Iterable[Content], alphabet: Alphabet = ENGLISH) -> Symbols:
        """Collect the contents in play besides the alphabet's letters; raises EngineError for too many."""
        plain = plain_symbols(alphabet)
        others = (content for content in contents if content.is_rebus or content.across not in plain.characters)
        rebuses = tuple(dict.fromkeys((*plain.digraphs, *others)))
        most = SYMBOLS - len(plain.contents)
        if len(rebuses) > most:
            extra = ", ".join(str(content) for content in rebuses[most:][:5])
            kind = "rebus squares"
            if alphabet != ENGLISH:
                kind = f"squares beside the {len(alphabet.symbols)} letters and digits of {alphabet.title}"
            raise EngineError(
                f"the grid has {len(rebuses)} different {kind}, but the filler can "
                f"handle {most}; {extra} is too many"
            )
        return cls(rebuses, alphabet)

    @cached_property
    def plain(self) -> PlainSymbols:
        """The symbols of the alphabet's letters and digits."""
        return plain_symbols(self.alphabet)

    @cached_property
    def contents(self) -> tuple[Content, ...]:
        return (*self.plain.contents, *self.rebuses)

    @cached_property
    def first_rebus(self) -> int:
        """The code of the first content that is not a letter or digit of the alphabet."""
        return len(self.plain.contents)

    @cached_property
    def free(self) -> int:
        """What an unrestricted square may hold, as bits: letters, digits and digraphs."""
        return (1 << self.first_rebus + len(self.plain.digraphs)) - 1

    @cached_property
    def content_of_mask(self) -> Mapping[int, Content]:
        """The content for each one-bit mask."""
        rebuses = {1 << code: content for code, content in enumerate(self.rebuses, self.first_rebus)}
        return self.plain.content_of_mask | rebuses if rebuses else self.plain.content_of_mask

    @cached_property
    def _codes(self) -> dict[Content, int]:
        return {content: code for code, content in enumerate(self.contents)}

    def code(self, content: Content) -> int:
        return self._codes[content]

    def mask(self, contents: Iterable[Content]) -> int:
        """Return contents as a bit mask of their codes."""
        mask = 0
        for content in contents:
            mask |= 1 << self._codes[content]
        return mask

    def letters_mask(self, letters: Iterable[str]) -> int:
        """Return the symbols of single letters, as bits; letters that the alphabet lacks are skipped."""
        return sum(1 << code for code in set(map(self._codes.get, map(Content.of, letters))) if code is not None)

    def spell(self, codes: Iterable[int], directions: Iterable[Direction]) -> str:
        """Return the word that symbols spell, each read in its direction."""
        read = zip(codes, directions, strict=True)
        return "".join(self.contents[code].reading(direction) for code, direction in read)

    def in_mask(self, mask: int) -> Iterator[Content]:
        """Yield the contents whose bits are set in a square's mask."""
        return (content for code, content in enumerate(self.contents) if mask >> code & 1)


def signed(mask: int) -> int:
    """Return the signed number with the same 64 bits as a mask."""
    return mask - (mask >> 63 << 64)

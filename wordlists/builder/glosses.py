"""WordNet's glosses as one file to ship: a zip of texts, so that one word is found without unpacking the rest.

`senses/N` holds a thousand synsets, one a line: part of speech, lemmas with `|` between them, gloss, with tabs
between these. `words/AX` has the words that begin so: each with the numbers of its synsets, the commonest meaning
first. `irregular` has the irregular forms: form, base, part of speech. Words are in capitals A-Z and 0-9 alone.
The examples that WordNet's glosses end in are left out.
"""

import re
import zipfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

_FOLDER = Path("usr/share/wordnet")
_PARTS = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}
_PARTS_OF_SENSES = {"1": "noun", "2": "verb", "3": "adj", "4": "adv", "5": "adj"}
"""The kinds of synsets in sense keys; 5 is an adjective that stands beside another one."""

SENSES_A_MEMBER = 1000
_DATE = (1980, 1, 1, 0, 0, 0)
"""The date of all members, so that the same sources give the same file."""


class _Synset(NamedTuple):
    part: str
    lemmas: tuple[str, ...]
    gloss: str

    @property
    def line(self) -> str:
        return f"{_PARTS[self.part]}\t{'|'.join(self.lemmas)}\t{self.gloss}"


def write_glosses(package: Path, target: Path) -> tuple[int, int]:
    """Write the file; returns how many words and how many synsets it has."""
    folder = package / _FOLDER
    synsets: list[_Synset] = []
    numbers: dict[tuple[str, str], int] = {}
    for part in _PARTS:
        for offset, synset in _synsets(folder, part):
            numbers[part, offset] = len(synsets)
            synsets.append(synset)
    words = _words(folder, numbers)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for start in range(0, len(synsets), SENSES_A_MEMBER):
            lines = [synset.line for synset in synsets[start : start + SENSES_A_MEMBER]]
            _write(archive, f"senses/{start // SENSES_A_MEMBER}", lines)
        by_beginning: defaultdict[str, list[str]] = defaultdict(list)
        for word in sorted(words):
            by_beginning[word[:2]].append(f"{word}\t{' '.join(map(str, words[word]))}")
        for beginning, lines in by_beginning.items():
            _write(archive, f"words/{beginning}", lines)
        _write(archive, "irregular", _irregular_lines(folder))
    return len(words), len(synsets)


def _write(archive: zipfile.ZipFile, name: str, lines: list[str]) -> None:
    member = zipfile.ZipInfo(name, _DATE)
    member.compress_type = zipfile.ZIP_DEFLATED
    member.external_attr = 0o644 << 16
    archive.writestr(member, "".join(f"{line}\n" for line in lines))


def _synsets(folder: Path, part: str) -> Iterator[tuple[str, _Synset]]:
    """Each synset of a part of speech, after its place in the file."""
    for line in (folder / f"data.{part}").read_text("utf-8").splitlines():
        if line.startswith(" "):
            continue
        head, _, gloss = line.partition(" | ")
        fields = head.split(" ")
        written = fields[4 : 4 + 2 * int(fields[3], 16) : 2]
        lemmas = tuple(re.sub(r"\((?:a|p|ip)\)$", "", lemma).replace("_", " ") for lemma in written)
        yield fields[0], _Synset(part, lemmas, _without_examples(gloss))


def _without_examples(gloss: str) -> str:
    """A gloss up to its first example, which stands in quotes after a semicolon; some have nothing else."""
    text = re.split(r'[;:]\s*"', gloss.strip())[0].strip().strip(";").strip()
    return " ".join(text.split())


def _words(folder: Path, numbers: dict[tuple[str, str], int]) -> dict[str, list[int]]:
    """The synsets of each word; its parts of speech, and in each its meanings, the commonest first."""
    tagged = _tagged(folder)
    found: defaultdict[str, list[tuple[int, int, int]]] = defaultdict(list)
    for order, part in enumerate(_PARTS):
        for line in (folder / f"index.{part}").read_text("utf-8").splitlines():
            if line.startswith(" "):
                continue
            fields = line.split()
            senses = fields[6 + int(fields[3]) :]
            word = re.sub(r"[^A-Z0-9]", "", fields[0].upper())
            for offset in senses:
                found[word].append((-tagged[fields[0], part], order, numbers[part, offset]))
    return {
        word: list(dict.fromkeys(number for _, _, number in sorted(senses, key=lambda one: one[:2])))
        for word, senses in found.items()
    }


def _tagged(folder: Path) -> Counter[tuple[str, str]]:
    """How often each lemma was met as each part of speech, in the texts that Princeton tagged by hand."""
    counts: Counter[tuple[str, str]] = Counter()
    for line in (folder / "cntlist.rev").read_text("utf-8").splitlines():
        sense_key, _, count = line.split(" ")
        lemma, _, sense = sense_key.partition("%")
        counts[lemma, _PARTS_OF_SENSES[sense[0]]] += int(count)
    return counts


def _irregular_lines(folder: Path) -> list[str]:
    lines = []
    for part, letter in _PARTS.items():
        for line in (folder / f"{part}.exc").read_text("utf-8").splitlines():
            form, *bases = (re.sub(r"[^A-Z0-9]", "", word.upper()) for word in line.split(" "))
            lines += [f"{form}\t{base}\t{letter}" for base in bases if base != form]
    return sorted(set(lines))

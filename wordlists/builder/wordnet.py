"""WordNet 3.0: lemmas with their case, field of meaning and gloss; the source of most phrases.

The files are described in the manual page wndb(5WN), which comes with the package.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

_FOLDER = Path("usr/share/wordnet")
_PARTS_OF_SPEECH = ("noun", "verb", "adj", "adv")
_VERB_SENSE = "2:"
_FIELDS = {4: "act", 5: "animal", 6: "artifact", 8: "body", 13: "food", 14: "group", 15: "location", 18: "person"}
_FIELDS |= {20: "plant", 26: "state", 27: "substance", 3: "tops"}


@dataclass(frozen=True)
class Lemma:
    """One spelling in one meaning: `term` has spaces for the file's underscores and keeps its capitals."""

    term: str
    part_of_speech: str
    field: str
    is_instance: bool


def read_lemmas(package: Path) -> tuple[Lemma, ...]:
    """Return every lemma of every synset, in file order."""
    folder = package / _FOLDER
    return tuple(lemma for part in _PARTS_OF_SPEECH for lemma in _read_part(folder / f"data.{part}", part))


def _read_part(path: Path, part: str) -> Iterator[Lemma]:
    for line in path.read_text("utf-8").splitlines():
        if line.startswith(" "):
            continue
        head = line.partition(" | ")[0].split(" ")
        field = _FIELDS.get(int(head[1]), "other")
        last = 4 + 2 * int(head[3], 16)
        pointers = head[last + 1 :]
        for written in head[4:last:2]:
            term = re.sub(r"\((?:a|p|ip)\)$", "", written).replace("_", " ")
            yield Lemma(term, part, field, "@i" in pointers)


def gloss_counts(package: Path) -> Counter[str]:
    """Return how often each word and each run of two or three words occurs in the glosses, in lower case."""
    counts: Counter[str] = Counter()
    for part in _PARTS_OF_SPEECH:
        for line in (package / _FOLDER / f"data.{part}").read_text("utf-8").splitlines():
            running = re.findall(r"[a-z]+(?:'[a-z]+)?", line.partition(" | ")[2].lower())
            counts.update(running)
            counts.update(" ".join(pair) for pair in pairwise(running))
            counts.update(" ".join(three) for three in zip(running, running[1:], running[2:], strict=False))
    return counts


def tag_counts(package: Path) -> tuple[Counter[str], Counter[str]]:
    """Return how often each lemma was met in the texts that Princeton tagged by hand: at all, and as a verb."""
    counts: Counter[str] = Counter()
    verb_counts: Counter[str] = Counter()
    for line in (package / _FOLDER / "cntlist.rev").read_text("utf-8").splitlines():
        sense_key, _, count = line.split(" ")
        lemma, _, sense = sense_key.partition("%")
        counts[lemma.replace("_", " ")] += int(count)
        if sense.startswith(_VERB_SENSE):
            verb_counts[lemma.replace("_", " ")] += int(count)
    return counts, verb_counts


def irregular_forms(package: Path, part: str) -> dict[str, tuple[str, ...]]:
    """Return the irregular forms of each base word: `give` gives (`gave`, `given`)."""
    forms: dict[str, list[str]] = {}
    for line in (package / _FOLDER / f"{part}.exc").read_text("utf-8").splitlines():
        inflected, *bases = line.split(" ")
        for base in bases:
            forms.setdefault(base, []).append(inflected)
    return {base: tuple(inflected) for base, inflected in forms.items()}

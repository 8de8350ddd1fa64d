"""The Moby thesaurus (public domain): words and phrases, and how many headwords list each of them."""

from collections import Counter
from pathlib import Path


def mention_counts(package: Path) -> Counter[str]:
    """Return for every term of the thesaurus, as written, the number of headwords under which it stands."""
    mentions: Counter[str] = Counter()
    for line in (package / "package/words.txt").read_text("latin-1").splitlines():
        mentions.update(set(line.split(",")) - {""})
    return mentions

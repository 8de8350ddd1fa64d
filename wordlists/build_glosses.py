"""Build `glosses.zip` from WordNet: `python wordlists/build_glosses.py [--sources FOLDER] [--output FILE]`."""

import argparse
import tempfile
from pathlib import Path

from builder.fetch import PACKAGES, fetch
from builder.glosses import write_glosses

_WORDNET = "wordnet-base"


def main() -> None:
    """Fetch WordNet if it is missing, write the file, and say what is in it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sources", type=Path, help="keep the fetched package here and use it again")
    parser.add_argument("--output", type=Path, default=Path(__file__).resolve().parent / "glosses.zip")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as passing:
        kept: Path = arguments.sources or Path(passing)
        kept.mkdir(parents=True, exist_ok=True)
        (package,) = (package for package in PACKAGES if package.name == _WORDNET)
        words, synsets = write_glosses(fetch(package, kept.resolve()), arguments.output)
    size = arguments.output.stat().st_size
    print(f"{arguments.output}: {words:,} words, {synsets:,} synsets, {size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()

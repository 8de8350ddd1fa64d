"""Files of other programs for the tests of the formats, unmodified."""

import json
from pathlib import Path
from typing import Any


def sample(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


def sample_document(name: str) -> dict[str, Any]:
    read: dict[str, Any] = json.loads(sample(name))
    return read

"""Class names are unique in the package."""

import ast
from collections import defaultdict
from pathlib import Path

import xwtui

PACKAGE = Path(xwtui.__file__).parent


def test_no_class_name_is_used_twice() -> None:
    places: defaultdict[str, list[str]] = defaultdict(list)
    for source in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                places[node.name].append(str(source.relative_to(PACKAGE)))
    doubles = {name: found for name, found in places.items() if len(found) > 1}
    assert doubles == {}

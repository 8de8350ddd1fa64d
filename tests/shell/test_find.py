"""`find` from the shell: without a grid, in any list, as JSON."""

import json
from collections.abc import Mapping
from pathlib import Path

from tests.shell.process import xwtui
from xwtui.interrupts import Exit


def test_words_are_found_without_a_grid(environment: Mapping[str, str], tmp_path: Path) -> None:
    (tmp_path / "own.dict").write_text("CATALOG;60\nLOCATE;70\nDOG;50\n", encoding="ascii")
    asked = ("--contains", "cat", "--words", str(tmp_path / "own.dict"))
    told = xwtui("find", *asked, environment=environment)
    assert (told.returncode, told.stdout) == (Exit.OK, "2 words\n   70  LOCATE\n   60  CATALOG\n")
    done = xwtui("find", *asked, "--squares", "4-5", "--json", environment=environment)
    document = json.loads(done.stdout)
    assert (document["schema"], document["content"], document["matches"]) == (1, "CAT", 2)
    assert document["sections"][0] == {
        "direction": None,
        "squares": 4,
        "matches": 1,
        "answers": [{"answer": "LO[CAT]E", "word": "LOCATE", "score": 70, "rebus_squares": [3]}],
    }
    none = xwtui("find", "ZZZ", "--words", str(tmp_path / "own.dict"), environment=environment)
    assert (none.returncode, none.stdout) == (Exit.IMPOSSIBLE, "no word is like that\n")


def test_a_folder_is_looked_through(environment: Mapping[str, str], tmp_path: Path) -> None:
    done = xwtui("find", "CAT", "--in", str(tmp_path), "--json", environment=environment)
    assert done.returncode == Exit.IMPOSSIBLE
    assert json.loads(done.stdout) == {"schema": 1, "matches": 0, "puzzles": 0, "unread": [], "places": []}
    wrong = xwtui("find", environment=environment)
    assert (wrong.returncode, wrong.stdout) == (Exit.BAD_INPUT, "")
    assert "say what it is like" in wrong.stderr

"""Recorded answers of each command: JSON, text, statuses, and option names.

Seconds are masked. `GOLDENS=write pytest tests/shell/test_goldens.py` rewrites the answers, for intended changes
only.
"""

import json
import os
import re
from pathlib import Path
from typing import Any

import click
import pytest

from tests.shell.process import user_folders, xwtui
from xwtui.start import shell

GOLDENS = Path(__file__).with_name("goldens.json")
IS_WRITING = os.environ.get("GOLDENS") == "write"

WORDS = "ABC;50\nDEF;51\nGHI;52\nADG;53\nBEH;54\nCFI;55\nABX;56\nCAB;57\nFED;58\n"
WIDE = "BAG;50\nICE;60\nTEN;70\nBIT;55\nACE;45\nGEN;50\nCAB;90\nARE;80\nBED;90\nCAR;95\nERE;20\n"
FILES = {
    "words.txt": WORDS,
    "wide.txt": WIDE,
    "mini.txt": "ABC\n...\n...\n",
    "blank.txt": "...\n...\n...\n",
    "stuck.txt": "X..\n...\n...\n",
    "full.txt": "ABC\nDEF\nGHI\n",
    "few.txt": "ABC\nDEF\nGHI\nADG\nBEX\nCFX\n",
    "a.txt": "AAA;50\n",
}
NINE = ("--words", "words.txt")
ELEVEN = ("--words", "wide.txt", "--min-score", "0")
ONE = ("--threads", "1", "--seed", "1")

CASES: dict[str, tuple[str, ...]] = {
    "fill": ("fill", "mini.txt", *NINE, *ONE),
    "fill on two threads": ("fill", "mini.txt", *NINE, "--threads", "2", "--seed", "3"),
    "fill impossible": ("fill", "stuck.txt", *NINE, *ONE),
    "fill given up": (
        "fill",
        "blank.txt",
        "--words",
        "few.txt",
        *ONE,
        "--strategy",
        "emogic-words:backtrack=emogic",
    ),
    "fill min score": ("fill", "mini.txt", *NINE, *ONE, "--min-score", "52"),
    "fill after edits": ("fill", "mini.txt", *NINE, *ONE, "--do", "clear all", "--do", "rule 1A --lacks C"),
    "fill a part": ("fill", "blank.txt", *ELEVEN, *ONE, "--only", "4A"),
    "fill around": ("fill", "blank.txt", *ELEVEN, *ONE, "--around", "4A"),
    "fill repeats": ("fill", "blank.txt", "--words", "a.txt", *ONE, "--allow-repeats"),
    "fill best": ("fill", "blank.txt", *ELEVEN, *ONE, "--best"),
    "fill partial": ("fill", "stuck.txt", *ELEVEN, *ONE, "--partial"),
    "fill diverse": ("fill", "blank.txt", *ELEVEN, *ONE, "--count", "3", "--differ", "40%"),
    "fill strategy": ("fill", "blank.txt", *NINE, *ONE, "--strategy", "emogic-letters"),
    "fill strategy impossible": ("fill", "stuck.txt", *NINE, *ONE, "--strategy", "double-trie"),
    "fill strategy all": ("fill", "blank.txt", *NINE, *ONE, "--strategy", "emogic-letters", "--all"),
    "fill all": ("fill", "blank.txt", *NINE, *ONE, "--all"),
    "fill strategies": ("fill", "--strategy", "list"),
    "fill without a grid": ("fill",),
    "fill two things": ("fill", "mini.txt", "--best", "--partial"),
    "improve": ("improve", "full.txt", *NINE, *ONE, "--do", "pencil all"),
    "improve lowest": ("improve", "full.txt", *ELEVEN, *ONE, "--do", "pencil all", "--by", "lowest"),
    "improve pen": ("improve", "full.txt", *NINE, *ONE),
    "improve two aims": ("improve", "full.txt", *NINE, "--avoid", "Q", "--by", "fresh"),
    "count": ("count", "blank.txt", *NINE, *ONE),
    "count exactly": ("count", "blank.txt", *ELEVEN, *ONE, "--exact"),
    "count none": ("count", "stuck.txt", *NINE, *ONE),
    "candidates": ("candidates", "blank.txt", "1A", *NINE, *ONE, "--sort", "room", "--prove"),
    "candidates few": ("candidates", "blank.txt", "1a", *NINE, *ONE, "--limit", "3"),
    "candidates none": ("candidates", "stuck.txt", "4A", *NINE, *ONE),
    "candidates nowhere": ("candidates", "blank.txt", "99A", *NINE),
    "shares": ("shares", "mini.txt", *NINE, *ONE),
    "shares of two": ("shares", "blank.txt", "r1c1", "r1c2", *NINE, *ONE),
    "shares none": ("shares", "stuck.txt", *NINE, *ONE),
    "shares given": ("shares", "mini.txt", "r1c1", *NINE),
    "why": ("why", "stuck.txt", *NINE),
    "why not": ("why", "mini.txt", *NINE),
    "why a word": ("why", "blank.txt", "1a", "abx", *NINE, "--do", "ban CAB"),
    "why which": ("why", "blank.txt", "1A", *NINE),
    "whatif blocks": ("whatif", "blank.txt", "blocks", *NINE, "--max-words", "6"),
    "whatif themers": ("whatif", "blank.txt", "themers", "ghi", "abc", *NINE),
    "whatif each": ("whatif", "blank.txt", "themers", "ABX", "--each", *NINE),
    "whatif heat": ("whatif", "mini.txt", "heat", *NINE),
    "race": (
        "race",
        "mini.txt",
        *NINE,
        "--strategies",
        "emogic-letters,double-trie",
        "--seeds",
        "1",
        "--threads",
        "2",
    ),
    "race without end": ("race", "mini.txt", "--time", "0"),
    "check": ("check", "full.txt", *NINE),
    "check scores": ("check", "mini.txt", *ELEVEN),
    "check missing": ("check", "missing.txt"),
    "check resized": ("check", "full.txt", *NINE, "--do", "resize 4x3"),
    "check resized to less": ("check", "full.txt", *NINE, "--do", "resize 4x3 --at bottom", "--do", "resize 3x3"),
}
SECONDS = re.compile(r"\d+\.\d+ s\b|\(\d+(?:\.\d+)? s\)")


def masked(value: Any) -> Any:
    """Mask values that differ between runs."""
    if isinstance(value, dict):
        return {key: _masked_at(key, one) for key, one in value.items()}
    if isinstance(value, list):
        return [masked(one) for one in value]
    return value


_TIMES = ("load", "compile", "layout", "search", "first_fill", "better_words", "total", "race", "survival")


def _masked_at(key: str, value: Any) -> Any:
    is_time = "seconds" in key or key in _TIMES
    if is_time and isinstance(value, int | float | list):
        return 0
    return masked(value)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def answered(arguments: tuple[str, ...], folder: Path) -> dict[str, Any]:
    done = xwtui(*arguments, environment=user_folders(folder / "home"))
    text = {"status": done.returncode, "out": _lines(done.stdout), "err": _lines(done.stderr)}
    if arguments[0] == "race" and not done.returncode:
        text = {"status": 0}  # The winner depends on timing.
    as_json = xwtui(*arguments, "--json", environment=user_folders(folder / "home"), status=done.returncode)
    return {**text, "json": masked(json.loads(as_json.stdout))}


def _lines(text: str) -> list[str]:
    return SECONDS.sub("0.00 s", text).splitlines()


def recorded() -> dict[str, Any]:
    found = json.loads(GOLDENS.read_text(encoding="utf-8")) if GOLDENS.exists() else {}
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize("name", CASES)
def test_answers(name: str, folder: Path) -> None:
    found = answered(CASES[name], folder)
    if IS_WRITING:
        write(name, found)
    assert found == recorded()[name]


def write(name: str, found: Any) -> None:
    text = json.dumps({**recorded(), name: found}, ensure_ascii=False, indent=1)
    GOLDENS.write_text(f"{text}\n", encoding="utf-8")


def options(command: click.Command) -> list[str]:
    return sorted(name for one in command.params if isinstance(one, click.Option) for name in one.opts)


def test_options() -> None:
    shell.list_commands(click.Context(shell))
    commands = dict(shell.commands)
    whatif = commands["whatif"]
    assert isinstance(whatif, click.Group)
    found = {name: options(command) for name, command in sorted(commands.items())}
    found |= {f"whatif {name}": options(command) for name, command in sorted(whatif.commands.items())}
    if IS_WRITING:
        write("options", found)
    assert found == recorded()["options"]

"""The verbs for layers: output, choices and refusals."""

import errno
from pathlib import Path
from typing import Any

import pytest

from tests.session.saying import Ear, found, once_loaded, refuses, said
from tests.writing import written
from xwtui.errors import XwtuiError
from xwtui.model import WordChoice
from xwtui.resources import list_settings_path, personal_list_path, user_lists_folder
from xwtui.session import list_making
from xwtui.session.messages import LexiconReady
from xwtui.session.session import Session
from xwtui.session.verbs.lists import LayerFigures, LayerOwner
from xwtui.session.verbs.registry import run_line
from xwtui.words.layers import find_user_lists
from xwtui.words.sources import load_lexicon


@pytest.fixture(autouse=True)
def _lists() -> None:
    user_lists_folder().mkdir(parents=True)
    (user_lists_folder() / "cities.txt").write_text("PARIS;50\nROME;40\nOSLO;10\nBAD LINE;x\n", encoding="utf-8")
    (user_lists_folder() / "plain.txt").write_text("BAG\nBOG\n", encoding="utf-8")


def shown(session: Session, line: str = "lists") -> list[dict[str, Any]]:
    """Return the layers as JSON data."""
    layers: list[dict[str, Any]] = found(session, line).as_json["layers"]
    return layers


def order(session: Session, line: str = "lists") -> list[str]:
    return [f"{layer['name']}{'' if layer['used'] else ' unused'}" for layer in shown(session, line)]


def test_the_layers_are_shown_with_words_scores_and_rules(small: Session) -> None:
    personal_list_path().write_text("AXLE;0\nOREO;100\nETUI;95\n", encoding="utf-8")
    mine, puzzle, cities, plain, ships = shown(small)
    assert (mine["whose"], mine["words"], mine["histogram"]) == (
        "your own scores",
        3,
        [1, 0, 0, 0, 0, 0, 0, 0, 0, 2],
    )
    assert (puzzle["whose"], puzzle["words"], puzzle["used"]) == ("the puzzle's", 8, True)
    assert cities["scale"] == {"rule": "0-50", "words": "0-50: 50 is 100", "guessed": True}
    assert (cities["whose"], cities["words"], cities["bad_lines"], cities["used"]) == ("yours", 3, 1, False)
    assert plain["scale"]["rule"] == "=50"
    assert (ships["name"], ships["whose"], ships["used"]) == ("default", "ships", False)
    lines = said(small, "lists").splitlines()
    assert lines[1].split()[:2] == ["1", "mine"]
    assert "▄        █" in lines[1]
    assert lines[3].startswith(" - cities")
    assert lines[3].endswith("not used here")
    assert lines[-1].startswith("this puzzle names its own lists; add `default`")
    assert lines[2].split()[:2] == ["2", "small.dict"]


def test_order_and_disabled_layers_apply_to_every_puzzle(mini: Session) -> None:
    assert order(mini) == ["mine", "cities", "plain", "default"]
    assert order(mini, "lists down cities") == ["mine", "plain", "cities", "default"]
    assert order(mini, "lists up default") == ["mine", "plain", "default", "cities"]
    assert order(mini, "lists off default mine") == ["plain", "cities", "mine unused", "default unused"]
    assert order(mini, "lists on default") == ["plain", "default", "cities", "mine unused"]
    assert list_settings_path().read_text(encoding="utf-8") == (
        'order = ["plain", "default", "cities"]\noff = ["mine"]\n\n[scales]\n'
    )
    for line, message in (
        ("lists up plain", "plain is the top list already"),
        ("lists down cities", "cities is the last list already"),
        ("lists up mine", "your own scores always come first"),
        ("lists scale default 0-50", "the scores of default cannot be rescaled"),
        ("lists off nowhere", "there is no word list nowhere; there are mine, plain, default and cities"),
        ("lists scale plain 5-7", "'5-7' is not a rule for scores; use `0-50`"),
    ):
        refuses(mini, line, message)


def test_a_scale_can_be_set_and_reset_to_the_guess(mini: Session) -> None:
    cities = shown(mini, "lists scale cities 0=0,40=60,50=70")[1]
    assert cities["scale"] == {"rule": "0=0,40=60,50=70", "words": "0 is 0, 40 is 60, 50 is 70", "guessed": False}
    assert shown(mini, "lists scale cities.txt auto")[1]["scale"]["guessed"]


def test_a_scale_declared_in_the_file_is_not_guessed(mini: Session) -> None:
    (user_lists_folder() / "plain.txt").write_text("# scores: 0-50\nBAG;50\nBOG;10\n", encoding="utf-8")
    assert shown(mini)[2]["scale"] == {"rule": "0-50", "words": "0-50: 50 is 100", "guessed": False}


def test_words_follow_the_choices(mini: Session, ear: Ear) -> None:
    once_loaded(mini, ear)
    assert mini.jobs.words.score("ROME") == 80
    run_line(mini, "lists scale cities =30")
    assert ear.wait_for(LexiconReady).notices == ()
    assert mini.jobs.words.score("ROME") == 30


def test_unreadable_choices_are_reported(mini: Session) -> None:
    list_settings_path().write_text("order = 5\n", encoding="utf-8")
    assert said(mini, "lists").startswith(f"{list_settings_path()}: ")
    refuses(mini, "lists off cities", r"lists\.toml", Exception)


def test_the_default_list_is_shown_once_when_it_replaces_a_language_list(mini: Session) -> None:
    for name in ("cities", "plain"):
        run_line(mini, f"lists off {name}")
    run_line(mini, "alphabet swedish")
    assert order(mini) == ["mine", "default", "cities unused", "plain unused"]


def test_a_missing_list_of_the_puzzle_is_shown(mini: Session, small_list: Path) -> None:
    run_line(mini, f"words {small_list}")
    small_list.unlink()
    puzzle = shown(mini)[1]
    assert puzzle["name"] == str(small_list)
    assert "there is no word list" in puzzle["problem"]


@pytest.mark.parametrize(
    ("histogram", "curve"),
    [
        ((0,) * 10, "          "),
        ((0, 1, 0, 0, 100, 0, 0, 0, 0, 50), " ▁  █    ▄"),
        ((9, 9, 9, 9, 9, 9, 9, 9, 9, 9), "██████████"),
    ],
)
def test_a_histogram_is_drawn_as_a_curve(histogram: tuple[int, ...], curve: str) -> None:
    assert LayerFigures("a", Path("a"), LayerOwner.USER, histogram=histogram).curve == curve


def test_words_reports_which_layer_takes_precedence(bench: Session, tmp_path: Path) -> None:
    (user_lists_folder() / "sv.txt").write_text("# alphabet: swedish\nOSLO;10\n", encoding="utf-8")
    own = written(tmp_path / "own.txt", "OSLO;20\n")

    def winner(line: str) -> str:
        return said(bench, line).rpartition("sets its score: ")[2]

    assert winner(f"words {own} default") == f"{own} wins over cities, plain and default"
    assert winner(f"words default {own}") == f"cities wins over plain, default and {own}"
    said(bench, "lists down cities")
    assert winner("words") == f"plain wins over cities, default and {own}"
    said(bench, "lists off plain", "lists off cities")
    assert winner("words") == f"default wins over {own}"
    assert "counts" not in said(bench, "words default")


def test_a_layer_has_its_set_or_declared_alphabet(bench: Session) -> None:
    (user_lists_folder() / "plain.txt").write_text("# alphabet: swedish\nBAG\nBOG\n", encoding="utf-8")

    def used(line: str = "lists") -> list[str]:
        return [layer["name"] for layer in shown(bench, line) if layer["used"]]

    assert used() == ["mine", "cities", "default"]
    assert used("lists alphabet cities swedish") == ["mine", "default"]
    assert used("lists alphabet plain english") == ["mine", "plain", "default"]
    kept = list_settings_path().read_text(encoding="utf-8")
    assert '[alphabets]\n"cities" = "swedish"\n"plain" = "english"' in kept
    words = load_lexicon(WordChoice(), user=find_user_lists())
    assert [layer.name for layer in words.layers] == ["plain", "default"]
    said(bench, "alphabet swedish")
    assert used() == ["mine", "cities"]
    said(bench, "alphabet english", "lists alphabet plain auto")
    assert used("lists alphabet cities auto") == ["mine", "cities", "default"]


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("lists alphabet default swedish", "default cannot be set: it has English ones"),
        ("lists alphabet mine swedish", "mine cannot be set: it has any letters"),
        ("lists alphabet cities klingon", "there is no alphabet 'klingon'"),
    ],
)
def test_an_unusable_alphabet_is_refused(bench: Session, line: str, complaint: str) -> None:
    refuses(bench, line, complaint, XwtuiError)


def test_a_file_becomes_a_list_and_can_be_removed(mini: Session, tmp_path: Path, ear: Ear) -> None:
    once_loaded(mini, ear)
    source = written(tmp_path / "rivers 2026.dict", "RHINE;60\nRHONE;55\nbad line;x\n")
    told = said(mini, f'lists add "{source}"').splitlines()[0]
    assert told.startswith(f"added rivers-2026: 2 words copied from {source}; skipped line 3"), (
        "what was skipped, and why"
    )
    assert order(mini) == ["mine", "cities", "plain", "rivers-2026", "default"]
    copy = user_lists_folder() / "rivers-2026.dict"
    assert copy.read_bytes() == source.read_bytes()
    ear.wait_for(LexiconReady)
    assert mini.jobs.words.score("RHINE") == 60
    told = said(mini, "lists remove rivers-2026").splitlines()[0]
    kept = user_lists_folder().with_name("lists-removed") / "rivers-2026.dict"
    assert told == f"removed rivers-2026; `lists add {kept}` brings it back"
    assert order(mini) == ["mine", "cities", "plain", "default"]
    assert said(mini, f"lists add {kept}").startswith("added rivers-2026: 2 words")


def test_an_existing_list_is_replaced_only_with_force_and_backed_up(mini: Session, tmp_path: Path) -> None:
    source = written(tmp_path / "cities.csv", "LIMA;70\n")
    refuses(mini, f"lists add {source}", "you already have a list cities: .*--as.*--force")
    run_line(mini, "lists off cities")
    kept = user_lists_folder().with_name("lists-removed") / "cities.txt"
    assert f"the old one is kept in {kept}" in said(mini, f"lists add {source} --force")
    assert kept.is_file()
    assert shown(mini)[1]["words"] == 1
    assert shown(mini)[1]["on"]
    refuses(mini, f"lists add {user_lists_folder() / 'cities.csv'}", "cities is already one of your lists")


@pytest.mark.parametrize(
    ("name", "content", "complaint"),
    [
        ("empty.txt", b"", "empty.txt is empty: it has no words"),
        ("grid.puz", bytes(range(256)), "is binary, not text"),
        ("a.txt", b"This is a letter to a friend of mine.\n" * 9, "is not a word list"),
    ],
)
def test_a_file_that_is_no_word_list_is_not_added(
    mini: Session, tmp_path: Path, name: str, content: bytes, complaint: str
) -> None:
    (tmp_path / name).write_bytes(content)
    before = order(mini)
    refuses(mini, f"lists add {tmp_path / name}", complaint, XwtuiError)
    refuses(mini, "lists add nowhere.txt", "nowhere.txt", XwtuiError)
    refuses(mini, "lists remove default", "default cannot be removed; `lists off default` turns it off")
    assert order(mini) == before


def test_a_file_with_a_reserved_list_name_is_added_under_another(mini: Session, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_bytes(b"AXLE;60\nFLOW;abc\n")
    told = said(mini, f"lists add {tmp_path / 'mine.txt'}")
    assert told.startswith("added mine-2: 1 word copied from ")
    assert "skipped line 2: 'abc' is not a score" in told
    assert "; xwtui keeps a list named mine itself" in told
    assert "; 1 bad line: line 2: 'abc' is not a score" in told
    (tmp_path / "worse.txt").write_bytes(b"AXLE;60\nOREO;50\nETUI;50\nFLOW;abc\n;50\n")
    told = said(mini, f"lists add {tmp_path / 'worse.txt'}")
    assert "; skipped 2 lines, such as line 4: 'abc' is not a score; scores are whole numbers from 0 up\n" in told
    refuses(
        mini,
        f"lists add {tmp_path / 'mine.txt'} --as mine",
        "'mine' is the name of a list that xwtui keeps; choose another with `--as NAME`",
        XwtuiError,
    )


def files_of(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*"))}


def test_lists_with_equal_stems_are_replaced_only_with_force_and_backed_up(mini: Session, tmp_path: Path) -> None:
    (user_lists_folder() / "cities.dict").write_text("LIMA;70\n", encoding="utf-8")
    source = written(tmp_path / "cities.txt", "BERN;70\n")
    before = files_of(user_lists_folder())
    assert order(mini)[1:3] == ["cities.dict", "cities.txt"]
    refuses(mini, f"lists add {source}", "you already have a list cities")
    assert files_of(user_lists_folder()) == before
    removed = user_lists_folder().with_name("lists-removed")
    told = said(mini, f"lists add {source} --force")
    assert f"the old ones are kept in {removed / 'cities.dict'} and {removed / 'cities.txt'}\n" in told
    assert files_of(removed) == {name: before[name] for name in ("cities.dict", "cities.txt")}
    assert order(mini)[1:3] == ["cities", "plain"]


def test_a_list_that_cannot_be_replaced_is_kept(
    mini: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = written(tmp_path / "cities.dict", "LIMA;70\n")
    (user_lists_folder() / "Towns.TXT").write_text("LIMA;70\n", encoding="utf-8")
    before = files_of(user_lists_folder())
    refuses(mini, f"lists add {user_lists_folder() / 'Towns.TXT'} --force", "Towns is already one of your lists")

    def fail(*_: object) -> None:
        raise OSError(errno.EFBIG, "File too large")

    monkeypatch.setattr(list_making, "write_whole", fail)
    refuses(mini, f"lists add {source} --force", r"cannot write .*cities\.dict: File too large")
    assert files_of(user_lists_folder()) == before
    assert order(mini) == ["mine", "Towns", "cities", "plain", "default"]


def test_a_new_list_does_not_inherit_choices_of_an_old_one(mini: Session, tmp_path: Path) -> None:
    source = written(tmp_path / "plain.txt", "BAG;40\n")
    for line in ("down plain", "scale plain =30", "alphabet plain swedish", "off plain"):
        run_line(mini, f"lists {line}")
    chosen = list_settings_path().read_text(encoding="utf-8")
    assert "plain" in chosen
    run_line(mini, "lists remove plain")
    assert "plain" not in list_settings_path().read_text(encoding="utf-8")
    list_settings_path().write_text(chosen, encoding="utf-8")
    assert order(mini, f"lists add {source}")[1] == "plain"
    assert "plain" not in list_settings_path().read_text(encoding="utf-8")


def test_the_message_of_a_removal_names_how_to_restore_the_list(mini: Session) -> None:
    for ending in (".txt", "-2.txt --as plain", "-3.txt --as plain"):
        told = said(mini, "lists remove plain").splitlines()[0]
        assert told.endswith(f"plain{ending}` brings it back")
        run_line(mini, told.split("`")[1])
        assert "plain" in order(mini)


@pytest.mark.parametrize("line", ["remove plain", "add {source}", "add {source} --as plain --force"])
def test_no_file_is_moved_if_its_choices_cannot_be_updated(mini: Session, tmp_path: Path, line: str) -> None:
    source = written(tmp_path / "rivers.txt", "RHINE;60\n")
    list_settings_path().write_text("order = 3\n", encoding="utf-8")
    before = files_of(user_lists_folder())
    refuses(mini, f"lists {line.format(source=source)}", r"lists\.toml", XwtuiError)
    assert files_of(user_lists_folder()) == before


def test_a_list_name_cannot_look_like_an_option(mini: Session, tmp_path: Path) -> None:
    source = written(tmp_path / "rivers.txt", "RHINE;60\n")
    refuses(mini, f"lists add {source} --as=-x", "'-x' cannot be a list's name; .* with no - in front")


def test_a_puzzle_uses_a_list_by_its_displayed_name(bench: Session) -> None:
    run_line(bench, "words cities")
    assert bench.puzzle.words.lists == ("cities.txt",)
    refuses(bench, "words nowhere", "there is no word list 'nowhere'", XwtuiError)

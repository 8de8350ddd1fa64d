"""State kept between starts, and key maps: how they are written, and errors in them."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.writing import written
from xwtui.engine.candidates.estimate import CandidateOrder
from xwtui.errors import XwtuiError
from xwtui.resources import key_maps_folder
from xwtui.session.keys.actions import ACTIONS, BY_NAME, KeyPlace
from xwtui.session.keys.key_map import (
    FaultKind,
    faults_of,
    keys_in_force,
    own_map,
    read_key_file,
    shipped_map,
    shipped_maps,
)
from xwtui.session.keys.names import Sending, key_cap, read_key, sending
from xwtui.session.recent import MOST_RECENT, RecentPuzzles, VerbUses, short_path, unreported_notices
from xwtui.session.settings import ENTRY_ORDERS, Settings, load_settings, save_settings
from xwtui.session.verbs.registry import VERBS


def made(folder: Path, name: str) -> Path:
    return written(folder / name, "...")


def test_recent_files_are_newest_first_and_unique(tmp_path: Path) -> None:
    recent = RecentPuzzles(tmp_path / "state" / "recent.json")
    one, other = made(tmp_path, "one.ipuz"), made(tmp_path, "other.ipuz")
    for path in (one, other, None, one):
        recent.note(path)
    assert RecentPuzzles(tmp_path / "state" / "recent.json").files == (one, other)


def test_recent_files_are_limited_and_missing_ones_dropped(tmp_path: Path) -> None:
    recent = RecentPuzzles(tmp_path / "recent.json")
    paths = [made(tmp_path, f"{number}.ipuz") for number in range(MOST_RECENT + 5)]
    for path in paths:
        recent.note(path)
    assert recent.files == tuple(reversed(paths))[:MOST_RECENT]
    paths[-1].unlink()
    assert recent.files[0] == paths[-2]


BROKEN = {
    "empty": "",
    "cut": "{",
    "other": "{}",
    "no names": "[1, null]",
    "no paths": '["relative.ipuz", "a\\u0000b"]',
    "deep": "[" * 10_000,
}


@pytest.mark.parametrize("text", BROKEN.values(), ids=list(BROKEN))
def test_a_damaged_list_of_recent_files_is_empty(tmp_path: Path, text: str) -> None:
    path = written(tmp_path / "recent.json", text)
    assert RecentPuzzles(path).files == ()
    one = made(tmp_path, "one.ipuz")
    RecentPuzzles(path).note(one)
    assert RecentPuzzles(path).files == (one,)
    assert json.loads(path.read_text()) == [str(one)]


def test_a_failed_write_is_silent(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    recent = RecentPuzzles(tmp_path / "file" / "recent.json")
    recent.note(made(tmp_path, "one.ipuz"))
    assert recent.files == ()


def test_a_file_is_shown_as_one_would_type_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    (home / "here").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(home / "here")
    paths = {"a.ipuz": home / "here" / "a.ipuz", "~/b.ipuz": home / "b.ipuz", str(tmp_path / "c"): tmp_path / "c"}
    assert {short_path(path): path for path in paths.values()} == paths
    assert [Path(name).expanduser().absolute() for name in paths] == list(paths.values())


SETTINGS = st.builds(
    Settings,
    theme=st.text(st.characters(exclude_categories=["Cs"])),
    entry_order=st.sampled_from(ENTRY_ORDERS),
    candidate_order=st.sampled_from([order.value for order in CandidateOrder]),
    threads=st.integers(0, 64),
    numbers=st.booleans(),
)


@given(settings=SETTINGS)
def test_settings_are_read_back(tmp_path_factory: pytest.TempPathFactory, settings: Settings) -> None:
    path = tmp_path_factory.mktemp("config") / "xwtui" / "settings.toml"
    save_settings(settings, path)
    assert load_settings(path) == settings


def test_no_file_means_the_defaults(tmp_path: Path) -> None:
    assert load_settings(tmp_path / "settings.toml") == Settings()


def test_unknown_settings_are_preserved(tmp_path: Path) -> None:
    path = written(tmp_path / "settings.toml", 'theme = "slate"\nfrom_the_future = 7\n')
    assert load_settings(path) == Settings(theme="slate")


@pytest.mark.parametrize(
    "text",
    [
        "theme = ",
        "threads = -1",
        "threads = 65",
        "threads = true",
        'entry_order = "random"',
        'candidate_order = "size"',
        "theme = 7",
        "\0",
        "numbers = 1",
    ],
)
def test_an_invalid_file_is_refused_by_name(tmp_path: Path, text: str) -> None:
    path = written(tmp_path / "settings.toml", text)
    with pytest.raises(XwtuiError, match=r"settings\.toml"):
        load_settings(path)


def test_an_unwritable_folder_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(XwtuiError, match="cannot write"):
        save_settings(Settings(), tmp_path / "file" / "settings.toml")


def test_an_error_without_a_system_message_is_described(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise OSError("the disk went away")

    monkeypatch.setattr("xwtui.session.settings.write_whole", fails)
    with pytest.raises(XwtuiError, match=r"cannot write .*: the disk went away"):
        save_settings(Settings(), tmp_path / "settings.toml")


def test_verb_uses_are_merged_with_those_of_another_process(tmp_path: Path) -> None:
    path = tmp_path / "state" / "verb-uses.json"
    one, other = VerbUses(path), VerbUses(path)
    one.note("fill")
    other.note("fill")
    other.note("check")
    assert (VerbUses(path).of("fill"), VerbUses(path).of("check"), VerbUses(path).of("save")) == (2, 1, 0)


def test_old_uses_fade(tmp_path: Path) -> None:
    uses = VerbUses(tmp_path / "uses.json")
    for verb in ["check"] * 400 + ["fill"] * 101:
        uses.note(verb)
    assert (uses.of("check"), uses.of("fill")) == (200, 50)


@pytest.mark.parametrize("text", ["", "[1]", '{"fill": "x", "nonsense": 3, "check": true, "save": -1}', "\0"])
def test_unreadable_uses_are_ignored(tmp_path: Path, text: str) -> None:
    path = written(tmp_path / "uses.json", text)
    uses = VerbUses(path)
    assert (uses.of("fill"), uses.of("nonsense"), uses.of("save")) == (0, 0, 0)
    uses.note("fill")
    assert VerbUses(path).of("fill") == 1


def test_uses_that_cannot_be_stored_count_in_memory(tmp_path: Path) -> None:
    blocked = written(tmp_path / "file", "")
    uses = VerbUses(blocked / "uses.json")
    uses.note("fill")
    uses.note("fill")
    assert uses.of("fill") == 2


def test_a_file_locked_by_another_process_is_left_alone(tmp_path: Path) -> None:
    theirs = written(tmp_path / "uses.part", "half")
    VerbUses(tmp_path / "uses.json").note("fill")
    assert theirs.read_text() == "half"
    assert {path.name for path in tmp_path.iterdir()} == {"uses.json", "uses.part"}


def test_list_errors_are_reported_again_after_a_change() -> None:
    told = [unreported_notices(["skipped line 6"], "pantry", state) for state in ("one", "one", "other", "one")]
    assert told == [["skipped line 6"], [], ["skipped line 6"], ["skipped line 6"]]
    assert unreported_notices([], "pantry", "mended") == []
    assert unreported_notices(["skipped line 6"], "kitchen", "one") == ["skipped line 6"], "other lists"
    assert unreported_notices(["skipped line 6"], "kitchen", "one") == [], "whatever is open between"
    assert unreported_notices(["skipped line 6"], "pantry", "one") == ["skipped line 6"], "broken anew"
    assert unreported_notices(["skipped line 6"], "", "one") == ["skipped line 6"], "nobody has started"


def test_a_list_error_is_reported_once_regardless_of_other_lists() -> None:
    """Personal scores change often, and puzzles have lists of their own."""
    notice = "my: skipped line 4"
    for lists, state, told in (
        ("mine my", "mine\t1\nmy\t1", [notice]),
        ("mine my", "mine\t2\nmy\t1", []),
        ("mine my other", "mine\t2\nmy\t1\nother\t1", []),
        ("mine my", "mine\t2\nmy\t2", [notice]),
        ("mine my", "mine\t3\nmy\t2", []),
    ):
        assert unreported_notices([notice], lists, state) == told, state
    assert unreported_notices([], "mine my", "mine\t3\nmy\t3") == []
    assert unreported_notices([notice], "mine my", "mine\t3\nmy\t4") == [notice]


Write = Callable[[str], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Return a function that writes a key map."""

    def written(text: str) -> Path:
        path = tmp_path / "keys.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return written


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("ctrl+r", ("ctrl+r",)),
        ("Ctrl+R", ("ctrl+r",)),
        ("Esc", ("escape",)),
        (".", ("full_stop",)),
        ("+", ("plus",)),
        ("ctrl++", ("ctrl+plus",)),
        ("PgUp", ("pageup",)),
        ("Ctrl+←", ("ctrl+left",)),
        ("f5", ("f5",)),
        ("shift+ctrl+Left", ("ctrl+shift+left",)),
        ("Shift+F5", ("shift+f5", "f17")),
    ],
)
def test_key_names_are_parsed_as_people_write_them(text: str, keys: tuple[str, ...]) -> None:
    assert read_key(text) == keys


@pytest.mark.parametrize("text", ["", "f99", "contrl+x", "ctrl+", "nothing", "strg+x"])
def test_invalid_key_names_are_reported(text: str) -> None:
    if text == "ctrl+":
        assert read_key(text) == ("ctrl+plus",)
        return
    with pytest.raises(XwtuiError, match="is not a key"):
        read_key(text)


def test_every_key_parses_back_from_its_display_name() -> None:
    for one in own_map().bindings:
        assert one.key in read_key(key_cap(one.key)), one


@pytest.mark.parametrize(
    ("key", "way"),
    [
        ("ctrl+i", Sending.TAB),
        ("ctrl+m", Sending.ENTER),
        ("ctrl+h", Sending.BACKSPACE),
        ("ctrl+q", Sending.QUITS),
        ("a", Sending.WRITES),
        ("alt+x", Sending.AFTER_ESCAPE),
        ("ctrl+shift+x", Sending.UNSENT),
        ("ctrl+enter", Sending.UNSENT),
        ("ctrl+shift+left", Sending.SENT),
        ("f20", Sending.SENT),
        ("full_stop", Sending.SENT),
    ],
)
def test_sendable_keys_are_known(key: str, way: Sending) -> None:
    assert sending(key) is way


def test_action_names_are_unique_and_differ_from_verbs() -> None:
    assert len(BY_NAME) == len(ACTIONS)
    assert not set(BY_NAME) & set(VERBS)


def test_terminals_send_all_default_keys() -> None:
    unsent = [one for one in own_map().bindings if sending(one.key) is not Sending.SENT]
    assert {one.key for one in unsent} == {"ctrl+q"}


ODD = ("backslash", "percent_sign", "at", "left_square_bracket", "equals_sign", "plus")


@pytest.mark.parametrize("key", ODD)
def test_an_awkward_key_is_listed_last_for_its_action(key: str) -> None:
    target = next(
        one.target for one in own_map().bindings if one.key == key and one.place is not KeyPlace.CANDIDATES
    )
    assert own_map().keys_of(target)[0] != key
    assert own_map().keys_of(target)[-1] == key


@pytest.mark.parametrize("name", sorted(path.stem for path in key_maps_folder().glob("*.toml")))
def test_shipped_key_maps_have_no_errors(name: str) -> None:
    file = shipped_maps()[name]
    assert file.summary
    faults = [fault.key for fault in faults_of(file, own_map()) if fault.kind.is_grave]
    assert faults == (["Ctrl+Q"] if name == "xwtui" else []), "that one quits in any case"


def test_the_crosshare_map_has_its_keys() -> None:
    keys = shipped_map("crosshare")
    assert keys.keys_of("cancel or rebus") == ("escape",)
    assert keys.keys_of("fill") == ("enter", "f5")
    assert keys.keys_of("cancel") == ()
    assert keys.keys_of("bar ahead") == ("comma",)
    assert keys.lines == ("bar ahead",)
    assert keys.keys_of("heat") == ("percent_sign",), "Ctrl+D is the list's there"


def test_user_keys_override_the_selected_map(write: Write) -> None:
    path = write('[keys]\n"ctrl+d" = "stats"\n"*" = ""\n"shift+f9" = "fill --partial"\n')
    found = keys_in_force(Settings(key_map="crosshare"), path)
    assert found.problem == ""
    assert found.map.keys_of("stats") == ("ctrl+d",)
    assert found.map.keys_of("mark") == ()
    assert found.map.keys_of("fill --partial") == ("shift+f9", "f21")
    assert found.map.keys_of("fill") == ("enter", "f5")
    assert found.map.cap_of("candidate list") == ":candidate list"


def test_a_web_page_binds_no_keys_that_browsers_reserve(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TEXTUAL_DRIVER", "textual.drivers.web_driver:WebDriver")
    found = keys_in_force(Settings(), tmp_path / "none.toml").map
    assert found.keys.isdisjoint({"ctrl+n", "ctrl+t", "ctrl+w"})
    assert found.cap_of("why") == ";", "what the footer shows"
    assert found.cap_of("fill") == own_map().cap_of("fill")


@pytest.mark.parametrize("name", ["xwtui", "crosshare"])
def test_actions_on_reserved_keys_have_another_key_in_the_browser(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    every = {one.target for one in shipped_map(name).bindings}
    monkeypatch.setenv("TEXTUAL_DRIVER", "textual.drivers.web_driver:WebDriver")
    found = keys_in_force(Settings(key_map=name), tmp_path / "none.toml").map
    assert [target for target in sorted(every) if not found.keys_of(target)] == []


def test_candidate_list_keys_coexist_with_grid_keys(write: Write) -> None:
    found = keys_in_force(Settings(), write('[keys]\n"f3" = "check"\n')).map
    assert found.keys_of("check") == ("f3",)
    assert found.keys_of("sort candidates") == ("f3",)
    assert found.keys_of("order") == ()
    assert keys_in_force(Settings(), write('[keys]\n"f3" = ""\n')).map.keys_of("sort candidates") == ()


def test_old_action_names_are_still_accepted(write: Write) -> None:
    assert keys_in_force(Settings(), write('[keys]\n"f3" = "next theme"\n')).map.keys_of("next colours")[0] == "f3"


def test_a_map_file_extends_its_base(write: Write) -> None:
    assert keys_in_force(Settings(), write('base = "crosshare"\n')).map.keys_of("fill") == ("enter", "f5")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('base = "crosswhere"\n', "line 1: there is no key map 'crosswhere'"),
        ('\n[keys]\n"ctrl+d" = "stat"\n', "line 3: there is no verb 'stat'; did you mean `stats`?"),
        ('[keys]\n"ctr+d" = "stats"\n', "line 2: 'ctr+d' is not a key"),
        ('[keys]\n"ctrl+d" = 5\n', "line 2: the action of 'ctrl+d' must be text in quotes"),
        ('[keys\n"ctrl+d" = "stats"\n', "line 1"),
        ("keyz = 1\n", "line 1: 'keyz' means nothing here"),
    ],
)
def test_a_broken_map_is_reported_with_its_line_and_ignored(write: Write, text: str, told: str) -> None:
    path = write(text)
    found = keys_in_force(Settings(), path)
    assert found.map == shipped_map("xwtui")
    assert str(path) in found.problem
    assert told in found.problem
    assert "the keys are those of `xwtui`" in found.problem


def test_an_unknown_map_name_is_reported() -> None:
    found = keys_in_force(Settings(key_map="emacs"), Path("/no/such/file"))
    assert found.map == own_map()
    assert "there is no key map 'emacs'" in found.problem


def kinds(path: Path) -> list[tuple[FaultKind, int]]:
    return [(fault.kind, fault.line) for fault in faults_of(read_key_file(path), own_map())]


def test_errors_are_found_with_their_lines(write: Write) -> None:
    path = write(
        '[keys]\n"ctrl+d" = "stats"\n"Ctrl+D" = "check"\n"ctrl+i" = "check"\n"alt+x" = "check"\n'
        '"q" = "check"\n"hyper" = "check"\n"f4" = "chekc"\n"." = "check"\n'
    )
    assert kinds(path) == [
        (FaultKind.CLASH, 3),
        (FaultKind.NOT_SENT, 4),
        (FaultKind.NOT_SENT, 5),
        (FaultKind.NOT_SENT, 6),
        (FaultKind.NO_KEY, 7),
        (FaultKind.NO_ACTION, 8),
    ]


def test_a_key_that_terminals_send_as_another_conflicts_with_it(write: Write) -> None:
    path = write('[keys]\n"shift+f5" = "stats"\n"f17" = "check"\n"shift+f6" = "stats"\n"Shift+F6" = "check"\n')
    found = [fault for fault in faults_of(read_key_file(path), own_map()) if fault.kind is FaultKind.CLASH]
    assert [fault.line for fault in found] == [3, 5]
    assert "F17 has two meanings: `stats` (shift+f5) and `check`" in found[0].text


def test_a_later_line_unbinds_a_key_in_any_spelling(write: Write) -> None:
    path = write('[keys]\n"ctrl+d" = "stats"\n"Ctrl+D" = ""\n"f7" = "stats"\n"F7" = "check"\n')
    found = keys_in_force(Settings(), path)
    assert found.map.keys_of("stats") == ()
    assert found.map.keys_of("check") == ("f7",), "the last one holds"
    assert kinds(path)[0] == (FaultKind.CLASH, 5)


def test_the_error_count_matches_the_check(write: Write) -> None:
    path = write('[keys]\n"ctr+d" = "stat"\n"ctrl+d" = "stat"\n')
    assert "(`keys check` lists 1 more)" in keys_in_force(Settings(), path).problem
    assert len(kinds(path)) == 2


def test_an_action_without_keys_is_reported_but_no_error(write: Write) -> None:
    found = faults_of(read_key_file(write('[keys]\n"." = "check"\n')), own_map())
    assert [(fault.kind, fault.line) for fault in found] == [(FaultKind.LOST, 2)]
    assert "`block` no longer has a key" in found[0].text
    assert not found[0].kind.is_grave

"""The settings file: read, written, and refused with its name where it is wrong."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xwtui.engine.candidates.estimate import CandidateOrder
from xwtui.errors import XwtuiError
from xwtui.session.settings import ENTRY_ORDERS, Settings, load_settings, save_settings

SETTINGS = st.builds(
    Settings,
    theme=st.text(st.characters(exclude_categories=["Cs"])),
    entry_order=st.sampled_from(ENTRY_ORDERS),
    candidate_order=st.sampled_from([order.value for order in CandidateOrder]),
    threads=st.integers(0, 64),
    numbers=st.booleans(),
)


@given(settings=SETTINGS)
def test_what_is_written_is_read(tmp_path_factory: pytest.TempPathFactory, settings: Settings) -> None:
    path = tmp_path_factory.mktemp("config") / "xwtui" / "settings.toml"
    save_settings(settings, path)
    assert load_settings(path) == settings


def test_no_file_means_the_defaults(tmp_path: Path) -> None:
    assert load_settings(tmp_path / "settings.toml") == Settings()


def test_unknown_names_are_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text('theme = "slate"\nfrom_the_future = 7\n')
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
def test_a_wrong_file_is_refused_by_name(tmp_path: Path, text: str) -> None:
    path = tmp_path / "settings.toml"
    path.write_text(text)
    with pytest.raises(XwtuiError, match=r"settings\.toml"):
        load_settings(path)


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(XwtuiError, match="cannot write"):
        save_settings(Settings(), tmp_path / "file" / "settings.toml")

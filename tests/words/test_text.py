import pytest
from hypothesis import given
from hypothesis import strategies as st

from xwtui.text import ELLIPSIS, printable, typed


@given(st.text(st.characters()), st.integers(1, 20))
def test_any_text_is_shown_within_its_limit_and_without_controls(text: str, limit: int) -> None:
    shown = printable(text, limit)
    assert shown.replace("\u200c", "").replace("\u200d", "").isprintable()
    assert len(shown) <= limit
    assert len(text) <= limit or shown.endswith(ELLIPSIS)


def test_plain_text_stays_as_it_is() -> None:
    assert printable("Crème brûlée 日本") == "Crème brûlée 日本"


def test_controls_and_direction_marks_are_escaped() -> None:
    assert printable("a\x1b[2Jb\u202ec\nd") == "a\\x1b[2Jb\\u202ec\\nd"


FAMILY = "👩\u200d👩\u200d👧"
PRIDE = "🏳\ufe0f\u200d🌈"


@pytest.mark.parametrize("text", [FAMILY, f"{PRIDE} is one flag", "नि\u200dष्ठा", "می\u200cخواهم"])
def test_what_joins_characters_into_one_sign_stays(text: str) -> None:
    assert typed(text) == text
    assert printable(text) == text


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("\u200d👩", "👩"),
        ("👩\u200d", "👩"),
        ("👩\u200d\u200d👩", "👩👩"),
        ("👩\u200d\x1b\u202e👩", "👩\u200d👩"),
        ("pay\u200dpal", "paypal"),
        ("a\x07b\x1b[2J\n ", "ab[2J"),
        ("👩 \u200d 👩", "👩  👩"),
    ],
)
def test_what_joins_nothing_goes_with_the_control_characters(text: str, kept: str) -> None:
    assert typed(text) == kept


@given(st.text(st.sampled_from(["👩", "\u200d", "\u200c", "a", "\x1b", "\u202e", " ", "é"])))
def test_typed_text_has_nothing_more_to_lose(text: str) -> None:
    assert typed(typed(text)) == typed(text)

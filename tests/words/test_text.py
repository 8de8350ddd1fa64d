from hypothesis import given
from hypothesis import strategies as st

from xwtui.text import ELLIPSIS, printable


@given(st.text(st.characters()), st.integers(1, 20))
def test_any_text_is_shown_within_its_limit_and_without_controls(text: str, limit: int) -> None:
    shown = printable(text, limit)
    assert shown.isprintable()
    assert len(shown) <= limit
    assert len(text) <= limit or shown.endswith(ELLIPSIS)


def test_plain_text_stays_as_it_is() -> None:
    assert printable("Crème brûlée 日本") == "Crème brûlée 日本"


def test_controls_and_direction_marks_are_escaped() -> None:
    assert printable("a\x1b[2Jb\u202ec\nd") == "a\\x1b[2Jb\\u202ec\\nd"

import pytest

from tests.session.saying import refuses, said
from xwtui.errors import PuzzleError, XwtuiError
from xwtui.session.session import Session
from xwtui.session.verbs.registry import run_line


def test_a_name_is_found_and_circled(small: Session) -> None:
    said(small, "set 1A SAM", "set r3c1 M", "set r2c1 A")
    assert said(small, "circle find sam") == "  1  r1c1 r1c2 r1c3\n  2  r1c1 r2c1 r3c1"
    assert said(small, "circle find SAM --take 2") == "SAM is circled: r1c1 r2c1 r3c1"
    circled = [str(at) for at in small.puzzle.grid.positions() if small.puzzle.grid[at].circle]
    assert circled == ["r1c1", "r2c1", "r3c1"]
    said(small, "circle find SAM --take 1")
    assert small.undo() == "circle SAM"
    said(small, "circle r1c1")
    assert not next(iter(small.puzzle.grid.squares)).circle


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("circle find TOM", "no row or column has TOM in this order"),
        ("circle find SAM --take 3", "there are places 1 to 1"),
        ("circle r1c1 --take 1", "--take goes with `find`"),
        ("circle nowhere", "nowhere"),
    ],
)
def test_what_cannot_be_is_told(small: Session, line: str, told: str) -> None:
    run_line(small, "set 1A SAM")
    refuses(small, line, told, (PuzzleError, XwtuiError))

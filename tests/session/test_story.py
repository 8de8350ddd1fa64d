"""What led to an event and what comes of it."""

from xwtui.engine.events.event import Event, EventKind
from xwtui.engine.events.timeline import Timeline
from xwtui.model import Grid, Position
from xwtui.session.story import story_of

AT = Position(2, 1)
DECIDED = Event(EventKind.DECIDE, 2, "4A", "ICE", before=9)
PRUNED = Event(EventKind.PRUNE, 2, "1D", crossing=Position(1, 0), before=8, after=4, other="4A")
CUT = Event(EventKind.PRUNE, 2, "2D", crossing=Position(1, 1), before=8, after=1, other="4A")
EMPTY = Event(EventKind.WIPE_OUT, 2, "2D", crossing=AT, other="5A", wanted=("E",))
JUMPED = Event(EventKind.JUMP, 1, "4A", "ICE")
BACK = Event(EventKind.BACKTRACK, 0, "1A", "BAG", before=8, after=7)


def line() -> Timeline:
    timeline = Timeline(Grid.blank(3, 3))
    first = Event(EventKind.DECIDE, 1, "1A", "BAG", before=8)
    timeline.extend([first, PRUNED, DECIDED, PRUNED, CUT, EMPTY, JUMPED, BACK])
    return timeline


def test_what_was_pruned_since_the_last_decision() -> None:
    """And nothing from before it."""
    assert story_of(line(), 4).pruned == (PRUNED, CUT)
    assert story_of(line(), 2).pruned == ()
    assert story_of(line(), 4).lines()[0] == "2D: 8 → 1 through r2c2 (4A)"


def test_a_dead_end_tells_what_emptied_the_entry_and_the_way_back() -> None:
    """The same from the dead end itself and from each event on the way back."""
    for number in (5, 6, 7):
        story = story_of(line(), number)
        assert story.pruned == (PRUNED,)
        assert story.dead_end is not None
        assert story.dead_end.failure == EMPTY
        assert story.dead_end.emptied_by == (CUT,)
        assert story.dead_end.undone == (JUMPED, BACK)
    assert story_of(line(), 5).lines()[:4] == [
        "2D runs empty: r3c2 takes none of E",
        "jumps back over 4A",
        "takes back 1A = BAG, goes on from the start",
        "before that: 8 → 1 through r2c2 (4A)",
    ]


def test_what_is_not_recorded_yet_is_not_told() -> None:
    """At the end of the time line nothing has been taken back."""
    timeline = Timeline(Grid.blank(3, 3))
    timeline.extend([DECIDED, CUT, EMPTY])
    story = story_of(timeline, 2)
    assert story.dead_end is not None
    assert story.dead_end.undone == ()

"""The palette over all that can be done, and the list of all verbs after a colon."""

from textual.command import CommandPalette
from textual.events import Key

from tests.tui.conftest import OpenStage
from tests.tui.still import until
from xwtui.model import Kind, Position, Puzzle
from xwtui.session.keys.key_map import own_map
from xwtui.session.verbs.registry import VERBS
from xwtui.session.verbs.verb import Group
from xwtui.tui.catalogue import catalogue
from xwtui.tui.screens.editor import Editor
from xwtui.tui.widgets.prompt import CompletionList, Prompt


def test_every_verb_is_offered_by_group() -> None:
    by_verbs = [one for one in catalogue(own_map()) if one.name in VERBS]
    assert {one.name for one in by_verbs} == set(VERBS)
    assert list(dict.fromkeys(one.group for one in by_verbs)) == [group.value for group in Group]
    assert next(one for one in by_verbs if one.name == "fill").key == "F5"


async def test_a_verb_is_found_and_done(stage: OpenStage, small: Puzzle) -> None:
    async with stage(small) as on:
        await on.press("ctrl+p")
        assert isinstance(on.app.screen, CommandPalette)
        await on.type("block")
        await on.pilot.pause()
        assert "symmetry" in on.text() or "mirror" in on.text(), "its help is there"
        await on.press("enter")
        await on.pilot.pause()
        assert isinstance(on.app.screen, Editor)
        assert on.grid[Position(0, 0)].kind is Kind.BLOCK


async def test_what_needs_words_is_asked_for_them(stage: OpenStage, small: Puzzle) -> None:
    async with stage(small) as on:
        await on.press("ctrl+p")
        await on.type("author")
        await on.pilot.pause()
        await on.press("enter")
        await on.pilot.pause()
        assert on.editor.query_one(Prompt).field.value == "author "


async def test_keys_typed_ahead_are_meant_for_the_palette(stage: OpenStage, small: Puzzle) -> None:
    async with stage(small) as on:
        for key in ("a", "ctrl+p", *"undo", "enter", "b"):
            on.app.post_message(Key(key, key if len(key) == 1 else None))
        await on.pilot.pause()
        await until(on, lambda: on.app.typeahead.is_idle, "all that was typed")
        assert on.grid.pattern(on.grid.slot("1A")) in ("B??", "?B?"), "the edit was undone, then B was written"


async def test_a_verb_is_found_by_its_help(stage: OpenStage, small: Puzzle) -> None:
    async with stage(small) as on:
        await on.press("ctrl+p", *"mirror")
        await on.pilot.pause()
        assert "block" in on.text()


async def test_all_verbs_are_listed_after_a_colon_the_most_used_first(stage: OpenStage, small: Puzzle) -> None:
    async with stage(small) as on:
        await on.press("colon")
        listed = on.editor.query_one(CompletionList)
        assert {offer.word for offer in listed.rows} == set(VERBS)
        await on.press("escape")
        for _ in range(2):
            await on.verb("symmetry none")
        await on.verb("title One")
        await on.press("colon")
        assert [offer.word for offer in listed.rows[:2]] == ["symmetry", "title"]
    async with stage(small) as on:
        await on.press("colon")
        listed = on.editor.query_one(CompletionList)
        assert [offer.word for offer in listed.rows[:2]] == ["symmetry", "title"], "at the next start as well"

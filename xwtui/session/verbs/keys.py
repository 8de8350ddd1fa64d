"""The verbs for the keys of the screen: which there are, maps to choose from, what is wrong with one's own."""

from __future__ import annotations

from pathlib import Path

from xwtui.errors import VerbError
from xwtui.lazy import lazy_imports
from xwtui.session.verbs.kinds import Choices, among, file_kind, parameter_kind
from xwtui.session.verbs.verb import WITHOUT_GRID, Answer, Group, answered, argument, verbs_of

with lazy_imports():
    from xwtui.session.keys import key_map
    from xwtui.session.keys.answers import KeyCheckAnswer, KeyMapsAnswer, KeysAnswer, faults_of
    from xwtui.session.keys.key_map import keys_in_force, read_key_file, shipped_map, shipped_maps, user_key_file
    from xwtui.session.session import Session
    from xwtui.session.settings import load_settings

verb = verbs_of(Group.SESSION)


def _key_maps() -> dict[str, str]:
    return {name: file.summary for name, file in shipped_maps().items()}


@parameter_kind("map", among(_key_maps), choices=Choices(_key_maps))
def KEY_MAP(text: str, session: Session) -> str:
    """The name of a map of keys that ships."""
    return shipped_map(text.strip().lower()).name


@verb(examples=("keys show", "keys show crosshare"), from_shell=WITHOUT_GRID)
def keys_show(
    session: Session, map: str | None = argument("a key map that ships (default: the keys in use)", KEY_MAP)
) -> Answer:
    """List the keys in use, or those of a key map, by the names used in key files.

    To change keys, put a file `keys.toml` in your settings folder: `"ctrl+d" = "stats"`.
    """
    return answered(KeysAnswer(keys_in_force(load_settings()).map if map is None else shipped_map(map)))


@verb(examples=("keys list",), from_shell=WITHOUT_GRID)
def keys_list(session: Session) -> Answer:
    """List the key maps to choose from, with a star at the one in use."""
    own = user_key_file()
    base = read_key_file(own).base if own.exists() else ""
    maps = tuple((name, file.summary) for name, file in shipped_maps().items())
    used = base or load_settings().key_map or key_map.OWN_MAP
    return answered(KeyMapsAnswer(maps, used, own if own.exists() else None))


@verb(examples=("keys use crosshare", "keys use xwtui"), from_shell=WITHOUT_GRID)
def keys_use(
    session: Session, map: str = argument("a key map that ships; `keys list` shows their names", KEY_MAP)
) -> Answer:
    """Choose a key map; the choice is remembered.

    Your own keys in `keys.toml` still come first.
    """
    own = user_key_file()
    if own.exists():
        file = read_key_file(own)
        if file.base and file.base != map:
            raise VerbError(f'{own}, line {file.base_line}, says base = "{file.base}"; change or remove that line')
    session.remember(key_map=map)
    return f"the keys are those of {map}"


@verb(examples=("keys check", "keys check mine.toml"), from_shell=WITHOUT_GRID)
def keys_check(
    session: Session, file: Path | None = argument("a key file (default: your own)", file_kind(".toml"))
) -> Answer:
    """Check your own key file for mistakes.

    It reports keys used twice, keys that terminals cannot send or that xwtui needs, unknown names, and actions
    left without a key.
    """
    chosen = load_settings().key_map or key_map.OWN_MAP
    path = file or user_key_file()
    if file is None and not path.exists():
        return answered(KeyCheckAnswer(None, chosen, ()))
    read = read_key_file(path)
    return answered(KeyCheckAnswer(path, read.base or chosen, faults_of(read, shipped_map(chosen))))

"""What is asked of numba, which is imported where something has to be compiled, and only there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Lock
from typing import Any

import numba
from numba import typeof
from numba.core import config

from xwtui.engine.kernels.compiler import drafts, fence
from xwtui.engine.kernels.compiler.objects import ObjectFile, Target

_choosing_folder = Lock()
"""Numba asks its one setting for the folder of each function."""


def inner(function: Callable[..., Any], *, is_inlined: bool) -> Any:
    """A function that only other kernels call."""
    options = fence.inner_options(drafts)
    return numba.njit(**options, **({"forceinline": True} if is_inlined else {}))(function)


def object_file(function: Callable[..., Any], arguments: Sequence[Any], target: Target) -> ObjectFile:
    """Compile an entry point for arguments like these, with all that it leads to."""
    kinds = tuple(typeof(argument) for argument in arguments)
    return drafts.object_file(function, kinds, target, fence.object_options(drafts))


def kept_by_numba(function: Callable[..., Any], folder: Path | None) -> Any:
    """An entry point that numba calls itself, and keeps in a folder in its own way."""
    options = fence.entry_options(drafts)
    if folder is None:
        return numba.njit(**options)(function)
    with _choosing_folder:
        users_folder, config.CACHE_DIR = config.CACHE_DIR, str(folder)
        try:
            kept = numba.njit(cache=True, **options)(function)
        finally:
            config.CACHE_DIR = users_folder
    if folder not in Path(kept.stats.cache_path).parents:  # numba's second choice would be beside the sources
        kept = numba.njit(**options)(function)
    return kept

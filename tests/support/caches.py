"""Caches of their own for tests, in which this package's own units need not be compiled again."""

from __future__ import annotations

import os
import shutil
from functools import cache
from pathlib import Path

from symtheano.codegen.native.cache import Cache
from symtheano.codegen.native.prebuilt import Unit, load_unit
from symtheano.codegen.native.toolchain import find_toolchain
from symtheano.codegen.runtime.prebuild import package_units


def new_cache(directory: Path, *names: str) -> Path:
    """Make a cache that has the dispatcher and other units from the cache of all tests.

    No compiled program is in it. It knows the compiler, too.

    Parameters
    ----------
    directory
        The cache's directory, which is created.
    names
        Names of :func:`package_units` in addition to the dispatcher.
    """
    directory.mkdir(mode=0o700)
    every = Cache(Path(os.environ["SYMTHEANO_CACHE_DIR"]))
    toolchain = find_toolchain(os.environ.get("SYMTHEANO_CC"), directory=every.directory)
    for notes in every.directory.glob("compiler-*.txt"):
        shutil.copy(notes, directory)
    for name in ("dispatcher", *names):
        library = load_unit(_units()[name], toolchain, every, Path)
        place = directory / library.parent.name
        place.mkdir(mode=0o700, exist_ok=True)
        for file in library.parent.glob(f"{library.stem}.*"):
            shutil.copy(file, place)
    return directory


@cache
def _units() -> dict[str, Unit]:
    return package_units()

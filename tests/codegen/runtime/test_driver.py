"""Libraries of drivers: compiled once, and tables that unload themselves."""

from __future__ import annotations

import ctypes
import gc
from pathlib import Path

import pytest

from symtheano.codegen.native.cache import Cache
from symtheano.codegen.native.toolchain import find_toolchain
from symtheano.codegen.runtime.driver import load_driver, table_of
from tests.support.caches import new_cache

pytestmark = pytest.mark.needs_cc


def test_a_library_is_compiled_once(tmp_path: Path) -> None:
    directory = str(new_cache(tmp_path / "cache"))
    toolchain = find_toolchain(directory=directory)
    first = load_driver("emulated_driver.c", toolchain, directory)
    entries = set(Path(directory).iterdir())
    again = load_driver("emulated_driver.c", toolchain, directory)
    assert set(Path(directory).iterdir()) == entries
    assert first._name == again._name


def test_tables_are_unloaded_with_the_last_reference() -> None:
    unloaded: list[int] = []

    class Library:
        @staticmethod
        def st_unload(table: int) -> None:
            unloaded.append(table)

    table = table_of(Library)(4096)  # type: ignore[arg-type]
    assert not gc.is_tracked(table)
    kept = [table]
    del table
    assert unloaded == []
    kept.clear()
    assert unloaded == [4096]


def test_drivers_have_the_same_functions(tmp_path: Path) -> None:
    """What arrays on a device need, both of them have."""
    directory = str(new_cache(tmp_path / "cache"))
    toolchain = find_toolchain(directory=directory)
    assert Cache(directory).place == directory
    for name in ("emulated_driver.c", "cuda_driver.c"):
        library = load_driver(name, toolchain, directory)
        library.st_reason.restype = ctypes.c_char_p
        for function in ("st_allocate", "st_free", "st_copy", "st_wait", "st_load", "st_unload"):
            assert getattr(library, function)
        assert library.st_reason() == b""

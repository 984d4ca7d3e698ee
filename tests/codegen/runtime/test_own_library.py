"""Libraries of our own kernels are compiled once, and left out where they can't be."""

from __future__ import annotations

import pytest

from symtheano.codegen.native.cache import Cache
from symtheano.codegen.native.toolchain import Toolchain
from symtheano.codegen.runtime.library import symbol_address
from symtheano.codegen.runtime.own_library import OwnLibrary

pytestmark = pytest.mark.needs_cc


def source(suffix: str) -> str:
    if suffix == "broken":
        return "this is not C"
    return f'__attribute__((visibility("default"))) int st_it_is_{suffix}(void) {{ return 1; }}'


def test_a_library_is_compiled_once(toolchain: Toolchain, tmp_path: object) -> None:
    library = OwnLibrary(source, ("a", "b"), toolchain, Cache(str(tmp_path)).place)
    assert library.load(wait=False) is None
    found = library.load()
    assert found is not None
    assert [bool(symbol_address(found[s], f"st_it_is_{s}")) for s in "ab"] == [True, True]
    again = library.load(wait=False)
    assert again is not None
    assert list(again) == ["a", "b"]
    assert OwnLibrary(source, ("b", "c"), toolchain, library.directory).load(wait=False) is None


def test_what_the_compiler_rejects_is_left_out(toolchain: Toolchain, tmp_path: object) -> None:
    library = OwnLibrary(source, ("a", "broken"), toolchain, Cache(str(tmp_path)).place)
    assert list(library.load() or {}) == ["a"]

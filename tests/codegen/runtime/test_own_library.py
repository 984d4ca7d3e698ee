"""Libraries of our own kernels are compiled once, and left out where they can't be."""

from __future__ import annotations

import pytest

from symtheano.codegen.native.cache import Cache
from symtheano.codegen.native.prebuilt import Unit
from symtheano.codegen.native.toolchain import Toolchain
from symtheano.codegen.runtime.library import symbol_address
from symtheano.codegen.runtime.own_library import (
    library_unit,
    library_units,
    load_libraries,
    own_library,
    own_units,
)


def unit(name: str) -> Unit:
    if name == "broken":
        return Unit("this is not C")
    return Unit(f'__attribute__((visibility("default"))) int st_it_is_{name}(void) {{ return 1; }}')


@pytest.mark.needs_cc
def test_a_library_is_compiled_once(toolchain: Toolchain, tmp_path: object) -> None:
    units, directory = {name: unit(name) for name in "ab"}, Cache(str(tmp_path)).place
    assert load_libraries(units, toolchain, directory, wait=False) is None
    loaded = load_libraries(units, toolchain, directory)
    assert loaded is not None
    assert [bool(symbol_address(loaded[name], f"st_it_is_{name}")) for name in "ab"] == [True, True]
    again = load_libraries(units, toolchain, directory, wait=False)
    assert again is not None
    assert list(again) == ["a", "b"]
    others = {name: unit(name) for name in "bc"}
    assert load_libraries(others, toolchain, directory, wait=False) is None


@pytest.mark.needs_cc
def test_what_the_compiler_rejects_is_left_out(toolchain: Toolchain, tmp_path: object) -> None:
    units = {name: unit(name) for name in ("a", "broken")}
    assert list(load_libraries(units, toolchain, Cache(str(tmp_path)).place) or {}) == ["a"]


def test_units_are_those_of_all_libraries_and_dtypes() -> None:
    names = [name for name, _ in own_units()]
    assert names == [
        f"{name}_{suffix}"
        for name in ("product", "convolution", "pooling")
        for suffix in own_library(name).suffixes
    ]
    assert len(names) == 14


def test_a_unit_has_the_text_of_a_variant_and_the_flags() -> None:
    library = own_library("convolution")
    usual, fast = library_unit(library, "f32"), library_unit(library, "f32", "fast")
    assert usual == library_units(library)["f32"]
    assert usual != fast
    assert usual.flags == fast.flags == library.flags


@pytest.mark.needs_cc
def test_libraries_export_what_they_declare(toolchain: Toolchain, cache: Cache) -> None:
    for name in ("product", "convolution", "pooling"):
        library = own_library(name)
        loaded = load_libraries({"f32": library_unit(library, "f32")}, toolchain, cache.place)
        assert loaded is not None
        for symbol in library.exports.values():
            assert symbol_address(loaded["f32"], symbol)

"""Sums and products of lengths do not overflow."""

from __future__ import annotations

import ctypes
from itertools import product
from pathlib import Path

import pytest

from symtheano import config
from symtheano.codegen.native.toolchain import compile_shared, find_toolchain
from symtheano.codegen.sizes import SIZES

_MOST = 2**62
_LENGTHS = (
    *(0, 1, 2, 3, 63, 64, 65, 2**31 - 1, 2**31, 2**32 + 5, 2**53 + 1, 2**61 - 1, 2**61, 2**61 + 1),
    *(2**62 - 1, 2**62, 2**62 + 1, 2**63 - 1),
)
_EXPORTED = """\
#include <stddef.h>
#include <stdint.h>
SIZES
__attribute__((visibility("default"))) int64_t plus(int64_t a, int64_t b) {
    return st_size_plus(a, b);
}
__attribute__((visibility("default"))) int64_t times(int64_t a, int64_t b) {
    return st_size_times(a, b);
}
__attribute__((visibility("default"))) int64_t of(int64_t a, int64_t b) { return st_size_of(a, b); }
"""


@pytest.mark.needs_cc
def test_sums_and_products_end_at_the_limit(tmp_path: Path) -> None:
    target = tmp_path / "sizes.so"
    compile_shared(_EXPORTED.replace("SIZES", SIZES), target, find_toolchain(config.cc))
    library = ctypes.CDLL(str(target))
    functions = [library.plus, library.times, library.of]
    for function in functions:
        function.restype = ctypes.c_int64
    for a, b in product(_LENGTHS, repeat=2):
        found = [f(ctypes.c_int64(a), ctypes.c_int64(b)) for f in functions]
        lines = min(a * b, _MOST) + 63
        wanted = [a + b, a * b, min(lines, _MOST) // 64 * 64]
        assert found == [min(size, _MOST) for size in wanted], (a, b)

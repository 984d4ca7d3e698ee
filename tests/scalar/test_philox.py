"""The generator has the published numbers."""

from __future__ import annotations

import ctypes
from math import cos, log, pi, sin, sqrt
from pathlib import Path

import numpy as np
import pytest

from symtheano.scalar.philox import BLOCKS_TEXT, NUMBERS_TEXTS, _blocks
from tests.tensor.random.counters import built, philox

# Known answers of Random123 for philox4x32-10: counter, key, result.
VECTORS = [
    ("00000000 00000000 00000000 00000000", "00000000 00000000",
     "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
    ("ffffffff ffffffff ffffffff ffffffff", "ffffffff ffffffff",
     "408f276d 41c83b0e a20bc7c6 6d5451fd"),
    ("243f6a88 85a308d3 13198a2e 03707344", "a4093822 299f31d0",
     "d16cfe09 94fdcceb 5001e420 24126ea1"),
]  # fmt: skip


def test_published_vectors() -> None:
    for counter, key, result in VECTORS:
        c, k, r = ([int(v, 16) for v in text.split()] for text in (counter, key, result))
        given = [k[0] | k[1] << 32, c[2] | c[3] << 32, c[0] | c[1] << 32]
        found = _blocks(*(np.array(item, "uint64") for item in given))
        assert [int(v) for v in found] == [r[0] | r[1] << 32, r[2] | r[3] << 32]
        assert philox(*given) == r


def test_extreme_words_make_finite_numbers(tmp_path: Path) -> None:
    """The functions of words, for words from which no seed is known that makes them."""
    texts = [BLOCKS_TEXT, *NUMBERS_TEXTS.values()]
    calls = """\
void made_f64(uint64_t a, uint64_t b, double *y) {
    const st_normals_f64 pair = st_word_normal_f64(a, b);
    y[0] = pair.first, y[1] = pair.second, y[2] = st_word_exponential_f64(a);
    y[3] = st_word_random_f64(a);
}
void made_f32(uint32_t a, uint32_t b, float *y) {
    const st_normals_f32 pair = st_word_normal_f32(a, b);
    y[0] = pair.first, y[1] = pair.second, y[2] = st_word_exponential_f32(a);
    y[3] = st_word_random_f32(a);
}
"""
    visible = calls.replace("void", '__attribute__((visibility("default"))) void')
    library = built("\n".join([*texts, visible]), tmp_path)
    for bits, real, least, name in (
        (64, ctypes.c_double, 2.0**-53, "made_f64"), (32, ctypes.c_float, 2.0**-32, "made_f32"),
    ):  # fmt: skip
        whole = ctypes.c_uint64 if bits == 64 else ctypes.c_uint32
        made, y = getattr(library, name), (real * 4)()
        for a in (0, 1, 2**bits - 1, 2 ** (bits - 1)):
            u = {0: least, 1: least, 2 ** (bits - 1): 0.5}.get(a, 1.0)
            for eighth in range(8):
                for near in (-1, 0, 1):
                    b = (eighth * 2 ** (bits - 3) + near) % 2**bits
                    made(whole(a), whole(b), y)
                    radius, angle = sqrt(-2 * log(u)), 2 * pi * b / 2**bits
                    close = 8 * float(np.finfo(real).eps)
                    assert y[0] == pytest.approx(radius * cos(angle), abs=close * 8)
                    assert y[1] == pytest.approx(radius * sin(angle), abs=close * 8)
                    assert y[2] == pytest.approx(-log(u), rel=close, abs=close)
                    assert 0 <= y[3] < 1

"""Loops that compute with halves as floats: results are those of halves, for every half."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano.codegen.passes.halves import halves
from symtheano.codegen.passes.vectorize import vectorize
from symtheano.loopir import Let
from tests.codegen.passes.change import Golden, change
from tests.support.compare import compiled

h = T.vector("h", dtype="float16")
ALL = np.arange(1 << 16, dtype="uint16").view("float16")


def _floats() -> Any:
    """Return floats around all that are halves or between two, and of every size."""
    with np.errstate(all="ignore"):
        halves = ALL.astype("float32")
        between = (halves[:-1] + halves[1:]) / 2
        near = [np.nextafter(between, np.float32(limit)) for limit in (-np.inf, np.inf)]
    bits = np.random.default_rng(0).integers(0, 1 << 32, 1 << 16, dtype="uint32")
    return np.concatenate([halves, between, *near, bits.view("float32")])


def test_floats_in_lanes(golden: Golden) -> None:
    golden(change(halves, [h], T.exp(-h) / 3, first=[vectorize]).text, "passes/halves.txt")


def test_halves_known_before_the_loop_are_converted_once() -> None:
    scale = T.scalar("scale", dtype="float16")
    found = change(halves, [h, scale], T.exp(h) * scale, first=[vectorize])
    outside = [s for s in found.after.body if isinstance(s, Let)]
    assert [(s.op, s.target.dtype) for s in outside] == [("cast", "float32")]


def test_sums_and_products_are_left_as_they_are() -> None:
    refused = "not, no loop in lanes does more with halves than add and multiply"
    change(halves, [h], h * h + 1, first=[vectorize]).assert_refused(refused)
    change(halves, [h], T.cast(h, "float64") / 3, first=[vectorize]).assert_refused(refused)


@pytest.mark.needs_cc
def test_every_half_and_every_rounding() -> None:
    h, x = T.vector("h", dtype="float16"), T.fvector("x")
    sums = T.exp(T.minimum(h, 0)).sum()
    outputs = [T.cast(h, "float32") / 3, T.cast(x, "float16"), T.sqrt(abs(h)) / h - h,
               T.switch(h > h[::-1], h, -h[::-1] * 3), T.exp(h), sums]  # fmt: skip
    f = compiled([h, x], outputs)
    assert "st_half_round" in str(f.c_source)
    floats = _floats()
    with np.errstate(all="ignore"):
        wide = np.exp(ALL.astype("float32")).astype("float16")
        flipped = -ALL[::-1] * np.float16(3)
        want = [ALL.astype("float32") / np.float32(3), floats.astype("float16"),
                np.sqrt(abs(ALL)) / ALL - ALL, np.where(ALL[::-1] < ALL, ALL, flipped)]  # fmt: skip
    got = f(ALL, floats)
    for mine, its in zip(got, want, strict=False):
        np.testing.assert_array_equal(mine, its)
        np.testing.assert_array_equal(np.signbit(mine[mine == 0]), np.signbit(its[its == 0]))
    np.testing.assert_allclose(got[4], wide, rtol=1e-3)
    assert np.isnan(got[5])
    for n in (0, 1, 2, 3, 5, 17, 33, 100):
        few = f(ALL[:n][::-1], floats[:n])
        np.testing.assert_array_equal(few[1], want[1][:n])
        np.testing.assert_array_equal(few[0], want[0][:n][::-1])

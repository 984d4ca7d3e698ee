"""Arrays of bools in C: bytes of which any but zero is true, loaded in loops of every width."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import symtheano
import symtheano.tensor as T
from symtheano.codegen.passes.masks import masks
from symtheano.codegen.passes.vectorize import vectorize
from tests.codegen.passes.change import Golden, change

Array = np.ndarray[Any, Any]

DTYPES = ["bool", "int8", "uint8", "int32", "int64", "float16", "float32", "float64", "complex128"]
SIZES = [0, 1, 7, 64, 1000]


def bytes_of_masks(random: np.random.Generator, *shape: int) -> Array:
    """Return a mask some of whose true elements are other bytes than one."""
    return random.choice(np.array([0, 0, 0, 1, 2, 128, 255], "uint8"), shape).view(bool)


def plain(mask: Array) -> Array:
    return mask.view("uint8") != 0


def expressions(m: Any, k: Any, x: Any) -> list[Any]:
    """Return expressions of two masks and of numbers."""
    both = [m & k, m | k, m ^ k, ~m, T.eq(m, k), T.switch(m, k, ~k), T.cast(m, "bool") & True]
    numbers = [
        T.switch(m, x, 0),
        T.switch(k, -1, x) if x.dtype != "bool" else m,
        T.cast(m, x.dtype),
    ]
    if x.dtype != "bool":
        numbers += [x * m, T.switch(m & ~k, x, x + x), (x * k).sum(), T.neq(x, 0) & m]
    counts = [m.sum(), T.cast(m, "float64").sum(), T.any(m), T.all(m | ~m), T.all(m)]
    return [*both, *numbers, *counts]


def expected(m: Array, k: Array, x: Array) -> list[Array]:
    both = [m & k, m | k, m ^ k, ~m, m == k, np.where(m, k, ~k), m]
    zero, one = x.dtype.type(0), x.dtype.type(1)
    signed = np.result_type(x.dtype, "int8") if x.dtype != bool else x.dtype
    second = m if x.dtype == bool else np.where(k, signed.type(-1), x.astype(signed))
    numbers = [np.where(m, x, zero), second, np.where(m, one, zero)]
    if x.dtype != bool:
        total = np.where(k, x, zero).sum(dtype=np.result_type(x.dtype, "float32")
                                         if x.dtype.kind == "f" else None)  # fmt: skip
        numbers += [np.where(m, x, zero), np.where(m & ~k, x, x + x), total, (x != 0) & m]
    return [*both, *numbers, m.sum(), m.sum(), m.any(), (m | ~m).all(), m.all()]


@pytest.mark.needs_cc
@pytest.mark.parametrize("dtype", DTYPES)
def test_masks_beside_every_dtype(dtype: str) -> None:
    m, k = (T.TensorType("bool", (None,))(name) for name in "mk")
    x = T.TensorType(dtype, (None,))("x")
    f = symtheano.function([m, k, x], expressions(m, k, x))
    assert not re.search(r"\bbool \*(?!st_)", f.c_source)
    random = np.random.default_rng(0)
    for size in SIZES:
        first, second = bytes_of_masks(random, size), bytes_of_masks(random, size)
        values = random.integers(0, 3, size).astype(dtype)
        results = f(first, second, values)
        for number, (got, want) in enumerate(
            zip(results, expected(plain(first), plain(second), values), strict=True)
        ):
            np.testing.assert_array_equal(got, want, f"{number} of size {size}")
            if got.dtype == bool:
                assert got.view("uint8").max(initial=0) <= 1, number


@pytest.mark.needs_cc
@pytest.mark.parametrize("axis", [0, 1, None])
def test_reductions_of_matrices(axis: int | None) -> None:
    m, x = T.TensorType("bool", (None, None))("m"), T.dmatrix("x")
    outputs = [op(item, axis) for item in (m, x > 0, m & (x > 0)) for op in (T.any, T.all, T.sum)]
    outputs += [T.max(m, axis), T.min(m, axis), T.prod(m, axis)]
    f = symtheano.function([m, x], outputs)
    random = np.random.default_rng(1)
    for shape in ((1, 1), (5, 3), (3, 40), (67, 130), (300, 400)):
        given, values = bytes_of_masks(random, *shape), random.normal(size=shape)
        given[0], given[:, 0] = True, True
        mask = plain(given)
        want = [
            op(item, axis)
            for item in (mask, values > 0, mask & (values > 0))
            for op in (np.any, np.all, np.sum)
        ]
        want += [mask.max(axis), mask.min(axis), mask.prod(axis)]
        for number, (mine, its) in enumerate(zip(f(given, values), want, strict=True)):
            np.testing.assert_array_equal(mine, its, f"{number} of {shape}")


@pytest.mark.needs_cc
def test_gathered_scattered_and_transposed() -> None:
    m, x = T.TensorType("bool", (None, None))("m"), T.dmatrix("x")
    v = T.dvector("v")
    outputs = [
        x[m], m.T & True, T.set_subtensor(m[::2], ~m[::2]), T.set_subtensor(x[m], -1.0),
        T.switch(m.T, x.T, v), T.nonzero(m)[1], T.cumsum(m, 1), m[:, ::-1] & (x > 0),
    ]  # fmt: skip
    f = symtheano.function([m, x, v], outputs)
    random = np.random.default_rng(2)
    given, values, row = (
        bytes_of_masks(random, 35, 21),
        random.normal(size=(35, 21)),
        random.normal(size=35),
    )
    mask = plain(given)
    flipped, filled = mask.copy(), values.copy()
    flipped[::2] ^= True
    filled[mask] = -1
    want = [
        values[mask], mask.T, flipped, filled, np.where(mask.T, values.T, row),
        np.nonzero(mask)[1], np.cumsum(mask, 1), mask[:, ::-1] & (values > 0),
    ]  # fmt: skip
    for arrays in ((given, values, row), (np.asfortranarray(given), values[::-1][::-1], row)):
        for number, (mine, its) in enumerate(zip(f(*arrays), want, strict=True)):
            np.testing.assert_array_equal(mine, its, str(number))


def test_bytes_are_widened_before_they_are_compared(golden: Golden) -> None:
    m, n, x = T.vector("m", dtype="bool"), T.vector("n", dtype="int8"), T.dvector("x")
    found = change(masks, [m, n, x], T.switch(m | T.cast(n, "bool"), x, 0), first=[vectorize])
    golden(found.text, "passes/masks.txt")


def test_masks_of_narrow_elements_stay_bytes() -> None:
    m, x = T.vector("m", dtype="bool"), T.fvector("x")
    reason = "not, no loop selects numbers of 8 bytes by truth values that it loads"
    found = change(masks, [m, x], T.switch(m, x, 0), first=[vectorize])
    found.assert_refused(reason)
    # the sum is wider than what is selected
    found = change(masks, [m, x], T.switch(m, x, 0).sum(), first=[vectorize])
    found.assert_refused(reason)


def test_masks_that_other_masks_depend_on() -> None:
    m, x = T.vector("m", dtype="bool"), T.dvector("x")
    found = change(masks, [m, x], T.switch(m & (x > 0), x, 0), first=[vectorize])
    assert "m_i_byte" in found.text

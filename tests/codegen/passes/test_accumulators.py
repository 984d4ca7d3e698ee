"""Accumulators: one for each lane of a loop that reduces."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function
from symtheano.codegen.passes.accumulators import accumulators
from symtheano.codegen.passes.vectorize import vectorize
from symtheano.loopir import For
from symtheano.loopir.names import walk
from tests.codegen.passes.change import Golden, change
from tests.codegen.passes.kernels import f, g, k, v, x
from tests.support.compare import compiled

LENGTHS = (0, 1, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 100, 515)


def test_a_sum_of_products(golden: Golden) -> None:
    golden(change(accumulators, [v], T.sqr(v).sum(), first=[vectorize]).text,
           "passes/accumulators.txt")  # fmt: skip


def _lanes(loops: Any) -> set[str]:
    return {str(s.stop) for s in walk(loops) if isinstance(s, For) and "simd" in s.kind}


def test_there_are_as_many_as_narrow_elements_in_a_vector() -> None:
    for inputs, result, lanes in (([v], T.sqr(v).sum(), 4), ([g], T.exp(g).prod(1), 8)):
        found = change(accumulators, inputs, result, first=[vectorize])
        assert _lanes(found.after.body) == {str(lanes)}
        assert found.reasons[0].endswith(f"{lanes} accumulators for each result")


def test_extrema_have_two_vectors() -> None:
    """Then one, which may begin before the last block ends, and halves of it."""
    for inputs, result, lanes in (([v], v.max(), {8, 4, 2}), ([g], T.exp(g).min(1), {16, 8, 4})):
        found = change(accumulators, inputs, result, first=[vectorize])
        assert _lanes(found.after.body) == set(map(str, lanes))
        assert found.reasons[0].endswith(f"{max(lanes)} accumulators for each result")


@pytest.mark.needs_cc
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("length", LENGTHS[1:])
def test_extrema_of_all_elements(length: int, dtype: str) -> None:
    """Each element is the largest one, the smallest one, or NaN in one of the rows."""
    m = T.matrix("m", dtype=dtype)
    extrema = compiled([m], [m.max(1), m.min(1), m.argmax(1)])
    values = np.random.default_rng(length).normal(size=(length, length)).astype(dtype)
    for special in (9, -9, np.nan):
        np.fill_diagonal(values, special)
        largest, smallest, where = extrema(values)
        np.testing.assert_array_equal(largest, values.max(1))
        np.testing.assert_array_equal(smallest, values.min(1))
        np.testing.assert_array_equal(where, values.argmax(1))


def test_bytes_fill_a_vector() -> None:
    mask = T.TensorType("bool", (None,))("mask")
    for a, lanes in ((v, 64), (T.fvector("a"), 32)):
        found = change(accumulators, [a, mask], T.switch(mask, a, 0).sum(dtype=a.dtype),
                       first=[vectorize])  # fmt: skip
        assert max(map(int, _lanes(found.after.body))) == lanes, "they are halved later"


@pytest.mark.needs_cc
@pytest.mark.parametrize("length", [0, 1, 15, 16, 17, 31, 33, 63, 64, 65, 100, 1000])
def test_sums_of_masked_elements(length: int) -> None:
    mask, a = T.TensorType("bool", (None,))("mask"), T.fvector("a")
    made = compiled([v, a, mask], [v[mask].sum(), a[mask].prod()])
    value = np.random.default_rng(length).normal(size=length)
    chosen = np.arange(length) % 3 != 1
    value[~chosen] = np.nan
    total, product = made(value, value.astype("f4"), chosen)
    np.testing.assert_allclose(total, value[chosen].sum(), rtol=1e-12)
    np.testing.assert_allclose(product, value[chosen].astype("f4").prod(), rtol=1e-5)


def test_few_elements_are_added_in_order() -> None:
    found = change(accumulators, [f], T.sqr(f).sum(1), first=[vectorize])
    assert found.reasons == ("j: one after the other, since there are only 4 elements",)
    assert not _lanes(found.after.body)


def test_integers_are_left_to_the_compiler() -> None:
    found = change(accumulators, [k], k.sum(), first=[vectorize])
    found.assert_refused("not, no loop in lanes reduces floating-point numbers")


@pytest.mark.needs_cc
@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64"])
def test_no_loop_reduces_floats_in_the_order_of_the_compiler(dtype: str) -> None:
    a = T.TensorType(dtype, (None, None))("a")
    outputs = [a.sum(), a.prod(), (a * a).sum(1), a.mean(0)]
    if not dtype.startswith("complex"):
        outputs += [T.exp(a).sum(1), a.max(1), T.nnet.softmax(a), a.min(), T.tanh(a).var(1)]
    made = compiled([a], outputs)
    found = re.findall(r"reduction\(([^ ]+) : ", str(made.c_source))
    assert {operator for operator in found if not operator.endswith(("i32", "i64"))} <= {"&", "|"}
    random = np.random.default_rng(0)
    plain = function([a], outputs, mode="INTERPRET")
    for rows in (1, 2, 4, 7):
        for length in LENGTHS[1:]:
            value = (random.normal(size=(rows, length)) / 3).astype(dtype)
            for one, two in zip(made(value), plain(value), strict=True):
                np.testing.assert_allclose(
                    one, two, 3e-5 if a.dtype in ("float32", "complex64") else 1e-12, 1e-6
                )


@pytest.mark.needs_cc
@pytest.mark.parametrize("special", [np.nan, np.inf, -np.inf, -0.0])
def test_special_numbers_in_any_lane(special: float) -> None:
    made = compiled([v], [v.sum(), v.max(), v.min(), v.prod()])
    for length in (1, 4, 9, 16, 21):
        for place in range(length):
            value = np.full(length, -0.0)
            value[place] = special
            with np.errstate(invalid="ignore"):
                wanted = [value.sum(), value.max(), value.min(), value.prod()]
            np.testing.assert_array_equal(made(value), wanted)


@pytest.mark.needs_cc
def test_a_sum_has_the_same_bits_in_any_row() -> None:
    made = compiled([x], [T.exp(x).sum(1), x.sum(1), x.var(1)])
    row = np.random.default_rng(1).normal(size=37)
    for rows in (1, 3, 4, 5, 9):
        for result in made(np.tile(row, (rows, 1))):
            np.testing.assert_array_equal(result, result[0])

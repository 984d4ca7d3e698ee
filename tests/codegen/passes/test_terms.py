"""Terms: functions that are added up are computed in one loop, and added in another one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import grad
from symtheano.codegen.passes.prefetch import prefetch_rows
from symtheano.codegen.passes.terms import terms
from symtheano.loopir import For
from symtheano.loopir.names import walk
from tests.codegen.passes.change import Golden, change
from tests.codegen.passes.kernels import g, v, x
from tests.support.compare import compiled, oracle


def test_a_sum_of_functions(golden: Golden) -> None:
    golden(change(terms, [v], T.tanh(v).sum()).text, "passes/terms.txt")


def test_float32_terms_are_kept_in_float32(golden: Golden) -> None:
    golden(change(terms, [g], T.exp(g).sum(1)).text, "passes/terms_float32.txt")


def test_blocks_of_another_pass_are_tiles() -> None:
    found = change(terms, [x], T.nnet.softmax(x), first=[prefetch_rows])
    assert found.reasons[-1] == "j_2: 128 terms are computed before they are added"
    assert [s.step for s in walk(found.after.body) if isinstance(s, For) and s.step > 16] == [128]


def test_a_short_row_of_known_length_is_one_tile() -> None:
    row = T.TensorType("float64", (None, 40))("row")
    found = change(terms, [row], T.exp(row).sum(1))
    assert found.reasons == ("j: 40 terms are computed before they are added",)
    assert all(s.step == 1 for s in walk(found.after.body) if isinstance(s, For))


def test_what_stays() -> None:
    few = T.TensorType("float64", (None, 9))("few")
    change(terms, [few], T.exp(few).sum(1)).assert_refused("j: not, there are only 9 elements")
    change(terms, [v], T.sqr(v).sum()).assert_refused("not, no innermost loop reduces functions")
    k = T.lvector("k")
    counted = [T.exp(v).sum(), (k + T.cast(T.exp(v) > 1, "int64")).sum()]
    change(terms, [v, k], counted).assert_refused("i: not, it has other reductions")


def expressions(a: Any) -> list[Any]:
    """Return sums, extrema and rows with functions."""
    e = T.exp(a - a.max(1, keepdims=True))
    cost = T.log1p(T.exp(a)).mean() + T.tanh(a).max()
    return [e / e.sum(1, keepdims=True), T.tanh(a).sum(), T.exp(-T.sqr(a)).sum(0), cost,
            T.sin(a).prod(1), grad(cost, a)]  # fmt: skip


@pytest.mark.needs_cc
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("width", [1, 15, 17, 255, 256, 257, 1000])
def test_values(dtype: str, width: int) -> None:
    a = T.TensorType(dtype, (None, None))("a")
    f, slow = compiled([a], expressions(a)), oracle([a], expressions(a))
    rng = np.random.default_rng(width)
    tolerance = 2e-5 if dtype == "float32" else 1e-11
    for special in (None, np.nan):
        value = rng.normal(size=(5, width)).astype(dtype)
        if special is not None:
            value[2, width // 2] = special
        with np.errstate(all="ignore"):
            expected = slow(value)
        for mine, other in zip(f(value), expected, strict=True):
            np.testing.assert_allclose(mine, other, rtol=tolerance, atol=tolerance)


@pytest.mark.needs_cc
def test_infinite_terms() -> None:
    outputs = [T.exp(g).sum(1), T.log(g).sum(1), T.tanh(g).max(1)]
    f, slow = compiled([g], outputs), oracle([g], outputs)
    value = np.ones((4, 300), "f4")
    value[0, 7], value[1, 290], value[2, 3], value[3, 1] = np.inf, -np.inf, 200, -1
    with np.errstate(all="ignore"):
        expected = slow(value)
    for mine, other in zip(f(value), expected, strict=True):
        np.testing.assert_allclose(mine, other, rtol=1e-5)

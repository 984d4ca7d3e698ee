"""Unroll rows: loops along rows of a few elements become statements."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function
from symtheano.codegen.passes.unroll_rows import unroll_rows
from symtheano.loopir import Let, Local
from symtheano.loopir.names import walk
from tests.codegen.passes.change import Golden, change


def rows(length: int) -> Any:
    return T.TensorType("float64", (None, length))("r")


def test_sums_of_three(golden: Golden) -> None:
    golden(change(unroll_rows, [r := rows(3)], r.sum(1)).text, "passes/unroll_rows.txt")


def test_what_a_row_keeps_stays_in_registers() -> None:
    found = change(unroll_rows, [r := rows(4)], T.nnet.softmax(r))
    assert found.kinds == ["independent"]
    assert not any(isinstance(s, Local) for s in walk(found.after.body))


def test_a_position_is_chosen_by_switches() -> None:
    found = change(unroll_rows, [r := rows(5)], r.argmax(1))
    assert found.kinds == ["independent"]
    chosen = [s for s in walk(found.after.body) if isinstance(s, Let) and s.op == "switch"]
    assert [s.target.dtype for s in chosen] == ["float64", "int64"] * 5


@pytest.mark.parametrize(
    ("length", "reason"),
    [
        (16, "i: not, a sum fills vectors along such a row as well"),
        (5, "i: not, vectors can't be filled from rows of such a length"),
        (17, "not, no loop along rows is known to be short"),
    ],
)
def test_rows_that_are_left_alone(length: int, reason: str) -> None:
    change(unroll_rows, [r := rows(length)], r.sum(1)).assert_refused(reason)


def test_an_unrolled_row_would_be_too_long() -> None:
    r = rows(16)
    terms = T.tanh(r)
    for _ in range(12):
        terms = T.tanh(terms + r)
    (reason,) = change(unroll_rows, [r], terms).reasons
    assert re.fullmatch(r"i: not, a row would be \d+ statements, more than 200", reason)


@pytest.mark.needs_cc
@pytest.mark.parametrize(("dtype", "length"), [("float32", 4), ("float64", 3), ("float32", 5)])
def test_short_rows(dtype: str, length: int) -> None:
    x = T.TensorType(dtype, (None, length))("x")
    results = [
        x.argmax(1), x.argmin(1), x.max(1), T.sqr(x).sum(1), x.sum(1), T.nnet.softmax(x),
        x / T.abs(x).sum(1, keepdims=True), T.exp(x).sum(0),
    ]  # fmt: skip
    compiled = [function([x], results), function([x], results[0]), function([x], results[-2])]
    interpreted = function([x], results, mode="INTERPRET")
    odd = np.array([0.0, -0.0, 1.5, 1.5, -2, np.nan, np.inf, -np.inf, 1e30, 1e-42])
    generator = np.random.default_rng(1)
    for rows in (0, 1, 3, 70):
        for values in (
            generator.normal(size=(rows, length)),
            generator.choice(odd, (rows, length)),
        ):
            given = np.asfortranarray(values.astype(dtype))
            with np.errstate(all="ignore"):
                wanted = interpreted(given)
            got = compiled[0](given)
            for one, other in zip(got, wanted, strict=True):
                np.testing.assert_allclose(one, other, 2e-6)
            np.testing.assert_array_equal(compiled[1](given), wanted[0])
            np.testing.assert_allclose(compiled[2](given), wanted[-2], 2e-6)

"""Blend: choices that are the same in all lanes."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function
from symtheano.codegen.passes.blend import blend
from symtheano.codegen.passes.vectorize import vectorize
from tests.codegen.passes.change import Golden, change
from tests.codegen.passes.kernels import v, x

flag = T.scalar("flag", dtype="bool")


def test_a_choice_of_the_whole_array(golden: Golden) -> None:
    chosen = T.switch(flag, x * v, 0)
    golden(change(blend, [flag, x, v], chosen, first=[vectorize]).text, "passes/blend.txt")


def test_what_differs_between_lanes_stays() -> None:
    found = change(blend, [x, v], T.switch(x > v, x, 0), first=[vectorize])
    found.assert_refused("not, no loop in lanes has a switch with the same condition in all lanes")


@pytest.mark.parametrize(
    "dtype", ["float32", "float64", "int32", "int64", "uint64", "int8", "bool"]
)
def test_values(dtype: str) -> None:
    a, b = T.vector("a", dtype=dtype), T.vector("b", dtype=dtype)
    chosen = function([flag, a, b], T.switch(flag, a, b))
    values = np.arange(40).astype(dtype), np.arange(40)[::-1].astype(dtype)
    for which in (True, False):
        np.testing.assert_array_equal(chosen(which, *values), values[0 if which else 1])


def test_numbers_that_are_not_chosen_do_not_matter() -> None:
    a, b = T.vectors("a", "b")
    chosen = function([flag, a, b], T.switch(flag, a, b))
    given, other = np.full(21, -0.0), np.tile([np.nan, np.inf, -np.inf], 7)
    for which, want in ((True, given), (False, other)):
        got = chosen(which, given, other)
        np.testing.assert_array_equal(got, want)
        np.testing.assert_array_equal(np.signbit(got), np.signbit(want))

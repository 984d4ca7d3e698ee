"""Parameters that distributions don't have, and states that no generator has, in all modes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function
from symtheano.tensor.random.choosing import DifferentItems
from symtheano.tensor.random.drawing import RandomFunction
from symtheano.tensor.random.state import random_state_type, state_words

MODES = pytest.mark.parametrize(
    "mode", [pytest.param("FAST_RUN", marks=pytest.mark.needs_cc), "INTERPRET"]
)
WORDS = state_words(np.random.default_rng(3))

BAD: dict[str, list[Any]] = {
    "integers": [np.int64(0), np.int64(-3)],
    "binomial": [np.int64(-(2**31)), np.float64(0.5)],
    "multinomial": [np.int64(-1), np.full((3, 2), 0.5)],
    "poisson": [np.float64(-1)],
    "standard_gamma": [np.float64(-1)],
    "beta": [np.float64(1), np.float64(np.nan)],
}


@MODES
@pytest.mark.parametrize("name", BAD)
def test_a_node_from_a_file_checks_its_parameters(name: str, mode: str) -> None:
    values = BAD[name]
    state, n = random_state_type(), T.lscalar("n")
    parameters = [T.as_tensor_variable(value).type() for value in values]
    dims = [n, T.constant(2, dtype="int64")] if name == "multinomial" else [n]
    dtype = "float64" if name in ("standard_gamma", "beta") else "int64"
    node = RandomFunction(name, dtype).make_checked(state, *parameters, *dims)
    f = function([state, *parameters, n], node.outputs, mode=mode)
    said = {"standard_gamma": "gamma", "integers": "random_integers"}.get(name, name)
    with pytest.raises(ValueError, match=f"^{said}: "):
        f(WORDS, *values, 3)


@MODES
def test_an_even_increment_is_made_odd(mode: str) -> None:
    # With state and increment 0, all numbers are 0, and 2**64 mod 7 of them are refused.
    state, n = random_state_type(), T.lscalar("n")
    dims = [T.constant(k, dtype="int64") for k in (3, 4)]
    node = RandomFunction("integers", "int64").make_checked(state, T.constant(0, dtype="int64"),
                                                            n, *dims)  # fmt: skip
    f = function([state, n], node.outputs, mode=mode)
    _, numbers = f(np.zeros(6, "uint64"), 6)
    odd = np.zeros(6, "uint64")
    odd[3] = 1
    for found, wanted in zip(f(np.zeros(6, "uint64"), 6), f(odd, 6), strict=True):
        np.testing.assert_array_equal(found, wanted)
    assert ((numbers >= 0) & (numbers <= 6)).all()


@MODES
def test_different_items_without_memory(mode: str) -> None:
    state, (n, rows, columns) = random_state_type(), T.lscalars("n", "rows", "columns")
    f = function([state, n, rows, columns], DifferentItems(False)(state, n, rows, columns),
                 mode=mode)  # fmt: skip
    with pytest.raises(MemoryError):
        f(WORDS, 2**63 - 1, 3, 2**61)


@MODES
def test_alloc_compares_lengths_with_the_type(mode: str) -> None:
    x = T.TensorType("float64", shape=(2,))("x")
    n, k = T.lscalars("n", "k")
    f = function([x, n, k], T.alloc(x, n, k), mode=mode)
    np.testing.assert_array_equal(f([1.0, 2.0], 2, 2), [[1.0, 2.0]] * 2)
    for wrong in (1, 3, 2**31 + 1, 2**63 - 2):
        with pytest.raises(ValueError, match="has no place in length"):
            f([1.0, 2.0], 2, wrong)

"""Convolutions of batches, against those of their items."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function
from symtheano.gradient import grad, jacobian
from symtheano.tensor.nnet.convolution.ops import Convolution
from tests.tensor.nnet.convolution.samples import drawn, maps

BATCHES = [(True, False), (False, True), (True, True)]


@pytest.mark.parametrize("batched", BATCHES)
@pytest.mark.parametrize("seed", range(4))
def test_batches(seed: int, batched: tuple[bool, bool]) -> None:
    """A batch gives what its items give one by one, in all three maps."""
    op, arrays = drawn(6 * seed)
    variables, made = maps(op, arrays)
    single = function(variables, made, mode="INTERPRET")
    rng = np.random.default_rng(seed)
    for wanted, factors in zip(range(3), [(0, 1), (1, 2), (0, 2)], strict=True):
        items = [arrays] * 6
        wide = list(variables)
        for flag, number in zip(batched, factors, strict=True):
            if flag:
                drawn_ = rng.normal(size=(6, *arrays[number].shape))
                items = [[*it[:number], a, *it[number + 1 :]] for it, a in
                         zip(items, drawn_, strict=True)]  # fmt: skip
                wide[number] = T.TensorType("float64", (2, 3, *(None,) * arrays[number].ndim))()
        found = T.vectorize_graph(made[wanted], dict(zip(variables, wide, strict=True)))
        values = [
            np.stack([it[k] for it in items]).reshape(2, 3, *arrays[k].shape)
            if wide[k] is not variables[k] else arrays[k]
            for k in range(3)
        ]  # fmt: skip
        got = function(wide, found, on_unused_input="ignore")(*values)
        expected = np.stack([single(*it)[wanted] for it in items])
        np.testing.assert_allclose(got, expected.reshape(got.shape), rtol=1e-9, atol=1e-9)


def test_a_batch_of_both_needs_its_length() -> None:
    x, w = T.dtensor4(), T.dtensor4()
    wide = {v: T.TensorType("float64", (None,) * 5)() for v in (x, w)}
    with pytest.raises(NotImplementedError, match="lengths must be known when the graph is built"):
        T.vectorize_graph(Convolution()(x, w), wide)


def test_jacobian() -> None:
    rng = np.random.default_rng(3)
    x, w = T.dtensor4(), T.dtensor4()
    values = [rng.normal(size=s) for s in [(1, 2, 4, 4), (2, 2, 3, 2)]]
    result = Convolution("result", "half", (2, 1))(x, w).flatten()
    for wanted, value in zip((x, w), values, strict=True):
        found = function([x, w], jacobian(result, wanted))(*values)
        rows = [grad(result[k], wanted) for k in range(len(found))]
        expected = np.stack(function([x, w], rows, mode="INTERPRET")(*values))
        assert found.shape == (len(expected), *value.shape)
        np.testing.assert_allclose(found, expected, atol=1e-12)

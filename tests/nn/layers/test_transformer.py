"""Transformer blocks: what each step attends to, norms, dropout."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano
from symtheano import nn

X = np.random.default_rng(0).normal(size=(2, 5, 8)).astype("float32")


def outputs(block: nn.TransformerBlock, *samples: Any, training: bool = False) -> list[Any]:
    """Return what a block computes of samples, on the interpreter."""
    x = nn.Input((None, 8))
    y = block(x)
    assert y.shape == (None, 8)
    variable = y.train if training else y.test
    f = symtheano.function([x.test], variable, mode="INTERPRET", no_default_updates=True)
    return [f(sample) for sample in samples]


@pytest.mark.parametrize("causal", [True, False])
def test_steps_that_a_step_attends_to(causal: bool) -> None:
    changed = X.copy()
    changed[:, 3] += 1
    block = nn.TransformerBlock(2, 16, causal=causal)
    first, second = outputs(block, X, changed)
    differs = np.abs(first - second).max((0, 2)) > 1e-6
    assert differs.tolist() == ([False] * 3 + [True] * 2 if causal else [True] * 5)


def test_norms_are_last_or_first() -> None:
    (last,) = outputs(nn.TransformerBlock(2, 16), X)
    np.testing.assert_allclose(last.mean(-1), 0, atol=1e-6)
    np.testing.assert_allclose(last.std(-1), 1, atol=1e-3)
    block = nn.TransformerBlock(2, 16, norm_first=True)
    block(nn.Input((None, 8)))
    for parameter in block.parameters:
        if parameter.name.endswith(("kernel", "bias")):
            parameter.variable.set_value(parameter.variable.get_value() * 0)
    # Without the weights of both parts, only the residual connections are left.
    (first,) = outputs(block, X)
    np.testing.assert_array_equal(first, X)


def test_dropout_is_in_training_only() -> None:
    block = nn.TransformerBlock(2, 16, dropout=0.5)
    x = nn.Input((None, 8))
    y = block(x)
    assert y.train is not y.test
    plain = nn.TransformerBlock(2, 16)(nn.Input((None, 8)))
    assert plain.train is plain.test


def test_parts_have_parameters_of_their_own() -> None:
    block = nn.TransformerBlock(2, 16, kv_heads=1, name="block")
    block(nn.Input((None, 8)))
    names = [p.name for p in block.parameters]
    assert len(set(names)) == len(names)
    assert {name.partition("/")[0] for name in names} == {
        "attention", "norm", "dense", "dense_1", "norm_1",
    }  # fmt: skip


def test_what_is_refused() -> None:
    with pytest.raises(ValueError, match="heads=3 must divide the number of features, which is 8"):
        nn.TransformerBlock(3, 16)(nn.Input((None, 8)))
    with pytest.raises(ValueError, match="rate must be at least 0 and below 1"):
        nn.TransformerBlock(2, 16, dropout=1.5)

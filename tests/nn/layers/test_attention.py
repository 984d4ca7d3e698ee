"""Attention: masks, causality, dropout, messages."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import symtheano
import symtheano.tensor as T
from symtheano import nn
from symtheano.nn.layers.attention import attend

RNG = np.random.default_rng(8)


def test_steps_that_do_not_exist_have_no_share() -> None:
    x = nn.Input((None,), "int32", seed=2)
    words = nn.embedding(x, 6, 4, mask_zero=True)
    y = nn.multi_head_attention(words, 2, 2)
    z = nn.attention(words, words)
    assert y.masks[1] is words.masks[1]
    f = symtheano.function([x.test], [y.test, z.test], mode="INTERPRET")
    long = f(np.array([[1, 2, 3, 0, 0]], "int32"))
    short = f(np.array([[1, 2, 3]], "int32"))
    for a, b in zip(long, short, strict=True):
        assert_allclose(a[:, :3], b, rtol=2e-6, atol=1e-7)
        assert np.isfinite(a).all()


def test_later_steps_have_no_influence() -> None:
    x = nn.Input((None, 4), "float64", seed=2)
    y = nn.TransformerBlock(2, 8, causal=True)(nn.PositionalEncoding()(x))
    f = symtheano.function([x.test], y.test, mode="INTERPRET")
    data = RNG.normal(size=(1, 5, 4))
    changed = data.copy()
    changed[:, 3:] += 1
    assert_array_equal(f(data)[:, :3], f(changed)[:, :3])
    assert (f(data)[:, 3:] != f(changed)[:, 3:]).all()


def test_attend_without_features_or_steps() -> None:
    assert (
        attend(np.zeros((2, 3, 0)), np.zeros((2, 4, 0)), np.ones((2, 4, 1))).eval().tolist()
        == [[[1.0]] * 3] * 2
    )
    assert attend(np.zeros((0, 3, 2)), np.zeros((0, 4, 2)), np.ones((0, 4, 1))).eval().shape == (
        0,
        3,
        1,
    )


def test_the_compiler_sees_attention() -> None:
    """Masks, later steps and shared keys and values are parts of one op, also in the gradient."""
    words = nn.embedding(nn.Input((None,), "int32", seed=0), 9, 16, mask_zero=True)
    y = nn.MultiHeadAttention(4, 8, kv_heads=2, causal=True)(words)
    grads = symtheano.grad(T.sum(T.sqr(y.test)), y.parameters)
    f = symtheano.function([words.inputs[0].test], grads)
    names = {type(node.op).__name__ for node in f.fgraph.apply_nodes}
    assert "AttentionGradient" in names
    assert "Softmax" not in names


def test_dropout_of_shares() -> None:
    x = nn.Input((None, 2), "float64", seed=2)
    y = nn.Attention(dropout=0.5)(x, x)
    f = symtheano.function([x.test], [y.train, y.test], mode="INTERPRET")
    train, test = f(np.ones((30, 4, 2)))
    assert_allclose(test, 1)
    assert set(np.unique(train.round(9))) <= {0.0, 0.5, 1.0, 1.5, 2.0}
    assert len(np.unique(train.round(9))) > 3


def test_messages() -> None:
    x = nn.Input((None, 4))
    with pytest.raises(ValueError, match="for self-attention, give one value twice"):
        nn.Attention()(x)
    with pytest.raises(ValueError, match="differ in the number of features"):
        nn.Attention()(x, nn.Input((None, 3)))
    with pytest.raises(ValueError, match="differ in the number of steps"):
        nn.Attention()(x, nn.Input((3, 4)), nn.Input((2, 4)))
    with pytest.raises(ValueError, match=r"takes 1 to 3 values of shape \(n, steps, features\)"):
        nn.MultiHeadAttention(2, 2)(nn.Input((4,)))
    with pytest.raises(ValueError, match="kv_heads=2 must divide the number of heads, which is 3"):
        nn.MultiHeadAttention(3, 2, kv_heads=2)
    with pytest.raises(ValueError, match="scale must be a number, 'learned' or None"):
        nn.Attention("big")
    with pytest.raises(ValueError, match="below 1, not 1"):
        nn.Attention(dropout=1.0)
    with pytest.raises(ValueError, match="the number of features of each input must be known"):
        nn.MultiHeadAttention(2, 2)(nn.Input((3, None)))

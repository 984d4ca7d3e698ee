"""Softmaxes of which a part is computed: gradients, far scores, updates in place."""

from __future__ import annotations

import re

import numpy as np
import pytest

import symtheano
import symtheano.tensor as T
from symtheano import function, grad
from symtheano.printing.schedule import schedule_text
from tests.support.compare import compiled

pytestmark = pytest.mark.needs_cc


def test_targets_are_rows_of_all_outputs() -> None:
    random = np.random.default_rng(3)
    shapes = ((4, 3), (3, 2), (2,), (2, 3, 5), (2, 5))
    values = [random.normal(size=shape) for shape in shapes]
    targets = np.array([9, 0, 4, 5])
    x, u, a = T.dmatrix("x"), T.dmatrix("u"), T.dvector("a")
    v, b = T.dtensor3("v"), T.dmatrix("b")
    t = T.lvector("t")
    some = T.nnet.h_softmax(x, x.shape[0], 10, 2, 5, u, a, v, b, t)
    every = T.nnet.h_softmax(x, x.shape[0], 10, 2, 5, u, a, v, b)
    picked = every[T.arange(4), t]
    weights = [u, a, v, b]
    outputs = [some, picked, *grad(T.log(some).sum(), weights), *grad(T.log(picked).sum(), weights)]
    one, other, *slopes = compiled([x, u, a, v, b, t], outputs)(*values, targets)
    np.testing.assert_allclose(one, other)
    for left, right in zip(slopes[:4], slopes[4:], strict=True):
        np.testing.assert_allclose(left, right, rtol=1e-9, atol=1e-12)
    whole = compiled([x, u, a, v, b], every)(*values)
    np.testing.assert_allclose(whole.sum(1), 1)
    with pytest.raises(TypeError, match="targets must be integers"):
        T.nnet.h_softmax(x, 4, 10, 2, 5, u, a, v, b, a)
    with pytest.raises(TypeError, match="matrices"):
        T.nnet.h_softmax(a, 4, 10, 2, 5, u, a, v, b)


def test_all_classes_as_samples_are_the_softmax() -> None:
    random = np.random.default_rng(4)
    x, w, b, t = T.dmatrix("x"), T.dmatrix("w"), T.dvector("b"), T.lvector("t")
    sampled = T.nnet.sampled_softmax(x, w, b, t, T.arange(w.shape[0]))
    whole = T.nnet.categorical_crossentropy(T.nnet.softmax(T.dot(x, w.T) + b), t)
    outputs = [sampled, whole, *grad(sampled.sum(), [x, w, b]), *grad(whole.sum(), [x, w, b])]
    for scale in (1, 500):
        values = (
            scale * random.normal(size=(5, 3)),
            random.normal(size=(7, 3)),
            random.normal(size=7),
        )
        found = compiled([x, w, b, t], outputs)(*values, np.array([0, 6, 3, 3, 1]))
        for left, right in zip(found[:1] + found[2:5], found[1:2] + found[5:], strict=True):
            np.testing.assert_allclose(left, right, rtol=1e-9, atol=1e-9)


def test_expected_numbers_of_samples_are_subtracted() -> None:
    random = np.random.default_rng(5)
    x, w, b = random.normal(size=(2, 3)), random.normal(size=(6, 3)), random.normal(size=6)
    t, s, q = np.array([0, 1]), np.array([2, 5, 5]), random.normal(size=6)
    with_q = T.nnet.sampled_softmax(x, w, b, t, s, q[t], q[s]).eval()
    np.testing.assert_allclose(with_q, T.nnet.sampled_softmax(x, w, b - q, t, s).eval())


def test_an_update_changes_only_targets_and_samples() -> None:
    random = np.random.default_rng(6)
    x, t, s = T.dmatrix("x"), T.lvector("t"), T.lvector("s")
    w, b = symtheano.shared(random.normal(size=(30, 4)), "w"), symtheano.shared(np.zeros(30), "b")
    cost = T.nnet.sampled_softmax(x, w, b, t, s).mean()
    updates = [(item, item - 0.5 * grad(cost, item)) for item in (w, b)]
    f = function([x, t, s], cost, updates=updates)
    before, text = w.get_value(), schedule_text(f)
    assert re.search(r": w float64\[.*\] \(its memory\)", text)
    assert "nest over w_d0" not in text
    args = random.normal(size=(3, 4)), np.array([1, 2, 1]), np.array([9, 2, 20, 9])
    first = f(*args)
    changed = np.flatnonzero((w.get_value() != before).any(1))
    assert changed.tolist() == [1, 2, 9, 20]
    assert f(*args) < first

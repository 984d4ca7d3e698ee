"""Gradients of scans against finite differences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import Mode, function, grad, scan
from symtheano.errors import DisconnectedInputError
from symtheano.function.verify import verify_grad, verify_rop
from symtheano.gradient import hessian, jacobian
from symtheano.loops.scan_op import Scan
from symtheano.tensor.indexing.slices import IncSubtensor

rng = np.random.default_rng(3)
MATRIX, WEIGHTS, START = rng.normal(size=(5, 3)), rng.normal(size=(3, 3)), rng.normal(size=3)
i = T.lscalar("i")


def recurrent(X: Any, W: Any, h: Any) -> Any:
    (states, sums), _ = scan(
        lambda row, before: [T.tanh(T.dot(W, before) + row), before.sum()], X, [h, None]
    )
    return T.sqr(states).sum() + T.sin(sums).sum()


def taps(x: Any, start: Any) -> Any:
    values, _ = scan(
        lambda before, after, third, last: T.sin(third) * last + before * after,
        {"input": x, "taps": [-1, 1]},
        {"initial": start, "taps": [-3, -1]},
    )
    return T.sqr(values).sum()


def last_state(h: Any, W: Any) -> Any:
    state, before = T.dvector("state"), T.dmatrix("before")
    op = Scan(i, [T.tanh(T.dot(before, state)) * (i + 1)], states=[state], others=[before])
    return T.sqr(op(T.constant(4, dtype="int64"), h, W)).sum()


def nested(X: Any) -> Any:
    def total(row: Any, before: Any) -> Any:
        sums, _ = scan(lambda item, sofar: T.tanh(sofar + item * before), row, T.constant(0.5))
        return sums[-1]

    values, _ = scan(total, X, T.constant(0.3))
    return T.sqr(values).sum()


def backwards(x: Any) -> Any:
    values, _ = scan(lambda item, before: before * T.cos(item), x, T.constant(1.0), None, None,
                     go_backwards=True)  # fmt: skip
    return values.sum() + values[-1] ** 2


CASES: dict[str, tuple[Callable[..., Any], list[Any]]] = {
    "recurrent": (recurrent, [MATRIX, WEIGHTS, START]),
    "taps": (taps, [rng.normal(size=7), rng.normal(size=3)]),
    "last state": (last_state, [START, WEIGHTS]),
    "nested": (nested, [MATRIX]),
    "backwards": (backwards, [rng.normal(size=4)]),
}


@pytest.mark.parametrize("name", CASES)
def test_gradient(name: str) -> None:
    made, values = CASES[name]
    verify_grad(made, values, rng=np.random.default_rng(0))


def test_second_derivative() -> None:
    verify_grad(
        lambda W: grad(recurrent(T.constant(MATRIX), W, T.constant(START)), W),
        [WEIGHTS],
        rng=np.random.default_rng(0),
    )


def test_gradient_of_no_and_one_iteration() -> None:
    X, W, h = T.dmatrix("X"), T.dmatrix("W"), T.dvector("h")
    f = function([X, W, h], grad(recurrent(X, W, h), [X, W, h]))
    none, first = (MATRIX[:0], WEIGHTS, START), (MATRIX[:1], WEIGHTS, START)
    for given, like in zip(f(*none), none, strict=True):
        np.testing.assert_array_equal(given, np.zeros_like(like))
    g = function([X, W, h], grad(recurrent(X, W, h), [X, W, h]), mode="INTERPRET")
    for one, other in zip(f(*first), g(*first), strict=True):
        np.testing.assert_allclose(one, other)


@pytest.mark.parametrize("steps", [0, 1, 3, 10])
def test_truncated(steps: int) -> None:
    """The last value is ``w ** 4 * h``; only the last steps' factors have a gradient."""
    w, h = T.dscalar("w"), T.dscalar("h")
    values, _ = scan(lambda v: v * w, None, h, None, 4, steps)
    by_w, by_h = function([w, h], grad(values[-1], [w, h]))(3.0, 2.0)
    assert by_w == min(steps, 4) * 3**3 * 2
    assert by_h == (3**4 if steps >= 4 else 0)


def test_jacobian_and_hessian() -> None:
    """One loop whose values are batches computes all rows."""
    W, h = T.dmatrix("W"), T.dvector("h")
    states, _ = scan(lambda before: T.tanh(T.dot(W, before)), None, h, n_steps=3)
    slopes = function([W, h], [jacobian(states[-1], h), hessian(T.sqr(states[-1]).sum(), h)])
    values = function([W, h], [states[-1], grad(T.sqr(states[-1]).sum(), h)])
    moved = [[values(WEIGHTS, START + sign * 1e-6 * d) for sign in (1, -1)] for d in np.eye(3)]
    for number, found in enumerate(slopes(WEIGHTS, START)):
        wanted = np.stack([(up[number] - down[number]) / 2e-6 for up, down in moved], axis=1)
        np.testing.assert_allclose(found, wanted, 1e-6, 1e-8)


def test_forward_derivative() -> None:
    verify_rop(lambda h: recurrent(T.constant(MATRIX), T.constant(WEIGHTS), h), [START])


def test_integers_beside_differentiable_values() -> None:
    x, mask = T.dvector("x"), T.ivector("mask")
    (values, counts), _ = scan(
        lambda item, chosen, before, count: [T.switch(chosen, before * item, before), count + 1],
        [x, mask],
        [T.constant(1.0), T.constant(0)],
    )
    f = function([x, mask], [counts, grad(values[-1] + counts.sum(), x)])
    found, slope = f([2.0, 3.0, 4.0], np.array([1, 0, 1], "int32"))
    np.testing.assert_array_equal(found, [1, 2, 3])
    np.testing.assert_array_equal(slope, [4, 0, 2])


def test_gradients_of_rows_that_a_number_selects_are_added_in_place() -> None:
    """An iteration changes one row of the gradient, and does not add an array of zeros to it."""
    x, rows = T.dmatrix("x"), T.lvector("rows")
    total, _ = scan(lambda k, a, x: a * 0.5 + T.tanh(x[k]).sum(), rows, T.constant(0.0), x)
    f = function([x, rows], grad(total[-1], x))
    bodies = [node.op.region for node in f.maker.fgraph.toposort() if isinstance(node.op, Scan)]
    changes = [n for body in bodies for n in body.nodes if isinstance(n.op, IncSubtensor)]
    assert [node.inputs[0] in body.inputs for body in bodies for node in changes] == [True]
    weights = 0.5 ** np.arange(4, -1, -1)[:, None]
    expected = weights * (1 - np.tanh(MATRIX) ** 2)
    np.testing.assert_allclose(f(MATRIX, [0, 1, 2, 3, 4]), expected, atol=1e-14)


def test_gradients_with_respect_to_integers() -> None:
    """They are floats, as outside of loops: of rows, and of what all iterations read."""
    k, n, v = T.ivector("k"), T.lscalar("n"), T.dvector("v")
    rows, _ = scan(lambda a, b, total, c: total + T.cast(a, "float64") * b * c,
                   [k, v], T.constant(0.0), n)  # fmt: skip
    outside = T.cumsum(T.cast(k, "float64") * v * n)
    weights = T.arange(v.shape[0]) + 1
    values = [np.array([1, 2, 4], "int32"), 3, [0.5, 0.25, 2.0]]
    by_n = (np.cumsum([0.5, 0.5, 8]) * [1, 2, 3]).sum()
    for mode in ("FAST_RUN", "INTERPRET"):
        found = function([k, n, v], grad((rows * weights).sum(), [k, n, v]), mode=mode)(*values)
        by_k, by_v = function([k, n, v], grad((outside * weights).sum(), [k, v]), mode=mode)(
            *values
        )
        for one, other in zip(found, [by_k, by_n, by_v], strict=True):
            assert one.dtype == "float64"
            np.testing.assert_allclose(one, other)
    picked, _ = scan(lambda a, x: x[a], k, non_sequences=v)
    with pytest.raises(DisconnectedInputError, match="does not depend on k"):  # an index has none
        grad(picked.sum(), k)


@pytest.mark.parametrize("rows", [None, 2])
@pytest.mark.parametrize("steps", [0, 3])
def test_lengths_that_are_elements_of_a_sequence(steps: int, rows: int | None) -> None:
    """The gradient reads the lengths of `tile` from rows: zeros stood for these."""
    m, w = T.dmatrix("m"), T.dmatrix("w")
    count = m.shape[1] if rows is None else rows

    def step(mask: Any, state: Any) -> Any:
        product = T.dot(state, w)
        repeats = T.concatenate([[1], product.shape[1:]])
        return T.switch(T.tile(mask.dimshuffle(0, "x"), repeats, ndim=2), product, state)

    states, _ = scan(step, sequences=[m], outputs_info=[T.ones((count, 3))])
    gradient = grad(states[-1].sum() if steps else states.sum(), w)
    compiled = function([m, w], gradient)
    plain = function([m, w], gradient, mode=Mode("py", None))
    values = np.ones((steps, 2)), np.full((3, 3), 0.5)
    np.testing.assert_allclose(compiled(*values), plain(*values))
    assert compiled(*values).any() == bool(steps)

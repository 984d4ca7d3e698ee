"""scan and its short forms: in C and in the interpreter, against loops in Python."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

import symtheano
import symtheano.tensor as T
from symtheano import function, grad, scan, shared, verify_grad
from symtheano.errors import MissingInputError, ShapeError
from symtheano.scan_module import until

Array = np.ndarray[Any, Any]

x, c = T.dvector("x"), T.dvector("c")
s = T.dscalar("s")
h = T.dvector("h")
X, W = T.dmatrices("X", "W")
n = T.lscalar("n")
rng = np.random.default_rng(1)
MATRIX, WEIGHTS, START = rng.normal(size=(6, 3)), rng.normal(size=(3, 3)), rng.normal(size=3)


def compared(inputs: Sequence[Any], outputs: Any, *values: Any) -> Any:
    """Return the results of the compiled function, after comparing them with the interpreter's."""
    found = function(inputs, outputs)(*values)
    wanted = function(inputs, outputs, mode="INTERPRET")(*values)
    for one, other in zip(_listed(found), _listed(wanted), strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_allclose(one, other, 1e-11, 1e-12)
    return found


def _listed(values: Any) -> list[Any]:
    return values if isinstance(values, list) else [values]


def test_recurrent_network() -> None:
    """``W`` is used without being told of; the state is a vector."""
    rows, updates = scan(lambda row, state: T.tanh(row + T.dot(W, state)), X, h)
    state, wanted = START, []
    for row in MATRIX:
        state = np.tanh(row + WEIGHTS @ state)
        wanted.append(state)
    np.testing.assert_allclose(compared([X, W, h], rows, MATRIX, WEIGHTS, START), wanted)
    assert dict(updates) == {}


def test_taps_of_sequences_and_outputs() -> None:
    start = T.dvector("start")
    values, _ = scan(
        lambda before, now, after, third, last: before + 2 * now - after + third / 2 + last,
        [{"input": x, "taps": [-1, 0, 2]}],
        [{"initial": start, "taps": [-3, -1]}],
    )
    given, past = np.arange(8.0), [1.0, 2.0, 3.0]
    found = compared([x, start], values, given, np.array(past))
    for k in range(1, 6):
        past.append(given[k - 1] + 2 * given[k] - given[k + 2] + past[-3] / 2 + past[-1])
    np.testing.assert_allclose(found, past[3:])


def test_several_outputs_backwards() -> None:
    (twice, sums), _ = scan(
        lambda item, total: [item * 2, total + item],
        x,
        [None, T.constant(0.0)],
        go_backwards=True,
    )
    given = np.arange(5.0)
    found = compared([x], [twice, sums], given)
    np.testing.assert_array_equal(found[0], given[::-1] * 2)
    np.testing.assert_array_equal(found[1], np.cumsum(given[::-1]))


@pytest.mark.parametrize("steps", [0, 1, 2, 7])
def test_number_of_steps(steps: int) -> None:
    rows, _ = scan(lambda state: T.dot(W, state), outputs_info=h, n_steps=n)
    found = compared([n, W, h], [rows, rows.shape], steps, WEIGHTS, START)
    wanted = [np.linalg.matrix_power(WEIGHTS, k + 1) @ START for k in range(steps)]
    np.testing.assert_allclose(found[0], np.array(wanted).reshape(steps, 3))
    assert list(found[1]) == [steps, 3]


def test_a_negative_number_of_steps_reads_backwards() -> None:
    values, _ = scan(lambda item: item + 1, x, n_steps=-3)
    np.testing.assert_array_equal(compared([x], values, np.arange(3.0)), [3, 2, 1])


def test_the_shortest_sequence() -> None:
    values, _ = scan(lambda one, other: one * other, [x, c])
    found = compared([x, c], values, np.arange(3.0), np.arange(5.0) + 1)
    np.testing.assert_array_equal(found, [0, 2, 6])


def test_until() -> None:
    values, _ = scan(lambda v: (v * 2, until(v * 2 > 50)), outputs_info=s, n_steps=1000)
    np.testing.assert_array_equal(compared([s], values, 1.0), [2, 4, 8, 16, 32, 64])
    assert len(compared([s], values, 1e-300)) == 1000


def test_gradient_through_until() -> None:
    values, _ = scan(lambda v, f: (v * f, until(v * f > 50)), None, s, x[0], n_steps=1000)
    found = compared([s, x], grad(values[-1], [s, x]), 1.5, np.array([2.0, 3.0]))
    np.testing.assert_allclose(found[0], 64)
    np.testing.assert_allclose(found[1], [6 * 1.5 * 2**5, 0])


def test_updates_of_shared_variables() -> None:
    count = shared(np.int64(0), "count")
    values, updates = scan(
        lambda v: (v + count, {count: count + 1}), outputs_info=T.constant(0, "z", 0, "int64"),
        n_steps=5,
    )  # fmt: skip
    step = function([], values, updates=updates)
    np.testing.assert_array_equal(step(), [0, 1, 3, 6, 10])
    assert count.get_value() == 5
    step()
    assert count.get_value() == 10


def test_scan_in_scan() -> None:
    def total(row: Any) -> Any:
        sums, _ = scan(lambda item, before: before + item, row, T.constant(0.0))
        return sums[-1]

    totals, _ = scan(total, X)
    found = compared([X], [totals, grad(T.sqr(totals).sum(), X)], MATRIX)
    np.testing.assert_allclose(found[0], MATRIX.sum(1))
    np.testing.assert_allclose(found[1], 2 * MATRIX.sum(1, keepdims=True) * np.ones((6, 3)))


def test_an_initial_value_gets_the_dtype_of_the_output() -> None:
    values, _ = scan(lambda v: v * 0.5 + 1, outputs_info=T.constant(1), n_steps=3)
    np.testing.assert_array_equal(compared([], values), [1.5, 1.75, 1.875])


def test_outputs_of_a_higher_rank() -> None:
    arrays, _ = symtheano.map(lambda row: row.sum() * W, X)
    found = compared([X, W], arrays, MATRIX, WEIGHTS)
    np.testing.assert_allclose(found, MATRIX.sum(1)[:, None, None] * WEIGHTS)
    assert compared([X, W], arrays, np.empty((0, 3)), WEIGHTS).shape == (0, 3, 3)


def test_short_forms() -> None:
    given = np.array([1.0, 2.0, 3.0])
    for form, wanted in ((symtheano.foldl, 123), (symtheano.foldr, 321)):
        last, _ = form(lambda item, total: 10 * total + item, x, T.constant(0.0))
        assert compared([x], last, given) == wanted
    (both, square), _ = symtheano.reduce(
        lambda item, a, b: [a + item, b + item**2], x, [T.constant(0.0), T.constant(0.0)]
    )
    assert compared([x], [both, square], given) == [6, 14]


def test_layouts_of_sequences() -> None:
    rows, _ = scan(lambda row, state: row + state, X[::-2, ::-1].T, T.zeros(3))
    np.testing.assert_allclose(compared([X], rows, MATRIX), np.cumsum(MATRIX[::-2, ::-1].T, axis=0))


@pytest.mark.parametrize(
    ("made", "kind", "message"),
    [
        (lambda: scan(lambda v: v, outputs_info=h), ValueError, "number of iterations is unknown"),
        (lambda: scan(lambda v: v, s), TypeError, "a sequence has no dims"),
        (
            lambda: scan(lambda v: T.dot(v, v), None, h, n_steps=2), TypeError,
            r"returns TensorType\(float64, scalar\) for an output whose initial value is",
        ),
        (
            lambda: scan(lambda v: v, None, {"initial": h, "taps": [0]}, n_steps=2), ValueError,
            r"taps of an output are \[0\]",
        ),
        (
            lambda: scan(lambda v: v, None, {"initial": s, "taps": [-2]}, n_steps=2), ValueError,
            "need 2 initial values",
        ),
        (
            lambda: scan(lambda v: v, None, {"taps": [-2]}, n_steps=2), ValueError,
            "has no initial values",
        ),
        (
            lambda: scan(lambda v: v + W[0], None, h, n_steps=2, strict=True), MissingInputError,
            "uses W, which is not among the non_sequences",
        ),
        (
            lambda: scan(lambda v: [v, v], None, [h], n_steps=2), ValueError,
            "returns 2 outputs, but outputs_info has 1",
        ),
        (lambda: scan(lambda v: v, x, n_steps=s), TypeError, "n_steps is .*not an integer"),
        (lambda: until(x > 0), TypeError, "the condition has 1 dims"),
    ],
)  # fmt: skip
def test_mistakes(made: Callable[[], Any], kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message) as caught:
        made()
    assert "test_scan.py" in str(caught.value)


def test_mistakes_in_calls() -> None:
    doubled, _ = scan(lambda v: T.concatenate([v, v]), outputs_info=h, n_steps=2)
    short, _ = scan(lambda item: item, x, n_steps=20)
    for mode in (None, "INTERPRET"):
        with pytest.raises(ShapeError, match=r"length 3 along axis 0 has length 6"):
            function([h], doubled, mode=mode)(START)
        with pytest.raises(ShapeError, match=r"8 rows, fewer than the 20 iterations"):
            function([x], short, mode=mode)(np.arange(8.0))


@pytest.mark.parametrize("steps", [0, 1, 3])
def test_arrays_of_one_element(steps: int) -> None:
    """Outside of the loop they are computed as scalars, inside they are read from memory."""
    one, table = T.TensorType("float64", (1,))("one"), T.TensorType("float64", (None, 1, 1))("t")
    rows, _ = scan(
        lambda row, last, other: (row[0] + last * other)[0] + other,
        [table * 2], [one * 3], [one + 1], n_steps=steps,
    )  # fmt: skip
    (kept,), _ = scan(lambda last, other: last * 2 + other, [one * 3], [one + 1], n_steps=1)
    ones, _ = scan(lambda row, other: row.sum() + other, [T.ones((2, 1, 1)) * one], [one + 1])
    values = np.array([0.5]), np.arange(3.0).reshape(3, 1, 1)
    compared([one, table], [rows, kept, ones, one * 3 + 1], *values)


def test_a_negative_number_of_iterations_is_none() -> None:
    n = T.lscalar("n")
    alone, _ = scan(lambda row: T.exp(row) + 1, x, n_steps=n)
    sums, _ = scan(lambda row, total: total + row, x, T.constant(0.0), n_steps=n)
    run = function([x, n], [alone, sums])
    for count, rows in ((2, 2), (0, 0), (-2, 0)):
        assert [len(item) for item in run(np.ones(4), count)] == [rows, rows]


def test_a_non_sequence_is_differentiated_with_respect_to_another_one() -> None:
    """Theano's tutorial computes Jacobians and Hessians so."""
    y = x**3
    rows, _ = scan(lambda i, y, x: grad(y[i], x), T.arange(y.shape[0]), None, [y, x])
    slopes = grad(y.sum(), x)
    second, _ = scan(lambda i, g, x: grad(g[i], x), T.arange(x.shape[0]), None, [slopes, x])
    first, hessian = compared([x], [rows, second], [1.0, 2.0])
    np.testing.assert_allclose(first, [[3, 0], [0, 12]])
    np.testing.assert_allclose(hessian, [[6, 0], [0, 12]])


def test_a_non_sequence_that_the_step_updates() -> None:
    w = shared(1.0, "w")
    values, updates = scan(lambda row, w: (row * w, {w: w + row}), x, None, w)
    np.testing.assert_array_equal(function([x], values, updates=updates)([1.0, 2, 3]), [1, 4, 12])
    assert w.get_value() == 7


def test_non_sequences_of_a_strict_scan_may_be_computed() -> None:
    y = x**3
    rows, _ = scan(lambda i, y, x: grad(y[i], x), T.arange(y.shape[0]), None, [y, x], strict=True)
    np.testing.assert_allclose(compared([x], [rows], [1.0, 2.0])[0], [[3, 0], [0, 12]])
    sums, _ = scan(lambda i, x: y[i] + x[0], T.arange(2), None, [x], strict=True)
    np.testing.assert_allclose(compared([x], [sums], [1.0, 2.0])[0], [2, 9])
    with pytest.raises(MissingInputError, match="the step uses x"):
        scan(lambda i, y: grad(y[i], x), T.arange(2), None, [y], strict=True)


def test_a_tap_that_is_listed_twice() -> None:
    doubled, _ = scan(lambda a, b: a + b, None, [{"initial": x, "taps": [-1, -1]}], n_steps=3)
    three, _ = scan(lambda a, b, c: a + b * c, None, [{"initial": x, "taps": [-2, -1, -2]}],
                    n_steps=3)  # fmt: skip
    squares, _ = scan(lambda a, b: a * b, [{"input": x, "taps": [0, 0]}])
    found = compared([x], [doubled, grad(doubled[-1], x), three, squares], [1.0, 2.0])
    expected = [[2, 4, 8], [8, 0], [3, 8, 27], [1, 4]]
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(one, other)
    verify_grad(lambda v: scan(lambda a, b: T.sin(a) * b, None,
                               [{"initial": v, "taps": [-1, -1]}], n_steps=3)[0][-1],
                [np.array([0.7])])  # fmt: skip


@pytest.mark.parametrize("nothing", [(), [], {}])
def test_a_step_may_return_no_updates(nothing: Any) -> None:
    doubled, updates = scan(lambda v: ([v * 2], nothing, until(v > 3)), None, s, n_steps=10)
    assert not updates
    assert scan(lambda v: (nothing, [v * 2]), None, s, n_steps=2)[0].eval({s: 1.0}).tolist() == [
        2,
        4,
    ]
    assert compared([s], [doubled], 1.0)[0].tolist() == [2, 4, 8]
    both, _ = scan(lambda v: ([v * 2, v], nothing), None, [s, None], n_steps=2)
    np.testing.assert_array_equal(compared([s], both, 1.0), [[2, 4], [1, 2]])


def test_a_step_may_return_an_empty_list_and_updates():
    total = shared(1.0)
    outputs, updates = scan(lambda: ([], {total: total + 2}), n_steps=3)
    assert outputs in (None, [])
    function([], [], updates=updates)()
    assert float(total.get_value()) == 7.0


@pytest.mark.needs_cc
@pytest.mark.parametrize("ends", [False, True])
def test_histories_and_results_take_the_last_values_of_others(ends: bool) -> None:
    """Each value is the one before the iteration, also after a history was written."""
    s, a0, b0 = T.dvector("s"), T.dscalar("a0"), T.dscalar("b0")

    def step(q: Any, a: Any, b: Any) -> Any:
        results = [b, a + q, b, a * b, a]
        return (results, until(b > 1e3)) if ends else results

    results, _ = scan(step, [s], [a0, b0, None, None, None])
    values = np.array([1.0, 2.0, 3.0, 4.0]), 5.0, 7.0
    rows, a, b = [], *values[1:]
    for q in values[0]:
        rows.append([b, a + q, b, a * b, a])
        a, b = rows[-1][:2]
    for mode in ("FAST_RUN", "INTERPRET"):
        got = function([s, a0, b0], results, mode=mode)(*values)
        np.testing.assert_array_equal(np.stack(got, axis=1), rows)

"""Lifetimes, shared slots, and values that are written in place."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function, grad, shared
from symtheano.codegen.lower import lower
from symtheano.function import Function
from symtheano.graph.intern import FunctionGraph
from symtheano.rewrites.engine import Rewriter
from symtheano.rewrites.final import final_graph
from symtheano.rewrites.library import default_rules
from symtheano.tensor.indexing.nonzeros import flatnonzero
from symtheano.tensor.slinalg import cholesky

pytestmark = pytest.mark.needs_cc


def donors(made: Function) -> list[int | None]:
    """Return for each output the input whose memory it takes over."""
    return list(made.lowered.donors)


def slots(made: Function) -> list[list[str]]:
    """Return the names of the buffers in each slot of the workspace."""
    return [[b.name for b in slot.buffers] for slot in made.lowered.program.arena]


def value(*shape: int) -> Any:
    """Return numbers of a shape."""
    return np.random.default_rng(7).normal(size=shape)


def test_elementwise_update_is_in_place() -> None:
    w = shared(value(3, 4), "w")
    before = w.get_value()
    made = function([], [], updates=[(w, w * 2 + 1)])
    made.wait()  # for the dispatcher: a call without it gives the variable other memory
    old = id(w.get_value(borrow=True))
    made()
    assert donors(made) == [0]
    assert id(w.get_value(borrow=True)) == old
    np.testing.assert_array_equal(w.get_value(), before * 2 + 1)


def test_accumulated_product_is_in_place() -> None:
    w, x = shared(value(3, 4), "w"), T.matrix("x")
    made = function([x], [], updates=[(w, w - 0.5 * T.dot(x.T, x)[:, :4])])
    before, a = w.get_value(), value(6, 3)
    with pytest.raises(ValueError, match="length"):
        made(a)
    np.testing.assert_array_equal(w.get_value(), before)
    b = value(6, 4)
    z = T.matrix("z")
    made = function([x, z], [], updates=[(w, w - 0.5 * T.dot(x.T, z))])
    made(a, b)
    assert donors(made) == [2]
    np.testing.assert_allclose(w.get_value(), before - 0.5 * a.T @ b)


def test_old_value_wanted_later_forbids_writing_in_place() -> None:
    w = shared(value(4), "w")
    before = w.get_value()
    made = function([], [w.sum() * w], updates=[(w, w + 1)])
    (out,) = made()
    np.testing.assert_allclose(out, before.sum() * before)
    np.testing.assert_array_equal(w.get_value(), before + 1)


def test_swap_of_two_variables() -> None:
    a, b = shared(value(5), "a"), shared(value(5) * 2, "b")
    was_a, was_b = a.get_value(), b.get_value()
    made = function([], [], updates=[(a, b), (b, a)])
    made()
    np.testing.assert_array_equal(a.get_value(), was_b)
    np.testing.assert_array_equal(b.get_value(), was_a)
    made = function([], [], updates=[(a, b * 2), (b, a * 3)])
    made()
    np.testing.assert_array_equal(a.get_value(), was_a * 2)
    np.testing.assert_array_equal(b.get_value(), was_b * 3)


def test_reversed_update_is_not_in_place() -> None:
    w = shared(np.arange(6.0), "w")
    function([], [], updates=[(w, w[::-1] * 1.5)])()
    np.testing.assert_array_equal(w.get_value(), np.arange(6.0)[::-1] * 1.5)


def test_transposed_update_is_not_in_place() -> None:
    w = shared(value(4, 4), "w")
    before = w.get_value()
    function([], [], updates=[(w, w.T + w)])()
    np.testing.assert_allclose(w.get_value(), before.T + before)


def test_input_that_is_the_variables_own_array() -> None:
    w, x = shared(value(2, 2), "w"), T.matrix("x")
    before = w.get_value()
    made = function([x], x.sum(axis=0) * 1.0, updates=[(w, w + x.sum(axis=0))])
    out = made(w.get_value(borrow=True))
    np.testing.assert_allclose(out, before.sum(axis=0))
    np.testing.assert_allclose(w.get_value(), before + before.sum(axis=0))


def test_update_that_can_fail_leaves_everything_as_it_was() -> None:
    w, i = shared(value(5), "w"), T.lvector("i")
    before = w.get_value()
    other = shared(value(5), "other")
    was = other.get_value()
    made = function([i], w[i].sum(), updates=[(w, w * 2), (other, other + w[i].sum())])
    with pytest.raises(IndexError, match="outside axis 0"):
        made([0, 9])
    np.testing.assert_array_equal(w.get_value(), before)
    np.testing.assert_array_equal(other.get_value(), was)


def test_temporaries_share_slots() -> None:
    x, y = T.matrix("x"), T.matrix("y")
    z = x
    for _ in range(6):
        z = T.tanh(T.dot(z, y))
    made = function([x, y], z)
    assert len(slots(made)) <= 2
    a, b = value(3, 3), value(3, 3)
    expected = a
    for _ in range(6):
        expected = np.tanh(expected @ b)
    np.testing.assert_allclose(made(a, b), expected)


def test_outputs_never_share_memory() -> None:
    x = T.matrix("x")
    made = function([x], [x, x.T, x, x + 0, x[:1]])
    a = value(3, 4)
    results = made(a)
    for k, one in enumerate(results):
        assert not np.may_share_memory(one, a)
        assert not any(np.may_share_memory(one, other) for other in results[k + 1 :])


def test_dropped_outputs_are_used_again_and_kept_ones_are_not() -> None:
    x = T.vector("x")
    made = function([x], x * 2)
    a = value(200_000)
    first = made(a)
    address = first.ctypes.data
    second = made(a)
    assert second.ctypes.data != address
    np.testing.assert_array_equal(first, a * 2)
    del first
    assert made(a).ctypes.data == address


def test_nothing_is_updated_before_an_op_that_may_fail() -> None:
    w, v, x = shared(value(3), "w"), shared(np.eye(3), "v"), T.matrix("x")
    before = w.get_value()
    made = function([x], [], updates=[(w, w * 2), (v, cholesky(x))])
    with pytest.raises(np.linalg.LinAlgError):
        made(-np.eye(3))
    np.testing.assert_array_equal(w.get_value(), before)
    np.testing.assert_array_equal(v.get_value(), np.eye(3))
    made(4 * np.eye(3))
    np.testing.assert_array_equal(w.get_value(), before * 2)
    np.testing.assert_array_equal(v.get_value(), 2 * np.eye(3))


def test_an_array_whose_length_the_data_tell_is_wanted_twice() -> None:
    x = T.lvector("x")
    places = flatnonzero(x)
    first, second, more = function([x], [places, places, places + 1])([3, 0, 1])
    assert first.tolist() == second.tolist() == [0, 2]
    assert more.tolist() == [1, 3]
    assert not np.may_share_memory(first, second)


def test_slots_do_not_depend_on_where_variables_lie_in_memory() -> None:
    def planned() -> list[tuple[str, ...]]:
        x = T.vector("x")
        values = [x]
        for step in range(300):
            first, second = (values[-1 - min(step % k, len(values) - 1)] for k in (5, 7))
            values.append(T.tanh(first) * T.sin(second) + values[-1])
        rewriter = Rewriter(default_rules())
        graph = rewriter.rewrite(FunctionGraph([x], [sum(values[-9:])]))
        program = lower(final_graph(graph, rewriter)).program
        return [tuple(buffer.name for buffer in slot.buffers) for slot in program.arena]

    first = planned()
    assert sum(map(len, first)) > len(first) > 1
    kept = []
    for number in range(5):
        # Objects in between, some of them freed, so that other addresses are handed out.
        kept.append([object() for _ in range(1009 * number)][:: number + 1])
        assert planned() == first


def copies(made: Function) -> int:
    """Return how many kernels only copy, and how many copies are called for."""
    lines = str(made.lowered.program).splitlines()
    kernels = sum(line.startswith("function") and "identity" in line for line in lines)
    return kernels + sum("call copy" in line for line in lines)


def test_a_result_shown_under_another_shape_is_made_in_the_output() -> None:
    x, y, a, n = T.dmatrix("x"), T.dmatrix("y"), T.dtensor3("a"), T.lscalar("n")
    outputs = [
        T.tensordot(a, x, axes=((2,), (0,))),
        T.dot(x, y).reshape((n, -1)),
        T.sort(x[0]).dimshuffle("x", 0),
        T.exp(y).flatten(),
    ]
    f = function([x, y, a, n], outputs)
    assert copies(f) == 1, "only the row that is sorted in place"
    args = [value(4, 6), value(6, 4), value(2, 3, 4), 8]
    results = f(*args)
    expected = [np.tensordot(args[2], args[0], 1), (args[0] @ args[1]).reshape(8, -1)]
    expected += [np.sort(args[0][0])[None], np.exp(args[1]).ravel()]
    for got, want in zip(results, expected, strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-12)
    with pytest.raises(ValueError, match=r"24 elements can.t have shape"):
        function([x, n], T.exp(x).reshape((n, -1)))(args[0], 7)


def test_shapes_of_one_result_are_arrays_of_their_own() -> None:
    x = T.dmatrix("x")
    y = T.exp(x)
    first, second, plain = function([x], [y.flatten(), y.reshape((-1, 1)), y])(value(2, 3))
    np.testing.assert_array_equal(first, plain.ravel())
    np.testing.assert_array_equal(second[:, 0], first)
    for one, other in ((first, second), (first, plain), (second, plain)):
        assert not np.may_share_memory(one, other)


def test_an_output_whose_shape_is_known_only_later() -> None:
    x, v = T.dmatrix("x"), T.dvector("v")
    many = T.cast((v > 0).sum(), "int64")
    f = function([x, v], T.exp(x).reshape((many, -1)))
    x_, v_ = value(2, 6), np.array([1.0, -1.0, 2.0, 3.0])
    np.testing.assert_allclose(f(x_, v_), np.exp(x_).reshape(3, 4), rtol=1e-14)
    with pytest.raises(ValueError, match=r"12 elements can.t have shape"):
        f(x_, np.ones(5))


def test_workspace_of_rows_whose_length_the_data_tell() -> None:
    x, v = T.dmatrix("x"), T.dvector("v")
    part = x[:, v > 0]
    f = function([x, v], [part.sum(axis=0), T.nnet.softmax(T.exp(part)).sum(axis=0)])
    for n, m in ((3, 4), (700, 60)):
        x_, v_ = value(n, m), np.linspace(-1, 1, m)
        chosen = x_[:, v_ > 0]
        powers = np.exp(np.exp(chosen))
        rows = powers / powers.sum(axis=1, keepdims=True)
        for got, want in zip(f(x_, v_), [chosen.sum(axis=0), rows.sum(axis=0)], strict=True):
            np.testing.assert_allclose(got, want, rtol=1e-11, atol=1e-13)


def test_what_an_output_starts_from_is_made_in_its_memory() -> None:
    x, i, j = T.dmatrix("x"), T.lvector("i"), T.lvector("j")
    cost = (T.sqr(x[i]) * T.exp(x[j])).sum()
    outputs = [grad(cost, x), x.dot(x.T) + T.eye(x.shape[0])]
    f = function([x, i, j], outputs)
    assert all(name.startswith("cost_mul") for names in slots(f) for name in names)
    assert copies(f) == 0
    x_, i_, j_ = value(4, 3), np.array([1, 2, 2]), np.array([0, 2, 1])
    expected = np.zeros((4, 3))
    np.add.at(expected, i_, 2 * x_[i_] * np.exp(x_[j_]))
    np.add.at(expected, j_, x_[i_] ** 2 * np.exp(x_[j_]))
    got, product = f(x_, i_, j_)
    np.testing.assert_allclose(got, expected, rtol=1e-12)
    np.testing.assert_allclose(product, x_ @ x_.T + np.eye(4), rtol=1e-12)


def test_an_output_that_another_one_starts_from_is_kept() -> None:
    x, y = T.dmatrix("x"), T.dmatrix("y")
    first = T.inc_subtensor(T.exp(x)[0], 1.0)
    second = T.set_subtensor(first[:, 0], 2.0)
    once, twice = function([x, y], [first, second + y])(value(2, 3), np.zeros((2, 3)))
    expected = np.exp(value(2, 3))
    expected[0] += 1
    np.testing.assert_allclose(once, expected, rtol=1e-14)
    expected[:, 0] = 2
    np.testing.assert_allclose(twice, expected, rtol=1e-14)
    once, twice = function([x], [first, second])(value(2, 3))
    assert not np.may_share_memory(once, twice)
    np.testing.assert_allclose(twice, expected, rtol=1e-14)


def test_no_result_takes_over_what_is_gathered_at_other_elements() -> None:
    x, y = T.dmatrix("x"), T.dmatrix("y")
    a, n = x.dot(y), T.arange(x.shape[0])
    f = function([x, y], T.dot(a - a[n, n], x))
    x_, y_ = value(3, 3), value(3, 3) + 1
    product = x_ @ y_
    np.testing.assert_allclose(f(x_, y_), (product - np.diag(product)) @ x_, rtol=1e-12)


K, J = T.lvectors("i", "j")
A, B, R = T.matrix("a"), T.matrix("b"), T.vector("r")


def _rows(w: Any) -> Any:
    return T.inc_subtensor(T.inc_subtensor(w[K], A)[J], B)


def _gradient(w: Any) -> Any:
    return w - 0.1 * grad((T.tanh(w[K]) * A).sum() + (T.exp(w[J]) * B).sum(), w)


# Two changes and more of parts of one table; all can be made in its memory.
CHAINS: dict[str, Any] = {
    "two": _rows,
    "three": lambda w: T.inc_subtensor(_rows(w)[J], 2 * B),
    "mixed": lambda w: T.inc_subtensor(T.set_subtensor(T.inc_subtensor(w[J], B)[K], A)[J], B),
    "slices": lambda w: T.inc_subtensor(T.set_subtensor(w[1:3], B)[::2], R),
    "slice and rows": lambda w: T.inc_subtensor(T.set_subtensor(w[0], R)[K], A),
    "elements": lambda w: T.inc_subtensor(T.inc_subtensor(w[K, K % 4], R[:3])[J, J], 1.0),
    "after a product": lambda w: _rows(w * 0.9),
    "gradients of two lookups": _gradient,
}
ROW_VALUES = [np.array([1, 2, -1]), np.array([2, 2]), value(3, 4), value(2, 4), value(4)]


@pytest.mark.one_in(2)
@pytest.mark.parametrize("chain", CHAINS)
@pytest.mark.parametrize("shown", ["nothing", "the sum before", "rows", "the sum"])
def test_chains_of_changes_are_made_in_the_variables_own_memory(chain: str, shown: str) -> None:
    w = shared(value(6, 4), "w")
    plain = T.matrix("plain")

    def results(table: Any) -> list[Any]:
        new = CHAINS[chain](table)
        told = {
            "nothing": [],
            "the sum before": [new.owner.inputs[0].sum()],
            "rows": [new[J]],
            "the sum": [new.sum(axis=0)],
        }
        return [new, *told[shown]]

    inputs = [K, J, A, B, R]
    new, *told = results(w)
    made = function(inputs, told, updates=[(w, new)], on_unused_input="ignore")
    made.wait()
    oracle = function([*inputs, plain], results(plain), mode="INTERPRET", on_unused_input="ignore")
    assert donors(made)[-1] is not None
    assert "w_d0*w_d1)" not in str(made.lowered.program), "the table is copied"
    address = w.get_value(borrow=True).ctypes.data
    for _ in range(3):
        wanted, *shown_values = oracle(*ROW_VALUES, w.get_value())
        for got, want in zip(made(*ROW_VALUES), shown_values, strict=True):
            np.testing.assert_allclose(got, want, rtol=1e-13)
        np.testing.assert_allclose(w.get_value(), wanted, rtol=1e-13)
    assert w.get_value(borrow=True).ctypes.data == address
    before = w.get_value()
    with pytest.raises((IndexError, ValueError)):
        made(ROW_VALUES[0] + 9, ROW_VALUES[1], *ROW_VALUES[2:4], value(3))
    np.testing.assert_array_equal(w.get_value(), before)


def test_what_is_stored_and_given_back_is_copied_once() -> None:
    w, v = shared(value(6, 4), "w"), shared(value(6, 4), "v")
    new = _rows(w)
    before, plain = w.get_value(), T.matrix("plain")
    made = function([K, J, A, B], [new, new], updates=[(v, new), (w, new)])
    one, other = made(*ROW_VALUES[:4])
    wanted = function([plain, K, J, A, B], _rows(plain), mode="INTERPRET")(before, *ROW_VALUES[:4])
    results = [one, other, w.get_value(borrow=True), v.get_value(borrow=True)]
    for number, got in enumerate(results):
        np.testing.assert_allclose(got, wanted, rtol=1e-13)
        assert not any(np.may_share_memory(got, result) for result in results[:number])
    text = str(made.lowered.program)
    assert text.count("call copy") == 3


def test_nothing_lent_is_overwritten_before_there_is_memory_for_all_the_work() -> None:
    w, x = shared(value(4), "w"), T.vector("x")
    before, new = w.get_value(), T.exp(w)
    rows = T.tanh(T.outer(x, T.dot(new, new) * x))
    made = function([x], T.dot(rows, rows).sum(), updates=[(w, new)])
    made(np.ones(2))
    assert donors(made)[-1] is not None
    np.testing.assert_allclose(w.get_value(), np.exp(before))
    with pytest.raises(MemoryError):
        made(np.broadcast_to(1.0, 1 << 23))
    np.testing.assert_allclose(w.get_value(), np.exp(before))


def test_nothing_lent_is_overwritten_before_the_last_output_has_its_memory() -> None:
    # An output that is wanted twice, and whose length the data tell, is allocated at the end.
    w, x = shared(value(4), "w"), T.vector("x")
    found = T.exp(x[flatnonzero(x)] - 1)
    made = function([x], [found, found], updates=[(w, w * 2 + found.sum())])
    assert donors(made)[-1] is None
    before = w.get_value()
    assert [one.tolist() for one in made(np.ones(2))] == [[1, 1], [1, 1]]
    np.testing.assert_array_equal(w.get_value(), before * 2 + 2)

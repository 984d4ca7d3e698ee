"""ifelse: only the chosen branch runs, in C and in the interpreter."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
import scipy.sparse

import symtheano
import symtheano.tensor as T
from symtheano import FunctionGraph, Rop, function, grad, scan, shared, sparse
from symtheano.errors import BoundsError, ShapeError
from symtheano.gradient import hessian, jacobian
from symtheano.ifelse import IfElse, ifelse
from symtheano.tensor.vectorize import vectorize_graph
from tests.support.compare import assert_same

x, y = T.dvectors("x", "y")
W = T.dmatrix("W")
s = T.dscalar("s")
c, d = T.bscalar("c"), T.bscalar("d")
VECTOR, MATRIX = np.array([1.0, -2.0, 3.0]), np.arange(9.0).reshape(3, 3) / 4

ran: list[str] = []


@symtheano.as_op([T.dvector], [T.dvector])
def noted(value: Any) -> Any:
    """Return the exponential, and note that it ran."""
    ran.append("noted")
    return np.exp(value)


@symtheano.as_op([T.dvector], [T.dvector])
def failing(value: Any) -> Any:
    """Raise an error."""
    raise RuntimeError("it ran")


def both(inputs: Sequence[Any], outputs: Any, *values: Any) -> list[Any]:
    """Return the results of the compiled function, after comparing them with the interpreter's."""
    found = function(inputs, outputs)(*values)
    wanted = function(inputs, outputs, mode="INTERPRET")(*values)
    found, wanted = (item if isinstance(item, list) else [item] for item in (found, wanted))
    for one, other in zip(found, wanted, strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_allclose(one, other, 1e-11, 1e-12)
    return found


@pytest.mark.parametrize("flag", [0, 1])
def test_arrays(flag: int) -> None:
    (found,) = both([c, W, x], ifelse(c, T.dot(W, x), x * 2), flag, MATRIX, VECTOR)
    np.testing.assert_allclose(found, MATRIX @ VECTOR if flag else VECTOR * 2)


@pytest.mark.parametrize("mode", [None, "INTERPRET", "FAST_COMPILE", "DebugMode"])
def test_only_the_chosen_branch_runs(mode: str | None) -> None:
    f = function([c, x], ifelse(c, noted(x) + 1, x), mode=mode)
    ran.clear()
    np.testing.assert_array_equal(f(0, VECTOR), VECTOR)
    assert not ran
    np.testing.assert_allclose(f(1, VECTOR), np.exp(VECTOR) + 1)
    assert set(ran) == {"noted"}


@pytest.mark.parametrize("mode", [None, "INTERPRET"])
def test_what_others_need_runs_once(mode: str | None) -> None:
    made = noted(x)
    f = function([c, x], [made, ifelse(c, made * 2, x)], mode=mode)
    for flag in (0, 1):
        ran.clear()
        found = f(flag, VECTOR)
        np.testing.assert_allclose(found[1], np.exp(VECTOR) * 2 if flag else VECTOR)
        assert ran == ["noted"]


@pytest.mark.parametrize("mode", [None, "INTERPRET"])
def test_choices_by_one_condition_share_their_work(mode: str | None) -> None:
    made = noted(x)
    f = function([c, x], [ifelse(c, made * 2, x), ifelse(c, made + 1, x)], mode=mode)
    ran.clear()
    f(0, VECTOR)
    assert not ran
    np.testing.assert_allclose(f(1, VECTOR)[1], np.exp(VECTOR) + 1)
    assert ran == ["noted"]


def test_errors_of_the_other_branch_do_not_occur() -> None:
    """Index checks, shape checks, decompositions, and Python ops that raise."""
    for bad, error in [
        (x[5:6] + x[7], BoundsError),
        (T.dot(W, T.concatenate([x, x])), ShapeError),
        (T.nlinalg.matrix_inverse(W)[0], np.linalg.LinAlgError),
        (failing(x), RuntimeError),
    ]:
        for mode in (None, "INTERPRET"):
            f = function([c, x, W], ifelse(c, bad, x), mode=mode, on_unused_input="ignore")
            np.testing.assert_array_equal(f(0, VECTOR, MATRIX * 0), VECTOR)
            with pytest.raises(error):
                f(1, VECTOR, MATRIX * 0)


def test_an_empty_array_has_no_first_element() -> None:
    (found,) = both([x], ifelse(x.shape[0] > 0, x[0], -1.0), VECTOR[:0])
    assert found == -1


@pytest.mark.parametrize("flag", [0, 1])
def test_lists_and_tuples(flag: int) -> None:
    made = ifelse(c, [T.exp(x), s, x.sum()], [x * 2, s * 3, s])
    assert isinstance(made, list)
    found = both([c, x, s], made, flag, VECTOR, 1.5)
    wanted = [np.exp(VECTOR), 1.5, 2.0] if flag else [VECTOR * 2, 4.5, 1.5]
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one, other)
    assert isinstance(ifelse(c, (x, s), (y, s)), tuple)
    assert ifelse(c, [], []) == []


@pytest.mark.parametrize("flag", [0, 1])
def test_lengths_that_differ(flag: int) -> None:
    made = ifelse(c, T.concatenate([x, x]), x[1:])
    found = both([c, x], [made, made.shape[0], made + 1], flag, VECTOR)
    np.testing.assert_array_equal(found[0], np.tile(VECTOR, 2) if flag else VECTOR[1:])
    assert found[1] == (6 if flag else 2)
    with pytest.raises(ShapeError):
        function([c, x], made + x)(flag, VECTOR)


@pytest.mark.parametrize("flag", [0, 1])
def test_lengths_that_depend_on_values(flag: int) -> None:
    positive = x[x > 0]
    found = both(
        [c, x],
        [
            ifelse(c, positive * 2, x[x < 0]),
            ifelse(c, T.sort(positive).sum(), x.sum()),
            positive.sum() * ifelse(c, T.exp(positive), positive * 2),
            ifelse(positive.sum() > 10 * flag, T.sort(positive), T.concatenate([x, positive])),
        ],
        flag,
        VECTOR,
    )
    plain = VECTOR[VECTOR > 0]
    np.testing.assert_array_equal(found[0], plain * 2 if flag else [-2.0])
    np.testing.assert_allclose(found[2], 4 * (np.exp(plain) if flag else plain * 2))
    assert len(found[3]) == (5 if flag else 2)


@pytest.mark.parametrize("flags", [(0, 0), (0, 1), (1, 0), (1, 1)])
def test_nested(flags: tuple[int, int]) -> None:
    made = ifelse(c, ifelse(d, noted(x), x), ifelse(d, x * 3, ifelse(c, failing(x), x[::-1])))
    ran.clear()
    (found,) = both([c, d, x], made, *flags, VECTOR)
    wanted = [[VECTOR[::-1], VECTOR * 3], [VECTOR, np.exp(VECTOR)]][flags[0]][flags[1]]
    np.testing.assert_allclose(found, wanted)
    assert bool(ran) == (flags == (1, 1))


def test_long_chains() -> None:
    """What both branches need, every call needs: there are no nested graphs."""
    made = x
    for k in range(60):
        made = ifelse(s > k, made * 1.5, made + 1)
    (found,) = both([x, s], made, VECTOR, 30.0)
    wanted = VECTOR
    for k in range(60):
        wanted = wanted * 1.5 if k < 30 else wanted + 1
    np.testing.assert_allclose(found, wanted)


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint16", "int64", "float32", "complex128"])
def test_conditions_of_any_dtype(dtype: str) -> None:
    condition = T.TensorType(dtype, ())("condition")
    f = function([condition, x], ifelse(condition, T.exp(x), x))
    np.testing.assert_array_equal(f(np.array(0, dtype), VECTOR), VECTOR)
    np.testing.assert_allclose(f(np.array(1, dtype), VECTOR), np.exp(VECTOR))
    if dtype == "float32":
        np.testing.assert_allclose(f(np.array(np.nan, dtype), VECTOR), np.exp(VECTOR))
        np.testing.assert_array_equal(f(np.array(-0.0, dtype), VECTOR), VECTOR)


def test_known_conditions() -> None:
    f = function([x], ifelse(0, failing(x), x * 2))
    np.testing.assert_array_equal(f(VECTOR), VECTOR * 2)
    assert not any("IfElse" in str(node.op) for node in f.maker.fgraph.apply_nodes)


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint64", "float16", "float32", "complex64"])
@pytest.mark.parametrize("shape", [(), (0,), (1,), (2, 3), (1, 0)])
def test_dtypes_and_shapes(dtype: str, shape: tuple[int, ...]) -> None:
    kind = T.TensorType(dtype, (None,) * len(shape))
    a, b = kind("a"), kind("b")
    values = [(np.arange(6).reshape(-1)[: int(np.prod(shape))].reshape(shape) + k).astype(dtype)
              for k in (0, 1)]  # fmt: skip
    f = function([c, a, b], ifelse(c, a, b))
    for flag in (0, 1):
        assert_same(f(flag, *values), values[1 - flag])


def test_views_and_copies_are_independent() -> None:
    (found,) = both([c, W], ifelse(c, W.T, W[:, ::-1]) + ifelse(c, T.dot(W.T, W), W), 1, MATRIX)
    np.testing.assert_allclose(found, MATRIX.T + MATRIX.T @ MATRIX)
    given = VECTOR.copy()
    result = function([c, x], ifelse(c, x, x + 1))(1, given)
    result[0] = 100
    assert given[0] == 1


def test_updates_of_shared_variables() -> None:
    w = shared(np.ones(3), "w")
    step = function([c, x], [], updates=[(w, ifelse(c, w - x * 2, w))])
    step(0, VECTOR)
    np.testing.assert_array_equal(w.get_value(), np.ones(3))
    step(1, VECTOR)
    np.testing.assert_array_equal(w.get_value(), 1 - VECTOR * 2)


# -- derivatives -----------------------------------------------------------------------------------


@pytest.mark.parametrize("flag", [0, 1])
def test_gradients(flag: int) -> None:
    made = ifelse(c, T.exp(T.dot(W, x)), x**2).sum()
    found = both([c, W, x], grad(made, [W, x]), flag, MATRIX, VECTOR)
    slope = np.exp(MATRIX @ VECTOR)
    np.testing.assert_allclose(found[0], np.outer(slope, VECTOR) if flag else 0 * MATRIX)
    np.testing.assert_allclose(found[1], MATRIX.T @ slope if flag else 2 * VECTOR)


@pytest.mark.parametrize("mode", [None, "INTERPRET"])
def test_gradients_are_lazy(mode: str | None) -> None:
    class Noted(symtheano.Op):
        __props__ = ()
        itypes, otypes = [T.dvector], [T.dvector]

        def perform(self, node: Any, inputs: Any, output_storage: Any) -> None:
            ran.append("forward")
            output_storage[0][0] = np.exp(inputs[0])

        def grad(self, inputs: Any, output_grads: Any) -> Any:
            return [noted(inputs[0]) * output_grads[0]]

    f = function([c, x], grad(ifelse(c, Noted()(x * 2), x).sum(), x), mode=mode)
    ran.clear()
    np.testing.assert_array_equal(f(0, VECTOR), np.ones(3))
    assert not ran
    np.testing.assert_allclose(f(1, VECTOR), 2 * np.exp(VECTOR * 2))
    assert "noted" in ran


def test_a_gradient_is_not_spoiled_by_the_other_branch() -> None:
    """The derivative of a square root at zero is infinite; zero times it would be NaN."""
    made = ifelse(x.sum() > 0, T.sqrt(x).sum(), (2 * x).sum())
    np.testing.assert_array_equal(both([x], grad(made, x), np.zeros(2))[0], [2, 2])


def test_gradient_of_a_variable_in_a_branch() -> None:
    inner = T.exp(x)
    found = both([c, x], grad(ifelse(c, inner * 3, x).sum(), [inner, x]), 1, VECTOR)
    np.testing.assert_allclose(found[0], [3, 3, 3])
    np.testing.assert_allclose(found[1], 3 * np.exp(VECTOR))


@pytest.mark.parametrize("flag", [0, 1])
def test_second_and_forward_derivatives(flag: int) -> None:
    made = ifelse(c, T.exp(x), x**3)
    slope, curve = (np.exp(VECTOR),) * 2 if flag else (3 * VECTOR**2, 6 * VECTOR)
    outputs = [hessian(made.sum(), x), Rop(made, x, T.ones_like(x)), jacobian(made, x)]
    found = both([c, x], outputs, flag, VECTOR)
    np.testing.assert_allclose(found[0], np.diag(curve))
    np.testing.assert_allclose(found[1], slope)
    np.testing.assert_allclose(found[2], np.diag(slope))


def test_gradients_of_integers_and_conditions() -> None:
    n = T.lscalar("n")
    made = ifelse(n, x * n, x)
    found = both([n, x], grad(made.sum(), [x, n]), 2, VECTOR)
    np.testing.assert_array_equal(found[0], [2, 2, 2])
    assert found[1] == 0


# -- loops -----------------------------------------------------------------------------------------


def test_in_a_scan() -> None:
    """A step is skipped; the lengths of both branches are only known to be equal in the loop."""
    rows, _ = scan(lambda v, h: ifelse(v > 0, T.tanh(T.dot(W, h) + v), h), x, T.ones(3))
    outputs = [rows, *grad((rows**2).sum(), [x, W])]
    found = both([x, W], outputs, VECTOR, MATRIX)
    state, wanted = np.ones(3), []
    for v in VECTOR:
        state = np.tanh(MATRIX @ state + v) if v > 0 else state
        wanted.append(state)
    np.testing.assert_allclose(found[0], wanted)
    symtheano.verify_grad(
        lambda v, w: (
            scan(lambda row, h, w: ifelse(row > 0, T.tanh(T.dot(w, h) + row), h), v, T.ones(3),
                 non_sequences=w)[0] ** 2
        ).sum(),
        [VECTOR, MATRIX], eps=1e-6,
    )  # fmt: skip


def test_a_state_of_another_length() -> None:
    rows, _ = scan(lambda v, h: ifelse(v > 0, T.dot(W, h), h), x, T.ones(3))
    f = function([x, W], rows)
    np.testing.assert_array_equal(f(-np.abs(VECTOR), MATRIX[:2]), np.ones((3, 3)))
    with pytest.raises(ShapeError, match="length"):
        f(VECTOR, MATRIX[:2])


@pytest.mark.parametrize("flag", [0, 1])
def test_a_scan_in_a_branch(flag: int) -> None:
    sums, _ = scan(lambda v, total: total * v + 1, x, T.constant(0.0, dtype="float64"))
    made = ifelse(c, sums, x)
    found = both([c, x], [made, grad(made.sum(), x)], flag, VECTOR)
    np.testing.assert_array_equal(found[0], [1, -1, -2] if flag else VECTOR)


# -- sparse matrices, batches, files ---------------------------------------------------------------


@pytest.mark.parametrize("flag", [0, 1])
def test_sparse_matrices(flag: int) -> None:
    a, b = sparse.csr_matrix("a"), sparse.csr_matrix("b")
    made = ifelse(c, a * 2, b)
    values = [scipy.sparse.csr_matrix(MATRIX), scipy.sparse.csr_matrix(np.eye(3)[:, :2])]
    found = function([c, a, b], made)(flag, *values)
    np.testing.assert_array_equal(found.toarray(), MATRIX * 2 if flag else np.eye(3)[:, :2])
    with pytest.raises(TypeError, match="ifelse"):
        ifelse(c, a, W)


def test_batches() -> None:
    flags, rows = T.bvector("flags"), T.dmatrix("rows")
    made = ifelse(c, T.exp(x), x * 2)
    (found,) = both([c, rows], vectorize_graph(made, {x: rows}), 1, MATRIX)
    np.testing.assert_allclose(found, np.exp(MATRIX))
    (found,) = both([flags, rows], vectorize_graph(made, {c: flags, x: rows}), [1, 0, 1], MATRIX)
    np.testing.assert_allclose(found, np.where([[1], [0], [1]], np.exp(MATRIX), MATRIX * 2))


def test_pickle_and_json() -> None:
    made = ifelse(c, T.exp(x), x * 2, name="choice")
    (again,) = pickle.loads(pickle.dumps(FunctionGraph([c, x], [made]))).outputs
    assert str(again.owner.op) == "IfElse{choice}"
    graph = FunctionGraph.from_json(FunctionGraph([c, x], [made]).to_json())
    f = function(list(graph.inputs), graph.outputs[0])
    np.testing.assert_allclose(f(1, VECTOR), np.exp(VECTOR))
    g = pickle.loads(pickle.dumps(function([c, x], made)))
    np.testing.assert_array_equal(g(0, VECTOR), VECTOR * 2)


# -- mistakes --------------------------------------------------------------------------------------


def test_numbers_get_the_other_type() -> None:
    assert ifelse(c, s, 0).dtype == "float64"
    assert ifelse(c, T.constant(0.0), s).dtype == "float64"
    with pytest.raises(TypeError, match="cast one of them"):
        ifelse(c, T.iscalar(), 0.5)


def test_wrong_arguments() -> None:
    with pytest.raises(TypeError, match="cast one of them, to float64") as found:
        ifelse(c, x, T.fvector("v"))
    assert "test_ifelse.py" in str(found.value)
    with pytest.raises(TypeError, match="number of dims"):
        ifelse(c, x, W)
    with pytest.raises(TypeError, match="1 dims"):
        ifelse(x, x, y)
    with pytest.raises(ValueError, match="1 expressions"):
        ifelse(c, [x], [x, y])
    with pytest.raises(TypeError, match="3 variables"):
        IfElse(1)(c, x, x, x)


def test_static_lengths() -> None:
    three = T.TensorType("float64", (3,))("three")
    assert ifelse(c, three, x).type.shape == (None,)
    assert ifelse(c, three, three + 1).type.shape == (3,)
    row = T.drow("row")
    (found,) = both([c, row, W], ifelse(c, row, W) + 1, 0, MATRIX[:1], MATRIX)
    np.testing.assert_array_equal(found, MATRIX + 1)


@pytest.mark.needs_cc
def test_gradient_by_a_condition_on_an_element() -> None:
    """Compiling it did not end: a check of x[0] needed a length that x[0] decides."""
    x, g = T.dvector("x"), T.dvector("g")
    y = ifelse(x[0] > 0, x + x, x[::-1])
    f = function([x, g], symtheano.gradient.Lop(y, x, g))
    g_value = np.array([1.0, 2.0, 3.0])
    np.testing.assert_array_equal(f(np.array([1.0, 0.0, 0.0]), g_value), 2 * g_value)
    np.testing.assert_array_equal(f(np.array([-1.0, 0.0, 0.0]), g_value), g_value[::-1])
    with pytest.raises(ValueError, match="length"):
        f(np.array([1.0, 0.0, 0.0]), np.ones(2))

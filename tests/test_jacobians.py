"""jacobian, hessian, hessian_times_vector and subgraph_grad."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import Apply, Lop, Op, function, grad, shared
from symtheano.errors import DisconnectedInputError
from symtheano.gradient import (
    hessian,
    hessian_times_vector,
    jacobian,
    subgraph_grad,
)
from symtheano.tensor.type import TensorType
from tests.support.compare import Array, compiled, count
from tests.support.values import evaluate
from tests.test_gradient import CASES


def rows_by_lop(y: Any, xs: list[Any]) -> tuple[Any, list[Any]]:
    """Return a weight and gradients with it: what each row of a Jacobian is made of."""
    flat = y.flatten() if y.ndim != 1 else y
    weight = flat.type()
    return weight, Lop(flat, xs, weight, disconnected_inputs="ignore")


@pytest.mark.parametrize("name", CASES)
def test_jacobian_of_every_expression_of_the_gradient_tests(name: str) -> None:
    fun, points = CASES[name]
    xs = [TensorType(p.dtype.name, [1 if n == 1 else None for n in p.shape])() for p in points]
    y = T.as_tensor_variable(fun(*xs))
    found = jacobian(y, xs, disconnected_inputs="ignore")
    values = function(xs, [y, *found], mode="INTERPRET", on_unused_input="ignore")(*points)
    result, *matrices = values
    if y.ndim == 0:
        want = function(xs, grad(y, xs), mode="INTERPRET", on_unused_input="ignore")(*points)
    else:
        weight, pulled = rows_by_lop(y, xs)
        one = function([weight, *xs], pulled, mode="INTERPRET", on_unused_input="ignore")
        rows = [one(unit, *points) for unit in np.eye(result.size)]
        want = [np.stack(column) for column in zip(*rows, strict=True)]
    for got, expected, point in zip(matrices, want, points, strict=True):
        assert got.shape == (*result.shape, *point.shape)
        np.testing.assert_allclose(got, expected.reshape(got.shape), 1e-9, 1e-12)
        count("gradients", got.size)


@pytest.mark.needs_cc
def test_jacobian_in_c() -> None:
    A, x, s = T.matrix("A"), T.vector("x"), T.scalar("s")
    y = T.tanh(T.dot(A, x) * s)
    f = compiled([A, x, s], [*jacobian(y, [A, x, s]), hessian((y**2).sum(), x)])
    generator = np.random.default_rng(0)
    a, v, c = generator.uniform(size=(3, 4)), generator.uniform(size=4), 0.7
    by_matrix, by_vector, by_number, second = f(a, v, c)
    value = np.tanh(a @ v * c)
    slope = 1 - value**2
    np.testing.assert_allclose(by_vector, slope[:, None] * a * c)
    np.testing.assert_allclose(by_number, slope * (a @ v))
    want = np.einsum("ij,i,k->ijk", np.eye(3), slope * c, v)
    np.testing.assert_allclose(by_matrix, want)
    inner = 2 * slope * (slope - 2 * value**2) * c**2
    np.testing.assert_allclose(second, np.einsum("i,ij,ik->jk", inner, a, a), 1e-9)


def test_the_form_of_the_result_follows_wrt() -> None:
    x, y = T.vectors("x", "y")
    z = x * y
    assert isinstance(jacobian(z, [x]), list)
    assert isinstance(jacobian(z, (x, y)), tuple)
    assert jacobian(z, x).type == TensorType("float64", (None, None))
    assert isinstance(hessian(z.sum(), [x, y]), list)
    assert isinstance(hessian(z.sum(), (x, y)), tuple)


def test_arrays_of_any_dims() -> None:
    x = T.matrix("x")
    found = jacobian(x.T * 2, x)
    assert found.ndim == 4
    value = evaluate(found, x=np.zeros((2, 3)))
    np.testing.assert_array_equal(value, 2 * np.einsum("il,jk->ijkl", np.eye(3), np.eye(2)))
    number = jacobian(x.sum(), x)
    np.testing.assert_array_equal(evaluate(number, x=np.zeros((2, 3))), np.ones((2, 3)))
    second = hessian((x**3).sum(), x)
    np.testing.assert_array_equal(np.shape(evaluate(second, x=np.ones((2, 1)))), (2, 1, 2, 1))


def test_constant_rows_and_empty_arrays() -> None:
    x, y = T.vectors("x", "y")
    expression = x * 2 + T.zeros_like(x)
    value = evaluate(jacobian(expression, x), x=[1.0, 2.0])
    np.testing.assert_array_equal(value, 2 * np.eye(2))
    zero = jacobian(x * 2, y, disconnected_inputs="ignore")
    np.testing.assert_array_equal(evaluate(zero, x=[1.0, 2], y=[1.0, 2, 3]), np.zeros((2, 3)))
    with pytest.raises(DisconnectedInputError):
        jacobian(x * 2, y)
    with pytest.warns(UserWarning, match="does not depend on y"):
        jacobian(x * 2, y, disconnected_inputs="warn")
    assert evaluate(jacobian(x * 2, x), x=np.zeros(0)).shape == (0, 0)
    held = jacobian(x * y, x, consider_constant=[y])
    np.testing.assert_array_equal(evaluate(held, x=[1.0, 2], y=[3.0, 4]), np.diag([3, 4]))
    linear = hessian(x.sum(), x)
    np.testing.assert_array_equal(evaluate(linear, x=[1.0, 2]), np.zeros((2, 2)))


def test_jacobian_by_discrete_variables_is_a_float() -> None:
    n, x = T.lvector("n"), T.vector("x")
    found = jacobian(x * n, n)
    assert found.dtype == "float64"
    np.testing.assert_array_equal(evaluate(found, x=[1.0, 2.0], n=[1, 2]), np.diag([1.0, 2.0]))


def test_jacobian_by_shared_variables() -> None:
    w = shared(np.array([1.0, 2.0]), "w")
    x = T.vector("x")
    np.testing.assert_array_equal(
        evaluate(jacobian(w**2 * x, w), x=[1.0, 10.0]), [[2.0, 0.0], [0.0, 40.0]]
    )


def test_what_is_not_real_and_continuous_is_refused() -> None:
    with pytest.raises(TypeError, match=r"int64 and must be a real float"):
        jacobian(T.lvector("n"), T.vector("x"))
    with pytest.raises(TypeError, match=r"take the Jacobian of its real\(\)"):
        jacobian(T.zvector("z"), T.vector("x"))


def test_jacobians_through_linear_algebra_and_counts() -> None:
    A, b, w = T.matrix("A"), T.vector("b"), T.vector("w")
    generator = np.random.default_rng(1)
    a, c, v = generator.uniform(size=(3, 3)) + 3 * np.eye(3), generator.uniform(size=3), [1.0, 2, 4]
    solution, inverse = T.slinalg.solve(A, b), T.nlinalg.matrix_inverse(A)
    counts = T.bincount(np.array([2, 0, 2]), w)
    outputs = [
        *jacobian(solution, [A, b]), jacobian(inverse, A), jacobian(counts, w),
        hessian((counts**3).sum(), w), hessian((solution**2).sum(), b),
    ]  # fmt: skip
    by_matrix, by_right, by_inverse, by_weight, bent, second = evaluate(
        outputs, A=a, b=c, w=np.array(v)
    )
    i = np.linalg.inv(a)
    np.testing.assert_allclose(by_right, i)
    np.testing.assert_allclose(by_matrix, -np.einsum("ij,k->ijk", i, i @ c))
    np.testing.assert_allclose(by_inverse, -np.einsum("ij,kl->iljk", i, i))
    np.testing.assert_array_equal(by_weight, [[0, 1, 0], [0, 0, 0], [1, 0, 1]])
    np.testing.assert_allclose(bent, [[30, 0, 30], [0, 12, 0], [30, 0, 30]])
    np.testing.assert_allclose(second, 2 * i.T @ i)


class Cubes(Op):
    """A user's op whose gradient runs as Python too, and can't work on batches."""

    __props__ = ("order",)

    def __init__(self, order: int = 0) -> None:
        self.order = order

    def make_node(self, *inputs: Any) -> Apply:
        x = T.as_tensor_variable(inputs[0])
        return Apply(self, [x], [x.type()])

    def perform(self, node: Apply, inputs: Any, output_storage: list[list[Any]]) -> None:
        (x,) = inputs
        output_storage[0][0] = [x**3, 3 * x**2, 6 * x][self.order]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        return [shapes[0]]

    def grad(self, inputs: list[Any], output_grads: list[Any]) -> list[Any]:
        (x,), (g,) = inputs, output_grads
        return [Cubes(self.order + 1)(x) * g]


def test_ops_without_batches_are_unrolled_where_the_length_is_known() -> None:
    x = T.vector("x")
    with pytest.raises(NotImplementedError, match="the rows can't be computed together") as e:
        jacobian(Through()(x), x)
    assert "specify_shape" in str(e.value)
    known = jacobian(T.specify_shape(Through()(x), (3,)), x)
    np.testing.assert_array_equal(evaluate(known, x=[1.0, 2, 3]), np.diag([2.0, 2, 2]))
    empty = jacobian(T.specify_shape(Through()(x), (0,)), x)
    assert evaluate(empty, x=np.zeros(0)).shape == (0, 0)
    # What depends on the row does not go through this op.
    found = jacobian(Cubes()(x), x)
    np.testing.assert_array_equal(evaluate(found, x=[1.0, 2.0]), np.diag([3.0, 12.0]))
    np.testing.assert_array_equal(
        evaluate(hessian(Cubes()(x).sum(), x), x=[1.0, 2.0]), np.diag([6.0, 12.0])
    )


class Through(Cubes):
    """Twice x, by an op whose gradient is the op itself."""

    def perform(self, node: Apply, inputs: Any, output_storage: list[list[Any]]) -> None:
        output_storage[0][0] = inputs[0] * 2

    def grad(self, inputs: list[Any], output_grads: list[Any]) -> list[Any]:
        return [self(output_grads[0])]


# -- products with the Hessian ---------------------------------------------------------------------


@pytest.mark.parametrize("r_op", [False, True])
def test_hessian_times_vector(r_op: bool) -> None:
    x, y, v, w = T.vectors("x", "y", "v", "w")
    cost = (T.exp(x) * y**2).sum() * x.sum()
    given: dict[str, Array] = {
        "x": np.array([0.1, 0.2]), "y": np.array([0.3, 0.5]),
        "v": np.array([1.0, -2.0]), "w": np.array([0.5, 0.7]),
    }  # fmt: skip
    slope = grad(cost, x)
    product = evaluate(hessian_times_vector(slope, x, v, r_op), **given)
    matrix = evaluate(hessian(cost, x), **given)
    np.testing.assert_allclose(product, matrix @ given["v"])
    slopes = grad(cost, [x, y])
    both = evaluate(hessian_times_vector(slopes, [x, y], [v, w], r_op), **given)
    blocks = [[evaluate(jacobian(g, p), **given) for p in (x, y)] for g in slopes]
    whole = np.block(blocks) @ np.concatenate([given["v"], given["w"]])
    np.testing.assert_allclose(np.concatenate(both), whole)
    with pytest.raises(ValueError, match="1 gradients and 2 vectors for 1 param"):
        hessian_times_vector([slope], [x], [v, w])


# -- parts of a graph --------------------------------------------------------------------------


def test_subgraph_grad_in_pieces() -> None:
    x, t = T.vectors("x", "t")
    w1, w2 = T.matrices("w1", "w2")
    hidden = T.tanh(T.dot(w1, x))
    output = T.dot(w2, hidden)
    cost = ((output - t) ** 2).sum()
    generator = np.random.default_rng(0)
    given = {
        "x": generator.uniform(size=2), "t": generator.uniform(size=2),
        "w1": generator.uniform(size=(3, 2)), "w2": generator.uniform(size=(2, 3)),
    }  # fmt: skip
    (), (above,) = subgraph_grad([], [output], cost=cost)
    (d2,), (middle,) = subgraph_grad([w2], [hidden], start={output: above})
    (d1,), (below,) = subgraph_grad([w1], [x], start={hidden: middle})
    got = evaluate([d1, d2, below], **given)
    want = evaluate(grad(cost, [w1, w2, x]), **given)
    for mine, its in zip(got, want, strict=True):
        np.testing.assert_allclose(mine, its)


def test_subgraph_grad_adds_start_and_cost() -> None:
    x, w = T.scalars("x", "w")
    hidden = w * x
    cost = hidden**2
    found = subgraph_grad([w], [x], start={hidden: T.constant(5.0)}, cost=cost, details=True)
    dw, dx, from_start, from_cost = found
    assert [evaluate(g, x=2.0, w=3.0) for g in (*dw, *dx)] == [2 * 12 + 10, 3 * 12 + 15]
    assert [evaluate(g, x=2.0, w=3.0) for g in from_start] == [10, 15]
    assert [evaluate(g, x=2.0, w=3.0) for g in from_cost] == [24, 36]
    assert subgraph_grad([w], [x], cost=cost, details=True)[2] is None
    with pytest.raises(ValueError, match="neither a cost nor start"):
        subgraph_grad([w], [x])


@pytest.mark.parametrize("r_op", [False, True])
def test_hessian_times_vector_takes_gradients_only(r_op: bool) -> None:
    x, m, s = T.dvector("x"), T.dmatrix("m"), T.dscalar("s")
    cost = (x**3).sum()
    with pytest.raises(ValueError, match=r"hint: .*grad\(cost, x\), x, vector\)"):
        hessian_times_vector(cost, x, x, r_op)
    with pytest.raises(ValueError, match="have 1, 1 and 0 dims"):
        hessian_times_vector(grad(cost, x), x, s, r_op)
    with pytest.raises(ValueError, match="have 1, 1 and 2 dims"):
        hessian_times_vector([grad(cost, x)], [x], [m], r_op)
    slope = grad(s**3, s)
    product = hessian_times_vector(slope, s, 2.0, r_op)
    assert evaluate(product, s=3.0) == 36.0

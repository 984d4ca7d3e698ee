"""grad, Lop and Rop: every op against finite differences, and what steers gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import Lop, Rop, dtypes, function, grad
from symtheano.errors import DisconnectedInputError, NullTypeGradError
from symtheano.function.verify import verify_grad, verify_rop
from symtheano.gradient import (
    ConsiderConstant,
    DisconnectedGrad,
    UndefinedGrad,
    ZeroGrad,
    consider_constant,
    consider_constant_,
    disconnected_grad,
    disconnected_grad_,
    disconnected_type,
    format_as,
    grad_clip,
    grad_scale,
    null_type,
    undefined_grad,
    undefined_grad_,
    zero_grad,
    zero_grad_,
)
from symtheano.graph.op import Op
from symtheano.graph.type import DisconnectedType, NullType
from symtheano.graph.variable import Apply
from symtheano.scalar import table as scalar
from symtheano.scalar.row import ScalarOp
from symtheano.scalar.table import TABLE
from symtheano.tensor.elemwise import elemwise
from symtheano.tensor.type import TensorType
from tests.support.compare import Array, compiled, count
from tests.support.gradients import Case, check_derivatives, compare_derivatives
from tests.support.values import evaluate

RANDOM = np.random.default_rng(0)


def uniform(*shape: int, low: float = -1.0, high: float = 1.0) -> Array:
    """Return random numbers."""
    return RANDOM.uniform(low, high, shape)


# -- scalar ops ----------------------------------------------------------------------------------

# The exponent of ldexp and the condition of switch are discrete.
DISCRETE = {("switch", 0): "bool", ("ldexp", 1): "int32"}


def operands_of(row: ScalarOp, dtype: str) -> list[Array] | None:
    """Return operands in the row's domain; None where it has no signature for the dtype."""
    generator = np.random.default_rng(7)
    domains = row.domain if isinstance(row.domain[0], tuple) else (row.domain,) * row.nin
    values = []
    for position, (low, high) in enumerate(domains):
        drawn: Any = generator.uniform(low, high, 12)
        kind = DISCRETE.get((row.name, position), dtype)
        if dtypes.is_complex(kind):
            drawn = 0.3 * drawn + 0.4j + 0.2j * generator.uniform(-1, 1, 12)
        values.append(drawn > 0.5 if kind == "bool" else np.asarray(drawn).astype(kind))
    try:
        row.signature(tuple(value.dtype.name for value in values))
    except TypeError:
        return None
    return values


HOLOMORPHIC = {row.name for row in TABLE.values() if row.derivative is not None} | set(
    "add sub mul true_div neg abs sgn pow switch second identity conj real imag angle".split()
)


@pytest.mark.needs_cc
@pytest.mark.parametrize("dtype", ["float64", "float32", "complex128"])
def test_every_row(dtype: str) -> None:
    rows = [row for row in TABLE.values() if row.derivative or row.pullback]
    if dtypes.is_complex(dtype):
        rows = [row for row in rows if row.name in HOLOMORPHIC]
    cases = [(row, values) for row in rows if (values := operands_of(row, dtype)) is not None]
    inputs: list[Any] = []
    outputs: list[Any] = []
    asked: list[tuple[ScalarOp, list[Array], int]] = []
    for row, values in cases:
        operands = [TensorType(value.dtype.name, (None,))() for value in values]
        inputs += operands
        y = elemwise(row)(*operands)
        cost = (scalar.real(y) + (scalar.imag(y) if dtypes.is_complex(y.dtype) else 0)).sum()
        for position, operand in enumerate(operands):
            (found,) = grad(cost, [operand], disconnected_inputs="ignore", null_gradients="return")
            if dtypes.is_continuous(operand.dtype) and not isinstance(found.type, NullType):
                outputs.append(found)
                asked.append((row, values, position))
    f = compiled(inputs, outputs)
    results = f(*(value for _, values in cases for value in values))
    assert len(asked) > (40 if dtypes.is_complex(dtype) else 90)
    for (row, values, position), got in zip(asked, results, strict=True):
        want = differences(row, values, position)
        tolerance = 1e-3 if dtype == "float32" else 2e-5
        np.testing.assert_allclose(got, want, tolerance, tolerance, err_msg=row.name)
        count("gradients", got.size)


def differences(row: ScalarOp, values: list[Array], position: int) -> Array:
    """Return the derivative of a row by central differences in double precision."""
    wide = {"f": "float64", "c": "complex128"}
    exact = [value.astype(wide.get(value.dtype.kind, value.dtype)) for value in values]

    def slope(direction: complex) -> Array:
        ends = []
        for side in (1e-6, -1e-6):
            moved = list(exact)
            moved[position] = exact[position] + side * direction
            y = row.numpy(*moved)
            ends.append(np.real(y) + np.imag(y))
        return np.asarray((ends[0] - ends[1]) / 2e-6)

    return slope(1) + 1j * slope(1j) if values[position].dtype.kind == "c" else slope(1)


# -- structure ops -------------------------------------------------------------------------------

INDEX = np.array([0, 2, -1, 0])
MASK = np.array([[True, False, True], [False, True, True]])

CASES: dict[str, tuple[Callable[..., Any], list[Array]]] = {
    "sum": (lambda x: x.sum(), [uniform(2, 3)]),
    "sum over axes": (lambda x: x.sum((0, 2)) * x.sum(1).sum(), [uniform(2, 3, 2)]),
    "sum, keepdims": (lambda x: x.sum(1, keepdims=True) * x, [uniform(2, 3)]),
    "prod": (lambda x: x.prod(1), [uniform(3, 3)]),
    "prod with zeros": (lambda x: x.prod(1), [np.array([[1.0, 0, 2], [0, 0, 3], [1, 2, 3]])]),
    "prod of all": (lambda x: x.prod(), [uniform(2, 3, low=0.5)]),
    "max": (lambda x: x.max(1), [uniform(3, 4)]),
    "min": (lambda x: x.min(0) * x.min(), [uniform(3, 4)]),
    "mean, var, std": (lambda x: x.mean(0) + x.var(0) * x.std(0), [uniform(4, 3)]),
    "var with ddof": (lambda x: x.var(1, ddof=1), [uniform(2, 4)]),
    "norms": (lambda x: x.norm(1, 0) + x.norm(2, 0) + x.norm(3, 0), [uniform(3, 2, low=0.2)]),
    "norm of order inf": (lambda x: x.norm(np.inf, 1), [uniform(3, 4)]),
    "ptp": (lambda x: T.ptp(x, 1), [uniform(3, 4)]),
    "broadcasting": (
        lambda x, y, z: x * y.dimshuffle(0, "x") - z / x,
        [uniform(3, 2, low=1, high=2), uniform(3), uniform(2)],
    ),
    "static ones": (lambda x, y: T.exp(x) * y, [uniform(3, 1), uniform(1, 2)]),
    "a number repeated": (lambda s, x: s * x + T.tanh(s), [uniform(), uniform(2, 3)]),
    "dimshuffle": (
        lambda x: x.dimshuffle(2, "x", 0, 1) * x.T.dimshuffle(0, "x", 2, 1),
        [uniform(2, 3, 2)],
    ),
    "drop and insert": (lambda x: x.dimshuffle(1) * x[:, 0], [uniform(1, 1)]),
    "reshape": (lambda x: x.reshape((3, -1)) * x.flatten()[:2], [uniform(2, 3)]),
    "specify_shape": (lambda x: T.specify_shape(x, (2, None)) ** 2, [uniform(2, 3)]),
    "slices": (lambda x: x[1:, ::-1] * x[:-1] + x[0, 1], [uniform(3, 3)]),
    "negative steps": (lambda x: x[::-2] * x[-1:0:-1][:2] + x[::3], [uniform(4)]),
    "one item": (lambda x: x[1, -1] * x[0], [uniform(2, 3)]),
    "new axes": (lambda x: x[:, None] * x[None], [uniform(3)]),
    "set_subtensor": (lambda x, y: T.set_subtensor(x[1:, 0], y) ** 2, [uniform(3, 2), uniform(2)]),
    "set to a number": (
        lambda x, s: T.set_subtensor(x[:, ::2], s) ** 2,
        [uniform(2, 3), uniform()],
    ),
    "inc_subtensor": (lambda x, y: T.inc_subtensor(x[::-1], y) ** 2, [uniform(3, 2), uniform(2)]),
    "gather": (lambda x: x[INDEX] ** 2, [uniform(3, 2)]),
    "gather from columns": (lambda x: x[:, INDEX] ** 2 * x[1, 0], [uniform(2, 3)]),
    "gather pairs": (lambda x: x[INDEX, INDEX[::-1].copy()] ** 2, [uniform(3, 3)]),
    "scatter": (lambda x, y: T.inc_subtensor(x[INDEX], y) ** 2, [uniform(3, 2), uniform(4, 2)]),
    "scatter to set": (
        lambda x, y: T.set_subtensor(x[[0, 2]], y) ** 2,
        [uniform(3, 2), uniform(2, 2)],
    ),
    "take": (lambda x: T.take(x, INDEX, axis=1) + T.take(x, INDEX), [uniform(2, 3)]),
    "dot of matrices": (T.dot, [uniform(2, 3), uniform(3, 2)]),
    "dot of matrix and vector": (
        lambda a, v: T.dot(a, v) * T.dot(v, a.T),
        [uniform(2, 3), uniform(3)],
    ),
    "dot of vectors": (lambda v, w: T.dot(v, w) * v, [uniform(3), uniform(3)]),
    "dot with number": (lambda s, v: T.dot(s, v), [uniform(), uniform(3)]),
    "dot of transposed": (lambda a, b: T.dot(a.T, b[::-1].T) + 1, [uniform(3, 2), uniform(2, 3)]),
    "dot of more dims": (lambda a, b: T.dot(a, b), [uniform(2, 2, 3), uniform(3, 2)]),
    "gram": (lambda a: T.dot(a, a.T), [uniform(2, 3)]),
    "outer": (lambda v, w: T.outer(v, w), [uniform(2), uniform(3)]),
    "tensordot": (
        lambda a, b: T.tensordot(a, b, [[0, 2], [1, 0]]),
        [uniform(2, 3, 2), uniform(2, 2, 2)],
    ),
    "batched_dot": (T.batched_dot, [uniform(2, 2, 3), uniform(2, 3, 2)]),
    "batched_dot with vector": (T.batched_dot, [uniform(2, 2, 3), uniform(2, 3)]),
    "alloc": (lambda s, v: T.alloc(s, 2, 3) * T.alloc(v, 2, 3), [uniform(), uniform(3)]),
    "fill": (lambda x, s: T.fill(x, s) * x, [uniform(2, 2), uniform()]),
    "join": (lambda a, b: T.concatenate([a, b, a], 1) ** 2, [uniform(2, 2), uniform(2, 1)]),
    "stack": (lambda a, b: T.stack([a, b], 1) ** 2, [uniform(2), uniform(2)]),
    "arange": (lambda a: T.arange(a, a + 2.5, 1.0) * a, [uniform()]),
    "vector of numbers": (lambda s: T.stack([s, s * s, 1.0]) * s, [uniform()]),
    "softmax": (lambda x: T.nnet.softmax(x), [uniform(2, 3)]),
    "softmax over rows": (lambda x: T.nnet.softmax(x, 0) * x, [uniform(2, 3)]),
    "logsoftmax": (lambda x: T.nnet.logsoftmax(x), [uniform(2, 3)]),
    "logsumexp": (lambda x: T.logsumexp(x, 1) * T.logsumexp(x), [uniform(2, 3)]),
    "switch": (lambda x, y: T.switch(MASK, x, y * x), [uniform(2, 3), uniform(2, 3)]),
    "relu and elu": (lambda x: T.nnet.relu(x, 0.3) + T.nnet.elu(x), [uniform(3, 3)]),
    "hard_sigmoid": (lambda x: T.nnet.hard_sigmoid(3 * x), [uniform(3, 3)]),
    "crossentropy of labels": (
        lambda x: T.nnet.categorical_crossentropy(T.nnet.softmax(x), np.array([0, 2])),
        [uniform(2, 3)],
    ),
    "crossentropy": (
        lambda x: T.nnet.categorical_crossentropy(T.nnet.softmax(x), np.full((2, 3), 1 / 3)),
        [uniform(2, 3)],
    ),
    "binary crossentropy": (
        lambda x, t: T.nnet.binary_crossentropy(T.nnet.sigmoid(x), t),
        [uniform(3), uniform(3, low=0.1)],
    ),
    "binary crossentropy of logits": (
        lambda x: T.nnet.sigmoid_binary_crossentropy(x, 0.3),
        [uniform(3)],
    ),
    "layer norm": (
        lambda x: (x - x.mean(1, keepdims=True)) / (x.std(1, keepdims=True) + 0.1),
        [uniform(3, 4)],
    ),
    "casts": (lambda x: T.cast(T.cast(x, "complex128").real, "float64") * x, [uniform(3)]),
    "copies": (lambda x: x.copy() * x + x, [uniform(3)]),
    "one path to a constant": (lambda x: x * zero_grad(T.zeros_like(x)) + x, [uniform(3)]),
}


@pytest.mark.parametrize("name", CASES)
def test_structure_ops(name: str) -> None:
    fun, points = CASES[name]
    verify_grad(fun, points, n_tests=1, mode="INTERPRET")
    count("gradients", sum(point.size for point in points))


@pytest.mark.needs_cc
@pytest.mark.parametrize("part", range(4))
def test_structure_ops_compiled_together(part: int) -> None:
    compare_derivatives(list(CASES.values())[part::4], forward=False)


# arange has none; what is behind max, prod and norms is covered by the pullback.
WITHOUT_ROP = {"arange"}


@pytest.mark.parametrize("name", [name for name in CASES if name not in WITHOUT_ROP])
def test_rop_is_the_transpose_of_lop(name: str) -> None:
    fun, points = CASES[name]
    verify_rop(fun, points, mode="INTERPRET")
    count("gradients", sum(point.size for point in points))


@pytest.mark.needs_cc
@pytest.mark.parametrize("dtype", ["float32", "float16", "complex128"])
def test_other_dtypes(dtype: str) -> None:
    cases = []
    for name in ("sum over axes", "broadcasting", "dot of matrices", "gather", "set_subtensor",
                 "join", "reshape"):  # fmt: skip
        fun, points = CASES[name]
        typed = [point.astype(dtype) for point in points]
        if dtypes.is_complex(dtype):
            typed = [point + 0.3j * point[::-1] for point in typed]
        verify_grad(fun, typed, n_tests=1, mode="INTERPRET")
        count("gradients", sum(point.size for point in points))
        cases.append((fun, typed))
    compare_derivatives(cases, forward=False, tolerance=None)


@pytest.mark.needs_cc
def test_second_derivatives() -> None:
    cases: list[Case] = [
        (lambda x, fun=fun: grad(fun(x).sum(), x), [uniform(4)])
        for fun in (T.tanh, T.exp, lambda x: x**3, T.nnet.sigmoid, lambda x: T.nnet.softmax(x)[0])
    ]
    cases.append((lambda x: grad(T.logsumexp(T.dot(x, x.T)), x), [uniform(2, 3)]))
    check_derivatives(cases)


# -- what steers gradients -----------------------------------------------------------------------


def value(output: Any, **given: Any) -> Any:
    """Return an output's value, the inputs given by name."""
    return np.asarray(evaluate(output, **given)).tolist()


def test_where_gradients_start() -> None:
    x, y = T.vector("x"), T.vector("y")
    mid = x**2
    cost = (mid * y).sum()
    known = grad(None, x, known_grads={mid: y})
    assert value(known, x=[1.0, 2], y=[3.0, 4]) == [6, 16]
    both = grad(cost, x, known_grads={mid: T.ones_like(mid)})
    assert value(both, x=[1.0, 2]) == [2, 4]
    with pytest.raises(TypeError, match="must be a scalar"):
        grad(mid, x)
    with pytest.raises(TypeError, match="must be a real float"):
        grad(T.lvector("n").sum(), x)
    with pytest.raises(ValueError, match="neither a cost nor known_grads"):
        grad(None, x)
    with pytest.raises(TypeError, match="not a symbolic array"):
        grad(3.0, x)
    with pytest.raises(ValueError, match="the given gradient has 0 dims, but its variable has 1"):
        grad(None, x, known_grads={mid: T.scalar("s")})
    with pytest.raises(NullTypeGradError, match="the cost is undefined: really"):
        grad(NullType("really")(), x)


def test_given_gradients() -> None:
    x, y = T.vector("x"), T.vector("y")
    mid = x**2
    whole = grad(None, x, known_grads={mid: np.array([1, 2])})
    assert value(whole, x=[3.0, 4]) == [6, 16]
    # What is known of mid is all of its gradient; the cost adds nothing through it.
    cost = (mid * y).sum() + (x * 10).sum()
    both = grad(cost, [x, mid], known_grads={mid: T.ones_like(mid)})
    assert value(both[0], x=[1.0, 2]) == [12, 14]
    assert value(both[1], x=[1.0, 2]) == [1, 1]
    lost = {mid: disconnected_type()}
    with pytest.raises(DisconnectedInputError):
        grad(None, x, known_grads=lost)
    with pytest.raises(NullTypeGradError, match="why not"):
        grad(None, x, known_grads={mid: NullType("why not")()})


def test_the_form_of_the_result_follows_wrt() -> None:
    x, y = T.scalars("x", "y")
    cost = x * y
    cost.name = "cost"
    assert isinstance(grad(cost, [x, y]), list)
    assert isinstance(grad(cost, (x, y)), tuple)
    assert grad(cost * 2, x).type == x.type
    assert grad((x * T.exp(y)) ** 2, [x])[0].type == x.type
    assert value(grad(x * 1.0, x, add_names=False)) == 1
    square = x**2
    square.name = "square"
    assert grad(square, x).name == "(dsquare/dx)"
    assert value(grad(x, x)) == 1


def test_disconnected_inputs() -> None:
    x, y = T.vector("x"), T.vector("y")
    cost = (x**2).sum()
    with pytest.raises(DisconnectedInputError, match="does not depend on y"):
        grad(cost, [x, y])
    with pytest.warns(UserWarning, match="does not depend on y"):
        grad(cost, y, disconnected_inputs="warn")
    zero = grad(cost, y, disconnected_inputs="ignore")
    assert value(zero, y=[1.0, 2]) == [0, 0]
    assert grad(cost, y, disconnected_inputs="ignore", return_disconnected="None") is None
    lost = grad(cost, y, disconnected_inputs="ignore", return_disconnected="Disconnected")
    assert isinstance(lost.type, DisconnectedType)
    for options in (
        {"disconnected_inputs": "maybe"},
        {"null_gradients": "ignore"},
        {"disconnected_inputs": "ignore", "return_disconnected": "one"},
    ):
        with pytest.raises(ValueError, match="is not one of"):
            grad(cost, y, **options)  # type: ignore[arg-type]
    for through in (x.shape[0] * 1.0, T.cast(x.shape.sum(), "float64")):
        with pytest.raises(DisconnectedInputError):
            grad(through, x)


def test_paths_that_carry_nothing() -> None:
    x, y = T.vector("x"), T.vector("y")
    for constant in (zero_grad, consider_constant):
        assert value(grad((constant(x) * x).sum(), x), x=[2.0, 3]) == [2, 3]
        assert value(grad(constant(x).sum(), x), x=[2.0, 3]) == [0, 0]
    assert value(grad((disconnected_grad(x) * x).sum(), x), x=[2.0, 3]) == [2, 3]
    with pytest.raises(DisconnectedInputError):
        grad(disconnected_grad(x).sum(), x)
    mid = x * y
    cost = (mid * x).sum()
    assert value(grad(cost, x, consider_constant=[mid]), x=[1.0, 2], y=[3.0, 4]) == [3, 8]
    assert value(grad(cost, x), x=[1.0, 2], y=[3.0, 4]) == [6, 16]
    # A constant has a gradient of its own; it goes no further.
    at_border = grad(cost, [mid, x], consider_constant=[mid])
    assert value(at_border[0], x=[1.0, 2], y=[3.0, 4]) == [1, 2]
    assert value(at_border[1], x=[1.0, 2], y=[3.0, 4]) == [3, 8]
    with pytest.raises(DisconnectedInputError):
        grad(mid.sum(), x, consider_constant=mid)
    with pytest.raises(TypeError, match=r"consider_constant contains float 3\.0"):
        grad(cost, x, consider_constant=[3.0])
    assert value(grad_clip(x, -1, 1), x=[5.0]) == [5]
    clipped = grad((grad_clip(x, -1, 2) * y).sum(), x)
    assert value(clipped, x=[1.0] * 3, y=[-5.0, 1.5, 5]) == [-1, 1.5, 2]
    assert value(grad(grad_scale(x, -0.5).sum(), x), x=[1.0, 2]) == [-0.5, -0.5]
    assert value(grad(T.sum(x > 0) * 1.0, x), x=[1.0, 2]) == [0, 0]


def test_discrete_inputs_have_float_gradients() -> None:
    n, x = T.lvector("n"), T.vector("x")
    cost = (n * x).sum()
    of_n, found = grad(cost, [n, x])
    assert of_n.dtype == "float64"
    assert value(of_n, n=[1, 2], x=[1.5, 2.5]) == [1.5, 2.5]
    assert value(found, n=[1, 2], x=[1.0, 1]) == [1, 2]
    assert value(grad(T.cast(x, "int64").sum() * x.sum(), x), x=[1.7, 2.2]) == [3, 3]


def test_undefined_gradients() -> None:
    x = T.vector("x")
    cost = T.jv(x, 2.0).sum()
    with pytest.raises(NullTypeGradError, match="is undefined"):
        grad(cost, x)
    assert isinstance(grad(cost, x, null_gradients="return").type, NullType)
    with pytest.raises(NullTypeGradError, match="undefined for input 0 of UndefinedGrad"):
        grad(undefined_grad(x).sum(), x)
    with pytest.raises(NullTypeGradError, match="undefined for input 0 of UndefinedGrad"):
        Rop(undefined_grad(x), x, x)
    assert value(undefined_grad(x), x=[2.0]) == [2]
    order = T.scalar("order")
    with pytest.raises(NullTypeGradError, match="is undefined"):
        grad(T.jv(order, T.exp(order)), order)


def test_theanos_names_for_ops_and_types() -> None:
    x = T.vector("x")
    for op, cls in (
        (consider_constant_, ConsiderConstant),
        (zero_grad_, ZeroGrad),
        (disconnected_grad_, DisconnectedGrad),
        (undefined_grad_, UndefinedGrad),
    ):
        assert isinstance(op, cls)
        assert value(op(x), x=[1.0, 2]) == [1, 2]
    assert isinstance(disconnected_type().type, DisconnectedType)
    assert isinstance(null_type().type, NullType)


def test_format_as() -> None:
    assert format_as(True, False, (1, 2)) == [1, 2]
    assert format_as(False, True, [1]) == (1,)
    assert format_as(False, False, [1]) == 1
    with pytest.raises(ValueError, match="2 outputs are neither a list nor a tuple"):
        format_as(False, False, [1, 2])
    with pytest.raises(ValueError, match="can't both be true"):
        format_as(True, True, [1])


def test_gradients_of_one_variable_used_often() -> None:
    x = T.scalar("x")
    y = x
    for _ in range(300):
        y = y + T.sin(y) * 0.01
    assert np.isfinite(value(grad(y, x), x=0.3))
    total = sum((x * k for k in range(50)), T.constant(0.0))
    assert value(grad(total, x)) == sum(range(50))


# -- Lop and Rop ---------------------------------------------------------------------------------


def test_lop_and_rop_of_several() -> None:
    x, y = T.vector("x"), T.vector("y")
    u, v, w = T.vector("u"), T.vector("v"), T.scalar("w")
    outs = [x * y, (x**2).sum()]
    back = Lop(outs, [x, y], [v, w])
    f = function([x, y, v, w], back, mode="INTERPRET")
    a, b, c = np.array([1.0, 2]), np.array([3.0, 4]), np.array([5.0, 6])
    np.testing.assert_allclose(f(a, b, c, 10.0), [c * b + 20 * a, c * a])
    ahead = Rop(outs, [x, y], [u, v])
    g = function([x, y, u, v], ahead, mode="INTERPRET")
    first, second = g(a, b, c, b)
    np.testing.assert_allclose(first, c * b + a * b)
    np.testing.assert_allclose(second, 2 * (a * c).sum())
    assert not isinstance(Rop(x * 2, x, u), list)
    with pytest.raises(ValueError, match="2 outputs, but 1 evaluation points"):
        Lop(outs, x, [v])
    with pytest.raises(ValueError, match="1 variables, but 2 evaluation points"):
        Rop(outs, x, [u, v])
    with pytest.raises(DisconnectedInputError):
        Rop(y * 2, x, u)
    twice = Lop([x, x], x, [v, v * 2])
    assert value(twice, v=[1.0, 2]) == [3, 6]


def test_lop_of_outputs_that_depend_on_each_other() -> None:
    x = T.vector("x")
    first = x**2
    second = first * 3
    found = Lop([first, second], x, [T.ones_like(x), T.ones_like(x)])
    assert value(found, x=[1.0, 2]) == [8, 16]
    assert value(Lop([second, first], first, [x, x]), x=[1.0, 2]) == [4, 8]


def test_forms_and_fits_of_lop_and_rop() -> None:
    x, u, s = T.vector("x"), T.vector("u"), T.scalar("s")
    assert isinstance(Lop(x * 2, (x,), u), tuple)
    assert isinstance(Lop([x * 2], [x], [u]), list)
    assert isinstance(Rop((x * 2,), x, u), tuple)
    assert isinstance(Rop([x * 2], [x], [u]), list)
    with pytest.raises(ValueError, match="an evaluation point has 0 dims, but its variable has 1"):
        Rop(x * 2, x, s)
    with pytest.raises(ValueError, match="the given gradient has 0 dims"):
        Lop(x * 2, x, s)
    with pytest.raises(TypeError, match=r"f contains float 2\.0"):
        Lop(2.0, x, u)
    partial = Rop(x * s, [x, s], [u, None])
    assert value(partial, x=[7.0, 8], s=3.0, u=[1.0, 2]) == [3, 6]


def test_rop_of_what_does_not_depend() -> None:
    x, y, u = T.vectors("x", "y", "u")
    with pytest.raises(DisconnectedInputError, match="disconnected_outputs='ignore'"):
        Rop(y * 2, x, u)
    with pytest.warns(UserWarning, match="depends on none of the variables of wrt"):
        Rop(y * 2, x, u, disconnected_outputs="warn")
    zero, found = Rop([y * 2, x * 2], x, u, disconnected_outputs="ignore")
    assert value(zero, y=[1.0, 2]) == [0, 0]
    assert value(found, x=[7.0, 8], u=[1.0, 2]) == [2, 4]
    assert Rop(y, x, u, "ignore", return_disconnected="None") is None
    lost = Rop(y, x, u, "ignore", return_disconnected="Disconnected")
    assert isinstance(lost.type, DisconnectedType)
    with pytest.raises(ValueError, match="is not one of raise, warn, ignore"):
        Rop(y, x, u, disconnected_outputs="maybe")


def test_rop_is_zero_if_only_lengths_or_integers_depend() -> None:
    x, s, u, v = T.vector("x"), T.scalar("s"), T.vector("u"), T.scalar("v")
    found = Rop([2 * T.ones_like(x), T.floor(x), x.shape[0] * 1.5], x, u)
    assert [value(item, x=[7.5, 8], u=[1.0, 2]) for item in found] == [[0, 0], [0, 0], 0]
    assert value(Rop(T.ones_like(s), s, v)) == 0
    with pytest.raises(DisconnectedInputError):
        Rop(x.shape[0], x, u)
    lengths = Rop(T.ones_like(x), x, u, return_disconnected="None")
    assert value(lengths, x=[7.5, 8]) == [0, 0]


def test_rop_of_steering_ops() -> None:
    x, u = T.vectors("x", "u")
    assert value(Rop(grad_scale(x, 3), x, u), u=[1.0, 2]) == [3, 6]
    assert value(Rop(grad_clip(x, -1, 1), x, u), u=[5.0, 2]) == [5, 2]
    assert value(Rop(zero_grad(x) * x, x, u), x=[2.0, 3], u=[5.0, 2]) == [10, 6]
    assert value(Rop(T.cast(x, "int64") * x, x, u), x=[2.0, 3], u=[5.0, 2]) == [10, 6]


class Parted(Op):
    """Copies of two scalars; the second one is not connected to its input."""

    def make_node(self, x: Any) -> Apply:
        return Apply(self, [x], [x.type(), T.dscalar()])

    def perform(self, node: Apply, inputs: Any, output_storage: Any) -> None:
        output_storage[0][0] = inputs[0].copy()
        output_storage[1][0] = np.asarray(inputs[0].sum())

    def connection_pattern(self, node: Apply) -> list[list[bool]]:
        return [[True, False]]

    def grad(self, inputs: list[Any], output_grads: list[Any]) -> list[Any]:
        return [output_grads[0] * 3]


class HalfDefined(Op):
    """The sum of an array and a scalar, by which there is no gradient."""

    def make_node(self, x: Any, y: Any) -> Apply:
        return Apply(self, [x, y], [T.dscalar()])

    def perform(self, node: Apply, inputs: Any, output_storage: Any) -> None:
        output_storage[0][0] = np.asarray(inputs[0].sum() + inputs[1])

    def grad(self, inputs: list[Any], output_grads: list[Any]) -> list[Any]:
        return [output_grads[0] * T.ones_like(inputs[0]), NullType("HalfDefined has none")()]


def test_an_undefined_gradient_of_an_output_that_is_not_connected() -> None:
    x = T.dvector("x")
    part, total = Parted()(x)
    cost = HalfDefined()(part, total)
    assert value(grad(cost, x), x=[1.0, 2]) == [3, 3]
    with pytest.raises(NullTypeGradError, match="HalfDefined"):
        grad(cost, total)
    both = HalfDefined()(part, x.sum())
    with pytest.raises(NullTypeGradError):
        grad(both, x)

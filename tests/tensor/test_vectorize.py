"""vectorize_graph and vectorize: batches against a loop over their items."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import Apply, Op, function
from symtheano.gradient import disconnected_grad, grad_clip
from symtheano.tensor.as_op import as_op
from symtheano.tensor.indexing.advanced import CheckedIndex
from symtheano.tensor.indexing.call_broadcast import BroadcastInCall, SumInCall
from symtheano.tensor.linalg.lstsq import lstsq
from symtheano.tensor.sorting.distinct import RowOrder
from symtheano.tensor.type import TensorType
from symtheano.tensor.vectorize import parse_signature, vectorize, vectorize_graph, vectorize_node
from tests.support.compare import Array, compiled, count
from tests.test_gradient import CASES

Shape = tuple[int, ...]


def symbolic(array: Array) -> Any:
    """Return a variable for arrays of one shape; lengths of one are known."""
    return TensorType(array.dtype.name, [1 if n == 1 else None for n in array.shape])()


def fronts_of(operands: int) -> list[list[Shape]]:
    """Return batch shapes for each operand: all alike, some without, some of length one."""
    found: list[list[Shape]] = [[(2,)] * operands, [(2, 3)] * operands]
    if operands > 1:
        some = operands - 1
        found += [[(2,), *[()] * some], [(), *[(3,)] * some], [(2, 1), *[(3,)] * some]]
    return found


def batch_of(point: Array, front: Shape, generator: Any) -> Array:
    """Return a batch of points near one."""
    noise = 0.1 * generator.uniform(size=(*front, *point.shape))
    return np.asarray(point + noise).astype(point.dtype)


def compare(
    fun: Callable[..., Any],
    points: list[Array],
    fronts: list[Shape],
    make: Callable[..., Any],
    discrete: Callable[[Array, Shape], Array] | None = None,
) -> None:
    """Compare a batch with what a loop over its items gives."""
    generator = np.random.default_rng(3)
    single = [symbolic(point) for point in points]
    y = T.as_tensor_variable(fun(*single))
    draw = [batch_of(p, f, generator) if p.dtype.kind == "f" or discrete is None
            else discrete(p, f) for p, f in zip(points, fronts, strict=True)]  # fmt: skip
    many = [symbolic(item) for item in draw]
    batched = vectorize_graph(y, dict(zip(single, many, strict=True)))
    front = np.broadcast_shapes(*fronts)
    assert batched.ndim == y.ndim + len(front)
    got = make(many, batched)(*draw)
    one = function(single, y, mode="INTERPRET", on_unused_input="ignore")
    full = [np.broadcast_to(v, (*front, *p.shape)) for v, p in zip(draw, points, strict=True)]
    want = np.stack([one(*(v[place] for v in full)) for place in np.ndindex(*front)])
    np.testing.assert_allclose(got, want.reshape(got.shape), 1e-9, 1e-9)
    count("batches", got.size)


def interpreted(inputs: list[Any], output: Any) -> Any:
    """Return a function on the interpreter."""
    return function(inputs, output, mode="INTERPRET", on_unused_input="ignore")


WITHOUT_BATCH = {"arange"}


@pytest.mark.parametrize("name", [name for name in CASES if name not in WITHOUT_BATCH])
def test_every_expression_of_the_gradient_tests(name: str) -> None:
    fun, points = CASES[name]
    for fronts in fronts_of(len(points)):
        compare(fun, points, fronts, interpreted)


@pytest.mark.needs_cc
@pytest.mark.parametrize(
    "name",
    ["max", "broadcasting", "dot of matrices", "dot of matrix and vector", "gather", "scatter",
     "set_subtensor", "reshape", "slices", "join", "prod with zeros", "layer norm"],
)  # fmt: skip
def test_some_of_them_in_c(name: str) -> None:
    fun, points = CASES[name]
    compare(fun, points, fronts_of(len(points))[-1], compiled)


# -- indices that differ from item to item ---------------------------------------------------------


def integers(low: int, high: int) -> Callable[[Array, Shape], Array]:
    """Return what draws batches of indices."""
    generator = np.random.default_rng(5)
    return lambda p, front: generator.integers(low, high, size=(*front, *p.shape))


X, K, V = np.random.default_rng(1).uniform(size=(4, 3, 5)), np.array(1), np.array([0, 2, 1])

INDEXED: dict[str, tuple[Callable[..., Any], list[Array]]] = {
    "an integer": (lambda x, i: x[i], [X, K]),
    "an integer in the middle": (lambda x, i: x[1:, i, ::-1], [X, K]),
    "two integers around a slice": (lambda x, i, j: x[i, :, j], [X, K, K]),
    "a vector": (lambda x, v: x[v], [X, V]),
    "a vector in the middle": (lambda x, v: x[:, v], [X, V]),
    "two vectors": (lambda x, v, w: x[:, v, w], [X, V, V]),
    "a vector and its like": (lambda x, v: x[v, np.array([0, 1, 2])], [X, V]),
    "set at an integer": (lambda x, i, y: T.set_subtensor(x[i, i], y), [X, K, X[0, 0]]),
    "add at vectors": (lambda x, v, y: T.inc_subtensor(x[:, v], y), [X, V, X[:, :, :]]),
    "set at vectors": (lambda x, v, y: T.set_subtensor(x[v, v], y), [X, V, X[0]]),
    "add a number at vectors": (lambda x, v, y: T.inc_subtensor(x[v], y), [X, V, X[0, 0, 0]]),
}


@pytest.mark.parametrize("name", INDEXED)
def test_indices_that_differ(name: str) -> None:
    fun, points = INDEXED[name]
    for fronts in fronts_of(len(points)):
        compare(fun, points, fronts, interpreted, integers(-3, 3))


@pytest.mark.needs_cc
def test_indices_that_differ_in_c() -> None:
    for name in ("an integer in the middle", "two vectors", "add at vectors"):
        fun, points = INDEXED[name]
        compare(fun, points, fronts_of(len(points))[0], compiled, integers(-3, 3))


# -- parts of a graph --------------------------------------------------------------------------


def test_what_does_not_depend_has_no_batch() -> None:
    x, y = T.vectors("x", "y")
    xs = T.matrix("xs")
    doubled, both = vectorize_graph((y * 2, x + y * 2), {x: xs})
    assert (doubled.ndim, both.ndim) == (1, 2)
    assert isinstance(vectorize_graph([x], {x: xs}), list)
    assert vectorize_graph(x, {x: xs}) is xs
    assert vectorize_graph(x * 2, {x: y}).ndim == 1


def test_an_intermediate_variable_can_be_replaced() -> None:
    x = T.vector("x")
    mid = T.exp(x)
    cost = (mid * x).sum()
    mids = T.matrix("mids")
    batched = vectorize_graph(cost, {mid: mids})
    got = batched.eval({x: [1.0, 2.0], mids: [[1.0, 1.0], [2.0, 3.0]]}, mode="INTERPRET")
    np.testing.assert_allclose(got, [3.0, 8.0])


def test_known_lengths_stay_known() -> None:
    x = T.tensor(dtype="float64", shape=(1, 3))
    xs = T.tensor3("xs")
    batched = vectorize_graph(x + T.matrix("m"), {x: xs})
    assert batched.type.shape == (None, None, 3)
    batched = vectorize_graph(x.sum(0), {x: xs})
    assert batched.type.shape == (None, 3)


def test_empty_batches() -> None:
    A, b = T.matrix("A"), T.vector("b")
    As, bs = T.tensor3("As"), T.matrix("bs")
    y = vectorize_graph(T.dot(A, b) + A.max(1), {A: As, b: bs})
    f = function([As, bs], y, mode="INTERPRET")
    assert f(np.zeros((0, 2, 3)), np.zeros((0, 3))).shape == (0, 2)


@pytest.mark.parametrize("dtype", ["float32", "int64", "complex128", "bool"])
def test_dtypes(dtype: str) -> None:
    x = TensorType(dtype, (None,))("x")
    xs = TensorType(dtype, (None, None))("xs")
    values = np.array([[0, 1, 2], [3, 4, 5]]).astype(dtype)
    y = vectorize_graph(T.switch(T.neq(x, 1), x, x[::-1]).sum(), {x: xs})
    got = y.eval({xs: values}, mode="INTERPRET")
    want = np.where(values != 1, values, values[:, ::-1]).sum(1)
    np.testing.assert_array_equal(got, want)
    assert got.dtype == want.dtype


def test_errors_of_replacements() -> None:
    x = T.matrix("x")
    with pytest.raises(ValueError, match="has 1 dims, its variable 2"):
        vectorize_graph(x * 2, {x: T.vector("v")})
    with pytest.raises(TypeError, match="is float32, but its variable is float64"):
        vectorize_graph(x * 2, {x: T.ftensor3("f")})


def test_what_can_not_be_batched_says_so() -> None:
    n, x = T.lscalar("n"), T.vector("x")
    ns, xs = T.lvector("ns"), T.matrix("xs")
    with pytest.raises(NotImplementedError, match=r"ARange.* its length would differ from item"):
        vectorize_graph(T.arange(n), {n: ns})
    with pytest.raises(NotImplementedError, match=r"Eye.* its lengths would differ from item"):
        vectorize_graph(T.eye(n), {n: ns})
    for expression in (T.nonzero(x)[0], T.repeat(x, T.cast(x, "int64")), x[x > 0], T.unique(x)):
        with pytest.raises(NotImplementedError, match="the values of each item decide how long"):
            vectorize_graph(expression, {x: xs})
    counted = T.bincount(T.cast(x, "int64"))
    with pytest.raises(NotImplementedError, match="decides its length; give minlength"):
        vectorize_graph(counted, {x: xs})
    with pytest.raises(NotImplementedError, match="its length would differ from item to item"):
        vectorize_graph(T.bincount(np.array([1]), minlength=n), {n: ns})
    with pytest.raises(NotImplementedError, match="it takes one matrix"):
        vectorize_graph(lstsq(T.outer(x, x), T.outer(x, x))[0], {x: xs})
    with pytest.raises(NotImplementedError, match="slices would differ in length"):
        vectorize_graph(x[:n], {n: ns})
    with pytest.raises(NotImplementedError, match="its lengths or bounds would differ"):
        vectorize_graph(T.zeros((n,)), {n: ns})
    with pytest.raises(NotImplementedError, match="its lengths or bounds would differ"):
        vectorize_graph(x.reshape((n, -1)), {n: ns})
    with pytest.raises(NotImplementedError, match="only integers may differ"):
        vectorize_graph(T.inc_subtensor(x[n:], 1.0), {n: ns})

    @as_op(T.dvector, T.dvector)
    def down(v: Array) -> Array:
        return v[::-1]

    with pytest.raises(NotImplementedError, match=r"down.* does not support batches") as caught:
        vectorize_graph(down(x), {x: xs})
    assert "vectorize_graph(down(x), {x: xs})" in str(caught.value)


# -- rules of few graphs -----------------------------------------------------------------------

N, W = np.array([0, 2, 2, 1, 0]), np.random.default_rng(2).uniform(size=5)
ROWS = np.random.default_rng(3).integers(0, 3, size=(6, 2))

DISCRETE: dict[str, tuple[Callable[..., Any], list[Array]]] = {
    "eye": (lambda k: T.eye(3, 4, k), [K]),
    "bincount": (lambda n: T.bincount(n, minlength=4), [N]),
    "weights": (lambda n, w: T.bincount(n, w, minlength=4), [N, W]),
    "weights alone": (lambda w: T.bincount(N, w), [W]),
    "order of rows": (lambda x: RowOrder()(x), [ROWS]),
    "order of narrow rows": (lambda x: RowOrder()(T.cast(x, "uint8")), [ROWS]),
    "order of float rows": (lambda x: RowOrder()(T.cast(x, "float32")), [ROWS]),
    "order of complex rows": (lambda x: RowOrder()(T.cast(x, "complex64") * 1j), [ROWS]),
    "an index array": (lambda i: BroadcastInCall("indexing")(i, np.int64(3)), [V]),
    "a repeated index": (lambda i: BroadcastInCall("indexing")(i, np.int64(3)), [V[:1]]),
    "sum of repetitions": (lambda i: SumInCall()(i, np.int64(1)), [V]),
    "labels": (lambda i: CheckedIndex()(i, np.int64(4), np.int64(3)), [V]),
}


def small_integers(p: Array, front: Shape) -> Array:
    """Return a batch of integers from 0 to 2."""
    return np.random.default_rng(5).integers(0, 3, size=(*front, *p.shape))


@pytest.mark.parametrize("name", DISCRETE)
def test_counts_and_order(name: str) -> None:
    fun, points = DISCRETE[name]
    for fronts in fronts_of(len(points)):
        compare(fun, points, fronts, interpreted, small_integers)


M = np.random.default_rng(4).uniform(size=(3, 3)) + 3 * np.eye(3)

LINEAR_ALGEBRA: dict[str, tuple[Callable[..., Any], list[Array]]] = {
    "inverse": (T.nlinalg.matrix_inverse, [M]),
    "pinv": (T.nlinalg.pinv, [M[:2]]),
    "determinants": (lambda a: T.nlinalg.det(a) + T.nlinalg.slogdet(a)[1], [M]),
    "cholesky": (lambda a: T.slinalg.cholesky(T.dot(a, a.T)), [M]),
    "solve": (T.slinalg.solve, [M, M[:, :2]]),
    "solve for a vector": (T.slinalg.solve, [M, M[0]]),
    "solve triangular": (lambda a, b: T.slinalg.solve_triangular(a, b, lower=True), [M, M]),
    "qr": (lambda a: T.nlinalg.qr(a)[1], [M[:2]]),
    "svd": (lambda a: T.nlinalg.svd(a, compute_uv=False), [M[:2]]),
    "eigh": (lambda a: T.nlinalg.eigh(T.dot(a, a.T))[0], [M]),
    "expm": (T.slinalg.expm, [M / 4]),
}


@pytest.mark.parametrize("name", LINEAR_ALGEBRA)
def test_linear_algebra(name: str) -> None:
    fun, points = LINEAR_ALGEBRA[name]
    for fronts in fronts_of(len(points)):
        compare(fun, points, fronts, interpreted)


@pytest.mark.needs_cc
def test_some_of_these_in_c() -> None:
    for name in ("eye", "weights", "order of rows"):
        compare(*DISCRETE[name], fronts_of(len(DISCRETE[name][1]))[1], compiled, small_integers)
    compare(*LINEAR_ALGEBRA["solve"], [(), (3,)], compiled)


def test_numbers_that_do_not_fit_minlength() -> None:
    x, xs = T.lvector("x"), T.lmatrix("xs")
    counted = function([xs], vectorize_graph(T.bincount(x, minlength=3), {x: xs}), mode="INTERPRET")
    assert counted([[0, 2], [1, 1]]).tolist() == [[1, 0, 1], [0, 2, 0]]
    assert counted(np.zeros((0, 2), "int64")).shape == (0, 3)
    for wrong in (3, -1):
        with pytest.raises(ValueError, match="is negative or not below minlength"):
            counted([[0, 2], [wrong, 1]])


# -- ops of users ------------------------------------------------------------------------------


class Scaled(Op):
    """A user's op that works on batches: x times y, whose sum is one."""

    __props__ = ()

    def make_node(self, *inputs: Any) -> Apply:
        x, y = (T.as_tensor_variable(item) for item in inputs)
        return Apply(self, [x, y], [x.type()])

    def perform(self, node: Apply, inputs: Any, output_storage: list[list[Any]]) -> None:
        x, y = inputs
        output_storage[0][0] = x * y / y.sum(-1, keepdims=True)

    def vectorize(self, node: Apply, batch: Any) -> list[Any]:
        return [self(batch.full(0), batch.full(1))]


def test_a_users_op_says_how() -> None:
    point = np.array([1.0, 2.0, 3.0])
    for fronts in fronts_of(2):
        compare(Scaled(), [point, point], fronts, interpreted)


class Short(Scaled):
    """An op that forgets an output."""

    def vectorize(self, node: Apply, batch: Any) -> list[Any]:
        return []


def test_a_wrong_number_of_outputs_is_refused() -> None:
    x = T.vector("x")
    with pytest.raises(ValueError, match="vectorize returned 0 for 1 outputs"):
        vectorize_node(Short()(x, x).owner, [T.matrix("a"), T.matrix("b")])


def test_ops_that_steer_gradients() -> None:
    for op in (disconnected_grad, lambda x: grad_clip(x, -1, 1)):
        compare(lambda x, op=op: op(x) * 2, [np.array([1.0, 2.0])], [(3,)], interpreted)


# -- vectorize ---------------------------------------------------------------------------------


def test_signatures() -> None:
    assert parse_signature("(m,n),(n)->(m)") == ([("m", "n"), ("n",)], [("m",)])
    assert parse_signature(" ( ) , (n) -> ( ), (n) ") == ([(), ("n",)], [(), ("n",)])
    for wrong in ("", "->", "(n)", "(n)->", "n->n", "(n)(m)->()", "(n,)->()"):
        with pytest.raises(ValueError, match="is not a signature"):
            parse_signature(wrong)


@pytest.mark.needs_cc
def test_vectorize_is_numpys() -> None:
    def solve(a: Any, b: Any) -> Any:
        return [T.dot(a, b) / b.sum(), a.sum()]

    many = vectorize(solve, "(m,n),(n)->(m),()")
    generator = np.random.default_rng(0)
    a, b = T.tensor4("a"), T.matrix("b")
    outputs = many(a, b)
    assert isinstance(outputs, list)
    # The first axis of b meets the second one of a's batch.
    x, y = generator.uniform(size=(2, 3, 4, 5)), generator.uniform(size=(3, 5))
    got = compiled([a, b], outputs)(x, y)
    np.testing.assert_allclose(got[0], np.einsum("...mn,...n->...m", x, y) / y.sum(-1)[:, None])
    np.testing.assert_allclose(got[1], x.sum((-1, -2)))


def test_vectorize_without_signature_and_with_constants() -> None:
    def clipped(x: Any, limit: Any) -> Any:
        return T.minimum(x, limit), T.zeros_like(x)

    x = T.matrix("x")
    small, zero = vectorize(clipped)(x, np.array([1.0, 2.0]))
    value = [[0.0, 5.0], [5.0, 0.0]]
    np.testing.assert_array_equal(small.eval({x: value}, mode="INTERPRET"), [[0, 2], [1, 0]])
    np.testing.assert_array_equal(zero.eval({x: value}, mode="INTERPRET"), np.zeros((2, 2)))
    alone = vectorize(lambda: T.constant(1.0), "()->()")
    with pytest.raises(ValueError, match="0 operands, but 1"):
        alone()


def test_results_that_do_not_depend_have_the_batch() -> None:
    x = T.tensor3("x")
    f = vectorize(lambda v: [T.constant([1.0, 2.0]), v.sum()], "(n)->(k),()")
    fixed, total = f(x)
    assert (fixed.ndim, total.ndim) == (3, 2)
    got = fixed.eval({x: np.zeros((2, 3, 4))}, mode="INTERPRET")
    np.testing.assert_array_equal(got, np.broadcast_to([1.0, 2.0], (2, 3, 2)))


def test_errors_of_vectorize() -> None:
    v = T.vector("v")
    with pytest.raises(ValueError, match=r"operand has 1 dims, but the signature has \(m,n\)"):
        vectorize(T.dot, "(m,n),(n)->(m)")(v, v)
    with pytest.raises(ValueError, match=r"a result has 1 dims, but the signature has \(\)"):
        vectorize(T.exp, "(n)->()")(v)
    with pytest.raises(ValueError, match="1 results, but 2"):
        vectorize(T.exp, "(n)->(n),()")(v)
    with pytest.raises(ValueError, match="core dim n has length 3 and 2"):
        vectorize(T.dot, "(n),(n)->()")(np.ones(2), np.ones(3))

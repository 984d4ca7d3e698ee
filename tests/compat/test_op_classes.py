"""Theano's classes of ops: called with its arguments, and asked with ``isinstance``."""

from __future__ import annotations

import pickle
from importlib import import_module
from typing import Any

import numpy as np
import pytest

A = np.array([[3.0, 1.0, 2.0], [0.0, 5.0, 4.0]])

# class, arguments, operands, what NumPy computes
CALLS: list[tuple[str, tuple[Any, ...], tuple[Any, ...], Any]] = [
    ("tensor.elemwise.Sum", (0,), (A,), A.sum(0)),
    ("tensor.elemwise.Prod", (1,), (A,), A.prod(1)),
    ("tensor.Argmax", (1,), (A,), A.argmax(1)),
    ("tensor.Join", (), (0, A, A), np.concatenate([A, A])),
    ("tensor.Eye", (), (2, 3, 1), np.eye(2, 3, 1)),
    ("tensor.Reshape", (1,), (A, [6]), A.reshape(6)),
    ("tensor.Flatten", (1,), (A,), A.ravel()),
    ("tensor.Tile", (2,), (A, (1, 2)), np.tile(A, (1, 2))),
    ("tensor.ARange", ("int64",), (1, 7, 2), np.arange(1, 7, 2)),
    ("tensor.DimShuffle", ((False, False), (1, "x", 0)), (A,), A.T[:, None]),
    ("tensor.sort.SortOp", (), (A,), np.sort(A)),
    ("tensor.sort.ArgSortOp", (), (A, 0), np.argsort(A, 0)),
    ("tensor.extra_ops.DiffOp", (), (A,), np.diff(A)),
    ("tensor.extra_ops.CumOp", (1, "mul"), (A,), A.cumprod(1)),
    ("tensor.AdvancedSubtensor1", (), (A, [1, 0, 1]), A[[1, 0, 1]]),
    ("tensor.nnet.Softmax", (), (A,), np.exp(A) / np.exp(A).sum(1, keepdims=True)),
]


def found(theano: Any, name: str) -> Any:
    module, _, last = name.rpartition(".")
    return getattr(import_module(f"{theano.__name__}.{module}"), last)


@pytest.mark.parametrize(("name", "arguments", "operands", "expected"), CALLS)
def test_calls(
    theano: Any, name: str, arguments: tuple[Any, ...], operands: tuple[Any, ...], expected: Any
) -> None:
    kind = found(theano, name)
    op = kind(*arguments)
    assert op == kind(*arguments)
    assert hash(op) == hash(kind(*arguments))
    whole = [theano.tensor.as_tensor_variable(operands[0]), *operands[1:]]
    result = theano.function([], op(*whole), mode="INTERPRET")()
    np.testing.assert_allclose(result, expected)


def test_instances(theano: Any) -> None:
    T = theano.tensor
    x = T.matrix("x")
    assert isinstance(x.sum().owner.op, T.elemwise.Sum)
    assert not isinstance(x.prod().owner.op, T.elemwise.Sum)
    assert isinstance(x.max().owner.op, T.CAReduce)
    assert isinstance(T.nnet.softmax(x).owner.op, T.nnet.Softmax)
    assert isinstance(x[T.ivector()].owner.op, T.AdvancedSubtensor1)
    assert isinstance(T.concatenate([x, x]).owner.op, T.Join)
    assert isinstance(x[0].owner.op, T.Subtensor)


def test_topk(theano: Any) -> None:
    values, positions = found(theano, "tensor.sort.TopKOp")()(
        theano.tensor.as_tensor_variable(A), 2
    )
    largest, where = theano.function([], [values, positions])()
    np.testing.assert_array_equal(np.sort(largest), np.sort(A)[:, 1:])
    np.testing.assert_array_equal(np.take_along_axis(A, where, 1), largest)


def test_topk_is_found_in_graphs(theano: Any) -> None:
    sort, x = import_module("theano.tensor.sort"), theano.tensor.vector("x")
    for result in (sort.topk(x, 2), sort.argtopk(x, 2)):
        nodes = theano.function([x], result).maker.fgraph.apply_nodes
        assert any(isinstance(node.op, sort.TopKOp) for node in nodes)


def test_products_of_blas(theano: Any) -> None:
    blas, T = import_module("theano.tensor.blas"), theano.tensor
    z, x, y, a = T.matrix("z"), T.matrix("x"), T.matrix("y"), T.scalar("a")
    v, w = T.vector("v"), T.vector("w")
    B, u = np.array([[1.0, 2.0], [0.0, -1.0]]), np.array([3.0, 1.0])
    results = [
        blas.gemm_no_inplace(z, a, x, y, a), blas.gemv(v, a, x, w, a),
        blas.ger(z, a, v, w), blas._dot22scalar(x, y, a), blas._dot22(x, y),
    ]  # fmt: skip
    f = theano.function([z, x, y, a, v, w], results)
    expected = [
        2 * B + 2 * B @ B.T, 2 * u + 2 * B @ u, B + 2 * np.outer(u, u), 2 * B @ B.T, B @ B.T,
    ]  # fmt: skip
    for value, correct in zip(f(B, B, B.T, 2.0, u, u), expected, strict=True):
        np.testing.assert_allclose(value, correct)
    with pytest.raises(TypeError, match="operands of 2, 0, 2, 2, 0 dims"):
        blas.gemm(v, a, x, y, a)
    nodes = theano.function([x], x.dot(x)).maker.fgraph.apply_nodes
    assert any(isinstance(node.op, blas.Dot22) for node in nodes)


def test_reductions_keep_the_dtype(theano: Any) -> None:
    elemwise, scalar = theano.tensor.elemwise, theano.scalar
    x = theano.tensor.bvector("x")
    assert elemwise.CAReduce(scalar.add, axis=0)(x).dtype == "int8"
    assert elemwise.CAReduceDtype(scalar.add, axis=0)(x).dtype == "int64"


def test_sparse_classes(theano: Any) -> None:
    sparse = import_module("theano.sparse")
    x, y = sparse.csr_matrix("x"), theano.tensor.matrix("y")
    assert isinstance(sparse.dot(x, y).owner.op, sparse.Dot)
    assert sparse.AddSS()(x, x).type == x.type
    assert sparse.MulSD() == sparse.MulSD() != sparse.MulSS()
    assert sparse.basic._is_sparse_variable(x)
    assert sparse.basic._is_dense_variable(y)
    shape = theano.tensor.ivector("shape")
    parts = [theano.tensor.vector(), theano.tensor.ivector(), theano.tensor.ivector(), shape]
    matrix = theano.function(parts, sparse.CSM("csr")(*parts))
    assert matrix([5.0], [1], [0, 1, 1], [2, 3]).toarray().tolist() == [[0, 5, 0], [0, 0, 0]]


def test_ops_are_pickled(theano: Any) -> None:
    op = theano.tensor.elemwise.Prod(axis=1)
    assert pickle.loads(pickle.dumps(op)) == op


def test_unique_returns_lists_if_asked(theano: Any) -> None:
    kind, x = theano.tensor.extra_ops.Unique, theano.tensor.vector("x")
    assert len(kind()(x, return_list=True)) == 1
    assert kind(True).return_index
    assert len(kind(True)(x)) == 2


def test_flags_of_types_may_be_numbers(theano: Any) -> None:
    kind = theano.tensor.TensorType
    x = kind("float64", (0, 1))()
    assert x.broadcastable == (False, True)
    assert isinstance(x.type, kind)
    assert x.type == kind("float64", (False, True))


@pytest.mark.parametrize(
    ("name", "kind", "dims"), [("corr", "CorrMM", 2), ("corr3d", "Corr3dMM", 3)]
)
def test_correlations(theano: Any, name: str, kind: str, dims: int) -> None:
    module = import_module(f"theano.tensor.nnet.{name}")
    op = getattr(module, kind)(subsample=(2,) * dims)
    images = np.arange(5.0**dims).reshape((1, 1) + (5,) * dims)
    filters = np.arange(3.0**dims).reshape((1, 1) + (3,) * dims)
    x, w = (theano.tensor.TensorType("float64", (0,) * (dims + 2))() for _ in range(2))
    f = theano.function([x, w], op(x, w))
    assert any(isinstance(node.op, getattr(module, kind)) for node in f.maker.fgraph.apply_nodes)
    nodes = f.maker.fgraph.apply_nodes
    abstract = getattr(import_module("theano.tensor.nnet.abstract_conv"), f"AbstractConv{dims}d")
    assert any(isinstance(node.op, abstract) for node in nodes)
    assert isinstance(abstract(), abstract)
    of_image = getattr(module, f"{kind}_gradInputs")(subsample=(2,) * dims)
    shape = theano.tensor.as_tensor_variable(np.array((5,) * dims))
    slopes = theano.function([x, w], of_image(w, theano.tensor.ones_like(op(x, w)), shape))
    expected_slopes = theano.function([x, w], theano.grad(op(x, w).sum(), x))
    np.testing.assert_allclose(slopes(images, filters), expected_slopes(images, filters))
    result = f(images, filters)
    windows = np.lib.stride_tricks.sliding_window_view(images[0, 0], (3,) * dims)
    over = tuple(range(dims, 2 * dims))
    expected = (windows[(slice(None, None, 2),) * dims] * filters[0, 0]).sum(over)
    np.testing.assert_allclose(result[0, 0], expected)


def test_the_variance_is_a_function(theano: Any) -> None:
    x = theano.tensor.vector("x")
    assert theano.function([x], theano.tensor.var(x))([1.0, 3.0]) == 1.0

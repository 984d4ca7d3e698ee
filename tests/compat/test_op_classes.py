"""Theano's classes of ops: called with its arguments, and asked with ``isinstance``."""

from __future__ import annotations

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

"""Errors are of the classes that programs written for Theano catch, and of NumPy's."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.linalg import LinAlgError

import symtheano.tensor as T
from symtheano import In, OrderedUpdates, Rop, config, function, grad, shared, sparse
from symtheano.errors import (
    DisconnectedInputError,
    EmptyConstantError,
    MissingInputError,
    NotScalarConstantError,
    NullTypeGradError,
    UnusedInputError,
)
from symtheano.function.verify import verify_grad
from symtheano.gradient import undefined_grad
from symtheano.tensor import nlinalg, slinalg
from symtheano.tensor.opt import Assert

x, m, s, n = T.dvector("x"), T.dmatrix("m"), T.dscalar("s"), T.lvector("n")
t, z, v = T.dtensor3("t"), T.zvector("z"), T.fvector("v")
w = shared(np.ones(3, "float32"), "w")
named = In(s, value=1.0, name="s")
MIXED = (ValueError, TypeError)


def run(inputs: list[Any], output: Any, *args: Any) -> Any:
    """Call a function without compiling it."""
    return function(inputs, output, mode="INTERPRET")(*args)


EYE = np.eye(2)
CASES: dict[str, tuple[Callable[[], Any], tuple[type[Exception], ...]]] = {
    "swapaxes": (lambda: T.swapaxes(m, 0, 5), (IndexError, ValueError)),
    "join, axis too low": (lambda: T.join(-5, m, m), (IndexError, ValueError)),
    "join, axis too high": (lambda: T.join(5, m, m), (ValueError, IndexError)),
    "join, fraction as axis": (lambda: T.join(0.5, m, m), (TypeError,)),
    "join of numbers": (lambda: T.join(0, s, s), (TypeError,)),
    "join of nothing": (lambda: T.join(0), (ValueError,)),
    "join of other dims": (lambda: T.join(0, m, x), (TypeError,)),
    "stack": (lambda: T.stack([x, x], axis=5), (IndexError, ValueError)),
    "split": (lambda: T.split(x, [1, 2], 2, axis=5), (ValueError, IndexError)),
    "sum": (lambda: m.sum(axis=5), (ValueError, IndexError)),
    "maximum, fraction as axis": (lambda: T.max(m, axis=0.5), (TypeError,)),
    "addbroadcast": (lambda: T.addbroadcast(m, 5), (ValueError, IndexError)),
    "reshape by a vector": (lambda: T.reshape(m, n), (ValueError, TypeError)),
    "unpacking": (lambda: list(x), (TypeError, ValueError)),
    "inputs given twice": (lambda: function([x, x], x), (UnusedInputError, ValueError)),
    "unused input": (lambda: function([x, m], x), (UnusedInputError,)),
    "missing input": (lambda: function([], x), (MissingInputError,)),
    "update of no shared variable": (lambda: function([x], x, updates={x: x}), (TypeError,)),
    "two updates": (lambda: function([], [], updates=[(w, w + w), (w, w)]), (ValueError,)),
    "update of another type": (lambda: function([m], [], updates=[(w, m)]), (TypeError,)),
    "set_value, dims": (lambda: w.set_value(np.ones((3, 3), "float32")), (TypeError,)),
    "set_value, dtype": (lambda: w.set_value(np.ones(3)), (TypeError,)),
    "set_value, text": (lambda: w.set_value("abc"), (TypeError,)),
    "value of other dims": (lambda: function([x], x)(np.ones((2, 2))), (TypeError,)),
    "values that do not fit": (
        lambda: function([x, n], x + n, mode="INTERPRET")([1.0, 2.0], [1, 2, 3]),
        (ValueError,),
    ),
    "index outside": (lambda: function([x], x[9], mode="INTERPRET")([1.0]), (IndexError,)),
    "too many indices": (lambda: x[0, 0], (IndexError,)),
    "gradient of a vector": (lambda: grad(x, x), (TypeError,)),
    "gradient of something else": (lambda: grad(s, x), (DisconnectedInputError, ValueError)),
    "no constant": (lambda: T.get_scalar_constant_value(x), (NotScalarConstantError,)),
    "no array": (lambda: T.as_tensor_variable("abc"), (TypeError,)),
    "complex to real": (lambda: T.cast(T.zvector(), "float64"), (TypeError,)),
    "dimshuffle": (lambda: m.dimshuffle(0), (ValueError,)),
    "dimshuffle, axis twice": (lambda: m.dimshuffle(0, 0, 1), (ValueError,)),
    "dimshuffle, no such axis": (lambda: m.dimshuffle(0, 1, 2), (ValueError,)),
    "addbroadcast in a call": (lambda: run([m], T.addbroadcast(m, 0), EYE), (ValueError,)),
    "unbroadcast": (lambda: T.unbroadcast(m, 5), (ValueError, IndexError)),
    "patternbroadcast": (lambda: T.patternbroadcast(m, (True, False, True)), (ValueError,)),
    "specify_shape": (
        lambda: run([x], T.specify_shape(x, (2,)), [1.0]), (AssertionError, ValueError)
    ),
    "Assert": (lambda: run([x], Assert("no")(x, T.eq(x.sum(), 0)), [1.0]), (AssertionError,)),
    "node of two outputs": (lambda: T.as_tensor_variable(nlinalg.svd(m)[0].owner), MIXED),
    "more dims than wanted": (lambda: T.as_tensor_variable(m, ndim=1), (ValueError,)),
    "constant of fewer dims": (lambda: T.constant([1, 2], ndim=0), (ValueError,)),
    "dot of text": (lambda: T.dot("a", m), (TypeError,)),
    "dot in a call": (lambda: run([m], T.dot(m, np.ones((3, 3))), EYE), (ValueError,)),
    "elementwise in a call": (lambda: run([m], m + np.ones((3, 3)), EYE), (ValueError,)),
    "tensordot, too many axes": (lambda: T.tensordot(m, m, axes=3), (ValueError,)),
    "tensordot, axes of one": (lambda: T.tensordot(m, m, axes=[[0], [0, 1]]), (ValueError,)),
    "tensordot, three lists": (lambda: T.tensordot(m, m, axes=[[0], [0], [1]]), (ValueError,)),
    "batched_dot of a scalar": (lambda: T.batched_dot(s, t), (TypeError,)),
    "reshape, two unknown": (lambda: T.reshape(x, (-1, -1)), (ValueError,)),
    "reshape to a fraction": (lambda: T.reshape(x, (2.5, 2)), (TypeError,)),
    "reshape in a call": (lambda: run([x], T.reshape(x, (2, 2)), [1.0, 2, 3]), (ValueError,)),
    "flatten": (lambda: T.flatten(m, 3), (ValueError,)),
    "concatenate of no list": (lambda: T.concatenate(x), (TypeError,)),
    "join in a call": (lambda: run([m], T.join(0, m, np.ones((3, 3))), EYE), (ValueError,)),
    "split, fractions": (lambda: T.split(x, v, 2), (TypeError,)),
    "split, another sum": (lambda: run([x], T.split(x, [1, 1], 2), [1.0, 2, 3]), (ValueError,)),
    "split, negative": (lambda: run([x], T.split(x, [4, -1], 2), [1.0, 2, 3]), (ValueError,)),
    "split, another count": (lambda: T.split(x, [1, 1, 1], 2), (ValueError,)),
    "alloc, fraction": (lambda: T.alloc(s, 2.5), (TypeError,)),
    "alloc, too few dims": (lambda: T.alloc(m, 3), MIXED),
    "alloc in a call": (lambda: run([x], T.alloc(x, 3), [1.0, 2.0]), (ValueError,)),
    "diag of a scalar": (lambda: T.diag(s), (ValueError,)),
    "nonzero of a scalar": (lambda: T.nonzero(s), (ValueError,)),
    "flatnonzero of a scalar": (lambda: T.flatnonzero(s), (ValueError,)),
    "nonzero_values of a scalar": (lambda: T.nonzero_values(s), (ValueError,)),
    "tile, fraction": (lambda: T.tile(x, 2.5), (ValueError,)),
    "tile, fractions": (lambda: T.tile(m, (2.5, 1)), (ValueError,)),
    "tile, symbolic fraction": (lambda: T.tile(x, [T.fscalar()]), (ValueError,)),
    "tile, lists in a list": (lambda: T.tile(x, [[2]]), (ValueError,)),
    "tile, vector of unknown length": (lambda: T.tile(x, n), (ValueError,)),
    "tile, ndim too small": (lambda: T.tile(m, (1, 1), ndim=1), (ValueError,)),
    "repeat, fraction": (lambda: T.repeat(x, x), (TypeError,)),
    "repeat, matrix": (lambda: T.repeat(x, T.lmatrix()), MIXED),
    "repeat in a call": (lambda: run([x], T.repeat(x, [1, 2]), [1.0, 2, 3]), (ValueError,)),
    "repeat, axis": (lambda: T.repeat(x, 2, axis=4), (ValueError,)),
    "cumsum": (lambda: T.cumsum(x, axis=3), (ValueError,)),
    "cumprod": (lambda: T.cumprod(x, axis=-3), (ValueError,)),
    "sort": (lambda: T.sort(x, axis=3), (ValueError,)),
    "max_and_argmax": (lambda: T.max_and_argmax(m, axis=-3), (ValueError,)),
    "argmin": (lambda: T.argmin(m, axis=3), (ValueError,)),
    "mean of complex numbers in reals": (lambda: T.mean(z, dtype="float64"), (TypeError,)),
    "sum of complex numbers in reals": (lambda: z.sum(dtype="float64"), (TypeError,)),
    "sum of floats in integers": (lambda: x.sum(acc_dtype="int32"), (TypeError,)),
    "product of floats in integers": (lambda: x.prod(acc_dtype="int32"), (TypeError,)),
    "bincount of floats": (lambda: T.bincount(x), (TypeError,)),
    "bincount of a matrix": (lambda: T.bincount(T.lmatrix()), (TypeError,)),
    "bincount in a call": (lambda: run([n], T.bincount(n), [-1]), (ValueError,)),
    "bartlett": (lambda: T.bartlett(n), (TypeError,)),
    "fill_diagonal of a vector": (lambda: T.fill_diagonal(x, 1), (TypeError,)),
    "fill_diagonal_offset, fraction": (lambda: T.fill_diagonal_offset(m, 1, s), (TypeError,)),
    "searchsorted in a matrix": (lambda: T.searchsorted(m, s), (ValueError,)),
    "searchsorted, side": (lambda: T.searchsorted(x, s, side="up"), (ValueError,)),
    "searchsorted, sorter of floats": (lambda: T.searchsorted(x, s, sorter=v), (TypeError,)),
    "searchsorted, matrix as sorter": (lambda: T.searchsorted(x, s, sorter=T.lmatrix()), MIXED),
    "topk": (lambda: run([x], T.topk(x, 5), [1.0]), (ValueError,)),
    "index, fraction": (lambda: x[0.5], (TypeError,)),
    "index, text": (lambda: x["a"], (TypeError,)),
    "index, slice of fractions": (lambda: x[T.fscalar() : T.fscalar()], (TypeError,)),
    "index, list of fractions": (lambda: x[[0.0, 0.0]], (TypeError,)),
    "index, two ellipses": (lambda: t[..., ...], (IndexError,)),
    "index of a list outside": (lambda: run([x], x[[0, 5]], [1.0]), (IndexError,)),
    "set_subtensor of no part": (lambda: T.set_subtensor(x, 1), (TypeError,)),
    "set_subtensor, more dims": (lambda: T.set_subtensor(x[0], x), (ValueError,)),
    "inc_subtensor, complex": (lambda: T.inc_subtensor(v[0], T.zscalar()), (TypeError,)),
    "set_subtensor in a call": (
        lambda: run([x, n], T.set_subtensor(x[:2], n), [1.0, 2, 3], [1, 2, 3]), (ValueError,)
    ),
    "assignment": (lambda: x.__setitem__(0, 1), (TypeError,)),
    "truth of a comparison": (lambda: bool(x < 1), (TypeError,)),
    "length": (lambda: len(x), (TypeError,)),
    "no constant, from NumPy": (
        lambda: T.get_scalar_constant_value(np.array([0, 1])), (NotScalarConstantError,)
    ),
    "empty constant": (lambda: T.get_scalar_constant_value(np.array([])), (EmptyConstantError,)),
    "type, dtype": (lambda: T.TensorType("text", ()), (TypeError,)),
    "filter, dims": (lambda: T.dvector.filter(np.ones((2, 2))), (TypeError,)),
    "filter, row": (lambda: T.drow.filter(np.ones((2, 2))), (TypeError,)),
    "filter, precision": (lambda: T.fvector.filter(np.array([1.1])), (TypeError,)),
    "filter, strict": (lambda: T.dvector.filter([1, 2], strict=True), (TypeError,)),
    "filter_variable": (lambda: T.dvector.filter_variable(m), (TypeError,)),
    "categorical_crossentropy": (
        lambda: T.nnet.categorical_crossentropy(m, s), (TypeError,)
    ),
    "one argument too many": (lambda: run([x], x, [1.0], [2.0]), (TypeError,)),
    "one argument too few": (lambda: run([x], x), (TypeError,)),
    "unknown keyword": (lambda: function([x], x, mode="INTERPRET")([1.0], y=1), (TypeError,)),
    "argument given twice": (lambda: function([x], x, mode="INTERPRET")([1.0], x=1), (TypeError,)),
    "argument, precision": (lambda: run([v], v, np.ones(2)), (TypeError,)),
    "argument, strict": (lambda: run([In(x, strict=True)], x, [1, 2]), (TypeError,)),
    "no such input": (lambda: function([x, named], x * s)["no"], (KeyError,)),
    "no such input to set": (
        lambda: function([x, named], x * s).__setitem__("no", 1), (KeyError,)
    ),
    "input of another kind": (lambda: function(["a"], x), (TypeError,)),
    "output of another kind": (lambda: function([x], "a"), (TypeError,)),
    "shared variable as input": (lambda: function([w], w), (TypeError,)),
    "name of another kind": (lambda: function([In(x, name={"a"})], x), (TypeError,)),
    "no_default_updates": (lambda: function([], w, no_default_updates=5), (TypeError,)),
    "givens of another type": (lambda: function([x], x, givens=[(x, m)]), (TypeError,)),
    "mode": (lambda: function([x], x, mode="NO"), (ValueError,)),
    "on_unused_input": (lambda: function([x], s, on_unused_input="no"), (ValueError,)),
    "shared of a variable": (lambda: shared(x), (TypeError,)),
    "shared, unknown keyword": (lambda: shared(1.0, no=1), (TypeError,)),
    "set_value, out of range": (lambda: shared(np.ones(1, "int8")).set_value([300]), (TypeError,)),
    "set_value, strict": (lambda: shared(np.ones(2), strict=True).set_value([1, 2]), (TypeError,)),
    "updates, key": (lambda: OrderedUpdates({"a": 1}), (TypeError,)),
    "updates, two": (lambda: OrderedUpdates({w: w}) + OrderedUpdates({w: w + 1}), (KeyError,)),
    "gradient of integers": (lambda: grad(n.sum(), n), (TypeError,)),
    "undefined gradient": (lambda: grad(undefined_grad(s), s), (NullTypeGradError,)),
    "disconnected_inputs": (lambda: grad(s, s, disconnected_inputs="no"), (ValueError,)),
    "Rop, lengths": (lambda: Rop([x], [x, m], [x]), (ValueError,)),
    "Rop, dims": (lambda: Rop(x, x, m), (ValueError,)),
    "verify_grad of integers": (lambda: verify_grad(T.sqr, [np.ones(3, "int8")]), (TypeError,)),
    "inverse, singular": (
        lambda: run([m], nlinalg.matrix_inverse(m), np.zeros((2, 2))), (LinAlgError,)
    ),
    "inverse, not square": (
        lambda: run([m], nlinalg.matrix_inverse(m), np.zeros((2, 3))), (LinAlgError, ValueError)
    ),
    "determinant, not square": (
        lambda: run([m], nlinalg.det(m), np.zeros((2, 3))), (LinAlgError, ValueError)
    ),
    "inverse of 2 by 3": (lambda: nlinalg.matrix_inverse(np.ones((2, 3))), (LinAlgError,)),
    "Cholesky": (lambda: run([m], slinalg.cholesky(m), -EYE), (LinAlgError,)),
    "norm of a vector": (lambda: nlinalg.norm(x, "fro"), (ValueError,)),
    "norm of a matrix": (lambda: nlinalg.norm(m, 0), (ValueError,)),
    "config, name": (lambda: config.no, (AttributeError,)),
    "config, value": (lambda: setattr(config, "floatX", "no"), (ValueError,)),
    "test value": (lambda: x.tag.test_value, (AttributeError,)),
    "sparse.add, number": (lambda: sparse.add(sparse.csr_matrix(), 1.0), (NotImplementedError,)),
    "dense for sparse": (lambda: sparse.as_sparse_variable(m), (TypeError,)),
    "sparse.dot of dense": (lambda: sparse.structured_dot(m, m), (TypeError,)),
    "sparse.eq of dense": (lambda: sparse.eq(m, m), (TypeError,)),
    "csr_from_dense of a vector": (lambda: sparse.csr_from_dense(x), (TypeError,)),
    "CSR of a matrix": (lambda: sparse.CSR(m, n, n, n), (TypeError,)),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_errors_are_caught_as_in_theano(case: str) -> None:
    call, classes = CASES[case]
    for wanted in classes:
        with pytest.raises(wanted):
            call()


def test_a_failed_set_value_changes_nothing() -> None:
    for value in (np.ones((3, 3), "float32"), np.zeros(3), "abc", None):
        with pytest.raises(TypeError):
            w.set_value(value)
        assert w.get_value().tolist() == [1, 1, 1]


def test_a_node_of_one_output_is_an_array() -> None:
    y = x + 1
    assert T.as_tensor_variable(y.owner) is y


@pytest.mark.needs_cc
def test_classes_of_errors_in_c() -> None:
    f = function([x, m], [T.specify_shape(x, (2,)), nlinalg.det(m)])
    for value, matrix, wanted in (([1.0], EYE, AssertionError), ([1.0, 2], EYE[:1], LinAlgError)):
        with pytest.raises(wanted):
            f(value, matrix)

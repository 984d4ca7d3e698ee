"""Ops that run as Python inside a compiled function: their arguments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import Apply, Op
from symtheano.codegen.runtime.python_ops import ArraySpec, PythonOp, python_op
from tests.support.compare import check


class Same(Op):
    """A copy of an array."""

    __props__ = ()

    def make_node(self, x: Any) -> Apply:
        return Apply(self, [x], [x.type()])

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[Any]:
        return shapes

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        output_storage[0][0] = np.array(inputs[0])


@pytest.mark.needs_cc
def test_arrays_in_any_order_of_memory() -> None:
    x, v = T.matrix("x"), T.vector("v")
    views = [
        x, x.T, x[::-1], x[::-1, ::-1], x[1:, 1:], x[:, 1], T.alloc(v, 2, v.shape[0]),
        v.dimshuffle("x", 0), x[v.shape[0] - 2],
    ]  # fmt: skip
    same = Same()
    f = check(
        [x, v], [same(view) for view in views], [[np.arange(9.0).reshape(3, 3), np.arange(3.0)]],
        lambda x, v: [
            x, x.T, x[::-1], x[::-1, ::-1], x[1:, 1:], x[:, 1], np.stack([v, v]), v[None], x[1],
        ],
    )  # fmt: skip
    assert len(f.lowered.python) == len(views)


MATRIX, NUMBER = ArraySpec(np.dtype("float64"), 2), ArraySpec(np.dtype("int64"), 0)


def op(results: Any, *specs: ArraySpec) -> PythonOp:
    """Return an op without arguments that returns some results."""
    return PythonOp(lambda: results, (), specs)


def test_results_are_as_c_reads_them() -> None:
    data = np.arange(12.0).reshape(3, 4)
    bytes_ = np.zeros(97, "uint8")[1:]
    misaligned = bytes_.view("float64").reshape(3, 4)
    misaligned[...] = data
    for given in (data, data[::-1, ::2], data.T, np.asfortranarray(data), misaligned):
        (found,) = op([given], MATRIX).run()
        assert found.flags.c_contiguous
        assert found.flags.aligned
        np.testing.assert_array_equal(found, given)
    assert op([data], MATRIX).run()[0] is data
    (number,) = op([7], NUMBER).run()
    assert (number.shape, number.dtype) == ((), np.dtype("int64"))


@pytest.mark.parametrize(
    ("results", "error", "words"),
    [
        ([], ValueError, "returned 0 of 1 outputs"),
        ([np.zeros((2, 2))] * 2, ValueError, "returned 2 of 1 outputs"),
        (
            [np.zeros(2)],
            TypeError,
            "output 0 is float64 with 1 dimensions, but its op declared f",
        ),
        ([np.zeros((2, 2), "float32")], TypeError, "output 0 is float32 with 2 dimensions"),
        ([np.zeros((2, 2), ">f8")], TypeError, "output 0 is >f8 with 2 dimensions"),
        ([None], TypeError, "output 0 is object"),
    ],
)
def test_promises_are_held(results: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        op(results, MATRIX).run()


def test_an_op_is_run_with_its_types() -> None:
    x = T.matrix("x")
    made = python_op(Same()(x).owner)
    assert (made.inputs, made.outputs) == ((MATRIX,), (MATRIX,))
    (found,) = made.run(np.eye(2))
    np.testing.assert_array_equal(found, np.eye(2))

"""Ops on integers, and whether integers are the beginnings of segments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from symtheano.graph.variable import Apply, Op
from symtheano.lowering import Statements
from symtheano.tensor.shapes.shape import shape_of
from symtheano.tensor.type import TensorType

if TYPE_CHECKING:
    from symtheano.loopir import Builder, NodeArrays


class SegmentOp(Op):
    """Base class of ops on integers, which have no gradients."""

    __props__: tuple[str, ...] = ()
    differentiable_inputs = 0

    def vectorize(self, node: Apply, batch: Any) -> list[Any]:
        """Raise an error: the items of a batch would differ in structure."""
        batch.needs_plain(node, 0)
        return super().vectorize(node, batch)


class AreStarts(SegmentOp):
    """Whether integers can be starts, increasing from zero; and the last of them."""

    takes = "j1"

    def infer(self, *inputs: Any) -> Sequence[Any]:
        return [TensorType("bool", ()), TensorType("int64", ())]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        return [(), ()]

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        (starts,) = inputs
        rise = len(starts) and starts[0] == 0 and (starts[1:] >= starts[:-1]).all()
        output_storage[0][0] = np.asarray(bool(rise))
        output_storage[1][0] = np.asarray(starts[-1] if len(starts) else 0, "int64")

    @Statements
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        """Count decreases; check the first and the last, if there are any."""
        (starts,) = arrays.inputs
        count, zero, none = starts.shape[0], b.literal(0, "int64"), b.literal(0, starts.dtype)
        falls = b.declare("falls", none)
        sums = ((falls, "add"),)
        with b.loop("i", count, 1, kind="simd", reductions=sums) as i:
            fall = b.let("lt", "bool", [b.load(starts, [i]), b.load(starts, [i - 1])])
            b.assign(falls, b.let("add", starts.dtype, [falls, b.cast(fall, starts.dtype)]))
        good, last = b.declare("good", b.literal(False, "bool")), b.declare("last", zero)
        with b.branch(b.let("gt", "bool", [b.operand(count), zero])):
            begins = b.let("eq", "bool", [b.load(starts, [0]), none])
            rises = b.let("eq", "bool", [falls, none])
            b.assign(good, b.let("and_", "bool", [begins, rises]))
            b.assign(last, b.cast(b.load(starts, [count - 1]), "int64"))
        b.store(arrays.outputs[0], [], good)
        b.store(arrays.outputs[1], [], last)


def length(vector: Any) -> Any:
    """Return the length of a vector: an int if it is known, else a 0-d int64 variable."""
    return shape_of(vector)[0]

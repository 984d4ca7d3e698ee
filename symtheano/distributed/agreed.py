"""A number that is the same on all ranks, as an op that compares it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from symtheano.distributed.collective import Array, Collective
from symtheano.graph.variable import Apply
from symtheano.lowering import Statements

if TYPE_CHECKING:
    from symtheano.loopir import Builder, NodeArrays


class SameNumber(Collective):
    """A number of iterations, a 0-d int64, after all ranks have found that they have the same."""

    __props__ = ("number", "digest", "fixed")
    called = "the number of iterations"
    perform = Collective.exchange

    def has_fixed_length(self, node: Apply) -> bool:
        """The number is compared in each call, as lengths are."""
        return False

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        return [(), ()]

    def essence(self, *values: Array) -> tuple[object, ...]:
        return (int(values[0]),)

    def communicate(self, *values: Array) -> Array:
        return values[0].copy()

    @partial(Statements, may_fail=True, scalars=lambda op, node, shapes: [node.inputs[0]])
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        """Compare the number as if it were a length."""
        (count,), (result, token) = arrays.scalars, arrays.outputs
        self.call(b, node, "same_number", count, count, result.address, token.address)

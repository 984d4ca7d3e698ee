"""Numbers that decide what runs, as ops that compare them: they are the same on all ranks."""

from __future__ import annotations

from collections.abc import Sequence
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

    def compared_lengths(self, node: Apply) -> tuple[int | None, ...]:
        """The number is compared in each call, as lengths are."""
        return (None,)

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        return [(), ()]

    def essence(self, *values: Array) -> tuple[object, ...]:
        return (int(values[0]),)

    def communicate(self, *values: Array) -> Array:
        return values[0].copy()

    def described(self, node: Apply, values: Sequence[int]) -> str:
        return f"{self.called} is {values[0]}"

    @partial(Statements, may_fail=True, scalars=lambda op, node, shapes: [node.inputs[0]])
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        """Compare the number as if it were a length."""
        (count,), (result, token) = arrays.scalars, arrays.outputs
        self.call(b, node, "same_number", count, count, result.address, token.address)


class SameCondition(Collective):
    """A condition as a 0-d int64, 0 or 1, after all ranks have found that they have the same."""

    __props__ = SameNumber.__props__
    called = "the condition"
    difference = (
        "it is not the same on all ranks, and decides whether operations on all ranks run; "
        "reduce it with allreduce, for example with its maximum"
    )
    perform = Collective.exchange
    compared_lengths = SameNumber.compared_lengths
    infer_shape = SameNumber.infer_shape
    essence = SameNumber.essence
    communicate = SameNumber.communicate
    described = SameNumber.described
    lowering = SameNumber.lowering

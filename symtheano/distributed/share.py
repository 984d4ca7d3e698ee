"""The share of a rank in the samples of all ranks, and whether all have the same parameters."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from symtheano.codegen.routines.mpi import DIFFERENT
from symtheano.codegen.runtime.mpi import world
from symtheano.distributed.collective import Array, Collective
from symtheano.formats import MOST_VALUES
from symtheano.graph.variable import Apply
from symtheano.lowering import Statements
from symtheano.tensor.messages import build_message, call_message
from symtheano.tensor.type import TensorType

if TYPE_CHECKING:
    from symtheano.loopir import Builder, NodeArrays


class Share(Collective):
    """The factor of a rank's gradients: its weight divided by the sum of all ranks' weights.

    The inputs are the weight, a 0-d float64 that is not negative, and arrays that have the same
    shape on all ranks. Their elements are not read. In each call the ranks compare these shapes, in
    the message that adds up the weights. The output is a 0-d float64: 0 if all weights are.

    Parameters
    ----------
    divides
        Whether the weight is divided; otherwise, it is the output itself.
    operands
        The number of inputs without the token.
    number, digest, fixed
        See :class:`Collective`.
    """

    __props__ = ("divides", "operands", "number", "digest", "fixed")
    called = "the sum of gradients"
    differentiable_inputs = 0
    perform = Collective.exchange

    def __init__(
        self,
        divides: bool,
        operands: int,
        number: int = -1,
        digest: int = 0,
        fixed: bool = False,
    ) -> None:
        super().__init__(number, digest, fixed)
        self.divides, self.operands = divides, operands

    def compared_lengths(self, node: Apply) -> tuple[int | None, ...]:
        """Shapes are compared in each call, in another way."""
        return ()

    def result(self, *inputs: Any) -> Any:
        if inputs[0].type != TensorType("float64", ()):
            raise TypeError(build_message(f"{self}: the weight is not a 0-d float64", inputs[0]))
        return TensorType("float64", ())

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        return [(), ()]

    def essence(self, *values: Array) -> tuple[object, ...]:
        return self.divides, *(value.shape for value in values[1:])

    def communicate(self, *values: Array) -> Array:
        own, total = np.array(values[0], "float64"), np.empty((), "float64")
        if not self.divides:
            return own
        world().comm.Allreduce(own, total, world().mpi.SUM)
        return np.asarray(own / total if total > 0 else 0.0)

    @partial(Statements, may_fail=True)
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        """Describe all shapes by one number, and call MPI_Allreduce."""
        from symtheano.loopir.index import Index

        own, *models = arrays.inputs[: self.operands]
        share, token = arrays.outputs
        lengths = [Index.of(length) for model in models for length in model.shape]
        described = Index.of(0)
        for number, length in enumerate(lengths):
            described = described + length * _factor(number)
        arguments = (self.number, self.digest, int(self.divides), described, own.address)
        status: Any = b.call("rank_share", *arguments, share.address, token.address)
        # A message holds a few integers; it names the parameters whose shapes it has.
        values = [b.as_index(status), *lengths[: MOST_VALUES - 1]]
        self.check(b, node, status, values)

    def explain(
        self, node: Apply, values: Sequence[int], everyone: Sequence[object] | None = None
    ) -> str:
        """Name the arrays whose shapes differ."""
        status, *lengths = values
        if status != DIFFERENT or everyone is not None:
            return super().explain(node, values, everyone)
        here, mine = world(), []
        models = list(node.inputs[1 : self.operands])
        while models and models[0].ndim <= len(lengths):
            model = models.pop(0)
            shape, lengths = tuple(lengths[: model.ndim]), lengths[model.ndim :]
            mine.append(f"{model.describe()} has the shape {shape}")
        shapes = here.waiting(partial(here.control.allgather, mine))
        differ = [k for k, each in enumerate(zip(*shapes, strict=False)) if len(set(each)) > 1]
        lines = [f"rank {r}: {', '.join(each[k] for k in differ)}" for r, each in enumerate(shapes)]
        others = f"it is {models[0].describe()} or a later one" if models else None
        what = f"{self.called} (rank {here.rank}): the shapes of parameters differ"
        return call_message(what, node, hint="; ".join(lines) if differ else others)


def _factor(number: int) -> int:
    """Return an odd number of 20 bits for a length, so that exchanged lengths differ, too."""
    return number * 0x9E375 % (1 << 20) | 1

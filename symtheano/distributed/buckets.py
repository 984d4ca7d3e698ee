"""Gradients that are added up over ranks together, while others are still computed.

:class:`BucketStart` copies its operands into a bucket, memory that belongs to the function, and
begins the reduction; :class:`BucketTake` waits for its end and copies them out. A start has the
token of the start before it as its first input, so that it is scheduled before the gradients of
later buckets are computed.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from symtheano import dtypes
from symtheano.codegen.routines.mpi import DIFFERENT, MPI_DTYPES
from symtheano.codegen.runtime.mpi import world
from symtheano.distributed.collective import Array, Collective
from symtheano.errors import DistributedError
from symtheano.graph.variable import Apply
from symtheano.lowering import Statements, contiguous
from symtheano.tensor.basic import as_tensor_variable
from symtheano.tensor.type import TensorType

if TYPE_CHECKING:
    from symtheano.loopir import Builder, NodeArrays

_waiting: dict[tuple[int, int], Array] = {}
"""Sums of buckets that the interpreter has not taken yet, by digest and bucket."""


class BucketStart(Collective):
    """Begins to add up gradients over ranks, times a factor of each rank.

    The inputs are a token, the factor, a 0-d real number, and the gradients, all of one dtype. The
    output is a token. Where the factor is 0, gradients count as zeros, even if they are NaN.

    Parameters
    ----------
    bucket
        The number of the bucket.
    overlap
        Whether the call goes on before the other ranks have added theirs.
    number, digest, fixed
        See :class:`Collective`.
    """

    __props__ = ("bucket", "overlap", "number", "digest", "fixed")
    called = "the sum of gradients"
    differentiable_inputs = 0
    default_output = None

    def __init__(
        self,
        bucket: int,
        overlap: bool,
        number: int = -1,
        digest: int = 0,
        fixed: bool = False,
    ) -> None:
        super().__init__(number, digest, fixed)
        self.bucket, self.overlap = bucket, overlap

    def compared_lengths(self, node: Apply) -> tuple[int | None, ...]:
        """A :class:`~symtheano.distributed.share.Share` has compared the lengths."""
        return ()

    def chained(self, inputs: Sequence[Any], token: Any) -> list[Any]:
        return [token, *inputs[1:]]

    def make_node(self, *inputs: Any) -> Apply:
        """Check the dtypes."""
        variables = [as_tensor_variable(item) for item in inputs]
        dtype = variables[2].dtype
        real = dtypes.real_of(dtype)
        if any(item.dtype != dtype for item in variables[2:]) or variables[1].dtype != real:
            raise TypeError(f"{self}: the dtypes of gradients or factor differ")
        return Apply(self, variables, [TensorType("int64", ())])

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        return [()]

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        """Add up at once."""
        _, factor, *gradients = inputs
        here = world()
        mine = (self.bucket, str(gradients[0].dtype), [item.shape for item in gradients])
        everyone = here.waiting(partial(here.control.allgather, mine))
        if any(other != mine for other in everyone):
            raise DistributedError(self.explain(node, [DIFFERENT], everyone))
        parts = [np.zeros_like(g) if factor == 0 else g * factor for g in gradients]
        whole = np.concatenate([np.ravel(part) for part in parts])
        total = np.empty_like(whole)
        here.waiting(partial(here.comm.Allreduce, whole, total, here.mpi.SUM))
        _waiting[self.digest, self.bucket] = total
        output_storage[0][0] = np.asarray(self.number + 1, "int64")

    @partial(Statements, accepts=contiguous, may_fail=True)
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        """Copy each gradient into the bucket, then call MPI."""
        from symtheano.loopir.index import Index

        _, factor, *gradients = arrays.inputs
        total = Index.of(0)
        for view in gradients:
            total = total + view.size
        scale, offset = b.load(factor, []), Index.of(0)
        for view in gradients:
            where = (self.bucket, offset, view.size, total)
            self.check_status(b, node, b.call("bucket_put", *where, scale, view.address), total)
            offset = offset + view.size
        dtype = node.inputs[2].dtype
        kind = MPI_DTYPES.index(dtype), np.dtype(dtype).itemsize, int(self.overlap)
        self.call(b, node, "bucket_start", total, self.bucket, total, *kind,
                  arrays.outputs[0].address)  # fmt: skip

    def connection_pattern(self, node: Apply) -> list[list[bool]]:
        """Nothing is connected: gradients of gradients are taken before."""
        return [[False]] * len(node.inputs)


class BucketTake(Collective):
    """Waits for a bucket, and takes its gradients out.

    The inputs are a token, and for each gradient a model: an array of the same shape, whose
    elements are not read. The outputs are the gradients, and a token.

    Parameters
    ----------
    bucket
        The number of the bucket.
    dtype
        The dtype of the gradients.
    number, digest, fixed
        See :class:`Collective`.
    """

    __props__ = ("bucket", "dtype", "number", "digest", "fixed")
    called = "the sum of gradients"
    differentiable_inputs = 0
    default_output = None

    def __init__(
        self,
        bucket: int,
        dtype: str,
        number: int = -1,
        digest: int = 0,
        fixed: bool = False,
    ) -> None:
        super().__init__(number, digest, fixed)
        self.bucket, self.dtype = bucket, dtype

    compared_lengths = BucketStart.compared_lengths

    def chained(self, inputs: Sequence[Any], token: Any) -> list[Any]:
        return [token, *inputs[1:]]

    def make_node(self, *inputs: Any) -> Apply:
        """The gradients have the shapes of the models."""
        variables = [as_tensor_variable(item) for item in inputs]
        results = [TensorType(self.dtype, item.type.shape) for item in variables[1:]]
        return Apply(self, variables, [*results, TensorType("int64", ())])

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        return [*shapes[1:], ()]

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        """Take what :class:`BucketStart` has left."""
        whole, start = _waiting.pop((self.digest, self.bucket)), 0
        for cell, model in zip(output_storage, inputs[1:], strict=False):
            size = int(np.size(model))
            cell[0] = whole[start : start + size].reshape(np.shape(model))
            start += size
        output_storage[-1][0] = np.asarray(self.number + 1, "int64")

    @partial(Statements, may_fail=True)
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        """Wait, and copy."""
        from symtheano.loopir.index import Index

        offset = Index.of(0)
        *results, token = arrays.outputs
        for view in results:
            where = (self.bucket, offset, view.size, view.address, token.address)
            self.call(b, node, "bucket_take", view.size, *where, agrees=False)
            offset = offset + view.size

    def connection_pattern(self, node: Apply) -> list[list[bool]]:
        """Nothing is connected."""
        return [[False] * len(node.outputs) for _ in node.inputs]

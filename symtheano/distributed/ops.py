"""The operations: reductions, and arrays of one or of all ranks."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from symtheano.codegen.routines.mpi import OPERATIONS
from symtheano.codegen.runtime.mpi import world
from symtheano.distributed.collective import Array, Collective, rank, size
from symtheano.errors import DistributedError
from symtheano.graph.variable import Apply
from symtheano.lowering import Statements, contiguous
from symtheano.scalar import table as scalar
from symtheano.tensor.basic import as_tensor_variable, cast
from symtheano.tensor.creation.ranges import arange
from symtheano.tensor.indexing.subtensor import set_subtensor
from symtheano.tensor.messages import build_message
from symtheano.tensor.shapes.shape import dim_value, shape_of
from symtheano.tensor.type import TensorType

if TYPE_CHECKING:
    from symtheano.loopir import Builder, NodeArrays


class AllReduce(Collective):
    """The sum, product, maximum or minimum over ranks, for each element.

    Parameters
    ----------
    operation
        One of ``sum``, ``prod``, ``max`` and ``min``.
    number, digest, fixed
        See :class:`Collective`.
    """

    __props__ = ("operation", "number", "digest", "fixed")
    called = "allreduce"
    perform = Collective.exchange

    def __init__(
        self,
        operation: str = "sum",
        number: int = -1,
        digest: int = 0,
        fixed: bool = False,
    ) -> None:
        super().__init__(number, digest, fixed)
        self.operation = operation

    def essence(self, *values: Array) -> tuple[object, ...]:
        return self.operation, str(values[0].dtype), values[0].shape

    def communicate(self, *values: Array) -> Array:
        x, mpi = values[0], world().mpi
        result = np.empty_like(x)
        if x.dtype.kind == "f" and self.operation in ("max", "min"):
            mapped = np.empty_like(keys := _ordered(x, self.operation))
            world().comm.Allreduce(keys, mapped, getattr(mpi, self.operation.upper()))
            return _unordered(mapped, x.dtype)
        bits: Any = "uint8" if x.dtype == bool else x.dtype
        operation = getattr(mpi, self.operation.upper())
        world().comm.Allreduce(x.reshape(-1).view(bits), result.reshape(-1).view(bits), operation)
        return result

    @partial(Statements, accepts=contiguous, may_fail=True)
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        """Call MPI_Allreduce."""
        x, (y, token) = arrays.inputs[0], arrays.outputs
        code = OPERATIONS.index(self.operation)
        arguments = (code, x.size, x.address, y.address, token.address)
        self.call(b, node, "allreduce", x.size, *arguments)

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """The sum of all ranks' gradients, times the derivative by this rank's element."""
        x, y, rest = inputs[0], outputs[0], [None] * (len(inputs) - 1)
        g = AllReduce()(output_grads[0])
        if self.operation == "sum":
            return [g, *rest]
        if self.operation == "prod":
            # The product of the others: without a division, as factors may be zero.
            rows = gather_rows(x.dimshuffle("x", *range(x.ndim)))
            own = scalar.eq(_positions(rows), rank())
            others = scalar.switch(own.dimshuffle(0, *["x"] * x.ndim), _one(x), rows)
            return [g * scalar.conj(others.prod(axis=0)), *rest]
        return [scalar.switch(scalar.eq(x, y), g, g.zeros_like()), *rest]

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        """The sum over ranks, if the operation is linear."""
        if self.operation != "sum":
            raise NotImplementedError(
                build_message(f"allreduce: forward mode of {self.operation}", *inputs)
            )
        return super().R_op(inputs, eval_points)


def _positions(rows: Any) -> Any:
    return arange(dim_value(shape_of(rows)[0]), dtype="int64")


def _one(x: Any) -> Any:
    return x.constant_like(1)


def _keys(dtype: Any) -> tuple[Any, int]:
    bits = 8 * np.dtype(dtype).itemsize
    return np.dtype(f"int{bits}"), (1 << (bits - 1)) - 1


def _ordered(x: Array, operation: str) -> Array:
    """Map floats to integers in the same order, NaN to the last one; see ``allreduce.c``."""
    kind, most = _keys(x.dtype)
    keys = x.view(kind)
    keys = np.where(keys < 0, keys ^ kind.type(most), keys)
    last = kind.type(most if operation == "max" else -most - 1)
    mapped: Array = np.where(np.isnan(x), last, keys)
    return mapped


def _unordered(keys: Array, dtype: Any) -> Array:
    kind, most = _keys(dtype)
    bits: Array = np.where(keys < 0, keys ^ kind.type(most), keys).astype(kind).view(dtype)
    return bits


class Broadcast(Collective):
    """The array of one rank, on all ranks.

    Parameters
    ----------
    root
        The rank.
    number, digest, fixed
        See :class:`Collective`.
    """

    __props__ = ("root", "number", "digest", "fixed")
    called = "broadcast"
    perform = Collective.exchange

    def __init__(
        self,
        root: int = 0,
        number: int = -1,
        digest: int = 0,
        fixed: bool = False,
    ) -> None:
        super().__init__(number, digest, fixed)
        self.root = root

    def essence(self, *values: Array) -> tuple[object, ...]:
        return self.root, str(values[0].dtype), values[0].shape

    def communicate(self, *values: Array) -> Array:
        result = values[0].copy()
        _check_root(self, world().size)
        world().comm.Bcast(result.reshape(-1).view("uint8"), self.root)
        return result

    @partial(Statements, accepts=contiguous, overwrites=0, may_fail=True)
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        """Call MPI_Bcast; the result is a copy of the operand before."""
        y, token = arrays.outputs
        size = np.dtype(node.outputs[0].dtype).itemsize
        arguments = (self.root, y.size * size, y.address, token.address)
        self.call(b, node, "broadcast", y.size, *arguments)

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """The sum of all ranks' gradients on the root, and zeros on the others."""
        g = AllReduce()(output_grads[0])
        own = scalar.switch(scalar.eq(rank(), self.root), g, g.zeros_like())
        return [own, *[None] * (len(inputs) - 1)]


def _check_root(op: Any, size: int) -> None:
    if op.root >= size:
        raise DistributedError(f"{op.called}: there is no root {op.root} among {size} ranks")


class AllGather(Collective):
    """The rows of all ranks, one after the other.

    Inputs are the rows of this rank, and the vector of the numbers of rows of all ranks.
    """

    __props__ = ("number", "digest", "fixed")
    called = "allgather"
    operands = 2
    perform = Collective.exchange

    def result(self, *inputs: Any) -> Any:
        return TensorType(inputs[0].dtype, (None, *inputs[0].type.shape[1:]))

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        return [(node.inputs[1].sum(dtype="int64"), *shapes[0][1:]), ()]

    def compared_lengths(self, node: Apply) -> tuple[int | None, ...]:
        """The ranks compare the bytes of a row."""
        return tuple(node.inputs[0].type.shape[1:])

    def essence(self, *values: Array) -> tuple[object, ...]:
        return str(values[0].dtype), values[0].shape[1:]

    def communicate(self, *values: Array) -> Array:
        x, lengths = values
        result = np.empty((int(lengths.sum()), *x.shape[1:]), x.dtype)
        start = 0
        for root, length in enumerate(lengths.tolist()):
            part = result[start : start + length]
            if root == world().rank:
                part[...] = x
            if part.size:
                world().comm.Bcast(part.reshape(-1).view("uint8"), root)
            start += length
        return result

    @partial(Statements, accepts=contiguous, may_fail=True)
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        """Call MPI_Allgatherv."""
        (x, lengths), (y, token) = arrays.inputs[:2], arrays.outputs
        row = _row_bytes(x, node.inputs[0].dtype)
        arguments = (row, x.address, lengths.address, y.address, token.address)
        self.call(b, node, "allgather", x.shape[0], *arguments)

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """The sum of all ranks' gradients, of which each rank takes its rows."""
        x, lengths = inputs[:2]
        before = lengths[: rank()].sum(dtype="int64")
        total = AllReduce()(output_grads[0])
        own = total[before : before + dim_value(shape_of(x)[0])]
        own = own.reshape(shape_of(x))  # as it is said in loops, whose states need lengths
        return [own, *[None] * (len(inputs) - 1)]


class Scatter(Collective):
    """Parts of the rows of one rank, a part for each rank.

    Inputs are the rows, which count on the root alone; the number of rows there; and the number of
    rows that this rank gets.

    Parameters
    ----------
    root
        The rank that has the rows.
    number, digest, fixed
        See :class:`Collective`.
    """

    __props__ = ("root", "number", "digest", "fixed")
    called = "scatter"
    operands = 3
    perform = Collective.exchange

    def __init__(
        self,
        root: int = 0,
        number: int = -1,
        digest: int = 0,
        fixed: bool = False,
    ) -> None:
        super().__init__(number, digest, fixed)
        self.root = root

    def result(self, *inputs: Any) -> Any:
        return TensorType(inputs[0].dtype, (None, *inputs[0].type.shape[1:]))

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        return [(node.inputs[2], *shapes[0][1:]), ()]

    compared_lengths = AllGather.compared_lengths

    def essence(self, *values: Array) -> tuple[object, ...]:
        return self.root, str(values[0].dtype), values[0].shape[1:]

    def communicate(self, *values: Array) -> Array:
        x, _, mine = values
        here = world()
        _check_root(self, here.size)
        result = np.empty((int(mine), *x.shape[1:]), x.dtype)
        if here.rank != self.root:
            here.comm.Recv(result.reshape(-1).view("uint8"), self.root, 1)
            return result
        for other, part in enumerate(np.array_split(x, here.size)):
            if other == self.root:
                result[...] = part
            else:
                here.comm.Send(np.ascontiguousarray(part).reshape(-1).view("uint8"), other, 1)
        return result

    @partial(
        Statements,
        accepts=contiguous,
        may_fail=True,
        scalars=lambda op, node, shapes: [node.inputs[1]],
    )
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        """Call MPI_Send on the root, and MPI_Recv on the others."""
        x, (y, token) = arrays.inputs[0], arrays.outputs
        row = _row_bytes(x, node.inputs[0].dtype)
        arguments = (self.root, arrays.scalars[0], row, x.address, y.address, token.address)
        self.call(b, node, "scatter", row, *arguments)

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """All gradients one after the other on the root, and zeros on the others."""
        x = inputs[0]
        gathered = gather_rows(output_grads[0])
        is_root = scalar.eq(rank(), self.root)
        count = scalar.switch(is_root, shape_of(gathered)[0], 0)
        zeros = x.zeros_like()
        own = gathered[: cast(count, "int64")]
        return [set_subtensor(zeros[: cast(count, "int64")], own), *[None] * (len(inputs) - 1)]


def _row_bytes(x: Any, dtype: str) -> Any:
    from symtheano.loopir.index import product

    return product(x.shape[1:]) * np.dtype(dtype).itemsize


def gather_rows(x: Any) -> Any:
    """Return the rows of all ranks, those of rank 0 first; their numbers may differ.

    Examples
    --------
    >>> x = T.vector("x")
    >>> gather_rows(x).eval({x: [1.0, 2.0]})
    array([1., 2.])
    """
    return AllGather()(x, _lengths(dim_value(shape_of(x)[0])))


def _lengths(length: Any) -> Any:
    """Return the vector of a length of all ranks: each adds its own to zeros."""
    own = scalar.eq(arange(size(), dtype="int64"), rank())
    mine = cast(as_tensor_variable(length), "int64")
    return AllReduce("sum", fixed=True)(scalar.switch(own, mine, np.int64(0)))

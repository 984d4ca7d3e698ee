"""What a plan says of elements: their indices, costs, names and origins."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from symtheano import dtypes
from symtheano.codegen.forms import element_from, row_of
from symtheano.codegen.plan.shapes import Shapes
from symtheano.codegen.plan.steps import Member, Source
from symtheano.codegen.rows import apply_row
from symtheano.graph.op import Op
from symtheano.graph.origin import Origin
from symtheano.graph.variable import Apply
from symtheano.loopir import Builder, Index
from symtheano.loopir.operands import Operand
from symtheano.tensor.elemwise import Elemwise
from symtheano.tensor.reductions.argmax import ArgReduce
from symtheano.tensor.reductions.reduce import CAReduce
from symtheano.tensor.variable import Tensor


class ElementReader(Protocol):
    """What generates elements of arrays."""

    b: Builder
    shapes: Shapes

    def read_at(self, variable: Tensor, index: Sequence[Index]) -> Operand:
        """Generate an element of an array, at any index."""


def element_of(writer: ElementReader, node: Apply, index: Sequence[Index]) -> Operand:
    """Generate one element of a node from its index and elements of its inputs."""
    inputs = node.inputs
    if node.op.form == "elemwise":
        (output,) = node.outputs
        read_here = [writer.read_at(item, own_index(item, index)) for item in inputs]
        return apply_row(writer.b, row_of(node), read_here, output.dtype)

    def read(number: int, where: Sequence[Index]) -> Operand:
        return writer.read_at(inputs[number], list(where))

    return element_from(writer.b, node, list(index), read, writer.shapes.scalars(node))


def through(source: Source, index: Sequence[Index]) -> list[Index]:
    """Return the index of a source's element for an index of the relabelled array."""
    where = [Index.of(0)] * source.variable.ndim
    for position, axis in zip(index, source.axes, strict=True):
        if axis is not None:
            where[axis] = position
    return where


def own_index(item: Tensor, index: Sequence[Index]) -> list[Index]:
    """Return an operand's index: zero along broadcast axes."""
    lengths = item.type.shape
    return [Index.of(0) if n == 1 else i for n, i in zip(lengths, index, strict=True)]


def cost_of(member: Member) -> int:
    """Return a member's approximate cost per element, in additions."""
    op = member.node.op
    return op.scalar_op.cost if isinstance(op, Elemwise) else 2


def label_of(member: Member) -> str:
    """Return a readable name of a member."""
    return label_of_op(member.node.op)


def label_of_op(op: Op) -> str:
    """Return an op's name as part of an identifier."""
    if isinstance(op, Elemwise):
        return op.scalar_op.name.split("{")[0]
    return accumulator_name(op) if isinstance(op, CAReduce) else type(op).__name__.lower()


def accumulator_name(op: CAReduce) -> str:
    """Return the name of a reduction's accumulator."""
    names = {"add": "sum", "mul": "product", "maximum": "max", "minimum": "min",
             "logical_and": "all", "logical_or": "any"}  # fmt: skip
    return names.get(op.scalar_name, "total")


def accumulated(node: Apply) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Return in which dtype a reduction accumulates, and by which rows: (row, name of the value).

    A second row applied to both values gives the result.
    """
    op = node.op
    dtype: str
    if isinstance(op, CAReduce):
        dtype, which, row = op.acc_dtype, accumulator_name(op), op.scalar_name
    else:
        assert isinstance(op, ArgReduce)
        dtype, which = node.inputs[0].dtype, op.which.removeprefix("arg")
        row = f"{which}imum"
    rows = {"max": "larger", "min": "smaller"}
    if which not in rows or dtype == "bool" or dtypes.is_complex(dtype):
        return dtype, ((row, which),)
    if dtypes.is_discrete(dtype):
        return dtype, ((rows[which], which),)
    return dtype, ((rows[which], which), ("nan_or", "nan"))


def origins_of(members: Sequence[Member]) -> Iterator[Origin]:
    """Yield the user's lines that members come from."""
    for member in members:
        if member.node.origin is not None:
            yield member.node.origin

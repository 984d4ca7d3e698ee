"""What a plan says of elements: their indices, costs, names and origins."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from symtheano import dtypes
from symtheano.codegen.plan.shapes import Shapes
from symtheano.codegen.plan.steps import Member, Source
from symtheano.codegen.rows import apply_row
from symtheano.graph.op import Op
from symtheano.graph.origin import Origin
from symtheano.graph.variable import Apply
from symtheano.loopir import Builder, Index
from symtheano.loopir.operands import Operand
from symtheano.lowering import ArgReduction, Element, Elementwise, Reduction
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
    if isinstance(node.op.lowering, Elementwise):
        (output,) = node.outputs
        read_here = [writer.read_at(item, own_index(item, index)) for item in inputs]
        return apply_row(writer.b, node.op.lowering.row, read_here, output.dtype)

    def read(number: int, where: Sequence[Index]) -> Operand:
        return writer.read_at(inputs[number], list(where))

    assert isinstance(node.op.lowering, Element)
    scalars = list(writer.shapes.scalars(node))
    return node.op.lowering.compute(node.op, writer.b, node, list(index), read, scalars)


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
    lowering = member.node.op.lowering
    return lowering.row.cost if isinstance(lowering, Elementwise) else 2


def label_of(member: Member) -> str:
    """Return a readable name of a member."""
    return label_of_op(member.node.op)


def label_of_op(op: Op) -> str:
    """Return an op's name as part of an identifier."""
    lowering = op.lowering
    if isinstance(lowering, Elementwise):
        return lowering.row.name.split("{")[0]
    if isinstance(lowering, Reduction):
        return accumulator_name(lowering)
    return type(op).__name__.lower()


def accumulator_name(reduction: Reduction) -> str:
    """Return the name of a reduction's accumulator."""
    names = {"add": "sum", "mul": "product", "maximum": "max", "minimum": "min",
             "logical_and": "all", "logical_or": "any"}  # fmt: skip
    return names.get(reduction.row.name, "total")


def accumulated(node: Apply) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Return in which dtype a reduction accumulates, and by which rows: (row, name of the value).

    A second row applied to both values gives the result.
    """
    lowering = node.op.lowering
    dtype: str
    if isinstance(lowering, Reduction):
        dtype, which, row = lowering.dtype, accumulator_name(lowering), lowering.row.name
    else:
        assert isinstance(lowering, ArgReduction)
        dtype, which = node.inputs[0].dtype, lowering.which.removeprefix("arg")
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

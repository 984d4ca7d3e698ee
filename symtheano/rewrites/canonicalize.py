"""Canonical form of structure: constant folding, explicit casts, axes and fills."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtheano import dtypes
from symtheano.gradient.steering import PassThrough
from symtheano.graph.variable import Apply
from symtheano.rewrites.match import arrays_of, as_scalar, computed_by, conform, dim_of, same_dim
from symtheano.rewrites.rule import Context, Replacement, rule
from symtheano.scalar import table as scalar
from symtheano.scalar.evaluation import OF_C, of_c_library
from symtheano.tensor.basic import cast, constant
from symtheano.tensor.creation.filled import Alloc, alloc_op
from symtheano.tensor.creation.identity import Eye
from symtheano.tensor.creation.ranges import ARange
from symtheano.tensor.elemwise import DimShuffle, Elemwise, elemwise
from symtheano.tensor.shapes.inferred import output_dims
from symtheano.tensor.shapes.shape import as_dims
from symtheano.tensor.shapes.static_shape import SpecifyShape
from symtheano.tensor.type import TensorType
from symtheano.tensor.variable import Tensor, TensorConstant

FOLD_AT_MOST = 100_000
"""Number of elements of the largest array that is computed during compilation."""

IN_C_AT_MOST = 10_000
"""Number of elements of the largest array of which functions of the C library are computed."""


@rule("canonicalize", operands=[TensorConstant])
def constant_folding(node: Apply) -> Replacement:
    """Expressions of constants are computed during compilation.

    Except arrays that a loop can compute faster than read (alloc, arange, eye), and large ones.
    """
    op = node.op
    if not op.takes or op.unconditional or isinstance(op, Alloc | ARange | Eye):
        return None
    if not all(isinstance(item, TensorConstant) for item in node.inputs):
        return None
    for output in node.outputs:
        if not isinstance(output.type, TensorType) or _size(output.type.shape) > FOLD_AT_MOST:
            return None
    try:
        values = _computed(node, [item.data for item in node.inputs])
    except Exception:
        return None  # the call raises the error
    if any(value.size > FOLD_AT_MOST for value in values):
        return None
    return [
        constant(value, dtype=output.dtype)
        for value, output in zip(values, node.outputs, strict=True)
    ]


def _computed(node: Apply, operands: list[Any]) -> list[Any]:
    """Compute a node, in the C library where this avoids the import of SciPy."""
    name = node.op.scalar_op.name if isinstance(node.op, Elemwise) else ""
    in_c = of_c_library(name) if name in OF_C else None
    dtype = node.outputs[0].type.dtype
    if in_c is not None and dtypes.is_float(dtype) and operands[0].size <= IN_C_AT_MOST:
        return [in_c(np.asarray(operands[0], dtype))]
    cells: list[list[object]] = [[None] for _ in node.outputs]
    node.op.perform(node, operands, cells)
    return [np.asarray(cell[0]) for cell in cells]


def _size(shape: tuple[int | None, ...]) -> int:
    total = 1
    for dim in shape:
        total *= 1 if dim is None else dim
    return total


# -- dtypes -------------------------------------------------------------------------------------


@rule("canonicalize", tracks=[Elemwise])
def explicit_casts(node: Apply) -> Replacement:
    """The implicit casts of an elementwise op's operands become nodes.

    Other rules then need not handle mixed dtypes, and constants are converted at once.
    """
    dtype = node.outputs[0].type.dtype
    for item in node.inputs:  # every elementwise node comes here: no calls
        if item.type.dtype != dtype:
            break
    else:
        if dtype in dtypes.FLOAT:
            return None
    row = node.op.scalar_op
    operand_dtypes = tuple(item.type.dtype for item in node.inputs)
    signature = row.signature(operand_dtypes)
    wanted = tuple(signature.compute)
    if wanted == operand_dtypes or row.signature(wanted) != signature:
        return None
    pairs = zip(node.inputs, wanted, strict=True)
    if any(dtypes.is_complex(item.dtype) and not dtypes.is_complex(to) for item, to in pairs):
        return None
    operands = [cast(x, to) for x, to in zip(node.inputs, wanted, strict=True)]
    return Apply(node.op, operands, [node.outputs[0].type]).outputs


@rule("canonicalize", tracks=[Elemwise], operands=[Elemwise])
def cast_of_cast(node: Apply) -> Replacement:
    """The first of two casts is removed if it is exact."""
    row, x = node.op.scalar_op, node.inputs[0]
    if not row.name.startswith("cast{") or not computed_by(x, Elemwise):
        return None
    if not x.owner.op.scalar_op.name.startswith("cast{"):
        return None
    source = x.owner.inputs[0]
    if not _is_passed_on(source.dtype, x.dtype, node.outputs[0].dtype):
        return None
    return cast(source, node.outputs[0].dtype)


def _is_passed_on(first: str, middle: str, last: str) -> bool:
    """Return whether converting ``first`` to ``last`` through ``middle`` changes no value."""
    if not holds(first, middle):
        return False
    if dtypes.is_complex(middle) != dtypes.is_complex(last) and dtypes.is_complex(middle):
        return False
    if dtypes.is_discrete(first) and dtypes.is_float(middle) and dtypes.is_discrete(last):
        return holds(first, last)
    return True


def holds(narrow: str, wide: str) -> bool:
    """Return whether ``wide`` can represent all values of ``narrow``, unlike NumPy for int64."""
    if narrow in ("int64", "uint64") and dtypes.is_continuous(wide):
        return False
    return bool(np.can_cast(narrow, wide, "safe"))


@rule("canonicalize", tracks=[scalar.identity, scalar.positive])
def copies(node: Apply) -> Replacement:
    """Copies in the graph are removed; compiled code copies where it is necessary."""
    return arrays_of(node)[0]


@rule("canonicalize", tracks=[PassThrough])
def other_gradients(node: Apply) -> Replacement:
    """The identity with another gradient is removed, as the gradients are expressions already."""
    return arrays_of(node)[0]


@rule("canonicalize", tracks=[scalar.conj, scalar.real])
def parts_of_reals(node: Apply) -> Replacement:
    """A real number is its own conjugate and its own real part."""
    x = node.inputs[0]
    return None if dtypes.is_complex(x.dtype) else x


@rule("canonicalize", tracks=[Elemwise], operands=[Elemwise])
def cast_to_own_dtype(node: Apply) -> Replacement:
    """A cast to the operand's own dtype does nothing."""
    x, y = node.inputs[0], node.outputs[0]
    if not node.op.scalar_op.name.startswith("cast{"):
        return None
    return x if x.dtype == y.dtype else None


# -- axes ---------------------------------------------------------------------------------------


@rule("canonicalize", tracks=[DimShuffle])
def dimshuffle_in_place(node: Apply) -> Replacement:
    """A dimshuffle that does not move an axis does nothing.

    Nor does one that drops axes of length 1 and inserts them again.
    """
    (x,), order = node.inputs, node.op.new_order  # type: ignore[attr-defined]
    lengths = x.type.shape
    if len(order) != len(lengths):
        return None
    same = all(
        axis == k or (axis == "x" and length == 1)
        for k, (axis, length) in enumerate(zip(order, lengths, strict=True))
    )
    return x if same else None


@rule("canonicalize", tracks=[DimShuffle])
def axes_of_one_in_order(node: Apply) -> Replacement:
    """An axis of length 1 is not dropped where one is inserted, so that equal arrays are one node.

    Which of several axes it becomes does not matter: the first that keeps axes in their order.
    """
    (x,), order = node.inputs, node.op.new_order  # type: ignore[attr-defined]
    ones = [axis for axis, length in enumerate(x.type.shape) if length == 1]
    if not ones or "x" not in order:
        return None
    new: list[int | str] = ["x" if axis in ones else axis for axis in order]
    for place, axis in enumerate(new):
        before = [a for a in new[:place] if isinstance(a, int)]
        after = [a for a in new[place + 1 :] if isinstance(a, int)]
        fitting = (a for a in ones if max(before, default=-1) < a < min(after, default=x.ndim))
        if axis == "x":
            new[place] = next(fitting, "x")
    if tuple(new) == tuple(order) or new.count("x") > order.count("x"):
        return None
    return arrays_of(node)[0].dimshuffle(*new)


@rule("canonicalize", tracks=[DimShuffle], operands=[DimShuffle])
def dimshuffle_of_dimshuffle(node: Apply) -> Replacement:
    """Two reorderings of axes are combined."""
    inner = node.inputs[0].owner
    order = tuple(
        axis if axis == "x" else inner.op.new_order[axis]
        for axis in node.op.new_order  # type: ignore[attr-defined]
    )
    return arrays_of(inner)[0].dimshuffle(*order)


@rule("canonicalize", tracks=[DimShuffle], operands=[Alloc])
def dimshuffle_of_alloc(node: Apply) -> Replacement:
    """A dimshuffle of a broadcast value is a broadcast in another order."""
    order = node.op.new_order  # type: ignore[attr-defined]
    value, *dims = node.inputs[0].owner.inputs
    missing = len(dims) - value.ndim
    moved = ["x" if axis == "x" or axis < missing else axis - missing for axis in order]
    dropped = set(range(value.ndim)) - {axis for axis in moved if axis != "x"}
    if any(value.type.shape[axis] != 1 for axis in dropped):
        return None
    new = [as_dims((1,))[0] if axis == "x" else dims[axis] for axis in order]
    if all(axis == "x" for axis in moved):
        value, moved = value.dimshuffle(), []
    return alloc_op(value.dimshuffle(*moved), *new)


@rule("pushdown", tracks=[DimShuffle], operands=[Elemwise])
def dimshuffle_through_elemwise(node: Apply, context: Context) -> Replacement:
    """Axes of length 1 are moved to the operands, so that other rules see adjacent operations.

    Only if nothing else uses the operand, which would otherwise be computed twice.
    """
    (x,) = node.inputs
    order = node.op.new_order  # type: ignore[attr-defined]
    kept = [axis for axis in order if axis != "x"]
    if x.ndim == 0 or not computed_by(x, Elemwise) or kept != sorted(kept):
        return None
    if context.uses(x) > 1:
        return None
    operands = [item.dimshuffle(*order) for item in x.owner.inputs]
    return elemwise(x.owner.op.scalar_op)(*operands)


@rule("canonicalize", tracks=[Elemwise], operands=[DimShuffle])
def elemwise_of_scalars(node: Apply) -> Replacement:
    """Expressions of scalars are computed as scalars; axes of length 1 are added afterwards."""
    output = node.outputs[0]
    if output.ndim == 0 or any(dim != 1 for dim in output.type.shape):
        return None
    scalars = [as_scalar(item) for item in node.inputs]
    if any(item is None for item in scalars):
        return None
    return elemwise(node.op.scalar_op)(*scalars).dimshuffle(*["x"] * output.ndim)


# -- values repeated to a shape -----------------------------------------------------------------


@rule("canonicalize", tracks=[scalar.second])
def fill_as_alloc(node: Apply) -> Replacement:
    """``fill(model, value)`` only needs the model's shape, unless the value has this shape."""
    return conform(node.inputs[1], node.outputs[0])


@rule("canonicalize", tracks=[Alloc])
def alloc_of_same_shape(node: Apply) -> Replacement:
    """Broadcasting a value to its own shape, or along axes of length 1, does nothing."""
    value, *dims = node.inputs
    shape = node.outputs[0].type.shape
    missing = len(dims) - value.ndim
    if any(dim != 1 for dim in shape[:missing]):
        return None
    for axis, length in enumerate(value.type.shape):
        wanted = shape[missing + axis]
        if length is not None and length == wanted:
            continue
        if length is not None or not same_dim(dim_of(value, axis), dims[missing + axis]):
            return None
    return conform(value, node.outputs[0])


@rule("canonicalize", tracks=[Alloc], operands=[Alloc])
def alloc_of_alloc(node: Apply) -> Replacement:
    """Two broadcasts become one broadcast to the last shape."""
    value, *dims = node.inputs
    if not computed_by(value, Alloc):
        return None
    inner, *inner_dims = value.owner.inputs
    missing = len(inner_dims) - inner.ndim
    shape = value.type.shape
    if any(
        shape[axis] != 1 and (axis < missing or inner.type.shape[axis - missing] == 1)
        and not same_dim(inner_dims[axis], dims[len(dims) - value.ndim + axis])
        for axis in range(value.ndim)
    ):  # fmt: skip
        return None  # lengths to compare in the call
    return alloc_op(inner, *dims)


@rule("canonicalize", tracks=[Alloc], operands=[DimShuffle, TensorConstant])
def alloc_of_padded(node: Apply) -> Replacement:
    """Leading axes of length 1 need not be inserted before broadcasting."""
    value, *dims = node.inputs
    leading = 0
    while leading < value.ndim and value.type.shape[leading] == 1:
        leading += 1
    if not leading:
        return None
    if computed_by(value, DimShuffle):
        order = value.owner.op.new_order
        while leading and order[leading - 1] != "x":
            leading -= 1
        if not leading:
            return None
    elif not isinstance(value, TensorConstant):
        return None
    return alloc_op(value.dimshuffle(*range(leading, value.ndim)), *dims)


@rule("canonicalize", tracks=[Elemwise], operands=[Alloc])
def elemwise_of_alloc(node: Apply) -> Replacement:
    """Elementwise ops broadcast their operands, so a broadcast value need not be an array.

    Along an axis where another operand has the length, the value is not broadcast. If all operands
    are broadcast, the op is computed once and its result is broadcast.
    """
    row, output = node.op.scalar_op, node.outputs[0]
    if row is scalar.second:
        return None
    allocs = [k for k, item in enumerate(node.inputs) if computed_by(item, Alloc)]
    if not allocs:
        return None
    plain = [unrepeated(item) for item in node.inputs]
    result = elemwise(row)(*plain)
    if output.type.accepts(result.type) and _same_repeated_axes(result, output):
        return result
    dims = output_dims(node)
    return None if dims is None else alloc_op(result, *as_dims(dims))


def unrepeated(item: Tensor) -> Tensor:
    """Return the value of an alloc with all its axes, and other variables unchanged."""
    if not computed_by(item, Alloc):
        return item
    value = arrays_of(item.owner)[0]
    return value.dimshuffle(*["x"] * (item.ndim - value.ndim), *range(value.ndim))


def _same_repeated_axes(result: Tensor, output: Tensor) -> bool:
    return all(
        (mine == 1) == (its == 1)
        for mine, its in zip(result.type.shape, output.type.shape, strict=True)
    )


@rule("canonicalize", tracks=[SpecifyShape])
def specified_already(node: Apply) -> Replacement:
    """Known lengths need no check."""
    (x,) = node.inputs
    return x if x.type.shape == node.outputs[0].type.shape else None

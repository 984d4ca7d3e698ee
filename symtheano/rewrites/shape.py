"""Shapes without arrays: lengths are computed from lengths, reshapes become views."""

from __future__ import annotations

from symtheano.graph.variable import Apply
from symtheano.rewrites.match import arrays_of, computed_by, dim_of, same_dim
from symtheano.rewrites.rule import Replacement, rule
from symtheano.tensor.basic import constant
from symtheano.tensor.elemwise import DimShuffle
from symtheano.tensor.indexing.geometry import unpack
from symtheano.tensor.indexing.slices import Subtensor
from symtheano.tensor.shapes.inferred import output_dims
from symtheano.tensor.shapes.join import Join
from symtheano.tensor.shapes.reshape import Reshape, reshape_op
from symtheano.tensor.shapes.shape import MakeVector, Shape_i, as_dims, dim_value
from symtheano.tensor.variable import Tensor


@rule("canonicalize", tracks=[Shape_i])
def length_of_computed(node: Apply) -> Replacement:
    """The length of a computed array is derived from lengths of its operands."""
    (x,) = node.inputs
    axis = node.op.axis  # type: ignore[attr-defined]
    length = x.type.shape[axis]
    if length is not None:
        return constant(length, dtype="int64")
    if x.owner is None:
        return None
    dims = output_dims(x.owner, x.index)
    return None if dims is None else as_dims((dims[axis],))[0]


@rule("canonicalize", tracks=[Subtensor], operands=[MakeVector])
def element_of_makevector(node: Apply) -> Replacement:
    """Items of a vector of scalars do not require the vector, as in ``x.shape[0]``."""
    vector, *bounds = arrays_of(node)
    assert computed_by(vector, MakeVector)
    items = arrays_of(vector.owner)
    ((_, item),) = unpack(node.op.pattern, [dim_value(bound) for bound in bounds])  # type: ignore[attr-defined]
    if not isinstance(item, tuple):
        return item_of_makevector(node)
    if any(part is not None and not isinstance(part, int) for part in item):
        return None
    return vector.owner.op(*items[slice(*item)])


def item_of_makevector(node: Apply) -> Tensor | None:
    """Return the scalar of which a vector was made, if a node takes it by its number."""
    if not isinstance(node.op, Subtensor) or node.outputs[0].ndim:
        return None
    vector, *bounds = arrays_of(node)
    if not computed_by(vector, MakeVector):
        return None
    items = arrays_of(vector.owner)
    ((_, item),) = unpack(node.op.pattern, [dim_value(bound) for bound in bounds])
    return items[item] if isinstance(item, int) and -len(items) <= item < len(items) else None


@rule("canonicalize", tracks=[MakeVector], operands=[Subtensor])
def makevector_of_all_items(node: Apply) -> Replacement:
    """A vector made of all items of a vector, in order, is that vector."""
    whole: Tensor | None = None
    for position, item in enumerate(node.inputs):
        if not computed_by(item, Subtensor) or item.owner.op.pattern != (None,):
            return None
        source, index = item.owner.inputs
        if whole not in (None, source) or dim_value(index) != position:
            return None
        whole = source
    if whole is None or whole.type != node.outputs[0].type:
        return None
    return whole


@rule("canonicalize", tracks=[Reshape], operands=[Reshape])
def reshape_of_reshape(node: Apply) -> Replacement:
    """Two reshapes become one reshape to the last shape."""
    x, *dims = node.inputs
    return reshape_op(x.owner.inputs[0], *dims) if computed_by(x, Reshape) else None


@rule("canonicalize", tracks=[Reshape])
def reshape_as_axes(node: Apply) -> Replacement:
    """A reshape that only adds or removes lengths of 1 inserts and drops axes."""
    x, *dims = arrays_of(node)
    mine = [axis for axis in range(x.ndim) if x.type.shape[axis] != 1]
    wanted = [axis for axis, dim in enumerate(dims) if dim_value(dim) != 1]
    if len(mine) != len(wanted):
        return None
    if not all(same_dim(dim_of(x, old), dims[new]) for old, new in zip(mine, wanted, strict=True)):
        return None
    place = dict(zip(wanted, mine, strict=True))
    order = [place.get(axis, "x") for axis in range(len(dims))]
    return x.dimshuffle(*order).with_lengths(node.outputs[0].type.shape)


@rule("canonicalize", tracks=[Join])
def join_of_one(node: Apply) -> Replacement:
    """The concatenation of one array is this array."""
    return node.inputs[0] if len(node.inputs) == 1 else None


@rule("canonicalize", tracks=[Reshape], operands=[DimShuffle])
def reshape_of_inserted_axes(node: Apply) -> Replacement:
    """Axes of length 1 that are inserted before a reshape have no effect."""
    x, *dims = node.inputs
    if not computed_by(x, DimShuffle):
        return None
    kept = [axis for axis in x.owner.op.new_order if axis != "x"]
    if kept != sorted(kept):
        return None
    return reshape_op(x.owner.inputs[0], *dims)

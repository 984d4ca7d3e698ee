"""What is computed of masked elements alone, computed at all elements and chosen by the mask.

``x[m].sum()`` needs the positions of the mask's true elements, a gather, and memory for both. As
``switch(m, x, 0).sum()`` it is one loop over memory in order. The elements that the mask leaves out
are computed too, so this is done for cheap operations.
"""

from __future__ import annotations

from collections.abc import Sequence

from symtheano.graph.variable import Apply
from symtheano.rewrites.match import computed_by, conform, dim_of, is_scalar_constant, same_dim
from symtheano.rewrites.reduce import with_axes
from symtheano.rewrites.rule import Replacement, rule
from symtheano.scalar import table as scalar
from symtheano.tensor.elemwise import Elemwise, elemwise
from symtheano.tensor.indexing.advanced import AdvancedIncSubtensor, AdvancedSubtensor
from symtheano.tensor.indexing.call_broadcast import BroadcastInCall
from symtheano.tensor.indexing.nonzeros import Nonzero
from symtheano.tensor.reductions.reduce import CAReduce
from symtheano.tensor.variable import Tensor

# Maximum cost of what is computed at the elements that a mask leaves out, in additions.
_CHEAP = 12
_NEUTRAL = {"add": 0, "mul": 1}


@rule("canonicalize", tracks=[AdvancedIncSubtensor], operands=[Nonzero])
def mask_as_condition(node: Apply) -> Replacement:
    """A value for all elements that a mask selects becomes a choice by the mask.

    The positions need not be found, and the result may be computed in the memory of the array.
    """
    x, y, *arrays = node.inputs
    op, owner = node.op, arrays[0].owner
    assert isinstance(op, AdvancedIncSubtensor)
    axis, several = op.axis, len(arrays)
    if not computed_by(arrays[0], Nonzero) or arrays != list(owner.outputs):
        return None
    mask = owner.inputs[0]
    behind = range(axis + 1, y.ndim)
    places = {axis + k: (mask, k) for k in range(several)}
    places |= {k + several - 1: (y, k) for k in behind if y.type.shape[k] != 1}
    places |= {k: (y, k) for k in range(axis) if y.type.shape[k] != 1}
    if y.type.shape[axis] != 1:
        return None
    if not all(same_dim(dim_of(x, k), dim_of(*place)) for k, place in places.items()):
        return None
    chosen = _truth(owner).dimshuffle(*["x"] * axis, *range(several), *["x"] * len(behind))
    value = y.dimshuffle(*range(axis), *["x"] * several, *behind)
    return scalar.switch(chosen, value if op.set_instead_of_inc else x + value, x)


@rule("specialize", tracks=[CAReduce], operands=[Elemwise, AdvancedSubtensor])
def reduction_of_masked(node: Apply) -> Replacement:
    """A sum or product of masked elements chooses the neutral element for the others.

    The order of terms is that of the elements, as before.
    """
    op = node.op
    assert isinstance(op, CAReduce)
    (x,) = node.inputs
    if op.scalar_name not in _NEUTRAL or x.ndim != 1:
        return None
    mask = _mask_of(x)
    whole = None if mask is None else _at_all_elements(x, mask)
    if mask is None or whole is None:
        return None
    chosen = scalar.switch(_truth(mask), whole, whole.constant_like(_NEUTRAL[op.scalar_name]))
    return with_axes(op, tuple(range(chosen.ndim)))(chosen)


@rule("specialize", tracks=[AdvancedIncSubtensor], numerics="sign of zero")
def change_of_masked(node: Apply) -> Replacement:
    """Setting or incrementing masked elements is an elementwise choice."""
    x, value, *arrays = node.inputs
    mask = _mask_behind(arrays)
    if mask is None or not _selects_elements_of(x, mask):
        return None
    whole = _at_all_elements(value, mask)
    if whole is None:
        return None
    if not node.op.set_instead_of_inc and not is_scalar_constant(x, 0):  # type: ignore[attr-defined]
        whole = x + whole
    return conform(scalar.switch(_truth(mask), whole, x), node.outputs[0])


def _truth(mask: Apply) -> Tensor:
    array = mask.inputs[0]
    return array if array.dtype == "bool" else scalar.neq(array, 0)


def _mask_behind(arrays: Sequence[Tensor]) -> Apply | None:
    """Return the node whose results, all of them in order, are index arrays."""
    mask = arrays[0].owner
    if mask is None or not isinstance(mask.op, Nonzero) or list(mask.outputs) != list(arrays):
        return None
    return mask


def _selects_elements_of(x: Tensor, mask: Apply) -> bool:
    """Return whether a mask has as many axes as an array, and lengths of 1 in the same places."""
    shape = mask.inputs[0].type.shape
    return [length == 1 for length in shape] == [length == 1 for length in x.type.shape]


def _mask_of(x: Tensor) -> Apply | None:
    """Return the mask of the first masked array from which a vector is computed."""
    waiting, seen = [x], set()
    while waiting:
        item = waiting.pop()
        if item in seen or item.owner is None:
            continue
        seen.add(item)
        if computed_by(item, AdvancedSubtensor):
            return _mask_behind(item.owner.inputs[1:])
        if not computed_by(item, Elemwise):
            continue
        waiting += [part for part in item.owner.inputs if part.type.shape != (1,)]
    return None


def _at_all_elements(x: Tensor, mask: Apply) -> Tensor | None:
    """Return what is computed of masked elements, computed of all; None if it is not cheap."""
    done: dict[Tensor, Tensor | None] = {}
    cost = 0
    stack = [x]
    while stack:
        item = stack[-1]
        if item in done:
            stack.pop()
            continue
        if item.type.shape == (1,):
            done[item] = item.dimshuffle()
        elif computed_by(item, AdvancedSubtensor):
            array, *arrays = item.owner.inputs
            its = _mask_behind(arrays)
            if its is None or its.inputs[0] is not mask.inputs[0]:
                return None
            if not _selects_elements_of(array, mask):
                return None
            done[item] = array
        elif computed_by(item, BroadcastInCall) and item.owner.inputs[0] in done:
            done[item] = done[item.owner.inputs[0]]  # it has the length of what the mask selects
        elif computed_by(item, BroadcastInCall):
            stack.append(item.owner.inputs[0])
        elif computed_by(item, Elemwise):
            waiting = [part for part in item.owner.inputs if part not in done]
            if waiting:
                stack += waiting
                continue
            cost += item.owner.op.scalar_op.cost
            if cost > _CHEAP:
                return None
            done[item] = elemwise(item.owner.op.scalar_op)(*map(done.get, item.owner.inputs))
        else:
            return None
    return done[x]

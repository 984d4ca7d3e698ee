"""Checks of structures from outside, in each call, before compiled loops use them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from string import Formatter
from typing import Any

import numpy as np

from symtheano.errors import BoundsError, ShapeError
from symtheano.graph.op import Op, Requirement
from symtheano.graph.variable import Apply
from symtheano.lowering import SAME_AXES
from symtheano.scalar import table as scalar
from symtheano.sparse.parts import Parts
from symtheano.sparse.segments import filled
from symtheano.sparse.starts import AreStarts
from symtheano.tensor.basic import cast
from symtheano.tensor.elemwise import same_length
from symtheano.tensor.messages import build_message, call_message, label
from symtheano.tensor.shapes.shape import as_dim, dim_value, shape_of

# The largest int32, the dtype of indices.


class Checked(Op):
    """The checked indices or pointers of a sparse matrix; a view.

    Inputs are the vector, the stored elements and the other operands of the check.
    """

    __props__: tuple[str, ...] = ()
    differentiable_inputs = 0
    lowering = SAME_AXES

    def infer(self, *inputs: Any) -> Sequence[Any]:
        return [inputs[0].type]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        return [shapes[0]]

    def vectorize(self, node: Apply, batch: Any) -> list[Any]:
        """Check once, since the items of a batch have the same structure."""
        vector, data, *rest = batch.inputs
        if batch.batched[0] or any(batch.batched[2:]) or node.inputs[1].ndim == 0:
            batch.needs_plain(node, 0)
        one = filled(0, shape_of(data)[-1], data.dtype)
        return [self(vector, one, *rest)]


class CheckedIndices(Checked):
    """Indices, one per stored element, within their axis, whose length is an input."""

    takes = "j1 *1 l0"

    def requirements(self, node: Apply, shapes: list[Any]) -> list[Requirement]:
        """There is one per element, and each is within the axis."""
        indices, _, places = node.inputs
        # Counted in the dtype of the indices, so that more are compared per vector.
        last = scalar.minimum(scalar.maximum(places, 0) - 1, np.iinfo(indices.dtype).max)
        end = cast(last, indices.dtype)
        wrong = cast(scalar.or_(scalar.lt(indices, 0), scalar.gt(indices, end)), indices.dtype)
        inside = scalar.eq(wrong.sum(dtype=indices.dtype, acc_dtype=indices.dtype), 0)
        outside = Requirement(inside, (places,), partial(_outside, node), "index")
        requirements = same_length(shapes[0][0], shapes[1][0], partial(_counts, node))
        return [*requirements, outside]

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        indices, data, places = inputs
        if len(indices) != len(data):
            raise ShapeError(_counts(node, [len(indices), len(data)]))
        if indices.size and not (indices.min() >= 0 and indices.max() < places):
            raise BoundsError(_outside(node, [int(places)]))
        output_storage[0][0] = indices


class CheckedStarts(Checked):
    """Beginnings of contiguous segments that cover all elements.

    The other inputs are whether they increase from zero, and the last one.
    """

    takes = "j1 *1 b0 l0"

    def make_checked(self, *inputs: Any) -> Apply:
        """Check the vector itself: the other inputs could be of another one."""
        starts, data = inputs[:2]
        while starts.owner is not None and isinstance(starts.owner.op, Checked):
            starts = starts.owner.inputs[0]
        return self.make_node(inputs[0], data, *AreStarts()(starts))

    def requirements(self, node: Apply, shapes: list[Any]) -> list[Requirement]:
        """They begin at zero, do not decrease, and end at the number of elements."""
        _, _, rise, last = node.inputs
        count = shapes[1][0]
        whole = scalar.and_(rise, scalar.eq(last, count))
        return [Requirement(whole, (count,), partial(_unordered, node), "value")]

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        starts, data, rise, last = inputs
        if not rise or last != len(data):
            raise ValueError(_unordered(node, [len(data)]))
        output_storage[0][0] = starts


class SameLength(Checked):
    """A vector with a check that two lengths agree.

    Inputs are the vector and the two lengths (0-d).

    Attributes
    ----------
    what
        Message if they differ, with ``{}`` for the lengths.
    """

    __props__ = ("what",)
    takes = "*1 l0 l0"

    def __init__(self, what: str) -> None:
        texts = list(Formatter().parse(what))
        if any(name or spec or conversion for _, name, spec, conversion in texts):
            raise ValueError("SameLength: a message has {} for each length, and nothing else")
        if sum(name is not None for _, name, *_ in texts) > 2:
            raise ValueError("SameLength: a message is about two lengths")
        self.what = what

    def requirements(self, node: Apply, shapes: list[Any]) -> list[Requirement]:
        """The two lengths are equal."""
        left, right = (dim_value(item) for item in node.inputs[1:])
        return same_length(left, right, partial(self.message, node))

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        vector, left, right = inputs
        if left != right:
            raise ShapeError(self.message(node, [int(left), int(right)]))
        output_storage[0][0] = vector

    def message(self, node: Apply, values: Sequence[int]) -> str:
        """Return the message for lengths that differ."""
        return call_message(self.what.format(*values), node)


def fit(parts: Parts, what: str, *pairs: tuple[Any, Any]) -> Parts:
    """Return components with a check that the lengths of each pair agree.

    Raises
    ------
    ShapeError
        If two lengths are known and differ.
    """
    vectors = [parts.indices, parts.indptr]
    for left, right in pairs:
        dims = [dim_value(item) for item in (left, right)]
        if all(isinstance(item, int) for item in dims):
            if dims[0] != dims[1]:
                raise ShapeError(build_message(what.format(*dims)))
        elif dims[0] is not dims[1]:
            lengths = [as_dim(item) for item in dims]
            vectors = [SameLength(what)(vector, *lengths) for vector in vectors]
    return replace(parts, indices=vectors[0], indptr=vectors[1])


def same_structure(x: Parts, y: Parts) -> bool:
    """Return whether two matrices are known to have the same structure, if all lengths agree."""
    return (
        x.format == y.format
        and _bare(x.indices) is _bare(y.indices)
        and _bare(x.indptr) is _bare(y.indptr)
    )


def _bare(vector: Any) -> Any:
    """Return a vector without the checks of lengths around it."""
    while vector.owner is not None and isinstance(vector.owner.op, SameLength):
        vector = vector.owner.inputs[0]
    return vector


def _counts(node: Apply, values: Sequence[int]) -> str:
    return call_message(
        f"CSM: {values[0]} indices for {values[1]} stored elements", node, node.inputs[0]
    )


def _outside(node: Apply, values: Sequence[int]) -> str:
    return call_message(
        f"CSM: an index in {label(node.inputs[0])} is outside its axis of length {values[0]}",
        node,
        node.inputs[0],
    )


def _unordered(node: Apply, values: Sequence[int]) -> str:
    return call_message(
        f"CSM: {label(node.inputs[0])} does not rise from 0 to the number of stored elements, "
        f"{values[0]}",
        node,
        node.inputs[0],
    )


def checked(parts: Parts) -> Parts:
    """Return components from outside with a check of their structure in each call."""
    indices = CheckedIndices()(parts.indices, parts.data, parts.minor)
    starts = parts.indptr
    while starts.owner is not None and isinstance(starts.owner.op, Checked):
        starts = starts.owner.inputs[0]
    valid = CheckedStarts()(parts.indptr, parts.data, *AreStarts()(starts))
    return replace(parts, indices=indices, indptr=valid)

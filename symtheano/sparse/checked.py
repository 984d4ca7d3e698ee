"""Structures that came from outside, checked in each call before compiled loops rely on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from symtheano.errors import BoundsError, ShapeError
from symtheano.graph.op import Requirement
from symtheano.graph.variable import Apply
from symtheano.scalar import table as scalar
from symtheano.sparse.parts import Parts
from symtheano.sparse.segments import AreStarts, filled
from symtheano.tensor.basic import cast
from symtheano.tensor.elemwise import TensorOp, same_length
from symtheano.tensor.messages import build_message, call_message, label
from symtheano.tensor.shape import as_dim, dim_value, shape_of

# The largest number of an int32, as which indices are stored.
_MOST = 2**31 - 1


class Checked(TensorOp):
    """The indices or starts of a sparse matrix, which must be what compiled loops rely on: a view.

    Inputs are the vector, the stored elements and what else the check needs.
    """

    __props__: tuple[str, ...] = ()

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """Return the vector's type."""
        return [inputs[0].type]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        """The vector's shape."""
        return [shapes[0]]

    def pullback(
        self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]
    ) -> Sequence[Any]:
        """Integers are not smooth."""
        return [None] * len(inputs)

    def connection_pattern(self, node: Apply) -> list[list[bool]]:
        """Integers are not smooth."""
        return [[False] for _ in node.inputs]

    def vectorize(self, node: Apply, batch: Any) -> list[Any]:
        """Check once: the items of a batch have one structure, and as many elements."""
        vector, data, *rest = batch.inputs
        if batch.batched[0] or any(batch.batched[2:]) or node.inputs[1].ndim == 0:
            batch.needs_plain(node, 0)
        one = filled(0, shape_of(data)[-1], data.dtype)
        return [self(vector, one, *rest)]

    def axis_map(self, node: Apply) -> tuple[int | None, ...]:
        """The vector's own axis."""
        return (0,)


class CheckedIndices(Checked):
    """Indices, one for each stored element, all within their axis, whose length is an input."""

    def requirements(self, node: Apply, shapes: list[Any]) -> list[Requirement]:
        """There are as many as elements, and each lies within the axis."""
        indices, _, places = node.inputs
        # Counted in the indices' own dtype, so that many are compared at once.
        end = cast(scalar.minimum(places, _MOST), indices.dtype)
        wrong = cast(scalar.or_(scalar.lt(indices, 0), scalar.ge(indices, end)), indices.dtype)
        inside = scalar.eq(wrong.sum(dtype=indices.dtype, acc_dtype=indices.dtype), 0)
        outside = Requirement(inside, (places,), partial(_outside, node), "index")
        found = same_length(shapes[0][0], shapes[1][0], partial(_counts, node))
        return [*found, outside]

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        """Check with NumPy and pass on."""
        indices, data, places = inputs
        if len(indices) != len(data):
            raise ShapeError(_counts(node, [len(indices), len(data)]))
        if indices.size and not (indices.min() >= 0 and indices.max() < places):
            raise BoundsError(_outside(node, [int(places)]))
        output_storage[0][0] = indices


class CheckedStarts(Checked):
    """Starts of segments that follow each other from the first element to the last.

    Further inputs tell whether they rise from zero, and what the last one is.
    """

    def requirements(self, node: Apply, shapes: list[Any]) -> list[Requirement]:
        """They begin at zero, never fall, and end at the number of elements."""
        _, _, rise, last = node.inputs
        count = shapes[1][0]
        whole = scalar.and_(rise, scalar.eq(last, count))
        return [Requirement(whole, (count,), partial(_unordered, node), "value")]

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        """Check and pass on."""
        starts, data, rise, last = inputs
        if not rise or last != len(data):
            raise ValueError(_unordered(node, [len(data)]))
        output_storage[0][0] = starts


class SameLength(Checked):
    """A vector that is valid only where two lengths agree.

    Inputs are the vector and the two lengths (0-d).

    Attributes
    ----------
    what
        What is wrong where they don't, for the message; ``{}`` stand for the lengths.
    """

    __props__ = ("what",)

    def __init__(self, what: str) -> None:
        self.what = what

    def requirements(self, node: Apply, shapes: list[Any]) -> list[Requirement]:
        """The two lengths are equal."""
        left, right = (dim_value(item) for item in node.inputs[1:])
        return same_length(left, right, partial(self.message, node))

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        """Check and pass on."""
        vector, left, right = inputs
        if left != right:
            raise ShapeError(self.message(node, [int(left), int(right)]))
        output_storage[0][0] = vector

    def message(self, node: Apply, values: Sequence[int]) -> str:
        """Return the message for lengths that differ."""
        return call_message(self.what.format(*values), node)


def fit(parts: Parts, what: str, *pairs: tuple[Any, Any]) -> Parts:
    """Return components that are valid only where the lengths of each pair agree.

    Raises
    ------
    ShapeError
        If two lengths are known and differ.
    """
    vectors = [parts.indices, parts.indptr]
    for left, right in pairs:
        known = [dim_value(item) for item in (left, right)]
        if all(isinstance(item, int) for item in known):
            if known[0] != known[1]:
                raise ShapeError(build_message(what.format(*known)))
        elif known[0] is not known[1]:
            lengths = [as_dim(item) for item in known]
            vectors = [SameLength(what)(vector, *lengths) for vector in vectors]
    return replace(parts, indices=vectors[0], indptr=vectors[1])


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
    """Return components that came from outside, with their structure checked in each call."""
    indices = CheckedIndices()(parts.indices, parts.data, parts.minor)
    starts = parts.indptr
    while starts.owner is not None and isinstance(starts.owner.op, Checked):
        starts = starts.owner.inputs[0]
    valid = CheckedStarts()(parts.indptr, parts.data, *AreStarts()(starts))
    return replace(parts, indices=indices, indptr=valid)

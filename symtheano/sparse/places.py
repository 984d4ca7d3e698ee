"""Elements taken from places, and brought to places, that are known to exist."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from symtheano.graph.op import Requirement
from symtheano.graph.variable import Apply
from symtheano.tensor.advanced import AdvancedIncSubtensor, AdvancedSubtensor
from symtheano.tensor.creation import zeros
from symtheano.tensor.elemwise import TensorOp
from symtheano.tensor.shape import as_dim, dim_value, shape_of
from symtheano.tensor.type import TensorType

if TYPE_CHECKING:
    from symtheano.loopir import Builder, Index, View
    from symtheano.loopir.nodes import Literal


class Collected(TensorOp):
    """Values brought to their places in a vector of zeros; inputs: places, values, its length.

    The places are known to lie within it. One value alone goes to all places.

    Attributes
    ----------
    add
        Whether values that meet are added up; else the last one stays.
    """

    __props__ = ("add",)

    def __init__(self, add: bool) -> None:
        self.add = add

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """Return a vector of the values' dtype."""
        count = dim_value(inputs[2])
        return [TensorType(inputs[1].dtype, (count if isinstance(count, int) else None,))]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        """The length is an input."""
        return [(dim_value(node.inputs[2]),)]

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        """Compute with NumPy."""
        places, values, count = inputs
        result = output_storage[0][0] = np.zeros(int(count), values.dtype)
        if self.add:
            with np.errstate(all="ignore"):
                np.add.at(result, places, values)
        else:
            result[places] = values

    def pullback(
        self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]
    ) -> Sequence[Any]:
        """Each value's gradient is that of its place."""
        if not self.add:
            raise NotImplementedError("Collected: only sums are differentiated")
        grads = gather(output_grads[0], inputs[0])
        alone = inputs[1].type.shape == (1,)
        return [None, grads.sum(keepdims=True) if alone else grads, None]

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        """Linear in the values."""
        places, _, count = inputs
        return [None if eval_points[1] is None else self(places, eval_points[1], count)]

    def connection_pattern(self, node: Apply) -> list[list[bool]]:
        """Only the values are smooth."""
        return [[False], [True], [False]]

    def vectorize(self, node: Apply, batch: Any) -> list[Any]:
        """Bring the values of each item to the places that all have."""
        batch.needs_plain(node, 2)
        if batch.batched[0]:
            batch.needs_plain(node, 0)
        places, _, count = batch.inputs
        none = zeros((*batch.shape, count), node.outputs[0].dtype)
        return [Scattered(batch.ndim, not self.add)(none, batch.full(1), places)]

    def lower(
        self, b: Builder, node: Apply, inputs: list[View], outputs: list[View], scalars: list[Index]
    ) -> None:
        """Put one after the other."""
        places, values, _ = inputs
        (target,) = outputs
        with b.loop("i", target.shape[0], kind="simd") as i:
            b.store(target, [i], zero_of(target.dtype))
        with b.loop("p", places.shape[0]) as p:
            place = b.as_index(b.cast(b.load(places, [p]), "int64"))
            value = b.load(values, [0 if values.shape[0] == 1 else p])
            if self.add:
                value = b.let("add", target.dtype, [b.load(target, [place]), value])
            b.store(target, [place], value)


class Gathered(AdvancedSubtensor):
    """Elements at places which are known to lie within the array."""

    def requirements(self, node: Apply, shapes: list[Any]) -> list[Requirement]:
        """Nothing is left to check."""
        return []

    def pullback(
        self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]
    ) -> Sequence[Any]:
        """Add each element's gradient where it was taken."""
        x, *places = inputs
        if x.ndim == 1:
            return [add_at(places[0], output_grads[0], length(x)), None]
        whole = Scattered(self.axis, False)(x.zeros_like(), output_grads[0], *places)
        return [whole, *[None] * len(places)]


class Scattered(AdvancedIncSubtensor):
    """An array with elements incremented at places which are known to lie within it."""

    def requirements(self, node: Apply, shapes: list[Any]) -> list[Requirement]:
        """Nothing is left to check."""
        return []

    def pullback(
        self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]
    ) -> Sequence[Any]:
        """The values' gradients are those of their places."""
        (g,) = output_grads
        places = inputs[2:]
        return [g, Gathered(self.axis)(g, *places), *[None] * len(places)]


def zero_of(dtype: str) -> Literal:
    """Return the zero of a dtype."""
    from symtheano.loopir import Literal

    return Literal({"b": False, "f": 0.0, "c": 0j}.get(dtype[0], 0), dtype)


def length(vector: Any) -> Any:
    """Return the length of a vector: an int where it is known, else a 0-d int64 variable."""
    return shape_of(vector)[0]


def add_at(places: Any, values: Any, count: Any) -> Any:
    """Return ``count`` sums: each value is added where ``places`` tells."""
    return Collected(True)(places, values, as_dim(count))


def put_at(places: Any, values: Any, count: Any) -> Any:
    """Return a vector of ``count`` items which has the values at their places."""
    return Collected(False)(places, values, as_dim(count))


def gather(x: Any, *places: Any) -> Any:
    """Return the elements of an array at places known to exist."""
    return Gathered(0)(x, *places)


def scatter_add(x: Any, values: Any, *places: Any) -> Any:
    """Return an array with values added at places known to exist."""
    return Scattered(0, False)(x, values, *places)

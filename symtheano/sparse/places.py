"""Gathers and scatters at positions that are known to be valid."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from symtheano.graph.op import Op, Requirement
from symtheano.graph.variable import Apply
from symtheano.lowering import Statements
from symtheano.sparse import guards
from symtheano.sparse.starts import length
from symtheano.tensor.creation.filled import zeros
from symtheano.tensor.indexing.advanced import AdvancedIncSubtensor, AdvancedSubtensor
from symtheano.tensor.shapes.shape import as_dim, dim_value
from symtheano.tensor.type import TensorType

if TYPE_CHECKING:
    from symtheano.loopir import Builder, NodeArrays
    from symtheano.loopir.operands import Literal


class Collected(Op):
    """Values scattered into a vector of zeros; inputs are positions, values and its length.

    The positions are known to be valid. A single value is stored at all positions.

    Attributes
    ----------
    add
        Whether values at the same position are added; otherwise the last one is stored.
    """

    __props__ = ("add",)
    takes = "i1 *1 l0"

    def __init__(self, add: bool) -> None:
        self.add = add

    def make_checked(self, *inputs: Any) -> Apply:
        """Check that the positions are valid, and that there is a value for each."""
        places, values, count = inputs
        if values.type.shape != (1,):
            values = guards.one_each(values, places)
        return self.make_node(guards.inside(places, count), values, count)

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """Return a vector of the values' dtype."""
        count = dim_value(inputs[2])
        return [TensorType(inputs[1].dtype, (count if isinstance(count, int) else None,))]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        return [(dim_value(node.inputs[2]),)]

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        places, values, count = inputs
        result = output_storage[0][0] = np.zeros(int(count), values.dtype)
        if self.add:
            with np.errstate(all="ignore"):
                np.add.at(result, places, values)
        else:
            result[places] = values

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """The gradient of each value is that of its position."""
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
        """Only the values have a gradient."""
        return [[False], [True], [False]]

    def vectorize(self, node: Apply, batch: Any) -> list[Any]:
        """Scatter the values of each item to the same positions."""
        batch.needs_plain(node, 2)
        if batch.batched[0]:
            batch.needs_plain(node, 0)
        places, _, count = batch.inputs
        none = zeros((*batch.shape, count), node.outputs[0].dtype)
        return [Scattered(batch.ndim, not self.add)(none, batch.full(1), places)]

    @Statements
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        """Store one value after the other."""
        places, values, _ = arrays.inputs
        (target,) = arrays.outputs
        with b.loop("i", target.shape[0], kind="simd") as i:
            b.store(target, [i], zero_of(target.dtype))
        with b.loop("p", places.shape[0]) as p:
            place = b.as_index(b.cast(b.load(places, [p]), "int64"))
            value = b.load(values, [0 if values.shape[0] == 1 else p])
            if self.add:
                value = b.let("add", target.dtype, [b.load(target, [place]), value])
            b.store(target, [place], value)


class Gathered(AdvancedSubtensor):
    """Elements at positions that are known to be valid."""

    def make_checked(self, *inputs: Any) -> Apply:
        """Gather with checks."""
        return AdvancedSubtensor(self.axis).make_node(*inputs)

    def requirements(self, node: Apply, shapes: list[Any]) -> list[Requirement]:
        """There are no checks."""
        return []

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        x, *places = inputs
        if x.ndim == 1:
            return [add_at(places[0], output_grads[0], length(x)), None]
        whole = Scattered(self.axis, False)(x.zeros_like(), output_grads[0], *places)
        return [whole, *[None] * len(places)]


class Scattered(AdvancedIncSubtensor):
    """An array with elements incremented at positions that are known to be valid."""

    def make_checked(self, *inputs: Any) -> Apply:
        """Scatter with checks."""
        return AdvancedIncSubtensor(self.axis, self.set_instead_of_inc).make_node(*inputs)

    def requirements(self, node: Apply, shapes: list[Any]) -> list[Requirement]:
        """There are no checks."""
        return []

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """The gradient of each value is that of its position."""
        (g,) = output_grads
        places = inputs[2:]
        return [g, Gathered(self.axis)(g, *places), *[None] * len(places)]


def zero_of(dtype: str) -> Literal:
    """Return the zero of a dtype."""
    from symtheano.loopir import Literal

    return Literal({"b": False, "f": 0.0, "c": 0j}.get(dtype[0], 0), dtype)


def add_at(places: Any, values: Any, count: Any) -> Any:
    """Return ``count`` sums of the values at each position."""
    return Collected(True)(places, values, as_dim(count))


def put_at(places: Any, values: Any, count: Any) -> Any:
    """Return a vector of ``count`` items with values at positions."""
    return Collected(False)(places, values, as_dim(count))


def gather(x: Any, *places: Any) -> Any:
    """Return the elements of an array at valid positions."""
    return Gathered(0)(x, *places)


def scatter_add(x: Any, values: Any, *places: Any) -> Any:
    """Return an array with values added at valid positions."""
    return Scattered(0, False)(x, values, *places)

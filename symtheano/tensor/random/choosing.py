"""The op that chooses different items with NumPy's stream."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from symtheano.graph.op import Op, Requirement
from symtheano.graph.variable import Apply
from symtheano.lowering import Statements, contiguous
from symtheano.scalar import table as scalar
from symtheano.tensor.messages import build_message, call_message
from symtheano.tensor.random.sizes import check_lengths, length_requirements, shape_of_values
from symtheano.tensor.random.state import generator_of, random_state_type, state_words
from symtheano.tensor.shapes.shape import as_dim, dim_value, dims_product, join_dims, static_dims
from symtheano.tensor.type import TensorType

if TYPE_CHECKING:
    from symtheano.loopir import Builder, NodeArrays


class DifferentItems(Op):
    """Different numbers of items, as ``numpy.random.Generator.choice`` without replacement.

    The outputs are the state after drawing, and the numbers, int64. The inputs are a state, the
    number of items, and one 0-d integer per dim.

    Parameters
    ----------
    weighted
        Whether the second input is a vector of probabilities instead.
    """

    __props__ = ("weighted",)
    takes = "i1 r* l0..."
    differentiable_inputs = 0

    def __init__(self, weighted: bool) -> None:
        self.weighted = weighted

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """The state, and an array of the given lengths."""
        state, items, *dims = inputs
        if not random_state_type.accepts(state.type):
            raise TypeError(build_message("choice: the first operand is not a random state", state))
        if (items.dtype, items.ndim) != (("float64", 1) if self.weighted else ("int64", 0)):
            what = "a vector of probabilities" if self.weighted else "a number of items"
            raise TypeError(build_message(f"choice: the second operand is not {what}", items))
        check_lengths("choice", dims)
        return [random_state_type, TensorType("int64", static_dims(dims))]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        return [(6,), join_dims(node.outputs[1], node.inputs[2:])]

    def requirements(self, node: Apply, shapes: list[Any]) -> list[Requirement]:
        """There are enough items, and probabilities are not negative and have sum 1."""
        items, dims = node.inputs[1], node.inputs[2:]
        requirements = length_requirements(node, dims, node.outputs[1])
        wanted = as_dim(dims_product([dim_value(dim) for dim in dims]))
        if not self.weighted:
            return [*requirements, _required(node, 0, scalar.le(wanted, items))]
        valid = scalar.and_(
            scalar.ge(items, 0).all(),
            scalar.le(abs(items.sum() - 1), _ALMOST),
        )
        enough = scalar.le(wanted, scalar.gt(items, 0).sum(dtype="int64"))
        return [*requirements, _required(node, 1, valid), _required(node, 0, enough)]

    def scalars(self, node: Apply, shapes: list[Any]) -> list[Any]:
        """Return the number of items."""
        return [shapes[1][0] if self.weighted else node.inputs[1]]

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        state, items, *dims = inputs
        shape = shape_of_values(node, dims)
        generator = generator_of(state)
        if self.weighted:
            valid = (items >= 0).all() and abs(items.sum() - 1) <= _ALMOST
            if not valid:
                raise ValueError(_message(node, 1))
        if np.prod(shape, dtype="int64") > (np.count_nonzero(items) if self.weighted else items):
            raise ValueError(_message(node, 0))
        # NumPy's sizes of workspaces overflow where there is no memory for the result.
        np.empty(shape, "int64")
        if self.weighted:
            numbers = generator.choice(len(items), shape, replace=False, p=items)
        else:
            numbers = generator.choice(int(items), shape, replace=False)
        output_storage[0][0] = state_words(generator)
        output_storage[1][0] = np.asarray(numbers, "int64")

    @partial(Statements, accepts=contiguous, scalars=scalars, overwrites=0)
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        """Call the routine; the state is already in the first output."""
        words, numbers = arrays.outputs
        arguments = (numbers.size, arrays.scalars[0], numbers.address, words.address)
        if self.weighted:
            b.call("pcg64_weighted", *arguments, arrays.inputs[1].address)
        else:
            b.call("pcg64_different", *arguments)


_ALMOST = 1e-8
"""The largest difference from 1 of a sum of probabilities."""

_MESSAGES = (
    "choice: there are fewer items than are drawn without replacement",
    "choice: the probabilities are negative or do not sum to 1",
)


def _required(node: Apply, which: int, condition: Any) -> Requirement:
    return Requirement(condition, (), partial(_message, node, which), "value")


def _message(node: Apply, which: int, values: Sequence[int] = ()) -> str:
    return call_message(_MESSAGES[which], node)

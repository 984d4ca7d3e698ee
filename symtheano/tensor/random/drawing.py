"""The op that draws numbers from NumPy's stream."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from symtheano.dataclass import dataclass
from symtheano.errors import ShapeError
from symtheano.graph.op import Op, Requirement
from symtheano.graph.variable import Apply
from symtheano.lowering import Statements, contiguous
from symtheano.scalar.calculus import undefined
from symtheano.tensor.elemwise import same_length
from symtheano.tensor.messages import build_message, call_message
from symtheano.tensor.random.conditions import checked
from symtheano.tensor.random.sizes import check_lengths, length_requirements, shape_of_values
from symtheano.tensor.random.state import generator_of, random_state_type, state_words
from symtheano.tensor.routine import count_rows
from symtheano.tensor.shapes.shape import join_dims, static_dims
from symtheano.tensor.type import TensorType

if TYPE_CHECKING:
    from symtheano.loopir import Builder, NodeArrays

Shape = tuple[int, ...]
Draw = Callable[..., Any]


@dataclass(frozen=True)
class Distribution:
    """What :class:`RandomFunction` can draw.

    Attributes
    ----------
    name
        Name of the distribution, and after ``pcg64_`` of the routine that draws from it.
    draw
        Function of a generator, the parameters, the shape and the dtype: NumPy's numbers.
    dtypes
        The dtypes of numbers.
    parameters
        Dtypes of the parameters. Each is a number, or an array of the result's shape.
    vector
        Whether results are vectors, along the last axis. Parameters may then lack this axis.
    """

    name: str
    draw: Draw
    dtypes: tuple[str, ...]
    parameters: tuple[str, ...] = ()
    vector: bool = False


def _standard(name: str) -> Distribution:
    def draw(generator: np.random.Generator, shape: Shape, dtype: str) -> Any:
        return getattr(generator, name)(shape, dtype)

    return Distribution(name, draw, ("float64", "float32"))


def _integers(generator: np.random.Generator, low: Any, high: Any, shape: Shape, dtype: str) -> Any:
    return generator.integers(low, high, shape, dtype, endpoint=True)


def _permutation(generator: np.random.Generator, shape: Shape, dtype: str) -> Any:
    permutations = np.empty(shape, dtype)
    for index in np.ndindex(*shape[:-1]):
        permutations[index] = generator.permutation(shape[-1])
    return permutations


def _multinomial(generator: np.random.Generator, n: Any, p: Any, shape: Shape, dtype: str) -> Any:
    return generator.multinomial(n, p, shape[:-1])


def _elementwise(name: str, dtype: str, *parameters: str) -> Distribution:
    def draw(generator: np.random.Generator, *args: Any) -> Any:
        *values, shape, _ = args
        return getattr(generator, name)(*values, shape)

    return Distribution(name, draw, (dtype,), parameters)


_WHOLE = ("int64",)

DISTRIBUTIONS: Mapping[str, Distribution] = {
    row.name: row
    for row in (
        _standard("random"),
        _standard("standard_normal"),
        _standard("standard_exponential"),
        Distribution("integers", _integers, _WHOLE, ("int64", "int64")),
        Distribution("permutation", _permutation, _WHOLE, vector=True),
        _elementwise("standard_gamma", "float64", "float64"),
        _elementwise("beta", "float64", "float64", "float64"),
        _elementwise("poisson", "int64", "float64"),
        _elementwise("binomial", "int64", "int64", "float64"),
        Distribution("multinomial", _multinomial, _WHOLE, ("int64", "float64"), vector=True),
    )
}
"""The distributions by name."""


class RandomFunction(Op):
    """Numbers from a distribution: the state after drawing them, and the numbers.

    The inputs are a state, the parameters of the distribution, and one 0-d integer per dim.

    Parameters
    ----------
    name
        One of :data:`DISTRIBUTIONS`.
    dtype
        Dtype of the numbers.
    """

    __props__ = ("name", "dtype")
    takes = "i1 r*..."

    def __init__(self, name: str, dtype: str) -> None:
        if name not in DISTRIBUTIONS or dtype not in DISTRIBUTIONS[name].dtypes:
            raise ValueError(
                f"RandomFunction: {name!r} numbers of dtype {dtype!r} are not supported"
            )
        self.name, self.dtype = name, dtype

    @property
    def distribution(self) -> Distribution:
        """The row of the distribution."""
        return DISTRIBUTIONS[self.name]

    def split(self, items: Sequence[Any]) -> tuple[Sequence[Any], Sequence[Any]]:
        """Return the parameters, and the lengths, among the inputs."""
        first = 1 + len(self.distribution.parameters)
        return items[1:first], items[first:]

    def make_checked(self, *inputs: Any) -> Apply:
        """Check the parameters, which functions of distributions have checked."""
        parameters, dims = self.split(inputs)
        node = self.make_node(*inputs)
        return self.make_node(node.inputs[0], *checked(self.name, *parameters), *dims)

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """The state, and an array of the given lengths."""
        row = self.distribution
        parameters, dims = self.split(inputs)
        if not random_state_type.accepts(inputs[0].type):
            raise TypeError(
                build_message(f"{self.name}: the first operand is not a random state", inputs[0])
            )
        allowed = {0, len(dims), len(dims) - row.vector}
        for item, dtype in zip(parameters, row.parameters, strict=True):
            if item.dtype != dtype or item.ndim not in allowed:
                raise TypeError(build_message(f"{self.name}: a parameter does not fit", item))
        check_lengths(self.name, dims)
        return [random_state_type, TensorType(self.dtype, static_dims(dims))]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        _, dims = self.split(node.inputs)
        return [(6,), join_dims(node.outputs[1], dims)]

    def requirements(self, node: Apply, shapes: list[Any]) -> list[Requirement]:
        """No length is negative, and parameters have the result's shape."""
        _, dims = self.split(node.inputs)
        requirements = length_requirements(node, dims, node.outputs[1])
        return requirements + fitting_requirements(node, shapes, join_dims(node.outputs[1], dims))

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        parameters, dims = self.split(inputs)
        shape = shape_of_values(node, dims)
        check_fitting(node, parameters, shape)
        generator = generator_of(inputs[0])
        numbers = self.distribution.draw(generator, *parameters, shape, self.dtype)
        output_storage[0][0] = state_words(generator)
        output_storage[1][0] = np.asarray(numbers, self.dtype)

    @partial(Statements, accepts=contiguous, overwrites=0)
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        """Call the routine; the state is already in the first output."""
        row, (words, numbers) = self.distribution, arrays.outputs
        parameters, _ = self.split(arrays.inputs)
        arguments = [x for item in parameters for x in (item.address, int(item.ndim > 0))]
        size = (count_rows(numbers), numbers.shape[-1]) if row.vector else (numbers.size,)
        b.call(f"pcg64_{self.name}", *size, numbers.address, words.address, *arguments)

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """Lengths have no gradient, and that of parameters is not defined."""
        parameters, dims = self.split(inputs)
        why = f"{self.name}: there is no gradient with respect to this parameter"
        return [None, *(undefined(why) for _ in parameters), *(None for _ in dims)]

    def connection_pattern(self, node: Apply) -> list[list[bool]]:
        """Only parameters would have a gradient."""
        parameters, dims = self.split(node.inputs)
        return [[False] * 2, *([False, True] for _ in parameters), *([False] * 2 for _ in dims)]

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        """Standard numbers are constant."""
        return [None, None]


def fitting_requirements(node: Apply, shapes: list[Any], shape: Sequence[Any]) -> list[Requirement]:
    """Require that the parameters, which are the inputs after the first, have a shape.

    Parameters
    ----------
    node
        The node of a distribution.
    shapes
        Those of its inputs.
    shape
        That of the numbers.
    """
    requirements = []
    count = len(DISTRIBUTIONS[node.op.name].parameters)  # type: ignore[attr-defined]
    for k in range(1, 1 + count):
        for axis, mine in enumerate(shapes[k]):
            requirements += same_length(mine, shape[axis], partial(_misfit, node, k, axis))
    return requirements


def check_fitting(node: Apply, parameters: Sequence[Any], shape: Shape) -> None:
    """Raise an error if parameters have another shape than the numbers."""
    for k, item in enumerate(parameters):
        for axis, (mine, wanted) in enumerate(zip(np.shape(item), shape, strict=False)):
            if mine != wanted:
                raise ShapeError(_misfit(node, 1 + k, axis, [mine, wanted]))


def _misfit(node: Apply, number: int, axis: int, values: Sequence[int]) -> str:
    name = getattr(node.op, "name", str(node.op))
    return call_message(
        f"{name}: a parameter has length {values[0]} along axis {axis}, but the size has "
        f"{values[1]}",
        node,
        node.inputs[number],
    )

"""Distributions for sources of words: each element has its own generator.

Rejection methods need an unknown number of random numbers. Each element draws them from a PCG64
whose state is 128 random bits, with the routines that draw NumPy's numbers. An element therefore
does not depend on other elements, and threads can share the work.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from symtheano.errors import ShapeError
from symtheano.graph.op import Op, Requirement
from symtheano.graph.variable import Apply, Constant
from symtheano.lowering import Statements, contiguous
from symtheano.scalar import table as scalar
from symtheano.scalar.calculus import undefined
from symtheano.tensor.basic import cast
from symtheano.tensor.creation.ranges import arange
from symtheano.tensor.elemwise import same_length
from symtheano.tensor.messages import build_message, call_message
from symtheano.tensor.random.drawing import DISTRIBUTIONS, check_fitting, fitting_requirements
from symtheano.tensor.random.source import shares, spread
from symtheano.tensor.random.state import generator_of
from symtheano.tensor.reductions.cumulative import cumsum
from symtheano.tensor.routine import count_rows
from symtheano.tensor.type import TensorType

if TYPE_CHECKING:
    from symtheano.loopir import Builder, NodeArrays

INCREMENT = 0x5851F42D4C957F2D14057B7EF767814F
"""The increment of the generators, O'Neill's default."""

SEEDED = ("standard_gamma", "beta", "poisson", "binomial", "multinomial")
"""The distributions that are drawn so."""


class SeededNumbers(Op):
    """Numbers from a distribution; each number has its own generator.

    The inputs are the generators' states, uint64, two words along the last axis, and the parameters
    of the distribution, which are numbers or arrays. Vectors of results, such as those of
    multinomial distributions, are along the last axis of the last parameter.

    Parameters
    ----------
    name
        One of :data:`SEEDED`.
    """

    __props__ = ("name",)
    takes = "i1+ r*..."

    def __init__(self, name: str) -> None:
        if name not in SEEDED:
            raise ValueError(f"SeededNumbers: no {name!r} numbers are drawn")
        self.name = name
        self.vector = DISTRIBUTIONS[name].vector

    def _shape(self, shapes: Sequence[Any]) -> tuple[Any, ...]:
        """Return the shape of the numbers for those of the inputs."""
        return (*shapes[0][:-1], *(shapes[-1][-1:] if self.vector else ()))

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """An array with the shape of the states, without the last axis."""
        words, *parameters = inputs
        row = DISTRIBUTIONS[self.name]
        if words.dtype != "uint64" or words.ndim == 0 or words.type.shape[-1] not in (2, None):
            raise TypeError(build_message(f"{self.name}: states are two uint64 each", words))
        if len(parameters) != len(row.parameters):
            raise TypeError(f"{self.name}: there are {len(row.parameters)} parameters")
        ndim = words.ndim - 1 + self.vector
        for k, (item, dtype) in enumerate(zip(parameters, row.parameters, strict=True)):
            allowed = {ndim} if self.vector and k == 1 else {0, words.ndim - 1}
            if item.dtype != dtype or item.ndim not in allowed:
                raise TypeError(build_message(f"{self.name}: a parameter does not fit", item))
        return [TensorType(row.dtypes[0], self._shape([item.type.shape for item in inputs]))]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        """The states tell the lengths."""
        return [self._shape(shapes)]

    def requirements(self, node: Apply, shapes: list[Any]) -> list[Requirement]:
        """States have two words, and parameters have the result's shape."""
        two = same_length(shapes[0][-1], 2, partial(_no_states, node), (shapes[0][-1],))
        return [*two, *fitting_requirements(node, shapes, self._shape(shapes))]

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        words, *parameters = inputs
        if words.shape[-1] != 2:
            raise ShapeError(_no_states(node, [words.shape[-1]]))
        row, shape = DISTRIBUTIONS[self.name], self._shape([np.shape(item) for item in inputs])
        check_fitting(node, parameters, shape)
        numbers = np.empty(shape, row.dtypes[0])
        increment = [INCREMENT >> 64, INCREMENT & (1 << 64) - 1]
        for index in np.ndindex(*words.shape[:-1]):
            generator = generator_of(np.array([*words[index], *increment, 0, 0], "uint64"))
            arguments = [item[index] if np.ndim(item) else item for item in parameters]
            numbers[index] = row.draw(generator, *arguments, shape[len(index) :], row.dtypes[0])
        output_storage[0][0] = numbers

    @partial(Statements, accepts=contiguous)
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        (numbers,), (words, *parameters) = arrays.outputs, arrays.inputs
        arguments = [x for item in parameters for x in (item.address, int(item.ndim > 0))]
        size = (count_rows(numbers), numbers.shape[-1]) if self.vector else (numbers.size,)
        b.call(f"seeded_{self.name}", *size, numbers.address, words.address, *arguments)

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """The gradient by a parameter is not defined."""
        why = f"{self.name}: there is no gradient with respect to this parameter"
        return [None, *(undefined(why) for _ in inputs[1:])]

    def connection_pattern(self, node: Apply) -> list[list[bool]]:
        """Only parameters would have a gradient."""
        return [[False], *([True] for _ in node.inputs[1:])]


def _no_states(node: Apply, values: Sequence[int]) -> str:
    return call_message(f"{node.op}: a state has {values[0]} words, not 2", node)


class SeededSource(ABC):
    """A source of uniform numbers that seeds a generator for each number of others."""

    @abstractmethod
    def random(self, dims: Sequence[Any], dtype: str) -> Any:
        """Return uniform numbers between 0 and 1."""

    @abstractmethod
    def seeds(self, dims: Sequence[Any]) -> Any:
        """Return random words, uint64 with one more axis of length 2."""

    def standard_gamma(self, dims: Sequence[Any], shape: Any) -> Any:
        """Return float64 numbers of gamma distributions with scale 1."""
        return SeededNumbers("standard_gamma")(self.seeds(dims), shape)

    def beta(self, dims: Sequence[Any], a: Any, b: Any) -> Any:
        """Return float64 numbers of beta distributions."""
        return SeededNumbers("beta")(self.seeds(dims), a, b)

    def poisson(self, dims: Sequence[Any], lam: Any) -> Any:
        """Return int64 numbers of Poisson distributions."""
        return SeededNumbers("poisson")(self.seeds(dims), lam)

    def binomial(self, dims: Sequence[Any], n: Any, p: Any) -> Any:
        """Return int64 numbers of successes; that of one trial is made of a uniform number."""
        if is_one(n):
            return cast(scalar.lt(self.random(dims, p.dtype), p), "int64")
        return SeededNumbers("binomial")(self.seeds(dims), n, cast(p, "float64"))

    def multinomial(self, dims: Sequence[Any], n: Any, p: Any) -> Any:
        """Return int64 numbers of outcomes, along the last axis; see :meth:`binomial`."""
        if not is_one(n):
            parameters = spread(n, dims[:-1], "int64"), spread(shares(p), dims, "float64")
            return SeededNumbers("multinomial")(self.seeds(dims[:-1]), *parameters)
        return one_outcome(self.random(dims[:-1], p.dtype), p)


def one_outcome(u: Any, p: Any) -> Any:
    """Return a one for the outcome that each uniform number selects, zeros for others; int64.

    The last outcome has the probability that the others leave.
    """
    passed = cumsum(cast(p, "float64")[..., :-1], -1)
    u = u.dimshuffle(*range(u.ndim), "x")
    place = cast(scalar.le(passed, u), "int64").sum(-1, keepdims=True)
    return cast(scalar.eq(arange(p.shape[-1]), place), "int64")


def is_one(n: Any) -> bool:
    """Return whether a number of trials is known to be 1."""
    return isinstance(n, Constant) and np.array_equal(n.data, 1)

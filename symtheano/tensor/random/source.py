"""Sources of standard random numbers, and their parameters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from symtheano import dtypes
from symtheano.config import config
from symtheano.scalar import table as scalar
from symtheano.tensor.basic import as_tensor_variable, cast
from symtheano.tensor.creation.filled import alloc
from symtheano.tensor.messages import build_message
from symtheano.tensor.random.choosing import DifferentItems
from symtheano.tensor.random.drawing import RandomFunction
from symtheano.tensor.shapes.shape import as_dim


class Source(Protocol):
    """What distributions are drawn from.

    Sizes are lists of 0-d int64 variables, and dtypes float32 or float64. Parameters are 0-d, or
    arrays of this size.
    """

    def random(self, dims: Sequence[Any], dtype: str) -> Any:
        """Return uniform numbers from [0, 1)."""

    def standard_normal(self, dims: Sequence[Any], dtype: str) -> Any:
        """Return normal numbers with mean 0 and variance 1."""

    def standard_exponential(self, dims: Sequence[Any], dtype: str) -> Any:
        """Return exponential numbers with mean 1."""

    def integers(self, dims: Sequence[Any], low: Any, high: Any) -> Any:
        """Return int64 numbers between two bounds, which are both possible."""

    def standard_gamma(self, dims: Sequence[Any], shape: Any) -> Any:
        """Return float64 numbers of gamma distributions with scale 1."""

    def beta(self, dims: Sequence[Any], a: Any, b: Any) -> Any:
        """Return float64 numbers of beta distributions."""

    def poisson(self, dims: Sequence[Any], lam: Any) -> Any:
        """Return int64 numbers of Poisson distributions."""

    def binomial(self, dims: Sequence[Any], n: Any, p: Any) -> Any:
        """Return int64 numbers of successes."""

    def multinomial(self, dims: Sequence[Any], n: Any, p: Any) -> Any:
        """Return int64 numbers of outcomes, along the last axis, which ``p`` has."""


class NumPySource:
    """NumPy's stream.

    Attributes
    ----------
    state
        The state after all that has been drawn.
    """

    def __init__(self, state: Any) -> None:
        self.state = as_tensor_variable(state)

    def draw(self, name: str, dtype: str, parameters: Sequence[Any], dims: Sequence[Any]) -> Any:
        """Return numbers of a distribution of :class:`RandomFunction`."""
        op = RandomFunction(name, dtype)
        self.state, numbers = op(self.state, *parameters, *dims)
        return numbers

    def random(self, dims: Sequence[Any], dtype: str) -> Any:
        """Return uniform numbers from [0, 1)."""
        return self.draw("random", dtype, (), dims)

    def standard_normal(self, dims: Sequence[Any], dtype: str) -> Any:
        """Return normal numbers with mean 0 and variance 1."""
        return self.draw("standard_normal", dtype, (), dims)

    def standard_exponential(self, dims: Sequence[Any], dtype: str) -> Any:
        """Return exponential numbers with mean 1."""
        return self.draw("standard_exponential", dtype, (), dims)

    def integers(self, dims: Sequence[Any], low: Any, high: Any) -> Any:
        """Return int64 numbers between two bounds, which are both possible."""
        return self.draw("integers", "int64", (low, high), dims)

    def permutation(self, dims: Sequence[Any]) -> Any:
        """Return permutations along the last axis."""
        return self.draw("permutation", "int64", (), dims)

    def different(self, dims: Sequence[Any], number: Any, p: Any) -> Any:
        """Return different numbers below a number, with probabilities or None."""
        items = as_dim(number) if p is None else p
        self.state, numbers = DifferentItems(p is not None)(self.state, items, *dims)
        return numbers

    def standard_gamma(self, dims: Sequence[Any], shape: Any) -> Any:
        """Return float64 numbers of gamma distributions with scale 1."""
        return self.draw("standard_gamma", "float64", (shape,), dims)

    def beta(self, dims: Sequence[Any], a: Any, b: Any) -> Any:
        """Return float64 numbers of beta distributions."""
        return self.draw("beta", "float64", (a, b), dims)

    def poisson(self, dims: Sequence[Any], lam: Any) -> Any:
        """Return int64 numbers of Poisson distributions."""
        return self.draw("poisson", "int64", (lam,), dims)

    def binomial(self, dims: Sequence[Any], n: Any, p: Any) -> Any:
        """Return int64 numbers of successes."""
        return self.draw("binomial", "int64", (n, cast(p, "float64")), dims)

    def multinomial(self, dims: Sequence[Any], n: Any, p: Any) -> Any:
        """Return int64 numbers of outcomes, along the last axis."""
        parameters = spread(n, dims[:-1], "int64"), spread(shares(p), dims, "float64")
        return self.draw("multinomial", "int64", parameters, dims)


def spread(item: Any, dims: Sequence[Any], dtype: str) -> Any:
    """Return a parameter in a dtype, and if it is an array, with the given lengths."""
    item = cast(as_tensor_variable(item), dtype)
    return alloc(item, *dims) if item.ndim else item


def shares(p: Any) -> Any:
    """Return the probabilities of outcomes in float64; rounded ones may sum to more than 1."""
    if p.dtype == "float64":
        return p
    wide = cast(p, "float64")
    return wide / scalar.maximum(wide[..., :-1].sum(-1, keepdims=True), 1.0)


def float_dtypes(dtype: Any, *parameters: Any) -> tuple[str, str]:
    """Return the dtype of random numbers, and the dtype in which they are drawn.

    The first one is ``dtype``; if it is None, floatX or a wider dtype of a parameter that is an
    array or a variable.

    Raises
    ------
    TypeError
        If it is not real.
    """
    if dtype is None:
        arrays = [p for p in parameters if not isinstance(p, bool | int | float | tuple | list)]
        array_dtypes = [as_tensor_variable(p).dtype for p in arrays]
        dtype = dtypes.upcast(config.floatX, *(d for d in array_dtypes if dtypes.is_float(d)))
    name = dtypes.canonical(dtype)
    if not dtypes.is_float(name):
        raise TypeError(build_message(f"random numbers of dtype {name} are not supported",
                                      hint="use float16, float32 or float64"))  # fmt: skip
    return name, "float64" if name == "float64" else "float32"

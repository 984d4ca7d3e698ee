"""Sources of standard random numbers, and the sizes of what is drawn from them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from symtheano import dtypes
from symtheano.config import config
from symtheano.graph.variable import Variable
from symtheano.tensor.basic import as_tensor_variable, cast
from symtheano.tensor.creation.filled import alloc
from symtheano.tensor.messages import build_message
from symtheano.tensor.random.drawing import RandomFunction
from symtheano.tensor.shapes.repetition import broadcast_shape
from symtheano.tensor.shapes.shape import as_dim, as_dims


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


# -- sizes and parameters --------------------------------------------------------------------------


def size_of(name: str, size: Any, ndim: int | None, parameters: Sequence[Any]) -> list[Any]:
    """Return the lengths of what is drawn.

    Parameters
    ----------
    name
        What is drawn, for messages.
    size
        A length, a list of lengths or a vector of them; None for the shape of the parameters.
    ndim
        The number of axes; it is needed if ``size`` is a vector of unknown length.
    parameters
        Variables.

    Raises
    ------
    ValueError
        If ``ndim`` is another number than that of lengths, or parameters have more axes.
    """
    if size is None:
        arrays = [item for item in parameters if item.ndim]
        dims = [as_dim(dim) for dim in broadcast_shape(*arrays)] if arrays else []
    elif ndim is not None and _is_long(size):
        dims = [as_dim(size[axis]) for axis in range(ndim)]
    elif _is_long(size):
        raise ValueError(
            build_message(
                f"{name}: the number of axes is unknown", size, hint="give it by ndim, or list size"
            )
        )
    else:
        dims = [] if isinstance(size, tuple | list) and not size else as_dims(size)
    if ndim is not None and ndim != len(dims):
        raise ValueError(build_message(f"{name}: ndim is {ndim}, and size has {len(dims)} lengths"))
    for item in parameters:
        if item.ndim > len(dims):
            raise ValueError(
                build_message(
                    f"{name}: a parameter has {item.ndim} axes, and size has {len(dims)} lengths",
                    item,
                )
            )
    return dims


def _is_long(size: Any) -> bool:
    """Return whether a size is a vector of unknown length."""
    return (
        isinstance(size, Variable) and getattr(size, "ndim", 0) == 1 and size.type.shape[0] is None
    )


def spread(item: Any, dims: Sequence[Any], dtype: str) -> Any:
    """Return a parameter in a dtype, and if it is an array, with the given lengths."""
    item = cast(as_tensor_variable(item), dtype)
    return alloc(item, *dims) if item.ndim else item


def float_dtypes(dtype: Any, *parameters: Any) -> tuple[str, str]:
    """Return the dtype of what is drawn, and that in which it is drawn.

    The first one is ``dtype``; if it is None, floatX or a wider dtype of a parameter that is an
    array or a variable.

    Raises
    ------
    TypeError
        If it is not real.
    """
    if dtype is None:
        arrays = [p for p in parameters if not isinstance(p, bool | int | float | tuple | list)]
        found = [as_tensor_variable(p).dtype for p in arrays]
        dtype = dtypes.upcast(config.floatX, *(d for d in found if dtypes.is_float(d)))
    name = dtypes.canonical(dtype)
    if not dtypes.is_float(name):
        raise TypeError(build_message(f"random numbers of dtype {name} are not drawn here",
                                      hint="use float16, float32 or float64"))  # fmt: skip
    return name, "float64" if name == "float64" else "float32"

"""Dropout."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor
from symtheano.tensor.nnet.operands import float_operand, parameter_like
from symtheano.tensor.random.base import RandomStreamsBase
from symtheano.tensor.shapes.axis_numbers import normalize_axis
from symtheano.tensor.shapes.shape import shape_of


def dropout(
    x: Any,
    rng: RandomStreamsBase,
    rate: Any = 0.5,
    shared_axes: int | Sequence[int] = (),
    rescale: bool = True,
) -> Tensor:
    """Set random elements to zero, and divide the others by the probability of being kept.

    See Srivastava et al., 2014, Dropout. For the gradient, one byte for each element is kept.

    Parameters
    ----------
    x
        Array of any shape.
    rng
        Random streams of any kind. The random numbers have the precision of ``x``.
    rate
        The probability that an element is set to zero, at least 0 and below 1. A number or a 0-d
        variable.
    shared_axes
        Axes along which elements are kept or dropped together, such as the positions of an image.
    rescale
        Whether to divide by ``1 - rate``. If so, nothing has to be changed after training.

    Examples
    --------
    >>> from symtheano.tensor.random import RandomStreams
    >>> y = dropout(np.ones(1000), RandomStreams(1), 0.25).eval()
    >>> sorted(set(y.round(4).tolist())), bool(0.7 < (y > 0).mean() < 0.8)
    ([0.0, 1.3333], True)
    """
    x = float_operand(x)
    if isinstance(rate, int | float) and not 0 <= rate < 1:
        raise ValueError(f"dropout: the rate must be at least 0 and below 1, not {rate}")
    together = normalize_axis(
        shared_axes if isinstance(shared_axes, int) else tuple(shared_axes), x.ndim
    )
    size = [1 if axis in together else dim for axis, dim in enumerate(shape_of(x))]
    precise = "float64" if x.dtype == "float64" else "float32"
    numbers = rng.uniform(size=size, ndim=x.ndim, dtype=precise)
    rate = parameter_like(rate, x)
    stays = scalar.ge(numbers, rate)
    kept = x / (rate.constant_like(1) - rate) if rescale else x
    return scalar.switch(stays, kept, kept.constant_like(0))

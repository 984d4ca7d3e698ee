"""Activation functions that are compositions of rows of the scalar table."""

from __future__ import annotations

import math
from typing import Any

from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor, TensorLike
from symtheano.tensor.basic import as_tensor_variable
from symtheano.tensor.nnet.operands import float_operand, parameter_like
from symtheano.tensor.shapes.axis_numbers import normalize_axis

_SELU = (1.0507009873554804934193349852946, 1.6732632423543772848170429916717)
"""The factor and the alpha of Klambauer et al., 2017, Self-normalizing neural networks."""

_SATURATED = 40.0
"""Beyond it, both forms of gelu are 0 or x in every dtype."""


def relu(x: TensorLike, alpha: Any = 0) -> Tensor:
    """Return ``x`` where it is positive, and ``alpha * x`` elsewhere; the slope at 0 is ``alpha``.

    ``alpha`` is a number, an array or a variable.

    Examples
    --------
    >>> T.nnet.relu(T.constant([-1.0, 2.0])).eval()
    array([0., 2.], dtype=float32)
    """
    x = as_tensor_variable(x)
    plain = isinstance(alpha, int | float) and alpha == 0
    return scalar.switch(scalar.le(x, 0), x.constant_like(0) if plain else alpha * x, x)


def leaky_relu(x: Any, alpha: Any = 0.01) -> Tensor:
    """Return ``x`` where it is positive and ``alpha * x`` elsewhere.

    Examples
    --------
    >>> leaky_relu(np.array([-1.0, 2.0]), 0.5).eval().tolist()
    [-0.5, 2.0]
    """
    return relu(x, alpha)


def prelu(x: TensorLike, alpha: Any, axis: int = 1) -> Tensor:
    """Return ``x`` where it is positive, and ``alpha * x`` elsewhere, with one slope per channel.

    The slopes are learned: He et al., 2015, Delving deep into rectifiers.

    Parameters
    ----------
    x
        Array of any shape.
    alpha
        A vector with one slope for each item along ``axis``; or a number or an array that
        broadcasts against ``x``.
    axis
        The axis of the channels, if ``alpha`` is a vector.

    Examples
    --------
    >>> prelu(np.array([[-1.0, -1.0], [3.0, 4.0]]), np.array([0.5, 0.25])).eval().tolist()
    [[-0.5, -0.25], [3.0, 4.0]]
    """
    x = as_tensor_variable(x)
    alpha = parameter_like(alpha, x)
    if alpha.ndim == 1:
        (place,) = normalize_axis(axis, x.ndim)
        alpha = alpha.dimshuffle(*[0 if a == place else "x" for a in range(x.ndim)])
    return relu(x, alpha)


def elu(x: TensorLike, alpha: Any = 1) -> Tensor:
    """Return ``x`` where it is positive and ``alpha * (exp(x) - 1)`` elsewhere.

    Examples
    --------
    >>> elu(np.array([-1.0, 2.0])).eval().round(4).tolist()
    [-0.6321, 2.0]
    """
    x = as_tensor_variable(x)
    is_above = scalar.gt(x, 0)
    below = scalar.switch(is_above, x.constant_like(0), x)  # the exponential of x may overflow
    return scalar.switch(is_above, x, alpha * scalar.expm1(below))


def selu(x: TensorLike) -> Tensor:
    """Return the scaled ``elu`` of self-normalizing networks.

    See Klambauer et al., 2017, Self-normalizing neural networks, which has the two constants.

    Examples
    --------
    >>> selu(np.array([-1.0, 2.0])).eval().round(4).tolist()
    [-1.1113, 2.1014]
    """
    x = float_operand(x)
    factor, alpha = (x.constant_like(value) for value in _SELU)
    return factor * elu(x, alpha)


def gelu(x: TensorLike, approximate: bool = False) -> Tensor:
    """Return ``x`` times the probability that a standard normal variable is below ``x``.

    See Hendrycks and Gimpel, 2016, Gaussian error linear units.

    Parameters
    ----------
    x
        Array of any shape; integers are computed as floats.
    approximate
        Whether to use the approximation by tanh, which differs by up to 5e-4.

    Examples
    --------
    >>> gelu(np.array([-1.0, 2.0])).eval().round(4).tolist()
    [-0.1587, 1.9545]
    >>> gelu(np.array([-1.0, 2.0]), approximate=True).eval().round(4).tolist()
    [-0.1588, 1.9546]
    """
    x = float_operand(x)
    bound = x.constant_like(_SATURATED)  # without it, powers of x overflow in the gradients
    inner = scalar.clip(x, -bound, bound)
    if not approximate:
        return x.constant_like(0.5) * x * scalar.erfc(x.constant_like(-math.sqrt(0.5)) * inner)
    # (1 + tanh(u)) / 2 is the sigmoid of 2u.
    cubic = inner + x.constant_like(0.044715) * inner**3
    return x * scalar.sigmoid(x.constant_like(2 * math.sqrt(2 / math.pi)) * cubic)


def swish(x: TensorLike, beta: Any = 1) -> Tensor:
    """Return ``x * sigmoid(beta * x)``.

    See Ramachandran et al., 2017, Searching for activation functions.

    Examples
    --------
    >>> swish(np.array([-1.0, 2.0]), 2.0).eval().round(4).tolist()
    [-0.1192, 1.964]
    """
    x = float_operand(x)
    plain = isinstance(beta, int | float) and beta == 1
    return x * scalar.sigmoid(x if plain else parameter_like(beta, x) * x)


def silu(x: Any) -> Tensor:
    """Return ``x * sigmoid(x)``.

    Examples
    --------
    >>> silu(np.array([-1.0, 2.0])).eval().round(4).tolist()
    [-0.2689, 1.7616]
    """
    return swish(x)


def mish(x: TensorLike) -> Tensor:
    """Return ``x * tanh(softplus(x))``.

    See Misra, 2019, Mish: a self regularized non-monotonic activation function.

    Examples
    --------
    >>> mish(np.array([-1.0, 2.0])).eval().round(4).tolist()
    [-0.3034, 1.944]
    """
    x = float_operand(x)
    return x * scalar.tanh(scalar.softplus(x))


def hard_sigmoid(x: Any) -> Tensor:
    """Return ``clip(0.2 * x + 0.5, 0, 1)``, a piecewise linear sigmoid.

    Examples
    --------
    >>> hard_sigmoid(np.array([-9.0, 0.0, 9.0])).eval().tolist()
    [0.0, 0.5, 1.0]
    """
    x = float_operand(x)
    line = x * x.constant_like(0.2) + x.constant_like(0.5)
    return scalar.clip(line, x.constant_like(0), x.constant_like(1))


def ultra_fast_sigmoid(x: TensorLike) -> Tensor:
    """Return the exact sigmoid: no approximation is needed, since compiled code is fast.

    Examples
    --------
    >>> ultra_fast_sigmoid(np.zeros(1)).eval().tolist()
    [0.5]
    """
    return scalar.sigmoid(as_tensor_variable(x))

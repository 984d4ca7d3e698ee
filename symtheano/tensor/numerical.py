"""Functions of NumPy about samples and polynomials that are short expressions of others."""

from __future__ import annotations

from collections.abc import Sequence
from math import pi
from typing import Any

from symtheano import dtypes
from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor, TensorLike
from symtheano.tensor.assertion import required
from symtheano.tensor.basic import as_tensor_variable, cast
from symtheano.tensor.creation.ranges import arange
from symtheano.tensor.indexing.nonzeros import nonzero
from symtheano.tensor.linalg.lstsq import lstsq
from symtheano.tensor.linalg.matmul import matmul
from symtheano.tensor.linalg.standard import cross as _cross, vecdot as vecdot
from symtheano.tensor.messages import build_message
from symtheano.tensor.nnet.convolution.functions import conv1d
from symtheano.tensor.reductions.cumulative import cumprod, cumsum, diff
from symtheano.tensor.shapes.arrangement import moveaxis
from symtheano.tensor.shapes.axis_numbers import normalize_axis
from symtheano.tensor.shapes.join import concatenate
from symtheano.tensor.shapes.repetition import broadcast_to
from symtheano.tensor.shapes.shape import dim_value, shape_of


def cross(
    a: TensorLike,
    b: TensorLike,
    axisa: int = -1,
    axisb: int = -1,
    axisc: int = -1,
    axis: int | None = None,
) -> Tensor:
    """Return the cross products of vectors of length 3; other axes are broadcast.

    Parameters
    ----------
    a, b
        Arrays of vectors.
    axisa, axisb, axisc
        The axes of the vectors of ``a``, of ``b`` and of the result.
    axis
        One axis for all three.

    Raises
    ------
    ShapeError
        If an axis of vectors does not have length 3.

    Examples
    --------
    >>> cross([1, 0, 0], [0, 1, 0]).eval().tolist()
    [0, 0, 1]
    """
    if axis is not None:
        axisa = axisb = axisc = axis
    first = moveaxis(as_tensor_variable(a), axisa, -1)
    products = _cross(first, moveaxis(as_tensor_variable(b), axisb, -1))
    return moveaxis(products, -1, axisc)


def sinc(x: TensorLike) -> Tensor:
    """Return ``sin(pi * x) / (pi * x)``, which is 1 for 0.

    Examples
    --------
    >>> sinc(np.array([0.0, 0.5])).eval().round(4).tolist()
    [1.0, 0.6366]
    """
    x = as_tensor_variable(x)
    angle = x * cast(pi, dtypes.upgrade_to_float(x.dtype))
    # Near 0, where the quotient and its derivatives are not exact, the series is.
    small = scalar.lt(scalar.abs(angle), _SMALL[dtypes.real_of(angle.dtype)])
    other = scalar.switch(small, angle.constant_like(1), angle)
    square = scalar.sqr(angle)
    series = 1 - square / 6 + scalar.sqr(square) / 120
    ratio: Tensor = scalar.switch(small, series.astype(angle.dtype), scalar.sin(other) / other)
    return ratio


_SMALL = {"float16": 0.25, "float32": 0.1, "float64": 0.005}


# -- samples ---------------------------------------------------------------------------------------


def trapezoid(
    y: TensorLike, x: TensorLike | None = None, dx: TensorLike = 1.0, axis: int = -1
) -> Tensor:
    """Return the integral along an axis by the trapezoidal rule.

    Parameters
    ----------
    y
        Values of a function.
    x
        The places of the values: a vector, or an array that is broadcast with ``y``. None: places
        have the distance ``dx``.
    dx
        The distance of places.
    axis
        The axis.

    Examples
    --------
    >>> trapezoid(np.array([1.0, 2.0, 3.0]), dx=2).eval()
    array(8.)
    """
    y = moveaxis(as_tensor_variable(y), axis, -1)
    width: Any = as_tensor_variable(dx)
    if x is not None:
        x = as_tensor_variable(x)
        width = diff(x if x.ndim == 1 else moveaxis(x, axis, -1))
    integral: Tensor = (width * (y[..., 1:] + y[..., :-1]) / 2.0).sum(axis=-1)
    return integral


def gradient(
    f: TensorLike,
    *varargs: TensorLike,
    axis: int | Sequence[int] | None = None,
    edge_order: int = 1,
) -> Tensor | tuple[Tensor, ...]:
    """Return finite differences of neighbouring elements, as ``numpy.gradient`` does.

    Derivatives of expressions are computed by :func:`symtheano.grad`.

    Parameters
    ----------
    f
        Values of a function at the points of a grid.
    varargs
        The distances of points: none for 1, one number for all axes, or for each axis a number or a
        vector of the coordinates of points.
    axis
        One axis or several; None for all.
    edge_order
        1 or 2: the order of the differences at both ends.

    Returns
    -------
    An array of the shape of ``f``, or a tuple with one for each axis.

    Raises
    ------
    ValueError
        If an axis has ``edge_order`` elements or fewer.

    Examples
    --------
    >>> gradient(np.array([1.0, 2.0, 4.0, 7.0])).eval().tolist()
    [1.0, 1.5, 2.5, 3.0]
    """
    f = as_tensor_variable(f)
    axes = normalize_axis(axis if axis is None or isinstance(axis, int) else tuple(axis), f.ndim)
    steps = list(varargs) * len(axes) if len(varargs) == 1 else list(varargs) or [1.0] * len(axes)
    if len(steps) != len(axes) or not axes or any(as_tensor_variable(x).ndim > 1 for x in steps):
        what = f"gradient: distances {varargs} for {len(axes)} axes"
        hint = "differences of neighbours; derivatives are symtheano.grad(cost, wrt)"
        raise TypeError(build_message(what, f, hint=hint))
    if edge_order not in (1, 2):
        raise ValueError(build_message(f"gradient: edge_order={edge_order!r} is neither 1 nor 2"))
    slopes = [
        moveaxis(_slopes(moveaxis(f, k, -1), as_tensor_variable(step), edge_order), -1, k)
        for k, step in zip(axes, steps, strict=True)
    ]
    return slopes[0] if len(slopes) == 1 else tuple(slopes)


def _slopes(f: Any, step: Any, edge_order: int) -> Any:
    """Return the differences along the last axis; distances may differ from point to point."""
    f = cast(f, dtypes.upgrade_to_float(f.dtype))
    message = f"gradient: an axis has fewer than {edge_order + 1} elements"
    f = required(f, shape_of(f)[-1] > edge_order, message)
    even = step.ndim == 0
    widths = cast(step.dimshuffle("x") if even else diff(step), f.dtype)
    left, right = (widths, widths) if even else (widths[:-1], widths[1:])
    slopes = (f[..., 1:] - f[..., :-1]) / widths
    if even:  # A value that is not finite has no influence at its own place.
        inner = (f[..., 2:] - f[..., :-2]) / (left + right)
    else:
        inner = (slopes[..., :-1] * right + slopes[..., 1:] * left) / (left + right)
    first, last = slopes[..., :1], slopes[..., -1:]
    if edge_order == 2:
        first = first - (slopes[..., 1:2] - first) * left[:1] / (left[:1] + right[:1])
        last = last + (last - slopes[..., -2:-1]) * right[-1:] / (left[-1:] + right[-1:])
    return concatenate([first, inner, last], axis=-1)


def convolve(a: TensorLike, v: TensorLike, mode: str = "full") -> Tensor:
    """Return the convolution of two vectors.

    Parameters
    ----------
    a, v
        Vectors.
    mode
        ``"full"``: all n + m - 1 elements; ``"same"``: max(n, m) of them, from the middle;
        ``"valid"``: those for which one vector is completely inside of the other one.

    Raises
    ------
    ValueError
        If the mode is not known, or an operand is not a vector, or empty.

    Examples
    --------
    >>> convolve([1, 2, 3], [0, 1, 1], "same").eval().tolist()
    [1, 3, 5]
    """
    full, short, long, _ = _convolved("convolve", a, v, mode)
    return _part(full, mode, short, long, (short - 1) // 2)


def correlate(a: TensorLike, v: TensorLike, mode: str = "valid") -> Tensor:
    """Return the correlation of two vectors, ``sum(a[n + k] * conj(v[n]))`` for each shift k.

    Parameters
    ----------
    a, v
        Vectors.
    mode
        As for :func:`convolve`; the default is ``"valid"``.

    Examples
    --------
    >>> correlate([1, 2, 3], [0, 1, 2]).eval().tolist()
    [8]
    """
    v = as_tensor_variable(v)
    full, short, long, swapped = _convolved("correlate", a, scalar.conj(v[::-1]), mode)
    start = short // 2 if swapped is True else (short - 1) // 2
    if not isinstance(swapped, bool):
        start = scalar.switch(swapped, short // 2, start)
    return _part(full, mode, short, long, start)


def _convolved(name: str, a: Any, v: Any, mode: str) -> tuple[Tensor, Any, Any, Any]:
    """Return the full convolution, both lengths in order, and whether ``v`` is the longer one."""
    a, v = as_tensor_variable(a), as_tensor_variable(v)
    if mode not in ("full", "same", "valid"):
        hint = "give 'full', 'same' or 'valid'"
        raise ValueError(build_message(f"{name}: mode={mode!r} is not known", hint=hint))
    if a.ndim > 1 or v.ndim > 1:
        hint = "symtheano.tensor.nnet.conv1d to conv3d convolve batches"
        raise ValueError(build_message(f"{name} takes vectors", a, v, hint=hint))
    a, v = (
        required(x, shape_of(x)[2] > 0, f"{name}: a vector is empty")
        for x in (a.reshape((1, 1, -1)), v.reshape((1, 1, -1)))
    )
    n, m = (dim_value(shape_of(x)[2]) for x in (a, v))
    if dtypes.is_discrete(v.dtype):
        full = conv1d(a, v, border_mode="full")[0, 0]
    else:
        finite = ~(scalar.isinf(v) | scalar.isnan(v))
        # A factor of the same sign, which no zero around a makes NaN, and which is hidden below.
        other = scalar.switch(scalar.lt(scalar.real(v), 0), -1, 1)
        full = conv1d(a, scalar.switch(finite, v, other), border_mode="full")[0, 0]
        full = full + _shifted(a[0, 0], v[0, 0], nonzero(~finite[0, 0])[0], n + m - 1)
    if isinstance(n, int) and isinstance(m, int):
        return full, min(n, m), max(n, m), m > n
    return full, scalar.minimum(n, m), scalar.maximum(n, m), scalar.gt(m, n)


def _shifted(a: Tensor, v: Tensor, places: Tensor, length: Any) -> Tensor:
    """Return what these elements of ``v`` contribute to the full convolution."""
    index = arange(length) - places.dimshuffle(0, "x")
    inside = scalar.and_(scalar.ge(index, 0), scalar.lt(index, a.shape[0]))
    products = a[scalar.clip(index, 0, a.shape[0] - 1)] * v[places].dimshuffle(0, "x")
    return scalar.switch(inside, products, products.constant_like(0)).sum(axis=0)


def _part(full: Tensor, mode: str, short: Any, long: Any, start: Any) -> Tensor:
    if mode == "full":
        return full
    return full[short - 1 : long] if mode == "valid" else full[start : start + long]


def cumulative_sum(
    x: TensorLike, *, axis: int | None = None, include_initial: bool = False
) -> Tensor:
    """Return the cumulative sum along an axis, which may be omitted for a vector.

    Parameters
    ----------
    x
        Array.
    axis
        The axis.
    include_initial
        Whether the result begins with 0, so that it has one element more.

    Examples
    --------
    >>> cumulative_sum([1, 2, 3], include_initial=True).eval().tolist()
    [0, 1, 3, 6]
    """
    return _cumulative("cumulative_sum", x, axis, 0 if include_initial else None)


def cumulative_prod(
    x: TensorLike, *, axis: int | None = None, include_initial: bool = False
) -> Tensor:
    """Return the cumulative product along an axis; see :func:`cumulative_sum`.

    Examples
    --------
    >>> cumulative_prod([1, 2, 3], include_initial=True).eval().tolist()
    [1, 1, 2, 6]
    """
    return _cumulative("cumulative_prod", x, axis, 1 if include_initial else None)


def _cumulative(name: str, x: Any, axis: int | None, initial: int | None) -> Tensor:
    x = as_tensor_variable(x)
    if axis is None and x.ndim != 1:
        raise ValueError(build_message(f"{name} needs an axis for arrays of {x.ndim} axes", x))
    (axis,) = normalize_axis(-1 if axis is None else axis, x.ndim)
    running = (cumsum if name == "cumulative_sum" else cumprod)(x, axis=axis)
    if initial is None:
        return running
    lengths = shape_of(running)
    first = broadcast_to(running.constant_like(initial), (*lengths[:axis], 1, *lengths[axis + 1 :]))
    return concatenate([first, running], axis=axis)


# -- polynomials -----------------------------------------------------------------------------------


def vander(x: TensorLike, N: Any = None, increasing: bool = False) -> Tensor:
    """Return the powers of the elements of a vector, in columns.

    Parameters
    ----------
    x
        Vector.
    N
        The number of columns; None: the length of ``x``.
    increasing
        Whether the powers increase from left to right.

    Examples
    --------
    >>> vander([1, 2, 3], 3).eval().tolist()
    [[1, 1, 1], [4, 2, 1], [9, 3, 1]]
    """
    x = as_tensor_variable(x)
    if x.ndim != 1:
        raise ValueError(build_message("vander takes a vector", x))
    place = arange(shape_of(x)[0] if N is None else N).dimshuffle("x", 0)
    column = x.dimshuffle(0, "x")
    powers = cumprod(scalar.switch(scalar.eq(place, 0), column.constant_like(1), column), axis=1)
    return powers if increasing else powers[:, ::-1]


def polyval(p: TensorLike, x: TensorLike) -> Tensor:
    """Return the values of a polynomial.

    Parameters
    ----------
    p
        Coefficients, the one of the highest power first: a vector whose length is known, or a
        sequence of numbers and 0-d variables.
    x
        Array of places.

    Raises
    ------
    ValueError
        If the number of coefficients is not known.

    Examples
    --------
    >>> polyval([3, 0, 1], [5, 2]).eval().tolist()
    [76, 13]
    """
    p, x = as_tensor_variable(p), as_tensor_variable(x)
    if p.ndim != 1 or p.type.shape[0] is None:
        hint = "declare the length: specify_shape(p, (3,)), or T.tensor(dtype, shape=(3,))"
        raise ValueError(
            build_message(
                "polyval: the number of coefficients must be known when the graph is built",
                p,
                hint=hint,
            )
        )
    value: Any = scalar.second(x, x.constant_like(0))
    for k in range(p.type.shape[0]):
        value = value * x + p[k]
    result: Tensor = value
    return result


def polyfit(x: TensorLike, y: TensorLike, deg: int) -> Tensor:
    """Return the polynomial of degree ``deg`` that fits points with the least squared error.

    Parameters
    ----------
    x
        Positions of the points, a vector.
    y
        Values at these positions: a vector, or a matrix with a column for each polynomial.
    deg
        The degree.

    Returns
    -------
    The coefficients, the one of the highest power first: a vector or a matrix of ``deg + 1`` rows.

    Examples
    --------
    >>> polyfit(np.array([0.0, 1.0, 2.0]), np.array([1.0, 3.0, 5.0]), 1).eval().round(6).tolist()
    [2.0, 1.0]
    """
    x, y = as_tensor_variable(x), as_tensor_variable(y)
    matrix = vander(cast(x, dtypes.upgrade_to_float(x.dtype)), deg + 1)
    # Columns of length 1: powers of large numbers would hide the others.
    scale = scalar.sqrt(scalar.sqr(matrix).sum(axis=0))
    coefficients: Tensor = lstsq(matrix / scale, y)[0]
    return coefficients / (scale if y.ndim == 1 else scale.dimshuffle(0, "x"))


# -- products --------------------------------------------------------------------------------------


def matvec(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return products of matrices (..., m, n) and vectors (..., n); other axes are broadcast.

    Examples
    --------
    >>> matvec([[1, 2], [3, 4]], [1, 10]).eval().tolist()
    [21, 43]
    """
    x2 = as_tensor_variable(x2)
    return matmul(x1, x2.dimshuffle(*range(x2.ndim), "x"))[..., 0]


def vecmat(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Return products of vectors (..., m), conjugated, and matrices (..., m, n).

    Examples
    --------
    >>> vecmat([1, 10], [[1, 2], [3, 4]]).eval().tolist()
    [31, 42]
    """
    x1 = scalar.conj(as_tensor_variable(x1))
    last = x1.ndim - 1
    return matmul(x1.dimshuffle(*range(last), "x", last), x2)[..., 0, :]


# -- kinds of numbers ------------------------------------------------------------------------------


def isposinf(x: TensorLike) -> Tensor:
    """Return whether elements are positive infinity.

    Examples
    --------
    >>> isposinf([np.inf, -np.inf, 1.0]).eval().tolist()
    [True, False, False]
    """
    x = as_tensor_variable(x)
    return scalar.and_(scalar.isinf(x), scalar.gt(x, 0))


def isneginf(x: TensorLike) -> Tensor:
    """Return whether elements are negative infinity.

    Examples
    --------
    >>> isneginf([np.inf, -np.inf, 1.0]).eval().tolist()
    [False, True, False]
    """
    x = as_tensor_variable(x)
    return scalar.and_(scalar.isinf(x), scalar.lt(x, 0))


def isreal(x: TensorLike) -> Tensor:
    """Return whether the imaginary part of elements is zero.

    Examples
    --------
    >>> isreal([1.0, 1j]).eval().tolist()
    [True, False]
    """
    x = as_tensor_variable(x)
    return scalar.eq(scalar.imag(x), 0) if dtypes.is_complex(x.dtype) else scalar.eq(x, x) | True


def iscomplex(x: TensorLike) -> Tensor:
    """Return whether the imaginary part of elements is not zero.

    Examples
    --------
    >>> iscomplex([1.0, 1j]).eval().tolist()
    [False, True]
    """
    return ~isreal(x)

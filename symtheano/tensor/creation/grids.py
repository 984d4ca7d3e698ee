"""Evenly spaced numbers, and grids."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from symtheano import dtypes
from symtheano.config import config
from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor, TensorLike
from symtheano.tensor.assertion import required
from symtheano.tensor.basic import as_tensor_variable, cast, constant
from symtheano.tensor.creation.ranges import arange
from symtheano.tensor.messages import build_message
from symtheano.tensor.reductions.reduce import all as all_
from symtheano.tensor.shapes.repetition import broadcast_arrays
from symtheano.tensor.shapes.shape import as_dim, as_dims, dim_value


def _spaced(name: str, start: Any, stop: Any, num: Any, endpoint: bool) -> tuple[Any, Any, Any]:
    """Return the numbers along a new last axis, their distance, and the positions."""
    count = dim_value(as_dim(num))
    if isinstance(count, int) and count < 0:
        raise ValueError(
            build_message(f"{name}: the number of points must not be negative, but is {count}")
        )
    if not isinstance(count, int):
        message = f"{name}: the number of points is negative"
        count = required(count, count >= 0, message)
    start, stop = as_tensor_variable(start), as_tensor_variable(stop)
    common = dtypes.upcast(start.dtype, stop.dtype)
    wide = dtypes.upgrade_to_float(common)
    if dtypes.is_discrete(common):
        wide = "float64" if config.floatX != "float32" else "float32"
    start, stop = cast(start, wide), cast(stop, wide)
    steps = count - 1 if endpoint else count
    at_least_one = max(steps, 1) if isinstance(steps, int) else scalar.maximum(steps, 1)
    step = (
        (stop - start) / constant(at_least_one, dtype=wide)
        if isinstance(at_least_one, int)
        else (stop - start) / cast(at_least_one, wide)
    )
    ndim = step.ndim
    place = arange(count)
    place = place.dimshuffle(*["x"] * ndim, 0)
    widened = [item.dimshuffle(*range(item.ndim), "x") for item in (start, step, stop)]
    numbers = widened[0] + cast(place, wide) * widened[1]
    if endpoint:
        last = scalar.and_(scalar.eq(place, steps), place > 0)
        numbers = scalar.switch(last, widened[2], numbers)
    return numbers, step, place


def _placed(numbers: Any, axis: int, dtype: Any) -> Tensor:
    """Move the new axis to its position and convert the dtype; integers are rounded down."""
    from symtheano.tensor.shapes.arrangement import moveaxis

    wanted = numbers.dtype if dtype is None else dtypes.canonical(dtype)
    if wanted in dtypes.INTEGER and dtypes.is_float(numbers.dtype):
        numbers = scalar.floor(numbers)
    return moveaxis(cast(numbers, wanted), -1, axis)


def linspace(
    start: Any,
    stop: Any,
    num: Any = 50,
    endpoint: bool = True,
    retstep: bool = False,
    dtype: Any = None,
    axis: int = 0,
) -> Any:
    """Return evenly spaced numbers.

    Parameters
    ----------
    start, stop
        First and last number, or arrays of them.
    num
        Number of elements; may be symbolic.
    endpoint
        Whether ``stop`` is the last number. If false, it would be the number after the last one.
    retstep
        Whether to also return the spacing, which is NaN if there is no second number.
    dtype
        Dtype of the result; by default that of a float operation on ``start`` and ``stop``, which
        may be complex, or floatX if they are integers. Conversion to integers rounds down.
    axis
        Position of the new axis, if ``start`` or ``stop`` is an array.

    Examples
    --------
    >>> linspace(0, 1, 5).eval().tolist()
    [0.0, 0.25, 0.5, 0.75, 1.0]
    """
    numbers, step, _ = _spaced("linspace", start, stop, num, endpoint)
    placed = _placed(numbers, axis, dtype)
    if not retstep:
        return placed
    several = scalar.gt(as_dim(num), 1 if endpoint else 0)
    return placed, scalar.switch(several, step, step.constant_like(float("nan")))


def logspace(
    start: Any,
    stop: Any,
    num: Any = 50,
    endpoint: bool = True,
    base: TensorLike = 10.0,
    dtype: Any = None,
    axis: int = 0,
) -> Tensor:
    """Return powers of ``base`` with evenly spaced exponents, from ``start`` to ``stop``.

    ``base`` may be an array, which is broadcast with ``start`` and ``stop``. Other arguments are as
    for :func:`linspace`.

    Examples
    --------
    >>> logspace(0, 2, 3).eval().tolist()
    [1.0, 10.0, 100.0]
    """
    numbers, _, _ = _spaced("logspace", start, stop, num, endpoint)
    base = as_tensor_variable(base)
    wide = dtypes.upcast(base.dtype, numbers.dtype) if base.ndim else numbers.dtype
    base = cast(base, wide)
    base = base.dimshuffle(*range(base.ndim), "x") if base.ndim else base
    return _placed(base**numbers, axis, dtype)


def geomspace(
    start: TensorLike,
    stop: TensorLike,
    num: Any = 50,
    endpoint: bool = True,
    dtype: Any = None,
    axis: int = 0,
) -> Tensor:
    """Return numbers in a geometric progression from ``start`` to ``stop``.

    Real ends must have the same sign; otherwise the result is NaN. Complex numbers follow a spiral
    around zero, in the shorter direction. Other arguments are as for :func:`linspace`.

    Raises
    ------
    ValueError
        In a call, if an end is zero.

    Examples
    --------
    >>> geomspace(1, 8, 4).eval().round(12).tolist()
    [1.0, 2.0, 4.0, 8.0]
    >>> geomspace(1j, 8j, 4).eval().round(12).tolist()
    [1j, 2j, 4j, 8j]
    """
    start, stop = as_tensor_variable(start), as_tensor_variable(stop)
    wide = dtypes.upcast(start.dtype, stop.dtype)
    if dtype is not None and dtypes.is_complex(dtypes.canonical(dtype)):
        wide = dtypes.upcast(wide, dtypes.canonical(dtype))
    wide = str(config.floatX) if dtypes.is_discrete(wide) else wide
    first, last = (_not_zero(cast(end, wide)) for end in (start, stop))
    # If it is rotated to start at a positive number, real numbers remain real.
    sign = scalar.sgn(first)
    exponents, _, place = _spaced(
        "geomspace", scalar.log10(first / sign), scalar.log10(last / sign), num, endpoint
    )
    signs, begin, end = (item.dimshuffle(*range(item.ndim), "x") for item in (sign, first, last))
    powers = signs * constant(10, dtype=wide) ** exponents
    powers = scalar.switch(scalar.eq(place, 0), begin, powers)
    if endpoint:
        final = scalar.and_(scalar.eq(place, as_dim(num) - 1), place > 0)
        powers = scalar.switch(final, end, powers)
    return _placed(powers, axis, dtype)


def _not_zero(end: Any) -> Any:
    return required(end, all_(scalar.neq(end, 0)), "geomspace: start or stop is zero")


# -- grids --------------------------------------------------------------------------------------


def meshgrid(
    *xi: Any, copy: bool = True, sparse: bool = False, indexing: str = "xy"
) -> list[Tensor]:
    """Return the coordinates of the points of a grid, as one array per axis.

    Parameters
    ----------
    xi
        Vectors (or numbers) of coordinates, one for each axis.
    copy
        Accepted for compatibility with NumPy.
    sparse
        Whether to return arrays of length 1 along the other axes.
    indexing
        ``xy``: the first vector varies along the columns, the second along the rows. ``ij``: each
        vector varies along its own axis.

    Examples
    --------
    >>> [a.eval().tolist() for a in meshgrid([1, 2], [3])]
    [[[1, 2]], [[3, 3]]]
    """
    if indexing not in ("xy", "ij"):
        raise ValueError(build_message(f"meshgrid: indexing {indexing!r} is neither xy nor ij"))
    vectors = [as_tensor_variable(item).flatten() for item in xi]
    ndim = len(vectors)
    order = list(range(ndim))
    if indexing == "xy" and ndim > 1:
        order[:2] = [1, 0]
    axes = [
        vector.dimshuffle(*[0 if axis == place else "x" for axis in range(ndim)])
        for place, vector in zip(order, vectors, strict=True)
    ]
    return axes if sparse else broadcast_arrays(*axes)


def indices(dimensions: Any, dtype: Any = "int64", sparse: bool = False) -> Any:
    """Return the positions of all elements of an array of a given shape.

    Parameters
    ----------
    dimensions
        The shape: integers, symbolic or not.
    dtype
        Dtype of the positions.
    sparse
        Whether to return a tuple of arrays that have length 1 along the other axes. If false,
        return one array with a new first axis.

    Examples
    --------
    >>> indices((2, 2)).eval().tolist()
    [[[0, 0], [1, 1]], [[0, 1], [0, 1]]]
    """
    from symtheano.tensor.shapes.join import stack

    counts = [arange(length, dtype=dtype) for length in as_dims(dimensions)]
    grid = meshgrid(*counts, sparse=sparse, indexing="ij")
    return tuple(grid) if sparse else stack(grid)


def ix_(*args: Any) -> tuple[Tensor, ...]:
    """Return positions along each axis as arrays that select all combinations.

    Parameters
    ----------
    args
        For each axis, a vector of integers, or of bool to select where it is true.

    Examples
    --------
    >>> T.as_tensor([[1, 2, 3], [4, 5, 6]])[ix_([1, 0], [0, 2])].eval().tolist()
    [[4, 6], [1, 3]]
    """
    from symtheano.tensor.indexing.nonzeros import flatnonzero

    vectors = [as_tensor_variable(item) for item in args]
    for vector in vectors:
        if vector.ndim != 1:
            raise ValueError(build_message("ix_ takes vectors", vector))
    chosen = [flatnonzero(item) if item.dtype == "bool" else item for item in vectors]
    return tuple(meshgrid(*chosen, sparse=True, indexing="ij"))


class Grid:
    """Grids from slices: ``mgrid[0:3, 0:2]`` is a full grid, ``ogrid[0:3, 0:2]`` an open one.

    A slice has a start, a stop (excluded) and a step; all of them may be symbolic. A complex Python
    number as the step, such as ``5j``, is the number of points, and ``stop`` is then included.

    Examples
    --------
    >>> [a.eval().tolist() for a in mgrid[0:2, 0:3]]
    [[[0, 0, 0], [1, 1, 1]], [[0, 1, 2], [0, 1, 2]]]
    >>> [a.eval().tolist() for a in ogrid[0:2, 0:1:3j]]
    [[[0], [1]], [[0.0, 0.5, 1.0]]]
    """

    def __init__(self, name: str, sparse: bool) -> None:
        self.name = name
        self.sparse = sparse

    def __getitem__(self, key: Any) -> Any:
        """Return a list of arrays, one per slice, or a vector for a single slice."""
        if isinstance(key, slice):
            return self._range(key)
        if not all(isinstance(item, slice) for item in key):
            raise TypeError(build_message(f"{self.name} takes slices"))
        return meshgrid(*(self._range(item) for item in key), sparse=self.sparse, indexing="ij")

    def _range(self, item: slice) -> Any:
        if item.stop is None:
            raise TypeError(build_message(f"{self.name} takes slices that have an end"))
        start = 0 if item.start is None else item.start
        if isinstance(item.step, complex):
            return linspace(start, item.stop, int(abs(item.step)))
        return arange(start, item.stop, 1 if item.step is None else item.step)

    def __repr__(self) -> str:
        return self.name


mgrid = Grid("mgrid", sparse=False)
ogrid = Grid("ogrid", sparse=True)


# -- windows ------------------------------------------------------------------------------------


def _window(name: str, M: Any, weight: Callable[[Any], Any]) -> Tensor:
    """Return a function at M points from -1 to 1; the result for a single point is 1."""
    M = as_tensor_variable(M)
    if M.ndim or M.dtype not in dtypes.INTEGER:
        raise TypeError(build_message(f"{name} takes the number of points, a 0-d integer", M))
    count = scalar.maximum(cast(M, "int64"), 0)
    steps = scalar.maximum(cast(count - 1, "float64"), 1.0)
    place = cast(2 * arange(count) - count + 1, "float64") / steps
    window = weight(place)
    return scalar.switch(scalar.eq(count, 1), window.constant_like(1), window)


def bartlett(M: Any) -> Tensor:
    """Return the Bartlett window: it rises linearly from 0 to 1 and falls back to 0; float64.

    Parameters
    ----------
    M
        Number of points, a 0-d integer; the window is empty if it is not positive.

    Examples
    --------
    >>> bartlett(5).eval().tolist()
    [0.0, 0.5, 1.0, 0.5, 0.0]
    """
    return _window("bartlett", M, lambda place: 1.0 - scalar.abs(place))


def hanning(M: Any) -> Tensor:
    """Return the Hann window of ``M`` points, a cosine with 0 at both ends; see :func:`bartlett`.

    Examples
    --------
    >>> hanning(5).eval().round(6).tolist()
    [0.0, 0.5, 1.0, 0.5, 0.0]
    """
    return _window("hanning", M, lambda place: 0.5 + 0.5 * scalar.cos(math.pi * place))


def hamming(M: Any) -> Tensor:
    """Return the Hamming window of ``M`` points, with 0.08 at both ends; see :func:`bartlett`.

    Examples
    --------
    >>> hamming(5).eval().round(6).tolist()
    [0.08, 0.54, 1.0, 0.54, 0.08]
    """
    return _window("hamming", M, lambda place: 0.54 + 0.46 * scalar.cos(math.pi * place))


def blackman(M: Any) -> Tensor:
    """Return the Blackman window of ``M`` points, a sum of two cosines; see :func:`bartlett`.

    Examples
    --------
    >>> abs(blackman(5)).eval().round(6).tolist()
    [0.0, 0.34, 1.0, 0.34, 0.0]
    """
    return _window(
        "blackman",
        M,
        lambda place: (
            0.42 + 0.5 * scalar.cos(math.pi * place) + 0.08 * scalar.cos(2 * math.pi * place)
        ),
    )

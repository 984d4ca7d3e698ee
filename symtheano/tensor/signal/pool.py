"""Theano's module of the same name: pooling over the last axes of an array."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from symtheano import dtypes
from symtheano.graph.origin import user_stacklevel
from symtheano.keywords import explained
from symtheano.names import public
from symtheano.scalar.operand import Tensor
from symtheano.tensor.basic import as_tensor_variable, cast
from symtheano.tensor.messages import build_message
from symtheano.tensor.nnet.convolution.windows import count_of
from symtheano.tensor.nnet.formats import DataFormat, first, stored
from symtheano.tensor.reductions.moments import mean
from symtheano.tensor.reductions.reduce import max as largest, sum as total
from symtheano.tensor.shapes.join import join
from symtheano.tensor.shapes.reshape import flatten
from symtheano.tensor.shapes.shape import as_dims, shape_of
from symtheano.tensor.signal.pooling.called import pooled_in_call
from symtheano.tensor.signal.pooling.ops import Mode, Pooling, Wanted
from symtheano.tensor.signal.pooling.windows import Windows, known_in_call

__all__ = [
    "AveragePoolGrad", "DownsampleFactorMaxGradGrad", "MaxPoolGrad", "MaxPoolRop", "Pool",
    "max_pool_2d_same_size", "pool_2d", "pool_3d", "spatial_pyramid_pool_2d",
]  # fmt: skip

THEIRS = {
    **dict.fromkeys(("pool_size", "kernel_size", "ksize", "window_shape", "size"), "ws"),
    **dict.fromkeys(("x", "inputs"), "input"),
    "strides": "stride",
}
"""Arguments of other libraries' pooling."""


@explained(THEIRS)
def pool_2d(
    input: Any,
    ws: Any = None,
    ignore_border: bool | None = None,
    stride: Any = None,
    pad: Any = (0, 0),
    mode: Mode = "max",
    ds: Any = None,
    st: Any = None,
    padding: Any = None,
    data_format: DataFormat = "channels_first",
) -> Tensor:
    """Return the largest elements, sums or averages of windows over the last two axes.

    Parameters
    ----------
    input
        Array with at least two axes; those before the last two have no windows.
    ws
        Rows and columns of a window: integers, 0-d variables or an integer vector. If only a call
        knows them, the elements of windows are gathered, which takes more time and memory. The same
        holds for ``stride`` and ``pad``.
    ignore_border
        Whether to omit windows that are partly outside of the array. If false, such windows consist
        of their elements inside of the array. If it is not given, it is False, and there is a
        warning.
    stride
        The distance of windows; by default ``ws``.
    pad
        The width of a border on both sides of each axis, less than the window's length. It needs
        ``ignore_border=True``.
    mode
        ``"max"``; ``"sum"``; ``"average_exc_pad"``, which does not count the border; or
        ``"average_inc_pad"``, which counts the border as zeros.
    ds, st, padding
        Older names of ``ws``, ``stride`` and ``pad``.
    data_format
        With ``"channels_last"``, the last axis has the channels and no windows, and the windows are
        over the two axes before it.

    Returns
    -------
    Array of the dtype of the input. Let n be the length of an axis, w that of a window, s the
    stride and p the border. With ``ignore_border``, there are ``max((n + 2 * p - w) // s + 1, 0)``
    windows along the axis. Without it, there are ``(n - 1) // s + 1`` windows if s is at least w,
    otherwise ``max((n - 1 - w) // s + 1, 0) + 1``. The maximum of a window with a NaN is NaN.
    Averages of integers are truncated.

    In the gradient of ``"max"``, each element that is equal to the maximum of a window gets the
    whole gradient of that window.

    Raises
    ------
    ShapeError
        In a call, if windows would have no elements.
    TypeError
        If the dtype is bool or complex.
    ValueError
        If an argument is unknown or given under two names, or there are too few axes. In a call, if
        numbers that only the call knows do not fit.
    NotImplementedError
        If a border is not smaller than a window, or if there is a border without ``ignore_border``.

    Examples
    --------
    >>> x = np.arange(12.0).reshape(3, 4)
    >>> pool_2d(x, ws=(2, 2), ignore_border=True).eval()
    array([[5., 7.]])
    >>> pool_2d(x, ws=(2, 2), ignore_border=False, mode="sum").eval()
    array([[10., 18.],
           [17., 21.]])
    """
    return _pooled(input, 2, ws, ignore_border, stride, pad, mode, ds, st, padding, data_format)


@explained(THEIRS)
def pool_3d(
    input: Any,
    ws: Any = None,
    ignore_border: bool | None = None,
    stride: Any = None,
    pad: Any = (0, 0, 0),
    mode: Mode = "max",
    ds: Any = None,
    st: Any = None,
    padding: Any = None,
    data_format: DataFormat = "channels_first",
) -> Tensor:
    """Return the largest elements, sums or averages of windows over the last three axes.

    See :func:`pool_2d`; there are three numbers for each argument.

    Examples
    --------
    >>> pool_3d(np.ones((2, 2, 4)), ws=(2, 2, 2), ignore_border=True, mode="sum").eval()
    array([[[8., 8.]]])
    """
    return _pooled(input, 3, ws, ignore_border, stride, pad, mode, ds, st, padding, data_format)


def max_pool_2d_same_size(
    input: Any, patch_size: Any, data_format: DataFormat = "channels_first"
) -> Tensor:
    """Return an array with all but the largest elements of each patch set to 0.

    Parameters
    ----------
    input
        Array with at least two axes. Patches are over the last two.
    patch_size
        Rows and columns of a patch. Incomplete patches at the end of an axis become zeros.
    data_format
        As in :func:`pool_2d`.

    Examples
    --------
    >>> max_pool_2d_same_size(np.array([[1.0, 2, 3, 9], [4, 3, 0, 9]]), (2, 2)).eval()
    array([[0., 0., 0., 9.],
           [4., 0., 0., 9.]])
    """
    x = first(input, data_format, 2)
    pool = _op("result", x, 2, patch_size, True)
    pooled = pool(x)
    return stored(pool.for_the("image")(x, pooled, pooled), data_format, 2)


def spatial_pyramid_pool_2d(
    input: Any,
    levels: Sequence[Any] = (4, 2, 1),
    mode: str = "max",
    data_format: DataFormat = "channels_first",
) -> Tensor:
    """Return one row for each item; its length does not depend on the size of the images.

    An image is divided into n x n bins for each level n. Bin k of an axis of length d is from
    ``k * d // n`` to ``ceil((k + 1) * d / n)``. Neighbouring bins overlap if n does not divide d.
    See K. He et al., "Spatial pyramid pooling in deep convolutional networks" (2014).

    Parameters
    ----------
    input
        Array of shape (items, channels, rows, columns).
    levels
        For each level, the number of bins along an axis.
    mode
        ``"max"``, ``"sum"`` or ``"average"``.
    data_format
        The axis of the channels of ``input``. The order of the result is the same with both.

    Returns
    -------
    Array of shape (items, channels * the sum of n * n over the levels n): for each level all
    channels, with their bins in rows and columns.

    Raises
    ------
    TypeError
        If the input does not have four axes.
    ValueError
        If a level is not positive, or the mode is not known.

    Examples
    --------
    >>> x = np.arange(9.0).reshape(1, 1, 3, 3)
    >>> spatial_pyramid_pool_2d(x, (2, 1)).eval()
    array([[4., 5., 7., 8., 8.]])
    """
    x = first(input, data_format)
    if x.ndim != 4:
        what = "spatial_pyramid_pool_2d: an array of items, channels, rows and columns is needed"
        raise TypeError(build_message(what, x))
    reductions: dict[str, Any] = {"max": largest, "sum": total, "average": mean}
    if mode not in reductions:
        hint = "give 'max', 'sum' or 'average'"
        what = f"spatial_pyramid_pool_2d: mode={mode!r} is not known"
        raise ValueError(build_message(what, hint=hint))
    if not levels or any(count_of(n) in (None, 0) for n in levels):
        what = f"spatial_pyramid_pool_2d: levels={levels!r}"
        raise ValueError(build_message(what, hint="give positive integers"))
    rows, columns = shape_of(x)[2:]
    features = []
    for n in levels:
        bins = [
            reductions[mode](x[:, :, _bin(i, n, rows), _bin(j, n, columns)], axis=(2, 3))
            for i in range(n)
            for j in range(n)
        ]
        stacked = join(2, *(item.dimshuffle(0, 1, "x") for item in bins))
        features.append(flatten(stacked, 2))
    pyramid: Tensor = join(1, *features)
    return pyramid


def _bin(k: int, n: int, length: Any) -> slice:
    return slice(k * length // n, ((k + 1) * length + n - 1) // n)


def _pooled(
    x: Any, dims: int, ws: Any, ignore_border: bool | None, stride: Any, pad: Any, mode: Mode,
    ds: Any = None, st: Any = None, padding: Any = None,
    data_format: DataFormat = "channels_first",
) -> Tensor:  # fmt: skip
    """Return the pooled array; half precision and averages of integers by another dtype."""
    x = first(x, data_format, dims)
    if ignore_border is None:
        warnings.warn(
            "pooling: ignore_border is not given, so it is False: incomplete windows at the end of "
            "an axis are used. Pass ignore_border=True to use only complete windows.",
            stacklevel=user_stacklevel(),
        )
        ignore_border = False
    ws = _one("ws", ws, "ds", ds)
    if ws is None:
        raise ValueError(build_message("pooling: ws is not given", x, hint="give a window's shape"))
    stride = _one("stride", stride, "st", st)
    pad = _one("pad", pad if padding is None or np.any(pad) else None, "padding", padding)
    through = "float32" if x.dtype == "float16" else x.dtype
    if dtypes.is_discrete(x.dtype) and x.dtype != "bool" and mode.startswith("average"):
        through = "float64"
    if any(map(known_in_call, (ws, stride, pad))):
        _check_axes(x, dims)
        made = pooled_in_call(cast(x, through), dims, ws, bool(ignore_border), stride, pad, mode)
    else:
        made = _op("result", x, dims, ws, ignore_border, stride, pad, mode)(cast(x, through))
    return stored(cast(made, x.dtype), data_format, dims)


def _one(name: str, value: Any, older: str, older_value: Any) -> Any:
    """Return an argument with an older name.

    Raises
    ------
    ValueError
        If both are given.
    """
    if value is not None and older_value is not None:
        what = f"pooling: {name} and {older} are the same argument"
        raise ValueError(build_message(what, hint=f"give {name} only"))
    return older_value if value is None else value


def _op(
    wanted: Wanted, x: Any, dims: int, ws: Any, ignore_border: bool, stride: Any = None,
    pad: Any = None, mode: Mode = "max",
) -> Pooling:  # fmt: skip
    """Return the op for an array, with a number of windowed axes."""
    op = Pooling(wanted, ws, ignore_border, stride, pad, mode)
    if op.at.dims != dims:
        raise ValueError(build_message(f"pooling: ws={op.ws}", x, hint=f"give {dims} numbers"))
    _check_axes(x, dims)
    return op


def _check_axes(x: Any, dims: int) -> None:
    if x.ndim < dims:
        what = f"pooling: the array has {x.ndim} axes, and needs at least {dims}"
        raise ValueError(build_message(what, x))


class Pool:
    """Pooling as an object that Theano programs construct; see :func:`pool_2d`.

    It is called with an array and ``ws``, ``stride`` and ``pad``, unless these are given here.

    Examples
    --------
    >>> pool = Pool(ignore_border=True, mode="sum", ndim=1)
    >>> pool(np.arange(6.0), ws=(3,)).eval()
    array([ 3., 12.])
    """

    def __init__(
        self, ignore_border: bool = False, mode: Mode = "max", ndim: int = 2, openmp: Any = None,
        *, ws: Any = None, stride: Any = None, pad: Any = None, ds: Any = None, st: Any = None,
        padding: Any = None,
    ) -> None:  # fmt: skip
        self.ignore_border, self.mode, self.ndim = ignore_border, mode, ndim
        self.ws, self.stride = _one("ws", ws, "ds", ds), _one("stride", stride, "st", st)
        self.pad = _one("pad", pad, "padding", padding)

    def __call__(self, x: Any, ws: Any = None, stride: Any = None, pad: Any = None) -> Tensor:
        """Return the pooled array."""
        arguments = self._arguments(ws, stride, pad)
        return _pooled(
            x, self.ndim, arguments[0], self.ignore_border, arguments[1], arguments[2], self.mode
        )

    def _arguments(self, ws: Any, stride: Any, pad: Any) -> tuple[Any, Any, Any]:
        return (
            self.ws if ws is None else ws,
            self.stride if stride is None else stride,
            self.pad if pad is None else pad,
        )

    def _map(self, wanted: Wanted, x: Any, ws: Any, stride: Any, pad: Any) -> Pooling:
        ws, stride, pad = self._arguments(ws, stride, pad)
        return _op(wanted, x, self.ndim, ws, self.ignore_border, stride, pad, self.mode)

    @staticmethod
    def out_shape(
        imgshape: Sequence[Any], ws: Any = None, ignore_border: bool = False, stride: Any = None,
        pad: Any = None, ndim: int = 2, ds: Any = None, st: Any = None, padding: Any = None,
    ) -> list[Any]:  # fmt: skip
        """Return the shape of the result for the shape of an array.

        Examples
        --------
        >>> Pool.out_shape((3, 8, 7), ws=(2, 2), ignore_border=True)
        [3, 4, 3]
        """
        pool = Pooling(
            "result", _one("ws", ws, "ds", ds), ignore_border, _one("stride", stride, "st", st),
            _one("pad", pad, "padding", padding),
        )  # fmt: skip
        if len(imgshape) < ndim or pool.at.dims != ndim:
            what = f"pooling: imgshape={tuple(imgshape)}, ws={pool.ws}, ndim={ndim}"
            raise ValueError(build_message(what, hint=f"give {ndim} lengths or more"))
        at: Windows = pool.at
        return list(at.lengths(tuple(imgshape)))


class PoolGrad(Pool):
    """Gradients of pooling, which Theano programs construct; see the classes below."""


class MaxPoolGrad(PoolGrad):
    """The gradient of the largest elements, from array, result and its gradient."""

    def __init__(self, ignore_border: bool, ndim: int = 2, openmp: Any = None) -> None:
        super().__init__(ignore_border, "max", ndim)

    def __call__(  # type: ignore[override]
        self, x: Any, maxout: Any, gz: Any, ws: Any, stride: Any = None, pad: Any = None
    ) -> Tensor:
        """Return the gradient."""
        x = as_tensor_variable(x)
        return self._map("image", x, ws, stride, pad)(x, maxout, gz)


class AveragePoolGrad(PoolGrad):
    """The gradient of sums and averages, from the array and the gradient of the result."""

    def __init__(
        self,
        ignore_border: bool,
        mode: Mode = "average_inc_pad",
        ndim: int = 2,
        openmp: Any = None,
    ) -> None:
        super().__init__(ignore_border, mode, ndim)

    def __call__(  # type: ignore[override]
        self, x: Any, gz: Any, ws: Any, stride: Any = None, pad: Any = None
    ) -> Tensor:
        """Return the gradient."""
        x = as_tensor_variable(x)
        op = self._map("image", x, ws, stride, pad)
        return op(gz, *as_dims(shape_of(x)[x.ndim - self.ndim :]))


class DownsampleFactorMaxGradGrad(PoolGrad):
    """The gradient of :class:`MaxPoolGrad` with respect to the gradient that it takes.

    It is the sum of ``ggx`` over the elements of a window that are equal to its largest one.
    """

    def __call__(  # type: ignore[override]
        self, x: Any, maxout: Any, ggx: Any, ws: Any, stride: Any = None, pad: Any = None
    ) -> Tensor:
        """Return the gradient."""
        x = as_tensor_variable(x)
        return self._map("tangent", x, ws, stride, pad)(x, maxout, ggx)


class MaxPoolRop(Pool):
    """The derivative of the largest elements along a direction."""

    def __call__(  # type: ignore[override]
        self, x: Any, ex: Any, ws: Any, stride: Any = None, pad: Any = None
    ) -> Tensor:
        """Return the derivative."""
        x = as_tensor_variable(x)
        op = self._map("result", x, ws, stride, pad)
        return op.for_the("tangent")(x, op(x), ex)


if not TYPE_CHECKING:
    __getattr__, __dir__ = public(__name__)

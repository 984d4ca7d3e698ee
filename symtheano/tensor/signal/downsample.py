"""Theano's module of the same name, which is older than ``pool``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from symtheano.names import public
from symtheano.scalar.operand import Tensor
from symtheano.tensor.nnet.formats import DataFormat
from symtheano.tensor.signal.pool import max_pool_2d_same_size, pool_2d
from symtheano.tensor.signal.pooling.ops import Mode

__all__ = ["max_pool_2d", "max_pool_2d_same_size"]


def max_pool_2d(
    input: Any,
    ds: Any,
    ignore_border: bool | None = None,
    st: Any = None,
    padding: Any = (0, 0),
    mode: Mode = "max",
    data_format: DataFormat = "channels_first",
) -> Tensor:
    """Return the largest elements of windows; see :func:`symtheano.tensor.signal.pool.pool_2d`.

    Parameters
    ----------
    input, ignore_border, mode, data_format
        As there.
    ds, st, padding
        The lengths of a window, the distance of windows, and the width of a border.

    Examples
    --------
    >>> max_pool_2d(np.arange(12.0).reshape(3, 4), (2, 2), ignore_border=True).eval()
    array([[5., 7.]])
    """
    return pool_2d(input, ds, ignore_border, st, padding, mode, data_format=data_format)


if not TYPE_CHECKING:
    __getattr__, __dir__ = public(__name__)

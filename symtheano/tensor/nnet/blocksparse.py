"""Theano's module of the same name: products with some blocks of a matrix of blocks."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from symtheano import dtypes
from symtheano.names import public
from symtheano.tensor.basic import as_tensor_variable
from symtheano.tensor.indexing.subtensor import inc_subtensor
from symtheano.tensor.messages import build_message
from symtheano.tensor.nnet.operands import float_operand, parameter_like

__all__ = [
    "SparseBlockGemv", "SparseBlockOuter", "sparse_block_dot", "sparse_block_gemv",
    "sparse_block_gemv_inplace", "sparse_block_outer", "sparse_block_outer_inplace",
]  # fmt: skip

if not TYPE_CHECKING:
    __getattr__, __dir__ = public(__name__)


def sparse_block_gemv(o: Any, W: Any, h: Any, inputIdx: Any, outputIdx: Any) -> Any:
    """Return ``o[n, j] + sum_i(h[n, i] @ W[inputIdx[n, i], outputIdx[n, j]])``.

    Parameters
    ----------
    o
        Summands, shape (batch, output windows, output size).
    W
        Blocks, shape (input blocks, output blocks, input size, output size).
    h
        Operands, shape (batch, input windows, input size).
    inputIdx, outputIdx
        Integer matrices (batch, input windows) and (batch, output windows): which blocks.

    Returns
    -------
    Array of the shape of ``o``. The blocks are read where they are.

    Examples
    --------
    >>> W = np.arange(4.0).reshape(2, 2, 1, 1)
    >>> o, h = np.zeros((1, 1, 1)), np.ones((1, 2, 1))
    >>> sparse_block_gemv(o, W, h, np.array([[0, 1]]), np.array([[1]])).eval().tolist()
    [[[4.0]]]
    """
    o, W, h = (float_operand(item) for item in (o, W, h))
    rows, columns = _indices("sparse_block_gemv", inputIdx, outputIdx)
    if (o.ndim, W.ndim, h.ndim) != (3, 4, 3):
        what = "sparse_block_gemv: o and h have 3 axes, W has 4"
        raise TypeError(build_message(what, o, W, h))
    blocks = W[rows.dimshuffle(0, 1, "x"), columns.dimshuffle(0, "x", 1)]
    return o + (h.dimshuffle(0, 1, "x", 2, "x") * blocks).sum(axis=(1, 3))


def sparse_block_outer(o: Any, x: Any, y: Any, xIdx: Any, yIdx: Any, alpha: Any = 1) -> Any:
    """Return ``o`` with ``alpha * outer(x[n, i], y[n, j])`` added to one of its blocks each.

    It is the block (xIdx[n, i], yIdx[n, j]).

    Parameters
    ----------
    o
        Blocks, shape (x blocks, y blocks, x size, y size).
    x, y
        Shapes (batch, x windows, x size) and (batch, y windows, y size).
    xIdx, yIdx
        Integer matrices (batch, x windows) and (batch, y windows).
    alpha
        A number.

    Examples
    --------
    >>> o, x = np.zeros((1, 2, 1, 1)), np.full((1, 1, 1), 3.0)
    >>> sparse_block_outer(o, x, x, np.array([[0]]), np.array([[1]]), 2).eval().ravel().tolist()
    [0.0, 18.0]
    """
    o, x, y = (float_operand(item) for item in (o, x, y))
    rows, columns = _indices("sparse_block_outer", xIdx, yIdx)
    if (o.ndim, x.ndim, y.ndim) != (4, 3, 3):
        what = "sparse_block_outer: o has 4 axes, x and y have 3"
        raise TypeError(build_message(what, o, x, y))
    products = x.dimshuffle(0, 1, "x", 2, "x") * y.dimshuffle(0, "x", 1, "x", 2)
    if not (isinstance(alpha, int | float) and alpha == 1):
        products = products * parameter_like(alpha, products)
    return inc_subtensor(o[rows.dimshuffle(0, 1, "x"), columns.dimshuffle(0, "x", 1)], products)


def sparse_block_dot(W: Any, h: Any, inputIdx: Any, b: Any, outputIdx: Any) -> Any:
    """Return for each output window its bias plus the products of all input windows with blocks.

    Parameters
    ----------
    W
        Blocks, shape (input blocks, output blocks, input size, output size).
    h
        Operands, shape (batch, input windows, input size), or without a batch.
    inputIdx, outputIdx
        Integers (batch, input windows) and (batch, output windows), or without a batch.
    b
        Biases, shape (output blocks, output size).

    Returns
    -------
    Array of shape (batch, output windows, output size); the batch is 1 if ``h`` has none.

    Examples
    --------
    >>> W, b = np.arange(4.0).reshape(2, 2, 1, 1), np.ones((2, 1))
    >>> sparse_block_dot(W, np.ones((2, 1)), np.array([0, 1]), b, np.array([1])).eval().tolist()
    [[[5.0]]]
    """
    h, b = float_operand(h), float_operand(b)
    inputIdx, outputIdx = as_tensor_variable(inputIdx), as_tensor_variable(outputIdx)
    if inputIdx.ndim != h.ndim - 1 or outputIdx.ndim != inputIdx.ndim or h.ndim not in (2, 3):
        what = "sparse_block_dot: h has 2 or 3 axes, and both indices have one less"
        raise TypeError(build_message(what, h, inputIdx, outputIdx))
    if h.ndim == 2:
        h = h.dimshuffle("x", 0, 1)
        inputIdx, outputIdx = inputIdx.dimshuffle("x", 0), outputIdx.dimshuffle("x", 0)
    return sparse_block_gemv(b[outputIdx], W, h, inputIdx, outputIdx)


def SparseBlockGemv(inplace: bool = False) -> Callable[..., Any]:
    """Return ``sparse_block_gemv``, which is an op in Theano; the compiler works in place.

    Examples
    --------
    >>> SparseBlockGemv(inplace=True) is sparse_block_gemv
    True
    """
    return sparse_block_gemv


def SparseBlockOuter(inplace: bool = False) -> Callable[..., Any]:
    """Return ``sparse_block_outer``, which is an op in Theano; the compiler works in place.

    Examples
    --------
    >>> SparseBlockOuter() is sparse_block_outer
    True
    """
    return sparse_block_outer


sparse_block_gemv_inplace, sparse_block_outer_inplace = sparse_block_gemv, sparse_block_outer


def _indices(name: str, rows: Any, columns: Any) -> tuple[Any, Any]:
    rows, columns = as_tensor_variable(rows), as_tensor_variable(columns)
    if not all(item.ndim == 2 and dtypes.is_discrete(item.dtype) for item in (rows, columns)):
        raise TypeError(build_message(f"{name}: indices must be integer matrices", rows, columns))
    return rows, columns

"""Arrays as linear maps: inverses, and systems of equations."""

from __future__ import annotations

from typing import Any

from symtheano.scalar.operand import Tensor, TensorLike
from symtheano.tensor.basic import as_tensor_variable
from symtheano.tensor.linalg.inverse import matrix_inverse
from symtheano.tensor.linalg.lengths import checked_lengths
from symtheano.tensor.linalg.solve import solve
from symtheano.tensor.messages import build_message
from symtheano.tensor.shapes.reshape import reshape_op
from symtheano.tensor.shapes.shape import as_dims, dims_product, shape_of


def tensorinv(a: TensorLike, ind: int = 2) -> Tensor:
    """Return the inverse of the linear map from ``x`` to ``tensordot(a, x, a.ndim - ind)``.

    Parameters
    ----------
    a
        Array. The product of its first ``ind`` lengths must be the product of the other lengths.
    ind
        Number of first axes that are axes of the results; at least 1.

    Raises
    ------
    numpy.linalg.LinAlgError
        In a call, if the map has no inverse.

    Examples
    --------
    >>> tensorinv(T.tensor4("a"), ind=2).ndim
    4
    """
    a = as_tensor_variable(a)
    if ind <= 0 or ind > a.ndim:
        raise ValueError(build_message(f"tensorinv: ind={ind} is not between 1 and {a.ndim}", a))
    lengths = shape_of(a)
    first, others = lengths[:ind], lengths[ind:]
    flat = reshape_op(a, *as_dims((dims_product(first), dims_product(others))))
    return reshape_op(matrix_inverse(flat), *as_dims((*others, *first)))


def tensorsolve(a: TensorLike, b: TensorLike, axes: Any = None) -> Tensor:
    """Return ``x`` with ``tensordot(a, x, x.ndim) == b``.

    Parameters
    ----------
    a
        Array. Its first lengths are those of ``b``, its other lengths are those of ``x``.
    b
        Array of right-hand sides.
    axes
        Axes of ``a`` that are moved to the end before the system is solved.

    Raises
    ------
    numpy.linalg.LinAlgError
        In a call, if there is no unique solution.

    Examples
    --------
    >>> tensorsolve(T.tensor4("a"), T.matrix("b")).ndim
    2
    """
    a, b = as_tensor_variable(a), as_tensor_variable(b)
    if b.ndim > a.ndim:
        raise ValueError(build_message("tensorsolve: b has more dims than a", a, b))
    if axes is not None:
        moved = [axis % a.ndim for axis in axes]
        a = a.dimshuffle(*[axis for axis in range(a.ndim) if axis not in moved], *moved)
    a = checked_lengths("tensorsolve", a, list(enumerate(shape_of(b))))
    wanted = shape_of(a)[b.ndim :]
    matrix = reshape_op(a, *as_dims((dims_product(shape_of(b)), dims_product(wanted))))
    return reshape_op(solve(matrix, b.flatten()), *as_dims(wanted))

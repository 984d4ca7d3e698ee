"""Products of matrices: matmul with batches, inner, vdot, kron, tensor and matrix powers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor, TensorLike
from symtheano.tensor.basic import as_tensor_variable, cast
from symtheano.tensor.creation.filled import alloc_op
from symtheano.tensor.elemwise import pad_left
from symtheano.tensor.linalg.dot import dot, tensordot
from symtheano.tensor.linalg.lengths import checked_lengths
from symtheano.tensor.linalg.matmul import matmul
from symtheano.tensor.linalg.matrices import identity
from symtheano.tensor.messages import build_message
from symtheano.tensor.shapes.reshape import reshape_op
from symtheano.tensor.shapes.shape import as_dims, dims_product, shape_of


def inner(a: TensorLike, b: TensorLike) -> Tensor:
    """Return the sums of products over the last axes of two arrays, without conjugation.

    Examples
    --------
    >>> inner(T.matrix("A"), T.vector("b")).type
    TensorType(float64, vector)
    """
    a, b = as_tensor_variable(a), as_tensor_variable(b)
    if a.ndim == 0 or b.ndim == 0:
        return a * b
    if a.ndim <= 2 and b.ndim <= 2:
        return dot(a, b.T)
    return tensordot(a, b, [[a.ndim - 1], [b.ndim - 1]])


def vdot(a: TensorLike, b: TensorLike) -> Tensor:
    """Return the product of two flattened arrays; the first one is conjugated.

    Examples
    --------
    >>> vdot(T.zmatrix("A"), T.zmatrix("B")).type
    TensorType(complex128, scalar)
    """
    a, b = as_tensor_variable(a), as_tensor_variable(b)
    return dot(scalar.conj(a).flatten(), b.flatten())


def kron(a: Any, b: Any) -> Tensor:
    """Return the Kronecker product: ``a`` with each element multiplied by ``b``.

    Parameters
    ----------
    a, b
        Arrays. Axes of length 1 are added in front of the array with fewer dimensions.

    Examples
    --------
    >>> kron(T.eye(2), T.matrix("b", dtype="float64")).ndim
    2
    """
    a, b = as_tensor_variable(a), as_tensor_variable(b)
    ndim = max(a.ndim, b.ndim)
    a, b = pad_left(a, ndim), pad_left(b, ndim)
    blocks: list[Any] = []
    inside: list[Any] = []
    for axis in range(ndim):
        blocks += [axis, "x"]
        inside += ["x", axis]
    product = a.dimshuffle(*blocks) * b.dimshuffle(*inside)
    lengths = [dims_product(pair) for pair in zip(shape_of(a), shape_of(b), strict=True)]
    return reshape_op(product, *as_dims(lengths)) if ndim else product


def matrix_dot(*args: Any) -> Tensor:
    """Return the product of several matrices, from the left to the right.

    Examples
    --------
    >>> matrix_dot(T.matrix("A"), T.matrix("B"), T.vector("c")).ndim
    1
    """
    if not args:
        raise ValueError(build_message("matrix_dot: there are no matrices to multiply"))
    result = as_tensor_variable(args[0])
    for factor in args[1:]:
        result = dot(result, factor)
    return result


def matrix_power(M: Any, n: int) -> Tensor:
    """Return the ``n``-th power of square matrices.

    Parameters
    ----------
    M
        Square matrices.
    n
        The exponent. For 0, the result is the identity. For negative exponents, it is a power of
        the inverse.

    Raises
    ------
    TypeError
        If ``n`` is not an integer.

    Examples
    --------
    >>> matrix_power(T.matrix("M"), 3).type
    TensorType(float64, matrix)
    """
    M = as_tensor_variable(M)
    if not isinstance(n, int | np.integer):
        raise TypeError(build_message(f"matrix_power: the power must be an integer, got {n!r}", M))
    if M.ndim < 2:
        raise TypeError(build_message("matrix_power takes matrices, or batches of them", M))
    height, width = shape_of(M)[-2:]
    if height is not width:
        M = checked_lengths("matrix_power", M, [(M.ndim - 1, height)])
    if n == 0:
        return alloc_op(cast(identity(M), M.dtype), *as_dims(shape_of(M)))
    if n < 0:
        from symtheano.tensor.linalg.inverse import matrix_inverse

        M, n = matrix_inverse(M), -int(n)
    return _power(M, int(n))


def _power(M: Any, n: int) -> Tensor:
    """Square as often as there are binary digits: Knuth, TAOCP 2, section 4.6.3."""
    result: Any = None
    square = M
    while n:
        if n & 1:
            result = square if result is None else matmul(result, square)
        n >>= 1
        if n:
            square = matmul(square, square)
    power: Tensor = result
    return power


def multi_dot(arrays: Sequence[Any]) -> Tensor:
    """Return the product of several matrices, computed in a cheap order.

    Parameters
    ----------
    arrays
        At least two arrays. The first and the last may be vectors.

    Examples
    --------
    >>> multi_dot([T.matrix("A"), T.matrix("B"), T.vector("c")]).ndim
    1
    """
    from symtheano.tensor.linalg.einsum import einsum

    items = [as_tensor_variable(item) for item in arrays]
    if len(items) < 2:
        raise ValueError(build_message("multi_dot needs at least two arrays", *items))
    terms: list[Any] = []
    for position, item in enumerate(items):
        ends = position in (0, len(items) - 1)
        if item.ndim != 2 and not (ends and item.ndim == 1):
            raise TypeError(
                build_message("multi_dot takes matrices; vectors only at the ends", *items)
            )
        first = position if item.ndim == 2 or position else position + 1
        terms += [item, list(range(first, first + item.ndim))]
    shown = [0] if items[0].ndim == 2 else []
    shown += [len(items)] if items[-1].ndim == 2 else []
    return einsum(*terms, shown, optimize=True)


def trace(a: TensorLike, offset: int = 0) -> Tensor:
    """Return the sum of a diagonal of matrices.

    Parameters
    ----------
    a
        Matrices; integers are summed in int64.
    offset
        Offset of the diagonal; positive above the main diagonal.

    Examples
    --------
    >>> trace(T.matrix("A")).type
    TensorType(float64, scalar)
    """
    from symtheano.tensor.linalg.matrices import diagonal_of

    a = as_tensor_variable(a)
    if a.ndim < 2:
        raise TypeError(build_message("trace takes matrices, or batches of them", a))
    total: Tensor = diagonal_of(a, offset).sum(axis=-1)
    return total

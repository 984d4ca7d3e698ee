"""Initializers of matrices: orthogonal, identity, sparse."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, prod
from typing import Any

import numpy as np

from symtheano.nn.initializers.base import Initializer


@dataclass(frozen=True)
class Orthogonal(Initializer):
    """Draws a random orthogonal matrix, multiplied by ``gain``.

    If the matrix is not square, its rows or columns, whichever are fewer, are orthogonal. An array
    with more than two axes is treated as a matrix of shape (first length, product of the others).
    The matrix is Q of the QR decomposition of normal numbers, with signs chosen so that it is
    uniformly distributed. See Saxe et al., 2014, Exact solutions to the nonlinear dynamics of
    learning in deep linear neural networks.

    Parameters
    ----------
    gain
        The factor of the matrix, which is the length of its orthogonal vectors. The default is 1.

    Raises
    ------
    ValueError
        If the array has fewer than two axes.

    Examples
    --------
    >>> q = Orthogonal(2.0)((3, 3), "float64", 0)
    >>> bool(np.allclose(q @ q.T, 4 * np.eye(3)))
    True
    """

    gain: float = 1.0

    def values(self, shape: tuple[int, ...], rng: np.random.Generator) -> Any:
        """Draw a matrix and decompose it."""
        _at_least_two(self, shape)
        rows, columns = shape[0], prod(shape[1:])
        drawn = rng.standard_normal((max(rows, columns), min(rows, columns)))
        q, r = np.linalg.qr(drawn)
        q *= np.where(np.diagonal(r) < 0, -1.0, 1.0)
        return self.gain * (q if rows >= columns else q.T).reshape(shape)


@dataclass(frozen=True)
class Identity(Initializer):
    """Sets a matrix to the identity, or filters to the identity of images, times ``gain``.

    The matrix need not be square. In filters of shape (outputs, inputs, *window), the middle of the
    window is ``gain`` where the numbers of the output and the input are equal. All other elements
    are 0.

    Parameters
    ----------
    gain
        The number on the diagonal. The default is 1.

    Raises
    ------
    ValueError
        If the array has fewer than two axes.

    Examples
    --------
    >>> Identity(2.0)((2, 3), "float64")
    array([[2., 0., 0.], [0., 2., 0.]])
    """

    gain: float = 1.0

    def values(self, shape: tuple[int, ...], rng: np.random.Generator) -> Any:
        """Return zeros and the diagonal."""
        _at_least_two(self, shape)
        array = np.zeros(shape)
        if array.size:
            middle = np.ravel_multi_index([length // 2 for length in shape[2:]], shape[2:])
            np.fill_diagonal(array.reshape(*shape[:2], -1)[:, :, middle], self.gain)
        return array


@dataclass(frozen=True)
class Sparse(Initializer):
    """Draws normally distributed numbers, and sets a share of each column to zero.

    In each column, ``ceil(sparsity * rows)`` randomly chosen elements are 0. See Martens, 2010,
    Deep learning via Hessian-free optimization.

    Parameters
    ----------
    sparsity
        The share of zeros in each column, from 0 to 1. The default is 0.9.
    std
        The standard deviation of the other elements, whose mean is 0. The default is 0.01.

    Raises
    ------
    ValueError
        If the array is not a matrix, or ``sparsity`` is not between 0 and 1.

    Examples
    --------
    >>> (Sparse(0.75)((8, 3), "float64", 0) != 0).sum(0)
    array([2, 2, 2])
    """

    sparsity: float = 0.9
    std: float = 0.01

    def __post_init__(self) -> None:
        """Check the share."""
        if not 0 <= self.sparsity <= 1:
            raise ValueError(f"{self!r}: sparsity must be between 0 and 1")

    def values(self, shape: tuple[int, ...], rng: np.random.Generator) -> Any:
        """Draw numbers and clear some of them."""
        if len(shape) != 2:
            raise ValueError(f"{self!r} fills matrices, not an array of shape {shape}")
        array = rng.normal(0.0, self.std, shape)
        order = rng.random(shape).argsort(axis=0)
        np.put_along_axis(array, order[: ceil(self.sparsity * shape[0])], 0.0, axis=0)
        return array


def _at_least_two(item: Initializer, shape: tuple[int, ...]) -> None:
    if len(shape) < 2:
        raise ValueError(f"{item!r} needs at least two axes, but the shape is {shape}")

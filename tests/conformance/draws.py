"""Values of arguments: random ones of every dtype, and those that suit an expression."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from symtheano import dtypes

Array = np.ndarray[Any, Any]
Sizes = Mapping[str, int]
Draw = Callable[[np.random.Generator, str, Sequence[int], Sizes], Array]

EDGES: dict[str, list[list[Any]]] = {
    "f": [[np.nan], [np.inf], [-np.inf, np.inf], [-0.0, 0.0], [np.nan, -np.inf]],
    "c": [[complex(np.nan, 1)], [complex(-0.0, 0.0), 0j], [complex(1, -0.0)]],
}
"""Values that replace some of the elements of an argument, one list in each case."""


def edges(dtype: str) -> list[list[Any]]:
    """Return the edge values of a dtype, a list for each case."""
    kind = np.dtype(dtype).kind
    if kind in EDGES:
        return EDGES[kind]
    if kind == "b":
        return [[True], [False]]
    info = np.iinfo(dtype)
    return [[info.max], [info.min, info.max], [0, 1]]


def with_edges(random: np.random.Generator, array: Array, values: Sequence[Any]) -> Array:
    """Return the array with about a third of its elements replaced."""
    array = array.copy()
    flat = array.reshape(-1)
    places = random.permutation(flat.size)[: flat.size // 3 + 1]
    flat[places] = np.resize(np.array(values, array.dtype), places.size)
    return array


def number(random: np.random.Generator, dtype: str, shape: Sequence[int], sizes: Sizes) -> Array:
    """Return moderate numbers."""
    values = np.asarray(random.uniform(-4, 4, shape))
    if dtypes.is_complex(dtype):
        values = values + 1j * random.uniform(-4, 4, shape)
    if dtype == "bool":
        return values > 0
    return (np.abs(values) if dtype[0] == "u" else values).astype(dtype)


def positive(random: np.random.Generator, dtype: str, shape: Sequence[int], sizes: Sizes) -> Array:
    """Return numbers from 1/2 to 4; integers from 1."""
    return np.asarray(random.uniform(0.5 if dtype[0] == "f" else 1, 4, shape)).astype(dtype)


def factor(random: np.random.Generator, dtype: str, shape: Sequence[int], sizes: Sizes) -> Array:
    """Return factors of long products: of absolute value near one; of integers small odd ones."""
    if dtype == "bool":
        return np.asarray(random.uniform(size=shape) > 0.05)
    if dtypes.is_discrete(dtype):
        return np.asarray(2 * random.integers(0, 4, shape) + 1).astype(dtype)
    values = np.asarray(np.exp(random.uniform(-0.3, 0.3, shape)))
    turned = random.uniform(0, 2 * np.pi, shape)
    signs = np.exp(1j * turned) if dtypes.is_complex(dtype) else np.sign(np.cos(turned))
    return np.asarray(values * signs).astype(dtype)


def within(low: float, high: float) -> Draw:
    """Return a draw of numbers from ``low`` to ``high``, excluded where they are integers."""

    def draw(random: np.random.Generator, dtype: str, shape: Sequence[int], sizes: Sizes) -> Array:
        if dtypes.is_discrete(dtype):
            return np.asarray(random.integers(int(low), max(int(high), int(low) + 1), shape), dtype)
        values = np.asarray(random.uniform(low, high, shape))
        if dtypes.is_complex(dtype):
            values = values + 1j * random.uniform(low, high, shape)
        return values.astype(dtype)

    return draw


def position(axis: str, negative: bool = True) -> Draw:
    """Return a draw of positions along an axis of the size of that name; of none, of -1."""

    def draw(random: np.random.Generator, dtype: str, shape: Sequence[int], sizes: Sizes) -> Array:
        n = sizes[axis]
        low = -n if negative and dtype[0] != "u" else 0
        return np.asarray(random.integers(low, max(n, low + 1), shape)).astype(dtype)

    return draw


def size(text: str) -> Draw:
    """Return a draw of one number: what an expression of the sizes is."""

    def draw(random: np.random.Generator, dtype: str, shape: Sequence[int], sizes: Sizes) -> Array:
        return np.full(shape, eval(text, {}, dict(sizes)), dtype)

    return draw


def one_of(*numbers: int) -> Draw:
    """Return a draw of some of these integers."""

    def draw(random: np.random.Generator, dtype: str, shape: Sequence[int], sizes: Sizes) -> Array:
        return np.asarray(random.choice(numbers, shape)).astype(dtype)

    return draw


def ascending(random: np.random.Generator, dtype: str, shape: Sequence[int], sizes: Sizes) -> Array:
    """Return numbers sorted along the last axis."""
    return np.sort(number(random, dtype, shape, sizes), axis=-1)


def permutation(
    random: np.random.Generator, dtype: str, shape: Sequence[int], sizes: Sizes
) -> Array:
    """Return permutations along the last axis."""
    return np.argsort(random.uniform(size=shape), axis=-1).astype(dtype)


def square(random: np.random.Generator, dtype: str, shape: Sequence[int], sizes: Sizes) -> Array:
    """Return well-conditioned square matrices."""
    values = number(random, dtype, shape, sizes) / 4
    return np.asarray(values + 2 * np.eye(shape[-1])).astype(dtype)


def definite(random: np.random.Generator, dtype: str, shape: Sequence[int], sizes: Sizes) -> Array:
    """Return Hermitian positive definite matrices with distinct eigenvalues."""
    values = number(random, dtype, shape, sizes).astype("complex128") / 8
    values = values if dtypes.is_complex(dtype) else values.real
    values = values + values.conj().swapaxes(-1, -2)
    n = shape[-1]
    return np.asarray(values @ values.conj().swapaxes(-1, -2) + np.diag(np.arange(n) + 1.0)).astype(
        dtype
    )


def distribution(
    random: np.random.Generator, dtype: str, shape: Sequence[int], sizes: Sizes
) -> Array:
    """Return positive numbers whose sum along the last axis is one."""
    values = random.uniform(0.5, 2, shape)
    return np.asarray(values / values.sum(-1, keepdims=True)).astype(dtype)

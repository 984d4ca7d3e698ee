"""MRG31k3p in NumPy: its steps and its jumps.

The generator of P. L'Ecuyer and R. Touzin (2000), "Fast combined multiple recursive generators with
multipliers of the form a = ±2^q ±2^r": two recurrences of order 3. A state is six numbers, those of
each recurrence with the latest first. A product with the ``n``-th power of a recurrence's matrix is
a jump over ``n`` numbers.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

M1, M2 = 2**31 - 1, 2**31 - 21069
"""The moduli."""

_STEP_1 = ((0, 2**22, 2**7 + 1), (1, 0, 0), (0, 1, 0))
_STEP_2 = ((2**15, 0, 2**15 + 1), (1, 0, 0), (0, 1, 0))

NORM: dict[str, Any] = {"float64": np.float64(2.0**-31), "float32": np.float32(2.0**-31 - 2.0**-55)}
"""The factors that make a number from 1 to M1 one below 1."""


@cache
def jump(steps: int) -> tuple[Array, Array]:
    """Return the matrices of a jump.

    Examples
    --------
    >>> [matrix.tolist()[0] for matrix in jump(1)]
    [[0, 4194304, 129], [32768, 0, 32769]]
    """
    return _power(_STEP_1, steps, M1), _power(_STEP_2, steps, M2)


def _power(step: Any, exponent: int, modulus: int) -> Array:
    power, factor = np.eye(3, dtype=object), np.array(step, object)
    while exponent:
        if exponent & 1:
            power = power.dot(factor) % modulus
        factor = factor.dot(factor) % modulus
        exponent >>= 1
    return power.astype("uint64")


def jumped(states: Array, steps: int) -> Array:
    """Return states, the rows of a matrix, after a jump.

    Examples
    --------
    >>> jumped(np.full((1, 6), 1, "int32"), 1).tolist()
    [[4194433, 1, 1, 65537, 1, 1]]
    """
    first, second = jump(steps)
    # Numbers of no stream, which a user's state may have, are taken modulo the moduli, as in C.
    wide = states.astype("uint32").astype("uint64")
    parts = [_product(first, wide[:, :3], M1), _product(second, wide[:, 3:], M2)]
    return np.concatenate(parts, 1).astype("int32")


def _product(matrix: Array, rows: Array, modulus: int) -> Array:
    # Products of numbers below 2**32 and 2**31, whose remainders have a sum below 2**33.
    terms: Array = rows[:, None, :] * matrix[None] % np.uint64(modulus)
    return np.asarray(terms.sum(2) % np.uint64(modulus))


def spaced(state: Any, count: int, steps: int) -> Array:
    """Return states with jumps from each to the next, as rows.

    Examples
    --------
    >>> spaced([1] * 6, 3, 1)[:, 0].tolist()
    [1, 4194433, 4194433]
    """
    rows = np.array(state, "int32").reshape(1, 6)
    while len(rows) < count:
        rows = np.concatenate([rows, jumped(rows, steps * len(rows))])
    return rows[:count]


def step(states: Array) -> tuple[Array, Array]:
    """Return the states after a step, and the numbers that are drawn, from 1 to M1."""
    after = jumped(states, 1)
    first, second = after[:, 0].astype("int64"), after[:, 3].astype("int64")
    return after, first - second + np.where(first <= second, M1, 0)


def ff_2p72(rstate: Any) -> Array:
    """Return a state, six numbers, after a jump over 2**72 numbers."""
    return jumped(np.array(rstate, "int32")[None], 2**72).reshape(6)


def ff_2p134(rstate: Any) -> Array:
    """Return a state after a jump over 2**134 numbers."""
    return jumped(np.array(rstate, "int32")[None], 2**134).reshape(6)

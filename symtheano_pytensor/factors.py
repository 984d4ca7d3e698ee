"""LU factors in LAPACK's form, and permutations."""

from __future__ import annotations

from typing import Any

import symtheano
import symtheano.tensor as T
from symtheano.tensor import linalg
from symtheano_pytensor.registry import converts


@converts("LU")
def _lu(op: Any, node: Any, a: Any) -> Any:
    if op.p_indices:
        permutation, lower, upper = linalg.lu(a)
        return [_positions(permutation.T), lower, upper]
    return linalg.lu(a, permute_l=op.permute_l)


@converts("LUFactor")
def _lu_factor(op: Any, node: Any, a: Any) -> Any:
    """Pack both factors in a matrix of NaN if ``a`` is singular, and list the exchanges of rows."""
    permutation, lower, upper = linalg.lu(a)
    singular = T.any(T.eq(T.diagonal(upper), 0))
    packed = T.switch(singular, T.constant(float("nan"), dtype=a.dtype), T.tril(lower, -1) + upper)
    return [packed, T.cast(_exchanges(_positions(permutation)), "int32")]


def _positions(permutation: Any) -> Any:
    """Return in which row each column of a permutation has its one."""
    rows = T.arange(permutation.shape[0]).dimshuffle(0, "x")
    return T.sum(T.switch(permutation, rows, 0), axis=0)


def _exchanges(order: Any) -> Any:
    """Return with which row each row is exchanged, one after the other, to get an order of rows."""
    numbers = T.arange(order.shape[0])

    def step(number: Any, wanted: Any, rows: Any) -> Any:
        position = T.sum(T.switch(T.eq(rows, wanted), numbers, 0))
        return position, _exchanged(rows, number, position)

    (positions, _), _ = symtheano.scan(step, [numbers, order], [None, numbers])
    return positions


def _exchanged(rows: Any, first: Any, second: Any) -> Any:
    moved = T.set_subtensor(rows[first], rows[second])
    return T.set_subtensor(moved[second], rows[first])


@converts("PivotToPermutations")
def _permutation(op: Any, node: Any, exchanges: Any) -> Any:
    numbers = T.arange(exchanges.shape[0])
    rows, _ = symtheano.scan(
        lambda number, position, rows: _exchanged(rows, number, position),
        [numbers, T.cast(exchanges, "int64")],
        T.cast(numbers, "int64"),
    )
    last = T.join(0, T.shape_padleft(T.cast(numbers, "int64")), rows)[-1]
    return last if op.inverse else T.argsort(last)

"""Memory for rows whose number is only known after the loop: it grows in doublings.

A loop that a condition ends may have many iterations, but few may run. Memory is reserved for rows
of 16 MiB, or for all of them if they are fewer. When it is full, the host is asked for memory for
twice as many rows, and what there is is copied: at most as many rows as there are in the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from symtheano.dataclass import replace
from symtheano.loopir import Alias, Allocate, Buffer, Builder, Index, Literal, Swap, Value
from symtheano.loopir.index import product
from symtheano.loopir.operands import Address
from symtheano.loops.carried import History
from symtheano.scalar import table as scalar
from symtheano.tensor.basic import constant
from symtheano.tensor.type import TensorType

_RESERVED = 16 << 20
"""Bytes that are reserved for the rows of all histories."""


def reserved_rows(steps: Any, kinds: Sequence[TensorType], dims: Sequence[Sequence[Any]]) -> Any:
    """Return for how many iterations memory is reserved before the loop.

    Parameters
    ----------
    steps
        The largest number of iterations.
    kinds, dims
        The types and shapes of the histories.
    """
    rows = [
        (np.dtype(kind.dtype).itemsize, *shape[1:]) for kind, shape in zip(kinds, dims, strict=True)
    ]
    bytes_ = sum(map(_product, rows))
    if isinstance(bytes_, int):
        count = constant(max(_RESERVED // max(bytes_, 1), 1), dtype="int64")
    else:
        count = scalar.maximum(scalar.int_div(_RESERVED, bytes_), constant(1, dtype="int64"))
    return scalar.maximum(scalar.minimum(steps, count), constant(0, dtype="int64"))


def _product(factors: Sequence[Any]) -> Any:
    constant = prod(item for item in factors if isinstance(item, int))
    return prod((item for item in factors if not isinstance(item, int)), start=constant)


class Room:
    """The memory of the histories of a loop that a condition may end.

    Parameters
    ----------
    b
        Where to write.
    scalars
        The largest number of iterations, and for how many there is memory at first.
    histories
        What is kept. Those with turns may need more memory.
    """

    def __init__(self, b: Builder, scalars: Sequence[Index], histories: Sequence[History]) -> None:
        self.b, self.steps = b, scalars[0]
        self.growing: list[tuple[History, tuple[int, int], Value]] = []
        for history in histories:
            if history.turns is not None:
                turn = b.declare("turn", Literal(history.turns[1], "int64"))
                self.growing.append((history, history.turns, turn))
        if self.growing:
            self.rows = b.declare("rows", b.operand(scalars[1]))

    def provide(self, step: Index) -> None:
        """Provide memory for the row of an iteration."""
        if not self.growing:
            return
        b = self.b
        with b.branch(b.let("ge", "bool", [b.operand(step), self.rows], "full"), rare=True):
            twice = b.let("add", "int64", [self.rows, self.rows])
            more = b.minimum(twice.index, self.steps, "more")
            for history, turns, turn in self.growing:
                self._move(history, turns, turn, more)
            b.assign(self.rows, b.operand(more))

    def _move(self, history: History, turns: tuple[int, int], turn: Value, rows: Index) -> None:
        """Let a history go on in memory for more rows, with those that it has."""
        b, name, (_, *row) = self.b, history.rows.buffer, history.rows.shape
        here, there = ((count + history.before, *row) for count in (self.rows.index, rows))
        wish = b.names.fresh(f"{name.name}_larger")
        larger = Buffer(wish, name.dtype, "output", product(there), turns[1])
        moved = replace(name, name=b.names.fresh(f"{name.name}_moved"))
        begin = Index.of(0)
        b.emit(Allocate(larger, there, turn))
        b.call("copy", Address(larger, begin), Address(name, begin), product(here))
        b.emit(Alias(moved, Address(larger, begin)))
        b.emit(Swap(name, moved))
        b.assign(turn, b.let("sub", "int64", [Literal(sum(turns), "int64"), turn]))

"""Ops of users with sparse operands or results, as ops on the components of the matrices."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any

from symtheano.graph.type import Type
from symtheano.graph.variable import Apply, Op
from symtheano.sparse.type import SparseType


class Performed(Op):
    """Computes an op of a user by its ``perform``, which gets and returns SciPy matrices.

    Two of them are never equal: each has a node of the user.

    Parameters
    ----------
    op
        The op.
    operands, results
        The types of its inputs and outputs. The node has the four components for each sparse one.
    node
        The user's node, which ``perform`` gets.
    """

    def __init__(
        self, op: Any, operands: tuple[Type, ...], results: tuple[Type, ...], node: Apply
    ) -> None:
        self.op, self.operands, self.results, self._node = op, operands, results, node

    def make_node(self, *inputs: Any) -> Apply:
        """Return the application to components."""
        kinds = [part for kind in self.results for part in _parts(kind)]
        return Apply(self, inputs, [kind.make_variable() for kind in kinds])

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[Any]) -> None:
        """Assemble the matrices, call the user's ``perform``, and take its results apart."""
        given = iter(inputs)
        values = [_whole(kind, islice(given, len(_parts(kind)))) for kind in self.operands]
        if getattr(self.op, "destroy_map", None):
            values = [value.copy() for value in values]
        cells: list[list[Any]] = [[None] for _ in self.results]
        self.op.perform(self._node, values, cells)
        results = [
            part
            for kind, (value,) in zip(self.results, cells, strict=True)
            for part in _taken_apart(kind, value)
        ]
        for cell, result in zip(output_storage, results, strict=True):
            cell[0] = result


def performs(op: Op) -> bool:
    """Return whether an op has a method ``perform``."""
    return type(op).perform is not Op.perform


def _parts(kind: Type) -> Sequence[Any]:
    return kind.part_types if isinstance(kind, SparseType) else [kind]


def _whole(kind: Type, parts: Any) -> Any:
    return kind.assemble(*parts) if isinstance(kind, SparseType) else next(parts)


def _taken_apart(kind: Any, value: Any) -> list[Any]:
    return kind.take_apart(kind.filter(value)) if isinstance(kind, SparseType) else [value]

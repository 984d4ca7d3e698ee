"""Ops on sparse matrices with a regular gradient, which is that of the dense function.

The gradient with respect to a sparse matrix has elements that the matrix does not store, so the
operands of these ops are whole matrices. They are replaced by their ``expand`` before a graph is
compiled.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symtheano.graph.eager import quiet
from symtheano.graph.op import Op


class Regular(Op):
    """Base class of the ops that are expanded."""

    __props__: tuple[str, ...] = ()
    linear: bool = False
    """Whether the op is linear in all its inputs together, and computes :meth:`dense`."""

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """Return the type of what the op is expanded to, which also checks the operands."""
        with quiet():
            return [self.expand(*inputs).type]

    def expand(self, *inputs: Any) -> Any:
        """Return the result in terms of the components of the sparse inputs."""
        raise NotImplementedError

    def dense(self, *arrays: Any) -> Any:
        """Return the result of a linear op, dense, for dense inputs."""
        raise NotImplementedError

    def inlined(self, inputs: Sequence[Any]) -> list[Any]:
        """Return the replacement of the op."""
        return [self.expand(*inputs)]

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        """Linear in each input: the sum over the inputs of the results for their directions."""
        total = None
        for position, point in enumerate(eval_points):
            if point is not None:
                term = self(*inputs[:position], point, *inputs[position + 1 :])
                total = term if total is None else total + term
        return [total]

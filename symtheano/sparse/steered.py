"""Identity ops on sparse matrices that change the gradient."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from symtheano.graph.op import Op
from symtheano.graph.variable import Apply
from symtheano.sparse.csm import as_sparse_variable, open_sparse, pack
from symtheano.sparse.regular import Regular
from symtheano.sparse.type import is_sparse


class Steered(Regular):
    """The identity, which changes the gradient like another op for arrays.

    A sparse gradient keeps its structure; only the stored elements are changed.

    Attributes
    ----------
    op
        The op that changes the gradients of dense arrays, an identity.

    Examples
    --------
    >>> from symtheano import grad
    >>> from symtheano.gradient import GradScale
    >>> import scipy.sparse
    >>> x = symtheano.sparse.csr_matrix("x")
    >>> slope = grad(Steered(GradScale(-1))(x).sum(sparse_grad=True), x)
    >>> slope.eval({x: scipy.sparse.csr_matrix([[0.0, 3.0]])}).toarray()
    array([[ 0., -1.]])
    """

    __props__ = ("op",)

    def __init__(self, op: Op) -> None:
        self.op = op

    def __str__(self) -> str:
        return str(self.op)

    def make_node(self, *inputs: Any) -> Apply:
        """Take one matrix."""
        return super().make_node(*map(as_sparse_variable, inputs))

    def infer(self, *inputs: Any) -> Sequence[Any]:
        (x,) = inputs
        return [x.type]

    def expand(self, *inputs: Any) -> Any:
        """Return the matrix itself."""
        return inputs[0]

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """Change the gradient, or its stored elements."""
        (g,) = output_grads
        return [_changed(g, lambda values: self.op.pullback([values], [values], [values])[0])]

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        """Change the direction, or its stored elements."""
        (point,) = eval_points
        if point is None:
            return [None]
        return [_changed(point, lambda values: self.op.R_op([values], [values])[0])]

    def connection_pattern(self, node: Apply) -> list[list[bool]]:
        """That of the op."""
        return self.op.connection_pattern(node)


def _changed(matrix: Any, change: Callable[[Any], Any]) -> Any:
    """Change a dense matrix, or the stored elements of a sparse one."""
    if not is_sparse(matrix):
        return change(matrix)
    parts = open_sparse(matrix)
    data = change(parts.data)
    # Missing and disconnected gradients are not changed.
    return pack(parts.with_data(data)) if getattr(data, "ndim", None) == 1 else data

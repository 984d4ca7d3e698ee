"""Products by elements of sparse matrices with matrices, vectors and scalars."""

from __future__ import annotations

from typing import Any

from symtheano.sparse.checked import same_structure
from symtheano.sparse.csm import as_sparse_variable, open_sparse, pack
from symtheano.sparse.dense import Sum, ToDense, conjugate
from symtheano.sparse.linear import FromDense, densified, in_format, is_full
from symtheano.sparse.merge import kept, union
from symtheano.sparse.operands import aligned, along
from symtheano.sparse.places import gather
from symtheano.sparse.regular import Regular
from symtheano.sparse.type import is_sparse


class Product(Regular):
    """The product of a sparse matrix and a sparse or dense one, by elements."""

    def expand(self, *inputs: Any) -> Any:
        """Multiply the elements that all sparse factors store."""
        x, y = inputs
        left = open_sparse(x)
        if not is_sparse(y):
            left = aligned("mul", left, y)
            rows, columns = left.coordinates
            return pack(left.with_data(left.data * gather(y, rows, columns)))
        right = open_sparse(y)
        if same_structure(left, right):
            return pack(left.with_data(left.data * right.data))
        joint = union("mul", left, right)
        return pack(kept(joint.parts.with_data(joint.left * joint.right), joint.both))

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """Multiply by the other factor."""
        (x, y), (g,) = inputs, output_grads
        by_x, by_y = product(g, conjugate(y)), product(g, conjugate(x))
        by_y = in_format(by_y, y.format) if is_sparse(y) else ToDense()(by_y)
        return [in_format(by_x, x.format), by_y]

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        """The product rule."""
        terms = [
            product(point, other)
            for point, other in zip(eval_points, inputs[::-1], strict=True)
            if point is not None
        ]
        return [terms[0] if len(terms) == 1 else terms[0] + terms[1]]


class Scaled(Regular):
    """A sparse matrix with its rows or columns, or all elements, multiplied by numbers.

    Attributes
    ----------
    axis
        0 for one factor per row, 1 for one per column, None for a single one.
    name
        Name of the operation in messages.
    """

    __props__ = ("axis", "name")
    linear = True

    def __init__(self, axis: int | None, name: str) -> None:
        self.axis, self.name = axis, name

    def expand(self, *inputs: Any) -> Any:
        """Multiply the stored elements."""
        parts, factors = open_sparse(inputs[0]), inputs[1]
        if self.axis is not None:
            parts, factors = along(parts, factors, self.axis, self.name)
        return pack(parts.with_data(parts.data * factors))

    def dense(self, *arrays: Any) -> Any:
        """Multiply."""
        x, factors = arrays
        return x * (factors.dimshuffle(0, "x") if self.axis == 0 else factors)

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """Multiply by the same factors; sum over what a factor was used for."""
        (x, factors), (g,) = inputs, output_grads
        back = conjugate(factors)
        by_x = self(g, back) if is_sparse(g) else self.dense(g, back)
        total = Sum(None if self.axis is None else 1 - self.axis)
        return [by_x, total(product(g, conjugate(x)))]

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        """The product rule."""
        (x, factors), (dx, df) = inputs, eval_points
        terms = [] if df is None else [self(x, df)]
        if dx is not None:
            terms.append(self(dx, factors) if is_sparse(dx) else self.dense(dx, factors))
        return [terms[0] if len(terms) == 1 else terms[0] + terms[1]]


def product(x: Any, y: Any) -> Any:
    """Return the product by elements of two matrices, each sparse or dense.

    It is dense only if both are. Where one of them is a gradient for all elements, only those that
    the other one stores are computed.
    """
    full = [is_sparse(item) and is_full(item) for item in (x, y)]
    pairs = zip((x, y), full, strict=True)
    left, right = (densified(item) if flag else item for item, flag in pairs)
    if is_sparse(left):
        return Product()(left, right)
    if is_sparse(right):
        return Product()(right, left)
    dense = left * right
    return FromDense((x if is_sparse(x) else y).format)(dense) if any(full) else dense


def mul_s_s(x: Any, y: Any) -> Any:
    """Return the elementwise product of two sparse matrices, in the format of the first.

    Elements are stored where both matrices store them.

    Examples
    --------
    >>> mul_s_s(symtheano.sparse.csr_matrix("x"), symtheano.sparse.csr_matrix("y")).type
    SparseType(float64, csr)
    """
    return Product()(as_sparse_variable(x), as_sparse_variable(y))

"""Inverses, solutions, determinants and factors of small matrices, as terms of their elements.

Results and errors are those of the calls: singular matrices are errors, and matrices with
infinities or NaN have results of NaN.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

import numpy as np

from symtheano import dtypes
from symtheano.graph.variable import Apply
from symtheano.rewrites.unrolled_elimination import (
    conjugate,
    divided,
    eliminate,
    joined,
    less,
    one_if_finite,
    parts,
    safe_product,
    signed,
    square,
    substitute,
    unless_zero,
    zeros_left_out,
)
from symtheano.rewrites.unrolled_terms import Elements, Term, Terms, mapped
from symtheano.scalar import table as scalar
from symtheano.scalar.row import ScalarOp
from symtheano.tensor.linalg.cholesky import Cholesky
from symtheano.tensor.linalg.determinants import Cofactors, CofactorsTangent, Det, SLogDet
from symtheano.tensor.linalg.inverse import MatrixInverse
from symtheano.tensor.linalg.matrices import FIRST, LinalgOp
from symtheano.tensor.linalg.solve import Solve

# With more rows, a call takes less than twice as long, and compilation half a second longer.
_LARGEST = 6
# The routine's loops for few real rows solve several systems as fast, from five rows on.
_SYSTEMS = 4
# Cofactors are determinants of the other rows and columns.
_COFACTORS = 3


def is_decomposed(node: Apply) -> bool:
    """Return whether a node's matrices are small enough for straight-line code."""
    if type(node.op) not in _WRITERS:
        return False
    length = node.inputs[0].type.shape[-1]
    return length is not None and 1 <= length <= _most_rows(node)


def _most_rows(node: Apply) -> int:
    if isinstance(node.op, Cofactors | CofactorsTangent):
        return _COFACTORS
    if dtypes.is_complex(node.inputs[0].dtype):
        return _LARGEST
    if isinstance(node.op, Solve):
        several = node.inputs[1].type.shape[-1] != 1
        return _SYSTEMS if several and node.op.A_structure == "general" else _LARGEST
    return _SYSTEMS if isinstance(node.op, MatrixInverse) else _LARGEST


def decomposed(terms: Terms, node: Apply, inputs: Sequence[Elements]) -> list[Elements]:
    """Return the elements of each result, matrix by matrix."""
    batch = inputs[0].shape[:-2]
    results: list[Elements] = []
    for number, index in enumerate(np.ndindex(batch)):
        elements = _WRITERS[type(node.op)](terms, node, number, *(item[index] for item in inputs))
        if not results:
            results = [_like(item, batch) for item in elements]
        for whole, item in zip(results, elements, strict=True):
            whole[index] = item
    return results


def _like(item: Elements | Term, batch: tuple[int, ...]) -> Elements:
    return np.empty((*batch, *item.shape) if isinstance(item, np.ndarray) else batch, dtype=object)


def _message(node: Apply, number: int, places: int = 1) -> str:
    assert isinstance(node.op, LinalgOp)
    return node.op.explain(node, [number + FIRST, places])


# -- systems ---------------------------------------------------------------------------------------


def _solution(
    terms: Terms, node: Apply, number: int, a: Elements, right: Elements, read: Iterable[Term]
) -> list[Elements]:
    """Return ``x`` with ``a x = right``, if all elements that are read are finite."""
    dtype = node.inputs[0].dtype
    upper, right, _ = eliminate(terms, a, right)
    one = one_if_finite(terms, read, dtype)
    zero = terms.number(0, dtype)
    pivots: list[Term] = upper.diagonal().tolist()
    regular = joined(terms, scalar.and_, [terms.apply(scalar.neq, p, zero) for p in pivots])
    condition = terms.apply(scalar.or_, regular, terms.apply(scalar.neq, one, one))
    check = partial(terms.checked, condition=condition, message=_message(node, number))

    def divide(i: int, count: int) -> tuple[ScalarOp, Term]:
        return divided(terms, terms.apply(scalar.mul, pivots[i], one), count, check)

    return [substitute(terms, upper, right, False, divide)]


def _inverse(terms: Terms, node: Apply, number: int, a: Elements) -> list[Elements]:
    dtype = node.outputs[0].dtype
    identity = np.full(a.shape, terms.nothing(dtype), dtype=object)
    np.fill_diagonal(identity, terms.number(1, dtype))
    return _solution(terms, node, number, a, identity, a.ravel())


def _solved(terms: Terms, node: Apply, number: int, a: Elements, right: Elements) -> list[Elements]:
    op = node.op
    assert isinstance(op, Solve)
    if op.A_structure == "general":
        return _solution(terms, node, number, a, right, a.ravel())
    if op.A_structure == "symmetric":
        lower = np.tri(len(a), dtype=bool)
        mask = lower if op.is_lower else lower.T
        return _solution(terms, node, number, np.where(mask, a, a.T), right, a[mask])
    n = len(a)
    diagonal: list[Term] = a.diagonal().tolist()

    def check(scale: Term) -> Term:
        """Check all places, from the first one on, which the message names."""
        for place, item in enumerate(diagonal):
            regular = terms.apply(scalar.neq, item, terms.number(0, item.dtype))
            scale = terms.checked(scale, regular, _message(node, number * n + place, n))
        return scale

    def divide(i: int, count: int) -> tuple[ScalarOp, Term]:
        return divided(terms, diagonal[i], count, check)

    sparse = zeros_left_out(terms, a)
    return [substitute(terms, sparse, right, op.is_lower, None if op.unit_diagonal else divide)]


# -- determinants ----------------------------------------------------------------------------------


def _determinant(terms: Terms, node: Apply, number: int, a: Elements) -> list[Term]:
    upper, _, exchanges = eliminate(terms, a, a[:, :0], singular=True)
    one = one_if_finite(terms, a.ravel(), node.outputs[0].dtype)
    product = safe_product(terms, upper.diagonal().tolist())
    return [terms.apply(scalar.mul, signed(terms, exchanges, product), one)]


def _logarithm(terms: Terms, node: Apply, number: int, a: Elements) -> list[Term]:
    upper, _, exchanges = eliminate(terms, a, a[:, :0], singular=True)
    signs, logarithms = [], []
    for item in upper.diagonal().tolist():
        size = terms.apply(scalar.abs, item)
        logarithms.append(terms.apply(scalar.log, size))
        if dtypes.is_complex(item.dtype):
            signs.append(terms.apply(scalar.true_div, item, unless_zero(terms, size)))
        else:
            signs.append(terms.apply(scalar.sgn, item))
    sign = signed(terms, exchanges, joined(terms, scalar.mul, signs))
    logarithm = joined(terms, scalar.add, logarithms)
    read = [part for item in a.ravel() for part in parts(terms, item)]
    one = one_if_finite(terms, read, logarithm.dtype)
    return [terms.apply(scalar.mul, item, one) for item in (sign, logarithm)]


def _cofactors(terms: Terms, node: Apply, number: int, a: Elements) -> list[Elements]:
    one = one_if_finite(terms, a.ravel(), node.outputs[0].dtype)
    sparse, cofactors = zeros_left_out(terms, a), np.full(a.shape, one, dtype=object)
    for i, j in np.ndindex(a.shape) if len(a) > 1 else ():
        # In this order, which goes around, the cofactors of 3 x 3 matrices have no signs.
        rest = [[(k + step) % len(a) for step in range(1, len(a))] for k in (i, j)]
        minor = sparse[np.ix_(*rest)]
        value = minor[0, 0]
        if len(a) == 3:
            product = terms.apply(scalar.mul, value, minor[1, 1])
            value = less(terms, product, minor[0, 1], minor[1, 0])
        elif i != j:
            value = terms.apply(scalar.neg, value)
        cofactors[i, j] = terms.apply(scalar.mul, value, one)
    return [cofactors]


def _tangent(
    terms: Terms, node: Apply, number: int, a: Elements, direction: Elements
) -> list[Elements]:
    """Return the derivative of cofactors, which are products of up to two elements."""
    n, dtype = len(a), node.outputs[0].dtype
    one = one_if_finite(terms, a.ravel(), dtype)
    zero = terms.apply(scalar.sub, one, terms.number(1, dtype))
    sparse, changes = zeros_left_out(terms, a), zeros_left_out(terms, direction)
    tangent = np.full(a.shape, zero, dtype=object)
    for i, j in np.ndindex(a.shape) if n > 1 else ():
        rest = [[(k + step) % n for step in range(1, n)] for k in (i, j)]
        minor, change = sparse[np.ix_(*rest)], changes[np.ix_(*rest)]
        value = change[0, 0]
        if n == 3:
            pairs = ((0, 0, 1, 1), (1, 1, 0, 0), (0, 1, 1, 0), (1, 0, 0, 1))
            first, second, third, fourth = ((change[p, q], minor[r, s]) for p, q, r, s in pairs)
            value = terms.apply(
                scalar.add, terms.apply(scalar.mul, *first), terms.apply(scalar.mul, *second)
            )
            value = less(terms, less(terms, value, *third), *fourth)
        elif i != j:
            value = terms.apply(scalar.neg, value)
        tangent[i, j] = terms.apply(scalar.mul, value, one)
    return [tangent]


# -- factors ---------------------------------------------------------------------------------------


def _factor(terms: Terms, node: Apply, number: int, a: Elements) -> list[Elements]:
    """Return a Cholesky factor; pivots must be positive and finite."""
    op, dtype = node.op, node.outputs[0].dtype
    assert isinstance(op, Cholesky)
    turned = partial(conjugate, terms)
    factor, pivots = _lower_factor(terms, a if op.is_lower else mapped(turned, a.T))
    conditions = [
        terms.apply(row, pivot, terms.number(bound, pivot.dtype))
        for pivot in pivots
        for row, bound in ((scalar.gt, 0), (scalar.lt, np.inf))
    ]
    condition = joined(terms, scalar.and_, conditions)
    if op.on_error == "nan":
        nan = terms.number(np.nan, dtype)
        factor = mapped(lambda item: terms.apply(scalar.switch, condition, item, nan), factor)
    else:
        check = partial(terms.checked, condition=condition, message=_message(node, number))
        factor = mapped(lambda item: item if item.kind == "nothing" else check(item), factor)
    return [factor if op.is_lower else mapped(turned, factor.T)]


def _lower_factor(terms: Terms, a: Elements) -> tuple[Elements, list[Term]]:
    sparse = zeros_left_out(terms, a)
    dtype = sparse[0, 0].dtype
    factor = np.full(a.shape, terms.nothing(dtype), dtype=object)
    pivots = []
    for j in range(len(a)):
        pivot = parts(terms, sparse[j, j])[0]
        for k in range(j):
            pivot = terms.apply(scalar.sub, pivot, square(terms, factor[j, k]))
        pivots.append(pivot)
        root = terms.apply(scalar.sqrt, pivot)
        scale = terms.apply(scalar.reciprocal, root)
        factor[j, j] = terms.cast(root, dtype)
        for i in range(j + 1, len(a)):
            total = sparse[i, j]
            for k in range(j):
                total = less(terms, total, factor[i, k], conjugate(terms, factor[j, k]))
            factor[i, j] = terms.apply(scalar.mul, total, scale)
    return factor, pivots


_WRITERS: dict[type, Callable[..., Sequence[Elements | Term]]] = {
    MatrixInverse: _inverse, Solve: _solved, Det: _determinant, SLogDet: _logarithm,
    Cofactors: _cofactors, CofactorsTangent: _tangent, Cholesky: _factor,
}  # fmt: skip

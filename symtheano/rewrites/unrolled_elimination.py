"""Steps of algorithms on small matrices, as terms of their elements.

Gaussian elimination with partial pivoting has no branches: rows are exchanged element by element,
by conditions. Pivots are those of LAPACK, so results have errors of the same size.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from symtheano import dtypes
from symtheano.rewrites.unrolled_terms import Elements, Term, Terms, mapped
from symtheano.scalar import table as scalar
from symtheano.scalar.row import ScalarOp

Divide = Callable[[int, int], tuple[ScalarOp, Term]]
"""Returns a row and an operand by which a number of columns are divided by a diagonal element."""


def zeros_left_out(terms: Terms, a: Elements) -> Elements:
    """Return the elements; zeros beside variables take no part in elimination."""
    return mapped(lambda x: terms.nothing(x.dtype) if x.is_number(0) else x, a)


def parts(terms: Terms, x: Term) -> list[Term]:
    """Return the number, or the real and the imaginary part."""
    if not dtypes.is_complex(x.dtype):
        return [x]
    return [terms.apply(row, x) for row in (scalar.real, scalar.imag)]


def size(terms: Terms, x: Term) -> Term:
    """Return the absolute value; for complex numbers, what LAPACK compares instead."""
    return joined(terms, scalar.add, [terms.apply(scalar.abs, p) for p in parts(terms, x)])


def joined(terms: Terms, row: ScalarOp, items: Sequence[Term]) -> Term:
    """Join terms in pairs, so that few wait for each other."""
    while len(items) > 1:
        pairs = [items[k : k + 2] for k in range(0, len(items), 2)]
        items = [terms.apply(row, *pair) if len(pair) == 2 else pair[0] for pair in pairs]
    return items[0]


def one_if_finite(terms: Terms, items: Iterable[Term], dtype: str) -> Term:
    """Return one, or NaN if an element is infinite or NaN."""
    one = terms.number(1, dtype)
    distinct = dict.fromkeys(item for item in items if item.kind != "nothing")
    zeros = [terms.apply(scalar.sub, item, item) for item in distinct]
    return terms.apply(scalar.add, joined(terms, scalar.add, zeros), one) if zeros else one


def less(terms: Terms, x: Term, factor: Term, y: Term) -> Term:
    """Return ``x - factor * y``."""
    return terms.apply(scalar.sub, x, terms.apply(scalar.mul, factor, y))


def _exchange(terms: Terms, condition: Term, rows: Elements, i: int, j: int) -> None:
    """Exchange two rows if a condition holds."""
    upper, lower = rows[i].copy(), rows[j].copy()
    for column, (x, y) in enumerate(zip(upper, lower, strict=True)):
        rows[i, column] = terms.apply(scalar.switch, condition, y, x)
        rows[j, column] = terms.apply(scalar.switch, condition, x, y)


def eliminate(
    terms: Terms, a: Elements, right: Elements, singular: bool = False
) -> tuple[Elements, Elements, list[Term]]:
    """Return an upper triangle, the right-hand side, and the conditions of exchanges.

    With ``singular``, the elimination goes on after a column of zeros.
    """
    n = len(a)
    rows = np.concatenate([zeros_left_out(terms, a), right], axis=1)
    exchanges = []
    for k in range(n):
        below = [i for i in range(k + 1, n) if rows[i, k].kind != "nothing"]
        for i in below:
            larger = terms.apply(scalar.gt, size(terms, rows[i, k]), size(terms, rows[k, k]))
            exchanges.append(larger)
            _exchange(terms, larger, rows[:, k:], k, i)
        pivot = rows[k, k]
        if singular and below:
            pivot = unless_zero(terms, pivot)
        for i in below:
            ratio = terms.apply(scalar.true_div, rows[i, k], pivot)
            for j in range(k + 1, rows.shape[1]):
                rows[i, j] = less(terms, rows[i, j], ratio, rows[k, j])
    return rows[:, :n], rows[:, n:], exchanges


def unless_zero(terms: Terms, x: Term) -> Term:
    """Return a divisor, or one if it is zero."""
    is_zero = terms.apply(scalar.eq, x, terms.number(0, x.dtype))
    return terms.apply(scalar.switch, is_zero, terms.number(1, x.dtype), x)


def substitute(
    terms: Terms, a: Elements, right: Elements, lower: bool, divide: Divide | None
) -> Elements:
    """Solve with a triangle; ``divide`` returns how to divide by an element of its diagonal."""
    n, count = right.shape
    x = np.empty((n, count), dtype=object)
    for i in range(n) if lower else reversed(range(n)):
        row, scale = divide(i, count) if divide else (scalar.mul, None)
        for j in range(count):
            total = right[i, j]
            for k in range(i) if lower else range(i + 1, n):
                total = less(terms, total, a[i, k], x[k, j])
            x[i, j] = terms.apply(row, total, scale) if scale else total
    return x


def divided(
    terms: Terms, divisor: Term, count: int, check: Callable[[Term], Term]
) -> tuple[ScalarOp, Term]:
    """Return a row and an operand that divide; several numbers are multiplied by the reciprocal.

    The check comes after it, so that no rule makes divisions of these products.
    """
    if count == 1:
        return scalar.true_div, check(divisor)
    return scalar.mul, check(terms.apply(scalar.reciprocal, divisor))


def signed(terms: Terms, exchanges: Sequence[Term], x: Term) -> Term:
    """Change the sign for each exchange of rows."""
    if not exchanges:
        return x
    odd = joined(terms, scalar.xor, exchanges)
    return terms.apply(scalar.switch, odd, terms.apply(scalar.neg, x), x)


def safe_product(terms: Terms, factors: Sequence[Term]) -> Term:
    """Multiply; no partial product overflows or underflows unless the whole one does.

    A product above one is multiplied by a factor below one, if there is one left, and vice versa.
    """
    waiting = list(factors)
    total = waiting.pop(0)
    while waiting:
        one = terms.number(1, size(terms, total).dtype)
        is_large = terms.apply(scalar.gt, size(terms, total), one)
        for k in range(1, len(waiting)):
            first, other = waiting[0], waiting[k]
            too = terms.apply(scalar.gt, size(terms, first), one)
            same = terms.apply(scalar.eq, is_large, too)
            waiting[0] = terms.apply(scalar.switch, same, other, first)
            waiting[k] = terms.apply(scalar.switch, same, first, other)
        total = terms.apply(scalar.mul, total, waiting.pop(0))
    return total


def conjugate(terms: Terms, x: Term) -> Term:
    """Return the conjugate; a real number is its own."""
    changes = dtypes.is_complex(x.dtype) and x.kind != "nothing"
    return terms.apply(scalar.conj, x) if changes else x


def square(terms: Terms, x: Term) -> Term:
    """Return the square of the absolute value."""
    squares = [terms.apply(scalar.mul, part, part) for part in parts(terms, x)]
    return joined(terms, scalar.add, squares)

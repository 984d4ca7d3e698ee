"""Scalar expressions of unrolled arrays: each is made once, and counted before it becomes nodes.

Terms are not nodes of the graph, for three reasons. Whether a group is unrolled is known only when
its terms are counted: of a chain of 19 products of 6 x 6 matrices, none of 4,800 terms becomes a
node, and a term takes 4 microseconds, a node that is interned 23. There is no node for a zero that
no number was stored into: ``x * 0`` is NaN if ``x`` is, but the product with such a zero is
omitted. Elements of arrays are in NumPy's arrays of objects, in which variables would take part in
NumPy's protocols themselves. What operations compute, and of which dtype, is only in the scalar
table: numbers are evaluated by their rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from symtheano import dtypes
from symtheano.dataclass import dataclass
from symtheano.graph.origin import Origin, origin_scope
from symtheano.scalar import table as scalar
from symtheano.scalar.loops import plus_product
from symtheano.scalar.row import ScalarOp
from symtheano.tensor.basic import constant
from symtheano.tensor.elemwise import elemwise
from symtheano.tensor.indexing.subtensor import getitem
from symtheano.tensor.linalg.matrices import RequireAnswer
from symtheano.tensor.variable import Tensor


@dataclass(frozen=True, eq=False)
class Term:
    """A scalar.

    Attributes
    ----------
    kind
        An element of an array in memory; a number; ``nothing``, a zero that no number was stored
        into; the result of an operation; or a checked number.
    dtype
        Its dtype.
    source
        The array and the index, the number, the row of the scalar table, or the message.
    operands
        Of an operation; a number and its condition.
    origin
        The user's line of the operation.
    """

    kind: Literal["element", "number", "nothing", "operation", "check"]
    dtype: str
    source: Any = None
    operands: tuple[Term, ...] = ()
    origin: Origin | None = None

    def is_number(self, value: float | str) -> bool:
        """Return whether the value is known, and equal to ``value``."""
        if self.kind == "nothing":
            return value == 0
        return self.kind == "number" and bool(self.source == value)


@lru_cache(maxsize=512)
def _result(row: ScalarOp, operands: tuple[str, ...]) -> str:
    return row.signature(operands).result


class Terms:
    """Makes terms, equal ones once; products with zeros and ones that are known are not made.

    Attributes
    ----------
    origin
        The user's line of operations that are made.
    operations
        The number of operations that have been made.
    """

    def __init__(self) -> None:
        self.origin: Origin | None = None
        self.operations = 0
        self._by_key: dict[object, Term] = {}
        self._built: dict[Term, Tensor] = {}

    def _unique(self, *fields: Any, key: object) -> Term:
        term = self._by_key.get(key)
        if term is None:
            term = self._by_key[key] = Term(*fields)
        return term

    def element(self, x: Tensor, index: tuple[int, ...] = ()) -> Term:
        """Return an element of an array, or a 0-d variable."""
        return self._unique("element", x.dtype, (x, index), key=(x, index))

    def number(self, value: npt.ArrayLike, dtype: str) -> Term:
        """Return a constant."""
        number = np.asarray(value, dtype)
        return self._unique("number", dtype, number, key=(dtype, number.tobytes()))

    def nothing(self, dtype: str) -> Term:
        """Return a zero that products with anything keep, as if nothing were multiplied."""
        return self._unique("nothing", dtype, key=dtype)

    def cast(self, term: Term, dtype: str) -> Term:
        """Return a term converted to a dtype."""
        if term.dtype == dtype:
            return term
        return self.apply(scalar.scalar_op(f"cast{{{dtype}}}"), term)

    def apply(self, row: ScalarOp, *operands: Term) -> Term:
        """Return the result of an operation."""
        dtype = _result(row, tuple([item.dtype for item in operands]))
        if row is scalar.switch and operands[1] is operands[2]:
            return self.cast(operands[1], dtype)
        if any(item.kind == "number" or item.kind == "nothing" for item in operands):
            simple = self._simple(row, operands, dtype)
            if simple is not None:
                return simple
            zero = [item.kind == "nothing" for item in operands]
            operands = tuple(
                self.number(0, item.dtype) if z else item
                for item, z in zip(operands, zero, strict=True)
            )
            if all(item.kind == "number" for item in operands):
                values = [item.source for item in operands]
                return self.number(row.evaluate(values, tuple(x.dtype for x in operands)), dtype)
        key = (row, operands)
        self.operations += key not in self._by_key
        return self._unique("operation", dtype, row, operands, self.origin, key=key)

    def _simple(self, row: ScalarOp, operands: Sequence[Term], dtype: str) -> Term | None:
        """Return what an operation with numbers is without an operation."""
        first, last = operands[0], operands[-1]
        nothing = [item.kind == "nothing" for item in operands]
        if row is scalar.switch and first.kind == "number":
            return self.cast(operands[1 if first.source else 2], dtype)
        if row is scalar.mul and any(nothing):
            return self.nothing(dtype)
        if row.commutative and row.identity is not None:
            for one, other in ((first, last), (last, first)):
                if one.is_number(row.identity):
                    return self.cast(other, dtype)
        if row is scalar.sub and nothing[1]:
            return self.cast(first, dtype)
        if row is scalar.sub and nothing[0]:
            return self.apply(scalar.neg, self.cast(last, dtype))
        if row is scalar.true_div and nothing[0] and not last.is_number(0):
            return self.nothing(dtype)
        if row.nin == 1 and nothing[0] and row.evaluate([0], (first.dtype,)) == 0:
            return self.nothing(dtype)
        return None

    def sum_of_products(
        self, pairs: Iterable[tuple[Term, Term]], wide: str, dtype: str, sparse: bool
    ) -> Term:
        """Return an element of a matrix product.

        Zeros that no number was stored into have no part in it, with ``sparse`` also other ones.
        """
        total = self.nothing(wide)
        for a, b in pairs:
            if not any(f.is_number(0) if sparse else f.kind == "nothing" for f in (a, b)):
                total = self._plus(total, self.cast(a, wide), self.cast(b, wide))
        return self.cast(total, dtype)

    def _plus(self, total: Term, a: Term, b: Term) -> Term:
        """Add a product, like the product routines with one rounding where processors do so."""
        number = a.kind == "number" and b.kind == "number"
        plain = number or total.kind == "nothing" or a.is_number(1) or b.is_number(1)
        if plain or not dtypes.is_float(total.dtype):
            return self.apply(scalar.add, total, self.apply(scalar.mul, a, b))
        return self.apply(plus_product, total, a, b)

    def checked(self, term: Term, condition: Term, message: str) -> Term:
        """Return a term; if the condition is false in a call, it reports an error."""
        if condition.is_number(1):
            return term
        operands = (term, condition)
        key = (message, operands)
        return self._unique("check", term.dtype, message, operands, self.origin, key=key)

    # -- nodes ------------------------------------------------------------------------------------

    def count(self, wanted: Iterable[Term], at_most: int) -> int:
        """Return how many operations terms need beside those built, at most one above a limit."""
        seen: set[Term] = set()
        stack = list(wanted)
        count = 0
        while stack and count <= at_most:
            term = stack.pop()
            if term in seen or term in self._built:
                continue
            seen.add(term)
            count += term.kind == "operation"
            stack.extend(term.operands)
        return count

    def build(self, wanted: Term) -> Tensor:
        """Return the variable of a term."""
        built = self._built
        stack = [wanted]
        while stack:
            term = stack[-1]
            if term in built:
                stack.pop()
                continue
            waiting = [item for item in term.operands if item not in built]
            if waiting:
                stack.extend(reversed(waiting))
                continue
            stack.pop()
            built[term] = self._node(term)
        return built[wanted]

    def _node(self, term: Term) -> Tensor:
        if term.kind == "operation" or term.kind == "check":
            op = (elemwise if term.kind == "operation" else RequireAnswer)(term.source)
            with origin_scope(term.origin):
                built: Tensor = op(*(self._built[item] for item in term.operands))
            return built
        if term.kind == "element":
            x, index = term.source
            return getitem(x, index) if x.ndim else x
        return constant(0 if term.kind == "nothing" else term.source, dtype=term.dtype)


Elements = npt.NDArray[np.object_]
"""The terms that are the elements of an array."""


def mapped(function: Callable[..., Term], *elements: Elements) -> Elements:
    """Apply a function to each element, or to elements of arrays that are broadcast."""
    return np.asarray(np.frompyfunc(function, len(elements), 1)(*elements), dtype=object)

"""Index: an int64 polynomial over named integers, the arithmetic of addresses and bounds.

Sums and products are normalized when they are made, so that equal addresses compare equal and
constants are folded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from symtheano.dataclass import dataclass

Monomial = tuple[str, ...]


@dataclass(frozen=True)
class Index:
    """A sum of terms ``coefficient * name * name …``.

    Attributes
    ----------
    terms
        Pairs of (sorted names, coefficient), without zero coefficients; the empty tuple of
        names is the constant term.

    Examples
    --------
    >>> i, n = Index.symbol("i"), Index.symbol("n")
    >>> (i + 1) * n - n
    Index(i*n)
    >>> Index.of(3) * 4 == 12
    True
    """

    terms: tuple[tuple[Monomial, int], ...]

    @staticmethod
    def of(value: Index | int) -> Index:
        """Return ``value`` as an index."""
        if value.__class__ is Index:
            return value
        return Index((((), int(value)),) if value else ())  # type: ignore[arg-type]

    @staticmethod
    def symbol(name: str) -> Index:
        """Return the index that is the integer called ``name``."""
        return Index((((name,), 1),))

    @staticmethod
    def _from(terms: Mapping[Monomial, int]) -> Index:
        return Index(tuple(sorted([(names, c) for names, c in terms.items() if c])))

    @property
    def constant(self) -> int | None:
        """The value if it is known, else None."""
        if not self.terms:
            return 0
        if len(self.terms) == 1 and not self.terms[0][0]:
            return self.terms[0][1]
        return None

    @property
    def name(self) -> str | None:
        """The name if the index is a single name, else None."""
        if len(self.terms) == 1:
            ((names, coefficient),) = self.terms
            if coefficient == 1 and len(names) == 1:
                return names[0]
        return None

    def names(self) -> Iterator[str]:
        """Yield the names this index depends on."""
        for monomial, _ in self.terms:
            yield from monomial

    def __add__(self, other: Index | int) -> Index:
        other = Index.of(other)
        if not self.terms or not other.terms:
            return self if self.terms else other
        total = dict(self.terms)
        for monomial, coefficient in other.terms:
            total[monomial] = total.get(monomial, 0) + coefficient
        return Index._from(total)

    def __mul__(self, other: Index | int) -> Index:
        if isinstance(other, int):
            return self._times(other)
        other = Index.of(other)
        terms, own = other.terms, self.terms
        if len(terms) == 1 and not terms[0][0]:
            return self._times(terms[0][1])
        if len(own) == 1 and not own[0][0]:
            return other._times(own[0][1])
        total: dict[Monomial, int] = {}
        for left, a in own:
            for right, b in terms:
                monomial = tuple(sorted(left + right))
                total[monomial] = total.get(monomial, 0) + a * b
        return Index._from(total)

    def _times(self, factor: int) -> Index:
        if factor == 1:
            return self
        return Index(tuple([(m, c * factor) for m, c in self.terms if factor]))

    def __neg__(self) -> Index:
        return self * -1

    def __sub__(self, other: Index | int) -> Index:
        return self + other * -1

    def __rsub__(self, other: int) -> Index:
        return Index.of(other) - self

    __radd__ = __add__
    __rmul__ = __mul__

    def __eq__(self, other: object) -> bool:
        if isinstance(other, int):
            return self.constant == other
        return other.__class__ is Index and self.terms == other.terms

    def __hash__(self) -> int:
        return hash(self.terms)

    def replace(self, values: Mapping[str, Index | int]) -> Index:
        """Return this index with names replaced by other indices."""
        kept: dict[Monomial, int] = {}
        changed = []
        for monomial, coefficient in self.terms:
            if values.keys().isdisjoint(monomial):
                kept[monomial] = coefficient
                continue
            term = Index.of(coefficient)
            for name in monomial:
                term = term * values.get(name, Index.symbol(name))
            changed.append(term)
        if not changed:
            return self
        for term in changed:
            for monomial, coefficient in term.terms:
                kept[monomial] = kept.get(monomial, 0) + coefficient
        return Index._from(kept)

    def coefficient(self, name: str) -> Index:
        """Return the coefficient of ``name``, in which the index must be linear."""
        return Index._from(
            {
                tuple(other for other in monomial if other != name): coefficient
                for monomial, coefficient in self.terms
                if name in monomial
            }
        )

    def __str__(self) -> str:
        """Return infix text that is valid in C and in Python.

        Linear terms come first, the constant last: ``i*n + j + 3``.
        """
        ordered = sorted(self.terms, key=lambda term: (-len(term[0]), term[0]))
        text = ""
        for names, coefficient in ordered:
            sign = "-" if coefficient < 0 else "+"
            factors = [str(abs(coefficient))] if abs(coefficient) != 1 or not names else []
            product = "*".join([*names, *factors])
            text += f" {sign} {product}" if text else ("-" if sign == "-" else "") + product
        return text or "0"

    def __repr__(self) -> str:
        return f"Index({self})"


ZERO = Index.of(0)
ONE = Index.of(1)


def total(indices: Iterable[Index]) -> Index:
    """Return the sum of indices; 0 for none."""
    terms: dict[Monomial, int] = {}
    for index in indices:
        for monomial, coefficient in index.terms:
            terms[monomial] = terms.get(monomial, 0) + coefficient
    return Index._from(terms)


def product(factors: tuple[Index, ...]) -> Index:
    """Return the product of indices; 1 for none."""
    result = ONE
    for factor in factors:
        result = factor if result is ONE else result * factor
    return result

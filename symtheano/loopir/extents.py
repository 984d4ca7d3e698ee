"""Extents: which integers of a device's kernel have 32 bits, if lengths are not too large.

The extent of an integer is a polynomial over the kernel's parameters, whose coefficients are
positive, that its absolute value does not exceed. Only integers with an extent are *narrow*: those
that are computed from parameters and counters of loops, but not those that are loaded, or assigned.
A kernel has 32 bits for these where the host has found, at a launch, that no extent of what it
computes with them exceeds the largest integer of 32 bits.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from symtheano.loopir.index import Index, Monomial, product, total
from symtheano.loopir.names import bodies, indices, walk
from symtheano.loopir.nodes import For, Let, LetIndex, Statement
from symtheano.loopir.operands import Literal, Operand, Value
from symtheano.loopir.program import Function

MOST_NARROW = 2**31 - 1
"""The largest integer of 32 bits."""


def _larger(extents: Iterable[Index]) -> Index:
    """Return an extent that is at least as large as each of some.

    Examples
    --------
    >>> n = Index.symbol("n")
    >>> _larger([n * 2 + 1, n + 8]) == n * 2 + 8
    True
    """
    terms: dict[Monomial, int] = {}
    for extent in extents:
        for names, coefficient in extent.terms:
            terms[names] = max(terms.get(names, 0), coefficient)
    return Index(tuple(sorted(terms.items())))


def covers(larger: Index, extent: Index) -> bool:
    """Return whether an extent is at least as large as another one, whatever the lengths are.

    Examples
    --------
    >>> n = Index.symbol("n")
    >>> covers(n * 2 + 8, n * 2), covers(n * 8, n * n)
    (True, False)
    """
    return _larger([larger, extent]) == larger


def _divided(extent: Index, divisor: int) -> Index:
    """Return an extent of the number of steps of a size in a length."""
    return Index(tuple((names, -(-factor // divisor)) for names, factor in extent.terms))


_EXTENTS: Mapping[str, Callable[[Sequence[Index]], Index]] = {
    "add": total,
    "and_": total,
    "int_div": lambda extents: extents[0] + 1,
    "maximum": _larger,
    "minimum": _larger,
    "mod": lambda extents: extents[1],
    "mul": lambda extents: product(tuple(extents)),
    "place_div": lambda extents: extents[0],
    "right_shift": lambda extents: extents[0] + 1,
    "sub": total,
    "switch": lambda extents: _larger(extents[1:]),
}
"""For rows of the scalar table: the extent of the result, of those of its operands."""


_CHOICES = ("maximum", "minimum", "switch")
"""Rows whose result is one of the operands, so that extents do not grow."""


class Extents:
    """The extents of a kernel's narrow integers, and of all that is computed with them.

    Parameters
    ----------
    kernel
        The kernel, with the names of its narrow integers.

    Attributes
    ----------
    needed
        What must not exceed the largest integer of 32 bits.

    Raises
    ------
    ValueError
        If an integer that is said to be narrow has no extent.
    """

    def __init__(self, kernel: Function) -> None:
        self.narrow = kernel.narrow
        self.needed: dict[Index, None] = {}
        self._known = {
            value.name: Index.symbol(value.name)
            for value in kernel.values
            if value.name in self.narrow
        }
        for extent in self._known.values():
            self._need(extent)
        self._grids: list[Index] = []
        self._block(kernel.body)
        if self._grids:
            self._need(product(tuple(self._grids)))

    @property
    def bound(self) -> Index:
        """An extent that is at least as large as all that is needed."""
        return _larger(self.needed)

    def _need(self, extent: Index) -> None:
        self.needed[extent] = None

    def _of(self, index: Index) -> Index | None:
        """Return the extent of a polynomial; None if it depends on what is not narrow."""
        if not self.narrow.issuperset(index.names()):
            return None
        return self._of_narrow_factors(index)

    def _of_narrow_factors(self, index: Index) -> Index:
        """Return an extent of the parts of a polynomial that have 32 bits, in any order."""
        return total(
            product(tuple(self._known[name] for name in names if name in self.narrow))
            * abs(coefficient)
            for names, coefficient in index.terms
        )

    def _operand(self, operand: Operand) -> Index | None:
        if isinstance(operand, Literal):
            value = operand.value
            return Index.of(abs(value)) if isinstance(value, int) else Index.of(0)
        if operand.dtype == "bool":
            return Index.of(1)
        return self._known.get(operand.name)

    def _define(self, value: Value, extent: Index | None) -> None:
        if value.name not in self.narrow:
            return
        if extent is None:
            raise ValueError(f"{value.name} has no extent, so it may not have 32 bits")
        self._known[value.name] = extent
        self._need(extent)

    def _block(self, statements: Sequence[Statement]) -> None:
        for s in statements:
            for index in indices(s):
                self._need(self._of_narrow_factors(index))
            if isinstance(s, LetIndex):
                self._define(s.target, self._of(s.index))
            elif isinstance(s, Let):
                self._define(s.target, self._let(s))
            elif isinstance(s, For):
                self._loop(s)
            for body in bodies(s):
                self._block(body)

    def _let(self, s: Let) -> Index | None:
        combine = _EXTENTS.get(s.op)
        if combine is None or s.target.dtype != "int64":
            return None
        extents = [self._operand(argument) for argument in s.arguments]
        known = [extent for extent in extents if extent is not None]
        return combine(known) if len(known) == len(extents) else None

    def _loop(self, s: For) -> None:
        start, stop, length = self._of(s.start), self._of(s.stop), self._of(s.stop - s.start)
        known = start is not None and stop is not None
        extent = _larger(filter(None, (start, stop))) if known else None
        self._define(s.index, extent)
        if s.index.name not in self.narrow or extent is None or length is None:
            return
        self._need(extent + abs(s.step))  # which the counter is after the last iteration
        if s.kind == "grid":
            self._need(length + s.step)
            self._grids.append(_divided(length + (s.step - 1), s.step))


def at_launch(extent: Index, kernel: Function, values: Sequence[Value]) -> Index:
    """Return an extent over a kernel's parameters as one over the arguments of a launch."""
    pairs = zip(kernel.values, values, strict=True)
    return extent.replace({mine.name: Index.symbol(value.name) for mine, value in pairs})


def narrow_integers(kernel: Function) -> frozenset[str]:
    """Return the names of the integers of a kernel which have 32 bits if lengths are not too large.

    They are those from which addresses and bounds of loops are computed, and counters and bounds
    that others are compared with. Other integers are the user's data, which have 64 bits.
    """
    wanted: set[str] = set()
    every = [*walk(kernel.body)]
    for s in every:
        wanted.update(name for index in indices(s) for name in index.names())
    for s in reversed(every):
        if isinstance(s, Let) and s.target.name in wanted and s.op in _EXTENTS:
            wanted.update(a.name for a in s.arguments if isinstance(a, Value))
    narrow = {value.name for value in kernel.values if value.dtype == "int64"} & wanted
    for s in every:
        if isinstance(s, For) and narrow.issuperset((*s.start.names(), *s.stop.names())):
            narrow.add(s.index.name)
        elif isinstance(s, LetIndex) and narrow.issuperset(s.index.names()):
            narrow.add(s.target.name)
        elif isinstance(s, Let) and (s.target.name in wanted or s.op in _CHOICES):
            is_index = s.target.dtype == "int64" and s.op in _EXTENTS
            if is_index and all(_is_narrow(argument, narrow) for argument in s.arguments):
                narrow.add(s.target.name)
    return frozenset(narrow)


def _is_narrow(operand: Operand, narrow: Collection[str]) -> bool:
    if isinstance(operand, Literal):
        return isinstance(operand.value, int) and abs(operand.value) <= MOST_NARROW
    return operand.dtype == "bool" or operand.name in narrow

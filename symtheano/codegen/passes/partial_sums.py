"""Partial sums: a few float32 elements are added in float32, and their sum in float64.

Sums of float32 elements are accumulated in float64, so that their error does not grow with their
length. A conversion takes as long as an addition, and vectors have half as many elements of
float64. The sum of eight elements by pairs has an error of at most three roundings, less than that
of NumPy's sums by pairs. Where a sum is not finite, which the exact one may be, all elements are
added in float64 again.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from symtheano.codegen.passes.accumulators import BYTES
from symtheano.codegen.passes.rounded import KeptWide
from symtheano.codegen.passes.trace import Context
from symtheano.codegen.passes.vectorize import reductions_of
from symtheano.codegen.passes.widen import is_name
from symtheano.codegen.passes.work import scalar_cost
from symtheano.codegen.targets import Target
from symtheano.dataclass import replace
from symtheano.loopir import (
    Buffer,
    Builder,
    For,
    If,
    Index,
    Kernel,
    Let,
    LetIndex,
    Literal,
    Load,
    Reduce,
    Statement,
    Update,
    Value,
    View,
)
from symtheano.loopir.builder import Names
from symtheano.loopir.names import definitions
from symtheano.loopir.operands import LANES, Operand
from symtheano.loopir.rewrite import Copier, base_name, names_used, with_loops

_WIDE, _NARROW = "float64", "float32"
_LANES = 2 * LANES
"""Vectors of elements have twice as many as those of sums."""
_TERMS, _FEWER_TERMS = 8, 4
"""Numbers of elements that are added in float32: fewer if they are computed by many statements."""
_FEW_STATEMENTS = 8
_FEWEST_BLOCKS = 2
"""Fewer blocks take no less time than conversions of all their elements."""
_ZERO = Literal(0.0, _WIDE)
_LARGEST = Literal(float(np.finfo(_WIDE).max), _WIDE)


def partial_sums(kernel: Kernel, target: Target, context: Context) -> Kernel:
    """Add float32 elements in float32 first, in loops in lanes that do little more than that."""
    kept = KeptWide(kernel)

    def change(loop: For) -> Sequence[Statement] | None:
        if loop.kind != "simd":
            return None
        terms = _terms_of(loop)
        reason = _why_not(loop, terms, kept, target)
        if reason is not None:
            context.note(loop, "not, {}", reason)
            return None
        statements = len(without_sums(loop.body)) // len(terms)
        count = _TERMS if statements <= _FEW_STATEMENTS else _FEWER_TERMS
        length = (loop.stop - loop.start).constant
        if length is not None and length < _FEWEST_BLOCKS * count * _lanes(loop):
            context.note(loop, "not, there are only {} elements", length)
            return None
        context.note(loop, "{} elements are added in float32 first", count)
        return _PartialSums(loop, terms, count, context.names).write()

    changed = with_loops(kernel, change)
    context.otherwise("not, no loop runs in lanes")
    return changed


def _lanes(loop: For) -> int:
    """Return how many sums are added side by side: as many as bytes, where these are loaded."""
    loads_bytes = any(
        isinstance(s, Load) and np.dtype(s.buffer.dtype).itemsize == 1 for s in loop.body
    )
    return BYTES if loads_bytes else _LANES


def adds_narrow(loop: For, kept: KeptWide, target: Target) -> bool:
    """Return whether elements of a loop will be added in float32 first, so need no more chains."""
    return _why_not(loop, _terms_of(loop), kept, target) is None


def _terms_of(loop: For) -> dict[str, Value]:
    return {s.target.name: term for s, term in narrow_terms(loop.body) if isinstance(s, Reduce)}


def narrow_terms(body: Sequence[Statement]) -> list[tuple[Reduce | Update, Value]]:
    """Return the statements that add in float64, and the float32 elements that they add."""
    casts = {s.target.name: s.arguments[0] for s in body if isinstance(s, Let) and s.op == "cast"}
    terms: list[tuple[Reduce | Update, Value]] = []
    for s in body:
        if isinstance(s, Reduce | Update) and s.op == "add" and isinstance(s.value, Value):
            term = casts.get(s.value.name)
            if s.value.dtype == _WIDE and isinstance(term, Value) and term.dtype == _NARROW:
                terms.append((s, term))
    return terms


def without_sums(body: Sequence[Statement]) -> list[Statement]:
    """Return what computes the terms, without conversions that only sums need."""
    others = [s for s in body if not isinstance(s, Reduce | Update)]
    used = {name for s in others for name in names_used(s)}
    return [
        s
        for s in others
        if not (isinstance(s, Let) and s.op == "cast" and s.target.dtype == _WIDE)
        or s.target.name in used
    ]


def add_by_pairs(b: Builder, terms: Sequence[Operand]) -> Operand:
    """Add as many terms as a power of two, in their dtype."""
    while len(terms) > 1:
        pairs = zip(terms[::2], terms[1::2], strict=True)
        terms = [b.let("add", terms[0].dtype, list(pair)) for pair in pairs]
    return terms[0]


def is_finite(b: Builder, total: Operand) -> Value:
    """Return whether a sum in float64 is finite: else, one in float32 may have overflowed."""
    return b.let("le", "bool", [b.let("abs", _WIDE, [total]), _LARGEST], "is_finite")


def _why_not(loop: For, terms: dict[str, Value], kept: KeptWide, target: Target) -> str | None:
    """Return why all elements of a loop are added in the dtype of the sum."""
    reductions = reductions_of(loop)
    if not reductions:
        return "it has no sums"
    if loop.step != 1 or any(
        value.dtype != _WIDE or value.name not in terms for value, _ in reductions
    ):
        return "it does more than add float32 elements in float64"
    if not terms.keys().isdisjoint(kept.names):
        return "its result is not rounded to float32"
    sums = [s for s in loop.body if isinstance(s, Reduce)]
    others = (s for s in loop.body if not isinstance(s, Reduce))
    if len(sums) > len(terms) or not all(isinstance(s, Let | LetIndex | Load) for s in others):
        return "it does more than reduce"
    inside = {value.name for s in loop.body for value in definitions(s)}
    for s in loop.body:
        if isinstance(s, Load) and (
            s.index.coefficient(loop.index.name) not in (0, 1)
            or not inside.isdisjoint(s.index.names())
        ):
            return "it reads elements that are not neighbours"
    cost, most = scalar_cost(without_sums(loop.body)), target.vectors.cheap_sums * len(terms) // 2
    return f"an element costs {cost} additions, more than {most}" if cost > most else None


def _needed_for(term: Value, body: Sequence[Statement]) -> tuple[list[Statement], list[Statement]]:
    """Return the statements that compute a term, and the others."""
    needed, own, others = {term.name}, [], []
    for s in reversed(body):
        if needed.isdisjoint(value.name for value in definitions(s)):
            others.append(s)
        else:
            own.append(s)
            needed.update(names_used(s))
    return own[::-1], others[::-1]


class _PartialSums:
    """Writes a loop over blocks whose elements are added in float32 first, and one over the rest.

    Parameters
    ----------
    loop
        The loop.
    terms
        What it adds, by the name of the sum.
    count
        Number of elements that are added in float32.
    names
        For new names.
    """

    def __init__(self, loop: For, terms: dict[str, Value], count: int, names: Names) -> None:
        self.loop, self.terms, self.count = loop, terms, count
        self.b = Builder(names)
        self.counter = base_name(loop.index.name)
        self.lanes = _lanes(loop)

    def write(self) -> Sequence[Statement]:
        """Return the statements that take the place of the loop."""
        b, loop = self.b, self.loop
        length, step = loop.stop - loop.start, self.count * self.lanes
        if length.constant is None and not is_name(length):
            # a difference may be negative, a number of elements is not
            length = b.maximum(length, 0, f"{self.counter}_count")
        begin = b.declare("begin", b.operand(loop.start))
        with b.block() as blocks:
            self._write_blocks(begin, self._multiple(length, step))
        if length.constant is None:
            least = Literal(_FEWEST_BLOCKS * step, "int64")
            is_long = b.let("ge", "bool", [b.operand(length), least], "is_long")
            b.emit(If(is_long, tuple(blocks)))
        else:
            for statement in blocks:
                b.emit(statement)
        b.emit(replace(loop, start=begin.index))
        return b.statements()

    def _write_blocks(self, begin: Value, whole: Index) -> None:
        """Add whole blocks to the sums, and set where the rest begins, which may be all."""
        b, loop = self.b, self.loop
        cells = [self._cell(total) for total, _ in loop.reductions]
        with b.loop(f"{self.counter}_lane", self.lanes, kind="simd") as lane:
            for cell in cells:
                b.store(View(cell, (), (), lane), [], _ZERO)
        with (
            b.loop(self.counter, loop.start + whole, loop.start, step=self.count * self.lanes,
                   kind="reduce") as block,
            b.loop(f"{self.counter}_lane", self.lanes, kind="simd") as lane,
        ):  # fmt: skip
            self._block(cells, block + lane, lane)
        parts = [self._sum_of_lanes(cell) for cell in cells]
        fits = self._are_finite(parts)
        for (total, op), part in zip(loop.reductions, parts, strict=True):
            b.reduce(total, op, b.let("switch", _WIDE, [fits, part, _ZERO]))
        ends = [b.operand(loop.start + whole), b.operand(loop.start)]
        b.assign(begin, b.let("switch", "int64", [fits, *ends]))

    def _multiple(self, length: Index, step: int) -> Index:
        """Return the largest multiple of a power of two that is not larger than a length."""
        if length.constant is not None:
            return Index.of(length.constant - length.constant % step)
        operands = [self.b.operand(length), Literal(-step, "int64")]
        return self.b.let("and_", "int64", operands, f"{self.counter}_whole").index

    def _sum_of_lanes(self, cell: Buffer) -> Operand:
        values = [self.b.load(View(cell, (), (), Index.of(lane)), []) for lane in range(self.lanes)]
        return add_by_pairs(self.b, values)

    def _are_finite(self, parts: Sequence[Operand]) -> Operand:
        b = self.b
        finite = [is_finite(b, part) for part in parts]
        fits = finite[0]
        for each in finite[1:]:
            fits = b.let("and_", "bool", [fits, each], "fits")
        return fits

    def _cell(self, total: Value) -> Buffer:
        name = self.b.names.fresh(f"{base_name(total.name)}_lanes")
        return Buffer(name, _WIDE, "stack", Index.of(self.lanes))

    def _block(self, cells: Sequence[Buffer], first: Index, lane: Index) -> None:
        """Add the elements of one lane, which are a vector apart."""
        b, loop = self.b, self.loop
        copiers = [
            Copier(b.names, {loop.index.name: first + number * self.lanes})
            for number in range(self.count)
        ]
        body = without_sums(loop.body)
        for cell, (sum_, _) in zip(cells, loop.reductions, strict=True):
            term = self.terms[sum_.name]
            own, body = _needed_for(term, body)
            for copier in copiers:
                for statement in copier.block(own):
                    b.emit(statement)
            terms = [copier.operand(term) for copier in copiers]
            total = b.let("cast", _WIDE, [add_by_pairs(b, terms)])
            b.emit(Update(cell, lane, "add", total))

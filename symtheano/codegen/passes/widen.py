"""Widen: sums of float32 elements in float64 are written as vectors with equally many elements.

Compilers load a whole vector of the narrow type, and take it apart to widen its halves. These
shuffles take longer than the sums. Half a vector is widened as it is loaded.
"""

from __future__ import annotations

from collections.abc import Sequence

from symtheano.codegen.passes.trace import Context
from symtheano.codegen.targets import Target
from symtheano.dataclass import replace
from symtheano.loopir import (
    Builder,
    For,
    Index,
    Kernel,
    Let,
    Literal,
    Load,
    Reduce,
    Statement,
    Value,
)
from symtheano.loopir.builder import Names
from symtheano.loopir.names import operands, walk
from symtheano.loopir.operands import LANES, in_lanes, lanes_of
from symtheano.loopir.rewrite import Copier, base_name, with_loops

_ZERO = Literal(0.0, "float64")
_OPERATORS = ("add", "sub", "mul", "sqr", "neg")


def widen(kernel: Kernel, target: Target, context: Context) -> Kernel:
    """Write loops that only add widened elements in vectors, several for each sum.

    The number of vectors is the same in the whole kernel, so a row's sum does not depend on its
    place. The elements that remain are added one by one.
    """
    loops = [s for s in walk(kernel.body) if isinstance(s, For) and s.kind == "simd"]
    most = max((len(loop.reductions) for loop in loops if _why_not(loop) is None), default=0)
    vectors = 2 if 2 * most <= target.vectors.sums else 1 if most <= target.vectors.sums else 0

    def change(loop: For) -> Sequence[Statement] | None:
        if loop.kind != "simd":
            return None
        reason = _why_not(loop)
        if reason is None and not vectors:
            reason = f"a loop of the kernel has {most} sums, more than {target.vectors.sums}"
        if reason is not None:
            context.note(loop, "not, {}", reason)
            return None
        context.note(loop, "{} vectors for each sum, since {} sums fit into registers",
                     vectors, target.vectors.sums)  # fmt: skip
        return _in_vectors(loop, vectors, context.names)

    widened = with_loops(kernel, change)
    context.otherwise("not, no loop runs in lanes")
    return widened


def _in_vectors(loop: For, vectors: int, names: Names) -> Sequence[Statement]:
    """Return a loop over vectors, and one over the elements that remain."""
    b, counter, step = Builder(names), base_name(loop.index.name), vectors * LANES
    count = loop.stop - loop.start
    if not is_name(count):  # a difference may be negative, a number of elements is not
        count = b.maximum(count, 0, f"{counter}_count")
    whole = b.let("and_", "int64", [b.operand(count), Literal(-step, "int64")], f"{counter}_whole")
    middle = loop.start + whole.index
    sums = [
        {
            total.name: b.declare_as(f"{base_name(total.name)}_lanes", in_lanes("float64"), _ZERO)
            for total, _ in loop.reductions
        }
        for _ in range(vectors)
    ]
    with b.loop(counter, middle, loop.start, step=step, kind="reduce") as i:
        for part, totals in enumerate(sums):
            _one_vector(b, loop, i + LANES * part, totals)
    for total, _ in loop.reductions:
        first, *more = (totals[total.name] for totals in sums)
        for vector in more:
            first = b.let("add", first.dtype, [first, vector])
        b.reduce(total, "add", b.let("total_of_lanes", "float64", [first]))
    with b.loop(counter, loop.stop, middle, kind="reduce") as i:
        for statement in Copier(names, {loop.index.name: i}).block(loop.body):
            b.emit(statement)
    return b.statements()


def is_name(index: Index) -> bool:
    """Return whether an index is a single name, and no sum or product."""
    return any(index == Index.symbol(name) for name in index.names())


def _one_vector(b: Builder, loop: For, index: Index, sums: dict[str, Value]) -> None:
    """Add the elements from an index on to a vector of each sum."""
    copier = Copier(b.names, {loop.index.name: index}, sums)
    for s in loop.body:
        (copy,) = copier.block([s])
        if not isinstance(s, Let | Load) or not isinstance(copy, Let | Load):
            b.emit(copy)
            continue
        if isinstance(s, Load):
            lanes = s.index.coefficient(loop.index.name) != 0
        else:
            lanes = any(lanes_of(argument.dtype) > 1 for argument in operands(copy))
        if lanes:
            vector = Value(copy.target.name, in_lanes(copy.target.dtype))
            copier.values[s.target.name] = vector
            copy = replace(copy, target=vector)
        b.emit(copy)


def _why_not(loop: For) -> str | None:
    """Return why a loop in lanes is left to the compiler."""
    if not loop.reductions:
        return "it has no sums"
    if any((v.dtype, op) != ("float64", "add") for v, op in loop.reductions) or loop.step != 1:
        return "it does more than add in float64"
    loaded: set[str] = set()
    widened: set[str] = set()
    vectors: set[str] = set()
    for s in loop.body:
        if isinstance(s, Load):
            step = s.index.coefficient(loop.index.name)
            if step not in (0, 1) or s.buffer.dtype not in ("float32", "float64"):
                return f"{s.buffer.name} is not read in vectors"
            if step == 1 and s.target.dtype == "float32":
                loaded.add(s.target.name)
            elif step == 1:
                vectors.add(s.target.name)
        elif isinstance(s, Let):
            names = {operand.name for operand in s.arguments if isinstance(operand, Value)}
            if s.op == "cast" and names & loaded and s.target.dtype == "float64":
                widened |= names
            elif s.op not in _OPERATORS or any(x.dtype != "float64" for x in s.arguments):
                return f"it computes {s.op} in {s.target.dtype}"
            elif loop.index.name in names:
                return "it computes with its counter"
            if not names.isdisjoint(loaded | vectors):
                vectors.add(s.target.name)
        elif not isinstance(s, Reduce):
            return "it does more than reduce"
        elif not isinstance(s.value, Value) or s.value.name not in vectors:
            return "it adds what is the same in all lanes"
    return None if widened and widened == loaded else "it widens no elements that it loads"

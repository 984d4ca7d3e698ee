"""Widen: sums of float32 elements in float64 are written as vectors with equally many elements.

Compilers load a whole vector of the narrow type, and take it apart to widen its halves. These
shuffles take longer than the sums. Half a vector is widened as it is loaded.
"""

from __future__ import annotations

from collections.abc import Sequence

from symtheano.codegen.passes.trace import Context
from symtheano.codegen.targets import Target
from symtheano.dataclass import replace
from symtheano.loopir import For, Kernel, Let, Load, Reduce, Statement, Value
from symtheano.loopir.names import walk
from symtheano.loopir.rewrite import with_loops

_OPERATORS = ("add", "sub", "mul", "sqr", "neg")


def widen(kernel: Kernel, target: Target, context: Context) -> Kernel:
    """Decide how many vectors the printer writes for loops that only add widened elements.

    The number is the same in the whole kernel, so a row's sum does not depend on its place.
    """
    loops = [s for s in walk(kernel.body) if isinstance(s, For) and s.kind == "simd"]
    most = max((len(loop.reductions) for loop in loops if _why_not(loop) is None), default=0)
    vectors = 2 if 2 * most <= target.sums else 1 if most <= target.sums else 0

    def change(loop: For) -> Sequence[Statement] | None:
        if loop.kind != "simd":
            return None
        reason = _why_not(loop)
        if reason is None and not vectors:
            reason = f"a loop of the kernel has {most} sums, more than {target.sums}"
        if reason is not None:
            context.note(loop, "not, {}", reason)
            return None
        context.note(loop, "{} vectors for each sum, since {} sums fit into registers",
                     vectors, target.sums)  # fmt: skip
        return [replace(loop, vectors=vectors)]

    widened = with_loops(kernel, change)
    context.otherwise("not, no loop runs in lanes")
    return widened


def _why_not(loop: For) -> str | None:
    """Return why a loop in lanes is left to the compiler."""
    if not loop.reductions:
        return "it has no sums"
    if any((v.dtype, op) != ("float64", "add") for v, op in loop.reductions) or loop.step != 1:
        return "it does more than add in float64"
    loaded: set[str] = set()
    widened: set[str] = set()
    for s in loop.body:
        if isinstance(s, Load):
            step = s.index.coefficient(loop.index.name)
            if step not in (0, 1) or s.buffer.dtype not in ("float32", "float64"):
                return f"{s.buffer.name} is not read in vectors"
            if step == 1 and s.target.dtype == "float32":
                loaded.add(s.target.name)
        elif isinstance(s, Let):
            names = {operand.name for operand in s.arguments if isinstance(operand, Value)}
            if s.op == "cast" and names & loaded and s.target.dtype == "float64":
                widened |= names
            elif s.op not in _OPERATORS or any(x.dtype != "float64" for x in s.arguments):
                return f"it computes {s.op} in {s.target.dtype}"
            elif loop.index.name in names:
                return "it computes with its counter"
        elif not isinstance(s, Reduce):
            return "it does more than reduce"
    return None if widened and widened == loaded else "it widens no elements that it loads"

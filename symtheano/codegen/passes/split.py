"""Split: the two halves of a sum are added at once, so that their additions overlap.

Each addition waits for the one before. Two accumulators halve the time of a loop that does little
else.
"""

from __future__ import annotations

from collections.abc import Sequence

from symtheano import dtypes
from symtheano.codegen.neutral import neutral_element
from symtheano.codegen.passes.trace import Context
from symtheano.codegen.passes.vectorize import reductions_of
from symtheano.codegen.passes.work import scalar_cost
from symtheano.codegen.targets import Target
from symtheano.dataclass import replace
from symtheano.loopir import (
    Builder,
    Declare,
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
from symtheano.loopir.rewrite import Body, Copier, base_name, with_bodies


def split(kernel: Kernel, target: Target, context: Context) -> Kernel:
    """Split the innermost loops which reduce what their own block declares."""

    def block(statements: Body) -> Body:
        declared = {s.target.name for s in statements if isinstance(s, Declare)}
        found: list[Statement] = []
        for statement in statements:
            if isinstance(statement, For) and _waits_for_sums(statement, declared, target, context):
                found += _halves(statement, context.names)
            else:
                found.append(with_bodies(statement, block))
        return tuple(found)

    halved = replace(kernel, body=block(kernel.body))
    context.otherwise("not, no loop only reduces")
    return halved


def _waits_for_sums(loop: For, declared: set[str], target: Target, context: Context) -> bool:
    """Return whether the latency of additions limits a loop."""
    if loop.kind != "reduce" or loop.step != 1:
        return False
    if not all(isinstance(s, Let | Load | Reduce) for s in loop.body):
        return False
    reduced = reductions_of(loop)
    cost = scalar_cost(loop.body)
    if not any(op in ("add", "mul") and not dtypes.is_discrete(v.dtype) for v, op in reduced):
        context.note(loop, "not, no sum or product of floating-point numbers")
    elif not all(value.name in declared for value, _ in reduced):
        context.note(loop, "not, the sum goes on in other loops")
    elif cost > target.cheap_sums:
        context.note(loop, "not, an element costs {} additions, more than {}",
                     cost, target.cheap_sums)  # fmt: skip
    else:
        context.note(loop, "two halves at once, since an element costs {} additions, at most {}",
                     cost, target.cheap_sums)  # fmt: skip
        return True
    return False


def _halves(loop: For, names: Names) -> Sequence[Statement]:
    b = Builder(names)
    length = b.operand(loop.stop - loop.start)
    half = b.let("int_div", "int64", [length, Literal(2, "int64")], "half").index
    first = reductions_of(loop)
    second: dict[str, Value] = {
        value.name: b.declare(base_name(value.name), neutral_element(op, value.dtype))
        for value, op in first
    }
    with b.loop(base_name(loop.index.name), loop.start + half, loop.start, kind="reduce") as here:
        for values, offset in (({}, Index.of(0)), (second, half)):
            copier = Copier(names, {loop.index.name: here + offset}, values)
            for statement in copier.block(loop.body):
                b.emit(statement)
    *before, both = b.statements()
    assert isinstance(both, For)
    made: list[Statement] = [*before, replace(both, kind="simd", reductions=reductions_of(both))]
    made += [Reduce(value, op, second[value.name]) for value, op in first]
    rest = replace(loop, start=loop.start + half * 2, kind="serial")
    return [*made, rest]

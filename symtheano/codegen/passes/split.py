"""Split: parts of a sum are added at once, so that their additions overlap.

Each addition waits for the one before. Two accumulators halve the time of a loop that does little
else. A loop over a whole array is cut into more parts, because memory is read faster in several
streams. There, this pays for extrema, too; rows are often too short for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from symtheano import dtypes
from symtheano.codegen.passes.partial_sums import adds_narrow
from symtheano.codegen.passes.rounded import KeptWide
from symtheano.codegen.passes.trace import Context
from symtheano.codegen.passes.vectorize import reductions_of
from symtheano.codegen.passes.work import scalar_cost
from symtheano.codegen.rows import neutral_element
from symtheano.codegen.targets import Target
from symtheano.dataclass import replace
from symtheano.loopir import (
    Builder,
    Declare,
    For,
    If,
    Kernel,
    Let,
    Literal,
    Load,
    Partition,
    Reduce,
    Statement,
    Value,
)
from symtheano.loopir.builder import Names
from symtheano.loopir.rewrite import Body, Copier, base_name, unless_same, with_nested

_SUMS = ("add", "mul")
_EXTREMA = ("larger", "smaller", "maximum", "minimum", "nan_or")

_MOST_VECTORS = 8
"""Accumulators that do not wait for each other, in vectors: half of the registers of AVX2."""


def split(kernel: Kernel, target: Target, context: Context) -> Kernel:
    """Split the innermost loops which reduce what their own block declares."""
    kept = KeptWide(kernel)

    def block(statements: Body, whole: bool) -> Body:
        declared = {s.target.name for s in statements if isinstance(s, Declare)}
        chunks = [s.count.index for s in statements if isinstance(s, Partition)]
        body: list[Statement] = []
        for statement in statements:
            parts = 1
            if isinstance(statement, For):
                parts = _parts(statement, declared, whole, kept, target, context)
            if parts > 1:
                assert isinstance(statement, For)
                body += _in_parts(statement, parts, context.names)
            else:
                inside = isinstance(statement, If) or (
                    isinstance(statement, For) and statement.stop in chunks
                )
                body.append(with_nested(statement, partial(block, whole=whole and inside)))
        return unless_same(body, statements)

    halved = with_nested(kernel, partial(block, whole=True))
    context.otherwise("not, no loop only reduces")
    return halved


def _parts(
    loop: For,
    declared: set[str],
    whole: bool,
    kept: KeptWide,
    target: Target,
    context: Context,
) -> int:
    """Return in how many parts a loop runs at once."""
    if loop.kind != "reduce" or loop.step != 1:
        return 1
    if not all(isinstance(s, Let | Load | Reduce) for s in loop.body):
        return 1
    reduced = reductions_of(loop)
    cost = scalar_cost(loop.body)
    slow = (*_SUMS, *_EXTREMA) if whole else _SUMS
    if not any(op in slow and not dtypes.is_discrete(v.dtype) for v, op in reduced):
        context.note(loop, "not, no sum or product of floating-point numbers")
    elif not all(value.name in declared for value, _ in reduced):
        context.note(loop, "not, the sum goes on in other loops")
    elif not whole and adds_narrow(loop, kept, target):
        context.note(loop, "not, few sums in float64 follow each other")
    elif 2 * _vectors(loop) > _MOST_VECTORS:
        context.note(loop, "not, the sums for a vector of bytes are many")
    elif cost > target.vectors.cheap_sums:
        context.note(loop, "not, an element costs {} additions, more than {}",
                     cost, target.vectors.cheap_sums)  # fmt: skip
    else:
        parts = (
            target.vectors.jam
            if whole and _vectors(loop) * target.vectors.jam <= target.vectors.sums
            else 2
        )
        context.note(loop, "{} parts at once, since an element costs {} additions, at most {}",
                     parts, cost, target.vectors.cheap_sums)  # fmt: skip
        return parts
    return 1


def _vectors(loop: For) -> int:
    """Return how many vectors hold the accumulators for one vector of what is loaded."""
    narrow = min((np.dtype(s.buffer.dtype).itemsize for s in loop.body if isinstance(s, Load)),
                 default=8)  # fmt: skip
    return sum(max(1, np.dtype(value.dtype).itemsize // narrow) for value, _ in reductions_of(loop))


def _in_parts(loop: For, count: int, names: Names) -> Sequence[Statement]:
    b = Builder(names)
    length = b.operand(loop.stop - loop.start)
    part = b.let("trunc_div", "int64", [length, Literal(count, "int64")], "part").index
    first = reductions_of(loop)
    others: list[dict[str, Value]] = [
        {
            value.name: b.declare(base_name(value.name), neutral_element(op, value.dtype))
            for value, op in first
        }
        for _ in range(count - 1)
    ]
    with b.loop(base_name(loop.index.name), loop.start + part, loop.start, kind="reduce") as here:
        for number, values in enumerate(({}, *others)):
            copier = Copier(names, {loop.index.name: here + part * number}, values)
            for statement in copier.block(loop.body):
                b.emit(statement)
    *before, both = b.statements()
    assert isinstance(both, For)
    block: list[Statement] = [*before, replace(both, kind="simd", reductions=reductions_of(both))]
    block += [Reduce(value, op, values[value.name]) for values in others for value, op in first]
    rest = replace(loop, start=loop.start + part * count, kind="serial")
    return [*block, rest]

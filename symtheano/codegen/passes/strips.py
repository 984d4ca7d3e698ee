"""Strips: elements that go through many iterations do so side by side, a strip of them at a time.

The nest of an elementwise step has the loop over iterations inside the loops over elements. One
element after another, each operation would wait for the one before it, and vectors would be empty.
So elements run in strips: the loop over iterations is around loops over the elements of a strip.

If an iteration only has a few cheap operations, or states that may freeze, a strip is a few
vectors, whose loop is unrolled, so that compilers keep the states in registers. Otherwise they stay
in the nearest cache.

If an iteration depends on nothing but states and what is the same in all iterations, and leaves
each bit of the states of a strip as it is, so do all later ones. Every few iterations, a strip
looks whether this is so.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from symtheano.codegen.passes.trace import Context
from symtheano.codegen.targets import Target
from symtheano.loopir import (
    Assign,
    Declare,
    For,
    Kernel,
    Let,
    LetIndex,
    Literal,
    Load,
    Statement,
    Store,
    Value,
)
from symtheano.loopir.names import definitions
from symtheano.loopir.rewrite import with_loops
from symtheano.scalar.table import TABLE

if TYPE_CHECKING:
    from symtheano.codegen.passes.strip_loops import Layout

_AROUND = Let | LetIndex | Load | Declare | Store

# Operations for each state, with more of which an iteration takes no longer if it also loads and
# stores its states.
_MOST_OPERATIONS = 4
# States that no condition keeps as they are may settle too, but are compared so much less often.
_SELDOM = 4
# Loops over vectors are printed for each vector of a strip: at most so many statements in all.
_MOST_STATEMENTS = 160
_REAL = ("float32", "float64", "int32", "int64", "uint32", "uint64")
_CHEAP = {*_REAL, "bool"}
# C functions that only complex numbers need.
_COMPLEX = {"csqrt", "cabs"}


def strips(kernel: Kernel, target: Target, context: Context) -> Kernel:
    """Interchange loops over elements with the loops over iterations inside, in strips."""

    def change(loop: For) -> Sequence[Statement] | None:
        inner = _iterations(loop)
        if inner is None:
            return None
        from symtheano.codegen.passes.strip_loops import Strips  # few programs need it

        layout = _layout(inner, target)
        writer = Strips(loop, inner, layout, context.names)
        context.note(loop, "its elements run side by side in {}, {} at a time{}",
                     inner.index.name, layout.width,
                     ", until their states do not change" if writer.settles else "")  # fmt: skip
        return writer.write()

    changed = with_loops(kernel, change)
    context.otherwise("not, no element goes through iterations by itself")
    return changed


def _iterations(loop: For) -> For | None:
    """Return the loop over iterations in a loop over elements, if it is one."""
    if loop.kind != "independent" or loop.start != 0 or loop.step != 1:
        return None
    inner = [s for s in loop.body if isinstance(s, For)]
    if len(inner) != 1 or not all(isinstance(s, For | _AROUND) for s in loop.body):
        return None
    (iterations,) = inner
    if iterations.kind != "serial" or iterations.step != 1 or not _assigns_last(iterations.body):
        return None
    inside = {loop.index.name, *(value.name for s in loop.body for value in definitions(s))}
    bounds = {*iterations.start.names(), *iterations.stop.names()}
    return iterations if inside.isdisjoint(bounds) else None


def _assigns_last(body: Sequence[Statement]) -> bool:
    """Return whether an iteration computes all new values before it assigns them."""
    kinds = [isinstance(s, Assign) for s in body]
    first = kinds.index(True) if True in kinds else len(body)
    return first < len(body) and all(
        isinstance(s, Let | LetIndex | Load | Declare)
        if k < first
        else isinstance(s, Assign) and isinstance(s.value, Value | Literal)
        for k, s in enumerate(body)
    )


def _layout(inner: For, target: Target) -> Layout:
    """Decide how many elements run side by side, in how many vectors, and when strips end early."""
    from symtheano.codegen.passes.strip_loops import Layout, uses_only_states

    times, freezes = (inner.stop - inner.start).constant, _freezes(inner)
    often = target.vectors.settled if freezes else _SELDOM * target.vectors.settled
    is_long = times is None or times > 2 * often
    settled = often if is_long and uses_only_states(inner) else 0
    states = [s.target.dtype for s in inner.body if isinstance(s, Assign)]
    count = sum(isinstance(s, Let) for s in inner.body)
    waits = freezes or count <= _MOST_OPERATIONS * len(states)
    if not (waits and all(dtype in _REAL for dtype in states) and all(map(_is_cheap, inner.body))):
        return Layout(target.vectors.strip, 1, settled)
    sizes = [int(dtype[-2:]) // 8 for dtype in states]
    lanes = target.vectors.width // min(sizes)
    vectors = sum(size * lanes // target.vectors.width for size in sizes)
    parts = min(
        (target.vectors.registers - 2) // vectors,
        target.vectors.chains,
        _MOST_STATEMENTS // len(inner.body),
    )
    return Layout(lanes, parts, settled) if parts > 1 else Layout(target.vectors.strip, 1, settled)


def _freezes(inner: For) -> bool:
    """Return whether a state is kept as it is where a condition holds."""
    states = {s.target for s in inner.body if isinstance(s, Assign)}
    choices = [s for s in inner.body if isinstance(s, Let) and s.op == "switch"]
    return any(item in states for s in choices for item in s.arguments[1:])


def _is_cheap(statement: Statement) -> bool:
    """Return whether compilers keep values in registers over a statement, and run it in vectors."""
    if not isinstance(statement, Let):
        return True
    if not {statement.target.dtype, *(a.dtype for a in statement.arguments)} <= _CHEAP:
        return False
    row = TABLE.get(statement.op)
    return row is None or not (row.external or set(row.libm) - _COMPLEX)

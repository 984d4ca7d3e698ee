"""Lift: a loop over kept elements moves out of the one that adds to them.

Each thread then adds to elements of its own, in order, and neighbours read neighbours.
"""

from __future__ import annotations

from symtheano.codegen.passes.cuda.nests import is_apart, quotient
from symtheano.codegen.passes.trace import Context
from symtheano.codegen.targets import Target
from symtheano.dataclass import replace
from symtheano.loopir import (
    For,
    Index,
    Kernel,
    Let,
    LetIndex,
    Load,
    Statement,
    Store,
    Update,
)
from symtheano.loopir.names import definitions, reads, walk, writes
from symtheano.loopir.rewrite import with_inner_loops


def lift(kernel: Kernel, target: Target, context: Context) -> Kernel:
    """Interchange loops that reduce, or run in order, with independent ones inside them."""
    changed = with_inner_loops(kernel, lambda loop: [_outside(loop, context)])
    context.otherwise("not, no independent loop is inside one that reduces or runs in order")
    return changed


def _outside(statement: Statement, context: Context) -> Statement:
    if not isinstance(statement, For) or statement.kind not in ("reduce", "serial"):
        return statement
    inner = [s for s in statement.body if isinstance(s, For)]
    if len(inner) != 1 or not is_apart(inner[0]):
        return statement
    reason = _why_not(statement, inner[0])
    if reason is not None:
        context.note(statement, "not, {}", reason)
        return statement
    (kept,) = inner
    context.note(statement, "{} keeps its elements and moves out of it", kept.index.name)
    body = tuple(s for old in statement.body for s in (kept.body if old is kept else (old,)))
    # the copy for each kept element repeats the scalars around the inner loop
    return _outside_again(replace(kept, body=(replace(statement, body=body),)), context)


def _outside_again(kept: For, context: Context) -> Statement:
    """Go on inside: there may be more than one loop over kept elements."""
    (inside,) = kept.body
    return replace(kept, body=(_outside(inside, context),))


def _why_not(outer: For, inner: For) -> str | None:
    scalars = [s for s in outer.body if s is not inner]
    if not all(isinstance(s, Let | LetIndex | Load) for s in scalars):
        return "its body does more than read and compute around one loop"
    own = {outer.index.name, *(value.name for s in scalars for value in definitions(s))}
    if not own.isdisjoint([*inner.start.names(), *inner.stop.names()]):
        return "the loop inside has another length each time"
    written = {buffer.name for s in walk(inner.body) for buffer in writes(s)}
    if any(buffer.name in written for s in scalars for buffer in reads(s)):
        return "it reads what the loop inside writes"
    if outer.kind == "serial":
        for name in written:
            if not _keeps_apart(name, outer, inner):
                return f"elements of {name} may pass from one inner iteration to another"
    return None


def _keeps_apart(name: str, outer: For, inner: For) -> bool:
    """Return whether each inner iteration has elements of its own, in all outer iterations.

    This is so if all accesses are at the same place of rows, whose length is a multiple of that of
    the inner loop. Rows may be others: those of a running sum are made from the rows before.
    """
    places = {s.index for s in walk(inner.body)
              if isinstance(s, Load | Store | Update) and s.buffer.name == name}  # fmt: skip
    varying = {outer.index.name, *(v.name for s in walk(outer.body) for v in definitions(s))}
    nears = {place.coefficient(inner.index.name) for place in places}
    if len(nears) != 1 or inner.start != 0 or inner.step != 1:
        return False
    (near,) = nears
    if near == 0 or not varying.isdisjoint(near.names()):
        return False
    length = near * inner.stop
    rests = [place - near * inner.index.index for place in places]
    fixed = []
    for rest in rests:
        moving = Index(tuple(term for term in rest.terms if not varying.isdisjoint(term[0])))
        if quotient(moving, length) is None:
            return False
        fixed.append(rest - moving)
    return all(quotient(each - fixed[0], length) is not None for each in fixed)

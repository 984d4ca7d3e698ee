"""Hold: an element that a loop adds to in every iteration is held in a register."""

from __future__ import annotations

from symtheano.codegen.passes.trace import Context
from symtheano.codegen.rows import neutral_element
from symtheano.codegen.targets import Target
from symtheano.dataclass import replace
from symtheano.loopir import Declare, For, Kernel, Reduce, Statement, Update, Value
from symtheano.loopir.names import definitions, inner_definitions, reads, walk, writes
from symtheano.loopir.rewrite import with_inner_loops


def hold(kernel: Kernel, target: Target, context: Context) -> Kernel:
    """Replace updates of an element that does not change along a loop by reductions of a scalar."""
    held = with_inner_loops(kernel, lambda loop: _held(loop, context))
    context.otherwise("not, no loop updates one element in all iterations")
    return held


def _held(loop: For, context: Context) -> list[Statement]:
    inside = {loop.index.name}
    for s in walk(loop.body):
        inside.update(value.name for value in definitions(s))
        if isinstance(s, For):
            inside.update(value.name for value in inner_definitions(s))
    before: list[Statement] = []
    after: list[Statement] = []
    body = list(loop.body)
    for at, update in enumerate(loop.body):
        if not isinstance(update, Update) or not inside.isdisjoint(update.index.names()):
            continue
        used = [s for s in walk(loop.body) if update.buffer in (*reads(s), *writes(s))]
        if len(used) != 1:
            context.note(loop, "not, {} is used elsewhere inside", update.buffer.name)
            continue
        context.note(loop, "{}[{}] is held in a register", update.buffer.name, update.index)
        dtype = update.buffer.dtype
        total = Value(context.names.fresh("held"), dtype)
        before.append(Declare(total, neutral_element(update.op, dtype)))
        body[at] = Reduce(total, update.op, update.value, update.origin)
        after.append(replace(update, value=total))
    if not before:
        return [loop]
    kind = "reduce" if loop.kind == "independent" else loop.kind
    return [*before, replace(loop, body=tuple(body), kind=kind), *after]

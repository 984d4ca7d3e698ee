"""Lane accumulators: what lanes reduce begins with the neutral element, in each lane.

Each lane has the value that was there before. If that is anything else, lanes reduce into an
accumulator of their own, which is combined with the value afterwards.
"""

from __future__ import annotations

from collections.abc import Sequence

from symtheano.codegen.passes.trace import Context
from symtheano.codegen.rows import neutral_element
from symtheano.codegen.targets import Target
from symtheano.dataclass import replace
from symtheano.loopir import Declare, For, If, Kernel, Reduce, Statement, Value, While
from symtheano.loopir.names import operands, walk
from symtheano.loopir.operands import Operand
from symtheano.loopir.rewrite import Body, Copier, base_name


def lane_accumulators(kernel: Kernel, target: Target, context: Context) -> Kernel:
    """Give lanes accumulators that are neutral before the loop."""
    writer = _Accumulators(context)
    body = writer.block(kernel.body)
    context.otherwise("not, what lanes reduce is neutral before")
    return replace(kernel, body=body) if writer.count else kernel


class _Accumulators:
    """Writes the accumulators of one kernel."""

    def __init__(self, context: Context) -> None:
        self.context, self.count = context, 0

    def block(self, statements: Body) -> Body:
        """Return statements in which what lanes reduce is neutral before."""
        initial: dict[str, Operand] = {}  # of scalars that nothing has changed
        new: list[Statement] = []
        for s in statements:
            if isinstance(s, Declare):
                initial[s.target.name] = s.initial
            if isinstance(s, For):
                s = replace(s, body=self.block(s.body))
                new += self._loop(s, initial) if s.reductions else [s]
            elif isinstance(s, While):
                new.append(replace(s, test=self.block(s.test), body=self.block(s.body)))
            elif isinstance(s, If):
                then, otherwise = self.block(s.then), self.block(s.otherwise)
                new.append(replace(s, then=then, otherwise=otherwise))
            else:
                new.append(s)
            if not isinstance(s, Declare):
                for name in _changed(s):
                    initial.pop(name, None)
        return tuple(new)

    def _loop(self, loop: For, initial: dict[str, Operand]) -> Sequence[Statement]:
        """Return a loop over lanes with accumulators of its own where it needs them."""
        own: dict[str, Value] = {}
        before: list[Statement] = []
        after: list[Statement] = []
        for value, op in loop.reductions:
            neutral = neutral_element(op, value.dtype)
            if initial.get(value.name) == neutral:
                continue
            new = Value(self.context.names.fresh(base_name(value.name)), value.dtype)
            own[value.name] = new
            before.append(Declare(new, neutral))
            after.append(Reduce(value, op, new))
        if not own:
            return [loop]
        self.count += len(own)
        self.context.note(loop, "{} accumulators of its own", len(own))
        return [*before, *Copier(None, values=own).statement(loop), *after]


def _changed(statement: Statement) -> set[str]:
    """Return the names of scalars that a statement, or one inside it, may change or read."""
    every = (item for s in walk([statement]) for item in operands(s))
    named = {item.name for item in every if isinstance(item, Value)}
    if isinstance(statement, For):
        named |= {value.name for value, _ in statement.reductions}
    return named

"""Epilogues: elementwise work on a routine's result, done where its rows are complete.

A bias and an activation that follow a convolution would read the whole result again. A nest that
reads the result element by element, and is the only one to read it, becomes the epilogue of the
step instead. One of the arrays that it makes takes the result's place, so the result itself needs
no memory; others, such as where an activation has a slope, may be there as well.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from symtheano.codegen.plan.needs import Needs
from symtheano.codegen.plan.operands import Operands
from symtheano.codegen.plan.steps import Member, Nest, OpStep, Step
from symtheano.codegen.plan.views import Views
from symtheano.dataclass import dataclass, replace
from symtheano.graph.variable import Apply, Variable
from symtheano.graph.walk import ancestors
from symtheano.lowering import Elementwise, Length
from symtheano.tensor.variable import Tensor


def with_epilogues(
    steps: Sequence[Step],
    operands: Operands,
    needs: Needs,
    read_outside: Collection[Tensor],
    ready: Callable[[Tensor], int],
    guarded: Collection[int],
) -> tuple[Step, ...]:
    """Return steps with their epilogues; empty nests are left in place of these.

    Parameters
    ----------
    steps
        The steps of a schedule.
    operands, needs
        What they read and need.
    read_outside
        What outputs and numbers of the entry point are computed from.
    ready
        Returns before which step a value is there.
    guarded
        The positions of steps before which guards are checked.
    """
    joined = _Joining(list(steps), operands, needs, read_outside, ready, guarded)
    for position, step in enumerate(steps):
        if isinstance(step, OpStep) and step.node.op.takes_epilogue:
            joined.join(position, step)
    return tuple(joined.steps)


def with_factors_first(nodes: Sequence[Apply], views: Views) -> Sequence[Apply]:
    """Return nodes in an order in which an epilogue's other operands come before its routine.

    These are values that elementwise work makes of inputs and that are repeated along an axis, such
    as the factors of a batch normalization. They are smaller than results, so they do not take much
    memory meanwhile.
    """
    first = next((k for k, node in enumerate(nodes) if node.op.takes_epilogue), len(nodes))
    early = {output for node in nodes[:first] for output in node.outputs}
    read: list[Variable] = []
    for node in nodes[first:]:
        simple = (
            isinstance(node.op.lowering, (Elementwise, Length)) or views.axis_map(node) is not None
        )
        if simple and all(item.owner is None or item in early for item in node.inputs):
            early.update(node.outputs)
        elif isinstance(node.op.lowering, Elementwise):
            whole = views.dims(node.outputs[0])
            read += [item for item in node.inputs if item in early and views.dims(item) != whole]
    moved = {item.owner for item in ancestors(read)}
    later = nodes[first:]
    return [*nodes[:first], *(node for node in later if node in moved),
            *(node for node in later if node not in moved)]  # fmt: skip


@dataclass(eq=False)
class _Joining:
    """The steps, and what is known of them; see :func:`with_epilogues`."""

    steps: list[Step]
    operands: Operands
    needs: Needs
    read_outside: Collection[Tensor]
    ready: Callable[[Tensor], int]
    guarded: Collection[int]

    def join(self, position: int, step: OpStep) -> None:
        """Make the only reader of a step's result its epilogue, if possible."""
        (result,) = step.node.outputs
        readers = [
            k for k, other in enumerate(self.steps) if result in self.operands.read_by(other)
        ]
        if len(readers) != 1 or result in self.read_outside:
            return
        (at,) = readers
        nest = self.steps[at]
        if not isinstance(nest, Nest) or not self._is_elementwise(nest, result):
            return
        if any(between in self.guarded for between in range(position + 1, at + 1)):
            return
        if all(self._is_ready(nest, m, result, position) for m in nest.members):
            self.steps[position] = replace(step, epilogue=nest)
            self.steps[at] = Nest(())

    def _is_elementwise(self, nest: Nest, result: Tensor) -> bool:
        """Return whether a nest makes arrays of a result's shape, one of which in its place."""
        dims, source = self.operands.views.dims, self.operands.views.source
        if nest.space != tuple(dims(result)) or any(m.role != "point" for m in nest.members):
            return False
        if not any(made.dtype == result.dtype for made in nest.stores):
            return False
        whole = tuple(range(len(nest.space)))
        if any(dims(m) != dims(result) or nest.results.get(m) != whole for m in nest.stores):
            return False
        for member in nest.members:
            for item in member.node.inputs:
                read = source(item)
                if read.variable is result:
                    if read.axes != whole or member.axes != whole:
                        return False
                    continue
                inside = read.variable in nest.results
                if not inside and result in self.operands.roots(item, nest.inline):
                    return False
        return True

    def _is_ready(self, nest: Nest, member: Member, result: Tensor, position: int) -> bool:
        """Return whether a member's operands but a step's result are there before the step."""
        own = {output for other in nest.members for output in other.node.outputs}
        awaited = self.needs.besides(member.node)
        for item in member.node.inputs:
            if self.operands.views.source(item).variable not in own:
                awaited += self.operands.roots(item, nest.inline)
        return all(v is result or v in own or self.ready(v) <= position for v in awaited)

"""The plan of a program as text: its steps, what each nest computes, and where it is stored."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from symtheano.codegen.frame import Frame
from symtheano.codegen.passes import CPU_PASSES
from symtheano.codegen.plan.elements import label_of_op
from symtheano.codegen.plan.steps import Member, Nest, OpStep
from symtheano.codegen.region import Region
from symtheano.codegen.targets import CPU
from symtheano.graph.eager import quiet
from symtheano.graph.origin import origin_scope
from symtheano.graph.variable import Constant
from symtheano.printing.loops import stages_of
from symtheano.rewrites.engine import Rewriter


def schedule_text(given: Any) -> str:
    """Return the schedule and the memory plan of a function, or of variables in the default mode.

    Each nest is shown with the lengths of its axes, and its members with their role and the stage
    in which they run. What is stored has the name of its memory. A loop over a graph shows the
    schedule of its body.

    Examples
    --------
    >>> import symtheano.tensor as T
    >>> x = T.matrix("x")
    >>> print(schedule_text(T.exp(x).sum()))
    0  nest over x_d0 x x_d1
         point   exp   = exp(x)
         full    sum   = sum(exp)
    <BLANKLINE>
    memory
      output 0: out float64[1]
    """
    stages = stages_of(given)
    with quiet(), origin_scope(None):
        frame = Frame(Rewriter(stages.rewriter.rules), False, CPU_PASSES, None, CPU)
        outputs = stages.graph.outputs
        region = Region(frame, stages.graph, stages.request.donors or [None] * len(outputs))
    return "\n".join([*_region(region), "", *_memory(region)])


def _region(region: Region) -> Iterator[str]:
    text = _Text(region)
    for number, step in enumerate(region.schedule.steps):
        for place, line in enumerate(text.step(step)):
            yield f"{number if place == 0 else '':<2} {line}"


class _Text:
    """Names the values of a region and writes its steps.

    Parameters
    ----------
    region
        The region.
    """

    def __init__(self, region: Region) -> None:
        self.region = region
        self.names: dict[Any, str] = {
            variable: buffer.name for variable, buffer in region.memory.buffers.items()
        }
        self.taken = set(self.names.values())

    def name(self, variable: Any) -> str:
        """Return the name of a value: that of its memory, of the variable, or of its op."""
        if variable not in self.names:
            if isinstance(variable, Constant):
                one = getattr(variable.data, "size", 0) == 1
                return str(variable.data.item()) if one else str(variable)
            made = "value" if variable.owner is None else label_of_op(variable.owner.op)
            name = wish = variable.name or made
            count = 1
            while name in self.taken:
                count += 1
                name = f"{wish}_{count}"
            self.taken.add(name)
            self.names[variable] = name
        return self.names[variable]

    def step(self, step: Nest | OpStep) -> Iterator[str]:
        """Write one step."""
        if isinstance(step, Nest):
            yield from self._nest(step)
            return
        node = step.node
        inputs = ", ".join(map(self._operand, node.inputs))
        results = ", ".join(map(self.name, node.outputs))
        kind = "call" if node.op.form != "python" else "Python"
        yield f"{kind}: {results} = {label_of_op(node.op)}({inputs})"
        for feed in step.feeds.values():
            yield from (f"  {line}" for line in self._nest(feed) if feed.members)
        body = self.region.bodies.get(step)
        if body is not None:
            yield from (f"  {line}".rstrip() for line in _region(body))
            yield from (f"  {line}" for line in _carried(body))

    def _nest(self, nest: Nest) -> Iterator[str]:
        plan = self.region.plans.get(nest)
        stages = 1 if plan is None else plan.stages
        space = " x ".join(map(str, nest.space)) or "one element"
        yield f"nest over {space}" + (f", {stages} stages" if stages > 1 else "")
        width = max((len(self.name(m.node.outputs[0])) for m in nest.members), default=0)
        for member in nest.members:
            yield f"  {self._member(member, nest, width)}"

    def _member(self, member: Member, nest: Nest, width: int) -> str:
        (output,) = member.node.outputs
        operands = ", ".join(map(self._operand, member.node.inputs))
        stored = "  (stored)" if output in nest.stores else ""
        name = self.name(output)
        return f"{member.role:7} {name:{width}} = {label_of_op(member.node.op)}({operands}){stored}"

    def _operand(self, variable: Any) -> str:
        return self.name(self.region.schedule.source(variable).variable)


def _carried(body: Any) -> Iterator[str]:
    for number, output in enumerate(body.graph.outputs):
        state = body.graph.inputs[body.node.op.carried()[number]]
        how = "a scalar" if not output.ndim else "in place"
        if body.spare[number] is not None:
            how = f"exchanged with {body.spare[number].name}"
        yield f"state {state.name or number}: {how}"


def _memory(region: Region) -> Iterator[str]:
    yield "memory"
    for number, slot in enumerate(region.memory.slots):
        size = slot.size * slot.itemsize
        users = ", ".join(buffer.name for buffer in slot.buffers)
        yield f"  slot {number}, {size} bytes: {users}"
    for number, buffer in enumerate(region.memory.outputs):
        if buffer is not None:
            donated = " (its memory)" if number in region.memory.donated else ""
            shown = f"{np.dtype(buffer.dtype)}[{buffer.size}]"
            yield f"  output {number}: {buffer.name} {shown}{donated}"

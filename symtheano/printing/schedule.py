"""The plan of a program as text: its steps, and what each loop nest computes and stores."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from symtheano.codegen.plan.elements import label_of_op
from symtheano.codegen.plan.regions import LoopPlan, PlanContext, RegionPlan, plan_region
from symtheano.codegen.plan.steps import Member, Nest, Step
from symtheano.errors import printable, printable_name
from symtheano.graph.eager import quiet
from symtheano.graph.origin import origin_scope
from symtheano.graph.variable import Constant
from symtheano.loopir.builder import Names
from symtheano.lowering import Python
from symtheano.printing.loops import stages_of
from symtheano.printing.why import reasons

if TYPE_CHECKING:
    from symtheano.loops.scan_op import Scan


def schedule_text(subject: Any, why: bool = False) -> str:
    """Return the schedule and the memory plan of a function, or of variables in the default mode.

    Each nest is shown with the lengths of its axes, and its members with their role and the stage
    in which they run. Stored values have the name of their memory. A loop over a graph shows the
    schedule of its body.

    Parameters
    ----------
    subject
        A function, a variable or a list of variables.
    why
        Whether to add what each round decided: what nodes are, which groups became one, how many
        bytes this saves, and why others did not.

    Examples
    --------
    >>> x = T.matrix("x")
    >>> print(schedule_text(T.exp(x).sum()))
    0  nest over x_d0 x x_d1
         point   exp   = exp(x)
         full    sum   = sum(exp)
    <BLANKLINE>
    memory
      output 0: out float64[1]
    >>> print(schedule_text(T.exp(x).sum(), why=True).split("why")[1].strip())
    forms: what each node is
        numbers between steps: shape_i, shape_i_2
        points of loops: exp
        reductions: sum
      fuse: groups that pass on values become one, the best pair first
        0  gets the group of sum (passes on exp: x_d0*x_d1*16 bytes)
    """
    stages = stages_of(subject)
    with quiet(), origin_scope(None):
        donors = stages.request.donors or [None] * len(stages.graph.outputs)
        context = PlanContext(Names(), count(len(donors)), listens=why)
        plan = plan_region(stages.final, context, donors)
    lines = [*_region(plan), "", *_memory(plan)]
    return printable("\n".join([*lines, "", "why", *_reasons(plan)] if why else lines))


def _reasons(plan: RegionPlan) -> Iterator[str]:
    """Yield the reasons for a region's schedule, then those for the regions of its steps."""
    text = _Text(plan)
    shown = list(_region(plan, text))  # names the values as the schedule does
    yield from (f"  {line}" for line in reasons(plan.schedule, plan.memory, text.name) if shown)
    for number, step in enumerate(plan.schedule.steps):
        inside = [plan.loops[step].region] if step in plan.loops else []
        inside += [branch.region for branch in plan.branches.get(step, ())]
        for region in inside:
            yield f"  inside {number}"
            yield from (f"  {line}" for line in _reasons(region))


def _region(plan: RegionPlan, text: _Text | None = None) -> Iterator[str]:
    text = text or _Text(plan)
    for number, step in enumerate(plan.schedule.steps):
        for place, line in enumerate(text.step(step)):
            yield f"{number if place == 0 else '':<2} {line}"


class _Text:
    """Names the values of a region and writes its steps.

    Parameters
    ----------
    plan
        The plan of the region.
    """

    def __init__(self, plan: RegionPlan) -> None:
        self.plan = plan
        self.names: dict[Any, str] = {
            variable: buffer.name for variable, buffer in plan.memory.buffers.items()
        }
        self.taken = set(self.names.values())

    def name(self, variable: Any) -> str:
        """Return the name of a value: that of its memory, of the variable, or of its op."""
        if variable not in self.names:
            if isinstance(variable, Constant):
                one = getattr(variable.data, "size", 0) == 1
                return str(variable.data.item()) if one else str(variable)
            default = "value" if variable.owner is None else label_of_op(variable.owner.op)
            name = wish = printable_name(variable.name or default)
            count = 1
            while name in self.taken:
                count += 1
                name = f"{wish}_{count}"
            self.taken.add(name)
            self.names[variable] = name
        return self.names[variable]

    def step(self, step: Step) -> Iterator[str]:
        """Write one step."""
        if isinstance(step, Nest):
            yield from self._nest(step)
            return
        node = step.node
        inputs = ", ".join(map(self._operand, node.inputs))
        results = ", ".join(map(self.name, node.outputs))
        kind = "call" if not isinstance(node.op.lowering, Python) else "Python"
        yield f"{kind}: {results} = {label_of_op(node.op)}({inputs})"
        for feed in step.feeds.values():
            yield from (f"  {line}" for line in self._nest(feed) if feed.members)
        body = self.plan.loops.get(step)
        if body is not None:
            yield from (f"  {line}".rstrip() for line in _region(body.region))
            yield from (f"  {line}" for line in _carried(body))
        names = ("if the condition holds", "otherwise")
        for name, branch in zip(names, self.plan.branches.get(step, ()), strict=False):
            yield f"  {name}"
            yield from (f"    {line}".rstrip() for line in _region(branch.region))

    def _nest(self, nest: Nest) -> Iterator[str]:
        stages = self.plan.nests[nest].stages if nest in self.plan.nests else 1
        space = " x ".join(map(str, nest.space)) or "one element"
        yield f"nest over {space}" + (f", {stages} stages" if stages > 1 else "")
        width = max((len(self.name(m.result)) for m in nest.members), default=0)
        for member in nest.members:
            yield f"  {self._member(member, nest, width)}"

    def _member(self, member: Member, nest: Nest, width: int) -> str:
        output = member.result
        operands = ", ".join(map(self._operand, member.node.inputs))
        stored = "  (stored)" if output in nest.stores else ""
        name = self.name(output)
        return f"{member.role:7} {name:{width}} = {label_of_op(member.node.op)}({operands}){stored}"

    def _operand(self, variable: Any) -> str:
        return self.name(self.plan.schedule.views.source(variable).variable)


def _carried(loop: LoopPlan) -> Iterator[str]:
    replaced = cast("Scan", loop.node.op).carried()
    for number, output in enumerate(loop.region.graph.outputs):
        carried, spare = replaced[number], loop.spare[number]
        if carried is None:
            continue
        state = loop.region.graph.inputs[carried]
        how = "a scalar" if not output.ndim else "in place"
        if spare is not None:
            how = f"exchanged with {spare.name}"
        yield f"state {printable_name(state.name or number)}: {how}"


def _memory(plan: RegionPlan) -> Iterator[str]:
    yield "memory"
    for number, slot in enumerate(plan.memory.slots):
        users = ", ".join(buffer.name for buffer in slot.buffers)
        yield f"  slot {number}, {slot.size} bytes: {users}"
    for number, buffer in enumerate(plan.memory.outputs):
        if buffer is not None:
            donated = " (its memory)" if number in plan.memory.donated else ""
            shown = f"{np.dtype(buffer.dtype)}[{buffer.size}]"
            yield f"  output {number}: {buffer.name} {shown}{donated}"

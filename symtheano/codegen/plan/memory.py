"""The memory plan: which buffer holds each stored value, and what is written in place.

The lifetime of a value extends from the step that writes it to the last step that reads it. Values
with disjoint lifetimes share workspace slots. A value may reuse the memory of an operand whose
lifetime ends at this step, if each element is read before it is written; this is how updates are
written in place. Nothing is written into arguments while an error can still occur.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from symtheano.codegen.plan.elements import label_of_op
from symtheano.codegen.plan.schedule import Schedule
from symtheano.codegen.plan.slots import FreeSlots, Inside, Slot
from symtheano.codegen.plan.stages import NestPlan
from symtheano.codegen.plan.steps import Nest, OpStep, Step
from symtheano.graph.op import REDUCTIONS
from symtheano.graph.variable import Variable
from symtheano.loopir import Buffer, Index
from symtheano.loopir.builder import Names
from symtheano.loopir.index import product


class MemoryPlan:
    """Buffers of a schedule's stored values.

    Parameters
    ----------
    schedule
        Steps in order.
    plans
        The plan of each nest.
    inputs
        Buffers of the graph's inputs.
    donors
        For each output, the number of the input whose memory it may use, or None.
    names
        For buffer names.
    inside
        What steps require that are loops over regions.
    given
        For the body of a loop: where each output goes if not in its donor's memory; None for a
        0-d one, which is a scalar.

    Attributes
    ----------
    buffers
        The buffer of each variable in memory.
    outputs
        The buffer of each output: its own, or the donor's.
    donated
        Which outputs are written into their donors.
    slots
        The workspace.
    late
        Values whose size is only known after some of the work: the caller allocates them.
    hidden
        Dtype and ndim of the additional arrays that the caller allocates, in order.
    """

    def __init__(
        self,
        schedule: Schedule,
        plans: dict[Nest, NestPlan],
        inputs: dict[Variable, Buffer],
        donors: Sequence[int | None],
        names: Names,
        inside: Mapping[Step, Inside] = MappingProxyType({}),
        given: Sequence[Buffer | None] | None = None,
    ) -> None:
        self.schedule, self.plans, self.names = schedule, plans, names
        self.inside, self.given = inside, given
        self.buffers: dict[Variable, Buffer] = dict(inputs)
        self.slots: list[Slot] = []
        self.late: list[Variable] = []
        self.hidden: list[tuple[str, int]] = []
        self._free = FreeSlots()
        self._slot_of: dict[Any, int] = {}
        self.outputs: list[Buffer | None] = [None] * len(schedule.outputs)
        self.donated: dict[int, int] = {}
        self._places: dict[Any, list[int]] = {}
        for number, output in enumerate(schedule.outputs):
            if given is None or given[number] is not None:
                self._places.setdefault(output, []).append(number)
        self._reads = [self._read_by(step) for step in schedule.steps]
        self._last = self._last_uses()
        self._expiring: dict[int, list[Any]] = {}
        for variable, position in self._last.items():
            self._expiring.setdefault(position, []).append(variable)
        self._made = self._steps_of_results()
        self._safe_from = self._last_failure() if given is None else 0
        self._chains = {output: self._best_chain(output, donors) for output in self._places}
        self._starts = {
            start: output for output, chain in self._chains.items() for start in chain[1:]
        }
        self._choose_donors(donors)
        self._assign()

    # -- lifetimes -------------------------------------------------------------------------------

    def _read_by(self, step: Step) -> dict[Any, None]:
        """Return what a step reads, in a deterministic order."""
        if isinstance(step, OpStep):
            found = dict(self.schedule.read_by_op(step))
            if step.epilogue is not None:
                found.update(self._read_by_nest(step.epilogue))
                del found[step.node.outputs[0]]
            return found
        return self._read_by_nest(step)

    def _read_by_nest(self, nest: Nest) -> dict[Any, None]:
        found: dict[Any, None] = {}
        plan = self.plans[nest]
        for member in nest.members:
            for item, source in zip(member.node.inputs, plan.sources(member), strict=True):
                if plan.inside(source) is None:
                    found.update(self.schedule.roots(item, nest.inline))
        return found

    def defined_by(self, step: Step) -> list[Any]:
        """Return the variables that a step writes to memory."""
        if isinstance(step, OpStep):
            after = [] if step.epilogue is None else step.epilogue.stores
            return [*after, *step.node.outputs]
        return list(step.stores)

    def _last_uses(self) -> dict[Any, int]:
        last: dict[Any, int] = {}
        for position, reads in enumerate(self._reads):
            for variable in reads:
                last[variable] = position
        for variable in self.schedule.entry:
            owner = variable.owner
            if owner is None or not owner.op.infers_shape:
                continue
            if owner.op.form in REDUCTIONS:  # computed in a nest
                continue
            for item in owner.inputs:
                at = self.schedule.ready.first.get(variable, 0)
                root = self.schedule.root(item) if hasattr(item, "ndim") else item
                last[root] = max(last.get(root, -1), at)
        return last

    # -- lending ---------------------------------------------------------------------------------

    def _choose_donors(self, donors: Sequence[int | None]) -> None:
        shown = {self.schedule.root(output) for output in self.schedule.outputs}
        taken: set[int] = set()
        for position, donor in enumerate(donors):
            output = self.schedule.outputs[position]
            places = self._places.get(output)
            if donor is None or places is None:
                continue
            if places[0] in self.donated or output in self.schedule.entry:
                continue
            lender = self.schedule.graph.inputs[donor]
            if not self._may_begin_in(self._chains[output], lender):
                continue
            if donor not in taken and lender not in shown:
                self.donated[position] = donor
                places.sort(key=lambda place: place != position)  # others copy it
                taken.add(donor)

    def _may_begin_in(self, chain: Sequence[Any], lender: Any) -> bool:
        """Return whether the first value of a chain may be computed in an input's memory."""
        step = self._made.get(chain[-1])
        if step is None or step < self._safe_from:
            return False
        return self._may_take(chain[-1], lender, step)

    def _best_chain(self, output: Any, donors: Sequence[int | None]) -> list[Any]:
        """Return the chain of an output, shorter if only then it may begin in a donor's memory."""
        chain = self._chain(output)
        for number in self._places[output]:
            donor = donors[number] if number < len(donors) else None
            lender = None if donor is None else self.schedule.graph.inputs[donor]
            if lender is not None and not self._may_begin_in(chain, lender):
                return self._chain(output, through_nests=False)
        return chain

    def _chain(self, output: Any, through_nests: bool = True) -> list[Any]:
        """Return an output and the values computed in its memory before it, in reverse order.

        Each value except the last starts from the next one and overwrites it. All of them share the
        memory, so an input can provide it only if the first computed value may overwrite it.
        """
        chain = [output]
        if any(self.is_late_output(position) for position in self._places[output]):
            return chain
        while (start := self._start(chain[-1], through_nests)) is not None:
            chain.append(start)
        return chain

    def _start(self, value: Any, through_nests: bool) -> Any:
        """Return the result from which a value starts, if it is not used afterwards, or None."""
        position = self._made.get(value)
        if position is None:
            return None
        step = self.schedule.steps[position]
        if isinstance(step, Nest) and not through_nests:
            return None
        if isinstance(step, Nest):
            found = [item for item in self._reads[position] if self._is_changed_copy(item)]
        else:
            number = step.node.op.starts().get(value.index)
            if number is None:
                return None
            found = [self.schedule.inputs(step.node)[number]]
        for start in found:
            if start not in self._made or start in self._places or self._last[start] != position:
                continue
            maker = self.schedule.steps[self._made[start]]
            if isinstance(maker, OpStep) and maker.node.op.form == "python":
                continue
            if self._may_take(value, start, position):
                return start
        return None

    def _is_changed_copy(self, value: Any) -> bool:
        """Return whether a step makes a value by changing a copy of another one."""
        step = self.schedule.steps[self._made[value]] if value in self._made else None
        return isinstance(step, OpStep) and value.index in step.node.op.starts()

    def _steps_of_results(self) -> dict[Any, int]:
        """Return the first step that writes each stored value."""
        made: dict[Any, int] = {}
        for position, step in enumerate(self.schedule.steps):
            for variable in self.defined_by(step):
                made.setdefault(variable, position)
        return made

    def _last_failure(self) -> int:
        """Return the first step after which no error can occur."""
        last = max(self.schedule.guards, default=0)
        for position, step in enumerate(self.schedule.steps):
            op = step.node.op if isinstance(step, OpStep) else None
            fails = op is not None and (op.form == "python" or op.may_fail)
            fails = fails or (step in self.inside and self.inside[step].may_fail)
            late = any(self._is_late(v) for v in self.defined_by(step))
            if isinstance(step, Nest) and self.plans[step].needs_memory:
                late = late or self.is_late(step.space)
            if fails or late:
                last = max(last, position + 1)
        for position, output in enumerate(self.schedule.outputs):
            again = output in self.schedule.outputs[:position] or output not in self._made
            if again and self.is_late_output(position):
                last = len(self.schedule.steps)  # it is allocated at the end
        return last

    def _may_take(self, value: Any, operand: Any, step: int) -> bool:
        """Return whether ``value``, written at ``step``, may reuse an operand's memory."""
        if value.dtype != operand.dtype or self._last.get(operand, -1) > step:
            return False
        if self.schedule.dims(value) != self.schedule.dims(operand):
            return False
        if operand not in self._reads[step]:
            return True
        where = self.schedule.steps[step]
        if isinstance(where, OpStep):
            return self._overwrites(where, value, operand)
        return self._elementwise_in_place(where, value, operand)

    def _overwrites(self, step: OpStep, value: Any, operand: Any) -> bool:
        number = step.node.op.starts().get(value.index)
        inputs = self.schedule.inputs(step.node)
        if number is None or inputs[number] is not operand:
            return False
        return operand not in self.schedule.read_by_op(step, but=number)

    def _elementwise_in_place(self, nest: Nest, value: Any, operand: Any) -> bool:
        """Return whether a nest reads an operand only at the element that it writes."""
        plan = self.plans[nest]
        if plan.stages > 1:
            return False
        home = plan.by_result.get(value)
        if home is None or home.role != "point" or not _is_elementwise(nest):
            return False
        for member in nest.members:
            for item in member.node.inputs:
                if self.schedule.source(item).variable in nest.results:
                    continue
                if self.schedule.root(item) is not operand:
                    if operand in self.schedule.roots(item, nest.inline):
                        return False  # at another element, computed from its index
                    continue
                source = self.schedule.source(item)
                if source.variable is not operand or len(source.axes) != len(home.axes):
                    return False
                if source.axes != tuple(range(operand.ndim)) or member.axes != home.axes:
                    return False
        return True

    # -- buffers ---------------------------------------------------------------------------------

    def share_place(self, one: Buffer, other: Buffer) -> bool:
        """Return whether two buffers, of which one reuses the other, are the same memory."""
        return one == other or any({one, other} <= {*slot.buffers} for slot in self.slots)

    def is_late(self, dims: Iterable[Index]) -> bool:
        """Return whether lengths are only known after some of the work."""
        definitions = self.schedule.shapes.definitions
        names = (name for dim in dims for name in dim.names())
        return any(self.schedule.ready.at(definitions[name]) > 0 for name in names)

    def is_late_output(self, position: int) -> bool:
        """Return whether work must be done before an output can be allocated."""
        schedule = self.schedule
        shown, held = schedule.graph.outputs[position], schedule.outputs[position]
        return self.is_late([*schedule.dims(shown), *schedule.dims(held)])

    def _is_late(self, variable: Any) -> bool:
        outputs = self._places.get(variable, ())
        late = self.is_late(self.schedule.dims(variable))
        return late or any(self.is_late_output(position) for position in outputs)

    def _assign(self) -> None:
        for position, step in enumerate(self.schedule.steps):
            for variable in self.defined_by(step):
                self._place(variable, position, step)
            if step in self.inside:
                self._lend(self.inside[step].slots)
            self._release(position)
        for output, positions in self._places.items():
            for position in positions:
                if self.outputs[position] is None:
                    self.outputs[position] = self._output_buffer(position, output)

    def _lend(self, slots: Sequence[Slot]) -> None:
        """Give a step slots of its own, which later steps may use."""
        lent = []
        for slot in slots:
            number = self._slot(slot.size, slot.itemsize)
            self.slots[number].buffers.extend(slot.buffers)
            lent.append(number)
        for number in lent:
            self._free.add(number, self.slots[number])

    def hidden_buffer(self, name: str, dtype: str, size: Index, ndim: int) -> Buffer:
        """Return an additional array that the caller allocates."""
        if self.given is not None:
            raise NotImplementedError(
                f"the body of a loop needs {name}, of {size} elements of {dtype}, a size that is "
                "only known in the loop"
            )
        number = len(self.schedule.outputs) + len(self.hidden)
        self.hidden.append((dtype, ndim))
        return Buffer(name, dtype, "output", size, number)

    def _place(self, variable: Any, position: int, step: Step) -> None:
        if isinstance(step, OpStep) and step.epilogue and variable in step.node.outputs:
            self.buffers[variable] = self.buffers[step.epilogue.stores[0]]
            return
        places = self._places.get(self._starts.get(variable, variable))
        if places is not None:
            number = places[0]
            donor = self.donated.get(number)
            if donor is not None:
                buffer = self.buffers[self.schedule.graph.inputs[donor]]
            else:
                buffer = self.outputs[number] or self._output_buffer(number, variable)
            self.outputs[number] = self.buffers[variable] = buffer
            return
        if isinstance(step, OpStep) and step.node.op.form == "python":
            size = product(self.schedule.dims(variable))
            self.buffers[variable] = Buffer(self._name(variable), variable.dtype, "arena", size)
            return
        if self._is_late(variable):
            self.late.append(variable)
            size = product(self.schedule.dims(variable))
            name = self._name(variable, "out")
            self.buffers[variable] = self.hidden_buffer(name, variable.dtype, size, variable.ndim)
            return
        heir = self._heir(variable, position)
        buffer = Buffer(
            self._name(variable), variable.dtype, "arena", product(self.schedule.dims(variable))
        )
        self.buffers[variable] = buffer
        if heir is not None:
            self.slots[heir].buffers.append(buffer)
            self._slot_of[variable] = heir
        else:
            number = self._slot_of[variable] = self._slot(
                buffer.size, np.dtype(buffer.dtype).itemsize
            )
            self.slots[number].buffers.append(buffer)

    def _heir(self, variable: Any, position: int) -> int | None:
        """Return the slot of an operand whose lifetime ends here and which may be overwritten."""
        for operand in self._reads[position]:
            number = self._slot_of.get(operand)
            if number is None or self.slots[number].free or self._last.get(operand) != position:
                continue
            if self._holds(operand) and self._may_take(variable, operand, position):
                return number
        return None

    def _slot(self, size: Index, itemsize: int) -> int:
        """Return the number of a free slot of a size, or of a new one."""
        known = self._free.take(size * itemsize)
        if known is not None:
            return known[0]
        self.slots.append(Slot(size, itemsize, []))
        return len(self.slots) - 1

    def _release(self, position: int) -> None:
        """Free the slots of values that no later step reads."""
        written = self.defined_by(self.schedule.steps[position])
        for variable in (*self._expiring.get(position, ()), *written):
            ends = variable in self._slot_of and self._last.get(variable, -1) <= position
            if ends and self._holds(variable):
                number = self._slot_of[variable]
                self._free.add(number, self.slots[number])

    def _holds(self, variable: Any) -> bool:
        """Return whether a variable's slot has not been reused by a later value."""
        return self.slots[self._slot_of[variable]].buffers[-1] is self.buffers[variable]

    def _output_buffer(self, number: int, variable: Any) -> Buffer:
        if self.given is not None:
            place = self.given[number]
            assert place is not None
            return place
        size = product(self.schedule.dims(self.schedule.graph.outputs[number]))
        return Buffer(self._name(variable, "out"), variable.dtype, "output", size, number)

    def _name(self, variable: Any, default: str = "") -> str:
        owner = variable.owner
        wish = variable.name or default
        if not wish and owner is not None:
            wish = label_of_op(owner.op)
        return self.names.fresh(wish or "t")


def _is_elementwise(nest: Nest) -> bool:
    """Return whether a nest reads every operand only at its own index."""
    return all(
        member.node.op.form == "elemwise" or member.role in ("full", "column")
        for member in nest.members
    )

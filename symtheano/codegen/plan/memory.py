"""The memory plan: which buffer holds each stored value, and what is written in place.

The lifetime of a value extends from the step that writes it to the last step that reads it. Values
with disjoint lifetimes share workspace slots. A value may reuse the memory of an operand whose
lifetime ends at this step, if each element is read before it is written; this is how updates are
written in place. Nothing is written into arguments while an error can still occur.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

import numpy as np

from symtheano.codegen.plan.lifetimes import find_lifetimes, safe_from
from symtheano.codegen.plan.reuse import Reuse
from symtheano.codegen.plan.schedule import Schedule
from symtheano.codegen.plan.slots import Inside, Workspace
from symtheano.codegen.plan.stages import NestPlan
from symtheano.codegen.plan.steps import Nest, OpStep, Step, stored_by
from symtheano.codegen.plan.wishes import array_wish
from symtheano.codegen.plan.within import Part, values_within
from symtheano.dataclass import dataclass
from symtheano.loopir import Buffer, Index, Slot
from symtheano.loopir.builder import Names
from symtheano.loopir.index import product
from symtheano.loopir.view import RowMemory
from symtheano.lowering import Python
from symtheano.tensor.variable import Tensor

COPIED = "it is a copy of another output"
TAKEN = "another output is there"
FAILS = "an error may end the call after it is made"
READ = "what is there is needed later, or at other elements"
"""Reasons why outputs are not made in the memory of inputs that they may overwrite."""


@dataclass(frozen=True, eq=False)
class MemoryPlan:
    """Buffers of a schedule's stored values.

    Attributes
    ----------
    buffers
        The buffer of each variable in memory.
    outputs
        The buffer of each output: its own, or the donor's. None for the scalars of a loop.
    donated
        Which outputs are written into their donors.
    refused
        For other arrays with a donor its number, and why they are not written into it.
    slots
        The workspace.
    late
        Values whose size is only known after some of the work: the caller allocates them.
    within
        Values that are made in parts of results.
    rows
        The memory of values whose steps tell how many rows they have.
    """

    buffers: Mapping[Tensor, Buffer]
    outputs: tuple[Buffer | None, ...]
    donated: Mapping[int, int]
    refused: Mapping[int, tuple[int, str]]
    slots: tuple[Slot, ...]
    late: frozenset[Tensor]
    within: Mapping[Tensor, Part]
    rows: Mapping[Tensor, RowMemory]

    def share_place(self, one: Buffer, other: Buffer) -> bool:
        """Return whether two buffers, of which one reuses the other, are the same memory."""
        return one == other or any({one, other} <= {*slot.buffers} for slot in self.slots)


def plan_memory(
    schedule: Schedule,
    plans: Mapping[Nest, NestPlan],
    inputs: Mapping[Tensor, Buffer],
    donors: Sequence[int | None],
    names: Names,
    inside: Mapping[Step, Inside],
    destinations: Sequence[Buffer | None] | None,
    wishes: Sequence[str],
    positions: Iterator[int],
) -> MemoryPlan:
    """Return the memory plan of a schedule.

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
    destinations
        For the body of a loop, or a branch: where each output goes if not in its donor's memory;
        None for a 0-d one, which is a scalar.
    wishes
        Names for the outputs; empty where there is none.
    positions
        The positions of arrays that the caller provides besides the outputs.
    """
    within, lifetimes = values_within(find_lifetimes(schedule, destinations))
    reuse = Reuse(lifetimes, plans, within)
    safe = safe_from(lifetimes, plans, inside) if destinations is None else 0
    lending = _lending(reuse, donors, safe)
    places = dict(inputs)
    assignment = _Assignment(reuse, lending, places, names, inside, destinations, wishes, positions)
    return assignment.finished()


@dataclass(frozen=True, eq=False)
class _Lending:
    """Which outputs are made in the memory of inputs, and what is made there before them.

    Attributes
    ----------
    places
        The positions of each output, the one first that is written before it is copied.
    output_of
        The output in whose memory a value is made.
    donated, refused
        See :class:`MemoryPlan`.
    """

    places: Mapping[Tensor, Sequence[int]]
    output_of: Mapping[Tensor, Tensor]
    donated: Mapping[int, int]
    refused: Mapping[int, tuple[int, str]]


def _lending(reuse: Reuse, donors: Sequence[int | None], safe: int) -> _Lending:
    """Return which outputs are made in the memory of inputs.

    Parameters
    ----------
    reuse
        Which values may begin in the memory of others.
    donors
        For each output, the number of the input whose memory it may use, or None.
    safe
        The first step from which on no error can occur.
    """
    schedule, places = reuse.schedule, dict[Tensor, Sequence[int]](reuse.lifetimes.places)
    inputs = schedule.graph.inputs
    lenders = [None if number is None else inputs[number] for number in donors]
    chains = {
        output: _best_chain(
            reuse, output, [lenders[k] for k in positions if k < len(lenders)], safe
        )
        for output, positions in places.items()
    }
    donated: dict[int, int] = {}
    refused: dict[int, tuple[int, str]] = {}
    for position, (donor, lender) in enumerate(zip(donors, lenders, strict=True)):
        output = schedule.outputs[position]
        if donor is None or lender is None or output not in places or output in schedule.entry:
            continue
        if places[output][0] in donated:
            reason: str | None = COPIED
        elif donor in donated.values():
            reason = TAKEN
        else:
            reason = _why_not_in(reuse, chains[output], lender, safe)
        if reason is not None:
            refused[position] = donor, reason
            continue
        donated[position] = donor
        others = [place for place in places[output] if place != position]
        places[output] = [position, *others]  # others copy it
    output_of = {value: output for output, chain in chains.items() for value in chain}
    return _Lending(places, output_of, MappingProxyType(donated), MappingProxyType(refused))


def _best_chain(
    reuse: Reuse, output: Tensor, lenders: Sequence[Tensor | None], safe: int
) -> list[Tensor]:
    """Return the chain of an output, shorter if only then it may begin in a lender's memory."""
    chain = reuse.chain(output)
    if all(item is None or _why_not_in(reuse, chain, item, safe) is None for item in lenders):
        return chain
    return reuse.chain(output, through_nests=False)


def _why_not_in(reuse: Reuse, chain: Sequence[Tensor], lender: Tensor, safe: int) -> str | None:
    """Return why the first value of a chain can't be computed in an input's memory."""
    step = reuse.lifetimes.first.get(chain[-1], -1)
    if step < safe:
        return FAILS
    return None if reuse.may_take(chain[-1], lender, step) else READ


@dataclass(eq=False)
class _Assignment:
    """Gives each value a buffer, step by step.

    Attributes
    ----------
    reuse
        Which values may begin in the memory of others.
    lending
        Which outputs are made in the memory of inputs.
    buffers
        The buffer of each variable that has one; first those of inputs.
    names, inside, destinations, wishes, positions
        See :func:`plan_memory`.
    """

    reuse: Reuse
    lending: _Lending
    buffers: dict[Tensor, Buffer]
    names: Names
    inside: Mapping[Step, Inside]
    destinations: Sequence[Buffer | None] | None
    wishes: Sequence[str]
    positions: Iterator[int]

    def __post_init__(self) -> None:
        self.lifetimes, self.schedule = self.reuse.lifetimes, self.reuse.schedule
        self.late: list[Tensor] = []
        self.rows: dict[Tensor, RowMemory] = {}
        self.outputs: list[Buffer | None] = [None] * len(self.schedule.outputs)
        self.workspace = Workspace()
        self._slot_of: dict[Tensor, int] = {}
        self._expiring: dict[int, list[Tensor]] = {}
        for variable, position in self.lifetimes.last.items():
            self._expiring.setdefault(position, []).append(variable)

    def finished(self) -> MemoryPlan:
        """Place everything, and return the plan."""
        for position, step in enumerate(self.schedule.steps):
            for variable in stored_by(step):
                self._place(variable, position, step)
            if step in self.inside:
                for slots in self.inside[step].slots:
                    self._lend(slots)
            self._release(position)
        for output, positions in self.lending.places.items():
            for position in positions:
                if self.outputs[position] is None:
                    self.outputs[position] = self._output_buffer(position, output)
        return MemoryPlan(
            MappingProxyType(self.buffers),
            tuple(self.outputs),
            *(self.lending.donated, self.lending.refused),
            self.workspace.finished(),
            frozenset(self.late),
            self.reuse.within,
            MappingProxyType(self.rows),
        )

    def _lend(self, slots: Sequence[Slot]) -> None:
        """Give a step slots of its own, which later steps may use."""
        lent = []
        for slot in slots:
            number = self.workspace.take(slot.size)
            self.workspace.put(number, slot.buffers)
            lent.append(number)
        for number in lent:
            self.workspace.release(number)

    def _place(self, variable: Tensor, position: int, step: Step) -> None:
        part = self.reuse.within.get(variable)
        if part is not None:
            (whole,) = part.node.outputs
            self._place(whole, position, step)
            self.buffers[variable] = self.buffers[whole]
            return
        if variable in self.buffers and variable in self.reuse.hosts:
            return  # a part of it has been made
        if isinstance(step, OpStep) and step.replaced is not None and variable in step.node.outputs:
            self.buffers[variable] = self.buffers[step.replaced]
            return
        if isinstance(step, OpStep) and variable in step.node.outputs:
            op, scalars = step.node.op, self.schedule.shapes.scalars(step.node)
            reserved = op.lowering.reserves(op, scalars)
            if variable.index is not None and variable.index in reserved:
                self._place_rows(variable, *reserved[variable.index])
                return
        output = self.lending.output_of.get(variable)
        if output is not None:
            self._place_output(variable, self.lending.places[output][0])
            return
        size = product(self.schedule.shapes.dims(variable))
        if isinstance(step, OpStep) and isinstance(step.node.op.lowering, Python):
            self.buffers[variable] = Buffer(self._name(variable), variable.dtype, "arena", size)
            return
        if self.lifetimes.is_late(variable):
            self.late.append(variable)
            self.buffers[variable] = Buffer(
                self._name(variable), variable.dtype, "output", size, next(self.positions)
            )
            return
        number = self._heir(variable, position)
        buffer = Buffer(self._name(variable), variable.dtype, "arena", size)
        if number is None:
            number = self.workspace.take(size * np.dtype(buffer.dtype).itemsize)
        self.buffers[variable] = buffer
        self.workspace.put(number, [buffer])
        self._slot_of[variable] = number

    def _place_rows(self, variable: Tensor, rows: Index, may_grow: bool) -> None:
        """Place a value that its step makes row after row, in memory for some of them at first."""
        shape = (rows, *self.schedule.shapes.dims(variable)[1:])
        dtype, size, name = variable.dtype, product(shape), self._name(variable)
        first = self.names.fresh(f"{name}_reserved") if may_grow else name
        turns = [next(self.positions) for _ in range(2 * may_grow)]
        if self.schedule.is_late([size]):
            position = turns[0] if turns else next(self.positions)
            reserved = Buffer(first, dtype, "output", size, position)
        else:
            reserved = Buffer(first, dtype, "arena", size)
            self._slot_of[variable] = self.workspace.take(size * np.dtype(dtype).itemsize)
            self.workspace.put(self._slot_of[variable], [reserved])
        pair, chosen = None, reserved
        if may_grow:
            pair = turns[0], turns[1]
            chosen = Buffer(name, dtype, "chosen", product(self.schedule.shapes.dims(variable)))
        self.rows[variable] = RowMemory(chosen, reserved, shape, pair)
        self.buffers[variable] = chosen

    def _place_output(self, variable: Tensor, number: int) -> None:
        """Place an output, or a value that is made in its memory."""
        donor = self.lending.donated.get(number)
        if donor is not None:
            buffer = self.buffers[self.schedule.graph.inputs[donor]]
        else:
            buffer = self.outputs[number] or self._output_buffer(number, variable)
        self.outputs[number] = self.buffers[variable] = buffer

    def _heir(self, variable: Tensor, position: int) -> int | None:
        """Return the slot of an operand whose lifetime ends here and which may be overwritten."""
        for operand in self.lifetimes.reads[position]:
            number = self._slot_of.get(operand)
            if number is None or self.workspace.is_free(number):
                continue
            if self.lifetimes.last.get(operand) != position:
                continue
            if self._holds(operand) and self.reuse.may_take(variable, operand, position):
                return number
        return None

    def _release(self, position: int) -> None:
        """Free the slots of values that no later step reads."""
        written = stored_by(self.schedule.steps[position])
        for variable in (*self._expiring.get(position, ()), *written):
            ends = variable in self._slot_of and self.lifetimes.last.get(variable, -1) <= position
            if ends and self._holds(variable):
                self.workspace.release(self._slot_of[variable])

    def _holds(self, variable: Tensor) -> bool:
        """Return whether a variable's slot has not been reused by a later value."""
        rows = self.rows.get(variable)
        buffer = self.buffers[variable] if rows is None else rows.reserved
        return self.workspace.holds(self._slot_of[variable], buffer)

    def _output_buffer(self, number: int, variable: Tensor) -> Buffer:
        if self.destinations is not None:
            place = self.destinations[number]
            assert place is not None
            return place
        size = product(self.schedule.shapes.dims(self.schedule.graph.outputs[number]))
        wish = self.wishes[number] if number < len(self.wishes) else ""
        name = self.names.fresh(wish or variable.name or "out")
        return Buffer(name, variable.dtype, "output", size, number)

    def _name(self, variable: Tensor) -> str:
        return self.names.fresh(array_wish(variable))

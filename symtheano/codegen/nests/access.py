"""The current element of whatever a nest reads: in memory, computed here, or inline."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol

from symtheano.codegen.plan.elements import element_of, through
from symtheano.codegen.plan.schedule import Schedule
from symtheano.codegen.plan.stages import NestPlan
from symtheano.codegen.plan.steps import Axes, Member, is_unit, result_axes
from symtheano.codegen.rows import apply_row
from symtheano.graph.variable import Apply
from symtheano.loopir import Builder, Index, View
from symtheano.loopir.nodes import Kind
from symtheano.loopir.operands import Operand
from symtheano.lowering import Elementwise
from symtheano.tensor.variable import Tensor


class Surroundings(Protocol):
    """What a nest requires from the entry point that contains it."""

    @property
    def schedule(self) -> Schedule:
        """The steps of the graph, and its shapes."""

    def scalar(self, variable: Tensor) -> Operand:
        """Return a 0-d value, computed before the kernel."""

    def view(self, variable: Tensor) -> View:
        """Return an array in memory as a view."""

    def need(self, *indices: Index) -> None:
        """Define every name in the indices."""


class Access:
    """Reads and computes the elements of a nest at the current index.

    Parameters
    ----------
    plan
        The nest, its stages, and what is computed again in them.
    around
        Scalars and arrays from outside.
    builder
        Where to write.
    """

    def __init__(self, plan: NestPlan, around: Surroundings, builder: Builder) -> None:
        self.plan, self.nest, self.around, self.b = plan, plan.nest, around, builder
        self.views, self.shapes = around.schedule.views, around.schedule.shapes
        self.counters: dict[int, Index] = {}
        self.values: dict[Tensor, Operand] = {}
        self.loads: dict[tuple[str, Index], Operand] = {}
        self.elements: dict[tuple[Apply, tuple[Index, ...]], Operand] = {}

    def prepare(self) -> None:
        """Define what is needed from outside, before the kernel."""
        for member in self.nest.members:
            self.around.need(*self.shapes.scalars(member.node))
            for item in member.node.inputs:
                source = self.views.source(item).variable
                if self.plan.inside(source) is None or not member.is_pointwise:
                    self.prepare_source(item)
        for stored in self.nest.stores:
            self.around.view(stored)

    def prepare_source(self, item: Tensor) -> None:
        """Define what an operand is read from, and what is needed to find its elements."""
        source = self.views.source(item).variable
        if is_unit(source):
            self.around.scalar(source)
        elif source in self.nest.inline and source.owner is not None:
            for part in source.owner.inputs:
                self.prepare_source(part)
            self.around.need(*self.shapes.scalars(source.owner))
        else:
            self.around.view(item)

    # -- loops and scopes ------------------------------------------------------------------------

    @contextmanager
    def loops(
        self, axes: Sequence[int], kind: Kind, reduced: Collection[int] = ()
    ) -> Iterator[None]:
        """Open a loop over each axis; what is computed and loaded inside ends with them.

        Loops over axes of ``reduced`` have the kind ``reduce``.
        """
        if not axes:
            yield
            return
        first, *rest = axes
        before = dict(self.values), dict(self.loads), dict(self.elements)
        wish = "ijklmnpq"[first % 8]
        own: Kind = "reduce" if first in reduced else kind
        with self.b.loop(wish, self.nest.space[first], kind=own) as counter:
            self.counters[first] = counter
            with self.loops(rest, kind, reduced):
                yield
            del self.counters[first]
        self.values, self.loads, self.elements = before

    # -- places ----------------------------------------------------------------------------------

    def place(self, view: View, axes: Axes, item: Tensor) -> View:
        """Return the current element of an array that shows the nest's axes."""
        position = view.offset
        for axis, length, stride in zip(axes, item.type.shape, view.strides, strict=True):
            if axis is not None and length != 1:
                position = position + self.counters[axis] * stride
        return View(view.buffer, (), (), position)

    def stored(self, variable: Tensor) -> View:
        """Return where the current element of a result is stored."""
        axes = result_axes(self.plan.by_result[variable])
        return self.place(self.around.view(variable), axes, variable)

    # -- elements --------------------------------------------------------------------------------

    def load(self, place: View, name: str) -> Operand:
        """Load an element, once in a scope."""
        key = (place.buffer.name, place.offset)
        if key not in self.loads:
            self.loads[key] = self.b.load(place, [], name)
        return self.loads[key]

    def read(self, member: Member, number: int) -> Operand:
        """Return the current element of an operand."""
        item = member.node.inputs[number]
        source = self.views.source(item)
        variable = source.variable
        if self.plan.inside(variable) is not None:
            return self.values[variable]
        if is_unit(variable):
            return self.around.scalar(variable)
        if variable in self.nest.inline:
            index = [Index.of(0)] * variable.ndim
            for position, axis in enumerate(source.axes):
                place = member.axes[position]
                if axis is not None and place is not None:
                    index[axis] = self.counters[place]
            return self.read_at(variable, index)
        name = f"{variable.name}_i" if variable.name else ""
        return self.load(self.place(self.around.view(item), member.axes, item), name)

    def read_at(self, variable: Tensor, index: Sequence[Index]) -> Operand:
        """Return one element of an operand, in memory or inline, at any index."""
        source = self.views.source(variable)
        if is_unit(source.variable):
            return self.around.scalar(source.variable)
        owner = source.variable.owner
        if source.variable in self.nest.inline and owner is not None:
            where = through(source, index)
            key = (owner, tuple(where))
            if key not in self.elements:
                self.elements[key] = element_of(self, owner, where)
            return self.b.cast(self.elements[key], variable.dtype)
        view = self.around.view(variable)
        return self.load(View(view.buffer, (), (), view.at(index)), f"{view.buffer.name}_i")

    def compute(self, member: Member, wish: str = "") -> None:
        """Compute the current element of a point; ``wish`` is a name for it."""
        node = member.node
        (output,) = node.outputs
        self.b.origin = node.origin
        if isinstance(node.op.lowering, Elementwise):
            operands = [self.read(member, number) for number in range(node.nin)]
            name = output.name or wish
            value = apply_row(self.b, node.op.lowering.row, operands, output.dtype, name)
        else:
            index = [Index.of(0) if a is None else self.counters[a] for a in member.axes]
            value = self.b.cast(element_of(self, node, index), output.dtype)
        self.values[output] = value

    def store(self, place: View, value: Operand) -> None:
        """Store an element."""
        self.b.store(place, [], value)

"""Where the arrays of a region are: views of buffers, tables, and scalars that stand for arrays."""

from __future__ import annotations

from collections.abc import Sequence

from symtheano.codegen.numbers import Numbers
from symtheano.codegen.plan.regions import RegionPlan
from symtheano.codegen.plan.steps import is_unit
from symtheano.codegen.plan.within import part_of
from symtheano.loopir import Buffer, Builder, Choose, Index, View
from symtheano.tensor.variable import Tensor, TensorConstant

Table = tuple[Buffer, Sequence[object]]
"""A constant array, and its elements."""


class Arrays:
    """The arrays of a region as views.

    Parameters
    ----------
    b
        Where to write.
    plan
        The plan of the region.
    numbers
        Its numbers.
    tables
        The tables of the program; new ones are appended.
    """

    def __init__(self, b: Builder, plan: RegionPlan, numbers: Numbers, tables: list[Table]) -> None:
        self.b, self.numbers, self.tables = b, numbers, tables
        self.views, self.operands = plan.schedule.views, plan.schedule.operands
        self.schedule, self.within_results = plan.schedule, plan.memory.within
        self.buffers = plan.memory.buffers
        self._views: dict[Tensor, View] = {}
        self._chosen: dict[Tensor, Buffer] = {}

    def view(self, variable: Tensor) -> View:
        """Return an array in memory as a view; every name in it is defined."""
        view = self._find(variable)
        self.numbers.need(view.buffer.size, *view.shape, *view.strides, view.offset)
        return view

    def _find(self, variable: Tensor) -> View:
        chain: list[Tensor] = []
        item = variable
        while True:
            chain.append(item)
            base = self.views.source(item).variable
            if base.owner is None or not base.owner.op.lowering.is_view:
                break
            item = self.operands.shown_by(base.owner)
        below = self.views.over(chain[-1], self._base(base))
        for item in reversed(chain[:-1]):
            shown = self._shown(self.views.source(item).variable, below)
            below = self.views.over(item, shown)
        return below

    def _shown(self, variable: Tensor, operand: View) -> View:
        """Return the view that a node makes of an operand, or of the array shown instead."""
        node = variable.owner
        assert node is not None
        view = self.views.view_of(node, operand)
        if node.op.lowering.alternative is None:
            return view
        chosen = self._chosen.get(variable)
        if chosen is None:
            other = self.view(node.inputs[node.op.lowering.alternative])
            (shown,) = self.numbers.scalars_of(node)
            first = self.b.let("neq", "bool", [self.b.operand(shown), self.b.operand(0)])
            name = self.b.names.fresh(operand.buffer.name)
            chosen = Buffer(name, variable.dtype, "chosen", view.size)
            self.numbers.need(operand.offset)
            self.b.emit(Choose(chosen, first, operand.address, other.address))
            self._chosen[variable] = chosen
        return View(chosen, view.shape, view.strides, view.offset)

    def _base(self, variable: Tensor) -> View:
        part = self.within_results.get(variable)
        if part is not None:
            self.numbers.scalars_of(part.node)
            return part_of(self.schedule, part, self._base(part.node.outputs[0]))
        if isinstance(variable, TensorConstant):
            return self._register(variable) if is_unit(variable) else self._constant(variable)
        buffer = self.buffers.get(variable)
        if buffer is None:
            return self._register(variable)
        return self.within(buffer, self.views.dims(variable))

    def within(self, buffer: Buffer, dims: Sequence[Index]) -> View:
        """Return an array in a buffer, which may be all of another one."""
        return View.contiguous(self.b.whole.get(buffer.name, buffer), dims)

    def _constant(self, variable: TensorConstant) -> View:
        view = self._views.get(variable)
        if view is None:
            data = variable.data
            name = self.b.names.fresh(variable.name or "table")
            buffer = Buffer(name, variable.dtype, "constant", Index.of(data.size))
            self.tables.append((buffer, data.reshape(-1).tolist()))
            dims = tuple(Index.of(int(dim)) for dim in data.shape)
            view = self._views[variable] = View.contiguous(buffer, dims)
        return view

    def _register(self, variable: Tensor) -> View:
        """Provide a 0-d value to whole-array code as an array of one element."""
        view = self._views.get(variable)
        if view is None:
            value = self.numbers.scalar(variable)
            name = self.b.names.fresh(variable.name or "cell")
            buffer = Buffer(name, variable.dtype, "stack", Index.of(1))
            view = View.contiguous(buffer, (Index.of(1),) * variable.ndim)
            self._views[variable] = view
            self.b.registers[name] = value
        return view

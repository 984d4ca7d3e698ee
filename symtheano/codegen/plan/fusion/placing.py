"""Placing: each node of a graph becomes a part of a step, a view or a scalar."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from symtheano.codegen.plan.epilogue import with_factors_first
from symtheano.codegen.plan.fusion.feeds import feeds_of
from symtheano.codegen.plan.fusion.nests import Nests, Placed
from symtheano.codegen.plan.fusion.points import place_point
from symtheano.codegen.plan.fusion.reductions import place_reduction
from symtheano.codegen.plan.fusion.siblings import merge_siblings
from symtheano.codegen.plan.needs import Needs
from symtheano.codegen.plan.operands import Operands
from symtheano.codegen.plan.steps import VALUE, is_unit
from symtheano.codegen.plan.views import Views
from symtheano.codegen.targets import COSTS, Costs
from symtheano.errors import CompileError, format_error
from symtheano.graph.origin import origin_scope
from symtheano.graph.variable import Apply
from symtheano.graph.walk import toposort
from symtheano.loopir import Buffer, View
from symtheano.loopir.index import product
from symtheano.lowering import REDUCTIONS, Element, Elementwise, Length, Python, Reduction
from symtheano.scalar import table as scalar
from symtheano.tensor.elemwise import DimShuffle, elemwise
from symtheano.tensor.shapes.reshape import Reshape
from symtheano.tensor.variable import Tensor


def place(
    views: Views,
    needs: Needs,
    lent: Collection[Tensor],
    costs: Costs = COSTS,
    listens: bool = True,
) -> tuple[Placed, tuple[Tensor, ...]]:
    """Return where the nodes of a graph are, and the values of its outputs.

    Parameters
    ----------
    views
        The views in the graph.
    needs
        What nodes need.
    lent
        Inputs whose memory an output may use.
    costs
        What decides which nodes share loops.
    listens
        Whether reasons are kept.
    """
    placing, guards = Placing(views, needs, lent, costs, listens), views.shapes.guards
    for guard in guards:
        if _only_reads_inputs(views, guard.condition):
            placing.place_needed([guard.condition])
    placing.place_all(with_factors_first(views.graph.nodes, views))
    merge_siblings(placing.nests)
    outputs = placing.fresh_outputs()
    for guard in guards:
        placing.place_needed(guard.needed)
    return placing.nests.placed(), tuple(outputs)


def _only_reads_inputs(views: Views, condition: Tensor) -> bool:
    """Return whether a guard can be checked before any work is done."""
    return all(
        isinstance(node.op.lowering, (Elementwise, Reduction, Length)) or views.is_view(node)
        for node in toposort([condition])
    )


class Placing:
    """Places the nodes of a graph, each after those it needs.

    The arguments are those of :func:`place`.

    Attributes
    ----------
    operands
        What the steps read.
    nests
        The steps.
    """

    def __init__(
        self,
        views: Views,
        needs: Needs,
        lent: Collection[Tensor],
        costs: Costs = COSTS,
        listens: bool = True,
    ) -> None:
        self.views, self.needs, self.lent = views, needs, lent
        self._copies: dict[tuple[Apply, int], Tensor] = {}
        self.operands = Operands(views, self._copies)
        self.nests = Nests(self.operands, self.needs, costs, listens)

    def place_all(self, nodes: Iterable[Apply]) -> None:
        """Place nodes in topological order."""
        for node in nodes:
            if self.views.is_shown(node):
                self._place(node)

    def place_needed(self, variables: Iterable[Tensor]) -> None:
        """Place what is not placed yet: scalars that only shapes and guards use; iteratively.

        Raises
        ------
        CompileError
            If a value is needed to check itself, which is a defect of symtheano.
        """
        stack = self._owners_not_placed(variables)[::-1]
        begun = set[Apply]()
        while stack:
            node = stack[-1]
            waiting = self._owners_not_placed(self.needs.all_of(node))
            if waiting and node in begun:
                raise CompileError(
                    format_error(
                        f"a check of {node.op} needs its result",
                        places=[node.origin],
                        hint="this is a defect of symtheano: please report it; "
                        "mode='INTERPRET' runs the function",
                    )
                )
            if waiting:
                begun.add(node)
                stack.extend(waiting)
                continue
            stack.pop()
            if node.outputs[0] not in self.nests.first:
                self._place_late(node)

    def _owners_not_placed(self, variables: Iterable[Tensor]) -> list[Apply]:
        first = self.nests.first
        return [v.owner for v in variables if v.owner is not None and v not in first]

    def _place_late(self, node: Apply) -> None:
        numbers = all(getattr(item, "ndim", 1) == 0 for item in (*node.inputs, *node.outputs))
        lowering = node.op.lowering
        if isinstance(lowering, Length) or (numbers and isinstance(lowering, Elementwise)):
            self._scalar(node)
        else:
            self._place(node)

    def _place(self, node: Apply) -> None:
        first = self.nests.first
        if node.outputs[0] in first:
            return
        self.place_needed(self.needs.all_of(node))
        if self.views.is_view(node):
            self._place_view(node)
        elif self.nests.is_inline(node.outputs[0]):
            first[node.outputs[0]] = self.nests.earliest(node, node.inputs)
        elif self._is_entry_scalar(node):
            for item in self.needs.of(node):
                self.nests.require_memory(item)
            self._scalar(node)
        elif isinstance(node.op.lowering, REDUCTIONS):
            place_reduction(self.nests, node)
        elif isinstance(node.op.lowering, (Elementwise, Element)) and _is_array(node):
            place_point(self.nests, node)
        else:
            self._place_op(node)

    def _is_entry_scalar(self, node: Apply) -> bool:
        """Return whether a node is computed by straight-line code of the entry point."""
        if isinstance(node.op.lowering, Length):
            return True
        units = len(node.outputs) == 1 and is_unit(node.outputs[0])
        if isinstance(node.op.lowering, Element):
            return units and all(item.ndim == 0 or item.owner is None for item in node.inputs[1:])
        return units and isinstance(node.op.lowering, Elementwise)

    def _scalar(self, node: Apply) -> None:
        at = self.nests.earliest(node, self.needs.of(node))
        for output in node.outputs:
            self.nests.first[output] = at
            self.nests.entry[output] = None

    def _place_view(self, node: Apply) -> None:
        (output,) = node.outputs
        operand, *scalars = self.needs.of(node)
        if self.views.axis_map(node) is None:
            operand = self._acceptable_inputs(node)[0]
            for shown in (operand, *self.operands.alternatives(output)):
                self.nests.require_memory(shown)
        self.nests.first[output] = self.nests.earliest(node, [*scalars, operand])

    def _place_op(self, node: Apply) -> None:
        feeds, copies_value = feeds_of(self.nests, node, self.lent)
        if copies_value:
            self._copies[node, VALUE] = self.copy_of(node.inputs[VALUE])
        for number, item in enumerate(self._acceptable_inputs(node)):
            if number not in feeds or not self.operands.is_fed(feeds[number], item):
                self.nests.require_memory(item)
        self.nests.append_op(node, feeds)

    # -- copies ----------------------------------------------------------------------------------

    def copy_of(self, variable: Tensor) -> Tensor:
        """Return a variable of equal value with contiguous memory of its own."""
        with origin_scope(variable.origin):
            node = elemwise(scalar.identity).make_node(variable)
        node = self.views.graph.interner.apply(node, node.inputs)
        self._place(node)
        copy: Tensor = node.outputs[0]
        return copy

    def _acceptable_inputs(self, node: Apply) -> list[Tensor]:
        for number, item in enumerate(node.inputs):
            if (node, number) in self._copies or not getattr(item, "ndim", 0):
                continue
            if not node.op.lowering.accepts(node.op, number, self.operands.layout(item)):
                self._copies[node, number] = self._accepted_copy(node, number)
        return self.operands.inputs(node)

    def _accepted_copy(self, node: Apply, number: int) -> Tensor:
        """Return a copy of an input that is accepted: of transposed memory, in its order."""
        item: Tensor = node.inputs[number]
        owner = item.owner
        if owner is not None and isinstance(owner.op, DimShuffle) and item.ndim > 1:
            (inner,), order = owner.inputs, owner.op.new_order
            if inner.ndim == item.ndim and "x" not in order:
                dims = self.views.dims(inner)
                memory = Buffer("any", item.dtype, "arena", product(dims))
                layout = View.contiguous(memory, dims).permuted(order)
                if node.op.lowering.accepts(node.op, number, layout):
                    turned = self.views.graph.interner.apply(owner, [self.copy_of(inner)])
                    self._place(turned)
                    shown: Tensor = turned.outputs[0]
                    return shown
        return self.copy_of(item)

    # -- outputs ---------------------------------------------------------------------------------

    def fresh_outputs(self) -> list[Tensor]:
        """Return the values of outputs in memory, with copies of inputs and of views."""
        fresh: list[Tensor] = []
        outputs = self.views.graph.outputs
        taken = set(outputs)
        for output in outputs:
            owner = output.owner
            if owner is not None and self.views.is_view(owner) and self._is_whole(output):
                root = self.operands.root(output)
                if root not in taken:
                    taken.add(root)
                    fresh.append(root)
                    continue
            if owner is None or self.views.is_view(owner) or self._is_elsewhere(output):
                output = self.copy_of(output)
            fresh.append(output)
        for output in fresh:
            self.nests.require_memory(output)
        return fresh

    def _is_whole(self, view: Tensor) -> bool:
        """Return whether a view is a whole result in order, and available at the same time.

        Then the result may be computed in the memory of the output, without a copy.
        """
        root, nests = self.operands.root(view), self.nests
        if is_unit(root) or self._is_elsewhere(root):
            return False
        if root not in nests.number and root not in nests.by_ops:
            return False
        latest, item = self.nests.first[root] - 1, view
        while item is not root and item.owner is not None:
            node = item.owner
            if not isinstance(node.op, Reshape | DimShuffle):
                return False
            if self.nests.of_all(self.needs.besides(node)) > latest:
                return False
            item = self.operands.inputs(node)[0]
        return self.operands.layout(view).is_contiguous()

    def _is_elsewhere(self, variable: Tensor) -> bool:
        """Return whether an op has the memory of its result from the host, only during the call.

        That is so for Python ops, and for results of which an op tells how many rows they have.
        """
        owner = variable.owner
        if owner is None or variable not in self.nests.by_ops:
            return False
        op, scalars = owner.op, self.views.shapes.scalars(owner)
        return isinstance(op.lowering, Python) or variable.index in op.lowering.reserves(
            op, scalars
        )


def _is_array(node: Apply) -> bool:
    return len(node.outputs) == 1 and node.outputs[0].ndim > 0

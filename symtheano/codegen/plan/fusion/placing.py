"""The round that gives each node a group of its own, a step, a view, or nothing.

Here it is decided what steps read: which inputs of ops are copied or computed where they are put,
and what is in memory. Groups only grow in later rounds.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType

from symtheano.codegen.plan.fusion.feeds import feeds_of
from symtheano.codegen.plan.fusion.forms import Form, form_of
from symtheano.codegen.plan.fusion.groups import Group, OpGroup
from symtheano.codegen.plan.fusion.opening import group_of_point, group_of_reduction
from symtheano.codegen.plan.fusion.order import Order, take
from symtheano.codegen.plan.fusion.reads import Reads, inline_parts, reads_of
from symtheano.codegen.plan.fusion.remade import Remade
from symtheano.codegen.plan.fusion.table import Awaits, Table, numbers_of, ready_at
from symtheano.codegen.plan.needs import Needs
from symtheano.codegen.plan.operands import Operands
from symtheano.codegen.plan.steps import VALUE, is_unit
from symtheano.codegen.plan.views import Views
from symtheano.codegen.targets import Costs
from symtheano.dataclass import replace
from symtheano.graph.origin import origin_scope
from symtheano.graph.variable import Apply
from symtheano.loopir import Buffer, View
from symtheano.loopir.index import product
from symtheano.lowering import Elementwise, Python
from symtheano.scalar import table as scalar
from symtheano.tensor.elemwise import DimShuffle, elemwise
from symtheano.tensor.shapes.reshape import Reshape
from symtheano.tensor.variable import Tensor

_NOTHING: frozenset[int] = frozenset()


def place(
    order: Order,
    forms: Mapping[Apply, Form],
    views: Views,
    needs: Needs,
    lent: Collection[Tensor],
    costs: Costs,
) -> Table:
    """Return the table in which each node that is a part of a step has one of its own.

    Parameters
    ----------
    order, forms
        The nodes, and what they are.
    views
        The views in the graph.
    needs
        What nodes need.
    lent
        Inputs whose memory an output may use.
    costs
        What decides which values are computed where they are put.
    """
    placing = Placing(forms, views, needs, lent, costs)
    placing.place_all(order.nodes)
    outputs = placing.fresh_outputs()
    pinned = {item for node in order.nodes[: order.checks] for item in node.outputs}
    return placing.table(outputs, pinned)


class Placing:
    """Steps in order, as far as nodes have been placed.

    Parameters
    ----------
    forms
        What nodes are.
    views, needs, lent, costs
        See :func:`place`.

    Attributes
    ----------
    operands
        What the steps read.
    steps
        The steps.
    memory
        Results of groups that something reads from memory, or at any index.
    remade
        Which values are computed again.
    """

    def __init__(
        self,
        forms: Mapping[Apply, Form],
        views: Views,
        needs: Needs,
        lent: Collection[Tensor],
        costs: Costs,
    ) -> None:
        self.views, self.needs, self.lent, self.costs = views, needs, lent, costs
        self.shapes = views.shapes
        self._copies: dict[tuple[Apply, int], Tensor] = {}
        self.operands = Operands(views, self._copies)
        self._forms = dict(forms)
        self.steps: list[Group | OpGroup] = []
        self._awaits: list[Awaits] = []
        self.memory: set[Tensor] = set()
        self.number: dict[Tensor, int] = {}
        self.reads: dict[Apply, Reads] = {}
        self._placed: dict[Apply, None] = {}
        self._waits: dict[Tensor, frozenset[int]] = {}
        self._held: dict[int, list[Tensor]] = {}
        self._entry: dict[Tensor, None] = {}
        self.remade = Remade(views, self.number, self.memory, costs)

    def table(self, outputs: Sequence[Tensor], pinned: Collection[Tensor]) -> Table:
        """Return where everything is."""
        inline = {
            node.outputs[0] for node, form in self._forms.items() if form == "inline"
        }.difference(self.number)
        first = frozenset(k for item in pinned for k in self.waits(item))
        awaits = [
            replace(item, steps=item.steps.union(*map(self.waits, self._held.get(k, ()))) - {k})
            for k, item in enumerate(self._awaits)
        ]
        steps, waits = tuple(self.steps), MappingProxyType(self._waits)
        position = tuple(range(len(steps)))
        return Table(
            operands=Operands(self.views, MappingProxyType(dict(self._copies))),
            reads=MappingProxyType(self.reads),
            steps=steps,
            memory=frozenset(self.memory),
            inline=frozenset(inline),
            outputs=tuple(outputs),
            entry=self._entry.keys(),
            waits=waits,
            awaits=tuple(awaits),
            checks=first,
            position=position,
            number=numbers_of(steps),
            ready=ready_at(waits, position),
        )

    def place_all(self, nodes: Iterable[Apply]) -> None:
        """Place nodes, each after those it needs."""
        for node in nodes:
            self._place(node)

    def _place_with_needed(self, node: Apply) -> None:
        """Place a node that is not in the graph, after lengths that only it needs."""
        nodes = dict.fromkeys(self._placed)
        take(nodes, self.needs, node.outputs[:1])
        self.place_all(nodes)

    def _place(self, node: Apply) -> None:
        if node in self._placed:
            return
        form = self._forms.get(node)
        if form is None:
            form = self._forms[node] = form_of(node, self._forms, self.views, self.costs)
        if form == "view":
            self._place_view(node)
        elif form == "inline":
            self._wait(node, node.inputs)
        elif form == "scalar":
            for item in self.needs.of(node):
                self.require_memory(item)
            self._wait(node, self.needs.of(node))
            self._entry.update(dict.fromkeys(node.outputs))
        elif form == "op":
            self._place_op(node)
        else:
            self._open(node, form)
        self._placed[node] = None

    # -- when values are there -------------------------------------------------------------------

    def waits(self, variable: Tensor) -> frozenset[int]:
        """Return the steps that a value, which is in memory or a scalar, waits for."""
        return _NOTHING if variable.owner is None else self._waits[variable]

    def is_placed(self, node: Apply) -> bool:
        """Return whether a node comes before the one that is being placed."""
        return node in self._placed

    def _all(self, variables: Iterable[Tensor]) -> frozenset[int]:
        """Return the steps that some values wait for."""
        total = _NOTHING
        for item in variables:
            more = self.waits(item)
            if not more <= total:
                total = total | more if total else more
        return total

    def _wait(self, node: Apply, variables: Sequence[Tensor]) -> None:
        steps = self._all([*variables, *self.needs.besides(node)])
        self._waits.update(dict.fromkeys(node.outputs, steps))

    # -- what steps read -------------------------------------------------------------------------

    def is_inline(self, variable: Tensor) -> bool:
        """Return whether elements are computed wherever they are read, and not in memory yet."""
        owner = variable.owner
        if owner is None or variable in self.number:
            return False
        return self._forms[owner] == "inline"

    def inline_of(self, variable: Tensor) -> frozenset[Tensor]:
        """Return what is computed inline for a variable; what this reads is stored."""
        inline, read = inline_parts(variable, self.views.source, self.is_inline)
        for source in read:
            self.require_memory(source)
        return frozenset(inline)

    def require_memory(self, variable: Tensor) -> None:
        """Make sure that a variable's elements are stored by the group that computes them."""
        if not hasattr(variable, "ndim"):
            return
        source = self.operands.root(variable)
        if source.owner is not None and self.is_inline(source):
            self._open(source.owner, "point")
        if source in self.number:
            self.memory.add(source)

    # -- groups ----------------------------------------------------------------------------------

    def _open(self, node: Apply, form: Form) -> None:
        """Give a node a group of its own."""
        (output,) = node.outputs
        pointwise = form == "reduction" or isinstance(node.op.lowering, Elementwise)
        inline: dict[Tensor, frozenset[Tensor]] = {}
        passed: dict[Tensor, int] = {}
        steps = self._all(self.needs.besides(node))
        for item in node.inputs:
            source = self.views.source(item).variable
            if self.is_inline(source):
                inline[source] = self.inline_of(source)
            elif not pointwise:
                self.require_memory(item)
            home = self.number.get(source) if pointwise else None
            if home is None:
                steps |= self._all([source] if item is source else [item, source])
                continue
            passed[source] = home
            checked = self.needs.checked_between(item, source)
            if checked:
                steps |= self._all(checked) - {home}
        read = reads_of(node, self.views.source, self.operands.root, MappingProxyType(inline))
        self.reads[node] = read
        make = group_of_reduction if form == "reduction" else group_of_point
        number = len(self.steps)
        group = make(node, self.shapes, self.reads)
        self.steps.append(group)
        self._awaits.append(Awaits(steps, MappingProxyType(passed)))
        self._waits[output] = frozenset([number])
        if output in group.results:
            self.number[output] = number
        if output.ndim == 0 or group.members[0].role == "full":
            self._entry[output] = None

    # -- ops on whole arrays ---------------------------------------------------------------------

    def _place_view(self, node: Apply) -> None:
        (output,) = node.outputs
        operand, *scalars = self.needs.of(node)
        if self.views.axis_map(node) is None:
            operand = self._acceptable_inputs(node)[0]
            for shown in (operand, *self.operands.alternatives(output)):
                self.require_memory(shown)
        self._wait(node, [*scalars, operand])

    def _place_op(self, node: Apply) -> None:
        found = feeds_of(self, node, self.lent)
        feeds = found.nests
        if found.copies_value:
            self._copies[node, VALUE] = self.copy_of(node.inputs[VALUE])
        for number, item in enumerate(self._acceptable_inputs(node)):
            if self.operands.feed_of(node, feeds, number) is None:
                self.require_memory(item)
        self.memory.update(
            leaf for feed in feeds.values() for leaf in feed.leaves if leaf in self.number
        )
        steps = self._all([*self.needs.all_of(node), *self.operands.inputs(node)])
        overwritten = node.op.lowering.overwrites
        if overwritten is not None:
            steps |= self._readers(node.inputs[overwritten])
        self._awaits.append(Awaits(steps, MappingProxyType({})))
        self._waits.update(dict.fromkeys(node.outputs, frozenset([len(self.steps)])))
        self.steps.append(OpGroup(node, MappingProxyType(feeds)))

    def _readers(self, array: Tensor) -> frozenset[int]:
        """Return the steps so far that read an array, which an op may change in its memory."""
        waiting, steps = [array], set[int]()
        while waiting:
            for client in self.views.readers(waiting.pop()):
                if client in self._placed:
                    if self._forms[client] in ("view", "inline"):
                        waiting += client.outputs
                    for output in client.outputs:
                        steps |= self._waits[output]
        return frozenset(steps)

    # -- copies ----------------------------------------------------------------------------------

    def copy_of(self, variable: Tensor) -> Tensor:
        """Return a variable of equal value with contiguous memory of its own."""
        with origin_scope(variable.origin):
            node = elemwise(scalar.identity).make_node(variable)
        node = self.views.graph.interner.apply(node, node.inputs)
        self._place_with_needed(node)
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
                    self._place_with_needed(turned)
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
            self.require_memory(output)
        return fresh

    def _is_whole(self, view: Tensor) -> bool:
        """Return whether a view is a whole result in order, and available at the same time.

        Then the result may be computed in the memory of the output, without a copy.
        """
        root, item = self.operands.root(view), view
        if is_unit(root) or self._is_elsewhere(root) or root.owner is None:
            return False
        (step,) = self._waits[root] if self._is_stored(root) else (-1,)
        awaited: list[Tensor] = []
        while item is not root and item.owner is not None:
            node = item.owner
            if not isinstance(node.op, Reshape | DimShuffle):
                return False
            awaited += self.needs.besides(node)
            item = self.operands.inputs(node)[0]
        if step < 0 or max(self._all(awaited), default=-1) >= step:
            return False
        if not self.operands.layout(view).is_contiguous():
            return False
        self._held.setdefault(step, []).extend(awaited)
        return True

    def _is_stored(self, variable: Tensor) -> bool:
        """Return whether one step computes a variable, and may store it."""
        owner = variable.owner
        return variable in self.number or (owner is not None and self._forms[owner] == "op")

    def _is_elsewhere(self, variable: Tensor) -> bool:
        """Return whether an op has the memory of its result from the host, only during the call.

        That is so for Python ops, and for results of which an op tells how many rows they have.
        """
        owner = variable.owner
        if owner is None or self._forms[owner] != "op":
            return False
        op, scalars = owner.op, self.views.shapes.scalars(owner)
        return isinstance(op.lowering, Python) or variable.index in op.lowering.reserves(
            op, scalars
        )

"""The schedule: which nodes share a loop nest, and the order of the nests.

Nodes are taken in topological order. An elementwise node or reduction joins the nest that
computes one of its operands (or reads the same data) where index maps allow; anything else opens
a step of its own. A nest has *outer* and *inner* axes: reductions over the inner ones give a
value per outer index, which later nodes of the same nest may use (softmax is one nest);
reductions over the outer ones, or over all, are complete after the nest.

Views are resolved here: relabelled axes become index maps, and copies are made if required.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from symtheano.codegen.plan.feeds import feeds_of
from symtheano.codegen.plan.fit import (
    contiguous_axis,
    fit_point,
    is_own,
    operand_axes,
    permute,
    reduced_axes,
    role_of,
)
from symtheano.codegen.plan.merge import absorb, fit_together, may_grow
from symtheano.codegen.plan.ready import Ready
from symtheano.codegen.plan.remade import Remade
from symtheano.codegen.plan.shapes import Guard, Shapes
from symtheano.codegen.plan.steps import (
    Axes,
    Member,
    Nest,
    OpStep,
    Source,
    Step,
    is_unit,
    result_axes,
    through,
)
from symtheano.graph.intern import FunctionGraph
from symtheano.graph.op import REDUCTIONS
from symtheano.graph.origin import origin_scope
from symtheano.graph.variable import Apply, Constant, Variable
from symtheano.graph.walk import toposort
from symtheano.loopir import Index, View
from symtheano.scalar import table as scalar
from symtheano.tensor.elemwise import DimShuffle, elemwise
from symtheano.tensor.reductions.reduce import ArgReduce, CAReduce
from symtheano.tensor.shapes.shape import Reshape

# Maximum number of nests over the same lengths that are searched for one that reads the same data.
_LOOK_BACK = 4


class Schedule(Remade):
    """Steps in execution order, and the locations of all values.

    Parameters
    ----------
    graph
        The rewritten graph.
    shapes
        Its shapes and guards.
    lent
        Inputs whose memory an output may use.

    Attributes
    ----------
    steps
        The nests and ops.
    guards
        The guards that must be checked before each step; those of position 0 precede any work.
    """

    def __init__(self, graph: FunctionGraph, shapes: Shapes, lent: Collection[Any] = ()) -> None:
        super().__init__(graph, shapes)
        self.lent = lent
        self.steps: list[Step] = []
        self.ready = Ready(self, self._place_late)
        self.entry: dict[Variable, None] = {}  # in order, so that the text is deterministic
        self._position: dict[Nest, int] = {}
        self._by_space: dict[tuple[Index, ...], list[Nest]] = {}
        for guard in shapes.guards:
            if self._only_reads_inputs(guard.condition):
                self.ready.at(guard.condition)
        for node in graph.nodes:
            if self.is_shown(node):
                self._place(node)
        self.outputs = self._fresh_outputs()
        for output in self.outputs:
            self.require_memory(output)
        self._drop_unused()
        self.guards = self._place_guards()

    def _drop_unused(self) -> None:
        """Remove members and stores that are not used, because they were recomputed elsewhere."""
        wanted: set[Any] = set()
        for output in self.outputs:
            wanted.update(self.roots(output))
        for scalar_ in self.entry:
            for item in self.ready.needs(scalar_.owner):
                wanted.update(self.roots(item))
        for step in reversed(self.steps):
            if isinstance(step, OpStep):
                wanted.update(self.read_by_op(step))
                continue
            step.stores = [item for item in step.stores if item in wanted]
            self._drop_members(step, wanted)

    def _drop_members(self, nest: Nest, wanted: set[Any]) -> None:
        inside: set[Any] = set(nest.stores)
        kept = []
        for member in reversed(nest.members):
            (output,) = member.node.outputs
            if output not in inside and output not in self.entry:
                continue
            kept.append(member)
            for item in member.node.inputs:
                inside.add(self.source(item).variable)
                wanted.update(self.roots(item, nest.inline))
        nest.members = kept[::-1]

    def _only_reads_inputs(self, condition: Any) -> bool:
        """Return whether a guard can be checked before any work is done."""
        return all(
            node.op.form in ("elemwise", "reduction", "length") or self.is_view(node)
            for node in toposort([condition])
        )

    def _fresh_outputs(self) -> list[Any]:
        """Return the values of outputs, with copies of inputs and of views."""
        fresh: list[Any] = []
        taken = set(self.graph.outputs)
        for output in self.graph.outputs:
            owner = output.owner
            if owner is not None and self.is_view(owner) and self._is_whole(output):
                root = self.root(output)
                if root not in taken:
                    taken.add(root)
                    fresh.append(root)
                    continue
            if owner is None or self.is_view(owner) or self._belongs_to_host(output):
                output = self.copy_of(output)
            fresh.append(output)
        return fresh

    def _is_whole(self, view: Any) -> bool:
        """Return whether a view is a whole result in order, and available at the same time.

        Then the result may be computed in the memory of the output, without a copy.
        """
        root = self.root(view)
        if is_unit(root) or self._belongs_to_host(root):
            return False
        if root not in self.home and root not in self.op_results:
            return False
        made, item = self.ready.first[root] - 1, view
        while item is not root:
            node = item.owner
            if not isinstance(node.op, Reshape | DimShuffle):
                return False
            needed = [*self.ready.checked_for(node), *self.ready.lengths_of(node)]
            if any(self.ready.at(variable) > made for variable in needed):
                return False
            item = self.inputs(node)[0]
        return self.layout(view).is_contiguous()

    def _belongs_to_host(self, variable: Any) -> bool:
        """Return whether a Python op computes a variable, in memory valid only during the call."""
        return variable in self.op_results and variable.owner.op.form == "python"

    def copy_of(self, variable: Any) -> Any:
        """Return a variable of equal value with contiguous memory of its own."""
        with origin_scope(variable.origin):
            node = elemwise(scalar.identity).make_node(variable)
        node = self.graph.interner.apply(node, node.inputs)
        self.shapes.share_dims(node.outputs[0], variable)
        self._place(node)
        return node.outputs[0]

    def _acceptable_inputs(self, node: Apply) -> list[Any]:
        for number, item in enumerate(node.inputs):
            if (node, number) in self.copies or not getattr(item, "ndim", 0):
                continue
            if not self._accepts(node, number, self.layout(item)):
                self.copies[node, number] = self.copy_of(item)
        return self.inputs(node)

    def _accepts(self, node: Apply, number: int, layout: View) -> bool:
        """Return whether a node supports an input's layout; Python needs contiguous arrays."""
        if node.op.form == "python" and not self.is_view(node) and not layout.is_contiguous():
            return False
        return node.op.accepts(number, layout)

    def _place_late(self, node: Apply) -> None:
        numbers = all(getattr(item, "ndim", 1) == 0 for item in (*node.inputs, *node.outputs))
        if node.op.form == "length" or (numbers and node.op.form == "elemwise"):
            self._scalar(node, self.ready.earliest(node, self.ready.needs(node)))
        else:
            self._place(node)

    # -- placing nodes ---------------------------------------------------------------------------

    def _place(self, node: Apply) -> None:
        if node.outputs[0] in self.ready.first:
            return
        self.ready.earliest(node, self.ready.needs(node))
        if self.is_view(node):
            self._place_view(node)
        elif self.is_inline(node.outputs[0]):
            self.ready.first[node.outputs[0]] = self.ready.earliest(node, node.inputs)
        elif self._is_entry_scalar(node):
            for item in self.ready.needs(node):
                self.require_memory(item)
            self._scalar(node, self.ready.earliest(node, self.ready.needs(node)))
        elif node.op.form in REDUCTIONS:
            self._place_reduction(node)
        elif (node.op.form == "elemwise" or node.op.form == "element") and self._is_array(node):
            self._place_point(node)
        else:
            self._place_op(node)

    def _is_array(self, node: Apply) -> bool:
        return len(node.outputs) == 1 and node.outputs[0].ndim > 0

    def _is_entry_scalar(self, node: Apply) -> bool:
        """Return whether a node is computed by straight-line code of the entry point."""
        if node.op.form == "length":
            return True
        units = len(node.outputs) == 1 and is_unit(node.outputs[0])
        if node.op.form == "element":
            return units and all(item.ndim == 0 or item.owner is None for item in node.inputs[1:])
        return units and node.op.form == "elemwise"

    def _scalar(self, node: Apply, at: int) -> None:
        for output in node.outputs:
            self.ready.first[output] = at
            self.entry[output] = None

    def _place_view(self, node: Apply) -> None:
        (output,) = node.outputs
        operand, *scalars = self.ready.needs(node)
        if self._axis_map(node) is None:
            operand = self._acceptable_inputs(node)[0]
            for shown in (operand, *self.alternatives(output)):
                self.require_memory(shown)
        at = self.ready.earliest(node, [*scalars, operand])
        self.ready.first[output] = at

    def _place_op(self, node: Apply) -> None:
        feeds = feeds_of(self, node)
        for number, item in enumerate(self._acceptable_inputs(node)):
            if number not in feeds or not self.is_fed(feeds[number], item):
                self.require_memory(item)
        self.steps.append(OpStep(node, feeds))
        for output in node.outputs:
            self.ready.first[output] = len(self.steps)
            self.op_results.add(output)

    def require_memory(self, variable: Any) -> None:
        """Make sure that a variable's elements are stored by the nest that computes them."""
        if not hasattr(variable, "ndim"):
            return
        source = self.root(variable)
        if self.is_inline(source):
            self._open_for_point(source.owner)
        if source in self.home:
            nest = self.home[source]
            if source not in nest.stores:
                nest.stores.append(source)

    # -- points ----------------------------------------------------------------------------------

    def _place_point(self, node: Apply) -> None:
        operands = self._point_operands(node)
        self._merge_homes(operands)
        for candidate in self._candidates(node, operands):
            axes = self._fit_point(candidate, node, operands)
            if axes is not None:
                self._add_point(candidate, node, axes)
                return
        self._open_for_point(node)

    def _fit_point(self, nest: Nest, node: Apply, operands: Sequence[Source]) -> Axes | None:
        """Return the axes of a node's result in a nest; None if the nest does not compute it.

        An operand that the nest computes again, and that the node reads at another index, is loaded
        by both.
        """
        dims, before = self.dims(node.outputs[0]), nest.results
        axes = fit_point(nest, node, operands, dims)
        again = {o.variable for o in operands if self._may_be_loaded(o.variable, nest)}
        if axes is None and again:
            nest.results = {item: place for item, place in before.items() if item not in again}
            axes = fit_point(nest, node, operands, dims)
        if axes is None or not self._may_join(nest, node, operands):
            nest.results = before
            return None
        if nest.results is not before:
            nest.members = [m for m in nest.members if m.node.outputs[0] not in again]
            for member in nest.members:
                self._note_reads(nest, member)
        return axes

    def _may_be_loaded(self, variable: Any, nest: Nest) -> bool:
        """Return whether a nest computes again what is there before it runs."""
        is_again = variable in nest.results and self.home.get(variable, nest) is not nest
        return is_again and self.ready.at(variable) <= self._position[nest]

    def _point_operands(self, node: Apply) -> list[Source]:
        """Return what an elementwise node reads at its own index; other nodes read anywhere."""
        return [self.source(item) for item in node.inputs] if node.op.form == "elemwise" else []

    def _open_for_point(self, node: Apply) -> None:
        (output,) = node.outputs
        dims = self.shapes.dims(output)
        wide = [a for a, known in enumerate(output.type.shape) if known != 1]
        axes = tuple(wide.index(a) if a in wide else None for a in range(output.ndim))
        again = self.compute_again(axes, self._point_operands(node))
        nest = self._open([dims[a] for a in wide])
        for member in again:
            self.add_member(nest, member)
        self._add_point(nest, node, axes)

    def _add_point(self, nest: Nest, node: Apply, axes: Axes) -> None:
        (output,) = node.outputs
        if any(o.variable not in nest.results for o in self._point_operands(node)):
            for member in self.compute_again(axes, self._point_operands(node), nest):
                self.add_member(nest, member)
        self.add_member(nest, Member(node, axes, "point"))
        self.home[output] = nest
        self.ready.first[output] = self._position[nest] + 1

    def add_member(self, nest: Nest, member: Member) -> None:
        """Add a member to a nest, and note what it reads."""
        (output,) = member.node.outputs
        nest.members.append(member)
        self._note_reads(nest, member)
        if member.role == "point":
            nest.results[output] = member.axes
        before = [nest.depths.get(self.source(item).variable, 0) for item in member.node.inputs]
        depth = nest.depths[output] = 1 + max(before, default=0)
        nest.depth = max(nest.depth, depth)

    def _note_reads(self, nest: Nest, member: Member) -> None:
        """Make sure that what a member reads is in memory, unless its nest computes it."""
        pointwise = member.role != "point" or member.node.op.form == "elemwise"
        for item in member.node.inputs:
            shown = self.source(item)
            source = shown.variable
            if pointwise and source in nest.results:
                continue
            if self.is_inline(source):
                self.add_inline(nest, source)
            else:
                self.require_memory(item)
            if source.ndim and not isinstance(source, Constant):
                nest.leaves.setdefault(source, through(shown, member.axes) if pointwise else ())
                nest.leaves.setdefault(self.root(source), ())

    def add_inline(self, nest: Nest, variable: Any) -> None:
        """Let a nest compute a variable's elements inline."""
        stack = [variable]
        while stack:
            item = stack.pop()
            nest.inline.add(item)
            for part in item.owner.inputs:
                source = self.source(part).variable
                if self.is_inline(source):
                    stack.append(source)
                else:
                    self.require_memory(source)

    def _candidates(self, node: Apply, operands: Sequence[Source]) -> list[Nest]:
        """Return the nests a node may join: those of its operands, then readers of its data."""
        found: list[Nest] = []
        for operand in operands:
            nest = self.home.get(operand.variable)
            if nest is not None and nest not in found:
                found.append(nest)
        found.sort(key=lambda nest: -self._position[nest])
        reduction = node.op.form in REDUCTIONS
        spread = node.inputs[0] if reduction else node.outputs[0]
        dims, known = self.shapes.dims(spread), spread.type.shape
        space = _lengths(dim for dim, length in zip(dims, known, strict=True) if length != 1)
        leaves = {operand.variable for operand in operands}
        leaves.update([self.root(leaf) for leaf in leaves])
        latest = self._by_space.get(space, [])[-_LOOK_BACK:]
        for nest in latest if reduction else latest[::-1]:  # what is reduced early is used early
            shared = any(leaf in nest.leaves or leaf in nest.results for leaf in leaves)
            if shared and nest not in found:
                found.append(nest)
        for nest in self._homes_of_partners(node):
            if nest not in found and _lengths(nest.space) == space:
                found.append(nest)
        return found

    def _homes_of_partners(self, node: Apply) -> Iterator[Nest]:
        """Yield the nests of what a node's results will be combined with."""
        for output in node.outputs:
            for client, _ in self.clients.get(output, ())[:_LOOK_BACK]:
                if isinstance(client, Apply) and client.op.form == "elemwise":
                    for item in client.inputs:
                        home = self.home.get(self.source(item).variable)
                        if home is not None:
                            yield home

    def _may_join(self, nest: Nest, node: Apply, operands: Sequence[Source]) -> bool:
        """Return whether a node may be added: what it needs is there before a nest runs."""
        inside = {o.variable for o in operands if o.variable in nest.results}
        sources = {self.source(item).variable for item in node.inputs}
        arrays = [item for item in sources - inside if not is_unit(item)]
        readers = [client for client, _ in self.clients.get(node.outputs[0], ())[:_LOOK_BACK]]
        if not may_grow(nest, 1, arrays, any(map(_divides_axes, (node, *readers)))):
            return False
        position = self._position[nest]
        awaited = [*self.ready.checked_for(node), *self.ready.lengths_of(node)]
        for item in node.inputs:
            source = self.source(item).variable
            if source in inside:
                awaited += self.ready.checked_between(item, source)
            else:
                awaited += [source, item]
        return all(self.ready.at(item) <= position for item in awaited)

    def _merge_homes(self, operands: Sequence[Source]) -> None:
        """Merge the nests that compute operands, if the later ones could run earlier."""
        homes = {self.home[o.variable]: None for o in operands if o.variable in self.home}
        if len(homes) < 2:
            return
        first, *later = sorted(homes, key=lambda nest: self._position[nest])
        for nest in later:
            if fit_together(first, nest) and self._may_run_in(first, nest):
                absorb(first, nest)
                self._by_space[_lengths(nest.space)].remove(nest)
                ready = self._position[first] + 1
                for member in first.members:
                    (output,) = member.node.outputs
                    self.ready.first[output] = min(self.ready.first.get(output, ready), ready)
                    if self.home.get(output) is nest:
                        self.home[output] = first

    def _may_run_in(self, first: Nest, nest: Nest) -> bool:
        """Return whether everything that a nest needs from outside is there before another runs."""
        position = self._position[first]
        own = {member.node.outputs[0] for member in nest.members}
        for member in nest.members:
            awaited = [*self.ready.checked_for(member.node), *self.ready.lengths_of(member.node)]
            pointwise = member.role != "point" or member.node.op.form == "elemwise"
            for item in member.node.inputs:
                source = self.source(item).variable
                if pointwise and source in own:
                    awaited += self.ready.checked_between(item, source)
                else:
                    awaited += [source, item]
            if any(self.ready.at(item) > position for item in awaited):
                return False
        return True

    def _open(self, space: list[Index]) -> Nest:
        nest = Nest(space)
        self._position[nest] = len(self.steps)
        self.steps.append(nest)
        self._by_space.setdefault(_lengths(space), []).append(nest)
        return nest

    # -- reductions ------------------------------------------------------------------------------

    def _place_reduction(self, node: Apply) -> None:
        operand = self.source(node.inputs[0])
        for nest in self._candidates(node, [operand]):
            axes = operand_axes(nest, node, operand, self.dims(node.inputs[0]))
            if axes is None or not self._may_join(nest, node, [operand]):
                continue
            role = role_of(nest, node, axes)
            if role is None and self._is_free(nest) and None not in axes:
                new = permute(nest, reduced_axes(node, axes))
                axes = tuple(new[axis] for axis in axes)
                role = role_of(nest, node, axes)
            if role is not None:
                self._add_reduction(nest, Member(node, axes, role))
                return
        nest, axes = self._open_for_reduction(node, operand)
        role = role_of(nest, node, axes)
        assert role is not None
        self._add_reduction(nest, Member(node, axes, role))

    def _is_free(self, nest: Nest) -> bool:
        """Return whether the order of a nest's axes does not matter yet."""
        return nest.split is None and all(member.role == "point" for member in nest.members)

    def _open_for_reduction(self, node: Apply, operand: Source) -> tuple[Nest, Axes]:
        """Open a nest over a reduction's operand.

        The innermost axis is the one along which the operand is contiguous. If it is kept, rows of
        accumulators run along it; otherwise the reduced axes are innermost.
        """
        op, x = node.op, node.inputs[0]
        dims, known = self.shapes.dims(x), x.type.shape
        reduced = set(op.axis) if isinstance(op, CAReduce) else {op.axis}  # type: ignore[attr-defined]
        wide = [a for a in range(x.ndim) if known[a] != 1]
        if isinstance(op, ArgReduce) and not reduced <= set(wide):
            wide.append(op.axis)
        kept = [a for a in wide if a not in reduced]
        gone = [a for a in wide if a in reduced]
        last = contiguous_axis(operand, wide)
        if isinstance(op, ArgReduce) or last not in kept:
            order = [*kept, *gone]
        elif wide[: len(gone)] == gone and last == wide[-1]:
            order = wide
        else:
            order = [*(a for a in kept if a != last), *gone, last]
        if not order:
            order = [op.axis[0]] if isinstance(op, CAReduce) else [op.axis]  # type: ignore[attr-defined]
        axes = tuple(order.index(a) if a in order else None for a in range(x.ndim))
        again = self.compute_again(axes, [operand])
        nest = self._open([dims[a] for a in order])
        for member in again:
            self.add_member(nest, member)
        return nest, axes

    def _add_reduction(self, nest: Nest, member: Member) -> None:
        (output,) = member.node.outputs
        self.add_member(nest, member)
        self.ready.first[output] = self._position[nest] + 1
        if member.role == "full":
            self.entry[output] = None
            return
        kept = result_axes(member)
        if member.role == "column" and not (nest.split and is_own(nest, kept)):
            nest.stores.append(output)
            return
        nest.results[output] = kept
        self.home[output] = nest
        if output.ndim == 0:
            self.entry[output] = None

    # -- guards ----------------------------------------------------------------------------------

    def _place_guards(self) -> dict[int, list[Guard]]:
        placed: dict[int, list[Guard]] = {}
        for guard in self.shapes.guards:
            at = max(self.ready.at(item) for item in guard.needed)
            placed.setdefault(at, []).append(guard)
        return placed


def _divides_axes(node: Apply | str) -> bool:
    """Return whether a node reduces some axes and keeps others."""
    reduces = isinstance(node, Apply) and node.op.form in REDUCTIONS
    return reduces and not is_unit(node.outputs[0])  # type: ignore[union-attr]


def _lengths(space: Iterable[Index]) -> tuple[Index, ...]:
    """Return lengths of axes in an order that does not depend on that of the axes."""
    return tuple(sorted(space, key=str))

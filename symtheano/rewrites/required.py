"""What the nodes of a graph require of lengths, and rewriting has removed.

A rule may drop an operand, or compute only a part of a result: ``v + zeros_like(w)`` is ``v``. The
lengths of the operands must agree nevertheless, because a function requires what the graph of the
user requires. Requirements on elements of arrays, such as on indices, are those of what is
computed, and may be dropped with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from symtheano.graph.intern import FunctionGraph
from symtheano.graph.interner import Interner
from symtheano.graph.op import Op, Requirement
from symtheano.graph.origin import origin_scope
from symtheano.graph.variable import Apply, Constant, Dim, Variable
from symtheano.graph.walk import toposort
from symtheano.rewrites.lengths import Lengths
from symtheano.rewrites.shape import item_of_makevector
from symtheano.tensor.assertion import Assert
from symtheano.tensor.basic import constant
from symtheano.tensor.elemwise import Elemwise
from symtheano.tensor.shapes.shape import MakeVector, Shape_i
from symtheano.tensor.variable import Tensor

Required = tuple[Apply, Requirement]


class Followed:
    """The nodes of a graph that may require something, and where rewriting has left them.

    A node whose inputs were replaced by their normal forms requires the same as before. If a rule
    was applied to it, what it required may be lost.

    Parameters
    ----------
    graph
        The graph before rewriting.
    """

    def __init__(self, graph: FunctionGraph) -> None:
        self._graph = graph
        self._now = {node: node for node in graph.nodes if _may_require(node)}

    def follow(self, normal: Mapping[Variable, Variable]) -> None:
        """Note the normal forms that a phase has found of all outputs of nodes."""
        for node, now in list(self._now.items()):
            new = normal.get(now.outputs[0])
            owner = None if new is None else new.owner
            if owner is now:
                continue
            if owner is not None and owner.op == now.op and len(owner.inputs) == len(now.inputs):
                pairs = zip(now.inputs, owner.inputs, strict=True)
                if all(normal.get(old, old) is item for old, item in pairs):
                    self._now[node] = owner
                    continue
            del self._now[node]

    def lost(self, final: FunctionGraph) -> list[Required]:
        """Return what nodes require of lengths that are not in the graph after rewriting.

        No equality is returned that follows from what nodes before require.
        """
        kept = set(final.nodes)
        lost = [node for node in self._graph.nodes
                if _may_require(node) and self._now.get(node) not in kept]  # fmt: skip
        return list(_Collection(self._graph.interner).of(lost)) if lost else []


def _may_require(node: Apply) -> bool:
    op = node.op
    if isinstance(op, Elemwise):
        return len(node.inputs) > 1 and node.outputs[0].ndim > 0
    return type(op).requirements is not Op.requirements


class _Joined:
    """Sets of lengths that are required to be equal."""

    def __init__(self) -> None:
        self._parent: dict[Dim, Dim] = {}

    def root(self, length: Dim) -> Dim:
        """Return the representative of a length."""
        parent = self._parent
        while length in parent:
            length = parent[length]
        return length

    def same(self, left: Dim, right: Dim) -> bool:
        """Return whether two lengths are in one set."""
        return left is right or bool(self.root(left) == self.root(right))

    def join(self, left: Dim, right: Dim) -> None:
        """Put two lengths into one set, whose representative is a number if it has one."""
        left, right = self.root(left), self.root(right)
        if isinstance(right, int):
            left, right = right, left
        if left != right and not isinstance(right, int):
            self._parent[right] = left


class _Collection:
    """Collects what nodes require, in their order.

    Parameters
    ----------
    interner
        The owner of the nodes.
    """

    def __init__(self, interner: Interner) -> None:
        self._interner = interner
        self._lengths = Lengths(interner)
        self._joined = _Joined()
        self._conditions: set[Variable] = set()
        self._plain: dict[Variable, Variable] = {}

    def of(self, nodes: Sequence[Apply]) -> Iterator[Required]:
        """Yield the requirements of nodes on lengths.

        What was asserted of their operands comes first, also if rewriting has not removed it: an
        index into an array that is asserted not to be empty relies on that.
        """
        asked = set(nodes)
        for written in toposort([node.outputs[0] for node in nodes]):
            node = self._resolved(written)
            if _may_require(node):
                for required in self._of_node(node):
                    if written in asked or isinstance(written.op, Assert):
                        yield required
            self._lengths.infer(written, node)

    def _of_node(self, node: Apply) -> Iterator[Required]:
        """Yield what does not follow from the equalities of nodes before, and note those of it."""
        shapes = [self._lengths.of(item) for item in node.inputs]
        if isinstance(node.op, Elemwise) and self._agree(node, shapes):
            return
        if not all(hasattr(item, "ndim") for item in (*node.inputs, *node.outputs)):
            return
        with origin_scope(node.origin):
            required = node.op.requirements(node, shapes)
        for requirement in required:
            if self._is_new(requirement, shapes):
                yield node, self._interned(requirement)

    def _resolved(self, node: Apply) -> Apply:
        """Return a node with the lengths of results in the place of ``Shape_i`` of them.

        What is computed from lengths then depends on no array whose lengths can be inferred.
        """
        plain = self._plain
        if isinstance(node.op, Shape_i):
            (length,) = node.outputs
            dim = self._lengths.of(node.inputs[0])[node.op.axis]
            if dim is not length:
                dim = constant(dim, dtype="int64") if isinstance(dim, int) else dim
                plain[length] = self._interner.variable(dim)
            return node
        resolved = node
        if not plain.keys().isdisjoint(node.inputs):
            resolved = self._interner.apply(node, [plain.get(item, item) for item in node.inputs])
            if isinstance(node.op, MakeVector) or node.outputs[0].ndim == 0:
                plain.update(zip(node.outputs, resolved.outputs, strict=True))
        item = item_of_makevector(resolved)  # as in x.shape[0]
        if item is not None:
            plain[node.outputs[0]] = item
        return resolved

    def _agree(self, node: Apply, shapes: Sequence[tuple[Dim, ...]]) -> bool:
        """Return whether the operands of an elementwise op are known to have one shape."""
        first = shapes[0]
        if all(shape is first or shape == first for shape in shapes):
            return True
        same = self._joined.same
        for axis in range(len(first)):
            spread = [shape[axis] for item, shape in zip(node.inputs, shapes, strict=True)
                      if item.type.shape[axis] != 1]  # fmt: skip
            if not all(same(spread[0], other) for other in spread[1:]):
                return False
        return True

    def _is_new(self, requirement: Requirement, shapes: Sequence[tuple[Dim, ...]]) -> bool:
        """Return whether a requirement is about lengths, and does not follow from others."""
        condition = requirement.condition
        if isinstance(condition, bool | Constant):
            return not (condition if isinstance(condition, bool) else condition.data)
        if requirement.equal is not None:
            left, right = (self._lengths.interned(item) for item in requirement.equal)
            if self._joined.same(left, right):
                return False
            self._joined.join(left, right)
            return True
        if requirement.code != "shape" and not _is_of_lengths(cast("Tensor", condition), shapes):
            return False
        (condition,) = self._interner.intern([condition])
        is_repeated = condition in self._conditions
        self._conditions.add(condition)
        return not is_repeated

    def _interned(self, requirement: Requirement) -> Requirement:
        variables = requirement.variables
        interned = self._interner.intern(variables)
        return requirement.replaced(dict(zip(variables, interned, strict=True)))


def _is_of_lengths(condition: Tensor, shapes: Sequence[tuple[Dim, ...]]) -> bool:
    """Return whether a condition is computed from lengths and 0-d inputs alone."""
    seen: set[Dim] = {dim for shape in shapes for dim in shape}
    stack: list[Tensor] = [condition]
    while stack:
        item = stack.pop()
        if item in seen or item.owner is None or isinstance(item.owner.op, Shape_i):
            continue
        if item.ndim or not isinstance(item.owner.op, Elemwise):
            return False
        seen.add(item)
        stack.extend(item.owner.inputs)
    return True

"""The order of operations on all ranks in a function: numbers, and tokens between neighbours."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from symtheano.dataclass import replace as change
from symtheano.distributed.agreed import SameNumber
from symtheano.distributed.collective import Collective, WorldNumber
from symtheano.errors import format_error
from symtheano.function.request import Request
from symtheano.graph.arms import has_arms, needed
from symtheano.graph.digest import digest
from symtheano.graph.op import Op
from symtheano.graph.origin import origin_scope
from symtheano.graph.variable import Apply, Variable
from symtheano.graph.walk import toposort
from symtheano.loops.scan_op import Scan
from symtheano.op_from_graph import OpFromGraph
from symtheano.tensor.basic import constant
from symtheano.tensor.type import TensorType


def in_order(request: Request) -> Request:
    """Return a request in which each operation on all ranks takes the token of the one before.

    The order is that of a traversal from the outputs and updates, so it is the same on all ranks if
    their programs are. A loop passes the token from iteration to iteration, and all ranks run as
    many of them.

    Raises
    ------
    NotImplementedError
        If a loop with a condition, a branch or a function within the graph has such an operation.
    """
    nodes = toposort(request.all_outputs, request.inputs)
    finder = _Finder()
    ours = [node for node in nodes if finder.has(node)]
    operations: list[Any] = list(finder.inside(ours))
    if all(node.op.number >= 0 for node in operations):
        return request
    if has_arms(nodes):
        always = needed(request.all_outputs, request.inputs)
        for node in ours:
            if always.isdisjoint(node.outputs):
                first = next(iter(finder.inside([node])))
                raise _refused(first, "one of two arms of a condition", None)
    text = repr([_description(node.op, node) for node in operations])
    chain = _Chain(finder, int(digest(text.encode())[:12], 16))
    expressions, _ = chain.through(request.all_outputs, nodes, constant(0, dtype="int64"))
    count = len(request.outputs)
    news = zip(request.updates, expressions[count:], strict=True)
    updates = [(target, new) for (target, _), new in news]
    return change(request, outputs=expressions[:count], updates=updates)


class _Finder:
    """Finds operations on all ranks, also in loops."""

    def __init__(self) -> None:
        self._known: dict[Op, bool] = {}

    def has(self, node: Apply) -> bool:
        """Return whether a node is such an operation, or a loop that has one.

        Raises
        ------
        NotImplementedError
            If another kind of graph inside of the node has one.
        """
        op = node.op
        if isinstance(op, Collective):
            return True
        if op not in self._known:
            self._known[op] = False  # it may be within itself, which is refused later
            self._known[op] = self._loops(node)
        return self._known[op]

    def _loops(self, node: Apply) -> bool:
        op = node.op
        inner = [graph.outputs for graph in (op.region, *op.branches) if graph is not None]
        if isinstance(op, OpFromGraph):
            inner.append(op.outputs)
        for outputs in inner:
            for item in toposort(outputs):
                is_number = isinstance(item.op, WorldNumber)
                if not (is_number or self.has(item)):
                    continue
                if not isinstance(op, Scan):
                    raise _refused(item, str(op), node)
                if op.layout.until and not is_number:
                    raise _refused(item, "a loop that a condition ends", node)
                if not is_number:
                    return True
        return False

    def inside(self, nodes: Iterable[Apply]) -> Iterable[Apply]:
        """Yield the operations among nodes and in their loops, in order."""
        for node in nodes:
            if isinstance(node.op, Collective):
                yield node
            else:
                yield from self.inside(item for item in node.op.region.nodes if self.has(item))


class _Chain:
    """Makes expressions in which each operation takes the token of the one before.

    Parameters
    ----------
    finder
        What knows the operations.
    digest
        The number that describes all of them.
    """

    def __init__(self, finder: _Finder, digest: int) -> None:
        self._finder, self._digest, self._number = finder, digest, 0

    def through(
        self, outputs: Sequence[Variable], nodes: Iterable[Apply], token: Any
    ) -> tuple[list[Any], Any]:
        """Return expressions for outputs, and the last token, given the first one."""
        memo: dict[Variable, Any] = {}
        for node in nodes:
            inputs = [memo.get(item, item) for item in node.inputs]
            if self._finder.has(node):
                with origin_scope(node.origin):
                    if isinstance(node.op, Collective):
                        results, token = self._numbered(node.op, node, inputs, token)
                    else:
                        results, token = self._loop(node, inputs, token)
            elif any(item is not old for item, old in zip(inputs, node.inputs, strict=True)):
                results = node.clone_with_new_inputs(inputs).outputs
            else:
                continue
            memo.update(zip(node.outputs, results, strict=True))
        return [memo.get(item, item) for item in outputs], token

    def _numbered(self, op: Collective, node: Apply, inputs: Sequence[Any], token: Any) -> Any:
        numbered = op.numbered(self._number, self._digest, op.has_fixed_length(node))
        self._number += 1
        new = numbered.make_node(*op.chained(inputs, token))
        return new.outputs, new.outputs[-1]

    def _loop(self, node: Apply, inputs: Sequence[Any], token: Any) -> Any:
        """Return the results of a loop with one more state, the token, and its last value.

        The comparison of the number of iterations comes before it by its token. The loop takes the
        number itself, on which lengths depend.
        """
        op: Any = node.op
        layout, inner = op.layout, list(op.region.inputs)
        same = SameNumber()
        _, token = self._numbered(same, same.make_node(inputs[0]), inputs[:1], token)
        passed = TensorType("int64", ())("token")
        results, last = self.through(op.region.outputs, op.region.nodes, passed)
        before, first = layout.states_before, layout.initial_states.stop
        loop = Scan(
            *(inner[0], [*results, last], inner[layout.rows], layout.tapped(inner)),
            *([*inner[before], passed], inner[before.stop :]),
            truncate=op.truncate,
            name=op.name,
            required=op.region.required,
            stores=op.stores,
        )
        outputs = loop.make_node(*inputs[:first], token, *inputs[first:]).outputs
        return outputs[:-1], outputs[-1]


def _description(op: Any, node: Apply) -> tuple[str, ...]:
    values = [f"{name}={getattr(op, name)}" for name in op.__props__ if name not in _OWN]
    kinds = [f"{item.dtype} {item.ndim}" for item in node.inputs]
    fixed = str(op.has_fixed_length(node))
    return (type(op).__name__, *values, *kinds, fixed)


_OWN = ("number", "digest", "fixed")


def _refused(node: Apply, where: str, outer: Apply | None) -> NotImplementedError:
    name = getattr(node.op, "called", "rank or size")
    return NotImplementedError(
        format_error(
            f"{name}: operations on all ranks can't be inside of {where}, since ranks could run "
            "them in different numbers",
            places=[node.origin, None if outer is None else outer.origin],
            hint="apply them before or after it, or write the loop in Python",
        )
    )

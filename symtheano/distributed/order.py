"""The order of operations on all ranks in a function: numbers, and tokens between neighbours."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from symtheano.dataclass import replace as change
from symtheano.distributed.agreed import SameCondition, SameNumber
from symtheano.distributed.collective import Collective, WorldNumber
from symtheano.errors import format_error
from symtheano.function.request import Request
from symtheano.graph.arms import arms_of, has_arms, needed
from symtheano.graph.digest import digest
from symtheano.graph.op import Op
from symtheano.graph.origin import origin_scope
from symtheano.graph.variable import Apply, Variable
from symtheano.graph.walk import toposort
from symtheano.ifelse import IfElse
from symtheano.loops.scan_op import Scan
from symtheano.op_from_graph import OpFromGraph
from symtheano.scalar import table as scalar
from symtheano.tensor.basic import cast, constant
from symtheano.tensor.type import TensorType


def in_order(request: Request) -> Request:
    """Return a request in which each operation on all ranks takes the token of the one before.

    The order is that of a traversal from the outputs and updates, so it is the same on all ranks if
    their programs are. A loop passes the token from iteration to iteration, and all ranks run as
    many of them. A branch passes it through the arm that runs, which is the same on all ranks. The
    graph of an :class:`~symtheano.OpFromGraph` with operations takes the place of the op.

    Raises
    ------
    NotImplementedError
        If another kind of graph within the graph has such an operation.
    """
    nodes = toposort(request.all_outputs, request.inputs)
    finder = _Finder()
    always = needed(request.all_outputs, request.inputs) if has_arms(nodes) else None
    operations: list[Any] = list(finder.described(nodes, always))
    if all(node.op.number >= 0 for node, _ in operations):
        return request
    text = repr([_description(node, certain) for node, certain in operations])
    chain = _Chain(finder, int(digest(text.encode())[:12], 16))
    expressions, _ = chain.through(request.all_outputs, {}, constant(0, dtype="int64"))
    count = len(request.outputs)
    news = zip(request.updates, expressions[count:], strict=True)
    updates = [(target, new) for (target, _), new in news]
    return change(request, outputs=expressions[:count], updates=updates)


class _Finder:
    """Finds operations on all ranks, also in loops and in ops that have graphs."""

    def __init__(self) -> None:
        self._known: dict[Op, bool] = {}

    def has(self, node: Apply) -> bool:
        """Return whether a node is such an operation, or has one in its graph.

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
            self._known[op] = self._is_within(node)
        return self._known[op]

    def _is_within(self, node: Apply) -> bool:
        op: Any = node.op
        if isinstance(op, Scan | OpFromGraph):
            return any(self.has(item) for item in toposort(_results(op)))
        for graph in (op.region, *op.branches):
            for item in () if graph is None else graph.nodes:
                if isinstance(item.op, WorldNumber) or self.has(item):
                    raise _refused(item, str(op), node)
        return False

    def described(
        self, nodes: Iterable[Apply], always: set[Variable] | None
    ) -> Iterable[tuple[Apply, bool]]:
        """Yield the operations among nodes and in their graphs, and whether each call has them.

        ``always`` are the variables that each call needs, if this is not so for all.
        """
        for node in nodes:
            certain = always is None or not always.isdisjoint(node.outputs)
            if isinstance(node.op, Collective):
                yield node, certain
            elif self.has(node):
                for inner, _ in self.described(toposort(_results(node.op)), None):
                    yield inner, False


def _results(op: Any) -> Sequence[Variable]:
    outputs: Sequence[Variable] = op.outputs if isinstance(op, OpFromGraph) else op.region.outputs
    return outputs


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
        self, outputs: Sequence[Variable], replacements: Mapping[Variable, Any], token: Any
    ) -> tuple[list[Any], Any]:
        """Return expressions for outputs, and the last token, given the first one.

        What has a replacement is not looked into.
        """
        memo = dict(replacements)
        nodes = toposort(outputs, memo)
        always = needed(outputs, memo) if has_arms(nodes) else None
        for node in nodes:
            if always is not None and always.isdisjoint(node.outputs):
                continue  # its arm makes it
            inputs = [memo.get(item, item) for item in node.inputs]
            with origin_scope(node.origin):
                if node.op.has_arms:
                    results, token = self._branch(node, always or set(), memo, token)
                elif self._finder.has(node):
                    results, token = self._passed(node, inputs, token)
                elif any(item is not old for item, old in zip(inputs, node.inputs, strict=True)):
                    results = node.clone_with_new_inputs(inputs).outputs
                else:
                    continue
            memo.update(zip(node.outputs, results, strict=True))
        return [memo.get(item, item) for item in outputs], token

    def _passed(self, node: Apply, inputs: Sequence[Any], token: Any) -> Any:
        """Return the results of a node that has operations, and the token after them."""
        op = node.op
        if isinstance(op, Collective):
            return self._numbered(op, node, inputs, token)
        if isinstance(op, OpFromGraph):
            return self.through(op.outputs, op.arguments(inputs), token)
        return self._loop(node, inputs, token)

    def _numbered(self, op: Collective, node: Apply, inputs: Sequence[Any], token: Any) -> Any:
        numbered = op.numbered(self._number, self._digest, op.has_fixed_length(node))
        self._number += 1
        new = numbered.make_node(*op.chained(inputs, token))
        return new.outputs, new.outputs[-1]

    def _agreed(self, condition: Any, token: Any) -> tuple[Any, Any]:
        """Return a condition that the ranks compare, and the next token."""
        same, number = SameCondition(), cast(condition, "int64")
        number.name = condition.name or "condition"
        (result, _), token = self._numbered(same, same.make_node(number), [number], token)
        return scalar.neq(result, 0), token

    def _branch(
        self, node: Apply, always: Collection[Variable], memo: Mapping[Variable, Any], token: Any
    ) -> tuple[list[Any], Any]:
        """Return the results of a choice, which chooses the token as well if an arm changes it.

        What only its arms need is in their order. Several choices that need it have it each, as in
        compiled code. Results that no one needs are left out; None stands for them.
        """
        condition, arms = memo.get(node.inputs[0], node.inputs[0]), arms_of(node)
        wanted = [k for k, output in enumerate(node.outputs) if output in always]
        outside = {item: memo.get(item, item) for item in always} | dict(memo)
        inner = toposort([arm[k] for arm in arms for k in wanted], outside)
        if any(self._finder.has(item) for item in inner):
            condition, token = self._agreed(condition, token)
        thens, elses = (self.through([arm[k] for k in wanted], outside, token) for arm in arms)
        ends = [] if thens[1] is elses[1] is token else [(thens[1], elses[1])]
        pairs = [*zip(thens[0], elses[0], strict=True), *ends]
        op = IfElse(len(pairs), getattr(node.op, "name", None))
        chosen = op.make_node(condition, *(a for a, _ in pairs), *(b for _, b in pairs)).outputs
        results: list[Any] = [None] * len(node.outputs)
        for k, result in zip(wanted, chosen, strict=False):
            results[k] = result
        return results, chosen[-1] if ends else token

    def _loop(self, node: Apply, inputs: Sequence[Any], token: Any) -> Any:
        """Return the results of a loop with one more state, the token, and its last value.

        The comparison of the number of iterations comes before it by its token. The loop takes the
        number itself, on which lengths depend. A condition that ends the loop is compared in it.
        """
        op: Any = node.op
        layout, inner = op.layout, list(op.region.inputs)
        same = SameNumber()
        _, token = self._numbered(same, same.make_node(inputs[0]), inputs[:1], token)
        passed = TensorType("int64", ())("token")
        results, last = self.through(op.region.outputs, {item: item for item in inner}, passed)
        ends = []
        if layout.until:
            condition, last = self._agreed(results.pop(), last)
            ends = [condition]
        before, first = layout.states_before, layout.initial_states.stop
        loop = Scan(
            *(inner[0], [*results, last, *ends], inner[layout.rows], layout.tapped(inner)),
            *([*inner[before], passed], inner[before.stop :]),
            until=layout.until,
            truncate=op.truncate,
            name=op.name,
            required=op.region.required,
            stores=op.stores,
        )
        outputs = loop.make_node(*inputs[:first], token, *inputs[first:]).outputs
        place = len(outputs) - 1 - layout.until
        return [*outputs[:place], *outputs[place + 1 :]], outputs[place]


def _description(node: Apply, certain: bool) -> tuple[str, ...]:
    """Return what tells an operation from others.

    The first call compares what is fixed before the operation. One that this call may not have is
    described with its static lengths, which are compared with all else.
    """
    op: Any = node.op
    values = [f"{name}={getattr(op, name)}" for name in op.__props__ if name not in _OWN]
    kinds = [f"{item.dtype} {item.ndim}" for item in node.inputs]
    fixed = str(op.has_fixed_length(node))
    if not certain and op.has_fixed_length(node):
        kinds.append(str(op.compared_lengths(node)))
    return (type(op).__name__, *values, *kinds, fixed)


_OWN = ("number", "digest", "fixed")


def _refused(node: Apply, where: str, outer: Apply) -> NotImplementedError:
    name = getattr(node.op, "called", "rank or size")
    return NotImplementedError(
        format_error(
            f"{name}: operations on all ranks can't be inside of {where}",
            places=[node.origin, outer.origin],
            hint="apply them before or after it",
        )
    )

"""Nodes and variables, and functions of graphs."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from typing import Any

from symtheano.graph.walk import ancestors as all_ancestors, toposort
from symtheano.graph.variable import Apply as Apply, Constant as Constant, Variable as Variable

Node = Apply | Variable
Formatter = Callable[..., str]

NoParams = object()
"""What :func:`run_params` returns for nodes without parameters."""

default_leaf_formatter = str


def run_params(node: Apply) -> Any:
    """Return the parameters of a node's op, or :data:`NoParams`."""
    from .utils import MethodNotDefined

    get_params = getattr(node.op, "get_params", None)
    if get_params is None:
        return NoParams
    try:
        return get_params(node)
    except MethodNotDefined:
        return NoParams


# -- walks ---------------------------------------------------------------------------------------


def stack_search(
    start: Iterable[Any],
    expand: Callable[[Any], Iterable[Any] | None],
    mode: str = "bfs",
    build_inv: bool = False,
) -> Any:
    """Return what is reached from ``start``, each item once, in the order of a search.

    Parameters
    ----------
    start
        The first items.
    expand
        Function that returns what follows an item, or None.
    mode
        ``bfs`` or ``dfs``.
    build_inv
        Whether to return also a dict from each item to those that it follows.

    Raises
    ------
    ValueError
        If the mode is another one.
    """
    if mode not in ("bfs", "dfs"):
        raise ValueError(f"stack_search: mode must be bfs or dfs, got {mode!r}")
    waiting = deque(start)
    seen: dict[Any, None] = {}
    before: dict[Any, list[Any]] = {}
    while waiting:
        item = waiting.popleft() if mode == "bfs" else waiting.pop()
        if item in seen:
            continue
        seen[item] = None
        for other in expand(item) or ():
            if build_inv:
                before.setdefault(other, []).append(item)
            waiting.append(other)
    return (list(seen), before) if build_inv else list(seen)


def ancestors(
    variable_list: Iterable[Variable], blockers: Iterable[Variable] | None = None
) -> list[Variable]:
    """Return the variables from which some are computed, themselves included.

    What computes a variable in ``blockers`` is left out.
    """
    return list(all_ancestors(variable_list, blockers or ()))


def inputs(
    variable_list: Iterable[Variable], blockers: Iterable[Variable] | None = None
) -> list[Variable]:
    """Return the variables without an owner from which some are computed."""
    return [item for item in ancestors(variable_list, blockers) if item.owner is None]


def variables_and_orphans(
    i: Iterable[Variable], o: Iterable[Variable]
) -> tuple[list[Variable], list[Variable]]:
    """Return the variables between ``i`` and ``o``, and those of them that nothing computes."""
    stop = set(i)
    between: dict[Variable, None] = {}
    for item in all_ancestors(o, stop):
        between[item] = None
        if item.owner is not None and item not in stop:
            between.update(dict.fromkeys(item.owner.outputs))
    orphaned = [item for item in between if item.owner is None and item not in stop]
    return list(between), orphaned


def variables(i: Iterable[Variable], o: Iterable[Variable]) -> list[Variable]:
    """Return the variables between ``i`` and ``o``, both included."""
    return variables_and_orphans(i, o)[0]


def orphans(i: Iterable[Variable], o: Iterable[Variable]) -> list[Variable]:
    """Return the variables between ``i`` and ``o`` that nothing computes, constants included."""
    return variables_and_orphans(i, o)[1]


def ops(i: Iterable[Variable], o: Iterable[Variable]) -> set[Apply]:
    """Return the nodes between ``i`` and ``o``."""
    return set(toposort(o, set(i)))


def list_of_nodes(inputs: Iterable[Variable], outputs: Iterable[Variable]) -> list[Apply]:
    """Return the nodes between ``inputs`` and ``outputs``."""
    return toposort(outputs, set(inputs))


def is_in_ancestors(l_node: Apply, f_node: Apply) -> bool:
    """Return whether ``l_node`` needs the results of ``f_node``."""
    return f_node in toposort(l_node.outputs)


def io_toposort(
    inputs: Iterable[Variable],
    outputs: Iterable[Variable],
    orderings: Mapping[Apply, Iterable[Apply]] | None = None,
    clients: dict[Any, list[Any]] | None = None,
) -> list[Apply]:
    """Return the nodes between ``inputs`` and ``outputs`` in topological order.

    Parameters
    ----------
    orderings
        For some nodes, others that come before them.
    clients
        A dict to which the users of each variable and node are added.

    Raises
    ------
    ValueError
        If nodes wait for each other in a cycle.
    """
    stop = set(inputs)
    nodes = toposort(outputs, stop)
    if clients is not None:
        for node in nodes:
            for item in node.inputs:
                clients.setdefault(item, []).append(node)
            for item in node.outputs:
                clients.setdefault(node, []).append(item)
    return _in_order(nodes, stop, orderings) if orderings else nodes


def _in_order(
    nodes: Sequence[Apply],
    stop: set[Variable],
    orderings: Mapping[Apply, Iterable[Apply]],
) -> list[Apply]:
    """Return nodes in an order that respects further conditions, else in the one that they have."""
    known = set(nodes)

    def before(node: Apply) -> list[Apply]:
        owners = (item.owner for item in node.inputs if item not in stop)
        return [other for other in (*owners, *orderings.get(node, ())) if other in known]

    done: dict[Apply, None] = {}
    open_nodes: set[Apply] = set()
    for root in nodes:
        stack = [root]
        while stack:
            node = stack[-1]
            if node in done:
                stack.pop()
                continue
            waiting = [other for other in before(node) if other not in done]
            if waiting:
                open_nodes.add(node)
                if not open_nodes.isdisjoint(waiting):
                    raise ValueError("graph contains cycles")
                stack.extend(reversed(waiting))
            else:
                open_nodes.discard(node)
                done[stack.pop()] = None
    return list(done)


def general_toposort(
    outputs: Iterable[Any],
    deps: Callable[[Any], Iterable[Any] | None] | None,
    debug_print: bool = False,
    compute_deps_cache: Callable[[Any], Any] | None = None,
    deps_cache: dict[Any, Any] | None = None,
    clients: dict[Any, list[Any]] | None = None,
) -> list[Any]:
    """Return what ``outputs`` depend on, themselves included, each after its dependencies.

    Parameters
    ----------
    deps
        Function that returns what an item depends on: a list, or None.
    compute_deps_cache, deps_cache
        Accepted for compatibility; ``deps`` is used if it is there.
    clients
        A dict to which the users of each item are added.

    Raises
    ------
    ValueError
        If items depend on each other in a cycle.
    TypeError
        If ``deps`` returns a collection without an order.
    """
    depends: dict[Any, list[Any]] = {}

    def expand(item: Any) -> list[Any]:
        function: Any = deps or compute_deps_cache
        found = function(item) or []
        if isinstance(found, set | frozenset | dict):
            raise TypeError("general_toposort: deps returned a collection without an order")
        depends[item] = list(found)
        return depends[item]

    reached, users = stack_search(outputs, expand, "dfs", build_inv=True)
    if clients is not None:
        clients.update(users)
    left = {item: set(before) for item, before in depends.items()}
    ready = deque(item for item in reached if not left[item])
    done: dict[Any, None] = {}
    while ready:
        item = ready.popleft()
        if item in done:
            continue
        done[item] = None
        for user in users.get(item, ()):
            left[user].discard(item)
            if not left[user]:
                ready.append(user)
    if len(done) < len(reached):
        raise ValueError("graph contains cycles")
    return list(done)


# -- copies --------------------------------------------------------------------------------------


def clone(
    i: Sequence[Variable],
    o: Sequence[Variable],
    copy_inputs: bool = True,
    copy_orphans: bool | None = None,
) -> tuple[list[Variable], list[Variable]]:
    """Return copies of the inputs and outputs of a graph.

    Parameters
    ----------
    i, o
        Inputs and outputs.
    copy_inputs, copy_orphans
        Whether inputs, and other variables that nothing computes, are copied.
    """
    orphaned = copy_inputs if copy_orphans is None else copy_orphans
    equivalent = clone_get_equiv(i, o, copy_inputs, orphaned)
    return [equivalent[item] for item in i], [equivalent[item] for item in o]


def clone_get_equiv(
    inputs: Sequence[Variable],
    outputs: Sequence[Variable],
    copy_inputs: bool = True,
    copy_orphans: bool = True,
    memo: dict[Any, Any] | None = None,
) -> dict[Any, Any]:
    """Return a dict from the variables and nodes of a graph to their copies; ``memo``, if given."""
    copies: dict[Any, Any] = {} if memo is None else memo
    for item in inputs:
        if item not in copies:
            copies[item] = _twin(item) if copy_inputs else item
    for node in toposort(outputs, copies.keys()):
        for item in node.inputs:
            if item not in copies:
                copies[item] = _twin(item) if copy_orphans else item
        new = node.clone_with_new_inputs([copies[item] for item in node.inputs])
        new._tag = copy(node._tag)
        copies.setdefault(node, new)
        for old, twin in zip(node.outputs, new.outputs, strict=True):
            twin._tag = copy(old._tag)
            copies.setdefault(old, twin)
    for item in outputs:
        if item not in copies:
            copies[item] = _twin(item) if copy_orphans else item
    return copies


def _twin(variable: Variable) -> Variable:
    twin = variable.clone()
    twin.owner = twin.index = None
    twin._tag = copy(variable._tag)
    return twin


# -- comparisons ---------------------------------------------------------------------------------


def is_same_graph(var1: Variable, var2: Variable, givens: Any = None, debug: bool = False) -> bool:
    """Return whether two variables are computed in the same way from the same inputs.

    ``givens`` are pairs of variables that are considered equal.
    """
    same = dict(givens or {})
    pairs, equal = [(var1, var2)], set()
    while pairs:
        a, b = pairs.pop()
        if a is b or same.get(a) is b or same.get(b) is a or (a, b) in equal:
            continue
        if isinstance(a, Constant) and isinstance(b, Constant):
            if a.signature() != b.signature():
                return False
            continue
        if a.owner is None or b.owner is None:
            return False
        if (
            a.owner.op != b.owner.op
            or a.index != b.index
            or len(a.owner.inputs) != len(b.owner.inputs)
        ):
            return False
        equal.add((a, b))
        pairs.extend(zip(a.owner.inputs, b.owner.inputs, strict=True))
    return True


def io_connection_pattern(
    inputs: Sequence[Variable], outputs: Sequence[Variable]
) -> list[list[bool]]:
    """Return for each input and output whether the output is differentiable by the input."""
    connected: dict[Variable, set[int]] = {item: {k} for k, item in enumerate(inputs)}
    for node in toposort(outputs, set(inputs)):
        pattern = node.op.connection_pattern(node)
        for number, output in enumerate(node.outputs):
            connected[output] = {
                place
                for item, row in zip(node.inputs, pattern, strict=True)
                if row[number]
                for place in connected.get(item, ())
            }
    return [[k in connected.get(item, ()) for item in outputs] for k in range(len(inputs))]


def view_roots(r: Variable) -> list[Variable]:
    """Return the variables whose memory a variable may share, as its ops' ``view_map`` tells."""
    roots, waiting = [], [r]
    while waiting:
        item: Any = waiting.pop()
        view_map = getattr(item.owner.op, "view_map", None) if item.owner is not None else None
        if view_map and item.index in view_map:
            waiting.extend(item.owner.inputs[k] for k in reversed(view_map[item.index]))
        else:
            roots.append(item)
    return roots


# -- text ----------------------------------------------------------------------------------------


def default_node_formatter(op: Apply, argstrings: Sequence[str]) -> str:
    """Return a node as text: its op, and its inputs in parentheses."""
    return f"{op.op}({', '.join(argstrings)})"


def op_as_string(
    i: Sequence[Variable],
    op: Apply,
    leaf_formatter: Formatter = default_leaf_formatter,
    node_formatter: Formatter = default_node_formatter,
) -> str:
    """Return a node as text."""
    return node_formatter(op, as_string(i, op.inputs, leaf_formatter, node_formatter))


def as_string(
    i: Sequence[Variable],
    o: Sequence[Variable],
    leaf_formatter: Formatter = default_leaf_formatter,
    node_formatter: Formatter = default_node_formatter,
) -> list[str]:
    """Return the expressions of ``o`` from ``i`` as text.

    What is used several times is ``*n -> ...`` where it occurs first, and then ``*n``.
    """
    stop = set(i)
    nodes = toposort(o, stop)
    uses: dict[Apply, int] = {}
    for item in (*o, *(item for node in nodes for item in node.inputs)):
        if item.owner is not None and item not in stop:
            uses[item.owner] = uses.get(item.owner, 0) + 1
    shared = [node for node in nodes if uses.get(node, 0) > 1]
    numbers = {node: number for number, node in enumerate(shared, 1)}
    told: set[Apply] = set()

    def text(variable: Variable) -> str:
        """Return a variable as text, without recursion: nodes wait for their operands."""
        parts: list[str] = []
        stack: list[tuple[Variable, bool]] = [(variable, False)]
        while stack:
            item, ready = stack.pop()
            node = item.owner
            if node is None or item in stop:
                parts.append(leaf_formatter(item))
                continue
            suffix = f"::{item.index}" if len(node.outputs) > 1 else ""
            if ready:
                count = len(node.inputs)
                arguments = parts[len(parts) - count :]
                del parts[len(parts) - count :]
                whole = node_formatter(node, arguments)
                parts.append(f"*{numbers[node]} -> {whole}" if node in numbers else whole)
            elif node in told:
                parts.append(f"*{numbers[node]}{suffix}")
            else:
                told.add(node)
                stack.append((item, True))
                stack.extend((other, False) for other in reversed(node.inputs))
        return parts[0]

    return [text(item) for item in o]


def nodes_constructed() -> Any:
    """Not supported: variables do not tell when they are made.

    Raises
    ------
    NotImplementedError
        Always.
    """
    raise NotImplementedError("nodes_constructed: symtheano's variables have no observers")

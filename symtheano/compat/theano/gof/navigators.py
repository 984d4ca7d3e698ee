"""Optimizers of graphs that apply optimizers of nodes."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from symtheano.errors import InconsistencyError
from symtheano.graph.variable import Apply, Variable

from .graph import io_toposort
from .optimizers import (
    LocalOptGroup,
    LocalOptimizer,
    Optimizer,
    _on_error,
    _logger,
    applies_to,
    report,
)
from .toolbox import Feature, NodeFinder

Failure = Callable[..., Any] | None
"""A function of the error, the optimizer, pairs of old and new variables, and the node."""


class Updater(Feature):
    """Tells of nodes that are added, removed or changed."""

    def __init__(
        self,
        importer: Callable[[Apply], Any] | None,
        pruner: Callable[[Apply], Any] | None = None,
        chin: Callable[..., Any] | None = None,
        name: str | None = None,
    ) -> None:
        self.importer, self.pruner, self.chin, self.name = importer, pruner, chin, name

    def on_import(self, fgraph: Any, node: Apply, reason: object) -> None:
        """Tell of a new node."""
        if self.importer is not None:
            self.importer(node)

    def on_prune(self, fgraph: Any, node: Apply, reason: object) -> None:
        """Tell of a node that was removed."""
        if self.pruner is not None:
            self.pruner(node)

    def on_change_input(
        self, fgraph: Any, node: Any, i: int, r: Variable, new_r: Variable, reason: object = None
    ) -> None:
        """Tell of a change."""
        if self.chin is not None:
            self.chin(node, i, r, new_r, reason)


class NavigatorOptimizer(Optimizer):
    """The base class of optimizers that visit nodes.

    Parameters
    ----------
    local_opt
        An optimizer of nodes.
    ignore_newtrees
        Whether new nodes are not visited; ``auto`` if the optimizer of nodes says so.
    failure_callback
        Function that is called if an error is raised; by default it is raised.
    """

    @staticmethod
    def warn(exc: Exception, nav: Any, repl_pairs: Any, local_opt: Any, node: Any) -> None:
        """Report an error."""
        report(exc, local_opt, node)

    @staticmethod
    def warn_inplace(exc: Exception, nav: Any, repl_pairs: Any, local_opt: Any, node: Any) -> None:
        """Report an error, unless a graph could not be computed any more."""
        if not isinstance(exc, InconsistencyError):
            report(exc, local_opt, node)

    @staticmethod
    def warn_ignore(exc: Exception, nav: Any, repl_pairs: Any, local_opt: Any, node: Any) -> None:
        """Ignore an error."""

    def __init__(
        self,
        local_opt: Any,
        ignore_newtrees: bool | str = "auto",
        failure_callback: Failure = None,
    ) -> None:
        self.local_opt, self.failure_callback = local_opt, failure_callback
        if ignore_newtrees == "auto":
            ignore_newtrees = not getattr(local_opt, "reentrant", True)
        self.ignore_newtrees = bool(ignore_newtrees)

    def attach_updater(
        self,
        fgraph: Any,
        importer: Callable[[Apply], Any] | None,
        pruner: Callable[[Apply], Any] | None,
        chin: Callable[..., Any] | None = None,
        name: str | None = None,
    ) -> Updater | None:
        """Let functions be called for nodes that are added, removed or changed."""
        importer = None if self.ignore_newtrees else importer
        if importer is None and pruner is None and chin is None:
            return None
        updater = Updater(importer, pruner, chin, name)
        fgraph.attach_feature(updater)
        return updater

    def detach_updater(self, fgraph: Any, u: Updater | None) -> None:
        """Undo what :meth:`attach_updater` did."""
        if u is not None:
            fgraph.remove_feature(u)

    def process_node(self, fgraph: Any, node: Apply, lopt: Any = None) -> bool:
        """Apply an optimizer to a node; return whether it was replaced."""
        local = lopt or self.local_opt
        pairs: list[tuple[Variable, Variable | None]] = [(item, None) for item in node.outputs]
        try:
            found = local.transform(node)
            pairs, remove = read_replacements(local, node, found)
            if not pairs:
                return False
            fgraph.replace_all_validate_remove(pairs, remove=remove, reason=local)
        except Exception as error:
            if self.failure_callback is None:
                raise
            self.failure_callback(error, self, pairs, local, node)
            return False
        return True

    def add_requirements(self, fgraph: Any) -> None:
        """Add the features that are needed."""
        if self.local_opt:
            self.local_opt.add_requirements(fgraph)

    def print_summary(self, stream: Any = None, level: int = 0, depth: int = -1) -> None:
        """Print what it consists of."""
        super().print_summary(stream, level, depth)
        if depth and self.local_opt:
            self.local_opt.print_summary(stream, level=level + 2, depth=depth - 1)


def read_replacements(
    local: Any, node: Apply, found: Any
) -> tuple[list[tuple[Any, Any]], Sequence[Any]]:
    """Return pairs of variables to replace, and what has to be removed by it.

    Parameters
    ----------
    local, node
        The optimizer and the node.
    found
        What ``transform`` returned.

    Raises
    ------
    TypeError, ValueError
        If it is not what is allowed.
    """
    remove: Sequence[Any] = ()
    if found is False or found is None:
        return [], remove
    if isinstance(found, dict):
        found = dict(found)
        remove = found.pop("remove", ())
        old, new = list(found), list(found.values())
    elif isinstance(found, list | tuple):
        old, new = node.outputs, list(found)
    else:
        raise TypeError(f"{local}: transform returned {found!r}, not False, a list or a dict")
    if len(old) != len(new):
        raise ValueError(f"{local}: transform returned {len(new)} variables for {len(old)}")
    for variable, replacement in zip(old, new, strict=True):
        if replacement is None and variable.__dict__.get("clients"):
            raise ValueError(f"{local} tried to remove {variable}, which is used")
    return [(a, b) for a, b in zip(old, new, strict=True) if b is not None and b is not a], remove


class TopoOptimizer(NavigatorOptimizer):
    """Visits all nodes once, in topological order or the reverse.

    Parameters
    ----------
    order
        ``in_to_out`` or ``out_to_in``.
    """

    def __init__(
        self,
        local_opt: Any,
        order: str = "in_to_out",
        ignore_newtrees: bool | str = False,
        failure_callback: Failure = None,
    ) -> None:
        if order not in ("out_to_in", "in_to_out"):
            raise ValueError(f"TopoOptimizer: order is out_to_in or in_to_out, not {order!r}")
        self.order = order
        super().__init__(local_opt, ignore_newtrees, failure_callback)

    def apply(self, fgraph: Any, start_from: Sequence[Variable] | None = None) -> Any:
        """Visit all nodes."""
        before = len(fgraph.apply_nodes)
        queue = deque(io_toposort(fgraph.inputs, start_from or fgraph.outputs))
        current: list[Apply | None] = [None]

        def importer(node: Apply) -> None:
            if node is not current[0]:
                queue.append(node)

        updater = self.attach_updater(fgraph, importer, None)
        count = 0
        try:
            while queue:
                node = queue.pop() if self.order == "out_to_in" else queue.popleft()
                if node in fgraph.apply_nodes and applies(self.local_opt, node):
                    current[0] = node
                    count += self.process_node(fgraph, node)
        finally:
            self.detach_updater(fgraph, updater)
        return self, count, before, len(fgraph.apply_nodes), 0.0, 0.0, 0.0, self.local_opt


def applies(local: Any, node: Apply) -> bool:
    """Return whether an optimizer is to be tried; those with an unusual ``tracks`` always are."""
    return not isinstance(local, LocalOptGroup) or applies_to(local, node)


def _navigator(order: str, local_opts: Sequence[Any], options: dict[str, Any]) -> TopoOptimizer:
    name = options.pop("name", None)
    local = local_opts[0] if len(local_opts) == 1 else LocalOptGroup(*local_opts)
    options.setdefault("failure_callback", TopoOptimizer.warn_inplace)
    result = TopoOptimizer(local, order=order, **options)
    result.__name__ = name or getattr(local, "__name__", None) or str(local)
    return result


def out2in(*local_opts: Any, **kwargs: Any) -> TopoOptimizer:
    """Return an optimizer that visits nodes from the outputs to the inputs."""
    return _navigator("out_to_in", local_opts, kwargs)


def in2out(*local_opts: Any, **kwargs: Any) -> TopoOptimizer:
    """Return an optimizer that visits nodes from the inputs to the outputs."""
    return _navigator("in_to_out", local_opts, kwargs)


class OpKeyOptimizer(NavigatorOptimizer):
    """Visits the nodes that apply an op, which its optimizer tells by ``op_key``."""

    def __init__(
        self,
        local_opt: Any,
        ignore_newtrees: bool | str = False,
        failure_callback: Failure = None,
    ) -> None:
        if not hasattr(local_opt, "op_key"):
            raise TypeError(f"OpKeyOptimizer: {local_opt} has no method op_key")
        super().__init__(local_opt, ignore_newtrees, failure_callback)

    def apply(self, fgraph: Any) -> None:
        """Visit these nodes."""
        key = self.local_opt.op_key()
        keys = list(key) if isinstance(key, list | tuple) else [key]
        queue = [node for item in keys for node in fgraph.get_nodes(item)]
        current: list[Apply | None] = [None]

        def importer(node: Apply) -> None:
            if node is not current[0] and any(node.op == item for item in keys):
                queue.append(node)

        updater = self.attach_updater(fgraph, importer, None)
        try:
            while queue:
                node = queue.pop()
                if node in fgraph.apply_nodes:
                    current[0] = node
                    self.process_node(fgraph, node)
        finally:
            self.detach_updater(fgraph, updater)

    def add_requirements(self, fgraph: Any) -> None:
        """Add the features that are needed."""
        super().add_requirements(fgraph)
        fgraph.attach_feature(NodeFinder())


class ChangeTracker(Feature):
    """Knows whether a graph has changed."""

    def __init__(self) -> None:
        self.changed, self.nb_imported = False, 0

    def on_import(self, fgraph: Any, node: Apply, reason: object) -> None:
        """Note a new node."""
        self.changed = True
        self.nb_imported += 1

    def on_change_input(
        self, fgraph: Any, node: Any, i: int, r: Variable, new_r: Variable, reason: object = None
    ) -> None:
        """Note a change."""
        self.changed = True

    def reset(self) -> None:
        """Forget changes."""
        self.changed = False


class EquilibriumOptimizer(NavigatorOptimizer):
    """Applies optimizers of graphs and of nodes until none of them changes anything.

    Parameters
    ----------
    optimizers
        Optimizers.
    max_use_ratio
        How often each may be applied, as a multiple of the number of nodes.
    final_optimizers, cleanup_optimizers
        Optimizers of graphs that are applied after each round, and after each change.
    """

    def __init__(
        self,
        optimizers: Sequence[Any],
        failure_callback: Failure = None,
        ignore_newtrees: bool = True,
        tracks_on_change_inputs: bool = False,
        max_use_ratio: float | None = None,
        final_optimizers: Sequence[Any] | None = None,
        cleanup_optimizers: Sequence[Any] | None = None,
    ) -> None:
        if max_use_ratio is None:
            raise ValueError("EquilibriumOptimizer: max_use_ratio has to be a number")
        super().__init__(None, ignore_newtrees, failure_callback)
        self.local_optimizers = [item for item in optimizers if isinstance(item, LocalOptimizer)]
        self.global_optimizers = [
            item for item in optimizers if not isinstance(item, LocalOptimizer)
        ]
        self.final_optimizers = list(final_optimizers or ())
        self.cleanup_optimizers = list(cleanup_optimizers or ())
        self.tracks_on_change_inputs = tracks_on_change_inputs
        self.max_use_ratio = max_use_ratio

    def get_local_optimizers(self) -> Iterator[Any]:
        """Yield the optimizers of nodes."""
        yield from self.local_optimizers

    def add_requirements(self, fgraph: Any) -> None:
        """Add the features that are needed."""
        for item in (
            *self.local_optimizers,
            *self.global_optimizers,
            *self.final_optimizers,
            *self.cleanup_optimizers,
        ):
            item.add_requirements(fgraph)

    def apply(self, fgraph: Any, start_from: Sequence[Variable] | None = None) -> Any:
        """Apply all of them until nothing changes, or one was applied too often."""
        tracker = ChangeTracker()
        fgraph.attach_feature(tracker)
        before = len(fgraph.apply_nodes)
        uses: Counter[Any] = Counter()
        largest, changed, excess = before, True, None
        try:
            while changed and excess is None:
                largest = max(largest, len(fgraph.apply_nodes))
                changed = self._apply_graph(fgraph, self.global_optimizers, tracker, uses)
                changed |= self._visit(fgraph, start_from, tracker, uses)
                changed |= self._apply_graph(fgraph, self.final_optimizers, tracker, uses)
                changed |= self._apply_graph(fgraph, self.cleanup_optimizers, tracker, uses)
                allowed = largest * self.max_use_ratio
                excess = next((item for item, count in uses.items() if count > allowed), None)
        finally:
            fgraph.remove_feature(tracker)
        if excess is not None:
            _tell_of_excess(excess, self.max_use_ratio)
        return self, dict(uses), (before, len(fgraph.apply_nodes), largest)

    def _apply_graph(
        self, fgraph: Any, optimizers: Sequence[Any], tracker: ChangeTracker, uses: Counter[Any]
    ) -> bool:
        changed = False
        for item in optimizers:
            tracker.reset()
            item.apply(fgraph)
            if tracker.changed:
                uses[item] += 1
                changed = True
        return changed

    def _visit(
        self,
        fgraph: Any,
        start_from: Sequence[Variable] | None,
        tracker: ChangeTracker,
        uses: Counter[Any],
    ) -> bool:
        """Apply the optimizers of nodes to each node; return whether one was replaced."""
        queue = deque(io_toposort(fgraph.inputs, start_from or fgraph.outputs))
        allowed = max(len(queue), 1) * self.max_use_ratio
        current: list[Apply | None] = [None]

        def importer(node: Apply) -> None:
            if node is not current[0]:
                queue.append(node)

        def reader(node: Any, *change: Any) -> None:
            if node is not current[0] and not isinstance(node, str):
                queue.append(node)

        chin = reader if self.tracks_on_change_inputs else None
        updater = self.attach_updater(fgraph, importer, None, chin)
        changed = False
        try:
            while queue:
                node = current[0] = queue.pop()
                for item in self.local_optimizers:
                    if node not in fgraph.apply_nodes:
                        break
                    if not applies_to(item, node) or not self.process_node(fgraph, node, item):
                        continue
                    uses[item] += 1
                    changed = True
                    self._apply_graph(fgraph, self.cleanup_optimizers, tracker, uses)
                    if uses[item] > allowed:
                        return changed
        finally:
            self.detach_updater(fgraph, updater)
        return changed


def _tell_of_excess(item: Any, ratio: float) -> None:
    message = (
        f"EquilibriumOptimizer max'ed out by '{item}'. You can safely raise the current threshold "
        f"of {ratio:f} with the theano flag 'optdb.max_use_ratio'."
    )
    if _on_error() == "raise":
        raise AssertionError(message)
    _logger.error(message)

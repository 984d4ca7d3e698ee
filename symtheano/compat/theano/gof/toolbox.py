"""Features of graphs that can be changed: what is called when they change."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

from symtheano.errors import InconsistencyError
from symtheano.graph.variable import Apply, Variable
from symtheano.tensor.type import TensorType

from .graph import io_toposort


class AlreadyThere(Exception):
    """A graph has a feature that does the same."""


class ReplacementDidntRemovedError(Exception):
    """A replacement did not remove what it was to remove."""


class BadOptimization(Exception):
    """A variable was replaced by one with another type or other values.

    Attributes
    ----------
    old_r, new_r
        The variable and its replacement.
    old_r_val, new_r_val
        Their values.
    reason
        The optimizer.
    """

    def __init__(
        self,
        old_r: Any,
        new_r: Any = None,
        old_r_val: Any = None,
        new_r_val: Any = None,
        reason: object = None,
        old_graph: str | None = None,
        new_graph: str | None = None,
    ) -> None:
        super().__init__(old_r, new_r, reason)
        self.old_r, self.new_r = old_r, new_r
        self.old_r_val, self.new_r_val = old_r_val, new_r_val
        self.reason, self.old_graph, self.new_graph = reason, old_graph, new_graph

    def __str__(self) -> str:
        return self.str_diagnostic()

    def str_diagnostic(self) -> str:
        """Return what is known as text."""
        if isinstance(self.old_r, str):
            return self.old_r
        lines = [
            "BadOptimization Error",
            f"  Variable: {self.new_r}, {getattr(self.new_r, 'type', None)}",
            f"  Replaced: {self.old_r}, {getattr(self.old_r, 'type', None)}",
            f"  Old Value: {self.old_r_val}",
            f"  New Value: {self.new_r_val}",
            f"  Reason: {self.reason}",
        ]
        return "\n".join(lines)


def with_type_of(old: Variable, new: Variable) -> Variable | None:
    """Return ``new`` as a variable of the type of ``old``; None if it can't be one.

    A type may tell lengths that the other one does not; they are then checked in a call.
    """
    if old.type.accepts(new.type):
        return new
    if not are_compatible(old.type, new.type):
        convert = getattr(old.type, "convert_variable", None)
        found: Variable | None = None if convert is None else convert(new)
        return found if found is not None and found.type == old.type else None
    from symtheano.tensor.shapes.static_shape import specify_shape

    return specify_shape(new, old.type.shape)


def are_compatible(a: Any, b: Any) -> bool:
    """Return whether types are equal, but for lengths that one of them does not tell."""
    if a == b:
        return True
    if not isinstance(a, TensorType) or not isinstance(b, TensorType) or a.dtype != b.dtype:
        return False
    return a.ndim == b.ndim and not any(
        k != n and None not in (k, n) for k, n in zip(a.shape, b.shape, strict=True)
    )


class Feature:
    """The base class of features; all methods are optional."""

    def on_attach(self, function_graph: Any) -> None:
        """Called when it is added; may raise :class:`AlreadyThere`."""

    def on_detach(self, function_graph: Any) -> None:
        """Called when it is removed."""

    def on_import(self, function_graph: Any, node: Apply, reason: object) -> None:
        """Called for each node that is added."""

    def on_prune(self, function_graph: Any, node: Apply, reason: object) -> None:
        """Called for each node that is removed."""

    def on_change_input(
        self,
        function_graph: Any,
        node: Any,
        i: int,
        r: Variable,
        new_r: Variable,
        reason: object = None,
    ) -> None:
        """Called when a node has got another input."""

    def orderings(self, function_graph: Any) -> dict[Apply, Sequence[Apply]]:
        """Return nodes that have to come before others."""
        return {}


class Bookkeeper(Feature):
    """A feature for which the nodes that are there when it is added are imported, too."""

    def on_attach(self, fgraph: Any) -> None:
        """Import all nodes."""
        for node in io_toposort(fgraph.inputs, fgraph.outputs):
            self.on_import(fgraph, node, "on_attach")

    def on_detach(self, fgraph: Any) -> None:
        """Remove all nodes."""
        for node in io_toposort(fgraph.inputs, fgraph.outputs):
            self.on_prune(fgraph, node, "Bookkeeper.detach")


class _Methods(Feature):
    """A feature that adds methods to a graph, by the names in ``added``."""

    added: tuple[str, ...] = ()

    def _add(self, fgraph: Any) -> None:
        if any(hasattr(fgraph, name) for name in self.added):
            raise AlreadyThere(f"{type(self).__name__} is already present, or another like it")
        for name in self.added:
            setattr(fgraph, name, partial(getattr(self, f"_{name}"), fgraph))

    def on_attach(self, fgraph: Any) -> None:
        """Add the methods."""
        self._add(fgraph)

    def on_detach(self, fgraph: Any) -> None:
        """Remove the methods."""
        for name in self.added:
            delattr(fgraph, name)


class History(_Methods):
    """Adds ``checkpoint()`` and ``revert(checkpoint)``, which undoes later changes."""

    added: tuple[str, ...] = ("checkpoint", "revert")

    def __init__(self) -> None:
        self.changes: list[tuple[Any, int, Variable]] | None = []
        self._last = 0

    def on_change_input(
        self, fgraph: Any, node: Any, i: int, r: Variable, new_r: Variable, reason: object = None
    ) -> None:
        """Note a change."""
        if self.changes is not None:
            self.changes.append((node, i, r))

    def _checkpoint(self, fgraph: Any) -> int:
        self.changes = []
        self._last += 1
        return self._last

    def _revert(self, fgraph: Any, checkpoint: int) -> None:
        if checkpoint != self._last:
            raise ValueError("revert: only the last checkpoint can be restored")
        changes, self.changes = self.changes or [], None
        for node, place, old in reversed(changes):
            fgraph.change_input(node, place, old, reason="Revert")
        self.changes = []


class Validator(_Methods):
    """Adds ``validate()``, for which other features raise errors, and ``consistent()``."""

    added: tuple[str, ...] = ("validate", "consistent")

    def _validate(self, fgraph: Any) -> None:
        fgraph.execute_callbacks("validate")

    def _consistent(self, fgraph: Any) -> bool:
        try:
            fgraph.validate()
        except Exception:
            return False
        return True


class ReplaceValidate(History, Validator):
    """Adds ``replace_validate`` and ``replace_all_validate``: replacements that may be undone."""

    added = (
        *("checkpoint", "revert", "validate", "consistent"),
        *("replace_validate", "replace_all_validate", "replace_all_validate_remove"),
    )

    def __init__(self) -> None:
        super().__init__()
        self._removed: set[Any] = set()
        self._returned = False

    def _replace_validate(
        self, fgraph: Any, r: Variable, new_r: Variable, reason: object = None, **options: Any
    ) -> None:
        fgraph.replace_all_validate([(r, new_r)], reason=reason)

    def _replace_all_validate(
        self,
        fgraph: Any,
        replacements: Iterable[tuple[Variable, Variable]],
        reason: object = None,
        verbose: bool | None = None,
    ) -> int:
        checkpoint: int = fgraph.checkpoint()
        try:
            for old, new in replacements:
                fgraph.replace(old, new, reason=reason, verbose=False)
            fgraph.validate()
        except Exception:
            fgraph.revert(checkpoint)
            raise
        if verbose:
            print(reason, replacements)
        return checkpoint

    def _replace_all_validate_remove(
        self,
        fgraph: Any,
        replacements: Iterable[tuple[Variable, Variable]],
        remove: Sequence[Any],
        reason: object = None,
        warn: bool = True,
    ) -> None:
        pairs = list(replacements)
        checkpoint = fgraph.replace_all_validate(pairs, reason=reason)
        self._removed.update(remove)
        if any(item in fgraph for item in remove):
            fgraph.revert(checkpoint)
            if warn:
                print(
                    f"WARNING: {reason}: the replacement did not remove what it was to remove, and "
                    f"was undone: {pairs}",
                    file=sys.stderr,
                )
            raise ReplacementDidntRemovedError

    def on_import(self, fgraph: Any, node: Apply, reason: object) -> None:
        """Note whether a node comes back that was removed."""
        self._returned = self._returned or node in self._removed

    def validate(self, fgraph: Any) -> None:
        """Raise an error if a removed node has come back."""
        if self._returned:
            self._returned = False
            raise InconsistencyError("Trying to reintroduce a removed node")


class NodeFinder(Bookkeeper):
    """Adds ``get_nodes(op)``, which returns the nodes that apply an op."""

    def __init__(self) -> None:
        self.fgraph: Any = None
        self.d: dict[Any, list[Apply]] = {}

    def on_attach(self, fgraph: Any) -> None:
        """Add the method, and all nodes."""
        if self.fgraph is not None:
            raise ValueError("A NodeFinder instance can only serve one FunctionGraph.")
        if hasattr(fgraph, "get_nodes"):
            raise AlreadyThere("NodeFinder is already present or in conflict with another plugin.")
        self.fgraph = fgraph
        fgraph.get_nodes = partial(self.query, fgraph)
        super().on_attach(fgraph)

    def on_detach(self, fgraph: Any) -> None:
        """Remove the method."""
        if self.fgraph is not fgraph:
            raise ValueError("This NodeFinder instance was not attached to the provided fgraph.")
        self.fgraph = None
        del fgraph.get_nodes
        super().on_detach(fgraph)

    def on_import(self, fgraph: Any, node: Apply, reason: object) -> None:
        """Add a node, unless its op can't be hashed."""
        if _is_hashable(node.op):
            self.d.setdefault(node.op, []).append(node)

    def on_prune(self, fgraph: Any, node: Apply, reason: object) -> None:
        """Remove a node."""
        if _is_hashable(node.op):
            nodes = self.d[node.op]
            nodes.remove(node)
            if not nodes:
                del self.d[node.op]

    def query(self, fgraph: Any, op: Any) -> list[Apply]:
        """Return the nodes that apply an op.

        Raises
        ------
        TypeError
            If it can't be hashed.
        """
        return list(self.d.get(op, ()))


def _is_hashable(op: Any) -> bool:
    try:
        hash(op)
    except TypeError:
        return False
    return True


class PrintListener(Feature):
    """Prints each change."""

    def __init__(self, active: bool = True) -> None:
        self.active = active

    def _print(self, text: str) -> None:
        if self.active:
            print(f"-- {text}")

    def on_attach(self, fgraph: Any) -> None:
        """Print the graph."""
        self._print(f"attaching to: {fgraph}")

    def on_detach(self, fgraph: Any) -> None:
        """Print the graph."""
        self._print(f"detaching from: {fgraph}")

    def on_import(self, fgraph: Any, node: Apply, reason: object) -> None:
        """Print a new node."""
        self._print(f"importing: {node}, reason: {reason}")

    def on_prune(self, fgraph: Any, node: Apply, reason: object) -> None:
        """Print a node that is removed."""
        self._print(f"pruning: {node}, reason: {reason}")

    def on_change_input(
        self, fgraph: Any, node: Any, i: int, r: Variable, new_r: Variable, reason: object = None
    ) -> None:
        """Print a change."""
        self._print(f"changing ({node}.inputs[{i}]) from {r} to {new_r}")


class PreserveNames(Feature):
    """Replacements get the names of what they replace."""

    def on_change_input(
        self, fgraph: Any, node: Any, i: int, r: Variable, new_r: Variable, reason: object = None
    ) -> None:
        """Give the replacement the name."""
        if r.name is not None and new_r.name is None:
            new_r.name = r.name


PreserveVariableAttributes = PreserveNames


class NoOutputFromInplace(Feature):
    """Outputs must not be made in the memory of another array."""

    def __init__(self, first_output_idx: int = 0, last_output_idx: int | None = None) -> None:
        self.first_idx, self.last_idx = first_output_idx, last_output_idx

    def validate(self, fgraph: Any) -> None:
        """Raise an error if an output is."""
        for out in fgraph.outputs[self.first_idx : self.last_idx]:
            destroyed = getattr(out.owner.op, "destroy_map", {}) if out.owner is not None else {}
            if out.index in destroyed:
                raise InconsistencyError(f"the output {out} is made in the memory of an input")

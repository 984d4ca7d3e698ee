"""A graph that can be changed: what Theano's optimizers work on.

Functions are made from immutable graphs (:class:`symtheano.graph.intern.FunctionGraph`). An
optimizer of a user's gets a copy of one as a graph of this class, and what it has become is read
afterwards: see ``symtheano/compat/rules.py``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from symtheano.errors import (
    InconsistencyError as InconsistencyError,
    MissingInputError as MissingInputError,
    format_error,
)
from symtheano.graph.type import NullType
from symtheano.graph.variable import Apply, Constant, Variable
from symtheano.graph.walk import toposort

from . import toolbox
from .graph import as_string, clone as clone_graph, clone_get_equiv, io_toposort

Client = tuple[Any, int]
"""A node, or ``"output"``, and the position at which it uses a variable."""


class CachedConstantError(Exception):
    """A constant of several graphs. It is not raised, because graphs may share constants."""


class FunctionGraph:
    """The graph between inputs and outputs, which can be changed.

    Variables in it have the attributes ``fgraph`` and ``clients``, nodes ``fgraph``.

    Parameters
    ----------
    inputs, outputs
        Variables.
    features
        Objects whose methods are called when the graph changes (:class:`toolbox.Feature`).
    clone
        Whether to copy the graph first. Otherwise, nodes of the caller are changed.
    update_mapping
        Positions of inputs by those of the outputs that are their new values.

    Raises
    ------
    MissingInputError
        If an output needs a variable that is not an input.
    ValueError
        If an input is computed.
    """

    def __init__(
        self,
        inputs: Sequence[Variable],
        outputs: Sequence[Variable],
        features: Iterable[Any] | None = None,
        clone: bool = True,
        update_mapping: dict[int, int] | None = None,
    ) -> None:
        if clone:
            inputs, outputs = clone_graph(list(inputs), list(outputs))
        self._features: list[Any] = []
        self.apply_nodes: set[Apply] = set()
        self.variables: set[Variable] = set()
        self.inputs: list[Any] = list(inputs)
        self.outputs: list[Any] = list(outputs)
        self.profile = None
        self.update_mapping = update_mapping
        self.execute_callbacks_time = 0.0
        self.execute_callbacks_times: dict[Any, float] = {}
        for feature in features or ():
            self.attach_feature(feature)
        self.attach_feature(toolbox.ReplaceValidate())
        for item in self.inputs:
            if item.owner is not None:
                raise ValueError(
                    f"FunctionGraph: the input {item} is computed by a node; copy the graph first"
                )
            self._adopt(item)
        for place, item in enumerate(self.outputs):
            self._import(item, "init")
            item.clients.append(("output", place))

    # -- variables and nodes ----------------------------------------------------------------------

    def _adopt(self, variable: Variable) -> None:
        """Make a variable one of this graph."""
        owner = variable.__dict__.get("fgraph")
        if owner is not None and owner is not self and not isinstance(variable, Constant):
            raise ValueError(f"{variable} is already owned by another fgraph")
        if owner is not self or variable not in self.variables:
            variable.fgraph, variable.clients = self, []
            self.variables.add(variable)

    def _import(self, variable: Variable, reason: object) -> None:
        """Add a variable, and the nodes that compute it."""
        new = toposort([variable], self.variables)
        self._check(new, variable)
        for node in new:
            node.fgraph = self
            node.deps = {}
            self.apply_nodes.add(node)
            for output in node.outputs:
                self._adopt(output)
            for place, item in enumerate(node.inputs):
                self._adopt(item)
                item.clients.append((node, place))
            self.execute_callbacks("on_import", node, reason)
        self._adopt(variable)

    def _check(self, nodes: Sequence[Apply], variable: Variable) -> None:
        """Raise an error for nodes of other graphs, and for variables that are not there."""
        for node in nodes:
            owner = node.__dict__.get("fgraph")
            if owner is not None and owner is not self:
                raise ValueError(f"{node} is already owned by another fgraph")
        for item in (*(item for node in nodes for item in node.inputs), variable):
            if item.owner is not None or isinstance(item, Constant) or item in self.variables:
                continue
            if isinstance(item.type, NullType):
                raise TypeError(f"Computation graph contains a NaN. {item.type.why}")
            raise MissingInputError(
                format_error(
                    f"FunctionGraph: {item.describe()} is needed, and is not an input",
                    places=[item.origin],
                )
            )

    def add_input(self, input: Variable) -> None:
        """Add an input."""
        if input not in self.inputs:
            self.inputs.append(input)
            self._adopt(input)

    def clients(self, r: Variable) -> list[Client]:
        """Return the (node, position) pairs that use a variable."""
        found: list[Client] = r.__dict__["clients"]
        return found

    def disown(self) -> None:
        """Let other graphs have the nodes; this one is empty afterwards."""
        for feature in list(self._features):
            self.remove_feature(feature)
        for node in self.apply_nodes:
            node.__dict__.pop("fgraph", None)
            node.__dict__.pop("deps", None)
        for item in self.variables:
            item.__dict__.pop("fgraph", None)
            item.__dict__.pop("clients", None)
        self.apply_nodes, self.variables = set(), set()
        self.inputs, self.outputs = [], []

    # -- changes ----------------------------------------------------------------------------------

    def change_input(self, node: Any, i: int, new_r: Variable, reason: object = None) -> None:
        """Let a node, or ``"output"``, have ``new_r`` as its input number ``i``.

        Raises
        ------
        TypeError
            If the type is another one.
        """
        places = self.outputs if node == "output" else node.inputs
        old = places[i]
        if not toolbox.are_compatible(old.type, new_r.type):
            raise TypeError(
                "The type of the replacement must be the same as the type of the original Variable."
                f" {old} is {old.type}, {new_r} is {new_r.type}"
            )
        if old is new_r:
            return
        self._import(new_r, reason)
        places[i] = new_r
        new_r.clients.append((node, i))
        self._remove_client(old, (node, i), reason)
        self.execute_callbacks("on_change_input", node, i, old, new_r, reason=reason)

    def _remove_client(self, variable: Variable, client: Client, reason: object) -> None:
        """Remove a use of a variable, and nodes whose results nothing uses any more."""
        waiting = [(variable, client)]
        while waiting:
            item, use = waiting.pop()
            clients: list[Client] = item.clients
            clients.remove(use)
            if clients:
                continue
            node = item.owner
            if node is None:
                if item not in self.inputs:
                    self._release(item)
            elif node in self.apply_nodes and not any(out.clients for out in node.outputs):
                self.apply_nodes.discard(node)
                node.__dict__.pop("fgraph", None)
                for output in node.outputs:
                    self._release(output)
                self.execute_callbacks("on_prune", node, reason)
                waiting.extend((other, (node, k)) for k, other in enumerate(node.inputs))

    def _release(self, variable: Variable) -> None:
        self.variables.discard(variable)
        variable.__dict__.pop("fgraph", None)

    def replace(
        self, r: Variable, new_r: Variable, reason: object = None, verbose: bool | None = None
    ) -> None:
        """Use ``new_r`` wherever ``r`` is used.

        Raises
        ------
        BadOptimization
            If it can't be converted to the type of ``r``.
        ValueError
            If ``r`` belongs to another graph.
        """
        if verbose:
            print(reason, r, new_r)
        if r.__dict__.get("fgraph", self) is not self:
            raise ValueError(f"Cannot replace {r} because it does not belong to this FunctionGraph")
        if r not in self.variables:
            return
        replacement = toolbox.with_type_of(r, new_r)
        if replacement is None:
            raise toolbox.BadOptimization(
                r, new_r, None, None, f"{reason}. The type of the replacement must be the same."
            )
        for node, place in list(self.clients(r)):
            self.change_input(node, place, replacement, reason=reason)

    def replace_all(
        self, pairs: Iterable[tuple[Variable, Variable]], reason: object = None
    ) -> None:
        """Replace several variables."""
        for old, new in pairs:
            self.replace(old, new, reason=reason)

    # -- features ---------------------------------------------------------------------------------

    def attach_feature(self, feature: Any) -> None:
        """Add a feature, unless one that does the same is there."""
        if feature in self._features:
            return
        attach = getattr(feature, "on_attach", None)
        if attach is not None:
            try:
                attach(self)
            except toolbox.AlreadyThere:
                return
        self.execute_callbacks_times.setdefault(feature, 0.0)
        self._features.append(feature)

    def remove_feature(self, feature: Any) -> None:
        """Remove a feature, if it is there."""
        if feature not in self._features:
            return
        self._features.remove(feature)
        detach = getattr(feature, "on_detach", None)
        if detach is not None:
            detach(self)

    def execute_callbacks(self, name: str, *args: Any, **kwargs: Any) -> None:
        """Call the method ``name`` of each feature that has one."""
        for feature in list(self._features):
            method = getattr(feature, name, None)
            if method is not None:
                method(self, *args, **kwargs)

    def collect_callbacks(self, name: str, *args: Any) -> dict[Any, Any]:
        """Return the results of the method ``name`` of each feature that has one."""
        return {
            feature: getattr(feature, name)(*args)
            for feature in self._features
            if hasattr(feature, name)
        }

    # -- queries ----------------------------------------------------------------------------------

    def orderings(self) -> dict[Apply, list[Apply]]:
        """Return for nodes the others that have to come before, as features say."""
        result: dict[Apply, list[Apply]] = {}
        for feature in self._features:
            for node, before in getattr(feature, "orderings", lambda graph: {})(self).items():
                result.setdefault(node, []).extend(before)
        return result

    def toposort(self) -> list[Apply]:
        """Return the nodes in topological order."""
        return io_toposort(self.inputs, self.outputs, self.orderings())

    def check_integrity(self) -> None:
        """Raise an error if nodes, variables and uses do not agree.

        Raises
        ------
        InconsistencyError
            With the first disagreement.
        """
        nodes = set(toposort(self.outputs, set(self.inputs)))
        if nodes != self.apply_nodes:
            raise InconsistencyError(f"the nodes are not these: {nodes ^ self.apply_nodes}")
        for node in nodes:
            for place, item in enumerate(node.inputs):
                if (node, place) not in item.clients:
                    raise InconsistencyError(f"{item} does not know that {node} uses it")

    def clone(self, check_integrity: bool = True) -> FunctionGraph:
        """Return a copy."""
        return self.clone_get_equiv(check_integrity)[0]

    def clone_get_equiv(
        self, check_integrity: bool = True, attach_feature: bool = True
    ) -> tuple[FunctionGraph, dict[Any, Any]]:
        """Return a copy, and a dict from variables and nodes to their copies."""
        equivalent = clone_get_equiv(self.inputs, self.outputs)
        if check_integrity:
            self.check_integrity()
        copy = FunctionGraph(
            [equivalent[item] for item in self.inputs],
            [equivalent[item] for item in self.outputs],
            clone=False,
            update_mapping=self.update_mapping,
        )
        for feature in self._features if attach_feature else ():
            if not isinstance(feature, toolbox.ReplaceValidate):
                copy.attach_feature(feature)
        return copy, equivalent

    def __contains__(self, item: object) -> bool:
        return item in self.variables or item in self.apply_nodes

    def __reduce__(self) -> tuple[object, ...]:
        # What features have added are methods, which a new graph gets again.
        copy = clone_graph(self.inputs, self.outputs)
        return _restored, (*copy, self.update_mapping)

    def __str__(self) -> str:
        return f"[{', '.join(as_string(self.inputs, self.outputs))}]"

    __repr__ = __str__


def _restored(
    inputs: list[Variable], outputs: list[Variable], update_mapping: dict[int, int] | None
) -> FunctionGraph:
    return FunctionGraph(inputs, outputs, clone=False, update_mapping=update_mapping)

"""Replacement of sparse inputs and outputs of a function by their components."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from symtheano.errors import format_error
from symtheano.graph.origin import origin_scope
from symtheano.graph.variable import Constant, Variable
from symtheano.graph.walk import toposort
from symtheano.sparse.checked import checked
from symtheano.sparse.container import SparseContainer
from symtheano.sparse.csm import CSM, CSMProperties, as_sparse_variable, open_sparse, pack
from symtheano.sparse.parts import Parts
from symtheano.sparse.performed import Performed, performs
from symtheano.sparse.regular import Regular
from symtheano.sparse.variable import SparseMixin
from symtheano.tensor.shapes.shape import MakeVector, as_dim, as_dims
from symtheano.tensor.variable import Tensor, TensorSharedVariable


@dataclass(frozen=True, eq=False)
class Boundary:
    """The dense equivalent of a graph with sparse inputs and outputs.

    Attributes
    ----------
    inputs, outputs, shared
        For each input, output and shared variable of the graph, its dense replacements: four
        components if it is sparse, otherwise the variable itself.
    """

    inputs: list[list[Any]]
    outputs: list[list[Any]]
    shared: list[list[Any]]


def split_boundary(
    inputs: Sequence[Any], outputs: Sequence[Any], shared: Sequence[Any] = ()
) -> Boundary:
    """Return the dense equivalent of a graph.

    Parameters
    ----------
    inputs
        Variables whose values are passed in calls.
    outputs
        The expressions.
    shared
        The shared variables that are read or updated.

    Raises
    ------
    NotImplementedError
        If an op from outside this package has sparse inputs or outputs, and no ``perform``.

    Examples
    --------
    >>> x = symtheano.sparse.csr_matrix("x")
    >>> b = split_boundary([x], [x * 2])
    >>> b.inputs, len(b.outputs[0])
    ([[x.data, x.indices, x.indptr, x.columns]], 4)
    """
    walk = _Walk()
    entered = [walk.enter(variable) for variable in inputs]
    kept = [walk.enter(variable) for variable in shared]
    walk.run(outputs, {*inputs, *shared})
    return Boundary(entered, [walk.leave(item) for item in outputs], kept)


def open_graph(outputs: Sequence[Any], leaves: set[Any]) -> list[Any]:
    """Return expressions in terms of the components of the sparse matrices they depend on.

    Sparse matrices are left only as inputs, whose components are extracted, and as outputs.
    Variables in ``leaves`` are treated as inputs.
    """
    walk = _Opened()
    walk.run(outputs, leaves)
    return [walk.whole(item) for item in outputs]


class _Walk:
    """Replaces sparse variables in a graph, node by node."""

    def __init__(self) -> None:
        self.memo: dict[Any, Any] = {}
        self.parts: dict[Any, Parts] = {}

    def enter(self, variable: Any) -> list[Any]:
        """Return the dense replacements of an input."""
        if not isinstance(variable, SparseMixin):
            return [variable]
        kind = variable.type
        name = getattr(variable, "name", None) or "sparse"
        places = ("columns", "rows")[kind.major]
        names = [f"{name}.{what}" for what in ("data", "indices", "indptr", places)]
        container = getattr(variable, "container", None)
        with origin_scope(getattr(variable, "origin", None)):
            parts: list[Tensor]
            if isinstance(container, SparseContainer):
                parts = [
                    TensorSharedVariable(part.type, None, label, container=part)
                    for part, label in zip(container.parts, names, strict=True)
                ]
            else:
                pairs = zip(kind.part_types, names, strict=True)
                parts = [part.make_variable(label) for part, label in pairs]
            self.parts[variable] = checked(Parts(kind.format, *parts))
        return parts

    def run(self, roots: Sequence[Any], leaves: set[Any]) -> None:
        """Compute the dense equivalents of everything on which ``roots`` depend."""
        for node in toposort(roots, leaves):
            with origin_scope(node.origin):
                self._node(node)

    def _node(self, node: Any) -> None:
        if isinstance(node.op, CSM):
            parts = Parts(node.op.format, *(self.dense(item) for item in node.inputs))
            self.parts[node.outputs[0]] = parts
            return
        if isinstance(node.op, CSMProperties):
            parts = self.components(node.inputs[0])
            shape = MakeVector("int64")(*as_dims(parts.shape))
            mine = (parts.data, parts.indices, parts.indptr, shape)
            self.memo.update(zip(node.outputs, mine, strict=True))
            return
        if isinstance(node.op, Regular):
            self._remember(node.outputs[0], node.op.expand(*map(self.whole, node.inputs)))
            return
        sparse = [item for item in (*node.inputs, *node.outputs) if isinstance(item, SparseMixin)]
        if sparse:
            self._perform(node, sparse[0])
            return
        inputs = [self.dense(item) for item in node.inputs]
        if any(new is not old for new, old in zip(inputs, node.inputs, strict=True)):
            outputs = node.clone_with_new_inputs(inputs).outputs
            self.memo.update(zip(node.outputs, outputs, strict=True))

    def _perform(self, node: Any, sparse: Any) -> None:
        """Let the op's ``perform`` compute it, with components as inputs and outputs."""
        if not performs(node.op):
            raise NotImplementedError(
                format_error(
                    f"function: {node.op} has sparse inputs or outputs, and no perform",
                    operands=[(repr(sparse), str(sparse.type))],
                    places=[node.origin],
                    hint="pass components (csm_properties) to it, and make its result by CSM",
                )
            )
        takes, gives = (tuple(item.type for item in items) for items in (node.inputs, node.outputs))
        operands = [
            part
            for item in node.inputs
            for part in (self.leave(item) if isinstance(item, SparseMixin) else [self.dense(item)])
        ]
        made = iter(Performed(node.op, takes, gives, node).make_node(*operands).outputs)
        for item in node.outputs:
            if isinstance(item, SparseMixin):
                parts = Parts(item.type.format, *(next(made) for _ in item.type.part_types))
                self.parts[item] = checked(parts)
            else:
                self.memo[item] = next(made)

    def _remember(self, variable: Any, equivalent: Any) -> None:
        if isinstance(variable, SparseMixin):
            self.parts[variable] = open_sparse(equivalent)
        else:
            self.memo[variable] = equivalent

    def dense(self, variable: Any) -> Any:
        """Return the equivalent of a dense variable."""
        return self.memo.get(variable, variable)

    def components(self, variable: Any) -> Parts:
        """Return the components of a sparse variable."""
        parts = self.parts.get(variable)
        if parts is not None:
            return parts
        if isinstance(variable, Constant):
            return open_sparse(variable)
        raise NotImplementedError(
            format_error(
                f"function: the sparse matrix {variable!r} is needed but is not an input",
                operands=[(repr(variable), str(variable.type))],
                places=[variable.origin],
                hint="add it to the inputs, or replace it by givens",
            )
        )

    def whole(self, variable: Any) -> Any:
        """Return the equivalent of an operand of a :class:`Regular` op."""
        if isinstance(variable, SparseMixin):
            return pack(self.components(variable))
        return self.dense(variable)

    def leave(self, variable: Any) -> list[Variable]:
        """Return the dense replacements of an output."""
        if not isinstance(variable, SparseMixin):
            return [self.dense(variable)]
        parts = open_sparse(pack(self.components(as_sparse_variable(variable))))
        return [parts.data, parts.indices, parts.indptr, as_dim(parts.minor)]


class _Opened(_Walk):
    """The same, with the components that are extracted from sparse inputs."""

    def components(self, variable: Any) -> Parts:
        return self.parts.get(variable) or open_sparse(variable)

    def _node(self, node: Any) -> None:
        # The components of an input may be replaced, so that they stay the same variables.
        if isinstance(node.op, CSMProperties) and node.inputs[0] not in self.parts:
            return
        super()._node(node)

"""Where sparse matrices enter and leave a compiled function: as their components.

:func:`split_boundary` turns a graph with sparse inputs, shared variables and outputs into one of
dense arrays; the :class:`Boundary` it returns takes apart what a call gives, and assembles what
the dense function returns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from symtheano.errors import format_error
from symtheano.graph.origin import origin_scope
from symtheano.graph.shared import SharedVariable
from symtheano.graph.variable import Constant, Variable, rebuild
from symtheano.graph.walk import ancestors, toposort
from symtheano.sparse.checked import checked
from symtheano.sparse.csm import CSM, CSMProperties, as_sparse_variable, open_sparse, pack
from symtheano.sparse.parts import Parts
from symtheano.sparse.regular import Regular
from symtheano.sparse.type import SparseType
from symtheano.sparse.variable import SparseMixin
from symtheano.tensor.shape import MakeVector, as_dim, as_dims
from symtheano.tensor.type import TensorType


@dataclass(frozen=True, eq=False)
class Boundary:
    """The dense counterpart of a graph with sparse ends.

    Attributes
    ----------
    inputs
        Dense inputs: of each sparse input its four components, in its place; then the components
        of the sparse shared variables that are read.
    outputs
        Dense outputs: of each sparse output its four components, in its place; then those of the
        new values of sparse shared variables.
    updates
        The pairs (dense shared variable, new value).
    types
        Of the graph's inputs.
    shared
        The sparse shared variables that are read.
    results
        Types of the graph's outputs.
    stores
        The sparse shared variables that are updated.
    """

    inputs: list[Any]
    outputs: list[Any]
    updates: list[tuple[Any, Any]]
    types: list[Any]
    shared: list[Any]
    results: list[Any]
    stores: list[Any]

    def split(self, values: Sequence[Any]) -> list[Any]:
        """Return the dense function's arguments for values that the inputs' types accept."""
        given: list[Any] = []
        pairs = [*zip(self.types, values, strict=True)]
        pairs += [(variable.type, variable.container.value) for variable in self.shared]
        for kind, value in pairs:
            given.extend(kind.take_apart(value) if isinstance(kind, SparseType) else [value])
        return given

    def join(self, values: Sequence[Any]) -> list[Any]:
        """Return the outputs' values; sparse shared variables get their new ones."""
        items = iter(values)
        results = [_assembled(kind, items) for kind in self.results]
        news = [_assembled(variable.type, items) for variable in self.stores]
        for variable, new in zip(self.stores, news, strict=True):
            with variable.container:
                variable.container.value = new
        return results


def _assembled(kind: Any, items: Any) -> Any:
    if not isinstance(kind, SparseType):
        return next(items)
    return kind.assemble(next(items), next(items), next(items), int(next(items)))


def has_sparse(variables: Sequence[Any]) -> bool:
    """Tell whether any variable is a sparse matrix, or computed from one."""
    return any(isinstance(item, SparseMixin) for item in ancestors(variables))


def split_boundary(
    inputs: Sequence[Any],
    outputs: Sequence[Any],
    shareds: Sequence[Any] = (),
    updates: Sequence[tuple[Any, Any]] = (),
) -> Boundary:
    """Return the dense counterpart of a graph.

    Parameters
    ----------
    inputs
        Variables whose values a call gives.
    outputs
        What is computed.
    shareds
        Shared variables which the graph reads; others that it reads are found.
    updates
        Pairs (shared variable, new value of its type).

    Raises
    ------
    TypeError
        If a sparse shared variable is updated by another format, dtype, or a dense matrix.
    NotImplementedError
        If an op that this package does not know takes or makes sparse matrices.

    Examples
    --------
    >>> from symtheano.sparse.basic import csr_matrix
    >>> x = csr_matrix("x")
    >>> b = split_boundary([x], [x * 2])
    >>> b.inputs, len(b.outputs)
    ([x.data, x.indices, x.indptr, x.columns], 4)
    """
    news = [_fitting_update(target, new) for target, new in updates]
    roots = [*outputs, *news]
    walk = _Walk()
    dense_inputs = [item for variable in inputs for item in walk.enter(variable)]
    found = [v for v in ancestors(roots, inputs) if isinstance(v, SharedVariable)]
    read = [v for v in dict.fromkeys([*shareds, *found]) if isinstance(v, SparseMixin)]
    dense_inputs += [item for variable in read for item in walk.enter(variable)]
    walk.run(roots)
    dense: list[tuple[Any, Any]] = []
    sparse: list[tuple[Any, Any]] = []
    for target, new in zip([target for target, _ in updates], news, strict=True):
        (sparse if isinstance(target, SparseMixin) else dense).append((target, new))
    ends = [*outputs, *(new for _, new in sparse)]
    return Boundary(
        dense_inputs,
        [part for item in ends for part in walk.leave(item)],
        [(target, walk.dense(new)) for target, new in dense],
        [variable.type for variable in inputs],
        read,
        [item.type for item in outputs],
        [target for target, _ in sparse],
    )


def _fitting_update(target: Any, new: Any) -> Any:
    if not isinstance(target, SparseMixin):
        return new
    if not isinstance(new, SparseMixin) or new.type != target.type:
        raise TypeError(
            format_error(
                f"function: the update of {target!r} has another type than the variable",
                operands=[(repr(target), str(target.type)), ("update", str(new.type))],
                places=[new.origin, target.origin],  # type: ignore[attr-defined]
                hint="bring it to that format and dtype (to_format, csr_from_dense, cast)",
            )
        )
    return new


class _Walk:
    """Replaces what is sparse in a graph, node by node."""

    def __init__(self) -> None:
        self.memo: dict[Any, Any] = {}
        self.parts: dict[Any, Parts] = {}

    def enter(self, variable: Any) -> list[Any]:
        """Return the dense inputs that stand for an input."""
        if not isinstance(variable, SparseMixin):
            return [variable]
        kind = variable.type
        name = getattr(variable, "name", None) or "sparse"
        with origin_scope(getattr(variable, "origin", None)):
            data = TensorType(kind.dtype, (None,)).make_variable(f"{name}.data")
            indices = TensorType("int32", (None,)).make_variable(f"{name}.indices")
            indptr = TensorType("int32", (None,)).make_variable(f"{name}.indptr")
            places = ("columns", "rows")[kind.major]
            minor = TensorType("int64", ()).make_variable(f"{name}.{places}")
            self.parts[variable] = checked(Parts(kind.format, data, indices, indptr, minor))
        return [data, indices, indptr, minor]

    def run(self, roots: Sequence[Any]) -> None:
        """Find the dense counterpart of everything that ``roots`` need."""
        given = {*self.parts}
        for node in toposort(roots, given):
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
        for item in (*node.inputs, *node.outputs):
            if isinstance(item, SparseMixin):
                raise NotImplementedError(
                    format_error(
                        f"function: {node.op} takes or makes sparse matrices, which compiled code "
                        "does not",
                        operands=[(repr(item), str(item.type))],
                        places=[node.origin],
                        hint="give it the components (csm_properties), and make the matrix by CSM",
                    )
                )
        inputs = [self.dense(item) for item in node.inputs]
        if any(new is not old for new, old in zip(inputs, node.inputs, strict=True)):
            self.memo.update(zip(node.outputs, rebuild(node, inputs).outputs, strict=True))

    def _remember(self, variable: Any, made: Any) -> None:
        if isinstance(variable, SparseMixin):
            self.parts[variable] = open_sparse(made)
        else:
            self.memo[variable] = made

    def dense(self, variable: Any) -> Any:
        """Return the counterpart of a dense variable."""
        return self.memo.get(variable, variable)

    def components(self, variable: Any) -> Parts:
        """Return the components of a sparse variable."""
        known = self.parts.get(variable)
        if known is not None:
            return known
        if isinstance(variable, Constant):
            return open_sparse(variable)
        raise NotImplementedError(
            format_error(
                f"function: the sparse matrix {variable!r} is needed and not among the inputs",
                operands=[(repr(variable), str(variable.type))],
                places=[variable.origin],
                hint="add it to the inputs, or replace it by givens",
            )
        )

    def whole(self, variable: Any) -> Any:
        """Return the counterpart of an operand of a :class:`Regular` op."""
        if isinstance(variable, SparseMixin):
            return pack(self.components(variable))
        return self.dense(variable)

    def leave(self, variable: Any) -> list[Variable]:
        """Return the dense outputs that stand for an output."""
        if not isinstance(variable, SparseMixin):
            return [self.dense(variable)]
        parts = open_sparse(pack(self.components(as_sparse_variable(variable))))
        return [parts.data, parts.indices, parts.indptr, as_dim(parts.minor)]

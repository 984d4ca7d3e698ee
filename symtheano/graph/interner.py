"""Interner: the table in which equal nodes are one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice

from symtheano.graph.op import Op
from symtheano.graph.variable import Apply, Constant, Dim, Variable
from symtheano.graph.walk import toposort


class Interner:
    """Makes nodes unique: (op, inputs) is one :class:`Apply`, (type, value) one Constant.

    Interned nodes are never changed. Leaves other than constants are not replaced.

    Parameters
    ----------
    keeps_graphs
        Whether ops remain that others could replace, but that say ``keeps_graph``.

    Attributes
    ----------
    shapes
        The lengths of interned arrays as expressions, as far as they have been inferred.
    """

    def __init__(self, keeps_graphs: bool = False) -> None:
        self.keeps_graphs = keeps_graphs
        self._nodes: dict[tuple[Op, tuple[Variable, ...]], Apply] = {}
        self._constants: dict[tuple[object, ...], Constant] = {}
        self._memo: dict[Variable, Variable] = {}
        self.shapes: dict[Variable, tuple[Dim, ...]] = {}

    def __contains__(self, variable: Variable) -> bool:
        return self._memo.get(variable) is variable

    def __len__(self) -> int:
        return len(self._nodes)

    def since(self, count: int) -> list[Apply]:
        """Return the nodes made after the first ``count`` nodes."""
        missing = len(self._nodes) - count
        return list(islice(reversed(self._nodes.values()), missing))[::-1]

    def constant(self, constant: Constant) -> Constant:
        """Return the unique constant of this type and value."""
        return self._constants.setdefault(constant.signature(), constant)

    def apply(self, node: Apply, inputs: Sequence[Variable]) -> Apply:
        """Return the unique node that applies ``node.op`` to the interned ``inputs``."""
        key = (node.op, tuple(inputs))
        unique = self._nodes.get(key)
        if unique is None:
            unique = self._nodes[key] = node.clone_with_new_inputs(inputs)
            for variable in unique.outputs:
                self._memo[variable] = variable
        else:
            for kept, other in zip(unique.outputs, node.outputs, strict=True):
                if kept.name is None:
                    kept.name = other.name
        return unique

    def adopt(self, node: Apply) -> Apply:
        """Return the unique node equal to ``node``, whose inputs are interned."""
        unique = self._nodes.setdefault((node.op, tuple(node.inputs)), node)
        for variable in unique.outputs:
            self._memo[variable] = variable
        return unique

    def variable(self, variable: Variable) -> Variable:
        """Return the interned form of a leaf, or of a variable interned before."""
        interned = self._memo.get(variable)
        if interned is None:
            interned = self.constant(variable) if isinstance(variable, Constant) else variable
            self._memo[variable] = interned
        return interned

    def intern(self, outputs: Iterable[Variable]) -> list[Variable]:
        """Return the interned form of ``outputs``; their graphs are copied, not changed."""
        roots = list(outputs)
        memo = self._memo
        for node in toposort(roots, stop=memo.keys()):
            inputs = [self.variable(item) for item in node.inputs]
            kept = self.keeps_graphs and node.op.keeps_graph
            inlined = None if kept else node.op.inlined(inputs)
            replacements = (
                self.apply(node, inputs).outputs if inlined is None else self.intern(inlined)
            )
            for old, new in zip(node.outputs, replacements, strict=True):
                memo[old] = new
        return [self.variable(item) for item in roots]

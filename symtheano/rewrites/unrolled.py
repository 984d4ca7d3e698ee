"""Small arrays of static shape are computed element by element, in straight-line code."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from symtheano.graph.variable import Apply, Variable
from symtheano.lowering import Statements
from symtheano.rewrites.rule import OfStep, graph_rule


@graph_rule("scalarize", numerics="needs finite")
def scalarize_small_arrays(
    nodes: Sequence[Apply], outputs: Collection[Variable], of_step: OfStep
) -> Mapping[Variable, Variable]:
    """Products of small matrices, and what depends on them, become straight-line scalar code.

    A call of a product routine takes several times as long as the product at these sizes. The same
    holds for inverses, solutions, determinants and Cholesky factors.

    A group of arrays that are computed from one another is unrolled as a whole, or not at all; only
    if it is too long, decompositions remain calls. In
    products, zeros beside variables in one matrix are left out, such as those of a rotation, as
    well as what is multiplied by an element of zeros into which a part was stored: there,
    infinities and NaN do not spread. A matrix of numbers is multiplied as it is.
    """
    if not any(isinstance(node.op.lowering, Statements) and _is_static(node) for node in nodes):
        return {}
    from symtheano.rewrites.unrolled_groups import groups_as_scalars

    return groups_as_scalars(nodes, outputs)


def _is_static(node: Apply) -> bool:
    """Return whether all lengths of operands and results are known."""
    shapes = [getattr(item.type, "shape", (None,)) for item in (*node.inputs, *node.outputs)]
    return not any(None in shape for shape in shapes)

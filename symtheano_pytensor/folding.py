"""PyTensor's computation of constants, with the C library in place of SciPy.

PyTensor computes what depends on constants only while it rewrites, in Python. Most models have
constants such as logarithms of factorials, for which it imports ``scipy.special``: this takes as
long as a phase of rewrites.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from pytensor.compile.mode import optdb
from pytensor.graph.basic import Constant
from pytensor.graph.rewriting.basic import in2out, node_rewriter
from pytensor.tensor.rewriting.basic import constant_folding

from symtheano.scalar.evaluation import of_c_library

TAG = "symtheano_folding"
"""The tag of the rewrite, which no mode of PyTensor includes."""

REPLACED = "topo_constant_folding"
"""The name of PyTensor's own rewrite."""

PHASES = ("canonicalize", "stabilize", "specialize", "uncanonicalize")
AT_MOST = 10_000
"""Number of elements of the largest array that is computed in the C library."""


def computed_in_c(node: Any) -> Any:
    """Return the constant that a node computes; None if SciPy or others must compute it."""
    path = getattr(getattr(node.op, "scalar_op", None), "nfunc_spec", None) or ("",)
    package, _, name = path[0].rpartition(".")
    if package != "scipy.special" or not all(isinstance(item, Constant) for item in node.inputs):
        return None
    function, kind = of_c_library(name), node.outputs[0].type
    operand = np.asarray(node.inputs[0].data)
    if function is None or not kind.dtype.startswith("float") or operand.size > AT_MOST:
        return None
    return kind.clone(shape=operand.shape).make_constant(function(operand.astype(kind.dtype)))


@node_rewriter(None)  # type: ignore[untyped-decorator]
def fold(fgraph: Any, node: Any) -> Any:
    """Replace a node whose operands are constants by a constant."""
    constant = computed_in_c(node)
    return [constant] if constant is not None else constant_folding.transform(fgraph, node)


def register() -> None:
    """Add the rewrite to the phases that have PyTensor's."""
    for phase in PHASES:
        rewrite = in2out(fold, ignore_newtrees=True, name=TAG)
        optdb[phase].register(TAG, rewrite, final_rewriter=True)

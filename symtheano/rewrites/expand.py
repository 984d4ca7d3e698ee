"""The last phase: composite ops are expanded, so that they can be fused."""

from __future__ import annotations

from typing import Any

from symtheano.graph.variable import Apply
from symtheano.rewrites.rule import rule
from symtheano.tensor.nnet.softmax import AlongAxes


@rule("expand", tracks=[AlongAxes], numerics="reassociates")
def write_out_softmax(node: Apply) -> Any:
    """Softmax, logsoftmax and logsumexp are expanded to elementwise ops and reductions.

    Expansions for the same operand share the maximum, the exponentials and their sum.
    """
    return node.op.written_out(node.inputs[0])  # type: ignore[attr-defined]

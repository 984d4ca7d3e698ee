"""The last phase: ops that rules had to see as one are written out, so that they fuse."""

from __future__ import annotations

from typing import Any

from symtheano.graph.variable import Apply
from symtheano.rewrites.rule import rule
from symtheano.tensor.nnet.softmax import AlongAxes


@rule("expand", tracks=[AlongAxes], numerics="reassociates")
def write_out_softmax(node: Apply) -> Any:
    """Softmax, logsoftmax and logsumexp become elementwise ops and reductions.

    Those of one operand share maximum, exponentials and their sum, since these are equal nodes.
    """
    return node.op.written_out(node.inputs[0])  # type: ignore[attr-defined]

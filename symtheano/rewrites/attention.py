"""Attention: products with a softmax, and those of its gradient, become one op each."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from symtheano.graph.origin import origin_scope
from symtheano.graph.variable import Apply, Variable
from symtheano.rewrites.rule import OfStep, graph_rule
from symtheano.tensor.nnet.softmax import Softmax


@graph_rule("blas", numerics="needs finite", tracks=[Softmax])
def attention_by_blocks(
    nodes: Sequence[Apply], outputs: Collection[Variable], of_step: OfStep
) -> Mapping[Variable, Variable]:
    """``softmax(q @ k.T * scale + mask) @ v`` is computed in blocks of scores.

    So are the gradients of q, k and v. The scores are never in memory as a whole, if nothing else
    reads them. Keys and values that are parameters are not those of attention: softmax is the
    activation of a layer then, with few columns, for which the plain operations are faster. Scores
    of later columns that are chosen to be minus infinity, or a large negative
    number, count as nothing.
    """
    replacements: dict[Variable, Variable] = {}
    softmaxes = [node for node in nodes if isinstance(node.op, Softmax)]
    if not softmaxes:
        return replacements
    from symtheano.rewrites.attention_products import fused
    from symtheano.rewrites.attention_scores import Readers

    readers = Readers(nodes, outputs)
    for node in softmaxes:
        if node.op.axis == (node.outputs[0].ndim - 1,):  # type: ignore[attr-defined]
            with origin_scope(node.origin):
                replacements.update(fused(node, readers))
    return replacements

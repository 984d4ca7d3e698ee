"""Overlap: whether an op that changes a part of an array reads what it has changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from symtheano.codegen.plan.operands import Operands
from symtheano.codegen.plan.steps import Axes, Members
from symtheano.graph.variable import Apply
from symtheano.lowering import Parts
from symtheano.tensor.indexing.apart import is_apart, shows_part
from symtheano.tensor.variable import Tensor


def reads_its_changes(
    operands: Operands, node: Apply, feeds: Mapping[int, Members], number: int
) -> bool:
    """Return whether an op that works in an operand's memory may read what it has stored there.

    It does not if what it reads of the operand lies beside the part that it changes, as in
    ``set_subtensor(x[0], x[1] * 2)``, or is the element that it changes.

    Parameters
    ----------
    operands
        What steps read.
    node
        The op's node.
    feeds
        What makes values where they are put, by number of the input.
    number
        The input in whose memory it works.
    """
    start = operands.inputs(node)[number]
    if start not in operands.read_by_op(node, feeds, but=number):
        return False
    if not isinstance(node.op.lowering, Parts):
        return True
    return any(
        start in operands.roots(item, inline) and not _is_safe(operands, node, start, item, axes)
        for item, axes, inline in _reads(operands, node, feeds, number)
    )


def _reads(
    operands: Operands, node: Apply, feeds: Mapping[int, Members], but: int
) -> Iterator[tuple[Tensor, Axes | None, frozenset[Tensor]]]:
    """Yield what is read: an array, for which axes of the part, and what is computed inline.

    The axes are None for an array that is not read at the index of the part.
    """
    for number, item in enumerate(operands.inputs(node)):
        if number == but:
            continue
        feed = feeds.get(number)
        if feed is None or not operands.is_fed(feed, item):
            yield item, tuple(range(getattr(item, "ndim", 0))), frozenset()
            continue
        inline = frozenset(feed.inline)
        if operands.views.source(item).variable in inline:
            yield item, None, inline
        for member in feed.members:
            for read in member.node.inputs:
                if operands.views.source(read).variable not in feed.results:
                    yield read, member.axes if member.is_pointwise else None, inline


def _is_safe(
    operands: Operands, node: Apply, start: Tensor, item: Tensor, axes: Axes | None
) -> bool:
    source = operands.views.source(item)
    shown = source.variable.owner
    while shown is not None and shown.op.lowering.alternative is not None:
        source = operands.views.source(operands.shown_by(shown))  # what it may show instead is new
        shown = source.variable.owner
    if shown is None or not shown.op.lowering.is_view or operands.shown_by(shown) is not start:
        return False
    if is_apart(node, shown):
        return True
    here = tuple(range(source.variable.ndim))
    whole = operands.views.source(item).axes
    return axes == whole == source.axes == here and shows_part(node, shown)

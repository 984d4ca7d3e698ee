"""What puts values into a part of a result: the loop that stores them may compute them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Protocol

from symtheano.codegen.plan.fusion.forms import puts_of, selecting_inputs
from symtheano.codegen.plan.fusion.groups import Group
from symtheano.codegen.plan.fusion.reads import Reads, with_members
from symtheano.codegen.plan.fusion.remade import Remade
from symtheano.codegen.plan.operands import Operands
from symtheano.codegen.plan.overlap import reads_its_changes
from symtheano.codegen.plan.steps import VALUE, is_unit, through
from symtheano.codegen.plan.views import Views
from symtheano.dataclass import dataclass, replace
from symtheano.graph.variable import Apply
from symtheano.lowering import PUTS, Length, Parts, Scatter
from symtheano.tensor.variable import Tensor


class Placing(Protocol):
    """What is known of the nodes before an op: :class:`.placing.Placing`."""

    views: Views
    operands: Operands
    remade: Remade
    reads: dict[Apply, Reads]

    def is_placed(self, node: Apply) -> bool:
        """Return whether a node comes before the op."""

    def is_inline(self, variable: Tensor) -> bool:
        """Return whether elements are computed wherever they are read, and not in memory yet."""

    def inline_of(self, variable: Tensor) -> frozenset[Tensor]:
        """Return what is computed inline for a variable; what this reads is stored."""


@dataclass(frozen=True)
class Feeds:
    """What feeds an op.

    Attributes
    ----------
    nests
        For values that are put into the result what makes them there.
    copies_value
        Whether the value that is put has to be copied before.
    """

    nests: dict[int, Group]
    copies_value: bool = False


def feeds_of(placing: Placing, node: Apply, lent: Collection[Tensor]) -> Feeds:
    """Return what feeds an op on whole arrays.

    Parameters
    ----------
    placing
        What has been placed before.
    node
        The op's node.
    lent
        Inputs whose memory an output may use.
    """
    lowering = node.op.lowering
    if not isinstance(lowering, PUTS):
        return Feeds({})
    feeds: dict[int, Group] = {}
    without: dict[int, Group] = {}
    if isinstance(lowering, Scatter):
        outer, space = lowering.outer_axes(node.op, node), tuple(placing.views.shapes.scalars(node))
        sources = (placing.views.source(node.inputs[k]).variable for k in selecting_inputs(node))
        inline = frozenset[Tensor]().union(
            *(placing.inline_of(item) for item in sources if placing.is_inline(item))
        )
        without[VALUE] = Group(space, outer)
        feed = Group(space, outer, inline=inline)
        feeds[VALUE] = _fill(placing, feed, node.inputs[VALUE])
    else:
        for number in puts_of(node):
            item = node.inputs[number]
            alone = placing.remade.is_wanted_once(item)
            feed = _fill(placing, Group(tuple(placing.views.shapes.dims(item)), 0), item, alone)
            if placing.operands.is_fed(feed, item):
                feeds[number] = feed
    if not _must_be_stored(placing, node, feeds, lent):
        return Feeds(feeds)
    start = None if lowering.overwrites is None else node.inputs[lowering.overwrites]
    return Feeds(without, placing.operands.root(node.inputs[VALUE]) is start)


def _must_be_stored(
    placing: Placing, node: Apply, feeds: Mapping[int, Group], lent: Collection[Tensor]
) -> bool:
    """Return whether values must be stored, so that the op can work in its operand's memory.

    This is the case if the loop that puts the values would read what it has changed, as in
    ``set_subtensor(x[i], x[j] * 2)``, and nothing needs the old operand afterwards. A value that
    only shows the operand is copied.

    Where only edges remain, as in ``set_subtensor(x[1:], x[:-1] * 2)``, the op has other memory
    instead, to which it copies the edges: values would need as much, and would be copied. It works
    in its operand's memory if this is an input's that has been changed before.
    """
    lowering = node.op.lowering
    number = lowering.overwrites
    if number is None or not reads_its_changes(placing.operands, node, feeds, number):
        return False
    start = node.inputs[number]
    edges = isinstance(lowering, Parts) and lowering.leaves_edges(node.op, node)
    if edges and not _is_changed(start, lent):
        return False
    return _ends_with(placing, start, node, lent)


def _is_changed(array: Tensor, lent: Collection[Tensor]) -> bool:
    """Return whether an array is an input that lends its memory, with parts changed."""
    item = array
    while item.owner is not None and (number := item.owner.op.lowering.overwrites) is not None:
        item = item.owner.inputs[number]
    return item is not array and item in lent


def _ends_with(placing: Placing, start: Tensor, node: Apply, lent: Collection[Tensor]) -> bool:
    """Return whether a node is the last one that needs a value, which it may overwrite."""
    if start.owner is None and not (start in lent and _becomes_output(placing, node)):
        return False
    root = placing.operands.root
    if root(start) is not start or any(root(o) is start for o in placing.views.graph.outputs):
        return False
    waiting = [start]
    while waiting:
        for client in placing.views.readers(waiting.pop()):
            if client is node or not placing.views.is_shown(client):
                continue
            (output, *_) = client.outputs
            if placing.views.is_view(client) or placing.is_inline(output):
                waiting.append(output)
            elif not placing.is_placed(client) and not isinstance(client.op.lowering, Length):
                return False
    return True


def _becomes_output(placing: Placing, node: Apply) -> bool:
    """Return whether the result of a node is an output, perhaps after further changes."""
    result: Tensor = node.outputs[0]
    while result not in placing.views.graph.outputs:
        changing = [
            client
            for client in placing.views.readers(result)
            if (number := client.op.lowering.overwrites) is not None
            and client.inputs[number] is result
        ]
        if len(changing) != 1:
            return False
        (result,) = changing[0].outputs
    return True


def _fill(placing: Placing, feed: Group, item: Tensor, alone: bool = False) -> Group:
    """Give a nest the members that make a value, none where memory is better."""
    source = placing.views.source(item)
    if not is_unit(source.variable) and placing.is_inline(source.variable):
        feed = replace(feed, inline=feed.inline | placing.inline_of(source.variable))
    axes = through(source, tuple(range(item.ndim)))
    again = placing.remade.compute_again(source.variable, axes, instead=alone)
    return with_members(feed, again, placing.reads)

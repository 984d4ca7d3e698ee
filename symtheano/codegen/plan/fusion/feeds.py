"""What puts values into a part of a result: the loop that stores them may compute them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from symtheano.codegen.plan.fusion.groups import Group
from symtheano.codegen.plan.fusion.nests import Nests
from symtheano.codegen.plan.overlap import reads_its_changes
from symtheano.codegen.plan.steps import VALUE, is_unit, through
from symtheano.dataclass import replace
from symtheano.graph.variable import Apply
from symtheano.lowering import PUTS, Length, Parts, Scatter
from symtheano.tensor.variable import Tensor


class Feeds(NamedTuple):
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


def feeds_of(nests: Nests, node: Apply, lent: Collection[Tensor]) -> Feeds:
    """Return what feeds an op on whole arrays.

    Parameters
    ----------
    nests
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
        outer, space = lowering.outer_axes(node.op, node), tuple(nests.shapes.scalars(node))
        without[VALUE] = Group(space, outer)
        feeds[VALUE] = _fill(nests, Group(space, outer), node.inputs[VALUE])
    else:
        for number in lowering.put_inputs(node.op, node):
            item = node.inputs[number]
            alone = nests.remade.is_wanted_once(item)
            feed = _fill(nests, Group(tuple(nests.shapes.dims(item)), 0), item, alone)
            if nests.operands.is_fed(feed, item):
                feeds[number] = feed
    if not _must_be_stored(nests, node, feeds, lent):
        return Feeds(feeds)
    start = None if lowering.overwrites is None else node.inputs[lowering.overwrites]
    return Feeds(without, nests.operands.root(node.inputs[VALUE]) is start)


def _must_be_stored(
    nests: Nests, node: Apply, feeds: Mapping[int, Group], lent: Collection[Tensor]
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
    if number is None or not reads_its_changes(nests.operands, node, feeds, number):
        return False
    start = node.inputs[number]
    edges = isinstance(lowering, Parts) and lowering.leaves_edges(node.op, node)
    if edges and not _is_changed(start, lent):
        return False
    return _ends_with(nests, start, node, lent)


def _is_changed(array: Tensor, lent: Collection[Tensor]) -> bool:
    """Return whether an array is an input that lends its memory, with parts changed."""
    item = array
    while item.owner is not None and (number := item.owner.op.lowering.overwrites) is not None:
        item = item.owner.inputs[number]
    return item is not array and item in lent


def _ends_with(nests: Nests, start: Tensor, node: Apply, lent: Collection[Tensor]) -> bool:
    """Return whether a node is the last one that needs a value, which it may overwrite."""
    if start.owner is None and not (start in lent and _becomes_output(nests, node)):
        return False
    root = nests.operands.root
    if root(start) is not start or any(root(o) is start for o in nests.views.graph.outputs):
        return False
    waiting = [start]
    while waiting:
        for client in nests.views.readers(waiting.pop()):
            if client is node or not nests.views.is_shown(client):
                continue
            (output, *_) = client.outputs
            if nests.views.is_view(client) or nests.is_inline(output):
                waiting.append(output)
            elif output not in nests.first and not isinstance(client.op.lowering, Length):
                return False
    return True


def _becomes_output(nests: Nests, node: Apply) -> bool:
    """Return whether the result of a node is an output, perhaps after further changes."""
    result: Tensor = node.outputs[0]
    while result not in nests.views.graph.outputs:
        changing = [
            client
            for client in nests.views.readers(result)
            if (number := client.op.lowering.overwrites) is not None
            and client.inputs[number] is result
        ]
        if len(changing) != 1:
            return False
        (result,) = changing[0].outputs
    return True


def _fill(nests: Nests, feed: Group, item: Tensor, alone: bool = False) -> Group:
    """Give a nest the members that make a value, none where memory is better."""
    source = nests.views.source(item)
    if not is_unit(source.variable) and nests.is_inline(source.variable):
        feed = replace(feed, inline=frozenset(nests.inline_of(source.variable)))
    axes = through(source, tuple(range(item.ndim)))
    return nests.with_members(
        feed, nests.remade.compute_again(source.variable, axes, instead=alone)
    )

"""What puts values into a part of a result: the loop that stores them may compute them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from symtheano.codegen.plan.steps import VALUE, Nest, OpStep, is_unit
from symtheano.graph.op import PUTS
from symtheano.graph.variable import Apply

if TYPE_CHECKING:
    from symtheano.codegen.plan.schedule import Schedule


def feeds_of(schedule: Schedule, node: Apply) -> dict[int, Nest]:
    """Return for values that are put into a result what makes them there."""
    op: Any = node.op
    if op.form == "scatter":
        empty, feed = (
            Nest(list(schedule.shapes.scalars(node)), op.outer_axes(node)) for _ in range(2)
        )
        feeds = {VALUE: _fill(schedule, feed, node.inputs[VALUE])}
        return {VALUE: empty} if _reads_what_it_overwrites(schedule, node, feeds) else feeds
    feeds = {}
    if op.form == "parts":
        for number in op.put_inputs(node):
            item = node.inputs[number]
            feed = _fill(
                schedule, Nest(list(schedule.dims(item)), 0), item, schedule.is_wanted_once(item)
            )
            if schedule.is_fed(feed, item):
                feeds[number] = feed
    return {} if _reads_what_it_overwrites(schedule, node, feeds) else feeds


def _reads_what_it_overwrites(schedule: Schedule, node: Apply, feeds: dict[int, Nest]) -> bool:
    """Return whether values must be stored, so that the op can work in its operand's memory.

    This is the case if the loop that puts the values would read the operand that it changes,
    as in ``inc_subtensor(x[i], x[i] * 2)``, and nothing needs the old operand afterwards. A
    value that only shows the operand is copied.
    """
    number = node.op.overwrites
    if number is None or node.op.form not in PUTS:
        return False
    start, value = node.inputs[number], node.inputs[VALUE]
    if start not in schedule.read_by_op(OpStep(node, feeds), but=number):
        return False
    if not _ends_with(schedule, start, node):
        return False
    if schedule.root(value) is start:
        schedule.copies[node, VALUE] = schedule.copy_of(value)
    return True


def _ends_with(schedule: Schedule, start: Any, node: Apply) -> bool:
    """Return whether a node is the last one that needs a value, which it may overwrite."""
    if start.owner is None and not (start in schedule.lent and _becomes_output(schedule, node)):
        return False
    if schedule.root(start) is not start or any(
        schedule.root(o) is start for o in schedule.graph.outputs
    ):
        return False
    waiting = [start]
    while waiting:
        for client, _ in schedule.clients.get(waiting.pop(), ()):
            if client is node or not isinstance(client, Apply) or not schedule.is_shown(client):
                continue
            (output, *_) = client.outputs
            if schedule.is_view(client) or schedule.is_inline(output):
                waiting.append(output)
            elif output not in schedule.ready.first and client.op.form != "length":
                return False
    return True


def _becomes_output(schedule: Schedule, node: Apply) -> bool:
    """Return whether the result of a node is an output, perhaps after further changes."""
    (result,) = node.outputs
    while result not in schedule.graph.outputs:
        clients = [client for client, _ in schedule.clients.get(result, ())]
        later = [c for c in clients if isinstance(c, Apply) and c.op.overwrites is not None]
        changing = [c for c in later if c.inputs[c.op.overwrites] is result]  # type: ignore[index]
        if len(changing) != 1:
            return False
        (result,) = changing[0].outputs
    return True


def _fill(schedule: Schedule, feed: Nest, item: Any, alone: bool = False) -> Nest:
    """Give a nest the members that make a value, none where memory is better."""
    source = schedule.source(item)
    if not is_unit(source.variable) and schedule.is_inline(source.variable):
        schedule.add_inline(feed, source.variable)
    for member in schedule.compute_again(tuple(range(item.ndim)), [source], instead=alone):
        schedule.add_member(feed, member)
    return feed

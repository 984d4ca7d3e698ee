"""Candidates: the nests that a node may join, and those that become one for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from symtheano.codegen.plan.fusion.choices import (
    Choice,
    Refusal,
    Saved,
    saved_by_joining,
    saved_by_merging,
)
from symtheano.codegen.plan.fusion.groups import Group
from symtheano.codegen.plan.fusion.merge import why_not_larger, why_not_together
from symtheano.codegen.plan.fusion.nests import Nests, in_any_order
from symtheano.codegen.plan.steps import Member, Source, is_unit
from symtheano.graph.variable import Apply
from symtheano.lowering import REDUCTIONS, Elementwise
from symtheano.tensor.variable import Tensor

# Maximum number of nests over the same lengths that are searched for one that reads the same data.
_LOOK_BACK = 4


LATE = "it runs before something that is needed"
"""Why a node can't join a group, or two groups are not merged."""


Fit = tuple[Group, Member]
"""A group that a node may join, and the member that it becomes."""


class Candidate(NamedTuple):
    """A group that may be joined: its number, and what this would save."""

    number: int
    saved: Saved


def join(
    nests: Nests, node: Apply, operands: Sequence[Source], fit: Callable[[int], Fit | str]
) -> tuple[Refusal, ...] | None:
    """Add a node to the best group where it fits; if there is none, return why not.

    Parameters
    ----------
    nests
        The steps.
    node, operands
        The node, and what it reads at its own index.
    fit
        Returns for the number of a group how the node fits, or why not.
    """
    refused: list[Refusal] = []
    for number, saved in candidates(nests, node, operands):
        found = fit(number)
        if not isinstance(found, str):
            nests.add(number, *found)
            nests.note(Choice(node, number, saved, tuple(refused)))
            return None
        if nests.listens:
            refused.append(Refusal(number, saved, found))
    return tuple(refused)


def candidates(nests: Nests, node: Apply, operands: Sequence[Source]) -> list[Candidate]:
    """Return the groups that a node may join, those that pass on most bytes to it first.

    Where groups pass on the same, the nests of its operands come first, the latest before others,
    then those that read its data, then those of what its result will be combined with.
    """
    numbers = sorted(nests.homes(operands), reverse=True)
    reduction = isinstance(node.op.lowering, REDUCTIONS)
    spread = node.inputs[0] if reduction else node.outputs[0]
    dims, lengths = nests.shapes.dims(spread), spread.type.shape
    space = in_any_order([d for d, length in zip(dims, lengths, strict=True) if length != 1])
    read = [operand.variable for operand in operands]
    leaves = {*read, *map(nests.operands.root, read)}
    latest = nests.by_space.get(space, [])[-_LOOK_BACK:]
    for number in latest if reduction else latest[::-1]:  # what is reduced early is used early
        if number not in numbers and _shares(nests.groups[number], leaves):
            numbers.append(number)
    for number in _homes_of_partners(nests, node):
        if number not in numbers and in_any_order(nests.groups[number].space) == space:
            numbers.append(number)
    if len(numbers) < 2 and not nests.listens:
        return [Candidate(number, Saved()) for number in numbers]
    scored = [Candidate(k, saved_by_joining(nests.groups[k], read, nests.memory)) for k in numbers]
    if len(scored) > 1:
        scored.sort(key=lambda candidate: -nests.bytes_of(candidate.saved))
    return scored


def _shares(group: Group, leaves: set[Tensor]) -> bool:
    """Return whether a group reads or computes one of some arrays."""
    return bool(group.leaves.keys() & leaves or group.results.keys() & leaves)


def _homes_of_partners(nests: Nests, node: Apply) -> Iterator[int]:
    """Yield the numbers of the groups of what a node's results will be combined with."""
    for output in node.outputs:
        for client in _first_readers(nests, output):
            if isinstance(client.op.lowering, Elementwise):
                for item in client.inputs:
                    home = nests.number.get(nests.views.source(item).variable)
                    if home is not None:
                        yield home


def _first_readers(nests: Nests, variable: Tensor) -> list[Apply]:
    uses = nests.views.clients.get(variable, ())[:_LOOK_BACK]
    return [client for client, _ in uses if isinstance(client, Apply)]


def why_not_join(nests: Nests, number: int, node: Apply, operands: Sequence[Source]) -> str | None:
    """Return why a node can't be added to a group, None if it may be.

    What it needs must be there before the group runs, and the group must not get too large.

    Parameters
    ----------
    nests
        The steps.
    number
        The number of the group.
    node, operands
        The node, and what it reads at its own index.
    """
    group = nests.groups[number]
    inside = {o.variable for o in operands if o.variable in group.results}
    sources = [nests.views.source(item).variable for item in node.inputs]
    arrays = [item for item in {*sources} - inside if not is_unit(item)]
    rows = any(map(_divides_axes, (node, *_first_readers(nests, node.outputs[0]))))
    larger = why_not_larger(group, 1, arrays, rows, nests.costs)
    if larger is not None:
        return larger
    awaited = _awaited_outside(nests, node, sources, inside)
    return None if nests.of_all(awaited) <= number else LATE


def _awaited_outside(
    nests: Nests, node: Apply, sources: Sequence[Tensor], inside: set[Tensor]
) -> list[Tensor]:
    """Return what a member needs before its nest runs, which computes some values itself."""
    awaited = nests.needs.besides(node)
    for item, source in zip(node.inputs, sources, strict=True):
        if source in inside:
            awaited += nests.needs.checked_between(item, source)
        else:
            awaited += [source, item, *nests.read_inline(source)]
    return awaited


def merge_homes(nests: Nests, node: Apply, operands: Sequence[Source]) -> None:
    """Merge the groups that compute a node's operands, if the later ones could run earlier.

    Those that pass on most bytes come first.
    """
    numbers = nests.homes(operands)
    if len(numbers) < 2:
        return
    first, *later = sorted(numbers)
    groups, read = nests.groups, [operand.variable for operand in operands]
    memory = nests.memory
    scored = [Candidate(k, saved_by_merging(groups[first], groups[k], read, memory)) for k in later]
    if len(scored) > 1:
        scored.sort(key=lambda candidate: -nests.bytes_of(candidate.saved))
    for number, saved in scored:
        reason = why_not_merged(nests, first, number)
        if reason is None:
            nests.merge(first, number)
            nests.note(Choice(node, first, saved, source=number))
        else:
            refusal = Refusal(first, saved, reason)
            nests.note(Choice(node, number, refused=(refusal,), source=number))


def why_not_merged(nests: Nests, first: int, second: int) -> str | None:
    """Return why a later group can't become a part of an earlier one; None if it may."""
    group = nests.groups[second]
    reason = why_not_together(nests.groups[first], group, nests.costs)
    if reason is None and not _may_run_at(nests, first, group):
        return LATE
    return reason


def _may_run_at(nests: Nests, position: int, group: Group) -> bool:
    """Return whether everything that a group needs from outside is there before a step."""
    own = {member.result for member in group.members}
    for member in group.members:
        inside = own if member.is_pointwise else set()
        sources = [nests.views.source(item).variable for item in member.node.inputs]
        awaited = _awaited_outside(nests, member.node, sources, inside)
        if nests.of_all(awaited) > position:
            return False
    return True


def _divides_axes(node: Apply) -> bool:
    """Return whether a node reduces some axes and keeps others."""
    return isinstance(node.op.lowering, REDUCTIONS) and not is_unit(node.outputs[0])

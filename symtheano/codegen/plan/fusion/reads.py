"""What members read: at their own index, inline, or anywhere; and groups with more members."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from symtheano.codegen.plan.fusion.fit import is_own
from symtheano.codegen.plan.fusion.groups import Group
from symtheano.codegen.plan.steps import Member, Source, result_axes, through
from symtheano.dataclass import dataclass
from symtheano.graph.variable import Apply, Constant
from symtheano.tensor.variable import Tensor

_Key = TypeVar("_Key")
_Item = TypeVar("_Item")


@dataclass(frozen=True)
class Reads:
    """What a node reads as a member of a group.

    Attributes
    ----------
    sources
        The source of each input.
    leaves
        Arrays that it reads unless its group computes them: the position of the source that each
        belongs to, the array, and whether it is the source itself.
    inline
        For sources that are computed inline the variables that are, for their sake.
    """

    sources: tuple[Source, ...]
    leaves: tuple[tuple[int, Tensor, bool], ...]
    inline: Mapping[Tensor, frozenset[Tensor]]


def inline_parts(
    variable: Tensor, source_of: Callable[[Tensor], Source], is_inline: Callable[[Tensor], bool]
) -> tuple[list[Tensor], list[Tensor]]:
    """Return what is computed inline for a variable, and what this reads from memory."""
    inline: list[Tensor] = []
    read: list[Tensor] = []
    stack = [variable]
    while stack:
        item = stack.pop()
        inline.append(item)
        for part in item.owner.inputs if item.owner is not None else ():
            source = source_of(part).variable
            (stack if is_inline(source) else read).append(source)
    return inline, read


def reads_of(
    node: Apply,
    source_of: Callable[[Tensor], Source],
    root_of: Callable[[Tensor], Tensor],
    inline: Mapping[Tensor, frozenset[Tensor]],
) -> Reads:
    """Return what a node reads as a member of a group.

    Parameters
    ----------
    node
        The node.
    source_of, root_of
        Return the source of a variable, and the array whose memory has its elements.
    inline
        For sources that are computed inline the variables that are, for their sake.
    """
    sources = tuple(map(source_of, node.inputs))
    leaves: list[tuple[int, Tensor, bool]] = []
    for k, shown in enumerate(sources):
        source = shown.variable
        if source.ndim and not isinstance(source, Constant):
            root = root_of(source)
            leaves.append((k, source, True))
            if root is not source:
                leaves.append((k, root, False))
    return Reads(sources, tuple(leaves), inline)


def with_members(
    group: Group, members: Iterable[Member], reads: Mapping[Apply, Reads], consume: bool = False
) -> Group:
    """Return a group with more members.

    Parameters
    ----------
    group
        The group.
    members
        The members, each after those it needs.
    reads
        What they read.
    consume
        Whether nobody else has the tables of the group, so that they become those of the new one.
    """
    new = tuple(members)
    if not new:
        return group
    results, depths = _writable(group.results, consume), _writable(group.depths, consume)
    leaves, inline, deepest = _writable(group.leaves, consume), set(group.inline), group.depth
    for member in new:
        output, read, pointwise = member.result, reads[member.node], member.is_pointwise
        depth = 1
        for source in read.sources:
            depth = max(depth, 1 + depths.get(source.variable, 0))
        for k, leaf, itself in read.leaves:
            shown = read.sources[k]
            if pointwise and shown.variable in results:
                continue
            leaves.setdefault(leaf, through(shown, member.axes) if itself and pointwise else ())
        for inlined, parts in read.inline.items():
            if not (pointwise and inlined in results):
                inline |= parts
        if member.role == "point":
            results[output] = member.axes
        elif member.role == "row" or member.role == "column":
            kept = result_axes(member)
            if member.role == "row" or (group.split and is_own(group, kept)):
                results[output] = kept
        depths[output] = depth
        deepest = max(deepest, depth)
    members = (*group.members, *new)
    return Group(
        group.space, group.split, members, results, leaves, frozenset(inline), depths, deepest
    )


def _writable(table: Mapping[_Key, _Item], consume: bool) -> dict[_Key, _Item]:
    return table if consume and isinstance(table, dict) else dict(table)

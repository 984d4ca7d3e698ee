"""Choices: which group a node joined, what this saves, and why it did not join others."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple

from symtheano.codegen.plan.fusion.groups import Group
from symtheano.graph.variable import Apply
from symtheano.tensor.variable import Tensor


class Saved(NamedTuple):
    """What need not be moved between registers and memory if work shares a nest.

    Attributes
    ----------
    kept
        Values that are passed on in registers, instead of being loaded.
    stores
        Those of them that need not be stored, unless something else reads them from memory.
    shared
        Arrays that both read, which are loaded once.
    """

    kept: tuple[Tensor, ...] = ()
    stores: tuple[Tensor, ...] = ()
    shared: tuple[Tensor, ...] = ()


class Refusal(NamedTuple):
    """A group that a node, or another group, did not join.

    Attributes
    ----------
    number
        The number of the group.
    saved
        What would have been saved.
    reason
        Why not.
    """

    number: int
    saved: Saved
    reason: str


class Choice(NamedTuple):
    """Where a node was placed, or a group that another one got.

    Attributes
    ----------
    node
        The node, or the one that combines results of the two groups; None for groups that only read
        the same arrays.
    number
        The number of the group.
    saved
        What is saved; nothing for a group that was opened.
    refused
        The other groups that share data, those that save most first.
    source
        The number of the group that another one got; None for a node.
    opened
        Whether the group was opened for the node.
    """

    node: Apply | None
    number: int
    saved: Saved = Saved()
    refused: tuple[Refusal, ...] = ()
    source: int | None = None
    opened: bool = False


def saved_by_joining(
    group: Group, read: Iterable[Tensor], memory: Collection[Tensor] = ()
) -> Saved:
    """Return what is saved if a node that reads some arrays joins a group.

    Parameters
    ----------
    group
        The group.
    read
        What the node reads.
    memory
        What is stored for others.

    Examples
    --------
    >>> x, y = T.exp(T.vector("x")), T.vector("y")
    >>> group = Group((), results={x: (0,)}, leaves={y: (0,)})
    >>> saved = saved_by_joining(group, [x, y, T.vector("z")])
    >>> saved == Saved(kept=(x,), stores=(x,), shared=(y,))
    True
    """
    kept: dict[Tensor, None] = {}
    shared: dict[Tensor, None] = {}
    for item in read:
        if item in group.results:
            kept[item] = None
        elif item in group.leaves:
            shared[item] = None
    stores = tuple([item for item in kept if item not in memory])
    return Saved(tuple(kept), stores, tuple(shared))


def saved_by_merging(
    first: Group, second: Group, read: Iterable[Tensor], memory: Collection[Tensor] = ()
) -> Saved:
    """Return what is saved if two groups become one, whose results a node then reads."""
    kept = [item for item in dict.fromkeys(read) if item in second.results]
    stores = [item for item in kept if item not in memory]
    shared = [item for item in second.leaves if item in first.leaves]
    return Saved(tuple(kept), tuple(stores), tuple(shared))

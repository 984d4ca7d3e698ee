"""Siblings: groups that read the same arrays, and need nothing of each other, become one.

A node that is placed joins the group of its operands, although another one may read the same array.
When all nodes are placed, what is left of this is merged: pairs are scored by the bytes that need
not be loaded twice, and the best goes first.
"""

from __future__ import annotations

from heapq import heapify, heappop

from symtheano.codegen.plan.fusion.candidates import why_not_merged
from symtheano.codegen.plan.fusion.choices import Choice, Refusal, saved_by_merging
from symtheano.codegen.plan.fusion.groups import Group
from symtheano.codegen.plan.fusion.nests import Nests
from symtheano.tensor.variable import Tensor

# Maximum number of later groups that are tried for each array of a group.
_TRIED = 4


def merge_siblings(nests: Nests) -> None:
    """Merge groups over the same lengths that read the same arrays, the best pairs first."""
    groups = nests.groups
    pairs = [(-_shared_bytes(nests, a, b), a, b) for a, b in _pairs(groups)]
    heapify(pairs)
    merged_into: dict[int, int] = {}
    tried: set[tuple[int, int]] = set()
    while pairs:
        _, first, second = heappop(pairs)
        first, second = _current(merged_into, first), _current(merged_into, second)
        first, second = min(first, second), max(first, second)
        if first == second or (first, second) in tried:
            continue
        tried.add((first, second))
        saved = saved_by_merging(groups[first], groups[second], ())
        reason = why_not_merged(nests, first, second)
        if reason is None:
            nests.merge(first, second)
            merged_into[second] = first
            nests.note(Choice(None, first, saved, source=second))
        else:
            refusal = Refusal(first, saved, reason)
            nests.note(Choice(None, second, refused=(refusal,), source=second))


def _pairs(groups: dict[int, Group]) -> list[tuple[int, int]]:
    """Return the pairs of groups over the same lengths that read an array, each once."""
    readers: dict[tuple[Tensor, object], list[int]] = {}
    for number, group in groups.items():
        for leaf in group.leaves if group.members else ():
            readers.setdefault((leaf, group.space), []).append(number)
    pairs: dict[tuple[int, int], None] = {}
    for numbers in readers.values():
        for k, first in enumerate(numbers):
            for second in numbers[k + 1 : k + 1 + _TRIED]:
                pairs[first, second] = None
    return list(pairs)


def _shared_bytes(nests: Nests, first: int, second: int) -> int:
    groups = nests.groups
    return nests.bytes_read_once(saved_by_merging(groups[first], groups[second], ()))


def _current(merged_into: dict[int, int], number: int) -> int:
    while number in merged_into:
        number = merged_into[number]
    return number

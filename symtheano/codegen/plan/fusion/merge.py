"""Merging of nests whose results are combined: the later one becomes a part of the earlier one.

Nodes are placed in topological order, so `sin(a)` and `cos(b)` open nests of their own before a sum
of both is seen. Merged, neither needs memory.

What shares a nest saves a store and a load of each value that is passed on, and loads of arrays
that are read twice. Values that do not fit into registers are cheap beside that. But loops may get
too large in several ways; the numbers were measured on an AVX-512 processor with gcc:

- Arrays: lines of arrays that begin at the same place of a page replace each other in the cache,
  and prefetchers follow few streams. A sum of products of 40 arrays took 1.6 of the time in one
  nest instead of two, and of 100 arrays 5 times as long as in five.
- Members that wait for one another: a processor looks ahead a few hundred instructions. If the body
  of a loop is longer, the next iteration does not fill the time in which members wait. 1,500
  members, three at a time, took 2 of the time of nests of 120; 1,000 with five at a time took 0.4,
  and half the time to compile.
- Rows and columns: their loops have remainders for each row, values are kept or computed again in
  later stages, and passes write some loops twice.
- Length: compilers take more than linear time for very long functions, and compile one at a time.
"""

from __future__ import annotations

from collections.abc import Collection

from symtheano.codegen.plan.fusion.groups import Group
from symtheano.tensor.variable import Tensor

# Maximum number of arrays that a nest reads.
_ARRAYS = 32
# Maximum number of members, and number up to which it does not matter how they depend on others.
_MEMBERS = 1000
_AHEAD = 120
# Number of members that have to be independent of each other, on average, in larger nests.
_AT_A_TIME = 4


def may_grow(
    nest: Group, count: int, arrays: Collection[Tensor], rows: bool, depth: int = 0
) -> bool:
    """Return whether a nest of a suitable size results if members are added.

    Parameters
    ----------
    nest
        The nest.
    count
        Number of new members.
    arrays
        What they read from memory.
    rows
        Whether rows or columns will be reduced.
    depth
        Number of new members that wait for one another.
    """
    total = len(nest.members) + count
    if total > _AHEAD:
        depth = max(depth, nest.depth)
        if rows or nest.split or total > _MEMBERS or total < _AT_A_TIME * depth:
            return False
    new = sum(array not in nest.leaves for array in arrays)
    return not new or len(nest.leaves) + new <= _ARRAYS


def fit_together(first: Group, second: Group) -> bool:
    """Return whether two nests may share their loops, as far as these are concerned.

    Nests that use their reductions have stages, in which values of the other nest would have to be
    kept.
    """
    splits = {first.split, second.split} - {None}
    if first is second or first.space != second.space or len(splits) > 1 or 0 in splits:
        return False
    if not may_grow(first, len(second.members), second.leaves, bool(second.split), second.depth):
        return False
    if any(first.results.get(value, axes) != axes for value, axes in second.results.items()):
        return False
    return not any(
        member.role != "point" and member.result in nest.results
        for nest in (first, second)
        for member in nest.members
    )


def merged(first: Group, second: Group) -> Group:
    """Return the group that has all of two groups, first what the first one has."""
    computed = {member.result for member in first.members}
    return Group(
        first.space,
        second.split if first.split is None else first.split,
        (*first.members, *(m for m in second.members if m.result not in computed)),
        {**first.results, **second.results},
        (*first.stores, *(item for item in second.stores if item not in first.stores)),
        {**second.leaves, **first.leaves},
        first.inline | second.inline,
        {**second.depths, **first.depths},
        max(first.depth, second.depth),
    )

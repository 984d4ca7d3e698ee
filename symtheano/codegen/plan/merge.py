"""Merging of nests whose results are combined: the later one becomes a part of the earlier one.

Nodes are placed in topological order, so `sin(a)` and `cos(b)` open nests of their own before a sum
of both is seen. Merged, neither needs memory.
"""

from __future__ import annotations

from symtheano.codegen.plan.steps import Nest


def fit_together(first: Nest, second: Nest, most: int) -> bool:
    """Return whether two nests may share their loops, as far as these are concerned.

    Nests that use their reductions have stages, in which values of the other nest would have to be
    kept.

    Parameters
    ----------
    first, second
        The nests.
    most
        Largest number of members.
    """
    members = [*first.members, *second.members]
    used = {**first.results, **second.results}
    splits = {first.split, second.split} - {None}
    return (
        first is not second
        and first.space == second.space
        and len(splits) <= 1
        and 0 not in splits
        and len(members) <= most
        and not any(m.role != "point" and m.node.outputs[0] in used for m in members)
        and all(first.results.get(value, axes) == axes for value, axes in second.results.items())
    )


def absorb(first: Nest, second: Nest) -> None:
    """Move everything from the second nest to the first one; the second is then empty."""
    made = {member.node.outputs[0] for member in first.members}
    first.members += [m for m in second.members if m.node.outputs[0] not in made]
    first.split = second.split if first.split is None else first.split
    first.results.update(second.results)
    first.stores += [item for item in second.stores if item not in first.stores]
    first.leaves = {**second.leaves, **first.leaves}
    first.inline |= second.inline
    second.members, second.stores, second.results = [], [], {}

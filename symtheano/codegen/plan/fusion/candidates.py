"""Candidates: the nests that a node may join, and those that become one for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from symtheano.codegen.plan.fusion.draft import NestDraft
from symtheano.codegen.plan.fusion.merge import absorb, fit_together, may_grow
from symtheano.codegen.plan.fusion.nests import Nests, in_any_order
from symtheano.codegen.plan.steps import Source, is_unit
from symtheano.graph.forms import REDUCTIONS
from symtheano.graph.variable import Apply
from symtheano.tensor.variable import Tensor

# Maximum number of nests over the same lengths that are searched for one that reads the same data.
_LOOK_BACK = 4


def candidates(nests: Nests, node: Apply, operands: Sequence[Source]) -> list[NestDraft]:
    """Return the nests a node may join: those of its operands, then readers of its data."""
    found = nests.made.homes_of(operands)
    found.sort(key=lambda nest: -nests.position[nest])
    reduction = node.op.form in REDUCTIONS
    spread = node.inputs[0] if reduction else node.outputs[0]
    dims, known = nests.shapes.dims(spread), spread.type.shape
    space = in_any_order(dim for dim, length in zip(dims, known, strict=True) if length != 1)
    leaves = {operand.variable for operand in operands}
    leaves.update([nests.operands.root(leaf) for leaf in leaves])
    latest = nests.by_space.get(space, [])[-_LOOK_BACK:]
    for nest in latest if reduction else latest[::-1]:  # what is reduced early is used early
        shared = any(leaf in nest.leaves or leaf in nest.results for leaf in leaves)
        if shared and nest not in found:
            found.append(nest)
    for nest in _homes_of_partners(nests, node):
        if nest not in found and in_any_order(nest.space) == space:
            found.append(nest)
    return found


def _homes_of_partners(nests: Nests, node: Apply) -> Iterator[NestDraft]:
    """Yield the nests of what a node's results will be combined with."""
    for output in node.outputs:
        for client in _first_readers(nests, output):
            if client.op.form == "elemwise":
                for item in client.inputs:
                    home = nests.made.home.get(nests.views.source(item).variable)
                    if home is not None:
                        yield home


def _first_readers(nests: Nests, variable: Tensor) -> list[Apply]:
    uses = nests.views.clients.get(variable, ())[:_LOOK_BACK]
    return [client for client, _ in uses if isinstance(client, Apply)]


def may_join(nests: Nests, nest: NestDraft, node: Apply, operands: Sequence[Source]) -> bool:
    """Return whether a node may be added: what it needs is there before a nest runs."""
    inside = {o.variable for o in operands if o.variable in nest.results}
    sources = [nests.views.source(item).variable for item in node.inputs]
    arrays = [item for item in {*sources} - inside if not is_unit(item)]
    readers = _first_readers(nests, node.outputs[0])
    if not may_grow(nest, 1, arrays, any(map(_divides_axes, (node, *readers)))):
        return False
    awaited = _awaited_outside(nests, node, sources, inside)
    return all(nests.ready.at(item) <= nests.position[nest] for item in awaited)


def _awaited_outside(
    nests: Nests, node: Apply, sources: Sequence[Tensor], inside: set[Tensor]
) -> list[Tensor]:
    """Return what a member needs before its nest runs, which computes some values itself."""
    awaited = nests.ready.needs.besides(node)
    for item, source in zip(node.inputs, sources, strict=True):
        if source in inside:
            awaited += nests.ready.needs.checked_between(item, source)
        else:
            awaited += [source, item, *nests.read_inline(source)]
    return awaited


def merge_homes(nests: Nests, operands: Sequence[Source]) -> None:
    """Merge the nests that compute operands, if the later ones could run earlier."""
    homes = nests.made.homes_of(operands)
    if len(homes) < 2:
        return
    first, *later = sorted(homes, key=lambda nest: nests.position[nest])
    for nest in later:
        if fit_together(first, nest) and _may_run_in(nests, first, nest):
            absorb(first, nest)
            nests.replace_home(nest, first)


def _may_run_in(nests: Nests, first: NestDraft, nest: NestDraft) -> bool:
    """Return whether everything that a nest needs from outside is there before another runs."""
    own = {member.result for member in nest.members}
    position = nests.position[first]
    for member in nest.members:
        inside = own if member.is_pointwise else set()
        sources = [nests.views.source(item).variable for item in member.node.inputs]
        awaited = _awaited_outside(nests, member.node, sources, inside)
        if any(nests.ready.at(item) > position for item in awaited):
            return False
    return True


def _divides_axes(node: Apply) -> bool:
    """Return whether a node reduces some axes and keeps others."""
    return node.op.form in REDUCTIONS and not is_unit(node.outputs[0])

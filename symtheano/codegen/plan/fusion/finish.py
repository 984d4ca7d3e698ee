"""The finished steps of a schedule: without members and stores that nothing uses."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from types import MappingProxyType

from symtheano.codegen.plan.fusion.draft import Draft, NestDraft, OpDraft
from symtheano.codegen.plan.operands import Operands
from symtheano.codegen.plan.steps import OpStep, Step
from symtheano.tensor.variable import Tensor


def finished_steps(
    drafts: Iterable[Draft],
    operands: Operands,
    wanted: set[Tensor],
    scalars: Collection[Tensor],
) -> tuple[Step, ...]:
    """Return steps without what was recomputed elsewhere, and is not used where it was made.

    Parameters
    ----------
    drafts
        The steps.
    operands
        What they read.
    wanted
        What is read after them; what they read is added.
    scalars
        What is used as 0-d value.
    """
    found: list[Step] = []
    for draft in reversed(list(drafts)):
        if isinstance(draft, OpDraft):
            wanted.update(operands.read_by_op(draft.node, draft.feeds))
            feeds = {number: feed.finished() for number, feed in draft.feeds.items()}
            found.append(OpStep(draft.node, MappingProxyType(feeds)))
            continue
        draft.stores = [item for item in draft.stores if item in wanted]
        _drop_members(draft, operands, wanted, scalars)
        found.append(draft.finished())
    return tuple(found[::-1])


def _drop_members(
    nest: NestDraft, operands: Operands, wanted: set[Tensor], scalars: Collection[Tensor]
) -> None:
    inside = set(nest.stores)
    kept = []
    for member in reversed(nest.members):
        output = member.result
        if output not in inside and output not in scalars:
            continue
        kept.append(member)
        for item in member.node.inputs:
            inside.add(operands.views.source(item).variable)
            wanted.update(operands.roots(item, nest.inline))
    nest.members = kept[::-1]

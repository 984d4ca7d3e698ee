"""Which rules may apply to a node, by the kinds of the node and of its first operands."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from symtheano.graph.variable import Apply, Variable
from symtheano.rewrites.rule import Rule
from symtheano.scalar.row import ScalarOp
from symtheano.tensor.elemwise import Elemwise
from symtheano.tensor.variable import TensorConstant

_OPERANDS = 3

Kind = ScalarOp | type | None


def kind_of(variable: Variable) -> Kind:
    """Return the scalar row or op class that computes a variable, or the kind of a leaf."""
    owner = variable.owner
    if owner is None:
        return TensorConstant if isinstance(variable, TensorConstant) else None
    op = owner.op
    return op.scalar_op if isinstance(op, Elemwise) else type(op)


Candidates = dict[tuple[Kind, tuple[Kind, ...]], list[Rule]]


@lru_cache(maxsize=64)
def table_of(rules: tuple[Rule, ...]) -> Candidates:
    """Return the table of the rules that may apply, by kinds of node and operands.

    It is filled by the phases that use these rules, and shared by all functions of a process.
    """
    return {}


def candidates(node: Apply, rules: Sequence[Rule], known: Candidates) -> list[Rule]:
    """Return the rules that may apply to nodes of this kind with operands of these kinds."""
    op = node.op
    row = op.scalar_op if isinstance(op, Elemwise) else None
    kinds = tuple(kind_of(item) for item in node.inputs[:_OPERANDS])
    key = (row or type(op), kinds)
    found = known.get(key)
    if found is None:
        fitting = [rule for rule in rules if _tracks(rule, row, type(op)) and _fits(rule, kinds)]
        found = known[key] = fitting
    return found


def _tracks(rule: Rule, row: ScalarOp | None, kind: type) -> bool:
    if not rule.tracks:
        return True
    return any(
        item is row if isinstance(item, ScalarOp) else issubclass(kind, item)
        for item in rule.tracks
    )


def _fits(rule: Rule, kinds: Sequence[Kind]) -> bool:
    """Return whether one of the operands has a kind that the rule requires."""
    if not rule.operands:
        return True
    return any(
        kind is wanted
        or (isinstance(kind, type) and isinstance(wanted, type) and issubclass(kind, wanted))
        or (isinstance(kind, ScalarOp) and wanted is Elemwise)
        for kind in kinds
        for wanted in rule.operands
    )

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


class Candidates:
    """Which of some rules may apply, by kinds of node and operands.

    Parameters
    ----------
    rules
        The rules, in the order in which they are tried.
    """

    def __init__(self, rules: Sequence[Rule]) -> None:
        self.rules = rules
        self._places: dict[ScalarOp | type, list[int]] = {}
        for place, rule in enumerate(rules):
            for item in rule.tracks or (object,):
                self._places.setdefault(item, []).append(place)
        self._tracking: dict[ScalarOp | type, list[Rule]] = {}
        self._fitting: dict[tuple[Kind, tuple[Kind, ...]], list[Rule]] = {}

    def of(self, node: Apply) -> list[Rule]:
        """Return the rules that may apply to nodes of this kind with operands of these kinds."""
        op = node.op
        kind = op.scalar_op if isinstance(op, Elemwise) else type(op)
        kinds = tuple([kind_of(item) for item in node.inputs[:_OPERANDS]])
        fitting = self._fitting.get((kind, kinds))
        if fitting is None:
            tracking = self._tracking.get(kind)
            if tracking is None:
                tracking = self._tracking[kind] = self._rules_of(kind, type(op))
            fitting = [rule for rule in tracking if _fits(rule, kinds)]
            self._fitting[kind, kinds] = fitting
        return fitting

    def _rules_of(self, kind: ScalarOp | type, op: type) -> list[Rule]:
        """Return the rules that track a scalar row, or an op class or one of its bases."""
        places = {*self._places.get(kind, ())}.union(
            *(self._places.get(base, ()) for base in op.__mro__)
        )
        return [self.rules[place] for place in sorted(places)]


@lru_cache(maxsize=64)
def candidates_of(rules: tuple[Rule, ...]) -> Candidates:
    """Return the table of some rules, which all functions of a process share."""
    return Candidates(rules)


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

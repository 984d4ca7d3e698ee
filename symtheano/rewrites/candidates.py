"""Which rules may apply to a node, by the kinds of the node and of its first operands."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache

from symtheano.dataclass import dataclass
from symtheano.graph.variable import Apply
from symtheano.rewrites.rule import CARRIED, Phase, Rule
from symtheano.scalar.row import ScalarOp
from symtheano.tensor.elemwise import Elemwise
from symtheano.tensor.variable import TensorConstant

_OPERANDS = 3

Kind = ScalarOp | type | None
"""The scalar row or op class that computes a variable, ``TensorConstant``, or None for inputs."""


class Candidates:
    """Which of some rules may apply, by kinds of node and operands.

    Parameters
    ----------
    rules
        The rules, in the order in which they are tried.
    """

    def __init__(self, rules: Sequence[Rule]) -> None:
        self.rules = rules
        self._places = defaultdict[ScalarOp | type, list[int]](list)
        for place, rule in enumerate(rules):
            for item in rule.tracks or (object,):
                self._places[item].append(place)
        self._tracking: dict[ScalarOp | type, list[Rule]] = {}
        self._anything = frozenset([rule for rule in rules if not rule.operands])
        self._wanting = defaultdict[object, list[Rule]](list)
        for rule in rules:
            for wanted in rule.operands:
                self._wanting[wanted].append(rule)
        self._wanting_kind: dict[Kind, frozenset[Rule]] = {}
        self._fitting: dict[tuple[Kind, ...], list[Rule]] = {}

    def of(self, node: Apply) -> list[Rule]:
        """Return the rules that may apply to nodes of this kind with operands of these kinds."""
        if not self.rules:
            return []
        op = node.op
        kinds: list[Kind] = [op.scalar_op if isinstance(op, Elemwise) else type(op)]
        for item in node.inputs[:_OPERANDS]:
            owner = item.owner
            if owner is None:
                kinds.append(TensorConstant if isinstance(item, TensorConstant) else None)
            else:
                made = owner.op
                kinds.append(made.scalar_op if isinstance(made, Elemwise) else type(made))
        key = tuple(kinds)
        fitting = self._fitting.get(key)
        if fitting is None:
            fitting = self._fitting[key] = self._that_fit(type(op), kinds[0], kinds[1:])
        return fitting

    def _that_fit(self, op: type, kind: Kind, operands: Sequence[Kind]) -> list[Rule]:
        """Return the rules that track a kind, and of which an operand has a kind that they want."""
        assert kind is not None
        tracking = self._tracking.get(kind)
        if tracking is None:
            tracking = self._tracking[kind] = self._rules_of(kind, op)
        fit = self._anything.union(*[self._rules_wanting(item) for item in operands])
        return [rule for rule in tracking if rule in fit]

    def _rules_of(self, kind: ScalarOp | type, op: type) -> list[Rule]:
        """Return the rules that track a scalar row, or an op class or one of its bases."""
        places = {*self._places.get(kind, ())}.union(
            *(self._places.get(base, ()) for base in op.__mro__)
        )
        return [self.rules[place] for place in sorted(places)]

    def _rules_wanting(self, kind: Kind) -> frozenset[Rule]:
        """Return the rules that want an operand of a kind, among others."""
        known = self._wanting_kind.get(kind)
        if known is None:
            if isinstance(kind, type):
                kinds: tuple[object, ...] = kind.__mro__
            else:
                kinds = () if kind is None else (kind, Elemwise)
            lists = [self._wanting[item] for item in kinds if item in self._wanting]
            known = self._wanting_kind[kind] = frozenset([rule for some in lists for rule in some])
        return known


@dataclass(frozen=True, eq=False)
class PhaseRules:
    """The rules of a phase.

    Attributes
    ----------
    phases
        The phases of all rules that run in it.
    whole
        Its own rules about whole graphs.
    every, own
        All rules about nodes; those of the phase itself.
    """

    phases: frozenset[str]
    whole: tuple[Rule, ...]
    every: Candidates
    own: Candidates


@lru_cache(maxsize=64)
def rules_of_phase(rules: tuple[Rule, ...], name: Phase) -> PhaseRules:
    """Return which of some rules run in a phase; all functions of a process share the tables."""
    wanted = {name, *CARRIED[name]}
    found = [rule for rule in rules if rule.phase in wanted]
    whole = tuple(rule for rule in found if rule.whole is not None and rule.phase == name)
    of_nodes = [rule for rule in found if rule.whole is None]
    own = [rule for rule in of_nodes if rule.phase == name]
    phases = frozenset([rule.phase for rule in found])
    return PhaseRules(phases, whole, Candidates(of_nodes), Candidates(own))

"""Which rules may apply to a node, by the kinds of the node and of its first operands."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache

from symtheano.dataclass import dataclass
from symtheano.graph.lazy import lazy
from symtheano.graph.op import Op
from symtheano.graph.variable import Apply
from symtheano.rewrites.rule import CARRIED, Phase, Rule, name_of
from symtheano.scalar.row import ScalarOp
from symtheano.tensor.elemwise import Elemwise
from symtheano.tensor.variable import TensorConstant

_OPERANDS = 3

Kind = ScalarOp | type | None
"""The scalar row or op class that computes a variable, ``TensorConstant``, or None for inputs."""


@cache
def _names_of(cls: type, row: ScalarOp | None = None) -> tuple[str, ...]:
    """Return the names by which rules track a scalar row, or a class or one of its bases."""
    return (*([] if row is None else [name_of(row)]), *map(name_of, cls.__mro__))


def names_of(op: Op) -> tuple[str, ...]:
    """Return the names by which rules track an op.

    Examples
    --------
    >>> import symtheano.tensor as T
    >>> names_of(T.exp(T.matrix()).owner.op)[:3]
    ('exp', 'tensor.elemwise.Elemwise', 'graph.variable.Op')
    """
    cls: type = type(op)
    return _names_of(cls, op.scalar_op if isinstance(op, Elemwise) else None)


class Candidates:
    """Which of some rules may apply, by kinds of node and operands.

    Parameters
    ----------
    rules
        The rules, in the order in which they are tried.
    """

    def __init__(self, rules: Sequence[Rule]) -> None:
        self.rules = rules
        self._tracking: dict[tuple[str, ...], list[Rule]] = {}
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
                inner = owner.op
                kinds.append(inner.scalar_op if isinstance(inner, Elemwise) else type(inner))
        key = tuple(kinds)
        fitting = self._fitting.get(key)
        if fitting is None:
            fitting = self._fitting[key] = self._that_fit(names_of(op), kinds[1:])
        return fitting

    def _that_fit(self, tracked: tuple[str, ...], operands: Sequence[Kind]) -> list[Rule]:
        """Return the rules that track a kind, and of which an operand has a kind that they want."""
        tracking = self._tracking.get(tracked)
        if tracking is None:
            places = {place for name in ("", *tracked) for place in self._places.get(name, ())}
            tracking = self._tracking[tracked] = [self.rules[place] for place in sorted(places)]
        there = {name for kind in operands for name in _operand_names(kind)}
        return [
            rule for rule in tracking if not rule.operands or not there.isdisjoint(rule.operands)
        ]

    @lazy
    def _places(self) -> dict[str, list[int]]:
        """The places of rules that track a kind; those that track every node have no name."""
        places: dict[str, list[int]] = {}
        for place, rule in enumerate(self.rules):
            for name in rule.tracks or ("",):
                places.setdefault(name, []).append(place)
        return places


def _operand_names(kind: Kind) -> tuple[str, ...]:
    """Return the names by which rules want an operand of a kind."""
    if kind is None:
        return ()
    return _names_of(kind) if isinstance(kind, type) else _names_of(Elemwise, kind)


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
    in_phase = [rule for rule in rules if rule.phase in wanted]
    whole = tuple(rule for rule in in_phase if rule.takes_graph and rule.phase == name)
    of_nodes = [rule for rule in in_phase if not rule.takes_graph]
    own = [rule for rule in of_nodes if rule.phase == name]
    phases = frozenset([rule.phase for rule in in_phase])
    return PhaseRules(phases, whole, Candidates(of_nodes), Candidates(own))

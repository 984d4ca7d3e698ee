"""Rules: a name, a phase, a reason, and one of three forms.

A *pattern* rule is a function of pattern variables that returns an expression and its replacement,
both written with the ordinary tensor functions::

    @pattern("stabilize", log, add, "more accurate")
    def log_of_one_plus(x):
        \"\"\"``log(1 + x)`` loses all digits of a small x.\"\"\"
        return log(x + 1), log1p(x)

It says which rows compute the expression and its first operand that is no variable.

A *node* rule is a function of a node that returns its replacement or None::

    @rule("canonicalize", tracks=[DimShuffle])
    def dimshuffle_of_dimshuffle(node): ...

A *graph* rule is a function of all nodes and the outputs that returns variables to be replaced, and
what replaces them. It is applied once, at the beginning of its phase; those about loops are applied
until nothing changes.

The function's name is the rule's name, and the name that disables it.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Literal, get_args

from symtheano.dataclass import dataclass
from symtheano.graph.intern import FunctionGraph
from symtheano.graph.op import Op
from symtheano.graph.variable import Apply, Variable
from symtheano.rewrites.match import Pattern
from symtheano.scalar.row import ScalarOp
from symtheano.tensor.variable import Tensor

Phase = Literal[
    "canonicalize", "stabilize", "pushdown", "specialize", "loops", "blas", "expand", "scalarize"
]
PHASES: tuple[Phase, ...] = get_args(Phase)
"""The phases in order. Each runs to a fixpoint over the whole graph.

Parts and axes of length 1 are moved to operands (``pushdown``) only after ``stabilize``, whose
rules would not recognize a sum of exponentials beside an element of them.
"""

STEP_PHASES = PHASES[: PHASES.index("loops") + 1]
"""The phases in which the graphs inside of loops are brought before rules about loops read them."""

CARRIED: dict[Phase, tuple[Phase, ...]] = {
    "canonicalize": (),
    "stabilize": ("canonicalize",),
    "pushdown": ("canonicalize", "stabilize"),
    "specialize": ("canonicalize", "stabilize", "pushdown"),
    "loops": ("canonicalize", "stabilize", "pushdown", "specialize"),
    "blas": ("canonicalize", "pushdown", "specialize"),
    "expand": ("canonicalize", "pushdown", "specialize"),
    "scalarize": ("canonicalize", "pushdown", "specialize"),
}
"""The earlier phases whose rules are also used in a phase, so that its results are normalized. The
expansions of ``expand`` must not be converted back to the same ops."""

Numerics = Literal["exact", "sign of zero", "reassociates", "more accurate", "needs finite"]

Replacement = Variable | Sequence[Variable | None] | None
OfStep = Callable[[FunctionGraph], FunctionGraph] | None
"""Rewrites the graph of a loop's step."""
WholeGraph = Callable[[Sequence[Apply], Collection[Variable], OfStep], Mapping[Variable, Variable]]


@dataclass(frozen=True, eq=False)
class Context:
    """Information about the graph that the engine provides to rules.

    Attributes
    ----------
    uses
        Current number of uses of a variable.
    users
        The ops that used a variable at the beginning of the phase; None represents an output.
    readers
        Their nodes.
    """

    uses: Callable[[Variable], int]
    users: Callable[[Variable], Sequence[Op | None]]
    readers: Callable[[Variable], Sequence[Apply | None]]


@dataclass(frozen=True, eq=False)
class Rule:
    """One rewrite rule.

    Attributes
    ----------
    name, phase, text
        Name; when it runs; its reason, as it was written (see :attr:`doc`).
    apply
        Function that returns the replacement of a node's output (or one for each output), or None.
    tracks
        Kinds of nodes to which it applies: scalar rows, op classes; empty for every node.
    operands
        Required kinds of one of the node's first three operands: scalar rows, op classes,
        ``TensorConstant`` for constants; empty for anything. Only an optimization.
    numerics
        ``exact``: equal to the last bit for every input. ``sign of zero``: equal, but a zero may
        have another sign. ``reassociates``: equal up to rounding, where nothing overflows.
        ``more accurate``: closer to the exact result. ``needs finite``: differs where operands or
        intermediate results are infinite, NaN or zero, as its docstring explains. There is no
        standard for infinities and zeros in complex products, for which even ``exact`` refers only
        to finite numbers up to rounding.
    default
        Whether the rule is used unless it is excluded; others must be included by name.
    domain
        Interval from which the generated tests sample real operands.
    pattern
        The pattern, for pattern rules.
    whole
        For rules about whole graphs: function of all nodes and the outputs that returns variables
        and what replaces them.
    """

    name: str
    phase: Phase
    text: str
    apply: Callable[[Apply, Context], Replacement]
    tracks: tuple[ScalarOp | type, ...] = ()
    numerics: Numerics = "exact"
    domain: tuple[float, float] | None = None
    pattern: Pattern | None = None
    operands: tuple[ScalarOp | type, ...] = ()
    default: bool = True
    whole: WholeGraph | None = None

    @property
    def doc(self) -> str:
        """Its reason."""
        return inspect.cleandoc(self.text)

    def __repr__(self) -> str:
        return f"<rule {self.name}>"


REGISTRY: dict[str, Rule] = {}
"""Every rule by name, in the order of definition; a phase applies them in this order."""


def _register(rule: Rule) -> Rule:
    if rule.name in REGISTRY:
        raise ValueError(f"there are two rules named {rule.name}")
    # `python -OO` removes docstrings.
    if not rule.text and sys.flags.optimize < 2:
        raise ValueError(f"rule {rule.name} does not say why it exists")
    REGISTRY[rule.name] = rule
    return rule


def rule(
    phase: Phase,
    tracks: Iterable[ScalarOp | type] = (),
    numerics: Numerics = "exact",
    domain: tuple[float, float] | None = None,
    operands: Iterable[ScalarOp | type] = (),
    default: bool = True,
) -> Callable[[Callable[..., Replacement]], Rule]:
    """Make a node rule from a function ``(node)`` or ``(node, context)``."""

    def make(function: Callable[..., Replacement]) -> Rule:
        takes_context = function.__code__.co_argcount > 1
        apply = function if takes_context else lambda node, context: function(node)
        return _register(
            Rule(
                function.__name__,
                phase,
                function.__doc__ or "",
                apply,
                tuple(tracks),
                numerics,
                domain,
                operands=tuple(operands),
                default=default,
            )
        )

    return make


def graph_rule(phase: Phase, numerics: Numerics) -> Callable[[WholeGraph], Rule]:
    """Make a rule that is applied to the graph at the beginning of its phase."""

    def make(function: WholeGraph) -> Rule:
        doc = function.__doc__ or ""
        return _register(
            Rule(function.__name__, phase, doc, _never, numerics=numerics, whole=function)
        )

    return make


def _never(node: Apply, context: Context) -> Replacement:
    return None


def pattern(
    phase: Phase,
    root: ScalarOp,
    operand: ScalarOp | None,
    numerics: Numerics = "exact",
    domain: tuple[float, float] | None = None,
    only: Callable[..., bool] | None = None,
    default: bool = True,
) -> Callable[[Callable[..., tuple[Tensor, Tensor]]], Rule]:
    """Make a pattern rule from a function that returns (before, after).

    Parameters
    ----------
    root, operand
        The row that computes the expression, and that of its first operand that is computed, if
        there is one. Patterns are only made when there are such nodes.
    only
        Additional condition on the values of the pattern variables.
    """

    def make(function: Callable[..., tuple[Tensor, Tensor]]) -> Rule:
        compiled = Pattern(function)

        def apply(node: Apply, context: Context) -> Replacement:
            found = compiled.match(node.outputs[0])
            if found is None or (only is not None and not only(*found)):
                return None
            return compiled.build(found, node.outputs[0])

        return _register(
            Rule(
                function.__name__,
                phase,
                function.__doc__ or "",
                apply,
                (root,),
                numerics,
                domain,
                compiled,
                () if operand is None else (operand,),
                default,
            )
        )

    return make

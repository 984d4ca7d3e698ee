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
from importlib import import_module
from typing import Any, Literal, get_args

from symtheano.dataclass import dataclass
from symtheano.graph.forks import no_forks
from symtheano.graph.intern import FunctionGraph
from symtheano.graph.op import Op
from symtheano.graph.variable import Apply, Variable
from symtheano.rewrites.match import Pattern
from symtheano.scalar.row import ScalarOp
from symtheano.scalar.table import HIDDEN, TABLE
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


class Rule:
    """One rewrite rule.

    Its module may not have been imported yet: it is when an attribute is read that only the module
    tells, such as ``apply``.

    Attributes
    ----------
    name, phase
        Name; when it runs.
    module
        The name of its module.
    tracks
        Names of the kinds of nodes to which it applies (see :func:`name_of`); empty for every node.
        If it is about whole graphs, they have a node of one of these kinds.
    operands
        Names of the required kinds of one of the node's first three operands, such as that of
        ``TensorConstant`` for constants; empty for anything. Only an optimization.
    default
        Whether the rule is used unless it is excluded; others must be included by name.
    takes_graph
        Whether it is about whole graphs.
    text
        Its reason, as it was written (see :attr:`doc`).
    apply
        Function that returns the replacement of a node's output (or one for each output), or None.
    numerics
        ``exact``: equal to the last bit for every input. ``sign of zero``: equal, but a zero may
        have another sign. ``reassociates``: equal up to rounding, where nothing overflows.
        ``more accurate``: closer to the exact result. ``needs finite``: differs where operands or
        intermediate results are infinite, NaN or zero, as its docstring explains. There is no
        standard for infinities and zeros in complex products, for which even ``exact`` refers only
        to finite numbers up to rounding.
    domain
        Interval from which the generated tests sample real operands.
    pattern
        The pattern, for pattern rules.
    whole
        For rules about whole graphs: function of all nodes and the outputs that returns variables
        and what replaces them.
    """

    text: str
    apply: Callable[[Apply, Context], Replacement]
    numerics: Numerics
    domain: tuple[float, float] | None
    pattern: Pattern | None
    whole: WholeGraph | None

    def __init__(
        self,
        name: str,
        phase: Phase,
        module: str,
        tracks: tuple[str, ...] = (),
        operands: tuple[str, ...] = (),
        default: bool = True,
        takes_graph: bool = False,
    ) -> None:
        self.name, self.phase, self.module = name, phase, module
        self.tracks, self.operands = tracks, operands
        self.default, self.takes_graph = default, takes_graph

    def defined(
        self,
        text: str,
        apply: Callable[[Apply, Context], Replacement],
        numerics: Numerics = "exact",
        domain: tuple[float, float] | None = None,
        pattern: Pattern | None = None,
        whole: WholeGraph | None = None,
    ) -> Rule:
        """Set the attributes that only its module tells, and return it."""
        self.text, self.numerics, self.domain = text, numerics, domain
        self.pattern, self.whole, self.apply = pattern, whole, apply
        return self

    def __getattr__(self, name: str) -> Any:
        # only of attributes that are not there yet
        if name not in _DEFINED:
            raise AttributeError(f"rules have no attribute {name!r}")
        with no_forks():  # a child that is forked during an import can't import the module
            import_module(self.module)
        return vars(self)[name]

    @property
    def is_defined(self) -> bool:
        """Whether its module has been imported."""
        return "apply" in vars(self)

    @property
    def doc(self) -> str:
        """Its reason."""
        return inspect.cleandoc(self.text)

    def __repr__(self) -> str:
        return f"<rule {self.name}>"


_DEFINED = ("text", "apply", "numerics", "domain", "pattern", "whole")


def name_of(kind: ScalarOp | type) -> str:
    """Return the name by which rules track a scalar row or an op class.

    Examples
    --------
    >>> from symtheano.scalar import table as scalar
    >>> name_of(scalar.exp), name_of(Op)
    ('exp', 'graph.variable.Op')
    """
    if isinstance(kind, ScalarOp):
        # A row of a user's may have the name of another one, which rules are about.
        own = TABLE.get(kind.name) or HIDDEN.get(kind.name)
        return kind.name if own is kind else f"{kind.name} {id(kind)}"
    package, _, module = kind.__module__.partition(".")
    # With a colon, a class of a user's has the name of no other.
    return f"{module if package == 'symtheano' else f'{kind.__module__}:'}.{kind.__qualname__}"


REGISTRY: dict[str, Rule] = {}
"""Every rule by name. A phase applies them in the order of ``library.py``."""


def _defined(
    function: Callable[..., object],
    phase: Phase,
    apply: Callable[[Apply, Context], Replacement],
    numerics: Numerics,
    *,
    tracks: Iterable[ScalarOp | type] = (),
    operands: Iterable[ScalarOp | type] = (),
    domain: tuple[float, float] | None = None,
    default: bool = True,
    pattern: Pattern | None = None,
    whole: WholeGraph | None = None,
) -> Rule:
    """Return the rule that a function defines, which may be known by name already."""
    name, text = function.__name__, function.__doc__ or ""
    # `python -OO` removes docstrings.
    if not text and sys.flags.optimize < 2:
        raise ValueError(f"rule {name} does not say why it exists")
    new = Rule(
        name,
        phase,
        function.__module__,
        tuple(map(name_of, tracks)),
        tuple(map(name_of, operands)),
        default,
        whole is not None,
    )
    registered = REGISTRY.setdefault(name, new)
    if registered.is_defined or registered.module != new.module:
        raise ValueError(f"there are two rules named {name}")
    vars(registered).update(vars(new))  # what the index says may be old
    return registered.defined(text, apply, numerics, domain, pattern, whole)


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
        return _defined(
            function,
            phase,
            apply,
            numerics,
            tracks=tracks,
            operands=operands,
            domain=domain,
            default=default,
        )

    return make


def graph_rule(
    phase: Phase, numerics: Numerics, tracks: Iterable[ScalarOp | type] = ()
) -> Callable[[WholeGraph], Rule]:
    """Make a rule that is applied to the graph at the beginning of its phase.

    ``tracks`` are kinds of nodes without one of which it changes nothing.
    """

    def make(function: WholeGraph) -> Rule:
        return _defined(function, phase, _never, numerics, tracks=tracks, whole=function)

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
            match = compiled.match(node.outputs[0])
            if match is None or (only is not None and not only(*match)):
                return None
            return compiled.build(match, node.outputs[0])

        return _defined(
            function,
            phase,
            apply,
            numerics,
            tracks=(root,),
            operands=() if operand is None else (operand,),
            domain=domain,
            default=default,
            pattern=compiled,
        )

    return make

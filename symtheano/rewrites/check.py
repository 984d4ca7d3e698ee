"""Generated tests of rules: each step of a trace is computed before and after, and compared.

A step replaces one variable by another over the same inputs, so the interpreter can compute both.
The tolerance depends on the rule's numerics class. Pattern rules are scalar identities, which SymPy
can often prove.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

import numpy as np

from symtheano import dtypes
from symtheano.graph.intern import FunctionGraph
from symtheano.graph.variable import Constant, Variable
from symtheano.graph.walk import free_inputs, toposort
from symtheano.interpret import interpret
from symtheano.rewrites.engine import Rewriter
from symtheano.rewrites.rule import REGISTRY, Rule
from symtheano.rewrites.trace import RuleApplication
from symtheano.tensor.type import TensorType
from symtheano.tensor.variable import Tensor

Array = np.ndarray

Values = Literal["moderate", "edges", "specials", "nothing"]
"""Values of inputs: moderate numbers, edge cases of arithmetic, edge cases without the largest and
smallest numbers, or empty arrays."""

_EDGES = (0.0, -0.0, 1.0, -1.0, 0.5, -2.0, 3.0, 10.0, np.inf, -np.inf, np.nan)
_TOLERANCE = {"float16": 2e-2, "float32": 2e-5, "float64": 1e-11}


def edge_values(dtype: str) -> Array:
    """Return edge cases of arithmetic in a dtype."""
    if dtype == "bool":
        return np.array([False, True])
    if dtype in dtypes.INTEGER:
        info = np.iinfo(dtype)
        wanted = (0, 1, -1, 2, -2, 7, 100, info.min, info.max, info.max - 1)
        return np.array([v for v in wanted if info.min <= v <= info.max], dtype)
    real = dtypes.real_of(dtype)
    limits = np.finfo(real)
    extremes = [limits.tiny, -limits.tiny, limits.smallest_subnormal, limits.max, limits.min]
    with np.errstate(all="ignore"):
        numbers = np.array([*_EDGES, *extremes], dtype=real)
    if not dtypes.is_complex(dtype):
        return numbers
    joined = np.empty(numbers.shape, dtype)
    joined.real, joined.imag = numbers, np.roll(numbers, 3)
    return joined


def sample(
    kind: TensorType,
    random: np.random.Generator,
    values: Values,
    domain: tuple[float, float] | None,
) -> Array:
    """Return an array of a type with edge values, special values, no values, or moderate ones.

    All axes of unknown length have the same length, so that operands match.
    """
    length = 0 if values == "nothing" else 3
    shape = tuple(length if dim is None else dim for dim in kind.shape)
    if values in ("edges", "specials"):
        chosen = edge_values(kind.dtype)
        if values == "specials" and kind.dtype not in dtypes.DISCRETE:
            with np.errstate(all="ignore"):
                size = np.abs(chosen)
                chosen = chosen[(size == 0) | ((size > 0.1) & (size < 100)) | ~(size < np.inf)]
        return np.asarray(random.choice(chosen, shape), kind.dtype)
    if kind.dtype == "bool":
        return np.asarray(random.integers(0, 2, shape), "bool")
    low, high = domain or (-3.0, 3.0)
    if kind.dtype in dtypes.INTEGER:
        low = 0 if kind.dtype in dtypes.UNSIGNED else low
        return np.asarray(random.integers(int(low), int(high) + 1, shape), kind.dtype)
    numbers: Array = random.uniform(low, high, shape)
    if dtypes.is_complex(kind.dtype):
        numbers = numbers + 1j * random.uniform(low, high, shape)
    return np.asarray(numbers, kind.dtype)


def differs(before: Array, after: Array, numerics: str, values: Values) -> str | None:
    """Return how two results differ by more than a numerics class allows, or None.

    For edge values, whose products and sums overflow, reassociating rules may change the result;
    for special values (zero, NaN, infinity, and numbers near one) they may not.
    """
    if before.dtype != after.dtype or before.shape != after.shape:
        return f"{before.dtype}{before.shape} became {after.dtype}{after.shape}"
    name = before.dtype.name
    strict = numerics in ("exact", "sign of zero") and not dtypes.is_complex(name)
    if strict or dtypes.is_discrete(name):
        same = (before == after) | ((before != before) & (after != after))
        if numerics == "exact" and dtypes.is_float(name):
            zeros = (before == 0) & (after == 0)
            same = same & ~(zeros & (np.signbit(before) != np.signbit(after)))
        return None if bool(np.all(same)) else _first(before, after, ~same)
    if values in ("edges", "specials") and numerics == "more accurate":
        made_nan = (after != after) & (before == before)
        return _first(before, after, made_nan) if bool(np.any(made_nan)) else None
    if values == "edges" or (values == "specials" and numerics == "needs finite"):
        return None
    tolerance = _TOLERANCE[dtypes.real_of(name)]
    with np.errstate(all="ignore"):
        near = np.abs(after - before) <= tolerance * (1 + np.abs(before))
    same = (before == after) | ((before != before) & (after != after))
    if values == "moderate" or dtypes.is_complex(name):
        same |= ~np.isfinite(before)
    allowed = near | same
    return None if bool(np.all(allowed)) else _first(before, after, ~allowed)


def _first(before: Array, after: Array, wrong: Array) -> str:
    where = tuple(int(k) for k in np.argwhere(np.atleast_1d(wrong))[0])
    return f"{np.atleast_1d(before)[where]!r} became {np.atleast_1d(after)[where]!r}"


@dataclass
class Report:
    """Results of a check: the number of comparisons for each rule, and failures."""

    compared: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)


def check_rewriting(
    outputs: Sequence[Variable],
    rules: Iterable[Rule],
    phases: Sequence[str],
    report: Report,
    rounds: int = 1,
    domain: tuple[float, float] | None = None,
    values: Sequence[Array] | None = None,
) -> Rewriter:
    """Rewrite ``outputs`` and compare every step before and after, by value.

    Parameters
    ----------
    outputs
        Expressions to rewrite; their inputs are sampled.
    rules, phases
        The rules and phases to use.
    report
        Collects comparisons and failures.
    rounds
        Number of samples of each kind of values.
    domain
        Interval of the moderate samples.
    values
        Values of the inputs, in the order of ``free_inputs``, instead of samples.
    """
    inputs = free_inputs(outputs)
    graph = FunctionGraph(inputs, outputs)
    rewriter = Rewriter(rules)
    rewriter.rewrite_outputs(graph.outputs, graph.interner, phases)
    random = np.random.default_rng(5)
    kinds: list[Values] = ["moderate"] if values is not None else list(get_args(Values))
    for kind in kinds * rounds:
        arrays = values or [sample(item.type, random, kind, domain) for item in inputs]
        for step in rewriter.trace.steps:
            if step.rule in REGISTRY:
                _check_step(step, inputs, arrays, kind, report)
    return rewriter


def _check_step(
    step: RuleApplication,
    inputs: Sequence[Variable],
    arrays: Sequence[Array],
    values: Values,
    report: Report,
) -> None:
    if not isinstance(step.before.type, TensorType):
        return
    graph = FunctionGraph(inputs, [step.before, step.after])
    try:
        before, after = interpret(graph, arrays)
    except (ValueError, IndexError, MemoryError):
        return  # a sample that the graph rejects
    wrong = differs(before, after, REGISTRY[step.rule].numerics, values)
    report.compared[step.rule] += 1
    if wrong is not None:
        report.failures.append(f"{step.rule}: {step.before.owner}: {wrong}, of {values}")


# -- proofs -------------------------------------------------------------------------------------


def prove(rule: Rule) -> bool | None:
    """Return whether SymPy proves a pattern rule's scalar identity for real operands.

    None if the rule is not a pattern, or SymPy can't decide; False if it finds a difference.
    """
    if rule.pattern is None:
        return None
    import sympy

    low = (rule.domain or (-1.0, 1.0))[0]
    symbols: dict[Tensor, object] = {
        item: sympy.Symbol(item.name, positive=True if low >= 0 else None, real=True)
        for item in rule.pattern.variables
    }
    try:
        before, after = (
            _to_sympy(side, symbols) for side in (rule.pattern.before, rule.pattern.after)
        )
    except KeyError:
        return None
    difference = sympy.simplify((before - after).rewrite(sympy.exp))
    if difference == 0:
        return True
    numbers = [difference.subs(dict.fromkeys(symbols.values(), point)) for point in (0.37, 0.81)]
    values = [abs(complex(sympy.N(number))) for number in numbers]
    return None if all(value < 1e-12 for value in values) else False


def _to_sympy(variable: Tensor, symbols: Mapping[Tensor, object]) -> Any:
    import sympy

    table: dict[str, Any] = {
        "add": lambda a, b: a + b,
        "sub": lambda a, b: a - b,
        "mul": lambda a, b: a * b,
        "true_div": lambda a, b: a / b,
        "neg": lambda a: -a,
        "reciprocal": lambda a: 1 / a,
        "sqr": lambda a: a**2,
        "sqrt": sympy.sqrt,
        "abs": sympy.Abs,
        "exp": sympy.exp,
        "log": sympy.log,
        "log1p": lambda a: sympy.log(1 + a),
        "expm1": lambda a: sympy.exp(a) - 1,
        "softplus": lambda a: sympy.log(1 + sympy.exp(a)),
        "sigmoid": lambda a: 1 / (1 + sympy.exp(-a)),
        "logaddexp": lambda a, b: sympy.log(sympy.exp(a) + sympy.exp(b)),
        "lt": sympy.Lt,
        "switch": lambda c, a, b: sympy.Piecewise((a, c), (b, True)),
        "tanh": sympy.tanh,
        "sinh": sympy.sinh,
        "cosh": sympy.cosh,
        "sin": sympy.sin,
        "cos": sympy.cos,
        "hypot": lambda a, b: sympy.sqrt(a**2 + b**2),
        "arcsinh": lambda a: sympy.log(a + sympy.sqrt(a**2 + 1)),
        "arctanh": lambda a: sympy.log((1 + a) / (1 - a)) / 2,
        "logcosh": lambda a: sympy.log(sympy.cosh(a)),
        "log1mexp": lambda a: sympy.log(1 - sympy.exp(a)),
        "gamma": sympy.gamma,
        "gammaln": lambda a: sympy.log(sympy.gamma(a)),
        "erfcx": lambda a: sympy.exp(a**2) * (1 - sympy.erf(a)),
        "log_erfc": lambda a: sympy.log(1 - sympy.erf(a)),
        "isinf": lambda a: sympy.false,
        "floor": sympy.floor,
        "neq": sympy.Ne,
        "and_": sympy.And,
        "or_": sympy.Or,
        "erf": sympy.erf,
        "erfc": lambda a: 1 - sympy.erf(a),
    }
    expressions = dict(symbols)
    for node in toposort([variable]):
        operands = [
            sympy.nsimplify(item.data.item()) if isinstance(item, Constant) else expressions[item]
            for item in node.inputs
        ]
        expressions[node.outputs[0]] = table[node.op.scalar_op.name](*operands)
    return expressions[variable]

"""Comparisons, extrema, and tests for nan, infinity and sign.

Complex numbers are ordered as NumPy orders them: by real part, then by imaginary part.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from symtheano.scalar import row
from symtheano.scalar.evaluation import silently
from symtheano.scalar.row import ScalarOp
from symtheano.scalar.selection import ANY, masked

_ORDER = """\
static inline bool st_{name}_{d}({t} a, {t} b) {
    {p} ar = __builtin_creal{f}(a), ai = __builtin_cimag{f}(a);
    {p} br = __builtin_creal{f}(b), bi = __builtin_cimag{f}(b);
    return (ar {strict} br && ai == ai && bi == bi) || (ar == br && ai {symbol} bi);
}
"""


def _order(name: str, symbol: str) -> str:
    """Return the C function that compares complex numbers."""
    return _ORDER.replace("{name}", name).replace("{strict}", symbol[0]).replace("{symbol}", symbol)


def _comparison(name: str, symbol: str, ufunc: Any, words: str, *aliases: str) -> ScalarOp:
    return ScalarOp(
        name=name,
        nin=2,
        numpy=silently(ufunc),
        signature=row.comparison,
        c={"biuf": f"{{0}} {symbol} {{1}}", "c": f"st_{name}_{{d}}({{0}}, {{1}})"},
        helpers={"c": _order(name, symbol)},
        symbol=symbol,
        aliases=aliases,
        doc=f"Whether the first operand is {words} the second; complex numbers lexicographically.",
    )


def _equality(name: str, symbol: str, ufunc: Any, words: str, *aliases: str) -> ScalarOp:
    return ScalarOp(
        name=name,
        nin=2,
        numpy=silently(ufunc),
        signature=row.comparison,
        c={ANY: f"{{0}} {symbol} {{1}}"},
        symbol=symbol,
        commutative=True,
        aliases=aliases,
        doc=f"Whether the operands {words}.",
    )


lt = _comparison("lt", "<", np.less, "less than", "less")
le = _comparison("le", "<=", np.less_equal, "less than or equal to", "less_equal")
gt = _comparison("gt", ">", np.greater, "greater than", "greater")
ge = _comparison("ge", ">=", np.greater_equal, "greater than or equal to", "greater_equal")
eq = _equality("eq", "==", np.equal, "are equal", "equal")
neq = _equality("neq", "!=", np.not_equal, "differ", "not_equal")


# If the operands are equal, the first one gets the gradient, so that it is not counted twice.
def _of_maximum(g: Any, y: Any, a: Any, b: Any) -> tuple[Any, Any]:
    return masked(ge(a, b), g), masked(lt(a, b), g)


def _of_minimum(g: Any, y: Any, a: Any, b: Any) -> tuple[Any, Any]:
    return masked(le(a, b), g), masked(gt(a, b), g)


def _of_fmax(g: Any, y: Any, a: Any, b: Any) -> tuple[Any, Any]:
    first = ge(a, b) | neq(b, b)
    return masked(first, g), masked(~first, g)


def _of_fmin(g: Any, y: Any, a: Any, b: Any) -> tuple[Any, Any]:
    first = le(a, b) | neq(b, b)
    return masked(first, g), masked(~first, g)


def _extremum(
    name: str, symbol: str, ufunc: Any, pullback: Callable[..., Any], neutral: str, doc: str
) -> ScalarOp:
    """Return a row that selects the first operand where ``symbol`` or the rule for nan says so.

    Of 0 and -0, either may be selected; in NumPy it depends on the position in the array.
    """
    ignores_nan = name.startswith("f")
    nan = "{1} != {1}" if ignores_nan else "{0} != {0}"
    return ScalarOp(
        name=name,
        nin=2,
        numpy=silently(ufunc),
        signature=row.arithmetic,
        c={
            "b": "{0} | {1}" if symbol == ">" else "{0} & {1}",
            "iu": f"{{0}} {symbol} {{1}} ? {{0}} : {{1}}",
            "f": f"{{0}} {symbol} {{1}} || {nan} ? {{0}} : {{1}}",
            "c": f"st_{name}_order_{{d}}({{0}}, {{1}}) || {nan} ? {{0}} : {{1}}",
        },
        helpers={"c": _order(f"{name}_order", f"{symbol}=")},
        pullback=pullback,
        identity=neutral,
        commutative=True,
        associative=True,
        doc=f"{doc}; complex numbers are compared lexicographically.",
    )


maximum = _extremum(
    "maximum", ">", np.maximum, _of_maximum, "min", "The larger operand; nan propagates"
)
minimum = _extremum(
    "minimum", "<", np.minimum, _of_minimum, "max", "The smaller operand; nan propagates"
)
fmax = _extremum("fmax", ">", np.fmax, _of_fmax, "min", "The larger operand; nan is ignored")
fmin = _extremum("fmin", "<", np.fmin, _of_fmin, "max", "The smaller operand; nan is ignored")


def _test(
    name: str, ufunc: Any, discrete: str, real: str, whole: str, doc: str, *aliases: str
) -> ScalarOp:
    """Return a predicate; ``real`` tests {0}, ``whole`` combines the parts of a complex number."""
    parts = [real.replace("{0}", f"__builtin_c{part}{{f}}({{0}})") for part in ("real", "imag")]
    return ScalarOp(
        name=name,
        nin=1,
        numpy=silently(ufunc),
        signature=row.comparison,
        c={"biu": discrete, "f": real, "c": f"{parts[0]} {whole} {parts[1]}"},
        aliases=aliases,
        doc=doc,
    )


isnan = _test(
    "isnan", np.isnan, "false", "{0} != {0}", "||", "Whether the operand is nan.", "isnan_"
)
isinf = _test(
    "isinf",
    np.isinf,
    "false",
    "__builtin_fabs{f}({0}) == __builtin_inf{f}()",
    "||",
    "Whether the operand is infinite.",
    "isinf_",
)
isfinite = _test(
    "isfinite",
    np.isfinite,
    "true",
    "__builtin_fabs{f}({0}) < __builtin_inf{f}()",
    "&&",
    "Whether the operand is neither infinite nor nan.",
)


signbit = ScalarOp(
    name="signbit",
    nin=1,
    numpy=silently(lambda x: x < 0 if x.dtype.kind in "biu" else np.signbit(x)),
    signature=row.predicate_of_reals,
    c={"bu": "false", "i": "{0} < 0", "f": "__builtin_copysign{f}(1, {0}) < 0"},
    doc="Whether the operand's sign bit is set: negative numbers, -0, and nan with a sign.",
)

ROWS = (
    lt, le, gt, ge, eq, neq, maximum, minimum, fmax, fmin, isnan, isinf, isfinite, signbit,
)  # fmt: skip

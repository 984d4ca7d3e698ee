"""Correspondence of the rows of the scalar table and SymPy's functions."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from symtheano.scalar import table as scalar

Formula = Callable[..., Any]


@cache
def of_rows() -> dict[str, Formula]:
    """Return SymPy's formulas of rows of the scalar table."""
    import sympy as s

    two = s.Integer(2)
    return {
        **{name: getattr(s, name) for name in _SAME},
        "arccos": s.acos, "arcsin": s.asin, "arctan": s.atan, "arccosh": s.acosh,
        "arcsinh": s.asinh, "arctanh": s.atanh, "arctan2": s.atan2,
        "abs": s.Abs, "sgn": s.sign, "ceil": s.ceiling, "conj": s.conjugate,
        "real": s.re, "imag": s.im, "angle": s.arg,
        "identity": lambda x: x, "second": lambda x, y: y,
        "neg": lambda x: -x, "sqr": lambda x: x**2, "reciprocal": lambda x: 1 / x,
        "add": lambda x, y: x + y, "sub": lambda x, y: x - y, "mul": lambda x, y: x * y,
        "true_div": lambda x, y: x / y, "pow": lambda x, y: x**y,
        "int_div": lambda x, y: s.floor(x / y), "mod": s.Mod,
        "exp2": lambda x: two**x, "expm1": lambda x: s.exp(x) - 1,
        "log1p": lambda x: s.log(1 + x), "log2": lambda x: s.log(x, 2),
        "log10": lambda x: s.log(x, 10),
        "sigmoid": lambda x: 1 / (1 + s.exp(-x)), "softplus": lambda x: s.log(1 + s.exp(x)),
        "logaddexp": lambda x, y: s.log(s.exp(x) + s.exp(y)),
        "logit": lambda x: s.log(x / (1 - x)), "log1mexp": lambda x: s.log(1 - s.exp(x)),
        "maximum": s.Max, "minimum": s.Min, "clip": lambda x, a, b: s.Min(s.Max(x, a), b),
        "trunc": lambda x: s.sign(x) * s.floor(s.Abs(x)), "hypot": lambda x, y: s.sqrt(x**2 + y**2),
        "deg2rad": lambda x: x * s.pi / 180, "rad2deg": lambda x: x * 180 / s.pi,
        "lt": s.Lt, "le": s.Le, "gt": s.Gt, "ge": s.Ge, "eq": s.Eq, "neq": s.Ne,
        "switch": lambda c, x, y: s.Piecewise((x, c), (y, True)),
        "and_": s.And, "or_": s.Or, "xor": s.Xor, "invert": s.Not,
        "logical_and": s.And, "logical_or": s.Or, "logical_xor": s.Xor, "logical_not": s.Not,
        "gammaln": s.loggamma, "psi": s.digamma, "tri_gamma": s.trigamma,
        "erfinv": s.erfinv, "erfcinv": s.erfcinv, "erfcx": lambda x: s.exp(x**2) * s.erfc(x),
        "gammal": s.lowergamma, "gammau": s.uppergamma,
        "gammainc": lambda k, x: s.lowergamma(k, x) / s.gamma(k),
        "gammaincc": lambda k, x: s.uppergamma(k, x) / s.gamma(k),
        "betainc": lambda a, b, x: s.betainc_regularized(a, b, 0, x),
        "betaln": lambda a, b: s.log(s.beta(a, b)), "binom": s.binomial,
        "j0": lambda x: s.besselj(0, x), "j1": lambda x: s.besselj(1, x), "jv": s.besselj,
        "i0": lambda x: s.besseli(0, x), "i1": lambda x: s.besseli(1, x), "iv": s.besseli,
        "kv": s.besselk, "hyp2f1": lambda a, b, c, z: s.hyper([a, b], [c], z),
        "xlogy": lambda x, y: x * s.log(y), "xlog1py": lambda x, y: x * s.log(1 + y),
        "ndtr": lambda x: (1 + s.erf(x / s.sqrt(2))) / 2,
    }  # fmt: skip


_SAME = ("cos cosh erf erfc exp floor gamma log sin sinh sqrt tan tanh polygamma zeta beta").split()


@cache
def of_sympy() -> dict[Any, Formula]:
    """Return functions of symbolic arrays for classes of SymPy's functions."""
    import sympy as s

    def fold(row: Any) -> Formula:
        def folded(first: Any, *others: Any) -> Any:
            for other in others:
                first = row(first, other)
            return first

        return folded

    def logarithm(x: Any, base: Any = None) -> Any:
        return scalar.log(x) if base is None else scalar.log(x) / scalar.log(base)

    def hyper(a: Any, b: Any, c: Any, z: Any) -> Any:
        return scalar.hyp2f1(a, b, c, z)

    return {
        **{getattr(s, name): getattr(scalar, name) for name in _SAME if name not in _OTHERWISE},
        s.log: logarithm, s.acos: scalar.arccos, s.asin: scalar.arcsin, s.atan: scalar.arctan,
        s.acosh: scalar.arccosh, s.asinh: scalar.arcsinh, s.atanh: scalar.arctanh,
        s.atan2: scalar.arctan2, s.Abs: scalar.abs, s.sign: scalar.sgn, s.ceiling: scalar.ceil,
        s.conjugate: scalar.conj, s.re: scalar.real, s.im: scalar.imag, s.arg: scalar.angle,
        s.Mod: scalar.mod, s.Max: fold(scalar.maximum), s.Min: fold(scalar.minimum),
        s.StrictLessThan: scalar.lt, s.LessThan: scalar.le, s.StrictGreaterThan: scalar.gt,
        s.GreaterThan: scalar.ge, s.Equality: scalar.eq, s.Unequality: scalar.neq,
        s.And: fold(scalar.and_), s.Or: fold(scalar.or_), s.Xor: fold(scalar.xor),
        s.Not: scalar.invert, s.cot: lambda x: 1 / scalar.tan(x),
        s.sec: lambda x: 1 / scalar.cos(x), s.csc: lambda x: 1 / scalar.sin(x),
        s.coth: lambda x: 1 / scalar.tanh(x),
        s.erfinv: scalar.erfinv, s.erfcinv: scalar.erfcinv, s.loggamma: scalar.gammaln,
        s.digamma: scalar.psi, s.trigamma: scalar.tri_gamma,
        s.lowergamma: scalar.gammal, s.uppergamma: scalar.gammau,
        s.zeta: lambda x, q=1.0: scalar.zeta(x, q), s.binomial: scalar.binom,
        s.factorial: lambda n: scalar.gamma(n + 1.0), s.hyper: hyper,
        s.besselj: scalar.jv, s.besseli: scalar.iv, s.besselk: scalar.kv,
        s.Heaviside: lambda x, half=0.5: scalar.switch(
            scalar.eq(x, 0), half, scalar.switch(scalar.gt(x, 0), 1.0, 0.0)
        ),
    }  # fmt: skip


_OTHERWISE = ("log", "zeta")

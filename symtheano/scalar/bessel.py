"""Bessel functions. For the recurrences see Abramowitz and Stegun, 9.1.27 and 9.6.26."""

from __future__ import annotations

from typing import Any

from symtheano.scalar import row
from symtheano.scalar.arithmetic import sgn
from symtheano.scalar.calculus import number, undefined
from symtheano.scalar.evaluation import special
from symtheano.scalar.exponential import exp
from symtheano.scalar.row import Derivative, Pullback, ScalarOp
from symtheano.scalar.slopes import kve_slope

_RANGE = (0.1, 10.0)


def _half(value: Any) -> Any:
    return number(value, 0.5) * value


def _of_fixed_order(
    name: str, derivative: Derivative, doc: str, expression: str, external: str | None = None
) -> ScalarOp:
    return ScalarOp(
        name=name,
        nin=1,
        numpy=special(name),
        signature=row.floating_real,
        c={"f": expression},
        libm=() if external else (name,),
        external=external,
        derivative=derivative,
        cost=60,
        domain=_RANGE,
        doc=doc,
    )


j0 = _of_fixed_order(
    "j0",
    lambda x, y: -j1(x),
    "The Bessel function of order 0; 0 at infinity, where SciPy has nan.",
    "j0({0})",
)
j1: ScalarOp = _of_fixed_order(
    "j1",
    lambda x, y: _half(j0(x) - jv(number(x, 2), x)),
    "The Bessel function of order 1; 0 at infinity, where SciPy has nan.",
    "j1({0})",
)
i0 = _of_fixed_order(
    "i0", lambda x, y: i1(x), "The modified Bessel function of order 0.", "{x}({0}, 0)", "i0"
)
i1: ScalarOp = _of_fixed_order(
    "i1",
    lambda x, y: _half(i0(x) + iv(number(x, 2), x)),
    "The modified Bessel function of order 1.",
    "{x}({0}, 0)",
    "i1",
)


def _by_operand(name: str, slope: Any) -> Pullback:
    """Return a pullback to the operand: ``slope`` is the derivative by it."""

    def pullback(g: Any, y: Any, v: Any, x: Any) -> tuple[Any, Any]:
        why = f"{name}: the derivative with respect to the order is not implemented"
        return undefined(why), g * slope(y, v, x)

    return pullback


def _of_any_order(name: str, pullback: Pullback, doc: str) -> ScalarOp:
    return ScalarOp(
        name=name,
        nin=2,
        numpy=special(name),
        signature=row.floating_real,
        c={"f": "{x}({0}, {1}, 0)"},
        external=name,
        pullback=pullback,
        cost=200,
        domain=((0.0, 4.0), _RANGE),
        doc=doc,
    )


jv: ScalarOp = _of_any_order(
    "jv",
    _by_operand("jv", lambda y, v, x: _half(jv(v - 1, x) - jv(v + 1, x))),
    "The Bessel function of the order that is the first operand.",
)
iv: ScalarOp = _of_any_order(
    "iv",
    _by_operand("iv", lambda y, v, x: _half(iv(v - 1, x) + iv(v + 1, x))),
    "The modified Bessel function of the order that is the first operand.",
)
ive: ScalarOp = _of_any_order(
    "ive",
    _by_operand("ive", lambda y, v, x: _half(ive(v - 1, x) + ive(v + 1, x)) - sgn(x) * y),
    "The modified Bessel function of the order that is the first operand, times exp(-abs(x)).",
)


def _scaled(name: str, slope: Derivative, doc: str) -> ScalarOp:
    return _of_fixed_order(name, slope, doc, "{x}({0}, 0)", name)


i0e = _scaled("i0e", lambda x, y: i1e(x) - sgn(x) * y, "i0(x) times exp(-abs(x)).")
i1e: ScalarOp = _scaled(
    "i1e",
    lambda x, y: _half(i0e(x) + ive(number(x, 2), x)) - sgn(x) * y,
    "i1(x) times exp(-abs(x)).",
)


def _of_kv(g: Any, y: Any, v: Any, x: Any) -> tuple[Any, Any]:
    return g * exp(-x) * kve_slope(v, x), -g * _half(kv(v - 1, x) + kv(v + 1, x))


def _of_kve(g: Any, y: Any, v: Any, x: Any) -> tuple[Any, Any]:
    return g * kve_slope(v, x), g * (y - _half(kve(v - 1, x) + kve(v + 1, x)))


kv: ScalarOp = _of_any_order(
    "kv",
    _of_kv,
    "The modified Bessel function of the second kind, of the order that is the first operand.",
)
kve: ScalarOp = _of_any_order("kve", _of_kve, "kv(v, x) times exp(x).")

ROWS = (j0, j1, jv, i0, i1, iv, ive, i0e, i1e, kv, kve)

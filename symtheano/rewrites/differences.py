"""Sums and differences of two products with common factors, which cancel.

Gradients of quotients and of products are such sums.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from symtheano import dtypes
from symtheano.dataclass import dataclass
from symtheano.graph.variable import Apply
from symtheano.rewrites.candidates import Candidates
from symtheano.rewrites.match import conform, inputs_of, scalar_value
from symtheano.rewrites.products import Quotient, are_opposite, quotient_of, remove, take_common
from symtheano.rewrites.rule import REGISTRY, Context, Replacement, name_of, rule
from symtheano.scalar import table as scalar
from symtheano.scalar.row import ScalarOp
from symtheano.tensor.elemwise import DimShuffle
from symtheano.tensor.variable import Tensor


@dataclass
class Term:
    """A term: a number, what multiplies and what divides it."""

    number: complex
    over: list[Tensor]
    under: list[Tensor]


def _term(variable: Tensor) -> Term | None:
    quotient = quotient_of(variable, plain=True)
    if quotient is None:
        return None
    term = Term(float(quotient.sign), [], [])
    for items, kept in ((quotient.over, term.over), (quotient.under, term.under)):
        for item in items:
            value = scalar_value(item)
            if value is None:
                kept.append(item)
            elif items is quotient.over:
                term.number *= value
            elif value:
                term.number /= value
            else:
                return None
    return term


@rule(
    "stabilize",
    tracks=[scalar.add, scalar.sub],
    operands=[scalar.mul, scalar.true_div, scalar.reciprocal, scalar.sigmoid],
    numerics="more accurate",
)
def terms_with_common_factors(node: Apply, context: Context) -> Replacement:
    """``a * f - a * g`` is ``a * (f - g)``, if there is a form of ``f - g`` that does not cancel.

    Such are differences of sigmoids, of one and a square below one, of reciprocals of roots, and
    those that other rules recognize. So they do not depend on what a gradient is multiplied with.
    """
    output = node.outputs[0]
    if not dtypes.is_float(output.dtype) or not any(_has_function(x) for x in node.inputs):
        return None
    first, second = (_term(item) for item in node.inputs)
    if first is None or second is None:
        return None
    if node.op.scalar_op is scalar.sub:
        second.number = -second.number
    common = Quotient(take_common(first.over, second.over), take_common(first.under, second.under))
    first.over, second.over = _with_square(first.over), _with_square(second.over)
    for one, other in ((first, second), (second, first)):
        combined = (combine(one, other, common) for combine in _FORMS)
        factor = next((item for item in combined if item is not None), None)
        if factor is None and (common.over or common.under):
            factor = _recognized(one, other, output, context)
        if factor is not None:
            whole = common.result(output)
            if one.number != 1:
                whole = whole * whole.constant_like(one.number)
            return conform(whole * factor, output)
    return None


_FUNCTIONS = frozenset({
    scalar.sigmoid, scalar.hypot, scalar.sqrt, scalar.expm1, scalar.exp, scalar.tanh, scalar.cos,
    scalar.cosh, scalar.erf, scalar.erfc, scalar.softplus,
})  # fmt: skip
_PRODUCTS = frozenset({scalar.mul, scalar.true_div, scalar.reciprocal, scalar.neg, scalar.sqr})


def _has_function(variable: Tensor) -> bool:
    """Return whether a function of these forms is a factor; most sums are refused here."""
    stack = [variable]
    for _ in range(_EXAMINED):
        if not stack:
            return False
        owner = stack.pop().owner
        row = None if owner is None else getattr(owner.op, "scalar_op", None)
        if row in _FUNCTIONS:
            return True
        if owner is not None and (row in _PRODUCTS or isinstance(owner.op, DimShuffle)):
            stack += owner.inputs
    return False


_EXAMINED = 30


def _with_square(items: list[Tensor]) -> list[Tensor]:
    """Return factors, of which two equal ones are a square."""
    equal = next((item for k, item in enumerate(items) if item in items[:k]), None)
    if equal is None or items.count(equal) > 2:
        return items
    return [*(item for item in items if item is not equal), scalar.sqr(equal)]


def _only(items: list[Tensor], row: ScalarOp) -> list[Tensor] | None:
    """Return the operands of the only item, if it is computed by a row."""
    return inputs_of(items[0], row) if len(items) == 1 else None


def _half_tanh(x: Tensor) -> Tensor:
    return scalar.tanh(x * x.constant_like(0.5))


def _sigmoids(one: Term, other: Term, common: Quotient) -> Tensor | None:
    """``sigmoid(x) - sigmoid(-x)`` and ``1 - 2 * sigmoid(x)``."""
    if one.under or other.under:
        return None
    x, y = _only(one.over, scalar.sigmoid), _only(other.over, scalar.sigmoid)
    if x is not None and y is not None and one.number == -other.number:
        return _half_tanh(x[0]) if are_opposite(x[0], y[0]) else None
    if y is not None and not one.over and other.number == -2 * one.number:
        return -_half_tanh(y[0])
    return None


def _direction(variable: Tensor) -> tuple[Tensor, Tensor] | None:
    """Return c and h of ``x / h`` with ``h = hypot(x, c)``."""
    parts = inputs_of(variable, scalar.true_div)
    sides = None if parts is None else inputs_of(parts[1], scalar.hypot)
    if parts is None or sides is None or not any(side is parts[0] for side in sides):
        return None
    return (sides[1] if sides[0] is parts[0] else sides[0]), parts[1]


def _complement(one: Term, other: Term, common: Quotient) -> Tensor | None:
    """``1 - (x / h)**2`` with ``h = hypot(x, c)`` is ``(c / h)**2``."""
    if one.over or one.under or other.under or one.number != -other.number:
        return None
    square = _only(other.over, scalar.sqr)
    direction = None if square is None else _direction(square[0])
    return None if direction is None else scalar.sqr(direction[0] / direction[1])


def _with_root(one: Term, other: Term, common: Quotient) -> Tensor | None:
    """``(1 + x / h) / (x + h)`` with ``h = hypot(x, c)`` is ``1 / h``."""
    if one.over or one.under or other.under or one.number != other.number:
        return None
    direction = _direction(other.over[0]) if len(other.over) == 1 else None
    if direction is None:
        return None
    x = inputs_of(other.over[0], scalar.true_div)[0]  # type: ignore[index]
    for under in common.under:
        terms = inputs_of(under, scalar.add) or ()
        if any(item is x for item in terms) and any(item is direction[1] for item in terms):
            remove(common.under, under)
            return scalar.reciprocal(direction[1])
    return None


def _roots(one: Term, other: Term, common: Quotient) -> Tensor | None:
    """``1 / sqrt(x) - 1 / sqrt(x + c)`` is ``c`` over the product of both roots and their sum."""
    if one.over or other.over or one.number != -other.number:
        return None
    x, y = _only(one.under, scalar.sqrt), _only(other.under, scalar.sqrt)
    shift = None if x is None or y is None else inputs_of(y[0], scalar.add)
    if x is None or shift is None or shift[0] is not x[0] or scalar_value(shift[1]) is None:
        return None
    low, high = one.under[0], other.under[0]
    return shift[1] / (low + high) / low / high


def _bose(one: Term, other: Term, common: Quotient) -> Tensor | None:
    """``1 + 1 / expm1(x)`` is ``-1 / expm1(-x)``."""
    if one.over or one.under or other.over or one.number != other.number:
        return None
    x = _only(other.under, scalar.expm1)
    return None if x is None else -scalar.reciprocal(scalar.expm1(-x[0]))


_FORMS = (_sigmoids, _complement, _with_root, _roots, _bose)


# -- sums and differences that other rules recognize -----------------------------------------------


def _recognized(one: Term, other: Term, like: Tensor, context: Context) -> Tensor | None:
    """Return the sum of two terms, less the number of the first, if a rule makes it stable."""
    numbers = (one.number, other.number)
    if not (one.over or one.under) or 0 in numbers or not np.isfinite(numbers).all():
        return None
    ratio = (other.number / one.number).real
    a = Quotient(one.over, one.under).result()
    b = Quotient(other.over, other.under).result(like)
    if not other.over and not other.under:
        choices = [(a + a.constant_like(ratio), 1), (a.constant_like(-ratio) - a, -1)]
    elif abs(ratio) == 1:
        choices = [(a + b if ratio > 0 else a - b, 1)]
    else:
        return None
    for whole, sign in choices:
        if whole.owner is not None and _is_delicate(whole.owner, context):
            return whole if sign > 0 else -whole
    return None


def _is_delicate(node: Apply, context: Context) -> bool:
    """Return whether a rule has a form of a sum or difference that does not cancel."""
    candidates = _rules_of(node.op.scalar_op).of(node)
    return any(rule.apply(node, context) is not None for rule in candidates)


@cache
def _rules_of(row: ScalarOp) -> Candidates:
    return Candidates([
        rule
        for rule in REGISTRY.values()
        if rule.phase == "stabilize" and name_of(row) in rule.tracks
        and rule is not terms_with_common_factors
    ])  # fmt: skip

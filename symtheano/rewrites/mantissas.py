"""Products, quotients, powers and sums of exponentials as mantissas and exponents.

An expression is a *mantissa* times an exponential. That of a sum is the sum divided by its largest
exponential.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import partial
from math import exp

from symtheano import dtypes
from symtheano.dataclass import dataclass
from symtheano.graph.op import Op
from symtheano.rewrites.exponentials import counted, taken_off
from symtheano.rewrites.match import (
    SELECTING,
    computed_by,
    inputs_of,
    is_constant,
    is_inserting,
    real_value,
)
from symtheano.rewrites.products import exponent
from symtheano.rewrites.stabilize import reduced
from symtheano.rewrites.terms import factors_of, sign_of
from symtheano.scalar import table as scalar
from symtheano.tensor.elemwise import DimShuffle
from symtheano.tensor.nnet.softmax import finite_max
from symtheano.tensor.reductions.reduce import CAReduce
from symtheano.tensor.variable import Tensor

_DEPTH = 5
"""How many operations are looked through: not those of standardized exponentials, which are
moderate."""
_TERMS = 6
"""Maximum number of terms of a sum that are examined."""
_MANY_TERMS = 64
"""Maximum number of terms of a sum that does not have to be scaled."""
_NOT_SMALL = 1e-3
"""Quotients by numbers that are not smaller overflow only if they are large themselves."""

Powers = tuple[tuple[Tensor, float], ...]
"""Exponents and their factors."""


@dataclass
class Scaled:
    """``mantissa * exp(sum of factor * exponent)``; the mantissa None is one.

    Attributes
    ----------
    mantissa, powers
        What is multiplied.
    is_sum
        Whether it has a sum of different exponentials, whose exponents would overflow.
    """

    mantissa: Tensor | None
    powers: Powers
    is_sum: bool = False

    def to(self, power: float) -> Scaled:
        """Return a power, which is two, a half, or minus one."""
        powers = tuple((x, factor * power) for x, factor in self.powers)
        row = {2.0: scalar.sqr, 0.5: scalar.sqrt, -1.0: scalar.reciprocal}[power]
        mantissa = None if self.mantissa is None else row(self.mantissa)
        return Scaled(mantissa, powers, self.is_sum)

    def times(self, other: Scaled, sign: int = 1) -> Scaled:
        """Return the product, or the quotient."""
        mantissa = self.mantissa
        if other.mantissa is not None:
            if sign > 0:
                mantissa = other.mantissa if mantissa is None else mantissa * other.mantissa
            else:
                inverse = scalar.reciprocal(other.mantissa)
                mantissa = inverse if mantissa is None else mantissa / other.mantissa
        powers = _collected((*self.powers, *((x, sign * factor) for x, factor in other.powers)))
        return Scaled(mantissa, powers, self.is_sum or other.is_sum)


def _exponential(power: Tensor) -> Scaled:
    return Scaled(None, ((power, 1.0),))


def _collected(powers: Powers) -> Powers:
    """Add the factors of equal exponents; those that cancel are left out."""
    factor_of: dict[Tensor, float] = {}
    for x, factor in powers:
        factor_of[x] = factor_of.get(x, 0.0) + factor
    return tuple((x, factor) for x, factor in factor_of.items() if factor)


def power_of(powers: Powers) -> Tensor:
    """Return the sum of exponents times their factors, positive ones first."""
    total: Tensor | None = None
    for x, factor in sorted(powers, key=lambda item: item[1] < 0):
        size = abs(factor)
        term = x if size == 1 else x * x.constant_like(size)
        if total is None:
            total = term if factor > 0 else -term
        else:
            total = total + term if factor > 0 else total - term
    assert total is not None
    return total


class Scaling:
    """What scales the parts of one expression: equal sums have one largest exponent.

    Attributes
    ----------
    counting
        Whether weights may be zero where exponents are largest: not if a sum is divided by one
        without weights.
    sigmoids
        Whether sigmoids, which do not overflow, are taken apart as well.
    """

    def __init__(self) -> None:
        self.counting, self.sigmoids = True, False
        self._memo: dict[Hashable, Tensor] = {}

    def _once(self, key: Hashable, make: Callable[[], Tensor]) -> Tensor:
        if key not in self._memo:
            self._memo[key] = make()
        return self._memo[key]

    def of(self, variable: Tensor, depth: int = _DEPTH) -> Scaled | None:
        """Take a variable apart; None if it has no exponential, or is scaled already."""
        power = exponent(variable)
        if power is not None:
            return None if taken_off(power) is not None else _exponential(power)
        owner = variable.owner
        if owner is None or depth == 0 or not dtypes.is_float(variable.dtype):
            return None
        if isinstance(owner.op, SELECTING):
            return self._selected(variable, depth)
        if isinstance(owner.op, CAReduce):
            return self._reduced(variable, depth)
        for row, power_ in ((scalar.sqr, 2.0), (scalar.sqrt, 0.5), (scalar.reciprocal, -1.0)):
            operands = inputs_of(variable, row)
            if operands is not None:
                inner = self.of(operands[0], depth - 1)
                return None if inner is None else inner.to(power_)
        for row, sign in ((scalar.mul, 1), (scalar.true_div, -1)):
            factors = inputs_of(variable, row)
            if factors is not None:
                return self._product(factors, sign, depth)
        if inputs_of(variable, scalar.add) or inputs_of(variable, scalar.sub):
            return None if is_moderate_sum(variable) else self._sum(variable, depth)
        return self._other(variable, depth)

    def _other(self, variable: Tensor, depth: int) -> Scaled | None:
        operands = inputs_of(variable, scalar.neg)
        if operands is not None:
            inner = self.of(operands[0], depth - 1)
            if inner is None:
                return None
            one = operands[0].constant_like(1)
            inner.mantissa = -(one if inner.mantissa is None else inner.mantissa)
            return inner
        operands = inputs_of(variable, scalar.pow)
        value = None if operands is None else real_value(operands[1])
        power = None if operands is None else exponent(operands[0])
        if value is not None and power is not None:
            return Scaled(None, ((power, float(value)),))
        operands = inputs_of(variable, scalar.sigmoid)
        if operands is not None and self.sigmoids:
            (x,) = operands
            below = self._once(("max", -1, x), lambda: scalar.maximum(-x, x.constant_like(0)))
            return Scaled(scalar.sigmoid(scalar.abs(x)), ((below, -1.0),))
        return self._hyperbolic(variable)

    def _hyperbolic(self, variable: Tensor) -> Scaled | None:
        for row in (scalar.cosh, scalar.sinh):
            operands = inputs_of(variable, row)
            if operands is None:
                continue
            (x,) = operands
            size = self._once(("abs", x), partial(scalar.abs, x))
            if row is scalar.cosh:
                half = (scalar.exp(size * -2) + 1) * 0.5
            else:
                half = scalar.expm1(size * -2) * scalar.sgn(x) * -0.5
            return Scaled(half, ((size, 1.0),), is_sum=True)
        operands = inputs_of(variable, scalar.expm1)
        if operands is None or taken_off(operands[0]) is not None:
            return None
        (x,) = operands
        below = scalar.expm1(-scalar.abs(x))
        is_above = scalar.gt(x, x.constant_like(0))
        top = self._once(("max", x), lambda: scalar.maximum(x, x.constant_like(0)))
        return Scaled(scalar.switch(is_above, -below, below), ((top, 1.0),), is_sum=True)

    def _selected(self, variable: Tensor, depth: int) -> Scaled | None:
        assert variable.owner is not None
        op, (whole, *others) = variable.owner.op, variable.owner.inputs
        inner = self.of(whole, depth - 1)
        if inner is None:
            return None
        inserts = isinstance(op, DimShuffle) and is_inserting(variable.owner)
        if not inserts and (inner.is_sum or inner.mantissa is not None):
            return None
        mantissa = None if inner.mantissa is None else op(inner.mantissa)
        powers = [
            (self._once((op, x, *others), partial(_applied, op, x, *others)), k)
            for x, k in inner.powers
        ]
        return Scaled(mantissa, tuple(powers), inner.is_sum)

    def _product(self, parts: list[Tensor], sign: int, depth: int) -> Scaled | None:
        factors = [self.of(part, depth - 1) for part in parts]
        if factors == [None, None]:
            return None
        a, b = (item or Scaled(part, ()) for item, part in zip(factors, parts, strict=True))
        return a.times(b, sign)

    def _reduced(self, variable: Tensor, depth: int) -> Scaled | None:
        whole = reduced(variable, "add")
        term = None if whole is None else self.of(whole[0], depth - 1)
        if whole is None or term is None or not term.powers:
            return None
        x, axes = whole
        power = power_of(term.powers)
        if power.ndim < x.ndim or taken_off(power) is not None:
            return None
        weight = term.mantissa
        like = power
        if weight is not None and self.counting:
            like = counted(weight, power)
        elif weight is not None and is_constant(weight) and not weight.data.all():
            return None
        key = (term.powers, None if like is power else weight, axes)
        top = self._once(key, lambda: finite_max(like, axes))
        part = scalar.exp(like - top)
        total = (part if weight is None else weight * part).sum(axis=list(axes))
        kept = [axis for axis in range(x.ndim) if axis not in axes]
        dropped = self._once((top, *kept), lambda: top.dimshuffle(*kept))
        return Scaled(total, ((dropped, 1.0),), is_sum=True)

    def _sum(self, variable: Tensor, depth: int) -> Scaled | None:
        terms = terms_of(variable)
        scaled_terms = [
            (self.of(term, depth - 1) or Scaled(term, ()), sign) for term, sign in terms
        ]
        if not any(item.powers for item, _ in scaled_terms):
            return None
        several = tuple(item.powers for item, _ in scaled_terms)
        if all(powers == several[0] for powers in several):
            total = added([(item.mantissa, sign) for item, sign in scaled_terms], variable)
            return Scaled(total, several[0], any(item.is_sum for item, _ in scaled_terms))
        if any(powers and taken_off(power_of(powers)) is not None for powers in several):
            return None
        top = self._once(frozenset(several), lambda: largest(several))
        parts: list[tuple[Tensor | None, int]] = []
        for item, sign in scaled_terms:
            part = scalar.exp(power_of(item.powers) - top if item.powers else -top)
            parts.append((part if item.mantissa is None else item.mantissa * part, sign))
        return Scaled(added(parts, variable), ((top, 1.0),), is_sum=True)


def is_moderate_sum(variable: Tensor) -> bool:
    """Return whether a sum of exponentials neither overflows nor vanishes.

    No exponent is ever positive, and one term is a number that is not small, as where a point is
    compared with its neighbours and itself: ``exp(-(x - x)**2) + exp(-(x - y)**2)``.
    """
    smallest = 0.0
    for term, sign in terms_of(variable, _MANY_TERMS):
        power, value = exponent(term), real_value(term)
        if sign < 0 or (power is None and (value is None or value < 0)):
            return False
        if power is None:
            smallest = max(smallest, value or 0.0)
            continue
        parts = terms_of(power)
        if any(part_sign * sign_of(part) >= 0 for part, part_sign in parts):
            return False
        numbers = [real_value(part) for part, _ in parts if not _vanishes(part)]
        if None not in numbers:
            smallest = max(smallest, exp(-sum(abs(number or 0.0) for number in numbers)))
    return smallest >= _NOT_SMALL


def _vanishes(variable: Tensor) -> bool:
    """Return whether a product is zero, or NaN, because it has a factor ``x - x``."""
    for item in factors_of(variable).arrays:
        (base,) = inputs_of(item, scalar.sqr) or (item,)
        pair = inputs_of(base, scalar.sub)
        if pair is not None and pair[0] is pair[1]:
            return True
    return False


def terms_of(variable: Tensor, most: int = _TERMS) -> list[tuple[Tensor, int]]:
    """Return the terms of a sum and their signs; beyond ``most`` of them, sums as terms."""
    terms: list[tuple[Tensor, int]] = []
    stack = [(variable, 1)]
    while stack:
        item, sign = stack.pop()
        row = scalar.add if inputs_of(item, scalar.add) else scalar.sub
        parts = inputs_of(item, row)
        if parts is None or len(terms) + len(stack) >= most:
            terms.append((item, sign))
        else:
            stack += [(parts[1], sign if row is scalar.add else -sign), (parts[0], sign)]
    return terms


def added(parts: list[tuple[Tensor | None, int]], like: Tensor) -> Tensor:
    """Add mantissas with signs; None is one."""
    total: Tensor | None = None
    for part, sign in parts:
        term = like.constant_like(1) if part is None else part
        if total is None:
            total = term if sign > 0 else -term
        else:
            total = total + term if sign > 0 else total - term
    assert total is not None
    return total


def largest(several: Sequence[Powers]) -> Tensor:
    """Return the largest exponent of terms, 0 where it is infinite."""
    exponents = [power_of(powers) for powers in dict.fromkeys(several) if powers]
    top = exponents[0]
    for x in exponents[1:]:
        top = scalar.maximum(top, x)
    if not all(several):
        top = scalar.maximum(top, top.constant_like(0))
    return scalar.switch(scalar.isinf(top), top.constant_like(0), top)


def power_in(variable: Tensor) -> Tensor | None:
    """Return x of ``exp(x)``, of its square, and of selected elements."""
    power = exponent(variable)
    if power is not None:
        return power
    square = inputs_of(variable, scalar.sqr)
    if square is not None:
        return exponent(square[0])
    if not computed_by(variable, *SELECTING):
        return None
    whole, *others = variable.owner.inputs
    power = exponent(whole)
    return None if power is None else _applied(variable.owner.op, power, *others)


def _applied(op: Op, x: Tensor, *others: Tensor) -> Tensor:
    """Return selected elements; axes that are inserted where they were dropped are restored."""
    if isinstance(op, DimShuffle) and computed_by(x, DimShuffle):
        before, inner = x.owner.inputs[0], x.owner.op.new_order
        order = [inner[axis] if isinstance(axis, int) else axis for axis in op.new_order]
        if len(order) == before.ndim and all(
            axis == k or (axis == "x" and before.type.shape[k] == 1) for k, axis in enumerate(order)
        ):
            whole: Tensor = before
            return whole
    selected: Tensor = op(x, *others)
    return selected


def shifted(variable: Tensor) -> Scaled | None:
    """Return an exponential of which a maximum was taken off, by the terms of its exponent."""
    power = power_in(variable) if inputs_of(variable, scalar.sqr) is None else None
    if power is None or taken_off(power) is None:
        return None
    return Scaled(None, _collected(_linear(power)))


def _linear(variable: Tensor, depth: int = _DEPTH) -> Powers:
    """Return the terms of an exponent, and their factors."""
    powers: list[tuple[Tensor, float]] = []
    stack = [(variable, 1.0)]
    while stack:
        item, factor = stack.pop()
        row = scalar.add if inputs_of(item, scalar.add) else scalar.sub
        terms, minus = inputs_of(item, row), inputs_of(item, scalar.neg)
        product = inputs_of(item, scalar.mul)
        value = None if product is None else real_value(product[1])
        if terms is not None and len(powers) + len(stack) < _TERMS:
            stack += [(terms[1], factor if row is scalar.add else -factor), (terms[0], factor)]
        elif minus is not None:
            stack.append((minus[0], -factor))
        elif product is not None and value is not None:
            stack.append((product[0], factor * value))
        elif depth and computed_by(item, DimShuffle) and _is_sum(item.owner.inputs[0]):
            op, inner = item.owner.op, _linear(item.owner.inputs[0], depth - 1)
            powers += [(_applied(op, x), factor * k) for x, k in inner]
        else:
            powers.append((item, factor))
    return tuple(powers)


def _is_sum(variable: Tensor) -> bool:
    rows = (scalar.add, scalar.sub, scalar.neg, scalar.mul)
    return any(inputs_of(variable, row) for row in rows)

"""Quotients of polynomials, which overflow, and their differences, which cancel.

Gradients of quotients are differences of two. Their numerators, over a common denominator, are
added as polynomials, whose terms cancel exactly.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from symtheano import dtypes
from symtheano.graph.variable import Apply
from symtheano.rewrites.match import conform, inputs_of, real_value, row_of
from symtheano.rewrites.products import FACTORS, Quotient, quotient_of, remove, take_common
from symtheano.rewrites.rule import Replacement, rule
from symtheano.scalar import table as scalar
from symtheano.tensor.elemwise import DimShuffle
from symtheano.tensor.variable import Tensor

_TERMS = 6
"""Maximum number of terms of a polynomial."""
_DEGREE = 8
"""Maximum power of a variable."""

Monomial = frozenset[tuple[Tensor, int]]
"""Variables and their powers; the empty one is one."""
Polynomial = dict[Monomial, float]
"""Coefficients, none of which is zero."""

_ONE: Monomial = frozenset()


def polynomial(variable: Tensor) -> Polynomial | None:
    """Return a sum of products of constants and variables; None if it has many terms.

    Anything that is neither a sum, a product nor a power is a variable.
    """
    value = real_value(variable)
    if value is not None:
        value = float(value)
        return ({_ONE: value} if value else {}) if math.isfinite(value) else None
    row = row_of(variable)
    operands = [] if variable.owner is None else variable.owner.inputs
    if row is scalar.pow:
        power = real_value(operands[1])
        if power is not None and power in range(2, _DEGREE + 1):
            return _power(operands[0], int(power))
    elif row is scalar.sqr:
        return _power(operands[0], 2)
    elif row in _COMBINED:
        parts = [polynomial(operand) for operand in operands]
        polynomials = [part for part in parts if part is not None]
        if len(polynomials) < len(parts):
            return None
        if row is scalar.neg:
            return {monomial: -number for monomial, number in polynomials[0].items()}
        if row is scalar.mul:
            return multiplied(polynomials[0], polynomials[1])
        return added(polynomials[0], polynomials[1], 1 if row is scalar.add else -1)
    return {frozenset([(variable, 1)]): 1.0}


_COMBINED = frozenset({scalar.add, scalar.sub, scalar.mul, scalar.neg})


def _power(base: Tensor, power: int) -> Polynomial | None:
    """Return a power; that of a sum is expanded."""
    inner = polynomial(base)
    result: Polynomial | None = {_ONE: 1.0}
    for _ in range(power):
        result = None if result is None or inner is None else multiplied(result, inner)
    return result


def multiplied(a: Polynomial, b: Polynomial) -> Polynomial | None:
    """Return the product of two polynomials."""
    result: Polynomial = {}
    for one, first in a.items():
        for other, second in b.items():
            powers = dict(one)
            for variable, power in other:
                powers[variable] = powers.get(variable, 0) + power
            monomial = frozenset(powers.items())
            result[monomial] = result.get(monomial, 0.0) + first * second
    return _checked(result)


def added(a: Polynomial, b: Polynomial, sign: float) -> Polynomial | None:
    """Return ``a + sign * b``."""
    result = dict(a)
    for monomial, number in b.items():
        result[monomial] = result.get(monomial, 0.0) + sign * number
    return _checked(result)


def _checked(coefficients: Polynomial) -> Polynomial | None:
    coefficients = {monomial: number for monomial, number in coefficients.items() if number}
    if len(coefficients) > _TERMS or not all(map(math.isfinite, coefficients.values())):
        return None
    return coefficients


def expression(coefficients: Polynomial, like: Tensor) -> Tensor:
    """Return the sum of the terms, constants last."""
    total: Tensor | None = None
    for monomial, number in sorted(coefficients.items(), key=lambda item: not item[0]):
        term = like.constant_like(abs(number)) if not monomial else None
        for variable, power in sorted(monomial, key=lambda item: item[1]):
            factor = variable if power == 1 else variable**power
            term = factor if term is None else term * factor
        assert term is not None
        if monomial and abs(number) != 1:
            term = term * term.constant_like(abs(number))
        if total is None:
            total = term if number > 0 else -term
        else:
            total = total + term if number > 0 else total - term
    assert total is not None
    return total


# -- differences of quotients ----------------------------------------------------------------------


@rule("canonicalize", tracks=[scalar.add, scalar.sub],
      operands=[scalar.mul, scalar.true_div, scalar.reciprocal, scalar.neg, scalar.sqr, DimShuffle],
      numerics="more accurate")  # fmt: skip
def difference_of_quotients(node: Apply) -> Replacement:
    """``1 / (1 + x) - x / (1 + x)**2`` is ``1 / (1 + x)**2``: terms that cancel are omitted.

    The gradient of a quotient is such a difference, also with other factors.
    """
    if not (_has_divisor(node.inputs[0]) and _has_divisor(node.inputs[1])):
        return None
    output = node.outputs[0]
    if not dtypes.is_float(output.dtype):
        return None
    first, second = (quotient_of(item, plain=True) for item in node.inputs)
    if first is None or second is None:
        return None
    for quotient in (first, second):
        _reduce(quotient)
    common = Quotient(take_common(first.over, second.over), take_common(first.under, second.under))
    if not any(_is_sum(item) for item in (*first.under, *second.under)):
        return None
    one = _product([*first.over, *second.under], first.sign)
    other = _product([*second.over, *first.under], second.sign)
    sign = 1 if node.op.scalar_op is scalar.add else -1
    if one is None or other is None or not _cancel(one, other, sign):
        return None
    total = added(one, other, sign)
    if not total:
        return None
    shared, rest = _shared(total)
    if len(rest) > 1:
        if _ONE not in rest and _degree(rest) > 1:
            return None  # its terms may overflow or vanish together
        if not shared and not common.over:
            return None  # zero at infinity, as each of the two is
        if any(row_of(x) is not None for monomial in rest for x, _ in monomial):
            return None  # such as sigmoids, of which one less them has digits of its own
    over = [x if power == 1 else x**power for x, power in shared.items()]
    if rest != {_ONE: 1.0}:
        over.append(expression(rest, output))
    whole = Quotient([*common.over, *over], [*common.under, *first.under, *second.under])
    return conform(_in_turn(whole), output)


_SUMS = frozenset({scalar.add, scalar.sub})


def _is_sum(variable: Tensor) -> bool:
    square = inputs_of(variable, scalar.sqr)
    return row_of(variable if square is None else square[0]) in _SUMS


_FACTORS = frozenset({scalar.mul, scalar.neg, scalar.sqr})


def _reduce(quotient: Quotient) -> None:
    """Divide by ``x**2`` instead of multiplying by ``(1 / x)**2``, and cancel sums."""
    for item in list(quotient.over):
        square = inputs_of(item, scalar.sqr)
        inverse = None if square is None else inputs_of(square[0], scalar.reciprocal)
        if inverse is not None:
            quotient.over.remove(item)
            quotient.under += inverse * 2
    for item in list(quotient.under):
        if row_of(item) is scalar.sqr and _is_sum(item) and item.owner is not None:
            quotient.under.remove(item)
            quotient.under += [*item.owner.inputs] * 2
    for item in [item for item in quotient.over if _is_sum(item)]:
        if item in quotient.under:
            quotient.over.remove(item)
            quotient.under.remove(item)


def _has_divisor(variable: Tensor) -> bool:
    """Return whether a factor is a quotient; most sums are refused here."""
    stack = [variable]
    for _ in range(FACTORS):
        if not stack:
            return False
        owner = stack.pop().owner
        if owner is None:
            continue
        op = owner.op
        row = getattr(op, "scalar_op", None)
        if row is scalar.true_div or row is scalar.reciprocal:
            return True
        if row in _FACTORS or isinstance(op, DimShuffle):
            stack += owner.inputs
    return False


def _product(factors: Sequence[Tensor], sign: int) -> Polynomial | None:
    product: Polynomial | None = {_ONE: float(sign)}
    for factor in factors:
        part = polynomial(factor)
        product = None if product is None or part is None else multiplied(product, part)
    return product


def _cancel(a: Polynomial, b: Polynomial, sign: int) -> bool:
    """Return whether a term of one has the opposite sign of the same term of the other."""
    return any(number * sign * b.get(monomial, 0.0) < 0 for monomial, number in a.items())


def _shared(coefficients: Polynomial) -> tuple[dict[Tensor, int], Polynomial]:
    """Return the powers that all terms have as factors, and the polynomial without them."""
    terms = [(dict(monomial), number) for monomial, number in coefficients.items()]
    least = {x: min(powers.get(x, 0) for powers, _ in terms) for x in terms[0][0]}
    shared = {x: power for x, power in least.items() if power}
    rest = {
        frozenset((x, power - least.get(x, 0)) for x, power in powers.items()
                  if power > least.get(x, 0)): number
        for powers, number in terms
    }  # fmt: skip
    return shared, rest


def _degree(coefficients: Polynomial) -> int:
    return max(sum(power for _, power in monomial) for monomial in coefficients)


def _in_turn(quotient: Quotient) -> Tensor:
    """Multiply and divide in turn: what has as many factors as divisors does not overflow."""
    over, under = list(quotient.over), list(quotient.under)
    if not over:
        return quotient.result()
    whole = over.pop(0)
    while over or under:
        if under:
            whole = whole / under.pop(0)
        if over:
            whole = whole * over.pop(0)
    return whole


# -- quotients that overflow -----------------------------------------------------------------------

_LARGE = {"float32": (26, 4), "float64": (55, 16)}
"""Exponents from which on other terms are nothing beside the highest power; the largest degree."""


@rule("stabilize", tracks=[scalar.true_div, scalar.mul],
      operands=[scalar.add, scalar.sub, scalar.mul, scalar.true_div, scalar.sqr, scalar.pow],
      numerics="more accurate")  # fmt: skip
def quotient_of_powers(node: Apply) -> Replacement:
    """``(x**2 - 1) / (x**2 + 1)`` is NaN where the squares overflow: it is one for a large x.

    Of polynomials of one variable, the highest powers decide for a large one.
    """
    output = node.outputs[0]
    limits = _LARGE.get(output.dtype)
    if limits is None or not _has_power(node):
        return None
    quotient = quotient_of(output)
    if quotient is None or not quotient.over:
        return None
    for under in quotient.under:
        below = _of_one_variable(under, limits[1])
        if below is None or len(polynomial(under) or ()) < 2:
            continue
        x = below[0]
        over = [item for item in quotient.over if _is_in(item, x, limits[1])]
        above = _highest(over)
        if above is None or above[1] + below[2] < 3:
            continue
        for item in over:
            remove(quotient.over, item)
        quotient.under.remove(under)
        one = x.constant_like(1)
        is_large = scalar.gt(scalar.abs(x), x.constant_like(2.0 ** limits[0]))
        lead = _leading(x, above[0] / below[1], above[1] - below[2])
        quotient.over.append(scalar.switch(is_large, lead, Quotient(over).result()))
        quotient.under.append(scalar.switch(is_large, one, under))
        return conform(quotient.result(), output)
    return None


def _has_power(node: Apply) -> bool:
    """Return whether a divisor is a sum; most products are refused here."""
    stack = list(node.inputs)
    if node.op.scalar_op is scalar.true_div and row_of(stack[1]) in _SUMS:
        return True
    for _ in range(FACTORS):
        if not stack:
            return False
        item = stack.pop()
        row, owner = row_of(item), item.owner
        if row is None or owner is None:
            continue
        if row is scalar.true_div:
            if row_of(owner.inputs[1]) in _SUMS:
                return True
            stack.append(owner.inputs[0])
        elif row in _FACTORS:
            stack += owner.inputs
    return False


def _of_one_variable(variable: Tensor, most: int) -> tuple[Tensor, float, int] | None:
    """Return x, the coefficient and the degree of the highest power of a polynomial of x."""
    coefficients = polynomial(variable)
    if not coefficients or any(len(monomial) > 1 for monomial in coefficients):
        return None
    powers = [next(iter(monomial), None) for monomial in coefficients]
    variables = {item[0] for item in powers if item is not None}
    if len(variables) != 1:
        return None
    (x,) = variables
    degrees = {0 if item is None else item[1]: number
               for item, number in zip(powers, coefficients.values(), strict=True)}  # fmt: skip
    degree = max(degrees)
    moderate = all(1e-3 <= abs(number) <= 1e3 for number in degrees.values())
    return (x, degrees[degree], degree) if moderate and degree <= most else None


def _is_in(variable: Tensor, x: Tensor, most: int) -> bool:
    match = _of_one_variable(variable, most)
    return match is not None and match[0] is x


def _highest(factors: Sequence[Tensor]) -> tuple[float, int] | None:
    """Return the coefficient and the degree of the highest power of a product."""
    powers = [_of_one_variable(item, _DEGREE) for item in factors]
    if not powers:
        return None
    coefficient, degree = 1.0, 0
    for item in powers:
        if item is None:
            return None
        coefficient, degree = coefficient * item[1], degree + item[2]
    return coefficient, degree


def _leading(x: Tensor, coefficient: float, power: int) -> Tensor:
    """Return a multiple of a power, by multiplication or division."""
    lead = x.constant_like(coefficient)
    for _ in range(abs(power)):
        lead = lead * x if power > 0 else lead / x
    return lead


@rule("stabilize", tracks=[scalar.true_div], operands=[scalar.add, scalar.sqr],
      numerics="more accurate")  # fmt: skip
def product_over_sum(node: Apply) -> Replacement:
    """``a * b / (a + b)`` overflows in the product; the larger factor is divided first.

    So also ``a**2 / (a + b)``, and ``a * b / (a + b)**2``, of which each factor is divided.
    """
    product, under = node.inputs
    square = inputs_of(under, scalar.sqr)
    total = under if square is None else square[0]
    terms = inputs_of(total, scalar.add)
    row = row_of(product)
    if terms is None or row not in _POWERS or not dtypes.is_float(total.dtype):
        return None
    assert product.owner is not None
    factors = [*product.owner.inputs] * (2 if row is scalar.sqr else 1)
    a, b = factors
    if a not in terms or b not in terms:
        return None
    if square is not None:
        whole = (a / total) * (b / total)
    elif a is b:
        whole = a * (a / total)
    else:
        is_larger = scalar.gt(scalar.abs(a), scalar.abs(b))
        large, small = scalar.switch(is_larger, a, b), scalar.switch(is_larger, b, a)
        whole = small * (large / total)
    return conform(whole, node.outputs[0])


_POWERS = frozenset({scalar.mul, scalar.sqr})

"""Differences and logarithms of functions, which would cancel or overflow."""

from __future__ import annotations

import math

import numpy as np

from symtheano.graph.variable import Apply
from symtheano.rewrites.match import conform, inputs_of, real_value, scalar_value
from symtheano.rewrites.products import are_opposite, exponent
from symtheano.rewrites.rule import Context, Replacement, pattern, rule
from symtheano.rewrites.stabilize import is_real, reduced
from symtheano.scalar import table as scalar
from symtheano.tensor.elemwise import Elemwise
from symtheano.tensor.reductions.reduce import CAReduce
from symtheano.tensor.variable import Tensor, TensorConstant

# -- exponentials ----------------------------------------------------------------------------------


@pattern("stabilize", scalar.log, scalar.neg, "more accurate", domain=(-10.0, -0.1))
def log_of_minus_expm1(x: Tensor) -> tuple[Tensor, Tensor]:
    """``log(1 - exp(x))`` is rounded to zero from -37 on."""
    return scalar.log(-scalar.expm1(x)), scalar.log1mexp(x)


@pattern("stabilize", scalar.log1p, scalar.neg, "more accurate", domain=(-10.0, -0.1))
def log1p_of_minus_exp(x: Tensor) -> tuple[Tensor, Tensor]:
    """``log1p(-exp(x))`` loses the digits of a small x."""
    return scalar.log1p(-scalar.exp(x)), scalar.log1mexp(x)


@pattern("stabilize", scalar.log, scalar.expm1, "more accurate", domain=(0.1, 10.0))
def log_of_expm1(x: Tensor) -> tuple[Tensor, Tensor]:
    """``log(exp(x) - 1)`` overflows for a large x; the result is then x."""
    return scalar.log(scalar.expm1(x)), x + scalar.log1mexp(-x)


@rule("stabilize", tracks=[scalar.log], operands=[scalar.sub], numerics="more accurate")
def log_of_difference_of_exponentials(node: Apply) -> Replacement:
    """``log(exp(x) - exp(y))`` overflows, and loses all digits of a small difference."""
    terms = inputs_of(node.inputs[0], scalar.sub)
    x, y = (exponent(terms[0]), exponent(terms[1])) if terms is not None else (None, None)
    if x is None or y is None:
        return None
    return conform(x + scalar.log1mexp(y - x), node.outputs[0])


@pattern("stabilize", scalar.sub, scalar.softplus, "more accurate", only=is_real)
def softplus_less_operand(x: Tensor) -> tuple[Tensor, Tensor]:
    """``log(1 + exp(x)) - x`` cancels for a large x."""
    return scalar.softplus(x) - x, scalar.softplus(-x)


@pattern("stabilize", scalar.add, scalar.softplus, "more accurate", only=is_real)
def softplus_of_negative_and_operand(x: Tensor) -> tuple[Tensor, Tensor]:
    """``x + log(1 + exp(-x))`` cancels for a large negative x."""
    return scalar.softplus(-x) + x, scalar.softplus(x)


@pattern("stabilize", scalar.sub, scalar.softplus, "more accurate", only=is_real)
def operand_less_softplus(x: Tensor) -> tuple[Tensor, Tensor]:
    """``x - log(1 + exp(x))`` cancels for a large x."""
    return x - scalar.softplus(x), -scalar.softplus(-x)


@pattern("stabilize", scalar.sub, scalar.softplus, "reassociates", only=is_real)
def difference_of_softplus(x: Tensor) -> tuple[Tensor, Tensor]:
    """``log(1 + exp(-x)) - log(1 + exp(x))`` is ``-x``."""
    return scalar.softplus(-x) - scalar.softplus(x), -x


@pattern("stabilize", scalar.sub, scalar.softplus, "reassociates", only=is_real)
def difference_of_softplus_of_negative(x: Tensor) -> tuple[Tensor, Tensor]:
    """``log(1 + exp(x)) - log(1 + exp(-x))`` is x."""
    return scalar.softplus(x) - scalar.softplus(-x), x


@pattern("stabilize", scalar.add, scalar.sigmoid, "more accurate", only=is_real)
def sigmoid_less_one(x: Tensor) -> tuple[Tensor, Tensor]:
    """``sigmoid(x) - 1`` loses all digits of a large x."""
    return scalar.sigmoid(x) + -1, -scalar.sigmoid(-x)


@pattern("stabilize", scalar.sub, scalar.sigmoid, "more accurate", only=is_real)
def sigmoid_less_square(x: Tensor) -> tuple[Tensor, Tensor]:
    """``sigmoid(x) - sigmoid(x)**2``, a gradient of quotients, loses all digits of a large x."""
    y = scalar.sigmoid(x)
    return y - scalar.sqr(y), y * scalar.sigmoid(-x)


@rule("stabilize", tracks=[scalar.sub], operands=[scalar.sigmoid], numerics="more accurate")
def sigmoid_less_that_of_negative(node: Apply) -> Replacement:
    """``sigmoid(x) - sigmoid(-x)`` loses the digits of a small x."""
    x, y = (inputs_of(item, scalar.sigmoid) for item in node.inputs)
    if x is None or y is None or not are_opposite(x[0], y[0]):
        return None
    return conform(scalar.tanh(x[0] * x[0].constant_like(0.5)), node.outputs[0])


@pattern("stabilize", scalar.sub, scalar.sqr, "more accurate", only=is_real)
def square_less_sigmoid(x: Tensor) -> tuple[Tensor, Tensor]:
    """``sigmoid(x)**2 - sigmoid(x)`` loses all digits of a large x."""
    y = scalar.sigmoid(x)
    return scalar.sqr(y) - y, -(y * scalar.sigmoid(-x))


# -- hyperbolic functions --------------------------------------------------------------------------


@pattern("stabilize", scalar.sub, scalar.exp, "more accurate", only=is_real)
def sinh_spelled_out(x: Tensor) -> tuple[Tensor, Tensor]:
    """``exp(x) - exp(-x)`` loses the digits of a small x."""
    return scalar.exp(x) - scalar.exp(-x), scalar.sinh(x) * 2


@pattern("stabilize", scalar.true_div, scalar.sinh, "more accurate", only=is_real)
def tanh_spelled_out(x: Tensor) -> tuple[Tensor, Tensor]:
    """``(exp(x) - exp(-x)) / (exp(x) + exp(-x))`` is NaN where an exponential overflows."""
    # Rules before this one have made sinh of the difference, and taken its factor outside.
    return scalar.sinh(x) / (scalar.exp(x) + scalar.exp(-x)), scalar.tanh(x) * 0.5


@pattern("stabilize", scalar.true_div, scalar.sinh, "more accurate", only=is_real)
def sinh_over_cosh(x: Tensor) -> tuple[Tensor, Tensor]:
    """``sinh(x) / cosh(x)`` is NaN where they overflow."""
    return scalar.sinh(x) / scalar.cosh(x), scalar.tanh(x)


@pattern(
    "stabilize", scalar.true_div, scalar.cosh, "more accurate", domain=(0.1, 3.0), only=is_real
)
def cosh_over_sinh(x: Tensor) -> tuple[Tensor, Tensor]:
    """``cosh(x) / sinh(x)``, the gradient of ``log(sinh(x))``, is NaN where they overflow."""
    return scalar.cosh(x) / scalar.sinh(x), scalar.reciprocal(scalar.tanh(x))


@pattern("stabilize", scalar.true_div, scalar.expm1, "more accurate", only=is_real)
def tanh_of_half(x: Tensor) -> tuple[Tensor, Tensor]:
    """``(exp(x) - 1) / (exp(x) + 1)`` is NaN where the exponential overflows."""
    return scalar.expm1(x) / (scalar.exp(x) + 1), scalar.tanh(x * 0.5)


@pattern("stabilize", scalar.add, scalar.mul, "more accurate", only=is_real)
def two_sigmoids_less_one(x: Tensor) -> tuple[Tensor, Tensor]:
    """``2 * sigmoid(x) - 1`` loses the digits of a small x."""
    return scalar.sigmoid(x) * 2 + -1, scalar.tanh(x * 0.5)


@pattern("stabilize", scalar.sub, scalar.tanh, "more accurate", only=is_real)
def one_minus_tanh(x: Tensor) -> tuple[Tensor, Tensor]:
    """``1 - tanh(x)`` loses all digits of a large x."""
    return 1 - scalar.tanh(x), scalar.sigmoid(x * -2) * 2


@pattern("stabilize", scalar.add, scalar.tanh, "more accurate", only=is_real)
def one_plus_tanh(x: Tensor) -> tuple[Tensor, Tensor]:
    """``1 + tanh(x)`` loses all digits of a large negative x."""
    return scalar.tanh(x) + 1, scalar.sigmoid(x * 2) * 2


@pattern("stabilize", scalar.sub, scalar.sqr, "more accurate", only=is_real)
def one_minus_square_of_sigmoid(x: Tensor) -> tuple[Tensor, Tensor]:
    """``1 - sigmoid(x)**2`` loses all digits of a large x."""
    y = scalar.sigmoid(x)
    return 1 - scalar.sqr(y), scalar.sigmoid(-x) * (y + 1)


@rule("stabilize", tracks=[scalar.sub, scalar.add], operands=[scalar.sqr],
      numerics="more accurate")  # fmt: skip
def one_minus_square_of_tanh(node: Apply, context: Context) -> Replacement:
    """``1 - tanh(x)**2`` and its negative lose all digits of a large x.

    As a factor of a gradient it stays as it is where the value is needed too: it costs two
    operations then.
    """
    square, one = node.inputs
    is_negative = node.op.scalar_op is scalar.add
    if not is_negative:
        one, square = node.inputs
    inner = inputs_of(square, scalar.sqr)
    operand = None if inner is None else inputs_of(inner[0], scalar.tanh)
    if inner is None or operand is None or not is_real(operand[0]):
        return None
    if context.uses(inner[0]) > 1 and _is_only_factor(node.outputs[0], context):
        return None
    if scalar_value(one) != (-1 if is_negative else 1):
        return None
    result = scalar.sqr(scalar.reciprocal(scalar.cosh(operand[0])))
    return conform(-result if is_negative else result, node.outputs[0])


@pattern("stabilize", scalar.sub, scalar.true_div, "more accurate", domain=(0.1, 3.0), only=is_real)
def one_minus_square_of_coth(x: Tensor) -> tuple[Tensor, Tensor]:
    """``1 - (1 / tanh(x))**2``, the gradient of ``cosh(x) / sinh(x)``, cancels far from zero."""
    before = 1 - scalar.reciprocal(scalar.tanh(x)) / scalar.tanh(x)
    return before, -scalar.sqr(scalar.reciprocal(scalar.sinh(x)))


def _is_only_factor(variable: Tensor, context: Context) -> bool:
    """Return whether a variable was used in products only, or made in this phase for them."""
    return all(
        isinstance(op, Elemwise) and op.scalar_op is scalar.mul for op in context.users(variable)
    )


@pattern("stabilize", scalar.log, scalar.cosh, "more accurate", only=is_real)
def log_of_cosh(x: Tensor) -> tuple[Tensor, Tensor]:
    """``log(cosh(x))`` overflows, and loses the digits of a small x."""
    return scalar.log(scalar.cosh(x)), scalar.logcosh(x)


@pattern("stabilize", scalar.log, scalar.sinh, "more accurate", domain=(0.1, 3.0), only=is_real)
def log_of_sinh(x: Tensor) -> tuple[Tensor, Tensor]:
    """``log(sinh(x))`` overflows."""
    before = scalar.log(scalar.sinh(x))
    return before, x + (scalar.log1mexp(x * -2) + x.constant_like(-math.log(2)))


@pattern("stabilize", scalar.add, scalar.cosh, "more accurate", only=is_real)
def cosh_minus_one(x: Tensor) -> tuple[Tensor, Tensor]:
    """``cosh(x) - 1`` loses the digits of a small x."""
    return scalar.cosh(x) + -1, scalar.sqr(scalar.sinh(x * 0.5)) * 2


@pattern("stabilize", scalar.sub, scalar.cosh, "more accurate", only=is_real)
def one_minus_cosh(x: Tensor) -> tuple[Tensor, Tensor]:
    """``1 - cosh(x)`` loses the digits of a small x."""
    return 1 - scalar.cosh(x), scalar.sqr(scalar.sinh(x * 0.5)) * -2


@pattern("stabilize", scalar.add, scalar.cos, "more accurate", only=is_real)
def cos_minus_one(x: Tensor) -> tuple[Tensor, Tensor]:
    """``cos(x) - 1`` loses the digits of a small x."""
    return scalar.cos(x) + -1, scalar.sqr(scalar.sin(x * 0.5)) * -2


@pattern("stabilize", scalar.sub, scalar.cos, "more accurate", only=is_real)
def one_minus_cos(x: Tensor) -> tuple[Tensor, Tensor]:
    """``1 - cos(x)`` loses the digits of a small x."""
    return 1 - scalar.cos(x), scalar.sqr(scalar.sin(x * 0.5)) * 2


# -- logarithms ------------------------------------------------------------------------------------


@pattern("stabilize", scalar.log, scalar.sqr, "more accurate", only=is_real)
def log_of_square(x: Tensor) -> tuple[Tensor, Tensor]:
    """``log(x**2)`` overflows for a large x, and is -inf for a small one."""
    return scalar.log(scalar.sqr(x)), scalar.log(scalar.abs(x)) * 2


@pattern("stabilize", scalar.log, scalar.sqrt, "more accurate", domain=(0.1, 10.0), only=is_real)
def log_of_root(x: Tensor) -> tuple[Tensor, Tensor]:
    """``log(sqrt(x))`` needs no root."""
    return scalar.log(scalar.sqrt(x)), scalar.log(x) * 0.5


@rule("stabilize", tracks=[scalar.log], operands=[scalar.pow], numerics="needs finite")
def log_of_power(node: Apply) -> Replacement:
    """``log(x**c)`` is ``c * log(x)``, without overflow; of even powers the sign does not matter.

    Of a negative x and other powers it is NaN, also where the power vanishes.
    """
    operands = inputs_of(node.inputs[0], scalar.pow)
    value = None if operands is None else real_value(operands[1])
    if operands is None or value is None or not is_real(operands[0]) or value == 0:
        return None
    base = scalar.abs(operands[0]) if value % 2 == 0 else operands[0]
    return conform(scalar.log(base) * operands[1], node.outputs[0])


@rule("stabilize", tracks=[scalar.log], operands=[CAReduce], numerics="more accurate")
def log_of_product(node: Apply) -> Replacement:
    """``log(prod(x))`` is the sum of logarithms, without overflow; NaN of a negative product."""
    reduction = reduced(node.inputs[0], "mul")
    if reduction is None or not is_real(node.inputs[0]):
        return None
    x, axes = reduction
    total = scalar.log(scalar.abs(x)).sum(axis=list(axes))
    signs = scalar.sgn(x).prod(axis=list(axes))
    nan = scalar.sqrt(signs.constant_like(-1))
    return conform(scalar.switch(scalar.lt(signs, 0), nan, total), node.outputs[0])


def _log_of_quotient(x: Tensor) -> Tensor:
    nan = scalar.sqrt(x.constant_like(-1))
    below = scalar.lt(x, x.constant_like(0))
    return scalar.switch(below, nan, scalar.log1p(scalar.reciprocal(scalar.abs(x))))


@pattern("stabilize", scalar.sub, scalar.log1p, "more accurate", domain=(0.1, 10.0), only=is_real)
def log_of_successor_less_log(x: Tensor) -> tuple[Tensor, Tensor]:
    """``log(1 + x) - log(x)`` cancels for a large x; NaN below zero."""
    return scalar.log1p(x) - scalar.log(x), _log_of_quotient(x)


@pattern("stabilize", scalar.sub, scalar.log, "more accurate", domain=(0.1, 10.0), only=is_real)
def log_less_log_of_successor(x: Tensor) -> tuple[Tensor, Tensor]:
    """``log(x) - log(1 + x)`` cancels for a large x; NaN below zero."""
    return scalar.log(x) - scalar.log1p(x), -_log_of_quotient(x)


@pattern(
    "stabilize", scalar.log, scalar.true_div, "more accurate", domain=(0.1, 10.0), only=is_real
)
def log_of_successor_over_operand(x: Tensor) -> tuple[Tensor, Tensor]:
    """``log((1 + x) / x)`` loses the digits of a large x."""
    return scalar.log((x + 1) / x), scalar.log1p(scalar.reciprocal(x))


@rule("stabilize", tracks=[scalar.log], operands=[scalar.true_div], numerics="more accurate")
def log_of_operand_over_successor(node: Apply) -> Replacement:
    """``log(x / (1 + x))`` loses the digits of a large x."""
    quotient = inputs_of(node.inputs[0], scalar.true_div)
    terms = None if quotient is None else inputs_of(quotient[1], scalar.add)
    if quotient is None or terms is None or terms[0] is not quotient[0] or not is_real(quotient[0]):
        return None
    if scalar_value(terms[1]) != 1:
        return None
    (x, _) = quotient
    is_zero = scalar.eq(x, x.constant_like(0))
    inverse = scalar.switch(is_zero, x.constant_like(math.inf), scalar.reciprocal(x))
    return conform(-scalar.log1p(inverse), node.outputs[0])


@rule("stabilize", tracks=[scalar.sub], operands=[scalar.log], numerics="more accurate")
def difference_of_logs(node: Apply) -> Replacement:
    """``log(x + c) - log(x)`` with a positive number c cancels for a large x."""
    upper, lower = (inputs_of(item, scalar.log) for item in node.inputs)
    if upper is None or lower is None or not is_real(node.outputs[0]):
        return None
    for one, other, sign in ((upper[0], lower[0], 1), (lower[0], upper[0], -1)):
        terms = inputs_of(one, scalar.add)
        shift = None if terms is None else real_value(terms[1])
        if terms is None or terms[0] is not other or shift is None or not shift > 0:
            continue
        nan = scalar.sqrt(other.constant_like(-1))
        result = scalar.log1p(terms[1] / scalar.abs(other))
        result = scalar.switch(scalar.lt(other, other.constant_like(0)), nan, result)
        return conform(result if sign > 0 else -result, node.outputs[0])
    return None


# -- roots -----------------------------------------------------------------------------------------


@pattern(
    "stabilize",
    scalar.sqrt,
    scalar.add,
    "more accurate",
    only=lambda x, y: is_real(x) and exponent(x) is None,
)
def hypot_spelled_out(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    """``sqrt(x**2 + y**2)`` overflows, and is zero for small numbers."""
    return scalar.sqrt(scalar.sqr(x) + scalar.sqr(y)), scalar.hypot(x, y)


@rule("stabilize", tracks=[scalar.sqrt], operands=[scalar.add], numerics="more accurate")
def root_of_square_and_constant(node: Apply) -> Replacement:
    """``sqrt(x**2 + 1)`` overflows for a large x."""
    terms = inputs_of(node.inputs[0], scalar.add)
    if terms is None or not isinstance(terms[1], TensorConstant) or not is_real(terms[0]):
        return None
    square, value = inputs_of(terms[0], scalar.sqr), real_value(terms[1])
    if square is None or value is None or not 0 < value < math.inf:
        return None
    root = terms[1].constant_like(math.sqrt(value))
    return conform(scalar.hypot(square[0], root), node.outputs[0])


@pattern("stabilize", scalar.add, scalar.hypot, "more accurate", only=is_real)
def hypot_of_one_less_one(x: Tensor) -> tuple[Tensor, Tensor]:
    """``sqrt(1 + x**2) - 1`` loses the digits of a small x."""
    root = scalar.hypot(x, x.constant_like(1))
    size = scalar.abs(x)
    return root + -1, scalar.switch(scalar.isinf(x), root, size * (size / (root + 1)))


@pattern("stabilize", scalar.add, scalar.sqrt, "more accurate", domain=(-0.9, 10.0), only=is_real)
def root_of_one_plus_less_one(x: Tensor) -> tuple[Tensor, Tensor]:
    """``sqrt(1 + x) - 1`` loses the digits of a small x."""
    root = scalar.sqrt(x + 1)
    return root + -1, scalar.switch(scalar.isinf(x), root, x / (root + 1))


@pattern("stabilize", scalar.sub, scalar.sqrt, "more accurate", domain=(0.1, 10.0), only=is_real)
def difference_of_roots(x: Tensor) -> tuple[Tensor, Tensor]:
    """``sqrt(x + 1) - sqrt(x)`` loses the digits of a large x."""
    upper, lower = scalar.sqrt(x + 1), scalar.sqrt(x)
    return upper - lower, scalar.reciprocal(upper + lower)


@pattern("stabilize", scalar.log, scalar.add, "more accurate", only=is_real)
def arcsinh_spelled_out(x: Tensor) -> tuple[Tensor, Tensor]:
    """``log(x + sqrt(x**2 + 1))`` cancels for a negative x, and overflows."""
    before = scalar.log(x + scalar.hypot(x, x.constant_like(1)))
    return before, scalar.arcsinh(x)


@pattern(
    "stabilize", scalar.log, scalar.true_div, "more accurate", domain=(-0.9, 0.9), only=is_real
)
def arctanh_spelled_out(x: Tensor) -> tuple[Tensor, Tensor]:
    """``log((1 + x) / (1 - x))`` loses the digits of a small x."""
    return scalar.log((x + 1) / (1 - x)), scalar.arctanh(x) * 2


# -- special functions -----------------------------------------------------------------------------


@pattern("stabilize", scalar.log, scalar.erfc, "more accurate", only=is_real)
def log_of_erfc(x: Tensor) -> tuple[Tensor, Tensor]:
    """``log(erfc(x))`` is -inf from 27 on."""
    return scalar.log(scalar.erfc(x)), scalar.log_erfc(x)


@rule("stabilize", tracks=[scalar.log], operands=[scalar.mul], numerics="more accurate")
def log_of_normal_tail(node: Apply) -> Replacement:
    """``log(erfc(-x / sqrt(2)) / 2)``, the normal distribution's, is -inf below -38."""
    factors = inputs_of(node.inputs[0], scalar.mul)
    if factors is None or not isinstance(factors[1], TensorConstant) or not is_real(factors[0]):
        return None
    inner = inputs_of(factors[0], scalar.erfc)
    if inner is None or scalar_value(factors[1]) != 0.5:
        return None
    return conform(scalar.log_ndtr(_without_root(inner[0])), node.outputs[0])


def _without_root(z: Tensor) -> Tensor:
    """Return ``-z * sqrt(2)``: x of ``-x / sqrt(2)``."""
    sign = inputs_of(z, scalar.neg)
    inner = z if sign is None else sign[0]
    for row, wanted in ((scalar.true_div, math.sqrt(2)), (scalar.mul, math.sqrt(0.5))):
        operands = inputs_of(inner, row)
        value = None if operands is None else real_value(operands[1])
        if operands is not None and value is not None:
            off = abs(abs(value) / wanted - 1)
            if off < (1e-6 if z.dtype != "float64" else 1e-15):
                return operands[0] if (value < 0) != (sign is not None) else -operands[0]
    return z * z.constant_like(-math.sqrt(2))


@pattern("stabilize", scalar.log, scalar.gamma, "more accurate", domain=(0.1, 10.0), only=is_real)
def log_of_gamma(x: Tensor) -> tuple[Tensor, Tensor]:
    """``log(gamma(x))`` overflows from 171 on; NaN where the gamma function is negative."""
    odd = scalar.neq(scalar.floor(scalar.floor(x) * 0.5) * 2, scalar.floor(x))
    is_minus_infinity = scalar.lt(x, x.constant_like(float(np.finfo(x.dtype).min)))
    negative = scalar.lt(x, x.constant_like(0)) & (odd | is_minus_infinity)
    nan = scalar.sqrt(x.constant_like(-1))
    return scalar.log(scalar.gamma(x)), scalar.switch(negative, nan, scalar.gammaln(x))


@rule("stabilize", tracks=[scalar.gammaincc], operands=[TensorConstant], numerics="more accurate")
def upper_gamma_of_order_one(node: Apply) -> Replacement:
    """``gammaincc(1, x)``, the probability that a Poisson variable is 0, is ``exp(-x)``."""
    order, x = node.inputs
    if scalar_value(order) != 1:
        return None
    return conform(_from_zero(x, scalar.exp(-x)), node.outputs[0])


@rule("stabilize", tracks=[scalar.gammainc], operands=[TensorConstant], numerics="more accurate")
def lower_gamma_of_order_one(node: Apply) -> Replacement:
    """``gammainc(1, x)``, the exponential distribution's function, is ``-expm1(-x)``."""
    order, x = node.inputs
    if scalar_value(order) != 1:
        return None
    return conform(_from_zero(x, -scalar.expm1(-x)), node.outputs[0])


def _from_zero(x: Tensor, value: Tensor) -> Tensor:
    """Return a value where an operand is not negative, and NaN elsewhere."""
    return scalar.switch(scalar.ge(x, x.constant_like(0)), value, x.constant_like(math.nan))

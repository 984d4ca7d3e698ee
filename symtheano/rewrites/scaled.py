"""Quotients, logarithms and roots of exponentials, taken apart before they overflow.

Exponents of numerators and denominators are subtracted before they are used.
"""

from __future__ import annotations

from collections.abc import Sequence

from symtheano import dtypes
from symtheano.graph.variable import Apply
from symtheano.rewrites.exponentials import AROUND, exponentials_of, simplified, taken_off
from symtheano.rewrites.mantissas import (
    Scaled,
    Scaling,
    added,
    largest,
    power_in,
    power_of,
    shifted,
    terms_of,
)
from symtheano.rewrites.match import (
    computed_by,
    conform,
    inputs_of,
    is_repeated,
    real_value,
)
from symtheano.rewrites.products import Quotient, is_delicate, quotient_of
from symtheano.rewrites.reduce import is_plain_sum
from symtheano.rewrites.rule import Replacement, rule
from symtheano.scalar import table as scalar
from symtheano.scalar.row import ScalarOp
from symtheano.tensor.elemwise import DimShuffle
from symtheano.tensor.nnet.softmax import Softmax
from symtheano.tensor.reductions.reduce import CAReduce
from symtheano.tensor.variable import Tensor

_SUMS: list[ScalarOp | type] = [
    scalar.add, scalar.sub, scalar.mul, scalar.true_div, scalar.sqr, scalar.sqrt, scalar.expm1,
    scalar.pow,
    CAReduce, DimShuffle,
]  # fmt: skip


def in_range(quotient: Quotient) -> bool:
    """Subtract exponents of divisors from those of factors; return whether there are both."""
    scaling = Scaling()
    under = [scaling.of(item) for item in quotient.under]
    if not any(item is not None and item.is_sum for item in under):
        if not _have_opposite(quotient.over, quotient.under):
            return False
        scaling.sigmoids = True
        under = [scaling.of(item) for item in quotient.under]
    scaling.counting = False
    over = [scaling.of(item) for item in quotient.over]
    plain = [item for item in under if item is not None and not item.is_sum]
    if not any(over) and not plain:
        return False
    _balance(over, under)
    if any(over):
        over = [part or shifted(item) for part, item in zip(over, quotient.over, strict=True)]
    whole = Scaled(None, ())
    for items, sign in ((over, 1), (under, -1)):
        for item in items:
            if item is not None:
                whole = whole.times(Scaled(None, item.powers), sign)
    pairs = zip((*quotient.over, *quotient.under), (*over, *under), strict=True)
    left = [item if part is None else part.mantissa for item, part in pairs]
    count = len(quotient.over)
    quotient.over = [item for item in left[:count] if item is not None]
    quotient.under = [item for item in left[count:] if item is not None]
    if whole.powers:
        quotient.over.append(scalar.exp(power_of(whole.powers)))
    return True


def _balance(over: Sequence[Scaled | None], under: list[Scaled | None]) -> None:
    """Leave divisors for which there is no factor: their reciprocals alone would vanish."""
    left = max(1, sum(item is not None for item in over))
    for k, item in enumerate(under):
        if item is not None and item.is_sum:
            if left == 0:
                under[k] = None
            left = max(left - 1, 0)


def _have_opposite(factors: Sequence[Tensor], divisors: Sequence[Tensor]) -> bool:
    """Return whether a factor grows as another one vanishes, as in ``exp(x) * sigmoid(-2 * x)``.

    Such are also exponentials beside others of which a maximum was taken off.
    """
    growing: list[tuple[Tensor, int]] = []
    is_shifted = False
    for item in factors:
        power = power_in(item)
        if power is None:
            continue
        if taken_off(power) is not None:
            is_shifted = True
        else:
            growing.append(_direction(power))
    if is_shifted and growing:
        return True
    for items, sign in ((factors, -1), (divisors, 1)):
        for item in items if growing else ():
            operands = inputs_of(item, scalar.sigmoid)
            base, direction = _direction(operands[0]) if operands is not None else (None, 0)
            if any(x is base and sign * direction == its for x, its in growing):
                return True
    return False


def _direction(variable: Tensor) -> tuple[Tensor, int]:
    """Return x and a sign, of ``-x`` and of ``c * x`` with a constant c."""
    sign = 1
    for row in (scalar.neg, scalar.mul, scalar.true_div):
        operands = inputs_of(variable, row)
        value = -1 if operands is None or len(operands) == 1 else real_value(operands[1])
        if operands is not None and value:
            variable, sign = operands[0], sign if value > 0 else -sign
    return variable, sign


@rule("stabilize", tracks=[scalar.mul, scalar.true_div], operands=AROUND, numerics="more accurate")
def quotient_of_exponentials(node: Apply) -> Replacement:
    """``(exp(a) + exp(b)) / (exp(c) + 1)`` is NaN where both overflow; exponents are subtracted.

    So also quotients of products, powers and sums over axes.
    """
    output = node.outputs[0]
    quotient = quotient_of(output) if output.dtype in dtypes.FLOAT else None
    if quotient is None or not in_range(quotient):
        return None
    return conform(quotient.result(output), output)


@rule("stabilize", tracks=[scalar.log], operands=_SUMS, numerics="more accurate")
def log_of_exponentials(node: Apply) -> Replacement:
    """``log(exp(x) + exp(x)**2)`` overflows; the largest exponent is taken out.

    So also of other products, powers and sums of exponentials.
    """
    (x,) = node.inputs
    whole = Scaling().of(x) if x.dtype in dtypes.FLOAT else None
    if whole is None or not whole.is_sum or whole.mantissa is None:
        return None
    return conform(power_of(whole.powers) + scalar.log(whole.mantissa), node.outputs[0])


@rule("stabilize", tracks=[scalar.log1p], operands=_SUMS, numerics="more accurate")
def log1p_of_exponentials(node: Apply) -> Replacement:
    """``log(1 + exp(x) + exp(y))`` overflows; with a small sum it keeps its digits."""
    (x,) = node.inputs
    whole = Scaling().of(x) if x.dtype in dtypes.FLOAT else None
    if whole is None or not whole.powers:
        return None
    power = power_of(whole.powers)
    if whole.mantissa is None:
        return conform(scalar.softplus(power), node.outputs[0])
    if not whole.is_sum:
        return None
    top = largest(((), whole.powers))
    rest = whole.mantissa * scalar.exp(power - top) + scalar.expm1(-top)
    return conform(top + scalar.log1p(rest), node.outputs[0])


@rule("specialize", tracks=[scalar.sqrt], operands=[CAReduce, DimShuffle],
      numerics="more accurate")  # fmt: skip
def root_of_exponentials(node: Apply) -> Replacement:
    """``sqrt((exp(x)**2).sum())`` is infinite where the root is not."""
    (x,) = node.inputs
    whole = Scaling().of(x) if x.dtype in dtypes.FLOAT else None
    if whole is None or not whole.is_sum:
        return None
    half = whole.to(0.5)
    power = scalar.exp(power_of(half.powers))
    result = power if half.mantissa is None else half.mantissa * power
    return conform(result, node.outputs[0])


@rule("stabilize", tracks=[scalar.mul], operands=[scalar.exp, scalar.sigmoid, Softmax],
      numerics="more accurate")  # fmt: skip
def exponential_over_sums_of_terms(node: Apply) -> Replacement:
    """``(g / s - h / s) * exp(x)`` with the sum s of exponentials: the gradient of a softmax."""
    for one, other in (node.inputs, node.inputs[::-1]):
        if not _is_share(one):
            continue
        terms = terms_of(other)
        products = [_times(term, one) for term, _ in terms] if len(terms) > 1 else []
        if any(product is not None for product in products):
            pairs = zip(products, terms, strict=True)
            whole = [
                (term * one if product is None else product, sign)
                for product, (term, sign) in pairs
            ]
            return conform(added([*whole], other), node.outputs[0])
    return None


def _is_share(variable: Tensor) -> bool:
    rows = (scalar.exp, scalar.sigmoid)
    return computed_by(variable, Softmax) or any(inputs_of(variable, row) for row in rows)


def _times(term: Tensor, factor: Tensor) -> Tensor | None:
    quotient = quotient_of(term)
    if quotient is None or not any(is_delicate(under) for under in quotient.under):
        return None
    quotient.over.append(factor)
    return quotient.result(term) if simplified(quotient) or in_range(quotient) else None


@rule(
    "stabilize",
    tracks=[CAReduce],
    operands=[scalar.true_div, scalar.mul],
    numerics="reassociates",
)
def sum_of_shares(node: Apply) -> Replacement:
    """If all terms of a sum have the same divisor, a sum of exponentials, it divides the sum."""
    x = node.inputs[0]
    op = node.op
    assert isinstance(op, CAReduce)
    if not is_plain_sum(node) or x.dtype not in dtypes.FLOAT:
        return None
    quotient = quotient_of(x)
    if quotient is None:
        return None
    for under in quotient.under:
        same = all(under.type.shape[axis] == 1 for axis in op.axis)
        if same and is_repeated(under, x) and is_sum_of_exponentials(under):
            quotient.under.remove(under)
            if not quotient.over:
                return None
            kept = [axis for axis in range(x.ndim) if axis not in op.axis]
            inner = conform(quotient.result(), x)
            if inner is None or inner.type.shape != x.type.shape:
                return None
            return op(inner) / under.dimshuffle(*kept)
    return None


def is_sum_of_exponentials(variable: Tensor) -> bool:
    """Return whether a variable is a sum of exponentials that may overflow."""
    if exponentials_of(variable) is not None:
        return True
    scaled = Scaling().of(variable)
    return scaled is not None and scaled.is_sum

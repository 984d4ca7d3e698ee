"""Quotients, products and logarithms of exponentials and their sums, which would overflow.

Gradients of logarithms of such sums are products of an exponential and the reciprocal of the sum,
in any order and with other factors. Therefore these rules examine all factors of a product.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from symtheano import dtypes
from symtheano.dataclass import dataclass
from symtheano.graph.variable import Apply
from symtheano.rewrites.match import (
    SELECTING,
    bare,
    computed_by,
    conform,
    inputs_of,
    is_constant,
    real_value,
    scalar_value,
    unselected,
)
from symtheano.rewrites.products import (
    FACTORS,
    Quotient,
    are_opposite,
    cancelled,
    directed,
    exponent,
    factors_of_others,
    is_delicate,
    quotient_of,
    remove,
)
from symtheano.rewrites.quotients import is_never_zero
from symtheano.rewrites.rule import Replacement, rule
from symtheano.rewrites.stabilize import kept_reduced, reduced
from symtheano.rewrites.vanishing import bounded
from symtheano.scalar import table as scalar
from symtheano.scalar.row import ScalarOp
from symtheano.tensor.elemwise import DimShuffle
from symtheano.tensor.nnet.softmax import LogSoftmax, Softmax, finite_max
from symtheano.tensor.reductions.reduce import CAReduce
from symtheano.tensor.variable import Tensor


def log_of_share(variable: Tensor) -> Tensor | None:
    """Return x of ``exp(x)``, or the logarithm of a sigmoid or softmax; None of anything else.

    So also of selected elements of these.
    """
    x = exponent(variable)
    if x is not None:
        return x
    operands = inputs_of(variable, scalar.sigmoid)
    if operands is not None:
        return -scalar.softplus(-operands[0])
    if computed_by(variable, Softmax):
        return LogSoftmax(variable.owner.op.axis)(variable.owner.inputs[0])
    if computed_by(variable, *SELECTING):
        whole, *others = variable.owner.inputs
        inner = log_of_share(whole)
        return None if inner is None else variable.owner.op(inner, *others)
    return None


def weighted(
    term: Tensor, of: Callable[[Tensor], Tensor | None] = exponent
) -> tuple[Tensor | None, Tensor, Tensor | None] | None:
    """Return (weight, x, exponential) of ``weight * exp(x)``; the weight None is one.

    Of products and powers of exponentials, x is the sum of exponents, and there is no exponential.
    """
    weight: Tensor | None = None
    total: Tensor | None = None
    exponentials: list[tuple[Tensor, float]] = []
    stack = [(term, 1.0)]
    while stack:
        item, power = stack.pop()
        inner = of(item)
        if inner is not None:
            exponentials.append((item, power))
            size = abs(power)
            inner = inner if size == 1 else inner * inner.constant_like(size)
            if total is None:
                total = inner if power > 0 else -inner
            else:
                total = total + inner if power > 0 else total - inner
            continue
        parts = _parts(item, power, of)
        if parts is None:
            factor = item if power > 0 else scalar.reciprocal(item)
            weight = factor if weight is None else weight * factor
        stack += parts or ()
        if len(stack) > FACTORS:
            return None
    if total is None or inputs_of(term, scalar.neg) is not None:
        return None
    only = exponentials[0][0] if len(exponentials) == 1 and exponentials[0][1] == 1 else None
    return weight, total, only


def _parts(
    item: Tensor, power: float, of: Callable[[Tensor], Tensor | None]
) -> list[tuple[Tensor, float]] | None:
    """Return the factors of a product or quotient, or the base of an exponential's power."""
    factors = inputs_of(item, scalar.mul)
    if factors is not None and abs(power) == 1:
        return [(factors[1], power), (factors[0], power)]
    quotient = inputs_of(item, scalar.true_div)
    if quotient is not None and abs(power) == 1:
        return [(quotient[1], -power), (quotient[0], power)]
    operands = inputs_of(item, scalar.reciprocal)
    if operands is not None and abs(power) == 1:
        return [(operands[0], -power)]
    for row, factor in ((scalar.sqr, 2.0), (scalar.sqrt, 0.5)):
        operands = inputs_of(item, row)
        if operands is not None and of(operands[0]) is not None:
            return [(operands[0], power * factor)]
    operands = inputs_of(item, scalar.pow)
    value = None if operands is None else real_value(operands[1])
    if operands is not None and value is not None and of(operands[0]) is not None:
        return [(operands[0], power * value)]
    return None


_Weighted = tuple[Tensor | None, Tensor | None, Tensor | None]


@dataclass
class Exponentials:
    """A sum of weighted exponentials: over axes, or of terms.

    Attributes
    ----------
    terms
        Weights (None for one), exponents (None for a constant) and exponentials.
    axis
        The axes summed over, which keep length one; None for a sum of terms.
    """

    terms: list[_Weighted]
    axis: tuple[int, ...] | None

    @property
    def plain(self) -> bool:
        """Whether no term has a weight."""
        return all(weight is None for weight, _, _ in self.terms)

    @property
    def is_shifted(self) -> bool:
        """Whether a maximum is taken off all exponents already."""
        tops = {taken_off(x) for _, x, _ in self.terms if x is not None}
        return len(tops) == 1 and None not in tops

    def top(self) -> Tensor:
        """Return the largest exponent whose weight is not zero, 0 where it is infinite."""
        exponents = [counted(weight, x) for weight, x, _ in self.terms if x is not None]
        if self.axis is not None:
            return finite_max(exponents[0], self.axis)
        largest = exponents[0]
        for x in exponents[1:]:
            largest = scalar.maximum(largest, x)
        if any(x is None for _, x, _ in self.terms):
            largest = scalar.maximum(largest, largest.constant_like(0))
        return scalar.switch(scalar.isinf(largest), largest.constant_like(0), largest)

    def shifted(self, top: Tensor) -> Tensor:
        """Return the sum divided by the exponential of ``top``."""
        total: Tensor | None = None
        for weight, x, _ in self.terms:
            term = scalar.exp(-top if x is None else counted(weight, x) - top)
            term = term if weight is None else weight * term
            total = term if total is None else total + term
        assert total is not None
        return total if self.axis is None else total.sum(axis=self.axis, keepdims=True)


def counted(weight: Tensor | None, x: Tensor) -> Tensor:
    """Return an exponent, -inf where its weight is zero."""
    value = None if weight is None else scalar_value(weight)
    if weight is None or value or (is_constant(weight) and weight.data.all()):
        return x
    return scalar.switch(scalar.eq(weight, 0), x.constant_like(-math.inf), x)


def taken_off(x: Tensor) -> Tensor | None:
    """Return m of ``x - m``, ``-m`` and ``x - 2 * m + y``, a maximum before axes are put back."""
    stack = [(x, 1)]
    for _ in range(_EXAMINED):
        if not stack:
            return None
        item, sign = stack.pop()
        while computed_by(item, DimShuffle):
            (item,) = item.owner.inputs
        if sign < 0 and is_maximum(item):
            return item
        terms = inputs_of(item, scalar.add) or inputs_of(item, scalar.sub)
        if terms is not None:
            other = sign if inputs_of(item, scalar.add) else -sign
            stack += [(terms[1], other), (terms[0], sign)]
        elif minus := inputs_of(item, scalar.neg):
            stack.append((minus[0], -sign))
        elif (factors := inputs_of(item, scalar.mul)) and (value := real_value(factors[1])):
            stack.append((factors[0], sign if value > 0 else -sign))
    return None


_EXAMINED = 12
"""How many terms of an exponent are examined."""


def is_maximum(variable: Tensor) -> bool:
    """Return whether a variable is a maximum, perhaps replaced where it is infinite."""
    choice = inputs_of(variable, scalar.switch)
    if choice is not None:
        return any(is_maximum(bare(item)) for item in choice[1:])
    if inputs_of(variable, scalar.maximum) is not None:
        return True
    return computed_by(variable, CAReduce) and variable.owner.op.scalar_name == "maximum"


def exponentials_of(
    variable: Tensor, of: Callable[[Tensor], Tensor | None] = exponent
) -> Exponentials | None:
    """Return the terms of a sum, if they are exponentials and constants, or None."""
    if variable.dtype not in dtypes.FLOAT:
        return None
    reduction = kept_reduced(variable, "add")
    if reduction is not None:
        only = weighted(reduction[0], of)
        return None if only is None else Exponentials([only], reduction[1])
    terms: list[_Weighted] = []
    stack = [variable]
    while stack:
        item = stack.pop()
        parts = inputs_of(item, scalar.add)
        if parts is not None and len(stack) < FACTORS:
            stack += reversed(parts)
            continue
        term: _Weighted | None = weighted(item, of)
        if term is None:
            value = scalar_value(item)
            if value is None or isinstance(value, complex) or not value > 0:
                return None
            term = (None if value == 1 else item, None, None)
        terms.append(term)
    alone = len(terms) < 2 or all(x is None for _, x, _ in terms)
    return None if alone else Exponentials(terms, None)


_LIMIT = {"float16": 10.0, "float32": 80.0, "float64": 690.0}
"""Exponents whose exponentials are nearly too large for a dtype."""


def _share(over: Tensor, whole: Exponentials) -> Tensor | None:
    """Return a term of a sum (without its weight) divided by the sum, or None."""
    nothing = (None, None)
    weight, u = next(((w, x) for w, x, item in whole.terms if item is over), nothing)
    if u is None:
        return None
    if whole.axis is not None and whole.plain and exponent(over) is not None:
        return Softmax(whole.axis)(u)
    if whole.axis is None and whole.plain and len(whole.terms) == 2:
        other = next((x for _, x, _ in whole.terms if x is not u), u)
        return scalar.sigmoid(u if other is None else u - other)
    if whole.is_shifted:
        return None
    top = whole.top()
    less = u - top
    if weight is not None and not scalar_value(weight):
        # Of a term whose weight is zero the exponent may be positive: the product stays zero.
        less = scalar.minimum(less, less.constant_like(_LIMIT[less.dtype]))
    return scalar.exp(less) / whole.shifted(top)


def _over_difference(u: Tensor, under: Tensor) -> Tensor | None:
    """Return ``exp(u)`` divided by a difference of which it is a term, or None."""
    operands = inputs_of(under, scalar.expm1)
    if operands is not None:
        return -scalar.reciprocal(scalar.expm1(-u)) if operands[0] is u else None
    terms = inputs_of(under, scalar.sub)
    if terms is None:
        return None
    a, b = exponent(terms[0]), exponent(terms[1])
    if a is None or b is None:
        return None
    if a is u:
        return -scalar.reciprocal(scalar.expm1(b - a))
    return scalar.reciprocal(scalar.expm1(a - b)) if b is u else None


def simplified(quotient: Quotient) -> bool:
    """Cancel exponentials against sums of them; return whether there were any."""
    changed = cancelled(quotient, _never_zero)
    changed = bounded(quotient) or changed
    changed = _sigmoids(quotient) or changed
    for under in list(quotient.under):
        if is_delicate(under):
            changed = _without(quotient, under) or changed
    changed = _sigmoids(quotient) or changed
    changed = _hyperbolic(quotient) or changed
    changed = _inverse_exponentials(quotient) or changed
    changed = _products(quotient) or changed
    changed = _complement_of_tanh(quotient) or changed
    return directed(quotient) or changed


def _without(quotient: Quotient, under: Tensor) -> bool:
    """Cancel a sum or difference of exponentials against one of its terms."""
    whole = exponentials_of(under, log_of_share)
    for k, over in enumerate(quotient.over):
        u = exponent(over)
        if whole is not None:
            share = _share(over, whole)
        else:
            share = None if u is None else _over_difference(u, under)
        if share is not None:
            quotient.over[k] = share
            quotient.under.remove(under)
            return True
    share = None if whole is None else _logistic(whole)
    if share is None:
        return False
    quotient.over.append(share)
    quotient.under.remove(under)
    return True


def _never_zero(variable: Tensor) -> bool:
    inner = unselected(variable)
    if is_never_zero(inner) or exponent(inner) is not None or exponentials_of(inner) is not None:
        return True
    whole = reduced(inner, "add")
    return whole is not None and exponent(whole[0]) is not None


def _sigmoids(quotient: Quotient) -> bool:
    """Replace ``sigmoid(x) * exp(-x)`` by ``sigmoid(-x)``, and ``sigmoid(x) * (exp(-x) + 1)``."""
    changed = False
    for k, item in enumerate(quotient.over):
        x = inputs_of(item, scalar.sigmoid)
        for other in list(quotient.over) if x is not None else ():
            if x is None or other is item:
                continue
            power = _power(other)
            if power is None and _is_inverse(other, x[0]):
                remove(quotient.over, item)
                remove(quotient.over, other)
                return True
            if power is None:
                continue
            if are_opposite(power, x[0]):
                quotient.over[k] = scalar.sigmoid(power)
                remove(quotient.over, other)
                changed = True
                break
    return changed


def _power(variable: Tensor) -> Tensor | None:
    """Return x of ``exp(x)``, also of powers of exponentials."""
    power = exponent(variable)
    if power is None and inputs_of(variable, scalar.sqr) is not None:
        whole = weighted(variable)
        return None if whole is None or whole[0] is not None else whole[1]
    return power


def _is_inverse(variable: Tensor, x: Tensor) -> bool:
    """Return whether a variable is ``exp(-x) + 1``, the reciprocal of ``sigmoid(x)``."""
    terms = inputs_of(variable, scalar.add)
    u = None if terms is None or scalar_value(terms[1]) != 1 else exponent(terms[0])
    return u is not None and are_opposite(u, x)


def _hyperbolic(quotient: Quotient) -> bool:
    """Replace quotients of ``sinh(x)`` and ``cosh(x)`` by the hyperbolic tangent."""
    for over in quotient.over:
        for one, other in ((scalar.sinh, scalar.cosh), (scalar.cosh, scalar.sinh)):
            x = inputs_of(over, one)
            same = [
                item for item in quotient.under if x is not None and inputs_of(item, other) == x
            ]
            if x is None or not same:
                continue
            remove(quotient.over, over)
            remove(quotient.under, same[0])
            (quotient.over if one is scalar.sinh else quotient.under).append(scalar.tanh(x[0]))
            return True
    return False


def _inverse_exponentials(quotient: Quotient) -> bool:
    """Replace ``exp(x) * exp(-x)`` by one, NaN of an infinite x."""
    for k, over in enumerate(quotient.over):
        x = exponent(over)
        for other in quotient.over[k + 1 :] if x is not None else ():
            y = exponent(other)
            if x is not None and y is not None and are_opposite(x, y):
                quotient.over.remove(other)
                quotient.over[k] = (x - x) + 1
                return True
    return False


def _complement_of_tanh(quotient: Quotient) -> bool:
    """Replace ``(1 - tanh(x)**2) / sigmoid(2 * x)`` by ``4 * sigmoid(-2 * x)``."""
    for under in list(quotient.under):
        inner = inputs_of(under, scalar.sigmoid)
        half = None if inner is None else inputs_of(inner[0], scalar.mul)
        value = None if half is None else real_value(half[1])
        if inner is None or half is None or value not in (2, -2):
            continue
        squares = [over for over in quotient.over if _of_complement(over) is half[0]]
        roots = [item for item in quotient.under if inputs_of(item, scalar.cosh) == [half[0]]]
        if squares:
            remove(quotient.over, squares[0])
        elif len(roots) > 1:
            remove(quotient.under, roots[0])
            remove(quotient.under, roots[0])
        else:
            continue
        remove(quotient.under, under)
        quotient.over.append(scalar.sigmoid(-inner[0]) * under.constant_like(4))
        return True
    return False


def _of_complement(variable: Tensor) -> Tensor | None:
    """Return x of ``1 - tanh(x)**2``."""
    terms = inputs_of(variable, scalar.sub)
    square = inputs_of(terms[1], scalar.sqr) if terms is not None else None
    if terms is None or square is None or real_value(terms[0]) != 1:
        return None
    x = inputs_of(square[0], scalar.tanh)
    return None if x is None else x[0]


def _products(quotient: Quotient) -> bool:
    """Divide the gradient of a product by the product: the reciprocals of what is multiplied.

    Where another factor is zero, it is the limit of the quotient, which is NaN as written.
    """
    for under in quotient.under:
        whole = reduced(bare(under), "mul")
        for k, over in enumerate(quotient.over) if whole is not None else ():
            factors = None if whole is None else factors_of_others(over, *whole)
            if factors is not None:
                quotient.under.remove(under)
                quotient.over[k] = scalar.reciprocal(factors)
                return True
    return False


def _logistic(whole: Exponentials) -> Tensor | None:
    """Return ``1 / (exp(u) + 1)`` of such a sum, None of others."""
    if whole.axis is not None or not whole.plain or len(whole.terms) != 2:
        return None
    exponents = [x for _, x, _ in whole.terms if x is not None]
    return scalar.sigmoid(-exponents[0]) if len(exponents) == 1 else None


AROUND: list[ScalarOp | type] = [
    scalar.exp, scalar.mul, scalar.true_div, scalar.reciprocal, scalar.neg, scalar.sqr,
    scalar.sigmoid, scalar.cosh, scalar.sinh, scalar.hypot, scalar.expm1, scalar.add, scalar.sub,
    scalar.sqrt, scalar.softplus, CAReduce, DimShuffle,
]  # fmt: skip


@rule("stabilize", tracks=[scalar.mul, scalar.true_div, scalar.reciprocal], operands=AROUND,
      numerics="more accurate")  # fmt: skip
def exponential_over_sum(node: Apply) -> Replacement:
    """``g * exp(x) / sum(exp(x))`` is NaN where exponentials overflow, however it is written.

    It occurs in gradients of logarithms of such sums.
    """
    output = node.outputs[0]
    if output.dtype not in dtypes.FLOAT:
        return None
    quotient = quotient_of(output)
    if quotient is None or not (quotient.under or len(quotient.over) > 1):
        return None
    return conform(quotient.result(output), output) if simplified(quotient) else None

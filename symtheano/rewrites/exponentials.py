"""Quotients, products and logarithms of exponentials and their sums, which would overflow.

Gradients of logarithms of such sums are products of an exponential and the reciprocal of the sum,
in any order and with other factors. Therefore these rules examine all factors of a product.
"""

from __future__ import annotations

from typing import Any

from symtheano import dtypes
from symtheano.dataclass import dataclass, field
from symtheano.graph.variable import Apply
from symtheano.rewrites.match import computed_by, conform, inputs_of, is_repeated, scalar_value
from symtheano.rewrites.quotients import is_never_zero
from symtheano.rewrites.reduce import is_plain_sum
from symtheano.rewrites.rule import rule
from symtheano.rewrites.stabilize import kept_reduced, reduced
from symtheano.scalar import table as scalar
from symtheano.tensor.elemwise import DimShuffle
from symtheano.tensor.nnet.softmax import Softmax, finite_max
from symtheano.tensor.reduce import CAReduce

_FACTORS = 10
"""Maximum number of factors of a product that are examined."""


@dataclass
class Quotient:
    """What an element is a product and quotient of, in the axes of the whole."""

    over: list[Any] = field(default_factory=list)
    under: list[Any] = field(default_factory=list)
    sign: int = 1

    def result(self, like: Any = None) -> Any:
        """Multiply and divide again; ``like`` gives the dtype where nothing is left."""
        if not self.over and not self.under:
            whole, rest = like.constant_like(1), []
        elif not self.over:
            whole = scalar.reciprocal(self.under[0])
            rest = self.under[1:]
        else:
            whole, *others = self.over
            for item in others:
                whole = whole * item
            rest = self.under
        for item in rest:
            whole = whole / item
        return whole if self.sign > 0 else -whole


_Factor = tuple[Any, bool, tuple[Any, ...]]
"""A factor, whether it multiplies, and the orders in which axes are inserted into it."""


def _factors(variable: Any) -> tuple[list[_Factor], int] | None:
    """Take a product apart: products, quotients, signs and squares, under inserted axes as well."""
    found: list[_Factor] = []
    sign = 1
    stack: list[_Factor] = [(variable, True, ())]
    while stack:
        item, over, orders = stack.pop()
        while computed_by(item, DimShuffle) and _is_inserting(item.owner):
            inner = item.owner.inputs[0]
            if not _is_product(inner):
                break
            item, orders = inner, (item.owner.op.new_order, *orders)
        if (parts := inputs_of(item, scalar.mul)) is not None:
            stack += [(part, over, orders) for part in reversed(parts)]
        elif (parts := inputs_of(item, scalar.true_div)) is not None:
            stack += [(parts[1], not over, orders), (parts[0], over, orders)]
        elif (parts := inputs_of(item, scalar.reciprocal)) is not None:
            stack.append((parts[0], not over, orders))
        elif (parts := inputs_of(item, scalar.neg)) is not None:
            sign = -sign
            stack.append((parts[0], over, orders))
        elif (parts := inputs_of(item, scalar.sqr)) is not None and _is_delicate(parts[0]):
            stack += [(parts[0], over, orders)] * 2
        else:
            found.append((item, over, orders))
        if len(found) + len(stack) > _FACTORS:
            return None
    return found, sign


def quotient_of(variable: Any) -> Quotient | None:
    """Take a product apart if it has a divisor or an exponential: others have nothing to cancel.

    Most products are refused here: before the factors get the axes of the whole.
    """
    known = _factors(variable)
    if known is None:
        return None
    factors, sign = known
    if all(over and exponent(item) is None for item, over, _ in factors):
        return None
    found = Quotient(sign=sign)
    for item, over, orders in factors:
        whole = item
        for order in orders:
            whole = whole.dimshuffle(*order)
        (found.over if over else found.under).append(whole)
    return found


_PRODUCTS = frozenset({scalar.mul, scalar.true_div, scalar.reciprocal, scalar.neg, scalar.sqr})


def _is_product(variable: Any) -> bool:
    return getattr(getattr(variable.owner, "op", None), "scalar_op", None) in _PRODUCTS


def _is_inserting(node: Apply) -> bool:
    order = node.op.new_order  # type: ignore[attr-defined]
    return [axis for axis in order if axis != "x"] == list(range(node.inputs[0].ndim))


def _is_delicate(variable: Any) -> bool:
    """Return whether a variable may be a sum of exponentials, also under inserted axes."""
    while computed_by(variable, DimShuffle):
        variable = variable.owner.inputs[0]
    if computed_by(variable, CAReduce):
        return True
    row = getattr(getattr(variable.owner, "op", None), "scalar_op", None)
    return row in (scalar.add, scalar.sub, scalar.expm1, scalar.sigmoid)


def exponent(variable: Any) -> Any:
    """Return x of ``exp(x)``, None of anything else."""
    found = inputs_of(variable, scalar.exp)
    return None if found is None or not dtypes.is_float(variable.dtype) else found[0]


def weighted(term: Any) -> tuple[Any, Any] | None:
    """Return (weight, exponent) of ``weight * exp(exponent)``; the weight None is one."""
    sign = inputs_of(term, scalar.neg)
    if sign is not None:
        return None
    inner = exponent(term)
    if inner is not None:
        return None, inner
    for row, places in ((scalar.mul, ((0, 1), (1, 0))), (scalar.true_div, ((0, 1),))):
        parts = inputs_of(term, row)
        if parts is None:
            continue
        for mine, other in places:
            found = weighted(parts[mine])
            if found is None:
                continue
            weight = found[0]
            rest = parts[other]
            if row is scalar.true_div:
                return (scalar.reciprocal(rest) if weight is None else weight / rest), found[1]
            return (rest if weight is None else weight * rest), found[1]
    return None


@dataclass
class Exponentials:
    """A sum of weighted exponentials: over axes, or of terms.

    Attributes
    ----------
    terms
        Weights (None for one) and exponents (None for a constant).
    axis
        The axes summed over, which keep length one; None for a sum of terms.
    """

    terms: list[tuple[Any, Any]]
    axis: tuple[int, ...] | None

    @property
    def plain(self) -> bool:
        """Whether no term has a weight."""
        return all(weight is None for weight, _ in self.terms)

    @property
    def is_shifted(self) -> bool:
        """Whether a maximum is taken off all exponents already."""
        tops = {_taken_off(x) for _, x in self.terms if x is not None}
        return len(tops) == 1 and None not in tops

    def top(self) -> Any:
        """Return the largest exponent, 0 where it is infinite."""
        exponents = [x for _, x in self.terms if x is not None]
        if self.axis is not None:
            return finite_max(exponents[0], self.axis)
        largest = exponents[0]
        for x in exponents[1:]:
            largest = scalar.maximum(largest, x)
        if any(x is None for _, x in self.terms):
            largest = scalar.maximum(largest, largest.constant_like(0))
        return scalar.switch(scalar.isinf(largest), largest.constant_like(0), largest)

    def shifted(self, top: Any) -> Any:
        """Return the sum divided by the exponential of ``top``."""
        total: Any = None
        for weight, x in self.terms:
            term = scalar.exp(-top if x is None else x - top)
            term = term if weight is None else weight * term
            total = term if total is None else total + term
        return total if self.axis is None else total.sum(axis=self.axis, keepdims=True)


def _taken_off(x: Any) -> Any:
    """Return m of ``x - m`` and ``-m``, if it is a maximum, as it is before axes are put back."""
    found = inputs_of(x, scalar.sub) or inputs_of(x, scalar.neg)
    m = None if found is None else bare(found[-1])
    return m if m is not None and is_maximum(m) else None


def bare(variable: Any) -> Any:
    """Return a variable without axes of length one that were inserted."""
    while computed_by(variable, DimShuffle) and _is_inserting(variable.owner):
        variable = variable.owner.inputs[0]
    return variable


def is_maximum(variable: Any) -> bool:
    """Return whether a variable is a maximum, perhaps replaced where it is infinite."""
    choice = inputs_of(variable, scalar.switch)
    if choice is not None:
        return any(is_maximum(bare(item)) for item in choice[1:])
    if inputs_of(variable, scalar.maximum) is not None:
        return True
    return computed_by(variable, CAReduce) and variable.owner.op.scalar_name == "maximum"


def exponentials_of(variable: Any) -> Exponentials | None:
    """Return the terms of a sum, if they are exponentials and constants, or None."""
    if variable.dtype not in dtypes.FLOAT:
        return None
    found = kept_reduced(variable, "add")
    if found is not None:
        term = weighted(found[0])
        return None if term is None else Exponentials([term], found[1])
    terms: list[tuple[Any, Any]] = []
    stack = [variable]
    while stack:
        item = stack.pop()
        parts = inputs_of(item, scalar.add)
        if parts is not None and len(stack) < _FACTORS:
            stack += reversed(parts)
            continue
        term = weighted(item)
        if term is None:
            value = scalar_value(item)
            if value is None or isinstance(value, complex) or not value > 0:
                return None
            term = (None if value == 1 else item, None)
        terms.append(term)
    alone = len(terms) < 2 or all(x is None for _, x in terms)
    return None if alone else Exponentials(terms, None)


def _share(u: Any, whole: Exponentials) -> Any:
    """Return ``exp(u)`` divided by a sum of which it is a term (without its weight), or None."""
    if not any(x is u for _, x in whole.terms):
        return None
    if whole.axis is not None and whole.plain:
        return Softmax(whole.axis)(u)
    if whole.axis is None and whole.plain and len(whole.terms) == 2:
        other = next((x for _, x in whole.terms if x is not u), u)
        return scalar.sigmoid(u if other is None else u - other)
    if whole.is_shifted:
        return None
    top = whole.top()
    return scalar.exp(u - top) / whole.shifted(top)


def _over_difference(u: Any, under: Any) -> Any:
    """Return ``exp(u)`` divided by a difference of which it is a term, or None."""
    found = inputs_of(under, scalar.expm1)
    if found is not None:
        return -scalar.reciprocal(scalar.expm1(-u)) if found[0] is u else None
    found = inputs_of(under, scalar.sub)
    if found is None:
        return None
    a, b = exponent(found[0]), exponent(found[1])
    if a is None or b is None:
        return None
    if a is u:
        return -scalar.reciprocal(scalar.expm1(b - a))
    return scalar.reciprocal(scalar.expm1(a - b)) if b is u else None


def simplified(found: Quotient) -> bool:
    """Cancel exponentials against sums of them; return whether there were any."""
    changed = _cancelled(found)
    changed = _sigmoids(found) or changed
    for under in list(found.under):
        if not _is_delicate(under):
            continue
        whole = exponentials_of(under)
        for k, over in enumerate(found.over):
            u = exponent(over)
            if u is None:
                continue
            share = _over_difference(u, under) if whole is None else _share(u, whole)
            if share is not None:
                found.over[k] = share
                found.under.remove(under)
                changed = True
                break
    return changed


def _cancelled(found: Quotient) -> bool:
    """Cancel common factors of numerator and denominator that are never zero, or are repeated."""
    changed = False
    for item in list(found.under):
        base, power = _power(item)
        if power > 1:
            for other in found.over:
                same, less = _power(other)
                if _same(same, base) and less < power:
                    _remove(found.over, other)
                    _remove(found.under, item)
                    left = power - less
                    found.under.append(base if left == 1 else base**left)
                    changed = True
                    break
        elif any(_same(x, item) for x in found.over) and _never_zero(item):
            _remove(found.over, item)
            _remove(found.under, item)
            changed = True
    return changed


def _power(variable: Any) -> tuple[Any, float]:
    """Return base and exponent of a constant power, a variable itself with exponent one."""
    square = inputs_of(variable, scalar.sqr)
    if square is not None:
        return square[0], 2
    found = inputs_of(variable, scalar.pow)
    value = None if found is None else scalar_value(found[1])
    if found is None or value is None or isinstance(value, complex) or value < 1:
        return variable, 1
    return found[0], value


def _never_zero(variable: Any) -> bool:
    inner = bare(variable)
    if is_never_zero(inner) or exponentials_of(inner) is not None:
        return True
    whole = reduced(inner, "add")
    return whole is not None and exponent(whole[0]) is not None


def _same(a: Any, b: Any) -> bool:
    """Return whether both are one variable, or one with the same axes inserted."""
    if a is b:
        return True
    if not computed_by(a, DimShuffle) or not computed_by(b, DimShuffle):
        return False
    return a.owner.op == b.owner.op and _same(a.owner.inputs[0], b.owner.inputs[0])


def _remove(items: list[Any], wanted: Any) -> None:
    del items[next(k for k, item in enumerate(items) if _same(item, wanted))]


def _sigmoids(found: Quotient) -> bool:
    """Replace ``sigmoid(x) * exp(-x)`` by ``sigmoid(-x)``."""
    changed = False
    for k, item in enumerate(found.over):
        x = inputs_of(item, scalar.sigmoid)
        for other in list(found.over) if x is not None else ():
            power = exponent(other)
            if x is None or power is None:
                continue
            minus, plus = inputs_of(power, scalar.neg), inputs_of(x[0], scalar.neg)
            if (minus is not None and minus[0] is x[0]) or (plus is not None and plus[0] is power):
                found.over[k] = scalar.sigmoid(power)
                _remove(found.over, other)
                changed = True
                break
    return changed


_AROUND = [
    scalar.exp, scalar.mul, scalar.true_div, scalar.reciprocal, scalar.neg, scalar.sqr,
    scalar.sigmoid, DimShuffle,
]  # fmt: skip


@rule("stabilize", tracks=[scalar.mul, scalar.true_div], operands=_AROUND, numerics="more accurate")
def exponential_over_sum(node: Apply) -> Any:
    """``g * exp(x) / sum(exp(x))`` is NaN where exponentials overflow, however it is written.

    It occurs in gradients of logarithms of such sums.
    """
    output = node.outputs[0]
    if output.dtype not in dtypes.FLOAT:
        return None
    found = quotient_of(output)
    if found is None or not (found.under or len(found.over) > 1):
        return None
    return conform(found.result(output), output) if simplified(found) else None


@rule("stabilize", tracks=[scalar.mul], operands=[scalar.exp], numerics="more accurate")
def exponential_over_sums_of_terms(node: Apply) -> Any:
    """``(g / s - h / s) * exp(x)`` with the sum s of exponentials: the gradient of a softmax."""
    for one, other in (node.inputs, node.inputs[::-1]):
        if exponent(one) is None:
            continue
        for row in (scalar.add, scalar.sub):
            terms = inputs_of(other, row)
            if terms is None:
                continue
            products = [_times(term, one) for term in terms]
            if all(product is not None for product in products):
                return conform(row(*products), node.outputs[0])
    return None


def _times(term: Any, factor: Any) -> Any:
    found = quotient_of(term)
    if found is None or not found.under:
        return None
    found.over.append(factor)
    return found.result(term) if simplified(found) else None


@rule(
    "stabilize",
    tracks=[CAReduce],
    operands=[scalar.true_div, scalar.mul],
    numerics="reassociates",
)
def sum_of_shares(node: Apply) -> Any:
    """A divisor that all terms of a sum share divides the sum, if it is a sum of exponentials."""
    x = node.inputs[0]
    op: Any = node.op
    if not is_plain_sum(node) or x.dtype not in dtypes.FLOAT:
        return None
    found = quotient_of(x)
    if found is None:
        return None
    for under in found.under:
        same = all(under.type.shape[axis] == 1 for axis in op.axis)
        if same and is_repeated(under, x) and exponentials_of(under) is not None:
            found.under.remove(under)
            if not found.over:
                return None
            kept = [axis for axis in range(x.ndim) if axis not in op.axis]
            inner = conform(found.result(), x)
            if inner is None or inner.type.shape != x.type.shape:
                return None
            return op(inner) / under.dimshuffle(*kept)
    return None

"""Logarithms of products and sums of exponentials, and their common stabilized forms."""

from __future__ import annotations

from symtheano import dtypes
from symtheano.graph.variable import Apply
from symtheano.rewrites.exponentials import (
    Exponentials,
    exponentials_of,
    is_maximum,
    log_of_share,
    weighted,
)
from symtheano.rewrites.match import (
    bare,
    computed_by,
    conform,
    inputs_of,
    scalar_value,
    unselected,
)
from symtheano.rewrites.products import Quotient, exponent, quotient_of
from symtheano.rewrites.rule import Replacement, rule
from symtheano.rewrites.stabilize import kept_reduced, reduced
from symtheano.scalar import table as scalar
from symtheano.tensor.elemwise import DimShuffle, Elemwise
from symtheano.tensor.nnet.softmax import LogSoftmax, LogSumExp, Softmax
from symtheano.tensor.reductions.reduce import CAReduce
from symtheano.tensor.variable import Tensor


def logarithm(variable: Tensor) -> Tensor | None:
    """Return the logarithm of an expression that has one without overflow, or None."""
    x = log_of_share(variable)
    if x is not None:
        return x
    operands = inputs_of(variable, scalar.cosh)
    if operands is not None:
        return scalar.logcosh(operands[0])
    whole = reduced(variable, "add")
    if whole is not None and exponent(whole[0]) is not None:
        return LogSumExp(whole[1])(exponent(whole[0]))
    if exponentials_of(variable) is not None or (whole is not None and weighted(whole[0])):
        return scalar.log(variable)
    return None


@rule(
    "stabilize",
    tracks=[scalar.log],
    operands=[scalar.mul, scalar.true_div, scalar.reciprocal],
    numerics="more accurate",
)
def log_of_product_with_exponential(node: Apply) -> Replacement:
    """``log(a * exp(x))`` is ``x + log(a)``; sums of exponentials leave a quotient as well."""
    (x,) = node.inputs
    quotient = quotient_of(x, plain=True) if x.dtype in dtypes.FLOAT else None
    if quotient is None or quotient.sign < 0:
        return None
    total = None
    rest = Quotient()
    for over, items in ((True, quotient.over), (False, quotient.under)):
        for item in items:
            term = logarithm(item)
            if term is None:
                (rest.over if over else rest.under).append(item)
            elif total is None:
                total = term if over else -term
            else:
                total = total + term if over else total - term
    if total is None:
        return None
    if rest.over or rest.under:
        total = total + scalar.log(rest.result())
    return conform(total, node.outputs[0])


@rule("stabilize", tracks=[scalar.log], operands=[scalar.add], numerics="more accurate")
def log_of_weighted_exponentials(node: Apply) -> Replacement:
    """``log(v * exp(x) + w * exp(y))`` overflows; the larger exponent is taken out."""
    whole = exponentials_of(node.inputs[0], log_of_share)
    if whole is None or whole.is_shifted or (whole.plain and len(whole.terms) == 2):
        return None
    top = whole.top()
    return conform(top + scalar.log(whole.shifted(top)), node.outputs[0])


@rule("stabilize", tracks=[scalar.log], operands=[CAReduce, DimShuffle], numerics="more accurate")
def log_of_weighted_sum_of_exponentials(node: Apply) -> Replacement:
    """``log(sum(w * exp(x)))`` overflows; the largest exponent is taken out."""
    (x,) = node.inputs
    reduction, restored = reduced(x, "add"), False
    if reduction is None:
        reduction, restored = kept_reduced(x, "add"), True
    term = None if reduction is None else weighted(reduction[0], log_of_share)
    if reduction is None or term is None or (term[0] is None and term[2] is not None):
        return None
    whole = Exponentials([term], reduction[1])
    if whole.is_shifted:
        return None
    top = whole.top()
    result = top + scalar.log(whole.shifted(top))
    kept = [axis for axis in range(reduction[0].ndim) if axis not in reduction[1]]
    return conform(result if restored else result.dimshuffle(*kept), node.outputs[0])


# -- forms that others print ----------------------------------------------------------------------


@rule("stabilize", tracks=[Softmax, LogSoftmax], operands=[scalar.sub], numerics="more accurate")
def softmax_of_shifted(node: Apply) -> Replacement:
    """A maximum that is subtracted by hand is removed, because softmax subtracts its own."""
    op = node.op
    assert isinstance(op, Softmax | LogSoftmax)
    shifted = _shifted_along(node.inputs[0], op.axis)
    return None if shifted is None else op(shifted[0])


@rule("stabilize", tracks=[scalar.add], operands=[LogSumExp, DimShuffle], numerics="more accurate")
def logsumexp_of_shifted(node: Apply) -> Replacement:
    """``m + logsumexp(x - m)`` with the maximum m is ``logsumexp(x)``, which subtracts its own."""
    for one, other in (node.inputs, node.inputs[::-1]):
        inner = bare(one)
        if not computed_by(inner, LogSumExp):
            continue
        op = inner.owner.op
        shifted = _shifted_along(inner.owner.inputs[0], op.axis)
        ones = [[length == 1 for length in item.type.shape] for item in (one, other)]
        if shifted is None or ones[0] != ones[1] or not _agree(other, shifted[1]):
            continue
        result = op(shifted[0])
        return conform(result if one is inner else one.owner.op(result), node.outputs[0])
    return None


def _agree(a: Tensor, b: Tensor) -> bool:
    """Return whether two variables are equal but for axes of length one; they are small."""
    a, b = _squeezed(a), _squeezed(b)
    if a is b:
        return True
    if a.owner is None or b.owner is None or not isinstance(a.owner.op, Elemwise):
        value = scalar_value(a)
        return value is not None and bool(value == scalar_value(b))
    if a.owner.op != b.owner.op:
        return False
    pairs = zip(a.owner.inputs, b.owner.inputs, strict=True)
    return all(_agree(one, other) for one, other in pairs)


def _squeezed(variable: Tensor) -> Tensor:
    """Return a variable before axes of length one were inserted or dropped."""
    while computed_by(variable, DimShuffle):
        kept = [axis for axis in variable.owner.op.new_order if axis != "x"]
        if kept != sorted(kept):
            break
        variable = variable.owner.inputs[0]
    return variable


def _shifted_along(variable: Tensor, axes: tuple[int, ...]) -> list[Tensor] | None:
    """Return x and m of ``x - m`` with a maximum m that is broadcast along the axes."""
    terms = inputs_of(variable, scalar.sub)
    if terms is None or terms[0].type.shape != variable.type.shape:
        return None
    repeated = all(terms[1].type.shape[axis] == 1 for axis in axes)
    return terms if repeated and is_maximum(bare(terms[1])) else None


@rule("expand", tracks=[scalar.sub], operands=[scalar.add, DimShuffle], numerics="more accurate")
def maximum_before_logarithm(node: Apply) -> Replacement:
    """``a - (m + log(...))`` with a maximum m is ``(a - m) - log(...)``.

    The larger m is, the more digits of the logarithm are lost in a sum with it.
    """
    a, b = node.inputs
    first, second = _maximum_and_rest(a), _maximum_and_rest(b)
    if second is not None and first is not None:
        result = (first[0] - second[0]) + (first[1] - second[1])
    elif second is not None:
        result = (a - second[0]) - second[1]
    elif first is not None:
        result = (first[0] - b) + first[1]
    else:
        return None
    return conform(result, node.outputs[0])


def _maximum_and_rest(variable: Tensor) -> tuple[Tensor, Tensor] | None:
    """Return m and the logarithm of a sum of exponentials from which a maximum m was taken off.

    So also of selected elements.
    """
    inner = bare(variable)
    terms = inputs_of(inner, scalar.add)
    if terms is None:
        return None
    for top, rest in (terms, terms[::-1]):
        if not is_maximum(unselected(top)) or inputs_of(unselected(rest), scalar.log) is None:
            continue
        orders = []
        while variable is not inner and variable.owner is not None:
            orders.append(variable.owner.op)
            (variable,) = variable.owner.inputs
        for op in reversed(orders):
            top, rest = op(top), op(rest)
        return top, rest
    return None

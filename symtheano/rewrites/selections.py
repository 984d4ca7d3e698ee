"""Selected elements of probabilities: their logarithms, and gradients that are put back.

The gradient of a selection puts values into zeros, at the places of the selected elements. In the
gradient of ``log(p[labels])`` these values are divided by ``p[labels]``, and the result is
multiplied by p, as the derivative of a softmax, sigmoid or exponential. Where a probability is
rounded to zero, this is 0 / 0. The rules here multiply the values by ``p[labels]`` before they
are put into zeros, so that product and quotient meet and cancel.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

from symtheano.dataclass import dataclass
from symtheano.graph.variable import Apply
from symtheano.rewrites.exponentials import log_of_share
from symtheano.rewrites.match import (
    SELECTING,
    bare,
    computed_by,
    conform,
    counts,
    dim_of,
    inputs_of,
    is_scalar_constant,
    row_of,
    scalar_value,
    unselected,
)
from symtheano.rewrites.onehot import equal_labels, masked, one_hot
from symtheano.rewrites.products import exponent
from symtheano.rewrites.rule import Replacement, rule
from symtheano.rewrites.stabilize import kept_reduced, reduced
from symtheano.scalar import table as scalar
from symtheano.tensor.creation.filled import Alloc
from symtheano.tensor.elemwise import DimShuffle, Elemwise
from symtheano.tensor.indexing.advanced import AdvancedIncSubtensor, AdvancedSubtensor
from symtheano.tensor.indexing.slices import IncSubtensor, Subtensor
from symtheano.tensor.nnet.softmax import Softmax
from symtheano.tensor.reductions.reduce import CAReduce
from symtheano.tensor.shapes.reshape import Reshape
from symtheano.tensor.shapes.shape import as_dims
from symtheano.tensor.variable import Dim, Tensor

_MOST = 40
"""Maximum number of operands that are examined for divisors."""

_DEPTH = 5
"""Maximum number of nested products and sums that are examined."""


@rule("stabilize", tracks=[scalar.log], operands=SELECTING, numerics="more accurate")
def log_of_selected(node: Apply) -> Replacement:
    """The rules for ``log(softmax(x))`` and others, for selected elements such as those of labels.

    The sum of a softmax that is written out is selected, too.
    """
    (x,) = node.inputs
    logarithm = log_of_share(x)
    if logarithm is None:
        logarithm = _log_of_sum(x)
    return None if logarithm is None else conform(logarithm, node.outputs[0])


@rule("stabilize", tracks=[scalar.log2, scalar.log10], numerics="more accurate",
      operands=[scalar.exp, scalar.sigmoid, Softmax, *SELECTING])  # fmt: skip
def log_in_other_base(node: Apply) -> Replacement:
    """The rules for ``log(softmax(x))`` and others, for the bases 2 and 10."""
    logarithm = log_of_share(node.inputs[0])
    if logarithm is None:
        return None
    base = 2 if node.op.scalar_op is scalar.log2 else 10
    return conform(logarithm / logarithm.constant_like(math.log(base)), node.outputs[0])


def _log_of_sum(variable: Tensor) -> Tensor | None:
    """Return the logarithm of a sum of exponentials, or of selected sums."""
    summed = reduced(variable, "add") or kept_reduced(variable, "add")
    if summed is not None:
        return None if exponent(summed[0]) is None else scalar.log(variable)
    if not computed_by(variable, *SELECTING):
        return None
    whole, *others = variable.owner.inputs
    inner = _log_of_sum(whole)
    return None if inner is None else variable.owner.op(inner, *others)


@dataclass
class Put:
    """Zeros into which a value was put.

    Attributes
    ----------
    value
        The value.
    dims
        The shape of the whole.
    put
        Puts another value into zeros, at the same places.
    pick
        Selects the elements of an array that are at these places.
    """

    value: Tensor
    dims: Sequence[Dim]
    put: Callable[[Tensor], Tensor]
    pick: Callable[[Tensor], Tensor]


def put_into_zeros(variable: Tensor) -> Put | None:
    """Take apart zeros into which a value was put, also if they were reshaped or transposed."""
    sign = inputs_of(variable, scalar.neg)
    if sign is not None:
        opposite = put_into_zeros(sign[0])
        if opposite is None:
            return None
        return Put(-opposite.value, opposite.dims, opposite.put, opposite.pick)
    if computed_by(variable, IncSubtensor, AdvancedIncSubtensor):
        return _stored(variable)
    if not computed_by(variable, Reshape, DimShuffle):
        return _choice(variable)
    op, (whole, *lengths) = variable.owner.op, variable.owner.inputs
    inner = put_into_zeros(whole)
    if inner is None:
        return None
    if isinstance(op, Reshape):
        before = as_dims(inner.dims)
        return Put(
            inner.value,
            lengths,
            lambda v: op(inner.put(v), *lengths),
            lambda p: inner.pick(Reshape()(p, *before)),
        )
    assert isinstance(op, DimShuffle)
    order = [axis for axis in op.new_order if axis != "x"]
    if len(order) != variable.ndim or len(order) != whole.ndim:
        return None
    back = [order.index(axis) for axis in range(whole.ndim)]
    dims = [inner.dims[int(axis)] for axis in order]
    return Put(
        inner.value, dims, lambda v: op(inner.put(v)), lambda p: inner.pick(p.dimshuffle(*back))
    )


def _stored(variable: Tensor) -> Put | None:
    """Take apart zeros with a changed part."""
    assert variable.owner is not None
    op, (zeros, value, *places) = variable.owner.op, variable.owner.inputs
    if not is_scalar_constant(zeros, 0) or value.dtype != zeros.dtype:
        return None
    selection: Subtensor | AdvancedSubtensor
    if isinstance(op, IncSubtensor):
        selection = Subtensor(op.pattern)
    else:
        assert isinstance(op, AdvancedIncSubtensor)
        selection = AdvancedSubtensor(op.axis)
    return Put(
        value,
        [dim_of(zeros, axis) for axis in range(zeros.ndim)],
        lambda v: op(zeros, v, *places),
        lambda p: selection(p, *places),
    )


def _choice(variable: Tensor) -> Put | None:
    """Take apart a choice between one value per row and zeros, if such elements divide it."""
    match = masked(variable)
    if match is None:
        return None
    mask, value = match
    chosen = one_hot(mask)
    if chosen is None:
        return None
    labels, rows = chosen
    candidates = (_places(item, labels) for item in divisors(value))
    arrays = next((places for places in candidates if places is not None), None)
    if arrays is None:
        return None
    return Put(
        value,
        [rows, dim_of(mask, 1)],
        lambda v: scalar.switch(mask, v, v.constant_like(0)),
        lambda p: AdvancedSubtensor(0)(p, *arrays).dimshuffle(0, "x"),
    )


def _places(variable: Tensor, labels: Tensor) -> list[Tensor] | None:
    """Return the indices by which the elements at the labels of all rows were selected."""
    stack = [bare(variable)]
    while stack:
        item = stack.pop()
        if computed_by(item, AdvancedSubtensor):
            arrays = item.owner.inputs[1:]
            if item.owner.op.axis != 0 or len(arrays) != 2:
                return None
            rows = counts(arrays[0]) is not None
            return arrays if rows and equal_labels(arrays[1], labels) else None
        if computed_by(item, Elemwise):
            stack += map(bare, item.owner.inputs)
    return None


_INSIDE = frozenset({scalar.mul, scalar.add, scalar.sub, scalar.neg, scalar.switch})


def divisors(variable: Tensor) -> Iterator[Tensor]:
    """Yield what terms and factors of a value are divided by, also within values put into it."""
    stack = [variable]
    for _ in range(_MOST):
        if not stack:
            return
        owner = stack.pop().owner
        if owner is None:
            continue
        op, operands = owner.op, owner.inputs
        if isinstance(op, Elemwise):
            row = op.scalar_op
            if row in _INSIDE:
                stack += operands
            elif row is scalar.reciprocal or row is scalar.true_div:
                stack += operands[:-1]
                under = operands[-1]
                yield from inputs_of(under, scalar.mul) or (under,)
        elif isinstance(op, IncSubtensor | AdvancedIncSubtensor):
            stack.append(operands[1])
        elif isinstance(op, Reshape | DimShuffle | Alloc):
            stack.append(operands[0])


def _may_hold_quotient(variable: Tensor) -> bool:
    """Return whether :func:`multiplied` would find zeros into which a quotient is put.

    Most products are refused here.
    """
    stack = [(variable, _DEPTH)]
    while stack:
        item, depth = stack.pop()
        owner = item.owner
        if owner is None or not depth:
            continue
        op = owner.op
        if isinstance(op, Elemwise):
            row = op.scalar_op
            if row is scalar.true_div:
                stack.append((owner.inputs[0], depth - 1))
            elif row is not scalar.switch:
                if row in _INSIDE:
                    stack += [(part, depth - 1) for part in owner.inputs]
            elif any(True for _ in divisors(item)):
                return True
        elif isinstance(op, IncSubtensor | AdvancedIncSubtensor):
            if any(True for _ in divisors(item)):
                return True
        elif isinstance(op, Reshape | DimShuffle):
            stack.append((owner.inputs[0], depth))
    return False


def is_selected_from(selected: Tensor, whole: Tensor, depth: int = 4) -> bool:
    """Return whether a variable consists of elements of another one.

    Of an elementwise result, the elements may have been selected from the operands.
    """
    if selected is whole:
        return True
    while computed_by(selected, *SELECTING):
        selected = selected.owner.inputs[0]
        if selected is whole:
            return True
    if not depth or not computed_by(selected, Elemwise) or not computed_by(whole, Elemwise):
        return False
    if selected.owner.op.scalar_op is not whole.owner.op.scalar_op:
        return False
    pairs = list(zip(selected.owner.inputs, whole.owner.inputs, strict=True))
    same = [scalar_value(a) is not None and scalar_value(a) == scalar_value(b) for a, b in pairs]
    return not all(same) and all(
        equal or is_selected_from(a, b, depth - 1)
        for equal, (a, b) in zip(same, pairs, strict=True)
    )


def multiplied(variable: Tensor, factor: Tensor, depth: int = _DEPTH) -> Tensor | None:
    """Return the product of zeros with a value in them and a factor, multiplied before.

    None if no divisor of the value is selected from the factor. ``variable`` may have a sign,
    other factors and other terms, and ``factor`` may be a product of which one factor fits.
    """
    if not depth or variable.dtype != factor.dtype or variable.ndim != factor.ndim:
        return None
    for row in (scalar.neg, scalar.true_div):
        parts = inputs_of(variable, row)
        inner = None if parts is None else multiplied(parts[0], factor, depth - 1)
        if parts is not None and inner is not None:
            return row(inner, *parts[1:])
    parts = inputs_of(variable, scalar.mul)
    for one, other in (parts, parts[::-1]) if parts is not None else ():
        inner = multiplied(one, factor, depth - 1)
        if inner is not None:
            return inner * other
    for row in (scalar.add, scalar.sub):
        terms = inputs_of(variable, row)
        products = [multiplied(term, factor, depth - 1) for term in terms or ()]
        if terms is not None and any(product is not None for product in products):
            pairs = zip(products, terms, strict=True)
            return row(*(term * factor if product is None else product for product, term in pairs))
    return _before_put(variable, factor, depth)


def _before_put(variable: Tensor, factor: Tensor, depth: int) -> Tensor | None:
    put = put_into_zeros(variable)
    if put is None:
        return None
    factors = inputs_of(factor, scalar.mul)
    for one, other in (factors, factors[::-1]) if factors is not None else ():
        inner = multiplied(variable, one, depth - 1)
        if inner is not None:
            return inner * other
    lengths = zip(variable.type.shape, factor.type.shape, strict=True)
    if any(repeated == 1 and length != 1 for length, repeated in lengths):
        return None
    if not any(
        is_selected_from(item, factor) or _has_terms_of(item, factor)
        for item in divisors(put.value)
    ):
        return None
    return put.put(put.value * put.pick(factor))


def _has_terms_of(divisor: Tensor, factor: Tensor) -> bool:
    """Return whether a divisor is a sum over elements of exponentials, which overflow with it."""
    total = unselected(divisor)
    if exponent(factor) is None or not computed_by(total, CAReduce):
        return False
    stack = list(total.owner.inputs)
    for _ in range(_MOST):
        if not stack:
            return False
        item = stack.pop()
        if is_selected_from(item, factor):
            return True
        if row_of(item) in _POWERS and item.owner is not None:
            stack += item.owner.inputs
    return False


_POWERS = frozenset({scalar.mul, scalar.sqr, scalar.sqrt, scalar.true_div, scalar.pow})


@rule("canonicalize", tracks=[scalar.mul], numerics="needs finite",
      operands=[IncSubtensor, AdvancedIncSubtensor, Reshape, DimShuffle, scalar.switch, scalar.mul,
                scalar.neg, scalar.true_div, scalar.sub, scalar.add])  # fmt: skip
def multiply_before_put(node: Apply) -> Replacement:
    """``put(a / p[i]) * p`` is ``put((a / p[i]) * p[i])``, where put stores into zeros at i.

    Quotient and product cancel then, instead of NaN for p zero or infinite. In the gradient of
    ``log(softmax(x)[i])``, with probabilities p, it is ``(put(a / p[i]) - s) * p``.
    """
    a, b = node.inputs
    for one, p in ((a, b), (b, a)):
        result = multiplied(one, p) if _may_hold_quotient(one) else None
        if result is not None:
            return conform(result, node.outputs[0])
    return None

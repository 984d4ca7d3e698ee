"""Sums whose terms have factors that do not change along the axes of the sum."""

from __future__ import annotations

from collections.abc import Sequence

from symtheano.graph.variable import Apply
from symtheano.rewrites.match import (
    as_scalar,
    bare,
    computed_by,
    conform,
    dim_of,
    inputs_of,
    same_dim,
    scalar_value,
)
from symtheano.rewrites.reduce import is_plain_sum
from symtheano.rewrites.rule import Context, Replacement, rule
from symtheano.rewrites.terms import FACTORS, factors_of, is_extreme, product_of
from symtheano.scalar import table as scalar
from symtheano.scalar.conversion import cast_to
from symtheano.scalar.row import ScalarOp
from symtheano.tensor.basic import as_tensor_variable
from symtheano.tensor.elemwise import DimShuffle, Elemwise
from symtheano.tensor.reductions.reduce import CAReduce
from symtheano.tensor.shapes.shape import dims_product
from symtheano.tensor.variable import Tensor

_CHEAP = (scalar.add, scalar.sub, scalar.mul, scalar.neg, scalar.sqr)
_EXAMINED = 24


def summed_axes(node: Apply) -> list[int]:
    """Return the axes of a reduction along which its operand may be longer than one."""
    op = node.op
    assert isinstance(op, CAReduce)
    return [axis for axis in op.axis if node.inputs[0].type.shape[axis] != 1]


def is_unchanging(x: Tensor, axes: Sequence[int]) -> bool:
    """Return whether an array is broadcast along all of these axes."""
    return all(x.type.shape[axis] == 1 for axis in axes)


@rule(
    "specialize",
    tracks=[CAReduce],
    operands=[scalar.mul, scalar.true_div],
    numerics="needs finite",
)
def factors_before_sum(node: Apply, context: Context) -> Replacement:
    """``sum(x * v)`` is ``sum(x) * v``, if v is broadcast along the axes of the sum.

    Each element is only added then, and sums that differ by such factors are one sum. The sum of
    terms of both signs may be another one if a factor is infinite. Factors that depend on an
    extremum or a choice stay: they may be there to keep terms from overflowing. So do all factors
    of float16.
    """
    term = node.inputs[0]
    axes = summed_axes(node)
    if not is_plain_sum(node) or not axes or term.dtype == "float16":
        return None
    arrays, factors, is_shared = _split(term, axes, context)
    if all(as_scalar(factor) is not None for _, factor in factors):
        return None  # sum_of_scaled
    if not 0 < len(arrays) <= FACTORS:
        return None
    if (is_shared or context.uses(term) > 1) and not all(_is_ready(x, context) for x in arrays):
        return None
    if any(_may_keep_from_overflow(factor) for _, factor in factors):
        return None
    product = product_of(arrays)
    if any(product.type.shape[axis] == 1 for axis in axes):
        return None
    result = node.op(product)
    kept = [axis for axis in range(term.ndim) if axis not in node.op.axis]  # type: ignore[attr-defined]
    for row, factor in factors:
        result = row(result, factor.dimshuffle(*kept))
    if not all(scalar_value(factor) is not None for _, factor in factors):
        result = _unless_empty(result, term, axes)
    return conform(result, node.outputs[0])


def _unless_empty(result: Tensor, term: Tensor, axes: Sequence[int]) -> Tensor:
    """Return ``result``, but zero for no terms: their factors may be infinite or NaN."""
    dims = [dim_of(term, axis) for axis in axes]
    if all(isinstance(dim, int) and dim for dim in dims):
        return result
    is_empty = scalar.eq(as_tensor_variable(dims_product(dims)), 0)
    return scalar.switch(is_empty, result.constant_like(0), result)


def _split(
    term: Tensor, axes: Sequence[int], context: Context
) -> tuple[list[Tensor], list[tuple[ScalarOp, Tensor]], bool]:
    """Return the factors that change along the axes, the others, and whether parts are shared."""
    arrays: list[Tensor] = []
    factors: list[tuple[ScalarOp, Tensor]] = []
    stack, is_shared = [term], False
    while stack and len(arrays) <= FACTORS:
        item = stack.pop()
        if is_unchanging(item, axes):
            factors.append((scalar.mul, item))
            continue
        parts = inputs_of(item, scalar.mul)
        if parts is None:
            quotient = inputs_of(item, scalar.true_div)
            if quotient is None or not is_unchanging(quotient[1], axes):
                arrays.append(item)
                continue
            factors.append((scalar.true_div, quotient[1]))
            parts = quotient[:1]
        stack.extend(reversed(parts))
        is_shared = is_shared or (item is not term and context.uses(item) > 1)
    return arrays, factors, is_shared


def _is_ready(x: Tensor, context: Context) -> bool:
    """Return whether a factor costs nothing, though the product with it is computed as well."""
    if x.owner is None:
        return True
    is_cheap = isinstance(x.owner.op, Elemwise) and x.owner.op.scalar_op in _CHEAP
    return is_cheap and context.uses(x) > 1


def _may_keep_from_overflow(factor: Tensor) -> bool:
    """Return whether terms might overflow or vanish without a factor."""
    if is_extreme(factor):
        return True
    stack, examined = [factor], 0
    while stack:
        item = stack.pop()
        examined += 1
        if examined > _EXAMINED:
            return True
        if computed_by(item, CAReduce):
            if item.owner.op.scalar_name in ("maximum", "minimum"):
                return True
        elif computed_by(item, Elemwise, DimShuffle):
            if getattr(item.owner.op, "scalar_op", None) in (scalar.switch, scalar.exp):
                return True
            stack += item.owner.inputs
    return False


@rule(
    "specialize",
    tracks=[CAReduce],
    operands=[scalar.add, scalar.sub, scalar.mul, scalar.neg],
    numerics="needs finite",
)
def sum_of_centered(node: Apply) -> Replacement:
    """Differences from a mean have the sum zero: ``sum(a + v * (x - mean(x)))`` is ``sum(a)``.

    The gradient of a normalization has such terms. What a sum would give is the rounding error of
    the mean. It stays NaN if the mean is infinite or NaN.
    """
    (term,), axes = node.inputs, summed_axes(node)
    if not is_plain_sum(node) or not axes:
        return None
    parts = next(((row, terms) for row in (scalar.add, scalar.sub)
                  if (terms := inputs_of(term, row)) is not None), None)  # fmt: skip
    if parts is None or _centered_on(term, axes) is not None:
        return _nothing(term, node, axes)
    row, (a, b) = parts
    for part, other, rest in ((b, a, a), (a, b, b if row is scalar.add else -b)):
        if rest.type.shape != term.type.shape or part.type.shape != term.type.shape:
            continue
        nothing = _nothing(part, node, axes)
        if nothing is not None and other is not None:
            return conform(node.op(rest) + nothing, node.outputs[0])
    return None


def _nothing(term: Tensor, node: Apply, axes: Sequence[int]) -> Tensor | None:
    """Return the sum of a centered term with unchanging factors, in terms of its mean, or None."""
    factors: list[Tensor] = []
    while (mean := _centered_on(term, axes)) is None:
        sign, product = inputs_of(term, scalar.neg), inputs_of(term, scalar.mul)
        if sign is not None:
            (term,) = sign
        elif product is not None and len(factors) < FACTORS:
            a, b = product
            if not (is_unchanging(a, axes) or is_unchanging(b, axes)):
                return None
            factor, term = (a, b) if is_unchanging(a, axes) else (b, a)
            factors.append(factor)
        else:
            return None
    kept = [axis for axis in range(term.ndim) if axis not in node.op.axis]  # type: ignore[attr-defined]
    result = (mean * mean.constant_like(0)).dimshuffle(*kept)
    for factor in factors:
        result = result * factor.dimshuffle(*kept)
    return conform(_unless_empty(result, term, axes), node.outputs[0])


def _centered_on(term: Tensor, axes: Sequence[int]) -> Tensor | None:
    """Return the mean if a term is ``x - mean(x)`` over exactly these axes, or None."""
    terms = inputs_of(term, scalar.sub)
    return terms[1] if terms is not None and _is_mean(terms[1], terms[0], axes) else None


def _is_mean(mean: Tensor, x: Tensor, axes: Sequence[int]) -> bool:
    """Return whether ``mean`` is the mean of ``x`` over exactly these axes, which are inserted."""
    if not is_unchanging(mean, axes) or x.dtype != mean.dtype:
        return False
    factors = factors_of(bare(mean))
    if len(factors.arrays) != 1 or len(factors.scalars) != 1:
        return False
    total, (row, number) = bare(factors.arrays[0]), factors.scalars[0]
    if not computed_by(total, CAReduce) or total.owner.inputs[0] is not x:
        return False
    if not is_plain_sum(total.owner) or summed_axes(total.owner) != list(axes):
        return False
    if row is scalar.mul:
        inverse = inputs_of(bare(number), scalar.reciprocal)
        value = scalar_value(number)
        dims = [x.type.shape[axis] for axis in axes]
        if value is not None and None not in dims:
            count = dims_product(dims)
            return bool(count and scalar_value(mean.constant_like(1 / count)) == value)
        if inverse is None:
            return False
        number = inverse[0]
    single = as_scalar(number)
    cast_of = None if single is None else inputs_of(single, cast_to(single.dtype))
    return cast_of is not None and same_dim(
        cast_of[0], dims_product([dim_of(x, axis) for axis in axes])
    )

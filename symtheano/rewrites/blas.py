"""Products: transposes are moved into factors, and sums with a product become one BLAS call."""

from __future__ import annotations

from math import prod

from symtheano.graph.variable import Apply
from symtheano.rewrites.match import (
    as_scalar,
    computed_by,
    conform,
    inputs_of,
    is_scalar_constant,
    same_value,
    scalar_value,
)
from symtheano.rewrites.rule import Context, Replacement, rule
from symtheano.scalar import table as scalar
from symtheano.tensor.basic import cast, constant
from symtheano.tensor.creation.filled import Alloc
from symtheano.tensor.creation.identity import Eye
from symtheano.tensor.elemwise import DimShuffle, Elemwise
from symtheano.tensor.linalg.dot import BLAS_DTYPES, BatchedDot, Dot, dot
from symtheano.tensor.linalg.gemm import Dot22Scalar, Gemm, dot22scalar, gemm
from symtheano.tensor.variable import Tensor, TensorConstant


@rule("canonicalize", tracks=[DimShuffle], operands=[Dot])
def transposed_product(node: Apply, context: Context) -> Replacement:
    """``dot(x, y).T`` is ``dot(y.T, x.T)``: BLAS reads transposed factors without extra cost."""
    product = node.inputs[0]
    if node.op.new_order != (1, 0) or context.uses(product) > 1:  # type: ignore[attr-defined]
        return None
    x, y = product.owner.inputs
    return dot(y.T, x.T)


@rule(
    "canonicalize",
    tracks=[Dot],
    operands=[Alloc, TensorConstant],
    numerics="needs finite",
    default=False,
)
def product_with_zeros(node: Apply) -> Replacement:
    """A product with zeros is zero, unless the other factor is infinite or NaN.

    Not used by default, since it hides NaN.
    """
    for factor in node.inputs:
        if is_scalar_constant(factor, 0):
            return conform(factor.constant_like(0), node.outputs[0])
    return None


@rule("canonicalize", tracks=[Dot], operands=[scalar.neg], numerics="sign of zero")
def sign_of_dot(node: Apply) -> Replacement:
    """A sign is moved out of a product, where it can be combined with a factor or a sum."""
    x, y = node.inputs
    first, second = inputs_of(x, scalar.neg), inputs_of(y, scalar.neg)
    if first is not None:
        return -dot(first[0], y)
    return None if second is None else -dot(x, second[0])


@rule("canonicalize", tracks=[Dot], operands=[Eye], numerics="needs finite")
def product_with_identity(node: Apply) -> Replacement:
    """A product with the identity matrix is the other factor.

    In the product, an infinite or NaN element makes others NaN, which are multiplied by zeros; the
    factor has it in its own place only.
    """
    for factor, other in zip(node.inputs, node.inputs[::-1], strict=True):
        if not computed_by(factor, Eye):
            continue
        rows, columns, diagonal = factor.owner.inputs
        if same_value(rows, columns) and scalar_value(diagonal) == 0:
            return conform(other, node.outputs[0])
    return None


@rule("specialize", tracks=[Dot], numerics="reassociates")
def inner_product(node: Apply) -> Replacement:
    """The product of two vectors is a sum, which can be fused with their computation."""
    x, y = node.inputs
    return (x * y).sum(dtype=node.outputs[0].dtype) if x.ndim == y.ndim == 1 else None


@rule("blas", tracks=[Dot], operands=[Dot], numerics="needs finite")
def order_of_products(node: Apply, context: Context) -> Replacement:
    """``dot(dot(a, b), c)`` is ``dot(a, dot(b, c))`` if that takes at most 3/4 of the work.

    And vice versa. The lengths must be known, and the inner product used here only. What loops
    compute once has been moved out of them before. Sums of infinities may be NaN in one order and
    infinite in the other.
    """
    x, y = node.inputs
    best, cheapest = None, 0.75
    for factor, other, is_left in ((x, y, True), (y, x, False)):
        if not computed_by(factor, Dot) or context.uses(factor) > 1:
            continue
        a, b = factor.owner.inputs
        work = _work(a, b) + _work(x, y)
        first, second = ((b, other), a) if is_left else ((other, a), b)
        inner = dot(*first)
        pair = (second, inner) if is_left else (inner, second)
        share = (_work(*first) + _work(*pair)) / work if work else 1
        if share <= cheapest:
            best, cheapest = dot(*pair), share
    return best


def _work(x: Tensor, y: Tensor) -> float:
    """Return the number of multiplications of a product; NaN if it is not known."""
    lengths = (*x.type.shape, *y.type.shape[1:])
    static = [length for length in lengths if length is not None]
    return float(prod(static)) if len(static) == len(lengths) else float("nan")


# -- accumulation -------------------------------------------------------------------------------


def scaled(variable: Tensor, context: Context) -> tuple[list[tuple[Tensor, bool]], Tensor]:
    """Separate scalar factors: return ([(scalar, whether it divides)], scaled variable)."""
    factors: list[tuple[Tensor, bool]] = []
    while True:
        sign = inputs_of(variable, scalar.neg)
        if sign is not None and context.uses(variable) <= 1:
            factors.append((constant(-1, dtype=variable.dtype), False))
            variable = sign[0]
            continue
        operands, divides = inputs_of(variable, scalar.mul), False
        if operands is None:
            operands, divides = inputs_of(variable, scalar.true_div), True
        if operands is None or context.uses(variable) > 1:
            return factors, variable
        a, b = operands
        if (number := as_scalar(b)) is not None and a.type.shape == variable.type.shape:
            factors.append((number, divides))
            variable = a
        elif not divides and (number := as_scalar(a)) is not None:
            if b.type.shape != variable.type.shape:
                return factors, variable
            factors.append((number, False))
            variable = b
        else:
            return factors, variable


def product_of(factors: list[tuple[Tensor, bool]], dtype: str) -> Tensor:
    """Return the product and quotient of scalars as one 0-d variable."""
    total: Tensor = constant(1, dtype=dtype)
    for number, divides in factors:
        total = total / number if divides else total * number
    return cast(total, dtype)


@rule(
    "blas",
    tracks=[scalar.add, scalar.sub],
    operands=[Dot, scalar.mul, scalar.neg, scalar.true_div],
    numerics="needs finite",
)
def accumulate_product(node: Apply, context: Context) -> Replacement:
    """``beta * z + alpha * dot(x, y)`` is one BLAS call, which adds to z in place.

    Applied if z is an array of the full shape: an available one, a product, or an elementwise
    expression, which is computed where the product is added to it. If the sum is used in an
    elementwise loop, this loop adds them. If beta is zero, BLAS does not read z, even if it
    contains NaN.
    """
    output = node.outputs[0]
    if output.dtype not in BLAS_DTYPES or output.ndim not in (1, 2):
        return None
    if any(item.dtype != output.dtype for item in node.inputs):
        return None
    subtract = node.op.scalar_op is scalar.sub
    terms = [scaled(item, context) for item in node.inputs]
    for position in (1, 0):
        factors, product = terms[position]
        others, z = terms[1 - position]
        if not computed_by(product, Dot) or context.uses(product) > 1:
            continue
        if (
            not worth_accumulating(z, output, context)
            or z.type.broadcastable != output.type.broadcastable
        ):
            continue
        if product.type.broadcastable != output.type.broadcastable:
            continue
        alpha, beta = product_of(factors, output.dtype), product_of(others, output.dtype)
        if subtract:
            alpha, beta = (-alpha, beta) if position == 1 else (alpha, -beta)
        result = gemm(z, alpha, *product.owner.inputs, beta)
        return result if output.type.accepts(result.type) else None
    return None


def worth_accumulating(z: Tensor, output: Tensor, context: Context) -> bool:
    """Return whether adding to z in place saves a pass over memory.

    This is the case if z is a product, or an available array, and the sum is not used in
    elementwise loops, which could add it; or if z is made for this sum only, and no loop uses it.
    """
    if computed_by(z, Dot, Gemm):
        return True
    if z.owner is None and isinstance(z, TensorConstant) and z.data.size == 1:
        return False
    if computed_by(z, Elemwise):
        return context.uses(z) <= 1 and is_used_whole(output, context)
    if computed_by(z, DimShuffle, Alloc):
        return False
    users = context.users(output)
    return not users or not all(isinstance(op, Elemwise) for op in users)


def is_used_whole(output: Tensor, context: Context) -> bool:
    """Return whether no user of an array could compute it in its own loop."""
    users = context.users(output)
    return bool(users) and all(op is None or isinstance(op, _WHOLE) for op in users)


_WHOLE = (Dot, BatchedDot, Dot22Scalar, Gemm)


@rule(
    "blas",
    tracks=[scalar.mul, scalar.true_div, scalar.neg],
    operands=[Dot, scalar.mul, scalar.true_div, scalar.neg],
    numerics="reassociates",
)
def scaled_product(node: Apply, context: Context) -> Replacement:
    """``alpha * dot(x, y)`` is one BLAS call, if alpha is a constant.

    A loop that uses it multiplies by alpha instead. If alpha is zero, BLAS does not read the
    factors, even if they contain NaN; so it is not used for an alpha that may be zero.
    """
    output = node.outputs[0]
    if output.dtype not in BLAS_DTYPES or output.ndim != 2 or not is_used_whole(output, context):
        return None
    factors, product = scaled(output, context)
    if not computed_by(product, Dot) or product.dtype != output.dtype:
        return None
    values = [scalar_value(number) for number, _ in factors]
    if any(value is None or not 1e-15 < abs(value) < 1e15 for value in values):
        return None
    if context.uses(product) > 1 or product.type.shape != output.type.shape:
        return None
    return dot22scalar(*product.owner.inputs, product_of(factors, output.dtype))


@rule("blas", tracks=[scalar.add, scalar.sub], operands=[scalar.mul, scalar.neg, scalar.true_div],
      numerics="reassociates")  # fmt: skip
def accumulate_with_decay(node: Apply, context: Context) -> Replacement:
    """``z - s * (dot(x, y) + d * z)``, a step with weight decay, is one BLAS call.

    Its beta is ``1 - s * d``.
    """
    output = node.outputs[0]
    if output.dtype not in BLAS_DTYPES or any(item.dtype != output.dtype for item in node.inputs):
        return None
    subtract = node.op.scalar_op is scalar.sub
    z, step = node.inputs
    if computed_by(z, Elemwise, DimShuffle, Alloc, Dot) or z.ndim not in (1, 2):
        return None
    outside, total = scaled(step, context)
    terms = inputs_of(total, scalar.add)
    if not outside or terms is None or context.uses(total) > 1:
        return None
    parts = [scaled(term, context) for term in terms]
    for (product_factors, product), (decay_factors, same) in (parts, parts[::-1]):
        if same is not z or not computed_by(product, Dot) or context.uses(product) > 1:
            continue
        if product.type.broadcastable != z.type.broadcastable:
            continue
        alpha = product_of([*outside, *product_factors], output.dtype)
        decay = product_of([*outside, *decay_factors], output.dtype)
        one = constant(1, dtype=output.dtype)
        alpha, beta = (-alpha, one - decay) if subtract else (alpha, one + decay)
        result = gemm(z, alpha, *product.owner.inputs, beta)
        return result if output.type.accepts(result.type) else None
    return None

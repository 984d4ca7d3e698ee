"""Numerically stable forms: log1p, expm1, softplus, sigmoid, logsumexp, softmax."""

from __future__ import annotations

from symtheano import dtypes
from symtheano.graph.variable import Apply
from symtheano.rewrites.match import computed_by, inputs_of
from symtheano.rewrites.rule import Replacement, pattern, rule
from symtheano.scalar import table as scalar
from symtheano.tensor.elemwise import DimShuffle
from symtheano.tensor.nnet.softmax import LogSoftmax, LogSumExp, Softmax
from symtheano.tensor.reductions.reduce import CAReduce
from symtheano.tensor.variable import Tensor


def is_real(variable: Tensor) -> bool:
    """Return whether a variable is a real float."""
    return dtypes.is_float(variable.dtype)


# The left sides are in canonical form: constants last, ``x - c`` as ``x + -c``, signs outside.


@pattern("stabilize", scalar.log, scalar.add, "more accurate", domain=(-0.9, 10.0))
def log_of_one_plus(x: Tensor) -> tuple[Tensor, Tensor]:
    """``log(1 + x)`` loses all digits of a small x."""
    return scalar.log(x + 1), scalar.log1p(x)


@pattern("stabilize", scalar.log, scalar.sub, "more accurate", domain=(-10.0, 0.9))
def log_of_one_minus(x: Tensor) -> tuple[Tensor, Tensor]:
    """``log(1 - x)`` loses all digits of a small x."""
    return scalar.log(1 - x), scalar.log1p(-x)


@pattern("stabilize", scalar.add, scalar.exp, "more accurate")
def exp_minus_one(x: Tensor) -> tuple[Tensor, Tensor]:
    """``exp(x) - 1`` loses all digits of a small x."""
    return scalar.exp(x) + -1, scalar.expm1(x)


@pattern("stabilize", scalar.sub, scalar.exp, "more accurate")
def one_minus_exp(x: Tensor) -> tuple[Tensor, Tensor]:
    """``1 - exp(x)`` loses all digits of a small x."""
    return 1 - scalar.exp(x), -scalar.expm1(x)


@pattern("stabilize", scalar.log1p, scalar.exp, "more accurate")
def softplus_spelled_out(x: Tensor) -> tuple[Tensor, Tensor]:
    """``log(1 + exp(x))`` overflows for a large x; softplus is then x."""
    return scalar.log1p(scalar.exp(x)), scalar.softplus(x)


@pattern("stabilize", scalar.log, scalar.sigmoid, "more accurate")
def softplus_of_sigmoid(x: Tensor) -> tuple[Tensor, Tensor]:
    """``log(sigmoid(x))`` is -inf where the sigmoid is too small for a float."""
    return scalar.log(scalar.sigmoid(x)), -scalar.softplus(-x)


@pattern("stabilize", scalar.log1p, scalar.neg, "more accurate")
def log_of_one_minus_sigmoid(x: Tensor) -> tuple[Tensor, Tensor]:
    """``log(1 - sigmoid(x))`` loses all digits of a large x."""
    return scalar.log1p(-scalar.sigmoid(x)), -scalar.softplus(x)


@pattern("stabilize", scalar.sub, scalar.sigmoid, "more accurate")
def one_minus_sigmoid(x: Tensor) -> tuple[Tensor, Tensor]:
    """``1 - sigmoid(x)`` loses all digits of a large x."""
    return 1 - scalar.sigmoid(x), scalar.sigmoid(-x)


@pattern("stabilize", scalar.reciprocal, scalar.add, "reassociates")
def sigmoid_spelled_out(x: Tensor) -> tuple[Tensor, Tensor]:
    """``1 / (1 + exp(-x))`` is the sigmoid, for which there are more rules."""
    return scalar.reciprocal(scalar.exp(-x) + 1), scalar.sigmoid(x)


@pattern("stabilize", scalar.reciprocal, scalar.add, "reassociates")
def sigmoid_of_negative_spelled_out(x: Tensor) -> tuple[Tensor, Tensor]:
    """``1 / (1 + exp(x))`` is the sigmoid of the negative."""
    return scalar.reciprocal(scalar.exp(x) + 1), scalar.sigmoid(-x)


@pattern("stabilize", scalar.true_div, scalar.exp, "more accurate")
def sigmoid_as_quotient(x: Tensor) -> tuple[Tensor, Tensor]:
    """``exp(x) / (1 + exp(x))`` is NaN where the exponential overflows."""
    return scalar.exp(x) / (scalar.exp(x) + 1), scalar.sigmoid(x)


@pattern("stabilize", scalar.true_div, scalar.mul, "more accurate")
def scaled_sigmoid_as_quotient(x: Tensor, a: Tensor) -> tuple[Tensor, Tensor]:
    """``a * exp(x) / (1 + exp(x))``, the gradient of ``log(1 + exp(x))``, would overflow."""
    return (a * scalar.exp(x)) / (scalar.exp(x) + 1), a * scalar.sigmoid(x)


@pattern("stabilize", scalar.log, scalar.exp, "more accurate", only=is_real)
def log_of_exp(x: Tensor) -> tuple[Tensor, Tensor]:
    """The logarithm is the inverse of the exponential, without overflow."""
    return scalar.log(scalar.exp(x)), x


@pattern("stabilize", scalar.exp, scalar.log, "more accurate", domain=(0.0, 10.0), only=is_real)
def exp_of_log(x: Tensor) -> tuple[Tensor, Tensor]:
    """The exponential is the inverse of the logarithm, which is NaN below zero."""
    nan = scalar.sqrt(x.constant_like(-1))
    return scalar.exp(scalar.log(x)), scalar.switch(scalar.lt(x, x.constant_like(0)), nan, x)


@pattern("stabilize", scalar.expm1, scalar.log1p, "more accurate", domain=(0.0, 10.0), only=is_real)
def expm1_of_log1p(x: Tensor) -> tuple[Tensor, Tensor]:
    """``expm1(log1p(x))`` is x, NaN below -1."""
    below = scalar.lt(x, x.constant_like(-1))
    nan = scalar.sqrt(x.constant_like(-1))
    return scalar.expm1(scalar.log1p(x)), scalar.switch(below, nan, x)


@pattern("stabilize", scalar.log1p, scalar.expm1, "more accurate", only=is_real)
def log1p_of_expm1(x: Tensor) -> tuple[Tensor, Tensor]:
    """``log1p(expm1(x))`` is x, without overflow."""
    return scalar.log1p(scalar.expm1(x)), x


@pattern("stabilize", scalar.sqrt, scalar.sqr, "more accurate", only=is_real)
def root_of_square(x: Tensor) -> tuple[Tensor, Tensor]:
    """``sqrt(x * x)`` is the absolute value, without overflow."""
    return scalar.sqrt(scalar.sqr(x)), scalar.abs(x)


@pattern("stabilize", scalar.sqr, scalar.sqrt, "more accurate", domain=(0.0, 10.0), only=is_real)
def square_of_root(x: Tensor) -> tuple[Tensor, Tensor]:
    """``sqrt(x)**2`` is x, NaN below zero."""
    nan = scalar.sqrt(x.constant_like(-1))
    below = scalar.lt(x, x.constant_like(0))
    return scalar.sqr(scalar.sqrt(x)), scalar.switch(below, nan, x)


@pattern("stabilize", scalar.sub, scalar.erf, "more accurate")
def one_minus_erf(x: Tensor) -> tuple[Tensor, Tensor]:
    """``1 - erf(x)`` loses all digits of a large x."""
    return 1 - scalar.erf(x), scalar.erfc(x)


@pattern("stabilize", scalar.add, scalar.erf, "more accurate")
def one_plus_erf(x: Tensor) -> tuple[Tensor, Tensor]:
    """``1 + erf(x)`` loses all digits of a large negative x."""
    return scalar.erf(x) + 1, scalar.erfc(-x)


@pattern("stabilize", scalar.sub, scalar.erfc, "more accurate")
def one_minus_erfc(x: Tensor) -> tuple[Tensor, Tensor]:
    """``1 - erfc(x)`` loses all digits of a small x."""
    return 1 - scalar.erfc(x), scalar.erf(x)


@pattern("stabilize", scalar.log, scalar.add, "more accurate")
def logarithm_of_two_exponentials(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    """``log(exp(x) + exp(y))`` overflows; logaddexp does not."""
    return scalar.log(scalar.exp(x) + scalar.exp(y)), scalar.logaddexp(x, y)


# -- softmax and its relatives ------------------------------------------------------------------


def reduced(variable: Tensor, name: str) -> tuple[Tensor, tuple[int, ...]] | None:
    """Return (operand, axes), if ``variable`` is this reduction of a float in its own dtype."""
    if not computed_by(variable, CAReduce):
        return None
    op, x = variable.owner.op, variable.owner.inputs[0]
    if op.scalar_name != name or op.dtype != x.dtype or x.dtype not in dtypes.FLOAT:
        return None
    return x, op.axis


def kept_reduced(variable: Tensor, name: str) -> tuple[Tensor, tuple[int, ...]] | None:
    """As :func:`reduced`, for a reduction whose axes are restored with length 1.

    Other axes of length 1 may be dropped and inserted anywhere.
    """
    if not computed_by(variable, DimShuffle):
        return None
    total = variable.owner.inputs[0]
    reduction = reduced(total, name)
    if reduction is None or variable.ndim != reduction[0].ndim:
        return None
    x, axes = reduction
    kept = iter(range(total.ndim))
    wanted = ["x" if axis in axes else next(kept) for axis in range(x.ndim)]
    pairs = zip(variable.owner.op.new_order, wanted, strict=True)
    return reduction if all(_long(a, total) == _long(b, total) for a, b in pairs) else None


def _long(axis: int | str, variable: Tensor) -> int | str:
    """Return an axis of a variable, ``x`` if its length is one."""
    return axis if isinstance(axis, int) and variable.type.shape[axis] != 1 else "x"


@rule("stabilize", tracks=[scalar.log], operands=[CAReduce, DimShuffle], numerics="more accurate")
def log_of_sum_of_exp(node: Apply) -> Replacement:
    """``log(sum(exp(x)))`` overflows; logsumexp shifts by the maximum."""
    (x,) = node.inputs
    reduction = reduced(x, "add")
    kept = False
    if reduction is None:
        reduction, kept = kept_reduced(x, "add"), True
    if reduction is None:
        return None
    inner = inputs_of(reduction[0], scalar.exp)
    if inner is None:
        return None
    op = LogSumExp(reduction[1])
    result = op(inner[0])
    return op.restore(result, inner[0].ndim) if kept else result


@rule("stabilize", tracks=[scalar.true_div], operands=[scalar.exp], numerics="more accurate")
def softmax_spelled_out(node: Apply) -> Replacement:
    """``exp(x) / sum(exp(x))`` is NaN where an exponential overflows."""
    return softmax_of(node.outputs[0])


def softmax_of(variable: Tensor) -> Tensor | None:
    """Return the softmax that a variable is, written out; None of anything else."""
    quotient = inputs_of(variable, scalar.true_div)
    inner = None if quotient is None else inputs_of(quotient[0], scalar.exp)
    if quotient is None or inner is None or variable.dtype not in dtypes.FLOAT:
        return None
    a, b = quotient
    total = kept_reduced(b, "add")
    if total is None and computed_by(b, DimShuffle):
        whole = reduced(b.owner.inputs[0], "add")
        if whole is not None and b.owner.inputs[0].ndim == 0:
            total = whole
    return Softmax(total[1])(inner[0]) if total is not None and total[0] is a else None


@rule("stabilize", tracks=[scalar.log], operands=[Softmax], numerics="more accurate")
def log_of_softmax(node: Apply) -> Replacement:
    """``log(softmax(x))`` is -inf where a probability is too small for a float."""
    softmax = node.inputs[0].owner
    return LogSoftmax(softmax.op.axis)(softmax.inputs[0])


@rule("stabilize", tracks=[scalar.exp], operands=[LogSoftmax], numerics="reassociates")
def exp_of_logsoftmax(node: Apply) -> Replacement:
    """``exp(logsoftmax(x))`` is the softmax, without a logarithm."""
    inner = node.inputs[0].owner
    return Softmax(inner.op.axis)(inner.inputs[0])


@rule("stabilize", tracks=[scalar.sub], operands=[LogSumExp, DimShuffle], numerics="reassociates")
def logsoftmax_spelled_out(node: Apply) -> Replacement:
    """``x - logsumexp(x)`` is the logarithm of the softmax, which shares its exponentials."""
    x, b = node.inputs
    if not computed_by(b, DimShuffle) or not computed_by(b.owner.inputs[0], LogSumExp):
        return None
    owner = b.owner.inputs[0].owner
    if owner.inputs[0] is not x or owner.op.restore(b.owner.inputs[0], x.ndim).owner is None:
        return None
    wanted = owner.op.restore(b.owner.inputs[0], x.ndim).owner.op
    return LogSoftmax(owner.op.axis)(x) if wanted == b.owner.op else None

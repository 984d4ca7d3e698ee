"""Sums of squares, their roots and logarithms, which overflow or vanish far from one."""

from __future__ import annotations

import math

from symtheano.graph.variable import Apply
from symtheano.rewrites.match import bare, conform, inputs_of, scalar_value, unselected
from symtheano.rewrites.rule import Replacement, rule
from symtheano.rewrites.stabilize import kept_reduced, reduced
from symtheano.scalar import table as scalar
from symtheano.tensor.elemwise import DimShuffle
from symtheano.tensor.reductions.reduce import CAReduce
from symtheano.tensor.variable import Tensor

_SCALES = {"float32": (96, 82), "float64": (600, 600)}
"""Powers of two by which large numbers are divided, and small ones multiplied, before squaring.

The squares of ordinary numbers that are divided are zero: subnormal ones would take 20 times as
long."""
_BOUNDS = {"float32": (100, 40), "float64": (900, 900)}
"""Powers of two above and below which a sum of squares is one of large, or of small numbers."""


def sum_of_squares(variable: Tensor) -> tuple[Tensor, Tensor] | None:
    """Return x and the reduction of ``(x**2).sum()``, whose axes may be kept.

    None of sums of squared exponentials, which other rules scale.
    """
    reduction, total = reduced(variable, "add"), variable
    if reduction is None:
        reduction = kept_reduced(variable, "add")
        if reduction is None:
            return None
        assert variable.owner is not None
        total = variable.owner.inputs[0]
    square = inputs_of(reduction[0], scalar.sqr)
    if square is None or inputs_of(unselected(square[0]), scalar.exp) is not None:
        return None
    return square[0], total


def _in_range(
    x: Tensor, total: Tensor, like: Tensor
) -> tuple[Tensor, Tensor, Tensor, tuple[int, int]] | None:
    """Return the sum of the squares of x, scaled where it overflows or vanishes, and the scales.

    The squares are summed up three times in one visit to them: as they are, and of larger and of
    smaller numbers (J. L. Blue, A portable Fortran program to find the Euclidean norm of a vector,
    1978). Scaling by powers of two does not round.
    """
    scales = _SCALES.get(total.dtype)
    if scales is None or _is_scaled(x, scales) or total.owner is None or like.owner is None:
        return None
    restored = like.owner.op

    def kept(result: Tensor) -> Tensor:
        return result if like is total else restored(result)

    sums = total.owner.op
    most, least = _BOUNDS[total.dtype]
    is_large = kept(scalar.gt(total, total.constant_like(2.0**most)))
    is_small = kept(scalar.lt(total, total.constant_like(2.0**-least)))
    large, small = x.constant_like(2.0 ** -scales[0]), x.constant_like(2.0 ** scales[1])
    of_large, of_small = (kept(sums(scalar.sqr(x * scale))) for scale in (large, small))
    fitting = scalar.switch(is_large, of_large, scalar.switch(is_small, of_small, like))
    return fitting, is_large, is_small, scales


def _is_scaled(x: Tensor, scales: tuple[int, int]) -> bool:
    factors = inputs_of(x, scalar.mul)
    value = None if factors is None else scalar_value(factors[1])
    return value in (2.0 ** -scales[0], 2.0 ** scales[1])


def chosen(is_large: Tensor, is_small: Tensor, like: Tensor, *numbers: float) -> Tensor:
    """Return one of three constants: for large, for small, and for other numbers."""
    large, small, other = (like.constant_like(number) for number in numbers)
    return scalar.switch(is_large, large, scalar.switch(is_small, small, other))


@rule("stabilize", tracks=[scalar.log], operands=[CAReduce, DimShuffle], numerics="more accurate")
def log_of_sum_of_squares(node: Apply) -> Replacement:
    """``log((x**2).sum())`` is infinite where the sum overflows or vanishes."""
    (total,) = node.inputs
    squares = sum_of_squares(total)
    scaled = None if squares is None else _in_range(*squares, total)
    if scaled is None:
        return None
    fitting, is_large, is_small, (down, up) = scaled
    twice = 2 * math.log(2)
    back = chosen(is_large, is_small, total, down * twice, -up * twice, 0.0)
    return conform(scalar.log(fitting) + back, node.outputs[0])


@rule("stabilize", tracks=[scalar.sqrt], operands=[CAReduce, DimShuffle], numerics="more accurate")
def root_of_sum_of_squares(node: Apply) -> Replacement:
    """``sqrt((x**2).sum())`` overflows, and is zero for small numbers."""
    (total,) = node.inputs
    squares = sum_of_squares(total)
    scaled = None if squares is None else _in_range(*squares, total)
    if scaled is None:
        return None
    fitting, is_large, is_small, (down, up) = scaled
    back = chosen(is_large, is_small, total, 2.0**down, 2.0**-up, 1.0)
    return conform(scalar.sqrt(fitting) * back, node.outputs[0])


def inverse_of_scale(variable: Tensor) -> Tensor | None:
    """Return the reciprocal of a number that is chosen among powers of two, which is exact.

    None stands for other numbers.
    """
    value = scalar_value(variable)
    if isinstance(value, float) and math.frexp(value)[0] == 0.5:
        return variable.constant_like(1 / value)
    operands = inputs_of(variable, scalar.switch)
    if operands is None:
        return None
    condition, *arms = operands
    inverses = [inverse_of_scale(arm) for arm in arms]
    return None if None in inverses else scalar.switch(condition, *inverses)


def is_norm(variable: Tensor, *, of: Tensor | None = None) -> bool:
    """Return whether a variable is what :func:`root_of_sum_of_squares` returns, of ``of``."""
    factors = inputs_of(bare(variable), scalar.mul)
    root = None if factors is None else inputs_of(bare(factors[0]), scalar.sqrt)
    choice = None if root is None else inputs_of(bare(root[0]), scalar.switch)
    bound = None if choice is None else inputs_of(bare(choice[0]), scalar.gt)
    squares = None if bound is None else sum_of_squares(bare(bound[0]))
    return squares is not None and (of is None or squares[0] is of)

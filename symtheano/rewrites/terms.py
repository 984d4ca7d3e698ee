"""Factors, terms and signs of expressions."""

from __future__ import annotations

from symtheano.dataclass import dataclass, field
from symtheano.rewrites.match import as_scalar, inputs_of, real_value, scalar_value
from symtheano.rewrites.rule import Context
from symtheano.scalar import table as scalar
from symtheano.scalar.row import ScalarOp
from symtheano.tensor.elemwise import Elemwise
from symtheano.tensor.variable import Tensor

# Maximum number of factors or terms of an element that are examined.
FACTORS = 4


@dataclass
class Factors:
    """The factors of an element.

    Attributes
    ----------
    arrays
        The factors that vary.
    scalars
        0-d factors and divisors: (mul or true_div, number).
    """

    arrays: list[Tensor] = field(default_factory=list)
    scalars: list[tuple[ScalarOp, Tensor]] = field(default_factory=list)


def factors_of(term: Tensor) -> Factors:
    """Return the factors of a product, through products, squares, and quotients by scalars.

    With more than ``FACTORS`` arrays, which callers reject, the rest is not examined.
    """
    factors = Factors()
    stack = [(term, scalar.mul)]
    while stack and len(factors.arrays) <= FACTORS:
        item, row = stack.pop()
        number = as_scalar(item)
        if number is not None:
            factors.scalars.append((row, number))
            continue
        parts = inputs_of(item, scalar.mul)
        if parts is not None:
            stack.extend((part, scalar.mul) for part in reversed(parts))
            continue
        parts = inputs_of(item, scalar.true_div)
        if parts is not None and as_scalar(parts[1]) is not None:
            stack.extend([(parts[1], scalar.true_div), (parts[0], scalar.mul)])
            continue
        parts = inputs_of(item, scalar.sqr)
        if parts is not None and (inner := factors_of(parts[0])).scalars and len(inner.arrays) == 1:
            stack.extend([(parts[0], scalar.mul)] * 2)
            continue
        factors.arrays.append(item)
    return factors


def is_extreme(number: Tensor) -> bool:
    """Return whether a number is a constant without which terms might overflow or vanish."""
    value = scalar_value(number)
    return value is not None and not 1e-15 < abs(value) < 1e15 and value != 0


def product_of(arrays: list[Tensor]) -> Tensor:
    """Multiply, equal factors first."""
    result = None
    for x in dict.fromkeys(arrays):
        count = arrays.count(x)
        power = {1: x, 2: scalar.sqr(x)}.get(count)
        if power is None:
            power = chain(scalar.mul, [x] * count)
        result = power if result is None else result * power
    assert result is not None
    return result


def chain(row: ScalarOp, items: list[Tensor]) -> Tensor:
    """Combine items from the left."""
    result = items[0]
    for item in items[1:]:
        result = row(result, item)
    return result


def terms_of(
    term: Tensor, context: Context
) -> tuple[list[tuple[int, Tensor]], list[tuple[int, Tensor]]]:
    """Return the terms of a sum: (signs and arrays, signs and 0-d terms).

    With more than ``FACTORS`` arrays, which callers reject, the rest is not examined.
    """
    arrays: list[tuple[int, Tensor]] = []
    scalars_: list[tuple[int, Tensor]] = []
    stack = [(1, term)]
    while stack and len(arrays) <= FACTORS:
        sign, item = stack.pop()
        number = as_scalar(item)
        added, less = inputs_of(item, scalar.add), inputs_of(item, scalar.sub)
        if number is not None:
            scalars_.append((sign, number))
        elif (added or less) and (item is term or context.uses(item) <= 1):
            a, b = added or less  # type: ignore[misc]
            stack.extend([(sign if added else -sign, b), (sign, a)])
        else:
            arrays.append((sign, item))
    return arrays, scalars_


def sign_of(term: Tensor) -> int:
    """Return 1 if an expression is never negative, -1 if it is never positive, else 0."""
    factors = factors_of(term)
    if len(factors.arrays) > FACTORS:
        return 0
    items = [*factors.arrays, *(number for _, number in factors.scalars)]
    sign = 1
    for item in dict.fromkeys(items):
        if items.count(item) % 2:
            sign *= _sign_of_factor(item)
    return sign


def _sign_of_factor(item: Tensor) -> int:
    sign = 1
    while (operands := inputs_of(item, scalar.neg)) is not None:
        sign, (item,) = -sign, operands
    number = real_value(item)
    if number is not None:
        return sign if number >= 0 else -sign
    owner = item.owner
    is_positive = (
        owner is not None and isinstance(owner.op, Elemwise) and owner.op.scalar_op in _POSITIVE
    )
    return sign if is_positive else 0


_POSITIVE = frozenset({scalar.sqr, scalar.exp, scalar.abs, scalar.sqrt, scalar.softplus})

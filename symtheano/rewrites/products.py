"""Products and quotients, taken apart into all their factors."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from symtheano import dtypes
from symtheano.dataclass import dataclass, field
from symtheano.rewrites.match import (
    bare,
    computed_by,
    inputs_of,
    is_inserting,
    row_of,
    scalar_value,
)
from symtheano.rewrites.norms import is_norm, sum_of_squares
from symtheano.scalar import table as scalar
from symtheano.tensor.elemwise import DimShuffle, Elemwise
from symtheano.tensor.reductions.others import ProductOfOthers
from symtheano.tensor.reductions.reduce import CAReduce
from symtheano.tensor.variable import Tensor

FACTORS = 10
"""Maximum number of factors of a product that are examined."""


@dataclass
class Quotient:
    """What an element is a product and quotient of, in the axes of the whole.

    Attributes
    ----------
    over, under
        Factors and divisors.
    sign
        The sign of the whole, 1 or -1.
    divisors
        Factors that were found in a product that is a divisor, or in a quotient within the whole.
    """

    over: list[Tensor] = field(default_factory=list)
    under: list[Tensor] = field(default_factory=list)
    sign: int = 1
    divisors: list[Tensor] = field(default_factory=list)

    def result(self, like: Tensor | None = None) -> Tensor:
        """Multiply and divide again; ``like`` gives the dtype where nothing is left."""
        if not self.over and not self.under:
            assert like is not None
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


_Factor = tuple[Tensor, bool, tuple[tuple[int | str, ...], ...], bool]
"""A factor, whether it multiplies, the orders in which axes are inserted into it, and whether it
is one of the ``divisors`` of :class:`Quotient`."""


def _factors(variable: Tensor) -> tuple[list[_Factor], int] | None:
    """Take a product apart: products, quotients, signs and squares, under inserted axes as well."""
    factors: list[_Factor] = []
    sign = 1
    stack: list[_Factor] = [(variable, True, (), False)]
    while stack:
        item, over, orders, inside = stack.pop()
        row = row_of(item)
        if row is None and computed_by(item, DimShuffle) and is_inserting(item.owner):
            inner = item.owner.inputs[0]
            if (within := row_of(inner)) in _PRODUCTS:
                item, orders, row = inner, (item.owner.op.new_order, *orders), within
        parts: Sequence[Tensor] = () if item.owner is None else item.owner.inputs
        if row is scalar.mul and not _is_root(parts[0]):
            inside = inside or not over
            stack += [(part, over, orders, inside) for part in reversed(parts)]
        elif row is scalar.true_div and not _is_direction(parts):
            inside = inside or item is not variable
            stack += [(parts[1], not over, orders, inside), (parts[0], over, orders, inside)]
        elif row is scalar.reciprocal:
            stack.append((parts[0], not over, orders, inside))
        elif row is scalar.neg:
            sign = -sign
            stack.append((parts[0], over, orders, inside))
        elif row is scalar.sqr and is_delicate(parts[0]):
            stack += [(parts[0], over, orders, inside)] * 2
        else:
            factors.append((item, over, orders, inside))
        if len(factors) + len(stack) > FACTORS:
            return None
    return factors, sign


_PRODUCTS = frozenset({scalar.mul, scalar.true_div, scalar.reciprocal, scalar.neg, scalar.sqr})


def _is_root(variable: Tensor) -> bool:
    return inputs_of(bare(variable), scalar.sqrt) is not None


def _is_direction(parts: Sequence[Tensor]) -> bool:
    """Return whether the parts of a quotient are a row and its norm; these stay together."""
    return parts[0] in (inputs_of(parts[1], scalar.hypot) or ()) or is_norm(parts[1], of=parts[0])


def quotient_of(variable: Tensor, *, plain: bool = False) -> Quotient | None:
    """Take a product apart if it has a divisor or an exponential: others have nothing to cancel.

    Most products are refused here, unless ``plain``: before the factors get the axes of the whole.
    """
    product = _factors(variable)
    if product is None:
        return None
    factors, sign = product
    if not plain and all(over and not _is_exponential(item) for item, over, _, _ in factors):
        return None
    quotient = Quotient(sign=sign)
    for item, over, orders, inside in factors:
        whole = item
        for order in orders:
            whole = whole.dimshuffle(*order)
        (quotient.over if over else quotient.under).append(whole)
        if inside:
            quotient.divisors.append(whole)
    return quotient


_DELICATE = frozenset(
    {
        *(scalar.add, scalar.sub, scalar.expm1, scalar.sigmoid, scalar.cosh, scalar.sinh),
        *(scalar.erfc, scalar.softplus),
    }
)


def is_delicate(variable: Tensor) -> bool:
    """Return whether a variable may be a sum of exponentials, also under inserted axes."""
    while computed_by(variable, DimShuffle):
        variable = variable.owner.inputs[0]
    while inner := inputs_of(variable, scalar.reciprocal) or inputs_of(variable, scalar.sqr):
        (variable,) = inner
    if computed_by(variable, CAReduce):
        return True
    row = getattr(getattr(variable.owner, "op", None), "scalar_op", None)
    return row in _DELICATE


def exponent(variable: Tensor) -> Tensor | None:
    """Return x of ``exp(x)``, also written ``expm1(x) + 1``, None of anything else."""
    if not dtypes.is_float(variable.dtype):
        return None
    operands = inputs_of(variable, scalar.exp)
    if operands is None:
        terms = inputs_of(variable, scalar.add)
        if terms is not None and scalar_value(terms[1]) == 1:
            operands = inputs_of(terms[0], scalar.expm1)
    return None if operands is None else operands[0]


def _is_exponential(variable: Tensor) -> bool:
    square = inputs_of(variable, scalar.sqr)
    return exponent(variable if square is None else square[0]) is not None


def cancelled(quotient: Quotient, never_zero: Callable[[Tensor], bool]) -> bool:
    """Cancel common factors of numerator and denominator; return whether there were any.

    These are repeated, or never zero, or part of a divisor or of a quotient within the whole:
    gradients of logarithms of products are finite then where a factor is zero.
    """
    changed = False
    for item in list(quotient.under):
        inside = len(quotient.under) > 1 and any(same_factor(x, item) for x in quotient.divisors)
        if _lowered_divisor(quotient, item):
            changed = True
        elif any(same_factor(x, item) for x in quotient.over):
            if inside or never_zero(item):
                remove(quotient.over, item)
                remove(quotient.under, item)
                changed = True
        elif inside:
            changed = _lowered(quotient, item) or changed
    return changed


def _lowered_divisor(quotient: Quotient, item: Tensor) -> bool:
    """Cancel a factor against a higher power of it, a divisor; return whether there was one."""
    base, power = _power(item)
    for other in quotient.over if power > 1 else ():
        same, less = _power(other)
        if same_factor(same, base) and less < power:
            remove(quotient.over, other)
            remove(quotient.under, item)
            left = power - less
            quotient.under.append(base if left == 1 else base**left)
            return True
    return False


def _lowered(quotient: Quotient, item: Tensor) -> bool:
    """Cancel a divisor against a power of it; return whether there was one."""
    for k, over in enumerate(quotient.over):
        base, power = _power(over)
        if power > 1 and same_factor(base, item):
            quotient.over[k] = base if power == 2 else base ** (power - 1)
            remove(quotient.under, item)
            return True
    return False


def _power(variable: Tensor) -> tuple[Tensor, float]:
    """Return base and exponent of a constant power, a variable itself with exponent one."""
    square = inputs_of(variable, scalar.sqr)
    if square is not None:
        return square[0], 2
    operands = inputs_of(variable, scalar.pow)
    value = None if operands is None else scalar_value(operands[1])
    if operands is None or value is None or isinstance(value, complex) or value < 1:
        return variable, 1
    return operands[0], value


def directed(quotient: Quotient) -> bool:
    """Divide a row by its own norm before anything else: the quotient does not overflow.

    A sum of squares counts as its root twice; ``x / (1 + c * x**2)`` is ``1 / (c * x + 1 / x)``,
    and ``x**2 / (x**2 + c)`` is ``1 / (1 + c / x**2)``.
    """
    for under in quotient.under:
        if _part_of_sum(quotient, under):
            return True
        squares, root = _squares_in(under), under
        line = _line_of(under)
        for k, over in enumerate(quotient.over):
            if line is not None and line[0] is over:
                remove(quotient.under, under)
                del quotient.over[k]
                quotient.under.append(line[1] + scalar.reciprocal(over))
                return True
            if any(item is over for item in squares):
                terms = inputs_of(under, scalar.add)
                root = scalar.sqrt(under) if terms is None else scalar.hypot(*squares)
                remove(quotient.under, under)
                quotient.under.append(root)
            elif over in (inputs_of(under, scalar.hypot) or ()) or is_norm(under, of=over):
                remove(quotient.under, under)
            else:
                continue
            quotient.over[k] = over / root
            return True
    return False


def _part_of_sum(quotient: Quotient, under: Tensor) -> bool:
    """Divide a square by a sum of which it is a term; return whether there is one."""
    terms = inputs_of(under, scalar.add)
    for over in quotient.over if terms is not None else ():
        if terms is None or not any(term is over for term in terms):
            continue
        other = terms[1] if terms[0] is over else terms[0]
        value, square = scalar_value(other), inputs_of(over, scalar.sqr)
        if square is None or any(item is square[0] for item in quotient.over):
            continue
        if (inner := inputs_of(other, scalar.sqr)) is not None:
            remove(quotient.over, over)
            remove(quotient.under, under)
            quotient.over.append(scalar.sqr(square[0] / scalar.hypot(square[0], inner[0])))
            return True
        if isinstance(value, float) and value > 0:
            remove(quotient.over, over)
            remove(quotient.under, under)
            quotient.under.append(scalar.reciprocal(over) * other + 1)
            return True
    return False


def _squares_in(variable: Tensor) -> tuple[Tensor, ...]:
    """Return what is squared in a sum of squares: over axes, or of two variables."""
    match = sum_of_squares(bare(variable))
    if match is not None:
        return (match[0],)
    terms = inputs_of(variable, scalar.add)
    squares = [inputs_of(term, scalar.sqr) for term in terms or ()]
    bases = [square[0] for square in squares if square]
    if len(bases) < len(squares) or any(exponent(base) is not None for base in bases):
        return ()
    return tuple(bases)


def _line_of(variable: Tensor) -> tuple[Tensor, Tensor] | None:
    """Return x and ``c * x`` of ``1 + c * x**2`` with a constant c."""
    terms = inputs_of(variable, scalar.add)
    if terms is None or scalar_value(terms[1]) != 1:
        return None
    for row in (scalar.mul, scalar.true_div):
        parts = inputs_of(terms[0], row)
        square = None if parts is None else inputs_of(parts[0], scalar.sqr)
        if parts is not None and square is not None and scalar_value(parts[1]) is not None:
            return square[0], row(square[0], parts[1])
    square = inputs_of(terms[0], scalar.sqr)
    return None if square is None else (square[0], square[0])


def same_factor(a: Tensor, b: Tensor) -> bool:
    """Return whether both are one variable, or one with the same axes inserted."""
    if a is b:
        return True
    if not computed_by(a, DimShuffle) or not computed_by(b, DimShuffle):
        return False
    return a.owner.op == b.owner.op and same_factor(a.owner.inputs[0], b.owner.inputs[0])


def remove(items: list[Tensor], wanted: Tensor) -> None:
    """Remove one factor from a list."""
    del items[next(k for k, item in enumerate(items) if same_factor(item, wanted))]


def take_common(first: list[Tensor], second: list[Tensor]) -> list[Tensor]:
    """Take the common factors off two lists."""
    common = []
    for item in list(first):
        if any(same_factor(x, item) for x in second):
            remove(first, item)
            remove(second, item)
            common.append(item)
    return common


def are_opposite(x: Tensor, y: Tensor) -> bool:
    """Return whether one is the other's negative."""
    for one, other in ((x, y), (y, x)):
        sign = inputs_of(one, scalar.neg)
        if sign is not None and sign[0] is other:
            return True
    for row in (scalar.mul, scalar.true_div):
        a, b = inputs_of(x, row), inputs_of(y, row)
        if a is not None and b is not None and a[0] is b[0]:
            left, right = scalar_value(a[1]), scalar_value(b[1])
            return left is not None and right is not None and bool(left == -right)
    return False


def factors_of_others(variable: Tensor, x: Tensor, axes: tuple[int, ...]) -> Tensor | None:
    """Return x, perhaps with inserted axes, if a variable has the products of all others of it."""
    variable = _uncast(variable)
    if not computed_by(variable, ProductOfOthers):
        return None
    factors = _uncast(variable.owner.inputs[0])
    order: tuple[int | str, ...] = tuple(range(factors.ndim))
    if factors is not x and computed_by(factors, DimShuffle) and is_inserting(factors.owner):
        order = factors.owner.op.new_order
        if factors.owner.inputs[0] is not x:
            return None
    elif factors is not x:
        return None
    return factors if {order[axis] for axis in variable.owner.op.axis} - {"x"} == {*axes} else None


def _uncast(variable: Tensor) -> Tensor:
    """Return a variable before it was converted."""
    if computed_by(variable, Elemwise) and variable.owner.op.scalar_op.name.startswith("cast{"):
        (variable,) = variable.owner.inputs
    return variable

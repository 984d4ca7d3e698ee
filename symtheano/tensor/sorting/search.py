"""The loops that search positions in a sorted vector.

Values are often sorted themselves, as in resampling and interpolation. So the search for one begins
at the position of the value before: it tries the next positions one by one, then further ones at
doubled distances, and then halves what is left (Bentley and Yao, "An almost optimal algorithm for
unbounded searching", Information Processing Letters 5, 1976).
"""

from __future__ import annotations

from symtheano import dtypes
from symtheano.dataclass import dataclass
from symtheano.loopir import Builder, If, View, While
from symtheano.loopir.operands import Operand, Value

# Cost of searching the position of a value, in additions; number of values that are searched from
# the position of the one before; number of positions ahead of it that are tried one by one.
_STEPS, _BLOCK, _AHEAD = 40, 32, 4


def search_each(b: Builder, vector: View, values: View, output: View, is_left: bool) -> None:
    """Write the loops that search all values.

    Parameters
    ----------
    b
        Writes them.
    vector
        Where to search. NaN is at its end.
    values, output
        What is searched, and where its positions are stored.
    is_left
        Whether positions are before equal elements, instead of after these.
    """
    if not values.shape:
        low = b.declare("low", b.literal(0, "int64"))
        _Search(b, vector, b.load(values, []), low, is_left).write()
        b.store(output, [], low)
        return
    *outer, length = values.shape
    size = [b.operand(length + (_BLOCK - 1)), b.literal(_BLOCK, "int64")]
    blocks = b.let("int_div", "int64", size, "blocks").index
    with b.nest([*outer, blocks], simd=False, work=values.size * _STEPS) as index:
        start = index[-1] * _BLOCK
        stop = b.minimum(start + _BLOCK, length, "stop")
        low = b.declare("low", b.literal(0, "int64"))
        with b.loop("at", stop, start) as at:
            where = [*index[:-1], at]
            _Search(b, vector, b.load(values, where), low, is_left).write()
            b.store(output, where, low)


@dataclass
class _Search:
    """The search for one value; ``low`` is the position of the one before, and becomes its own."""

    b: Builder
    vector: View
    value: Operand
    low: Value
    is_left: bool

    def write(self) -> None:
        """Write the statements."""
        b, low = self.b, self.low
        self.high = b.declare("high", b.operand(self.vector.shape[0]))
        with b.branch(b.let("gt", "bool", [low, b.literal(0, "int64")])):
            last = b.let("sub", "int64", [low, b.literal(1, "int64")])
            with b.branch(b.let("logical_not", "bool", [self._is_before(last)])):
                b.assign(self.high, last)
                b.assign(low, b.literal(0, "int64"))
        self._try_next()
        self._double()
        self._halve()

    def _try_next(self) -> None:
        """Try the next positions, one by one."""
        b, low, one = self.b, self.low, self.b.literal(1, "int64")
        rest = b.let("sub", "int64", [self.high, low])
        steps = b.declare("steps", b.let("minimum", "int64", [rest, b.literal(_AHEAD, "int64")]))
        with b.block() as test:
            some = b.let("gt", "bool", [steps, b.literal(0, "int64")])
        with b.block() as body:
            is_before = self._is_before(low)
            with b.block() as ahead:
                b.assign(low, b.let("add", "int64", [low, one]))
                b.assign(steps, b.let("sub", "int64", [steps, one]))
            with b.block() as reached:
                b.assign(self.high, low)
                b.assign(steps, b.literal(0, "int64"))
            b.emit(If(is_before, tuple(ahead), tuple(reached)))
        b.emit(While(tuple(test), some, tuple(body)))

    def _double(self) -> None:
        """Try positions whose distance doubles, until one is too far."""
        b, low, one = self.b, self.low, self.b.literal(1, "int64")
        width = b.declare("width", b.literal(2 * _AHEAD, "int64"))
        with b.block() as test:
            rest = b.let("sub", "int64", [self.high, low])
            some = b.let("ge", "bool", [rest, width])
        with b.block() as body:
            beyond = b.let("add", "int64", [low, width])
            last = b.let("sub", "int64", [beyond, one])
            is_before = self._is_before(last)
            with b.block() as ahead:
                b.assign(low, beyond)
                b.assign(width, b.let("left_shift", "int64", [width, one]))
            with b.block() as reached:
                b.assign(self.high, last)
            b.emit(If(is_before, tuple(ahead), tuple(reached)))
        b.emit(While(tuple(test), some, tuple(body)))

    def _halve(self) -> None:
        """Search what is left by halves, without branches."""
        b, low, one = self.b, self.low, self.b.literal(1, "int64")
        left = b.declare("left", b.let("sub", "int64", [self.high, low]))
        with b.block() as test:
            some = b.let("gt", "bool", [left, b.literal(0, "int64")])
        with b.block() as body:
            half = b.let("right_shift", "int64", [left, one])
            middle = b.let("add", "int64", [low, half])
            is_before = self._is_before(middle)
            rest = b.let("sub", "int64", [b.let("sub", "int64", [left, half]), one])
            after = b.let("add", "int64", [middle, one])
            b.assign(low, b.let("switch", "int64", [is_before, after, low]))
            b.assign(left, b.let("switch", "int64", [is_before, rest, half]))
        b.emit(While(tuple(test), some, tuple(body)))

    def _is_before(self, position: Value) -> Operand:
        """Return whether the element at a position comes before the insertion point."""
        b = self.b
        item = b.load(self.vector, [b.as_index(position)])
        if self.is_left:
            return _less(b, item, self.value)
        return b.let("logical_not", "bool", [_less(b, self.value, item)])


def _less(b: Builder, x: Operand, y: Operand) -> Operand:
    """Compare two numbers; NaN is larger than all others."""
    less = b.let("lt", "bool", [x, y])
    if not dtypes.is_float(x.dtype):
        return less
    number, nan = b.let("eq", "bool", [x, x]), b.let("neq", "bool", [y, y])
    return b.let("logical_or", "bool", [less, b.let("logical_and", "bool", [number, nan])])

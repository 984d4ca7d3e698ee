"""Layers that merge several values into one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import Any, ClassVar

import symtheano.tensor as T
from symtheano.nn.layers.base import Layer
from symtheano.nn.values import Shape, Value, shown


@dataclass(eq=False)
class Merge(Layer):
    """Base class of layers that combine inputs of equal or broadcastable shapes by elements."""

    arity: ClassVar[int | None] = None

    keeps_steps = True

    def output_shape(self, *shapes: Shape) -> Shape:
        """Return the broadcast shape."""
        if len({len(shape) for shape in shapes}) > 1:
            raise self.error(f"shapes {self._all(shapes)} have different numbers of axes")
        lengths: list[int | None] = []
        for dims in zip(*shapes, strict=True):
            distinct = {n for n in dims if n is not None and n != 1}
            if len(distinct) > 1:
                raise self.error(f"shapes {self._all(shapes)} cannot be broadcast together")
            lengths.append(next(iter(distinct), None if None in dims else 1))
        return tuple(lengths)

    def _broadcast(self, inputs: tuple[Any, ...]) -> list[Any]:
        """Return the inputs, with axes of length 1 broadcastable where another input is longer."""
        shapes = self._built or ()
        broadcast = []
        for x, shape in zip(inputs, shapes, strict=True):
            ones = [n == 1 and any(s[k] != 1 for s in shapes) for k, n in enumerate(shape)]
            pattern = [a or b for a, b in zip(x.broadcastable, [False, *ones], strict=True)]
            broadcast.append(T.patternbroadcast(x, pattern))
        return broadcast

    def _all(self, shapes: tuple[Shape, ...]) -> str:
        return " and ".join(shown(shape) for shape in shapes)


@dataclass(eq=False)
class Add(Merge):
    """The sum of two or more values, element by element; also written ``x + y``.

    Examples
    --------
    >>> x = nn.Input((3,))
    >>> nn.Add()(x, x), x + x
    (Value(float32, (n, 3) of add), Value(float32, (n, 3) of add))
    """

    def apply(self, *inputs: Any, training: bool) -> Any:
        return reduce(T.add, self._broadcast(inputs))


@dataclass(eq=False)
class Subtract(Merge):
    """The difference of two values, the first minus the second; also written ``x - y``."""

    arity = 2

    def apply(self, *inputs: Any, training: bool) -> Any:
        return T.sub(*self._broadcast(inputs))


@dataclass(eq=False)
class Multiply(Merge):
    """The product of two or more values, element by element; also written ``x * y``."""

    def apply(self, *inputs: Any, training: bool) -> Any:
        return reduce(T.mul, self._broadcast(inputs))


@dataclass(eq=False)
class Average(Merge):
    """The mean of two or more values, element by element."""

    def apply(self, *inputs: Any, training: bool) -> Any:
        total = reduce(T.add, self._broadcast(inputs))
        return total / T.constant(len(inputs), dtype=inputs[0].dtype)


@dataclass(eq=False)
class Maximum(Merge):
    """The maximum of two or more values, element by element."""

    def apply(self, *inputs: Any, training: bool) -> Any:
        return reduce(T.maximum, self._broadcast(inputs))


@dataclass(eq=False)
class Minimum(Merge):
    """The minimum of two or more values, element by element."""

    def apply(self, *inputs: Any, training: bool) -> Any:
        return reduce(T.minimum, self._broadcast(inputs))


@dataclass(eq=False)
class Concatenate(Layer):
    """Joins two or more values along an axis.

    Parameters
    ----------
    axis
        The axis along which to join. Axis 1 is the first axis of a sample. Negative numbers count
        from the last axis, which is the default.

    Examples
    --------
    >>> nn.Concatenate()(nn.Input((3,)), nn.Input((4,)))
    Value(float32, (n, 7) of concatenate)
    """

    axis: int = -1

    arity = None
    keeps_steps = True

    def output_shape(self, *shapes: Shape) -> Shape:
        axis = self._axis(shapes)
        for shape in shapes[1:]:
            if len(shape) != len(shapes[0]) or any(
                a != b and a is not None and b is not None and k != axis
                for k, (a, b) in enumerate(zip(shapes[0], shape, strict=True))
            ):
                text = " and ".join(shown(shape) for shape in shapes)
                raise self.error(f"shapes {text} may differ only in axis {self.axis}")
        lengths = [shape[axis] for shape in shapes]
        known_lengths = [n for n in lengths if n is not None]
        total = sum(known_lengths) if len(known_lengths) == len(lengths) else None
        return (*shapes[0][:axis], total, *shapes[0][axis + 1 :])

    def apply(self, *inputs: Any, training: bool) -> Any:
        return T.concatenate(inputs, axis=self.axis)

    def _axis(self, shapes: tuple[Shape, ...]) -> int:
        axis = self.axis - 1 if self.axis > 0 else self.axis + len(shapes[0])
        if not 0 <= axis < len(shapes[0]):
            raise self.error(f"samples of shape {shown(shapes[0])} have no axis {self.axis}")
        return axis


@dataclass(eq=False)
class Dot(Layer):
    """The dot product of two values along one axis of each.

    Parameters
    ----------
    axes
        The axis of both values, or a pair with an axis of each value. Axis 1 is the first axis of a
        sample. Negative numbers count from the last axis.

    Examples
    --------
    >>> nn.Dot(1)(nn.Input((3,)), nn.Input((3,)))
    Value(float32, (n, 1) of dot)
    """

    axes: int | tuple[int, int]

    arity = 2

    def _axes(self, shapes: tuple[Shape, ...]) -> tuple[int, int]:
        pair = (self.axes, self.axes) if isinstance(self.axes, int) else tuple(self.axes)
        if len(pair) != 2:
            raise self.error(
                f"axes must be one axis for both values or a pair of axes, not {self.axes!r}"
            )
        left, right = (self.axes_of(k, s)[0] - 1 for k, s in zip(pair, shapes, strict=True))
        return left, right

    def output_shape(self, *shapes: Shape) -> Shape:
        (a, b), (left, right) = self._axes(shapes), shapes
        if left[a] is not None and right[b] is not None and left[a] != right[b]:
            raise self.error(
                f"shapes {shown(left)} and {shown(right)} have different lengths along axes "
                f"{self.axes}"
            )
        rest = (*left[:a], *left[a + 1 :], *right[:b], *right[b + 1 :])
        return rest or (1,)

    def apply(self, *inputs: Any, training: bool) -> Any:
        left, right = inputs
        a, b = self._axes(((None,) * (left.ndim - 1), (None,) * (right.ndim - 1)))
        y = T.batched_tensordot(left, right, [[a + 1], [b + 1]])
        return y.dimshuffle(0, "x") if y.ndim == 1 else y


Value.operators.update({"+": Add, "-": Subtract, "*": Multiply})

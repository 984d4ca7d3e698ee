"""What the shapes of an image, a filter and a result must satisfy, with messages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from symtheano.errors import format_error
from symtheano.graph.origin import current_origin
from symtheano.graph.variable import Apply
from symtheano.scalar import table as scalar
from symtheano.tensor.basic import constant
from symtheano.tensor.messages import label
from symtheano.tensor.nnet.convolution.windows import Border, output_length, padding, spread

Shape = Sequence[Any]
"""Lengths: ints, 0-d variables, or None where nothing is known."""


class Shapes(NamedTuple):
    """The shapes of the three arrays."""

    image: Shape
    filter: Shape
    result: Shape


class Slide(NamedTuple):
    """How filters slide over images; the attributes are those of the op."""

    border: Border
    subsample: tuple[int, ...]
    dilation: tuple[int, ...]
    groups: int
    unshared: bool

    @property
    def dims(self) -> int:
        """The number of axes of an image, without items and channels."""
        return len(self.subsample)

    def positions(self, image: Shape, kernel: Shape) -> tuple[Any, ...]:
        """Return the number of positions along each axis, from the shapes of both arrays."""
        return tuple(
            output_length(self.border, axis, i, k, self.subsample[axis], self.dilation[axis])
            for axis, (i, k) in enumerate(zip(image[2:], kernel[-self.dims :], strict=True))
        )

    def before(self, kernel: Shape) -> list[Any]:
        """Return the number of zeros before each axis of the image."""
        return [self._around(kernel, axis)[0] for axis in range(self.dims)]

    def _around(self, kernel: Shape, axis: int) -> tuple[Any, Any]:
        reach = spread(kernel[axis - self.dims], self.dilation[axis])
        return padding(self.border, axis, reach)


class Condition(NamedTuple):
    """What must be true of shapes.

    Attributes
    ----------
    holds
        A bool, if it is known, or a 0-d variable.
    values
        Integers for the message.
    form
        The message, with these values.
    equal
        The two lengths, if the condition is that they are equal.
    """

    holds: Any
    values: tuple[Any, ...]
    form: str
    equal: tuple[Any, Any] | None = None

    def message(self, node: Apply | None, operands: Sequence[Any], name: str) -> str:
        """Return the message for integer values; ``node`` is None while the graph is built."""
        places = [node.origin if node else current_origin(), *(item.origin for item in operands)]
        described = [(label(item), str(item.type)) for item in operands]
        what = f"{name}: {self.form.format(*self.values)}"
        return format_error(what, operands=described, places=places)


def conditions(at: Slide, shapes: Shapes) -> list[Condition]:
    """Return what the shapes must satisfy, but for lengths of which nothing is known."""
    image, kernel, result = shapes
    channels = kernel[-at.dims - 1]
    expected = None if channels is None else channels * at.groups
    groups = "" if at.groups == 1 else f" in each of {at.groups} groups"
    found = [
        *_equal(image[1], expected, (image[1], channels),
                f"the image has {{0}} channels, the filter {{1}}{groups}"),
        *_equal(image[0], result[0], (image[0], result[0]),
                "there are {0} images, and results for {1}"),
        *_equal(kernel[0], result[1], (kernel[0], result[1]),
                "there are {0} filters, and results of {1}"),
    ]  # fmt: skip
    if at.groups > 1 and kernel[0] is not None:
        form = f"{{0}} filters can't be divided among {at.groups} groups"
        found += _equal(kernel[0] % at.groups, 0, (kernel[0],), form)
    for axis, made in enumerate(at.positions(image, kernel)):
        if made is not None:
            found += _along(at, shapes, axis, made)
    return found


def _along(at: Slide, shapes: Shapes, axis: int, made: Any) -> list[Condition]:
    """Return the conditions along one axis of the image; ``made`` is the number of positions."""
    image, kernel, result = shapes
    i, k = image[2 + axis], kernel[axis - at.dims]
    low, high = at._around(kernel, axis)
    step, apart = at.subsample[axis], at.dilation[axis]
    reach = "{3}" if apart == 1 else f"(({{3}} - 1) * {apart} + 1)"
    sum_of = f"({{0}} + {{1}} + {{2}} - {reach}) // {step} + 1 = {{4}}"
    numbers = (i, low, high, k, made)
    formula = (
        f"along axis {axis + 2}, the result has (image + zeros before + zeros behind - filter) // "
        f"stride + 1 = {sum_of} elements"
    )
    least = made >= 0 if isinstance(made, int) else scalar.ge(made, 0)
    found = [Condition(least, numbers, f"the filter is larger than the image: {formula}")]
    if result[2 + axis] is not made:
        other = (*numbers, result[2 + axis])
        found += _equal(made, result[2 + axis], other, f"{formula}, and is given with {{5}}")
    if at.unshared:
        other = (*numbers, kernel[1 + axis])
        form = f"{formula}, and there are filters for {{5}}"
        found += _equal(made, kernel[1 + axis], other, form)
    return [item for item in found if item.holds is not True]


def _equal(left: Any, right: Any, values: tuple[Any, ...], form: str) -> list[Condition]:
    """Require two lengths to be equal, unless nothing is known of one, or they are the same."""
    if left is None or right is None or left is right:
        return []
    if isinstance(left, int) and isinstance(right, int):
        return [] if left == right else [Condition(False, values, form)]
    first = constant(left, dtype="int64") if isinstance(left, int) else left
    return [Condition(scalar.eq(first, right), values, form, (left, right))]

"""Conditions on the shapes of an image, a filter and a result, with messages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

from symtheano.errors import ShapeError, format_error
from symtheano.graph.origin import current_origin
from symtheano.graph.variable import Apply
from symtheano.scalar import table as scalar
from symtheano.tensor.basic import constant
from symtheano.tensor.messages import label
from symtheano.tensor.nnet.convolution.windows import Border, output_length, padding, spread
from symtheano.tensor.shapes.intervals import MOST_ELEMENTS, most

Role: TypeAlias = Literal["image", "filter", "result"]
Shape = Sequence[Any]
"""Lengths: ints, 0-d variables, or None where nothing is known."""

FACTORS: dict[Role, tuple[Role, Role]] = {
    "result": ("image", "filter"),
    "image": ("filter", "result"),
    "filter": ("image", "result"),
}
"""From which two of the arrays the third one is computed."""

_MOST_REACH = MOST_ELEMENTS // 4
"""Lengths of filters, with their spaces, and of images for which no sum of them overflows."""


class Shapes(NamedTuple):
    """The shapes of the three arrays."""

    image: Shape
    filter: Shape
    result: Shape

    def of(self, role: Role) -> Shape:
        """Return the shape of one of them."""
        shape: Shape = getattr(self, role)
        return shape


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

    def axes(self, role: Role) -> str:
        """Return the names of the axes of an array."""
        lengths = ("depth", "rows", "columns")[-self.dims :] if self.dims > 1 else ("length",)
        match role:
            case "image":
                return f"({', '.join(('items', 'channels', *lengths))})"
            case "result":
                return f"({', '.join(('items', 'filters', *lengths))})"
        positions = [f"{name} of the result" for name in lengths] if self.unshared else []
        channels = "channels" if self.groups == 1 else "channels of a group"
        return f"({', '.join(('filters', *positions, channels, *lengths))})"

    def positions(self, image: Shape, kernel: Shape) -> tuple[Any, ...]:
        """Return the number of positions along each axis, from the shapes of both arrays."""
        return tuple(
            output_length(self.border, axis, i, k, self.subsample[axis], self.dilation[axis])
            for axis, (i, k) in enumerate(zip(image[2:], kernel[-self.dims :], strict=True))
        )

    def before(self, kernel: Shape) -> list[Any]:
        """Return the number of zeros before each axis of the image."""
        return [self.around(kernel, axis)[0] for axis in range(self.dims)]

    def around(self, kernel: Shape, axis: int) -> tuple[Any, Any]:
        """Return the number of zeros before and behind one axis of the image."""
        reach = spread(kernel[axis - self.dims], self.dilation[axis])
        return padding(self.border, axis, reach)


class Condition(NamedTuple):
    """A condition on shapes.

    Attributes
    ----------
    holds
        A bool, if it is known, or a 0-d variable.
    form
        The first line of the message, with places for values.
    operands
        Descriptions of the two arrays and of the given lengths.
    values
        Integers for the places.
    equal
        The two lengths, if the condition is that they are equal.
    error
        The exception to raise if the condition does not hold.
    """

    holds: Any
    form: str
    operands: tuple[str, ...]
    values: tuple[Any, ...]
    equal: tuple[Any, Any] | None = None
    error: type[Exception] = ShapeError

    def message(
        self,
        node: Apply | None,
        arrays: Sequence[Any],
        name: str,
        values: Sequence[int] | None = None,
    ) -> str:
        """Return the message for integer values; ``node`` is None while the graph is built."""
        values = self.values if values is None else values
        places = [node.origin if node else current_origin()]
        places += [_undeclared(item).origin for item in arrays]
        said = [text.format(*values) for text in self.operands]
        described = [
            (label(item), f"{item.type}, {text}") for item, text in zip(arrays, said, strict=False)
        ]
        described += [("lengths", text) for text in said[len(arrays) :]]
        what = f"{name}: {self.form.format(*values)}"
        return format_error(what, operands=described, places=places)


def _undeclared(array: Any) -> Any:
    """Return the array of which one is a view, so that messages show the line that made it."""
    while array.owner is not None and array.owner.op.lowering.axis_map(array.owner) is not None:
        array = array.owner.inputs[0]
    return array


class Numbers:
    """The numbers of a message: those of a call get places, known ones are written down."""

    def __init__(self) -> None:
        self.values: list[Any] = []

    def __call__(self, value: Any) -> str:
        if value is None or isinstance(value, int):
            return "?" if value is None else str(value)
        number = next((k for k, item in enumerate(self.values) if item is value), None)
        if number is None:
            number = len(self.values)
            self.values.append(value)
        return f"{{{number}}}"

    def tuple(self, shape: Shape) -> str:
        """Return the text of a shape."""
        return f"({', '.join(map(self, shape))}{',' * (len(shape) == 1)})"


class _Fit:
    """The conditions on the shapes of one convolution."""

    def __init__(self, at: Slide, shapes: Shapes, wanted: Role) -> None:
        self.at, self.shapes, self.wanted = at, shapes, wanted
        self.conditions: list[Condition] = []

    def require(
        self,
        holds: Any,
        form: str,
        *values: Any,
        equal: Any = None,
        error: type[Exception] = ShapeError,
    ) -> None:
        """Add a condition, unless it is known to hold; ``form`` has places for values."""
        if holds is True:
            return
        number = Numbers()
        first, second = FACTORS[self.wanted]
        said = [f"{role} of shape {number.tuple(self.shapes.of(role))}" for role in (first, second)]
        if self.wanted != "result":
            lengths = self.shapes.of(self.wanted)[-self.at.dims :]
            said.append(f"{number.tuple(lengths)}, of the {self.wanted}")
        text = form.format(*map(number, values))
        self.conditions.append(
            Condition(holds, text, tuple(said), tuple(number.values), equal, error)
        )

    def require_equal(self, left: Any, right: Any, form: str, *values: Any) -> None:
        """Add that two lengths are equal, unless nothing is known of one, or they are the same."""
        if left is None or right is None or left is right:
            return
        if isinstance(left, int) and isinstance(right, int):
            self.require(left == right, form, *values)
            return
        first = constant(left, dtype="int64") if isinstance(left, int) else left
        self.require(scalar.eq(first, right), form, *values, equal=(left, right))

    def require_least(self, length: Any, least: int, form: str, *values: Any) -> None:
        """Add that a length is not less than a number, unless nothing is known of it."""
        if length is not None:
            holds = length >= least if isinstance(length, int) else scalar.ge(length, least)
            self.require(holds, form, *values)

    def require_most(self, length: Any, limit: int, form: str) -> None:
        """Add that a length is so small that nothing overflows, unless it surely is."""
        if length is None or most(length) <= limit:
            return
        holds = length <= limit if isinstance(length, int) else scalar.le(length, limit)
        self.require(holds, form, length, error=MemoryError)

    def overflows(self, axis: int) -> None:
        """The lengths along an axis can be added and multiplied."""
        i, k = self.shapes.image[2 + axis], self.shapes.filter[axis - self.at.dims]
        apart, where = self.at.dilation[axis], f"along axis {axis + 2}"
        border = self.at.border if isinstance(self.at.border, str) else self.at.border[axis]
        if self.wanted == "filter" or apart > 1 or isinstance(border, str):
            form = f"a filter of {{}} elements {where}, {apart} apart, is too large"
            self.require_most(k, _MOST_REACH // apart, form)
        if self.wanted == "image":
            self.require_most(i, _MOST_REACH, f"an image of {{}} elements {where} is too large")

    def channels(self) -> None:
        """Items, channels and filters are as many in all arrays."""
        (image, kernel, result), groups = self.shapes, self.at.groups
        channels = kernel[-self.at.dims - 1]
        expected = None if channels is None else channels * groups
        each = "" if groups == 1 else f" in each of {groups} groups"
        self.require_equal(
            image[1], expected, f"the image has {{}} channels, the filter {{}}{each}",
            image[1], channels,
        )  # fmt: skip
        for left, right, form in (
            (image[0], result[0], "there are {} images, and results for {}"),
            (kernel[0], result[1], "there are {} filters, and results of {}"),
        ):
            self.require_equal(left, right, form, left, right)
        if groups > 1:
            split = [("filters", kernel[0])]
            split += [("channels", image[1])] if self.wanted == "filter" else []
            for what, count in split:
                if count is not None:
                    form = f"{{}} {what} can't be divided among {groups} groups"
                    self.require_equal(count % groups, 0, form, count)

    def along(self, axis: int, positions: Any) -> None:
        """The filter fits into the image; ``positions`` is their number."""
        image, kernel, result = self.shapes
        i, k = image[2 + axis], kernel[axis - self.at.dims]
        where = f"along axis {axis + 2}"
        self.require_least(k, 1, f"the filter has {{}} elements {where}", k)
        if self.wanted == "image":
            self.require_least(i, 0, f"the image has {{}} elements {where}", i)
        self.overflows(axis)
        if positions is None:
            return
        formula, numbers = self.formula(axis), (i, *self.at.around(kernel, axis), k, positions)
        form = f"the filter is larger than the image {where}: the result would have {formula}"
        self.require_least(positions, 1, f"{form} elements", *numbers)
        form = f"{where}, the result of this image has {formula} elements, and {{}} are given"
        if result[2 + axis] is not positions:
            self.require_equal(positions, result[2 + axis], form, *numbers, result[2 + axis])
        if self.at.unshared:
            there = kernel[1 + axis]
            form = f"{where}, the result has {formula} elements, and there are filters for {{}}"
            self.require_equal(positions, there, form, *numbers, there)

    def formula(self, axis: int) -> str:
        """Return the formula of a length in words and numbers."""
        step, apart = self.at.subsample[axis], self.at.dilation[axis]
        words, numbers = ("filter", "{}") if apart == 1 else (
            "(filter - 1) * dilation - 1", f"({{}} - 1) * {apart} - 1"
        )  # fmt: skip
        return (
            f"(image + zeros before + zeros after - {words}) // stride + 1 = "
            f"({{}} + {{}} + {{}} - {numbers}) // {step} + 1 = {{}}"
        )


def conditions(at: Slide, shapes: Shapes, wanted: Role) -> list[Condition]:
    """Return the conditions on the shapes, without those on unknown lengths."""
    fit = _Fit(at, shapes, wanted)
    fit.channels()
    for axis, positions in enumerate(at.positions(shapes.image, shapes.filter)):
        fit.along(axis, positions)
    return fit.conditions

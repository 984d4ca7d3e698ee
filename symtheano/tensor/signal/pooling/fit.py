"""Conditions on the shapes of images and results, with messages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symtheano.scalar import table as scalar
from symtheano.tensor.basic import constant
from symtheano.tensor.nnet.convolution.fit import Condition, Numbers
from symtheano.tensor.signal.pooling.windows import Windows

Shape = Sequence[Any]


def conditions(
    at: Windows, image: Shape, arrays: Sequence[tuple[str, Shape, bool]]
) -> list[Condition]:
    """Return the conditions on the shapes, without those on unknown lengths.

    Parameters
    ----------
    at
        The windows.
    image
        The shape of images.
    arrays
        For each array its name, its shape, and whether it is as large as the results; else it is as
        large as the images.
    """
    checks: list[Condition] = []

    def require(holds: Any, form: str, *values: Any, equal: Any = None) -> None:
        if holds is not True:
            number = Numbers()
            said = tuple(f"{name} of shape {number.tuple(shape)}" for name, shape, _ in arrays)
            text = form.format(*map(number, values))
            checks.append(Condition(holds, text, said, tuple(number.values), equal))

    front = len(image) - at.dims
    for axis, length in enumerate(image[front:]):
        if length is not None and at.is_empty(axis):
            holds = length >= 1 if isinstance(length, int) else scalar.ge(length, 1)
            require(holds, f"axis {front + axis} of the image has no elements")
    result_shape = at.lengths(image)
    for name, shape, is_result in arrays:
        for axis, (there, needed) in enumerate(zip(shape, result_shape if is_result else image,
                                                   strict=True)):  # fmt: skip
            if there is None or needed is None or there is needed:
                continue
            form = f"axis {axis} of the {name} has {{}} elements, and {{}} are needed"
            if is_result and axis >= front:
                form += f": {at.formula(axis - front)}, for an image with {{}}"
            values = (there, needed, image[axis])
            if isinstance(there, int) and isinstance(needed, int):
                require(there == needed, form, *values)
            else:
                left = constant(there, dtype="int64") if isinstance(there, int) else there
                require(scalar.eq(left, needed), form, *values, equal=(there, needed))
    return checks

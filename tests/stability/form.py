"""What a numerically delicate form is, and the arguments at which many of them are hard.

A form is a function of a namespace ``m`` (NumPy's names for functions) and its operands, so that
the same text is computed by the package, by NumPy, by JAX and, in many digits, by mpmath. This
module imports none of them.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tests.stability.losses import LOSSES

EPS = 2.0**-20
"""What people add or clip by; it and its complement are floats of both precisions."""

Points = Sequence[tuple[Any, ...]]


@dataclass(frozen=True)
class Form:
    """One form.

    Attributes
    ----------
    name, text
        What it is, and how it is written.
    make
        Returns the form, given the namespace and the operands.
    points
        Operands to try: tuples of numbers, or of rows of equal lengths for forms of rows.
    range
        What the points are, in words.
    rows
        Whether the operands are rows, over which the form reduces.
    within
        Error allowed in units in the last place; more than 16 is a loss that the page lists.
    gradient
        The same for the gradients.
    reason
        Why a form is allowed more than 16 units.
    """

    name: str
    text: str
    make: Callable[..., Any]
    points: Points
    range: str
    rows: bool = False
    within: float = 16
    gradient: float = 16
    reason: str = ""


FORMS: list[Form] = []


def form(
    text: str, make: Callable[..., Any], points: Sequence[Any], range: str, rows: bool = False
) -> None:
    """Add a form; single operands need no tuples.

    Nothing happens if it is known: pytest may import a module of forms under a second name.
    """
    if any(known.text == text for known in FORMS):
        return
    tuples = [point if isinstance(point, tuple) else (point,) for point in points]
    tuples = [tuple(single(item) for item in point) for point in tuples]
    within, gradient, reason = LOSSES.get(text, (16, 16, ""))
    FORMS.append(Form(text, text, make, tuples, range, rows, within, gradient, reason))


def single(number: Any) -> Any:
    """Return the nearest float of single precision, if there is one: both have one reference."""
    if isinstance(number, list):
        return [single(item) for item in number]
    if not 1e-37 < abs(number) < 1e38:
        return number
    return struct.unpack("f", struct.pack("f", number))[0]


def signed(*numbers: float) -> list[float]:
    """Return numbers with both signs."""
    return [sign * number for number in numbers for sign in (1.0, -1.0)]


NEAR = signed(1e-300, 1e-30, 1e-17, 1e-9, 1e-5, 0.01)
MIDDLE = signed(0.3, 1.0, 2.5, 7.0)
FAR = signed(20.0, 36.8, 40.0, 88.0, 95.0, 300.0, 708.0, 745.0, 1500.0)
EVERYWHERE = [*NEAR, *MIDDLE, *FAR]
BELOW_ZERO = [x for x in EVERYWHERE if x < 0]
ABOVE_ZERO = [x for x in EVERYWHERE if x > 0]
MAGNITUDES = [1e-300, 1e-200, 1e-160, 1e-25, 1e-3, 0.7, 3.0, 1e5, 1e25, 1e160, 1e200, 1e300]
PROBABILITIES = [1e-300, 1e-30, 1e-9, 0.01, 0.3, 0.5, 0.7, 0.99, 1 - 2.0**-20, 1 - 2.0**-24]
PAIRS = [
    (0.0, 0.5), (1.0, -2.0), (50.0, 49.0), (800.0, 799.5), (-800.0, -801.0), (1500.0, -1500.0),
    (3.0, 900.0), (-1e3, 2.0), (1e-9, -1e-9),
]  # fmt: skip
EVERY = "1e-300 to 1500, both signs"

"""Numerically delicate forms as people write them, and the arguments at which they are hard.

A form is a function of a namespace ``m`` (NumPy's names for functions) and its operands, so that
the same text is computed by the package, by NumPy, by JAX and, in many digits, by mpmath. This
module imports none of them.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

FINITE = 1e300
"""For forms that lose digits, but are finite where the truth is."""
UNBOUNDED = float("inf")
"""For forms that may be infinite or NaN where the truth is not."""

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
        The same for the gradients; None where they are not compared.
    """

    name: str
    text: str
    make: Callable[..., Any]
    points: Points
    range: str
    rows: bool = False
    within: float = 16
    gradient: float | None = 16


FORMS: list[Form] = []


def form(
    text: str, make: Callable[..., Any], points: Sequence[Any], range: str, **options: Any
) -> None:
    """Add a form; single operands need no tuples."""
    tuples = [point if isinstance(point, tuple) else (point,) for point in points]
    tuples = [tuple(single(item) for item in point) for point in tuples]
    FORMS.append(Form(text, text, make, tuples, range, **options))


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
ROWS = [
    [0.5, -1.0, 2.0, 0.25], [1000.0, 1001.0, 999.5, 990.0], [-1000.0, -1001.0, -1002.5, -1003.0],
    [1500.0, -1500.0, 0.0, 5.0], [-90.0, -95.0, -89.0, -100.0], [90.0, 95.0, 89.0, 70.0],
    [700.0, 1.0, 710.0, 709.0], [3.0, 3.5, 3.25, 3.125],
]  # fmt: skip
EVERY = "1e-300 to 1500, both signs"

# -- exponentials and logarithms of sums ----------------------------------------------------------

form("log(1 + x)", lambda m, x: m.log(1 + x), [*NEAR, 0.3, -0.3, 5.0, 1e10, -0.99], "near zero")
form("log(1 - x)", lambda m, x: m.log(1 - x), [*NEAR, 0.3, -0.3, -5.0, -1e10], "near zero")
form("log(x + 1) / x", lambda m, x: m.log(x + 1) / x, [*NEAR[2:], 0.3, -0.3, 5.0], "near zero",
     gradient=None)  # fmt: skip
form("exp(x) - 1", lambda m, x: m.exp(x) - 1, EVERYWHERE, EVERY)
form("1 - exp(-x)", lambda m, x: 1 - m.exp(-x), EVERYWHERE, EVERY)
form("exp(-x) - 1", lambda m, x: m.exp(-x) - 1, EVERYWHERE, EVERY)
form("(exp(x) - 1) / x", lambda m, x: (m.exp(x) - 1) / x, EVERYWHERE, EVERY, gradient=None)
form("x / (exp(x) - 1)", lambda m, x: x / (m.exp(x) - 1), EVERYWHERE, EVERY, gradient=None)
form("exp(a) - exp(b)", lambda m, a, b: m.exp(a) - m.exp(b),
     [(1.0, 0.5), (-3.0, -5.0), (10.0, 2.0)], "apart")  # fmt: skip
form("log(exp(x) - 1)", lambda m, x: m.log(m.exp(x) - 1), ABOVE_ZERO, "above zero")
form("log(1 - exp(x))", lambda m, x: m.log(1 - m.exp(x)), BELOW_ZERO, "below zero")
form("log(1 - exp(-x))", lambda m, x: m.log(1 - m.exp(-x)), ABOVE_ZERO, "above zero")
form("log(1 + exp(x))", lambda m, x: m.log(1 + m.exp(x)), EVERYWHERE, EVERY)
form("log(1 + exp(-x))", lambda m, x: m.log(1 + m.exp(-x)), EVERYWHERE, EVERY)
form("log(exp(x) + 1) - x", lambda m, x: m.log(m.exp(x) + 1) - x, EVERYWHERE, EVERY)
form("x + log(1 + exp(-x))", lambda m, x: x + m.log(1 + m.exp(-x)), EVERYWHERE, EVERY)
form("maximum(x, 0) + log(1 + exp(-abs(x)))",
     lambda m, x: m.maximum(x, 0) + m.log(1 + m.exp(-abs(x))), EVERYWHERE, EVERY)  # fmt: skip
form("log(exp(a) + exp(b))", lambda m, a, b: m.log(m.exp(a) + m.exp(b)), PAIRS, "to 1500")
form("log(exp(a) - exp(b))", lambda m, a, b: m.log(m.exp(a) - m.exp(b)),
     [(a, b) for a, b in PAIRS if a > b], "to 1500")  # fmt: skip
form("a + log(1 - exp(b - a))", lambda m, a, b: a + m.log(1 - m.exp(b - a)),
     [(a, b) for a, b in PAIRS if a > b], "to 1500")  # fmt: skip
form("log(p*exp(a) + (1 - p)*exp(b))",
     lambda m, p, a, b: m.log(p * m.exp(a) + (1 - p) * m.exp(b)),
     [(0.25, a, b) for a, b in PAIRS], "to 1500", within=1e9, gradient=1e7)  # fmt: skip
form("log(exp(x) + exp(-x))", lambda m, x: m.log(m.exp(x) + m.exp(-x)), EVERYWHERE, EVERY)

# -- sigmoid, tanh and hyperbolic functions --------------------------------------------------------

form("1 / (1 + exp(-x))", lambda m, x: 1 / (1 + m.exp(-x)), EVERYWHERE, EVERY)
form("1 / (1 + exp(x))", lambda m, x: 1 / (1 + m.exp(x)), EVERYWHERE, EVERY)
form("exp(x) / (1 + exp(x))", lambda m, x: m.exp(x) / (1 + m.exp(x)), EVERYWHERE, EVERY)
form("exp(-x) / (1 + exp(-x))", lambda m, x: m.exp(-x) / (1 + m.exp(-x)), EVERYWHERE, EVERY)
form("exp(-x) / (1 + exp(-x))**2", lambda m, x: m.exp(-x) / (1 + m.exp(-x)) ** 2,
     EVERYWHERE, EVERY, gradient=None)  # fmt: skip
form("exp(a) / (exp(a) + exp(b))", lambda m, a, b: m.exp(a) / (m.exp(a) + m.exp(b)),
     PAIRS, "to 1500")  # fmt: skip
form("sigmoid(x) * (1 - sigmoid(x))", lambda m, x: m.sigmoid(x) * (1 - m.sigmoid(x)),
     EVERYWHERE, EVERY, gradient=None)  # fmt: skip
form("1 - sigmoid(x)", lambda m, x: 1 - m.sigmoid(x), EVERYWHERE, EVERY)
form("log(sigmoid(x))", lambda m, x: m.log(m.sigmoid(x)), EVERYWHERE, EVERY)
form("log(1 - sigmoid(x))", lambda m, x: m.log(1 - m.sigmoid(x)), EVERYWHERE, EVERY)
form("log(1 / (1 + exp(-x)))", lambda m, x: m.log(1 / (1 + m.exp(-x))), EVERYWHERE, EVERY)
form("-log(1 + exp(-x))", lambda m, x: -m.log(1 + m.exp(-x)), EVERYWHERE, EVERY)
form("log(exp(x) / (1 + exp(x)))", lambda m, x: m.log(m.exp(x) / (1 + m.exp(x))),
     EVERYWHERE, EVERY)  # fmt: skip
form(
    "log(sigmoid(x)) - log(1 - sigmoid(x))",
    lambda m, x: m.log(m.sigmoid(x)) - m.log(1 - m.sigmoid(x)),
    MIDDLE + FAR,
    "0.3 to 1500",
)
form("1 - tanh(x)**2", lambda m, x: 1 - m.tanh(x) ** 2, EVERYWHERE, EVERY, gradient=None)
form("1 - tanh(x)", lambda m, x: 1 - m.tanh(x), EVERYWHERE, EVERY, gradient=None)
form("tanh written out", lambda m, x: (m.exp(x) - m.exp(-x)) / (m.exp(x) + m.exp(-x)),
     EVERYWHERE, EVERY, gradient=FINITE)  # fmt: skip
form("(1 - exp(-2x)) / (1 + exp(-2x))",
     lambda m, x: (1 - m.exp(-2 * x)) / (1 + m.exp(-2 * x)), EVERYWHERE, EVERY,
     gradient=FINITE)  # fmt: skip
form("2 * sigmoid(2x) - 1", lambda m, x: 2 * m.sigmoid(2 * x) - 1, EVERYWHERE, EVERY)
form("log(cosh(x))", lambda m, x: m.log(m.cosh(x)), EVERYWHERE, EVERY)
form("log(sinh(x))", lambda m, x: m.log(m.sinh(x)), ABOVE_ZERO, "above zero")
form("(exp(x) - exp(-x)) / 2", lambda m, x: (m.exp(x) - m.exp(-x)) / 2, EVERYWHERE, EVERY)
form("cosh(x) - 1", lambda m, x: m.cosh(x) - 1, EVERYWHERE, EVERY)
form("1 - cos(x)", lambda m, x: 1 - m.cos(x), [*NEAR, *MIDDLE], "1e-300 to 7")
form("(1 - cos(x)) / x**2", lambda m, x: (1 - m.cos(x)) / x**2,
     [x for x in [*NEAR, *MIDDLE] if abs(x) > 1e-18], "1e-18 to 7", gradient=None)  # fmt: skip
form("sin(x) / x", lambda m, x: m.sin(x) / x, [*NEAR, *MIDDLE], "1e-300 to 7", gradient=None)

# -- powers and roots ------------------------------------------------------------------------------

form("log(x**2)", lambda m, x: m.log(x**2), signed(*MAGNITUDES), "1e-300 to 1e300")
form("log(x * x)", lambda m, x: m.log(x * x), signed(*MAGNITUDES), "1e-300 to 1e300")
form("log(x**3)", lambda m, x: m.log(x**3), MAGNITUDES, "1e-300 to 1e300")
form("log(sqrt(x))", lambda m, x: m.log(m.sqrt(x)), MAGNITUDES, "1e-300 to 1e300")
form("log(1 / x)", lambda m, x: m.log(1 / x), MAGNITUDES, "1e-300 to 1e300")
form("log(a / b)", lambda m, a, b: m.log(a / b),
     [(1e-300, 1e300), (1e300, 1e-300), (2.0, 3.0), (1e-30, 1e30), (1e25, 1e-25)],
     "1e-300 to 1e300", within=UNBOUNDED, gradient=UNBOUNDED)  # fmt: skip
form("log(a * b)", lambda m, a, b: m.log(a * b),
     [(1e-300, 1e-300), (1e300, 1e300), (2.0, 3.0), (1e-30, 1e-30), (1e25, 1e25)],
     "1e-300 to 1e300", within=UNBOUNDED, gradient=UNBOUNDED)  # fmt: skip
form("sqrt(x**2)", lambda m, x: m.sqrt(x**2), signed(*MAGNITUDES), "1e-300 to 1e300")
form("sqrt(x)**2", lambda m, x: m.sqrt(x) ** 2, MAGNITUDES, "1e-300 to 1e300")
form("sqrt(a**2 + b**2)", lambda m, a, b: m.sqrt(a**2 + b**2),
     [(x, 0.7 * x) for x in MAGNITUDES] + [(1e200, 1.0), (1e-200, 3e-201), (1e25, 1e24)],
     "1e-300 to 1e300")  # fmt: skip
form("sqrt(1 + x**2)", lambda m, x: m.sqrt(1 + x**2), signed(*MAGNITUDES), "1e-300 to 1e300")
form("sqrt(1 + x**2) - 1", lambda m, x: m.sqrt(1 + x**2) - 1, signed(*MAGNITUDES),
     "1e-300 to 1e300")  # fmt: skip
form("sqrt(1 + x) - 1", lambda m, x: m.sqrt(1 + x) - 1, [*NEAR, 0.3, 3.0, 1e10], "near zero")
form("sqrt(x + 1) - sqrt(x)", lambda m, x: m.sqrt(x + 1) - m.sqrt(x),
     [1e-9, 0.5, 3.0, 1e5, 1e10, 1e15, 1e25], "to 1e25", gradient=FINITE)  # fmt: skip
form("log(x + sqrt(x**2 + 1))", lambda m, x: m.log(x + m.sqrt(x**2 + 1)), signed(*MAGNITUDES),
     "1e-300 to 1e300", gradient=UNBOUNDED)  # fmt: skip
form("log((1 + x) / (1 - x)) / 2", lambda m, x: m.log((1 + x) / (1 - x)) / 2,
     [*NEAR, 0.3, -0.3, 0.99], "near zero")  # fmt: skip
form("1 / (1 + x**2)", lambda m, x: 1 / (1 + x**2), signed(*MAGNITUDES), "1e-300 to 1e300")
form("x / sqrt(1 + x**2)", lambda m, x: x / m.sqrt(1 + x**2), signed(*MAGNITUDES),
     "1e-300 to 1e300", gradient=None)  # fmt: skip
form(
    "log(1 + x**2)",
    lambda m, x: m.log(1 + x**2),
    signed(*MAGNITUDES),
    "1e-300 to 1e300",
    within=UNBOUNDED,
    gradient=FINITE,
)
form("a / (a + b)", lambda m, a, b: a / (a + b),
     [(1e-300, 2e-300), (1e300, 5e299), (2.0, 3.0), (1e-30, 1.0), (1e25, 3e25)],
     "1e-300 to 1e300", gradient=None)  # fmt: skip

# -- probabilities ---------------------------------------------------------------------------------

form("log(p / (1 - p))", lambda m, p: m.log(p / (1 - p)), [p for p in PROBABILITIES if p != 0.5],
     "1e-300 to 1 - 2**-24")  # fmt: skip
form("log(p) - log(1 - p)", lambda m, p: m.log(p) - m.log(1 - p),
     [p for p in PROBABILITIES if p != 0.5], "1e-300 to 1 - 2**-24")  # fmt: skip
form("x * log(x)", lambda m, x: x * m.log(x), PROBABILITIES, "1e-300 to 1", gradient=None)
form("-p*log(p) - (1 - p)*log(1 - p)", lambda m, p: -p * m.log(p) - (1 - p) * m.log(1 - p),
     PROBABILITIES, "1e-300 to 1", gradient=None)  # fmt: skip
form("binary cross-entropy of a sigmoid",
     lambda m, t, x: -(t * m.log(m.sigmoid(x)) + (1 - t) * m.log(1 - m.sigmoid(x))),
     [(t, x) for t in (0.0, 1.0) for x in EVERYWHERE], EVERY, gradient=FINITE)  # fmt: skip
form("the same, soft labels",
     lambda m, t, x: -(t * m.log(m.sigmoid(x)) + (1 - t) * m.log(1 - m.sigmoid(x))),
     [(0.25, x) for x in EVERYWHERE], EVERY)  # fmt: skip
form("the same, sigmoid written out",
     lambda m, t, x: -(
         t * m.log(1 / (1 + m.exp(-x))) + (1 - t) * m.log(1 - 1 / (1 + m.exp(-x)))
     ),
     [(t, x) for t in (0.0, 1.0) for x in EVERYWHERE], EVERY)  # fmt: skip
form("GAN loss: -log(D) - log(1 - D')",
     lambda m, a, b: -m.log(m.sigmoid(a)) - m.log(1 - m.sigmoid(b)), PAIRS, "to 1500")  # fmt: skip
form("logistic loss log(1 + exp(-t*x))", lambda m, t, x: m.log(1 + m.exp(-t * x)),
     [(t, x) for t in (-1.0, 1.0) for x in EVERYWHERE], EVERY)  # fmt: skip
form("swish x / (1 + exp(-x))", lambda m, x: x / (1 + m.exp(-x)), EVERYWHERE, EVERY, gradient=None)
form("mish x * tanh(log(1 + exp(x)))", lambda m, x: x * m.tanh(m.log(1 + m.exp(x))),
     EVERYWHERE, EVERY, gradient=None)  # fmt: skip

# -- special functions -----------------------------------------------------------------------------

TAIL = [-40.0, -30.0, -10.0, -5.0, -1.0, -1e-9, 0.5, 3.0, 5.0, 9.0, 15.0, 27.0, 30.0, 40.0, 1e5]
form("1 - erf(x)", lambda m, x: 1 - m.erf(x), TAIL, "to 1e5")
form("1 + erf(x)", lambda m, x: 1 + m.erf(x), TAIL, "to 1e5")
form("log(erfc(x))", lambda m, x: m.log(m.erfc(x)), TAIL, "to 1e5")
form("log(0.5 * erfc(-x / sqrt(2)))", lambda m, x: m.log(0.5 * m.erfc(-x / m.sqrt(m.two))),
     TAIL, "to 1e5", within=400, gradient=1000)  # fmt: skip
form("log(0.5 * (1 + erf(x / sqrt(2))))",
     lambda m, x: m.log(0.5 * (1 + m.erf(x / m.sqrt(m.two)))), TAIL, "to 1e5", within=400,
     gradient=1000)  # fmt: skip
form("exp(x**2) * erfc(x)", lambda m, x: m.exp(x**2) * m.erfc(x),
     [x for x in TAIL if x > -6], "to 1e5", gradient=None)  # fmt: skip
form("log(gamma(x))", lambda m, x: m.log(m.gamma(x)), [1e-9, 0.3, 1.7, 5.0, 40.0, 180.0, 1e5],
     "1e-9 to 1e5")  # fmt: skip
form("Poisson: k*log(r) - r - gammaln(k + 1)",
     lambda m, k, r: k * m.log(r) - r - m.gammaln(k + 1),
     [(0.0, 1e-9), (3.0, 2.5), (20.0, 900.0), (1.0, 1e5)], "to 1e5")  # fmt: skip
form("Poisson of a log rate: k*x - exp(x) - gammaln(k + 1)",
     lambda m, k, x: k * x - m.exp(x) - m.gammaln(k + 1),
     [(0.0, -30.0), (3.0, 0.5), (20.0, 7.0), (1.0, -700.0)], "to 700")  # fmt: skip

# -- rows ------------------------------------------------------------------------------------------


def total(x: Any) -> Any:
    """Return the sum over a row."""
    return x.sum(axis=1)


def kept(x: Any) -> Any:
    """Return the sum over a row, whose axis is kept."""
    return x.sum(axis=1, keepdims=True)


def top(x: Any) -> Any:
    """Return the largest of a row, whose axis is kept."""
    return x.max(axis=1, keepdims=True)


def guarded(m: Any, x: Any) -> Any:
    """Return the largest of a row, 0 where it is infinite."""
    largest = top(x)
    return m.where(m.isinf(largest), 0 * largest, largest)


def first(x: Any) -> Any:
    """Return the first of each row."""
    return x[:, 0]


TO = "rows to 1500"
form("log(exp(x).sum())", lambda m, x: m.log(total(m.exp(x))), ROWS, TO, rows=True)
form("log(exp(x).mean())", lambda m, x: m.log(m.exp(x).mean(axis=1)), ROWS, TO, rows=True)
form("log(exp(x).sum(keepdims=True))", lambda m, x: first(m.log(kept(m.exp(x)))), ROWS, TO,
     rows=True)  # fmt: skip
form("log(exp(-x).sum())", lambda m, x: m.log(total(m.exp(-x))), ROWS, TO, rows=True)
form("-log(exp(-3 * x).mean()) / 3", lambda m, x: -m.log(m.exp(-3 * x).mean(axis=1)) / 3, ROWS, TO,
     rows=True)  # fmt: skip
form("the maximum subtracted: m + log(exp(x - m).sum())",
     lambda m, x: first(top(x)) + m.log(total(m.exp(x - top(x)))), ROWS, TO, rows=True)  # fmt: skip
form("the same, guarded against infinity",
     lambda m, x: first(guarded(m, x)) + m.log(total(m.exp(x - guarded(m, x)))),
     ROWS, TO, rows=True)  # fmt: skip
form("exp(x) / exp(x).sum()", lambda m, x: first(m.exp(x) / kept(m.exp(x))), ROWS, TO, rows=True)
form("exp(-x) / exp(-x).sum()", lambda m, x: first(m.exp(-x) / kept(m.exp(-x))), ROWS, TO,
     rows=True)  # fmt: skip
form(
    "softmax, the maximum subtracted",
    lambda m, x: first(m.exp(x - top(x)) / kept(m.exp(x - top(x)))),
    ROWS,
    TO,
    rows=True,
)
form("log(exp(x) / exp(x).sum())", lambda m, x: first(m.log(m.exp(x) / kept(m.exp(x)))), ROWS, TO,
     rows=True)  # fmt: skip
form("-log(exp(x) / exp(x).sum()) . t",
     lambda m, x: -total(m.log(m.exp(x) / kept(m.exp(x))) * m.array([0.0, 1.0, 0.0, 0.0])),
     ROWS, TO, rows=True, within=100, gradient=100)  # fmt: skip
form("x - log(exp(x).sum())", lambda m, x: first(x - m.log(kept(m.exp(x)))), ROWS, TO, rows=True)
form("-log(exp(x[0]) / exp(x).sum())",
     lambda m, x: -m.log(m.exp(first(x)) / total(m.exp(x))), ROWS, TO, rows=True,
     within=1000)  # fmt: skip
form("log(softmax(x))", lambda m, x: first(m.log(m.softmax(x))), ROWS, TO, rows=True)
form("softmax cross-entropy, soft labels",
     lambda m, x: -total(m.array([0.1, 0.2, 0.3, 0.4]) * m.log(m.softmax(x))), ROWS, TO,
     rows=True)  # fmt: skip
form("entropy of a softmax", lambda m, x: -total(m.softmax(x) * m.log(m.softmax(x))),
     ROWS, TO, rows=True, gradient=None, within=32)  # fmt: skip
form(
    "KL written out: (p * log(p / q)).sum()",
    lambda m, x, y: total(m.softmax(x) * m.log(m.softmax(x) / m.softmax(y))),
    [(ROWS[0], ROWS[7]), (ROWS[0], ROWS[1]), (ROWS[1], ROWS[0])],
    TO,
    rows=True,
    gradient=None,
)
form("mixture: log((w * exp(x)).sum())",
     lambda m, x: m.log(total(m.array([0.1, 0.2, 0.3, 0.4]) * m.exp(x))), ROWS, TO,
     rows=True)  # fmt: skip
form("Gaussian mixture: log((w * exp(-(x - mu)**2 / 2)).sum())",
     lambda m, x: m.log(
         total(m.array([0.1, 0.2, 0.3, 0.4])
               * m.exp(-((x - m.array([0.0, 1.0, -1.0, 3.0])) ** 2) / 2))
     ),
     ROWS[:5], TO, rows=True, gradient=None)  # fmt: skip
LENGTHS = [
    [3.0 * s, -4.0 * s, 12.0 * s, 1.0 * s]
    for s in (1.0, 1e-200, 1e-160, 1e160, 1e200, 1e-300, 1e300, 1e-30, 1e30)
]
SIZES = "rows from 1e-300 to 1e300"
form("sqrt((x**2).sum())", lambda m, x: m.sqrt(total(x**2)), LENGTHS, SIZES, rows=True)
form("x / sqrt((x**2).sum())", lambda m, x: first(x / m.sqrt(kept(x**2))), LENGTHS, SIZES,
     rows=True, gradient=None)  # fmt: skip
form(
    "log((x**2).sum())",
    lambda m, x: m.log(total(x**2)),
    LENGTHS,
    SIZES,
    rows=True,
    gradient=UNBOUNDED,
)
form("cosine: (a*b).sum() / (|a| |b|)",
     lambda m, a, b: total(a * b) / (m.sqrt(total(a**2)) * m.sqrt(total(b**2))),
     [(row, LENGTHS[0][::-1]) for row in LENGTHS], SIZES, rows=True, gradient=None)  # fmt: skip
form("log(x.prod())", lambda m, x: m.log(x.prod(axis=1)),
     [[1e-200, 1e-200, 2.0, 3.0], [1e200, 1e200, 2.0, 3.0], [0.5, 0.25, 2.5, 4.0],
      [1e30, 1e30, 1.0, 2.0]], "1e-200 to 1e200", rows=True, gradient=UNBOUNDED)  # fmt: skip

"""Exponentials, hyperbolic functions, powers and roots as people write them."""

from __future__ import annotations

from tests.stability.form import (
    ABOVE_ZERO,
    BELOW_ZERO,
    EVERY,
    EVERYWHERE,
    FAR,
    MAGNITUDES,
    MIDDLE,
    NEAR,
    PAIRS,
    form,
    signed,
)

# -- exponentials and logarithms of sums ----------------------------------------------------------

form("log(1 + x)", lambda m, x: m.log(1 + x), [*NEAR, 0.3, -0.3, 5.0, 1e10, -0.99], "near zero")
form("log(1 - x)", lambda m, x: m.log(1 - x), [*NEAR, 0.3, -0.3, -5.0, -1e10], "near zero")
form("log(x + 1) / x", lambda m, x: m.log(x + 1) / x, [*NEAR[2:], 0.3, -0.3, 5.0],
     "near zero")  # fmt: skip
form("exp(x) - 1", lambda m, x: m.exp(x) - 1, EVERYWHERE, EVERY)
form("1 - exp(-x)", lambda m, x: 1 - m.exp(-x), EVERYWHERE, EVERY)
form("exp(-x) - 1", lambda m, x: m.exp(-x) - 1, EVERYWHERE, EVERY)
form("(exp(x) - 1) / x", lambda m, x: (m.exp(x) - 1) / x, EVERYWHERE, EVERY)
form("x / (exp(x) - 1)", lambda m, x: x / (m.exp(x) - 1), EVERYWHERE, EVERY)
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
     [(0.25, a, b) for a, b in PAIRS], "to 1500")  # fmt: skip
form("log(exp(x) + exp(-x))", lambda m, x: m.log(m.exp(x) + m.exp(-x)), EVERYWHERE, EVERY)

# -- sigmoid, tanh and hyperbolic functions --------------------------------------------------------

form("1 / (1 + exp(-x))", lambda m, x: 1 / (1 + m.exp(-x)), EVERYWHERE, EVERY)
form("1 / (1 + exp(x))", lambda m, x: 1 / (1 + m.exp(x)), EVERYWHERE, EVERY)
form("exp(x) / (1 + exp(x))", lambda m, x: m.exp(x) / (1 + m.exp(x)), EVERYWHERE, EVERY)
form("exp(-x) / (1 + exp(-x))", lambda m, x: m.exp(-x) / (1 + m.exp(-x)), EVERYWHERE, EVERY)
form("exp(-x) / (1 + exp(-x))**2", lambda m, x: m.exp(-x) / (1 + m.exp(-x)) ** 2,
     EVERYWHERE, EVERY)  # fmt: skip
form("exp(a) / (exp(a) + exp(b))", lambda m, a, b: m.exp(a) / (m.exp(a) + m.exp(b)),
     PAIRS, "to 1500")  # fmt: skip
form("sigmoid(x) * (1 - sigmoid(x))", lambda m, x: m.sigmoid(x) * (1 - m.sigmoid(x)),
     EVERYWHERE, EVERY)  # fmt: skip
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
form("1 - tanh(x)**2", lambda m, x: 1 - m.tanh(x) ** 2, EVERYWHERE, EVERY)
form("1 - tanh(x)", lambda m, x: 1 - m.tanh(x), EVERYWHERE, EVERY)
form("tanh written out", lambda m, x: (m.exp(x) - m.exp(-x)) / (m.exp(x) + m.exp(-x)),
     EVERYWHERE, EVERY)  # fmt: skip
form("(1 - exp(-2x)) / (1 + exp(-2x))",
     lambda m, x: (1 - m.exp(-2 * x)) / (1 + m.exp(-2 * x)), EVERYWHERE, EVERY)  # fmt: skip
form("2 * sigmoid(2x) - 1", lambda m, x: 2 * m.sigmoid(2 * x) - 1, EVERYWHERE, EVERY)
form("log(cosh(x))", lambda m, x: m.log(m.cosh(x)), EVERYWHERE, EVERY)
form("log(sinh(x))", lambda m, x: m.log(m.sinh(x)), ABOVE_ZERO, "above zero")
form("(exp(x) - exp(-x)) / 2", lambda m, x: (m.exp(x) - m.exp(-x)) / 2, EVERYWHERE, EVERY)
form("cosh(x) - 1", lambda m, x: m.cosh(x) - 1, EVERYWHERE, EVERY)
form("1 - cos(x)", lambda m, x: 1 - m.cos(x), [*NEAR, *MIDDLE], "1e-300 to 7")
form("(1 - cos(x)) / x**2", lambda m, x: (1 - m.cos(x)) / x**2,
     [x for x in [*NEAR, *MIDDLE] if abs(x) > 1e-18], "1e-18 to 7")  # fmt: skip
form("sin(x) / x", lambda m, x: m.sin(x) / x, [*NEAR, *MIDDLE], "1e-300 to 7")

# -- powers and roots ------------------------------------------------------------------------------

form("log(x**2)", lambda m, x: m.log(x**2), signed(*MAGNITUDES), "1e-300 to 1e300")
form("log(x * x)", lambda m, x: m.log(x * x), signed(*MAGNITUDES), "1e-300 to 1e300")
form("log(x**3)", lambda m, x: m.log(x**3), MAGNITUDES, "1e-300 to 1e300")
form("log(sqrt(x))", lambda m, x: m.log(m.sqrt(x)), MAGNITUDES, "1e-300 to 1e300")
form("log(1 / x)", lambda m, x: m.log(1 / x), MAGNITUDES, "1e-300 to 1e300")
form("log(a / b)", lambda m, a, b: m.log(a / b),
     [(1e-300, 1e300), (1e300, 1e-300), (2.0, 3.0), (1e-30, 1e30), (1e25, 1e-25)],
     "1e-300 to 1e300")  # fmt: skip
form("log(a * b)", lambda m, a, b: m.log(a * b),
     [(1e-300, 1e-300), (1e300, 1e300), (2.0, 3.0), (1e-30, 1e-30), (1e25, 1e25)],
     "1e-300 to 1e300")  # fmt: skip
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
     [1e-9, 0.5, 3.0, 1e5, 1e10, 1e15, 1e25], "to 1e25")  # fmt: skip
form("log(x + sqrt(x**2 + 1))", lambda m, x: m.log(x + m.sqrt(x**2 + 1)), signed(*MAGNITUDES),
     "1e-300 to 1e300")  # fmt: skip
form("log((1 + x) / (1 - x)) / 2", lambda m, x: m.log((1 + x) / (1 - x)) / 2,
     [*NEAR, 0.3, -0.3, 0.99], "near zero")  # fmt: skip
form("1 / (1 + x**2)", lambda m, x: 1 / (1 + x**2), signed(*MAGNITUDES), "1e-300 to 1e300")
form("x / sqrt(1 + x**2)", lambda m, x: x / m.sqrt(1 + x**2), signed(*MAGNITUDES),
     "1e-300 to 1e300")  # fmt: skip
form(
    "log(1 + x**2)",
    lambda m, x: m.log(1 + x**2),
    signed(*MAGNITUDES),
    "1e-300 to 1e300",
)
form("a / (a + b)", lambda m, a, b: a / (a + b),
     [(1e-300, 2e-300), (1e300, 5e299), (2.0, 3.0), (1e-30, 1.0), (1e25, 3e25)],
     "1e-300 to 1e300")  # fmt: skip
form("expm1(x) / x", lambda m, x: m.expm1(x) / x, EVERYWHERE, EVERY)
form("(1 - exp(-x)) / x", lambda m, x: (1 - m.exp(-x)) / x, EVERYWHERE, EVERY)
form("log1p(exp(x))", lambda m, x: m.log1p(m.exp(x)), EVERYWHERE, EVERY)
form("log1p(-exp(-x))", lambda m, x: m.log1p(-m.exp(-x)), ABOVE_ZERO, "above zero")
form("exp(x) / (exp(x) - 1)", lambda m, x: m.exp(x) / (m.exp(x) - 1), EVERYWHERE, EVERY)
form("exp(-x) / (1 - exp(-x))", lambda m, x: m.exp(-x) / (1 - m.exp(-x)), EVERYWHERE, EVERY)
form("1 / (exp(x) - 1)", lambda m, x: 1 / (m.exp(x) - 1), EVERYWHERE, EVERY)
form("(exp(2x) - 1) / (exp(2x) + 1)", lambda m, x: (m.exp(2 * x) - 1) / (m.exp(2 * x) + 1),
     EVERYWHERE, EVERY)  # fmt: skip
form("sinh(x) / cosh(x)", lambda m, x: m.sinh(x) / m.cosh(x), EVERYWHERE, EVERY)
form("cosh(x) / sinh(x)", lambda m, x: m.cosh(x) / m.sinh(x), EVERYWHERE, EVERY)
form("1 / cosh(x)", lambda m, x: 1 / m.cosh(x), EVERYWHERE, EVERY)
form("1 / cosh(x)**2", lambda m, x: 1 / m.cosh(x) ** 2, EVERYWHERE, EVERY)
form("log(2 * cosh(x))", lambda m, x: m.log(2 * m.cosh(x)), EVERYWHERE, EVERY)
form("sqrt(x**2 + eps)", lambda m, x: m.sqrt(x**2 + m.eps), signed(*MAGNITUDES),
     "1e-300 to 1e300")  # fmt: skip
form("x / sqrt(x**2 + eps)", lambda m, x: x / m.sqrt(x**2 + m.eps), signed(*MAGNITUDES),
     "1e-300 to 1e300")  # fmt: skip
form("log(a**2 + b**2)", lambda m, a, b: m.log(a**2 + b**2),
     [(x, 0.7 * x) for x in MAGNITUDES if x != 0.7] + [(1e200, 1.0), (1e-200, 3e-201)],
     "1e-300 to 1e300")  # fmt: skip
form("a / sqrt(a**2 + b**2)", lambda m, a, b: a / m.sqrt(a**2 + b**2),
     [(x, 0.7 * x) for x in MAGNITUDES] + [(1e200, 1.0), (1e-200, 3e-201)],
     "1e-300 to 1e300")  # fmt: skip
form("log(a * b / c)", lambda m, a, b, c: m.log(a * b / c),
     [(1e-300, 1e-300, 1e-300), (1e300, 1e300, 1e300), (2.0, 3.0, 5.0), (1e25, 1e25, 1e30)],
     "1e-300 to 1e300")  # fmt: skip
form("log(a * b) - log(b)", lambda m, a, b: m.log(a * b) - m.log(b),
     [(1e-300, 1e-30), (1e300, 1e30), (2.0, 3.0), (1e-30, 1e-30), (1e25, 1e25)],
     "1e-300 to 1e300")  # fmt: skip

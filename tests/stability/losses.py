"""Forms that are not held to 16 units in the last place, and why."""

from __future__ import annotations

FINITE = 1e300
"""For forms that lose digits, but are finite where the truth is."""

TANH = (
    "The derivative of tanh is computed as 1 - tanh(x)**2 if the value is used as well. This is "
    "wrong by at most 1.1e-16, but zero far from zero; another exponential would make every layer "
    "with tanh slower."
)
REMOVABLE = (
    "The derivative of such a quotient is a difference of two terms that cancel near zero, as it "
    "does in NumPy and JAX; it needs a function of its own."
)
ABSOLUTE = (
    "The result is close to zero, a sum of terms that are not: the error is 1e-16 of these terms."
)
PROBABILITY = (
    "The logarithm of a probability close to one: the error is 1e-16, but more of so small a "
    "number. More digits need a sum without the largest term, which slows down every softmax."
)
BINARY = (
    "The gradient is sigmoid(x) - t, wrong by at most 1.1e-16; without the difference it would be "
    "less accurate for soft labels, and slower."
)
GAMMA = "Logarithms of the gamma function of large arguments cancel."
ROUNDED = "x / sqrt(2) is rounded, and its square multiplies the error: 4e-14 of 1e-198."

QUOTIENT = (
    "The derivative of such a quotient is a difference of two terms, which cancel where the "
    "quotient is nearly constant."
)
OFFSET = (
    "The derivative is a difference of two exponentials, both close to one near zero: the error is "
    "1e-16 of these."
)
RECIPROCALS = "The derivative is a difference of two reciprocals, which cancel for a large x."
TAIL = (
    "The derivative is a difference of two terms that cancel for large x; and x / sqrt(2) is "
    "rounded, whose square is an exponent."
)

LOSSES: dict[str, tuple[float, float, str]] = {
    "log(x + 1) / x": (16, FINITE, REMOVABLE),
    "(exp(x) - 1) / x": (16, FINITE, REMOVABLE),
    "x / (exp(x) - 1)": (16, FINITE, REMOVABLE),
    "expm1(x) / x": (16, FINITE, REMOVABLE),
    "(1 - exp(-x)) / x": (16, FINITE, REMOVABLE),
    "(1 - cos(x)) / x**2": (16, FINITE, REMOVABLE),
    "sin(x) / x": (16, FINITE, REMOVABLE),
    "log(p*exp(a) + (1 - p)*exp(b))": (1e9, 1e8, ABSOLUTE),
    "log(p * sigmoid(a) + (1 - p) * sigmoid(b))": (64, 1e9, ABSOLUTE),
    "1 - tanh(x)**2": (FINITE, FINITE, TANH),
    "tanh written out": (16, FINITE, TANH),
    "sinh(x) / cosh(x)": (16, FINITE, TANH),
    "binary cross-entropy of a sigmoid": (
        16, FINITE,
        BINARY,
    ),
    "log(0.5 * erfc(-x / sqrt(2)))": (400, 1000, ROUNDED),
    "log(0.5 * (1 + erf(x / sqrt(2))))": (400, 1000, ROUNDED),
    "exp(x**2) * erfc(x)": (
        16, FINITE, "The derivative of erfcx is a difference of two terms that cancel for large x.",
    ),
    "beta: gammaln(a + b) - gammaln(a) - gammaln(b)": (1e8, 1e9, GAMMA),
    "beta density, x near 0.3": (1e4, 400, GAMMA),
    "binomial: gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)": (1e8, 1e9, GAMMA),
    "gamma density (a - 1)*log(x) - x / s - gammaln(a) - a*log(s)": (64, 100, ABSOLUTE),
    "Student's t: gammaln((n + 1) / 2) - gammaln(n / 2)": (1e8, 1e9, GAMMA),
    "variance (x**2).mean() - x.mean()**2": (
        FINITE, 16, "The difference cancels; a second visit to x is left to who writes it.",
    ),
    "-log(exp(x) / exp(x).sum()) . t": (100, 100, PROBABILITY),
    "-log((t * softmax(x)).sum()), one-hot t": (100, 100, PROBABILITY),
    "-log((t * exp(x)).sum() / exp(x).sum())": (100, 100, PROBABILITY),
    "entropy of a softmax": (32, 16, PROBABILITY),
}  # fmt: skip
"""Bounds of values and of gradients, and the reason."""

_OTHERS: dict[tuple[float, float, str], str] = {
    (4000, 4000, ABSOLUTE): """
        entropy: log(exp(x).sum()) - (p * x).sum()
    """,
    (FINITE, 16, ABSOLUTE): """
        log((1 + exp(a)) / (1 + exp(b)))
        (exp(a) - exp(b)) / (exp(a) + exp(b))
        log(1 - sigmoid(x)**2)
        log(1 - tanh(x))
    """,
    (16, 64, ABSOLUTE): "p*log(p / q) + (1 - p)*log((1 - p) / (1 - q)) of sigmoids",
    (128, 32, PROBABILITY): "Renyi -log((softmax(x)**2).sum())",
    (16, 2000, QUOTIENT): """
        (w * exp(x)).sum() / sqrt((exp(x)**2).sum())
        (exp(x) * y).sum() / exp(x).sum()
        exp(x).sum()**2 / (exp(x)**2).sum()
        (w * exp(x)).sum() / (1 + exp(x).sum())
        (a*exp(a) + b*exp(b)) / (exp(a) + exp(b))
        x * exp(x) / (exp(x) + 1)
    """,
    (16, FINITE, QUOTIENT): """
        (exp(x) - exp(-x)) / (exp(x) + exp(-x)) + 1
        (1 + exp(x)) / (1 + exp(x) + exp(2x))
        exp(2x) / (1 + exp(x) + exp(2x))
        (exp(x) + exp(-x)) / (exp(x) - exp(-x))
    """,
    (16, FINITE, OFFSET): """
        log(exp(x)**2 + exp(-x)**2)
        log(2 + exp(x) + exp(-x))
        entropy of a sigmoid: -p*log(p) - (1 - p)*log(1 - p)
        entropy of 1 / (1 + exp(-x))
    """,
    (16, FINITE, REMOVABLE): """
        x / expm1(x)
        -x / expm1(-x)
        x * exp(x) / expm1(x)
        x**2 * exp(x) / expm1(x)**2
    """,
    (FINITE, FINITE, REMOVABLE): "(cos(x) - 1) / x",
    (16, FINITE, RECIPROCALS): """
        1 / sqrt(x) - 1 / sqrt(x + 1)
        1 / x - 1 / (x + 1)
    """,
    (64, 1e4, TAIL): """
        exp(-x**2) / erfc(x)
        exp(-x**2 / 2) / erfc(x / sqrt(2))
        exp(-x**2 / 2) / (1 - erf(x / sqrt(2)))
        Mills: erfc(x / sqrt(2)) / exp(-x**2 / 2)
        erfc(x) * exp(x**2) written erfc(x) / exp(-x**2)
        exp(-x**2 / 2) / (0.5 * erfc(x / sqrt(2))) / sqrt(2 pi)
    """,
}
LOSSES |= {
    name.strip(): bounds for bounds, names in _OTHERS.items() for name in names.strip().split("\n")
}

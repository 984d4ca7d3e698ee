"""Probabilities, losses, densities and special functions as people write them."""

from __future__ import annotations

from tests.stability.form import (
    EVERY,
    EVERYWHERE,
    MAGNITUDES,
    MIDDLE,
    NEAR,
    PAIRS,
    PROBABILITIES,
    form,
)

# -- probabilities ---------------------------------------------------------------------------------

form("log(p / (1 - p))", lambda m, p: m.log(p / (1 - p)), [p for p in PROBABILITIES if p != 0.5],
     "1e-300 to 1 - 2**-24")  # fmt: skip
form("log(p) - log(1 - p)", lambda m, p: m.log(p) - m.log(1 - p),
     [p for p in PROBABILITIES if p != 0.5], "1e-300 to 1 - 2**-24")  # fmt: skip
form("x * log(x)", lambda m, x: x * m.log(x), PROBABILITIES, "1e-300 to 1")
form("-p*log(p) - (1 - p)*log(1 - p)", lambda m, p: -p * m.log(p) - (1 - p) * m.log(1 - p),
     PROBABILITIES, "1e-300 to 1")  # fmt: skip
form("binary cross-entropy of a sigmoid",
     lambda m, t, x: -(t * m.log(m.sigmoid(x)) + (1 - t) * m.log(1 - m.sigmoid(x))),
     [(t, x) for t in (0.0, 1.0) for x in EVERYWHERE], EVERY)  # fmt: skip
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
form("swish x / (1 + exp(-x))", lambda m, x: x / (1 + m.exp(-x)), EVERYWHERE, EVERY)
form("mish x * tanh(log(1 + exp(x)))", lambda m, x: x * m.tanh(m.log(1 + m.exp(x))),
     EVERYWHERE, EVERY)  # fmt: skip

# -- special functions -----------------------------------------------------------------------------

TAIL = [-40.0, -30.0, -10.0, -5.0, -1.0, -1e-9, 0.5, 3.0, 5.0, 9.0, 15.0, 27.0, 30.0, 40.0, 1e5]
form("1 - erf(x)", lambda m, x: 1 - m.erf(x), TAIL, "to 1e5")
form("1 + erf(x)", lambda m, x: 1 + m.erf(x), TAIL, "to 1e5")
form("log(erfc(x))", lambda m, x: m.log(m.erfc(x)), TAIL, "to 1e5")
form("log(0.5 * erfc(-x / sqrt(2)))", lambda m, x: m.log(0.5 * m.erfc(-x / m.sqrt(m.two))),
     TAIL, "to 1e5")  # fmt: skip
form("log(0.5 * (1 + erf(x / sqrt(2))))",
     lambda m, x: m.log(0.5 * (1 + m.erf(x / m.sqrt(m.two)))), TAIL, "to 1e5")  # fmt: skip
form("exp(x**2) * erfc(x)", lambda m, x: m.exp(x**2) * m.erfc(x),
     [x for x in TAIL if x > -6], "to 1e5")  # fmt: skip
form("log(gamma(x))", lambda m, x: m.log(m.gamma(x)), [1e-9, 0.3, 1.7, 5.0, 40.0, 180.0, 1e5],
     "1e-9 to 1e5")  # fmt: skip
form("Poisson: k*log(r) - r - gammaln(k + 1)",
     lambda m, k, r: k * m.log(r) - r - m.gammaln(k + 1),
     [(0.0, 1e-9), (3.0, 2.5), (20.0, 900.0), (1.0, 1e5)], "to 1e5")  # fmt: skip
form("Poisson of a log rate: k*x - exp(x) - gammaln(k + 1)",
     lambda m, k, x: k * x - m.exp(x) - m.gammaln(k + 1),
     [(0.0, -30.0), (3.0, 0.5), (20.0, 7.0), (1.0, -700.0)], "to 700")  # fmt: skip

CLIPPED = [*MIDDLE, -20.0, 20.0, -95.0, 95.0, -1500.0, 1500.0, -12.0, 12.0, -13.5, 13.5]
form("log(sigmoid(x) / (1 - sigmoid(x)))",
     lambda m, x: m.log(m.sigmoid(x) / (1 - m.sigmoid(x))), EVERYWHERE, EVERY)  # fmt: skip
form("log(sigmoid(a) * sigmoid(b))", lambda m, a, b: m.log(m.sigmoid(a) * m.sigmoid(b)), PAIRS,
     "to 1500")  # fmt: skip
form("log(sigmoid(x)**2)", lambda m, x: m.log(m.sigmoid(x) ** 2), EVERYWHERE, EVERY)
form("log(sigmoid(a) * (1 - sigmoid(b)))",
     lambda m, a, b: m.log(m.sigmoid(a) * (1 - m.sigmoid(b))), PAIRS, "to 1500")  # fmt: skip
form("log(p * sigmoid(a) + (1 - p) * sigmoid(b))",
     lambda m, p, a, b: m.log(p * m.sigmoid(a) + (1 - p) * m.sigmoid(b)),
     [(0.25, a, b) for a, b in PAIRS if a < 50], "to 1500")  # fmt: skip
form("sigmoid clipped: -t*log(p) - (1 - t)*log(1 - p)",
     lambda m, t, x: (
         -t * m.log(m.clip(m.sigmoid(x), m.eps, 1 - m.eps))
         - (1 - t) * m.log(1 - m.clip(m.sigmoid(x), m.eps, 1 - m.eps))
     ),
     [(t, x) for t in (0.0, 1.0, 0.25) for x in CLIPPED], "to 1500")  # fmt: skip
form("log(maximum(sigmoid(x), eps))", lambda m, x: m.log(m.maximum(m.sigmoid(x), m.eps)), CLIPPED,
     "to 1500")  # fmt: skip
form("focal loss -(1 - p)**2 * log(p)",
     lambda m, x: -((1 - m.sigmoid(x)) ** 2) * m.log(m.sigmoid(x)), EVERYWHERE, EVERY)  # fmt: skip
form("log(1 - p) / log(p)", lambda m, p: m.log(1 - p) / m.log(p), PROBABILITIES,
     "1e-300 to 1 - 2**-24")  # fmt: skip
form("log(-log(p))", lambda m, p: m.log(-m.log(p)), PROBABILITIES, "1e-300 to 1 - 2**-24")
form("1 - exp(-exp(x))", lambda m, x: 1 - m.exp(-m.exp(x)), [*NEAR, *MIDDLE, -20.0, -300.0, 3.5],
     "to 7")  # fmt: skip
form("log(1 - exp(-exp(x)))", lambda m, x: m.log(1 - m.exp(-m.exp(x))),
     [*NEAR, *MIDDLE[:6], -20.0, -300.0, -1500.0], "to 2.5")  # fmt: skip

# -- densities -------------------------------------------------------------------------------------

SHAPES = [(2.0, 3.0), (0.5, 0.5), (1e3, 2e3), (1e5, 3.0), (1e8, 1.5), (1e6, 1e6), (3.0, 1e7)]
form("beta: gammaln(a + b) - gammaln(a) - gammaln(b)",
     lambda m, a, b: m.gammaln(a + b) - m.gammaln(a) - m.gammaln(b), SHAPES, "to 1e8")  # fmt: skip
form("beta density, x near 0.3",
     lambda m, a, b, x: (a - 1) * m.log(x) + (b - 1) * m.log(1 - x)
     + m.gammaln(a + b) - m.gammaln(a) - m.gammaln(b),
     [(a, b, 0.3) for a, b in SHAPES], "to 1e8")  # fmt: skip
form("binomial: gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)",
     lambda m, n, k: m.gammaln(n + 1) - m.gammaln(k + 1) - m.gammaln(n - k + 1),
     [(5.0, 2.0), (1e3, 500.0), (1e5, 3.0), (1e8, 2.0), (1e6, 5e5)], "to 1e8")  # fmt: skip
form("gamma density (a - 1)*log(x) - x / s - gammaln(a) - a*log(s)",
     lambda m, a, x, s: (a - 1) * m.log(x) - x / s - m.gammaln(a) - a * m.log(s),
     [(2.0, 1.0, 0.5), (0.3, 1e-9, 2.0), (50.0, 400.0, 8.5), (3.0, 1e5, 2.0)],
     "to 1e5")  # fmt: skip
form("Student's t: gammaln((n + 1) / 2) - gammaln(n / 2)",
     lambda m, n: m.gammaln((n + 1) / 2) - m.gammaln(n / 2), [0.5, 3.0, 30.0, 1e3, 1e5, 1e8],
     "to 1e8")  # fmt: skip
form("Student's t: log(1 + x**2 / 5)", lambda m, x: m.log(1 + x**2 / 5), MAGNITUDES,
     "1e-300 to 1e300")  # fmt: skip
form("normal: log(exp(-x**2 / 2) / sqrt(2 pi))",
     lambda m, x: m.log(m.exp(-(x**2) / 2) / m.sqrt(m.two * m.pi)), EVERYWHERE, EVERY)  # fmt: skip
form("log(exp(-abs(x)) / 2)", lambda m, x: m.log(m.exp(-abs(x)) / 2), EVERYWHERE, EVERY)
form("logistic density: -x - 2*log(1 + exp(-x))",
     lambda m, x: -x - 2 * m.log(1 + m.exp(-x)), EVERYWHERE, EVERY)  # fmt: skip
form("log of the logistic density",
     lambda m, x: m.log(m.exp(-x) / (1 + m.exp(-x)) ** 2), EVERYWHERE, EVERY)  # fmt: skip
form("Gumbel: -x - exp(-x)", lambda m, x: -x - m.exp(-x), [*NEAR, *MIDDLE, 20.0, 300.0, -20.0],
     "to 300")  # fmt: skip
form("Weibull: 1 - exp(-x**a)", lambda m, a, x: 1 - m.exp(-(x**a)),
     [(a, x) for a in (1.5, 0.5) for x in (1e-9, 0.01, 0.5, 3.0)], "1e-9 to 3")  # fmt: skip

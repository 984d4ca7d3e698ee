"""Sums, quotients and logarithms of exponentials and of powers, in many ways of writing."""

from __future__ import annotations

from tests.stability.form import (
    ABOVE_ZERO,
    EVERY,
    EVERYWHERE,
    FAR,
    MAGNITUDES,
    MIDDLE,
    NEAR,
    PAIRS,
    PROBABILITIES,
    form,
    signed,
)
from tests.stability.rows import ROWS, TO, first, kept, total

# -- rows of probabilities -------------------------------------------------------------------------

WEIGHTS = [1.0, 2.0, 3.0, 4.0]
HOT_ROWS = [
    [1000.0, 0.0, 0.0, 0.0], [0.0, 800.0, -800.0, 0.0], [-900.0, 0.0, -900.0, -900.0],
    [1500.0, 1500.0, 0.0, 0.0],
]  # fmt: skip
SOFT_AND_HOT = [*ROWS[:2], ROWS[6], *HOT_ROWS]
form("entropy of exp(x) / exp(x).sum()",
     lambda m, x: -total(m.exp(x) / kept(m.exp(x)) * m.log(m.exp(x) / kept(m.exp(x)))),
     SOFT_AND_HOT, TO, rows=True)  # fmt: skip
form("entropy of a softmax, one-hot",
     lambda m, x: -total(m.softmax(x) * m.log(m.softmax(x))), HOT_ROWS, "rows to 1500",
     rows=True)  # fmt: skip
form("entropy: log(exp(x).sum()) - (p * x).sum()",
     lambda m, x: m.log(total(m.exp(x))) - total(m.softmax(x) * x), SOFT_AND_HOT, TO,
     rows=True)  # fmt: skip
PAIRS_OF_ROWS = [
    (ROWS[0], ROWS[7]), (ROWS[0], HOT_ROWS[0]), (HOT_ROWS[1], ROWS[0]), (HOT_ROWS[1], HOT_ROWS[2]),
]  # fmt: skip
form("KL of softmaxes, one-hot", lambda m, x, y: total(
        m.softmax(x) * m.log(m.softmax(x) / m.softmax(y))), PAIRS_OF_ROWS, TO,
     rows=True)  # fmt: skip
form("KL of exp(x) / exp(x).sum()", lambda m, x, y: total(
        m.exp(x) / kept(m.exp(x))
        * m.log((m.exp(x) / kept(m.exp(x))) / (m.exp(y) / kept(m.exp(y))))),
     PAIRS_OF_ROWS, TO, rows=True)  # fmt: skip
form("KL: (p * (log(p) - log(q))).sum()", lambda m, x, y: total(
        m.softmax(x) * (m.log(m.softmax(x)) - m.log(m.softmax(y)))), PAIRS_OF_ROWS, TO,
     rows=True)  # fmt: skip
form("cross-entropy -(p * log(q)).sum()", lambda m, x, y: -total(
        m.softmax(x) * m.log(m.softmax(y))), PAIRS_OF_ROWS, TO, rows=True)  # fmt: skip
form("log((exp(x)**2).sum())", lambda m, x: m.log(total(m.exp(x) ** 2)), ROWS, TO, rows=True)
form("log((exp(x)**3).mean()) / 3", lambda m, x: m.log((m.exp(x) ** 3).mean(axis=1)) / 3, ROWS, TO,
     rows=True)  # fmt: skip
form("log(sqrt(exp(x)).sum())", lambda m, x: m.log(total(m.sqrt(m.exp(x)))), ROWS, TO, rows=True)
form("log((1 / exp(x)).sum())", lambda m, x: m.log(total(1 / m.exp(x))), ROWS, TO, rows=True)
form("log((exp(x) * exp(x)).sum())", lambda m, x: m.log(total(m.exp(x) * m.exp(x))), ROWS, TO,
     rows=True)  # fmt: skip
form("log((exp(x) * exp(y)).sum())", lambda m, x, y: m.log(total(m.exp(x) * m.exp(y))),
     [(ROWS[0], ROWS[7]), (ROWS[1], ROWS[6]), (ROWS[1], ROWS[2])], TO, rows=True)  # fmt: skip
form("log((exp(x) / exp(y)).sum())", lambda m, x, y: m.log(total(m.exp(x) / m.exp(y))),
     [(ROWS[0], ROWS[7]), (ROWS[1], ROWS[6]), (ROWS[1], ROWS[2])], TO, rows=True)  # fmt: skip
form("log(sqrt((exp(x)**2).sum()))", lambda m, x: m.log(m.sqrt(total(m.exp(x) ** 2))), ROWS, TO,
     rows=True)  # fmt: skip
form("log(exp(x).sum() + exp(y).sum())",
     lambda m, x, y: m.log(total(m.exp(x)) + total(m.exp(y))),
     [(ROWS[0], ROWS[7]), (ROWS[1], ROWS[6]), (ROWS[1], ROWS[2])], TO, rows=True)  # fmt: skip
form("log(1 + exp(x).sum())", lambda m, x: m.log(1 + total(m.exp(x))), ROWS, TO, rows=True)
form("exp(x)**2 / (exp(x)**2).sum()",
     lambda m, x: first(m.exp(x) ** 2 / kept(m.exp(x) ** 2)), ROWS, TO, rows=True)  # fmt: skip
form("(w * exp(x)).sum() / sqrt((exp(x)**2).sum())",
     lambda m, x: total(m.array(WEIGHTS) * m.exp(x) / m.sqrt(kept(m.exp(x) ** 2))),
     ROWS, TO, rows=True)  # fmt: skip
form("(exp(x) * y).sum() / exp(x).sum()",
     lambda m, x: total(m.exp(x) * m.array([1.0, 2.0, 3.0, 4.0])) / total(m.exp(x)), ROWS, TO,
     rows=True)  # fmt: skip
form("exp(x).sum()**2 / (exp(x)**2).sum()",
     lambda m, x: total(m.exp(x)) ** 2 / total(m.exp(x) ** 2), ROWS, TO, rows=True)  # fmt: skip
form("(w * exp(x)).sum() / (1 + exp(x).sum())",
     lambda m, x: total(m.array(WEIGHTS) * m.exp(x) / (1 + kept(m.exp(x)))), ROWS, TO,
     rows=True)  # fmt: skip
form("Gini 1 - (softmax(x)**2).sum()",
     lambda m, x: 1 - total(m.softmax(x) ** 2), ROWS[:1] + ROWS[7:],
     "rows to 4", rows=True)  # fmt: skip
form("Renyi -log((softmax(x)**2).sum())", lambda m, x: -m.log(total(m.softmax(x) ** 2)), ROWS, TO,
     rows=True)  # fmt: skip

# -- polynomials of exponentials -------------------------------------------------------------------

form("log(exp(x) + exp(2x) + 1)", lambda m, x: m.log(m.exp(x) + m.exp(2 * x) + 1), EVERYWHERE,
     EVERY)  # fmt: skip
form("log(exp(x) + exp(x)**2 + 1)", lambda m, x: m.log(m.exp(x) + m.exp(x) ** 2 + 1), EVERYWHERE,
     EVERY)  # fmt: skip
form("log((1 + exp(x))**2)", lambda m, x: m.log((1 + m.exp(x)) ** 2), EVERYWHERE, EVERY)
form("log(1 + exp(x)**2)", lambda m, x: m.log(1 + m.exp(x) ** 2), EVERYWHERE, EVERY)
form("log(exp(x)**2 + exp(-x)**2)", lambda m, x: m.log(m.exp(x) ** 2 + m.exp(-x) ** 2),
     EVERYWHERE, EVERY)  # fmt: skip
form("log(2 + exp(x) + exp(-x))", lambda m, x: m.log(2 + m.exp(x) + m.exp(-x)), EVERYWHERE, EVERY)
form("log(exp(a) + exp(b) + exp(a + b))",
     lambda m, a, b: m.log(m.exp(a) + m.exp(b) + m.exp(a + b)), PAIRS, "to 1500")  # fmt: skip
form("log(exp(a) + exp(b) + exp(a) * exp(b))",
     lambda m, a, b: m.log(m.exp(a) + m.exp(b) + m.exp(a) * m.exp(b)),
     PAIRS, "to 1500")  # fmt: skip
form("log((1 + exp(a)) * (1 + exp(b)))",
     lambda m, a, b: m.log((1 + m.exp(a)) * (1 + m.exp(b))), PAIRS, "to 1500")  # fmt: skip
form("log((1 + exp(a)) / (1 + exp(b)))",
     lambda m, a, b: m.log((1 + m.exp(a)) / (1 + m.exp(b))), PAIRS, "to 1500")  # fmt: skip
form("(exp(x) - exp(-x)) / (exp(x) + exp(-x)) + 1",
     lambda m, x: (m.exp(x) - m.exp(-x)) / (m.exp(x) + m.exp(-x)) + 1,
     EVERYWHERE, EVERY)  # fmt: skip
form("(exp(a) + exp(b)) / (1 + exp(a) + exp(b))",
     lambda m, a, b: (m.exp(a) + m.exp(b)) / (1 + m.exp(a) + m.exp(b)),
     PAIRS, "to 1500")  # fmt: skip
form("(1 + exp(x)) / (1 + exp(x) + exp(2x))",
     lambda m, x: (1 + m.exp(x)) / (1 + m.exp(x) + m.exp(2 * x)), EVERYWHERE, EVERY)  # fmt: skip
form("exp(2x) / (1 + exp(x) + exp(2x))",
     lambda m, x: m.exp(2 * x) / (1 + m.exp(x) + m.exp(2 * x)), EVERYWHERE, EVERY)  # fmt: skip
form("exp(2x) / (exp(2x) + 1)", lambda m, x: m.exp(2 * x) / (m.exp(2 * x) + 1), EVERYWHERE, EVERY)
form("exp(x)**2 / (exp(x)**2 + 1)", lambda m, x: m.exp(x) ** 2 / (m.exp(x) ** 2 + 1), EVERYWHERE,
     EVERY)  # fmt: skip
form("2 / (exp(x) + exp(-x))", lambda m, x: 2 / (m.exp(x) + m.exp(-x)), EVERYWHERE, EVERY)
form("(exp(x) + exp(-x)) / (exp(x) - exp(-x))",
     lambda m, x: (m.exp(x) + m.exp(-x)) / (m.exp(x) - m.exp(-x)), MIDDLE + FAR,
     "0.3 to 1500")  # fmt: skip
form("(1 + exp(x)) / (1 - exp(x))", lambda m, x: (1 + m.exp(x)) / (1 - m.exp(x)), MIDDLE + FAR,
     "0.3 to 1500")  # fmt: skip
form("(exp(x) - 1) / (exp(x) + 1)", lambda m, x: (m.exp(x) - 1) / (m.exp(x) + 1), EVERYWHERE,
     EVERY)  # fmt: skip
form("(exp(a) - exp(b)) / (exp(a) + exp(b))",
     lambda m, a, b: (m.exp(a) - m.exp(b)) / (m.exp(a) + m.exp(b)), PAIRS, "to 1500")  # fmt: skip
form("(a*exp(a) + b*exp(b)) / (exp(a) + exp(b))",
     lambda m, a, b: (a * m.exp(a) + b * m.exp(b)) / (m.exp(a) + m.exp(b)),
     [(1.0, 0.5), (800.0, 799.5), (-800.0, -801.0), (3.0, 900.0)], "to 900")  # fmt: skip
form("x * exp(x) / (exp(x) + 1)", lambda m, x: x * m.exp(x) / (m.exp(x) + 1), EVERYWHERE, EVERY)
form("log(expm1(x))", lambda m, x: m.log(m.expm1(x)), ABOVE_ZERO, "above zero")
form("log1p(expm1(x))", lambda m, x: m.log1p(m.expm1(x)), EVERYWHERE, EVERY)
form("x / expm1(x)", lambda m, x: x / m.expm1(x), EVERYWHERE, EVERY)
form("-x / expm1(-x)", lambda m, x: -x / m.expm1(-x), EVERYWHERE, EVERY)
form("x * exp(x) / expm1(x)", lambda m, x: x * m.exp(x) / m.expm1(x), EVERYWHERE, EVERY)
form("x**2 * exp(x) / expm1(x)**2",
     lambda m, x: x**2 * m.exp(x) / m.expm1(x) ** 2,
     [*MIDDLE, 20.0, -20.0, 40.0, -40.0, 300.0, -745.0, 745.0],
     "0.3 to 1500")  # fmt: skip
form("log(x / expm1(x))", lambda m, x: m.log(x / m.expm1(x)), MIDDLE[2:] + FAR, "1 to 1500")
form("log(expm1(x) / x)", lambda m, x: m.log(m.expm1(x) / x), MIDDLE[2:] + FAR, "1 to 1500")
form("log(1 - exp(-x)) - log(1 + exp(-x))",
     lambda m, x: m.log(1 - m.exp(-x)) - m.log(1 + m.exp(-x)),
     ABOVE_ZERO, "above zero")  # fmt: skip
form("log(exp(exp(x)) - 1)", lambda m, x: m.log(m.exp(m.exp(x)) - 1),
     [-1500.0, -745.0, -40.0, -1.0, 0.5, 3.0, 6.0, 9.0], "to 9")  # fmt: skip
form("log(expm1(exp(x)))", lambda m, x: m.log(m.expm1(m.exp(x))),
     [-1500.0, -745.0, -40.0, -1.0, 0.5, 3.0, 6.0, 9.0], "to 9")  # fmt: skip
form("log(-expm1(-exp(x)))", lambda m, x: m.log(-m.expm1(-m.exp(x))),
     [-1500.0, -745.0, -40.0, -1.0, 0.5], "to 0.5")  # fmt: skip
form("log(log(1 + exp(x)))", lambda m, x: m.log(m.log(1 + m.exp(x))),
     [-1500.0, -745.0, -40.0, -1.0, 0.5, 30.0, 1500.0], "to 1500")  # fmt: skip
form("log(1 - sigmoid(x)**2)", lambda m, x: m.log(1 - m.sigmoid(x) ** 2), EVERYWHERE, EVERY)
form("log(1 - tanh(x))", lambda m, x: m.log(1 - m.tanh(x)), EVERYWHERE, EVERY)
form("log((1 + tanh(x)) / 2)", lambda m, x: m.log((1 + m.tanh(x)) / 2), EVERYWHERE, EVERY)
form("entropy of a sigmoid: -p*log(p) - (1 - p)*log(1 - p)",
     lambda m, x: -m.sigmoid(x) * m.log(m.sigmoid(x))
     - (1 - m.sigmoid(x)) * m.log(1 - m.sigmoid(x)), EVERYWHERE, EVERY)  # fmt: skip
form("entropy of 1 / (1 + exp(-x))",
     lambda m, x: -1 / (1 + m.exp(-x)) * m.log(1 / (1 + m.exp(-x)))
     - (1 - 1 / (1 + m.exp(-x))) * m.log(1 - 1 / (1 + m.exp(-x))), EVERYWHERE, EVERY)  # fmt: skip
form("p*log(p / q) + (1 - p)*log((1 - p) / (1 - q)) of sigmoids",
     lambda m, x, y: m.sigmoid(x) * m.log(m.sigmoid(x) / m.sigmoid(y))
     + (1 - m.sigmoid(x)) * m.log((1 - m.sigmoid(x)) / (1 - m.sigmoid(y))),
     [(1.0, -2.0), (50.0, 3.0), (-800.0, 2.0), (800.0, -800.0), (-800.0, -3.0)],
     "to 800")  # fmt: skip

# -- powers and magnitudes -------------------------------------------------------------------------

SIGNED = signed(*MAGNITUDES)
TO_300 = "1e-300 to 1e300"
form("x**2 / (1 + x**2)", lambda m, x: x**2 / (1 + x**2), SIGNED, TO_300)
form("x**4 / (1 + x**4)", lambda m, x: x**4 / (1 + x**4), SIGNED, TO_300)
form("x**2 / (x**2 + 5)", lambda m, x: x**2 / (x**2 + 5), SIGNED, TO_300)
form("x / (1 + x**2)", lambda m, x: x / (1 + x**2), SIGNED, TO_300)
form("x / (1 + x)", lambda m, x: x / (1 + x), MAGNITUDES, TO_300)
form("a**2 / (a**2 + b**2)", lambda m, a, b: a**2 / (a**2 + b**2),
     [(x, 0.7 * x) for x in MAGNITUDES] + [(1e200, 1.0), (1e-200, 3e-201)], TO_300)  # fmt: skip
form("a * b / (a**2 + b**2)", lambda m, a, b: a * b / (a**2 + b**2),
     [(x, 0.7 * x) for x in MAGNITUDES], TO_300)  # fmt: skip
form("(a - b) / (a + b)", lambda m, a, b: (a - b) / (a + b), [(x, 0.7 * x) for x in MAGNITUDES],
     TO_300)  # fmt: skip
form("log(x * x / x)", lambda m, x: m.log(x * x / x), MAGNITUDES, TO_300)
form("log(x**2 / y)", lambda m, x, y: m.log(x**2 / y),
     [(1e200, 1e200), (1e-200, 1e-200), (1e200, 1e-100), (2.0, 3.0)], TO_300)  # fmt: skip
form("log(a / (b * c))", lambda m, a, b, c: m.log(a / (b * c)),
     [(1e-200, 1e-200, 1e-200), (1e200, 1e200, 1e200), (2.0, 3.0, 0.5)], TO_300)  # fmt: skip
form("log(a / b / c)", lambda m, a, b, c: m.log(a / b / c),
     [(1e-200, 1e200, 1e-200), (1e200, 1e-200, 1e200), (2.0, 3.0, 0.5)], TO_300)  # fmt: skip
form("log(1 + x) - log(x)", lambda m, x: m.log(1 + x) - m.log(x), [*MAGNITUDES, 1e20, 1e9], TO_300)
form("log(x) - log(1 + x)", lambda m, x: m.log(x) - m.log(1 + x), [*MAGNITUDES, 1e20, 1e9], TO_300)
form("log((1 + x) / x)", lambda m, x: m.log((1 + x) / x), [*MAGNITUDES, 1e20, 1e9], TO_300)
form("log(x / (1 + x))", lambda m, x: m.log(x / (1 + x)), [*MAGNITUDES, 1e20, 1e9], TO_300)
form("log(1 + 1 / x)", lambda m, x: m.log(1 + 1 / x), [*MAGNITUDES, 1e20, 1e9], TO_300)
form("log(x + 2) - log(x)", lambda m, x: m.log(x + 2) - m.log(x), [0.5, 3.0, 1e5, 1e9, 1e20],
     "to 1e20")  # fmt: skip
form("cos(x) - 1", lambda m, x: m.cos(x) - 1, [*NEAR, 1e-8, *MIDDLE], "1e-300 to 7")
form("1 - cos(2x)", lambda m, x: 1 - m.cos(2 * x), [*NEAR, 1e-8, *MIDDLE], "1e-300 to 7")
form("1 - cosh(x)", lambda m, x: 1 - m.cosh(x), EVERYWHERE, EVERY)
form("(cos(x) - 1) / x", lambda m, x: (m.cos(x) - 1) / x, [*NEAR[2:], 1e-8, *MIDDLE],
     "1e-30 to 7")  # fmt: skip
form("1 / sqrt(x) - 1 / sqrt(x + 1)", lambda m, x: 1 / m.sqrt(x) - 1 / m.sqrt(x + 1),
     [0.5, 3.0, 1e5, 1e9, 1e15], "to 1e15")  # fmt: skip

# -- the normal distribution -----------------------------------------------------------------------

TAILS = [-8.0, -3.0, 0.5, 1.0, 3.0, 8.0, 20.0, 26.0, 30.0, 40.0]
form("exp(-x**2) / erfc(x)", lambda m, x: m.exp(-(x**2)) / m.erfc(x), TAILS, "to 40")
form("exp(-x**2 / 2) / erfc(x / sqrt(2))",
     lambda m, x: m.exp(-(x**2) / 2) / m.erfc(x / m.sqrt(m.two)), TAILS, "to 40")  # fmt: skip
form("exp(-x**2 / 2) / (1 - erf(x / sqrt(2)))",
     lambda m, x: m.exp(-(x**2) / 2) / (1 - m.erf(x / m.sqrt(m.two))), TAILS, "to 40")  # fmt: skip
form("Mills: erfc(x / sqrt(2)) / exp(-x**2 / 2)",
     lambda m, x: m.erfc(x / m.sqrt(m.two)) / m.exp(-(x**2) / 2),
     TAILS[2:], "0.5 to 40")  # fmt: skip
form("erfc(x) * exp(x**2) written erfc(x) / exp(-x**2)",
     lambda m, x: m.erfc(x) / m.exp(-(x**2)), TAILS[2:], "0.5 to 40")  # fmt: skip
form("exp(-x**2 / 2) / (0.5 * erfc(x / sqrt(2))) / sqrt(2 pi)",
     lambda m, x: m.exp(-(x**2) / 2) / (0.5 * m.erfc(x / m.sqrt(m.two))) / m.sqrt(m.two * m.pi),
     TAILS, "to 40")  # fmt: skip
form("logit of a probability: log(p) - log1p(-p)", lambda m, p: m.log(p) - m.log1p(-p),
     [p for p in PROBABILITIES if p != 0.5], "1e-300 to 1 - 2**-24")  # fmt: skip

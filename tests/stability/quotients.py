"""Quotients and roots of powers far from one, and what is less than a whole row or probability."""

from __future__ import annotations

from tests.stability.form import MAGNITUDES, form
from tests.stability.rows import HOT, ROWS, TO, first, total
from tests.stability.scaled import SIGNED, TO_300

# -- powers ----------------------------------------------------------------------------------------

BOTH = [(x, 0.7 * x) for x in MAGNITUDES]
APART = [(1e200, 1e-200), (1e-300, 3.0), (3.0, 1e300)]
form("(x**2 - 1) / (x**2 + 1)", lambda m, x: (x**2 - 1) / (x**2 + 1), SIGNED, TO_300)
form("(1 - x**2) / (1 + x**2)", lambda m, x: (1 - x**2) / (1 + x**2), SIGNED, TO_300)
form("x**3 / (1 + x**2)", lambda m, x: x**3 / (1 + x**2), SIGNED, TO_300)
form("x**3 / (1 + x**3)", lambda m, x: x**3 / (1 + x**3), MAGNITUDES, TO_300)
form("x / (1 + x**4)", lambda m, x: x / (1 + x**4), [*SIGNED, 1e80], TO_300)
form("2 * x / (1 + x**2)", lambda m, x: 2 * x / (1 + x**2), SIGNED, TO_300)
form("x**2 / (1 + x)", lambda m, x: x**2 / (1 + x), MAGNITUDES, TO_300)
form("(x - 1) / (x + 1)", lambda m, x: (x - 1) / (x + 1), MAGNITUDES, TO_300)
form("1 / x - 1 / (x + 1)", lambda m, x: 1 / x - 1 / (x + 1), [0.5, 3.0, 1e5, 1e9, 1e15, 1e25],
     "to 1e25")  # fmt: skip
form("a * b / (a + b)", lambda m, a, b: a * b / (a + b), [*BOTH, *APART], TO_300)
form("a * b / (a + b)**2", lambda m, a, b: a * b / (a + b) ** 2, BOTH, TO_300)
form("a**2 / (a + b)", lambda m, a, b: a**2 / (a + b), BOTH, TO_300)
form("sqrt(a * b)", lambda m, a, b: m.sqrt(a * b), [*BOTH, (1e200, 1e-200)], TO_300)
form("sqrt(a / b)", lambda m, a, b: m.sqrt(a / b), [*BOTH, (1e200, 1e-200), (1e-200, 1e200)],
     TO_300)  # fmt: skip
form("sqrt(a) * sqrt(b)", lambda m, a, b: m.sqrt(a) * m.sqrt(b), [*BOTH, (1e200, 1e-200)], TO_300)

# -- parts of rows ---------------------------------------------------------------------------------

form("log(exp(x)[1:].sum())", lambda m, x: m.log(total(m.exp(x)[:, 1:])), ROWS, TO, rows=True)
form("log((exp(x)[1:]**2).sum())", lambda m, x: m.log(total(m.exp(x)[:, 1:] ** 2)), ROWS, TO,
     rows=True)  # fmt: skip
form("log((w * exp(x)[1:]).sum())",
     lambda m, x: m.log(total(m.array([1.0, 2.0, 3.0]) * m.exp(x)[:, 1:])), ROWS, TO,
     rows=True)  # fmt: skip
form("log(exp(x)[:2].sum()) - log(exp(x)[2:].sum())",
     lambda m, x: m.log(total(m.exp(x)[:, :2])) - m.log(total(m.exp(x)[:, 2:])), ROWS, TO,
     rows=True)  # fmt: skip

# -- complements -----------------------------------------------------------------------------------

form("log(1 - softmax(x)) . t",
     lambda m, x: -total(m.log(1 - m.softmax(x)) * m.array(HOT)), ROWS, TO, rows=True)  # fmt: skip
form("log(1 - softmax(x))[2]", lambda m, x: m.log(1 - m.softmax(x))[:, 2], ROWS, TO, rows=True)
form("log(p) - log(1 - p) of a softmax",
     lambda m, x: m.log(first(m.softmax(x))) - m.log(1 - first(m.softmax(x))), ROWS, TO,
     rows=True)  # fmt: skip

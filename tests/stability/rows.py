"""Forms that reduce over rows: logsumexp, softmax, norms."""

from __future__ import annotations

from typing import Any

from tests.stability.form import (
    form,
)

ROWS = [
    [0.5, -1.0, 2.0, 0.25], [1000.0, 1001.0, 999.5, 990.0], [-1000.0, -1001.0, -1002.5, -1003.0],
    [1500.0, -1500.0, 0.0, 5.0], [-90.0, -95.0, -89.0, -100.0], [90.0, 95.0, 89.0, 70.0],
    [700.0, 1.0, 710.0, 709.0], [3.0, 3.5, 3.25, 3.125],
]  # fmt: skip

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
     ROWS, TO, rows=True)  # fmt: skip
form("x - log(exp(x).sum())", lambda m, x: first(x - m.log(kept(m.exp(x)))), ROWS, TO, rows=True)
form("-log(exp(x[0]) / exp(x).sum())",
     lambda m, x: -m.log(m.exp(first(x)) / total(m.exp(x))), ROWS, TO, rows=True)  # fmt: skip
form("log(softmax(x))", lambda m, x: first(m.log(m.softmax(x))), ROWS, TO, rows=True)
form("softmax cross-entropy, soft labels",
     lambda m, x: -total(m.array([0.1, 0.2, 0.3, 0.4]) * m.log(m.softmax(x))), ROWS, TO,
     rows=True)  # fmt: skip
form("entropy of a softmax", lambda m, x: -total(m.softmax(x) * m.log(m.softmax(x))),
     ROWS, TO, rows=True)  # fmt: skip
form(
    "KL written out: (p * log(p / q)).sum()",
    lambda m, x, y: total(m.softmax(x) * m.log(m.softmax(x) / m.softmax(y))),
    [(ROWS[0], ROWS[7]), (ROWS[0], ROWS[1]), (ROWS[1], ROWS[0])],
    TO,
    rows=True,
)
form("mixture: log((w * exp(x)).sum())",
     lambda m, x: m.log(total(m.array([0.1, 0.2, 0.3, 0.4]) * m.exp(x))), ROWS, TO,
     rows=True)  # fmt: skip
form("Gaussian mixture: log((w * exp(-(x - mu)**2 / 2)).sum())",
     lambda m, x: m.log(
         total(m.array([0.1, 0.2, 0.3, 0.4])
               * m.exp(-((x - m.array([0.0, 1.0, -1.0, 3.0])) ** 2) / 2))
     ),
     ROWS[:5], TO, rows=True)  # fmt: skip
LENGTHS = [
    [3.0 * s, -4.0 * s, 12.0 * s, 1.0 * s]
    for s in (1.0, 1e-200, 1e-160, 1e160, 1e200, 1e-300, 1e300, 1e-30, 1e30)
]
SIZES = "rows from 1e-300 to 1e300"
form("sqrt((x**2).sum())", lambda m, x: m.sqrt(total(x**2)), LENGTHS, SIZES, rows=True)
form("x / sqrt((x**2).sum())", lambda m, x: first(x / m.sqrt(kept(x**2))), LENGTHS, SIZES,
     rows=True)  # fmt: skip
form(
    "log((x**2).sum())",
    lambda m, x: m.log(total(x**2)),
    LENGTHS,
    SIZES,
    rows=True,
)
form("cosine: (a*b).sum() / (|a| |b|)",
     lambda m, a, b: total(a * b) / (m.sqrt(total(a**2)) * m.sqrt(total(b**2))),
     [(row, LENGTHS[0][::-1]) for row in LENGTHS], SIZES, rows=True)  # fmt: skip
form("log(x.prod())", lambda m, x: m.log(x.prod(axis=1)),
     [[1e-200, 1e-200, 2.0, 3.0], [1e200, 1e200, 2.0, 3.0], [0.5, 0.25, 2.5, 4.0],
      [1e30, 1e30, 1.0, 2.0]], "1e-200 to 1e200", rows=True)  # fmt: skip
form("-log(softmax(x)[0])", lambda m, x: -m.log(first(m.softmax(x))), ROWS, TO, rows=True)
HOT = [0.0, 1.0, 0.0, 0.0]
form("-log((t * softmax(x)).sum()), one-hot t",
     lambda m, x: -m.log(total(m.softmax(x) * m.array(HOT))), ROWS, TO, rows=True)  # fmt: skip
form("-log((t * exp(x)).sum() / exp(x).sum())",
     lambda m, x: -m.log(total(m.exp(x) * m.array(HOT)) / total(m.exp(x))), ROWS, TO,
     rows=True)  # fmt: skip
form("log((w * exp(x)).sum()), some weights zero",
     lambda m, x: m.log(total(m.array([0.0, 0.25, 0.75, 0.0]) * m.exp(x))), ROWS, TO,
     rows=True)  # fmt: skip
form("logsumexp(x) - x[0]", lambda m, x: m.log(total(m.exp(x))) - first(x), ROWS, TO, rows=True)
form("softmax clipped: -log(clip(p, eps, 1 - eps))[0]",
     lambda m, x: -first(m.log(m.clip(m.softmax(x), m.eps, 1 - m.eps))),
     ROWS, TO, rows=True)  # fmt: skip
form("1 - softmax(x)[0]", lambda m, x: 1 - first(m.softmax(x)), ROWS, TO, rows=True)
form("log(1 - softmax(x)[0])", lambda m, x: m.log(1 - first(m.softmax(x))), ROWS, TO, rows=True)
form("log of a product of softmaxes",
     lambda m, x, y: m.log(first(m.softmax(x)) * first(m.softmax(y))),
     [(ROWS[0], ROWS[7]), (ROWS[3], ROWS[6])], TO, rows=True)  # fmt: skip
form("log of a mixture of softmaxes",
     lambda m, x, y: m.log(0.25 * first(m.softmax(x)) + 0.75 * first(m.softmax(y))),
     [(ROWS[0], ROWS[7]), (ROWS[3], ROWS[6]), (ROWS[6], ROWS[6])], TO, rows=True)  # fmt: skip
SPREAD = [
    [1.0, 2.0, 4.0, 7.0], [4097.1, 4098.2, 4100.7, 4103.9], [-1e3, 1e3, 0.5, 2.0],
    [1000.1, 1000.2, 1000.4, 1000.3],
]  # fmt: skip
form("variance (x**2).mean() - x.mean()**2",
     lambda m, x: (x**2).mean(axis=1) - x.mean(axis=1) ** 2, SPREAD, "means to 4000",
     rows=True)  # fmt: skip
form("variance ((x - x.mean())**2).mean()",
     lambda m, x: ((x - x.mean(axis=1, keepdims=True)) ** 2).mean(axis=1), SPREAD, "means to 4000",
     rows=True)  # fmt: skip
form("x / (x**2).sum()", lambda m, x: first(x / kept(x**2)), LENGTHS, SIZES, rows=True)
form("sqrt(((x - y)**2).sum())", lambda m, x, y: m.sqrt(total((x - y) ** 2)),
     [(row, [0.5 * s for s in row[::-1]]) for row in LENGTHS], SIZES, rows=True)  # fmt: skip

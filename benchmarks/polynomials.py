"""How the polynomials of ``codegen/c/vector_math.c`` and ``scalar/philox_*.c`` were made.

    python benchmarks/polynomials.py [NAME ...]

Minimax polynomials by Remez' exchange algorithm in 60 digits. Coefficients are rounded from the
constant term on, and those left are fitted again around the rounded ones while that helps. Needs
mpmath, which comes with SymPy.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count

import mpmath as mp
import numpy as np

Function = Callable[[mp.mpf], mp.mpf]


@dataclass(frozen=True)
class Problem:
    """A function to approximate on an interval, and the weight of its errors."""

    name: str
    function: Function
    weight: Function
    interval: tuple[mp.mpf, mp.mpf]
    terms: int
    dtype: type[np.floating]

    def points(self, number: int) -> list[mp.mpf]:
        """Return Chebyshev points."""
        a, b = self.interval
        angles = (mp.pi * (2 * i + 1) / (2 * number) for i in range(number))
        return [(a + b - (b - a) * mp.cos(angle)) / 2 for angle in angles]

    def round(self, value: mp.mpf) -> mp.mpf:
        """Round to the dtype."""
        return mp.mpf(float(self.dtype(float(value))))


def exchange(problem: Problem, known: Sequence[mp.mpf]) -> list[mp.mpf]:
    """Return the coefficients that follow the known ones in the best polynomial."""
    start, free = len(known), problem.terms - len(known)
    nodes = problem.points(free + 1)
    grid = problem.points(24 * problem.terms)
    # Where the weight is zero the system would be singular.
    weight = lambda x: max(problem.weight(x), mp.mpf("1e-5"))  # noqa: E731
    rest = {x: problem.function(x) - mp.polyval(known[::-1] or [0], x) for x in grid}
    for _ in range(12):
        rows = [[*(weight(x) * x**k for k in range(start, problem.terms)), 0] for x in nodes]
        for i, row in enumerate(rows):
            row[-1] = mp.mpf(-1) ** i
        values = [
            weight(x) * (problem.function(x) - mp.polyval(known[::-1] or [0], x)) for x in nodes
        ]
        *found, level = mp.lu_solve(mp.matrix(rows), mp.matrix(values))
        errors = [
            (weight(x) * (value - x**start * mp.polyval(found[::-1], x)), x)
            for x, value in rest.items()
        ]
        extremes = _extremes(errors)
        while len(extremes) > free + 1:
            extremes.pop(0 if abs(extremes[0][0]) < abs(extremes[-1][0]) else -1)
        if len(extremes) <= free or max(abs(e) for e, _ in extremes) < 1.02 * abs(level):
            break
        nodes = [x for _, x in extremes]
    return list(found)


def _extremes(errors: Sequence[tuple[mp.mpf, mp.mpf]]) -> list[tuple[mp.mpf, mp.mpf]]:
    """Return the largest error of each run of one sign."""
    found = [errors[0]]
    for error in errors[1:]:
        if (error[0] > 0) != (found[-1][0] > 0):
            found.append(error)
        elif abs(error[0]) > abs(found[-1][0]):
            found[-1] = error
    return found


def rounded(problem: Problem) -> tuple[list[mp.mpf], mp.mpf]:
    """Return coefficients of the dtype, and the largest weighted error."""
    grid = [(x, problem.function(x), problem.weight(x)) for x in problem.points(400)]
    known: list[mp.mpf] = []
    candidates = []
    for _ in range(problem.terms):
        following = [problem.round(value) for value in exchange(problem, known)]
        whole = known + following
        error = max(w * abs(f - mp.polyval(whole[::-1], x)) for x, f, w in grid)
        candidates.append((error, next(_TIES), whole))
        known.append(following[0])
    error, _, best = min(candidates)
    return best, error


_TIES = count()


def series(function: Function, limit: Function, small: float = 1e-12) -> Function:
    """Return the function, with another near zero, where its formula cancels."""
    return lambda x: limit(x) if abs(x) < small else function(x)


def problems() -> list[Problem]:
    """Return all of them."""
    half = mp.log(2) / 2 * mp.mpf("1.001")
    around = (-half, half)
    tail = series(lambda x: (mp.expm1(x) - x) / x**2, lambda x: mp.mpf(1) / 2 + x / 6)
    of_exp: Function = lambda x: x**2 / mp.exp(x)  # noqa: E731
    of_expm1 = series(lambda x: x**2 / abs(mp.expm1(x)), abs)
    ends = ((mp.sqrt(0.5) - 1) * mp.mpf("1.0001"), (mp.sqrt(2) - 1) * mp.mpf("1.0001"))
    log_tail = series(lambda x: (mp.log1p(x) - x) / x**2, lambda x: x / 3 - mp.mpf(1) / 2)
    of_log = series(lambda x: x**2 / abs(mp.log1p(x)), abs)
    # Of s^2, where s = f / (2 + f); log(1 + f) is 2 s + s^3 times this.
    of_quotient = series(
        lambda z: 2 * (mp.atanh(mp.sqrt(z)) / mp.sqrt(z) - 1) / z,
        lambda z: mp.mpf(2) / 3 + z * 2 / 5,
    )
    # Of z = r^2, for the sine and the cosine of r quarters of a turn.
    right = mp.pi / 2
    of_sine = series(
        lambda z: mp.sin(right * mp.sqrt(z)) / mp.sqrt(z), lambda z: right - right**3 * z / 6
    )
    of_cosine = series(
        lambda z: (mp.cos(right * mp.sqrt(z)) - 1) / z, lambda z: right**4 * z / 24 - right**2 / 2
    )
    sine_error: Function = lambda z: 1 / of_sine(z)  # noqa: E731
    cosine_error: Function = lambda z: z / mp.cos(right * mp.sqrt(z))  # noqa: E731
    eighth = (mp.mpf(0), mp.mpf(1) / 4)
    # Of t - 11/16, for arguments 1 + t up to 2.375; of t - 1/2; of inverse squares from 8 on.
    longer = (-mp.mpf(11) / 16, mp.mpf(11) / 16)
    half_ways = (-mp.mpf(1) / 2, mp.mpf(1) / 2)
    beyond = (mp.mpf(0), mp.mpf(1) / 64)
    root = mp.findroot(mp.digamma, 1.46)
    of_lgamma: Function = lambda s: mp.loggamma(s + 1.6875).real / ((s + 0.6875) * (s - 0.3125))  # noqa: E731
    of_psi: Function = lambda s: mp.digamma(s + 1.5) / (s + 1.5 - root)  # noqa: E731

    of_half_sine = series(
        lambda z: mp.sin(mp.pi * mp.sqrt(z)) / mp.sqrt(z), lambda z: mp.pi - mp.pi**3 * z / 6
    )
    of_cotangent = series(
        lambda z: mp.pi * mp.sqrt(z) * mp.cot(mp.pi * mp.sqrt(z)), lambda z: 1 - mp.pi**2 * z / 3
    )

    def stirling(u: mp.mpf) -> mp.mpf:
        small = mp.mpf(1) / 12 - u / 360 + u**2 / 1260 - u**3 / 1680
        return small if u < 1e-12 else _remainder(1 / mp.sqrt(u))

    def below_log(u: mp.mpf) -> mp.mpf:
        a = 1 / mp.sqrt(u) if u else mp.inf
        small = mp.mpf(1) / 12 - u / 120 + u**2 / 252 - u**3 / 240
        return small if u < 1e-12 else (mp.log(a) - 1 / (2 * a) - mp.digamma(a)) / u

    squares = (mp.mpf(0), mp.mpf("0.1717") ** 2)
    return [
        Problem("exp", tail, of_exp, around, 10, np.float64),
        Problem("expf", tail, of_exp, around, 5, np.float32),
        Problem("expm1, tanh", tail, of_expm1, around, 11, np.float64),
        Problem("expm1f, tanhf", tail, of_expm1, around, 5, np.float32),
        Problem(
            "log, log1p", of_quotient, lambda z: z / 2 + mp.mpf("1e-9"), squares, 7, np.float64
        ),
        Problem("logf, log1pf", log_tail, of_log, ends, 8, np.float32),
        Problem("sine", of_sine, sine_error, eighth, 7, np.float64),
        Problem("cosine", of_cosine, cosine_error, eighth, 7, np.float64),
        Problem("sinef", of_sine, sine_error, eighth, 4, np.float32),
        Problem("cosinef", of_cosine, cosine_error, eighth, 4, np.float32),
        Problem("lgamma", of_lgamma, lambda s: 1 / of_lgamma(s), longer, 26, np.float64),
        Problem("lgamma beyond 8", stirling, lambda u: mp.mpf(1), beyond, 6, np.float64),
        Problem(
            "sine of a half", of_half_sine, lambda z: 1 / of_half_sine(z), eighth, 8, np.float64
        ),
        Problem("psi", of_psi, lambda s: 1 / of_psi(s), half_ways, 22, np.float64),
        Problem("psi beyond 8", below_log, lambda u: mp.mpf(1), beyond, 7, np.float64),
        Problem("cotangent of a half", of_cotangent, lambda z: mp.mpf(1), eighth, 15, np.float64),
    ]


def _remainder(a: mp.mpf) -> mp.mpf:
    """Return what Stirling's formula lacks of log(gamma(a)), times a."""
    formula = (a - 0.5) * mp.log(a) - a + mp.log(2 * mp.pi) / 2
    return a * (mp.loggamma(a).real - formula)


def main() -> None:
    """Print the coefficients from the constant term on."""
    mp.mp.dps = 60
    names = sys.argv[1:]
    for problem in problems():
        if names and problem.name not in names:
            continue
        coefficients, error = rounded(problem)
        print(f"{problem.name}: error 2^{float(mp.log(error, 2)):.2f}")
        for value in coefficients:
            print(f"    {float(value).hex()}")


if __name__ == "__main__":
    main()

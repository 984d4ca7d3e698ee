"""Matrices of a known structure, and equations that they solve, as SciPy computes them."""

from __future__ import annotations

from typing import Any

import scipy.linalg

from tests.conformance.draws import one_of, positive
from tests.conformance.families.numerical import in_ours
from tests.conformance.matrices import regular
from tests.conformance.row import Arg, Row

PAIR = {"x": Arg("n"), "y": Arg("m")}
HOLED = {"n": 1, "m": 1}
SQUARE = Arg("n n", draw=regular)
EQUATION: dict[str, Any] = {"slack": 1000, "edges": False, "least": HOLED}


def row(text: str, args: dict[str, Arg], letters: str, **options: Any) -> Row:
    """Return a row whose values are those of SciPy's functions of the same names."""
    return Row(text, args, letters, plain=text.replace("T.linalg", "scipy.linalg"), **options)


ROWS: list[Row] = [
    row("[T.linalg.toeplitz(x), T.linalg.toeplitz(x, y)]", PAIR, "biuFc", least=HOLED),
    row("[T.linalg.hankel(x), T.linalg.hankel(x, y)]", PAIR, "biuFc", least=HOLED),
    row("T.linalg.circulant(x)", {"x": Arg("n")}, "biuFc", least=HOLED),
    row("T.linalg.companion(x)", {"x": Arg("n", draw=positive, edges=False)}, "Fc", slack=10),
    row("[T.linalg.convolution_matrix(x, 3), T.linalg.convolution_matrix(x, a)]",
        {"x": Arg("n"), "a": Arg("", "int64", one_of(1, 2, 4))}, "biuFc", least=HOLED),
    row("T.linalg.khatri_rao(x, y)", {"x": Arg("n k"), "y": Arg("m k")}, "biuFc"),
    row("T.linalg.solve_sylvester(x, y, z)",
        {"x": SQUARE, "y": Arg("m m", draw=regular), "z": Arg("n m")}, "Fc", **EQUATION),
    row("T.linalg.solve_continuous_lyapunov(x, z)", {"x": SQUARE, "z": Arg("n n")}, "Fc",
        **EQUATION),
    Row("T.linalg.solve_discrete_lyapunov(x, z)", {"x": SQUARE, "z": Arg("n n")}, "Fc",
        plain=in_ours(scipy.linalg.solve_discrete_lyapunov), **EQUATION),
]  # fmt: skip
